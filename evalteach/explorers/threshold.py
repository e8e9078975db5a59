"""Drag the threshold: two histograms, a curve, four counts, one fraction."""

import numpy as np

from evalteach import classification, plots
from evalteach.counts import sweep
from evalteach.explorers.base import Explorer, picture_points, shown
from evalteach.explorers.controls import choice_control, threshold_control

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
CURVES = {"ROC": ("false positive rate", "recall"), "precision-recall": ("recall", "precision")}  # x and y


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
    size = (9.6, 4.0)

    def __init__(
        self, y_true, y_score, *, positive=None, weights=None, metric="precision", curve="ROC", threshold=None
    ):
        self.sweep = sweep(y_true, y_score, positive=positive, weights=weights)
        super().__init__(
            threshold_control(self.sweep, threshold),
            choice_control("metric", list(METRICS), metric),
            choice_control("curve", list(CURVES), curve),
        )

    def draw(self, figure):
        scores, self.artists.curve_axes, matrix = figure.subplots(1, 3, width_ratios=[1.25, 1, 1])
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
        self.artists.curve = plots.line(self.artists.curve_axes, [], [], "test")
        plots.unit_axes(self.artists.curve_axes)
        self.artists.cells, self.artists.texts, self.artists.names = plots.confusion_matrix(matrix)
        self.artists.fraction = plots.caption(figure)
        self.artists.shaded, self.artists.cut = plots.shade(scores), plots.upright(scores, width=2)
        self.artists.place = plots.dot(self.artists.curve_axes, "deployed")

    def move_scene(self, now):
        artists, curve = self.artists, self.value("curve")
        counts, (x, y) = self.sweep.counts[picture_points(self.sweep)], CURVES[curve]
        artists.curve.set_data(METRICS[x][0](counts), METRICS[y][0](counts))
        artists.curve.set_drawstyle("default" if curve == "ROC" else plots.STEPS)
        if artists.curve_axes.get_xlabel() != x:  # another metric needs no other axes
            plots.label(artists.curve_axes, title=f"{_capital(curve)} curve", x=x, y=y)
            self.stale = True
        for count, cell in artists.cells.items():
            opacity = 1 if count in METRICS[self.value("metric")][1].split() else plots.DIM
            cell.set_alpha(opacity)
            artists.texts[count].set_alpha(opacity)
        return [artists.curve, *artists.cells.values(), *artists.names]

    def move(self, now):
        artists = self.artists
        artists.cut.set_xdata([now["threshold"]] * 2)
        plots.set_shade(artists.shaded, now["threshold"])
        artists.place.set_data(*([now[_key(name)]] for name in CURVES[self.value("curve")]))
        for count, text in artists.texts.items():
            text.set_text(shown(now[count]))
        artists.fraction.set_text(self._fraction(now))
        return [artists.shaded, artists.cut, artists.place, *artists.texts.values(), artists.fraction]

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
        fraction = METRICS[name][2].format(**{cell: shown(count) for cell, count in cells.items()})
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
