"""Draws given arrays on given Axes, and computes no metric: what is true is decided before it is drawn."""

import io
import sys
from functools import lru_cache

import numpy as np
from matplotlib.colors import to_rgb
from matplotlib.font_manager import findfont
from matplotlib.patches import Polygon, Rectangle
from matplotlib.text import Text
from PIL import Image, ImageDraw, ImageFont

# after Okabe and Ito: told apart with any kind of colour vision, and in grey
COLOURS = {
    "positive": "#0072B2",
    "negative": "#E69F00",
    "deployed": "#D55E00",
    "ideal": "#009E73",
    "second": "#CC79A7",
    "test": "#595959",
    "ink": "#000000",
}
STEPS = "steps-pre"  # between two thresholds precision is that of the lower one; a straight line is out of reach
DIM = 0.3  # opacity of what the chosen metric does not look at


def unit_axes(axes):
    """Both axes from 0 to 1, with room for a marker at the ends."""
    axes.set(xlim=(-0.03, 1.03), ylim=(-0.03, 1.03))


def legend_below(axes, columns):
    """A legend under the axes, where nothing that moves can run through it."""
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=columns, fontsize=8, frameon=False)


def score_histograms(axes, edges, positive, negative, *, log=False):
    """Two classes per bin: positives upwards, negatives downwards, so that they never overlap.

    Heights are shares of each class, or with ``log`` numbers of rows on a log scale, where a single row among
    thousands can still be seen.
    """
    if log:
        _row_ticks(axes, max(np.max(positive), np.max(negative)))
        positive, negative = np.log1p(positive), np.log1p(negative)
    else:
        axes.yaxis.set_major_formatter(lambda share, _: f"{abs(share):g}")
    top = max(np.max(positive), np.max(negative)) or 1
    for name, heights, letters, y, side in (
        ("positive", positive, COLOURS["positive"], 0.98, "top"),
        ("negative", -negative, "#8A5A00", 0.02, "bottom"),  # letters need more contrast than areas
    ):
        look = {"color": COLOURS[name], "edgecolor": "white", "linewidth": 0.3}
        axes.bar(edges[:-1], heights, np.diff(edges), align="edge", **look)
        axes.text(0.02, y, f"{name}s", transform=axes.transAxes, color=letters, va=side, fontsize=9)
    axes.axhline(0, color=COLOURS["ink"], linewidth=0.8)
    axes.set_ylim(-1.3 * top, 1.3 * top)


def _row_ticks(axes, most):
    """Ticks at 0 and at powers of ten, both ways, where heights are log(1 + rows)."""
    decades = int(np.log10(max(most, 1))) + 1
    rows = [10**power for power in range(0, decades, 1 + decades // 5)]
    heights = np.log1p(rows)
    axes.set_yticks([*-heights[::-1], 0, *heights], [f"{count:,}" for count in [*rows[::-1], 0, *rows]])


class LiveText(Text):
    """A black text, centred on its place: Pillow draws it in a tenth of the time that matplotlib takes."""

    def draw(self, renderer):
        if not (self.get_text() and self.get_visible()):
            return
        font = _font(findfont(self.get_fontproperties()), renderer.points_to_pixels(self.get_fontsize()))
        canvas = ImageDraw.Draw(Image.new("L", (1, 1)))
        left, top, right, bottom = canvas.multiline_textbbox((0, 0), self.get_text(), font, align="center")
        letters = Image.new("L", (round(right - left), round(bottom - top)))
        ImageDraw.Draw(letters).multiline_text((-left, -top), self.get_text(), 255, font, align="center")
        pixels = np.zeros((letters.height, letters.width, 4), dtype=np.uint8)  # black
        pixels[..., 3] = np.asarray(letters) * (1 if self.get_alpha() is None else self.get_alpha())
        x, y = self.get_transform().transform(self.get_position()) - np.array(letters.size) / 2
        renderer.draw_image(renderer.new_gc(), round(x), round(y), pixels[::-1])  # counted from the bottom


@lru_cache(32)
def _font(path, pixels):
    return ImageFont.truetype(path, pixels)


def live_text(axes, x, y, *, size=10, transform=None):
    """An empty text in bold, centred on its place; returns the artist."""
    text = LiveText(x, y, fontsize=size, fontweight="bold", ha="center", va="center")
    text.set(clip_on=False, transform=transform or axes.transData)  # clipped, the layout leaves no room for it
    return axes.add_artist(text)


def caption(figure, share=0.09):
    """An empty line of text below all axes of a figure, which give it that share of the height."""
    figure.get_layout_engine().set(rect=(0, share, 1, 1 - share))
    return live_text(figure, 0.5, share / 2, size=11, transform=figure.transFigure)


def line(axes, x, y, colour, *, style="-", width=1.8, name=None, steps=False):
    """A curve through given points; returns the artist."""
    between = STEPS if steps else "default"
    return axes.plot(x, y, style, color=COLOURS[colour], linewidth=width, label=name, drawstyle=between)[0]


def dot(axes, colour, *, marker="o", size=9, name=None):
    """A marker that is placed later; returns the artist."""
    look = {"color": COLOURS[colour], "markeredgecolor": "white", "markersize": size, "zorder": 5}
    return axes.plot([], [], marker, label=name, **look)[0]


def set_marks(now, x, cuts, dots):
    """Stand upright lines and dots at the number ``x``, each dot as high as the number it goes by; returns them all."""
    for cut in cuts:
        cut.set_xdata([now[x]] * 2)
    for height, marker in dots.items():
        marker.set_data([now[x]], [now[height]])
    return [*cuts, *dots.values()]


def band(axes, colour, *, name=None, opacity=0.22):
    """An area between two curves that are set later with :func:`set_band`; returns the artist."""
    area = Polygon(np.zeros((3, 2)), closed=True, color=COLOURS[colour], alpha=opacity, lw=0, label=name)
    return axes.add_patch(area)


def set_band(area, x, low, high):
    """Lay a band between ``low`` and ``high`` over ``x``; points where one of them is nan are left out."""
    points = np.array(np.broadcast_arrays(x, low, high))
    x, low, high = points[:, ~np.isnan(points).any(axis=0)]
    area.set_xy(np.column_stack([np.append(x, x[::-1]), np.append(low, high[::-1])]) if x.size else np.zeros((3, 2)))


def upright(axes, colour="ink", *, style="-", width=1.5, name=None, x=np.nan):
    """A vertical line, at ``x`` or placed later with ``set_xdata``; returns the artist."""
    return axes.axvline(x, color=COLOURS[colour], linestyle=style, linewidth=width, label=name)


def shade(axes):
    """The flagged side of a threshold, as a pale area that :func:`set_shade` places; returns the artist."""
    area = Rectangle((0, 0), 1, 1, transform=axes.get_xaxis_transform(), color=COLOURS["test"], alpha=0.12, lw=0)
    return axes.add_patch(area)


def set_shade(area, start):
    """Begin the shaded area at ``start`` and end it at the right edge of its axes."""
    area.set_bounds(start, 0, area.axes.get_xlim()[1] - start, 1)


def confusion_matrix(axes):
    """An empty confusion matrix as in scikit-learn: actual classes in rows, predicted ones in columns, negative first.

    Returns its cells and its texts, by count name, and the names written on the cells.
    """
    axes.set(xlim=(0, 2), ylim=(2, 0), title="Confusion matrix", xlabel="predicted", ylabel="actual")
    axes.set_xticks([0.5, 1.5], ["negative\n(not flagged)", "positive\n(flagged)"])
    axes.set_yticks([0.5, 1.5], ["negative", "positive"], rotation=90, va="center")
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    places = {
        "tn": (0, 0, "negative", "true negatives"),
        "fp": (1, 0, "negative", "false positives"),
        "fn": (0, 1, "positive", "false negatives"),
        "tp": (1, 1, "positive", "true positives"),
    }
    cells, texts, names = {}, {}, []
    for count, (x, y, colour, name) in places.items():
        cells[count] = _square(axes, x, y, 0.03, facecolor=_pale(colour, 0.45), edgecolor="white")
        if count in ("fp", "fn"):
            cells[count].set_hatch("//")  # mistakes can be seen without color
        texts[count] = live_text(axes, x + 0.5, y + 0.45, size=15)
        names.append(axes.text(x + 0.5, y + 0.8, name, ha="center", va="center", fontsize=8))
    return cells, texts, names


def _square(axes, x, y, margin, **look):
    """A square of side 1 without its margin; returns the artist."""
    return axes.add_patch(Rectangle((x + margin, y + margin), 1 - 2 * margin, 1 - 2 * margin, **look))


def _pale(colour, strength):
    """A colour mixed with white, so that black letters read well on it."""
    return 1 - strength * (1 - np.array(to_rgb(COLOURS[colour])))


def class_matrix(axes, labels, shares):
    """A square for each actual class (down) and predicted class (across), the stronger the larger its share.

    ``shares``, shape (n_classes, n_classes), from 0 to 1. Returns the empty texts of the squares, an array of
    the same shape.
    """
    n = len(labels)
    axes.set(xlim=(0, n), ylim=(n, 0), title="Rows: actual, columns: predicted", xlabel="predicted")
    turned = sum(map(len, labels)) > 36
    # a name with dollars is no formula
    axes.set_xticks(np.arange(n) + 0.5, labels, rotation=90 if turned else 0, parse_math=False)
    axes.set_yticks(np.arange(n) + 0.5, labels, parse_math=False)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    texts = np.empty((n, n), dtype=object)
    for actual, predicted in np.ndindex(n, n):
        right = actual == predicted
        # few strengths: a picture of few colours is a small one
        strength = 0.1 + 0.06 * round(7 * float(shares[actual, predicted])) if shares[actual, predicted] > 0 else 0.04
        face = _pale("positive" if right else "negative", strength + 0.1 * right)
        edge = COLOURS["positive"] if right else "none"  # told apart without colour
        _square(axes, predicted, actual, 0.03, facecolor=face, edgecolor=edge, linewidth=0.8)
        texts[actual, predicted] = live_text(axes, predicted + 0.5, actual + 0.5, size=min(11, 4 + 28 / n))
    return texts


def frame_row(axes, n):
    """A frame around one row of a class matrix, placed with ``set_y``; returns the artist."""
    return axes.add_patch(Rectangle((0, 0), n, 1, fill=False, edgecolor=COLOURS["ink"], linewidth=1.6, clip_on=False))


def class_bars(axes, labels):
    """Horizontal bars, one a class in the order of :func:`class_matrix`, as one area that is set later."""
    n = len(labels)
    axes.set(xlim=(0, 1.02), ylim=(n, 0))
    axes.set_yticks(np.arange(n) + 0.5, labels, parse_math=False)
    return band(axes, "positive", opacity=0.55)


def set_class_bars(bars, values):
    """Give each class's bar its length; a nan has none."""
    values = np.nan_to_num(values)
    edges = np.arange(len(values))[:, None] + [0.2, 0.2, 0.8, 0.8]
    bars.set_xy(np.column_stack([(values[:, None] * [0, 1, 1, 0]).ravel(), edges.ravel()]))


def hundred(axes):
    """A ten by ten grid that :func:`set_hundred` fills; returns the artist."""
    column, row = np.meshgrid(np.arange(10), np.arange(10))
    axes.set(xlim=(-0.7, 9.7), ylim=(9.7, -0.7), aspect="equal")
    axes.set_axis_off()
    return axes.scatter(column.ravel(), row.ravel(), s=120, linewidths=1.6)


def set_hundred(grid, share):
    """Fill the first ``share`` (0 to 1, nan for none at all) of the grid; the rest are hollow."""
    filled = np.arange(100) < (0 if np.isnan(share) else round(100 * share))
    edge = "#BBBBBB" if np.isnan(share) else COLOURS["negative"]
    grid.set_facecolor(np.where(filled, COLOURS["positive"], "#FFFFFF"))
    grid.set_edgecolor(np.where(filled, COLOURS["positive"], edge))


def show(figure, alt):
    """Display a pyplot figure with a sentence for those who cannot see it, and close it.

    Parameters
    ----------
    figure : matplotlib Figure
    alt : str
        What there is to see, in one sentence; becomes the picture's alternative text.
    """
    from IPython import display

    drawn, picture = io.BytesIO(), io.BytesIO()
    figure.savefig(drawn, format="png", dpi=100)
    # as a palette picture a third of the size, which notebooks under version control are grateful for
    frame = Image.open(drawn).convert("RGB").quantize(255, dither=Image.Dither.NONE)
    frame.save(picture, "png", optimize=True)
    # a figure that pyplot knows would be shown once more at the end of the cell, without the sentence
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close(figure)
    display.display(display.Image(picture.getvalue(), alt=alt))
