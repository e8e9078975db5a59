"""The questions of an interview: each can be read, its answer is computed at every seed, and no wrong one fits."""

import math
import re
from collections import Counter
from urllib.parse import unquote

import lessons
import pytest

from evalteach.interview import bank, questions

QUESTIONS = questions()
SEEDS = [None, *range(20)]
TEXTS = ("Asked", "Answer", "Said", "Junior", "Mid", "Senior")
LISTS = ("Clarifying questions", "Numbers", "Points", "Red flags", "Wrong", "Hints", "Follow-ups")
BLOCK = """## ratio-01
*compute · mid · 3 minutes · [10_class_ratio: 3. What moves](../../notebooks/10_class_ratio.ipynb#3.-What-moves)*

**Asked:** Of {{ alarms }} alarms {{ real }} are real. How many in 1,000?

**Numbers:**
- `real = 3` of `2..5`
- `alarms = 9` of `9 | 12 | 15`
- `share = real / alarms` as `.2f`

**Answer:** `share` ± 0.005

**Wrong:**
- `real / 10`: divides by ten, not by {{ alarms }}

**Points:**
- one
- two, with a
  second line
"""

every_question = pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)


def one(block=BLOCK, *changes):
    for old, new in changes:
        assert block.count(old) >= 1
        block = block.replace(old, new)
    return bank.read(f"# Questions\n\nSome words.\n\n{block}")[0]


def all_words(dealt):
    texts = [words for text in dealt.texts.values() for words in (text if isinstance(text, list) else [text])]
    return " ".join([*texts, *(reason for _, reason in dealt.wrong)])


# --- the file --------------------------------------------------------------------------------------------


def test_there_are_at_least_ninety_questions():
    assert len(QUESTIONS) >= 90


def test_every_kind_and_every_level_is_asked_often():
    assert min(Counter(question.kind for question in QUESTIONS)[kind] for kind in bank.KINDS) >= 5
    assert min(Counter(question.level for question in QUESTIONS)[level] for level in bank.LEVELS) >= 15


def test_every_lesson_is_asked_about_at_least_twice():
    asked = Counter(question.notebook for question in QUESTIONS)
    names = [path.stem for path in lessons.paths() if lessons.closing_table(lessons.read(path))]
    assert {name: asked[name] for name in names if asked[name] < 2} == {}


def test_no_two_questions_are_asked_in_the_same_words():
    asked = Counter(re.sub(r"[\d.,]+", "", question.fields["Asked"]) for question in QUESTIONS)
    assert [words for words, times in asked.items() if times > 1] == []


@every_question
def test_a_question_has_all_its_fields_and_none_is_empty(question):
    needed = {*TEXTS, *LISTS}
    assert {field for field in needed if not question.fields.get(field)} == set()
    assert 1 <= question.minutes <= 20


@every_question
def test_its_lists_and_texts_are_as_long_as_an_interview_bears(question):
    for field, least, most in (("Points", 3, 5), ("Hints", 2, 4), ("Follow-ups", 1, 4), ("Wrong", 2, 9)):
        assert least <= len(question.fields[field]) <= most, field
    words = {field: len(question.fields[field].split()) for field in TEXTS}
    limits = {"Asked": (8, 110), "Said": (35, 150), "Junior": (4, 60), "Mid": (4, 60), "Senior": (4, 60)}
    for field, (least, most) in limits.items():
        assert least <= words[field] <= most, f"{field} has {words[field]} words"
    assert all(" → " in line for line in question.fields["Follow-ups"]), "a follow-up has its answer behind an arrow"


@every_question
def test_it_leads_to_a_section_that_exists(question):
    path, _, anchor = question.link.partition("#")
    assert path == f"../../notebooks/{question.notebook}.ipynb", "as GitHub needs it"
    assert question.section.replace(" ", "-") == unquote(anchor)
    assert lessons.broken(f"{question.notebook}.ipynb#{lessons.anchor(question.section)}", "") == ""


@every_question
def test_all_that_is_shown_is_filled_and_a_seed_changes_it(question):
    shown = {all_words(question.deal(seed)) for seed in SEEDS}
    assert not [text for text in shown if re.search(r"\{\{|\}\}|\{%", text)]
    assert len(shown) >= 4


@every_question
def test_its_answer_is_computed_and_no_named_wrong_one_fits_at_any_seed(question):
    sheets = set()
    for seed in SEEDS:
        dealt = question.deal(seed)
        sheets.add(str(dealt.values))
        if isinstance(dealt.answer, str):
            assert re.fullmatch("[A-Z]", dealt.answer)
        else:
            assert math.isfinite(dealt.answer)
            assert dealt.tolerance > 0
        assert dealt.judge(dealt.answer) == (True, "")
        for value, _ in dealt.wrong:
            right, said = dealt.judge(value)
            assert (right, bool(said)) == (False, True), f"{value} beside {dealt.answer} at seed {seed}"
    assert len(sheets) >= 4, "a seed changes its numbers"


@every_question
def test_options_have_reasons_and_each_seed_puts_them_in_an_order_of_its_own(question):
    assert ("Options" in question.fields) == (question.kind == "decide")
    if question.kind == "decide":
        dealt = [question.deal(seed) for seed in range(40)]
        letters = "ABCDEFG"[: len(dealt[0].options)]
        assert all([option[:2] for option in each.options] == [f"{letter})" for letter in letters] for each in dealt)
        assert all(" — " in option for option in question.fields["Options"]), "why it is tempting, why right or wrong"
        assert {each.answer for each in dealt} == {*letters}
        winners = {question._value(bank.ANSWER.fullmatch(question.fields["Answer"])["code"], d.values) for d in dealt}
        assert len(winners) >= 2, "two regimes, in which different options win"
        assert all(each.judge(each.answer)[0] for each in dealt)


# --- what a text may hold --------------------------------------------------------------------------------


def test_a_block_is_read_with_its_fields():
    question = one()
    assert (question.name, question.kind, question.level, question.minutes) == ("ratio-01", "compute", "mid", 3)
    assert (question.notebook, question.section) == ("10_class_ratio", "3. What moves")
    assert question.link == "../../notebooks/10_class_ratio.ipynb#3.-What-moves"
    assert question.fields["Points"] == ["one", "two, with a second line"]
    assert question.deal().texts.keys() == {"Asked", "Points"}, "what is asked and told, no code"
    assert not question.often
    assert one(BLOCK, ("minutes · [", "minutes · asked most · [")).often


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("*compute · mid", "*compute, mid", "cannot read the line"),
        ("`share` ± 0.005", "share", "cannot read the answer 'share'"),
        ("`real = 3` of", "real = 3 of", "cannot read the number 'real = 3 of `2..5`'"),
        ("`share` ±", "`shares` ±", "cannot compute 'shares': UndefinedError"),
        ("real / alarms`", "real / 0`", "cannot compute 'real / 0': ZeroDivisionError"),
    ],
)
def test_what_cannot_be_read_or_computed_is_named_with_what_was_found(old, new, said):
    with pytest.raises(ValueError, match=rf"^ratio-01: {re.escape(said)}"):
        one(BLOCK, (old, new)).deal(1)


def test_a_seed_deals_numbers_and_computes_with_them():
    question = one()
    assert question.deal().texts["Asked"] == "Of 9 alarms 3 are real. How many in 1,000?"
    for seed in range(20):
        dealt = question.deal(seed)
        real, alarms, share = (dealt.values[name] for name in ("real", "alarms", "share"))
        assert dealt.texts["Asked"] == f"Of {alarms} alarms {real} are real. How many in 1,000?"
        assert dealt.wrong[0] == (real / 10, f"divides by ten, not by {alarms}")
        assert share == dealt.answer == real / alarms
    assert {question.deal(seed).values["real"] for seed in range(40)} == {2, 3, 4, 5}, "both ends belong to it"
    assert [question.deal(seed).values["real"] for seed in range(8)] == [2, 2, 5, 3, 4, 4, 4, 3], "the same everywhere"


@pytest.mark.parametrize(
    ("code", "choices"),
    [
        *[("7", [7]), ("3..5", [3, 4, 5]), ("3 | 5", [3, 5]), ("'a..b' | 'c'", ["a..b", "c"])],
        *[("1..2 by 0.5", [1, 1.5, 2]), ("1_000..2_500 by 500", [1000, 1500, 2000, 2500])],
        ("0..0.3 by 0.1", [0, 0.1, 0.2, 0.3]),  # 0.3 / 0.1 is less than three
    ],
)
def test_numbers_may_be_one_a_range_or_a_list(code, choices):
    assert one()._choices(code, {}) == choices


@pytest.mark.parametrize("code", ["open('x')", "eval('1')", "''.__class__", "np.__loader__", "os", "range.__self__"])
def test_an_expression_reaches_nothing_but_what_it_is_given(code):
    with pytest.raises(ValueError, match=r"^ratio-01: cannot compute"):
        one(BLOCK, ("`share` ±", f"`{code}` ±")).deal()


# --- answers as people give them -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "number"),
    [
        *[(".031", 0.031), ("0.031", 0.031), ("3.1 %", 0.031), ("3.1%", 0.031), (" 31 ", 31), ("-2", -2), ("−2", -2)],
        *[
            ("9,000", 9000),
            ("1,000,000.5", 1000000.5),
            ("9000", 9000),
            ("1e-4", 1e-4),
            ("1/6", 1 / 6),
            ("1 / 8", 1 / 8),
        ],
        *[("about 28 %", 0.28), ("28 per cent", 0.28), ("28%.", 0.28), ("~ 28 percent", 0.28), ("5.", 5)],
    ],
)
def test_a_number_is_read_as_people_type_it(text, number):
    assert bank.read_answer(text) == (pytest.approx(number, rel=1e-12), bool(re.search("%|cent", text)))


@pytest.mark.parametrize("text", ["", "-", "1,,0x", "nan", "inf", "1/0", "%", "3 4", "1/2/3", "1/", "True"])
def test_what_is_no_number_is_refused(text):
    with pytest.raises(ValueError, match=re.escape(f"such as 0.031, 3.1%, 1/6 or 9,000; {text!r} is none")):
        bank.read_answer(text)


@pytest.mark.parametrize(("text", "meant"), [("0,275", "0.275"), ("1,5", "1.5"), ("27,5 %", "27.5"), (",5", ".5")])
def test_a_decimal_comma_is_asked_about(text, meant):
    with pytest.raises(ValueError, match=rf"a decimal\? Write {re.escape(meant)}"):
        bank.read_answer(text)


def asked(code, *, words="How many?", tolerance="", wrong="`10 ** 9`: far off"):
    head = BLOCK.partition("**Asked:**")[0]
    return one(f"{head}**Asked:** {words}\n\n**Answer:** `{code}`{tolerance}\n\n**Wrong:**\n- {wrong}\n").deal()


def test_two_digits_are_enough_unless_digits_are_the_point():
    assert asked("2.133").judge("2.1") == (True, "")
    assert asked("0.275").judge("0.28") == asked("0.275").judge("0.27") == (True, "")
    assert asked("1960").judge("2,000") == (True, "")
    assert not asked("0.275").judge("0.26")[0]
    assert asked("0.04346").judge("0.043")[0]
    assert not asked("0.04346").judge("0.04")[0]
    assert not asked("0.0313", tolerance=" ± 0.0001, exactly").judge("0.031")[0]
    assert asked("44", tolerance=" ± 3").judge("41")[0]


def test_two_digits_that_are_those_of_a_wrong_answer_too_are_not_enough():
    dealt = asked("0.9991", wrong="`0.9975`: without the second test")
    assert dealt.judge("0.9991") == (True, "")
    assert dealt.judge("0.9975") == (False, "without the second test")
    assert not dealt.judge("1")[0]


def test_a_percentage_needs_no_sign_where_the_question_speaks_in_percent_and_is_asked_about_elsewhere():
    dealt = asked("0.275", words="Of 40% how many?")
    assert dealt.judge("28") == dealt.judge("28%") == dealt.judge("0.28") == dealt.judge("27.5 percent") == (True, "")
    with pytest.raises(ValueError, match=r"^do you mean 28%\? Write 28% or 0\.28$"):
        asked("0.275").judge("28")
    with pytest.raises(ValueError, match=r"^do you mean 90%"):  # whether or not it is right
        asked("0.275").judge("90")
    assert asked("28").judge("28") == (True, "")
    assert (dealt.shown, asked("0.275").shown, asked("2750").shown) == ("0.275", "0.275", "2,750")
    assert asked("0.275", words="Of 40. How many, as a percentage?").shown == "27.5%"


@pytest.mark.parametrize(
    ("answer", "given", "said"),
    [
        *[("0.04", "4/1", "100 times"), ("0.4", "0.004", "hundredth"), ("336", "336,000", "1,000 times")],
        *[("336000", "336", "thousandth"), ("0.3", "0.7", "complement"), ("40", "0.025", "reciprocal")],
        *[("0.2", "0.25", "odds"), ("0.11", "0.22", "twice"), ("0.46", "0.23", "half"), ("-3", "3", "the sign")],
    ],
)
def test_a_frequent_slip_is_named(answer, given, said):
    words = "%" if answer == "0.04" else "How many?"
    right, reason = asked(answer, words=words).judge(float(given.partition("/")[0].replace(",", "")))
    assert not right
    assert said in reason


def test_a_wrong_answer_that_the_file_names_gets_its_own_reason_and_another_one_none():
    dealt = one().deal()
    assert dealt.judge(0.333) == dealt.judge("1/3") == dealt.judge("33.3 %") == (True, "")
    assert dealt.judge(0.3) == (False, "divides by ten, not by 9")
    assert dealt.judge(0.44) == (False, "")


def test_a_letter_is_judged_as_a_letter():
    lettered = one(
        BLOCK,
        ("`share` ± 0.005", '`"B" if real == 3 else "A"`'),
        ("`real / 10`:", '`"C"`:'),
        ("**Points:**", "**Options:**\n- A) yes — no\n- B) no — yes\n- C) why — no\n\n**Points:**"),
    )
    assert lettered.deal().judge(" b ") == (True, "")
    assert lettered.deal().judge("C") == (False, "divides by ten, not by 9")
    for seed in range(9):
        dealt = lettered.deal(seed)
        (right,) = (option for option in dealt.options if option[0] == dealt.answer)
        assert right.endswith("no" if dealt.values["real"] == 3 else "yes")


def test_thirty_are_asked_most_and_they_are_of_every_kind_of_lesson():
    often = [question for question in QUESTIONS if question.often]
    assert len(often) == 30
    assert len({question.notebook for question in often}) >= 12
