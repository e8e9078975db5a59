"""Pick two metrics: of some random models, which two do they rank in opposite order?"""

from typing import NamedTuple

import numpy as np

from evalteach import calibration, classification, plots, ranking
from evalteach.counts import Counts, Sweep, sweep
from evalteach.explorers.base import Explorer
from evalteach.explorers.controls import choice_control, number_control

THRESHOLD, K = 0.5, 10
MODELS = 24  # 276 pairs, for 48 values of a metric
ALL_PAIRS = MODELS * (MODELS - 1) // 2
SAME = 1e-9  # two values this near are equal but for rounding


class Model(NamedTuple):
    """One model's scores of all rows, and what metrics are computed from."""

    y_true: np.ndarray
    y_score: np.ndarray
    sweep: Sweep
    counts: Counts  # at the threshold
    listed: np.ndarray  # labels in the order of the scores


METRICS = {
    "accuracy": lambda model: classification.accuracy(model.counts),
    "precision": lambda model: classification.precision(model.counts),
    "recall": lambda model: classification.recall(model.counts),
    "specificity": lambda model: classification.specificity(model.counts),
    "F1": lambda model: classification.fbeta(model.counts),
    "Matthews correlation": lambda model: classification.matthews_corrcoef(model.counts),
    "AUC": lambda model: classification.roc_auc(model.sweep.counts),
    "average precision": lambda model: classification.average_precision(model.sweep.counts),
    "precision@10": lambda model: ranking.precision_at_k(model.listed, K),
    "recall@10": lambda model: ranking.recall_at_k(model.listed, K),
    "reciprocal rank": lambda model: ranking.reciprocal_rank(model.listed),
    "nDCG": lambda model: ranking.ndcg(model.listed),
    "log loss": lambda model: calibration.log_loss(model.y_true, model.y_score),
    "Brier score": lambda model: calibration.brier_score(model.y_true, model.y_score),
}
LOWER_IS_BETTER = {"log loss", "Brier score"}


class Duel(NamedTuple):
    """What two metrics make of the models: rank 1 is best, equal values share one."""

    y_true: np.ndarray
    y_score: np.ndarray  # shape (models, rows)
    values: list  # by each metric, of every model
    ranks: np.ndarray  # shape (2, models)
    pair: tuple  # the first metric's choice, then the second's; empty where they never disagree
    opposite: int  # pairs of models
    comparable: int  # pairs of which both metrics have both values


class MetricDuelExplorer(Explorer):
    """Two metrics, and of 24 random models the two that they disagree about most.

    Of all pairs in opposite order those two are shown where the product of the metrics' differences is largest.
    Scores of positives and of negatives are normal before they become probabilities; each model has its own
    distance of the two, spread, slope and shift. All models score the same rows. Accuracy, precision, recall,
    specificity, F1 and Matthews correlation are those at threshold 0.5.

    Parameters
    ----------
    first, second : str
        A metric of those on offer.
    draw : int
        Another one has other models, 1 to 100.
    rows : int
        20 to 200.
    positives : int
        How many of the rows are positive, 1 to 19.

    Raises
    ------
    ValueError
        For an unknown metric, or a number beyond these ends.
    """

    scene_controls = ("first", "second", "draw", "rows", "positives")

    def __init__(self, first="accuracy", second="F1", *, draw=1, rows=60, positives=10):
        super().__init__(
            choice_control("first", list(METRICS), first, label="first metric"),
            choice_control("second", list(METRICS), second, label="second metric"),
            number_control("draw", draw, 1, 100, whole=True),
            number_control("rows", rows, 20, 200, whole=True),
            number_control("positives", positives, 1, 19, whole=True),
        )

    def draw(self, figure):
        artists = self.artists
        strips, ranks = figure.subplots(1, 2, width_ratios=[1.5, 1])
        strips.set(title="Scores of two of the models", xlabel="score", xlim=(-0.02, 1.02), ylim=(-0.6, 3.6))
        strips.set_yticks(range(4), ["negatives", "positives"] * 2)
        strips.axvline(THRESHOLD, color=plots.COLOURS["ink"], linewidth=1, linestyle=":")
        strips.axhline(1.5, color=plots.COLOURS["ink"], linewidth=0.8)
        for which, name in enumerate("BA"):
            strips.text(0.01, 2 * which + 0.5, f"model {name}", weight="bold", va="center")
        artists.strips = {
            name + side: plots.line(strips, [], [], side, style="|")
            for name in "AB"
            for side in ("positive", "negative")
        }
        for marks in artists.strips.values():
            marks.set_markersize(16)
        ranks.set(title="Every model, best on top", xlim=(-0.25, 1.25), ylim=(MODELS + 1, -2.6), xticks=[])
        ranks.set_ylabel("rank")
        ranks.set_yticks([1, 6, 12, 18, 24])
        artists.all = plots.line(ranks, [], [], "test", width=0.7)
        artists.chosen = {
            "A": plots.line(ranks, [], [], "deployed", style="o-", width=2.5),
            "B": plots.line(ranks, [], [], "ideal", style="s-", width=2.5),
        }
        artists.letters = {name: plots.live_text(ranks, np.nan, np.nan, size=12) for name in "AB"}
        artists.names = [plots.live_text(ranks, side, -1, size=10) for side in (0, 1)]

    def find_scene(self):
        y_true, y_score = random_models(self.value("draw"), self.value("rows"), self.value("positives"))
        models = [read_model(y_true, scores) for scores in y_score]
        values, better = [], []
        for name in ("first", "second"):
            metric = self.value(name)
            values.append(np.array([METRICS[metric](model) for model in models]))
            better.append(-values[-1] if metric in LOWER_IS_BETTER else values[-1])
        gaps = [each[:, None] - each for each in better]  # how much better the row's model is than the column's
        against = (gaps[0] > SAME) & (gaps[1] < -SAME)  # an undefined value says nothing
        clash = np.where(against, -gaps[0] * gaps[1], 0)
        pair = np.unravel_index(np.argmax(clash), clash.shape) if against.any() else ()
        ranks = np.array([1 + np.count_nonzero(gap < -SAME, axis=1) for gap in gaps], dtype=float)
        ranks[np.isnan(better)] = np.nan
        defined = int(np.count_nonzero(~np.isnan(better).any(axis=0)))
        comparable = defined * (defined - 1) // 2
        return Duel(y_true, y_score, values, ranks, pair, int(np.count_nonzero(against)), comparable)

    def move_scene(self, now):
        artists, duel = self.artists, self.scene
        heights = np.vstack([duel.ranks, np.full(MODELS, np.nan)])
        artists.all.set_data(np.tile([0, 1, np.nan], MODELS), heights.T.ravel())
        for text, name in zip(artists.names, ("first", "second"), strict=True):
            text.set_text(self.value(name).replace(" ", "\n"))
        shown = dict(zip("AB", duel.pair, strict=False))
        for name, letter in artists.letters.items():
            which = shown.get(name)
            ranks = [np.nan] * 2 if which is None else duel.ranks[:, which]
            artists.chosen[name].set_data([0, 1], ranks)
            letter.set_position((-0.12, ranks[0]))
            letter.set_text("" if which is None else name)
            scores = np.full(duel.y_true.size, np.nan) if which is None else duel.y_score[which]
            for side, wanted in (("positive", duel.y_true), ("negative", ~duel.y_true)):
                height = 2 * (name == "A") + (side == "positive")
                artists.strips[name + side].set_data(np.where(wanted, scores, np.nan), np.full(scores.size, height))
        lines = [artists.all, *artists.strips.values(), *artists.chosen.values()]
        return [*lines, *artists.letters.values(), *artists.names]

    def numbers(self):
        duel = self.scene
        shown = {
            f"{name}_{letter}": float(values[which])
            for name, values in zip(("first", "second"), duel.values, strict=True)
            for letter, which in zip("ab", duel.pair or (None, None), strict=True)
            if which is not None
        }
        return {
            **{name: self.value(name) for name in ("draw", "rows", "positives")},
            "pairs": duel.comparable,
            "opposite": duel.opposite,
            **shown,
        }

    def sentence(self, now):
        first, second = self.value("first"), self.value("second")
        rows = f"Draw {now['draw']}, {now['rows']} rows, {now['positives']} of them positive: "
        every = f"{now['pairs']} pairs of models" + (" with both values" if now["pairs"] < ALL_PAIRS else "")
        if not now["opposite"]:
            return f"{rows}{first} and {second} rank none of {every} in opposite order."
        return (
            f"{rows}{first} says A ({now['first_a']:.3f} against {now['first_b']:.3f}), {second} says B "
            f"({now['second_b']:.3f} against {now['second_a']:.3f}). Opposite order in {now['opposite']} of {every}."
        )


def random_models(draw, rows, positives):
    """Labels, shape (rows,), and each model's scores, shape (models, rows), between 0 and 1."""
    rng = np.random.default_rng(draw)
    y_true = np.arange(rows) < positives
    distance, spread, slope, shift = rng.uniform(
        [[0.3], [0.4], [0.5], [-2.5]], [[2.5], [2.0], [3.0], [0.5]], (4, MODELS)
    )
    places = rng.normal(size=(rows, MODELS))
    places = np.where(y_true[:, None], distance + spread * places, places)
    return y_true, np.ascontiguousarray((1 / (1 + np.exp(-slope * (places + shift)))).T)


def read_model(y_true, y_score):
    """A model with what its metrics are computed from."""
    every = sweep(y_true, y_score)
    return Model(y_true, y_score, every, every.at(THRESHOLD), ranking.ranked(y_true, y_score))
