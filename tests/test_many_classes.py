"""Several classes and several labels: one against the rest, macro, micro and weighted averages, and the explorer."""

import math

import numpy as np
import pytest
from cells import TICKETS, rows_of
from sklearn import metrics

from evalteach.classification import fbeta, macro, micro, precision, recall, weighted
from evalteach.explorers import ManyClassesExplorer

METRICS = {"precision": precision, "recall": recall, "f1": fbeta}
AVERAGES = {"macro": macro, "micro": micro, "weighted": weighted}

NEVER_PREDICTED = np.array([[7, 0, 0], [0, 3, 0], [2, 0, 0]])


# --- the explorer ----------------------------------------------------------------------------------------


def moved(explorer, **values):
    for name, value in values.items():
        explorer.controls[name].value = value
    return explorer


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize(("which", "factor"), [("billing", 0.01), ("fraud", 7.5), ("password", 100), ("fraud", 1)])
def test_a_resized_class_is_a_sample_weight_in_scikit_learn(name, which, factor):
    labels = ["password", "billing", "fraud"]
    explorer = ManyClassesExplorer(TICKETS, labels=labels)
    moved(explorer, metric="F1" if name == "f1" else name, label=which, factor=factor)
    actual, predicted = rows_of(TICKETS)
    weights = np.where(actual == labels.index(which), factor, 1.0)
    now, score = explorer.numbers(), getattr(metrics, f"{name}_score")
    for average in AVERAGES:
        assert now[average] == pytest.approx(score(actual, predicted, average=average, sample_weight=weights))
        assert now[f"{average}_before"] == pytest.approx(score(actual, predicted, average=average))
        assert f"{average} {now[average]:.3f} (before: {now[f'{average}_before']:.3f})" in repr(explorer)
    own = score(actual, predicted, average=None, sample_weight=weights)[labels.index(which)]
    assert now["F1" if name == "f1" else name] == pytest.approx(own)
    assert now["rows"] == pytest.approx(weights.sum())
    assert repr(explorer).startswith(f"{factor:g} times as many rows of class {which} (")


def test_the_squares_show_the_counts_and_the_bars_their_metric():
    explorer = moved(ManyClassesExplorer(TICKETS, metric="recall"), label="0", factor=100)
    shown = [[text.get_text() for text in row] for row in explorer.texts]
    assert shown == [["600", "100", "0"], ["1", "2", "0"], ["1", "0", "1"]]
    assert [text.get_text() for text in explorer.bar_texts] == ["0.857", "0.667", "0.500"]
    assert explorer.bars.get_xy()[1::4, 0][:3] == pytest.approx([6 / 7, 2 / 3, 1 / 2])
    heights = {name: line.get_ydata() for name, line in explorer.curves.items()}
    assert heights["macro"] == pytest.approx(np.mean([6 / 7, 2 / 3, 1 / 2]))  # flat
    assert heights["micro"] == pytest.approx((6 * explorer.factors + 3) / (7 * explorer.factors + 5))


def test_a_class_that_is_never_predicted_is_said_to_be_undefined():
    explorer = ManyClassesExplorer(NEVER_PREDICTED, metric="precision")
    assert explorer.bar_texts[2].get_text() == "nan"
    assert "its precision is nan" in repr(explorer)
    assert "macro nan (before: nan), micro 0.833" in repr(explorer)


def test_many_classes_get_squares_without_numbers():
    explorer = ManyClassesExplorer(np.ones((13, 13)), labels="ABCDEFGHIJKLM", chosen="B")
    assert {text.get_text() for text in explorer.texts.flat} == {""}
    assert explorer.numbers()["macro"] == pytest.approx(1 / 13)
    assert len(explorer.picture.value) < 25_000


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"confusion_matrix": [[1, 2]]}, r"got shape \(1, 2\)"),
        ({"confusion_matrix": np.ones((2, 3, 3))}, r"must have two dimensions, got shape \(2, 3, 3\)"),
        ({"confusion_matrix": [[1, 2], [0, 0]]}, "no actual row of class 1; every class needs at least one"),
        ({"labels": "ab"}, "labels must be 3 different names, one per class, got a, b"),
        ({"labels": ["a", "b", "a"]}, "labels must be 3 different names"),
        ({"chosen": "spam"}, "chosen must be one of '0', '1', '2', got 'spam'"),
        ({"metric": "accuracy"}, "metric must be one of 'precision', 'recall', 'F1', got 'accuracy'"),
        ({"factor": 0}, "factor must be between 0.01 and 100, both included, got 0"),
        ({"factor": math.nan}, "factor must be between 0.01 and 100, both included, got nan"),
    ],
)
def test_a_wrong_argument_is_refused_with_its_name(arguments, said):
    with pytest.raises(ValueError, match=said):
        ManyClassesExplorer(**{"confusion_matrix": TICKETS, **arguments})
