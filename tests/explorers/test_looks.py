"""What each explorer shows, written down: its controls, and each artist with its words, its look and where it lies.

A change that is meant is written down anew with ``pytest -n0 --force-regen``, and read where the record is kept.
"""

from itertools import groupby

import numpy as np
from matplotlib.collections import PathCollection, PolyCollection
from matplotlib.colors import to_hex
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.text import Text
from matplotlib.ticker import FuncFormatter

from evalteach import plots
from explorers.helpers import move

NAMES = {colour.lower(): name for name, colour in plots.COLOURS.items()}


def colour(value):
    """As the palette calls it, with its opacity."""
    *rgb, alpha = (int(channel, 16) for channel in (to_hex(value, keep_alpha=True)[i : i + 2] for i in (1, 3, 5, 7)))
    code = "#{:02x}{:02x}{:02x}".format(*rgb)
    return NAMES.get(code, code) + f" {alpha / 255:.2f}" * (alpha < 255)


def summary(numbers):
    """How many, the least, the mean and the greatest, and how many are none."""
    numbers = np.ma.filled(np.ma.asarray(numbers, dtype=float), np.nan).ravel()
    there = numbers[np.isfinite(numbers)]
    if not there.size:
        return f"{numbers.size} nan"
    ends = " ".join(f"{number + 0.0:.3g}" for number in (there.min(), there.mean(), there.max()))
    return f"{numbers.size} of {ends}" + f", {numbers.size - there.size} nan" * (there.size < numbers.size)


def look(artist):
    """Words and style of an artist, which several may share, and the points where it lies."""
    if isinstance(artist, Text):
        more = artist.get_fontweight(), artist.get_rotation(), artist.get_ha(), artist.get_va(), artist.get_parse_math()
        style = f"{artist.get_fontsize():g} {colour(artist.get_color())} {' '.join(map(str, more))}"
        return f"text {style}", [artist.get_position()], artist.get_text()
    if isinstance(artist, Line2D):
        style = f"{artist.get_linestyle()} {artist.get_linewidth():g} {artist.get_drawstyle()}"
        mark = f"{artist.get_marker()} {artist.get_markersize():g} {artist.get_markeredgewidth():g}"
        inside = f"{colour(artist.get_markerfacecolor())} in {colour(artist.get_markeredgecolor())}"
        words = f"line {colour(artist.get_color())} {style}" + f" {mark} {inside}" * (artist.get_marker() != "None")
        return words, np.column_stack(artist.get_data(orig=True) if len(artist.get_data()[0]) else [[], []]), ""
    if isinstance(artist, Patch):
        style = f"{colour(artist.get_facecolor())} in {colour(artist.get_edgecolor())} {artist.get_linewidth():g}"
        corners = artist.get_patch_transform().transform(artist.get_path().vertices)
        return f"area {style} {artist.get_linestyle()} {artist.get_hatch()} {artist.get_fill()}", corners, ""
    assert isinstance(artist, PathCollection | PolyCollection), f"{type(artist).__name__} is described nowhere yet"
    inside, edges = ([colour(each) for each in colours] for colours in (artist.get_facecolor(), artist.get_edgecolor()))
    counted = ", ".join(f"{len([*same])} {name}" for name, same in groupby(inside))
    style = (
        f"{counted} in {', '.join(sorted({*edges}))} {summary(artist.get_linewidths())} {summary(artist.get_sizes())}"
    )
    dots = isinstance(artist, PathCollection)  # else an area
    return f"{'dots' if dots else 'area'} {style}", artist.get_offsets() if dots else artist.get_paths()[0].vertices, ""


def described(artist):
    style, points, words = look(artist)
    of_the_axes = "" if artist.get_transform().contains_branch(artist.axes.transData) else " in parts of the axes"
    name = artist.get_label()
    name = "" if str(name).startswith("_") or not name else f" '{name}'"
    drawn = f"{style}{name}{of_the_axes} {artist.get_zorder():g}{' seen' * artist.get_visible()}"
    return drawn + " clipped" * artist.get_clip_on(), np.asarray(points, dtype=float).reshape(-1, 2), words


def several(artists):
    """A line for all neighbours of one style."""
    for style, group in groupby(map(described, artists), key=lambda each: each[0]):
        group = [*group]
        x, y = np.concatenate([points for _, points, _ in group]).T
        words = " | ".join(words.replace("\n", "/") for *_, words in group if words)
        yield f"  {len(group)} {style}; x {summary(x)}; y {summary(y)}" + f"; {words}" * bool(words)


def legend_of(axes):
    legend = axes.get_legend()
    if legend is None:
        return
    place = np.round(axes.transAxes.inverted().transform(legend.get_bbox_to_anchor().min), 3).tolist()
    texts = " | ".join(text.get_text() for text in legend.get_texts())
    size = legend.get_texts()[0].get_fontsize()
    yield f"  legend {legend._loc} {place} {legend._ncols} {size:g} {legend.get_frame_on()}: {texts}"


def axis(name, of):
    ticks = ""
    if type(of.get_major_locator()).__name__ in ("FixedLocator", "NullLocator"):
        labels = of.get_ticklabels()
        first = labels[0] if labels else Text()
        ticks = f"; ticks {summary(of.get_ticklocs())} {first.get_rotation():g} {first.get_parse_math()}"
        ticks += f" {first.get_va()}: {' | '.join(label.get_text() for label in labels)}".replace("\n", "/")
    label = of.label
    words = label.get_text().replace("\n", "/")
    low, high = (f"{end:.4g}" for end in of.get_view_interval())
    placed = f"{label.get_rotation():g} {label.get_ha()} {label.get_va()} {label.get_fontsize():g}"
    marks = {key: value for key, value in sorted(of.get_tick_params().items()) if not isinstance(value, bool)}
    said = of.get_major_formatter()(-0.25, 0) if isinstance(of.get_major_formatter(), FuncFormatter) else ""
    return f"  {name} '{words}' {placed} {of.get_scale()} {low} to {high} {marks} {said}{ticks}"


def seen(explorer):
    """All that is drawn, a line each."""
    yield repr(explorer)
    for axes in explorer.figure.axes:
        grid, place = axes.get_gridspec(), axes.get_subplotspec()
        ratios = [np.round(each, 3).tolist() for each in (grid.get_width_ratios(), grid.get_height_ratios())]
        spines = "".join(name[0] for name, spine in axes.spines.items() if spine.get_visible())
        shape = f"{place.rowspan.start}:{place.rowspan.stop} {place.colspan.start}:{place.colspan.stop} of {ratios}"
        title = axes.get_title("left"), axes.get_title(), axes.get_title("right")
        yield f"{shape} {title} {axes.title.get_fontsize():g} {spines} {axes.axison} {axes.get_aspect()}"
        yield from (axis(name, of) for name, of in (("x", axes.xaxis), ("y", axes.yaxis)))
        yield from legend_of(axes)
        yield from several([*axes.patches, *axes.lines, *axes.collections])
        yield from several(axes.texts)
    yield from (f"{text.get_text()}: {look(text)[:2]}" for text in explorer.figure.texts)


def asked(part):
    """A control: its name, what stands beside it, and what it can be."""
    if part.slider is None:
        return f"{part.name} '{part.widget.description}': {' | '.join(part.widget.options)}"
    box, slider = part.widget, part.slider
    steps = f"{len(part.stops)} places, {summary(part.stops)}, box {box.min:g} to {box.max:g} by {box.step}"
    return f"{part.name} '{box.description}' {type(box).__name__}: {steps}; {slider.tooltip} {slider.layout.width}"


def test_what_is_shown_is_what_was_written_down(undrawn, kind, case, file_regression):
    explorer = case.make()
    start = [f"{explorer.size} {explorer.picture.tooltip}", *map(asked, explorer._parts), *seen(explorer)]
    there = seen(move(explorer, **case.other))
    new = [line for line in there if line not in start]  # what stays is told once
    file_regression.check("\n".join([*start, "", "moved", *new, ""]), basename=kind)
