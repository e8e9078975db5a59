"""The ``evalteach`` command: copy the notebooks and start Lab, list them, check the environment.

Only the standard library is imported at the top, so that copying works where nothing else is installed.
"""

import argparse
import hashlib
import importlib.metadata
import importlib.util
import json
import os
import re
import secrets
import signal
import subprocess
import sys
from pathlib import Path

from evalteach import __version__

FIRST = "00_start_here.ipynb"
FOLDER = "evalteach-notebooks"
RECORD = ".evalteach.json"
CHECKED = ("jupyterlab", "ipywidgets", "numpy", "pandas", "matplotlib", "scikit-learn")


class Trouble(Exception):
    """What went wrong, in one sentence for the reader: `main` prints it and returns 2."""


def main(argv=None) -> int:
    arguments = _parser().parse_args(argv)
    try:
        return arguments.run(arguments)
    except Trouble as trouble:
        print(f"evalteach: {trouble}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


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
    command.add_argument("--copy-only", action="store_true", help="copy, and do not start JupyterLab")
    command.add_argument("--no-browser", action="store_true", help="start JupyterLab without a browser")
    command.add_argument("--port", type=int, metavar="N", help="this port or none (default: a free one)")

    add("list", list_notebooks, "the notebooks in order, each with its question and its minutes")
    add("check", check, "whether this environment has what the notebooks need")
    return parser


def _tell(line: str):
    try:
        print(line, flush=True)  # else a pipe shows what was copied when Lab has ended
    except BrokenPipeError:  # who reads has seen enough, as `head` does: the work goes on, to the end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


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


def list_notebooks(arguments) -> int:
    for notebook in shipped_notebooks():
        try:
            title, question, minutes = _heading(notebook)
        except (OSError, ValueError) as error:
            raise Trouble(f"{notebook} cannot be read: {error}.") from error
        _tell(f"{notebook.name}  {title}" + (minutes and f" ({minutes} min)") + (question and f"\n    {question}"))
    return 0


def _heading(notebook: Path) -> tuple[str, str, str]:
    """Title, question and minutes, as the first cell states them; what it does not state is empty."""
    cells = json.loads(notebook.read_text(encoding="utf-8")).get("cells", [])
    # a source is a string or a list of lines
    text = "".join(cells[0]["source"]) if cells and cells[0]["cell_type"] == "markdown" else ""
    patterns = (r"^# +(.+)$", r"\*\*Question:\*\* *(.+)$", r"\*\*Minutes:\*\* *(\d+)")
    found = [re.search(pattern, text, re.MULTILINE) for pattern in patterns]
    return tuple(match[1].strip() if match else "" for match in found)


# --- evalteach lab ---------------------------------------------------------------------------------------


def lab(arguments) -> int:
    notebooks = shipped_notebooks()
    # before anything is copied: a command that cannot do what was asked should have done nothing
    if not arguments.folder:
        raise Trouble("DIR is empty; name a folder, or leave it out.")
    if arguments.port is not None and not 0 <= arguments.port <= 65535:
        raise Trouble(f"there is no port {arguments.port}; choose from 1 to 65535, or 0 for any free one.")
    if not arguments.copy_only and importlib.util.find_spec("jupyterlab") is None:
        raise Trouble(f"JupyterLab is missing; copy the notebooks with --copy-only, or {_pip('jupyterlab<5')}")
    whole = _copy(notebooks, Path(arguments.folder))
    code = 0 if arguments.copy_only else _start(Path(arguments.folder).resolve(), arguments)
    return code or (0 if whole else 2)


def _copy(notebooks: list[Path], folder: Path) -> bool:
    """Bring the notebooks to the folder; whether each could be, or is there in the reader's own version."""
    what = "the notebooks"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if folder.resolve() == notebooks[0].parent:
            _tell(f"{folder} holds the shipped notebooks themselves: nothing to copy")
            return True
        before = _read_record(folder / RECORD)
        record, told = dict(before), []
        for notebook in notebooks:
            what = notebook.name
            told.append(_place(notebook.read_bytes(), folder / notebook.name, record))
            _tell(f"{notebook.name}: {told[-1]}")
        if record != before:
            what = RECORD
            _write(folder / RECORD, json.dumps(record, indent=1, sort_keys=True).encode() + b"\n")
    except OSError as error:
        if os.path.isfile(folder):  # Path's own raises again for a name that is too long
            raise Trouble(f"{folder} is a file, not a folder; name another folder.") from error
        raise Trouble(f"{what} cannot be copied to {folder}: {error.strerror}.") from error
    return not any(done.startswith("NOT") for done in told)


def _place(content: bytes, target: Path, record: dict[str, str]) -> str:
    """Bring one notebook to the reader's folder, unless that would cost them work; say what was done.

    The record holds the hash of what was last put there: a file that differs from it is the reader's own.
    """
    shipped, recorded = _sha256(content), record.get(target.name)
    if target.is_symlink() or (target.exists() and not target.is_file()):
        return "NOT copied, a folder or a link has its name; rename or delete that and run again"
    present = _sha256(target.read_bytes()) if target.exists() else None
    if present not in (None, shipped, recorded):
        # the old hash stays in the record, so that the next run tells of the newer version again
        if recorded is None:
            return "kept, it is not the shipped one; for that, rename or delete yours and run again"
        newer = "; for the newer version, rename or delete yours and run again"
        return "kept, edited by you" + (newer if recorded != shipped else "")
    if present != shipped:
        _write(target, content)
    record[target.name] = shipped
    if present is None:
        return "copied again" if recorded else "copied"
    return "up to date" if present == shipped else "updated"


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _read_record(path: Path) -> dict[str, str]:
    # with no record, or a damaged one, every file that differs counts as the reader's own
    try:
        record = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return record if isinstance(record, dict) else {}


def _write(target: Path, content: bytes):
    # a rename is all or nothing: an interrupted copy leaves the old file or no file, never half a notebook.
    # Nobody can know the name, and "x" opens nothing that is there, be it a link or the file of another copy.
    partial = target.with_name(f".{target.name}.{secrets.token_hex(8)}")
    try:
        with open(partial, "xb") as file:
            file.write(content)
        os.replace(partial, target)
    finally:
        partial.unlink(missing_ok=True)


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
    return code if code >= 0 else 128 - code  # as a shell tells that a signal ended it


# --- evalteach check -------------------------------------------------------------------------------------


def check(arguments) -> int:
    needs = _declared_needs()
    python = "{}.{}.{}".format(*sys.version_info)
    fine = [
        _check_version("python", python, needs.get("python"), "install evalteach with a newer Python"),
        _check_version("evalteach", __version__, None),
        *(_check_package(name, needs.get(name)) for name in CHECKED),
        _check_kernel(),
        _check_widgets(),
    ]
    return 0 if all(fine) else 2


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


def _check_package(name: str, needed) -> bool:
    wanted = f"{name}{needed or ''}"
    try:
        version = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return _say(False, wanted, _pip(wanted))
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


def _check_widgets() -> bool:
    try:
        from jupyter_core.paths import jupyter_path

        places = jupyter_path("labextensions")
    except ImportError:
        places = []
    found = [place for place in places if Path(place, "@jupyter-widgets", "jupyterlab-manager").is_dir()]
    what = f"sliders in JupyterLab, from {found[0]}" if found else "sliders in JupyterLab"
    return _say(bool(found), what, _pip("jupyterlab_widgets", "--force-reinstall"))
