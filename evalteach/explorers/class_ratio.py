"""Drag the class ratio: what becomes of a test set's precision where positives are rarer."""

import math

from evalteach import class_ratio, classification, plots
from evalteach._inputs import check_between
from evalteach.counts import sweep
from evalteach.explorers.base import Explorer, number_control, picture_points, shown, threshold_control


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
        How many rows each row stands for.
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
        self.confidence = check_between("confidence", confidence, 0, 1)
        everything = self.sweep.counts[-1]  # all rows flagged
        self.points = self.sweep.counts[picture_points(self.sweep)]
        self.worst, self.best = class_ratio.rate_bounds(self.points, self.confidence)
        class_ratio.at_class_ratio(everything, 1)  # refuses a test set that lacks a class
        self.test_ratio = everything.fp / everything.tp
        ratio = self.test_ratio if ratio is None else check_between("ratio", ratio, 0, math.inf)
        super().__init__(
            {
                "ratio": number_control("negatives per positive", ratio, min(1, ratio), max(1e6, ratio), log=True),
                "threshold": threshold_control(self.sweep, threshold),
            },
            size=(9.0, 4.0),
        )

    def draw(self, figure):
        curves, alarms = figure.subplots(1, 2, width_ratios=[1.35, 1])
        recall = classification.recall(self.points)
        self.band = plots.band(curves, "deployed", name=f"{100 * self.confidence:g} % band")
        plots.line(
            curves, recall, classification.precision(self.points), "test", style="--", name="test set", steps=True
        )
        self.deployed = plots.line(curves, recall, recall, "deployed", name="deployed", steps=True)
        plots.unit_axes(curves)
        plots.label(curves, title="Precision-recall curve, at each threshold", x="recall", y="precision")
        plots.legend_below(curves, 3)
        plots.label(alarms)
        self.grid = plots.hundred(alarms)
        self.said = plots.live_text(alarms, 0.5, 1.06, transform=alarms.transAxes)
        self.reach = plots.line(curves, [], [], "ink", width=1.2)
        self.dots = plots.dot(curves, "test"), plots.dot(curves, "deployed")

    def move_scene(self):
        ratio = self.value("ratio")
        recall = classification.recall(self.points)
        low, high = (classification.precision(class_ratio.at_class_ratio(b, ratio)) for b in (self.worst, self.best))
        plots.set_band(self.band, recall, low, high)
        self.deployed.set_data(recall, classification.precision(class_ratio.at_class_ratio(self.points, ratio)))
        return [self.band, self.deployed]

    def move(self):
        now = self.numbers()
        for dot, height in zip(self.dots, ("test_precision", "precision"), strict=True):
            dot.set_data([now["recall"]], [now[height]])
        self.reach.set_data([now["recall"]] * 2, [now["precision_low"], now["precision_high"]])
        plots.set_hundred(self.grid, now["precision"])
        self.said.set_text(
            "Nothing is flagged"
            if math.isnan(now["precision"])
            else f"Of 100 alarms, {100 * now['precision']:.0f} are real (filled):\n{self._alarms(now)}"
        )
        return [self.reach, *self.dots, self.grid, self.said]

    def numbers(self):
        counts = self.sweep.at(self.value("threshold"))
        deployed = class_ratio.at_class_ratio(counts, self.value("ratio"))
        low, high = class_ratio.precision_interval(counts, self.value("ratio"), self.confidence)
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

    def _alarms(self, now):
        alarms = now["alarms_per_find"]
        if math.isinf(alarms):
            return "No true find"
        return "1 alarm per true find" if alarms == 1 else f"{shown(float(f'{alarms:.3g}'))} alarms per true find"

    def __repr__(self):
        now = self.numbers()
        start = f"1 positive per {shown(now['ratio'])} negatives, threshold {now['threshold']:g}: "
        if math.isnan(now["precision"]):
            return f"{start}nothing is flagged, so precision is undefined (nan)."
        return (
            f"{start}precision = {shown(now['tp'])} / ({shown(now['tp'])} + {shown(now['fp'])}) "
            f"= {now['precision']:.3f}, with {100 * self.confidence:g} % confidence between "
            f"{now['precision_low']:.3f} and {now['precision_high']:.3f}; on the test set "
            f"{now['test_precision']:.3f}. Recall {now['recall']:.3f}. {self._alarms(now)}."
        )
