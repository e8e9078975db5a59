"""Move the number of clusters and the linkage: points by cluster, and what five scores make of the same cut."""

import math

import numpy as np
from scipy.cluster import hierarchy
from scipy.spatial import distance
from sklearn import metrics

from evalteach import plots
from evalteach._inputs import check_lengths, read_array, read_column
from evalteach.explorers.engine.base import Explorer
from evalteach.explorers.engine.controls import choice_control, number_control

LINKAGES = ("ward", "average", "complete", "single")
MOST_CLUSTERS, MOST_ROWS, LARGEST = 12, 500, 1e100
SHAPES = "os^DvPX*<>ph"
AGAINST_TRUTH = {  # number: name, function of true groups and clusters
    "rand": ("Rand", metrics.rand_score),
    "adjusted_rand": ("adjusted Rand", metrics.adjusted_rand_score),
    "adjusted_mutual_info": ("adjusted mutual information", metrics.adjusted_mutual_info_score),
    "v_measure": ("V", metrics.v_measure_score),
}
CURVES = {  # number: name beside the picture, colour, style
    "rand": ("Rand", "negative", "o-"),
    "adjusted_rand": ("adjusted Rand", "positive", "s-"),
    "adjusted_mutual_info": ("adjusted MI", "ideal", "^--"),
    "v_measure": ("V", "second", "D-."),
    "silhouette": ("silhouette", "ink", "x:"),
}


class ClusteringExplorer(Explorer):
    """Rows that a tree of merges puts into clusters: cut it into more or fewer, and score each cut.

    All distances are Euclidean, so a column of large numbers counts for more: scale the columns first.

    Parameters
    ----------
    X : array_like, shape (n_rows, n_columns)
        4 to 500 rows of 2 columns or more, all of which are used; the picture shows the first two.
    labels_true : array_like, shape (n_rows,), optional
        The true group of each row, where it is known: adds its picture and the scores that need it.
    n_clusters : int
        Clusters to start with.
    linkage : {"ward", "average", "complete", "single"}
        Which two clusters the tree merges next.

    Raises
    ------
    ValueError
        For X that is no such table of finite numbers, labels that are missing or of another length, an argument
        out of range.
    """

    scene_controls = ("linkage",)

    def __init__(self, X, labels_true=None, *, n_clusters=2, linkage="ward"):
        self.X = read_table(X)
        self.labels_true = read_groups(labels_true, len(self.X))
        self.against = {} if labels_true is None else AGAINST_TRUTH
        self.sizes = np.arange(1, min(MOST_CLUSTERS, len(self.X) - 1) + 1)
        self.distances = distance.squareform(distance.pdist(self.X))
        self.cuts = {each: self._every_cut(each) for each in LINKAGES}  # so that no move waits for one
        super().__init__(
            number_control("n_clusters", n_clusters, 1, int(self.sizes[-1]), label="clusters", whole=True),
            choice_control("linkage", list(LINKAGES), linkage),
        )

    def draw(self, figure):
        artists = self.artists
        *truth, found, curves = figure.subplots(1, 3 if self.against else 2)
        for axes in truth:
            axes.set_title("True groups")
            draw_points(axes, self.X, np.unique(self.labels_true).size)
            place_points(axes.lines, self.X, self.labels_true)
        found.set_title("Clusters found")
        artists.points = draw_points(found, self.X, self.sizes[-1])
        lowest = min(score for _, scores in self.cuts.values() for each in scores for score in [0, *each.values()])
        curves.set(title="For every number of clusters", xlabel="clusters", ylim=(1.05 * lowest - 0.03, 1.03))
        curves.set_xlim(0.6, self.sizes[-1] + 0.4)
        artists.curves, artists.dots = {}, {}
        for name, (called, colour, style) in CURVES.items():
            if name in self.against or name == "silhouette":
                artists.curves[name] = plots.line(curves, [], [], colour, style=style, width=1.2, name=called)
                artists.curves[name].set_markersize(4)
                artists.dots[name] = plots.dot(curves, colour, size=8)
        artists.now = plots.upright(curves)
        plots.legend_below(curves, 2)

    def find_scene(self):
        return self.cuts[self.value("linkage")]

    def move_scene(self, now):
        curves, (_, scores) = self.artists.curves, self.scene
        for name, curve in curves.items():
            curve.set_data(self.sizes, [each[name] for each in scores])
        return list(curves.values())

    def move(self, now):
        labels = self.scene[0][now["n_clusters"] - 1]
        place_points(self.artists.points, self.X, labels)
        return [*self.artists.points, *plots.set_marks(now, "n_clusters", [self.artists.now], self.artists.dots)]

    def numbers(self):
        asked, (labels, scores) = self.value("n_clusters"), self.scene
        return {"n_clusters": asked, "found": int(labels[asked - 1].max()) + 1, **scores[asked - 1]}

    def sentence(self, now):
        asked, found = now["n_clusters"], now["found"]
        counts = ", ".join(map(str, np.bincount(self.scene[0][asked - 1])))
        tied = "" if found == asked else f" ({asked} were asked for: all distances between are tied)"
        true = ", ".join(f"{name} {now[number]:z.3f}" for number, (name, _) in self.against.items())
        alone = "; silhouette" if true else "silhouette"
        why = " (it needs 2 clusters or more, and one of 2 rows)" if math.isnan(now["silhouette"]) else ""
        rows = "row" if counts == "1" else "rows"
        return (
            f"{found} cluster{'s' * (found > 1)}, {self.value('linkage')} linkage{tied}, of {counts} {rows}: "
            f"{true}{alone} {now['silhouette']:z.3f}{why}."
        )

    def _every_cut(self, linkage):
        """Labels and scores for each number of clusters."""
        labels = cut_tree(hierarchy.linkage(self.X, linkage), self.sizes)
        return labels, [self._scores(each) for each in labels]

    def _scores(self, labels):
        scores = {name: float(score(self.labels_true, labels)) for name, (_, score) in self.against.items()}
        defined = 1 <= labels.max() < labels.size - 1
        silhouette = metrics.silhouette_score(self.distances, labels, metric="precomputed") if defined else math.nan
        return {**scores, "silhouette": float(silhouette)}


def cut_tree(tree, sizes):
    """Labels 0, 1, ... for each number of clusters in ``sizes``; where one splits, its largest part keeps its number.

    A tree whose merges tie may have fewer clusters.
    """
    labels, cuts = np.zeros(len(tree) + 1, dtype=int), []
    for n_clusters in sizes.tolist():
        finer, coarser = hierarchy.fcluster(tree, n_clusters, "maxclust"), labels.copy()
        for whole in np.unique(coarser):
            parts, counts = np.unique(finer[coarser == whole], return_counts=True)
            for part in np.delete(parts, counts.argmax()):
                labels[finer == part] = labels.max() + 1
        cuts.append(labels.copy())
    return cuts


def read_table(X):
    """X as float64, rows by columns."""
    X = read_array("X", X)
    if X.ndim != 2 or not 4 <= X.shape[0] <= MOST_ROWS or X.shape[1] < 2:
        raise ValueError(f"X has shape {X.shape}; 4 to {MOST_ROWS} rows of 2 columns or more are needed")
    if X.dtype.kind not in "biufO":  # of complex numbers NumPy would drop a part, of dates count nanoseconds
        raise ValueError(f"X has dtype {X.dtype}; real numbers are needed")
    try:
        X = X.astype(float)
    except (TypeError, ValueError) as error:
        raise ValueError(f"X cannot be read as numbers ({error})") from None
    wrong = ~(np.abs(X) <= LARGEST)
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        raise ValueError(
            f"X has {X[row, column]:g} in row {row}, column {column}; numbers within ±{LARGEST:g} are needed"
        )
    return X


def read_groups(labels_true, n_rows):
    """Groups numbered from 0, or None."""
    if labels_true is None:
        return None
    import pandas as pd

    column = read_column("labels_true", labels_true)
    check_lengths(X=n_rows, labels_true=column.size)
    groups, _ = pd.factorize(column, sort=True)
    if groups.min() < 0:
        raise ValueError(f"labels_true is missing at position {groups.argmin()}; every row needs one")
    return groups


def draw_points(axes, X, n_groups):
    """A line without points for each group, told apart by colour and by shape; returns the artists."""
    low, high = X[:, :2].min(axis=0), X[:, :2].max(axis=0)
    reach = 0.56 * np.maximum(high - low, (high - low).max() / 4 or 1)  # rows along a line need some width to be seen
    (left, bottom), (right, top) = (low + high) / 2 - reach, (low + high) / 2 + reach
    # distances are what clusters are made of
    axes.set(xlim=(left, right), ylim=(bottom, top), xticks=[], yticks=[], aspect="equal")
    colours = list(plots.COLOURS)
    points = []
    for group in range(n_groups):
        look = {"style": SHAPES[group % len(SHAPES)], "width": 0}
        points.append(plots.line(axes, [], [], colours[group % len(colours)], **look))
        points[-1].set(markersize=7 if look["style"] == "*" else 5, markeredgecolor="white", markeredgewidth=0.4)
    return points


def place_points(points, X, labels):
    """Give each group its rows."""
    for group, marks in enumerate(points):
        inside = (labels == group)[:, None]
        marks.set_data(*np.where(inside, X[:, :2], np.nan).T)
