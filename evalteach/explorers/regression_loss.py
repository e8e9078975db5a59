"""Drag one target, a constant forecast and a quantile: how large each loss is, and which constant it asks for."""

import math

import numpy as np
from sklearn import config_context
from sklearn.metrics import (
    mean_absolute_error,
    mean_absolute_percentage_error,
    mean_pinball_loss,
    r2_score,
    root_mean_squared_error,
)

from evalteach import plots
from evalteach._inputs import check_lengths, read_between
from evalteach.explorers.engine.base import Explorer
from evalteach.explorers.engine.controls import number_control, round_step

FEWEST, MOST = 5, 1000  # rows; each loss is taken of as many constants as the picture is wide, at every move
LINES = {"RMSE": ("positive", "-"), "MAE": ("deployed", "--"), "MAPE": ("ideal", "-."), "pinball": ("second", ":")}
LARGEST = 1e100  # of which the square is a number
READ = {"assume_finite": True, "skip_parameter_validation": True}  # rows are checked once, not at every move


class RegressionLossExplorer(Explorer):
    """Losses of one constant forecast for all rows, and of a model, while one row's target is moved.

    Each loss is drawn for every constant as a multiple of the least that a constant can have. Where several
    constants share the least loss, the middle of them is marked. MAPE is nan where a target is 0.

    Parameters
    ----------
    y_true : array_like, shape (n_rows,)
        Targets: 5 to 1000 finite numbers.
    y_pred : array_like, shape (n_rows,), optional
        A model's predictions for the same rows, to compare with the constant.
    constant : float, optional
        The forecast to start with; by default halfway between the smallest and the largest target.
    row : int, optional
        Which row is moved, 1 for the first; by default the one with the largest target.
    shift : float
        By how much it is moved: down by the range of the targets, up by twice as much.
    quantile : float
        The one that the pinball loss asks for, from 0.01 to 0.99.

    Raises
    ------
    ValueError
        For rows that are no 5 to 1000 finite numbers, unequal lengths, or a start out of range.
    """

    scene_controls = ("row", "shift", "quantile")

    def __init__(self, y_true, y_pred=None, *, constant=None, row=None, shift=0.0, quantile=0.8):
        self.targets = _read("y_true", y_true)
        self.predictions = None if y_pred is None else _read("y_pred", y_pred)
        if self.predictions is not None:
            check_lengths(y_true=self.targets.size, y_pred=self.predictions.size)
        n, least, most = self.targets.size, self.targets.min().item(), self.targets.max().item()
        # one number where all targets are equal
        span = most - least if most - least > 1e-9 * max(abs(least), abs(most)) else abs(most) or 1.0
        step = round_step(span / 200)
        margin = span * max(0.05, 2 / n)  # the mean of all rows stays on the axis, too
        self.low, self.high = (float(f"{end:.12g}") for end in (least - margin, most + margin))
        self.places = np.argsort(np.argsort(self.targets, kind="stable")) + 1
        constant = float(f"{(least + most) / 2:.12g}") if constant is None else constant
        row = int(self.targets.argmax()) + 1 if row is None else row
        reach = step * math.ceil(span / step)
        super().__init__(
            number_control("constant", constant, self.low, self.high, label="constant forecast"),
            number_control("row", row, 1, n, label="row that is moved", whole=True),
            number_control("shift", shift, -reach, 2 * reach, label="moved by"),
            number_control("quantile", quantile, 0.01, 0.99, label="quantile of pinball", step=0.01),
        )

    def draw(self, figure):
        artists, n = self.artists, self.targets.size
        rows, curves, bars = figure.subplots(1, 3, width_ratios=[1, 1.25, 0.9])
        rows.set(title="Targets, smallest first", xlabel="position", xlim=(1 - 0.05 * n, 1.05 * n))
        if self.predictions is not None:
            small = plots.line(rows, self.places, self.predictions, "test", style="x", width=1, name="model")
            small.set_markersize(_size(n))
        artists.rows = plots.line(rows, [], [], "positive", style="o", name="target")
        artists.rows.set_markersize(_size(n))
        artists.level = rows.axhline(np.nan, color=plots.COLOURS["ink"], linewidth=1.5, label="constant")
        artists.moved = plots.dot(rows, "deployed", marker="D", name="moved row")
        curves.set(title="Loss of every constant", xlabel="constant forecast", ylabel="loss / lowest loss")
        curves.set(xlim=(self.low, self.high), ylim=(0.97, 2.03))
        artists.curves = {
            name: plots.line(curves, [], [], colour, style=style, name=name) for name, (colour, style) in LINES.items()
        }
        artists.asked = {name: plots.dot(curves, colour, marker="v") for name, (colour, _) in LINES.items()}
        artists.constant = plots.upright(curves)
        artists.bars = plots.class_bars(bars, list(LINES))
        bars.set(title="Loss of this constant", xlabel="loss / lowest loss", xlim=(0, 3.2))
        bars.set_xticks([0, 1, 2], ["0", "1", "2 or more"])
        plots.upright(bars, "test", style=":", x=1)
        if self.predictions is not None:
            artists.model = plots.line(bars, [], [], "negative", style="d", name="model")
            plots.legend_below(bars, 1)
        artists.values = [plots.live_text(bars, 2.72, row + 0.5, size=9) for row in range(len(LINES))]
        plots.legend_below(rows, 2)
        plots.legend_below(curves, 4)

    def find_scene(self):
        """The targets, each loss's best constant and least loss, and its curve over all constants."""
        y = self.targets.copy()
        y[self.value("row") - 1] += self.value("shift")
        level, even = self.value("quantile"), np.ones(y.size)
        best = {
            "RMSE": y.mean(),
            "MAE": weighted_quantile(y, even, 0.5),
            "MAPE": weighted_quantile(y, 1 / np.maximum(np.abs(y), np.finfo(float).eps), 0.5) if y.all() else math.nan,
            "pinball": weighted_quantile(y, even, level),
        }
        at = np.unique([*np.linspace(self.low, self.high, 161), *best.values()])
        at = at[np.isfinite(at)]
        forecasts = np.broadcast_to(at, (y.size, at.size))
        every = np.broadcast_to(y[:, None], forecasts.shape)
        with config_context(**READ):
            losses = {name: loss(every, forecasts, multioutput="raw_values") for name, loss in self._losses().items()}
        least = {name: losses[name][np.searchsorted(at[:-1], best[name])] for name in LINES}
        return y, best, least, at, {name: _times(losses[name], least[name]) for name in LINES}

    def numbers(self):
        y, best, least, *_ = self.scene
        row, constant = self.value("row"), self.value("constant")
        numbers = {
            "constant": constant,
            "row": row,
            "shift": self.value("shift"),
            "quantile": self.value("quantile"),
            "target": y[row - 1].item(),
            "place": int(self.places[row - 1]),
        }
        for prefix, forecast in (("", np.full(y.size, constant)), ("model_", self.predictions)):
            if forecast is not None:
                with config_context(**READ):
                    numbers |= {f"{prefix}{name.lower()}": loss(y, forecast) for name, loss in self._losses().items()}
                    numbers[f"{prefix}r2"] = r2_score(y, forecast) if np.ptp(y) else math.nan
        for name in LINES:
            numbers |= {f"best_{name.lower()}": float(best[name]), f"least_{name.lower()}": float(least[name])}
        return numbers

    def move_scene(self, now):
        artists, (y, best, _, at, curves) = self.artists, self.scene
        artists.rows.set_data(self.places, y)
        artists.moved.set_data([now["place"]], [now["target"]])
        step = self.high - self.low  # a long one, since new ends are slow; and some room, for the whole of a mark
        seen = y if self.predictions is None else np.append(y, self.predictions)
        over = (self.low - seen.min() + 0.04 * step, seen.max() + 0.04 * step - self.high)
        below, above = (max(0, math.ceil(each / step)) * step for each in over)
        self.set_ends(artists.rows.axes, self.low - below, self.high + above)
        for name in LINES:
            artists.curves[name].set_data(at, curves[name])
            artists.asked[name].set_data([best[name]], [1])
        return [artists.rows, artists.moved, *artists.curves.values(), *artists.asked.values()]

    def move(self, now):
        artists = self.artists
        artists.level.set_ydata([now["constant"]] * 2)
        artists.constant.set_xdata([now["constant"]] * 2)
        plots.set_class_bars(artists.bars, np.minimum(self._of_least("", now), 2))
        for text, name in zip(artists.values, LINES, strict=True):
            text.set_text(_said(name, now[name.lower()]))
        shown = [artists.level, artists.constant, artists.bars, *artists.values]
        if self.predictions is None:
            return shown
        artists.model.set_data(np.minimum(self._of_least("model_", now), 2), np.arange(len(LINES)) + 0.5)
        return [*shown, artists.model]

    def sentence(self, now):
        every = [name for name in LINES if now[f"best_{name.lower()}"] == now[f"best_{name.lower()}"]]
        asked = ", ".join(f"{now[f'best_{name.lower()}']:.4g} ({name})" for name in every)
        model = "" if self.predictions is None else f" Model: {self._all('model_', now)}."
        return (
            f"The target of row {now['row']} is {now['target']:.4g}. "
            f"Constant {now['constant']:.4g}: {self._all('', now)}."
            f"{model} Best constants: {asked}."
        )

    def _losses(self):
        def pinball(y_true, y_pred, **more):
            return mean_pinball_loss(y_true, y_pred, alpha=self.value("quantile"), **more)

        def percent(y_true, y_pred, **more):  # scikit-learn divides by a tiny number where a target is 0
            loss = mean_absolute_percentage_error(y_true, y_pred, **more)
            return loss if np.all(y_true) else loss * math.nan

        several = (root_mean_squared_error, mean_absolute_error, percent, pinball)
        return dict(zip(LINES, several, strict=True))

    def _of_least(self, prefix, now):
        names = [name.lower() for name in LINES]
        return np.array([_times(now[f"{prefix}{name}"], now[f"least_{name}"]) for name in names])

    def _all(self, prefix, now):
        squared = f"R² {now[f'{prefix}r2']:.3f}" if now["r2"] == now["r2"] else "R² undefined, all targets are equal"
        losses = [f"{name} {_said(name, now[f'{prefix}{name.lower()}'])}" for name in LINES]
        losses[0] += f" ({squared})"
        if now["mape"] != now["mape"]:
            losses[2] = "MAPE undefined, a target is 0"
        losses[3] = losses[3].replace("pinball", f"pinball({now['quantile']:g})")
        return ", ".join(losses)


def weighted_quantile(values, weights, level):
    """Where a weighted share ``level`` of the values lies below; the middle, where two values share the place."""
    order = np.argsort(values, kind="stable")
    total = np.cumsum(weights[order])
    below, above = (np.searchsorted(total, level * total[-1] * (1 + nearly)) for nearly in (-1e-12, 1e-12))
    return (values[order[below]] + values[order[min(above, order.size - 1)]]) / 2


def _read(name, values):
    rows = read_between(name, values, -LARGEST, LARGEST)
    if not FEWEST <= rows.size <= MOST:
        raise ValueError(f"{name} has {rows.size} rows; an explorer draws {FEWEST} to {MOST}, such as a random sample")
    return rows


def _times(loss, least):
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(least > 0, np.divide(loss, least), np.nan)


def _said(name, loss):
    return f"{100 * loss:.4g}%" if name == "MAPE" and loss == loss else f"{loss:.4g}"


def _size(n):
    return min(7, 2 + 60 / n)
