"""The controls of explorers: named as the argument that sets them, exact, and never left with what cannot be drawn."""

import math
from decimal import Decimal
from typing import NamedTuple

import ipywidgets as ipw
import numpy as np
import traitlets

from evalteach._inputs import check_between, check_choice, read_number, read_whole

NAMED = {"description_width": "initial"}


class Control(NamedTuple):
    """A control's name (that of the argument that sets it), the widget that holds its value, and what is shown."""

    name: str
    widget: ipw.Widget
    row: ipw.Widget
    stops: list | None = None  # what the box holds at each place of the slider
    slider: ipw.Widget | None = None

    @property
    def place(self):
        """Where it stands, in the front end's terms: a number, or the place of a choice in its list."""
        return self.widget.value if self.slider else self.widget.index

    def read(self, place):
        """The value at a place that the front end names."""
        if not self.slider:
            return list(self.widget.options.values())[place]
        return type(self.widget.value)(min(max(place, self.widget.min), self.widget.max))

    def for_the_front(self):
        """What the front end needs to know."""
        stops = self.stops or list(range(len(self.widget.options)))
        return {"widget": self.widget, "slider": self.slider, "name": self.widget.description, "stops": stops}


class Quiet:
    """A widget that tells the front end nothing while it follows what that shows already."""

    following = True

    @staticmethod
    def shown():
        """Whether the front end shows this already, and maybe something later by now."""
        return False

    def send_state(self, key=None):
        if key is None or not (self.following and self.shown()):  # a page that is opened anew asks for all
            super().send_state(key)


class _Number:
    """A trait that says which control refuses a value, and what it accepts; nan passes ipywidgets' own."""

    def validate(self, box, value):
        try:
            number = super().validate(box, value)
        except (traitlets.TraitError, OverflowError):
            number = math.nan
        if number != number:
            raise traitlets.TraitError(
                f"{box.description} must be {self.info_text} from {box.min:g} to {box.max:g}, got {value!r}"
            )
        return number


class _Real(_Number, traitlets.CFloat):
    info_text = "a number"


class _Whole(_Number, traitlets.CInt):
    info_text = "a whole number"


class _RealBox(Quiet, ipw.BoundedFloatText):
    following = False
    value = _Real(0.0).tag(sync=True)


class _WholeBox(Quiet, ipw.BoundedIntText):
    following = False
    value = _Whole(0).tag(sync=True)


class _Choice(ipw.Dropdown):
    value = traitlets.TraitType()  # ipywidgets' own takes None for no choice, and then asks nobody whether it may be

    @traitlets.validate("value")
    def _validate_value(self, proposal):
        if proposal.value not in self._options_values:
            accepted = ", ".join(map(repr, self._options_values))
            raise traitlets.TraitError(f"{self.description} must be one of {accepted}, got {proposal.value!r}")
        return proposal.value


def number_control(name, value, low, high, *, label=None, step=None, log=False, whole=False):
    """A number box and, beside it, a slider for the same number.

    The box is named, exact and reachable by keyboard, since a slider's handle has no accessible name;
    the slider is for the hand, and hands it rounded values.

    Parameters
    ----------
    name : str
        The argument that sets the start, and the key of the control.
    value, low, high : float
        Start and ends; the box refuses later values beyond the ends by going to the nearest one.
    label : str, optional
        What the reader sees; the name, with blanks, by default.
    step : float, optional
        Of the slider, counted from ``low``; by default about 200 multiples of a round one.
    log : bool
        Move in equal factors, to 3 significant digits.
    whole : bool
        Whole numbers only.

    Returns
    -------
    Control

    Raises
    ------
    ValueError
        For a start that is not a number from ``low`` to ``high``.
    """
    label = label or name.replace("_", " ")
    # numpy's numbers, and its True and False, are none for a widget
    value = read_whole(name, value, low, high) if whole else check_between(name, value, low, high, open_ends=False)
    width = {"width": f"{100 + 7 * len(label)}px"}
    box = (_WholeBox if whole else _RealBox)(value, min=low, max=high, description=label, style=NAMED, layout=width)
    if log:
        stops = [float(f"{stop:.3g}") for stop in np.geomspace(low, high, 121)[1:-1]]
        stops = [round(stop) for stop in stops] if whole else stops
    else:
        start, step = (low, step) if step else (0, round_step((high - low) / 200 or 1, whole=whole))
        digits = max(_decimals(start), _decimals(step))
        multiples = range(math.floor((low - start) / step) + 1, math.ceil((high - start) / step - 1e-9))
        stops = [round(start + multiple * step, digits) for multiple in multiples]
    stops = np.unique([low, *stops, high])

    def place_of(number):
        return int(np.abs(stops - number).argmin())

    # whole places: a browser rounds fractions, and sends back what it rounded as if it were a move
    layout = {"width": "220px"}
    slider = ipw.IntSlider(place_of(value), max=stops.size - 1, readout=False, disabled=low == high, layout=layout)

    def from_slider(change):
        if change.new != place_of(box.value):  # else it only follows a number that was typed
            box.following = True
            box.value = stops[change.new].item()
            box.following = False

    def from_box(change):
        slider.value = place_of(change.new)

    slider.observe(from_slider, names="value")
    box.observe(from_box, names="value")
    return Control(name, box, ipw.HBox([box, slider]), stops.tolist(), slider)


def ratio_control(value, own, least, most, *, label="negatives per positive"):
    """A class ratio, ``own`` if none is given; the ends give way to the start."""
    value = own if value is None else check_between("ratio", value, 0, 1e300, open_ends="low")
    return number_control("ratio", value, min(least, value), max(most, value), label=label, log=True)


def threshold_control(sweep, value):
    """A control from just under the lowest finite score to just above the highest."""
    if value is not None and not math.isfinite(read_number("threshold", value)):
        raise ValueError(f"threshold must be a finite number to start with, got {value}")
    finite = sweep.thresholds[np.isfinite(sweep.thresholds)]
    highest, lowest = (float(finite[0]), float(finite[-1])) if finite.size else (0.0, 0.0)
    if max(highest, -lowest) > 1e306:
        raise ValueError(f"y_score spans {lowest:g} to {highest:g}; an explorer draws scores within ±1e+306")
    step = round_step((highest / 200 - lowest / 200) or abs(highest) / 1000 or 0.01)
    # a quotient such as 0.7 / 0.0005 is a little below the whole number that it means
    low, high = step * math.floor(lowest / step), step * (math.floor(highest / step + 1e-9) + 1)
    if value is None:  # what a probability is usually cut at, else the middle
        value = 0.5 if lowest >= 0 and 0.5 < highest <= 1 else step * round((lowest / 2 + highest / 2) / step)
    # a product of a step has digits that nobody meant
    value, low, high = (float(f"{number:.15g}") for number in (value, low, high))
    step = step if low <= value <= high else None  # a start from far away asks for larger ones
    return number_control("threshold", value, min(low, value), max(high, value), step=step)


def choice_control(name, options, value, *, label=None):
    """A labeled drop-down list of values, or of labels with their values; refuses a start that is none of these."""
    options = options if isinstance(options, dict) else {str(each): each for each in options}
    check_choice(name, value, options.values())
    width = {"width": "280px"}
    choice = _Choice(options=options, value=value, description=label or name, style=NAMED, layout=width)
    return Control(name, choice, choice)


def rank_controls(curve, class_size, k, max_k, points):
    """Controls of a class size and of the rows flagged, and at most ``points`` ranks that a threshold can give.

    A rank inside a tie is none of them: all rows of one score are flagged together. The first is among them, and
    the last up to ``max_k``.
    """
    n = curve.n_unlabeled
    most = n if max_k is None else read_whole("max_k", max_k, 1, n)
    class_size = read_whole("class_size", class_size, 1, most)
    k = read_whole("k", class_size if k is None else k, 1, most)
    flagged = curve.flagged_at(k)
    if max_k is None:
        most = max(min(n, 4 * class_size), flagged)
    if flagged > most:
        raise ValueError(f"k = {k} is inside a tie that ends at {flagged} rows; max_k must be that or more, got {most}")
    ends = curve.ranks[curve.ranks <= most]
    some = np.unique(np.linspace(0, ends.size - 1, points).astype(int))
    sizes = number_control("class_size", class_size, 1, most, whole=True)
    return sizes, number_control("k", k, 1, int(ends[-1]), label="rows flagged (k)", whole=True), ends[some]


def round_step(rough, *, whole=False):
    """The smallest of 1, 2, 5, 10, 20, ... (times any power of ten) that is ``rough`` or more."""
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * digit for digit in (1, 2, 5, 10) if power * digit >= rough * (1 - 1e-9))
    return max(1, round(step)) if whole else float(f"{step:.3g}")  # a product of powers has digits that nobody meant


def _decimals(number):
    """Digits behind the point that write a number in full."""
    return max(0, -Decimal(repr(number)).as_tuple().exponent)
