"""What readers can rely on: each promise names its tests, and the tests on the network are here."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from evalteach import data

ROOT = Path(__file__).resolve().parent.parent
PROMISES = {
    "metrics equal brute force and scikit-learn": [
        "tests/test_classification.py",
        "tests/test_counts.py",
        "tests/test_class_ratio.py",
        "tests/test_ranking.py",
    ],
    "a wrong answer to an exercise is refused, and a right one in other words is not": ["tests/test_exercises.py"],
    "bad input is refused by the argument's name, and a reader's rows are not changed": ["tests/test_odd_input.py"],
    "a reader's files are never lost or overwritten": [
        "tests/command/test_folder.py::test_an_untouched_notebook_is_updated_and_an_edited_one_is_kept",
        "tests/command/test_folder.py::test_a_copy_that_stops_leaves_whole_files_and_is_completed_by_the_next",
        "tests/test_review_log.py::test_a_file_that_is_there_is_never_overwritten",
        "tests/test_record.py::test_what_has_the_name_is_not_overwritten_unless_that_is_asked_for",
    ],
    "nothing listens beyond this machine": [
        "tests/command/test_lab.py::test_a_real_lab_opens_the_first_notebook_notes_ticks_listens_here_alone_and_ends_on_"
        "a_second_control_c",
        "tests/test_promises.py::test_a_report_and_its_kernel_send_nothing_and_listen_to_this_machine_only",
    ],
    "nothing is sent": [
        "tests/test_promises.py::test_the_package_imports_nothing_that_talks_to_other_machines",
        "tests/browser/test_in_jupyterlab.py::test_the_console_and_the_network_stay_quiet",
    ],
    "fifty explorers and a thousand moves leave nothing behind": [
        "tests/explorers/test_memory.py::test_fifty_explorers_do_not_grow_in_a_thousand_moves"
    ],
    "a kernel that restarts under the hand leaves a page that can be used": [
        "tests/browser/test_front_end.py::test_a_kernel_that_restarts_under_the_hand_leaves_a_page_that_can_be_used"
    ],
}
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


@pytest.mark.parametrize("promise", PROMISES)
def test_every_promise_names_tests_that_are_there(promise):
    for named in PROMISES[promise]:
        file, _, function = named.partition("::")
        source = (ROOT / file).read_text(encoding="utf-8")
        assert f"def {function or 'test_'}" in source, f"{file} has no {function}"


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
