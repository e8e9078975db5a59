"""``evalteach report``: the notebook on a reader's own scores, run on a file, as one HTML page."""

import os
import re
import sys
import tempfile
from contextlib import suppress
from datetime import date
from pathlib import Path

from evalteach import __version__
from evalteach._record import write_whole
from evalteach.command.catalogue import named, shipped_notebooks
from evalteach.command.terminal import Trouble, pip_install, tell

NOTEBOOK = "91_your_own_scores"
FILES = ("file", "unlabeled")
# options that are parameters of the notebook, in capitals there
PARAMETERS = ("label", "score", "positive", "ratio", "unlabeled_score", "class_size", "budget", "threshold")
OF_UNLABELED = ("unlabeled_score", "class_size", "budget")
OF_SCORES = ("score", "ratio", "threshold", "unlabeled", *OF_UNLABELED)


def report(arguments) -> int:
    out = Path(arguments.out or f"{Path(arguments.file).stem}_report.html")
    _check_target(out)
    files = [getattr(arguments, name) for name in FILES if getattr(arguments, name) is not None]
    before = list(map(_state, files))
    try:
        _check_options(arguments)
        blocks = _judged(arguments) if arguments.judge is not None else _scored(arguments)
    except ImportError as error:
        raise Trouble(f"{error.name} is missing; {pip_install(error.name or 'evalteach')}") from error
    except OSError as error:
        advice = "Check the name and who may read it."
        raise Trouble(f"{error.filename or arguments.file} cannot be read: {error.strerror}. {advice}") from error
    except ValueError as error:
        raise Trouble(f"{_as_options(error)}.") from error
    footer = f"Made with evalteach {__version__} on {date.today()}."
    for file, state in zip(files, before, strict=True):
        if _state(file) != state:
            warning = f"Warning: {file} changed while this page was made, so the page may not be about all of it."
            tell(f"{warning} Make another page when the file is complete.")
            footer += f" {warning}"
    subject = "scores" if arguments.judge is None else "verdicts"
    _write(out, blocks, f"What the {subject} in {Path(arguments.file).name} say", footer)
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


def _state(file: str):
    """What changes when somebody writes to a file; None if it cannot be known."""
    with suppress(OSError):
        status = os.stat(file)
        return status.st_size, status.st_mtime_ns


def _check_options(arguments):
    from evalteach._inputs import check_between

    if arguments.not_drawn and arguments.judge is None:
        raise ValueError("--not-drawn is about labels beside verdicts; name the column of these with --judge")
    for name in OF_SCORES:
        if getattr(arguments, name) is not None and arguments.judge is not None:
            raise ValueError(f"--{name.replace('_', '-')} is about scores; leave it out with --judge")
    for name in OF_UNLABELED:
        if getattr(arguments, name) is not None and arguments.unlabeled is None:
            raise ValueError(f"--{name.replace('_', '-')} is about unlabeled rows; name their file with --unlabeled")
    if arguments.ratio is not None:
        check_between("--ratio", arguments.ratio, 0, 1e290, open_ends="low")  # times rows it stays a number
    for name, low in (("budget", 0), ("threshold", -float("inf"))):
        if getattr(arguments, name) is not None:
            check_between(f"--{name}", getattr(arguments, name), low, float("inf"))


def _read(arguments):
    """Read the files as the notebook will, so that whatever is wrong is said at once, and say how they were read."""
    from evalteach.command.reading import read_interval, read_scores, read_unlabeled

    largest = 0 if arguments.class_size is None else read_interval(arguments.class_size, "--class-size")[1]
    tell(f"reading {arguments.file}")
    table = read_scores(arguments.file, label=arguments.label, score=arguments.score, positive=arguments.positive)
    _tell_summary(table)
    if arguments.unlabeled is not None:
        try:
            unlabeled = read_unlabeled(arguments.unlabeled, score=arguments.unlabeled_score or table.score)
        except ValueError as error:
            raise ValueError(re.sub(r"\bscore=", "unlabeled-score=", f"{error}")) from error
        if largest > unlabeled.n_rows:
            n_rows = f"{unlabeled.n_rows:,} rows. Name fewer"
            raise ValueError(f"--class-size is {largest:,.6g}, and {arguments.unlabeled} has {n_rows}")
        _tell_summary(unlabeled)


def _tell_summary(table):
    tell("\n".join([*table.summary, *(f"Warning: {warning}" for warning in table.warnings)]))


def _as_options(error: ValueError) -> str:
    """What the library calls label="y" is --label "y" here."""
    return re.sub(
        r"\b(judge|label|score|positive|unlabeled-score)=(?=(['\"])?)",
        lambda match: f"--{match[1]}" + " " * bool(match[2]),
        f"{error}",
    )


def _judged(arguments) -> list[str]:
    from evalteach.command import judge, page

    tell(f"reading {arguments.file}")
    drawn, columns = not arguments.not_drawn, {"label": arguments.label, "positive": arguments.positive}
    read = judge.read_verdicts(arguments.file, judge=arguments.judge, drawn=drawn, **columns)
    _tell_summary(read)
    return [page.markdown(judge.judged_page(read, drawn), has_links=False)]


def _scored(arguments) -> list[str]:
    from evalteach.command import page

    notebook = named(NOTEBOOK, shipped_notebooks())
    _read(arguments)
    tell(f"running {NOTEBOOK} on it")
    parameters = {name.upper(): getattr(arguments, name) for name in PARAMETERS}
    for name in FILES:
        file = getattr(arguments, name)
        parameters[name.upper()] = file and os.path.abspath(file)

    def progress(done, cells):
        if sys.stdout.isatty():
            print(f"\r  {100 * done // cells:3d} %", end="" if done < cells else "\n", flush=True)

    return page.run(notebook, parameters, progress)


def _write(out: Path, blocks: list[str], title: str, footer: str):
    from evalteach.command import page

    content = page.page(blocks, title, footer).encode()
    try:
        write_whole(out, content)
    except OSError as error:
        raise Trouble(f"{out} cannot be written: {error.strerror}; name another page with --out.") from error
    tell(f"written: {out} ({len(content) / 1e6:.1f} MB); open it in a browser")
