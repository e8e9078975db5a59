"""What README promises: each promise names its tests, and those on the network that stand nowhere else."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from evalteach import data

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PROMISES = re.findall(r"^\| .+ \| `tests/.+ \|$", README, flags=re.M)
NETWORK = {"socket", "ssl", "http", "urllib.request", "ftplib", "smtplib", "requests", "aiohttp", "pooch", "webbrowser"}
# what every Python of a process tree does first: each address outside the machine is written down
WATCH = """import os, sys
HERE = (None, "", "localhost", "127.0.0.1", "::1", b"localhost")
def watch(event, given):
    if event in ("socket.connect", "socket.sendto", "socket.bind", "socket.getaddrinfo"):
        place = given[0] if event == "socket.getaddrinfo" else given[1]
        host = place[0] if isinstance(place, tuple) else place
        if host not in HERE and not str(host).startswith("/"):  # a path is a socket of this machine
            with open(os.environ["SENT_TO"], "a") as log:
                log.write(f"{event} {host}\\n")
sys.addaudithook(watch)
"""


@pytest.mark.parametrize("promise", PROMISES, ids=[line.split(" | ")[0][2:50].replace(" ", "_") for line in PROMISES])
def test_every_promise_names_tests_that_are_there(promise):
    named = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", promise)
    assert named
    for file, function in named:
        source = (ROOT / file).read_text(encoding="utf-8")
        assert not function or f"def {function}(" in source, f"{file} has no {function}"


def test_there_are_promises():
    assert len(PROMISES) >= 6


def test_the_package_imports_nothing_that_talks_to_other_machines():
    for path in sorted((ROOT / "evalteach").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not {name for name in names if name in NETWORK or name.split(".")[0] in NETWORK}, path.name


@pytest.fixture
def watched(tmp_path):
    """Run Python in a folder of its own; what it, and what it starts, asks of other machines or opens to them."""
    (tmp_path / "hook").mkdir()
    (tmp_path / "hook" / "sitecustomize.py").write_text(WATCH)
    sent = tmp_path / "sent"

    def watched(*arguments):
        places = os.pathsep.join([str(tmp_path / "hook"), str(ROOT)])
        env = os.environ | {"PYTHONPATH": places, "SENT_TO": str(sent)}
        subprocess.run([sys.executable, *arguments], cwd=tmp_path, env=env, check=True, capture_output=True)
        return sent.read_text() if sent.exists() else ""

    return watched


def test_the_watch_sees_what_is_sent_and_what_listens(watched):
    code = "import socket; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.bind(('0.0.0.0', 0))"
    assert watched("-c", code) == "socket.bind 0.0.0.0\n"
    assert watched("-c", f"{code}; s.sendto(b'', ('192.0.2.1', 9))").endswith("socket.sendto 192.0.2.1\n")


def test_a_report_and_its_kernel_send_nothing_and_listen_to_this_machine_only(watched, tmp_path):
    scored = data.two_normals(30, 3)
    lines = ["label,score", *(f"{label:d},{score}" for label, score in zip(scored.y_true, scored.y_score, strict=True))]
    (tmp_path / "scores.csv").write_text("\n".join(lines))
    assert watched("-m", "evalteach", "report", "scores.csv") == ""
    assert (tmp_path / "scores_report.html").exists()
