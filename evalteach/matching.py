"""Entity resolution: clusters from linked pairs of records, and how good a clustering is, by pairs and by records.

The entity of a record says who it is about, its cluster which records the matcher takes for one. Blocking is judged
like a matcher, by a ``Counts`` of all pairs in which the compared ones are flagged.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd

from evalteach._inputs import check_lengths, read_array, read_groups, read_whole
from evalteach.counts import Counts


class BCubed(NamedTuple):
    """Means over records: ``precision`` is the share of a record's cluster that is its entity, ``recall`` the share
    of its entity that is in its cluster."""

    precision: float
    recall: float


def linked_clusters(pairs, n_records):
    """The clusters that linked pairs make: all records linked, directly or through others, are one entity.

    Parameters
    ----------
    pairs : array_like of int, shape (n_pairs, 2)
        Positions of two records each, 0 to n_records - 1; their order does not count. May be empty.
    n_records : int
        All records, linked or not.

    Returns
    -------
    ndarray of int, shape (n_records,)
        Cluster of each record, numbered from 0 in order of appearance.

    Raises
    ------
    ValueError
        For pairs of another shape, positions that are no whole numbers or name no record.

    Notes
    -----
    The connected components of a graph (scipy): a transitive closure, in which one wrong link joins two clusters.

    Examples
    --------
    >>> linked_clusters([[0, 3], [3, 1]], 5).tolist()
    [0, 0, 1, 0, 2]
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    n_records = read_whole("n_records", n_records, 1, 2**31 - 1)
    pairs = read_array("pairs", pairs)
    pairs = pairs.reshape(-1, 2) if pairs.shape == (0,) else pairs
    if pairs.ndim != 2 or pairs.shape[1] != 2:
        raise ValueError(f"pairs must have shape (n_pairs, 2), got {pairs.shape}; a row holds two positions")
    if pairs.size and pairs.dtype.kind not in "iu":
        raise ValueError(f"pairs has dtype {pairs.dtype}; positions of records are whole numbers")
    if pairs.size and not (pairs.min() >= 0 and pairs.max() < n_records):
        raise ValueError(f"pairs holds {pairs.min()} to {pairs.max()}; records stand at 0 to {n_records - 1}")
    left, right = pairs.astype(np.int32).T  # scipy 1.11 takes no longer positions
    links = coo_array((np.ones(left.size, dtype=bool), (left, right)), shape=(n_records, n_records))
    return pd.factorize(connected_components(links, directed=False)[1])[0]


def pair_counts(entity, cluster):
    """All pairs of records as Counts: positive if both are one entity, flagged if both are in one cluster.

    ``precision`` and ``recall`` of these (evalteach.classification) are pairwise precision and pairwise recall. They
    are nan where no cluster, or no entity, has two records.

    Parameters
    ----------
    entity, cluster : array_like, shape (n_records,)
        Labels of any kind, none missing.

    Returns
    -------
    Counts
        As scikit-learn's ``pair_confusion_matrix``, which counts each pair twice.

    Raises
    ------
    ValueError
        For columns of unequal length, of more than one dimension, without rows, or with a missing label.

    Examples
    --------
    >>> pair_counts(["Ann", "Ann", "Bob", "Bob"], [1, 1, 1, 2])
    Counts(tp=1, fp=2, fn=1, tn=2)
    """
    _, _, *sizes = _overlap(entity, cluster)
    tp, both_entity, both_cluster = (int(np.sum(size * (size - 1)) // 2) for size in sizes)
    n = int(sizes[1].sum())
    fp, fn = both_cluster - tp, both_entity - tp
    return Counts(tp=tp, fp=fp, fn=fn, tn=n * (n - 1) // 2 - tp - fp - fn)


def b_cubed(entity, cluster):
    """B-cubed precision and recall: each record has one vote, whereas pairs give a cluster the square of its size.

    Arguments and errors: see :func:`pair_counts`. A record counts as found with itself, so neither is ever nan or 0.

    References
    ----------
    Bagga & Baldwin (1998), LREC workshop on linguistic coreference, 563-566 (equal weights).
    Derived in notebooks/33_matching.ipynb.

    Examples
    --------
    >>> b_cubed(["Ann", "Ann", "Bob", "Bob"], [1, 1, 1, 2])
    BCubed(precision=0.6666666666666666, recall=0.75)
    """
    of_entity, of_cluster, both, entities, clusters = _overlap(entity, cluster)
    n = entities.sum()
    squares = both.astype(np.float64) ** 2
    return BCubed(float(np.sum(squares / clusters[of_cluster]) / n), float(np.sum(squares / entities[of_entity]) / n))


def _overlap(entity, cluster):
    """Entity, cluster and records of each overlap of the two; then records of each entity and of each cluster."""
    codes = [read_groups(name, labels) for name, labels in (("entity", entity), ("cluster", cluster))]
    check_lengths(entity=codes[0].size, cluster=codes[1].size)
    sizes = [np.bincount(code) for code in codes]
    cells, both = np.unique(codes[0].astype(np.int64) * sizes[1].size + codes[1], return_counts=True)
    return *np.divmod(cells, sizes[1].size), both, *sizes
