"""Files of labels and scores: read where their meaning is certain, refused where it is not, and never changed."""

import re
from typing import NamedTuple

import numpy as np

from evalteach import classification
from evalteach._inputs import check_between
from evalteach.command.columns import choose, plain
from evalteach.command.labels import Labels, classes
from evalteach.command.scores import Numbers, check
from evalteach.command.tables import open_table
from evalteach.command.wording import count, listed, places
from evalteach.counts import CELLS, Counts, Sweep, sweep

LARGE = 1_000_000  # rows; beyond, rows of equal label and score are counted together
UNIT_NAME = r"id|(user|customer|client|patient|subject|person|account|session|household|device|visitor)s?(_?(id|nr))?"


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
    scores = None if score is None else choose(table, "score", score)
    column = choose(table, "label", label, scores)
    scores = scores or choose(table, "score", None, column)
    if column.place == scores.place:
        raise ValueError(f"label and score are both {column.name!r}. Name two columns of {listed(table.names)}")
    numbers, notes, labels = _load(table, scores, column)
    unlabeled, unscored = labels.are(labels.missing()), np.isnan(numbers)
    use = ~(unlabeled | unscored)
    chosen, sentence = classes(table, labels, scores, use, positive)
    y_true, y_score = labels.are(chosen), numbers
    if not use.all():  # else copies of millions of rows would be made
        y_true, y_score = y_true[use], y_score[use]
    check(scores, y_score, column, y_true)
    warnings = [
        *left_out(table, column, unlabeled, labels.missing()),
        *left_out(table, scores, ~unlabeled & unscored),
        *repeats(table, column, scores),
    ]
    n_rows, (y_score, y_true, weights) = y_score.size, _grouped(y_score, y_true)
    summary = *form(table, use.size, n_rows, y_score.size), *notes, sentence, _score_sentence(scores, y_score)
    read = ScoreTable(y_true, y_score, weights, column.name, scores.name, chosen[0], n_rows, summary, ())
    return read._replace(warnings=(*warnings, *_warnings(y_score, scores.name, read.sweep())))


def read_unlabeled(path, *, score=None) -> UnlabeledScores:
    """Scores without labels from a CSV or Parquet file; see :func:`read_scores`."""
    table = open_table(path)
    scores = choose(table, "score", score)
    numbers, notes, _ = _load(table, scores)
    unscored = np.isnan(numbers)
    y_score = numbers[~unscored] if unscored.any() else numbers
    check(scores, y_score)
    n_rows, (y_score, _, weights) = y_score.size, _grouped(y_score)
    read = form(table, unscored.size, n_rows, y_score.size)
    summary = *read, *notes, "No label was read.", _score_sentence(scores, y_score)
    warnings = *left_out(table, scores, unscored), *repeats(table, scores), *_warnings(y_score, scores.name)
    return UnlabeledScores(y_score, weights, n_rows, scores.name, summary, warnings)


def _load(table, score, label=None):
    """The scores of all rows, sentences on how they are written, and the labels of all rows, if there are any."""
    numbers, labels = Numbers(table, score), label and Labels(label)
    for scores, *texts in table.blocks(*(column.place for column in (score, label) if column)):
        numbers.add(scores)
        if label:
            labels.add(*texts)
    return numbers.values(), numbers.notes, labels


def _grouped(y_score, y_true=None):
    """Scores and labels, and weights where many rows of a large table are equal."""
    # where most scores differ, to group them would save little, and lose their order
    if y_score.size <= LARGE or np.unique(y_score[:LARGE]).size > LARGE / 2:
        return y_score, y_true, None
    sides = [y_score] if y_true is None else [y_score[~y_true], y_score[y_true]]
    groups = [np.unique(side, return_counts=True) for side in sides]
    values, sizes = map(np.concatenate, zip(*groups, strict=True))
    return values, None if y_true is None else np.arange(values.size) >= groups[0][0].size, sizes


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


# --- sentences -------------------------------------------------------------------------------------------


def form(table, n_rows, n_used=0, n_entries=0):
    """Sentences on the size and the form of a table, and on whether equal ones of the rows used were grouped."""
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


def left_out(table, column, rows, words=()):
    """A warning of rows without a label or a score; ``words`` are those that say so in the file."""
    if n_rows := int(np.count_nonzero(rows)):
        or_words = "".join(f" or {word!r}" for word in sorted({*words} - {""}))
        where = places(table.unit, table.lines(np.flatnonzero(rows)[:6].tolist()))
        yield (
            f"{count(n_rows)} of {rows.size:,} {'is' if n_rows == 1 else 'are'} left out, since column "
            f"{column.name!r} is missing{or_words} there ({where})."
        )


def repeats(table, *used):
    """A warning of repeated units, where columns are used: intervals assume that rows are independent."""
    for place, (name, texts) in enumerate(zip(table.names, table.sample, strict=True)):
        distinct = len({*texts})
        is_unit = re.fullmatch(UNIT_NAME, plain(name))
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
        between = f", 95% interval {interval[0]:.3f} to {interval[1]:.3f}" if area else ""
        yield (
            f"The scores are upside down (area under the ROC curve {area:.3f}{between}). Change their sign, or choose "
            "the other label as positive."
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
