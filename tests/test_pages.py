"""The pages that are made from the notebooks are up to date, their links lead somewhere, and the sheet is right."""

import re
from collections import Counter
from functools import cache

import lessons
import make_pages
import nbformat
import numpy as np
import pytest
from sklearn import metrics

MADE = [lessons.NOTEBOOKS / f"{name}.md" for name in ("glossary", "index", "answers", "cards", "cards_key", "map")]
SHEET = lessons.NOTEBOOKS / "sheet.md"
made = cache(make_pages.made)


@cache
def read():
    return [lessons.read(path) for path in lessons.paths()]


@pytest.mark.parametrize("path", [*MADE, make_pages.README], ids=lambda path: path.name)
def test_a_page_is_up_to_date(path):
    assert path.read_text(encoding="utf-8") == made()[path], "run python tests/tools/make_pages.py"


@pytest.mark.parametrize("path", MADE, ids=lambda path: path.name)
def test_no_link_of_a_page_is_broken(path):
    targets = lessons.links(path.read_text(encoding="utf-8"))
    assert {target: fault for target in targets if (fault := lessons.broken(target, path.stem))} == {}


def test_the_sheet_fits_on_a_page():
    lines = SHEET.read_text(encoding="utf-8").splitlines()
    assert len(lines) < 60
    assert max(map(len, lines)) < 160


def test_the_formulas_of_the_sheet_are_those_of_the_library():
    formulas = dict(re.findall(r"^\| ([\w -]+) \| `(.+?)` \|", SHEET.read_text(encoding="utf-8"), flags=re.M))
    given = {"tp": 7, "fp": 3, "fn": 2, "tn": 11, "beta": 1.7, "miss_cost": 5.0, "alarm_cost": 0.3}
    truth, flagged = np.repeat([1, 0, 1, 0], [7, 3, 2, 11]), np.repeat([1, 1, 0, 0], [7, 3, 2, 11])
    expected = {
        "precision": metrics.precision_score(truth, flagged),
        "recall": metrics.recall_score(truth, flagged),
        "specificity": metrics.recall_score(truth, flagged, pos_label=0),
        "false positive rate": 1 - metrics.recall_score(truth, flagged, pos_label=0),
        "negative predictive value": metrics.precision_score(truth, flagged, pos_label=0),
        "accuracy": metrics.accuracy_score(truth, flagged),
        "balanced accuracy": metrics.balanced_accuracy_score(truth, flagged),
        "F1": metrics.f1_score(truth, flagged),
        "F-beta": metrics.fbeta_score(truth, flagged, beta=1.7),
        "Matthews correlation": metrics.matthews_corrcoef(truth, flagged),
        "total cost": 2 * 5.0 + 3 * 0.3,
    }
    assert {name: eval(formula, {}, given) for name, formula in formulas.items()} == pytest.approx(expected)


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
    notebook, page = nbformat.read(path, as_version=4), made()[lessons.NOTEBOOKS / "answers.md"]
    part = next((part for part in page.split("\n## ") if part.startswith(f"{path.stem}\n")), "")
    entries = [entry.splitlines() for entry in part.split("\n**[")[1:]]
    asking, fold_of = lessons.TASKS, "#### What you find"
    if path.stem in ("00_start_here", "12_class_size"):  # which a class opens, and which have no tasks
        asking, fold_of = make_pages.GUESS, "#### Answer"
    places = [i for i, cell in enumerate(notebook.cells) if asking.search(cell.source)]
    assert len(entries) == len(places)
    for place, entry in zip(places, entries, strict=True):
        asked = asking.split(notebook.cells[place].source)[1].strip().splitlines()
        assert {*asked} - {""} <= {*entry}
        fold = next(i for i in range(place, len(notebook.cells)) if notebook.cells[i].source == fold_of)
        printed = [*lines_below(notebook, fold)]
        assert [line for line in entry if line in printed] == printed != []


def test_each_card_has_four_answers_one_of_them_right_and_the_key_says_which_by_computing_it():
    cards, key = (made()[lessons.NOTEBOOKS / f"{name}.md"] for name in ("cards", "cards_key"))
    letters = {}
    for card in make_pages.deck_of(read()):
        assert [*card.options] == [*card.reasons] == [*"ABCD"]
        assert all(card.options.values())
        assert f"## Card {card.number}\n\n{card.question}\n" in cards
        (right,) = [letter for letter, reason in card.reasons.items() if re.match(r"right\b", reason)]
        (printed,) = [line[0] for line in card.printed if re.match("[A-D]: ", line)]
        letters[card.number] = printed
        assert printed == right
        assert f"{right}: " in key.partition(f"[Card {card.number}]")[2].partition("\n")[0]
        for letter in "ABCD":
            assert f"| {letter} | {card.options[letter]} |" in cards
            assert f"| {letter} | {card.reasons[letter]} |" in key
            assert card.reasons[letter] not in cards
    assert [*letters] == [str(number) for number in range(1, 14)]
    assert len({*letters.values()}) == 4  # no letter is a safe one


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
    text = "before\n\n| notebook | minutes |\n|---|---|\n| [01](01.ipynb) | 5 |\n\nThere are three paths. One.\n\nafter"
    assert make_pages.with_table(text, "made") == "before\n\nmade\n\nafter"
    for wrong in ("no table", text + "\n\n" + text):
        with pytest.raises(SystemExit):
            make_pages.with_table(wrong, "made")
