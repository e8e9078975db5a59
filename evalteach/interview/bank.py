"""The question bank: each question of ``questions.md`` is a template, and a seed fills in its numbers."""

import math
import random
import re
from collections import namedtuple
from functools import cache, partial
from numbers import Number
from pathlib import Path

import numpy as np
import pandas as pd
from jinja2 import StrictUndefined
from jinja2.sandbox import SandboxedEnvironment
from scipy import stats
from sklearn import metrics

from evalteach import calibration, class_ratio, classification, counts, ideal_ranking, prevalence, ranking, unlabeled
from evalteach._inputs import check_choice
from evalteach.interview import grading

LEVELS = ("junior", "mid", "senior")
PAGE = re.compile(
    r"(?ms)^## (?P<name>\S+)\n\*(?:(?P<kind>\w+) · (?P<level>\w+) · )?(?P<minutes>\d+) minutes? · "
    r"(?P<often>asked most · )?\[(?P<notebook>\w+): (?P<section>[^\n]+)\]\(\S+\)\*\n(?P<page>.*?)(?=^## |\Z)"
)
FIELD = re.compile(r"^\*\*([A-Z][\w -]*):\*\*", re.MULTILINE)
NUMBER = re.compile(r"`(\w+) = ([^`]+)`(?: of `([^`]+)`)?(?: as `([^`]+)`)?(?:: .+)?")
ANSWER = re.compile(r"`([^`]+)`(?: ± ([\d.]+)(%?))?")
NAMES = "name kind level minutes often notebook section page fields values texts answer tolerance mistakes"


class Question(namedtuple("Question", NAMES, defaults=[None] * 5)):
    """A question of the bank, or a debug room or design case, as a template; ``variant`` fills in its numbers.

    Attributes
    ----------
    name, kind, level, notebook, section : str
        The kind is say, compute, derive, decide, debug, design or code, and the level one of ``LEVELS``; rooms and
        cases have neither. The section of the notebook answers the question.
    minutes : int
        The time that an answer takes.
    often : bool
        Whether the question is one of those that interviewers ask most.
    page : str
        What the file has below the heading, with names in place of numbers.
    fields : dict of str to str or list of str
        The page by heading.
    values : dict of str to object
        The numbers by name. They and what follows are None before ``variant``.
    texts : dict of str to str or list of str
        The page by heading, with its numbers.
    answer : float or str
        The right number, or the letter of the right option.
    tolerance : float
        The largest absolute error with which a number is still right.
    mistakes : list of (float or str, str)
        Wrong answers that people often give, each with the reason why it is wrong.
    """

    def fill(self, values):
        """The same fields with values in place of their names."""
        return _fields(_template(self.page).render(values))

    def variant(self, seed=None):
        """The question with the numbers of a seed, or with those of the file, and with its options shuffled."""
        rng, values, words = random.Random(f"{self.name} {seed}"), {}, {}
        for line in self.fields["Numbers"]:
            name, code, choices, form = NUMBER.fullmatch(line).groups()
            is_drawn = choices and seed is not None
            value = _expression(choices if is_drawn else code)(values)
            values[name] = rng.choice(value) if is_drawn else value
            words[name] = written(values[name], form)
        texts = self.fill(words)
        code, tolerance, percent = ANSWER.fullmatch(texts["Answer"]).groups()
        answer, wrong = _expression(code)(values), [line[1:].split("`: ", 1) for line in texts.get("Wrong", ())]
        mistakes = [(_expression(code)(values), reason) for code, reason in wrong]
        if "Options" in texts:
            rng.shuffle(texts["Options"])
            letters = {option[0]: letter for option, letter in zip(texts["Options"], "ABCDEFG", strict=False)}
            texts["Options"] = [f"{letters[option[0]]}{option[1:]}" for option in texts["Options"]]
            answer, mistakes = letters[answer], [(letters[letter], reason) for letter, reason in mistakes]
        elif tolerance:
            tolerance = float(tolerance) * (abs(answer) / 100 if percent else 1)
        else:
            tolerance = grading.two_digits(answer)
        return self._replace(values=values, texts=texts, answer=answer, tolerance=tolerance, mistakes=mistakes)

    def grade(self, answer):
        """Whether a typed answer is right, and why a wrong one is wrong, if it is one that people often give.

        Parameters
        ----------
        answer : str
            A letter where the question has options, and a number otherwise, such as ``0.031``, ``3.1%``, ``1/6`` or
            ``9,000``. A percentage needs no sign where the question speaks in percent.

        Raises
        ------
        ValueError
            If the answer is not a letter or a number, can be read in two ways, or is in a unit that was not asked for.
        """
        if isinstance(self.answer, str):
            letter = grading.read_letter(answer)
            check_choice("the answer", letter, [option[0] for option in self.texts["Options"]])
            return letter == self.answer, dict(self.mistakes).get(letter, "")
        if self.answer > 1:  # "40 of 600" is then a count, and not a share
            answer = re.sub(r"\s(out )?of\s[\d,]+$", "", answer.strip())
        number, is_percent = grading.read_number(answer)
        if number < 1000 <= self.answer and (thousands := re.search(r"(?<![\d.])[1-9]\d{0,2}\.\d{3}(?!\d)", answer)):
            raise ValueError(f"is the point of {thousands[0]} a decimal point? Write no point between thousands")
        text = self.texts["Asked"]
        readings, last = [*[number / 1000] * ("How many thousand" in text), number], text.rpartition(". ")[2]
        named = [[set(re.findall(rf"\b{unit}\b", words.lower())) for words in (answer, last)] for unit in grading.UNITS]
        if any(typed and asked and not typed & asked for typed, asked in named):
            raise ValueError(f"the unit of {answer!r} is not the one that the question asks for; convert the number")
        if number < 1 and (whole := re.search(r"how many of the ([\d,]+)", text)):
            readings.append(number * float(whole[1].replace(",", "")))
        is_share = 0 < self.answer < 1 and not is_percent and not grading.slip([number], self.mistakes)
        if is_share and ("percent" in last or (number > 1 and not re.search(r"\b(?:bits|nats|PSI)\b", last))):
            readings.insert(0 if number > 1 else len(readings), number / 100)
        return grading.grade(readings, self.answer, self.tolerance, self.mistakes)


def questions():
    """All questions, in the order of the file: a list of :class:`Question`."""
    return list(pages("questions.md").values())


def cases():
    """The names of the design cases, which take fifteen minutes and have a twist after seven."""
    return list(pages("cases.md"))


def design_case(name):
    """One of the design cases as a :class:`Question` with its numbers; ``texts["Prompt"]`` is how it begins.

    Raises
    ------
    ValueError
        If no case has this name.
    """
    check_choice("name", name, cases())
    return pages("cases.md")[name].variant()


@cache
def pages(file):
    """The pages of a file beside this module, by name."""
    return parse(Path(__file__).with_name(file).read_text(encoding="utf-8"))


def parse(text):
    """The pages of a text, as :func:`pages` returns them."""
    pages = {}
    for match in PAGE.finditer(text):
        read = {"minutes": int(match["minutes"]), "often": bool(match["often"]), "fields": _fields(match["page"])}
        pages[match["name"]] = Question(**match.groupdict() | read)
    return pages


def written(value, form=None):
    """A number as one says it, with commas in whole ones and without zeros at the end; or anything else."""
    if not isinstance(value, Number):
        return value
    # a half is rounded up, as people do it
    text = format(value * (1 + 1e-12), form or (",.0f" if float(value).is_integer() else "g"))
    # 1.00 keeps its zeros if it is not exactly 1
    is_whole = round(float(value) * (100 if "%" in text else 1), 9).is_integer()
    return re.sub(r"()\.0+(?=%?$)" if is_whole else r"(\.\d*[1-9])0+(?=%?$)", r"\1", text)


def _fields(text):
    """The text behind each bold heading, or the lines of its list."""
    headings, fields = FIELD.split(text)[1:], {}
    for heading, words in zip(headings[::2], headings[1::2], strict=True):
        start, *items = re.split(r"^- ", words, flags=re.MULTILINE)
        fields[heading] = start.strip() or [" ".join(item.split()) for item in items]
    return fields


# what templates and expressions may call: numpy, pandas, scipy.stats, sklearn.metrics, this package's metrics
ENVIRONMENT = SandboxedEnvironment(undefined=StrictUndefined, keep_trailing_newline=True)
ENVIRONMENT.filters["written"] = written
for home in (calibration, class_ratio, classification, counts, ideal_ranking, prevalence, ranking, unlabeled):
    ENVIRONMENT.globals |= {name: value for name, value in vars(home).items() if not name.startswith("_")}
BUILTINS = (abs, all, any, bool, float, int, len, list, max, min, pow, range, round, sorted, sum, zip)
ENVIRONMENT.globals |= {function.__name__: function for function in BUILTINS}
# numbers("2, 5, 3") is an array
ENVIRONMENT.globals.update(math=math, np=np, pd=pd, stats=stats, sk=metrics, numbers=partial(np.fromstring, sep=","))
# compiled once, since this takes most of the time of a variant
_template = cache(ENVIRONMENT.from_string)
_expression = cache(partial(ENVIRONMENT.compile_expression, undefined_to_none=False))
