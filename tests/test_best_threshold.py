"""The best threshold without deployed labels: any metric at k, its band, its pick, and its regret."""

import inspect
import math
from functools import partial

import numpy as np
import pytest
import sklearn.metrics as theirs
from hypothesis import given, settings
from hypothesis import strategies as st

from evalteach import BestThresholdExplorer, UnlabeledCurve, at_class_ratio, data, sweep
from evalteach.classification import fbeta, matthews_corrcoef, net_gain, precision, recall, roc_hull
from evalteach.counts import Counts
from evalteach.unlabeled import Pick

METRICS = {
    "F1": fbeta,
    "F0.5": partial(fbeta, beta=0.5),
    "F2": partial(fbeta, beta=2),
    "cheap alarms": partial(net_gain, alarm_cost=0.05),
    "dear alarms": partial(net_gain, alarm_cost=0.6),
}
every_metric = pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS)

# sixteen machines, five of which will fail; the test positives come in at k = 1, 3, 4, 8 and 14
MACHINES = np.array([96, 91, 88, 83, 77, 71, 66, 60, 52, 47, 41, 35, 29, 22, 15, 8]) / 100
FAILED = np.array([0.97, 0.90, 0.85, 0.63, 0.25])


@st.composite
def curves(draw):
    """Test positives and unlabeled rows with many ties among and between them, and a class size."""
    positives = draw(st.lists(st.integers(0, 9), min_size=1, max_size=8))
    unlabeled = draw(st.lists(st.integers(0, 9), min_size=1, max_size=14))
    size = draw(st.integers(1, len(unlabeled)))
    return np.array(positives, dtype=float), np.array(unlabeled, dtype=float), size


def usable(positives, unlabeled):
    """Recall and rows flagged of every threshold there is, from none flagged to all."""
    thresholds = [math.inf, *sorted(set(unlabeled.tolist()), reverse=True)]
    return [(t, np.mean(positives >= t), int(np.sum(unlabeled >= t))) for t in thresholds]


def value(metric, share, size, k, n):
    """The metric of explicit counts, with no curve in between."""
    tp = share * size
    return metric(Counts._trusted(tp, k - tp, size - tp, n - k - size + tp))


# --- net gain --------------------------------------------------------------------------------------------


def test_a_net_gain_is_worked_by_hand():
    # 10 alarms at a tenth of a find each cost one find; 8 were found
    assert net_gain(Counts(tp=8, fp=2, fn=2, tn=88), 0.1) == pytest.approx(7)


def test_flagging_nothing_gains_nothing_and_an_alarm_for_free_gains_every_find():
    assert net_gain(Counts(tp=0, fp=0, fn=5, tn=5), 0.7) == 0
    assert net_gain(Counts(tp=5, fp=5, fn=0, tn=0), 0) == 5


def test_the_net_gain_is_the_worth_of_all_finds_less_the_cost_of_alarms_and_misses():
    tp, fp, fn, tn = np.random.default_rng(0).integers(0, 100, (4, 50))
    cost = 0.3 * (tp + fp) + fn
    np.testing.assert_allclose(net_gain(Counts(tp=tp, fp=fp, fn=fn, tn=tn), 0.3), tp + fn - cost)


@pytest.mark.parametrize("alarm_cost", [np.int8(2), np.float32(2), np.array(2)])
def test_an_alarm_cost_of_a_small_type_does_not_wrap_around(alarm_cost):
    assert net_gain(Counts(tp=50, fp=50, fn=1, tn=1), alarm_cost) == -150


@pytest.mark.parametrize("alarm_cost", [-0.1, math.nan, math.inf])
def test_an_alarm_cost_that_is_none_is_refused(alarm_cost):
    with pytest.raises(ValueError, match=f"^alarm_cost must be 0 or more and finite, got {alarm_cost}$"):
        net_gain(Counts(tp=1, fp=1, fn=1, tn=1), alarm_cost)


# --- any metric at k -------------------------------------------------------------------------------------


def test_the_counts_at_four_machines_are_worked_by_hand():
    curve = UnlabeledCurve(FAILED, MACHINES)
    counts = curve.counts(5, 4)
    assert [counts.tp, counts.fp, counts.fn, counts.tn] == pytest.approx([3, 1, 2, 10])
    assert fbeta(counts, 2) == pytest.approx(15 / 24)  # 5 × 5 × 0.6 / (4 + 4 × 5)


@given(curves())
def test_metrics_of_the_counts_are_those_that_the_curve_has_by_name(rows):
    positives, unlabeled, size = rows
    curve = UnlabeledCurve(positives, unlabeled)
    np.testing.assert_allclose(fbeta(curve.counts(size)), curve.f1(size), rtol=1e-13)
    np.testing.assert_allclose(precision(curve.counts(size)), curve.precision(size), rtol=1e-13)
    np.testing.assert_allclose(recall(curve.counts(size)), curve.recall, rtol=1e-13)
    for k in range(1, unlabeled.size + 1):
        assert fbeta(curve.counts(size, k), 2) == pytest.approx(fbeta(curve.counts(size), 2)[k - 1], rel=1e-13)


@pytest.mark.parametrize("beta", [0.5, 1, 3])
def test_fbeta_at_k_is_its_formula_and_that_of_scikit_learn_on_explicit_labels(beta):
    y_true, y_score = data.two_normals(60, 4, separation=1.5, seed=3)
    curve, size = UnlabeledCurve(y_score[y_true], y_score), int(y_true.sum())  # the test set is the deployment
    for k in (1, 7, 60, 130, 300):
        flagged = y_score >= curve.thresholds[k - 1]
        expected = theirs.fbeta_score(y_true, flagged, beta=beta)
        assert fbeta(curve.counts(size, k), beta) == pytest.approx(expected)
        share = curve.recall_at(k)
        assert expected == pytest.approx((1 + beta**2) * size * share / (k + beta**2 * size))


def test_the_band_of_f1_is_the_one_that_the_curve_has_by_name():
    curve = UnlabeledCurve(FAILED, MACHINES)
    for size in (5, (3, 8)):
        np.testing.assert_allclose(curve.band(fbeta, size), curve.f1_band(size), rtol=1e-12)
        np.testing.assert_allclose(curve.band(precision, size, 7, 0.8), curve.precision_band(size, 7, 0.8))


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
    [(fbeta, 4, 6 / 9), (METRICS["F2"], 14, 25 / 34), (partial(net_gain, alarm_cost=0.2), 8, 2.4)],
)
def test_three_metrics_stop_at_three_places(metric, k, best):
    assert UnlabeledCurve(FAILED, MACHINES).pick(metric, 5) == (k, MACHINES[k - 1], pytest.approx(best), 0.0)


@every_metric
@given(rows=curves())
@settings(max_examples=40)
def test_the_pick_is_the_brute_force_best_of_all_thresholds(metric, rows):
    positives, unlabeled, size = rows
    pick = UnlabeledCurve(positives, unlabeled).pick(metric, size)
    values = {k: value(metric, share, size, k, unlabeled.size) for _, share, k in usable(positives, unlabeled)}
    best = max(values.values())
    assert pick.value == pytest.approx(best, rel=1e-12, abs=1e-12)
    assert pick.k <= min(k for k, each in values.items() if each >= best - 1e-14 * abs(best)), "the fewest flagged"
    assert pick.regret == pytest.approx(0, abs=1e-12)
    assert np.sum(unlabeled >= pick.threshold) == pick.k
    assert isinstance(pick, Pick)
    assert [type(each) for each in pick] == [int, float, float, float]


@given(curves())
def test_the_pick_by_f1_is_the_best_threshold_wherever_a_test_positive_is_reached(rows):
    positives, unlabeled, size = rows
    curve = UnlabeledCurve(positives, unlabeled)
    pick, best = curve.pick(fbeta, size), curve.best(size)
    if pick.k:
        assert pick[:3] == best
    else:
        assert best == (curve.flagged_at(1), curve.thresholds[0], 0.0)


def test_of_two_thresholds_that_rounding_alone_tells_apart_the_one_that_flags_fewer_is_best():
    curve = UnlabeledCurve([14.5, 3.5, 2.5], np.arange(14, 0, -1))  # F1 is 10/3 / 6 at k = 1, and 10 / 18 at k = 13
    assert curve.f1(5, 1) < curve.f1(5, 13)
    assert curve.best(5).k == curve.pick(fbeta, 5).k == 1


def test_a_metric_that_is_never_defined_picks_nothing():
    curve = UnlabeledCurve([1.0], [1.0, 1.0])  # one threshold, which flags all
    with pytest.raises(ValueError, match=r"^metric is nan at every threshold, so none is best$"):
        curve.pick(matthews_corrcoef, 1)


def test_where_no_alarm_pays_nothing_is_flagged():
    curve = UnlabeledCurve([0.3], np.linspace(0, 1, 100))
    assert curve.pick(partial(net_gain, alarm_cost=0.9), 10) == (0, math.inf, 0.0, 0.0)


def test_a_metric_that_is_undefined_where_nothing_is_flagged_can_be_picked_by():
    assert UnlabeledCurve(FAILED, MACHINES).pick(precision, 5)[:3] == (1, 0.96, 1.0)


def test_calibrated_scores_are_best_cut_at_the_alarm_cost_and_at_a_share_of_the_highest_fbeta():
    truth = sweep(*data.two_normals(20_000, 9, seed=7))
    for cost in (0.05, 0.2, 0.5):
        metric = partial(net_gain, alarm_cost=cost)
        assert metric(truth.at(cost)) == pytest.approx(np.max(metric(truth.counts)), rel=0.01)
    for beta in (0.5, 1, 2):
        highest = np.nanmax(fbeta(truth.counts, beta))
        assert fbeta(truth.at(highest / (1 + beta**2)), beta) == pytest.approx(highest, rel=0.005)


@every_metric
def test_the_best_threshold_in_hindsight_is_a_corner_of_the_roc_hull(metric):
    counts = sweep(*data.two_normals(80, 6, separation=1.5, seed=2)).counts
    corners = counts[roc_hull(counts)]
    for ratio in (0.5, 6, 200):
        assert np.nanmax(metric(at_class_ratio(corners, ratio))) == pytest.approx(
            np.nanmax(metric(at_class_ratio(counts, ratio)))
        )


def test_the_highest_estimate_is_too_high_and_the_other_half_reads_it_right():
    rng = np.random.default_rng(0)
    y_true, y_score = data.two_normals(400, 9, seed=1)
    truth, promised, read = sweep(y_true, y_score), [], []
    for _ in range(300):
        drawn = rng.choice(y_score[y_true], 20, replace=False)
        whole, one, other = (UnlabeledCurve(part, y_score) for part in (drawn, drawn[:10], drawn[10:]))
        best = whole.best(400)
        promised.append(best.f1 - fbeta(truth.at(best.threshold)))
        choice = one.best(400)
        read.append(other.f1(400, choice.k) - fbeta(truth.at(choice.threshold)))
    assert np.mean(promised) > 0.05
    assert abs(np.mean(read)) < 3 * np.std(read) / math.sqrt(300)


# --- limits of the class size ----------------------------------------------------------------------------


@every_metric
@given(rows=curves())
@settings(max_examples=25)
def test_with_limits_the_pick_has_the_least_largest_regret(metric, rows):
    positives, unlabeled, size = rows
    low, high = max(0.5, size / 2), float(unlabeled.size)
    sizes = np.geomspace(low, high, 9) if low < high else [low]
    table = np.array(
        [
            [value(metric, share, each, k, unlabeled.size) for _, share, k in usable(positives, unlabeled)]
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


@every_metric
def test_maximin_means_planning_for_the_smallest_class_and_more_to_find_never_means_fewer_flags(metric):
    curve = UnlabeledCurve(FAILED, MACHINES)
    sizes = np.linspace(2, 12, 21)
    worst = np.min([metric(curve.counts(size)) for size in sizes], axis=0)
    np.testing.assert_allclose(worst, metric(curve.counts(2)))
    ranks = [curve.pick(metric, size).k for size in sizes]
    assert ranks == sorted(ranks)


def test_the_largest_regret_of_a_net_gain_is_at_an_end_of_the_limits():
    curve, metric = UnlabeledCurve(FAILED, MACHINES), partial(net_gain, alarm_cost=0.2)
    ends = np.maximum(curve.regret(metric, 3), curve.regret(metric, 9))
    np.testing.assert_allclose(curve.regret(metric, (3, 9)), ends, atol=1e-12)


def test_limits_that_meet_are_one_class_size():
    curve = UnlabeledCurve(FAILED, MACHINES)
    assert curve.pick(fbeta, (5, 5)) == curve.pick(fbeta, 5)


# --- the explorer ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def nine():
    split = data.digits_three_of_ten()
    column = split.classes.index(9)
    positives = split.test_scores[split.test_labels == 9, column]
    return positives, split.unlabeled_scores[:, column], split.unlabeled_labels == 9


@pytest.mark.parametrize(
    ("goal", "class_size", "give_or_take", "k"),
    [("F1", 90, 20, 90), ("F0.5", 1, 0, 500), ("F2", 500, 80, 1), ("net gain", 112, 60, 156), ("net gain", 3, 80, 30)],
)
def test_the_explorer_agrees_with_counting(nine, goal, class_size, give_or_take, k):
    positives, unlabeled, is_nine = nine
    explorer = BestThresholdExplorer(positives, unlabeled, class_size=90, max_k=500, y_true_unlabeled=is_nine)
    for name, setting in (("goal", goal), ("class_size", class_size), ("give_or_take", give_or_take), ("k", k)):
        explorer.controls[name].value = setting
    metric = {**METRICS, "net gain": partial(net_gain, alarm_cost=0.2)}[goal]
    n, limits = unlabeled.size, (class_size * (1 - give_or_take / 100), class_size * (1 + give_or_take / 100))
    options = usable(positives, unlabeled)
    cut = np.sort(unlabeled)[-k]
    best, least, best_cut = max((value(metric, share, class_size, rows, n), -rows, t) for t, share, rows in options)

    def at(threshold):
        flagged = unlabeled >= threshold
        hits = np.sum(is_nine & flagged)
        return metric(Counts(tp=hits, fp=flagged.sum() - hits, fn=is_nine.sum() - hits, tn=np.sum(~is_nine & ~flagged)))

    lost = max(
        max(value(metric, share, size, rows, n) for _, share, rows in options)
        - value(metric, np.mean(positives >= cut), size, k, n)
        for size in np.geomspace(*limits, 9)
    )
    now = explorer.numbers()
    expected = {
        "class_size": class_size, "smallest": limits[0], "largest": limits[1], "k": k, "threshold": cut,
        "value": value(metric, np.mean(positives >= cut), class_size, k, n),
        "best": best, "best_k": -least, "true": at(cut), "true_at_best": at(best_cut),
        "regret": lost, "default_k": np.sum(unlabeled >= 0.5), "true_at_default": at(0.5),
        "optimum": max(at(t) for t, _, _ in options),
    }  # fmt: skip
    assert {name: now[name] for name in expected} == pytest.approx(expected)
    assert now["low"] <= now["value"] <= now["high"] or k in (1, 500)
    assert repr(explorer).startswith(
        f"Class size {class_size} give or take {give_or_take} %, {k} rows flagged: {goal} {expected['value']:.3f} "
        f"(true: {expected['true']:.3f}), from "
    )
    assert len(repr(explorer)) < 330


def test_without_labels_the_explorer_tells_no_truth(nine):
    explorer = BestThresholdExplorer(*nine[:2], class_size=90)
    assert "rue" not in repr(explorer)
    assert not [name for name in explorer.numbers() if "true" in name or "optimum" in name]


@pytest.mark.parametrize("goal", ["F1", "net gain"])
@pytest.mark.parametrize("class_size", [1, 90, 500])
def test_nothing_that_is_marked_lies_outside_the_axes(nine, goal, class_size):
    positives, unlabeled, is_nine = nine
    explorer = BestThresholdExplorer(
        positives, unlabeled, class_size=class_size, max_k=500, metric=goal, y_true_unlabeled=is_nine
    )
    for k in (1, 500):
        explorer.controls["k"].value = k
        for artist in (explorer.best, explorer.safest, explorer.optimum, explorer.true, *explorer.dots, explorer.least):
            low, high = artist.axes.get_ylim()
            assert low <= np.min(artist.get_ydata())
            assert np.max(artist.get_ydata()) <= high


def test_a_default_that_flags_nothing_stands_at_nothing(nine):
    now = BestThresholdExplorer(*nine[:2], class_size=90, default=2.0, metric="net gain").numbers()
    assert (now["default_k"], now["default"]) == (0, 0)


@pytest.mark.parametrize(
    ("positives", "unlabeled"),
    [([0.5], [0.4]), ([0.5], [0.6]), ([0.5] * 3, [0.5] * 10), ([math.inf, 0.5], [math.inf, 1, -math.inf])],
)
def test_few_or_odd_rows_will_do(positives, unlabeled):
    explorer = BestThresholdExplorer(positives, unlabeled, class_size=1, max_k=len(unlabeled))
    for goal in ("F1", "net gain"):
        explorer.controls["goal"].value = goal
        for k in (1, len(unlabeled)):
            explorer.controls["k"].value = k
            assert np.isfinite(explorer.numbers()["value"])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"metric": "accuracy"}, "metric must be one of 'F1', 'F0.5', 'F2', 'net gain', got 'accuracy'"),
        ({"give_or_take": 81}, "give_or_take must be a whole number from 0 to 80, got 81"),
        ({"give_or_take": -1}, "give_or_take must be a whole number from 0 to 80, got -1"),
        ({"alarm_cost": -1}, "alarm_cost must be 0 or more and finite, got -1"),
        ({"class_size": 0, "max_k": 5}, "class_size must be a whole number from 1 to 5, got 0"),
        ({"k": 17}, "k must be a whole number from 1 to 16, got 17"),
        ({"max_k": 17}, "max_k must be a whole number from 1 to 16, got 17"),
        ({"confidence": 1}, "confidence must be between 0 and 1, got 1"),
        ({"default": math.nan}, "default must be a number, got nan"),
        ({"default": "high"}, "default must be one real number, got 'high'"),
        ({"class_size": None}, "class_size must be one real number, got None"),
        ({"y_true_unlabeled": [1, 0]}, "unequal lengths: y_true_unlabeled has 2, unlabeled_scores has 16 rows; .*"),
    ],
)
def test_a_wrong_argument_is_refused_with_its_name(arguments, said):
    with pytest.raises(ValueError, match=f"^{said}$"):
        BestThresholdExplorer(FAILED, MACHINES, **{"class_size": 5, **arguments})


def test_the_explorer_takes_its_metrics_from_the_library():
    explorer = BestThresholdExplorer(FAILED, MACHINES, class_size=5)
    parts = {getattr(metric, "func", metric) for metric in explorer.metrics.values()}
    assert parts == {fbeta, net_gain}
    assert "sklearn" not in inspect.getsource(inspect.getmodule(BestThresholdExplorer))
