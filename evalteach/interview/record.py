"""Which questions a reader answered, how sure and how well: one local file that may be deleted at any time."""

from collections import namedtuple
from datetime import date, timedelta
from pathlib import Path

from evalteach._record import read_record, write_record

FILE = ".evalteach-interview.json"
DAYS = (0, 1, 3, 7, 21)  # until a question comes again, after so many right answers in a row
ABOUT = "Answers in interview rounds of evalteach, stored here and sent nowhere. Delete this file to start again."
ENOUGH = 20  # answers before anything is said about confidence

# the day in ISO format, and the confidence in percent, None if no answer was given
Answer = namedtuple("Answer", "name day confidence right")


class Record:
    """The answers of one reader, in the order in which they were given.

    Parameters
    ----------
    path : path or None
        A JSON file that is read if it exists and written at each answer; None stores nothing beyond this session.

    Raises
    ------
    ValueError
        If the path cannot be read as a record. It is left as it is.
    """

    def __init__(self, path=FILE):
        self.path, self.answers = None if path is None else Path(path), []
        self._read()

    def _read(self):
        if self.path is not None and self.path.exists():
            try:
                self.answers = [Answer(*answer) for answer in read_record(self.path)["answers"]]
            except (KeyError, TypeError):
                problem = "is not a record of answers, and it was left as it is; rename or delete it to start again"
                raise ValueError(f"{self.path} {problem}") from None

    def note(self, answer):
        """Add an :class:`Answer`, to the file as well, and return a sentence if that failed."""
        try:
            self._read()  # another notebook may have added an answer
            self.answers.append(answer)
            if self.path is not None:
                write_record(self.path, {"about": ABOUT, "answers": self.answers})
        except (OSError, ValueError) as error:
            return f" Your answer was not saved in {self.path}: {getattr(error, 'strerror', error)}."
        return ""

    def due(self, most=None):
        """The day from which each answered question comes again, by name; with ``most`` not later than so many days."""
        streaks, due = {}, {}
        for answer in self.answers:
            streaks[answer.name] = min(streaks.get(answer.name, 0) + 1, len(DAYS) - 1) if answer.right else 0
            days = DAYS[streaks[answer.name]]
            due[answer.name] = date.fromisoformat(answer.day) + timedelta(days if most is None else min(days, most))
        return due

    def advice(self):
        """What all answers together say about the reader's confidence, as sentences; nothing before twenty."""
        attempts, sentences = [answer for answer in self.answers if answer.confidence is not None], []
        for name, low, high in (("80% or more", 80, 100), ("less than 80%", 0, 79)):
            group = [answer for answer in attempts if low <= answer.confidence <= high]
            if len(attempts) >= ENOUGH and len(group) >= ENOUGH / 2:
                size, right = len(group), sum(answer.right for answer in group)
                said, rate = sum(answer.confidence for answer in group) / size, 100 * right / size
                # chance alone moves the rate of so many answers by up to two standard errors
                fits = abs(rate - said) <= 2 * (said * (100 - said) / size) ** 0.5
                then = "which fits" if fits else f"so say {min(95, 5 * round(rate / 5))}% where you now say {said:.0f}%"
                often = f"When you say {name} ({said:.0f}% on average), you are right {right} of {size} times"
                sentences.append(f"{often}, {then}.")
        return " ".join(sentences)
