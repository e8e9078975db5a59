"""What share of unlabeled rows is positive, as far as a labeled test set and the scores can say it."""

import math

import numpy as np

from evalteach._inputs import (
    check_between,
    check_shapes,
    read_array,
    read_one_or_many,
    read_probabilities,
    read_weights,
    read_whole,
)
from evalteach.classification import false_positive_rate, recall
from evalteach.counts import Counts, check_rows


def adjusted_count(counts, flagged_share):
    """Share of positives that explains how many rows are flagged: (share flagged - FPR) / (recall - FPR).

    Parameters
    ----------
    counts : Counts
        Of the test set, at the threshold that flags the unlabeled rows: scalars, or shape (n_thresholds,).
    flagged_share : float or array_like
        Part of the unlabeled rows that is flagged (0 to 1): one for all of the counts, or one for each.

    Returns
    -------
    float or ndarray
        Positives per row. Not clipped: below 0 or above 1 it says that chance, or something that the test set
        lacks, is at work. nan where the test set lacks a class, or recall equals the false positive rate. Its interval:
        ``adjusted_count_interval``.

    Raises
    ------
    ValueError
        If a share is not between 0 and 1, or the shapes do not fit together.

    References
    ----------
    Rogan & Gladen (1978), American Journal of Epidemiology 107(1), 71-76; Forman (2005), ECML, 564-575.
    Derived in notebooks/18_unknown_class_ratio.ipynb.

    Examples
    --------
    >>> round(adjusted_count(Counts(tp=36, fp=5, fn=4, tn=45), 0.25), 4)
    0.1875
    """
    flagged_share = read_one_or_many("flagged_share", flagged_share, 0, 1)
    base = false_positive_rate(counts)
    apart = np.asarray(recall(counts) - base)
    check_shapes(counts=base, flagged_share=flagged_share)
    share = np.subtract(flagged_share, base) / np.where(apart == 0, np.nan, apart)
    return share if np.ndim(share) else float(share)


def adjusted_count_interval(counts, n_flagged, n_rows, confidence=0.95):
    """Interval of ``adjusted_count``: both the test set's rates and the share flagged are estimates.

    Parameters
    ----------
    counts : Counts
        Of the test set, at the threshold that flags the unlabeled rows, in rows and not in weights: scalars, or shape
        (n_thresholds,).
    n_flagged : int or array_like of int
        How many of the unlabeled rows are flagged: one number for all of the counts, or one for each.
    n_rows : int
        How many unlabeled rows there are.
    confidence : float
        Nominal level (between 0 and 1).

    Returns
    -------
    low, high : float or ndarray
        Positives per row. Not clipped, as ``adjusted_count``: a share lies between 0 and 1, so cut the interval there.
        If all of it lies outside, chance is no explanation, and the test set's rates do not hold for these rows.
        (nan, nan) where the test set lacks a class, and where the two rates, with the additions, are equal.

    Raises
    ------
    ValueError
        For weights instead of rows, numbers of rows that are not whole or do not fit together, or a ``confidence`` out
        of range.

    Notes
    -----
    A row is added to each cell of the test set, and z² rows to the unlabeled ones, half of them flagged (z is 1.96 for
    95 %). With the recall R, the false positive rate F, the share flagged q, and the adjusted count of these rows,
    p = (q - F) / (R - F), the interval is p + shift ± z sd with

        sd² = (q (1 - q) / n_rows + p² R (1 - R) / positives + (1 - p)² F (1 - F) / negatives) / (R - F)²
        shift = 2 z² (p R (1 - R) / positives - (1 - p) F (1 - F) / negatives)

    It is a normal approximation that covers with few positives among the unlabeled rows as well, also with none. In
    simulations with 30 or more test positives the nominal 95 % contained the share in 94 % to 100 % of the draws; it is
    conservative where positives and false alarms are rare. With ten test positives and a recall near 1 it falls to
    91 %. The assumption is that of the estimate: in production each class is flagged as often as in the test set.

    References
    ----------
    Lang & Reiczigel (2014), Preventive Veterinary Medicine 113(1), 13-22.
    Coverage simulated in tests/benchmarks/coverage.py.

    Examples
    --------
    >>> trial = Counts(tp=36, fp=5, fn=4, tn=45)
    >>> low, high = adjusted_count_interval(trial, 50, 200)
    >>> round(low, 3), round(high, 3)
    (0.05, 0.297)
    """
    from scipy.special import ndtri

    check_rows(counts)
    n_rows = read_whole("n_rows", n_rows, 1, math.inf, "a whole number, 1 or more")
    n_flagged = read_one_or_many("n_flagged", n_flagged, 0, n_rows)
    if np.any(np.mod(n_flagged, 1) != 0):
        raise ValueError("n_flagged must be whole numbers, the flagged rows themselves and not their share of all rows")
    check_shapes(counts=counts.tp, n_flagged=n_flagged)
    z = float(ndtri((1 + check_between("confidence", confidence, 0, 1)) / 2))
    more = Counts(tp=counts.tp + 1, fp=counts.fp + 1, fn=counts.fn + 1, tn=counts.tn + 1)
    share = (n_flagged + z**2 / 2) / (n_rows + z**2)
    hit, base, middle = recall(more), false_positive_rate(more), adjusted_count(more, share)
    hits, alarms = hit * (1 - hit) / (more.tp + more.fn), base * (1 - base) / (more.fp + more.tn)
    variance = share * (1 - share) / (n_rows + z**2) + middle**2 * hits + (1 - middle) ** 2 * alarms
    middle = middle + 2 * z**2 * (middle * hits - (1 - middle) * alarms)
    both_classes = (counts.tp + counts.fn > 0) & (counts.fp + counts.tn > 0)
    apart = np.where(both_classes & (hit != base), np.abs(np.subtract(hit, base)), np.nan)
    ends = middle - z * np.sqrt(variance) / apart, middle + z * np.sqrt(variance) / apart
    return ends if np.ndim(ends[0]) else tuple(float(end) for end in ends)


def likelihood_prevalence(y_prob, trained_prevalence, weights=None):
    """Share of positives under which the unlabeled scores are likeliest: where expectation-maximisation ends.

    Each score is split into the odds of its class before the score was seen, which are the trained ones, and
    the ratio of the densities of the two classes, which stays when only the class ratio moves.

    Parameters
    ----------
    y_prob : array_like, shape (n_rows,)
        Probabilities of the positive class for the unlabeled rows, calibrated where ``trained_prevalence`` held.
    trained_prevalence : float
        Share of positives for which they are calibrated (between 0 and 1).
    weights : array_like, shape (n_rows,) or (n_deployments, n_rows), optional
        How many rows each row stands for (0 or more); with two dimensions, in each of several deployments.

    Returns
    -------
    float, or ndarray of shape (n_deployments,)
        In [0, 1]; an end of it where the scores look like those of one class only. nan where every score is
        ``trained_prevalence`` itself, so that all shares are equally likely.

    Raises
    ------
    ValueError
        For anything but probabilities, a ``trained_prevalence`` that is not between 0 and 1, or weights that
        are negative or all zero.

    References
    ----------
    Saerens, Latinne & Decaestecker (2002), Neural Computation 14(1), 21-41.
    Derived in notebooks/18_unknown_class_ratio.ipynb.
    """
    prob = read_probabilities("y_prob", y_prob)
    trained_prevalence = check_between("trained_prevalence", trained_prevalence, 0, 1)
    weights = np.ones(prob.size) if weights is None else read_array("weights", weights)
    deployments = weights if weights.ndim == 2 else [weights]
    weights = np.reshape([read_weights(each, y_prob=prob.size) for each in deployments], weights.shape)
    # densities of the two classes, up to a factor that both share
    positive, negative = prob / trained_prevalence, (1 - prob) / (1 - trained_prevalence)
    low, high = np.zeros(weights.shape[:-1]), np.ones(weights.shape[:-1])
    for _ in range(50):  # the likelihood has one top, and its slope falls all the way
        middle = (low + high) / 2
        mixed = middle[..., None] * positive + (1 - middle[..., None]) * negative
        rising = np.sum(weights * (positive - negative) / mixed, axis=-1) > 0
        low, high = np.where(rising, middle, low), np.where(rising, high, middle)
    silent = ~np.any((weights > 0) & (positive != negative), axis=-1)
    found = np.where(silent, np.nan, (low + high) / 2)
    return found if found.ndim else found.item()
