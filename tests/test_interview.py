"""The questions of an interview: each can be read, its answer is computed at every seed, and grading is fair."""

import math
import re
from collections import Counter
from urllib.parse import unquote

import lessons
import pytest
from jinja2.exceptions import SecurityError, UndefinedError

from evalteach.interview import bank, grading, questions

QUESTIONS = questions()
SEEDS = [None, *range(40)]
KINDS = ("say", "compute", "derive", "decide", "debug", "design", "code")
# least and most of a list, or words of a text
SIZES = {"Asked": (8, 110), "Said": (35, 150), "Junior": (4, 60), "Mid": (4, 60), "Senior": (4, 60)}
SIZES |= {"Points": (3, 5), "Hints": (2, 4), "Follow-ups": (1, 4), "Wrong": (2, 9), "Numbers": (1, 30)}
SIZES |= {"Answer": (1, 30), "Red flags": (1, 9), "Clarifying questions": (1, 9)}
BLOCK = """## ratio-01
*compute · mid · 3 minutes · [10_class_ratio: 3. What moves](../../notebooks/10_class_ratio.ipynb#3.-What-moves)*

**Asked:** Of {{ alarms }} alarms {{ real }} are real. How many in 1,000?

**Numbers:**
- `real = 3` of `range(2, 6)`
- `alarms = 9` of `[9, 12, 15]`
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


def parsed(*changes):
    """The question above, with some of its words replaced."""
    text = BLOCK
    for old, new in changes:
        assert text.count(old) >= 1
        text = text.replace(old, new)
    return bank.parse(f"# Questions\n\nSome words.\n\n{text}")["ratio-01"]


def asked(code, words="How many?", tolerance="", wrong="`10 ** 9`: far off"):
    """A question with this answer."""
    start = BLOCK.partition("**Numbers:**")[0].partition("**Asked:**")[0]
    numbers = "**Numbers:**\n- `one = 1`\n"
    return bank.parse(
        f"{start}**Asked:** {words}\n\n{numbers}\n**Answer:** `{code}`{tolerance}\n\n**Wrong:**\n- {wrong}\n"
    )["ratio-01"].variant()


# --- the file ---


def test_the_bank_asks_every_kind_every_level_and_about_every_lesson():
    for file in ("questions.md", "rooms.md", "cases.md"):
        text = (lessons.NOTEBOOKS.parent / "evalteach" / "interview" / file).read_text(encoding="utf-8")
        assert list(bank.pages(file)) == re.findall(r"^## (.+)$", text, re.MULTILINE), "no heading is skipped"
    assert len(QUESTIONS) >= 90
    assert min(Counter(question.kind for question in QUESTIONS)[kind] for kind in KINDS) >= 5
    assert min(Counter(question.level for question in QUESTIONS)[level] for level in bank.LEVELS) >= 15
    numbers = Counter(question.notebook for question in QUESTIONS)
    names = [path.stem for path in lessons.paths() if lessons.closing_table(lessons.read(path))]
    assert {name: numbers[name] for name in names if numbers[name] < 2} == {}
    words = Counter(re.sub(r"[\d.,]+", "", question.fields["Asked"]) for question in QUESTIONS)
    assert max(words.values()) == 1, "no two are asked in the same words"


def test_thirty_are_asked_most_and_they_are_about_many_lessons():
    often = [question for question in QUESTIONS if question.often]
    assert len(often) == 30
    assert len({question.notebook for question in often}) >= 12


@every_question
def test_a_question_has_all_its_fields_as_long_as_an_interview_bears_and_its_section_exists(question):
    fields = question.fields
    for field, (least, most) in SIZES.items():
        size = len(fields[field]) if isinstance(fields[field], list) else len(fields[field].split())
        assert least <= size <= most, f"{field}: {size}"
    assert 1 <= question.minutes <= 20
    assert ("Options" in fields) == (question.kind == "decide")
    assert all(" → " in line for line in fields["Follow-ups"]), "a follow-up has its answer behind an arrow"
    assert lessons.broken(f"{question.notebook}.ipynb#{lessons.anchor(question.section)}", "") == ""


def test_links_lead_to_the_sections_that_they_name():
    for file in ("questions.md", "rooms.md", "cases.md"):
        text = (lessons.NOTEBOOKS.parent / "evalteach" / "interview" / file).read_text(encoding="utf-8")
        links = re.findall(r"^\*.*\[(\w+): (.+)\]\((.+)\)\*$", text, re.MULTILINE)
        assert len(links) == len(bank.pages(file))
        for notebook, section, link in links:
            assert unquote(link) == f"../../notebooks/{notebook}.ipynb#{section.replace(' ', '-')}", (
                "as GitHub needs it"
            )


@every_question
def test_its_answer_is_accepted_as_people_round_it_and_no_named_wrong_one_at_any_seed(question):
    texts, values = set(), set()
    for seed in SEEDS:
        variant = question.variant(seed)
        values.add(str(variant.values))
        lines = [line for text in variant.texts.values() for line in (text if isinstance(text, list) else [text])]
        texts.add(" ".join(lines))
        if isinstance(variant.answer, str):
            assert variant.grade(variant.answer) == (True, "")
            assert all(variant.grade(letter) == (False, reason) for letter, reason in variant.mistakes)
            continue
        given = variant.answer, variant.tolerance, variant.mistakes
        spoken = re.findall(r"[-−]?\d[\d,]*(?:\.\d+)?%?", variant.texts["Said"])
        assert any(variant.grade(number.rstrip(","))[0] for number in spoken), f"what is said, at seed {seed}"
        assert math.isfinite(variant.answer)
        for value, _ in variant.mistakes:
            right, reason = grading.grade([value], *given)
            assert (right, bool(reason)) == (False, True), f"{value} beside {variant.answer} at seed {seed}"
            is_right = grading.grade([float(f"{value:.2g}")], *given)[0]
            assert not is_right or re.search("one decimal|whole number|±", question.fields["Asked"]), f"{value:.2g}"
        digits = next(n for n in range(2, 9) if grading.grade([float(f"{variant.answer:.{n}g}")], *given)[0])
        nearest = min(abs(value - variant.answer) for value, _ in variant.mistakes)
        half_unit = 0.5 * 10.0 ** (math.floor(math.log10(abs(variant.answer))) - 1)
        assert digits == 2 or nearest < 2.6 * half_unit or "±" in question.fields["Answer"], (
            "more digits only beside a wrong answer, or where the file says so"
        )
        assert digits == 2 or re.search("decimal|±", question.fields["Asked"] + question.fields["Answer"]), (
            "the question says so if two digits are not enough"
        )
        share, forms = f"{100 * variant.answer:.{digits}g}", [f"{variant.answer:.{digits}g}"]
        if 0 < variant.answer < 1:
            forms += [f"{share} %", f"about {share} per cent.", *[share] * ("percent" in variant.texts["Asked"])]
        assert {form: variant.grade(form) for form in forms} == dict.fromkeys(forms, (True, ""))
    assert min(len(texts), len(values)) >= 4, "a seed changes its numbers and its words"
    assert not [text for text in texts if re.search(r"\{\{|\}\}|\{%", text)]


@pytest.mark.parametrize("question", [q for q in QUESTIONS if q.kind == "decide"], ids=lambda question: question.name)
def test_options_are_shuffled_and_different_ones_win_in_different_regimes(question):
    variants = [question.variant(seed) for seed in range(40)]
    letters = "ABCDEFG"[: len(variants[0].texts["Options"])]
    for variant in variants:
        assert [option[:2] for option in variant.texts["Options"]] == [f"{letter})" for letter in letters]
    assert all(" — " in option for option in question.fields["Options"]), "why it is tempting, why right or wrong"
    assert {variant.answer for variant in variants} == {*letters}
    code = bank.ANSWER.fullmatch(question.fields["Answer"])[1]
    assert len({bank._expression(code)(variant.values) for variant in variants}) >= 2, "by the letters of the file"


# --- what a page may hold ---


def test_a_page_is_read_with_its_fields():
    question = parsed()
    assert (question.name, question.kind, question.level, question.minutes) == ("ratio-01", "compute", "mid", 3)
    assert (question.notebook, question.section, question.often) == ("10_class_ratio", "3. What moves", False)
    assert question.fields["Points"] == ["one", "two, with a second line"]
    assert parsed(("minutes · [", "minutes · asked most · [")).often


def test_a_seed_draws_numbers_and_computes_with_them():
    question = parsed()
    assert question.variant().texts["Asked"] == "Of 9 alarms 3 are real. How many in 1,000?"
    for seed in range(20):
        variant = question.variant(seed)
        real, alarms, share = (variant.values[name] for name in ("real", "alarms", "share"))
        assert variant.texts["Asked"] == f"Of {alarms} alarms {real} are real. How many in 1,000?"
        assert variant.mistakes == [(real / 10, f"divides by ten, not by {alarms}")]
        assert share == variant.answer == real / alarms
    assert {question.variant(seed).values["real"] for seed in range(40)} == {2, 3, 4, 5}, "both ends belong to it"
    assert [question.variant(seed).values["real"] for seed in range(8)] == [2, 2, 5, 3, 4, 4, 4, 3], "everywhere"


@pytest.mark.parametrize(
    ("code", "choices"),
    [
        *[("[7]", {7}), ("range(3, 6)", {3, 4, 5}), ("[3, 5]", {3, 5}), ("[0.1, 0.2]", {0.1, 0.2})],
        ("range(1_000, 2_501, 500)", {1000, 1500, 2000, 2500}),
    ],
)
def test_numbers_may_be_a_range_or_a_list(code, choices):
    question = parsed(("`range(2, 6)`", f"`{code}`"))
    assert {question.variant(seed).values["real"] for seed in range(60)} == choices


@pytest.mark.parametrize("code", ["open('x')", "eval('1')", "''.__class__", "np.__loader__", "os", "range.__self__"])
def test_an_expression_reaches_nothing_but_what_it_is_given(code):
    with pytest.raises((SecurityError, UndefinedError)):
        parsed(("`share` ±", f"`{code} + 1` ±")).variant()


# --- answers as people give them ---


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
        *[("0,275", 0.275), ("12,5 %", 0.125), ("1,5", 1.5), (",5", 0.5), ("31.50 euros", 31.5), ("6 days", 6)],
        *[("277k", 277_000), ("2.2 thousand", 2200), ("at least 4%", 0.04), ("approx. 0.3", 0.3), ("about 12", 12)],
        *[("1 in 4", 0.25), ("3 out of 8 pages", 0.375), ("€3.5", 3.5), ("60 : 87", 60 / 87), ("1 270 000", 1_270_000)],
        *[("> 12.5%", 0.125), ("above 12.5 %", 0.125), ("more than 3", 3), (">= 86%", 0.86), ("beta = 4", 4)],
        *[("60/87 = 0.69", 0.69), ("f1=0.5 (about half)", 0.5)],
        *[("about 28 %", 0.28), ("28 per cent", 0.28), ("28%.", 0.28), ("~ 28 percent", 0.28), ("5.", 5)],
    ],
)
def test_a_number_is_read_as_people_type_it(text, number):
    assert grading.read_number(text) == (pytest.approx(number, rel=1e-12), bool(re.search("%|cent", text)))


@pytest.mark.parametrize(
    "text",
    ["", "-", "(3)", "3 =", "3 quarters", "nan", "inf", "1/0", "%", "3 4", "1/2/3", "1/", "True", "0.5 100", "12 34"],
)
def test_what_is_no_number_is_refused(text):
    with pytest.raises(ValueError, match=re.escape(f"{text!r} is not a number; type one such as 0.5, 50%, 1/2")):
        grading.read_number(text)


@pytest.mark.parametrize("text", ["12,575 %", "1,,0", "1,5.2", "1,23,45"])
def test_a_comma_that_can_be_read_in_two_ways_is_asked_about(text):
    with pytest.raises(ValueError, match=rf"^which comma of {text.split()[0]} is a decimal point\? Write a point"):
        grading.read_number(text)


@pytest.mark.parametrize(
    ("code", "again", "read"),
    [
        (
            "450_000",
            ["450.000", "450.000 per arm", "about 450.000"],
            ["450000", "450,000", "450k", "450.0", "450.000k"],
        ),
        ("2_750", ["2.750"], ["2.75", "2,750", "2750.000"]),
        ("2.75", [], ["2.750", "2.7500"]),
    ],
)
def test_a_point_between_thousands_is_asked_about_where_the_answer_has_thousands(code, again, read):
    for text in again:
        with pytest.raises(ValueError, match=r"^is the point of .* a decimal point\? Write no point between thousands"):
            asked(code).grade(text)
    assert all(asked(code).grade(text) for text in read)


@pytest.mark.parametrize(
    ("name", "refused", "accepted"),
    [
        ("logloss-06", "0.31 nats", ["0.31 bits", "0.31", "0.31 bit"]),
        ("logloss-01", "0.457 Bits", ["0.457 nats", "0.457 nat"]),
        ("curves-02", "30 in total", ["30 per box", "30 euros", "€30"]),
        ("curves-02", "30 cents", ["30 EUR"]),
        ("regress-01", "3 hours", ["3 days", "3"]),
        ("online-01", "336,000 in total", ["336,000 per arm", "336,000 users"]),
        ("one-number-07", "44 dollars", ["44 euros in total", "44 in total"]),
    ],
)
def test_a_unit_that_is_not_the_one_of_the_question_is_asked_about(name, refused, accepted):
    variant = next(question for question in QUESTIONS if question.name == name).variant()
    with pytest.raises(ValueError, match=r"^the unit of .* is not the one that the question asks for; convert"):
        variant.grade(refused)
    assert {text: variant.grade(text)[0] for text in accepted} == dict.fromkeys(accepted, True)


PERCENT, NEAR = "Of 40% how many?", "`0.9975`: without the second test"


@pytest.mark.parametrize(
    ("question", "accepted", "refused"),
    [
        # two digits are enough, unless they are also those of a wrong answer, or the file allows less or more
        (asked("2.133"), ["2.1", "2.13", "2.133"], ["2", "2.2"]),
        (asked("0.275"), [".28", "0.27", "27.5%", "28 %", "about 28 per cent"], [".26"]),
        (asked("1960"), ["2,000", "1,960", "1960"], ["1,890"]),
        (asked("0.04346"), ["0.043", "4.3%"], ["0.04"]),
        (asked("44", tolerance=" ± 3"), ["41", "47"], ["40"]),
        (asked("336099", tolerance=" ± 3%"), ["340,000", "346k"], ["350k", "325k"]),
        (asked("1.04"), ["1", "1.04"], ["1.1", "1.09"]),
        (asked("2.218", "How many thousand rows?"), ["2.2", "2,200", "2.2 thousand"], ["2.3k"]),
        (asked("0.9991", wrong=NEAR), ["0.9991", "99.9%"], ["1", "0.9975"]),
        # a percentage needs no sign where the question speaks in percent
        (asked("0.275", PERCENT), ["28", "27.5", "28%", "0.28"], ["30", "0.28%"]),
        (asked("0.0083", PERCENT), ["0.83%", "0.0083"], ["0.83"]),
        (asked("0.0083", "Of 40. As a percentage?"), ["0.83", "0.83%", "0.0083"], ["83", "0.83 / 100%"]),
        (asked("0.0083", "Of 4. Of 40 percent. How many?"), ["0.83%", "0.0083"], ["0.83"]),
        (asked("28"), ["28"], ["0.28", "28%"]),
        (asked("370900", "How many users?"), ["370900", "371,000"], ["371"]),
        (asked("1286", "How many of 60,000?"), ["1286 of 60000", "1,286 out of 60,000"], ["2.1%", "643 of 30,000"]),
    ],
)
def test_right_answers_are_accepted_in_every_form_and_wrong_ones_refused(question, accepted, refused):
    assert {text: question.grade(text)[0] for text in accepted} == dict.fromkeys(accepted, True)
    assert {text: question.grade(text)[0] for text in refused} == dict.fromkeys(refused, False)


@pytest.mark.parametrize(
    ("name", "seed", "accepted", "reasons"),
    [
        ("match-01", 4117, ["0.86", "0.865"], {"0.854": "the recall of the links"}),
        (
            "logloss-06",
            4117,
            ["0.74 bits"],
            {"1.9": "the cross-entropy", "1.157 bits": "the entropy", "74": "100 times"},
        ),
        ("roc-04", None, [], {"8.5": "pairs"}),
        ("online-05", 4117, ["0.043"], {"0.0501": "n − 1", "5%": "n − 1", "4.336": "divided by all views"}),
        ("curves-02", 4117, ["34", "34.5", "35"], {"5.9": "the number of good boxes"}),
        ("travels-03", 4117, ["1,132"], {"1100": "more digits", "1140": "to all customers"}),
        ("review-02", 27, ["200", "202 of 10,000", "2.02%"], {}),
        ("review-02", 4117, ["221 of 10,000"], {"312": "keeps the false yeses"}),
        ("calibration-05", 4117, ["0.056", "5.6%", "5.7"], {"7.1": "standard deviation"}),
        ("class-size-01", 4117, ["48%"], {"75%": "the recall"}),
        ("judge-02", 4117, ["B"], {"C": "0.88 times"}),
        ("class-ratio-04", None, ["52%"], {"47%": "leaves out the recall"}),
        ("review-design-02", 4117, ["42"], {"3": "that were drawn"}),
        ("roc-02", 4117, ["75", "0.75"], {"0.73": "the KS"}),
        ("best-threshold-01", 4117, ["6", "6%"], {"60": "ten times"}),
        # seldom enough digits: the nearest thing to say is that more are needed
        ("agree-01", 88, ["6.2%", "6.3", "1/16"], {"6%": "more digits", "0.06": "more digits"}),
        ("reading-03", 88, ["0.099"], {"0.1": "more digits", "10%": "more digits"}),
        ("class-ratio-02", 88, ["9.5%"], {"10%": "more digits"}),
        ("prefer-02", 88, ["68%"], {"67%": "more digits", "2.13": "the odds", "213%": "the odds"}),
        ("judge-03", 88, ["2.43"], {"2.5": "more digits"}),
        # of two numbers that are asked for, the one that is not graded
        ("judge-01", 88, ["14.9"], {"89.6%": "share of good answers", "0.896": "version 2", "90": "version 2"}),
        ("one-number-05", 88, [], {"0.49": "the lowest precision"}),
        (
            "confusion-01",
            88,
            ["0.69", "60 of 87", "0.69 (69%)", "69% (0.69)"],
            {"2.2": "the odds", "0.97": "the specificity"},
        ),
        ("how-sure-01", 88, [], {"1067": "the worst case", "1,068": "the worst case", "633": "a 90% interval"}),
        ("rank-01", 88, [], {"6.18": "not yet divided"}),
        ("review-design-01", 88, ["1286 of 60000"], {"2.1%": "the highest rate", "0.021": "the highest rate"}),
        ("review-design-03", 88, [], {"23%": "the share", "0.23": "the share", "231": "stratum 2"}),
        ("logloss-03", 88, ["0.202", "0.201"], {"0.2": "more digits", "0.20": "more digits"}),
        # slips of one question only, which the file has to name
        ("class-ratio-01", 5307, [], {"0.5%": "forgets that each test negative represents", "0.0048": "a tenth of"}),
        ("bias-01", 5307, [], {"14.67": "divides the variance by 3"}),
        ("cluster-02", 5307, [], {"0.625": "arithmetic mean"}),
        ("match-02", 5307, [], {"0.0025": "large cluster alone"}),
        ("choose-04", 5307, [], {"63%": "has to be divided", "63": "has to be divided"}),
        ("curves-04", 5307, ["246"], {"983": "whole width", "173": "90% confidence"}),
        ("watch-01", 5307, ["0.075"], {"0.0325": "base 10", "0.108": "base 2"}),
        ("rank-03", 5307, ["0.78"], {"0.6": "2 to the power", "0.597": "2 to the power"}),
        ("funnel-01", 5307, [], {"122": "number of ads"}),
        ("regress-04", 5307, [], {"90%": "divides by the forecast", "12.67": "mean absolute error"}),
        ("review-design-02", 5307, [], {"62.5": "row 35 alone"}),
        ("two-models-01", None, ["0.031"], {"0.018": "chi-squared", "0.034": "continuity", "0.03": "rounded too far"}),
        ("calibration-06", 11, ["0.056"], {"0.060": "into a probability", "0.171": "sum of the predictions"}),
        ("class-ratio-04", 11, [], {"0.00068": "at this rate", "0.068%": "at this rate"}),
        # only a number that is the answer with fewer digits was certainly rounded
        ("reading-03", 88, [], {"0.1": "rounded too far", "0.103": "if you rounded on the way"}),
        ("agree-01", 88, [], {"6%": "rounded too far", "6.5%": "if you rounded on the way"}),
        ("travels-03", 4117, [], {"1100": "rounded too far", "1,120": "if you rounded on the way"}),
        # what can be counted needs no rounding
        ("split-05", 5307, ["305"], {"306": "counted exactly", "320": "counted exactly"}),
        ("class-ratio-07", 100, ["248"], {"247": "counted exactly", "200": "counted exactly"}),
        ("online-06", 5307, [], {"20.5": "more digits"}),
        # rounded to one digit, which is also near the odds
        ("watch-01", 5307, [], {"0.07": "more digits"}),
        ("confusion-01", 5307, [], {"80%": "more digits"}),
        ("start-02", 5307, [], {"50%": "more digits"}),
        ("match-02", 5307, [], {"0.05": "more digits", "5%": "more digits"}),
        ("class-ratio-01", 5307, [], {"about 5 percent": "more digits"}),
    ],
)
def test_a_fair_answer_passes_and_a_human_slip_gets_its_reason(name, seed, accepted, reasons):
    variant = next(question for question in QUESTIONS if question.name == name).variant(seed)
    assert {text: variant.grade(text)[0] for text in accepted} == dict.fromkeys(accepted, True)
    for text, reason in reasons.items():
        right, named = variant.grade(text)
        assert (right, reason in named) == (False, True), f"{text}: {named}"


@pytest.mark.parametrize(
    ("value", "form", "text"),
    [
        *[(9.0, ".2f", "9"), (0.06, ".1%", "6%"), (0.76, ".3f", "0.76"), (0.99996, ".2f", "1.00")],
        *[(1200, None, "1,200"), (0.125, ".2f", "0.13"), (0.425, ".0%", "43%"), (0.455 - 1e-16, ".2f", "0.46")],
    ],
)
def test_a_number_is_written_as_one_says_it(value, form, text):
    assert bank.written(value, form) == text


@pytest.mark.parametrize(
    ("answer", "number", "reason"),
    [
        *[(0.04, 4, "100 times"), (0.4, 0.004, "hundredth"), (336, 336_000, "1,000 times")],
        *[(336_000, 336, "thousandth"), (0.3, 0.7, "complement"), (40, 0.025, "reciprocal")],
        *[(0.2, 0.25, "odds"), (0.11, 0.22, "twice"), (0.46, 0.23, "half"), (-3, 3, "the sign"), (0.46, 0.3, "")],
    ],
)
def test_a_frequent_slip_is_named(answer, number, reason):
    right, named = grading.grade([number], answer, 0.001)
    assert not right
    assert reason in named
    assert bool(reason) == bool(named)


def test_a_wrong_answer_that_the_file_names_gets_its_own_reason_and_another_one_none():
    variant = parsed().variant()
    assert variant.grade("1/3") == variant.grade("33.3 %") == (True, "")
    assert variant.grade("0.3") == (False, "divides by ten, not by 9")
    assert variant.grade("0.44") == (False, "")


def test_of_several_reasons_the_nearest_and_most_specific_is_given():
    near = asked("44", tolerance=" ± 3", wrong="`60`: it is zero\n- `62`: it is all")
    assert [near.grade(text)[1] for text in ("60", "62", "62.1")] == ["it is zero", "it is all", "it is all"]
    # 12.5 is also the reciprocal of the answer
    assert asked("0.08", PERCENT, wrong="`0.125`: another").grade("12.5") == (False, "another")


@pytest.mark.parametrize(
    ("name", "wrong", "reason"),
    [
        *[
            ("confusion-03", lambda q: 0.975 * q.answer, None),
            ("confusion-03", lambda q: 1 / (1 + 1 / q.answer), "stop"),
        ],
        *[("class-ratio-07", lambda q: q.answer + 1, "real fraud"), ("class-ratio-07", lambda q: q.answer + 2, "real")],
        *[("funnel-02", lambda q: q.answer - 30, None), ("cluster-01", lambda q: 0.9 * q.answer, None)],
        *[("regress-01", lambda q: q.answer - 0.4, None), ("regress-01", lambda q: q.answer + 0.4, None)],
        *[("choose-02", lambda q: 1 - q.values["no"] / 80, "rejected"), ("best-threshold-03", lambda q: 0.71, "chose")],
        *[
            ("watch-03", lambda q: 6.1826 * (1 - q.values["f"]) / q.values["f"], "variance of the old rate"),
            ("watch-03", lambda q: 12.365 * (1 - 2 * q.values["f"]) / q.values["f"], "variance of the doubled"),
        ],
        ("how-sure-03", lambda q: q.mistakes[1][0], "a sample as well"),
    ],
)
def test_an_answer_that_used_to_pass_or_to_get_no_reason(name, wrong, reason):
    question = next(question for question in QUESTIONS if question.name == name)
    for seed in SEEDS[:6]:
        right, named = question.variant(seed).grade(f"{wrong(question.variant(seed)):.5g}")
        assert not right
        assert reason is None or reason in named


def test_a_letter_is_graded_as_a_letter():
    question = parsed(
        ("`share` ± 0.005", '`"B" if real == 3 else "A"`'),
        ("`real / 10`:", '`"C"`:'),
        ("**Points:**", "**Options:**\n- A) yes — no\n- B) no — yes\n- C) why — no\n\n**Points:**"),
    )
    for seed in range(9):
        variant = question.variant(seed)
        right, wrong = (
            next(option[0] for option in variant.texts["Options"] if option[3:].startswith(word))
            for word in ("no" if variant.values["real"] == 3 else "yes", "why")
        )
        assert {variant.grade(text) for text in (f" {right.lower()} ", f"option {right})", f"({right.lower()})")} == {
            (True, "")
        }
        assert variant.grade(wrong) == (False, f"divides by ten, not by {variant.values['alarms']}")
    with pytest.raises(ValueError, match="the answer must be one of 'A', 'B', 'C', got 'D'"):
        variant.grade("d")
