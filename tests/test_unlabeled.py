"""Curves on unlabeled rows: by hand, by a loop over the definition, bands, picks, regret, the AUC in the area."""

import math
import re
from functools import partial
from statistics import NormalDist

import numpy as np
import pandas as pd
import pytest
from cells import FAILED, GOALS, MACHINES, usable, value_of
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from evalteach.classification import fbeta, matthews_corrcoef, net_gain, precision, recall
from evalteach.unlabeled import BestThreshold, Pick, UnlabeledCurve

# --- UnlabeledCurve -------------------------------------------------------------------------------------

SCORE = st.one_of(
    st.integers(-3, 3).map(float),
    st.sampled_from([0.0, -0.0, 5e-324, 1e308, math.inf, -math.inf]),
    st.floats(allow_nan=False),
)
SOME = st.lists(SCORE, min_size=1, max_size=12)
PART = st.floats(0.01, 1)  # of the unlabeled rows, as class size


@st.composite
def curves(draw):
    """Test positives, unlabeled scores and a class size: whole, or any fraction of the rows."""
    positives, unlabeled = draw(SOME), draw(SOME)
    size = draw(st.one_of(st.integers(1, len(unlabeled)), PART.map(lambda part: part * len(unlabeled))))
    return np.array(positives), np.array(unlabeled), size


def test_recall_precision_and_f1_are_worked_by_hand():
    curve = UnlabeledCurve([0.9, 0.6], [0.3, 0.95, 0.5, 0.8, 0.7])
    np.testing.assert_array_equal(curve.thresholds, [0.95, 0.8, 0.7, 0.5, 0.3])
    np.testing.assert_array_equal(curve.recall, [0, 1 / 2, 1 / 2, 1, 1])
    np.testing.assert_array_equal(curve.before, [1, 3])
    assert (curve.n_test_positives, curve.n_unlabeled) == (2, 5)
    # with 2 positives among the 5, and so one expected from the second row on, and both from the fourth
    np.testing.assert_allclose(curve.precision(2), [0, 1 / 2, 1 / 3, 2 / 4, 2 / 5])
    np.testing.assert_allclose(curve.f1(2), [0, 2 / 4, 2 / 5, 4 / 6, 4 / 7])
    assert curve.best(2) == (4, 0.5, pytest.approx(4 / 6))


@given(curves())
@settings(max_examples=150)
@example((np.array([1.0, 1.0, 2.0]), np.array([1.0, 1.0, 1.0, 2.0, 0.0]), 3))
@example((np.array([0.0, 9.0]), np.array([1.0, 2.0, 3.0]), 2))
def test_the_curve_equals_a_loop_over_the_definition(rows):
    positives, unlabeled, size = rows
    curve = UnlabeledCurve(positives, unlabeled)
    in_order = sorted(unlabeled.tolist(), reverse=True)
    assert curve.thresholds.tolist() == in_order
    for place, threshold in enumerate(in_order):
        hits, k = np.mean(positives >= threshold), np.sum(unlabeled >= threshold)
        assert curve.recall[place] == hits
        assert curve.precision(size)[place] == pytest.approx(hits * size / k, rel=1e-14)
        assert curve.f1(size)[place] == pytest.approx(2 * size * hits / (k + size), rel=1e-14)
    above = sorted(int(np.sum(unlabeled > score)) for score in positives)
    assert curve.before.tolist() == above


@given(curves(), st.floats(0.5, 0.99))
def test_the_value_at_one_rank_equals_that_of_all_ranks(rows, confidence):
    positives, unlabeled, size = rows
    whole = UnlabeledCurve(positives, unlabeled)
    for k in whole.ranks.tolist():
        fresh = UnlabeledCurve(positives, unlabeled)  # without the whole curve in store
        assert fresh.recall_at(k) == whole.recall[k - 1]
        assert fresh.precision(size, k) == whole.precision(size)[k - 1]
        assert fresh.f1(size, k) == whole.f1(size)[k - 1]
        for at_one, at_all in (
            (fresh.precision_band(size, k, confidence), whole.precision_band(size, confidence=confidence)),
            (fresh.band(fbeta, size, k, confidence), whole.band(fbeta, size, confidence=confidence)),
        ):
            np.testing.assert_allclose(at_one, [end[k - 1] for end in at_all], rtol=1e-13)
        assert "recall" not in vars(fresh), "one rank does not need the whole curve"


@given(curves())
def test_rows_flagged_at_a_rank_reach_to_the_end_of_its_tie(rows):
    positives, unlabeled, _ = rows
    curve = UnlabeledCurve(positives, unlabeled)
    for k in range(1, unlabeled.size + 1):
        assert curve.flagged_at(k) == np.sum(unlabeled >= curve.thresholds[k - 1])
        assert (curve.flagged_at(k) == k) == (k in curve.ranks)


FOUR_ROWS_TIE = [0.9, 0.6, 0.6, 0.6, 0.6, 0.3]  # no threshold flags two, three or four of these


@pytest.mark.parametrize("k", [2, 3, 4, 4.0, np.int8(3), [1, 5, 3], np.array([6, 2])])
def test_a_rank_inside_a_tie_is_refused_with_the_rank_that_its_score_flags(k):
    curve = UnlabeledCurve([0.9, 0.6], FOUR_ROWS_TIE)
    assert curve.ranks.tolist() == [1, 5, 6]
    found = r"^k = [234] is inside a tie, so no threshold flags [234] rows; its score flags flagged_at\([234]\) = 5$"
    for ask in (
        partial(curve.precision, 2),
        partial(curve.f1, 2),
        partial(curve.counts, 2),
        partial(curve.precision_band, 2),
        partial(curve.band, fbeta, 2),
        partial(curve.regret, fbeta, 2),
    ):
        with pytest.raises(ValueError, match=found):
            ask(k)
        ask(5)
        ask([1, 5, 6])


def test_without_k_a_tie_shows_only_what_a_threshold_can_give():
    curve = UnlabeledCurve([0.9, 0.6], FOUR_ROWS_TIE)
    assert curve.precision(2).tolist() == [1, 2 / 5, 2 / 5, 2 / 5, 2 / 5, 2 / 6]
    assert curve.f1(2).tolist() == [2 * 1 / 3, *[2 * 2 / 7] * 4, 2 * 2 / 8]
    counts = curve.counts(2)
    assert (counts.tp + counts.fp).tolist() == [1, 5, 5, 5, 5, 6]
    for values in (*curve.precision_band(2), curve.regret(fbeta, 2)):
        assert len(set(values[1:5])) == 1


def test_one_rank_gives_plain_numbers():
    curve = UnlabeledCurve([0.9, 0.6], FOUR_ROWS_TIE)
    for value in (curve.recall_at(5), curve.precision(2, 5), curve.f1(2, np.int64(5)), curve.area, curve.roc_auc(2)):
        assert type(value) is float
    assert type(curve.flagged_at(3)) is int


@given(curves())
@settings(max_examples=150)
@example((np.array([-9.0]), np.array([2.0, 2.0, 1.0]), 2))
@example((np.array([2.0, 2.0, 1.0]), np.array([2.0, 2.0, 2.0, 1.0, 1.0, 0.0]), 1))
@example((np.array([1.0, 0.0]), np.array([3.0, 2.0, 1.0, 1.0, 0.0]), 5))
def test_the_best_threshold_is_the_brute_force_best_of_those_that_can_be_used(rows):
    positives, unlabeled, size = rows
    best = UnlabeledCurve(positives, unlabeled).best(size)
    usable = {}  # rows flagged and F1 of every threshold that flags something
    for threshold in np.unique(unlabeled).tolist():
        k = int(np.sum(unlabeled >= threshold))
        usable[threshold] = k, 2 * size * np.mean(positives >= threshold) / (k + size)
    assert best.f1 == pytest.approx(max(f1 for _, f1 in usable.values()), rel=1e-14)
    assert usable[best.threshold] == (best.k, pytest.approx(best.f1, rel=1e-14))
    assert best.k == min(k for k, f1 in usable.values() if f1 >= best.f1 * (1 - 1e-14)), "the fewest flagged"
    assert isinstance(best, BestThreshold)
    assert [type(value) for value in best] == [int, float, float]


@pytest.mark.parametrize("as_column", [list, tuple, np.array, pd.Series, lambda rows: pd.array(rows, dtype="Int64")])
def test_both_samples_may_come_as_any_column_of_numbers(as_column):
    curve = UnlabeledCurve(as_column([9, 6]), as_column([3, 10, 5, 8, 7]))
    np.testing.assert_array_equal(curve.recall, [0, 1 / 2, 1 / 2, 1, 1])
    assert repr(curve) == "UnlabeledCurve of 2 test positives and 5 unlabeled rows"


def test_both_samples_are_left_as_they_were():
    positives, unlabeled = np.array([1.0, 3.0, 2.0]), np.array([2.0, 5.0, 1.0])
    UnlabeledCurve(positives, unlabeled).recall  # noqa: B018
    assert (positives.tolist(), unlabeled.tolist()) == ([1, 3, 2], [2, 5, 1])


@pytest.mark.parametrize("name", ["test_positive_scores", "unlabeled_scores"])
@pytest.mark.parametrize(
    ("scores", "found"),
    [
        ([], " is empty; at least one row is needed"),
        ([1, math.nan], " has nan at position 1; scores must be real numbers"),
        (pd.array([1, pd.NA], dtype="Int64"), " .*(nan|NA).*; scores must be real numbers"),
        (["1", "2"], " has dtype <U1; scores must be real numbers"),
        ([[1, 2]], r" must have one dimension, got shape \(1, 2\); pass one column"),
        (3, r" must have one dimension, got shape \(\)"),
    ],
)
def test_scores_that_do_not_order_the_rows_are_refused_by_name(name, scores, found):
    with pytest.raises(ValueError, match=f"^{name}{found}"):
        UnlabeledCurve(**{"test_positive_scores": [1, 2], "unlabeled_scores": [1, 2], name: scores})


@pytest.mark.parametrize("size", [0, -1, 3.5, math.nan, math.inf])
def test_a_class_size_that_the_unlabeled_rows_cannot_hold_is_refused(size):
    curve = UnlabeledCurve([1, 2], [1, 2, 3])
    found = rf"^class_size must be above 0 and at most 3 \(unlabeled rows\), got {size}$"
    for ask in (curve.precision, curve.f1, curve.best, curve.precision_band, f1_band(curve)):
        with pytest.raises(ValueError, match=found):
            ask(size)
    for ask in (curve.precision, curve.f1):
        with pytest.raises(ValueError, match=found):
            ask(size, 1)


@pytest.mark.parametrize("size", [(70, 120), np.array([2, 3]), "2", None])
def test_a_class_size_that_is_not_one_number_is_refused_where_one_is_needed(size):
    curve = UnlabeledCurve([1, 2], [1, 2, 3])
    for ask in (curve.precision, curve.f1, curve.counts, curve.best, curve.roc_auc):
        with pytest.raises(ValueError, match=f"^class_size must be one real number, got {re.escape(repr(size))}$"):
            ask(size)


@pytest.mark.parametrize(
    ("size", "found"),
    [
        ((1, 2, 3), r"class_size limits must be \(lowest, highest\), got \(1, 2, 3\)"),
        ([], r"class_size limits must be \(lowest, highest\), got \[\]"),
        (("1", "2"), "class_size must be one real number, got '1'"),
        ("12", "class_size must be one real number, got '12'"),
        (None, "class_size must be one real number, got None"),
        ([[1, 2], [2, 3]], r"class_size must be one real number, got \[1, 2\]"),
    ],
)
def test_limits_of_the_class_size_that_are_not_two_numbers_are_refused(size, found):
    curve = UnlabeledCurve([1, 2], [1, 2, 3])
    for ask in (curve.precision_band, lambda size: curve.pick(fbeta, size), lambda size: curve.regret(fbeta, size)):
        with pytest.raises(ValueError, match=f"^{found}$"):
            ask(size)


def test_a_class_size_and_a_rank_of_a_small_type_do_not_wrap_around():
    rng = np.random.default_rng(0)
    curve = UnlabeledCurve(rng.normal(1, 1, 30), rng.normal(0, 1, 1000))
    for size, k in ((np.int8(90), np.int8(100)), (np.float32(90.5), np.float32(7)), (np.array(90), np.array(3))):
        assert curve.counts(size, k) == curve.counts(size.item(), int(k))
        assert curve.precision_band(size, k) == curve.precision_band(size.item(), int(k))
        assert curve.best(size) == curve.best(size.item())


@pytest.mark.parametrize("k", ["2", None, (1, 2)])
def test_a_rank_that_is_not_one_number_is_refused_where_one_is_needed(k):
    curve = UnlabeledCurve([1, 2], [1, 2, 3])
    asks = [curve.recall_at, curve.flagged_at]
    if k == "2":  # the others are all ranks, and some
        asks += [lambda k: curve.precision(2, k), lambda k: curve.band(fbeta, 2, k)]
    for ask in asks:
        with pytest.raises(ValueError, match=f"^k must be one real number, got {re.escape(repr(k))}$"):
            ask(k)


def test_with_all_rows_flagged_none_is_left_alone_to_the_last_digit():
    curve = UnlabeledCurve([0.9, 0.6, 0.2], [0.95, 0.8, 0.7, 0.5, 0.3])
    for size in (1.0, 2.0, 3.0, 3.3, 5):
        every, some, one = curve.counts(size), curve.counts(size, [1, 5]), curve.counts(size, 5)
        assert every.tn[-1] + every.fn[-1] == some.tn[1] + some.fn[1] == one.tn + one.fn == 0
        np.testing.assert_allclose(every.tp + every.fp + every.fn + every.tn, 5)


@given(curves())
def test_where_all_rows_are_positive_no_negative_is_left_by_rounding(rows):
    positives, unlabeled, _ = rows
    counts = UnlabeledCurve(positives, unlabeled).counts(unlabeled.size)
    np.testing.assert_array_equal(counts.tn + counts.fp, 0)


def test_what_a_curve_hands_out_cannot_be_changed_by_mistake():
    curve = UnlabeledCurve([0.9, 0.6], [0.95, 0.8, 0.7, 0.5, 0.3])
    for handed_out in (curve.recall, curve.before, curve.thresholds, curve.ranks, curve.counts(2).tp):
        with pytest.raises(ValueError, match="read-only"):
            handed_out *= 100
    assert curve.precision(2, 4) == 0.5


@pytest.mark.parametrize("k", [0, -1, 4, 1.5, math.nan, math.inf])
def test_a_rank_that_is_no_unlabeled_row_is_refused(k):
    curve = UnlabeledCurve([1, 2], [1, 2, 3])
    found = rf"^k must be a whole number from 1 to 3 \(unlabeled rows\), got {k}$"
    for ask in (curve.recall_at, curve.flagged_at):
        with pytest.raises(ValueError, match=found):
            ask(k)
    for ask in (curve.precision, curve.f1, curve.precision_band, f1_band(curve)):
        with pytest.raises(ValueError, match=found):
            ask(2, k)


def test_the_first_and_the_last_rank_and_the_whole_set_as_class_are_accepted():
    curve = UnlabeledCurve([1, 2], [1, 2, 3])
    assert (curve.recall_at(1), curve.recall_at(3.0)) == (0, 1)
    assert curve.precision(3, 3) == curve.f1(3, 3) == 1


def test_some_ranks_are_some_entries_of_the_whole_curve():
    curve = UnlabeledCurve([0.9, 0.6, 0.2], [0.95, 0.8, 0.7, 0.5, 0.3, 0.1])
    ranks = [6, 2, 3]
    for metric in (curve.precision, curve.f1):
        np.testing.assert_array_equal(metric(2, ranks), metric(2)[[5, 1, 2]])
    for one, every in zip(curve.precision_band(2, ranks), curve.precision_band(2), strict=True):
        np.testing.assert_array_equal(one, every[[5, 1, 2]])
    for wrong, found in (([0, 1], "0"), ([1, 7], "7"), ([1, 2.5, 3], "2.5"), ([1, math.inf], "inf")):
        with pytest.raises(ValueError, match=f"^k must be a whole number from 1 to 6 .* got {found}"):
            curve.f1(2, wrong)


def f1_band(curve):
    """The band of F1, asked like that of precision."""
    return partial(curve.band, fbeta)


@pytest.mark.parametrize("confidence", [0, 1, -0.5, 95, math.nan])
def test_a_confidence_that_is_not_between_0_and_1_is_refused(confidence):
    curve = UnlabeledCurve([1, 2], [1, 2, 3])
    for band in (curve.precision_band, f1_band(curve)):
        with pytest.raises(ValueError, match=f"^confidence must be between 0 and 1, got {confidence}$"):
            band(2, confidence=confidence)


# --- bands -----------------------------------------------------------------------------------------------


@given(curves(), st.floats(0.5, 0.99))
def test_the_bands_equal_their_formula(rows, confidence):
    positives, unlabeled, size = rows
    curve = UnlabeledCurve(positives, unlabeled)
    z, m = NormalDist().inv_cdf((1 + confidence) / 2), positives.size
    for k in curve.ranks.tolist():
        shrunk = (curve.recall_at(k) * m + 0.5) / (m + 1)
        error = z * math.sqrt(shrunk * (1 - shrunk) * (1 / m + 1 / size))
        ends = np.array([max(shrunk - error, 0), shrunk + error])  # no recall is below 0
        of_precision, of_f1 = ends * size / k, 2 * size * ends / (k + size)
        for band, expected in ((curve.precision_band, of_precision), (f1_band(curve), of_f1)):
            np.testing.assert_allclose(band(size, k, confidence), expected, rtol=1e-9, atol=1e-12)


def test_a_precision_band_is_worked_by_hand():
    # 1 hit in 2, so R = 1.5 / 3; N/k = 2/2; sd = sqrt(1/4 × (1/2 + 1/2)) = 1/2
    curve = UnlabeledCurve([0.9, 0.6], [0.95, 0.8, 0.7, 0.5, 0.3])
    low, high = curve.precision_band(2, k=2)
    assert low == 0  # and not 0.5 - 1.95996 / 2, which no recall can be
    assert high == pytest.approx(0.5 + 1.95996 / 2, abs=1e-4)
    low, high = curve.precision_band(2, k=2, confidence=0.5)
    assert (low, high) == pytest.approx((0.5 - 0.67449 / 2, 0.5 + 0.67449 / 2), abs=1e-4)


def test_limits_of_the_class_size_give_the_envelope_of_the_sizes_between():
    rng = np.random.default_rng(3)
    curve = UnlabeledCurve(rng.normal(2, 1, 60), rng.normal(0, 1, 500))
    low, high = curve.precision_band((40, 120))
    assert curve.precision_band([40, 120])[0][7] == curve.precision_band((40, 120), 8)[0] == low[7]
    above = low > 0  # a truth is never below, and there the smallest class need not have the lowest end
    assert above.sum() > 100
    np.testing.assert_array_equal(low[above], curve.precision_band(40)[0][above])
    np.testing.assert_array_equal(high, curve.precision_band(120)[1])
    for band in (curve.precision_band, f1_band(curve)):
        for limits in ((40, 120), (1, 500)):
            low, high = band(limits)
            for size in np.geomspace(*limits, 30):
                one_low, one_high = band(size)
                # not every size between is looked at
                assert np.all(one_low >= low - 0.05 * np.abs(low))
                assert np.all(one_high <= high * 1.01)


def test_the_highest_upper_limit_of_f1_can_belong_to_a_class_size_between_the_limits():
    curve = UnlabeledCurve([2.0, *[-5.0] * 999], np.arange(100) / 100)
    ends = max(curve.band(fbeta, 1, k=20)[1], curve.band(fbeta, 100, k=20)[1])
    between = max(curve.band(fbeta, size, k=20)[1] for size in range(1, 101))
    assert between > 1.05 * ends
    assert curve.band(fbeta, (1, 100), k=20)[1] == pytest.approx(between, rel=0.01)


def test_limits_of_the_class_size_give_the_envelope_of_f1_at_low_ranks_too():
    curve = UnlabeledCurve([2.0, *[-5.0] * 999], np.arange(100) / 100)
    assert curve.band(fbeta, (50, 100), k=1)[1] >= curve.band(fbeta, 50, k=1)[1]


def test_limits_of_the_class_size_the_wrong_way_round_are_refused():
    curve = UnlabeledCurve([1, 2], [1, 2, 3])
    for band in (curve.precision_band, f1_band(curve)):
        with pytest.raises(ValueError, match=r"^class_size limits must be \(lowest, highest\), got \(3, 2"):
            band((3, 2))
        for limits, found in (((0, 2), 0), ((1, 4), 4)):
            with pytest.raises(ValueError, match=f"^class_size must be above 0 and at most 3 .* got {found}$"):
                band(limits)


def test_a_higher_confidence_widens_the_band_around_the_estimate():
    curve = UnlabeledCurve([0.9, 0.6], [0.95, 0.8, 0.7, 0.5, 0.3])
    for band, estimate in ((curve.precision_band, curve.precision(2)), (f1_band(curve), curve.f1(2))):
        narrow, wide = band(2, confidence=0.5), band(2, confidence=0.95)
        assert np.all((wide[0] < narrow[0]) | (wide[0] == 0))
        assert np.all((narrow[0] < estimate) | (narrow[0] == 0))
        assert np.all((estimate < narrow[1]) & (narrow[1] < wide[1]))


def test_the_band_covers_the_true_precision_about_as_often_as_it_says():
    rng = np.random.default_rng(5)
    m, size, others, k, runs = 40, 100, 400, 90, 600
    covered = 0
    for _ in range(runs):
        positives, among = rng.normal(1.5, 1, m), rng.normal(1.5, 1, size)
        unlabeled = np.append(among, rng.normal(0, 1, others))
        low, high = UnlabeledCurve(positives, unlabeled).precision_band(size, k)
        truth = np.mean(np.argsort(-unlabeled)[:k] < size)
        covered += low <= truth <= high
    assert 0.93 <= covered / runs <= 0.995


# --- any metric at k -------------------------------------------------------------------------------------

every_metric = pytest.mark.parametrize("metric", GOALS.values(), ids=GOALS)


@st.composite
def tied_curves(draw):
    """Test positives and unlabeled rows with many ties among and between them, and a class size."""
    positives = draw(st.lists(st.integers(0, 9), min_size=1, max_size=8))
    unlabeled = draw(st.lists(st.integers(0, 9), min_size=1, max_size=14))
    size = draw(st.integers(1, len(unlabeled)))
    return np.array(positives, dtype=float), np.array(unlabeled, dtype=float), size


def test_the_counts_at_four_machines_are_worked_by_hand():
    curve = UnlabeledCurve(FAILED, MACHINES)
    counts = curve.counts(5, 4)
    assert [counts.tp, counts.fp, counts.fn, counts.tn] == pytest.approx([3, 1, 2, 10])
    assert fbeta(counts, 2) == pytest.approx(15 / 24)  # 5 × 5 × 0.6 / (4 + 4 × 5)


@given(tied_curves())
def test_metrics_of_the_counts_are_those_that_the_curve_has_by_name(rows):
    positives, unlabeled, size = rows
    curve = UnlabeledCurve(positives, unlabeled)
    np.testing.assert_allclose(fbeta(curve.counts(size)), curve.f1(size), rtol=1e-13)
    np.testing.assert_allclose(precision(curve.counts(size)), curve.precision(size), rtol=1e-13)
    np.testing.assert_allclose(recall(curve.counts(size)), curve.recall, rtol=1e-13)
    for k in curve.ranks.tolist():
        assert fbeta(curve.counts(size, k), 2) == pytest.approx(fbeta(curve.counts(size), 2)[k - 1], rel=1e-13)


@pytest.mark.parametrize("size", [0, -1, 17, math.nan])
@pytest.mark.parametrize("ask", ["counts", "pick", "regret", "band"])
def test_a_class_size_that_the_rows_cannot_hold_is_refused(ask, size):
    curve = UnlabeledCurve(FAILED, MACHINES)
    arguments = (size,) if ask == "counts" else (fbeta, size)
    with pytest.raises(ValueError, match=r"^class_size must be above 0 and at most 16 \(unlabeled rows\), got"):
        getattr(curve, ask)(*arguments)


@pytest.mark.parametrize("limits", [(5, math.nan), (math.nan, 5), (0, 5), (5, 17)])
@pytest.mark.parametrize("ask", ["pick", "regret", "band"])
def test_each_limit_has_to_be_a_class_size(ask, limits):
    with pytest.raises(ValueError, match=r"^class_size must be above 0 and at most 16 \(unlabeled rows\), got"):
        getattr(UnlabeledCurve(FAILED, MACHINES), ask)(fbeta, limits)


@pytest.mark.parametrize("k", [0, 17, 1.5])
def test_a_rank_that_is_no_row_is_refused(k):
    curve = UnlabeledCurve(FAILED, MACHINES)
    for ask in (lambda: curve.counts(5, k), lambda: curve.regret(fbeta, 5, k), lambda: curve.band(fbeta, 5, k)):
        with pytest.raises(ValueError, match=f"^k must be a whole number from 1 to 16 .*, got {k}$"):
            ask()


@pytest.mark.parametrize("ask", ["pick", "regret", "band"])
def test_limits_the_wrong_way_round_are_refused(ask):
    with pytest.raises(ValueError, match=r"^class_size limits must be \(lowest, highest\), got \(8, 3\)$"):
        getattr(UnlabeledCurve(FAILED, MACHINES), ask)(fbeta, (8, 3))


# --- the pick --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("metric", "k", "best"),
    [(fbeta, 4, 6 / 9), (GOALS["F2"], 14, 25 / 34), (partial(net_gain, alarm_cost=0.2), 8, 2.4)],
)
def test_three_metrics_stop_at_three_places(metric, k, best):
    assert UnlabeledCurve(FAILED, MACHINES).pick(metric, 5) == (k, MACHINES[k - 1], pytest.approx(best), 0.0)


@every_metric
@given(rows=tied_curves())
@settings(max_examples=40)
def test_the_pick_is_the_brute_force_best_of_all_thresholds(metric, rows):
    positives, unlabeled, size = rows
    pick = UnlabeledCurve(positives, unlabeled).pick(metric, size)
    values = {k: value_of(metric, share, size, k, unlabeled.size) for _, share, k in usable(positives, unlabeled)}
    best = max(values.values())
    assert pick.value == pytest.approx(best, rel=1e-12, abs=1e-12)
    assert pick.k <= min(k for k, each in values.items() if each >= best - 1e-14 * abs(best)), "the fewest flagged"
    assert pick.regret == pytest.approx(0, abs=1e-12)
    assert np.sum(unlabeled >= pick.threshold) == pick.k
    assert isinstance(pick, Pick)
    assert [type(each) for each in pick] == [int, float, float, float]


def test_of_two_thresholds_that_rounding_alone_tells_apart_the_one_that_flags_fewer_is_best():
    curve = UnlabeledCurve([14.5, 3.5, 2.5], np.arange(14, 0, -1))  # F1 is 10/3 / 6 at k = 1, and 10 / 18 at k = 13
    assert curve.f1(5, 1) < curve.f1(5, 13)
    assert curve.best(5).k == curve.pick(fbeta, 5).k == 1


def test_a_metric_that_is_no_function_is_refused():
    curve = UnlabeledCurve(FAILED, MACHINES)
    for ask in (curve.pick, curve.band, curve.regret):
        with pytest.raises(ValueError, match=r"^metric must be a function of Counts, such as .*recall, got 'F1'$"):
            ask("F1", 2)


def test_a_metric_that_is_never_defined_picks_nothing():
    curve = UnlabeledCurve([1.0], [1.0, 1.0])  # one threshold, which flags all
    with pytest.raises(ValueError, match=r"^metric is nan at every threshold, so none is best$"):
        curve.pick(matthews_corrcoef, 1)


def test_a_metric_that_is_undefined_where_nothing_is_flagged_can_be_picked_by():
    assert UnlabeledCurve(FAILED, MACHINES).pick(precision, 5)[:3] == (1, 0.96, 1.0)


# --- limits of the class size ----------------------------------------------------------------------------


@every_metric
@given(rows=tied_curves())
@settings(max_examples=25)
def test_with_limits_the_pick_has_the_least_largest_regret(metric, rows):
    positives, unlabeled, size = rows
    low, high = max(0.5, size / 2), float(unlabeled.size)
    sizes = np.geomspace(low, high, 9) if low < high else [low]
    table = np.array(
        [
            [value_of(metric, share, each, k, unlabeled.size) for _, share, k in usable(positives, unlabeled)]
            for each in sizes
        ]
    )
    regret = (table.max(axis=1, keepdims=True) - table).max(axis=0)
    curve = UnlabeledCurve(positives, unlabeled)
    pick = curve.pick(metric, (low, high))
    assert pick.regret == pytest.approx(regret.min(), abs=1e-12)
    place = [k for _, _, k in usable(positives, unlabeled)].index(pick.k)
    assert regret[place] == pytest.approx(regret.min(), abs=1e-12)
    assert pick.value == pytest.approx(table[:, place].min(), abs=1e-12)
    if pick.k:
        assert curve.regret(metric, (low, high), pick.k) == pytest.approx(pick.regret, abs=1e-12)
        assert curve.regret(metric, (low, high))[pick.k - 1] == pytest.approx(pick.regret, abs=1e-12)


# --- area under recall@k ---------------------------------------------------------------------------------

few_scores = st.lists(st.integers(-4, 4), min_size=1, max_size=12)


def pairs_won(tests, rows):
    """Share of pairs that the test positive wins, one pair at a time."""
    return sum((t > r) + (t == r) / 2 for t in tests for r in rows) / (len(tests) * len(rows))


def test_the_area_is_worked_by_hand():
    # 0.9 beats four of five rows, 0.6 beats two and ties with one, 0.4 beats one: 7.5 of 15
    assert UnlabeledCurve([0.9, 0.6, 0.4], [0.95, 0.7, 0.6, 0.5, 0.1]).area == 0.5


@given(few_scores, few_scores)
def test_the_area_equals_counting_pairs_and_scikit_learns_auc_against_all_rows(tests, rows):
    area = UnlabeledCurve(tests, rows).area
    assert area == pytest.approx(pairs_won(tests, rows))
    assert area == pytest.approx(roc_auc_score([1] * len(tests) + [0] * len(rows), tests + rows))


# --- the AUC recovered from it ---------------------------------------------------------------------------


def test_the_recovered_auc_is_worked_by_hand():
    curve = UnlabeledCurve([0.9, 0.6, 0.4], [0.95, 0.7, 0.6, 0.5, 0.1])
    assert curve.roc_auc(1) == pytest.approx((0.5 - 0.1) / 0.8)
    assert UnlabeledCurve([9], [8, 1, 1, 1]).roc_auc(1) == pytest.approx((1 - 1 / 8) / (3 / 4))  # above 1, not clipped


@given(few_scores, few_scores)
def test_with_the_class_itself_as_its_sample_the_auc_is_recovered_exactly(positives, negatives):
    recovered = UnlabeledCurve(positives, positives + negatives).roc_auc(len(positives))
    assert recovered == pytest.approx(pairs_won(positives, negatives))


def test_without_negatives_there_is_no_auc():
    assert math.isnan(UnlabeledCurve([2], [1, 3]).roc_auc(2))


@pytest.mark.parametrize("size", [0, -1, 3, math.nan])
def test_a_class_size_that_the_rows_cannot_hold_has_no_auc(size):
    with pytest.raises(ValueError, match=r"class_size must be above 0 and at most 2 \(unlabeled rows\), got"):
        UnlabeledCurve([2], [1, 3]).roc_auc(size)


# --- scores of a narrower type ---------------------------------------------------------------------------


@pytest.mark.parametrize("kinds", [("f4", "f8"), ("f8", "f4"), ("f2", "f4"), ("f8", "f2"), ("f4", "f4")])
def test_a_test_positive_at_the_threshold_counts_in_whichever_type_it_comes(kinds):
    tenths = np.arange(1, 10) / 10
    curve = UnlabeledCurve(*(tenths.astype(kind) for kind in kinds))
    np.testing.assert_array_equal(curve.recall, np.arange(1, 10) / 9)
    assert [curve.recall_at(k) for k in range(1, 10)] == curve.recall.tolist()
    assert curve.before.tolist() == list(range(9))
    assert curve.area == 0.5
    assert curve.best(9).k == 9
    np.testing.assert_array_equal(curve.thresholds, tenths.astype(kinds[1])[::-1])  # as they came
    assert curve.dtype == kinds[1]


def test_unlabeled_scores_that_a_narrow_test_positive_cannot_tell_apart_stay_apart():
    near = 0.7 + np.array([1e-9, 0, -1e-9])
    curve = UnlabeledCurve(np.array([0.7], dtype="f4"), near)
    assert curve.ranks.tolist() == [1, 2, 3]
    assert curve.recall.tolist() == [1, 1, 1]
    assert [curve.recall_at(k) for k in (1, 2, 3)] == [1, 1, 1]
