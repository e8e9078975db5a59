"""Rates and scores of a binary classifier, each a function of its ``Counts`` and of nothing else.

All of them take ``Counts`` of scalars or of arrays and return the same shape: a curve is a metric of the
counts at every threshold, a deployed metric is a metric of the counts at another class ratio. Where a
fraction has no denominator (0/0) the value is ``nan``. Each is derived in notebooks/01_confusion_matrix.ipynb.
"""

import math

import numpy as np

from evalteach._inputs import check_between


def _ratio(part, whole):
    """``part / whole``; 0/0 is nan, and what is above 0 over 0 (only odds can be) is inf."""
    if isinstance(whole, np.ndarray):
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.true_divide(part, whole)
    if whole:
        return part / whole
    return math.inf if part > 0 else math.nan


def accuracy(counts):
    """Fraction of all examples put on the right side: (tp + tn) / all. In [0, 1]; nan without examples."""
    return _ratio(counts.tp + counts.tn, counts.tp + counts.fp + counts.fn + counts.tn)


def precision(counts):
    """Fraction of the flagged that are positive: tp / (tp + fp). In [0, 1]; nan when nothing is flagged."""
    return _ratio(counts.tp, counts.tp + counts.fp)


def recall(counts):
    """Fraction of the positives that are flagged: tp / (tp + fn). In [0, 1]; nan without positives."""
    return _ratio(counts.tp, counts.tp + counts.fn)


def specificity(counts):
    """Fraction of the negatives left alone: tn / (tn + fp). In [0, 1]; nan without negatives."""
    return _ratio(counts.tn, counts.tn + counts.fp)


def false_positive_rate(counts):
    """Fraction of the negatives that are flagged: fp / (fp + tn). In [0, 1]; nan without negatives."""
    return _ratio(counts.fp, counts.fp + counts.tn)


def false_discovery_rate(counts):
    """Fraction of the flagged that are negative: fp / (fp + tp). In [0, 1]; nan when nothing is flagged."""
    return _ratio(counts.fp, counts.fp + counts.tp)


def positive_likelihood_ratio(counts):
    """How many times likelier a positive is flagged than a negative: recall / false positive rate.

    In [0, inf]; inf when no negative is flagged but a positive is; nan when nothing is flagged, or a
    class is absent. It multiplies the odds: odds(precision) = this × positives / negatives.
    """
    return _ratio(recall(counts), false_positive_rate(counts))


def fbeta(counts, beta=1.0):
    """Weighted harmonic mean of precision and recall: (1 + β²)·tp / ((1 + β²)·tp + β²·fn + fp).

    Parameters
    ----------
    counts : Counts
        Scalars or arrays.
    beta : float
        How many times recall matters as much as precision (> 0); 1 gives F1.

    Returns
    -------
    float or ndarray
        In [0, 1]; nan when there is no positive and nothing is flagged.

    Raises
    ------
    ValueError
        If ``beta`` is not positive and finite.

    References
    ----------
    van Rijsbergen (1979), Information Retrieval, 2nd ed., chapter 7.
    """
    check_between("beta", beta, 0, math.inf)
    b2 = beta * beta
    hits = (1 + b2) * counts.tp
    return _ratio(hits, hits + b2 * counts.fn + counts.fp)


def matthews_corrcoef(counts):
    """Correlation between being positive and being flagged (Matthews' coefficient, also called phi).

    Returns
    -------
    float or ndarray
        In [-1, 1]: 1 perfect, 0 no better than chance, -1 reversed; nan when a row or a column of the
        confusion matrix is empty (scikit-learn says 0 there).

    References
    ----------
    Matthews (1975), Biochimica et Biophysica Acta 405(2), 442-451.
    """
    # floats, since the product of four margins overflows int64 from 10^5 rows on; in these two pairs,
    # since both are then whole for a perfect or a reversed classifier and the root is exact
    flagged = 1.0 * (counts.tp + counts.fp) * (counts.tn + counts.fn)
    actual = 1.0 * (counts.tp + counts.fn) * (counts.tn + counts.fp)
    root = np.sqrt(flagged * actual) if isinstance(flagged, np.ndarray) else math.sqrt(flagged * actual)
    return _ratio(1.0 * counts.tp * counts.tn - 1.0 * counts.fp * counts.fn, root)
