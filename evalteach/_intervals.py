"""One place for the interval of a proportion, which several parts of the package need."""

import numpy as np


def clopper_pearson(hits, misses, tail):
    """Exact interval of a proportion, each end exceeded with probability ``tail`` at most."""
    from scipy.special import betaincinv

    hits, misses = np.asarray(hits, dtype=float), np.asarray(misses, dtype=float)
    # where a parameter would be 0 the end is the limit, 0 or 1
    low = np.where(hits > 0, betaincinv(np.where(hits > 0, hits, 1), misses + 1, tail), 0.0)
    high = np.where(misses > 0, betaincinv(hits + 1, np.where(misses > 0, misses, 1), 1 - tail), 1.0)
    return (low, high) if low.ndim else (low.item(), high.item())
