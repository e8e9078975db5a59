"""Drag the class ratio: what becomes of a test set's precision where positives are rarer."""

import math

import numpy as np

from evalteach import class_ratio, classification, plots
from evalteach._inputs import check_between
from evalteach.counts import sweep
from evalteach.explorers.base import Explorer, picture_points, shown
from evalteach.explorers.controls import ratio_control, threshold_control


class ClassRatioExplorer(Explorer):
    """Precision of the test set and of the deployment, for any class ratio and threshold.

    Parameters
    ----------
    y_true : array_like, shape (n_rows,)
        Labels: bool, 0/1, or any two values with ``positive`` named. Both classes must occur.
    y_score : array_like, shape (n_rows,)
        Real numbers, the likeliest positive highest.
    positive : label, optional
        Which value of ``y_true`` is the positive class.
    weights : array_like, shape (n_rows,), optional
        How many rows each row stands for. There is no interval then: it would need counts of rows.
    ratio : float, optional
        Negatives per positive to start with; the test set's own by default.
    threshold : float, optional
        Where to start; 0.5 for probabilities, else the middle of the scores.
    confidence : float
        Level of the band and of the interval.

    Raises
    ------
    ValueError
        For the same reasons as ``sweep`` and ``at_class_ratio``.
    """

    scene_controls = ("ratio",)

    def __init__(self, y_true, y_score, *, positive=None, weights=None, ratio=None, threshold=None, confidence=0.95):
        self.sweep = sweep(y_true, y_score, positive=positive, weights=weights)
        self.weighted, self.confidence = weights is not None, check_between("confidence", confidence, 0, 1)
        everything = self.sweep.counts[-1]  # all rows flagged
        class_ratio.at_class_ratio(everything, 1)  # refuses a test set that lacks a class
        self.points = self.sweep.counts[picture_points(self.sweep)]
        self.recall = classification.recall(self.points)
        self.bounds = () if self.weighted else class_ratio.rate_bounds(self.points, self.confidence)
        super().__init__(
            ratio_control(ratio, everything.fp / everything.tp, 1, 1e6), threshold_control(self.sweep, threshold)
        )

    def draw(self, figure):
        curves, alarms = figure.subplots(1, 2, width_ratios=[1.35, 1])
        name = "no band: weighted rows" if self.weighted else f"{100 * self.confidence:g} % band"
        self.artists.band = plots.band(curves, "deployed", name=name)
        test = classification.precision(self.points)
        plots.line(curves, self.recall, test, "test", style="--", name="test set", steps=True)
        self.artists.deployed = plots.line(curves, [], [], "deployed", name="deployed", steps=True)
        plots.unit_axes(curves)
        plots.label(curves, title="Precision-recall curve, at each threshold", x="recall", y="precision")
        plots.legend_below(curves, 3)
        plots.label(alarms)
        self.artists.grid = plots.hundred(alarms)
        self.artists.heading = plots.live_text(alarms, 0.5, 1.06, transform=alarms.transAxes)
        self.artists.reach = plots.line(curves, [], [], "ink", width=1.2)
        self.artists.dots = {"test_precision": plots.dot(curves, "test"), "precision": plots.dot(curves, "deployed")}

    def move_scene(self, now):
        band = [self._precision(bound) for bound in self.bounds] or [np.full(self.recall.size, np.nan)] * 2
        plots.set_band(self.artists.band, self.recall, *band)
        self.artists.deployed.set_data(self.recall, self._precision(self.points))
        return [self.artists.band, self.artists.deployed]

    def move(self, now):
        for height, dot in self.artists.dots.items():
            dot.set_data([now["recall"]], [now[height]])
        self.artists.reach.set_data([now["recall"]] * 2, [now["precision_low"], now["precision_high"]])
        plots.set_hundred(self.artists.grid, now["precision"])
        self.artists.heading.set_text(
            "Nothing is flagged"
            if math.isnan(now["precision"])
            else f"Of 100 alarms, {100 * now['precision']:.0f} are real (filled):\n{_alarms(now)}"
        )
        return [self.artists.reach, *self.artists.dots.values(), self.artists.grid, self.artists.heading]

    def numbers(self):
        counts = self.sweep.at(self.value("threshold"))
        deployed = class_ratio.at_class_ratio(counts, self.value("ratio"))
        bounds = () if self.weighted else class_ratio.rate_bounds(counts, self.confidence)
        low, high = [self._precision(bound) for bound in bounds] or (math.nan, math.nan)
        precision = classification.precision(deployed)
        return {
            "ratio": self.value("ratio"),
            "threshold": self.value("threshold"),
            "recall": classification.recall(counts),
            "false_positive_rate": classification.false_positive_rate(counts),
            "test_precision": classification.precision(counts),
            "precision": precision,
            "precision_low": low,
            "precision_high": high,
            "tp": deployed.tp,
            "fp": deployed.fp,
            "alarms_per_find": 1 / precision if precision else math.inf,
        }

    def _precision(self, counts):
        return classification.precision(class_ratio.at_class_ratio(counts, self.value("ratio")))

    def sentence(self, now):
        start = f"1 positive per {shown(now['ratio'])} negatives, threshold {now['threshold']:g}: "
        if math.isnan(now["precision"]):
            return f"{start}nothing is flagged, so precision is undefined (nan)."
        interval = (
            "no interval, since rows are weighted"
            if self.weighted
            else f"with {100 * self.confidence:g} % confidence between {now['precision_low']:.3f} and "
            f"{now['precision_high']:.3f}"
        )
        return (
            f"{start}precision = {shown(now['tp'])} / ({shown(now['tp'])} + {shown(now['fp'])}) "
            f"= {now['precision']:.3f}, {interval}; on the test set "
            f"{now['test_precision']:.3f}. Recall {now['recall']:.3f}. {_alarms(now)}."
        )


def _alarms(now):
    alarms = now["alarms_per_find"]
    if math.isinf(alarms):
        return "No true find"
    return "1 alarm per true find" if alarms == 1 else f"{shown(float(f'{alarms:.3g}'))} alarms per true find"
