"""Draw every explorer at its start and moved, on one sheet for eyes: python tests/tools/make_contact_sheet.py [PNG]"""

import io
import sys
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2])]

from explorers.helpers import CASES, move  # noqa: E402

SCALE, NAME, GAP = 0.6, 24, 8  # of a picture's size; pixels above a row, and between pictures


def pictures(case):
    explorer = case.make()
    for there in ({}, case.other):
        picture = Image.open(io.BytesIO(move(explorer, **there).picture.value)).convert("RGB")
        yield picture.resize([round(SCALE * side) for side in picture.size], Image.Resampling.LANCZOS)
    explorer.close()


def contact_sheet():
    rows = {name: [*pictures(case)] for name, case in CASES.items()}
    width = 2 * max(start.width for start, _ in rows.values()) + GAP
    sheet = Image.new("RGB", (width, sum(start.height + NAME + GAP for start, _ in rows.values())), "#DDDDDD")
    pen, y = ImageDraw.Draw(sheet), 0
    for name, (start, moved) in rows.items():
        pen.text((GAP, y + 4), name, "black", font=ImageFont.load_default(16))
        sheet.paste(start, (0, y + NAME))
        sheet.paste(moved, (start.width + GAP, y + NAME))
        y += start.height + NAME + GAP
    return sheet


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "build/explorers.png")
    target.parent.mkdir(parents=True, exist_ok=True)
    contact_sheet().save(target, optimize=True)
    print(target)
