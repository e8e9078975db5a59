"""Files of labels and scores: read, checked at the door, and never changed."""

import csv
import math
import re
import sys
import tempfile
from collections import Counter
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from evalteach import classification
from evalteach._inputs import check_between
from evalteach.counts import CELLS, Counts, Sweep, sweep

LARGE = 1_000_000  # rows; beyond, DuckDB reads, and counts rows of equal label and score together
SAMPLE = 10_000  # rows that a guess looks at
LABEL_NAME = r"y|(y_?)?(labels?|true|truth|target|class|actual|outcome|test)|ground_truth|gt|is_\w+"
SCORE_NAME = (
    r"(\w+_)?(scores?|prob(s|a|as|abilit\w+)?|logits?)|prob(a|ability)?_\w+|p|p_hat|y_?hat|(y_)?pred(ict\w+)?|risk"
    r"|confidence"
)
ID_NAME = r"|(\w+_)?(id|index|row|key|number|nr)|unnamed.*"
PAIRS = ("0 1", "-1 1", "false true", "f t", "no yes", "n y", "negative positive", "neg pos")
MISSING = frozenset(("", "na", "n/a", "nan", "null", "#n/a", "<na>", "nat"))
TOTALS = r"\W*(grand |sub)?(totals?|sums?|average|mean|all|overall)\W*"
AS_CSV = "save it as CSV (UTF-8), with a line of names and one line a row"
KINDS = {  # how a file starts that is no table in text
    b"PK\x03\x04": "an Excel workbook or a zip archive",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook",
    b"\x1f\x8b": "compressed by gzip",
    b"\xff\xfe": "UTF-16 text",
    b"\xfe\xff": "UTF-16 text",
    b'{"': "JSON",
    b"[{": "JSON",
    b"<!": "HTML",
    b"<html": "HTML",
    b"<?xml": "XML",
}
TEXTS = {  # what no number looks like
    r"none": "missing values; fill in these scores, or drop the rows",
    r"[-+]?[\d.,\s]+%": "percent text; write 0.93 or 93 for 93 %",
    r"(\d{4}-\d\d?-\d\d?|\d\d?[./]\d\d?[./]\d{2,4})([T ].*)?|\d+:\d\d(:\d\d.*)?": (
        "dates; name the column of scores with score="
    ),
    r"[-+]?(0*,\d+|\d+,(\d\d?|\d{4,}))([eE][-+]?\d+)?": (
        "decimal commas; write 0.93 for 0,93, as pandas.read_csv(FILE, sep=';', decimal=',').to_csv(NEW) does"
    ),
    r"[-+]?\d{1,3}([,'’\s]\d{3})+(\.\d*)?|[-+]?\d{1,3}(\.\d{3})+,\d+": "thousands separators; write 1234.5",
    r"[-+]?inf(inity)?": "infinity; write a finite number, or drop the rows",
    r".*": "text; scores must be numbers, and score= names their column",
}


class ScoreTable(NamedTuple):
    """Labels and scores of a file, and what was understood of it.

    Attributes
    ----------
    y_true : ndarray of bool, shape (n_entries,)
        True for the positive class.
    y_score : ndarray of float, shape (n_entries,)
    weights : ndarray of int, shape (n_entries,), or None
        Rows that each entry stands for, where a large file was grouped by label and score; else None.
    label, score : str
        Names of the columns.
    positive : str
        The label that counts as positive, as it stands in the file.
    n_rows : int
    understood : tuple of str
        Three sentences: what was read, what the labels are, what the scores are.
    warnings : tuple of str
        A sentence on each thing to know before believing a number; none of them stops the reading.
    """

    y_true: np.ndarray
    y_score: np.ndarray
    weights: np.ndarray | None
    label: str
    score: str
    positive: str
    n_rows: int
    understood: tuple
    warnings: tuple

    def rows(self):
        """``(y_true, y_score)`` with one entry per row, however the file was read: what an explorer takes."""
        return _repeated(self.y_true, self.weights), _repeated(self.y_score, self.weights)

    def sweep(self) -> Sweep:
        """The sweep of all rows in whole counts, so that intervals may rest on it: a weight counts rows here."""
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
    understood: tuple
    warnings: tuple

    def rows(self):
        """``y_score`` with one entry per row, in the file's order unless it was grouped (``weights``)."""
        return _repeated(self.y_score, self.weights)


def _repeated(column, weights):
    return column if weights is None else np.repeat(column, weights)


def read_scores(path, *, label=None, score=None, positive=None) -> ScoreTable:
    """Labels and scores from a CSV or Parquet file.

    Parameters
    ----------
    path : str or Path
        Text in UTF-8 with a line of names, separated by comma, semicolon, tab or bar; or Parquet. Parquet, and
        whatever has more than 10^6 rows, is read by DuckDB (``pip install "evalteach[scale]"``).
    label, score : str, optional
        Names of the columns; else guessed by names and contents, and refused where that is not safe.
    positive : optional
        The label that counts as positive; may be left out for 0/1, true/false, yes/no and the like.

    Returns
    -------
    ScoreTable

    Raises
    ------
    ValueError
        For whatever would make a number wrong: the sentence names column and lines, and says what to do.
    """
    table = _open(path)
    guessed, label, score = _choose(table, label, score)
    tally = table.load(label, score).tally(label)
    chosen, other = _two_labels(table, label, score, tally, positive)
    these, those = ([text for text in tally if _plain(text) == _plain(name)] for name in (chosen, other))
    y_true, y_score, weights = _checked(table, score, guessed, label, these)
    n_these, n_those = (sum(tally[text] for text in texts) for texts in (these, those))
    understood = (
        table.said(y_score.size),
        f"The label is column {label!r}{guessed}: {chosen!r} is positive in {_count(n_these)}, {other!r} is negative "
        f"in {n_those:,}, {n_those / n_these:.3g} for each positive.",
        _said(score, guessed, y_score),
    )
    read = ScoreTable(y_true, y_score, weights, label, score, chosen, n_these + n_those, understood, ())
    return read._replace(warnings=tuple(_warnings(y_score, score, read.sweep())))


def read_unlabeled(path, *, score=None) -> UnlabeledScores:
    """Scores without labels from a CSV or Parquet file; see :func:`read_scores`."""
    table = _open(path)
    guessed, _, score = _choose(table, None, score, labeled=False)
    _, y_score, weights = _checked(table.load(score), score, guessed)
    understood = table.said(y_score.size), "No label is read: its rows are unlabeled.", _said(score, guessed, y_score)
    n_rows = int(y_score.size if weights is None else weights.sum())
    return UnlabeledScores(y_score, weights, n_rows, score, understood, tuple(_warnings(y_score, score)))


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


# --- tables ----------------------------------------------------------------------------------------------


def _open(path):
    path = Path(path)
    if not path.is_file():
        raise ValueError(f"{path} is {'a folder; name a file' if path.is_dir() else 'not there; check the name'}")
    try:
        with open(path, "rb") as file:
            head = file.read(1 << 16)
            lines = head.count(b"\n") + sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 20), b""))
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from None
    if not head.strip(b"\xef\xbb\xbf \r\n"):
        raise ValueError(f"{path.name} is empty; a line of names and one line a row are needed")
    if head.startswith(b"PAR1"):
        return _Duck(path)
    kind = next((kind for start, kind in KINDS.items() if head.startswith(start)), "binary" if b"\0" in head else "")
    if kind:
        raise ValueError(f"{path.name} is {kind}, not a table in text; {AS_CSV}")
    with _text(path) as file:
        delimiter = max(",;\t|", key=re.sub(r'"[^"]*"', "", file.readline()).count)
    with _text(path) as file:
        names = [name.strip() for name in next(_rows_of(path, file, delimiter))[1]]
    data = next((name for name in names if _is_number(name) or re.fullmatch(r"[\d.,]+ ?%", name)), None)
    if data or not any(names) or names[0] == "sep=":
        what = f"{data!r}, so it is data" if data else "no names"
        raise ValueError(f"line 1 of {path.name} holds {what}; let the first line name the columns: label,score")
    return (_Duck if lines > LARGE + 1 else _Text)(path, names, delimiter)


@contextmanager
def _text(path):
    """The text of a file; where it is no UTF-8, the line is told."""
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            yield file
    except UnicodeDecodeError:
        with open(path, "rb") as file:
            line = next(n for n, content in enumerate(file, 1) if "\ufffd" in content.decode(errors="replace"))
        raise ValueError(f"line {line} of {path.name} is not UTF-8 text, perhaps Windows' own; {AS_CSV}") from None


def _rows_of(path, file, delimiter):
    """Line number and fields of each row."""
    reader = csv.reader(file, delimiter=delimiter, strict=True)
    try:
        yield from ((reader.line_num, row) for row in reader if row)
    except csv.Error as error:
        raise ValueError(f"line {reader.line_num} of {path.name} has a quote in a wrong place: {error}") from None


class _Text:
    """A CSV file in memory: of its columns only those that are loaded, as text."""

    unit = "line"

    def __init__(self, path, names, delimiter):
        self.path, self.names, self.delimiter = path, names, delimiter
        self.sample = [row for _, row in islice(self._rows(), SAMPLE) if len(row) == len(names)]

    def _rows(self):
        with _text(self.path) as file:
            yield from islice(_rows_of(self.path, file, self.delimiter), 1, None)

    def load(self, *names):
        places, self.lines, ragged = [self.names.index(name) for name in names], [], []
        columns = [[] for _ in names]
        for line, row in self._rows():
            if len(row) != len(self.names):
                ragged.append((line, len(row)))
                continue
            self.lines.append(line)
            for place, column in zip(places, columns, strict=True):
                column.append(row[place].strip())
        if ragged:
            raise ValueError(
                f"{self.path.name} has {len(self.names)} columns, but not in {_count(len(ragged))} "
                f"({_places('line', [line for line, _ in ragged])}): the first has {ragged[0][1]}; what holds a "
                f"{self.delimiter!r} needs quotes"
            )
        if not self.lines:
            raise ValueError(f"{self.path.name} has names and no row below them; scores are needed")
        self.columns = dict(zip(names, columns, strict=True))
        return self

    def tally(self, name):
        return Counter(self.columns[name])

    def unreadable(self, name):
        """Texts of a column that are no finite number, each with its rows."""
        return Counter(text for text in self.columns[name] if not _is_number(text))

    def places(self, name, texts):
        found = (line for line, text in zip(self.lines, self.columns[name], strict=True) if text in texts)
        return list(islice(found, 6))

    def values(self, score, label, these):
        actual = None if label is None else np.array([text in these for text in self.columns[label]])
        return actual, np.fromiter(map(float, self.columns[score]), float, len(self.lines)), None

    def said(self, entries):
        apart = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}[self.delimiter]
        return f"{self.path.name}: {_count(entries)} of {_count(len(self.names), 'column')}, separated by {apart}."


class _Duck:
    """A table that DuckDB reads: Parquet, and large CSV."""

    def __init__(self, path, names=None, delimiter=None):
        what = "is Parquet" if names is None else f"has more than {LARGE:,} rows"
        try:
            import duckdb
        except ImportError:
            raise ValueError(f'{path.name} {what}, which DuckDB reads: pip install "evalteach[scale]"') from None
        self.path, self.failure, self.unit = path, duckdb.Error, "row" if names is None else "line"
        self.base = duckdb.connect(config={"memory_limit": "600MB", "temp_directory": tempfile.gettempdir()})
        if sys.stdout.isatty():  # in a notebook DuckDB shows it by itself
            self.base.execute("SET enable_progress_bar = true")
        self.file = re.sub(r"([*?\[])", r"[\1]", str(path.resolve()))  # a name, not a pattern
        self.source = "read_parquet(?, hive_partitioning = false)"
        if names is not None:
            columns = ", ".join(f"c{place}: 'VARCHAR'" for place in range(len(names)))
            self.source = (
                f"read_csv(?, auto_detect = false, header = true, delim = '{delimiter}', quote = '\"', escape = '\"', "
                f"hive_partitioning = false, columns = {{{columns}}})"
            )
        found = self._ask(f"DESCRIBE SELECT * FROM {self.source}")
        self.names, self.text, self.number = names or [row[0] for row in found], {}, {}
        for name, (column, kind, *_) in zip(self.names, found, strict=True):
            quoted = '"{}"'.format(column.replace('"', '""'))
            self.text[name] = f"coalesce(trim(CAST({quoted} AS VARCHAR), E' \\t\\n\\r'), '')"
            plain = re.match(r"\w*INT|FLOAT|DOUBLE|DECIMAL|BOOL", kind)
            self.number[name] = f"TRY_CAST({quoted if plain else self.text[name]} AS DOUBLE)"
        self.sample = self._ask(f"SELECT {', '.join(self.text.values())} FROM {self.source} LIMIT {SAMPLE}")
        if not self.sample:
            raise ValueError(f"{path.name} has names and no row below them; scores are needed")

    def _ask(self, query, *more, arrays=False):
        try:
            answer = self.base.execute(query, [*more, self.file])
            return answer.fetchnumpy() if arrays else answer.fetchall()
        except self.failure as error:
            said = " ".join(str(error).split("Possible")[0].split())
            raise ValueError(f"{self.path.name} cannot be read: {said}") from None

    def load(self, *_):
        return self

    def tally(self, name, where=""):
        query = f"SELECT {self.text[name]}, count(*) FROM {self.source} {where} GROUP BY 1 LIMIT {SAMPLE}"
        return dict(self._ask(query))

    def unreadable(self, name):
        return self.tally(name, f"WHERE NOT coalesce(isfinite({self.number[name]}), false)")

    def places(self, name, texts):
        names = int(self.unit == "line")  # the line of names comes first
        numbered = f"(SELECT {self.text[name]} AS text, {names} + row_number() OVER () AS n FROM {self.source})"
        query = f"FROM (SELECT ? AS texts), {numbered} SELECT n WHERE list_contains(texts, text) ORDER BY n LIMIT 6"
        return [n for (n,) in self._ask(query, list(texts))]

    def values(self, score, label, these):
        number = f"{self.number[score]} + 0.0"
        actual = "" if label is None else f"list_contains(?, {self.text[label]}) AS y, "
        (n_rows, distinct), *_ = self._ask(f"SELECT count(*), approx_count_distinct({number}) FROM {self.source}")
        # where most scores differ, to group them would cost much and save nothing
        many, end = (", count(*) AS n", "GROUP BY ALL") if n_rows > LARGE and distinct < n_rows / 2 else ("", "")
        query = f"SELECT {actual}{number} AS s{many} FROM {self.source} {end}"
        got = self._ask(query, *([list(these)] if actual else []), arrays=True)
        self.base.close()
        self.n_rows = n_rows
        return (np.asarray(got["y"], bool) if actual else None), np.asarray(got["s"], float), got["n"] if many else None

    def said(self, entries):
        grouped = f", {entries:,} of them different" * (entries < self.n_rows)
        return (
            f"{self.path.name}: {_count(self.n_rows)} of {_count(len(self.names), 'column')}, read by DuckDB{grouped}."
        )


# --- checks ----------------------------------------------------------------------------------------------


def _choose(table, label, score, labeled=True):
    """A word on whether a column was guessed, and the names of both."""
    names, name = table.names, table.path.name
    shown = ", ".join(map(repr, names[:12])) + ", ..." * (len(names) > 12)
    if twice := next((each for each in names if each and names.count(each) > 1), None):
        raise ValueError(f"{name} has several columns with the name {twice!r}; give each its own")
    if labeled and len(names) == 1:
        raise ValueError(f"{name} has one column, {shown}; labels and scores are needed, with a comma between them")
    for what, given in (("label", label), ("score", score)):
        if given is not None and given not in names:
            raise ValueError(f"{what}={given!r} is no column of {name}, which has {shown}")
    if label is not None and label == score:
        raise ValueError(f"label and score are both {label!r}; name two columns of {shown}")
    columns = dict(zip(names, zip(*table.sample, strict=True), strict=True)) if table.sample else {}
    few = {each for each in names if len({*columns.get(each, ())} - {""}) <= 2}
    numbers = {each for each in names if sum(map(_is_number, columns.get(each, ()))) > len(table.sample) / 2} - few

    def guess(what, other, usual, fitting):
        free = [each for each in names if each != other]
        plain = {each: re.sub(r"\W+", "_", each.casefold()) for each in free}
        named = [each for each in free if re.fullmatch(usual, plain[each])]
        contents = [each for each in free if each in fitting and not re.fullmatch(ID_NAME, plain[each])]
        decided = contents if what == "score" and {*named} <= few else []  # decisions may stand beside their scores
        found = [each for each in named if each in fitting] or [*decided, *named] or contents or free[: len(free) == 1]
        if len(found) == 1:
            return found[0]
        could = f"it could be {', '.join(map(repr, found[:5]))}" if found else f"it has {shown}"
        raise ValueError(f"which column of {name} is the {what}? {could}; name it, as {what}={(found or free)[0]!r}")

    guessed = " (guessed)" if score is None or (labeled and label is None) else ""
    label = guess("label", score, LABEL_NAME, few) if labeled and label is None else label
    return guessed, label, guess("score", label, SCORE_NAME, numbers) if score is None else score


def _two_labels(table, label, score, tally, positive):
    """The positive and the other label, as they stand in the file."""
    column, n_rows = f"column {label!r} of {table.path.name}", sum(tally.values())
    if missing := [text for text in tally if text.casefold() in MISSING]:
        where = _places(table.unit, table.places(label, missing))
        raise ValueError(
            f"{column} is missing in {sum(tally[text] for text in missing):,} of {n_rows:,} rows ({where}); fill in "
            "these labels, or drop the rows"
        )
    values = sorted({_plain(text): text for text in sorted(tally, key=tally.get)}.values())
    listed = ", ".join(f"{_short(text)} in {tally[text]:,}" for text in values[:6]) + ", ..." * (len(values) > 6)
    if len(values) > 2:
        if totals := [text for text in values if re.fullmatch(TOTALS, text, re.IGNORECASE)]:
            where = _places(table.unit, table.places(label, totals))
            raise ValueError(f"{column} holds {_short(totals[0])} ({where}), a row of totals; delete it")
        swapped = len(values) > 10 and all(map(_is_number, values)) and len(table.tally(score)) == 2
        hint = f"label and score seem to be swapped: label={score!r}, score={label!r}"
        other = "keep two of them, or write a column that says whether a row is positive"
        number = f"{len(values):,}{' or more' * (len(values) == SAMPLE)}"
        raise ValueError(f"{column} holds {number} labels, {listed} rows; {hint if swapped else other}")
    if len(values) < 2:
        raise ValueError(f"{column} is {_short(values[0])} in all {n_rows:,} rows; rows of both classes are needed")
    plain = {_plain(text): text for text in values}
    if positive is not None:
        chosen = plain.get(_plain(str(positive)))
        if chosen is None:
            raise ValueError(f"positive={str(positive)!r} does not occur in {column}, which holds {listed} rows")
    else:
        chosen = next((plain[pair.split()[1]] for pair in PAIRS if {*plain} == {*pair.split()}), None)
        if chosen is None:
            raise ValueError(f"{column} holds {listed} rows; which is positive? Name it, as positive={values[0]!r}")
    return chosen, next(text for text in values if text != chosen)


def _checked(table, score, guessed, label=None, these=None):
    """Labels, scores and weights, if the scores are numbers that tell rows apart."""
    column, kinds = f"column {score!r} of {table.path.name}", {}
    for text, rows in (bad := table.unreadable(score)).items():
        missing = r"none" if text.casefold() in MISSING else text
        pattern = next(pattern for pattern in TEXTS if re.fullmatch(pattern, missing, re.IGNORECASE | re.DOTALL))
        kinds.setdefault(pattern, Counter())[text] = rows
    if kinds:
        pattern, texts = max(kinds.items(), key=lambda each: each[1].total())
        where, first = _places(table.unit, table.places(score, set(texts))), _short(min(texts))
        more = f"; in {sum(bad.values()) - texts.total():,} more rows other things" * (len(kinds) > 1)
        what, advice = TEXTS[pattern].split("; ")
        raise ValueError(
            f"{column} holds {what}{f', such as {first}' * (pattern != 'none')}, in {_count(texts.total())} ({where}); "
            f"{advice}{more}"
        )
    actual, numbers, weights = table.values(score, label, these)
    low, high = numbers.min(), numbers.max()
    if low == high:
        raise ValueError(f"{column} is {low:g} in all rows; no threshold tells them apart: name another, with score=")
    if actual is not None and np.array_equal(actual, numbers):
        raise ValueError(f"{column} repeats column {label!r} in all rows; name the column of scores, with score=")
    if guessed and weights is None and numbers.size >= 10 and _are_ids(numbers):
        raise ValueError(
            f"{column} counts rows, from {low:.12g} to {high:.12g}, as ids do; name the column of scores, as "
            f"score={score!r} if it is this one"
        )
    return actual, numbers, weights


def _warnings(numbers, score, swept=None):
    low, high = numbers.min(), numbers.max()
    kind = _kind(numbers)
    if kind == "decisions":
        yield f"Column {score!r} holds decisions, {low:g} or {high:g}, not scores: one threshold and no curve."
    if kind == "scores":
        yield f"The scores are no probabilities, since they go from {low:g} to {high:g}: no calibration."
    if swept is None:
        return
    counts, area = swept.counts, classification.roc_auc(swept.counts)
    if area < 0.5 and (area == 0 or (interval := classification.roc_auc_interval(counts))[1] < 0.5):
        sure = f", 95 % interval {interval[0]:.3f} to {interval[1]:.3f}" if area else ""
        yield (
            f"The scores are upside down (area under the ROC curve {area:.3f}{sure}): change their sign, or name the "
            "other label with positive=."
        )
    if (few := min(counts.tp[-1], counts.fp[-1])) < 10:
        yield f"One class has {_count(int(few))} only: whatever is said of it is unsure."
    best = int(np.nanargmax(classification.fbeta(counts)))
    cut, (before, flagged) = swept.thresholds[best], (counts.tp + counts.fp)[best - 1 : best + 1]
    if flagged - before > max(1, flagged / 10) and kind != "decisions":
        yield (
            f"{flagged - before:,} rows tie at {cut:g}, where F1 is best: no threshold flags more than {before:,} "
            f"and fewer than {flagged:,} rows."
        )
    if counts.fp[best] < 10:
        yield (
            f"Few false positives, {counts.fp[best]}, at {cut:g}, where F1 is best: look at the interval of precision "
            "before you believe it elsewhere."
        )


# --- words -----------------------------------------------------------------------------------------------


def _kind(numbers):
    low, high = numbers.min(), numbers.max()
    if ((numbers == low) | (numbers == high)).all():
        return "decisions"
    return "probabilities" if low >= 0 and high <= 1 else "scores"


def _said(score, guessed, numbers):
    reach = f"from {numbers.min():.6g} to {numbers.max():.6g}"
    kind = {
        "decisions": "two values, so they are decisions",
        "probabilities": "so they may be probabilities",
        "scores": "so they are no probabilities",
    }[_kind(numbers)]
    return f"The score is column {score!r}{guessed}, {reach}, {kind}; high should mean positive."


def _is_number(text):
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def _are_ids(numbers):
    """Whether they are whole and all different, and in order or without a gap."""
    if (numbers[:SAMPLE] % 1).any() or (numbers % 1).any():
        return False
    return bool((np.diff(numbers) > 0).all() or (np.diff(np.sort(numbers)) == 1).all())


def _plain(text):
    """A label without what tells no two apart: case, and 1.0 for 1."""
    return f"{float(text):.12g}" if _is_number(text) else text.casefold()


def _short(text):
    return repr(text if len(text) <= 40 else text[:37] + "...")


def _count(number, unit="row"):
    return f"{number:,} {unit}{'s' * (number != 1)}"


def _places(unit, places):
    """``line 4``, or ``lines 4, 7, 9, ...``: the first five."""
    return f"{unit}{'s' * (len(places) > 1)} {', '.join(f'{n:,}' for n in places[:5])}{', ...' * (len(places) > 5)}"
