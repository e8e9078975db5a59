"""Each rate, score, curve's area and average: by hand, by other libraries, at the limits, under invariances."""

import math
from fractions import Fraction

import numpy as np
import pytest
import sklearn.metrics as theirs
from cells import TICKETS, counts_of, matrices, rows_of
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.optimize import isotonic_regression
from scipy.spatial import ConvexHull
from scipy.stats import mannwhitneyu, norm
from sklearn.metrics import average_precision_score, roc_auc_score

from evalteach import classification
from evalteach.class_ratio import at_class_ratio
from evalteach.classification import (
    accuracy,
    average_precision,
    false_discovery_rate,
    false_positive_rate,
    fbeta,
    macro,
    matthews_corrcoef,
    micro,
    net_gain,
    precision,
    recall,
    roc_auc,
    roc_auc_interval,
    roc_hull,
    specificity,
    weighted,
)
from evalteach.counts import Counts, one_vs_rest, sweep
from evalteach.data import digit_detector, eight_screenings, ten_messages, two_normals

METRICS = {
    accuracy,
    false_discovery_rate,
    false_positive_rate,
    fbeta,
    matthews_corrcoef,
    precision,
    recall,
    specificity,
}
OF_A_SWEEP = {average_precision, roc_auc, roc_auc_interval, roc_hull}
OF_CLASSES = {macro, micro, weighted}
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
    assert public == METRICS | OF_A_SWEEP | OF_CLASSES | {net_gain}


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


@given(st.integers(1, 10**9), st.integers(1, 10**9))
@example(175267293, 813270239)
def test_a_reversed_classifier_scores_exactly_the_opposite(positives, negatives):
    for counts in (Counts(tp=0, fp=negatives, fn=positives, tn=0), Counts(tp=0, fp=[negatives], fn=[positives], tn=0)):
        for metric in (accuracy, precision, recall, specificity, fbeta):
            assert metric(counts) == 0
        assert false_positive_rate(counts) == false_discovery_rate(counts) == 1
        assert matthews_corrcoef(counts) == -1


@given(st.integers(1, 10**6), st.integers(1, 10**6))
def test_flagging_everything_finds_all_at_the_base_rate(positives, negatives):
    counts = Counts(tp=positives, fp=negatives, fn=0, tn=0)
    base_rate = positives / (positives + negatives)
    assert recall(counts) == false_positive_rate(counts) == 1
    assert specificity(counts) == 0
    assert precision(counts) == accuracy(counts) == base_rate
    assert fbeta(counts) == pytest.approx(2 * base_rate / (1 + base_rate))
    assert matthews_corrcoef(counts) == nan


@given(st.integers(1, 10**6), st.integers(1, 10**6))
def test_flagging_nothing_leaves_precision_undefined(positives, negatives):
    counts = Counts(tp=0, fp=0, fn=positives, tn=negatives)
    assert recall(counts) == false_positive_rate(counts) == fbeta(counts) == 0
    assert specificity(counts) == 1
    for metric in (precision, false_discovery_rate, matthews_corrcoef):
        assert metric(counts) == nan


@given(st.integers(1, 1000), st.integers(1, 1000), st.integers(1, 1000))
def test_flagging_blindly_is_worth_nothing(flagged_part, positives, negatives):
    left = 1000 - flagged_part + 1
    counts = Counts(tp=flagged_part * positives, fp=flagged_part * negatives, fn=left * positives, tn=left * negatives)
    assert matthews_corrcoef(counts) == pytest.approx(0, abs=1e-15)
    assert recall(counts) == pytest.approx(false_positive_rate(counts))


@pytest.mark.parametrize(
    ("cells", "undefined"),
    [
        ((0, 0, 0, 0), METRICS),
        ((0, 0, 3, 5), {precision, false_discovery_rate, matthews_corrcoef}),
        ((3, 5, 0, 0), {matthews_corrcoef}),
        ((3, 0, 5, 0), {specificity, false_positive_rate, matthews_corrcoef}),
        ((0, 3, 0, 5), {recall, matthews_corrcoef}),
        ((0, 0, 3, 0), METRICS - {accuracy, recall, fbeta}),
        ((5, 0, 0, 0), {specificity, false_positive_rate, matthews_corrcoef}),
        ((5, 0, 0, 5), set()),
    ],
)
def test_what_has_no_denominator_is_nan_and_nothing_else_is(cells, undefined):
    for counts in (counts_of(*cells), counts_of(*([cell, cell] for cell in cells))):
        assert {metric for metric in METRICS if np.all(np.isnan(metric(counts)))} == undefined
        assert {metric for metric in METRICS if np.any(np.isnan(metric(counts)))} == undefined


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
    for metric in (recall, specificity, false_positive_rate):
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
    likelihood_ratio = recall(counts_of(*cells)) / false_positive_rate(counts_of(*cells))
    assert odds == pytest.approx(likelihood_ratio * (tp + fn) / (fp + tn), rel=1e-12)


def test_whole_counts_of_any_number_of_rows_do_not_overflow():
    n = 4 * 10**9
    for counts in (Counts(tp=n, fp=n, fn=n, tn=2 * n), counts_of(*(np.array([cell]) for cell in (n, n, n, 2 * n)))):
        assert matthews_corrcoef(counts) == pytest.approx(1 / 6)  # (2 - 1) / sqrt(2·2·3·3)


@pytest.mark.parametrize("scale", [1e-85, 1e-60, 1.0, 1e80, 1e298])
def test_the_correlation_of_counts_of_any_size_is_that_of_their_shares(scale):
    cells = [scale * cell for cell in (9, 1, 1, 9)]
    assert matthews_corrcoef(counts_of(*cells)) == pytest.approx(0.8, rel=1e-12)
    assert matthews_corrcoef(counts_of(*np.array(cells)[:, None]))[0] == pytest.approx(0.8, rel=1e-12)


def test_no_sum_of_the_largest_counts_wraps_around():
    for most in (2**53, 1e300):
        counts = counts_of(*np.full((4, 1), most))
        for metric in METRICS - {matthews_corrcoef}:
            assert metric(counts)[0] == metric(counts_of(*[most] * 4)) == 0.5


def test_small_integer_types_do_not_overflow():
    cells = [np.array([200], dtype=np.uint8)] * 4
    for metric in METRICS - {matthews_corrcoef}:
        assert metric(counts_of(*cells)) == pytest.approx(0.5)


# --- errors ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("beta", [0, -1, math.nan, math.inf])
def test_a_beta_that_is_not_positive_and_finite_is_refused(beta):
    with pytest.raises(ValueError, match=f"^beta must be above 0 and finite, got {beta}$"):
        fbeta(Counts(tp=8, fp=2, fn=2, tn=88), beta)


def test_a_huge_beta_asks_for_recall_and_a_tiny_one_for_precision():
    counts = Counts(tp=8, fp=2, fn=6, tn=88)
    for beta in (1e160, 1e200, 1.7e308):
        assert fbeta(counts, beta) == recall(counts)
        assert fbeta(counts, 1 / beta) == precision(counts)


@pytest.mark.parametrize(
    "metric", [*sorted(METRICS, key=lambda metric: metric.__name__), *sorted(OF_A_SWEEP, key=repr)]
)
def test_what_is_no_counts_is_refused_with_what_to_pass_instead(metric):
    with pytest.raises(
        ValueError, match=r"^counts must be Counts, got Sweep; pass its \.counts, or \.at\(threshold\)$"
    ):
        metric(sweep([1, 0], [2, 1]))
    for wrong, name in (([8, 2, 2, 88], "list"), ((8, 2, 2, 88), "tuple"), (None, "NoneType"), (0.5, "float")):
        with pytest.raises(ValueError, match=f"^counts must be Counts, got {name}$"):
            metric(wrong)


def test_a_guarded_metric_keeps_its_name_and_docstring():
    for metric in METRICS:
        assert metric.__doc__
        assert getattr(classification, metric.__name__) is metric


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
    plain, by_weight = average_precision(sweep(actual, score).counts), sweep(actual, score, weights=weight).counts
    assert plain == pytest.approx(theirs.average_precision_score(actual, score))
    expected = theirs.average_precision_score(actual, score, sample_weight=weight)
    assert average_precision(by_weight) == pytest.approx(expected)


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


@pytest.mark.parametrize("metric", [average_precision, roc_auc, roc_hull])
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


# --- net gain --------------------------------------------------------------------------------------------


def test_a_net_gain_is_worked_by_hand():
    # 10 alarms at a tenth of a find each cost one find; 8 were found
    assert net_gain(Counts(tp=8, fp=2, fn=2, tn=88), 0.1) == pytest.approx(7)


def test_flagging_nothing_gains_nothing_and_an_alarm_for_free_gains_every_find():
    assert net_gain(Counts(tp=0, fp=0, fn=5, tn=5), 0.7) == 0
    assert net_gain(Counts(tp=5, fp=5, fn=0, tn=0), 0) == 5


def test_the_net_gain_is_the_worth_of_all_finds_less_the_cost_of_alarms_and_misses():
    tp, fp, fn, tn = np.random.default_rng(0).integers(0, 100, (4, 50))
    cost = 0.3 * (tp + fp) + fn
    np.testing.assert_allclose(net_gain(Counts(tp=tp, fp=fp, fn=fn, tn=tn), 0.3), tp + fn - cost)


@pytest.mark.parametrize("alarm_cost", [np.int8(2), np.float32(2), np.array(2)])
def test_an_alarm_cost_of_a_small_type_does_not_wrap_around(alarm_cost):
    assert net_gain(Counts(tp=50, fp=50, fn=1, tn=1), alarm_cost) == -150


@pytest.mark.parametrize("alarm_cost", [-0.1, math.nan, math.inf])
def test_an_alarm_cost_that_is_none_is_refused(alarm_cost):
    with pytest.raises(ValueError, match=f"^alarm_cost must be 0 or more and finite, got {alarm_cost}$"):
        net_gain(Counts(tp=1, fp=1, fn=1, tn=1), alarm_cost)


# --- curves ----------------------------------------------------------------------------------------------

SIX = [1, 0, 1, 0, 0, 0], [0.83, 0.78, 0.62, 0.48, 0.32, 0.22]
# few distinct scores, so that ties are the rule
PAIRS = st.lists(st.tuples(st.booleans(), st.integers(-3, 3)), min_size=2, max_size=30)
BOTH = PAIRS.filter(lambda rows: 0 < sum(label for label, _ in rows) < len(rows))
SEVERAL = PAIRS.filter(lambda rows: 2 <= sum(label for label, _ in rows) <= len(rows) - 2)


def columns(rows):
    y_true, y_score = zip(*rows, strict=True)
    return np.array(y_true), np.array(y_score, dtype=float)


def shares_won(y_true, y_score):
    """Each positive's share of negatives below it, each negative's share of positives above it, row by row."""
    ups, downs = y_score[y_true].tolist(), y_score[~y_true].tolist()
    won = {(i, j): (up > down) + 0.5 * (up == down) for i, up in enumerate(ups) for j, down in enumerate(downs)}
    by_positive = [sum(won[i, j] for j in range(len(downs))) / len(downs) for i in range(len(ups))]
    by_negative = [sum(won[i, j] for i in range(len(ups))) / len(ups) for j in range(len(downs))]
    return by_positive, by_negative


def delong_error(y_true, y_score):
    parts = shares_won(y_true, y_score)
    return math.sqrt(sum(np.var(part, ddof=1) / len(part) for part in parts))


def error_behind(low, high, confidence=0.95):
    """The standard error of the area that an interval on the log-odds scale was made from, and the area."""
    low, high = (math.log(end / (1 - end)) for end in (low, high))
    area = 1 / (1 + math.exp(-(low + high) / 2))
    return (high - low) / 2 / norm.ppf((1 + confidence) / 2) * area * (1 - area), area


def delong_scale(counts):
    return error_behind(*roc_auc_interval(counts))[0]


# --- the area --------------------------------------------------------------------------------------------


def test_seven_of_the_eight_pairs_of_the_homework_are_won():
    assert roc_auc(sweep(*SIX).counts) == 7 / 8


def test_equal_scores_share_the_pair_in_a_case_worked_by_hand():
    # positives .9 .7 .7 .4 against negatives .7 .4 .4 .1: 4 + 3.5 + 3.5 + 2 of 16 pairs
    y_true, y_score = (eight_screenings()[column] for column in ("is_ill", "score"))
    assert roc_auc(sweep(y_true, y_score).counts) == 13 / 16


@given(BOTH)
def test_area_is_the_share_of_pairs_won_exactly(rows):
    y_true, y_score = columns(rows)
    won = sum(Fraction((up > down) * 2 + (up == down), 2) for up in y_score[y_true] for down in y_score[~y_true]) / int(
        y_true.sum() * (~y_true).sum()
    )
    assert roc_auc(sweep(y_true, y_score).counts) == pytest.approx(float(won), rel=1e-15)


@given(BOTH)
def test_area_agrees_with_scikit_learn_and_with_mann_and_whitney_under_ties(rows):
    y_true, y_score = columns(rows)
    area = roc_auc(sweep(y_true, y_score).counts)
    assert area == pytest.approx(roc_auc_score(y_true, y_score), abs=1e-12)
    u = mannwhitneyu(y_score[y_true], y_score[~y_true]).statistic
    assert area == pytest.approx(u / (y_true.sum() * (~y_true).sum()), abs=1e-12)


@given(BOTH, st.integers(0, 2**32 - 1))
def test_area_agrees_with_scikit_learn_under_weights(rows, seed):
    y_true, y_score = columns(rows)
    weights = np.random.default_rng(seed).uniform(0.01, 10, y_true.size)
    area = roc_auc(sweep(y_true, y_score, weights=weights).counts)
    assert area == pytest.approx(roc_auc_score(y_true, y_score, sample_weight=weights), abs=1e-12)


@given(BOTH)
def test_whole_weights_count_as_that_many_rows(rows):
    y_true, y_score = columns(rows)
    copies = 1 + np.arange(y_true.size) % 4
    by_weight = sweep(y_true, y_score, weights=copies).counts
    assert roc_auc(by_weight) == pytest.approx(roc_auc(sweep(y_true.repeat(copies), y_score.repeat(copies)).counts))


@given(BOTH)
def test_area_ignores_the_class_ratio_and_every_strictly_rising_rescaling(rows):
    y_true, y_score = columns(rows)
    counts = sweep(y_true, y_score).counts
    for rescaled in (y_score**3, np.exp(y_score), 7 * y_score - 100):
        assert roc_auc(sweep(y_true, rescaled).counts) == roc_auc(counts)
    for ratio in (0.01, 1, 12_345.6):
        assert roc_auc(at_class_ratio(counts, ratio)) == pytest.approx(roc_auc(counts), rel=1e-12)


@given(BOTH)
def test_reversed_scores_and_swapped_classes_both_turn_the_area_over(rows):
    y_true, y_score = columns(rows)
    area = roc_auc(sweep(y_true, y_score).counts)
    assert roc_auc(sweep(y_true, -y_score).counts) == pytest.approx(1 - area, abs=1e-15)
    assert roc_auc(sweep(~y_true, y_score).counts) == pytest.approx(1 - area, abs=1e-15)


@pytest.mark.parametrize(("y_score", "area"), [([4, 3, 2, 1], 1), ([1, 2, 3, 4], 0), ([5, 5, 5, 5], 0.5)])
def test_perfect_reversed_and_constant_scores_have_areas_1_0_and_one_half(y_score, area):
    assert roc_auc(sweep([1, 1, 0, 0], y_score).counts) == area


@pytest.mark.parametrize("label", [0, 1])
def test_without_one_of_the_classes_there_is_no_area_and_no_interval(label):
    counts = sweep([label] * 3, [0.1, 0.2, 0.3]).counts
    assert math.isnan(roc_auc(counts))
    assert all(map(math.isnan, roc_auc_interval(counts)))


def test_area_of_perfect_order_is_never_above_1_however_weights_round():
    rng = np.random.default_rng(0)
    for _ in range(200):
        weights = rng.uniform(0, 1, 20)
        assert roc_auc(sweep(np.arange(20) >= 10, np.arange(20), weights=weights).counts) <= 1


def test_area_between_two_normals_is_phi_of_their_distance_over_root_two():
    y_true, y_score = two_normals(20_000, 1, separation=1.5, seed=1)
    area, counts = norm.cdf(1.5 / math.sqrt(2)), sweep(y_true, y_score).counts
    assert roc_auc(counts) == pytest.approx(area, abs=4 * delong_scale(counts))


# --- the interval ----------------------------------------------------------------------------------------


def test_interval_of_the_homework_is_worked_by_hand():
    # shares won: positives 1 and 3/4, negatives 1/2, 1, 1, 1; so the variance is (1/32)/2 + (1/16)/4 = 1/32
    centre, reach = math.log(7), norm.ppf(0.975) * math.sqrt(1 / 32) / (7 / 8 * 1 / 8)
    expected = [1 / (1 + math.exp(-(centre + sign * reach))) for sign in (-1, 1)]
    assert roc_auc_interval(sweep(*SIX).counts) == pytest.approx(expected, rel=1e-12)


@given(SEVERAL, st.sampled_from([0.5, 0.9, 0.95, 0.999]))
def test_interval_agrees_with_two_nested_loops_over_rows(rows, confidence):
    y_true, y_score = columns(rows)
    counts = sweep(y_true, y_score).counts
    low, high = roc_auc_interval(counts, confidence)
    expected, area = delong_error(y_true, y_score), roc_auc(counts)
    if not (0 < area < 1 and expected > 0):
        assert math.isnan(low)
        assert math.isnan(high)
        return
    reach = norm.ppf((1 + confidence) / 2) * expected / (area * (1 - area))
    odds = area / (1 - area)
    assert low == pytest.approx(1 / (1 + math.exp(reach) / odds), abs=1e-9)
    assert high == pytest.approx(1 / (1 + math.exp(-reach) / odds), abs=1e-9)


def test_standard_error_agrees_with_the_spread_of_many_test_sets():
    rng = np.random.default_rng(0)
    ups, downs = rng.normal(1.2, 1, (3000, 40, 1)), rng.normal(0, 1, (3000, 1, 80))
    areas = (ups > downs).mean(axis=(1, 2))
    y_true = np.arange(120) < 40
    errors = []
    for up, down in zip(ups[:300, :, 0], downs[:300, 0], strict=True):
        errors.append(delong_scale(sweep(y_true, np.append(up, down)).counts))
    assert np.sqrt(np.mean(np.square(errors))) == pytest.approx(areas.std(), rel=0.06)


def test_standard_error_agrees_with_the_bootstrap():
    y_true, y_score = two_normals(60, 3, separation=1.2, seed=2)
    counts, rng = sweep(y_true, y_score).counts, np.random.default_rng(0)
    ups = rng.choice(y_score[y_true], (2000, 60, 1))
    downs = rng.choice(y_score[~y_true], (2000, 1, 180))
    areas = ((ups > downs) + 0.5 * (ups == downs)).mean(axis=(1, 2))
    assert delong_scale(counts) == pytest.approx(areas.std(), rel=0.06)


def test_interval_covers_the_true_area_about_as_often_as_it_says():
    truth, rng, y_true = norm.cdf(1 / math.sqrt(2)), np.random.default_rng(3), np.arange(120) < 30
    covered = 0
    for _ in range(1000):
        low, high = roc_auc_interval(sweep(y_true, rng.normal(size=120) + y_true).counts)
        covered += low <= truth <= high
    assert 930 <= covered <= 975


@given(SEVERAL)
def test_interval_mirrors_when_scores_are_reversed_and_ignores_rising_rescalings(rows):
    y_true, y_score = columns(rows)
    low, high = roc_auc_interval(sweep(y_true, y_score).counts)
    mirrored = roc_auc_interval(sweep(y_true, -y_score).counts)
    assert mirrored == pytest.approx((1 - high, 1 - low), nan_ok=True)
    assert roc_auc_interval(sweep(y_true, np.exp(y_score)).counts) == pytest.approx((low, high), nan_ok=True)


def test_interval_widens_with_confidence_and_narrows_with_rows():
    few, many = (sweep(*two_normals(n, 3, separation=1, seed=4)).counts for n in (50, 800))
    ends = {level: roc_auc_interval(few, level) for level in (0.5, 0.9, 0.99)}
    assert ends[0.99][0] < ends[0.9][0] < ends[0.5][0] < roc_auc(few) < ends[0.5][1] < ends[0.9][1] < ends[0.99][1]
    assert np.diff(roc_auc_interval(many)) < np.diff(roc_auc_interval(few)) / 3


@pytest.mark.parametrize("y_score", [[4, 3, 2, 1], [1, 2, 3, 4], [5, 5, 5, 5], [2, 2, 1, 1]])
def test_where_no_share_differs_from_another_there_is_no_spread_and_no_interval(y_score):
    assert all(map(math.isnan, roc_auc_interval(sweep([1, 1, 0, 0], y_score).counts)))


@pytest.mark.parametrize("y_true", [[1, 0, 0, 0], [1, 1, 1, 0]])
def test_one_row_of_a_class_has_no_spread_and_no_interval(y_true):
    assert all(map(math.isnan, roc_auc_interval(sweep(y_true, [0.2, 0.3, 0.1, 0.25]).counts)))


def areas_held(method, positives, negatives, area, *, sd=1, repeats=400):
    """Share of test sets, of two normals, whose interval contains the true area."""
    rng, y_true = np.random.default_rng(1), np.arange(positives + negatives) < positives
    held, apart = 0, norm.ppf(area) * math.hypot(1, sd)
    for _ in range(repeats):
        y_score = np.append(rng.normal(apart, sd, positives), rng.normal(size=negatives))
        low, high = roc_auc_interval(sweep(y_true, y_score).counts, method=method)
        held += low <= area <= high
    return held / repeats


def test_with_few_positives_and_a_high_area_delong_covers_too_rarely():
    assert 0.67 < areas_held("delong", 10, 1000, 0.99) < 0.81
    assert areas_held("delong", 10, 10, 0.99) < 0.5


@pytest.mark.parametrize(("positives", "negatives"), [(10, 1000), (30, 3000), (10, 10), (5, 5), (200, 20)])
@pytest.mark.parametrize(("area", "sd"), [(0.7, 1), (0.9, 2), (0.99, 1), (0.99, 2)])
def test_the_interval_of_hanley_and_mcneil_covers_with_few_positives(positives, negatives, area, sd):
    # of a coverage of .95, 200 draws show .91 at least, 2.5 standard deviations less
    assert areas_held("hanley-mcneil", positives, negatives, area, sd=sd, repeats=200) >= 0.91


def test_the_interval_of_hanley_and_mcneil_of_a_perfect_order_of_two_rows_each():
    # 1 - low = z sd(low), and m = n = 2
    low, high = roc_auc_interval(sweep([1, 1, 0, 0], [4, 3, 2, 1]).counts, method="hanley-mcneil")
    sd = math.sqrt(low * (1 - low) / 4 * (1 + (1 - low) / (2 - low) + low / (1 + low)))
    assert 1 - low == pytest.approx(norm.ppf(0.975) * sd)
    assert high == 1
    one_row = roc_auc_interval(sweep([1, 0], [2, 1]).counts, method="hanley-mcneil")
    assert one_row == pytest.approx((1 / (1 + norm.ppf(0.975) ** 2), 1))  # (1 - low)² = z² low (1 - low)
    many = np.arange(2000) < 1000
    assert roc_auc_interval(sweep(many, many).counts, method="hanley-mcneil")[0] > 0.99


@given(SEVERAL, st.sampled_from([0.5, 0.95]))
def test_the_interval_of_hanley_and_mcneil_holds_the_area_and_mirrors_it(rows, confidence):
    y_true, y_score = columns(rows)
    counts = sweep(y_true, y_score).counts
    low, high = roc_auc_interval(counts, confidence, method="hanley-mcneil")
    if math.isnan(roc_auc(counts)):
        assert math.isnan(low)
        return
    assert 0 <= low <= roc_auc(counts) <= high <= 1
    mirrored = roc_auc_interval(sweep(y_true, -y_score).counts, confidence, method="hanley-mcneil")
    assert mirrored == pytest.approx((1 - high, 1 - low), abs=1e-6)


def test_where_delongs_standard_error_is_larger_the_interval_goes_by_it():
    # positives of two kinds: a third scores like the worst negatives
    y_true, y_score = np.arange(660) < 60, np.repeat([3.0, -3.0, 0.0], [40, 20, 600]) + np.arange(660) / 1e4
    counts = sweep(y_true, y_score).counts
    delong, other = np.diff(roc_auc_interval(counts)), np.diff(roc_auc_interval(counts, method="hanley-mcneil"))
    assert other == pytest.approx(delong, rel=0.05)
    assert delong > 2 * norm.ppf(0.975) * math.sqrt(2 / 3 * 1 / 3 / 60) * 0.95


def test_an_unknown_method_is_refused():
    with pytest.raises(ValueError, match="method must be one of 'delong', 'hanley-mcneil', got 'wald'"):
        roc_auc_interval(sweep(*SIX).counts, method="wald")


@pytest.mark.parametrize("confidence", [0, 1, 95, math.nan])
def test_a_confidence_out_of_range_is_refused(confidence):
    with pytest.raises(ValueError, match=f"confidence must be between 0 and 1, got {confidence}"):
        roc_auc_interval(sweep(*SIX).counts, confidence)


def test_an_interval_from_weights_or_from_another_class_ratio_is_refused():
    with pytest.raises(ValueError, match="tp holds weights or expected counts; an interval needs counts of rows"):
        roc_auc_interval(sweep(*SIX, weights=[1, 2, 3, 4, 5, 6]).counts)
    with pytest.raises(ValueError, match="fp holds weights or expected counts"):
        roc_auc_interval(at_class_ratio(sweep(*SIX).counts, 100))


# --- the hull --------------------------------------------------------------------------------------------


def bow(size, *, seed=0):
    """Steps of a strictly concave curve."""
    right = np.sort(np.random.default_rng(seed).uniform(0.1, 1, size))
    return right, right[::-1].copy()


def counts_of_steps(right, up):
    fp, tp = (np.append(0.0, np.cumsum(steps)) for steps in (right, up))
    return Counts(tp=tp, fp=fp, fn=tp[-1] - tp, tn=fp[-1] - fp)


def test_hull_of_the_homework_is_worked_by_hand():
    # (0, 1/2) and (1/4, 1) turn right; (1/4, 1/2) lies under the line between them
    assert roc_hull(sweep(*SIX).counts).tolist() == [0, 1, 3, 6]


@given(BOTH)
def test_corners_are_those_of_the_convex_hull_by_qhull(rows):
    counts = sweep(*columns(rows)).counts
    points = np.column_stack([false_positive_rate(counts), recall(counts)])
    # the corner below the curve closes it to an area
    outline = ConvexHull(np.vstack([points, [1, 0]])).vertices
    expected = sorted(set(outline.tolist()) - {len(points)} | {0, len(points) - 1})
    # qhull may keep a point on a line, and finds no area under reversed scores
    expected = [i for i in expected if i in (0, len(points) - 1) or strictly_above(points, i)]
    assert roc_hull(counts).tolist() == expected


def strictly_above(points, i):
    """Whether a point lies above the line between any two others (one before, one after it)."""
    x, y = points[:, 0], points[:, 1]
    lines = [
        y[a] * (x[b] - x[i]) + y[b] * (x[i] - x[a]) < y[i] * (x[b] - x[a]) - 1e-12 if x[b] > x[a] else y[i] > y[b]
        for a in range(i)
        for b in range(i + 1, len(x))
    ]
    return all(lines)


@given(BOTH)
def test_hull_is_concave_touches_the_curve_and_lies_nowhere_under_it(rows):
    counts = sweep(*columns(rows)).counts
    corners = roc_hull(counts)
    x, y = false_positive_rate(counts), recall(counts)
    assert corners[0] == 0
    assert corners[-1] == x.size - 1
    right, up = np.diff(x[corners]), np.diff(y[corners])
    assert np.all(up[:-1] * right[1:] > up[1:] * right[:-1])
    for i in range(x.size):
        assert y[corners][x[corners] >= x[i]].max() >= y[i] - 1e-12
        assert np.interp(x[i], x[corners], y[corners]) >= y[i] - 1e-12 or x[i] == 0


@given(BOTH)
def test_no_threshold_beats_the_corners_at_any_class_ratio_cost_or_beta(rows):
    counts = sweep(*columns(rows)).counts
    corners = roc_hull(counts)
    scores = [
        accuracy,
        precision,
        *(lambda moved, beta=beta: fbeta(moved, beta) for beta in (0.2, 1, 3)),
        *(lambda moved, miss=miss: -(miss * moved.fn + moved.fp) for miss in (0.05, 1, 17)),
    ]
    for ratio in (0.03, 0.5, 1, 2, 9, 1000):
        moved = at_class_ratio(counts, ratio)
        for score in scores:
            best, among_corners = np.nanmax(score(moved)), np.nanmax(score(moved[corners]))
            assert among_corners == pytest.approx(best, rel=1e-12)


@given(BOTH)
def test_every_corner_is_the_only_best_threshold_of_some_cost(rows):
    counts = sweep(*columns(rows)).counts
    corners = roc_hull(counts)
    x, y = counts.fp.astype(float), counts.tp.astype(float)
    for before, corner, after in zip(corners, corners[1:], corners[2:], strict=False):
        # an iso-cost line between the directions of the two edges that meet in the corner
        edges = [np.array([x[b] - x[a], y[b] - y[a]]) for a, b in ((before, corner), (corner, after))]
        right, up = sum(edge / edge.sum() for edge in edges)
        gain = right * y - up * x
        assert np.flatnonzero(gain >= gain.max() - 1e-12).tolist() == [corner]


def test_corners_of_real_scores_are_those_of_isotonic_regression():
    counts = sweep(*digit_detector()).counts
    right, up = np.diff(counts.fp), np.diff(counts.tp)
    blocks = isotonic_regression(up / (up + right), weights=up + right, increasing=False).blocks
    corners = roc_hull(counts)
    # pooling by rounded means may leave a point on a line, which is no corner
    assert set(corners) <= set(blocks)
    assert len(corners) < 20 < counts.tp.size


@pytest.mark.parametrize(
    ("y_true", "y_score", "corners"),
    [
        ([1, 1, 0, 0], [4, 3, 2, 1], [0, 2, 4]),  # perfect
        ([1, 1, 0, 0], [1, 2, 3, 4], [0, 4]),  # reversed
        ([1, 1, 0, 0], [5, 5, 5, 5], [0, 1]),  # constant
        ([1, 0, 1, 0], [2, 2, 1, 1], [0, 2]),  # on the diagonal all the way
        ([1, 1], [2, 1], [0, 2]),
        ([0, 0], [2, 1], [0, 2]),
    ],
)
def test_hull_at_the_limits(y_true, y_score, corners):
    assert roc_hull(sweep(y_true, y_score).counts).tolist() == corners


@given(BOTH)
def test_hull_stays_when_the_class_ratio_moves(rows):
    counts = sweep(*columns(rows)).counts
    # a power of two times the test ratio rescales without rounding
    doubled = Counts(tp=counts.tp, fp=8.0 * counts.fp, fn=counts.fn, tn=8.0 * counts.tn)
    assert roc_hull(doubled).tolist() == roc_hull(counts).tolist()


@pytest.mark.parametrize(
    ("make", "corners"),
    [
        (lambda right, up: counts_of_steps(right, up), 100_001),  # a bow: every point
        (lambda right, up: counts_of_steps(up, right), 2),  # sagging: the ends
        (lambda right, up: counts_of_steps(np.ones_like(right), np.ones_like(up)), 2),  # on one line
        # a bow before a steep rise: each pass over all points at once would take away only one
        (lambda right, up: counts_of_steps(np.append(right, 0), np.append(up, 10 * up.sum())), 2),
        # many such bows, one after the other
        (lambda right, up: counts_of_steps(right, np.where(np.arange(up.size) % 500 == 499, 1000, up)), None),
    ],
)
def test_hull_of_a_hundred_thousand_points_of_any_shape_turns_right_at_each_corner(make, corners):
    counts = make(*bow(100_000))
    found = roc_hull(counts)
    assert corners is None or len(found) == corners
    right, up = np.diff(counts.fp[found]), np.diff(counts.tp[found])
    assert np.all(up[:-1] * right[1:] > up[1:] * right[:-1])


def test_a_point_that_comes_to_lie_on_a_line_once_a_hollow_is_gone_is_no_corner():
    # slopes 20, 19, ..., 2, then 1; after that a hollow that goes at once and leaves slope 1 again
    counts = counts_of_steps(np.ones(23), np.array([*range(20, 1, -1), 1, 0.5, 1.5, 0.25]))
    assert roc_hull(counts).tolist() == [*range(20), 22, 23]


def test_random_order_of_a_hundred_thousand_rows_leaves_few_corners():
    rng = np.random.default_rng(0)
    counts = sweep(rng.random(100_000) < 0.3, rng.random(100_000)).counts
    corners = roc_hull(counts)
    assert len(corners) < 100
    gains = [np.max(counts.tp - slope * counts.fp) for slope in np.geomspace(0.1, 2, 20)]
    assert np.allclose(gains, [np.max((counts.tp - slope * counts.fp)[corners]) for slope in np.geomspace(0.1, 2, 20)])


# --- rounding --------------------------------------------------------------------------------------------


@given(BOTH, st.integers(0, 2**32 - 1), st.sampled_from([0.01, 3, 100, 12_345.6]))
@example([(False, 3), (True, 2), (True, 1), (False, 0), (True, -1), (False, -2)], 66, 100)
def test_weights_that_round_at_each_threshold_of_another_class_ratio_change_nothing(rows, seed, ratio):
    y_true, y_score = columns(rows)
    weights = np.random.default_rng(seed).integers(1, 20, y_true.size) / 10
    counts = sweep(y_true, y_score, weights=weights).counts
    moved = at_class_ratio(counts, ratio)
    assert roc_auc(moved) == pytest.approx(roc_auc(counts), rel=1e-12, abs=1e-12)
    heavier = np.where(y_true, weights, weights * ratio * weights[y_true].sum() / weights[~y_true].sum())
    assert average_precision(moved) == pytest.approx(average_precision_score(y_true, y_score, sample_weight=heavier))
    gain = moved.tp / moved.tp[-1] - moved.fp / moved.fp[-1]
    assert gain[roc_hull(moved)].max() == pytest.approx(gain.max(), abs=1e-12)


def test_a_fall_by_one_rounding_step_is_no_fall():
    counts = at_class_ratio(
        sweep([0, 1, 1, 0, 1, 0], [5, 4, 3, 2, 1, 0], weights=[0.4, 1, 0.4, 0.7, 0.4, 0.5]).counts, 100
    )
    assert np.diff(counts.fp).min() < 0
    # won: 1 and .4 against .7 + .5, .4 against .5
    assert roc_auc(counts) == pytest.approx((1.4 * 1.2 + 0.4 * 0.5) / (1.8 * 1.6))
    assert roc_hull(counts).tolist() == [0, 3, 5, 6]


# --- what is refused -------------------------------------------------------------------------------------

WHOLE_SWEEP = [roc_auc, roc_auc_interval, roc_hull, average_precision]


@pytest.mark.parametrize("metric", WHOLE_SWEEP)
@pytest.mark.parametrize(
    ("counts", "message"),
    [
        (Counts(tp=8, fp=2, fn=2, tn=8), r"counts must be those of a sweep, shape \(n_thresholds,\); got Counts"),
        (counts_of(*np.zeros((4, 2, 3))), r"shape \(n_thresholds,\); got Counts of shape \(2, 3\)"),
        (Counts(tp=[], fp=[], fn=[], tn=[]), r"shape \(n_thresholds,\); got Counts of shape \(0,\)"),
        (sweep(*SIX).counts[1:], "from nothing flagged to everything flagged"),
        (sweep(*SIX).counts[:-1], "from nothing flagged to everything flagged"),
        (sweep(*SIX).counts[::-1], "from nothing flagged to everything flagged"),
        (Counts(tp=[0, 1], fp=[0, 1], fn=[2, 0], tn=[1, 0]), "from nothing flagged to everything flagged"),
        (Counts(tp=[0, 1], fp=[0, 1], fn=[1, 0], tn=[7, 0]), "from nothing flagged to everything flagged"),
        (Counts(tp=[0, 1], fp=[0, 1], fn=[1, 0], tn=[1, 7]), "from nothing flagged to everything flagged"),
        (Counts(tp=[1, 1], fp=[0, 1], fn=[1, 0], tn=[1, 0]), "from nothing flagged to everything flagged"),
        (sweep(*SIX).counts[[0, 3, 2, 6]], "tp falls at position 2; thresholds must descend"),
        (sweep(*SIX).counts[[0, 5, 4, 6]], "fp falls at position 2; thresholds must descend"),
        (Counts(tp=[0, 1, 1, 1], fp=[0, 1 + 1e-9, 1, 2], fn=[1, 0, 0, 0], tn=[2, 1, 1, 0]), "fp falls at position 2"),
    ],
)
def test_counts_that_are_no_whole_sweep_are_refused(metric, counts, message):
    with pytest.raises(ValueError, match=message):
        metric(counts)


AVERAGED = {"precision": precision, "recall": recall, "f1": fbeta}
AVERAGES = {"macro": macro, "micro": micro, "weighted": weighted}


# --- averages --------------------------------------------------------------------------------------------


def test_the_averages_of_twelve_tickets_by_hand():
    counts = one_vs_rest(TICKETS)
    assert macro(recall, counts) == pytest.approx((6 / 7 + 2 / 3 + 1 / 2) / 3)
    assert macro(precision, counts) == pytest.approx((6 / 8 + 2 / 3 + 1) / 3)
    assert weighted(precision, counts) == pytest.approx((7 * 6 / 8 + 3 * 2 / 3 + 2 * 1) / 12)
    assert micro(precision, counts) == 9 / 12


@pytest.mark.parametrize("name", AVERAGED)
@pytest.mark.parametrize("average", AVERAGES)
@settings(max_examples=15, deadline=None)
@given(matrix=matrices(least=1))
def test_every_average_agrees_with_scikit_learn(name, average, matrix):
    actual, predicted = rows_of(matrix)
    expected = getattr(theirs, f"{name}_score")(actual, predicted, average=average)
    assert AVERAGES[average](AVERAGED[name], one_vs_rest(matrix)) == pytest.approx(expected)


@pytest.mark.parametrize("name", AVERAGED)
@pytest.mark.parametrize("average", AVERAGES)
def test_every_average_of_multilabel_rows_agrees_with_scikit_learn(name, average):
    rng = np.random.default_rng(1)
    y_true, y_pred = rng.random((2, 40, 4)) < 0.4
    counts = Counts(
        tp=(y_true & y_pred).sum(0),
        fp=(~y_true & y_pred).sum(0),
        fn=(y_true & ~y_pred).sum(0),
        tn=(~y_true & ~y_pred).sum(0),
    )
    expected = getattr(theirs, f"{name}_score")(y_true, y_pred, average=average)
    assert AVERAGES[average](AVERAGED[name], counts) == pytest.approx(expected)


@settings(max_examples=60, deadline=None)
@given(matrices().filter(lambda matrix: matrix.sum() > 0), st.sampled_from([0.5, 1.0, 2.0]))
def test_micro_precision_recall_and_f_are_the_accuracy_when_each_row_has_one_class(matrix, beta):
    counts, share_right = one_vs_rest(matrix), np.trace(matrix) / matrix.sum()
    for metric in (precision, recall, lambda c: fbeta(c, beta)):
        assert micro(metric, counts) == pytest.approx(share_right)
    assert weighted(recall, counts) == pytest.approx(share_right)
    mistakes = 2 * (1 - share_right) / len(matrix)  # each is a false positive of one class and a miss of another
    assert micro(accuracy, counts) == pytest.approx(1 - mistakes)


def test_micro_f1_is_no_accuracy_when_a_class_is_left_out():
    counts = one_vs_rest(TICKETS)
    kept = counts[1:]
    actual, predicted = rows_of(TICKETS)
    expected = theirs.f1_score(actual, predicted, labels=[1, 2], average="micro")
    assert micro(fbeta, kept) == pytest.approx(expected)
    assert micro(precision, kept) != pytest.approx(micro(recall, kept))


@settings(max_examples=60, deadline=None)
@given(matrices(least=1))
def test_the_f1_of_means_is_never_below_the_mean_of_f1s(matrix):
    counts = one_vs_rest(matrix)
    p, r = macro(precision, counts), macro(recall, counts)
    assert 2 * p * r / (p + r) >= macro(fbeta, counts) - 1e-12


@settings(max_examples=60, deadline=None)
@given(matrices(least=1), st.integers(2, 50))
def test_macro_recall_ignores_the_size_of_a_class_and_micro_tends_to_its_recall(matrix, factor):
    moved = matrix.copy()
    moved[0] *= factor
    before, after = one_vs_rest(matrix), one_vs_rest(moved)
    assert macro(recall, after) == pytest.approx(macro(recall, before))
    own = recall(before)[0]
    assert abs(micro(recall, after) - own) <= abs(micro(recall, before) - own) + 1e-12


def test_perfect_and_hopeless_routers():
    for size in (2, 5):
        right, wrong = one_vs_rest(np.eye(size)), one_vs_rest(np.roll(np.eye(size), 1, axis=0))
        for average in AVERAGES.values():
            for metric in AVERAGED.values():
                assert (average(metric, right), average(metric, wrong)) == (1, 0)


# --- a class that never occurs, or is never predicted ----------------------------------------------------

NEVER_PREDICTED = np.array([[7, 0, 0], [0, 3, 0], [2, 0, 0]])
NEVER_OCCURS = NEVER_PREDICTED.T


def test_an_average_with_an_undefined_class_is_undefined_where_scikit_learn_takes_0():
    never_predicted, never_occurs = one_vs_rest(NEVER_PREDICTED), one_vs_rest(NEVER_OCCURS)
    assert math.isnan(macro(precision, never_predicted))
    assert math.isnan(weighted(precision, never_predicted))
    assert math.isnan(macro(recall, never_occurs))
    actual, predicted = rows_of(NEVER_PREDICTED)
    filled = theirs.precision_score(actual, predicted, average="macro", zero_division=0)
    assert filled == pytest.approx((7 / 9 + 1 + 0) / 3)
    skipped = theirs.precision_score(actual, predicted, average="macro", zero_division=np.nan)
    assert macro(precision, never_predicted[:2]) == pytest.approx(skipped)


def test_f1_is_0_and_defined_for_a_class_that_is_never_found():
    assert fbeta(one_vs_rest(NEVER_PREDICTED))[2] == 0
    assert fbeta(one_vs_rest(NEVER_OCCURS))[2] == 0
    assert math.isnan(macro(fbeta, one_vs_rest(np.diag([3, 2, 0]))))


def test_a_class_without_rows_has_no_weight():
    assert weighted(recall, one_vs_rest(NEVER_OCCURS)) == pytest.approx(10 / 12)
    assert weighted(fbeta, one_vs_rest(np.diag([3, 2, 0]))) == 1
    assert math.isnan(weighted(recall, one_vs_rest(np.zeros((3, 3)))))
    assert math.isnan(micro(recall, one_vs_rest(np.zeros((3, 3)))))


@pytest.mark.parametrize("average", AVERAGES.values())
def test_an_average_needs_an_entry_per_class(average):
    with pytest.raises(ValueError, match=r"counts must hold one entry per class, .* got Counts"):
        average(recall, Counts(tp=1, fp=2, fn=3, tn=4))
    with pytest.raises(ValueError, match=r"counts must hold one entry per class, .* got Counts of shape \(0,\)"):
        average(recall, one_vs_rest(TICKETS)[[]])


@pytest.mark.parametrize("average", AVERAGES.values())
def test_an_average_of_no_metric_or_of_no_counts_is_refused(average):
    with pytest.raises(ValueError, match=r"^metric must be a function of Counts, such as .*recall, got 'recall'$"):
        average("recall", one_vs_rest(TICKETS))
    with pytest.raises(ValueError, match=r"^counts must be Counts, got ndarray$"):
        average(recall, TICKETS)


def test_averages_are_plain_numbers_and_take_any_function_of_counts():
    counts = one_vs_rest(TICKETS)
    for average in AVERAGES.values():
        assert type(average(matthews_corrcoef, counts)) is float
    assert macro(lambda c: fbeta(c, 2), counts) == pytest.approx(np.mean(fbeta(counts, 2)))
