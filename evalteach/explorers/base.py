"""What all explorers share: controls above one picture and one sentence, and a fast way to redraw them."""

import base64
import html
import io
import math

import ipywidgets as ipw
import numpy as np
import traitlets
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from evalteach import plots
from evalteach._inputs import check_lengths, read_labels, read_number
from evalteach.counts import sweep

DPI = 100


class Explorer:
    """Controls above one picture and one sentence; ``repr`` is the sentence, so that tests can compare it.

    The picture has three layers. ``draw`` makes all artists; what is never named again (axes, ticks,
    legends) is drawn once. ``move_scene`` sets and returns the artists that follow the controls named in
    ``scene_controls``, ``move`` those that follow the other controls too: they are drawn over a stored
    background, in drawing order. A subclass also says what is true (``numbers``), and says it in a
    sentence (``__repr__``).

    Attributes
    ----------
    controls : dict of str to ipywidgets widget
        Set ``.value`` from code to move the explorer; a number's control is its box, not its slider.
    view : ipywidgets.VBox
        All of it, for use inside a larger layout.
    """

    scene_controls = ()

    def __init__(self, controls, *, size=(9.0, 4.0)):
        self.controls = {
            name: control.children[0] if is_row(control) else control for name, control in controls.items()
        }
        self.figure = Figure(figsize=size, dpi=DPI, layout="constrained")
        self.canvas = FigureCanvasAgg(self.figure)
        # its own width, since stretching blurs it; the tooltip names it for screen readers, the sentence says the rest
        width = f"{round(DPI * size[0])}px"
        self.picture = Picture(
            format="png",
            tooltip=type(self).__doc__.partition("\n")[0],
            layout={"width": width, "max_width": "100%", "height": "auto"},
        )
        self.sentence = ipw.HTML(layout={"max_width": width})
        rows = ipw.HBox(list(controls.values()), layout={"flex_flow": "row wrap", "max_width": width})
        self.view = ipw.VBox([rows, self.picture, self.sentence])
        self.stale = True  # the lowest layer has to be drawn anew; a subclass sets this when it moves an axis
        self._palette = None
        self.draw(self.figure)
        self._redraw_scene()
        for name, control in self.controls.items():
            control.observe(self._redraw_scene if name in self.scene_controls else self._redraw, names="value")

    def draw(self, figure):
        """Make axes and artists, once."""
        raise NotImplementedError

    def move_scene(self):
        """Set and return the artists that stand still while the other controls move."""
        return []

    def move(self):
        """Set and return the artists that follow every control."""
        raise NotImplementedError

    def numbers(self):
        """What the picture shows, unrounded: dict of str to float."""
        raise NotImplementedError

    def value(self, name):
        """The value of one control."""
        return self.controls[name].value

    def _redraw_scene(self, change=None):
        with self._saying_errors():
            scene, moving = self.move_scene(), self.move()
            if self.stale:
                for artist in (*scene, *moving):
                    artist.set_animated(True)  # left out by canvas.draw
                self.canvas.draw()
                self.figure.set_layout_engine("none")  # settled; measuring it again would cost half the redraw
                self._lowest, self.stale = self.canvas.copy_from_bbox(self.figure.bbox), False
            self.canvas.restore_region(self._lowest)
            for artist in scene:
                self.figure.draw_artist(artist)
            self._background = self.canvas.copy_from_bbox(self.figure.bbox)
            self._show(moving)

    def _redraw(self, change=None):
        with self._saying_errors():
            self.canvas.restore_region(self._background)
            self._show(self.move())

    def _show(self, moving):
        for artist in moving:
            self.figure.draw_artist(artist)
        # without the fourth byte of each pixel; slicing it off in numpy takes longer than encoding
        frame = Image.frombytes("RGB", self.canvas.get_width_height(), self.canvas.buffer_rgba(), "raw", "RGBX")
        if self._palette is None:
            self._palette = choose_palette(frame)
        if self._palette:
            frame = frame.quantize(palette=self._palette, dither=Image.Dither.NONE)
        png = io.BytesIO()
        frame.save(png, "png", compress_level=6)  # 1.5 ms more than level 1, a quarter fewer bytes
        self.picture.value = png.getvalue()
        self.sentence.value = in_place(html.escape(repr(self)))

    def _saying_errors(self):
        return _SaidInPlace(self.sentence)

    def _repr_mimebundle_(self, include=None, exclude=None, **kwargs):
        sentence = repr(self)
        bundle = self.view._repr_mimebundle_(include=include, exclude=exclude, **kwargs)
        bundle = dict(bundle[0] if isinstance(bundle, tuple) else bundle)
        bundle["text/plain"] = sentence
        bundle["image/png"] = base64.b64encode(self.picture.value).decode()
        return bundle, {"image/png": {"alt": sentence}}


class Picture(ipw.Image):
    """An image with a tooltip: the front end shows none (and fails) where there is no description beside it."""

    description = traitlets.Unicode("").tag(sync=True)


class _SaidInPlace:
    """An error in a callback reaches no cell: Jupyter logs it and the reader sees a dead slider. So say it."""

    def __init__(self, sentence):
        self.sentence = sentence

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        if error is not None:
            self.sentence.value = in_place(f"<b>{html.escape(f'{kind.__name__}: {error}')}</b>")


def in_place(text):
    """HTML for up to three lines that always takes the room of three, so that nothing below it jumps."""
    return f'<div style="line-height: 1.4; min-height: 4.2em">{text}</div>'


def choose_palette(frame, largest_mean_error=2.0):
    """A palette image for all frames of one figure, or False if its colours are too many (a gradient, say).

    The colours of all plots, at several strengths, are put beside the first frame: an artist that is
    not on it may come into view later.
    """
    colours = np.array([_rgb(colour) for colour in plots.COLOURS.values()])[:, None]
    strengths = np.linspace(0.1, 1, 16)[None, :, None]
    tints = (255 - (255 - colours) * strengths).reshape(-1, 3)
    # enough pixels each to weigh as much as a thin line does
    swatches = np.repeat(tints, 200, axis=0).astype(np.uint8)
    pixels = np.asarray(frame).reshape(-1, 3)
    palette = Image.fromarray(np.concatenate([pixels, swatches])[None]).quantize(
        128, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE
    )
    table = np.array(palette.getpalette()).reshape(-1, 3)
    table[np.argmax(table.sum(axis=1))] = 255  # most of every picture is white, and the tree stops just short of it
    palette.putpalette(table.ravel().tolist())
    shown = np.asarray(frame.quantize(palette=palette, dither=Image.Dither.NONE).convert("RGB"), dtype=float)
    return palette if np.abs(shown - np.asarray(frame)).mean() <= largest_mean_error else False


def _rgb(colour):
    return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]


def number_control(name, value, low, high, *, step=None, log=False, whole=False):
    """A number box and, beside it, a slider for the same number.

    The box is named, exact and reachable by keyboard, since a slider's handle has no accessible name;
    the slider is for the hand, and hands it rounded values.

    Parameters
    ----------
    name : str
        Label of the box.
    value, low, high : float
        Start and ends; the box refuses values beyond the ends by going to the nearest one.
    step : float, optional
        Of the slider; by default about 200 steps of a round size.
    log : bool
        Move in equal factors, to 3 significant digits.
    whole : bool
        Whole numbers only.

    Returns
    -------
    ipywidgets.HBox
        The box, then the slider.
    """
    # numpy's numbers, and its True and False, are none for a widget
    value, low, high = (read_number(name, each) for each in (value, low, high))
    box_kind = ipw.BoundedIntText if whole else ipw.BoundedFloatText
    box = box_kind(
        value,
        min=low,
        max=high,
        step=1 if whole else None,
        description=name,
        style={"description_width": "initial"},
        layout={"width": f"{100 + 7 * len(name)}px"},
    )
    if log:
        places, digits = 120, None
    else:
        step = step or round_step((high - low) / 200 or 1, whole=whole)
        first = math.floor(low / step)  # multiples of the step, except at the ends
        places, digits = max(1, math.ceil(high / step - first - 1e-9)), max(0, -math.floor(math.log10(step)))

    def number_at(place):
        if place in (0, places):
            number = high if place else low
        elif log:
            number = float(f"{low * (high / low) ** (place / places):.3g}")
        else:
            number = round((first + place) * step, digits)
        return int(number) if whole else number

    def place_of(number):
        if number in (low, high):
            return places if number == high else 0
        place = places * math.log(number / low) / math.log(high / low) if log else number / step - first
        return min(round(place), places)

    # whole places: a browser rounds fractions, and sends back what it rounded as if it were a move
    slider = ipw.IntSlider(
        place_of(box.value), min=0, max=places, readout=False, disabled=low == high, layout={"width": "220px"}
    )
    held = []

    def from_slider(change):
        if not held:
            held.append(slider)
            box.value = number_at(change.new)
            held.clear()

    def from_box(change):
        if not held:
            held.append(box)
            slider.value = place_of(change.new)
            held.clear()

    slider.observe(from_slider, names="value")
    box.observe(from_box, names="value")
    return ipw.HBox([box, slider])


def choice_control(name, options, value):
    """A labeled drop-down list."""
    return ipw.Dropdown(
        options=options,
        value=value,
        description=name,
        style={"description_width": "initial"},
        layout={"width": "280px"},
    )


def is_row(control):
    return isinstance(control, ipw.HBox)


def round_step(rough, *, whole=False):
    """The smallest of 1, 2, 5, 10, 20, ... (times any power of ten) that is ``rough`` or more."""
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * digit for digit in (1, 2, 5, 10) if power * digit >= rough * (1 - 1e-9))
    return max(1, round(step)) if whole else step


def threshold_control(sweep, value):
    """A control from just under the lowest finite score to just above the highest."""
    value = value if value is None else read_number("threshold", value)
    if value is not None and not math.isfinite(value):
        raise ValueError(f"threshold must be a finite number to start with, got {value}")
    finite = sweep.thresholds[np.isfinite(sweep.thresholds)]
    highest, lowest = (float(finite[0]), float(finite[-1])) if finite.size else (0.0, 0.0)
    if max(highest, -lowest) > 1e306:
        raise ValueError(f"y_score spans {lowest:g} to {highest:g}; an explorer draws scores within ±1e+306")
    step = round_step((highest / 200 - lowest / 200) or abs(highest) / 1000 or 0.01)
    low, high = step * math.floor(lowest / step), step * (math.floor(highest / step) + 1)
    if value is None:  # what a probability is usually cut at, else the middle
        value = 0.5 if lowest >= 0 and 0.5 < highest <= 1 else step * round((lowest / 2 + highest / 2) / step)
    # a product of a step has digits that nobody meant
    value, low, high = (float(f"{number:.15g}") for number in (value, low, high))
    return number_control("threshold", value, min(low, value), max(high, value), step=step)


def picture_points(sweep, columns=400):
    """Positions in a sweep that a curve of so many pixels needs: each column of both axes, and the first rows."""
    n = sweep.thresholds.size
    if n <= 2 * columns:
        return np.arange(n)
    by_class = [np.searchsorted(cell, np.linspace(0, cell[-1], columns)) for cell in (sweep.counts.tp, sweep.counts.fp)]
    first = np.geomspace(1, n - 1, columns // 2).astype(int)
    return np.unique(np.concatenate([[0, n - 1], *by_class, first]))


def known_truth(y_true_unlabeled, unlabeled_scores):
    """A sweep of unlabeled rows whose labels are known after all, or None where they are not."""
    if y_true_unlabeled is None:
        return None
    actual = read_labels(y_true_unlabeled, name="y_true_unlabeled")
    check_lengths(y_true_unlabeled=actual.size, unlabeled_scores=np.size(unlabeled_scores))
    return sweep(actual, unlabeled_scores)


def shown(count):
    """A count in a sentence: whole, or to four significant digits where it is an expectation."""
    return f"{count:,.0f}" if count == round(count) or count >= 1e4 else f"{count:,.4g}"
