"""Files of scores: what is read, what is refused, and what the reader is told."""

import errno
import os
import re
import sys

import duckdb
import numpy as np
import pyarrow.parquet
import pytest
from scored_files import BROKEN, MEANT, SCORED, WRITTEN, Y_SCORE, Y_TRUE, lines, written
from sklearn import metrics

from evalteach import classification
from evalteach.command import reading, scores, tables
from evalteach.command.reading import read_interval, read_scores, read_unlabeled
from evalteach.counts import sweep


@pytest.fixture
def write(tmp_path):
    """Write a file, text or bytes; its path."""

    def write(content, name="scores.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


# --- what is read ----------------------------------------------------------------------------------------

AT = 0.35
BY_SCIKIT_LEARN = {
    "precision": metrics.precision_score(Y_TRUE, Y_SCORE >= AT),
    "recall": metrics.recall_score(Y_TRUE, Y_SCORE >= AT),
    "area": metrics.roc_auc_score(Y_TRUE, Y_SCORE),
    "average precision": metrics.average_precision_score(Y_TRUE, Y_SCORE),
}


@pytest.mark.parametrize("name", MEANT)
def test_an_odd_file_is_read_as_it_is_meant_and_its_numbers_are_those_of_scikit_learn(write, name):
    content, asked, words = MEANT[name]
    read = read_scores(write(content), **asked)
    np.testing.assert_array_equal(read.y_true, Y_TRUE)
    np.testing.assert_array_equal(read.y_score, Y_SCORE)
    assert words in " ".join([*read.summary, *read.warnings])
    swept = read.sweep()
    assert {
        "precision": classification.precision(swept.at(AT)),
        "recall": classification.recall(swept.at(AT)),
        "area": classification.roc_auc(swept.counts),
        "average precision": classification.average_precision(swept.counts),
    } == pytest.approx(BY_SCIKIT_LEARN, rel=1e-12)


@pytest.mark.parametrize("name", WRITTEN)
def test_numbers_are_read_as_they_are_written(write, name):
    texts, numbers = WRITTEN[name]
    apart = "," if '"' in texts[0] else ";"
    rows = [(str(i % 2), texts[i % 3]) for i in range(12)]
    read = read_scores(write(lines(head=f"label{apart}score", rows=rows, apart=apart)))
    np.testing.assert_array_equal(read.y_score, numbers * 4)
    assert (name in " ".join(read.summary)) == ("thousands" in name)


@pytest.mark.parametrize(
    ("end", "words"),
    [
        (",,,,\n", ""),
        (" \n\n", ""),
        ("1,0.5,x\n", "(line 102): the first has 3"),
        ("1\n", "(line 102): the first has 1"),
    ],
)
def test_what_stands_beyond_the_first_rows_is_read_by_the_same_rules(write, monkeypatch, end, words):
    monkeypatch.setattr(tables, "SAMPLE", 10)
    monkeypatch.setattr(tables, "BLOCK", 20)
    plain, doubtful = write(lines() + end), write(lines((32, "1,")) + end, "b.csv")  # which may be a row too short
    if words:
        with pytest.raises(ValueError) as caught:
            read_scores(plain)
        assert words in str(caught.value)
    else:
        np.testing.assert_array_equal(read_scores(plain).y_score, Y_SCORE)
        np.testing.assert_array_equal(read_scores(doubtful).y_score, np.delete(Y_SCORE, 30))


def test_infinite_scores_are_ordered_and_the_reader_is_told(write):
    read = read_scores(write(lines((3, "1,inf"), (4, "0,-inf"))))
    assert "from 0.1 to 0.8, and 2 infinite scores" in read.summary[-1]
    assert any("histograms cannot show them" in warning for warning in read.warnings)
    assert read.sweep().at(np.inf).tp == 1


def test_ids_are_scores_if_the_reader_says_so(write):
    path = write(written("{y}", "{i}", head="label,mail"))
    assert read_scores(path, label="label", score="mail").y_score.tolist() == list(range(100))


def test_a_table_of_many_columns_is_read(write):
    names = [f"a{i}" for i in range(20_000)]
    rows = [(y, s, *["x"] * 20_000) for y, s in SCORED[:5]]
    assert read_scores(write(lines(head=",".join(["label", "score", *names]), rows=rows))).n_rows == 5


def test_rows_without_labels_need_one_column_and_are_left_out_where_the_score_is_missing(write):
    read = read_unlabeled(write("score\n0.5\n0.25\n\n0.5\n"))
    assert read.y_score.tolist() == [0.5, 0.25, 0.5]
    assert (read.n_rows, read.score, read.weights) == (3, "score", None)
    assert "No label was read." in read.summary
    read = read_unlabeled(write("id,risk\n1,0.5\n2,\n3,0.7\n"), score="risk")
    assert read.y_score.tolist() == [0.5, 0.7]
    assert "1 row of 3 is left out, since column 'risk' is missing there (line 3)" in read.warnings[0]


# --- what is refused -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_is_refused_with_a_sentence(write, name):
    content, asked, words = BROKEN[name]
    path = write(content)
    before = path.read_bytes()
    with pytest.raises(ValueError) as caught:
        read_scores(path, **asked)
    assert words in str(caught.value)
    assert re.search(r"\. [A-Z]\w+", str(caught.value)), "a second sentence says what to do"
    assert path.read_bytes() == before


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("nothing.csv", "is not there"),
        (".", "is a folder. Name a file"),
        ("n" * 300, "cannot be read: File name too long"),
        ("loop", "cannot be read: Too many levels of symbolic links"),
        ("pipe", "is a pipe or a device"),
        ("closed", "cannot be read: Permission denied"),
    ],
)
def test_what_is_no_file_is_refused(tmp_path, monkeypatch, name, words):
    def open_others(path, *more):
        if path.name == "closed":  # which no file is to root
            raise PermissionError(errno.EACCES, "Permission denied")
        return open(path, *more)

    (tmp_path / "loop").symlink_to("loop")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "closed").touch()
    monkeypatch.setattr(tables, "open", open_others, raising=False)
    with pytest.raises(ValueError, match=words):
        read_scores(tmp_path / name)


@pytest.mark.parametrize(
    ("numbers", "are"),
    [
        ([3, 4, 9, 20], True),
        ([3, 6, 4, 5], True),
        ([3, 6, 4, 7], False),
        ([3, 3, 4, 5], False),
        ([1, 2, 3, 4, 5.5], False),
        ([1.5, 2, 3, 4, 5], False),
        ([1, 2, 3, np.inf], False),
    ],
)
def test_ids_are_whole_and_in_order_or_without_a_gap(monkeypatch, numbers, are):
    monkeypatch.setattr(scores, "SAMPLE", 3)
    assert scores.are_ids(np.array(numbers, float)) is are


# --- what is warned of -----------------------------------------------------------------------------------


@pytest.fixture
def warned(write):
    """The warnings for labels and scores."""

    def warned(y_true, y_score):
        text = "\n".join(["label,score", *(f"{int(y)},{float(s)!r}" for y, s in zip(y_true, y_score, strict=True))])
        return list(read_scores(write(text)).warnings)

    return warned


def drawn(rows=2000, apart=2.0):
    rng = np.random.default_rng(3)
    y_true = rng.random(rows) < 0.3
    return y_true, 1 / (1 + np.exp(-rng.normal(np.where(y_true, apart, 0), 1)))


def test_good_scores_bring_no_warning_and_others_one(warned):
    y_true, y_score = drawn()
    assert warned(y_true, y_score) == []
    (words,) = warned(y_true, y_score > 0.6)
    assert words.startswith("Column 'score' holds decisions, 0 or 1")
    (words,) = warned(y_true, 100 * y_score)
    assert "not probabilities" in words
    words = " ".join(warned(np.arange(200) % 100 == 3, np.random.default_rng(1).random(200)))
    assert "One class has only 2 rows" in words


def test_scores_upside_down_are_told_where_chance_does_not_explain_them(warned):
    y_true, y_score = drawn()
    counts = sweep(y_true, 1 - y_score).counts
    area, (low, high) = classification.roc_auc(counts), classification.roc_auc_interval(counts)
    words = f"upside down (area under the ROC curve {area:.3f}, 95% interval {low:.3f} to {high:.3f})"
    assert words in " ".join(warned(y_true, 1 - y_score))
    assert "curve 0.000)" in " ".join(warned([1, 1, 0, 0, 0], [0.1, 0.2, 0.3, 0.4, 0.5]))
    rng, areas = np.random.default_rng(0), []
    for _ in range(5):
        y_true, y_score = rng.random(200) < 0.5, rng.random(200)
        areas.append(classification.roc_auc(sweep(y_true, y_score).counts))
        assert "upside" not in " ".join(warned(y_true, y_score))
    assert min(areas) < 0.5


def test_ties_and_few_false_positives_at_the_best_threshold_are_told(warned):
    y_true, y_score = drawn()
    swept = sweep(y_true, coarse := np.round(y_score * 4) / 4)
    best = int(np.nanargmax(classification.fbeta(swept.counts)))
    flagged = swept.counts.tp + swept.counts.fp
    (words,) = warned(y_true, coarse)
    assert words.startswith(f"{flagged[best] - flagged[best - 1]} rows tie at {swept.thresholds[best]:g}")
    assert words.endswith(f"more than {flagged[best - 1]} and fewer than {flagged[best]:,} rows.")
    y_true, y_score = drawn(apart=8.0)
    swept = sweep(y_true, y_score)
    false_positives = swept.counts.fp[np.nanargmax(classification.fbeta(swept.counts))]
    (words,) = warned(y_true, y_score)
    assert f"only {false_positives} false positive" in words


@pytest.mark.parametrize(("rows", "told"), [(6, True), (1, False)])
def test_rows_that_repeat_a_user_are_told(write, rows, told):
    read = read_scores(write(written(lambda y, s, i: f"u{i // rows}", "{y}", "{s}", head="User ID,label,score")))
    words = "Column 'User ID' has 17 different values in the first 100 rows"
    assert any(warning.startswith(words) for warning in read.warnings) == told


# --- Parquet and large files -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """The same 100,000 rows as CSV and as Parquet; scores of three digits, of 32 bits, and of all digits."""
    folder = tmp_path_factory.mktemp("large")
    rng = np.random.default_rng(1)
    y_true = rng.random(100_000) < 0.1
    y_score = rng.normal(y_true.astype(float), 1)
    rows = zip(y_true.tolist(), y_score.round(3).tolist(), y_score.tolist(), strict=True)
    text = "\n".join(["verdict,short,whole", *(f"{'bad' if y else 'good'},{a!r},{b!r}" for y, a, b in rows)])
    (folder / "a.csv").write_text(text)
    read = f"SELECT verdict, short, short::FLOAT AS float32, whole FROM read_csv('{folder / 'a.csv'}')"
    duckdb.execute(f"COPY ({read}) TO '{folder / 'a.parquet'}'")
    return folder, y_true, {"short": y_score.round(3), "whole": y_score, "float32": y_score.round(3)}


@pytest.mark.parametrize(
    ("name", "score"),
    [("a.csv", "short"), ("a.csv", "whole"), ("a.parquet", "short"), ("a.parquet", "float32"), ("a.parquet", "whole")],
)
@pytest.mark.parametrize("rows", [10_000, 1_000_000], ids=["large", "not large"])
def test_however_a_file_is_read_the_counts_are_the_same(large, monkeypatch, name, score, rows):
    monkeypatch.setattr(reading, "LARGE", rows)
    folder, y_true, y_scores = large
    read = read_scores(folder / name, label="verdict", score=score, positive="bad")
    is_grouped = rows == 10_000 and score != "whole"
    assert (read.weights is not None) == is_grouped
    assert read.n_rows == 100_000
    expected, swept = sweep(y_true, y_scores[score]), read.sweep()
    np.testing.assert_array_equal(swept.thresholds, expected.thresholds)
    assert swept.counts == expected.counts
    assert classification.roc_auc_interval(swept.counts) == classification.roc_auc_interval(expected.counts)
    assert sweep(*read.rows()).counts == expected.counts
    if is_grouped:
        assert read.weights.sum() == 100_000
        assert read.weights.size < 20_000
        assert f"as {read.weights.size:,} entries" in read.summary[0]
    else:
        np.testing.assert_array_equal(read.y_score, y_scores[score])


def test_without_labels_a_large_file_is_grouped_too(large, monkeypatch):
    monkeypatch.setattr(reading, "LARGE", 10_000)
    folder, _, y_scores = large
    read = read_unlabeled(folder / "a.parquet", score="short")
    assert read.weights.size == np.unique(y_scores["short"]).size
    np.testing.assert_array_equal(np.sort(read.rows()), np.sort(y_scores["short"]))


@pytest.fixture
def parquet(tmp_path):
    def parquet(columns, rows=9, name="a.parquet"):
        duckdb.execute(f"COPY (SELECT {columns} FROM range({rows}) r(i)) TO '{tmp_path / name}'")
        return tmp_path / name

    return parquet


def test_without_duckdb_parquet_names_the_extra(large, monkeypatch):
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(ValueError, match=r'is Parquet, which DuckDB reads: pip install "evalteach\[scale\]"'):
        read_scores(large[0] / "a.parquet")


def test_a_name_that_looks_like_a_pattern_is_read_as_a_name(parquet):
    parquet("i % 2 AS label, 5 * i + i % 3 AS score", name="scores1.parquet")
    read = read_scores(parquet("i % 2 AS label, 7 * i + i % 3 AS score", name="scores[1].parquet"))
    assert read.y_score.max() == 58


@pytest.mark.parametrize(("score", "first"), [("Score", 0.7), ('"p"', 0.1)])
def test_names_of_parquet_are_its_own(tmp_path, score, first):
    columns = {"label": [0, 1, 0], "Score": [0.7, 0.8, 0.9], "a": [1, 1, 2], "score": [0.2, 0.3, 0.4]}
    columns['"p"'] = [0.1, 0, 0]
    table = pyarrow.table([*columns.values(), [5, 6, 7]], names=[*columns, "a"])
    pyarrow.parquet.write_table(table, path := tmp_path / "a.parquet")
    assert read_scores(path, label="label", score=score).y_score[0] == first
    with pytest.raises(ValueError, match="score='Score' or score='score',"):
        read_scores(path)
    with pytest.raises(ValueError, match="has 2 columns called 'a'"):
        read_scores(path, score="a")


def test_parquet_leaves_out_missing_scores_by_row_refuses_dates_and_keeps_long_integers_apart(parquet):
    odd = f"{2**60} + i % 2 AS y"
    path = parquet(f"{odd}, CASE WHEN i <> 3 THEN i / 7 END AS p, DATE '2024-01-01' AS d, 1e307 * i AS e")
    read = read_scores(path, score="p", positive=2**60 + 1)
    assert read.y_score.tolist() == [i / 7 for i in range(9) if i != 3]
    assert read.y_true.tolist() == [i % 2 == 1 for i in range(9) if i != 3]
    assert "(row 4)" in read.warnings[0]
    with pytest.raises(ValueError, match=r"holds dates, such as '2024-01-01', in 9 rows"):
        read_scores(path, score="d")
    with pytest.raises(ValueError, match=r"numbers that are too large, such as '1e\+307', in 8 rows \(rows 2, 3"):
        read_scores(path, score="e")


# --- limits ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "read"),
    [("70:120", (70, 120)), ("95", (95, 95)), (95, (95, 95)), ((70, 120), (70, 120)), ("1e2:2e2", (100, 200))],
)
def test_limits_are_read(text, read):
    assert read_interval(text) == read


@pytest.mark.parametrize(
    ("text", "why"),
    [
        *((text, "a number or low:high, such as 70:120, got ") for text in ("", "70-120", "1:2:3", "70:", (), None)),
        *(("0", "above 0"), ("-5", "above 0"), ("nan", "above 0"), ("1:inf", "finite"), ("9:3", "smaller")),
    ],
)
def test_what_are_no_limits_is_refused(text, why):
    with pytest.raises(ValueError, match=rf"^CLASS_SIZE must be .*{why}"):
        read_interval(text, "CLASS_SIZE")
