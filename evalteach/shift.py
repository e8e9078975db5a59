"""What a test set says about a deployment with another class ratio, or with a known class size."""

from functools import cached_property
from typing import NamedTuple

import numpy as np

from evalteach._inputs import check_between, check_shapes, read_number, read_numbers
from evalteach._intervals import clopper_pearson
from evalteach.classification import fbeta, precision
from evalteach.counts import Counts


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
        If ``ratio`` is not positive and finite, the test set lacks a class, or the shapes do not fit together.

    References
    ----------
    Saerens, Latinne & Decaestecker (2002), Neural Computation 14(1), 21-41.
    Derived in notebooks/06_class_ratio.ipynb.

    Examples
    --------
    >>> at_class_ratio(Counts(tp=8, fp=2, fn=2, tn=8), 100)
    Counts(tp=8, fp=200, fn=2, tn=800)
    """
    many = not isinstance(ratio, int | float) and np.ndim(ratio) > 0
    if many:
        ratio = read_numbers("ratio", ratio, "ratios must be positive and finite")
        check_between("ratio", ratio[np.argmin((ratio > 0) & (ratio < np.inf))], 0, np.inf)
        check_shapes(counts=counts.tp, ratio=ratio)
    else:
        ratio = check_between("ratio", ratio, 0, np.inf)
    positives, negatives = counts.tp + counts.fn, counts.fp + counts.tn
    if not np.all(positives) or not np.all(negatives):
        absent = "negatives" if np.all(positives) else "positives"
        raise ValueError(f"counts hold no {absent}; the test set needs at least one example of each class")
    factor = ratio * positives / negatives
    make = Counts if many else Counts._trusted  # the first one broadcasts
    return make(counts.tp, counts.fp * factor, counts.fn, counts.tn * factor)


def with_unseen(counts, unseen, per_positive):
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
    per_positive : float or array_like
        Negatives of this kind for every positive (0 or more, no unit). An array broadcasts against
        the counts.

    Returns
    -------
    Counts
        tp and fn unchanged; fp and tn larger, in general not whole numbers.

    Raises
    ------
    ValueError
        If ``per_positive`` is negative or not finite, ``counts`` holds no positives, ``unseen`` holds
        positives or nothing, or the shapes do not fit together.

    References
    ----------
    Derived in notebooks/07_recall_travels.ipynb.

    Examples
    --------
    >>> with_unseen(Counts(tp=4, fp=1, fn=1, tn=6), Counts(tp=0, fp=4, fn=0, tn=1), 2)
    Counts(tp=4, fp=9, fn=1, tn=8)
    """
    if np.ndim(per_positive):
        per_positive = read_numbers("per_positive", per_positive, "numbers must be 0 or more and finite")
        for end in (per_positive.min(), per_positive.max()):
            check_between("per_positive", end, 0, np.inf, open_ends=False)
    else:
        per_positive = check_between("per_positive", per_positive, 0, np.inf, open_ends=False)
    check_shapes(counts=counts.tp, unseen=unseen.tp, per_positive=per_positive)
    positives, rows = counts.tp + counts.fn, unseen.fp + unseen.tn
    if not np.all(positives):
        raise ValueError("counts hold no positives; per_positive needs at least one of them")
    if np.any(unseen.tp) or np.any(unseen.fn):
        raise ValueError(f"unseen must hold negatives only (tp = fn = 0), got {unseen!r}")
    if not np.all(rows):
        raise ValueError("unseen holds no rows; at least one of the unseen kind is needed")
    factor = per_positive * positives / rows
    return Counts(counts.tp, counts.fp + unseen.fp * factor, counts.fn, counts.tn + unseen.tn * factor)


def rate_bounds(counts, confidence=0.95):
    """The worst and the best rates that a test set leaves credible, as Counts of one unit per class.

    Recall and false positive rate come from separate samples, so each gets an exact interval of level
    sqrt(confidence) and both hold together with ``confidence``. Every metric that rises with recall and
    falls with the false positive rate lies between its values at the two results, at any class ratio.

    Parameters
    ----------
    counts : Counts
        Test counts in examples: scalars, or shape (n_thresholds,).
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
        If ``confidence`` is not between 0 and 1.

    References
    ----------
    Clopper & Pearson (1934), Biometrika 26(4), 404-413. Derived in notebooks/06_class_ratio.ipynb.
    """
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
        Test counts in examples (not rescaled ones): scalars, or shape (n_thresholds,).
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
        For a ``ratio`` or ``confidence`` out of range, or a test set that lacks a class.

    References
    ----------
    Derived in notebooks/06_class_ratio.ipynb.
    """
    at_class_ratio(counts, ratio)  # the same inputs, refused with the same words
    worst, best = rate_bounds(counts, confidence)
    return precision(at_class_ratio(worst, ratio)), precision(at_class_ratio(best, ratio))


def required_false_positive_rate(recall, ratio, precision):
    """The false positive rate at which ``precision`` is reached, given recall and class ratio.

    From odds(precision) = (recall / false positive rate) × (1 / ratio).

    Parameters
    ----------
    recall : float
        Fraction of the positives flagged (above 0, up to 1).
    ratio : float
        Negatives per positive where the model will run (> 0).
    precision : float
        Wanted fraction of true alarms (between 0 and 1, ends excluded).

    Returns
    -------
    float
        Fraction of the negatives that may be flagged; above 1, any classifier will do.

    Raises
    ------
    ValueError
        For a value out of range.

    References
    ----------
    Derived in notebooks/06_class_ratio.ipynb.
    """
    recall = read_number("recall", recall)
    if recall != 1:
        check_between("recall", recall, 0, 1)
    ratio, precision = check_between("ratio", ratio, 0, np.inf), check_between("precision", precision, 0, 1)
    return recall / ratio * (1 - precision) / precision


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
    Derived in notebooks/10_best_threshold.ipynb.

    Examples
    --------
    >>> net_gain(Counts(tp=8, fp=2, fn=2, tn=88), 0.1)
    7.0
    """
    alarm_cost = check_between("alarm_cost", alarm_cost, 0, np.inf, open_ends=False)
    return counts.tp - alarm_cost * (counts.tp + counts.fp)


class UnlabeledCurve:
    """Recall, precision and F1 with the k best-scored unlabeled rows flagged; made by :func:`unlabeled_curve`.

    Its arrays are read-only.

    Attributes
    ----------
    n_test_positives, n_unlabeled : int
        m and n in the formulas.
    thresholds : ndarray, shape (n_unlabeled,)
        Unlabeled scores, descending: the k-th is the threshold at rank k.
    before : ndarray of int, shape (n_test_positives,)
        Unlabeled rows scored above each test positive, best positive first: the whole curve in m numbers.
    recall : ndarray, shape (n_unlabeled,)
        recall@k for k = 1..n: fraction of the test positives at or above the k-th unlabeled score.
    """

    def __init__(self, test_positive_scores, unlabeled_scores):
        self._positives = np.sort(read_numbers("test_positive_scores", test_positive_scores))
        self._unlabeled = np.sort(read_numbers("unlabeled_scores", unlabeled_scores))
        self.n_test_positives, self.n_unlabeled = self._positives.size, self._unlabeled.size
        self._unlabeled.setflags(write=False)
        self.thresholds = self._unlabeled[::-1]

    @cached_property
    def before(self):
        before = self.n_unlabeled - self._unlabeled.searchsorted(self._positives, side="right")[::-1]
        before.setflags(write=False)
        return before

    @cached_property
    def recall(self):
        # one step up after each entry of ``before``; the differences are the widths of the steps
        widths = np.diff(self.before, prepend=0, append=self.n_unlabeled)
        recall = np.repeat(np.arange(self.n_test_positives + 1) / self.n_test_positives, widths)
        recall.setflags(write=False)
        return recall

    @cached_property
    def area(self):
        """Area under recall@k against k/n: the share of pairs (test positive, unlabeled row) that the positive wins.

        In [0, 1], equal scores counting half: a straight line across each tie, as in the ROC curve. (The mean of
        ``recall`` counts them whole, since a row at the threshold is flagged.) Fair test positives have it at
        (1 - π) × AUC + π/2 on average, with π = N/n, and by chance above 1 - π/2; derived in
        notebooks/09_reading_the_curve.ipynb.
        """
        won = self._unlabeled.searchsorted(self._positives).sum()
        won_or_tied = self._unlabeled.searchsorted(self._positives, side="right").sum()
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

        Raises
        ------
        ValueError
            For a class size out of range.

        References
        ----------
        Menon, van Rooyen, Ong & Williamson (2015), ICML, 125-134; Jain, White & Radivojac (2017), AAAI.
        Derived in notebooks/09_reading_the_curve.ipynb.
        """
        share = self._size(class_size) / self.n_unlabeled
        return (self.area - share / 2) / (1 - share) if share < 1 else float("nan")

    def recall_at(self, k):
        """recall@k at one rank k (whole, 1..n): one binary search."""
        below = self._positives.searchsorted(self.thresholds[self._rank(k) - 1])
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
            One rank in 1..n, in O(log n), or some. Without it: all of them.

        Returns
        -------
        float, or ndarray of the shape of ``k`` or (n_unlabeled,)
            Not clipped: chance can take the estimate above 1, and so can test positives that are
            easier to find than the rest of their class.

        Raises
        ------
        ValueError
            For a class size or a rank out of range.
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
            Scalars, or arrays of the shape of ``k`` or (n_unlabeled,). Not whole; false positives are
            below 0 where the estimated precision is above 1, and true negatives can be where k is near n.
            With all rows flagged tn + fn is exactly 0, and with N = n tn + fp is.

        Raises
        ------
        ValueError
            For a class size or a rank out of range.
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
        k : int or array_like of int, optional
            One rank, or some. Without it: all of them.
        confidence : float
            Nominal level, between 0 and 1.

        Returns
        -------
        low, high : float, or ndarrays of the shape of ``k`` or (n_unlabeled,)
            Not clipped, like the estimate. With limits, the envelope of the bands between them.

        Raises
        ------
        ValueError
            For a class size, rank or confidence out of range.

        References
        ----------
        Derived, and its coverage simulated, in notebooks/08_class_size.ipynb.
        """
        return self.band(precision, class_size, k, confidence)

    def f1_band(self, class_size, k=None, confidence=0.95):
        """The same for F1@k. Arguments, shapes and errors: see ``precision_band``."""
        return self.band(fbeta, class_size, k, confidence)

    def band(self, metric, class_size, k=None, confidence=0.95):
        """The same for a metric of counts that rises with recall while k and N stand still.

        Parameters
        ----------
        metric : callable
            From Counts to a number or array: ``fbeta``, or ``functools.partial(net_gain, alarm_cost=0.1)``.
            It also gets the counts at the ends of recall's interval, a little below 0 or above 1.
        class_size, k, confidence
            See ``precision_band``; so are what is returned and what is refused.
        """
        from scipy.special import ndtri

        z = float(ndtri((1 + check_between("confidence", confidence, 0, 1)) / 2))
        sizes = self._sizes(class_size)
        recall, k = self._at(k)
        m = self.n_test_positives
        shrunk = (recall * m + 0.5) / (m + 1)
        lows, highs = [], []
        for size in sizes:
            sd = np.sqrt(shrunk * (1 - shrunk) * (1 / m + 1 / size))
            # the metric rises with recall, so its ends are where recall has its own
            lows.append(metric(self._expected(shrunk - z * sd, size, k)))
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

        Raises
        ------
        ValueError
            For a class size out of range.
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
            For a class size out of range, or a metric that is nan at every candidate.

        References
        ----------
        Derived in notebooks/10_best_threshold.ipynb.
        """
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
        float, or ndarray of the shape of ``k`` or (n_unlabeled,)
            In the unit of the metric, 0 or more at every rank that ends a tie.

        Raises
        ------
        ValueError
            For a class size or a rank out of range.
        """
        recall, k = self._at(k)
        lost = [
            self.pick(metric, size).value - metric(self._expected(recall, size, k)) for size in self._sizes(class_size)
        ]
        return np.max(lost, axis=0)

    @cached_property
    def _candidates(self):
        """Recall, rows flagged and threshold: with nothing flagged, then where each test positive comes in."""
        reached = self.before[self.before < self.n_unlabeled]  # the others score below every unlabeled row
        threshold = self.thresholds[reached]  # the first unlabeled score that lets each positive in
        flagged = reached + 1
        tied = threshold == self.thresholds[np.minimum(flagged, self.n_unlabeled - 1)]
        flagged[tied] = self.n_unlabeled - self._unlabeled.searchsorted(threshold[tied])
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
        if not np.ndim(class_size):
            return [self._size(class_size)]
        limits = [self._size(limit) for limit in class_size]
        if len(limits) != 2 or limits[0] > limits[1]:
            raise ValueError(f"class_size limits must be (lowest, highest), got {class_size}")
        return np.geomspace(*limits, 9) if limits[0] < limits[1] else limits[:1]

    def _at(self, k):
        """Recall and rank: at one rank, at some or at all of them."""
        if k is None:
            return self.recall, np.arange(1.0, self.n_unlabeled + 1)  # floats, since what follows is twice as fast
        if isinstance(k, int) or not np.ndim(k):
            k = self._rank(k)
            return self.recall_at(k), k
        k = read_numbers("k", k, "ranks must be whole numbers")
        for worst in (k.min(), k.max(), k[np.argmax(k % 1)]):
            self._rank(worst)
        return self.recall[k.astype(np.int64) - 1], k

    def _rank(self, k):
        k = read_number("k", k)
        if not (1 <= k <= self.n_unlabeled and k == int(k)):
            raise ValueError(f"k must be a whole number from 1 to {self.n_unlabeled} (unlabeled rows), got {k}")
        return int(k)

    def _size(self, class_size):
        class_size = read_number("class_size", class_size)
        if not 0 < class_size <= self.n_unlabeled:
            raise ValueError(
                f"class_size must be above 0 and at most {self.n_unlabeled} (unlabeled rows), got {class_size}"
            )
        return class_size

    def __repr__(self):
        return f"UnlabeledCurve of {self.n_test_positives} test positives and {self.n_unlabeled} unlabeled rows"


def unlabeled_curve(test_positive_scores, unlabeled_scores):
    """Recall@k on unlabeled rows, and precision@k and F1@k for any class size, for every k at once.

    Only one assumption: the test positives are a random sample of the positives among the unlabeled
    rows. Test negatives are not used.

    Parameters
    ----------
    test_positive_scores : array_like, shape (n_test_positives,)
        Scores of the positive rows of the test set.
    unlabeled_scores : array_like, shape (n_unlabeled,)
        Scores of the same model on the rows to be labeled, of both classes.

    Returns
    -------
    UnlabeledCurve
        With ``recall``, ``precision(class_size)``, ``f1(class_size)``, their bands, and
        ``best(class_size)``.

    Raises
    ------
    ValueError
        For nan, empty input, or anything but numbers in one dimension.

    References
    ----------
    Precision@k here is Bayes' rule; derived in notebooks/08_class_size.ipynb.

    Examples
    --------
    >>> curve = unlabeled_curve([0.9, 0.6], [0.95, 0.8, 0.7, 0.5, 0.3])
    >>> curve.recall
    array([0. , 0.5, 0.5, 1. , 1. ])
    >>> curve.precision(2, k=4)
    0.5
    """
    return UnlabeledCurve(test_positive_scores, unlabeled_scores)


def ideal_recall_band(n_test_positives, class_size, k, confidence=0.95):
    """Where recall@k lies for a perfect ranking whose test positives are a fair sample of the class.

    All positives then come first and the test positives fall among them at random: the hits at or
    above the k-th unlabeled row are BetaBinomial(m, k, N - k + 1). A curve above the band is too good
    to be true.

    Parameters
    ----------
    n_test_positives : int
        m, at least 1.
    class_size : float
        N, positives among the unlabeled rows, at least 1.
    k : array_like, shape (n_ranks,)
        Ranks, 1 or more; beyond the class size recall is 1.
    confidence : float
        Level at each single rank, between 0 and 1.

    Returns
    -------
    low, mean, high : ndarray, shape (n_ranks,)
        Fractions of the test positives.

    Raises
    ------
    ValueError
        For a value out of range.

    References
    ----------
    Skellam (1948), JRSS B 10(2), 257-261. Derived in notebooks/08_class_size.ipynb.
    """
    from scipy.special import betaln, gammaln

    ranks = read_numbers("k", k, "ranks must be numbers from 1 on")
    tail = (1 - check_between("confidence", confidence, 0, 1)) / 2
    m, size = _read_ideal(n_test_positives, class_size, ranks)
    a = np.minimum(ranks, size)[:, None]
    b = size - a + 1
    mean = m * a / (size + 1)
    sd = np.sqrt(mean * b / (size + 1) * (size + 1 + m) / (size + 2))
    # hit numbers within 9 standard deviations or more, every one or, where those are many, every stride-th;
    # the distribution is log-concave, so beyond z of them lies less than exp(1 - z)
    reach = max(9, 1 - np.log(tail)) * sd
    start = np.maximum(np.floor(mean - reach), 0)
    stride = np.ceil((np.minimum(mean + reach, m) - start + 1) / 512)
    hits = start + stride * np.arange(512)
    inside = hits <= m
    h = np.where(inside, hits, 0)
    log_pmf = gammaln(m + 1) - gammaln(h + 1) - gammaln(m - h + 1) + betaln(h + a, m - h + b) - betaln(a, b)
    weights = np.where(inside, np.exp(log_pmf), 0)
    cdf = np.cumsum(weights, axis=1)
    rows = list(zip(np.minimum(hits, m), weights, cdf, stride[:, 0], strict=True))
    ends = [np.array([_quantile(p, *row) for row in rows]) for p in (tail, 1 - tail)]
    low, mean, high = (np.where(ranks > size, 1.0, hits / m) for hits in (ends[0], mean[:, 0], ends[1]))
    return low, mean, high


def ideal_recall_tail(hits, n_test_positives, class_size, k):
    """How often chance alone takes recall@k this high: P(BetaBinomial(m, k, N - k + 1) >= hits).

    Exact for a perfect ranking whose test positives are a fair sample of the class. Any other ranking of
    fair test positives gets as high at most as often, since its k-th unlabeled row stands at or above the k-th
    unlabeled positive: a small value speaks against the sample or the class size, however good the model.

    Parameters
    ----------
    hits : int or array_like
        Test positives at or above the k-th unlabeled score: recall@k × m.
    n_test_positives : int
        m, at least 1.
    class_size : float
        N, positives among the unlabeled rows, at least 1.
    k : int or array_like
        Rank, whole and 1 or more, chosen before the scores were seen; broadcasts against ``hits``. For a threshold
        chosen beforehand pass the rows that it flags plus 1: with whole N that is Fisher's exact test.

    Returns
    -------
    float or ndarray
        Probability at each single rank, in [0, 1]. It assumes that no two scores are equal; at a threshold ties
        do no harm.

    Raises
    ------
    ValueError
        For a value out of range, or shapes that do not fit together.

    References
    ----------
    Skellam (1948), JRSS B 10(2), 257-261. Derived in notebooks/09_reading_the_curve.ipynb.

    Examples
    --------
    >>> round(ideal_recall_tail(4, 4, 6, k=2), 4)
    0.0238
    """
    from scipy.stats import betabinom

    found = read_numbers("hits", np.ravel(hits), "hits must be whole numbers")
    ranks = read_numbers("k", np.ravel(k), "ranks must be whole numbers from 1 on")
    m, size = _read_ideal(n_test_positives, class_size, ranks)
    wrong = ranks[(ranks != np.floor(ranks)) | (ranks == np.inf)]
    if wrong.size:
        raise ValueError(f"k must be whole numbers from 1 on, got {wrong[0]:g}")
    if found.min() < 0 or found.max() > m or np.any(found % 1):
        worst = next(each for each in found if not 0 <= each <= m or each % 1)
        raise ValueError(f"hits must be whole numbers from 0 to {m} (test positives), got {worst:g}")
    check_shapes(hits=hits, k=k)
    found, ranks = np.broadcast_arrays(found.reshape(np.shape(hits)), ranks.reshape(np.shape(k)))
    a = np.minimum(ranks, size)[..., None]
    each = np.arange(m + 1)
    # summed from this side, since 1 minus the other side loses what is small
    tail = np.sum(betabinom.pmf(each, m, a, size - a + 1), axis=-1, where=each >= found[..., None])
    tail = np.where((ranks > size) | (found == 0), 1.0, np.minimum(tail, 1))
    return tail if tail.ndim else tail.item()


def _read_ideal(n_test_positives, class_size, ranks):
    """What both functions about perfect rankings take, as Python numbers."""
    m, size = read_number("n_test_positives", n_test_positives), read_number("class_size", class_size)
    if not all(1 <= each < np.inf for each in (m, size, ranks.min())) or m % 1:
        raise ValueError(
            f"n_test_positives (whole), class_size and k must be finite and 1 or more, got {m}, {size}, {ranks.min():g}"
        )
    return m, size


def _quantile(p, hits, weights, cdf, stride):
    """The smallest number of hits with probability ``p`` at or below it; between those looked at, interpolated."""
    if stride == 1:
        return hits[np.argmax(cdf >= p * cdf[-1])]
    return np.interp(p, (cdf - weights / 2) / cdf[-1], hits)
