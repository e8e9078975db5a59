"""What experts' reviews of some rows say about all rows: how many are positive, and how sure that is."""

import math
from typing import NamedTuple

import numpy as np

from evalteach._inputs import (
    check_between,
    check_lengths,
    check_made,
    read_between,
    read_column,
    read_labels,
    read_numbers,
    read_probabilities,
    read_seed,
    read_strata,
    read_whole,
)
from evalteach._intervals import clopper_pearson, hypergeometric_interval

# ends of the strata, in ranks, for one positive among all rows
EDGES = 0.5, 1.5, 5, 15, 40
ROWS = "rows must be whole numbers, 1 or more"


class ReviewEstimate(NamedTuple):
    """Positives among all rows: estimate, its standard deviation, and an interval, all in rows."""

    total: float
    sd: float
    low: float
    high: float


def rank_strata(y_score, class_size, *, edges=EDGES):
    """A stratum for each row, small ones where positives are dense: cut at ranks that grow with the class.

    The best 0.5 × class size rows, then up to 1.5, 5, 15 and 40 times, then the rest. An edge beyond half of all
    rows is left out, so that the rest is the largest, unless ties move an edge. Rows with equal scores stay together.

    Parameters
    ----------
    y_score : array_like, shape (n_rows,)
        Higher where positives are likelier.
    class_size : float
        Guessed number of positives, at most all rows. Three times too many or too few changes the width of the total's
        interval by about a fifth; that of the best rows may become two to three times as wide.
    edges : sequence of float
        Ends of the strata, in ranks for one positive, rising.

    Returns
    -------
    ndarray of int, shape (n_rows,)
        0 for the best rows, at most as many as edges.

    Raises
    ------
    ValueError
        For scores that are no numbers, or a class size that is not above 0 and at most all rows.

    References
    ----------
    Compared with equal strata in tests/benchmarks/coverage.py. With positives as rare as 1:100 the total is estimated
    better, yet its interval is wider than that of simple random reviews: its upper end rests on the thinly drawn rest.
    The best rows are known far better. One stratum for all the others, with half of the reviews, mends the total
    (notebooks/20_review_designs.ipynb).

    Examples
    --------
    >>> rank_strata([0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2], 2)
    array([0, 1, 1, 2, 2, 2, 2, 2])
    """
    y_score = read_numbers("y_score", y_score)
    check_between("class_size", class_size, 0, y_score.size, open_ends="low")
    edges = read_between("edges", edges, 0, math.inf)
    ranks = np.unique([round(edge * class_size) for edge in edges.tolist()])
    ranks = ranks[(ranks > 0) & (ranks <= y_score.size / 2)]
    descending = np.sort(-y_score)
    # an edge inside a tie moves to its end, as a threshold would
    _, numbered = np.unique(np.searchsorted(descending[ranks - 1], -y_score), return_inverse=True)
    return numbered


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
    Derived in notebooks/20_review_designs.ipynb.

    Examples
    --------
    >>> neyman_allocation([100, 100, 200], [0.4, 0.1, 0.1], 35)
    array([20,  5, 10])
    """
    spread = read_between("spread", spread, 0, math.inf, called="spreads")
    rows = _read_rows(read_column("rows", rows), spread=spread.size)
    least = read_whole("least", least, 1, math.inf, "a whole number, 1 or more")
    reviews = np.minimum(rows, least)
    budget = _read_budget(budget, reviews.sum(), rows.sum())
    left = budget - reviews.sum()
    # what the next review takes off a stratum's variance, for every review that it could still get
    each = [np.arange(start, min(end, start + left)) for start, end in zip(reviews, rows, strict=True)]
    gain = [size * s / np.sqrt(j * (j + 1.0)) for size, s, j in zip(rows, spread, each, strict=True)]
    owner = np.repeat(np.arange(rows.size), [ranks.size for ranks in each])
    best = np.argsort(-np.concatenate(gain), kind="stable")[:left]
    return reviews + np.bincount(owner[best], minlength=rows.size)


def inclusion_probabilities(size, budget, *, uniform=0.1, rows=None):
    """Each row's probability to be reviewed: in proportion to its size, with an equal share mixed in.

    Parameters
    ----------
    size : array_like, shape (n_rows,)
        Importance of each row, 0 or more, not all zero. Best is the square root of the probability of being
        positive; the probability itself leaves most of the variance to rows that are hardly ever drawn.
    budget : int
        Rows to be reviewed.
    uniform : float
        Part of the budget that all rows share alike (0 to 1). No probability is then below uniform × budget /
        n_rows, so no row stands for more than n_rows / (uniform × budget) others. It bounds the weights, not the
        error of an estimate: positives that score like negatives stay mostly unseen.
    rows : array_like of int, shape (n_rows,), optional
        Rows that each entry stands for, if equal rows are written once.

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
    Derived in notebooks/20_review_designs.ipynb.

    Examples
    --------
    >>> inclusion_probabilities([6, 2, 1, 1], 2, uniform=0)
    array([1.  , 0.5 , 0.25, 0.25])
    """
    size = read_between("size", size, 0, math.inf, called="sizes")
    if size.max() == 0:
        raise ValueError("size is 0 for all rows; at least one row has to count")
    rows = _read_rows(rows, size=size.size)
    n_rows = int(rows.sum())
    budget = _read_budget(budget, 1, n_rows)
    uniform = check_between("uniform", uniform, 0, 1, open_ends=False)
    if budget == n_rows:
        return np.ones(size.size)
    mixed = (1 - uniform) * size / (size @ rows) + uniform / n_rows
    if (drawable := int(rows[mixed > 0].sum())) < budget:
        raise ValueError(
            f"budget is {budget} reviews, but only {drawable} rows have a size above 0; a uniform above 0 lets the "
            "others be drawn, too"
        )
    probability = np.minimum(budget * mixed, 1.0)
    while True:  # what the surest rows cannot use is shared out among the others
        open_rows = probability < 1
        left = budget - rows[~open_rows].sum()
        raised = mixed * left / (mixed @ (rows * open_rows)) if left > 0 else mixed * 0
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
    Derived in notebooks/20_review_designs.ipynb.
    """
    probability, strata = _read_design(probability, stratum)
    rng = np.random.default_rng(read_seed(seed))
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


def horvitz_thompson(
    y_true, probability, n_rows, *, stratum=None, within=None, probability_within=None, confidence=0.95
):
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
    within : array_like, shape (n_reviewed,), optional
        Bool: counts only the positives among such rows, for example the flagged ones (a domain).
    probability_within : array_like, shape (n_within,), optional
        The inclusion probabilities of all rows of the domain, reviewed or not: ``probability[is_flagged]``. They say
        how many rows it has, which strata it reaches, and how thinly its rows are drawn. Without them every stratum may
        hold rows of the domain, also one in which none was reviewed. That is safe, but ``high`` is then much
        larger for a domain that consists of whole strata.
    confidence : float
        Nominal level of the interval (between 0 and 1).

    Returns
    -------
    ReviewEstimate
        In rows; divide by the flagged rows for a precision. ``total`` is not clipped; the interval lies between
        the positives found and all rows (of the domain) less the negatives found. ``sd`` is nan, and so are ``low``
        and ``high`` unless the sample is a simple random one, if a stratum that counts has a single review and rows
        that were not drawn. ``sd`` is nan as well if no reviewed row is ``within``: then ``low`` is 0, and ``high`` is
        how many positives of the domain such a sample could have missed.

    Raises
    ------
    ValueError
        For unequal lengths, labels other than two values, a missing stratum, a probability or ``n_rows`` out of
        range, probabilities that contradict ``n_rows``, and a domain that lacks one of its reviewed rows.

    Notes
    -----
    A simple random sample has an exact interval: the smallest and largest number of positives with which it would not
    be rare, by the hypergeometric distribution. So has a design of which only one stratum that counts, with equal
    probabilities, is not fully reviewed. Such an interval covers at least as often as its level says.

    For all other designs the variance is Hájek's for samples of fixed size, stratum by stratum. The interval is
    Clopper and Pearson's
    for as many reviews as a simple random sample would need for this variance (Korn and Graubard, without their
    factor for degrees of freedom). Unequal probabilities leave positives unseen where rows are drawn thinly, and no
    variance tells of them. So the upper end is that of one more positive, as heavy as the most thinly drawn row that
    is not a positive of the domain (Fay and Feuer, for a share instead of a rate); the lower end that of one more
    negative, as heavy as the most thinly drawn "yes". Where nothing was found, it is the bound of reviews that are all
    as thin as the thinnest. Where a few reviews stand for most rows, this interval is conservative: its level is 95 %,
    and it often covers in more than 99 % of the samples.

    Simulated with rare positives, separations 2 to 5, and a fifth of the positives scored like negatives or like the
    lower half of them, a nominal 95 % held in 95 % of the draws and more for strata as of ``rank_strata`` with Neyman's
    allocation: the total, a part, and the bound for the rest. It held for importance sampling by the root, too, but the
    interval of the total is then two to four times as wide, for its upper end rests on the uniform part.

    Unequal probabilities may put the estimate nearer to ``n_rows`` than one sd, or above; simple random reviews
    with both answers never do. For the lower end it then counts as one sd below ``n_rows``.

    References
    ----------
    Horvitz & Thompson (1952), Journal of the American Statistical Association 47(260), 663-685.
    Hájek (1964), Annals of Mathematical Statistics 35(4), 1491-1523.
    Korn & Graubard (1998), Survey Methodology 24(2), 193-201.
    Fay & Feuer (1997), Statistics in Medicine 16(7), 791-801.
    Derived in notebooks/20_review_designs.ipynb; coverage simulated there and in tests/benchmarks/coverage.py.

    Examples
    --------
    >>> horvitz_thompson([1, 0, 1], [0.5, 0.25, 0.25], 9).total
    6.0
    """
    y_true, probability, n_rows, strata = _read_reviews(y_true, probability, n_rows, stratum)
    within = read_labels(np.ones(y_true.size, dtype=bool) if within is None else within, name="within")
    check_lengths(y_true=y_true.size, within=within.size)
    domain = _read_domain("probability_within", probability_within, probability, strata, within, n_rows)
    return estimate_total(y_true, probability, n_rows, strata, within, confidence, **domain)


def reviewed_recall(
    y_true,
    flagged,
    probability,
    n_rows,
    *,
    stratum=None,
    probability_flagged=None,
    probability_not_flagged=None,
    confidence=0.95,
):
    """Recall of flagged rows from reviews alone: positives among them, over positives among all rows.

    Parameters
    ----------
    y_true : array_like, shape (n_reviewed,)
        What the expert said: bool or 0/1.
    flagged : array_like, shape (n_reviewed,)
        Whether the model flags each reviewed row: bool or 0/1.
    probability, n_rows, stratum, confidence
        As in ``horvitz_thompson``.
    probability_flagged, probability_not_flagged : array_like, optional
        The inclusion probabilities of all rows that the model flags, and of all others, reviewed or not:
        ``probability[is_flagged]`` and ``probability[~is_flagged]``. Without them every stratum may hold rows of both
        kinds, and the interval is much wider if strata are flagged as a whole.

    Returns
    -------
    recall, low, high : float
        nan, 0 and 1 if no positive was found.

    Raises
    ------
    ValueError
        As ``horvitz_thompson``.

    Notes
    -----
    The ends follow from the intervals of two totals, flagged and missed positives, and from their correlation (Hájek's
    covariance of the two). It is 0 if no stratum holds rows of both kinds, and nearly so if positives are rare. If
    positives are common it is negative, since a review that finds a flagged positive cannot find a missed one, and
    recall varies more than that of two independent totals. A lower part of the ranking with few reviews may hide many
    positives, and keeps the lower end low, most of all after importance sampling: there the interval is conservative.

    References
    ----------
    Donner & Zou (2012), Statistical Methods in Medical Research 21(4), 347-359 (the interval of a ratio).
    Used in notebooks/19_expert_review.ipynb; coverage simulated in tests/benchmarks/coverage.py.

    Examples
    --------
    >>> reviewed_recall([1, 1, 0, 1, 0], [1, 1, 1, 0, 0], [0.5, 0.5, 0.5, 0.25, 0.25], 14)[0]
    0.5
    """
    flagged = read_labels(flagged, name="flagged")
    check_lengths(y_true=read_column("y_true", y_true).size, flagged=flagged.size)
    y_true, probability, n_rows, strata = _read_reviews(y_true, probability, n_rows, stratum)
    reach = {"probability_flagged": probability_flagged, "probability_not_flagged": probability_not_flagged}
    hit, missed = (
        estimate_total(
            y_true,
            probability,
            n_rows,
            strata,
            within,
            confidence,
            # an end that is cut at the rows of the part is no longer as far off as the level says
            **_read_domain(name, of_all, probability, strata, within, n_rows) | {"n_within": math.inf},
        )
        for (name, of_all), within in zip(reach.items(), (flagged, ~flagged), strict=True)
    )
    return recall_between(hit, missed, correlation=correlation_of_totals(y_true, probability, strata, flagged))


def recall_between(hit, missed, *, correlation=0.0):
    """``reviewed_recall`` from the estimates of the two totals, flagged and missed positives, and their correlation."""
    check_made("hit", hit, ReviewEstimate)
    check_made("missed", missed, ReviewEstimate)
    correlation = check_between("correlation", correlation, -1, 1, open_ends=False)
    # one thinly drawn positive may stand for more rows than the part has; nan leaves the total as it is
    hit, missed = (part._replace(total=min(part.total, part.high)) for part in (hit, missed))
    total = hit.total + missed.total
    recall = hit.total / total if total else math.nan
    return recall, 1 - _largest_share(missed, hit, correlation), _largest_share(hit, missed, correlation)


def _largest_share(part, rest, correlation):
    """Upper end of part / (part + rest): the largest ratio at which part - ratio × rest may be 0."""
    above = part.high * (2 * part.total - part.high)
    below = rest.low * (2 * rest.total - rest.low)
    both = part.total * rest.total - correlation * (part.high - part.total) * (rest.total - rest.low)
    odds = (both + math.sqrt(max(both**2 - above * below, 0.0))) / below if below > 0 else math.inf
    return odds / (1 + odds) if odds < math.inf else 1.0


def planned_estimate(guess, probability, *, stratum=None, rows=None, confidence=0.95):
    """The estimate to expect from reviews not made yet, if the guess is right.

    Parameters
    ----------
    guess : array_like, shape (n_rows,)
        Guessed probability that each row is positive (0 to 1). A label known after all is a guess of 0 or 1:
        then ``sd`` is the spread of the estimate over all draws, exact for simple random and stratified reviews and
        Hájek's approximation for others.
    probability : array_like, shape (n_rows,)
        Inclusion probability of each row, above 0 and at most 1.
    stratum : array_like, shape (n_rows,), optional
        The stratum of each row.
    rows : array_like of int, shape (n_rows,), optional
        Rows that each entry stands for, if rows of one probability and stratum are written once, with their mean
        guess.
    confidence : float
        Nominal level of the interval (between 0 and 1).

    Returns
    -------
    ReviewEstimate
        ``total`` is the sum of the guesses, ``sd`` the expected spread, ``low`` and ``high`` the interval of an
        estimate that comes out just there, with a "no" found where rows are drawn most thinly, and a "yes" only where
        no row stands for others. For a simple random sample the ends lie between those of the two whole numbers of
        positives that it may find.

    Raises
    ------
    ValueError
        For unequal lengths, values out of range, or a missing stratum.

    References
    ----------
    Used in notebooks/20_review_designs.ipynb.
    """
    guess = read_probabilities("guess", guess)
    probability, strata = _read_design(probability, stratum)
    check_lengths(guess=guess.size, probability=probability.size)
    rows = _read_rows(rows, guess=guess.size)
    variance, open_strata = 0.0, [unsure for members in strata if (unsure := members[probability[members] < 1]).size]
    for members in open_strata:
        p, g, times = probability[members], guess[members], rows[members]
        doubt, n = times * (1 - p), int(times.sum())
        middle = np.sum(doubt * g) / np.sum(p * doubt)
        # of doubt × p × (label / p - middle)², where the label's square is the label
        spread = max(0.0, float(np.sum(doubt * (g / p - 2 * middle * g + middle**2 * p))))
        variance += spread * n / max(n - 1, 1)
    total, tail = float(guess @ rows), _tail(confidence)
    if not open_strata:
        low = high = total
    elif (drawn_alike := _simple_random(probability, open_strata)) is not None:
        unsure, p = rows[drawn_alike], probability[drawn_alike]
        hits, draws = float(np.sum(p * guess[drawn_alike] * unsure)), max(1, round(float(p @ unsure)))
        least, part = min(math.floor(hits), draws - 1), np.array([0, 1])
        ends = hypergeometric_interval(least + part, draws, int(unsure.sum()), tail)
        known = total - float(guess[drawn_alike] @ unsure)
        low, high = (known + float(np.interp(hits, least + part, end)) for end in ends)
    else:
        low, high = _variance_matched(
            total,
            variance,
            n_rows=int(rows.sum()),
            n_reviewed=max(1, round(float(probability @ rows))),
            heaviest_yes=0.0,
            heaviest_no=_heaviest(probability[guess < 1]),
            tail=tail,
        )
    return ReviewEstimate(total, math.sqrt(variance), low, high)


def _check_stands_for(probability, n_rows, strata):
    """Refuse probabilities with which so many rows cannot have been drawn from ``n_rows``."""
    others, unseen = float(np.sum(1 / probability)) - probability.size, n_rows - probability.size
    unsure = [p[p < 1] for p in (probability[members] for members in strata)]
    # with equal probabilities they stand for all rows exactly, else on average
    least = 0.98 if all(p.size == 0 or np.ptp(p) < 1e-9 for p in unsure) else 0.02
    if not least * unseen - 1e-6 <= others <= unseen / least + 1e-6:
        raise ValueError(
            f"probability contradicts n_rows: the reviewed rows stand for {others + probability.size:.0f} rows (sum of "
            f"1 / probability), not {n_rows}; for an unfinished log, multiply probability by the part that is done"
        )


def estimate_total(
    y_true, probability, n_rows, strata, within, confidence, *, reached=None, least=0.0, n_within=math.inf
):
    """``horvitz_thompson`` of arguments that are already read: positions of the rows of each stratum.

    Of the domain: whether each stratum may hold rows of it (by default each may), the smallest inclusion probability of
    its rows, and their number.
    """
    hit, tail = y_true & within, _tail(confidence)
    counted = strata if reached is None else [members for members, may in zip(strata, reached, strict=True) if may]
    seen = np.concatenate(counted)
    size = n_rows if len(counted) == len(strata) else round(float(np.sum(1 / probability[seen])))
    open_strata = [unsure for members in counted if (unsure := members[probability[members] < 1]).size]
    stands_for = hit / probability
    total, variance = float(stands_for.sum()), _covariance(probability, open_strata, stands_for, stands_for)
    if not open_strata:
        low = high = total
    elif (drawn_alike := _simple_random(probability, open_strata)) is not None:
        found, known = int(hit[drawn_alike].sum()), int(hit.sum() - hit[drawn_alike].sum())
        unsure = size - seen.size + drawn_alike.size
        low, high = (known + end for end in hypergeometric_interval(found, drawn_alike.size, unsure, tail))
    elif math.isnan(variance):
        low = high = math.nan
    else:
        # a row less thinly drawn than any of the domain cannot be a positive of it
        empty = seen[~hit[seen] & (probability[seen] >= least * (1 - 1e-9))]
        low, high = _variance_matched(
            total,
            variance,
            n_rows=size,
            n_reviewed=seen.size,
            heaviest_yes=_heaviest(probability[hit]),
            heaviest_no=_heaviest(probability[empty]),
            tail=tail,
        )
    # what the answers leave possible; np.maximum and np.minimum keep nan
    most = min(n_rows - int(np.sum(~hit)), n_within - int(np.sum(within & ~y_true)))
    sd = math.sqrt(variance) if within.any() else math.nan
    return ReviewEstimate(total, sd, float(np.maximum(low, hit.sum())), float(np.minimum(high, most)))


def correlation_of_totals(y_true, probability, strata, within):
    """Correlation of two estimated totals, the positives ``within`` and all others: 0 if either does not vary."""
    open_strata = [unsure for members in strata if (unsure := members[probability[members] < 1]).size > 1]
    inside, outside = ((y_true & part) / probability for part in (within, ~within))
    covariance, *variances = (
        _covariance(probability, open_strata, *pair)
        for pair in ((inside, outside), (inside, inside), (outside, outside))
    )
    scale = math.sqrt(variances[0]) * math.sqrt(variances[1])
    return max(covariance / scale, -1.0) if scale else 0.0


def _covariance(probability, open_strata, one, other):
    """Hájek's covariance of two sums over samples of fixed size; nan if a stratum has a single review."""
    covariance = 0.0
    for members in open_strata:
        doubt, n = 1 - probability[members], members.size
        spreads = (part[members] - np.sum(doubt * part[members]) / np.sum(doubt) for part in (one, other))
        covariance += n / (n - 1) * float(np.sum(doubt * math.prod(spreads))) if n > 1 else math.nan
    return covariance


def _simple_random(probability, open_strata):
    """Rows that are all the doubt there is, if they are a simple random sample of their like; else None."""
    if len(open_strata) == 1 and np.ptp(p := probability[open_strata[0]]) <= 1e-9 * p.max():
        return open_strata[0]
    return None


def _heaviest(probability):
    """Rows that the most thinly drawn of some reviewed rows stands for, beside itself."""
    return 1 / probability.min(initial=1.0) - 1


def _tail(confidence):
    return (1 - check_between("confidence", confidence, 0, 1)) / 2


def _variance_matched(total, variance, *, n_rows, n_reviewed, heaviest_yes, heaviest_no, tail):
    """Ends of the interval of a total with this variance: Korn and Graubard's, with one more hit on either side."""
    share, off = min(total / n_rows, 1.0), math.sqrt(variance) / n_rows
    effective = _effective_reviews(share, off, n_reviewed)
    high = _one_more_hit(share, effective, heaviest_no / n_rows, tail)
    # an estimate near all rows, or above, would leave the lower end no negatives to go by
    share = max(0.0, min(share, 1 - off))
    effective = _effective_reviews(share, off, n_reviewed)
    low = 1 - _one_more_hit(1 - share, effective, heaviest_yes / n_rows, tail)
    return n_rows * low, n_rows * high


def _effective_reviews(share, sd, n_reviewed):
    """Simple random reviews whose share has this standard deviation (Korn and Graubard)."""
    # without a spread (nothing found, or everything positive) there is only the number of reviews to go by
    return share * (1 - share) / sd**2 if sd > 1e-9 * share else n_reviewed


def _one_more_hit(share, effective, weight, tail):
    """Upper end of a share, with one hit more than found that weighs so much of all (Fay and Feuer)."""
    hits, more = share * effective, max(1.0, weight * effective)  # at least as heavy as an average review
    scale = (hits + more**2) / (hits + more)
    hits, effective = (hits + more) / scale - 1, effective / scale
    return clopper_pearson(hits, max(0.0, effective - hits), tail)[1]


def _read_reviews(y_true, probability, n_rows, stratum):
    """Labels, inclusion probabilities, all rows, and the positions of the rows of each stratum."""
    y_true = read_labels(y_true)
    probability, strata = _read_design(probability, stratum)
    check_lengths(y_true=y_true.size, probability=probability.size)
    accepted = f"a whole number, at least the {y_true.size} reviewed rows"
    n_rows = read_whole("n_rows", n_rows, y_true.size, math.inf, accepted)
    _check_stands_for(probability, n_rows, strata)
    return y_true, probability, n_rows, strata


def _read_domain(name, of_all, probability, strata, within, n_rows):
    """What the inclusion probabilities of all rows of a domain say of it: keyword arguments of ``estimate_total``."""
    if of_all is None:
        return {}
    of_all = np.sort(read_probabilities(name, of_all, zero=False))
    reviewed = int(within.sum())
    if not max(reviewed, 1) <= of_all.size <= n_rows - int(np.sum(~within)):
        raise ValueError(
            f"{name} has {of_all.size} rows, but {reviewed} of the {within.size} reviewed rows belong there, and "
            f"n_rows is {n_rows}; pass the probability of every such row, reviewed or not"
        )

    def holds(low, high):
        return of_all.searchsorted(high * (1 + 1e-9), "right") > of_all.searchsorted(low * (1 - 1e-9), "left")

    lacking = np.flatnonzero(within & ~holds(probability, probability))
    if lacking.size:
        raise ValueError(
            f"{name} lacks {probability[lacking[0]]:g}, the probability of the reviewed row at position {lacking[0]}; "
            "pass the probability of every such row, reviewed or not"
        )
    # where probabilities differ, those of the reviewed rows do not show which ones the stratum has
    reached = [np.ptp(p := probability[members]) > 1e-9 * p.max() or bool(holds(p[0], p[0])) for members in strata]
    return {"reached": reached, "least": float(of_all[0]), "n_within": of_all.size}


def _read_design(probability, stratum):
    """Inclusion probabilities, and the positions of the rows of each stratum."""
    probability = read_probabilities("probability", probability, zero=False)
    if stratum is None:
        return probability, [np.arange(probability.size)]
    stratum = read_strata(stratum)
    check_lengths(probability=probability.size, stratum=stratum.size)
    order = np.argsort(stratum, kind="stable")
    return probability, np.split(order, np.flatnonzero(stratum[order][1:] != stratum[order][:-1]) + 1)


def _read_rows(rows, **entries):
    """Rows that each of the entries stands for; 1 by default."""
    rows = read_numbers("rows", np.ones(*entries.values()) if rows is None else rows, ROWS)
    check_lengths(rows=rows.size, **entries)
    if rows.min() < 1 or not np.all(rows % 1 == 0):
        raise ValueError(f"{ROWS}, got {rows[np.argmax((rows < 1) | (rows % 1 != 0))]:g}")
    return rows.astype(np.int64)


def _read_budget(budget, least, most):
    return read_whole("budget", budget, least, most, f"a whole number of reviews from {least} to {most}")
