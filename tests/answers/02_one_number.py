"""Other right answers to the exercises of 02_one_number."""

import numpy as np
from scipy.optimize import brentq

from evalteach import Counts
from evalteach.classification import fbeta


def f_as_a_mean_of_inverses(tp, fp, fn, beta):
    if tp == 0:
        return 0.0  # with nothing flagged as well
    inverses = [(tp + fp) / tp, (tp + fn) / tp]
    return 1 / np.average(inverses, weights=[1, beta**2])


def line_by_a_loop(y_true, y_score, c_f, c_m):
    best, kept = np.inf, np.inf
    for line in [np.inf, *sorted(set(y_score.tolist()), reverse=True)]:
        cost = c_f * np.sum((y_score >= line) & (y_true == 0)) + c_m * np.sum((y_score < line) & (y_true == 1))
        if cost < best - 1e-9:
            best, kept = cost, line
    return kept


def line_of_greatest_gain(y_true, y_score, c_f, c_m):
    lines = np.append(np.unique(y_score), np.inf)[::-1]
    flagged = y_score >= lines[:, None]
    gain = flagged @ np.where(y_true == 1, c_m, -c_f)
    return lines[np.argmax(gain > gain.max() - 1e-9)]


def beta_by_products(precision_a, recall_a, precision_b, recall_b):
    top = recall_a * recall_b * (precision_a - precision_b)
    return (top / (precision_a * precision_b * (recall_b - recall_a))) ** 0.5


def beta_by_search(precision_a, recall_a, precision_b, recall_b):
    def ahead(beta):
        costs = [1 / precision_a + beta**2 / recall_a, 1 / precision_b + beta**2 / recall_b]
        return (1 + beta**2) * (1 / costs[0] - 1 / costs[1])

    return brentq(ahead, 1e-9, 1e6, xtol=1e-14, rtol=1e-12)


ANSWERS = {
    "f_from_counts": [lambda tp, fp, fn, beta: fbeta(Counts(tp=tp, fp=fp, fn=fn, tn=1), beta), f_as_a_mean_of_inverses],
    "cheapest_threshold": [line_by_a_loop, line_of_greatest_gain],
    "beta_of_a_draw": [
        beta_by_products,
        beta_by_search,
    ],
}
