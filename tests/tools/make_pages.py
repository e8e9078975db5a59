"""Makes from the notebooks what is said twice: glossary, index, answers, cards with their key, and the tables in README
and the map.

    python tests/tools/make_pages.py

Terms come from the closing tables, questions from first cells and headings, first uses from the code.
Sections are named in links as JupyterLab names them. It goes there in a notebook that is open, and opens others at
their top, as GitHub does always.
"""

import ast
import itertools
import re
from collections import defaultdict
from pathlib import Path
from types import SimpleNamespace

import lessons
from lessons import FOLDED, NOTEBOOKS, anchor

import evalteach
from evalteach.command import catalogue

ROOT = Path(__file__).resolve().parents[2]
MAP = NOTEBOOKS / "map.md"
README = ROOT / "README.md"
SYMBOLS = [  # as written in formulas, what it means, what code calls it
    (
        r"\mathit{tp}, \mathit{fp}, \mathit{fn}, \mathit{tn}",
        "true and false alarms, missed positives, the rest",
        "`tp`, `fp`, `fn`, `tn`",
    ),
    ("n_+", "positives of the test set", "`positives`"),
    ("n_-", "negatives of the test set", "`negatives`"),
    ("s", "score of a row", "`y_score`"),
    ("t", "threshold: a row is flagged when its score is at or above it", "`threshold`"),
    ("R", "recall, the true positive rate: share of the positives that is flagged", "`recall`"),
    ("F", "false positive rate: share of the negatives that is flagged", "`false_positive_rate`"),
    (r"\text{precision}", "share of the flagged rows that is positive; never $P$", "`precision`"),
    ("r", "class ratio: negatives for each positive", "`ratio`"),
    (r"\pi", r"share of positives, $1 / (1 + r)$", "`prevalence`"),
    ("n", "rows", "`n`"),
    ("k", "rows flagged", "`k`"),
    ("N", "class size: positives among the unlabeled rows", "`class_size`"),
    ("m", "positives of the test set where no test negatives are at hand", "`m`"),
    ("p", "a probability that is true", "`p`"),
    ("q", "a probability that is stated", "`q`"),
    (r"\beta", r"weight of recall in $F_\beta$", "`beta`"),
    ("c_f", "cost of a false alarm", "`alarm_cost`"),
    ("c_m", "cost of a miss", "`miss_cost`"),
    ("w", "weight of a row", "`weights`"),
    ("y", "what really came: a number, or a class as 1 and 0", "`y_true`"),
    (r"\hat y", "what was forecast for $y$", "`y_pred`"),
    (r"\tau", "the quantile that the pinball loss asks for", "`quantile`"),
]

GUESS = re.compile(r"\*\*Guess:\*\*")

ANSWERS = """# Answers

This page is for teachers. It has the tasks at every explorer, and what the folded cells below it print. Where a lesson
that a class plays has no such tasks, it has the guesses instead. The plans are in [93_teaching](93_teaching.ipynb)."""
CARDS = """# Cards

Each card is a question with four answers, and you vote before anybody shows the answer: one finger for A, and four for
D. The key is on [a page of its own](cards_key.md), so that you can print the cards alone. In JupyterLab, *Open With >
Markdown Preview* shows a page as it should look. To print it, run `.ci/site DIR` in a checkout, and open the page in a
browser."""
KEY = """# The key to the cards

This page is for teachers. For each [card](cards.md), it shows what the guide computes, then the right answer and the
reason why people give each of the others, and then another example, for the case that few are right. The plans of
[93_teaching](93_teaching.ipynb#2.-Four-plans) say when to show which card."""


def link(lesson, heading, text=None):
    """To a section of a notebook, seen from the notebooks' folder."""
    place = anchor(heading).replace("(", "%28").replace(")", "%29")
    place = "" if "%" in heading else f"#{place}"  # which neither JupyterLab nor Sphinx would find
    return f"[{text or f'{lesson.name[:2]}: {heading}'}]({lesson.name}.ipynb{place})"


def section(lesson, cell):
    """The innermost heading over a cell that names one place in its notebook, is in sight, and is no answer."""
    over = [*cell.above, *([cell.heading] if cell.heading else [])]
    deeper = [h for _, h in over if h.startswith("Deeper")]
    return next(
        h for h in [*deeper, *(h for _, h in reversed(over))] if h not in FOLDED and lesson.headings.count(h) == 1
    )


def cells(text):
    return text.replace("|", r"\|")


def table(head, rows):
    return "\n".join([head, "|" + "---|" * (head.count("|") - 1), *(f"| {' | '.join(row)} |" for row in rows)])


# --- the glossary ---


def terms(read):
    """Rows of the closing tables by their term, each with its link; 00, which goes ahead, yields to all others."""
    found = {}
    for lesson in sorted(read, key=lambda lesson: lesson.name.startswith("00")):
        for row in lessons.closing_table(lesson)[1:]:
            row = row if len(row) == 5 else [row[0], row[1], row[5], row[4], row[6]]  # a table that is not yet new
            place = lessons.places_of(lesson, row[0])
            where = link(lesson, section(lesson, place[0]), row[0]) if place else row[0]
            found.setdefault(row[0], (lesson, row, where))
    return dict(sorted(found.items(), key=alphabetical))


def called(names):
    """The single names of a cell "others call it": "a, b (c)" are three."""
    parts = re.split(r"[,;()]", names)
    return [part.strip() for part in parts if part.strip(" -")]


def symbol_stands_in(symbol, formula):
    """Whether a formula uses a symbol, not counting letters inside words and names of functions."""
    if symbol.startswith(r"\mathit"):
        return bool(re.search(r"\b[tf][pn]\b", formula))
    if symbol.startswith("\\"):
        return symbol in formula
    bare = re.sub(r"\\(text|mathrm|mathit|operatorname)\{[^}]*\}|\\[a-zA-Z]+", " ", formula)
    bare = re.sub(r"[{}]", " ", re.sub(r"_\{(.)\}", r"_\1", bare))
    if len(symbol) > 1:
        return symbol in bare
    return bool(re.search(rf"(?<![A-Za-z_]){symbol}(?![A-Za-z]|_[-+fm1 ])", bare))  # F_1, F_beta, n_+


def glossary(read):
    formulas = {
        lesson.name: re.findall(r"(?s)\$\$.+?\$\$|\$[^$]+\$", "\n".join(cell.source for cell in lesson.prose))
        for lesson in read
    }
    symbols = []
    for symbol, means, code in SYMBOLS:
        users = [name for name, used in formulas.items() if any(symbol_stands_in(symbol, one) for one in used)]
        symbols.append((f"${symbol}$", means, code, ", ".join(f"[{name[:2]}]({name}.ipynb)" for name in users) or "-"))
    found = terms(read)
    others = defaultdict(list)
    for term, (_, row, _) in found.items():
        for name in called(row[-1]):
            others[name].append(term)
    names = [
        (name, ", ".join(found[term][2] for term in those)) for name, those in sorted(others.items(), key=alphabetical)
    ]
    return f"""# Glossary

Each term and each symbol means one thing in all notebooks. A row is *flagged* when its score is at or above the
threshold, and a flagged row is called an *alarm*. What is undefined, such as a precision with nothing flagged, is
`nan`.
The [index](index.md) leads from words to sections, and the [sheet](sheet.md) fits on one page.

## Terms

{chr(10).join(entry(term, *found[term]) for term in found)}

## Other names

{table("| name | see |", names)}

## Symbols

{table("| symbol | meaning | in code | in formulas of |", symbols)}
"""


def alphabetical(item):
    return item[0].lower()


def entry(term, _, row, where):
    """A term with its other names, its definition, when to use it, and what it cannot see."""
    definition, when, blind, others = row[1:]
    names = "" if others == "-" else f" (also called {others})"
    uses = [
        f"*{label}:* {cell.rstrip('.')}"
        for label, cell in (("When to use it", when), ("What it cannot see", blind))
        if cell != "-"
    ]
    return f"- **{where}**{names} — {definition.rstrip('.')}." + f" {'; '.join(uses)}." * bool(uses)


# --- the index ---


def first_uses(read):
    """Functions and explorers of the library by name, each with the section that uses it first."""
    found = {}
    modules = "|".join(evalteach._modules())
    for lesson in read:
        known = {}
        for cell in lesson.code:
            tree = ast.parse(cell.source)
            for node in ast.walk(tree):
                if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "evalteach":
                    known |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
            for node in ast.walk(tree):
                if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                    name = f"{known.get(node.value.id)}.{node.attr}"
                else:
                    name = known.get(node.id) if isinstance(node, ast.Name) else None
                name = str(name).removeprefix("evalteach.")
                if name in evalteach.__all__ or re.fullmatch(rf"({modules})(\.[a-z]\w*)+", name):
                    found.setdefault(name, link(lesson, section(lesson, cell)))
    return sorted(found.items(), key=lambda item: (item[0].rpartition(".")[2].lower(), item[0]))


def questions(read):
    """The question of each notebook, and those that it asks its reader to answer aloud."""
    for lesson in read:
        asked = re.search(r"\*\*(?:The question|Question):\*\* (.*)", lesson.cells[0].source)[1]
        yield f"{asked} [{lesson.name}]({lesson.name}.ipynb)"
        for cell in lesson.within("Can you explain it?"):
            if cell.heading and cell.heading[0] > 2:
                yield f"{cell.heading[1]} [{lesson.name}]({lesson.name}.ipynb)"  # a fold of a page has no address


def index(read):
    uses = [f"| `{name}` | {where} |" for name, where in first_uses(read)]
    return "\n".join(
        [
            "# Index\n\nThis page leads from a term, a question, or a function to the section that explains it.",
            "The [glossary](glossary.md) has the definitions.",
            "\n## Terms\n",
            *(f"- {where}" for _, _, where in terms(read).values()),
            "\n## Questions\n",
            *(f"- {question}" for question in questions(read)),
            "\n## Functions and explorers of the library\n\n| name | first used in |\n|---|---|",
            *uses,
            "",
        ]
    )


# --- answers ---


def shown(output):
    """What an output says in words; of a picture its description."""
    alone = output.get("metadata", {}).get("image/png", {}).get("alt")
    text = output.get("text") or output.get("data", {}).get("text/plain", "")
    return (alone if alone and text.startswith("<") else text).strip("\n")


def tasks(lesson):
    """Each cell of tasks at an explorer, or of a guess if a class plays it without, with the cells of its fold."""
    asking = [cell for cell in lesson.prose if lessons.TASKS.search(cell.source)]
    if not asking and any("slideshow" in cell.metadata for cell in lesson.notebook.cells):
        asking = [cell for cell in lesson.prose if GUESS.search(cell.source)]
    for cell in asking:
        fold = next(later for later in lesson.cells[cell.i + 1 :] if later.heading)
        yield cell, lesson.below(fold)


def answered(lesson, cell, fold):
    """One entry of the key: where, the tasks, what the fold's cells print, and what it says of that."""
    yield f"**{link(lesson, section(lesson, cell))}**"
    yield re.split(f"{lessons.TASKS.pattern}|{GUESS.pattern}", cell.source)[1].strip()
    for part in fold:
        if not part.code:
            told = re.sub(r"<details>.*?</details>", "", part.source, flags=re.S).strip()
            yield told.replace("](#", f"]({lesson.name}.ipynb#")
        elif said := "\n".join(filter(None, map(shown, part.outputs))):
            yield f"```text\n{said}\n```"


def answers(read):
    keys = {lesson: [part for task in tasks(lesson) for part in answered(lesson, *task)] for lesson in read}
    parts = ["\n\n".join([f"## {lesson.name}", *found]) for lesson, found in keys.items() if found]
    return "\n\n".join([ANSWERS, *parts]) + "\n"


# --- cards ---


def deck_of(read):
    """Each card of the guide: number, question, and options by letter; of its fold outputs, reasons, other example."""
    for lesson in read:
        for cell in lesson.prose:
            if cell.heading and (number := re.fullmatch(r"Card (\d+)", cell.heading[1])):
                fold = lesson.below(lesson.cells[cell.i + 1])
                question = cell.source.partition("**Guess:** ")[2].partition("\n\n|")[0]
                options, reasons = (dict([*lessons.rows_of(part)][2:]) for part in (cell, fold[-1]))
                printed = [line for part in fold for out in part.outputs for line in shown(out).splitlines()]
                yield SimpleNamespace(
                    where=link(lesson, cell.heading[1], cell.heading[1]),
                    number=number[1],
                    question=question,
                    options=options,
                    printed=printed,
                    reasons=reasons,
                    another=fold[-1].source.partition("\n\n")[2],
                )


def cards(read):
    """The cards of the guide, to print without their key."""
    asked = [f"## Card {card.number}\n\n{card.question}\n\n{lettered(card.options)}" for card in deck_of(read)]
    return "\n\n".join([CARDS, *asked]) + "\n"


def cards_key(read):
    """What the cells of each card print, and the reasons for its four answers."""
    keys = [
        f"**{card.where}** computes: {'; '.join(card.printed)}\n\n{lettered(card.reasons)}\n\n{card.another}"
        for card in deck_of(read)
    ]
    return "\n\n".join([KEY, *keys]) + "\n"


def lettered(rows):
    return "\n".join(["| | |", "|---|---|", *(f"| {letter} | {words} |" for letter, words in rows.items())])


# --- README and the map ---


def hours_of(number):
    whole, half = int(number), number % 1
    return f"{whole or ''}{'½' if half else ''} hour{'s' if number > 1 else ''}"


def star(entry):
    return " ★" if "core" in entry.paths else " ☆" if "interview" in entry.paths else ""


def readme_row(entry):
    return (
        f"{entry.name[:2]}{star(entry)}",
        f"[{cells(entry.question)}](notebooks/{entry.name}.ipynb)",
        str(entry.minutes),
    )


def map_row(entry):
    minutes = f"{entry.minutes} ({entry.core})" if entry.core < entry.minutes else str(entry.minutes)
    return f"[{entry.name}]({entry.name}.ipynb){star(entry)}", cells(entry.question), minutes


def catalogue_table(row):
    """All notebooks by part, each in the row that a page gives it, and the paths through them with their hours."""
    entries = catalogue.catalogue()
    rows = []
    for part, of_it in itertools.groupby(entries, key=lambda entry: entry.part):
        rows += [(f"*{part}*", "", ""), *map(row, of_it)]
    core, interview, whole = (hours_of(time) for time in catalogue.hours(entries).values())
    paths = (
        f"There are three paths. The **core path** is the notebooks with a ★. Without their sections called *Deeper*, "
        f"it takes about {core}. The **interview path** adds the notebooks with a ☆ and takes about {interview}. "
        f"All notebooks together take about {whole}."
    )
    lines = ["|notebook|question|minutes|", "|---|---|---|", *(f"|{'|'.join(row)}|" for row in rows)]
    return "\n".join([*lines, "", paths])


def with_table(text, made):
    """The text with its table of notebooks, and the paragraph on paths below it, made anew."""
    old = r"^\| ?notebook ?\|.*(?:\n\|.*)*(?:\n\nThere are three paths\..*)?$"
    again, count = re.subn(old, lambda _: made, text, flags=re.M)
    if count != 1:
        raise SystemExit(f"{count} tables of notebooks stand where there should be one")
    return again


def made():
    """Every page with the text that it should have."""
    read = [lessons.read(path) for path in lessons.paths()]
    pages = {NOTEBOOKS / f"{page.__name__}.md": page(read) for page in (glossary, index, answers, cards, cards_key)}
    for path, row in ((README, readme_row), (MAP, map_row)):
        pages[path] = with_table(path.read_text(encoding="utf-8"), catalogue_table(row))
    return pages


if __name__ == "__main__":
    for path, text in made().items():
        path.write_text(text, encoding="utf-8")
