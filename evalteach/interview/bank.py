"""Reads ``questions.md``: a question a heading, readable as it is, with numbers that a seed can change.

The text holds the numbers of one sheet as a reader of the file sees them. A line under **Numbers:** says what each may
be instead, or how it is computed; another seed puts the new numbers in their places, everywhere in the question.
"""

import math
import random
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("questions.md")
KINDS = ("say", "compute", "derive", "decide", "debug", "design", "code")
LEVELS = ("junior", "mid", "senior")
LISTS = ("If asked back", "Numbers", "Options", "Points", "Red flags", "Wrong", "Hints", "Follow-ups")
TEXTS = ("Asked", "Answer", "Said", "Junior", "Mid", "Senior")
BUILTINS = (
    abs,
    all,
    any,
    bool,
    dict,
    enumerate,
    float,
    int,
    len,
    list,
    max,
    min,
    pow,
    range,
    round,
    set,
    sorted,
    str,
    sum,
)
META = re.compile(
    r"\*(?P<kind>\w+) · (?P<level>\w+) · (?P<minutes>\d+) minutes? · "
    r"\[(?P<notebook>\w+): (?P<section>.+)\]\((?P<link>\S+)\)\*"
)
DRAWN = re.compile(r"`(?P<name>\w+) = (?P<start>[^`]+)` of `(?P<choices>[^`]+)`(?: as `(?P<form>[^`]+)`)?")
COMPUTED = re.compile(r"`(?P<name>\w+) = (?P<code>[^`]+)`(?: as `(?P<form>[^`]+)`)?")
ANSWER = re.compile(r"`(?P<code>[^`]+)`(?: ± `?(?P<tolerance>[\d.]+)`?)?")
WRONG = re.compile(r"`(?P<code>[^`]+)`: (?P<reason>.+)", re.DOTALL)


@dataclass(frozen=True)
class Question:
    """One question of the file. ``deal`` gives it with numbers.

    Attributes
    ----------
    name, kind, level, notebook, section, link : str
        Kinds: say, compute, derive, decide, debug, design, code. Levels: junior, mid, senior.
    minutes : int
    fields : dict
        Heading to text, or to a list of texts, as the file has them.
    """

    name: str
    kind: str
    level: str
    minutes: int
    notebook: str
    section: str
    link: str
    fields: dict

    def deal(self, seed=None):
        """The question with the numbers of a seed; None: those of the file.

        Raises
        ------
        ValueError
            A line that cannot be read or computed, and two numbers that look alike in the text.
        """
        rng = random.Random(f"{self.name} {seed}")
        values, before, after = {}, {}, {}
        for line in self.fields.get("Numbers", ()):
            drawn = DRAWN.fullmatch(line)
            found = drawn or self._read("the number", COMPUTED, line)
            name, form = found["name"], found["form"]
            # two runs of the same lines: the file's own numbers tell what to replace
            first = self._value(found["start" if drawn else "code"], before)
            if seed is None:
                value = first
            elif drawn:
                value = rng.choice(self._choices(found["choices"], values))
            else:
                value = self._value(found["code"], values)
            before[name], values[name] = first, value
            if form != "hidden":
                old = written(first, form)
                if old in after:
                    raise ValueError(f"{self.name}: two numbers are written {old}; only one of them can be replaced")
                after[old] = written(value, form)
        texts = {
            field: [replaced(t, after) for t in text] if isinstance(text, list) else replaced(text, after)
            for field, text in self.fields.items()
            if field not in ("Numbers", "Answer", "Wrong")
        }
        wrong = []
        for line in self.fields.get("Wrong", ()):
            found = self._read("the wrong answer", WRONG, line)
            wrong.append((self._value(found["code"], values), replaced(found["reason"], after)))
        found = self._read("the answer", ANSWER, self.fields.get("Answer", ""))
        answer, tolerance = self._value(found["code"], values), float(found["tolerance"] or 0)
        return Dealt(self, seed, values, texts, answer, tolerance, tuple(wrong), tuple(after.items()))

    def _read(self, what, form, line):
        if not (found := form.fullmatch(line)):
            raise ValueError(f"{self.name}: cannot read {what} {line!r}")
        return found

    def _value(self, code, values):
        """The value of an expression of the file, which may call ``_vocabulary`` and nothing else."""
        # as globals, since a comprehension sees no locals of eval
        known = {**_vocabulary(), **values, "__builtins__": {"__import__": _import}}
        try:
            return eval(code.strip(), known)
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
    written: tuple

    @property
    def shown(self):
        """The answer as people write it."""
        if isinstance(self.answer, str):
            return self.answer
        return written(self.answer, ",.0f" if abs(self.answer) >= 1000 else ".4g")

    def judge(self, given):
        """Whether an answer is right, and a sentence: the reason that the file names for this wrong one, or nothing.

        Parameters
        ----------
        given : float or str
            A number, or text with one (``.031``, ``3.1 %``, ``1/6``, ``9,000``); a letter where the answer is one.

        Raises
        ------
        ValueError
            Text that holds no number where one is asked for.
        """
        if isinstance(self.answer, str):
            given = str(given).strip().upper()
        elif isinstance(given, str):
            given = read_answer(given)
        if self._fits(given, self.answer):
            return True, ""
        return False, next((reason for value, reason in self.wrong if self._fits(given, value)), "")

    def _fits(self, given, value):
        if isinstance(value, str):
            return given == value
        return bool(abs(given - value) <= self.tolerance * (1 + 1e-9))


def read_answer(text):
    """The number in a text as people type it: ``.031``, ``3.1 %``, ``1/6``, ``9,000``, ``1e-4``."""
    number = r"[-+−]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d*)?(?:[eE][-+]?\d+)?"
    found = re.fullmatch(rf"({number})(?: */ *({number}))? *(%?)", text.strip())
    try:
        parts = (found[1], "1" if found[2] is None else found[2])
        top, bottom = (float(part.replace(",", "").replace("−", "-")) for part in parts)
        return top / bottom / (100 if found[3] else 1)
    except (TypeError, ValueError, ZeroDivisionError):
        raise ValueError(f"a number is asked for, such as .031, 3.1 %, 1/6 or 9,000, got {text!r}") from None


@cache
def questions():
    """All questions of the file, in its order: a tuple of :class:`Question`."""
    return read(FILE.read_text(encoding="utf-8"))


def read(text):
    """The questions of a text: a tuple of :class:`Question`.

    Raises
    ------
    ValueError
        A block that cannot be read, with its name.
    """
    found = tuple(_question(block) for block in re.split(r"^## ", text, flags=re.MULTILINE)[1:])
    names = [question.name for question in found]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ValueError(f"questions that stand twice: {twice}")
    return found


def _question(block):
    name, _, rest = block.partition("\n")
    name = name.strip()
    meta, _, rest = rest.strip().partition("\n")
    about = META.fullmatch(meta.strip())
    if not about:
        raise ValueError(f"{name}: cannot read the line {meta!r}")
    for what, accepted in (("kind", KINDS), ("level", LEVELS)):
        if about[what] not in accepted:
            raise ValueError(f"{name}: the {what} must be one of {', '.join(accepted)}, got {about[what]!r}")
    before, *parts = re.split(r"^\*\*(?=[A-Z][\w -]*:\*\*)", rest, flags=re.MULTILINE)
    if before.strip():
        raise ValueError(f"{name}: words that belong to no field: {before.strip()[:60]!r}")
    fields = {}
    for part in parts:
        field, _, words = part.partition(":**")
        if field not in TEXTS + LISTS or field in fields:
            raise ValueError(f"{name}: {'a second' if field in fields else 'no'} field is called {field!r}")
        fields[field] = words.strip()
        if field in LISTS:
            before, *items = re.split(r"^- ", words, flags=re.MULTILINE)
            if before.strip():
                raise ValueError(f"{name}: {field} is a list, and {before.strip()[:60]!r} is no line of one")
            fields[field] = [" ".join(item.split()) for item in items]
    return Question(name, fields=fields, **{**about.groupdict(), "minutes": int(about["minutes"])})


def written(value, form=None):
    """A value as the text has it: whole numbers with commas, shares without a leading zero."""
    if isinstance(value, str):
        return value
    if form is None:
        form = ",.0f" if float(value).is_integer() else "g"
    words = format(value, form)
    if words.endswith("%"):
        words = words[:-1] + " %"
    return re.sub(r"^(-?)0\.", r"\1.", words)


def replaced(text, pairs):
    """The text with each of the numbers in its place: whole ones only, and no 3 of a -3, of 3.1 or of 3,000."""
    if not pairs:
        return text
    # those that stay stand in the pattern, too: a 3.1 that changes must not be taken from a "3.1 %" that does not
    old = "|".join(re.escape(word) for word in sorted(pairs, key=len, reverse=True))
    alone = rf"(?<![\w.,])(?<!(?<!\w)[-−])(?:{old})(?!\w|[.,]\d)"
    return re.sub(alone, lambda found: pairs[found[0]], text)


def _import(name, *more):
    """What numpy's own methods need, which import their parts when they are first called, and nothing else."""
    if name.split(".")[0] not in ("numpy", "pandas", "scipy", "sklearn"):
        raise ImportError(f"a question imports nothing, got {name}")
    return __import__(name, *more)


@cache
def _vocabulary():
    """What expressions of the file may call: numpy, pandas, scipy.stats, sklearn.metrics, and the package's metrics."""
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

    names = {each.__name__: each for each in (*BUILTINS, tuple, zip)}
    names |= {"math": math, "np": np, "pd": pd, "stats": stats, "sk": metrics}
    homes = (counts, classification, class_ratio, calibration, ranking, matching, prevalence, review)
    for home in (*homes, ideal_ranking, unlabeled):
        public = {word: thing for word, thing in vars(home).items() if not word.startswith("_")}
        names |= {word: thing for word, thing in public.items() if getattr(thing, "__module__", "") == home.__name__}
    return names
