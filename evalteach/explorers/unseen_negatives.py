"""Add a type of negative that the test set lacks: recall stays, and the class ratio does not explain the precision."""

import math

import numpy as np

from evalteach import class_ratio, classification, plots
from evalteach._inputs import check_between, read_numbers
from evalteach.counts import sweep
from evalteach.explorers.engine.base import Explorer, bin_shares, shown
from evalteach.explorers.engine.controls import number_control, ratio_control, threshold_control

METRICS = {  # how each is drawn
    "recall": ("positive", "-.", "recall (test and real)"),
    "test_precision": ("test", ":", "test precision"),
    "corrected_precision": ("second", "--", "corrected precision"),
    "precision": ("ink", "-", "real precision"),
}


class UnseenNegativesExplorer(Explorer):
    """Show what happens to recall and precision when production has a type of negative that the test set lacks.

    The positives and the known negatives have the same scores in production as in the test set. Three
    precisions are compared: the precision in the test; the one corrected for the true class ratio in
    production, which treats all negatives as known ones; and the real one, with the unseen type.

    Parameters
    ----------
    y_true : array_like, shape (n_rows,)
        Labels of the test set: bool, 0/1, or any two values with ``positive`` named. Both classes must occur.
    y_score : array_like, shape (n_rows,)
        Real numbers, the likeliest positive highest.
    unseen_scores : array_like, shape (n_unseen,), optional
        Scores of the same model on rows of the unseen type. Without them a stand-in is made from the test
        rows, and a control sets its place.
    positive : label, optional
        Which value of ``y_true`` is the positive class.
    unseen_per_positive : float
        Negatives of the unseen type per positive to start with (0 or more).
    place : float, optional
        Where the stand-in lies to start with, 0.7 by default: each quantile of its scores is this far on
        the way from the known negatives' (0) to the positives' (1). On log-odds, two classes of equal
        spread then have a third one of that spread between them.
    ratio : float, optional
        Known negatives per positive to start with; the test set's own by default.
    threshold : float, optional
        Where to start; 0.5 for probabilities, else the middle of the scores.

    Raises
    ------
    ValueError
        For the same reasons as ``sweep`` and ``at_class_ratio``, for numbers out of range, for a ``place``
        beside ``unseen_scores``, and for infinite scores without them.
    """

    scene_controls = ("place",)

    def __init__(
        self,
        y_true,
        y_score,
        unseen_scores=None,
        *,
        positive=None,
        unseen_per_positive=5.0,
        place=None,
        ratio=None,
        threshold=None,
    ):
        self.sweep = sweep(y_true, y_score, positive=positive)
        everything = self.sweep.counts[-1]  # all rows flagged
        class_ratio.at_class_ratio(everything, 1)  # refuses a test set that lacks a class
        unseen_per_positive = check_between("unseen_per_positive", unseen_per_positive, 0, math.inf, open_ends=False)
        if unseen_scores is None:
            self.quantiles, covered = _common_quantiles(self.sweep), self.sweep
            places = [number_control("place", 0.7 if place is None else place, 0, 1)]
        else:
            if place is not None:
                raise ValueError(f"place must be left out where unseen_scores are given, got {place}")
            unseen_scores, places = read_numbers("unseen_scores", unseen_scores), []
            covered = _negatives(np.append(self.sweep.thresholds[1:], unseen_scores))
            self.unseen = _negatives(unseen_scores)
        most = max(50, unseen_per_positive)
        super().__init__(
            number_control("unseen_per_positive", unseen_per_positive, 0, most),
            threshold_control(covered, threshold),
            ratio_control(ratio, everything.fp / everything.tp, 1, 1000, label="known per positive"),
            *places,
        )

    def draw(self, figure):
        artists, box = self.artists, self.controls["threshold"]
        left, right = figure.subplots(1, 2, width_ratios=[1, 1.15])
        self.edges = np.linspace(box.min, box.max, 41)
        known = bin_shares(self.sweep, self.edges)
        possible = map(self._stand_in, np.linspace(0, 1, 21)) if "place" in self.controls else [self.unseen]
        tallest = max(bin_shares(unseen, self.edges)[1].max() for unseen in possible)
        plots.score_histograms(left, self.edges, *known)
        for bars, name in zip(left.containers, ("positives", "known negatives"), strict=True):
            bars.set_label(name)
        top = 1.3 * max(tallest, np.max(known), 1e-9)
        left.set(xlim=(self.edges[0], self.edges[-1]), ylim=(-top, top))
        left.set(title="Scores (flagged: at or right of the line)", xlabel="score", ylabel="share of each group")
        artists.hatched = plots.band(left, "deployed", name="unseen negatives", opacity=None)
        artists.hatched.set(facecolor=plots.COLOURS["deployed"] + "40", hatch="////", linewidth=1)  # its lines opaque
        right.set(title="Recall and precision", xlabel="unseen negatives per positive")
        self.amounts = np.linspace(0, self.controls["unseen_per_positive"].max, 101)
        artists.lines, artists.dots = {}, {}
        for which, (colour, style, name) in METRICS.items():
            artists.lines[which] = plots.line(right, self.amounts, np.ones(101), colour, style=style, name=name)
            artists.dots[which] = plots.dot(right, colour)
        right.set(xlim=(-0.03 * self.amounts[-1], 1.03 * self.amounts[-1]), ylim=(-0.03, 1.03))
        plots.legend_below(left, 2)
        plots.legend_below(right, 2)
        artists.shaded, artists.cut = plots.shade(left), plots.upright(left, width=2)
        artists.fraction = plots.caption(figure)
        artists.amount = plots.upright(right, width=1.2)

    def find_scene(self):
        """A sweep of the unseen kind."""
        return self._stand_in(self.value("place")) if "place" in self.controls else self.unseen

    def _stand_in(self, place):
        known, positive, widths = self.quantiles
        scores = (1 - place) * known + place * positive
        return _negatives(scores.astype(self.sweep.dtype), weights=widths)

    def move_scene(self, now):
        shares = np.repeat(bin_shares(self.scene, self.edges)[1], 2)
        plots.set_band(self.artists.hatched, np.repeat(self.edges, 2)[1:-1], -shares, 0)
        return [self.artists.hatched]

    def move(self, now):
        artists = self.artists
        artists.fraction.set_text(_fraction(now))
        plots.set_shade(artists.shaded, now["threshold"])
        cut = plots.set_marks(now, "threshold", [artists.cut], {})
        curves = self._metrics(self.amounts)
        for which, line in artists.lines.items():
            line.set_ydata(np.broadcast_to(curves[which], self.amounts.shape))
        marks = plots.set_marks(now, "unseen_per_positive", [artists.amount], artists.dots)
        return [artists.shaded, *cut, *artists.lines.values(), *marks, artists.fraction]

    def _metrics(self, amounts):
        """At one number of unseen negatives per positive or at many."""
        test, unseen = self.sweep.at(self.value("threshold")), self.scene.at(self.value("threshold"))
        real = class_ratio.with_unseen(class_ratio.at_class_ratio(test, self.value("ratio")), unseen, amounts)
        corrected = class_ratio.at_class_ratio(test, self.value("ratio") + amounts)
        return {
            "false_positive_rate": classification.false_positive_rate(test),
            "unseen_false_positive_rate": classification.false_positive_rate(unseen),
            "recall": classification.recall(real),
            "test_precision": classification.precision(test),
            "corrected_precision": classification.precision(corrected),
            "precision": classification.precision(real),
        }

    def numbers(self):
        now = self.values
        return now | self._metrics(now["unseen_per_positive"])

    def sentence(self, now):
        where = f", a place of {now['place']:g}" if "place" in now else ""
        start = (
            f"With {shown(now['unseen_per_positive'])} unseen and {shown(now['ratio'])} known negatives per positive"
            f"{where}, and a threshold of {now['threshold']:g}, recall is {now['recall']:.3f}. The false positive rate "
            f"is {now['false_positive_rate']:.3f} for the known and {now['unseen_false_positive_rate']:.3f} for the "
            "unseen negatives. "
        )
        if all(math.isnan(now[name]) for name in ("test_precision", "precision")):
            return f"{start}No row is flagged, so precision is undefined (nan)."
        return (
            f"{start}Precision is {now['test_precision']:.3f} in the test, {now['corrected_precision']:.3f} corrected "
            f"for the class ratio, and {now['precision']:.3f} in production."
        )


def _fraction(now):
    rates = now["recall"], now["false_positive_rate"], now["unseen_false_positive_rate"]
    hits, known, unseen = (f"{rate:.4g}" for rate in rates)
    return (
        f"real precision = {hits} / ({hits} + {shown(now['ratio'])} × {known} + "
        f"{shown(now['unseen_per_positive'])} × {unseen}) = {now['precision']:.3f}"
    )


def _negatives(scores, weights=None):
    return sweep(np.zeros(scores.size, dtype=bool), scores, weights=weights)


def _common_quantiles(one_sweep):
    """Scores of known negatives and of positives at the same quantiles, and the share that each stands for.

    Cut where either class has a step, so that both classes come out exactly, however few rows they have.
    """
    if np.isinf(one_sweep.thresholds[[1, -1]]).any():
        raise ValueError("y_score holds infinite scores, between which nothing lies; pass unseen_scores")
    from_top = [cell / cell[-1] for cell in (one_sweep.counts.fp, one_sweep.counts.tp)]
    cuts = np.union1d(*from_top)
    middles = (cuts[:-1] + cuts[1:]) / 2
    known, positive = (one_sweep.thresholds[np.searchsorted(shares, middles)] for shares in from_top)
    return known, positive, np.diff(cuts)
