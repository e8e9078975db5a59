"""What share of unlabeled rows is positive, as far as a labeled test set and the scores can say it."""

import numpy as np

from evalteach._inputs import (
    check_between,
    check_shapes,
    read_array,
    read_one_or_many,
    read_probabilities,
    read_weights,
)
from evalteach.classification import false_positive_rate, recall


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
        lacks, is at work. nan where the test set lacks a class, or recall equals the false positive rate.

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
