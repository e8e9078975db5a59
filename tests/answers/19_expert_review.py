"""Other right answers to the exercises of 19_expert_review: by other algebra, or by the library."""

from math import comb

import numpy as np
from scipy.optimize import brentq

from evalteach.reviews.estimates import horvitz_thompson


def most_one_by_one(n_rows, reviews):
    """All positives have to be among the rows that nobody reviewed."""
    left = n_rows - reviews
    return max(K for K in range(left + 1) if comb(left, K) / comb(n_rows, K) >= 0.05)


def most_of_the_library(n_rows, reviews):
    """The upper end of a 90% interval leaves 5% above it."""
    probability = np.full(reviews, reviews / n_rows)
    return horvitz_thompson(np.zeros(reviews, int), probability, n_rows, confidence=0.9).high


def recall_of_weights(rows, reviews, found):
    weights = rows / reviews
    if not np.any(found):
        return float("nan")
    return 1 - weights[1] * found[1] / np.dot(weights, found)


def recall_by_odds(rows, reviews, found):
    if found[0] == 0:
        return np.nan if found[1] == 0 else 0.0
    missed_per_hit = found[1] / found[0] * rows[1] / rows[0] * reviews[0] / reviews[1]
    return 1 / (1 + missed_per_hit)


def reviews_one_by_one(p, n_rows, half_width):
    n = 1
    while 2 * (p * (1 - p) / n * (1 - n / n_rows)) ** 0.5 > half_width:
        n += 1
    return n


def reviews_by_root(p, n_rows, half_width):
    root = brentq(lambda n: 4 * p * (1 - p) * (1 / n - 1 / n_rows) - half_width**2, 1e-9, n_rows, xtol=1e-9)
    return int(root) + 1


def corrected_by_two_equations(yes, n_rows, missed, wrong):
    """Yeses and all rows, as sums of positives and others."""
    return np.linalg.solve([[1 - missed, wrong], [1, 1]], [yes, n_rows])[0]


ANSWERS = {
    "most_positives": [most_one_by_one, most_of_the_library],
    "recall_of_strata": [recall_of_weights, recall_by_odds],
    "reviews_to_order": [reviews_one_by_one, reviews_by_root],
    "positives_behind": [
        lambda yes, n_rows, missed, wrong: n_rows * (yes / n_rows - wrong) / (1 - missed - wrong),
        corrected_by_two_equations,
    ],
}
