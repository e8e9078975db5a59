"""The four counts of a binary classifier, at one threshold or at all of them."""

from dataclasses import dataclass

import numpy as np

from evalteach import _sort
from evalteach._inputs import (
    DOUBLE,
    check_lengths,
    check_shapes,
    read_array,
    read_labels,
    read_number,
    read_scores,
    read_weights,
    round_to,
)

CELLS = ("tp", "fp", "fn", "tn")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)  # equality of arrays is its own
class Counts:
    """True and false positives and negatives: everything a thresholded metric needs to know.

    Parameters
    ----------
    tp, fp, fn, tn : float or array_like
        Examples in each cell: scalars, or arrays that broadcast against each other (one entry
        per threshold). Not necessarily whole, since expected counts and weights are not.

    Attributes
    ----------
    tp, fp, fn, tn : int, float or ndarray
        As given, arrays copied, read-only and all of one shape.

    Raises
    ------
    ValueError
        If a count is negative, nan, masked or so large that sums of four would overflow, or the shapes do not fit
        together.

    Examples
    --------
    >>> Counts(tp=8, fp=2, fn=2, tn=88)
    Counts(tp=8, fp=2, fn=2, tn=88)
    """

    tp: float | np.ndarray
    fp: float | np.ndarray
    fn: float | np.ndarray
    tn: float | np.ndarray

    def __post_init__(self):
        cells = [_cell(name, getattr(self, name)) for name in CELLS]
        if any(isinstance(cell, np.ndarray) for cell in cells):
            check_shapes(**dict(zip(CELLS, cells, strict=True)))
            cells = np.broadcast_arrays(*cells)
        _fill(self, *cells)

    @classmethod
    def _trusted(cls, tp, fp, fn, tn):
        """Counts that need no checks: on a slider's path they would cost more than the metric."""
        counts = cls.__new__(cls)
        _fill(counts, tp, fp, fn, tn)
        return counts

    def __getitem__(self, which):
        """Counts at some of the thresholds: an index, a slice or an index array."""
        if not isinstance(self.tp, np.ndarray):
            raise TypeError("these Counts are scalars; only Counts of arrays can be indexed")
        cells = (self.tp[which], self.fp[which], self.fn[which], self.tn[which])
        return Counts._trusted(*(cell if cell.ndim else cell.item() for cell in cells))

    def __eq__(self, other):
        if not isinstance(other, Counts):
            return NotImplemented
        return all(np.array_equal(getattr(self, cell), getattr(other, cell)) for cell in CELLS)

    def __repr__(self):
        if np.ndim(self.tp):
            return f"Counts of shape {np.shape(self.tp)}"
        return f"Counts(tp={self.tp:g}, fp={self.fp:g}, fn={self.fn:g}, tn={self.tn:g})"


_put_tp, _put_fp, _put_fn, _put_tn = (getattr(Counts, name).__set__ for name in CELLS)  # which frozen would refuse


def _fill(counts, tp, fp, fn, tn):
    if isinstance(tp, np.ndarray):
        for cell in (tp, fp, fn, tn):
            cell.setflags(write=False)
    _put_tp(counts, tp)
    _put_fp(counts, fp)
    _put_fn(counts, fn)
    _put_tn(counts, tn)


def _cell(name, value):
    cell = read_array(name, value)
    if cell.dtype.kind not in "biuf":
        raise ValueError(f"{name} must be a number or an array of numbers, got {value!r}; integers must fit int64")
    # so that what a metric adds up stays in range; and written so that nan fails the test
    most = 1e300 if cell.dtype.kind == "f" else 2**53
    if not np.all((cell >= 0) & (cell <= most)):
        raise ValueError(f"{name} must be finite and 0 or more (at most {most:.0e}), got {value}")
    # small types would wrap around or round when a metric adds them up; a copy, since the caller's may change
    cell = cell.astype(np.float64 if cell.dtype.kind == "f" else np.int64)
    return cell if cell.ndim else cell.item()


def check_counts(counts, name="counts"):
    """Refuses anything else, and says what of a Sweep to pass."""
    if not isinstance(counts, Counts):
        hint = "; pass its .counts, or .at(threshold)" if isinstance(counts, Sweep) else ""
        raise ValueError(f"{name} must be Counts, got {type(counts).__name__}{hint}")


def check_rows(counts):
    """Refuses counts that no interval can rest on: a weight of 100 is not 100 independent rows."""
    check_counts(counts)
    for cell in CELLS:
        if np.asarray(getattr(counts, cell)).dtype.kind == "f":
            raise ValueError(f"{cell} holds weights or expected counts; an interval needs counts of rows, in integers")


class Sweep:
    """Counts of one classifier at every threshold; made by :func:`sweep`.

    Attributes
    ----------
    thresholds : ndarray, shape (n_thresholds,)
        +inf (nothing flagged), then the distinct scores, descending. A row is flagged when its
        score is at or above the threshold. Unit of the scores. (Where a score is +inf itself,
        +inf stands there twice: for nothing flagged, and for those rows.)
    counts : Counts of arrays, shape (n_thresholds,)
        In rows, or in units of weight. Read-only, as the thresholds are.
    dtype : numpy.dtype
        In which ``at`` compares: float32 or float16 if the scores came so, float64 otherwise.
    """

    def __init__(self, thresholds, counts, dtype=DOUBLE):
        self.thresholds, self.counts, self.dtype = thresholds, counts, dtype
        thresholds.setflags(write=False)  # what ``at`` gives later must not change

    def at(self, threshold):
        """Counts with every row flagged whose score is ``threshold`` or more.

        One binary search: microseconds, however many rows there are.

        Parameters
        ----------
        threshold : float
            Any number, not only one of ``thresholds``; unit of the scores. Scores in float32 or float16 are
            compared in their own precision, as NumPy does: 0.7 flags a row that scores 0.7 in float32.

        Returns
        -------
        Counts
            Scalars.

        Raises
        ------
        ValueError
            If ``threshold`` is nan or not one real number.
        """
        return self.counts[self.position(threshold)]

    def position(self, threshold):
        """Index into ``thresholds`` and ``counts`` of the same flagged rows (int)."""
        threshold = read_number("threshold", threshold)
        if threshold != threshold:
            raise ValueError("threshold is nan; a number is needed (inf flags nothing but infinite scores)")
        threshold = round_to(self.dtype, threshold)
        ascending = self.thresholds[::-1]  # stored that way round, so this is contiguous again
        # the last threshold that is not below; +inf stands first and is never below
        return ascending.size - 1 - int(ascending.searchsorted(threshold))

    def __repr__(self):
        return f"Sweep of {self.thresholds.size} thresholds"


def sweep(y_true, y_score, *, positive=None, weights=None):
    """Thresholds of a binary classifier and the four counts at each of them.

    Parameters
    ----------
    y_true : array_like, shape (n_rows,)
        Labels: bool, 0/1, or any two values with ``positive`` named.
    y_score : array_like, shape (n_rows,)
        Any real numbers that order the rows, the likeliest positive highest.
    positive : label, optional
        Which value of ``y_true`` is the positive class.
    weights : array_like, shape (n_rows,), optional
        How many rows each row stands for (0 or more). Rows of weight 0 are left out.

    Returns
    -------
    Sweep
        With ``thresholds``, ``counts`` and ``at(threshold)``. Rows with equal scores move together.

    Raises
    ------
    ValueError
        For nan, masked or empty input, unequal lengths, labels that are not two values, and weights that
        are negative, infinite or all zero.

    References
    ----------
    Fawcett (2006), An introduction to ROC analysis, Pattern Recognition Letters 27(8), 861-874.
    Derived in notebooks/01_confusion_matrix.ipynb.

    Examples
    --------
    >>> sweep([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1]).at(0.75)
    Counts(tp=1, fp=1, fn=1, tn=1)
    """
    actual, (score, dtype) = read_labels(y_true, positive), read_scores("y_score", y_score)
    check_lengths(y_true=actual.size, y_score=score.size)
    if weights is None:
        thresholds, *cells = _sort.counted(actual, score)  # as below with weights of 1, only faster
    else:
        weights = read_weights(weights, y_true=actual.size)
        kept = weights > 0
        thresholds, *cells = counted(actual[kept], score[kept], weights[kept])
    return Sweep(thresholds[::-1], Counts._trusted(*(cell[::-1] for cell in cells)), dtype)


def counted(actual, score, weights):
    """Distinct scores, ascending, then +inf; and tp, fp, fn and tn with each of them as threshold.

    The textbook form: sort the rows, add up each class, and of each run of equal scores keep the last row.
    """
    order = np.argsort(score, kind="stable")
    score = score[order] + 0.0  # -0.0 becomes 0.0
    ends = np.append(np.flatnonzero(score[1:] != score[:-1]), score.size - 1)
    fn, tn = (np.append(0, np.cumsum(np.where(one_class, weights, 0)[order])[ends]) for one_class in (actual, ~actual))
    return np.append(score[ends], np.inf), fn[-1] - fn, tn[-1] - tn, fn, tn


def one_vs_rest(confusion_matrix):
    """Counts of each class against all others, from the confusion matrix of several classes.

    Parameters
    ----------
    confusion_matrix : array_like, shape (..., n_classes, n_classes)
        Rows (or units of weight) by actual class, down, and predicted class, across: scikit-learn's layout.
        Leading axes hold further matrices.

    Returns
    -------
    Counts
        Of shape (..., n_classes): one entry per class.

    Raises
    ------
    ValueError
        If the matrix is not square, has less than two classes, or holds what is negative, nan or infinite.

    References
    ----------
    Derived in notebooks/08_many_classes.ipynb.

    Examples
    --------
    >>> one_vs_rest([[6, 1, 0], [1, 2, 0], [1, 0, 1]])[0]
    Counts(tp=6, fp=2, fn=1, tn=3)
    """
    cells = np.asarray(_cell("confusion_matrix", confusion_matrix))
    if cells.ndim < 2 or cells.shape[-2] != cells.shape[-1] or cells.shape[-1] < 2:
        raise ValueError(
            f"confusion_matrix must have as many rows as columns, one for each of two or more classes; "
            f"got shape {cells.shape}"
        )
    tp = np.diagonal(cells, axis1=-2, axis2=-1).copy()
    fp, fn = cells.sum(axis=-2) - tp, cells.sum(axis=-1) - tp
    everything = cells.sum(axis=(-2, -1))[..., None]
    # the rounding of expected counts must not make a cell negative
    return Counts._trusted(tp, fp, fn, np.maximum(everything - tp - fp - fn, 0))
