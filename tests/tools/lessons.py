"""How a notebook is built: its cells, each with the sections and the folds that it stands in."""

import re
from functools import cache, cached_property
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import unquote

import nbformat

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
COLLAPSED = "jp-MarkdownHeadingCollapsed"
FOLDED = ("Answers", "Answer", "What you find", "Solution")  # headings of level 4, always collapsed
# a form that readers fill in with their own file is no lesson: it asks for no guess, and defines no term
FORMS = ("91_your_own_scores", "92_interview")
# nor is a guide for teachers: its reader exercises nothing, and its guesses are cards for a class
GUIDES = ("93_teaching",)
HEAD = ["name", "definition", "when to use it", "what it cannot see", "also called"]
OLD_HEAD = ["", "formula", "range", "better when", "blind to", "use when", "others call it"]
TASKS = re.compile(r"\*\*Try(?: this)?:\*\*")
PICTURE = re.compile(r"\b(\w*Explorer|ReviewLog|InterviewRound|moving)\(")  # what a reader can move
REPAIRS = ("# fix this line", "# mend this line")
STUBS = ("# your lines here", "# your line here", *REPAIRS)


def is_stub(source):
    return any(mark in source for mark in STUBS)


def is_repair(source):
    return any(mark in source for mark in REPAIRS)


class Lesson:
    """A notebook's cells with ``code``, ``source``, ``heading``, ``above`` (headings it stands under) and ``folds``."""

    def __init__(self, notebook, name):
        self.name = name
        self.notebook = notebook
        self.cells = list(cells_of(notebook))
        self.new = "**The question:**" in self.cells[0].source  # all others will be rewritten in this form

    @cached_property
    def paths(self):
        """The ways through the notebooks that lead through this one."""
        stated = re.search(r"\*\*Paths:\*\* (.*)\.$", self.cells[0].source)[1]
        return set(stated.split(", ")) - {"none"}

    @cached_property
    def code(self):
        return [cell for cell in self.cells if cell.code]

    @cached_property
    def prose(self):
        return [cell for cell in self.cells if not cell.code]

    @cached_property
    def headings(self):
        return [cell.heading[1] for cell in self.cells if cell.heading]

    def below(self, fold):
        """The cells that a heading folds: up to the next heading of its level or above."""
        ends = (c.i for c in self.cells[fold.i + 1 :] if c.heading and c.heading[0] <= fold.heading[0])
        return self.cells[fold.i + 1 : next(ends, len(self.cells))]

    def within(self, title):
        """The cells of a section, with the one that its heading begins."""
        return [cell for cell in self.cells if title in (words for _, words in (*cell.above, cell.heading or (0, "")))]


def cells_of(notebook):
    above, shut = [], []
    for i, cell in enumerate(notebook.cells):
        heading = None
        if cell.cell_type == "markdown" and (found := re.match(r"(#{1,6}) +(.*)", cell.source)):
            heading = (len(found[1]), found[2].strip())
            above = [h for h in above if h[0] < heading[0]]
            shut = [h for h in shut if h[0] < heading[0]]
        solution = "solution" in cell.metadata.get("tags", [])
        yield SimpleNamespace(
            i=i,
            code=cell.cell_type == "code",
            source=cell.source,
            outputs=cell.get("outputs", []),
            heading=heading,
            collapsed=cell.metadata.get(COLLAPSED) is True,
            above=tuple(above),
            folds=tuple(words for _, words in shut),
            deeper=any(words.startswith("Deeper") for _, words in [*above, heading or (0, "")]),
            hidden=cell.metadata.get("jupyter", {}).get("source_hidden") is True,
            solution=solution,
        )
        if heading:
            above = [*above, heading]
            if cell.metadata.get(COLLAPSED) is True:
                shut = [*shut, heading]


def read(path):
    return Lesson(nbformat.read(path, as_version=4), Path(path).stem)


def paths():
    return sorted(NOTEBOOKS.glob("*.ipynb"))


# --- links and terms ---


def anchor(heading):
    """The place of a heading as JupyterLab names it: its text with hyphens for blanks."""
    return re.sub(r"[`*]", "", heading).replace(" ", "-")


def links(markdown):
    """Targets of links that lead to no other host."""
    found = re.findall(r"\]\(((?:[^()\s]|\([^()\s]*\))+)\)", re.sub(r"```.*?```|`[^`]*`", "", markdown, flags=re.S))
    return [unquote(target) for target in found if not re.match(r"\w+:", target)]


@cache
def anchors(path):
    """Anchors of a page or notebook, each as often as it has it; none in a fold, which Lab leaves shut."""
    if path.suffix == ".ipynb":
        return [anchor(cell.heading[1]) for cell in read(path).cells if cell.heading and not cell.folds]
    return [anchor(heading) for heading in re.findall(r"^#{1,6} +(.*)$", path.read_text(encoding="utf-8"), flags=re.M)]


def broken(target, name):
    """What is wrong with a link in the notebook of this name; nothing if it leads somewhere."""
    file, _, place = target.partition("#")
    path = NOTEBOOKS / (file or f"{name}.ipynb")
    if not path.exists():
        return "there is no such file"
    if place and anchors(path).count(place) != 1:
        return f"{anchors(path).count(place)} headings outside of folds are called so"
    return ""


def closing_table(lesson):
    """Rows of the table at the end, its head first."""
    titles = ("What to remember", "To take away")
    rows = [row for title in titles for cell in lesson.within(title) for row in rows_of(cell)]
    return rows[:1] + rows[2:]


def rows_of(cell):
    for line in cell.source.splitlines():
        if line.startswith("|"):
            yield [part.strip() for part in re.split(r"(?<!\\)\|", line.strip().removeprefix("|").removesuffix("|"))]


def places_of(lesson, term):
    """The cells of prose in which a term stands in bold, as often as it does."""
    bold = f"**{term}**".lower()
    return [cell for cell in lesson.prose for _ in range(cell.source.lower().count(bold))]
