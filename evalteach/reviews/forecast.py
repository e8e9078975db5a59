"""What interval to expect from reviews that nobody has made yet."""

import math

import numpy as np

from evalteach._inputs import check_lengths, read_probabilities
from evalteach._intervals import hypergeometric_interval
from evalteach.reviews.designs import read_design, read_rows
from evalteach.reviews.estimates import ReviewEstimate
from evalteach.reviews.intervals import heaviest, simple_random_part, tail_of, variance_matched


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
    probability, strata = read_design(probability, stratum)
    check_lengths(guess=guess.size, probability=probability.size)
    rows = read_rows(rows, guess=guess.size)
    variance, open_strata = 0.0, [unsure for members in strata if (unsure := members[probability[members] < 1]).size]
    for members in open_strata:
        p, g, times = probability[members], guess[members], rows[members]
        doubt, n = times * (1 - p), int(times.sum())
        middle = np.sum(doubt * g) / np.sum(p * doubt)
        # of doubt × p × (label / p - middle)², where the label's square is the label
        spread = max(0.0, float(np.sum(doubt * (g / p - 2 * middle * g + middle**2 * p))))
        variance += spread * n / max(n - 1, 1)
    total, tail = float(guess @ rows), tail_of(confidence)
    if not open_strata:
        low = high = total
    elif (drawn_alike := simple_random_part(probability, open_strata)) is not None:
        unsure, p = rows[drawn_alike], probability[drawn_alike]
        hits, draws = float(np.sum(p * guess[drawn_alike] * unsure)), max(1, round(float(p @ unsure)))
        least, part = min(math.floor(hits), draws - 1), np.array([0, 1])
        ends = hypergeometric_interval(least + part, draws, int(unsure.sum()), tail)
        known = total - float(guess[drawn_alike] @ unsure)
        low, high = (known + float(np.interp(hits, least + part, end)) for end in ends)
    else:
        low, high = variance_matched(
            total,
            variance,
            n_rows=int(rows.sum()),
            n_reviewed=max(1, round(float(probability @ rows))),
            heaviest_yes=0.0,
            heaviest_no=heaviest(probability[guess < 1]),
            tail=tail,
        )
    return ReviewEstimate(total, math.sqrt(variance), low, high)
