"""Each rate, score, curve's area and average: by hand, by other libraries, at the limits, under invariances."""

import math
from fractions import Fraction

import numpy as np
import pytest
import sklearn.metrics as theirs
from cells import TICKETS, counts_of, matrices, rows_of
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.stats import norm
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
from evalteach.data import eight_screenings, ten_messages

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


# --- the area under the precision-recall curve ---------------------------------------------------------------


def test_average_precision_of_the_ten_messages_is_worked_by_hand():
    messages = ten_messages()
    # spam at ranks 1, 2, 4 and 6
    by_hand = (1 / 1 + 2 / 2 + 3 / 4 + 4 / 6) / 4
    assert average_precision(sweep(messages["is_spam"], messages["score"]).counts) == pytest.approx(by_hand)


ROWS = st.lists(st.tuples(st.booleans(), st.integers(0, 6), st.integers(1, 5)), min_size=1, max_size=30)


@given(ROWS.filter(lambda rows: any(actual for actual, *_ in rows)))
def test_average_precision_equals_that_of_scikit_learn_with_ties_and_weights(rows):
    actual, score, weight = map(np.array, zip(*rows, strict=True))
    plain, by_weight = average_precision(sweep(actual, score).counts), sweep(actual, score, weights=weight).counts
    assert plain == pytest.approx(theirs.average_precision_score(actual, score))
    expected = theirs.average_precision_score(actual, score, sample_weight=weight)
    assert average_precision(by_weight) == pytest.approx(expected)


def test_average_precision_at_a_class_ratio_is_that_of_weighted_negatives_where_weights_round():
    y_true, score, weights = np.array([0, 1, 1, 0, 1, 0]), [5, 4, 3, 2, 1, 0], np.array([0.4, 1, 0.4, 0.7, 0.4, 0.5])
    counts = at_class_ratio(sweep(y_true, score, weights=weights).counts, 100)
    assert counts.fp[3] < counts.fp[2], "by one step of rounding"
    heavier = np.where(y_true, weights, weights * 100 * 1.8 / 1.6)
    expected = theirs.average_precision_score(y_true, score, sample_weight=heavier)
    assert average_precision(counts) == pytest.approx(expected) == pytest.approx(0.021968, abs=5e-7)


def test_average_precision_without_positives_is_nan():
    assert average_precision(sweep([0, 0], [0.2, 0.3]).counts) == nan


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


# --- the area --------------------------------------------------------------------------------------------


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


@given(BOTH, st.integers(0, 2**32 - 1))
def test_area_agrees_with_scikit_learn_under_weights(rows, seed):
    y_true, y_score = columns(rows)
    weights = np.random.default_rng(seed).uniform(0.01, 10, y_true.size)
    area = roc_auc(sweep(y_true, y_score, weights=weights).counts)
    assert area == pytest.approx(roc_auc_score(y_true, y_score, sample_weight=weights), abs=1e-12)


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


def test_interval_covers_the_true_area_about_as_often_as_it_says():
    truth, rng, y_true = norm.cdf(1 / math.sqrt(2)), np.random.default_rng(3), np.arange(120) < 30
    covered = 0
    for _ in range(1000):
        low, high = roc_auc_interval(sweep(y_true, rng.normal(size=120) + y_true).counts)
        covered += low <= truth <= high
    assert 930 <= covered <= 975


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


def test_micro_f1_is_no_accuracy_when_a_class_is_left_out():
    counts = one_vs_rest(TICKETS)
    kept = counts[1:]
    actual, predicted = rows_of(TICKETS)
    expected = theirs.f1_score(actual, predicted, labels=[1, 2], average="micro")
    assert micro(fbeta, kept) == pytest.approx(expected)
    assert micro(precision, kept) != pytest.approx(micro(recall, kept))


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
