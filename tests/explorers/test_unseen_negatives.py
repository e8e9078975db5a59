"""The explorer of an unseen kind of negative: its numbers against weighted rows, and its stand-in."""

import io
import math

import numpy as np
import pytest
from PIL import Image
from screens import numbers_in
from sklearn import metrics

from evalteach import UnseenNegativesExplorer, classification, data, sweep
from evalteach.classification import precision, recall
from explorers.helpers import move

pytestmark = pytest.mark.usefixtures("undrawn")


@pytest.fixture(scope="module")
def partly():
    return data.digits_three_of_ten()


@pytest.fixture(scope="module")
def eights(partly):
    """Test rows for "is it an 8?", and scores of the digits that the test set lacks."""
    column, stranger = partly.classes.index(8), ~np.isin(partly.unlabeled_labels, partly.classes)
    return partly.test_labels == 8, partly.test_scores[:, column], partly.unlabeled_scores[stranger, column]


@pytest.mark.parametrize(
    ("threshold", "unseen", "ratio"), [(0.5, 5, 2), (0.9, 14.48, 1.5), (0.123, 0, 700), (0.99, 50, 1)]
)
def test_its_numbers_are_those_of_weighted_rows_in_scikit_learn(eights, threshold, unseen, ratio):
    y_true, y_score, strangers = eights
    explorer = UnseenNegativesExplorer(*eights, threshold=threshold, unseen_per_positive=unseen, ratio=ratio)
    m, labels = y_true.sum(), np.append(y_true, np.zeros(strangers.size, bool))
    flagged = np.append(y_score, strangers) >= threshold
    known = np.where(y_true, 1.0, ratio * m / (~y_true).sum())
    weights = np.append(known, np.full(strangers.size, unseen * m / strangers.size))
    alike = np.where(y_true, 1.0, (ratio + unseen) * m / (~y_true).sum())

    def score(metric, *rows, **more):
        return metric(*rows, zero_division=math.nan, **more)

    assert explorer.numbers() == pytest.approx(
        {
            "unseen_per_positive": unseen,
            "threshold": threshold,
            "ratio": ratio,
            "recall": score(metrics.recall_score, y_true, y_score >= threshold),
            "false_positive_rate": np.mean(y_score[~y_true] >= threshold),
            "unseen_false_positive_rate": np.mean(strangers >= threshold),
            "test_precision": score(metrics.precision_score, y_true, y_score >= threshold),
            "corrected_precision": score(metrics.precision_score, y_true, y_score >= threshold, sample_weight=alike),
            "precision": score(metrics.precision_score, labels, flagged, sample_weight=weights),
        },
        nan_ok=True,
    )


def test_at_the_true_numbers_it_comes_near_the_true_precision_of_unlabeled_digits(partly, eights):
    is_eight = partly.unlabeled_labels == 8
    strangers, learned = eights[2].size, np.isin(partly.unlabeled_labels, [3, 9]).sum()
    explorer = UnseenNegativesExplorer(
        *eights, unseen_per_positive=strangers / is_eight.sum(), ratio=learned / is_eight.sum()
    )
    truth = metrics.precision_score(is_eight, partly.unlabeled_scores[:, 1] >= 0.5)
    now = explorer.numbers()
    assert now["precision"] == pytest.approx(truth, abs=0.01)
    assert now["corrected_precision"] > 5 * truth


def test_without_a_place_the_sentence_has_none(eights):
    said = repr(UnseenNegativesExplorer(*eights, unseen_per_positive=5, ratio=2))
    assert numbers_in(said) == [5, 2, 0.5, 0.909, 0, 0.537, 1, 1, 0.253]


def test_each_kinds_bars_are_the_shares_that_numpy_counts_and_the_unseen_hang_down(eights):
    y_true, y_score, strangers = eights
    explorer = UnseenNegativesExplorer(*eights)
    positives, known = ([bar.get_height() for bar in bars] for bars in explorer.figure.axes[0].containers)
    for heights, scores in ((positives, y_score[y_true]), (known, y_score[~y_true])):
        assert np.abs(heights) == pytest.approx(np.histogram(scores, explorer.edges)[0] / scores.size)
    lowest = explorer.artists.hatched.get_xy()[:, 1].min()
    assert lowest == pytest.approx(-np.histogram(strangers, explorer.edges)[0].max() / strangers.size)
    assert min(positives) == 0 == max(known)


def test_the_threshold_reaches_beyond_unseen_scores_that_lie_above_all_others():
    explorer = UnseenNegativesExplorer([1, 0, 1, 0], [0.9, 0.7, 0.4, 0.2], [1.5, -3.0, math.inf])
    box = explorer.controls["threshold"]
    assert (box.min, box.max) == (pytest.approx(-3, abs=0.06), pytest.approx(1.5, abs=0.06))
    box.value = 1.2
    assert explorer.numbers()["unseen_false_positive_rate"] == pytest.approx(2 / 3)
    assert explorer.numbers()["precision"] == 0
    assert math.isnan(explorer.numbers()["test_precision"])
    assert np.array_equal(numbers_in(repr(explorer))[-3:], [math.nan, math.nan, 0], equal_nan=True)


# --- the explorer, with a stand-in -----------------------------------------------------------------------


@pytest.mark.parametrize("threshold", [0.0, 0.3, 0.5, 0.77])
def test_a_stand_in_lies_exactly_on_the_known_negatives_or_on_the_positives(threshold):
    rng = np.random.default_rng(3)
    y_true = np.arange(40) < 13  # 13 and 27 rows have no common steps but the ends
    y_score = np.round(rng.random(40), 2)
    explorer = UnseenNegativesExplorer(y_true, y_score, threshold=threshold, place=0)
    now = explorer.numbers()
    assert now["unseen_false_positive_rate"] == pytest.approx(np.mean(y_score[~y_true] >= threshold))
    assert now["precision"] == pytest.approx(now["corrected_precision"], nan_ok=True)
    explorer.controls["place"].value = 1
    assert explorer.numbers()["unseen_false_positive_rate"] == pytest.approx(np.mean(y_score[y_true] >= threshold))


def test_on_log_odds_a_stand_in_is_what_the_simulator_draws():
    test, deployed = data.unseen_negatives(2000, 5, unseen_per_positive=4, place=0.6, seed=2)
    log_odds = np.log(test.y_score / (1 - test.y_score))
    explorer = UnseenNegativesExplorer(test.y_true, log_odds, unseen_per_positive=4, place=0.6, threshold=0)
    for threshold in (-3.0, 0.0, 2.0):
        explorer.controls["threshold"].value = threshold
        met, now = sweep(*deployed).at(1 / (1 + math.exp(-threshold))), explorer.numbers()
        assert now["precision"] == pytest.approx(precision(met), abs=0.02)
        assert now["recall"] == pytest.approx(recall(met), abs=0.04)


def test_recall_and_test_precision_notice_no_unseen_negative():
    rows = data.digit_detector(9)
    explorer = UnseenNegativesExplorer(*rows)
    before = explorer.numbers()
    for name, value in (("unseen_per_positive", 40), ("place", 1), ("ratio", 300)):
        explorer.controls[name].value = value
        now = explorer.numbers()
        assert (now["recall"], now["test_precision"]) == (before["recall"], before["test_precision"])
        assert now["precision"] < before["precision"]
        before = now


def test_when_the_librarys_metrics_change_so_does_this_explorer(monkeypatch):
    explorer = UnseenNegativesExplorer(*data.digit_detector(9))
    before, library = explorer.numbers(), classification.precision
    monkeypatch.setattr(classification, "precision", lambda counts: library(counts) / 2)
    for name in ("precision", "test_precision", "corrected_precision"):
        assert explorer.numbers()[name] == before[name] / 2


def test_nothing_flagged_is_said_to_be_undefined():
    explorer = UnseenNegativesExplorer([1, 0, 1, 0], [0.9, 0.7, 0.4, 0.2])
    box = explorer.controls["threshold"]
    box.value = box.max
    assert repr(explorer).endswith("No row is flagged, so precision is undefined (nan).")
    assert len(repr(explorer)) < 330


@pytest.mark.parametrize("scores", [[0.5] * 4, [1e-50, 2e-50, 3e-50, 4e-50], [1e9, 1e9 + 1, 1e9 + 2, 1e9 + 3]])
@pytest.mark.seen
def test_any_finite_scores_will_do(scores):
    explorer = UnseenNegativesExplorer([0, 1, 0, 1], scores)
    for name, box in explorer.controls.items():
        for end in (box.min, box.max):
            box.value = end
            assert Image.open(io.BytesIO(explorer.picture.value)).size == (900, 400), name


ROWS = ([1, 0, 1, 0], [0.9, 0.7, 0.4, 0.2])


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: UnseenNegativesExplorer(*ROWS, [0.1, math.nan]), "^unseen_scores has nan at position 1"),
        (lambda: UnseenNegativesExplorer(*ROWS, []), "^unseen_scores is empty"),
        (
            lambda: UnseenNegativesExplorer(*ROWS, [0.1], place=0.5),
            r"^place must be left out where unseen_scores are given, got 0\.5$",
        ),
        (
            lambda: UnseenNegativesExplorer(*ROWS, place=1.5),
            r"^place must be between 0 and 1, both included, got 1\.5$",
        ),
        (lambda: UnseenNegativesExplorer(*ROWS, place=math.nan), "^place must be between"),
        (lambda: UnseenNegativesExplorer(*ROWS, unseen_per_positive=-1), "^unseen_per_positive must be 0 or more"),
        (lambda: UnseenNegativesExplorer(*ROWS, ratio=0), r"^ratio must be above 0 and at most 1e\+300, got 0$"),
        (lambda: UnseenNegativesExplorer(*ROWS, threshold=math.nan), "^threshold must be a finite number"),
        (lambda: UnseenNegativesExplorer([1, 1], [0.1, 0.2]), "^counts hold no negatives"),
        (lambda: UnseenNegativesExplorer([1, 0], [math.inf, 0.2]), "^y_score holds infinite scores"),
        (lambda: UnseenNegativesExplorer([1, 0], [0.3, -math.inf]), "^y_score holds infinite scores"),
        (lambda: UnseenNegativesExplorer(["a", "b"], [0.3, 0.1]), "^y_true holds 'a', 'b'"),
    ],
)
def test_a_wrong_argument_of_the_explorer_is_refused_with_its_name(make, said):
    with pytest.raises(ValueError, match=said):
        make()


def test_words_as_labels_and_infinite_unseen_scores_are_fine():
    explorer = UnseenNegativesExplorer(["cat", "dog"], [0.9, 0.2], [math.inf, 0.1], positive="cat")
    assert explorer.numbers()["unseen_false_positive_rate"] == 0.5


@pytest.fixture(scope="module")
def simulated():
    return UnseenNegativesExplorer(*data.two_normals(300, 9, separation=3.0, seed=1), place=0.4)


@pytest.mark.parametrize("threshold", [0.0, 0.02, 0.5, 0.9, 1.0])
@pytest.mark.parametrize(("ratio", "unseen"), [(1, 0), (8.98, 3.75), (1000, 50)])
def test_the_fraction_below_the_picture_evaluates_to_the_value_it_states(simulated, threshold, ratio, unseen):
    explorer = move(simulated, threshold=threshold, ratio=ratio, unseen_per_positive=unseen)
    name, fraction, stated = explorer.artists.fraction.get_text().split(" = ")
    assert name == "real precision"
    hits, rest = fraction.replace(",", "").split(" / ")
    alarms = [float(a) * float(b) for a, b in (pair.split(" × ") for pair in rest.strip("()").split(" + ")[1:])]
    flagged = float(hits) + sum(alarms)
    assert float(stated) == pytest.approx(float(hits) / flagged if flagged else math.nan, abs=2e-3, nan_ok=True)


def test_a_stand_in_at_the_known_negatives_is_flagged_as_they_are_in_float32():
    scores = np.array([0.9, 0.7, 0.7, 0.1], dtype="f4")
    now = UnseenNegativesExplorer([1, 1, 0, 0], scores, place=0, threshold=0.7).numbers()
    assert now["unseen_false_positive_rate"] == now["false_positive_rate"] == 0.5
