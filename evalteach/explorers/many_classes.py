"""Drag the size of one class: per-class precision, recall or F1, and their macro, micro and weighted averages."""

import numpy as np

from evalteach import classification, plots
from evalteach.counts import one_vs_rest
from evalteach.explorers.engine.base import Explorer, shown
from evalteach.explorers.engine.controls import choice_control, number_control

METRICS = {"precision": classification.precision, "recall": classification.recall, "F1": classification.fbeta}
AVERAGES = {  # how each is drawn
    "macro": (classification.macro, "deployed", "-"),
    "micro": (classification.micro, "ink", "--"),
    "weighted": (classification.weighted, "second", "-."),
}
SMALLEST, LARGEST = 0.01, 100.0
MOST_CLASSES = 30  # to be drawn in a second or two, and told apart
MOST_NUMBERS = 12  # classes; beyond, the numbers in the squares would be too small to read


class ManyClassesExplorer(Explorer):
    """A confusion matrix of several classes, one of which becomes rarer or more frequent.

    The rows of the chosen class are multiplied, right and wrong ones alike: its recall stays, while the
    precision of the classes that it is mistaken for moves.

    Parameters
    ----------
    confusion_matrix : array_like, shape (n_classes, n_classes)
        Rows by actual class, down, and predicted class, across, as scikit-learn's ``confusion_matrix``.
        At most 30 classes, each with at least one actual row.
    labels : sequence, shape (n_classes,), optional
        Names of the classes; 0, 1, 2, ... by default.
    chosen : label, optional
        The class to start with; the last one by default.
    factor : float
        How many times as many rows of it, to start with (0.01 to 100).
    metric : {"F1", "precision", "recall"}

    Raises
    ------
    ValueError
        For the same reasons as ``one_vs_rest``, for an empty class, names that are not one per class, and an
        unknown ``chosen`` or ``metric``, or a ``factor`` out of range.
    """

    scene_controls = ("chosen", "metric")

    def __init__(self, confusion_matrix, *, labels=None, chosen=None, factor=1.0, metric="F1"):
        one_vs_rest(confusion_matrix)  # refuses what is no confusion matrix
        self.matrix = np.asarray(confusion_matrix, dtype=float)
        if self.matrix.ndim > 2:
            raise ValueError(f"confusion_matrix must have two dimensions, got shape {self.matrix.shape}")
        n = len(self.matrix)
        if n > MOST_CLASSES:
            raise ValueError(f"confusion_matrix has {n} classes; an explorer draws {MOST_CLASSES} at most")
        self.labels = [str(label) for label in (range(n) if labels is None else labels)]
        if len(self.labels) != n or len(set(self.labels)) < n:
            raise ValueError(f"labels must be {n} different names, one per class, got {', '.join(self.labels)}")
        sizes = self.matrix.sum(axis=1)
        if not sizes.all():
            empty = self.labels[int(np.argmin(sizes))]
            raise ValueError(f"confusion_matrix has no actual row of class {empty}; every class needs at least one")
        self.factors = np.unique([*np.geomspace(SMALLEST, LARGEST, 81), 1.0])
        super().__init__(
            choice_control("chosen", self.labels, self.labels[-1] if chosen is None else str(chosen), label="class"),
            choice_control("metric", list(METRICS), metric),
            number_control("factor", factor, SMALLEST, LARGEST, label="times as many rows", log=True),
        )

    def draw(self, figure):
        artists, n = self.artists, len(self.labels)
        squares, bars, curves = figure.subplots(1, 3, width_ratios=[1.25, 1, 1.1])
        artists.texts = plots.class_matrix(squares, self.labels, self.matrix / self.matrix.sum(axis=1, keepdims=True))
        artists.frame = plots.frame_row(squares, n)
        artists.bars = plots.class_bars(bars, self.labels)
        artists.bar_texts = [plots.live_text(bars, 1.2, i + 0.5, size=min(10, 4 + 40 / n)) for i in range(n)]
        # named by a text that moves: another metric needs no other axes
        bars.set(title="Per class, and the averages", xlabel=" ", xlim=(0, 1.34), xticks=[0, 0.5, 1])
        artists.metric_name = plots.live_text(bars, 0.5, -0.12, size=9, transform=bars.transAxes)
        curves.set(title="Averages by size of framed class", xlabel="times as many rows of this class")
        curves.set(xscale="log", xlim=(SMALLEST / 1.3, LARGEST * 1.3), ylim=(-0.03, 1.03))
        curves.set_xticks([0.01, 0.1, 1, 10, 100], ["0.01", "0.1", "1", "10", "100"])
        curves.minorticks_off()
        artists.curves, artists.cuts, artists.dots = {}, {}, {}
        for name, (_, colour, style) in AVERAGES.items():
            artists.curves[name] = plots.line(curves, [], [], colour, style=style, name=name)
            artists.cuts[name] = plots.upright(bars, colour, style=style)
            artists.dots[name] = plots.dot(curves, colour, size=7)
        plots.legend_below(curves, 3)
        artists.place = plots.upright(curves, "test", width=1)

    def find_scene(self):
        """Averages of the matrix as it is, and of a matrix for each factor."""
        metric = METRICS[self.value("metric")]
        before, moved = one_vs_rest(self.matrix), one_vs_rest(self._matrix(self.factors))
        return {name: (average(metric, before), average(metric, moved)) for name, (average, *_) in AVERAGES.items()}

    def move_scene(self, now):
        artists, which = self.artists, self._chosen()
        artists.metric_name.set_text(self.value("metric"))
        artists.frame.set_y(which)
        for name, curve in artists.curves.items():
            curve.set_data(self.factors, self.scene[name][1])
        others = np.arange(len(self.labels)) != which
        _write(artists.texts[others], self.matrix[others])
        return [artists.frame, artists.metric_name, *artists.texts[others].flat, *artists.curves.values()]

    def move(self, now):
        artists, which = self.artists, self._chosen()
        plots.set_class_bars(artists.bars, np.array(now["per_class"]))
        for text, value in zip(artists.bar_texts, now["per_class"], strict=True):
            text.set_text(f"{value:.3f}")
        _write(artists.texts[which], self.matrix[which] * now["factor"])
        for name, cut in artists.cuts.items():
            cut.set_xdata([now[name]] * 2)
        marks = plots.set_marks(now, "factor", [artists.place], artists.dots)
        return [*artists.texts[which], artists.bars, *artists.cuts.values(), *artists.bar_texts, *marks]

    def numbers(self):
        """As in every explorer; ``per_class`` holds a list, the metric of each class."""
        metric, which = METRICS[self.value("metric")], self._chosen()
        matrix = self._matrix(self.value("factor"))
        counts = one_vs_rest(matrix)
        numbers = {
            "factor": self.value("factor"),
            "class_size": float(matrix[which].sum()),
            "rows": float(matrix.sum()),
            **{name.lower(): float(each(counts)[which]) for name, each in METRICS.items()},
            "per_class": metric(counts).tolist(),
        }
        for name, (average, *_) in AVERAGES.items():
            numbers[name], numbers[f"{name}_before"] = average(metric, counts), self.scene[name][0]
        return numbers

    def _chosen(self):
        return self.labels.index(self.value("chosen"))

    def _matrix(self, factor):
        """The confusion matrix with the chosen class ``factor`` times as large; one matrix for each factor."""
        scale = np.ones((*np.shape(factor), len(self.labels), 1))
        scale[..., self._chosen(), 0] = factor
        return self.matrix * scale

    def sentence(self, now):
        averages = ", ".join(f"{name} {now[name]:.3f} (before: {now[f'{name}_before']:.3f})" for name in AVERAGES)
        return (
            f"{now['factor']:g} times as many rows of class {self.value('chosen')} ({shown(now['class_size'])} of "
            f"{shown(now['rows'])}): its precision is {now['precision']:.3f}, its recall {now['recall']:.3f}, its F1 "
            f"{now['f1']:.3f}. Averages of {self.value('metric')} over all classes: {averages}."
        )


def _write(texts, counts):
    if texts.shape[-1] <= MOST_NUMBERS:
        for text, count in zip(texts.flat, counts.flat, strict=True):
            text.set_text(_short(count))


def _short(count):
    """A count in a small square: at most four or five letters."""
    if count >= 999_500:
        return f"{count / 1e6:.2g}M"
    if count >= 9999.5:
        return f"{count / 1000:.0f}k"
    if count == round(count) or count >= 99.5:
        return f"{count:.0f}"
    return f"{count:.1f}" if count >= 0.05 else "<.1"
