"""Other right answers to the exercises of 60_agreement: by other algebra, or by another library."""

import numpy as np
from sklearn.metrics import cohen_kappa_score


def by_weighted_rows(tp, fp, fn, tn, share):
    weights = np.repeat([share / (tp + fn), (1 - share) / (fp + tn)] * 2, [tp, fp, fn, tn])
    flagged = np.repeat([1, 1, 0, 0], [tp, fp, fn, tn])
    label = np.repeat([1, 0, 1, 0], [tp, fp, fn, tn])
    kappa = cohen_kappa_score(label, flagged, sample_weight=weights)
    return [np.average(flagged == label, weights=weights), kappa]


def by_products(tp, fp, fn, tn, share):
    missed, alarms = share * fn / (tp + fn), (1 - share) * fp / (fp + tn)
    hits, rest = share - missed, 1 - share - alarms
    kappa = 2 * (hits * rest - missed * alarms) / ((hits + alarms) * (1 - share) + share * (missed + rest))
    return np.array([hits + rest, kappa])


def by_distances(agreement, person):
    return [abs(agreement + person - 1), 1 - abs(agreement - person)]


def by_what_only_the_judge_gets_right(agreement, person):
    differ = 1 - agreement
    only_judge = np.array([max(0, differ - person), min(differ, 1 - person)])
    return person - differ + 2 * only_judge


def by_all_pairs(first, second):
    grades = [*first, *second]
    n = len(grades)
    drawn = sum((a - b) ** 2 for a in grades for b in grades) / (n * (n - 1))
    return 1 - sum((a - b) ** 2 for a, b in zip(first, second, strict=True)) / len(first) / drawn


def by_sums_of_squares(first, second):
    mean = (np.mean(first) + np.mean(second)) / 2
    total = np.sum((first - mean) ** 2) + np.sum((second - mean) ** 2)
    return 1 - (2 * len(first) - 1) * np.sum(np.square(first - second)) / (2 * len(first) * total)


ANSWERS = {
    "in_production": [by_weighted_rows, by_products],
    "judge_range": [by_distances, by_what_only_the_judge_gets_right],
    "alpha_of_grades": [by_all_pairs, by_sums_of_squares],
}
