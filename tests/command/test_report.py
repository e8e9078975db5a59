"""`evalteach report`: what it refuses, what it tells, and the page that it writes."""

import errno
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import matplotlib
import numpy as np
import pytest
from pages import checked
from scored_files import SCORED, lines

import evalteach
from evalteach.command import catalogue, page
from evalteach.command.main import main
from evalteach.command.report import PARAMETERS

LONG_NAME = "a" * 300
ROOT = Path(evalteach.__file__).resolve().parents[1]
HOSTILE = "<script>alert(1)</script>"
NAMES = ("FILE", "UNLABELED", *(name.upper() for name in PARAMETERS))
CELLS = [
    ("markdown", "notebook-only", "# Only a notebook says this"),
    ("code", "parameters", " = ".join(NAMES) + " = None"),
    ("markdown", "", "## 1. Nothing\n"),
    ("markdown", "", "## 2. *Curves* of 2. kinds\n\nsee [words](glossary.md), [a paper](https://a.org/b?c=1&d=2)\n"),
    ("markdown", "", "|a|b|\n|-|-|\n|1|2|\n\n<b>no HTML</b> ![x](https://bad.example/x.png) [here](#a)"),
    ("markdown", "notebook-only", "## 3. Not in a report"),
    (
        "code",
        "",
        "from evalteach.command.reading import read_scores, read_unlabeled\nsecret_name = 1\n"
        "own = read_scores(FILE, label=LABEL, score=SCORE, positive=POSITIVE)\n"
        "print(*own.summary, sep='\\n')\nprint(RATIO, UNLABELED, CLASS_SIZE, BUDGET, THRESHOLD)\n"
        "if UNLABELED: print(read_unlabeled(UNLABELED, score=UNLABELED_SCORE).n_rows)",
    ),
    ("markdown", "", "## 4. Nothing either"),
    ("markdown", "", "## 10. Pictures"),
    (
        "code",
        "",
        "from IPython.display import HTML, Javascript, Markdown, display\n"
        "from matplotlib.figure import Figure\nfrom evalteach import plots\n"
        "(figure := Figure()).subplots().hist(own.y_score)\nplots.show(figure, f'The scores \"{own.score}\"')\n"
        "display(Markdown(f'The label {own.positive}'), Javascript('alert(2)'))\nopen('left.txt', 'w').close()\n"
        "HTML('<style>p {}</style><script>alert(3)</script><p>end')",
    ),
    (
        "code",
        "",
        "if THRESHOLD == 7: raise ValueError('no such threshold')\nif THRESHOLD == 8: 1 / 0\n"
        "if THRESHOLD == 9: exec('1 +')\n"
        "if THRESHOLD == 10:\n    import time\n    open(f'{UNLABELED}.running', 'w').close()\n    time.sleep(600)",
    ),
    ("code", "notebook-only", "raise SystemError('only in a notebook')"),
    ("markdown", "", "## 11. At the end"),
]


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """An installed package whose 91_your_own_scores has one of each kind of cell."""
    package = tmp_path_factory.mktemp("installed") / "evalteach"
    (package / "_notebooks").mkdir(parents=True)
    cells = [
        {"cell_type": kind, "metadata": {"tags": [tag]}, "source": source.splitlines(keepends=True)}
        for kind, tag, source in CELLS
    ]
    (package / "_notebooks" / "91_your_own_scores.ipynb").write_text(json.dumps({"cells": cells}))
    return package


@pytest.fixture
def scores(package, tmp_path, monkeypatch):
    """A file of scores, alone in the current folder."""
    monkeypatch.setattr(catalogue, "PACKAGE", package)
    monkeypatch.chdir(tmp_path)
    (path := tmp_path / "scores.csv").write_text(lines())
    return path


@pytest.fixture
def no_run(monkeypatch):
    monkeypatch.setattr(page, "run", lambda *_: pytest.fail("a notebook was run"))


def denied(*_, **__):
    raise PermissionError(errno.EACCES, "Permission denied")


def full_disk(*_, **__):
    raise OSError(errno.ENOSPC, "No space left on device")


# --- what is refused -------------------------------------------------------------------------------------

REFUSED = {  # what is asked for: the sentence
    "nothing.csv": "nothing.csv is not there. Check the name and the folder.",
    "scores.csv --label y": "--label 'y' is no column of scores.csv. It has 'label', 'score'.",
    "scores.csv --positive 7": "--positive '7' does not occur in column 'label' of scores.csv. It holds '0' in 60",
    "scores.csv --ratio nan": "--ratio must be above 0 and at most 1e+290, got nan.",
    "scores.csv --ratio 1:0": "--ratio must be above 0 and at most 1e+290, got 0.0.",
    "scores.csv --ratio 1e300": "--ratio must be above 0 and at most 1e+290, got 1e+300.",
    "scores.csv --threshold inf": "--threshold must be finite, got inf.",
    "scores.csv --unlabeled scores.csv --unlabeled-score p": "--unlabeled-score 'p' is no column of scores.csv. It ha",
    "scores.csv --unlabeled scores.csv --budget 0": "--budget must be above 0 and finite, got 0.",
    "scores.csv --unlabeled scores.csv --class-size few": "--class-size must be a number or low:high, such as 70:120",
    "scores.csv --unlabeled scores.csv --class-size 70:101": "--class-size is 101, and scores.csv has 100 rows. Name",
    "scores.csv --unlabeled new.csv": "new.csv is not there. Check the name and the folder.",
    "scores.csv --unlabeled-score p": "--unlabeled-score is about unlabeled rows; name their file with --unlabeled.",
    "scores.csv --class-size 70": "--class-size is about unlabeled rows; name their file with --unlabeled.",
    "scores.csv --budget 70": "--budget is about unlabeled rows; name their file with --unlabeled.",
    "scores.csv --out no/page.html": "there is no folder no; name a page in one that is there with --out.",
    "scores.csv --out scores.csv": "scores.csv is there already, and nothing is overwritten; name another page with --",
    f"scores.csv --out {LONG_NAME}": f"{LONG_NAME} cannot be written: File name too long; name another page",
}


@pytest.mark.parametrize("asked", REFUSED)
def test_what_cannot_be_done_is_refused_in_a_sentence_before_a_notebook_is_run(refused, no_run, scores, asked):
    assert refused("report", *asked.split()).startswith(REFUSED[asked])
    assert [path.name for path in scores.parent.iterdir()] == ["scores.csv"]
    assert scores.read_text() == lines()


def test_which_column_is_meant_is_asked_for_by_the_names_of_options(refused, no_run, scores):
    scores.write_text("label,a,b\n0,0.1,0.5\n1,0.2,0.25\n0,0.3,0.75\n")
    assert "Name it, as --score 'a' or --score 'b'" in refused("report", "scores.csv")
    scores.write_text("y,score\nfraud,0.1\nok,0.2\nok,0.3\n")
    assert "Say which is positive, as --positive 'fraud' or --positive 'ok'" in refused("report", "scores.csv")


@pytest.mark.parametrize("asked", ["", "s.csv --ratio many", "s.csv --ratio 100:1", "s.csv --budget 1.5", "--label"])
def test_a_command_that_lacks_something_ends_with_2(run, asked, capsys):
    with pytest.raises(SystemExit, match="2"):
        run("report", *asked.split())
    assert "evalteach report: error: " in capsys.readouterr().err


def test_a_page_that_could_not_be_written_is_refused_before_anything_is_read(refused, scores, monkeypatch):
    monkeypatch.setattr("evalteach.command.reading.read_scores", lambda *_, **__: pytest.fail("the file was read"))
    with monkeypatch.context() as patch:
        patch.setattr("tempfile.TemporaryFile", denied)  # which no folder is to root
        assert re.search("cannot be written: Permission denied;.*--out", refused("report", "scores.csv"))
    monkeypatch.setattr("evalteach.command.reading.read_scores", denied)
    assert refused("report", "scores.csv").startswith("scores.csv cannot be read: Permission denied. Check the name")


def test_a_full_disk_leaves_no_page_and_the_next_run_makes_one(run, refused, scores, monkeypatch):
    monkeypatch.setattr(page, "run", lambda *_: ["<p>words</p>"])
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", full_disk)
        assert "scores_report.html cannot be written: No space left on device; name another page" in refused(
            "report", "scores.csv"
        )
    assert [path.name for path in scores.parent.iterdir()] == ["scores.csv"]
    assert run("report", "scores.csv")[0] == 0
    assert "is there already" in refused("report", "scores.csv")


def test_a_file_that_changes_between_the_check_and_the_run_is_told_in_the_terminal_and_on_the_page(
    run, scores, monkeypatch
):
    def append(*_):
        with scores.open("a") as file:
            file.write("1,0.9\n")
        return []

    monkeypatch.setattr(page, "run", append)
    code, out, _ = run("report", "scores.csv")
    assert (code, out[-2].startswith("Warning: scores.csv changed while this page was made")) == (0, True)
    assert "scores.csv changed while this page was made" in Path("scores_report.html").read_text()
    monkeypatch.setattr(page, "run", lambda *_: [])
    assert "changed" not in " ".join(run("report", "scores.csv", "--out", "again.html")[1])


def test_what_is_missing_to_make_a_page_is_named(refused, scores, monkeypatch):
    monkeypatch.setitem(sys.modules, "IPython.core.interactiveshell", None)
    assert re.search("IPython.* is missing; run: .* -m pip install IPython", refused("report", "scores.csv"))


@pytest.mark.skipif(os.name != "posix", reason="processes are ended in another way")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_the_run_quietly_and_leaves_nothing(package, scores, tmp_path_factory, number, code):
    (new := tmp_path_factory.mktemp("new") / "new.csv").write_text("score\n.5\n.6\n.7\n")
    script = (  # a process that was started in the background ignores Ctrl-C, and so would this one
        "import pathlib, signal, sys\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from evalteach.command import catalogue, main\ncatalogue.PACKAGE = pathlib.Path(sys.argv.pop(1))\n"
        "sys.exit(main.main())"
    )
    words = [str(package), "report", scores.name, "--threshold", "10", "--unlabeled", str(new)]
    running, work = Path(f"{new}.running"), tmp_path_factory.mktemp("tmp")
    with subprocess.Popen(
        [sys.executable, "-c", script, *words],
        env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(work)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        end = time.monotonic() + 60
        while not running.exists() and process.poll() is None and time.monotonic() < end:
            time.sleep(0.05)
        try:
            process.send_signal(number)
            errors = process.communicate(timeout=60)[1]
        finally:
            process.kill()
    assert (process.returncode, errors) == (code, b"")
    assert [path.name for path in scores.parent.iterdir()] == ["scores.csv"]
    assert not [*work.iterdir()]


# --- the page --------------------------------------------------------------------------------------------


def test_a_report_is_a_page_that_needs_nothing_else(run, scores, tmp_path):
    positive = f"{HOSTILE} https://bad.example <http://bad.example> [x](https://bad.example) ![y](https://bad.example)"
    rows = [(positive if y == "1" else "<b>ok", s) for y, s in SCORED]
    scores.write_text(lines(head=f"{HOSTILE},p<i>", rows=rows))
    (new := tmp_path / "new.csv").write_text("risk,age\n.5,7\n.6,8.5\n.7,8\n")
    before = scores.read_bytes(), new.read_bytes()
    asked = ("--label", HOSTILE, "--score", "p<i>", "--positive", positive, "--ratio", "1:1600", "--threshold", ".5")
    code, out, errors = run(
        *("report", "scores.csv", *asked, "--unlabeled", "new.csv", "--unlabeled-score", "risk"),
        *("--class-size", "1:2", "--budget", "2"),
    )
    assert (code, errors) == (0, [])
    assert out[0] == "reading scores.csv"
    assert out[1].startswith("scores.csv has 100 rows")
    assert out[4].startswith("Warning: 20 rows tie at ")
    assert out[-2:] == [
        "running 91_your_own_scores on it",
        "written: scores_report.html (0.0 MB); open it in a browser",
    ]
    assert (scores.read_bytes(), new.read_bytes()) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new.csv", "scores.csv", "scores_report.html"]

    text, found = (tmp_path / "scores_report.html").read_text(encoding="utf-8"), checked(Path("scores_report.html"))
    assert found.words.count(HOSTILE) >= 2, "as words, in the summary and where it is displayed"
    assert "is negative in 60, which is 1.5 for each positive" in found.words
    assert f"1600.0 {new} 1:2 2 0.5 3" in found.words
    assert re.findall(r"<h\d>(.*?)</h\d>", text) == [
        "What the scores in scores.csv say",
        "1. <em>Curves</em> of 2. kinds",
        "2. Pictures",
    ], "what is empty goes, and the rest is numbered anew"
    assert [attributes["alt"] for attributes in found.all("img")] == ['The scores "p<i>"']
    # only what the notebook itself has written leads anywhere
    assert [attributes["href"] for attributes in found.all("a")] == ["https://a.org/b?c=1&d=2", "#a"]
    assert "see words, a paper" in found.words
    assert '<div class="table"><table>' in text
    assert "<b>no HTML</b>" in found.words
    assert re.search(rf"Made with evalteach {evalteach.__version__} on \d{{4}}-\d\d-\d\d\.$", found.words)
    for hidden in ("Only a notebook", "Not in a report", "secret_name", "alert(2)", "alert(3)", "SystemError"):
        assert hidden not in text


@pytest.mark.parametrize(
    ("threshold", "words"),
    [(7, "no such threshold"), (8, "ZeroDivisionError: division by zero"), (9, "SyntaxError: invalid syntax")],
)
def test_a_notebook_that_stops_leaves_no_page(refused, scores, threshold, words):
    assert refused("report", "scores.csv", "--threshold", threshold).startswith(f"91_your_own_scores stopped: {words}")
    assert [path.name for path in scores.parent.iterdir()] == ["scores.csv"]


def test_a_page_gets_the_notebooks_own_heading_and_escapes_what_it_is_given(tmp_path):
    (path := tmp_path / "page.html").write_text(
        page.page(["<h1>Fraud &amp; <em>co.</em></h1>"], "Another", "made <now>")
    )
    found = checked(path)
    assert found.words == "Fraud & co. Fraud & co. made <now>", "in the title and as heading"
    path.write_text(page.page([], "Scores of <b> & co.", "made"))
    assert checked(path).words == "Scores of <b> & co. Scores of <b> & co. made"


class Terminal:
    """A terminal, and what it was told at each flush."""

    def __init__(self):
        self.shown, self.text = [], ""

    def isatty(self):
        return True

    def write(self, text):
        self.text += text

    def flush(self):
        self.shown.append(self.text)
        self.text = ""


def test_each_line_and_each_step_is_shown_at_once(scores, monkeypatch):
    monkeypatch.setattr(sys, "stdout", terminal := Terminal())
    monkeypatch.setattr(page, "run", lambda notebook, parameters, progress: progress(1, 2) or progress(2, 2) or [])
    assert main(["report", "scores.csv"]) == 0
    assert [line.strip()[:7] for line in terminal.shown] == [
        *("reading", "scores.", "running", "50 %", "100 %", "written"),
    ]


# --- the page of the real notebook -----------------------------------------------------------------------


@pytest.mark.parametrize("given", ["all", "nothing"])
def test_the_report_on_a_file_is_one_page(tmp_path, monkeypatch, given):
    rng = np.random.default_rng(5)
    y_true = rng.random(2000) < 0.1
    y_score = (1 / (1 + np.exp(-rng.normal(np.where(y_true, 0.5, -3), 1.2)))).round(4)
    names = np.where(y_true, HOSTILE, "o|k *x* $y$").tolist() if given == "all" else y_true.astype(int).tolist()
    rows = zip(map(str, names), map(str, y_score.tolist()), strict=True)
    label = HOSTILE if given == "all" else "label"
    (tmp_path / "scores.csv").write_text(lines(head=f"{label},score", rows=rows))
    (tmp_path / "new.csv").write_text("\n".join(["score", *map(str, rng.permutation(y_score))]))
    monkeypatch.chdir(tmp_path)
    more = ["--label", HOSTILE, "--positive", HOSTILE, "--ratio", "1600", "--unlabeled", "new.csv"]
    more += ["--class-size", "150:250", "--budget", "100"]
    with matplotlib.rc_context():
        assert main(["report", "scores.csv", *(more if given == "all" else [])]) == 0
    found = checked(tmp_path / "scores_report.html")
    assert "scores.csv" in found.words
    assert len(found.all("img")) >= 4
    assert "Traceback" not in found.words
    assert not found.all("a")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new.csv", "scores.csv", "scores_report.html"]
    assert given == "nothing" or (HOSTILE in found.words and "o|k *x* $y$" in found.words)
