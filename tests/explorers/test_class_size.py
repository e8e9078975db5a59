"""The explorer of a class size: its estimates against counting, ranks inside a tie, and estimates above 1."""

import math

import numpy as np
import pytest
from scipy.stats import norm
from screens import numbers_in

from evalteach import data
from evalteach.explorers import ClassSizeExplorer
from explorers.helpers import CASES, move, unlabeled_nines

pytestmark = pytest.mark.usefixtures("undrawn")

INF = math.inf


def make(**more):
    return CASES["ClassSizeExplorer"].make(**more)


@pytest.mark.parametrize(("class_size", "k"), [(90, 90), (1, 500), (300, 30), (450, 3)])
def test_the_class_size_explorer_agrees_with_counting(class_size, k):
    explorer = move(make(), class_size=class_size, k=k)
    rows = unlabeled_nines()
    positives, unlabeled, is_nine = rows.test.positives, rows.unlabeled.y_score, rows.unlabeled.y_true
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
            "precision_low": max(shrunk - doubt, 0) * class_size / k,
            "precision_high": (shrunk + doubt) * class_size / k,
            "f1": 2 * recall * class_size / (k + class_size),
            "best_f1": best[0],
            "best_k": -best[1],
            "true_precision": is_nine[unlabeled >= threshold].mean(),
        }
    )


def test_without_labels_of_the_unlabeled_rows_no_truth_is_told():
    explorer = ClassSizeExplorer([0.9, 0.8, 0.3], np.linspace(0, 1, 50))
    assert "true" not in repr(explorer)
    assert "true_precision" not in explorer.numbers()


SMALL = {
    "one row on each side": ([0.5], [0.4]),
    "its only positive below the row": ([0.5], [0.6]),
    "two rows": ([0.5], [0.4, 0.6]),
    "constant scores": ([0.5] * 3, [0.5] * 10),
    "infinite scores": ([INF, 0.5, -INF], [INF, 1, -INF, 0]),
    "no positive is reached": ([0.1], [1, 2, 3, 4, 5]),
}


@pytest.mark.parametrize("which", SMALL)
@pytest.mark.seen
def test_few_or_odd_unlabeled_rows_will_do(which):
    positives, unlabeled = (np.array(scores, dtype=float) for scores in SMALL[which])
    explorer = ClassSizeExplorer(positives, unlabeled, max_k=unlabeled.size)
    for k in (1, unlabeled.size):
        now = move(explorer, k=k, class_size=k).numbers()
        cut = np.sort(unlabeled)[-k]
        assert now["k"] == (unlabeled >= cut).sum()
        assert now["recall"] == (positives >= cut).mean()
        assert now["precision"] == pytest.approx(now["recall"] * k / now["k"])


def test_an_estimate_above_1_is_shown_as_it_is():
    easy = ClassSizeExplorer(np.full(30, 2.0), np.linspace(0, 1, 1000), class_size=300, k=30)
    assert easy.numbers()["precision"] == pytest.approx(10)
    assert easy.numbers()["f1"] > 1
    assert "= 10.000" in repr(easy)
    assert "Above 1" in repr(easy)
    assert "Above 1" in repr(move(easy, k=300))  # precision is 1 there, and the best F1 is not
    assert "Above 1" not in repr(ClassSizeExplorer(np.full(30, 2.0), np.linspace(0, 3, 1000), class_size=300, k=300))


def test_a_class_size_that_numpy_counted_is_one_to_start_with():
    is_positive = np.arange(300) < 90
    explorer = ClassSizeExplorer([250, 290], np.arange(300), class_size=is_positive.sum(dtype=np.int8))
    assert explorer.controls["k"].max == 300  # and not four times 90 wrapped around
    assert explorer.numbers()["class_size"] == 90


TIED = np.repeat([0.9, 0.6, 0.4, 0.1], [30, 50, 120, 200])
TIED_TEST = np.repeat([0.9, 0.6, 0.4, 0.1], [8, 6, 4, 2])


def test_a_k_inside_a_tie_becomes_the_end_of_the_tie_and_the_sentence_says_so():
    test, unlabeled = data.letters_scores(0, "extra trees").of("V")
    same = int(np.sum(unlabeled.y_score >= np.sort(unlabeled.y_score)[-20]))
    assert same > 40  # trees agree on many of the best rows
    explorer = ClassSizeExplorer(
        test.positives, unlabeled.y_score, class_size=295, k=20, y_true_unlabeled=unlabeled.y_true
    )
    now = explorer.numbers()
    assert now["k"] == same
    assert now["precision"] == pytest.approx(np.mean(test.positives >= now["threshold"]) * 295 / same)
    assert numbers_in(repr(explorer).partition("best")[2])[-2:] == [20, same]


def test_curves_and_bands_stand_at_ranks_that_a_threshold_gives():
    explorer = ClassSizeExplorer(TIED_TEST, TIED, class_size=100, k=100, max_k=400)
    artists, ends = explorer.artists, [30, 80, 200, 400]
    for curve in (artists.precision, artists.f1):
        assert curve.get_xdata().tolist() == ends
    assert set(artists.precision_band.get_xy()[:, 0]) == set(ends)
    assert artists.precision.get_ydata() == pytest.approx(100 * np.array([0.4, 0.7, 0.9, 1]) / ends)
    for k in (1, 30, 31, 100, 200, 399, 400):
        now = move(explorer, k=k).numbers()
        assert now["k"] == min(end for end in ends if end >= k)
        assert now["f1"] <= now["best_f1"] <= 1
        assert now["precision_low"] < now["precision"] < now["precision_high"]
        assert ("inside a tie" in repr(explorer)) == (k not in ends)


def test_a_class_size_beyond_twenty_times_the_last_rank_still_has_an_estimate_there():
    unlabeled = np.append(2.0, np.linspace(1, 0, 60).round())  # the best row, then ties
    explorer = ClassSizeExplorer([2.0, 0.0], unlabeled, class_size=25, k=1, max_k=25)
    assert explorer.artists.precision.get_xdata().tolist() == [1]
    assert explorer.artists.precision.get_ydata() == pytest.approx([12.5])
    assert explorer.artists.precision.axes.get_ylim()[1] > explorer.numbers()["precision"]


def test_a_k_whose_tie_ends_beyond_the_axis_is_refused_with_what_is_accepted():
    with pytest.raises(ValueError, match=r"^k = 90 is inside a tie that ends at 200 rows; max_k must be that or more"):
        ClassSizeExplorer(TIED_TEST, TIED, class_size=50, k=90, max_k=150)
    assert ClassSizeExplorer(TIED_TEST, TIED, class_size=25, k=90).numbers()["k"] == 200  # four times 25 gives way


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"k": 0}, "k must be a whole number from 1 to 9, got 0"),
        ({"k": 2.5}, "k must be a whole number from 1 to 9, got 2.5"),
        ({"k": 10}, "k must be a whole number from 1 to 9, got 10"),
        ({"confidence": 0}, "confidence must be between 0 and 1, got 0"),
        ({"confidence": "0.9"}, "^confidence must be one real number, got"),
        ({"class_size": 10}, "class_size must be a whole number"),
        ({"class_size": 0}, "class_size must be a whole number from 1 to 9, got 0"),
        ({"class_size": -1}, "must be a whole number from 1 to"),
        ({"class_size": "3"}, "^class_size must be one real number, got '3'"),
        ({"class_size": 2.3}, "^class_size must be a whole number .* got 2.3"),
        ({"max_k": 10}, "max_k must be a whole number .* 9, got 10"),
        ({"y_true_unlabeled": [1, 2] * 4 + [1]}, "^y_true_unlabeled holds 1, 2; labels must be"),
        ({"y_true_unlabeled": [1]}, "^unequal lengths: y_true_unlabeled has 1, unlabeled_scores has 9 rows"),
    ],
)
def test_a_wrong_argument_is_refused_with_its_name(arguments, said):
    with pytest.raises(ValueError, match=said):
        ClassSizeExplorer([1], range(9), **arguments)
