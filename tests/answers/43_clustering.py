"""Other right answers to the exercises of 43_clustering: by other algebra, by counting, or one row at a time."""

import math

import numpy as np


def _choose_two(sizes):
    return sum(math.comb(int(size), 2) for size in sizes)


def _by_expected_pairs(type_sizes, cluster_sizes):
    pairs = math.comb(int(np.sum(type_sizes)), 2)
    of_types, in_clusters = _choose_two(type_sizes), _choose_two(cluster_sizes)
    both = of_types * in_clusters / pairs
    return (pairs + 2 * both - of_types - in_clusters) / pairs


def _by_wrong_pairs(type_sizes, cluster_sizes):
    n = np.sum(type_sizes)
    one, other = ((np.dot(sizes, sizes) - n) / (n * n - n) for sizes in (type_sizes, cluster_sizes))
    return 1 - one * (1 - other) - other * (1 - one)


def _first_highest(heights, reference):
    best, number = max(reference), 1
    for n_clusters, height in enumerate(heights, 2):
        if height > best:
            best, number = height, n_clusters
    return number


def _width_of_row(away, labels, i):
    mates = [each for j, each in enumerate(away) if labels[j] == labels[i] and j != i]
    own = sum(mates) / len(mates)
    nearest = min(away[labels == other].mean() for other in set(labels.tolist()) - {labels[i]})
    return 1 - own / nearest if own < nearest else nearest / own - 1


def _width_by_mask(away, labels, i):
    others = (labels == labels[i]) & (np.arange(len(labels)) != i)
    nearest = min(away[labels == other].mean() for other in np.unique(labels) if other != labels[i])
    return (nearest - away[others].mean()) / max(nearest, away[others].mean())


ANSWERS = {
    "rand_by_chance": [_by_expected_pairs, _by_wrong_pairs],
    "clusters_or_one": [
        _first_highest,
        lambda heights, reference: int(np.argmax(np.append(np.max(reference), heights))) + 1,
    ],
    "silhouette_of_row": [
        _width_of_row,
        _width_by_mask,
        lambda away, labels, i: (lambda own, nearest: (nearest - own) / np.maximum(own, nearest))(
            np.mean(np.delete(away, i)[np.delete(labels, i) == labels[i]]),
            np.min([np.mean(away[labels == other]) for other in np.unique(labels) if other != labels[i]]),
        ),
    ],
}
