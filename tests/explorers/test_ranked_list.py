"""The explorers of ranked lists: orders and k against counting, a random order against all orders, and refusals."""

import itertools
import math

import numpy as np
import pytest

from evalteach.explorers import RankPositionExplorer, TopKExplorer
from explorers.helpers import CASES, move

pytestmark = pytest.mark.usefixtures("undrawn")

RELEVANCE = np.array([0, 1, 1, 0, 0, 1])
GRADES = [0, 5, 1, 4, 2]
MEASURES = ("ndcg", "reciprocal_rank", "reciprocal_hits", "average_precision", "fcp")


@pytest.mark.parametrize("item", "ABCDEF")
def test_every_place_and_k_gives_what_counting_gives(item):
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


def by_hand(grades, exponential=False):
    n = len(grades)
    gain = [2**grade - 1 if exponential else grade for grade in grades]
    discount = [math.log2(place + 1) for place in range(1, n + 1)]
    dcg, best = (sum(g / d for g, d in zip(each, discount, strict=True)) for each in (gain, sorted(gain)[::-1]))
    hits = [place for place, grade in enumerate(grades, 1) if grade > 0]
    pairs = [(a > b) for a, b in itertools.combinations(grades, 2) if a != b]
    return {
        "dcg": dcg,
        "ideal_dcg": best,
        "ndcg": dcg / best,
        "reciprocal_rank": 1 / hits[0],
        "reciprocal_hits": sum(1 / place for place in hits),
        "average_precision": sum(i / place for i, place in enumerate(hits, 1)) / len(hits),
        "fcp": sum(pairs) / len(pairs),
    }


@pytest.mark.parametrize("gain", ["linear", "exponential"])
@pytest.mark.parametrize("item", "ABCDE")
def test_every_place_of_an_item_gives_what_counting_gives(item, gain):
    explorer = move(CASES["RankPositionExplorer"].make(), gain=gain)
    for place in range(1, 6):
        rest = [letter for letter in "ABCDE" if letter != item]
        order = [*rest[: place - 1], item, *rest[place - 1 :]]
        now = move(explorer, item=item, place=place).numbers()
        expected = by_hand([GRADES["ABCDE".index(letter)] for letter in order], gain == "exponential")
        assert {name: now[name] for name in expected} == pytest.approx(expected)
        assert "".join(order) in repr(explorer)


@pytest.mark.parametrize("relevance", [GRADES, [1, 0, 0, 0], [2, 1], [0, 0, 3, 0, 0, 3]])
def test_the_random_order_is_the_mean_over_all_orders(relevance):
    now = RankPositionExplorer(relevance).numbers()
    every = [by_hand(order) for order in itertools.permutations(relevance)]
    for name in MEASURES:
        assert now[f"random_{name}"] == pytest.approx(np.mean([each[name] for each in every])), name


def test_what_no_order_can_change_is_nan():
    now = RankPositionExplorer([0, 0, 0]).numbers()
    assert all(math.isnan(now[name]) for name in MEASURES if name != "reciprocal_hits")
    assert now["reciprocal_hits"] == now["random_reciprocal_hits"] == 0


@pytest.mark.seen
def test_negative_grades_can_be_drawn():
    assert RankPositionExplorer([-1, 2, 0]).numbers()["dcg"] == pytest.approx(-1 + 2 / math.log2(3))


@pytest.mark.parametrize(
    ("kind", "given", "why"),
    [
        (TopKExplorer, {"relevance": [1]}, "relevance has 1 items; an explorer draws 2 to 26"),
        (TopKExplorer, {"relevance": [1] * 27}, "relevance has 27 items"),
        (TopKExplorer, {"relevance": [1, math.nan]}, "relevance has nan at position 1"),
        (TopKExplorer, {"k": 6}, "k must be a whole number from 1 to 5, got 6"),
        (TopKExplorer, {"bars": ["recall"]}, "bars must be one of 'precision@k', 'recall@k'"),
        (TopKExplorer, {"item": "F"}, "item must be one of 'A', 'B', 'C', 'D', 'E', got 'F'"),
        (RankPositionExplorer, {"relevance": [1]}, "relevance has 1 items; an explorer draws 2 to 26"),
        (RankPositionExplorer, {"gain": "log"}, "gain must be one of 'linear', 'exponential', got 'log'"),
        (RankPositionExplorer, {"place": 6}, "place must be a whole number from 1 to 5, got 6"),
    ],
)
def test_what_cannot_be_drawn_is_refused(kind, given, why):
    with pytest.raises(ValueError, match=f"^{why}"):
        kind(**{"relevance": GRADES, **given})
