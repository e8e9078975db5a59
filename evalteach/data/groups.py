"""Rows of known groups, drawn from a seed: what a program that groups rows may find, or not."""

from typing import NamedTuple

import numpy as np

from evalteach._inputs import check_between, read_seed, read_whole

CENTRES = np.array([[0, 0], [4, 0], [2, 4]])


class Grouped(NamedTuple):
    """Rows, and the group that each belongs to."""

    X: np.ndarray
    labels_true: np.ndarray


def three_heaps(sizes=(80, 40, 30), *, seed=1):
    """Three round groups of unit spread, about four units apart.

    Parameters
    ----------
    sizes : sequence of three int
        Rows of each group, at least 1.
    seed : int or list of int
        Of the random numbers.

    Returns
    -------
    Grouped
        ``X``, shape (n_rows, 2), and ``labels_true`` (0, 1, 2), in this order.
    """
    if np.shape(sizes) != (len(CENTRES),):
        raise ValueError(f"sizes has shape {np.shape(sizes)}; there are {len(CENTRES)} heaps")
    sizes = [read_whole("sizes", size, 1, np.inf, "whole numbers, 1 or more") for size in sizes]
    labels_true = np.repeat(np.arange(len(CENTRES)), sizes)
    return Grouped(
        CENTRES[labels_true] + np.random.default_rng(read_seed(seed)).normal(size=(sum(sizes), 2)), labels_true
    )


def two_arcs(n_rows=200, *, noise=0.07, seed=1):
    """Two half circles that reach into each other, in turns.

    Parameters
    ----------
    n_rows : int
        At least 2.
    noise : float
        Standard deviation of each column around the arc, 0 or more; the radius is 1.
    seed : int or list of int
        Of the random numbers.

    Returns
    -------
    Grouped
        ``X``, shape (n_rows, 2), and ``labels_true`` (0, 1).
    """
    n_rows = read_whole("n_rows", n_rows, 2, np.inf, "a whole number, 2 or more")
    noise = check_between("noise", noise, 0, np.inf, open_ends=False)
    rng, labels_true = np.random.default_rng(read_seed(seed)), np.arange(n_rows) % 2
    angle = np.pi * rng.random(n_rows)
    X = np.column_stack([np.cos(angle), np.sin(angle)])
    X[labels_true == 1] = [1, 0.5] - X[labels_true == 1]
    return Grouped(X + noise * rng.normal(size=X.shape), labels_true)
