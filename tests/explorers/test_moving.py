"""A function that draws, moved by controls; the contract tests move one, too."""

import gc
import io
import weakref
from functools import partial

import ipywidgets as ipw
import matplotlib
import numpy as np
import pytest
from ipywidgets.widgets.widget import _instances as alive
from PIL import Image

from evalteach import moving
from explorers.helpers import drawn, move, pixels, sliders, two_shares, values
from explorers.test_memory import COUNT, printed

X = np.linspace(0, 1, 60)


def say(axes, **given):
    return f"{given}."


def slider_stops(explorer, name):
    box, slider = explorer.controls[name], sliders(explorer)[name]
    held = []
    slider.value = slider.max
    for place in range(slider.max + 1):
        slider.value = place
        held.append(box.value)
    return held


# --- controls --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("range_", "stops"),
    [
        ((1, 5), [1, 2, 3, 4, 5]),
        ((1, 10, 4), [1, 5, 9, 10]),
        ((0.0, 1.0, 0.25), [0, 0.25, 0.5, 0.75, 1]),
        ((0.1, 0.4, 0.1), [0.1, 0.2, 0.3, 0.4]),
        ((0, 1.5, 0.5), [0, 0.5, 1, 1.5]),
        ((1, 6, "log"), [1, 2, 3, 4, 5, 6]),
        ((np.int64(2), np.int64(4)), [2, 3, 4]),
    ],
)
def test_a_range_says_where_the_slider_stops(range_, stops):
    explorer = moving(say, n=range_)
    held = slider_stops(explorer, "n")
    assert held == stops
    assert {type(value) for value in held} == {int if all(isinstance(each, int) for each in stops) else float}


def test_a_range_without_step_has_about_200_stops_of_a_round_size_or_equal_factors():
    explorer = moving(say, share=(0.0, 1.0), ratio=(1, 1e6, "log"))
    for name, place, value in (("share", 57, 0.285), ("share", 200, 1), ("ratio", 40, 100), ("ratio", 120, 1e6)):
        sliders(explorer)[name].value = place
        assert explorer.value(name) == value


def test_a_control_starts_at_the_default_else_at_the_lowest_or_first_and_a_default_needs_no_control():
    def draw(axes, k, share=0.25, *, kind="b", other, fixed=7):
        return f"{k} {share} {kind} {other} {fixed}."

    explorer = moving(draw, k=(3, 9), share=(0.0, 1.0), kind=["a", "b"], other={"one": 1, "two": 2})
    assert repr(explorer) == "3 0.25 b 1 7."
    assert repr(move(explorer, k=4, other=2, kind="a")) == "4 0.25 a 2 7."


def test_boxes_are_called_like_the_arguments_with_blanks_and_labels_of_a_dict_stand_for_its_values():
    explorer = moving(say, class_size=(1, 9), drawn_as={"a line": 1.5, "bars": None})
    assert [control.description for control in explorer.controls.values()] == ["class size", "drawn as"]
    assert explorer.controls["drawn_as"].options == {"a line": 1.5, "bars": None}
    assert isinstance(explorer.controls["drawn_as"], ipw.Dropdown)
    assert repr(move(explorer, drawn_as=None)) == "{'class_size': 1, 'drawn_as': None}."


@pytest.mark.parametrize("options", [[False, True], [0.5, 1, 2], [1, 10, 100], [[1, 2], [3, 4]]])
def test_a_list_may_hold_numbers_truths_and_lists(options):
    explorer = moving(say, n=options)
    assert explorer.value("n") == options[0]
    assert repr(move(explorer, n=options[-1])) == f"{{'n': {options[-1]}}}."


def takes(axes, k=3):
    return "Fine."


@pytest.mark.parametrize(
    ("draw", "controls", "message"),
    [
        (3, {"k": (1, 2)}, r"draw must be a function such as draw\(axes, k=3\), got 3"),
        (lambda: "", {"k": (1, 2)}, r"draw must take axes first"),
        (lambda k: "", {"k": (1, 2)}, r"draw must take axes first"),
        (lambda *axes: "", {"k": (1, 2)}, r"draw must take axes first"),
        (takes, {}, "a moving picture needs a control; name an argument of draw and its range"),
        (takes, {"m": (1, 2)}, "draw takes no argument 'm'; it takes k"),
        (lambda axes, k, m: "", {"k": (1, 2)}, r"draw needs 'm'; give it a range, such as m=\(1, 12\), or a default"),
        (takes, {"k": (4, 9)}, "k must be a whole number from 4 to 9, got 3"),
        (partial(takes, k=2.5), {"k": (1, 9)}, "k must be a whole number from 1 to 9, got 2.5"),
        (takes, {"k": (0.0, 1.0)}, "k must be between 0 and 1, both included, got 3"),
        (takes, {"k": (9, 1)}, r"k must run from a lower to a higher number, got \(9, 1\)"),
        (takes, {"k": (1, 1)}, "k must run from a lower to a higher number"),
        (takes, {"k": (0, np.inf)}, "k must run from a lower to a higher number"),
        (takes, {"k": (np.nan, 1)}, "k must run from a lower to a higher number"),
        (takes, {"k": (0, 9, "log")}, "k must run from a lower to a higher positive number"),
        (takes, {"k": (0, 9, 0)}, "k must have a step above 0 and within its range"),
        (takes, {"k": (0, 9, 10)}, "k must have a step above 0 and within its range"),
        (takes, {"k": ("a", "b")}, "k must be one real number, got 'a'"),
        (takes, {"k": (1, 9, "lin")}, "k must be one real number, got 'lin'"),
        (
            takes,
            {"k": (1,)},
            r"k must be \(low, high\), \(low, high, step\), \(low, high, 'log'\), a list of values or",
        ),
        (takes, {"k": 3}, r"k must be \(low, high\)"),
        (takes, {"k": []}, r"k must be \(low, high\)"),
        (takes, {"k": [1, 2]}, "k must be one of 1, 2, got 3"),
        (lambda axes, k: None, {"k": (1, 2)}, "draw must return a sentence that says what there is to see, got None"),
        (lambda axes, k: " ", {"k": (1, 2)}, "draw must return a sentence that says what there is to see, got ' '"),
        (takes, {"k": (1, 9), "size": (7,)}, "size must be width and height in inches"),
        (takes, {"k": (1, 9), "size": 7}, "size must be width and height in inches"),
        (takes, {"k": (1, 9), "size": (7, 300)}, "the height in size must be between 1 and 20"),
        (takes, {"k": (1, 9), "panels": 0}, "panels must be a whole number from 1 to 4, got 0"),
    ],
)
def test_what_cannot_work_is_refused_by_name(draw, controls, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        moving(draw, **controls)


# --- the picture -----------------------------------------------------------------------------------------


def framed(look=lambda axes, k: None, **frame):
    """A function that draws something that moves in a frame that does not, and then what is given."""

    def draw(axes, k):
        axes.plot(X, X**k, label="curve")
        axes.set(**{"xlim": (0, 1), "ylim": (0, 1), "title": "Title", "xlabel": "x", **frame})
        look(axes, k)
        return f"k = {k}."

    return draw


def test_two_axes_side_by_side_come_as_an_array():
    def draw(axes, k):
        for each in axes:
            framed()(each, k)
        return f"{axes.shape}."

    explorer = moving(draw, panels=2, k=(1, 9), size=(9, 3))
    assert repr(explorer) == "(2,)."
    assert drawn(explorer).shape == (300, 900, 3)
    assert np.array_equal(
        drawn(move(explorer, k=4)), drawn(moving(partial(draw, k=4), panels=2, k=(1, 9), size=(9, 3)))
    )


def test_a_colour_that_comes_later_is_shown_as_it_was_drawn():
    explorer = moving(framed(lambda axes, k: axes.axvspan(0, 1, color="#ff00aa") if k > 2 else None), k=(1, 9))
    assert np.abs(pixels(explorer) - drawn(explorer)).max() < 40
    before = explorer.picture.value
    assert (np.abs(pixels(move(explorer, k=5)) - drawn(explorer)) > 40).any(axis=2).sum() <= 20
    assert move(explorer, k=1).picture.value == before  # the palette of one picture owes nothing to the last


def test_a_reader_sees_the_look_of_explorers_whatever_the_function_sets():
    def draw(axes, k):
        matplotlib.rcParams["lines.linewidth"] = 9
        return framed()(axes, k)

    explorer = moving(draw, k=(1, 9))
    assert explorer.figure.axes[0].title.get_fontsize() == 10
    assert explorer.figure.axes[0].get_xticklabels()[0].get_fontsize() == 8
    assert matplotlib.rcParams["lines.linewidth"] != 9


def test_a_move_calls_the_function_once_and_frees_the_figures_of_earlier_moves():
    made = []

    def draw(axes, k):
        made.append(weakref.ref(axes.figure))
        return framed()(axes, k)

    explorer = moving(draw, k=(1, 9))
    for times, k in enumerate((2, 5, 3, 8, 4), start=2):
        move(explorer, k=k)
        assert len(made) == times
    gc.collect()
    assert [figure() for figure in made if figure() is not None] == [explorer.figure]


# --- errors, and the end ---------------------------------------------------------------------------------


def test_an_error_in_the_function_raises_at_first_and_is_said_in_place_later():
    def draw(axes, k):
        axes.set_title("half done")
        return framed()(axes, 1 / (k - 2) and k)

    with pytest.raises(ZeroDivisionError):
        moving(partial(draw, k=2), k=(1, 9))
    explorer = moving(draw, k=(1, 9))
    picture = drawn(explorer)
    with pytest.raises(ZeroDivisionError):
        move(explorer, k=2)
    assert repr(explorer) == "ZeroDivisionError: division by zero"
    assert "<b>ZeroDivisionError" in explorer.said.value
    assert np.array_equal(drawn(move(explorer, k=1)), picture)
    assert repr(explorer) == "k = 1."


def test_a_function_that_fails_at_first_leaves_no_widget_behind():
    before = len(alive)
    with pytest.raises(ValueError, match="must return a sentence"):
        moving(lambda axes, k: None, k=(1, 2))
    assert len(alive) == before


def test_a_cell_that_is_run_again_keeps_one_moving_picture_only():
    cell = """from evalteach import moving
def draw(axes, k):
    axes.plot([0, k])
    return f"{k}."
picture = moving(draw, k=(1, 9))
picture.controls["k"].value = 4
picture"""
    _, once, _, often = printed([(cell, 1), (COUNT, 1), (cell, 4), (COUNT, 1)])
    assert once == often
    assert once.startswith("1 ")


def test_several_controls_move_one_picture_and_each_says_where_it_is():
    explorer = moving(two_shares, share=(0.0, 1.0), n=(1, 50), kind=["line", "bars"])
    assert values(explorer) == {"share": 0.3, "n": 20, "kind": "line"}
    assert repr(move(explorer, share=0.5, n=3, kind="bars")) == "0.500 of 3, as bars."
    assert Image.open(io.BytesIO(explorer.picture.value)).size == (700, 300)
