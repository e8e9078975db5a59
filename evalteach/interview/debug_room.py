"""Something is wrong on Monday morning: a symptom, data, evidence that costs points, causes, and actions."""

import re
from datetime import date
from functools import cache

import ipywidgets as ipw
import numpy as np

from evalteach._inputs import check_choice, read_whole
from evalteach.interview.bank import pages
from evalteach.interview.record import FILE, Record
from evalteach.interview.scenes import SCENES
from evalteach.interview.screen import POINTS, WIDE, Clock, how_sure, plain, section_link, shown

CAUSE = 6  # points for the right cause; the right action brings the rest, and evidence costs its price
CARD = re.compile(r"`(?P<name>.+?)` \((?P<price>\d)\): (?P<words>.+)")


def rooms():
    """List the names of the debug rooms."""
    return list(SCENES)


class DebugRoom:
    """One case to solve: six points for the cause and four for the action, minus the price of the evidence bought.

    Parameters
    ----------
    name : str
        One of ``rooms()``.
    seed : int
        Determines the data and the order of causes and actions: a whole number, 0 or more.
    path : path or None
        JSON file that stores how sure the reader was, as for ``InterviewRound``; None stores nothing.

    Attributes
    ----------
    data : DataFrame
        The rows that the symptom is about; exploring them costs nothing.
    symptom : str
        What was noticed on Monday morning.
    bought : list of str
        Names of the evidence, in the order in which it was bought.
    points : int or None
        Points out of ten, or None before the end.
    view : ipywidgets.VBox
        The widget.

    Raises
    ------
    ValueError
        If no room has this name, or if the seed is not a whole number of 0 or more.
    """

    def __init__(self, name, seed=0, *, path=FILE):
        check_choice("name", name, rooms())
        self.name, self.seed = name, read_whole("seed", seed, 0, np.inf, "a whole number, 0 or more")
        self.record = Record(path)
        self._scene = _scene(name, self.seed)
        (self._page,) = (page for page in pages("rooms.md") if page.name == name)
        # prices are read before any number is filled in
        self._cards = {card["name"]: card for card in map(CARD.fullmatch, self._page.fields["Cards"])}
        self._texts = self._page.filled(self._scene.numbers)
        rng = np.random.default_rng([len(name), self.seed])
        self._causes, self._actions = (_lettered(self._texts[field], rng) for field in ("Causes", "Actions"))
        self.data = self._scene.data.copy()
        self.symptom = plain(self._texts["Symptom"])
        self.bought, self.points, self.state = [], None, "look"
        self._build()

    def _build(self):
        self.clock = Clock(question=1, minutes=self._page.minutes, running=True)
        intro = shown("room", self.name, self.seed, self._texts["Symptom"], self.data, self._texts["Cards"])
        self.buttons, self.evidence = {}, ipw.HTML(layout=WIDE)
        for name, card in self._cards.items():
            button = ipw.Button(description=f"Buy {name} ({_points(card['price'])})", layout={"width": "auto"})
            button.tooltip = plain(card["words"])
            button.on_click(lambda _, name=name: self.buy(name))
            self.buttons[name] = button
        shelf = ipw.HBox(list(self.buttons.values()), layout={"flex_flow": "row wrap", **WIDE})
        self.choices, self.sure, self.solution, self.links = (
            ipw.HTML(layout=WIDE),
            how_sure(),
            ipw.HTML(layout=WIDE),
            ipw.Output(),
        )
        self.letter = ipw.RadioButtons(style={"description_width": "initial"})
        self.primary = ipw.Button(layout={"width": "auto"})
        self.primary.on_click(lambda _: {"look": self._name_cause, "act": self._act, "over": list}[self.state]())
        asked = [self.choices, self.letter, self.sure, ipw.HBox([self.primary])]
        parts = [ipw.HTML(intro, layout=WIDE), shelf, self.evidence, *asked, self.solution, self.links, self.clock]
        self.view = ipw.VBox(parts)
        self.view.add_class("evalteach-interview")
        self._offer(self._causes, "Cause", "Confirm the cause")
        self.clock.say("Which cause is it? Looking at the data is free, and evidence costs points.", self.symptom)

    def _offer(self, options, name, press):
        self.choices.value = shown("plain_items", [option.partition(" — ")[0] for option, _ in options.values()])
        self.letter.options, self.letter.index = list(options), None
        self.letter.description, self.primary.description = name, press

    @property
    def price(self):
        """Points that the evidence has cost so far."""
        return sum(int(self._cards[name]["price"]) for name in self.bought)

    def buy(self, name):
        """Show a piece of evidence and pay for it; it stays visible and is paid for once.

        Raises
        ------
        ValueError
            If the room does not offer evidence with this name.
        """
        check_choice("name", name, list(self._cards))
        if self.state != "look" or name in self.bought:
            return
        self.bought.append(name)
        self.primary.focus()  # before the button goes that has it
        self.buttons[name].disabled = True
        self.evidence.value = shown("evidence", [(each, self._scene.cards[each]) for each in self.bought])
        card = self._scene.cards[name]
        self.clock.say(
            f"{name} cost {_points(self._cards[name]['price'])}. In total, you have spent {_points(self.price)}.",
            card if isinstance(card, str) else card.round(3).to_csv(index=False),
        )

    def _name_cause(self):
        if self.letter.value is None or not self.sure.value:
            self.clock.say("Choose a cause, and say how sure you are.")
            return
        self.cause, self.state = self.letter.value, "act"
        for part in (*self.buttons.values(), self.sure):
            part.disabled = True
        self._offer(self._actions, "Action", "Confirm the action")
        self.letter.focus()
        self.clock.say("What do you do about it?", plain(self.choices.value))

    def _act(self):
        if self.letter.value is None:
            self.clock.say("Choose an action.")
            return
        self.action, self.state = self.letter.value, "over"
        self.letter.disabled = self.primary.disabled = True
        self.clock.running, self.choices.value = False, ""
        (found, best), lists = self._judged(), []
        self.points = max(0, CAUSE * found + (POINTS - CAUSE) * best - self.price)
        titles = ("Causes", self._causes, self.cause), ("Actions", self._actions, self.action)
        for title, options, given in titles:
            marks = {letter: "right" for letter, (_, right) in options.items() if right}
            marks[given] = f"{marks[given]}, yours" if given in marks else "yours"
            ends = {letter: f" **({mark})**" for letter, mark in marks.items()}
            lists.append((title, [option + ends.get(letter, "") for letter, (option, _) in options.items()]))
        self.solution.value = shown("debrief", self._texts["Debrief"], lists)
        self.links.outputs = section_link(self._page)
        kept = self.record.note(f"room {self.name}", self.sure.value, found, date.today())
        self.clock.say(f"{self._verdict}{kept}", plain(self._texts["Debrief"]))

    def _judged(self):
        return self._causes[self.cause][1], self._actions[self.action][1]

    def __repr__(self):
        over = self.state == "over"
        return f"Debug room {self.name}, seed {self.seed}: {self._verdict if over else f'{self.symptom} {self._spent}'}"

    @property
    def _spent(self):
        if not self.bought:
            return "You have bought no evidence."
        return f"You have spent {_points(self.price)} on evidence ({', '.join(self.bought)})."

    @property
    def _verdict(self):
        found, best = ("right" if each else "not right" for each in self._judged())
        return (
            f"Your cause is {found} (you were {self.sure.value}% sure), and your action is {best}. {self._spent} "
            f"You have {self.points} of {POINTS} points."
        )

    def _repr_mimebundle_(self, **kwargs):
        return {**self.view._repr_mimebundle_(**kwargs), "text/plain": repr(self)}


@cache
def _scene(name, seed):
    return SCENES[name](seed)


def _points(number):
    return f"{number} point{'' if int(number) == 1 else 's'}"


def _lettered(options, rng):
    """The options in random order, by letter, each with whether it is right: the first one in the file is."""
    order = rng.permutation(len(options))
    return {"ABCD"[place]: (f"{'ABCD'[place]}) {options[i]}", bool(i == 0)) for place, i in enumerate(order)}
