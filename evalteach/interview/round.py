"""An interview with oneself: a question, how sure one is, an answer, hints that cost, points to tick, follow-ups."""

import html
import random
from collections import Counter
from datetime import datetime, timedelta
from typing import NamedTuple

import ipywidgets as ipw

from evalteach._inputs import check_between, check_choice, read_whole
from evalteach.interview.bank import LEVELS, questions
from evalteach.interview.record import FILE, Record
from evalteach.interview.screen import WIDTH, Clock, how_sure, panel
from evalteach.interview.words import as_html, inline, plain

JUDGED = ("compute", "decide", "code")  # a number or a letter is asked for; the others are said aloud
RIGHT, TICKED, HINT = 6, 4, 2  # points: for a right answer, for all that is to tick, and what a hint costs
ENOUGH = 20  # answers before a reliability diagram says anything
JUST_NOW = timedelta(seconds=1)
_now = datetime.now


class Result(NamedTuple):
    """How one question went."""

    question: object
    right: bool
    ticked: int
    hints: int
    points: int
    seconds: float


class InterviewRound:
    """Questions one by one, for one who plays both parts; those that are due again come first.

    Six points for a right answer and four for all that is to tick; each hint takes two. A number or a letter is
    judged by the bank; who said it aloud and gave no number judges with the answer in sight.

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

    def __init__(self, topic=None, level=None, minutes=30, seed=None, *, path=FILE):
        self.seed = random.randrange(10**6) if seed is None else read_whole("seed", seed, 0, 10**9)
        self.record = Record(path)
        self._chosen = chosen_questions(topic, level)
        self._minutes = check_between("minutes", minutes, 0, float("inf"))
        self._build()
        self._begin()

    def _begin(self):
        order = in_turn(self._chosen, self._minutes, self.record.cards, self.seed, _now().date())
        self.questions = [question.deal(self.seed) for question in order]
        self.results, self.place, self.links.outputs = [], 0, ()
        self._ask()

    # --- what is on the screen ---

    def _build(self):
        wide = {"max_width": WIDTH}
        self.clock = Clock()
        self.head, self.prompt, self.hints, self.solution, self.chain = (ipw.HTML(layout=wide) for _ in range(5))
        named = {"description_width": "initial"}
        self.sure = how_sure()
        self.typed = ipw.Text(style=named, layout={"width": "420px"}, continuous_update=False)
        self.letter = ipw.RadioButtons(description="Your answer", style=named)
        self.ticks = ipw.VBox(layout=wide)
        self.primary, self.hint, self.pass_on = (ipw.Button(layout={"width": "auto"}) for _ in range(3))
        self.links = ipw.Output()
        asking = (self.head, self.prompt, self.hints, self.sure, self.letter, self.typed, self.ticks)
        buttons = ipw.HBox([self.primary, self.hint, self.pass_on])
        # what grows stands below what is pressed, so that both are on one screen
        self.view = ipw.VBox([*asking, buttons, self.clock, self.chain, self.solution, self.links])
        self.view.add_class("evalteach-interview")
        self.typed.on_msg(lambda _, said, __: self._enter() if said.get("event") == "submit" else None)
        self.typed.observe(lambda _: self._arrived(), "value")
        self.primary.on_click(lambda _: self._press())
        self.hint.on_click(lambda _: self._hint())
        self.pass_on.on_click(lambda _: self._pass())

    def _press(self):
        {
            "ask": self._answer,
            "tick": self._show,
            "own": lambda: self._judged(True),
            "shown": self._follow,
            "over": self._again,
        }[self.state]()

    def _enter(self):
        self._entered = _now()
        self._press()

    def _arrived(self):
        # a browser sends what was typed after the Enter that ended it
        if self._entered and _now() - self._entered < JUST_NOW:
            if self.state == "ask":
                self._press()
            elif self.state == "tick" and not self._judge():
                self._open()

    def _pass(self):
        {"ask": self._give_up, "own": lambda: self._judged(False), "shown": self._next}[self.state]()

    @property
    def _dealt(self):
        return self.questions[self.place]

    @property
    def _is_judged(self):
        return self._dealt.question.kind in JUDGED

    def _ask(self):
        dealt = self._dealt
        question = dealt.question
        self._hints = self._followed = 0
        self._started = _now()
        self.head.value = f"<b>{html.escape(self._where())}</b>"
        self.prompt.value = panel(_prompt(dealt))
        self.hints.value = self.solution.value = self.chain.value = ""
        self._entered = None
        self.sure.value, self.typed.value = 0, ""
        lettered = isinstance(dealt.answer, str)
        self.letter.options = _letters(dealt) if lettered else ["A"]
        self.letter.index = None
        spoken = "The number in it (may stay empty)" if not self._is_judged else "Your answer, such as .031 or 3.1 %"
        self.typed.description = spoken
        for part, shown in ((self.letter, lettered), (self.typed, not lettered)):
            _display(part, shown)
        self._open()
        self.clock.question, self.clock.minutes = self.place + 1, question.minutes
        self.clock.say(
            "Answer aloud first, then say how sure you are.", f"{self._where()}. {plain(dealt.texts['Asked'])}"
        )

    def _open(self):
        """Take an answer."""
        self.state, self._sure, self.ticks.children, self.clock.running = "ask", None, (), True
        for part in (self.sure, self.letter, self.typed):
            part.disabled = False
        for part in (self.hints, self.sure, self.ticks):
            _display(part, True)
        self._buttons("Answer" if self._is_judged else "I have said it aloud", self._next_hint, "I do not know")

    @property
    def _next_hint(self):
        hints = len(self._dealt.texts["Hints"])
        return f"Hint {self._hints + 1} of {hints} (costs {HINT} points)" if self._hints < hints else ""

    def _where(self):
        question = self._dealt.question
        about = f"{question.name}: {question.kind}, {question.level}, {question.minutes} min"
        return f"Question {self.place + 1} of {len(self.questions)} ({about})"

    def _buttons(self, primary, hint="", pass_on=""):
        for button, words in ((self.primary, primary), (self.hint, hint), (self.pass_on, pass_on)):
            button.description = words
            _display(button, bool(words))

    def _hint(self):
        hints = self._dealt.texts["Hints"]
        self._hints += 1
        given = "".join(f"<li>{inline(hint)}</li>" for hint in hints[: self._hints])
        self.hints.value = panel(f"<ol>{given}</ol>")
        if not self._next_hint:
            self.primary.focus()  # before the button goes that has it
        self._buttons(self.primary.description, self._next_hint, self.pass_on.description)
        self.clock.say(f"Hint {self._hints}.", plain(hints[self._hints - 1]))

    @property
    def _given(self):
        return self.letter.value if isinstance(self._dealt.answer, str) else self.typed.value.strip()

    def _answer(self):
        if not self.sure.value:
            self.clock.say("Say first how sure you are.")
            self.sure.focus()
        elif not self._given and self._is_judged:
            self.clock.say("Give an answer first; or press: I do not know.")
        elif self._judge():
            self._sure = self.sure.value
            self._tick()

    def _judge(self):
        """Judge what is given by now; False if it cannot be read."""
        self._right, self._reason = None, ""
        if self._given:
            try:
                self._right, self._reason = self._dealt.judge(self._given)
            except ValueError as error:
                said = str(error)
                self.clock.say(f"{said[:1].upper()}{said[1:]}.")
                self.typed.focus()
                return False
        return True

    def _give_up(self):
        self._right, self._reason = False, ""
        self._tick()

    def _tick(self):
        self.state, self._seconds = "tick", (_now() - self._started).total_seconds()
        self.clock.running = False
        for part in (self.sure, self.letter, self.typed):
            part.disabled = True
        for part in (self.hints, self.letter):
            _display(part, False)
        wide = {"width": "auto", "max_width": WIDTH}
        points = self._dealt.texts["Points"]
        self.ticks.children = (
            ipw.HTML("<b>Tick what you said:</b>"),
            *(ipw.Checkbox(description=plain(point), indent=False, layout=wide) for point in points),
        )
        self.primary.focus()
        self._buttons("Show the answer")
        self.clock.say(f"Tick which of {len(points)} points you said, then show the answer.")

    @property
    def _ticked(self):
        return sum(box.value for box in self.ticks.children[1:])

    def _verdict(self):
        verdict = {True: "Right.", False: "Not right.", None: ""}[self._right]
        reason = f"{self._reason[:1].upper()}{self._reason[1:]}{'.' * (self._reason[-1:] not in ('', '.'))}"
        given = f"You gave {self._given}, and it is {self._dealt.shown}." if self._given else ""
        missed = [box.description for box in self.ticks.children[1:] if not box.value]
        return "".join(
            [
                f"<p><b>{verdict}</b> {inline(f'{given} {reason}'.strip())}</p>" if verdict else "",
                f"<p><b>Not ticked:</b> {html.escape(' · '.join(missed))}</p>" if missed else "",
            ]
        )

    def _show(self):
        # a browser sends the last letters of a number later than the press of Enter that follows them
        if self._sure is not None and not self._judge():
            self._open()
            return
        for part in (self.hints, self.sure, self.letter, self.typed, self.ticks):
            _display(part, False)
        texts = self._dealt.texts
        self.solution.value = panel(self._verdict() + _solution(texts))
        if self._right is None:
            self.state = "own"
            self._buttons("I was right", pass_on="I was not")
            count = f"{self._ticked} of {len(texts['Points'])}"
            self.clock.say(f"You ticked {count} points. Was your answer right?", plain(texts["Said"]))
        else:
            self._judged(self._right)

    def _judged(self, right):
        name, count = self._dealt.question.name, len(self._dealt.texts["Points"])
        points = max(0, RIGHT * right + round(TICKED * self._ticked / count) - HINT * self._hints)
        self._right, self.state = right, "shown"
        self.results.append(Result(self._dealt.question, right, self._ticked, self._hints, points, self._seconds))
        kept = ""
        try:
            self.record.note(name, self._sure, right, _now().date())
        except (OSError, ValueError) as error:
            kept = (
                f" Not kept: {self.record.path}: {error.strerror}."
                if isinstance(error, OSError)
                else f" Not kept: {error}."
            )
        said = f"{'Right' if right else 'Not right'}: {points} of {RIGHT + TICKED} points.{kept}"
        self._onward()
        self.primary.focus()
        self.clock.say(said, plain(self._dealt.texts["Said"]))

    def _onward(self):
        """What the buttons say while there are follow-ups, each with its answer one press later."""
        chain = self._dealt.texts["Follow-ups"]
        following, answering = divmod(self._followed, 2)
        last = self.place + 1 == len(self.questions)
        onward = "See how it went" if last else "Next question"
        if following == len(chain):
            self._buttons(onward)
        elif answering:
            self._buttons("Its answer", pass_on=onward)
        else:
            self._buttons(f"Follow-up {following + 1} of {len(chain)}", pass_on=onward)

    def _follow(self):
        chain = [line.partition(" → ")[::2] for line in self._dealt.texts["Follow-ups"]]
        if self._followed == 2 * len(chain):
            self._next()
            return
        self._followed += 1
        pieces = [piece for pair in chain for piece in pair][: self._followed]
        made = [
            f"<p>{'' if place % 2 else '<b>Follow-up:</b> '}{inline(piece)}</p>" for place, piece in enumerate(pieces)
        ]
        self.chain.value = panel("".join(made))
        if self._followed == 1:
            self.solution.value = f"<details><summary>The answer before</summary>{self.solution.value}</details>"
        self._onward()
        self.clock.say("Answer it aloud." if self._followed % 2 else "Its answer is shown.", plain(pieces[-1]))

    def _next(self):
        self.place += 1
        if self.place < len(self.questions):
            self._ask()
            self.sure.focus()
        else:
            self._end()

    def _end(self):
        self.state = "over"
        self.hints.value = self.solution.value = self.chain.value = ""
        self.ticks.children = ()
        self.primary.focus()
        self._buttons("Another round")
        spent, asked = sum(r.seconds for r in self.results), sum(r.question.minutes for r in self.results)
        lines = "".join(
            f"<tr><td>{html.escape(r.question.name)}</td><td>{'right' if r.right else 'not right'}</td>"
            f"<td>{r.ticked} of {len(r.question.fields['Points'])}</td><td>{r.hints}</td><td>{r.points}</td>"
            f"<td>{r.seconds / 60:.1f} of {r.question.minutes}</td></tr>"
            for r in self.results
        )
        names = "".join(
            f'<th scope="col">{name}</th>' for name in ("question", "answer", "ticked", "hints", "points", "min")
        )
        self.head.value = f"<b>{html.escape(self._score())}</b>"
        self.prompt.value = panel(f"<table><tr>{names}</tr>{lines}</table>")
        again = [f"- [{_short(question)}]({question.link.rpartition('/')[2]})" for question in self.read_again]
        if again:
            text = "\n".join(["Read again:", "", *again])
            shown = {"text/markdown": text, "text/plain": text}
            self.links.outputs = ({"output_type": "display_data", "data": shown, "metadata": {}},)
        self.clock.minutes = self.clock.question = 0
        self.clock.say(f"{spent / 60:.0f} minutes, {asked} were planned.", repr(self))

    def _again(self):
        self.seed += 1
        self._begin()
        self.sure.focus()

    # --- what it says afterwards ---

    @property
    def read_again(self):
        """Up to three questions that went worst, each of another section."""
        worst = sorted((r for r in self.results if r.points < RIGHT + TICKED), key=lambda result: result.points)
        by_section = {}
        for result in worst:
            by_section.setdefault(result.question.link, result.question)
        return list(by_section.values())[:3]

    def confidence(self):
        """How sure the reader was against how often that was right, over all answers that are kept.

        Returns
        -------
        CalibrationExplorer or None
            None, and a printed sentence, before twenty answers, or while all are right or all wrong.
        """
        from evalteach.explorers.calibration import CalibrationExplorer

        right, sure = [said.right for said in self.record.answers], [said.sure / 100 for said in self.record.answers]
        if len(right) < ENOUGH:
            print(f"{len(right)} answers so far: {ENOUGH - len(right)} more, and your own confidence is drawn.")
        elif len(set(right)) < 2:
            print(f"All {len(right)} answers are {'right' if right[0] else 'wrong'}: there is nothing to compare yet.")
        else:
            return CalibrationExplorer(right, sure, n_bins=min(10, len(right) // 5))

    def _score(self):
        asked, right = len(self.results), sum(r.right for r in self.results)
        points = f"{sum(r.points for r in self.results)} of {(RIGHT + TICKED) * asked} points"
        return f"{right} of {asked} right, {points}, seed {self.seed}."

    def __repr__(self):
        if self.state == "over":
            again = "; ".join(map(_short, self.read_again))
            return self._score() + (f" Read again: {again}." if again else "").replace("?.", "?")
        return f"{self._where()}: {plain(self._dealt.texts['Asked'])}"

    def _repr_mimebundle_(self, **kwargs):
        return {**self.view._repr_mimebundle_(**kwargs), "text/plain": repr(self)}


def chosen_questions(topic=None, level=None):
    """The questions of some topics and of a level, in the file's order.

    Raises
    ------
    ValueError
        For a topic that no question has, a level that there is not, and where both have none in common.
    """
    if level is not None:
        check_choice("level", level, LEVELS)
    found = [question for question in questions() if level in (None, question.level)]
    if topic is not None:
        wanted = list(topic) if isinstance(topic, (list, tuple, set)) else [topic]
        for each in wanted:
            if not any(_is_about(question, each) for question in questions()):
                known = sorted({question.notebook[:2] for question in questions()})
                raise ValueError(
                    f"topic must be a notebook that questions are about ({', '.join(known)}), got {each!r}"
                )
        found = [question for question in found if any(_is_about(question, each) for each in wanted)]
    if not found:
        raise ValueError(f"there are no questions with topic={topic!r} and level={level!r}; leave one of them out")
    return found


def in_turn(found, minutes, cards, seed, today):
    """Questions of so many minutes: due ones, oldest first, then new ones, topics by turns.

    Those that are due later come only where there are no others.
    """
    shuffled = random.Random(f"round {seed}").sample(found, len(found))
    due = [question for question in shuffled if question.name in cards and cards[question.name].due <= today]
    new = [question for question in shuffled if question.name not in cards]
    due = sorted(due or (shuffled if not new else ()), key=lambda question: cards[question.name].due)
    taken = _within([*due, *new], minutes)
    order = _by_turns([question for question in taken if question in due], "")
    return order + _by_turns([question for question in taken if question in new], order[-1].notebook if order else "")


def _within(order, minutes):
    taken, left = [order[0]], minutes - order[0].minutes
    for question in order[1:]:
        if question.minutes <= left:
            taken.append(question)
            left -= question.minutes
    return taken


def _by_turns(found, last):
    left, order = list(found), []
    while left:
        rows = Counter(question.notebook for question in left)
        others = [question for question in left if question.notebook != last] or left
        # a topic that has more than half of what is left has to come now
        many = [question for question in others if 2 * rows[question.notebook] > len(left)]
        order.append((many or others)[0])
        left.remove(order[-1])
        last = order[-1].notebook
    return order


def _is_about(question, topic):
    words = question.name.rpartition("-")[0]
    return (f"{topic:02}" if isinstance(topic, int) else topic) in (
        question.notebook,
        question.notebook.split("_")[0],
        words,
    )


def _short(question):
    """``10 §3 What moves``, as a reader finds it."""
    number, dot, words = question.section.partition(". ")
    numbered = f"§{number} {words}" if dot and number.isdigit() else question.section
    return f"{question.notebook[:2]} {numbered}"


def _letters(dealt):
    return [option[0] for option in dealt.texts["Options"]]


def _prompt(dealt):
    texts = dealt.texts
    options = "".join(f"<li>{inline(option.partition(' — ')[0])}</li>" for option in texts.get("Options", ()))
    asked = "".join(f"<li>{inline(line)}</li>" for line in texts["If asked back"])
    return (
        as_html(texts["Asked"])
        + (f'<ul style="list-style: none; padding-left: 1em">{options}</ul>' if options else "")
        + f"<details><summary>If you would ask back</summary><ul>{asked}</ul></details>"
    )


def _solution(texts):
    parts = [as_html(texts["Said"])]
    if options := texts.get("Options"):
        parts.append(f"<ul>{''.join(f'<li>{inline(option)}</li>' for option in options)}</ul>")
    parts += [f"<p><b>{level}:</b> {inline(texts[level])}</p>" for level in ("Junior", "Mid", "Senior")]
    flags = "".join(f"<li>{inline(flag)}</li>" for flag in texts["Red flags"])
    return "".join([*parts, f"<p><b>Red flags:</b></p><ul>{flags}</ul>"])


def _display(part, shown):
    part.layout.display = None if shown else "none"
