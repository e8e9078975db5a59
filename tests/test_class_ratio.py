"""Another class ratio or an unseen kind of negative: by hand, by scikit-learn with weights, at the limits."""

import math

import numpy as np
import pandas as pd
import pytest
import scipy.stats
import sklearn.metrics as theirs
from cells import counts_of
from hypothesis import example, given, settings
from hypothesis import strategies as st

from evalteach import data
from evalteach.class_ratio import at_class_ratio, precision_interval, rate_bounds, with_unseen
from evalteach.classification import (
    accuracy,
    fbeta,
    matthews_corrcoef,
    precision,
    recall,
    specificity,
)
from evalteach.counts import Counts, sweep

CELLS = st.tuples(*[st.integers(0, 50)] * 4).filter(lambda cells: cells[0] + cells[2] and cells[1] + cells[3])
RATIO = st.floats(1e-3, 1e6)
KIND = st.tuples(st.integers(0, 30), st.integers(0, 30)).filter(any)
TEST = Counts(tp=4, fp=1, fn=1, tn=6)
DOGS = Counts(tp=0, fp=4, fn=0, tn=1)


# --- at_class_ratio --------------------------------------------------------------------------------------


def test_one_hundred_negatives_per_positive_are_worked_by_hand():
    # 10 positives, so 1,000 negatives: of the 10 in the test set, each stands for 100
    moved = at_class_ratio(Counts(tp=8, fp=2, fn=2, tn=8), 100)
    assert moved == Counts(tp=8, fp=200, fn=2, tn=800)
    assert precision(moved) == pytest.approx(8 / 208)


@given(CELLS.filter(all), RATIO, st.floats(0.1, 10))
def test_metrics_at_a_class_ratio_equal_those_of_scikit_learn_with_sample_weights(cells, ratio, beta):
    tp, fp, fn, tn = cells
    y_true = np.repeat([1, 0, 1, 0], cells)
    y_pred = np.repeat([1, 1, 0, 0], cells)
    weights = np.where(y_true == 1, 1.0, ratio * (tp + fn) / (fp + tn))
    moved = at_class_ratio(counts_of(*cells), ratio)
    for ours, their_metric in (
        (accuracy(moved), theirs.accuracy_score),
        (precision(moved), theirs.precision_score),
        (recall(moved), theirs.recall_score),
        (fbeta(moved), theirs.f1_score),
        (fbeta(moved, beta), lambda *rows, **weights: theirs.fbeta_score(*rows, beta=beta, **weights)),
        (matthews_corrcoef(moved), theirs.matthews_corrcoef),
    ):
        assert ours == pytest.approx(their_metric(y_true, y_pred, sample_weight=weights), rel=1e-7, abs=1e-9)


def test_a_whole_sweep_is_moved_at_once():
    curve = sweep([1, 0, 1, 0, 0], [5, 4, 4, 2, 1])
    moved = at_class_ratio(curve.counts, 6)
    assert moved == Counts(tp=[0, 1, 2, 2, 2], fp=[0, 0, 4, 8, 12], fn=[2, 1, 0, 0, 0], tn=[12, 12, 8, 4, 0])


def test_many_class_ratios_broadcast_against_the_counts():
    one = Counts(tp=8, fp=2, fn=2, tn=8)
    moved = at_class_ratio(one, [1, 10])
    assert moved == Counts(tp=[8, 8], fp=[2, 20], fn=[2, 2], tn=[8, 80])
    assert at_class_ratio(one, pd.Series([1, 10])) == at_class_ratio(one, np.array([1, 10])) == moved
    assert at_class_ratio(Counts(tp=[8, 4], fp=[2, 1], fn=[2, 6], tn=[8, 9]), [1, 10]) == Counts(
        tp=[8, 4], fp=[2, 10], fn=[2, 6], tn=[8, 90]
    )
    for ratio in (10, np.int64(10), np.float32(10), np.array(10)):
        assert at_class_ratio(one, ratio) == moved[1]


@pytest.mark.parametrize(
    "ratio", [0, -1, math.nan, math.inf, np.float64(0), [1, 0], [-1, 1], [math.inf, 2], [2, math.inf]]
)
def test_a_class_ratio_that_is_not_positive_and_finite_is_refused(ratio):
    found = "ratio holds (-1|0|inf) at position [01]; ratio" if np.ndim(ratio) else "ratio"
    with pytest.raises(ValueError, match=f"^{found} must be above 0 and finite(, got (0|-1|nan|inf|0.0))?$"):
        at_class_ratio(Counts(tp=8, fp=2, fn=2, tn=8), ratio)


@pytest.mark.parametrize(
    ("ratio", "found"),
    [
        ([1, math.nan], "ratio has nan at position 1; ratio must be above 0 and finite"),
        ([], "ratio is empty"),
        (["1", "2"], "ratio has dtype <U1; ratio must be above 0 and finite"),
        ([1, [2, 3]], r"ratio cannot be read as an array"),
        (np.ma.array([1, 2], mask=[0, 1]), "ratio is masked at position 1"),
        ([1, 2, 3], r"counts and ratio have shapes \(2,\), \(3,\); scalars or one common shape are accepted"),
    ],
)
def test_class_ratios_that_do_not_fit_are_refused(ratio, found):
    with pytest.raises(ValueError, match=f"^{found}"):
        at_class_ratio(Counts(tp=[8, 7], fp=2, fn=2, tn=8), ratio)


@pytest.mark.parametrize("ratio", [np.int32(1_000_000), np.int16(1600), np.float32(100), np.array(300)])
def test_a_class_ratio_of_a_small_type_does_not_wrap_around(ratio):
    counts = Counts(tp=5000, fp=50, fn=500, tn=50_000)
    assert at_class_ratio(counts, ratio) == at_class_ratio(counts, ratio.item())
    assert precision_interval(counts, ratio) == precision_interval(counts, ratio.item())


@pytest.mark.parametrize(
    ("counts", "absent"),
    [
        (Counts(tp=0, fp=2, fn=0, tn=8), "positives"),
        (Counts(tp=8, fp=0, fn=2, tn=0), "negatives"),
        (Counts(tp=0, fp=0, fn=0, tn=0), "positives"),
        (Counts(tp=[1, 0], fp=2, fn=0, tn=8), "positives"),
        (Counts(tp=8, fp=0, fn=2, tn=[0, 1]), "negatives"),
    ],
)
def test_a_test_set_that_lacks_a_class_is_refused(counts, absent):
    expected = f"^counts hold no {absent}; the test set needs at least one example of each class$"
    with pytest.raises(ValueError, match=expected):
        at_class_ratio(counts, 9)
    with pytest.raises(ValueError, match=expected):
        precision_interval(counts, 9)


# --- rate_bounds and precision_interval ------------------------------------------------------------------


def exact_interval(hits, rows, level):
    found = scipy.stats.binomtest(hits, rows).proportion_ci(level, method="exact")
    return pytest.approx(found.low, rel=1e-9, abs=1e-12), pytest.approx(found.high, rel=1e-9, abs=1e-12)


@given(CELLS, st.floats(0.01, 0.999))
@settings(max_examples=40)
@example((0, 0, 9, 50), 0.95)
@example((9, 50, 0, 0), 0.95)
@example((1, 0, 0, 1), 0.95)
def test_rate_bounds_are_clopper_and_pearsons(cells, confidence):
    tp, fp, fn, tn = cells
    worst, best = rate_bounds(counts_of(*cells), confidence)
    level = math.sqrt(confidence)  # of two independent samples, so that both hold at once
    assert (worst.tp, best.tp) == exact_interval(tp, tp + fn, level)
    assert (best.fp, worst.fp) == exact_interval(fp, fp + tn, level)
    for rates in (worst, best):
        assert (rates.tp + rates.fn, rates.fp + rates.tn) == (pytest.approx(1), pytest.approx(1))


@given(CELLS, RATIO)
def test_every_metric_lies_between_its_values_at_the_two_bounds(cells, ratio):
    worst, best = (at_class_ratio(rates, ratio) for rates in rate_bounds(counts_of(*cells)))
    moved = at_class_ratio(counts_of(*cells), ratio)
    for metric in (accuracy, recall, specificity, fbeta):
        assert metric(worst) <= metric(moved) * (1 + 1e-12)
        assert metric(moved) <= metric(best) * (1 + 1e-12)
    low, high = precision_interval(counts_of(*cells), ratio)
    assert (low, high) == (precision(worst), precision(best))
    assert 0 <= low < high <= 1
    if moved.tp + moved.fp:
        assert low <= precision(moved) * (1 + 1e-12)
        assert precision(moved) <= high * (1 + 1e-12)


def test_a_precision_interval_is_worked_by_hand_from_the_two_rates():
    # at level sqrt(.95): recall of 8 in 10 is .4017 or more, the false positive rate of 0 in 20 .1962 or less
    (low, high), level = precision_interval(Counts(tp=8, fp=0, fn=2, tn=20), 5), math.sqrt(0.95)
    recall_low = scipy.stats.binomtest(8, 10).proportion_ci(level).low
    alarm_high = 1 - ((1 - level) / 2) ** (1 / 20)
    assert low == pytest.approx(recall_low / (recall_low + 5 * alarm_high))
    assert low == pytest.approx(0.4017 / (0.4017 + 5 * 0.1962), abs=1e-4)
    assert high == 1


def test_with_nothing_flagged_the_interval_is_wide_and_not_nan():
    low, high = precision_interval(Counts(tp=0, fp=0, fn=10, tn=10), 1)
    assert (low, high) == (0, 1)
    assert type(low) is type(high) is float
    low, high = precision_interval(Counts(tp=[0, 9], fp=[0, 0], fn=[10, 1], tn=[10, 10]), 1)
    assert (low[0], high[0]) == (0, 1)
    assert 0 < low[1] < high[1] == 1


@pytest.mark.parametrize("true_recall", [0.02, 0.5, 0.9, 1.0])
@pytest.mark.parametrize("true_fpr", [0.001, 0.05, 0.5])
@pytest.mark.parametrize("ratio", [0.1, 20])
def test_the_interval_covers_the_precision_as_often_as_promised_in_every_small_test_set(true_recall, true_fpr, ratio):
    positives, negatives, confidence = 12, 40, 0.9
    tp, fp = (grid.ravel() for grid in np.mgrid[: positives + 1, : negatives + 1])
    low, high = precision_interval(Counts(tp=tp, fp=fp, fn=positives - tp, tn=negatives - fp), ratio, confidence)
    true_precision = true_recall / (true_recall + ratio * true_fpr)
    probability = scipy.stats.binom.pmf(tp, positives, true_recall)
    probability *= scipy.stats.binom.pmf(fp, negatives, true_fpr)
    assert probability.sum() == pytest.approx(1)
    assert probability[(low <= true_precision) & (true_precision <= high)].sum() >= confidence


@pytest.mark.parametrize("confidence", [0, 1, -0.5, 95, math.nan])
def test_a_confidence_that_is_not_between_0_and_1_is_refused(confidence):
    for ask in (
        lambda: rate_bounds(Counts(tp=8, fp=2, fn=2, tn=8), confidence),
        lambda: precision_interval(Counts(tp=8, fp=2, fn=2, tn=8), 9, confidence),
    ):
        with pytest.raises(ValueError, match=f"^confidence must be between 0 and 1, got {confidence}$"):
            ask()


@pytest.mark.parametrize("interval", [rate_bounds, lambda counts: precision_interval(counts, 1600)])
def test_weighted_or_rescaled_counts_have_no_interval_since_they_are_not_so_many_rows(interval):
    counts, (y_true, y_score) = Counts(tp=97, fp=3, fn=3, tn=897), data.two_normals(20, 4)
    weighted = sweep(y_true, y_score, weights=np.full(y_true.size, 100.0)).at(0.5)
    assert weighted.tp == round(weighted.tp), "whole, and still not rows"
    for no_rows, cell in ((at_class_ratio(counts, 1600), "fp"), (weighted, "tp"), (counts_of(97.5, 3, 3, 897), "tp")):
        with pytest.raises(ValueError, match=f"^{cell} holds weights or expected counts; an interval needs counts of "):
            interval(no_rows)
    interval(counts)
    interval(sweep(y_true, y_score).counts)


def test_what_is_no_counts_is_refused_with_what_to_pass_instead():
    made = sweep([1, 0], [2, 1])
    for ask in (lambda c: at_class_ratio(c, 10), rate_bounds, lambda c: precision_interval(c, 9)):
        with pytest.raises(ValueError, match=r"^counts must be Counts, got Sweep; pass its \.counts, or \.at\(thresh"):
            ask(made)
        with pytest.raises(ValueError, match=r"^counts must be Counts, got tuple$"):
            ask((8, 2, 2, 8))
    with pytest.raises(ValueError, match=r"^unseen must be Counts, got list$"):
        with_unseen(TEST, [4, 1], 2)


def test_a_class_ratio_out_of_range_has_no_precision_interval():
    with pytest.raises(ValueError, match=r"^ratio must be above 0 and finite, got 0$"):
        precision_interval(Counts(tp=8, fp=2, fn=2, tn=8), 0)


# --- with_unseen -----------------------------------------------------------------------------------------


def test_ten_dogs_beside_five_cats_are_worked_by_hand():
    # two dogs for each of 5 cats are 10, of which four fifths are flagged
    joined = with_unseen(TEST, DOGS, 2)
    assert joined == Counts(tp=4, fp=1 + 8, fn=1, tn=6 + 2)
    assert precision(joined) == pytest.approx(4 / 13)


@given(CELLS, KIND, st.floats(0, 100))
@settings(deadline=None)
def test_it_agrees_with_weighted_rows_in_scikit_learn(cells, kind, unseen_per_positive):
    tp, fp, fn, tn = cells
    y_true = np.repeat([1, 0, 1, 0, 0, 0], [*cells, *kind])
    y_pred = np.repeat([1, 1, 0, 0, 1, 0], [*cells, *kind])
    weights = np.ones(y_true.size)
    weights[tp + fp + fn + tn :] = unseen_per_positive * (tp + fn) / sum(kind)
    joined = with_unseen(counts_of(*cells), Counts(tp=0, fp=kind[0], fn=0, tn=kind[1]), unseen_per_positive)
    flagged = tp + fp + (unseen_per_positive > 0 and kind[0])
    if flagged:
        expected = theirs.precision_score(y_true, y_pred, sample_weight=weights)
        assert precision(joined) == pytest.approx(expected)
    else:
        assert math.isnan(precision(joined))
    assert recall(joined) == recall(counts_of(*cells))


def test_none_of_the_kind_changes_nothing_and_a_kind_that_is_never_flagged_leaves_precision_alone():
    assert with_unseen(TEST, DOGS, 0) == TEST
    assert precision(with_unseen(TEST, Counts(tp=0, fp=0, fn=0, tn=9), 1e6)) == precision(TEST)


@pytest.mark.parametrize("positives", [{"tp": 1, "fn": 0}, {"tp": 0, "fn": 1}])
def test_unseen_rows_that_are_positive_are_refused(positives):
    with pytest.raises(ValueError, match=r"^unseen must hold negatives only \(tp = fn = 0\), got Counts"):
        with_unseen(TEST, Counts(fp=3, tn=1, **positives), 2)


def test_a_number_of_a_small_type_does_not_wrap_around():
    counts, more = Counts(tp=5000, fp=50, fn=500, tn=50_000), np.int16(1600)
    assert with_unseen(counts, DOGS, more) == with_unseen(counts, DOGS, 1600)


def test_counts_at_all_thresholds_and_many_numbers_broadcast():
    test, deployed = data.unseen_negatives(30, 4, unseen_per_positive=3)
    every, unseen = sweep(*test), sweep(np.zeros(900, bool), deployed.y_score[-900:])
    kinds = counts_of(*np.transpose([[0, c.fp, 0, c.tn] for c in map(unseen.at, every.thresholds)]))
    joined = with_unseen(every.counts, kinds, 3)
    assert joined[5] == with_unseen(every.counts[5], kinds[5], 3)
    amounts = np.array([0.0, 2.0, 7.0])
    assert with_unseen(TEST, DOGS, amounts)[2] == with_unseen(TEST, DOGS, 7.0)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((TEST, DOGS, -1), r"^unseen_per_positive must be 0 or more and finite, got -1$"),
        ((TEST, DOGS, math.inf), r"^unseen_per_positive must be 0 or more and finite, got inf$"),
        ((TEST, DOGS, math.nan), r"^unseen_per_positive must be 0 or more and finite, got nan$"),
        (
            (TEST, DOGS, [1, -2.0]),
            r"^unseen_per_positive holds -2 at position 1; unseen_per_positive must be 0 or more and finite$",
        ),
        (
            (TEST, DOGS, [1, math.inf]),
            r"^unseen_per_positive holds inf at position 1; unseen_per_positive must be 0 or",
        ),
        (
            (TEST, DOGS, [1, math.nan]),
            r"^unseen_per_positive has nan at position 1; unseen_per_positive must be 0 or more and finite$",
        ),
        ((TEST, DOGS, []), r"^unseen_per_positive is empty"),
        ((TEST, DOGS, ["a"]), r"^unseen_per_positive has dtype"),
        (
            (Counts(tp=0, fp=1, fn=0, tn=2), DOGS, 1),
            r"^counts hold no positives; unseen_per_positive needs at least one of them$",
        ),
        ((TEST, DOGS, "a"), r"^unseen_per_positive must be one real number, got 'a'$"),
        ((TEST, DOGS, None), r"^unseen_per_positive must be one real number, got None$"),
        (
            (Counts(tp=[4, 4], fp=1, fn=1, tn=6), Counts(tp=0, fp=[4, 4, 4], fn=0, tn=1), [1, 2, 3, 4]),
            r"^counts, unseen and unseen_per_positive have shapes \(2,\), \(3,\), \(4,\); scalars or one",
        ),
        ((TEST, TEST, 1), r"^unseen must hold negatives only \(tp = fn = 0\), got Counts\(tp=4, fp=1, fn=1, tn=6\)$"),
        (
            (TEST, Counts(tp=0, fp=0, fn=0, tn=0), 1),
            r"^unseen holds no rows; at least one of the unseen kind is needed$",
        ),
        (
            (TEST, Counts(tp=0, fp=[4, 0], fn=0, tn=[1, 0]), 1),
            r"^unseen holds no rows; at least one of the unseen kind is needed$",
        ),
    ],
)
def test_wrong_arguments_of_with_unseen_are_refused_by_name(arguments, said):
    with pytest.raises(ValueError, match=said):
        with_unseen(*arguments)


# --- ratios without an end -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "ratio", [1e308, 10**308, 1e300, [1.0, 1e308], np.array(1e308)], ids=["1e308", "int", "1e300", "list", "array"]
)
def test_a_ratio_that_asks_for_more_negatives_than_can_be_added_up_is_refused(ratio):
    found = "holds 1e\\+30[08]; the negatives that it asks for must add up to 1e300 at most"
    with pytest.raises(ValueError, match=f"^ratio {found}"):
        at_class_ratio(Counts(tp=8, fp=0, fn=2, tn=8), ratio)
    with pytest.raises(ValueError, match=f"^unseen_per_positive {found}"):
        with_unseen(Counts(tp=8, fp=0, fn=2, tn=8), Counts(tp=0, fp=1, fn=0, tn=1), ratio)


def test_the_highest_ratio_leaves_every_metric_defined():
    counts = at_class_ratio(Counts(tp=8, fp=0, fn=2, tn=8), 1e299)
    assert (precision(counts), counts.tn) == (1, pytest.approx(1e300))
    with pytest.raises(ValueError, match=r"^ratio holds"):  # 1e308 for each unit of the negatives' weight
        at_class_ratio(Counts(tp=1.0, fp=0.0, fn=0.0, tn=1e-9), 1e299)
