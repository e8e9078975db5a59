"""Drag bias, separation and two sample sizes: what they do to recall@k, its area and the estimates drawn from it."""

import numpy as np

from evalteach import classification, plots
from evalteach._inputs import read_seed
from evalteach.counts import sweep
from evalteach.explorers.base import Explorer
from evalteach.explorers.controls import number_control
from evalteach.ideal_ranking import ideal_recall_band, ideal_recall_tail
from evalteach.unlabeled import UnlabeledCurve

N_UNLABELED = 1000
MOST_POSITIVES, MOST_TESTED = 500, 200
AROUND = np.linspace(-4, 4, 81)  # a mean
HILL = np.exp(-(AROUND**2) / 2)


class RecallCurveExplorer(Explorer):
    """Recall@k and precision@k of a simulated classifier, whose truth is known, beside those of a perfect one.

    Scores are normal with standard deviation 1. A thousand unlabeled rows; the test positives are a sample
    of the same class, moved up by the bias. "Too good to be true" is a tail below 0.01 at k = N/2.

    Parameters
    ----------
    separation : float
        Distance of the means of positives and negatives in standard deviations, 0 to 4.
    bias : float
        How much higher the test positives score than their class, in standard deviations, 0 to 2.
    class_size : int
        Positives among the unlabeled rows, 50 to 500.
    n_test_positives : int
        5 to 200.
    seed : int
        Of the random numbers, which are drawn once: moves shift and cut them.

    Raises
    ------
    ValueError
        For a number out of range.
    """

    scene_controls = ("bias", "separation", "class_size", "n_test_positives")

    def __init__(self, *, separation=2.0, bias=0.0, class_size=250, n_test_positives=40, seed=0):
        draw = np.random.default_rng(read_seed(seed)).normal
        self.positive_noise, self.negative_noise = draw(size=MOST_POSITIVES), draw(size=N_UNLABELED)
        self.test_noise = draw(size=MOST_TESTED)
        self.ranks = np.arange(1, N_UNLABELED + 1, 2)
        super().__init__(
            number_control("bias", bias, 0, 2, step=0.05),
            number_control("separation", separation, 0, 4, step=0.1),
            number_control("class_size", class_size, 50, MOST_POSITIVES, whole=True),
            number_control("n_test_positives", n_test_positives, 5, MOST_TESTED, label="test positives", whole=True),
        )

    def draw(self, figure):
        artists = self.artists
        scores, left, right = figure.subplots(1, 3, width_ratios=(0.75, 1.25, 1))
        artists.negatives = plots.line(scores, AROUND, HILL, "negative", style="--", name="negatives")
        artists.positives = plots.line(scores, AROUND, HILL, "positive", name="positives")
        artists.tested = plots.line(scores, [], [], "ink", style="|", width=0.8, name="test positives")
        scores.set(title="Scores", xlabel="score", xlim=(-4, 10), ylim=(-0.14, 1.08), yticks=[])
        artists.ideal_band = plots.band(left, "ideal", name="95 % band of ideal")
        artists.ideal = plots.line(left, [], [], "ideal", style="--", name="ideal on average")
        artists.true_recall = plots.line(left, [], [], "positive", style=":", name="true recall")
        artists.recall = plots.line(left, [], [], "ink", name="recall@k")
        left.set(title="Recall@k", xlabel="unlabeled rows flagged, k", xlim=(0, N_UNLABELED), ylim=(-0.03, 1.03))
        artists.areas = plots.live_text(left, 0.76 * N_UNLABELED, 0.17, size=8)
        artists.true_precision = plots.line(right, [], [], "positive", style=":", name="true precision")
        artists.precision = plots.line(right, [], [], "ink", name="precision@k")
        right.axhline(1, color=plots.COLOURS["test"], linewidth=0.8)
        right.set(title="Precision@k from k = N/2 on", xlabel="unlabeled rows flagged, k")
        right.set(xlim=(0, N_UNLABELED), ylim=(-0.06, 2.06))
        artists.sizes = [plots.upright(axes, "test", style="-.", name="class size") for axes in (left, right)]
        artists.dot = plots.dot(left, "ink", size=7)
        for axes, columns in ((scores, 1), (left, 2), (right, 1)):
            plots.legend_below(axes, columns)

    def find_scene(self):
        """Scores of the test positives, their curve, and the sweep that only a simulation can know."""
        size, separation = self.value("class_size"), self.value("separation")
        tests = self.test_noise[: self.value("n_test_positives")] + separation + self.value("bias")
        unlabeled = np.append(self.positive_noise[:size] + separation, self.negative_noise[: N_UNLABELED - size])
        return tests, UnlabeledCurve(tests, unlabeled), sweep(np.arange(N_UNLABELED) < size, unlabeled)

    def move_scene(self, now):
        artists, size, (tests, curve, truth) = self.artists, now["class_size"], self.scene
        artists.positives.set_xdata(AROUND + now["separation"])
        artists.tested.set_data(tests, np.full(tests.size, -0.07))
        some = np.unique([*np.linspace(1, size, 40), size + 1, N_UNLABELED])
        low, mean, high = ideal_recall_band(tests.size, size, some)
        plots.set_band(artists.ideal_band, some, low, high)
        artists.ideal.set_data(some, mean)
        at_ranks = truth.counts[self.ranks]  # no two scores are equal, so k flagged rows are position k
        artists.recall.set_data(self.ranks, curve.recall[self.ranks - 1])
        artists.true_recall.set_data(self.ranks, classification.recall(at_ranks))
        artists.areas.set_text(f"area {now['area']:.3f}\nceiling {now['ceiling']:.3f}\nAUC {now['roc_auc']:.3f}")
        shown = self.ranks >= size / 2  # no estimate is above 2 there, so the axis need not follow, which is slow
        artists.precision.set_data(self.ranks[shown], curve.precision(size, self.ranks[shown]))
        artists.true_precision.set_data(self.ranks[shown], classification.precision(at_ranks)[shown])
        sizes = plots.set_marks(now, "class_size", artists.sizes, {})
        dot = plots.set_marks(now, "k", [], {"recall": artists.dot})
        left = artists.ideal_band, artists.ideal, artists.true_recall, artists.recall
        right = artists.true_precision, artists.precision
        return [artists.positives, artists.tested, *left, *sizes, *dot, artists.areas, *right]

    def numbers(self):
        tests, curve, truth = self.scene
        size, m = self.value("class_size"), tests.size
        k = size // 2  # chosen before the scores are seen
        recall, at_k = curve.recall_at(k), truth.counts[k]
        return {
            **self.values,
            "area": curve.area,
            "ceiling": 1 - size / N_UNLABELED / 2,
            "roc_auc": curve.roc_auc(size),
            "true_roc_auc": classification.roc_auc(truth.counts),
            "k": k,
            "recall": recall,
            "true_recall": classification.recall(at_k),
            "precision": curve.precision(size, k),
            "true_precision": classification.precision(at_k),
            "tail": ideal_recall_tail(round(recall * m), m, size, k),
        }

    def sentence(self, now):
        tail = f"{now['tail']:.3f}" if now["tail"] >= 0.001 else "less than 0.001"
        verdict = " Too good to be true." if now["tail"] < 0.01 else ""
        return (
            f"Separation {now['separation']:g}, bias {now['bias']:g}, class size {now['class_size']}, "
            f"{now['n_test_positives']} test positives: area {now['area']:.3f} (ceiling {now['ceiling']:.3f}), "
            f"AUC recovered {now['roc_auc']:.3f}, true {now['true_roc_auc']:.3f}. At k = {now['k']} recall@k "
            f"{now['recall']:.3f}, true {now['true_recall']:.3f}; fair test positives get that high with probability "
            f"{tail} at most.{verdict}"
        )
