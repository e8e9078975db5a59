"""`evalteach list`: what the first cells of the notebooks state, how long the paths take, and the reader's ticks."""

import json
import re

import pytest
from small_notebooks import NAMES, notebook

from evalteach._record import PROGRESS
from evalteach.command.catalogue import FIRST, FOLDER, PATHS, catalogue


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
        "93_teaching": ("90", "none"),
    }
    for name, facts in stated.items():
        (shipped / f"{name}.ipynb").write_bytes(opening(name, *facts))
    (shipped / "glossary.md").write_text("# Glossary\n\n**Question:** Which?")
    return shipped


def test_the_list_shows_parts_questions_minutes_and_marks_and_the_hours_of_three_paths(sequence, run):
    code, lines, _ = run("list")
    assert code == 0
    assert lines[:-3] == [
        *("One classifier", ""),
        *("* 01_counts  About 01_counts (60 min)", "      Why 01_counts?"),
        *("+ 02_rates  About 02_rates (30 min, core 15)", "      Why 02_rates?"),
        *("", "The dark side of precision", ""),
        *("* 10_ratio  About 10_ratio (45 min, core 30)", "      Why 10_ratio?"),
        *("", "Practice", ""),
        *("  90_choosing  About 90_choosing (20 min)", "      Why 90_choosing?"),
        *("  93_teaching  About 93_teaching (90 min)", "      Why 93_teaching?", ""),
    ]
    assert lines[-3].startswith("core       about 1.5 hours: "), "60 + 30 minutes"
    assert lines[-2].startswith("interview  about 2 hours: "), "60 + 15 + 30 minutes"
    assert lines[-1] == "all        about 2.5 hours", "60 + 30 + 45 + 20 minutes"
    (sequence / "10_ratio.ipynb").write_bytes(opening("10_ratio", "10 (core 5)", "core, interview, all"))
    assert run("list")[1][-3].startswith("core       about 1 hour: ")


def test_the_catalogue_has_what_the_first_cells_state(sequence):
    assert catalogue()[1:3] == [
        ("02_rates", "About 02_rates", "Why 02_rates?", 30, 15, "One classifier", ("interview", "all")),
        ("10_ratio", "About 10_ratio", "Why 10_ratio?", 45, 30, "The dark side of precision", PATHS),
    ]
    assert catalogue()[0].core == 60, "with no core stated, all of it is core"


def test_the_catalogue_leaves_empty_what_a_first_cell_does_not_state(shipped):
    content = json.loads(notebook())
    content["cells"][0]["source"] = "## Small\n# Precision × recall\n**Minutes:** some (core 5)\n"  # not a list
    (shipped / NAMES[0]).write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    (shipped / NAMES[1]).write_bytes(b'{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}')
    (shipped / NAMES[2]).write_bytes(notebook("# a comment", kind="code"))
    (shipped / "my_notes.ipynb").write_bytes(notebook("# Notes", "**Minutes:** 20 (core )"))
    facts = [entry[1:] for entry in catalogue()]
    assert facts[0] == ("Precision × recall", "", 0, 0, "One classifier", ())
    assert facts[1:3] == [("", "", 0, 0, "One classifier", ())] * 2
    assert facts[3] == ("Notes", "", 20, 20, "More", ())


def test_every_notebook_of_the_sequence_states_its_title_its_question_and_its_minutes():
    entries = catalogue()
    assert f"{entries[0].name}.ipynb" == FIRST
    for entry in entries:
        assert entry.title, entry
        assert entry.question, entry
        assert 0 < entry.core <= entry.minutes, entry
        assert entry.part != "More", entry
    core, interview, everything = ({entry.name for entry in entries if path in entry.paths} for path in PATHS)
    assert core < interview < everything == {entry.name for entry in entries} - {"93_teaching"}
    assert {"00_start_here", "02_one_number", "10_class_ratio"} <= core


# --- the record of ticks ---------------------------------------------------------------------------------


@pytest.fixture
def ticks(copy, shipped, run):
    """The ticks that `evalteach list` shows, by notebook; one has two exercises."""
    code = "check(\n    rate, tries)\ncheck(rate_solved, tries)\n  check(indented, tries)\ncheck(unsolved, [])\n"
    (shipped / NAMES[1]).write_bytes(notebook(*code.splitlines(), kind="code"))
    copy()

    def ticks(*folder):
        code, lines, errors = run("list", *folder)
        assert (code, errors) == (0, [])
        return dict(re.findall(r"^[*+ ] (\w+)  .*  \[(.+)\]$", "\n".join(lines), re.MULTILINE))

    return ticks


def test_a_copy_makes_an_empty_record_of_ticks_and_leaves_the_one_that_is_there(copy, mine):
    copy()
    assert json.loads((mine / PROGRESS).read_bytes()) == {}
    (mine / PROGRESS).write_text('{"01_counts": ["rate"]}')
    copy()
    assert (mine / PROGRESS).read_text() == '{"01_counts": ["rate"]}'
    (mine / PROGRESS).unlink()
    (mine / PROGRESS).symlink_to(mine / "nowhere")
    copy()
    assert not (mine / "nowhere").exists()


def test_the_list_shows_what_ran_and_how_many_exercises_were_correct(ticks, mine):
    assert ticks(mine) == {}
    record = {"00_start_here": [], "01_counts": ["rate", "_", "gone", ["rate"], 5, None], "my_own": ["rate"]}
    (mine / PROGRESS).write_text(json.dumps(record))
    assert ticks(mine) == {"00_start_here": "ran", "01_counts": "ran, 1 of 2 exercises"}
    (mine / PROGRESS).unlink()
    assert ticks(mine) == {}


def test_without_a_folder_the_list_looks_in_the_default_one_and_in_the_current_one(ticks, mine, monkeypatch):
    (mine / PROGRESS).write_text('{"01_counts": []}')
    monkeypatch.chdir(mine)
    assert ticks() == {"01_counts": "ran, 0 of 2 exercises"}
    mine.rename(mine.with_name(FOLDER))
    monkeypatch.chdir(mine.parent)
    assert ticks() == {"01_counts": "ran, 0 of 2 exercises"}


@pytest.mark.parametrize("damaged", [b"", b"{", b"\xff", b"[]", b'{"01_counts": {"rate": 1}}', b"[" * 100_000])
def test_a_damaged_record_of_ticks_shows_none(ticks, mine, damaged):
    (mine / PROGRESS).write_bytes(damaged)
    assert ticks(mine) == {}


@pytest.mark.parametrize("folder", ["", "nowhere"])
def test_a_list_for_a_folder_that_is_not_there_is_refused(shipped, refused, folder):
    assert f"there is no folder {folder}" in refused("list", folder)
