"""Shares of positives estimated without labels: by hand, by expectation-maximisation, by brute force."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.stats import norm

from evalteach.counts import Counts, sweep
from evalteach.data import two_normals
from evalteach.prevalence import adjusted_count, adjusted_count_interval, likelihood_prevalence

KIT = Counts(tp=36, fp=5, fn=4, tn=45)  # recall .9, false positive rate .1


def expectation_maximisation(prob, trained, rounds=20_000):
    share = trained
    for _ in range(rounds):
        positive, negative = prob * share / trained, (1 - prob) * (1 - share) / (1 - trained)
        share = np.mean(positive / (positive + negative))
    return share


def log_likelihood(share, prob, trained):
    return np.sum(np.log(share * prob / trained + (1 - share) * (1 - prob) / (1 - trained)))


def test_adjusted_count_worked_by_hand():
    # 20 of 80 flagged: (.25 - .1) / (.9 - .1)
    assert adjusted_count(KIT, 20 / 80) == pytest.approx(0.15 / 0.8)


@given(st.floats(0, 1))
def test_adjusted_count_undoes_what_the_two_rates_make_of_a_share(share):
    assert adjusted_count(KIT, 0.9 * share + 0.1 * (1 - share)) == pytest.approx(share, abs=1e-12)


def test_adjusted_count_is_not_clipped():
    assert adjusted_count(KIT, 0.02) == pytest.approx(-0.1)
    assert adjusted_count(KIT, 0.98) == pytest.approx(1.1)


def test_a_classifier_that_flags_both_classes_alike_says_nothing():
    assert math.isnan(adjusted_count(Counts(tp=5, fp=5, fn=5, tn=5), 0.5))
    assert math.isnan(adjusted_count(Counts(tp=5, fp=5, fn=5, tn=5), 0.7))
    assert math.isnan(adjusted_count(Counts(tp=0, fp=5, fn=0, tn=5), 0.7))


def test_adjusted_count_of_arrays_is_that_of_each_entry():
    counts = Counts(tp=[36, 5, 20], fp=[5, 5, 1], fn=[4, 5, 20], tn=[45, 5, 49])
    flagged = np.array([0.25, 0.7, 0.1])
    expected = [adjusted_count(counts[i], flagged[i]) for i in range(3)]
    np.testing.assert_allclose(adjusted_count(counts, flagged), expected)
    assert math.isnan(expected[1])


@pytest.mark.parametrize("share", [-0.1, 1.2, math.nan, [0.5, 2.0]])
def test_a_flagged_share_that_is_none_is_refused(share):
    with pytest.raises(ValueError, match="flagged_share must be between 0 and 1"):
        adjusted_count(KIT, share)


@pytest.mark.parametrize(
    ("counts", "share", "said"),
    [
        (KIT, pd.Series([0.2, math.nan]), "flagged_share has nan at position 1; flagged_share must be between 0 and 1"),
        (KIT, [], "flagged_share is empty"),
        (KIT, [0.5, [0.1, 0.2]], "flagged_share cannot be read as an array"),
        (KIT, np.ma.masked, "flagged_share is masked at position 0"),
        (KIT, "a", "flagged_share must be one real number, got 'a'"),
        (KIT, ["a"], "flagged_share has dtype <U1; flagged_share must be between 0 and 1"),
        (
            Counts(tp=[36, 5], fp=5, fn=5, tn=45),
            [0.1, 0.2, 0.3],
            r"counts and flagged_share have shapes \(2,\), \(3,\); scalars or one common shape are accepted",
        ),
    ],
)
def test_flagged_shares_that_cannot_be_read_are_refused(counts, share, said):
    with pytest.raises(ValueError, match=f"^{said}"):
        adjusted_count(counts, share)


def test_adjusted_count_is_a_float_or_an_array_whatever_came_in():
    several = adjusted_count(KIT, pd.Series([0.25, 0.5], index=[7, 8]))
    assert type(several) is np.ndarray
    np.testing.assert_allclose(several, [0.1875, 0.5])
    for one in (np.float32(0.25), np.array(0.25), 0.25):
        assert type(adjusted_count(KIT, one)) is float
        assert adjusted_count(KIT, one) == adjusted_count(KIT, 0.25)


PROBABILITIES = st.lists(st.floats(0.01, 0.99), min_size=1, max_size=20).map(np.array)


@given(PROBABILITIES, st.floats(0.05, 0.95))
def test_no_other_share_is_likelier(prob, trained):
    assume(np.any(prob != trained))  # else all shares are equally likely
    found = likelihood_prevalence(prob, trained)
    best = minimize_scalar(lambda share: -log_likelihood(share, prob, trained), bounds=(0, 1), method="bounded")
    top = log_likelihood(found, prob, trained)
    assert top >= -best.fun - 1e-9
    assert top >= max(log_likelihood(share, prob, trained) for share in np.linspace(0.001, 0.999, 50)) - 1e-9


def test_expectation_maximisation_ends_there():
    prob = two_normals(200, 9, seed=3).y_score
    assert likelihood_prevalence(prob, 0.5) == pytest.approx(expectation_maximisation(prob, 0.5), abs=1e-9)


@pytest.mark.parametrize("ratio", [1, 20, 200])
def test_both_find_the_share_when_only_the_class_ratio_moves(ratio):
    test, deployed = two_normals(20_000, 3, seed=1), two_normals(2_000, ratio, seed=2)
    # the deployed rows, scored by the model that was calibrated at 3 negatives per positive
    logit = np.log(deployed.y_score / (1 - deployed.y_score)) + np.log(ratio / 3)
    prob = 1 / (1 + np.exp(-logit))
    truth = 1 / (1 + ratio)
    assert likelihood_prevalence(prob, 0.25) == pytest.approx(truth, rel=0.15)
    share = adjusted_count(sweep(*test).at(0.5), np.mean(prob >= 0.5))
    assert share == pytest.approx(truth, rel=0.15, abs=0.002)


def test_a_weight_of_three_is_a_row_that_stands_three_times():
    prob, weights = np.array([0.2, 0.7, 0.9, 0.4]), np.array([3, 1, 2, 0])
    assert likelihood_prevalence(prob, 0.4, weights) == pytest.approx(
        likelihood_prevalence(np.repeat(prob, weights), 0.4)
    )


def test_each_row_of_weights_is_a_deployment():
    prob, weights = np.array([0.2, 0.7, 0.9]), np.array([[1.0, 2, 3], [5, 1, 1]])
    expected = [likelihood_prevalence(prob, 0.4, row) for row in weights]
    np.testing.assert_allclose(likelihood_prevalence(prob, 0.4, weights), expected)


def test_certain_scores_are_counted():
    assert likelihood_prevalence([0, 0, 0, 1], 0.5) == pytest.approx(0.25)
    assert likelihood_prevalence([1, 1], 0.5) == pytest.approx(1)
    assert likelihood_prevalence([0.1, 0.2], 0.5) == pytest.approx(0, abs=1e-12)


def test_scores_that_are_the_trained_share_itself_say_nothing():
    assert math.isnan(likelihood_prevalence([0.3, 0.3], 0.3))
    found = likelihood_prevalence([0.3, 0.9, 0.1], 0.3, [[1, 0, 0], [1, 1, 1]])
    assert math.isnan(found[0])
    assert 0 < found[1] < 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (([0.2, 1.3], 0.5), "y_prob holds 1.3 at position 1; probabilities must be between 0 and 1"),
        (([0.2, math.nan], 0.5), "y_prob has nan at position 1"),
        (([], 0.5), "y_prob is empty"),
        (([0.2], 0.0), "trained_prevalence must be between 0 and 1, got 0"),
        (([0.2], 1.0), "trained_prevalence must be between 0 and 1, got 1"),
        (([0.2], 0.5, [-1]), "weights holds -1 at position 0; weights must be 0 or more and finite"),
        (([0.2, 0.3], 0.5, [1, math.inf]), "weights holds inf at position 1; weights must be 0 or more and finite"),
        (([0.2, 0.3], 0.5, [[1, 2], [1, math.inf]]), "weights holds inf at position 1"),
        (([0.2, 0.3], 0.5, np.ma.array([1, 1000.0], mask=[0, 1])), "weights is masked at position 1"),
        (([0.2, 0.3], 0.5, ["1", "2"]), "weights has dtype <U1"),
        (([0.2, 0.3], 0.5, [[1, "2"], [1, 2]]), "weights has dtype <U"),
        (([0.2, 0.3], 0.5, [object(), 1]), "weights cannot be read as numbers"),
        (([0.2, 0.3], 0.5, [[1, 1], [0, 0]]), "weights are all zero"),
        (([0.2], 0.5, [0]), "weights are all zero; at least one row has to count"),
        (([0.2], 0.5, [1, 1]), "unequal lengths: y_prob has 1, weights has 2"),
        (([0.2], 0.5, 3), r"weights must have one dimension, got shape \(\)"),
    ],
)
def test_bad_input_is_refused_by_name(arguments, said):
    with pytest.raises(ValueError, match=said):
        likelihood_prevalence(*arguments)


# --- the interval of an adjusted count -------------------------------------------------------------------


def lang_reiczigel(se, n_se, sp, n_sp, ap, n):
    """The interval from sensitivity, specificity and apparent prevalence, as the article writes it."""
    z = norm.ppf(0.975)
    se, sp, ap = (n_se * se + 1) / (n_se + 2), (n_sp * sp + 1) / (n_sp + 2), (n * ap + z**2 / 2) / (n + z**2)
    p = (ap + sp - 1) / (se + sp - 1)
    shift = 2 * z**2 * (p * se * (1 - se) / (n_se + 2) - (1 - p) * sp * (1 - sp) / (n_sp + 2))
    parts = ap * (1 - ap) / (n + z**2), p**2 * se * (1 - se) / (n_se + 2), (1 - p) ** 2 * sp * (1 - sp) / (n_sp + 2)
    return [p + shift + sign * z * math.sqrt(sum(parts)) / abs(se + sp - 1) for sign in (-1, 1)]


@pytest.mark.parametrize("flagged", [0, 4, 50, 200])
def test_the_interval_is_lang_and_reiczigels(flagged):
    counts = Counts(tp=36, fp=5, fn=4, tn=45)
    expected = lang_reiczigel(36 / 40, 40, 45 / 50, 50, flagged / 200, 200)
    assert adjusted_count_interval(counts, flagged, 200) == pytest.approx(expected)


def test_the_interval_does_not_care_which_side_is_called_flagged():
    one = adjusted_count_interval(Counts(tp=36, fp=5, fn=4, tn=45), 50, 200)
    assert adjusted_count_interval(Counts(tp=4, fp=45, fn=36, tn=5), 150, 200) == pytest.approx(one)


def test_with_very_many_rows_the_interval_closes_around_the_adjusted_count():
    counts, share = Counts(tp=9 * 10**8, fp=10**8, fn=10**8, tn=9 * 10**8), 0.25
    assert adjusted_count_interval(counts, 25 * 10**7, 10**9) == pytest.approx(
        [adjusted_count(counts, share)] * 2, rel=1e-3
    )
    # and if only the unlabeled rows are few it is the one of a share, stretched: Agresti and Coull's
    n, z = 200, norm.ppf(0.975)
    q = (50 + z**2 / 2) / (n + z**2)
    ends = [(q + sign * z * math.sqrt(q * (1 - q) / (n + z**2)) - 0.1) / 0.8 for sign in (-1, 1)]
    assert adjusted_count_interval(counts, 50, n) == pytest.approx(ends, rel=1e-3)


def test_the_interval_widens_with_confidence_and_with_fewer_rows():
    counts = Counts(tp=36, fp=5, fn=4, tn=45)
    widths = [np.diff(adjusted_count_interval(counts, 50, 200, level))[0] for level in (0.5, 0.9, 0.99)]
    assert widths == sorted(widths)
    assert np.diff(adjusted_count_interval(counts, 500, 2000)) < np.diff(adjusted_count_interval(counts, 50, 200))


def test_an_interval_of_arrays_is_that_of_each_entry():
    counts = Counts(tp=np.array([36, 30]), fp=np.array([5, 1]), fn=np.array([4, 10]), tn=np.array([45, 49]))
    low, high = adjusted_count_interval(counts, [50, 20], 200)
    for i, flagged in enumerate((50, 20)):
        assert adjusted_count_interval(counts[i], flagged, 200) == pytest.approx((low[i], high[i]))


def test_without_a_class_or_a_difference_there_is_no_interval():
    for counts in (
        Counts(tp=5, fp=5, fn=5, tn=5),
        Counts(tp=0, fp=5, fn=0, tn=5),
        Counts(tp=5, fp=0, fn=5, tn=0),
    ):
        assert np.isnan(adjusted_count_interval(counts, 4, 10)).all()


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        ({"n_flagged": 0.25}, "n_flagged must be whole numbers"),
        ({"n_flagged": 201}, "n_flagged must be between 0 and 200, both included, got 201"),
        ({"n_flagged": [1, 2], "counts": Counts(tp=[1, 2, 3], fp=1, fn=1, tn=1)}, "counts and n_flagged have shapes"),
        ({"n_rows": 0}, "n_rows must be a whole number, 1 or more, got 0"),
        ({"confidence": 95}, "confidence must be between 0 and 1, got 95"),
        ({"counts": Counts(tp=36.0, fp=5.0, fn=4.0, tn=45.0)}, "tp holds weights or expected counts"),
    ],
)
def test_an_interval_of_what_is_no_number_of_rows_is_refused(arguments, found):
    good = {"counts": Counts(tp=36, fp=5, fn=4, tn=45), "n_flagged": 50, "n_rows": 200}
    with pytest.raises(ValueError, match=found):
        adjusted_count_interval(**(good | arguments))


@pytest.mark.parametrize(("ill", "base"), [(38, 0.1), (2, 0.02), (2, 0.1), (0, 0.02)])
def test_the_interval_of_an_adjusted_count_covers_with_few_positives(ill, base):
    rng = np.random.default_rng(0)
    tp, fp = rng.binomial(40, 0.9, 2000), rng.binomial(50, base, 2000)
    flagged = rng.binomial(ill, 0.9, 2000) + rng.binomial(200 - ill, base, 2000)
    low, high = adjusted_count_interval(Counts(tp=tp, fp=fp, fn=40 - tp, tn=50 - fp), flagged, 200)
    held = np.mean((low <= ill / 200) & (ill / 200 <= high))
    assert held >= 0.95 - 2.5 * math.sqrt(0.95 * 0.05 / 2000)


def test_one_row_of_a_class_is_enough_for_an_interval():
    low, high = adjusted_count_interval(Counts(tp=1, fp=1, fn=0, tn=9), 30, 100)
    assert low < high
    assert np.isnan(adjusted_count_interval(Counts(tp=0, fp=1, fn=0, tn=9), 30, 100)).all()
