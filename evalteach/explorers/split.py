"""Slide the edge of a fold over rows, split in several ways: what a quick model scores there, and on fresh rows."""

import numpy as np

from evalteach import plots
from evalteach._inputs import check_lengths, read_array, read_between, read_column, read_seed, read_whole
from evalteach.explorers.engine.base import Explorer
from evalteach.explorers.engine.controls import choice_control, number_control

ROWS = (10, 1_000)  # more would be too small to see
WIDE = 25  # rows in a line of the picture
POINTS = 25  # edges that the curve of a large file is computed at
SMALL = 250  # rows up to which it is computed at each edge
HUES = ("positive", "negative", "deployed", "ideal", "second")


class SplitExplorer(Explorer):
    """A fold over the rows of a file, its edge, and how right the nearest training row's label is.

    A fifth of the rows is held out, beginning at the edge: as the file stands, in a shuffled order, or widened
    to whole groups. "only the past" goes by time, and trains on what is earlier than all that is held out.

    The model is one nearest neighbor: a held-out row gets the label of the training row that is nearest in ``X``
    (Euclidean distance; the columns count as they are, so scale them first; among equals the first in the file).

    Parameters
    ----------
    X : array_like, shape (n_rows, n_columns)
        Finite numbers, 10 to 1,000 rows in the order of the file. A single column may be flat.
    y : array_like, shape (n_rows,)
        Labels: text, whole numbers or bool.
    groups : array_like, shape (n_rows,), optional
        What a row belongs to. Without it there is no way "whole groups".
    time : array_like, shape (n_rows,), optional
        When it was seen, as a number. Without it there is no way "only the past".
    fresh : tuple of (X, y), optional
        Up to 1,000 rows as the model will meet them, which no split sees.
    way : str
        How to split, to start with.
    edge : int
        Position of the first row that is held out, in the order of the split (0 for the first).
    seed : int
        Of the shuffled order.

    Raises
    ------
    ValueError
        For too few or too many rows, columns of unequal length, numbers that are not finite, labels that are
        fractions, missing labels or groups, fresh rows that are no pair of X and y or have other kinds of labels, an
        unknown way, an edge out of reach, a seed below 0.
    """

    scene_controls = ("way",)

    def __init__(self, X, y, *, groups=None, time=None, fresh=None, way="shuffled", edge=0, seed=0):
        self.X, self.y = read_table(X, y)
        n = self.y.size
        read_whole("the number of rows", n, *ROWS)
        self.groups = None if groups is None else number_each("groups", read_column("groups", groups))
        self.time = None if time is None else read_between("time", time, -np.inf, np.inf, called="times")
        for name, column in (("groups", self.groups), ("time", self.time)):
            if column is not None:
                check_lengths(X=n, **{name: column.size})
        self.fresh_y, fresh_X = np.array([]), self.X[:0]
        if fresh is not None:
            if not isinstance(fresh, list | tuple) or len(fresh) != 2:
                raise ValueError(f"fresh must be a pair of X and y, got {type(fresh).__name__}")
            fresh_X, self.fresh_y = read_table(*fresh, name="fresh ")
            read_whole("the number of fresh rows", self.fresh_y.size, 1, ROWS[1])
            if fresh_X.shape[1] != self.X.shape[1]:
                raise ValueError(f"fresh X has {fresh_X.shape[1]} columns, X has {self.X.shape[1]}")
            if (self.y.dtype.kind == "U") != (self.fresh_y.dtype.kind == "U"):
                raise ValueError(f"fresh y has dtype {self.fresh_y.dtype}, y has {self.y.dtype}; both text or neither")
        self.same = np.unique(self.X, axis=0, return_inverse=True)[1].ravel()
        self.apart, self.fresh_apart = distances(self.X, self.X), distances(fresh_X, self.X)
        self.fold, filed = n // 5, np.arange(n)
        self.orders = {"as filed": filed, "shuffled": np.random.default_rng(read_seed(seed)).permutation(n)}
        if self.groups is not None:
            self.orders["whole groups"] = np.argsort(self.groups, kind="stable")
        if self.time is not None:
            self.orders["only the past"] = np.argsort(self.time, kind="stable")
        points = POINTS if n > SMALL else n - self.fold + 1
        self.edges = np.unique(np.linspace(0, n - self.fold, points).round().astype(int))
        self.curves = {}
        for each in self.orders:
            scored = [self._scores(*self._split(each, edge)) for edge in self.edges.tolist()]
            self.curves[each] = np.array(scored).T
        super().__init__(
            choice_control("way", list(self.orders), way, label="split"),
            number_control("edge", edge, 0, n - self.fold, label="edge", whole=True),
        )

    def _split(self, way, edge):
        """Which rows are held out, and which train."""
        order, held, train = self.orders[way], np.zeros(self.y.size, dtype=bool), None
        held[order[edge : edge + self.fold]] = True
        if way == "whole groups":
            held = np.isin(self.groups, self.groups[held])
        if way == "only the past":
            train = self.time < self.time[held].min()
        return held, ~held if train is None else train

    def _scores(self, held, train):
        """Accuracy on the rows that are held out, and on fresh ones; nan where there is nothing to score or train."""
        labels = self.y[train]
        pairs = ((self.y[held], self.apart[held]), (self.fresh_y, self.fresh_apart))
        return [
            float(np.mean(labels[apart[:, train].argmin(axis=1)] == actual)) if actual.size and labels.size else np.nan
            for actual, apart in pairs
        ]

    def draw(self, figure):
        artists, n = self.artists, self.y.size
        rows, curves = figure.subplots(1, 2, width_ratios=[1, 1.1])
        lines = -(-n // WIDE)
        self.x, self.line = np.arange(n) % WIDE, np.arange(n) // WIDE
        side = min(300 / WIDE, 170 / lines)  # points
        rows.set(xlim=(-0.7, WIDE - 0.3), ylim=(lines - 0.3, -0.7), xticks=[], yticks=[])
        hue, what = self._hues()
        rows.set_title(f"The rows of the file ({what})")
        rows.scatter(self.x, self.line, s=(0.8 * side) ** 2, color=hue, marker="s", linewidths=0)
        ink = plots.COLOURS["ink"]
        artists.held = plots.line(rows, [], [], "ink", style="s", name="held out")
        artists.held.set(markersize=0.9 * side, markerfacecolor="none", markeredgewidth=min(2, side / 4))
        artists.left = plots.line(rows, [], [], "test", style="x", name="not used")
        artists.left.set(markersize=0.6 * side, markeredgecolor=ink)
        for spine in rows.spines.values():
            spine.set_visible(False)
        told = [artists.held] if self.time is None else [artists.held, artists.left]
        rows.legend(handles=told, loc="upper center", bbox_to_anchor=(0.5, -0.02), ncols=2, fontsize=8, frameon=False)
        curves.set(title="Accuracy of the nearest neighbor", xlabel="edge (rows before the fold)")
        curves.set(xlim=(-0.03 * n, n - self.fold + 0.03 * n), ylim=(-0.03, 1.03), ylabel="accuracy")
        looks = {"measured": ("positive", "o-", "on the held-out rows"), "fresh": ("deployed", "s--", "on new rows")}
        if not self.fresh_y.size:
            del looks["fresh"]
        artists.curves, artists.dots = {}, {}
        for which, (colour, style, name) in looks.items():
            artists.curves[which] = plots.line(curves, [], [], colour, style=style[1:], name=name)
            artists.dots[which] = plots.dot(curves, colour, marker=style[0])
        artists.cut = plots.upright(curves)
        plots.legend_below(curves, 2)

    def _hues(self):
        """A color for each row, and what it means."""
        if self.groups is not None:
            hues = (self.groups + self.groups // len(HUES)) % len(HUES)  # another order of the colors in each round
            return [pale(plots.COLOURS[HUES[hue]], 0.55) for hue in hues], "a new color: a new group"
        if self.time is not None:
            step = np.unique(self.time, return_inverse=True)[1]
            deep = 0.15 + 0.1 * (8 * step // (step.max() + 1))
            return [pale(plots.COLOURS["positive"], each) for each in deep], "darker is later"
        return [pale(plots.COLOURS["positive"], 0.4)], "a square is a row"

    def find_scene(self):
        return self.curves[self.value("way")]

    def move_scene(self, now):
        for (_, curve), heights in zip(self.artists.curves.items(), self.scene, strict=False):
            curve.set_data(self.edges, heights)
        return list(self.artists.curves.values())

    def move(self, now):
        artists = self.artists
        held, train = self._split(self.value("way"), now["edge"])
        for marks, here in ((artists.held, held), (artists.left, ~held & ~train)):
            marks.set_data(self.x, np.where(here, self.line, np.nan))
        return [artists.held, artists.left, *plots.set_marks(now, "edge", [artists.cut], artists.dots)]

    def numbers(self):
        edge = self.value("edge")
        held, train = self._split(self.value("way"), edge)
        measured, fresh = self._scores(held, train)
        numbers = {
            "edge": edge,
            "held_out": int(held.sum()),
            "train": int(train.sum()),
            "copies": int(np.isin(self.same[held], self.same[train]).sum()),
            "measured": measured,
            "fresh": fresh,
        }
        if self.groups is not None:
            numbers["groups_on_both_sides"] = np.intersect1d(self.groups[held], self.groups[train]).size
        if self.time is not None:
            numbers["not_earlier"] = int((self.time[train] >= self.time[held].min()).sum())
        return numbers

    def sentence(self, now):
        way = self.value("way")
        counts = [f"Held-out rows with an exact copy in training: {now['copies']}."]
        if self.groups is not None:
            counts.insert(0, f"Groups with rows on both sides: {now['groups_on_both_sides']}.")
        if self.time is not None:
            counts.append(f"Training rows as late as the first held-out row, or later: {now['not_earlier']}.")
        on_new = f", and {now['fresh']:.3f} on new rows" if self.fresh_y.size else ""
        why = "" if now["train"] else " (no row is left to train on)"
        return (
            f"{way.capitalize()}, edge {now['edge']}: {now['held_out']} rows are held out, and {now['train']} train. "
            f"{' '.join(counts)} Accuracy: {now['measured']:.3f} on the held-out rows{on_new}{why}."
        )


def read_table(X, y, *, name=""):
    """Rows of finite numbers, and a label for each."""
    table = read_array(f"{name}X", X)
    table = table[:, None] if table.ndim == 1 else table
    if table.ndim != 2 or not table.size:
        raise ValueError(f"{name}X has shape {table.shape}; one row of numbers for each label is needed")
    table = read_between(f"{name}X", table.ravel(), -np.inf, np.inf, called="columns").reshape(table.shape)
    labels = read_column(f"{name}y", y)
    check_lengths(**{f"{name}X": len(table), f"{name}y": labels.size})
    number_each(f"{name}y", labels)
    if labels.dtype.kind == "f" and np.any(labels != np.floor(labels)):
        raise ValueError(f"{name}y holds fractions; labels are text, whole numbers or bool, so cut it into classes")
    return table, labels.astype(str) if labels.dtype == object else labels


def number_each(name, column):
    """A number for each distinct value, in order of appearance; none may be missing."""
    import pandas as pd

    numbered, _ = pd.factorize(column)
    if numbered.min() < 0:
        raise ValueError(f"{name} is missing at position {np.argmin(numbered)}; every row needs one")
    return numbered


def distances(one, other):
    """Between every two rows, in a unit in which no square is too large or too small for a float."""
    from scipy.spatial.distance import cdist

    unit = np.abs(np.concatenate([one, other])).max() or 1.0
    return cdist(one / unit, other / unit)


def pale(colour, strength):
    """A colour mixed with white."""
    from matplotlib.colors import to_rgb

    return tuple(1 - strength * (1 - part) for part in to_rgb(colour))
