"""Something is wrong on Monday morning: a symptom, data, evidence that costs points, causes and what to do."""

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

CAUSE = 6  # points for the cause; what to do brings the rest, and evidence takes its price
CARD = re.compile(r"`(?P<name>.+?)` \((?P<price>\d)\): (?P<words>.+)")


def rooms():
    """Names of the debug rooms, in their order."""
    return list(SCENES)


class DebugRoom:
    """One case to solve: six points for its cause, four for what to do, less the price of the evidence bought.

    Parameters
    ----------
    name : str
        One of ``rooms()``.
    seed : int
        Deals the data and the order of causes and actions, 0 or more.
    path : path or None
        JSON file that keeps how sure the answer was, as for ``InterviewRound``; None keeps nothing.

    Attributes
    ----------
    data : DataFrame
        What the symptom speaks of, to explore without paying.
    symptom : str
    bought : list of str
        Evidence, in the order in which it was bought.
    points : int or None
        Of ten; None before the end.
    view : ipywidgets.VBox
        The widget.

    Raises
    ------
    ValueError
        For a name that there is not, and a seed that is none.
    """

    def __init__(self, name, seed=0, *, path=FILE):
        check_choice("name", name, rooms())
        self.name, self.seed = name, read_whole("seed", seed, 0, np.inf, "a whole number, 0 or more")
        self.record = Record(path)
        self._scene = _scene(name, self.seed)
        (self._page,) = (page for page in pages("rooms.md") if page.name == name)
        # prices are read before any number is filled in
        self._cards = {card["name"]: card for card in map(CARD.fullmatch, self._page.fields["Cards"])}
        self._texts = self._page.filled(self._scene.facts)
        rng = np.random.default_rng([len(name), self.seed])
        self._causes, self._actions = (_lettered(self._texts[field], rng) for field in ("Causes", "Actions"))
        self.data = self._scene.data.copy()
        self.symptom = plain(self._texts["Symptom"])
        self.bought, self.points, self.state = [], None, "look"
        self._build()

    def _build(self):
        self.clock = Clock(question=1, minutes=self._page.minutes, running=True)
        told = shown("room", self.name, self.seed, self._texts["Symptom"], self.data, self._texts["Cards"])
        self.buttons, self.evidence = {}, ipw.HTML(layout=WIDE)
        for name, card in self._cards.items():
            button = ipw.Button(description=f"buy: {name} ({card['price']})", layout={"width": "auto"})
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
        parts = [ipw.HTML(told, layout=WIDE), shelf, self.evidence, *asked, self.solution, self.links, self.clock]
        self.view = ipw.VBox(parts)
        self.view.add_class("evalteach-interview")
        self._offer(self._causes, "The cause", "That is the cause")
        self.clock.say("Which cause is it? Data cost nothing, evidence does.", self.symptom)

    def _offer(self, options, name, press):
        self.choices.value = shown("plain_items", [option.partition(" — ")[0] for option, _ in options.values()])
        self.letter.options, self.letter.index = list(options), None
        self.letter.description, self.primary.description = name, press

    @property
    def price(self):
        """What the evidence has cost so far."""
        return sum(int(self._cards[name]["price"]) for name in self.bought)

    def buy(self, name):
        """Show a piece of evidence and pay for it; once bought it stays.

        Raises
        ------
        ValueError
            For a name that the room does not offer.
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
            f"{name} costs {self._cards[name]['price']}; evidence so far: {self.price}.",
            card if isinstance(card, str) else card.round(3).to_csv(index=False),
        )

    def _name_cause(self):
        if self.letter.value is None or not self.sure.value:
            self.clock.say("Choose a cause, and how sure you are.")
            return
        self.cause, self.state = self.letter.value, "act"
        for part in (*self.buttons.values(), self.sure):
            part.disabled = True
        self._offer(self._actions, "On Monday", "Do that")
        self.letter.focus()
        self.clock.say("And what do you do?", plain(self.choices.value))

    def _act(self):
        if self.letter.value is None:
            self.clock.say("Choose what to do.")
            return
        self.action, self.state = self.letter.value, "over"
        self.letter.disabled = self.primary.disabled = True
        self.clock.running, self.choices.value = False, ""
        (found, best), lists = self._judged(), []
        self.points = max(0, CAUSE * found + (POINTS - CAUSE) * best - self.price)
        titles = ("Causes", self._causes, self.cause), ("What to do on Monday", self._actions, self.action)
        for title, options, given in titles:
            marks = {letter: "right" for letter, (_, right) in options.items() if right}
            marks[given] = f"{marks[given]}, yours" if given in marks else "yours"
            ends = {letter: f" **({mark})**" for letter, mark in marks.items()}
            lists.append((title, [option + ends.get(letter, "") for letter, (option, _) in options.items()]))
        self.solution.value = shown("debrief", self._texts["Debrief"], lists)
        self.links.outputs = section_link(self._page)
        kept = self.record.note(f"room {self.name}", self.sure.value, found, date.today())
        said = repr(self).partition(": ")[2]
        self.clock.say(f"{said[0].upper()}{said[1:]}{kept}", plain(self._texts["Debrief"]))

    def _judged(self):
        return self._causes[self.cause][1], self._actions[self.action][1]

    def __repr__(self):
        where = f"Debug room {self.name}, seed {self.seed}"
        bought = f"evidence for {self.price} ({', '.join(self.bought) or 'none'})"
        if self.state != "over":
            return f"{where}: {self.symptom} So far {bought}."
        found, best = self._judged()
        return (
            f"{where}: cause {'' if found else 'not '}found ({self.sure.value}% sure), {bought}, Monday "
            f"{'well' if best else 'not well'} chosen, {self.points} of {POINTS} points."
        )

    def _repr_mimebundle_(self, **kwargs):
        return {**self.view._repr_mimebundle_(**kwargs), "text/plain": repr(self)}


@cache
def _scene(name, seed):
    return SCENES[name](seed)


def _lettered(options, rng):
    """The options in any order, by letter, each with whether it is right: the first of the file is."""
    order = rng.permutation(len(options))
    return {"ABCD"[place]: (f"{'ABCD'[place]}) {options[i]}", bool(i == 0)) for place, i in enumerate(order)}
