"""The four counts of a binary classifier, at one threshold or at all of them."""

import numpy as np

from evalteach._inputs import check_lengths, read_array, read_labels, read_number, read_numbers, read_weights


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
        As given, arrays all of one shape.

    Raises
    ------
    ValueError
        If a count is negative, nan, infinite, masked or an integer beyond int64, or the shapes do not fit
        together.

    Examples
    --------
    >>> Counts(tp=8, fp=2, fn=2, tn=88)
    Counts(tp=8, fp=2, fn=2, tn=88)
    """

    __slots__ = ("fn", "fp", "tn", "tp")

    def __init__(self, *, tp, fp, fn, tn):
        cells = [_cell(name, value) for name, value in (("tp", tp), ("fp", fp), ("fn", fn), ("tn", tn))]
        if any(isinstance(cell, np.ndarray) for cell in cells):
            try:
                cells = np.broadcast_arrays(*cells)
            except ValueError:
                shapes = ", ".join(str(np.shape(cell)) for cell in cells)
                message = f"tp, fp, fn and tn have shapes {shapes}; scalars or one common shape are accepted"
                raise ValueError(message) from None
        self.tp, self.fp, self.fn, self.tn = cells

    @classmethod
    def _trusted(cls, tp, fp, fn, tn):
        """Counts that need no checks: on a slider's path they would cost more than the metric."""
        counts = cls.__new__(cls)
        counts.tp, counts.fp, counts.fn, counts.tn = tp, fp, fn, tn
        return counts

    def __getitem__(self, which):
        """Counts at some of the thresholds: an index, a slice or an index array."""
        if not np.ndim(self.tp):
            raise TypeError("these Counts are scalars; only Counts of arrays can be indexed")
        cells = (self.tp[which], self.fp[which], self.fn[which], self.tn[which])
        return Counts._trusted(*(cell if np.ndim(cell) else cell.item() for cell in cells))

    def __eq__(self, other):
        if not isinstance(other, Counts):
            return NotImplemented
        return all(np.array_equal(getattr(self, cell), getattr(other, cell)) for cell in self.__slots__)

    __hash__ = None

    def __repr__(self):
        if np.ndim(self.tp):
            return f"Counts of shape {np.shape(self.tp)}"
        return f"Counts(tp={self.tp:g}, fp={self.fp:g}, fn={self.fn:g}, tn={self.tn:g})"


def _cell(name, value):
    cell = read_array(name, value)
    if cell.dtype.kind not in "biuf" or (cell.dtype.kind == "u" and np.any(cell >= 2**63)):
        raise ValueError(f"{name} must be a number or an array of numbers, got {value!r}; integers must fit int64")
    # written so that nan fails the test
    if not np.all((cell >= 0) & (cell < np.inf)):
        raise ValueError(f"{name} must be finite and 0 or more, got {value}")
    # small types would wrap around or round when a metric adds them up
    cell = cell.astype(np.float64 if cell.dtype.kind == "f" else np.int64, copy=False)
    return cell if cell.ndim else cell.item()


class Sweep:
    """Counts of one classifier at every threshold; made by :func:`sweep`.

    Attributes
    ----------
    thresholds : ndarray, shape (n_thresholds,)
        +inf (nothing flagged), then the distinct scores, descending. A row is flagged when its
        score is at or above the threshold. Unit of the scores. (Where a score is +inf itself,
        +inf stands there twice: for nothing flagged, and for those rows.)
    counts : Counts of arrays, shape (n_thresholds,)
        In rows, or in units of weight.
    """

    def __init__(self, thresholds, counts):
        self.thresholds, self.counts = thresholds, counts

    def at(self, threshold):
        """Counts with every row flagged whose score is ``threshold`` or more.

        One binary search: microseconds, however many rows there are.

        Parameters
        ----------
        threshold : float
            Any number, not only one of ``thresholds``; unit of the scores.

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
        Any real numbers that order the rows, the likeliest positive highest. Read as float64.
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
    actual, score = read_labels(y_true, positive), read_numbers("y_score", y_score)
    check_lengths(y_true=actual.size, y_score=score.size)
    if weights is None:
        return _sweep_rows(actual, score)
    weights = read_weights(weights, actual.size)
    kept = weights > 0
    return _sweep_weights(actual[kept], score[kept], weights[kept])


def _sweep_rows(actual, score):
    # Fresh memory costs as much as the arithmetic: one block of it is had at half the price of five, and
    # what is needed on the way lies where a result will be.
    n = score.size
    keys, fn, rows_below, scratch, fp = np.empty((5, n + 1), dtype=np.int64)
    decode = _sorted_keys(actual, score, keys)
    # neighbours with one score differ at most in the label's bit
    ends = np.bitwise_xor(keys[1:n], keys[: n - 1], out=scratch[1:n]).view(np.uint64) > 1
    fn[0] = 0  # positives below each threshold, from the lowest up
    np.cumsum(np.bitwise_and(keys[:n], 1, out=scratch[1:]), out=fn[1:])
    if ends.all():
        rows_below[:] = np.arange(n + 1)
        return _from_below(decode(keys), fn, np.subtract(rows_below, fn, out=rows_below), scratch, fp)
    ends = np.append(np.flatnonzero(ends), n - 1)  # last row of each run of equal scores
    rows_below = np.append(0, ends + 1)
    fn, keys = fn[rows_below], keys[np.append(ends, n)]
    return _from_below(decode(keys), fn, rows_below - fn)


def _sweep_weights(actual, score, weights):
    order = np.argsort(score, kind="stable")
    score = score[order] + 0.0  # -0.0 becomes 0.0
    ends = np.append(np.flatnonzero(score[1:] != score[:-1]), score.size - 1)
    fn, tn = (
        np.append(0.0, np.cumsum(np.where(one_class, weights, 0.0)[order])[ends]) for one_class in (actual, ~actual)
    )
    return _from_below(np.append(score[ends], np.inf), fn, tn)


def _from_below(thresholds, fn, tn, tp=None, fp=None):
    """A Sweep from ascending thresholds and what each class has below each of them; ``tp`` and ``fp`` are room."""
    tp, fp = np.subtract(fn[-1], fn, out=tp), np.subtract(tn[-1], tn, out=fp)
    return Sweep(thresholds[::-1], Counts._trusted(tp[::-1], fp[::-1], fn[::-1], tn[::-1]))


def _blocks(n, rows=1 << 15):
    """Slices of ``n`` rows, each so short that what is made of it on the way stays in the cache."""
    return (slice(start, min(start + rows, n)) for start in range(0, n, rows))


def _sorted_keys(actual, score, keys):
    """Fills ``keys`` with score and label of each row in one integer, ascending by score; returns the way back.

    The one sort that every curve shares. ``np.sort`` of plain numbers uses the processor's vector
    instructions and ``np.argsort`` hardly does, so the label travels inside the number: the bits of
    a double order like its absolute value, and below 2 they leave a place free beside the sign.
    Multiplying by a power of two brings other scores there without rounding. A last, empty place
    is left for the threshold above all scores, which ``decode`` (working in place) fills in.
    """
    n, low, high = score.size, score.min(), score.max()
    if np.isinf(low) or np.isinf(high):
        return _ranked_keys(actual, score, keys)
    scale = 2.0 ** max(0, int(np.frexp(max(-low, high))[1]) - 1)
    for part in _blocks(n):
        bits = score[part].view(np.int64)
        if scale > 1:
            scaled = score[part] / scale
            if not np.array_equal(scaled * scale, score[part]):
                return _ranked_keys(actual, score, keys)
            bits = scaled.view(np.int64)
        key = np.left_shift(bits, 1, out=keys[part])  # drops the sign, that of -0.0 too, which equals 0.0
        if low < 0:
            sign = bits >> 63  # -1 or 0
            key ^= sign
            key -= sign
        key |= actual[part]
    keys[:n].sort()

    def decode(keys):
        for part in _blocks(keys.size - 1):
            bits = np.right_shift(keys[part], 1, out=keys[part])
            if low < 0:
                sign = bits >> 63
                bits ^= sign
                bits -= sign
                bits |= sign << 63
            if scale > 1:
                np.multiply(bits.view(np.float64), scale, out=bits.view(np.float64))
        scores = keys.view(np.float64)
        scores[-1] = np.inf
        return scores

    return decode


def _ranked_keys(actual, score, keys):
    """The same for scores that are infinite or too wide for one power of two: their ranks order like them."""
    distinct, ranks = np.unique(score, return_inverse=True)
    keys[:-1] = (ranks << 1) | actual
    keys[:-1].sort()
    return lambda keys: np.append(distinct[keys[:-1] >> 1], np.inf)


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
    Derived in notebooks/05_many_classes.ipynb.

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
