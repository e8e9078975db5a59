"""What is built from the checkout: the archives hold what they should, and the wheel works on its own."""

import importlib.metadata
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parent.parent
SHIPPED = ("evalteach", "notebooks", "tests", "binder", "README.md", "LICENSE", "pyproject.toml")
# the build adds the metadata, and what keeps ignored files out of a wheel that is built from the archive
ADDED = ("PKG-INFO", ".gitignore")
NOTEBOOKS = {path.name: path.read_bytes() for path in sorted((ROOT / "notebooks").glob("*.ipynb"))}
TEMPLATES = [path.relative_to(ROOT / "evalteach").as_posix() for path in (ROOT / "evalteach").glob("*/*.md")]
ASKED = {Path(name).name: (ROOT / "evalteach" / name).read_bytes() for name in TEMPLATES}
PAGES = {path.name: path.read_bytes() for path in sorted((ROOT / "notebooks").glob("*.md"))}


def run(*command, cwd):
    # without PYTHONPATH, which could bring the checkout's own package in place of the installed one
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    command = [str(word) for word in command]
    return subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, encoding="utf-8")


def run_well(*command, cwd):
    done = run(*command, cwd=cwd)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The source archive, and the wheel that is built from it."""
    folder = tmp_path_factory.mktemp("built")
    # without --wheel, which would build from the checkout, with whatever an editor has left in notebooks/
    run_well(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT, cwd=folder)
    (archive,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    return archive, wheel


@pytest.fixture(scope="module")
def installed(built, tmp_path_factory):
    """The folder of programs of an environment that holds the wheel and nothing it depends on."""
    folder = tmp_path_factory.mktemp("installed")
    # this environment's pip installs there: bringing a pip of its own takes longer than all the rest
    run_well(sys.executable, "-m", "venv", "--without-pip", folder / "env", cwd=folder)
    programs = folder / "env" / ("Scripts" if os.name == "nt" else "bin")
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", programs / "python")
    run_well(*pip, "install", "--no-deps", "--no-index", built[1], cwd=folder)
    return programs


def test_there_are_notebooks_to_ship():
    assert NOTEBOOKS


def test_the_source_archive_holds_what_it_should_and_nothing_else(built):
    with tarfile.open(built[0]) as archive:
        names = [Path(*Path(member.name).parts[1:]) for member in archive if member.isfile()]
    assert {name.parts[0] for name in names} == {*SHIPPED, *ADDED}
    assert {name.name for name in names if name.parts[0] == "notebooks" and name.suffix == ".ipynb"} == {*NOTEBOOKS}
    assert {name.name for name in names if name.parts[0] == "notebooks" and name.suffix == ".md"} == {*PAGES}
    assert not [name for name in names if {"__pycache__", ".ipynb_checkpoints"} & {*name.parts}]


def test_the_wheel_carries_every_notebook_and_every_page_as_it_is_in_the_checkout(built):
    with zipfile.ZipFile(built[1]) as wheel:
        names = wheel.namelist()
        shipped = {Path(name).name: wheel.read(name) for name in names if name.endswith((".ipynb", ".md"))}
        assert shipped == NOTEBOOKS | PAGES | ASKED
        assert {f"evalteach/{name}" for name in (*TEMPLATES, "interview/rooms.md", "command/judge.md")} <= {*names}
        assert all(f"evalteach/_notebooks/{name}" in names for name in NOTEBOOKS | PAGES)
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"evalteach"}
    assert not [name for name in names if "__pycache__" in name or "checkpoint" in name]
    assert {"evalteach/command/main.py", "evalteach/_notebooks/00_start_here.ipynb"} < {*names}


def test_the_style_of_the_figures_is_in_the_wheel(built, tmp_path):
    with zipfile.ZipFile(built[1]) as wheel:
        wheel.extractall(tmp_path)
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import evalteach; print(evalteach.__file__)\n"
        "import matplotlib.pyplot as plt; before = dict(plt.rcParams); plt.style.use('evalteach.style')\n"
        "print(sum(plt.rcParams[name] != value for name, value in before.items()))"
    )
    where, changed = run_well(sys.executable, "-c", code, cwd=tmp_path).split()
    assert Path(where).is_relative_to(tmp_path)
    assert int(changed) > 0


def test_the_installed_command_copies_the_notebooks_with_nothing_else_installed(installed, tmp_path):
    where = run_well(installed / "python", "-c", "import evalteach; print(evalteach.__file__)", cwd=tmp_path)
    assert Path(where).is_relative_to(installed.parent)
    told = run_well(installed / "evalteach", "lab", "mine", "--copy-only", cwd=tmp_path).splitlines()
    assert told == [f"{name}: copied" for name in NOTEBOOKS | PAGES]
    copied = {path.name: path.read_bytes() for path in (tmp_path / "mine").glob("[!.]*")}
    assert copied == NOTEBOOKS | PAGES


def test_the_installed_command_copies_the_notebooks_without_outputs_and_brings_one_back(installed, tmp_path):
    run_well(installed / "evalteach", "lab", "mine", "--copy-only", "--fresh", cwd=tmp_path)
    keys = {"93_teaching.ipynb", "answers.md", "cards.md", "cards_key.md"}
    assert {path.name for path in (tmp_path / "mine").glob("[!.]*")} == {*NOTEBOOKS, *PAGES} - keys
    for name in NOTEBOOKS.keys() - keys:
        content = NOTEBOOKS[name]
        full, fresh = json.loads(content), json.loads((tmp_path / "mine" / name).read_bytes())
        words, told = ("\n".join("".join(cell["source"]) for cell in one["cells"]).split() for one in (fresh, full))
        assert words == told
        assert not any(cell.get("outputs") or cell.get("execution_count") for cell in fresh["cells"])
    run_well(installed / "evalteach", "lab", "mine", "--reset", "00", cwd=tmp_path)
    assert (tmp_path / "mine" / "00_start_here.ipynb").read_bytes() == NOTEBOOKS["00_start_here.ipynb"]


def test_the_installed_command_lists_the_notebooks_in_order(installed, tmp_path):
    told = run_well(installed / "evalteach", "list", cwd=tmp_path).splitlines()
    assert [f"{name}.ipynb" for name in re.findall(r"^[*+ ] (\w+)  \S", "\n".join(told), re.MULTILINE)] == [*NOTEBOOKS]


@pytest.mark.parametrize("command", [["lab", "mine"], ["check"]], ids=lambda command: command[0])
def test_the_installed_command_says_what_is_missing_without_a_traceback(installed, tmp_path, command):
    done = run(installed / "evalteach", *command, cwd=tmp_path)
    assert done.returncode == 2
    assert "pip install" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "mine").exists()


def room_commands():
    """The commands of the guide for a room without internet: at home, and in the room."""
    sources = ["".join(cell["source"]) for cell in json.loads(NOTEBOOKS["93_teaching.ipynb"])["cells"]]
    (text,) = [source for source in sources if source.startswith("### A room without internet")]
    return [block.splitlines() for block in re.findall(r"```sh\n(.*?)```", text, flags=re.S)]


def empty_wheel(folder, name, version):
    """A wheel with a name and a version and nothing in it: what pip looks for among the dependencies."""
    stem = f"{name.replace('-', '_')}-{version}"
    files = {
        "METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        "WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    with zipfile.ZipFile(folder / f"{stem}-py3-none-any.whl", "w") as wheel:
        for file, text in files.items():
            wheel.writestr(f"{stem}.dist-info/{file}", text)
        wheel.writestr(
            f"{stem}.dist-info/RECORD", "".join(f"{stem}.dist-info/{file},,\n" for file in (*files, "RECORD"))
        )


def test_the_guides_commands_install_from_a_folder_of_wheels_where_there_is_no_index(built, tmp_path):
    """With empty wheels for the dependencies, so that it is quick; ``.ci/offline`` takes the real ones."""
    at_home, in_the_room = room_commands()
    assert at_home == ["python -m pip wheel --wheel-dir ../wheels ."]
    make, install, check, lab = map(shlex.split, in_the_room)
    assert make == ["python3", "-m", "venv", ".venv"]
    assert [command[0] for command in (install, check, lab)] == [
        ".venv/bin/python",
        ".venv/bin/evalteach",
        ".venv/bin/evalteach",
    ]
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    shutil.copy(built[1], wheels)
    with zipfile.ZipFile(built[1]) as wheel:
        (name,) = [name for name in wheel.namelist() if name.endswith(".dist-info/METADATA")]
        declared = map(Requirement, message_from_bytes(wheel.read(name)).get_all("Requires-Dist"))
    needed = [each for each in declared if each.marker is None or each.marker.evaluate({"extra": ""})]
    for each in needed[1:]:
        empty_wheel(wheels, each.name, importlib.metadata.version(each.name))
    run_well(sys.executable, "-m", "venv", "--without-pip", tmp_path / ".venv", cwd=tmp_path)
    programs = tmp_path / ".venv" / ("Scripts" if os.name == "nt" else "bin")
    assert install[1:3] == ["-m", "pip"]
    # this environment's pip installs there, as above
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", programs / "python", *install[3:])
    lacking = run(*pip, cwd=tmp_path)
    assert lacking.returncode
    assert needed[0].name in lacking.stderr
    empty_wheel(wheels, needed[0].name, importlib.metadata.version(needed[0].name))
    run_well(*pip, cwd=tmp_path)
    assert check[1:] == ["check"]
    assert "evalteach" in run(programs / "evalteach", *check[1:], cwd=tmp_path).stdout  # what is missing, here
    run_well(programs / "evalteach", *lab[1:], "--copy-only", cwd=tmp_path)
    assert (tmp_path / "class" / "92_interview.ipynb").is_file()
    assert not (tmp_path / "class" / "93_teaching.ipynb").exists()
