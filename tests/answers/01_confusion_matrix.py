"""Other right answers to the exercises of 01_confusion_matrix."""

import numpy as np
from sklearn import metrics

from evalteach import sweep


def outcomes_of_the_library(y_true, y_score, threshold):
    counts = sweep(y_true, y_score).at(threshold)
    return [counts.tn, counts.fp, counts.fn, counts.tp]


def outcomes_of_scikit_learn(y_true, y_score, threshold):
    return metrics.confusion_matrix(y_true == 1, y_score >= threshold, labels=[False, True]).ravel()


def model_by_a_loop(tp, fp, fn, least_recall):
    best, kept = -1, 0
    for i in range(len(tp)):
        flagged = tp[i] + fp[i]
        value = tp[i] / flagged if flagged else 0
        if tp[i] >= least_recall * (tp[i] + fn[i]) and value > best:
            best, kept = value, i
    return kept


def model_with_fewest_false_alarms_per_true_positive(tp, fp, fn, least_recall):
    allowed = np.flatnonzero(tp / (tp + fn) >= least_recall)
    with np.errstate(all="ignore"):
        per_true_positive = np.where(tp[allowed] > 0, fp[allowed] / tp[allowed], np.inf)
    return int(allowed[np.argmin(per_true_positive)])


def model_by_its_miss_rate(tp, fp, fn, least_recall):
    allowed = 1 - fn / (tp + fn) >= least_recall
    precision = np.divide(tp, tp + fp, out=np.zeros(len(tp)), where=tp + fp > 0)
    return np.where(allowed, precision, -1).argmax()


def model_left_after_crossing_out(tp, fp, fn, least_recall):
    with np.errstate(all="ignore"):
        return np.argmax(np.where(tp / (tp + fn) >= least_recall, tp / (tp + fp), -1))


def outcomes_of_an_integer_matrix(y_true, y_score, threshold):
    return np.bincount(2 * y_true + (y_score >= threshold), minlength=4)


ANSWERS = {
    "four_outcomes": [outcomes_of_the_library, outcomes_of_scikit_learn, outcomes_of_an_integer_matrix],
    "model_to_keep": [
        model_by_a_loop,
        model_with_fewest_false_alarms_per_true_positive,
        model_by_its_miss_rate,
        model_left_after_crossing_out,
    ],
    "flagged_by_search": [
        lambda scores, threshold: scores.size - np.searchsorted(np.sort(scores), np.nextafter(threshold, -9), "right"),
        lambda scores, threshold: np.count_nonzero(scores >= threshold),
        lambda scores, threshold: int(np.searchsorted(np.sort(-scores), -threshold, side="right")),
    ],
}
