"""Other right answers to the exercises of 01_confusion_matrix."""

import numpy as np
import pandas as pd
from sklearn import metrics

from evalteach import sweep


def threshold_by_sorting_pairs(y_true, y_score, thresholds, least_precision):
    def reaches(threshold):
        labels = y_true[y_score >= threshold]
        return labels.size > 0 and labels.mean() >= least_precision

    return max(filter(reaches, thresholds), key=lambda threshold: (y_true[y_score >= threshold].sum(), threshold))


def threshold_by_the_library(y_true, y_score, thresholds, least_precision):
    test = sweep(y_true, y_score)
    best = most = -1
    for threshold in np.sort(thresholds)[::-1]:
        now = test.at(threshold)
        if now.tp > most and now.tp + now.fp > 0 and now.fp <= (1 - least_precision) * (now.tp + now.fp) + 1e-9:
            best, most = threshold, now.tp
    return best


def threshold_by_scikit_learn(y_true, y_score, thresholds, least_precision):
    best = {}
    for threshold in sorted(thresholds):
        flagged = (y_score >= threshold).astype(int)
        if metrics.precision_score(y_true, flagged, zero_division=0) >= least_precision:
            best[metrics.recall_score(y_true, flagged)] = threshold
    return best[max(best)]


def threshold_by_arrays(y_true, y_score, thresholds, least_precision):
    thresholds = np.sort(thresholds)[::-1]
    flagged = y_score >= thresholds[:, None]
    tp, fp = flagged @ y_true, flagged @ (1 - y_true)
    with np.errstate(all="ignore"):
        return thresholds[np.argmax(np.where(tp / (tp + fp) >= least_precision, tp, -1))]


def matrix_by_names(matrix, rows, columns):
    cells = {frozenset((r, c)): matrix[i][j] for i, r in enumerate(rows) for j, c in enumerate(columns)}
    return [
        [int(cells[frozenset((f"actual {a}", f"predicted {p}"))]) for p in ("negative", "positive")]
        for a in ("negative", "positive")
    ]


def matrix_by_pandas(matrix, rows, columns):
    table = pd.DataFrame(matrix, rows, columns).sort_index(axis=0).sort_index(axis=1)
    return table if table.index[0].startswith("actual") else table.T


def matrix_by_order(matrix, rows, columns):
    table = matrix[np.argsort(rows)][:, np.argsort(columns)]
    return table if rows[0][0] == "a" else table.T


def mistakes_by_comparing_all(positives, negatives, thresholds):
    return [int(sum(positives < t) + sum(negatives >= t)) for t in thresholds]


def mistakes_of_the_library(positives, negatives, thresholds):
    labels = np.repeat([True, False], [positives.size, negatives.size])
    test = sweep(labels, np.concatenate([positives, negatives]))
    return np.array([test.at(t).fn + test.at(t).fp for t in thresholds])


ANSWERS = {
    "threshold_to_offer": [
        threshold_by_sorting_pairs,
        threshold_by_the_library,
        threshold_by_scikit_learn,
        threshold_by_arrays,
    ],
    "familiar_matrix": [matrix_by_names, matrix_by_pandas, matrix_by_order],
    "mistakes_at": [
        mistakes_by_comparing_all,
        mistakes_of_the_library,
        lambda positives, negatives, thresholds: (
            np.searchsorted(np.sort(positives), thresholds)
            + np.searchsorted(np.sort(-negatives), -thresholds, side="right")
        ),
    ],
}
