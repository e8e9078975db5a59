"""An interview with oneself: a question, how sure one is, an answer, hints that cost, points to tick, follow-ups."""

import random
from collections import Counter, namedtuple
from datetime import datetime
from itertools import count

import ipywidgets as ipw

from evalteach._inputs import check_between, read_whole
from evalteach.interview.bank import LEVELS, questions
from evalteach.interview.grading import read_letter
from evalteach.interview.record import FILE, Answer, Record
from evalteach.interview.screen import Clock, output, render

COUNTED = ("compute", "decide", "code")  # the answer is most of it; other answers are spoken, and the number is a part
CONFIDENCE = (10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99)  # percent; nobody is surer than that
POINTS, HINT = 10, 2  # of each question, and what a hint costs
WIDE = {"style": {"description_width": "initial"}, "layout": {"width": "600px", "max_width": "100%"}}
_now = datetime.now

# how one question went: the confidence in percent (None if no answer was tried) and how many of its points were covered
Result = namedtuple("Result", "question confidence right covered hints points seconds")


class InterviewRound:
    """Questions one by one, for a reader who plays both parts; those that are due again come first.

    The bank grades each answer before the reader sees its own. The number or letter brings six of ten points where the
    question asks for it, and four where most of the answer is spoken. The rest is for the points that the reader
    covered, and ticks beside the keywords noted before. Each hint costs two points, and giving up all of them.

    Parameters
    ----------
    topic : str, int or list of them, optional
        Notebooks, by number or name (``10``, ``"10_class_ratio"``), or a question's name without its number.
    level : str, optional
        ``junior``, ``mid`` or ``senior``.
    minutes : float
        The length of the round, by the minutes of its questions; it has at least one.
    seed : int, optional
        Determines the order and the numbers; by default another one each time.
    days : int, optional
        Days until the interview. Then the round has only the questions that are asked most, a question that was missed
        comes again later in the round with other numbers, and no question has to wait longer than these days.
    path : path or None
        JSON file for the answers, made at the first one; None stores nothing.

    Attributes
    ----------
    questions : list of Question
        The questions, with their numbers.
    results : list of Result
        The answers so far.
    seed : int
    view : ipywidgets.VBox
        The widget.

    Raises
    ------
    ValueError
        If there is no such topic, level, time or seed, or if the file cannot be read as a record.
    """

    def __init__(self, topic=None, level=None, minutes=30, seed=None, *, days=None, path=FILE):
        seed = random.randrange(10**6) if seed is None else read_whole("seed", seed, 0, 10**9)
        self.days = days if days is None else read_whole("days", days, 0, 10**4)
        self._minutes, self.record = check_between("minutes", minutes, 0, float("inf")), Record(path)
        self._candidates = list(candidates(topic, level, often=days is not None).values())
        self.clock, self.page, self.solution, self.ticks = Clock(), ipw.Output(), ipw.Output(), ipw.VBox()
        # not None for no choice yet: ipywidgets shows the first choice or an empty box for it, as hashes fall
        choices = [("choose", 0), *((f"{percent}%", percent) for percent in CONFIDENCE)]
        self.confidence = ipw.Dropdown(description="How sure are you?", options=choices, **WIDE)
        # sent as a whole when the box is left: letters that are sent one by one may arrive after the press of a button
        self.answer = ipw.Text(description="Your number or letter", continuous_update=False, **WIDE)
        self.notes = ipw.Textarea(description="What you said, in keywords", continuous_update=False, rows=2, **WIDE)
        words = "", f"Hint (costs {HINT} points)", "I do not know"
        self.main, self.hint, self.give_up = (ipw.Button(description=text, layout={"width": "auto"}) for text in words)
        self.form = ipw.VBox([self.confidence, self.answer, self.notes, ipw.HBox([self.hint, self.give_up])])
        # what grows stands below what is pressed, so that both are on one screen
        self.view = ipw.VBox([self.page, self.form, self.ticks, ipw.HBox([self.main]), self.clock, self.solution])
        self.view.add_class("evalteach-interview")
        self.answer.on_msg(lambda _, content, __: self.main.focus() if content.get("event") == "submit" else None)
        self.main.on_click(lambda _: self._continue())
        self.hint.on_click(lambda _: self._show(hints=self.hints + 1))
        self.give_up.on_click(lambda _: self._solve("You gave no answer.", right=False, confidence=None))
        self._begin(seed)

    def _begin(self, seed):
        order = in_order(self._candidates, self.record.due(self.days), self._minutes, seed)
        self.seed, self.questions, self.results = seed, [question.variant(seed) for question in order], []
        self._ask()

    # --- one function for each state, which also says what the main button does next ---

    def _ask(self):
        if len(self.results) == len(self.questions):
            return self._end()
        self.question, self._start = self.questions[len(self.results)], _now()
        self.confidence.value, self.answer.value, self.notes.value = 0, "", ""
        self.form.layout.display, self.ticks.children, self.solution.outputs = None, (), ()
        self.confidence.focus()
        self._show(hints=0)
        self.clock.is_running, self.clock.message = True, "Answer aloud first, then say how sure you are."
        self.main.description, self._continue = "Answer", self._grade

    def _show(self, hints):
        self.hints = min(hints, len(self.question.texts["Hints"]))
        self.page.outputs = output("question", self)

    def _grade(self):
        try:
            if not self.confidence.value:
                raise ValueError("say first how sure you are")
            right, reason = self.question.grade(self.answer.value)
            if self.question.kind not in COUNTED and not self.notes.value.strip():
                raise ValueError("note first what you said")
        except ValueError as error:
            self.clock.message = _sentence(str(error))
        else:
            self._solve("Right." if right else f"Not right. {_sentence(reason)}", right, self.confidence.value)

    def _solve(self, verdict, right, confidence):
        question, now = self.question, _now()
        self._result = Result(question, confidence, right, 0, self.hints, 0, (now - self._start).total_seconds())
        problem = self.record.note(Answer(question.name, str(now.date()), confidence, right))
        is_last = len(self.results) + 1 == len(self.questions)
        is_first = sum(other.name == question.name for other in self.questions) == 1
        if self.days is not None and not right and is_first and not is_last:  # again, but not at once
            others = (question.variant(self.seed + step) for step in count(1))
            self.questions.append(next(other for other in others if str(other.values) != str(question.values)))
        points = () if confidence is None else question.texts["Points"]
        self.ticks.children = [ipw.Checkbox(description=point, indent=False, **WIDE) for point in points]
        read = read_letter if "Options" in question.texts else str.strip
        said = read(self.answer.value).removesuffix(".")
        self.solution.outputs = output("solution", question, verdict, said, self.notes.value)
        self.main.focus()  # before the form goes that has it
        self.form.layout.display, self.clock.is_running = "none", False
        self.clock.message = f"Compare the answers, tick what you said, and go on.{problem}"
        self.main.description, self._continue = "See how it went" if is_last else "Next question", self._count

    def _count(self):
        covered, of = sum(box.value for box in self.ticks.children), len(self.question.texts["Points"])
        worth = 6 if self.question.kind in COUNTED else 4
        points = worth * self._result.right + round((POINTS - worth) * covered / of) - HINT * self.hints
        self.results.append(self._result._replace(covered=covered, points=max(0, points)))
        self._ask()

    def _end(self):
        self.page.outputs = output("summary", self)
        self.ticks.children, self.solution.outputs, self.clock.message = (), (), repr(self)
        self.main.description, self._continue = "Another round", lambda: self._begin(self.seed + 1)

    def __repr__(self):
        return render("screens.md", "title", self).strip()

    def _repr_mimebundle_(self, **kwargs):
        return {**self.view._repr_mimebundle_(**kwargs), "text/plain": repr(self)}


def candidates(topic=None, level=None, *, often=False):
    """The questions of these topics and of this level by name; with ``often`` only those that are asked most.

    Raises
    ------
    ValueError
        If a topic has no such question.
    """
    union = {}
    for word in topic if isinstance(topic, (list, tuple, set)) else [topic]:
        matches = [question for question in questions() if _fits(question, word, level) and question.often >= often]
        if not matches:
            topics = ", ".join(sorted({question.notebook[:2] for question in questions()}))
            known = f"topics are {topics}, and levels {', '.join(LEVELS)}"
            raise ValueError(f"there is no question with topic={word!r} and level={level!r}; {known}")
        union |= {question.name: question for question in matches}
    return union


def _fits(question, topic, level):
    word = f"{topic:02}" if isinstance(topic, int) else topic
    words = {None, question.notebook, question.notebook.split("_")[0], question.name.rpartition("-")[0]}
    return word in words and level in (None, question.level)


def in_order(pool, due, minutes, seed):
    """Questions of so many minutes: due ones, oldest first, then new ones, topics by turns, then those due later."""
    shuffled, turns, ranks, order = random.Random(f"round {seed}").sample(pool, len(pool)), Counter(), {}, []
    for question in shuffled:
        day = due.get(question.name)
        turns[question.notebook] += day is None
        ranks[question.name] = (1, turns[question.notebook]) if day is None else (0 if day <= _now().date() else 2, day)
    for question in sorted(shuffled, key=lambda question: ranks[question.name]):
        if not order or question.minutes <= minutes:
            order.append(question)
            minutes -= question.minutes
    return order


def _sentence(text):
    return f"{text[:1].upper()}{text[1:].removesuffix('.')}." if text else ""
