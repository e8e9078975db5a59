"""Drag a model's confidence and the class ratio: do its probabilities still mean what they say?"""

import math

import numpy as np

from evalteach import calibration, plots
from evalteach._inputs import read_labels
from evalteach.explorers.engine.base import Explorer, shown
from evalteach.explorers.engine.controls import choice_control, number_control, ratio_control

EDGES = np.linspace(0, 1, 21)
PROBABILITIES = {False: "as the model states them", True: "shifted to the class ratio"}


class CalibrationExplorer(Explorer):
    """Reliability diagram and losses of stated probabilities, for any overconfidence and class ratio.

    Each positive row stands for one positive, each negative row for as many as the class ratio asks for. The
    intervals still rest on the rows that there are. The bins hold about equally many rows, and since no
    control changes the order of the probabilities, the same rows stay together.

    Parameters
    ----------
    y_true : array_like, shape (n_rows,)
        Labels: bool, 0/1, or any two values with ``positive`` named. Both classes must occur.
    y_prob : array_like, shape (n_rows,)
        Probability of the positive class, meant for the class ratio of these rows.
    positive : label, optional
        Which value of ``y_true`` is the positive class.
    slope : float
        Factor of the log-odds to start with, 0.2 to 5: above 1 overconfident, below 1 timid.
    ratio : float, optional
        Negatives per positive to start with; the rows' own by default.
    shifted : bool
        Whether the probabilities start out shifted to the class ratio.
    n_bins : int
        Bins to start with, 2 to 30.
    confidence : float
        Level of the intervals.

    Raises
    ------
    ValueError
        For the same reasons as ``reliability``, and for a start out of range.
    """

    scene_controls = ("slope", "ratio", "n_bins", "shifted")

    def __init__(
        self, y_true, y_prob, *, positive=None, slope=1.0, ratio=None, shifted=False, n_bins=10, confidence=0.95
    ):
        actual = read_labels(y_true, positive)
        calibration.reliability(actual, y_prob, 1, ratio=1, confidence=confidence)  # refuses what it cannot read
        # sorted once: no control changes the order
        prob = np.asarray(y_prob, dtype=float)
        order = np.argsort(prob)
        self.y_true, self.y_prob = actual[order], prob[order]
        with np.errstate(divide="ignore"):
            log_odds = np.log(self.y_prob) - np.log1p(-self.y_prob)
        self.log_odds = log_odds[self.y_true], log_odds[~self.y_true]
        self.own_ratio = self.log_odds[1].size / self.log_odds[0].size
        self.confidence, self.binned = confidence, {}
        super().__init__(
            number_control("slope", slope, 0.2, 5, log=True),
            ratio_control(ratio, self.own_ratio, 0.1, 100),
            number_control("n_bins", n_bins, 2, 30, label="bins", whole=True),
            choice_control(
                "shifted", {label: each for each, label in PROBABILITIES.items()}, shifted, label="probabilities"
            ),
        )

    def draw(self, figure):
        artists = self.artists
        artists.caption = plots.caption(figure)
        diagram, spread = figure.subplots(1, 2, width_ratios=[1, 1.2])
        plots.line(diagram, [0, 1], [0, 1], "test", style="--", width=1.2, name="calibrated")
        artists.reach = plots.line(diagram, [], [], "deployed", name=f"{100 * self.confidence:g}% interval")
        artists.points = plots.dot(diagram, "deployed", size=6, name="bin")
        plots.unit_axes(diagram)
        diagram.set(title="What happens, by probability", xlabel="mean probability", ylabel="share of positives")
        plots.legend_below(diagram, 3)
        spread.set(title="Where the probabilities lie", xlabel="probability", ylabel="share of each class")
        spread.set_xlim(-0.03, 1.03)
        spread.locator_params(axis="y", nbins=5)
        spread.yaxis.set_major_formatter(lambda share, _: f"{abs(share):g}")
        spread.axhline(0, color=plots.COLOURS["ink"], linewidth=0.8)
        artists.areas = [plots.band(spread, each, opacity=0.6, name=f"{each}s") for each in ("positive", "negative")]
        artists.half = plots.upright(spread, style=":", name="what the model calls 0.5")
        plots.legend_below(spread, 3)

    def find_scene(self):
        """Stated probabilities of both classes, ascending, and the filled bins at the class ratio.

        Which rows share a bin, and its interval, follow from the rows alone.
        """
        from scipy.special import expit

        n_bins, times = self.value("n_bins"), self.value("ratio") / self.own_ratio
        shift = math.log(self.own_ratio / self.value("ratio")) if self.value("shifted") else 0.0
        stated = [expit(self.value("slope") * log_odds + shift) for log_odds in self.log_odds]
        if n_bins not in self.binned:
            rows = self.y_true, self.y_prob
            bins = calibration.reliability(*rows, n_bins, strategy="quantile", confidence=self.confidence)
            filled = bins.positives + bins.negatives > 0
            self.binned[n_bins] = calibration.Reliability(*(field[filled] for field in bins))
        own = self.binned[n_bins]
        sums = _sums(stated[0], own.positives) + times * _sums(stated[1], own.negatives)
        shares = own.observed, own.low, own.high
        observed, low, high = (calibration.shift_probability(share, 1, times) for share in shares)
        predicted = sums / (own.positives + times * own.negatives)
        return stated, own._replace(predicted=predicted, observed=observed, low=low, high=high)

    def move_scene(self, now):
        artists, (stated, bins) = self.artists, self.scene
        x, gap = bins.predicted, np.full(bins.predicted.size, np.nan)
        artists.points.set_data(x, bins.observed)
        artists.reach.set_data(*(np.ravel(ends, order="F") for ends in ([x, x, gap], [bins.low, bins.high, gap])))
        below = [[*prob.searchsorted(EDGES[:-1]), prob.size] for prob in stated]  # 1 belongs to the last bar
        shares = [np.diff(rows) / rows[-1] for rows in below]
        for area, share, side in zip(artists.areas, shares, (1, -1), strict=True):
            plots.set_band(area, np.repeat(EDGES, 2)[1:-1], 0, side * np.repeat(share, 2))
        highest = next(step for step in (0.25, 0.5, 1) if np.max(shares) <= step)
        self.set_ends(artists.half.axes, -1.05 * highest, 1.05 * highest)
        artists.half.set_xdata([now["half"]] * 2)
        artists.caption.set_text(_losses(now))
        return [*artists.areas, artists.half, artists.reach, artists.points, artists.caption]

    def numbers(self):
        ratio, ((positives, negatives), bins) = self.value("ratio"), self.scene
        with np.errstate(divide="ignore"):
            log_losses = -np.log(positives).mean(), -np.log1p(-negatives).mean()
        briers = np.mean((1 - positives) ** 2), np.mean(negatives**2)
        base = [True, False], np.full(2, 1 / (1 + ratio))
        return {
            **{name: self.value(name) for name in ("slope", "ratio", "n_bins")},
            # as calibration's log_loss and brier_score, in a third of the time: the classes are apart already
            "log_loss": float((log_losses[0] + ratio * log_losses[1]) / (1 + ratio)),
            "brier": float((briers[0] + ratio * briers[1]) / (1 + ratio)),
            "base_log_loss": calibration.log_loss(*base, ratio=ratio),
            "base_brier": calibration.brier_score(*base, ratio=ratio),
            "agree": int(bins.agrees.sum()),
            "filled": bins.positives.size,
            "half": calibration.shift_probability(0.5, self.own_ratio, ratio) if self.value("shifted") else 0.5,
        }

    def sentence(self, now):
        return (
            f"Slope {now['slope']:.4g}, 1 positive per {shown(now['ratio'])} negatives, probabilities "
            f"{PROBABILITIES[self.value('shifted')]}: {_losses(now)}. With {now['n_bins']} bins, "
            f"{now['agree']} of {now['filled']} intervals reach the diagonal."
        )


def _losses(now):
    return (
        f"log loss {now['log_loss']:.3f} nats (base rate {now['base_log_loss']:.3f}), "
        f"Brier {now['brier']:.3f} (base rate {now['base_brier']:.3f})"
    )


def _sums(prob, rows):
    """Sum of the probabilities in each bin, which hold so many of them, one bin after the other."""
    return np.array([each.sum() for each in np.split(prob, np.cumsum(rows)[:-1])])
