"""What every explorer keeps to; a new one is found by itself, and asks for a case in ``helpers``."""

import base64
import inspect
import io
import math
import re
import threading
from unittest import mock

import ipywidgets as ipw
import matplotlib
import numpy as np
import pytest
import traitlets
from ipywidgets.widgets.widget import _instances as alive
from matplotlib.lines import Line2D
from matplotlib.text import Text
from PIL import Image

from evalteach import moving, plots
from evalteach.explorers import Explorer
from evalteach.explorers.engine.base import in_place
from evalteach.explorers.engine.controls import number_control
from explorers.helpers import (
    CASES,
    REGISTERED,
    TWO_SHARES,
    drawn,
    move,
    pixels,
    places,
    sliders,
    two_shares,
    values,
)


def test_every_registered_explorer_has_a_case_and_every_class_of_them_is_registered():
    assert set(CASES) == set(REGISTERED)
    kinds = {kind.__name__ for kind in Explorer.__subclasses__() if kind.__module__.startswith("evalteach.")}
    assert kinds - {"Moving"} | {"moving"} == set(REGISTERED)


# --- numbers, and three views of them --------------------------------------------------------------------


def test_a_move_of_any_control_asks_for_the_numbers_once(explorer, undrawn, case):
    assert set(case.other) == set(explorer.controls)
    for name, value in case.other.items():
        with mock.patch.object(type(explorer), "numbers", autospec=True, side_effect=type(explorer).numbers) as numbers:
            move(explorer, **{name: value})
            assert repr(explorer)
        assert numbers.call_count == 1, name


def test_a_scene_is_found_once_a_move_of_its_controls_and_never_for_another(explorer, case):
    for name, value in case.other.items():
        with mock.patch.object(
            type(explorer), "find_scene", autospec=True, side_effect=type(explorer).find_scene
        ) as found:
            move(explorer, **{name: value})
        keeps_one = type(explorer).find_scene is not Explorer.find_scene
        assert found.call_count == (keeps_one and name in explorer.scene_controls), name


def test_the_numbers_owe_nothing_to_what_was_drawn(explorer, case):
    for values_there in (case.moves[1], case.moves[-1]):
        with (
            mock.patch.object(type(explorer), "move_scene", return_value=[]),
            mock.patch.object(type(explorer), "move", return_value=[]),
        ):
            move(explorer, **values_there)
            undrawn = explorer.numbers()
        explorer._background = None  # nothing of this was drawn
        explorer._redraw()
        assert repr(undrawn) == repr(explorer.numbers())


def test_numbers_are_named_in_snake_case_and_hold_every_control_that_is_a_number(explorer):
    now = explorer.numbers()
    assert all(re.fullmatch(r"[a-z0-9_]+", name) for name in now)
    for name, control in explorer.controls.items():
        if not isinstance(control, ipw.Dropdown):
            assert now[name] == control.value


def test_a_control_is_called_like_the_argument_that_sets_it(explorer, undrawn, kind, case):
    takes_them = two_shares if kind == "moving" else type(explorer)
    assert set(explorer.controls) <= set(inspect.signature(takes_them).parameters)
    started = case.make(**case.other)
    assert values(started) == pytest.approx(case.other)
    assert repr(started) == repr(move(explorer, **case.other))


def test_the_sentence_below_the_picture_is_the_repr(explorer, undrawn, case):
    for name, value in case.other.items():
        move(explorer, **{name: value})
        assert repr(explorer) == explorer.sentence(explorer.numbers())
        assert in_place(repr(explorer)) == explorer.said.value  # nothing in it needs escaping


def test_every_control_changes_the_picture_and_what_is_said(explorer, case):
    for name, value in case.other.items():
        picture, said = explorer.picture.value, explorer.said.value
        move(explorer, **{name: value})
        assert explorer.picture.value != picture, name
        if name != "curve":  # which curve is drawn is seen; the fraction stays the same
            assert explorer.said.value != said, name


# --- the picture shows the numbers -----------------------------------------------------------------------


def named(artists, path=""):
    """All artists with their place in the namespace."""
    for name, each in artists.items():
        if isinstance(each, dict | list | tuple):
            inner = each if isinstance(each, dict) else dict(enumerate(each))
            yield from named(inner, f"{path}{name}.")
        else:
            yield f"{path}{name}", each


def is_mark(artist):
    """A marker at one point, or a line that stands upright there."""
    if not isinstance(artist, Line2D):
        return False
    x = np.asarray(artist.get_xdata())
    return x.size == 1 or (x.size == 2 and np.array_equal(x[:1], x[1:], equal_nan=True))


def test_every_mark_stands_at_the_numbers_that_it_is_to_show_and_inside_its_axes(explorer, undrawn, kind, case):
    for values_there in [*case.moves, case.other]:
        move(explorer, **values_there)
        now = explorer.numbers()
        marks = {name: artist for name, artist in named(vars(explorer.artists)) if is_mark(artist)}
        assert set(marks) == set(case.marks)
        for name, (x, heights) in case.marks.items():
            if name == "place" and heights:  # the only mark whose axes mean something else after a choice
                x, heights = {"ROC": (x, heights), "precision-recall": ("recall", "precision")}[explorer.value("curve")]
            assert np.asarray(marks[name].get_xdata()) == pytest.approx(now[x], nan_ok=True), name
            if heights not in (None, ...):
                heights = [now[each] for each in ([heights] if isinstance(heights, str) else heights)]
                logarithmic = marks[name].axes.get_yscale() == "log"  # which has no place for 0 and less
                expected = [math.nan if logarithmic and not height > 0 else height for height in heights]
                assert np.asarray(marks[name].get_ydata()) == pytest.approx(np.array(expected), nan_ok=True), name
                if kind != "ClassSizeExplorer":  # where a precision far above 1 would flatten all curves
                    low, high = sorted(marks[name].axes.get_ylim())
                    assert all(low <= height <= high for height in expected if not math.isnan(height)), name


# --- the picture -----------------------------------------------------------------------------------------


def test_the_picture_has_one_size_and_few_bytes_wherever_the_controls_are(explorer, case):
    size = tuple(round(100 * inches) for inches in explorer.size)
    # before it is decoded the browser must know its size, or the page jumps
    assert explorer.picture.layout.width == f"{size[0]}px"
    for values_there in case.moves:
        move(explorer, **values_there)
        picture = Image.open(io.BytesIO(explorer.picture.value))
        assert (picture.format, picture.size) == ("PNG", size)
        assert len(explorer.picture.value) < 25_000


# the explorer of all tests first, which is drawn, and then the large one, which is not
def test_a_large_one_is_half_as_large_again_with_letters_of_twelve_points(explorer, undrawn, kind, case):
    large = moving(two_shares, size="large", **TWO_SHARES) if kind == "moving" else case.make(size="large")
    assert repr(large) == repr(explorer)
    assert tuple(large.figure.bbox.size) == tuple(150 * inches for inches in explorer.size)
    assert large.picture.layout.width == f"{round(150 * explorer.size[0])}px"
    assert large.said.style.font_size == "21px"
    for axes in large.figure.axes:
        axes.get_xticklabels(), axes.get_yticklabels()  # which are empty before they are asked for, or drawn
    letters = {text for text in large.figure.findobj(Text) if text.get_text() and text.get_visible()}
    letters -= {text for axes in large.figure.axes for text in axes.texts}  # in a cell they shrink with it
    assert min(text.get_fontsize() for text in letters) * 150 / 96 >= 12  # points of a screen, of which an inch has 96


@pytest.mark.parametrize("kind", ["ClassRatioExplorer", "moving"])  # one drawing serves all
def test_a_large_one_is_the_same_picture_and_stays_large(explorer, kind, case):
    large = moving(two_shares, size="large", **TWO_SHARES) if kind == "moving" else case.make(size="large")
    smaller = Image.fromarray(drawn(large).astype(np.uint8)).resize(drawn(explorer).shape[1::-1])
    assert np.abs(np.asarray(smaller, dtype=int) - drawn(explorer)).mean() < 15
    move(large, **dict([*case.other.items()][:1]))
    size = tuple(round(150 * inches) for inches in explorer.size)
    assert Image.open(io.BytesIO(large.picture.value)).size == size
    assert len(large.picture.value) < 50_000


def test_a_size_that_there_is_not_is_refused_by_name():
    with pytest.raises(ValueError, match=r"^size must be one of 'normal', 'large', got 'huge'$"):
        CASES["ThresholdExplorer"].make(size="huge")
    with mock.patch.object(Explorer, "dpi", 150):
        assert Image.open(io.BytesIO(CASES["ThresholdExplorer"].make().picture.value)).size[1] == 600
    assert "size" in inspect.signature(CASES["ThresholdExplorer"].make().__class__).parameters


def everything_drawn_at_once(explorer):
    """The same figure with nothing animated and no background kept, in the order that Explorer declares."""
    now = explorer.numbers()
    for place, artist in enumerate([*explorer.move_scene(now), *explorer.move(now)]):
        artist.set_animated(False)
        artist.set_zorder(10 + place)
    explorer.figure.set_layout_engine("none")  # a layout that is found again differs in the last bit of a place
    explorer.canvas.draw()
    return drawn(explorer)


def test_the_picture_is_what_a_new_explorer_draws_there_at_once(explorer, case):
    for values_there in case.moves:  # whatever one of them leaves behind
        move(explorer, **values_there)
    new = move(case.make(), **values(explorer))
    assert repr(new) == repr(explorer)
    assert np.array_equal(drawn(new), drawn(explorer))
    assert np.array_equal(everything_drawn_at_once(new), drawn(explorer))


def test_the_colours_are_nearly_those_that_were_drawn(explorer, case):
    for values_there in case.moves:
        move(explorer, **values_there)
        assert Image.open(io.BytesIO(explorer.picture.value)).mode == "P"
        off = np.abs(pixels(explorer) - drawn(explorer))
        assert off.mean() < 1.6  # white itself is one off
        assert (off > 40).any(axis=2).sum() <= 20


def test_a_readers_style_changes_no_explorer(explorer, case):
    with matplotlib.style.context(
        ["dark_background", {"font.size": 20, "font.sans-serif": "cmr10", "axes.grid": True}]
    ):
        styled = case.make()
        assert styled.picture.value == explorer.picture.value
        move(styled, **case.moves[2])
        styled.stale, styled._background = True, None
        styled._redraw()
    move(explorer, **case.moves[2])
    assert np.array_equal(drawn(styled), drawn(explorer))


# --- controls --------------------------------------------------------------------------------------------


def boxes(explorer):
    return {name: box for name, box in explorer.controls.items() if not isinstance(box, ipw.Dropdown)}


def test_every_number_has_a_named_box_beside_its_slider(explorer):
    names = [control.description for control in explorer.controls.values()]
    assert all(names)
    assert len(set(names)) == len(names)
    assert {*sliders(explorer)} == {box.description for box in boxes(explorer).values()} != set()


def test_box_and_slider_follow_each_other(explorer, undrawn, case):
    for name, box in boxes(explorer).items():
        slider = sliders(explorer)[box.description]
        place = slider.value
        box.value = case.other[name]
        assert slider.value != place
        place, said = slider.value, explorer.said.value
        slider.value += 1
        assert box.value > case.other[name]
        assert explorer.said.value != said
        box.value = case.other[name]
        assert slider.value == place


def test_values_beyond_the_ends_go_to_the_nearest_end(explorer, undrawn):
    for box in boxes(explorer).values():
        for beyond, end in ((box.max + 1000, box.max), (box.min - 1000, box.min)):
            box.value = beyond
            assert box.value == end
            slider = sliders(explorer)[box.description]
            assert slider.value == (slider.max if end == box.max else slider.min)
            assert in_place(repr(explorer)) == explorer.said.value


def test_what_is_no_value_is_refused_by_name_and_the_old_value_stays(explorer, undrawn, case):
    for name, control in explorer.controls.items():
        before, said = control.value, repr(explorer)
        for nothing in (math.nan, None, "text"):
            refused = f"^{re.escape(control.description)} must be .*got {nothing!r}$"
            with pytest.raises(traitlets.TraitError, match=refused):
                control.value = nothing
            assert (control.value, repr(explorer)) == (before, said)
        move(explorer, **{name: case.other[name]})
        assert repr(explorer) != said or name == "curve"
        if name in boxes(explorer):
            slider = sliders(explorer)[control.description]
            slider.value = slider.min
            assert control.value == control.min


# --- frames that are drawn for the browser to hold -------------------------------------------------------


def test_a_frame_is_what_the_explorer_shows_there_and_nothing_moves_for_it(explorer, twin, case):
    one, other = explorer, twin
    before = one.picture.value, one.said.value, repr(one), repr(one.numbers())
    wanted, found = [], []
    for there in case.moves[::-1]:
        move(other, **there)
        wanted.append((other.picture.value, other.said.value))
        found.append(one.frame(places(other)))
        assert (one.picture.value, one.said.value, repr(one), repr(one.numbers())) == before
    assert found == wanted
    assert len({picture for picture, _ in found}) > 1
    last = case.moves[1] | {name: value for name, value in values(other).items() if name not in case.moves[1]}
    assert move(one, **last).picture.value == move(other, **last).picture.value


def test_every_place_of_a_slider_is_one_that_the_front_end_can_name(explorer):
    for part in explorer._parts:
        named = part.for_the_front()
        assert named["name"] == part.widget.description
        if part.slider is None:
            assert [part.read(place) for place in named["stops"]] == list(part.widget.options.values())
            continue
        assert len(named["stops"]) == sliders(explorer)[part.widget.description].max + 1
        ends = part.read(named["stops"][0] - 1), part.read(named["stops"][-1] + 1)
        assert ends == (part.widget.min, part.widget.max)
        assert {type(end) for end in ends} == {type(part.widget.value)}


# --- errors ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("part", ["numbers", "find_scene", "move_scene", "move", "sentence"])
def test_an_error_anywhere_is_said_in_place_and_the_next_move_works(explorer, kind, case, part):
    def broken(*ignored):
        raise RuntimeError("out of <order>")

    for name, value in case.other.items():
        if part in ("find_scene", "move_scene") and name not in explorer.scene_controls:
            continue
        if (part == "find_scene" and explorer.scene is None) or (part == "move" and kind == "moving"):  # it has none
            continue
        before, picture, said = explorer.value(name), drawn(explorer), repr(explorer)
        with mock.patch.object(type(explorer), part, broken), pytest.raises(RuntimeError, match="out of <order>"):
            move(explorer, **{name: value})
        assert explorer.said.value == in_place("<b>RuntimeError: out of &lt;order&gt;</b>")
        assert repr(explorer) == "RuntimeError: out of <order>"
        move(explorer, **{name: before})
        assert repr(explorer) == said
        assert np.array_equal(drawn(explorer), picture)


class Gradient(Explorer):
    """A picture with more colours than a palette holds."""

    def __init__(self):
        super().__init__(number_control("shift", 0, -1, 1))

    def draw(self, figure):
        axes = figure.subplots()
        ramp = np.linspace(0, 1, 256)
        colours = np.stack(np.broadcast_arrays(ramp[:, None], ramp[None, :], 1 - ramp[:, None]), axis=2)
        axes.imshow(colours, aspect="auto", extent=(-1, 1, -1, 1))
        self.artists.line = plots.upright(axes)

    def move(self, now):
        self.artists.line.set_xdata([now["shift"]] * 2)
        return [self.artists.line]

    def numbers(self):
        return {"shift": self.value("shift")}

    def sentence(self, now):
        return f"Shift {now['shift']:g}."


def test_a_gradient_keeps_all_its_colours():
    explorer = Gradient()
    assert Image.open(io.BytesIO(explorer.picture.value)).mode == "RGB"
    assert np.array_equal(pixels(explorer), drawn(explorer))
    picture = explorer.picture.value
    assert move(explorer, shift=0.2).picture.value != picture


# --- threads, and the end --------------------------------------------------------------------------------


def test_two_threads_that_move_two_controls_leave_the_picture_of_where_they_end(explorer, twin, case):
    names = list(case.other)[:2]
    start = values(explorer)

    def shake(name):
        for _ in range(2):
            for value in (case.other[name], start[name], case.other[name]):
                move(explorer, **{name: value})

    threads = [threading.Thread(target=shake, args=[name]) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    move(twin, **{name: case.other[name] for name in names})
    assert values(twin) == values(explorer)
    assert repr(twin) == repr(explorer)
    assert np.array_equal(drawn(twin), drawn(explorer))


def test_closing_frees_every_widget_and_keeps_the_last_sentence(undrawn, case):
    before = len(alive)
    explorer = case.make()
    said, control = repr(explorer), next(iter(explorer.controls.values()))
    assert len(alive) > before
    explorer.close()
    assert len(alive) == before
    assert repr(explorer) == said
    assert explorer._repr_mimebundle_() == {"text/plain": said}
    assert control.comm is None
    assert not hasattr(explorer, "figure")
    explorer.close()  # once more does no harm


# --- how Jupyter shows it --------------------------------------------------------------------------------


def test_the_output_holds_the_widget_the_picture_and_the_sentence(explorer):
    bundle, metadata = explorer._repr_mimebundle_()
    assert {*bundle} == {"application/vnd.jupyter.widget-view+json", "image/png", "text/plain"}
    assert bundle["application/vnd.jupyter.widget-view+json"]["model_id"] == explorer.view.model_id
    assert base64.b64decode(bundle["image/png"]) == explorer.picture.value
    assert bundle["text/plain"] == repr(explorer)
    assert metadata == {"image/png": {"alt": repr(explorer)}}


def test_the_output_follows_the_controls(explorer, case):
    name = next(iter(explorer.controls))
    before, _ = explorer._repr_mimebundle_()
    after, metadata = move(explorer, **{name: case.other[name]})._repr_mimebundle_()
    assert after["text/plain"] != before["text/plain"]
    assert after["image/png"] != before["image/png"]
    assert metadata["image/png"]["alt"] == after["text/plain"]


def test_two_explorers_of_the_same_rows_are_the_same_to_the_byte_and_do_not_move_each_other(explorer, twin, case):
    assert repr(twin) == repr(explorer)
    assert twin.picture.value == explorer.picture.value
    assert not re.search(r"0x[0-9a-f]{4}", repr(twin))
    said, picture = repr(twin), twin.picture.value
    move(explorer, **case.other)
    assert (repr(twin), twin.picture.value) == (said, picture)
