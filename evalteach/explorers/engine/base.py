"""What all explorers share: controls above one picture and one sentence, and a fast way to redraw them."""

import base64
import functools
import html
import inspect
import io
import sys
import weakref
from contextvars import ContextVar
from types import SimpleNamespace

import ipywidgets as ipw
import numpy as np
import traitlets
from matplotlib import style
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image, ImageColor

from evalteach import plots
from evalteach._inputs import check_choice, check_lengths, read_labels
from evalteach.counts import sweep
from evalteach.explorers.engine.controls import Quiet
from evalteach.explorers.engine.frames import DRAWING, Frames, beside_a_cell

DPI = {"normal": 100, "large": 150}
# a reader's rcParams change no explorer
LOOK = ("default", "evalteach.style", {"font.family": "DejaVu Sans", "axes.titlesize": 10, "axes.labelsize": 9})
KEPT = 16  # frames that were drawn for the front end, whose controls follow
TICKS = 12  # made beforehand, since later ones would take after the reader's rcParams
WAITS = "This picture follows when the cell that runs is done."
# The protocol between the browser (frames.js) and an explorer. A place is a value for each control.
#
#   the browser says   the kernel answers                           and remembers
#   hello              nothing                                      that the browser holds nothing
#   question, place    picture and sentence of this place           that the browser shows this place by itself
#   ahead, place       the same, but the place alone during a cell  the same, unless a cell runs
#   passed, place      nothing: the hand has moved on               the same
#   rest               nothing: the hand has stopped                -
#   the kernel says "forget" after a cell, which may have changed what a reader's function draws
#
# An explorer is in one of three states. It is "drawn" while picture and sentence are those of its controls. It is
# "behind" when its controls have come to a place that the browser shows by itself and that has not been drawn here.
# It "waits" when a reader's function should draw while a cell runs in another thread: the sentence says so. From
# "behind" and "waits" (both: self._behind) `catch_up` leads back to "drawn", at rest, at hello, at the end of the
# cell, and when somebody looks at the repr or at the output. A browser without the front end says nothing, and gets
# each picture as the value of a widget.
_elsewhere = ContextVar("elsewhere", default=(None, {}))  # an explorer, and where it is drawn as if it stood there
_made_by = {}  # for each cell: which run of it was the last, and weak references to its explorers


class Explorer:
    """Controls above one picture and one sentence; ``repr`` is the sentence, so that tests can compare it.

    The picture has three layers. What is never named again (axes, ticks, legends) is drawn once. The artists
    that follow the ``scene_controls`` only, and then those that follow every control, are drawn over a stored
    background, in drawing order.

    Every explorer takes ``size="large"`` as well, for the wall of a room: picture and sentence are half as large
    again. ``Explorer.dpi = 150`` makes large all that follow.

    The browser may hold pictures of positions that nobody has come to yet (frames.py), so a control is read with
    ``self.value(name)`` or ``self.values`` only, and what is drawn follows from these and from the data.

    A subclass's ``__init__`` reads its arguments, keeps the data in ``self``, and calls ``super().__init__``
    with its controls last, since that draws. The subclass defines:

    - ``draw(figure)``: makes axes and artists, once. Artists go into ``self.artists``, never into ``self``.
    - ``find_scene()``: what depends on the data and the scene controls only. ``self.scene`` holds it until one
      of these moves.
    - ``numbers()``: what is true where the controls stand, unrounded: dict of str to float. Pure, and computed
      once a move.
    - ``move_scene(now)`` and ``move(now)``: set and return the artists of the middle and of the upper layer;
      ``sentence(now)``: says it. They are three views of these numbers. ``move_scene`` sets ``self.stale``
      when it moved an axis, so that the lowest layer is drawn anew.

    Attributes
    ----------
    controls : dict of str to ipywidgets widget
        By the argument that sets each. Set ``.value`` from code to move the explorer; a number's control is its
        box, not its slider.
    view : ipywidgets.VBox
        All of it, for use inside a larger layout.
    """

    scene_controls = ()
    size = (9.0, 4.0)  # inches
    dpi = DPI["normal"]
    changeable = False  # whether a cell may change what is drawn, the controls standing still
    _lock = DRAWING
    _words, _behind = "", False

    def __init_subclass__(cls, **more):
        super().__init_subclass__(**more)
        if "__init__" in vars(cls):
            cls.__init__ = _sized(cls.__init__)

    def __init__(self, *controls):
        _close_those_of_the_last_run(self)
        self.controls = {control.name: control.widget for control in controls}
        self._parts, self._frames = controls, {}
        # its own width, since stretching blurs it; the tooltip names it for screen readers, the sentence says the rest
        width = f"{round(self.dpi * self.size[0])}px"
        layout = {"width": width, "max_width": "100%", "height": "auto"}
        self.picture = Picture(format="png", tooltip=type(self).__doc__.partition("\n")[0], layout=layout)
        letters = {"font_size": f"{0.14 * self.dpi:g}px"} if self.dpi > DPI["normal"] else {}
        self.said = Sentence(layout={"max_width": width}, style=letters)
        rows = ipw.HBox([control.row for control in controls], layout={"flex_flow": "row wrap", "max_width": width})
        self.view = ipw.VBox([rows, self.picture, self.said])
        self._front = Frames(self, controls)
        for part in (self.picture, self.said, *(control.widget for control in controls if control.slider)):
            part.shown = lambda: self._front.knows(self._at())
        self.artists = SimpleNamespace()
        self.stale = True
        self._scene = self._background = self._drawn_at = self._palette = None
        with self._lock, style.context(LOOK):
            self.figure = Figure(figsize=self.size, dpi=self.dpi, layout="constrained")
            self.canvas = FigureCanvasAgg(self.figure)
            self.draw(self.figure)
            for axes in self.figure.axes:
                axes.tick_params(labelsize=8)
                axes.yaxis.get_major_ticks(TICKS)
            self._redraw()
        for control in self.controls.values():
            control.observe(self._redraw, names="value")

    def find_scene(self):
        """What follows the scene controls, and no other."""

    def move_scene(self, now):
        """Set and return the artists that stand still while the other controls move."""
        return []

    def move(self, now):
        """Set and return the artists that follow every control."""
        return []

    def value(self, name):
        """The value of one control, or the one that a frame is drawn for."""
        explorer, values = _elsewhere.get()
        return values[name] if explorer is self else self.controls[name].value

    @property
    def values(self):
        """Those of all controls, by name."""
        return {name: self.value(name) for name in self.controls}

    def set_ends(self, axes, bottom, top):
        """Ends of a vertical axis: best in steps, since new ticks ask for the lowest layer anew."""
        if axes.get_ylim() != (bottom, top):
            axes.set_ylim(bottom, top)
            self.stale = True

    @property
    def scene(self):
        """What ``find_scene`` finds where the scene controls stand."""
        place, kept = self._place(), self._scene
        if kept is None or kept[0] != place:
            kept = self._scene = place, self.find_scene()
        return kept[1]

    def close(self):
        """Free widgets, figure and data; only the last sentence stays.

        Running a cell again does this to the explorers that it made before.
        """
        with self._lock:
            if "view" in self.__dict__:
                _close_widget(self.view)
                _close_widget(self._front)
            words = self._words
            self.__dict__.clear()
            self._words = words

    def _place(self):
        return [self.value(name) for name in self.scene_controls if name in self.controls]  # some have one less

    def frame(self, at):
        """Picture and sentence (in HTML) where the controls would stand ``at``; without a picture if there is an error.

        Nothing that can be seen from outside moves.
        """
        with self._lock:
            if self._waits():
                return None, in_place(WAITS)
            key = tuple(at)
            if key not in self._frames:
                values = {part.name: part.read(place) for part, place in zip(self._parts, at, strict=True)}
                before = _elsewhere.set((self, values))
                try:
                    picture, sentence = self._draw_all()
                except Exception as error:
                    return None, _in_bold(error)
                finally:
                    _elsewhere.reset(before)
                while len(self._frames) >= KEPT:
                    del self._frames[next(iter(self._frames))]
                self._frames[key] = picture, sentence
            picture, sentence = self._frames[key]
            return picture, _as_html(sentence)

    def catch_up(self):
        """Draw where the controls stand, if that was put off."""
        if self._behind and not self._waits():
            self.frame(self._at())  # kept, since the front end may ask for it, too
            self._redraw()

    def forget(self):
        """Draw all anew: a cell may have changed it."""
        with self._lock:
            self._frames.clear()

    def _waits(self):
        """Whether a cell runs beside it, which may plot while matplotlib is set up for a reader's function."""
        return self.changeable and beside_a_cell()

    def _at(self):
        return tuple(part.place for part in self._parts)

    def _redraw(self, change=None):
        with self._lock:
            at = self._at()
            # what the front end passes by is drawn when it rests, or when it asks
            self._behind = change is not None and at not in self._frames and self._front.knows(at)
            if self._behind:
                return
            if change is not None and self._waits():
                self._behind, self.said.value = True, in_place(WAITS)
                return
            try:
                self.picture.value, self._words = self._frames.get(at) or self._draw_all()
                self.said.value = _as_html(self._words)
            except Exception as error:
                # an error in a callback reaches no cell: Jupyter logs it and the reader sees a dead slider. So say it
                self._words, self.said.value = _words(error), _in_bold(error)
                raise

    def _draw_all(self):
        try:
            place, now = self._place(), self.numbers()
            self._draw_picture(place, now)
            sentence = self.sentence(now)
            return self._png(), sentence
        except Exception:
            self._background = None  # what comes next is drawn from the scene up
            raise

    def _draw_picture(self, place, now):
        if self._background is None or place != self._drawn_at:
            self._draw_scene(now)
            self._drawn_at = place
        else:
            self.canvas.restore_region(self._background)
            self._draw_over(self.move(now))

    def _draw_scene(self, now):
        scene, moving = self.move_scene(now), self.move(now)
        if self.stale:
            for artist in (*scene, *moving):
                artist.set_animated(True)  # left out by canvas.draw
            self.canvas.draw()
            self.figure.set_layout_engine("none")  # settled; measuring it again would cost half the redraw
            self._lowest, self.stale = self.canvas.copy_from_bbox(self.figure.bbox), False
        self.canvas.restore_region(self._lowest)
        self._draw_over(scene)
        self._background = self.canvas.copy_from_bbox(self.figure.bbox)
        self._draw_over(moving)

    def _draw_over(self, artists):
        for artist in artists:
            self.figure.draw_artist(artist)

    def _png(self):
        # without the fourth byte of each pixel; slicing it off in numpy takes longer than encoding
        frame = Image.frombytes("RGB", self.canvas.get_width_height(), self.canvas.buffer_rgba(), "raw", "RGBX")
        png = io.BytesIO()
        # 1.5 ms more than level 1, a quarter fewer bytes
        self._in_few_colours(frame).save(png, "png", compress_level=6)
        return png.getvalue()

    def _in_few_colours(self, frame):
        if self._palette is None:
            self._palette = choose_palette(frame)
        return frame.quantize(palette=self._palette, dither=Image.Dither.NONE) if self._palette else frame

    def __repr__(self):
        self.catch_up()
        return self._words

    def _repr_mimebundle_(self, include=None, exclude=None, **kwargs):
        with self._lock:
            if "view" not in self.__dict__:  # closed
                return {"text/plain": self._words}
            self.catch_up()
            bundle = self.view._repr_mimebundle_(include=include, exclude=exclude, **kwargs)
            bundle = dict(bundle[0] if isinstance(bundle, tuple) else bundle)
            bundle["text/plain"] = self._words
            bundle["image/png"] = base64.b64encode(self.picture.value).decode()
            return bundle, {"image/png": {"alt": self._words}}


class Picture(Quiet, ipw.Image):
    """An image with a tooltip: the front end shows none (and fails) where there is no description beside it."""

    description = traitlets.Unicode("").tag(sync=True)


class Sentence(Quiet, ipw.HTML):
    """The sentence under a picture."""


def _sized(init):
    """What makes an explorer, and takes ``size`` as well, unless it has a size of its own."""
    own = inspect.signature(init)
    if "size" in own.parameters:
        return init

    @functools.wraps(init)
    def made(self, *arguments, size=None, **named):
        if size is not None:
            check_choice("size", size, DPI)
            self.dpi = DPI[size]
        init(self, *arguments, **named)

    size = inspect.Parameter("size", inspect.Parameter.KEYWORD_ONLY, default=None)
    made.__signature__ = own.replace(parameters=[*own.parameters.values(), size])
    return made


def _close_those_of_the_last_run(explorer):
    """A kernel keeps every widget, and its explorer with figure and rows, until it is closed: 8 MB a run of a cell."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    asked = getattr(shell, "get_parent", dict)()  # the request that is being executed, in a kernel
    code = asked.get("content", {}).get("code")
    if code is None:
        return
    cell, run = asked.get("metadata", {}).get("cellId", code), asked["header"]["msg_id"]
    last_run, made = _made_by.get(cell, (None, []))
    if last_run != run:
        for earlier in filter(None, (reference() for reference in made)):
            earlier.close()
        made = []
    _made_by[cell] = run, [*made, weakref.ref(explorer)]


def _close_widget(widget):
    for part in (*getattr(widget, "children", ()), getattr(widget, "layout", None), getattr(widget, "style", None)):
        if part is not None:
            _close_widget(part)
    widget.close()


def _as_html(sentence):
    return in_place(html.escape(sentence))


def _words(error):
    return f"{type(error).__name__}: {error}"


def _in_bold(error):
    return in_place(f"<b>{html.escape(_words(error))}</b>")


def in_place(text):
    """HTML for up to three lines that always takes the room of three, so that nothing below it jumps."""
    return f'<div style="line-height: 1.4; min-height: 4.2em">{text}</div>'


def choose_palette(frame, largest_mean_error=2.0):
    """A palette image for all frames of one figure, or False if its colours are too many (a gradient, say).

    The colours of all plots, at several strengths and mixed by two, are put beside the first frame: an artist
    that is not on it may come into view later, and its edge may lie on another one.
    """
    colours = np.array([ImageColor.getrgb(colour) for colour in plots.COLOURS.values()])[:, None]
    strengths = np.linspace(0.1, 1, 16)[None, :, None]
    tints = (255 - (255 - colours) * strengths).reshape(-1, 3)
    mixed = ((2 * colours + colours[:, 0]) / 3).reshape(-1, 3)  # a third of each in each other one
    # enough pixels each to weigh as much as a thin line does
    swatches = np.repeat(np.concatenate([tints, mixed]), 200, axis=0).astype(np.uint8)
    pixels = np.asarray(frame).reshape(-1, 3)
    both = Image.fromarray(np.concatenate([pixels, swatches])[None])
    palette = both.quantize(160, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    table = np.array(palette.getpalette()).reshape(-1, 3)
    table[np.argmax(table.sum(axis=1))] = 255  # most of every picture is white, and the tree stops just short of it
    palette.putpalette(table.ravel().tolist())
    shown = np.asarray(frame.quantize(palette=palette, dither=Image.Dither.NONE).convert("RGB"), dtype=float)
    return palette if np.abs(shown - np.asarray(frame)).mean() <= largest_mean_error else False


def picture_points(sweep, columns=400):
    """Positions in a sweep that a curve of so many pixels needs: each column of both axes, and the first rows."""
    n = sweep.thresholds.size
    if n <= 2 * columns:
        return np.arange(n)
    by_class = [np.searchsorted(cell, np.linspace(0, cell[-1], columns)) for cell in (sweep.counts.tp, sweep.counts.fp)]
    first = np.geomspace(1, n - 1, columns // 2).astype(int)
    return np.unique(np.concatenate([[0, n - 1], *by_class, first]))


def bin_counts(one_sweep, edges):
    """Positives and negatives in each bin, in rows or units of weight."""
    below, counts = [one_sweep.position(edge) for edge in edges], one_sweep.counts
    return [-np.diff(cell[below]) for cell in (counts.tp, counts.fp)]


def bin_shares(one_sweep, edges):
    """Share of the positives and of the negatives in each bin; a class without rows has none."""
    classes = one_sweep.counts.tp[-1], one_sweep.counts.fp[-1]
    return [rows / (size or 1) for rows, size in zip(bin_counts(one_sweep, edges), classes, strict=True)]


def known_truth(y_true_unlabeled, unlabeled_scores):
    """Counts of unlabeled rows whose labels are known after all, with k of them flagged for k = 0..n, or None.

    Inside a tie they are those of its end, since no threshold flags a part of it.
    """
    if y_true_unlabeled is None:
        return None
    actual = read_labels(y_true_unlabeled, name="y_true_unlabeled")
    check_lengths(y_true_unlabeled=actual.size, unlabeled_scores=np.size(unlabeled_scores))
    counts = sweep(actual, unlabeled_scores).counts
    return counts[(counts.tp + counts.fp).searchsorted(np.arange(actual.size + 1))]


def shown(count):
    """A count in a sentence: whole, or to four significant digits where it is an expectation or very large."""
    if count >= 1e15:
        return f"{count:.4g}"
    return f"{count:,.0f}" if count == round(count) or count >= 1e4 else f"{count:,.4g}"


def above_one(*estimates):
    """What it means that R × N / k, or an F1 made of it, is higher than any true value can be."""
    if not max(estimates) > 1:
        return ""
    return " Above 1: chance, a class size that is too high, or test positives that are too easy."


def in_a_tie(asked, flagged):
    """What a reader needs to know who asked for a number of flagged rows that no threshold gives."""
    if asked == flagged:
        return ""
    return f" (k = {asked:,} is inside a tie: {flagged:,} rows have that score or more, and all are flagged.)"
