"""The ``evalteach`` command: copy the notebooks and start Lab, report on a file, list, check the environment.

Only the standard library is imported at the top, so that copying works where nothing else is installed.
"""

import argparse
import filecmp
import hashlib
import importlib.metadata
import importlib.util
import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from evalteach import __version__
from evalteach._record import PROGRESS, read_progress, read_record, whole_file, write_record, write_whole

FIRST = "00_start_here.ipynb"
REPORT = "91_your_own_scores"
# for teachers: a folder for a class has none of them
KEYS = ("93_teaching.ipynb", "answers.md", "cards.md", "cards_key.md")
# as the notebook's parameters
GIVEN = ("label", "score", "positive", "ratio", "unlabeled_score", "class_size", "budget", "threshold")
FOLDER = "evalteach-notebooks"
RECORD = ".evalteach.json"
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
SITE = ("sphinx", "myst_nb", "furo", "latex2mathml")  # what the extra installs
IMPORTS = r"""import importlib, json, sys
for name in sys.argv[1:]:
    error = ""
    try:
        importlib.import_module(name)
    except BaseException as raised:
        error = " ".join(f"{type(raised).__name__}: {raised}".split())[:200]
    print("\n\0tried " + json.dumps([name, error]), flush=True)
"""
CHECKED = ("jupyterlab", "ipywidgets", "numpy", "pandas", "matplotlib", "scikit-learn")


class Trouble(Exception):
    """What went wrong, in one sentence for the reader: `main` prints it and returns 2."""


class Terminated(KeyboardInterrupt):
    """SIGTERM, which ends a command as Ctrl-C does: with nothing left behind."""


def main(argv=None) -> int:
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, ValueError):  # what stands for one of them may be anything
            stream.reconfigure(errors="backslashreplace")  # a pipe on Windows has few of the letters of file names
    arguments = _parser().parse_args(argv)
    handler = None
    try:
        with suppress(ValueError):  # in a thread, which gets no signals
            handler = signal.signal(signal.SIGTERM, _terminate)
        return arguments.run(arguments)
    except Trouble as trouble:
        print(f"evalteach: {trouble}", file=sys.stderr)
        return 2
    except KeyboardInterrupt as stop:
        return 143 if isinstance(stop, Terminated) else 130
    finally:
        if handler is not None:
            signal.signal(signal.SIGTERM, handler)


def _terminate(*_):
    raise Terminated


def _parser():
    parser = argparse.ArgumentParser("evalteach", description="Evaluation metrics in notebooks with sliders.")
    parser.add_argument("--version", action="version", version=f"evalteach {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def add(name, run, text):
        command = commands.add_parser(name, help=text, description=text)
        command.set_defaults(run=run)
        return command

    command = add("lab", lab, "copy the notebooks to a folder of yours and open them in JupyterLab")
    command.add_argument("folder", metavar="DIR", nargs="?", default=FOLDER, help=f"default: {FOLDER}")
    command.add_argument("--fresh", action="store_true", help="for a class: no outputs, and no pages for teachers")
    command.add_argument("--reset", metavar="NAME", help="only bring one notebook back; yours is kept beside it")
    command.add_argument("--copy-only", action="store_true", help="copy, and do not start JupyterLab")
    command.add_argument("--no-browser", action="store_true", help="start JupyterLab without a browser")
    command.add_argument("--port", type=int, metavar="N", help="this port or none (default: a free one)")
    command.add_argument("--with", dest="own", metavar="FILE", help="copy this file of scores beside the notebooks")

    command = add("report", report, "one HTML page on a file of labels and scores, CSV or Parquet")
    command.add_argument("file", metavar="FILE", help="one row for each label and score, under a line of names")
    command.add_argument("--label", metavar="COLUMN", help="the column of labels (default: found out)")
    command.add_argument("--score", metavar="COLUMN", help="the column of scores (default: found out)")
    command.add_argument("--positive", metavar="LABEL", help="the label that you look for, such as fraud")
    command.add_argument("--ratio", type=_ratio, metavar="N", help="negatives per positive in production: 400 or 1:400")
    command.add_argument("--threshold", type=float, metavar="X", help="yours (default: a usual one)")
    command.add_argument("--unlabeled", metavar="FILE", help="a file of scores without labels")
    command.add_argument("--unlabeled-score", metavar="COLUMN", help="its column of scores (default: as in FILE)")
    command.add_argument("--class-size", metavar="N", help="positives among the unlabeled: 95, or limits: 70:120")
    command.add_argument("--budget", type=int, metavar="N", help="unlabeled rows that an expert can review")
    command.add_argument("--out", metavar="PAGE", help="where to write it (default: FILE_report.html, here)")

    command = add("site", site, "all notebooks as pages, for a web server: one slider of each picture moves there")
    command.add_argument("folder", metavar="DIR", help="where to write it: a new folder, or an empty one")
    command.add_argument("--launch", metavar="ADDRESS", help="a public copy: https://mybinder.org/v2/gh/OWNER/REPO/TAG")

    command = add("list", list_notebooks, "the notebooks by part, each with its question, its minutes and your ticks")
    command.add_argument("folder", metavar="DIR", nargs="?", help=f"where yours are (default: {FOLDER}, or here)")
    add("check", check, "whether this environment has what the notebooks need")
    return parser


def _ratio(text):
    """Negatives per positive, from 400 or 1:400."""
    positives, _, negatives = text.rpartition(":")
    try:
        if positives.strip() in ("", "1"):
            return float(negatives)
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"write the negatives per positive, as 400 or 1:400, not {text!r}")


def _tell(line: str):
    try:
        print(line, flush=True)  # else a pipe shows what was copied when Lab has ended
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):  # who reads has seen enough, as `head` does: the work goes on
            raise Trouble(f"the output cannot be written: {error.strerror}.") from error


# --- the notebooks ---------------------------------------------------------------------------------------


def shipped_notebooks() -> list[Path]:
    package = Path(__file__).resolve().parent
    source = package / "_notebooks"
    # in a checkout the notebooks beside the package are the edited ones, a copy inside it would be stale
    if (package.parent / "pyproject.toml").is_file() and (package.parent / "notebooks").is_dir():
        source = package.parent / "notebooks"
    notebooks = sorted(source.glob("*.ipynb"))
    if not notebooks:
        raise Trouble(f"there are no notebooks in {source}; install evalteach again.")
    return notebooks


def shipped_pages() -> list[Path]:
    """The Markdown pages that lie beside the notebooks, such as a glossary."""
    return sorted(shipped_notebooks()[0].parent.glob("*.md"))


class Entry(NamedTuple):
    """What the first cell of a notebook states, and where the notebook stands; what is not stated is "" or 0."""

    name: str  # without .ipynb
    title: str
    question: str
    minutes: int  # of all of it
    core: int  # of these, without the deeper sections
    part: str
    paths: tuple[str, ...]  # those of PATHS that lead through it; none through a guide for teachers


def catalogue() -> list[Entry]:
    return [_entry(notebook) for notebook in shipped_notebooks()]


def _entry(notebook: Path) -> Entry:
    cells = _cells(notebook)
    text = _source(cells[0]) if cells and cells[0]["cell_type"] == "markdown" else ""

    def stated(pattern):
        found = re.search(pattern, text, re.MULTILINE)
        return found[1].strip() if found else ""

    minutes = stated(r"\*\*Minutes:\*\* *(\d+)")
    core = stated(r"\*\*Minutes:\*\* *\d+ *\(core (\d+)\)") or minutes
    name = notebook.stem
    return Entry(
        name,
        title=stated(r"^# +(.+)$"),
        question=stated(r"\*\*(?:The question|Question):\*\* *(.+)$"),
        minutes=int(minutes or 0),
        core=int(core or 0),
        part=PARTS.get(name[0], "More"),
        paths=tuple(path for path in PATHS if path in re.findall(r"\w+", stated(r"\*\*Paths:\*\* *(.+)$"))),
    )


def _cells(notebook: Path) -> list[dict]:
    try:
        return json.loads(notebook.read_text(encoding="utf-8")).get("cells", [])
    except (OSError, ValueError) as error:
        raise Trouble(f"{notebook} cannot be read: {error}.") from error


def _source(cell: dict) -> str:
    return "".join(cell["source"])  # which is a string or a list of lines


def hours(entries: list[Entry]) -> dict[str, float]:
    """How long each path takes, to half an hour."""
    minutes = {
        path: sum(entry.minutes if path == "all" else entry.core for entry in entries if path in entry.paths)
        for path in PATHS
    }
    return {path: round(total / 30) / 2 for path, total in minutes.items()}


def list_notebooks(arguments) -> int:
    entries, progress = catalogue(), _progress(arguments.folder)
    for part in dict.fromkeys(entry.part for entry in entries):
        _tell(f"{part}\n")
        for entry in entries:
            if entry.part == part:
                _tell(_listed(entry, progress))
        _tell("")
    core, interview, whole = (f"about {time:g} hour{'s' * (time != 1)}" for time in hours(entries).values())
    _tell(f"core       {core}: the notebooks with a *, without their deeper sections")
    _tell(f"interview  {interview}: those with a * or a +, without their deeper sections")
    _tell(f"all        {whole}")
    return 0


def _listed(entry: Entry, progress: dict[str, set[str]]) -> str:
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


# --- evalteach lab ---------------------------------------------------------------------------------------


def lab(arguments) -> int:
    files = [*shipped_notebooks(), *shipped_pages()]
    # before anything is copied: a command that cannot do what was asked should have done nothing
    if not arguments.folder:
        raise Trouble("DIR is empty; name a folder, or leave it out.")
    if arguments.port is not None and not 0 <= arguments.port <= 65535:
        raise Trouble(f"there is no port {arguments.port}; choose from 1 to 65535, or 0 for any free one.")
    folder = Path(arguments.folder)
    own = Path(arguments.own) if arguments.own is not None else None
    if own and arguments.reset is not None:
        raise Trouble("--reset brings one notebook back and --with copies a file; run one after the other.")
    if own and not own.is_file():
        raise Trouble(f"there is no file {own}; check folder and spelling.")
    if arguments.reset is not None:
        return 0 if _reset(_named(arguments.reset, files), folder, arguments.fresh) else 2
    if arguments.fresh:
        files = [file for file in files if file.name not in KEYS]
    if not arguments.copy_only and importlib.util.find_spec("jupyterlab") is None:
        raise Trouble(f"JupyterLab is missing; copy the notebooks with --copy-only, or {_pip('jupyterlab<5')}")
    whole = _copy(files, folder, arguments.fresh)
    if own:
        _tell(_bring(own, folder))
    code = 0 if arguments.copy_only else _start(folder.resolve(), arguments)
    return code or (0 if whole else 2)


def _copy(files: list[Path], folder: Path, fresh: bool) -> bool:
    """Bring the files to the folder; whether each could be, or is there in the reader's own version."""
    what = "the notebooks"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if folder.resolve() == files[0].parent:
            _tell(f"{folder} holds the shipped notebooks themselves: nothing to copy")
            return True
        before = read_record(folder / RECORD)
        record, told = dict(before), []
        for file in files:
            what = file.name
            told.append(_place(_states(file, fresh), folder / file.name, record))
            _tell(f"{file.name}: {told[-1]}")
        if record != before:
            what = RECORD
            write_record(folder / RECORD, record)
        if not os.path.lexists(folder / PROGRESS):
            what = PROGRESS
            write_record(folder / PROGRESS, {})
    except OSError as error:
        if os.path.isfile(folder):  # Path's own raises again for a name that is too long
            raise Trouble(f"{folder} is a file, not a folder; name another folder.") from error
        if os.path.islink(folder) and not os.path.exists(folder):
            raise Trouble(f"{folder} is a link to nothing; name another folder.") from error
        raise Trouble(f"{what} cannot be copied to {folder}: {error.strerror}.") from error
    return not any(done.startswith("NOT") for done in told)


def _bring(own: Path, folder: Path) -> str:
    """Copy a reader's file to the folder, under a name that is free there, or leave the same one there."""
    for number in itertools.count(1):
        target = folder / (f"{own.stem}-{number}{own.suffix}" if number > 1 else own.name)
        named = f"in {REPORT} write FILE = {json.dumps(target.name, ensure_ascii=False)}"
        try:
            if target.is_file() and filecmp.cmp(own, target, shallow=False):
                return f"{target.name}: is there; {named}"
            with suppress(FileExistsError), open(own, "rb") as content, whole_file(target) as file:
                shutil.copyfileobj(content, file)
                return f"{target.name}: copied; {named}"
        except OSError as error:
            raise Trouble(f"{own} cannot be copied to {folder}: {error.strerror}.") from error


def _states(file: Path, fresh: bool) -> list[bytes]:
    """The contents in which a file may be put into the reader's folder, the wanted one first."""
    content = file.read_bytes()
    if file.suffix != ".ipynb":
        return [content]
    try:
        notebook = json.loads(content)
        for cell in notebook.get("cells", []):
            if cell["cell_type"] == "code":
                cell |= {"outputs": [], "execution_count": None}
        bare = json.dumps(notebook, indent=1, ensure_ascii=False).encode() + b"\n"
    except ValueError as error:
        raise Trouble(f"{file} cannot be read: {error}.") from error
    return [bare, content] if fresh else [content, bare]


def _place(states: list[bytes], target: Path, record: dict[str, str]) -> str:
    """Bring one file to the reader's folder, unless that would cost them work; say what was done.

    The record holds the hash of what was last put there: a file that differs from it, and from both states
    of what is shipped now, is the reader's own.
    """
    shipped, recorded = [_sha256(state) for state in states], record.get(target.name)
    if _in_the_way(target):
        return "NOT copied, a folder or a link has its name; rename or delete that and run again"
    # an empty file is what a full disk left, and nobody's work
    present = _sha256(target.read_bytes()) if target.exists() and target.stat().st_size else None
    if present not in (None, recorded, *shipped):
        # the old hash stays in the record, so that the next run tells of the newer version again
        instead = f"rename or delete yours and run again, or run with --reset {target.name}"
        if recorded is None:
            return f"kept, it is not the shipped one; for that, {instead}"
        return "kept, edited by you" + (f"; for the newer version, {instead}" if recorded not in shipped else "")
    if present != shipped[0]:
        write_whole(target, states[0], over=True)
    record[target.name] = shipped[0]
    if present is None:
        return "copied again" if recorded else "copied"
    return "up to date" if present == shipped[0] else "updated"


def _in_the_way(target: Path) -> bool:
    return target.is_symlink() or (target.exists() and not target.is_file())


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _named(name: str, files: list[Path]) -> Path:
    found = [file for file in files if name in (file.name, file.stem, file.stem.split("_")[0])]
    if len(found) != 1:
        raise Trouble(f'no notebook is called "{name}"; `evalteach list` shows all of them.')
    return found[0]


def _reset(file: Path, folder: Path, fresh: bool) -> bool:
    """Bring one shipped file back, and keep the reader's own under another name; whether it could be."""
    if not os.path.isdir(folder):
        raise Trouble(f"there is no folder {folder}; name the one that holds your notebooks.")
    if folder.resolve() == file.parent:
        raise Trouble(f"{folder} holds the shipped notebooks themselves: there is nothing to bring back.")
    target, states = folder / file.name, _states(file, fresh)
    try:
        record, kept = read_record(folder / RECORD), None
        if target.exists() and not _in_the_way(target):
            own = target.read_bytes()
            if _sha256(own) not in (record.get(file.name), *map(_sha256, states)):
                kept = _keep(own, target)
                record[file.name] = _sha256(own)  # if Lab saves another one by now, that is not replaced
        told = _place(states, target, record)
        write_record(folder / RECORD, record)
    except OSError as error:
        raise Trouble(f"{file.name} cannot be brought back in {folder}: {error.strerror}.") from error
    done = {"updated": "brought back", "up to date": "it is the shipped one already"}.get(told, told)
    _tell(f"{file.name}: {done}" + (f"; yours is now {kept.name}" if kept else ""))
    if told == "updated":
        _tell("If it is open in JupyterLab: File > Reload Notebook from Disk")
    return not told.startswith("NOT")


def _keep(content: bytes, target: Path) -> Path:
    for number in itertools.count(1):
        again = f"-{number}" if number > 1 else ""
        own = target.with_name(f"{target.stem}.mine{again}{target.suffix}")
        with suppress(FileExistsError):
            write_whole(own, content)
            return own


def _start(folder: Path, arguments) -> int:
    command = [
        # -P: a numpy.py or a random.py in the current folder must not be imported instead of the real one
        *(sys.executable, "-P", "-m", "jupyterlab"),
        f"--ServerApp.root_dir={folder}",
        f"--LabApp.default_url=/lab/tree/{FIRST}",  # Lab ignores ServerApp.default_url
    ]
    if arguments.no_browser:
        command.append("--no-browser")
    if arguments.port is not None:
        command += [f"--ServerApp.port={arguments.port}", "--ServerApp.port_retries=0"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.append("--allow-root")  # whoever is root already, as in most containers, would only be sent away
    # else a kernel "python3" in the home folder, which may run any interpreter, hides this environment's own
    process = subprocess.Popen(command, env={**os.environ, "JUPYTER_PREFER_ENV_PATH": "1"})
    # Lab gets Ctrl-C too and asks whether to stop: leaving now, or any time before it, would kill it with its kernels
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: process.terminate())  # which only this process gets: Lab would stay
    code = process.wait()
    if code == 1 and arguments.port:
        raise Trouble(f"JupyterLab ended with an error; if port {arguments.port} is taken, choose another with --port.")
    return code if code >= 0 else 128 - code  # as a shell tells that a signal ended it


# --- evalteach report ------------------------------------------------------------------------------------


def report(arguments) -> int:
    out = Path(arguments.out or f"{Path(arguments.file).stem}_report.html")
    _check_target(out)
    for option in ("unlabeled_score", "class_size", "budget"):
        if getattr(arguments, option) is not None and arguments.unlabeled is None:
            option = option.replace("_", "-")
            raise Trouble(f"--{option} is about unlabeled rows; name their file with --unlabeled.")
    notebook = _named(REPORT, shipped_notebooks())
    files = [file for file in (arguments.file, arguments.unlabeled) if file is not None]
    before = list(map(_stamp, files))
    try:
        given = _given(arguments)
        _tell(f"running {REPORT} on it")
        content = _page_of(notebook, given, Path(arguments.file).name, dict(zip(files, before, strict=True)))
    except ImportError as error:
        raise Trouble(f"{error.name} is missing; {_pip(error.name or 'evalteach')}") from error
    except ValueError as error:
        raise Trouble(f"{_as_options(f'{error}')}.") from error
    try:
        write_whole(out, content.encode())
    except OSError as error:
        raise Trouble(f"{out} cannot be written: {error.strerror}.") from error
    _tell(f"written: {out} ({len(content.encode()) / 1e6:.1f} MB); open it in a browser")
    return 0


def _check_target(out: Path):
    """Refuse a page that could not be written, before minutes of work are spent on it."""
    try:
        if not out.parent.is_dir():
            raise Trouble(f"there is no folder {out.parent}; name a page in one that is there with --out.")
        with suppress(FileNotFoundError):
            os.lstat(out)
            raise Trouble(f"{out} is there already, and nothing is overwritten; name another page with --out.")
        tempfile.TemporaryFile(dir=out.parent).close()
    except OSError as error:
        raise Trouble(f"{out} cannot be written: {error.strerror}; name another page with --out.") from error


def _stamp(file: str):
    """What changes when somebody writes to a file; None if it cannot be known."""
    with suppress(OSError):
        found = os.stat(file)
        return found.st_size, found.st_mtime_ns


def _as_options(text: str) -> str:
    """What the library calls label="y" is --label "y" here."""
    return re.sub(
        r"\b(label|score|positive|unlabeled-score)=(?=(['\"])?)",
        lambda found: f"--{found[1]}" + " " * bool(found[2]),
        text,
    )


def _given(arguments) -> dict:
    """What the notebook is told; the files are read here first, so that whatever is wrong is told at once."""
    from evalteach._inputs import check_between
    from evalteach.files import read_interval, read_scores, read_unlabeled

    for option, low in (("ratio", 0), ("budget", 0), ("threshold", -float("inf"))):
        if getattr(arguments, option) is not None:
            check_between(f"--{option}", getattr(arguments, option), low, float("inf"))
    most = 0 if arguments.class_size is None else read_interval(arguments.class_size, "--class-size")[1]
    _tell(f"reading {arguments.file}")
    try:
        table = read_scores(arguments.file, label=arguments.label, score=arguments.score, positive=arguments.positive)
        told = [table]
        if arguments.unlabeled is not None:
            try:
                told.append(read_unlabeled(arguments.unlabeled, score=arguments.unlabeled_score or table.score))
            except ValueError as error:
                raise ValueError(re.sub(r"\bscore=", "unlabeled-score=", f"{error}")) from error
    except OSError as error:
        raise Trouble(f"{error.filename or arguments.file} cannot be read: {error.strerror}.") from error
    if len(told) > 1 and most > told[1].n_rows:
        raise ValueError(f"--class-size is {most:,.6g}, and {arguments.unlabeled} has {told[1].n_rows:,} rows")
    for read in told:
        warnings = (f"Warning: {_as_options(warning)}" for warning in read.warnings)
        _tell("\n".join([*read.summary, *warnings]))
    paths = {"FILE": arguments.file, "UNLABELED": arguments.unlabeled}
    return {
        **{name: path and os.path.abspath(path) for name, path in paths.items()},
        **{name.upper(): getattr(arguments, name) for name in GIVEN},
    }


def _page_of(notebook: Path, given: dict, name: str, stamps: dict) -> str:
    from datetime import date

    from evalteach import _page

    def tell(done, cells):
        if sys.stdout.isatty():
            print(f"\r  {100 * done // cells:3d} %", end="" if done < cells else "\n", flush=True)

    book = _page.run(notebook, given, tell)
    footer = f"Made with evalteach {__version__} on {date.today()}."
    for file in [file for file, stamp in stamps.items() if _stamp(file) != stamp]:
        warning = f"Warning: {file} changed while this page was made, so the page may not be about all of it."
        _tell(f"{warning} Make another page when the file is complete.")
        footer += f" {warning}"
    return _page.page(book, f"What the scores in {name} say", footer)


# --- evalteach site --------------------------------------------------------------------------------------


def site(arguments):
    out = Path(arguments.folder)
    if os.path.lexists(out) and not (out.is_dir() and not any(out.iterdir())):
        raise Trouble(f"{out} is there already, and nothing is overwritten; name a new folder, or an empty one.")
    if not out.absolute().parent.is_dir():
        raise Trouble(f"there is no folder {out.parent}; name a folder in one that is there.")
    if missing := [name for name in SITE if importlib.util.find_spec(name) is None]:
        raise Trouble(f"{missing[0]} is missing; {_pip('evalteach[site]')}")
    launch = arguments.launch and arguments.launch.rstrip("/")
    if launch and not re.fullmatch(r"https?://[^\s?#()]+", launch):
        raise Trouble(f"--launch must be an address that begins with https://, and has no ?, got {launch}.")
    from evalteach import _site

    entries = catalogue()
    told = []

    def tell(name, share):
        if sys.stdout.isatty():
            print(f"\r  {100 * share:3.0f} %  {name:40}", end="\n" * (name == "pages"), flush=True)
        elif name not in told:
            told.append(name)
            _tell(f"{name} ({len(told)} of {len(entries) + 1})")

    _tell(f"running {len(entries)} notebooks; that takes minutes")
    try:
        warnings = _site.build([*zip(shipped_notebooks(), entries, strict=True)], shipped_pages(), out, tell, launch)
    except ValueError as error:
        raise Trouble(f"{error}.") from error
    except OSError as error:
        raise Trouble(f"{error.filename or out} cannot be written: {error.strerror}.") from error
    for warning in warnings:
        _tell(f"Warning: {warning}")
    _tell(f"written: {out}; look at it with: {sys.executable} -m http.server -d {out}")
    return 0


# --- evalteach check -------------------------------------------------------------------------------------


def check(arguments) -> int:
    needs = _declared_needs()
    python, trouble = "{}.{}.{}".format(*sys.version_info), _import_trouble(CHECKED)
    fine = [
        _check_version("python", python, needs.get("python"), "install evalteach with a newer Python"),
        _check_version("evalteach", __version__, None),
        *(_check_package(name, needs.get(name), trouble.get(name)) for name in CHECKED),
        _check_kernel(),
        _check_extension("sliders", "jupyterlab_widgets", "@jupyter-widgets/jupyterlab-manager"),
        _check_extension("quick pictures", "anywidget", "anywidget"),
    ]
    missing = fine.count(False)
    _tell(
        f"{missing} {'thing is' if missing == 1 else 'things are'} missing: see above" if missing else "all is in order"
    )
    return 2 if missing else 0


def _say(fine: bool, what: str, mend: str = "") -> bool:
    _tell(f"{'ok' if fine else 'missing':9}{what}" + (f"; {mend}" if mend and not fine else ""))
    return fine


def _run(*words: str) -> str:
    return "run: " + " ".join(word if re.fullmatch(r"[\w./:\\-]+", word) else f'"{word}"' for word in words)


def _pip(*what: str) -> str:
    return _run(sys.executable, "-m", "pip", "install", *what)


def _declared_needs() -> dict:
    """The versions that the installed package declares, by name; empty where that cannot be known."""
    try:
        from packaging.requirements import Requirement
        from packaging.specifiers import SpecifierSet

        declared = importlib.metadata.metadata("evalteach")
    except ImportError:  # no packaging, or no metadata: PackageNotFoundError is an ImportError too
        return {}
    needs = {"python": SpecifierSet(declared["Requires-Python"])}
    for requirement in map(Requirement, declared.get_all("Requires-Dist", [])):
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            needs[requirement.name] = requirement.specifier
    return needs


def _check_version(name: str, version: str, needed, mend: str = "") -> bool:
    fine = needed is None or needed.contains(version, prereleases=True)
    return _say(fine, f"{name} {version}" + (f" (needed: {needed})" if needed else ""), mend)


def _import_trouble(names) -> dict[str, str]:
    """Why a package cannot be imported, for each that cannot; they are, in a process that may crash."""
    modules = {"sklearn" if name == "scikit-learn" else name: name for name in names}
    done = subprocess.run([sys.executable, "-P", "-c", IMPORTS, *modules], capture_output=True, encoding="utf-8")
    errors = dict(json.loads(line[7:]) for line in done.stdout.splitlines() if line.startswith("\0tried "))
    last = next((name for name in modules if name not in errors), None)  # at which the process ended
    errors |= {last: "Python itself crashes"} if last else {}
    return {modules[name]: error for name, error in errors.items() if error}


def _check_package(name: str, needed, trouble=None) -> bool:
    wanted = f"{name}{needed or ''}"
    try:
        version = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return _say(False, wanted, _pip(wanted))
    if trouble:
        return _say(False, f"{name} {version} cannot be imported ({trouble})", _pip("--force-reinstall", wanted))
    return _check_version(name, version, needed, _pip(wanted))


def _check_kernel() -> bool:
    os.environ["JUPYTER_PREFER_ENV_PATH"] = "1"  # look where `evalteach lab` makes Lab look
    try:
        from jupyter_client.kernelspec import KernelSpecManager

        program = KernelSpecManager().get_kernel_spec("python3").argv[0]
    except Exception:  # none there, or one that cannot be read, in whichever way: Lab could not start it
        return _say(False, "kernel python3", _pip("ipykernel"))
    # Jupyter runs a bare "python" with its own interpreter. The folders are compared and not the files: in
    # an environment the interpreter is a link, and two environments' links lead to one and the same file.
    here = Path(sys.executable)
    bare = ("python", f"python{sys.version_info[0]}", "python{}.{}".format(*sys.version_info))
    fine = program in bare or Path(program).parent.resolve() == here.parent.resolve()
    mend = _run(str(here), "-m", "ipykernel", "install", "--sys-prefix")
    return _say(fine, f"kernel python3 runs {here if fine else f'{program}, not {here}'}", mend)


def _check_extension(gives: str, package: str, folder: str) -> bool:
    try:
        from jupyter_core.paths import jupyter_path

        places = jupyter_path("labextensions")
    except ImportError:
        places = []
    found = [place for place in places if Path(place, folder).is_dir()]
    what = f"{gives} in JupyterLab, from {found[0]}" if found else f"{gives} in JupyterLab"
    return _say(bool(found), what, _pip(package, "--force-reinstall"))
