"""Something is wrong on Monday morning: a symptom, data, evidence that costs points, causes and what to do."""

import html
import re
from datetime import date
from functools import cache

import ipywidgets as ipw
import numpy as np

from evalteach._inputs import check_choice, read_whole
from evalteach.interview.bank import replaced
from evalteach.interview.fields import pages
from evalteach.interview.record import FILE, Record
from evalteach.interview.scenes import SCENES
from evalteach.interview.screen import WIDTH, Clock, how_sure, panel
from evalteach.interview.words import as_html, inline, plain

CAUSE, MONDAY = 6, 4  # points: for the cause, for what to do; evidence takes its price
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
        Deals the data, 0 or more.
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
        self.name = name
        self.seed = read_whole("seed", seed, 0, np.inf, "a whole number, 0 or more")
        self.record = Record(path)
        self._page, self._scene = pages("rooms.md")[name], _scene(name, self.seed)
        self.data = self._scene.data.copy()
        pairs = dict(zip(_scene(name, 0).facts.values(), self._scene.facts.values(), strict=True))
        self._texts = {
            field: [replaced(item, pairs) for item in words] if isinstance(words, list) else replaced(words, pairs)
            for field, words in self._page.fields.items()
        }
        self.symptom = plain(self._texts["Symptom"])
        self._cards = {card["name"]: card for card in map(CARD.fullmatch, self._texts["Cards"])}
        self.bought, self.points, self.state = [], None, "look"
        self._build()

    def _build(self):
        wide = {"max_width": WIDTH}
        self.clock = Clock(question=1, minutes=self._page.minutes, running=True)
        head = f"<b>Debug room {self.name}, seed {self.seed}</b>"
        rows = f"<p>data, {len(self.data):,} rows, the first five:</p>{_table(self.data.head())}"
        self.told = ipw.HTML(panel(f"{head}{as_html(self._texts['Symptom'])}{rows}"), layout=wide)
        self.buttons, self.evidence = {}, ipw.HTML(layout=wide)
        for name, card in self._cards.items():
            button = ipw.Button(description=f"buy: {name} ({card['price']})", layout={"width": "auto"})
            button.tooltip = plain(card["words"])
            button.on_click(lambda _, name=name: self.buy(name))
            self.buttons[name] = button
        shelf = ipw.HBox(list(self.buttons.values()), layout={"flex_flow": "row wrap", **wide})
        offered = "".join(f"<li>{inline(line)}</li>" for line in self._texts["Cards"])
        goods = ipw.HTML(panel(f"Evidence, with what it costs:<ul>{offered}</ul>"), layout=wide)
        self.choices, self.sure = ipw.HTML(layout=wide), how_sure()
        self.letter = ipw.RadioButtons(style={"description_width": "initial"})
        self.primary = ipw.Button(layout={"width": "auto"})
        self.primary.on_click(lambda _: self._press())
        self.solution, self.links = ipw.HTML(layout=wide), ipw.Output()
        asked = [self.choices, self.letter, self.sure, ipw.HBox([self.primary])]
        self.view = ipw.VBox([self.told, goods, shelf, self.evidence, *asked, self.solution, self.links, self.clock])
        self.view.add_class("evalteach-interview")
        self._offer("Causes", "The cause", "That is the cause")
        self.clock.say("Which cause is it? Data cost nothing, evidence does.", self.symptom)

    def _offer(self, field, name, press):
        options = self._texts[field]
        shown = "".join(f"<li>{inline(option.partition(' — ')[0])}</li>" for option in options)
        self.choices.value = panel(f'<ul style="list-style: none; padding-left: 1em">{shown}</ul>')
        self.letter.options, self.letter.index = [option[0] for option in options], None
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
        shown = [(each, self._scene.cards[each]) for each in self.bought]
        pieces = (f"<p><b>{each}</b></p>{_table(card)}" for each, card in shown)
        self.evidence.value = panel("".join(pieces))
        card = self._scene.cards[name]
        self.clock.say(
            f"{name} costs {self._cards[name]['price']}; evidence so far: {self.price}.",
            card if isinstance(card, str) else _format(card).to_csv(index=False),
        )

    def _press(self):
        {"look": self._name_cause, "monday": self._act, "over": lambda: None}[self.state]()

    def _name_cause(self):
        if self.letter.value is None or not self.sure.value:
            self.clock.say("Choose a cause, and how sure you are.")
            return
        self.cause, self.state = self.letter.value, "monday"
        for part in (*self.buttons.values(), self.sure):
            part.disabled = True
        actions = self._texts["Monday"]
        self._offer("Monday", "On Monday", "Do that")
        self.letter.focus()
        self.clock.say("And what do you do?", " ".join(plain(each.partition(" — ")[0]) for each in actions))

    def _act(self):
        if self.letter.value is None:
            self.clock.say("Choose what to do.")
            return
        self.action, self.state = self.letter.value, "over"
        found = self.cause == self._texts["Cause"]
        self.points = max(0, CAUSE * found + MONDAY * (self.action == self._texts["Best"]) - self.price)
        self.letter.disabled = self.primary.disabled = True
        self.clock.running = False
        self.choices.value = ""
        lists = (f"<p><b>{title}</b></p>{self._judged(*rest)}" for title, *rest in self._decisions())
        self.solution.value = panel(f"{as_html(self._texts['Debrief'])}{''.join(lists)}")
        page = self._page
        text = f"Read: [{page.notebook[:2]} §{page.section}]({page.link.rpartition('/')[2]})"
        shown = {"text/markdown": text, "text/plain": text}
        self.links.outputs = ({"output_type": "display_data", "data": shown, "metadata": {}},)
        kept = ""
        try:
            self.record.note(f"room {self.name}", self.sure.value, found, date.today())
        except (OSError, ValueError) as error:
            kept = f" Not kept: {error}."
        said = repr(self).partition(": ")[2]
        self.clock.say(f"{said[0].upper()}{said[1:]}{kept}", plain(self._texts["Debrief"]))

    def _decisions(self):
        return ("Causes", "Causes", self.cause, "Cause"), ("What to do on Monday", "Monday", self.action, "Best")

    def _judged(self, field, given, right):
        marks = {given: " (yours)"}
        marks[self._texts[right]] = f" (right{', yours' if given == self._texts[right] else ''})"
        lines = "".join(f"<li>{inline(option)}<b>{marks.get(option[0], '')}</b></li>" for option in self._texts[field])
        return f'<ul style="list-style: none; padding-left: 1em">{lines}</ul>'

    def __repr__(self):
        where = f"Debug room {self.name}, seed {self.seed}"
        bought = f"evidence for {self.price} ({', '.join(self.bought) or 'none'})"
        if self.state != "over":
            return f"{where}: {self.symptom} So far {bought}."
        found, best = (given == self._texts[right] for _, _, given, right in self._decisions())
        return (
            f"{where}: cause {'' if found else 'not '}found ({self.sure.value}% sure), {bought}, Monday "
            f"{'well' if best else 'not well'} chosen, {self.points} of {CAUSE + MONDAY} points."
        )

    def _repr_mimebundle_(self, **kwargs):
        return {**self.view._repr_mimebundle_(**kwargs), "text/plain": repr(self)}


@cache
def _scene(name, seed):
    return SCENES[name](seed)


def _format(table):
    return table.map(lambda x: f"{x:.{1 if abs(x) >= 10 else 3}f}" if isinstance(x, float) else x)


def _table(card):
    if isinstance(card, str):
        return f"<pre>{html.escape(card)}</pre>"
    return _format(card).to_html(index=False, border=0, justify="left", col_space=70)
