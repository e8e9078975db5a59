"""How high chance alone takes recall@k where every positive stands before every negative."""

import numpy as np

from evalteach._inputs import LARGEST, check_between, check_shapes, read_array, read_number, read_numbers

BLOCK = 1_000  # ranks at a time


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

    References
    ----------
    Skellam (1948), JRSS B 10(2), 257-261. Derived in notebooks/13_how_sure.ipynb.
    """
    ranks = read_numbers("k", k, "ranks must be numbers from 1 on")
    tail = (1 - check_between("confidence", confidence, 0, 1)) / 2
    m, size = _read_ideal(n_test_positives, class_size, ranks)
    blocks = np.array_split(ranks, -(-ranks.size // BLOCK))
    low, mean, high = np.hstack([_band(m, size, tail, block) for block in blocks])
    return low, mean, high


def _band(m, size, tail, ranks):
    """Its ends and mean at some ranks, each of which takes 26 kB of memory."""
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
    weights = np.where(inside, _beta_binomial(h, m, a, b), 0)
    cdf = np.cumsum(weights, axis=1)
    rows = list(zip(np.minimum(hits, m), weights, cdf, stride[:, 0], strict=True))
    ends = [np.array([_quantile(p, *row) for row in rows]) for p in (tail, 1 - tail)]
    return [np.where(ranks > size, 1.0, hits / m) for hits in (ends[0], mean[:, 0], ends[1])]


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

    References
    ----------
    Skellam (1948), JRSS B 10(2), 257-261. Derived in notebooks/14_reading_the_curve.ipynb.

    Examples
    --------
    >>> round(ideal_recall_tail(4, 4, 6, k=2), 4)
    0.0238
    """
    hits, k = read_array("hits", hits), read_array("k", k)
    found = read_numbers("hits", hits.ravel(), "hits must be whole numbers")
    ranks = read_numbers("k", k.ravel(), "ranks must be whole numbers from 1 on")
    m, size = _read_ideal(n_test_positives, class_size, ranks)
    wrong = ranks[(ranks != np.floor(ranks)) | (ranks == np.inf)]
    if wrong.size:
        raise ValueError(f"k must be whole numbers from 1 on, got {wrong[0]:g}")
    wrong = found[(found != np.floor(found)) | (found < 0) | (found > m)]
    if wrong.size:
        raise ValueError(f"hits must be whole numbers from 0 to {m} (test positives), got {wrong[0]:g}")
    check_shapes(hits=hits, k=k)

    def at_least(hits, k):
        if k > size or not hits:
            return 1.0
        # summed from this side, since 1 minus the other side loses what is small
        return min(1.0, _beta_binomial(np.arange(hits, m + 1), m, k, size - k + 1).sum())

    tail = np.vectorize(at_least, otypes=[float])(found.reshape(hits.shape), ranks.reshape(k.shape))
    return tail if tail.ndim else tail.item()


def _beta_binomial(hits, m, a, b):
    """Probability of each number of hits among m test positives."""
    from scipy.special import betaln

    ways = -np.log(m + 1) - betaln(m - hits + 1, hits + 1)  # log of m over hits
    return np.exp(ways + betaln(hits + a, m - hits + b) - betaln(a, b))


def _read_ideal(n_test_positives, class_size, ranks):
    """What both functions about perfect rankings take, as Python numbers."""
    m, size = read_number("n_test_positives", n_test_positives), read_number("class_size", class_size)
    if not all(1 <= each <= LARGEST for each in (m, size, ranks.min())) or m % 1:
        raise ValueError(
            f"n_test_positives (whole), class_size and k must be finite and 1 or more, got {m}, {size}, {ranks.min():g}"
        )
    return m, size


def _quantile(p, hits, weights, cdf, stride):
    """The smallest number of hits with probability ``p`` at or below it; between those looked at, interpolated."""
    if stride == 1:
        return hits[np.argmax(cdf >= p * cdf[-1])]
    return np.interp(p, (cdf - weights / 2) / cdf[-1], hits)
