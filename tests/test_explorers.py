"""The explorers without a browser: set a control's value, read the sentence, the numbers and the picture."""

import ast
import base64
import io
import math
import re
import sys
from pathlib import Path

import ipywidgets as ipw
import numpy as np
import pandas as pd
import pytest
from PIL import Image
from scipy.stats import binomtest, norm
from sklearn import metrics

from evalteach import classification, data, explorers, plots
from evalteach.counts import sweep
from evalteach.explorers import ClassRatioExplorer, ClassSizeExplorer, Explorer, ThresholdExplorer
from evalteach.explorers import threshold as threshold_module
from evalteach.explorers.base import choice_control, in_place, number_control, threshold_control

INF = math.inf
TEN_CLASSES = np.random.default_rng(5).integers(0, 30, (10, 10)) + np.diag(range(10, 110, 10))  # actual, predicted


def pixels(explorer):
    """What the reader sees, shape (height, width, 3)."""
    return np.asarray(Image.open(io.BytesIO(explorer.picture.value)).convert("RGB"), dtype=int)


def drawn(explorer):
    """What was drawn, before it was encoded."""
    return np.asarray(explorer.canvas.buffer_rgba())[..., :3].astype(int)


def sliders(explorer):
    """The slider beside each number box, by the box's description."""
    rows = explorer.view.children[0].children
    return {row.children[0].description: row.children[1] for row in rows if isinstance(row, ipw.HBox)}


def stops(box, slider):
    """What the box holds at each place of its slider, from left to right."""
    held = []
    slider.value = slider.max  # else the first place may be no move
    for place in range(slider.min, slider.max + 1, slider.step):
        slider.value = place
        held.append(box.value)
    return held


def move(explorer, **values):
    for name, value in values.items():
        explorer.controls[name].value = value
    return explorer


@pytest.fixture(scope="module")
def nines():
    return data.digit_detector(9)


@pytest.fixture(scope="module")
def partly():
    return data.digits_three_of_ten()


@pytest.fixture(scope="module")
def factories(nines, partly):
    """Each explorer on the digits, the way the notebooks use them."""
    column = partly.classes.index(9)
    positives = partly.test_scores[partly.test_labels == 9, column]
    unlabeled = partly.unlabeled_scores[:, column]
    is_nine = partly.unlabeled_labels == 9
    return {
        "threshold": lambda **more: ThresholdExplorer(*nines, **more),
        "class ratio": lambda **more: ClassRatioExplorer(*nines, **more),
        "class size": lambda **more: ClassSizeExplorer(
            positives, unlabeled, class_size=90, max_k=500, y_true_unlabeled=is_nine, **more
        ),
        "best threshold": lambda **more: explorers.BestThresholdExplorer(
            positives, unlabeled, **{"class_size": 90, "max_k": 500, "y_true_unlabeled": is_nine, **more}
        ),
        "calibration": lambda **more: explorers.CalibrationExplorer(*data.two_normals(1_000, 1, seed=4), **more),
        "unseen": lambda **more: explorers.UnseenNegativesExplorer(*nines, **more),
        "prevalence": lambda **more: explorers.PrevalenceExplorer(
            *data.two_normals(500, 1, separation=3.0, seed=1),
            *data.two_normals(500, 1, separation=3.0, seed=2),
            data.two_normals(500, 1, separation=1.0, seed=3).y_score,
            **more,
        ),
        "recall curve": lambda **more: explorers.RecallCurveExplorer(**more),
        "review budget": lambda **more: explorers.ReviewBudgetExplorer(
            positives, unlabeled, unlabeled / 6, np.argsort(np.argsort(-unlabeled)) // 255, **more
        ),
        "many classes": lambda **more: explorers.ManyClassesExplorer(TEN_CLASSES, **more),
    }


KINDS = (
    "best threshold",
    "calibration",
    "threshold",
    "class ratio",
    "class size",
    "many classes",
    "prevalence",
    "recall curve",
    "review budget",
    "unseen",
)
# positions a reader comes by, each control at its ends too
MOVES = {
    "best threshold": [
        {},
        {"k": 30, "goal": "F0.5"},
        {"class_size": 500, "give_or_take": 80, "k": 500},
        {"class_size": 1, "give_or_take": 0, "goal": "net gain"},
        {"class_size": 112, "give_or_take": 60, "k": 1},
    ],
    "threshold": [
        {},
        {"threshold": 0.0},
        {"threshold": 0.123, "metric": "recall"},
        {"threshold": 0.9, "curve": "precision-recall"},
        {"threshold": 1.005, "metric": "Matthews correlation"},
    ],
    "class ratio": [
        {},
        {"ratio": 30},
        {"ratio": 1e6, "threshold": 0.9},
        {"ratio": 1, "threshold": 0.0},
        {"ratio": 1000, "threshold": 1.005},
    ],
    "class size": [
        {},
        {"k": 30},
        {"class_size": 450, "k": 3},
        {"class_size": 1, "k": 500},
        {"class_size": 200},
    ],
    "calibration": [
        {},
        {"slope": 5.0, "n_bins": 30},
        {"ratio": 100, "slope": 1.0},
        {"stated": "shifted to the class ratio"},
        {"slope": 0.2, "ratio": 0.1, "n_bins": 2},
    ],
    "unseen": [
        {},
        {"unseen_per_positive": 0, "place": 1},
        {"unseen_per_positive": 50, "threshold": 0.9},
        {"place": 0, "threshold": 0.0, "ratio": 1},
        {"place": 0.3, "threshold": 1.005, "ratio": 1000},
    ],
    "prevalence": [
        {},
        {"ratio": 10_000},
        {"ratio": 1, "unseen": 50},
        {"unseen": 3.5, "threshold": 0.01},
        {"threshold": 0.99, "ratio": 30},
    ],
    "review budget": [
        {},
        {"hours": 0.5, "minutes": 1.5},
        {"scheme": "simple random", "hours": 5},
        {"scheme": "importance", "minutes": 0.25},
        {"hours": 8, "minutes": 0.1, "scheme": "stratified"},
    ],
    "recall curve": [
        {},
        {"bias": 1.0},
        {"bias": 2.0, "separation": 4.0, "class_size": 50},
        {"bias": 0.0, "separation": 0.0, "n_test_positives": 5},
        {"class_size": 500, "n_test_positives": 200, "separation": 4.0},
    ],
    "many classes": [
        {},
        {"factor": 0.3},
        {"factor": 100, "label": "0"},
        {"factor": 0.01, "metric": "precision"},
        {"label": "5", "metric": "recall"},
    ],
}
OTHER_VALUE = {
    "give_or_take": 35,
    "hours": 3.5,
    "minutes": 0.8,
    "scheme": "importance",
    "goal": "F2",
    "slope": 1.7,
    "n_bins": 14,
    "stated": "shifted to the class ratio",
    "unseen_per_positive": 20,
    "place": 0.4,
    "bias": 0.7,
    "separation": 1.2,
    "unseen": 7,
    "n_test_positives": 90,
    "label": "3",
    "factor": 0.2,
    "threshold": 0.8,
    "metric": "recall",
    "curve": "precision-recall",
    "ratio": 50,
    "class_size": 70,
    "k": 40,
}


@pytest.fixture(params=KINDS)
def kind(request):
    return request.param


@pytest.fixture(scope="module")
def made():
    """Explorers and the values that their controls started with, by kind."""
    return {}


@pytest.fixture
def explorer(factories, made, kind):
    """One explorer of each kind, each time where it started: to make one costs as much as ten moves."""
    if kind not in made:
        new = factories[kind]()
        made[kind] = new, {name: control.value for name, control in new.controls.items()}
    explorer, start = made[kind]
    yield explorer
    move(explorer, **start)
    assert {name: control.value for name, control in explorer.controls.items()} == start


# --- what is said is true --------------------------------------------------------------------------------


@pytest.mark.parametrize("threshold", [0.0, 0.123, 0.5, 0.875, 0.999])
def test_the_threshold_explorer_agrees_with_scikit_learn(factories, nines, threshold):
    explorer = move(factories["threshold"](), threshold=threshold)
    flagged = nines.y_score >= threshold
    (tn, fp), (fn, tp) = metrics.confusion_matrix(nines.y_true, flagged)
    expected = {
        "threshold": threshold, "tp": tp, "fp": fp, "fn": fn, "tn": tn,
        "accuracy": metrics.accuracy_score(nines.y_true, flagged),
        "precision": metrics.precision_score(nines.y_true, flagged),
        "recall": metrics.recall_score(nines.y_true, flagged),
        "specificity": metrics.recall_score(~nines.y_true, ~flagged),
        "false positive rate": 1 - metrics.recall_score(~nines.y_true, ~flagged),
        "false discovery rate": 1 - metrics.precision_score(nines.y_true, flagged),
        "F1": metrics.f1_score(nines.y_true, flagged),
        "Matthews correlation": metrics.matthews_corrcoef(nines.y_true, flagged),
    }  # fmt: skip
    if threshold == 0:  # everything is flagged; scikit-learn says 0 for 0/0
        expected["Matthews correlation"] = math.nan
    assert explorer.numbers() == pytest.approx(expected, nan_ok=True)
    assert repr(explorer) == (
        f"Threshold {threshold:g}: {tp + fp:,} of 1,797 flagged. "
        f"Precision = {tp:,} / ({tp:,} + {fp:,}) = {expected['precision']:.3f}."
    )
    for name, text in explorer.texts.items():
        assert text.get_text() == f"{expected[name]:,}"


def exact_interval(outcomes):
    """Clopper and Pearson's, of a level at which two independent ones hold together with 95 %."""
    return binomtest(int(outcomes.sum()), outcomes.size).proportion_ci(math.sqrt(0.95), "exact")


@pytest.mark.parametrize(("ratio", "threshold"), [(1, 0.5), (8.98, 0.2), (12345, 0.9), (1e6, 0.99)])
def test_the_class_ratio_explorer_agrees_with_bayes_rule(factories, nines, ratio, threshold):
    explorer = move(factories["class ratio"](), ratio=ratio, threshold=threshold)
    flagged = nines.y_score >= threshold
    hits, alarms = flagged[nines.y_true], flagged[~nines.y_true]
    recall, fpr = hits.mean(), alarms.mean()
    precision = recall / (recall + fpr * ratio)
    now = explorer.numbers()
    expected = {
        "ratio": ratio,
        "threshold": threshold,
        "recall": recall,
        "false_positive_rate": fpr,
        "precision": precision,
        "test_precision": metrics.precision_score(nines.y_true, flagged),
        "alarms_per_find": 1 / precision,
        "tp": hits.sum(),
        "fp": fpr * ratio * hits.size,
    }
    for end, r, f in (("low", 0, 1), ("high", 1, 0)):  # each rate has an exact interval of its own
        r, f = exact_interval(hits)[r], exact_interval(alarms)[f]
        expected[f"precision_{end}"] = r / (r + f * ratio)
    assert now == pytest.approx(expected)

    said = repr(explorer)
    for number in ("precision", "precision_low", "precision_high", "test_precision", "recall"):
        assert f"{now[number]:.3f}" in said
    assert f"Of 100 alarms, {100 * precision:.0f} are real" in explorer.said.get_text()
    filled = (explorer.grid.get_facecolor()[:, 0] < 0.5).sum()  # blue, not white
    assert filled == round(100 * precision)


def test_at_the_test_sets_own_ratio_nothing_changes(factories):
    now = factories["class ratio"]().numbers()
    assert now["precision"] == pytest.approx(now["test_precision"])
    assert now["precision_low"] < now["precision"] < now["precision_high"]


@pytest.mark.parametrize(("class_size", "k"), [(90, 90), (1, 500), (300, 30), (450, 3)])
def test_the_class_size_explorer_agrees_with_counting(factories, partly, class_size, k):
    explorer = move(factories["class size"](), class_size=class_size, k=k)
    column = partly.classes.index(9)
    positives = partly.test_scores[partly.test_labels == 9, column]
    unlabeled = partly.unlabeled_scores[:, column]
    is_nine = partly.unlabeled_labels == 9
    place = np.sort(unlabeled)[::-1]
    threshold = place[k - 1]
    recall, m = (positives >= threshold).mean(), positives.size
    shrunk = (recall * m + 0.5) / (m + 1)
    doubt = norm.ppf(0.975) * math.sqrt(shrunk * (1 - shrunk) * (1 / m + 1 / class_size))
    best = max(  # over every threshold that can be used
        (2 * (positives >= cut).sum() / m * class_size / ((unlabeled >= cut).sum() + class_size), -rows)
        for cut in np.unique(place)
        for rows in [(unlabeled >= cut).sum()]
    )
    assert explorer.numbers() == pytest.approx(
        {
            "class_size": class_size,
            "k": k,
            "threshold": threshold,
            "recall": recall,
            "precision": recall * class_size / k,
            "precision_low": (shrunk - doubt) * class_size / k,
            "precision_high": (shrunk + doubt) * class_size / k,
            "f1": 2 * recall * class_size / (k + class_size),
            "best_f1": best[0],
            "best_k": -best[1],
            "true_precision": is_nine[unlabeled >= threshold].mean(),
        }
    )
    assert repr(explorer).startswith(
        f"Class size {class_size:,}, {k:,} rows flagged: recall@k {recall:.3f}, "
        f"precision@k = {recall:.3f} × {class_size:,} / {k:,} = {recall * class_size / k:.3f} (true: "
    )


def test_without_labels_of_the_unlabeled_rows_no_truth_is_told(partly):
    explorer = ClassSizeExplorer([0.9, 0.8, 0.3], np.linspace(0, 1, 50))
    assert "true" not in repr(explorer)
    assert "true_precision" not in explorer.numbers()


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
def test_the_fraction_evaluates_to_the_value_it_states(nines, case):
    explorer = ThresholdExplorer(**FRACTION_CASES[case] or nines._asdict())
    box = explorer.controls["threshold"]
    close = 2e-3 if case == "weights" else 6e-4  # a weighted count is said to four digits
    for threshold in (box.min, box.value, box.max):
        for metric in threshold_module.METRICS:
            move(explorer, threshold=threshold, metric=metric)
            name, fraction, stated = explorer.fraction.get_text().split(" = ")
            assert name == metric
            assert float(stated) == pytest.approx(value_of(fraction), abs=close, nan_ok=True)
            assert float(stated) == pytest.approx(explorer.numbers()[metric], abs=5e-4, nan_ok=True)
            assert repr(explorer).lower().endswith(explorer.fraction.get_text().lower() + ".")


def test_labels_and_scores_may_be_columns_of_a_table(nines):
    plain = ThresholdExplorer(*nines)
    table = pd.DataFrame({"label": np.where(nines.y_true, "nine", "other"), "score": nines.y_score})
    table = table.sample(frac=1, random_state=0)  # an index that is no position
    named = ThresholdExplorer(table["label"], table["score"], positive="nine")
    assert repr(named) == repr(plain)
    assert named.picture.value == plain.picture.value
    swapped = ThresholdExplorer(table["label"], table["score"], positive="other").numbers()
    assert swapped["tp"] == plain.numbers()["fp"]
    twice = pd.Series(2, index=table.index)
    weighted = ClassRatioExplorer(table["label"], table["score"], positive="nine", weights=twice)
    assert weighted.numbers()["precision"] == ClassRatioExplorer(*nines).numbers()["precision"]


def test_a_weight_of_two_is_a_row_that_stands_twice():
    y_true, y_score = [1, 0, 1, 0], [0.9, 0.7, 0.4, 0.2]
    weighted = ThresholdExplorer(y_true, y_score, weights=[1, 2, 2, 1], metric="F1")
    twice = ThresholdExplorer([1, 0, 0, 1, 1, 0], [0.9, 0.7, 0.7, 0.4, 0.4, 0.2], metric="F1")
    assert repr(weighted) == repr(twice)


def test_rows_with_one_score_are_flagged_together():
    explorer = ThresholdExplorer([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1])
    assert "3 of 4 flagged. Precision = 2 / (2 + 1)" in repr(move(explorer, threshold=0.5))
    assert "1 of 4 flagged. Precision = 1 / (1 + 0)" in repr(move(explorer, threshold=0.51))


# --- rows that are not the usual ones --------------------------------------------------------------------


@pytest.mark.parametrize("label", [0, 1])
def test_with_one_class_only_what_has_no_value_is_called_nan(label):
    metric = ("recall", "specificity")[label]
    explorer = ThresholdExplorer([label] * 3, [0.1, 0.5, 0.9], metric=metric)
    assert repr(explorer).endswith("0 / (0 + 0) = nan.")
    for curve in ("precision-recall", "ROC"):
        move(explorer, curve=curve, threshold=0.7)
    assert explorer.numbers()["accuracy"] == pytest.approx([2 / 3, 1 / 3][label])


@pytest.mark.parametrize(("label", "absent"), [(0, "positives"), (1, "negatives")])
def test_a_class_ratio_needs_both_classes(label, absent):
    with pytest.raises(ValueError, match=f"no {absent}; the test set needs at least one example of each"):
        ClassRatioExplorer([label] * 3, [0.1, 0.5, 0.9])


def test_with_nothing_flagged_precision_is_said_to_be_undefined(factories):
    explorer = move(factories["class ratio"](), threshold=1.0)
    assert repr(explorer).endswith("nothing is flagged, so precision is undefined (nan).")
    assert explorer.said.get_text() == "Nothing is flagged"
    explorer = move(factories["threshold"](), threshold=1.0)
    assert repr(explorer).endswith("Precision = 0 / (0 + 0) = nan.")


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
    parted = np.searchsorted(finite, stops(*threshold_control(explorer.sweep, None).children))
    assert {*parted} >= {*range(1, finite.size)}, "the slider has a stop between any two"


@pytest.mark.parametrize("kind", [ThresholdExplorer, ClassRatioExplorer])
def test_a_class_of_one_row_and_a_million_rows_fit_the_same_picture(kind):
    many = RNG.random(1_000_000)
    explorer = kind(np.arange(many.size) == 0, many)
    assert explorer.numbers()["threshold"] == 0.5
    assert len(explorer.picture.value) < 25_000


SMALL = {
    "one row on each side": ([0.5], [0.4]),
    "its only positive below the row": ([0.5], [0.6]),
    "two rows": ([0.5], [0.4, 0.6]),
    "constant scores": ([0.5] * 3, [0.5] * 10),
    "infinite scores": ([INF, 0.5, -INF], [INF, 1, -INF, 0]),
    "no positive is reached": ([0.1], [1, 2, 3, 4, 5]),
}


@pytest.mark.parametrize("which", SMALL)
def test_few_or_odd_unlabeled_rows_will_do(which):
    positives, unlabeled = (np.array(scores, dtype=float) for scores in SMALL[which])
    explorer = ClassSizeExplorer(positives, unlabeled, max_k=unlabeled.size)
    for k in (1, unlabeled.size):
        now = move(explorer, k=k, class_size=k).numbers()
        assert now["recall"] == (positives >= np.sort(unlabeled)[-k]).mean()
        assert now["precision"] == now["recall"]


# --- estimates above 1 -----------------------------------------------------------------------------------


def test_an_estimate_above_1_is_shown_as_it_is():
    easy = ClassSizeExplorer(np.full(30, 2.0), np.linspace(0, 1, 1000), class_size=300, k=30)
    assert easy.numbers()["precision"] == pytest.approx(10)
    assert easy.numbers()["f1"] > 1
    assert "= 10.000" in repr(easy)
    assert "Above 1: by chance, or the test positives are easier than their class." in repr(easy)
    assert "Above 1" not in repr(move(easy, k=300))


@pytest.mark.parametrize("class_size", [1, 90, 200, 450, 500])
def test_the_axis_reaches_above_the_highest_estimate_on_it(factories, class_size):
    explorer = move(factories["class size"](), class_size=class_size)
    highest = max(np.max(curve.get_ydata()) for curve in (explorer.precision, explorer.f1))
    assert explorer.right.get_ylim()[1] > max(highest, 1)
    assert highest > 0


# --- controls --------------------------------------------------------------------------------------------


def test_every_control_changes_the_picture_and_what_is_said(explorer):
    for name, control in explorer.controls.items():
        picture, said = explorer.picture.value, explorer.sentence.value
        control.value = OTHER_VALUE[name]
        assert explorer.picture.value != picture, name
        if name != "curve":  # which curve is drawn is seen; the fraction stays the same
            assert explorer.sentence.value != said, name


def test_the_sentence_below_the_picture_is_the_repr(explorer):
    for name in explorer.controls:
        move(explorer, **{name: OTHER_VALUE[name]})
        assert in_place(repr(explorer)) == explorer.sentence.value  # nothing in it needs escaping


def test_every_number_has_a_named_box_beside_its_slider(explorer):
    boxes = [c for c in explorer.controls.values() if not isinstance(c, ipw.Dropdown)]
    assert boxes
    assert all(isinstance(box, ipw.BoundedFloatText | ipw.BoundedIntText) for box in boxes)
    names = [control.description for control in explorer.controls.values()]
    assert all(names)
    assert len(set(names)) == len(names)
    assert {*sliders(explorer)} == {box.description for box in boxes}


def test_box_and_slider_follow_each_other(explorer):
    for name, box in explorer.controls.items():
        if isinstance(box, ipw.Dropdown):
            continue
        slider = sliders(explorer)[box.description]
        place = slider.value
        box.value = OTHER_VALUE[name]
        assert slider.value != place
        place, said = slider.value, explorer.sentence.value
        slider.value += 1
        assert box.value > OTHER_VALUE[name]
        assert explorer.sentence.value != said
        box.value = OTHER_VALUE[name]
        assert slider.value == place


def test_a_number_typed_into_a_box_is_kept(factories):
    explorer = factories["class ratio"]()
    for name, typed in [("ratio", r) for r in (12345, 1.2345678, 999_999, 2)] + [("threshold", 1 / 3)]:
        move(explorer, **{name: typed})
        assert explorer.controls[name].value == typed
        assert explorer.numbers()[name] == typed


def test_a_whole_class_ratio_is_said_in_full(factories):
    explorer = factories["class ratio"]()
    for ratio in (1, 12345, 100_000, 123_456, 1_000_000):
        assert repr(move(explorer, ratio=ratio)).startswith(f"1 positive per {ratio:,} negatives, ")


def test_a_slider_reaches_both_ends_in_at_most_200_steps_and_every_stop_brings_it_back():
    for box, slider in (
        number_control("threshold", 0.5, 0, 1).children,
        number_control("threshold", 0.5, -0.123, 17.7).children,
        number_control("ratio", 9, 1, 1e6, log=True).children,
        number_control("k", 5, 1, 12_345, whole=True).children,
        number_control("k", 5, 1, 7, whole=True).children,
    ):
        held = stops(box, slider)
        assert (held[0], held[-1]) == (box.min, box.max)
        assert len(held) <= 202
        assert held == sorted(set(held))
        for place, number in enumerate(held):
            box.value = number
            assert slider.value == slider.min + place


def test_the_logarithmic_slider_hands_over_three_digits_in_equal_factors():
    held = stops(*number_control("ratio", 9, 1, 1e6, log=True).children)
    assert held == [float(f"{number:.3g}") for number in held]
    factors = np.divide(held[1:], held[:-1])
    assert factors.max() / factors.min() < 1.02


def test_the_plain_slider_hands_over_round_numbers_in_equal_steps():
    held = stops(*number_control("threshold", 0.5, 0, 1).children)
    assert held == [place / 200 for place in range(201)]  # not 0.30000000000000004
    for whole, high, step in ((True, 7, 1), (True, 333, 2), (True, 12_345, 100), (False, 333, 2), (False, 3, 0.01)):
        held = stops(*number_control("n", 1, 1, high, whole=whole).children)
        assert np.diff(held)[1:-1] == pytest.approx(step)  # the ends are where they are
        assert [type(number) for number in held] == [int if whole else float] * len(held)


def test_values_beyond_the_ends_go_to_the_nearest_end(explorer):
    for box in explorer.controls.values():
        if isinstance(box, ipw.Dropdown):
            continue
        for beyond, end in ((box.max + 1000, box.max), (box.min - 1000, box.min)):
            box.value = beyond
            assert box.value == end
            slider = sliders(explorer)[box.description]
            assert slider.value == (slider.max if end == box.max else slider.min)
            assert in_place(repr(explorer)) == explorer.sentence.value


def test_the_slider_ends_where_everything_and_where_nothing_is_flagged(factories, nines):
    box = factories["threshold"]().controls["threshold"]
    assert box.min <= nines.y_score.min()
    assert box.max > nines.y_score.max()


def test_where_the_threshold_starts():
    for scores, start in (([0.1, 0.2, 0.8, 1.0], 0.5), ([0.1, 0.2, 0.3, 0.4], 0.25), ([-4, 4, 2, 1], 0.0)):
        every = sweep([1, 0, 1, 0], scores)
        assert threshold_control(every, None).children[0].value == pytest.approx(start, abs=0.011)
        assert threshold_control(every, 0.3).children[0].value == 0.3


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda f: f["threshold"](metric="nonsense"), r"metric must be one of 'accuracy', .* got 'nonsense'"),
        (lambda f: f["threshold"](curve="roc"), r"curve must be one of 'ROC', 'precision-recall', got 'roc'"),
        (lambda f: f["threshold"](positive="nine"), "does not occur in y_true"),
        (lambda f: f["threshold"](threshold=math.nan), "threshold"),
        (lambda f: f["threshold"](threshold=INF), "threshold"),
        (lambda f: f["class ratio"](threshold=math.nan), "threshold"),
        (lambda f: f["class ratio"](ratio=0), "ratio must be above 0 and finite, got 0"),
        (lambda f: f["class ratio"](ratio=-3), "ratio must be above 0 and finite, got -3"),
        (lambda f: f["class ratio"](ratio=INF), "ratio must be above 0 and finite, got inf"),
        (lambda f: f["class ratio"](confidence=95), "confidence must be between 0 and 1, got 95"),
        (lambda f: f["class size"](k=0), "k must be a whole number from 1 to 500, got 0"),
        (lambda f: f["class size"](k=2.5), "k must be a whole number from 1 to 500, got 2.5"),
        (lambda f: f["class size"](k=501), "k must be a whole number from 1 to 500, got 501"),
        (lambda f: f["class size"](confidence=0), "confidence must be between 0 and 1, got 0"),
        (lambda f: ClassSizeExplorer([1], range(9), class_size=10), "class_size must be a whole number"),
        (lambda f: ClassSizeExplorer([1], range(9), class_size=-1), "must be a whole number from 1 to"),
        (lambda f: ClassSizeExplorer([1], range(9), max_k=10), "max_k must be a whole number .* 9, got 10"),
        (lambda f: ClassSizeExplorer([math.nan], range(9)), "nan at position 0"),
        (lambda f: ClassSizeExplorer([1], range(9), class_size="3"), "^class_size must be one real number, got '3'"),
        (lambda f: ClassSizeExplorer([1], range(9), class_size=2.3), "^class_size must be a whole number .* got 2.3"),
        (lambda f: ClassSizeExplorer([1], range(9), confidence="0.9"), "^confidence must be one real number, got"),
        (
            lambda f: ClassSizeExplorer([1], range(2), y_true_unlabeled=[1, 2]),
            "^y_true_unlabeled holds 1, 2; labels must be",
        ),
        (
            lambda f: ClassSizeExplorer([1], range(2), y_true_unlabeled=[1]),
            "^unequal lengths: y_true_unlabeled has 1, unlabeled_scores has 2 rows",
        ),
        (lambda f: f["threshold"](threshold="0.5"), "^threshold must be one real number, got '0.5'"),
        (lambda f: f["recall curve"](bias="1"), "^bias must be one real number, got '1'"),
    ],
)
def test_a_wrong_argument_is_refused_with_its_name(factories, make, said):
    with pytest.raises(ValueError, match=said):
        make(factories)


@pytest.mark.parametrize(
    ("kind", "starts"),
    [
        ("threshold", {"threshold": np.float32(0.25)}),
        ("class ratio", {"ratio": np.float64(0.5), "confidence": np.float32(0.5), "threshold": np.array(0.25)}),
        ("class size", {"k": np.int64(40), "confidence": np.float32(0.5)}),
        ("best threshold", {"class_size": np.int64(90), "max_k": np.int16(500), "give_or_take": np.int8(20)}),
        ("best threshold", {"alarm_cost": np.float64(0.5), "default": np.float32(0.25), "k": np.int8(7)}),
        ("calibration", {"ratio": np.float64(200), "slope": np.float64(2), "n_bins": np.int64(5)}),
        ("unseen", {"ratio": np.float64(2000), "unseen_per_positive": np.float64(60), "place": np.float32(0.5)}),
        ("prevalence", {"ratio": np.int16(20), "unseen": np.int8(3), "threshold": np.float64(0.4)}),
        ("recall curve", {"bias": np.float64(1), "class_size": np.int16(100), "n_test_positives": np.int8(9)}),
        ("many classes", {"factor": np.float64(0.2)}),
    ],
)
def test_numbers_of_numpy_start_an_explorer_as_those_of_python_do(factories, kind, starts):
    python = {name: number.item() for name, number in starts.items()}
    assert repr(factories[kind](**starts)) == repr(factories[kind](**python))


def test_a_class_size_that_numpy_counted_is_one_to_start_with():
    is_positive = np.arange(300) < 90
    explorer = ClassSizeExplorer([250, 290], np.arange(300), class_size=is_positive.sum(dtype=np.int8))
    assert explorer.controls["k"].max == 300  # and not four times 90 wrapped around
    assert explorer.numbers()["class_size"] == 90


# --- the picture -----------------------------------------------------------------------------------------


def test_the_picture_has_one_size_and_few_bytes_wherever_the_controls_are(explorer, kind):
    size = (960, 400) if kind == "threshold" else (900, 400)
    # before it is decoded the browser must know its size, or the page jumps
    assert explorer.picture.layout.width == f"{size[0]}px"
    for values in MOVES[kind]:
        move(explorer, **values)
        picture = Image.open(io.BytesIO(explorer.picture.value))
        assert (picture.format, picture.size) == ("PNG", size)
        assert len(explorer.picture.value) < 25_000


def everything_drawn_at_once(explorer):
    """The same figure with nothing animated and no background kept, in the order that Explorer declares."""
    for place, artist in enumerate([*explorer.move_scene(), *explorer.move()]):
        artist.set_animated(False)
        artist.set_zorder(10 + place)
    explorer.canvas.draw()
    return drawn(explorer)


def test_the_picture_is_what_a_new_explorer_draws_there_at_once(factories, explorer, kind):
    for step, values in enumerate(MOVES[kind]):
        move(explorer, **values)
        if step in (0, 2):  # a new explorer costs ten moves, and what one move leaves behind the next one shows
            continue
        new = move(factories[kind](), **{name: control.value for name, control in explorer.controls.items()})
        assert repr(new) == repr(explorer)
        assert np.array_equal(drawn(new), drawn(explorer))  # nothing is left of where they were
        off = np.abs(everything_drawn_at_once(new) - drawn(explorer)).max(axis=2)
        assert (off > 0).sum() <= 20
        assert off.max() <= 2


def test_the_colours_are_nearly_those_that_were_drawn(explorer, kind):
    for values in MOVES[kind]:
        move(explorer, **values)
        assert Image.open(io.BytesIO(explorer.picture.value)).mode == "P"
        off = np.abs(pixels(explorer) - drawn(explorer))
        assert off.mean() < 1.6  # white itself is one off
        assert (off > 40).any(axis=2).sum() <= 20


def test_every_count_in_the_confusion_matrix_has_its_name_beside_it(factories):
    explorer = factories["threshold"]()
    for metric in threshold_module.METRICS:
        move(explorer, metric=metric)
        picture = drawn(explorer)
        axes = explorer.texts["tp"].axes
        names = [text for text in axes.texts if text.get_text().endswith(("positives", "negatives"))]
        assert len(names) == 4
        for name in names:
            x0, y0, x1, y1 = (round(edge) for edge in name.get_window_extent().extents)
            letters = picture[400 - y1 : 400 - y0, x0:x1]
            assert letters.min() < 100, f"{name.get_text()} is covered when the metric is {metric}"


class Gradient(Explorer):
    """A picture with more colours than a palette holds."""

    def __init__(self):
        super().__init__({"shift": number_control("shift", 0, -1, 1)})

    def draw(self, figure):
        axes = figure.subplots()
        ramp = np.linspace(0, 1, 256)
        colours = np.stack(np.broadcast_arrays(ramp[:, None], ramp[None, :], 1 - ramp[:, None]), axis=2)
        axes.imshow(colours, aspect="auto", extent=(-1, 1, -1, 1))
        self.line = plots.upright(axes)

    def move(self):
        self.line.set_xdata([self.value("shift")] * 2)
        return [self.line]

    def numbers(self):
        return {"shift": self.value("shift")}

    def __repr__(self):
        if self.value("shift") == 0.5:
            raise ArithmeticError("cannot <say> this")
        return f"Shift {self.value('shift'):g}."


def test_a_gradient_keeps_all_its_colours():
    explorer = Gradient()
    assert Image.open(io.BytesIO(explorer.picture.value)).mode == "RGB"
    assert np.array_equal(pixels(explorer), drawn(explorer))
    picture = explorer.picture.value
    assert move(explorer, shift=0.2).picture.value != picture


def test_an_error_while_moving_is_said_and_raised_and_the_next_move_recovers():
    explorer = Gradient()
    with pytest.raises(ArithmeticError, match="cannot <say> this"):
        move(explorer, shift=0.5)
    assert explorer.sentence.value == in_place("<b>ArithmeticError: cannot &lt;say&gt; this</b>")
    move(explorer, shift=0.25)
    assert explorer.sentence.value == in_place("Shift 0.25.")


def test_an_error_in_the_numbers_is_said_for_every_control(explorer, monkeypatch):
    def broken(self):
        raise RuntimeError("out of order")

    for name, control in explorer.controls.items():
        if name == "curve":  # moves no number
            continue
        before = control.value
        with monkeypatch.context() as patch:
            patch.setattr(type(explorer), "__repr__", broken)
            with pytest.raises(RuntimeError, match="out of order"):
                move(explorer, **{name: OTHER_VALUE[name]})
        assert explorer.sentence.value == in_place("<b>RuntimeError: out of order</b>")
        move(explorer, **{name: before})
        assert "out of order" not in explorer.sentence.value


# --- how Jupyter shows it --------------------------------------------------------------------------------


def test_the_output_holds_the_widget_the_picture_and_the_sentence(explorer):
    bundle, metadata = explorer._repr_mimebundle_()
    assert {*bundle} == {"application/vnd.jupyter.widget-view+json", "image/png", "text/plain"}
    assert bundle["application/vnd.jupyter.widget-view+json"]["model_id"] == explorer.view.model_id
    assert base64.b64decode(bundle["image/png"]) == explorer.picture.value
    assert bundle["text/plain"] == repr(explorer)
    assert metadata == {"image/png": {"alt": repr(explorer)}}


def test_the_output_follows_the_controls(explorer):
    name = next(iter(explorer.controls))
    before, _ = explorer._repr_mimebundle_()
    after, metadata = move(explorer, **{name: OTHER_VALUE[name]})._repr_mimebundle_()
    assert after["text/plain"] != before["text/plain"]
    assert after["image/png"] != before["image/png"]
    assert metadata["image/png"]["alt"] == after["text/plain"]


def test_two_explorers_of_the_same_rows_are_the_same_to_the_byte_and_do_not_move_each_other(factories, kind):
    one, two = factories[kind](), factories[kind]()
    assert repr(one) == repr(two)
    assert one.picture.value == two.picture.value
    assert not re.search(r"0x[0-9a-f]{4}", repr(one))
    said, picture = repr(two), two.picture.value
    move(one, **{name: OTHER_VALUE[name] for name in one.controls})
    assert (repr(two), two.picture.value) == (said, picture)


# --- explorers and plots compute nothing of their own ----------------------------------------------------


def imported(module):
    """Modules and names that a module's file takes from this package."""
    tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("evalteach"):
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import | ast.ImportFrom):
            given = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module]
            names |= {name.partition(".")[0] for name in given}
    return names


def test_plots_draws_what_it_is_given():
    assert imported(plots) - sys.stdlib_module_names <= {"numpy", "matplotlib", "PIL", "IPython"}


def test_explorers_take_their_numbers_from_the_library():
    for module in (
        explorers.threshold,
        explorers.calibration,
        explorers.class_ratio,
        explorers.class_size,
        explorers.many_classes,
        explorers.recall_curve,
        explorers.review_budget,
        explorers.unseen_negatives,
    ):
        outside = {name for name in imported(module) if not name.startswith("evalteach")}
        assert outside - sys.stdlib_module_names <= {"numpy"}
    for metric, _, _ in threshold_module.METRICS.values():
        assert metric is getattr(classification, metric.__name__)
    for x, y, x_name, y_name in threshold_module.CURVES.values():
        assert (x.__name__, y.__name__) == (x_name.replace(" ", "_"), y_name.replace(" ", "_"))
        assert getattr(classification, x.__name__) is x
        assert getattr(classification, y.__name__) is y


def test_when_the_librarys_precision_changes_so_does_every_explorers(factories, monkeypatch):
    half = classification.precision

    def halved(counts):
        return half(counts) / 2

    ratio, size = factories["class ratio"](), factories["class size"]()
    before = ratio.numbers(), size.numbers()
    monkeypatch.setattr(classification, "precision", halved)
    for name in ("precision", "test_precision"):
        assert ratio.numbers()[name] == before[0][name] / 2
    assert size.numbers()["true_precision"] == before[1]["true_precision"] / 2


def test_a_choice_is_named_and_holds_only_its_options():
    choice = choice_control("metric", ["a", "b"], "b")
    assert (choice.description, choice.value) == ("metric", "b")
    with pytest.raises(Exception, match="value not found"):
        choice.value = "c"
