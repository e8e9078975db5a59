"""Other right answers to the exercises of 10_class_ratio: by other algebra, or by another library."""

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit, logit
from scipy.stats import beta
from sklearn.metrics import precision_score


def precision_of_rows(recall, fpr, ratio):
    weights = [recall, 1 - recall, fpr * ratio, (1 - fpr) * ratio]
    return precision_score([1, 1, 0, 0], [1, 0, 1, 0], sample_weight=weights)


def first_from_below(threshold, recall, fpr, ratio, wanted):
    for i in np.argsort(threshold):
        if recall[i] * (1 - wanted) >= wanted * fpr[i] * ratio:
            return threshold[i]


ANSWERS = {
    "deployed_precision": [
        lambda recall, fpr, ratio: 1 / (1 + fpr / recall * ratio),
        precision_of_rows,
    ],
    "threshold_for_precision": [
        lambda threshold, recall, fpr, ratio, wanted: threshold[recall / fpr / ratio >= wanted / (1 - wanted)].min(),
        first_from_below,
    ],
    "limit_of_none": [
        lambda n, chance: -np.expm1(np.log(chance) / n),
        lambda n, chance: beta.ppf(1 - chance, 1, n),
        lambda n, chance: brentq(lambda rate: (1 - rate) ** n - chance, 0, 1, xtol=1e-15),
    ],
    "needed_test_precision": [
        lambda target, fold: target * fold / (target * fold + 1 - target),
        lambda target, fold: expit(logit(target) + np.log(fold)),
    ],
}
