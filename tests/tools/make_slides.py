"""Makes the slides of the plans in 93_teaching, and puts beside them what they need: they fetch nothing when shown.

    pip install sphinx-revealjs latex2mathml  # the first carries reveal.js
    python tests/tools/make_slides.py slides

Each plan has one file, in the order of its blocks, and a run sheet for the teacher, which names the slides of each row.
A slide is one question, one picture, or one sentence, in letters that the last row can read. A card comes twice: before
the pictures that answer it, and after them with its key. The
pictures and tables are those of the sections that the plan opens, unless a lesson's cell says that it is to be skipped.
A notebook's letters are too small for a wall, so its cells run again, up to the last picture that is needed, and what
they draw gets larger letters.
"""

import argparse
import html
import re
import shutil
from copy import deepcopy
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import lessons
import make_pages
import nbformat
from latex2mathml.converter import convert
from matplotlib.figure import Figure
from matplotlib.text import Text
from nbclient import NotebookClient

GUIDE = lessons.NOTEBOOKS / f"{lessons.GUIDES[0]}.ipynb"
SIZE = (1280, 720)
SMALLEST = 32  # px, of letters
LETTERS = "ABCD"
CARDS = "5.-The-cards"
RUN = (
    "Choose *Run > Run All Cells*. Leave what is folded shut.",
    "When the status bar has gone from *Busy* to *Idle*, put up the light note, and close the lid halfway.",
)
NEWS = (
    "If JupyterLab asks about news, answer *No*. Close the side bar with *Ctrl+B*, because it can show what is folded."
)
START = (
    "`cd evalteach`",
    "`.venv/bin/evalteach lab --fresh class`",
    r"On Windows, write `.venv\Scripts\evalteach`. Without a notebook, sit with a neighbor.",
    "Put up the light note when you are done, and the dark one when you need help.",
)
FINGERS = (
    "A is one finger, B is two, C is three, and D is four.",
    "Everybody shows them at the same time, at the chest.",
)
TO_KEEP = (
    "Close the lid, put the sheet of the camera face down, and take the other one. A phone may be your calculator. "
    "On the back: one thing that should stay, and one that should change."
)
SHORT = 8  # letters of an option, so that two fit beside each other
CAPTION = 170  # letters, which are two lines or three
ROOM = (1192, 490)  # px that a picture has at least, beside its heading and its sentence
DPI = 200  # of pictures, so that they are sharp on large screens as well
DRAWN = {"title": 30, "letters": 24}  # px, of the smallest letters in a picture
STYLE = """
.reveal .slides { text-align: left; }
.wall { box-sizing: border-box; width: 1280px; height: 720px; padding: 28px 44px; display: flex; flex-direction: column;
  font: 36px/1.25 "Helvetica Neue", Arial, sans-serif; color: #111; }
.reveal .wall h2 { font: bold 44px/1.15 "Helvetica Neue", Arial, sans-serif; text-transform: none; margin: 0 0 12px;
  color: #111; letter-spacing: 0; text-shadow: none; }
.reveal .wall.picture h2 { font-size: 36px; }
.wall em { font-style: italic; }
.wall b { font-weight: bold; }
.wall code { font-family: "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: 0.9em; }
.reveal section[data-at]::after { content: attr(data-at); position: absolute; left: 44px; bottom: 3px;
  font: 20px Arial, sans-serif; color: #595959; }
.reveal .slide-number { font: 24px Arial, sans-serif; color: #595959; background: none; }
.wall p { margin: 0 0 14px; }
.wall img { flex: 1 1 0; min-height: 0; width: 100%; margin: 0 !important; max-width: none !important;
  max-height: none !important; object-fit: contain; }
.wall .said { margin: 12px 0 0; text-align: center; }
.wall.middle { justify-content: center; }
.wall.middle p { font-size: 60px; line-height: 1.2; margin-bottom: 28px; }
.wall.middle p.small { font-size: 40px; }
.wall table { border-collapse: collapse; margin: auto; font-size: 36px; }
.wall :is(th, td) { border-bottom: 2px solid #999; padding: 14px 22px; text-align: right; }
.wall td { font-size: inherit; }
.wall :is(th, td):first-child { text-align: left; }
.wall th { font-size: 32px; }
.wall ol { margin: 0; padding-left: 52px; }
.wall li { margin-bottom: 18px; font-size: 34px; line-height: 1.25; }
.wall .question { font-size: 40px; line-height: 1.22; }
.wall .options { flex: 1; display: grid; grid-template-columns: 1fr; align-content: space-evenly; }
.wall .options.short { grid-template-columns: 1fr 1fr; }
.wall .option { display: grid; grid-template-columns: 68px 1fr; column-gap: 20px; align-items: center;
  font-size: 44px; }
.wall .letter { font-weight: bold; text-align: center; border: 3px solid #111; border-radius: 50%; width: 56px;
  height: 56px; line-height: 56px; font-size: 36px; }
.wall.key .question { font-size: 32px; line-height: 1.18; margin-bottom: 6px; }
.wall.key .option { grid-template-columns: 60px 360px 1fr; font-size: 32px; line-height: 1.15; padding: 6px 10px;
  border: 4px solid transparent; border-radius: 14px; }
.wall.key .letter { width: 48px; height: 48px; line-height: 48px; font-size: 32px; }
.wall.key .right { border-color: #0b6b3a; background: #d9f2e3; font-weight: bold; }
.wall.key .right .letter { background: #0b6b3a; border-color: #0b6b3a; color: white; }
"""
SHEET = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Run sheet: {title}</title>
<style>
@page {{ size: A4 landscape; margin: 8mm; }}
body {{ font: 11px/1.25 "Helvetica Neue", Arial, sans-serif; margin: 0; }}
p {{ margin: 0 0 4px; }}
table {{ border-collapse: collapse; width: 100%; }}
:is(th, td) {{ border: 1px solid #999; padding: 2px 5px; text-align: left; vertical-align: top; }}
tr {{ break-inside: avoid; }}
td:nth-child(-n + 2) {{ white-space: nowrap; }}
</style>
</head>
<body>
{checks}
<table>
{rows}
</table>
{more}
</body>
</html>
"""
ROW = ("minutes", "say", "vote", "reveal", "they do", "ask", "expect", "board", "cut first")
SHEET_HEAD = ("time", "slides", "block", *ROW)
ORDER = ("first", "second", "third")  # of what a plan leaves out
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>
<link rel="stylesheet" href="reveal/dist/reset.css">
<link rel="stylesheet" href="reveal/dist/reveal.css">
<style>
body, .reveal-viewport {{ background: white; }}
{style}</style>
</head>
<body>
<div class="reveal"><div class="slides">
{slides}
</div></div>
<script src="reveal/dist/reveal.js"></script>
<script>
Reveal.initialize({{
  hash: true, center: false, transition: "none", controls: false, progress: false, margin: 0,
  slideNumber: true, // for G, which jumps to a number
  overview: false, // which would show the keys of all cards
  width: {width}, height: {height}
}});
</script>
</body>
</html>
"""


def plans():
    """Rows of each plan's table in the guide, by its heading's words after "Plan: "."""
    return tables("Plan: ")


def swaps():
    """Rows that a plan can have in place of a block, by the name of that block."""
    return tables("In place of ")


def tables(start):
    read = lessons.read(GUIDE).prose
    named = [cell for cell in read if cell.heading and cell.heading[1].startswith(start)]
    return {cell.heading[1].removeprefix(start): [*lessons.rows_of(cell)][2:] for cell in named}


@cache
def blocks():
    """What each block says, by its anchor and by the name of its row."""
    found = {}
    for cell in lessons.read(GUIDE).prose:
        if cell.heading and cell.heading[1].startswith("Block: "):
            found[lessons.anchor(cell.heading[1])] = {row[0]: row[1] for row in [*lessons.rows_of(cell)][2:]}
    return found


@cache
def cards():
    """The cards of the guide by their number."""
    return {card.number: card for card in make_pages.deck_of([lessons.read(GUIDE)])}


def numbers(row):
    """The cards that a plan's row votes on."""
    return re.findall(r"\d+", row[2])


def fitted(block, row):
    """A block as a plan's row has it, without what belongs to cards that the row does not vote on.

    A part of *reveal* that begins with such a card stays without the card if the row opens one of its sections.
    """
    votes, here, fits = {*numbers(row)}, {*opened(row)}, dict(block)
    for name in ("minutes", "vote"):
        clauses = [(clause, {*re.findall(r"\bcard (\d+)", clause)}) for clause in block[name].split("; ")]
        fits[name] = "; ".join(clause for clause, named in clauses if not named or named & votes)
    kept = []
    for part in re.split(r"(?<=\.) (?=\[card \d+\])", block["reveal"]):
        start = re.match(r"\[card (\d+)\]\(#Card-\1\): ", part)
        if start and start[1] not in votes:
            part = part[start.end() :] if {*sections(part)} & here else ""
        kept += [part] if part else []
    fits["reveal"] = " ".join(kept)
    return fits


def opened(row):
    """Notebook and heading of each section that a plan's row opens."""
    return sections(row[3])


def sections(text):
    """Notebook and heading of each section that a text links to."""
    for target in lessons.links(text):
        file, _, place = target.partition("#")
        yield file.removesuffix(".ipynb"), place


# --- what is on a slide ---


def in_html(text):
    """A line of Markdown as it is shown: no links, formulas that need no script, and bold, italic and code."""
    text = re.sub(r"\[([^][]*)\]\([^()]*(?:\([^()]*\)[^()]*)*\)", r"\1", text)
    parts = re.split(r"(`[^`]*`|\$[^$]+\$)", text.replace(r"\|", "|").replace(r"\*", "∗"))
    return "".join(map(marked, parts)).replace("\\\n", "<br>")


def marked(part):
    if part.startswith("`"):
        return f"<code>{html.escape(part[1:-1])}</code>"
    if part.startswith("$"):
        return convert(part[1:-1])
    part = html.escape(part, quote=False)
    return re.sub(r"\*(.+?)\*", r"<em>\1</em>", re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", part))


def slide(kind, *parts, name=""):
    at = f' id="{name}"' * bool(name)
    made = f'<section{at}><div class="wall {kind}">{"".join(parts)}</div></section>'
    return SimpleNamespace(kind=kind, name=name, html=made)


def sentence(*lines, name=""):
    first, *rest = map(in_html, lines)
    return slide("middle", f"<p>{first}</p>", *(f'<p class="small">{line}</p>' for line in rest), name=name)


def whole(text):
    """The end of a row as a sentence of its own."""
    return f"{text[0].upper()}{text[1:].rstrip('.')}."


def asked(card):
    told = [f"{lettered(letter)}<span>{in_html(card.options[letter])}</span>" for letter in LETTERS]
    options = "".join(f'<div class="option">{one}</div>' for one in told)
    short = " short" if max(map(len, card.options.values())) <= SHORT else ""
    return slide("card", question(card), f'<div class="options{short}">{options}</div>', name=f"card-{card.number}")


def key(card):
    rows = []
    for letter in LETTERS:
        reason = card.reasons[letter]
        right = " right" if letter == right_of(card) else ""
        told = f"<span>{in_html(card.options[letter])}</span><span>{in_html(reason)}</span>"
        rows.append(f'<div class="option{right}">{lettered(letter)}{told}</div>')
    asked = SimpleNamespace(number=card.number, question=card.question.replace("\\\n", " "))  # saves lines
    return slide("key", question(asked), f'<div class="options">{"".join(rows)}</div>', name=f"key-{card.number}")


def right_of(card):
    return next(letter for letter, reason in card.reasons.items() if re.match(r"right\b", reason))


def question(card):
    return f'<p class="question"><b>{card.number}.</b> {in_html(card.question)}</p>'


def lettered(letter):
    return f'<span class="letter">{letter}</span>'


def shown_of(name, place, question="", fill=False):
    """The pictures of a lesson's section and the table at its beginning, unless their cells are to be skipped.

    A question that needs the table is under it. A table to fill in comes without its last column first.
    """
    lesson = lessons.read(lessons.NOTEBOOKS / f"{name}.ipynb")
    asking = [f'<p class="said">{in_html(question)}</p>'] if question else []
    for cell in lesson.cells:
        kind = lesson.notebook.cells[cell.i].metadata.get("slideshow", {}).get("slide_type")
        section = next((words for level, words in (*cell.above, cell.heading or (0, "")) if level == 2), "")
        if kind == "skip" or lessons.anchor(section) != place:
            continue
        if kind == "slide" and not cell.code and (rows := [*lessons.rows_of(cell)]):
            title = f"<h2>{in_html(titled(cell.heading[1]))}</h2>"
            if fill:
                yield slide("fill", title, in_rows([*rows[:2], *([*row[:-1], "?"] for row in rows[2:])]))
            yield slide("table", title, in_rows(rows), *asking)
        for output in cell.outputs:
            if "image/png" in output.get("data", {}):
                yield pictured(lesson, cell, output)


def in_rows(rows):
    head, _, *others = [[in_html(text) for text in row] for row in rows]
    lines = ["".join(f"<th>{text}</th>" for text in head)]
    lines += ["".join(f"<td>{text}</td>" for text in row) for row in others]
    return f"<table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


def titled(heading):
    return re.sub(r"^\d+\. ", "", heading)


def pictured(lesson, cell, output):
    level, heading = [place for place in cell.above if place[1] not in lessons.FOLDED][-1]
    if level == 2 and cell.folds:  # the answer to a section's question shows what the heading after it says
        heading = next(later.heading[1] for later in lesson.cells[cell.i + 1 :] if later.heading)
    said = make_pages.shown(output)
    png = png_of(output)
    image = f'<img alt="{html.escape(said)}" src="data:image/png;base64,{png}">'
    words = re.sub(r"^[A-Z][a-z]+ plot: (.)", lambda found: found[1].upper(), said)  # which the eye sees
    told = f'<p class="said">{html.escape(words)}</p>' if len(words) <= CAPTION else ""
    shown = slide("picture", f"<h2>{in_html(titled(heading))}</h2>", image, told)
    shown.lesson, shown.cell, shown.png = lesson, cell.i, png
    return shown


def png_of(output):
    return "".join(output.get("data", {}).get("image/png", "").split())


def marks(text):
    """What a row names, in its order: targets of links, sentences in quotes, and the row *board*."""
    for mark in re.findall(r'"[^"]+"|\*board\*|\]\((?:[^()\s]|\([^()\s]*\))+\)', text):
        yield lessons.links(mark)[0] if mark.startswith("]") else mark


def of_block(row, block):
    """A block's slides: what it shows, after its first sentence, which is only said if a card comes before all else.

    A question stays on the wall in either case.
    """
    shown, first = [*played(row, block)], quoted(block["say"])[0]
    if shown[0].kind != "card" or "?" in first:
        yield sentence(first)
    yield from shown


def quoted(text):
    return re.findall(r'"([^"]+)"', text)


def played(row, block):
    """What a block shows, with its cards, then what is asked, which stays while people answer, and the board.

    The links of *reveal* give the order. What follows a card's link answers that card, until the link called *key*
    or the next card. What comes before the first card's link comes before that card; a block without such links
    answers its only card with everything. What *reveal* has in quotes is a slide in that place, and so is what goes
    on the board, if *reveal* names it. A question in words comes with the table of the first section, or, in a
    block without cards, before the last section. What *they do* has in quotes comes before the first picture. What
    is right by *expect* comes after the table of the first section, or after all of it if it has none, and a table
    that *they do* fill in comes twice.
    """
    here, told, votes = set(opened(row)), cards(), numbers(row)
    block = fitted(block, row)
    targets = lessons.links(block["reveal"])
    questions = quoted(block["vote"])
    right = [sentence(whole(words)) for words in re.findall(r"Right: (.+)", block["expect"])]
    tasks = [sentence(words) for words in quoted(block["they do"])]
    board = [sentence(words) for words in quoted(block["board"])[:1]]
    name = f"ask-{blocks_of([row])[0].removeprefix('Block:-')}"
    ask = [sentence(words, name=name) for words in quoted(block["ask"])[:1]]
    named = [target.removeprefix("#Card-") for target in targets if target.startswith("#Card-")]
    waiting = None if named or not votes else votes[0]  # the card that is asked and has no key yet
    if waiting:
        yield asked(told[waiting])
    for mark in marks(block["reveal"]):
        file, _, place = mark.partition("#")
        name = file.removesuffix(".ipynb")
        if mark.startswith('"'):
            yield sentence(mark.strip('"'))
        elif mark == "*board*":
            yield from board
            board = []
        elif place.startswith("Card-") or place == CARDS:
            if waiting:
                yield key(told[waiting])
            number = place.removeprefix("Card-")
            waiting = number if number in votes else None
            if waiting:
                yield asked(told[waiting])
        elif (name, place) in here:
            if mark == targets[-1] and not votes:
                yield from map(sentence, questions)
            asking = questions.pop() if votes and questions else ""
            shown = [*shown_of(name, place, asking, not asking and "fill in" in block["they do"])]
            last = max((i for i, one in enumerate(shown, 1) if one.kind == "table"), default=len(shown))
            shown = [*shown[:last], *right, *shown[last:]]
            right = []
            for one in shown:
                if one.kind == "picture":
                    yield from tasks
                    tasks = []
                yield one
    if waiting:
        yield key(told[waiting])
    yield from [*ask, *board]


def ticket(row):
    """The questions of the exit ticket, all of them or those that a plan names."""
    (cell, *_) = lessons.read(GUIDE).within("6. The exit ticket")
    questions = re.findall(r"^\d\. (.*)$", cell.source, flags=re.M)
    if "questions 1 and 2" in row[1]:
        questions = questions[:2]
    items = "".join(f"<li>{in_html(one)}</li>" for one in questions)
    title = f"The exit ticket: {3 + len(questions)} minutes, no neighbor"
    return slide("ticket", f"<h2>{title}</h2><ol>{items}</ol><p>{TO_KEEP}</p>", name="exit")


def slides(plan):
    """The slides of a plan, in the order of its rows."""
    title = lessons.read(lessons.NOTEBOOKS / f"{lessons.paths()[0].stem}.ipynb").cells[0].heading[1]
    title = title.partition(": ")[2] or title
    rows = plans()[plan]
    opening = [
        sentence(f"{title[0].upper()}{title[1:]}", *START),
        sentence(f"`{lessons.paths()[0].stem}` opens by itself", NEWS, *RUN),
        sentence(*FINGERS),
    ]
    yield from in_row(rows[0], opening)
    yield from slides_of(rows)


def slides_of(rows):
    for row in rows:
        yield from in_row(row, of_row(row))


def in_row(row, shown):
    for one in shown:
        one.row = row
        yield one


def of_row(row):
    block = next(iter(blocks_of([row])), None)
    if block == "Block:-exit":
        yield ticket(row)
    elif block:
        yield from of_block(row, blocks()[block])
    if to_open := re.search(r"\bopen (\d\d)", row[1]):
        rest = ["Then there is a break, until the time on the board."] * row[1].startswith("break")
        first = f"Open the notebook whose name begins with `{to_open[1]}`"  # since a name can be half an answer
        yield sentence(first, *RUN, *rest)
    if "one up, one down" in row[1]:
        notes = "Write the first on the light note, and the second on the dark one."
        yield sentence("One thing should stay. One thing should change.", notes)


# --- the run sheet ---


def run_sheet(shown, rows, title):
    """A page for the teacher: how a vote goes, and of each row its time, its slides, its block, and what goes when."""
    told_in = "\n".join(cell.source for cell in lessons.read(GUIDE).within(f"Plan: {title}"))
    rules = re.findall(r"^- (At minute (\d+).*)$", told_in, flags=re.M)
    checks = [f"Open `{file_of(title)}`. To jump, press *G*, type the number of a slide, and press *Enter*."]
    checks += [vote_rule(), *re.findall(r"^- ((?!At minute).*)$", told_in, flags=re.M)]
    checks = [f"<p>{in_html(line)}</p>" for line in checks]
    lines = ["".join(f"<th>{words}</th>" for words in SHEET_HEAD)]
    for row in rows:
        block = next((fitted(blocks()[name], row) for name in blocks_of([row])), {})
        start, end = map(int, row[0].split("-"))
        first = block.get("cut first", "") + (f" (the {ORDER[int(row[4]) - 1]} thing to leave out)" if row[4] else "")
        by_clock = [f"{rule}{going_on(rule, row, shown)}" for rule, at in rules if start <= int(at) < end]
        block = block | {"cut first": " ".join(by_clock) or first}
        open_now = f"<br>open: {in_html(row[3])}" * bool(row[3])
        told = [row[0], "<br>".join(slides_in(row, shown)), in_html(row[1]) + open_now]
        told += [in_html(block.get(part, "")) for part in ROW]
        lines.append("".join(f"<td>{words}</td>" for words in told))
    more = [f"<p><b>Card {n}.</b> {in_html(cards()[n].another)}</p>" for row in rows for n in numbers(row)]
    rows = "\n".join(f"<tr>{line}</tr>" for line in lines)
    return SHEET.format(title=title, checks="\n".join(checks), rows=rows, more="\n".join(more))


def going_on(rule, row, shown):
    """With which slide a plan goes on, if a rule leaves slides out, as words after it."""
    left_out = re.search(r"leave out the (\w+)", rule)
    if left_out or "exit ticket" in rule:
        here = [one for one in shown if one.row == row] if left_out else shown
        kind = ("card-" if left_out[1] == "arrow" else "ask-") if left_out else "exit"
        return f" Go to slide {shown.index(next(one for one in here if one.name.startswith(kind))) + 1}."
    return ""


def vote_rule():
    """What the share of right answers decides after a vote, as the guide's table has it."""
    (rows,) = filter(None, ([*lessons.rows_of(cell)][2:] for cell in lessons.read(GUIDE).within("How a vote goes")))
    told = [f"**{right}:** {do} ({minutes} minutes)" for right, do, minutes in rows]
    told += ["The other examples are below the table."]
    return f"After a vote, count the fingers for the right letter. {' '.join(told)}"


def slides_in(row, shown):
    """The numbers of a row's slides, and those of its cards with the right letters."""
    numbered = [(number, one) for number, one in enumerate(shown, 1) if one.row == row]
    if numbered:
        first, last = numbered[0][0], numbered[-1][0]
        yield f"{first}-{last}" if first < last else f"{first}"
    places = {one.name: number for number, one in numbered}
    for number in numbers(row):
        yield f"card {number}: {places[f'card-{number}']}, key: {places[f'key-{number}']}, {right_of(cards()[number])}"


# --- pictures with larger letters ---


def scale(figure):
    """How many px of a slide an inch of a figure has."""
    return min(room / inches for room, inches in zip(ROOM, figure.get_size_inches(), strict=True))


def enlarge(figure):
    """Give every text of a figure letters that the last row can read; those that are larger stay."""
    titles = {title for axes in figure.axes for title in (axes.title, axes._left_title, axes._right_title)}
    for text in figure.findobj(Text):
        least = DRAWN["title" if text in titles else "letters"] * 72 / scale(figure)
        text.set_fontsize(max(text.get_fontsize(), least))
    for axes in figure.axes:
        axes.tick_params(labelsize=DRAWN["letters"] * 72 / scale(figure))  # ticks are made when they are drawn


def thin(figure):
    """Leave out texts that run into longer or earlier ones, make titles smaller that are cut off, and return both."""
    changed = []
    for axes in figure.axes:
        kept = []
        if axes.get_title(loc="left") and axes._left_title.get_window_extent().x1 > figure.bbox.x1:
            axes._left_title.set_fontsize(DRAWN["letters"] * 72 / scale(figure))  # which takes a fifth less room
            changed.append(axes._left_title)
        for text in sorted(axes.texts, key=lambda text: -len(text.get_text())):
            if any(text.get_window_extent().overlaps(box) for box in kept):
                changed.append(text)
                text.set_visible(False)
            else:
                kept.append(text.get_window_extent())
    return changed


def draw_for_the_wall():
    """From now on, every figure is drawn with large letters and many pixels; this runs in a lesson's kernel."""
    from evalteach.explorers.engine.base import Explorer

    draw, save = Figure.draw, Figure.savefig
    Explorer.dpi = DPI

    def draw_enlarged(figure, *args, **more):
        enlarge(figure)
        draw(figure, *args, **more)
        if thin(figure):
            draw(figure, *args, **more)

    Figure.draw = draw_enlarged
    Figure.savefig = lambda figure, *args, **more: save(figure, *args, **more | {"dpi": DPI})


def redrawn(shown):
    """The pictures of slides with larger letters, each by the one that its notebook has."""
    pictures = [one for one in shown if one.kind == "picture"]
    larger = {}
    for name, lesson in {one.lesson.name: one.lesson for one in pictures}.items():
        last = max(one.cell for one in pictures if one.lesson.name == name)
        again = deepcopy(lesson.notebook)
        setup = f"import sys; sys.path.insert(0, {str(Path(__file__).resolve().parent)!r})\n"
        first = nbformat.v4.new_code_cell(f"{setup}import make_slides; make_slides.draw_for_the_wall()")
        again.cells = [first, *again.cells[: last + 1]]
        beside = {"metadata": {"path": str(lessons.NOTEBOOKS)}}
        NotebookClient(again, timeout=600, startup_timeout=300, kernel_name="python3", resources=beside).execute()
        for old, new in zip(lesson.notebook.cells, again.cells[1:], strict=False):
            stored, drawn = (list(filter(None, map(png_of, cell.get("outputs", [])))) for cell in (old, new))
            larger |= dict(zip(stored, drawn, strict=True))
    return larger


# --- files ---


def deck(shown, title, larger):
    """A page of slides, which looks for reveal.js in the folder ``reveal`` beside it."""
    width, height = SIZE
    for one in shown:
        if one.kind == "picture":
            one.html = one.html.replace(one.png, larger.get(one.png, one.png))
    body = "\n".join(one.html.replace("<section", f'<section data-at="{place_of(one.row)}"', 1) for one in shown)
    return PAGE.format(title=f"{title[0].upper()}{title[1:]}", style=STYLE, slides=body, width=width, height=height)


def place_of(row):
    """The minutes and the block of a row, for the corner of its slides."""
    return html.escape(f"{row[0]} {in_html(row[1]).partition(':')[0]}")


def file_of(plan, kind=""):
    return f"{plan.replace(' ', '_')}{kind}.html"


def reveal():
    """The folder of reveal.js in the package that carries it."""
    found = find_spec("sphinx_revealjs")
    if found is None:
        raise SystemExit("reveal.js is missing; run: pip install sphinx-revealjs")
    return Path(found.origin).parent / "_static" / "revealjs"


def every_rows():
    """The rows of each file, by its title: of the plans, and of the blocks that a plan can have instead."""
    return plans() | {blocks_of(rows)[0].removeprefix("Block:-").replace("-", " "): rows for rows in swaps().values()}


def decks():
    """The slides of each file, by its title."""
    return {title: [*(slides(title) if title in plans() else slides_of(rows))] for title, rows in every_rows().items()}


def blocks_of(rows):
    return [target[1:] for row in rows for target in lessons.links(row[1]) if target.startswith("#Block:")]


def make(folder, decks, redraw=redrawn):
    shutil.copytree(reveal() / "dist", folder / "reveal" / "dist", ignore=shutil.ignore_patterns("*.map", "theme"))
    larger = redraw([one for shown in decks.values() for one in shown])
    for plan, shown in decks.items():
        (folder / file_of(plan)).write_text(deck(shown, plan, larger), encoding="utf-8")
        sheet = run_sheet(shown, every_rows()[plan], plan)
        (folder / file_of(plan, "_run_sheet")).write_text(sheet, encoding="utf-8")


def main(words=None):
    made = decks()
    parser = argparse.ArgumentParser(description="Make the slides of the plans in 93_teaching.")
    parser.add_argument("folder", metavar="DIR", type=Path, help="a folder that is not there yet")
    parser.add_argument("--plan", metavar="NAME", choices=made, help=f"only one of: {', '.join(made)}")
    parser.add_argument("--draft", action="store_true", help="keep the pictures of the notebooks; takes seconds")
    told = parser.parse_args(words)
    if told.folder.exists():
        parser.error(f"{told.folder} is there already; name a folder that is not there yet")
    wanted = {told.plan: made[told.plan]} if told.plan else made
    make(told.folder, wanted, (lambda shown: {}) if told.draft else redrawn)


if __name__ == "__main__":
    main()
