"""The explorer of graded places: every order against counting, and its random order against all orders."""

import itertools
import math

import numpy as np
import pytest

from evalteach.explorers import RankPositionExplorer
from explorers.helpers import CASES, move

pytestmark = pytest.mark.usefixtures("undrawn")

GRADES = [0, 5, 1, 4, 2]
MEASURES = ("ndcg", "reciprocal_rank", "reciprocal_hits", "average_precision", "fcp")


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
    ("given", "why"),
    [
        ({"relevance": [1]}, "relevance has 1 items; an explorer draws 2 to 26"),
        ({"gain": "log"}, "gain must be one of 'linear', 'exponential', got 'log'"),
        ({"item": "F"}, "item must be one of"),
        ({"place": 6}, "place must be a whole number from 1 to 5, got 6"),
    ],
)
def test_what_cannot_be_drawn_is_refused(given, why):
    with pytest.raises(ValueError, match=f"^{why}"):
        RankPositionExplorer(**{"relevance": GRADES, **given})
