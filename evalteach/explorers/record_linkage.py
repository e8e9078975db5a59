"""Drag which records are compared, and how similar two must be: links, the clusters they make, and six shares."""

import numpy as np

from evalteach import plots
from evalteach._inputs import check_lengths, read_array, read_column, read_groups
from evalteach.classification import precision, recall
from evalteach.counts import Counts
from evalteach.explorers.engine.base import Explorer
from evalteach.explorers.engine.controls import number_control
from evalteach.matching import b_cubed, linked_clusters, pair_counts

BARS = {  # in the picture: number
    "pair completeness": "pair_completeness",
    "recall of compared": "recall_of_compared",
    "pairwise recall": "pairwise_recall",
    "B-cubed recall": "b_cubed_recall",
    "pairwise precision": "pairwise_precision",
    "B-cubed precision": "b_cubed_precision",
}
STATES = {"whole": "positive", "split": "second", "mixed": "negative"}
MOST = 40  # more records would be too small to read
MARKS = {  # of a pair: colour, marker, size of the square it stands in
    "right link": ("positive", "s", 0.85),
    "right, through others": ("positive", "s", 0.4),
    "missed pair": ("test", "D", 0.6),
    "wrong link": ("deployed", "X", 0.85),
    "wrong, through others": ("deployed", "x", 0.5),
}


class MatchingExplorer(Explorer):
    """Records sorted by name, each compared with the next few: the links, the clusters, and how good both are.

    Linked records form one cluster, directly or through others. A cluster is whole if it holds all records of one
    entity and no other, split if it lacks some, mixed if it holds records of several.

    Parameters
    ----------
    names : array_like of str, shape (n_records,)
        What is shown; records are sorted by it. 3 to 40 records.
    entity : array_like, shape (n_records,)
        The person or thing that each record is about. At least one has two records.
    similarity : array_like, shape (n_records, n_records)
        How similar two records are, from 0 to 1, the same both ways.
    threshold : float
        Compared records with at least this similarity are linked. The start of the slider.
    neighbours : int
        The number of next records with which each one is compared (K).

    Raises
    ------
    ValueError
        For columns or a matrix that do not fit each other, a similarity beyond 0 to 1 or not the same both ways,
        entities of one record each, and controls beyond their ends.
    """

    size = (9.0, 4.8)

    def __init__(self, names, entity, similarity, *, threshold=0.65, neighbours=2):
        read_groups("names", names)  # none may be missing
        names, entity, similarity = read_column("names", names), read_groups("entity", entity), _read(similarity)
        n = names.size
        check_lengths(names=n, entity=entity.size, similarity=len(similarity))
        if not 3 <= n <= MOST:
            raise ValueError(f"names has {n} records; an explorer draws 3 to {MOST}")
        order = np.argsort(names.astype(str), kind="stable")
        self.names, self.entity = names[order], entity[order]
        self.pairs = np.column_stack(np.triu_indices(n, 1))
        self.similarity = similarity[np.ix_(order, order)][tuple(self.pairs.T)]
        self.gap = self.pairs[:, 1] - self.pairs[:, 0]
        self.same = self.entity[self.pairs[:, 0]] == self.entity[self.pairs[:, 1]]
        if not self.same.any():
            raise ValueError("entity has no two records alike; without a pair to find there is no recall")
        super().__init__(
            number_control("threshold", threshold, 0, 1, label="similarity threshold", step=0.01),
            number_control("neighbours", neighbours, 1, n - 1, label="compared with the next (K)", whole=True),
        )

    def draw(self, figure):
        artists, n = self.artists, self.names.size
        grid, bars = figure.subplots(1, 2, width_ratios=[1.5, 1])
        grid.set(
            title="Pairs of records, below the diagonal",
            xlabel="the same records, from left to right",
            xlim=(-0.27 * n, n - 0.4),
            ylim=(n - 0.4, -1.4),
            xticks=[],
        )
        grid.set_yticks(np.arange(n), [str(name) for name in self.names], parse_math=False)
        grid.spines[:].set_visible(False)
        grid.tick_params(length=0)
        artists.clusters = [plots.live_text(grid, -0.23 * n, row, size=min(9, 220 / n)) for row in range(n)]
        artists.states = grid.scatter(np.full(n, -1), np.arange(n), s=900 / n, zorder=3)
        for x, head, column in ((-0.23 * n, "cluster", ()), (-0.09 * n, "who", self.entity.tolist())):
            for row, text in enumerate([head, *(f"{code + 1}" for code in column)], -1):
                grid.text(x, row, text, ha="center", va="center", fontsize=min(8, 200 / n))
        artists.band = plots.band(grid, "test", name="compared", opacity=0.15)
        artists.marks = {}
        for name, (colour, marker, size) in MARKS.items():
            artists.marks[name] = plots.line(grid, [], [], colour, style=marker, name=name)
            artists.marks[name].set_markersize(190 / n * size)
        for name, colour in STATES.items():
            plots.dot(grid, colour, name=f"{name} cluster", size=7)
        grid.legend(loc="upper right", fontsize=8, frameon=False)
        artists.bars = plots.class_bars(bars, list(BARS))
        bars.set(title="Shares of pairs (B-cubed: of records)", xlim=(0, 1.3), xticks=[0, 0.5, 1])
        artists.values = [plots.live_text(bars, 1.16, row + 0.5) for row in range(len(BARS))]

    def move(self, now):
        artists, n, k = self.artists, self.names.size, now["neighbours"]
        linked, cluster = self._clusters()
        together = cluster[self.pairs[:, 0]] == cluster[self.pairs[:, 1]]
        right, wrong, others = linked & self.same, linked & ~self.same, together & ~linked
        kinds = (right, others & self.same, self.same & ~together, wrong, others & ~self.same)
        for marks, which in zip(artists.marks.values(), kinds, strict=True):
            marks.set_data(*np.where(which, self.pairs.T, np.nan))
        artists.band.set_xy([(-0.5, 0), (-0.5, k), (n - 1 - k, n - 0.5), (n - 1, n - 0.5)])
        for text, which in zip(artists.clusters, cluster.tolist(), strict=True):
            text.set_text(f"{which + 1}")
        artists.states.set_facecolor([plots.COLOURS[STATES[state]] for state in self._states(cluster)])
        shares = np.array([now[name] for name in BARS.values()])
        plots.set_class_bars(artists.bars, shares)
        for text, share in zip(artists.values, shares, strict=True):
            text.set_text(f"{share:.3f}")
        texts = (*artists.clusters, *artists.values)
        return [artists.band, *artists.marks.values(), artists.states, artists.bars, *texts]

    def numbers(self):
        compared = self.gap <= self.value("neighbours")
        linked, cluster = self._clusters()
        pairs, records = pair_counts(self.entity, cluster), b_cubed(self.entity, cluster)
        return {
            "threshold": self.value("threshold"),
            "neighbours": self.value("neighbours"),
            "compared": int(compared.sum()),
            "links": int(linked.sum()),
            "wrong_links": int(np.sum(linked & ~self.same)),
            "clusters": int(cluster.max()) + 1,
            "largest": int(np.bincount(cluster).max()),
            "pair_completeness": recall(_flagged(self.same, compared)),
            "recall_of_compared": recall(_flagged(self.same[compared], linked[compared])),
            "pairwise_recall": recall(pairs),
            "pairwise_precision": precision(pairs),
            "b_cubed_recall": records.recall,
            "b_cubed_precision": records.precision,
        }

    def sentence(self, now):
        return (
            f"K = {now['neighbours']} compares {now['compared']} of {self.gap.size} pairs, and pair completeness is "
            f"{now['pair_completeness']:.3f}. At a threshold of {now['threshold']:.2f} there are {now['links']} links, "
            f"{now['wrong_links']} of them wrong, and the recall of the compared pairs is "
            f"{now['recall_of_compared']:.3f}. The number of clusters is {now['clusters']}, and the largest has "
            f"{now['largest']} records. Pairwise precision is {now['pairwise_precision']:.3f} and recall "
            f"{now['pairwise_recall']:.3f}. B-cubed precision is {now['b_cubed_precision']:.3f} and recall "
            f"{now['b_cubed_recall']:.3f}."
        )

    def _clusters(self):
        linked = (self.gap <= self.value("neighbours")) & (self.similarity >= self.value("threshold"))
        return linked, linked_clusters(self.pairs[linked], self.names.size)

    def _states(self, cluster):
        together = cluster[:, None] == cluster
        same = self.entity[:, None] == self.entity
        mixed, split = np.any(together & ~same, axis=1), np.any(same & ~together, axis=1)
        return np.where(mixed, "mixed", np.where(split, "split", "whole"))


def _read(similarity):
    """A square matrix of similarities, the same both ways."""
    similarity = read_array("similarity", similarity)
    if similarity.ndim != 2 or similarity.shape[0] != similarity.shape[1]:
        raise ValueError(f"similarity must have shape (n_records, n_records), got {similarity.shape}")
    if similarity.dtype.kind not in "biuf" or not np.all((similarity >= 0) & (similarity <= 1)):
        raise ValueError("similarity must be numbers from 0 to 1")
    if not np.array_equal(similarity, similarity.T):
        raise ValueError("similarity is not the same both ways; take the mean of it and its transpose")
    return similarity


def _flagged(actual, flagged):
    cells = {"tp": actual & flagged, "fp": ~actual & flagged, "fn": actual & ~flagged, "tn": ~actual & ~flagged}
    return Counts(**{name: int(cell.sum()) for name, cell in cells.items()})
