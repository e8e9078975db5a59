"""Recall, precision and F1 of the k best-scored unlabeled rows, from test positives and a class size."""

from functools import cached_property
from typing import NamedTuple

import numpy as np

from evalteach._inputs import (
    check_between,
    check_function,
    read_array,
    read_number,
    read_numbers,
    read_scores,
    read_whole,
)
from evalteach.classification import fbeta, precision
from evalteach.counts import Counts


class BestThreshold(NamedTuple):
    """Where F1@k is estimated to be highest: rows flagged, the score that flags them, and that F1."""

    k: int
    threshold: float
    f1: float


class Pick(NamedTuple):
    """A chosen threshold: rows flagged, the score that flags them, the metric there, and what it may lose.

    With limits of the class size, ``value`` is the lowest between them, and ``regret`` the largest distance
    to the best threshold of the same class size; with one class size ``regret`` is 0.
    """

    k: int
    threshold: float
    value: float
    regret: float


class UnlabeledCurve:
    """Recall@k on unlabeled rows, and precision@k and F1@k for any class size, for every k at once.

    Only one assumption: the test positives are a random sample of the positives among the unlabeled
    rows. Test negatives are not used.

    Parameters
    ----------
    test_positive_scores : array_like, shape (n_test_positives,)
        Scores of the positive rows of the test set.
    unlabeled_scores : array_like, shape (n_unlabeled,)
        Scores of the same model on the rows to be labeled, of both classes. Where one of the two columns comes in
        float32 or float16 and the other does not, they are compared in the narrower type.

    Attributes
    ----------
    n_test_positives, n_unlabeled : int
        m and n in the formulas.
    thresholds : ndarray, shape (n_unlabeled,)
        Unlabeled scores, descending: the k-th is the threshold at rank k. Read-only, as all its arrays.
    dtype : numpy.dtype
        In which unlabeled scores are compared with a threshold: float32 or float16 if they came so, float64 otherwise.
    before : ndarray of int, shape (n_test_positives,)
        Unlabeled rows scored above each test positive, best positive first: the whole curve in m numbers.
    recall : ndarray, shape (n_unlabeled,)
        recall@k for k = 1..n: fraction of the test positives at or above the k-th unlabeled score.
    ranks : ndarray of int, shape (n_thresholds,)
        The rows that a threshold can flag, ascending: all k from 1 to n but those inside a tie, since equal scores
        are flagged together.

    Raises
    ------
    ValueError
        For nan, empty input, or anything but numbers in one dimension.

    References
    ----------
    Precision@k here is Bayes' rule; derived in notebooks/12_class_size.ipynb.

    Examples
    --------
    >>> curve = UnlabeledCurve([0.9, 0.6], [0.95, 0.8, 0.7, 0.5, 0.3])
    >>> curve.recall
    array([0. , 0.5, 0.5, 1. , 1. ])
    >>> curve.precision(2, k=4)
    0.5
    """

    def __init__(self, test_positive_scores, unlabeled_scores):
        positives, dtype = read_scores("test_positive_scores", test_positive_scores)
        unlabeled, self.dtype = read_scores("unlabeled_scores", unlabeled_scores)
        self._positives, self._unlabeled = np.sort(positives), _read_only(np.sort(unlabeled))
        self._compared = self._unlabeled  # with the test positives
        if dtype != self.dtype:
            narrower = min(dtype, self.dtype, key=lambda each: each.itemsize)
            with np.errstate(over="ignore"):
                self._positives, self._compared = (
                    scores.astype(narrower).astype(float) for scores in (self._positives, self._unlabeled)
                )
        self.n_test_positives, self.n_unlabeled = self._positives.size, self._unlabeled.size
        self.thresholds = self._unlabeled[::-1]

    @cached_property
    def before(self):
        return _read_only(self.n_unlabeled - self._compared.searchsorted(self._positives, side="right")[::-1])

    @cached_property
    def recall(self):
        # one step up after each entry of ``before``; the differences are the widths of the steps
        widths = np.diff(self.before, prepend=0, append=self.n_unlabeled)
        return _read_only(np.repeat(np.arange(self.n_test_positives + 1) / self.n_test_positives, widths))

    @cached_property
    def ranks(self):
        return _read_only(np.flatnonzero(np.append(self.thresholds[1:] != self.thresholds[:-1], True)) + 1)

    @cached_property
    def area(self):
        """Area under recall@k against k/n: the share of pairs (test positive, unlabeled row) that the positive wins.

        In [0, 1], equal scores counting half: a straight line across each tie, as in the ROC curve. (The mean of
        ``recall`` counts them whole, since a row at the threshold is flagged.) Fair test positives have it at
        (1 - π) × AUC + π/2 on average, with π = N/n, and by chance above 1 - π/2; derived in
        notebooks/15_two_models.ipynb.
        """
        won = self._compared.searchsorted(self._positives).sum()
        won_or_tied = self._compared.searchsorted(self._positives, side="right").sum()
        return (int(won) + int(won_or_tied)) / (2 * self.n_test_positives * self.n_unlabeled)

    def roc_auc(self, class_size):
        """Area under the ROC curve of the unlabeled rows, recovered without a negative label: (area - π/2) / (1 - π).

        Parameters
        ----------
        class_size : float
            N, positives among the unlabeled rows (above 0, at most n); π = N/n.

        Returns
        -------
        float
            An estimate, right on average if the test positives are a fair sample of the class. Not clipped: chance
            can take it above 1, and so can biased test positives. nan where N = n, without negatives.

        References
        ----------
        Menon, van Rooyen, Ong & Williamson (2015), ICML, 125-134; Jain, White & Radivojac (2017), AAAI.
        Derived in notebooks/15_two_models.ipynb.
        """
        share = self._size(class_size) / self.n_unlabeled
        return (self.area - share / 2) / (1 - share) if share < 1 else float("nan")

    def recall_at(self, k):
        """recall@k at one rank k (whole, 1..n): one binary search. Inside a tie, that of its end."""
        below = self._positives.searchsorted(self._compared[-self._rank(k)])
        return (self.n_test_positives - int(below)) / self.n_test_positives

    def flagged_at(self, k):
        """Unlabeled rows at or above the k-th unlabeled score: k, or the end of the tie that k is in."""
        return self.n_unlabeled - int(self._unlabeled.searchsorted(self.thresholds[self._rank(k) - 1]))

    def precision(self, class_size, k=None):
        """Estimated precision@k = recall@k × N / k.

        Parameters
        ----------
        class_size : float
            N, positives among the unlabeled rows (above 0, at most n).
        k : int or array_like of int, optional
            Rows flagged: one of ``ranks``, in O(log n), or some of them. ``flagged_at(k)`` leads there from any k.

        Returns
        -------
        float, or ndarray of the shape of ``k`` or, without k, (n_unlabeled,)
            Without k, one entry for each unlabeled score as threshold: inside a tie, that of its end. Not clipped:
            chance can take the estimate above 1, and so can test positives that are easier to find than the rest of
            their class.

        Raises
        ------
        ValueError
            For a class size or a rank out of range, and for a rank inside a tie, which no threshold can flag.
        """
        return precision(self.counts(class_size, k))

    def f1(self, class_size, k=None):
        """Estimated F1@k = 2 × N × recall@k / (k + N). Arguments, shapes and errors: see ``precision``."""
        return fbeta(self.counts(class_size, k))

    def counts(self, class_size, k=None):
        """Counts expected with k rows flagged: R × N true positives, the other three from k, N and n.

        Any metric of counts is a metric@k of these: ``fbeta(curve.counts(class_size), 2)``.

        Parameters
        ----------
        class_size, k
            See ``precision``.

        Returns
        -------
        Counts
            Scalars, or arrays shaped as there. Not whole; false positives are
            below 0 where the estimated precision is above 1, and true negatives can be where k is near n.
            With all rows flagged tn + fn is exactly 0, and with N = n tn + fp is.
        """
        recall, k = self._at(k)
        return self._expected(recall, self._size(class_size), k)

    def precision_band(self, class_size, k=None, confidence=0.95):
        """Where the true precision@k lies: (N/k) × (R ± z × sqrt(R(1-R)(1/m + 1/N))).

        Two samples are small: the test positives, and the N positives that were deployed. R is
        (hits + ½) / (m + 1), so that a recall of 0 or 1 does not pretend to certainty; around hits / m
        itself the band would cover less than it says where recall is high.

        Parameters
        ----------
        class_size : float or (float, float)
            N, or the limits between which it is known to be.
        k
            See ``precision``.
        confidence : float
            Nominal level, between 0 and 1.

        Returns
        -------
        low, high : float, or ndarrays
            Shaped and, inside ties, filled like the estimate. ``low`` is 0 or more; ``high`` may lie above 1, as the
            estimate may. With limits, the envelope of the bands between them.

        References
        ----------
        Derived, and its coverage simulated, in notebooks/13_how_sure.ipynb.
        """
        return self.band(precision, class_size, k, confidence)

    def band(self, metric, class_size, k=None, confidence=0.95):
        """The same for a metric of counts that rises with recall while k and N stand still.

        Parameters
        ----------
        metric : callable
            From Counts to a number or array: ``fbeta``, or ``functools.partial(net_gain, alarm_cost=0.1)``.
            It also gets the counts at the ends of recall's interval, 0 or more and perhaps a little above 1.
        class_size, k, confidence
            See ``precision_band``; so are what is returned and what is refused.
        """
        from scipy.special import ndtri

        check_function("metric", metric)
        z = float(ndtri((1 + check_between("confidence", confidence, 0, 1)) / 2))
        sizes = self._sizes(class_size)
        recall, k = self._at(k)
        m = self.n_test_positives
        shrunk = (recall * m + 0.5) / (m + 1)
        lows, highs = [], []
        for size in sizes:
            sd = np.sqrt(shrunk * (1 - shrunk) * (1 / m + 1 / size))
            # the metric rises with recall, so its ends are where recall has its own
            lows.append(metric(self._expected(np.maximum(shrunk - z * sd, 0), size, k)))  # there is no recall below 0
            highs.append(metric(self._expected(shrunk + z * sd, size, k)))
        return np.min(lows, axis=0), np.max(highs, axis=0)

    def best(self, class_size):
        """The threshold with the highest estimated F1, by ``pick``, but always one that flags something.

        Parameters
        ----------
        class_size : float
            N, positives among the unlabeled rows (above 0, at most n).

        Returns
        -------
        BestThreshold
            ``k`` (rows flagged), ``threshold`` (unit of the scores) and ``f1``, 0 at the highest score where no
            test positive reaches an unlabeled one. The highest of many estimates tends to be too high.
        """
        k, threshold, f1, _ = self.pick(fbeta, self._size(class_size))
        if k == 0:  # no test positive reaches an unlabeled row: F1 is 0 wherever one cuts
            k, threshold = self.flagged_at(1), float(self.thresholds[0])
        return BestThreshold(k, threshold, f1)

    def pick(self, metric, class_size):
        """The threshold with the highest estimate of a metric or, with limits of N, with the least regret.

        One candidate per test positive, and one that flags nothing. Only thresholds that can be used are
        looked at: inside a tie, all tied rows are flagged.

        Parameters
        ----------
        metric : callable
            From Counts to a number or array, as in ``band``. It must not fall when recall rises, nor
            rise when more rows are flagged for the same recall.
        class_size : float or (float, float)
            N, or the limits between which it is known to be; nine sizes from one to the other are looked at.

        Returns
        -------
        Pick
            ``k`` is 0 and ``threshold`` inf where it is best to flag nothing. Of equally good candidates
            the one that flags the fewest. The highest of many estimates tends to be too high.

        Raises
        ------
        ValueError
            For a class size out of range, or a metric that is no function or nan at every candidate.

        References
        ----------
        Derived in notebooks/16_best_threshold.ipynb.
        """
        check_function("metric", metric)
        recall, k, threshold = self._candidates
        lowest, regret, rounding = np.inf, 0.0, 0.0
        for size in self._sizes(class_size):
            values = metric(self._expected(recall, size, k))
            values = np.where(np.isnan(values), -np.inf, values)  # precision with nothing flagged, say
            best = values.max()
            if best == -np.inf:
                raise ValueError("metric is nan at every threshold, so none is best")
            lowest, regret = np.minimum(lowest, values), np.maximum(regret, best - values)
            rounding = max(rounding, 1e-13 * abs(best))
        chosen = int(np.argmax(regret <= regret.min() + rounding))
        return Pick(int(k[chosen]), float(threshold[chosen]), float(lowest[chosen]), float(regret[chosen]))

    def regret(self, metric, class_size, k=None):
        """How much lower a metric is at k than at its best threshold; with limits of N, at most.

        Parameters
        ----------
        metric, class_size
            See ``pick``.
        k
            See ``precision``.

        Returns
        -------
        float, or ndarray as in ``precision``
            In the unit of the metric, 0 or more.
        """
        recall, k = self._at(k)
        sizes = self._sizes(class_size)
        lost = [self.pick(metric, size).value - metric(self._expected(recall, size, k)) for size in sizes]
        return np.max(lost, axis=0)

    @cached_property
    def _candidates(self):
        """Recall, rows flagged and threshold: with nothing flagged, then where each test positive comes in."""
        reached = self.before[self.before < self.n_unlabeled]  # the others score below every unlabeled row
        threshold = self.thresholds[reached]  # the first unlabeled score that lets each positive in
        flagged = self.n_unlabeled - self._unlabeled.searchsorted(threshold)
        recall = np.arange(reached.size + 1) / self.n_test_positives
        return recall, np.append(0.0, flagged), np.append(np.inf, threshold)

    def _expected(self, recall, class_size, k):
        tp = recall * class_size
        fp, fn = k - tp, class_size - tp
        # each way round, the margin that can be empty comes out as 0 without rounding
        tn = self.n_unlabeled - k - fn if class_size < self.n_unlabeled else 0 - fp
        return Counts._trusted(tp, fp, fn, tn)

    def _sizes(self, class_size):
        """One class size, or nine from limit to limit, since what is worst may happen between the two."""
        if not read_array("class_size", class_size).ndim:
            return [self._size(class_size)]
        limits = [self._size(limit) for limit in class_size]
        if len(limits) != 2 or limits[0] > limits[1]:
            raise ValueError(f"class_size limits must be (lowest, highest), got {class_size}")
        return np.geomspace(*limits, 9) if limits[0] < limits[1] else limits[:1]

    def _at(self, k):
        """Recall and rows flagged: at one rank, at some, or with each unlabeled score as threshold."""
        if k is None:
            return self.recall, np.repeat(1.0 * self.ranks, np.diff(self.ranks, prepend=0))  # floats are twice as fast
        if isinstance(k, int) or not read_array("k", k).ndim:
            k = self._rank(k)
            self._check_no_tie(k)
            return self.recall_at(k), k
        k = read_numbers("k", k, "ranks must be whole numbers")
        for worst in (k.min(), k.max(), k[np.argmax(k != np.floor(k))]):
            self._rank(worst)
        rows = k.astype(np.int64)
        tied = self.thresholds[rows - 1] == self.thresholds[np.minimum(rows, self.n_unlabeled - 1)]
        for each in rows[tied]:
            self._check_no_tie(int(each))
        return self.recall[rows - 1], k

    def _rank(self, k):
        n = self.n_unlabeled
        return read_whole("k", k, 1, n, f"a whole number from 1 to {n} (unlabeled rows)")

    def _check_no_tie(self, k):
        if (flagged := self.flagged_at(k)) != k:
            raise ValueError(
                f"k = {k} is inside a tie, so no threshold flags {k} rows; its score flags flagged_at({k}) = {flagged}"
            )

    def _size(self, class_size):
        class_size, n = read_number("class_size", class_size), self.n_unlabeled
        if not 0 < class_size <= n:
            raise ValueError(f"class_size must be above 0 and at most {n} (unlabeled rows), got {class_size}")
        return class_size

    def __repr__(self):
        return f"UnlabeledCurve of {self.n_test_positives} test positives and {self.n_unlabeled} unlabeled rows"


def _read_only(array):
    array.setflags(write=False)
    return array
