"""Drag the class size: recall, precision and F1 of the k best-scored unlabeled rows."""

import numpy as np

from evalteach import classification, plots
from evalteach._inputs import check_between
from evalteach.explorers.engine.base import Explorer, above_one, in_a_tie, known_truth
from evalteach.explorers.engine.controls import rank_controls, round_step
from evalteach.ideal_ranking import ideal_recall_band
from evalteach.unlabeled import UnlabeledCurve


class ClassSizeExplorer(Explorer):
    """Recall@k, precision@k and F1@k on unlabeled rows, for any class size and number of flagged rows.

    A k inside a tie of scores is no number of rows that a threshold can flag: there k is the end of the tie.

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
        self.truth = known_truth(y_true_unlabeled, unlabeled_scores)
        class_size = max(1, self.curve.n_unlabeled // 10) if class_size is None else class_size
        *controls, self.ranks = rank_controls(self.curve, class_size, k, max_k, points=500)
        super().__init__(*controls)

    def draw(self, figure):
        artists, both = self.artists, figure.subplots(1, 2)
        left, right = both
        left.set(title="Recall@k on unlabeled rows", xlabel="unlabeled rows flagged, k", ylabel="recall@k")
        artists.ideal_band = plots.band(left, "ideal", name=f"{100 * self.confidence:g}% band of the ideal")
        artists.ideal = plots.line(left, [], [], "ideal", style="--", name="ideal on average")
        plots.line(left, self.ranks, self.curve.recall[self.ranks - 1], "ink", name="this model")
        left.set_ylim(-0.03, 1.03)
        right.set(title="Estimates for this class size", xlabel="unlabeled rows flagged, k")
        artists.precision_band = plots.band(right, "positive")
        artists.precision = plots.line(right, [], [], "positive", name="precision@k")
        if self.truth is not None:
            truth = classification.precision(self.truth[self.ranks])
            plots.line(right, self.ranks, truth, "ink", style=":", name="true precision")
        artists.f1 = plots.line(right, [], [], "deployed", style="-.", name="F1@k")
        artists.top = plots.dot(right, "deployed", marker="*", size=14, name="best F1@k")
        artists.sizes = [plots.upright(axes, "test", style="--", name="class size") for axes in both]
        right.axhline(1, color=plots.COLOURS["test"], linewidth=0.8)
        for axes, columns in ((left, 2), (right, 3)):
            axes.set_xlim(0, self.controls["class_size"].max)
            plots.legend_below(axes, columns)
        artists.cuts = [plots.upright(axes) for axes in both]
        places = {"recall": (left, "ink"), "precision": (right, "positive"), "f1": (right, "deployed")}
        artists.dots = {height: plots.dot(*place) for height, place in places.items()}

    def find_scene(self):
        return self.curve.best(self.value("class_size"))

    def move_scene(self, now):
        artists, size, most = self.artists, now["class_size"], self.controls["class_size"].max
        some = np.unique([*np.linspace(1, size, 48), min(size + 1, most), most])
        low, mean, high = ideal_recall_band(self.curve.n_test_positives, size, some, self.confidence)
        plots.set_band(artists.ideal_band, some, low, high)
        artists.ideal.set_data(some, mean)
        # with fewer rows than this one hit more or less changes everything
        ranks = self.ranks[self.ranks >= min(size / 20, self.ranks[-1])]
        precision = self.curve.precision(size, ranks)
        artists.precision.set_data(ranks, precision)
        plots.set_band(artists.precision_band, ranks, *self.curve.precision_band(size, ranks, self.confidence))
        artists.f1.set_data(ranks, self.curve.f1(size, ranks))
        artists.top.set_data([now["best_k"]], [now["best_f1"]])
        sizes = plots.set_marks(now, "class_size", artists.sizes, {})
        self.set_ends(artists.precision.axes, -0.03, 1.1 * round_step(max(1.0, *precision)))
        still = [artists.ideal_band, artists.ideal, artists.precision_band, artists.precision, artists.f1]
        return [*still, *sizes, artists.top]

    def move(self, now):
        return plots.set_marks(now, "k", self.artists.cuts, self.artists.dots)

    def numbers(self):
        size, k = self.value("class_size"), self.curve.flagged_at(self.value("k"))
        low, high = self.curve.precision_band(size, k, self.confidence)
        numbers = {
            "class_size": size,
            "k": k,
            "threshold": float(self.curve.thresholds[k - 1]),
            "recall": self.curve.recall_at(k),
            "precision": self.curve.precision(size, k),
            "precision_low": low,
            "precision_high": high,
            "f1": self.curve.f1(size, k),
            "best_k": self.scene.k,
            "best_f1": self.scene.f1,
        }
        return numbers if self.truth is None else {**numbers, "true_precision": classification.precision(self.truth[k])}

    def sentence(self, now):
        truth = f" (true: {now['true_precision']:.3f})" if "true_precision" in now else ""
        return (
            f"Class size {now['class_size']:,}, {now['k']:,} rows flagged: recall@k {now['recall']:.3f}, "
            f"precision@k = {now['recall']:.3f} × {now['class_size']:,} / {now['k']:,} = {now['precision']:.3f}{truth},"
            f" with {100 * self.confidence:g}% confidence between {now['precision_low']:.3f} and "
            f"{now['precision_high']:.3f}. F1@k {now['f1']:.3f}; the best, {now['best_f1']:.3f}, "
            f"is at k = {now['best_k']:,}.{above_one(now['precision'], now['f1'], now['best_f1'])}"
            f"{in_a_tie(self.value('k'), now['k'])}"
        )
