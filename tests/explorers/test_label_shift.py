"""The explorer of a class ratio: precision by Bayes' rule, intervals of counted rows only, and how often it counts."""

import math

import numpy as np
import pytest
from scipy.stats import binomtest
from sklearn import metrics

from evalteach import class_ratio
from evalteach.explorers import ClassRatioExplorer, UnseenNegativesExplorer
from evalteach.explorers.label_shift import _alarms
from explorers.helpers import CASES, move, nines

pytestmark = pytest.mark.usefixtures("undrawn")


def make(**more):
    return CASES["ClassRatioExplorer"].make(**more)


def exact_interval(outcomes):
    """Clopper and Pearson's, of a level at which two independent ones hold together with 95 %."""
    return binomtest(int(outcomes.sum()), outcomes.size).proportion_ci(math.sqrt(0.95), "exact")


@pytest.mark.parametrize(("ratio", "threshold"), [(1, 0.5), (8.98, 0.2), (12345, 0.9), (1e6, 0.99)])
def test_the_class_ratio_explorer_agrees_with_bayes_rule(ratio, threshold):
    explorer = move(make(), ratio=ratio, threshold=threshold)
    flagged = nines().y_score >= threshold
    hits, alarms = flagged[nines().y_true], flagged[~nines().y_true]
    recall, fpr = hits.mean(), alarms.mean()
    precision = recall / (recall + fpr * ratio)
    now = explorer.numbers()
    expected = {
        "ratio": ratio,
        "threshold": threshold,
        "recall": recall,
        "false_positive_rate": fpr,
        "precision": precision,
        "test_precision": metrics.precision_score(nines().y_true, flagged),
        "alarms_per_find": 1 / precision,
        "tp": hits.sum(),
        "fp": fpr * ratio * hits.size,
    }
    for end, r, f in (("low", 0, 1), ("high", 1, 0)):  # each rate has an exact interval of its own
        r, f = exact_interval(hits)[r], exact_interval(alarms)[f]
        expected[f"precision_{end}"] = r / (r + f * ratio)
    assert now == pytest.approx(expected)

    assert f"Of 100 alarms, {100 * precision:.0f} are real" in explorer.artists.heading.get_text()
    filled = (explorer.artists.grid.get_facecolor()[:, 0] < 0.5).sum()  # blue, not white
    assert filled == round(100 * precision)


def test_at_the_test_sets_own_ratio_nothing_changes():
    now = make().numbers()
    assert now["precision"] == pytest.approx(now["test_precision"])
    assert now["precision_low"] < now["precision"] < now["precision_high"]


@pytest.mark.parametrize(("label", "absent"), [(0, "positives"), (1, "negatives")])
def test_a_class_ratio_needs_both_classes(label, absent):
    with pytest.raises(ValueError, match=f"no {absent}; the test set needs at least one example of each"):
        ClassRatioExplorer([label] * 3, [0.1, 0.5, 0.9])


def test_with_nothing_flagged_precision_is_said_to_be_undefined():
    explorer = make(threshold=1.0)
    assert repr(explorer).endswith("nothing is flagged, so precision is undefined (nan).")
    assert explorer.artists.heading.get_text() == "Nothing is flagged"


def test_weighted_rows_have_no_interval_and_that_is_said():
    rng = np.random.default_rng(0)
    y_true = np.arange(1000) < 100
    rows = y_true, np.where(y_true, 2, 0) + rng.normal(size=1000)
    plain = ClassRatioExplorer(*rows, ratio=1600, threshold=2.0)
    assert "with 95% confidence between 0.008 and 0.041" in repr(plain)
    for weight in (0.01, 1.0, 100.0):
        weighted = ClassRatioExplorer(*rows, ratio=1600, threshold=2.0, weights=np.full(1000, weight))
        now = weighted.numbers()
        assert math.isnan(now["precision_low"])
        assert math.isnan(now["precision_high"])
        assert now["precision"] == pytest.approx(plain.numbers()["precision"])
        assert ", no interval, since rows are weighted; " in repr(weighted)
        assert not weighted.artists.band.get_xy().any()
        legend = {text.get_text() for text in weighted.artists.band.axes.get_legend().get_texts()}
        assert "no band: weighted rows" in legend
    assert np.ptp(plain.artists.band.get_xy()[:, 1]) > 0.1


def test_band_and_curve_are_those_of_every_threshold():
    explorer = make(ratio=30)
    worst, best = class_ratio.rate_bounds(explorer.points)
    n = explorer.points.tp.size
    band = explorer.artists.band.get_xy()[: 2 * n, 1]
    for bound, heights in ((worst, band[:n]), (best, band[n:][::-1])):
        assert heights == pytest.approx(bound.tp / (bound.tp + 30 * bound.fp))
    recall, fpr = explorer.points.tp / 180, explorer.points.fp / 1617
    with np.errstate(invalid="ignore"):
        assert explorer.artists.deployed.get_ydata() == pytest.approx(recall / (recall + 30 * fpr), nan_ok=True)


def test_a_whole_class_ratio_is_said_in_full():
    explorer = make()
    for ratio in (1, 12345, 100_000, 123_456, 1_000_000):
        assert repr(move(explorer, ratio=ratio)).startswith(f"1 positive per {ratio:,} negatives, ")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"threshold": math.nan}, "threshold"),
        ({"ratio": 0}, r"ratio must be above 0 and at most 1e\+300, got 0"),
        ({"ratio": -3}, r"ratio must be above 0 and at most 1e\+300, got -3"),
        ({"ratio": math.inf}, r"ratio must be above 0 and at most 1e\+300, got inf"),
        ({"confidence": 95}, "confidence must be between 0 and 1, got 95"),
    ],
)
def test_a_wrong_argument_is_refused_with_its_name(arguments, said):
    with pytest.raises(ValueError, match=said):
        make(**arguments)


@pytest.mark.parametrize(
    ("alarms", "said"),
    [(1, "1 alarm per true find"), (1.04, "1.04 alarms per true find"), (12.345, "12.3 alarms per true find")],
)
def test_one_alarm_is_said_as_one(alarms, said):
    assert _alarms({"alarms_per_find": alarms}) == said


@pytest.mark.parametrize("make", [ClassRatioExplorer, UnseenNegativesExplorer])
def test_a_ratio_without_an_end_is_refused_and_a_very_high_one_is_short(make):
    with pytest.raises(ValueError, match=r"^ratio holds 1e\+300; the negatives that it asks for"):
        make([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1], ratio=1e300)
    explorer = make([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1], ratio=1e290)
    assert "1e+290" in repr(explorer)
    assert len(repr(explorer)) < 400
