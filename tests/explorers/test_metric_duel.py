"""The explorer of two metrics: its values against scikit-learn, its verdicts against looking at every pair."""

import itertools

import numpy as np
import pytest
from sklearn import metrics

from evalteach.explorers import MetricDuelExplorer
from evalteach.explorers.metric_duel import LOWER_IS_BETTER, METRICS, MODELS, THRESHOLD, random_models
from explorers.helpers import move

pytestmark = pytest.mark.usefixtures("undrawn")


def top(y_true, y_score):
    return y_true[np.argsort(-y_score)][:10]


ORACLES = {
    "accuracy": lambda y, s: metrics.accuracy_score(y, s >= THRESHOLD),
    "precision": lambda y, s: metrics.precision_score(y, s >= THRESHOLD, zero_division=np.nan),
    "recall": lambda y, s: metrics.recall_score(y, s >= THRESHOLD),
    "specificity": lambda y, s: metrics.recall_score(~y, s < THRESHOLD),
    "F1": lambda y, s: metrics.f1_score(y, s >= THRESHOLD),
    "Matthews correlation": lambda y, s: metrics.matthews_corrcoef(y, s >= THRESHOLD),
    "AUC": metrics.roc_auc_score,
    "average precision": metrics.average_precision_score,
    "precision@10": lambda y, s: top(y, s).mean(),
    "recall@10": lambda y, s: top(y, s).sum() / y.sum(),
    "reciprocal rank": lambda y, s: 1 / (1 + np.argmax(y[np.argsort(-s)])),
    "nDCG": lambda y, s: metrics.ndcg_score([y], [s]),
    "log loss": metrics.log_loss,
    "Brier score": metrics.brier_score_loss,
}


def every_value(metric, draw, rows, positives):
    y_true, y_score = random_models(draw, rows, positives)
    return np.array([ORACLES[metric](y_true, scores) for scores in y_score])


@pytest.mark.parametrize("metric", METRICS)
def test_a_metric_is_that_of_scikit_learn(metric):
    explorer = MetricDuelExplorer(metric, "Brier score", draw=3, rows=80, positives=11)
    values, expected = explorer.scene.values[0], every_value(metric, 3, 80, 11)
    defined = ~np.isnan(values)  # where one class alone is flagged scikit-learn says 0, the library nothing
    assert defined.sum() >= MODELS - 4
    assert values[defined] == pytest.approx(expected[defined])


@pytest.mark.parametrize("pair", [("accuracy", "F1"), ("AUC", "log loss"), ("Brier score", "average precision")])
@pytest.mark.parametrize("draw", [1, 2])
def test_the_verdict_is_that_of_looking_at_every_pair(pair, draw):
    explorer = MetricDuelExplorer(*pair, draw=draw)
    first, second = (every_value(metric, draw, 60, 10) * (-1 if metric in LOWER_IS_BETTER else 1) for metric in pair)
    opposite = {
        (a, b): (first[a] - first[b]) * (second[b] - second[a])
        for a, b in itertools.permutations(range(MODELS), 2)
        if first[a] > first[b] + 1e-9 and second[b] > second[a] + 1e-9
    }
    now = explorer.numbers()
    assert now["opposite"] == len(opposite) > 0
    a, b = explorer.scene.pair
    assert opposite[a, b] == max(opposite.values())
    signs = [-1 if metric in LOWER_IS_BETTER else 1 for metric in pair]
    shown = [now[f"{name}_{letter}"] for name in ("first", "second") for letter in "ab"]
    assert np.repeat(signs, 2) * shown == pytest.approx([first[a], first[b], second[a], second[b]])


@pytest.mark.parametrize(
    ("first", "second", "more"),
    [
        ("precision@10", "recall@10", {}),  # one multiple of the other
        ("AUC", "AUC", {}),
        ("AUC", "average precision", {"rows": 40, "positives": 1}),  # one positive: both follow its rank
        ("reciprocal rank", "nDCG", {"rows": 40, "positives": 1}),
    ],
)
@pytest.mark.parametrize("draw", [1, 20, 55])
def test_where_the_one_decides_the_other_it_says_that_none_was_found(first, second, more, draw):
    explorer = MetricDuelExplorer(first, second, draw=draw, **more)
    assert f"{first} and {second} rank none" in repr(explorer)
    assert explorer.scene.pair == ()
    assert "first_a" not in explorer.numbers()
    assert np.array_equal(explorer.scene.ranks[0], explorer.scene.ranks[1])


def test_lower_is_better_for_losses_and_for_nothing_else():
    y_true = np.repeat([True, False], 20)
    good, poor = (np.where(y_true, high, 1 - high) for high in (0.9, 0.1))
    for metric, oracle in ORACLES.items():
        assert (oracle(y_true, good) < oracle(y_true, poor)) == (metric in LOWER_IS_BETTER), metric


def test_models_follow_the_draw_and_as_many_rows_are_positive_as_asked():
    (y_true, one), (_, again), (_, other) = (random_models(draw, 50, 3) for draw in (4, 4, 5))
    assert y_true.sum() == 3
    assert one.shape == (MODELS, 50)
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)
    assert ((one > 0) & (one < 1)).all()


def test_an_undefined_value_takes_part_in_no_pair():
    explorer = MetricDuelExplorer("precision", "recall", rows=20, positives=1)
    undefined = 0
    for draw in range(1, 15):
        values = move(explorer, draw=draw).scene.values[0]
        undefined += np.isnan(values).sum()
        assert not any(np.isnan(values[which]) for which in explorer.scene.pair)
        pairs = len(list(itertools.combinations(values[~np.isnan(values)], 2)))
        assert explorer.numbers()["pairs"] == pairs
        assert ("both values" in repr(explorer)) == (pairs < 276)
    assert undefined > 0


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"first": "lift"}, "first must be one of 'accuracy', 'precision', .*, got 'lift'"),
        ({"rows": 10}, "rows must be a whole number from 20 to 200, got 10"),
        ({"positives": 20}, "positives must be a whole number from 1 to 19, got 20"),
        ({"draw": 0}, "draw must be a whole number from 1 to 100, got 0"),
    ],
)
def test_what_cannot_be_drawn_is_refused(given, why):
    with pytest.raises(ValueError, match=f"^{why}"):
        MetricDuelExplorer(**given)
