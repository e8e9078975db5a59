"""Area under the ROC curve, its interval, and the hull: by hand, by other libraries, by brute force, at the limits."""

import math
import time
from fractions import Fraction

import numpy as np
import pytest
from cells import counts_of
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.optimize import isotonic_regression
from scipy.spatial import ConvexHull
from scipy.stats import mannwhitneyu, norm
from sklearn.metrics import average_precision_score, roc_auc_score

from evalteach.class_ratio import at_class_ratio
from evalteach.classification import (
    accuracy,
    average_precision,
    false_positive_rate,
    fbeta,
    positive_likelihood_ratio,
    precision,
    recall,
    roc_auc,
    roc_auc_interval,
    roc_hull,
)
from evalteach.counts import Counts, sweep
from evalteach.data import digit_detector, eight_screenings, two_normals

SIX = [1, 0, 1, 0, 0, 0], [0.83, 0.78, 0.62, 0.48, 0.32, 0.22]
# few distinct scores, so that ties are the rule
ROWS = st.lists(st.tuples(st.booleans(), st.integers(-3, 3)), min_size=2, max_size=30)
BOTH = ROWS.filter(lambda rows: 0 < sum(label for label, _ in rows) < len(rows))
SEVERAL = ROWS.filter(lambda rows: 2 <= sum(label for label, _ in rows) <= len(rows) - 2)


def columns(rows):
    y_true, y_score = zip(*rows, strict=True)
    return np.array(y_true), np.array(y_score, dtype=float)


def shares_won(y_true, y_score):
    """Each positive's share of negatives below it, each negative's share of positives above it, row by row."""
    ups, downs = y_score[y_true].tolist(), y_score[~y_true].tolist()
    won = {(i, j): (up > down) + 0.5 * (up == down) for i, up in enumerate(ups) for j, down in enumerate(downs)}
    by_positive = [sum(won[i, j] for j in range(len(downs))) / len(downs) for i in range(len(ups))]
    by_negative = [sum(won[i, j] for i in range(len(ups))) / len(ups) for j in range(len(downs))]
    return by_positive, by_negative


def delong_error(y_true, y_score):
    parts = shares_won(y_true, y_score)
    return math.sqrt(sum(np.var(part, ddof=1) / len(part) for part in parts))


def error_behind(low, high, confidence=0.95):
    """The standard error of the area that an interval on the log-odds scale was made from, and the area."""
    low, high = (math.log(end / (1 - end)) for end in (low, high))
    area = 1 / (1 + math.exp(-(low + high) / 2))
    return (high - low) / 2 / norm.ppf((1 + confidence) / 2) * area * (1 - area), area


def delong_scale(counts):
    return error_behind(*roc_auc_interval(counts))[0]


# --- the area --------------------------------------------------------------------------------------------


def test_seven_of_the_eight_pairs_of_the_homework_are_won():
    assert roc_auc(sweep(*SIX).counts) == 7 / 8


def test_equal_scores_share_the_pair_in_a_case_worked_by_hand():
    # positives .9 .7 .7 .4 against negatives .7 .4 .4 .1: 4 + 3.5 + 3.5 + 2 of 16 pairs
    y_true, y_score = (eight_screenings()[column] for column in ("is_ill", "score"))
    assert roc_auc(sweep(y_true, y_score).counts) == 13 / 16


@given(BOTH)
def test_area_is_the_share_of_pairs_won_exactly(rows):
    y_true, y_score = columns(rows)
    won = sum(Fraction((up > down) * 2 + (up == down), 2) for up in y_score[y_true] for down in y_score[~y_true]) / int(
        y_true.sum() * (~y_true).sum()
    )
    assert roc_auc(sweep(y_true, y_score).counts) == pytest.approx(float(won), rel=1e-15)


@given(BOTH)
def test_area_agrees_with_scikit_learn_and_with_mann_and_whitney_under_ties(rows):
    y_true, y_score = columns(rows)
    area = roc_auc(sweep(y_true, y_score).counts)
    assert area == pytest.approx(roc_auc_score(y_true, y_score), abs=1e-12)
    u = mannwhitneyu(y_score[y_true], y_score[~y_true]).statistic
    assert area == pytest.approx(u / (y_true.sum() * (~y_true).sum()), abs=1e-12)


@given(BOTH, st.integers(0, 2**32 - 1))
def test_area_agrees_with_scikit_learn_under_weights(rows, seed):
    y_true, y_score = columns(rows)
    weights = np.random.default_rng(seed).uniform(0.01, 10, y_true.size)
    area = roc_auc(sweep(y_true, y_score, weights=weights).counts)
    assert area == pytest.approx(roc_auc_score(y_true, y_score, sample_weight=weights), abs=1e-12)


@given(BOTH)
def test_whole_weights_count_as_that_many_rows(rows):
    y_true, y_score = columns(rows)
    copies = 1 + np.arange(y_true.size) % 4
    by_weight = sweep(y_true, y_score, weights=copies).counts
    assert roc_auc(by_weight) == pytest.approx(roc_auc(sweep(y_true.repeat(copies), y_score.repeat(copies)).counts))


@given(BOTH)
def test_area_ignores_the_class_ratio_and_every_strictly_rising_rescaling(rows):
    y_true, y_score = columns(rows)
    counts = sweep(y_true, y_score).counts
    for rescaled in (y_score**3, np.exp(y_score), 7 * y_score - 100):
        assert roc_auc(sweep(y_true, rescaled).counts) == roc_auc(counts)
    for ratio in (0.01, 1, 12_345.6):
        assert roc_auc(at_class_ratio(counts, ratio)) == pytest.approx(roc_auc(counts), rel=1e-12)


@given(BOTH)
def test_reversed_scores_and_swapped_classes_both_turn_the_area_over(rows):
    y_true, y_score = columns(rows)
    area = roc_auc(sweep(y_true, y_score).counts)
    assert roc_auc(sweep(y_true, -y_score).counts) == pytest.approx(1 - area, abs=1e-15)
    assert roc_auc(sweep(~y_true, y_score).counts) == pytest.approx(1 - area, abs=1e-15)


@pytest.mark.parametrize(("y_score", "area"), [([4, 3, 2, 1], 1), ([1, 2, 3, 4], 0), ([5, 5, 5, 5], 0.5)])
def test_perfect_reversed_and_constant_scores_have_areas_1_0_and_one_half(y_score, area):
    assert roc_auc(sweep([1, 1, 0, 0], y_score).counts) == area


@pytest.mark.parametrize("label", [0, 1])
def test_without_one_of_the_classes_there_is_no_area_and_no_interval(label):
    counts = sweep([label] * 3, [0.1, 0.2, 0.3]).counts
    assert math.isnan(roc_auc(counts))
    assert all(map(math.isnan, roc_auc_interval(counts)))


def test_area_of_perfect_order_is_never_above_1_however_weights_round():
    rng = np.random.default_rng(0)
    for _ in range(200):
        weights = rng.uniform(0, 1, 20)
        assert roc_auc(sweep(np.arange(20) >= 10, np.arange(20), weights=weights).counts) <= 1


def test_area_between_two_normals_is_phi_of_their_distance_over_root_two():
    y_true, y_score = two_normals(20_000, 1, separation=1.5, seed=1)
    area, counts = norm.cdf(1.5 / math.sqrt(2)), sweep(y_true, y_score).counts
    assert roc_auc(counts) == pytest.approx(area, abs=4 * delong_scale(counts))


# --- the interval ----------------------------------------------------------------------------------------


def test_interval_of_the_homework_is_worked_by_hand():
    # shares won: positives 1 and 3/4, negatives 1/2, 1, 1, 1; so the variance is (1/32)/2 + (1/16)/4 = 1/32
    centre, reach = math.log(7), norm.ppf(0.975) * math.sqrt(1 / 32) / (7 / 8 * 1 / 8)
    expected = [1 / (1 + math.exp(-(centre + sign * reach))) for sign in (-1, 1)]
    assert roc_auc_interval(sweep(*SIX).counts) == pytest.approx(expected, rel=1e-12)


@given(SEVERAL, st.sampled_from([0.5, 0.9, 0.95, 0.999]))
def test_interval_agrees_with_two_nested_loops_over_rows(rows, confidence):
    y_true, y_score = columns(rows)
    counts = sweep(y_true, y_score).counts
    low, high = roc_auc_interval(counts, confidence)
    expected, area = delong_error(y_true, y_score), roc_auc(counts)
    if not (0 < area < 1 and expected > 0):
        assert math.isnan(low)
        assert math.isnan(high)
        return
    reach = norm.ppf((1 + confidence) / 2) * expected / (area * (1 - area))
    odds = area / (1 - area)
    assert low == pytest.approx(1 / (1 + math.exp(reach) / odds), abs=1e-9)
    assert high == pytest.approx(1 / (1 + math.exp(-reach) / odds), abs=1e-9)


def test_standard_error_agrees_with_the_spread_of_many_test_sets():
    rng = np.random.default_rng(0)
    ups, downs = rng.normal(1.2, 1, (3000, 40, 1)), rng.normal(0, 1, (3000, 1, 80))
    areas = (ups > downs).mean(axis=(1, 2))
    y_true = np.arange(120) < 40
    errors = []
    for up, down in zip(ups[:300, :, 0], downs[:300, 0], strict=True):
        errors.append(delong_scale(sweep(y_true, np.append(up, down)).counts))
    assert np.sqrt(np.mean(np.square(errors))) == pytest.approx(areas.std(), rel=0.06)


def test_standard_error_agrees_with_the_bootstrap():
    y_true, y_score = two_normals(60, 3, separation=1.2, seed=2)
    counts, rng = sweep(y_true, y_score).counts, np.random.default_rng(0)
    ups = rng.choice(y_score[y_true], (2000, 60, 1))
    downs = rng.choice(y_score[~y_true], (2000, 1, 180))
    areas = ((ups > downs) + 0.5 * (ups == downs)).mean(axis=(1, 2))
    assert delong_scale(counts) == pytest.approx(areas.std(), rel=0.06)


def test_interval_covers_the_true_area_about_as_often_as_it_says():
    truth, rng, y_true = norm.cdf(1 / math.sqrt(2)), np.random.default_rng(3), np.arange(120) < 30
    covered = 0
    for _ in range(1000):
        low, high = roc_auc_interval(sweep(y_true, rng.normal(size=120) + y_true).counts)
        covered += low <= truth <= high
    assert 930 <= covered <= 975


@given(SEVERAL)
def test_interval_mirrors_when_scores_are_reversed_and_ignores_rising_rescalings(rows):
    y_true, y_score = columns(rows)
    low, high = roc_auc_interval(sweep(y_true, y_score).counts)
    mirrored = roc_auc_interval(sweep(y_true, -y_score).counts)
    assert mirrored == pytest.approx((1 - high, 1 - low), nan_ok=True)
    assert roc_auc_interval(sweep(y_true, np.exp(y_score)).counts) == pytest.approx((low, high), nan_ok=True)


def test_interval_widens_with_confidence_and_narrows_with_rows():
    few, many = (sweep(*two_normals(n, 3, separation=1, seed=4)).counts for n in (50, 800))
    ends = {level: roc_auc_interval(few, level) for level in (0.5, 0.9, 0.99)}
    assert ends[0.99][0] < ends[0.9][0] < ends[0.5][0] < roc_auc(few) < ends[0.5][1] < ends[0.9][1] < ends[0.99][1]
    assert np.diff(roc_auc_interval(many)) < np.diff(roc_auc_interval(few)) / 3


@pytest.mark.parametrize("y_score", [[4, 3, 2, 1], [1, 2, 3, 4], [5, 5, 5, 5], [2, 2, 1, 1]])
def test_where_no_share_differs_from_another_there_is_no_spread_and_no_interval(y_score):
    assert all(map(math.isnan, roc_auc_interval(sweep([1, 1, 0, 0], y_score).counts)))


@pytest.mark.parametrize("y_true", [[1, 0, 0, 0], [1, 1, 1, 0]])
def test_one_row_of_a_class_has_no_spread_and_no_interval(y_true):
    assert all(map(math.isnan, roc_auc_interval(sweep(y_true, [0.2, 0.3, 0.1, 0.25]).counts)))


@pytest.mark.parametrize("confidence", [0, 1, 95, math.nan])
def test_a_confidence_out_of_range_is_refused(confidence):
    with pytest.raises(ValueError, match=f"confidence must be between 0 and 1, got {confidence}"):
        roc_auc_interval(sweep(*SIX).counts, confidence)


def test_an_interval_from_weights_or_from_another_class_ratio_is_refused():
    with pytest.raises(ValueError, match="tp holds weights or expected counts; an interval needs counts of rows"):
        roc_auc_interval(sweep(*SIX, weights=[1, 2, 3, 4, 5, 6]).counts)
    with pytest.raises(ValueError, match="fp holds weights or expected counts"):
        roc_auc_interval(at_class_ratio(sweep(*SIX).counts, 100))


# --- the hull --------------------------------------------------------------------------------------------


def bow(size, *, seed=0):
    """Steps of a strictly concave curve."""
    right = np.sort(np.random.default_rng(seed).uniform(0.1, 1, size))
    return right, right[::-1].copy()


def counts_of_steps(right, up):
    fp, tp = (np.append(0.0, np.cumsum(steps)) for steps in (right, up))
    return Counts(tp=tp, fp=fp, fn=tp[-1] - tp, tn=fp[-1] - fp)


def test_hull_of_the_homework_is_worked_by_hand():
    # (0, 1/2) and (1/4, 1) turn right; (1/4, 1/2) lies under the line between them
    assert roc_hull(sweep(*SIX).counts).tolist() == [0, 1, 3, 6]


@given(BOTH)
def test_corners_are_those_of_the_convex_hull_by_qhull(rows):
    counts = sweep(*columns(rows)).counts
    points = np.column_stack([false_positive_rate(counts), recall(counts)])
    # the corner below the curve closes it to an area
    outline = ConvexHull(np.vstack([points, [1, 0]])).vertices
    expected = sorted(set(outline.tolist()) - {len(points)} | {0, len(points) - 1})
    # qhull may keep a point on a line, and finds no area under reversed scores
    expected = [i for i in expected if i in (0, len(points) - 1) or strictly_above(points, i)]
    assert roc_hull(counts).tolist() == expected


def strictly_above(points, i):
    """Whether a point lies above the line between any two others (one before, one after it)."""
    x, y = points[:, 0], points[:, 1]
    lines = [
        y[a] * (x[b] - x[i]) + y[b] * (x[i] - x[a]) < y[i] * (x[b] - x[a]) - 1e-12 if x[b] > x[a] else y[i] > y[b]
        for a in range(i)
        for b in range(i + 1, len(x))
    ]
    return all(lines)


@given(BOTH)
def test_hull_is_concave_touches_the_curve_and_lies_nowhere_under_it(rows):
    counts = sweep(*columns(rows)).counts
    corners = roc_hull(counts)
    x, y = false_positive_rate(counts), recall(counts)
    assert corners[0] == 0
    assert corners[-1] == x.size - 1
    right, up = np.diff(x[corners]), np.diff(y[corners])
    assert np.all(up[:-1] * right[1:] > up[1:] * right[:-1])
    for i in range(x.size):
        assert y[corners][x[corners] >= x[i]].max() >= y[i] - 1e-12
        assert np.interp(x[i], x[corners], y[corners]) >= y[i] - 1e-12 or x[i] == 0


@given(BOTH)
def test_no_threshold_beats_the_corners_at_any_class_ratio_cost_or_beta(rows):
    counts = sweep(*columns(rows)).counts
    corners = roc_hull(counts)
    scores = [
        accuracy,
        precision,
        positive_likelihood_ratio,
        *(lambda moved, beta=beta: fbeta(moved, beta) for beta in (0.2, 1, 3)),
        *(lambda moved, miss=miss: -(miss * moved.fn + moved.fp) for miss in (0.05, 1, 17)),
    ]
    for ratio in (0.03, 0.5, 1, 2, 9, 1000):
        moved = at_class_ratio(counts, ratio)
        for score in scores:
            best, among_corners = np.nanmax(score(moved)), np.nanmax(score(moved[corners]))
            assert among_corners == pytest.approx(best, rel=1e-12)


@given(BOTH)
def test_every_corner_is_the_only_best_threshold_of_some_cost(rows):
    counts = sweep(*columns(rows)).counts
    corners = roc_hull(counts)
    x, y = counts.fp.astype(float), counts.tp.astype(float)
    for before, corner, after in zip(corners, corners[1:], corners[2:], strict=False):
        # an iso-cost line between the directions of the two edges that meet in the corner
        edges = [np.array([x[b] - x[a], y[b] - y[a]]) for a, b in ((before, corner), (corner, after))]
        right, up = sum(edge / edge.sum() for edge in edges)
        gain = right * y - up * x
        assert np.flatnonzero(gain >= gain.max() - 1e-12).tolist() == [corner]


def test_corners_of_real_scores_are_those_of_isotonic_regression():
    counts = sweep(*digit_detector()).counts
    right, up = np.diff(counts.fp), np.diff(counts.tp)
    blocks = isotonic_regression(up / (up + right), weights=up + right, increasing=False).blocks
    corners = roc_hull(counts)
    # pooling by rounded means may leave a point on a line, which is no corner
    assert set(corners) <= set(blocks)
    assert len(corners) < 20 < counts.tp.size


@pytest.mark.parametrize(
    ("y_true", "y_score", "corners"),
    [
        ([1, 1, 0, 0], [4, 3, 2, 1], [0, 2, 4]),  # perfect
        ([1, 1, 0, 0], [1, 2, 3, 4], [0, 4]),  # reversed
        ([1, 1, 0, 0], [5, 5, 5, 5], [0, 1]),  # constant
        ([1, 0, 1, 0], [2, 2, 1, 1], [0, 2]),  # on the diagonal all the way
        ([1, 1], [2, 1], [0, 2]),
        ([0, 0], [2, 1], [0, 2]),
    ],
)
def test_hull_at_the_limits(y_true, y_score, corners):
    assert roc_hull(sweep(y_true, y_score).counts).tolist() == corners


@given(BOTH)
def test_hull_stays_when_the_class_ratio_moves(rows):
    counts = sweep(*columns(rows)).counts
    # a power of two times the test ratio rescales without rounding
    doubled = Counts(tp=counts.tp, fp=8.0 * counts.fp, fn=counts.fn, tn=8.0 * counts.tn)
    assert roc_hull(doubled).tolist() == roc_hull(counts).tolist()


@pytest.mark.parametrize(
    ("make", "corners"),
    [
        (lambda right, up: counts_of_steps(right, up), 100_001),  # a bow: every point
        (lambda right, up: counts_of_steps(up, right), 2),  # sagging: the ends
        (lambda right, up: counts_of_steps(np.ones_like(right), np.ones_like(up)), 2),  # on one line
        # a bow before a steep rise: each pass over all points at once would take away only one
        (lambda right, up: counts_of_steps(np.append(right, 0), np.append(up, 10 * up.sum())), 2),
        # many such bows, one after the other
        (lambda right, up: counts_of_steps(right, np.where(np.arange(up.size) % 500 == 499, 1000, up)), None),
    ],
)
def test_hull_of_a_hundred_thousand_points_of_any_shape_is_quick(make, corners):
    counts = make(*bow(100_000))
    start = time.perf_counter()
    found = roc_hull(counts)
    assert time.perf_counter() - start < 2  # passes over all points alone would take half a minute
    assert corners is None or len(found) == corners
    right, up = np.diff(counts.fp[found]), np.diff(counts.tp[found])
    assert np.all(up[:-1] * right[1:] > up[1:] * right[:-1])


def test_a_point_that_comes_to_lie_on_a_line_once_a_hollow_is_gone_is_no_corner():
    # slopes 20, 19, ..., 2, then 1; after that a hollow that goes at once and leaves slope 1 again
    counts = counts_of_steps(np.ones(23), np.array([*range(20, 1, -1), 1, 0.5, 1.5, 0.25]))
    assert roc_hull(counts).tolist() == [*range(20), 22, 23]


def test_random_order_of_a_hundred_thousand_rows_leaves_few_corners():
    rng = np.random.default_rng(0)
    counts = sweep(rng.random(100_000) < 0.3, rng.random(100_000)).counts
    corners = roc_hull(counts)
    assert len(corners) < 100
    gains = [np.max(counts.tp - slope * counts.fp) for slope in np.geomspace(0.1, 2, 20)]
    assert np.allclose(gains, [np.max((counts.tp - slope * counts.fp)[corners]) for slope in np.geomspace(0.1, 2, 20)])


# --- rounding --------------------------------------------------------------------------------------------


@given(BOTH, st.integers(0, 2**32 - 1), st.sampled_from([0.01, 3, 100, 12_345.6]))
@example([(False, 3), (True, 2), (True, 1), (False, 0), (True, -1), (False, -2)], 66, 100)
def test_weights_that_round_at_each_threshold_of_another_class_ratio_change_nothing(rows, seed, ratio):
    y_true, y_score = columns(rows)
    weights = np.random.default_rng(seed).integers(1, 20, y_true.size) / 10
    counts = sweep(y_true, y_score, weights=weights).counts
    moved = at_class_ratio(counts, ratio)
    assert roc_auc(moved) == pytest.approx(roc_auc(counts), rel=1e-12, abs=1e-12)
    heavier = np.where(y_true, weights, weights * ratio * weights[y_true].sum() / weights[~y_true].sum())
    assert average_precision(moved) == pytest.approx(average_precision_score(y_true, y_score, sample_weight=heavier))
    gain = moved.tp / moved.tp[-1] - moved.fp / moved.fp[-1]
    assert gain[roc_hull(moved)].max() == pytest.approx(gain.max(), abs=1e-12)


def test_a_fall_by_one_rounding_step_is_no_fall():
    counts = at_class_ratio(
        sweep([0, 1, 1, 0, 1, 0], [5, 4, 3, 2, 1, 0], weights=[0.4, 1, 0.4, 0.7, 0.4, 0.5]).counts, 100
    )
    assert np.diff(counts.fp).min() < 0
    # won: 1 and .4 against .7 + .5, .4 against .5
    assert roc_auc(counts) == pytest.approx((1.4 * 1.2 + 0.4 * 0.5) / (1.8 * 1.6))
    assert roc_hull(counts).tolist() == [0, 3, 5, 6]


# --- what is refused -------------------------------------------------------------------------------------

WHOLE_SWEEP = [roc_auc, roc_auc_interval, roc_hull, average_precision]


@pytest.mark.parametrize("metric", WHOLE_SWEEP)
@pytest.mark.parametrize(
    ("counts", "message"),
    [
        (Counts(tp=8, fp=2, fn=2, tn=8), r"counts must be those of a sweep, shape \(n_thresholds,\); got Counts"),
        (counts_of(*np.zeros((4, 2, 3))), r"shape \(n_thresholds,\); got Counts of shape \(2, 3\)"),
        (Counts(tp=[], fp=[], fn=[], tn=[]), r"shape \(n_thresholds,\); got Counts of shape \(0,\)"),
        (sweep(*SIX).counts[1:], "from nothing flagged to everything flagged"),
        (sweep(*SIX).counts[:-1], "from nothing flagged to everything flagged"),
        (sweep(*SIX).counts[::-1], "from nothing flagged to everything flagged"),
        (Counts(tp=[0, 1], fp=[0, 1], fn=[2, 0], tn=[1, 0]), "from nothing flagged to everything flagged"),
        (Counts(tp=[0, 1], fp=[0, 1], fn=[1, 0], tn=[7, 0]), "from nothing flagged to everything flagged"),
        (Counts(tp=[0, 1], fp=[0, 1], fn=[1, 0], tn=[1, 7]), "from nothing flagged to everything flagged"),
        (Counts(tp=[1, 1], fp=[0, 1], fn=[1, 0], tn=[1, 0]), "from nothing flagged to everything flagged"),
        (sweep(*SIX).counts[[0, 3, 2, 6]], "tp falls at position 2; thresholds must descend"),
        (sweep(*SIX).counts[[0, 5, 4, 6]], "fp falls at position 2; thresholds must descend"),
        (Counts(tp=[0, 1, 1, 1], fp=[0, 1 + 1e-9, 1, 2], fn=[1, 0, 0, 0], tn=[2, 1, 1, 0]), "fp falls at position 2"),
    ],
)
def test_counts_that_are_no_whole_sweep_are_refused(metric, counts, message):
    with pytest.raises(ValueError, match=message):
        metric(counts)
