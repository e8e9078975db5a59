"""Drag the threshold, and follow two histograms, four counts, one fraction and, if you like, a curve."""

import numpy as np

from evalteach import classification, plots
from evalteach.counts import sweep
from evalteach.explorers.engine.base import Explorer, bin_counts, picture_points, shown
from evalteach.explorers.engine.controls import choice_control, threshold_control

# each metric's fraction in numbers, which says what it looks at
METRICS = {
    "accuracy": (classification.accuracy, "({tp} + {tn}) / ({tp} + {fp} + {fn} + {tn})"),
    "precision": (classification.precision, "{tp} / ({tp} + {fp})"),
    "recall": (classification.recall, "{tp} / ({tp} + {fn})"),
    "specificity": (classification.specificity, "{tn} / ({tn} + {fp})"),
    "false positive rate": (classification.false_positive_rate, "{fp} / ({fp} + {tn})"),
    "false discovery rate": (classification.false_discovery_rate, "{fp} / ({fp} + {tp})"),
    "F1": (classification.fbeta, "2 × {tp} / (2 × {tp} + {fn} + {fp})"),
    "Matthews correlation": (
        classification.matthews_corrcoef,
        "({tp} × {tn} - {fp} × {fn}) / √({pp} × {ap} × {an} × {pn})",
    ),
}
CURVES = {"ROC": ("false positive rate", "recall"), "precision-recall": ("recall", "precision")}  # x and y


class ThresholdExplorer(Explorer):
    """Scores of both classes, a confusion matrix and a curve that all follow one threshold.

    Parameters
    ----------
    y_true : array_like, shape (n_rows,)
        Labels: bool, 0/1, or any two values with ``positive`` named.
    y_score : array_like, shape (n_rows,)
        Real numbers, the likeliest positive highest.
    positive : label, optional
        Which value of ``y_true`` is the positive class.
    weights : array_like, shape (n_rows,), optional
        How many rows each row represents.
    metric : str
        One of "accuracy", "precision", "recall", "specificity", "false positive rate",
        "false discovery rate", "F1", "Matthews correlation".
    curve : {"ROC", "precision-recall", None}
        None leaves the curve out, with its control.
    threshold : float, optional
        Where to start; 0.5 for probabilities, else the middle of the scores.

    Raises
    ------
    ValueError
        For the same reasons as ``sweep``, and for an unknown ``metric`` or ``curve``.
    """

    scene_controls = ("metric", "curve")
    size = (9.6, 4.0)

    def __init__(
        self, y_true, y_score, *, positive=None, weights=None, metric="precision", curve="ROC", threshold=None
    ):
        self.sweep = sweep(y_true, y_score, positive=positive, weights=weights)
        curves = [] if curve is None else [choice_control("curve", list(CURVES), curve)]
        super().__init__(
            threshold_control(self.sweep, threshold), choice_control("metric", list(METRICS), metric), *curves
        )

    def draw(self, figure):
        artists, box = self.artists, self.controls["threshold"]
        has_curve = "curve" in self.controls
        scores, *curves, matrix = figure.subplots(1, 2 + has_curve, width_ratios=[1.25, 1, 1] if has_curve else [2, 1])
        edges = np.linspace(box.min, box.max, 41)
        plots.score_histograms(scores, edges, *bin_counts(self.sweep, edges), log=True)
        scores.set(title="Scores (flagged: at or right of the line)", xlabel="score", ylabel="rows per bar (log scale)")
        scores.set_xlim(edges[0], edges[-1])
        for curve in curves:
            artists.curve = plots.line(curve, [], [], "test")
            plots.unit_axes(curve)
            artists.labels = curve.set_title(""), curve.xaxis.label, curve.yaxis.label
        artists.cells, artists.texts, artists.names = plots.confusion_matrix(matrix)
        artists.fraction = plots.caption(figure)
        artists.shaded, artists.cut = plots.shade(scores), plots.upright(scores, width=2)
        for curve in curves:
            artists.place = plots.dot(curve, "deployed")

    def move_scene(self, now):
        artists = self.artists
        for count, cell in artists.cells.items():
            opacity = 1 if f"{{{count}}}" in METRICS[self.value("metric")][1] else plots.DIM
            cell.set_alpha(opacity)
            artists.texts[count].set_alpha(opacity)
        return [*self._move_curve(), *artists.cells.values(), *artists.names]

    def _move_curve(self):
        if "curve" not in self.controls:
            return []
        artists, curve = self.artists, self.value("curve")
        counts, (x, y) = self.sweep.counts[picture_points(self.sweep)], CURVES[curve]
        artists.curve.set_data(METRICS[x][0](counts), METRICS[y][0](counts))
        artists.curve.set_drawstyle("default" if curve == "ROC" else plots.STEPS)
        if artists.labels[1].get_text() != x:  # another metric needs no other axes
            for label, words in zip(artists.labels, (f"{_capital(curve)} curve", x, y), strict=True):
                label.set_text(words)
            self.stale = True
        return [artists.curve]

    def move(self, now):
        artists, places = self.artists, []
        plots.set_shade(artists.shaded, now["threshold"])
        artists.cut.set_xdata([now["threshold"]] * 2)
        if "curve" in self.controls:
            x, y = CURVES[self.value("curve")]
            artists.place.set_data([now[_key(x)]], [now[_key(y)]])
            places = [artists.place]
        for count, text in artists.texts.items():
            text.set_text(shown(now[count]))
        artists.fraction.set_text(self._fraction(now))
        return [artists.shaded, artists.cut, *places, *artists.texts.values(), artists.fraction]

    def numbers(self):
        counts = self.sweep.at(self.value("threshold"))
        return {
            "threshold": self.value("threshold"),
            **{cell: getattr(counts, cell) for cell in ("tp", "fp", "fn", "tn")},
            **{_key(name): metric(counts) for name, (metric, *_) in METRICS.items()},
        }

    def _fraction(self, now):
        name = self.value("metric")
        tp, fp, fn, tn = (now[cell] for cell in ("tp", "fp", "fn", "tn"))
        cells = {"tp": tp, "fp": fp, "fn": fn, "tn": tn, "pp": tp + fp, "ap": tp + fn, "an": fp + tn, "pn": fn + tn}
        fraction = METRICS[name][1].format(**{cell: shown(count) for cell, count in cells.items()})
        return f"{name} = {fraction} = {now[_key(name)]:.3f}"

    def sentence(self, now):
        flagged, left = now["tp"] + now["fp"], now["fn"] + now["tn"]
        return (
            f"Threshold {now['threshold']:g}: {shown(flagged)} of {shown(flagged + left)} flagged. "
            f"{_capital(self._fraction(now))}."
        )


def _key(name):
    return name.lower().replace(" ", "_")


def _capital(words):
    return words[0].upper() + words[1:]
