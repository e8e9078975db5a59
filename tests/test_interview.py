"""The questions of an interview: each can be read, its answer is computed at every seed, and no wrong one fits."""

import builtins
import math
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from urllib.parse import unquote

import lessons
import pytest

from evalteach.interview import bank, questions

QUESTIONS = questions()
SEEDS = [None, *range(20)]
BLOCK = """## ratio-01
*compute · mid · 3 minutes · [10_class_ratio: 3. What moves](../../notebooks/10_class_ratio.ipynb#3.-What-moves)*

**Asked:** Of 9 alarms 3 are real. How many in 1,000?

**Numbers:**
- `real = 3` of `2..5`
- `alarms = 9` of `9 | 12 | 15`
- `share = real / alarms` as `.2f`

**Answer:** `share` ± .005

**Wrong:**
- `real / 10`: divides by ten, not by 9

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


def numbers(asked, *lines, answer="1"):
    """A question with these words and these lines of numbers."""
    head = BLOCK.partition("**Asked:**")[0]
    listed = "\n".join(f"- {line}" for line in lines)
    return one(f"{head}**Asked:** {asked}\n\n**Numbers:**\n{listed}\n\n**Answer:** `{answer}` ± .1\n")


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
    needed = {*bank.TEXTS, *bank.LISTS} - {"Options"} | ({"Options"} if question.kind == "decide" else set())
    assert {field for field in needed if not question.fields.get(field)} == set()
    assert 1 <= question.minutes <= 20


@every_question
def test_its_lists_and_texts_are_as_long_as_an_interview_bears(question):
    for field, least, most in (("Points", 3, 5), ("Hints", 2, 4), ("Follow-ups", 1, 4), ("Wrong", 2, 9)):
        assert least <= len(question.fields[field]) <= most, field
    words = {field: len(question.fields[field].split()) for field in bank.TEXTS}
    limits = {"Asked": (8, 110), "Said": (35, 130), "Junior": (4, 60), "Mid": (4, 60), "Senior": (4, 60)}
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
def test_each_number_stands_in_its_text_and_no_two_look_alike(question):
    dealt = question.deal()
    shown = [line for line in question.fields["Numbers"] if not line.endswith("as `hidden`")]
    assert len(dealt.written) == len(shown)
    text = all_words(dealt)
    for old, _ in dealt.written:
        assert bank.replaced(text, {old: "ELSEWHERE"}) != text, f"{old} stands nowhere"
        # a minus before it makes another number of it, which would stay as it is
        assert not re.search(rf"(?<!\w)(?<!\w )[-−]{re.escape(old)}(?!\w|[.,]\d)", text), f"-{old} is not replaced"


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
        for value, reason in dealt.wrong:
            assert dealt.judge(value) == (False, reason), f"{value} beside {dealt.answer} at seed {seed}"
    assert len(sheets) >= 4, "a seed changes its numbers"


@every_question
def test_the_letter_of_an_answer_is_that_of_an_option(question):
    dealt = question.deal()
    if question.kind == "decide":
        letters = [option[:2] for option in dealt.texts["Options"]]
        assert letters == [f"{letter})" for letter in "ABCDEFG"[: len(letters)]]
        assert all(" — " in option for option in dealt.texts["Options"]), "why it is tempting, why right or wrong"
        named = {value for value, _ in dealt.wrong} | {dealt.answer}
        assert {f"{letter})" for letter in named} <= {*letters}


# --- what a text may hold --------------------------------------------------------------------------------


def test_a_block_is_read_with_its_fields():
    question = one()
    assert (question.name, question.kind, question.level, question.minutes) == ("ratio-01", "compute", "mid", 3)
    assert (question.notebook, question.section) == ("10_class_ratio", "3. What moves")
    assert question.link == "../../notebooks/10_class_ratio.ipynb#3.-What-moves"
    assert question.fields["Points"] == ["one", "two, with a second line"]
    assert question.deal().texts.keys() == {"Asked", "Points"}, "what is asked and told, no code"


def test_bold_words_that_end_with_a_colon_begin_no_field_inside_a_line():
    asked = one(BLOCK, ("How many", "**Now tell:** how many")).fields["Asked"]
    assert asked == "Of 9 alarms 3 are real. **Now tell:** how many in 1,000?"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("*compute · mid", "*compute, mid", "cannot read the line"),
        ("compute ·", "calculate ·", "the kind must be one of say, .*, got 'calculate'"),
        ("· mid", "· expert", "the level must be one of junior, mid, senior, got 'expert'"),
        ("**Points:**", "**Pionts:**", "no field is called 'Pionts'"),
        ("**Points:**", "**Asked:**", "a second field is called 'Asked'"),
        ("**Asked:**", "By the way.\n\n**Asked:**", "words that belong to no field: 'By the way.'"),
        ("- one", "one", "Points is a list, and 'one' is no line of one"),
    ],
)
def test_a_block_that_cannot_be_read_is_named_with_what_was_found(old, new, said):
    with pytest.raises(ValueError, match=rf"^ratio-01: {said}"):
        one(BLOCK, (old, new))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("`real = 3` of", "`real = 3` from", "cannot read the number '`real = 3` from `2..5`'"),
        ("`share` ± .005", "share", "cannot read the answer 'share'"),
        ("**Answer:** `share` ± .005", "", "cannot read the answer ''"),
        ("`real / 10`:", "real / 10:", "cannot read the wrong answer"),
        ("`share` ±", "`shares` ±", "cannot compute 'shares': NameError"),
        ("real / alarms`", "real / 0`", "cannot compute 'real / 0': ZeroDivisionError"),
        ("`alarms = 9` of `9 |", "`alarms = 3` of `9 |", "two numbers are written 3; only one"),
    ],
)
def test_a_line_that_cannot_be_dealt_is_named_with_what_was_found(old, new, said):
    with pytest.raises(ValueError, match=rf"^ratio-01: {re.escape(said)}"):
        one(BLOCK, (old, new)).deal(1)


def test_two_questions_of_one_name_are_refused():
    with pytest.raises(ValueError, match=r"^questions that stand twice: \['ratio-01'\]$"):
        bank.read(BLOCK + BLOCK)


# --- numbers in a text -----------------------------------------------------------------------------------


def test_a_seed_deals_numbers_puts_them_everywhere_and_computes_with_them():
    question = one()
    assert question.deal().texts["Asked"] == "Of 9 alarms 3 are real. How many in 1,000?"
    for seed in range(20):
        dealt = question.deal(seed)
        real, alarms, share = (dealt.values[name] for name in ("real", "alarms", "share"))
        assert dealt.texts["Asked"] == f"Of {alarms} alarms {real} are real. How many in 1,000?"
        assert dealt.wrong[0] == (real / 10, f"divides by ten, not by {alarms}")
        assert share == dealt.answer == real / alarms
    assert {question.deal(seed).values["real"] for seed in range(40)} == {2, 3, 4, 5}, "both ends belong to it"


@pytest.mark.parametrize(
    ("code", "choices"),
    [
        *[("7", [7]), ("3..5", [3, 4, 5]), ("3 | 5", [3, 5]), ("'a..b' | 'c'", ["a..b", "c"])],
        *[("1..2 by .5", [1, 1.5, 2]), ("0..1 by 1/3", [0, 0.3333333333, 0.6666666667, 1])],
        ("0..0.3 by .1", [0, 0.1, 0.2, 0.3]),  # 0.3 / 0.1 is less than three
    ],
)
def test_numbers_may_be_one_a_range_or_a_list(code, choices):
    assert one()._choices(code, {}) == choices


def test_the_same_seed_deals_the_same_numbers_everywhere():
    assert [one().deal(seed).values["real"] for seed in range(8)] == [2, 2, 5, 3, 4, 4, 4, 3]


@pytest.mark.parametrize(
    ("line", "asked", "made"),
    [
        (
            "`n = 1_000` of `1_000 | 2_000`",
            "1,000; 11,000; 1,000,000; 1,000.5; 1,000.",
            "N; 11,000; 1,000,000; 1,000.5; N.",
        ),
        ("`n = 9` of `9 | 8`", "9, 9. (9) 9%, top-9, @9; .9, 0.9, 9.5, 9,000, x9, -9, −9, 5 -9", None),
        ("`n = .031` of `.031 | .04`", "(.031), .031. but 0.031 and 1.031", "(N), N. but 0.031 and 1.031"),
        ("`n = .031` of `.031 | .04` as `.1%`", "3.1 %, 3.1 %. Of 13.1 % or 3.1", "N, N. Of 13.1 % or 3.1"),
        ("`n = -3` of `-3 | -4`", "-3, (-3) and 2-3 or 3", "N, (N) and 2-3 or 3"),
        ("`n = -.5` of `-.5 | -.25`", "From -.5 to .5.", "From N to .5."),
        ("`n = 'dogs'` of `'dogs' | 'cats'`", "dogs, hotdogs.", "N, hotdogs."),
    ],
)
def test_only_whole_numbers_are_replaced(line, asked, made):
    made = made or "N, N. (N) N%, top-N, @N; .9, 0.9, 9.5, 9,000, x9, -9, −9, 5 -9"
    question = numbers(asked, line)
    for seed in range(12):
        dealt = question.deal(seed)
        assert dealt.texts["Asked"] == made.replace("N", dealt.written[0][1])
    assert len({question.deal(seed).texts["Asked"] for seed in range(12)}) == 2


def test_a_number_that_stays_shields_what_looks_like_another_one():
    question = numbers("3.1 % of 3.1", "`share = .031` of `.031 | .031` as `.1%`", "`n = 3.1` of `3.1 | 7.5`")
    assert {question.deal(seed).texts["Asked"] for seed in range(12)} == {"3.1 % of 3.1", "3.1 % of 7.5"}


def test_a_question_without_numbers_is_the_same_at_every_seed():
    told = re.sub(r"\*\*(Numbers|Wrong):\*\*\n(- .*\n)+\n", "", BLOCK).replace("`share`", "`3 / 9`")
    assert [(dealt.texts["Asked"], dealt.answer, dealt.wrong) for dealt in map(one(told).deal, (None, 5))] == [
        ("Of 9 alarms 3 are real. How many in 1,000?", 1 / 3, ())
    ] * 2


def test_two_numbers_may_change_places():
    question = numbers("2 and 3", "`a = 2` of `3 | 3`", "`b = 3` of `2 | 2`")
    assert question.deal(0).texts["Asked"] == "3 and 2"


def test_a_hidden_number_is_computed_with_and_not_replaced():
    question = numbers("2 of 2", "`a = 2` of `5 | 6` as `hidden`", answer="a")
    dealt = question.deal(0)
    assert dealt.texts["Asked"] == "2 of 2"
    assert dealt.answer in (5, 6)


def test_steps_are_counted_from_the_first_number():
    question = numbers("1,000", "`n = 1_000` of `1_000..9_500 by 500`")
    dealt = {question.deal(seed).values["n"] for seed in range(300)}
    assert dealt == set(range(1_000, 10_000, 500))


# --- what the file's expressions may do ------------------------------------------------------------------


@pytest.mark.parametrize("name", ["open", "exec", "eval", "getattr", "print", "input", "os", "pathlib"])
def test_an_expression_can_call_nothing_but_the_vocabulary(name):
    assert name not in bank._vocabulary()
    with pytest.raises(ValueError, match=f"NameError: name '{name}' is not defined"):
        numbers("5", "`a = 5` of `5 | 6`", answer=name).deal()


def test_an_expression_imports_nothing_but_what_numpys_methods_need_of_numpy():
    with pytest.raises(ValueError, match=r"ImportError: a question imports nothing, got os$"):
        numbers("5", "`a = 5` of `5 | 6`", answer="__import__('os').getpid()").deal()
    code = "from test_interview import numbers; numbers('5', '`a = 5` of `5 | 6`', answer='np.arange(a).var()').deal()"
    done = subprocess.run([sys.executable, "-c", code], env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)})
    assert done.returncode == 0, "the first call of a method"


@pytest.mark.parametrize("name", ["numpy.linalg", "pandas.api", "scipy.stats", "sklearn.metrics"])
def test_a_method_gets_the_part_of_its_library_that_it_asks_for(name):
    code = f"__import__('{name}', None, None, ['__doc__']).__name__"
    assert numbers("5", "`a = 5` of `5 | 6`", answer=code).deal().answer == name


def test_questions_are_read_from_the_package_alone():
    """A reader's text would be evaluated, too: nobody but a test passes one."""
    package = Path(bank.__file__).parents[1]
    assert package / "interview" / "questions.md" == bank.FILE
    code = {path: path.read_text(encoding="utf-8") for path in package.rglob("*.py")}
    assert [path.name for path, text in code.items() if re.search(r"\beval\(", text)] == ["bank.py"]
    assert [path.name for path, text in code.items() if re.search(r"bank\.read\(|import .*\bread\b", text)] == []


def test_an_expression_has_its_names_inside_a_comprehension_too():
    dealt = numbers("5", "`a = 5` of `5 | 5`", answer="sum(a * i for i in range(3))").deal()
    assert dealt.answer == 15


def test_the_vocabulary_holds_the_librarys_metrics():
    names = bank._vocabulary()
    assert {"np", "pd", "math", "stats", "sk", "Counts", "precision", "at_class_ratio", "roc_auc"} <= names.keys()
    assert not [name for name in names if name in vars(builtins) and names[name] is not vars(builtins)[name]]


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
            ("1 / 8", 0.125),
        ],
    ],
)
def test_a_number_is_read_as_people_type_it(text, number):
    assert bank.read_answer(text) == pytest.approx(number, rel=1e-12)


@pytest.mark.parametrize("text", ["", "-", "about 3", "1,00", "nan", "inf", "1/0", "%", "3 4", "1/2/3", "1/", "True"])
def test_what_is_no_number_is_refused(text):
    with pytest.raises(ValueError, match=re.escape(f"such as .031, 3.1 %, 1/6 or 9,000, got {text!r}")):
        bank.read_answer(text)


def test_an_answer_is_right_within_its_tolerance_and_a_named_wrong_one_gets_its_reason():
    dealt = one().deal()
    assert dealt.judge(0.333) == dealt.judge("1/3") == dealt.judge("33.3 %") == (True, "")
    assert dealt.judge(0.3) == (False, "divides by ten, not by 9")
    assert dealt.judge(5) == (False, "")
    assert dealt.judge(dealt.answer + 0.005) == (True, ""), "the end belongs to it"
    assert not dealt.judge(dealt.answer + 0.0051)[0]
    exact = one(BLOCK, (" ± .005", "")).deal()
    assert (exact.judge("3/9")[0], exact.judge("1/3.001")[0]) == (True, False), "without a tolerance"


def test_a_letter_is_judged_as_a_letter():
    lettered = numbers("5", "`a = 5` of `5 | 6`", answer='"B" if a < 9 else "A"').deal()
    assert lettered.judge(" b ") == (True, "")
    assert lettered.judge("A") == (False, "")
