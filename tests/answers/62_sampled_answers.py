"""Other right answers to the exercises of 62_sampled_answers: by other algebra, or by another library."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import statsmodels.api as sm
from scipy.stats import hypergeom, norm, sem


def by_products(n, right_tries, k):
    """The product of HumanEval's own code: each next try of a subset is wrong as well."""
    return np.mean([1 if n - c < k else 1 - np.prod(1 - k / np.arange(n - c + 1, n + 1)) for c in right_tries])


def by_a_list(n, right_tries, k):
    total = Fraction(0)
    for c in right_tries:
        subsets = [min(subset) < c for subset in combinations(range(n), k)]
        total += Fraction(sum(subsets), len(subsets))
    return float(total / len(right_tries))


def by_lists_of_subsets(right, k):
    """With each subset listed, and the standard error of scipy."""
    scores = [np.mean([all(subset) for subset in combinations(row, k)]) for row in right.tolist()]
    return np.mean(scores) + np.array([-1.96, 1.96]) * sem(scores)


def by_statsmodels(right, k):
    """The product of HumanEval's own code for right tries, and the interval of statsmodels."""
    steps = (right.sum(axis=1)[:, None] - np.arange(k)) / (right.shape[1] - np.arange(k))
    return sm.stats.DescrStatsW(np.prod(steps, axis=1)).zconfint_mean(2 * norm.sf(1.96))


def by_regression(ours, theirs, text):
    fit = sm.OLS(theirs - ours, np.ones(len(text))).fit(
        cov_type="cluster", cov_kwds={"groups": text, "use_correction": False}
    )
    return [fit.params[0] - 1.96 * fit.bse[0], fit.params[0] + 1.96 * fit.bse[0]]


def by_loops(ours, theirs, text):
    gains = [new - old for old, new in zip(ours, theirs, strict=True)]
    mean = sum(gains) / len(gains)
    sums = {}
    for gain, group in zip(gains, text, strict=True):
        sums[group] = sums.get(group, 0) + gain - mean
    error = sum(each**2 for each in sums.values()) ** 0.5 / len(gains)
    return np.array([mean - 1.96 * error, mean + 1.96 * error])


ANSWERS = {
    "mean_pass_at_k": [
        lambda n, right_tries, k: np.mean([hypergeom.sf(0, n, c, k) for c in right_tries]),
        by_products,
        by_a_list,
    ],
    "pass_hat_interval": [by_lists_of_subsets, by_statsmodels],
    "paired_gain": [by_regression, by_loops],
}
