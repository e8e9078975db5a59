"""The command line: what it does to a reader's folder, how it starts Lab, and what it tells."""

import errno
import io
import json
import os
import re
import select
import shlex
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
from lessons import GUIDES
from screens import numbers_in

from evalteach import __version__, _page, _record, _site, cli

ROOT = Path(cli.__file__).resolve().parent.parent
NAMES = ["00_start_here.ipynb", "01_counts.ipynb", "02_thresholds.ipynb"]


def notebook(*lines, kind="markdown"):
    cell = {"cell_type": kind, "id": "a", "metadata": {}, "source": [line + "\n" for line in lines]}
    return json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode()


@pytest.fixture
def shipped(tmp_path, monkeypatch):
    """An installed package with three notebooks, and its folder of notebooks."""
    package = tmp_path / "site-packages" / "evalteach"
    folder = package / "_notebooks"
    folder.mkdir(parents=True)
    for name in NAMES:
        (folder / name).write_bytes(notebook(f"# {name}"))
    monkeypatch.setattr(cli, "__file__", str(package / "cli.py"))
    return folder


@pytest.fixture
def run(capsys):
    """Run a command: exit code, lines of standard output, lines of standard error."""

    def run(*arguments):
        code = cli.main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return code, captured.out.splitlines(), captured.err.splitlines()

    return run


@pytest.fixture
def copy(shipped, tmp_path, run):
    """`evalteach lab FOLDER --copy-only`: what is told of each notebook."""

    def copy(*options, code=0):
        result, told, errors = run("lab", tmp_path / "mine", "--copy-only", *options)
        assert (result, errors) == (code, [])
        return dict(line.split(": ", 1) for line in told)

    return copy


@pytest.fixture
def mine(tmp_path):
    return tmp_path / "mine"


def assert_refused(result, *words):
    code, _, errors = result
    assert code == 2
    assert len(errors) == 1, "one sentence and no traceback"
    for word in words:
        assert word in errors[0]


# --- the copy of the notebooks ---------------------------------------------------------------------------


def test_a_new_folder_gets_every_notebook_as_shipped(copy, shipped, mine):
    assert copy() == dict.fromkeys(NAMES, "copied")
    for name in NAMES:
        assert (mine / name).read_bytes() == (shipped / name).read_bytes()
    assert sorted(p.name for p in mine.iterdir()) == [cli.PROGRESS, cli.RECORD, *NAMES]


def test_the_default_folder_is_in_the_current_one(shipped, tmp_path, monkeypatch, run):
    monkeypatch.chdir(tmp_path)
    assert run("lab", "--copy-only")[0] == 0
    assert (tmp_path / "evalteach-notebooks" / NAMES[0]).is_file()


def test_missing_parents_of_the_folder_are_made(shipped, tmp_path, run):
    assert run("lab", tmp_path / "a" / "b", "--copy-only")[0] == 0
    assert (tmp_path / "a" / "b" / NAMES[0]).is_file()


def test_checkpoints_and_other_files_are_not_copied(copy, shipped, mine):
    (shipped / ".ipynb_checkpoints").mkdir()
    (shipped / ".ipynb_checkpoints" / "00-checkpoint.ipynb").write_bytes(notebook())
    (shipped / "notes.txt").write_text("x")
    assert list(copy()) == NAMES
    assert sorted(p.name for p in mine.iterdir()) == [cli.PROGRESS, cli.RECORD, *NAMES]


def test_a_copied_notebook_can_be_read_by_whoever_may_read_the_folder(copy, mine):
    copy()
    (mine / "plain").write_bytes(b"")
    assert (mine / NAMES[0]).stat().st_mode == (mine / "plain").stat().st_mode


def test_a_second_copy_changes_nothing(copy, mine):
    copy()
    before = {p.name: p.stat().st_mtime_ns for p in mine.iterdir()}
    assert copy() == dict.fromkeys(NAMES, "up to date")
    assert {p.name: p.stat().st_mtime_ns for p in mine.iterdir()} == before


def test_an_untouched_notebook_is_updated(copy, shipped, mine):
    copy()
    (shipped / NAMES[1]).write_bytes(notebook("# better"))
    assert copy() == {NAMES[0]: "up to date", NAMES[1]: "updated", NAMES[2]: "up to date"}
    assert (mine / NAMES[1]).read_bytes() == notebook("# better")
    (shipped / NAMES[1]).write_bytes(notebook("# better still"))
    assert copy()[NAMES[1]] == "updated", "the record followed the first update"


def test_an_edited_notebook_is_kept(copy, mine):
    copy()
    (mine / NAMES[1]).write_bytes(b"my answers")
    for _ in range(2):
        assert copy()[NAMES[1]] == "kept, edited by you"
        assert (mine / NAMES[1]).read_bytes() == b"my answers"


def test_an_edited_notebook_is_kept_when_a_newer_one_is_shipped_and_every_run_says_so(copy, shipped, mine):
    copy()
    (mine / NAMES[1]).write_bytes(b"my answers")
    (shipped / NAMES[1]).write_bytes(notebook("# better"))
    for _ in range(2):
        told = copy()[NAMES[1]]
        assert told.startswith("kept, edited by you")
        assert "rename or delete" in told
        assert (mine / NAMES[1]).read_bytes() == b"my answers"


def test_renaming_an_edited_notebook_brings_the_newer_one_as_told(copy, shipped, mine):
    copy()
    (mine / NAMES[1]).write_bytes(b"my answers")
    (shipped / NAMES[1]).write_bytes(notebook("# better"))
    copy()
    (mine / NAMES[1]).rename(mine / "my_counts.ipynb")
    assert copy()[NAMES[1]] == "copied again"
    assert (mine / NAMES[1]).read_bytes() == notebook("# better")
    assert (mine / "my_counts.ipynb").read_bytes() == b"my answers"


def test_an_edit_that_was_undone_counts_as_untouched(copy, shipped, mine):
    copy()
    original = (mine / NAMES[1]).read_bytes()
    (mine / NAMES[1]).write_bytes(b"my answers")
    copy()
    (mine / NAMES[1]).write_bytes(original)
    (shipped / NAMES[1]).write_bytes(notebook("# better"))
    assert copy()[NAMES[1]] == "updated"


def test_a_file_that_was_there_before_is_kept(copy, shipped, mine):
    mine.mkdir()
    (mine / NAMES[0]).write_bytes(b"somebody's own")
    for version in ("# one", "# two"):
        (shipped / NAMES[0]).write_bytes(notebook(version))
        told = copy()
        assert told[NAMES[0]].startswith("kept, it is not the shipped one")
        assert "rename or delete" in told[NAMES[0]]
        assert (mine / NAMES[0]).read_bytes() == b"somebody's own"


def test_a_file_that_was_there_before_and_is_the_shipped_one_is_followed(copy, shipped, mine):
    mine.mkdir()
    (mine / NAMES[0]).write_bytes((shipped / NAMES[0]).read_bytes())
    assert copy()[NAMES[0]] == "up to date"
    (shipped / NAMES[0]).write_bytes(notebook("# better"))
    assert copy()[NAMES[0]] == "updated"


def test_a_deleted_notebook_is_copied_again(copy, shipped, mine):
    copy()
    (mine / NAMES[2]).unlink()
    assert copy()[NAMES[2]] == "copied again"
    assert (mine / NAMES[2]).read_bytes() == (shipped / NAMES[2]).read_bytes()


def test_a_notebook_that_is_no_longer_shipped_is_left_alone(copy, shipped, mine):
    copy()
    (shipped / NAMES[2]).unlink()
    assert list(copy()) == NAMES[:2]
    assert (mine / NAMES[2]).read_bytes() == notebook(f"# {NAMES[2]}")


def test_an_edited_notebook_survives_being_dropped_and_shipped_again(copy, shipped, mine):
    copy()
    (mine / NAMES[2]).write_bytes(b"my answers")
    (shipped / NAMES[2]).unlink()
    copy()
    (shipped / NAMES[2]).write_bytes(notebook("# back"))
    assert copy()[NAMES[2]].startswith("kept")
    assert (mine / NAMES[2]).read_bytes() == b"my answers"


@pytest.mark.parametrize(
    "damaged",
    [b"", b'{"00_start', b"\xff\xfe", b"[]", b"null", b'{"01_counts.ipynb": 5}', b"[" * 100_000],
    ids=lambda d: d[:9],
)
def test_a_damaged_record_costs_no_work(copy, shipped, mine, damaged):
    copy()
    (mine / NAMES[1]).write_bytes(b"my answers")
    (shipped / NAMES[0]).write_bytes(notebook("# better"))
    (mine / cli.RECORD).write_bytes(damaged)
    told = copy()
    assert told[NAMES[0]].startswith("kept"), "nothing tells that this one is not the reader's"
    assert told[NAMES[1]].startswith("kept")
    assert (mine / NAMES[1]).read_bytes() == b"my answers"
    json.loads((mine / cli.RECORD).read_bytes())


@pytest.mark.parametrize("target", ["another.ipynb", "missing.ipynb"])
def test_a_link_in_the_place_of_a_notebook_is_left_alone(copy, shipped, mine, target):
    copy()
    original = (mine / NAMES[1]).read_bytes()
    (mine / "another.ipynb").write_bytes(original)
    (mine / NAMES[1]).unlink()
    (mine / NAMES[1]).symlink_to(mine / target)
    for content in (original, notebook("# better")):
        (shipped / NAMES[1]).write_bytes(content)
        told = copy(code=2)
        assert told[NAMES[1]].startswith("NOT copied")
        assert told[NAMES[2]] == "up to date", "the others are still seen to"
        assert (mine / NAMES[1]).is_symlink()
        assert (mine / "another.ipynb").read_bytes() == original
        assert not (mine / "missing.ipynb").exists()


def test_a_folder_in_the_place_of_a_notebook_is_left_alone(copy, mine):
    (mine / NAMES[1] / "inside").mkdir(parents=True)
    told = copy(code=2)
    assert told[NAMES[1]].startswith("NOT copied")
    assert told[NAMES[2]] == "copied"
    assert (mine / NAMES[1] / "inside").is_dir()


@pytest.mark.parametrize("stop", [KeyboardInterrupt(), OSError(errno.ENOSPC, "No space left on device")])
@pytest.mark.parametrize("where", ["writing", "renaming"])
def test_an_interrupted_copy_leaves_the_old_one_whole(copy, shipped, mine, run, monkeypatch, stop, where):
    copy()
    old = (mine / NAMES[1]).read_bytes()
    (shipped / NAMES[1]).write_bytes(notebook("# better"))

    class Half(io.FileIO):
        def write(self, content):
            super().write(content[: len(content) // 2])
            raise stop

    def no_rename(source, target):
        raise stop

    with monkeypatch.context() as patch:
        if where == "writing":
            patch.setattr(_record, "open", lambda path, mode: Half(path, mode.replace("b", "")), raising=False)
        else:
            patch.setattr(os, "replace", no_rename)
        result = run("lab", mine, "--copy-only")
    if isinstance(stop, OSError):
        assert_refused(result, NAMES[1], "No space left")
    else:
        assert (result[0], result[2]) == (130, [])
    assert (mine / NAMES[1]).read_bytes() == old
    assert sorted(p.name for p in mine.iterdir()) == [cli.PROGRESS, cli.RECORD, *NAMES], "nothing half written stays"
    assert copy()[NAMES[1]] == "updated"


def test_nothing_is_written_through_a_link_that_somebody_planted(shipped, mine, tmp_path, run, monkeypatch):
    mine.mkdir()
    (tmp_path / "precious").write_bytes(b"precious")
    tried = []

    def planted(path, mode):
        tried.append(path)
        path.symlink_to(tmp_path / "precious")  # as if the name had been known
        return open(path, mode)

    monkeypatch.setattr(_record, "open", planted, raising=False)
    code, _, errors = run("lab", mine, "--copy-only")
    assert (code, len(errors)) == (2, 1)
    monkeypatch.undo()
    assert (tmp_path / "precious").read_bytes() == b"precious"
    name = tried[0].name
    assert not any(part in name for part in (str(os.getpid()), ".part"))
    assert len(set(name)) > 10, "nobody can guess it"


def test_files_of_ones_own_beside_the_notebooks_are_kept(copy, mine):
    mine.mkdir()
    for name in NAMES:
        (mine / f".{name}.part").write_bytes(b"my own")
    copy()
    assert all((mine / f".{name}.part").read_bytes() == b"my own" for name in NAMES)


def test_a_file_of_scores_comes_beside_the_notebooks_under_a_free_name(copy, mine, tmp_path, run):
    own = tmp_path / "scores.csv"
    for content, name, told in (
        ("1", "scores.csv", "copied"),
        ("1", "scores.csv", "is there"),
        ("2", "scores-2.csv", "copied"),
        ("3", "scores-3.csv", "copied"),
        ("2", "scores-2.csv", "is there"),
    ):
        own.write_text(content)
        code, lines, errors = run("lab", mine, "--copy-only", "--with", own)
        assert (code, errors) == (0, [])
        assert lines[-1] == f'{name}: {told}; in 91_your_own_scores write FILE = "{name}"'
        assert (mine / name).read_text() == content == own.read_text()
    assert (mine / "scores.csv").read_text() == "1"


def test_the_name_of_a_file_of_scores_is_told_as_python_reads_it(mine, shipped, tmp_path, run):
    (own := tmp_path / 'a"b\\é.csv').write_text("1")
    told = run("lab", mine, "--copy-only", "--with", own)[1][-1]
    assert eval(told.partition("FILE = ")[2]) == own.name


def test_an_empty_notebook_is_what_a_full_disk_left_and_is_copied_again(copy, shipped, mine):
    copy()
    (mine / NAMES[1]).write_bytes(b"")
    assert copy()[NAMES[1]] == "copied again"
    assert (mine / NAMES[1]).read_bytes() == (shipped / NAMES[1]).read_bytes()


def test_a_folder_that_is_a_link_to_nothing_is_refused(shipped, mine, run):
    mine.symlink_to("nowhere")
    assert_refused(run("lab", mine, "--copy-only"), "link to nothing")


def test_a_file_of_scores_with_the_name_of_a_notebook_replaces_nothing(copy, mine, tmp_path, run):
    (own := tmp_path / NAMES[0]).write_text("mine")
    assert run("lab", mine, "--copy-only", "--with", own)[0] == 0
    assert (mine / NAMES[0]).read_bytes() == notebook(f"# {NAMES[0]}")
    assert (mine / NAMES[0].replace(".", "-2.")).read_text() == "mine"


def test_a_copy_of_scores_that_fails_leaves_nothing(shipped, mine, tmp_path, run, monkeypatch):
    (own := tmp_path / "scores.csv").write_text("1")
    monkeypatch.setattr(cli.shutil, "copyfileobj", denied)
    assert_refused(run("lab", mine, "--copy-only", "--with", own), "scores.csv cannot be copied", "Permission denied")
    assert not (mine / "scores.csv").exists()


@pytest.mark.parametrize("asked", [["--with", "nothing.csv"], ["--with", "."], ["--with", __file__, "--reset", "00"]])
def test_scores_that_cannot_be_brought_are_refused_before_anything_is_copied(shipped, mine, run, asked):
    assert_refused(run("lab", mine, "--copy-only", *asked))
    assert not mine.exists()


def test_two_copies_at_once_are_both_whole(copy, shipped, mine, monkeypatch):
    replace, second = os.replace, []

    def meanwhile(source, target):
        if not second:
            second.append(None)
            second.append(copy())
        replace(source, target)

    monkeypatch.setattr(os, "replace", meanwhile)
    first = copy()
    assert second[1] == dict.fromkeys(NAMES, "copied")
    assert first == {NAMES[0]: "copied", NAMES[1]: "up to date", NAMES[2]: "up to date"}
    assert sorted(p.name for p in mine.iterdir()) == [cli.PROGRESS, cli.RECORD, *NAMES]
    (shipped / NAMES[0]).write_bytes(notebook("# better"))
    assert copy()[NAMES[0]] == "updated", "the record holds what was copied"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full device")
def test_an_output_that_is_full_is_told_in_a_sentence():
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "evalteach", "list"], cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert_refused((done.returncode, "", done.stderr.splitlines()), "No space left")


@pytest.mark.skipif(os.name != "posix", reason="a pipe that is closed is told in another way")
@pytest.mark.parametrize("arguments", [["lab", "mine", "--copy-only"], ["list"], ["check"]], ids=lambda a: a[0])
def test_a_reader_of_the_first_line_alone_stops_nothing(tmp_path, arguments):
    command = [sys.executable, "-m", "evalteach", *arguments]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, cwd=tmp_path, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0
    if arguments[0] == "lab":
        assert len([*(tmp_path / "mine").glob("*.ipynb")]) == len([*(ROOT / "notebooks").glob("*.ipynb")])


def test_a_copy_that_stopped_before_its_record_is_completed(copy, shipped, mine, run, monkeypatch):
    copy()
    for name in NAMES:
        (shipped / name).write_bytes(notebook("# better"))
    replace, left = os.replace, [1]

    def replace_once(source, target):
        if not left:
            raise OSError(errno.ENOSPC, "No space left on device")
        left.pop()
        replace(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", replace_once)
        code, told, _ = run("lab", mine, "--copy-only")
        assert (code, told) == (2, [f"{NAMES[0]}: updated"])
    assert copy() == {NAMES[0]: "up to date", NAMES[1]: "updated", NAMES[2]: "updated"}
    (shipped / NAMES[0]).write_bytes(notebook("# better still"))
    assert copy()[NAMES[0]] == "updated"


def test_the_shipped_notebooks_are_not_copied_onto_themselves(shipped, run):
    code, told, _ = run("lab", shipped, "--copy-only")
    assert code == 0
    assert "nothing to copy" in told[0]
    assert not (shipped / cli.RECORD).exists(), "a record there would be shipped in the next wheel"


def test_a_checkout_is_copied_from_its_own_notebooks_and_not_from_a_stale_copy(copy, shipped, mine):
    checkout = shipped.parent.parent
    (checkout / "notebooks").mkdir()
    (checkout / "notebooks" / NAMES[0]).write_bytes(notebook("# edited a minute ago"))
    assert copy() == dict.fromkeys(NAMES, "copied"), "a folder called notebooks does not make a checkout"
    (checkout / "pyproject.toml").touch()
    assert copy() == {NAMES[0]: "updated"}
    assert (mine / NAMES[0]).read_bytes() == notebook("# edited a minute ago")


@pytest.mark.parametrize("command", [["lab", "mine"], ["list"]], ids=lambda c: c[0])
def test_an_installation_without_notebooks_says_so(shipped, run, command):
    for name in NAMES:
        (shipped / name).unlink()
    assert_refused(run(*command), "no notebooks")


def test_a_file_in_the_place_of_the_folder_is_refused(shipped, mine, run):
    mine.write_text("x")
    assert_refused(run("lab", mine, "--copy-only"), "is a file, not a folder")
    assert mine.read_text() == "x"


@pytest.mark.parametrize("below", ["deeper", "a" * 300])
def test_a_folder_that_cannot_be_made_is_refused(shipped, tmp_path, run, below):
    (tmp_path / "file").write_text("x")
    folder = tmp_path / ("file" if below == "deeper" else "") / below
    assert_refused(run("lab", folder, "--copy-only"), "cannot be copied to")


def denied(*arguments, **options):
    raise PermissionError(errno.EACCES, "Permission denied")


def test_a_folder_that_may_not_be_made_is_refused(shipped, mine, run, monkeypatch):
    monkeypatch.setattr(Path, "mkdir", denied)
    assert_refused(run("lab", mine, "--copy-only"), str(mine), "Permission denied")


@pytest.mark.parametrize("step", ["reading", "writing"])
def test_the_notebook_that_may_not_be_read_or_written_is_named(copy, shipped, mine, run, monkeypatch, step):
    copy()
    (shipped / NAMES[1]).write_bytes(notebook("# better"))
    read = Path.read_bytes
    if step == "reading":
        monkeypatch.setattr(Path, "read_bytes", lambda path: denied() if path == mine / NAMES[1] else read(path))
    else:
        monkeypatch.setattr(_record, "open", denied, raising=False)
    assert_refused(run("lab", mine, "--copy-only"), NAMES[1], str(mine), "Permission denied")


def test_a_folder_without_a_name_is_refused(shipped, tmp_path, run, monkeypatch):
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir())
    assert_refused(run("lab", "", "--copy-only"), "DIR is empty")
    assert sorted(tmp_path.iterdir()) == before, "an unset variable does not mean the current folder"


def test_a_folder_in_the_place_of_the_record_is_refused(shipped, mine, run):
    (mine / cli.RECORD).mkdir(parents=True)
    assert_refused(run("lab", mine, "--copy-only"), str(mine))


# --- pages, and notebooks without outputs ----------------------------------------------------------------


def test_the_pages_beside_the_notebooks_are_copied_updated_and_kept_like_them(copy, shipped, mine):
    for name in ("glossary.md", "sheet.md"):
        (shipped / name).write_text(f"# {name}", encoding="utf-8")
    assert copy() == dict.fromkeys([*NAMES, "glossary.md", "sheet.md"], "copied")
    (mine / "sheet.md").write_text("my notes")
    for name in ("glossary.md", "sheet.md"):
        (shipped / name).write_text("better × 2", encoding="utf-8")
    told = copy("--fresh")
    assert told["glossary.md"] == "updated"
    assert (mine / "glossary.md").read_bytes() == (shipped / "glossary.md").read_bytes()
    assert told["sheet.md"].startswith("kept, edited by you; for the newer version")
    assert (mine / "sheet.md").read_text() == "my notes"


def test_a_folder_for_a_class_goes_without_the_keys_and_one_for_who_teaches_has_them(copy, shipped, mine):
    for name in (*cli.KEYS, "sheet.md"):
        content = notebook(f"# {name}") if name.endswith(".ipynb") else f"# {name}".encode()
        (shipped / name).write_bytes(content)
    assert {*copy("--fresh")} == {*NAMES, "sheet.md"}
    assert not any((mine / key).exists() for key in cli.KEYS)
    assert {*copy()} == {*NAMES, *cli.KEYS, "sheet.md"}
    (mine / cli.KEYS[0]).write_text("my notes")
    copy("--fresh")
    assert (mine / cli.KEYS[0]).read_text() == "my notes"
    assert (mine / cli.KEYS[1]).exists(), "nothing is taken away"


def test_what_a_class_does_not_get_is_there_and_is_all_that_is_for_teachers():
    files = [*cli.shipped_notebooks(), *cli.shipped_pages()]
    assert {*cli.KEYS} < {file.name for file in files}
    texts = {page.name: page.read_text(encoding="utf-8") for page in cli.shipped_pages()}
    pages = {name for name, text in texts.items() if "This page is for teachers" in text}
    assert pages | {f"{name}.ipynb" for name in GUIDES} | {"cards.md"} == {*cli.KEYS}


def test_the_list_has_notebooks_only(shipped, run):
    (shipped / "glossary.md").write_text("# Glossary\n\n**Question:** Which?")
    assert "glossary" not in "".join(run("list")[1]).lower()


def ran(text, number=1):
    """A notebook with a formula in its prose and one code cell, which ran."""
    content = json.loads(notebook(f"# {text} × 2"))
    shown = {"output_type": "stream", "name": "stdout", "text": ["2\n"]}
    cell = {"cell_type": "code", "id": "b", "metadata": {"tags": ["solution"]}, "source": ["print(2)"]}
    content["cells"].append({**cell, "execution_count": number, "outputs": [shown]})
    return json.dumps(content, ensure_ascii=False).encode()


@pytest.fixture
def with_outputs(shipped):
    for name in NAMES:
        (shipped / name).write_bytes(ran(name))
    return shipped


def test_fresh_notebooks_differ_from_the_shipped_ones_in_outputs_and_counts_alone(copy, with_outputs, mine):
    assert copy("--fresh") == dict.fromkeys(NAMES, "copied")
    for name in NAMES:
        fresh = json.loads((mine / name).read_bytes())
        assert (fresh["cells"][1].pop("outputs"), fresh["cells"][1].pop("execution_count")) == ([], None)
        full = json.loads((with_outputs / name).read_bytes())
        del full["cells"][1]["outputs"], full["cells"][1]["execution_count"]
        assert fresh == full
    assert "×".encode() in (mine / NAMES[0]).read_bytes(), "as Jupyter writes it"


@pytest.mark.parametrize(("first", "second"), [([], ["--fresh"]), (["--fresh"], [])], ids=["to fresh", "to full"])
def test_an_unedited_notebook_follows_to_the_other_state_and_an_edited_one_stays(
    copy, with_outputs, mine, first, second
):
    copy(*first)
    (mine / NAMES[1]).write_bytes(b"my answers")
    unlike = (mine / NAMES[0]).read_bytes()
    for _ in range(2):
        told = copy(*second)
        assert told[NAMES[1]] == "kept, edited by you", "no newer version is told of: there is none"
        assert (mine / NAMES[1]).read_bytes() == b"my answers"
    assert told[NAMES[0]] == "up to date"
    assert (mine / NAMES[0]).read_bytes() != unlike
    assert copy(*first)[NAMES[0]] == "updated"
    assert (mine / NAMES[0]).read_bytes() == unlike


@pytest.mark.parametrize("options", [[], ["--fresh"]], ids=["full", "fresh"])
def test_a_fresh_notebook_follows_a_newer_version(copy, with_outputs, mine, options):
    copy("--fresh")
    (mine / NAMES[1]).write_bytes(b"my answers")
    for name in NAMES[:2]:
        (with_outputs / name).write_bytes(ran("better"))
    told = copy(*options)
    assert told == {
        NAMES[0]: "updated",
        NAMES[1]: told[NAMES[1]],
        NAMES[2]: "up to date" if options else "updated",
    }
    assert told[NAMES[1]].startswith("kept, edited by you; for the newer version")
    assert (mine / NAMES[1]).read_bytes() == b"my answers"


def test_without_the_record_both_states_of_what_is_shipped_count_as_unedited(copy, with_outputs, mine):
    for options, others in ([], ["--fresh"]), (["--fresh"], []):
        copy(*options)
        (mine / cli.RECORD).unlink()
        assert copy(*others) == dict.fromkeys(NAMES, "updated")


def test_a_notebook_that_was_run_and_saved_is_the_readers_own(copy, with_outputs, mine):
    copy("--fresh")
    (mine / NAMES[0]).write_bytes(ran(NAMES[0], number=7))
    assert copy("--fresh")[NAMES[0]] == copy()[NAMES[0]] == "kept, edited by you"


def test_a_shipped_notebook_that_is_no_notebook_is_named(shipped, mine, run):
    (shipped / NAMES[1]).write_bytes(b"<<<<<<< ours")
    assert_refused(run("lab", mine, "--copy-only", "--fresh"), NAMES[1], "cannot be read")


# --- bringing one notebook back --------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["01", "01_counts", "01_counts.ipynb"])
def test_a_reset_brings_the_shipped_notebook_back_and_keeps_the_edited_one_beside_it(copy, started, mine, run, name):
    process = started()
    copy()
    shipped = (mine / NAMES[1]).read_bytes()
    kept = {"01_counts.mine.ipynb": b"first", "01_counts.mine-2.ipynb": b"second", "01_counts.mine-3.ipynb": b"third"}
    for own, content in kept.items():
        (mine / NAMES[1]).write_bytes(content)
        (mine / NAMES[2]).write_bytes(b"my other answers")
        code, told, _ = run("lab", "--reset", name, mine)
        assert code == 0
        assert told[0] == f"01_counts.ipynb: brought back; yours is now {own}"
        assert "File > Reload Notebook from Disk" in told[1]
        assert (mine / NAMES[1]).read_bytes() == shipped
    assert {own: (mine / own).read_bytes() for own in kept} == kept
    assert (mine / NAMES[2]).read_bytes() == b"my other answers"
    assert process.command is None, "Lab is not started"
    assert copy() == {**dict.fromkeys(NAMES[:2], "up to date"), NAMES[2]: "kept, edited by you"}


def test_a_reset_brings_it_back_without_outputs_if_asked(copy, with_outputs, mine, run):
    copy()
    (mine / NAMES[1]).write_bytes(b"mine")
    run("lab", "--reset", "01", "--fresh", mine)
    assert json.loads((mine / NAMES[1]).read_bytes())["cells"][1]["outputs"] == []
    assert copy("--fresh") == {NAMES[0]: "updated", NAMES[1]: "up to date", NAMES[2]: "updated"}
    assert (mine / "01_counts.mine.ipynb").read_bytes() == b"mine"


def test_a_reset_keeps_no_second_file_of_what_was_not_edited(copy, shipped, mine, run):
    copy()
    assert run("lab", "--reset", "01", mine)[1] == ["01_counts.ipynb: it is the shipped one already"]
    (shipped / NAMES[1]).write_bytes(notebook("# better"))
    assert run("lab", "--reset", "01", mine)[1][0] == "01_counts.ipynb: brought back"
    assert (mine / NAMES[1]).read_bytes() == notebook("# better")
    (mine / NAMES[1]).unlink()
    assert run("lab", "--reset", "01", mine)[1] == ["01_counts.ipynb: copied again"]
    assert sorted(p.name for p in mine.iterdir()) == [cli.PROGRESS, cli.RECORD, *NAMES]


def test_what_the_copy_says_of_a_reset_works_for_an_edited_notebook_and_for_one_that_was_there_before(
    copy, shipped, mine, run
):
    mine.mkdir()
    (mine / NAMES[0]).write_bytes(b"somebody's own")
    copy()
    (mine / NAMES[1]).write_bytes(b"my answers")
    (shipped / NAMES[1]).write_bytes(notebook("# better"))
    for name, told in copy().items():
        if told.startswith("kept"):
            assert told.endswith(f"run with --reset {name}")
            assert run("lab", mine, "--reset", name)[0] == 0
    assert copy() == dict.fromkeys(NAMES, "up to date")
    assert (mine / "00_start_here.mine.ipynb").read_bytes() == b"somebody's own"
    assert (mine / "01_counts.mine.ipynb").read_bytes() == b"my answers"


def test_a_page_can_be_brought_back_too(copy, shipped, mine, run):
    (shipped / "glossary.md").write_text("words")
    copy()
    (mine / "glossary.md").write_text("my words")
    assert run("lab", mine, "--reset", "glossary")[1][0].endswith("yours is now glossary.mine.md")
    assert (mine / "glossary.md").read_text() == "words"


@pytest.mark.parametrize("name", ["", "1", "99", "01_count", "mine/01_counts.ipynb", "../01_counts", ".evalteach.json"])
def test_a_name_that_is_no_notebook_is_refused(copy, mine, run, name):
    copy()
    before = {p.name: p.read_bytes() for p in mine.iterdir()}
    assert_refused(run("lab", mine, "--reset", name), f'"{name}"', "evalteach list")
    assert {p.name: p.read_bytes() for p in mine.iterdir()} == before


def test_a_reset_in_a_folder_that_is_not_there_makes_none(shipped, mine, run):
    assert_refused(run("lab", mine, "--reset", "01"), "there is no folder", str(mine))
    assert not mine.exists()


def test_a_reset_of_the_shipped_notebooks_themselves_is_refused(shipped, run):
    assert_refused(run("lab", shipped, "--reset", "01"), "the shipped notebooks themselves")
    assert sorted(p.name for p in shipped.iterdir()) == NAMES


def test_a_reset_writes_through_no_link_and_over_no_file(copy, mine, run):
    copy()
    (mine / "precious").write_bytes(b"precious")
    (mine / NAMES[1]).write_bytes(b"my answers")
    (mine / "01_counts.mine.ipynb").symlink_to(mine / "precious")
    (mine / "01_counts.mine-2.ipynb").symlink_to(mine / "nowhere")
    (mine / "01_counts.mine-3.ipynb").mkdir()
    assert run("lab", mine, "--reset", "01")[1][0].endswith("yours is now 01_counts.mine-4.ipynb")
    assert (mine / "01_counts.mine-4.ipynb").read_bytes() == b"my answers"
    (mine / NAMES[1]).unlink()
    (mine / NAMES[1]).symlink_to(mine / "precious")
    code, told, _ = run("lab", mine, "--reset", "01")
    assert (code, told[0].split(",")[0]) == (2, "01_counts.ipynb: NOT copied")
    assert (mine / NAMES[1]).is_symlink()
    assert (mine / "precious").read_bytes() == b"precious"
    assert not (mine / "nowhere").exists()


@pytest.mark.parametrize(
    ("fails", "left_as"),
    [(1, {"01_counts.ipynb"}), (2, {"01_counts.ipynb", "01_counts.mine.ipynb"}), (3, {"01_counts.mine.ipynb"})],
    ids=["keeping", "bringing back", "recording"],
)
def test_a_reset_that_fails_loses_nothing(copy, mine, run, monkeypatch, fails, left_as):
    copy()
    (mine / NAMES[1]).write_bytes(b"my answers")
    replace, left = os.replace, [None] * (fails - 1)

    def full(source, target):
        if not left:
            raise OSError(errno.ENOSPC, "No space left on device")
        left.pop()
        replace(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", full)
        assert_refused(run("lab", mine, "--reset", "01"), NAMES[1], "No space left")
    assert {p.name for p in mine.iterdir() if p.read_bytes() == b"my answers"} == left_as
    assert not [p.name for p in mine.iterdir() if p.name not in (*left_as, cli.PROGRESS, cli.RECORD, *NAMES)]


def test_what_lab_saves_during_a_reset_is_not_lost(copy, mine, run, monkeypatch):
    copy()
    (mine / NAMES[1]).write_bytes(b"my answers")
    keep = cli._keep

    def meanwhile(content, target):
        kept = keep(content, target)
        target.write_bytes(b"saved a moment ago")
        return kept

    monkeypatch.setattr(cli, "_keep", meanwhile)
    assert run("lab", mine, "--reset", "01")[1][0].startswith("01_counts.ipynb: kept")
    assert (mine / NAMES[1]).read_bytes() == b"saved a moment ago"


# --- the record of ticks ---------------------------------------------------------------------------------


def test_a_copy_makes_an_empty_record_of_ticks_and_leaves_the_one_that_is_there(copy, mine):
    copy()
    assert json.loads((mine / cli.PROGRESS).read_bytes()) == {}
    (mine / cli.PROGRESS).write_text('{"01_counts": ["rate"]}')
    copy()
    assert (mine / cli.PROGRESS).read_text() == '{"01_counts": ["rate"]}'
    (mine / cli.PROGRESS).unlink()
    (mine / cli.PROGRESS).symlink_to(mine / "nowhere")
    copy()
    assert (mine / cli.PROGRESS).is_symlink()
    assert not (mine / "nowhere").exists()


@pytest.fixture
def exercises(shipped):
    code = "check(\n    rate, tries)\ncheck(rate_solved, tries)\n  check(indented, tries)\ncheck(unsolved, [])\n"
    (shipped / NAMES[1]).write_bytes(notebook(*code.splitlines(), kind="code"))
    return shipped


def ticks(result):
    code, told, errors = result
    assert (code, errors) == (0, [])
    return dict(re.findall(r"^[* ] (\w+)  .*  \[(.+)\]$", "\n".join(told), re.MULTILINE))


def test_the_list_shows_what_ran_and_how_many_exercises_were_correct(exercises, copy, mine, run):
    copy()
    assert ticks(run("list", mine)) == {}
    progress = {"00_start_here": [], "01_counts": ["rate", "_", "gone"], "my_own": ["rate"]}
    (mine / cli.PROGRESS).write_text(json.dumps(progress))
    expected = {"00_start_here": "ran", "01_counts": "ran, 1 of 2 exercises"}
    assert ticks(run("list", mine)) == expected
    (mine / cli.PROGRESS).unlink()
    assert ticks(run("list", mine)) == {}


def test_without_a_folder_the_list_looks_in_the_default_one_and_in_the_current_one(
    exercises, copy, mine, run, monkeypatch
):
    copy()
    (mine / cli.PROGRESS).write_text('{"01_counts": []}')
    monkeypatch.chdir(mine)
    assert ticks(run("list")) == {"01_counts": "ran, 0 of 2 exercises"}
    mine.rename(mine.with_name(cli.FOLDER))
    monkeypatch.chdir(mine.parent)
    assert ticks(run("list")) == {"01_counts": "ran, 0 of 2 exercises"}


@pytest.mark.parametrize(
    "damaged",
    [b"", b"{", b"\xff", b"[]", b'{"01_counts": 5}', b'{"01_counts": {"rate": 1}}', b"[" * 100_000],
    ids=lambda d: d[:9],
)
def test_a_damaged_record_of_ticks_shows_none(copy, mine, run, damaged):
    copy()
    (mine / cli.PROGRESS).write_bytes(damaged)
    assert ticks(run("list", mine)) == {}


def test_what_is_no_name_in_the_record_of_ticks_is_passed_over(exercises, copy, mine, run):
    copy()
    (mine / cli.PROGRESS).write_text('{"01_counts": [["rate"], 5, null, "unsolved"]}')
    assert ticks(run("list", mine)) == {"01_counts": "ran, 1 of 2 exercises"}


@pytest.mark.parametrize("folder", ["", "nowhere"])
def test_a_list_for_a_folder_that_is_not_there_is_refused(shipped, run, folder):
    assert_refused(run("list", folder), f"there is no folder {folder}")


# --- starting Lab ----------------------------------------------------------------------------------------


class Lab:
    """Stands for the started process: records how it was started, and ends with the code it is told."""

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
        monkeypatch.setattr(cli.subprocess, "Popen", process)
        monkeypatch.setattr(cli.signal, "signal", lambda *_: None)  # Ctrl-C still ends the tests
        return process

    return started


def test_lab_is_this_environments_own_on_the_first_notebook(started, mine, run, monkeypatch):
    monkeypatch.delenv("JUPYTER_PREFER_ENV_PATH", raising=False)
    monkeypatch.setenv("SOMETHING_ELSE", "kept")
    process = started(0)
    monkeypatch.chdir(mine.parent)
    assert run("lab", "mine")[0] == 0
    assert process.command[0] == sys.executable
    assert process.command[1:4] == ["-P", "-m", "jupyterlab"]
    assert f"--ServerApp.root_dir={mine}" in process.command
    assert "--LabApp.default_url=/lab/tree/00_start_here.ipynb" in process.command
    assert process.env["JUPYTER_PREFER_ENV_PATH"] == "1"
    assert process.env["SOMETHING_ELSE"] == "kept"
    assert not any("port" in word or "browser" in word for word in process.command)
    assert (mine / NAMES[0]).is_file()


def test_lab_starts_without_a_browser_and_on_the_given_port_only(started, mine, run):
    process = started(0)
    assert run("lab", mine, "--no-browser", "--port", 8765)[0] == 0
    assert "--no-browser" in process.command
    assert "--ServerApp.port=8765" in process.command
    assert "--ServerApp.port_retries=0" in process.command, "else Lab would take the next one without a word"


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="there is no root user here")
@pytest.mark.parametrize(("user", "allowed"), [(0, True), (1000, False)])
def test_lab_starts_for_root_too_since_a_container_has_no_other_user(started, mine, run, monkeypatch, user, allowed):
    process = started(0)
    monkeypatch.setattr(os, "geteuid", lambda: user)
    assert run("lab", mine)[0] == 0
    assert ("--allow-root" in process.command) == allowed


@pytest.mark.parametrize(("labs", "code"), [(0, 0), (1, 1), (-9, 137)])
def test_the_exit_code_is_labs(started, mine, run, labs, code):
    started(labs)
    assert run("lab", mine)[0] == code


def test_a_lab_that_fails_on_a_given_port_names_it(started, mine, run):
    started(1)
    assert_refused(run("lab", mine, "--port", 8765), "port 8765", "--port")


def test_lab_starts_beside_what_could_not_be_copied_and_the_exit_code_tells(started, mine, run):
    process = started(0)
    (mine / NAMES[1]).mkdir(parents=True)
    assert run("lab", mine)[0] == 2
    assert process.command is not None


def test_copying_only_starts_nothing_and_needs_no_jupyterlab(started, mine, run, monkeypatch):
    process = started()
    monkeypatch.setattr(cli.importlib.util, "find_spec", lambda name: None)
    assert run("lab", mine, "--copy-only")[0] == 0
    assert process.command is None


def test_without_jupyterlab_nothing_is_copied(started, mine, run, monkeypatch):
    process = started()
    monkeypatch.setattr(cli.importlib.util, "find_spec", lambda name: None)
    assert_refused(run("lab", mine), "JupyterLab is missing", "--copy-only", "pip install")
    assert process.command is None
    assert not mine.exists()


@pytest.mark.parametrize("options", [[], ["--copy-only"]])
@pytest.mark.parametrize("port", [-1, 65536])
def test_a_port_that_cannot_be_is_refused(started, mine, run, port, options):
    started()
    assert_refused(run("lab", mine, "--port", port, *options), str(port), "65535")
    assert not mine.exists()


class Command:
    """`evalteach lab` as a process of its own, at a terminal, with a checkout that holds one notebook."""

    def __init__(self, folder, *packages):
        checkout = folder / "checkout"
        (checkout / "notebooks").mkdir(parents=True)
        (checkout / "notebooks" / NAMES[0]).write_bytes(notebook("# Start here"))
        (checkout / "pyproject.toml").touch()
        code = (
            "import signal, sys; from evalteach import cli; cli.__file__ = sys.argv[1];"
            "signal.signal(signal.SIGINT, signal.default_int_handler);"  # a shell's background jobs ignore it
            "sys.exit(cli.main(sys.argv[2:]))"
        )
        arguments = [str(checkout / "evalteach" / "cli.py"), "lab", "mine", "--no-browser", "--port", "0"]
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
        while not (found := happened()):
            assert self.process.poll() is None, self.errors.read_text()
            assert time.monotonic() < deadline, self.errors.read_text()
            time.sleep(0.02)
        return found

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


@pytest.fixture
def described(tmp_path):
    """What a real Lab, with the token "secret", says of its server; false until it is there."""
    settings = {"IdentityProvider": {"token": "secret"}}
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "jupyter_server_config.json").write_text(json.dumps(settings))

    def described():  # else it is not there or still being written
        text = "".join(path.read_text().strip() for path in (tmp_path / "runtime").glob("jpserver-*.json"))
        return text.endswith("}") and json.loads(text)

    return described


def test_a_real_lab_opens_the_first_notebook_in_the_folder_and_ends_on_a_second_control_c(command, described, tmp_path):
    started = command()
    server = started.until(described)
    assert server["root_dir"] == str(tmp_path / "mine")

    def answer():  # Lab tells its address a moment before it listens there
        with suppress(URLError):
            return urlopen(f"{server['url']}?token=secret", timeout=30)

    with started.until(answer) as page:
        assert urlsplit(page.url).path == "/lab/tree/00_start_here.ipynb"
    started.control_c()
    started.shown(b"Shut down this Jupyter server")
    started.control_c()  # a second one, while Lab waits for the answer, is a yes
    assert started.process.wait(60) == 0
    assert "KeyboardInterrupt" not in started.errors.read_text()


def listening(pid):
    """Addresses at which a process and those that it started wait for others."""
    import psutil

    process = psutil.Process(pid)
    every = [socket for each in (process, *process.children(recursive=True)) for socket in each.net_connections("inet")]
    return {each.laddr.ip.replace("::1", "127.0.0.1") for each in every if each.status == psutil.CONN_LISTEN}


def test_in_a_real_lab_a_check_ticks_the_notebook_of_its_kernel(command, described, tmp_path):
    from jupyter_client import BlockingKernelClient

    started = command()
    server = started.until(described)
    session = {"path": NAMES[0], "name": NAMES[0], "type": "notebook", "kernel": {"name": "python3"}}
    headers = {"Authorization": "token secret", "Content-Type": "application/json"}
    asked = Request(f"{server['url']}api/sessions", json.dumps(session).encode(), headers)

    def answer():
        with suppress(URLError):
            return urlopen(asked, timeout=30)

    with started.until(answer) as response:
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
    assert json.loads((tmp_path / "mine" / cli.PROGRESS).read_bytes()) == {"00_start_here": ["one"]}
    started.process.terminate()
    started.process.wait(60)


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
    assert started.process.returncode == 7
    assert started.errors.read_text() == ""


def test_who_ends_the_command_ends_lab_too(command, small_lab):
    started = command(small_lab)
    started.shown(b">")
    started.process.terminate()  # this process alone, as a service manager does
    assert started.process.wait(30) == 7
    with pytest.raises(ProcessLookupError):
        os.killpg(started.process.pid, 0)


# --- the list --------------------------------------------------------------------------------------------


def opening(name, minutes, paths):
    return notebook(
        *(f"# About {name}", "", f"**The question:** Why {name}? ", ""),
        f"**Needs:** nothing. **Minutes:** {minutes}. **Paths:** {paths}.",
    )


@pytest.fixture
def sequence(shipped):
    """Notebooks of three parts: their minutes are the 60, 30, 45 and 20 of all, and the 60, 15, 30 and 20 of core."""
    for name in NAMES:
        (shipped / name).unlink()
    stated = {
        "01_counts": ("60", "core, interview, all"),
        "02_rates": ("30 (core 15)", "interview, all"),
        "10_ratio": ("45 (core 30)", "core, interview, all"),
        "90_choosing": ("20", "all"),
    }
    for name, facts in stated.items():
        (shipped / f"{name}.ipynb").write_bytes(opening(name, *facts))
    return shipped


def test_the_list_shows_the_parts_that_have_notebooks_each_with_question_and_minutes_and_marks_the_core_path(
    sequence, run
):
    code, told, _ = run("list")
    assert code == 0
    assert told[:-3] == [
        *("One classifier", ""),
        *("* 01_counts  About 01_counts (60 min)", "      Why 01_counts?"),
        *("+ 02_rates  About 02_rates (30 min, core 15)", "      Why 02_rates?"),
        *("", "The dark side of precision", ""),
        *("* 10_ratio  About 10_ratio (45 min, core 30)", "      Why 10_ratio?"),
        *("", "Practice", ""),
        *("  90_choosing  About 90_choosing (20 min)", "      Why 90_choosing?", ""),
    ]


def test_a_notebook_on_no_path_is_listed_and_takes_no_hours(sequence, run):
    hours = run("list")[1][-3:]
    (sequence / "93_teaching.ipynb").write_bytes(opening("93_teaching", "90", "none"))
    _, listed, _ = run("list")
    assert "  93_teaching  About 93_teaching (90 min)" in listed
    assert listed[-3:] == hours


def test_the_list_ends_with_the_hours_of_three_paths_computed_from_the_notebooks(sequence, run):
    core, interview, whole = run("list")[1][-3:]
    assert core.startswith("core       about 1.5 hours: "), "60 + 30 minutes"
    assert interview.startswith("interview  about 2 hours: "), "60 + 15 + 30 minutes"
    assert whole == "all        about 2.5 hours", "60 + 30 + 45 + 20 minutes"
    (sequence / "10_ratio.ipynb").write_bytes(opening("10_ratio", "10 (core 5)", "core, interview, all"))
    assert run("list")[1][-3].startswith("core       about 1 hour: ")


def test_the_catalogue_has_what_the_first_cells_state(sequence):
    assert cli.catalogue()[1:3] == [
        ("02_rates", "About 02_rates", "Why 02_rates?", 30, 15, "One classifier", ("interview", "all")),
        ("10_ratio", "About 10_ratio", "Why 10_ratio?", 45, 30, "The dark side of precision", cli.PATHS),
    ]
    assert cli.catalogue()[0].core == 60, "with no core stated, all of it is core"


def test_the_catalogue_leaves_empty_what_a_first_cell_does_not_state(shipped):
    (shipped / NAMES[0]).write_bytes(notebook("# a comment", kind="code"))
    (shipped / NAMES[1]).write_bytes(b'{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}')
    (shipped / NAMES[2]).write_bytes(notebook("# Title", "**Minutes:** some (core 5)"))
    (shipped / "my_notes.ipynb").write_bytes(notebook("# Notes", "**Minutes:** 20 (core )"))
    assert {entry.paths for entry in cli.catalogue()} == {()}
    assert [tuple(entry)[1:5] for entry in cli.catalogue()] == [
        *[("", "", 0, 0)] * 2,
        *[("Title", "", 0, 0), ("Notes", "", 20, 20)],
    ]
    assert cli.catalogue()[-1].part == "More"


def test_the_list_reads_a_cell_that_is_one_string_and_symbols_beyond_ascii(shipped, run):
    content = json.loads(notebook())
    content["cells"][0]["source"] = "## Small\n# Precision × recall\n**Question:** Which one?\n"
    (shipped / NAMES[0]).write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    assert run("list")[1][2:4] == ["  00_start_here  Precision × recall", "      Which one?"]


def test_a_notebook_that_cannot_be_read_is_named(shipped, run):
    (shipped / NAMES[1]).write_bytes(b"{")
    assert_refused(run("list"), NAMES[1], "cannot be read")


def test_every_notebook_of_the_sequence_states_its_title_its_question_and_its_minutes():
    entries = cli.catalogue()
    assert f"{entries[0].name}.ipynb" == cli.FIRST
    for entry in entries:
        assert entry.title, entry
        assert entry.question, entry
        assert 0 < entry.core <= entry.minutes, entry
        assert entry.part != "More", entry
    core, interview, everything = ({entry.name for entry in entries if path in entry.paths} for path in cli.PATHS)
    assert core < interview < everything == {entry.name for entry in entries} - {"93_teaching"}
    assert {"00_start_here", "02_one_number", "10_class_ratio"} <= core


# --- the check of the environment ------------------------------------------------------------------------


def fake_package(folder, name, version, *lines):
    place = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    place.mkdir(parents=True)
    text = ["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}", *lines]
    (place / "METADATA").write_text("\n".join(text) + "\n")


@pytest.fixture
def environment(tmp_path, monkeypatch):
    """Where each thing that is looked up can be put; without a change by the test, all of it is fine."""
    packages = tmp_path / "packages"
    fake_package(
        *(packages, "evalteach", "0.1.0", "Requires-Python: >=3.11", "Requires-Dist: numpy>=1.26"),
        'Requires-Dist: jupyterlab<5,>=4.2; sys_platform != "emscripten"',
        'Requires-Dist: pandas>=99; sys_platform == "emscripten"',
        'Requires-Dist: pandas>=99; extra == "more"',
    )
    for name in cli.CHECKED:
        fake_package(packages, name, "4.5.0")
    monkeypatch.syspath_prepend(packages)
    sliders = tmp_path / "jupyter" / "labextensions" / "@jupyter-widgets" / "jupyterlab-manager"
    sliders.mkdir(parents=True)
    (tmp_path / "jupyter" / "labextensions" / "anywidget").mkdir()
    monkeypatch.setattr("jupyter_core.paths.jupyter_path", lambda *names: [str(tmp_path.joinpath("jupyter", *names))])
    monkeypatch.setattr("jupyter_client.kernelspec.jupyter_path", lambda *names: [str(tmp_path / "kernels")])
    monkeypatch.setenv("JUPYTER_PREFER_ENV_PATH", "0")  # and so what the command sets is undone
    kernel(tmp_path, "python")
    monkeypatch.setattr(cli, "_import_trouble", lambda names: {})  # which takes seconds
    return tmp_path


def kernel(environment, program):
    folder = environment / "kernels" / "python3"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "kernel.json").write_text(json.dumps({"argv": [str(program), "-m", "ipykernel_launcher"]}))


def missing(result):
    code, (*told, last), errors = result
    assert errors == []
    assert all(line.startswith(("ok ", "missing ")) for line in told)
    lines = [line.split(maxsplit=1)[1] for line in told if line.startswith("missing")]
    plural = "thing is" if len(lines) == 1 else "things are"
    assert last == (f"{len(lines)} {plural} missing: see above" if lines else "all is in order")
    return code, lines


def test_a_fine_environment_is_told_line_by_line(environment, run):
    code, told, _ = run("check")
    assert (code, len(told)) == (0, 2 + len(cli.CHECKED) + 3 + 1)
    assert all(line.startswith("ok ") for line in told[:-1])
    assert told[-1] == "all is in order"
    python = ".".join(map(str, sys.version_info[:3]))
    assert f"ok       python {python} (needed: >=3.11)" in told
    assert f"ok       evalteach {__version__}" in told
    assert "ok       numpy 4.5.0 (needed: >=1.26)" in told
    assert "ok       pandas 4.5.0" in told, "what is declared for elsewhere does not count"


def test_this_very_environment_has_what_the_notebooks_need(run, monkeypatch):
    monkeypatch.setenv("JUPYTER_PREFER_ENV_PATH", "1")
    code, told, _ = run("check")
    assert code == 0, "\n".join(told)


@pytest.mark.parametrize("version", ["4.1.9", "5.0.0"])
def test_a_version_outside_the_declared_range_is_told_with_the_way_to_mend_it(environment, run, version):
    fake_package(environment / "older", "jupyterlab", version)
    sys.path.insert(0, str(environment / "older"))
    code, lines = missing(run("check"))
    assert (code, len(lines)) == (2, 1)
    assert lines[0].startswith(f"jupyterlab {version} (needed: <5,>=4.2)")
    assert f'{sys.executable} -m pip install "jupyterlab<5,>=4.2"' in lines[0]


def test_a_pre_release_of_a_new_enough_version_will_do(environment, run):
    fake_package(environment / "newer", "numpy", "9.0.0rc1")
    sys.path.insert(0, str(environment / "newer"))
    assert missing(run("check")) == (0, [])


def test_an_older_python_than_declared_is_told(environment, run, monkeypatch):
    monkeypatch.setattr(cli.sys, "version_info", (3, 10, 4, "final", 0))
    code, lines = missing(run("check"))
    assert code == 2
    assert lines[0].startswith("python 3.10.4 (needed: >=3.11); ")


@pytest.mark.parametrize("name", cli.CHECKED)
def test_a_package_that_is_not_there_is_told_with_the_way_to_get_it(environment, run, monkeypatch, name):
    version = cli.importlib.metadata.version

    def without(asked):
        if asked == name:
            raise cli.importlib.metadata.PackageNotFoundError(name)
        return version(asked)

    monkeypatch.setattr(cli.importlib.metadata, "version", without)
    code, lines = missing(run("check"))
    assert (code, len(lines)) == (2, 1)
    assert lines[0].startswith(name)
    assert "-m pip install " in lines[0]
    assert lines[0].strip('"').endswith(lines[0].split(";")[0]), "what is missing is what is installed"


def test_a_package_that_cannot_be_imported_is_told_with_the_way_to_mend_it(environment, run, monkeypatch):
    monkeypatch.setattr(
        cli, "_import_trouble", lambda names: {"pandas": "ImportError: no"} if "pandas" in names else {}
    )
    code, lines = missing(run("check"))
    assert (code, len(lines)) == (2, 1)
    assert lines[0].startswith("pandas 4.5.0 cannot be imported (ImportError: no); ")
    assert "-m pip install --force-reinstall pandas" in lines[0]


def test_each_package_is_imported_where_a_crash_does_no_harm(tmp_path, monkeypatch):
    for name, text in {
        "fine": "print('\\0hello')",
        "scaled": "raise ImportError('numpy.dtype size changed,\\n may indicate ...')",
        "ending": "raise SystemExit(3)",
        "crashing": "import os; os._exit(11)",
        "sklearn": "raise ValueError(chr(0x6570))",
    }.items():
        (tmp_path / f"{name}.py").write_text(text)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert cli._import_trouble(["fine", "scaled", "ending", "scikit-learn"]) == {
        "scaled": "ImportError: numpy.dtype size changed, may indicate ...",
        "ending": "SystemExit: 3",
        "scikit-learn": "ValueError: \u6570",
    }
    assert cli._import_trouble(["fine", "crashing"]) == {"crashing": "Python itself crashes"}


def test_the_way_to_mend_it_can_be_pasted_where_a_folder_has_a_space(environment, run, monkeypatch):
    monkeypatch.setattr(cli.sys, "executable", "/a folder/bin/python")
    fake_package(environment / "older", "jupyterlab", "4.1.9")
    sys.path.insert(0, str(environment / "older"))
    kernel(environment, "/other/bin/python")
    lines = missing(run("check"))[1]
    mended = [shlex.split(line.split("run: ")[1]) for line in lines]
    assert mended[0] == ["/a folder/bin/python", "-m", "pip", "install", "jupyterlab<5,>=4.2"]
    assert mended[1] == ["/a folder/bin/python", "-m", "ipykernel", "install", "--sys-prefix"]


@pytest.mark.parametrize("absent", ["packaging.requirements", "the metadata"])
def test_without_the_declared_versions_the_present_ones_are_still_told(environment, run, monkeypatch, absent):
    if absent == "the metadata":

        def unknown(name):
            raise cli.importlib.metadata.PackageNotFoundError(name)

        monkeypatch.setattr(cli.importlib.metadata, "metadata", unknown)
    else:
        monkeypatch.setitem(sys.modules, absent, None)
    code, told, _ = run("check")
    assert code == 0
    assert "ok       numpy 4.5.0" in told


@pytest.mark.parametrize("program", ["python", "python3", "python{}.{}".format(*sys.version_info), sys.executable])
def test_the_kernel_is_fine_when_it_runs_this_interpreter(environment, run, program):
    kernel(environment, program)
    assert missing(run("check")) == (0, [])


def test_a_kernel_of_another_environment_is_told_even_if_both_link_to_one_interpreter(environment, run):
    other = environment / "other" / "bin" / "python"
    other.parent.mkdir(parents=True)
    other.symlink_to(Path(sys.executable).resolve())
    kernel(environment, other)
    code, lines = missing(run("check"))
    assert (code, len(lines)) == (2, 1)
    assert lines[0].startswith(f"kernel python3 runs {other}, not {sys.executable}")
    assert "-m ipykernel install --sys-prefix" in lines[0]


@pytest.mark.parametrize("content", ["{", "{}", '{"argv": 5}'])
def test_a_kernel_that_cannot_be_read_is_told(environment, run, content):
    (environment / "kernels" / "python3" / "kernel.json").write_text(content)
    code, lines = missing(run("check"))
    assert (code, len(lines)) == (2, 1)
    assert lines[0].startswith("kernel python3; run: ")


def test_without_jupyter_the_kernel_and_the_sliders_are_told_missing(environment, run, monkeypatch):
    monkeypatch.setitem(sys.modules, "jupyter_client.kernelspec", None)
    monkeypatch.setitem(sys.modules, "jupyter_core.paths", None)
    monkeypatch.setattr(cli.sys, "prefix", str(environment))
    code, lines = missing(run("check"))
    assert code == 2
    assert [line.split(";")[0] for line in lines] == [
        "kernel python3",
        "sliders in JupyterLab",
        "quick pictures in JupyterLab",
    ]


def test_the_kernel_is_looked_for_where_lab_will_look(environment, run, monkeypatch):
    import jupyter_core.paths

    monkeypatch.undo()
    monkeypatch.setenv("JUPYTER_PREFER_ENV_PATH", "0")
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(environment / "home"))
    (environment / "home").mkdir()
    kernel(environment, "/somewhere/else/python")
    (environment / "kernels").rename(environment / "home" / "kernels")
    assert Path(jupyter_core.paths.jupyter_path("kernels")[0]) == environment / "home" / "kernels"
    assert f"ok       kernel python3 runs {sys.executable}" in run("check")[1]


@pytest.mark.parametrize(
    ("gone", "named", "package"),
    [
        ("@jupyter-widgets/jupyterlab-manager", "sliders", "jupyterlab_widgets"),
        ("anywidget", "quick pictures", "anywidget"),
    ],
)
def test_a_missing_extension_is_told_with_the_way_to_get_it(environment, run, gone, named, package):
    (environment / "jupyter" / "labextensions" / gone).rmdir()
    code, lines = missing(run("check"))
    assert (code, len(lines)) == (2, 1)
    assert lines[0].startswith(f"{named} in JupyterLab; run: ")
    assert package in lines[0]


# --- the command as a whole ------------------------------------------------------------------------------


def test_no_command_is_an_error_with_the_usage(capsys):
    with pytest.raises(SystemExit, match="2"):
        cli.main([])
    assert "usage: evalteach" in capsys.readouterr().err


def test_the_version_is_told(capsys):
    with pytest.raises(SystemExit, match="0"):
        cli.main(["--version"])
    assert capsys.readouterr().out == f"evalteach {__version__}\n"


def test_the_module_is_the_same_command():
    command = [sys.executable, "-m", "evalteach", "lab", ""]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert_refused((done.returncode, done.stdout, done.stderr.splitlines()), "DIR is empty")


def test_a_file_in_the_current_folder_is_not_imported_instead_of_a_package(tmp_path):
    (tmp_path / "numpy.py").write_text("raise ImportError('mine')")
    (tmp_path / "scores.csv").write_text("label,score\n")
    command = [sys.executable, "-m", "evalteach", "report", "scores.csv"]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True)
    assert_refused((done.returncode, done.stdout, done.stderr.splitlines()), "scores.csv")


def test_importing_the_command_needs_the_standard_library_alone():
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); import evalteach.cli;"
        "print(*{name.partition('.')[0] for name in sys.modules} - sys.stdlib_module_names)"
    )
    command = [sys.executable, "-I", "-S", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) == {"__main__", "evalteach"} - sys.stdlib_module_names


# --- what is told ----------------------------------------------------------------------------------------


def test_every_command_and_option_has_a_line_of_help():
    commands = next(action for action in cli._parser()._actions if action.choices)
    assert all(choice.help for choice in commands._choices_actions)
    for parser in commands.choices.values():
        assert all(option.help for option in parser._actions)
    (folder,) = (option for option in commands.choices["lab"]._actions if option.dest == "folder")
    assert folder.default in folder.help


def test_the_list_counts_exercises_and_hours_and_takes_in_what_has_no_part_or_title(sequence, mine, run):
    mine.mkdir()
    code = "# About 02_rates", "check(rate, [])", "check(rate_solved, [])", "check(other, [])"
    content = json.loads(opening("02_rates", "30 (core 15)", "interview, all"))
    content["cells"] += json.loads(notebook(*code, kind="code"))["cells"]
    (sequence / "02_rates.ipynb").write_text(json.dumps(content))
    (sequence / "70_more.ipynb").write_bytes(notebook("# Notes", "**Minutes:** 120 (core 30). **Paths:** all."))
    (sequence / "71_empty.ipynb").write_bytes(notebook())
    (mine / cli.PROGRESS).write_text('{"01_counts": [], "02_rates": ["rate", "gone"]}')
    code, out, _ = run("list", mine)
    assert code == 0
    told = {first: numbers_in(rest) for first, _, rest in (line.strip("*+ ").partition(" ") for line in out)}
    assert told["02_rates"][1:] == [30, 15, 1, 2]  # after its title
    assert told["70_more"] == [120, 30]
    assert "71_empty" in told
    assert [told[path] for path in ("core", "interview", "all")] == [[1.5], [2], [4.5]]


def test_the_check_counts_what_is_missing(environment, run, monkeypatch):
    monkeypatch.setattr(cli.sys, "version_info", (3, 10, 4, "final", 0))
    kernel(environment, sys.executable)
    for gone, missing in ((None, 1), ("anywidget", 2), ("@jupyter-widgets/jupyterlab-manager", 3)):
        if gone:
            (environment / "jupyter" / "labextensions" / gone).rmdir()
        code, out, _ = run("check")
        assert (code, numbers_in(out[-1])) == (2, [missing])
        assert sum(line.startswith("missing") for line in out) == missing


# --- how far a page and the site have come ---------------------------------------------------------------


@pytest.fixture
def built(sequence, monkeypatch):
    """Stand in for what runs the notebooks and Sphinx: what it was given, and what it tells and returns."""
    given, ends = [], [[]]

    def build(entries, pages, out, tell, launch):
        given.append((entries, pages, out, launch))
        for share, name in enumerate([*(entry.name for _, entry in entries), "pages"], 1):
            tell(name, (share - 0.5) / (len(entries) + 1))
            tell(name, share / (len(entries) + 1))
        if isinstance(ends[0], Exception):
            raise ends[0]
        return ends[0]

    monkeypatch.setattr(_site, "build", build)
    monkeypatch.setattr(cli.importlib.util, "find_spec", lambda name: True)
    return given, ends


def test_a_site_is_built_of_all_notebooks_and_pages_where_it_was_asked_for(built, sequence, tmp_path, run):
    (sequence / "glossary.md").touch()
    (tmp_path / "empty").mkdir()
    assert run("site", tmp_path / "empty")[0] == run("site", tmp_path / "new", "--launch", "http://a.b/X//")[0] == 0
    notebooks = [*zip(sorted(sequence.glob("*.ipynb")), cli.catalogue(), strict=True)]
    pages = [sequence / "glossary.md"]
    assert built[0] == [
        (notebooks, pages, tmp_path / "empty", None),
        (notebooks, pages, tmp_path / "new", "http://a.b/X"),
    ]


def test_the_site_tells_how_far_it_is_and_how_it_ended(built, tmp_path, run):
    _, ends = built
    code, out, _ = run("site", tmp_path / "made")
    assert code == 0
    assert [numbers_in(line.partition("(")[2]) for line in out[1:-1]] == [[place, 5] for place in range(1, 6)]
    ends[0] = ["index.md: a warning"]
    assert "index.md: a warning" in run("site", tmp_path / "made")[1][-2]
    for ends[0], named in (
        (ValueError("10_ratio stopped: no"), "10_ratio stopped: no"),
        (OSError(errno.ENOSPC, "No space left on device"), "made cannot be written"),
        (OSError(errno.EACCES, "Permission denied", "made/index.html"), "made/index.html cannot be written"),
    ):
        code, _, (error,) = run("site", tmp_path / "made")
        assert code == 2
        assert named in error


def test_a_site_without_sphinx_names_what_to_install(built, tmp_path, monkeypatch, run):
    monkeypatch.setattr(cli.importlib.util, "find_spec", lambda name: None)
    code, _, (error,) = run("site", tmp_path / "made")
    assert code == 2
    assert 'pip install "evalteach[site]"' in error


def test_a_report_runs_its_notebook_on_what_it_is_given_and_tells_the_counts(shipped, tmp_path, monkeypatch, run):
    monkeypatch.chdir(tmp_path)
    told = []

    def run_book(notebook, given, tell):
        told.append((notebook, given))
        return "book"

    def page(book, title, footer):
        told.append((book, title, re.sub(r"\d{4}-\d\d-\d\d", "TODAY", footer)))
        return "é" * 26_000

    def typed(line):
        return run("report", *line.split())

    monkeypatch.setattr(_page, "run", run_book)
    monkeypatch.setattr(_page, "page", page)
    (shipped / "91_your_own_scores.ipynb").write_bytes(notebook())
    Path("own.csv").write_text("label,score\n" + "0,0.25\n1,0.75\n" * 12)
    Path("new.csv").write_text("score\n0.5\n0.25\n7\n")
    code, out, _ = typed("own.csv")
    assert code == 0
    assert [numbers_in(line)[:4] for line in out[1:4]] == [[24, 2], [1, 12, 0, 12], [0.25, 0.75]]
    assert Path("own_report.html").read_text(encoding="utf-8") == "é" * 26_000
    options = "--label label --score score --positive 1 --ratio 9 --threshold 0.5 --out page.html"
    assert typed(f"own.csv {options} --unlabeled new.csv --class-size 1:3 --budget 2")[0] == 0

    def lacking(*_):
        raise ModuleNotFoundError("No module named 'nbconvert'", name="nbconvert")

    monkeypatch.setattr(_page, "run", lacking)
    assert "pip install nbconvert" in typed("own.csv --out page3.html")[2][0]
    monkeypatch.setattr(_page, "run", lambda *_: 1)
    monkeypatch.setattr(_record, "open", denied, raising=False)
    assert "page3.html cannot be written" in typed("own.csv --out page3.html")[2][0]
    here = str(Path.cwd())
    (first, given), shown, (_, more), _ = told[:4]
    assert first == shipped / "91_your_own_scores.ipynb"
    assert given == {"FILE": f"{here}/own.csv", "UNLABELED": None} | {name.upper(): None for name in cli.GIVEN}
    assert shown == ("book", "What the scores in own.csv say", f"Made with evalteach {__version__} on TODAY.")
    assert more == {
        "FILE": f"{here}/own.csv",
        "UNLABELED": f"{here}/new.csv",
        "UNLABELED_SCORE": None,
        "LABEL": "label",
        "SCORE": "score",
        "POSITIVE": "1",
        "RATIO": 9.0,
        "CLASS_SIZE": "1:3",
        "BUDGET": 2,
        "THRESHOLD": 0.5,
    }


class Terminal(io.StringIO):
    """A terminal that shows what it was told when it is flushed."""

    shown = ()

    def isatty(self):
        return True

    def flush(self):
        self.shown = (*self.shown, self.getvalue())
        self.seek(0)
        self.truncate()


def test_each_line_and_each_step_is_shown_at_once(built, shipped, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "stdout", terminal := Terminal())
    assert cli.main(["site", str(tmp_path / "made")]) == 0
    assert [line[:8] for line in terminal.shown] == [
        "running ",
        *(f"\r  {share:3d} %" for share in range(10, 110, 10)),
        "written:",
    ]
    monkeypatch.setattr(_page, "run", lambda notebook, given, tell: [tell(1, 2), tell(2, 2)])
    monkeypatch.setattr(_page, "page", lambda book, title, footer: title)
    terminal.shown = ()
    assert cli._page_of(tmp_path, {}, "own.csv", {})
    assert terminal.shown == ("\r   50 %", "\r  100 %\n")


def test_who_reads_no_further_is_told_no_more(tmp_path, monkeypatch):
    def broken(*_, **__):
        raise BrokenPipeError

    with (tmp_path / "told").open("w") as file:
        monkeypatch.setattr(sys, "stdout", file)
        monkeypatch.setattr(cli, "print", broken, raising=False)
        cli._tell("one")
        assert os.write(file.fileno(), b"two") == 3
    assert (tmp_path / "told").read_bytes() == b""
