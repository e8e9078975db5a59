"""The explorer of a recommender's stages: every width against cutting sorted lists by hand."""

import math

import numpy as np
import pytest
from sklearn.metrics import ndcg_score

from evalteach.explorers import FunnelExplorer
from explorers.helpers import CASES, move, stages

pytestmark = pytest.mark.usefixtures("undrawn")

WIDTHS = [(1, 1, 1), (5, 3, 2), (7, 9, 4), (12, 12, 12), (3, 12, 10), (12, 4, 6)]


def drawn(seed, ties=False):
    """Grades and three scores of four users and twelve items, some of which a stage never passes."""
    rng = np.random.default_rng(seed)
    grades = rng.integers(0, 4, (4, 12)) * (rng.random((4, 12)) < 0.5)
    grades[:, 0] = 1
    scores = rng.integers(0, 4, (3, 4, 12)).astype(float) if ties else rng.normal(size=(3, 4, 12))
    return grades, *np.where(rng.random(scores.shape) < 0.15, np.nan, scores)


def cut(items, score, grades, width):
    """The first items by score; among equal scores the less relevant one goes first, then the first row."""
    allowed = [item for item in items if not math.isnan(score[item])]
    return sorted(allowed, key=lambda item: (-score[item], grades[item], item))[:width]


def by_hand(grades, retrieval, ranking, reranking, widths):
    counts, recalls, ndcgs = np.zeros(4, dtype=int), [], []
    for user, grade in enumerate(grades):
        reached = [range(grade.size)]
        for score, width in zip((retrieval, ranking, reranking), widths, strict=True):
            reached.append(cut(reached[-1], score[user], grade, width))
        hits = [np.count_nonzero(grade[list(items)]) for items in reached]
        counts += hits
        if hits[0]:
            recalls.append(hits[-1] / hits[0])
            discounts = 1 / np.log2(np.arange(2, widths[-1] + 2))
            best = np.sort(grade)[::-1][: widths[-1]]
            ndcgs.append(grade[reached[-1]] @ discounts[: len(reached[-1])] / (best @ discounts[: best.size]))
    return counts.tolist(), np.mean(recalls), np.mean(ndcgs)


@pytest.mark.parametrize("widths", WIDTHS, ids=str)
@pytest.mark.parametrize("ties", [False, True], ids=["scores differ", "scores tie"])
def test_every_width_gives_what_cutting_sorted_lists_gives(widths, ties):
    for seed in range(3):
        data = drawn(seed, ties)
        now = FunnelExplorer(*data, **dict(zip(("candidates", "reranked", "shown"), widths, strict=True))).numbers()
        counts, recall, ndcg = by_hand(*data, widths)
        assert [now[name] for name in ("liked", "retrieved", "passed_on", "liked_shown")] == counts
        assert now["recall"] == pytest.approx(recall)
        assert now["ndcg"] == pytest.approx(ndcg)


def test_the_stages_multiply_to_the_recall_of_the_funnel_and_the_curve_runs_through_the_dot():
    explorer = CASES["FunnelExplorer"].make()
    for width in explorer.widths[5::6].tolist():
        now = move(explorer, candidates=width).numbers()
        product = math.prod(now[f"{stage}_recall"] for stage in ("retrieval", "ranking", "reranking"))
        assert product == pytest.approx(now["funnel_recall"])
        at = explorer.widths.tolist().index(width)
        assert [explorer.scene[name][at] for name in ("recall", "ndcg")] == pytest.approx([now["recall"], now["ndcg"]])
        assert explorer.ceilings[at] == now["retrieval_recall"]


def test_one_list_without_rules_shows_the_ranking_of_the_candidates():
    liked, retrieval, ranking = (each[0] for each in stages())
    now = FunnelExplorer(liked, retrieval, ranking, candidates=liked.size, shown=20).numbers()
    assert now["ndcg"] == pytest.approx(ndcg_score([liked], [ranking], k=20))


def test_a_user_who_likes_nothing_has_no_part_in_the_means():
    grades, scores = np.array([[0, 0, 1], [0, 0, 0]]), np.array([[3.0, 2, 1], [1, 2, 3]])
    now = FunnelExplorer(grades, scores, scores, shown=3).numbers()
    assert (now["recall"], now["liked"], now["ndcg"]) == (1, 1, 0.5)


def test_what_a_stage_never_gets_has_no_share():
    explorer = FunnelExplorer([1, 0, 0], [1, 2, 3], [3, 2, 1], candidates=1, reranked=1, shown=1)
    now = explorer.numbers()
    assert now["retrieval_recall"] == now["funnel_recall"] == 0
    assert math.isnan(now["ranking_recall"])
    assert "0.000 x nan x nan = 0.000" in repr(explorer)


@pytest.mark.parametrize("budget", [9.9, 10.02, 11.3, 45.0, 1e4])
def test_the_widest_that_fits_is_within_the_budget_and_one_more_is_not(budget):
    n = 100_000
    grades = np.arange(n) == 7
    explorer = FunnelExplorer(grades, np.arange(n), np.arange(n), budget=budget)
    fits = explorer.numbers()["affordable"]
    if budget < 10.07:  # the catalogue takes 10 ms, the first candidate 0.02 and 0.05
        assert math.isnan(fits)
        assert "no candidate fits" in repr(explorer)
        return
    assert move(explorer, candidates=int(fits)).numbers()["latency"] <= budget
    assert fits == n or move(explorer, candidates=int(fits) + 1).numbers()["latency"] > budget


def test_a_width_that_changes_no_list_is_still_said():
    explorer = move(CASES["FunnelExplorer"].make(), candidates=50, reranked=1_000, budget=1.0)
    before, said = explorer.numbers(), repr(explorer)
    assert {**move(explorer, reranked=900).numbers(), "reranked": 1_000} == pytest.approx(before, nan_ok=True)
    assert "passed on (1,000)" in said
    assert "passed on (900)" in repr(explorer)


def test_numbers_hang_on_the_present_widths_alone():
    explorer = CASES["FunnelExplorer"].make(candidates=500, reranked=60, shown=20)
    first = explorer.numbers()
    for widths in (
        {"candidates": 900},
        {"reranked": 40},
        {"shown": 7},
        {"candidates": 500, "reranked": 60, "shown": 20},
    ):
        now = move(explorer, **widths).numbers()
        assert (
            now
            == CASES["FunnelExplorer"]
            .make(**{name: now[name] for name in ("candidates", "reranked", "shown")})
            .numbers()
        )
    assert now == first


def test_latency_is_what_each_stage_scores_times_its_cost():
    now = FunnelExplorer(*stages(), candidates=50, reranked=80, costs=(1, 10, 100)).numbers()
    assert [now[f"{stage}_ms"] for stage in ("retrieval", "ranking", "reranking")] == pytest.approx([30, 0.5, 5])
    assert now["latency"] == pytest.approx(35.5)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"relevance": [0, 0, 0]}, "relevance has no item above 0"),
        ({"relevance": []}, "relevance is empty; at least one item is needed"),
        ({"relevance": [0, -1, 1]}, "relevance must be grades, 0 or more and finite"),
        ({"relevance": [0, np.nan, 1]}, "relevance must be grades, 0 or more and finite"),
        ({"ranking_score": [1, 2]}, r"ranking_score has shape \(1, 2\) and relevance \(1, 3\)"),
        ({"retrieval_score": list("abc")}, "retrieval_score has dtype"),
        ({"candidates": 4}, "candidates must be a whole number from 1 to 3, got 4"),
        ({"shown": 0}, "shown must be a whole number from 1 to 3, got 0"),
        ({"reranked": 1.5}, "reranked must be a whole number from 1 to 3, got 1.5"),
        ({"budget": 0}, "budget must be above 0 and finite, got 0"),
        ({"costs": (1, 2)}, "costs must be three numbers"),
        ({"costs": (1, 2, -1)}, "costs must be 0 or more and finite, got -1"),
    ],
    ids=lambda each: next(iter(each)) if isinstance(each, dict) else "",
)
def test_what_cannot_be_drawn_is_refused(given, why):
    with pytest.raises(ValueError, match=f"^{why}"):
        FunnelExplorer(**{"relevance": [0, 1, 1], "retrieval_score": [1, 2, 3], "ranking_score": [3, 2, 1], **given})
