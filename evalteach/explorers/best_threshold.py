"""Drag the class size and its limits: which threshold is best on unlabeled rows, and what another one costs."""

from functools import partial

import numpy as np

from evalteach import classification, plots, unlabeled
from evalteach._inputs import check_between, read_number, round_to
from evalteach.counts import Counts
from evalteach.explorers.engine.base import Explorer, above_one, in_a_tie, known_truth
from evalteach.explorers.engine.controls import choice_control, number_control, rank_controls, round_step


class BestThresholdExplorer(Explorer):
    """A metric at each number of flagged rows, estimated from a class size that may be known within limits only.

    A k inside a tie of scores is no number of rows that a threshold can flag: there k is the end of the tie.

    Parameters
    ----------
    test_positive_scores : array_like, shape (n_test_positives,)
        Scores of the positive rows of the test set.
    unlabeled_scores : array_like, shape (n_unlabeled,)
        Scores of the same model on the unlabeled rows.
    class_size : int
        Positives among the unlabeled rows to start with.
    give_or_take : int, optional
        By what percentage (0 to 80) the class size may be wrong.
    metric : str, optional
        "F1", "F0.5", "F2" or "net gain" to start with.
    k : int, optional
        Flagged rows to start with; the class size by default.
    max_k : int, optional
        Right end of the axes and of the sliders; by default four times the class size, or all rows.
    alarm_cost : float, optional
        Cost of one flagged row, in true positives, for the net gain.
    default : float, optional
        The threshold to compare with.
    confidence : float
        Level of the band.
    y_true_unlabeled : array_like, shape (n_unlabeled,), optional
        Labels of the unlabeled rows, where they are known after all: adds the truth and its best threshold.

    Raises
    ------
    ValueError
        For the same reasons as ``UnlabeledCurve``, and for an argument out of range.
    """

    scene_controls = ("metric", "class_size", "give_or_take")

    def __init__(
        self,
        test_positive_scores,
        unlabeled_scores,
        *,
        class_size,
        give_or_take=20,
        metric="F1",
        k=None,
        max_k=None,
        alarm_cost=0.2,
        default=0.5,
        confidence=0.95,
        y_true_unlabeled=None,
    ):
        self.curve = unlabeled.UnlabeledCurve(test_positive_scores, unlabeled_scores)
        self.confidence = check_between("confidence", confidence, 0, 1)
        self.alarm_cost = check_between("alarm_cost", alarm_cost, 0, np.inf, open_ends=False)
        self.metrics = {
            "F1": classification.fbeta,
            "F0.5": partial(classification.fbeta, beta=0.5),
            "F2": partial(classification.fbeta, beta=2),
            "net gain": partial(classification.net_gain, alarm_cost=self.alarm_cost),
        }
        self.default = read_number("default", default)
        if self.default != self.default:
            raise ValueError(f"default must be a number, got {default}")
        self.default_k = int(np.sum(self.curve.thresholds >= round_to(self.curve.dtype, self.default)))
        self.truth = known_truth(y_true_unlabeled, unlabeled_scores)
        class_size, k, self.ranks = rank_controls(self.curve, class_size, k, max_k, points=200)
        super().__init__(
            choice_control("metric", list(self.metrics), metric),
            class_size,
            number_control("give_or_take", give_or_take, 0, 80, label="give or take (%)", whole=True),
            k,
        )

    def draw(self, figure):
        artists, (left, right) = self.artists, figure.subplots(1, 2, width_ratios=[1.5, 1])
        left.set(title="Estimated metric", xlabel="unlabeled rows flagged, k")
        artists.outer = plots.band(left, "deployed", name=f"{100 * self.confidence:g}% band")
        artists.inner = plots.band(left, "deployed", name="class size within limits", opacity=0.35)
        artists.estimate = plots.line(left, [], [], "deployed", style="-.", name="estimate")
        # seen around the star where both meet
        artists.safest = plots.dot(left, "ideal", marker="D", size=11, name="least regret")
        artists.best = plots.dot(left, "deployed", marker="*", size=11, name="best estimate")
        if self.truth is not None:
            artists.true = plots.line(left, [], [], "ink", style=":", name="truth")
            artists.optimum = plots.dot(left, "ink", marker="v", name="true best")
        plots.upright(left, "test", style=":", name=f"threshold {self.default:g}", x=self.default_k)
        right.set(title="Regret: loss against the best k", xlabel="k")
        artists.lost = (
            plots.line(right, [], [], "test", width=3, name="worst case"),
            plots.line(right, [], [], "second", style="--", width=1.4, name="smallest N"),
            plots.line(right, [], [], "positive", style="-.", width=1.4, name="largest N"),
        )
        artists.least = plots.dot(right, "ideal", marker="D", size=7)
        for axes, columns in ((left, 4), (right, 3)):
            axes.set_xlim(0, self.controls["class_size"].max * 1.01)
            axes.locator_params(axis="y", nbins=5)
            plots.legend_below(axes, columns)
        artists.cuts = plots.upright(left), plots.upright(right)
        artists.dots = {"value": plots.dot(left, "ink", size=15), "regret": plots.dot(right, "ink", size=13)}
        for ring in artists.dots.values():  # hollow, since the tasks lead to the marks that it would cover
            ring.set(markerfacecolor="none", markeredgecolor=plots.COLOURS["ink"], markeredgewidth=2)

    def find_scene(self):
        """The best and the safest threshold; the true metric with k rows flagged for k = 0..n, and the best such k."""
        metric = self._metric()
        best, safest = (self.curve.pick(metric, sizes) for sizes in (self.value("class_size"), self._limits()))
        if self.truth is None:
            return best, safest, None, None
        true = metric(self.truth)
        return best, safest, true, np.nanargmax(true)

    def move_scene(self, now):
        artists, metric, limits, ranks = self.artists, self._metric(), self._limits(), self.ranks
        low, high = self.curve.band(metric, limits, ranks, self.confidence)
        plots.set_band(artists.outer, ranks, low, high)
        plots.set_band(artists.inner, ranks, *(metric(self.curve.counts(each, ranks)) for each in limits))
        artists.estimate.set_data(ranks, metric(self.curve.counts(now["class_size"], ranks)))
        artists.best.set_data([now["best_k"]], [now["best"]])
        artists.safest.set_data([now["safest_k"]], [metric(self._counts(now["safest_k"]))])
        curves, marks = [artists.outer, artists.inner, artists.estimate], [artists.safest, artists.best]
        lowest, highest = low.min(), high.max()
        if self.truth is not None:
            true = self.scene[2][ranks]
            artists.true.set_data(ranks, true)
            artists.optimum.set_data([now["optimum_k"]], [now["optimum"]])
            curves, marks = [*curves, artists.true], [*marks, artists.optimum]
            lowest, highest = min(lowest, true.min()), max(highest, true.max(), now["optimum"])
        for line, sizes in zip(artists.lost, (limits, *limits), strict=True):
            line.set_data(ranks, self.curve.regret(metric, sizes, ranks))
        artists.least.set_data([now["safest_k"]], [now["safest_regret"]])
        most_lost = artists.lost[0].get_ydata().max()
        for axes, bottom, top in ((artists.estimate.axes, lowest, highest), (artists.least.axes, 0, most_lost)):
            top = round_step(max(top, 1e-3))  # 1, 2, 5, 10, ... at any scale
            self.set_ends(axes, -round_step(-bottom) if bottom < -0.1 * top else -0.03 * top, 1.05 * top)
        return [*curves, *marks, *artists.lost, artists.least]

    def move(self, now):
        return plots.set_marks(now, "k", self.artists.cuts, self.artists.dots)

    def numbers(self):
        metric, limits, k = self._metric(), self._limits(), self.curve.flagged_at(self.value("k"))
        low, high = self.curve.band(metric, limits, k, self.confidence)
        best, safest, true, top = self.scene
        numbers = {
            "class_size": self.value("class_size"),
            "give_or_take": self.value("give_or_take"),
            "smallest": limits[0],
            "largest": limits[1],
            "k": k,
            "threshold": float(self.curve.thresholds[k - 1]),
            "value": metric(self._counts(k)),
            "low": float(low),
            "high": float(high),
            "regret": float(self.curve.regret(metric, limits, k)),
            "best_k": best.k,
            "best": best.value,
            "safest_k": safest.k,
            "safest_regret": safest.regret,
            "default_k": self.default_k,
            "default": metric(self._counts(self.default_k)),
        }
        if true is None:
            return numbers
        return numbers | {
            "true": float(true[k]),
            "true_at_best": float(true[best.k]),
            "true_at_default": float(true[self.default_k]),
            "optimum_k": int(self.truth.tp[top] + self.truth.fp[top]),  # the end of its tie
            "optimum": float(true[top]),
        }

    def _metric(self):
        return self.metrics[self.value("metric")]

    def _limits(self):
        size, part = self.value("class_size"), self.value("give_or_take") / 100
        return size * (1 - part), min(size * (1 + part), self.curve.n_unlabeled)

    def _counts(self, k):
        """Expected counts at the class size, also with no row flagged."""
        size = self.value("class_size")
        return self.curve.counts(size, k) if k else Counts(tp=0, fp=0, fn=size, tn=self.curve.n_unlabeled - size)

    def sentence(self, now):
        true, of_best, elsewhere = "", "", ""
        bounded = self.value("metric") != "net gain"
        too_high = above_one(now["value"], now["best"]) if bounded else ""
        if self.truth is not None:
            true, of_best = f" (true: {now['true']:.3f})", f" (true: {now['true_at_best']:.3f})"
            elsewhere = (
                f" The true value is {now['true_at_default']:.3f} at threshold {self.default:g} and "
                f"{now['optimum']:.3f} at its best."
            )
        return (
            f"With a class size of {now['class_size']:,} (± {now['give_or_take']}%) and {now['k']:,} rows flagged, the "
            f"estimated {self.value('metric')} is {now['value']:.3f}{true}, with a band from {now['low']:.3f} to "
            f"{now['high']:.3f} and a regret of at most {now['regret']:.3f}. The best estimate is {now['best']:.3f} at "
            f"k = {now['best_k']:,}{of_best}; the least regret is {now['safest_regret']:.3f} at "
            f"k = {now['safest_k']:,}.{elsewhere}{too_high}"
            f"{in_a_tie(self.value('k'), now['k'])}"
        )
