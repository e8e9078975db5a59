"""Which questions a reader answered, and when each is due again: one local file that may be deleted at any time."""

import json
from datetime import date, timedelta
from pathlib import Path
from typing import NamedTuple

from evalteach._record import write_record

FILE = ".evalteach-interview.json"
# until a question of each box is asked again; a right answer moves it one box on, a wrong one to 0
DAYS = (0, 1, 3, 7, 21)
ABOUT = "Answers in interview rounds of evalteach, kept here and sent nowhere. Delete this file to begin anew."


class Card(NamedTuple):
    """The box that a question is in, and the day from which it is asked again."""

    box: int
    due: date


class Said(NamedTuple):
    """One answer: to which question, how sure the reader was (per cent), and whether it was right."""

    name: str
    sure: int
    right: bool


class Record:
    """The cards and the answers of one reader.

    Parameters
    ----------
    path : path or None
        A JSON file, read if it is there and made at the first answer; None keeps nothing beyond this session.

    Raises
    ------
    ValueError
        If there is something else of that name, or a file that cannot be read as a record. It is left as it is.
    """

    def __init__(self, path=FILE):
        self.path = None if path is None else Path(path)
        self.cards, self.answers = {}, []
        self.read()

    def read(self):
        """Take over what the file says by now; without one nothing changes."""
        if self.path is None or not (self.path.exists() or self.path.is_symlink()):
            return
        try:
            if self.path.is_symlink() or not self.path.is_file():
                raise ValueError("it is no plain file")
            self.cards, self.answers = _understood(json.loads(self.path.read_bytes()))
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise ValueError(
                f"{self.path} cannot be read as answers of interview rounds ({_told(error)}); it was left as it is. "
                "Rename or delete it, and all questions are new again"
            ) from None

    def note(self, name, sure, right, today):
        """Move the card of a question and keep the answer, in the file, too.

        Parameters
        ----------
        name : str
        sure : int or None
            Per cent; None for an answer that was not tried, which moves the card and says nothing of confidence.
        right : bool
        today : datetime.date

        Raises
        ------
        ValueError
            As on reading.
        OSError
            If the file cannot be written.
        """
        self.read()  # another notebook may have noted something meanwhile
        before = self.cards.get(name, Card(0, today))
        box = min(before.box + 1, len(DAYS) - 1) if right else 0
        self.cards[name] = Card(box, today + timedelta(DAYS[box]))
        if sure is not None:
            self.answers.append(Said(name, sure, right))
        if self.path is not None:
            cards = {name: [card.box, card.due.isoformat()] for name, card in self.cards.items()}
            write_record(self.path, {"about": ABOUT, "answers": self.answers, "cards": cards})


def _understood(read):
    cards = {name: Card(box, date.fromisoformat(due)) for name, (box, due) in read["cards"].items()}
    answers = [Said(*said) for said in read["answers"]]
    if not all(type(card.box) is int and 0 <= card.box < len(DAYS) for card in cards.values()):
        raise ValueError(f"boxes are 0 to {len(DAYS) - 1}")
    if not all(type(said.sure) is int and 0 <= said.sure <= 100 and type(said.right) is bool for said in answers):
        raise ValueError("an answer is a name, per cent, and true or false")
    return cards, answers


def _told(error):
    if isinstance(error, KeyError):
        return f"{error.args[0]!r} is missing"
    return "it holds something else" if isinstance(error, (TypeError, AttributeError)) else str(error)
