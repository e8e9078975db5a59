"""`evalteach check`: what it says is missing, and how to get it."""

import importlib.metadata
import json
import shlex
import sys
from pathlib import Path

import pytest

from evalteach import __version__
from evalteach.command import environment
from evalteach.command.environment import PACKAGES, import_errors

LAB = "@jupyter-widgets/jupyterlab-manager"


def fake_package(folder, name, version, *lines):
    place = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    place.mkdir(parents=True)
    text = ["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}", *lines]
    (place / "METADATA").write_text("\n".join(text) + "\n")


def kernel(folder, program):
    (place := folder / "kernels" / "python3").mkdir(parents=True, exist_ok=True)
    (place / "kernel.json").write_text(json.dumps({"argv": [str(program), "-m", "ipykernel_launcher"]}))


@pytest.fixture
def fine(tmp_path, monkeypatch):
    """The folder of everything that is looked up; without a change by the test, all of it is fine."""
    packages = tmp_path / "packages"
    fake_package(
        *(packages, "evalteach", "0.1.0", "Requires-Python: >=3.11", "Requires-Dist: numpy>=1.26"),
        'Requires-Dist: jupyterlab<5,>=4.2; sys_platform != "emscripten"',
        'Requires-Dist: pandas>=99; sys_platform == "emscripten"',
        'Requires-Dist: pandas>=99; extra == "more"',
    )
    for name in PACKAGES:
        fake_package(packages, name, "4.5.0")
    monkeypatch.syspath_prepend(packages)
    for extension in (LAB, "anywidget"):
        (tmp_path / "jupyter" / "labextensions" / extension).mkdir(parents=True)
    monkeypatch.setattr("jupyter_core.paths.jupyter_path", lambda *names: [str(tmp_path.joinpath("jupyter", *names))])
    monkeypatch.setattr("jupyter_client.kernelspec.jupyter_path", lambda *names: [str(tmp_path / "kernels")])
    monkeypatch.setenv("JUPYTER_PREFER_ENV_PATH", "0")  # and so what the command sets is undone
    kernel(tmp_path, "python")
    monkeypatch.setattr(environment, "import_errors", lambda names: {})  # which takes seconds
    return tmp_path


@pytest.fixture
def missing(run):
    """What `evalteach check` says is missing."""

    def missing():
        code, (*lines, last), errors = run("check")
        assert errors == []
        assert all(line.startswith(("ok ", "missing ")) for line in lines)
        things = [line.split(maxsplit=1)[1] for line in lines if line.startswith("missing")]
        plural = "thing is" if len(things) == 1 else "things are"
        assert last == (f"{len(things)} {plural} missing: see above" if things else "all is in order")
        assert code == (2 if things else 0)
        return things

    return missing


def test_a_fine_environment_is_told_line_by_line(fine, missing, run):
    assert missing() == []
    lines = run("check")[1]
    assert len(lines) == 2 + len(PACKAGES) + 3 + 1
    python = ".".join(map(str, sys.version_info[:3]))
    assert {f"ok       python {python} (needed: >=3.11)", f"ok       evalteach {__version__}"} < {*lines}
    # what is declared for elsewhere does not count
    assert {"ok       numpy 4.5.0 (needed: >=1.26)", "ok       pandas 4.5.0"} < {*lines}


def test_this_very_environment_has_what_the_notebooks_need(run, monkeypatch):
    monkeypatch.setenv("JUPYTER_PREFER_ENV_PATH", "1")
    code, lines, _ = run("check")
    assert code == 0, "\n".join(lines)


@pytest.mark.parametrize("version", ["4.1.9", "5.0.0"])
def test_a_version_outside_the_declared_range_is_told_with_the_way_to_mend_it(fine, missing, monkeypatch, version):
    fake_package(fine / "older", "jupyterlab", version)
    fake_package(fine / "older", "numpy", "9.0.0rc1")  # a pre-release of a new enough version will do
    monkeypatch.syspath_prepend(fine / "older")
    (line,) = missing()
    assert line.startswith(f"jupyterlab {version} (needed: <5,>=4.2)")
    assert f'{sys.executable} -m pip install "jupyterlab<5,>=4.2"' in line


def test_an_older_python_and_missing_extensions_are_told_and_counted(fine, missing, monkeypatch):
    monkeypatch.setattr(environment.sys, "version_info", (3, 10, 4, "final", 0))
    kernel(fine, sys.executable)
    expected = ["python 3.10.4 (needed: >=3.11); "]
    for extension, name in (("anywidget", "quick pictures"), (LAB, "sliders")):
        (fine / "jupyter" / "labextensions" / extension).rmdir()
        expected.insert(1, f"{name} in JupyterLab; run: ")
    lines = missing()
    assert all(line.startswith(start) for line, start in zip(lines, expected, strict=True))
    assert "jupyterlab_widgets" in lines[1]


@pytest.mark.parametrize("name", PACKAGES)
def test_a_package_that_is_not_there_is_told_with_the_way_to_get_it(fine, missing, monkeypatch, name):
    version = importlib.metadata.version

    def without(asked):
        if asked == name:
            raise importlib.metadata.PackageNotFoundError(name)
        return version(asked)

    monkeypatch.setattr(importlib.metadata, "version", without)
    (line,) = missing()
    what, _, advice = line.partition("; ")
    assert what.startswith(name)
    assert "-m pip install " in advice
    assert advice.strip('"').endswith(what), "what is missing is what is installed"


def test_a_package_that_cannot_be_imported_is_told_and_is_tried_where_a_crash_does_no_harm(
    fine, missing, tmp_path, monkeypatch
):
    for name, text in {
        "fine": "print('\\0hello')",
        "scaled": "raise ImportError('numpy.dtype size changed,\\n may indicate ...')",
        "ending": "raise SystemExit(3)",
        "crashing": "import os; os._exit(11)",
        "sklearn": "raise ValueError(chr(0x6570))",
    }.items():
        (tmp_path / f"{name}.py").write_text(text)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert import_errors(["fine", "scaled", "ending", "scikit-learn"]) == {
        "scaled": "ImportError: numpy.dtype size changed, may indicate ...",
        "ending": "SystemExit: 3",
        "scikit-learn": "ValueError: \u6570",
    }
    assert import_errors(["fine", "crashing"]) == {"crashing": "Python itself crashes"}
    monkeypatch.setattr(environment, "import_errors", lambda names: {"pandas": "ImportError: no"})
    (line,) = missing()
    assert line.startswith("pandas 4.5.0 cannot be imported (ImportError: no); ")
    assert "-m pip install --force-reinstall pandas" in line


def test_the_way_to_mend_it_can_be_pasted_where_a_folder_has_a_space(fine, missing, monkeypatch):
    monkeypatch.setattr(environment.sys, "executable", "/a folder/bin/python")
    fake_package(fine / "older", "jupyterlab", "4.1.9")
    monkeypatch.syspath_prepend(fine / "older")
    kernel(fine, "/other/bin/python")
    pasted = [shlex.split(line.split("run: ")[1]) for line in missing()]
    assert pasted[0] == ["/a folder/bin/python", "-m", "pip", "install", "jupyterlab<5,>=4.2"]
    assert pasted[1] == ["/a folder/bin/python", "-m", "ipykernel", "install", "--sys-prefix"]


@pytest.mark.parametrize("absent", ["packaging.requirements", "the metadata"])
def test_without_the_declared_versions_the_present_ones_are_still_told(fine, run, monkeypatch, absent):
    def unknown(name):
        raise importlib.metadata.PackageNotFoundError(name)

    if absent == "the metadata":
        monkeypatch.setattr(importlib.metadata, "metadata", unknown)
    else:
        monkeypatch.setitem(sys.modules, absent, None)
    code, lines, _ = run("check")
    assert (code, "ok       numpy 4.5.0" in lines) == (0, True)


@pytest.mark.parametrize("program", ["python", "python3", "python{}.{}".format(*sys.version_info), sys.executable])
def test_the_kernel_is_fine_when_it_runs_this_interpreter(fine, missing, program):
    kernel(fine, program)
    assert missing() == []


def test_a_kernel_of_another_environment_is_told_even_if_both_link_to_one_interpreter(fine, missing):
    (other := fine / "other" / "bin" / "python").parent.mkdir(parents=True)
    other.symlink_to(Path(sys.executable).resolve())
    kernel(fine, other)
    (line,) = missing()
    assert line.startswith(f"kernel python3 runs {other}, not {sys.executable}")


@pytest.mark.parametrize("content", ["{", "{}", '{"argv": 5}'])
def test_a_kernel_that_cannot_be_read_is_told(fine, missing, content):
    (fine / "kernels" / "python3" / "kernel.json").write_text(content)
    (line,) = missing()
    assert line.startswith("kernel python3; run: ")


def test_without_jupyter_the_kernel_and_the_sliders_are_told_missing(fine, missing, monkeypatch):
    monkeypatch.setitem(sys.modules, "jupyter_client.kernelspec", None)
    monkeypatch.setitem(sys.modules, "jupyter_core.paths", None)
    assert [line.split(";")[0] for line in missing()] == [
        "kernel python3",
        "sliders in JupyterLab",
        "quick pictures in JupyterLab",
    ]


def test_the_kernel_is_looked_for_where_lab_will_look(fine, run, monkeypatch):
    import jupyter_core.paths

    monkeypatch.undo()
    monkeypatch.setenv("JUPYTER_PREFER_ENV_PATH", "0")
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(fine / "home"))
    (fine / "home").mkdir()
    kernel(fine, "/somewhere/else/python")
    (fine / "kernels").rename(fine / "home" / "kernels")
    assert Path(jupyter_core.paths.jupyter_path("kernels")[0]) == fine / "home" / "kernels"
    assert f"ok       kernel python3 runs {sys.executable}" in run("check")[1]
