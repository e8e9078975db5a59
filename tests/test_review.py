"""Estimates from expert reviews, against enumeration, scipy and simulation; and the explorer that plans them."""

import itertools
import math
import re
import tracemalloc
from fractions import Fraction
from functools import lru_cache
from math import comb

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import brentq
from scipy.stats import beta, binomtest, hypergeom

from evalteach import data
from evalteach._intervals import hypergeometric_interval
from evalteach.reviews.designs import draw_review_sample, inclusion_probabilities, neyman_allocation, rank_strata
from evalteach.reviews.estimates import ReviewEstimate, horvitz_thompson, reviewed_recall
from evalteach.reviews.forecast import planned_estimate
from evalteach.reviews.intervals import correlation_of_totals

LABELS = np.array([1, 1, 0, 1, 0, 0, 1, 0, 0, 0])


def whole_sums(rng, n_rows, reviews):
    return inclusion_probabilities(rng.random(n_rows) + 0.05, reviews)


# --- Neyman's allocation ---------------------------------------------------------------------------------


def test_allocation_by_hand():
    # weights 40, 10, 20 share out 35
    assert neyman_allocation([100, 100, 200], [0.4, 0.1, 0.1], 35).tolist() == [20, 5, 10]


@pytest.mark.parametrize("seed", range(40))
def test_no_other_split_in_whole_numbers_has_a_smaller_variance(seed):
    rng = np.random.default_rng(seed)
    rows, spread, budget = rng.integers(5, 30, 3), rng.random(3), 14
    splits = [s for s in itertools.product(range(2, 11), repeat=3) if sum(s) == budget and np.all(np.array(s) <= rows)]

    def variance(split):
        return np.sum(rows**2 * spread**2 / np.array(split))

    ours = neyman_allocation(rows, spread, budget)
    assert ours.sum() == budget
    assert variance(ours) == pytest.approx(min(map(variance, splits)))


def test_no_stratum_gets_more_reviews_than_rows_or_less_than_the_least():
    assert neyman_allocation([5, 1000], [0.5, 0.01], 50).tolist() == [5, 45]
    assert neyman_allocation([1, 500, 500], [0.5, 0.5, 0.0], 50).tolist() == [1, 47, 2]
    assert neyman_allocation([3, 4], [0, 0], 7).tolist() == [3, 4]
    assert neyman_allocation([30, 40], [0.5, 0], 10, least=4).tolist() == [6, 4]
    assert neyman_allocation([30, 40], [0.5, 0], 10, least=1).tolist() == [9, 1]


def test_huge_strata_cost_no_more_than_the_budget():
    tracemalloc.start()
    assert neyman_allocation([10**9, 10**6], [0.1, 0.5], 100).tolist() == [98, 2]
    assert neyman_allocation([10**9, 10**9, 10**9], [0.1, 0.2, 0.3], 60).tolist() == [10, 20, 30]
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1e6


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (([5, 5], [0.1, 0.1], 11), "budget must be a whole number of reviews from 4 to 10, got 11"),
        (([5, 5], [0.1, 0.1], 3), "budget must be .* from 4 to 10, got 3"),
        (([5, 5], [0.1, 0.1], 4.5), "budget must be .* got 4.5"),
        (([5, 5], [0.1, -0.1], 6), "spread holds -0.1 at position 1; spreads must be 0 or more and finite"),
        (([5, 5], [0.1, np.inf], 6), "spread holds inf at position 1; spreads must be 0 or more and finite"),
        (([5, 0], [0.1, 0.1], 6), "rows must be whole numbers, 1 or more, got 0"),
        (([5, 2.5], [0.1, 0.1], 6), "rows must be whole numbers, 1 or more, got 2.5"),
        (([5, 5], [0.1, 0.1], 6, 0), "least must be a whole number, 1 or more, got 0"),
        (([5, 5], [0.1, 0.1], 6, 2.5), "least must be a whole number, 1 or more, got 2.5"),
        (([5, 5], [0.1, 0.1], "6"), "budget must be one real number, got '6'"),
        (([5, 5], [0.1, 0.1], [6]), r"budget must be one real number, got \[6\]"),
        (([5, 5], [0.1, 0.1], 6, None), "least must be one real number, got None"),
        (([5, 5, 5], [0.1, 0.1], 6), "unequal lengths: rows has 3, spread has 2"),
        (([5, 5], [0.1, math.nan], 6), "spread has nan at position 1"),
    ],
)
def test_an_allocation_that_cannot_be_is_refused(arguments, found):
    *arguments, least = arguments if len(arguments) == 4 else (*arguments, 2)
    with pytest.raises(ValueError, match=found):
        neyman_allocation(*arguments, least=least)


# --- inclusion probabilities -----------------------------------------------------------------------------


def test_probabilities_are_proportional_where_none_passes_1():
    assert inclusion_probabilities([4, 3, 2, 1], 2, uniform=0) == pytest.approx([0.8, 0.6, 0.4, 0.2])
    assert inclusion_probabilities([4, 3, 2, 1], 2, uniform=1) == pytest.approx([0.5] * 4)
    # 0.9 × 0.4 + 0.1 / 4 of two reviews
    assert inclusion_probabilities([4, 3, 2, 1], 2)[0] == pytest.approx(2 * (0.36 + 0.025))


def test_what_a_sure_row_cannot_use_goes_to_the_others_in_proportion():
    assert inclusion_probabilities([100, 6, 3, 1], 3, uniform=0) == pytest.approx([1, 1, 0.75, 0.25])
    assert inclusion_probabilities([5, 0, 0], 2, uniform=0.3) == pytest.approx([1, 0.5, 0.5])


@pytest.mark.parametrize("budget", [1, 7, 60, 99, 100])
def test_probabilities_add_up_to_the_budget_and_keep_the_floor(budget):
    size = np.random.default_rng(0).random(100) ** 8
    probability = inclusion_probabilities(size, budget)
    assert probability.sum() == pytest.approx(budget)
    assert probability.max() <= 1
    assert probability.min() >= 0.1 * budget / 100 * (1 - 1e-12)
    assert np.all(np.diff(probability[np.argsort(size)]) >= -1e-12)


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (([1, -1], 1), "size holds -1 at position 1; sizes must be 0 or more and finite"),
        (([0, 0], 1), "size is 0 for all rows; at least one row has to count"),
        (([1, np.inf], 1), "size holds inf at position 1; sizes must be 0 or more and finite"),
        (([1, 1], 3), "budget must be a whole number of reviews from 1 to 2, got 3"),
        (([1, 1], 0), "budget must be .* from 1 to 2, got 0"),
        (([1, 1], None), "budget must be one real number, got None"),
    ],
)
def test_sizes_and_budgets_out_of_range_are_refused(arguments, found):
    with pytest.raises(ValueError, match=found):
        inclusion_probabilities(*arguments)


@pytest.mark.parametrize("uniform", [-0.1, 1.1, math.nan])
def test_a_mix_out_of_range_is_refused(uniform):
    with pytest.raises(ValueError, match=f"uniform must be between 0 and 1, both included, got {uniform}"):
        inclusion_probabilities([1, 1], 1, uniform=uniform)


@pytest.mark.parametrize("uniform", ["0.1", None, [0.1]])
def test_a_mix_that_is_no_number_is_refused(uniform):
    with pytest.raises(ValueError, match=f"uniform must be one real number, got {re.escape(repr(uniform))}"):
        inclusion_probabilities([1, 1], 1, uniform=uniform)


def test_without_a_uniform_part_the_budget_is_at_most_the_rows_of_any_size():
    with pytest.raises(ValueError, match="budget is 3 reviews, but only 2 rows have a size above 0; a uniform above 0"):
        inclusion_probabilities([5, 3, 0, 0, 0], 3, uniform=0)
    assert inclusion_probabilities([5, 3, 0, 0, 0], 2, uniform=0).tolist() == [1, 1, 0, 0, 0]
    assert inclusion_probabilities([5, 3, 0, 0, 0], 3, uniform=0.1).sum() == pytest.approx(3)


# --- drawing ---------------------------------------------------------------------------------------------


def test_each_row_is_drawn_as_often_as_its_probability_says():
    probability = whole_sums(np.random.default_rng(1), 12, 5)
    drawn = [draw_review_sample(probability, seed=seed) for seed in range(4000)]
    assert {rows.size for rows in drawn} == {5}
    assert all(np.unique(rows).size == 5 for rows in drawn)
    often = np.bincount(np.concatenate(drawn), minlength=12) / 4000
    assert np.abs(often - probability).max() < 4 * 0.5 / math.sqrt(4000)


def test_equal_probabilities_draw_every_subset_alike():
    drawn = [tuple(sorted(draw_review_sample(np.full(5, 0.4), seed=seed))) for seed in range(5000)]
    often = np.array([drawn.count(pair) for pair in itertools.combinations(range(5), 2)])
    assert often.sum() == 5000
    assert np.abs(often - 500).max() < 4.5 * math.sqrt(450)


def test_the_first_drawn_rows_are_a_random_part_of_the_sample():
    probability, stratum = np.repeat([0.5, 0.25], [8, 16]), np.repeat([0, 1], [8, 16])
    first = np.array([draw_review_sample(probability, stratum, seed=seed)[0] for seed in range(3000)])
    assert np.mean(first < 8) == pytest.approx(0.5, abs=0.04)


def test_each_stratum_gives_its_own_number_whatever_the_order_of_the_rows():
    stratum = np.array(list("bacbacbacb"))
    probability = np.select([stratum == "a", stratum == "b"], [2 / 3, 1 / 4], 1)
    for seed in range(20):
        rows = draw_review_sample(probability, stratum, seed=seed)
        assert sorted(stratum[rows]) == ["a", "a", "b", "c", "c", "c"]


def test_a_draw_follows_its_seed_and_a_generator_goes_on():
    probability = np.full(30, 0.2)
    one, same = (draw_review_sample(probability, seed=3) for _ in range(2))
    assert one.tolist() == same.tolist()
    rng = np.random.default_rng(3)
    assert draw_review_sample(probability, seed=rng).tolist() == one.tolist()
    assert draw_review_sample(probability, seed=rng).tolist() != one.tolist()


def test_a_census_draws_every_row():
    assert sorted(draw_review_sample(np.ones(6))) == list(range(6))


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (([0.5, 0.6],), "probability adds up to 1.1 in a stratum; a whole number of reviews is needed"),
        (([0.5, 0.5], [0, 1]), "probability adds up to 0.5 in a stratum"),
        (([0.0, 1.0],), "probability holds 0 at position 0; inclusion probabilities must be above 0 and at most 1"),
        (([1.5, 0.5],), "probability holds 1.5 at position 0; inclusion"),
        (([0.5, 0.5], [0]), "unequal lengths: probability has 2, stratum has 1"),
        (([0.5, 0.5], [0, math.nan]), "stratum is missing at position 1; every row needs one"),
    ],
)
def test_a_design_that_cannot_be_drawn_is_refused(arguments, found):
    with pytest.raises(ValueError, match=found):
        draw_review_sample(*arguments)


MISSING = [
    [math.nan, 1, 2],
    [None, "a", "b"],
    [math.nan, "a", "b"],
    pd.array([None, 1, 2], dtype="Int64"),
    pd.Series([pd.NA, "a", "b"], dtype="string"),
    np.array(["NaT", "2026-01-01", "2026-01-02"], dtype="datetime64[D]"),
]


@pytest.mark.parametrize("stratum", MISSING)
def test_a_missing_stratum_is_refused(stratum):
    for estimate in (
        lambda: planned_estimate([0.5] * 3, [0.5] * 3, stratum=stratum),
        lambda: horvitz_thompson([0, 1, 1], [0.5] * 3, 6, stratum=stratum),
    ):
        with pytest.raises(ValueError, match="stratum is missing at position 0; every row needs one"):
            estimate()


@pytest.mark.parametrize(
    "names",
    [
        ["a", "b", "c"],
        np.array(["a", "b", "c"], dtype=object),
        np.array([1, "a", "b"], dtype=object),
        pd.array([1, 2, 3], dtype="Int64"),
        pd.Categorical(["a", "b", "c"]),
        [False, True, 2.5],
    ],
)
def test_strata_may_have_any_names(names):
    probability, stratum = np.repeat([0.5, 0.4, 0.5], [4, 5, 2]), np.repeat([0, 1, 2], [4, 5, 2])
    named = np.asarray(names, dtype=object)[stratum]
    rows = draw_review_sample(probability, stratum)
    assert draw_review_sample(probability, named).tolist() == rows.tolist()
    guess = np.linspace(0, 1, 11)
    assert planned_estimate(guess, probability, stratum=named) == planned_estimate(guess, probability, stratum=stratum)


def end_of(share, variance, worth, level=0.975):
    """Upper end of a share: as many equal reviews as have this variance, and one hit more that is worth some."""
    n = share * (1 - share) / variance
    hits, scale = share * n + worth, (share * n + worth**2) / (share * n + worth)
    return beta.ppf(level, hits / scale, (n - hits) / scale + 1)


# --- Horvitz and Thompson --------------------------------------------------------------------------------


def test_a_worked_example_by_hand():
    # 1/0.5 + 1/0.25
    assert horvitz_thompson([1, 0, 1], [0.5, 0.25, 0.25], 9).total == 6


def test_over_all_simple_random_samples_estimate_and_variance_are_exact():
    samples = np.array(list(itertools.combinations(range(10), 4)))
    found = [horvitz_thompson(LABELS[rows], np.full(4, 0.4), 10) for rows in samples]
    totals = np.array([one.total for one in found])
    assert totals.mean() == pytest.approx(LABELS.sum())
    assert np.mean([one.sd**2 for one in found]) == pytest.approx(totals.var())
    assert planned_estimate(LABELS, np.full(10, 0.4)).sd ** 2 == pytest.approx(totals.var())


def test_over_all_stratified_samples_estimate_and_variance_are_exact():
    stratum, probability = np.repeat([0, 1], [4, 6]), np.repeat([0.5, 0.5], [4, 6])
    found = []
    for first in itertools.combinations(range(4), 2):
        for second in itertools.combinations(range(4, 10), 3):
            rows = np.array(first + second)
            found.append(horvitz_thompson(LABELS[rows], probability[rows], 10, stratum=stratum[rows]))
    totals = np.array([one.total for one in found])
    assert totals.mean() == pytest.approx(LABELS.sum())
    assert np.mean([one.sd**2 for one in found]) == pytest.approx(totals.var())
    assert planned_estimate(LABELS, probability, stratum=stratum).sd ** 2 == pytest.approx(totals.var())


def test_with_unequal_probabilities_estimate_and_variance_are_right_on_average():
    rng = np.random.default_rng(2)
    score = rng.random(400)
    labels = rng.random(400) < score**2
    probability = inclusion_probabilities(score, 60)
    found = []
    for _ in range(1500):
        rows = draw_review_sample(probability, seed=rng)
        found.append(horvitz_thompson(labels[rows], probability[rows], 400))
    found = np.array(found)
    true_sd = found[:, 0].std()
    assert found[:, 0].mean() == pytest.approx(labels.sum(), abs=4 * true_sd / math.sqrt(1500))
    assert math.sqrt(np.mean(found[:, 1] ** 2)) == pytest.approx(true_sd, rel=0.06)
    assert planned_estimate(labels, probability).sd == pytest.approx(true_sd, rel=0.06)


def test_a_fully_reviewed_pile_is_known():
    assert horvitz_thompson(LABELS, np.ones(10), 10) == ReviewEstimate(4, 0, 4, 4)
    assert planned_estimate(LABELS, np.ones(10)) == ReviewEstimate(4, 0, 4, 4)


@pytest.mark.parametrize(("labels", "hits"), [([0] * 20, 0), ([1] * 20, 20)])
def test_without_any_spread_the_interval_is_that_of_as_many_reviews(labels, hits):
    found = horvitz_thompson(labels, np.full(20, 0.01), 2000)
    missed = np.arange(2000)[hypergeom.pmf(0, 2000, np.arange(2000), 20) > 0.025].max()
    exact = (2000 - missed, 2000) if hits else (0, missed)
    assert (found.low, found.high) == exact


def test_strata_without_any_spread_do_not_make_a_few_reviews_a_certainty():
    labels, probability = np.repeat([1, 0], 10), np.full(20, 0.03)
    found = horvitz_thompson(labels, probability, 667, stratum=labels)
    exact = binomtest(10, 20).proportion_ci(method="exact")
    assert (found.low, found.high) == pytest.approx((667 * exact.low, 667 * exact.high), rel=1e-3)


def test_the_upper_end_counts_one_more_positive_of_the_thinnest_stratum():
    labels, stratum = np.array([1, 0, 1, 0, 0, 0, 0, 0, 0, 0]), np.repeat([0, 1, 2], [4, 2, 4])
    probability = np.array([4 / 40, 2 / 50, 4 / 80])[stratum]
    found = horvitz_thompson(labels, probability, 170, stratum=stratum)
    variance = 40**2 * (1 / 3) / 4 * (1 - 4 / 40)  # 20 positives in the first stratum, s² = 1/3
    assert found.sd == pytest.approx(math.sqrt(variance))
    n_same = 20 / 170 * (150 / 170) / (variance / 170**2)
    # the thinnest "no", in the second stratum, stands for 24 rows beside itself, an equal review for 170 / n_same
    assert found.high == pytest.approx(170 * end_of(20 / 170, variance / 170**2, 24 * n_same / 170))
    # every "yes" is in the first stratum
    assert found.low == pytest.approx(170 - 170 * end_of(150 / 170, variance / 170**2, 9 * n_same / 170))
    # what lacks is the other label: the picture in a mirror
    mirror = horvitz_thompson(1 - labels, probability, 170, stratum=stratum)
    assert (170 - mirror.high, 170 - mirror.low) == pytest.approx((found.low, found.high))


@pytest.mark.parametrize(("rows", "reviews"), [((5_000, 12_000), (81, 73)), ((500, 16_500), (100, 54))])
def test_where_nothing_was_found_the_bound_is_that_of_the_thinnest_stratum(rows, reviews):
    rows, reviews, stratum = np.array(rows), np.array(reviews), np.repeat([0, 1], reviews)
    log = {"probability": (reviews / rows)[stratum], "n_rows": int(rows.sum()), "stratum": stratum}
    found = horvitz_thompson(np.zeros(stratum.size, dtype=bool), confidence=0.9, **log)
    # if all lay in the thinnest, no review would meet one with this probability
    assert hypergeom.pmf(0, rows[1], round(found.high), reviews[1]) == pytest.approx(0.05, abs=0.003)


@pytest.mark.parametrize(
    ("rows", "reviews"), [((400, 4_000), (200, 40)), ((400, 4_000), (100, 120)), ((400, 4), (9, 2))]
)
def test_over_all_samples_the_interval_holds_however_many_positives_hide_at_the_bottom(rows, reviews):
    stratum, best = np.repeat([0, 1], reviews), rows[0] // 2
    probability = (np.array(reviews) / rows)[stratum]
    # whatever is seen of the best stratum, by its number of positives and of the other's
    seen = np.arange(max(0, best - rows[0] + reviews[0]), reviews[0] + 1)
    likely = hypergeom.pmf(seen, rows[0], best, reviews[0])
    seen, likely = seen[likely > 1e-6], likely[likely > 1e-6]
    bottom = np.arange(min(reviews[1], 20) + 1)
    ends = np.empty((seen.size, bottom.size, 2))
    for (i, s), (j, b) in itertools.product(enumerate(seen), enumerate(bottom)):
        labels = np.arange(stratum.size) < s
        labels[reviews[0] : reviews[0] + b] = True
        ends[i, j] = horvitz_thompson(labels, probability, sum(rows), stratum=stratum)[2:]
    for hidden in np.unique(np.linspace(0, min(rows[1], 8 * rows[1] // reviews[1]), 25).astype(int)):
        both = likely[:, None] * hypergeom.pmf(bottom, rows[1], hidden, reviews[1])
        assert both.sum() > 0.99
        held = (ends[..., 0] <= best + hidden) & (best + hidden <= ends[..., 1])
        assert np.sum(both * held) >= 0.93


def test_a_stratum_that_is_fully_reviewed_hides_nothing():
    labels, probability, stratum = [1, 0, 1, 0, 0, 1], [0.1, 0.1, 0.1, 1, 1, 1], [0, 0, 0, 1, 1, 1]
    without = horvitz_thompson(labels[:3], probability[:3], 30)
    found = horvitz_thompson(labels, probability, 33, stratum=stratum)
    assert found.sd == pytest.approx(without.sd)
    assert (found.total, found.low, found.high) == (1 + without.total, 1 + without.low, 1 + without.high)


def test_rows_that_were_sure_to_be_drawn_leave_the_doubt_about_the_others():
    labels, probability = [1, 1, 0, 1, 0, 0, 1, 0], [1, 1, 1, 0.2, 0.2, 0.2, 0.2, 0.2]
    others = horvitz_thompson(labels[3:], probability[3:], 25)
    found = horvitz_thompson(labels, probability, 28)
    assert (found.total, found.sd) == pytest.approx((2 + others.total, others.sd))
    assert 2 + 2 <= found.low < 7 < 12 < 17 < found.high <= 28 - 4
    plan, of_others = planned_estimate(labels, probability), planned_estimate(labels[3:], probability[3:])
    assert (plan.total, plan.sd) == pytest.approx((2 + of_others.total, of_others.sd))
    # a single row that was not sure says nothing about its like
    assert math.isnan(horvitz_thompson(labels[:4], probability[:4], 8).sd)


def test_the_interval_holds_only_what_the_answers_leave_possible():
    found = horvitz_thompson([1, 1, 0, 0], [4 / 12] * 4, 12)
    assert (found.low, found.high) == (2, 10)
    assert horvitz_thompson([0, 0, 0], [3 / 5] * 3, 5).high == 2
    assert horvitz_thompson([1, 1, 1], [3 / 5] * 3, 5).low == 3


def test_thinly_drawn_rows_may_hide_positives():
    labels, probability = np.array([1, 1, 0, 0, 0, 0]), np.array([0.5, 0.25, 0.5, 0.1, 0.05, 0.25])
    found = horvitz_thompson(labels, probability, 42)
    doubt, stands_for = 1 - probability, labels / probability
    middle = np.sum(doubt * stands_for) / np.sum(doubt)
    variance = 6 / 5 * np.sum(doubt * (stands_for - middle) ** 2)
    n_same = 6 / 42 * (36 / 42) / (variance / 42**2)
    assert found.sd == pytest.approx(math.sqrt(variance))
    assert found.low == pytest.approx(max(2, 42 - 42 * end_of(36 / 42, variance / 42**2, max(1, 3 * n_same / 42))))
    assert found.high == pytest.approx(min(42 - 4, 42 * end_of(6 / 42, variance / 42**2, 19 * n_same / 42)))


def test_a_stratum_with_one_review_has_no_variance_to_estimate():
    found = horvitz_thompson([1, 0, 1], [0.5, 0.5, 0.2], 9, stratum=[0, 0, 1])
    assert found.total == 7
    assert np.isnan(found[1:]).all()
    known = horvitz_thompson([1, 0, 1], [0.5, 0.5, 1], 5, stratum=[0, 0, 1])
    assert not np.isnan(known).any()


def test_an_estimate_above_all_rows_is_not_clipped_but_its_interval_is():
    found = horvitz_thompson([1, 1, 0, 1], [0.1, 0.2, 0.9, 0.5], 12)
    assert found.total == pytest.approx(17)
    assert 3 <= found.low < found.high == 11


def test_the_interval_does_not_collapse_as_the_estimate_reaches_all_rows():
    probability, labels = np.repeat([0.005, 0.5], [6, 94]), np.arange(100) < 5
    n_rows = np.array([990, 999, 1000, 1001, 1010])
    found = [horvitz_thompson(labels, probability, int(n)) for n in n_rows]
    assert [one.total for one in found] == pytest.approx([1000] * 5)
    assert np.ptp([one.low / n for one, n in zip(found, n_rows, strict=True)]) < 0.002
    assert [one.high for one in found] == pytest.approx(n_rows - 95)  # all but the negatives found
    # one sd below all rows, as so many simple random reviews with this sd would have it
    share = 1 - found[2].sd / 1000
    n_same = share * (1 - share) / (found[2].sd / 1000) ** 2
    assert found[2].low == pytest.approx(1000 * beta.ppf(0.025, share * n_same, (1 - share) * n_same + 1))


@pytest.mark.parametrize(
    ("probability", "n_rows", "more", "stand_for"),
    [
        ([1] * 10, 11, {}, 10),
        ([0.5] * 10, 100_000, {}, 20),
        ([0.5] * 10, 19, {}, 20),
        ([0.9] * 10, 10, {}, 11),
        ([0.5] * 4 + [0.25] * 6, 40, {"stratum": [0] * 4 + [1] * 6}, 32),
        ([0.5] * 2 + [0.25] * 3, 32, {"stratum": [0] * 2 + [1] * 3}, 16),  # half of that log
        ([0.5, 0.3, 0.1, 0.05, 0.02, 0.02, 0.5, 0.5, 0.5, 0.5], 100_000, {}, 143),
        ([0.5, 0.3, 0.1, 0.05, 0.02, 0.02, 0.5, 0.5, 0.5, 0.5], 11, {}, 143),
    ],
)
def test_probabilities_that_contradict_the_number_of_rows_are_refused(probability, n_rows, more, stand_for):
    labels = np.arange(len(probability)) < 3
    for estimate in (horvitz_thompson, lambda y, *rest, **more: reviewed_recall(y, y, *rest, **more)):
        with pytest.raises(ValueError, match=f"probability contradicts n_rows: .* {stand_for} rows .*, not {n_rows};"):
            estimate(labels, probability, n_rows, **more)


@pytest.mark.parametrize("reviews", [120, 360])
def test_a_log_drawn_with_its_own_probabilities_is_never_refused(reviews):
    rng = np.random.default_rng(6)
    score = np.append(rng.beta(1, 60, 19_900), rng.beta(4, 2, 100))
    probability = inclusion_probabilities(np.sqrt(score), reviews)
    for _ in range(100):
        rows = draw_review_sample(probability, seed=rng)
        horvitz_thompson(score[rows] > 0.5, probability[rows], score.size)


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (([1, 0], [0.5], 9), "unequal lengths: y_true has 2, probability has 1"),
        (([1, 0], [0.5, 0], 9), "probability holds 0"),
        (([1, 2], [0.5, 0.5], 9), "y_true holds 1, 2"),
        (([1, 0], [0.5, 0.5], 1), "n_rows must be a whole number, at least the 2 reviewed rows, got 1"),
        (([1, 0], [0.5, 0.5], 4.5), "n_rows must be a whole number"),
        (([1, 0], [0.5, 0.5], "4"), "n_rows must be one real number, got '4'"),
        (([1, 0], [0.5, 0.5], None), "n_rows must be one real number, got None"),
        (([1, 0], [0.5, 0.5], [4]), r"n_rows must be one real number, got \[4\]"),
        (([], [], 9), "y_true is empty"),
    ],
)
def test_a_log_that_cannot_be_is_refused(arguments, found):
    with pytest.raises(ValueError, match=found):
        horvitz_thompson(*arguments)


@pytest.mark.parametrize("confidence", [0, 1, 95, math.nan])
def test_a_level_out_of_range_is_refused(confidence):
    with pytest.raises(ValueError, match=f"confidence must be between 0 and 1, got {confidence}"):
        horvitz_thompson([1, 0], [0.5, 0.5], 4, confidence=confidence)


@pytest.mark.parametrize("confidence", ["0.9", None, [0.9]])
def test_a_level_that_is_no_number_is_refused(confidence):
    for estimate in (
        lambda: horvitz_thompson([1, 0], [0.5, 0.5], 4, confidence=confidence),
        lambda: planned_estimate([1, 0], [0.5, 0.5], confidence=confidence),
    ):
        with pytest.raises(ValueError, match=f"confidence must be one real number, got {re.escape(repr(confidence))}"):
            estimate()


def test_a_plan_without_any_positive_rests_on_the_number_of_reviews():
    plan = planned_estimate([0] * 100, [0.2] * 100)
    assert plan[:3] == (0, 0, 0)
    assert plan.high == horvitz_thompson([0] * 20, [0.2] * 20, 100).high
    in_two = planned_estimate([0] * 100, [0.2] * 100, stratum=np.arange(100) % 2)
    assert in_two.high == pytest.approx(100 * (1 - 0.025 ** (1 / 20)))


@pytest.mark.parametrize("hits", [0, 3, 3.25, 20])
def test_a_plan_of_a_simple_random_sample_expects_the_interval_of_what_it_will_find(hits):
    plan = planned_estimate([hits / 20] * 100, [0.2] * 100)
    whole, part = divmod(hits, 1)
    ends = [horvitz_thompson(np.arange(20) < whole + more, [0.2] * 20, 100)[2:] for more in (0, 1)]
    expected = (1 - part) * np.array(ends[0]) + part * np.array(ends[1])
    assert (plan.low, plan.high) == pytest.approx(tuple(expected))


def test_a_plan_counts_one_more_positive_of_the_thinnest_rows_that_may_say_no():
    stratum = np.repeat([0, 1], [100, 900])
    probability, guess = np.array([0.4, 0.05])[stratum], np.array([0.3, 0.01])[stratum]
    plan = planned_estimate(guess, probability, stratum=stratum)
    n_same = 0.039 * 0.961 / (plan.sd / 1000) ** 2
    assert plan.high == pytest.approx(1000 * end_of(0.039, (plan.sd / 1000) ** 2, 19 * n_same / 1000))
    assert plan.low == pytest.approx(1000 * beta.ppf(0.025, 0.039 * n_same, 0.961 * n_same + 1))
    sure = planned_estimate(np.array([0.3, 1])[stratum], probability, stratum=stratum)  # only the best may say no
    n_same = 0.93 * 0.07 / (sure.sd / 1000) ** 2
    assert sure.high == pytest.approx(1000 * end_of(0.93, (sure.sd / 1000) ** 2, max(1, 1.5 * n_same / 1000)))


def test_the_thinnest_rows_of_a_log_are_those_of_the_part():
    labels, probability = np.array([1, 1, 0, 0, 0, 0]), np.array([0.5, 0.25, 0.5, 0.1, 0.05, 0.25])
    within = probability >= 0.25
    every = np.repeat([0.25, 0.5], [20, 10])
    found = horvitz_thompson(labels, probability, 42, within=within, probability_within=every)
    n_same = 6 / 42 * (36 / 42) / (found.sd / 42) ** 2
    assert found.high == pytest.approx(42 * end_of(6 / 42, (found.sd / 42) ** 2, max(1, 3 * n_same / 42)))
    # as far as the log tells, rows as thin as .05 may belong to the part, too
    unknown = horvitz_thompson(labels, probability, 42, within=within)
    assert unknown[:3] == pytest.approx(found[:3])
    assert unknown.high == pytest.approx(min(38, 42 * end_of(6 / 42, (found.sd / 42) ** 2, 19 * n_same / 42)))


def test_equal_rows_may_be_written_once():
    rng = np.random.default_rng(8)
    times, size, guess = rng.integers(1, 9, 6), rng.random(6) + 0.05, rng.random(6)
    entry = np.repeat(np.arange(6), times)
    for budget in (3, times.sum() - 1, times.sum()):
        short = inclusion_probabilities(size, budget, rows=times)
        assert short[entry] == pytest.approx(inclusion_probabilities(size[entry], budget))
        plan = planned_estimate(guess, short, rows=times)
        assert plan == pytest.approx(planned_estimate(guess[entry], short[entry]))
        # guesses that differ between rows drawn alike may be averaged
        apart = guess[entry] + np.where(np.arange(entry.size) % 2, 0.01, -0.01)
        mean = np.bincount(entry, apart) / times
        assert planned_estimate(mean, short, rows=times) == pytest.approx(planned_estimate(apart, short[entry]))


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        ([1, 0], "rows must be whole numbers, 1 or more, got 0"),
        ([1, 2.5], "rows must be whole numbers, 1 or more, got 2.5"),
        ([1], "unequal lengths: rows has 1, "),
        ([1, np.nan], "^rows has nan at position 1"),
    ],
)
def test_entries_that_stand_for_no_whole_number_of_rows_are_refused(rows, found):
    for call in (
        lambda: inclusion_probabilities([1, 1], 1, rows=rows),
        lambda: planned_estimate([0.5, 0.5], [0.5, 0.5], rows=rows),
    ):
        with pytest.raises(ValueError, match=found):
            call()


def test_rows_that_are_sure_excuse_no_wrong_number_of_rows():
    probability = [1, 1, 0.5, 0.5, 0.5, 0.5]  # they stand for ten rows, and exactly
    assert horvitz_thompson([1] * 6, probability, 10).total == 10
    with pytest.raises(ValueError, match=r"^probability contradicts n_rows: the reviewed rows stand for 10 rows"):
        horvitz_thompson([1] * 6, probability, 12)


def test_the_spread_of_two_reviews_counts_twice_since_one_degree_of_freedom_is_left():
    guess, probability = np.array([0.5, 0.25]), np.array([0.5, 0.2])
    doubt = 1 - probability
    middle = np.sum(doubt * guess) / np.sum(probability * doubt)
    of_labels = [
        (p * g * (1 / p - middle) ** 2 + p * (1 - g) * middle**2) for p, g in zip(probability, guess, strict=True)
    ]
    assert planned_estimate(guess, probability).sd ** 2 == pytest.approx(2 * np.sum(doubt * of_labels))


def test_a_plan_in_which_all_are_positive_starts_one_sd_below_them():
    plan = planned_estimate([1] * 4, [0.2, 0.3, 0.5, 1])
    share = 1 - plan.sd / 4
    n_same = share * (1 - share) / (plan.sd / 4) ** 2
    assert plan.low == pytest.approx(4 * beta.ppf(0.025, share * n_same, (1 - share) * n_same + 1))
    assert 0 < plan.low < plan.high == plan.total == 4


@pytest.mark.parametrize(
    ("guess", "found"),
    [([0.5, 1.2], "guess holds 1.2 at position 1; prob"), ([-0.1, 0.3], "guess holds -0.1 at position 0; prob")],
)
def test_a_guess_that_is_no_probability_is_refused(guess, found):
    with pytest.raises(ValueError, match=re.escape(found)):
        planned_estimate(guess, [0.5, 0.5])


# --- parts of a log -------------------------------------------------------------------------------------


def all_stratified_samples():
    """Ten rows in two strata, three of four and three of six drawn: rows, and the strata they were drawn in."""
    stratum, probability = np.repeat([0, 1], [4, 6]), np.repeat([3 / 4, 3 / 6], [4, 6])
    for first in itertools.combinations(range(4), 3):
        for second in itertools.combinations(range(4, 10), 3):
            rows = np.array(first + second)
            yield rows, probability[rows], stratum[rows]


@pytest.mark.parametrize("part", [[1, 1, 1, 1, 0, 0, 0, 0, 0, 0], [0, 1, 0, 1, 1, 1, 1, 0, 0, 0]])
def test_over_all_samples_the_positives_of_a_part_are_estimated_without_bias(part):
    part, found = np.array(part, dtype=bool), []
    for rows, probability, stratum in all_stratified_samples():
        found.append(horvitz_thompson(LABELS[rows], probability, 10, stratum=stratum, within=part[rows]))
    totals = np.array([one.total for one in found])
    assert totals.mean() == pytest.approx(np.sum(LABELS * part))
    if part[4:].any():  # else a sample may miss it
        assert np.mean([one.sd**2 for one in found]) == pytest.approx(totals.var())
    for one, (rows, _, _) in zip(found, all_stratified_samples(), strict=True):
        assert np.sum((LABELS * part)[rows]) <= one.low <= one.high <= 10 - np.sum(1 - (LABELS * part)[rows])


def test_a_part_made_of_whole_strata_is_a_log_of_its_own():
    rng = np.random.default_rng(9)
    stratum = np.repeat([0, 1, 2], [30, 20, 40])
    probability, labels = np.array([0.6, 0.2, 0.05])[stratum], rng.random(90) < [0.5, 0.1, 0.02][1]
    part, every = stratum < 2, np.repeat([0.6, 0.2], [50, 100])
    inside = horvitz_thompson(labels, probability, 950, stratum=stratum, within=part, probability_within=every)
    alone = horvitz_thompson(labels[part], probability[part], 150, stratum=stratum[part])
    assert inside[:2] == pytest.approx(alone[:2])
    assert (inside.low, inside.high) == pytest.approx((alone.low, alone.high))
    whole = horvitz_thompson(labels & part, probability, 950, stratum=stratum)
    assert inside.high < whole.high  # which grants the third stratum hidden positives
    # and so does a part of which nobody says how far it reaches
    assert horvitz_thompson(labels, probability, 950, stratum=stratum, within=part) == pytest.approx(whole)


def test_a_part_without_any_review_is_unknown():
    found = horvitz_thompson([1, 0, 1], [0.5] * 3, 6, within=[0, 0, 0])
    assert math.isnan(found.sd)
    assert (found.total, found.low, found.high) == (0, 0, 3)  # the three that were not reviewed


def test_recall_by_hand():
    labels, flagged, probability = [1, 1, 0, 1, 0], [1, 1, 1, 0, 0], [0.5, 0.5, 0.5, 0.25, 0.25]
    recall, low, high = reviewed_recall(labels, flagged, probability, 14, stratum=[0, 0, 0, 1, 1])
    assert recall == 4 / (4 + 4)
    assert 0 < low < 0.5 < high < 1


def test_the_ends_of_recall_are_where_flagged_and_missed_may_balance():
    rng = np.random.default_rng(10)
    stratum = np.repeat([0, 1], [60, 60])
    probability, flagged = np.array([0.3, 0.02])[stratum], stratum == 0
    for _ in range(20):
        labels = rng.random(120) < np.array([0.4, 0.05])[stratum]
        hit, missed = (
            horvitz_thompson(labels[part], probability[part], n_rows)
            for part, n_rows in ((flagged, 200), (~flagged, 3000))
        )

        def surplus(recall, side, hit=hit, missed=missed):
            # of (1 - recall) × hit - recall × missed: the estimate, and how far it may be off to that side
            ends = (hit.low, missed.high) if side > 0 else (hit.high, missed.low)
            off = np.hypot((1 - recall) * (ends[0] - hit.total), recall * (ends[1] - missed.total))
            return (1 - recall) * hit.total - recall * missed.total - side * off

        low, high = (
            brentq(surplus, *ends, args=(side,))
            for side, ends in (
                (1, (1e-9, hit.total / (hit.total + missed.total))),
                (-1, (hit.total / (hit.total + missed.total), 1 - 1e-9)),
            )
        )
        every = {"probability_flagged": np.full(200, 0.3), "probability_not_flagged": np.full(3000, 0.02)}
        found = reviewed_recall(labels, flagged, probability, 3200, stratum=stratum, **every)
        assert found == pytest.approx((hit.total / (hit.total + missed.total), low, high), rel=1e-6)


def test_what_is_not_flagged_has_the_rest_of_recall():
    labels, flagged = np.array([1, 1, 0, 1, 0, 0, 1, 0]), np.array([1, 1, 1, 1, 0, 0, 0, 0])
    probability, stratum = np.repeat([0.5, 0.1], 4), np.repeat([0, 1], 4)
    recall, low, high = reviewed_recall(labels, flagged, probability, 48, stratum=stratum)
    assert reviewed_recall(labels, 1 - flagged, probability, 48, stratum=stratum) == pytest.approx(
        (1 - recall, 1 - high, 1 - low)
    )


def test_recall_without_a_missed_positive_is_one_at_most_and_without_any_positive_unknown():
    probability, stratum = np.repeat([0.5, 0.1], 4), np.repeat([0, 1], 4)
    recall, low, high = reviewed_recall(stratum == 0, stratum == 0, probability, 48, stratum=stratum)
    assert (recall, high) == (1, 1)
    assert 0.1 < low < 0.6  # forty rows that four reviews know
    nothing = reviewed_recall(np.zeros(8, dtype=bool), stratum == 0, probability, 48, stratum=stratum)
    assert math.isnan(nothing[0])
    assert nothing[1:] == (0, 1)
    # one review of a stratum, so no variance and no end
    single = reviewed_recall([1, 0, 1], [1, 1, 0], [0.5, 0.5, 0.25], 8, stratum=[0, 0, 1])
    assert single == (2 / (2 + 4), 0, 1)


def test_parts_are_read_like_labels():
    for call in (
        lambda flags: horvitz_thompson([1, 0], [0.5, 0.5], 4, within=flags),
        lambda flags: reviewed_recall([1, 0], flags, [0.5, 0.5], 4),
    ):
        for flags, found in (([1, 2], "holds 1, 2; labels must be"), ([1], "unequal lengths")):
            with pytest.raises(ValueError, match=found):
                call(flags)


@lru_cache
def no_more_than(found, n_rows, total, reviews):
    """Probability, as a fraction, that a sample holds so few of so many positives."""
    ways = sum(comb(total, i) * comb(n_rows - total, reviews - i) for i in range(found + 1) if i <= reviews)
    return Fraction(ways, comb(n_rows, reviews))


def likeliest(n_rows, reviews, found, tail):
    """All numbers of positives with which so few, and so many, positives in a sample are likelier than the tail."""
    return [
        total
        for total in range(n_rows + 1)
        if no_more_than(found, n_rows, total, reviews) > tail
        and no_more_than(reviews - found, n_rows, n_rows - total, reviews) > tail
    ]


@pytest.mark.parametrize("n_rows", [1, 2, 5, 12, 25])
@pytest.mark.parametrize("tail", [Fraction(1, 40), Fraction(1, 20), Fraction(3, 10)])
def test_the_exact_interval_holds_every_number_of_positives_that_is_likely_enough(n_rows, tail):
    for reviews in range(1, n_rows + 1):
        found = np.arange(reviews + 1)
        low, high = hypergeometric_interval(found, reviews, n_rows, float(tail))
        for hits in found.tolist():
            expected = likeliest(n_rows, reviews, hits, tail)
            assert (low[hits], high[hits]) == (expected[0], expected[-1])
            assert hypergeometric_interval(hits, reviews, n_rows, float(tail)) == (expected[0], expected[-1])


@pytest.mark.parametrize(
    ("found", "reviews", "n_rows"), [(3, 300, 100_000), (250, 300, 100_000), (40_000, 80_000, 10**6)]
)
def test_among_many_rows_the_exact_interval_ends_where_the_tail_does(found, reviews, n_rows):
    low, high = hypergeometric_interval(found, reviews, n_rows, 0.025)
    assert hypergeom.cdf(found, n_rows, high, reviews) > 0.025 > hypergeom.cdf(found, n_rows, high + 1, reviews)
    assert hypergeom.sf(found - 1, n_rows, low, reviews) > 0.025 > hypergeom.sf(found - 1, n_rows, low - 1, reviews)


def test_of_120_rows_100_without_a_positive_leave_two_at_most():
    found = horvitz_thompson([0] * 100, [100 / 120] * 100, 120)
    # two hidden ones would both be among the last 20: 20 × 19 of 120 × 119 samples
    assert 20 * 19 / (120 * 119) > 0.025 > 20 * 19 * 18 / (120 * 119 * 118)
    assert (found.low, found.high) == (0, 2)
    assert horvitz_thompson([0] * 100, [100 / 120] * 100, 120, confidence=0.9).high == 1
    assert horvitz_thompson([0] * 1500, [1500 / 1528] * 1500, 1528).high == 0


@pytest.mark.parametrize("n_rows", [10**7, 10**9])
def test_among_very_many_rows_the_exact_interval_is_the_binomial_one(n_rows):
    low, high = hypergeometric_interval(17, 100, n_rows, 0.025)
    exact = binomtest(17, 100).proportion_ci(method="exact")
    assert (low / n_rows, high / n_rows) == pytest.approx((exact.low, exact.high), rel=1e-4)


@pytest.mark.parametrize(("n_rows", "reviews"), [(120, 20), (120, 100), (1528, 20), (1528, 240), (300, 299)])
def test_over_all_samples_the_exact_interval_holds_its_level_for_every_number_of_positives(n_rows, reviews):
    found, totals = np.arange(reviews + 1), np.unique(np.linspace(0, n_rows, 100).astype(int))[:, None]
    low, high = hypergeometric_interval(found, reviews, n_rows, 0.025)
    held = np.sum(hypergeom.pmf(found, n_rows, totals, reviews) * ((low <= totals) & (totals <= high)), axis=1)
    assert held.min() >= 0.95 - 1e-9
    assert held.min() < 0.99


# the new model's domain: rows and reviews of each stratum, rows of the domain in it, and positives among these
DOMAINS = [
    ((200, 9_800), (60, 60), (70, 80), (60, 80)),
    ((300, 700, 9_000), (60, 60, 60), (50, 0, 100), (40, 0, 60)),
    ((200, 800, 9_000), (80, 80, 40), (200, 0, 30), (180, 0, 30)),
]


def log_of(rng, rows, reviews):
    """Positions of simple random samples of strata that lie one behind the other."""
    strata = zip(np.cumsum([0, *rows[:-1]]), rows, reviews, strict=True)
    return np.concatenate([start + rng.choice(size, n, replace=False) for start, size, n in strata])


@pytest.mark.parametrize(("rows", "reviews", "sizes", "positives"), DOMAINS)
@pytest.mark.parametrize("known", [False, True])
def test_a_part_may_lie_in_strata_where_nothing_of_it_was_reviewed(rows, reviews, sizes, positives, known):
    stratum, place = np.repeat(np.arange(len(rows)), rows), np.concatenate([np.arange(size) for size in rows])
    within, y_true = (place < np.array(counts)[stratum] for counts in (sizes, positives))
    probability, rng, held = np.divide(reviews, rows)[stratum], np.random.default_rng(0), 0
    reach = {"probability_within": probability[within]} if known else {}
    for _ in range(200):
        log = log_of(rng, rows, reviews)
        design = {"stratum": stratum[log], "within": within[log]}
        found = horvitz_thompson(y_true[log], probability[log], stratum.size, **design, **reach)
        held += found.low <= sum(positives) <= found.high
    assert held / 200 >= 0.91  # a coverage of .95, less 2.5 standard deviations; it was .05 to .45


def test_a_stratum_that_a_part_does_not_reach_hides_none_of_it():
    labels, stratum = np.repeat([1, 0, 0], [9, 11, 30]), np.repeat([0, 1], [20, 30])
    probability, top = np.array([0.4, 0.01])[stratum], stratum == 0
    known = horvitz_thompson(
        labels, probability, 3050, stratum=stratum, within=top, probability_within=np.full(50, 0.4)
    )
    # the top alone is a simple random sample of 20 of 50 rows
    assert (known.low, known.high) == hypergeometric_interval(9, 20, 50, 0.025)
    unknown = horvitz_thompson(labels, probability, 3050, stratum=stratum, within=top)
    assert unknown[:2] == known[:2]
    assert unknown.high > 200
    # of ten further rows down there no more than ten can be positive
    some = np.repeat([0.4, 0.01], [50, 10])
    within = horvitz_thompson(labels, probability, 3050, stratum=stratum, within=top, probability_within=some)
    assert known.high < within.high == 60 - 11


def test_probabilities_of_a_part_that_do_not_fit_its_reviews_are_refused():
    def of(*every):
        return horvitz_thompson([1, 0, 1], [0.5, 0.5, 0.25], 8, within=[1, 0, 1], probability_within=every)

    assert of(0.5, 0.25, 0.25).total == 6
    for every, found in (
        ((0.5,), "has 1 rows, but 2 of the 3 reviewed rows belong there"),
        ((0.5,) * 8, "has 8 rows, but 2 of the 3 reviewed rows belong there, and n_rows is 8"),
        ((0.5, 0.5), "lacks 0.25, the probability of the reviewed row at position 2"),
        ((0.5, 0.0), "probability_within"),
    ):
        with pytest.raises(ValueError, match=found):
            of(*every)


@pytest.mark.parametrize(
    ("rows", "reviews", "share", "recall"),
    [((10_000,), (150,), 0.9, 0.5), ((10_000,), (150,), 0.95, 0.5), ((2_000, 8_000), (75, 75), 0.9, 0.9)],
)
def test_recall_holds_its_level_where_most_rows_are_positive(rows, reviews, share, recall):
    rng, stratum = np.random.default_rng(1), np.repeat(np.arange(len(rows)), rows)
    y_true, flagged = rng.random(stratum.size) < share, rng.random(stratum.size) < recall / (1 + 4 * stratum)
    truth, probability, held = np.sum(y_true & flagged) / y_true.sum(), np.divide(reviews, rows)[stratum], 0
    for _ in range(400):
        log = log_of(rng, rows, reviews)
        design = probability[log], stratum.size
        _, low, high = reviewed_recall(y_true[log], flagged[log], *design, stratum=stratum[log])
        held += low <= truth <= high
    assert (
        held / 400 >= 0.923
    )  # a coverage of .95, less 2.5 standard deviations, and more than two independent totals give


def test_recall_holds_its_level_where_flagged_rows_are_hardly_reviewed():
    rows, reviews, flags, positives = (200, 19_800), (100, 60), (70, 80), (60, 80)
    stratum, place = np.repeat([0, 1], rows), np.concatenate([np.arange(size) for size in rows])
    flagged, y_true = (place < np.array(counts)[stratum] for counts in (flags, positives))
    y_true |= (stratum == 0) & (place >= 180)
    probability, rng, held = np.divide(reviews, rows)[stratum], np.random.default_rng(0), 0
    every = {"probability_flagged": probability[flagged], "probability_not_flagged": probability[~flagged]}
    for _ in range(300):
        log = log_of(rng, rows, reviews)
        design = {"stratum": stratum[log], **every}
        recall, low, high = reviewed_recall(y_true[log], flagged[log], probability[log], 20_000, **design)
        held += low <= 140 / 160 <= high
        assert low <= recall <= high  # also where one review of the bottom stands for more rows than are flagged
    assert held / 300 >= 0.918  # a coverage of .95, less 2.5 standard deviations


def test_the_totals_of_flagged_and_other_positives_are_correlated_as_in_all_samples():
    flagged, pairs = np.arange(10) % 2 == 0, []
    for rows in itertools.combinations(range(10), 4):
        rows = np.array(rows)
        pairs.append([10 / 4 * np.sum((LABELS > 0)[rows] & part[rows]) for part in (flagged, ~flagged)])
    covariance = np.cov(np.transpose(pairs), ddof=0)
    # of all rows, a census of samples: the estimates' averages are the true covariances
    rows, strata = np.arange(10), [np.arange(10)]
    found = correlation_of_totals(LABELS > 0, np.full(10, 0.4), strata, flagged)
    assert found == pytest.approx(covariance[0, 1] / math.sqrt(covariance[0, 0] * covariance[1, 1]))
    assert found < 0
    # nothing of one total, or strata of one kind: nothing in common
    assert correlation_of_totals(LABELS > 0, np.full(10, 0.4), strata, rows < 0) == 0
    apart = [np.flatnonzero(flagged), np.flatnonzero(~flagged)]
    assert correlation_of_totals(LABELS > 0, np.full(10, 0.4), apart, flagged) == pytest.approx(0, abs=1e-12)


# --- strata ---------------------------------------------------------------------------------------------


def test_strata_are_cut_at_ranks_that_grow_with_the_class():
    score = np.random.default_rng(0).permutation(10_000) / 10_000
    assert np.bincount(rank_strata(score, 100)).tolist() == [50, 100, 350, 1000, 2500, 6000]
    assert np.bincount(rank_strata(score, 10)).tolist() == [5, 10, 35, 100, 250, 9600]
    assert np.bincount(rank_strata(score, 400)).tolist() == [200, 400, 1400, 8000]  # 6000 is beyond the half
    assert np.bincount(rank_strata(score, 10_000)).tolist() == [5000, 5000]
    best = np.argsort(-score)
    assert np.all(np.diff(rank_strata(score, 100)[best]) >= 0)
    assert rank_strata([3.0, 2.0, 1.0], 0.1).tolist() == [0, 0, 0]


def test_equal_scores_share_the_stratum_of_the_best_of_them():
    score = np.repeat([9.0, 8, 7, 1], [1, 4, 5, 90])
    # edges at ranks 2, 6, 20, each inside a tie
    assert np.bincount(rank_strata(score, 4)).tolist() == [5, 5, 90]
    assert rank_strata(np.ones(9), 3).tolist() == [0] * 9


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (([0.5, 0.1], 0), "class_size must be above 0 and at most 2, got 0"),
        (([0.5, 0.1], 3), "class_size must be above 0 and at most 2, got 3"),
        (([0.5, 0.1], math.nan), "class_size must be above 0 and at most 2, got nan"),
        (([0.5, 0.1], "1"), "class_size must be one real number, got '1'"),
        (([0.5, math.nan], 1), "y_score has nan at position 1"),
    ],
)
def test_strata_of_nothing_are_refused(arguments, found):
    with pytest.raises(ValueError, match=found):
        rank_strata(*arguments)


# --- coverage --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def nines():
    parts = data.digits_three_of_ten()
    scores = parts.unlabeled_scores[:, 2]
    stratum = np.argsort(np.argsort(-scores, kind="stable"), kind="stable") // 191
    return scores, parts.unlabeled_labels == 9, stratum, parts.test_scores[parts.test_labels == 9, 2]


@pytest.mark.parametrize("digit", [3, 8, 9])
@pytest.mark.parametrize("least", [2, 15])
def test_strata_hold_the_promise_also_where_hardly_any_review_goes(digit, least):
    parts = data.digits_three_of_ten()
    scores, truth = parts.unlabeled_scores[:, parts.classes.index(digit)], parts.unlabeled_labels == digit
    stratum = np.argsort(np.argsort(-scores, kind="stable"), kind="stable") // 191
    rows, share = np.bincount(stratum), np.array([0.36, 0.12, 0.02, *[0.001] * 5])
    probability = (neyman_allocation(rows, np.sqrt(share * (1 - share)), 240, least=least) / rows)[stratum]
    rng, held = np.random.default_rng(3), 0
    for _ in range(500):
        drawn = draw_review_sample(probability, stratum, seed=rng)
        found = horvitz_thompson(truth[drawn], probability[drawn], scores.size, stratum=stratum[drawn])
        held += found.low <= truth.sum() <= found.high
    assert held / 500 >= 0.93


@pytest.mark.parametrize("scheme", ["simple random", "stratified", "importance"])
@pytest.mark.parametrize("reviews", [80, 240])
def test_a_nominal_95_percent_covers_at_least_93(nines, scheme, reviews):
    scores, truth, stratum, _ = nines
    probability, strata = np.full(scores.size, reviews / scores.size), None
    if scheme == "stratified":
        rows, share = np.bincount(stratum), np.array([0.36, 0.12, 0.02, *[0.005] * 5])
        probability = (neyman_allocation(rows, np.sqrt(share * (1 - share)), reviews) / rows)[stratum]
        strata = stratum
    elif scheme == "importance":
        probability = inclusion_probabilities(np.sqrt(scores), reviews)
    rng, held = np.random.default_rng(7), 0
    for _ in range(800):
        rows = draw_review_sample(probability, strata, seed=rng)
        in_strata = None if strata is None else strata[rows]
        found = horvitz_thompson(truth[rows], probability[rows], scores.size, stratum=in_strata)
        held += found.low <= truth.sum() <= found.high
    assert held / 800 >= 0.93
    if scheme == "simple random":  # no row is thinner than the others
        assert held / 800 <= 0.99


def test_misleading_scores_do_not_turn_estimates_of_all_rows_into_certainties():
    truth = np.arange(1000) < 900
    probability = inclusion_probabilities((np.arange(1000) / 1000) ** 2, 60)  # the negatives score best
    rng, held, reached = np.random.default_rng(5), [], []
    for _ in range(400):
        rows = draw_review_sample(probability, seed=rng)
        found = horvitz_thompson(truth[rows], probability[rows], 1000)
        held.append(found.low <= 900 <= found.high)
        reached.append(found.total >= 1000)
    assert 50 < sum(reached) < 200
    assert np.mean(np.array(held)[reached]) >= 0.95
    assert np.mean(held) >= 0.8  # not 0.95: positives with small probabilities stay unseen


def test_a_domain_that_is_no_label_is_refused_by_its_name():
    with pytest.raises(ValueError, match=r"^within"):
        horvitz_thompson([1, 0, 0], [0.5] * 3, 6, within=[1, 2, 3])
