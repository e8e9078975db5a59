"""Drag the k of a ranked list and move its items: what happens to precision, recall and average precision at k."""

import numpy as np

from evalteach import plots, ranking
from evalteach._inputs import check_choice, read_between
from evalteach.explorers.base import Explorer
from evalteach.explorers.controls import choice_control, number_control

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"  # more items would be too small to read
BARS = {  # in the picture: number and function
    "precision@k": ("precision", ranking.precision_at_k),
    "recall@k": ("recall", ranking.recall_at_k),
    "AP by relevant": ("ap_by_relevant", ranking.average_precision_by_relevant),
    "AP by reachable": ("ap_by_reachable", ranking.average_precision_by_reachable),
    "AP by hits": ("ap_by_hits", ranking.average_precision_by_hits),
    "average recall": ("average_recall", ranking.average_recall_at_k),
}


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
        The metrics in the right panel and in the sentence, from ``BARS``: all of them by default.

    Raises
    ------
    ValueError
        For relevance that is no list of 2 to 26 finite numbers, a k or a place beyond the list, an unknown item or bar.
    """

    scene_controls = ("item", "place")

    def __init__(self, relevance, *, k=3, item="A", place=1, bars=tuple(BARS)):
        self.relevance, self.letters = read_items(relevance)
        for bar in bars:
            check_choice("bars", bar, BARS)
        self.bars = [bar for bar in BARS if bar in bars]
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
        every = ((name, BARS[f"{name}@k"][1]) for name in ("precision", "recall"))
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
        artists, shares = self.artists, np.array([now[BARS[bar][0]] for bar in self.bars])
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
            **{name: of(ranked, k) for name, of in BARS.values()},
        }

    def sentence(self, now):
        order = "".join(self.letters[which] for which in self.scene[0])
        values = ", ".join(f"{bar} {now[BARS[bar][0]]:.3f}" for bar in self.bars)
        hits = f"{now['hits']} of {now['relevant']} relevant items"
        return f"Order {order}, k = {now['k']}: {hits} within the first k, {values}."


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
