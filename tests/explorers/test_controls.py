"""The controls of explorers: their sliders' stops, what they refuse, and numbers of numpy."""

import numpy as np
import pytest
from traitlets import TraitError

from evalteach.counts import sweep
from evalteach.explorers.engine.controls import choice_control, number_control, threshold_control
from explorers.helpers import CASES, stops

pytestmark = pytest.mark.usefixtures("undrawn")


def test_a_slider_reaches_both_ends_in_at_most_200_steps_and_every_stop_brings_it_back():
    for control in (
        number_control("threshold", 0.5, 0, 1),
        number_control("threshold", 0.5, -0.123, 17.7),
        number_control("ratio", 9, 1, 1e6, log=True),
        number_control("k", 5, 1, 12_345, whole=True),
        number_control("k", 5, 1, 7, whole=True),
    ):
        (box, slider), held = control.row.children, stops(control)
        assert (held[0], held[-1]) == (box.min, box.max)
        assert len(held) <= 202
        assert held == sorted(set(held))
        for place, number in enumerate(held):
            box.value = number
            assert slider.value == slider.min + place


def test_the_logarithmic_slider_hands_over_three_digits_in_equal_factors():
    held = stops(number_control("ratio", 9, 1, 1e6, log=True))
    assert held == [float(f"{number:.3g}") for number in held]
    factors = np.divide(held[1:], held[:-1])
    assert factors.max() / factors.min() < 1.02


def test_the_plain_slider_hands_over_round_numbers_in_equal_steps():
    held = stops(number_control("threshold", 0.5, 0, 1))
    assert held == [place / 200 for place in range(201)]  # not 0.30000000000000004
    for whole, high, step in ((True, 7, 1), (True, 333, 2), (True, 12_345, 100), (False, 333, 2), (False, 3, 0.01)):
        held = stops(number_control("n", 1, 1, high, whole=whole))
        assert np.diff(held)[1:-1] == pytest.approx(step)  # the ends are where they are
        assert [type(number) for number in held] == [int if whole else float] * len(held)


def test_a_given_step_counts_from_the_low_end_and_whole_factors_stop_at_whole_numbers():
    assert stops(number_control("k", 1, 1, 10, step=3, whole=True)) == [1, 4, 7, 10]
    assert stops(number_control("share", 0.1, 0.1, 0.9, step=0.25)) == [0.1, 0.35, 0.6, 0.85, 0.9]
    held = stops(number_control("n", 1, 1, 1000, log=True, whole=True))
    assert held == sorted(set(held))
    assert (held[:4], held[-1]) == ([1, 2, 3, 4], 1000)
    assert {type(number) for number in held} == {int}


def test_a_threshold_that_starts_far_from_all_scores_has_a_slider_of_as_few_stops():
    scores = sweep([1, 0, 1, 0], [0.1, 0.2, 0.8, 0.9])
    for far in (1e6, -1e9, 1e300):
        control = threshold_control(scores, far)
        held = stops(control)
        assert len(held) <= 202
        assert {held[0], held[-1]} == {control.widget.min, control.widget.max}
        assert far in held


@pytest.mark.parametrize(
    ("kind", "starts"),
    [
        ("ThresholdExplorer", {"threshold": np.float32(0.25)}),
        ("ClassRatioExplorer", {"ratio": np.float64(0.5), "confidence": np.float32(0.5), "threshold": np.array(0.25)}),
        ("ClassSizeExplorer", {"k": np.int64(40), "confidence": np.float32(0.5)}),
        ("BestThresholdExplorer", {"class_size": np.int64(90), "max_k": np.int16(500), "give_or_take": np.int8(20)}),
        ("BestThresholdExplorer", {"alarm_cost": np.float64(0.5), "default": np.float32(0.25), "k": np.int8(7)}),
        ("CalibrationExplorer", {"ratio": np.float64(200), "slope": np.float64(2), "n_bins": np.int64(5)}),
        (
            "UnseenNegativesExplorer",
            {"ratio": np.float64(2000), "unseen_per_positive": np.float64(60), "place": np.float32(0.5)},
        ),
        (
            "PrevalenceExplorer",
            {"ratio": np.int16(20), "unseen_per_positive": np.int8(3), "threshold": np.float64(0.4)},
        ),
        ("ManyClassesExplorer", {"factor": np.float64(0.2)}),
    ],
)
def test_numbers_of_numpy_start_an_explorer_as_those_of_python_do(kind, starts):
    python = {name: number.item() for name, number in starts.items()}
    assert repr(CASES[kind].make(**starts)) == repr(CASES[kind].make(**python))


def test_a_choice_is_named_and_holds_only_its_options():
    name, choice, *_ = choice_control("metric", ["a", "b"], "b")
    assert (name, choice.description, choice.value) == ("metric", "metric", "b")
    for wrong in ("c", None):
        with pytest.raises(TraitError, match=f"^metric must be one of 'a', 'b', got {wrong!r}$"):
            choice.value = wrong
    assert choice.value == "b"
    with pytest.raises(ValueError, match=r"^metric must be one of 'a', 'b', got 'c'$"):
        choice_control("metric", ["a", "b"], "c")


@pytest.mark.parametrize(
    ("whole", "start", "said"),
    [
        (False, 3, "size must be between 0 and 2, both included, got 3"),
        (False, "1", "size must be one real number, got '1'"),
        (True, 1.5, "size must be a whole number from 0 to 2, got 1.5"),
        (True, float("nan"), "size must be a whole number from 0 to 2, got nan"),
    ],
)
def test_a_bad_start_is_refused_by_the_name_of_the_argument(whole, start, said):
    with pytest.raises(ValueError, match=f"^{said}$"):
        number_control("size", start, 0, 2, label="how large", whole=whole)
