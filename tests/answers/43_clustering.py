"""Other right answers to the exercises of 43_clustering: by other algebra, or by scikit-learn."""

import math

import numpy as np
from sklearn import metrics


def _labels(table):
    kind, cluster = np.indices(table.shape)
    return np.repeat(kind.ravel(), table.ravel()), np.repeat(cluster.ravel(), table.ravel())


def _from_squares(table):
    n, of_kinds, in_clusters = table.sum(), table.sum(axis=1), table.sum(axis=0)
    wrong = np.dot(of_kinds, of_kinds) + np.dot(in_clusters, in_clusters) - 2 * np.sum(table**2)
    return 1 - wrong / (n * (n - 1))


def _choose_two(sizes):
    return sum(math.comb(int(size), 2) for size in sizes)


def _by_expected_pairs(kind_sizes, cluster_sizes):
    pairs = math.comb(int(np.sum(kind_sizes)), 2)
    of_kinds, in_clusters = _choose_two(kind_sizes), _choose_two(cluster_sizes)
    both = of_kinds * in_clusters / pairs
    return (pairs + 2 * both - of_kinds - in_clusters) / pairs


def _by_wrong_pairs(kind_sizes, cluster_sizes):
    n = np.sum(kind_sizes)
    one, other = ((np.dot(sizes, sizes) - n) / (n * n - n) for sizes in (kind_sizes, cluster_sizes))
    return 1 - one * (1 - other) - other * (1 - one)


def _first_highest(heights, without):
    best, number = max(without), 1
    for n_clusters, height in enumerate(heights, 2):
        if height > best:
            best, number = height, n_clusters
    return number


def _width_of_row(away, labels, i):
    mates = [each for j, each in enumerate(away) if labels[j] == labels[i] and j != i]
    own = sum(mates) / len(mates)
    nearest = min(away[labels == other].mean() for other in set(labels.tolist()) - {labels[i]})
    return 1 - own / nearest if own < nearest else nearest / own - 1


ANSWERS = {
    "rand_of_table": [lambda table: metrics.rand_score(*_labels(table)), _from_squares],
    "rand_by_chance": [_by_expected_pairs, _by_wrong_pairs],
    "clusters_or_one": [
        _first_highest,
        lambda heights, without: int(np.argmax(np.append(np.max(without), heights))) + 1,
    ],
    "silhouette_of_row": [
        _width_of_row,
        lambda away, labels, i: (lambda own, nearest: (nearest - own) / np.maximum(own, nearest))(
            np.mean(np.delete(away, i)[np.delete(labels, i) == labels[i]]),
            np.min([np.mean(away[labels == other]) for other in np.unique(labels) if other != labels[i]]),
        ),
    ],
}
