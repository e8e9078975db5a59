"""Rules for notebooks as files: what a reader would stumble over, and what would disarm their own tests."""

import base64
import io
import re
from pathlib import Path

import nbformat
import pytest
from PIL import Image
from refresh_outputs import METADATA, WIDGET_VIEW, freeze

ROOT = Path(__file__).resolve().parent.parent
PATHS = sorted((ROOT / "notebooks").glob("*.ipynb"))
NOTEBOOKS = {path.stem: nbformat.read(path, as_version=4) for path in PATHS}
NUMBER = r"(?<![\w.])\d*\.\d+(?![\w.]*\w)"

pytestmark = pytest.mark.parametrize("name", NOTEBOOKS)


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


def words(cell):
    """Words to be read at once: no code, no formulas, no tables, nothing folded."""
    read = re.sub(r"```.*?```|<details>.*?</details>|<[^>]+>|\$\$.*?\$\$", "", cell.source, flags=re.S)
    return len(re.sub(r"^\|.*$", "", read, flags=re.M).split())


def test_is_a_valid_notebook(name):
    nbformat.validate(NOTEBOOKS[name])


def test_every_code_cell_ran_in_order_since_nbval_compares_no_other(name):
    assert [cell.execution_count for cell in code_cells(name)] == list(range(1, len(code_cells(name)) + 1))


def test_is_frozen_so_that_no_dead_widget_shows_where_no_kernel_runs(name):
    assert NOTEBOOKS[name].metadata == METADATA
    assert not any(WIDGET_VIEW in output.get("data", {}) for output in outputs(name))
    again = freeze(nbformat.from_dict(NOTEBOOKS[name]))
    assert again == NOTEBOOKS[name]


def test_shows_no_error_and_no_warning(name):
    assert not [output for output in outputs(name) if output.output_type == "error" or output.get("name") == "stderr"]


def test_switches_no_comparison_off(name):
    for cell in NOTEBOOKS[name].cells:
        assert set(cell.metadata.get("tags", [])) <= {"solution"}
        assert "nbval" not in cell.source.lower()


def test_every_picture_has_a_sentence_for_those_who_cannot_see_it(name):
    for output in outputs(name):
        if "image/png" in output.get("data", {}):
            assert len(output.metadata.get("image/png", {}).get("alt", "")) > 20
            picture = Image.open(io.BytesIO(base64.b64decode(output.data["image/png"])))
            assert picture.width <= 1000


def test_first_cell_says_question_gain_needs_and_minutes(name):
    first = NOTEBOOKS[name].cells[0].source
    assert re.match(
        r"# \S.*\n\n\*\*Question:\*\* .*\?\n\nYou will\n\n?(- .*\n(?:  .*\n)*){3}\n"
        r"\*\*Needs:\*\* .*\*\*Minutes:\*\* \d+$",
        first,
    ), first


def test_second_cell_is_the_only_one_that_imports_at_the_top_of_a_line(name):
    importing = [cell for cell in code_cells(name) if re.search(r"^(import|from) ", cell.source, flags=re.M)]
    assert importing == [NOTEBOOKS[name].cells[1]]


def test_installs_and_downloads_nothing(name):
    for cell in code_cells(name):
        unwanted = r"^\s*[%!]|pip install|urllib|requests|sys\.path|Styler|(?<!plt)(?<!evalteach)\.style\b"
        assert not re.search(unwanted, cell.source, flags=re.M)


def test_figures_are_drawn_with_matplotlib_as_readers_will_draw_theirs(name):
    renamed = r"plots\.(line|label|unit_axes|band|set_band|upright|dot|shade|write)\("
    for cell in code_cells(name):
        assert not re.search(renamed, cell.source), cell.source
    if any("plt.subplots(" in cell.source for cell in code_cells(name)):
        assert 'plt.style.use("evalteach.style")' in NOTEBOOKS[name].cells[1].source


def test_code_cells_are_short(name):
    lengths = sorted(len(cell.source.strip().splitlines()) for cell in code_cells(name)[1:])
    assert lengths[-1] <= 15
    assert lengths[len(lengths) // 2] <= 7


def test_prose_cells_are_short(name):
    assert max(words(cell) for cell in prose_cells(name)) <= 125


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


def test_exercises_have_a_stub_a_check_that_is_unanswered_and_a_hidden_solution_that_is_right(name):
    cells = code_cells(name)
    stubs = [i for i, cell in enumerate(cells) if "# your line here" in cell.source]
    assert stubs
    for i in stubs:
        stub, tried, solution = cells[i : i + 3]
        function = re.match(r"def (\w+)\(", stub.source)[1]
        assert re.search(rf"check\(\s*{function},", tried.source)
        assert tried.outputs[0].text.startswith("not yet: for ")
        assert re.search(rf"^def {function}_solved\(", solution.source, flags=re.M), "it would answer for the reader"
        assert solution.metadata.get("tags") == ["solution"]
        assert solution.metadata["jupyter"] == {"source_hidden": True}
        assert solution.outputs[-1].text.startswith("correct: tried ")
        later = "\n".join(cell.source for cell in cells[i + 3 :])
        assert not re.search(rf"\b{function}\b", later), f"{function} is used after its exercise"
    assert sum("solution" in cell.metadata.get("tags", []) for cell in cells) == len(stubs)


def test_exercises_name_likely_mistakes(name):
    cells = code_cells(name)
    tried = [cells[i + 1].source for i, cell in enumerate(cells) if "# your line here" in cell.source]
    assert all("lambda" in source or "mistakes" in source for source in tried)


def test_ends_with_three_interview_questions_and_a_table(name):
    text = "\n".join(cell.source for cell in prose_cells(name))
    assert sum(cell.source.count("<details><summary>") for cell in prose_cells(name)[-2:]) >= 3
    assert re.search(r"^\| (metric )?\| range \| better when \| blind to \| use when \|$", text, flags=re.M)


def test_links_to_notebooks_lead_somewhere(name):
    for cell in prose_cells(name):
        for target in re.findall(r"\]\((\w+\.ipynb)\)", cell.source):
            assert Path(target).stem in NOTEBOOKS


def test_readme_and_map_list_it_with_its_question_and_minutes(name):
    question = re.search(r"\*\*Question:\*\* (.*)", NOTEBOOKS[name].cells[0].source)[1]
    minutes = re.search(r"\*\*Minutes:\*\* (\d+)", NOTEBOOKS[name].cells[0].source)[1]
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"| [{name}](notebooks/{name}.ipynb) | {question} | {minutes} |" in readme
    if not name.startswith("00"):
        assert re.search(
            rf"\| \[{name}\]\({name}\.ipynb\) \| .*\? \| {minutes} \|",
            "\n".join(cell.source for cell in prose_cells("00_start_here")),
        )


def test_names_no_place_on_a_machine(name):
    text = (ROOT / "notebooks" / f"{name}.ipynb").read_text(encoding="utf-8")
    assert not re.search(r"/(home|work|tmp|root|Users)/|site-packages|0x[0-9a-f]{6,}", text)
