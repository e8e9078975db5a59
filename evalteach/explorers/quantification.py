"""Drag a kind of negative into the deployment: what becomes of estimates of the share of positives."""

import numpy as np

from evalteach import plots
from evalteach._inputs import check_lengths, read_labels, read_probabilities, read_scores, round_to
from evalteach.counts import sweep
from evalteach.explorers.engine.base import Explorer
from evalteach.explorers.engine.controls import number_control
from evalteach.prevalence import adjusted_count, likelihood_prevalence

BINS = 500
BARS = 40
ESTIMATES = {  # how each is drawn
    "flagged": ("test", "--", "share flagged"),
    "adjusted": ("positive", "-", "adjusted count"),
    "likelihood": ("deployed", "-.", "likelihood (EM)"),
}


class PrevalenceExplorer(Explorer):
    """Share of positives, estimated from the scores of unlabeled rows, for any true class ratio.

    Parameters
    ----------
    y_true : array_like, shape (n_rows,)
        Labels of the test set: bool, 0/1, or any two values with ``positive`` named. Both classes must occur.
    y_prob : array_like, shape (n_rows,)
        Probabilities, calibrated at the test set's own class ratio.
    y_true_deployed, y_prob_deployed : array_like, shape (n_deployed,)
        The same of rows from the deployment, where both classes must occur; the class ratio is set by weighting.
    unseen_scores : array_like, shape (n_unseen,)
        Probabilities that the model gives to a kind of negative that the test set lacks.
    positive : label, optional
        Which value of the labels is the positive class.
    ratio : float
        Known negatives per positive in the deployment, to start with (1 to 10,000).
    unseen_per_positive : float
        Negatives of the unseen kind per positive, to start with (0 to 50).
    threshold : float
        Where rows are counted as flagged, to start with (0.01 to 0.99).

    Raises
    ------
    ValueError
        For labels that are not two values, scores that are no probabilities, unequal lengths, a class that is
        absent, and a start out of range.

    Notes
    -----
    The likelihood is that of grouped scores: log-odds rounded to 0.05, or to a five-hundredth of their range if
    that is more. Equal steps of probability would not do: a rare positive stands out by odds of thousands.
    """

    scene_controls = ("unseen_per_positive", "threshold")

    def __init__(
        self,
        y_true,
        y_prob,
        y_true_deployed,
        y_prob_deployed,
        unseen_scores,
        *,
        positive=None,
        ratio=100.0,
        unseen_per_positive=0.0,
        threshold=0.5,
    ):
        actual, prob = read_labels(y_true, positive), read_probabilities("y_prob", y_prob)
        check_lengths(y_true=actual.size, y_prob=prob.size)
        self.test, self.trained = sweep(actual, y_prob), actual.mean()
        actual = read_labels(y_true_deployed, positive, name="y_true_deployed")
        prob, dtype = read_scores("y_prob_deployed", y_prob_deployed, read_probabilities)
        check_lengths(y_true_deployed=actual.size, y_prob_deployed=prob.size)
        if not (0 < self.trained < 1 and 0 < actual.mean() < 1):
            raise ValueError("y_true and y_true_deployed must hold both classes; one is absent")
        unseen, unseen_dtype = read_scores("unseen_scores", unseen_scores, read_probabilities)
        kinds, self.dtypes = (prob[actual], prob[~actual], unseen), (dtype, dtype, unseen_dtype)
        self.kinds = [np.sort(scores) for scores in kinds]
        self.middles, self.shares = _grouped(self.kinds)
        self.bars = np.array([np.histogram(scores, BARS, (0, 1))[0] / scores.size for scores in kinds])
        self.ratios = np.geomspace(1, 1e4, 49)
        super().__init__(
            number_control("ratio", ratio, 1, 1e4, label="known negatives per positive", log=True),
            number_control(
                "unseen_per_positive", unseen_per_positive, 0, 50, label="unseen ones per positive", step=0.5
            ),
            number_control("threshold", threshold, 0.01, 0.99, step=0.01),
        )

    def draw(self, figure):
        artists = self.artists
        left, right = figure.subplots(1, 2, width_ratios=[1, 1.25])
        left.set(title="Scores of the deployment", xlabel="score", ylabel="share of all rows (log)")
        left.set(xlim=(0, 1), yscale="log", ylim=(1e-6, 2))
        artists.hills = [
            plots.line(left, [], [], "positive", steps=True, name="positives"),
            plots.line(left, [], [], "negative", style="--", steps=True, name="known negatives"),
            plots.line(left, [], [], "second", style="-.", steps=True, name="unseen type"),
        ]
        right.set(title="Share of positives, estimated", xlabel="true share (log)", ylabel="estimated share (log)")
        right.set(xscale="log", yscale="log", xlim=(8e-5, 0.6), ylim=(2e-5, 1.3))
        plots.line(right, [8e-5, 1], [8e-5, 1], "ideal", style=":", name="true share")
        artists.curves, artists.dots = {}, {}
        for key, (colour, style, name) in ESTIMATES.items():
            artists.curves[key] = plots.line(right, [], [], colour, style=style, name=name)
            artists.dots[key] = plots.dot(right, colour)
        plots.legend_below(left, 2)
        plots.legend_below(right, 2)
        artists.cut, artists.truth = plots.upright(left, width=2), plots.upright(right)

    def estimates(self, ratios):
        """True share and the three estimates, each of the shape of ``ratios``."""
        threshold, rows = self.value("threshold"), self._rows(ratios)
        cuts = [round_to(dtype, threshold) for dtype in self.dtypes]
        above = np.array([1 - np.searchsorted(*each) / each[0].size for each in zip(self.kinds, cuts, strict=True)])
        flagged = np.minimum(rows @ above, 1)  # shares add up to a little more than 1 where all rows are flagged
        return {
            "true": rows[..., 0],
            "flagged": flagged,
            "adjusted": adjusted_count(self.test.at(threshold), flagged),
            "likelihood": likelihood_prevalence(self.middles, self.trained, rows @ self.shares),
        }

    def _rows(self, ratios):
        """Shares of positives, known and unseen negatives in the deployment, in a last axis."""
        rows = np.stack(np.broadcast_arrays(1.0, ratios, self.value("unseen_per_positive")), axis=-1)
        return rows / rows.sum(axis=-1, keepdims=True)

    def move_scene(self, now):
        every = self.estimates(self.ratios)
        for key, curve in self.artists.curves.items():
            # a logarithmic axis has no place for 0 and less
            curve.set_data(every["true"], np.where(every[key] > 0, every[key], np.nan))
        return list(self.artists.curves.values())

    def move(self, now):
        artists = self.artists
        artists.cut.set_xdata([now["threshold"]] * 2)
        artists.truth.set_xdata([now["true"]] * 2)
        for key, dot in artists.dots.items():
            dot.set_data([now["true"]], [now[key] if now[key] > 0 else np.nan])
        heights = self.bars * self._rows(now["ratio"])[:, None]
        for hill, bars in zip(artists.hills, np.where(heights > 0, heights, np.nan), strict=True):
            hill.set_data(np.linspace(0, 1, BARS + 1), np.append(bars[0], bars))  # a step ends at its point
        return [*artists.hills, artists.cut, artists.truth, *artists.dots.values()]

    def numbers(self):
        now = self.values
        return now | {key: float(value) for key, value in self.estimates(now["ratio"]).items()}

    def sentence(self, now):
        return (
            f"{now['ratio']:g} known and {now['unseen_per_positive']:g} unseen negatives per positive, threshold "
            f"{now['threshold']:g}: true share {now['true']:.4f}; flagged {now['flagged']:.4f}, adjusted count "
            f"{_compared(now, 'adjusted')}, likelihood {_compared(now, 'likelihood')}."
        )


def _compared(now, key):
    if np.isnan(now[key]):
        return "undefined (nan)"
    return f"{now[key]:.4f} ({now[key] / now['true']:.2f} times the truth)"


def _grouped(kinds):
    """Probabilities of a few hundred groups, and the part of each kind in each: a move has milliseconds."""
    every = np.concatenate(kinds)
    with np.errstate(divide="ignore"):  # a certain row is a group of its own, at infinite log-odds
        log_odds = np.log(every) - np.log1p(-every)
    inner = log_odds[np.isfinite(log_odds)]
    step = max(0.05, np.ptp(inner) / BINS) if inner.size else 1.0
    places, group = np.unique(np.round(log_odds / step), return_inverse=True)
    groups = np.split(group, np.cumsum([prob.size for prob in kinds])[:-1])
    shares = np.array([np.bincount(mine, minlength=places.size) / mine.size for mine in groups])
    return np.exp(-np.logaddexp(0, -step * places)), shares
