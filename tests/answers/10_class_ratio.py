"""Other right answers to the exercises of 10_class_ratio: by other algebra, or by another library."""

import numpy as np
from scipy.special import expit, logit
from sklearn.metrics import precision_score

from evalteach import Counts, at_class_ratio
from evalteach.classification import precision


def precision_of_rows(recall, fpr, ratio):
    weights = [recall, 1 - recall, fpr * ratio, (1 - fpr) * ratio]
    return precision_score([1, 1, 0, 0], [1, 0, 1, 0], sample_weight=weights)


def precision_of_counts(recall, fpr, ratio):
    return precision(at_class_ratio(Counts(tp=recall, fn=1 - recall, fp=fpr, tn=1 - fpr), ratio))


def precision_from_odds(recall, fpr, ratio):
    if fpr == 0:
        return 1.0
    odds = recall / fpr / ratio
    return odds / (1 + odds)


def precision_from_prevalence(recall, fpr, ratio):
    prevalence = 1 / (1 + ratio)
    return recall * prevalence / (recall * prevalence + fpr * (1 - prevalence))


def first_from_below(threshold, recall, fpr, ratio, wanted):
    for i in np.argsort(threshold):
        if recall[i] * (1 - wanted) >= wanted * fpr[i] * ratio:
            return threshold[i]


def lowest_of_all(threshold, recall, fpr, ratio, wanted):
    pairs = zip(threshold, recall / (recall + fpr * ratio), strict=True)
    return min(t for t, there in pairs if there >= wanted)


def lowest_by_odds(threshold, recall, fpr, ratio, wanted):
    with np.errstate(divide="ignore"):
        odds = recall / (fpr * ratio)
    return threshold[odds * (1 - wanted) >= wanted - 1e-12].min()


ANSWERS = {
    "deployed_precision": [
        lambda recall, fpr, ratio: 1 / (1 + fpr / recall * ratio),
        precision_of_rows,
        precision_of_counts,
        precision_from_odds,
        precision_from_prevalence,
    ],
    "clean_negatives": [
        lambda recall, ratio, wanted: 3 * ratio * wanted / (recall * (1 - wanted)),
        lambda recall, ratio, wanted: 3 * ratio / recall * np.exp(logit(wanted)),
    ],
    "threshold_for_precision": [
        lambda threshold, recall, fpr, ratio, wanted: threshold[
            recall * (1 - wanted) >= wanted * fpr * ratio - 1e-12
        ].min(),
        first_from_below,
        lowest_of_all,
        lowest_by_odds,
    ],
    "needed_test_precision": [
        lambda target, fold: target * fold / (target * fold + 1 - target),
        lambda target, fold: 1 - (1 - target) / (target * fold + 1 - target),
        lambda target, fold: expit(logit(target) + np.log(fold)),
    ],
}
