"""The explorer of the recall curve: its numbers and curves against counting in the rows that it simulates."""

import math
import re

import numpy as np
import pytest
from scipy.stats import betabinom, norm
from sklearn.metrics import roc_auc_score

from evalteach import RecallCurveExplorer
from evalteach.ideal_ranking import ideal_recall_tail

pytestmark = pytest.mark.usefixtures("undrawn")


def moved(**values):
    explorer = RecallCurveExplorer()
    for name, value in values.items():
        explorer.controls[name].value = value
    return explorer


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"bias": 1.0},
        {"separation": 0.5, "bias": 0.6},
        {"class_size": 51, "n_test_positives": 5},
        {"separation": 4.0, "bias": 2.0, "class_size": 500, "n_test_positives": 200},
    ],
)
def test_the_explorer_agrees_with_counting(values):
    explorer = moved(**values)
    size, m = values.get("class_size", 250), values.get("n_test_positives", 40)
    separation, bias = values.get("separation", 2.0), values.get("bias", 0.0)
    tests = explorer.test_noise[:m] + separation + bias
    rows = np.append(explorer.positive_noise[:size] + separation, explorer.negative_noise[: 1000 - size])
    is_positive, k = np.arange(1000) < size, size // 2
    flagged = rows >= np.sort(rows)[-k]
    area = np.mean(tests[:, None] > rows)
    hits = int((tests >= np.sort(rows)[-k]).sum())
    assert np.unique(rows).size == 1000  # the picture takes rank k for k flagged rows
    assert explorer.numbers() == pytest.approx(
        {
            "bias": bias,
            "separation": separation,
            "class_size": size,
            "n_test_positives": m,
            "area": area,
            "ceiling": 1 - size / 2000,
            "roc_auc": (area - size / 2000) / (1 - size / 1000),
            "true_roc_auc": roc_auc_score(is_positive, rows),
            "k": k,
            "recall": hits / m,
            "true_recall": flagged[is_positive].mean(),
            "precision": hits / m * size / k,
            "true_precision": is_positive[flagged].mean(),
            "tail": betabinom.sf(hits - 1, m, k, size - k + 1),
        },
        abs=1e-9,
    )


def test_the_curves_in_the_picture_are_those_of_the_library():
    explorer = moved(bias=0.5, class_size=120)
    tests, curve, truth = explorer.scene
    assert tests.size == 40
    ranks = explorer.artists.recall.get_xdata()
    assert explorer.artists.recall.get_ydata() == pytest.approx(curve.recall[ranks - 1])
    positives = np.sort(explorer.positive_noise[:120] + 2)
    cuts = curve.thresholds[ranks - 1]
    assert explorer.artists.true_recall.get_ydata() == pytest.approx(1 - np.searchsorted(positives, cuts) / 120)
    shown = explorer.artists.precision.get_xdata()
    assert explorer.artists.precision.get_ydata() == pytest.approx(curve.recall[shown - 1] * 120 / shown)
    assert explorer.artists.true_precision.get_ydata() == pytest.approx(truth.counts.tp[shown] / shown)
    assert shown[0] in (60, 61)  # half the class size
    assert explorer.artists.precision.axes.get_ylim()[1] > 2 > explorer.artists.precision.get_ydata().max() > 1


@pytest.mark.seen
def test_no_move_draws_the_axes_anew():
    explorer = RecallCurveExplorer()
    lowest = explorer._lowest
    for name, control in explorer.controls.items():
        for value in (control.min, control.max):
            control.value = value
            assert explorer.artists.precision.get_ydata().max() <= 2, name
    assert explorer._lowest is lowest


def test_bias_moves_no_truth_and_more_bias_never_lowers_the_area():
    steps = [moved(bias=bias).numbers() for bias in (0, 0.5, 1, 2)]
    assert len({step["true_roc_auc"] for step in steps}) == 1
    areas = [step["area"] for step in steps]
    assert areas == sorted(areas)
    assert areas[0] < steps[0]["ceiling"] < areas[-1]


def test_a_poor_model_with_easy_test_positives_is_not_found_out():
    # what notebook 14 says of it
    now = moved(separation=0.5, bias=0.6)
    _, curve, _ = now.scene
    ranks = np.arange(1, 251)
    hits = np.round(40 * curve.recall[:250]).astype(int)
    assert ideal_recall_tail(hits, 40, 250, ranks).min() > 0.025
    assert now.numbers()["roc_auc"] - now.numbers()["true_roc_auc"] > 0.15
    assert "Too good" not in repr(now)


def test_the_verdict_is_said_where_the_tail_is_below_one_percent():
    assert re.search(r"less than 0\.001 .*Too good", repr(moved(bias=1.0)))
    assert "Too good" not in repr(moved(bias=0.0))


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        ({"separation": 4.5}, "separation must be between 0 and 4, both included, got 4.5"),
        ({"bias": -0.1}, "bias must be between 0 and 2, both included, got -0.1"),
        ({"bias": math.nan}, "bias must be between 0 and 2, both included, got nan"),
        ({"class_size": 501}, "class_size must be a whole number from 50 to 500, got 501"),
        ({"class_size": 70.5}, "class_size must be a whole number from 50 to 500, got 70.5"),
        ({"n_test_positives": 4}, "n_test_positives must be a whole number from 5 to 200, got 4"),
    ],
)
def test_a_start_beyond_the_sliders_is_refused(arguments, found):
    with pytest.raises(ValueError, match=found):
        RecallCurveExplorer(**arguments)


def test_the_hills_are_normal_with_standard_deviation_1_and_as_far_apart_as_said():
    artists = moved(separation=1.5).artists
    for hill, mean in ((artists.negatives, 0), (artists.positives, 1.5)):
        x, y = hill.get_xdata(), hill.get_ydata()
        assert y == pytest.approx(norm.pdf(x, mean) / norm.pdf(0))
        assert (x[0], x[-1]) == pytest.approx((mean - 4, mean + 4))
