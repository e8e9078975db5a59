"""Drag a kind of negative into the deployment: what becomes of estimates of the share of positives."""

import numpy as np

from evalteach import plots
from evalteach._inputs import check_lengths, read_labels, read_probabilities
from evalteach.counts import sweep
from evalteach.explorers.base import Explorer
from evalteach.explorers.controls import number_control
from evalteach.prevalence import adjusted_count, likelihood_prevalence

BINS = 500
BARS = 40


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
        self.test = sweep(actual, prob)
        everything = self.test.counts[-1]
        self.trained = everything.tp / (everything.tp + everything.fp)
        actual = read_labels(y_true_deployed, positive, name="y_true_deployed")
        prob, unseen_prob = (
            read_probabilities(name, values)
            for name, values in (("y_prob_deployed", y_prob_deployed), ("unseen_scores", unseen_scores))
        )
        check_lengths(y_true_deployed=actual.size, y_prob_deployed=prob.size)
        kinds = prob[actual], prob[~actual], unseen_prob
        if not (kinds[0].size and kinds[1].size and everything.tp and everything.fp):
            raise ValueError("y_true and y_true_deployed must hold both classes; one is absent")
        self.kinds = [np.sort(scores) for scores in kinds]
        self.middles, self.shares = _grouped(kinds)
        self.bars = np.array([np.histogram(scores, np.linspace(0, 1, BARS + 1))[0] / scores.size for scores in kinds])
        self.ratios = np.geomspace(1, 1e4, 49)
        super().__init__(
            number_control("ratio", ratio, 1, 1e4, label="known negatives per positive", log=True),
            number_control(
                "unseen_per_positive", unseen_per_positive, 0, 50, label="unseen ones per positive", step=0.5
            ),
            number_control("threshold", threshold, 0.01, 0.99, step=0.01),
        )

    def draw(self, figure):
        left, right = figure.subplots(1, 2, width_ratios=[1, 1.25])
        plots.label(left, title="Scores of the deployment", x="score", y="share of all rows (log)")
        self.artists.hills = [
            plots.line(left, [], [], colour, style=style, steps=True, name=name)
            for colour, style, name in (
                ("positive", "-", "positives"),
                ("negative", "--", "known negatives"),
                ("second", "-.", "unseen kind"),
            )
        ]
        left.set_xlim(0, 1)
        left.set_yscale("log")
        left.set_ylim(1e-6, 2)
        plots.label(right, title="Share of positives, estimated", x="true share (log)", y="estimated share (log)")
        right.set(xscale="log", yscale="log", xlim=(8e-5, 0.6), ylim=(2e-5, 1.3))
        plots.line(right, [8e-5, 1], [8e-5, 1], "ideal", style=":", name="true share")
        looks = {
            "flagged": ("test", "--", "share flagged"),
            "adjusted": ("positive", "-", "adjusted count"),
            "likelihood": ("deployed", "-.", "likelihood (EM)"),
        }
        self.artists.curves = {
            key: plots.line(right, [], [], colour, style=style, name=name)
            for key, (colour, style, name) in looks.items()
        }
        plots.legend_below(left, 2)
        plots.legend_below(right, 2)
        self.artists.cut, self.artists.truth = plots.upright(left, width=2), plots.upright(right)
        self.artists.dots = {key: plots.dot(right, colour) for key, (colour, *_) in looks.items()}

    def estimates(self, ratios):
        """True share and the three estimates, each of the shape of ``ratios``."""
        threshold, rows = self.value("threshold"), self._rows(np.asarray(ratios, dtype=float))
        above = np.array([1 - scores.searchsorted(threshold) / scores.size for scores in self.kinds])
        flagged = np.minimum(rows @ above, 1)  # shares add up to a little more than 1 where all rows are flagged
        return {
            "true": rows[..., 0],
            "flagged": flagged,
            "adjusted": adjusted_count(self.test.at(threshold), flagged),
            "likelihood": likelihood_prevalence(self.middles, self.trained, rows @ self.shares),
        }

    def _rows(self, ratios):
        """Shares of positives, known and unseen negatives in the deployment, in a last axis."""
        unseen = np.full_like(ratios, self.value("unseen_per_positive"))
        rows = np.stack([np.ones_like(ratios), ratios, unseen], axis=-1)
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
        heights = self.bars * self._rows(np.array(now["ratio"], dtype=float))[:, None]
        for hill, bars in zip(artists.hills, np.where(heights > 0, heights, np.nan), strict=True):
            hill.set_data(np.linspace(0, 1, BARS + 1), np.append(bars[0], bars))  # a step ends at its point
        return [*artists.hills, artists.cut, artists.truth, *artists.dots.values()]

    def numbers(self):
        now = {name: control.value for name, control in self.controls.items()}
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
    with np.errstate(divide="ignore"):  # a certain row is a group of its own, at infinite log-odds
        log_odds = [np.log(prob) - np.log1p(-prob) for prob in kinds]
    every = np.concatenate(log_odds)
    inner = every[np.isfinite(every)]
    step = max(0.05, np.ptp(inner) / BINS) if inner.size else 1.0
    places, group = np.unique(np.round(every / step), return_inverse=True)
    shares, start = [], 0
    for prob in kinds:
        mine = group[start : start + prob.size]
        shares.append(np.bincount(mine, minlength=places.size) / prob.size)
        start += prob.size
    return np.exp(-np.logaddexp(0, -step * places)), np.array(shares)
