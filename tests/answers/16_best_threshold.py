"""Other right answers to the exercises of 16_best_threshold: by other algebra, or by another library."""

import numpy as np

from evalteach import UnlabeledCurve
from evalteach.classification import fbeta


def by_precision(recall, class_size, k, beta):
    precision = recall * class_size / k
    return (1 + beta**2) * precision * recall / (beta**2 * precision + recall)


def by_harmonic_mean(recall, class_size, k, beta):
    return (1 + beta**2) / (k / (recall * class_size) + beta**2 / recall)


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


def by_hand(choose, read, rows, class_size):
    best = UnlabeledCurve(choose, rows).best(class_size)
    return 2 * class_size * np.mean(read >= best.threshold) / (np.sum(rows >= best.threshold) + class_size)


def by_all_counts(choose, read, rows, class_size):
    pick = UnlabeledCurve(choose, rows).pick(fbeta, class_size)
    return fbeta(UnlabeledCurve(read, rows).counts(class_size, pick.k))


ANSWERS = {
    "fbeta_at_k": [by_precision, by_harmonic_mean],
    "checks_to_make": [one_after_the_other, by_cost_in_finds],
    "honest_f1": [by_hand, by_all_counts],
    "f1_too_high_by": [
        lambda times, class_size, k: (k + class_size) / (k / times + class_size),
        lambda times, class_size, k: by_precision(0.3, times * class_size, k, 1) / by_precision(0.3, class_size, k, 1),
    ],
}
