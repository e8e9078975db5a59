"""Which column of a table holds the labels, and which the scores: the one that is named, or the only likely one."""

import re
from typing import NamedTuple

from evalteach.command.tables import MISSING, NUMBER
from evalteach.command.wording import listed

LABEL_NAME = r"y|(y_?)?(labels?|true|truth|target|class|actual|outcome|test)|ground_truth|gt"
SCORE_NAME = (
    r"(\w+_)?(scores?|prob(s|a|as|abilit\w+)?|logits?)|prob(a|ability)?_\w+|p|p_hat|y_?hat|(y_)?pred(ict\w+)?|risk"
    r"|confidence"
)
ID_NAME = r"|(\w+_)?(id|index|row|key|number|nr)|unnamed.*"


class Column(NamedTuple):
    """A column of a table; for one that was guessed, with the reason in parentheses."""

    place: int
    name: str
    file: str
    reason: str = ""

    def __str__(self):
        return f"column {self.name!r} of {self.file}"


def choose(table, role, given=None, other=None):
    """The column that is named, or else the one that the first rule with any candidate leaves no doubt about."""
    names, file, reason = table.names, table.path.name, ""
    if given is not None:
        alike = [place for place, name in enumerate(names) if name.casefold() == str(given).casefold()]
        candidates = [place for place in alike if names[place] == given] or alike
        if not candidates:
            raise ValueError(f"{role}={given!r} is no column of {file}. It has {listed(names)}")
    else:
        free = [place for place in range(len(names)) if other is None or place != other.place]
        rules = label_rules if role == "label" else _score_rules
        candidates, why = next((rule for rule in rules(table, free) if rule[0]), (free, "since no other is left"))
        reason = f" (chosen {why})"
    name = names[candidates[0]]
    if (times := names.count(name)) > 1 or (given is not None and len(candidates) > 1):
        raise ValueError(
            f"{file} has {max(times, len(candidates))} columns called {given or name!r}. Rename one of them"
        )
    if len(candidates) == 1:
        return Column(candidates[0], name, file, reason)
    options = " or ".join(f"{role}={names[place]!r}" for place in candidates[:5]) + " ..." * (len(candidates) > 5)
    high = ", whichever is high for the positive class" if role == "score" else ""
    raise ValueError(f"it is not certain which column of {file} is the {role}. Name it, as {options}{high}")


def plain(name):
    """A name in small letters, with one underscore for all that is neither letter nor digit."""
    return re.sub(r"\W+", "_", name.casefold())


def label_rules(table, free):
    """Columns that may hold the labels, and why; rule by rule, the surest first."""
    two_values, _ = _contents(table, free)
    likely = [place for place in free if re.fullmatch(LABEL_NAME, plain(table.names[place]))]
    flags = [place for place in two_values if plain(table.names[place]).startswith("is_")]
    yield [place for place in free if table.names[place] == "label"], "by its name"
    yield [place for place in likely if place in two_values], "by its name and its two values"
    yield likely, "by its name"
    yield flags, "by its name and its two values"
    yield _without_ids(table, two_values), "since it has two values"


def _score_rules(table, free):
    two_values, numeric = _contents(table, free)
    likely = [place for place in free if re.fullmatch(SCORE_NAME, plain(table.names[place]))]
    others = _without_ids(table, numeric)
    yield [place for place in likely if place in numeric], "by its name and its numbers"
    # decisions may stand beside the scores that they were made from
    yield likely if {*likely} - {*two_values} else [*others, *likely], "by its name" if likely else "by its numbers"
    yield others, "by its numbers"


def _without_ids(table, candidates):
    return [place for place in candidates if not re.fullmatch(ID_NAME, plain(table.names[place]))]


def _contents(table, free):
    """The columns of two values at most, and of the others those of numbers, by the first rows."""
    values = {place: {text.strip().casefold() for text in {*table.sample[place]}} - MISSING for place in free}
    two_values = {place: None for place in free if len(values[place]) <= 2}
    numeric = [place for place in free if place not in two_values and _are_numbers(values[place])]
    return two_values, numeric


def _are_numbers(texts):
    return sum(bool(re.fullmatch(NUMBER, text)) for text in texts) > len(texts) / 2
