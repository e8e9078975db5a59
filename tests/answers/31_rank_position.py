"""Other right answers to the exercises of 31_rank_position."""

import math

import numpy as np

from evalteach import ranking


def _pairs(grades, scores):
    right = total = 0
    for grade, score in zip(grades, scores, strict=True):
        for other, lower in zip(grades, scores, strict=True):
            if grade > other:
                total += 1
                right += 1 if score > lower else 0.5 if score == lower else 0
    return right / total


ANSWERS = {
    "shuffled_ndcg": [
        lambda grades: ranking.random_ndcg(grades),
        lambda grades: ranking.dcg(np.full(grades.size, grades.mean())) / ranking.dcg(-np.sort(-grades)),
    ],
    "dcg_won_by_swap": [
        lambda low, high, i: (
            (high / math.log2(i + 1) + low / math.log2(i + 2)) - (low / math.log2(i + 1) + high / math.log2(i + 2))
        ),
        lambda low, high, i: ranking.dcg([0] * (i - 1) + [high, low]) - ranking.dcg([0] * (i - 1) + [low, high]),
    ],
    "pairs_half_for_ties": [
        _pairs,
        lambda grades, scores: ranking.fcp_ties_half(ranking.concordant_pairs(grades, scores)),
    ],
    "ranker_for_users": [
        lambda first, second, ideal: int(np.sum(second / ideal) > np.sum(first / ideal)),
        lambda first, second, ideal: int(sum((b - a) / n for a, b, n in zip(first, second, ideal, strict=True)) > 0),
    ],
}
