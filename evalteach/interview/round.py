"""An interview with oneself: a question, how sure one is, an answer, hints that cost, points to tick, follow-ups."""

import random
from datetime import datetime
from typing import NamedTuple

import ipywidgets as ipw

from evalteach._inputs import check_between, check_choice, read_whole
from evalteach.interview.bank import LEVELS, questions
from evalteach.interview.record import DAYS, FILE, Record
from evalteach.interview.screen import POINTS, WIDE, Clock, how_sure, plain, section, section_link, shown

COUNTED = ("compute", "decide", "code")  # the answer is most of it; the others are said aloud, and the number is a part
HINT = 2  # points
_now = datetime.now


class Result(NamedTuple):
    """How one question went: ``covered`` of ``of`` points were said, and ``points`` of ten were earned.

    ``sure`` is how sure the reader was, in percent; None if no answer was tried.
    """

    question: object
    sure: int | None
    right: bool
    covered: int
    of: int
    hints: int
    points: int
    seconds: float


class InterviewRound:
    """Questions one by one, for somebody who plays both parts; those that are due again come first.

    Every answer is judged by the bank, before the reader sees it. The number or letter brings six of ten points where
    it is what is asked for, and four where most of the answer is said aloud; the rest is for the points that were
    covered, which the reader ticks beside the words noted before. Each hint costs two points, and giving up all of
    them.

    Parameters
    ----------
    topic : str, int or list of them, optional
        Notebooks, by number or name (``10``, ``"10_class_ratio"``), or a question's name without its number.
    level : str, optional
        ``junior``, ``mid`` or ``senior``.
    minutes : float
        How long the round is to take, by the minutes of its questions; it has one at least.
    seed : int, optional
        Deals the order and the numbers; by default another one each time.
    days : int, optional
        Days until the interview. Only the questions that are asked most come then, one that was missed comes again
        at the end of the same round with other numbers, and nothing is put off beyond that day.
    path : path or None
        JSON file for what was answered and is due, made at the first answer; None keeps nothing.

    Attributes
    ----------
    questions : list of Dealt
        What is asked.
    results : list of Result
        What was answered.
    seed : int
    view : ipywidgets.VBox
        The widget.

    Raises
    ------
    ValueError
        For a topic, level, time or seed that there is not, and for a file that is no record.
    """

    def __init__(self, topic=None, level=None, minutes=30, seed=None, *, days=None, path=FILE):
        self.seed = random.randrange(10**6) if seed is None else read_whole("seed", seed, 0, 10**9)
        self._days = days if days is None else read_whole("days", days, 0, 10**4)
        self._chosen = chosen_questions(topic, level, often=days is not None)
        self._minutes = check_between("minutes", minutes, 0, float("inf"))
        self.record = Record(path)
        self._build()
        self._begin()

    def _build(self):
        self.clock, self.sure, self.links = Clock(), how_sure(), ipw.Output()
        self.head, self.prompt, self.hints, self.solution = (ipw.HTML(layout=WIDE) for _ in range(4))
        named, wide = {"description_width": "initial"}, {"width": "600px", "max_width": "100%"}
        # sent as a whole when the box is left: letters that are sent one by one may arrive after the press of a button
        self.typed = ipw.Text(style=named, layout={"width": "420px"}, continuous_update=False)
        self.letter = ipw.RadioButtons(description="Your answer", style=named)
        about = {"description": "What you said, in keywords", "continuous_update": False}
        self.notes = ipw.Textarea(**about, style=named, layout=wide, rows=2)
        self.ticks = ipw.VBox(layout=WIDE)
        self.primary, self.hint, self.pass_on = (ipw.Button(layout={"width": "auto"}) for _ in range(3))
        asked = (self.head, self.prompt, self.hints, self.sure, self.letter, self.typed, self.notes)
        buttons = ipw.HBox([self.primary, self.hint, self.pass_on])
        # what grows stands below what is pressed, so that both are on one screen
        self.view = ipw.VBox([*asked, self.ticks, buttons, self.clock, self.solution, self.links])
        self.view.add_class("evalteach-interview")
        self.typed.on_msg(lambda _, said, __: self.primary.focus() if said.get("event") == "submit" else None)
        self.primary.on_click(lambda _: {"ask": self._answer, "shown": self._next, "over": self._again}[self.state]())
        self.hint.on_click(lambda _: self._hint())
        self.pass_on.on_click(lambda _: self._reveal(False, "", None))

    def _begin(self):
        order = in_turn(self._chosen, self._minutes, self.record.cards, self.seed, _now().date())
        self.questions = [question.deal(self.seed) for question in order]
        self.results, self.place = [], 0
        self._ask()

    @property
    def _dealt(self):
        return self.questions[self.place]

    def _where(self):
        question = self._dealt.question
        about = f"{question.name}: {question.kind}, {question.level}, {question.minutes} min"
        return f"Question {self.place + 1} of {len(self.questions)} ({about})"

    def _show(self, *parts):
        for part in (self.sure, self.letter, self.typed, self.notes, self.ticks, self.hint, self.pass_on):
            part.layout.display = None if part in parts else "none"

    # --- the three states ---

    def _ask(self):
        dealt, self.state, self._hints, self._started = self._dealt, "ask", 0, _now()
        lettered = isinstance(dealt.answer, str)
        self.head.value, self.prompt.value = f"<b>{self._where()}</b>", shown("prompt", dealt)
        self.hints.value, self.solution.value, self.links.outputs = "", "", ()
        self.sure.value, self.typed.value, self.notes.value, self.ticks.children = 0, "", "", ()
        self.letter.options, self.letter.index = [option[0] for option in dealt.options] or ["A"], None
        counted = dealt.question.kind in COUNTED
        self.typed.description = "Your answer, such as 0.031 or 3.1%" if counted else "The number in it"
        self.primary.description, self.pass_on.description = "Answer", "I do not know"
        self._show(*(self.sure, self.letter if lettered else self.typed, self.hint, self.pass_on))
        if not counted:
            self.notes.layout.display = None
        self._name_hint()
        self.clock.question, self.clock.minutes = self.place + 1, dealt.question.minutes
        self.clock.running = True
        self.clock.say(
            "Answer aloud first, then say how sure you are.", f"{self._where()}. {plain(dealt.texts['Asked'])}"
        )

    def _name_hint(self):
        hints = len(self._dealt.texts["Hints"])
        self.hint.description = f"Hint {self._hints + 1} of {hints} (costs {HINT} points)"
        self.hint.layout.display = None if self._hints < hints else "none"

    def _hint(self):
        given = self._dealt.texts["Hints"][: self._hints + 1]
        self._hints = len(given)
        self.hints.value = shown("hints", given)
        if self._hints == len(self._dealt.texts["Hints"]):
            self.primary.focus()  # before the button goes that has it
        self._name_hint()
        self.clock.say(f"Hint {self._hints}.", plain(given[-1]))

    def _answer(self):
        given = self.letter.value if isinstance(self._dealt.answer, str) else self.typed.value.strip()
        missing = [
            (self.sure, self.sure.value, "Say first how sure you are."),
            (self.typed, given, "Give an answer first; or press: I do not know."),
            (self.notes, self.notes.value.strip() or self._dealt.question.kind in COUNTED, "Note what you said first."),
        ]
        for part, there, said in missing:
            if not there:
                part.focus()
                self.clock.say(said)
                return
        try:
            right, reason = self._dealt.judge(given)
        except ValueError as error:
            self.typed.focus()
            self.clock.say(f"{error}."[:1].upper() + f"{error}."[1:])
            return
        self._reveal(right, f"You gave {given}, and it is {self._dealt.shown}.{_sentence(reason)}", self.sure.value)

    def _reveal(self, right, said, sure):
        dealt, self.state, self._right, self._sure = self._dealt, "shown", right, sure
        self._seconds, self.clock.running = (_now() - self._started).total_seconds(), False
        kept = self.record.note(
            dealt.question.name, sure, right, _now().date(), DAYS[-1] if self._days is None else self._days
        )
        points = dealt.texts["Points"] if sure is not None else ()
        boxes = [
            ipw.Checkbox(description=plain(point), indent=False, layout={"width": "auto", **WIDE}) for point in points
        ]
        self.ticks.children = (ipw.HTML("<b>Tick what you said:</b>"), *boxes) if boxes else ()
        verdict = f"{'Right' if right else 'Not right'}. {said}" if sure is not None else f"It is {dealt.shown}."
        self.hints.value = ""
        self.solution.value = shown("solution", dealt, verdict, self.notes.value.strip())
        missed = not right and sum(each.question == dealt.question for each in self.questions) == 1
        if missed and self._days is not None:
            self.questions.append(dealt.question.deal(self.seed + len(self.questions)))  # the same day, other numbers
        self.primary.focus()
        self.primary.description = "Next question" if self.place + 1 < len(self.questions) else "See how it went"
        self._show(self.ticks)
        self.clock.say(
            f"{verdict}{' Tick what you said, then go on.' if boxes else ''}{kept}", plain(dealt.texts["Said"])
        )

    def _next(self):
        dealt, covered = self._dealt, sum(box.value for box in self.ticks.children[1:])
        of, worth = len(dealt.texts["Points"]), 6 if dealt.question.kind in COUNTED else 4
        points = 0
        if self._sure is not None:
            points = max(0, worth * self._right + round((POINTS - worth) * covered / of) - HINT * self._hints)
        went = self._sure, self._right, covered, of, self._hints, points, self._seconds
        self.results.append(Result(dealt.question, *went))
        self.place += 1
        if self.place < len(self.questions):
            self._ask()
            self.sure.focus()
        else:
            self._end()

    def _end(self):
        self.state, self.solution.value, self.ticks.children = "over", "", ()
        self.primary.focus()
        self.primary.description = "Another round"
        self._show()
        self.head.value = f"<b>{self._score()}</b>"
        self.prompt.value = shown("summary", self.results, self.feedback())
        self.links.outputs = section_link(*self.read_again)
        spent, planned = sum(r.seconds for r in self.results), sum(r.question.minutes for r in self.results)
        self.clock.minutes = self.clock.question = 0
        self.clock.say(f"{spent / 60:.0f} minutes, {planned} were planned.", f"{self!r} {self.feedback()}")

    def _again(self):
        self.seed += 1
        self._begin()
        self.sure.focus()

    # --- what it says afterwards ---

    def feedback(self):
        """How sure the reader was in this round, how often right, and from twenty answers on what to say instead."""
        tried = [result for result in self.results if result.sure]
        if not tried:
            return "You tried no answer in this round."
        stated, right = sum(result.sure for result in tried) / len(tried), sum(result.right for result in tried)
        here = f"On average you were {stated:.0f}% sure, and {right} of {len(tried)} answers were right."
        return f"{here} {self.record.advice()}".strip()

    @property
    def read_again(self):
        """Up to three questions that went worst, each of another section."""
        worst = sorted((r for r in self.results if r.points < POINTS), key=lambda result: result.points)
        by_section = {}
        for result in worst:
            by_section.setdefault(result.question.link, result.question)
        return list(by_section.values())[:3]

    def _score(self):
        asked, right = len(self.results), sum(r.right for r in self.results)
        points = f"{sum(r.points for r in self.results)} of {POINTS * asked} points"
        return f"{right} of {asked} right, {points}, seed {self.seed}."

    def __repr__(self):
        if self.state == "over":
            again = "; ".join(map(section, self.read_again))
            return self._score() + (f" Read again: {again}." if again else "").replace("?.", "?")
        return f"{self._where()}: {plain(self._dealt.texts['Asked'])}"

    def _repr_mimebundle_(self, **kwargs):
        return {**self.view._repr_mimebundle_(**kwargs), "text/plain": repr(self)}


def chosen_questions(topic=None, level=None, *, often=False):
    """The questions of some topics and of a level, in the file's order; with ``often`` those that are asked most.

    Raises
    ------
    ValueError
        For a topic that no question has, a level that there is not, and where both have none in common.
    """
    if level is not None:
        check_choice("level", level, LEVELS)
    found = [question for question in questions() if level in (None, question.level) and question.often >= often]
    if topic is not None:
        wanted = [_topic(each) for each in (topic if isinstance(topic, (list, tuple, set)) else [topic])]
        about = {question.name: _topics(question) for question in questions()}
        if unknown := [each for each in wanted if not any(each in topics for topics in about.values())]:
            known = sorted({question.notebook[:2] for question in questions()})
            raise ValueError(
                f"topic must be a notebook that questions are about ({', '.join(known)}), got {unknown[0]!r}"
            )
        found = [question for question in found if about[question.name] & {*wanted}]
    if not found:
        raise ValueError(f"there are no questions with topic={topic!r} and level={level!r}; leave one of them out")
    return found


def in_turn(found, minutes, cards, seed, today):
    """Questions of so many minutes: due ones, oldest first, then new ones, topics by turns.

    Those that are due later come only where there are no others.
    """
    shuffled = random.Random(f"round {seed}").sample(found, len(found))
    new = [question for question in shuffled if question.name not in cards]
    due = [question for question in shuffled if question.name in cards and cards[question.name].due <= today]
    late = [question for question in shuffled if question.name in cards] if not new and not due else []
    taken = []
    for question in [*sorted(due + late, key=lambda question: cards[question.name].due), *_by_turns(new)]:
        if not taken or question.minutes <= minutes - sum(each.minutes for each in taken):
            taken.append(question)
    return taken


def _by_turns(found):
    """One question of each notebook, then a second one of each, and so on."""
    seen, turn = {}, {}
    for question in found:
        seen[question.notebook] = turn[question.name] = seen.get(question.notebook, -1) + 1
    return sorted(found, key=lambda question: turn[question.name])


def _topic(each):
    return f"{each:02}" if isinstance(each, int) else str(each)


def _topics(question):
    return {question.notebook, question.notebook.split("_")[0], question.name.rpartition("-")[0]}


def _sentence(reason):
    return f" {reason[:1].upper()}{reason[1:].removesuffix('.')}." if reason else ""
