"""Rules for notebooks as files: what a reader would stumble over, and what would disarm their own tests."""

import ast
import base64
import io
import re
import statistics
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
all_but_guides = pytest.mark.parametrize("name", [name for name in NOTEBOOKS if name not in GUIDES])


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


# --- what a lesson costs its reader ---

EXPLORER = r"\b(\w*Explorer|ReviewLog|InterviewRound)\("


def is_explorer(cell):
    """Whether the reader meets an explorer here, and not one whose numbers answer a task."""
    return bool(re.search(EXPLORER, cell.source) and cell.outputs) and "What you find" not in cell.folds


def is_seen(cell):
    """Whether a cell of code is to be read: drawings, tries and solutions have their source folded."""
    return cell.code and not cell.hidden and "Solution" not in cell.folds


def lines(cell):
    return [line for line in cell.source.splitlines() if line.strip() and not line.lstrip().startswith("#")]


def seen_lines(lesson):
    """Lines of each cell of code that is to be read, without the cell of imports."""
    return [len(lines(cell)) for cell in lesson.code[1:] if is_seen(cell) and lines(cell)]


def unfolded(cell):
    return re.sub(r"<details>.*?</details>", "", cell.source, flags=re.S)


def count(text):
    """Words without inline formulas."""
    return len(re.findall(r"\w[\w'.-]*", re.sub(r"\$[^$]*\$", " ", text)))


def words(cell):
    """Words of prose, without what <details> folds; a solution is not counted."""
    if cell.code or "Solution" in cell.folds or cell.heading == (4, "Solution"):
        return 0
    return count(unfolded(cell))


def minutes(cells):
    """A minute for 200 words, 12 lines of code and each displayed formula, 3 for an explorer, 4 for an exercise."""
    total = 0
    for cell in cells:
        if is_seen(cell):
            exercise = re.search(r"^check\(\s*(?!\w+_solved)\w", cell.source, flags=re.M)
            total += len(lines(cell)) / 12 + 4 * bool(exercise)
        if cell.code:
            total += 3 * bool(re.search(EXPLORER, cell.source) and cell.outputs)
        else:
            total += words(cell) / 200 + unfolded(cell).count("$$") // 2
    return total


@every
def test_stated_minutes_are_those_of_the_formula_rounded_up_to_five(name):
    lesson = LESSONS[name]
    stated, core = map(int, re.search(r"\*\*Minutes:\*\* (\d+) \(core (\d+)\)", lesson.cells[0].source).groups())
    costs = minutes(lesson.cells), minutes(cell for cell in lesson.cells if not cell.deeper)
    for said, cost, most in zip((stated, core), costs, (45, 30), strict=True):
        assert said % 5 == 0
        assert cost <= most, f"{cost:.1f} minutes, at most {most}"
        assert 0 <= said - cost < 5 or abs(said - cost) <= 0.1 * cost, f"{said} minutes are stated, it takes {cost:.1f}"
    assert stated <= 45
    assert core <= 30


@every
def test_code_cells_are_short(name):
    assert statistics.median(seen_lines(LESSONS[name])) <= 4
    assert max(seen_lines(LESSONS[name])) <= 12


@every
def test_code_is_narrow(name):
    seen = [cell for cell in LESSONS[name].code if is_seen(cell) or cell.solution]
    wide = [line for cell in seen for line in cell.source.splitlines() if len(line) > 88]
    assert not wide


@every
def test_a_line_of_code_does_one_thing(name):
    seen = [cell for cell in LESSONS[name].code if is_seen(cell)]
    nodes = sum(1 for cell in seen for _ in ast.walk(ast.parse(cell.source)))
    assert nodes / sum(len(lines(cell)) for cell in seen) <= 10


@all_but_guides
def test_code_is_told_of_in_ten_to_thirty_words_a_line(name):
    lesson = LESSONS[name]
    told = sum(words(cell) for cell in lesson.prose)
    assert 10 <= told / sum(len(lines(cell)) for cell in lesson.code if is_seen(cell)) <= 30


@every
def test_prose_cells_are_short(name):
    for cell in LESSONS[name].prose:
        read = re.sub(r"\]\([^)]*\)|^\|.*$|\$\$.*?\$\$", " ", unfolded(cell), flags=re.M)
        assert count(read) <= 100, read


@all_but_guides
def test_the_first_explorer_comes_within_400_words(name):
    lesson = LESSONS[name]
    first = next(cell for cell in lesson.code if is_explorer(cell))
    assert sum(words(cell) for cell in lesson.cells[: first.i]) <= 400


# --- how a lesson is built ---

LAST = ["To take away", "Say it, compute it, find the bug"]


@every
def test_first_cell_says_how_to_run_question_gain_needs_and_minutes(name):
    first = LESSONS[name].cells[0].source
    assert re.fullmatch(
        r"# \S.*\n\n\*\*First:\*\* \*Run > Run All Cells\*.* then scroll back up to here\.\n\n"
        r"\*\*Question:\*\* .*\?\n\nYou will\n\n(- .*\n(?:  .*\n)*){3}\n"
        r"\*\*Needs:\*\* .*\*\*Minutes:\*\* \d+ \(core \d+\)",
        first,
    ), first


@every
def test_a_heading_begins_its_cell_since_a_fold_ends_at_cells(name):
    for cell in LESSONS[name].prose:
        headings = re.findall(r"^#{1,6} .*", re.sub(r"```.*?```", "", cell.source, flags=re.S), flags=re.M)
        assert len(headings) <= 1, f"split the cell before {headings[1]}"
        assert not headings or cell.heading, f"split the cell before {headings[0]}"


@every
def test_sections_are_numbered_then_come_the_deeper_ones_then_the_end(name):
    titles = [cell.heading[1] for cell in LESSONS[name].prose if cell.heading and cell.heading[0] == 2]
    start, end = ([] if name.startswith("00") else ["Before you go on"]), LAST
    if name in FORMS:
        start, end = ["Your file"] if name in PAGES else [], ["Where to go on"]
    if name in GUIDES:
        start, end = [], ["Where to go on"]
    numbered = [title for title in titles if re.match(r"\d+\. \S", title)]
    deeper = [title for title in titles if re.match(r"Deeper: \S", title)]
    assert titles == [*start, *numbered, *deeper, *end]
    assert [title.split(".")[0] for title in numbered] == [str(i) for i in range(1, len(numbered) + 1)]
    assert len(deeper) <= 3


@every
def test_what_is_folded_holds_an_answer_and_nothing_of_the_lesson(name):
    """A fold reaches to the next heading of its level or above, and what stands before that is not seen."""
    lesson = LESSONS[name]
    for cell in lesson.prose:
        foldable = cell.heading and (cell.heading[1] in lessons.FOLDED or cell.heading[1].startswith("Deeper: "))
        assert cell.collapsed == bool(foldable), f"{cell.source[:60]} is {'' if cell.collapsed else 'not '}collapsed"
        if foldable:
            assert cell.heading[0] == (4 if cell.heading[1] in lessons.FOLDED else 2), cell.source[:60]
    for cell in lesson.cells:
        inside = next((title for title in cell.folds if title in lessons.FOLDED), None)
        if inside:
            assert not cell.heading, f"{cell.source[:60]} lies in a fold of {inside}: make it a heading of level 3"
            asks = re.search(r"\*\*(Guess|Try):?\*\*", cell.source) or lessons.is_stub(cell.source)
            assert not asks, f"{cell.source[:60]} lies in a fold of {inside}: put a heading before it"
    most = {"Answers": 6, "Answer": 4, "What you find": 8, "Solution": 1}
    for cell in lesson.prose:
        if cell.heading and cell.heading[1] in lessons.FOLDED:
            below = lesson.below(cell)
            assert any(c.code and c.outputs for c in below), f"nothing computes the {cell.heading[1]} of cell {cell.i}"
            assert len(below) <= most[cell.heading[1]], f"{len(below)} cells lie in the fold of cell {cell.i}"


def next_heading(lesson, cell):
    return next((later for later in lesson.cells[cell.i + 1 :] if later.heading), None)


@every_lesson
def test_asks_three_questions_on_earlier_notebooks_before_it_goes_on(name):
    if name.startswith("00"):
        pytest.skip("nothing is earlier")
    asked, answers = LESSONS[name].cells[2:4]
    assert asked.heading == (2, "Before you go on")
    assert re.findall(r"^(\d)\. ", asked.source, flags=re.M) == ["1", "2", "3"]
    assert answers.heading == (4, "Answers")
    assert 1 <= sum(cell.code for cell in LESSONS[name].below(answers)) <= 3


@every
def test_a_guess_is_followed_by_its_folded_answer(name):
    lesson = LESSONS[name]
    guesses = [cell for cell in lesson.prose if "**Guess" in cell.source]
    least = 0 if name in FORMS else 1 if name.startswith("00") else 3
    assert least <= len(guesses) <= (10 if name in GUIDES else 8)
    for guess in guesses:
        assert "**Guess:** " in guess.source
        assert lesson.cells[guess.i + 1].heading == (4, "Answer"), f"no folded answer comes next to {guess.source}"
    assert sum(cell.heading == (4, "Answer") for cell in lesson.prose) == len(guesses)


@every
def test_an_explorer_comes_with_tasks_and_their_folded_computed_answers(name):
    lesson = LESSONS[name]
    for cell in lesson.code:
        if is_explorer(cell):
            above = next(before for before in lesson.cells[cell.i :: -1] if not before.code)
            assert "**Try:**" in above.source, f"no tasks stand above {cell.source}"
            assert next_heading(lesson, cell).i == cell.i + 1, f"no answers follow {cell.source}"
    for cell in lesson.prose:
        if "**Try:**" in cell.source:
            tasks = cell.source.partition("**Try:**")[2]
            assert 2 <= len(re.findall(r"^(?:-|\*|\d\.) ", tasks, flags=re.M)) <= 4
            assert next_heading(lesson, cell).heading == (4, "What you find"), f"no answers to {tasks}"


# --- exercises ---


@all_but_guides
def test_an_exercise_is_stub_tries_check_and_a_folded_solution(name):
    """Heading, stub, hidden tries, check, ``#### Solution`` saved collapsed, solution, with nothing between."""
    lesson = LESSONS[name]
    stubs = [cell for cell in lesson.code if lessons.is_stub(cell.source)]
    assert stubs or (name in FORMS and name not in PAGES), "only where one practises otherwise"
    for stub in stubs:
        function = re.match(r"def (\w+)\(", stub.source)[1]
        asked = re.fullmatch(r"Exercise \d+ \((compute|predict|repair|decide)\): \S.*", stub.above[-1][1])
        assert asked, f"{function} stands under {stub.above[-1]}"
        assert sum(stub.source.count(mark) for mark in lessons.STUBS) == 1
        assert ("# mend this line" in stub.source) == (asked[1] == "repair")
        tries, check, fold, solution = lesson.cells[stub.i + 1 : stub.i + 5]
        assert tries.hidden, f"the tries of {function} are not folded"
        named = re.search(r"^(\w+)_tries = .*^\1_mistakes = ", tries.source, flags=re.M | re.S)
        assert named, f"{function} has no tries or no named mistakes"
        arguments = rf"\(\s*{function},\s*{named[1]}_tries,\s*{named[1]}_mistakes,?\s*\)"
        assert re.fullmatch("check" + arguments, check.source.strip()), check.source
        assert not check.hidden
        assert check.outputs[0].text.startswith("Not yet: for ")
        assert (fold.heading, fold.collapsed) == ((4, "Solution"), True)
        assert solution.solution
        assert solution.hidden
        assert re.search(rf"^def {function}_solved\(", solution.source, flags=re.M), "it would answer for the reader"
        assert re.search("^check" + arguments.replace(function, function + "_solved", 1), solution.source, flags=re.M)
        assert solution.outputs[-1].text.startswith("Correct in ")
        later = "\n".join(cell.source for cell in lesson.code if cell.i > solution.i)
        assert not re.search(rf"\b{function}\b", later), f"{function} is used after its exercise"
    assert sum(cell.solution for cell in lesson.code) == len(stubs)


@all_but_guides
def test_has_three_to_five_exercises_and_the_first_within_a_third_of_the_words(name):
    lesson = LESSONS[name]
    stubs = [cell for cell in lesson.code if lessons.is_stub(cell.source)]
    assert (2 * (name in PAGES) if name in FORMS else 1 if name.startswith("00") else 3) <= len(stubs) <= 5
    numbers = [re.match(r"Exercise (\d)", stub.above[-1][1])[1] for stub in stubs]
    assert numbers == [str(i) for i in range(1, len(stubs) + 1)]
    before = sum(words(cell) for cell in lesson.cells[: stubs[0].i]) if stubs else 0
    assert name in FORMS or before <= sum(words(cell) for cell in lesson.prose) / 3


def test_no_two_exercises_ask_for_a_function_of_the_same_name():
    named = [
        re.search(r"def (\w+)", cell.source)[1]
        for lesson in LESSONS.values()
        for cell in lesson.code
        if lessons.is_stub(cell.source)
    ]
    assert sorted(set(named)) == sorted(named)


# --- the end ---


@every_lesson
def test_the_closing_table_has_a_row_for_each_term_that_the_notebook_defines(name):
    table = lessons.closing_table(LESSONS[name])
    assert table[0] == ["", "formula", "range", "better when", "blind to", "use when", "others call it"]
    assert len(table) > 1
    assert all(len(row) == 7 and all(row) for row in table[1:]), table


@every_lesson
def test_each_term_of_the_closing_table_stands_once_in_bold_where_it_is_defined(name):
    for term, *_ in lessons.closing_table(LESSONS[name])[1:]:
        places = lessons.places_of(LESSONS[name], term)
        assert len(places) == 1, f"{term} stands {len(places)} times in bold"
        assert not {cell.heading or cell.above[-1] for cell in places} & {(2, title) for title in LAST}


@every_lesson
def test_ends_with_one_question_to_say_one_to_compute_and_one_to_debug_or_design(name):
    text = "\n\n".join(cell.source for cell in LESSONS[name].within(LAST[1]))
    form = r"<details><summary><b>(\w+):</b> \S.*?</summary>\n\n(.*?)\n\n</details>"
    blocks = re.findall(form, text, flags=re.S)
    assert text.count("<details>") == len(blocks) == 3, "a block is not built as the others"
    assert [kind for kind, _ in blocks][:2] == ["Say", "Compute"]
    assert blocks[2][0] in ("Debug", "Design")
    for kind, answer in blocks:
        assert re.search(r"^Tick:\n+(?:[-*] .*\n(?:  .*\n)*\n?){3}(?![-*] )", answer + "\n", flags=re.M), (
            f"{kind} has no three points to tick"
        )
        assert re.search(r"^\*Follow-up:\* .*\? \S", answer, flags=re.M), f"{kind} has no follow-up with its answer"
        assert re.search(r"\]\((?:\w+\.ipynb)?#", answer), f"{kind} has no link to a section"


@every
def test_the_last_cell_names_sources_and_the_next_notebook(name):
    last = LESSONS[name].cells[-1].source
    assert re.search(r"^\*\*Sources:?\*\*.*^\*\*Next:\*\* .*\]\(\w+\.ipynb", last, flags=re.M | re.S)


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
    assert not re.search(EXPLORER, text)
    assert not re.search(r"\*\*(Try|First|Next):|check\(|^####|\.ipynb|Exercise", text, flags=re.M)


@every_form
def test_the_page_shows_no_name_of_a_class_or_an_address(name):
    for cell in on_page(name):
        for output in cell.outputs:
            assert set(output.get("data", {})) & {"text/markdown", "image/png"}, cell.source
