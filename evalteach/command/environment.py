"""``evalteach check``: whether this environment has what the notebooks need, one line for each thing."""

import importlib.metadata
import json
import os
import subprocess
import sys
from pathlib import Path

from evalteach import __version__
from evalteach.command.terminal import pip_install, tell, to_paste

PACKAGES = ("jupyterlab", "ipywidgets", "numpy", "pandas", "matplotlib", "scikit-learn")
IMPORTS = r"""import importlib, json, sys
for name in sys.argv[1:]:
    error = ""
    try:
        importlib.import_module(name)
    except BaseException as raised:
        error = " ".join(f"{type(raised).__name__}: {raised}".split())[:200]
    print("\n\0tried " + json.dumps([name, error]), flush=True)
"""


def check(arguments) -> int:
    needs = _declared_needs()
    python, errors = "{}.{}.{}".format(*sys.version_info), import_errors(PACKAGES)
    fine = [
        _check_version("python", python, needs.get("python"), "install evalteach with a newer Python"),
        _check_version("evalteach", __version__, None),
        *(_check_package(name, needs.get(name), errors.get(name)) for name in PACKAGES),
        _check_kernel(),
        _check_extension("sliders", "jupyterlab_widgets", "@jupyter-widgets/jupyterlab-manager"),
        _check_extension("quick pictures", "anywidget", "anywidget"),
    ]
    missing = fine.count(False)
    things = "1 thing is" if missing == 1 else f"{missing} things are"
    tell(f"{things} missing: see above" if missing else "all is in order")
    return 2 if missing else 0


def _line(is_fine: bool, what: str, advice: str = "") -> bool:
    tell(f"{'ok' if is_fine else 'missing':9}{what}" + (f"; {advice}" if advice and not is_fine else ""))
    return is_fine


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


def import_errors(names) -> dict[str, str]:
    """Why a package cannot be imported, for each that cannot; they are, in a process that may crash."""
    modules = {"sklearn" if name == "scikit-learn" else name: name for name in names}
    done = subprocess.run([sys.executable, "-P", "-c", IMPORTS, *modules], capture_output=True, encoding="utf-8")
    errors = dict(json.loads(line[7:]) for line in done.stdout.splitlines() if line.startswith("\0tried "))
    last = next((name for name in modules if name not in errors), None)  # at which the process ended
    errors |= {last: "Python itself crashes"} if last else {}
    return {modules[name]: error for name, error in errors.items() if error}


def _check_version(name: str, version: str, needed, advice: str = "") -> bool:
    is_fine = needed is None or needed.contains(version, prereleases=True)
    return _line(is_fine, f"{name} {version}" + (f" (needed: {needed})" if needed else ""), advice)


def _check_package(name: str, needed, error=None) -> bool:
    wanted = f"{name}{needed or ''}"
    try:
        version = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return _line(False, wanted, pip_install(wanted))
    if error:
        return _line(False, f"{name} {version} cannot be imported ({error})", pip_install("--force-reinstall", wanted))
    return _check_version(name, version, needed, pip_install(wanted))


def _check_kernel() -> bool:
    os.environ["JUPYTER_PREFER_ENV_PATH"] = "1"  # look where `evalteach lab` makes Lab look
    try:
        from jupyter_client.kernelspec import KernelSpecManager

        program = KernelSpecManager().get_kernel_spec("python3").argv[0]
    except Exception:  # none there, or one that cannot be read, in whichever way: Lab could not start it
        return _line(False, "kernel python3", pip_install("ipykernel"))
    # Jupyter runs a bare "python" with its own interpreter. The folders are compared and not the files: in
    # an environment the interpreter is a link, and two environments' links lead to one and the same file.
    here = Path(sys.executable)
    bare = ("python", f"python{sys.version_info[0]}", "python{}.{}".format(*sys.version_info))
    is_fine = program in bare or Path(program).parent.resolve() == here.parent.resolve()
    advice = to_paste(str(here), "-m", "ipykernel", "install", "--sys-prefix")
    return _line(is_fine, f"kernel python3 runs {here if is_fine else f'{program}, not {here}'}", advice)


def _check_extension(gives: str, package: str, folder: str) -> bool:
    try:
        from jupyter_core.paths import jupyter_path

        places = jupyter_path("labextensions")
    except ImportError:
        places = []
    place = next((place for place in places if Path(place, folder).is_dir()), None)
    what = f"{gives} in JupyterLab" + (f", from {place}" if place else "")
    return _line(place is not None, what, pip_install(package, "--force-reinstall"))
