"""The explorer of a fold's edge: what is held out against scikit-learn's splitters, scores against its model."""

import math

import numpy as np
import pytest
from sklearn.model_selection import GroupKFold, KFold, TimeSeriesSplit
from sklearn.neighbors import KNeighborsClassifier

from evalteach import data
from evalteach.explorers import SplitExplorer
from explorers.helpers import CASES, drawn, move

pytestmark = pytest.mark.usefixtures("undrawn")

X, Y, PATIENT = data.patients(20, 5, seed=1)
FRESH = data.patients(40, 1, seed=2)[:2]
DAY = np.random.default_rng(3).permutation(100)
WAYS = ["as filed", "shuffled", "whole groups", "only the past"]


def shown(explorer):
    """Rows framed as held out, and rows that neither train nor are held out, read off the picture."""
    artists = explorer.artists
    return [np.flatnonzero(~np.isnan(marks.get_ydata())) for marks in (artists.held, artists.left)]


def test_as_filed_each_fold_of_k_fold_is_an_edge():
    explorer = CASES["SplitExplorer"].make(way="as filed")
    for fold, (_, held) in enumerate(KFold(5).split(X)):
        rows, left = shown(move(explorer, edge=20 * fold))
        assert (rows.tolist(), left.tolist()) == (held.tolist(), [])


def test_only_the_past_is_a_time_series_split_of_the_rows_in_their_order():
    explorer = CASES["SplitExplorer"].make(way="only the past")
    order = np.argsort(DAY)
    for train, held in TimeSeriesSplit(4, test_size=20).split(X):
        rows, left = shown(move(explorer, edge=int(held[0])))
        assert set(rows) == set(order[held])
        assert set(range(100)) - {*rows, *left} == set(order[train])
        assert explorer.numbers()["not_earlier"] == 0


def test_no_edge_cuts_a_whole_group_like_group_k_fold():
    explorer = CASES["SplitExplorer"].make(way="whole groups")
    for edge in range(81):
        now = move(explorer, edge=edge).numbers()
        assert (now["groups_on_both_sides"], now["held_out"]) == (0, 20 if edge % 5 == 0 else 25)
    for train, held in GroupKFold(5).split(X, Y, PATIENT):
        assert np.intersect1d(PATIENT[train], PATIENT[held]).size == 0


def test_a_shuffled_fold_follows_the_seed_and_shares_groups():
    one, same, other = (CASES["SplitExplorer"].make(seed=seed) for seed in (0, 0, 5))
    assert repr(one) == repr(same)
    assert shown(one)[0].tolist() != shown(other)[0].tolist()
    assert one.numbers()["groups_on_both_sides"] > 5


@pytest.mark.parametrize("way", WAYS)
def test_both_scores_are_those_of_the_nearest_neighbour(way):
    explorer = CASES["SplitExplorer"].make(way=way)
    for edge in (5, 33, 80):
        now = move(explorer, edge=edge).numbers()
        held, left = shown(explorer)
        train = np.setdiff1d(np.arange(100), [*held, *left])
        model = KNeighborsClassifier(1).fit(X[train], Y[train])
        assert now["measured"] == pytest.approx(model.score(X[held], Y[held]))
        assert now["fresh"] == pytest.approx(model.score(*FRESH))
        assert (now["held_out"], now["train"]) == (held.size, train.size)
        shared = len({*PATIENT[held]} & {*PATIENT[train]})
        assert now["groups_on_both_sides"] == shared
        assert now["not_earlier"] == sum(DAY[train] >= DAY[held].min())


def test_copies_are_counted_where_they_lie_on_both_sides():
    twice = np.repeat([[1.0], [2.0], [3.0], [4.0], [5.0]], 2, axis=0)
    explorer = SplitExplorer(twice, list("aabbccddee"), way="as filed")
    assert explorer.numbers()["copies"] == 0
    now = move(explorer, edge=1).numbers()  # a row of the first pair, and one of the second
    assert (now["copies"], now["measured"]) == (2, 1.0)


@pytest.mark.parametrize("unit", [1e-200, 1e200])
def test_the_unit_of_the_columns_changes_neither_scores_nor_copies(unit):
    explorer, same = (SplitExplorer(each * X, Y, fresh=(each * FRESH[0], FRESH[1]), edge=33) for each in (unit, 1))
    assert repr(explorer) == repr(same)
    assert same.numbers()["copies"] == 0


def test_before_the_first_row_there_is_no_past_and_a_sentence_says_so():
    explorer = CASES["SplitExplorer"].make(way="only the past")
    assert math.isnan(explorer.numbers()["measured"])
    assert repr(explorer).endswith("nan on the held-out rows, and nan on new rows (no row is left to train on).")


def test_without_groups_time_or_fresh_rows_nothing_is_said_of_them():
    explorer = SplitExplorer(X[:, 0], Y > 0, edge=7)
    assert list(explorer.orders) == ["as filed", "shuffled"]
    assert not any(word in repr(explorer) for word in ("group", "later", "new rows"))
    assert list(explorer.artists.curves) == ["measured"]
    assert SplitExplorer(X, Y, time=DAY).numbers()["not_earlier"] > 0


def test_labels_and_groups_may_be_text_in_a_list_in_any_order():
    names = [["Ann", "Bob", "Cem", "Dan"][place % 4] for place in range(20)]
    explorer = SplitExplorer(np.arange(20.0), list("yn" * 10), groups=names, way="whole groups")
    now = explorer.numbers()
    assert (now["held_out"], now["train"], now["groups_on_both_sides"]) == (5, 15, 0)
    assert shown(explorer)[0].tolist() == [0, 4, 8, 12, 16]
    as_objects = SplitExplorer(
        np.arange(20.0), np.array(list("yn" * 10), dtype=object), groups=names, way="whole groups"
    )
    assert repr(as_objects) == repr(explorer)


@pytest.mark.seen
def test_a_thousand_rows_are_drawn_and_moved():
    explorer = SplitExplorer(*data.patients(200, 5)[:2], groups=np.repeat(list("abcdefghij"), 100))
    before = drawn(explorer)
    assert not np.array_equal(drawn(move(explorer, edge=500)), before)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"X": X[:9], "y": Y[:9]}, "the number of rows must be a whole number from 10 to 1000, got 9"),
        ({"X": X[:50]}, "unequal lengths: X has 50, y has 100"),
        ({"X": X[None]}, "X has shape"),
        ({"X": X + np.inf}, "X holds inf"),
        ({"y": Y + 0.5}, "y holds fractions"),
        ({"y": [*Y[:99], math.nan]}, "y is missing at position 99"),
        ({"y": ["ill", None] * 50}, "y is missing at position 1"),
        ({"groups": ["Ann"] * 99 + [None]}, "groups is missing at position 99"),
        ({"groups": PATIENT[:7]}, "unequal lengths: X has 100, groups has 7"),
        ({"time": DAY[:7]}, "unequal lengths: X has 100, time has 7"),
        ({"time": [math.nan] * 100}, "time has nan"),
        ({"fresh": (X[:, :2], Y)}, "fresh X has 2 columns, X has 6"),
        ({"fresh": (X, Y[:4])}, "unequal lengths: fresh X has 100, fresh y has 4"),
        ({"fresh": (np.zeros((1_001, 6)), np.zeros(1_001))}, "the number of fresh rows must be a whole number from 1"),
        ({"fresh": FRESH[0]}, "fresh must be a pair of X and y, got ndarray"),
        ({"fresh": (*FRESH, DAY)}, "fresh must be a pair of X and y, got tuple"),
        ({"fresh": (FRESH[0], FRESH[1].astype(str))}, "fresh y has dtype <U.*, y has int64; both text or neither"),
        ({"seed": -1}, "seed must be a whole number, 0 or more, got -1"),
        ({"way": "whole groups"}, "way must be one of 'as filed', 'shuffled', got 'whole groups'"),
        ({"edge": 81}, "edge must be a whole number from 0 to 80, got 81"),
    ],
)
def test_what_cannot_be_split_is_refused(given, why):
    with pytest.raises(ValueError, match=f"^{why}"):
        SplitExplorer(**{"X": X, "y": Y, **given})
