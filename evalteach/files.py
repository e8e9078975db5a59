"""Files of labels and scores: read where their meaning is certain, refused where it is not, and never changed."""

import re
from collections import Counter
from contextlib import suppress
from typing import NamedTuple

import numpy as np

from evalteach import classification
from evalteach._inputs import check_between
from evalteach._tables import NUMBER, SAMPLE, count, open_table, places
from evalteach.counts import CELLS, Counts, Sweep, sweep

LARGE = 1_000_000  # rows; beyond, rows of equal label and score are counted together
LARGEST = 1e300  # a score beyond it cannot be drawn, and is rather a mistake
LABEL_NAME = r"y|(y_?)?(labels?|true|truth|target|class|actual|outcome|test)|ground_truth|gt"
SCORE_NAME = (
    r"(\w+_)?(scores?|prob(s|a|as|abilit\w+)?|logits?)|prob(a|ability)?_\w+|p|p_hat|y_?hat|(y_)?pred(ict\w+)?|risk"
    r"|confidence"
)
ID_NAME = r"|(\w+_)?(id|index|row|key|number|nr)|unnamed.*"
UNIT_NAME = r"id|(user|customer|client|patient|subject|person|account|session|household|device|visitor)s?(_?(id|nr))?"
PAIRS = ("0 1", "-1 1", "- +", "false true", "f t", "no yes", "n y", "negative positive", "neg pos")
MISSING = frozenset(("", "na", "n/a", "nan", "null", "#n/a", "<na>", "nat", "none", "-", "?", "unknown"))
TOTALS = r"\W*(grand |sub)?(totals?|sums?|average|mean|all|overall)\W*"
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


class ScoreTable(NamedTuple):
    """Labels and scores of a file, and a summary of how it was read.

    Attributes
    ----------
    y_true : ndarray of bool, shape (n_entries,)
        True for the positive class.
    y_score : ndarray of float, shape (n_entries,)
        Infinite scores are kept, since they order rows like any other.
    weights : ndarray of int, shape (n_entries,), or None
        Rows that each entry represents, where a large file was grouped by label and score; otherwise None.
    label, score : str
        Names of the columns.
    positive : str
        The label that counts as positive, as it is written in the file.
    n_rows : int
        Rows with a label and a score.
    summary : tuple of str
        Sentences on what was read, what the labels are, and what the scores are.
    warnings : tuple of str
        A sentence on each thing to know before believing a number, such as rows that were left out.
    """

    y_true: np.ndarray
    y_score: np.ndarray
    weights: np.ndarray | None
    label: str
    score: str
    positive: str
    n_rows: int
    summary: tuple
    warnings: tuple

    def rows(self):
        """``(y_true, y_score)`` with one entry per row, whether or not the file was grouped: as explorers take it."""
        return _repeated(self.y_true, self.weights), _repeated(self.y_score, self.weights)

    def sweep(self) -> Sweep:
        """The sweep of all rows in whole counts, so that intervals can be based on it: a weight is a number of rows."""
        swept = sweep(self.y_true, self.y_score, weights=self.weights)
        if self.weights is None:
            return swept
        cells = {cell: np.rint(getattr(swept.counts, cell)).astype(np.int64) for cell in CELLS}
        return Sweep(swept.thresholds, Counts(**cells))

    @property
    def is_probability(self) -> bool:
        """Whether the scores may be probabilities: between 0 and 1, and more than two values."""
        return _kind(self.y_score) == "probabilities"


class UnlabeledScores(NamedTuple):
    """Scores of a file without labels; the attributes are those of :class:`ScoreTable`."""

    y_score: np.ndarray
    weights: np.ndarray | None
    n_rows: int
    score: str
    summary: tuple
    warnings: tuple

    def rows(self):
        """``y_score`` with one entry per row, in the file's order unless it was grouped (``weights``)."""
        return _repeated(self.y_score, self.weights)


class Column(NamedTuple):
    """A column of a table; for one that was guessed, with the reason in parentheses."""

    place: int
    name: str
    file: str
    reason: str = ""

    def __str__(self):
        return f"column {self.name!r} of {self.file}"


def _repeated(column, weights):
    return column if weights is None else np.repeat(column, weights)


def read_scores(path, *, label=None, score=None, positive=None) -> ScoreTable:
    """Labels and scores from a CSV or Parquet file.

    Parameters
    ----------
    path : str or Path
        CSV with a line of names: in UTF-8, UTF-16 or Windows-1252, also compressed by gzip, separated by commas,
        semicolons, tabs, bars or blanks. Or Parquet, which DuckDB reads (``pip install "evalteach[scale]"``).
    label, score : str, optional
        Names of the columns; otherwise they are guessed by names and contents, and refused where that is not safe.
    positive : optional
        The label that counts as positive; it may be left out for 0/1, true/false, yes/no and the like. Of three or
        more labels, all others count as negative.

    Returns
    -------
    ScoreTable

    Raises
    ------
    ValueError
        For whatever would make a number wrong: the sentence names column and lines, and says what to do.
    """
    table = open_table(path)
    if len(table.names) == 1:
        raise ValueError(f"{table.path.name} has one column, {table.names[0]!r}. Labels and scores need one each")
    scores = None if score is None else _column(table, "score", score)
    labels = _column(table, "label", label, scores)
    scores = scores or _column(table, "score", None, labels)
    if labels.place == scores.place:
        raise ValueError(f"label and score are both {labels.name!r}. Name two columns of {_listed(table.names)}")
    numbers, notes, codes, texts = _load(table, scores, labels)
    kinds = {text.strip() for text in texts}
    missing = {text for text in kinds if text.casefold() in MISSING} if kinds != {"-", "+"} else set()
    unlabeled = np.isin(codes, [code for text, code in texts.items() if text.strip() in missing])
    use = ~(unlabeled | np.isnan(numbers))
    n_rows_of, codes = Counter(), codes[use]
    for text, n_rows in zip(texts, np.bincount(codes, minlength=len(texts)).tolist(), strict=True):
        n_rows_of[text.strip()] += n_rows
    chosen, sentence = _classes(table, labels, scores, +n_rows_of, missing, positive)
    y_true = np.isin(codes, [code for text, code in texts.items() if _key(text) == _key(chosen)])
    y_score = numbers if use.all() else numbers[use]
    _check_scores(scores, y_score, labels, y_true)
    warnings = [*_left_out(table, labels, missing, unlabeled), *_left_out(table, scores, MISSING, ~unlabeled & ~use)]
    n_rows, (y_score, y_true, weights) = y_score.size, _grouped(y_score, y_true)
    summary = (*_form(table, numbers.size, y_score.size, n_rows), *notes, sentence, _score_sentence(scores, y_score))
    read = ScoreTable(y_true, y_score, weights, labels.name, scores.name, chosen, n_rows, summary, ())
    warnings += [*_repeats(table, labels, scores), *_warnings(y_score, scores.name, read.sweep())]
    return read._replace(warnings=tuple(warnings))


def read_unlabeled(path, *, score=None) -> UnlabeledScores:
    """Scores without labels from a CSV or Parquet file; see :func:`read_scores`."""
    table = open_table(path)
    scores = _column(table, "score", score)
    numbers, notes, *_ = _load(table, scores)
    use = ~np.isnan(numbers)
    y_score = numbers if use.all() else numbers[use]
    _check_scores(scores, y_score)
    n_rows, (y_score, _, weights) = y_score.size, _grouped(y_score)
    summary = (
        *_form(table, numbers.size, y_score.size, n_rows),
        *notes,
        "No label was read.",
        _score_sentence(scores, y_score),
    )
    warnings = *_left_out(table, scores, MISSING, ~use), *_repeats(table, scores), *_warnings(y_score, scores.name)
    return UnlabeledScores(y_score, weights, n_rows, scores.name, summary, warnings)


def read_interval(text, name="class_size") -> tuple[float, float]:
    """``"70:120"`` as (70.0, 120.0), and one number twice; numbers and pairs of them pass."""
    ends = text.split(":") if isinstance(text, str) else text if isinstance(text, tuple | list) else [text]
    try:
        low, high = [float(end) for end in ends] * (2 if len(ends) == 1 else 1)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be a number or low:high, such as 70:120, got {text!r}") from None
    for end in (low, high):
        check_between(name, end, 0, np.inf)
    if low > high:
        raise ValueError(f"{name} must be low:high, the smaller number first, got {text!r}")
    return low, high


# --- which column ----------------------------------------------------------------------------------------


def _column(table, role, given=None, other=None):
    """The column that is named, or else the one that the first rule with any candidate leaves no doubt about."""
    names, file = table.names, table.path.name
    if given is not None:
        alike = [place for place, name in enumerate(names) if name.casefold() == str(given).casefold()]
        candidates, reason = [place for place in alike if names[place] == given] or alike, ""
        if not candidates:
            raise ValueError(f"{role}={given!r} is no column of {file}. It has {_listed(names)}")
    else:
        free = [place for place in range(len(names)) if other is None or place != other.place]
        rules = _label_rules if role == "label" else _score_rules
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


def _label_rules(table, free):
    plain, two_values, _ = _features(table, free)
    named = [place for place in free if re.fullmatch(LABEL_NAME, plain[place])]
    flags = [place for place in free if plain[place].startswith("is_")]
    yield [place for place in free if table.names[place] == "label"], "by its name"
    yield [place for place in named if place in two_values], "by its name and its two values"
    yield named, "by its name"
    yield [place for place in flags if place in two_values], "by its name and its two values"
    yield [place for place in two_values if not re.fullmatch(ID_NAME, plain[place])], "since it has two values"


def _score_rules(table, free):
    plain, two_values, numeric = _features(table, free)
    named = [place for place in free if re.fullmatch(SCORE_NAME, plain[place])]
    others = [place for place in numeric if not re.fullmatch(ID_NAME, plain[place])]
    yield [place for place in named if place in numeric], "by its name and its numbers"
    # decisions may stand beside the scores that they were made from
    yield named if {*named} - two_values.keys() else [*others, *named], "by its name" if named else "by its numbers"
    yield others, "by its numbers"


def _features(table, free):
    """Plain names of the columns; of those columns the ones with two values at most, and the numeric ones."""
    plain = {place: re.sub(r"\W+", "_", table.names[place].casefold()) for place in free}
    values = {place: {text.strip().casefold() for text in {*table.sample[place]}} - MISSING for place in free}
    two_values = {place: None for place in free if len(values[place]) <= 2}
    numeric = [
        place
        for place in free
        if place not in two_values
        and sum(bool(re.fullmatch(NUMBER, text)) for text in values[place]) > len(values[place]) / 2
    ]
    return plain, two_values, numeric


# --- labels ----------------------------------------------------------------------------------------------


def _classes(table, label, score, n_rows_of, missing, positive):
    """The positive label as it is written, and the sentence on both classes."""
    spellings = {}
    for text in sorted(n_rows_of, key=lambda text: (-n_rows_of[text], text)):
        spellings.setdefault(_key(text), []).append(text)
    sizes = {texts[0]: sum(map(n_rows_of.get, texts)) for texts in spellings.values()}
    labels = sorted(sizes)
    listed = ", ".join(f"{_short(text)} in {sizes[text]:,}" for text in labels[:6]) + ", ..." * (len(labels) > 6)
    if len(labels) < 2:
        raise ValueError(_one_class(label, n_rows_of, missing))
    if len(labels) > 2:
        if totals := [text for text in labels if re.fullmatch(TOTALS, text, re.IGNORECASE)]:
            where = places(table.unit, table.lines(label.place, totals))
            raise ValueError(
                f"{label} holds {_short(totals[0])} ({where}), which looks like a row of totals. Delete it"
            )
        if positive is None:
            swapped = len(labels) > 10 and len({*table.sample[score.place]}) == 2
            hint = f"Label and score seem to be swapped: label={score.name!r}, score={label.name!r}"
            other = "Name the positive one with positive=, and all others count as negative"
            raise ValueError(f"{label} holds {len(labels):,} labels, {listed} rows. {hint if swapped else other}")
    usual = next((pair.split()[1] for pair in PAIRS if {*spellings} == {*map(_key, pair.split())}), None)
    chosen, *_ = spellings.get(_key(str(usual if positive is None else positive)), [None])
    if chosen is None and positive is not None:
        raise ValueError(f"positive={str(positive)!r} does not occur in {label}, which holds {listed} rows")
    if chosen is None:
        options = " or ".join(f"positive={text!r}" for text in sorted(labels, key=sizes.get))
        raise ValueError(f"{label} holds {listed} rows. Say which is positive, as {options}")
    others = [text for text in labels if text != chosen]
    rest = f"the other {len(others):,} labels ({_listed(others)}) are" if len(others) > 1 else f"{_short(others[0])} is"
    n_rows, n_others = sizes[chosen], sum(map(sizes.get, others))
    return chosen, (
        f"The label is column {label.name!r}{label.reason}: {_short(chosen)} is positive in {count(n_rows)}, and "
        f"{rest} negative in {n_others:,}, which is {n_others / n_rows:.3g} for each positive."
    )


def _one_class(label, n_rows_of, missing):
    texts = " and ".join(map(_short, sorted(n_rows_of)))
    sentence = f"{label} is {texts or 'missing'} in all {f'{n_rows_of.total():,} ' * bool(texts)}rows"
    if len({text.casefold() for text in n_rows_of}) < len(n_rows_of):
        sentence += ". These differ in upper and lower case only"
    if words := sorted(missing - {""}):
        words = " or ".join(map(_short, words))
        sentence += f". Rows of {words} were taken as unlabeled: write another word if they are negative"
    return f"{sentence}. Rows of both classes are needed"


def _key(text):
    """A label without what makes no difference: upper and lower case, blanks around it, and 1.0 or 1,0 for 1."""
    text = text.strip()
    if whole := re.fullmatch(r"([-+]?\d{1,300})(\.0*|,0)?", text):
        return str(int(whole[1]))  # a float would take long codes for one another
    with suppress(ValueError):
        number = float(text)
        return str(int(number)) if number.is_integer() else repr(number)
    return text.casefold()


# --- scores ----------------------------------------------------------------------------------------------


class _Codes(dict):
    def __missing__(self, text):
        self[text] = code = len(self)
        return code


def _load(table, score, *label):
    """Scores, nan where one is missing, and a word on their style; labels as codes, and the codes of their texts."""
    style, notes = _style(table, score)
    numbers, codes, texts, unreadable = [], [np.empty(0, np.int32)], _Codes(), Counter()
    for scores, *labels in table.blocks(score.place, *(column.place for column in label)):
        numbers.append(_numbers(scores, style, unreadable))
        codes += [np.fromiter(map(texts.__getitem__, column), np.int32, len(column)) for column in labels]
        if len(texts) > SAMPLE:
            raise ValueError(
                f"{label[0]} holds more than {SAMPLE:,} labels, such as {_short(min(texts))}. Name another"
            )
    numbers = np.concatenate(numbers)
    _check_numbers(table, score, numbers, unreadable)
    return numbers, notes, np.concatenate(codes), texts


def _numbers(texts, style, unreadable):
    if style is None:
        with suppress(ValueError):
            numbers = np.asarray(texts, dtype=float)
            if not (np.abs(numbers) > LARGEST).any():
                return numbers + 0.0
    return np.array([_number(str(text).strip(), style, unreadable) for text in texts], dtype=float)


def _number(text, style=None, unreadable=None):
    """A number that is written in a style; nan if it is missing, and also if it is unreadable, which is counted."""
    if text.casefold() in MISSING:
        return np.nan
    with suppress(ValueError):
        number = float(text if style is None or re.fullmatch("[-+]?inf(inity)?", text, re.I) else _plain(text, style))
        if abs(number) <= LARGEST or "inf" in text.casefold():
            return number + 0.0
    if unreadable is not None:
        unreadable[text] += 1
    return np.nan


def _plain(text, style):
    """A number in Python's way of writing, or "" if it is written in another style."""
    thousands, decimal = STYLES[style]
    number = re.sub("[\u00a0\u202f]", " ", text.replace("’", "'"))
    if "percent" in style:
        if not number.endswith("%"):
            return ""
        number = number[:-1].rstrip()
    groups = rf"[1-9]\d{{0,2}}({re.escape(thousands)}\d{{3}})+|" if thousands else ""
    exponent = "" if "percent" in style else r"(e[-+]?\d+)?"
    if not re.fullmatch(rf"[-+]?({groups}\d*)({re.escape(decimal)}\d*)?{exponent}", number, re.IGNORECASE):
        return ""
    return number.replace(thousands, "").replace(decimal, ".") + "e-2" * ("percent" in style)


def _style(table, score):
    """How the scores are written, if most are not as Python writes them, with a sentence on it."""
    texts = [
        text.strip() for text in dict.fromkeys(table.sample[score.place]) if text.strip().casefold() not in MISSING
    ]
    if 2 * np.isfinite([_number(text) for text in texts]).sum() >= len(texts):
        return None, ()
    values = {style: np.array([_number(text, style) for text in texts]) for style in STYLES}
    most = max(np.isfinite(numbers).sum() for numbers in values.values())
    best = [style for style in STYLES if np.isfinite(values[style]).sum() == most]
    if 2 * most <= len(texts):
        return None, ()
    example = next(text for text, number in zip(texts, values[best[0]], strict=True) if np.isfinite(number))
    if any(not np.array_equal(values[best[0]], values[style], equal_nan=True) for style in best[1:]):
        raise ValueError(
            f"{score} holds numbers such as {_short(example)}, in which the comma may be a decimal comma or stand "
            "between thousands. Write them with decimal points"
        )
    value = float(_plain(example, best[0]))
    return best[0], (f"The scores are written {best[0]}: {example!r} was read as {value:g}.",)


def _check_numbers(table, score, numbers, unreadable):
    kinds = {}
    for text, n_rows in unreadable.items():
        kinds.setdefault(_kind_of_text(text), Counter())[text] = n_rows
    if kinds:
        (what, advice), texts = max(kinds.items(), key=lambda kind: kind[1].total())
        where = places(table.unit, table.lines(score.place, texts))
        rest = unreadable.total() - texts.total()
        more = f", and other things that are no scores in {count(rest)}" * bool(rest)
        raise ValueError(
            f"{score} holds {what}, such as {_short(min(texts))}, in {count(texts.total())} ({where}){more}. {advice}"
        )
    if np.isnan(numbers).all():
        raise ValueError(f"{score} is missing in all rows. Name another column with score=")


def _kind_of_text(text):
    """What a score that cannot be read is, and what to do."""
    if re.fullmatch(DATE, text):
        return "dates", "Name the column of scores with score="
    if re.fullmatch(r"[-+]?[\d.]+(e[-+]?\d+)?", text, re.IGNORECASE) and abs(float(text)) > LARGEST:
        return "numbers that are too large", "Correct these rows"
    if re.fullmatch(rf"[-+]?[\d.,'’\s]*\d|{NUMBER}", text, re.IGNORECASE):
        return "numbers that are not written as the others are", "Write them in one way in all rows, as 1234.5 or 0.93"
    return "text", "Scores must be numbers. Correct these rows, or name another column with score="


def _check_scores(score, numbers, label=None, y_true=None):
    """Refuses scores that cannot tell rows apart."""
    low, high = numbers.min(), numbers.max()
    if low == high or np.isinf(numbers).all():
        raise ValueError(f"{score} is {high:g} in all rows, so no threshold separates them. Name another with score=")
    if y_true is not None and np.array_equal(y_true, numbers):
        raise ValueError(f"{score} repeats column {label.name!r} in all rows. Name the column of scores with score=")
    if score.reason and numbers.size >= 10 and _are_ids(numbers):
        raise ValueError(
            f"{score} counts rows, from {low:.12g} to {high:.12g}, as ids do. Name the column of scores, as "
            f"score={score.name!r} if it is this one"
        )


def _are_ids(numbers):
    """Whether they are whole and all different, and in order or without a gap."""
    if not np.isfinite(numbers).all() or (numbers[:SAMPLE] % 1).any() or (numbers % 1).any():
        return False
    return bool((np.diff(numbers) > 0).all() or (np.diff(np.sort(numbers)) == 1).all())


def _grouped(y_score, y_true=None):
    """Scores and labels, and weights where many rows of a large table are equal."""
    # where most scores differ, to group them would save little, and lose their order
    if y_score.size <= LARGE or np.unique(y_score[:LARGE]).size > LARGE / 2:
        return y_score, y_true, None
    sides = [y_score] if y_true is None else [y_score[~y_true], y_score[y_true]]
    groups = [np.unique(side, return_counts=True) for side in sides]
    values, sizes = map(np.concatenate, zip(*groups, strict=True))
    return values, None if y_true is None else np.arange(values.size) >= groups[0][0].size, sizes


# --- sentences -------------------------------------------------------------------------------------------


def _form(table, n_rows, n_entries, n_used):
    grouped = f" Rows of equal label and score were counted together, as {n_entries:,} entries." * (n_entries < n_used)
    return f"{table.path.name} has {count(n_rows)} and {table.form}.{grouped}", *table.notes


def _score_sentence(score, numbers):
    finite = numbers[np.isfinite(numbers)]
    infinite = f", and {count(numbers.size - finite.size, 'infinite score')}" * bool(finite.size < numbers.size)
    reach = f"from {finite.min():.6g} to {finite.max():.6g}" if finite.size else "all of them infinite"
    kind = {
        "decisions": "two values, so they are decisions",
        "probabilities": "so they may be probabilities",
        "scores": "so they are not probabilities",
    }[_kind(numbers)]
    return f"The score is column {score.name!r}{score.reason}, {reach}{infinite}, {kind}. High should mean positive."


def _left_out(table, column, texts, missing):
    if n_rows := int(np.count_nonzero(missing)):
        words = "".join(f" or {text!r}" for text in sorted({*texts} - {""}) if texts is not MISSING)
        where = places(table.unit, table.lines(column.place, texts))
        yield (
            f"{count(n_rows)} of {missing.size:,} {'is' if n_rows == 1 else 'are'} left out, since column "
            f"{column.name!r} is missing{words} there ({where})."
        )


def _repeats(table, *used):
    """Intervals assume that rows are independent."""
    for place, (name, texts) in enumerate(zip(table.names, table.sample, strict=True)):
        distinct = len({*texts})
        is_unit = re.fullmatch(UNIT_NAME, re.sub(r"\W+", "_", name.casefold()))
        if is_unit and place not in [column.place for column in used] and 1 < distinct < 0.9 * len(texts):
            yield (
                f"Column {name!r} has {distinct:,} different values in the first {count(len(texts))}, so rows repeat. "
                "The intervals assume independent rows, and are too narrow if rows of one value are alike."
            )


def _kind(numbers):
    low, high = numbers.min(), numbers.max()
    if ((numbers == low) | (numbers == high)).all():
        return "decisions"
    return "probabilities" if low >= 0 and high <= 1 else "scores"


def _warnings(numbers, score, swept=None):
    low, high, kind = numbers.min(), numbers.max(), _kind(numbers)
    if kind == "decisions":
        yield f"Column {score!r} holds decisions, {low:g} or {high:g}, not scores: one threshold and no curve."
    if n_infinite := np.count_nonzero(np.isinf(numbers)):
        yield f"Of the scores, {n_infinite:,} are infinite. They rank first or last, but histograms cannot show them."
    elif kind == "scores":
        yield f"The scores go from {low:g} to {high:g}, so they are not probabilities, and have no calibration."
    if swept is None:
        return
    counts, area = swept.counts, classification.roc_auc(swept.counts)
    if area < 0.5 and (area == 0 or (interval := classification.roc_auc_interval(counts))[1] < 0.5):
        sure = f", 95% interval {interval[0]:.3f} to {interval[1]:.3f}" if area else ""
        yield (
            f"The scores are upside down (area under the ROC curve {area:.3f}{sure}). Change their sign, or choose the "
            "other label as positive."
        )
    if (few := min(counts.tp[-1], counts.fp[-1])) < 10:
        yield f"One class has only {count(int(few))}, so every result about it is uncertain."
    best = int(np.nanargmax(classification.fbeta(counts)))
    threshold, (before, flagged) = swept.thresholds[best], (counts.tp + counts.fp)[best - 1 : best + 1]
    if flagged - before > max(1, flagged / 10) and kind != "decisions":
        yield (
            f"{flagged - before:,} rows tie at {threshold:g}, where F1 is best: no threshold flags more than "
            f"{before:,} and fewer than {flagged:,} rows."
        )
    if counts.fp[best] < 10:
        yield (
            f"At {threshold:g}, where F1 is best, there {'is' if counts.fp[best] == 1 else 'are'} only "
            f"{count(int(counts.fp[best]), 'false positive')}: look at the interval of precision before you rely on it."
        )


def _listed(names):
    return ", ".join(map(repr, names[:12])) + ", ..." * (len(names) > 12)


def _short(text):
    return repr(text if len(text) <= 40 else text[:37] + "...")
