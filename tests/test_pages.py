"""The pages that are made from the notebooks are up to date, and their links lead somewhere."""

import re
from collections import Counter
from functools import cache

import lessons
import make_pages
import nbformat
import pytest

PAGES = [lessons.NOTEBOOKS / f"{name}.md" for name in ("glossary", "index", "sheet", "answers", "cards")]
made = cache(make_pages.made)


@cache
def read():
    return [lessons.read(path) for path in lessons.paths()]


@pytest.mark.parametrize("path", [*PAGES, make_pages.ROOT / "README.md"], ids=lambda path: path.name)
def test_a_page_is_up_to_date(path):
    assert path.read_text(encoding="utf-8") == made()[0][path], "run python tests/tools/make_pages.py"


def test_the_map_is_up_to_date():
    assert nbformat.read(make_pages.START, as_version=4) == made()[1], "run python tests/tools/make_pages.py"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_no_link_of_a_page_is_broken(path):
    targets = lessons.links(made()[0][path])
    assert {target: fault for target in targets if (fault := lessons.broken(target, path.stem))} == {}


def test_the_sheet_fits_on_a_page():
    text = made()[0][lessons.NOTEBOOKS / "sheet.md"]
    assert len(text.splitlines()) < 60
    assert max(map(len, text.splitlines())) < 200
    assert [term for term, row in make_pages.on_sheet(read()) if not row] == []


def lines_below(notebook, place):
    """What the cells of a fold print, line by line, read from the file as it is."""
    for cell in notebook.cells[place + 1 :]:
        if cell.cell_type == "markdown" and cell.source.startswith("#"):
            break
        for output in cell.get("outputs", []):
            text = output.get("text") or output.get("data", {}).get("text/plain", "")
            yield from [] if text.startswith("<") else filter(str.strip, text.splitlines())


@pytest.mark.parametrize("path", lessons.paths(), ids=lambda path: path.stem)
def test_every_list_of_tasks_has_its_key_and_the_key_is_what_the_cells_print(path):
    notebook, page = nbformat.read(path, as_version=4), made()[0][lessons.NOTEBOOKS / "answers.md"]
    part = next((part for part in page.split("\n## ") if part.startswith(f"{path.stem}\n")), "")
    entries = [entry.splitlines() for entry in part.split("\n**[")[1:]]
    places = [i for i, cell in enumerate(notebook.cells) if lessons.TASKS.search(cell.source)]
    assert len(entries) == len(places)
    for place, entry in zip(places, entries, strict=True):
        asked = lessons.TASKS.split(notebook.cells[place].source)[1].strip().splitlines()
        assert {*asked} - {""} <= {*entry}
        fold = next(i for i in range(place, len(notebook.cells)) if notebook.cells[i].source == "#### What you find")
        printed = [*lines_below(notebook, fold)]
        assert [line for line in entry if line in printed] == printed != []


def test_each_card_has_four_answers_one_of_them_right_and_the_key_says_which_by_computing_it():
    guide = next(lesson for lesson in read() if lesson.name == "93_teaching")
    page = made()[0][lessons.NOTEBOOKS / "cards.md"]
    letters = {}
    for cell in guide.prose:
        if cell.heading and cell.heading[1].startswith("Card "):
            assert re.findall(r"^- (\w): \S", cell.source, flags=re.M) == [*"ABCD"]
            assert cell.source in page.replace(f"### {cell.heading[1]}\n\n", f"### {cell.heading[1]}\n\n**Guess:** ")
            computing, why = guide.below(guide.cells[cell.i + 1])
            (right,) = re.findall(r"^- (\w): right$", why.source, flags=re.M)
            (printed,) = re.findall(r"^([A-D]): ", computing.outputs[0].text, flags=re.M)
            letters[cell.heading[1]] = printed
            assert printed == right
            assert re.search(rf"\| \[{cell.heading[1][5:]}\]\(\S+\) \|.*\b{right}: ", page)
    assert len(letters) == 10
    assert len({*letters.values()}) == 4  # no letter is a safe one
    assert "Guess" not in page


def test_no_term_is_defined_in_two_notebooks():
    defined = Counter(
        row[0].lower()
        for lesson in read()
        if not lesson.name.startswith("00")
        for row in lessons.closing_table(lesson)[1:]
    )
    assert [term for term, times in defined.items() if times > 1] == []


@pytest.mark.parametrize(
    ("told", "names"),
    [
        ("PPV", ["PPV"]),
        ("sensitivity, true positive rate (TPR)", ["sensitivity", "true positive rate", "TPR"]),
        ("-", []),
        ("PR-AUC; hit rate", ["PR-AUC", "hit rate"]),
    ],
)
def test_others_names_are_taken_one_by_one(told, names):
    assert make_pages.called(told) == names


@pytest.mark.parametrize(
    ("formula", "used"),
    [
        (r"R = \frac{\mathit{tp}}{n_+}", {"tp", "R", "n_+"}),
        (r"\text{precision} = \frac{R}{R + r F}", {"precision", "R", "r", "F"}),
        (r"\frac{N R}{k} \le \operatorname{min}(1, c_f)", {"N", "R", "k", "c_f"}),
        (r"\pi = 1 / (1 + r), s \ge t", {"pi", "r", "s", "t"}),
        (r"\sum_i p_i \log q_i + n", {"p", "q", "n"}),
        (r"c_m \cdot \sum_s p_{k}", {"c_m", "p"}),
        (r"F_1 + F_\beta + F_{\beta} + n_{-}", {"n_-", r"\beta"}),
    ],
)
def test_symbols_of_a_formula_are_found_and_letters_of_words_are_not(formula, used):
    short = {
        r"\mathit{tp}, \mathit{fp}, \mathit{fn}, \mathit{tn}": "tp",
        r"\text{precision}": "precision",
        r"\pi": "pi",
    }
    symbols = [symbol for symbol, *_ in make_pages.SYMBOLS]
    found = {short.get(symbol, symbol) for symbol in symbols if make_pages.symbol_stands_in(symbol, formula)}
    assert found == used


def test_two_tables_of_notebooks_or_none_are_refused():
    text = (
        "before\n\n| notebook | minutes |\n|---|---|\n| [01](01.ipynb) | 5 |\n\nThree ways through: on foot.\n\nafter"
    )
    assert make_pages.with_table(text, "made") == "before\n\nmade\n\nafter"
    for wrong in ("no table", text + "\n\n" + text):
        with pytest.raises(SystemExit):
            make_pages.with_table(wrong, "made")
