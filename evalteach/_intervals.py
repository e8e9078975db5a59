"""One place for the exact intervals of counts, which several parts of the package need."""

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
    from scipy.stats import hypergeom

    # the probability falls with every further positive, so the span of what is possible is cut into 8 again and again
    possible, impossible = hits, rows - draws + hits + 1
    cuts = np.arange(9)
    while np.any(impossible - possible > 1):
        points = possible[..., None] + (impossible - possible)[..., None] * cuts // 8
        inner = points[..., 1:-1]
        likely = hypergeom.cdf(hits[..., None], rows[..., None], inner, draws[..., None]) > tail
        # the first point is possible whatever rounding says, and the last is not
        last = np.sum(likely, axis=-1, keepdims=True)
        possible, impossible = (np.take_along_axis(points, at, axis=-1)[..., 0] for at in (last, last + 1))
    return possible
