"""Makes the decks of the plans in 93_teaching, and puts beside them what they need: they fetch nothing when shown.

    pip install sphinx-revealjs  # carries reveal.js
    python tests/tools/make_slides.py decks

A deck is a notebook whose cells say which slide they begin. Code that is folded there is left out, and what has more
lines than anybody reads from the last row. A lesson's prose is for readers, so that the wall shows only its headings,
questions, tasks and formulas. Links between notebooks become words, and formulas become MathML, which browsers draw by
themselves.
"""

import html
import logging
import re
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

import lessons
import nbformat
from latex2mathml.converter import convert
from nbconvert import SlidesExporter

GUIDE = lessons.NOTEBOOKS / f"{lessons.GUIDES[0]}.ipynb"
TEMPLATES = Path(__file__).parent
SIZE = (1280, 720)
LINES = 8  # of code
NO_WORDS = "No description has been provided for this image"  # what nbconvert writes for lack of better


def plans():
    """Rows of each plan's table in the guide, by its heading's words after "Plan: "."""
    found = {}
    for cell in lessons.read(GUIDE).prose:
        if cell.heading and cell.heading[1].startswith("Plan: "):
            found[cell.heading[1].removeprefix("Plan: ")] = [*lessons.rows_of(cell)][2:]
    return found


def decks(rows):
    """The notebooks whose slides a plan shows."""
    numbers = {row[2] for row in rows} - {"", "-"}
    return [path for path in lessons.paths() if path.stem[:2] in numbers]


def short(text):
    """Of a lesson's prose what a room can read: the heading, a question or tasks to the end, and displayed formulas."""
    parts = text.split("\n\n")
    asked = next((i for i, part in enumerate(parts) if re.match(r"\*\*(Guess|Try this):\*\*", part)), len(parts))
    kept = [part for part in parts[:asked] if re.match(r"#|\$\$|\*\*The question:", part)]
    return "\n\n".join([*kept, *parts[asked:]])


def for_the_wall(notebook):
    """A notebook as it is shown: no folded or long code, no links between notebooks, formulas that need no script."""
    is_lesson = "**The question:**" in notebook.cells[0].source
    for cell in notebook.cells:
        if is_lesson and cell.cell_type == "markdown":
            cell.source = short(cell.source)
        folded = cell.metadata.get("jupyter", {}).get("source_hidden")
        if cell.cell_type == "code" and (folded or len(cell.source.splitlines()) > LINES):
            cell.metadata["transient"] = {"remove_source": True}
        if cell.cell_type == "markdown":
            text = re.sub(r"\[([^][]*)\]\((?!\w+://)[^()]*(?:\([^()]*\)[^()]*)*\)", r"\1", cell.source)
            cell.source = re.sub(r"(`[^`]*`)|\$\$(.+?)\$\$|\$([^$]+)\$", in_mathml, text, flags=re.S)
    return notebook


def in_mathml(found):
    code, displayed, inline = found.groups()
    if code:
        return code
    return convert(displayed.strip(), display="block") if displayed else convert(inline)


def deck(path):
    """A page of slides, which looks for reveal.js in the folder ``reveal`` beside it."""
    width, height = map(str, SIZE)
    logging.getLogger("traitlets").setLevel(logging.ERROR)  # it knows no descriptions, and they follow
    exporter = SlidesExporter(
        template_name="slides",
        extra_template_basedirs=[str(TEMPLATES)],
        reveal_url_prefix="reveal",
        reveal_theme="white",  # its fonts are local ones
        reveal_width=width,
        reveal_height=height,
    )
    notebook = for_the_wall(nbformat.read(path, as_version=4))
    page, _ = exporter.from_notebook_node(notebook, {"metadata": {"name": path.stem}})
    words = [
        output.metadata["image/png"]["alt"]
        for cell in notebook.cells
        if cell.metadata.get("slideshow", {}).get("slide_type") != "skip"
        for output in cell.get("outputs", [])
        if "image/png" in output.get("data", {})
    ]
    start, *parts = page.split(f'alt="{NO_WORDS}"')
    return start + "".join(f'alt="{html.escape(said)}"{part}' for said, part in zip(words, parts, strict=True))


def reveal():
    """The folder of reveal.js in the package that carries it."""
    found = find_spec("sphinx_revealjs")
    if found is None:
        raise SystemExit("reveal.js is missing; run: pip install sphinx-revealjs")
    return Path(found.origin).parent / "_static" / "revealjs"


def make(folder, paths):
    for part in ("dist", "plugin/notes"):
        shutil.copytree(reveal() / part, folder / "reveal" / part, ignore=shutil.ignore_patterns("*.map"))
    for path in paths:
        (folder / f"{path.stem}.html").write_text(deck(path), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2 or Path(sys.argv[1]).exists():
        raise SystemExit("name one folder, which is not there yet")
    make(Path(sys.argv[1]), sorted({path for rows in plans().values() for path in decks(rows)}))
