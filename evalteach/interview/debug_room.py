"""Debug rooms: a symptom on Monday morning, data, evidence that costs points, four causes, and three actions."""

import random
import re

from IPython.display import Markdown

from evalteach._inputs import check_choice, read_whole
from evalteach.interview import grading, scenes
from evalteach.interview.bank import pages
from evalteach.interview.screen import render

WORTH = {"Causes": 6, "Actions": 4}  # points for the right one; evidence costs its price
CARD = re.compile(r"`(.+?)` \((\d)\): (?:.+?)(?: → (.+))?")


def rooms():
    """The names of the debug rooms."""
    return list(pages("rooms.md"))


class DebugRoom:
    """One case to solve: six points for the cause and four for the action, minus the price of the evidence bought.

    A cell that ends with the room shows the symptom, the evidence with its prices, and what to choose from next.

    Parameters
    ----------
    name : str
        One of ``rooms()``.
    seed : int
        Determines the data and the order of causes and actions: a whole number from 0 to 10⁹.

    Attributes
    ----------
    data : DataFrame
        The rows that the symptom is about; exploring them costs nothing.
    bought : list of str
        Names of the evidence, in the order in which it was bought.

    Raises
    ------
    ValueError
        If no room has this name, or if there is no such seed.
    """

    def __init__(self, name, seed=0):
        check_choice("name", name, rooms())
        self.name, self.seed, self.page = name, read_whole("seed", seed, 0, 10**9), pages("rooms.md")[name]
        self.data, facts = getattr(scenes, name.replace("-", "_"))(self.seed)
        self.texts, rng = self.page.fill(facts | {"data": self.data}), random.Random(f"{name} {seed}")
        cards = [CARD.fullmatch(line).groups() for line in self.texts["Cards"]]
        self._prices = {card: int(price) for card, price, _ in cards}
        self._evidence = {card: Markdown(text) if text else facts[card] for card, _, text in cards}
        shuffled = {heading: sorted(self.texts[heading], key=lambda _: rng.random()) for heading in WORTH}
        self.options = {heading: dict(zip("ABCD", lines, strict=False)) for heading, lines in shuffled.items()}
        self.bought, self.choices = [], {}

    @property
    def price(self):
        """Points that the evidence has cost so far."""
        return sum(self._prices[card] for card in self.bought)

    @property
    def points(self):
        """Points out of ten: for the choices so far that are right, minus the price of the evidence."""
        return max(0, sum(WORTH[heading] for heading in self.choices if self.is_right(heading)) - self.price)

    def is_right(self, heading):
        """Whether the chosen cause or action is the right one, which is the first in the file."""
        return self.options[heading][self.choices[heading]] == self.texts[heading][0]

    def buy(self, evidence):
        """Return a piece of evidence, which is paid for once.

        Raises
        ------
        ValueError
            If the room does not offer this evidence, or if the cause has been chosen.
        """
        check_choice("evidence", evidence, list(self._prices))
        if self.choices:
            raise ValueError("you have chosen a cause, so the evidence is no longer for sale")
        if evidence not in self.bought:
            self.bought.append(evidence)
        print(f"{evidence} costs {self._prices[evidence]}. In total, you have spent {self.price} of 10 points.")
        return self._evidence[evidence]

    def choose(self, letter):
        """Choose the cause, and in a second call the action; the room then shows what comes next.

        Raises
        ------
        ValueError
            If there is no such option.
        """
        heading = "Actions" if self.choices else "Causes"
        letter = grading.read_letter(str(letter))
        check_choice("letter", letter, list(self.options[heading]))
        self.choices.setdefault(heading, letter)
        return self

    def __repr__(self):
        return render("screens.md", "room", self)

    _repr_markdown_ = __repr__
