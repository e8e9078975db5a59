"""The labels of a file: which count as positive, which as negative, and which as missing."""

import re
from contextlib import suppress
from functools import cached_property

import numpy as np
import pandas as pd

from evalteach.command.tables import MISSING, SAMPLE
from evalteach.command.wording import count, listed, places, quoted

PAIRS = ("0 1", "-1 1", "- +", "false true", "f t", "no yes", "n y", "negative positive", "neg pos")
TOTALS = r"\W*(grand |sub)?(totals?|sums?|average|mean|all|overall)\W*"


class Labels:
    """The labels of a column, block by block: their distinct texts, and the place among these of each row's label."""

    def __init__(self, column):
        self.column, self.texts, self._blocks = column, {}, []

    def add(self, texts):
        """Read a block of texts."""
        codes, distinct = pd.factorize(texts)
        places = [self.texts.setdefault(text.strip(), len(self.texts)) for text in distinct]
        self._blocks.append(np.array(places, dtype=np.int32)[codes])
        if len(self.texts) > SAMPLE:
            example = quoted(min(self.texts))
            raise ValueError(f"{self.column} holds more than {SAMPLE:,} labels, such as {example}. Name another")

    @cached_property
    def codes(self):
        return np.concatenate(self._blocks)

    def missing(self):
        """The texts which mean that nobody labeled the row."""
        return {text for text in self.texts if text.casefold() in MISSING and (text != "-" or "+" not in self.texts)}

    def spellings(self, use):
        """For each label of the rows in use its texts, the most frequent one first, and how many rows have each."""
        n_rows_of, spellings = np.bincount(self.codes[use], minlength=len(self.texts)).tolist(), {}
        for n_rows, text in sorted(zip(n_rows_of, self.texts, strict=True), key=lambda pair: (-pair[0], pair[1])):
            if n_rows:
                spellings.setdefault(same(text), {})[text] = n_rows
        return spellings

    def are(self, texts):
        """Whether the label of each row is one of the texts."""
        return np.array([text in texts for text in self.texts])[self.codes]


def classes(table, labels, score, use, positive):
    """The spellings of the positive label, the most frequent one first, and a sentence on both classes.

    ``score`` is the column of scores, and ``use`` says which rows have a label and a score.
    """
    column, spellings = labels.column, labels.spellings(use)
    sizes = {next(iter(texts)): sum(texts.values()) for texts in spellings.values()}
    names = sorted(sizes)
    by_name = ", ".join(f"{quoted(name)} in {sizes[name]:,}" for name in names[:6]) + ", ..." * (len(names) > 6)
    if len(names) < 2:
        raise ValueError(one_class(column, next(iter(spellings.values()), {}), labels.missing()))
    if len(names) > 2:
        if totals := [name for name in names if re.fullmatch(TOTALS, name, re.IGNORECASE)]:
            where = places(table.unit, table.lines(np.flatnonzero(labels.are(totals))[:6].tolist()))
            raise ValueError(
                f"{column} holds {quoted(totals[0])} ({where}), which looks like a row of totals. Delete it"
            )
        if positive is None:
            is_swapped = len(names) > 10 and len({*table.sample[score.place]}) == 2
            swapped = f"Label and score seem to be swapped: label={score.name!r}, score={column.name!r}"
            advice = swapped if is_swapped else "Name the positive one with positive=, and all others count as negative"
            raise ValueError(f"{column} holds {len(names):,} labels, {by_name} rows. {advice}")
    usual = next((pair.split()[1] for pair in PAIRS if {*spellings} == {*pair.split()}), None)
    chosen = spellings.get(same(str(usual if positive is None else positive)))
    if chosen is None and positive is not None:
        raise ValueError(f"positive={str(positive)!r} does not occur in {column}. It holds {by_name} rows")
    if chosen is None:
        options = " or ".join(f"positive={name!r}" for name in sorted(names, key=sizes.get))
        raise ValueError(f"{column} holds {by_name} rows. Say which is positive, as {options}")
    chosen = [*chosen]
    others = [name for name in names if name != chosen[0]]
    rest = f"the other {len(others):,} labels ({listed(others)}) are" if len(others) > 1 else f"{quoted(others[0])} is"
    n_positive, n_negative = sizes[chosen[0]], sum(map(sizes.get, others))
    return chosen, (
        f"The label is column {column.name!r}{column.reason}: {quoted(chosen[0])} is positive in {count(n_positive)}, "
        f"and {rest} negative in {n_negative:,}, which is {n_negative / n_positive:.3g} for each positive."
    )


def one_class(column, n_rows_of, missing):
    """The sentence on a column with labels of one class, or with none."""
    texts = " and ".join(map(quoted, sorted(n_rows_of)))
    rows = f"{sum(n_rows_of.values()):,} rows" if n_rows_of else "rows"
    sentence = f"{column} is {texts or 'missing'} in all {rows}"
    if len({text.casefold() for text in n_rows_of}) < len(n_rows_of):
        sentence += ". These differ in upper and lower case only"
    if words := sorted(missing - {""}):
        words = " or ".join(map(quoted, words))
        sentence += f". Rows of {words} were taken as unlabeled: write another word if they are negative"
    return f"{sentence}. Rows of both classes are needed"


def same(text):
    """A label without what makes no difference: upper and lower case, and 1.0 or 1,0 for 1."""
    if whole := re.fullmatch(r"([-+]?\d{1,300})(\.0*|,0)?", text):
        return str(int(whole[1]))  # a float would take long codes for one another
    with suppress(ValueError):
        number = float(text)
        return str(int(number)) if number.is_integer() else repr(number)
    return text.casefold()
