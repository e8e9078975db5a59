"""What the explorers' tests share: how to move one and how to look at it, and a case for each of them."""

import io
from contextlib import contextmanager, nullcontext
from functools import cache, partial
from typing import NamedTuple
from unittest import mock

import ipywidgets as ipw
import numpy as np
from PIL import Image

from evalteach import data, explorers, moving, plots
from evalteach.explorers import Explorer


def move(explorer, **values):
    """Each control in turn; what lies between the first and the last of several is passed by, as under a quick hand."""
    with mock.patch.object(explorer._front, "knows", return_value=True) if len(values) > 1 else nullcontext():
        for name, value in values.items():
            explorer.controls[name].value = value
    if len(values) > 1:
        explorer._redraw()
    return explorer


@contextmanager
def nobody_looks():
    """Artists are set and not drawn: that takes nine tenths of the time in which numbers are tested."""

    def set_artists(explorer, place, now):
        explorer.move_scene(now)
        explorer.move(now)

    with (
        mock.patch.object(Explorer, "_draw_picture", set_artists),
        mock.patch.object(Explorer, "_png", return_value=b""),
    ):
        yield


def pixels(explorer):
    """What the reader sees, shape (height, width, 3)."""
    return np.asarray(Image.open(io.BytesIO(explorer.picture.value)).convert("RGB"), dtype=int)


def drawn(explorer):
    """What was drawn, before it was encoded."""
    return np.asarray(explorer.canvas.buffer_rgba())[..., :3].astype(int)


def values(explorer):
    return {name: control.value for name, control in explorer.controls.items()}


def places(explorer):
    """Where the controls stand, in the front end's terms."""
    return [part.place for part in explorer._parts]


def sliders(explorer):
    """The slider beside each number box, by the box's description."""
    rows = explorer.view.children[0].children
    return {row.children[0].description: row.children[1] for row in rows if isinstance(row, ipw.HBox)}


def stops(control):
    """What the box holds at each place of its slider, from left to right."""
    box, slider = control.row.children
    held = []
    slider.value = slider.max  # else the first place may be no move
    for place in range(slider.min, slider.max + 1, slider.step):
        slider.value = place
        held.append(box.value)
    return held


class Case(NamedTuple):
    """How to make an explorer, positions a reader comes by (each control at its ends, too), and other values."""

    make: object
    moves: list
    other: dict
    # markers and upright lines by their place in ``artists``: the numbers that they stand at
    marks: dict


@cache
def nines():
    return data.digit_detector(9)


@cache
def unlabeled_nines():
    return data.digits_three_of_ten().of(9)


def unlabeled(kind, **more):
    rows = unlabeled_nines()
    start = {"class_size": 90, "max_k": 500, "y_true_unlabeled": rows.unlabeled.y_true}
    return kind(rows.test.positives, rows.unlabeled.y_score, **{**start, **more})


def prevalence(**more):
    test, deployed, unseen = (
        data.two_normals(500, 1, separation=distance, seed=seed) for distance, seed in ((3.0, 1), (3.0, 2), (1.0, 3))
    )
    return explorers.PrevalenceExplorer(*test, *deployed, unseen.y_score, **more)


def matching(**more):
    records = data.people(seed=7)
    pieces = [{name[i : i + 2].lower() for i in range(len(name) - 1)} for name in records["name"]]
    similarity = [[2 * len(one & other) / (len(one) + len(other)) for other in pieces] for one in pieces]
    return explorers.MatchingExplorer(records["name"], records["person"], similarity, **more)


def split(**more):
    """Visits of patients, on days that are no order of the file."""
    X, y, patient = data.patients(20, 5, seed=1)
    fresh_X, fresh_y, _ = data.patients(40, 1, seed=2)
    day = np.random.default_rng(3).permutation(100)
    return explorers.SplitExplorer(X, y, **{"groups": patient, "time": day, "fresh": (fresh_X, fresh_y), **more})


def drift(**more):
    """Scores of two classes, and the same rows seen less sharply."""
    y_true, y_score = data.two_normals(200, 5, separation=3.0, seed=6)
    return explorers.DriftExplorer(y_true, y_score, 0.4 * y_score, **{"day": 100, **more})


def two_shares(axes, share=0.3, n=20, kind="line"):
    """A picture that asks for most of what a small one uses."""
    x = np.linspace(0, 1, 60)
    axes.plot(x, x**n, color=plots.COLOURS["positive"], label="power")
    axes.fill_between(x, 0, x**n, color=plots.COLOURS["positive"], alpha=0.2)
    if kind == "bars":
        axes.bar([0.2, 0.8], [share, 1 - share], width=0.1, color=plots.COLOURS["negative"])
    axes.axvline(share, color=plots.COLOURS["ink"], linewidth=1)
    axes.text(share, 0.9, f" {share:.0%}")
    axes.set(xlim=(0, 1), ylim=(0, 1), title=f"n = {n}", xlabel="share")
    axes.legend(loc="upper left")
    return f"{share:.3f} of {n}, as {kind}."


TWO_SHARES = {"share": (0.0, 1.0), "n": (1, 50), "kind": ["line", "bars"]}
CLUSTER_SCORES = ("rand", "adjusted_rand", "adjusted_mutual_info", "v_measure", "silhouette")


def funnel(**more):
    liked, retrieval, ranking = stages()
    blocked = np.where(np.arange(liked.shape[1]) % 10 == 3, np.nan, ranking)
    return explorers.FunnelExplorer(liked, retrieval, ranking, blocked, **more)


@cache
def stages():
    """Likes of three users, and the scores of two stages."""
    users, items, liked = data.catalogue(3, 30_000)
    noise = np.random.default_rng(1).normal(size=liked.shape)
    return liked, users[:, :16] @ items[:, :16].T, users @ items.T + 0.8 * noise


TEN_CLASSES = np.random.default_rng(5).integers(0, 30, (10, 10)) + np.diag(range(10, 110, 10))  # actual, predicted
AVERAGES = ("macro", "micro", "weighted")
SALES = np.array([12, 30, 8, 20, 64, 14, 4, 24, 18, 10, 16])
UNSEEN = ("recall", "test_precision", "corrected_precision", "precision")

CASES = {
    "ThresholdExplorer": Case(
        lambda **more: explorers.ThresholdExplorer(*nines(), **more),
        [
            {},
            {"threshold": 0.0},
            {"threshold": 0.123, "metric": "recall"},
            {"threshold": 0.9, "curve": "precision-recall"},
            {"threshold": 1.005, "metric": "Matthews correlation"},
        ],
        {"threshold": 0.8, "metric": "recall", "curve": "precision-recall"},
        {"cut": ("threshold", None), "place": ("false_positive_rate", "recall")},
    ),
    "ClassRatioExplorer": Case(
        lambda **more: explorers.ClassRatioExplorer(*nines(), **more),
        [
            {},
            {"ratio": 30},
            {"ratio": 1e6, "threshold": 0.9},
            {"ratio": 1, "threshold": 0.0},
            {"ratio": 1000, "threshold": 1.005},
        ],
        {"ratio": 50, "threshold": 0.8},
        {
            "dots.test_precision": ("recall", "test_precision"),
            "dots.precision": ("recall", "precision"),
            "reach": ("recall", ("precision_low", "precision_high")),
        },
    ),
    "ClassSizeExplorer": Case(
        lambda **more: unlabeled(explorers.ClassSizeExplorer, **more),
        [{}, {"k": 30}, {"class_size": 450, "k": 3}, {"class_size": 1, "k": 500}, {"class_size": 200}],
        {"class_size": 70, "k": 40},
        {
            "top": ("best_k", "best_f1"),
            **{f"sizes.{i}": ("class_size", None) for i in (0, 1)},
            **{f"cuts.{i}": ("k", None) for i in (0, 1)},
            **{f"dots.{height}": ("k", height) for height in ("recall", "precision", "f1")},
        },
    ),
    "BestThresholdExplorer": Case(
        lambda **more: unlabeled(explorers.BestThresholdExplorer, **more),
        [
            {},
            {"k": 30, "metric": "F0.5"},
            {"class_size": 500, "give_or_take": 80, "k": 500},
            {"class_size": 1, "give_or_take": 0, "metric": "net gain"},
            {"class_size": 112, "give_or_take": 60, "k": 1},
        ],
        {"metric": "F2", "class_size": 70, "give_or_take": 35, "k": 40},
        {
            "best": ("best_k", "best"),
            "safest": ("safest_k", ...),  # the metric there is no number of its own
            "optimum": ("optimum_k", "optimum"),
            "least": ("safest_k", "safest_regret"),
            **{f"cuts.{i}": ("k", None) for i in (0, 1)},
            **{f"dots.{height}": ("k", height) for height in ("value", "regret")},
        },
    ),
    "CalibrationExplorer": Case(
        lambda **more: explorers.CalibrationExplorer(*data.two_normals(1_000, 1, seed=4), **more),
        [
            {},
            {"slope": 5.0, "n_bins": 30},
            {"ratio": 100, "slope": 1.0},
            {"shifted": True},
            {"slope": 0.2, "ratio": 0.1, "n_bins": 2},
        ],
        {"slope": 1.7, "ratio": 50, "n_bins": 14, "shifted": True},
        {"half": ("half", None)},
    ),
    "UnseenNegativesExplorer": Case(
        lambda **more: explorers.UnseenNegativesExplorer(*nines(), **more),
        [
            {},
            {"unseen_per_positive": 0, "place": 1},
            {"unseen_per_positive": 50, "threshold": 0.9},
            {"place": 0, "threshold": 0.0, "ratio": 1},
            {"place": 0.3, "threshold": 1.005, "ratio": 1000},
        ],
        {"unseen_per_positive": 20, "threshold": 0.8, "ratio": 50, "place": 0.4},
        {
            "cut": ("threshold", None),
            "amount": ("unseen_per_positive", None),
            **{f"dots.{height}": ("unseen_per_positive", height) for height in UNSEEN},
        },
    ),
    "PrevalenceExplorer": Case(
        prevalence,
        [
            {},
            {"ratio": 10_000},
            {"ratio": 1, "unseen_per_positive": 50},
            {"unseen_per_positive": 3.5, "threshold": 0.01},
            {"threshold": 0.99, "ratio": 30},
        ],
        {"ratio": 50, "unseen_per_positive": 7, "threshold": 0.8},
        {
            "cut": ("threshold", None),
            "truth": ("true", None),
            **{f"dots.{height}": ("true", height) for height in ("flagged", "adjusted", "likelihood")},
        },
    ),
    "ManyClassesExplorer": Case(
        lambda **more: explorers.ManyClassesExplorer(TEN_CLASSES, **more),
        [
            {},
            {"factor": 0.3},
            {"factor": 100, "chosen": "0"},
            {"factor": 0.01, "metric": "precision"},
            {"chosen": "5", "metric": "recall"},
        ],
        {"chosen": "3", "metric": "recall", "factor": 0.2},
        {
            "place": ("factor", None),
            **{f"cuts.{name}": (name, None) for name in AVERAGES},
            **{f"dots.{name}": ("factor", name) for name in AVERAGES},
        },
    ),
    "TopKExplorer": Case(
        lambda **more: explorers.TopKExplorer([0, 1, 1, 0, 0, 1], **more),
        [{}, {"k": 1}, {"item": "F", "k": 6}, {"place": 6, "item": "B"}, {"item": "A", "place": 4, "k": 2}],
        {"k": 5, "item": "C", "place": 4},
        {"k": ("k", None)},
    ),
    "RankPositionExplorer": Case(
        lambda **more: explorers.RankPositionExplorer([0, 5, 1, 4, 2], **more),
        [{}, {"item": "B"}, {"place": 5}, {"gain": "exponential"}, {"item": "D", "place": 2, "gain": "linear"}],
        {"item": "E", "place": 3, "gain": "exponential"},
        {"chance_hits": ("random_reciprocal_hits", None)},
    ),
    "MatchingExplorer": Case(
        matching,
        [
            {},
            {"neighbours": 1},
            {"threshold": 0.0, "neighbours": 25},
            {"threshold": 1.0},
            {"threshold": 0.55, "neighbours": 3},
        ],
        {"threshold": 0.5, "neighbours": 12},
        {},
    ),
    "ClusteringExplorer": Case(
        lambda **more: explorers.ClusteringExplorer(*data.three_heaps(), **more),
        [
            {},
            {"n_clusters": 1},
            {"linkage": "single", "n_clusters": 12},
            {"n_clusters": 3, "linkage": "complete"},
            {"linkage": "average", "n_clusters": 7},
        ],
        {"n_clusters": 5, "linkage": "single"},
        {"now": ("n_clusters", None), **{f"dots.{name}": ("n_clusters", name) for name in CLUSTER_SCORES}},
    ),
    "RegressionLossExplorer": Case(
        lambda **more: explorers.RegressionLossExplorer(SALES, SALES[::-1] + 3, **more),
        [
            {},
            {"constant": 16.0, "quantile": 0.5},
            {"row": 3, "shift": 110.0},
            {"quantile": 0.01, "shift": -30.0, "row": 7},
            {"constant": 4.0, "row": 1, "quantile": 0.99, "shift": 8.0},
        ],
        {"constant": 24.3, "row": 2, "shift": 33.0, "quantile": 0.65},
        {
            "constant": ("constant", None),
            "moved": ("place", "target"),
            **{f"asked.{name}": (f"best_{name.lower()}", None) for name in ("RMSE", "MAE", "MAPE", "pinball")},
        },
    ),
    "SplitExplorer": Case(
        split,
        [{}, {"edge": 80}, {"way": "as filed", "edge": 17}, {"way": "only the past"}, {"way": "whole groups"}],
        {"way": "only the past", "edge": 37},
        {"cut": ("edge", None), **{f"dots.{height}": ("edge", height) for height in ("measured", "fresh")}},
    ),
    "DriftExplorer": Case(
        drift,
        [
            {},
            {"strength": 0.0, "day": 120},
            {"kind": "label", "strength": 1.0, "rows": 100_000},
            {"kind": "concept: fewer count", "reviews": 200, "day": 1},
            {"kind": "concept: more count", "strength": 1.0, "rows": 50, "reviews": 1, "day": 110},
        ],
        {"kind": "label", "strength": 0.6, "rows": 2_000, "reviews": 50, "day": 80},
        {f"today.{i}": ("day", None) for i in range(5)},
    ),
    "FunnelExplorer": Case(
        funnel,
        [
            {},
            {"candidates": 30_000, "budget": 30.0},
            {"reranked": 1_000, "shown": 1},
            {"candidates": 1, "reranked": 1, "shown": 100},
            {"candidates": 500, "budget": 1.0},
        ],
        {"candidates": 400, "reranked": 50, "shown": 10, "budget": 12.0},
        {
            "fits": ("affordable", None),
            "now": ("candidates", None),
            **{f"dots.{name}": ("candidates", name) for name in ("recall", "ndcg")},
        },
    ),
    "moving": Case(
        lambda **more: moving(partial(two_shares, **more), **TWO_SHARES),
        [{}, {"share": 0.0}, {"share": 0.77, "n": 50}, {"kind": "bars"}, {"share": 1.0, "n": 1, "kind": "line"}],
        {"share": 0.4, "n": 7, "kind": "bars"},
        {},
    ),
}
REGISTERED = [
    "moving",  # a function, whose explorers follow whatever it is given
    *(
        name
        for name in explorers.__all__
        if isinstance(kind := getattr(explorers, name), type) and issubclass(kind, Explorer) and kind is not Explorer
    ),
]
