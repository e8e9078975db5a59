"""The four counts, at one threshold and at all of them, and what is said of inputs that make no sense."""

import copy
import dataclasses
import math
import pickle
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
import sklearn.metrics
from cells import TICKETS, counts_of, matrices, rows_of
from hypothesis import example, given, settings
from hypothesis import strategies as st

from evalteach import _sort
from evalteach._inputs import read_labels
from evalteach.classification import fbeta, macro, micro, weighted
from evalteach.counts import Counts, counted, one_vs_rest, sweep
from evalteach.data import eight_screenings, ten_messages

TINY = 5e-324  # the smallest number above 0
HUGE = np.finfo(float).max
WEIGHTS = st.sampled_from([0.0, 0.25, 0.5, 1.0, 3.0, 1000.0])  # sums of these are exact


def columns(rows):
    """Labels, scores and further columns of a list of rows."""
    actual, score, *rest = zip(*rows, strict=True)
    return np.array(actual, dtype=bool), np.array(score, dtype=float), *map(np.array, rest)


@st.composite
def scored_rows(draw, *more, max_size=30):
    """Rows of one kind of score, or of all kinds mixed."""
    # each leads the sort down another path: plain, tied, signed, beyond 2, too wide for one scale, infinite
    kinds = [
        st.floats(0, 1),
        st.integers(-3, 3).map(float),
        st.integers(0, 6).map(lambda step: step / 4),
        st.sampled_from([0.0, -0.0, TINY, -TINY, 2 * TINY]),
        st.sampled_from([-2.0, -math.nextafter(2, 0), math.nextafter(2, 0), 2.0, math.nextafter(2, 3), -0.0]),
        st.sampled_from([HUGE, -HUGE, HUGE / 2, 1e300, 0.0]),
        st.sampled_from([TINY, 3 * TINY, -TINY, 7.0, HUGE]),
        st.sampled_from([math.inf, -math.inf, 0.0, 1.0, HUGE]),
        st.floats(allow_nan=False),
    ]
    score = draw(st.sampled_from([*kinds, st.one_of(kinds)]))
    return columns(draw(st.lists(st.tuples(st.booleans(), score, *more), min_size=1, max_size=max_size)))


def by_counting(actual, score, threshold, weights=None):
    """The definition: a row is flagged when its score is at or above the threshold."""
    weights = np.ones(score.size) if weights is None else weights
    flagged = score >= threshold
    cells = (actual & flagged, ~actual & flagged, actual & ~flagged, ~actual & ~flagged)
    return counts_of(*(weights[cell].sum() for cell in cells))


# --- worked by hand --------------------------------------------------------------------------------------


def test_ten_messages_are_counted_by_hand_at_one_half():
    # flagged: .95 .88 .74 are spam, .81 .52 are not; .47 is missed
    messages = ten_messages()
    assert sweep(messages["is_spam"], messages["score"]).at(0.5) == Counts(tp=3, fp=2, fn=1, tn=4)


def test_eight_screenings_are_counted_by_hand_at_every_threshold():
    screenings = eight_screenings()
    curve = sweep(screenings["is_ill"], screenings["score"])
    np.testing.assert_array_equal(curve.thresholds, [math.inf, 0.9, 0.7, 0.4, 0.1])
    assert curve.counts == Counts(tp=[0, 1, 3, 4, 4], fp=[0, 0, 1, 3, 4], fn=[4, 3, 1, 0, 0], tn=[4, 4, 3, 1, 0])


def test_weights_are_added_up_by_hand():
    curve = sweep([1, 0, 1, 0], [0.9, 0.8, 0.8, 0.1], weights=[0.5, 2, 3, 10])
    np.testing.assert_array_equal(curve.thresholds, [math.inf, 0.9, 0.8, 0.1])
    assert curve.counts == Counts(tp=[0, 0.5, 3.5, 3.5], fp=[0, 0, 2, 12], fn=[3.5, 3, 0, 0], tn=[12, 12, 10, 0])


# --- a sweep is counting, at every threshold -------------------------------------------------------------


@given(scored_rows())
@settings(max_examples=200)
@example(columns([(True, -0.0), (False, 0.0), (True, TINY), (False, -TINY)]))
@example(columns([(True, HUGE), (False, -HUGE), (True, 1e300)]))
@example(columns([(True, HUGE), (False, TINY), (False, -TINY)]))
@example(columns([(True, math.inf), (False, math.inf), (True, -math.inf), (False, -math.inf)]))
@example(columns([(True, 2.0), (False, math.nextafter(2, 0)), (False, -2.0), (True, -math.nextafter(2, 0))]))
@example(columns([(False, -1.0), (True, -1.0), (False, -1.0), (True, 1.0), (False, 1.0)]))
def test_a_sweep_equals_counting_at_every_threshold(rows):
    actual, score = rows
    curve = sweep(actual, score)
    np.testing.assert_array_equal(curve.thresholds, np.append(math.inf, np.unique(score)[::-1]))
    expected = [by_counting(actual, score, threshold) for threshold in curve.thresholds[1:]]
    # nothing is flagged at the first threshold, not even a score of +inf
    assert curve.counts[0] == Counts(tp=0, fp=0, fn=int(actual.sum()), tn=int((~actual).sum()))
    assert [curve.counts[i] for i in range(1, curve.thresholds.size)] == expected


@given(scored_rows(WEIGHTS).filter(lambda rows: rows[2].any()))
@example(columns([(True, -0.0, 1.0), (False, 0.0, 3.0), (True, TINY, 0.5), (False, 1.0, 0.0)]))
@example(columns([(True, math.inf, 1.0), (False, math.inf, 3.0), (True, -math.inf, 0.5)]))
def test_a_weighted_sweep_equals_adding_weights_at_every_threshold(rows):
    actual, score, weights = rows
    curve = sweep(actual, score, weights=weights)
    np.testing.assert_array_equal(curve.thresholds, np.append(math.inf, np.unique(score[weights > 0])[::-1]))
    expected = [by_counting(actual, score, threshold, weights) for threshold in curve.thresholds[1:]]
    assert curve.counts[0] == Counts(tp=0, fp=0, fn=weights[actual].sum(), tn=weights[~actual].sum())
    assert [curve.counts[i] for i in range(1, curve.thresholds.size)] == expected


@given(scored_rows(), st.floats(allow_nan=False))
def test_any_threshold_counts_the_rows_at_or_above_it(rows, between):
    actual, score = rows
    curve = sweep(actual, score)
    below = [math.nextafter(x, -math.inf) for x in score.tolist()]
    above = [math.nextafter(x, math.inf) for x in score.tolist()]
    for threshold in [between, *score.tolist(), *below, *above, -math.inf, math.inf]:
        assert curve.at(threshold) == by_counting(actual, score, threshold)
        assert curve.counts[curve.position(threshold)] == curve.at(threshold)


@pytest.mark.parametrize("low", [0.0, -1.0], ids=["not negative", "both signs"])
@pytest.mark.parametrize("scale", [1.0, 1e6], ids=["below 2", "large"])
@pytest.mark.parametrize("steps", [None, 1000], ids=["distinct", "tied"])
def test_many_rows_are_counted_like_few(low, scale, steps):
    rng = np.random.default_rng(7)
    score = scale * rng.uniform(low, 1, 100_003)  # more rows than are handled in one piece
    if steps:
        score = np.round(score * steps / scale) * scale / steps
    actual = rng.random(score.size) < 0.3
    curve = sweep(actual, score)
    np.testing.assert_array_equal(curve.thresholds[1:], np.unique(score)[::-1])
    for one_class, flagged, left in ((actual, "tp", "fn"), (~actual, "fp", "tn")):
        below = np.searchsorted(np.sort(score[one_class]), curve.thresholds)
        np.testing.assert_array_equal(getattr(curve.counts, left), below)
        np.testing.assert_array_equal(getattr(curve.counts, flagged), one_class.sum() - below)


# --- the fast sort behind it is the textbook form -------------------------------------------------------------


@pytest.mark.parametrize(
    ("low", "scale", "digits"),
    [(0, 1, 9), (-1, 1, 9), (-1, 1e-300, 305), (0, 1e300, -298), (-3, 7, 1), (-3, 7, 15)],  # no two equal in the last
)
def test_the_fast_sort_counts_many_rows_like_the_textbook_form(low, scale, digits):
    rng = np.random.default_rng(0)
    actual, score = rng.random(70_000) < 0.3, np.round(scale * rng.uniform(low, 1, 70_000), digits)
    assert np.unique(score).size == 70_000 or digits != 15
    for fast, textbook in zip(_sort.counted(actual, score), counted(actual, score, 1), strict=True):
        np.testing.assert_array_equal(fast, textbook)


# --- ties ------------------------------------------------------------------------------------------------


def test_minus_zero_ties_with_zero():
    for more in ([], [1.0], [-1.0], [5.0], [math.inf]):
        curve = sweep([1, 0, *[1] * len(more)], [-0.0, 0.0, *more])
        assert curve.thresholds.size == 2 + len(more)
        assert curve.at(0.0) == curve.at(-0.0)
    for weights, scores in ((None, [-0.0, 0.0]), ([1, 2], [-0.0, 0.0]), ([1, 2], [0.0, -0.0])):
        assert str(sweep([1, 0], scores, weights=weights).thresholds) == "[inf  0.]", "no sign"


# --- inputs ----------------------------------------------------------------------------------------------

HAND = Counts(tp=2, fp=1, fn=1, tn=1)  # of labels + - + - + and scores 5 4 3 2 1, at 3
LABELS = [1, 0, 1, 0, 1]


@pytest.mark.parametrize(
    "labels",
    [
        LABELS,
        tuple(LABELS),
        np.array(LABELS, dtype=np.uint8),
        np.array(LABELS, dtype=np.int64),
        np.array(LABELS, dtype=float),
        np.array(LABELS, dtype=bool),
        [label == 1 for label in LABELS],
        np.array(LABELS, dtype=object),
        np.array([True, False, True, False, True], dtype=object),
        pd.Series(LABELS, index=[9, 8, 7, 6, 5]),
        pd.Series(LABELS, dtype="Int64"),
        pd.Series(LABELS, dtype="Float64"),
        pd.Series(LABELS, dtype="boolean"),
        pd.Series(LABELS, dtype="category"),
        pd.DataFrame({"y": LABELS})["y"],
    ],
    ids=lambda labels: f"{type(labels).__name__} {getattr(labels, 'dtype', '')}",
)
def test_labels_of_zero_and_one_need_no_name_for_the_positive(labels):
    assert sweep(labels, [5, 4, 3, 2, 1]).at(3) == HAND


@pytest.mark.parametrize("dtype", ["str", "object", "string", "category"])
def test_string_labels_with_the_positive_named(dtype):
    labels = pd.Series(["ham" if label == 0 else "spam" for label in LABELS]).astype(dtype)
    assert sweep(labels, [5, 4, 3, 2, 1], positive="spam").at(3) == HAND
    assert sweep(labels, [5, 4, 3, 2, 1], positive="ham").at(3) == Counts(tp=1, fp=2, fn=1, tn=1)


def test_any_two_numbers_are_labels_with_the_positive_named():
    for negative in (-1, 2, 0.5):
        labels = [negative if label == 0 else 1 for label in LABELS]
        assert sweep(labels, [5, 4, 3, 2, 1], positive=1).at(3) == HAND
    assert sweep(LABELS, [5, 4, 3, 2, 1], positive=0).at(3) == Counts(tp=1, fp=2, fn=1, tn=1)
    assert sweep(np.array(LABELS, dtype=bool), [5, 4, 3, 2, 1], positive=False).at(3) == Counts(tp=1, fp=2, fn=1, tn=1)
    assert sweep(["a", "a"], [1, 2], positive="a").at(2) == Counts(tp=1, fp=0, fn=1, tn=0)


@pytest.mark.parametrize(
    "scores",
    [
        [5, 4, 3, 2, 1],
        np.array([5, 4, 3, 2, 1], dtype=np.float32),
        np.array([5, 4, 3, 2, 1], dtype=">f8"),
        np.array([5, 4, 3, 2, 1], dtype=np.uint8),
        np.array([5, 4, 3, 2, 1], dtype=object),
        np.array([1, 2, 3, 4, 5])[::-1],
        pd.Series([5, 4, 3, 2, 1], index=[3, 1, 4, 1, 5]),
        pd.Series([5, 4, 3, 2, 1], dtype="Int64"),
        pd.Series([5, 4, 3, 2, 1], dtype="Float64"),
    ],
    ids=lambda scores: f"{type(scores).__name__} {getattr(scores, 'dtype', '')}",
)
def test_scores_may_come_as_any_column_of_numbers(scores):
    curve = sweep(LABELS, scores, weights=scores)
    assert sweep(LABELS, scores).at(3) == HAND
    assert curve.at(3) == Counts(tp=8, fp=4, fn=1, tn=2)
    assert curve.thresholds.dtype == np.float64


def test_labels_and_scores_are_left_as_they_were():
    labels, scores, weights = np.array([1, 0, 1]), np.array([4.0, -9.0, 4.0]), np.array([1.0, 0.0, 2.0])
    sweep(labels, scores)
    sweep(labels, scores, weights=weights)
    assert (labels.tolist(), scores.tolist(), weights.tolist()) == ([1, 0, 1], [4, -9, 4], [1, 0, 2])


# --- errors ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("labels", "found"),
    [
        ([0, 1, 2], r"y_true holds 0, 1, 2; labels must be bool, 0/1, or two values with positive="),
        ([-1, 1, 1], r"y_true holds -1, 1; labels must be bool, 0/1"),
        ([1, 2, 1], r"y_true holds 1, 2; labels must be bool, 0/1"),
        ([0.0, 0.5, 1.0], r"y_true holds 0\.0, 0\.5, 1\.0; labels must be"),
        ([0.0, 1.0, 2.0], r"y_true holds 0\.0, 1\.0, 2\.0; labels must be"),
        ([0, 1 + 0j], r"y_true holds 0j, \(1\+0j\); labels must be"),
        (np.array([0, 1, 0.5], dtype=object), r"y_true holds 0, 1, 0\.5; labels must be"),
        (["ham", "spam", "ham"], r"y_true holds 'ham', 'spam'; labels must be .* positive= naming one"),
        (["0", "1", "0"], r"y_true holds '0', '1'; labels must be"),
        (np.ma.array([0, 1, 1], mask=[0, 1, 0]), r"y_true is masked at position 1; leave out what is masked, or"),
        ([0, [1, 1], 0], r"y_true cannot be read as an array \(.*\); entries of one length are needed"),
        (pd.Series(["spam", "ham", "ham"], dtype="category"), r"y_true holds 'spam', 'ham'; labels must be"),
        ([0, 1, math.nan], r"y_true has a missing value among 0\.0, 1\.0, nan; labels must be"),
        ([0, 1, None], r"y_true has a missing value among 0, 1, None; labels must be"),
        (pd.array([0, 1, pd.NA], dtype="Int64"), r"y_true has a missing value among 0.*(nan|<NA>); labels"),
        (pd.array([True, False, None], dtype="boolean"), r"y_true has a missing value among True.*; labels"),
        ([[0, 1, 1]], r"y_true must have one dimension, got shape \(1, 3\); pass one column"),
        (1, r"y_true must have one dimension, got shape \(\)"),
        ([], r"y_true is empty; at least one row is needed"),
        ([0, 1], r"unequal lengths: y_true has 2, y_score has 3 rows; one entry per row is needed"),
        ([0, 1j, 1], r"y_true holds .*; labels must be"),
    ],
)
def test_labels_that_are_not_two_classes_are_refused(labels, found):
    with pytest.raises(ValueError, match=f"^{found}"):
        sweep(labels, [1, 2, 3])


@pytest.mark.parametrize(
    ("labels", "positive", "found"),
    [
        (["a", "b", "c"], "a", r"y_true holds 'a', 'b', 'c'; labels must be"),
        (["ham", "eggs", "ham"], "spam", r"positive='spam' does not occur in y_true, which holds 'eggs', '"),
        ([0, 1, 0], "1", r"positive='1' does not occur in y_true, which holds 0, 1"),
        ([0, 0, 0], 1, r"positive=1 does not occur in y_true, which holds 0$"),
        (["a", None, "b"], "a", r"y_true has a missing value among 'a', None, 'b'; labels must be"),
        ([1, 0, math.nan], 1, r"y_true has a missing value among 0\.0, 1\.0, nan; labels"),
        (pd.array(["a", pd.NA, "b"], dtype="string"), "a", r"y_true has a missing value among 'a', .*, 'b'"),
        (pd.Series(["a", None, "b"], dtype="category"), "a", r"y_true has a missing value among 'a', nan"),
        ([0, 1, 2, 3, 4, 5, 6], 1, r"y_true holds 0, 1, 2, 3, 4, \.\.\. \(7 distinct values\); labels"),
    ],
)
def test_a_positive_label_that_does_not_fit_is_refused(labels, positive, found):
    with pytest.raises(ValueError, match=f"^{found}"):
        sweep(labels, np.arange(len(labels)), positive=positive)


@pytest.mark.parametrize(
    ("scores", "found"),
    [
        ([0.5, math.nan, math.nan], r"y_score has nan at position 1; scores must be real numbers"),
        ([-math.inf, 1, math.nan], r"y_score has nan at position 2; .*\(infinite ones order fine, nan"),
        (pd.array([0.5, 0.1, pd.NA], dtype="Float64"), r"y_score .*(nan at position 2|NA).*; scores must be"),
        ([0.5, None, 0.1], r"y_score .*; scores must be real numbers"),
        (np.array([0.5, pd.NA, 0.1], dtype=object), r"y_score cannot be read as numbers \(.*NAType.*\); scores"),
        (["0.5", "0.1", "0.2"], r"y_score has dtype <U3; scores must be real numbers"),
        (np.ma.array([0.5, 0.1, 9], mask=[0, 0, 1]), r"y_score is masked at position 2; leave out what is masked"),
        ([0.5, [0.1], 0.2], r"y_score cannot be read as an array \(.*\); entries of one length are needed"),
        ([10**400, 1, 0], r"y_score cannot be read as numbers \(int too large .*\); scores must be real numbers"),
        (np.array([0.5, "", 1], dtype=object), r"y_score (cannot be read as numbers|holds the text).*; scores must"),
        (np.array([0.5, (1, 2), 1], dtype=object), r"y_score cannot be read as numbers \(.*\); scores must"),
        (np.array([0.5, "high", 1], dtype=object), "y_score holds the text 'high'; scores"),
        ([1j, 0, 1], r"y_score has dtype complex128; scores must be real numbers"),
        (np.array(["2020-01-01"] * 3, dtype="datetime64[D]"), r"y_score has dtype datetime64\[D\]; scores"),
        ([[0.5], [0.1], [0.2]], r"y_score must have one dimension, got shape \(3, 1\); pass one column"),
        (0.5, r"y_score must have one dimension, got shape \(\)"),
        ([], r"y_score is empty; at least one row is needed"),
        ([0.5, 0.1], r"unequal lengths: y_true has 3, y_score has 2 rows; one entry per row"),
    ],
)
def test_scores_that_do_not_order_the_rows_are_refused(scores, found):
    with pytest.raises(ValueError, match=f"^{found}"):
        sweep([0, 1, 0], scores)


@pytest.mark.parametrize(
    ("weights", "found"),
    [
        ([1, -0.5, -2], r"weights holds -0.5 at position 1; weights must be 0 or more and finite"),
        ([1, math.inf, 1], r"weights holds inf at position 1; weights must be 0 or more and finite"),
        ([1, -math.inf, 1], r"weights holds -inf at position 1; weights must be"),
        ([0, 0, 0], r"weights are all zero; at least one row has to count"),
        ([1, math.nan, 1], r"weights has nan at position 1; weights must be 0 or more and finite"),
        (np.ma.array([1, 2, 3], mask=[1, 0, 0]), r"weights is masked at position 0"),
        (pd.array([1, 2, pd.NA], dtype="Int64"), r"weights .*(nan|NA).*; weights must be 0 or more and finite"),
        (["1", "1", "1"], r"weights has dtype <U1; weights must be 0 or more and finite"),
        ([1, 1], r"unequal lengths: y_true has 3, weights has 2 rows; one entry per row is needed"),
        ([[1, 1, 1]], r"weights must have one dimension, got shape \(1, 3\)"),
        ([], r"weights is empty"),
        ([1e308, 1e308, 1], r"weights holds 1e\+308; weights of 3 rows must add up to 1e300 at most"),
    ],
)
def test_weights_that_count_nothing_are_refused(weights, found):
    with pytest.raises(ValueError, match=f"^{found}"):
        sweep([0, 1, 0], [1, 2, 3], weights=weights)


def test_a_threshold_of_nan_is_refused():
    curve = sweep([0, 1], [1, 2])
    for ask in (curve.at, curve.position):
        with pytest.raises(ValueError, match=r"^threshold is nan; a number is needed \(inf flags nothing but .*\)$"):
            ask(math.nan)


@pytest.mark.parametrize("threshold", ["1.5", ".5", b"1", 1j, None, [1], np.array([1.0]), pd.NA])
def test_a_threshold_that_is_no_real_number_is_refused(threshold):
    curve = sweep([0, 1], [1, 2])
    for ask in (curve.at, curve.position):
        with pytest.raises(ValueError, match=r"^threshold must be one real number, got "):
            ask(threshold)


@pytest.mark.parametrize("threshold", [1.5, 2, np.float32(1.5), np.int8(2), np.array(1.5), Fraction(3, 2)])
def test_any_real_number_is_a_threshold(threshold):
    assert sweep([0, 1], [1, 2]).at(threshold) == Counts(tp=1, fp=0, fn=0, tn=1)


def test_a_masked_array_with_nothing_masked_is_a_column_like_any():
    column = np.ma.array([1, 0, 1], mask=False)
    assert sweep(column, column, weights=column + 1).at(1) == Counts(tp=4, fp=0, fn=0, tn=1)


@pytest.mark.parametrize("labels", [[], [[0]], [0, 2], [0, None], [0, [1]], np.ma.array([0, 1], mask=[0, 1])])
def test_labels_are_blamed_under_the_name_that_the_caller_gave_them(labels):
    for positive in (None, 7):
        with pytest.raises(ValueError, match=r"^(positive=7 does not occur in )?y_true_deployed\b") as refused:
            read_labels(labels, positive, name="y_true_deployed")
        assert "y_true " not in str(refused.value)


@pytest.mark.parametrize("dtype", ["object", "string", "category"])
def test_strings_of_digits_are_no_scores_in_any_column(dtype):
    with pytest.raises(ValueError, match=r"^y_score .*; scores must be real numbers"):
        sweep([0, 1, 0], pd.Series(["0.5", "0.1", "0.2"]).astype(dtype))


# --- Counts itself ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("cell", ["tp", "fp", "fn", "tn"])
@pytest.mark.parametrize("value", [-1, -0.5, math.nan, math.inf, [1, -1], [1, math.nan]])
def test_a_count_below_zero_or_not_finite_is_refused_by_name(cell, value):
    with pytest.raises(ValueError, match=rf"^{cell} must be finite and 0 or more \(at most (9e\+15|1e\+300)\), got "):
        counts_of(**{**dict.fromkeys(("tp", "fp", "fn", "tn"), 1), cell: value})


@pytest.mark.parametrize("value", ["8", None, [1, "2"], 1j])
def test_a_count_that_is_no_number_is_refused_by_name(value):
    with pytest.raises(ValueError, match=r"^fn must be a number or an array of numbers, got "):
        Counts(tp=1, fp=1, fn=value, tn=1)


@pytest.mark.parametrize("value", [2**62, 2**63, np.array([1, 2**63], dtype=">u8"), 1e305, [2**62] * 2])
def test_a_count_too_large_to_be_added_up_is_refused_by_name(value):
    with pytest.raises(ValueError, match=r"^fn must be finite and 0 or more \(at most (9e\+15|1e\+300)\), got "):
        Counts(tp=1, fp=1, fn=value, tn=1)
    with pytest.raises(ValueError, match=r"^fn must be a number .*; integers must fit int64$"):
        Counts(tp=1, fp=1, fn=10**30, tn=1)
    assert Counts(tp=1, fp=1, fn=2**53, tn=2.0**70).fn == 2**53


def test_counts_do_not_change_when_the_arrays_they_came_from_do():
    tp, tn = np.array([1, 2]), np.array([3.0, 4.0])
    counts = Counts(tp=tp, fp=0, fn=0, tn=tn)
    tp[0], tn[0] = 100, -1
    assert counts == Counts(tp=[1, 2], fp=0, fn=0, tn=[3, 4])


def test_a_sweep_cannot_be_changed_by_mistake():
    for made in (sweep([1, 0, 1], [3, 2, 1]), sweep([1, 0, 1], [3, 2, 2], weights=[1, 2, 3])):
        for array in (made.thresholds, *(getattr(made.counts, cell) for cell in ("tp", "fp", "fn", "tn"))):
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 7


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ([1, [2, 3]], r"fn cannot be read as an array \(.*\); entries of one length are needed"),
        (np.ma.array([1, 2], mask=[0, 1]), "fn is masked at position 1; leave out what is masked, or fill it"),
        (np.ma.masked, "fn is masked at position 0"),
    ],
)
def test_a_count_that_is_ragged_or_masked_is_refused_by_name(value, found):
    with pytest.raises(ValueError, match=f"^{found}"):
        Counts(tp=1, fp=1, fn=value, tn=1)


def test_shapes_that_do_not_fit_together_are_refused():
    with pytest.raises(ValueError, match=r"^tp, fp, fn and tn have shapes \(\), \(2,\), \(\), \(3,\);"):
        Counts(tp=1, fp=[1, 2], fn=3, tn=[1, 2, 3])


def test_scalars_among_arrays_take_the_shape_of_the_arrays():
    counts = Counts(tp=[1, 2, 3], fp=4, fn=[0.5, 0, 0], tn=True)
    assert all(getattr(counts, cell).shape == (3,) for cell in ("tp", "fp", "fn", "tn"))
    assert counts[1] == Counts(tp=2, fp=4, fn=0, tn=1)
    assert Counts(tp=[[1], [2]], fp=[1, 2, 3], fn=0, tn=0).tp.shape == (2, 3)


def test_scalar_counts_are_plain_numbers():
    for counts in (Counts(tp=np.int64(8), fp=np.float64(2), fn=True, tn=3), sweep([1, 0], [2.0, 1.0]).at(1.5)):
        assert all(type(getattr(counts, cell)) in (int, float) for cell in ("tp", "fp", "fn", "tn"))
    assert type(sweep([1, 0], [2.0, 1.0]).at(1.5).tp) is int


def test_counts_of_arrays_are_indexed_like_arrays():
    counts = Counts(tp=[0, 1, 2], fp=[0, 0, 5], fn=[2, 1, 0], tn=[5, 5, 0])
    assert counts[-1] == Counts(tp=2, fp=5, fn=0, tn=0)
    assert counts[1:] == Counts(tp=[1, 2], fp=[0, 5], fn=[1, 0], tn=[5, 0])
    assert counts[[2, 0]] == Counts(tp=[2, 0], fp=[5, 0], fn=[0, 2], tn=[0, 5])
    assert counts[np.array([True, False, True])] == Counts(tp=[0, 2], fp=[0, 5], fn=[2, 0], tn=[5, 0])


def test_scalar_counts_cannot_be_indexed():
    with pytest.raises(TypeError, match=r"^these Counts are scalars; only Counts of arrays can be indexed"):
        Counts(tp=1, fp=2, fn=3, tn=4)[0]


def test_counts_are_equal_when_all_four_are():
    assert Counts(tp=1, fp=2, fn=3, tn=4) == Counts(tp=1.0, fp=2, fn=3, tn=4)
    for other in ((9, 2, 3, 4), (1, 9, 3, 4), (1, 2, 9, 4), (1, 2, 3, 9)):
        assert Counts(tp=1, fp=2, fn=3, tn=4) != counts_of(*other)
    assert Counts(tp=1, fp=2, fn=3, tn=4) != (1, 2, 3, 4)
    with pytest.raises(TypeError, match="unhashable"):
        hash(Counts(tp=1, fp=2, fn=3, tn=4))


# --- one against the rest --------------------------------------------------------------------------------


def test_fraud_against_the_rest_is_counted_by_hand():
    assert one_vs_rest(TICKETS)[2] == Counts(tp=1, fp=0, fn=1, tn=10)


def test_one_against_the_rest_agrees_with_scikit_learn_on_rows():
    matrix = np.random.default_rng(0).integers(0, 9, (6, 6))
    actual, predicted = rows_of(matrix)
    expected = sklearn.metrics.multilabel_confusion_matrix(actual, predicted, labels=range(6))
    counts = one_vs_rest(matrix)
    assert np.array_equal(np.stack([counts.tn, counts.fp, counts.fn, counts.tp], axis=1).reshape(6, 2, 2), expected)


def test_further_axes_hold_further_matrices():
    stack = np.stack([TICKETS, TICKETS.T, 3 * TICKETS])
    counts = one_vs_rest(stack)
    assert counts.tp.shape == (3, 3)
    for place, matrix in enumerate(stack):
        assert counts[place] == one_vs_rest(matrix)
        for average in (macro, micro, weighted):
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
        (np.ones((2, 2, 3)), r"got shape \(2, 2, 3\)"),
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


# --- scores of a narrower type ---------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["f2", "f4", ">f4"])
@pytest.mark.parametrize("weights", [None, [1] * 9])
def test_scores_are_compared_in_their_own_precision(kind, weights):
    scores = np.arange(1, 10, dtype=kind) / 10
    labels = np.arange(9) % 2 == 0
    swept = sweep(labels, scores, weights=weights)
    for threshold in (*np.arange(1, 10) / 10, 0.25, 1, 0, math.inf, -math.inf):
        assert swept.at(threshold).tp == np.sum(labels & (scores >= float(threshold)))
    assert swept.at(np.nextafter(scores[-1], scores.dtype.type(1))).tp == 0
    assert swept.at(10**400).tp == 0
    assert swept.at(-(10**400)).tp == 5


@pytest.mark.parametrize("kind", ["Float32", "float32"])
def test_a_pandas_column_is_compared_in_its_own_precision(kind):
    assert sweep([1, 0, 1, 0], pd.Series([0.7, 0.3, 0.7, 0.1], dtype=kind)).at(0.7).tp == 2


@pytest.mark.parametrize("threshold", [1e39, -1e39, 65_510, math.inf, -math.inf])
def test_a_threshold_beyond_a_narrow_type_flags_what_numpy_flags(threshold):
    scores = np.array([math.inf, 65_504, 0, -math.inf], dtype="f2")
    with np.errstate(over="ignore"):
        assert sweep([1, 1, 0, 1], scores).at(threshold).tp == np.sum((scores >= threshold)[[0, 1, 3]])


# --- counts that stay what they are ----------------------------------------------------------------------


def test_a_cell_cannot_be_changed():
    counts = Counts(tp=8, fp=2, fn=2, tn=88)
    with pytest.raises(dataclasses.FrozenInstanceError, match="tp"):
        counts.tp = -5
    several = Counts(tp=[8, 1], fp=2, fn=2, tn=88)
    for made in (several, several[[0, 1]], sweep([1, 0], [2, 1]).counts):
        with pytest.raises(ValueError, match="read-only"):
            made.fp[0] = 5


def test_counts_can_be_copied_kept_and_replaced():
    counts = Counts(tp=[8, 1], fp=2, fn=2, tn=88)
    for again in (copy.deepcopy(counts), pickle.loads(pickle.dumps(counts)), dataclasses.replace(counts)):
        assert again == counts
    assert dataclasses.replace(counts, tp=3)[0] == Counts(tp=3, fp=2, fn=2, tn=88)
    with pytest.raises(ValueError, match=r"^tp must be finite and 0 or more"):
        dataclasses.replace(counts, tp=-1)
    with pytest.raises(TypeError, match="positional"):
        Counts(8, 2, 2, 88)
