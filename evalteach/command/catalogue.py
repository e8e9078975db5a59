"""The notebooks that come with the package: where they are, what their first cells state, and the list of them."""

import json
import os
import re
from pathlib import Path
from typing import NamedTuple

from evalteach._record import PROGRESS, read_progress
from evalteach.command.terminal import Trouble, tell

PACKAGE = Path(__file__).resolve().parents[1]
FIRST = "00_start_here.ipynb"
FOLDER = "evalteach-notebooks"
PARTS = {  # by the tens of a notebook's number
    "0": "One classifier",
    "1": "The dark side of precision",
    "2": "The dark side of precision",
    "3": "Ranking and matching",
    "4": "Numbers and groups",
    "5": "Production",
    "6": "Judged answers",
    "9": "Practice",
}
PATHS = ("core", "interview", "all")  # the ways through the notebooks


class Entry(NamedTuple):
    """What the first cell of a notebook states; what it does not state is "" or 0."""

    name: str  # without .ipynb
    title: str
    question: str
    minutes: int  # of all of it
    core: int  # of these, without the deeper sections
    part: str
    paths: tuple[str, ...]  # those of PATHS that lead through it; none through a guide for teachers


def shipped_notebooks() -> list[Path]:
    source = PACKAGE / "_notebooks"
    # in a checkout the notebooks beside the package are the edited ones, a copy inside it would be stale
    if (PACKAGE.parent / "pyproject.toml").is_file() and (PACKAGE.parent / "notebooks").is_dir():
        source = PACKAGE.parent / "notebooks"
    notebooks = sorted(source.glob("*.ipynb"))
    if not notebooks:
        raise Trouble(f"there are no notebooks in {source}; install evalteach again.")
    return notebooks


def shipped_pages() -> list[Path]:
    """The Markdown pages beside the notebooks, such as the glossary."""
    return sorted(shipped_notebooks()[0].parent.glob("*.md"))


def named(name: str, files: list[Path]) -> Path:
    """The one file with this name, with or without its suffix, or with this number."""
    matches = [file for file in files if name in (file.name, file.stem, file.stem.split("_")[0])]
    if len(matches) != 1:
        raise Trouble(f'no notebook is called "{name}"; `evalteach list` shows all of them.')
    return matches[0]


def catalogue() -> list[Entry]:
    return [_entry(notebook) for notebook in shipped_notebooks()]


def _entry(notebook: Path) -> Entry:
    cells = _cells(notebook)
    text = _source(cells[0]) if cells and cells[0]["cell_type"] == "markdown" else ""

    def stated(pattern):
        match = re.search(pattern, text, re.MULTILINE)
        return match[1].strip() if match else ""

    minutes = stated(r"\*\*Minutes:\*\* *(\d+)")
    core = stated(r"\*\*Minutes:\*\* *\d+ *\(core (\d+)\)") or minutes
    words = re.findall(r"\w+", stated(r"\*\*Paths:\*\* *(.+)$"))
    return Entry(
        name=notebook.stem,
        title=stated(r"^# +(.+)$"),
        question=stated(r"\*\*(?:The question|Question):\*\* *(.+)$"),
        minutes=int(minutes or 0),
        core=int(core or 0),
        part=PARTS.get(notebook.stem[0], "More"),
        paths=tuple(path for path in PATHS if path in words),
    )


def _cells(notebook: Path) -> list[dict]:
    try:
        return json.loads(notebook.read_text(encoding="utf-8")).get("cells", [])
    except (OSError, ValueError) as error:
        raise Trouble(f"{notebook} cannot be read: {error}; install evalteach again.") from error


def _source(cell: dict) -> str:
    return "".join(cell["source"])  # which is a string or a list of lines


def hours(entries: list[Entry]) -> dict[str, float]:
    """How long each path takes, to half an hour."""
    minutes = {
        path: sum(entry.minutes if path == "all" else entry.core for entry in entries if path in entry.paths)
        for path in PATHS
    }
    return {path: round(total / 30) / 2 for path, total in minutes.items()}


# --- evalteach list --------------------------------------------------------------------------------------


def list_notebooks(arguments) -> int:
    entries, progress = catalogue(), _progress(arguments.folder)
    for part in dict.fromkeys(entry.part for entry in entries):
        tell(f"{part}\n")
        for entry in entries:
            if entry.part == part:
                tell(_lines(entry, progress))
        tell("")
    core, interview, whole = (f"about {time:g} hour{'s' * (time != 1)}" for time in hours(entries).values())
    tell(f"core       {core}: the notebooks with a *, without their deeper sections")
    tell(f"interview  {interview}: those with a * or a +, without their deeper sections")
    tell(f"all        {whole}")
    return 0


def _lines(entry: Entry, progress: dict[str, set[str]]) -> str:
    less = f", core {entry.core}" if entry.core < entry.minutes else ""
    minutes = f" ({entry.minutes} min{less})" if entry.minutes else ""
    ticks = f"  [{_ticks(entry.name, progress[entry.name])}]" if entry.name in progress else ""
    question = f"\n      {entry.question}" if entry.question else ""
    mark = "*" if "core" in entry.paths else "+" if "interview" in entry.paths else " "
    return f"{mark} {entry.name}  {entry.title}{minutes}{ticks}{question}"


def _progress(folder: str | None) -> dict[str, set[str]]:
    if folder is not None and not os.path.isdir(folder):
        raise Trouble(f"there is no folder {folder}; name the one that holds your notebooks.")
    # a terminal in Lab is in the folder itself
    records = [Path(place, PROGRESS) for place in ([FOLDER, "."] if folder is None else [folder])]
    return next((read_progress(record) for record in records if record.is_file()), {})


def _ticks(name: str, correct: set[str]) -> str:
    cells = _cells(shipped_notebooks()[0].with_name(f"{name}.ipynb"))
    code = "\n".join(_source(cell) for cell in cells if cell["cell_type"] == "code")
    exercises = set(re.findall(r"^check\(\s*(?!\w+_solved\b)(\w+)", code, re.MULTILINE))
    return f"ran, {len(exercises & correct)} of {len(exercises)} exercises" if exercises else "ran"
