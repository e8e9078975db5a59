"""What is timed: each case holds contenders that do the same work, ours first, and the goal it has to meet."""

import contextlib
import io
import math
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import matplotlib

matplotlib.use("Agg")

import ipywidgets as ipw
import matplotlib.pyplot as plt
import numpy as np
from sklearn import metrics

from evalteach import class_ratio, classification, data, ideal_ranking, plots, ranking
from evalteach.counts import Counts, sweep
from evalteach.explorers import (
    CalibrationExplorer,
    ClassRatioExplorer,
    ClassSizeExplorer,
    FunnelExplorer,
    ThresholdExplorer,
)
from evalteach.explorers.engine.base import picture_points
from evalteach.reviews.plan import plan
from evalteach.unlabeled import UnlabeledCurve

ROOT = Path(__file__).resolve().parents[2]
ROWS = 1_000_000


class Case(NamedTuple):
    """What is timed. ``make`` returns the contenders, ours first: a dict of functions without arguments.

    ``faster`` says how many times faster than each named peer ours has to be (0: only to be told),
    ``seconds`` what it may take.
    """

    name: str
    make: Callable
    rounds: int
    faster: dict
    seconds: float = math.inf


# --- counts at every threshold -----------------------------------------------------------------------------


def scored(rows, kind="uniform"):
    rng = np.random.default_rng(0)
    y_true = rng.random(rows) < 0.1
    return y_true, rng.random(rows) if kind == "uniform" else rng.normal(size=rows) + y_true


def sweeping(rows, kind="uniform"):
    y_true, y_score = scored(rows, kind)
    return {
        "evalteach": lambda: sweep(y_true, y_score),
        "scikit-learn": lambda: metrics.confusion_matrix_at_thresholds(y_true, y_score),
        "np.sort": lambda: np.sort(y_score),
    }


# --- areas under curves, and the best threshold --------------------------------------------------------------


def area(ours, theirs):
    y_true, y_score = scored(ROWS)
    return {
        "evalteach": lambda: ours(sweep(y_true, y_score).counts),
        "scikit-learn": lambda: theirs(y_true, y_score),
        "np.sort": lambda: np.sort(y_score),
    }


def auc_interval(rows):
    y_true, y_score = scored(rows, "normal")
    rng = np.random.default_rng(1)

    def bootstrap():
        draws = rng.integers(rows, size=(200, rows))
        return np.quantile([metrics.roc_auc_score(y_true[draw], y_score[draw]) for draw in draws], [0.025, 0.975])

    return {
        "evalteach": lambda: classification.roc_auc_interval(sweep(y_true, y_score).counts),
        "200 bootstraps": bootstrap,
        "np.sort": lambda: np.sort(y_score),
    }


def best_at_ratio():
    every = sweep(*scored(ROWS, "normal"))
    corners = every.counts[classification.roc_hull(every.counts)]

    def best(counts):
        return lambda ratio: int(np.nanargmax(classification.fbeta(class_ratio.at_class_ratio(counts, ratio))))

    ratios = np.geomspace(1, 1e4, 37).tolist()
    return {"evalteach": in_turn(best(corners), ratios), "every threshold": in_turn(best(every.counts), ratios)}


def hulls(points):
    """A bow before a steep rise, of which a pass over all points at once would take away only one."""
    right = np.sort(np.random.default_rng(0).uniform(0.1, 1, points))
    up = right[::-1]
    fp, tp = np.append(0, np.cumsum(np.append(right, 0))), np.append(0, np.cumsum(np.append(up, 10 * up.sum())))
    counts = Counts(tp=tp, fp=fp, fn=tp[-1] - tp, tn=fp[-1] - fp)
    return {"evalteach": lambda: classification.roc_hull(counts), "np.sort": lambda: np.sort(right)}


# --- curves on unlabeled rows --------------------------------------------------------------------------------


def unlabeled_scores():
    rng = np.random.default_rng(0)
    n_positives = ROWS // 100
    unlabeled = np.append(rng.normal(size=ROWS - n_positives), rng.normal(2, size=n_positives))
    return rng.normal(2, size=1000), rng.permutation(unlabeled), n_positives


def walk(positives, unlabeled):
    """Test positives at or above each unlabeled row, from the best row down: the loop over rows."""
    positives, found = sorted(positives, reverse=True), 0
    for threshold in sorted(unlabeled, reverse=True):
        while found < len(positives) and positives[found] >= threshold:
            found += 1
        yield found


def unlabeled_recall():
    positives, unlabeled, _ = unlabeled_scores()
    lists = positives.tolist(), unlabeled.tolist()
    return {
        "evalteach": lambda: UnlabeledCurve(positives, unlabeled).recall,
        "a loop": lambda: [found / positives.size for found in walk(*lists)],
        "np.sort": lambda: np.sort(unlabeled),
    }


def unlabeled_best():
    positives, unlabeled, size = unlabeled_scores()
    lists = positives.tolist(), unlabeled.tolist()
    factor = 2 * size / positives.size
    return {
        "evalteach": lambda: UnlabeledCurve(positives, unlabeled).best(size),
        "a loop": lambda: max((factor * found / (k + size), k) for k, found in enumerate(walk(*lists), 1)),
        "np.sort": lambda: np.sort(unlabeled),
    }


def review_planning():
    scores = np.random.default_rng(0).random(ROWS)
    return {"evalteach": lambda: plan(scores, 360, threshold=0.99), "np.sort": lambda: np.sort(scores)}


# --- ranked lists ------------------------------------------------------------------------------------------


def top_ten():
    rng = np.random.default_rng(0)
    score = rng.random((100_000, 100))
    relevance = (rng.random(score.shape) < 0.1).astype(float)
    five = ("precision", "recall", "average_precision_by_relevant", "reciprocal_rank", "ndcg")
    return {
        "evalteach": lambda: ranking.per_list(relevance, score, 10, metrics=five),
        "np.sort": lambda: np.sort(score, axis=1),
    }


def pairs():
    rng = np.random.default_rng(0)
    relevance = rng.integers(0, 5, 100_000)
    score = relevance + rng.normal(size=relevance.size)
    return {
        "evalteach": lambda: ranking.concordant_pairs(relevance, score),
        "np.lexsort": lambda: np.lexsort((score, relevance)),
    }


# --- one move of the threshold -----------------------------------------------------------------------------


def in_turn(act, values):
    """A function without arguments that acts on another value each time."""
    values, place = list(values), [0]

    def once():
        place[0] += 1
        return act(values[place[0] % len(values)])

    return once


def setter(control):
    return lambda value: setattr(control, "value", value)


def four_metrics():
    y_true, y_score = scored(ROWS)
    every = sweep(y_true, y_score)
    ours = (classification.precision, classification.recall, classification.accuracy, classification.fbeta)
    theirs = (metrics.precision_score, metrics.recall_score, metrics.accuracy_score, metrics.f1_score)

    def move(threshold):
        counts = every.at(threshold)
        return [metric(counts) for metric in ours]

    def scikit_learn(threshold):
        flagged = y_score >= threshold
        return [metric(y_true, flagged) for metric in theirs]

    cuts = np.linspace(0.1, 0.9, 37).tolist()
    return {"evalteach": in_turn(move, cuts), "scikit-learn": in_turn(scikit_learn, cuts)}


# --- with the picture: the same figure, by interact and a new pyplot figure each time ------------------------
# The peers are given all that does not move, and curves of no more points than the explorers draw.


def interacting(draw, control):
    """What `interact` does on a move, without a front end: call the function, show the figure, close it."""
    drawn = []

    def show(value):
        figure = draw(value)
        figure.savefig(io.BytesIO(), format="png", dpi=100)
        plt.close(figure)
        drawn.append(value)

    # without a front end, clearing the output prints
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        output = ipw.interactive(show, value=control)

    def move(value):
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            output.children[0].value = value
        # an error in the function is told in the output and not raised
        assert drawn[-1:] == [output.children[0].value]

    return move


def slider(low, high):
    return ipw.FloatSlider(low, min=low, max=high, step=(high - low) / 1e6)


def moving_threshold():
    y_true, y_score = scored(ROWS, "normal")
    explorer = ThresholdExplorer(y_true, y_score)
    every = sweep(y_true, y_score)
    curve = every.counts[picture_points(every)]
    x, y = classification.false_positive_rate(curve), classification.recall(curve)
    edges = np.linspace(y_score.min(), y_score.max(), 41)
    shares = [np.histogram(y_score[rows], edges)[0] / rows.sum() for rows in (y_true, ~y_true)]

    def draw(threshold):
        figure, (scores, roc, matrix) = plt.subplots(
            1, 3, figsize=(9.6, 4), layout="constrained", width_ratios=[1.25, 1, 1]
        )
        plots.score_histograms(scores, edges, *shares)
        scores.set(title="Scores: flagged from the line on", xlabel="score", ylabel="share of each class")
        plots.upright(scores, width=2).set_xdata([threshold] * 2)
        plots.set_shade(plots.shade(scores), threshold)
        plots.line(roc, x, y, "test")
        plots.unit_axes(roc)
        roc.set(title="ROC curve", xlabel="false positive rate", ylabel="recall")
        counts = every.at(threshold)
        fpr, recall = classification.false_positive_rate(counts), classification.recall(counts)
        plots.dot(roc, "deployed").set_data([fpr], [recall])
        for name, text in plots.confusion_matrix(matrix)[1].items():
            text.set_text(f"{getattr(counts, name):,}")
        precision = classification.precision(counts)
        said = f"precision = {counts.tp:,} / ({counts.tp:,} + {counts.fp:,}) = {precision:.3f}"
        plots.caption(figure).set_text(said)
        return figure

    cuts = np.linspace(-1, 2, 37).tolist()
    return {
        "evalteach": in_turn(setter(explorer.controls["threshold"]), cuts),
        "interact + pyplot": in_turn(interacting(draw, slider(-3.0, 4.0)), cuts),
    }


def moving_ratio():
    y_true, y_score = scored(ROWS, "normal")
    explorer = ClassRatioExplorer(y_true, y_score, threshold=1.0)
    every = sweep(y_true, y_score)
    points, now = every.counts[picture_points(every)], every.at(1.0)
    bounds, recall = class_ratio.rate_bounds(points), classification.recall(points)

    def draw(ratio):
        figure, (curves, alarms) = plt.subplots(1, 2, figsize=(9, 4), layout="constrained", width_ratios=[1.35, 1])
        low, high = (classification.precision(class_ratio.at_class_ratio(end, ratio)) for end in bounds)
        plots.set_band(plots.band(curves, "deployed", name="95 % band"), recall, low, high)
        test = classification.precision(points)
        plots.line(curves, recall, test, "test", style="--", name="test set", steps=True)
        deployed = classification.precision(class_ratio.at_class_ratio(points, ratio))
        plots.line(curves, recall, deployed, "deployed", name="deployed", steps=True)
        plots.unit_axes(curves)
        curves.set(title="Precision-recall curve, at each threshold", xlabel="recall", ylabel="precision")
        precision = classification.precision(class_ratio.at_class_ratio(now, ratio))
        for colour, height in (("test", classification.precision(now)), ("deployed", precision)):
            plots.dot(curves, colour).set_data([classification.recall(now)], [height])
        ends = class_ratio.precision_interval(now, ratio)
        plots.line(curves, [classification.recall(now)] * 2, ends, "ink", width=1.2)
        curves.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=3, fontsize=8, frameon=False)
        plots.set_hundred(plots.hundred(alarms), precision)
        said = f"Of 100 alarms, {100 * precision:.0f} are real (filled):\n{1 / precision:.3g} alarms per true find"
        plots.live_text(alarms, 0.5, 1.06, transform=alarms.transAxes).set_text(said)
        return figure

    ratios = np.geomspace(2, 1e4, 37).tolist()
    return {
        "evalteach": in_turn(setter(explorer.controls["ratio"]), ratios),
        "interact + pyplot": in_turn(interacting(draw, slider(1.0, 1e6)), ratios),
    }


def moving_class_size():
    rng = np.random.default_rng(0)
    positives = rng.normal(2, size=1000)
    unlabeled = np.append(rng.normal(size=ROWS - 10_000), rng.normal(2, size=10_000))
    explorer = ClassSizeExplorer(positives, unlabeled, class_size=10_000)
    curve, ranks = UnlabeledCurve(positives, unlabeled), explorer.ranks
    k, end = 10_000, ranks[-1]
    recall = curve.recall[ranks - 1]

    def draw(size):
        figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
        some = np.unique(np.append(np.linspace(1, min(size, end), 48), end))
        low, mean, high = ideal_ranking.ideal_recall_band(curve.n_test_positives, size, some)
        plots.set_band(plots.band(left, "ideal", name="95 % band of the ideal"), some, low, high)
        plots.line(left, some, mean, "ideal", style="--", name="ideal on average")
        plots.line(left, ranks, recall, "ink", name="this model")
        left.set_ylim(-0.03, 1.03)
        left.set(title="Recall@k on unlabeled rows", xlabel="unlabeled rows flagged, k", ylabel="recall@k")
        shown = ranks[ranks >= size / 20]
        precision = curve.precision(size, shown)
        plots.set_band(plots.band(right, "positive"), shown, *curve.precision_band(size, shown))
        plots.line(right, shown, precision, "positive", name="precision@k")
        plots.line(right, shown, curve.f1(size, shown), "deployed", style="-.", name="F1@k")
        best = curve.best(size)
        plots.dot(right, "deployed", marker="*", size=14).set_data([best.k], [best.f1])
        right.axhline(1, color=plots.COLOURS["test"], linewidth=0.8)
        right.set_ylim(-0.03, 1.1 * max(1, precision.max()))
        right.set(title="Estimates for this class size", xlabel="unlabeled rows flagged, k")
        heights = curve.recall_at(k), curve.precision(size, k), curve.f1(size, k)
        for axes, place in ((left, "lower right"), (right, "upper right")):
            axes.set_xlim(0, end)
            plots.upright(axes, "test", style="--", name="class size").set_xdata([size] * 2)
            plots.upright(axes).set_xdata([k] * 2)
            axes.legend(loc=place, fontsize=8, framealpha=0.9)
        for axes, colour, height in zip((left, right, right), ("ink", "positive", "deployed"), heights, strict=True):
            plots.dot(axes, colour).set_data([k], [height])
        return figure

    sizes = np.linspace(4000, 16_000, 37).astype(int).tolist()
    whole = ipw.IntSlider(4000, min=1, max=40_000)
    return {
        "evalteach": in_turn(setter(explorer.controls["class_size"]), sizes),
        "interact + pyplot": in_turn(interacting(draw, whole), sizes),
    }


# --- explorers whose rows are many -------------------------------------------------------------------------------


def moving_calibration():
    y_true, y_score = scored(ROWS, "normal")
    explorer = CalibrationExplorer(y_true, 1 / (1 + np.exp(2 - y_score)))
    return {"evalteach": in_turn(setter(explorer.controls["slope"]), np.geomspace(0.5, 2, 37).tolist())}


def moving_funnel():
    """20 users of a catalogue of 1e5 items."""
    _, _, liked = rows = data.catalogue(20, 100_000)
    explorer = FunnelExplorer(liked, rows.score(16), rows.score(32))
    return {"evalteach": in_turn(setter(explorer.controls["candidates"]), range(80_000, 90_000, 1_000))}


# --- bytes -------------------------------------------------------------------------------------------------


def picture_bytes():
    """Largest picture of each explorer on the digits, over the way of each of its controls."""
    nines, partly = data.digit_detector(9), data.digits_three_of_ten().of(9)
    size = ClassSizeExplorer(partly.test.positives, partly.unlabeled.y_score, class_size=90, max_k=500)
    ways = {
        "threshold": np.linspace(0, 1, 21),
        "ratio": np.geomspace(1, 1e6, 21),
        "k": range(1, 500, 24),
        "class_size": range(1, 500, 24),
        "metric": ["recall", "F1", "Matthews correlation"],
        "curve": ["precision-recall"],
    }
    largest = {}
    for explorer in (ThresholdExplorer(*nines), ClassRatioExplorer(*nines), size):
        for name, control in explorer.controls.items():
            bytes_ = []
            for value in ways[name]:
                control.value = value
                bytes_.append(len(explorer.picture.value))
            largest[f"{type(explorer).__name__}, {name}"] = max(bytes_)
    return largest


# --- imports -----------------------------------------------------------------------------------------------


def seconds_to_import(what, after=""):
    """In a new interpreter that has already imported ``after``."""
    code = f"import sys, time\n{after}\nstart = time.perf_counter()\n{what}\nprint(time.perf_counter() - start)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    return float(done.stdout)


IMPORTS = {
    "import evalteach": lambda: seconds_to_import("import evalteach"),
    "import its core, beyond numpy": lambda: seconds_to_import(
        "from evalteach import class_ratio, classification, counts", after="import numpy"
    ),
}

# --- goals ---------------------------------------------------------------------------------------------------

TENTH_OF_SKLEARN = {"scikit-learn": 10, "np.sort": 1 / 4}
THIRD_OF_SORTS = {"scikit-learn": 10, "np.sort": 1 / 3}
CASES = [
    Case("sweep, 1e4 rows", lambda: sweeping(10**4), 200, {"scikit-learn": 0, "np.sort": 0}),
    Case("sweep, 1e5 rows", lambda: sweeping(10**5), 40, {"scikit-learn": 0, "np.sort": 0}),
    Case("sweep, 1e6 rows", lambda: sweeping(10**6), 9, TENTH_OF_SKLEARN),
    Case("sweep, 1e6 rows, both signs", lambda: sweeping(10**6, "normal"), 9, TENTH_OF_SKLEARN),
    Case("sweep, 1e7 rows", lambda: sweeping(10**7), 3, TENTH_OF_SKLEARN),
    Case("AUC, 1e6 rows", lambda: area(classification.roc_auc, metrics.roc_auc_score), 9, THIRD_OF_SORTS),
    Case(
        "average precision, 1e6 rows",
        lambda: area(classification.average_precision, metrics.average_precision_score),
        9,
        THIRD_OF_SORTS,
    ),
    Case("AUC interval, 1e4 rows", lambda: auc_interval(10**4), 5, {"200 bootstraps": 500, "np.sort": 1 / 12}),
    Case("best F1 at a ratio, 1e6 rows", best_at_ratio, 25, {"every threshold": 0}, seconds=50e-6),
    Case("hull of a steep rise, 1e5 points", lambda: hulls(10**5), 9, {"np.sort": 0}, seconds=2),
    Case("plan of 360 reviews, 1e6 rows", review_planning, 5, {"np.sort": 0}, seconds=3),
    Case("recall@k, 1e6 rows", unlabeled_recall, 9, {"a loop": 15, "np.sort": 1 / 3}),
    Case("best F1@k, 1e6 rows", unlabeled_best, 9, {"a loop": 15, "np.sort": 1 / 3}),
    Case("five metrics at 10, 1e5 lists", top_ten, 5, {"np.sort": 1 / 6}),
    Case("concordant pairs, 1e5 items", pairs, 9, {"np.lexsort": 2 / 3}, seconds=0.5),
    Case("threshold moved: 4 metrics", four_metrics, 15, {"scikit-learn": 0}, seconds=20e-6),
    Case("threshold moved: picture", moving_threshold, 25, {"interact + pyplot": 20}),
    Case("class ratio moved: picture", moving_ratio, 25, {"interact + pyplot": 3}),
    Case("class size moved: picture", moving_class_size, 25, {"interact + pyplot": 3}),
    Case("calibration moved, 1e6 rows", moving_calibration, 9, {}, seconds=60e-3),
    Case("funnel moved, 20 users of 1e5 items", moving_funnel, 9, {}, seconds=60e-3),
]
LARGEST_PICTURE = 25_000
LONGEST_IMPORT = {"import evalteach": 0.010, "import its core, beyond numpy": 0.030}
