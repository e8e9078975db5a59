"""Other right answers to the exercises of 16_best_threshold: by other algebra, or by another library."""

import numpy as np

from evalteach import UnlabeledCurve
from evalteach.classification import fbeta


def one_after_the_other(k, recall, class_size, price, worth):
    best, highest = 0, 0
    for flagged, found in zip(k, recall, strict=True):
        gain = worth * class_size * found - price * flagged
        if gain > highest:
            best, highest = flagged, gain
    return best


def by_cost_in_finds(k, recall, class_size, price, worth):
    cost = np.concatenate([[0], price / worth * k - class_size * recall])
    return np.concatenate([[0], k])[np.argmin(cost)]


def by_hand(first, second, rows, class_size):
    reports = []
    for choose, report in [(first, second), (second, first)]:
        best = UnlabeledCurve(choose, rows).best(class_size)
        reports.append(
            2 * class_size * np.mean(report >= best.threshold) / (np.sum(rows >= best.threshold) + class_size)
        )
    return sum(reports) / 2


def by_all_counts(first, second, rows, class_size):
    curves = UnlabeledCurve(first, rows), UnlabeledCurve(second, rows)
    ks = [curve.pick(fbeta, class_size).k for curve in curves]
    return np.mean([fbeta(curve.counts(class_size, k)) for curve, k in zip(curves, ks[::-1], strict=True)])


def by_the_whole_curve(first, second, rows, class_size):
    one, other = (UnlabeledCurve(half, rows).f1(class_size) for half in (first, second))
    return 0.5 * one[np.argmax(other)] + 0.5 * other[np.argmax(one)]


def f1(recall, class_size, k):
    precision = recall * class_size / k
    return 2 * precision * recall / (precision + recall)


ANSWERS = {
    "checks_to_make": [one_after_the_other, by_cost_in_finds],
    "honest_f1": [by_hand, by_all_counts, by_the_whole_curve],
    "f1_too_high_by": [
        lambda times, class_size, k: (k + class_size) / (k / times + class_size),
        lambda times, class_size, k: f1(0.3, times * class_size, k) / f1(0.3, class_size, k),
    ],
}
