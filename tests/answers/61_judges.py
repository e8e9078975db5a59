"""Other right answers to the exercises of 61_judges: by another library, by other algebra, or by search."""

import numpy as np
from scipy.optimize import brentq

from evalteach import Counts
from evalteach.judged import judged_rate
from evalteach.prevalence import adjusted_count


def by_the_library(label, verdict, p, source):
    cells = np.bincount(2 * np.asarray(label) + np.asarray(verdict), minlength=4).tolist()
    counts = Counts(**dict(zip(("tn", "fp", "fn", "tp"), cells, strict=True)))
    if source == "archive":
        return adjusted_count(counts, p)
    return judged_rate(round(10_000 * p), 10_000, counts).estimate  # the pass rates of the tries are whole percent


def by_loops(label, verdict, p, source):
    if source == "archive":
        bad, good = (np.mean([v for v, is_good in zip(verdict, label, strict=True) if is_good == c]) for c in (0, 1))
        return (bad - p) / (bad - good)
    good = {v: [is_good for is_good, seen in zip(label, verdict, strict=True) if seen == v] for v in (0, 1)}
    return sum(share * sum(good[v]) / len(good[v]) for v, share in ((1, p), (0, 1 - p)))


def by_two_equations_or_weights(label, verdict, p, source):
    """The pass rate is a mixture of two rates; or each label gets the weight of the answers that it represents."""
    if source == "archive":
        rates = [np.mean(verdict[label == c]) for c in (1, 0)]
        return np.linalg.solve([rates, [1, 1]], [p, 1])[0]
    weights = np.where(verdict == 1, p / np.sum(verdict), (1 - p) / np.sum(1 - verdict))
    return np.sum(weights * label)


def by_correlation(tp, fp, fn, tn):
    label, verdict = np.repeat([1, 0, 1, 0], [tp, fp, fn, tn]), np.repeat([1, 1, 0, 0], [tp, fp, fn, tn])
    return label.size / (1 - np.corrcoef(label, verdict)[0, 1] ** 2)


def by_what_verdicts_leave(tp, fp, fn, tn):
    """The variance of the labels, and that within each verdict."""
    m = tp + fp + fn + tn
    within = tp * fp / (tp + fp) + fn * tn / (fn + tn)
    return m * ((tp + fn) * (fp + tn) / m) / within


def by_root(budget, phi, price):
    """The slope of the variance over the money spent on verdicts is 0."""
    spent = brentq(lambda v: (1 - phi**2) / (budget - v) ** 2 - price * phi**2 / v**2, 1e-9, budget - 1e-9, xtol=1e-12)
    variance = (1 - phi**2) / (budget - spent) + phi**2 * price / spent
    return round(budget - spent) if variance < 1 / budget else budget


def by_all_whole_numbers(budget, phi, price):
    labels = np.arange(1, budget)
    variances = (1 - phi**2) / labels + phi**2 * price / (budget - labels)
    return labels[np.argmin(variances)] if variances.min() < 1 / budget else budget


def by_whole_verdicts(budget, phi, price):
    """Nobody sells a part of a verdict."""
    labels = np.arange(1, budget)
    verdicts = np.floor((budget - labels) / price + 1e-9)
    variances = np.where(verdicts < labels, np.inf, (1 - phi**2) / labels + phi**2 / np.maximum(verdicts, 1))
    return labels[np.argmin(variances)] if variances.min() < 1 / budget else budget


def by_a_grid_of_ratios(budget, phi, price):
    ratios = np.linspace(1, 60, 5_000)
    labels = budget / (1 + price * ratios)
    variances = ((1 - phi**2) + phi**2 / ratios) / labels
    return np.round(labels[np.argmin(variances)]) if variances.min() < 1 / budget else float(budget)


ANSWERS = {
    "share_of_good": [by_the_library, by_loops, by_two_equations_or_weights],
    "worth_in_labels": [by_correlation, by_what_verdicts_leave],
    "labels_to_buy": [by_root, by_all_whole_numbers, by_whole_verdicts, by_a_grid_of_ratios],
}
