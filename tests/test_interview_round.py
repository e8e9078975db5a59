"""A round without a browser: what is asked in which order, what each button does, what is kept; the sheet."""

import json
import os
import re
from datetime import date, datetime, timedelta

import lessons
import pytest

import evalteach
from evalteach import InterviewRound, interviewer_sheet
from evalteach.interview import bank, record, screen, sheet
from evalteach.interview import round as rounds
from evalteach.interview.record import Card, Record, Said
from evalteach.interview.screen import filled, plain

TODAY = date(2030, 5, 17)
TEXT = """## {name}
*{kind} · {level} · {minutes} minutes · {often}[{notebook}: {n}. Part](../../notebooks/{notebook}.ipynb#{n}.-Part)*

**Asked:** Of {n}0 alarms {{{{ real }}}} are real. Which `share` is that?

**Clarifying questions:**
- All of them? Yes & no.

**Numbers:**
- `real = 3` of `2..9`

**Answer:** {answer}

**Hints:**
- Which number is below?
- {{{{ real }}}} is above.

**Wrong:**
- {wrong}: one & the other
{options}
**Said:** It is {{{{ real }}}} in {n}0. I am **sure** of it.

**Junior:** Divides.

**Mid:** Says of what.

**Senior:** Asks why.

**Points:**
- of the alarms
- an interval
- a next step

**Red flags:**
- "imbalance"

**Follow-ups:**
- How sure? → From 0.1 to 0.9.
- And then? → Label more.
"""
LETTERS = "\n**Options:**\n- A) yes — tempting\n- B) no — right\n"


def block(name, kind="compute", level="mid", minutes=3, notebook="10_class_ratio", n=3, often=""):
    if kind == "decide":
        kind = {"answer": '`"B"`', "wrong": '`"A"`', "options": LETTERS, "kind": kind}
    else:
        kind = {"answer": f"`real / {n}0` ± 0.005", "wrong": "`real / 1000`", "options": "", "kind": kind}
    return TEXT.format(name=name, level=level, minutes=minutes, notebook=notebook, n=n, often=often, **kind)


BANK = bank.read(
    "\n".join(
        [
            block("a-01", n=1, often="asked most · "),
            block("a-02", "decide", n=2),
            block("a-03", "say", minutes=1, n=3),
            block("b-01", notebook="04_roc", level="senior", n=4, often="asked most · "),
            block("b-02", notebook="04_roc", level="junior", n=5),
            block("c-01", "design", notebook="31_rank", minutes=15, n=6),
        ]
    )
)


@pytest.fixture(autouse=True)
def small_bank(monkeypatch, tmp_path):
    """Six questions, a folder of one's own, and a clock that stands still."""
    monkeypatch.setattr(rounds, "questions", lambda: BANK)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(rounds, "_now", lambda: datetime(2030, 5, 17, 9, 31))


def make(**given):
    return InterviewRound(**{"seed": 1, "path": None, **given})


def only(name, **given):
    """A round of one question."""
    asked = make(minutes=99, **given)
    place = [dealt.question.name for dealt in asked.questions].index(name)
    asked.questions = [asked.questions[place]]
    asked._ask()
    return asked


def names(asked):
    return [dealt.question.name for dealt in asked.questions]


def right_answer(asked, *, right=True, sure=80, ticks=(), notes="Of all alarms."):
    """Answer the question that is shown, up to its solution."""
    dealt = asked._dealt
    asked.sure.value, asked.notes.value = sure, notes
    given = dealt.answer if right else dealt.wrong[0][0]
    if isinstance(given, str):
        asked.letter.value = given
    else:
        asked.typed.value = str(given)
    asked.primary.click()
    for place in ticks:
        asked.ticks.children[1 + place].value = True


def seen(part):
    return part.layout.display != "none"


# --- which questions, in which order ---


def test_the_package_offers_both_and_the_order_is_the_seeds():
    assert evalteach.InterviewRound is rounds.InterviewRound
    assert evalteach.interviewer_sheet is sheet.interviewer_sheet
    assert sorted(names(make(minutes=60))) == ["a-01", "a-02", "a-03", "b-01", "b-02", "c-01"]
    assert names(make(minutes=60)) == names(make(minutes=60))
    assert len({tuple(names(make(minutes=60, seed=seed))) for seed in range(9)}) > 4
    assert make().questions[0].values == make().questions[0].values
    assert len({make(topic="a", seed=seed).questions[0].values["real"] for seed in range(20)}) > 3
    assert InterviewRound(path=None).seed != InterviewRound(path=None).seed


@pytest.mark.parametrize("topic", ["04", 4, "04_roc", "b", ["04", "b"], [4], (4,), {4, "b"}])
def test_a_topic_is_a_notebook_or_the_first_word_of_a_question(topic):
    assert sorted(names(make(topic=topic, minutes=60))) == ["b-01", "b-02"]


def test_topics_and_levels_are_chosen_together():
    assert set(names(make(topic=["a", "31"], minutes=60))) == {"a-01", "a-02", "a-03", "c-01"}
    assert names(make(level="junior")) == ["b-02"]
    assert names(make(topic="04", level="senior")) == ["b-01"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"topic": "99"}, r"topic must be a notebook that questions are about \(04, 10, 31\), got '99'"),
        ({"topic": ["04", "x"]}, r"topic must be a notebook .* got 'x'"),
        ({"level": "expert"}, "level must be one of 'junior', 'mid', 'senior', got 'expert'"),
        ({"topic": "31", "level": "junior"}, "there are no questions with topic='31' and level='junior'; leave one"),
        ({"minutes": 0}, "minutes must be above 0 and finite, got 0"),
        ({"seed": "abc"}, "seed must be one real number, got 'abc'"),
        ({"seed": -1}, "seed must be a whole number from 0 to 1000000000, got -1"),
        ({"minutes": "long"}, "minutes must be one real number, got 'long'"),
    ],
)
def test_what_there_is_not_is_refused(given, said):
    with pytest.raises(ValueError, match=f"^{said}"):
        make(**given)


def test_a_round_takes_the_minutes_that_are_given_and_one_question_at_least():
    for minutes in (1, 4, 7, 16, 28):
        asked = [dealt.question.minutes for dealt in make(minutes=minutes).questions]
        assert sum(asked) <= minutes or len(asked) == 1
    assert len(make(minutes=28).questions) == 6


@pytest.mark.parametrize("seed", range(6))
def test_topics_come_by_turns(seed):
    about = [dealt.question.notebook for dealt in make(minutes=60, seed=seed).questions]
    assert len({*about[:3]}) == 3


def kept(tmp_path, **cards):
    """A record with these boxes and days from today."""
    told = {name.replace("_", "-"): [box, str(TODAY + timedelta(days))] for name, (box, days) in cards.items()}
    path = tmp_path / record.FILE
    path.write_text(json.dumps({"answers": [], "cards": told}))
    return path


def test_what_is_due_comes_first_the_oldest_before_and_what_is_not_due_is_left_out(tmp_path):
    path = kept(tmp_path, a_01=(1, 0), b_01=(3, -9), c_01=(1, 1))
    for seed in range(6):
        asked = names(make(path=path, minutes=60, seed=seed))
        assert asked[:2] == ["b-01", "a-01"]
        assert sorted(asked[2:]) == ["a-02", "a-03", "b-02"]


def test_where_nothing_is_due_or_new_the_next_ones_come(tmp_path):
    path = kept(tmp_path, b_01=(4, 20), b_02=(1, 1))
    assert names(make(path=path, topic="04", minutes=60)) == ["b-02", "b-01"]


# --- what the buttons do ---


def test_a_question_shows_its_words_and_no_answer():
    asked = only("a-01")
    assert "<code>share</code>" in asked.prompt.value
    assert "Yes &amp; no." in asked.prompt.value
    assert "in 10" not in asked.prompt.value + asked.hints.value + asked.solution.value
    assert "tempting" not in only("a-02").prompt.value
    assert re.search(r"[AB]\) no", only("a-02").prompt.value)
    assert repr(asked) == (
        f"Question 1 of 1 (a-01: compute, mid, 3 min): Of 10 alarms {asked._dealt.values['real']} are real. "
        "Which share is that?"
    )


def test_a_number_is_typed_a_letter_chosen_and_what_is_said_aloud_is_noted():
    for name, shown in (("a-01", (1, 0, 0)), ("a-02", (0, 1, 0)), ("a-03", (1, 0, 1))):
        asked = only(name)
        assert (seen(asked.typed), seen(asked.letter), seen(asked.notes)) == tuple(map(bool, shown))
    assert only("a-02").letter.options == ("A", "B")
    assert only("a-02").letter.value is None


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("a-01", {"typed": ".5"}, "Say first how sure you are."),
        ("a-01", {"sure": 90, "typed": " "}, "Give an answer first; or press: I do not know."),
        ("a-02", {"sure": 90}, "Give an answer first; or press: I do not know."),
        ("a-03", {"sure": 90, "typed": "0.5"}, "Note what you said first."),
        ("a-01", {"sure": 90, "typed": "half"}, "Type a number, such as 0.031, 3.1%, 1/6 or 9,000; 'half' is none."),
        ("a-01", {"sure": 90, "typed": "0,3"}, "Is 0,3 a decimal? Write 0.3; commas separate thousands here."),
        ("a-01", {"sure": 90, "typed": "30"}, "Do you mean 30%? Write 30% or 0.3."),
    ],
)
def test_what_is_missing_or_can_be_read_in_two_ways_is_asked_for_and_nothing_is_judged(name, given, said):
    asked = only(name)
    for part, value in given.items():
        getattr(asked, part).value = value
    asked.primary.click()
    assert (asked.state, asked.clock.shown, asked.record.answers) == ("ask", said, [])


def test_the_answer_shows_at_once_beside_the_readers_own_words_and_the_points_to_tick():
    asked = only("a-03")
    right_answer(asked, notes="3 of <30>")
    assert [box.description for box in asked.ticks.children[1:]] == ["of the alarms", "an interval", "a next step"]
    assert not any(map(seen, (asked.sure, asked.typed, asked.notes, asked.hint, asked.pass_on)))
    for words in (
        "<b>Right. You gave 0.",
        "<b>Your words:</b> 3 of &lt;30&gt;",
        "<strong>sure</strong>",
        "<b>Junior:</b> Divides.",
        "<b>Senior:</b> Asks why.",
        "&quot;imbalance&quot;",
        "<summary><b>Follow-up:</b> How sure?</summary><p>From 0.1 to 0.9.</p>",
    ):
        assert words in asked.solution.value


def test_a_wrong_answer_gets_the_reason_of_the_bank_or_the_name_of_its_slip():
    asked = only("a-01")
    right_answer(asked, right=False)
    assert "<b>Not right. You gave " in asked.solution.value
    assert f"it is {asked._dealt.shown}. One & the other." in asked.solution.value
    asked = only("a-02")
    right_answer(asked, right=False)
    letter = asked._dealt.answer
    assert f"You gave {'AB'['BA'.index(letter)]}, and it is {letter}. One & the other." in asked.solution.value
    assert "yes — tempting" in asked.solution.value
    asked = only("a-01")
    asked.sure.value, asked.typed.value = 50, str(asked._dealt.answer / 2)
    asked.primary.click()
    assert "That is half of the answer." in asked.solution.value


@pytest.mark.parametrize(
    ("name", "right", "ticks", "hints", "points"),
    [
        *[("a-01", True, (0, 1, 2), 0, 10), ("a-01", True, (), 0, 6), ("a-01", True, (0,), 1, 5)],
        *[("a-01", False, (0, 1, 2), 1, 2), ("a-01", False, (), 2, 0)],
        *[("a-03", True, (0, 1, 2), 0, 10), ("a-03", True, (), 0, 4), ("a-03", False, (0, 1, 2), 0, 6)],
    ],
)
def test_points_are_for_the_answer_and_for_what_was_covered_and_two_less_a_hint(name, right, ticks, hints, points):
    asked = only(name)
    for _ in range(hints):
        asked.hint.click()
    right_answer(asked, right=right, ticks=ticks)
    asked.primary.click()
    assert (asked.results[0].points, asked.results[0].hints) == (points, hints)


def test_hints_come_one_by_one_and_then_the_button_goes():
    asked = only("a-01")
    assert asked.hint.description == "Hint 1 of 2 (costs 2 points)"
    asked.hint.click()
    assert "Which number is below?" in asked.hints.value
    assert "is above" not in asked.hints.value
    assert asked.clock.heard == "Which number is below?"
    asked.hint.click()
    assert "is above" in asked.hints.value
    assert not seen(asked.hint)
    assert seen(asked.pass_on)


@pytest.mark.parametrize("name", ["a-01", "a-02", "a-03"])
def test_giving_up_shows_the_answer_and_brings_no_point_and_no_tick(tmp_path, name):
    asked = only(name, path=tmp_path / "kept.json")
    asked.pass_on.click()
    assert asked.ticks.children == ()
    assert f"It is {asked._dealt.shown}." in asked.solution.value
    asked.primary.click()
    assert (asked.results[0].points, asked.results[0].right, asked.results[0].sure) == (0, False, None)
    assert asked.record.answers == []
    assert asked.record.cards[name] == Card(0, TODAY)
    assert asked.feedback() == "You tried no answer in this round."


def test_the_next_question_begins_with_nothing_of_the_last_one():
    asked = make(topic="04", minutes=60)
    asked.hint.click()
    right_answer(asked, ticks=(0,))
    asked.primary.click()
    assert asked.head.value.startswith("<b>Question 2 of 2 (")
    assert (asked.sure.value, asked.typed.value, asked.notes.value, asked.ticks.children) == (0, "", "", ())
    assert asked.hints.value == asked.solution.value == ""
    assert (asked.clock.question, asked.clock.running) == (2, True)


def test_with_days_left_come_those_that_are_asked_most_and_what_was_missed_comes_again(tmp_path):
    asked = make(days=2, minutes=60, path=tmp_path / "kept.json")
    assert sorted(names(asked)) == ["a-01", "b-01"]
    first, numbers = names(asked)[0], asked._dealt.values
    right_answer(asked, right=False)
    assert asked.primary.description == "Next question"
    assert names(asked)[2] == first
    assert asked.questions[2].values != numbers or asked.questions[2].seed != asked.questions[0].seed
    for _ in range(3):
        asked.primary.click()
        if asked.state == "ask":
            right_answer(asked)
    assert (asked.state, len(asked.results)) == ("over", 3)
    assert {card.due - TODAY for card in asked.record.cards.values()} <= {timedelta(0), timedelta(1)}
    Record(tmp_path / "other.json").note("a-01", 80, True, TODAY, 2)
    for day, wait in ((1, 1), (2, 2), (4, 2)):
        told = Record(tmp_path / "other.json")
        assert told.cards["a-01"].due - TODAY == timedelta(day) or wait
        told.note("a-01", 80, True, TODAY, 2)
    assert Record(tmp_path / "other.json").cards["a-01"] == Card(4, TODAY + timedelta(2))


def test_the_end_has_score_and_up_to_three_links_to_what_went_worst(monkeypatch):
    time = iter(range(1000))
    monkeypatch.setattr(rounds, "_now", lambda: datetime(2030, 5, 17, 9, 31) + timedelta(minutes=10 * next(time)))
    asked = make(minutes=60)
    for number in range(6):
        right_answer(asked, right=number > 1, ticks=(0, 1, 2) if number > 2 else ())
        asked.primary.click()
    assert asked.state == "over"
    worst = [dealt.question for dealt in asked.questions[:3]]
    again = [f"{question.notebook[:2]} §{question.section.replace('.', '')}" for question in worst]
    assert repr(asked).endswith(f"Read again: {'; '.join(again)}.")
    assert repr(asked).startswith("4 of 6 right, ")
    (shown,) = asked.links.outputs
    linked = re.findall(r"\]\((.*)\)", shown["data"]["text/markdown"])
    assert linked == [question.link.removeprefix("../../notebooks/") for question in worst]
    assert not any(map(seen, (asked.hint, asked.pass_on, asked.sure, asked.typed, asked.letter)))
    assert asked.prompt.value.count("<tr>") == 7
    assert "On average you were 80% sure, and 4 of 6 answers were right." in asked.prompt.value
    assert asked.clock.shown == "60 minutes, 28 were planned."


@pytest.mark.parametrize(
    ("section", "said"),
    [
        ("4. Whom? Part", "10 §4 Whom? Part."),
        ("4. How sure?", "10 §4 How sure?"),
        ("Words, e.g. these", "10 Words, e.g. these."),
        ("In words", "10 In words."),
    ],
)
def test_a_section_is_named_as_a_reader_finds_it(monkeypatch, section, said):
    told = block("a-01", n=1).replace("1. Part]", f"{section}]")
    monkeypatch.setattr(rounds, "questions", lambda: bank.read(told))
    asked = make()
    right_answer(asked, right=False)
    asked.primary.click()
    assert repr(asked) == f"0 of 1 right, 0 of 10 points, seed 1. Read again: {said}"


def test_another_round_deals_other_numbers_and_begins_with_what_is_due(tmp_path):
    asked = make(topic="04", minutes=60, path=tmp_path / "kept.json")
    first = names(asked)[0]
    for right in (False, True):
        right_answer(asked, right=right)
        asked.primary.click()
    assert asked.primary.description == "Another round"
    asked.primary.click()
    assert (asked.seed, asked.results, asked.links.outputs, asked.state) == (2, [], (), "ask")
    assert names(asked) == [first], "the other one is due tomorrow"
    assert asked.questions[0].seed == 2
    assert asked.head.value.startswith("<b>Question 1 of 1 (")


def test_who_gets_everything_right_has_nothing_to_read_again():
    asked = only("a-01")
    right_answer(asked, ticks=(0, 1, 2))
    asked.primary.click()
    assert repr(asked) == "1 of 1 right, 10 of 10 points, seed 1."
    assert asked.links.outputs == ()


def test_without_a_kernel_the_question_can_be_read():
    bundle = make()._repr_mimebundle_()
    assert bundle["text/plain"].startswith("Question 1 of 6 (")
    assert "application/vnd.jupyter.widget-view+json" in bundle


def test_the_browser_keeps_the_clock_and_says_what_the_kernel_need_not_know():
    asked = make()
    assert (asked.clock.minutes, asked.clock.running) == (asked._dealt.question.minutes, True)
    assert "alarms" in asked.clock.heard
    synced = asked.clock.keys
    assert not [name for name in synced if "time" in name or "second" in name]


# --- what is kept ---


def test_right_answers_move_a_question_on_through_five_boxes_and_a_wrong_one_back(tmp_path):
    path = tmp_path / record.FILE
    day, waits = TODAY, []
    for _ in range(6):
        Record(path).note("a-01", 80, True, day)
        card = Record(path).cards["a-01"]
        waits.append((card.box, (card.due - day).days))
        day = card.due
    assert waits == [(1, 1), (2, 3), (3, 7), (4, 21), (4, 21), (4, 21)]
    Record(path).note("a-01", 80, False, day)
    assert Record(path).cards["a-01"] == Card(0, day)
    assert Record(path).answers == [Said("a-01", 80, True)] * 6 + [Said("a-01", 80, False)]


def test_a_round_keeps_name_box_day_and_answer_and_nothing_before_the_first(tmp_path):
    asked = only("a-01", path=record.FILE)
    assert list(tmp_path.iterdir()) == []
    right_answer(asked)
    assert [path.name for path in tmp_path.iterdir()] == [".evalteach-interview.json"]
    told = json.loads((tmp_path / record.FILE).read_text())
    assert told.pop("about") == record.ABOUT
    assert told == {"answers": [["a-01", 80, True]], "cards": {"a-01": [1, "2030-05-18"]}}


def test_two_rounds_at_once_lose_nothing(tmp_path):
    path = tmp_path / "kept.json"
    one, other = Record(path), Record(path)
    one.note("a-01", 80, True, TODAY)
    other.note("a-02", 60, False, TODAY)
    assert set(Record(path).cards) == {"a-01", "a-02"}
    assert len(Record(path).answers) == 2


def test_a_file_that_was_deleted_meanwhile_is_made_again_with_what_is_known(tmp_path):
    path = tmp_path / "kept.json"
    one = Record(path)
    one.note("a-01", 80, True, TODAY)
    path.unlink()
    one.note("a-02", 80, True, TODAY)
    assert set(Record(path).cards) == {"a-01", "a-02"}


DAMAGED = [
    (b"", "Expecting value"),
    (b"{", "Expecting property name"),
    (b"\xff\xfe", "(codec|Expecting)"),
    (b"[" * 100_000, "recursion"),
    (b"[]", r"\(it holds something else\)"),
    (b"{}", "'cards' is missing"),
    (b'{"cards": {}}', "'answers' is missing"),
    (b'{"cards": {"a": 1}, "answers": []}', r"\(it holds something else\)"),
    (b'{"cards": {"a": [1, "soon"]}, "answers": []}', "Invalid isoformat"),
    (b'{"cards": {"a": [5, "2030-05-17"]}, "answers": []}', "boxes are 0 to 4"),
    (b'{"cards": {"a": [true, "2030-05-17"]}, "answers": []}', "boxes are 0 to 4"),
    (b'{"cards": {}, "answers": [["a", 80]]}', r"\(it holds something else\)"),
    (b'{"cards": {}, "answers": [["a", 101, true]]}', r"\(an answer is a name, percent, and true or false\)"),
    (b'{"cards": {}, "answers": [["a", 80, 1]]}', "a name, percent, and true or false"),
]


def test_a_file_may_say_that_nothing_and_that_all_was_sure(tmp_path):
    path = tmp_path / "kept.json"
    path.write_text('{"cards": {"a": [4, "2030-05-17"]}, "answers": [["a", 0, true], ["a", 100, false]]}')
    kept = Record(path)
    assert [(said.sure, said.right) for said in kept.answers] == [(0, True), (100, False)]


@pytest.mark.parametrize(("damaged", "said"), DAMAGED, ids=range(len(DAMAGED)))
def test_a_damaged_file_is_refused_with_the_reason_and_left_as_it_is(tmp_path, damaged, said):
    path = tmp_path / "kept.json"
    path.write_bytes(damaged)
    with pytest.raises(
        ValueError, match=f"kept.json cannot be read .*{said}.* it was left as it is. Rename or delete it"
    ):
        make(path=path)
    assert path.read_bytes() == damaged


@pytest.mark.parametrize("kind", ["link", "dangling link", "folder"])
def test_what_is_no_plain_file_is_refused_and_left_alone(tmp_path, kind):
    path, precious = tmp_path / "kept.json", tmp_path / "precious"
    if kind == "folder":
        path.mkdir()
    else:
        if kind == "link":
            precious.write_text('{"cards": {}, "answers": []}')
        path.symlink_to(precious)
    with pytest.raises(ValueError, match=r"\(it is no plain file\)"):
        make(path=path)
    assert path.is_dir() if kind == "folder" else path.is_symlink()


def test_what_was_damaged_during_a_round_is_said_and_left_and_the_round_goes_on(tmp_path):
    path = tmp_path / "kept.json"
    asked = only("a-01", path=path)
    path.write_bytes(b"{")
    right_answer(asked)
    damaged = r"Right\. .* Not kept: .*kept\.json cannot be read .*, and all questions are new again\."
    assert re.fullmatch(damaged, asked.clock.shown)
    assert path.read_bytes() == b"{"
    assert asked.state == "shown"


def test_an_answer_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "kept.json"
    asked = only("a-01", path=path)
    Record(path).note("a-02", 70, True, TODAY)
    before = path.read_bytes()

    def fail(*_):
        raise OSError(28, "No space left on device", path.with_name("a name that nobody knows"))

    monkeypatch.setattr(os, "replace", fail)
    right_answer(asked)
    assert asked.clock.shown.endswith(f" Not kept: {path}: No space left on device.")
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


# --- the reader's own confidence ---


def advice(tmp_path, said):
    path = tmp_path / "kept.json"
    path.write_text(json.dumps({"cards": {}, "answers": [["a-01", sure, right] for sure, right in said]}))
    return Record(path).advice()


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ([(90, True)] * 19, ""),
        (
            [(90, True)] * 14 + [(90, False)] * 6,
            "When you say 80% or more (90% on average), you are right 14 of 20 times, so say 70% "
            "where you now say 90%.",
        ),
        (
            [(90, True)] * 18 + [(90, False)] * 2,
            "When you say 80% or more (90% on average), you are right 18 of 20 times, which fits.",
        ),
        (
            [(50, True)] * 18 + [(50, False)] * 2 + [(99, False)],
            "When you say less than 80% (50% on average), you are right 18 of 20 times, so say 90% "
            "where you now say 50%.",
        ),
    ],
)
def test_from_twenty_answers_on_a_sentence_says_what_to_say_instead(tmp_path, said, line):
    assert advice(tmp_path, said) == line


def test_one_wrong_answer_of_somebody_who_was_certain_is_one_answer(tmp_path):
    assert max(screen.SURE) < 100, "nobody can say so"
    told = advice(tmp_path, [(100, True)] * 19 + [(100, False)])
    assert told.endswith("you are right 19 of 20 times, so say 95% where you now say 100%.")
    assert "inf" not in told


# --- Markdown of questions ---


def test_markdown_is_shown_and_no_html_of_a_text_is():
    text = "a **b** `c*d` <f> [10](10.ipynb#x)\n\n| x | y |\n|---|---|\n| 1 | 2 |"
    assert plain(text) == "a b c*d <f> 10 x y 1 2"
    made = filled("debrief", text, [("Causes", ["*one* <i>"])])
    for part in ("<strong>b</strong> <code>c*d</code> &lt;f&gt; 10</p>", "<td>1</td>", "<em>one</em> &lt;i&gt;</li>"):
        assert part in made


# --- the sheet for two ---


@pytest.fixture
def whole_bank(monkeypatch):
    monkeypatch.setattr(rounds, "questions", bank.questions)


@pytest.mark.usefixtures("whole_bank")
@pytest.mark.parametrize("topic", [None, "10", ["31", "32"]])
@pytest.mark.parametrize("level", [None, *bank.LEVELS])
def test_a_sheet_has_the_seven_questions_of_four_kinds_that_it_promises(level, topic):
    for seed in range(20):
        chosen = sheet.sheet_questions(seed, level, topic)
        assert [question.kind for question in chosen] == ["say", "compute", "say", "compute", "say", "debug", "design"]
        assert len({question.name for question in chosen}) == 7
        if topic is None:
            assert len({question.notebook for question in chosen}) == 7 or level
        assert sum(question.minutes for question in chosen) <= 45
    assert sheet.sheet_questions(5, level, topic) == sheet.sheet_questions(5, level, topic)
    own = [question for question in bank.questions() if question.level == level and question.kind == "say"]
    if level and len(own) >= 3:
        assert {question.level for question in sheet.sheet_questions(5, level)[:3:2]} == {level}


def words_of(path):
    return re.sub(r"\s+", " ", re.sub(r"<style>.*?</style>|<[^>]+>", "", path.read_text(encoding="utf-8"), flags=re.S))


def test_the_interviewer_has_everything_and_the_candidate_the_questions_alone(tmp_path):
    assert interviewer_sheet(3) == "interview-3.html"
    assert interviewer_sheet(3, candidate=True) == "interview-3-candidate.html"
    mine, theirs = (words_of(tmp_path / f"interview-3{end}.html") for end in ("", "-candidate"))
    for question in sheet.sheet_questions(3):
        dealt = question.deal(3)
        assert plain(dealt.texts["Asked"]) in mine
        assert plain(dealt.texts["Asked"]) in theirs
    for words in (
        "Yes &amp; no.",
        "Which number is below?",
        "I am sure of it.",
        "an interval",
        "Label more.",
        "&quot;imbalance&quot;",
    ):
        assert words in mine
        assert words not in theirs
    for words in (*sheet.ANCHORS, "Keep doing:", "interviewer_sheet(3)", "(expected: mid)"):
        assert words in mine
    assert "1:00 Which number is below? · 2:00" in mine, "a hint after each third of three minutes"


def test_the_same_seed_gives_the_same_sheet_and_a_file_is_never_overwritten(tmp_path):
    one, other = tmp_path / "one.html", tmp_path / "other.html"
    assert interviewer_sheet(8, one) == str(one)
    interviewer_sheet(8, other)
    assert one.read_bytes() == other.read_bytes()
    with pytest.raises(FileExistsError):
        interviewer_sheet(9, one)
    assert one.read_bytes() == other.read_bytes()
    interviewer_sheet(9, tmp_path / "third.html")
    assert (tmp_path / "third.html").read_bytes() != one.read_bytes()


@pytest.mark.parametrize("seed", [-1, 10**9 + 1, 0.5])
def test_a_seed_that_there_is_not_is_refused_by_name(seed):
    with pytest.raises(ValueError, match=f"^seed must be a whole number from 0 to 1000000000, got {seed}$"):
        interviewer_sheet(seed)


def test_a_level_that_there_is_not_writes_no_sheet(tmp_path):
    with pytest.raises(ValueError, match="level must be one of 'junior', 'mid', 'senior', got 'expert'"):
        interviewer_sheet(1, level="expert")
    with pytest.raises(ValueError, match="topic must be a notebook"):
        interviewer_sheet(1, topic="99")
    assert list(tmp_path.iterdir()) == []


def test_links_of_questions_lead_to_sections_when_they_stand_beside_the_notebooks():
    for question in bank.questions():
        target = question.link.rpartition("/")[2]
        assert target.startswith(f"{question.notebook}.ipynb#")
        assert (lessons.NOTEBOOKS / target.partition("#")[0]).exists()
