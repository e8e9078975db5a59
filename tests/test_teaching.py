"""The guide for teachers: its plans add up, its blocks are complete, and its slides show what the plans need."""

import re
from base64 import b64decode
from functools import cache
from io import BytesIO
from itertools import pairwise

import lessons
import make_slides
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text
from PIL import Image

MINUTES = {"45 minutes": 45, "90 minutes": 90, "210 minutes": 210, "a day": 360}
PARTS = ["minutes", "say", "vote", "reveal", "they do", "ask", "expect", "board", "cut first"]
guide = lessons.read(make_slides.GUIDE)
every_plan = pytest.mark.parametrize("plan", MINUTES)


def spans(plan):
    return [tuple(map(int, row[0].split("-"))) for row in make_slides.plans()[plan]]


def block_of(row):
    return next((target[1:] for target in lessons.links(row[1]) if target.startswith("#Block:")), None)


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
    rests = [span for span, row in rows.items() if row[1].startswith(("break", "lunch"))]
    sits = zip([0, *(end for _, end in rests)], [*(start for start, _ in rests), MINUTES[plan]], strict=True)
    assert max(end - start for start, end in sits) <= 90
    cut = [int(row[4]) for row in rows.values() if row[4]]  # by the clock, since what is over cannot be cut
    assert cut == [*range(1, len(cut) + 1)] != []
    assert not any(row[4] for row in rows.values() if not row[3])


@every_plan
def test_a_plan_begins_and_ends_as_all_do_and_opens_sections_that_exist(plan):
    rows = make_slides.plans()[plan]
    assert block_of(rows[0]) == "Block:-arrive"
    assert block_of(rows[-1]) == "Block:-exit"
    for row in rows:
        assert block_of(row) or re.match(r"open \d\d$|buffer$|break: |lunch", row[1])
        for name, place in make_slides.opened(row):
            assert not lessons.broken(f"{name}.ipynb#{place}", guide.name)
            assert place


@every_plan
def test_a_plan_has_minutes_for_opening_a_notebook_before_a_block_needs_it(plan):
    ready = {"00"}  # which everybody opens while they arrive
    for row in make_slides.plans()[plan]:
        assert row[3].startswith("only you: ") or {name[:2] for name, _ in make_slides.opened(row)} <= ready
        ready |= {*re.findall(r"\bopen (\d\d)", row[1])}


@every_plan
def test_a_plan_votes_on_the_cards_of_its_blocks_each_once_and_in_their_order(plan):
    rows, voted = make_slides.plans()[plan], []
    for row in rows:
        votes = make_slides.numbers(row)
        cards = re.findall(r"\[card (\d+)\]\(#Card-\1\)", make_slides.blocks()[block_of(row)]["vote"]) if votes else []
        assert {*votes} <= {*cards}
        voted += votes
    assert len({*voted}) == len(voted) >= 2
    assert plan != "90 minutes" or len(voted) in (4, 5)
    if MINUTES[plan] > 90:
        instead = {
            number for rows in make_slides.swaps().values() for row in rows for number in make_slides.numbers(row)
        }
        assert {*voted} == {*make_slides.cards()} - instead


def test_every_block_has_its_parts_and_is_in_a_plan():
    for block in make_slides.blocks().values():
        assert [*block] == PARTS
        assert all(block.values())
    plans = [*make_slides.plans().values(), *make_slides.swaps().values()]
    assert {*make_slides.blocks()} == {block_of(row) for rows in plans for row in rows} - {None}


def test_what_comes_in_place_of_a_block_has_its_minutes():
    for block, (instead,) in make_slides.swaps().items():
        anchor = lessons.anchor(f"Block: {block}")
        (row,) = [row for row in make_slides.plans()["a day"] if block_of(row) == anchor]
        start, end = map(int, row[0].split("-"))
        assert instead[0] == row[0]
        minutes = make_slides.blocks()[block_of(instead)]["minutes"]
        assert sum(map(int, re.findall(r"(?<!card )\b\d+\b(?!:)", minutes))) <= end - start
        for name, place in make_slides.opened(instead):
            assert not lessons.broken(f"{name}.ipynb#{place}", guide.name)


def test_every_card_has_another_example():
    for card in make_slides.make_pages.deck_of([guide]):
        assert card.another.startswith("**Another example:** "), card.number


@every_plan
def test_the_minutes_of_a_block_fit_into_its_row(plan):
    for (start, end), row in zip(spans(plan), make_slides.plans()[plan], strict=True):
        if block_of(row):
            first, _, longer = make_slides.blocks()[block_of(row)]["minutes"].partition("; with ")
            needed = sum(map(int, re.findall(r"(?<!card )\b\d+\b(?!:|\])", first)))
            is_longer = len(make_slides.numbers(row)) > 1 or row[1].endswith("(#Block:-exit)")  # with all questions
            needed += sum(map(int, re.findall(r": (\d+)", longer))) * is_longer
            assert needed <= end - start, row[1]


def test_the_cell_to_paste_needs_nothing_else():
    section = guide.within("4. The room is the expert")
    (pasted,) = [text for cell in section for text in re.findall(r"```python\n(.*?)```", cell.source, flags=re.S)]
    exec(compile(pasted, "pasted", "exec"), {})
    assert pasted.partition("\n\n")[2].strip() in [cell.source for cell in section if cell.code]


# --- slides ---


@cache
def decks():
    return make_slides.decks()


def slides(plan):
    return decks()[plan]


def rows_of(plan):
    return make_slides.plans().get(plan) or make_slides.swaps()["two winners"]


def kinds(plan, kind):
    return [one.html for one in slides(plan) if one.kind == kind]


every_deck = pytest.mark.parametrize("plan", make_slides.decks())


@every_deck
def test_a_card_is_asked_and_its_key_shown_later(plan):
    votes = [number for row in rows_of(plan) for number in make_slides.numbers(row)]
    order = [
        (one.kind, re.search(r"<b>(\d+)\.</b>", one.html)[1]) for one in slides(plan) if one.kind in ("card", "key")
    ]
    assert order == [(kind, number) for number in votes for kind in ("card", "key")]


@every_deck
def test_a_second_space_does_not_show_the_key_of_a_card(plan):
    shown = slides(plan)
    after = [later.kind for one, later in pairwise(shown) if one.kind == "card"]
    assert len(after) == len(kinds(plan, "card")) > 0
    assert "key" not in after


def test_the_class_is_told_how_to_start_and_to_run_the_first_notebook_before_it_votes():
    first, second, *_ = [one.html for one in slides("90 minutes")]
    assert first.index("<code>cd evalteach</code>") < first.index("evalteach lab --fresh class</code>")
    assert "00_start_here" in second
    assert "Run All Cells" in second
    runs = [page for page in kinds("90 minutes", "middle") if "Run All Cells" in page]
    assert [page.count("Leave what is folded shut") for page in runs] == [1, 1]


def test_what_a_class_needs_to_compute_comes_before_the_key_and_a_guess_before_its_picture():
    pages = [re.sub(r"<[^>]*>", "", re.sub(r'alt="[^"]*"', "", one.html)) for one in slides("90 minutes")]

    def place(words):
        (found,) = [i for i, page in enumerate(pages) if words in page]
        return found

    key, card = (
        {one.name: i for i, one in enumerate(slides("90 minutes")) if one.kind == kind} for kind in ("key", "card")
    )
    rule, compute, guess = map(place, ("below 3 / n", "Compute it on paper", "How many of the 100 shuffles"))
    assert rule + 1 == compute < key["key-3"] < guess == place("The others have 2 to 8") - 1
    shown = ("not in the test0.85", "The five dogs score", "real precision 0.444", "Try 3 rabbits", "0.571 on both")
    assert [*map(place, shown)] == [place(shown[0]) + i for i in range(len(shown))]
    task, marbles = map(place, ("At which ratio are about half", "With 100, is it the same share"))
    assert place("For 10 positives there are 100 negatives") - 1 == task < key["key-1"] < marbles
    assert marbles == place("the machine rings for 9 red and 1 white") - 1
    assert place("With 10,000 good chips per defective chip") + 1 == card["card-4"]
    assert card["card-6"] + 1 == place("at least and at most") == key["key-6"] - 1 < place(shown[0]) - 1
    assert "11_recall_travels" not in " ".join(pages[: key["key-6"]])  # whose name is half of the answer
    assert key["key-8"] < place("comes closest to its true precision") == place("R*N/k is 0.20 and 0.50") - 1
    assert pages[place("0.8 × 4 / 7")].endswith("0.457.")
    assert pages[place("The five dogs score")].endswith("the correction says 0.700.")


@every_deck
def test_a_question_to_the_class_is_on_the_wall_before_the_board_and_a_first_sentence_only_before_no_card(plan):
    shown = slides(plan)
    for row in rows_of(plan):
        here = [one for one in shown if one.row == row]
        if not (name := block_of(row)) or name in ("Block:-arrive", "Block:-exit"):
            continue
        block = make_slides.blocks()[name]
        said, asks, board = (make_slides.quoted(block[part]) for part in ("say", "ask", "board"))
        (at,) = [i for i, one in enumerate(here) if one.name == f"ask-{name.removeprefix('Block:-')}"]
        assert here[at].html == make_slides.sentence(asks[0], name=here[at].name).html
        after = [one.html for one in here[at + 1 :]]
        late = board[:1] if "*board*" not in block["reveal"] else []
        assert after == [make_slides.sentence(words).html for words in late]
        start = make_slides.sentence(said[0]).html
        kind = next(one.kind for one in here if one.html != start)
        assert (here[0].html == start) == (kind != "card" or "?" in said[0]), name


def test_the_run_sheet_has_what_a_teacher_would_look_up_elsewhere():
    shown, rows = slides("90 minutes"), make_slides.plans()["90 minutes"]
    sheet = make_slides.run_sheet(shown, rows, "90 minutes")
    goes = {}
    for rule, minute in clock_rules("90 minutes"):
        words = re.escape(make_slides.in_html(rule))
        goes |= {str(minute): shown[int(n) - 1].name for n in re.findall(rf"{words} Go to slide (\d+)\.", sheet)}
    asks = {"32": "ask-too-good", "41": "card-4", "59": "ask-the-cat-flap", "75": "ask-twelve-mails"}
    assert goes == asks | {"70": "exit", "83": "exit"}
    for number, card in make_slides.cards().items():
        voted = any(number in make_slides.numbers(row) for row in rows)
        assert (make_slides.in_html(card.another) in sheet) == voted
    assert [f"<br>open: {make_slides.in_html(row[3])}<" in sheet for row in rows] == [bool(row[3]) for row in rows]


def test_a_sentence_of_a_row_becomes_a_whole_one():
    assert make_slides.whole("four of 9 are cats") == make_slides.whole("four of 9 are cats.") == "Four of 9 are cats."


@every_deck
def test_the_run_sheet_names_every_slide_once_in_the_row_that_needs_it_and_the_right_letters(plan):
    rows, shown = make_slides.every_rows()[plan], slides(plan)
    sheet = make_slides.run_sheet(shown, rows, plan)
    head, *lines = [re.findall(r"<t[hd]>(.*?)</t[hd]>", line) for line in re.findall(r"<tr>(.*?)</tr>", sheet)]
    assert head == [*make_slides.SHEET_HEAD]
    assert [line[0] for line in lines] == [row[0] for row in rows]
    named = [range(int(a), int(b or a) + 1) for line in lines for a, b in re.findall(r"^(\d+)(?:-(\d+))?", line[1])]
    assert [number for span in named for number in span] == [*range(1, len(shown) + 1)]
    for card, at, key_at, letter in re.findall(r"card (\d+): (\d+), key: (\d+), ([A-D])", sheet):
        assert f'id="card-{card}"' in shown[int(at) - 1].html
        key = shown[int(key_at) - 1].html
        assert f'id="key-{card}"' in key
        assert re.search(r'<div class="option right"><span class="letter">(.)', key)[1] == letter
    assert len(re.findall(r"card \d+: \d+, key: ", sheet)) == len(kinds(plan, "card"))
    named = {*re.findall(r"\bcard (\d+)", sheet)}
    assert named == {number for row in rows for number in make_slides.numbers(row)}
    assert make_slides.vote_rule().count(" minutes)") == 3
    assert make_slides.in_html(make_slides.vote_rule()) in sheet
    rules = clock_rules(plan)
    assert len(rules) == (7 if plan == "90 minutes" else 0)
    for rule, minute in rules:
        (line,) = [line for line in lines if make_slides.in_html(rule) in line[-1]]
        assert int(line[0].partition("-")[0]) <= minute < int(line[0].partition("-")[2])
    first = make_slides.blocks()[block_of(rows[0])]
    assert make_slides.in_html(first["say"]) in sheet
    assert make_slides.in_html(first["cut first"]) in sheet
    for part in ("minutes", "vote", "they do", "expect"):
        assert make_slides.in_html(first[part]) in sheet


def clock_rules(plan):
    told = "\n".join(cell.source for cell in guide.within(f"Plan: {plan}"))
    return [(rule, int(minute)) for rule, minute in re.findall(r"^- (At minute (\d+).*)$", told, flags=re.M)]


def test_who_carries_a_number_to_another_place_is_told_that_the_threshold_stays():
    (ticket,) = guide.within("6. The exit ticket")[:1]
    asked = re.findall(r"^\d\. (.*)$", ticket.source, flags=re.M)
    asked += [make_slides.cards()[number].question for number in "12346"]
    assert [question for question in asked if "threshold" not in question] == []


def test_a_slide_says_in_its_corner_which_minutes_and_which_block_it_belongs_to():
    page = make_slides.deck(slides("90 minutes"), "90 minutes", {})
    for at in ("0-7 arrive", "21-35 too good", "48-53 break", "65-78 twelve mails", "83-90 exit"):
        assert f'<section data-at="{at}"' in page
    assert page.count("<section data-at=") == len(slides("90 minutes"))


@every_deck
def test_the_key_marks_the_right_answer_beside_its_reason(plan):
    for page in kinds(plan, "key"):
        options = page.split('<div class="option')[2:]
        assert len(options) == 4
        assert sum(part.startswith(" right") for part in options) == 1
        for part in options:
            _, option, reason = re.findall(r"<span[^>]*>(.*?)</span>", part)
            assert option
            assert reason.startswith("right") == part.startswith(" right")


@every_deck
def test_a_slide_has_at_most_one_picture_with_its_words_and_pictures_come_from_opened_sections(plan):
    wanted = [
        picture.html
        for row in rows_of(plan)
        for name, place in make_slides.opened(row)
        for picture in make_slides.shown_of(name, place)
    ]
    assert {*kinds(plan, "picture")} <= {*wanted}
    under = re.compile(r"<p .*?</p>")
    assert {under.sub("", one) for one in kinds(plan, "table")} <= {*wanted}
    for one in slides(plan):
        assert one.html.count("<img") == (one.kind == "picture")
        assert 'alt=""' not in one.html
        assert "](" not in one.html


def test_a_table_to_fill_in_comes_before_the_full_one_and_the_paper_vote_gets_its_key():
    pages = [one.html for one in slides("90 minutes")]
    (empty,), full = kinds("90 minutes", "fill"), next(page for page in pages if "9 to 100<" in page)
    assert empty.count("<td>?</td>") == 3
    (right,) = [page for page in pages if "0.031" in page and 'class="wall middle"' in page]
    asked = next(page for page in pages if "on the line" in page.lower() and "10,000" in page)
    assert pages.index(asked) < pages.index(right) < pages.index(empty) == pages.index(full) - 1


def test_one_plan_can_be_made_alone_and_without_drawing(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(make_slides, "decks", decks)
    make_slides.main([str(tmp_path / "slides"), "--plan", "45 minutes", "--draft"])
    assert {path.name for path in (tmp_path / "slides").iterdir()} == {
        "reveal",
        "45_minutes.html",
        "45_minutes_run_sheet.html",
    }
    with pytest.raises(SystemExit):
        make_slides.main([str(tmp_path / "slides")])
    assert "name a folder that is not there yet" in capsys.readouterr().err


def test_slides_fetch_nothing():
    page = make_slides.deck(slides("90 minutes"), "90 minutes", {})
    assert not re.findall(r"""(?:src|href)=["'](?!reveal/|data:|#)[^"']+""", page)
    assert not re.search(r"@import|url\(['\"]?http", page)


@pytest.mark.parametrize(
    ("source", "wall"),
    [
        ("see [section 4](#4.-How-sure-are-we?) and [01](01_x.ipynb#1.-a-(b))", "see section 4 and 01"),
        ("`$HOME` < 3", "<code>$HOME</code> &lt; 3"),
        ("*Run* and **bold**", "<em>Run</em> and <b>bold</b>"),
    ],
)
def test_a_line_becomes_what_a_wall_can_show(source, wall):
    assert make_slides.in_html(source) == wall


def test_letters_of_a_picture_are_large_and_none_of_them_overlap():
    figure = Figure(figsize=(7, 3.7), layout="constrained")
    axes = figure.subplots()
    axes.set(title="a title", xlabel="a label", xlim=(0, 1))
    for place in (0.2, 0.21, 0.5):
        axes.text(place, 0.5, "8", fontsize=7)
    make_slides.enlarge(figure)
    figure.canvas.draw()
    scale = make_slides.scale(figure) / 72
    assert scale * 72 * 7 <= 1192
    sizes = [text.get_fontsize() * scale for text in figure.findobj(Text) if text.get_text()]
    assert min(sizes) >= 24 * (1 - 1e-9)
    assert axes.title.get_fontsize() * scale >= 30 * (1 - 1e-9)
    assert [text.get_position()[0] for text in make_slides.thin(figure)] == [0.21]


@pytest.mark.browser_full  # starts a kernel
def test_a_picture_is_drawn_again_with_large_letters():
    (stored,) = [*make_slides.shown_of("11_recall_travels", "1.-Five-dogs-at-the-cat-flap")][1:]
    larger = make_slides.redrawn([stored])
    assert stored.png in larger
    before, after = (Image.open(BytesIO(b64decode(png))) for png in (stored.png, larger[stored.png]))
    assert after.width / before.width == make_slides.DPI / 100
    assert larger[stored.png] in make_slides.deck([stored], "animals", larger)


def test_formulas_need_no_script():
    assert "<math" in make_slides.in_html("$x^2$")


def test_without_reveal_js_it_is_said_what_to_install(monkeypatch):
    monkeypatch.setattr(make_slides, "find_spec", lambda name: None)
    with pytest.raises(SystemExit, match="pip install sphinx-revealjs"):
        make_slides.reveal()
