"""The scores of a file: numbers, in whichever way they are written, as long as it is the same in all rows."""

import re
from contextlib import suppress

import numpy as np
import pandas as pd

from evalteach.command.tables import MISSING, NUMBER, SAMPLE
from evalteach.command.wording import count, places, quoted

LARGEST = 1e300  # a score beyond it cannot be drawn, and is rather a mistake
STYLES = {  # how numbers are written: the sign between thousands, and the decimal sign
    "with decimal commas": ("", ","),
    "with commas between thousands": (",", "."),
    "with points between thousands and decimal commas": (".", ","),
    "with blanks between thousands": (" ", "."),
    "with blanks between thousands and decimal commas": (" ", ","),
    "with apostrophes between thousands": ("'", "."),
    "as percentages": ("", "."),
    "as percentages with decimal commas": ("", ","),
}
DATE = r"(\d{4}-\d\d?-\d\d?|\d\d?[./]\d\d?[./]\d{2,4})([T ].*)?|\d+:\d\d(:\d\d.*)?"
UNREADABLE = {  # what a text is that is no score, and what to do
    "dates": "Name the column of scores with score=",
    "numbers that are too large": "Correct these rows",
    "numbers that are not written as the others are": "Write them in one way in all rows, as 1234.5 or 0.93",
    "text": "Scores must be numbers. Correct these rows, or name another column with score=",
}


class Numbers:
    """The numbers of a column, block by block.

    ``style`` says how most of them are written: one of ``STYLES``, or None for Python's own way.
    """

    def __init__(self, table, column):
        self.table, self.column, self.notes = table, column, ()
        self._blocks, self._n_rows, self._unreadable = [], 0, {kind: [] for kind in UNREADABLE}
        self._style = self._style_of({text.strip(): None for text in table.sample[column.place]})

    def add(self, texts):
        """Read a block of texts, or of floats; what is missing or cannot be read is nan."""
        numbers = self._by_numpy(texts) if self._style is None else None
        if numbers is None:
            codes, distinct = pd.factorize(texts, use_na_sentinel=False)
            distinct = [str(text).strip() for text in distinct]
            numbers = np.array([_number(text, self._style) for text in distinct])
            kinds = np.array([_unreadable(text, number) for text, number in zip(distinct, numbers, strict=True)])
            for kind in {*kinds.tolist()} - {""}:
                example = min(text for text, other in zip(distinct, kinds, strict=True) if other == kind)
                self._unreadable[kind].append((example, self._n_rows + np.flatnonzero((kinds == kind)[codes])))
            numbers = numbers[codes]
        self._blocks.append(numbers)
        self._n_rows += numbers.size

    def _by_numpy(self, texts):
        with suppress(ValueError):
            numbers = np.asarray(texts, dtype=float)
            return None if (np.abs(numbers) > LARGEST).any() else numbers + 0.0

    def values(self):
        """All of them, with nan for those that are missing; a ValueError where any could not be read."""
        numbers, table, column = np.concatenate(self._blocks), self.table, self.column
        n_rows_of = {kind: sum(rows.size for _, rows in blocks) for kind, blocks in self._unreadable.items()}
        if n_others := sum(n_rows_of.values()):
            kind = max(n_rows_of, key=n_rows_of.get)
            examples, rows = zip(*self._unreadable[kind], strict=True)
            where = places(table.unit, table.lines(np.concatenate(rows)[:6].tolist()))
            n_others -= n_rows_of[kind]
            more = f", and other things that are no scores in {count(n_others)}" if n_others else ""
            raise ValueError(
                f"{column} holds {kind}, such as {quoted(min(examples))}, in {count(n_rows_of[kind])} ({where}){more}. "
                f"{UNREADABLE[kind]}"
            )
        if np.isnan(numbers).all():
            raise ValueError(f"{column} is missing in all rows. Name another column with score=")
        return numbers

    def _style_of(self, texts):
        texts = [text for text in texts if text.casefold() not in MISSING]
        if 2 * np.isfinite([_number(text) for text in texts]).sum() >= len(texts):
            return None
        values = {style: np.array([_number(text, style) for text in texts]) for style in STYLES}
        most = max(np.isfinite(numbers).sum() for numbers in values.values())
        best, *others = [style for style in STYLES if np.isfinite(values[style]).sum() == most]
        if 2 * most <= len(texts):
            return None
        example, value = next(pair for pair in zip(texts, values[best], strict=True) if np.isfinite(pair[1]))
        if any(not np.array_equal(values[best], values[style], equal_nan=True) for style in others):
            raise ValueError(
                f"{self.column} holds numbers such as {quoted(example)}, in which the comma may be a decimal comma or "
                "stand between thousands. Write them with decimal points"
            )
        self.notes = (f"The scores are written {best}: {example!r} was read as {value:g}.",)
        return best


def _number(text, style=None):
    """A number that is written in a style, or nan."""
    if text.casefold() in MISSING:
        return np.nan
    is_infinite = re.fullmatch("[-+]?inf(inity)?", text, re.IGNORECASE)
    with suppress(ValueError):
        number = float(text if style is None or is_infinite else _in_python(text, style))
        if abs(number) <= LARGEST or is_infinite:
            return number + 0.0
    return np.nan


def _in_python(text, style):
    """A number in Python's way of writing, or "" if it is written in another style."""
    thousands, decimal = STYLES[style]
    number = re.sub("[\u00a0\u202f]", " ", text.replace("’", "'"))
    if is_percentage := "percent" in style:
        if not number.endswith("%"):
            return ""
        number = number[:-1].rstrip()
    groups = rf"[1-9]\d{{0,2}}({re.escape(thousands)}\d{{3}})+|" if thousands else ""
    exponent = "" if is_percentage else r"(e[-+]?\d+)?"
    if not re.fullmatch(rf"[-+]?({groups}\d*)({re.escape(decimal)}\d*)?{exponent}", number, re.IGNORECASE):
        return ""
    return number.replace(thousands, "").replace(decimal, ".") + "e-2" * is_percentage


def _unreadable(text, number):
    """What a text is that was not read, as in ``UNREADABLE``; "" if it was, or says that the score is missing."""
    if not np.isnan(number) or text.casefold() in MISSING:
        return ""
    if re.fullmatch(DATE, text):
        return "dates"
    if re.fullmatch(r"[-+]?(\d+\.?|\d*\.\d+)(e[-+]?\d+)?", text, re.IGNORECASE) and abs(float(text)) > LARGEST:
        return "numbers that are too large"
    if re.fullmatch(rf"[-+]?[\d.,'’\s]*\d|{NUMBER}", text, re.IGNORECASE):
        return "numbers that are not written as the others are"
    return "text"


def check(column, numbers, labels=None, y_true=None):
    """Refuse scores that cannot rank rows: equal ones, a copy of the labels, and ids."""
    low, high = numbers.min(), numbers.max()
    if low == high or np.isinf(numbers).all():
        raise ValueError(f"{column} is {high:g} in all rows, so no threshold separates them. Name another with score=")
    if y_true is not None and np.array_equal(y_true, numbers):
        raise ValueError(f"{column} repeats column {labels.name!r} in all rows. Name the column of scores with score=")
    if column.reason and numbers.size >= 10 and are_ids(numbers):
        raise ValueError(
            f"{column} counts rows, from {low:.12g} to {high:.12g}, as ids do. Name the column of scores, as "
            f"score={column.name!r} if it is this one"
        )


def are_ids(numbers):
    """Whether they are whole and all different, and in order or without a gap."""
    if not np.isfinite(numbers).all() or (numbers[:SAMPLE] % 1).any() or (numbers % 1).any():
        return False
    return bool((np.diff(numbers) > 0).all() or (np.diff(np.sort(numbers)) == 1).all())
