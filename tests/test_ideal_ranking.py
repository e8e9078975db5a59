"""Recall@k of a perfect ranking, band and tail: by hand, by every arrangement, by scipy, in simulations."""

import math
import tracemalloc
from itertools import combinations

import numpy as np
import pytest
import scipy.stats
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.stats import betabinom, fisher_exact, hypergeom

from evalteach.ideal_ranking import ideal_recall_band, ideal_recall_tail
from evalteach.unlabeled import UnlabeledCurve

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


@pytest.mark.parametrize("confidence", [0, 1, -0.5, 95, math.nan])
def test_a_confidence_that_is_not_between_0_and_1_is_refused(confidence):
    with pytest.raises(ValueError, match=f"^confidence must be between 0 and 1, got {confidence}$"):
        ideal_recall_band(10, 5, [1, 2], confidence)


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


# --- the tail of a perfect ranking -----------------------------------------------------------------------


def test_the_tail_is_worked_by_hand():
    # four test positives above the second of six unlabeled ones: they fill four of the first five places of ten
    assert ideal_recall_tail(4, 4, 6, k=2) == pytest.approx(5 / 210)
    assert ideal_recall_tail(3, 3, 5, k=1) == pytest.approx(1 / math.comb(8, 3))


@pytest.mark.parametrize(("m", "size"), [(1, 1), (1, 5), (4, 3), (3, 6)])
def test_the_tail_equals_counting_every_arrangement(m, size):
    places = np.array(list(combinations(range(m + size), m)))
    above = places - np.arange(m)
    for k in range(1, size + 3):
        hits = (above < k).sum(axis=1)
        for h in range(m + 1):
            assert ideal_recall_tail(h, m, size, k) == pytest.approx(np.mean(hits >= h))


@pytest.mark.parametrize(("m", "size"), [(5, 50), (40, 250), (200, 30)])
def test_the_tail_equals_two_distributions_of_scipy(m, size):
    hits, k = np.arange(1, m + 1), np.arange(1, size + 1)[:, None]
    tail = ideal_recall_tail(hits, m, size, k)
    assert tail.shape == (size, m)
    assert tail == pytest.approx(betabinom.sf(hits - 1, m, k, size - k + 1), abs=1e-9)
    assert tail == pytest.approx(hypergeom.sf(hits - 1, m + size, m, hits + k - 1), abs=1e-9)


def test_many_ranks_of_many_test_positives_need_little_memory():
    m, size, k = 2_000, 5_000, np.arange(1, 2_001)
    tracemalloc.start()
    tail = ideal_recall_tail(1_000, m, size, k)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 2e6  # a row of m + 1 for each rank would be 32 million bytes
    assert tail[[99, 1999]] == pytest.approx(betabinom.sf(999, m, k, size - k + 1)[[99, 1999]], abs=1e-9)


def test_a_tiny_tail_keeps_its_digits():
    assert ideal_recall_tail(40, 40, 250, 1) == pytest.approx(1 / math.comb(290, 40), rel=1e-6)


@pytest.mark.parametrize(("hits", "m", "flagged", "size"), [(12, 15, 10, 40), (3, 9, 0, 20), (9, 9, 19, 20)])
def test_at_a_threshold_one_rank_further_is_fishers_exact_test(hits, m, flagged, size):
    table = [[hits, flagged], [m - hits, size - flagged]]
    expected = fisher_exact(table, alternative="greater")[1]
    assert ideal_recall_tail(hits, m, size, flagged + 1) == pytest.approx(expected)


def test_no_hit_is_certain_and_so_is_all_beyond_the_class():
    assert ideal_recall_tail(0, 5, 10, 3) == 1
    assert ideal_recall_tail(5, 5, 10, 11) == 1
    assert ideal_recall_tail([0, 5], 5, 2.5, 3).tolist() == [1, 1]


def test_the_tail_falls_with_the_hits_and_rises_with_the_rank():
    hits, k = np.arange(21), np.arange(1, 62)
    assert np.all(np.diff(ideal_recall_tail(hits, 20, 60, 15)) < 0)
    assert np.all(np.diff(ideal_recall_tail(8, 20, 60, k)) > 0)


@pytest.mark.parametrize("separation", [0.0, 1.5, 20.0])
def test_fair_test_positives_of_any_model_alarm_no_more_often_than_promised(separation):
    rng, alarms = np.random.default_rng(1), 0
    for _ in range(1000):
        rows = np.append(rng.normal(separation, size=100), rng.normal(size=300))
        curve = UnlabeledCurve(rng.normal(separation, size=20), rows)
        alarms += ideal_recall_tail(round(20 * curve.recall_at(50)), 20, 100, 50) <= 0.05
    assert alarms <= 70  # 50 expected at most; more than 70 in two of a thousand runs


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        ((1, 0, 5, 1), "must be finite and 1 or more, got 0, 5, 1"),
        ((1, 2.5, 5, 1), r"n_test_positives \(whole\), class_size and k must be .*, got 2\.5, 5, 1"),
        ((1, 2, 0.5, 1), r"must be finite and 1 or more, got 2, 0\.5, 1"),
        ((1, 2, math.nan, 1), "must be finite and 1 or more, got 2, nan, 1"),
        ((1, 2, math.inf, 1), "must be finite and 1 or more, got 2, inf, 1"),
        ((1, 2, 5, 0), "must be finite and 1 or more, got 2, 5, 0"),
        ((3, 2, 5, 1), r"hits must be whole numbers from 0 to 2 \(test positives\), got 3"),
        ((-1, 2, 5, 1), "hits must be whole numbers from 0 to 2 .*, got -1"),
        (([1, 0.5], 2, 5, 1), r"hits must be whole numbers from 0 to 2 .*, got 0\.5"),
        (([1, [1, 2]], 2, 5, 1), "^hits cannot be read as an array"),
        ((1, 2, 5, np.ma.array([1, 2], mask=[0, 1])), "^k is masked at position 1"),
        (([1, math.nan], 2, 5, 1), "hits has nan at position 1; hits must be whole numbers"),
        ((1, 2, 5, "x"), "k has dtype .*; ranks must be whole numbers from 1 on"),
        ((1, 2, 5, 2.5), r"^k must be whole numbers from 1 on, got 2\.5$"),
        ((1, 2, 5, [1, math.inf]), "^k must be whole numbers from 1 on, got inf$"),
        (
            ([1, 2], 2, 5, [1, 2, 3]),
            r"^hits and k have shapes \(2,\), \(3,\); scalars or one common shape are accepted$",
        ),
        ((1, "2", 5, 1), "^n_test_positives must be one real number, got '2'$"),
    ],
)
def test_a_tail_of_what_cannot_be_is_refused(arguments, found):
    with pytest.raises(ValueError, match=found):
        ideal_recall_tail(*arguments)


def test_many_ranks_take_some_memory_and_give_the_same_band():
    ranks = np.arange(1.0, 4_001)
    ideal_recall_band(20, 900, ranks[:5])  # what is imported is not counted
    tracemalloc.start()
    band = np.array(ideal_recall_band(200, 3_500, ranks))
    assert tracemalloc.get_traced_memory()[1] < 60e6
    tracemalloc.stop()
    some = [0, 998, 999, 1_000, 1_001, 2_500, 3_499, 3_500, 3_999]
    one_by_one = [np.array(ideal_recall_band(200, 3_500, ranks[[k]])) for k in some]
    np.testing.assert_array_equal(band[:, some], np.hstack(one_by_one))
