"""Reads ``questions.md``: one question under each heading, a Jinja template for numbers that a seed draws."""

import math
import random
import re
from dataclasses import dataclass
from functools import cache
from numbers import Number
from pathlib import Path

from jinja2 import StrictUndefined
from jinja2.sandbox import SandboxedEnvironment

KINDS = ("say", "compute", "derive", "decide", "debug", "design", "code")
LEVELS = ("junior", "mid", "senior")
META = re.compile(
    r"\*(?:(?P<kind>\w+) · (?P<level>\w+) · )?(?P<minutes>\d+) minutes? · (?P<often>asked most · )?"
    r"\[(?P<notebook>\w+): (?P<section>.+)\]\((?P<link>\S+)\)\*\n"
)
FIELD = re.compile(r"^\*\*([A-Z][\w -]*):\*\*", re.MULTILINE)
NUMBER = re.compile(r"`(?P<name>\w+) = (?P<code>[^`]+)`(?: of `(?P<choices>[^`]+)`)?(?: as `(?P<form>[^`]+)`)?.*")
ANSWER = re.compile(r"`(?P<code>[^`]+)`(?: ± (?P<tolerance>[\d.]+))?(?P<exactly>, exactly)?")
TYPED = re.compile(
    r"(?:about|roughly|approximately|around|~|≈)?\s*(?P<top>[-+−]?(?:[\d,]+\.?\d*|\.\d+)(?:e[-+]?\d+)?)"
    r"(?:\s*/\s*(?P<bottom>[\d,]+\.?\d*))?\s*(?P<percent>%|percent|per cent)?\.?",
    re.IGNORECASE,
)
# what people write instead of a share or a number, and how to say so
SLIPS = (
    (lambda a: 100 * a, "that is 100 times the answer: a percentage and a share are mixed up"),
    (lambda a: a / 100, "that is a hundredth of the answer: a percentage and a share are mixed up"),
    (lambda a: 1000 * a, "that is 1,000 times the answer: look at the unit that the question asks for"),
    (lambda a: a / 1000, "that is a thousandth of the answer: look at the unit that the question asks for"),
    (lambda a: 1 - a if 0 < a < 1 else math.nan, "that is the complement, one minus the answer"),
    (lambda a: 1 / a, "that is the reciprocal of the answer"),
    (lambda a: a / (1 - a) if 0 < a < 1 else math.nan, "that is the odds, and the question asks for the probability"),
    (lambda a: 2 * a, "that is twice the answer"),
    (lambda a: a / 2, "that is half of the answer"),
    (lambda a: -a, "the sign is the wrong way round"),
)


@dataclass(frozen=True)
class Question:
    """One question of the file. ``deal`` gives it with numbers.

    Attributes
    ----------
    name, kind, level, notebook, section, link : str
        Kinds: say, compute, derive, decide, debug, design, code. Levels: junior, mid, senior. The section of a
        notebook answers the question, and the link leads there.
    minutes : int
    often : bool
        Whether interviewers ask it, or its like, more often than the others.
    text : str
        Its fields as the file has them, with names in place of numbers.
    """

    name: str
    kind: str
    level: str
    notebook: str
    section: str
    link: str
    minutes: int
    often: bool
    text: str

    @property
    def fields(self):
        """Heading to text, or to a list of texts, as the file has them."""
        return fields_of(self.text)

    def filled(self, values):
        """The same fields with values in place of their names."""
        return fields_of(_environment().from_string(self.text).render(values))

    def deal(self, seed=None):
        """The question with the numbers of a seed, and its options in an order of their own; None: as in the file.

        Raises
        ------
        ValueError
            A line that cannot be read or computed.
        """
        rng, values, words, raw = random.Random(f"{self.name} {seed}"), {}, {}, self.fields
        for line in raw.get("Numbers", ()):
            found = self._read("number", NUMBER, line)
            if found["choices"] and seed is not None:
                value = rng.choice(self._choices(found["choices"], values))
            else:
                value = self._value(found["code"], values)
            values[found["name"]] = value
            words[found["name"]] = written(value, found["form"]) if isinstance(value, (str, Number)) else value
        texts = self.filled(words)
        found = self._read("answer", ANSWER, raw.get("Answer", ""))
        answer = self._value(found["code"], values)
        wrong = [self._value(line.split("`")[1], values) for line in raw.get("Wrong", ())]
        reasons = [line.split("`: ", 1)[1] for line in texts.pop("Wrong", ())]
        if "Options" in texts:
            order = list(texts["Options"])
            if seed is not None:
                rng.shuffle(order)
            letters = {option[0]: chr(ord("A") + place) for place, option in enumerate(order)}
            texts["Options"] = [f"{letters[option[0]]}{option[1:]}" for option in order]
            answer, wrong = letters[answer], [letters[letter] for letter in wrong]
        tolerance = 0 if isinstance(answer, str) else _tolerance(answer, wrong, found)
        texts = {field: text for field, text in texts.items() if field not in ("Numbers", "Answer")}
        return Dealt(self, seed, values, texts, answer, tolerance, tuple(zip(wrong, reasons, strict=True)))

    def _read(self, what, form, line):
        if not (found := form.fullmatch(line)):
            raise ValueError(f"{self.name}: cannot read the {what} {line!r}")
        return found

    def _value(self, code, values):
        try:
            value = _environment().compile_expression(code.strip(), undefined_to_none=False)(**values)
            if isinstance(value, StrictUndefined):
                value._fail_with_undefined_error()
            return value
        except Exception as error:
            raise ValueError(f"{self.name}: cannot compute {code!r}: {type(error).__name__}: {error}") from error

    def _choices(self, code, values):
        """``3..9``, ``1000..9000 by 500`` (both ends belong to it), or ``a | b | c``."""
        if ".." in code and "|" not in code:
            low, _, high = code.partition("..")
            high, _, step = high.partition(" by ")
            low, high, step = (self._value(part, values) for part in (low, high, step or "1"))
            return [round(low + i * step, 10) for i in range(math.floor((high - low) / step + 1e-9) + 1)]
        return [self._value(part, values) for part in code.split("|")]


@dataclass(frozen=True)
class Dealt:
    """A question with its numbers: ``texts`` by heading, ``answer`` (number or letter), ``wrong`` (answer, reason)."""

    question: Question
    seed: object
    values: dict
    texts: dict
    answer: object
    tolerance: float
    wrong: tuple

    @property
    def shown(self):
        """The answer as people write it, and as a percentage where the last sentence asks for one."""
        if isinstance(self.answer, str):
            return self.answer
        asked = self.texts["Asked"].rpartition(". ")[2]
        if "percent" in asked and 0 < abs(self.answer) < 1:
            return f"{100 * self.answer:.3g}{' percentage points' if 'percentage points' in asked else '%'}"
        return written(self.answer, ",.0f" if abs(self.answer) >= 1000 else ".4g")

    @property
    def options(self):
        """The options without the reasons for and against them."""
        return [option.partition(" — ")[0] for option in self.texts.get("Options", ())]

    def judge(self, given):
        """Whether an answer is right, and a sentence on a wrong one that people often give, or nothing.

        Parameters
        ----------
        given : float or str
            A number, or text with one (``0.031``, ``3.1%``, ``1/6``, ``9,000``); a letter where the answer is one.
            A percentage needs no sign where the question speaks in percent.

        Raises
        ------
        ValueError
            Text that is no number where one is asked for, or one that can be read in two ways.
        """
        if isinstance(self.answer, str):
            given = str(given).strip().upper()
            return given == self.answer, next((reason for letter, reason in self.wrong if letter == given), "")
        if isinstance(given, str):
            given = self._read(given)
        if abs(given - self.answer) <= self.tolerance * (1 + 1e-9):
            return True, ""
        slips = [(slip(self.answer), reason) for slip, reason in SLIPS if self.answer]
        near = [(self.tolerance, *named) for named in self.wrong]
        near += [(_half_unit(value), value, reason) for value, reason in slips]
        return False, next((reason for most, value, reason in near if abs(given - value) <= most * (1 + 1e-9)), "")

    def _read(self, text):
        value, signed = read_answer(text)
        if 0 < self.answer < 1 < value <= 100 and not signed:
            if "%" not in self.texts["Asked"] and "percent" not in self.texts["Asked"].lower():
                raise ValueError(f"do you mean {value:g}%? Write {value:g}% or {value / 100:g}")
            return value / 100
        return value


def read_answer(text):
    """A number as people type it (``0.031``, ``about 3.1 %``, ``1/6``, ``9,000``), and whether it had a percent sign.

    Raises
    ------
    ValueError
        Text that is no number, and a comma that may be a decimal point.
    """
    found = TYPED.fullmatch(text.strip())
    try:
        parts = [part for part in (found["top"], found["bottom"]) if part]
        for part in parts:
            if "," in part and not re.fullmatch(r"[-+−]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?", part):
                raise ValueError(f"is {part} a decimal? Write {part.replace(',', '.')}; commas separate thousands here")
        top, *bottom = (float(part.replace(",", "").replace("−", "-")) for part in parts)
        return top / (bottom[0] if bottom else 1) / (100 if found["percent"] else 1), bool(found["percent"])
    except (TypeError, ZeroDivisionError):
        raise ValueError(f"type a number, such as 0.031, 3.1%, 1/6 or 9,000; {text!r} is none") from None


@cache
def questions():
    """All questions of the file, in its order: a tuple of :class:`Question`."""
    return pages("questions.md")


@cache
def pages(file):
    """All headings of a file that lies beside this module: a tuple of :class:`Question`.

    Raises
    ------
    ValueError
        A heading whose second line cannot be read.
    """
    return read(Path(__file__).with_name(file).read_text(encoding="utf-8"))


def read(text):
    """The questions of a text, as :func:`pages` has them."""
    found = []
    for block in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        name, _, rest = block.partition("\n")
        if not (about := META.match(rest)):
            raise ValueError(f"{name}: cannot read the line {rest.partition(chr(10))[0]!r}")
        more = {"minutes": int(about["minutes"]), "often": bool(about["often"]), "text": rest[about.end() :]}
        found.append(Question(name, **{**about.groupdict(), **more}))
    return tuple(found)


def fields_of(text):
    """The text behind each bold heading, or the lines of its list."""
    parts = FIELD.split(text)[1:]
    return {field: _text_or_list(words) for field, words in zip(parts[::2], parts[1::2], strict=True)}


def written(value, form=None):
    """A value as the text has it: whole numbers with commas, others as short as they are."""
    if isinstance(value, str):
        return value
    return format(value, form or (",.0f" if float(value).is_integer() else "g"))


def _text_or_list(words):
    if not words.startswith("\n- "):
        return words.strip()
    return [" ".join(item.split()) for item in re.split(r"^- ", words, flags=re.MULTILINE)[1:]]


def _half_unit(value):
    """Half a unit of the second digit: who says two digits of a number rightly is no further off."""
    return 0 if not value or math.isnan(value) else 0.5 * 10.0 ** (math.floor(math.log10(abs(value))) - 1)


def _tolerance(answer, wrong, found):
    asked = float(found["tolerance"] or 0)
    if found["exactly"]:
        return asked
    # two digits are enough, unless they are those of a wrong answer, too
    return max(asked, min([_half_unit(answer), *(0.4 * abs(value - answer) for value in wrong)]))


@cache
def _environment():
    """What templates and expressions may call: numpy, pandas, scipy.stats, sklearn.metrics, the package's metrics."""
    import numpy as np
    import pandas as pd
    from scipy import stats
    from sklearn import metrics

    from evalteach import (
        calibration,
        class_ratio,
        classification,
        counts,
        ideal_ranking,
        matching,
        prevalence,
        ranking,
        review,
        unlabeled,
    )

    environment = SandboxedEnvironment(undefined=StrictUndefined, keep_trailing_newline=True)
    called = (abs, all, any, bool, float, int, len, list, max, min, pow, range, round, sorted, sum, zip)
    names = {each.__name__: each for each in called}
    names |= {"math": math, "np": np, "pd": pd, "stats": stats, "sk": metrics, "numbers": _numbers}
    homes = (counts, classification, class_ratio, calibration, ranking, matching, prevalence, review)
    for home in (*homes, ideal_ranking, unlabeled):
        public = {word: thing for word, thing in vars(home).items() if not word.startswith("_")}
        names |= {word: thing for word, thing in public.items() if getattr(thing, "__module__", "") == home.__name__}
    environment.globals.update(names)
    environment.filters["written"] = written
    return environment


def _numbers(text):
    """The numbers of a text with commas between them, as an array."""
    import numpy as np

    return np.array(text.split(","), dtype=float)
