"""The explorer of drift: truth by what each drift does, days by lot, rings against bands, what is known when."""

import numpy as np
import pytest
from scipy.stats import binom

from evalteach import data
from evalteach.counts import sweep
from evalteach.drift import population_stability_index, stability_limit
from evalteach.explorers import DriftExplorer
from explorers.helpers import CASES, move, values

Y, SCORE = data.two_normals(200, 5, separation=3.0, seed=6)
CHANGED = 0.4 * SCORE
KEYS = ("psi", "flags", "adjusted", "reviews", "labels")
pytestmark = pytest.mark.usefixtures("undrawn")


@pytest.fixture(scope="module")
def made():
    explorer = CASES["DriftExplorer"].make()
    return explorer, values(explorer)


@pytest.fixture
def moved(made):
    """One explorer, moved from where it started: to make one costs as much as twenty moves."""
    explorer, start = made
    return lambda **more: move(explorer, **{**start, **more})


def truth(explorer):
    now = explorer.numbers()
    return [now[f"{name}_{when}"] for when in ("before", "since") for name in ("positives", "precision", "recall")]


def of_counts(tp, fp, positives, rows):
    return [positives / rows, tp / (tp + fp), tp / positives]


def test_before_the_drift_the_truth_is_that_of_the_rows(moved):
    at = sweep(Y, SCORE).at(0.5)
    assert truth(moved())[:3] == pytest.approx(of_counts(at.tp, at.fp, 200, 1_200))


def test_covariate_drift_scores_a_share_of_the_rows_anew(moved):
    before, after = (sweep(Y, each).at(0.5) for each in (SCORE, CHANGED))
    tp, fp = (0.7 * getattr(before, part) + 0.3 * getattr(after, part) for part in ("tp", "fp"))
    assert truth(moved(strength=0.3))[3:] == pytest.approx(of_counts(tp, fp, 200, 1_200))


def test_label_drift_brings_more_positives_and_leaves_both_rates(moved):
    at = sweep(Y, SCORE).at(0.5)
    assert truth(moved(kind="label", strength=0.4))[3:] == pytest.approx(of_counts(1.8 * at.tp, at.fp, 360, 1_360))


def test_fewer_count_turns_hits_into_false_alarms_and_leaves_recall(moved):
    at = sweep(Y, SCORE).at(0.5)
    got = truth(moved(kind="concept: fewer count", strength=0.4))[3:]
    assert got == pytest.approx(of_counts(0.6 * at.tp, at.fp + 0.4 * at.tp, 120, 1_200))


def test_more_count_adds_positives_that_are_not_flagged(moved):
    at = sweep(Y, SCORE).at(0.5)
    assert truth(moved(kind="concept: more count", strength=0.4))[3:] == pytest.approx(
        of_counts(at.tp, at.fp, 280, 1_200)
    )
    few = DriftExplorer([1, 1, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.1], [0.1] * 5, kind="concept: more count", strength=1.0)
    assert truth(few)[3:] == pytest.approx(of_counts(3, 1, 4, 5))  # no more than there are


@pytest.mark.parametrize("kind", ["concept: fewer count", "concept: more count"])
def test_no_instrument_without_new_labels_moves_when_only_the_concept_does(moved, kind):
    seen = "reviews" if "fewer" in kind else "labels"
    scenes, rang = [], []
    for strength in (0.0, 1.0):
        explorer = moved(kind=kind, strength=strength, day=120)
        scenes.append(explorer.scene)
        rang.append(explorer.numbers()[f"{seen}_since"])
    for key in ("psi", "flags", "adjusted"):
        for shown in (0, 2):
            np.testing.assert_array_equal(scenes[0][shown][key], scenes[1][shown][key])
    assert rang[0] < 10 < rang[1]


def test_flags_and_adjusted_count_ring_on_the_same_days(moved):
    for kind, strength, rows in (("label", 0.3, 200), ("covariate", 0.5, 1_000), ("label", 0.0, 50)):
        rings = moved(kind=kind, strength=strength, rows=rows).scene[2]
        assert rings["flags"].tolist() == rings["adjusted"].tolist()
        assert 0 < rings["flags"].sum() < 120


def test_adjusted_count_finds_the_share_under_label_drift_and_not_under_covariate_drift(moved):
    for kind, close in (("label", True), ("covariate", False)):
        explorer = moved(kind=kind, strength=1.0, rows=100_000)
        shown = explorer.scene[0]["adjusted"][30:].mean()
        assert (abs(shown - explorer.numbers()["positives_since"]) < 0.002) == close


def test_without_drift_each_instrument_rings_on_a_twentieth_of_the_days_at_most():
    shares = {key: [] for key in KEYS}
    for seed in range(5):
        _, _, rings, _ = CASES["DriftExplorer"].make(strength=0.0, seed=seed, reviews=60).scene
        for key in KEYS:
            shares[key].append(rings[key].mean())
    for key in KEYS:
        assert 0.015 < np.mean(shares[key]) < 0.062, key


def test_a_day_is_drawn_from_the_rows(moved):
    explorer = moved(kind="label", strength=1.0, rows=100_000)
    shown = explorer.scene[0]
    now = explorer.numbers()
    for part, when in ((slice(30), "before"), (slice(30, None), "since")):
        assert shown["labels"][part].mean() == pytest.approx(now[f"recall_{when}"], abs=0.001)
        assert shown["reviews"][part].mean() == pytest.approx(now[f"precision_{when}"], abs=0.03)
    at = sweep(Y, SCORE).at(0.5)
    flags = binom(100_000, (at.tp + at.fp) / 1_200)
    assert shown["flags"][:30].std() * flags.mean() == pytest.approx(flags.std(), rel=0.4)
    assert shown["flags"][:30].mean() == pytest.approx(1, abs=0.002)
    assert shown["psi"][:30].mean() == pytest.approx(9 / 100_000, rel=0.4)


def test_bands_are_those_of_the_reference(moved):
    bands = moved(rows=2_000, reviews=40).scene[1]
    at = sweep(Y, SCORE).at(0.5)
    expected = (at.tp + at.fp) / 1_200
    assert bands["psi"] == (0, stability_limit(10, 2_000))
    assert bands["flags"] == pytest.approx(binom.ppf([0.025, 0.975], 2_000, expected) / 2_000 / expected)
    for end, chance in zip(bands["reviews"], (0.025, 0.975), strict=True):
        assert end == pytest.approx(binom.ppf(chance, 40, at.tp / (at.tp + at.fp)) / 40)


def test_a_score_at_the_threshold_is_flagged():
    explorer = DriftExplorer([1, 1, 0, 0], [0.5, 0.9, 0.4, 0.1], [0.1] * 4, reviews=1)
    assert truth(explorer)[:3] == [0.5, 1, 1]
    assert "1 review a day" in explorer.sentence(explorer.numbers())


def test_psi_is_that_of_ten_bins_of_the_reference(moved):
    shown = moved(strength=1.0, rows=100_000).scene[0]["psi"][30:]
    edges = np.quantile(SCORE, np.arange(0.1, 0.95, 0.1))
    bins = [np.bincount(np.searchsorted(edges, each, side="right"), minlength=10) for each in (SCORE, CHANGED)]
    assert shown.mean() == pytest.approx(population_stability_index(1e6 * bins[0], 100_000 / 1_200 * bins[1]), rel=0.03)


def test_labels_are_known_when_they_have_arrived_and_the_rest_up_to_today(moved):
    now = moved(day=95).numbers()
    assert [now[f"{key}_days_before"] for key in KEYS] == [30] * 5
    assert [now[f"{key}_days_since"] for key in KEYS] == [65, 65, 65, 65, 5]
    now = moved(day=20).numbers()
    assert [now[f"{key}_days_{when}"] for key in KEYS for when in ("before", "since")] == [20, 0] * 4 + [0, 0]
    assert CASES["DriftExplorer"].make(day=20, delay=0).numbers()["labels_days_before"] == 20


def test_days_without_flags_or_positives_ring_no_review_and_no_label():
    rare = np.arange(1_000) < 2
    explorer = DriftExplorer(rare, 0.9 * rare, np.zeros(1_000), rows=50, day=120, delay=0)
    shown, _, rings, _ = explorer.scene
    nothing = np.isnan(shown["reviews"])
    assert 60 < nothing.sum() < 120
    assert not rings["reviews"][nothing].any()
    assert explorer.numbers()["reviews_days_since"] == 90 - nothing[30:].sum()


def test_points_stand_inside_or_outside_and_none_after_today(moved):
    explorer = moved(kind="concept: fewer count", strength=0.7, day=50)
    _, _, rings, _ = explorer.scene
    for key in KEYS:
        inside, outside = (
            ~np.isnan(marks[key].get_ydata()) for marks in (explorer.artists.inside, explorer.artists.outside)
        )
        known = np.arange(1, 121) <= (50 if key != "labels" else -10)
        np.testing.assert_array_equal(outside, known & rings[key])
        np.testing.assert_array_equal(inside | outside, known)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"y_true": Y[:9]}, "unequal lengths: y_true has 9, y_score has 1200"),
        ({"changed_score": CHANGED[:9]}, "changed_score has 9 rows"),
        ({"y_score": SCORE * np.nan}, "y_score has nan at position 0"),
        ({"y_true": np.arange(1_200)}, "labels must be bool, 0/1, or two values"),
        ({"y_true": Y | True}, "must flag some rows and leave some, and positives more often than negatives"),
        ({"y_true": ~Y}, "positives more often than negatives"),
        ({"threshold": 2.0}, "threshold 2 must flag some rows and leave some"),
        ({"threshold": -1.0}, "threshold -1 must flag some rows"),
        ({"threshold": np.nan}, "threshold must be finite, got nan"),
        ({"kind": "none"}, "kind must be one of 'covariate'"),
        ({"strength": 1.5}, "strength must be between 0 and 1"),
        ({"rows": 10}, "rows must be a whole number from 50 to 100000, got 10"),
        ({"reviews": 0}, "reviews must be a whole number from 1 to 200"),
        ({"day": 121}, "day must be a whole number from 1 to 120"),
        ({"delay": -1}, "delay must be a whole number from 0 to 120"),
        ({"seed": -1}, "seed must be a whole number, 0 or more"),
    ],
)
def test_what_cannot_drift_is_refused(given, why):
    with pytest.raises(ValueError, match=why):
        DriftExplorer(**{"y_true": Y, "y_score": SCORE, "changed_score": CHANGED, **given})


def test_scores_are_compared_with_the_threshold_in_their_own_precision():
    score = np.round(SCORE, 1).astype("f4")
    explorer = DriftExplorer(Y, score, np.zeros_like(score), threshold=0.7, strength=1.0)
    tp, fp = np.sum(Y & (score >= 0.7)), np.sum(~Y & (score >= 0.7))
    assert truth(explorer)[:3] == pytest.approx(of_counts(tp, fp, 200, 1_200))
    assert tp > np.sum(Y & (score.astype(float) >= 0.7))


@pytest.mark.filterwarnings("error")
def test_scores_between_which_no_bin_can_be_cut_are_refused():
    with pytest.raises(ValueError, match=r"^y_score is too large or infinite in too many rows to be cut into bins"):
        DriftExplorer(Y, np.where(np.median(SCORE) < SCORE, np.inf, SCORE), SCORE)
