"""The record of ticks: what a check notes there, and that nothing else is ever written or said."""

import errno
import json
import os
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
def test_a_correct_answer_is_noted_by_the_name_that_it_has_in_the_notebook(record, cell, answer):
    assert cell("centre", answer, _5=answer).startswith("Correct")
    assert read(record) == {"10_class_ratio": ["centre"]}
    cell("average", answer)
    assert read(record) == {"10_class_ratio": ["average", "centre"]}


@pytest.mark.parametrize("answer", [stub, raising, sum, None, 3.0], ids=["stub", "raising", "sum", "None", "3.0"])
def test_an_answer_that_is_not_correct_yet_shows_that_the_notebook_ran(record, cell, answer):
    assert cell("centre", answer, nothing=None).startswith("Not yet")
    assert read(record) == {"10_class_ratio": []}


def test_a_folded_solution_is_no_tick_under_any_name(record, cell):
    cell("centre_solved", mean)
    cell("centre", mean, centre_solved=mean)
    assert read(record) == {"10_class_ratio": []}


def test_what_was_correct_once_stays_and_so_do_other_notebooks(record, cell):
    record.write_text('{"00_start_here": ["first"], "10_class_ratio": ["centre"]}')
    cell("centre", stub)
    assert read(record) == {"00_start_here": ["first"], "10_class_ratio": ["centre"]}


def test_nothing_is_written_when_there_is_nothing_new(record, cell, monkeypatch):
    cell("centre", mean)
    monkeypatch.setattr(os, "replace", lambda *_: pytest.fail("written again"))
    cell("centre", mean)


def test_nothing_is_written_where_there_is_no_record(record, cell, tmp_path):
    record.unlink()
    assert cell("centre", mean).startswith("Correct")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("session", [None, ""])
def test_nothing_is_written_by_a_kernel_without_a_notebook(record, cell, monkeypatch, session):
    monkeypatch.delenv("JPY_SESSION_NAME")
    if session is not None:
        monkeypatch.setenv("JPY_SESSION_NAME", session)
    assert cell("centre", mean).startswith("Correct")
    assert record.read_text() == "{}"


@pytest.mark.parametrize(
    "damaged",
    [b"", b"{", b"\xff", b"[]", b"null", b'{"10_class_ratio": 5}', b'{"10_class_ratio": [[], 5]}', b"[" * 100_000],
    ids=lambda d: d[:20],
)
def test_a_damaged_record_is_written_anew(record, cell, damaged):
    record.write_bytes(damaged)
    assert cell("centre", mean).startswith("Correct")
    assert read(record) == {"10_class_ratio": ["centre"]}


@pytest.mark.parametrize("there", [True, False])
def test_a_link_in_the_place_of_the_record_is_left_alone(record, cell, tmp_path, there):
    precious = tmp_path / "precious"
    if there:
        precious.write_text("{}")
    record.unlink()
    record.symlink_to(precious)
    assert cell("centre", mean).startswith("Correct")
    assert record.is_symlink()
    assert precious.read_text() == "{}" if there else not precious.exists()


def test_a_folder_in_the_place_of_the_record_is_left_alone(record, cell):
    record.unlink()
    record.mkdir()
    assert cell("centre", mean).startswith("Correct")
    assert list(record.iterdir()) == []


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left on device"), PermissionError(), ValueError()])
def test_a_record_that_cannot_be_written_disturbs_no_check_and_stays_whole(record, cell, tmp_path, monkeypatch, error):
    def fail(*_):
        raise error

    said = cell("centre", stub), cell("centre", mean)
    record.write_text("{}")
    monkeypatch.setattr(os, "replace", fail)
    assert (cell("centre", stub), cell("centre", mean)) == said
    assert record.read_text() == "{}"
    assert list(tmp_path.iterdir()) == [record]


def test_a_current_folder_that_was_deleted_disturbs_no_check(record, cell, tmp_path, monkeypatch):
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert cell("centre", mean).startswith("Correct")


def test_the_same_record_is_the_same_file_in_whichever_order_it_was_filled(tmp_path):
    for record in ({"b": ["é"], "a": []}, {"a": [], "b": ["é"]}):
        _record.write_record(path := tmp_path / "record", record)
        assert path.read_bytes() == b'{\n "a": [],\n "b": [\n  "\\u00e9"\n ]\n}\n'
