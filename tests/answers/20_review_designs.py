"""Other right answers to the exercises of 20_review_designs: by other algebra, or by the library."""

import numpy as np

from evalteach.review import horvitz_thompson


def reviews_one_by_one(rows, shares, budget):
    spreads = [size * (share - share**2) ** 0.5 for size, share in zip(rows, shares, strict=True)]
    return [spread / sum(spreads) * budget for spread in spreads]


def heaviest_yes(labels, chances):
    yes = np.flatnonzero(labels)
    return yes[np.argmin(chances[yes])] if yes.size else 0


def heaviest_so_far(labels, chances):
    best, lightest = 0, np.inf
    for i, (label, chance) in enumerate(zip(labels, chances, strict=True)):
        if label and chance < lightest:
            best, lightest = i, chance
    return best


ANSWERS = {
    "reviews_by_stratum": [
        reviews_one_by_one,
        lambda rows, shares, budget: (
            budget * np.sqrt(rows**2 * shares * (1 - shares)) / np.dot(rows, np.sqrt(shares - shares**2))
        ),
    ],
    "size_from_log": [
        lambda labels, chances: np.dot(labels, 1 / chances),
        lambda labels, chances: horvitz_thompson(labels, chances, round(np.sum(1 / chances)) + 1).total,
    ],
    "variance_of_design": [
        lambda p, power, budget: np.sum(p ** (1 - power)) * np.sum(p**power) / budget,
        lambda p, power, budget: sum(p / (p**power / np.mean(p**power) * budget / p.size)),
    ],
    "second_opinion": [heaviest_yes, heaviest_so_far],
}
