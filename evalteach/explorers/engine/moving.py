"""A small moving picture: a function that draws, a control for each of its arguments, and the sentence it returns."""

import inspect
import math

from matplotlib import style
from matplotlib.figure import Figure
from PIL import ImageChops

from evalteach._inputs import check_between, read_number, read_whole
from evalteach.explorers.engine.base import DPI, LOOK, Explorer
from evalteach.explorers.engine.controls import choice_control, number_control

# a title that stands still: to look for its place among the ticks takes a sixth of a move
LOOK_OF_MOVING = (*LOOK, {"xtick.labelsize": 8, "ytick.labelsize": 8, "axes.titley": 1.0})


def moving(draw, /, *, size=(7, 3), panels=1, **controls):
    """Show what a function draws, and draw it again whenever one of its controls moves.

    Parameters
    ----------
    draw : callable
        ``draw(axes, ...)`` draws on empty axes (or on an array of them, shape (panels,)) and returns one sentence
        that says what there is to see. It is called with every control by keyword, at every move, and ahead for moves
        that may come: all that it draws should follow from its arguments. Give both axes their limits, so that a
        reader sees the curve move and not the axes; a legend without a ``loc`` looks for its place.
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
    """A picture that follows its controls; each move draws on a new figure, so that nothing of the last one is left."""

    changeable = True  # it may draw what is in the notebook

    def __init__(self, draw, size, panels, controls):
        arguments = _arguments(draw, controls)
        if isinstance(size, str) and size == "large":
            self.dpi, size = DPI["large"], (7, 3)
        if not isinstance(size, tuple | list) or len(size) != 2:
            raise ValueError(f"size must be width and height in inches, or 'large', got {size!r}")
        self.size = tuple(
            check_between(f"the {side} in size", inches, 1, 20, open_ends=False)
            for side, inches in zip(("width", "height"), size, strict=True)
        )
        self.panels = read_whole("panels", panels, 1, 4)
        self._draw_on = draw
        controls = [_control(name, meant, arguments.get(name)) for name, meant in controls.items()]
        try:
            super().__init__(*controls)
        except Exception:
            self.close()  # a kernel keeps widgets, and a function that is being written fails often
            raise

    def draw(self, figure):
        """``_draw_picture`` draws all."""

    def numbers(self):
        return self.values

    def sentence(self, now):
        return self._sentence

    def _draw_picture(self, place, now):
        with style.context(LOOK_OF_MOVING):
            figure = self.figure = self.canvas.figure = Figure(figsize=self.size, dpi=self.dpi, layout="constrained")
            figure.set_canvas(self.canvas)  # one for all: it holds the pixels
            self._sentence = self._draw_on(figure.subplots(1, self.panels), **now)
            if not isinstance(self._sentence, str) or not self._sentence.strip():
                raise ValueError(f"draw must return a sentence that says what there is to see, got {self._sentence!r}")
            self.canvas.draw()

    def _in_few_colours(self, frame):
        few, first = super()._in_few_colours(frame), self._palette
        if not _colours_kept(frame, few):  # one that the first frame did not have
            self._palette = None
            few, self._palette = super()._in_few_colours(frame), first  # so that no picture owes anything to the last
        return few if _colours_kept(frame, few) else frame


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


def _colours_kept(frame, few, most=20):
    """Whether all but a few pixels have nearly their colour."""
    off = ImageChops.difference(frame, few.convert("RGB")).histogram()
    return sum(sum(off[channel + 40 : channel + 256]) for channel in (0, 256, 512)) <= most
