"""`evalteach lab`: how it starts JupyterLab, and how both end."""

import json
import os
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest
from small_notebooks import NAMES, notebook

import evalteach
from evalteach._record import PROGRESS
from evalteach.command import folder

ROOT = Path(evalteach.__file__).resolve().parents[1]


class Lab:
    """Stands for the started process: records how it was started, and ends with a code."""

    def __init__(self, code):
        self.code, self.command, self.env = code, None, None

    def __call__(self, command, env):
        self.command, self.env = command, env
        return self

    def wait(self):
        return self.code


@pytest.fixture
def started(shipped, monkeypatch):
    def started(code=0):
        process = Lab(code)
        monkeypatch.setattr(folder.subprocess, "Popen", process)
        monkeypatch.setattr(folder.signal, "signal", lambda *_: None)  # Ctrl-C still ends the tests
        return process

    return started


def test_lab_is_this_environments_own_on_the_first_notebook(started, mine, run, monkeypatch):
    monkeypatch.delenv("JUPYTER_PREFER_ENV_PATH", raising=False)
    monkeypatch.setenv("SOMETHING_ELSE", "kept")
    process = started()
    monkeypatch.chdir(mine.parent)
    assert run("lab", "mine")[0] == 0
    assert process.command[:4] == [sys.executable, "-P", "-m", "jupyterlab"]
    assert {f"--ServerApp.root_dir={mine}", "--LabApp.default_url=/lab/tree/00_start_here.ipynb"} < {*process.command}
    assert (process.env["JUPYTER_PREFER_ENV_PATH"], process.env["SOMETHING_ELSE"]) == ("1", "kept")
    assert not any("port" in word or "browser" in word for word in process.command)
    assert run("lab", "mine", "--no-browser", "--port", 8765)[0] == 0
    # without the last, Lab would take the next port without a word
    assert {"--no-browser", "--ServerApp.port=8765", "--ServerApp.port_retries=0"} < {*process.command}


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="there is no root user here")
@pytest.mark.parametrize(("user", "allowed"), [(0, True), (1000, False)])
def test_lab_starts_for_root_too_since_a_container_has_no_other_user(started, mine, run, monkeypatch, user, allowed):
    process = started()
    monkeypatch.setattr(os, "geteuid", lambda: user)
    assert run("lab", mine)[0] == 0
    assert ("--allow-root" in process.command) == allowed


@pytest.mark.parametrize(("labs", "code"), [(0, 0), (1, 1), (-9, 137)])
def test_the_exit_code_is_labs_or_says_that_something_could_not_be_copied(started, mine, run, labs, code):
    started(labs)
    assert run("lab", mine)[0] == code
    (mine / NAMES[1]).unlink()
    (mine / NAMES[1]).mkdir()
    assert run("lab", mine)[0] == (code or 2)


def test_a_lab_that_fails_on_a_given_port_names_it(started, mine, refused):
    started(1)
    assert "port 8765 is taken, choose another with --port" in refused("lab", mine, "--port", 8765)


def test_copying_only_starts_nothing_and_without_jupyterlab_nothing_else_is_done(
    started, mine, run, refused, monkeypatch
):
    process = started()
    monkeypatch.setattr(folder.importlib.util, "find_spec", lambda name: None)
    words = refused("lab", mine)
    assert all(word in words for word in ("JupyterLab is missing", "--copy-only", "pip install"))
    assert not mine.exists()
    assert run("lab", mine, "--copy-only")[0] == run("lab", mine, "--reset", "01")[0] == 0
    assert process.command is None


# --- as a process of its own -----------------------------------------------------------------------------


class Command:
    """`evalteach lab` at a terminal, with a package that holds one notebook."""

    def __init__(self, folder, *packages):
        (package := folder / "package" / "_notebooks").mkdir(parents=True)
        (package / NAMES[0]).write_bytes(notebook("# Start here"))
        code = (
            "import pathlib, signal, sys; from evalteach.command import catalogue, main;"
            "catalogue.PACKAGE = pathlib.Path(sys.argv[1]);"
            "signal.signal(signal.SIGINT, signal.default_int_handler);"  # a shell's background jobs ignore it
            "sys.exit(main.main(sys.argv[2:]))"
        )
        arguments = [str(package.parent), "lab", "mine", "--no-browser", "--port", "0"]
        jupyter = {f"JUPYTER_{kind.upper()}_DIR": str(folder / kind) for kind in ("config", "runtime", "data")}
        self.errors = folder / "errors"
        self.terminal, terminal = os.openpty()
        with self.errors.open("wb") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-c", code, *arguments],
                cwd=folder,
                env={**os.environ, **jupyter, "PYTHONPATH": os.pathsep.join(map(str, [*packages, ROOT]))},
                stdin=terminal,
                stdout=terminal,
                stderr=errors,
                start_new_session=True,
            )
        os.close(terminal)

    def until(self, happened):
        """Wait for it, while the command runs."""
        deadline = time.monotonic() + 60
        while not (result := happened()):
            assert self.process.poll() is None, self.errors.read_text()
            assert time.monotonic() < deadline, self.errors.read_text()
            time.sleep(0.02)
        return result

    def shown(self, text):
        """Read what the terminal shows, up to this text."""
        read = b""
        while text not in read:
            assert select.select([self.terminal], [], [], 60)[0], read
            read += os.read(self.terminal, 1024)

    def control_c(self):
        os.killpg(self.process.pid, signal.SIGINT)  # which a terminal sends to all its processes


@pytest.fixture
def command(tmp_path):
    """Start the command; what is left of it and of its Lab ends with the test."""
    if os.name != "posix":
        pytest.skip("there are no signals and terminals like these here")
    commands = []

    def command(*packages):
        commands.append(Command(tmp_path, *packages))
        return commands[-1]

    yield command
    for started in commands:
        with suppress(ProcessLookupError):
            os.killpg(started.process.pid, signal.SIGKILL)
        started.process.wait()
        os.close(started.terminal)


def listening(pid):
    """Addresses at which a process and those that it started wait for others."""
    import psutil

    process = psutil.Process(pid)
    sockets = [socket for one in (process, *process.children(recursive=True)) for socket in one.net_connections("inet")]
    return {socket.laddr.ip.replace("::1", "127.0.0.1") for socket in sockets if socket.status == psutil.CONN_LISTEN}


def test_a_real_lab_opens_the_first_notebook_notes_ticks_listens_here_alone_and_ends_on_a_second_control_c(
    command, tmp_path
):
    from jupyter_client import BlockingKernelClient

    (tmp_path / "config").mkdir()
    settings = {"IdentityProvider": {"token": "secret"}}
    (tmp_path / "config" / "jupyter_server_config.json").write_text(json.dumps(settings))
    started = command()

    def described():  # else it is not there or still being written
        text = "".join(path.read_text().strip() for path in (tmp_path / "runtime").glob("jpserver-*.json"))
        return text.endswith("}") and json.loads(text)

    def answer(asked):  # Lab says its address a moment before it listens there
        with suppress(URLError):
            return urlopen(asked, timeout=30)

    server = started.until(described)
    assert server["root_dir"] == str(tmp_path / "mine")
    with started.until(lambda: answer(f"{server['url']}?token=secret")) as page:
        assert urlsplit(page.url).path == "/lab/tree/00_start_here.ipynb"
    session = {"path": NAMES[0], "name": NAMES[0], "type": "notebook", "kernel": {"name": "python3"}}
    headers = {"Authorization": "token secret", "Content-Type": "application/json"}
    asked = Request(f"{server['url']}api/sessions", json.dumps(session).encode(), headers)
    with started.until(lambda: answer(asked)) as response:
        kernel = json.load(response)["kernel"]["id"]
    client = BlockingKernelClient(connection_file=str(tmp_path / "runtime" / f"kernel-{kernel}.json"))
    client.load_connection_file()
    client.hb_channel.time_to_dead = 60  # a kernel that starts on a busy machine is silent for seconds, and not dead
    client.start_channels()
    try:
        client.wait_for_ready(60)
        assert listening(started.process.pid) == {"127.0.0.1"}, "Lab and its kernel listen to other machines"
        code = "from evalteach.exercises import check\none = lambda: 1\ncheck(one, [({}, 1)])"
        assert client.execute(code, reply=True, timeout=60)["content"]["status"] == "ok"
    finally:
        client.stop_channels()
    assert json.loads((tmp_path / "mine" / PROGRESS).read_bytes()) == {"00_start_here": ["one"]}
    started.control_c()
    started.shown(b"Shut down this Jupyter server")
    started.control_c()  # a second one, while Lab waits for the answer, is a yes
    assert started.process.wait(60) == 0
    assert "KeyboardInterrupt" not in started.errors.read_text()


@pytest.fixture
def small_lab(tmp_path):
    """The folder of a "JupyterLab" that ends with 7 when it is terminated or reads a line, and ignores Ctrl-C."""
    package = tmp_path / "packages" / "jupyterlab"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text(
        "import os, signal, time\n"
        "signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "signal.signal(signal.SIGTERM, lambda *_: os._exit(7))\n"
        "time.sleep(0.2)\n"
        "print('ready>', flush=True)\n"
        "input()\n"
        "os._exit(7)\n"
    )
    return package.parent


def test_control_c_is_left_to_lab_up_to_the_very_end(command, small_lab):
    started = command(small_lab)
    started.shown(b">")
    for _ in range(20):
        started.control_c()
        time.sleep(0.01)
    assert started.process.poll() is None
    os.write(started.terminal, b"\n")
    while started.process.poll() is None:
        started.control_c()  # and while both are leaving
    assert (started.process.returncode, started.errors.read_text()) == (7, "")


def test_who_ends_the_command_ends_lab_too(command, small_lab):
    started = command(small_lab)
    started.shown(b">")
    started.process.terminate()  # this process alone, as a service manager does
    assert started.process.wait(30) == 7
    with pytest.raises(ProcessLookupError):
        os.killpg(started.process.pid, 0)
