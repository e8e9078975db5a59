"""The ``evalteach`` command: copy the notebooks and start Lab, list them, check the environment.

Only the standard library is imported at the top, so that copying works where nothing else is installed.
"""

import argparse
import errno
import hashlib
import importlib.metadata
import importlib.util
import json
import os
import re
import socket
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

from evalteach import __version__

FIRST = "00_start_here.ipynb"
FOLDER = "evalteach-notebooks"
RECORD = ".evalteach.json"
LETTERS = "letter-recognition.data"
CHECKED = ("jupyterlab", "ipywidgets", "numpy", "pandas", "matplotlib", "scikit-learn", "pooch")


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

    command = add("binder", binder, "the Binder link and badge of a repository that holds the notebooks")
    command.add_argument("repository", metavar="OWNER/REPO")
    command.add_argument("ref", metavar="REF", nargs="?", default="HEAD", help="branch, tag or commit")
    return parser


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
        title, question, minutes = _heading(notebook)
        print(f"{notebook.name}  {title}" + (f" ({minutes} min)" if minutes else ""))
        if question:
            print(f"    {question}")
    return 0


def _heading(notebook: Path) -> tuple[str, str, str]:
    """Title, question and minutes, as the first cell states them; what it does not state is empty."""
    cells = json.loads(notebook.read_text(encoding="utf-8")).get("cells", [])
    text = ""
    if cells and cells[0]["cell_type"] == "markdown":
        text = "".join(cells[0]["source"])  # the format allows a string and a list of lines
    patterns = (r"^# +(.+)$", r"\*\*Question:\*\* *(.+)$", r"\*\*Minutes:\*\* *(\d+)")
    found = [re.search(pattern, text, re.MULTILINE) for pattern in patterns]
    title, question, minutes = (match[1].strip() if match else "" for match in found)
    return title, question, minutes


# --- evalteach lab ---------------------------------------------------------------------------------------


def lab(arguments) -> int:
    notebooks = shipped_notebooks()
    folder = Path(arguments.folder)
    # before anything is copied: a command that cannot do what was asked should have done nothing
    if arguments.port is not None and not 0 <= arguments.port <= 65535:
        raise Trouble(f"there is no port {arguments.port}; choose from 1 to 65535, or 0 for any free one.")
    if not arguments.copy_only:
        _require_jupyterlab()
        if arguments.port is not None:
            _require_free(arguments.port)
    try:
        _copy(notebooks, folder)
    except OSError as error:
        if os.path.isfile(folder):  # Path's own raises again for a name that is too long
            raise Trouble(f"{folder} is a file, not a folder; name another folder.") from error
        raise Trouble(f"the notebooks cannot be copied to {folder}: {error.strerror}.") from error
    return 0 if arguments.copy_only else _start(folder.resolve(), arguments)


def _require_jupyterlab():
    if importlib.util.find_spec("jupyterlab") is None:
        raise Trouble(f"JupyterLab is missing; copy the notebooks with --copy-only, or {_pip('jupyterlab<5')}")


def _require_free(port: int):
    # Lab listens on every address of "localhost", and one that is taken stops it
    for family, kind, protocol, _, address in socket.getaddrinfo("localhost", port, type=socket.SOCK_STREAM):
        try:
            with socket.socket(family, kind, protocol) as probe:
                if os.name == "posix":  # as Lab does; elsewhere this flag would let two servers share a port
                    probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind(address)
        except OSError as error:
            # anything else, such as a machine without IPv6, is not about the port
            if error.errno in (errno.EADDRINUSE, errno.EACCES):
                reason = "is taken" if error.errno == errno.EADDRINUSE else "is not open to you"
                raise Trouble(f"port {port} {reason}; choose another, or leave --port out.") from error


def _copy(notebooks: list[Path], folder: Path):
    folder.mkdir(parents=True, exist_ok=True)
    if folder.resolve() == notebooks[0].parent:
        print(f"{folder} holds the shipped notebooks themselves: nothing to copy")
        return
    before = _read_record(folder / RECORD)
    record = dict(before)
    for notebook in notebooks:
        done = _place(notebook.read_bytes(), folder / notebook.name, record)
        print(f"{notebook.name}: {done}", flush=True)  # else a pipe shows it when Lab has ended
    if record != before:
        _write(folder / RECORD, json.dumps(record, indent=1, sort_keys=True).encode() + b"\n")


def _place(content: bytes, target: Path, record: dict[str, str]) -> str:
    """Bring one notebook to the reader's folder, unless that would cost them work; say what was done.

    The record holds the hash of what was last put there: a file that differs from it is the reader's own.
    """
    shipped, recorded = _sha256(content), record.get(target.name)
    if target.is_symlink() or (target.exists() and not target.is_file()):
        return "NOT copied, a folder or a link has its name; rename or delete that and run again"
    if target.exists():
        present = _sha256(target.read_bytes())
        if present == shipped:
            record[target.name] = shipped
            return "up to date"
        if recorded is None:
            return "kept, it is not the shipped one; for that, rename or delete yours and run again"
        if present != recorded:
            # the old hash stays in the record, so that the next run tells of the newer version again
            newer = "; for the newer version, rename or delete yours and run again"
            return "kept, edited by you" + (newer if recorded != shipped else "")
        done = "updated"
    else:
        done = "copied again" if recorded else "copied"
    _write(target, content)
    record[target.name] = shipped
    return done


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _read_record(path: Path) -> dict[str, str]:
    # with no record, or a damaged one, every file that differs counts as the reader's own
    try:
        record = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}


def _write(target: Path, content: bytes):
    # a rename is all or nothing: an interrupted copy leaves the old file or no file, never half a notebook
    partial = target.with_name(f".{target.name}.part")
    try:
        partial.write_bytes(content)
        os.replace(partial, target)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


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
    while True:
        try:
            code = process.wait()
        except KeyboardInterrupt:
            continue  # Lab got it too, and asks whether to stop; leaving now would kill it with its kernels
        return code if code >= 0 else 128 - code  # as a shell tells that a signal ended it


# --- evalteach check -------------------------------------------------------------------------------------


def check(arguments) -> int:
    needs = _declared_needs()
    python = ".".join(map(str, sys.version_info[:3]))
    fine = [
        _check_version("python", python, needs.get("python"), "install evalteach with a newer Python"),
        _check_version("evalteach", __version__, None),
        *(_check_package(name, needs.get(name)) for name in CHECKED),
        _check_kernel(),
        _check_widgets(),
    ]
    _check_letters()  # one notebook's data, and it can be fetched: nothing is broken without
    return 0 if all(fine) else 2


def _say(fine: bool, what: str, mend: str = "") -> bool:
    print(f"{'ok' if fine else 'missing':9}{what}" + (f"; {mend}" if mend and not fine else ""))
    return fine


def _pip(what: str) -> str:
    return f'run: {sys.executable} -m pip install "{what}"'


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
    if needed is None:
        return _say(True, f"{name} {version}")
    return _say(needed.contains(version, prereleases=True), f"{name} {version} (needed: {needed})", mend)


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
    mend = f"run: {here} -m ipykernel install --sys-prefix"
    return _say(fine, f"kernel python3 runs {here if fine else f'{program}, not {here}'}", mend)


def _check_widgets() -> bool:
    try:
        from jupyter_core.paths import jupyter_path

        places = jupyter_path("labextensions")
    except ImportError:
        places = [os.path.join(sys.prefix, "share", "jupyter", "labextensions")]
    found = [place for place in places if Path(place, "@jupyter-widgets", "jupyterlab-manager").is_dir()]
    what = f"sliders in JupyterLab, from {found[0]}" if found else "sliders in JupyterLab"
    return _say(bool(found), what, _pip("jupyterlab_widgets") + " --force-reinstall")


def _check_letters():
    folder = os.environ.get("EVALTEACH_DATA_DIR")
    if not folder:
        try:
            import pooch
        except ImportError:
            return
        folder = pooch.os_cache("evalteach")
    mend = "optional: the notebook that uses it says how to get it"
    _say(Path(folder, LETTERS).is_file(), f"data {Path(folder, LETTERS)}", mend)


# --- evalteach binder ------------------------------------------------------------------------------------


def binder(arguments) -> int:
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9-]*/(?!\.{1,2}$)[A-Za-z0-9._-]+", arguments.repository):
        raise Trouble(f"{arguments.repository!r} is not OWNER/REPO, the way GitHub names a repository.")
    if not arguments.ref:
        raise Trouble("REF is empty; name a branch, a tag or a commit, or leave it out.")
    # Binder takes the path apart at its slashes, so the ones inside a branch's name have to be encoded
    where = quote(f"lab/tree/notebooks/{FIRST}", safe="")
    ref = quote(arguments.ref, safe="")
    link = f"https://mybinder.org/v2/gh/{arguments.repository}/{ref}?urlpath={where}"
    print(link)
    print(f"[![Binder](https://mybinder.org/badge_logo.svg)]({link})")
    return 0
