"""``evalteach lab``: a folder with the reader's own copies of the notebooks, and JupyterLab on it.

No edit is ever lost: a file that is not as it was copied stays, or is kept under another name.
"""

import filecmp
import hashlib
import importlib.util
import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from evalteach._record import PROGRESS, read_record, whole_file, write_record, write_whole
from evalteach.command.catalogue import FIRST, named, shipped_notebooks, shipped_pages
from evalteach.command.terminal import Trouble, pip_install, tell

TEACHER_FILES = ("93_teaching.ipynb", "answers.md", "cards.md", "cards_key.md")  # which a class does not get
RECORD = ".evalteach.json"  # the hash of each file as it was copied
FORM = "91_your_own_scores"
RECAP = "## Can you explain it?"  # which lessons have, and forms to fill in do not
COLLAPSED = "jp-MarkdownHeadingCollapsed"  # JupyterLab's name for a folded heading


def lab(arguments) -> int:
    files = [*shipped_notebooks(), *shipped_pages()]
    _check(arguments)  # a command that cannot do what was asked should have done nothing
    folder = Path(arguments.folder)
    if arguments.reset is not None:
        return 0 if _reset(named(arguments.reset, files), folder, arguments.fresh) else 2
    if arguments.fresh:
        files = [file for file in files if file.name not in TEACHER_FILES]
    is_whole = _copy(files, folder, arguments.fresh)
    if arguments.own is not None:
        tell(_bring(Path(arguments.own), folder))
    code = 0 if arguments.copy_only else _start(folder.resolve(), arguments)
    return code or (0 if is_whole else 2)


def _check(arguments):
    if not arguments.folder:
        raise Trouble("DIR is empty; name a folder, or leave it out.")
    if arguments.port is not None and not 0 <= arguments.port <= 65535:
        raise Trouble(f"there is no port {arguments.port}; choose from 1 to 65535, or 0 for any free one.")
    if arguments.own is not None and arguments.reset is not None:
        raise Trouble("--reset brings one notebook back and --with copies a file; run one after the other.")
    if arguments.own is not None and not os.path.isfile(arguments.own):
        raise Trouble(f"there is no file {arguments.own}; check folder and spelling.")
    starts = not arguments.copy_only and arguments.reset is None
    if starts and importlib.util.find_spec("jupyterlab") is None:
        advice = pip_install("jupyterlab<5")
        raise Trouble(f"JupyterLab is missing; copy the notebooks with --copy-only, or {advice}")


# --- copying ---------------------------------------------------------------------------------------------


def _copy(files: list[Path], folder: Path, is_fresh: bool) -> bool:
    """Bring the files to the folder; whether each could be, or is there in the reader's own version."""
    name = "the notebooks"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if folder.resolve() == files[0].parent:
            tell(f"{folder} holds the shipped notebooks themselves: nothing to copy")
            return True
        before = read_record(folder / RECORD)
        record, outcomes = dict(before), []
        for file in files:
            name = file.name
            outcomes.append(_place(_contents(file, is_fresh), folder / name, record))
            tell(f"{name}: {outcomes[-1]}")
        name = RECORD
        if record != before:
            write_record(folder / RECORD, record)
        if not os.path.lexists(folder / PROGRESS):
            write_record(folder / PROGRESS, {})
    except OSError as error:
        if os.path.isfile(folder):  # Path's own raises again for a name that is too long
            raise Trouble(f"{folder} is a file, not a folder; name another folder.") from error
        if os.path.islink(folder) and not os.path.exists(folder):
            raise Trouble(f"{folder} is a link to nothing; name another folder.") from error
        raise Trouble(f"{name} cannot be copied to {folder}: {error.strerror}; name another folder.") from error
    return not any(outcome.startswith("NOT") for outcome in outcomes)


def _contents(file: Path, is_fresh: bool) -> list[bytes]:
    """As shipped, and for a class, as a file may be in the reader's folder; the wanted content first."""
    content = file.read_bytes()
    if file.suffix != ".ipynb":
        return [content]
    try:
        notebook = json.loads(content)
        for cell in notebook.get("cells", []):
            if cell["cell_type"] == "code":
                cell |= {"outputs": [], "execution_count": None}
        if any("".join(cell["source"]).startswith(RECAP) for cell in notebook.get("cells", [])):
            notebook["cells"] = _folded(notebook["cells"])
        bare = json.dumps(notebook, indent=1, ensure_ascii=False).encode() + b"\n"
    except ValueError as error:
        raise Trouble(f"{file} cannot be read: {error}; install evalteach again.") from error
    return [bare, content] if is_fresh else [content, bare]


def _folded(cells: list[dict]) -> list[dict]:
    """The cells with each section folded below its heading, so that a class sees no answer before it has guessed.

    The last section stays open, since JupyterLab goes to the last cell after Run All and unfolds what hides it.
    """
    folded = []
    prose = [i for i, cell in enumerate(cells) if cell["cell_type"] == "markdown"]
    starts = [i for i in prose if "".join(cells[i]["source"]).startswith("## ")]
    for i, cell in enumerate(cells):
        if i in starts[:-1]:
            heading, *words = "".join(cell["source"]).strip().splitlines(keepends=True)
            folded.append(cell | {"source": [heading.rstrip()], "metadata": {**cell["metadata"], COLLAPSED: True}})
            if words:  # which a folded heading would leave open
                folded.append(cell | {"id": f"{cell['id']}-words", "source": words[not words[0].strip() :]})
        else:
            folded.append(cell)
    return folded


def _place(contents: list[bytes], target: Path, record: dict[str, str]) -> str:
    """Bring one file to the reader's folder, unless that would cost them work; what was done, in words.

    A file that differs from what was last copied there, and from what is shipped now, is the reader's own.
    """
    shipped, recorded = [_sha256(content) for content in contents], record.get(target.name)
    if _is_in_the_way(target):
        return "NOT copied, a folder or a link has its name; rename or delete that and run again"
    # an empty file is what a full disk left, and nobody's work
    present = _sha256(target.read_bytes()) if target.exists() and target.stat().st_size else None
    if present not in (None, recorded, *shipped):
        # the old hash stays in the record, so that the next run mentions the newer version again
        instead = f"rename or delete yours and run again, or run with --reset {target.name}"
        if recorded is None:
            return f"kept, it is not the shipped one; for that, {instead}"
        return "kept, edited by you" + (f"; for the newer version, {instead}" if recorded not in shipped else "")
    if present != shipped[0]:
        write_whole(target, contents[0], over=True)
    record[target.name] = shipped[0]
    if present is None:
        return "copied again" if recorded else "copied"
    return "up to date" if present == shipped[0] else "updated"


def _is_in_the_way(target: Path) -> bool:
    return target.is_symlink() or (target.exists() and not target.is_file())


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _reset(file: Path, folder: Path, is_fresh: bool) -> bool:
    """Bring one shipped file back, and keep the reader's own under another name; whether it could be."""
    if not os.path.isdir(folder):
        raise Trouble(f"there is no folder {folder}; name the one that holds your notebooks.")
    if folder.resolve() == file.parent:
        raise Trouble(f"{folder} holds the shipped notebooks themselves: there is nothing to bring back.")
    target, contents = folder / file.name, _contents(file, is_fresh)
    record, kept_as = read_record(folder / RECORD), ""
    try:
        if target.exists() and not _is_in_the_way(target):
            own = target.read_bytes()
            if _sha256(own) not in (record.get(file.name), *map(_sha256, contents)):
                kept_as = f"; yours is now {_keep(own, target)}"
                record[file.name] = _sha256(own)  # if Lab saves another one by now, that is not replaced
        outcome = _place(contents, target, record)
        write_record(folder / RECORD, record)
    except OSError as error:
        raise Trouble(f"{file.name} cannot be brought back in {folder}: {error.strerror}.") from error
    words = {"updated": "brought back", "up to date": "it is the shipped one already"}.get(outcome, outcome)
    tell(f"{file.name}: {words}{kept_as}")
    if outcome == "updated":
        tell("If it is open in JupyterLab: File > Reload Notebook from Disk")
    return not outcome.startswith("NOT")


def _keep(content: bytes, target: Path) -> str:
    """Write the content beside the target, under a free name; that name."""
    for again in _numbered():
        own = target.with_name(f"{target.stem}.mine{again}{target.suffix}")
        with suppress(FileExistsError):
            write_whole(own, content)
            return own.name


def _bring(own: Path, folder: Path) -> str:
    """Copy a reader's file of scores to the folder, under a free name, or leave the same one there; in words."""
    for again in _numbered():
        target = folder / f"{own.stem}{again}{own.suffix}"
        advice = f"in {FORM} write FILE = {json.dumps(target.name, ensure_ascii=False)}"
        try:
            if target.is_file() and filecmp.cmp(own, target, shallow=False):
                return f"{target.name}: is there; {advice}"
            with suppress(FileExistsError), open(own, "rb") as content, whole_file(target) as file:
                shutil.copyfileobj(content, file)
                return f"{target.name}: copied; {advice}"
        except OSError as error:
            raise Trouble(f"{own} cannot be copied to {folder}: {error.strerror}; name another folder.") from error


def _numbered():
    return itertools.chain([""], (f"-{number}" for number in itertools.count(2)))


# --- JupyterLab ------------------------------------------------------------------------------------------


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
    return code if code >= 0 else 128 - code  # as a shell says that a signal ended it
