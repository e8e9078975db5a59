"""One place for the exact intervals of counts, which several parts of the package need."""

import math

import numpy as np

# beyond this many rows the binomial interval is nearly the same, and far faster
MANY_ROWS = 10**7


def clopper_pearson(hits, misses, tail):
    """Exact interval of a proportion, each end exceeded with probability ``tail`` at most."""
    from scipy.special import betaincinv

    hits, misses = np.asarray(hits, dtype=float), np.asarray(misses, dtype=float)
    # where a parameter would be 0 the end is the limit, 0 or 1
    low = np.where(hits > 0, betaincinv(np.where(hits > 0, hits, 1), misses + 1, tail), 0.0)
    high = np.where(misses > 0, betaincinv(hits + 1, np.where(misses > 0, misses, 1), 1 - tail), 1.0)
    return (low, high) if low.ndim else (low.item(), high.item())


def hypergeometric_interval(hits, draws, rows, tail):
    """Exact interval of the positives among ``rows``, if ``hits`` of ``draws`` rows drawn at random are positive.

    Its ends are the smallest and the largest number of positives that make such a sample likelier than ``tail``. Whole
    numbers, as the three counts must be; above ``MANY_ROWS`` rows the ends are Clopper and Pearson's, which lie
    outside of these.
    """
    hits, draws, rows = np.broadcast_arrays(*(np.asarray(count, dtype=np.int64) for count in (hits, draws, rows)))
    if rows.max(initial=0) > MANY_ROWS:
        low, high = (np.multiply(end, rows) for end in clopper_pearson(hits, draws - hits, tail))
        low, high = np.maximum(low, hits), np.minimum(high, rows - draws + hits)
    else:
        # the fewest positives leave the most negatives
        high, most_negatives = _most_positives(np.stack([hits, draws - hits]), draws, rows, tail)
        low = rows - most_negatives
    return (low, high) if hits.ndim else (low.item(), high.item())


def _most_positives(hits, draws, rows, tail):
    """The largest number of positives with which a sample holds no more than ``hits`` with more than ``tail``."""
    # the probability falls with every further positive, so the span of what is possible is halved again and again
    possible, impossible = hits, rows - draws + hits + 1
    while np.any(impossible - possible > 1):
        middle = np.where(impossible - possible > 1, (possible + impossible) // 2, possible)
        is_possible = _no_more_than(hits, draws, middle, rows) > tail * (1 + 1e-9)  # rounding decides no tie
        possible, impossible = np.where(is_possible, middle, possible), np.where(is_possible, impossible, middle)
    return possible


def _no_more_than(hits, draws, positives, rows):
    """Probability of ``hits`` or fewer positives, where they are rarer than the mean; 1 where they are not."""
    from scipy.special import betaln

    # below the mean the terms fall faster and faster; from ten standard deviations down they change nothing
    k = hits[..., None] - np.arange(min(hits.max(), 10 * math.isqrt(draws.max()) + 50) + 1)
    draws, positives, rows = draws[..., None], positives[..., None], rows[..., None]
    can_be = (k >= 0) & (k <= positives) & (draws - k <= rows - positives)
    k = np.where(can_be, k, np.maximum(0, draws - rows + positives))
    log = -np.log(positives + 1) - np.log(rows - positives + 1) + np.log(rows + 1) + betaln(rows - draws + 1, draws + 1)
    log = log - betaln(k + 1, positives - k + 1) - betaln(draws - k + 1, rows - positives - draws + k + 1)
    share = np.sum(np.where(can_be, np.exp(log), 0), axis=-1)
    return np.where(hits * rows[..., 0] >= draws[..., 0] * positives[..., 0], 1.0, share)
