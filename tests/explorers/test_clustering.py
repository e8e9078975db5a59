"""The explorer of clusters: every cut against counting pairs and shuffling, and tables that are refused."""

import itertools
import math

import numpy as np
import pytest
from scipy.cluster import hierarchy

from evalteach import data
from evalteach.explorers import ClusteringExplorer, clustering
from explorers.helpers import CASES, move

pytestmark = pytest.mark.usefixtures("undrawn")

# two squares far apart, and a row far from both
X = np.array([[0, 0], [0, 1], [1.2, 0], [1.5, 1.7], [9, 0], [9, 0.7], [10.9, 0], [10.1, 1.3], [5, 30]])
TRUE = np.array(["a"] * 4 + ["b"] * 5)


def rand_by_hand(one, other):
    pairs = list(itertools.combinations(range(len(one)), 2))
    return sum((one[i] == one[j]) == (other[i] == other[j]) for i, j in pairs) / len(pairs)


def silhouette_by_hand(rows, labels):
    widths = []
    for i, row in enumerate(rows):
        away = [math.dist(row, each) for each in rows]
        mean_to = {
            group: np.mean([away[j] for j in range(len(rows)) if labels[j] == group and j != i] or [math.nan])
            for group in set(labels)
        }
        own = mean_to.pop(labels[i])
        widths.append(0 if math.isnan(own) else (min(mean_to.values()) - own) / max(own, min(mean_to.values())))
    return np.mean(widths)


@pytest.mark.parametrize("linkage", clustering.LINKAGES)
def test_every_cut_is_that_of_the_tree_and_is_scored_as_counting_does(linkage):
    explorer = move(ClusteringExplorer(X, TRUE), linkage=linkage)
    shuffled = np.random.default_rng(1).permuted(np.tile(TRUE, (4_000, 1)), axis=1)
    for n_clusters in range(1, 9):
        now = move(explorer, n_clusters=n_clusters).numbers()
        labels = explorer.scene[0][n_clusters - 1]
        assert now["found"] == n_clusters
        assert rand_by_hand(labels, hierarchy.fcluster(hierarchy.linkage(X, linkage), n_clusters, "maxclust")) == 1
        assert now["rand"] == pytest.approx(rand_by_hand(TRUE, labels))
        same = labels[:, None] == labels
        agree = (shuffled[:, :, None] == shuffled[:, None, :]) == same
        by_chance = (agree.sum(axis=(1, 2)).mean() - 9) / 72
        assert now["adjusted_rand"] == pytest.approx((now["rand"] - by_chance) / (1 - by_chance), abs=0.02)


@pytest.mark.parametrize("n_clusters", [2, 3, 7])
def test_the_silhouette_is_that_of_single_rows(n_clusters):
    explorer = ClusteringExplorer(X, n_clusters=n_clusters)
    labels = explorer.scene[0][n_clusters - 1].tolist()
    assert explorer.numbers()["silhouette"] == pytest.approx(silhouette_by_hand(X.tolist(), labels))


def test_one_cluster_has_no_silhouette_and_the_sentence_says_why():
    explorer = ClusteringExplorer(X, n_clusters=1)
    assert math.isnan(explorer.numbers()["silhouette"])
    assert "silhouette nan (it needs 2 clusters" in repr(explorer)


def test_where_a_cluster_splits_its_largest_part_keeps_its_number():
    rows, _ = data.three_heaps()
    cuts = clustering.cut_tree(hierarchy.linkage(rows, "average"), np.arange(1, 13))
    for coarse, fine in itertools.pairwise(cuts):
        new = fine == fine.max()
        assert (fine[~new] == coarse[~new]).all()
        [split] = set(coarse[new])
        assert new.sum() <= (coarse == split).sum() / 2


def test_rows_that_tie_are_not_torn_apart():
    corners = np.repeat([[0, 0], [1, 0], [0, 1], [1, 1]], 3, axis=0)
    explorer = ClusteringExplorer(corners, linkage="single", n_clusters=3)
    assert explorer.numbers()["found"] == 1
    assert "3 were asked for" in repr(explorer)


def test_a_score_just_below_0_is_shown_without_a_sign():
    rows, _ = data.three_heaps((20, 10, 8), seed=24)
    explorer = ClusteringExplorer(rows, np.arange(38) % 2, n_clusters=6)
    assert -0.0005 < explorer.numbers()["adjusted_mutual_info"] < 0
    assert "adjusted mutual information 0.000," in repr(explorer)


def test_every_row_is_drawn_once_in_the_picture_of_its_cluster():
    explorer = move(CASES["ClusteringExplorer"].make(), n_clusters=6)
    labels = explorer.scene[0][5]
    for group, marks in enumerate(explorer.artists.points):
        assert np.flatnonzero(~np.isnan(marks.get_xdata())).tolist() == np.flatnonzero(labels == group).tolist()


def test_names_of_groups_and_columns_beyond_the_second_are_used():
    deep = np.column_stack([np.zeros((8, 2)), np.repeat([0, 5], 4) + np.arange(8) / 100])
    assert ClusteringExplorer(deep, ["x"] * 4 + ["y"] * 4).numbers()["adjusted_rand"] == 1


def test_four_rows_are_enough():
    explorer = ClusteringExplorer(X[:4])
    labels = explorer.scene[0][1]
    assert explorer.numbers()["silhouette"] == pytest.approx(silhouette_by_hand(X[:4], labels), rel=1e-9)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"X": X[:, 0]}, r"X has shape \(9,\); 4 to 500 rows of 2 columns or more are needed"),
        ({"X": X[:3]}, r"X has shape \(3, 2\)"),
        ({"X": X[:, :1]}, r"X has shape \(9, 1\)"),
        ({"X": np.zeros((501, 2))}, r"X has shape \(501, 2\)"),
        ({"X": np.where(X == 30, np.nan, X)}, "X has nan in row 8, column 1; numbers within ±1e\\+100 are needed"),
        ({"X": np.where(X == 30, -1e200, X)}, r"X has -1e\+200 in row 8, column 1"),
        ({"X": [["a", "b"]] * 9}, "X has dtype <U1; real numbers are needed"),
        ({"X": np.array([["a", 1]] * 9, dtype=object)}, "X cannot be read as numbers"),
        ({"X": X + 1j}, "X has dtype complex128; real numbers are needed"),
        ({"X": X.astype("datetime64[s]")}, r"X has dtype datetime64\[s\]; real numbers are needed"),
        ({"labels_true": TRUE[:5]}, "unequal lengths: X has 9, labels_true has 5 rows"),
        ({"labels_true": [None, *TRUE[1:]]}, "labels_true is missing at position 0; every row needs one"),
        ({"n_clusters": 9}, "n_clusters must be a whole number from 1 to 8, got 9"),
        ({"linkage": "median"}, "linkage must be one of 'ward', 'average', 'complete', 'single', got 'median'"),
    ],
    ids=[
        "column",
        "three rows",
        "one column",
        "rows",
        "nan",
        "huge",
        "text",
        "some text",
        "complex",
        "dates",
        "length",
        "missing",
        "clusters",
        "linkage",
    ],
)
def test_what_cannot_be_drawn_is_refused(given, why):
    with pytest.raises(ValueError, match=f"^{why}"):
        ClusteringExplorer(**{"X": X, "labels_true": TRUE, **given})
