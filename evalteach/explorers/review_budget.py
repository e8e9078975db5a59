"""Drag an expert's hours: how well reviews pin down precision, class size and precision@k."""

import math

import numpy as np

from evalteach import plots, review
from evalteach._inputs import (
    check_between,
    check_lengths,
    read_between,
    read_number,
    read_probabilities,
    read_scores,
    read_strata,
    round_to,
)
from evalteach.explorers.base import Explorer, above_one
from evalteach.explorers.controls import choice_control, number_control, round_step
from evalteach.unlabeled import UnlabeledCurve

HOURS = (0.5, 8.0)
MINUTES = (0.1, 1.5)  # a review
STYLES = {"simple random": ("test", ":"), "stratified": ("positive", "-"), "importance": ("deployed", "--")}
SIZES = 48  # points of each curve


class ReviewBudgetExplorer(Explorer):
    """Expected width of the intervals that a budget of expert reviews buys, for three ways to draw them.

    Left, all reviews are drawn among the flagged rows, for their precision; in the middle among all rows, for
    the class size; right, that class size goes into precision@k. Nothing is simulated: the widths follow from
    the guess.

    Parameters
    ----------
    test_positive_scores : array_like, shape (n_test_positives,)
        Scores of the positive rows of the test set.
    unlabeled_scores : array_like, shape (n_unlabeled,)
        Scores of the same model on the rows to be reviewed, 0 or more: importance sampling draws in proportion
        to their roots (to three digits), with 10 % drawn uniformly.
    guess : array_like, shape (n_unlabeled,)
        Guessed probability that each row is positive (0 to 1, not all 0).
    stratum : array_like, shape (n_unlabeled,)
        Stratum of each row, none missing, at most ten, as from ``evalteach.review.rank_strata``; Neyman's allocation
        takes its spreads from the guess.
    threshold : float
        Rows at or above it are flagged.
    hours, minutes : float
        Budget (0.5 to 8) and duration of one review (0.1 to 1.5) to start with.
    scheme : str
        "simple random", "stratified" or "importance", to start with.
    confidence : float
        Level of the intervals.

    Raises
    ------
    ValueError
        For unequal lengths, values out of range, a missing stratum, more than ten strata, or too few flagged rows.
    """

    scene_controls = ("hours", "minutes", "scheme")

    def __init__(
        self,
        test_positive_scores,
        unlabeled_scores,
        guess,
        stratum,
        *,
        threshold=0.5,
        hours=2.0,
        minutes=0.5,
        scheme="stratified",
        confidence=0.95,
    ):
        self.confidence = check_between("confidence", confidence, 0, 1)
        threshold = read_number("threshold", threshold)
        scores, dtype = read_scores("unlabeled_scores", unlabeled_scores, read_between, 0, np.inf)
        guess, stratum = read_probabilities("guess", guess), read_strata(stratum)
        check_lengths(unlabeled_scores=scores.size, guess=guess.size, stratum=stratum.size)
        if guess.max() == 0:
            raise ValueError("guess is 0 for all rows; a class without positives has no precision to plan for")
        if np.unique(stratum).size > 10:
            raise ValueError(f"stratum holds {np.unique(stratum).size} strata; at most 10 are accepted")
        self.curve = UnlabeledCurve(test_positive_scores, unlabeled_scores)
        flagged = scores >= round_to(dtype, threshold)
        self.flagged = int(flagged.sum())
        if self.flagged < 20:
            raise ValueError(f"threshold {threshold:g} flags {self.flagged} rows; at least 20 are needed")
        self.pools = {
            "precision": _Pool(scores[flagged], guess[flagged], stratum[flagged], confidence, unit=self.flagged),
            "class_size": _Pool(scores, guess, stratum, confidence, unit=1),
        }
        # with fewer rows than this one hit more or less changes everything
        ranks = np.linspace(self.flagged // 4, min(scores.size, 2 * self.flagged), 150).astype(int)
        self.ranks = np.unique([self.curve.flagged_at(k) for k in ranks])  # no threshold flags a part of a tie
        super().__init__(
            number_control("hours", hours, *HOURS, label="hours of the expert", step=0.05),
            number_control("minutes", minutes, *MINUTES, label="minutes per review", step=0.01),
            choice_control("scheme", list(STYLES), scheme, label="reviews drawn"),
        )

    def draw(self, figure):
        artists = self.artists
        *planned, right = figure.subplots(1, 3)
        artists.curves, artists.nows, artists.dots = {}, [], {}
        words = ("Precision", "± precision"), ("Class size", "± rows")
        for axes, (name, pool), (what, unit) in zip(planned, self.pools.items(), words, strict=True):
            axes.set(title=f"{what}: half of the interval", xlabel="hours", ylabel=unit)
            for scheme, (colour, style) in STYLES.items():
                artists.curves[name, scheme] = plots.line(axes, [], [], colour, style=style, name=scheme)
            axes.set(xlim=(-0.02 * HOURS[1], 1.02 * HOURS[1]), ylim=(0, 1.05 * np.max(list(pool.half_widths.values()))))
            artists.nows.append(plots.upright(axes, width=1))
            artists.dots[f"{name}_half_width"] = plots.dot(axes, "ink", size=8)
        legend = planned[0].legend(loc="upper left", bbox_to_anchor=(0, -0.16), ncols=3, fontsize=8, frameon=False)
        legend.set_in_layout(False)  # it serves both panels, so it may reach under the second
        artists.band = plots.band(right, "positive", name=f"{100 * self.confidence:g}% band")
        artists.middle = plots.line(right, [], [], "positive", name="at the guess")
        plots.upright(right, "test", style="--", width=1, x=self.flagged)
        right.set(title="Precision@k", xlabel="unlabeled rows flagged, k", xlim=(0, self.ranks[-1]))
        plots.legend_below(right, 1)

    def find_scene(self):
        """How many reviews there are, and the estimate to expect if all are spent on one pool."""
        reviews = _reviews(self.value("hours"), self.value("minutes"))
        return reviews, {name: pool.planned(self.value("scheme"), reviews) for name, pool in self.pools.items()}

    def move_scene(self, now):
        artists, (_, estimates) = self.artists, self.scene
        for (name, scheme), curve in artists.curves.items():
            pool = self.pools[name]
            curve.set_data(pool.sizes * now["minutes"] / 60, pool.half_widths[scheme])
        size = estimates["class_size"]
        low, high = review.reviewed_precision_band(self.curve, size, self.ranks, self.confidence)
        plots.set_band(artists.band, self.ranks, low, high)
        artists.middle.set_data(self.ranks, self.curve.precision(size.total, self.ranks))
        top = 1.05 * round_step(max(1.0, high.max()))
        self.set_ends(artists.band.axes, -0.02 * top, top)
        return [*artists.curves.values(), artists.band, artists.middle]

    def move(self, now):
        return plots.set_marks(now, "hours", self.artists.nows, self.artists.dots)

    def numbers(self):
        reviews, estimates = self.scene
        numbers = {"hours": self.value("hours"), "minutes": self.value("minutes"), "reviews": reviews}
        for name, estimate in estimates.items():
            numbers[name] = estimate.total / self.pools[name].unit
            numbers[f"{name}_half_width"] = self.pools[name].half_width(estimate)
        band = review.reviewed_precision_band(self.curve, estimates["class_size"], self.flagged, self.confidence)
        numbers["precision_at_k_low"], numbers["precision_at_k_high"] = map(float, band)
        return numbers

    def sentence(self, now):
        n = self.curve.n_unlabeled
        enough = ", more than all rows" if now["reviews"] > n else ""
        return (
            f"{now['hours']:g} hours at {now['minutes']:g} minutes: {now['reviews']:,} reviews{enough}, "
            f"{self.value('scheme')}. All spent on the {self.flagged:,} flagged rows: precision about "
            f"{now['precision']:.3f}, interval half-width {now['precision_half_width']:.3f}. All spent on all "
            f"{n:,} rows: class size about {now['class_size']:.0f}, half-width {now['class_size_half_width']:.1f}, so "
            f"precision@{self.flagged} from {now['precision_at_k_low']:.3f} to {now['precision_at_k_high']:.3f} "
            f"({100 * self.confidence:g}% confidence, if the guess is right)."
            f"{above_one(now['precision_at_k_low'])}"
        )


def _reviews(hours, minutes):
    return math.floor(60 * hours / minutes + 1e-9)


class _Pool:
    """Rows that reviews may be drawn from, and how wide the interval would be for any number of them."""

    def __init__(self, scores, guess, stratum, confidence, unit):
        self.confidence, self.unit = confidence, unit
        # a plan depends on sums over rows that are drawn alike, so these become one entry
        _, stratum = np.unique(stratum, return_inverse=True)
        mantissa, exponent = np.frexp(np.sqrt(scores))
        sizes, of_size = np.unique(np.ldexp(np.round(mantissa, 3), exponent), return_inverse=True)
        drawn_alike, entry = np.unique(stratum * sizes.size + of_size, return_inverse=True)
        self.stratum, self.size = drawn_alike // sizes.size, sizes[drawn_alike % sizes.size]
        self.times, self.n_rows = np.bincount(entry), scores.size
        self.guess = np.minimum(np.bincount(entry, guess) / self.times, 1)
        self.rows = np.bincount(stratum)
        share = np.minimum(np.bincount(stratum, guess) / self.rows, 1)
        self.spread = np.sqrt(share * (1 - share))
        ends = _reviews(HOURS[0], MINUTES[1]), _reviews(HOURS[1], MINUTES[0])
        self.sizes = np.unique(np.geomspace(*np.minimum(ends, scores.size), SIZES).astype(int))
        self.half_widths = {
            scheme: [self.half_width(self.planned(scheme, reviews)) for reviews in self.sizes] for scheme in STYLES
        }

    def planned(self, scheme, reviews):
        """The estimate to expect from so many reviews, or from one of each row."""
        reviews, stratum = min(reviews, self.n_rows), None
        if scheme == "simple random":
            probability = np.full(self.times.size, reviews / self.n_rows)
        elif scheme == "stratified":
            stratum = self.stratum
            probability = (review.neyman_allocation(self.rows, self.spread, reviews) / self.rows)[stratum]
        else:
            probability = review.inclusion_probabilities(self.size, reviews, rows=self.times)
        design = {"stratum": stratum, "rows": self.times, "confidence": self.confidence}
        return review.planned_estimate(self.guess, probability, **design)

    def half_width(self, estimate):
        """Half of its interval, in the unit of the pool."""
        return (estimate.high - estimate.low) / 2 / self.unit
