"""Other right answers to the exercises of this notebook: its checks have to accept them."""

import numpy as np

from evalteach.counts import Counts
from evalteach.prevalence import adjusted_count


def size_by_two_equations(tp, fp, fn, tn, k, n):
    # N positives and n - N negatives, k of them flagged
    rates = [[tp / (tp + fn), fp / (fp + tn)], [1, 1]]
    return np.linalg.solve(rates, [k, n])[0]


def step_by_odds(p, trained, share):
    odds = p / (1 - p) * (share / (1 - share)) / (trained / (1 - trained))
    return (odds / (1 + odds)).mean()


def step_by_rows(p, trained, share):
    shifted = []
    for each in p:
        positive, negative = each / trained * share, (1 - each) / (1 - trained) * (1 - share)
        shifted.append(positive / (positive + negative))
    return sum(shifted) / len(shifted)


def said_by_the_library(positives, known, unseen, g, recall, fpr):
    test = Counts(tp=recall, fp=fpr, fn=1 - recall, tn=1 - fpr)
    flagged = np.average([recall, fpr, g], weights=[positives, known, unseen])
    return adjusted_count(test, flagged)


def truth_and_error(positives, known, unseen, g, recall, fpr):
    rows = positives + known + unseen
    return positives / rows + unseen / rows * (g - fpr) / (recall - fpr)


def place_by_variance(recall, fpr):
    quality = (recall - fpr) ** 2 / (fpr - fpr**2)
    return int(np.argmax(quality))


def place_by_trying(recall, fpr):
    noise = [np.inf if r == f else (f * (1 - f)) ** 0.5 / abs(r - f) for r, f in zip(recall, fpr, strict=True)]
    return noise.index(min(noise))


ANSWERS = {
    "size_from_flags": [
        size_by_two_equations,
        lambda tp, fp, fn, tn, k, n: n * adjusted_count(Counts(tp=tp, fp=fp, fn=fn, tn=tn), k / n),
    ],
    "em_step": [step_by_odds, step_by_rows],
    "count_said": [said_by_the_library, truth_and_error],
    "place_to_count": [place_by_variance, place_by_trying],
}
