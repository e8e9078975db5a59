"""Which rows to review: strata, how many reviews each gets, inclusion probabilities, and the draw."""

import math

import numpy as np

from evalteach._inputs import (
    check_between,
    check_lengths,
    read_between,
    read_column,
    read_numbers,
    read_probabilities,
    read_seed,
    read_strata,
    read_whole,
)

# ends of the strata, in ranks, for one positive among all rows
EDGES = 0.5, 1.5, 5, 15, 40
ROWS = "rows must be whole numbers, 1 or more"


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
    place = np.searchsorted(descending[ranks - 1], -y_score)
    return (np.cumsum(np.bincount(place) > 0) - 1)[place]  # numbered without gaps


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
    rows = read_rows(read_column("rows", rows), spread=spread.size)
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
    rows = read_rows(rows, size=size.size)
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
    probability, strata = read_design(probability, stratum)
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


def read_design(probability, stratum):
    """Inclusion probabilities, and the positions of the rows of each stratum."""
    probability = read_probabilities("probability", probability, zero=False)
    if stratum is None:
        return probability, [np.arange(probability.size)]
    stratum = read_strata(stratum)
    check_lengths(probability=probability.size, stratum=stratum.size)
    order = np.argsort(stratum, kind="stable")
    return probability, np.split(order, np.flatnonzero(stratum[order][1:] != stratum[order][:-1]) + 1)


def read_rows(rows, **entries):
    """Rows that each of the entries stands for; 1 by default."""
    rows = read_numbers("rows", np.ones(*entries.values()) if rows is None else rows, ROWS)
    check_lengths(rows=rows.size, **entries)
    if rows.min() < 1 or not np.all(rows % 1 == 0):
        raise ValueError(f"{ROWS}, got {rows[np.argmax((rows < 1) | (rows % 1 != 0))]:g}")
    return rows.astype(np.int64)


def _read_budget(budget, least, most):
    return read_whole("budget", budget, least, most, f"a whole number of reviews from {least} to {most}")
