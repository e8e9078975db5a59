"""Drag the threshold: two histograms, a curve, four counts, one fraction."""

import numpy as np

from evalteach import classification, plots
from evalteach.counts import sweep
from evalteach.explorers.base import Explorer, choice_control, picture_points, shown, threshold_control

# what each metric looks at, and its fraction in numbers
METRICS = {
    "accuracy": (classification.accuracy, "tp fp fn tn", "({tp} + {tn}) / ({tp} + {fp} + {fn} + {tn})"),
    "precision": (classification.precision, "tp fp", "{tp} / ({tp} + {fp})"),
    "recall": (classification.recall, "tp fn", "{tp} / ({tp} + {fn})"),
    "specificity": (classification.specificity, "fp tn", "{tn} / ({tn} + {fp})"),
    "false positive rate": (classification.false_positive_rate, "fp tn", "{fp} / ({fp} + {tn})"),
    "false discovery rate": (classification.false_discovery_rate, "tp fp", "{fp} / ({fp} + {tp})"),
    "F1": (classification.fbeta, "tp fp fn", "2 × {tp} / (2 × {tp} + {fn} + {fp})"),
    "Matthews correlation": (
        classification.matthews_corrcoef,
        "tp fp fn tn",
        "({tp} × {tn} - {fp} × {fn}) / √({pp} × {ap} × {an} × {pn})",
    ),
}
CURVES = {
    "ROC": (classification.false_positive_rate, classification.recall, "false positive rate", "recall"),
    "precision-recall": (classification.recall, classification.precision, "recall", "precision"),
}


class ThresholdExplorer(Explorer):
    """Scores of both classes, a curve and a confusion matrix, all following one threshold.

    Parameters
    ----------
    y_true : array_like, shape (n_rows,)
        Labels: bool, 0/1, or any two values with ``positive`` named.
    y_score : array_like, shape (n_rows,)
        Real numbers, the likeliest positive highest.
    positive : label, optional
        Which value of ``y_true`` is the positive class.
    weights : array_like, shape (n_rows,), optional
        How many rows each row stands for.
    metric : str
        One of "accuracy", "precision", "recall", "specificity", "false positive rate",
        "false discovery rate", "F1", "Matthews correlation".
    curve : {"ROC", "precision-recall"}
    threshold : float, optional
        Where to start; 0.5 for probabilities, else the middle of the scores.

    Raises
    ------
    ValueError
        For the same reasons as ``sweep``, and for an unknown ``metric`` or ``curve``.
    """

    scene_controls = ("metric", "curve")

    def __init__(
        self, y_true, y_score, *, positive=None, weights=None, metric="precision", curve="ROC", threshold=None
    ):
        for argument, value, known in (("metric", metric, METRICS), ("curve", curve, CURVES)):
            if value not in known:
                raise ValueError(f"{argument} must be one of {', '.join(map(repr, known))}, got {value!r}")
        self.sweep = sweep(y_true, y_score, positive=positive, weights=weights)
        super().__init__(
            {
                "threshold": threshold_control(self.sweep, threshold),
                "metric": choice_control("metric", list(METRICS), metric),
                "curve": choice_control("curve", list(CURVES), curve),
            },
            size=(9.6, 4.0),
        )

    def draw(self, figure):
        grid = figure.subplots(1, 3, width_ratios=[1.25, 1, 1])
        scores, self.curve_axes, matrix = grid
        control = self.controls["threshold"]
        edges = control.min * np.linspace(1, 0, 41) + control.max * np.linspace(0, 1, 41)
        below = [self.sweep.at(edge) for edge in edges]
        with np.errstate(invalid="ignore"):  # a class without rows has no shares
            shares = [
                -np.diff([getattr(counts, hits) for counts in below])
                / (getattr(below[0], hits) + getattr(below[0], misses) or np.nan)
                for hits, misses in (("tp", "fn"), ("fp", "tn"))
            ]
        plots.score_histograms(scores, edges, *np.nan_to_num(shares))
        plots.label(scores, title="Scores: flagged from the line on", x="score", y="share of each class")
        scores.set_xlim(edges[0], edges[-1])
        self.curve_line = plots.line(self.curve_axes, [], [], "test")
        plots.unit_axes(self.curve_axes)
        self.cells, self.texts, self.names = plots.confusion_matrix(matrix)
        self.fraction = plots.caption(figure)
        self.shaded, self.cut = plots.shade(scores), plots.upright(scores, width=2)
        self.place = plots.dot(self.curve_axes, "deployed")

    def move_scene(self):
        x, y, x_name, y_name = CURVES[self.value("curve")]
        counts = self.sweep.counts[picture_points(self.sweep)]
        self.curve_line.set_data(x(counts), y(counts))
        self.curve_line.set_drawstyle("default" if self.value("curve") == "ROC" else plots.STEPS)
        if self.curve_axes.get_xlabel() != x_name:  # another metric needs no other axes
            plots.label(self.curve_axes, title=f"{_capital(self.value('curve'))} curve", x=x_name, y=y_name)
            self.stale = True
        for count, cell in self.cells.items():
            opacity = 1 if count in METRICS[self.value("metric")][1].split() else plots.DIM
            cell.set_alpha(opacity)
            self.texts[count].set_alpha(opacity)
        return [self.curve_line, *self.cells.values(), *self.names]

    def move(self):
        counts, (x, y, *_) = self.counts(), CURVES[self.value("curve")]
        self.cut.set_xdata([self.value("threshold")] * 2)
        plots.set_shade(self.shaded, self.value("threshold"))
        self.place.set_data([x(counts)], [y(counts)])
        for count, text in self.texts.items():
            text.set_text(shown(getattr(counts, count)))
        self.fraction.set_text(self._fraction(counts))
        return [self.shaded, self.cut, self.place, *self.texts.values(), self.fraction]

    def counts(self):
        """Counts at the threshold."""
        return self.sweep.at(self.value("threshold"))

    def numbers(self):
        counts = self.counts()
        cells = {name: getattr(counts, name) for name in ("tp", "fp", "fn", "tn")}
        return {
            "threshold": self.value("threshold"),
            **cells,
            **{name: m[0](counts) for name, m in METRICS.items()},
        }

    def _fraction(self, counts):
        name = self.value("metric")
        metric, _, fraction = METRICS[name]
        margins = {
            "pp": counts.tp + counts.fp,
            "ap": counts.tp + counts.fn,
            "an": counts.fp + counts.tn,
            "pn": counts.fn + counts.tn,
        }
        cells = {cell: getattr(counts, cell) for cell in ("tp", "fp", "fn", "tn")}
        numbers = {cell: shown(value) for cell, value in {**cells, **margins}.items()}
        return f"{name} = {fraction.format(**numbers)} = {metric(counts):.3f}"

    def __repr__(self):
        counts = self.counts()
        everything = counts.tp + counts.fp + counts.fn + counts.tn
        return (
            f"Threshold {self.value('threshold'):g}: {shown(counts.tp + counts.fp)} of {shown(everything)} flagged. "
            f"{_capital(self._fraction(counts))}."
        )


def _capital(words):
    return words[0].upper() + words[1:]
