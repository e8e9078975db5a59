"""The explorer of a threshold: its counts and metrics against scikit-learn, its fraction, and odd scores."""

import math

import numpy as np
import pandas as pd
import pytest
from screens import numbers_in
from sklearn import metrics

from evalteach import classification
from evalteach.counts import sweep
from evalteach.explorers import ClassRatioExplorer, ThresholdExplorer
from evalteach.explorers import threshold as threshold_module
from evalteach.explorers.engine.controls import threshold_control
from explorers.helpers import CASES, move, nines, stops

pytestmark = pytest.mark.usefixtures("undrawn")

INF = math.inf


@pytest.mark.parametrize("threshold", [0.0, 0.123, 0.5, 0.875, 0.999])
def test_the_threshold_explorer_agrees_with_scikit_learn(threshold):
    explorer = move(CASES["ThresholdExplorer"].make(), threshold=threshold)
    flagged = nines().y_score >= threshold
    (tn, fp), (fn, tp) = metrics.confusion_matrix(nines().y_true, flagged)
    expected = {
        "threshold": threshold, "tp": tp, "fp": fp, "fn": fn, "tn": tn,
        "accuracy": metrics.accuracy_score(nines().y_true, flagged),
        "precision": metrics.precision_score(nines().y_true, flagged),
        "recall": metrics.recall_score(nines().y_true, flagged),
        "specificity": metrics.recall_score(~nines().y_true, ~flagged),
        "false_positive_rate": 1 - metrics.recall_score(~nines().y_true, ~flagged),
        "false_discovery_rate": 1 - metrics.precision_score(nines().y_true, flagged),
        "f1": metrics.f1_score(nines().y_true, flagged),
        "matthews_correlation": metrics.matthews_corrcoef(nines().y_true, flagged),
    }  # fmt: skip
    if threshold == 0:  # everything is flagged; scikit-learn says 0 for 0/0
        expected["matthews_correlation"] = math.nan
    assert explorer.numbers() == pytest.approx(expected, nan_ok=True)
    shown = [threshold, tp + fp, 1_797, tp, tp, fp, expected["precision"]]
    assert numbers_in(repr(explorer)) == pytest.approx(shown, abs=6e-4)
    for name, text in explorer.artists.texts.items():
        assert text.get_text() == f"{expected[name]:,}"


def value_of(fraction):
    """The value that a reader with a pocket calculator gets."""
    sum_in_python = fraction.replace(",", "").replace("×", "*").replace("√", "math.sqrt")
    try:
        return eval(sum_in_python, {"math": math})
    except ZeroDivisionError:
        return math.nan


RNG = np.random.default_rng(0)
LABELS = RNG.random(3000) < 0.3
FRACTION_CASES = {
    "digits": {},
    "thousands": {"y_true": LABELS, "y_score": RNG.normal(size=3000) + LABELS},
    "weights": {"y_true": LABELS[:200], "y_score": RNG.random(200), "weights": RNG.random(200) * 3},
    "ties": {"y_true": [1, 1, 0, 1, 0, 1, 0, 0], "y_score": [2, 1, 1, 1, 0, 0, 0, -1]},
    "positives only": {"y_true": [1, 1, 1], "y_score": [0.1, 0.5, 0.9]},
    "negatives only": {"y_true": [0, 0, 0], "y_score": [0.1, 0.5, 0.9]},
}


@pytest.mark.parametrize("case", FRACTION_CASES)
def test_the_fraction_evaluates_to_the_value_it_states(case):
    explorer = ThresholdExplorer(**FRACTION_CASES[case] or nines()._asdict())
    box = explorer.controls["threshold"]
    close = 2e-3 if case == "weights" else 6e-4  # a weighted count is said to four digits
    places = box.min, box.value, box.max
    for metric in threshold_module.METRICS:  # the outer loop, since the curve follows it
        for threshold in places:
            move(explorer, threshold=threshold, metric=metric)
            name, fraction, stated = explorer.artists.fraction.get_text().split(" = ")
            assert name == metric
            assert float(stated) == pytest.approx(value_of(fraction), abs=close, nan_ok=True)
            assert float(stated) == pytest.approx(
                explorer.numbers()[metric.lower().replace(" ", "_")], abs=5e-4, nan_ok=True
            )
            assert repr(explorer).lower().endswith(explorer.artists.fraction.get_text().lower() + ".")


def test_labels_and_scores_may_be_columns_of_a_table():
    plain = ThresholdExplorer(*nines())
    table = pd.DataFrame({"label": np.where(nines().y_true, "nine", "other"), "score": nines().y_score})
    table = table.sample(frac=1, random_state=0)  # an index that is no position
    named = ThresholdExplorer(table["label"], table["score"], positive="nine")
    assert repr(named) == repr(plain)
    assert named.picture.value == plain.picture.value
    swapped = ThresholdExplorer(table["label"], table["score"], positive="other").numbers()
    assert swapped["tp"] == plain.numbers()["fp"]
    twice = pd.Series(2, index=table.index)
    weighted = ClassRatioExplorer(table["label"], table["score"], positive="nine", weights=twice)
    assert weighted.numbers()["precision"] == ClassRatioExplorer(*nines()).numbers()["precision"]


def test_a_weight_of_two_is_a_row_that_stands_twice():
    y_true, y_score = [1, 0, 1, 0], [0.9, 0.7, 0.4, 0.2]
    weighted = ThresholdExplorer(y_true, y_score, weights=[1, 2, 2, 1], metric="F1")
    twice = ThresholdExplorer([1, 0, 0, 1, 1, 0], [0.9, 0.7, 0.7, 0.4, 0.4, 0.2], metric="F1")
    assert repr(weighted) == repr(twice)


def test_rows_with_one_score_are_flagged_together():
    explorer = ThresholdExplorer([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1])
    assert numbers_in(repr(move(explorer, threshold=0.5)))[1:6] == [3, 4, 2, 2, 1]
    assert numbers_in(repr(move(explorer, threshold=0.51)))[1:6] == [1, 4, 1, 1, 0]


@pytest.mark.parametrize("label", [0, 1])
def test_with_one_class_only_what_has_no_value_is_called_nan(label):
    metric = ("recall", "specificity")[label]
    explorer = ThresholdExplorer([label] * 3, [0.1, 0.5, 0.9], metric=metric)
    assert repr(explorer).endswith("0 / (0 + 0) = nan.")
    for curve in ("precision-recall", "ROC"):
        move(explorer, curve=curve, threshold=0.7)
    assert explorer.numbers()["accuracy"] == pytest.approx([2 / 3, 1 / 3][label])


SCORES = {
    "below 0 and above 1": [-5, -7, 3, -20],
    "probabilities that stop below one half": [0.1, 0.2, 0.3, 0.4],
    "constant": [0.5, 0.5, 0.5, 0.5],
    "all zero": [0, 0, 0, 0],
    "some infinite": [INF, -INF, 3, 1],
    "all infinite": [INF, -INF, INF, INF],
    "huge": [1e300, -1e300, 1e299, 0],
    "small": [1e-8, 2e-8, 3e-8, 4e-9],
    "tiny": [1e-50, 3e-50, 2e-50, 4e-50],
    "close together and far from 0": [1e9, 1e9 + 1, 1e9 + 2, 1e9 + 3],
}


@pytest.mark.parametrize("kind", [ThresholdExplorer, ClassRatioExplorer])
def test_scores_wider_than_can_be_drawn_are_refused(kind):
    with pytest.raises(
        ValueError, match=r"^y_score spans -1\.7e\+308 to 1\.7e\+308; an explorer draws scores within ±1e\+306$"
    ):
        kind([1, 0, 1, 0], [1.7e308, -1.7e308, 1e308, 0])


@pytest.mark.parametrize("which", SCORES)
@pytest.mark.parametrize("kind", [ThresholdExplorer, ClassRatioExplorer])
def test_any_scores_that_order_rows_will_do(kind, which):
    y_true, y_score = np.array([1, 0, 1, 0]), np.array(SCORES[which], dtype=float)
    explorer = kind(y_true, y_score)
    box = explorer.controls["threshold"]
    assert np.isfinite([box.min, box.value, box.max]).all()
    assert box.min < box.max
    assert box.min <= np.min(y_score, where=np.abs(y_score) < 1e301, initial=INF)
    for cut in (box.min, box.value, box.max, *y_score.tolist()):
        box.value = cut
        cut = box.value
        flagged = y_score >= cut
        now = explorer.numbers()
        assert now["tp"] == flagged[y_true == 1].sum()
        assert now["fp"] == flagged[y_true == 0].sum()
    finite = np.unique(y_score[np.isfinite(y_score)])
    parted = np.searchsorted(finite, stops(threshold_control(explorer.sweep, None)))
    assert {*parted} >= {*range(1, finite.size)}, "the slider has a stop between any two"


@pytest.mark.parametrize("kind", [ThresholdExplorer, ClassRatioExplorer])
@pytest.mark.seen
def test_a_class_of_one_row_and_a_million_rows_fit_the_same_picture(kind):
    many = RNG.random(1_000_000)
    explorer = kind(np.arange(many.size) == 0, many)
    assert explorer.numbers()["threshold"] == 0.5
    assert len(explorer.picture.value) < 25_000


def test_the_shaded_side_is_the_flagged_one():
    explorer = CASES["ThresholdExplorer"].make()
    for threshold in (0.0, 0.3, 0.9):
        shaded = move(explorer, threshold=threshold).artists.shaded
        left, right = shaded.get_bbox().intervalx
        assert (left, right) == pytest.approx((threshold, shaded.axes.get_xlim()[1]))


def test_the_bars_are_the_rows_of_each_class_per_bin_on_a_log_scale_upwards_and_downwards():
    explorer = CASES["ThresholdExplorer"].make()
    actual, score = nines().y_true, nines().y_score
    edges = np.linspace(0, explorer.controls["threshold"].max, 41)
    axes = explorer.artists.cut.axes
    for bars, rows, sign in zip(axes.containers, (actual, ~actual), (1, -1), strict=True):
        counts = np.histogram(score[rows], edges)[0]
        assert [bar.get_height() for bar in bars] == pytest.approx(sign * np.log1p(counts))
        assert [bar.get_x() for bar in bars] == pytest.approx(edges[:-1])
    ticks = {
        abs(place): label.get_text() for place, label in zip(axes.get_yticks(), axes.get_yticklabels(), strict=True)
    }
    assert ticks == {0: "0", **{np.log1p(rows): f"{rows:,}" for rows in (1, 10, 100, 1000)}}


def test_without_a_curve_there_is_no_control_for_it_and_the_numbers_are_the_same():
    plain, bare = CASES["ThresholdExplorer"].make(), CASES["ThresholdExplorer"].make(curve=None)
    assert list(bare.controls) == ["threshold", "metric"]
    assert len(bare.artists.cut.figure.axes) == 2
    for threshold, metric in ((0.2, "recall"), (0.9, "precision")):
        states = [move(each, threshold=threshold, metric=metric) for each in (plain, bare)]
        assert repr(states[0]) == repr(states[1])
        assert bare.artists.texts["tp"].get_text() == plain.artists.texts["tp"].get_text()


def test_the_confusion_matrix_has_the_layout_of_scikit_learn():
    artists = CASES["ThresholdExplorer"].make(threshold=0.5).artists
    axes = artists.cells["tp"].axes
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("predicted", "actual")
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["negative\n(not flagged)", "positive\n(flagged)"]
    assert [tick.get_text() for tick in axes.get_yticklabels()] == ["negative", "positive"]
    expected = metrics.confusion_matrix(nines().y_true, nines().y_score >= 0.5)
    for (row, column), count in zip(np.ndindex(2, 2), ("tn", "fp", "fn", "tp"), strict=True):
        box = axes.transData.transform(artists.cells[count].get_bbox())
        x, y = axes.transAxes.inverted().transform(box).mean(axis=0)  # from the left, and from the bottom
        assert (int(2 * (1 - y)), int(2 * x)) == (row, column), count
        assert artists.texts[count].get_text() == f"{expected[row, column]:,}"


def test_where_the_threshold_starts():
    for scores, start in (([0.1, 0.2, 0.8, 1.0], 0.5), ([0.1, 0.2, 0.3, 0.4], 0.25), ([-4, 4, 2, 1], 0.0)):
        every = sweep([1, 0, 1, 0], scores)
        assert threshold_control(every, None).widget.value == pytest.approx(start, abs=0.011)
        assert threshold_control(every, 0.3).widget.value == 0.3


@pytest.mark.parametrize("score", [0.7, -20.0, 0.0])
def test_a_threshold_among_equal_scores_moves_in_small_steps_to_both_sides_of_them(score):
    box = threshold_control(sweep([1, 0], [score, score]), None).widget
    assert box.min <= score < box.max <= score + (0.01 * abs(score) or 0.1)


def test_every_metric_is_the_librarys():
    for metric, _ in threshold_module.METRICS.values():
        assert metric is getattr(classification, metric.__name__)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"metric": "nonsense"}, r"metric must be one of 'accuracy', .* got 'nonsense'"),
        ({"curve": "roc"}, r"curve must be one of 'ROC', 'precision-recall', got 'roc'"),
        ({"positive": "nine"}, "does not occur in y_true"),
        ({"threshold": math.nan}, "threshold must be a finite number to start with, got nan"),
        ({"threshold": INF}, "threshold must be a finite number to start with, got inf"),
        ({"threshold": "0.5"}, "^threshold must be one real number, got '0.5'"),
    ],
)
def test_a_wrong_argument_is_refused_with_its_name(arguments, said):
    with pytest.raises(ValueError, match=said):
        ThresholdExplorer(*nines(), **arguments)


@pytest.mark.parametrize("kind", ["f2", "f4"])
def test_scores_are_compared_with_the_threshold_in_their_own_precision(kind):
    scores = np.round(nines().y_score, 1).astype(kind)
    explorer = ThresholdExplorer(nines().y_true, scores)
    for threshold in (0.1, 0.2, 0.7):  # the nearest float32 and float16 lie above and below these
        now = move(explorer, threshold=threshold).numbers()
        assert now["tp"] + now["fp"] == np.sum(scores >= threshold)
