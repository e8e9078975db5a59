"""The ``evalteach`` command: its options, and how it ends.

This module and those that it imports at their tops need the standard library only, so that copying the notebooks works
where nothing else is installed.
"""

import argparse
import signal
import sys
from contextlib import contextmanager, suppress

from evalteach import __version__
from evalteach.command.catalogue import FOLDER, list_notebooks
from evalteach.command.environment import check
from evalteach.command.folder import lab
from evalteach.command.report import report
from evalteach.command.terminal import Trouble


class Stopped(KeyboardInterrupt):
    """Ctrl-C or SIGTERM, with the number of the signal."""


def main(argv=None) -> int:
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, ValueError):  # what stands for one of them may be anything
            stream.reconfigure(errors="backslashreplace")  # a pipe on Windows has few of the letters of file names
    arguments = _parser().parse_args(argv)
    try:
        with _one_signal():
            return arguments.run(arguments)
    except Trouble as trouble:
        print(f"evalteach: {trouble}", file=sys.stderr)
        return 2
    except KeyboardInterrupt as stop:
        return 128 + (stop.args[0] if isinstance(stop, Stopped) else signal.SIGINT)  # as a shell says it


@contextmanager
def _one_signal():
    """Ctrl-C and SIGTERM end the command quietly, and a second one does not disturb the tidying up."""
    handlers = {}

    def stop(number, _):
        for ignored in handlers:
            signal.signal(ignored, signal.SIG_IGN)
        raise Stopped(number)

    with suppress(ValueError):  # in a thread, which gets no signals
        for number in (signal.SIGINT, signal.SIGTERM):
            if signal.getsignal(number) not in (signal.SIG_IGN, None):  # a shell's background jobs ignore Ctrl-C
                handlers[number] = signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in handlers.items():
            if signal.getsignal(number) is stop:  # else what ignores signals up to the end of the process stays
                signal.signal(number, handler)


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
    command.add_argument("--fresh", action="store_true", help="for a class: folded, no outputs, no pages for teachers")
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
    command.add_argument("--judge", metavar="COLUMN", help="a judge's verdicts: what share of the answers is good")
    command.add_argument("--not-drawn", action="store_true", help="with --judge: the labeled rows are no random draw")
    command.add_argument("--ratio", type=_ratio, metavar="N", help="negatives per positive in production: 400 or 1:400")
    command.add_argument("--threshold", type=float, metavar="X", help="yours (default: a usual one)")
    command.add_argument("--unlabeled", metavar="FILE", help="a file of scores without labels")
    command.add_argument("--unlabeled-score", metavar="COLUMN", help="its column of scores (default: as in FILE)")
    command.add_argument("--class-size", metavar="N", help="positives among the unlabeled: 95, or limits: 70:120")
    command.add_argument("--budget", type=int, metavar="N", help="unlabeled rows that an expert can review")
    command.add_argument("--out", metavar="PAGE", help="where to write it (default: FILE_report.html, here)")

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
