"""The explorer of regression losses: numbers against counting by hand, and best constants against all others."""

import math

import numpy as np
import pytest
from screens import numbers_in

from evalteach import RegressionLossExplorer
from evalteach.explorers.regression_loss import LINES, weighted_quantile
from explorers.helpers import SALES, move

pytestmark = pytest.mark.usefixtures("undrawn")

MODEL = [14, 22.5, 11, 20, 41, 9, 8, 26, 12, 15, 17]


def by_hand(targets, forecasts, quantile):
    errors = [target - forecast for target, forecast in zip(targets, forecasts, strict=True)]
    n, mean = len(targets), sum(targets) / len(targets)
    squares = sum(error**2 for error in errors)
    return {
        "rmse": math.sqrt(squares / n),
        "mae": sum(map(abs, errors)) / n,
        "mape": sum(abs(error / target) for error, target in zip(errors, targets, strict=True)) / n,
        "pinball": sum(quantile * error if error > 0 else (quantile - 1) * error for error in errors) / n,
        "r2": 1 - squares / sum((target - mean) ** 2 for target in targets),
    }


@pytest.mark.parametrize(
    ("constant", "row", "shift", "quantile"),
    [(20, 5, 0, 0.8), (4, 7, -30, 0.5), (33.3, 1, 110, 0.01), (16, 5, -60, 0.99), (-1.5, 11, 7.5, 0.37)],
)
def test_every_loss_is_what_counting_gives(constant, row, shift, quantile):
    explorer = RegressionLossExplorer(SALES, MODEL)
    now = move(explorer, constant=constant, row=row, shift=shift, quantile=quantile).numbers()
    targets = SALES.tolist()
    targets[row - 1] += shift
    assert (now["target"], now["place"]) == (targets[row - 1], sorted(SALES).index(SALES[row - 1]) + 1)
    for prefix, forecasts in (("", [constant] * 11), ("model_", MODEL)):
        expected = by_hand(targets, forecasts, quantile)
        assert {name: now[f"{prefix}{name}"] for name in expected} == pytest.approx(expected)


@pytest.mark.parametrize("quantile", [0.01, 0.2, 0.5, 0.8, 0.99])
@pytest.mark.parametrize("targets", [SALES, SALES[:6], [-3, -1, 0.5, 2, 8, 8], [7, 7, 7, 7, 1]], ids=str)
def test_no_constant_has_a_smaller_loss_than_the_one_that_is_marked(targets, quantile):
    now = RegressionLossExplorer(targets, quantile=quantile).numbers()
    for name in map(str.lower, LINES):
        at_best = by_hand(targets, [now[f"best_{name}"]] * len(targets), quantile)[name]
        assert now[f"least_{name}"] == pytest.approx(at_best)
        for other in np.linspace(min(targets), max(targets), 41):
            assert by_hand(targets, [other] * len(targets), quantile)[name] >= at_best - 1e-12, (name, other)


def test_between_two_equally_good_constants_their_middle_is_marked():
    now = RegressionLossExplorer([1, 2, 5, 9, 4, 30, 8, 7, 10, 12], quantile=0.8).numbers()
    assert (now["best_mae"], now["best_pinball"]) == (7.5, 11)
    assert weighted_quantile(np.array([4.0, 1.0, 2.0]), np.array([1.0, 1.0, 2.0]), 0.25) == 1.5


def test_curves_are_multiples_of_the_least_loss_and_touch_one_where_they_are_marked():
    explorer = move(RegressionLossExplorer(SALES), shift=40, quantile=0.3)
    now, targets = explorer.numbers(), [*SALES[:4], 104, *SALES[5:]]
    for name, curve in explorer.artists.curves.items():
        at, height = curve.get_data()
        key = name.lower()
        expected = [by_hand(targets, [constant] * 11, 0.3)[key] / now[f"least_{key}"] for constant in at]
        assert height == pytest.approx(np.array(expected))
        assert height[list(at).index(now[f"best_{key}"])] == height.min() == 1


def test_bars_and_model_stand_at_multiples_of_the_least_and_end_at_two():
    explorer = move(RegressionLossExplorer(SALES, MODEL), constant=30.5)
    now = explorer.numbers()
    lengths = explorer.artists.bars.get_xy()[:-1].reshape(4, 4, 2)[:, :, 0].max(axis=1)
    for shown, prefix in ((lengths, ""), (explorer.artists.model.get_xdata(), "model_")):
        names = [name.lower() for name in LINES]
        assert shown == pytest.approx([min(2, now[f"{prefix}{name}"] / now[f"least_{name}"]) for name in names])
    assert lengths[2] == 2  # the constant's MAPE is more than twice the least


def test_it_starts_halfway_with_the_largest_target_in_hand():
    explorer = RegressionLossExplorer(SALES)
    assert {name: control.value for name, control in explorer.controls.items()} == {
        "constant": 34,
        "row": 5,
        "shift": 0,
        "quantile": 0.8,
    }
    assert numbers_in(repr(explorer)) == [5, 64, 34, 20.95, -0.807, 19.45, 183.1, 0.8, 5.527, 20, 16, 10, 24]


def test_equal_targets_have_no_r2_and_a_perfect_constant():
    explorer = move(RegressionLossExplorer([3, 3, 3, 3, 3]), constant=4)
    now = explorer.numbers()
    assert math.isnan(now["r2"])
    assert (now["rmse"], now["least_rmse"], now["best_pinball"]) == (1, 0, 3)
    assert "R² undefined, all targets are equal" in repr(explorer)


def test_a_target_of_zero_leaves_mape_undefined_and_the_others_as_they_are():
    explorer = RegressionLossExplorer([10, 30, 50, 40, 60], [9, 28, 50, 44, 58], constant=45)
    now = move(explorer, row=1, shift=-10).numbers()
    assert [name for name, number in now.items() if number != number] == [
        "mape",
        "model_mape",
        "best_mape",
        "least_mape",
    ]
    assert (now["mae"], now["best_mae"], now["best_rmse"]) == (17, 40, 36)
    assert "MAPE undefined, a target is 0" in repr(explorer)
    assert numbers_in(repr(explorer))[-3:] == [36, 40, 55]
    assert explorer.artists.values[2].get_text() == "nan"
    assert math.isfinite(move(explorer, shift=-9.5).numbers()["mape"])


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"y_true": [1, 2, 3, 4]}, "y_true has 4 rows; an explorer draws 5 to 1000, such as a random sample"),
        ({"y_true": np.arange(1001)}, "y_true has 1001 rows; an explorer draws 5 to 1000"),
        ({"y_true": [1, 2, np.nan, 4, 5]}, "y_true has nan at position 2"),
        ({"y_true": [1, 2, np.inf, 4, 5]}, "y_true holds inf at position 2; y_true must be between"),
        ({"y_true": list("abcde")}, "y_true has dtype <U1"),
        ({"y_pred": [1, 2, 3, 4, 5]}, "unequal lengths: y_true has 11, y_pred has 5 rows"),
        ({"y_pred": [[1]] * 11}, "y_pred must have one dimension"),
        ({"constant": 500}, "constant must be between -6.9"),
        ({"row": 12}, "row must be a whole number from 1 to 11, got 12"),
        ({"row": 0}, "row must be a whole number from 1 to 11, got 0"),
        ({"shift": 121}, "shift must be between -60 and 120, both included, got 121"),
        ({"quantile": 1}, "quantile must be between 0.01 and 0.99, both included, got 1"),
    ],
)
def test_what_cannot_be_drawn_is_refused(given, why):
    with pytest.raises(ValueError, match=f"^{why}"):
        RegressionLossExplorer(**{"y_true": SALES, **given})


@pytest.mark.parametrize(
    "targets", [np.arange(1000) % 7, [-1e100, 0, 1e100, 5, 5], [1e-300] * 5, [1e9, 1e9 + 1, 1e9, 1e9, 1e9], [0] * 5]
)
@pytest.mark.seen
def test_odd_targets_can_be_drawn_and_moved(targets):
    explorer = RegressionLossExplorer(targets)
    for name, control in explorer.controls.items():
        for end in (control.max, control.min):
            move(explorer, **{name: end})
            assert math.isfinite(explorer.numbers()["rmse"])
