"""Rows of known groups: seeded, of the sizes and shapes that they promise."""

import numpy as np
import pytest

from evalteach import data


@pytest.mark.parametrize("draw", [data.three_heaps, data.two_arcs], ids=["heaps", "arcs"])
def test_groups_are_drawn_from_the_seed(draw):
    one, same, other = draw(seed=3), draw(seed=3), draw(seed=4)
    assert np.array_equal(one.X, same.X)
    assert not np.isclose(one.X, other.X).any()
    assert np.array_equal(one.labels_true, other.labels_true)


def test_the_groups_of_the_lessons_are_these():
    X, labels_true = data.three_heaps()
    assert np.bincount(labels_true).tolist() == [80, 40, 30]
    assert X[[0, -1]] == pytest.approx(np.array([[0.3456, 0.8216], [3.7847, 3.6903]]), abs=1e-4)
    X, labels_true = data.two_arcs()
    assert np.bincount(labels_true).tolist() == [100, 100]
    assert X[:2] == pytest.approx(np.array([[0.0405, 1.0111], [2.0263, 0.2704]]), abs=1e-4)
    assert X.std(axis=0) == pytest.approx([0.86, 0.5091], abs=1e-4)


def test_the_least_groups_have_a_row_each():
    assert data.three_heaps((1, 1, 1)).labels_true.tolist() == [0, 1, 2]
    assert data.two_arcs(2).labels_true.tolist() == [0, 1]
    assert data.two_arcs(3).labels_true.tolist() == [0, 1, 0]


def test_heaps_have_their_sizes_and_unit_spread_around_their_centres():
    X, labels_true = data.three_heaps((4_000, 2_000, 3_000))
    assert np.bincount(labels_true).tolist() == [4_000, 2_000, 3_000]
    for group, centre in enumerate([(0, 0), (4, 0), (2, 4)]):
        inside = X[labels_true == group]
        assert inside.mean(axis=0) == pytest.approx(centre, abs=0.08)
        assert np.cov(inside.T) == pytest.approx(np.eye(2), abs=0.1)


def test_arcs_are_half_circles_that_reach_into_each_other():
    X, labels_true = data.two_arcs(600, noise=0)
    assert np.bincount(labels_true).tolist() == [300, 300]
    upper, lower = X[labels_true == 0], X[labels_true == 1]
    assert np.hypot(*upper.T) == pytest.approx(1)
    assert np.hypot(*(lower - [1, 0.5]).T) == pytest.approx(1)
    assert upper[:, 1].min() >= 0 > lower[:, 1].min() >= -0.5
    assert upper[:, 0].max() > lower[:, 0].mean()
    noisy = data.two_arcs(600, noise=0.1).X[labels_true == 0]
    assert np.std(np.hypot(*noisy.T)) == pytest.approx(0.1, rel=0.2)


@pytest.mark.parametrize(
    ("draw", "why"),
    [
        (lambda: data.three_heaps((5, 5)), r"sizes has shape \(2,\); there are 3 heaps"),
        (lambda: data.three_heaps(5), r"sizes has shape \(\); there are 3 heaps"),
        (lambda: data.three_heaps((5, 0, 5)), "sizes must be whole numbers, 1 or more, got 0"),
        (lambda: data.two_arcs(1), "n_rows must be a whole number, 2 or more, got 1"),
        (lambda: data.two_arcs(noise=-1), "noise must be 0 or more and finite, got -1"),
    ],
    ids=["two sizes", "one size", "no rows", "one row", "noise below 0"],
)
def test_what_cannot_be_drawn_is_refused(draw, why):
    with pytest.raises(ValueError, match=f"^{why}"):
        draw()
