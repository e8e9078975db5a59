"""Drag the class ratio: what becomes of a test set's precision where positives are rarer."""

import math

from evalteach import class_ratio, classification, plots
from evalteach._inputs import check_between
from evalteach.counts import sweep
from evalteach.explorers.engine.base import Explorer, picture_points, shown
from evalteach.explorers.engine.controls import ratio_control, threshold_control


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
        self.bounds = None if self.weighted else class_ratio.rate_bounds(self.points, self.confidence)
        super().__init__(
            ratio_control(ratio, everything.fp / everything.tp, 1, 1e6), threshold_control(self.sweep, threshold)
        )

    def draw(self, figure):
        curves, alarms = figure.subplots(1, 2, width_ratios=[1.35, 1])
        name = "no band: weighted rows" if self.weighted else f"{100 * self.confidence:g}% band"
        self.artists.band = plots.band(curves, "deployed", name=name)
        test = classification.precision(self.points)
        plots.line(curves, self.recall, test, "test", style="--", name="test set", steps=True)
        self.artists.deployed = plots.line(curves, [], [], "deployed", name="deployed", steps=True)
        plots.unit_axes(curves)
        curves.set(title="Precision-recall curve, at each threshold", xlabel="recall", ylabel="precision")
        plots.legend_below(curves, 3)
        self.artists.grid = plots.hundred(alarms)
        self.artists.heading = plots.live_text(alarms, 0.5, 1.06, transform=alarms.transAxes)
        self.artists.reach = plots.line(curves, [], [], "ink", width=1.2)
        self.artists.dots = {"test_precision": plots.dot(curves, "test"), "precision": plots.dot(curves, "deployed")}

    def move_scene(self, now):
        if not self.weighted:
            plots.set_band(self.artists.band, self.recall, *map(self._precision, self.bounds))
        self.artists.deployed.set_data(self.recall, self._precision(self.points))
        return [self.artists.band, self.artists.deployed]

    def move(self, now):
        dots = plots.set_marks(now, "recall", [], self.artists.dots)
        self.artists.reach.set_data([now["recall"]] * 2, [now["precision_low"], now["precision_high"]])
        plots.set_hundred(self.artists.grid, now["precision"])
        said = "Nothing is flagged"
        if not math.isnan(now["precision"]):
            said = f"Of 100 alarms, {100 * now['precision']:.0f} are real (filled):\n{_alarms(now)}"
        self.artists.heading.set_text(said)
        return [self.artists.reach, *dots, self.artists.grid, self.artists.heading]

    def numbers(self):
        ratio, threshold = self.value("ratio"), self.value("threshold")
        counts, low, high = self.sweep.at(threshold), math.nan, math.nan
        if not self.weighted:
            low, high = class_ratio.precision_interval(counts, ratio, self.confidence)
        deployed = class_ratio.at_class_ratio(counts, ratio)
        precision = classification.precision(deployed)
        return {
            "ratio": ratio,
            "threshold": threshold,
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
        ends = f"{now['precision_low']:.3f} and {now['precision_high']:.3f}"
        interval = f"with {100 * self.confidence:g}% confidence between {ends}"
        if self.weighted:
            interval = "no interval, since rows are weighted"
        return (
            f"{start}precision = {shown(now['tp'])} / ({shown(now['tp'])} + {shown(now['fp'])}) = "
            f"{now['precision']:.3f}, {interval}; on the test set {now['test_precision']:.3f}. "
            f"Recall {now['recall']:.3f}. {_alarms(now)}."
        )


def _alarms(now):
    alarms = now["alarms_per_find"]
    if math.isinf(alarms):
        return "No true find"
    return "1 alarm per true find" if alarms == 1 else f"{shown(float(f'{alarms:.3g}'))} alarms per true find"
