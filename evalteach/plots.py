"""Draws given arrays on given Axes, and computes no metric: what is true is decided before it is drawn."""

import io
import sys

import numpy as np
from matplotlib.patches import Polygon, Rectangle
from PIL import Image

from evalteach._live_text import LiveText

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


def label(axes, *, title=None, x=None, y=None):
    """Title and axis labels, in one size for all figures."""
    axes.set_title(title or "", fontsize=10, loc="left")
    axes.set_xlabel(x or "", fontsize=9)
    axes.set_ylabel(y or "", fontsize=9)
    axes.tick_params(labelsize=8)
    axes.spines[["top", "right"]].set_visible(False)


def unit_axes(axes, margin=0.03):
    """Both axes from 0 to 1, with room for a marker at the ends."""
    axes.set_xlim(-margin, 1 + margin)
    axes.set_ylim(-margin, 1 + margin)


def legend_below(axes, columns):
    """A legend under the axes, where nothing that moves can run through it."""
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=columns, fontsize=8, frameon=False)


def score_histograms(axes, edges, positive, negative):
    """Shares of two classes per bin: positives upwards, negatives downwards, so that they never overlap."""
    widths = np.diff(edges)
    top = max(np.max(positive), np.max(negative)) or 1
    axes.bar(
        edges[:-1],
        positive,
        widths,
        align="edge",
        color=COLOURS["positive"],
        edgecolor="white",
        linewidth=0.3,
    )
    axes.bar(
        edges[:-1],
        -negative,
        widths,
        align="edge",
        color=COLOURS["negative"],
        edgecolor="white",
        linewidth=0.3,
    )
    axes.axhline(0, color=COLOURS["ink"], linewidth=0.8)
    axes.set_ylim(-1.3 * top, 1.3 * top)
    axes.yaxis.set_major_formatter(lambda share, _: f"{abs(share):g}")
    write(axes, 0.02, 0.98, "positives", colour="positive", top=True)
    write(axes, 0.02, 0.02, "negatives", colour="negative")


def live_text(axes, x, y, *, size=10, transform=None):
    """An empty text in bold, centred on its place; returns the artist."""
    text = LiveText(
        x, y, "", transform=transform or axes.transData, fontsize=size, fontweight="bold", ha="center", va="center"
    )
    text.set_clip_on(False)  # else the layout leaves no room for it
    return axes.add_artist(text)


def caption(figure, share=0.09):
    """An empty line of text below all axes of a figure, which give it that share of the height."""
    figure.get_layout_engine().set(rect=(0, share, 1, 1 - share))
    return live_text(figure, 0.5, share / 2, size=11, transform=figure.transFigure)


def write(axes, x, y, text="", *, colour="ink", top=False, size=9, centre=False):
    """Text at fractions of the axes; returns the artist."""
    return axes.text(
        x,
        y,
        text,
        transform=axes.transAxes,
        color=COLOURS[colour] if colour != "negative" else "#8A5A00",  # letters need more contrast than areas
        va="center" if centre else "top" if top else "bottom",
        ha="center" if centre else "left",
        fontsize=size,
    )


def line(axes, x, y, colour, *, style="-", width=1.8, name=None, steps=False):
    """A curve through given points; returns the artist."""
    return axes.plot(
        x,
        y,
        style,
        color=COLOURS[colour],
        linewidth=width,
        label=name,
        drawstyle=STEPS if steps else "default",
    )[0]


def dot(axes, colour, *, marker="o", size=9):
    """A marker that is placed later; returns the artist."""
    return axes.plot([], [], marker, color=COLOURS[colour], markeredgecolor="white", markersize=size, zorder=5)[0]


def band(axes, colour, *, name=None, opacity=0.22):
    """An area between two curves that are set later with :func:`set_band`; returns the artist."""
    return axes.add_patch(
        Polygon(np.zeros((3, 2)), closed=True, color=COLOURS[colour], alpha=opacity, lw=0, label=name)
    )


def set_band(area, x, low, high):
    """Lay a band between ``low`` and ``high`` over ``x``; points where one of them is nan are left out."""
    kept = ~(np.isnan(x) | np.isnan(low) | np.isnan(high))
    x, low, high = x[kept], low[kept], high[kept]
    area.set_xy(np.column_stack([np.append(x, x[::-1]), np.append(low, high[::-1])]) if x.size else np.zeros((3, 2)))


def upright(axes, colour="ink", *, style="-", width=1.5, name=None):
    """A vertical line that is placed later with ``set_xdata``; returns the artist."""
    return axes.axvline(np.nan, color=COLOURS[colour], linestyle=style, linewidth=width, label=name)


def shade(axes):
    """The flagged side of a threshold, as a pale area that :func:`set_shade` places; returns the artist."""
    area = Rectangle((0, 0), 1, 1, transform=axes.get_xaxis_transform(), color=COLOURS["test"], alpha=0.12, lw=0)
    return axes.add_patch(area)


def set_shade(area, start):
    """Begin the shaded area at ``start`` and end it at the right edge of its axes."""
    right = area.axes.get_xlim()[1]
    area.set_x(min(start, right))
    area.set_width(max(right - start, 0))


def confusion_matrix(axes):
    """An empty confusion matrix; returns its cells and its texts, by count name, and the names written on the cells."""
    axes.set_xlim(0, 2)
    axes.set_ylim(0, 2)
    axes.set_xticks([0.5, 1.5], ["positive", "negative"])
    axes.set_yticks([0.5, 1.5], ["not flagged", "flagged"], rotation=90, va="center")
    label(axes, title="Confusion matrix", x="actually")
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    places = {
        "tp": (0, 1, "positive", "true positives"),
        "fp": (1, 1, "negative", "false positives"),
        "fn": (0, 0, "positive", "false negatives"),
        "tn": (1, 0, "negative", "true negatives"),
    }
    cells, texts, names = {}, {}, []
    for count, (x, y, colour, name) in places.items():
        hatch = "//" if count in ("fp", "fn") else None  # mistakes, told apart without colour
        cells[count] = axes.add_patch(
            Rectangle(
                (x + 0.03, y + 0.03),
                0.94,
                0.94,
                facecolor=_pale(COLOURS[colour]),
                edgecolor="white",
                hatch=hatch,
            )
        )
        texts[count] = live_text(axes, x + 0.5, y + 0.55, size=15)
        names.append(axes.text(x + 0.5, y + 0.2, name, ha="center", va="center", fontsize=8))
    return cells, texts, names


def _pale(colour, strength=0.45):
    """A colour mixed with white, so that black letters read well on it."""
    return tuple(1 - strength * (1 - int(colour[i : i + 2], 16) / 255) for i in (1, 3, 5))


def class_matrix(axes, labels, shares):
    """A square for each actual class (down) and predicted class (across), the stronger the larger its share.

    ``shares``, shape (n_classes, n_classes), from 0 to 1. Returns the empty texts of the squares, an array of
    the same shape.
    """
    n = len(labels)
    axes.set_xlim(0, n)
    axes.set_ylim(n, 0)
    turned = sum(map(len, labels)) > 36
    # a name with dollars is no formula
    axes.set_xticks(np.arange(n) + 0.5, labels, rotation=90 if turned else 0, parse_math=False)
    axes.set_yticks(np.arange(n) + 0.5, labels, parse_math=False)
    label(axes, title="Rows: actual, columns: predicted", x="predicted")
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    gap = 0.06
    texts = np.empty((n, n), dtype=object)
    for actual, predicted in np.ndindex(n, n):
        right = actual == predicted
        # few strengths: a picture of few colours is a small one
        strength = 0.1 + 0.06 * round(7 * float(shares[actual, predicted])) if shares[actual, predicted] > 0 else 0.04
        square = Rectangle(
            (predicted + gap / 2, actual + gap / 2),
            1 - gap,
            1 - gap,
            facecolor=_pale(COLOURS["positive" if right else "negative"], strength + 0.1 * right),
            edgecolor=COLOURS["positive"] if right else "none",  # told apart without colour
            linewidth=0.8,
        )
        axes.add_patch(square)
        texts[actual, predicted] = live_text(axes, predicted + 0.5, actual + 0.5, size=min(11, 4 + 28 / n))
    return texts


def frame_row(axes, n):
    """A frame around one row of a class matrix, placed with ``set_y``; returns the artist."""
    return axes.add_patch(Rectangle((0, 0), n, 1, fill=False, edgecolor=COLOURS["ink"], linewidth=1.6, clip_on=False))


def class_bars(axes, labels):
    """Horizontal bars, one a class in the order of :func:`class_matrix`, as one area that is set later."""
    n = len(labels)
    axes.set_ylim(n, 0)
    axes.set_xlim(0, 1.02)
    axes.set_yticks(np.arange(n) + 0.5, labels, parse_math=False)
    return axes.add_patch(Polygon(np.zeros((3, 2)), closed=True, color=COLOURS["positive"], alpha=0.55, lw=0))


def set_class_bars(bars, values):
    """Give each class's bar its length; a nan has none."""
    values = np.nan_to_num(values)
    edges = np.arange(len(values))[:, None] + [0.2, 0.2, 0.8, 0.8]
    bars.set_xy(np.column_stack([(values[:, None] * [0, 1, 1, 0]).ravel(), edges.ravel()]))


def hundred(axes):
    """A ten by ten grid that :func:`set_hundred` fills; returns the artist."""
    column, row = np.meshgrid(np.arange(10), np.arange(10))
    axes.set_xlim(-0.7, 9.7)
    axes.set_ylim(9.7, -0.7)
    axes.set_aspect("equal")
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
