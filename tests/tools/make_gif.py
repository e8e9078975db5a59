"""Makes the moving picture of the README: a class ratio that rises from the test set's own to 1,600.

    python tests/tools/make_gif.py [.github/class_ratio.gif]

The picture is the explorer's own. Box, slider and sentence are drawn beside it, since JupyterLab draws those.
"""

import io
import sys
import textwrap
from pathlib import Path

import matplotlib
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from evalteach import ClassRatioExplorer, data

GIF = Path(__file__).resolve().parents[2] / ".github" / "class_ratio.gif"
TOP, BELOW, MARGIN = 40, 66, 10
GREY, BLUE, TEXT = "#bdbdbd", "#1976d2", "#212121"
FONT = Path(matplotlib.get_data_path(), "fonts", "ttf", "DejaVuSans.ttf")


def place(box):
    """Where a slider's handle stands, from 0 to 1: in equal factors."""
    return np.log(box.value / box.min) / np.log(box.max / box.min)


def frame(explorer):
    """The explorer where its controls stand, as JupyterLab shows it."""
    picture = Image.open(io.BytesIO(explorer.picture.value)).convert("RGB")
    whole = Image.new("RGB", (picture.width + 2 * MARGIN, picture.height + TOP + BELOW), "white")
    whole.paste(picture, (MARGIN, TOP))
    drawn, font = ImageDraw.Draw(whole), ImageFont.truetype(FONT, 13)
    box = explorer.controls["ratio"]
    drawn.text((MARGIN, 17), "negatives per positive", TEXT, font, anchor="lm")
    drawn.rectangle((170, 4, 270, 30), outline=GREY)
    drawn.text((178, 17), f"{box.value:,.4g}" if box.value < 1000 else f"{box.value:,.0f}", TEXT, font, anchor="lm")
    drawn.line((290, 17, 490, 17), GREY, 4)
    handle = 290 + 200 * place(box)
    drawn.ellipse((handle - 8, 9, handle + 8, 25), fill=BLUE)
    for i, line in enumerate(textwrap.wrap(repr(explorer), 125)):
        drawn.text((MARGIN, TOP + picture.height + 12 + 18 * i), line, TEXT, font, anchor="lm")
    return whole


def main(path=GIF):
    explorer = ClassRatioExplorer(*data.digit_detector(9), threshold=0.59)
    frames = []
    for ratio in np.geomspace(explorer.controls["ratio"].value, 1600, 17):
        explorer.controls["ratio"].value = float(f"{ratio:.3g}")
        frames.append(frame(explorer))
    # one palette for all, taken from the first and the last one: else colours flicker
    pair = Image.new("RGB", (frames[0].width, 2 * frames[0].height))
    pair.paste(frames[0], (0, 0))
    pair.paste(frames[-1], (0, frames[0].height))
    palette = pair.quantize(64, dither=Image.Dither.NONE)
    first, *others = (each.quantize(palette=palette, dither=Image.Dither.NONE) for each in frames)
    durations = [1500, *[180] * (len(others) - 1), 2600]
    first.save(path, save_all=True, append_images=others, duration=durations, loop=0, optimize=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
