"""Files that are written whole or not at all, and the record of ticks: what a check notes there, and nothing else."""

import errno
import json
import os
import stat
import statistics

import pytest

from evalteach import _record
from evalteach.exercises import check

TRIES = [({"data": [1.0, 2.0, 6.0]}, 3.0)]


def mean(data):
    return sum(data) / len(data)


def stub(data):
    """What an exercise starts from."""


def raising(data):
    raise ZeroDivisionError


@pytest.fixture
def record(tmp_path, monkeypatch):
    """The empty record of a folder in which a kernel of Lab runs 10_class_ratio.ipynb."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JPY_SESSION_NAME", str(tmp_path / "10_class_ratio.ipynb"))
    path = tmp_path / _record.PROGRESS
    path.write_text("{}")
    return path


@pytest.fixture
def cell(capsys):
    """Run a check as a cell of a notebook does; the line that it prints."""

    def cell(name, answer, tries=TRIES, **other_names):
        exec(f"check({name}, tries)", {"check": check, "tries": tries, name: answer, **other_names})
        captured = capsys.readouterr()
        assert captured.err == ""
        (line,) = captured.out.splitlines()
        return line

    return cell


def read(record):
    return json.loads(record.read_bytes())


@pytest.mark.parametrize("answer", [mean, statistics.fmean, lambda data: 3.0], ids=["own", "library", "lambda"])
def test_a_correct_answer_is_noted_once_by_the_name_that_it_has_in_the_notebook(record, cell, monkeypatch, answer):
    record.write_text('{"00_start_here": ["first"]}')
    assert cell("centre", answer, _5=answer).startswith("Correct")
    assert read(record) == {"00_start_here": ["first"], "10_class_ratio": ["centre"]}
    cell("average", answer)
    cell("centre", stub)
    assert read(record)["10_class_ratio"] == ["average", "centre"], "what was correct once stays"
    monkeypatch.setattr(os, "replace", lambda *_: pytest.fail("written again"))
    cell("centre", answer)


@pytest.mark.parametrize("answer", [stub, raising, sum, None, 3.0], ids=["stub", "raising", "sum", "None", "3.0"])
def test_an_answer_that_is_not_correct_yet_shows_that_the_notebook_ran(record, cell, answer):
    assert cell("centre", answer, nothing=None).startswith("Not yet")
    assert read(record) == {"10_class_ratio": []}


def test_a_folded_solution_is_no_tick_under_any_name(record, cell):
    cell("centre_solved", mean)
    cell("centre", mean, centre_solved=mean)
    assert read(record) == {"10_class_ratio": []}


@pytest.mark.parametrize("session", [None, ""])
def test_nothing_is_written_by_a_kernel_without_a_notebook_or_where_there_is_no_record(
    record, cell, tmp_path, monkeypatch, session
):
    record.rename(elsewhere := tmp_path / "elsewhere")
    assert cell("centre", mean).startswith("Correct")
    assert os.listdir(tmp_path) == ["elsewhere"]
    elsewhere.rename(record)
    monkeypatch.delenv("JPY_SESSION_NAME")
    if session is not None:
        monkeypatch.setenv("JPY_SESSION_NAME", session)
    assert cell("centre", mean).startswith("Correct")
    assert record.read_text() == "{}"


@pytest.mark.parametrize(
    "damaged",
    [b"", b"{", b"\xff", b"[]", b'{"10_class_ratio": 5}', b'{"10_class_ratio": [[], 5]}', b"[" * 100_000],
)
def test_a_damaged_record_is_written_anew_the_same_for_the_same_content(record, cell, damaged):
    record.write_bytes(damaged)
    cell("median", mean)
    cell("centre", mean)
    assert record.read_bytes() == b'{\n "10_class_ratio": [\n  "centre",\n  "median"\n ]\n}\n'


@pytest.mark.parametrize("in_the_way", ["link", "link to nothing", "folder"])
def test_what_is_in_the_place_of_the_record_is_left_alone(record, cell, tmp_path, in_the_way):
    record.unlink()
    if in_the_way == "folder":
        record.mkdir()
    else:
        record.symlink_to(tmp_path / "precious")
        if in_the_way == "link":
            (tmp_path / "precious").write_text("{}")
    before = sorted(os.listdir(tmp_path))
    assert cell("centre", mean).startswith("Correct")
    assert sorted(os.listdir(tmp_path)) == before
    assert record.is_symlink() or not os.listdir(record)
    assert in_the_way != "link" or (tmp_path / "precious").read_text() == "{}"


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left on device"), PermissionError(), ValueError()])
def test_a_record_that_cannot_be_written_disturbs_no_check_and_stays_whole(record, cell, tmp_path, monkeypatch, error):
    lines = cell("centre", stub), cell("centre", mean)
    record.write_text("{}")
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(error))
    assert (cell("centre", stub), cell("centre", mean)) == lines
    assert record.read_text() == "{}"
    assert list(tmp_path.iterdir()) == [record]
    (gone := tmp_path / "gone").mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert cell("centre", mean).startswith("Correct")


# --- whole or not at all ---------------------------------------------------------------------------------


@pytest.mark.parametrize("where", ["writing", "renaming"])
@pytest.mark.parametrize("over", [False, True])
@pytest.mark.parametrize("stop", [KeyboardInterrupt, OSError])
def test_a_write_that_stops_leaves_the_folder_as_it_was(tmp_path, monkeypatch, stop, over, where):
    path = tmp_path / "page.html"
    if over:
        path.write_bytes(b"old")

    def stopped(*_):
        raise stop

    def write():
        with _record.whole_file(path, over=over) as file:
            file.write(b"half")
            if where == "writing":
                stopped()

    monkeypatch.setattr(os, "replace", stopped)
    with pytest.raises(stop):
        write()
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == ({"page.html": b"old"} if over else {})


def test_nothing_has_the_name_before_all_is_written_and_nobody_can_guess_the_other(tmp_path, monkeypatch):
    with _record.whole_file(tmp_path / "page.html") as file:
        file.write(b"all of it")
        (name,) = os.listdir(tmp_path)
        assert len(name) > 30
        assert not any(part in name for part in ("page", str(os.getpid())))
    assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == [("page.html", b"all of it")]
    monkeypatch.setattr(_record.secrets, "token_hex", lambda n: "guessed")
    (tmp_path / ".guessed").symlink_to(tmp_path / "precious")
    with pytest.raises(FileExistsError):
        _record.write_whole(tmp_path / "page.html", b"new", over=True)
    assert not (tmp_path / "precious").exists(), "it opens nothing that is there"


@pytest.mark.parametrize("there", ["file", "link", "link to nothing", "folder", "file that comes meanwhile"])
def test_what_has_the_name_is_not_overwritten_unless_that_is_asked_for(tmp_path, there):
    path = tmp_path / "page.html"
    if there == "file":
        path.write_bytes(b"old")
    elif there == "folder":
        path.mkdir()
    elif "link" in there:
        path.symlink_to(tmp_path / "behind")
        if there == "link":
            (tmp_path / "behind").write_bytes(b"old")
    before = sorted(os.listdir(tmp_path))

    def write():
        with _record.whole_file(path) as file:
            file.write(b"new")
            path.write_bytes(b"old")

    with pytest.raises(FileExistsError):
        write()
    assert sorted(os.listdir(tmp_path)) == (before or ["page.html"])
    assert all(file.read_bytes() == b"old" for file in tmp_path.iterdir() if file.is_file())


@pytest.mark.parametrize("there", [True, False])
def test_a_link_stays_and_the_file_behind_it_is_written(tmp_path, there):
    (tmp_path / "shared").mkdir()
    behind, link = tmp_path / "shared" / "real", tmp_path / "link"
    if there:
        behind.write_bytes(b"old")
    link.symlink_to("shared/real")
    _record.write_whole(link, b"new", over=True)
    assert (link.is_symlink(), behind.is_symlink(), behind.read_bytes()) == (True, False, b"new")
    assert (len(os.listdir(tmp_path)), len(os.listdir(tmp_path / "shared"))) == (2, 1)


@pytest.mark.skipif(os.name != "posix", reason="files have other modes there")
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
def test_a_file_keeps_its_mode_and_nobody_else_reads_it_meanwhile(tmp_path, mode):
    (path := tmp_path / "record").touch()
    path.chmod(mode)
    with _record.whole_file(path, over=True) as file:
        file.write(b"private")
        assert stat.S_IMODE(os.stat(file.name).st_mode) == mode
    assert stat.S_IMODE(path.stat().st_mode) == mode
    assert path.read_bytes() == b"private"
