"""The explorer of a ranked list: every order and k against counting, and lists that are refused."""

import math

import numpy as np
import pytest

from evalteach.explorers import TopKExplorer
from explorers.helpers import CASES, move

pytestmark = pytest.mark.usefixtures("undrawn")

RELEVANCE = np.array([0, 1, 1, 0, 0, 1])


@pytest.mark.parametrize("item", "ABCDEF")
def test_every_place_of_an_item_gives_what_counting_gives(item):
    explorer = CASES["TopKExplorer"].make()
    for place in range(1, 7):
        rest = [letter for letter in "ABCDEF" if letter != item]
        order = [*rest[: place - 1], item, *rest[place - 1 :]]
        hit = np.array([RELEVANCE["ABCDEF".index(letter)] for letter in order])
        for k in range(1, 7):
            now = move(explorer, item=item, place=place, k=k).numbers()
            hits = hit[:k].sum()
            summed = sum(hit[:i].sum() / i for i in range(1, k + 1) if hit[i - 1])
            assert now == pytest.approx(
                {
                    "k": k,
                    "place": place,
                    "hits": hits,
                    "relevant": 3,
                    "precision": hits / k,
                    "recall": hits / 3,
                    "ap_by_relevant": summed / 3,
                    "ap_by_reachable": summed / min(3, k),
                    "ap_by_hits": summed / hits if hits else math.nan,
                    "average_recall": np.mean([hit[:i].sum() / 3 for i in range(1, k + 1)]),
                },
                nan_ok=True,
            )
            assert "".join(order) in repr(explorer)


def test_the_controls_alone_say_the_order_however_they_came_there():
    one, other = (move(CASES["TopKExplorer"].make(), **first) for first in ({"item": "F"}, {"place": 5}))
    assert repr(move(one, place=2, item="C")) == repr(move(other, item="C", place=2))


def test_the_list_is_drawn_in_its_order():
    explorer = move(CASES["TopKExplorer"].make(), item="F", place=1)
    artists = explorer.artists
    assert [text.get_text() for text in artists.names] == list("FABCDE")
    assert [*np.flatnonzero(~np.isnan(artists.hits.get_ydata()))] == [0, 2, 3]
    assert [*np.flatnonzero(~np.isnan(artists.misses.get_ydata()))] == [1, 4, 5]
    assert artists.cut.get_ydata()[0] == 3.5


def test_a_list_without_a_relevant_item_says_nan():
    explorer = TopKExplorer([0, 0], k=1)
    assert math.isnan(explorer.numbers()["recall"])
    assert "nan" in repr(explorer)


def test_the_bars_that_are_asked_for_are_shown_in_their_own_order():
    explorer = TopKExplorer(RELEVANCE, k=2, bars=["AP by hits", "precision@k"])
    assert repr(explorer) == (
        "Order ABCDEF, k = 2: 1 of 3 relevant items within the first k, precision@k 0.500, AP by hits 0.500."
    )
    assert len(explorer.artists.values) == 2
    assert explorer.artists.bars.get_xy()[:, 0].max() == 0.5


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"relevance": [1]}, "relevance has 1 items; an explorer draws 2 to 26"),
        ({"relevance": [1] * 27}, "relevance has 27 items"),
        ({"relevance": [1, math.nan]}, "relevance has nan at position 1"),
        ({"k": 7}, "k must be a whole number from 1 to 6, got 7"),
        ({"item": "G"}, "item must be one of 'A', 'B', 'C', 'D', 'E', 'F', got 'G'"),
        ({"bars": ["recall"]}, "bars must be one of 'precision@k', 'recall@k'"),
        ({"place": 0}, "place must be a whole number from 1 to 6, got 0"),
    ],
)
def test_what_cannot_be_drawn_is_refused(given, why):
    with pytest.raises(ValueError, match=f"^{why}"):
        TopKExplorer(**{"relevance": RELEVANCE, **given})
