"""`evalteach lab`: what it does to a reader's folder. Nothing that somebody wrote is ever lost."""

import errno
import json
import os
import re

import lessons
import nbformat
import pytest
from small_notebooks import NAMES, notebook

from evalteach._record import PROGRESS
from evalteach.command import catalogue, folder
from evalteach.command.folder import RECORD, TEACHER_FILES

FIRST, SECOND, THIRD = NAMES
BETTER = notebook("# better")


def contents(path):
    return {file.name: file.read_bytes() for file in path.iterdir() if file.is_file()}


def full_disk(*_, **__):
    raise OSError(errno.ENOSPC, "No space left on device")


# --- the copy --------------------------------------------------------------------------------------------


def test_a_new_folder_gets_every_notebook_as_shipped_and_nothing_else(copy, shipped, mine):
    (shipped / ".ipynb_checkpoints").mkdir()
    (shipped / ".ipynb_checkpoints" / "00-checkpoint.ipynb").write_bytes(notebook())
    (shipped / "notes.txt").write_text("x")
    assert copy() == dict.fromkeys(NAMES, "copied")
    assert {*contents(mine)} == {PROGRESS, RECORD, *NAMES}
    assert all((mine / name).read_bytes() == (shipped / name).read_bytes() for name in NAMES)
    (mine / "plain").touch()
    assert (mine / FIRST).stat().st_mode == (mine / "plain").stat().st_mode, "whoever may read the folder reads it"
    before = {path.name: path.stat().st_mtime_ns for path in mine.iterdir()}
    assert copy() == dict.fromkeys(NAMES, "up to date")
    assert {path.name: path.stat().st_mtime_ns for path in mine.iterdir()} == before


def test_the_default_folder_is_in_the_current_one_and_parents_are_made(shipped, tmp_path, monkeypatch, run):
    monkeypatch.chdir(tmp_path)
    assert run("lab", "--copy-only")[0] == run("lab", "a/b", "--copy-only")[0] == 0
    assert (tmp_path / "evalteach-notebooks" / FIRST).is_file()
    assert (tmp_path / "a" / "b" / FIRST).is_file()


def test_an_untouched_notebook_is_updated_and_an_edited_one_is_kept(copy, shipped, mine):
    copy()
    (mine / FIRST).write_bytes(b"my answers")
    assert copy()[FIRST] == "kept, edited by you"
    for version in (BETTER, notebook("# better still")):
        for name in (FIRST, SECOND):
            (shipped / name).write_bytes(version)
        outcomes = copy()
        assert outcomes[FIRST].startswith("kept, edited by you; for the newer version, rename or delete")
        assert (outcomes[SECOND], outcomes[THIRD]) == ("updated", "up to date")
        assert (mine / FIRST).read_bytes() == b"my answers"
        assert (mine / SECOND).read_bytes() == version
    (mine / FIRST).rename(mine / "my_start.ipynb")
    assert copy()[FIRST] == "copied again"
    assert (mine / "my_start.ipynb").read_bytes() == b"my answers"


def test_an_edit_that_was_undone_counts_as_untouched(copy, shipped, mine):
    copy()
    original = (mine / SECOND).read_bytes()
    (mine / SECOND).write_bytes(b"my answers")
    copy()
    (mine / SECOND).write_bytes(original)
    (shipped / SECOND).write_bytes(BETTER)
    assert copy()[SECOND] == "updated"


def test_a_file_that_was_there_before_is_kept_unless_it_is_the_shipped_one(copy, shipped, mine):
    mine.mkdir()
    (mine / FIRST).write_bytes(b"somebody's own")
    (mine / SECOND).write_bytes((shipped / SECOND).read_bytes())
    for version in (notebook("# one"), BETTER):
        outcomes = copy()
        assert outcomes[FIRST].startswith("kept, it is not the shipped one; for that, rename or delete")
        assert (mine / FIRST).read_bytes() == b"somebody's own"
        (shipped / FIRST).write_bytes(version)
        (shipped / SECOND).write_bytes(version)
    assert outcomes[SECOND] == "updated"


def test_a_notebook_that_is_dropped_and_shipped_again_is_left_alone(copy, shipped, mine):
    copy()
    (mine / THIRD).write_bytes(b"my answers")
    (shipped / THIRD).unlink()
    assert list(copy()) == NAMES[:2]
    (shipped / THIRD).write_bytes(BETTER)
    assert copy()[THIRD].startswith("kept")
    assert (mine / THIRD).read_bytes() == b"my answers"
    (mine / THIRD).write_bytes(b"")  # as a full disk leaves it, and nobody's work
    assert copy()[THIRD] == "copied again"


@pytest.mark.parametrize("damaged", [b"", b'{"00_start', b"\xff\xfe", b"[]", b'{"01_counts.ipynb": 5}', b"[" * 100_000])
def test_a_damaged_record_costs_no_work(copy, shipped, mine, damaged):
    copy()
    (mine / SECOND).write_bytes(b"my answers")
    (shipped / FIRST).write_bytes(BETTER)
    (mine / RECORD).write_bytes(damaged)
    outcomes = copy()
    assert outcomes[FIRST].startswith("kept"), "nothing shows that this one is not the reader's"
    assert (mine / SECOND).read_bytes() == b"my answers"
    json.loads((mine / RECORD).read_bytes())


@pytest.mark.parametrize("in_the_way", ["link", "link to nothing", "folder"])
def test_what_is_in_the_place_of_a_notebook_is_left_alone(copy, shipped, mine, in_the_way):
    copy()
    (mine / "another.ipynb").write_bytes(original := (mine / SECOND).read_bytes())
    (mine / SECOND).unlink()
    if in_the_way == "folder":
        (mine / SECOND).mkdir()
    else:
        (mine / SECOND).symlink_to(mine / ("missing.ipynb" if "nothing" in in_the_way else "another.ipynb"))
    for content in (original, BETTER):
        (shipped / SECOND).write_bytes(content)
        outcomes = copy(code=2)
        assert outcomes[SECOND].startswith("NOT copied")
        assert outcomes[THIRD] == "up to date", "the others are still seen to"
        assert (mine / SECOND).is_symlink() == (in_the_way != "folder")
        assert (mine / "another.ipynb").read_bytes() == original
        assert not (mine / "missing.ipynb").exists()


@pytest.mark.parametrize("stop", [KeyboardInterrupt(), OSError(errno.ENOSPC, "No space left on device")])
def test_a_copy_that_stops_leaves_whole_files_and_is_completed_by_the_next(copy, shipped, mine, run, monkeypatch, stop):
    copy()
    for name in NAMES:
        (shipped / name).write_bytes(BETTER)
    replace, left = os.replace, [1]

    def replace_once(source, target):
        if not left:
            raise stop
        left.pop()
        replace(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", replace_once)
        code, lines, errors = run("lab", mine, "--copy-only")
    assert lines == [f"{FIRST}: updated"]
    assert (code, bool(errors)) == ((2, True) if isinstance(stop, OSError) else (130, False))
    assert not errors or (SECOND in errors[0] and "No space left" in errors[0])
    assert contents(mine)[SECOND] == notebook(f"# {SECOND}")
    assert {*contents(mine)} == {PROGRESS, RECORD, *NAMES}, "nothing half written stays"
    assert copy() == {FIRST: "up to date", SECOND: "updated", THIRD: "updated"}
    (shipped / FIRST).write_bytes(notebook("# better still"))
    assert copy()[FIRST] == "updated"


def test_two_copies_at_once_are_both_whole(copy, shipped, mine, monkeypatch):
    replace, second = os.replace, []

    def meanwhile(source, target):
        if not second:
            second.append(None)
            second.append(copy())
        replace(source, target)

    monkeypatch.setattr(os, "replace", meanwhile)
    assert copy() == {FIRST: "copied", SECOND: "up to date", THIRD: "up to date"}
    assert second[1] == dict.fromkeys(NAMES, "copied")
    assert {*contents(mine)} == {PROGRESS, RECORD, *NAMES}
    (shipped / FIRST).write_bytes(BETTER)
    assert copy()[FIRST] == "updated", "the record holds what was copied"


def test_the_shipped_notebooks_are_not_copied_onto_themselves(shipped, run, refused):
    code, lines, _ = run("lab", shipped, "--copy-only")
    assert (code, "nothing to copy" in lines[0]) == (0, True)
    assert "the shipped notebooks themselves" in refused("lab", shipped, "--reset", "01")
    assert {*contents(shipped)} == {*NAMES}, "a record there would be shipped in the next wheel"


def test_a_checkout_is_copied_from_its_own_notebooks_and_not_from_a_stale_copy(copy, shipped, mine):
    (checkout := shipped.parent.parent / "notebooks").mkdir()
    (checkout / FIRST).write_bytes(BETTER)
    assert copy() == dict.fromkeys(NAMES, "copied"), "a folder called notebooks does not make a checkout"
    (checkout.parent / "pyproject.toml").touch()
    assert copy() == {FIRST: "updated"}
    assert (mine / FIRST).read_bytes() == BETTER


REFUSED = {
    "no notebook has this name": (["--reset", "01_count"], '"01_count"; `evalteach list`|"01_count"'),
    "no notebook has this path": (["--reset", "../01_counts"], "evalteach list"),
    "a reset in no folder": (["--reset", "01"], "there is no folder"),
    "a port that cannot be": (["--port", "65536"], "65536.*65535"),
    "a port below all": (["--port=-1", "--copy-only"], "-1.*65535"),
    "no file of scores": (["--copy-only", "--with", "nothing.csv"], "no file nothing.csv"),
    "a folder of scores": (["--copy-only", "--with", "."], "no file ."),
    "two things at once": (["--with", __file__, "--reset", "00"], "one after the other"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_done_is_refused_before_anything_is_copied(shipped, mine, refused, name):
    options, words = REFUSED[name]
    assert re.search(words, refused("lab", mine, *options))
    assert not mine.exists()


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ("", "DIR is empty"),
        ("file", "is a file, not a folder"),
        ("file/below", "; name another folder"),
        ("a" * 300, "cannot be copied to"),
        ("link", "is a link to nothing"),
        ("blocked", f"{RECORD} cannot be copied to"),
    ],
)
def test_a_folder_that_cannot_be_is_refused(shipped, tmp_path, refused, monkeypatch, where, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("x")
    (tmp_path / "link").symlink_to("nowhere")
    (tmp_path / "blocked" / RECORD).mkdir(parents=True)
    before = sorted(os.listdir())
    assert words in refused("lab", where, "--copy-only")
    assert sorted(os.listdir()) == before, "an empty name does not mean the current folder"


@pytest.mark.parametrize("command", [["lab", "mine"], ["list"]], ids=lambda command: command[0])
def test_an_installation_with_broken_notebooks_or_none_says_so(shipped, refused, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    (shipped / SECOND).write_bytes(b"<<<<<<< ours")
    options = ["--fresh", "--copy-only"] if command[0] == "lab" else []
    assert re.search(f"{SECOND} cannot be read.*; install evalteach again", refused(*command, *options))
    for name in NAMES:
        (shipped / name).unlink()
    assert "no notebooks" in refused(*command)


# --- a file of scores ------------------------------------------------------------------------------------


def test_a_file_of_scores_comes_beside_the_notebooks_under_a_free_name(copy, mine, tmp_path, run, refused, monkeypatch):
    own = tmp_path / "scores.csv"
    for content, name, outcome in (
        ("1", "scores.csv", "copied"),
        ("1", "scores.csv", "is there"),
        ("2", "scores-2.csv", "copied"),
        ("3", "scores-3.csv", "copied"),
        ("2", "scores-2.csv", "is there"),
    ):
        own.write_text(content)
        code, lines, _ = run("lab", mine, "--copy-only", "--with", own)
        assert (code, lines[-1]) == (0, f'{name}: {outcome}; in 91_your_own_scores write FILE = "{name}"')
        assert (mine / name).read_text() == content == own.read_text()
    (own := tmp_path / FIRST).write_text("mine")
    run("lab", mine, "--copy-only", "--with", own)
    assert (mine / FIRST).read_bytes() == notebook(f"# {FIRST}")
    assert (mine / "00_start_here-2.ipynb").read_text() == "mine"
    (own := tmp_path / 'a"b\\é.csv').write_text("1")
    advice = run("lab", mine, "--copy-only", "--with", own)[1][-1]
    assert eval(advice.partition("FILE = ")[2]) == own.name, "as Python reads it"
    own.write_text("another")
    monkeypatch.setattr(folder.shutil, "copyfileobj", full_disk)
    before = contents(mine)
    assert "No space left on device; name another folder" in refused("lab", mine, "--copy-only", "--with", own)
    assert contents(mine) == before


# --- pages, and notebooks without outputs ----------------------------------------------------------------


def ran(text, number=1):
    """A notebook with a formula in its prose and one code cell, which ran."""
    content = json.loads(notebook(f"# {text} × 2"))
    output = {"output_type": "stream", "name": "stdout", "text": ["2\n"]}
    cell = {"cell_type": "code", "id": "b", "metadata": {"tags": ["solution"]}, "source": ["print(2)"]}
    content["cells"].append({**cell, "execution_count": number, "outputs": [output]})
    return json.dumps(content, ensure_ascii=False).encode()


@pytest.fixture
def with_outputs(shipped):
    for name in NAMES:
        (shipped / name).write_bytes(ran(name))
    return shipped


def test_fresh_notebooks_differ_from_the_shipped_ones_in_outputs_and_counts_alone(copy, with_outputs, mine):
    assert copy("--fresh") == dict.fromkeys(NAMES, "copied")
    for name in NAMES:
        fresh, full = (json.loads((place / name).read_bytes()) for place in (mine, with_outputs))
        assert (fresh["cells"][1].pop("outputs"), fresh["cells"][1].pop("execution_count")) == ([], None)
        del full["cells"][1]["outputs"], full["cells"][1]["execution_count"]
        assert fresh == full
    assert "×".encode() in (mine / FIRST).read_bytes(), "as Jupyter writes it"


@pytest.mark.parametrize("name", [path.name for path in lessons.paths() if path.stem not in lessons.GUIDES])
def test_a_fresh_lesson_shows_its_title_its_headings_and_its_sources_and_folds_the_rest(copy, shipped, mine, name):
    (shipped / name).write_bytes((lessons.NOTEBOOKS / name).read_bytes())
    copy("--fresh")
    full, fresh = lessons.read(lessons.NOTEBOOKS / name), lessons.read(mine / name)
    if full.name in lessons.FORMS:  # which readers fill in, and which have no answers to hide
        assert [cell.source for cell in fresh.cells] == [cell.source for cell in full.cells]
        return
    nbformat.validate(fresh.notebook)
    words, told = ("\n".join(cell.source for cell in lesson.cells).split() for lesson in (fresh, full))
    assert words == told
    *sections, last = [cell for cell in fresh.cells if cell.heading and cell.heading[0] == 2]
    assert [cell.source for cell in sections] == [f"## {cell.heading[1]}" for cell in sections]
    assert all(cell.collapsed for cell in sections)
    seen = [cell for cell in fresh.cells if not cell.folds]
    assert [cell for cell in seen if not cell.code] == [fresh.cells[0], *sections, last]
    assert seen[-1] is fresh.cells[-1] is last, "Run All would open the section that hides the last cell"
    assert all(cell.i < sections[0].i for cell in seen if cell.code)


@pytest.mark.parametrize(("first", "second"), [([], ["--fresh"]), (["--fresh"], [])], ids=["to fresh", "to full"])
def test_an_unedited_notebook_follows_to_the_other_state_and_an_edited_one_stays(
    copy, with_outputs, mine, first, second
):
    copy(*first)
    (mine / SECOND).write_bytes(ran(SECOND, number=7))
    before = (mine / FIRST).read_bytes()
    for _ in range(2):
        outcomes = copy(*second)
        assert outcomes[SECOND] == "kept, edited by you", "no newer version is mentioned: there is none"
    assert outcomes[FIRST] == "up to date"
    assert (mine / FIRST).read_bytes() != before
    (mine / RECORD).unlink()
    assert copy(*first)[FIRST] == "updated", "both states of what is shipped count as unedited"
    assert (mine / FIRST).read_bytes() == before
    (with_outputs / FIRST).write_bytes(ran("better"))
    assert copy(*second)[FIRST] == "updated"


def test_pages_are_copied_and_kept_like_notebooks_and_a_class_gets_none_for_teachers(copy, shipped, mine):
    for name in (*TEACHER_FILES, "sheet.md"):
        (shipped / name).write_bytes(notebook(f"# {name}") if name.endswith(".ipynb") else f"# {name} ×".encode())
    assert {*copy("--fresh")} == {*NAMES, "sheet.md"}
    assert not any((mine / name).exists() for name in TEACHER_FILES)
    assert {*copy()} == {*NAMES, *TEACHER_FILES, "sheet.md"}
    (mine / "sheet.md").write_text("my notes")
    (shipped / "sheet.md").write_text("better")
    assert copy("--fresh")["sheet.md"].startswith("kept, edited by you; for the newer version")
    assert (mine / TEACHER_FILES[1]).exists(), "nothing is taken away"


def test_what_a_class_does_not_get_is_there_and_is_all_that_is_for_teachers():
    pages = {page.name: page.read_text(encoding="utf-8") for page in catalogue.shipped_pages()}
    for_teachers = {name for name, text in pages.items() if "This page is for teachers" in text}
    assert for_teachers | {f"{name}.ipynb" for name in lessons.GUIDES} | {"cards.md"} == {*TEACHER_FILES}
    assert {*TEACHER_FILES} < {*pages} | {notebook.name for notebook in catalogue.shipped_notebooks()}


# --- bringing one notebook back --------------------------------------------------------------------------


def test_a_reset_brings_the_shipped_notebook_back_and_keeps_the_edited_one_beside_it(copy, mine, run):
    copy()
    kept = {"01_counts.mine.ipynb": b"first", "01_counts.mine-2.ipynb": b"second", "01_counts.mine-3.ipynb": b"third"}
    for (own, content), name in zip(kept.items(), ("01", "01_counts", SECOND), strict=True):
        (mine / SECOND).write_bytes(content)
        (mine / THIRD).write_bytes(b"my other answers")
        code, lines, _ = run("lab", "--reset", name, mine)
        assert (code, lines[0]) == (0, f"{SECOND}: brought back; yours is now {own}")
        assert "File > Reload Notebook from Disk" in lines[1]
        assert (mine / SECOND).read_bytes() == notebook(f"# {SECOND}")
    assert kept.items() <= contents(mine).items()
    assert copy() == {FIRST: "up to date", SECOND: "up to date", THIRD: "kept, edited by you"}


def test_a_reset_keeps_no_second_file_of_what_was_not_edited(copy, with_outputs, mine, run):
    copy()
    assert run("lab", "--reset", "01", mine)[1] == [f"{SECOND}: it is the shipped one already"]
    assert run("lab", "--reset", "01", "--fresh", mine)[1][0] == f"{SECOND}: brought back"
    assert json.loads((mine / SECOND).read_bytes())["cells"][1]["outputs"] == []
    (with_outputs / SECOND).write_bytes(BETTER)
    assert run("lab", "--reset", "01", mine)[1][0] == f"{SECOND}: brought back"
    (mine / SECOND).unlink()
    assert run("lab", "--reset", "01", mine)[1] == [f"{SECOND}: copied again"]
    assert {*contents(mine)} == {PROGRESS, RECORD, *NAMES}


def test_the_reset_that_a_copy_advises_works(copy, shipped, mine, run):
    mine.mkdir()
    (mine / FIRST).write_bytes(b"somebody's own")
    copy()
    (mine / SECOND).write_bytes(b"my answers")
    (shipped / SECOND).write_bytes(BETTER)
    for name, outcome in copy().items():
        if outcome.startswith("kept"):
            assert outcome.endswith(f"run with --reset {name}")
            assert run("lab", mine, "--reset", name)[0] == 0
    assert copy() == dict.fromkeys(NAMES, "up to date")
    kept = {"00_start_here.mine.ipynb": b"somebody's own", "01_counts.mine.ipynb": b"my answers"}
    assert kept.items() <= contents(mine).items()


def test_a_reset_writes_through_no_link_and_over_no_file(copy, mine, run):
    copy()
    (mine / "precious").write_bytes(b"precious")
    (mine / SECOND).write_bytes(b"my answers")
    (mine / "01_counts.mine.ipynb").symlink_to(mine / "precious")
    (mine / "01_counts.mine-2.ipynb").mkdir()
    assert run("lab", mine, "--reset", "01")[1][0].endswith("yours is now 01_counts.mine-3.ipynb")
    (mine / SECOND).unlink()
    (mine / SECOND).symlink_to(mine / "precious")
    code, lines, _ = run("lab", mine, "--reset", "01")
    assert (code, lines[0].split(",")[0]) == (2, f"{SECOND}: NOT copied")
    assert (mine / SECOND).is_symlink()
    assert (mine / "precious").read_bytes() == b"precious"


@pytest.mark.parametrize(
    ("fails", "left_as"),
    [(1, {SECOND}), (2, {SECOND, "01_counts.mine.ipynb"}), (3, {"01_counts.mine.ipynb"})],
    ids=["keeping", "bringing back", "recording"],
)
def test_a_reset_that_fails_loses_nothing(copy, mine, refused, monkeypatch, fails, left_as):
    copy()
    (mine / SECOND).write_bytes(b"my answers")
    replace, left = os.replace, [None] * (fails - 1)

    def until_full(source, target):
        if not left:
            full_disk()
        left.pop()
        replace(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", until_full)
        assert f"{SECOND} cannot be brought back" in refused("lab", mine, "--reset", "01")
    assert {name for name, content in contents(mine).items() if content == b"my answers"} == left_as
    assert {*contents(mine)} == {*left_as, PROGRESS, RECORD, *NAMES}


def test_what_lab_saves_during_a_reset_is_not_lost(copy, mine, run, monkeypatch):
    copy()
    (mine / SECOND).write_bytes(b"my answers")
    replace = os.replace

    def meanwhile(source, target):
        replace(source, target)
        if target.name == "01_counts.mine.ipynb":
            (mine / SECOND).write_bytes(b"saved a moment ago")

    monkeypatch.setattr(os, "replace", meanwhile)
    assert run("lab", mine, "--reset", "01")[1][0].startswith(f"{SECOND}: kept")
    assert (mine / SECOND).read_bytes() == b"saved a moment ago"
