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
ENOUGH = 20  # answers before anything is said about confidence


class Card(NamedTuple):
    """The box that a question is in, and the day from which it is asked again."""

    box: int
    due: date


class Said(NamedTuple):
    """One answer: to which question, how sure the reader was (percent), and whether it was right."""

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
                f"{self.path} cannot be read as answers of interview rounds ({_reason(error)}); it was left as it is. "
                "Rename or delete it, and all questions are new again"
            ) from None

    def note(self, name, sure, right, today, most=DAYS[-1]):
        """Move the card of a question and keep the answer, in the file as well.

        Parameters
        ----------
        name : str
        sure : int or None
            Percent; None for an answer that was not tried, which moves the card and says nothing of confidence.
        right : bool
        today : datetime.date
        most : int
            Days after which it is asked again at the latest.

        Returns
        -------
        str
            Why it could not be kept, as a sentence; nothing if it was.
        """
        try:
            self.read()  # another notebook may have noted something meanwhile
            before = self.cards.get(name, Card(0, today))
            box = min(before.box + 1, len(DAYS) - 1) if right else 0
            self.cards[name] = Card(box, today + timedelta(min(DAYS[box], most)))
            if sure is not None:
                self.answers.append(Said(name, sure, right))
            if self.path is not None:
                cards = {name: [card.box, card.due.isoformat()] for name, card in self.cards.items()}
                write_record(self.path, {"about": ABOUT, "answers": self.answers, "cards": cards})
        except OSError as error:
            return f" Not kept: {self.path}: {error.strerror}."
        except ValueError as error:
            return f" Not kept: {error}."
        return ""

    def advice(self):
        """What all answers together say about the reader's confidence, as a sentence; nothing before twenty."""
        if len(self.answers) < ENOUGH:
            return ""
        high = [said for said in self.answers if said.sure >= 80]
        rest = [said for said in self.answers if said.sure < 80]
        lines = []
        for name, found in (("80% or more", high), ("less than 80%", rest)):
            if len(found) >= ENOUGH // 2:
                stated, right = sum(said.sure for said in found) / len(found), sum(said.right for said in found)
                rate = 100 * right / len(found)
                # twice what chance alone moves the rate of so many answers
                fits = abs(rate - stated) <= 2 * (stated * (100 - stated) / len(found)) ** 0.5
                verdict = "which fits" if fits else f"so say {5 * round(rate / 5)}% where you now say {stated:.0f}%"
                often = f"you are right {right} of {len(found)} times"
                lines.append(f"When you say {name} ({stated:.0f}% on average), {often}, {verdict}.")
        return " ".join(lines)


def _understood(read):
    cards = {name: Card(box, date.fromisoformat(due)) for name, (box, due) in read["cards"].items()}
    answers = [Said(*said) for said in read["answers"]]
    if not all(type(card.box) is int and 0 <= card.box < len(DAYS) for card in cards.values()):
        raise ValueError(f"boxes are 0 to {len(DAYS) - 1}")
    if not all(type(said.sure) is int and 0 <= said.sure <= 100 and type(said.right) is bool for said in answers):
        raise ValueError("an answer is a name, percent, and true or false")
    return cards, answers


def _reason(error):
    if isinstance(error, KeyError):
        return f"{error.args[0]!r} is missing"
    return "it holds something else" if isinstance(error, (TypeError, AttributeError)) else str(error)
