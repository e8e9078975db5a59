"""Drag the class size and its limits: which threshold is best on unlabeled rows, and what another one costs."""

from functools import partial

import numpy as np

from evalteach import classification, plots, unlabeled
from evalteach._inputs import check_between, read_number, read_whole
from evalteach.counts import Counts
from evalteach.explorers.base import Explorer, choice_control, known_truth, number_control, round_step


class BestThresholdExplorer(Explorer):
    """A metric at each number of flagged rows, estimated from a class size that may be known within limits only.

    Parameters
    ----------
    test_positive_scores : array_like, shape (n_test_positives,)
        Scores of the positive rows of the test set.
    unlabeled_scores : array_like, shape (n_unlabeled,)
        Scores of the same model on the unlabeled rows.
    class_size : int
        Positives among the unlabeled rows to start with.
    give_or_take : int, optional
        By how many per cent (0 to 80) the class size may be wrong.
    metric : str, optional
        "F1", "F0.5", "F2" or "net gain" to start with.
    k : int, optional
        Flagged rows to start with; the class size by default.
    max_k : int, optional
        Right end of the axes and of the sliders; by default four times the class size, or all rows.
    alarm_cost : float, optional
        Cost of one flagged row, in finds, for the net gain.
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

    scene_controls = ("goal", "class_size", "give_or_take")

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
        if metric not in self.metrics:
            raise ValueError(f"metric must be one of {', '.join(map(repr, self.metrics))}, got {metric!r}")
        n = self.curve.n_unlabeled
        most = n if max_k is None else read_whole("max_k", max_k, 1, n)
        class_size = read_whole("class_size", class_size, 1, most)
        max_k = min(n, 4 * class_size) if max_k is None else most
        k = read_whole("k", class_size if k is None else k, 1, max_k)
        give_or_take = read_whole("give_or_take", give_or_take, 0, 80)
        self.default = read_number("default", default)
        if self.default != self.default:
            raise ValueError(f"default must be a number, got {default}")
        self.default_k = int(np.sum(self.curve.thresholds >= self.default))
        self.truth = known_truth(y_true_unlabeled, unlabeled_scores)
        self.optima = {} if self.truth is None else {name: self._true_best(each) for name, each in self.metrics.items()}
        self.ranks = np.unique(np.linspace(1, max_k, 200).astype(int))
        super().__init__(
            {
                "goal": choice_control("metric", list(self.metrics), metric),
                "class_size": number_control("class size", class_size, 1, max_k, whole=True),
                "give_or_take": number_control("give or take (%)", give_or_take, 0, 80, whole=True),
                "k": number_control("rows flagged (k)", k, 1, max_k, whole=True),
            },
            size=(9.0, 4.0),
        )

    def draw(self, figure):
        self.left, self.right = figure.subplots(1, 2, width_ratios=[1.5, 1])
        plots.label(self.left, title="The metric, estimated", x="unlabeled rows flagged, k")
        self.outer = plots.band(self.left, "deployed", name=f"{100 * self.confidence:g} % band")
        self.inner = plots.band(self.left, "deployed", name="N within limits", opacity=0.35)
        self.estimate = plots.line(self.left, [], [], "deployed", style="-.", name="estimate")
        self.safest = plots.dot(self.left, "ideal", marker="D", size=11)  # seen around the star where both meet
        self.best = plots.dot(self.left, "deployed", marker="*", size=11)
        self.safest.set_label("least regret")
        self.best.set_label("best estimate")
        if self.truth is not None:
            self.true = plots.line(self.left, [], [], "ink", style=":", name="truth")
            self.optimum = plots.dot(self.left, "ink", marker="v")
            self.optimum.set_label("true best")
        at_default = plots.upright(self.left, "test", style=":", name=f"score {self.default:g}")
        at_default.set_xdata([self.default_k] * 2)
        plots.label(self.right, title="Regret: lost against the best k", x="k")
        self.lost = plots.line(self.right, [], [], "test", width=3, name="at worst")
        self.lost_low = plots.line(self.right, [], [], "second", style="--", width=1.4, name="N smallest")
        self.lost_high = plots.line(self.right, [], [], "positive", style="-.", width=1.4, name="N largest")
        self.least = plots.dot(self.right, "ideal", marker="D", size=7)
        for axes, columns in ((self.left, 4), (self.right, 3)):
            axes.set_xlim(0, self.ranks[-1] * 1.01)
            axes.locator_params(axis="y", nbins=5)
            plots.legend_below(axes, columns)
        self.cuts = plots.upright(self.left), plots.upright(self.right)
        self.dots = plots.dot(self.left, "deployed"), plots.dot(self.right, "ink")

    def move_scene(self):
        metric, size, limits, ranks = self._metric(), self.value("class_size"), self._limits(), self.ranks
        estimate = metric(self.curve.counts(size, ranks))
        ends = [metric(self.curve.counts(each, ranks)) for each in limits]
        low, high = self.curve.band(metric, limits, ranks, self.confidence)
        plots.set_band(self.outer, ranks, low, high)
        plots.set_band(self.inner, ranks, *ends)
        self.estimate.set_data(ranks, estimate)
        curves, marks = [self.outer, self.inner, self.estimate], [self.safest, self.best]
        lowest, highest = low.min(), high.max()
        if self.truth is not None:
            true = metric(self.truth.counts[self._positions(ranks)])
            self.true.set_data(ranks, true)
            self.optimum.set_data(*([each] for each in self.optima[self.value("goal")]))
            curves, marks = [*curves, self.true], [*marks, self.optimum]
            lowest, highest = min(lowest, true.min()), max(highest, true.max(), self.optimum.get_ydata()[0])
        best, safest = self._picks = self.curve.pick(metric, size), self.curve.pick(metric, limits)
        self.best.set_data([best.k], [best.value])
        self.safest.set_data([safest.k], [metric(self._counts(safest.k))])
        lost = self.curve.regret(metric, limits, ranks)
        for artist, heights in (
            (self.lost, lost),
            (self.lost_low, self.curve.regret(metric, limits[0], ranks)),
            (self.lost_high, self.curve.regret(metric, limits[1], ranks)),
        ):
            artist.set_data(ranks, heights)
        self.least.set_data([safest.k], [safest.regret])
        self._fit(self.left, lowest, highest)
        self._fit(self.right, 0, lost.max())
        return [*curves, *marks, self.lost, self.lost_low, self.lost_high, self.least]

    def _fit(self, axes, lowest, highest):
        """Ends of the vertical axis: 1, 2, 5, 10, ... at any scale, so that few moves need new ticks."""
        top = round_step(max(highest, 1e-3))
        bottom = -round_step(-lowest) if lowest < -0.1 * top else -0.03 * top
        if axes.get_ylim() != (bottom, 1.05 * top):
            axes.set_ylim(bottom, 1.05 * top)
            self.stale = True

    def move(self):
        now = self.numbers()
        for cut, dot, height in zip(self.cuts, self.dots, ("value", "regret"), strict=True):
            cut.set_xdata([now["k"]] * 2)
            dot.set_data([now["k"]], [now[height]])
        return [*self.cuts, *self.dots]

    def numbers(self):
        metric, limits, k = self._metric(), self._limits(), self.value("k")
        low, high = self.curve.band(metric, limits, k, self.confidence)
        best, safest = self._picks  # they move with the scene only
        numbers = {
            "class_size": self.value("class_size"),
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
        if self.truth is None:
            return numbers
        optimum_k, optimum = self.optima[self.value("goal")]
        return {
            **numbers,
            "true": metric(self.truth.at(float(self.curve.thresholds[k - 1]))),
            "true_at_best": metric(self.truth.at(best.threshold)),
            "true_at_default": metric(self.truth.at(self.default)),
            "optimum_k": optimum_k,
            "optimum": optimum,
        }

    def _metric(self):
        return self.metrics[self.value("goal")]

    def _limits(self):
        size, part = self.value("class_size"), self.value("give_or_take") / 100
        return size * (1 - part), min(size * (1 + part), self.curve.n_unlabeled)

    def _counts(self, k):
        """Expected counts at the class size, also with no row flagged."""
        size = self.value("class_size")
        return self.curve.counts(size, k) if k else Counts(tp=0, fp=0, fn=size, tn=self.curve.n_unlabeled - size)

    def _positions(self, ranks):
        return [self.truth.position(threshold) for threshold in self.curve.thresholds[ranks - 1]]

    def _true_best(self, metric):
        values = metric(self.truth.counts)
        top = int(np.nanargmax(values))
        return int(self.truth.counts.tp[top] + self.truth.counts.fp[top]), float(values[top])

    def __repr__(self):
        now = self.numbers()
        true, of_best, elsewhere = "", "", ""
        if self.truth is not None:
            true, of_best = f" (true: {now['true']:.3f})", f" (true: {now['true_at_best']:.3f})"
            elsewhere = (
                f" True at score {self.default:g}: {now['true_at_default']:.3f}; true best: {now['optimum']:.3f}."
            )
        return (
            f"Class size {now['class_size']:,} give or take {self.value('give_or_take')} %, {now['k']:,} rows flagged: "
            f"{self.value('goal')} {now['value']:.3f}{true}, from {now['low']:.3f} to {now['high']:.3f}; at most "
            f"{now['regret']:.3f} lost. Best estimate {now['best']:.3f} at k = {now['best_k']:,}{of_best}; "
            f"least regret {now['safest_regret']:.3f} at k = {now['safest_k']:,}.{elsewhere}"
        )
