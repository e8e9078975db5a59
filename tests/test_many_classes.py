"""Several classes and several labels: one against the rest, macro, micro and weighted averages, and the explorer."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics

from evalteach.classification import accuracy, fbeta, macro, matthews_corrcoef, micro, precision, recall, weighted
from evalteach.counts import Counts, one_vs_rest
from evalteach.explorers import ManyClassesExplorer

TICKETS = np.array([[6, 1, 0], [1, 2, 0], [1, 0, 1]])  # actual: password, billing, fraud
METRICS = {"precision": precision, "recall": recall, "f1": fbeta}
AVERAGES = {"macro": macro, "micro": micro, "weighted": weighted}


def rows_of(matrix):
    """Labels of a confusion matrix, one a row: actual, predicted."""
    n = len(matrix)
    actual, predicted = np.divmod(np.arange(n * n), n)
    return actual.repeat(matrix.ravel()), predicted.repeat(matrix.ravel())


@st.composite
def matrices(draw, least=0):
    n = draw(st.integers(2, 5))
    cells = draw(st.lists(st.integers(least, 30), min_size=n * n, max_size=n * n))
    return np.array(cells).reshape(n, n)


# --- one against the rest --------------------------------------------------------------------------------


def test_fraud_against_the_rest_is_counted_by_hand():
    assert one_vs_rest(TICKETS)[2] == Counts(tp=1, fp=0, fn=1, tn=10)


def test_one_against_the_rest_agrees_with_scikit_learn_on_rows():
    matrix = np.random.default_rng(0).integers(0, 9, (6, 6))
    actual, predicted = rows_of(matrix)
    expected = metrics.multilabel_confusion_matrix(actual, predicted, labels=range(6))
    counts = one_vs_rest(matrix)
    assert np.array_equal(np.stack([counts.tn, counts.fp, counts.fn, counts.tp], axis=1).reshape(6, 2, 2), expected)


def test_further_axes_hold_further_matrices():
    stack = np.stack([TICKETS, TICKETS.T, 3 * TICKETS])
    counts = one_vs_rest(stack)
    assert counts.tp.shape == (3, 3)
    for place, matrix in enumerate(stack):
        assert counts[place] == one_vs_rest(matrix)
        for average in AVERAGES.values():
            assert average(fbeta, counts)[place] == pytest.approx(average(fbeta, one_vs_rest(matrix)), nan_ok=True)


def test_counts_do_not_change_when_the_matrix_does_later():
    matrix = TICKETS.copy()
    counts = one_vs_rest(matrix)
    matrix[:] = 0
    assert counts == one_vs_rest(TICKETS)


@settings(max_examples=60, deadline=None)
@given(matrices(), st.floats(1e-6, 1e6))
def test_expected_counts_are_never_below_zero(matrix, factor):
    counts = one_vs_rest(matrix * factor)
    for cell in (counts.tp, counts.fp, counts.fn, counts.tn):
        assert cell.min() >= 0


@pytest.mark.parametrize(
    ("matrix", "said"),
    [
        ([[1, 2, 3], [4, 5, 6]], r"confusion_matrix must have as many rows as columns, .* got shape \(2, 3\)"),
        ([[5]], r"two or more classes; got shape \(1, 1\)"),
        ([1, 2, 3], r"got shape \(3,\)"),
        (7, r"got shape \(\)"),
        ([[1, 2], [3]], r"confusion_matrix cannot be read as an array \(.*\); entries of one length are needed"),
        (np.ma.array([[1, 2], [3, 4]], mask=[[0, 0], [1, 0]]), "confusion_matrix is masked at position 2"),
        ([[1, -1], [0, 2]], "confusion_matrix must be finite and 0 or more"),
        ([[1, math.nan], [0, 2]], "confusion_matrix must be finite and 0 or more"),
        ([["a", "b"], ["c", "d"]], "confusion_matrix must be a number or an array of numbers"),
    ],
)
def test_what_is_no_confusion_matrix_is_refused(matrix, said):
    with pytest.raises(ValueError, match=said):
        one_vs_rest(matrix)


# --- averages --------------------------------------------------------------------------------------------


def test_the_averages_of_twelve_tickets_by_hand():
    counts = one_vs_rest(TICKETS)
    assert macro(recall, counts) == pytest.approx((6 / 7 + 2 / 3 + 1 / 2) / 3)
    assert macro(precision, counts) == pytest.approx((6 / 8 + 2 / 3 + 1) / 3)
    assert weighted(precision, counts) == pytest.approx((7 * 6 / 8 + 3 * 2 / 3 + 2 * 1) / 12)
    assert micro(precision, counts) == 9 / 12


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize("average", AVERAGES)
@settings(max_examples=15, deadline=None)
@given(matrix=matrices(least=1))
def test_every_average_agrees_with_scikit_learn(name, average, matrix):
    actual, predicted = rows_of(matrix)
    expected = getattr(metrics, f"{name}_score")(actual, predicted, average=average)
    assert AVERAGES[average](METRICS[name], one_vs_rest(matrix)) == pytest.approx(expected)


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize("average", AVERAGES)
def test_every_average_of_multilabel_rows_agrees_with_scikit_learn(name, average):
    rng = np.random.default_rng(1)
    y_true, y_pred = rng.random((2, 40, 4)) < 0.4
    counts = Counts(
        tp=(y_true & y_pred).sum(0),
        fp=(~y_true & y_pred).sum(0),
        fn=(y_true & ~y_pred).sum(0),
        tn=(~y_true & ~y_pred).sum(0),
    )
    expected = getattr(metrics, f"{name}_score")(y_true, y_pred, average=average)
    assert AVERAGES[average](METRICS[name], counts) == pytest.approx(expected)


@settings(max_examples=60, deadline=None)
@given(matrices().filter(lambda matrix: matrix.sum() > 0), st.sampled_from([0.5, 1.0, 2.0]))
def test_micro_precision_recall_and_f_are_the_accuracy_when_each_row_has_one_class(matrix, beta):
    counts, share_right = one_vs_rest(matrix), np.trace(matrix) / matrix.sum()
    for metric in (precision, recall, lambda c: fbeta(c, beta)):
        assert micro(metric, counts) == pytest.approx(share_right)
    assert weighted(recall, counts) == pytest.approx(share_right)
    mistakes = 2 * (1 - share_right) / len(matrix)  # each is a false positive of one class and a miss of another
    assert micro(accuracy, counts) == pytest.approx(1 - mistakes)


def test_micro_f1_is_no_accuracy_when_a_class_is_left_out():
    counts = one_vs_rest(TICKETS)
    kept = counts[1:]
    actual, predicted = rows_of(TICKETS)
    expected = metrics.f1_score(actual, predicted, labels=[1, 2], average="micro")
    assert micro(fbeta, kept) == pytest.approx(expected)
    assert micro(precision, kept) != pytest.approx(micro(recall, kept))


@settings(max_examples=60, deadline=None)
@given(matrices(least=1))
def test_the_f1_of_means_is_never_below_the_mean_of_f1s(matrix):
    counts = one_vs_rest(matrix)
    p, r = macro(precision, counts), macro(recall, counts)
    assert 2 * p * r / (p + r) >= macro(fbeta, counts) - 1e-12


@settings(max_examples=60, deadline=None)
@given(matrices(least=1), st.integers(2, 50))
def test_macro_recall_ignores_the_size_of_a_class_and_micro_tends_to_its_recall(matrix, factor):
    moved = matrix.copy()
    moved[0] *= factor
    before, after = one_vs_rest(matrix), one_vs_rest(moved)
    assert macro(recall, after) == pytest.approx(macro(recall, before))
    own = recall(before)[0]
    assert abs(micro(recall, after) - own) <= abs(micro(recall, before) - own) + 1e-12


def test_perfect_and_hopeless_routers():
    for size in (2, 5):
        right, wrong = one_vs_rest(np.eye(size)), one_vs_rest(np.roll(np.eye(size), 1, axis=0))
        for average in AVERAGES.values():
            for metric in METRICS.values():
                assert (average(metric, right), average(metric, wrong)) == (1, 0)


# --- a class that never occurs, or is never predicted ----------------------------------------------------

NEVER_PREDICTED = np.array([[7, 0, 0], [0, 3, 0], [2, 0, 0]])
NEVER_OCCURS = NEVER_PREDICTED.T


def test_an_average_with_an_undefined_class_is_undefined_where_scikit_learn_takes_0():
    never_predicted, never_occurs = one_vs_rest(NEVER_PREDICTED), one_vs_rest(NEVER_OCCURS)
    assert math.isnan(macro(precision, never_predicted))
    assert math.isnan(weighted(precision, never_predicted))
    assert math.isnan(macro(recall, never_occurs))
    actual, predicted = rows_of(NEVER_PREDICTED)
    theirs = metrics.precision_score(actual, predicted, average="macro", zero_division=0)
    assert theirs == pytest.approx((7 / 9 + 1 + 0) / 3)
    skipped = metrics.precision_score(actual, predicted, average="macro", zero_division=np.nan)
    assert macro(precision, never_predicted[:2]) == pytest.approx(skipped)


def test_f1_is_0_and_defined_for_a_class_that_is_never_found():
    assert fbeta(one_vs_rest(NEVER_PREDICTED))[2] == 0
    assert fbeta(one_vs_rest(NEVER_OCCURS))[2] == 0
    assert math.isnan(macro(fbeta, one_vs_rest(np.diag([3, 2, 0]))))


def test_a_class_without_rows_has_no_weight():
    assert weighted(recall, one_vs_rest(NEVER_OCCURS)) == pytest.approx(10 / 12)
    assert weighted(fbeta, one_vs_rest(np.diag([3, 2, 0]))) == 1
    assert math.isnan(weighted(recall, one_vs_rest(np.zeros((3, 3)))))
    assert math.isnan(micro(recall, one_vs_rest(np.zeros((3, 3)))))


@pytest.mark.parametrize("average", AVERAGES.values())
def test_an_average_needs_an_entry_per_class(average):
    with pytest.raises(ValueError, match=r"counts must hold one entry per class, .* got Counts"):
        average(recall, Counts(tp=1, fp=2, fn=3, tn=4))
    with pytest.raises(ValueError, match=r"counts must hold one entry per class, .* got Counts of shape \(0,\)"):
        average(recall, one_vs_rest(TICKETS)[[]])


def test_averages_are_plain_numbers_and_take_any_function_of_counts():
    counts = one_vs_rest(TICKETS)
    for average in AVERAGES.values():
        assert type(average(matthews_corrcoef, counts)) is float
    assert macro(lambda c: fbeta(c, 2), counts) == pytest.approx(np.mean(fbeta(counts, 2)))


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
