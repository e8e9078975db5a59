"""Other right answers to the exercises of 14_reading_the_curve: by other algebra, or by another library."""

import numpy as np
from scipy.special import betaln
from scipy.stats import betabinom

from evalteach.ideal_ranking import ideal_recall_band


def gap_by_gap(k, N):
    rank_of_gap = np.arange(1, N + 2)  # in gap i the test positive is a hit from rank i on
    hit = np.minimum(k, N + 1)[:, None] >= rank_of_gap
    return hit.mean(axis=1)


def fold_by_fold(hidden, fold, row):
    learned = 0
    for other in set(fold.tolist()) - {fold[row]}:
        learned += np.count_nonzero(hidden[fold == other])
    return learned


def from_the_end(called, recall, wanted):
    for i in np.argsort(called)[::-1]:
        if recall[i] >= wanted * called[i]:
            return called[i]


ANSWERS = {
    "recall_of_a_perfect_model": [
        lambda k, N: np.minimum(k, N + 1) / (N + 1),
        lambda k, N: ideal_recall_band(1, N, k)[1],
        gap_by_gap,
    ],
    "hidden_ones_learned": [
        lambda hidden, fold, row: hidden.sum() - hidden[fold == fold[row]].sum(),
        lambda hidden, fold, row: np.dot(hidden, fold != fold[row]),
        fold_by_fold,
    ],
    "tail_of_all_found": [
        lambda m, N, k: betabinom.pmf(m, m, k, N - k + 1),
        lambda m, N, k: np.exp(betaln(m + k, N - k + 1) - betaln(k, N - k + 1)),
        lambda m, N, k: np.prod((k + np.arange(m)) / (N + 1 + np.arange(m))),
    ],
    "calls_that_pay": [
        from_the_end,
        lambda called, recall, wanted: np.where(recall / wanted >= called, called, 0).max(),
    ],
}
