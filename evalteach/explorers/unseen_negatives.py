"""Add a kind of negative that the test set lacks: recall stays, precision falls, the class ratio does not tell."""

import math

import numpy as np

from evalteach import class_ratio, classification, plots
from evalteach._inputs import check_between, read_numbers
from evalteach.counts import sweep
from evalteach.explorers.base import Explorer, shown
from evalteach.explorers.controls import number_control, ratio_control, threshold_control


class UnseenNegativesExplorer(Explorer):
    """Recall and precision of the test set, and what they become where an unseen kind of negative walks in.

    The positives and the known negatives of the deployment score like those of the test set. Three
    precisions are compared: that of the test set; the one corrected for the deployment's true class ratio,
    which takes every negative for a known one; and the one that the unseen kind really leaves.

    Parameters
    ----------
    y_true : array_like, shape (n_rows,)
        Labels of the test set: bool, 0/1, or any two values with ``positive`` named. Both classes must occur.
    y_score : array_like, shape (n_rows,)
        Real numbers, the likeliest positive highest.
    unseen_scores : array_like, shape (n_unseen,), optional
        Scores of the same model on rows of the unseen kind. Without them a stand-in is made of the test
        rows, and a control says where it lies.
    positive : label, optional
        Which value of ``y_true`` is the positive class.
    unseen_per_positive : float
        Negatives of the unseen kind per positive to start with (0 or more).
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
            self.quantiles, covered = None, _negatives(np.append(self.sweep.thresholds[1:], unseen_scores))
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
        self.edges = box.min * np.linspace(1, 0, 41) + box.max * np.linspace(0, 1, 41)
        known = [_shares(self.sweep, self.edges, *cells) for cells in (("tp", "fn"), ("fp", "tn"))]
        places = np.linspace(0, 1, 21) if self.quantiles else [None]
        tallest = max(_shares(self._unseen_at(place), self.edges, "fp", "tn").max() for place in places)
        plots.score_histograms(left, self.edges, *known)
        top = 1.3 * max(tallest, *(shares.max() for shares in known), 1e-9)
        left.set_ylim(-top, top)
        left.set_xlim(self.edges[0], self.edges[-1])
        plots.label(left, title="Scores: flagged from the line on", x="score", y="share of each kind")
        for bars, name in zip(left.containers, ("positives", "known negatives"), strict=True):
            bars.set_label(name)
        artists.hatched = plots.band(left, "deployed", name="unseen negatives", opacity=None)
        artists.hatched.set(facecolor=plots.COLOURS["deployed"] + "40", hatch="////", linewidth=1)  # its lines opaque
        plots.label(right, title="Recall stays, precision does not", x="unseen negatives per positive")
        looks = {
            "recall": ("positive", "-.", "recall, test and real"),
            "test_precision": ("test", ":", "precision, test"),
            "corrected_precision": ("second", "--", "precision, ratio corrected"),
            "precision": ("ink", "-", "precision, real"),
        }
        self.amounts = np.linspace(0, self.controls["unseen_per_positive"].max, 101)
        artists.lines = {
            which: plots.line(right, self.amounts, np.ones(101), colour, style=style, name=name)
            for which, (colour, style, name) in looks.items()
        }
        plots.unit_axes(right)
        right.set_xlim(-0.03 * self.amounts[-1], 1.03 * self.amounts[-1])
        plots.legend_below(left, 2)
        plots.legend_below(right, 2)
        artists.shaded, artists.cut = plots.shade(left), plots.upright(left, width=2)
        artists.fraction = plots.caption(figure)
        artists.amount = plots.upright(right, width=1.2)
        artists.dots = {which: plots.dot(right, colour) for which, (colour, _, _) in looks.items()}

    def find_scene(self):
        return self._unseen_at(self.value("place") if self.quantiles else None)

    def move_scene(self, now):
        shares = np.repeat(_shares(self.scene, self.edges, "fp", "tn"), 2)
        plots.set_band(self.artists.hatched, np.repeat(self.edges, 2)[1:-1], -shares, 0 * shares)
        return [self.artists.hatched]

    def move(self, now):
        artists, amount = self.artists, now["unseen_per_positive"]
        artists.cut.set_xdata([now["threshold"]] * 2)
        plots.set_shade(artists.shaded, now["threshold"])
        artists.amount.set_xdata([amount] * 2)
        artists.fraction.set_text(_fraction(now))
        curves = self._metrics(self.amounts)
        for which, line in artists.lines.items():
            line.set_ydata(np.broadcast_to(curves[which], self.amounts.shape))
            artists.dots[which].set_data([amount], [now[which]])
        moved = artists.shaded, artists.cut, *artists.lines.values(), artists.amount, *artists.dots.values()
        return [*moved, artists.fraction]

    def _metrics(self, amounts):
        """What the right picture draws, at one number of unseen negatives per positive or at many."""
        test, unseen = self.sweep.at(self.value("threshold")), self.scene.at(self.value("threshold"))
        real = class_ratio.with_unseen(class_ratio.at_class_ratio(test, self.value("ratio")), unseen, amounts)
        corrected = class_ratio.at_class_ratio(test, self.value("ratio") + amounts)
        return {
            "recall": classification.recall(real),
            "test_precision": classification.precision(test),
            "corrected_precision": classification.precision(corrected),
            "precision": classification.precision(real),
        }

    def _unseen_at(self, place):
        """A sweep of the unseen kind, if it lies at ``place``."""
        if place is None:
            return self.unseen
        known, positive, widths = self.quantiles
        return _negatives((1 - place) * known + place * positive, weights=widths)

    def numbers(self):
        test, unseen = (each.at(self.value("threshold")) for each in (self.sweep, self.scene))
        return {
            **{name: control.value for name, control in self.controls.items()},
            "false_positive_rate": classification.false_positive_rate(test),
            "unseen_false_positive_rate": classification.false_positive_rate(unseen),
            **self._metrics(self.value("unseen_per_positive")),
        }

    def sentence(self, now):
        where = f", place {now['place']:g}" if "place" in now else ""
        start = (
            f"{shown(now['unseen_per_positive'])} unseen and {shown(now['ratio'])} known negatives per positive"
            f"{where}, threshold {now['threshold']:g}: flagged are {now['recall']:.3f} of the positives "
            f"(the recall, in the test, too), {now['false_positive_rate']:.3f} of the known and "
            f"{now['unseen_false_positive_rate']:.3f} of the unseen negatives. "
        )
        if all(math.isnan(now[name]) for name in ("test_precision", "precision")):
            return f"{start}Nothing is flagged, so precision is undefined (nan)."
        return (
            f"{start}Precision: test {now['test_precision']:.3f}, class-ratio corrected "
            f"{now['corrected_precision']:.3f}, real {now['precision']:.3f}."
        )


def _fraction(now):
    hits, known, unseen = (
        f"{now[name]:.4g}" for name in ("recall", "false_positive_rate", "unseen_false_positive_rate")
    )
    return (
        f"real precision = {hits} / ({hits} + {shown(now['ratio'])} × {known} + "
        f"{shown(now['unseen_per_positive'])} × {unseen}) = {now['precision']:.3f}"
    )


def _negatives(scores, weights=None):
    return sweep(np.zeros(scores.size, dtype=bool), scores, weights=weights)


def _shares(one_sweep, edges, hits, misses):
    """Share of one kind in each bin."""
    from_edge = [one_sweep.at(edge) for edge in edges]
    rows = getattr(from_edge[0], hits) + getattr(from_edge[0], misses)
    return -np.diff([getattr(counts, hits) for counts in from_edge]) / rows


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
