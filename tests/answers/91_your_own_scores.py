"""Other right answers to the exercises of 91_your_own_scores: by other algebra, from a table, or row by row."""

import numpy as np


def from_a_table(low, high, meaning):
    side = np.sign(low - 0.5) + np.sign(high - 0.5)  # -2 below one half, 2 above it, anything else if it is in between
    return {(-2, "negative"): -1, (-2, "unknown"): 0, (-2, "positive"): 0, (2, "negative"): 0}.get((side, meaning), 1)


def by_agreement(low, high, meaning):
    is_below, is_above = max(low, high) < 0.5, min(low, high) > 0.5
    if meaning == "negative":
        return 1 - 2 * is_below - is_above
    return 1 - is_below


def one_after_the_other(threshold, recall, fpr, ratio, most):
    for t, r, f in sorted(zip(threshold, recall, fpr, strict=True)):
        if r / (1 + ratio) + f * (1 - 1 / (1 + ratio)) <= most:
            return t


ANSWERS = {
    "score_sign": [from_a_table, by_agreement],
    "team_threshold": [
        lambda threshold, recall, fpr, ratio, most: np.where(
            np.average([recall, fpr], axis=0, weights=[1, ratio]) <= most, threshold, np.inf
        ).min(),
        one_after_the_other,
    ],
}
