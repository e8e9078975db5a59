"""The explorer of prevalence: its estimates against rows that are written out, and thresholds below every score."""

import math

import numpy as np
import pytest

from evalteach.counts import sweep
from evalteach.data import two_normals
from evalteach.explorers import PrevalenceExplorer
from evalteach.prevalence import adjusted_count, likelihood_prevalence

pytestmark = pytest.mark.usefixtures("undrawn")


@pytest.fixture(scope="module")
def explorer():
    test, deployed = two_normals(500, 1, separation=3.0, seed=1), two_normals(500, 1, separation=3.0, seed=2)
    return PrevalenceExplorer(*test, *deployed, deployed.y_score[deployed.y_true], ratio=10)


def test_the_explorer_agrees_with_rows_that_are_written_out(explorer):
    test, deployed = two_normals(500, 1, separation=3.0, seed=1), two_normals(500, 1, separation=3.0, seed=2)
    explorer.controls["ratio"].value, explorer.controls["unseen_per_positive"].value = 4, 2
    positive, negative = deployed.y_score[deployed.y_true], deployed.y_score[~deployed.y_true]
    rows = np.concatenate([positive, *[negative] * 4, *[positive] * 2])
    now = explorer.numbers()
    assert now["true"] == pytest.approx(1 / 7)
    assert now["flagged"] == pytest.approx(np.mean(rows >= 0.5))
    assert now["adjusted"] == pytest.approx(adjusted_count(sweep(*test).at(0.5), np.mean(rows >= 0.5)))
    assert now["likelihood"] == pytest.approx(likelihood_prevalence(rows, 0.5), abs=1e-4)


@pytest.mark.parametrize("ratio", [1, 100, 1e4])
def test_grouping_the_scores_keeps_the_likelihood_even_where_positives_are_rare(ratio):
    test, deployed = two_normals(500, 1, separation=3.0, seed=1), two_normals(2_000, 20, separation=3.0, seed=2)
    logit = np.log(deployed.y_score / (1 - deployed.y_score)) + np.log(20)  # as calibrated at 1 : 1
    prob = 1 / (1 + np.exp(-logit))
    weights = np.where(deployed.y_true, 1 / 2_000, ratio / 40_000)
    expected = likelihood_prevalence(prob, 0.5, weights)
    shown = PrevalenceExplorer(*test, deployed.y_true, prob, [0.5], ratio=ratio).numbers()["likelihood"]
    assert shown == pytest.approx(expected, rel=0.05)


def test_certain_scores_stay_certain_when_grouped():
    explorer = PrevalenceExplorer([1, 0], [0.8, 0.1], [1, 0], [1, 0], [5e-324], ratio=9, unseen_per_positive=10)
    assert explorer.numbers()["likelihood"] == pytest.approx(1 / 20)


def test_an_estimate_without_a_value_is_said_to_be_undefined():
    explorer = PrevalenceExplorer([1, 0], [0.8, 0.1], [1, 0], [0.8, 0.3], [0.5], threshold=0.9)
    assert math.isnan(explorer.numbers()["adjusted"])  # nobody of the test set scores so high
    assert "adjusted count undefined (nan), likelihood" in repr(explorer)


def test_unseen_negatives_that_look_like_positives_are_counted_as_such(explorer):
    explorer.controls["ratio"].value = 4
    said = []
    for unseen in (0, 1, 2):
        explorer.controls["unseen_per_positive"].value = unseen
        now = explorer.numbers()
        said.append([now["adjusted"], now["likelihood"]])
        np.testing.assert_allclose(said[-1], (1 + unseen) / (5 + unseen), rtol=0.1)
    assert np.all(np.diff(said, axis=0) > 0)


def test_a_deployment_without_a_class_is_refused():
    with pytest.raises(ValueError, match="y_true_deployed must hold both classes"):
        PrevalenceExplorer([1, 0], [0.8, 0.1], [1, 1], [0.8, 0.3], [0.5])


@pytest.mark.parametrize("name", ["y_prob", "y_prob_deployed", "unseen_scores"])
def test_scores_that_are_no_probabilities_are_refused(name):
    scores = {"y_prob": [0.8, 0.1], "y_prob_deployed": [0.8, 0.3], "unseen_scores": [0.5]}
    scores[name][-1] = 1.3
    with pytest.raises(ValueError, match=rf"{name} holds 1\.3 at position \d; probabilities must be between 0 and 1"):
        PrevalenceExplorer([1, 0], y_true_deployed=[1, 0], **scores)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"y_prob": [0.8]}, "unequal lengths: y_true has 2, y_prob has 1 rows"),
        ({"y_prob_deployed": [0.8]}, "unequal lengths: y_true_deployed has 2, y_prob_deployed has 1 rows"),
        ({"y_true": [1, 2]}, "y_true holds 1, 2; labels must be"),
        ({"y_true_deployed": [1, 2]}, "y_true_deployed holds 1, 2; labels must be"),
        ({"ratio": 0.2}, "ratio must be between 1 and 10000, both included, got 0.2"),
        ({"ratio": -5}, "ratio must be between 1 and 10000, both included, got -5"),
        ({"ratio": 20_000}, "ratio must be between 1 and 10000, both included, got 20000"),
        ({"ratio": math.nan}, "ratio must be between 1 and 10000, both included, got nan"),
        ({"unseen_per_positive": 80}, "unseen_per_positive must be between 0 and 50, both included, got 80"),
        ({"threshold": 5}, "threshold must be between 0.01 and 0.99, both included, got 5"),
    ],
)
def test_a_wrong_argument_of_the_explorer_is_refused_with_its_name(arguments, said):
    rows = {"y_true": [1, 0], "y_prob": [0.8, 0.1], "y_true_deployed": [1, 0], "y_prob_deployed": [0.8, 0.3]}
    with pytest.raises(ValueError, match=f"^{said}"):
        PrevalenceExplorer(**{**rows, "unseen_scores": [0.5], **arguments})


def test_below_the_lowest_score_everything_is_flagged_and_the_slider_stays_alive():
    rng = np.random.default_rng(1)

    def rows(n, positives):
        y_true = np.arange(n) < positives
        return y_true, np.clip(1 / (1 + np.exp(-rng.normal(np.where(y_true, 1, -1), 0.8))), 0.06, 0.94)

    test, deployed, unseen = rows(400, 200), rows(2000, 100), np.clip(rng.random(300), 0.06, 0.94)
    explorer = PrevalenceExplorer(*test, *deployed, unseen, unseen_per_positive=3.0)
    box, slider = explorer.view.children[0].children[2].children
    for place in range(6):
        slider.value = place
        for ratio in (1, 7, 100, 333, 10_000):
            explorer.controls["ratio"].value = ratio
            assert explorer.numbers()["flagged"] == pytest.approx(1)
    slider.value = 60
    assert box.value == pytest.approx(0.61)
    assert explorer.numbers()["flagged"] < 1


def test_scores_are_compared_with_the_threshold_in_their_own_precision():
    prob, labels = np.array([0.7, 0.7, 0.7, 0.2], dtype="f4"), [1, 1, 0, 0]
    explorer = PrevalenceExplorer(labels, prob, labels, prob, prob, ratio=1, unseen_per_positive=1, threshold=0.7)
    now = explorer.numbers()
    assert now["flagged"] == pytest.approx((1 + 0.5 + 0.75) / 3)
    assert now["adjusted"] == pytest.approx((now["flagged"] - 0.5) / 0.5)
