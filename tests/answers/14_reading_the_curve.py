"""Other right answers to the exercises of 14_reading_the_curve: by other algebra, or by another library."""

from math import comb

import numpy as np
from scipy.special import betaln
from scipy.stats import betabinom

from evalteach.ideal_ranking import ideal_recall_band


def gap_by_gap(k, N):
    rank_of_gap = np.arange(1, N + 2)  # in gap i the test positive is a hit from rank i on
    hit = np.minimum(k, N + 1)[:, None] >= rank_of_gap
    return hit.mean(axis=1)


def all_sizes_at_once(N, k, limit):
    m = np.arange(1, 1_000)
    tails = np.exp(betaln(m + k, N - k + 1) - betaln(k, N - k + 1))
    return m[tails <= limit].min()


def one_factor_more(N, k, limit):
    tail = 1
    for m in range(1, 1_000):
        tail *= (k + m - 1) / (N + m)
        if tail <= limit:
            return m


def from_the_end(called, recall, wanted):
    for i in np.argsort(called)[::-1]:
        if recall[i] >= wanted * called[i]:
            return called[i]


def above_or_below(curve):
    if curve in ["A", "C"]:
        return 1 if curve == "A" else 2
    return {"B": 3}.get(curve, 4)


ANSWERS = {
    "cause_of": [above_or_below, lambda curve: [1, 3, 2, 4]["ABCD".index(curve)]],
    "recall_of_a_perfect_model": [
        lambda k, N: np.minimum(k, N + 1) / (N + 1),
        lambda k, N: ideal_recall_band(1, N, k)[1],
        gap_by_gap,
    ],
    "test_positives_to_ask_for": [
        all_sizes_at_once,
        one_factor_more,
        lambda N, k, limit: min(m for m in range(1, 200) if comb(m + k - 1, m) / comb(m + N, m) <= limit),
        lambda N, k, limit: next(m for m in range(1, 200) if betabinom.pmf(m, m, k, N - k + 1) <= limit),
    ],
    "calls_that_pay": [
        from_the_end,
        lambda called, recall, wanted: np.where(recall / wanted >= called, called, 0).max(),
    ],
}
