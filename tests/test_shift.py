"""A test set moved to another class ratio, and to unlabeled rows whose class size is known."""

import math
import re
from statistics import NormalDist

import numpy as np
import pandas as pd
import pytest
import scipy.stats
import sklearn.metrics as theirs
from cells import counts_of
from evalteach.GONE import required_false_positive_rate
from hypothesis import example, given, settings
from hypothesis import strategies as st

from evalteach import UnlabeledCurve, at_class_ratio
from evalteach.class_ratio import precision_interval, rate_bounds
from evalteach.classification import (
    accuracy,
    false_positive_rate,
    fbeta,
    matthews_corrcoef,
    positive_likelihood_ratio,
    precision,
    recall,
    specificity,
)
from evalteach.counts import Counts, sweep
from evalteach.ideal_ranking import ideal_recall_band
from evalteach.unlabeled import BestThreshold

CELLS = st.tuples(*[st.integers(0, 50)] * 4).filter(lambda cells: cells[0] + cells[2] and cells[1] + cells[3])
RATIO = st.floats(1e-3, 1e6)


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
        (positive_likelihood_ratio(moved), lambda *rows, **w: theirs.class_likelihood_ratios(*rows, **w)[0]),
    ):
        assert ours == pytest.approx(their_metric(y_true, y_pred, sample_weight=weights), rel=1e-7, abs=1e-9)


@given(CELLS, RATIO)
def test_the_class_ratio_is_reached_and_the_rates_are_kept(cells, ratio):
    counts = counts_of(*cells)
    moved = at_class_ratio(counts, ratio)
    assert (moved.fp + moved.tn) / (moved.tp + moved.fn) == pytest.approx(ratio, rel=1e-12)
    assert (moved.tp, moved.fn) == (counts.tp, counts.fn)
    for metric in (recall, specificity, false_positive_rate):
        assert metric(moved) == pytest.approx(metric(counts), rel=1e-12, abs=1e-15)


@given(CELLS, RATIO, RATIO)
def test_only_the_last_of_two_moves_matters(cells, ratio, other):
    once = at_class_ratio(counts_of(*cells), ratio)
    twice = at_class_ratio(at_class_ratio(counts_of(*cells), other), ratio)
    assert (once.fp, once.tn) == (pytest.approx(twice.fp, rel=1e-12), pytest.approx(twice.tn, rel=1e-12))


@given(CELLS)
def test_the_class_ratio_of_the_test_set_changes_nothing(cells):
    tp, fp, fn, tn = cells
    moved = at_class_ratio(counts_of(*cells), (fp + tn) / (tp + fn))
    assert (moved.fp, moved.tn) == (pytest.approx(fp, rel=1e-12), pytest.approx(tn, rel=1e-12))


@given(CELLS.filter(lambda cells: cells[0] and cells[1]), RATIO)
def test_odds_of_precision_are_the_likelihood_ratio_over_the_class_ratio(cells, ratio):
    moved = at_class_ratio(counts_of(*cells), ratio)
    odds = moved.tp / moved.fp
    assert odds == pytest.approx(positive_likelihood_ratio(counts_of(*cells)) / ratio, rel=1e-12)
    assert precision(moved) == pytest.approx(odds / (1 + odds), rel=1e-12)


def test_more_negatives_per_positive_only_ever_lower_the_precision():
    at_ratios = precision(at_class_ratio(Counts(tp=8, fp=2, fn=2, tn=8), [0.01, 0.1, 1, 10, 100]))
    assert np.all(np.diff(at_ratios) < 0)
    np.testing.assert_array_equal(precision(at_class_ratio(Counts(tp=8, fp=0, fn=2, tn=8), [0.01, 1, 100])), 1)


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
    with pytest.raises(ValueError, match=r"^ratio must be above 0 and finite, got -?(0|1|0.0|1.0|nan|inf)$"):
        at_class_ratio(Counts(tp=8, fp=2, fn=2, tn=8), ratio)


@pytest.mark.parametrize(
    ("ratio", "found"),
    [
        ([1, math.nan], "ratio has nan at position 1; ratios must be positive and finite"),
        ([], "ratio is empty"),
        (["1", "2"], "ratio has dtype <U1; ratios must be positive and finite"),
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


@pytest.mark.parametrize("negatives", [1, 20, 10_000])
def test_without_a_false_positive_the_interval_is_not_one_alone(negatives):
    low, high = precision_interval(Counts(tp=50, fp=0, fn=50, tn=negatives), 100)
    assert high == 1
    assert 0 < low < 1


def test_with_nothing_flagged_the_interval_is_wide_and_not_nan():
    low, high = precision_interval(Counts(tp=0, fp=0, fn=10, tn=10), 1)
    assert (low, high) == (0, 1)
    assert type(low) is type(high) is float
    low, high = precision_interval(Counts(tp=[0, 9], fp=[0, 0], fn=[10, 1], tn=[10, 10]), 1)
    assert (low[0], high[0]) == (0, 1)
    assert 0 < low[1] < high[1] == 1


def test_a_higher_confidence_widens_the_interval_and_more_data_narrows_it():
    widths = [
        np.ptp(precision_interval(Counts(tp=8, fp=2, fn=2, tn=88), 9, level)) for level in (0.5, 0.9, 0.95, 0.999)
    ]
    assert np.all(np.diff(widths) > 0)
    widths = [np.ptp(precision_interval(Counts(tp=8 * n, fp=2 * n, fn=2 * n, tn=88 * n), 9)) for n in (1, 10, 100)]
    assert np.all(np.diff(widths) < 0)


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


def test_the_interval_covers_the_precision_as_often_as_promised_in_a_simulation():
    rng = np.random.default_rng(0)
    for true_recall, true_fpr in ((0.6, 0.0005), (0.8, 0.01), (0.95, 0.1)):
        tp, fp = rng.binomial(100, true_recall, 4000), rng.binomial(2000, true_fpr, 4000)
        low, high = precision_interval(Counts(tp=tp, fp=fp, fn=100 - tp, tn=2000 - fp), 50)
        true_precision = true_recall / (true_recall + 50 * true_fpr)
        covered = np.mean((low <= true_precision) & (true_precision <= high))
        assert 0.95 <= covered < 1


@pytest.mark.parametrize("confidence", [0, 1, -0.5, 95, math.nan])
def test_a_confidence_that_is_not_between_0_and_1_is_refused(confidence):
    curve = UnlabeledCurve([1, 2], [1, 2, 3])
    for ask in (
        lambda: rate_bounds(Counts(tp=8, fp=2, fn=2, tn=8), confidence),
        lambda: precision_interval(Counts(tp=8, fp=2, fn=2, tn=8), 9, confidence),
        lambda: ideal_recall_band(10, 5, [1, 2], confidence),
        lambda: curve.precision_band(2, confidence=confidence),
        lambda: curve.f1_band(2, 1, confidence),
    ):
        with pytest.raises(ValueError, match=f"^confidence must be between 0 and 1, got {confidence}$"):
            ask()


def test_a_class_ratio_out_of_range_has_no_precision_interval():
    with pytest.raises(ValueError, match=r"^ratio must be above 0 and finite, got 0$"):
        precision_interval(Counts(tp=8, fp=2, fn=2, tn=8), 0)


# --- required_false_positive_rate ------------------------------------------------------------------------


def test_the_required_false_positive_rate_is_worked_by_hand():
    # 90 of 100 positives flagged and precision 3/4: 30 false alarms in 100 × 1,000 negatives
    assert required_false_positive_rate(0.9, 1000, 0.75) == pytest.approx(30 / 100_000)


@given(st.floats(0.001, 1), RATIO, st.floats(0.001, 0.999))
def test_the_required_false_positive_rate_leads_back_to_the_precision(true_recall, ratio, wanted):
    needed = required_false_positive_rate(true_recall, ratio, wanted)
    assert needed / true_recall * ratio == pytest.approx((1 - wanted) / wanted)
    if needed <= 1:
        rates = Counts(tp=true_recall, fp=needed, fn=1 - true_recall, tn=1 - needed)
        assert precision(at_class_ratio(rates, ratio)) == pytest.approx(wanted)
    else:  # even a classifier that flags all negatives has the precision
        assert true_recall / (true_recall + ratio) >= wanted * (1 - 1e-12)


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        ((0, 9, 0.5), "recall must be between 0 and 1, got 0"),
        ((1.5, 9, 0.5), "recall must be between 0 and 1, got 1.5"),
        ((math.nan, 9, 0.5), "recall must be between 0 and 1, got nan"),
        ((0.5, 0, 0.5), "ratio must be above 0 and finite, got 0"),
        ((0.5, math.inf, 0.5), "ratio must be above 0 and finite, got inf"),
        ((0.5, 9, 0), "precision must be between 0 and 1, got 0"),
        ((0.5, 9, 1), "precision must be between 0 and 1, got 1"),
        ((0.5, 9, math.nan), "precision must be between 0 and 1, got nan"),
        (("a", 9, 0.5), "recall must be one real number, got 'a'"),
    ],
)
def test_a_goal_that_no_classifier_has_is_refused(arguments, found):
    with pytest.raises(ValueError, match=f"^{found}$"):
        required_false_positive_rate(*arguments)


def test_a_recall_of_one_is_a_goal():
    assert required_false_positive_rate(1, 10, 0.5) == required_false_positive_rate(1.0, 10, 0.5) == 0.1


# --- UnlabeledCurve -------------------------------------------------------------------------------------

SCORE = st.one_of(
    st.integers(-3, 3).map(float),
    st.sampled_from([0.0, -0.0, 5e-324, 1e308, math.inf, -math.inf]),
    st.floats(allow_nan=False),
)
SOME = st.lists(SCORE, min_size=1, max_size=12)
PART = st.floats(0.01, 1)  # of the unlabeled rows, as class size


@st.composite
def curves(draw):
    """Test positives, unlabeled scores and a class size: whole, or any fraction of the rows."""
    positives, unlabeled = draw(SOME), draw(SOME)
    size = draw(st.one_of(st.integers(1, len(unlabeled)), PART.map(lambda part: part * len(unlabeled))))
    return np.array(positives), np.array(unlabeled), size


def test_recall_precision_and_f1_are_worked_by_hand():
    curve = UnlabeledCurve([0.9, 0.6], [0.3, 0.95, 0.5, 0.8, 0.7])
    np.testing.assert_array_equal(curve.thresholds, [0.95, 0.8, 0.7, 0.5, 0.3])
    np.testing.assert_array_equal(curve.recall, [0, 1 / 2, 1 / 2, 1, 1])
    np.testing.assert_array_equal(curve.before, [1, 3])
    assert (curve.n_test_positives, curve.n_unlabeled) == (2, 5)
    # with 2 positives among the 5, and so one expected from the second row on, and both from the fourth
    np.testing.assert_allclose(curve.precision(2), [0, 1 / 2, 1 / 3, 2 / 4, 2 / 5])
    np.testing.assert_allclose(curve.f1(2), [0, 2 / 4, 2 / 5, 4 / 6, 4 / 7])
    assert curve.best(2) == (4, 0.5, pytest.approx(4 / 6))


@given(curves())
@settings(max_examples=150)
@example((np.array([1.0, 1.0, 2.0]), np.array([1.0, 1.0, 1.0, 2.0, 0.0]), 3))
@example((np.array([0.0, 9.0]), np.array([1.0, 2.0, 3.0]), 2))
def test_the_curve_equals_a_loop_over_the_definition(rows):
    positives, unlabeled, size = rows
    curve = UnlabeledCurve(positives, unlabeled)
    in_order = sorted(unlabeled.tolist(), reverse=True)
    assert curve.thresholds.tolist() == in_order
    for k in range(1, unlabeled.size + 1):
        hits = np.mean(positives >= in_order[k - 1])
        assert curve.recall[k - 1] == hits
        assert curve.precision(size)[k - 1] == pytest.approx(hits * size / k, rel=1e-14)
        assert curve.f1(size)[k - 1] == pytest.approx(2 * size * hits / (k + size), rel=1e-14)
    above = sorted(int(np.sum(unlabeled > score)) for score in positives)
    assert curve.before.tolist() == above


@given(curves(), st.floats(0.5, 0.99))
def test_the_value_at_one_rank_equals_that_of_all_ranks(rows, confidence):
    positives, unlabeled, size = rows
    whole = UnlabeledCurve(positives, unlabeled)
    for k in range(1, unlabeled.size + 1):
        fresh = UnlabeledCurve(positives, unlabeled)  # without the whole curve in store
        assert fresh.recall_at(k) == whole.recall[k - 1]
        assert fresh.precision(size, k) == whole.precision(size)[k - 1]
        assert fresh.f1(size, k) == whole.f1(size)[k - 1]
        for at_one, at_all in (
            (fresh.precision_band(size, k, confidence), whole.precision_band(size, confidence=confidence)),
            (fresh.f1_band(size, k, confidence), whole.f1_band(size, confidence=confidence)),
        ):
            np.testing.assert_allclose(at_one, [end[k - 1] for end in at_all], rtol=1e-13)
        assert "recall" not in vars(fresh), "one rank does not need the whole curve"


@given(curves())
def test_rows_flagged_at_a_rank_reach_to_the_end_of_its_tie(rows):
    positives, unlabeled, _ = rows
    curve = UnlabeledCurve(positives, unlabeled)
    for k in range(1, unlabeled.size + 1):
        assert curve.flagged_at(k) == np.sum(unlabeled >= curve.thresholds[k - 1])


@given(curves(), st.randoms(use_true_random=False))
def test_the_order_of_both_samples_does_not_matter(rows, random):
    positives, unlabeled, size = rows
    shuffled = [random.sample(column.tolist(), column.size) for column in (positives, unlabeled)]
    one, other = UnlabeledCurve(positives, unlabeled), UnlabeledCurve(*shuffled)
    np.testing.assert_array_equal(one.recall, other.recall)
    np.testing.assert_array_equal(one.thresholds, other.thresholds)
    assert one.best(size) == other.best(size)


@given(curves(), st.lists(st.floats(0.001, 1000), min_size=24, max_size=24), st.floats(-1000, 1000))
def test_stretching_both_samples_alike_changes_nothing(rows, widths, start):
    positives, unlabeled, size = rows
    distinct, rank = np.unique(np.append(positives, unlabeled), return_inverse=True)
    stretched = (start + np.cumsum(widths)[: distinct.size])[rank]
    one = UnlabeledCurve(positives, unlabeled)
    other = UnlabeledCurve(stretched[: positives.size], stretched[positives.size :])
    np.testing.assert_array_equal(one.recall, other.recall)
    np.testing.assert_array_equal(one.before, other.before)
    assert (one.best(size).k, one.best(size).f1) == (other.best(size).k, other.best(size).f1)


def test_within_a_tie_all_ranks_have_one_recall():
    curve = UnlabeledCurve([2, 1], [2, 2, 2, 1, 0])
    np.testing.assert_array_equal(curve.recall, [1 / 2, 1 / 2, 1 / 2, 1, 1])
    assert [curve.flagged_at(k) for k in range(1, 6)] == [3, 3, 3, 4, 5]


def test_a_perfect_ranking_a_reversed_one_and_a_constant_one_have_their_curves():
    np.testing.assert_array_equal(UnlabeledCurve([9, 8], [3, 2, 1]).recall, [1, 1, 1])
    np.testing.assert_array_equal(UnlabeledCurve([-9, -8], [3, 2, 1]).recall, [0, 0, 0])
    np.testing.assert_array_equal(UnlabeledCurve([5, 5], [5, 5, 5]).recall, [1, 1, 1])


@given(curves())
@settings(max_examples=150)
@example((np.array([-9.0]), np.array([2.0, 2.0, 1.0]), 2))
@example((np.array([2.0, 2.0, 1.0]), np.array([2.0, 2.0, 2.0, 1.0, 1.0, 0.0]), 1))
@example((np.array([1.0, 0.0]), np.array([3.0, 2.0, 1.0, 1.0, 0.0]), 5))
def test_the_best_threshold_is_the_brute_force_best_of_those_that_can_be_used(rows):
    positives, unlabeled, size = rows
    best = UnlabeledCurve(positives, unlabeled).best(size)
    usable = {}  # rows flagged and F1 of every threshold that flags something
    for threshold in np.unique(unlabeled).tolist():
        k = int(np.sum(unlabeled >= threshold))
        usable[threshold] = k, 2 * size * np.mean(positives >= threshold) / (k + size)
    assert best.f1 == pytest.approx(max(f1 for _, f1 in usable.values()), rel=1e-14)
    assert usable[best.threshold] == (best.k, pytest.approx(best.f1, rel=1e-14))
    assert best.k == min(k for k, f1 in usable.values() if f1 >= best.f1 * (1 - 1e-14)), "the fewest flagged"
    assert isinstance(best, BestThreshold)
    assert [type(value) for value in best] == [int, float, float]


def test_test_positives_below_every_unlabeled_row_leave_f1_at_zero():
    assert UnlabeledCurve([-1, -2], [3, 3, 1]).best(2) == (2, 3.0, 0.0)


def test_the_estimate_is_not_clipped():
    assert UnlabeledCurve([9], [3, 2, 1]).precision(3, k=1) == 3


@pytest.mark.parametrize("as_column", [list, tuple, np.array, pd.Series, lambda rows: pd.array(rows, dtype="Int64")])
def test_both_samples_may_come_as_any_column_of_numbers(as_column):
    curve = UnlabeledCurve(as_column([9, 6]), as_column([3, 10, 5, 8, 7]))
    np.testing.assert_array_equal(curve.recall, [0, 1 / 2, 1 / 2, 1, 1])
    assert repr(curve) == "UnlabeledCurve of 2 test positives and 5 unlabeled rows"


def test_both_samples_are_left_as_they_were():
    positives, unlabeled = np.array([1.0, 3.0, 2.0]), np.array([2.0, 5.0, 1.0])
    UnlabeledCurve(positives, unlabeled).recall  # noqa: B018
    assert (positives.tolist(), unlabeled.tolist()) == ([1, 3, 2], [2, 5, 1])


@pytest.mark.parametrize("name", ["test_positive_scores", "unlabeled_scores"])
@pytest.mark.parametrize(
    ("scores", "found"),
    [
        ([], " is empty; at least one row is needed"),
        ([1, math.nan], " has nan at position 1; scores must be real numbers"),
        (pd.array([1, pd.NA], dtype="Int64"), " .*(nan|NA).*; scores must be real numbers"),
        (["1", "2"], " has dtype <U1; scores must be real numbers"),
        ([[1, 2]], r" must have one dimension, got shape \(1, 2\); pass one column"),
        (3, r" must have one dimension, got shape \(\)"),
    ],
)
def test_scores_that_do_not_order_the_rows_are_refused_by_name(name, scores, found):
    with pytest.raises(ValueError, match=f"^{name}{found}"):
        UnlabeledCurve(**{"test_positive_scores": [1, 2], "unlabeled_scores": [1, 2], name: scores})


@pytest.mark.parametrize("size", [0, -1, 3.5, math.nan, math.inf])
def test_a_class_size_that_the_unlabeled_rows_cannot_hold_is_refused(size):
    curve = UnlabeledCurve([1, 2], [1, 2, 3])
    found = rf"^class_size must be above 0 and at most 3 \(unlabeled rows\), got {size}$"
    for ask in (curve.precision, curve.f1, curve.best, curve.precision_band, curve.f1_band):
        with pytest.raises(ValueError, match=found):
            ask(size)
    for ask in (curve.precision, curve.f1):
        with pytest.raises(ValueError, match=found):
            ask(size, 1)


@pytest.mark.parametrize("size", [(70, 120), np.array([2, 3]), "2", None])
def test_a_class_size_that_is_not_one_number_is_refused_where_one_is_needed(size):
    curve = UnlabeledCurve([1, 2], [1, 2, 3])
    for ask in (curve.precision, curve.f1, curve.counts, curve.best, curve.roc_auc):
        with pytest.raises(ValueError, match=f"^class_size must be one real number, got {re.escape(repr(size))}$"):
            ask(size)


@pytest.mark.parametrize(
    ("size", "found"),
    [
        ((1, 2, 3), r"class_size limits must be \(lowest, highest\), got \(1, 2, 3\)"),
        ([], r"class_size limits must be \(lowest, highest\), got \[\]"),
        (("1", "2"), "class_size must be one real number, got '1'"),
        ("12", "class_size must be one real number, got '12'"),
        (None, "class_size must be one real number, got None"),
        ([[1, 2], [2, 3]], r"class_size must be one real number, got \[1, 2\]"),
    ],
)
def test_limits_of_the_class_size_that_are_not_two_numbers_are_refused(size, found):
    curve = UnlabeledCurve([1, 2], [1, 2, 3])
    for ask in (curve.precision_band, lambda size: curve.pick(fbeta, size), lambda size: curve.regret(fbeta, size)):
        with pytest.raises(ValueError, match=f"^{found}$"):
            ask(size)


def test_a_class_size_and_a_rank_of_a_small_type_do_not_wrap_around():
    rng = np.random.default_rng(0)
    curve = UnlabeledCurve(rng.normal(1, 1, 30), rng.normal(0, 1, 1000))
    for size, k in ((np.int8(90), np.int8(100)), (np.float32(90.5), np.float32(7)), (np.array(90), np.array(3))):
        assert curve.counts(size, k) == curve.counts(size.item(), int(k))
        assert curve.precision_band(size, k) == curve.precision_band(size.item(), int(k))
        assert curve.best(size) == curve.best(size.item())


@pytest.mark.parametrize("k", ["2", None, (1, 2)])
def test_a_rank_that_is_not_one_number_is_refused_where_one_is_needed(k):
    curve = UnlabeledCurve([1, 2], [1, 2, 3])
    asks = [curve.recall_at, curve.flagged_at]
    if k == "2":  # the others are all ranks, and some
        asks += [lambda k: curve.precision(2, k), lambda k: curve.f1_band(2, k)]
    for ask in asks:
        with pytest.raises(ValueError, match=f"^k must be one real number, got {re.escape(repr(k))}$"):
            ask(k)


def test_with_all_rows_flagged_none_is_left_alone_to_the_last_digit():
    curve = UnlabeledCurve([0.9, 0.6, 0.2], [0.95, 0.8, 0.7, 0.5, 0.3])
    for size in (1.0, 2.0, 3.0, 3.3, 5):
        every, some, one = curve.counts(size), curve.counts(size, [1, 5]), curve.counts(size, 5)
        assert every.tn[-1] + every.fn[-1] == some.tn[1] + some.fn[1] == one.tn + one.fn == 0
        np.testing.assert_allclose(every.tp + every.fp + every.fn + every.tn, 5)


@given(curves())
def test_where_all_rows_are_positive_no_negative_is_left_by_rounding(rows):
    positives, unlabeled, _ = rows
    counts = UnlabeledCurve(positives, unlabeled).counts(unlabeled.size)
    np.testing.assert_array_equal(counts.tn + counts.fp, 0)


def test_what_a_curve_hands_out_cannot_be_changed_by_mistake():
    curve = UnlabeledCurve([0.9, 0.6], [0.95, 0.8, 0.7, 0.5, 0.3])
    for handed_out in (curve.recall, curve.before, curve.thresholds):
        with pytest.raises(ValueError, match="read-only"):
            handed_out *= 100
    curve.counts(2).tp[:] = 0  # what was computed for the caller is the caller's
    assert curve.precision(2, 4) == 0.5


@pytest.mark.parametrize("k", [0, -1, 4, 1.5, math.nan, math.inf])
def test_a_rank_that_is_no_unlabeled_row_is_refused(k):
    curve = UnlabeledCurve([1, 2], [1, 2, 3])
    found = rf"^k must be a whole number from 1 to 3 \(unlabeled rows\), got {k}$"
    for ask in (curve.recall_at, curve.flagged_at):
        with pytest.raises(ValueError, match=found):
            ask(k)
    for ask in (curve.precision, curve.f1, curve.precision_band, curve.f1_band):
        with pytest.raises(ValueError, match=found):
            ask(2, k)


def test_the_first_and_the_last_rank_and_the_whole_set_as_class_are_accepted():
    curve = UnlabeledCurve([1, 2], [1, 2, 3])
    assert (curve.recall_at(1), curve.recall_at(3.0)) == (0, 1)
    assert curve.precision(3, 3) == curve.f1(3, 3) == 1


def test_some_ranks_are_some_entries_of_the_whole_curve():
    curve = UnlabeledCurve([0.9, 0.6, 0.2], [0.95, 0.8, 0.7, 0.5, 0.3, 0.1])
    ranks = [6, 2, 3]
    for metric in (curve.precision, curve.f1):
        np.testing.assert_array_equal(metric(2, ranks), metric(2)[[5, 1, 2]])
    for one, every in zip(curve.precision_band(2, ranks), curve.precision_band(2), strict=True):
        np.testing.assert_array_equal(one, every[[5, 1, 2]])
    for wrong, found in (([0, 1], "0"), ([1, 7], "7"), ([1, 2.5], "2.5")):
        with pytest.raises(ValueError, match=f"^k must be a whole number from 1 to 6 .* got {found}"):
            curve.f1(2, wrong)


# --- bands -----------------------------------------------------------------------------------------------


@given(curves(), st.floats(0.5, 0.99))
def test_the_bands_equal_their_formula(rows, confidence):
    positives, unlabeled, size = rows
    curve = UnlabeledCurve(positives, unlabeled)
    z, m = NormalDist().inv_cdf((1 + confidence) / 2), positives.size
    for k in range(1, unlabeled.size + 1):
        shrunk = (curve.recall_at(k) * m + 0.5) / (m + 1)
        error = z * math.sqrt(shrunk * (1 - shrunk) * (1 / m + 1 / size))
        of_precision = [(shrunk - error) * size / k, (shrunk + error) * size / k]
        of_f1 = [2 * size * (shrunk - error) / (k + size), 2 * size * (shrunk + error) / (k + size)]
        for band, expected in ((curve.precision_band, of_precision), (curve.f1_band, of_f1)):
            np.testing.assert_allclose(band(size, k, confidence), expected, rtol=1e-9, atol=1e-12)


def test_a_precision_band_is_worked_by_hand():
    # 1 hit in 2, so R = 1.5 / 3; N/k = 2/2; sd = sqrt(1/4 × (1/2 + 1/2)) = 1/2
    low, high = UnlabeledCurve([0.9, 0.6], [0.95, 0.8, 0.7, 0.5, 0.3]).precision_band(2, k=2)
    assert low == pytest.approx(0.5 - 1.95996 / 2, abs=1e-4)
    assert high == pytest.approx(0.5 + 1.95996 / 2, abs=1e-4)


def test_limits_of_the_class_size_give_the_envelope_of_the_sizes_between():
    rng = np.random.default_rng(3)
    curve = UnlabeledCurve(rng.normal(2, 1, 60), rng.normal(0, 1, 500))
    low, high = curve.precision_band((40, 120))
    assert curve.precision_band([40, 120])[0][7] == curve.precision_band((40, 120), 8)[0] == low[7]
    above = low > 0  # a truth is never below, and there the smallest class need not have the lowest end
    assert above.sum() > 100
    np.testing.assert_array_equal(low[above], curve.precision_band(40)[0][above])
    np.testing.assert_array_equal(high, curve.precision_band(120)[1])
    for band in (curve.precision_band, curve.f1_band):
        for limits in ((40, 120), (1, 500)):
            low, high = band(limits)
            for size in np.geomspace(*limits, 30):
                one_low, one_high = band(size)
                # not every size between is looked at
                assert np.all(one_low >= low - 0.05 * np.abs(low))
                assert np.all(one_high <= high * 1.01)


def test_the_highest_upper_limit_of_f1_can_belong_to_a_class_size_between_the_limits():
    curve = UnlabeledCurve([2.0, *[-5.0] * 999], np.arange(100) / 100)
    ends = max(curve.f1_band(1, k=20)[1], curve.f1_band(100, k=20)[1])
    between = max(curve.f1_band(size, k=20)[1] for size in range(1, 101))
    assert between > 1.05 * ends
    assert curve.f1_band((1, 100), k=20)[1] == pytest.approx(between, rel=0.01)


def test_limits_of_the_class_size_give_the_envelope_of_f1_at_low_ranks_too():
    curve = UnlabeledCurve([2.0, *[-5.0] * 999], np.arange(100) / 100)
    assert curve.f1_band((50, 100), k=1)[1] >= curve.f1_band(50, k=1)[1]


def test_limits_of_the_class_size_the_wrong_way_round_are_refused():
    curve = UnlabeledCurve([1, 2], [1, 2, 3])
    for band in (curve.precision_band, curve.f1_band):
        with pytest.raises(ValueError, match=r"^class_size limits must be \(lowest, highest\), got \(3, 2"):
            band((3, 2))
        for limits, found in (((0, 2), 0), ((1, 4), 4)):
            with pytest.raises(ValueError, match=f"^class_size must be above 0 and at most 3 .* got {found}$"):
                band(limits)


def test_a_higher_confidence_widens_the_band_around_the_estimate():
    curve = UnlabeledCurve([0.9, 0.6], [0.95, 0.8, 0.7, 0.5, 0.3])
    for band, estimate in ((curve.precision_band, curve.precision(2)), (curve.f1_band, curve.f1(2))):
        narrow, wide = band(2, confidence=0.5), band(2, confidence=0.95)
        assert np.all((wide[0] < narrow[0]) & (narrow[0] < estimate))
        assert np.all((estimate < narrow[1]) & (narrow[1] < wide[1]))


def test_the_band_covers_the_true_precision_about_as_often_as_it_says():
    rng = np.random.default_rng(5)
    m, size, others, k, runs = 40, 100, 400, 90, 600
    covered = 0
    for _ in range(runs):
        positives, among = rng.normal(1.5, 1, m), rng.normal(1.5, 1, size)
        unlabeled = np.append(among, rng.normal(0, 1, others))
        low, high = UnlabeledCurve(positives, unlabeled).precision_band(size, k)
        truth = np.mean(np.argsort(-unlabeled)[:k] < size)
        covered += low <= truth <= high
    assert 0.93 <= covered / runs <= 0.995


# --- ideal_recall_band -----------------------------------------------------------------------------------


def test_one_test_positive_in_a_perfect_ranking_is_worked_by_hand():
    # it falls evenly into the 5 gaps around 4 positives: at or above the k-th of them in k gaps of 5
    low, mean, high = ideal_recall_band(1, 4, [1, 2, 3, 4, 5], confidence=0.5)
    np.testing.assert_allclose(mean, [1 / 5, 2 / 5, 3 / 5, 4 / 5, 1])
    np.testing.assert_array_equal(low, [0, 0, 0, 1, 1])
    np.testing.assert_array_equal(high, [0, 1, 1, 1, 1])


@given(st.integers(1, 200), st.integers(1, 300), st.floats(0.5, 0.9999))
@settings(max_examples=40)
@example(500, 3, 0.95)
@example(1, 1, 0.95)
def test_the_ideal_band_equals_the_beta_binomial_of_scipy(m, size, confidence):
    k = np.arange(1, size + 1)
    law = scipy.stats.betabinom(m, k, size - k + 1)
    low, mean, high = ideal_recall_band(m, size, k, confidence)
    np.testing.assert_allclose(mean, law.mean() / m, rtol=1e-12)
    for ends, tail in ((low, (1 - confidence) / 2), (high, (1 + confidence) / 2)):
        hits = np.round(ends * m)
        np.testing.assert_allclose(hits, ends * m, atol=1e-9)
        # the quantile: the first number of hits that reaches the tail, but for rounding right at it
        assert np.all(law.cdf(hits) >= tail - 1e-9)
        assert np.all(law.cdf(hits - 1) <= tail + 1e-9)
    if (m, size, confidence) == (500, 3, 0.95):
        np.testing.assert_array_equal(low * m, law.ppf(0.025))
        np.testing.assert_array_equal(high * m, law.ppf(0.975))


def quantile(m, size, ranks, tail):
    """The same as ``scipy.stats.betabinom.ppf``, by adding up: far quicker where m is large."""
    hits = np.arange(m + 1)
    laws = (scipy.stats.betabinom(m, k, size - k + 1) for k in ranks)
    return [int(np.argmax(np.cumsum(law.pmf(hits)) >= tail)) for law in laws]


@pytest.mark.parametrize("m", [513, 2_000, 40_000])
@pytest.mark.parametrize("size", [100, 2_000])
def test_the_ideal_band_of_many_test_positives_is_close(m, size):
    k = np.array([1, 3, size // 3, size // 2, size - 5, size])
    low, mean, high = ideal_recall_band(m, size, k)
    np.testing.assert_allclose(mean, k / (size + 1), rtol=1e-12)
    apart = max(1.01 / m, 0.0003)  # one hit, or far less than lies between two of the numbers looked at
    np.testing.assert_allclose(low, np.divide(quantile(m, size, k, 0.025), m), rtol=0, atol=apart)
    np.testing.assert_allclose(high, np.divide(quantile(m, size, k, 0.975), m), rtol=0, atol=apart)


@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.99, 0.999])
def test_the_ideal_band_of_many_test_positives_is_close_for_a_small_class_too(confidence):
    m, size, k = 20_000, 10, np.array([1, 2, 5, 9, 10])
    low, _, high = ideal_recall_band(m, size, k, confidence)
    np.testing.assert_allclose(low, np.divide(quantile(m, size, k, (1 - confidence) / 2), m), rtol=0, atol=0.001)
    np.testing.assert_allclose(high, np.divide(quantile(m, size, k, (1 + confidence) / 2), m), rtol=0, atol=0.001)


def test_the_ideal_band_of_many_test_positives_stays_within_0_and_1():
    for m, size in ((600, 5), (5_000, 10), (20_000, 50)):
        low, mean, high = ideal_recall_band(m, size, np.arange(1, size + 1), 0.99)
        assert np.all((low >= 0) & (low <= mean) & (mean <= high) & (high <= 1))


def test_the_ideal_band_reaches_as_far_as_a_high_confidence_asks():
    for m, size, k in ((2000, 40, 1), (2000, 40, 40), (400, 40, 1), (300, 1000, 2)):
        for confidence in (0.9999, 0.99999, 1 - 1e-9):
            low, _, high = ideal_recall_band(m, size, [k], confidence)
            law = scipy.stats.betabinom(m, k, size - k + 1)
            tail = (1 - confidence) / 2
            assert low[0] == pytest.approx(law.ppf(tail) / m, abs=2.01 / m)
            assert high[0] == pytest.approx(law.isf(tail) / m, abs=2.01 / m)


@pytest.mark.parametrize("almost", [1e-13, 1e-15, 4e-16])
def test_the_ideal_band_stands_the_rounding_of_a_confidence_near_1(almost):
    low, mean, high = ideal_recall_band(5, 40, np.arange(1, 41), 1 - almost)
    assert np.all((low <= mean) & (mean <= high))


def test_beyond_the_class_size_a_perfect_ranking_has_found_everything():
    for end in ideal_recall_band(30, 5, [6, 7, 1000]):
        np.testing.assert_array_equal(end, [1, 1, 1])
    low, mean, _ = ideal_recall_band(30, 5, [5])
    assert low[0] < mean[0] < 1


def test_the_ideal_band_rises_with_the_rank_and_widens_with_the_confidence():
    k = np.arange(1, 41)
    low, mean, high = ideal_recall_band(20, 40, k)
    for end in (low, mean, high):
        assert np.all(np.diff(end) >= 0)
    assert np.all((low <= mean) & (mean <= high))
    wider_low, _, wider_high = ideal_recall_band(20, 40, k, 0.999)
    assert np.all(wider_low <= low)
    assert np.all(wider_high >= high)


def test_a_perfect_ranking_in_a_simulation_stays_in_the_ideal_band():
    rng = np.random.default_rng(1)
    m, size, inside = 25, 60, []
    low, mean, high = ideal_recall_band(m, size, [10, 30, 55], confidence=0.9)
    for _ in range(1000):
        scores = rng.random(m + size)  # of one class, so that test positives are a fair sample of it
        curve = UnlabeledCurve(scores[:m], np.append(scores[m:], -np.ones(20)))
        inside.append([curve.recall_at(10), curve.recall_at(30), curve.recall_at(55)])
    np.testing.assert_allclose(np.mean(inside, axis=0), mean, atol=0.015)
    assert np.all(np.mean((inside >= low) & (inside <= high), axis=0) >= 0.88)


IDEAL = r"n_test_positives \(whole\), class_size and k must be finite and 1 or more"


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        ((0, 5, [1]), rf"{IDEAL}, got 0, 5, 1$"),
        ((5, 0.5, [1]), rf"{IDEAL}, got 5, 0\.5, 1$"),
        ((5, 5, [3, 0]), rf"{IDEAL}, got 5, 5, 0$"),
        ((math.nan, 5, [1]), rf"{IDEAL}, got nan, 5, 1$"),
        ((math.inf, 5, [1]), rf"{IDEAL}, got inf, 5, 1$"),
        ((10.5, 5, [1]), rf"{IDEAL}, got 10\.5, 5, 1$"),
        ((5, math.nan, [1]), rf"{IDEAL}, got 5, nan, 1$"),
        ((5, math.inf, [1]), rf"{IDEAL}, got 5, inf, 1$"),
        (("5", 5, [1]), "n_test_positives must be one real number, got '5'"),
        ((5, 5, [1, math.nan]), r"k has nan at position 1; ranks must be numbers from 1 on"),
        ((5, 5, ["1"]), r"k has dtype <U1; ranks must be numbers from 1 on"),
        ((5, 5, []), r"k is empty"),
        ((5, 5, 3), r"k must have one dimension"),
    ],
)
def test_an_ideal_ranking_without_rows_is_refused(arguments, found):
    with pytest.raises(ValueError, match=f"^{found}"):
        ideal_recall_band(*arguments)
