"""Curves, bands, bars and sentences show the explorer's numbers; the tests of each explorer count those by hand."""

import math

import numpy as np
import pytest
from screens import NUMBER, numbers_in

from evalteach import data, moving
from evalteach.counts import sweep
from evalteach.drift import stability_limit
from evalteach.ideal_ranking import ideal_recall_band
from explorers.helpers import AVERAGES, CLUSTER_SCORES, UNSEEN, move, unlabeled_nines, values
from explorers.test_contract import named

pytestmark = pytest.mark.usefixtures("undrawn")
POSITIVES, UNLABELED = unlabeled_nines().test.positives, unlabeled_nines().unlabeled.y_score


def everywhere(explorer, case):
    """The explorer's numbers and artists, at each place of its case."""
    for there in [*case.moves, case.other]:
        yield move(explorer, **there).numbers(), explorer.artists


# --- curves and bands ------------------------------------------------------------------------------------

# each artist, and the numbers across and up that a point of it has; of a band both of its heights
CURVES = {
    "ThresholdExplorer": {"curve": ("false_positive_rate", "recall")},
    "ClassRatioExplorer": {
        "deployed": ("recall", "precision"),
        "band": ("recall", "precision_low", "precision_high"),
    },
    "ClassSizeExplorer": {
        "precision": ("k", "precision"),
        "f1": ("k", "f1"),
        "precision_band": ("k", "precision_low", "precision_high"),
    },
    "BestThresholdExplorer": {
        "estimate": ("k", "value"),
        "true": ("k", "true"),
        "lost.0": ("k", "regret"),
        "outer": ("k", "low", "high"),
    },
    "UnseenNegativesExplorer": {f"lines.{name}": ("unseen_per_positive", name) for name in UNSEEN},
    "PrevalenceExplorer": {f"curves.{name}": ("true", name) for name in ("flagged", "adjusted", "likelihood")},
    "ManyClassesExplorer": {f"curves.{name}": ("factor", name) for name in AVERAGES},
    "TopKExplorer": {f"curves.{name}": ("k", name) for name in ("precision", "recall")},
    "ClusteringExplorer": {f"curves.{name}": ("n_clusters", name) for name in CLUSTER_SCORES},
    "SplitExplorer": {f"curves.{name}": ("edge", name) for name in ("measured", "fresh")},
    "FunnelExplorer": {f"curves.{name}": ("candidates", name) for name in ("recall", "ndcg")},
}
# where the control is no number of the axis itself
STEERED_BY = {"PrevalenceExplorer": "ratio"}


def points_of(artist):
    """Places across and up, shape (n_points, 2)."""
    return np.asarray(artist.get_xydata() if hasattr(artist, "get_xydata") else artist.get_xy(), dtype=float)


def somewhere(kind, explorer, artists):
    """Values for the control that runs along the curves: both ends and places between, where they have points."""
    across = next(iter(CURVES[kind].values()))[0]
    control = STEERED_BY.get(kind, across)
    if control not in explorer.controls:
        return [{}]
    curves = [points_of(artists[name])[:, 0] for name in CURVES[kind]]
    given = np.unique(explorer.ratios if kind == "PrevalenceExplorer" else np.concatenate(curves))
    box = explorer.controls[control]
    given = given[(given >= box.min) & (given <= box.max)]
    return [{control: value} for value in given[np.linspace(0, given.size - 1, 6).astype(int)].tolist()]


@pytest.mark.parametrize("kind", CURVES)
def test_every_curve_runs_through_the_numbers(explorer, kind, case):
    artists, checked = dict(named(vars(explorer.artists))), dict.fromkeys(CURVES[kind], 0)
    for start in [*case.moves, case.other]:
        move(explorer, **start)
        for there in somewhere(kind, explorer, artists):
            now = move(explorer, **there).numbers()
            for name, (across, *up) in CURVES[kind].items():
                if kind == "ThresholdExplorer" and explorer.value("curve") != "ROC":
                    across, up = "recall", ["precision"]
                points = points_of(artists[name])
                here = points[np.isclose(points[:, 0], now[across], rtol=1e-9, atol=1e-12), 1]
                logarithmic = artists[name].axes.get_yscale() == "log"  # which has no place for 0 and less
                for height in (now[each] for each in up):
                    height = math.nan if logarithmic and not height > 0 else height
                    if here.size and not (len(up) == 2 and math.isnan(height)):  # a band has no place for nan
                        assert np.isclose(here, height, rtol=1e-6, atol=1e-9, equal_nan=True).any(), (name, there)
                        checked[name] += 1
    assert min(checked.values()) >= 4, checked


@pytest.mark.parametrize("kind", ["ClassSizeExplorer"])
def test_the_ideal_is_that_of_the_library(explorer, case):
    for now, artists in everywhere(explorer, case):
        k = artists.ideal.get_xdata()
        low, mean, high = ideal_recall_band(POSITIVES.size, now["class_size"], k)
        assert artists.ideal.get_ydata() == pytest.approx(mean)
        assert artists.ideal_band.get_xy()[: 2 * k.size] == pytest.approx(
            np.column_stack([[*k, *k[::-1]], [*low, *high[::-1]]])
        )


# --- bars ------------------------------------------------------------------------------------------------

LOSSES = ("rmse", "mae", "mape", "pinball")
SHARES = {
    "TopKExplorer": ["precision", "recall", "ap_by_relevant", "ap_by_reachable", "ap_by_hits", "average_recall"],
    "RankPositionExplorer": ["ndcg", "reciprocal_rank", "average_precision", "fcp"],
    "MatchingExplorer": [
        *("pair_completeness", "recall_of_compared", "pairwise_recall", "b_cubed_recall"),
        *("pairwise_precision", "b_cubed_precision"),
    ],
}
# each group of bars: the artist, the texts beside it, their lengths, and the numbers in the texts
BARS = {
    **{
        kind: [("bars", "values", *[lambda now, names=names: [now[name] for name in names]] * 2)]
        for kind, names in SHARES.items()
    },
    "RankPositionExplorer": [
        ("bars", "values", *[lambda now: [now[name] for name in SHARES["RankPositionExplorer"]]] * 2),
        ("hits", "hits_value", *[lambda now: [now["reciprocal_hits"]]] * 2),
    ],
    "ManyClassesExplorer": [("bars", "bar_texts", *[lambda now: now["per_class"]] * 2)],
    "RegressionLossExplorer": [
        (
            "bars",
            "values",
            lambda now: [min(2, now[name] / now[f"least_{name}"]) for name in LOSSES],
            lambda now: [now[name] * (100 if name == "mape" else 1) for name in LOSSES],
        )
    ],
    "FunnelExplorer": [
        (
            "left",
            "counts",
            lambda now: [now[name] / now["liked"] for name in REACHED],
            lambda now: [now[name] for name in REACHED],
        ),
        (
            "time",
            "times",
            lambda now: [min(2, now[name] / now["budget"]) for name in TIMES],
            lambda now: [now[name] for name in TIMES],
        ),
    ],
}
REACHED = ("liked", "retrieved", "passed_on", "liked_shown")
TIMES = ("retrieval_ms", "ranking_ms", "reranking_ms", "latency")


@pytest.mark.parametrize("kind", BARS)
def test_every_bar_is_as_long_as_its_number_and_has_it_beside_it(explorer, kind, case):
    for now, artists in everywhere(explorer, case):
        for bars, texts, lengths, numbers in BARS[kind]:
            drawn = getattr(artists, bars).get_xy()[1::4, 0][: len(numbers(now))]
            assert drawn == pytest.approx(np.nan_to_num(lengths(now)))
            written = [numbers_in(text.get_text())[0] for text in getattr(artists, texts)]
            assert written == pytest.approx(numbers(now), rel=5e-3, abs=5e-4, nan_ok=True)


@pytest.mark.parametrize("kind", ["RankPositionExplorer"])
def test_gains_are_shares_of_the_largest_and_a_random_order_is_marked(explorer, case):
    for now, artists in everywhere(explorer, case):
        letters, grades = zip(*(text.get_text().split() for text in artists.names), strict=True)
        assert [dict(zip("ABCDE", [0, 5, 1, 4, 2], strict=True))[letter] for letter in letters] == [*map(int, grades)]
        gains = [2 ** int(grade) - 1 if explorer.value("gain") == "exponential" else int(grade) for grade in grades]
        shares = np.divide(gains, max(gains))
        assert artists.gains.get_xy()[1::4, 0][:5] == pytest.approx(shares)
        assert artists.discounted.get_xy()[1::4, 0][:5] == pytest.approx(shares / np.log2(np.arange(2, 7)))
        expected = [now[f"random_{name}"] for name in SHARES["RankPositionExplorer"]]
        assert artists.chance.get_xydata() == pytest.approx(np.column_stack([expected, np.arange(4) + 0.5]))
        assert artists.chance_hits.get_xydata() == pytest.approx(np.array([[now["random_reciprocal_hits"], 0.5]]))


# --- rows ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["CalibrationExplorer"])
def test_each_class_has_the_shares_of_its_probabilities(explorer, case):
    y_true, y_prob = data.two_normals(1_000, 1, seed=4)
    for now, _ in everywhere(explorer, case):
        odds = (y_prob / (1 - y_prob)) ** now["slope"] / (now["ratio"] if explorer.value("shifted") else 1)
        for area, rows, side in zip(explorer.artists.areas, (y_true, ~y_true), (1, -1), strict=True):
            shares = np.histogram((odds / (1 + odds))[rows], 20, (0, 1))[0] / rows.sum()
            assert side * area.get_xy()[40:80, 1][::-2] == pytest.approx(shares, abs=1e-3)


@pytest.mark.parametrize("kind", ["PrevalenceExplorer"])
def test_hills_are_shares_of_all_rows(explorer, case):
    deployed, unseen = (data.two_normals(500, 1, separation=far, seed=seed) for far, seed in ((3.0, 2), (1.0, 3)))
    kinds = deployed.y_score[deployed.y_true], deployed.y_score[~deployed.y_true], unseen.y_score
    for now, _ in everywhere(explorer, case):
        rows = np.array([1, now["ratio"], now["unseen_per_positive"]])
        for hill, scores, share in zip(explorer.artists.hills, kinds, rows / rows.sum(), strict=True):
            bars = np.histogram(scores, 40, (0, 1))[0] / scores.size * share
            expected = np.where(bars > 0, bars, np.nan)
            assert hill.get_ydata() == pytest.approx([expected[0], *expected], nan_ok=True)
            assert hill.get_xdata() == pytest.approx(np.linspace(0, 1, 41))


@pytest.mark.parametrize("kind", ["DriftExplorer"])
def test_the_bands_and_truths_of_a_drift_are_drawn_at_their_numbers(explorer, case):
    at = sweep(*data.two_normals(200, 5, separation=3.0, seed=6)).at(0.5)
    for now, artists in everywhere(explorer, case):
        assert artists.bands["psi"].get_xy()[:, 1].max() == pytest.approx(1)  # limits
        for key, number in (("adjusted", "positives"), ("reviews", "precision"), ("labels", "recall")):
            last = now["day"] - (60 if key == "labels" else 0)
            x, heights = artists.truths[key].get_data()
            assert x.tolist() == np.minimum([0, 30.5, 30.5, 121], max(last, 0) + 0.5).tolist()
            for height, since in zip(heights, (False, False, True, True), strict=True):
                drawn = now[f"{number}_{'since' if since else 'before'}"] if last > 30 * since else np.nan
                assert height == pytest.approx(drawn, nan_ok=True)
        low, high = np.sort(np.unique(artists.bands["flags"].get_xy()[:, 1]))
        assert low < 1 < high
        assert np.ptp([low, high]) == pytest.approx(
            4 * math.sqrt((1 / ((at.tp + at.fp) / 1_200) - 1) / now["rows"]), rel=0.25
        )
        for key, drawn in artists.inside.items():
            seen = ~np.isnan(drawn.get_ydata())
            heights, (bottom, top) = drawn.get_ydata()[seen], drawn.axes.get_ylim()
            between = (heights > bottom + 0.031 * (top - bottom)) & (heights < bottom + 0.969 * (top - bottom))
            expected = explorer.scene[0][key][: drawn.get_ydata().size][seen]
            unit = stability_limit(10, now["rows"]) if key == "psi" else 1
            assert heights[between] == pytest.approx(expected[between] / unit)
        end = min(30 * math.ceil((now["day"] + 15) / 30), 120) + 1
        assert {drawn.axes.get_xlim() for drawn in artists.inside.values()} == {(0, end)}
        assert ("no labels yet" in artists.waiting.get_text()) == (now["day"] <= 60)


# --- sentences -------------------------------------------------------------------------------------------

SAYS = {  # the numbers of each sentence, in its order; the names are those of numbers() and of the controls
    "ThresholdExplorer": "threshold, tp + fp, 1_797, tp, tp, fn, recall",
    "ClassRatioExplorer": "1, ratio, threshold, tp, tp, fp, precision, 95, precision_low, precision_high, "
    "test_precision, recall, alarms_per_find",
    "ClassSizeExplorer": "class_size, k, recall, recall, class_size, k, precision, true_precision, 95, precision_low, "
    "precision_high, f1, best_f1, best_k",
    "BestThresholdExplorer": "class_size, give_or_take, k, value, true, low, high, regret, best, best_k, true_at_best, "
    "safest_regret, safest_k, true_at_default, 0.5, optimum",
    "CalibrationExplorer": "slope, 1, ratio, log_loss, base_log_loss, brier, base_brier, n_bins, agree, filled",
    "UnseenNegativesExplorer": "unseen_per_positive, ratio, place, threshold, recall, false_positive_rate, "
    "unseen_false_positive_rate, test_precision, corrected_precision, precision",
    "PrevalenceExplorer": "ratio, unseen_per_positive, threshold, true, flagged, adjusted, adjusted / true, "
    "likelihood, likelihood / true",
    "ManyClassesExplorer": "factor, int(chosen), class_size, rows, precision, recall, f1, macro, macro_before, micro, "
    "micro_before, weighted, weighted_before",
    "TopKExplorer": "k, hits, relevant, precision, recall, ap_by_relevant, ap_by_reachable, ap_by_hits, average_recall",
    "RankPositionExplorer": "dcg, ideal_dcg, ndcg, random_ndcg, reciprocal_rank, random_reciprocal_rank, "
    "average_precision, random_average_precision, fcp, random_fcp, reciprocal_hits, random_reciprocal_hits",
    "MatchingExplorer": "neighbours, compared, 26 * 25 / 2, pair_completeness, threshold, links, wrong_links, "
    "recall_of_compared, clusters, largest, pairwise_precision, pairwise_recall, b_cubed_precision, b_cubed_recall",
    "ClusteringExplorer": "found, *sizes, rand, adjusted_rand, adjusted_mutual_info, v_measure, silhouette",
    "RegressionLossExplorer": "row, target, constant, rmse, r2, mae, 100 * mape, quantile, pinball, model_rmse, "
    "model_r2, model_mae, 100 * model_mape, quantile, model_pinball, best_rmse, best_mae, best_mape, best_pinball",
    "SplitExplorer": "edge, held_out, train, groups_on_both_sides, copies, not_earlier, measured, fresh",
    "DriftExplorer": "strength, rows, reviews, precision_before, precision_since, recall_before, recall_since, day, "
    + ", ".join(
        f"{key}_before, {key}_days_before, {key}_since, {key}_days_since"
        for key in ("psi", "flags", "adjusted", "reviews", "labels")
    ),
    "FunnelExplorer": "liked, retrieved, candidates, passed_on, reranked, liked_shown, shown, retrieval_recall, "
    "ranking_recall, reranking_recall, funnel_recall, recall, ndcg, latency, budget, affordable",
    "moving": "share, n",
}


def test_the_sentence_has_the_numbers_of_the_explorer_in_its_order(explorer, kind, case):
    for there in [*case.moves, case.other]:
        now = move(explorer, **there).numbers()
        names = {**values(explorer), **now}
        if kind == "ClusteringExplorer":
            names["sizes"] = np.bincount(explorer.scene[0][now["n_clusters"] - 1])
        numbers = eval(f"({SAYS[kind]})", {}, names)
        written = NUMBER.findall(repr(explorer))
        if there is case.other:  # elsewhere a number may be undefined, or more be said, as inside a tie
            assert len(written) == len(numbers)
        if len(written) == len(numbers) and (kind != "ThresholdExplorer" or explorer.value("metric") == "recall"):
            for text, number in zip(written, numbers, strict=True):
                decimals = len(text.partition(".")[2])
                assert numbers_in(text)[0] == pytest.approx(number, abs=0.501 * 10.0**-decimals, nan_ok=True), text


def test_the_sentence_of_a_moving_picture_is_what_its_function_returns():
    explorer = moving(lambda axes, x=2: f"{x + 1} there", x=(1, 5))
    assert repr(explorer) == "3 there"
    assert repr(move(explorer, x=4)) == "5 there"
