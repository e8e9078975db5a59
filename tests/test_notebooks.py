"""Rules for notebooks as files: what a reader would stumble over, and what would disarm their own tests."""

import ast
import base64
import io
import re
import warnings
from pathlib import Path

import lessons
import nbformat
import pytest
from lessons import FORMS, GUIDES
from PIL import Image
from refresh_outputs import METADATA, WIDGET_VIEW, freeze

ROOT = Path(__file__).resolve().parent.parent
PATHS = sorted((ROOT / "notebooks").glob("*.ipynb"))
NOTEBOOKS = {path.stem: nbformat.read(path, as_version=4) for path in PATHS}
NUMBER = r"(?<![\w.])\d*\.\d+(?![\w.]*\w)"

LESSONS = {name: lessons.Lesson(notebook, name) for name, notebook in NOTEBOOKS.items()}

TAGS = {"solution"}
FORM_TAGS = {"parameters", "notebook-only"}  # the cell to fill in, and what its page leaves out

every = pytest.mark.parametrize("name", NOTEBOOKS)
every_lesson = pytest.mark.parametrize("name", [name for name in NOTEBOOKS if name not in FORMS + GUIDES])


def code_cells(name):
    return [cell for cell in NOTEBOOKS[name].cells if cell.cell_type == "code"]


def prose_cells(name):
    return [cell for cell in NOTEBOOKS[name].cells if cell.cell_type == "markdown"]


def outputs(name):
    return [output for cell in code_cells(name) for output in cell.outputs]


def texts(name):
    """Everything that cells print or show as text."""
    for output in outputs(name):
        yield output.get("text", "") or output.get("data", {}).get("text/plain", "")


@every
def test_is_a_valid_notebook(name):
    nbformat.validate(NOTEBOOKS[name])


@every
def test_every_code_cell_ran_in_order_since_nbval_compares_no_other(name):
    assert [cell.execution_count for cell in code_cells(name)] == list(range(1, len(code_cells(name)) + 1))


@every
def test_is_frozen_so_that_no_dead_widget_shows_where_no_kernel_runs(name):
    assert NOTEBOOKS[name].metadata == METADATA
    assert not any(WIDGET_VIEW in output.get("data", {}) for output in outputs(name))
    again = freeze(nbformat.from_dict(NOTEBOOKS[name]))
    assert again == NOTEBOOKS[name]


@every
def test_shows_no_error_and_no_warning(name):
    assert not [output for output in outputs(name) if output.output_type == "error" or output.get("name") == "stderr"]


@every
def test_switches_no_comparison_off(name):
    for cell in NOTEBOOKS[name].cells:
        assert set(cell.metadata.get("tags", [])) <= (TAGS | FORM_TAGS if name in FORMS else TAGS)
        assert "nbval" not in cell.source.lower()


def test_freezing_keeps_what_is_folded_and_where_slides_begin_and_nothing_else():
    v4 = nbformat.v4
    heading = v4.new_markdown_cell("#### Answer", metadata={lessons.COLLAPSED: True, "heading_collapsed": True})
    drawing = v4.new_code_cell("plt.show()", metadata={"jupyter": {"source_hidden": True, "outputs_hidden": True}})
    solution = v4.new_code_cell("1", metadata={"tags": ["solution"], "execution": {"iopub.status.busy": "now"}})
    opened = v4.new_markdown_cell("#### Answer", metadata={lessons.COLLAPSED: False})
    slide = v4.new_markdown_cell("## 1", metadata={"slideshow": {"slide_type": "slide", "seen": True}})
    flowing = v4.new_markdown_cell("more", metadata={"slideshow": {"slide_type": "-"}})
    cells = freeze(v4.new_notebook(cells=[heading, drawing, solution, opened, slide, flowing])).cells
    assert [dict(cell.metadata) for cell in cells] == [
        {lessons.COLLAPSED: True},
        {"jupyter": {"source_hidden": True}},
        {"tags": ["solution"], "jupyter": {"source_hidden": True}},
        {},
        {"slideshow": {"slide_type": "slide"}},
        {},
    ]


@every
def test_every_picture_has_a_sentence_for_those_who_cannot_see_it(name):
    for output in outputs(name):
        if "image/png" in output.get("data", {}):
            assert len(output.metadata.get("image/png", {}).get("alt", "")) > 20
            picture = Image.open(io.BytesIO(base64.b64decode(output.data["image/png"])))
            assert picture.width <= 1000


@every
def test_second_cell_is_the_only_one_that_imports_at_the_top_of_a_line(name):
    importing = [cell for cell in code_cells(name) if re.search(r"^(import|from) ", cell.source, flags=re.M)]
    assert importing == [NOTEBOOKS[name].cells[1]]


@every
def test_installs_and_downloads_nothing(name):
    for cell in code_cells(name):
        unwanted = r"^\s*[%!]|pip install|urllib|requests|sys\.path|Styler|(?<!plt)(?<!evalteach)\.style\b"
        assert not re.search(unwanted, cell.source, flags=re.M)


@every
def test_figures_are_drawn_with_matplotlib_as_readers_will_draw_theirs(name):
    renamed = r"plots\.(line|label|unit_axes|band|set_band|upright|dot|shade|write)\("
    for cell in code_cells(name):
        assert not re.search(renamed, cell.source), cell.source
    if any("plt.subplots(" in cell.source for cell in code_cells(name)):
        assert 'plt.style.use("evalteach.style")' in NOTEBOOKS[name].cells[1].source


@every
def test_every_decimal_in_prose_is_computed_or_given_in_a_cell(name):
    computed = " ".join([*texts(name), *(cell.source for cell in code_cells(name))]).replace(",", "")
    known = [float(number) for number in re.findall(r"\d+\.?\d*(?:e[-+]?\d+)?|\.\d+", computed)]
    for cell in prose_cells(name):
        prose = re.sub(r"`[^`]*`|\]\([^)]*\)|https?://\S+|\d+\(\d+\)|doi\S+", " ", cell.source)
        for quoted in re.findall(NUMBER, prose):
            places = len(quoted.split(".")[1])
            value = float(quoted)
            assert any(round(number, places) == value or round(number / 100, places) == value for number in known), (
                f"{quoted} is quoted in: {cell.source[:200]}"
            )


@every
def test_no_output_shows_more_than_seven_decimals_since_the_last_hang_on_the_version_of_numpy(name):
    assert not re.findall(r"\d*\.\d{8,}", " ".join(texts(name)))


@every
def test_names_no_place_on_a_machine(name):
    text = (ROOT / "notebooks" / f"{name}.ipynb").read_text(encoding="utf-8")
    assert not re.search(r"/(home|work|tmp|root|Users)/|site-packages|0x[0-9a-f]{6,}", text)


# --- how a lesson is built: every notebook ---


def lines(cell):
    return [line for line in cell.source.splitlines() if line.strip() and not line.lstrip().startswith("#")]


def is_seen(cell):
    """Whether a cell of code is to be read: drawings, tries and solutions have their source folded."""
    return cell.code and not cell.hidden and "Solution" not in cell.folds


def explorers(lesson):
    """What the reader is asked to move; the older form asks nothing about moving pictures."""
    for cell in lesson.code:
        found = lessons.PICTURE.search(cell.source)
        if found and cell.outputs and (lesson.new or found[1] != "moving") and not {*cell.folds} & {*lessons.FOLDED}:
            yield cell


def heading_after(lesson, i):
    return next((later for later in lesson.cells[i + 1 :] if later.heading), None)


def is_lesson(lesson):
    return lesson.name not in FORMS + GUIDES


def is_first(lesson):
    return lesson.name.startswith("00")


def exercises(lesson):
    return [cell for cell in lesson.code if lessons.is_stub(cell.source)]


PATHS_STATED = r"\*\*Paths:\*\* (?:core, interview, all|interview, all|all|none)\."
FIRST_CELL = {
    True: r"# \S.*\n\n\*\*Before you read on,\*\* choose \*Run > Run All Cells\* in the menu, "
    r"then come back to this line, for example with Ctrl\+Home\.\n\n"
    r"\*\*The question:\*\* .*\?\n\n(?:[A-Z].*\n\n)?"
    r"By the end you will be able to\n\n(?:- .*;\n)+- .*\.\n\n"
    rf"\*\*Needs:\*\* .* \*\*Minutes:\*\* \d+(?: \(core \d+\))?\. {PATHS_STATED}",
    False: r"# \S.*\n\n\*\*First:\*\* \*Run > Run All Cells\*.* then come back to here, "
    r"for example with Ctrl\+Home\.\n\n"
    r"\*\*Question:\*\* .*\?\n\nYou will\n\n(- .*\n(?:  .*\n)*){3}\n"
    rf"\*\*Needs:\*\* .*\*\*Minutes:\*\* \d+ \(core \d+\)\. {PATHS_STATED}",
}
START = {True: "Before you start", False: "Before you go on"}
END = {
    True: ["What to remember", "Can you explain it?", "Sources"],
    False: ["To take away", "Say it, compute it, find the bug"],
}


@every
def test_first_cell_says_how_to_run_question_gain_needs_minutes_and_paths(name):
    first = LESSONS[name].cells[0].source
    assert re.fullmatch(FIRST_CELL[LESSONS[name].new], first), first


@every
def test_visible_cells_are_short_and_narrow(name):
    cells = LESSONS[name].code
    assert max(len(lines(cell)) for cell in cells[1:] if is_seen(cell)) <= 12
    wide = [line for cell in cells if is_seen(cell) or cell.solution for line in cell.source.splitlines()]
    assert not [line for line in wide if len(line) > 88]


@every
def test_a_heading_begins_its_cell_since_a_fold_ends_at_cells(name):
    for cell in LESSONS[name].prose:
        headings = re.findall(r"^#{1,6} .*", re.sub(r"```.*?```", "", cell.source, flags=re.S), flags=re.M)
        assert len(headings) <= 1, f"split the cell before {headings[1]}"
        assert not headings or cell.heading, f"split the cell before {headings[0]}"


@every
def test_sections_are_numbered_then_come_the_deeper_ones_then_the_end(name):
    new = LESSONS[name].new
    titles = [cell.heading[1] for cell in LESSONS[name].prose if cell.heading and cell.heading[0] == 2]
    numbered = [title for title in titles if re.match(r"\d+\. \S", title)]
    deeper = [title for title in titles if re.match(r"Deeper: \S", title)]
    assert [title.split(".")[0] for title in numbered] == [str(i) for i in range(1, len(numbered) + 1)]
    if name in FORMS + GUIDES:
        assert titles[-1] == ("Sources" if new else "Where to go on")
    elif name.startswith("00"):  # which may show the way to all others
        assert [title for title in titles if title != "Where to go next"] == [*numbered, *deeper, *END[new]]
    else:
        assert titles == [START[new], *numbered, *deeper, *END[new]]


@every
def test_what_is_folded_holds_an_answer_and_nothing_of_the_lesson(name):
    """A fold reaches to the next heading of its level or above, and what lies before that is not seen."""
    lesson = LESSONS[name]
    for cell in lesson.prose:
        level, title = cell.heading or (0, "")
        spoken = lesson.new and title[:1] in ('"', "“")
        foldable = title in lessons.FOLDED or title.startswith("Deeper: ") or spoken
        assert cell.collapsed == foldable, f"{cell.source[:60]} is {'' if cell.collapsed else 'not '}collapsed"
        assert not foldable or level == (2 if title.startswith("Deeper: ") else 4), cell.source[:60]
        if title in lessons.FOLDED:
            below = lesson.below(cell)
            assert any(c.code and c.outputs for c in below), f"nothing computes the {title} of cell {cell.i}"
            for inner in below:
                assert not inner.heading, f"{inner.source[:60]} lies in the fold {title}: make it a heading of level 4"
                asks = "**Guess:**" in inner.source or lessons.TASKS.search(inner.source) or inner in exercises(lesson)
                assert not asks, f"{inner.source[:60]} lies in the fold {title}: put a heading before it"


@every
def test_a_guess_is_followed_by_its_folded_answer(name):
    """At once, or after the picture that the reader moves to find it."""
    lesson = LESSONS[name]
    guesses = [cell for cell in lesson.prose if "**Guess" in cell.source]
    assert guesses or name in FORMS
    for guess in guesses:
        assert "**Guess:** " in guess.source
        answer = heading_after(lesson, guess.i)
        between = lesson.cells[guess.i + 1 : answer.i]
        assert answer.heading == (4, "Answer"), f"no folded answer follows {guess.source}"
        assert not between or (lesson.new and between[-1] in explorers(lesson)), f"move the answer up to {guess.source}"
        assert all(cell.code for cell in between), f"move the answer up to {guess.source}"
    assert sum(cell.heading == (4, "Answer") for cell in lesson.prose) == len(guesses)


@every
def test_an_explorer_comes_with_tasks_and_their_folded_computed_answers(name):
    lesson = LESSONS[name]
    for cell in explorers(lesson):
        above = next(before for before in lesson.cells[cell.i :: -1] if not before.code)
        asks = lessons.TASKS.search(above.source) or (lesson.new and "**Guess:**" in above.source)
        assert asks, f"no tasks come before {cell.source}"
        assert heading_after(lesson, cell.i).i == cell.i + 1, f"no folded answers follow {cell.source}"
    for cell in lesson.prose:
        if lessons.TASKS.search(cell.source):
            tasks = lessons.TASKS.split(cell.source)[1]
            assert 2 <= len(re.findall(r"^(?:-|\*|\d\.) ", tasks, flags=re.M)) <= 4, tasks
            assert heading_after(lesson, cell.i).heading == (4, "What you find"), f"no folded answers to {tasks}"


@every
def test_an_exercise_is_stub_tries_check_and_a_folded_solution(name):
    """Heading, stub, hidden tries and mistakes, check, ``#### Solution`` saved collapsed, solution."""
    lesson = LESSONS[name]
    for stub in exercises(lesson):
        function = re.match(r"def (\w+)\(", stub.source)[1]
        assert re.fullmatch(r"Exercise \d+(?: \(\w+\))?: \S.*", stub.above[-1][1]), function
        assert sum(stub.source.count(mark) for mark in lessons.STUBS) == 1
        check = next(cell for cell in lesson.cells[stub.i + 1 :] if not cell.hidden)
        hidden = lesson.cells[stub.i + 1 : check.i]
        assert 1 <= len(hidden) <= 2, f"{len(hidden)} hidden cells follow {function}, with tries and with mistakes"
        tries = "\n".join(cell.source for cell in hidden)
        named = re.search(r"^(\w+)_tries = .*^\1_mistakes = ", tries, flags=re.M | re.S)
        assert named, f"{function} has no tries or no named mistakes"
        arguments = rf"\(\s*{function},\s*{named[1]}_tries,\s*{named[1]}_mistakes,?\s*\)"
        assert re.fullmatch("check" + arguments, check.source.strip()), check.source
        assert check.outputs[0].text.startswith("Not yet: for ")
        fold = lesson.cells[check.i + 1]
        assert fold.heading == (4, "Solution")
        *sentences, solution = lesson.below(fold)
        assert not any(cell.code for cell in sentences), (
            f"more than the solution of {function} lies in its fold: put a heading after it"
        )
        assert solution.solution
        assert re.search(rf"^def {function}_solved\(", solution.source, flags=re.M), "it would answer for the reader"
        assert re.search("^check" + arguments.replace(function, function + "_solved", 1), solution.source, flags=re.M)
        assert solution.outputs[-1].text.startswith("Correct in ")
        later = "\n".join(cell.source for cell in lesson.code if cell.i > solution.i)
        assert not re.search(rf"\b{function}\b", later), f"{function} is used after its exercise"
    numbers = [re.match(r"Exercise (\d)", stub.above[-1][1])[1] for stub in exercises(lesson)]
    assert numbers == [str(i) for i in range(1, len(numbers) + 1)]
    assert sum(cell.solution for cell in lesson.code) == len(numbers)


def test_no_two_exercises_ask_for_a_function_of_the_same_name():
    stubs = [cell.source for lesson in LESSONS.values() for cell in exercises(lesson)]
    names = sorted(re.search(r"def (\w+)", stub)[1] for stub in stubs)
    assert sorted(set(names)) == names


@every_lesson
def test_the_closing_table_has_a_row_for_each_term_that_the_notebook_defines(name):
    table = lessons.closing_table(LESSONS[name])
    assert table[0] == lessons.HEAD or (table[0] == lessons.OLD_HEAD and not LESSONS[name].new)
    assert len(table) > 1
    assert all(len(row) == len(table[0]) and all(row) for row in table[1:]), table


@every_lesson
def test_each_term_of_the_closing_table_is_once_in_bold_where_it_is_defined(name):
    for term, *_ in lessons.closing_table(LESSONS[name])[1:]:
        assert "**" not in term, f"{term} is to be in bold where it is defined, and nowhere else"
        places = lessons.places_of(LESSONS[name], term)
        assert len(places) == 1, f"{term} is {len(places)} times in bold"
        over = {title for cell in places for _, title in (*cell.above, cell.heading or (0, ""))}
        assert not over & {*END[LESSONS[name].new]}, f"{term} is defined at the end"


@every
def test_the_last_cell_names_sources_and_the_next_notebook(name):
    last = LESSONS[name].cells[-1]
    if LESSONS[name].new:
        assert last.heading == (2, "Sources")
        assert re.match(r"\*\*Next:\*\* .*\]\(\w+\.ipynb\)", last.source.splitlines()[-1])
    else:
        assert re.search(r"^\*\*Sources:?\*\*.*^\*\*Next:\*\* .*\]\(\w+\.ipynb", last.source, flags=re.M | re.S)


# --- the standard of a lesson: the newer form keeps it, and the older one is reported ---


def faults_of_sections(lesson):
    titles = [cell.heading[1] for cell in lesson.prose if cell.heading and not cell.folds]
    numbered = [title for title in titles if re.match(r"\d+\. ", title)]
    deeper = [title for title in titles if title.startswith("Deeper: ")]
    if (len(numbered) > 5 and is_lesson(lesson)) or len(deeper) > 2:
        yield f"{len(numbered)} sections and {len(deeper)} deeper ones, at most 5 and 2"
    for title in {title for title in titles if titles.count(title) > 1} - {*lessons.FOLDED}:
        yield f"several headings in sight are called {title}"
    if is_lesson(lesson) and not is_first(lesson):
        asked, answers = lesson.cells[2:4]
        numbers = re.findall(r"^(\d)\. ", asked.source, flags=re.M)
        if asked.heading != (2, START[True]) or answers.heading != (4, "Answers") or not 2 <= len(numbers) <= 3:
            yield "cells 2 and 3 are not two or three numbered questions and their folded answers"


def faults_of_paths(lesson):
    """What a lesson asks for has come before, on each path that leads through it."""
    needs = lesson.cells[0].source.partition("**Needs:**")[2].partition("**Minutes:**")[0]
    asked = [needs, *(cell.source for title in START.values() for cell in lesson.within(title))]
    for needed in re.findall(r"\((\d\d_\w+)\.ipynb", "".join(asked)):
        if needed >= lesson.name and lesson.name not in GUIDES:
            yield f"{needed} comes later"
        elif missing := lesson.paths - LESSONS[needed].paths - {"all"}:
            yield f"{needed} is not on the path {' and '.join(sorted(missing))}"


def faults_of_code(lesson):
    if not lesson.cells[1].hidden:
        yield "the imports are not hidden"
    for cell in lesson.code[1:]:
        nodes = sum(1 for _ in ast.walk(ast.parse(cell.source)))
        if is_seen(cell) and nodes > 100:
            yield f"cell {cell.i} has {nodes} syntax nodes, at most 100"
    tries = re.compile(r"^\w+_(tries|mistakes)\b", re.M)
    counted = [c for c in lesson.code if not c.solution and "Solution" not in c.folds and not tries.search(c.source)]
    hidden = [len(lines(cell)) for cell in counted if cell.hidden]
    share = sum(hidden) / max(1, sum(len(lines(cell)) for cell in counted))
    if share > 0.4 and is_lesson(lesson) and not is_first(lesson):
        yield f"{share:.0%} of the code is hidden, at most 40%"
    if max(hidden, default=0) > 30 and is_lesson(lesson):
        yield f"a hidden cell has {max(hidden)} lines, at most 30"


def faults_of_folds(lesson):
    for cell in lesson.prose:
        if cell.heading and cell.heading[1] in ("Answers", "Answer", "What you find"):
            after = heading_after(lesson, cell.i)
            shut = not after or after.collapsed or after.heading[1].startswith("Exercise")
            if shut or not after.source.partition("\n")[2].strip():
                yield f"no heading with a conclusion under it follows the fold of cell {cell.i}"
        if "**Try" in cell.source and not re.search(r"\*\*Try this:\*\*\n\n(?:\d\. .*\n?){2,4}\s*\Z", cell.source):
            yield f"cell {cell.i} does not end in **Try this:** and two to four numbered tasks"
        if cell.source.count("<details>") != cell.source.count("<details><summary>Hint</summary>"):
            yield f"<details> of cell {cell.i} is no hint: make it a collapsed heading"


def faults_of_exercises(lesson):
    stubs = exercises(lesson)
    least = 1 if is_first(lesson) else 3 if is_lesson(lesson) else 0
    if not least <= len(stubs) <= 4:
        yield f"{len(stubs)} exercises, at least {least} and at most 4"
    for stub in stubs:
        level, title = stub.above[-1]
        text = "\n".join(cell.source for cell in lesson.within(title) if cell.i < stub.i)
        if level != 3 or text.count("<details><summary>Hint</summary>") != 1:
            yield f"{title} is no heading of level 3 with one hint under it"
        fold = next(cell for cell in lesson.cells[stub.i :] if cell.heading == (4, "Solution"))
        if not re.search(r"\w+ \w+", "\n".join(cell.source for cell in (fold, *lesson.below(fold)) if not cell.code)):
            yield f"no sentence introduces the solution of {title}"


def faults_of_the_end(lesson):
    asked = [cell for cell in lesson.within("Can you explain it?") if cell.heading and cell.heading[0] == 4]
    asked = [cell for cell in asked if cell.collapsed]
    if is_lesson(lesson) and not 2 + (not is_first(lesson)) <= len(asked) <= 3:
        yield f"{len(asked)} collapsed questions of an interviewer, not 3"
    for cell in asked:
        answer = "\n".join(part.source for part in (cell, *lesson.below(cell)))
        if "*The interviewer goes on:*" not in answer or not re.search(r"\]\((?:\w+\.ipynb)?#", answer):
            yield f"{cell.heading[1]} has no follow-up or no link to a section"


STANDARD = faults_of_sections, faults_of_paths, faults_of_code, faults_of_folds, faults_of_exercises, faults_of_the_end


def minutes(cells):
    """What a newcomer needs: 160 words or 7 lines a minute, 1 a formula, 3 a picture to move, 5 an exercise."""
    total = 0
    for cell in cells:
        if is_seen(cell):
            exercise = re.search(r"^check\(\s*(?!\w+_solved)\w", cell.source, flags=re.M)
            total += len(lines(cell)) / 7 + 5 * bool(exercise)
        if cell.code:
            total += 3 * bool(lessons.PICTURE.search(cell.source) and cell.outputs)
        elif "Solution" not in cell.folds and cell.heading != (4, "Solution"):
            text = re.sub(r"<details>.*?</details>", "", cell.source, flags=re.S)
            words = re.findall(r"\w[\w'.-]*", re.sub(r"\$[^$]*\$", " ", text))
            total += len(words) / 160 + text.count("$$") // 2
    return total


@every
def test_keeps_the_standard_of_a_lesson(name):
    """The older form is only reported, and so are minutes, which move with each sentence."""
    lesson = LESSONS[name]
    faults = [fault for part in STANDARD for fault in part(lesson)]
    if not lesson.new:
        warnings.warn(f"{name} has the older form: {len(faults)} points to change", stacklevel=1)
        return
    stated, core = re.search(r"\*\*Minutes:\*\* (\d+)(?: \(core (\d+)\))?", lesson.cells[0].source).groups()
    needed = {"": minutes(lesson.cells), "core ": minutes(cell for cell in lesson.cells if not cell.deeper)}
    for part, given, most in (("", stated, 90), ("core ", core or stated, 45)):
        if abs(int(given) - needed[part]) > max(5, 0.15 * needed[part]) or int(given) > most:
            report = f"{name} states {given} {part}minutes, at most {most}; a newcomer needs {needed[part]:.0f}"
            warnings.warn(report, stacklevel=1)
    assert not faults, "\n".join(faults)


# --- links ---


@every
def test_links_lead_to_notebooks_pages_and_headings_that_exist(name):
    for cell in prose_cells(name):
        for target in lessons.links(cell.source):
            broken = lessons.broken(target, name)
            assert not broken, f"{target}: {broken}"


@every
def test_leads_to_the_glossary(name):
    assert any("glossary.md" in target for cell in LESSONS[name].prose for target in lessons.links(cell.source))


# --- a form, and the page made of it ---

# the forms that are filled in, of which pages are made; one for practice is only run
PAGES = [name for name in FORMS if any("parameters" in c.metadata.get("tags", []) for c in NOTEBOOKS[name].cells)]
every_form = pytest.mark.parametrize("name", PAGES)


def on_page(name):
    return [
        cell
        for cell in LESSONS[name].cells
        if "notebook-only" not in NOTEBOOKS[name].cells[cell.i].metadata.get("tags", [])
    ]


@every_form
def test_a_form_has_one_cell_to_fill_in_with_nothing_but_none(name):
    (given,) = [cell.source for cell in NOTEBOOKS[name].cells if "parameters" in cell.metadata.get("tags", [])]
    assert given.startswith("FILE = None  # ")
    assert all(re.fullmatch(r"[A-Z_]+ = None  # \S.*", line) for line in given.splitlines()), given


@every_form
def test_what_is_for_lab_alone_stays_off_the_page(name):
    """No explorer, task, exercise or link to another notebook; no cell that needs one that is left out."""
    text = "\n".join(cell.source for cell in on_page(name))
    assert not lessons.PICTURE.search(text)
    assert not re.search(r"\*\*(Try|First|Before|Next)|check\(|^####|\.ipynb|Exercise", text, flags=re.M)


@every_form
def test_the_page_shows_no_name_of_a_class_or_an_address(name):
    for cell in on_page(name):
        for output in cell.outputs:
            assert set(output.get("data", {})) & {"text/markdown", "image/png"}, cell.source
