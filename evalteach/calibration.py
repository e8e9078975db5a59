"""Whether probabilities mean what they say, what they cost, and what becomes of them at another class ratio."""

from typing import NamedTuple

import numpy as np

from evalteach._inputs import check_between, check_choice, read_one_or_many, read_probabilities, read_rows, read_whole
from evalteach._intervals import clopper_pearson


def log_loss(y_true, y_prob, *, ratio=None, positive=None):
    """Mean of -ln(probability given to what happened), also called binary cross-entropy.

    scikit-learn's function moves 0 and 1 inwards by the precision of the number's type; here a row that was
    called impossible costs infinity, and the loss at another class ratio is the mean of two class means.

    Parameters
    ----------
    y_true : array_like, shape (n_rows,)
        Labels: bool, 0/1, or any two values with ``positive`` named.
    y_prob : array_like, shape (n_rows,)
        Probability of the positive class, 0 to 1.
    ratio : float, optional
        Negatives per positive (> 0) that the rows shall stand for; as they are by default.
    positive : label, optional
        Which value of ``y_true`` is the positive class.

    Returns
    -------
    float
        In nats per row (divide by ln 2 for bits), 0 to inf; the lower the better.

    Raises
    ------
    ValueError
        For labels that are not two values, probabilities outside 0 to 1, unequal lengths, a ratio out of
        range, or rows of one class where a ratio is given.

    References
    ----------
    Good (1952), Rational decisions, Journal of the Royal Statistical Society B 14(1), 107-114.
    Derived in notebooks/06_log_loss.ipynb.

    Examples
    --------
    >>> round(log_loss([1, 0], [0.8, 0.4]), 3)
    0.367
    """
    actual, probability = _read(y_true, y_prob, positive)
    with np.errstate(divide="ignore"):
        losses = -np.where(actual, np.log(probability), np.log1p(-probability))
    return _mean(actual, losses, ratio)


def brier_score(y_true, y_prob, *, ratio=None, positive=None):
    """Mean squared difference of the probability and what happened (1 or 0).

    Arguments and errors: see :func:`log_loss`. Brier's own definition sums over both classes and is twice this.

    Returns
    -------
    float
        0 to 1, no unit; the lower the better.

    References
    ----------
    Brier (1950), Monthly Weather Review 78(1), 1-3. Derived in notebooks/06_log_loss.ipynb.

    Examples
    --------
    >>> round(brier_score([1, 0], [0.8, 0.4]), 3)
    0.1
    """
    actual, probability = _read(y_true, y_prob, positive)
    return _mean(actual, (probability - actual) ** 2, ratio)


class Reliability(NamedTuple):
    """Groups of rows with about the same probability, lowest first; each field has shape (n_bins,).

    ``lower`` and ``upper`` are the ends of the bins (the upper one belongs to its bin, and 0 to the first);
    ``positives`` and ``negatives`` the rows that were counted; ``predicted`` the mean probability and
    ``observed`` the share of positives; ``low`` and ``high`` the exact interval of that share. The last four
    are nan where a bin is empty.
    """

    lower: np.ndarray
    upper: np.ndarray
    positives: np.ndarray
    negatives: np.ndarray
    predicted: np.ndarray
    observed: np.ndarray
    low: np.ndarray
    high: np.ndarray

    @property
    def agrees(self):
        """Whether the interval holds the mean probability (bool; False where a bin is empty)."""
        return (self.low <= self.predicted) & (self.predicted <= self.high)


def reliability(y_true, y_prob, n_bins=10, *, strategy="uniform", ratio=None, confidence=0.95, positive=None):
    """What was predicted and what happened, in bins: the points of a reliability diagram, with intervals.

    Parameters
    ----------
    y_true, y_prob, positive
        See :func:`log_loss`.
    n_bins : int
        1 or more.
    strategy : {"uniform", "quantile"}
        Bins of equal width, or of about equally many rows. Rows of one probability share a bin.
    ratio : float, optional
        Negatives per positive (> 0) that the rows shall stand for; as they are by default. The interval still
        rests on the rows that were counted: its ends move by the same factor of the odds as the share does.
    confidence : float
        Nominal level of each interval (between 0 and 1), by Clopper and Pearson; the coverage is at least this,
        for independent rows and bins that were fixed before the labels were seen.

    Returns
    -------
    Reliability

    Raises
    ------
    ValueError
        As :func:`log_loss`, and for ``n_bins``, ``strategy`` or ``confidence`` out of range.

    References
    ----------
    Murphy & Winkler (1977), Applied Statistics 26(1), 41-47.
    Derived in notebooks/07_calibration.ipynb.

    Examples
    --------
    >>> reliability([0, 0, 1, 1], [0.1, 0.3, 0.6, 0.8], n_bins=2).observed
    array([0., 1.])
    """
    actual, probability = _read(y_true, y_prob, positive)
    confidence = check_between("confidence", confidence, 0, 1)
    n_bins = read_whole("n_bins", n_bins, 1, 10**6)
    check_choice("strategy", strategy, ("uniform", "quantile"))
    edges = np.linspace(0, 1, n_bins + 1)
    if strategy == "quantile":
        edges = np.quantile(probability, edges)
    place = edges[1:-1].searchsorted(probability)

    positives, negatives = (np.bincount(place[rows], minlength=n_bins) for rows in (actual, ~actual))
    # what each negative row stands for, when each positive row stands for one positive
    times = 1.0 if ratio is None else _read_ratio(actual, ratio) * positives.sum() / negatives.sum()
    total = positives + times * negatives
    with np.errstate(invalid="ignore"):  # 0/0 is nan: an empty bin
        observed = positives / total
        predicted = np.bincount(place, probability * np.where(actual, 1.0, times), n_bins) / total
    interval = clopper_pearson(positives, negatives, (1 - confidence) / 2)
    low, high = (np.where(total > 0, _shifted(end, 1, times), np.nan) for end in interval)
    return Reliability(edges[:-1], edges[1:], positives, negatives, predicted, observed, low, high)


def shift_probability(probability, old_ratio, new_ratio):
    """A probability learned at one class ratio, as it should be at another: odds × old ratio / new ratio.

    Right if each class keeps its distribution of features, and the probability was right at the old ratio.

    Parameters
    ----------
    probability : float or array_like, shape (n_rows,)
        Of the positive class, 0 to 1.
    old_ratio, new_ratio : float
        Negatives per positive, where the probability was right and where it is wanted (> 0).

    Returns
    -------
    float or ndarray, shape (n_rows,)
        0 and 1 stay what they are: no evidence about the ratio moves a certainty.

    References
    ----------
    Saerens, Latinne & Decaestecker (2002), Neural Computation 14(1), 21-41.
    Derived in notebooks/09_recalibration.ipynb.

    Examples
    --------
    >>> round(shift_probability(0.9, 1, 100), 3)
    0.083
    """
    old_ratio = check_between("old_ratio", old_ratio, 0, np.inf)
    new_ratio = check_between("new_ratio", new_ratio, 0, np.inf)
    return _shifted(read_one_or_many("probability", probability, 0, 1), old_ratio, new_ratio)


def sharpen_probability(probability, slope):
    """A probability made more extreme (slope above 1) or more timid (below 1): log-odds × slope.

    Keeps the order of the rows, and 0.5. The inverse of the slope is called temperature.

    Parameters
    ----------
    probability : float or array_like, shape (n_rows,)
        0 to 1; 0 and 1 stay what they are.
    slope : float
        Factor of the log-odds (> 0).

    Returns
    -------
    float or ndarray, shape (n_rows,)

    References
    ----------
    Guo, Pleiss, Sun & Weinberger (2017), On calibration of modern neural networks, ICML, 1321-1330.
    Derived in notebooks/09_recalibration.ipynb.

    Examples
    --------
    >>> round(sharpen_probability(0.8, 2), 3)  # odds 4 become 16
    0.941
    """
    from scipy.special import expit, logit

    slope = check_between("slope", slope, 0, np.inf)
    sharpened = expit(slope * logit(read_one_or_many("probability", probability, 0, 1)))
    return sharpened if sharpened.ndim else float(sharpened)


def _read(y_true, y_prob, positive):
    return read_rows(y_true, y_prob, positive, name="y_prob", read=read_probabilities)


def _shifted(probability, old_ratio, new_ratio):
    return probability * old_ratio / (probability * old_ratio + (1 - probability) * new_ratio)


def _mean(actual, losses, ratio):
    if ratio is None:
        return float(losses.mean())
    ratio = _read_ratio(actual, ratio)
    return float((losses[actual].mean() + ratio * losses[~actual].mean()) / (1 + ratio))


def _read_ratio(actual, ratio):
    """A class ratio as a Python number; refuses rows of one class."""
    if actual.all() or not actual.any():
        absent = "negatives" if actual.all() else "positives"
        raise ValueError(f"y_true holds no {absent}; a ratio needs at least one row of each class")
    return check_between("ratio", ratio, 0, 1e300, open_ends="low")  # as a weight; what is added up stays in range
