"""What experts' reviews of some rows say about all rows: how many are positive, and how sure that is."""

import math
from typing import NamedTuple

import numpy as np

from evalteach._inputs import (
    check_between,
    check_lengths,
    read_labels,
    read_numbers,
    read_probabilities,
    read_strata,
    read_whole,
)
from evalteach._intervals import clopper_pearson

PROBABILITIES = "inclusion probabilities must be above 0 and at most 1"


class ReviewEstimate(NamedTuple):
    """Positives among all rows: estimate, its standard deviation, and an interval, all in rows."""

    total: float
    sd: float
    low: float
    high: float


def neyman_allocation(rows, spread, budget, *, least=2):
    """How many reviews each stratum gets, so that the sum of all strata is estimated best.

    The variance is the sum of rows² × spread² / reviews, less a constant, so reviews in proportion to rows ×
    spread are best. Whole numbers are found by giving one review after the other to the stratum whose variance
    it lowers most, which is exactly optimal.

    Parameters
    ----------
    rows : array_like of int, shape (n_strata,)
        Rows in each stratum.
    spread : array_like, shape (n_strata,)
        Standard deviation of the label in each stratum (0 or more), as far as it can be guessed:
        sqrt(p (1 - p)) for a share p of positives.
    budget : int
        Reviews to give away, at most all rows.
    least : int
        Reviews of each stratum whatever its spread (or all of its rows); 2 are needed to estimate a variance.

    Returns
    -------
    ndarray of int, shape (n_strata,)
        Reviews, none above its rows; they add up to the budget.

    Raises
    ------
    ValueError
        For a budget or ``least`` that is not a whole number or does not fit, and for negative or nan input.

    References
    ----------
    Neyman (1934), Journal of the Royal Statistical Society 97(4), 558-625.
    Wright (2012), The American Statistician 66(4), 217-224 (whole numbers).
    Derived in notebooks/13_expert_review.ipynb.

    Examples
    --------
    >>> neyman_allocation([100, 100, 200], [0.4, 0.1, 0.1], 35)
    array([20,  5, 10])
    """
    rows = read_numbers("rows", rows, "rows of each stratum must be whole numbers, 1 or more")
    spread = read_numbers("spread", spread, "spreads must be finite and 0 or more")
    check_lengths(rows=rows.size, spread=spread.size)
    if rows.min() < 1 or not np.all(rows % 1 == 0):
        raise ValueError(
            f"rows must be whole numbers, 1 or more, got {rows[np.argmax((rows < 1) | (rows % 1 != 0))]:g}"
        )
    if spread.min() < 0 or spread.max() == np.inf:
        raise ValueError(
            f"spread must be finite and 0 or more, got {spread[np.argmax((spread < 0) | ~(spread < np.inf))]:g}"
        )
    least = read_whole("least", least, 1, math.inf, "a whole number, 1 or more")
    rows = rows.astype(np.int64)
    reviews = np.minimum(rows, least)
    budget = _read_budget(budget, reviews.sum(), rows.sum())
    # what the next review takes off a stratum's variance, for every review that it could still get
    each = [np.arange(start, end) for start, end in zip(reviews, rows, strict=True)]
    gain = [size * s / np.sqrt(j * (j + 1.0)) for size, s, j in zip(rows, spread, each, strict=True)]
    owner = np.repeat(np.arange(rows.size), rows - reviews)
    best = np.argsort(-np.concatenate(gain), kind="stable")[: budget - reviews.sum()]
    return reviews + np.bincount(owner[best], minlength=rows.size)


def inclusion_probabilities(size, budget, *, uniform=0.1):
    """Each row's probability to be reviewed: in proportion to its size, with an equal share mixed in.

    Parameters
    ----------
    size : array_like, shape (n_rows,)
        Importance of each row, 0 or more, not all zero: a score, or the square root of a probability.
    budget : int
        Rows to be reviewed.
    uniform : float
        Part of the budget that all rows share alike (0 to 1). No probability is then below uniform × budget /
        n_rows, so no row stands for more than n_rows / (uniform × budget) others.

    Returns
    -------
    ndarray, shape (n_rows,)
        Between 0 and 1; they add up to the budget. Rows that would get more than 1 get 1.

    Raises
    ------
    ValueError
        For negative, infinite or all-zero sizes, a budget or mix out of range, and a budget above the rows with
        a size above 0 if ``uniform`` is 0.

    References
    ----------
    Hansen & Hurwitz (1943), Annals of Mathematical Statistics 14(4), 333-362.
    Hesterberg (1995), Technometrics 37(2), 185-194 (the mixture).
    Derived in notebooks/13_expert_review.ipynb.

    Examples
    --------
    >>> inclusion_probabilities([6, 2, 1, 1], 2, uniform=0)
    array([1.  , 0.5 , 0.25, 0.25])
    """
    size = read_numbers("size", size, "sizes must be finite, 0 or more, and not all zero")
    if size.min() < 0 or size.max() == np.inf or size.max() == 0:
        worst = size.min() if size.min() < 0 else size.max()
        raise ValueError(f"size must be finite, 0 or more, and not all zero, got {worst:g}")
    budget = _read_budget(budget, 1, size.size)
    uniform = check_between("uniform", uniform, 0, 1, open_ends=False)
    if budget == size.size:
        return np.ones(size.size)
    mixed = (1 - uniform) * size / size.sum() + uniform / size.size
    if (drawable := np.count_nonzero(mixed)) < budget:
        raise ValueError(
            f"budget is {budget} reviews, but only {drawable} rows have a size above 0; a uniform above 0 lets the "
            "others be drawn, too"
        )
    probability = np.minimum(budget * mixed, 1.0)
    while True:  # what the surest rows cannot use is shared out among the others
        open_rows = probability < 1
        left = budget - np.sum(~open_rows)
        raised = mixed * left / mixed[open_rows].sum() if left > 0 else mixed * 0
        if not np.any(raised[open_rows] > 1):
            return np.where(open_rows, raised, 1.0)
        probability = np.where(open_rows, np.minimum(raised, 1.0), 1.0)


def draw_review_sample(probability, stratum=None, *, seed=0):
    """Draw rows to review: a fixed number, each row with exactly its own probability, none twice.

    The rows are laid on a line in random order, each as long as its probability, and every whole step from a
    random start picks one (systematic sampling). Equal probabilities make that a simple random sample.

    Parameters
    ----------
    probability : array_like, shape (n_rows,)
        Inclusion probability of each row, above 0 and at most 1; the sum is the number of reviews.
    stratum : array_like, shape (n_rows,), optional
        A value per row, none missing; each stratum is drawn from by itself.
    seed : int, list of int, or numpy Generator
        Of the random numbers.

    Returns
    -------
    ndarray of int, shape (n_reviews,)
        Positions of the rows, in random order: the first few are a random part of the sample.

    Raises
    ------
    ValueError
        For a probability out of range, a missing stratum, or one whose probabilities add up to no whole number.

    References
    ----------
    Madow (1949), Annals of Mathematical Statistics 20(3), 333-354.
    Hartley & Rao (1962), Annals of Mathematical Statistics 33(2), 350-374 (the random order).
    Derived in notebooks/13_expert_review.ipynb.
    """
    probability, strata = _read_design(probability, stratum)
    rng = np.random.default_rng(seed)
    drawn = []
    for members in strata:
        members = rng.permutation(members)
        ends = np.cumsum(probability[members])
        reviews = round(ends[-1])
        if abs(ends[-1] - reviews) > 1e-6 or not reviews:
            raise ValueError(f"probability adds up to {ends[-1]:g} in a stratum; a whole number of reviews is needed")
        steps = rng.random() + np.arange(reviews)
        # the sum may stop a rounding error short of the last step
        drawn.append(members[np.minimum(ends.searchsorted(steps, side="right"), members.size - 1)])
    return rng.permutation(np.concatenate(drawn))


def horvitz_thompson(y_true, probability, n_rows, *, stratum=None, confidence=0.95):
    """Positives among all rows, from the reviewed ones: each positive counts 1 / its inclusion probability.

    One formula for simple random, stratified and importance sampling: they differ in the probabilities.

    Parameters
    ----------
    y_true : array_like, shape (n_reviewed,)
        What the expert said: bool or 0/1.
    probability : array_like, shape (n_reviewed,)
        With which each reviewed row was to be drawn.
    n_rows : int
        Rows that could be drawn, reviewed or not.
    stratum : array_like, shape (n_reviewed,), optional
        The stratum that each reviewed row was drawn in.
    confidence : float
        Nominal level of the interval (between 0 and 1).

    Returns
    -------
    ReviewEstimate
        In rows; divide by ``n_rows`` for a share, such as the precision of flagged rows. ``total`` is not
        clipped; the interval lies in [0, n_rows]. ``sd``, ``low`` and ``high`` are nan where a stratum has a
        single review and rows that were not drawn.

    Raises
    ------
    ValueError
        For unequal lengths, labels other than two values, a missing stratum, a probability or ``n_rows`` out of
        range, and rows that were all sure to be reviewed (probability 1) if ``n_rows`` counts others.

    Notes
    -----
    The variance is Hájek's for samples of fixed size, stratum by stratum. The interval is Clopper and Pearson's
    for as many reviews as a simple random sample would need for this variance (Korn and Graubard, without their
    factor for degrees of freedom). A stratum in which all said no adds no variance, though it may hide positives:
    for the upper end, such strata together count half a positive more. In the same way half a negative lowers the
    lower end for strata in which all said yes. If no stratum has a spread, the interval is that of simple random
    reviews.

    Unequal probabilities may put the estimate nearer to ``n_rows`` than one sd, or above; simple random reviews
    with both answers never do. For the lower end it then counts as one sd below ``n_rows``.

    References
    ----------
    Horvitz & Thompson (1952), Journal of the American Statistical Association 47(260), 663-685.
    Hájek (1964), Annals of Mathematical Statistics 35(4), 1491-1523.
    Korn & Graubard (1998), Survey Methodology 24(2), 193-201.
    Derived, and its coverage simulated, in notebooks/13_expert_review.ipynb.

    Examples
    --------
    >>> horvitz_thompson([1, 0, 1], [0.5, 0.25, 0.25], 9).total
    6.0
    """
    y_true = read_labels(y_true)
    probability, strata = _read_design(probability, stratum)
    check_lengths(y_true=y_true.size, probability=probability.size)
    accepted = f"a whole number, at least the {y_true.size} reviewed rows"
    n_rows = read_whole("n_rows", n_rows, y_true.size, math.inf, accepted)
    check_others_drawable(probability, n_rows)
    stands_for = y_true / probability
    total, variance = float(stands_for.sum()), 0.0
    open_strata = [members for members in strata if np.any(probability[members] < 1)]
    unseen_yes, unseen_no = (_unseen(y_true == label, probability, open_strata) for label in (True, False))
    for members in open_strata:
        doubt, expanded, n = 1 - probability[members], stands_for[members], members.size
        middle = np.sum(doubt * expanded) / np.sum(doubt)
        spread = float(np.sum(doubt * (expanded - middle) ** 2))
        variance += n / (n - 1) * spread if n > 1 else math.nan
    unseen = unseen_no, unseen_yes  # which would lower the total, or raise it
    off = math.sqrt(variance)
    return _with_interval(total, variance, n_rows, y_true.size, confidence, not open_strata, unseen, off)


def planned_estimate(guess, probability, *, stratum=None, confidence=0.95):
    """The estimate to expect from reviews not made yet, if the guess is right.

    Parameters
    ----------
    guess : array_like, shape (n_rows,)
        Guessed probability that each row is positive (0 to 1). A label known after all is a guess of 0 or 1:
        then ``sd`` is the true spread of the estimate over all draws.
    probability : array_like, shape (n_rows,)
        Inclusion probability of each row, above 0 and at most 1.
    stratum : array_like, shape (n_rows,), optional
        The stratum of each row.
    confidence : float
        Nominal level of the interval (between 0 and 1).

    Returns
    -------
    ReviewEstimate
        ``total`` is the sum of the guesses, ``sd`` the expected spread, ``low`` and ``high`` the interval of an
        estimate that comes out just there, with both answers in every stratum.

    Raises
    ------
    ValueError
        For unequal lengths, values out of range, or a missing stratum.

    References
    ----------
    Derived in notebooks/13_expert_review.ipynb.
    """
    guess = read_probabilities("guess", guess)
    probability, strata = _read_design(probability, stratum)
    check_lengths(guess=guess.size, probability=probability.size)
    variance = 0.0
    for members in strata:
        p, g = probability[members], guess[members]
        doubt = 1 - p
        if doubt.any():
            middle = np.sum(doubt * g) / np.sum(p * doubt)
            # of doubt × p × (label / p - middle)², where the label's square is the label
            spread = max(0.0, float(np.sum(doubt * (g / p - 2 * middle * g + middle**2 * p))))
            variance += spread * members.size / max(members.size - 1, 1)
    reviews = max(1, round(float(probability.sum())))
    certain, off = np.all(probability == 1), math.sqrt(variance) if guess.min() == 1 else 0.0
    return _with_interval(float(guess.sum()), variance, guess.size, reviews, confidence, certain, off=off)


def reviewed_precision_band(curve, class_size, k=None, confidence=0.95):
    """Where the true precision@k lies if the class size comes from reviews: two independent doubts, squared and added.

    Parameters
    ----------
    curve : UnlabeledCurve
        recall@k, from test positives that were not reviewed here.
    class_size : ReviewEstimate
        Of all unlabeled rows, with an interval of the same ``confidence``.
    k : int or array_like of int, optional
        One rank, or some. Without it: all of them.
    confidence : float
        Nominal level, between 0 and 1.

    Returns
    -------
    low, high : float, or ndarrays of the shape of ``k`` or (n_unlabeled,)
        Not clipped. Around the middle of ``curve.precision_band`` at the estimated class size, either side is the
        root of the sum of two squares: half of that band, and what the end of the class size's interval is off.

    Raises
    ------
    ValueError
        If no positive was found (an estimate of 0 has no precision), or a rank or level is out of range.

    References
    ----------
    Zou & Donner (2008), Statistics in Medicine 27(10), 1693-1702.
    Derived, and its coverage simulated, in notebooks/13_expert_review.ipynb.
    """
    size = min(class_size.total, curve.n_unlabeled)
    low, high = curve.precision_band(size, k, confidence)
    middle, half = (low + high) / 2, (high - low) / 2
    below, above = (middle * (end / size - 1) for end in (class_size.low, class_size.high))
    return middle - np.hypot(half, below), middle + np.hypot(half, above)


def check_others_drawable(probability, n_rows):
    """Refuse reviewed rows that were all sure to be drawn, if there are others: those had no chance at all."""
    if n_rows > probability.size and probability.min() == 1:
        raise ValueError(
            f"probability is 1 for all {probability.size} reviewed rows, but n_rows is {n_rows}: the others could not "
            "be drawn, so nothing is known of them"
        )


def _unseen(label, probability, strata):
    """Variance if the strata where ``label`` never came up shared half a one."""
    silent = [members for members in strata if not label[members].any()]
    if not silent:
        return 0.0
    probability = probability[np.concatenate(silent)]
    share = 0.5 / (probability.size + 1)
    return float(share * (1 - share) * np.sum((1 - probability) / probability**2))


def _with_interval(total, variance, n_rows, n_reviewed, confidence, certain, unseen=(0.0, 0.0), off=0.0):
    """The interval of a share whose variance is that of ``n_same`` simple random reviews, end by end.

    The lower end is that of a total at least ``off`` below all rows, if there is a spread.
    """
    confidence = check_between("confidence", confidence, 0, 1)
    share = min(total / n_rows, 1.0)
    if certain or math.isnan(variance):
        low, high = (total, total) if certain else (math.nan, math.nan)
        return ReviewEstimate(total, math.sqrt(variance), low, high)
    # without a spread (nothing found, or everything positive) there is only the number of reviews to go by
    spread = variance > (1e-9 * total) ** 2  # less than that is rounding
    shares = (max(0.0, min(share, 1 - off / n_rows)) if spread else share), share
    ends = []
    for share, more in zip(shares, unseen, strict=True):
        n_same = share * (1 - share) / ((variance + more) / n_rows**2) if spread else n_reviewed
        ends.append(clopper_pearson(share * n_same, (1 - share) * n_same, (1 - confidence) / 2))
    return ReviewEstimate(total, math.sqrt(variance), ends[0][0] * n_rows, ends[1][1] * n_rows)


def _read_design(probability, stratum):
    """Inclusion probabilities, and the positions of the rows of each stratum."""
    probability = read_numbers("probability", probability, PROBABILITIES)
    if probability.min() <= 0 or probability.max() > 1:
        worst = probability.min() if probability.min() <= 0 else probability.max()
        raise ValueError(f"probability holds {worst:g}; {PROBABILITIES}")
    if stratum is None:
        return probability, [np.arange(probability.size)]
    stratum = read_strata(stratum)
    check_lengths(probability=probability.size, stratum=stratum.size)
    order = np.argsort(stratum, kind="stable")
    return probability, np.split(order, np.flatnonzero(stratum[order][1:] != stratum[order][:-1]) + 1)


def _read_budget(budget, least, most):
    return read_whole("budget", budget, least, most, f"a whole number of reviews from {least} to {most}")
