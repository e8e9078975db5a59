"""How far the rows of a day lie from those of a reference, and how far chance alone would take them."""

import numpy as np

from evalteach._inputs import check_between, read_finite, read_whole


def population_stability_index(reference, counts):
    """Population stability index (PSI): the sum over bins of (q - p) ln(q / p), p and q the shares of the two samples.

    Half a row is added to every bin of both samples, since an empty bin would make it infinite.

    Parameters
    ----------
    reference : array_like, shape (n_bins,)
        Rows of the reference in each bin (0 or more).
    counts : array_like, shape (n_bins,) or (n_days, n_bins)
        Rows of a day, or of several days, in the same bins.

    Returns
    -------
    float, or ndarray of shape (n_days,)
        0 for equal shares, no upper limit, in nats.

    Raises
    ------
    ValueError
        For fewer than two bins, another number of bins, or counts that are negative or not finite.

    References
    ----------
    Jeffreys (1946), Proceedings of the Royal Society A 186, 453-461 (the divergence).
    Derived in notebooks/52_monitoring.ipynb.

    Examples
    --------
    >>> round(population_stability_index([100, 100], [50, 150]), 3)
    0.272
    """
    reference, counts = read_finite("reference", reference, (1,)), read_finite("counts", counts, (1, 2))
    for name, rows in (("reference", reference), ("counts", counts)):
        if rows.min() < 0:
            raise ValueError(f"{name} holds {rows.min():g}; rows in a bin are 0 or more")
    if reference.size < 2 or counts.shape[-1] != reference.size:
        shapes = f"reference and counts have shapes {reference.shape}, {counts.shape}"
        raise ValueError(f"{shapes}; the same two bins or more are needed in both, and several days in rows of counts")
    p, q = (0.5 + reference) / (0.5 + reference).sum(), 0.5 + counts
    q = q / q.sum(axis=-1, keepdims=True)
    total = np.sum((q - p) * np.log(q / p), axis=-1)
    return total if total.ndim else float(total)


def stability_limit(n_bins, n, n_reference=np.inf, confidence=0.95):
    """Where the PSI of an unchanged world stays below with probability ``confidence``, nearly.

    A chi-squared quantile with ``n_bins`` - 1 degrees of freedom, times 1 / n + 1 / n_reference. It takes independent
    rows, and some five or more of them expected in each bin.

    Parameters
    ----------
    n_bins : int
        2 or more.
    n, n_reference : float
        Rows of the day and of the reference (> 0); the latter may be infinite, as where its shares are known.
    confidence : float
        Between 0 and 1.

    Returns
    -------
    float

    References
    ----------
    Derived, and its coverage simulated, in notebooks/52_monitoring.ipynb.

    Examples
    --------
    >>> round(stability_limit(10, 200, 1_000), 4)
    0.1015
    """
    from scipy.special import chdtri

    read_whole("n_bins", n_bins, 2, np.inf, "a whole number, 2 or more")
    check_between("n", n, 0, np.inf)
    if n_reference != np.inf:
        check_between("n_reference", n_reference, 0, np.inf)
    tail = 1 - check_between("confidence", confidence, 0, 1)
    return float(chdtri(n_bins - 1, tail) * (1 / n + 1 / n_reference))
