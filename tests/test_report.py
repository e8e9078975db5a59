"""`evalteach report`: what it refuses, what it tells, and the page that it writes."""

import builtins
import errno
import json
import os
import re
import signal
import subprocess
import sys
import textwrap
import time
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace

import nbformat
import numpy as np
import pytest
from jupyter_client.kernelspec import NoSuchKernel
from nbclient.exceptions import CellExecutionError, CellTimeoutError
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from test_files import BROKEN, SCORED, lines

from evalteach import _page, cli

NOTEBOOKS = Path(cli.__file__).resolve().parent.parent / "notebooks"
HOSTILE = "<script>alert(1)</script>"
VOID = {"meta", "img", "br", "hr"}
TEXT = {"p", "h1", "h2", "h3", "h4", "pre"}  # hold words and no blocks
BLOCKS = TEXT | {"div", "table", "ul", "ol", "main", "footer"}


def tagged(cell, tag):
    cell.metadata["tags"] = [tag]
    return cell


@pytest.fixture(scope="module")
def shipped(tmp_path_factory):
    """An installed package whose 91_your_own_scores has one of each kind of cell."""
    folder = tmp_path_factory.mktemp("installed") / "evalteach" / "_notebooks"
    folder.mkdir(parents=True)
    names = ("FILE", "UNLABELED", *(name.upper() for name in cli.GIVEN))
    cells = [
        tagged(new_markdown_cell("# Only a notebook says this"), "notebook-only"),
        tagged(new_code_cell(" = ".join(names) + " = None"), "parameters"),
        new_markdown_cell(
            "## Curves\n\nsee [the glossary](glossary.md), [a paper](https://example.org)\n\n|a|b|\n|-|-|\n|1|2|"
        ),
        new_code_cell("from evalteach.files import read_scores, read_unlabeled\nsecret_name = 1"),
        new_code_cell("own = read_scores(FILE, label=LABEL, score=SCORE, positive=POSITIVE)"),
        new_code_cell("print(*own.summary, sep='\\n')\nprint(RATIO, UNLABELED, CLASS_SIZE, BUDGET, THRESHOLD)"),
        new_code_cell("if UNLABELED: print(read_unlabeled(UNLABELED).n_rows)"),
        new_code_cell(
            "from matplotlib.figure import Figure\nfrom evalteach import plots\n"
            "(figure := Figure()).subplots().hist(own.y_score)\nplots.show(figure, f'The scores {own.score}')"
        ),
        new_code_cell("import pandas as pd\npd.DataFrame({own.label: [own.positive]})"),
        new_code_cell(
            "from IPython.display import HTML, Javascript, display\ndisplay(Javascript('alert(2)'))\n"
            "open('left.txt', 'w').close()\nHTML('<style>p {}</style><script>alert(3)</script><p>end')"
        ),
        new_code_cell(
            "if THRESHOLD == 7: raise ValueError('no such threshold')\nif THRESHOLD == 8: 1 / 0\n"
            "if THRESHOLD == 9: import os; os._exit(1)\n"
            "if THRESHOLD == 10:\n    import os, time\n    print(os.getpid(), file=open(f'{UNLABELED}.pid', 'w'))\n"
            "    os.rename(f'{UNLABELED}.pid', f'{UNLABELED}.running')\n    time.sleep(600)"
        ),
        tagged(new_code_cell("raise SystemError('only in a notebook')"), "notebook-only"),
    ]
    nbformat.write(new_notebook(cells=cells), folder / "91_your_own_scores.ipynb")
    return folder


@pytest.fixture
def run(shipped, tmp_path, monkeypatch, capsys):
    """Run `evalteach report` in an empty folder: exit code, lines of standard output, lines of standard error."""
    monkeypatch.setattr(cli, "__file__", str(shipped.parent / "cli.py"))
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        code = cli.main(["report", *map(str, arguments)])
        captured = capsys.readouterr()
        return code, captured.out.splitlines(), captured.err.splitlines()

    return run


@pytest.fixture
def no_kernel(monkeypatch):
    monkeypatch.setattr(_page, "run", lambda *_: pytest.fail("a notebook was run"))


@pytest.fixture
def scores(tmp_path):
    (path := tmp_path / "scores.csv").write_text(lines())
    return path


# --- what is refused -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_ends_with_one_sentence_and_no_page(run, no_kernel, scores, name):
    content, asked, words = BROKEN[name]
    scores.write_bytes(content if isinstance(content, bytes) else content.encode())
    code, _, errors = run(scores, *(word for key, value in asked.items() for word in (f"--{key}", value)))
    words = re.sub(r"\b(label|score|positive)=(')?", r"--\1 \2", words).strip()  # what is asked for is an option here
    assert code == 2
    assert len(errors) == 1
    assert words in errors[0].replace("--positive,", "--positive ,")
    assert [path.name for path in scores.parent.iterdir()] == ["scores.csv"]


REFUSED = {  # what is asked for: the sentence
    "no such file": (["nothing.csv"], "nothing.csv is not there. Check the name and the folder."),
    "no number as ratio": (["scores.csv", "--ratio", "nan"], "--ratio must be above 0 and finite, got nan."),
    "a ratio below 0": (["scores.csv", "--ratio=-2"], "--ratio must be above 0 and finite, got -2.0."),
    "a ratio of nothing": (["scores.csv", "--ratio", "1:0"], "--ratio must be above 0 and finite, got 0.0."),
    "no column in the unlabeled file": (
        ["scores.csv", "--unlabeled", "scores.csv", "--unlabeled-score", "p"],
        "--unlabeled-score 'p' is no column of scores.csv. It has 'label', 'score'.",
    ),
    "a column of no unlabeled file": (
        ["scores.csv", "--unlabeled-score", "p"],
        "--unlabeled-score is about unlabeled rows; name their file with --unlabeled.",
    ),
    "no budget": (
        ["scores.csv", "--unlabeled", "scores.csv", "--budget", "0"],
        "--budget must be above 0 and finite, got 0.",
    ),
    "no threshold": (["scores.csv", "--threshold", "inf"], "--threshold must be finite, got inf."),
    "no class size": (
        ["scores.csv", "--unlabeled", "scores.csv", "--class-size", "few"],
        "--class-size must be a number or low:high, such as 70:120, got 'few'.",
    ),
    "a class size beyond the rows": (
        ["scores.csv", "--unlabeled", "scores.csv", "--class-size", "70:101"],
        "--class-size is 101, and scores.csv has 100 rows.",
    ),
    "a class size of nothing": (
        ["scores.csv", "--class-size", "70"],
        "--class-size is about unlabeled rows; name their file with --unlabeled.",
    ),
    "a budget for nothing": (
        ["scores.csv", "--budget", "70"],
        "--budget is about unlabeled rows; name their file with --unlabeled.",
    ),
    "no unlabeled file": (
        ["scores.csv", "--unlabeled", "new.csv"],
        "new.csv is not there. Check the name and the folder.",
    ),
    "a page in no folder": (
        ["scores.csv", "--out", "no/page.html"],
        "there is no folder no; name a page in one that is there with --out.",
    ),
    "the file as page": (
        ["scores.csv", "--out", "scores.csv"],
        "scores.csv is there already, and nothing is overwritten; name another page with --out.",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_done_is_refused_in_a_sentence(run, no_kernel, scores, name):
    asked, told = REFUSED[name]
    code, _, errors = run(*asked)
    assert (code, errors) == (2, [f"evalteach: {told}"])
    assert scores.read_text() == lines()


def test_a_page_that_is_there_is_not_overwritten(run, no_kernel, scores):
    (page := scores.with_name("scores_report.html")).write_text("mine")
    code, _, (error,) = run(scores)
    assert code == 2
    assert (
        error
        == "evalteach: scores_report.html is there already, and nothing is overwritten; name another page with --out."
    )
    assert page.read_text() == "mine"


@pytest.mark.parametrize(
    "asked",
    [
        [],
        ["scores.csv", "--ratio", "many"],
        ["scores.csv", "--ratio", "100:1"],
        ["scores.csv", "--budget", "1.5"],
        ["--label"],
    ],
)
def test_a_command_that_lacks_something_ends_with_2(run, asked, capsys):
    with pytest.raises(SystemExit) as ended:
        run(*asked)
    assert ended.value.code == 2
    assert "evalteach report: error: " in capsys.readouterr().err


def test_without_the_notebook_the_command_says_so(run, scores, shipped, monkeypatch, tmp_path):
    (other := tmp_path / "other" / "_notebooks").mkdir(parents=True)
    (other / "00_start_here.ipynb").write_text("{}")
    monkeypatch.setattr(cli, "__file__", str(other.parent / "cli.py"))
    assert run(scores)[0] == 2


def denied(*_, **__):
    raise PermissionError(errno.EACCES, "Permission denied")


@pytest.mark.parametrize(
    ("out", "told"),
    [("a" * 300, "File name too long"), ("a" * 300 + "/page.html", "no folder|File name too long"), ("b", "denied")],
)
def test_a_page_that_could_not_be_written_is_refused_before_anything_is_read(run, scores, monkeypatch, out, told):
    if told == "denied":  # which no folder is to root
        monkeypatch.setattr("tempfile.TemporaryFile", denied)
    monkeypatch.setattr(cli, "_given", lambda _: pytest.fail("the file was read"))
    code, _, (error,) = run(scores, "--out", out)
    assert code == 2
    assert re.search(f"({told}).*--out", error)
    assert [path.name for path in scores.parent.iterdir()] == ["scores.csv"]


def test_a_file_in_a_folder_that_may_not_be_entered_is_refused_in_a_sentence(run, no_kernel, scores, monkeypatch):
    monkeypatch.setattr("evalteach.files.read_scores", denied)
    assert run(scores)[::2] == (2, ["evalteach: " + f"{scores} cannot be read: Permission denied."])


def test_a_full_disk_leaves_no_page_and_the_next_run_makes_one(run, scores, monkeypatch):
    monkeypatch.setattr(_page, "run", lambda *_: new_notebook(cells=[new_markdown_cell("words")]))
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError(errno.ENOSPC, "No space left on device")))
        code, _, (error,) = run(scores)
    assert (code, "No space left" in error) == (2, True)
    assert [path.name for path in scores.parent.iterdir()] == ["scores.csv"]
    assert run(scores)[0] == 0


def test_a_file_that_changes_between_the_check_and_the_run_is_told_in_the_terminal_and_on_the_page(
    run, scores, monkeypatch
):
    def append(*_):
        with scores.open("a") as file:
            file.write("1,0.9\n")
        return new_notebook(cells=[new_markdown_cell("words")])

    monkeypatch.setattr(_page, "run", append)
    code, told, _ = run("scores.csv")
    assert code == 0
    assert told[-2].startswith("Warning: scores.csv changed while this page was made")
    assert "scores.csv changed while this page was made" in Path("scores_report.html").read_text()
    monkeypatch.setattr(_page, "run", lambda *_: new_notebook())
    assert "changed" not in " ".join(run("scores.csv", "--out", "again.html")[1])


def test_scores_that_are_upside_down_are_told_without_an_argument_that_no_command_has(run, scores, monkeypatch):
    scores.write_text("label,score\n" + "1,0.1\n0,0.9\n1,0.2\n0,0.8\n" * 20)
    monkeypatch.setattr(_page, "run", lambda *_: new_notebook())
    told = " ".join(run(scores)[1])
    assert "upside down" in told
    assert "other label as positive" in told
    assert "positive=" not in told


SPECS = {
    "nowhere": '{"argv": ["/no/python", "-m", "ipykernel_launcher"], "display_name": "", "language": "python"}',
    "no JSON": "{",
    "no program": '{"argv": [], "display_name": "", "language": "python"}',
    "other things": '{"argv": 5}',
    "gone at once": json.dumps({"argv": [sys.executable, "-c", ""], "display_name": "", "language": "python"}),
}


@pytest.mark.parametrize("name", SPECS)
def test_a_kernel_that_cannot_start_is_told_with_the_command_that_tells_more(run, scores, monkeypatch, tmp_path, name):
    (folder := tmp_path / "jupyter" / "kernels" / "python3").mkdir(parents=True)
    (folder / "kernel.json").write_text(SPECS[name])
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path / "jupyter"))
    monkeypatch.setattr(_page, "Thread", lambda **_: SimpleNamespace(start=lambda: None))  # no page, so no exporter
    code, _, (error,) = run(scores)
    assert (code, "`evalteach check`" in error, "kernel" in error) == (2, True, True)
    assert not (tmp_path / "scores_report.html").exists()


@pytest.mark.skipif(os.name != "posix", reason="processes are ended in another way")
@pytest.mark.parametrize(
    ("number", "times", "code"), [(signal.SIGINT, 1, 130), (signal.SIGINT, 2, 130), (signal.SIGTERM, 1, 143)]
)
def test_a_signal_ends_the_run_quietly_and_leaves_neither_kernel_nor_file(
    shipped, scores, tmp_path_factory, number, times, code
):
    new = tmp_path_factory.mktemp("new") / "new.csv"
    new.write_text("score\n.5\n.6\n.7\n")
    script = (  # a process that was started in the background ignores Ctrl-C, and so would this one
        "import signal, sys\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from evalteach import cli\ncli.__file__ = sys.argv.pop(1)\nsys.exit(cli.main())"
    )
    words = [str(shipped.parent / "cli.py"), "report", scores.name, "--threshold", "10", "--unlabeled", str(new)]
    running, folder = Path(f"{new}.running"), scores.parent
    (work := tmp_path_factory.mktemp("tmp")).chmod(0o700)
    with subprocess.Popen(
        [sys.executable, "-c", script, *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(NOTEBOOKS.parent), "TMPDIR": str(work)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        end = time.monotonic() + 60
        while not running.exists() and process.poll() is None and time.monotonic() < end:
            time.sleep(0.05)
        kernel = int(running.read_text())
        try:
            for _ in range(times):
                process.send_signal(number)
                time.sleep(0.01)
            errors = process.communicate(timeout=60)[1]
        finally:
            process.kill()
    assert (process.returncode, errors) == (code, b"")
    assert [path.name for path in folder.iterdir()] == ["scores.csv"]
    assert not Path(f"/proc/{kernel}").exists()
    assert not [*work.iterdir()]


def test_letters_that_the_output_does_not_have_end_nothing(tmp_path):
    (tmp_path / "数据.csv").write_text(lines(head="label,оценка"), encoding="utf-8")
    command = [sys.executable, "-m", "evalteach", "report", "数据.csv", "--positive", "没有"]
    env = {**os.environ, "PYTHONPATH": str(NOTEBOOKS.parent), "PYTHONIOENCODING": "cp1252:strict"}
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True)
    assert done.returncode == 2
    assert b"reading \\u6570\\u636e.csv" in done.stdout
    assert b"'\\u6ca1\\u6709' does not occur" in done.stderr


# --- the page --------------------------------------------------------------------------------------------


class Checked(HTMLParser):
    """Raises where tags do not close as they should; keeps attributes and text."""

    def __init__(self, page):
        super().__init__()
        self.open, self.found, self.text = [], [], []
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        assert not (tag in BLOCKS and TEXT & set(self.open)), f"{tag} inside {self.open}"
        self.found.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_startendtag(self, tag, attributes):
        assert tag in VOID
        self.handle_starttag(tag, attributes)

    def handle_data(self, text):
        if "style" not in self.open:
            self.text.append(text)

    def all(self, tag):
        return [attributes for found, attributes in self.found if found == tag]


def check_page(page):
    """What holds of every page: valid, self-contained, readable on a phone, printable; its tags."""
    checked = Checked(page)
    assert page.startswith("<!DOCTYPE html>")
    assert checked.all("html") == [{"lang": "en"}]
    assert {"name": "viewport", "content": "width=device-width, initial-scale=1"} in checked.all("meta")
    policy = next(each["content"] for each in checked.all("meta") if "http-equiv" in each)
    assert {*re.split(r";\s*", policy)} >= {"default-src 'none'", "base-uri 'none'", "form-action 'none'"}
    assert (
        len(checked.all("title"))
        == len(checked.all("h1"))
        == len(checked.all("main"))
        == len(checked.all("style"))
        == 1
    )
    assert "@media print" in page
    for tag, attributes in checked.found:
        assert tag not in ("script", "link", "iframe", "object", "embed", "form", "base")
        assert not [name for name in attributes if name.startswith("on")]
        assert attributes.get("src", "data:image/png;base64,").startswith("data:image/png;base64,")
        assert re.match("https?://|#", attributes.get("href", "#"))
    assert all(len(each["alt"]) > 10 and "No description" not in each["alt"] for each in checked.all("img"))
    ids = [attributes["id"] for _, attributes in checked.found if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert not re.search(r"url\(|@import", page)
    assert len(page) < 2e6
    return checked


def test_a_report_is_a_page_that_needs_nothing_else(run, scores, tmp_path):
    rows = [(HOSTILE if y == "1" else "<b>ok", s) for y, s in SCORED]
    scores.write_text(lines(head=f"{HOSTILE},p<i>", rows=rows))
    (new := tmp_path / "new.csv").write_text("p<i>\n.5\n.6\n.7\n")
    before = scores.read_bytes(), new.read_bytes()
    asked = ("--label", HOSTILE, "--score", "p<i>", "--positive", HOSTILE)
    more = ("--ratio", "1:1600", "--unlabeled", new.name, "--class-size", "1:2", "--budget", "2", "--threshold", ".5")
    code, told, errors = run(scores.name, *asked, *more)
    assert (code, errors) == (0, [])
    assert told[0] == "reading scores.csv"
    assert told[1].startswith("scores.csv has 100 rows")
    assert f"{HOSTILE!r} is positive in 40 rows, and '<b>ok' is negative in 60" in told[2]
    assert "'p<i>', from 0.1 to 0.8" in told[3]
    assert told[4].startswith("Warning: 20 rows tie at ")
    assert told[-2:] == [
        "running 91_your_own_scores on it",
        "written: scores_report.html (0.0 MB); open it in a browser",
    ]
    assert (scores.read_bytes(), new.read_bytes()) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new.csv", "scores.csv", "scores_report.html"]

    page = (tmp_path / "scores_report.html").read_text(encoding="utf-8")
    checked = check_page(page)
    words = "".join(checked.text)
    assert words.count(HOSTILE) >= 3, "as words, in the summary and in the table"
    assert f"1600.0 {new} 1:2 2 0.5" in words
    assert "\n3\n" in words
    assert [each["alt"] for each in checked.all("img")] == ["The scores p<i>"]
    assert "What the scores in scores.csv say" in words
    assert "the glossary" in words
    assert [each["href"] for each in checked.all("a")] == ["https://example.org"]
    for hidden in ("Only a notebook", "secret_name", "alert(2)", "alert(3)", "SystemError"):
        assert hidden not in page


@pytest.mark.parametrize(
    ("threshold", "told"),
    [(7, "no such threshold"), (8, "ZeroDivisionError: division by zero"), (9, "its kernel died, or took too long; ")],
)
def test_a_notebook_that_stops_leaves_no_page(run, scores, threshold, told):
    code, _, errors = run(scores, "--threshold", threshold)
    assert code == 2
    assert len(errors) == 1
    assert errors[0].startswith(f"evalteach: 91_your_own_scores stopped: {told}")
    assert [path.name for path in scores.parent.iterdir()] == ["scores.csv"]


def test_a_page_gets_the_name_that_was_asked_for_and_the_notebooks_own_heading(scores, tmp_path):
    book = new_notebook(cells=[new_markdown_cell("# Fraud & co.\n\nwords")])
    checked = check_page(_page.page(book, "Another title", "made <today>"))
    assert "".join(checked.text).count("Fraud & co.") == 2, "in the title and as heading"
    assert "made <today>" in checked.text


def test_only_the_notebooks_own_links_are_live():
    own = "[a](https://own.example/a?b=1&c=2 'title'), https://own.example/ü, [c][1] and [d](#d)\n\n[1]: https://own.example"
    (code := new_code_cell("")).outputs = [
        new_output(
            "display_data", {"text/markdown": "![i](http://bad.example/x.png) https://bad.example <http://bad.example>"}
        ),
        new_output("display_data", {"text/markdown": "[x](https://bad.example) [y](#bad) [z](javascript:alert)"}),
        new_output("display_data", {"text/html": '<a href="https://bad.example">x</a>'}),
        new_output("display_data", {"text/markdown": "https&#58;//bad.example, see https://own.example"}),
    ]
    page = _page.page(new_notebook(cells=[new_markdown_cell(own), code]), "A title", "made")
    links = [each["href"] for each in Checked(page).all("a")]
    assert links == [
        "https://own.example/a?b=1&c=2",
        "https://own.example/%C3%BC",
        "https://own.example",
        "#d",
        "https://own.example",
    ]
    assert "https://bad.example" in page, "as words"


def test_a_section_without_words_is_left_out_and_the_others_are_counted_anew():
    texts = "## 1. Given\n\nwords", "## 2. Not given", "## 3. *Given*\n\nwords", "## 4. Not given"
    checked = check_page(_page.page(new_notebook(cells=list(map(new_markdown_cell, texts))), "A title", "made"))
    assert "1. Given words 2. Given words made" in " ".join(" ".join(checked.text).split())


def test_the_page_does_not_wait_for_a_grammar_of_addresses_and_leaves_it_to_others():
    lines = """
        import sys
        from evalteach import _page
        _page.import_nbformat()
        import jsonschema, nbformat
        assert not [name for name in sys.modules if name.startswith("rfc3987")]
        nbformat.validate(nbformat.v4.new_notebook())
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(lines)], check=True, timeout=60)


# --- the page of the real notebook -----------------------------------------------------------------------

needs_the_notebook = pytest.mark.skipif(
    not (NOTEBOOKS / "91_your_own_scores.ipynb").is_file(), reason="91_your_own_scores is not in this checkout"
)


@needs_the_notebook
@pytest.mark.parametrize("given", ["all", "nothing"])
def test_the_report_on_a_file_is_one_page(tmp_path, monkeypatch, given):
    rng = np.random.default_rng(5)
    y_true = rng.random(2000) < 0.1
    y_score = (1 / (1 + np.exp(-rng.normal(np.where(y_true, 0.5, -3), 1.2)))).round(4)
    names = np.where(y_true, HOSTILE, "o|k *x* $y$").tolist() if given == "all" else y_true.astype(int).tolist()
    rows = zip(names, y_score.tolist(), strict=True)
    label = HOSTILE if given == "all" else "label"
    (tmp_path / "scores.csv").write_text("\n".join([f"{label},score", *(f"{name},{score}" for name, score in rows)]))
    (tmp_path / "new.csv").write_text("\n".join(["score", *map(str, rng.permutation(y_score))]))
    monkeypatch.chdir(tmp_path)
    more = ["--label", HOSTILE, "--positive", HOSTILE, "--ratio", "1600", "--unlabeled", "new.csv"]
    more += ["--class-size", "150:250", "--budget", "100"]
    assert cli.main(["report", "scores.csv", *(more if given == "all" else [])]) == 0
    checked = check_page((tmp_path / "scores_report.html").read_text(encoding="utf-8"))
    words = " ".join("".join(checked.text).split())
    assert "scores.csv" in words
    assert len(checked.all("img")) >= 4
    assert "Traceback" not in words
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new.csv", "scores.csv", "scores_report.html"]
    if given == "all":
        assert HOSTILE in words, "as words"
        assert "o|k *x* $y$" in words


# --- how the notebook is run -----------------------------------------------------------------------------


@pytest.fixture
def client(monkeypatch):
    """Stands for nbclient's: how it was made and what it was asked; ``client.error`` is raised."""
    client = SimpleNamespace(error=None)

    class Client:
        km = None

        def _cleanup_kernel(self):
            pytest.fail("nothing was started")

        def __init__(self, book, **options):
            client.book, client.options = book, options
            client.folder = Path(options["resources"]["metadata"]["path"])
            client.held = [*client.folder.iterdir()]

        async def async_execute(self, **options):
            client.asked = options
            for place, cell in enumerate(client.book.cells):
                client.options["on_cell_execute"](cell=cell, cell_index=place)
            if client.error:
                raise client.error

    monkeypatch.setattr("nbclient.NotebookClient", Client)
    monkeypatch.setenv("JUPYTER_PREFER_ENV_PATH", "0")  # and so what is set is undone
    return client


def test_a_notebook_runs_in_an_empty_folder_that_goes_away_and_tells_of_each_cell(client, monkeypatch):
    book, told = new_notebook(cells=[new_markdown_cell("a"), new_code_cell("b")]), []
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(["one", "two"]))
    monkeypatch.setenv("SOMETHING_ELSE", "kept")
    _page.execute(book, "91_scores", lambda *shown: told.append(shown))
    assert told == [(1, 2), (2, 2)]
    assert client.book is book
    assert (client.held, client.folder.exists()) == ([], False)
    del client.options["on_cell_execute"]
    assert client.options == {
        "timeout": 600,
        "kernel_name": "python3",
        "resources": {"metadata": {"path": str(client.folder)}},
    }
    assert {*client.asked} == {"stderr", "env"}
    assert client.asked["stderr"] == subprocess.DEVNULL
    env, root = client.asked["env"], str(Path(_page.__file__).resolve().parent.parent)
    assert env["PYTHONPATH"].split(os.pathsep) == [root, "one", "two"]
    assert (env["JUPYTER_PREFER_ENV_PATH"], env["SOMETHING_ELSE"]) == ("1", "kept")
    assert os.environ["JUPYTER_PREFER_ENV_PATH"] == "1"
    monkeypatch.delenv("PYTHONPATH")
    assert _page.environment()["PYTHONPATH"] == root


DIED = "its kernel died, or took too long; fewer rows need less memory, and `evalteach check` may tell more"


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (CellExecutionError("", "ValueError", "no such threshold"), "91_scores stopped: no such threshold"),
        (CellExecutionError("", "KeyError", "'a'"), "91_scores stopped: KeyError: 'a'"),
        (
            CellExecutionError("in line 1\nof 2\n\x1b[1;31mTypeError\x1b[0m: not \x1b[mthis\n\n", "NoneType", "None"),
            "91_scores stopped: TypeError: not this",
        ),
        (CellTimeoutError("600 s"), f"91_scores stopped: {DIED}"),
        (RuntimeError("dead"), f"91_scores stopped: {DIED}"),
        *(
            (error, f"no kernel python3 starts ({error}); `evalteach check` tells how to get one")
            for error in (NoSuchKernel("python3"), FileNotFoundError("/no/python"), json.JSONDecodeError("no", "{", 1))
        ),
    ],
    ids=lambda each: type(each).__name__,
)
def test_whatever_stops_a_notebook_is_told_in_a_sentence(client, error, told):
    client.error = error
    with pytest.raises(ValueError) as caught:
        _page.execute(new_notebook(), "91_scores", None)
    assert str(caught.value) == told
    assert not client.folder.exists()


def test_what_is_given_follows_the_notebooks_own_parameters(tmp_path, monkeypatch):
    cells = [
        tagged(new_code_cell("import widgets"), "notebook-only"),
        new_markdown_cell("# Title"),
        tagged(new_code_cell("FILE = None"), "parameters"),
        tagged(new_code_cell("FILE"), "other"),
        tagged(new_code_cell("FILE = 3"), "parameters"),
    ]
    nbformat.write(new_notebook(cells=cells), path := tmp_path / "91_scores.ipynb")
    ran, threads = [], []
    monkeypatch.setattr(_page, "execute", lambda *asked: ran.append(asked))
    monkeypatch.setattr(_page, "Thread", lambda **made: threads.append(made) or SimpleNamespace(start=lambda: None))
    book = _page.run(path, {"FILE": 'a"b', "RATIO": None}, tell := print)
    assert [cell.source for cell in book.cells] == [
        "# Title",
        "FILE = None",
        "FILE = 'a\"b'\nRATIO = None",
        "FILE",
        "FILE = 3",
    ]
    assert ran == [(book, "91_scores", tell)]
    assert threads == [{"target": _page._exporter, "daemon": True}], "a refusal does not wait for it"


@pytest.mark.parametrize("there", [True, False])
def test_the_grammar_of_addresses_is_kept_from_the_first_import_alone(monkeypatch, there):
    seen, imported = {}, builtins.__import__

    def watched(name, *more):
        seen[name] = sys.modules.get("rfc3987_syntax", "not looked for")
        if name == "jsonschema":
            raise ImportError
        return imported(name, *more)

    monkeypatch.delitem(sys.modules, "rfc3987_syntax", raising=False)
    if there:
        monkeypatch.setitem(sys.modules, "rfc3987_syntax", "there")
    with monkeypatch.context() as patch:
        patch.setattr(builtins, "__import__", watched)
        assert _page.import_nbformat() is nbformat
    assert seen == {"nbformat": "there"} if there else {"jsonschema": None, "nbformat": "not looked for"}
    assert sys.modules.get("rfc3987_syntax") == ("there" if there else None)
    assert ("rfc3987_syntax" in sys.modules) == there


def test_a_page_escapes_what_it_is_given_and_keeps_no_code_script_or_style_of_others():
    shown = {
        "text/html": '<style>p {}</style><link href="a.css"><table border="1" class="dataframe"><thead><tr><th>n</th>'
        "</tr></thead><tbody><tr><td>3</td></tr></tbody></table><div><p>end</p></div>",
        "text/plain": "3",
    }
    live = {"application/vnd.jupyter.widget-view+json": {}, "application/javascript": "alert(1)", "text/plain": "Slide"}
    picture = {"image/png": "iVBORw0KGgo=", "text/plain": "<Figure>"}
    code = new_code_cell("secret = 1", execution_count=1)
    code.outputs = [
        new_output("stream", name="stdout", text="said <i>\n\n\n\nagain\n"),
        new_output("execute_result", shown, execution_count=1),
        new_output("display_data", live),
        new_output("display_data", picture, metadata={"image/png": {"alt": "A line & a dot."}}),
    ]
    words = "see [words](glossary.md), [here](#below), [a paper](https://a.org/b), [another](http://a.org)"
    cells = [
        new_markdown_cell("## 1. Given\n\n" + words),
        new_markdown_cell("## 2. Not given"),
        new_markdown_cell("## 3. *Given*"),
        code,
        new_markdown_cell("## 10. More of 2. kinds\n\n- one\n- two"),
        new_markdown_cell("## 4. At the end"),
    ]
    page = _page.page(new_notebook(cells=cells), "Scores of <b> & co.", "made <today>")
    body = page.partition("</style>")[2]
    assert "default-src 'none'" in page.partition("<style>")[0]
    assert re.findall(r"<h\d>(.*?)</h\d>", body) == [
        "Scores of &lt;b&gt; &amp; co.",
        "1. Given",
        "2. <em>Given</em>",
        "3. More of 2. kinds",
    ], "what is empty goes, and the rest is numbered anew"
    assert re.findall(r'<a href="(.*?)">', body) == ["#below", "https://a.org/b", "http://a.org"]
    assert "see words," in body
    assert "<pre>said &lt;i&gt;\nagain\n</pre>" in body
    assert '<div class="table"><table><thead><tr><th>n</th>' in body
    assert '<img alt="A line &amp; a dot." src="data:image/png;base64,iVBORw0KGgo="' in body
    assert "<footer>made &lt;today&gt;</footer>" in body
    assert not re.search("secret|alert|<script|<style|<link", body)
