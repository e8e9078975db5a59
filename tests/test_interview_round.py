"""A round without a browser: what is asked in which order, what each button does, what is recorded; the sheet."""

import json
import os
import re
from collections import Counter
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest

from evalteach import InterviewRound, interviewer_sheet
from evalteach.interview import bank, questions, record, screen, sheet
from evalteach.interview import round as rounds
from evalteach.interview.record import Answer, Record

TODAY = date(2030, 5, 17)
COMPUTE, DECIDE, SAY = "start-01", "confusion-02", "start-02"


@pytest.fixture(autouse=True)
def own_folder(monkeypatch, tmp_path):
    """A folder of one's own, and a clock that stands still."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(rounds, "_now", lambda: datetime(2030, 5, 17, 9, 31))


def make(**given):
    return InterviewRound(**{"seed": 1, "path": None, **given})


def only(name, **given):
    """A round of one question."""
    practice = make(topic=name.rpartition("-")[0], minutes=999, **given)
    practice.questions = [question for question in practice.questions if question.name == name]
    practice._ask()
    return practice


def names(practice):
    return [question.name for question in practice.questions]


def answer(practice, *, right=True, ticks=(), notes="Of all alarms."):
    """Answer the question that is shown, up to its solution."""
    question = practice.question
    practice.confidence.value, practice.notes.value = 80, notes
    value = question.answer if right else question.mistakes[0][0]
    practice.answer.value = value if isinstance(value, str) else f"{100 * value:.9f} %"
    practice.main.click()
    for place in ticks:
        practice.ticks.children[place].value = True


def text_of(output):
    return output.outputs[0]["data"]["text/markdown"].strip() if output.outputs else ""


# --- which questions, in which order ---


def test_a_seed_determines_the_order_and_the_numbers():
    assert names(make()) == names(make())
    assert make().questions[0].values == make().questions[0].values
    assert len({tuple(names(make(seed=seed))) for seed in range(9)}) > 4
    assert len({str(only(COMPUTE, seed=seed).question.values) for seed in range(9)}) > 4
    assert InterviewRound(path=None).seed != InterviewRound(path=None).seed


def about(*notebooks, level=None):
    return {q.name for q in questions() if q.notebook[:2] in notebooks and level in (None, q.level)}


@pytest.mark.parametrize(
    ("given", "chosen"),
    [
        *[({"topic": topic}, about("04")) for topic in ("04", 4, "04_roc_and_auc", "roc", ["04", "roc"], (4,), {4})],
        ({"topic": ["04", 31]}, about("04", "31")),
        ({"topic": "10", "level": "mid"}, about("10", level="mid")),
        ({"days": 2}, {question.name for question in questions() if question.often}),
    ],
)
def test_a_topic_is_a_notebook_or_the_first_word_of_a_question_and_goes_with_a_level(given, chosen):
    assert {*names(make(minutes=9999, **given))} == chosen


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"topic": "999"}, "there is no question with topic='999' and level=None; topics are 00, 01, .*, and levels"),
        ({"topic": ["04", "x"]}, "there is no question with topic='x'"),
        ({"level": "expert"}, "there is no question .* level='expert'; .* levels junior, mid, senior"),
        ({"minutes": 0}, "minutes must be above 0 and finite, got 0"),
        ({"minutes": "long"}, "minutes must be one real number, got 'long'"),
        ({"seed": -1}, "seed must be a whole number from 0 to 1000000000, got -1"),
        ({"days": 0.5}, "days must be a whole number from 0 to 10000, got 0.5"),
    ],
)
def test_what_does_not_exist_is_refused(given, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        make(**given)


def test_a_round_takes_the_minutes_that_are_given_and_moves_from_topic_to_topic():
    for minutes in (1, 4, 7, 16, 28):
        practice = make(minutes=minutes)
        assert sum(question.minutes for question in practice.questions) <= minutes or len(practice.questions) == 1
    assert len({question.notebook for question in make(minutes=99, seed=minutes).questions[:9]}) == 9


def test_what_is_due_comes_first_the_oldest_before_then_what_is_new_and_then_what_is_not_due(tmp_path):
    old, older, late = sorted(about("04"))[:3]
    days = {old: -1, older: -20, late: 0}
    rows = [[name, str(TODAY + timedelta(day)), 80, True] for name, day in days.items()]
    (tmp_path / "record.json").write_text(json.dumps({"answers": rows}))
    for seed in range(6):
        order = names(make(path="record.json", topic="04", minutes=999, seed=seed))
        assert (order[:2], order[-1]) == ([older, old], late)


# --- what the buttons do ---


def test_a_question_shows_its_words_and_no_answer():
    practice = only(COMPUTE)
    texts, page = practice.question.texts, text_of(practice.page)
    assert repr(practice) == f"Question 1 of 1 (start-01: compute, junior, 3 min): {texts['Asked']}"
    assert practice._repr_mimebundle_()["text/plain"] == repr(practice)
    assert all(line in page for line in (texts["Asked"], *texts["Clarifying questions"]))
    assert not [line for line in (*texts["Hints"], texts["Said"]) if line in page]
    practice = only(DECIDE)
    options = [option.split(" — ") for option in practice.question.texts["Options"]]
    assert all(option in text_of(practice.page) and reason not in text_of(practice.page) for option, reason in options)


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        (COMPUTE, {"answer": ".5"}, "Say first how sure you are."),
        (
            COMPUTE,
            {"confidence": 90, "answer": " "},
            "' ' is not a number; type one such as 0.5, 50%, 1/2 or 2,000.",
        ),
        (
            COMPUTE,
            {"confidence": 90, "answer": "1,,3"},
            "Which comma of 1,,3 is a decimal point? Write a point for it, and no other comma.",
        ),
        (DECIDE, {"confidence": 90, "answer": "x"}, "The answer must be one of 'A', 'B', 'C', 'D', got 'X'."),
        (SAY, {"confidence": 90, "answer": "0.5"}, "Note first what you said."),
    ],
)
def test_what_is_missing_or_can_be_read_in_two_ways_is_asked_for_and_nothing_is_graded(name, given, message):
    practice = only(name)
    for part, value in given.items():
        getattr(practice, part).value = value
    practice.main.click()
    assert (practice.main.description, practice.clock.message, practice.record.answers) == ("Answer", message, [])


def test_the_answer_shows_at_once_beside_the_readers_own_words_and_the_points_to_tick():
    practice = only(SAY)
    answer(practice, notes="3 of <30>")
    texts, solution = practice.question.texts, text_of(practice.solution)
    assert [box.description for box in practice.ticks.children] == texts["Points"]
    assert practice.form.layout.display == "none"
    assert solution.startswith(f"**Right.** You answered: {practice.answer.value}.")
    assert "**Your words:** 3 of &lt;30&gt;" in solution
    shown = [texts[field] for field in ("Said", "Junior", "Mid", "Senior")] + texts["Red flags"]
    shown += [part for line in texts["Follow-ups"] for part in line.split(" → ")]
    assert not [line for line in shown if line not in solution]


def test_a_wrong_answer_gets_the_reason_of_the_bank_or_the_name_of_its_slip():
    for name in (COMPUTE, DECIDE):
        practice = only(name)
        answer(practice, right=False)
        reason = practice.question.mistakes[0][1]
        assert text_of(practice.solution).startswith(f"**Not right. {reason[0].upper()}{reason[1:]}.** You answered: ")
    assert f"The right option is {practice.question.answer}." in text_of(practice.solution)
    assert all(option in text_of(practice.solution) for option in practice.question.texts["Options"])
    practice = only(COMPUTE)
    practice.confidence.value, practice.answer.value = 50, str(practice.question.answer / 2)
    practice.main.click()
    assert "That is half of the answer." in text_of(practice.solution)
    practice = only(COMPUTE)
    practice.confidence.value, practice.answer.value = 50, str(practice.question.answer / 7)
    practice.main.click()
    assert text_of(practice.solution).startswith("**Not right.** You answered: ")


@pytest.mark.parametrize(
    ("name", "right", "ticks", "hints", "points"),
    [
        *[(COMPUTE, True, range(4), 0, 10), (COMPUTE, True, (), 0, 6), (COMPUTE, True, (0,), 1, 5)],
        *[(COMPUTE, False, range(4), 1, 2), (COMPUTE, False, (), 2, 0), (COMPUTE, True, range(4), 4, 4)],
        *[(SAY, True, range(4), 0, 10), (SAY, True, (), 0, 4), (SAY, False, range(4), 0, 6)],
    ],
)
def test_points_are_for_the_answer_and_for_what_was_covered_and_two_less_a_hint(name, right, ticks, hints, points):
    practice = only(name)
    for number in range(hints):
        assert text_of(practice.page).count("**Hint") == min(number, 3)
        practice.hint.click()
    answer(practice, right=right, ticks=ticks)
    practice.main.click()
    assert (practice.results[0].points, practice.results[0].hints) == (points, min(hints, 3))


@pytest.mark.parametrize("name", [COMPUTE, DECIDE, SAY])
def test_giving_up_shows_the_answer_and_brings_no_point_and_no_tick(name):
    practice = only(name)
    practice.give_up.click()
    assert practice.ticks.children == ()
    assert practice.question.texts["Said"] in text_of(practice.solution)
    practice.main.click()
    result = practice.results[0]
    assert (result.points, result.right, result.confidence) == (0, False, None)
    assert practice.record.answers == [Answer(name, "2030-05-17", None, False)]
    assert "You tried no answer in this round." in text_of(practice.page)


def test_the_next_question_begins_with_nothing_of_the_last_one():
    practice = make(topic="04", minutes=60)
    practice.hint.click()
    answer(practice, ticks=(0,))
    assert practice.main.description == "Next question"
    practice.main.click()
    assert text_of(practice.page).startswith("**Question 2 of ")
    assert (practice.confidence.value, practice.answer.value, practice.notes.value) == (0, "", "")
    assert (practice.ticks.children, text_of(practice.solution), practice.hints) == ((), "", 0)
    assert (practice.form.layout.display, practice.clock.is_running) == (None, True)


def test_with_days_left_what_was_missed_comes_again_at_the_end_with_other_numbers():
    practice = make(days=2, minutes=10)
    planned = names(practice)
    for _ in planned * 2:
        answer(practice, right=False)
        practice.main.click()
    assert practice.main.description == "Another round"
    assert names(practice) == planned * 2
    assert len({str(question.values) for question in practice.questions}) == 2 * len(planned)
    practice = make(days=2, minutes=0.1)
    practice.give_up.click()
    assert practice.main.description == "See how it went", "nothing is asked twice without a pause"


def test_the_end_has_score_feedback_and_links_to_what_could_be_better(monkeypatch):
    minutes = iter(range(1000))
    monkeypatch.setattr(rounds, "_now", lambda: datetime(2030, 5, 17) + timedelta(minutes=next(minutes)))
    practice = make(topic=["start", "confusion"], minutes=99)
    for place in range(len(practice.questions)):
        answer(practice, right=place > 1, ticks=range(3) if place > 2 else ())
        practice.main.click()
    of, end = len(practice.results), text_of(practice.page)
    points = sum(result.points for result in practice.results)
    assert repr(practice) == practice.clock.message == f"{of - 2} of {of} right, {points} of {10 * of} points, seed 1."
    assert end.startswith(f"**{practice!r}**")
    assert f"On average you were 80% sure of your answers, and {100 * (of - 2) / of:.0f}% of them were right." in end
    linked = [f"{r.question.notebook}.ipynb#" for r in practice.results if not r.right]
    assert re.findall(r"\]\((.*?\.ipynb#)\S+\) \|$", end, re.MULTILINE) == linked
    assert end.count("| not right | 0 of ") == 2


def test_the_end_tells_what_was_skipped_from_what_was_wrong():
    practice = make(topic="start", minutes=60)
    practice.give_up.click()
    practice.main.click()
    for _ in practice.questions[1:]:
        answer(practice)
        practice.main.click()
    of = len(practice.results)
    assert f"You gave no answer to 1 of these {of} questions." in text_of(practice.page)
    assert "80% sure of your other answers, and 100% of them were right." in text_of(practice.page)


def test_another_round_has_other_numbers_and_begins_with_what_is_due():
    practice = make(topic="start", minutes=60, path="record.json")
    first = practice.question
    for place in range(len(practice.questions)):
        answer(practice, right=place > 0)
        practice.main.click()
    assert practice.main.description == "Another round"
    practice.main.click()
    assert (practice.seed, practice.results, practice.main.description) == (2, [], "Answer")
    assert practice.question.name == first.name, "the others are due tomorrow"
    assert practice.question.values != first.values


# --- what is recorded ---


def test_right_answers_move_a_question_on_through_five_waits_and_a_wrong_one_back():
    record, day, waits = Record(path=None), TODAY, []
    for _ in range(6):
        record.note(Answer("a-01", str(day), 80, True))
        waits.append(((record.due()["a-01"] - day).days, (record.due(most=2)["a-01"] - day).days))
        day = record.due()["a-01"]
    assert waits == [(1, 1), (3, 2), (7, 2), (21, 2), (21, 2), (21, 2)]
    record.note(Answer("a-01", str(day), 80, False))
    assert record.due()["a-01"] == day


def test_a_round_records_name_day_confidence_and_outcome_and_makes_no_file_before_the_first(tmp_path):
    practice = only(COMPUTE, path=record.FILE)
    assert list(tmp_path.iterdir()) == []
    answer(practice)
    assert [path.name for path in tmp_path.iterdir()] == [".evalteach-interview.json"]
    content = json.loads((tmp_path / record.FILE).read_text())
    assert content == {"about": record.ABOUT, "answers": [[COMPUTE, "2030-05-17", 80, True]]}


def test_two_rounds_at_once_lose_nothing_and_a_file_that_was_deleted_is_made_again(tmp_path):
    path = tmp_path / "record.json"
    one, other = Record(path), Record(path)
    one.note(Answer("a-01", "2030-05-17", 80, True))
    other.note(Answer("a-02", "2030-05-17", 60, False))
    assert [answer.name for answer in Record(path).answers] == ["a-01", "a-02"]
    path.unlink()
    other.note(Answer("a-03", "2030-05-17", 60, False))
    assert [answer.name for answer in Record(path).answers] == ["a-01", "a-02", "a-03"]


@pytest.mark.parametrize("damage", [b"", b"{", b"\xff\xfe", b"[]", b"{}", b'{"answers": 1}', b'{"answers": [["a"]]}'])
def test_a_file_that_is_no_record_is_refused_and_left_as_it_is(tmp_path, damage):
    path = tmp_path / "record.json"
    path.write_bytes(damage)
    for other in (path, tmp_path):
        with pytest.raises(ValueError, match=r"is not a record of answers, .* rename or delete it to start again"):
            make(path=other)
    assert path.read_bytes() == damage


def test_what_cannot_be_saved_is_said_and_the_file_is_left_and_the_round_goes_on(tmp_path, monkeypatch):
    path = tmp_path / "record.json"
    practice = only(COMPUTE, path=path)
    path.write_bytes(b"{")
    answer(practice)
    assert re.fullmatch(r"Compare .* not saved in .*record\.json: .* start again\.", practice.clock.message)
    assert (practice.main.description, path.read_bytes()) == ("See how it went", b"{")

    def fail(*_):
        raise OSError(28, "No space left on device", path.with_name("a name that nobody knows"))

    path.unlink()
    monkeypatch.setattr(os, "replace", fail)
    practice = only(COMPUTE, path=path)
    answer(practice)
    assert practice.clock.message.endswith(f" Your answer was not saved in {path}: No space left on device.")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("answers", "advice"),
    [
        ({(90, True): 19, (None, False): 5}, ""),
        ({(90, True): 14, (90, False): 6}, "80% or more (90% on average), 14 of 20 times, so say 70% … 90%."),
        ({(80, True): 16, (80, False): 4}, "80% or more (80% on average), 16 of 20 times, which fits."),
        ({(50, True): 18, (50, False): 2}, "less than 80% (50% on average), 18 of 20 times, so say 90% … 50%."),
        # twenty right answers in a row do not promise the next one
        ({(50, True): 20}, "less than 80% (50% on average), 20 of 20 times, so say 95% … 50%."),
        # one wrong answer of somebody who was certain is one answer
        ({(99, True): 19, (99, False): 1}, "80% or more (99% on average), 19 of 20 times, which fits."),
        ({(100, True): 19, (100, False): 1}, "80% or more (100% on average), 19 of 20 times, so say 95% … 100%."),
    ],
)
def test_from_twenty_answers_on_a_sentence_says_what_to_say_instead(answers, advice):
    record = Record(path=None)
    record.answers = [Answer("a-01", "2030-05-17", *said) for said in Counter(answers).elements()]
    sentence = advice.replace("), ", "), you are right ").replace("…", "where you now say")
    assert record.advice() == (f"When you say {sentence}" if advice else "")
    assert max(rounds.CONFIDENCE) < 100


# --- the sheet for two ---


@pytest.mark.parametrize("topic", [None, ["10"], ["31", "32"], ["44"], ["51"], ["61"], ["90"]])
@pytest.mark.parametrize("level", [None, *bank.LEVELS])
def test_a_sheet_has_the_seven_questions_of_four_kinds_that_it_promises(level, topic):
    for seed in range(20):
        chosen = sheet.sheet_questions(seed, level, topic)
        kinds = ["say", "compute", "say", "compute", "say", "debug", "design"]
        assert topic or [question.kind for question in chosen] == kinds
        assert len({question.name for question in chosen}) == 7
        if topic is None:
            assert len({question.notebook for question in chosen}) == 7 or level
        assert sum(question.minutes for question in chosen) <= (48 if topic else 40)
        left = [q for q in rounds.candidates(topic).values() if q not in chosen] if topic else []
        for question, kind, allowed in zip(chosen, kinds, sheet.PLAN, strict=True):
            on_topic = topic is None or question.notebook.startswith(tuple(topic))
            assert question.kind in (allowed if on_topic else [kind])
            remaining = {q.kind for q in left}
            assert on_topic or not remaining & {*allowed}, "another topic only where this one has no more"
            assert question.kind == kind or kind not in remaining, "another kind only where there is no more of it"
        if topic in (["44"], ["51"], ["61"]):
            assert sum(question.notebook.startswith(tuple(topic)) for question in chosen) == (
                3 if topic == ["61"] else 2
            )
    assert sheet.sheet_questions(5, level, topic) == sheet.sheet_questions(5, level, topic)
    if level in ("junior", "mid") and topic is None:
        assert {question.level for question in (chosen[0], chosen[2])} == {level}, "where the bank has enough of them"


def words(html):
    return re.sub(r"\s+", " ", re.sub(r"<style>.*?</style>|<[^>]+>", "", html, flags=re.DOTALL)).strip()


def test_the_interviewer_has_everything_and_the_candidate_the_questions_alone(tmp_path):
    assert interviewer_sheet(3) == "interview-3.html"
    assert interviewer_sheet(3, candidate=True) == "interview-3-candidate.html"
    mine, theirs = (words((tmp_path / f"interview-3{end}.html").read_text()) for end in ("", "-candidate"))
    for question in sheet.sheet_questions(3):
        texts = question.variant(3).texts
        assert words(screen.MARKDOWN(texts["Asked"])) in mine
        assert words(screen.MARKDOWN(texts["Asked"])) in theirs
        for field in ("Clarifying questions", "Hints", "Red flags", "Follow-ups"):
            lines = [words(screen.MARKDOWN(line)) for line in [*texts[field], texts["Said"]]]
            assert all(line in mine and line not in theirs for line in lines), field
        short = question.minutes <= 3
        seconds = 60 * question.minutes // (2 if short else len(texts["Hints"]) + 1)
        assert f"Hints, from: {seconds // 60}:{seconds % 60:02} {words(screen.MARKDOWN(texts['Hints'][0]))}" in mine
    for line in (
        "☐ 3 right, with its uncertainty and a next step.",
        "Keep doing:",
        "interviewer_sheet(3)",
        *(f"({question.name}, notebook {question.notebook})" for question in sheet.sheet_questions(3)),
    ):
        assert line in mine


@pytest.mark.parametrize(
    ("point", "tick"),
    [
        ("I chose MRR.", "Chose MRR."),
        (
            "In minutes 0 to 3, I asked what changes, and I named it.",
            "In minutes 0 to 3, asked what changes, and they named it.",
        ),
        (
            "I compared my plan, which an A/B test I ran changed.",
            "Compared their plan, which an A/B test they ran changed.",
        ),
    ],
)
def test_the_interviewer_ticks_what_the_candidate_did(point, tick):
    assert screen.render("sheet.html", "tick", point).strip() == tick


def test_no_tick_of_a_sheet_is_in_the_first_person():
    for question in bank.questions():
        for point in question.variant().texts["Points"]:
            tick = words(screen.render("sheet.html", "tick", point))
            assert not re.search(r"\b(I|my|me|myself)\b", tick), point
            assert tick[0].isupper()


def test_a_short_question_gets_its_hints_in_the_second_half(tmp_path):
    found = set()
    for seed in range(4):
        interviewer_sheet(seed, tmp_path / f"{seed}.html")
        text = words((tmp_path / f"{seed}.html").read_text())
        for minutes, first in re.findall(r"(\d+) min \(.*?Hints, from: (\d+:\d\d)", text):
            found.add((int(minutes), first))
    assert {first for minutes, first in found if minutes == 2} == {"1:00"}
    assert {first for minutes, first in found if minutes == 3} == {"1:30"}
    assert {first for minutes, first in found if minutes == 15} <= {"3:00", "3:45", "5:00"}


def test_a_sheet_expects_what_its_level_adds_and_marks_what_is_off_topic(tmp_path):
    interviewer_sheet(4117, tmp_path / "sheet.html", level="senior", topic=[61, 44])
    text = words((tmp_path / "sheet.html").read_text())
    for question in sheet.sheet_questions(4117, "senior", [61, 44]):
        assert words(screen.MARKDOWN(question.variant(4117).texts["Senior"])) in text
        mark = "" if question.notebook[:2] in ("44", "61") else ", another topic"
        assert f"({question.name}, notebook {question.notebook}{mark})" in text
    assert "another topic" in text
    assert "5 of the 7 questions are about what you asked for, and the others are marked" in text
    assert "52 minutes: 47 for the questions" in text
    minutes = [int(number) for number in re.findall(r"Mark, times (\d+): ☐ 0 no answer", text)]
    assert minutes == [question.minutes for question in sheet.sheet_questions(4117, "senior", [61, 44])]
    assert f"Sum: ___ of {3 * 47}Multiply each mark by the minutes" in text
    assert f"A sum of {2 * 47} is what the lines marked" in text
    interviewer_sheet(4117, tmp_path / "all.html", level="senior")
    text = words((tmp_path / "all.html").read_text())
    assert "about what you asked for" not in text
    assert "45 minutes: 37 for the questions" in text


def test_the_letter_is_shown_as_it_was_read():
    practice = only(DECIDE)
    practice.confidence.value, practice.answer.value, practice.notes.value = 50, " d). ", "D"
    practice.main.click()
    assert "You answered: D. The right" in text_of(practice.solution)


def test_the_same_seed_gives_the_same_sheet_and_a_file_is_never_overwritten(tmp_path):
    paths = [tmp_path / name for name in ("one.html", "other.html", "third.html")]
    for seed, path in zip((8, 8, 9), paths, strict=True):
        assert interviewer_sheet(seed, path) == str(path)
    one, other, third = (path.read_bytes() for path in paths)
    assert one == other != third
    with pytest.raises(FileExistsError):
        interviewer_sheet(9, paths[0])
    assert paths[0].read_bytes() == one


def test_the_title_of_a_sheet_is_written_for_people(tmp_path):
    interviewer_sheet(3, tmp_path / "sheet.html", level="senior", topic=[10, "31"])
    text = (tmp_path / "sheet.html").read_text()
    assert "<h1>Interview 3, senior, topic 10, topic 31: for the interviewer</h1>" in text


def test_interviews_do_not_depend_on_the_command():
    for path in Path(sheet.__file__).parent.glob("*.py"):
        assert "evalteach.command" not in path.read_text(), path.name


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"seed": -1}, "seed must be a whole number from 0 to 1000000000, got -1"),
        ({"seed": 1, "level": "expert"}, "there is no question .* level='expert'"),
        ({"seed": 1, "topic": "999"}, "there is no question with topic='999'"),
    ],
)
def test_a_sheet_that_cannot_be_made_is_refused_and_not_written(tmp_path, given, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        interviewer_sheet(**given)
    assert list(tmp_path.iterdir()) == []
