"""A small moving picture: a function that draws, a control for each of its arguments, and the sentence it returns."""

import inspect
import math
from collections.abc import Mapping, Set
from copy import copy
from enum import Enum
from functools import partial
from itertools import count
from types import BuiltinFunctionType, FunctionType, MethodType

import numpy as np
from matplotlib import style
from matplotlib.figure import Figure
from matplotlib.spines import Spine
from matplotlib.text import Text
from matplotlib.transforms import Affine2D, Bbox, TransformNode
from PIL import ImageChops

from evalteach._inputs import check_between, read_number, read_whole
from evalteach.explorers.base import DPI, LOOK, Explorer
from evalteach.explorers.controls import choice_control, number_control

SMALL = {"xtick.labelsize": 8, "ytick.labelsize": 8}


def moving(draw, /, *, size=(7, 3), panels=1, **controls):
    """Show what a function draws, and draw it again whenever one of its controls moves.

    Parameters
    ----------
    draw : callable
        ``draw(axes, ...)`` draws on empty axes (or on an array of them, shape (panels,)) and returns one sentence
        that says what there is to see. It is called with every control by keyword, at every move, and ahead for moves
        that may come: all that it draws should follow from its arguments. Give both axes
        their limits: a frame that stands still is not laid out again, which takes a third of the time. Titles, texts
        and legends may change; a legend without a ``loc`` looks for its place.
    size : tuple of two floats, or "large"
        Width and height in inches of 100 pixels; "large" is 7 by 3 of 150.
    panels : int
        Axes side by side, 1 to 4.
    **controls : tuple, list or dict
        For each argument its range: ``(low, high)`` and ``(low, high, step)``, of whole numbers only if both ends
        and the step are; ``(low, high, "log")`` moves in equal factors; a list of values, or a dict of labels with
        their values, is a drop-down. It starts at the argument's default, else at the lowest or first.

    Returns
    -------
    Explorer
        Its ``controls`` are named like the arguments, and its ``repr`` is the sentence.

    Raises
    ------
    ValueError
        For a function that does not take ``axes`` first, controls that it does not take, arguments that have neither
        control nor default, a range that does not rise, a start outside of it, and a function that returns no text.
    """
    return Moving(draw, size, panels, controls)


class Moving(Explorer):
    """A picture that follows its controls.

    Each move draws on a new figure, so that nothing of the last one can be left. What takes long is ticks and layout:
    where all that is set in the frame is what was set in the stored one, they are taken from there.
    """

    changeable = True  # it may draw what is in the notebook
    frame_kept = False  # whether the last move could, for tests
    _frame = None

    def __init__(self, draw, size, panels, controls):
        arguments = _arguments(draw, controls)
        if isinstance(size, str) and size == "large":
            self.dpi, size = DPI["large"], (7, 3)
        if not isinstance(size, tuple | list) or len(size) != 2:
            raise ValueError(f"size must be width and height in inches, or 'large', got {size!r}")
        self.size = tuple(check_between("size", inches, 1, 20, open_ends=False) for inches in size)
        self.panels = read_whole("panels", panels, 1, 4)
        self._draw_on = draw
        controls = [_control(name, meant, arguments.get(name)) for name, meant in controls.items()]
        try:
            super().__init__(*controls)
        except Exception:
            self.close()  # a kernel keeps widgets, and a function that is being written fails often
            raise

    def draw(self, figure):
        """Nothing stands still for certain: ``_draw_picture`` draws all."""

    def numbers(self):
        return self.values

    def sentence(self, now):
        return self._sentence

    def _draw_picture(self, place, now):
        with style.context([*LOOK, SMALL]):
            figure = self.figure = self.canvas.figure = Figure(figsize=self.size, dpi=self.dpi, layout="constrained")
            figure.set_canvas(self.canvas)  # one for all: it holds the pixels
            self._sentence = self._draw_on(figure.subplots(1, self.panels), **now)
            if not isinstance(self._sentence, str) or not self._sentence.strip():
                raise ValueError(f"draw must return a sentence that says what there is to see, got {self._sentence!r}")
            state = frame_state(figure)
            self.frame_kept = self._frame is not None and self._frame.fits(state, figure)
            self.canvas.draw()
            if not self.frame_kept:
                self._frame = Frame(state, figure)

    def _in_few_colours(self, frame):
        few, first = super()._in_few_colours(frame), self._palette
        if not _colours_kept(frame, few):  # one that the first frame did not have
            self._palette = None
            few, self._palette = super()._in_few_colours(frame), first  # so that no picture owes anything to the last
        return few if _colours_kept(frame, few) else frame


class Frame:
    """What a drawn figure lends to the next one: places of axes, heights of titles, and ticks as pixels."""

    def __init__(self, state, figure):
        self.state, self.figure, self.stamps = state, figure, None

    def fits(self, state, figure):
        """Whether a figure that is not yet drawn would get this very frame; if so, it takes it over."""
        if state != self.state:
            return False
        if self.stamps is None:  # not sooner: making them takes as long as a move
            self._make_stamps()
        own = [(axes, axes.get_position(original=True), axes.get_in_layout()) for axes in figure.axes]
        for axes, place in zip(figure.axes, self.places, strict=True):
            axes.set_position(place)
        heads = [copy(title) for title in _titles(figure)]
        for head, y in zip(heads, self.heights, strict=True):
            head.set_y(y)
        if _reach(figure, heads) != self.reach or (self.words and [head.get_text() for head in heads] != self.words):
            for axes, place, in_layout in own:
                axes.set_position(place)
                axes.set_in_layout(in_layout)
            return False
        for axis, stamp in zip(_both_axis(figure), self.stamps, strict=True):
            axis.draw = stamp
        for title, head in zip(_titles(figure), heads, strict=True):
            title.draw = head.draw
            title.set_text("")  # else all ticks are made and measured to find its height
        figure.set_layout_engine("none")
        return True

    def _make_stamps(self):
        figure, self.figure = self.figure, None
        titles = _titles(figure)
        self.places = [axes.get_position(original=True) for axes in figure.axes]
        self.heights = [title.get_position()[1] for title in titles]
        self.reach = _reach(figure, titles)
        # beside a power of ten at the top of an axis a title makes way, or does not
        power = any(axes.yaxis.get_offset_text().get_text() for axes in figure.axes)
        self.words = [title.get_text() for title in titles] if power else None
        self.stamps = [_stamp(axis) for axis in _both_axis(figure)]


def _arguments(draw, controls):
    """The parameters of ``draw`` by name, if it can be called with axes and these controls."""
    if not callable(draw):
        raise ValueError(f"draw must be a function such as draw(axes, k=3), got {draw!r}")
    try:
        axes, *arguments = inspect.signature(draw).parameters.values()
    except (TypeError, ValueError):  # a builtin, or a function of nothing
        axes, arguments = None, []
    if axes is None or axes.name != "axes" or axes.kind not in (axes.POSITIONAL_ONLY, axes.POSITIONAL_OR_KEYWORD):
        raise ValueError("draw must take axes first: def draw(axes, ...)")
    if not controls:
        raise ValueError("a moving picture needs a control; name an argument of draw and its range, such as k=(1, 12)")
    by_keyword = {each.name: each for each in arguments if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)}
    takes_all = any(each.kind == each.VAR_KEYWORD for each in arguments)
    for name in controls:
        if name not in by_keyword and not takes_all:
            raise ValueError(f"draw takes no argument {name!r}; it takes {', '.join(by_keyword) or 'axes only'}")
    needed = [each.name for each in arguments if each.default is each.empty and "*" not in str(each)]
    if missing := [name for name in needed if name not in controls]:
        raise ValueError(f"draw needs {missing[0]!r}; give it a range, such as {missing[0]}=(1, 12), or a default")
    return by_keyword


def _control(name, meant, argument):
    """The control that an abbreviation means; it starts at the argument's default."""
    start = argument.default if argument is not None and argument.default is not argument.empty else None
    if isinstance(meant, list | dict) and meant:
        first = next(iter(meant.values() if isinstance(meant, dict) else meant))
        return choice_control(name, meant, first if start is None else start, label=name.replace("_", " "))
    if not isinstance(meant, tuple) or len(meant) not in (2, 3):
        accepted = (
            "(low, high), (low, high, step), (low, high, 'log'), a list of values or a dict of labels with values"
        )
        raise ValueError(f"{name} must be {accepted}, got {meant!r}")
    log = meant[2:] == ("log",)
    low, high, *step = [read_number(name, number) for number in (meant[:2] if log else meant)]
    if not -math.inf < low < high < math.inf or (log and low <= 0):
        raise ValueError(f"{name} must run from a lower to a higher {'positive ' * log}number, got {meant!r}")
    if step and not 0 < step[0] <= high - low:
        raise ValueError(f"{name} must have a step above 0 and within its range, got {meant!r}")
    whole = all(isinstance(number, int) for number in (low, high, *step))
    start = low if start is None else start
    return number_control(name, start, low, high, step=step[0] if step else None, log=log, whole=whole)


# What a frame does not depend on: the artists that lie in it, and what is only remembered, or said to others
LEFT_OUT = {
    *("_children", "containers", "legend_", "dataLim", "_get_lines", "_get_patches_for_fill", "_current_image"),
    *("_mouseover_set", "_stale", "stale_callback", "callbacks", "_callbacks", "_canvas_callbacks", "_remove_method"),
    *("_axobservers", "canvas", "_parents", "_invalid", "_inverted", "_affine"),
}
LEAVES = (str, int, float, bytes, Enum, np.generic, np.ufunc, type, BuiltinFunctionType)


def frame_state(figure):
    """All that is set in a figure but the artists in its axes and the words of their titles, as one list.

    What cannot be read equals nothing, so that an unknown thing is drawn anew.
    """
    titles = {id(title) for title in _titles(figure)}
    state, met, todo = [], {}, [figure]
    if len(figure.get_children()) > 1 + len(figure.axes):
        todo.append(object())  # what lies beside the axes is moved by the layout
    for axes in figure.axes:
        axes.get_xlim(), axes.get_ylim()  # sets those that follow the data
        if axes.get_adjustable() == "datalim" and axes.get_aspect() != "auto":
            todo.append(object())  # its limits are found when it is drawn
        curved = [axis for axis in (axes.xaxis, axes.yaxis) if axis.get_scale() != "linear"]
        # where a logarithmic axis begins instead
        todo += [axis.get_minpos() for axis in curved if min(axis.get_view_interval()) <= 0]
    while todo:
        each = todo.pop()
        if each is None or isinstance(each, LEAVES):
            state.append(each)
            continue
        if id(each) in met:
            state.append(met[id(each)][0])
            continue
        met[id(each)] = len(met), each  # kept, or another one could get its id
        kind = type(each)
        state.append(kind)
        if isinstance(each, np.ndarray):
            state.append(object() if each.dtype == object else (each.dtype, each.shape, each.tobytes()))
        elif isinstance(each, list | tuple | Set):
            state.append(len(each))
            todo += each
        elif isinstance(each, Mapping) and kind.__module__ in ("builtins", "collections", "weakref"):
            state.append(len(each))
            for pair in each.items():
                todo += pair
        elif isinstance(each, MethodType):
            todo += [each.__func__, each.__self__]
        elif isinstance(each, partial):
            todo += [each.func, each.args, each.keywords]
        elif isinstance(each, FunctionType):
            state.append(each.__code__)
            todo += [each.__defaults__, each.__kwdefaults__, [cell.cell_contents for cell in each.__closure__ or ()]]
        elif kind.__module__.startswith("matplotlib."):
            kept = isinstance(each, TransformNode) and not isinstance(each, Affine2D | Bbox)
            for name, value in vars(each).items():
                if name not in LEFT_OUT and not (kept and name in ("_mtx", "_points")):
                    state.append(name)
                    todo.append(bool(value) if name == "_text" and id(each) in titles else value)
        else:
            state.append(repr(each) if kind is count else object())
    return state


def _both_axis(figure):
    return [axis for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)]


def _titles(figure):
    texts = {axes: set(axes.texts) for axes in figure.axes}
    return [
        part for axes in texts for part in axes.get_children() if isinstance(part, Text) and part not in texts[axes]
    ]


def _reach(figure, titles):
    """How far up and down titles go, and how far beyond its axes what lies there: the layout leaves room for both."""
    renderer = figure.canvas.get_renderer()
    found = [title.get_window_extent(renderer).intervaly for title in titles if title.get_text()]
    for axes in figure.axes:
        axes.apply_aspect()
        loose = [part for part in axes.get_default_bbox_extra_artists() if not isinstance(part, Spine)]
        boxes = [axes.get_window_extent(renderer), *(part.get_tightbbox(renderer) for part in loose)]
        found.append(Bbox.union([box for box in boxes if box and 0 < box.width * box.height < math.inf]).extents)
    return [np.round(numbers, 2).tolist() for numbers in found]


def _stamp(part):
    """A function that draws what a part of a figure looks like."""
    renderer = part.figure.canvas.get_renderer()
    renderer.clear()
    part.draw(renderer)
    pixels = np.asarray(renderer.buffer_rgba())
    rows, columns = (np.flatnonzero(pixels[..., 3].any(axis=axis)) for axis in (1, 0))
    if not rows.size:
        return lambda renderer: None
    pixels = pixels[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1][::-1].copy()  # counted from the bottom
    x, y = int(columns[0]), int(renderer.height) - 1 - int(rows[-1])
    return lambda renderer: renderer.draw_image(renderer.new_gc(), x, y, pixels)


def _colours_kept(frame, few, most=20):
    """Whether all but a few pixels have nearly their colour."""
    off = ImageChops.difference(frame, few.convert("RGB")).histogram()
    return sum(sum(off[channel + 40 : channel + 256]) for channel in (0, 256, 512)) <= most
