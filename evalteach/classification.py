"""Metrics of a binary classifier, each a function of its ``Counts``; where a fraction is 0/0 the value is ``nan``.

Rates, scores and net gain take ``Counts`` of scalars or of arrays and return the same shape: a curve is a metric
of the counts at every threshold, a deployed metric is a metric of the counts at another class ratio. Areas and
the hull take the counts of a whole sweep, averages the counts of several classes. What no docstring says otherwise
of is derived in notebooks/01_confusion_matrix.ipynb.
"""

import math
from functools import wraps

import numpy as np

from evalteach._inputs import check_between, check_choice, check_function
from evalteach.counts import CELLS, Counts, check_counts, check_rows


def _of_counts(metric):
    """The metric, but with an error that says what to pass where anything but Counts came in."""

    @wraps(metric)
    def checked(counts, *args, **kwargs):
        check_counts(counts)
        return metric(counts, *args, **kwargs)

    return checked


def _ratio(part, whole):
    if isinstance(whole, np.ndarray):
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(whole == 0, np.nan, np.true_divide(part, whole))
    return part / whole if whole else math.nan


@_of_counts
def accuracy(counts):
    """Fraction of all examples put on the right side: (tp + tn) / all. In [0, 1]; nan without examples."""
    return _ratio(counts.tp + counts.tn, counts.tp + counts.fp + counts.fn + counts.tn)


@_of_counts
def precision(counts):
    """Fraction of the flagged that are positive: tp / (tp + fp). In [0, 1]; nan when nothing is flagged."""
    return _ratio(counts.tp, counts.tp + counts.fp)


@_of_counts
def recall(counts):
    """Fraction of the positives that are flagged: tp / (tp + fn). In [0, 1]; nan without positives."""
    return _ratio(counts.tp, counts.tp + counts.fn)


@_of_counts
def specificity(counts):
    """Fraction of the negatives left alone: tn / (tn + fp). In [0, 1]; nan without negatives."""
    return _ratio(counts.tn, counts.tn + counts.fp)


@_of_counts
def false_positive_rate(counts):
    """Fraction of the negatives that are flagged: fp / (fp + tn). In [0, 1]; nan without negatives."""
    return _ratio(counts.fp, counts.fp + counts.tn)


@_of_counts
def false_discovery_rate(counts):
    """Fraction of the flagged that are negative: fp / (fp + tp). In [0, 1]; nan when nothing is flagged."""
    return _ratio(counts.fp, counts.fp + counts.tp)


@_of_counts
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
    beta = check_between("beta", beta, 0, math.inf)
    misses = 1 / (1 + 1 / beta / beta)  # their weight β² / (1 + β²), written so that no β² overflows
    return _ratio(1.0 * counts.tp, counts.tp + misses * counts.fn + (1 - misses) * counts.fp)


@_of_counts
def matthews_corrcoef(counts):
    """Correlation between being positive and being flagged (Matthews' coefficient, also called phi).

    Returns
    -------
    float or ndarray
        In [-1, 1]: 1 perfect, 0 no better than chance, -1 reversed; nan when a row or a column of the
        confusion matrix is empty (scikit-learn says 0 there), or holds no more than rounding leaves behind
        in expected counts: a share of 1e-12, or less than nothing.

    References
    ----------
    Matthews (1975), Biochimica et Biophysica Acta 405(2), 442-451.
    """
    # shares, since the product of four margins would overflow; in these two pairs, since the root is then exact
    # for a perfect or a reversed classifier
    everything = 1.0 * counts.tp + counts.fp + counts.fn + counts.tn
    tp, fp, fn, tn = (_ratio(cell, everything) for cell in (counts.tp, counts.fp, counts.fn, counts.tn))
    flagged, actual = (tp + fp) * (tn + fn), (tp + fn) * (tn + fp)
    root = np.sqrt(np.where(np.minimum(flagged, actual) > 1e-12, flagged * actual, np.nan))
    return _plain((tp * tn - fp * fn) / root)


@_of_counts
def net_gain(counts, alarm_cost):
    """Worth of the finds less the cost of all alarms, in finds: tp - alarm_cost × (tp + fp).

    Parameters
    ----------
    counts : Counts
        Scalars or arrays.
    alarm_cost : float
        Cost of looking at one flagged row, divided by what one find is worth (0 or more, no unit).

    Returns
    -------
    float or ndarray
        Never nan: 0 when nothing is flagged, (1 - alarm_cost) × positives when exactly the positives are.

    Raises
    ------
    ValueError
        If ``alarm_cost`` is negative, nan or infinite.

    References
    ----------
    Vickers & Elkin (2006), Medical Decision Making 26(6), 565-574: (1 - alarm_cost) × rows × their net benefit.
    Derived in notebooks/16_best_threshold.ipynb.

    Examples
    --------
    >>> net_gain(Counts(tp=8, fp=2, fn=2, tn=88), 0.1)
    7.0
    """
    alarm_cost = check_between("alarm_cost", alarm_cost, 0, math.inf, open_ends=False)
    return counts.tp - alarm_cost * (counts.tp + counts.fp)


def roc_auc(counts):
    """Area under the ROC curve: the chance that a positive outscores a negative, ties counting half.

    Parameters
    ----------
    counts : Counts
        At every threshold, as ``sweep(...).counts``: shape (n_thresholds,).

    Returns
    -------
    float
        In [0, 1]: 1 perfect order, 0.5 as by chance, 0 reversed. nan when a class is absent. The same at
        any class ratio.

    Raises
    ------
    ValueError
        If the counts are not those of a whole sweep, from nothing flagged to everything flagged.

    References
    ----------
    Hanley & McNeil (1982), Radiology 143(1), 29-36. Derived in notebooks/04_roc_and_auc.ipynb.

    Examples
    --------
    >>> roc_auc(sweep([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1]).counts)
    0.75
    """
    steps = _steps_up(counts, "tp")
    found = counts.tp[steps] - counts.tp[steps - 1]
    outscored = (counts.tn[steps] + counts.tn[steps - 1]) / 2  # with half of the ties
    area = _ratio(float(np.einsum("i,i", found, outscored)), float(counts.tp[-1]) * float(counts.fp[-1]))
    return min(area, 1.0)  # weights that add up with rounding would reach a little beyond; nan stays nan


def roc_auc_interval(counts, confidence=0.95, *, method="delong"):
    """Interval of the area under the ROC curve.

    Parameters
    ----------
    counts : Counts
        At every threshold, in rows and not in weights, as ``sweep(...).counts``: shape (n_thresholds,).
    confidence : float
        Nominal level (between 0 and 1).
    method : {"delong", "hanley-mcneil"}
        ``"delong"`` estimates the standard error from how much each row's share of pairs won varies. It is the usual
        choice, and it is too short and too high if few positives meet a high area: the rare positives that would lower
        the area are not in the test set. ``"hanley-mcneil"`` always exists, and covers there as well unless a small
        share of the positives scores below everything else.

    Returns
    -------
    low, high : float
        In [0, 1]. (nan, nan) without a row of either class. By DeLong also where there is no spread to estimate from:
        when a class has fewer than two rows, when the classes do not overlap, and when all scores are equal.

    Raises
    ------
    ValueError
        For counts that are not those of a whole sweep of rows, a ``confidence`` out of range, or another method.

    Notes
    -----
    DeLong's interval is computed on the log-odds of the area. With 10 positives among 1,010 rows and normal scores, a
    nominal 95 % interval contains an area of .99 in about 73 % of the test sets, and one of .9 in 87 %. With 30 among
    3,030 rows it is 84 % and 93 %. With 10 rows of each class it is 37 % and 93 %, since it often does not exist.

    The other interval contains every area that the observed one would not be far from, |observed - area| <= z sd(area).
    The standard deviation is Hanley and McNeil's, which is a function of the area (A) and of the rows of the two
    classes (m and n) alone: m n sd² = A (1 - A) (1 + (m - 1) (1 - A) / (2 - A) + (n - 1) A / (1 + A)), or with m and n
    exchanged, whichever is larger. It holds for scores with exponential distributions. If DeLong's is larger at the
    observed area, it is enlarged by the same factor everywhere. This interval is conservative: in simulations with
    normal scores the nominal 95 % contained the area in 93 % to 100 % of the test sets. Where both cover, it is up to
    twice as wide as DeLong's if the scores of both classes vary alike, and wider still if those of the positives vary
    less. It fails if a small share of the positives scores below everything else: when a test set happens to hold none
    of these, its interval is too high. With 2 % of such positives it contained an area of .98 in 83 % of the test sets
    with 100 positives.

    References
    ----------
    DeLong, DeLong & Clarke-Pearson (1988), Biometrics 44(3), 837-845.
    Hanley & McNeil (1982), Radiology 143(1), 29-36 (the standard deviation).
    Newcombe (2006), Statistics in Medicine 25(4), 559-573 (intervals that take it at the area in question).
    DeLong's is derived in notebooks/05_comparing_curves.ipynb; the coverage of both is simulated in
    tests/benchmarks/coverage.py.
    """
    from scipy.special import expit, logit, ndtri

    z = float(ndtri((1 + check_between("confidence", confidence, 0, 1)) / 2))
    check_choice("method", method, ("delong", "hanley-mcneil"))
    area = roc_auc(counts)
    variance = _delong_variance(counts, area)
    if math.isnan(area):
        return math.nan, math.nan
    if method == "hanley-mcneil":
        return _hanley_mcneil_interval(area, variance, int(counts.tp[-1]), int(counts.fp[-1]), z)
    if not (0 < area < 1 and variance > 0):  # nor where it is nan
        return math.nan, math.nan
    reach = z * math.sqrt(variance) / (area * (1 - area))
    return float(expit(logit(area) - reach)), float(expit(logit(area) + reach))


def _delong_variance(counts, area):
    """Of the area under the ROC curve, from each row's share of pairs won; nan if a class has fewer than two rows."""
    check_rows(counts)
    variance = 0.0
    # a negative's share is of the positives above it, so that its mean is the area as well
    for mine, other in (("tp", "tn"), ("fp", "tp")):
        steps, mine, others = _steps_up(counts, mine), getattr(counts, mine), getattr(counts, other)
        rows = mine[steps] - mine[steps - 1]
        n = int(rows.sum())
        if n < 2 or math.isnan(area):
            return math.nan
        won = (others[steps] + others[steps - 1]) / (2 * others.max())
        variance += float(np.einsum("i,i,i", rows, won - area, won - area)) / (n - 1) / n
    return variance


def _hanley_mcneil_interval(observed, variance, positives, negatives, z):
    from scipy.optimize import brentq

    def variance_at(area):
        first, second = (1 - area) / (2 - area), area / (1 + area)
        larger = max(
            (one - 1) * first + (other - 1) * second for one, other in ((positives, negatives), (negatives, positives))
        )
        return area * (1 - area) * (1 + larger) / (positives * negatives)

    at_observed = variance_at(observed)
    # nan is no larger than anything
    enlarged = z**2 * (variance / at_observed if variance > at_observed > 0 else 1.0)

    def beyond(area):
        return (observed - area) ** 2 - enlarged * variance_at(area)

    # at 0 and 1 the variance is 0; next to the observed area the difference is
    low = brentq(beyond, 0, observed * (1 - 1e-9), xtol=1e-12) if observed > 0 else 0.0
    high = brentq(beyond, observed + (1 - observed) * 1e-9, 1, xtol=1e-12) if observed < 1 else 1.0
    return low, high


def average_precision(counts):
    """Mean over the positives of the precision at each one's own threshold: a sum of steps, no trapezoids.

    Parameters
    ----------
    counts : Counts
        At every threshold, as ``sweep(...).counts``: shape (n_thresholds,). At another class ratio:
        ``average_precision(at_class_ratio(counts, ratio))``.

    Returns
    -------
    float
        In (0, 1]; nan without positives. By chance it is about the share of positives, and more in small sets.

    Raises
    ------
    ValueError
        If the counts are not those of a whole sweep, from nothing flagged to everything flagged.

    References
    ----------
    Buckley & Voorhees (2000), SIGIR, 33-40; Davis & Goadrich (2006), ICML, 233-240, on why no trapezoids.
    Derived in notebooks/03_precision_recall_curve.ipynb.

    Examples
    --------
    >>> average_precision(sweep([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1]).counts)
    0.8333333333333333
    """
    steps = _steps_up(counts, "tp")
    hits = counts.tp[steps]
    found = hits - counts.tp[steps - 1]
    area = _ratio(float(np.einsum("i,i", found, hits / (hits + counts.fp[steps]))), float(counts.tp[-1]))
    return min(area, 1.0)  # weights can take it a rounding step further


def roc_hull(counts):
    """Thresholds that are best at some class ratio and cost: the corners of the hull over the ROC curve.

    Whatever gets better with recall and worse with the false positive rate, and is a linear function of the
    two or a ratio of two such functions (expected cost, F-beta), has its optimum at one of these few
    thresholds, at any class ratio: ``corners = counts[roc_hull(counts)]``, then
    ``np.nanargmax(fbeta(at_class_ratio(corners, ratio)))``.

    Parameters
    ----------
    counts : Counts
        At every threshold, as ``sweep(...).counts``: shape (n_thresholds,).

    Returns
    -------
    ndarray of int, shape (n_corners,)
        Positions in the counts, ascending; the first and the last are always among them.

    Raises
    ------
    ValueError
        If the counts are not those of a whole sweep, from nothing flagged to everything flagged.

    References
    ----------
    Provost & Fawcett (2001), Machine Learning 42(3), 203-231. Derived in notebooks/05_comparing_curves.ipynb.
    """
    kept = np.unique(np.concatenate([[0], _steps_up(counts, "tp"), [counts.tp.size - 1]]))
    x, y = counts.fp[kept] * 1.0, counts.tp[kept] * 1.0
    # Passes over all points drop what lies on or under the line between its neighbours. They go on while they
    # drop an eighth: under a long bow before a steep rise each takes one point only, so the rest is walked.
    pays = True
    while pays:
        right, up = np.diff(x), np.diff(y)
        corner = np.concatenate([[True], up[:-1] * right[1:] > up[1:] * right[:-1], [True]])
        pays = np.count_nonzero(corner) < 7 / 8 * corner.size
        kept, x, y = kept[corner], x[corner], y[corner]
    hull = []
    for point in zip(x.tolist(), y.tolist(), kept.tolist(), strict=True):
        while len(hull) > 1 and not _turns_right(*hull[-2:], point):
            hull.pop()
        hull.append(point)
    return np.array([position for _, _, position in hull])


def _turns_right(start, middle, end):
    """Whether the way through three points (x, y, ...) bends to the right in the middle one."""
    return (middle[1] - start[1]) * (end[0] - middle[0]) > (end[1] - middle[1]) * (middle[0] - start[0])


def _steps_up(counts, cell):
    """Positions in the counts of a whole sweep at which a cell is larger than at the threshold before."""
    check_counts(counts)
    tp, fp = counts.tp, counts.fp
    if np.ndim(tp) != 1 or not tp.size:
        raise ValueError(f"counts must be those of a sweep, shape (n_thresholds,); got {counts!r}")
    from_nothing = tp[0] == fp[0] == 0 and counts.fn[0] == tp[-1] and counts.tn[0] == fp[-1]
    if not (from_nothing and counts.fn[-1] == counts.tn[-1] == 0):
        raise ValueError("counts must run from nothing flagged to everything flagged, as sweep(...).counts does")
    for name, values in (("tp", tp), ("fp", fp)):
        stored = values[::-1]  # by a sweep, that is; numpy compares in this direction in half the time
        falls = stored[:-1] < stored[1:]
        if falls.any():  # by more than rounding, that is: at_class_ratio rounds at each threshold anew
            falls = values[:-1] - values[1:] > 1e-12 * values[-1]
        if falls.any():
            where = int(np.argmax(falls)) + 1
            raise ValueError(f"{name} falls at position {where}; thresholds must descend, as sweep(...).counts does")
    stored = getattr(counts, cell)[::-1]
    # places are found in a mask at a fifth of the time that differences would take
    return stored.size - 1 - np.flatnonzero(stored[:-1] > stored[1:])[::-1]


def macro(metric, counts):
    """Unweighted mean of a metric over classes or labels: each counts the same, however few rows it has.

    Parameters
    ----------
    metric : callable
        Of this module, or any function of ``Counts``: ``recall``, ``fbeta``, ``lambda c: fbeta(c, 2)``.
    counts : Counts
        One entry per class along the last axis, as ``one_vs_rest`` makes them.

    Returns
    -------
    float, or ndarray where ``counts`` have further axes
        In the metric's range; nan if the metric is undefined for any class. (scikit-learn takes 0 there and
        warns.) To leave classes out, say which: ``macro(metric, counts[kept])``.

    Raises
    ------
    ValueError
        If ``metric`` is no function, or ``counts`` are scalars or hold no class.

    Notes
    -----
    ``macro(fbeta, counts)`` is the mean of the F1s, scikit-learn's definition. The F1 of mean precision and
    mean recall is another number, never lower.

    References
    ----------
    Opitz & Burst (2019), Macro F1 and Macro F1, arXiv:1911.03347.
    Derived in notebooks/08_many_classes.ipynb.
    """
    counts = _of_classes(metric, counts)
    return _plain(metric(counts).mean(axis=-1))


def micro(metric, counts):
    """A metric of the summed counts of all classes or labels: each decision counts the same.

    Arguments and errors: see :func:`macro`.

    Returns
    -------
    float, or ndarray where ``counts`` have further axes
        In the metric's range. With one class per row and no class left out, precision, recall and F-beta all
        become the accuracy; ``micro(accuracy, ...)`` does not, since it counts true negatives once per class.
    """
    counts = _of_classes(metric, counts)
    cells = {cell: np.sum(getattr(counts, cell), axis=-1) for cell in CELLS}
    return _plain(metric(Counts(**cells)))


def weighted(metric, counts):
    """Mean of a metric over classes or labels, each weighted by its number of positives (tp + fn).

    Arguments and errors: see :func:`macro`.

    Returns
    -------
    float, or ndarray where ``counts`` have further axes
        In the metric's range; nan if the metric is undefined for a class that has positives, or if none has.
        A class without positives has no weight and is left out. The weighted recall of single-label classes
        is the accuracy.
    """
    counts = _of_classes(metric, counts)
    sizes = counts.tp + counts.fn
    return _plain(_ratio(np.where(sizes > 0, metric(counts) * sizes, 0.0).sum(axis=-1), sizes.sum(axis=-1)))


def _of_classes(metric, counts):
    check_function("metric", metric)
    check_counts(counts)
    if not np.ndim(counts.tp) or not np.shape(counts.tp)[-1]:
        raise ValueError(f"counts must hold one entry per class, as one_vs_rest makes them; got {counts!r}")
    return counts


def _plain(number):
    return number if np.ndim(number) else float(number)
