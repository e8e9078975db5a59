"""The population stability index by hand and by scipy's tests, and its limit against simulated unchanged worlds."""

import math

import numpy as np
import pytest
from scipy.stats import chi2, power_divergence

from evalteach.drift import population_stability_index, stability_limit


def test_worked_by_hand():
    # with half a row more in each bin: 2 of 8 and 6 of 8 against 6 of 8 and 2 of 8
    assert population_stability_index([1.5, 5.5], [5.5, 1.5]) == pytest.approx(2 * 0.5 * math.log(3))


def test_it_is_the_mean_of_two_g_tests_for_each_row():
    p, q = np.array([14.5, 30.5, 7.5, 47.5]), np.array([21.5, 22.5, 10.5, 45.5])
    there, back = (power_divergence(a, b, lambda_="log-likelihood").statistic for a, b in ((p, q), (q, p)))
    assert population_stability_index(p - 0.5, q - 0.5) == pytest.approx((there + back) / 200)


def test_which_sample_is_the_reference_makes_no_difference_nor_do_bins_in_another_order():
    p, q = np.array([30, 0, 12, 58]), np.array([1, 9, 40, 4])
    assert population_stability_index(p, q) == pytest.approx(population_stability_index(q[::-1], p[::-1]))
    assert population_stability_index(p, q) > 0 == population_stability_index(p, p)


def test_an_empty_bin_counts_as_half_a_row():
    total = population_stability_index([10, 10], [20, 0])
    assert total == pytest.approx((20.5 / 21 - 0.5) * math.log(41 / 21) + (0.5 / 21 - 0.5) * math.log(1 / 21))


def test_several_days_are_so_many_numbers():
    days = np.array([[5, 9, 7], [4, 4, 4], [0, 0, 30]])
    together = population_stability_index([6, 8, 7], days)
    assert together.shape == (3,)
    assert together.tolist() == [population_stability_index([6, 8, 7], day) for day in days]


@pytest.mark.parametrize("bins", [2, 5, 10])
def test_an_unchanged_world_stays_below_the_limit_as_often_as_it_says(bins):
    rng = np.random.default_rng(3)
    days, references = (rng.multinomial(n, np.full(bins, 1 / bins), 8_000) for n in (300, 500))
    found = np.array([population_stability_index(*pair) for pair in zip(references, days, strict=True)])
    assert np.mean(found <= stability_limit(bins, 300, 500)) == pytest.approx(0.95, abs=0.012)
    assert np.mean(found <= stability_limit(bins, 300, 500, 0.5)) == pytest.approx(0.5, abs=0.025)
    assert found.mean() == pytest.approx((bins - 1) * (1 / 300 + 1 / 500), rel=0.05)


def test_the_limit_is_a_quantile_of_chi_squared():
    assert stability_limit(10, 200, 1_000) == pytest.approx(chi2.ppf(0.95, 9) * (1 / 200 + 1 / 1_000))
    assert stability_limit(4, 50, confidence=0.9) == pytest.approx(chi2.ppf(0.9, 3) / 50)


@pytest.mark.parametrize(
    ("reference", "counts", "why"),
    [
        ([5], [5], r"shapes \(1,\), \(1,\); the same two bins or more"),
        ([5, 6], [5, 6, 7], r"shapes \(2,\), \(3,\)"),
        ([[5, 6]], [5, 6], r"reference must have 1 dimensions"),
        ([5, 6], 5, "counts must have 1 or 2 dimensions"),
        ([5, -1], [5, 6], "reference holds -1; rows in a bin are 0 or more"),
        ([5, 6], [5, math.nan], "counts must hold finite numbers"),
        ([5, 6], [5, math.inf], "counts must hold finite numbers"),
        (["a", "b"], [5, 6], "reference must hold finite numbers"),
    ],
)
def test_what_are_no_counts_in_the_same_bins_is_refused(reference, counts, why):
    with pytest.raises(ValueError, match=why):
        population_stability_index(reference, counts)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ((1, 10), "n_bins must be a whole number, 2 or more, got 1"),
        ((10, 0), "n must be above 0 and finite, got 0"),
        ((10, 5, -1), "n_reference must be above 0 and finite, got -1"),
        ((10, 5, 5, 1.0), "confidence must be between 0 and 1, got 1.0"),
    ],
)
def test_a_limit_of_what_cannot_be_is_refused(given, why):
    with pytest.raises(ValueError, match=why):
        stability_limit(*given)
