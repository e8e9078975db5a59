"""Each rate and score: by hand, by scikit-learn, at its limits, under what must not change it."""

import math
from fractions import Fraction

import numpy as np
import pytest
import sklearn.metrics as theirs
from cells import counts_of
from hypothesis import example, given
from hypothesis import strategies as st

from evalteach import classification
from evalteach.class_ratio import at_class_ratio
from evalteach.classification import (
    accuracy,
    average_precision,
    false_discovery_rate,
    false_positive_rate,
    fbeta,
    matthews_corrcoef,
    positive_likelihood_ratio,
    precision,
    recall,
    specificity,
)
from evalteach.counts import Counts, sweep
from evalteach.data import eight_screenings, ten_messages

METRICS = {
    accuracy,
    false_discovery_rate,
    false_positive_rate,
    fbeta,
    matthews_corrcoef,
    positive_likelihood_ratio,
    precision,
    recall,
    specificity,
}
# of a whole curve, not of the counts at one threshold; tests/test_roc.py is about all but the first
OF_A_SWEEP = {average_precision, classification.roc_auc, classification.roc_auc_interval, classification.roc_hull}
# of one entry a class, in tests/test_many_classes.py
OF_CLASSES = {classification.macro, classification.micro, classification.weighted}
CELL = st.one_of(st.integers(0, 5), st.integers(0, 10**6))
FOUR = st.tuples(CELL, CELL, CELL, CELL)
BOTH_CLASSES = FOUR.filter(lambda cells: cells[0] + cells[2] > 0 and cells[1] + cells[3] > 0)
nan = pytest.approx(math.nan, nan_ok=True)


def test_every_metric_of_the_module_is_tested_here():
    public = {
        value
        for name, value in vars(classification).items()
        if not name.startswith("_") and getattr(value, "__module__", None) == classification.__name__
    }
    assert public == METRICS | OF_A_SWEEP | OF_CLASSES


# --- worked by hand --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("metric", "by_hand"),
    [
        (accuracy, 7 / 10),
        (precision, 3 / 5),
        (recall, 3 / 4),
        (specificity, 4 / 6),
        (false_positive_rate, 2 / 6),
        (false_discovery_rate, 2 / 5),
        (positive_likelihood_ratio, (3 / 4) / (2 / 6)),
        (fbeta, 6 / 9),
        (lambda counts: fbeta(counts, 2), 15 / 21),  # 5·3 / (5·3 + 4·1 + 2)
        (lambda counts: fbeta(counts, beta=0.5), 3.75 / 6),  # 1.25·3 / (1.25·3 + 0.25·1 + 2)
        (matthews_corrcoef, 10 / math.sqrt(600)),  # (3·4 - 2·1) / sqrt(5·5·4·6)
    ],
)
def test_ten_messages_at_one_half_are_worked_by_hand(metric, by_hand):
    counts = sweep(*(ten_messages()[column] for column in ("is_spam", "score"))).at(0.5)
    assert counts == Counts(tp=3, fp=2, fn=1, tn=4)
    assert metric(counts) == pytest.approx(by_hand, rel=1e-15)


@pytest.mark.parametrize(
    ("metric", "curve"),
    [
        (accuracy, [4 / 8, 5 / 8, 6 / 8, 5 / 8, 4 / 8]),
        (precision, [math.nan, 1, 3 / 4, 4 / 7, 4 / 8]),
        (recall, [0, 1 / 4, 3 / 4, 1, 1]),
        (specificity, [1, 1, 3 / 4, 1 / 4, 0]),
        (false_positive_rate, [0, 0, 1 / 4, 3 / 4, 1]),
        (false_discovery_rate, [math.nan, 0, 1 / 4, 3 / 7, 4 / 8]),
        (positive_likelihood_ratio, [math.nan, math.inf, 3, 4 / 3, 1]),
        (fbeta, [0, 2 / 5, 6 / 8, 8 / 11, 8 / 12]),
        (matthews_corrcoef, [math.nan, 4 / math.sqrt(112), 8 / 16, 4 / math.sqrt(112), math.nan]),
    ],
)
def test_tied_screenings_are_worked_by_hand_at_every_threshold(metric, curve):
    screenings = eight_screenings()
    for rows in (screenings, screenings.iloc[::-1]):
        np.testing.assert_allclose(metric(sweep(rows["is_ill"], rows["score"]).counts), curve, rtol=1e-15)


# --- an independent oracle -------------------------------------------------------------------------------

UNDEFINED = {"zero_division": math.nan}
SCIKIT_LEARN = {
    accuracy: theirs.accuracy_score,
    precision: lambda *rows, **weights: theirs.precision_score(*rows, **weights, **UNDEFINED),
    recall: lambda *rows, **weights: theirs.recall_score(*rows, **weights, **UNDEFINED),
    specificity: lambda *rows, **weights: theirs.recall_score(*rows, pos_label=0, **weights, **UNDEFINED),
    fbeta: lambda *rows, **weights: theirs.f1_score(*rows, **weights, **UNDEFINED),
    matthews_corrcoef: theirs.matthews_corrcoef,
    positive_likelihood_ratio: lambda *rows, **weights: theirs.class_likelihood_ratios(*rows, **weights)[0],
}


@given(FOUR.filter(all), st.floats(0.1, 10))
def test_scores_equal_those_of_scikit_learn(cells, beta):
    counts = counts_of(*cells)
    rows = [1, 0, 1, 0], [1, 1, 0, 0]
    for metric, their_metric in SCIKIT_LEARN.items():
        assert metric(counts) == pytest.approx(their_metric(*rows, sample_weight=cells), rel=1e-9, abs=1e-12)
    by_them = theirs.fbeta_score(*rows, beta=beta, sample_weight=cells)
    assert fbeta(counts, beta) == pytest.approx(by_them, rel=1e-9)


@given(BOTH_CLASSES)
def test_rates_equal_their_definitions_in_exact_fractions(cells):
    tp, fp, fn, tn = map(Fraction, cells)
    counts = counts_of(*cells)
    assert accuracy(counts) == pytest.approx(float((tp + tn) / (tp + fp + fn + tn)), rel=1e-15)
    assert recall(counts) == pytest.approx(float(tp / (tp + fn)), rel=1e-15)
    assert specificity(counts) == pytest.approx(float(tn / (tn + fp)), rel=1e-15)
    assert false_positive_rate(counts) == pytest.approx(float(fp / (tn + fp)), rel=1e-15)
    if tp + fp:
        assert precision(counts) == pytest.approx(float(tp / (tp + fp)), rel=1e-15)
        assert false_discovery_rate(counts) == pytest.approx(float(fp / (tp + fp)), rel=1e-15)
    if fp:
        ratio = (tp / (tp + fn)) / (fp / (fp + tn))
        assert positive_likelihood_ratio(counts) == pytest.approx(float(ratio), rel=1e-14)


@given(BOTH_CLASSES.filter(lambda cells: cells[0] + cells[1] > 0 and cells[2] + cells[3] > 0))
@example((10**6, 10**6, 10**6, 10**6 + 1))
def test_matthews_coefficient_is_the_correlation_of_two_columns(cells):
    tp, fp, fn, tn = map(Fraction, cells)
    n = tp + fp + fn + tn
    covariance = tp / n - (tp + fn) / n * (tp + fp) / n
    variances = [part / n * (1 - part / n) for part in (tp + fn, tp + fp)]
    by_definition = float(covariance) / math.sqrt(variances[0] * variances[1])
    assert matthews_corrcoef(counts_of(*cells)) == pytest.approx(by_definition, rel=1e-9, abs=1e-12)


# --- limits ----------------------------------------------------------------------------------------------


@given(st.integers(1, 10**9), st.integers(1, 10**9))
@example(175267293, 813270239)  # squares that no float holds
def test_a_perfect_classifier_scores_exactly_one(positives, negatives):
    for counts in (Counts(tp=positives, fp=0, fn=0, tn=negatives), Counts(tp=[positives], fp=0, fn=0, tn=[negatives])):
        for metric in (accuracy, precision, recall, specificity, fbeta, matthews_corrcoef):
            assert metric(counts) == 1
        assert false_positive_rate(counts) == false_discovery_rate(counts) == 0
        assert positive_likelihood_ratio(counts) == math.inf


@given(st.integers(1, 10**9), st.integers(1, 10**9))
@example(175267293, 813270239)
def test_a_reversed_classifier_scores_exactly_the_opposite(positives, negatives):
    for counts in (Counts(tp=0, fp=negatives, fn=positives, tn=0), Counts(tp=0, fp=[negatives], fn=[positives], tn=0)):
        for metric in (accuracy, precision, recall, specificity, fbeta, positive_likelihood_ratio):
            assert metric(counts) == 0
        assert false_positive_rate(counts) == false_discovery_rate(counts) == 1
        assert matthews_corrcoef(counts) == -1


@given(st.integers(1, 10**6), st.integers(1, 10**6))
def test_flagging_everything_finds_all_at_the_base_rate(positives, negatives):
    counts = Counts(tp=positives, fp=negatives, fn=0, tn=0)
    base_rate = positives / (positives + negatives)
    assert recall(counts) == false_positive_rate(counts) == positive_likelihood_ratio(counts) == 1
    assert specificity(counts) == 0
    assert precision(counts) == accuracy(counts) == base_rate
    assert fbeta(counts) == pytest.approx(2 * base_rate / (1 + base_rate))
    assert matthews_corrcoef(counts) == nan


@given(st.integers(1, 10**6), st.integers(1, 10**6))
def test_flagging_nothing_leaves_precision_undefined(positives, negatives):
    counts = Counts(tp=0, fp=0, fn=positives, tn=negatives)
    assert recall(counts) == false_positive_rate(counts) == fbeta(counts) == 0
    assert specificity(counts) == 1
    for metric in (precision, false_discovery_rate, positive_likelihood_ratio, matthews_corrcoef):
        assert metric(counts) == nan


@given(st.integers(1, 1000), st.integers(1, 1000), st.integers(1, 1000))
def test_flagging_blindly_is_worth_nothing(flagged_part, positives, negatives):
    left = 1000 - flagged_part + 1
    counts = Counts(tp=flagged_part * positives, fp=flagged_part * negatives, fn=left * positives, tn=left * negatives)
    assert positive_likelihood_ratio(counts) == pytest.approx(1)
    assert matthews_corrcoef(counts) == pytest.approx(0, abs=1e-15)
    assert recall(counts) == pytest.approx(false_positive_rate(counts))


@pytest.mark.parametrize(
    ("cells", "undefined"),
    [
        ((0, 0, 0, 0), METRICS),
        ((0, 0, 3, 5), {precision, false_discovery_rate, positive_likelihood_ratio, matthews_corrcoef}),
        ((3, 5, 0, 0), {matthews_corrcoef}),
        ((3, 0, 5, 0), {specificity, false_positive_rate, positive_likelihood_ratio, matthews_corrcoef}),
        ((0, 3, 0, 5), {recall, positive_likelihood_ratio, matthews_corrcoef}),
        ((0, 0, 3, 0), METRICS - {accuracy, recall, fbeta}),
        ((5, 0, 0, 0), {specificity, false_positive_rate, positive_likelihood_ratio, matthews_corrcoef}),
        ((5, 0, 0, 5), set()),
    ],
)
def test_what_has_no_denominator_is_nan_and_nothing_else_is(cells, undefined):
    for counts in (counts_of(*cells), counts_of(*([cell, cell] for cell in cells))):
        assert {metric for metric in METRICS if np.all(np.isnan(metric(counts)))} == undefined
        assert {metric for metric in METRICS if np.any(np.isnan(metric(counts)))} == undefined


def test_the_likelihood_ratio_is_nan_without_positives():
    assert positive_likelihood_ratio(Counts(tp=[0], fp=[0], fn=[0], tn=[5]))[0] == nan
    assert positive_likelihood_ratio(Counts(tp=0, fp=0, fn=0, tn=5)) == nan


NOISE = 2**-52  # what rounding leaves of cells near 1


@pytest.mark.parametrize("times", [1, 1e6])
@pytest.mark.parametrize(
    "cells",
    [
        (2 / 3, 13 / 3, 1 / 3, -1 / 3 + NOISE),  # as expected of 5 rows, all of them flagged
        (2 / 3, 13 / 3, 1 / 3, -1 / 3 - NOISE),
        (3, 7, 0, 9 * NOISE),
        (3, 9 * NOISE, 4, -9 * NOISE),
        (3, 0, 4, 9 * NOISE),
        (-1, 1, 3, 5),
    ],
)
def test_the_correlation_takes_a_column_of_rounding_noise_for_empty(cells, times):
    cells = [times * cell for cell in cells]
    assert matthews_corrcoef(Counts._trusted(*cells)) == nan
    assert matthews_corrcoef(Counts._trusted(*np.array(cells)[:, None]))[0] == nan


@pytest.mark.parametrize("ratio", [1e9, 1e11])
def test_the_correlation_of_very_rare_positives_is_no_rounding_noise(ratio):
    rare = at_class_ratio(Counts(tp=8, fp=2, fn=2, tn=8), ratio)
    # (recall - fpr) · sqrt(share positive · share negative / (share flagged · share left))
    by_hand = (0.8 - 0.2) * math.sqrt(1 / ratio / (0.2 * 0.8))
    assert matthews_corrcoef(rare) == pytest.approx(by_hand, rel=1e-6)


@pytest.mark.parametrize("metric", sorted(METRICS, key=lambda metric: metric.__name__))
def test_below_nothing_over_nothing_is_nan_in_arrays_too(metric):
    cells = np.array([[-1, 1, 3, 4], [3, 4, -1, 1], [2, 1, -2, -1], [1, -1, 3, 4], [2, 3, 4, -3]], dtype=float)
    one_by_one = [metric(Counts._trusted(*row)) for row in cells.tolist()]
    np.testing.assert_array_equal(metric(Counts._trusted(*cells.T)), one_by_one)


# --- invariances -----------------------------------------------------------------------------------------


@given(st.lists(BOTH_CLASSES, min_size=1, max_size=5))
def test_arrays_of_counts_give_what_each_of_them_gives(rows):
    stacked = counts_of(*(np.array(cells) for cells in zip(*rows, strict=True)))
    for metric in METRICS:
        one_by_one = [metric(counts_of(*cells)) for cells in rows]
        at_once = metric(stacked)
        assert at_once.shape == (len(rows),)
        np.testing.assert_allclose(at_once, one_by_one, rtol=1e-14)


@pytest.mark.parametrize("metric", sorted(METRICS, key=lambda metric: metric.__name__))
def test_the_shape_of_the_counts_is_kept(metric):
    assert type(metric(Counts(tp=8, fp=2, fn=2, tn=88))) is float
    assert type(metric(Counts(tp=8.5, fp=2.5, fn=2, tn=88))) is float
    assert metric(Counts(tp=[[8, 7, 6]] * 2, fp=2, fn=2, tn=88)).shape == (2, 3)


@given(BOTH_CLASSES, st.sampled_from([0.125, 2, 1024]))
def test_counting_everything_several_times_changes_nothing(cells, times):
    for metric in METRICS:
        assert metric(counts_of(*(times * cell for cell in cells))) == pytest.approx(
            metric(counts_of(*cells)), rel=1e-14, nan_ok=True
        )


@given(BOTH_CLASSES, st.integers(2, 1000))
def test_rates_within_a_class_ignore_the_class_ratio(cells, times):
    tp, fp, fn, tn = cells
    for metric in (recall, specificity, false_positive_rate, positive_likelihood_ratio):
        more_negatives = metric(Counts(tp=tp, fp=times * fp, fn=fn, tn=times * tn))
        assert more_negatives == pytest.approx(metric(counts_of(*cells)), rel=1e-14, nan_ok=True)


@given(BOTH_CLASSES)
def test_swapping_the_classes_swaps_the_rates(cells):
    tp, fp, fn, tn = cells
    one, other = Counts(tp=tp, fp=fp, fn=fn, tn=tn), Counts(tp=tn, fp=fn, fn=fp, tn=tp)
    assert recall(one) == specificity(other)
    for metric in (accuracy, matthews_corrcoef):
        assert metric(one) == pytest.approx(metric(other), rel=1e-14, nan_ok=True)


@given(BOTH_CLASSES)
def test_flagging_the_others_turns_the_correlation_round(cells):
    tp, fp, fn, tn = cells
    one, other = Counts(tp=tp, fp=fp, fn=fn, tn=tn), Counts(tp=fn, fp=tn, fn=tp, tn=fp)
    turned = -matthews_corrcoef(other)
    assert matthews_corrcoef(one) == pytest.approx(turned, rel=1e-12, abs=1e-15, nan_ok=True)
    assert accuracy(one) == pytest.approx(1 - accuracy(other), abs=1e-15)


@given(BOTH_CLASSES)
def test_what_is_not_right_is_wrong(cells):
    counts = counts_of(*cells)
    assert specificity(counts) + false_positive_rate(counts) == pytest.approx(1)
    if counts.tp + counts.fp:
        assert precision(counts) + false_discovery_rate(counts) == pytest.approx(1)


@given(FOUR.filter(lambda cells: cells[0] > 0), st.floats(0.01, 100))
def test_fbeta_is_the_weighted_harmonic_mean_of_precision_and_recall(cells, beta):
    counts = counts_of(*cells)
    p, r = precision(counts), recall(counts)
    assert fbeta(counts, beta) == pytest.approx((1 + beta**2) / (1 / p + beta**2 / r), rel=1e-12)
    assert min(p, r) - 1e-12 <= fbeta(counts, beta) <= max(p, r) + 1e-12
    assert fbeta(counts, 1e-9) == pytest.approx(p), "a tiny beta asks for precision alone"
    assert fbeta(counts, 1e9) == pytest.approx(r), "a huge beta asks for recall alone"
    assert fbeta(counts) == fbeta(counts, 1)


@given(BOTH_CLASSES.filter(lambda cells: cells[0] > 0 and cells[1] > 0))
def test_odds_of_precision_are_the_likelihood_ratio_times_the_odds_of_the_classes(cells):
    tp, fp, fn, tn = cells
    p = precision(counts_of(*cells))
    odds = p / false_discovery_rate(counts_of(*cells))
    assert odds == pytest.approx(positive_likelihood_ratio(counts_of(*cells)) * (tp + fn) / (fp + tn), rel=1e-12)


def test_whole_counts_of_any_number_of_rows_do_not_overflow():
    n = 4 * 10**9
    for counts in (Counts(tp=n, fp=n, fn=n, tn=2 * n), counts_of(*(np.array([cell]) for cell in (n, n, n, 2 * n)))):
        assert matthews_corrcoef(counts) == pytest.approx(1 / 6)  # (2 - 1) / sqrt(2·2·3·3)


def test_small_integer_types_do_not_overflow():
    cells = [np.array([200], dtype=np.uint8)] * 4
    for metric in METRICS - {positive_likelihood_ratio, matthews_corrcoef}:
        assert metric(counts_of(*cells)) == pytest.approx(0.5)


# --- errors ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("beta", [0, -1, math.nan, math.inf])
def test_a_beta_that_is_not_positive_and_finite_is_refused(beta):
    with pytest.raises(ValueError, match=f"^beta must be above 0 and finite, got {beta}$"):
        fbeta(Counts(tp=8, fp=2, fn=2, tn=88), beta)


def test_a_beta_of_a_small_integer_type_does_not_overflow():
    assert fbeta(Counts(tp=8, fp=2, fn=2, tn=88), np.int8(20)) == fbeta(Counts(tp=8, fp=2, fn=2, tn=88), 20)


# --- the area under the precision-recall curve ---------------------------------------------------------------


def test_average_precision_of_the_ten_messages_is_worked_by_hand():
    messages = ten_messages()
    # spam at ranks 1, 2, 4 and 6
    by_hand = (1 / 1 + 2 / 2 + 3 / 4 + 4 / 6) / 4
    assert average_precision(sweep(messages["is_spam"], messages["score"]).counts) == pytest.approx(by_hand)


def test_tied_rows_enter_average_precision_together():
    screenings = eight_screenings()
    # one ill at .9; two ill among three at .7; the last among three at .4
    by_hand = (1 / 1 + 2 * 3 / 4 + 4 / 7) / 4
    assert average_precision(sweep(screenings["is_ill"], screenings["score"]).counts) == pytest.approx(by_hand)


ROWS = st.lists(st.tuples(st.booleans(), st.integers(0, 6), st.integers(1, 5)), min_size=1, max_size=30)


@given(ROWS.filter(lambda rows: any(actual for actual, *_ in rows)))
def test_average_precision_equals_that_of_scikit_learn_with_ties_and_weights(rows):
    actual, score, weight = map(np.array, zip(*rows, strict=True))
    plain, weighted = average_precision(sweep(actual, score).counts), sweep(actual, score, weights=weight).counts
    assert plain == pytest.approx(theirs.average_precision_score(actual, score))
    expected = theirs.average_precision_score(actual, score, sample_weight=weight)
    assert average_precision(weighted) == pytest.approx(expected)


def test_average_precision_at_a_class_ratio_is_that_of_weighted_negatives():
    messages = ten_messages()
    counts = sweep(messages["is_spam"], messages["score"]).counts
    weight = np.where(messages["is_spam"], 1, 50 * 4 / 6)
    expected = theirs.average_precision_score(messages["is_spam"], messages["score"], sample_weight=weight)
    assert average_precision(at_class_ratio(counts, 50)) == pytest.approx(expected)


def test_average_precision_at_a_class_ratio_is_that_of_weighted_negatives_where_weights_round():
    y_true, score, weights = np.array([0, 1, 1, 0, 1, 0]), [5, 4, 3, 2, 1, 0], np.array([0.4, 1, 0.4, 0.7, 0.4, 0.5])
    counts = at_class_ratio(sweep(y_true, score, weights=weights).counts, 100)
    assert counts.fp[3] < counts.fp[2], "by one step of rounding"
    heavier = np.where(y_true, weights, weights * 100 * 1.8 / 1.6)
    expected = theirs.average_precision_score(y_true, score, sample_weight=heavier)
    assert average_precision(counts) == pytest.approx(expected) == pytest.approx(0.021968, abs=5e-7)


def test_average_precision_without_positives_is_nan():
    assert average_precision(sweep([0, 0], [0.2, 0.3]).counts) == nan


@pytest.mark.parametrize("metric", [average_precision, classification.roc_auc, classification.roc_hull])
@pytest.mark.parametrize(
    ("counts", "said"),
    [
        (Counts(tp=1, fp=2, fn=3, tn=4), r"shape \(n_thresholds,\); got Counts\(tp=1"),
        (Counts(tp=[1, 2], fp=[0, 2], fn=[1, 0], tn=[2, 0]), "from nothing flagged to everything flagged"),
        (Counts(tp=[0, 1], fp=[0, 1], fn=[2, 1], tn=[2, 1]), "from nothing flagged to everything flagged"),
        (Counts(tp=[0, 2, 1, 3], fp=[0, 0, 0, 1], fn=[3, 1, 2, 0], tn=[1, 1, 1, 0]), "tp falls at position 2"),
    ],
)
def test_counts_that_are_no_sweep_are_refused_by_what_needs_a_whole_curve(metric, counts, said):
    with pytest.raises(ValueError, match=said):
        metric(counts)
