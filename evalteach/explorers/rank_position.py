"""Move graded items up and down a list: discounts, nDCG, and what other measures of order make of the same move."""

import math

import numpy as np

from evalteach import plots, ranking
from evalteach.explorers.base import Explorer
from evalteach.explorers.controls import choice_control
from evalteach.explorers.top_k import move_controls, moved, read_items

BARS = {  # in the picture: number
    "nDCG": "ndcg",
    "reciprocal rank": "reciprocal_rank",
    "average precision": "average_precision",
    "concordant pairs": "fcp",
}
HITS = {"reciprocal hits": "reciprocal_hits"}  # which may be above 1, so they have an axis of their own


class RankPositionExplorer(Explorer):
    """A list of graded items, one of which stands at another place, and what a random order would get.

    Items are called A, B, C, ... in the order in which they are given. The chosen one is taken out and put in
    again at the chosen place; all others keep their order.

    Parameters
    ----------
    relevance : array_like, shape (n_items,)
        Grades in ranked order; above 0 is relevant where a measure knows relevant and not only. 2 to 26 items.
    item : str
        The letter of the item that is moved.
    place : int
        Where it stands, 1 at the top.
    gain : {"linear", "exponential"}
        Of nDCG: the grade, or 2^grade - 1.

    Raises
    ------
    ValueError
        For relevance that is no list of 2 to 26 finite numbers, an unknown item or gain, a place beyond the list.
    """

    scene_controls = ("gain",)

    def __init__(self, relevance, *, item="A", place=1, gain="linear"):
        self.relevance, self.letters = read_items(relevance)
        super().__init__(
            *move_controls(self.letters, item, place),
            choice_control("gain", list(ranking.GAINS), gain),
        )

    def draw(self, figure):
        artists, n = self.artists, self.relevance.size
        grid = figure.add_gridspec(2, 2, width_ratios=[1.2, 1], height_ratios=[4, 1])
        items, bars, hits = (figure.add_subplot(cell) for cell in (grid[:, 0], grid[0, 1], grid[1, 1]))
        artists.gains = plots.class_bars(items, [f"{place}" for place in range(1, n + 1)])
        artists.gains.set(facecolor=plots.COLOURS["test"], alpha=0.25, label="gain of the item")
        artists.discounted = plots.band(items, "positive", opacity=0.8, name="after the discount of its position")
        # shares of the largest gain, so that another gain needs no other axis
        items.set(
            title="Gain, position by position", ylabel="position", xlim=(-0.35 - (self.relevance < 0).any(), 1.05)
        )
        items.set_xticks([])
        artists.names = [plots.live_text(items, -0.17, row + 0.5, size=min(11, 3 + 80 / n)) for row in range(n)]
        plots.legend_below(items, 2)
        longest = max(1, np.sum(1 / np.arange(1, 1 + np.count_nonzero(self.relevance > 0))))
        artists.bars, artists.hits = plots.class_bars(bars, list(BARS)), plots.class_bars(hits, list(HITS))
        bars.set(title="This order, and a random one", xlim=(0, 1.35))
        bars.set_xticks(np.linspace(0, 1, 6))
        hits.set(xlim=(0, 1.35 * longest))
        artists.chance = plots.line(bars, [], [], "negative", style="d")
        artists.chance_hits = plots.line(hits, [], [], "negative", style="d", name="random order, on average")
        artists.values = [plots.live_text(bars, 1.2, row + 0.5) for row in range(len(BARS))]
        artists.hits_value = [plots.live_text(hits, 1.2 * longest, 0.5)]
        hits.legend(loc="upper center", bbox_to_anchor=(0.5, -0.75), fontsize=8, frameon=False)

    def find_scene(self):
        return by_chance(self.relevance, self.value("gain"))

    def move_scene(self, now):
        return []

    def move(self, now):
        artists, ranked = self.artists, self._ranked()
        gains = ranking.GAINS[self.value("gain")](ranked)
        shares = gains / (np.abs(gains).max() or 1)
        plots.set_class_bars(artists.gains, shares)
        plots.set_class_bars(artists.discounted, shares / np.log2(np.arange(2, ranked.size + 2)))
        for text, which, grade in zip(artists.names, self._order(), ranked, strict=True):
            text.set_text(f"{self.letters[which]} {grade:g}")
        for names, bars, values, chance in (
            (BARS, artists.bars, artists.values, artists.chance),
            (HITS, artists.hits, artists.hits_value, artists.chance_hits),
        ):
            heights = np.array([now[name] for name in names.values()])
            plots.set_class_bars(bars, heights)
            for text, value in zip(values, heights, strict=True):
                text.set_text(f"{value:.3f}")
            chance.set_data([now[f"random_{name}"] for name in names.values()], np.arange(len(names)) + 0.5)
        moved_artists = [artists.gains, artists.discounted, *artists.names, artists.bars, artists.hits]
        return [*moved_artists, artists.chance, artists.chance_hits, *artists.values, *artists.hits_value]

    def numbers(self):
        ranked, gain = self._ranked(), self.value("gain")
        pairs = ranking.concordant_pairs(ranked, -np.arange(ranked.size))
        dcg, best = (ranking.dcg(grades, gain=gain) for grades in (ranked, np.sort(ranked)[::-1]))
        return {
            "place": self.value("place"),
            "dcg": dcg,
            "ideal_dcg": best,
            "ndcg": ranking.ndcg(ranked, gain=gain),
            "reciprocal_rank": ranking.reciprocal_rank(ranked),
            "reciprocal_hits": ranking.reciprocal_hits(ranked),
            "average_precision": ranking.average_precision_by_relevant(ranked),
            "fcp": ranking.fcp_ties_half(pairs),
            **{f"random_{name}": value for name, value in self.scene.items()},
        }

    def sentence(self, now):
        order = "".join(self.letters[which] for which in self._order())
        others = ", ".join(
            f"{name} {now[number]:.3f} ({now[f'random_{number}']:.3f})"
            for name, number in {**BARS, **HITS}.items()
            if name != "nDCG"
        )
        return (
            f"Order {order}: DCG {now['dcg']:.3f} of {now['ideal_dcg']:.3f} at best, nDCG {now['ndcg']:.3f} (random "
            f"order: {now['random_ndcg']:.3f}); {others}."
        )

    def _order(self):
        return moved(self.letters, self.value("item"), self.value("place"))

    def _ranked(self):
        return self.relevance[self._order()]


def by_chance(relevance, gain):
    """What a random order of these items gets on average."""
    n, m = relevance.size, np.count_nonzero(relevance > 0)
    ranks = np.arange(1, n + 1)
    harmonic = float(np.sum(1 / ranks))
    first_hit = [math.comb(n - rank, m - 1) / math.comb(n, m) for rank in ranks.tolist()] if m else np.full(n, np.nan)
    return {
        "ndcg": ranking.random_ndcg(relevance, gain=gain),
        "reciprocal_rank": float(np.sum(first_hit / ranks)),
        "reciprocal_hits": m / n * harmonic,
        "average_precision": (m - 1) / (n - 1) + harmonic * (n - m) / (n * (n - 1)) if m else math.nan,
        "fcp": 0.5 if np.ptp(relevance) else math.nan,
    }
