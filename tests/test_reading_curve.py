"""Reading recall@k against k: its area, the AUC in it, the tail of a perfect ranking, and the explorer for it."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import betabinom, fisher_exact, hypergeom
from sklearn.metrics import roc_auc_score

from evalteach import RecallCurveExplorer, UnlabeledCurve, data
from evalteach.ideal_ranking import ideal_recall_tail

few_scores = st.lists(st.integers(-4, 4), min_size=1, max_size=12)


def pairs_won(tests, rows):
    """Share of pairs that the test positive wins, one pair at a time."""
    return sum((t > r) + (t == r) / 2 for t in tests for r in rows) / (len(tests) * len(rows))


# --- area under recall@k ---------------------------------------------------------------------------------


def test_the_area_is_worked_by_hand():
    # 0.9 beats four of five rows, 0.6 beats two and ties with one, 0.4 beats one: 7.5 of 15
    assert UnlabeledCurve([0.9, 0.6, 0.4], [0.95, 0.7, 0.6, 0.5, 0.1]).area == 0.5


@given(few_scores, few_scores)
def test_the_area_equals_counting_pairs_and_scikit_learns_auc_against_all_rows(tests, rows):
    area = UnlabeledCurve(tests, rows).area
    assert area == pytest.approx(pairs_won(tests, rows))
    assert area == pytest.approx(roc_auc_score([1] * len(tests) + [0] * len(rows), tests + rows))


@given(few_scores, few_scores)
def test_the_mean_of_recall_counts_ties_whole(tests, rows):
    curve = UnlabeledCurve(tests, rows)
    tied = np.mean(np.array(tests)[:, None] == np.array(rows))
    assert curve.recall.mean() == pytest.approx(curve.area + tied / 2)


def test_the_area_has_its_limits_and_looks_at_order_only():
    assert UnlabeledCurve([3, 4], [1, 2]).area == 1
    assert UnlabeledCurve([1, 2], [3, 4]).area == 0
    assert UnlabeledCurve([5, 5], [5, 5, 5]).area == 0.5
    assert UnlabeledCurve([math.inf, 1], [-math.inf, 1]).area == 0.875
    tests, rows = np.array([0.2, 0.7, 0.9]), np.array([0.1, 0.6, 0.7, 0.8])
    assert UnlabeledCurve(tests**3, rows**3).area == UnlabeledCurve(tests, rows).area


@given(few_scores, few_scores, few_scores)
def test_the_area_is_a_mixture_of_positives_and_negatives_exactly(tests, positives, negatives):
    share = len(positives) / len(positives + negatives)
    mixed = share * pairs_won(tests, positives) + (1 - share) * pairs_won(tests, negatives)
    assert UnlabeledCurve(tests, positives + negatives).area == pytest.approx(mixed)


# --- the AUC recovered from it ---------------------------------------------------------------------------


def test_the_recovered_auc_is_worked_by_hand():
    curve = UnlabeledCurve([0.9, 0.6, 0.4], [0.95, 0.7, 0.6, 0.5, 0.1])
    assert curve.roc_auc(1) == pytest.approx((0.5 - 0.1) / 0.8)
    assert UnlabeledCurve([9], [8, 1, 1, 1]).roc_auc(1) == pytest.approx((1 - 1 / 8) / (3 / 4))  # above 1, not clipped


@given(few_scores, few_scores)
def test_with_the_class_itself_as_its_sample_the_auc_is_recovered_exactly(positives, negatives):
    recovered = UnlabeledCurve(positives, positives + negatives).roc_auc(len(positives))
    assert recovered == pytest.approx(pairs_won(positives, negatives))


def test_over_all_ways_to_draw_the_test_positives_the_recovered_auc_is_right_on_average():
    positives, negatives = [1, 2, 2, 4, 5, 7], [0, 1, 2, 3, 6]
    recovered, true = [], []
    for drawn in combinations(range(6), 2):
        tests = [positives[i] for i in drawn]
        left = [positives[i] for i in range(6) if i not in drawn]
        recovered.append(UnlabeledCurve(tests, left + negatives).roc_auc(len(left)))
        true.append(pairs_won(left, negatives))
    assert np.mean(recovered) == pytest.approx(np.mean(true))
    assert np.std(recovered) > 0.1  # and each single one is an estimate


def test_without_negatives_there_is_no_auc():
    assert math.isnan(UnlabeledCurve([2], [1, 3]).roc_auc(2))


@pytest.mark.parametrize("size", [0, -1, 3, math.nan])
def test_a_class_size_that_the_rows_cannot_hold_has_no_auc(size):
    with pytest.raises(ValueError, match=r"class_size must be above 0 and at most 2 \(unlabeled rows\), got"):
        UnlabeledCurve([2], [1, 3]).roc_auc(size)


# --- the tail of a perfect ranking -----------------------------------------------------------------------


def test_the_tail_is_worked_by_hand():
    # four test positives above the second of six unlabeled ones: they fill four of the first five places of ten
    assert ideal_recall_tail(4, 4, 6, k=2) == pytest.approx(5 / 210)
    assert ideal_recall_tail(3, 3, 5, k=1) == pytest.approx(1 / math.comb(8, 3))


@pytest.mark.parametrize(("m", "size"), [(1, 1), (1, 5), (4, 3), (3, 6)])
def test_the_tail_equals_counting_every_arrangement(m, size):
    places = np.array(list(combinations(range(m + size), m)))
    above = places - np.arange(m)
    for k in range(1, size + 3):
        hits = (above < k).sum(axis=1)
        for h in range(m + 1):
            assert ideal_recall_tail(h, m, size, k) == pytest.approx(np.mean(hits >= h))


@pytest.mark.parametrize(("m", "size"), [(5, 50), (40, 250), (200, 30)])
def test_the_tail_equals_two_distributions_of_scipy(m, size):
    hits, k = np.arange(1, m + 1), np.arange(1, size + 1)[:, None]
    tail = ideal_recall_tail(hits, m, size, k)
    assert tail.shape == (size, m)
    assert tail == pytest.approx(betabinom.sf(hits - 1, m, k, size - k + 1), abs=1e-9)
    assert tail == pytest.approx(hypergeom.sf(hits - 1, m + size, m, hits + k - 1), abs=1e-9)


def test_a_tiny_tail_keeps_its_digits():
    assert ideal_recall_tail(40, 40, 250, 1) == pytest.approx(1 / math.comb(290, 40), rel=1e-6)


@pytest.mark.parametrize(("hits", "m", "flagged", "size"), [(12, 15, 10, 40), (3, 9, 0, 20), (9, 9, 19, 20)])
def test_at_a_threshold_one_rank_further_is_fishers_exact_test(hits, m, flagged, size):
    table = [[hits, flagged], [m - hits, size - flagged]]
    expected = fisher_exact(table, alternative="greater")[1]
    assert ideal_recall_tail(hits, m, size, flagged + 1) == pytest.approx(expected)


def test_no_hit_is_certain_and_so_is_all_beyond_the_class():
    assert ideal_recall_tail(0, 5, 10, 3) == 1
    assert ideal_recall_tail(5, 5, 10, 11) == 1
    assert ideal_recall_tail([0, 5], 5, 2.5, 3).tolist() == [1, 1]


def test_the_tail_falls_with_the_hits_and_rises_with_the_rank():
    hits, k = np.arange(21), np.arange(1, 62)
    assert np.all(np.diff(ideal_recall_tail(hits, 20, 60, 15)) < 0)
    assert np.all(np.diff(ideal_recall_tail(8, 20, 60, k)) > 0)


@pytest.mark.parametrize("separation", [0.0, 1.5, 20.0])
def test_fair_test_positives_of_any_model_alarm_no_more_often_than_promised(separation):
    rng, alarms = np.random.default_rng(1), 0
    for _ in range(1000):
        rows = np.append(rng.normal(separation, size=100), rng.normal(size=300))
        curve = UnlabeledCurve(rng.normal(separation, size=20), rows)
        alarms += ideal_recall_tail(round(20 * curve.recall_at(50)), 20, 100, 50) <= 0.05
    assert alarms <= 70  # 50 expected at most; more than 70 in two of a thousand runs


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        ((1, 0, 5, 1), "must be finite and 1 or more, got 0, 5, 1"),
        ((1, 2.5, 5, 1), r"n_test_positives \(whole\), class_size and k must be .*, got 2\.5, 5, 1"),
        ((1, 2, 0.5, 1), r"must be finite and 1 or more, got 2, 0\.5, 1"),
        ((1, 2, math.nan, 1), "must be finite and 1 or more, got 2, nan, 1"),
        ((1, 2, math.inf, 1), "must be finite and 1 or more, got 2, inf, 1"),
        ((1, 2, 5, 0), "must be finite and 1 or more, got 2, 5, 0"),
        ((3, 2, 5, 1), r"hits must be whole numbers from 0 to 2 \(test positives\), got 3"),
        ((-1, 2, 5, 1), "hits must be whole numbers from 0 to 2 .*, got -1"),
        (([1, 0.5], 2, 5, 1), r"hits must be whole numbers from 0 to 2 .*, got 0\.5"),
        (([1, math.nan], 2, 5, 1), "hits has nan at position 1; hits must be whole numbers"),
        ((1, 2, 5, "x"), "k has dtype .*; ranks must be whole numbers from 1 on"),
        ((1, 2, 5, 2.5), r"^k must be whole numbers from 1 on, got 2\.5$"),
        ((1, 2, 5, [1, math.inf]), "^k must be whole numbers from 1 on, got inf$"),
        (
            ([1, 2], 2, 5, [1, 2, 3]),
            r"^hits and k have shapes \(2,\), \(3,\); scalars or one common shape are accepted$",
        ),
        ((1, "2", 5, 1), "^n_test_positives must be one real number, got '2'$"),
    ],
)
def test_a_tail_of_what_cannot_be_is_refused(arguments, found):
    with pytest.raises(ValueError, match=found):
        ideal_recall_tail(*arguments)


# --- the second model ------------------------------------------------------------------------------------


def test_the_nearest_model_scores_the_same_split_by_minus_the_squared_distance():
    from sklearn.datasets import load_digits

    logistic, nearest = data.digits_three_of_ten(), data.digits_three_of_ten(model="nearest")
    assert np.array_equal(logistic.test_labels, nearest.test_labels)
    assert np.array_equal(logistic.unlabeled_labels, nearest.unlabeled_labels)
    assert nearest.unlabeled_scores.shape == logistic.unlabeled_scores.shape
    assert np.array_equal(nearest.test_scores, np.round(nearest.test_scores))
    # no two pictures of the data are alike, so that no row is at distance 0 from what was trained on
    assert nearest.test_scores.max() < 0
    pixels, _ = load_digits(return_X_y=True)
    between = ((pixels[:300, None] - pixels[None, :300]) ** 2).sum(axis=2)
    assert data._closeness(pixels[:300], [pixels[:300]])[:, 0] == pytest.approx(-between.min(axis=1))
    assert data._closeness(pixels[:9], [pixels[9:300]])[:, 0] == pytest.approx(-between[:9, 9:].min(axis=1))


def test_another_model_is_refused():
    with pytest.raises(ValueError, match="model must be 'logistic' or 'nearest', got 'tree'"):
        data.digits_three_of_ten(model="tree")


# --- the explorer ----------------------------------------------------------------------------------------


def moved(**values):
    explorer = RecallCurveExplorer()
    for name, value in values.items():
        explorer.controls[name].value = value
    return explorer


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"bias": 1.0},
        {"separation": 0.5, "bias": 0.6},
        {"class_size": 51, "n_test_positives": 5},
        {"separation": 4.0, "bias": 2.0, "class_size": 500, "n_test_positives": 200},
    ],
)
def test_the_explorer_agrees_with_counting(values):
    explorer = moved(**values)
    size, m = values.get("class_size", 250), values.get("n_test_positives", 40)
    separation, bias = values.get("separation", 2.0), values.get("bias", 0.0)
    tests = explorer.test_noise[:m] + separation + bias
    rows = np.append(explorer.positive_noise[:size] + separation, explorer.negative_noise[: 1000 - size])
    is_positive, k = np.arange(1000) < size, size // 2
    flagged = rows >= np.sort(rows)[-k]
    area = np.mean(tests[:, None] > rows)
    hits = int((tests >= np.sort(rows)[-k]).sum())
    assert np.unique(rows).size == 1000  # the picture takes rank k for k flagged rows
    assert explorer.numbers() == pytest.approx(
        {
            "bias": bias,
            "separation": separation,
            "class_size": size,
            "n_test_positives": m,
            "area": area,
            "ceiling": 1 - size / 2000,
            "roc_auc": (area - size / 2000) / (1 - size / 1000),
            "true_roc_auc": roc_auc_score(is_positive, rows),
            "k": k,
            "recall": hits / m,
            "true_recall": flagged[is_positive].mean(),
            "precision": hits / m * size / k,
            "true_precision": is_positive[flagged].mean(),
            "tail": betabinom.sf(hits - 1, m, k, size - k + 1),
        },
        abs=1e-9,
    )


def test_the_curves_in_the_picture_are_those_of_the_library():
    explorer = moved(bias=0.5, class_size=120)
    tests, curve, truth = explorer._simulated()
    assert tests.size == 40
    ranks = explorer.recall.get_xdata()
    assert explorer.recall.get_ydata() == pytest.approx(curve.recall[ranks - 1])
    positives = np.sort(explorer.positive_noise[:120] + 2)
    cuts = curve.thresholds[ranks - 1]
    assert explorer.true_recall.get_ydata() == pytest.approx(1 - np.searchsorted(positives, cuts) / 120)
    shown = explorer.precision.get_xdata()
    assert explorer.precision.get_ydata() == pytest.approx(curve.recall[shown - 1] * 120 / shown)
    assert explorer.true_precision.get_ydata() == pytest.approx(truth.counts.tp[shown] / shown)
    assert shown[0] in (60, 61)  # half the class size
    assert explorer.precision.axes.get_ylim()[1] > 2 > explorer.precision.get_ydata().max() > 1


def test_no_move_draws_the_axes_anew():
    explorer, drawn = RecallCurveExplorer(), []
    explorer.canvas.draw = lambda: drawn.append(1)
    for name, control in explorer.controls.items():
        for value in (control.min, control.max):
            control.value = value
            assert explorer.precision.get_ydata().max() <= 2, name
    assert drawn == []


def test_bias_moves_no_truth_and_more_bias_never_lowers_the_area():
    steps = [moved(bias=bias).numbers() for bias in (0, 0.5, 1, 2)]
    assert len({step["true_roc_auc"] for step in steps}) == 1
    areas = [step["area"] for step in steps]
    assert areas == sorted(areas)
    assert areas[0] < steps[0]["ceiling"] < areas[-1]


def test_a_poor_model_with_easy_test_positives_is_not_found_out():
    # what notebook 09 says of it
    now = moved(separation=0.5, bias=0.6)
    _, curve, _ = now._simulated()
    ranks = np.arange(1, 251)
    hits = np.round(40 * curve.recall[:250]).astype(int)
    assert ideal_recall_tail(hits, 40, 250, ranks).min() > 0.025
    assert now.numbers()["roc_auc"] - now.numbers()["true_roc_auc"] > 0.15
    assert "Too good" not in repr(now)


def test_the_verdict_is_said_where_the_tail_is_below_one_percent():
    assert repr(moved(bias=1.0)).endswith("with probability less than 0.001 at most. Too good to be true.")
    assert "Too good" not in repr(moved(bias=0.0))


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        ({"separation": 4.5}, "separation must be from 0 to 4, got 4.5"),
        ({"bias": -0.1}, "bias must be from 0 to 2, got -0.1"),
        ({"bias": math.nan}, "bias must be from 0 to 2, got nan"),
        ({"class_size": 501}, "class_size must be from 50 to 500, got 501"),
        ({"class_size": 70.5}, "class_size must be a whole number, got 70.5"),
        ({"n_test_positives": 4}, "n_test_positives must be from 5 to 200, got 4"),
    ],
)
def test_a_start_beyond_the_sliders_is_refused(arguments, found):
    with pytest.raises(ValueError, match=found):
        RecallCurveExplorer(**arguments)
