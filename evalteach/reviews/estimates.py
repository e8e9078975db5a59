"""What experts' reviews of some rows say about all rows: how many are positive, and how sure that is."""

import math
from typing import NamedTuple

import numpy as np

from evalteach._inputs import (
    check_between,
    check_lengths,
    check_made,
    read_column,
    read_labels,
    read_probabilities,
    read_whole,
)
from evalteach._intervals import hypergeometric_interval
from evalteach.reviews.designs import read_design
from evalteach.reviews.intervals import (
    correlation_of_totals,
    hajek_covariance,
    heaviest,
    simple_random_part,
    tail_of,
    variance_matched,
)


class ReviewEstimate(NamedTuple):
    """Positives among all rows: estimate, its standard deviation, and an interval, all in rows."""

    total: float
    sd: float
    low: float
    high: float


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
    domain = _read_domain("probability_within", probability_within, probability, strata, within, n_rows=n_rows)
    return estimate_total(y_true, probability, n_rows, strata, within, confidence=confidence, **domain)


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
            confidence=confidence,
            # an end that is cut at the rows of the part is no longer as far off as the level says
            **_read_domain(name, of_all, probability, strata, within, n_rows=n_rows) | {"n_within": math.inf},
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
    y_true, probability, n_rows, strata, within, *, confidence, reached=None, least=0.0, n_within=math.inf
):
    """``horvitz_thompson`` of arguments that are already read: positions of the rows of each stratum.

    Of the domain: whether each stratum may hold rows of it (by default each may), the smallest inclusion probability of
    its rows, and their number.
    """
    hit, tail = y_true & within, tail_of(confidence)
    counted = strata if reached is None else [members for members, may in zip(strata, reached, strict=True) if may]
    seen = np.concatenate(counted)
    size = n_rows if len(counted) == len(strata) else round(float(np.sum(1 / probability[seen])))
    open_strata = [unsure for members in counted if (unsure := members[probability[members] < 1]).size]
    stands_for = hit / probability
    total, variance = float(stands_for.sum()), hajek_covariance(probability, open_strata, stands_for, stands_for)
    if not open_strata:
        low = high = total
    elif (drawn_alike := simple_random_part(probability, open_strata)) is not None:
        found, known = int(hit[drawn_alike].sum()), int(hit.sum() - hit[drawn_alike].sum())
        unsure = size - seen.size + drawn_alike.size
        low, high = (known + end for end in hypergeometric_interval(found, drawn_alike.size, unsure, tail))
    elif math.isnan(variance):
        low = high = math.nan
    else:
        # a row less thinly drawn than any of the domain cannot be a positive of it
        empty = seen[~hit[seen] & (probability[seen] >= least * (1 - 1e-9))]
        low, high = variance_matched(
            total,
            variance,
            n_rows=size,
            n_reviewed=seen.size,
            heaviest_yes=heaviest(probability[hit]),
            heaviest_no=heaviest(probability[empty]),
            tail=tail,
        )
    # what the answers leave possible; np.maximum and np.minimum keep nan
    most = min(n_rows - int(np.sum(~hit)), n_within - int(np.sum(within & ~y_true)))
    sd = math.sqrt(variance) if within.any() else math.nan
    return ReviewEstimate(total, sd, float(np.maximum(low, hit.sum())), float(np.minimum(high, most)))


def _read_reviews(y_true, probability, n_rows, stratum):
    """Labels, inclusion probabilities, all rows, and the positions of the rows of each stratum."""
    y_true = read_labels(y_true)
    probability, strata = read_design(probability, stratum)
    check_lengths(y_true=y_true.size, probability=probability.size)
    accepted = f"a whole number, at least the {y_true.size} reviewed rows"
    n_rows = read_whole("n_rows", n_rows, y_true.size, math.inf, accepted)
    _check_stands_for(probability, n_rows, strata)
    return y_true, probability, n_rows, strata


def _read_domain(name, of_all, probability, strata, within, *, n_rows):
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
