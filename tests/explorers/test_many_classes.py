"""The explorer of several classes: its counts and averages against scikit-learn, and what it writes and draws."""

import math

import numpy as np
import pytest
from cells import TICKETS, rows_of
from screens import numbers_in
from sklearn import metrics

from evalteach.classification import fbeta, macro, micro, precision, recall, weighted
from evalteach.explorers import ManyClassesExplorer
from evalteach.explorers.many_classes import _short

pytestmark = pytest.mark.usefixtures("undrawn")

METRICS = {"precision": precision, "recall": recall, "f1": fbeta}
AVERAGES = {"macro": macro, "micro": micro, "weighted": weighted}

NEVER_PREDICTED = np.array([[7, 0, 0], [0, 3, 0], [2, 0, 0]])


def moved(explorer, **values):
    for name, value in values.items():
        explorer.controls[name].value = value
    return explorer


@pytest.fixture(scope="module")
def tickets():
    return ManyClassesExplorer(TICKETS, labels=["password", "billing", "fraud"])


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize(("which", "factor"), [("billing", 0.01), ("fraud", 7.5), ("password", 100), ("fraud", 1)])
def test_a_resized_class_is_a_sample_weight_in_scikit_learn(tickets, name, which, factor):
    explorer = moved(tickets, metric="F1" if name == "f1" else name, chosen=which, factor=factor)
    actual, predicted = rows_of(TICKETS)
    chosen = ["password", "billing", "fraud"].index(which)
    weights = np.where(actual == chosen, factor, 1.0)
    now, score = explorer.numbers(), getattr(metrics, f"{name}_score")
    for average in AVERAGES:
        assert now[average] == pytest.approx(score(actual, predicted, average=average, sample_weight=weights))
        assert now[f"{average}_before"] == pytest.approx(score(actual, predicted, average=average))
    own = score(actual, predicted, average=None, sample_weight=weights)[chosen]
    assert now[name] == pytest.approx(own)
    assert now["rows"] == pytest.approx(weights.sum())
    assert f" {which} (" in repr(explorer)


def test_the_squares_show_the_counts_and_the_bars_their_metric():
    explorer = moved(ManyClassesExplorer(TICKETS, metric="recall"), chosen="0", factor=100)
    shown = [[text.get_text() for text in row] for row in explorer.artists.texts]
    assert shown == [["600", "100", "0"], ["1", "2", "0"], ["1", "0", "1"]]
    assert [text.get_text() for text in explorer.artists.bar_texts] == ["0.857", "0.667", "0.500"]
    assert explorer.artists.bars.get_xy()[1::4, 0][:3] == pytest.approx([6 / 7, 2 / 3, 1 / 2])
    heights = {name: line.get_ydata() for name, line in explorer.artists.curves.items()}
    assert heights["macro"] == pytest.approx(np.mean([6 / 7, 2 / 3, 1 / 2]))  # flat
    assert heights["micro"] == pytest.approx((6 * explorer.factors + 3) / (7 * explorer.factors + 5))
    moved(explorer, chosen="1")
    shown = [[text.get_text() for text in row] for row in explorer.artists.texts]
    assert shown == [["6", "1", "0"], ["100", "200", "0"], ["1", "0", "1"]]


def test_a_class_that_is_never_predicted_is_said_to_be_undefined():
    explorer = ManyClassesExplorer(NEVER_PREDICTED, metric="precision")
    assert explorer.artists.bar_texts[2].get_text() == "nan"
    shown = numbers_in(repr(explorer))
    assert np.isnan([shown[4], *shown[7:9]]).all()
    assert shown[9] == 0.833


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


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (0, "0"), (7, "7"), (0.04, "<.1"), (0.05, "0.1"), (12.5, "12.5"), (99.4, "99.4"), (99.6, "100"), (150.7, "151"),
        (9_999, "9999"), (9_999.6, "10k"), (123_456, "123k"), (999_499, "999k"), (999_500, "1M"), (12_300_000, "12M"),
    ],
)  # fmt: skip
def test_a_count_is_written_with_at_most_four_letters(count, said):
    assert _short(count) == said
    assert len(said) <= 4


def test_names_with_dollars_are_names_and_no_formulas():
    explorer = ManyClassesExplorer(TICKETS, labels=["cost $5 and $6", r"$\frac{$", "plain"])
    axes = explorer.artists.frame.axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["cost $5 and $6", r"$\frac{$", "plain"]
    assert explorer.numbers()["rows"] == TICKETS.sum()


def test_more_classes_than_can_be_drawn_are_refused_with_the_limit():
    with pytest.raises(ValueError, match=r"^confusion_matrix has 31 classes; an explorer draws 30 at most$"):
        ManyClassesExplorer(np.ones((31, 31)))
