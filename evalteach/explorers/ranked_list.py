"""Move the items of a ranked list: precision, recall and average precision at k, and what nDCG makes of the order."""

import math

import numpy as np

from evalteach import plots, ranking
from evalteach._inputs import check_choice, read_between
from evalteach.explorers.engine.base import Explorer
from evalteach.explorers.engine.controls import choice_control, number_control

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"  # more items would be too small to read
AT_K = {  # in the picture: number and function
    "precision@k": ("precision", ranking.precision_at_k),
    "recall@k": ("recall", ranking.recall_at_k),
    "AP by relevant": ("ap_by_relevant", ranking.average_precision_by_relevant),
    "AP by reachable": ("ap_by_reachable", ranking.average_precision_by_reachable),
    "AP by hits": ("ap_by_hits", ranking.average_precision_by_hits),
    "average recall": ("average_recall", ranking.average_recall_at_k),
}
OF_ORDER = {  # in the picture: number
    "nDCG": "ndcg",
    "reciprocal rank": "reciprocal_rank",
    "average precision": "average_precision",
    "concordant pairs": "fcp",
}
HITS = {"reciprocal hits": "reciprocal_hits"}  # which may be above 1, so they have an axis of their own


class TopKExplorer(Explorer):
    """A ranked list that is cut after k positions, and one item of which can be moved.

    Items are called A, B, C, ... in the order in which they are given. The chosen one is taken out and put in
    again at the chosen position; all others keep their order.

    Parameters
    ----------
    relevance : array_like, shape (n_items,)
        In ranked order, the best-scored item first; above 0 is relevant. 2 to 26 items.
    k : int
        Positions shown, to start with.
    item : str
        The letter of the item that is moved.
    place : int
        Its position, 1 at the top.
    bars : sequence of str
        The metrics in the right panel and in the sentence, from ``AT_K``: all of them by default.

    Raises
    ------
    ValueError
        For relevance that is no list of 2 to 26 finite numbers, a k or a place beyond the list, an unknown item or bar.
    """

    scene_controls = ("item", "place")

    def __init__(self, relevance, *, k=3, item="A", place=1, bars=tuple(AT_K)):
        self.relevance, self.letters = read_items(relevance)
        for bar in bars:
            check_choice("bars", bar, AT_K)
        self.bars = [bar for bar in AT_K if bar in bars]
        self.ranks = np.arange(1, self.relevance.size + 1)
        super().__init__(
            number_control("k", k, 1, self.ranks.size, label="positions shown (k)", whole=True),
            *move_controls(self.letters, item, place),
        )

    def draw(self, figure):
        artists, n = self.artists, self.ranks.size
        items, curves, bars = figure.subplots(1, 3, width_ratios=[0.55, 1.2, 1])
        items.set(title="The list", ylabel="position", xlim=(-0.6, 1.6), ylim=(n + 0.6, 0.4), xticks=[])
        items.set_yticks(self.ranks)
        artists.names = [plots.live_text(items, 0, rank, size=min(12, 3 + 80 / n)) for rank in self.ranks]
        artists.hits = plots.line(items, [], [], "positive", style="o", name="relevant")
        artists.misses = plots.line(items, [], [], "negative", style="x", name="not relevant")
        for marks in (artists.hits, artists.misses):
            marks.set_markersize(10)
        artists.cut = items.axhline(np.nan, color=plots.COLOURS["ink"], linewidth=1.5)
        plots.legend_below(items, 1)
        curves.set(title="For every k", xlabel="positions shown, k", xlim=(0.6, n + 0.4), ylim=(-0.03, 1.03))
        relevant = np.count_nonzero(self.relevance > 0)
        plots.line(
            curves, self.ranks, np.minimum(1, relevant / self.ranks), "ideal", style="--", name="highest precision@k"
        )
        artists.curves = {
            "precision": plots.line(curves, [], [], "positive", style="o-", name="precision@k"),
            "recall": plots.line(curves, [], [], "deployed", style="s-.", name="recall@k"),
        }
        artists.curves["recall"].set(markersize=10, markerfacecolor="none")  # both are equal at k = relevant
        artists.k = plots.upright(curves)
        plots.legend_below(curves, 2)
        artists.bars = plots.class_bars(bars, self.bars)
        bars.set(title="At this k", xlim=(0, 1.3), xticks=[0, 0.5, 1])
        artists.values = [plots.live_text(bars, 1.16, row + 0.5) for row in range(len(self.bars))]

    def find_scene(self):
        order = moved(self.letters, self.value("item"), self.value("place"))
        ranked = self.relevance[order]
        every = ((name, AT_K[f"{name}@k"][1]) for name in ("precision", "recall"))
        return order, {name: [of(ranked, k) for k in self.ranks.tolist()] for name, of in every}

    def move_scene(self, now):
        artists, (order, heights) = self.artists, self.scene
        for text, which in zip(artists.names, order, strict=True):
            text.set_text(self.letters[which])
        relevant = self.relevance[order] > 0
        for marks, here in ((artists.hits, relevant), (artists.misses, ~relevant)):
            marks.set_data(np.ones(order.size), np.where(here, self.ranks, np.nan))
        for name, curve in artists.curves.items():
            curve.set_data(self.ranks, heights[name])
        return [*artists.names, artists.hits, artists.misses, *artists.curves.values()]

    def move(self, now):
        artists, shares = self.artists, np.array([now[AT_K[bar][0]] for bar in self.bars])
        artists.cut.set_ydata([now["k"] + 0.5] * 2)
        plots.set_class_bars(artists.bars, shares)
        for text, share in zip(artists.values, shares, strict=True):
            text.set_text(f"{share:.3f}")
        return [artists.cut, artists.bars, *artists.values, *plots.set_marks(now, "k", [artists.k], {})]

    def numbers(self):
        k, ranked = self.value("k"), self.relevance[self.scene[0]]
        return {
            "k": k,
            "place": self.value("place"),
            "hits": int(np.count_nonzero(ranked[:k] > 0)),
            "relevant": int(np.count_nonzero(ranked > 0)),
            **{name: of(ranked, k) for name, of in AT_K.values()},
        }

    def sentence(self, now):
        order = "".join(self.letters[which] for which in self.scene[0])
        values = ", ".join(f"{bar} {now[AT_K[bar][0]]:.3f}" for bar in self.bars)
        hits = f"{now['hits']} of {now['relevant']} relevant items"
        return f"Order {order}, k = {now['k']}: {hits} within the first k, {values}."


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
        artists.bars, artists.hits = plots.class_bars(bars, list(OF_ORDER)), plots.class_bars(hits, list(HITS))
        bars.set(title="This order, and a random one", xlim=(0, 1.35))
        bars.set_xticks(np.linspace(0, 1, 6))
        hits.set(xlim=(0, 1.35 * longest))
        artists.chance = plots.line(bars, [], [], "negative", style="d")
        artists.chance_hits = plots.line(hits, [], [], "negative", style="d", name="random order, on average")
        artists.values = [plots.live_text(bars, 1.2, row + 0.5) for row in range(len(OF_ORDER))]
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
            (OF_ORDER, artists.bars, artists.values, artists.chance),
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
            for name, number in {**OF_ORDER, **HITS}.items()
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


def read_items(relevance):
    """Grades in ranked order, and a letter for each."""
    grades = read_between("relevance", relevance, -np.inf, np.inf, called="grades")
    if not 2 <= grades.size <= len(LETTERS):
        raise ValueError(f"relevance has {grades.size} items; an explorer draws 2 to {len(LETTERS)}")
    return grades, LETTERS[: grades.size]


def move_controls(letters, item, place):
    """Controls of the item that is moved and of its position."""
    yield choice_control("item", list(letters), item, label="move item")
    yield number_control("place", place, 1, len(letters), label="to position", whole=True)


def moved(letters, item, place):
    """Indexes of all items in their new order."""
    order = [which for which, letter in enumerate(letters) if letter != item]
    order.insert(place - 1, letters.index(item))
    return np.array(order)
