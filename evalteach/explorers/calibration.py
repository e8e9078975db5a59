"""Drag a model's confidence and the class ratio: do its probabilities still mean what they say?"""

import math

import numpy as np

from evalteach import calibration, plots
from evalteach._inputs import check_between, read_labels, read_whole
from evalteach.explorers.base import Explorer, choice_control, number_control, shown

EDGES = np.linspace(0, 1, 21)
AS_STATED, SHIFTED = "as the model states them", "shifted to the class ratio"


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

    scene_controls = ("slope", "ratio", "n_bins", "stated")

    def __init__(
        self, y_true, y_prob, *, positive=None, slope=1.0, ratio=None, shifted=False, n_bins=10, confidence=0.95
    ):
        self.y_true, self.confidence = read_labels(y_true, positive), check_between("confidence", confidence, 0, 1)
        calibration.reliability(self.y_true, y_prob, 1, ratio=1, confidence=confidence)  # refuses what it cannot read
        self.y_prob = np.asarray(y_prob, dtype=float)
        n_positives = int(self.y_true.sum())
        self.own_ratio = (self.y_true.size - n_positives) / n_positives
        ratio = self.own_ratio if ratio is None else check_between("ratio", ratio, 0, math.inf)
        slope = check_between("slope", slope, 0.2, 5, open_ends=False)
        n_bins = read_whole("n_bins", n_bins, 2, 30)
        super().__init__(
            {
                "slope": number_control("slope", slope, 0.2, 5, log=True),
                "ratio": number_control("negatives per positive", ratio, min(0.1, ratio), max(100, ratio), log=True),
                "n_bins": number_control("bins", n_bins, 2, 30, whole=True),
                "stated": choice_control("probabilities", [AS_STATED, SHIFTED], SHIFTED if shifted else AS_STATED),
            },
            size=(9.0, 4.0),
        )

    def draw(self, figure):
        self.caption = plots.caption(figure)
        diagram, self.spread = figure.subplots(1, 2, width_ratios=[1, 1.2])
        plots.line(diagram, [0, 1], [0, 1], "test", style="--", width=1.2, name="calibrated")
        self.reach = plots.line(diagram, [], [], "deployed", name=f"{100 * self.confidence:g} % interval")
        self.points = plots.dot(diagram, "deployed", size=6)
        self.points.set_label("bin")
        plots.unit_axes(diagram)
        plots.label(diagram, title="What happens, by probability", x="mean probability", y="share of positives")
        plots.legend_below(diagram, 3)
        plots.label(self.spread, title="Where the probabilities lie", x="probability", y="share of each class")
        self.spread.set_xlim(-0.03, 1.03)
        self.spread.locator_params(axis="y", nbins=5)
        self.spread.yaxis.set_major_formatter(lambda share, _: f"{abs(share):g}")
        self.spread.axhline(0, color=plots.COLOURS["ink"], linewidth=0.8)
        self.areas = tuple(
            plots.band(self.spread, colour, opacity=0.6, name=f"{colour}s") for colour in ("positive", "negative")
        )
        self.half = plots.upright(self.spread, style=":", name="what the model calls 0.5")
        plots.legend_below(self.spread, 3)

    def move_scene(self):
        bins, stated = self._bins(), self._stated()
        x, gap = bins.predicted, np.full(bins.predicted.size, np.nan)
        self.points.set_data(x, bins.observed)
        self.reach.set_data(np.column_stack([x, x, gap]).ravel(), np.column_stack([bins.low, bins.high, gap]).ravel())
        shares = [np.histogram(stated[rows], EDGES)[0] / rows.sum() for rows in (self.y_true, ~self.y_true)]
        for area, share, side in zip(self.areas, shares, (1, -1), strict=True):
            plots.set_band(area, np.repeat(EDGES, 2)[1:-1], np.zeros(2 * share.size), side * np.repeat(share, 2))
        highest = next(step for step in (0.25, 0.5, 1) if np.max(shares) <= step)  # steps, so that few moves need ticks
        if self.spread.get_ylim()[1] != 1.05 * highest:
            self.spread.set_ylim(-1.05 * highest, 1.05 * highest)
            self.stale = True
        now = self.numbers()
        self.half.set_xdata([now["half"]] * 2)
        self.caption.set_text(
            f"log loss {now['log_loss']:.3f} (base rate {now['base_log_loss']:.3f})    "
            f"Brier {now['brier']:.3f} (base rate {now['base_brier']:.3f})"
        )
        return [*self.areas, self.half, self.reach, self.points, self.caption]

    def move(self):
        return []

    def numbers(self):
        ratio, stated = self.value("ratio"), self._stated()
        base_rate, bins = np.full(self.y_true.size, 1 / (1 + ratio)), self._bins()
        return {
            "slope": self.value("slope"),
            "ratio": ratio,
            "n_bins": self.value("n_bins"),
            "log_loss": calibration.log_loss(self.y_true, stated, ratio=ratio),
            "brier": calibration.brier_score(self.y_true, stated, ratio=ratio),
            "base_log_loss": calibration.log_loss(self.y_true, base_rate, ratio=ratio),
            "base_brier": calibration.brier_score(self.y_true, base_rate, ratio=ratio),
            "agree": int(bins.agrees.sum()),
            "filled": int(np.count_nonzero(bins.positives + bins.negatives)),
            "half": self._shifted_if_asked(0.5),
        }

    def _stated(self):
        return self._shifted_if_asked(calibration.sharpen_probability(self.y_prob, self.value("slope")))

    def _shifted_if_asked(self, probability):
        if self.value("stated") == AS_STATED:
            return probability
        return calibration.shift_probability(probability, self.own_ratio, self.value("ratio"))

    def _bins(self):
        return calibration.reliability(
            self.y_true,
            self._stated(),
            self.value("n_bins"),
            strategy="quantile",
            ratio=self.value("ratio"),
            confidence=self.confidence,
        )

    def __repr__(self):
        now = self.numbers()
        return (
            f"Slope {now['slope']:.4g}, 1 positive per {shown(now['ratio'])} negatives, probabilities "
            f"{self.value('stated')}: log loss {now['log_loss']:.3f} nats (base rate {now['base_log_loss']:.3f}), "
            f"Brier {now['brier']:.3f} (base rate {now['base_brier']:.3f}). With {now['n_bins']} bins, "
            f"{now['agree']} of {now['filled']} intervals reach the diagonal."
        )
