"""Drag the size of one class: per-class precision, recall or F1, and their macro, micro and weighted averages."""

import numpy as np

from evalteach import classification, plots
from evalteach._inputs import check_between
from evalteach.counts import one_vs_rest
from evalteach.explorers.base import Explorer, choice_control, number_control, shown

METRICS = {
    "precision": classification.precision,
    "recall": classification.recall,
    "F1": classification.fbeta,
}
AVERAGES = {  # how each is drawn
    "macro": (classification.macro, "deployed", "-"),
    "micro": (classification.micro, "ink", "--"),
    "weighted": (classification.weighted, "second", "-."),
}
SMALLEST, LARGEST = 0.01, 100.0
MOST_NUMBERS = 12  # classes; beyond, the numbers in the squares would be too small to read


class ManyClassesExplorer(Explorer):
    """A confusion matrix of several classes, one of which becomes rarer or more frequent.

    The rows of the chosen class are multiplied, right and wrong ones alike: its recall stays, while the
    precision of the classes that it is mistaken for moves.

    Parameters
    ----------
    confusion_matrix : array_like, shape (n_classes, n_classes)
        Rows by actual class, down, and predicted class, across, as scikit-learn's ``confusion_matrix``.
        Every class needs at least one actual row.
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

    scene_controls = ("label", "metric")

    def __init__(self, confusion_matrix, *, labels=None, chosen=None, factor=1.0, metric="F1"):
        one_vs_rest(confusion_matrix)  # refuses what is no confusion matrix
        self.matrix = np.asarray(confusion_matrix, dtype=float)
        if self.matrix.ndim > 2:
            raise ValueError(f"confusion_matrix must have two dimensions, got shape {self.matrix.shape}")
        n = len(self.matrix)
        self.labels = [str(label) for label in (range(n) if labels is None else labels)]
        if len(self.labels) != n or len(set(self.labels)) < n:
            raise ValueError(f"labels must be {n} different names, one per class, got {', '.join(self.labels)}")
        sizes = self.matrix.sum(axis=1)
        if not sizes.all():
            empty = self.labels[int(np.argmin(sizes))]
            raise ValueError(f"confusion_matrix has no actual row of class {empty}; every class needs at least one")
        chosen = self.labels[-1] if chosen is None else str(chosen)
        for argument, value, known in (("chosen", chosen, self.labels), ("metric", metric, list(METRICS))):
            if value not in known:
                raise ValueError(f"{argument} must be one of {', '.join(map(repr, known))}, got {value!r}")
        factor = check_between("factor", factor, SMALLEST, LARGEST, open_ends=False)
        self.factors = np.unique([*np.geomspace(SMALLEST, LARGEST, 81), 1.0])
        super().__init__(
            {
                "label": choice_control("class", self.labels, chosen),
                "metric": choice_control("metric", list(METRICS), metric),
                "factor": number_control("times as many rows", factor, SMALLEST, LARGEST, log=True),
            },
            size=(9.0, 4.0),
        )

    def draw(self, figure):
        squares, self.bar_axes, self.curve_axes = figure.subplots(1, 3, width_ratios=[1.25, 1, 1.1])
        n = len(self.labels)
        self.texts = plots.class_matrix(squares, self.labels, self.matrix / self.matrix.sum(axis=1, keepdims=True))
        self.frame = plots.frame_row(squares, n)
        self.bars = plots.class_bars(self.bar_axes, self.labels)
        self.bar_axes.set_xlim(0, 1.34)
        self.bar_axes.set_xticks([0, 0.5, 1])
        self.bar_texts = [plots.live_text(self.bar_axes, 1.2, i + 0.5, size=min(10, 4 + 40 / n)) for i in range(n)]
        # named by a text that moves: another metric needs no other axes
        plots.label(self.bar_axes, title="Per class, and the averages", x=" ")
        self.metric_name = plots.live_text(self.bar_axes, 0.5, -0.12, size=9, transform=self.bar_axes.transAxes)
        plots.label(self.curve_axes, title="Averages against its size", x="times as many rows of this class")
        self.curve_axes.set_xscale("log")
        self.curve_axes.set_xlim(SMALLEST / 1.3, LARGEST * 1.3)
        self.curve_axes.set_xticks([0.01, 0.1, 1, 10, 100], ["0.01", "0.1", "1", "10", "100"])
        self.curve_axes.minorticks_off()
        self.curve_axes.set_ylim(-0.03, 1.03)
        self.curves, self.cuts, self.dots = {}, {}, {}
        for name, (_, colour, style) in AVERAGES.items():
            self.curves[name] = plots.line(self.curve_axes, [], [], colour, style=style, name=name)
            self.cuts[name] = plots.upright(self.bar_axes, colour, style=style)
        plots.legend_below(self.curve_axes, 3)
        self.place = plots.upright(self.curve_axes, "test", width=1)
        for name, (_, colour, _) in AVERAGES.items():
            self.dots[name] = plots.dot(self.curve_axes, colour, size=7)

    def move_scene(self):
        metric, which = self.value("metric"), self.labels.index(self.value("label"))
        self.metric_name.set_text(metric)
        self.frame.set_y(which)
        moved = one_vs_rest(self._matrix(self.factors))
        for name, (average, *_) in AVERAGES.items():
            self.curves[name].set_data(self.factors, average(METRICS[metric], moved))
        still = []
        for actual, row in enumerate(self.texts):
            if actual != which:
                self._write(row, self.matrix[actual])
                still += list(row)
        return [self.frame, self.metric_name, *still, *self.curves.values()]

    def move(self):
        metric, which = METRICS[self.value("metric")], self.labels.index(self.value("label"))
        matrix = self._matrix(self.value("factor"))
        counts = one_vs_rest(matrix)
        values = metric(counts)
        plots.set_class_bars(self.bars, values)
        for text, value in zip(self.bar_texts, values.tolist(), strict=True):
            text.set_text(f"{value:.3f}")
        self._write(self.texts[which], matrix[which])
        self.place.set_xdata([self.value("factor")] * 2)
        for name, (average, *_) in AVERAGES.items():
            value = average(metric, counts)
            self.cuts[name].set_xdata([value] * 2)
            self.dots[name].set_data([self.value("factor")], [value])
        return [
            *self.texts[which],
            self.bars,
            *self.cuts.values(),
            *self.bar_texts,
            self.place,
            *self.dots.values(),
        ]

    def numbers(self):
        metric, which = METRICS[self.value("metric")], self.labels.index(self.value("label"))
        matrix = self._matrix(self.value("factor"))
        counts, before = one_vs_rest(matrix), one_vs_rest(self.matrix)
        numbers = {
            "factor": self.value("factor"),
            "class_size": float(matrix[which].sum()),
            "rows": float(matrix.sum()),
            **{name: float(each(counts)[which]) for name, each in METRICS.items()},
        }
        for name, (average, *_) in AVERAGES.items():
            numbers[name], numbers[f"{name}_before"] = average(metric, counts), average(metric, before)
        return numbers

    def _matrix(self, factor):
        """The confusion matrix with the chosen class ``factor`` times as large; one matrix for each factor."""
        scale = np.ones((*np.shape(factor), len(self.labels), 1))
        scale[..., self.labels.index(self.value("label")), 0] = factor
        return self.matrix * scale

    def _write(self, texts, counts):
        if len(texts) <= MOST_NUMBERS:
            for text, count in zip(texts, counts.tolist(), strict=True):
                text.set_text(_short(count))

    def __repr__(self):
        now, metric = self.numbers(), self.value("metric")
        averages = ", ".join(
            f"{name} {now[name]:.3f} (before: {now[f'{name}_before']:.3f})" for name in ("macro", "micro", "weighted")
        )
        return (
            f"{now['factor']:g} times as many rows of class {self.value('label')} ({shown(now['class_size'])} of "
            f"{shown(now['rows'])}): its precision is {now['precision']:.3f}, its recall {now['recall']:.3f}, its F1 "
            f"{now['F1']:.3f}. Averages of {metric} over all classes: {averages}."
        )


def _short(count):
    """A count in a small square: at most four or five letters."""
    if count >= 999_500:
        return f"{count / 1e6:.2g}M"
    if count >= 9999.5:
        return f"{count / 1000:.0f}k"
    if count == round(count) or count >= 99.5:
        return f"{count:.0f}"
    return f"{count:.1f}" if count >= 0.05 else "<.1"
