"""Other right answers to the exercises of 31_rank_position."""

import itertools
import math

import numpy as np
import pandas as pd
from sklearn.metrics import dcg_score

from evalteach import ranking


def by_hand(grades, k):
    weights = [math.log(2) / math.log(position + 1) for position in range(1, min(k, len(grades)) + 1)]
    ideal = sum(weight * grade for weight, grade in zip(weights, sorted(grades, reverse=True), strict=False))
    model = sum(weight * grade for weight, grade in zip(weights, grades, strict=False))
    return model / ideal, sum(weights) * sum(grades) / len(grades) / ideal


def by_scikit_learn(grades, k):
    order = -np.arange(len(grades))
    model, ideal, tied = (dcg_score([grades], [score], k=k) for score in (order, grades, np.zeros(len(grades))))
    return np.array([model, tied]) / ideal


def by_dictionary(user, rank):
    reciprocal = {}
    for name, first in zip(user, rank, strict=True):
        reciprocal.setdefault(name, []).append(1 / first if first else 0)
    return sum(sum(values) / len(values) for values in reciprocal.values()) / len(reciprocal)


def by_groups(user, rank):
    rows = sorted(zip(user, rank, strict=True))
    means = []
    for _, group in itertools.groupby(rows, key=lambda row: row[0]):
        values = [0 if first == 0 else first**-1.0 for _, first in group]
        means.append(np.mean(values))
    return np.mean(means)


def by_weights(user, rank):
    counts = pd.Series(user).map(pd.Series(user).value_counts())
    reciprocal = np.where(rank > 0, 1 / np.maximum(rank, 1), 0)
    return np.average(reciprocal, weights=1 / counts)


def pair_by_pair(grades, scores):
    right = total = 0
    for grade, score in zip(grades, scores, strict=True):
        for other, lower in zip(grades, scores, strict=True):
            if grade > other:
                total += 1
                right += 1 if score > lower else 0.5 if score == lower else 0
    return right / total


def by_sign(grades, scores):
    better = grades[:, None] > grades
    return np.mean((1 + np.sign(scores[:, None] - scores)[better]) / 2)


ANSWERS = {
    "ndcg_and_random": [
        by_hand,
        by_scikit_learn,
        lambda grades, k: [ranking.ndcg(grades, k), ranking.random_ndcg(grades, k)],
    ],
    "mrr_over_users": [by_dictionary, by_groups, by_weights],
    "pairs_half_for_ties": [
        pair_by_pair,
        by_sign,
        lambda grades, scores: ranking.fcp_ties_half(ranking.concordant_pairs(grades, scores)),
    ],
}
