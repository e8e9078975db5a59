"""Other right answers to the exercises of 19_expert_review: by other algebra, or by the library."""

from math import comb

import numpy as np
from scipy.optimize import brentq

from evalteach.review import horvitz_thompson


def spread_of_all_draws(labels, n_rows):
    """Half of the mean squared difference of two reviewed labels is their variance."""
    n = labels.size
    pairs = sum(labels[i] != labels[j] for i in range(n) for j in range(i))
    return (pairs / comb(n, 2) / 2 * (1 / n - 1 / n_rows)) ** 0.5


def spread_of_the_library(labels, n_rows):
    return horvitz_thompson(labels, np.full(labels.size, labels.size / n_rows), n_rows).sd / n_rows


def positives_one_by_one(rows, reviews, found):
    positives = 0
    for of_rows, of_reviews, hits in zip(rows, reviews, found, strict=True):
        positives += hits / of_reviews * of_rows
    return positives


def reviews_one_by_one(p, n_rows, half_width):
    n = 1
    while 2 * (p * (1 - p) / n * (1 - n / n_rows)) ** 0.5 > half_width:
        n += 1
    return n


def reviews_by_root(p, n_rows, half_width):
    root = brentq(lambda n: 4 * p * (1 - p) * (1 / n - 1 / n_rows) - half_width**2, 1e-9, n_rows, xtol=1e-9)
    return int(root) + 1


ANSWERS = {
    "spread_by_lot": [spread_of_all_draws, spread_of_the_library],
    "positives_by_strata": [
        lambda rows, reviews, found: np.dot(rows / reviews, found),
        positives_one_by_one,
    ],
    "expected_yes": [
        lambda positives, n_rows, missed, wrong: positives * (1 - missed - wrong) + wrong * n_rows,
        lambda positives, n_rows, missed, wrong: np.dot([positives, n_rows - positives], [1 - missed, wrong]),
    ],
    "reviews_to_order": [reviews_one_by_one, reviews_by_root],
}
