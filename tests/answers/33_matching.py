"""Other right answers to the exercises of 33_matching."""

import math

import numpy as np

from evalteach import matching


def _saved(sizes):
    kept = sum(math.comb(size, 2) for size in sizes.tolist())
    return 1 - kept / math.comb(int(sizes.sum()), 2)


def _joined(a, b, rest):
    entity = np.repeat(np.arange(rest + 2), [a, b] + [1] * rest)
    return matching.b_cubed(entity, np.maximum(entity, 1)).precision


def _blocking(completeness, pairs, budget):
    paid = [i for i in range(len(pairs)) if pairs[i] <= budget]
    return max(paid, key=lambda i: completeness[i])


def _every_record(entity, cluster):
    same, together = entity[:, None] == entity, cluster[:, None] == cluster
    return np.mean((same & together).sum(axis=1) / together.sum(axis=1))


ANSWERS = {
    "pairs_saved": [
        _saved,
        lambda sizes: (sizes.sum() ** 2 - (sizes**2).sum()) / (sizes.sum() * (sizes.sum() - 1)),
    ],
    "b_cubed_joined": [
        _joined,
        lambda a, b, rest: 1 - 2 * a * b / ((a + b) * (a + b + rest)),
    ],
    "blocking_to_use": [
        _blocking,
        lambda completeness, pairs, budget: np.flatnonzero(pairs <= budget)[np.argmax(completeness[pairs <= budget])],
    ],
    "b_cubed_by_clusters": [
        lambda entity, cluster: matching.b_cubed(entity, cluster).precision,
        _every_record,
    ],
}
