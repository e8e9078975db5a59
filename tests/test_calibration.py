"""Losses of probabilities, reliability in bins, and probabilities at another class ratio."""

import math

import numpy as np
import pytest
import sklearn.metrics as theirs
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, norm
from sklearn.calibration import calibration_curve

from evalteach import data
from evalteach.calibration import brier_score, log_loss, reliability, sharpen_probability, shift_probability
from evalteach.classification import roc_auc
from evalteach.counts import sweep

ROWS = data.two_normals(300, 2, separation=1.5, calibration=1.7, seed=1)
PROBABILITY = st.floats(1e-6, 1 - 1e-6)
RATIO = st.floats(1e-3, 1e3)
LOSSES = {log_loss: theirs.log_loss, brier_score: theirs.brier_score_loss}

both_losses = pytest.mark.parametrize("loss", LOSSES)


def weights_for(y_true, ratio):
    """What each row counts so that there are ``ratio`` negatives per positive, for scikit-learn."""
    return np.where(y_true, 1, ratio * np.sum(y_true) / np.sum(~y_true))


# --- log loss and Brier score ----------------------------------------------------------------------------


def test_losses_by_hand():
    # rain was called .8 and came, was called .4 and did not
    assert log_loss([1, 0], [0.8, 0.4]) == pytest.approx(-(math.log(0.8) + math.log(0.6)) / 2)
    assert brier_score([1, 0], [0.8, 0.4]) == pytest.approx((0.04 + 0.16) / 2)
    # three negatives for the positive instead of one
    assert log_loss([1, 0], [0.8, 0.4], ratio=3) == pytest.approx(-(math.log(0.8) + 3 * math.log(0.6)) / 4)
    assert brier_score([1, 0], [0.8, 0.4], ratio=3) == pytest.approx((0.04 + 3 * 0.16) / 4)


@both_losses
def test_losses_agree_with_scikit_learn(loss):
    assert loss(*ROWS) == pytest.approx(LOSSES[loss](*ROWS))
    for ratio in (0.01, 1, 2, 1000):
        expected = LOSSES[loss](*ROWS, sample_weight=weights_for(ROWS.y_true, ratio))
        assert loss(*ROWS, ratio=ratio) == pytest.approx(expected)


@both_losses
def test_at_the_rows_own_ratio_nothing_changes(loss):
    assert loss(*ROWS, ratio=2) == pytest.approx(loss(*ROWS))


@both_losses
def test_a_perfect_forecast_costs_nothing(loss):
    assert loss([1, 0, 1], [1, 0, 1]) == 0
    assert math.copysign(1, loss([1, 0, 1], [1, 0, 1])) == 1  # 0.000 and not -0.000


def test_what_was_called_impossible_and_happened_costs_infinity_or_one():
    for y, p in (([1], [0]), ([0], [1])):
        assert log_loss(y, p) == math.inf
        assert brier_score(y, p) == 1
    assert log_loss([1, 0], [0.5, 1e-300]) == pytest.approx(math.log(2) / 2)


def test_the_base_rate_costs_its_entropy():
    y = np.arange(10) < 3
    assert log_loss(y, np.full(10, 0.3)) == pytest.approx(-0.3 * math.log(0.3) - 0.7 * math.log(0.7))
    assert brier_score(y, np.full(10, 0.3)) == pytest.approx(0.3 * 0.7)
    assert brier_score(y, np.full(10, 1 / 10), ratio=9) == pytest.approx(0.1 * 0.9)


@both_losses
def test_the_expected_loss_is_least_at_the_true_probability(loss):
    happens = np.arange(100) < 30
    costs = [loss(happens, np.full(100, q / 100)) for q in range(1, 100)]
    assert np.argmin(costs) + 1 == 30


@both_losses
def test_swapping_the_classes_changes_no_loss(loss):
    assert loss(~ROWS.y_true, 1 - ROWS.y_score) == pytest.approx(loss(*ROWS))
    words = np.where(ROWS.y_true, "ill", "well")
    assert loss(words, ROWS.y_score, positive="ill") == loss(*ROWS)


# --- reliability -----------------------------------------------------------------------------------------


def test_reliability_by_hand():
    bins = reliability([0, 1, 1, 0, 1], [0.0, 0.2, 0.5, 0.6, 1.0], n_bins=4)
    assert bins.lower.tolist() == [0, 0.25, 0.5, 0.75]
    assert bins.upper.tolist() == [0.25, 0.5, 0.75, 1]
    assert bins.positives.tolist() == [1, 1, 0, 1]
    assert bins.negatives.tolist() == [1, 0, 1, 0]
    assert bins.predicted == pytest.approx([0.1, 0.5, 0.6, 1])
    assert bins.observed == pytest.approx([0.5, 1, 0, 1])


@pytest.mark.parametrize("strategy", ["uniform", "quantile"])
@pytest.mark.parametrize("n_bins", [1, 2, 7, 10, 33])
def test_bins_agree_with_scikit_learn(strategy, n_bins):
    scores = np.append(np.round(ROWS.y_score[:300], 2), ROWS.y_score[300:])  # some of them tied, or on an edge
    bins = reliability(ROWS.y_true, scores, n_bins, strategy=strategy)
    shares, means = calibration_curve(ROWS.y_true, scores, n_bins=n_bins, strategy=strategy)
    filled = bins.positives + bins.negatives > 0
    assert bins.observed[filled] == pytest.approx(shares)
    assert bins.predicted[filled] == pytest.approx(means)
    assert bins.positives.sum() == 300
    assert bins.negatives.sum() == 600


def test_the_interval_is_the_exact_one():
    bins = reliability(*ROWS, 6, confidence=0.9)
    for positives, negatives, low, high in zip(bins.positives, bins.negatives, bins.low, bins.high, strict=True):
        exact = binomtest(int(positives), int(positives + negatives)).proportion_ci(0.9, "exact")
        assert (low, high) == pytest.approx((exact.low, exact.high))


def test_an_empty_bin_has_no_values_and_does_not_agree():
    bins = reliability([0, 1], [0.1, 0.9], 5)
    for field in (bins.predicted, bins.observed, bins.low, bins.high):
        assert np.isnan(field).tolist() == [False, True, True, True, False]
    assert bins.agrees.tolist() == [True, False, False, False, True]
    again = reliability([0, 1], [0.1, 0.9], 5, ratio=7)
    assert np.isnan(again.low).tolist() == [False, True, True, True, False]


def test_equal_probabilities_share_a_bin():
    bins = reliability([0, 1, 1, 0], [0.3, 0.3, 0.3, 0.3], 4, strategy="quantile")
    assert sorted((bins.positives + bins.negatives).tolist()) == [0, 0, 0, 4]


@pytest.mark.parametrize("ratio", [0.1, 2, 50])
def test_bins_at_a_ratio_agree_with_weighted_means(ratio):
    bins, weights = reliability(*ROWS, 8, ratio=ratio), weights_for(ROWS.y_true, ratio)
    place = np.ceil(ROWS.y_score * 8) - 1
    for i in range(8):
        inside = place == i
        assert bins.predicted[i] == pytest.approx(np.average(ROWS.y_score[inside], weights=weights[inside]))
        assert bins.observed[i] == pytest.approx(np.average(ROWS.y_true[inside], weights=weights[inside]))


def test_the_interval_at_a_ratio_rests_on_the_rows_that_were_counted():
    plain, moved = reliability(*ROWS, 5), reliability(*ROWS, 5, ratio=40)
    for before, after in ((plain.low, moved.low), (plain.high, moved.high), (plain.observed, moved.observed)):
        assert after / (1 - after) == pytest.approx(before / (1 - before) * 2 / 40)
    assert moved.positives.tolist() == plain.positives.tolist()


def test_the_interval_covers_the_true_share_at_the_ratio_of_the_deployment():
    covered = []
    for seed in range(200):  # one bin of 120 rows, each positive with a chance of .3; then nine times as many negatives
        drawn = np.random.default_rng([8, seed]).random(120) < 0.3
        bins = reliability(drawn, np.full(120, 0.5), 1, ratio=9 * (~drawn).sum() / drawn.sum())
        covered.append(bins.low[0] <= shift_probability(0.3, 1, 9) <= bins.high[0])
    assert 0.93 <= np.mean(covered) <= 1


def test_true_probabilities_agree_with_what_happens_and_bold_ones_do_not():
    rows = data.two_normals(20_000, 3, separation=2.0, seed=5)
    assert reliability(*rows, 20).agrees.sum() >= 17
    assert np.abs(reliability(*rows, 10).predicted - reliability(*rows, 10).observed).max() < 0.05
    bold = reliability(rows.y_true, sharpen_probability(rows.y_score, 3), 20)
    assert bold.agrees.sum() <= 6
    assert bold.observed[1] > bold.predicted[1]
    assert bold.observed[-2] < bold.predicted[-2]


# --- another class ratio ---------------------------------------------------------------------------------


def test_a_shift_by_hand():
    # odds 9 at 1 : 1 are odds 0.09 at 1 : 100
    assert shift_probability(0.9, 1, 100) == pytest.approx(0.09 / 1.09)
    assert shift_probability(0.5, 99, 1) == pytest.approx(0.99)
    assert isinstance(shift_probability(0.5, 1, 1), float)
    assert shift_probability([0.5, 0.8], 1, 4) == pytest.approx([0.2, 0.5])


def test_a_shift_is_bayes_rule_at_the_new_ratio():
    place = np.linspace(-4, 4, 101)
    as_positive, as_negative = norm.pdf(place, 1), norm.pdf(place, -1)
    at = {ratio: as_positive / (as_positive + ratio * as_negative) for ratio in (0.2, 1, 30)}
    for old in at:
        for new in at:
            assert shift_probability(at[old], old, new) == pytest.approx(at[new])


def test_shifted_probabilities_are_calibrated_where_they_run():
    rows = data.two_normals(2_000, 50, separation=2.0, seed=9)
    stated = shift_probability(rows.y_score, 50, 1)  # what a model trained at 1 : 1 says of them
    entropy = log_loss(rows.y_true, np.full(rows.y_true.size, 1 / 51))
    assert log_loss(rows.y_true, shift_probability(stated, 1, 50)) < entropy < log_loss(rows.y_true, stated)
    assert stated.mean() > 10 / 51
    assert rows.y_score.mean() == pytest.approx(1 / 51, rel=0.05)


@given(p=PROBABILITY, old=RATIO, between=RATIO, new=RATIO)
def test_two_shifts_are_one_and_the_way_back_leads_back(p, old, between, new):
    there = shift_probability(p, old, between)
    assert shift_probability(there, between, new) == pytest.approx(shift_probability(p, old, new), rel=1e-6)
    assert shift_probability(p, old, old) == pytest.approx(p)


@given(p=PROBABILITY, slope=st.floats(0.1, 10))
def test_sharpening_multiplies_the_log_odds(p, slope):
    sharp = sharpen_probability(p, slope)
    assert sharp == pytest.approx(p**slope / (p**slope + (1 - p) ** slope), rel=1e-6)
    assert sharpen_probability(1 - p, slope) == pytest.approx(1 - sharp, abs=1e-9)


def test_certainties_and_one_half_stay():
    assert shift_probability([0, 1], 1, 100).tolist() == [0, 1]
    assert sharpen_probability([0, 0.5, 1], 3).tolist() == [0, 0.5, 1]


@settings(max_examples=30)
@given(ratio=st.floats(0.01, 100), slope=st.floats(0.3, 3))
def test_neither_changes_the_order_of_the_rows(ratio, slope):
    before = roc_auc(sweep(*ROWS).counts)
    moved = sharpen_probability(shift_probability(ROWS.y_score, 2, ratio), slope)
    assert roc_auc(sweep(ROWS.y_true, moved).counts) == pytest.approx(before, abs=1e-9)


# --- errors ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("call", [log_loss, brier_score, reliability])
@pytest.mark.parametrize(
    ("y_true", "y_prob", "said"),
    [
        ([0, 1], [0.5, 1.5], r"y_prob holds 1.5 at position 1; probabilities must be between 0 and 1"),
        ([0, 1], [-0.1, 0.5], r"y_prob holds -0.1 at position 0; probabilities must be"),
        ([0, 1], [0.5, math.inf], r"y_prob holds inf at position 1; probabilities must be"),
        ([0, 1], [0.5, math.nan], r"y_prob has nan at position 1; probabilities must be"),
        ([0, 1], ["0.5", "0.6"], r"y_prob has dtype <U3; probabilities must be"),
        ([0, 1], [0.5], r"unequal lengths: y_true has 2, y_prob has 1"),
        ([0, 2], [0.5, 0.5], r"y_true holds 0, 2; labels must be"),
        ([], [], r"y_true is empty"),
    ],
)
def test_rows_that_cannot_be_read_are_refused(call, y_true, y_prob, said):
    with pytest.raises(ValueError, match=said):
        call(y_true, y_prob)


@pytest.mark.parametrize("call", [log_loss, brier_score, reliability])
def test_a_ratio_needs_a_size_and_both_classes(call):
    for ratio in (0, -1, 1e308, math.inf, math.nan):
        with pytest.raises(ValueError, match=r"ratio must be above 0 and at most 1e\+300, got"):
            call([0, 1], [0.5, 0.5], ratio=ratio)
    for label, absent in ((0, "positives"), (1, "negatives")):
        with pytest.raises(ValueError, match=f"y_true holds no {absent}; a ratio needs at least one row of each class"):
            call([label] * 2, [0.5, 0.5], ratio=1)


def test_a_class_ratio_of_a_small_type_does_not_wrap_around():
    y_true, y_prob = ROWS
    for ratio in (np.int8(127), np.int16(200), np.array(127)):
        assert log_loss(y_true, y_prob, ratio=ratio) == log_loss(y_true, y_prob, ratio=ratio.item())
        assert brier_score(y_true, y_prob, ratio=ratio) == brier_score(y_true, y_prob, ratio=ratio.item())
        one, other = (reliability(y_true, y_prob, ratio=each) for each in (ratio, ratio.item()))
        np.testing.assert_array_equal(one.observed, other.observed)
        assert shift_probability(0.5, ratio, 1) == shift_probability(0.5, ratio.item(), 1)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: reliability([0, 1], [0.1, 0.9], "3"), "n_bins must be one real number, got '3'"),
        (lambda: reliability([0, 1], [0.1, 0.9], 0), "n_bins must be a whole number from 1 to 1000000, got 0"),
        (lambda: reliability([0, 1], [0.1, 0.9], 2.5), "n_bins must be a whole number from 1 to 1000000, got 2.5"),
        (lambda: reliability([0, 1], [0.1, 0.9], math.inf), "n_bins must be a whole number from 1 to 1000000, got inf"),
        (
            lambda: reliability([0, 1], [0.1, 0.9], strategy="even"),
            "strategy must be one of 'uniform', 'quantile', got",
        ),
        (lambda: reliability([0, 1], [0.1, 0.9], confidence=95), "confidence must be between 0 and 1, got 95"),
        (lambda: shift_probability(1.1, 1, 1), "^probability must be between 0 and 1, both included, got 1.1$"),
        (
            lambda: shift_probability([0.5, math.inf], 1, 1),
            "probability holds inf at position 1; probability must be between 0 and 1, both included",
        ),
        (lambda: shift_probability(0.5, 0, 1), "old_ratio must be above 0 and finite, got 0"),
        (lambda: shift_probability(0.5, 1, math.inf), "new_ratio must be above 0 and finite, got inf"),
        (lambda: shift_probability([[0.5]], 1, 1), r"probability must have one dimension, got shape \(1, 1\)"),
        (lambda: sharpen_probability(0.5, 0), "slope must be above 0 and finite, got 0"),
        (lambda: sharpen_probability(math.nan, 1), "probability must be between 0 and 1, both included, got nan"),
        (lambda: shift_probability([[0.5], [0.1, 0.2]], 1, 1), "^probability cannot be read as an array"),
        (lambda: shift_probability(0.5, 10**400, 1), "^old_ratio must be above 0 and finite, got 1000"),
        (
            lambda: log_loss([0, 1], np.float32([0.5, 1.0000001])),
            "^y_prob holds 1.0000001192092896 at position 1; prob",
        ),
    ],
)
def test_a_wrong_argument_is_refused_by_name(call, said):
    with pytest.raises(ValueError, match=said):
        call()
