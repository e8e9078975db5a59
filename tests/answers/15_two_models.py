"""Other right answers to the exercises of 15_two_models: by other algebra, or by another library."""

import numpy as np
from sklearn.metrics import roc_auc_score

from evalteach import UnlabeledCurve


def by_scikit_learn(tests, rows):
    y_true = np.repeat([1, 0], [len(tests), len(rows)])
    return roc_auc_score(y_true, np.append(tests, rows))


def of_the_gains(only_b, only_a, m):
    return np.repeat([1, -1, 0], [only_b, only_a, m - only_b - only_a]).std() / np.sqrt(m)


ANSWERS = {
    "area_of_pairs": [
        by_scikit_learn,
        lambda tests, rows: (1 + np.sign(np.subtract.outer(tests, rows)).mean()) / 2,
        lambda tests, rows: UnlabeledCurve(tests, rows).area,
    ],
    "model_for_budget": [
        lambda recalls, budget: recalls[budget - 1].argmax(),
        lambda recalls, budget: max(range(recalls.shape[1]), key=lambda i: recalls[:budget, i].max()),
    ],
    "recovered_auc": [
        lambda area, N, n: (2 * n * area - N) / (2 * (n - N)),
        lambda area, N, n: 0.5 + (area - 0.5) / (1 - N / n),
    ],
    "sd_of_difference": [
        lambda only_b, only_a, m: np.sqrt(only_b + only_a - (only_b - only_a) ** 2 / m) / m,
        of_the_gains,
    ],
}
