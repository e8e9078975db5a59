"""The explorer of the best threshold: its numbers against counting, its curves, and ranks inside a tie."""

import math
from functools import partial

import numpy as np
import pytest
from cells import FAILED, GOALS, MACHINES, usable, value_of
from screens import numbers_in

from evalteach import BestThresholdExplorer, data
from evalteach.classification import fbeta, net_gain
from evalteach.counts import Counts

pytestmark = pytest.mark.usefixtures("undrawn")


@pytest.fixture(scope="module")
def nine():
    split = data.digits_three_of_ten()
    column = split.classes.index(9)
    positives = split.test_scores[split.test_labels == 9, column]
    return positives, split.unlabeled_scores[:, column], split.unlabeled_labels == 9


@pytest.mark.parametrize(
    ("goal", "class_size", "give_or_take", "k"),
    [("F1", 90, 20, 90), ("F0.5", 1, 0, 500), ("F2", 500, 80, 1), ("net gain", 112, 60, 156), ("net gain", 3, 80, 30)],
)
def test_the_explorer_agrees_with_counting(nine, goal, class_size, give_or_take, k):
    positives, unlabeled, is_nine = nine
    explorer = BestThresholdExplorer(positives, unlabeled, class_size=90, max_k=500, y_true_unlabeled=is_nine)
    for name, setting in (("metric", goal), ("class_size", class_size), ("give_or_take", give_or_take), ("k", k)):
        explorer.controls[name].value = setting
    metric = {**GOALS, "net gain": partial(net_gain, alarm_cost=0.2)}[goal]
    n, limits = unlabeled.size, (class_size * (1 - give_or_take / 100), class_size * (1 + give_or_take / 100))
    options = usable(positives, unlabeled)
    cut = np.sort(unlabeled)[-k]
    best, least, best_cut = max((value_of(metric, share, class_size, rows, n), -rows, t) for t, share, rows in options)

    def at(threshold):
        flagged = unlabeled >= threshold
        hits = np.sum(is_nine & flagged)
        return metric(Counts(tp=hits, fp=flagged.sum() - hits, fn=is_nine.sum() - hits, tn=np.sum(~is_nine & ~flagged)))

    lost = max(
        max(value_of(metric, share, size, rows, n) for _, share, rows in options)
        - value_of(metric, np.mean(positives >= cut), size, k, n)
        for size in np.geomspace(*limits, 9)
    )
    top, fewest = max((at(t), -rows) for t, _, rows in options)
    now = explorer.numbers()
    expected = {
        "class_size": class_size, "give_or_take": give_or_take,
        "smallest": limits[0], "largest": limits[1], "k": k, "threshold": cut,
        "value": value_of(metric, np.mean(positives >= cut), class_size, k, n),
        "best": best, "best_k": -least, "true": at(cut), "true_at_best": at(best_cut),
        "regret": lost, "default_k": np.sum(unlabeled >= 0.5), "true_at_default": at(0.5),
        "optimum": top, "optimum_k": -fewest,
    }  # fmt: skip
    assert {name: now[name] for name in expected} == pytest.approx(expected)
    assert now["low"] <= now["value"] <= now["high"] or k in (1, 500)
    assert len(repr(explorer).partition(" Above 1: ")[0]) < 330


def test_without_labels_the_explorer_tells_no_truth(nine):
    explorer = BestThresholdExplorer(*nine[:2], class_size=90)
    assert "rue" not in repr(explorer)
    assert not [name for name in explorer.numbers() if "true" in name or "optimum" in name]


def test_a_row_that_scores_the_default_is_flagged_by_it(nine):
    default = float(np.sort(nine[1])[-30])
    now = BestThresholdExplorer(*nine[:2], class_size=90, default=default).numbers()
    assert now["default_k"] == np.sum(nine[1] >= default) >= 30


def test_a_default_that_flags_nothing_stands_at_nothing(nine):
    now = BestThresholdExplorer(*nine[:2], class_size=90, default=2.0, metric="net gain").numbers()
    assert (now["default_k"], now["default"]) == (0, 0)


@pytest.mark.parametrize(
    ("positives", "unlabeled"),
    [([0.5], [0.4]), ([0.5], [0.6]), ([0.5] * 3, [0.5] * 10), ([math.inf, 0.5], [math.inf, 1, -math.inf])],
)
@pytest.mark.seen
def test_few_or_odd_rows_will_do(positives, unlabeled):
    explorer = BestThresholdExplorer(positives, unlabeled, class_size=1, max_k=len(unlabeled))
    for goal in ("F1", "net gain"):
        explorer.controls["metric"].value = goal
        for k in (1, len(unlabeled)):
            explorer.controls["k"].value = k
            assert np.isfinite(explorer.numbers()["value"])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"metric": "accuracy"}, "metric must be one of 'F1', 'F0.5', 'F2', 'net gain', got 'accuracy'"),
        ({"give_or_take": 81}, "give_or_take must be a whole number from 0 to 80, got 81"),
        ({"give_or_take": -1}, "give_or_take must be a whole number from 0 to 80, got -1"),
        ({"alarm_cost": -1}, "alarm_cost must be 0 or more and finite, got -1"),
        ({"class_size": 0, "max_k": 5}, "class_size must be a whole number from 1 to 5, got 0"),
        ({"k": 17}, "k must be a whole number from 1 to 16, got 17"),
        ({"max_k": 17}, "max_k must be a whole number from 1 to 16, got 17"),
        ({"confidence": 1}, "confidence must be between 0 and 1, got 1"),
        ({"default": math.nan}, "default must be a number, got nan"),
        ({"default": "high"}, "default must be one real number, got 'high'"),
        ({"class_size": None}, "class_size must be one real number, got None"),
        ({"y_true_unlabeled": [1, 0]}, "unequal lengths: y_true_unlabeled has 2, unlabeled_scores has 16 rows; .*"),
    ],
)
def test_a_wrong_argument_is_refused_with_its_name(arguments, said):
    with pytest.raises(ValueError, match=f"^{said}$"):
        BestThresholdExplorer(FAILED, MACHINES, **{"class_size": 5, **arguments})


def test_the_explorer_takes_its_metrics_from_the_library():
    explorer = BestThresholdExplorer(FAILED, MACHINES, class_size=5)
    parts = {getattr(metric, "func", metric) for metric in explorer.metrics.values()}
    assert parts == {fbeta, net_gain}


def test_the_curves_of_regret_are_those_of_the_curve(nine):
    explorer = BestThresholdExplorer(*nine[:2], class_size=100, max_k=500, give_or_take=50)
    ranks = explorer.artists.estimate.get_xdata()
    assert ranks[0] == explorer.curve.ranks[0]
    for line, sizes in zip(explorer.artists.lost, ((50, 150), 50, 150), strict=True):
        assert line.get_xdata() == pytest.approx(ranks)
        assert line.get_ydata() == pytest.approx(explorer.curve.regret(fbeta, sizes, ranks))
        assert np.ptp(line.get_ydata()) > 0.1


# 4 positives of 20 in the test; unlabeled scores of four values only
TIED = np.repeat([0.9, 0.6, 0.4, 0.1], [30, 50, 120, 200])
TIED_TEST = np.repeat([0.9, 0.6, 0.4, 0.1], [8, 6, 4, 2])


@pytest.mark.parametrize("metric", ["F1", "F2", "net gain"])
def test_nothing_is_drawn_or_said_at_a_rank_that_no_threshold_gives(metric):
    explorer = BestThresholdExplorer(TIED_TEST, TIED, class_size=100, metric=metric, k=100, max_k=400)
    ends = {30, 80, 200, 400}
    now = explorer.numbers()
    assert now["k"] == 200
    assert numbers_in(repr(explorer))[-2:] == [100, 200]
    assert set(explorer.artists.estimate.get_xdata()) == set(explorer.artists.outer.get_xy()[:, 0]) == ends
    for k in (1, 30, 31, 79, 199, 201, 400):
        explorer.controls["k"].value = k
        now = explorer.numbers()
        assert now["k"] == min(end for end in ends if end >= k)
        assert now["regret"] >= 0
        assert now["value"] <= now["best"]
        assert ("inside a tie" in repr(explorer)) == (k not in ends)
    for line in explorer.artists.lost:
        assert line.get_ydata().min() >= 0


def test_a_k_whose_tie_ends_beyond_the_axis_is_refused_with_what_is_accepted():
    with pytest.raises(ValueError, match=r"^k = 90 is inside a tie that ends at 200 rows; max_k must be that or more"):
        BestThresholdExplorer(TIED_TEST, TIED, class_size=50, k=90, max_k=150)
    explorer = BestThresholdExplorer(TIED_TEST, TIED, class_size=50, k=60, max_k=150)
    assert explorer.controls["k"].max == 80  # the last tie that ends on the axis
    assert explorer.controls["class_size"].max == 150


def test_the_default_is_compared_in_the_precision_of_the_scores():
    tenths = np.arange(1, 10) / 10
    explorer = BestThresholdExplorer(tenths, tenths.astype("f4"), class_size=3, default=0.7)
    assert explorer.numbers()["default_k"] == 3


def test_an_estimate_above_1_is_explained_and_a_net_gain_above_1_is_not():
    easy = BestThresholdExplorer(np.full(30, 2.0), np.linspace(0, 1, 1000), class_size=300, k=30)
    assert easy.numbers()["best"] > 1
    assert "Above 1: chance, a class size that is too high" in repr(easy)
    easy.controls["metric"].value = "net gain"
    assert easy.numbers()["best"] > 1
    assert "Above 1" not in repr(easy)
