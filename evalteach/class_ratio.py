"""What a test set says about a deployment with another class ratio, or with an unseen kind of negative."""

import numpy as np

from evalteach._inputs import check_between, check_shapes, read_one_or_many
from evalteach._intervals import clopper_pearson
from evalteach.classification import precision
from evalteach.counts import Counts, check_counts, check_rows


def at_class_ratio(counts, ratio):
    """Counts expected if there were ``ratio`` negatives for every positive.

    Each class keeps its own score distribution, so positives stand as they are and every test
    negative stands for a different number of deployed ones. Any metric of the result is that metric
    in the deployment.

    Parameters
    ----------
    counts : Counts
        Test counts in examples: scalars, or shape (n_thresholds,).
    ratio : float or array_like
        Negatives per positive where the model will run (> 0, no unit). An array broadcasts
        against the counts.

    Returns
    -------
    Counts
        tp and fn unchanged; fp and tn rescaled, so in general not whole numbers.

    Raises
    ------
    ValueError
        If ``ratio`` is not positive and finite or asks for more than 1e300 negatives, the test set lacks a class, or
        the shapes do not fit together.

    References
    ----------
    Saerens, Latinne & Decaestecker (2002), Neural Computation 14(1), 21-41.
    Derived in notebooks/10_class_ratio.ipynb.

    Examples
    --------
    >>> at_class_ratio(Counts(tp=8, fp=2, fn=2, tn=8), 100)
    Counts(tp=8, fp=200, fn=2, tn=800)
    """
    ratio = read_one_or_many("ratio", ratio, 0, np.inf, open_ends=True)
    positives, negatives = _class_sizes(counts)
    if np.ndim(ratio):
        check_shapes(counts=counts.tp, ratio=ratio)
    factor = _factor("ratio", ratio, positives, negatives)
    make = Counts if np.ndim(ratio) else Counts._trusted  # the first one broadcasts
    return make(tp=counts.tp, fp=counts.fp * factor, fn=counts.fn, tn=counts.tn * factor)


def with_unseen(counts, unseen, unseen_per_positive):
    """Counts expected if a kind of negative came along that ``counts`` does not hold.

    False positive rates of kinds mix by their shares: what each kind adds to fp and tn is its number of
    rows, split as a sample of the kind is split. Positives stand as they are, so recall does, too.
    Several kinds are added one after the other.

    Parameters
    ----------
    counts : Counts
        Counts without this kind, at the ratio of known negatives to positives that the deployment has
        (see ``at_class_ratio``): scalars, or shape (n_thresholds,).
    unseen : Counts
        A sample of the unseen kind at the same threshold, or thresholds: fp of its rows flagged, tn left
        alone; tp and fn are 0, since all of it is negative.
    unseen_per_positive : float or array_like
        Negatives of this kind for every positive (0 or more, no unit). An array broadcasts against
        the counts.

    Returns
    -------
    Counts
        tp and fn unchanged; fp and tn larger, in general not whole numbers.

    Raises
    ------
    ValueError
        If ``unseen_per_positive`` is negative or not finite or asks for more than 1e300 negatives, ``counts`` holds
        no positives, ``unseen`` holds positives or nothing, or the shapes do not fit together.

    References
    ----------
    Derived in notebooks/11_recall_travels.ipynb.

    Examples
    --------
    >>> with_unseen(Counts(tp=4, fp=1, fn=1, tn=6), Counts(tp=0, fp=4, fn=0, tn=1), 2)
    Counts(tp=4, fp=9, fn=1, tn=8)
    """
    check_counts(counts)
    check_counts(unseen, "unseen")
    unseen_per_positive = read_one_or_many("unseen_per_positive", unseen_per_positive, 0, np.inf)
    check_shapes(counts=counts.tp, unseen=unseen.tp, unseen_per_positive=unseen_per_positive)
    positives, rows = counts.tp + counts.fn, unseen.fp + unseen.tn
    if not np.all(positives):
        raise ValueError("counts hold no positives; unseen_per_positive needs at least one of them")
    if np.any(unseen.tp) or np.any(unseen.fn):
        raise ValueError(f"unseen must hold negatives only (tp = fn = 0), got {unseen!r}")
    if not np.all(rows):
        raise ValueError("unseen holds no rows; at least one of the unseen kind is needed")
    factor = _factor("unseen_per_positive", unseen_per_positive, positives, rows)
    return Counts(tp=counts.tp, fp=counts.fp + unseen.fp * factor, fn=counts.fn, tn=counts.tn + unseen.tn * factor)


def rate_bounds(counts, confidence=0.95):
    """The worst and the best rates that a test set leaves credible, as Counts of one unit per class.

    Recall and false positive rate come from separate samples, so each gets an exact interval of level
    sqrt(confidence) and both hold together with ``confidence``. Every metric that rises with recall and
    falls with the false positive rate lies between its values at the two results, at any class ratio.

    Parameters
    ----------
    counts : Counts
        Test counts of rows, neither weighted nor rescaled: integers, scalars or of shape (n_thresholds,).
    confidence : float
        Level of the pair (between 0 and 1).

    Returns
    -------
    worst, best : Counts
        tp + fn = fp + tn = 1. ``worst`` has the lower end of recall and the upper end of the false
        positive rate, ``best`` the other two.

    Raises
    ------
    ValueError
        If the counts are not integers: weights and rescaled counts are not so many independent rows.

    References
    ----------
    Clopper & Pearson (1934), Biometrika 26(4), 404-413. Derived in notebooks/10_class_ratio.ipynb.
    """
    check_rows(counts)
    tail = (1 - np.sqrt(check_between("confidence", confidence, 0, 1))) / 2
    recall_low, recall_high = clopper_pearson(counts.tp, counts.fn, tail)
    alarm_low, alarm_high = clopper_pearson(counts.fp, counts.tn, tail)
    worst = Counts._trusted(recall_low, alarm_high, 1 - recall_low, 1 - alarm_high)
    best = Counts._trusted(recall_high, alarm_low, 1 - recall_high, 1 - alarm_low)
    return worst, best


def precision_interval(counts, ratio, confidence=0.95):
    """Interval of the precision at a class ratio, honest also when the test set had no false positive.

    Parameters
    ----------
    counts : Counts
        Test counts of rows, as for ``rate_bounds``.
    ratio : float
        Negatives per positive where the model will run (> 0).
    confidence : float
        Nominal level (between 0 and 1). Both rates are bounded together, so the coverage is at
        least this; how much more is simulated in the notebook.

    Returns
    -------
    low, high : float or ndarray
        Fractions in [0, 1]. With nothing flagged the interval is (0, 1) or little less, not nan.

    Raises
    ------
    ValueError
        As ``rate_bounds``, and for a test set that lacks a class.

    References
    ----------
    Derived in notebooks/10_class_ratio.ipynb.
    """
    worst, best = rate_bounds(counts, confidence)
    _class_sizes(counts)
    return precision(at_class_ratio(worst, ratio)), precision(at_class_ratio(best, ratio))


def _factor(name, ratio, positives, rows):
    """How many negatives each of ``rows`` becomes so that there are ``ratio`` of them for every positive."""
    with np.errstate(over="ignore"):
        wanted = float(ratio) * positives if np.ndim(ratio) == 0 else ratio * positives
        factor = wanted / rows
    if not (np.maximum(wanted, factor) <= 1e300).all():  # as weights; what a metric adds up stays in range
        largest = np.max(ratio)
        raise ValueError(f"{name} holds {largest:g}; the negatives that it asks for must add up to 1e300 at most")
    return factor


def _class_sizes(counts):
    """Positives and negatives; refuses a test set that lacks one of them."""
    check_counts(counts)
    sizes = counts.tp + counts.fn, counts.fp + counts.tn
    for absent, size in zip(("positives", "negatives"), sizes, strict=True):
        if not (size.all() if isinstance(size, np.ndarray) else size):  # in half of np.all's time, on a slider's path
            raise ValueError(f"counts hold no {absent}; the test set needs at least one example of each class")
    return sizes
