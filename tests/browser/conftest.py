"""One JupyterLab and one Chromium for all notebooks; each has a window, is run once, and is looked at by several tests.

Plain ``pytest`` opens one notebook with an explorer of each class, and walks the guesses of two lessons;
``-m browser_full`` opens every notebook.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from urllib.error import URLError
from urllib.request import urlopen

import lessons
import nbformat
import pytest
from explorers.helpers import REGISTERED
from lab_scripts import CLOSE, OPEN, READY

from evalteach.command.folder import _contents

TESTS = Path(__file__).resolve().parents[1]
NOTEBOOKS = TESTS.parent / "notebooks"
NAMES = (os.environ.get("CHROMIUM"), "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next((path for name in NAMES if name and (path := shutil.which(name))), None)
NO_CHROMIUM = "no Chromium: set CHROMIUM, or put chromium, chromium-browser or google-chrome on the PATH"
SCREEN = {"width": 1400, "height": 900}
SMALL_SCREEN = {"width": 1280, "height": 800}
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
# Lab's own questions to its reader, which would cover the notebook
SETTINGS = {
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
    "docmanager-extension/plugin": {"autosave": False},
}

GUESSED = ("10_class_ratio.ipynb",)
EACH_EXPLORER = "one_explorer_of_each_class.ipynb"  # made here, and found in no folder
FRONT_END = "pictures_held_by_the_browser.ipynb"  # so is this
FOR_A_CLASS = "11_for_a_class.ipynb"  # and this, the lesson as `evalteach lab --fresh` copies it
FRONT_END_CELLS = [
    """import time
import numpy as np
from evalteach import ThresholdExplorer, moving
rng = np.random.default_rng(0)
explorer = ThresholdExplorer(rng.random(500) < 0.4, np.round(rng.random(500), 3))
explorer""",
    """height = 1.0
def draw(axes, n=5, kind="line"):
    axes.set(xlim=(0, 10), ylim=(0, 2))
    axes.plot([0, n], [0, height], marker="o" if kind == "dots" else "")
    return f"{kind}: {height:g} at {n}."
moving(draw, n=(1, 9), kind=["line", "dots"])""",
    "height = 1.5",
    "explorer.controls['threshold'].value = 0.3",
    "time.sleep(4)",
    "print(explorer)",
]
MAKE_ONE = """import sys
sys.path.insert(0, {tests!r})
from explorers.helpers import CASES
CASES[{name!r}].make()"""


def pytest_generate_tests(metafunc):
    named = [mark.args[0] for mark in metafunc.definition.iter_markers("parametrize")]
    if "notebook" in metafunc.fixturenames and "notebook" not in named:
        full = pytest.mark.browser_full
        if "lesson" in metafunc.fixturenames:
            names = [path.name for path in lessons.paths() if path.stem not in lessons.FORMS]  # these ask for no guess
            some = [pytest.param(name, marks=() if name in GUESSED else full) for name in names]
        else:
            guides = lessons.GUIDES if "explorers" in metafunc.fixturenames else ()  # what guides hold is no explorer
            paths = [path for path in lessons.paths() if path.stem not in guides]
            every = [pytest.param(path.name, marks=full) for path in paths]
            some = [*every, EACH_EXPLORER]  # at the end: tests are sorted by the place in this list
        metafunc.parametrize("notebook", some, indirect=True, scope="module")


def pytest_itemcollected(item):
    item.add_marker("browser")
    if CHROMIUM is None and os.environ.get("EVALTEACH_REQUIRE_BROWSER") != "1":
        item.add_marker(pytest.mark.skip(reason=NO_CHROMIUM))


@pytest.fixture(scope="module")
def chromium():
    """Where the system's Chromium is."""
    assert CHROMIUM, NO_CHROMIUM
    return CHROMIUM


@pytest.fixture(scope="module")
def lab(chromium, tmp_path_factory):
    """JupyterLab's address; it serves a copy of the notebooks and knows nothing of this user's settings."""
    folder = tmp_path_factory.mktemp("lab")
    shutil.copytree(NOTEBOOKS, folder / "notebooks", ignore=shutil.ignore_patterns(".*"))
    made = [nbformat.v4.new_code_cell(MAKE_ONE.format(tests=str(TESTS), name=name)) for name in REGISTERED]
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    nbformat.write(nbformat.v4.new_notebook(cells=made, metadata=kernel), folder / "notebooks" / EACH_EXPLORER)
    held = [nbformat.v4.new_code_cell(source) for source in FRONT_END_CELLS]
    nbformat.write(nbformat.v4.new_notebook(cells=held, metadata=kernel), folder / "notebooks" / FRONT_END)
    fresh, _ = _contents(NOTEBOOKS / "11_recall_travels.ipynb", is_fresh=True)
    (folder / "notebooks" / FOR_A_CLASS).write_bytes(fresh)
    for name, setting in SETTINGS.items():
        path = folder / "settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(setting))
    places = {
        "JUPYTER_CONFIG_DIR": "config",
        "JUPYTER_DATA_DIR": "data",
        "JUPYTER_RUNTIME_DIR": "runtime",
        "JUPYTERLAB_SETTINGS_DIR": "settings",
        "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
        "IPYTHONDIR": "ipython",
    }
    env = os.environ | {name: str(folder / place) for name, place in places.items()}
    env["JUPYTER_PREFER_ENV_PATH"] = "1"
    # the package that is tested, be it installed or not
    env["PYTHONPATH"] = os.pathsep.join(filter(None, [str(NOTEBOOKS.parent), env.get("PYTHONPATH")]))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = [
        "--no-browser",
        "--allow-root",
        "--expose-app-in-browser",
        "--ip=127.0.0.1",
        f"--port={port}",
        "--ServerApp.port_retries=0",
        "--IdentityProvider.token=",
        f"--ServerApp.root_dir={folder / 'notebooks'}",
    ]
    command, address = [sys.executable, "-m", "jupyterlab", *options], f"http://127.0.0.1:{port}"
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(command, cwd=folder, env=env, stdout=log, stderr=subprocess.STDOUT)
    try:
        for _ in range(600):
            assert server.poll() is None, (folder / "log").read_text()
            try:
                urlopen(f"{address}/api/status").close()
                break
            except URLError:
                time.sleep(0.1)
        yield address
    finally:
        server.terminate()  # which ends its kernels too
        server.wait(20)


@pytest.fixture(scope="module")
def browser(chromium):
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield browser
        browser.close()


@contextmanager
def new_window(browser, lab):
    """A window with JupyterLab, what its console says is wrong, and what it asks of other hosts."""
    page = browser.new_page(viewport=SCREEN)
    page.set_default_timeout(60_000)
    console, elsewhere = [], []
    page.on("console", lambda message: console.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: console.append(error.stack))
    here = (lab, lab.replace("http", "ws"), "data:", "blob:")
    for kind in ("request", "websocket"):
        page.on(kind, lambda asked: None if asked.url.startswith(here) else elsewhere.append(asked.url))
    page.goto(f"{lab}/lab?reset")  # nothing of what an earlier window had open
    page.wait_for_function("() => window.jupyterapp")
    page.evaluate("() => jupyterapp.restored.then(() => null)")
    yield SimpleNamespace(page=page, console=console, elsewhere=elsewhere)
    page.close()


@pytest.fixture(scope="module")
def window(browser, lab):
    with new_window(browser, lab) as window:
        yield window


@pytest.fixture(scope="module")
def notebook(request, browser, lab):
    """A window of its own with one notebook in it, after Run All: a window that had forty would be slow."""
    with new_window(browser, lab) as window:
        window.page.evaluate(OPEN, request.param)
        window.page.wait_for_function(READY, arg=request.param)
        window.page.evaluate("() => jupyterapp.commands.execute('notebook:run-all-cells')")
        yield window
        window.page.evaluate(CLOSE)


@pytest.fixture(scope="module")
def front_end():
    """The notebook with FRONT_END_CELLS."""
    return FRONT_END


@pytest.fixture
def lesson(request, notebook):
    """What the open notebook holds, on a small screen."""
    notebook.page.set_viewport_size(SMALL_SCREEN)
    yield lessons.read(NOTEBOOKS / request.node.callspec.params["notebook"])
    notebook.page.set_viewport_size(SCREEN)
