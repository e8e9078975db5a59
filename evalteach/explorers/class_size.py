"""Drag the class size: recall, precision and F1 of the k best-scored unlabeled rows."""

import numpy as np

from evalteach import classification, plots
from evalteach._inputs import check_between, read_whole
from evalteach.explorers.base import Explorer, known_truth, number_control, round_step
from evalteach.ideal_ranking import ideal_recall_band
from evalteach.unlabeled import UnlabeledCurve


class ClassSizeExplorer(Explorer):
    """Recall@k, precision@k and F1@k on unlabeled rows, for any class size and number of flagged rows.

    Parameters
    ----------
    test_positive_scores : array_like, shape (n_test_positives,)
        Scores of the positive rows of the test set.
    unlabeled_scores : array_like, shape (n_unlabeled,)
        Scores of the same model on the unlabeled rows.
    class_size : int, optional
        Positives among the unlabeled rows to start with; a tenth of them by default.
    k : int, optional
        Flagged rows to start with; the class size by default.
    max_k : int, optional
        Right end of the axes and of both sliders; by default four times the class size, or all rows.
    confidence : float
        Level of the bands.
    y_true_unlabeled : array_like, shape (n_unlabeled,), optional
        Labels of the unlabeled rows, where they are known after all: adds the true precision.

    Raises
    ------
    ValueError
        For the same reasons as ``UnlabeledCurve``, and for sizes or ranks out of range.
    """

    scene_controls = ("class_size",)

    def __init__(
        self,
        test_positive_scores,
        unlabeled_scores,
        *,
        class_size=None,
        k=None,
        max_k=None,
        confidence=0.95,
        y_true_unlabeled=None,
    ):
        self.curve = UnlabeledCurve(test_positive_scores, unlabeled_scores)
        self.confidence = check_between("confidence", confidence, 0, 1)
        n = self.curve.n_unlabeled
        most = n if max_k is None else read_whole("max_k", max_k, 1, n)
        class_size = read_whole("class_size", max(1, n // 10) if class_size is None else class_size, 1, most)
        max_k = min(n, 4 * class_size) if max_k is None else most
        k = read_whole("k", class_size if k is None else k, 1, max_k)
        self.truth = known_truth(y_true_unlabeled, unlabeled_scores)
        self.ranks = np.unique(np.linspace(1, max_k, 500).astype(int))
        super().__init__(
            {
                "class_size": number_control("class size", class_size, 1, max_k, whole=True),
                "k": number_control("rows flagged (k)", k, 1, max_k, whole=True),
            },
            size=(9.0, 4.0),
        )

    def draw(self, figure):
        left, self.right = figure.subplots(1, 2)
        end = self.ranks[-1]
        plots.label(left, title="Recall@k on unlabeled rows", x="unlabeled rows flagged, k", y="recall@k")
        self.ideal_band = plots.band(left, "ideal", name=f"{100 * self.confidence:g} % band of the ideal")
        self.ideal = plots.line(left, [], [], "ideal", style="--", name="ideal on average")
        plots.line(left, self.ranks, self.curve.recall[self.ranks - 1], "ink", name="this model")
        left.set_ylim(-0.03, 1.03)
        plots.label(self.right, title="Estimates for this class size", x="unlabeled rows flagged, k")
        self.precision_band = plots.band(self.right, "positive")
        self.precision = plots.line(self.right, [], [], "positive", name="precision@k")
        if self.truth is not None:
            truth = [self._true_precision(int(k)) for k in self.ranks]
            plots.line(self.right, self.ranks, truth, "ink", style=":", name="true precision")
        self.f1 = plots.line(self.right, [], [], "deployed", style="-.", name="F1@k")
        self.top = plots.dot(self.right, "deployed", marker="*", size=14)
        self.top.set_label("best F1@k")
        self.sizes = [plots.upright(axes, "test", style="--", name="class size") for axes in (left, self.right)]
        self.one = self.right.axhline(1, color=plots.COLOURS["test"], linewidth=0.8)
        for axes, columns in ((left, 2), (self.right, 3)):
            axes.set_xlim(0, end)
            plots.legend_below(axes, columns)
        self.cuts = [plots.upright(axes) for axes in (left, self.right)]
        self.dots = (
            plots.dot(left, "ink"),
            plots.dot(self.right, "positive"),
            plots.dot(self.right, "deployed"),
        )

    def move_scene(self):
        size, ranks = self.value("class_size"), self.ranks
        some = np.unique([*np.linspace(1, size, 48), min(size + 1, ranks[-1]), ranks[-1]])
        low, mean, high = ideal_recall_band(self.curve.n_test_positives, size, some, self.confidence)
        plots.set_band(self.ideal_band, some, low, high)
        self.ideal.set_data(some, mean)
        # with fewer rows than this one hit more or less changes everything
        shown = ranks[ranks >= size / 20]
        precision = self.curve.precision(size, shown)
        self.precision.set_data(shown, precision)
        plots.set_band(self.precision_band, shown, *self.curve.precision_band(size, shown, self.confidence))
        self.f1.set_data(shown, self.curve.f1(size, shown))
        best = self.curve.best(size)
        self.top.set_data([best.k], [best.f1])
        for size_line in self.sizes:
            size_line.set_xdata([size] * 2)
        highest = round_step(max(1.0, precision.max()))
        if self.right.get_ylim()[1] != 1.1 * highest:  # steps, so that few moves need new ticks
            self.right.set_ylim(-0.03, 1.1 * highest)
            self.stale = True
        return [
            self.ideal_band,
            self.ideal,
            self.precision_band,
            self.precision,
            self.f1,
            *self.sizes,
            self.top,
        ]

    def move(self):
        now = self.numbers()
        for cut in self.cuts:
            cut.set_xdata([now["k"]] * 2)
        for dot, height in zip(self.dots, ("recall", "precision", "f1"), strict=True):
            dot.set_data([now["k"]], [now[height]])
        return [*self.cuts, *self.dots]

    def numbers(self):
        size, k = self.value("class_size"), self.value("k")
        low, high = self.curve.precision_band(size, k, self.confidence)
        best = self.curve.best(size)
        numbers = {
            "class_size": size,
            "k": k,
            "threshold": float(self.curve.thresholds[k - 1]),
            "recall": self.curve.recall_at(k),
            "precision": self.curve.precision(size, k),
            "precision_low": low,
            "precision_high": high,
            "f1": self.curve.f1(size, k),
            "best_k": best.k,
            "best_f1": best.f1,
        }
        return numbers if self.truth is None else {**numbers, "true_precision": self._true_precision(k)}

    def _true_precision(self, k):
        return classification.precision(self.truth.at(float(self.curve.thresholds[k - 1])))

    def __repr__(self):
        now = self.numbers()
        truth = f" (true: {now['true_precision']:.3f})" if "true_precision" in now else ""
        doubt = (
            " Above 1: by chance, or the test positives are easier than their class." if now["precision"] > 1 else ""
        )
        return (
            f"Class size {now['class_size']:,}, {now['k']:,} rows flagged: recall@k {now['recall']:.3f}, "
            f"precision@k = {now['recall']:.3f} × {now['class_size']:,} / {now['k']:,} = {now['precision']:.3f}{truth},"
            f" with {100 * self.confidence:g} % confidence between {now['precision_low']:.3f} and "
            f"{now['precision_high']:.3f}.{doubt} F1@k {now['f1']:.3f}; the best, {now['best_f1']:.3f}, "
            f"is at k = {now['best_k']:,}."
        )
