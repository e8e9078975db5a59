"""The guide for who teaches: its plans add up, its blocks are complete, and its slides show what the plans need."""

import re
from functools import cache

import lessons
import make_slides
import nbformat
import pytest
from nbconvert import SlidesExporter

MINUTES = {"45 minutes": 45, "90 minutes": 90, "210 minutes": 210, "a day": 360}
WITH_DECKS = ("90 minutes", "210 minutes")
DECKS = sorted({path for plan in WITH_DECKS for path in make_slides.decks(make_slides.plans()[plan])})
PARTS = ["say", "show", "they do", "ask", "expect", "cut first"]
guide = lessons.read(make_slides.GUIDE)
every_plan = pytest.mark.parametrize("plan", MINUTES)
every_deck = pytest.mark.parametrize("path", DECKS, ids=lambda path: path.stem)


def spans(plan):
    return [tuple(map(int, row[0].split("-"))) for row in make_slides.plans()[plan]]


def opened(plan):
    """Notebook and heading of each section that a plan opens in a lesson."""
    text = " ".join(row[3] for row in make_slides.plans()[plan])
    for target in lessons.links(text):
        file, _, place = target.partition("#")
        yield file.removesuffix(".ipynb"), place


def test_there_is_a_plan_for_each_length():
    assert {*make_slides.plans()} == {*MINUTES}


@every_plan
def test_the_minutes_of_a_plan_follow_each_other_and_add_up(plan):
    ends = [0, *(end for _, end in spans(plan))]
    assert [start for start, _ in spans(plan)] == ends[:-1]
    assert ends[-1] == MINUTES[plan]
    assert ends == sorted({*ends})


@every_plan
def test_a_plan_has_room_for_being_late_and_says_what_goes_first(plan):
    rows = dict(zip(spans(plan), make_slides.plans()[plan], strict=True))
    spare = sum(end - start for (start, end), row in rows.items() if row[1].startswith("buffer"))
    assert spare >= 5
    assert 0.04 <= spare / MINUTES[plan] <= 0.2
    rests = [span for span, row in rows.items() if row[1] in ("break", "lunch") or "stand up" in row[1]]
    sits = zip([0, *(end for _, end in rests)], [*(start for start, _ in rests), MINUTES[plan]], strict=True)
    assert max(end - start for start, end in sits) <= 90
    cut = sorted(int(row[4]) for row in rows.values() if row[4])
    assert cut == [*range(1, len(cut) + 1)] != []
    assert not any(row[4] for row in rows.values() if not row[3])


@every_plan
def test_a_plan_begins_and_ends_as_all_do_and_opens_sections_that_exist(plan):
    rows = make_slides.plans()[plan]
    assert "#Block:-arrive" in rows[0][1]
    assert "#Block:-exit" in rows[-1][1]
    for name, place in opened(plan):
        assert not lessons.broken(f"{name}.ipynb#{place}" if name else f"#{place}", guide.name)
        assert place
    for row in rows:
        decks = {row[2]} - {"", "-", "93"}
        assert decks <= {name[:2] for name, _ in opened(plan)}


def test_every_block_has_its_six_parts_and_stands_in_a_plan():
    blocks = {cell.heading[1]: [*lessons.rows_of(cell)][2:] for cell in guide.within("3. The blocks") if cell.heading}
    del blocks["3. The blocks"]
    for rows in blocks.values():
        assert [name for name, _ in rows] == PARTS
        assert all(text for _, text in rows)
    text = str(make_slides.plans())
    assert {f"#{lessons.anchor(block)}" for block in blocks} == {*re.findall(r"\]\((#Block:-[^)]*)\)", text)}


def test_every_card_is_shown_in_the_longer_plans():
    for plan in ("210 minutes", "a day"):
        blocks = " ".join(row[1] for row in make_slides.plans()[plan])
        named = [
            number for words in re.findall(r"cards? (\d+(?: and \d+)?)", blocks) for number in words.split(" and ")
        ]
        assert sorted(map(int, named)) == [*range(1, 11)]


# --- slides ---


@cache
def shown(path):
    """The cells of each slide."""
    lesson, found = lessons.read(path), [[]]
    for cell in lesson.cells:
        kind = lesson.notebook.cells[cell.i].metadata.get("slideshow", {}).get("slide_type", "-")
        if kind in ("slide", "subslide"):
            found.append([])
        if kind not in ("skip", "notes"):
            found[-1].append(cell)
    return found


@every_deck
def test_nbconvert_makes_as_many_slides_as_the_guide_says(path):
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:  # outputs take long, and make no slide
        cell |= {"outputs": []} if cell.cell_type == "code" else {}
    page, _ = SlidesExporter().from_notebook_node(notebook)
    # a stack of slides is a section of sections
    stacks = [len(re.findall(rf"<{tag}section\b[^>]*>", page)) for tag in ("", "/")]
    stacks[0] -= len(re.findall(r"<section\b[^>]*>\s*<section\b", page))
    stacks[1] -= len(re.findall(r"</section>\s*</section>", page))
    assert shown(path)[0] == [], "what comes before the first slide is shown with it"
    assert stacks == [len(shown(path)[1:])] * 2
    told = "\n".join(output.get("text", "") for cell in guide.within("11. On the wall") for output in cell.outputs)
    for plan in WITH_DECKS:
        (line,) = re.findall(rf"^{plan}: (.*)", told, flags=re.M)
        counts = dict(deck.split() for deck in line.split(", "))
        assert {*counts} == {deck.stem[:2] for deck in make_slides.decks(make_slides.plans()[plan])}
        assert counts.get(path.stem[:2], str(stacks[0])) == str(stacks[0])


@every_deck
def test_a_guess_and_its_answer_are_two_slides_and_nothing_that_is_for_home_is_shown(path):
    for cells in shown(path):
        guesses = [cell for cell in cells if "**Guess" in cell.source]
        assert len(guesses) <= 1
        assert not guesses or not any({"Answer", "Answers", "Solution"} & {*cell.folds} for cell in cells)
        for cell in cells:
            assert not {"Solution", "What you find", "Answers"} & {*cell.folds}
            assert not re.match(r"Exercise|Deeper|Before you|To take away|Say it", (cell.heading or (0, ""))[1])
            assert not cell.code or cell.outputs
            assert not lessons.is_stub(cell.source)


@every_deck
def test_a_deck_shows_the_sections_that_the_plans_open_and_no_other(path):
    sections = {
        lessons.anchor(next((words for level, words in (*cell.above, cell.heading or (0, "")) if level == 2), ""))
        for cells in shown(path)[2:]
        for cell in cells
    }
    if path == make_slides.GUIDE:
        assert sections == {"5.-Ten-cards", "6.-The-exit-ticket"}
    else:
        assert sections == {place for plan in MINUTES for name, place in opened(plan) if name == path.stem}


def test_a_deck_for_the_wall_fetches_nothing_and_leaves_folded_and_long_code_out():
    path = lessons.NOTEBOOKS / "10_class_ratio.ipynb"
    page = make_slides.deck(path)
    assert not re.findall(r"""(?:src|href)=["'](?!reveal/|data:|#)[^"']+""", page)
    assert not re.search(r"@import|url\(['\"]?http", page)
    assert "<math" in page
    assert 'alt="' in page
    assert make_slides.NO_WORDS not in page
    assert "$" not in re.sub(r"<(script|style).*?</\1>", "", page, flags=re.S)
    assert "def " not in re.sub(r"<(script|style).*?</\1>", "", page, flags=re.S)


@pytest.mark.parametrize(
    ("source", "wall"),
    [
        ("see [section 4](#4.-How-sure-are-we?) and [01](01_x.ipynb#1.-a-(b))", "see section 4 and 01"),
        ("[out](https://scikit-learn.org) stays", "[out](https://scikit-learn.org) stays"),
        ("`$HOME` stays", "`$HOME` stays"),
    ],
)
def test_links_between_notebooks_become_words(source, wall):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(source)])
    assert make_slides.for_the_wall(notebook).cells[0].source == wall


def test_without_reveal_js_it_is_said_what_to_install(monkeypatch):
    monkeypatch.setattr(make_slides, "find_spec", lambda name: None)
    with pytest.raises(SystemExit, match="pip install sphinx-revealjs"):
        make_slides.reveal()
