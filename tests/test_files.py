"""Files of scores: what is read, what is refused, and in which words."""

import errno
import gzip
import re
import sys

import duckdb
import numpy as np
import pytest

from evalteach import classification, files
from evalteach.counts import sweep
from evalteach.files import read_interval, read_scores, read_unlabeled

SCORED = [("0", "0.1"), ("1", "0.8"), ("0", "0.3"), ("1", "0.35"), ("0", "0.2")] * 20


def lines(*changed, head="label,score", rows=SCORED, apart=","):
    """A file of 100 rows; ``changed`` are (line, its new text)."""
    text = [head, *(apart.join(row) for row in rows)]
    for line, new in changed:
        text[line - 1] = new
    return "\n".join(text) + "\n"


def scored(*scores):
    return lines(rows=[(str(i % 2), scores[i % len(scores)]) for i in range(100)])


@pytest.fixture
def write(tmp_path):
    """Write a file, text or bytes; its path."""

    def write(content, name="scores.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


# --- what is refused -------------------------------------------------------------------------------------

OTHER = "keep two of them, or write a column that says whether a row is positive"
AS_CSV = "save it as CSV (UTF-8), with a line of names and one line a row"
BROKEN = {  # what the file is: its content, what is asked for, and what is told
    "empty": (b"", {}, "scores.csv is empty; a line of names and one line a row are needed"),
    "blank": (b"\xef\xbb\xbf\n\n", {}, "scores.csv is empty; a line of names and one line a row are needed"),
    "an Excel workbook": (
        b"PK\x03\x04\x14",
        {},
        f"scores.csv is an Excel workbook or a zip archive, not a table in text; {AS_CSV}",
    ),
    "an old Excel workbook": (
        b"\xd0\xcf\x11\xe0",
        {},
        f"scores.csv is an old Excel workbook, not a table in text; {AS_CSV}",
    ),
    "gzip": (
        gzip.compress(b"label,score\n", mtime=0),
        {},
        f"scores.csv is compressed by gzip, not a table in text; {AS_CSV}",
    ),
    "binary": (b"label,score\n\0\1\2", {}, f"scores.csv is binary, not a table in text; {AS_CSV}"),
    "JSON": (b'[{"label": 1, "score": 0.5}]', {}, f"scores.csv is JSON, not a table in text; {AS_CSV}"),
    "UTF-16": (lines().encode("utf-16"), {}, f"scores.csv is UTF-16 text, not a table in text; {AS_CSV}"),
    "cp1252": (
        lines((7, "übel,0.8")).encode("cp1252"),
        {},
        f"line 7 of scores.csv is not UTF-8 text, perhaps Windows' own; {AS_CSV}",
    ),
    "a Parquet file cut off": (b"PAR1 and no more", {}, "scores.csv cannot be read: "),
    "without a line of names": (
        lines(head="0,0.1"),
        {},
        "line 1 of scores.csv holds '0', so it is data; let the first line name the columns: label,score",
    ),
    "with Excel's separator line": (
        "sep=;\n" + lines(apart=";", head="label;score"),
        {},
        "line 1 of scores.csv holds no names; let the first line name the columns: label,score",
    ),
    "names only": ("label,score\n", {}, "scores.csv has names and no row below them; scores are needed"),
    "one column": (
        "score\n.5\n.6\n",
        {},
        "scores.csv has one column, 'score'; labels and scores are needed, with a comma between them",
    ),
    "two columns of one name": (
        lines(head="score,score"),
        {},
        "scores.csv has several columns with the name 'score'; give each its own",
    ),
    "an unknown label column": (
        lines(),
        {"label": "y"},
        "label='y' is no column of scores.csv, which has 'label', 'score'",
    ),
    "an unknown score column": (
        lines(),
        {"score": "p"},
        "score='p' is no column of scores.csv, which has 'label', 'score'",
    ),
    "one column for both": (
        lines(),
        {"label": "score", "score": "score"},
        "label and score are both 'score'; name two columns of 'label', 'score'",
    ),
    "two columns that may be the label": (
        lines(head="y,target,score", rows=[(y, y, s) for y, s in SCORED]),
        {},
        "which column of scores.csv is the label? it could be 'y', 'target'; name it, as label='y'",
    ),
    "two columns that may be the score": (
        lines(head="label,a,b", rows=[(y, s, s + "1") for y, s in SCORED]),
        {},
        "which column of scores.csv is the score? it could be 'a', 'b'; name it, as score='a'",
    ),
    "no column that may be the label": (
        lines(head="a,b,score", rows=[(s + "1", s + "2", s) for _, s in SCORED]),
        {},
        "which column of scores.csv is the label? it has 'a', 'b', 'score'; name it, as label='a'",
    ),
    "missing labels": (
        lines((4, ",0.3"), (9, "NA,0.3")),
        {},
        "column 'label' of scores.csv is missing in 2 of 100 rows (lines 4, 9); fill in these labels, or drop the rows",
    ),
    "missing scores": (
        lines(*((line, "0,nan") for line in range(5, 12))),
        {},
        "column 'score' of scores.csv holds missing values, in 7 rows (lines 5, 6, 7, 8, 9, ...); fill in "
        "these scores, "
        "or drop the rows",
    ),
    "three labels": (
        lines((3, "2,0.8"), (6, "2,0.8")),
        {},
        f"column 'label' of scores.csv holds 3 labels, '0' in 59, '1' in 39, '2' in 2 rows; {OTHER}",
    ),
    "a label for each row": (
        lines(head="label,score", rows=[(f"n{i}", s) for i, (_, s) in enumerate(SCORED)]),
        {},
        "column 'label' of scores.csv holds 100 labels, 'n0' in 1, 'n1' in 1, 'n10' in 1, 'n11' in 1, 'n12' in 1, "
        f"'n13' in 1, ... rows; {OTHER}",
    ),
    "one class": (
        lines(rows=[("0", score) for _, score in SCORED]),
        {},
        "column 'label' of scores.csv is '0' in all 100 rows; rows of both classes are needed",
    ),
    "words of which none is positive": (
        lines(rows=[("fraud" if y == "1" else "ok", s) for y, s in SCORED]),
        {},
        "column 'label' of scores.csv holds 'fraud' in 40, 'ok' in 60 rows; which is positive? Name it, as "
        "positive='fraud'",
    ),
    "a positive label that is not there": (
        lines(),
        {"positive": "fraud"},
        "positive='fraud' does not occur in column 'label' of scores.csv, which holds '0' in 60, '1' in 40 rows",
    ),
    "swapped columns": (
        lines(head="score,label", rows=[(y, f"{0.1 + i / 1000}") for i, (y, _) in enumerate(SCORED)]),
        {},
        "column 'label' of scores.csv holds 100 labels, ",
    ),
    "a row of totals": (
        lines() + "Total,35.0\n",
        {},
        "column 'label' of scores.csv holds 'Total' (line 102), a row of totals; delete it",
    ),
    "percent text": (
        scored("93 %", "5%", "12.5 %"),
        {},
        "column 'score' of scores.csv holds percent text, such as '12.5 %', in 100 rows (lines 2, 3, 4, 5, 6, "
        "...); write 0.93 "
        "or 93 for 93 %",
    ),
    "dates": (
        scored("2024-01-31", "2024-02-01", "2024-02-02 10:00"),
        {},
        "column 'score' of scores.csv holds dates, such as '2024-01-31', in 100 rows (lines 2, 3, 4, 5, 6, "
        "...); name the "
        "column of scores with score=",
    ),
    "decimal commas": (
        lines(
            head="label;score", apart=";", rows=[(y, s.replace(".", ",") + "00"[: 2 * (y == "1")]) for y, s in SCORED]
        ),
        {},
        "column 'score' of scores.csv holds decimal commas, such as '0,1', in 100 rows (lines 2, 3, 4, 5, 6, "
        "...); write 0.93 for 0,93, as pandas.read_csv(FILE, sep=';', decimal=',').to_csv(NEW) does",
    ),
    "decimal commas between commas": (
        lines(rows=[(y, s.replace(".", ",")) for y, s in SCORED]),
        {},
        "scores.csv has 2 columns, but not in 100 rows (lines 2, 3, 4, 5, 6, ...): the first has 3; what "
        "holds a ',' needs "
        "quotes",
    ),
    "thousands separators": (
        lines((3, '1,"1,234.5"'), (4, '0,"2,000"')),
        {},
        "column 'score' of scores.csv holds thousands separators, such as '1,234.5', in 2 rows (lines 3, 4); "
        "write 1234.5",
    ),
    "text among the scores": (
        lines((4, "0,high"), (5, "1,#DIV/0!"), (6, "0,")),
        {},
        "column 'score' of scores.csv holds text, such as '#DIV/0!', in 2 rows (lines 4, 5); scores must be numbers, "
        "and score= names their column; in 1 more rows other things",
    ),
    "a spreadsheet formula": (
        lines((4, "0,=1+1")),
        {},
        "column 'score' of scores.csv holds text, such as '=1+1', in 1 row (line 4); scores must be numbers, "
        "and score= names "
        "their column",
    ),
    "infinite scores": (
        lines((4, "0,inf"), (8, "0,-Infinity")),
        {},
        "column 'score' of scores.csv holds infinity, such as '-Infinity', in 2 rows (lines 4, 8); write a finite "
        "number, or drop "
        "the rows",
    ),
    "constant scores": (
        lines(rows=[(y, "0.5") for y, _ in SCORED]),
        {},
        "column 'score' of scores.csv is 0.5 in all rows; no threshold tells them apart: name another, with score=",
    ),
    "labels twice": (
        lines(rows=[(y, y) for y, _ in SCORED]),
        {},
        "column 'score' of scores.csv repeats column 'label' in all rows; name the column of scores, with score=",
    ),
    "decisions called scores beside others": (
        lines(head="label,score,model_7", rows=[(y, str(i % 2), s) for i, (y, s) in enumerate(SCORED)]),
        {},
        "which column of scores.csv is the score? it could be 'model_7', 'score'; name it, as score='model_7'",
    ),
    "ids for scores": (
        lines(head="label,mail", rows=[(y, str(7001 + i)) for i, (y, _) in enumerate(SCORED)]),
        {},
        "column 'mail' of scores.csv counts rows, from 7001 to 7100, as ids do; name the column of scores, as "
        "score='mail' if "
        "it is this one",
    ),
    "a row that is too short": (
        lines((5, "0")),
        {},
        "scores.csv has 2 columns, but not in 1 row (line 5): the first has 1; what holds a ',' needs quotes",
    ),
    "a quote that is not closed": (
        lines((5, '0,"0.5')),
        {},
        "line 101 of scores.csv has a quote in a wrong place: unexpected end of data",
    ),
}


# DuckDB has its own words for rows of another length; the others are no large files
SMALL = {"names only", "decimal commas between commas", "a row that is too short", "a quote that is not closed"}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_is_refused_with_a_sentence(write, name):
    content, asked, told = BROKEN[name]
    path = write(content)
    before = path.read_bytes()
    with pytest.raises(ValueError) as caught:
        read_scores(path, **asked)
    said = str(caught.value)
    assert said.startswith(told) if told.endswith((": ", ", ")) else said == told
    assert path.read_bytes() == before


@pytest.mark.parametrize("name", [name for name in BROKEN if name not in SMALL])
def test_a_large_broken_file_is_refused_with_the_same_sentence(write, monkeypatch, name):
    monkeypatch.setattr(files, "LARGE", 10)
    test_a_broken_file_is_refused_with_a_sentence(write, name)


def test_a_large_broken_table_is_told_by_line(write, monkeypatch):
    monkeypatch.setattr(files, "LARGE", 10)
    with pytest.raises(ValueError, match=r"^scores.csv cannot be read: .* CSV Error on Line: 5 .* Found: 1$"):
        read_scores(write(lines((5, "0"))))


@pytest.mark.parametrize(
    ("name", "told"), [("nothing.csv", "not there; check the name"), (".", "a folder; name a file")]
)
def test_what_is_no_file_is_refused(tmp_path, name, told):
    with pytest.raises(ValueError, match=rf"^{tmp_path / name} is {told}$"):
        read_scores(tmp_path / name)


# --- what is read ----------------------------------------------------------------------------------------

ODD = {  # what is odd: the file, what is asked for
    "a mark of the order of bytes": (b"\xef\xbb\xbf" + lines().encode(), {}),
    "semicolons": (lines(head="label;score", apart=";"), {}),
    "tabs": (lines(head="label\tscore", apart="\t"), {}),
    "bars": (lines(head="label|score", apart="|"), {}),
    "a comma in a name": (lines(head='"label";"score, raw"', apart=";"), {}),
    "Windows' ends of lines": (lines().replace("\n", "\r\n"), {}),
    "no last end of line": (lines().rstrip(), {}),
    "empty lines": (lines() + "\n\n", {}),
    "quotes": (lines(rows=[(f'"{y}"', f'"{s}"') for y, s in SCORED]), {}),
    "spaces": (lines(rows=[(f" {y} ", f" {s} ") for y, s in SCORED]), {}),
    "an index": (lines(head=",label,score", rows=[(str(i), *row) for i, row in enumerate(SCORED)]), {}),
    "ids and text": (
        lines(head="mail_id,who,y,prob", rows=[(str(i), f"ann {i}", *row) for i, row in enumerate(SCORED)]),
        {},
    ),
    "names of no meaning": (lines(head="a,b"), {}),
    "the score first": (lines(head="p,y", rows=[(s, y) for y, s in SCORED]), {}),
    "decisions beside scores of a class": (
        lines(
            head="label,amount,pred,prob_fraud", rows=[(y, f"{i * 7 % 90}.5", y, s) for i, (y, s) in enumerate(SCORED)]
        ),
        {},
    ),
    "decisions beside scores": (lines(head="label,y_pred,y_prob", rows=[(y, "1", s) for y, s in SCORED]), {}),
    "floats as labels": (lines(rows=[(y + ".0", s) for y, s in SCORED]), {}),
    "labels that could be totals": (
        lines(rows=[("mean" if y == "1" else "all", s) for y, s in SCORED]),
        {"positive": "mean"},
    ),
    "labels in two ways": (lines((2, "0.0,0.1"), (3, "1.0,0.8")), {}),
    "words": (lines(rows=[("Yes" if y == "1" else "no", s) for y, s in SCORED]), {}),
    "signs": (lines(rows=[("1" if y == "1" else "-1", s) for y, s in SCORED]), {}),
    "a named label": (lines(rows=[("fraud" if y == "1" else "none", s) for y, s in SCORED]), {"positive": "FRAUD"}),
    "named columns": (
        lines(head="target,y,score,p", rows=[(s, y, y, s) for y, s in SCORED]),
        {"label": "y", "score": "p", "positive": 1},
    ),
}


@pytest.mark.parametrize("large", [False, True], ids=["in memory", "by DuckDB"])
@pytest.mark.parametrize("name", ODD)
def test_an_odd_file_is_read_as_it_is_meant(write, monkeypatch, name, large):
    monkeypatch.setattr(files, "LARGE", 10 if large else 1000)
    content, asked = ODD[name]
    y_true, y_score = read_scores(write(content), **asked).rows()
    order = np.lexsort((y_score, y_true)) if large else slice(None)
    meant = np.array([(y == "1", float(s)) for y, s in SCORED])
    if large:
        meant = meant[np.lexsort((meant[:, 1], meant[:, 0]))]
    np.testing.assert_array_equal(np.c_[y_true, y_score][order], meant)


def test_three_sentences_say_what_was_understood(write):
    read = read_scores(write(lines(head="id;verdict;score", apart=";", rows=[("x", *row) for row in SCORED])))
    assert read.understood == (
        "scores.csv: 100 rows of 3 columns, separated by semicolons.",
        "The label is column 'verdict' (guessed): '1' is positive in 40 rows, '0' is negative in 60, 1.5 for each "
        "positive.",
        "The score is column 'score' (guessed), from 0.1 to 0.8, so they may be probabilities; high should mean "
        "positive.",
    )
    assert (read.label, read.score, read.positive, read.n_rows) == ("verdict", "score", "1", 100)


def test_what_was_named_is_not_told_as_guessed(write):
    read = read_scores(write(lines()), label="label", score="score")
    assert "guessed" not in "".join(read.understood)


def test_ids_are_scores_if_one_says_so(write):
    read = read_scores(
        write(lines(head="label,mail", rows=[(y, str(i)) for i, (y, _) in enumerate(SCORED)])),
        label="label",
        score="mail",
    )
    assert read.y_score.tolist() == list(range(100))


def test_rows_without_labels_need_one_column(write):
    read = read_unlabeled(write("score\n0.5\n0.25\n0.5\n"))
    assert read.y_score.tolist() == [0.5, 0.25, 0.5]
    assert (read.n_rows, read.score, read.weights) == (3, "score", None)
    assert read.understood[1] == "No label is read: its rows are unlabeled."


def test_rows_without_labels_are_refused_for_what_is_wrong_with_scores(write):
    with pytest.raises(ValueError, match=r"holds missing values, in 1 row \(line 3\)"):
        read_unlabeled(write("id,score\n1,0.5\n2,\n"))


# --- what is warned of -----------------------------------------------------------------------------------


def warned(write, y_true, y_score):
    text = "\n".join(["label,score", *(f"{int(y)},{s!r}" for y, s in zip(y_true, y_score, strict=True))])
    return list(read_scores(write(text)).warnings)


def drawn(rows=2000, apart=2.0):
    rng = np.random.default_rng(3)
    y_true = rng.random(rows) < 0.3
    return y_true, 1 / (1 + np.exp(-rng.normal(np.where(y_true, apart, 0), 1)))


def test_good_scores_bring_no_warning(write):
    y_true, y_score = drawn()
    assert warned(write, y_true, y_score.tolist()) == []


def test_scores_upside_down_are_told(write):
    y_true, y_score = drawn()
    told = [each for each in warned(write, y_true, (1 - y_score).tolist()) if "upside down" in each]
    counts = sweep(y_true, 1 - y_score).counts
    area, (low, high) = classification.roc_auc(counts), classification.roc_auc_interval(counts)
    assert told == [
        f"The scores are upside down (area under the ROC curve {area:.3f}, 95 % interval {low:.3f} to {high:.3f}): "
        "change their sign, or name the other label with positive=."
    ]


def test_scores_that_know_nothing_are_not_called_upside_down(write):
    rng = np.random.default_rng(0)
    areas = []
    for _ in range(5):
        y_true, y_score = rng.random(200) < 0.5, rng.random(200)
        areas.append(classification.roc_auc(sweep(y_true, y_score).counts))
        assert not any("upside" in each for each in warned(write, y_true, y_score.tolist()))
    assert min(areas) < 0.5


def test_a_perfect_order_upside_down_is_told(write):
    assert any("curve 0.000)" in each for each in warned(write, [1, 1, 0, 0, 0], [0.1, 0.2, 0.3, 0.4, 0.5]))


def test_decisions_are_told(write):
    y_true, y_score = drawn()
    told = warned(write, y_true, (y_score > 0.6).astype(int).tolist())
    assert told == ["Column 'score' holds decisions, 0 or 1, not scores: one threshold and no curve."]


def test_ties_at_the_cut_are_told(write):
    y_true, y_score = drawn()
    coarse = np.round(y_score * 4) / 4
    swept = sweep(y_true, coarse)
    best = int(np.nanargmax(classification.fbeta(swept.counts)))
    flagged = swept.counts.tp + swept.counts.fp
    assert warned(write, y_true, coarse.tolist()) == [
        f"{flagged[best] - flagged[best - 1]} rows tie at {swept.thresholds[best]:g}, where F1 is best: no threshold "
        f"flags more than {flagged[best - 1]} and fewer than {flagged[best]:,} rows."
    ]


def test_few_false_positives_are_told(write):
    y_true, y_score = drawn(apart=8.0)
    (told,) = warned(write, y_true, y_score.tolist())
    assert re.match(r"Few false positives, \d, at 0\.\d+, where F1 is best: look at the interval", told)


def test_a_class_of_few_rows_is_told(write):
    y_true = np.arange(200) % 100 == 3
    told = warned(write, y_true, np.random.default_rng(1).random(200).tolist())
    assert "One class has 2 rows only: whatever is said of it is unsure." in told


def test_scores_beyond_one_are_no_probabilities(write):
    y_true, y_score = drawn()
    told = warned(write, y_true, (100 * y_score).tolist())
    assert [each.split(",")[0] for each in told] == ["The scores are no probabilities"]


# --- large files -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """The same 100,000 rows as CSV and as Parquet; scores of three digits, and of all."""
    folder = tmp_path_factory.mktemp("large")
    rng = np.random.default_rng(1)
    y_true = rng.random(100_000) < 0.1
    y_score = rng.normal(y_true.astype(float), 1)
    rows = zip(y_true.tolist(), y_score.round(3).tolist(), y_score.tolist(), strict=True)
    text = "\n".join(["verdict,short,whole", *(f"{'bad' if y else 'good'},{a!r},{b!r}" for y, a, b in rows)])
    (folder / "a.csv").write_text(text)
    query = f"COPY (SELECT * FROM read_csv('{folder / 'a.csv'}')) TO '{folder / 'a.parquet'}'"
    duckdb.execute(query)
    return folder, y_true, {"short": y_score.round(3), "whole": y_score}


@pytest.mark.parametrize("score", ["short", "whole"])
@pytest.mark.parametrize("name", ["a.csv", "a.parquet"])
@pytest.mark.parametrize("rows", [10_000, 1_000_000], ids=["large", "not large"])
def test_however_a_file_is_read_the_counts_are_the_same(large, monkeypatch, name, score, rows):
    monkeypatch.setattr(files, "LARGE", rows)
    folder, y_true, scores = large
    read = read_scores(folder / name, label="verdict", score=score, positive="bad")
    grouped = rows == 10_000 and score == "short"
    assert (read.weights is not None) == grouped
    assert read.n_rows == 100_000
    expected, found = sweep(y_true, scores[score]), read.sweep()
    np.testing.assert_array_equal(found.thresholds, expected.thresholds)
    assert found.counts == expected.counts
    assert classification.roc_auc_interval(found.counts) == classification.roc_auc_interval(expected.counts)
    assert sweep(*read.rows()).counts == expected.counts
    if grouped:
        assert read.weights.sum() == 100_000
        assert read.weights.size < 20_000
        assert f"read by DuckDB, {read.weights.size:,} of them different." in read.understood[0]


def test_without_labels_a_large_file_is_grouped_too(large, monkeypatch):
    monkeypatch.setattr(files, "LARGE", 10_000)
    folder, _, scores = large
    read = read_unlabeled(folder / "a.parquet", score="short")
    assert read.weights.size == np.unique(scores["short"]).size
    np.testing.assert_array_equal(np.sort(read.rows()), np.sort(scores["short"]))


@pytest.mark.parametrize(("name", "why"), [("a.csv", "has more than 10 rows"), ("a.parquet", "is Parquet")])
def test_without_duckdb_a_sentence_names_the_extra(large, monkeypatch, name, why):
    monkeypatch.setattr(files, "LARGE", 10)
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(ValueError) as caught:
        read_scores(large[0] / name)
    assert str(caught.value) == f'{name} {why}, which DuckDB reads: pip install "evalteach[scale]"'


def test_a_name_that_looks_like_a_pattern_is_read_as_a_name(write, monkeypatch):
    monkeypatch.setattr(files, "LARGE", 10)
    write(lines((2, "0,0.11")), "scores1.csv")
    assert 0.11 not in read_scores(write(lines(), "scores[1].csv")).y_score


def test_parquet_of_dates_and_of_missing_scores_is_refused_by_row(tmp_path):
    path = tmp_path / "a.parquet"
    columns = "i % 2 = 1 AS y, CASE WHEN i <> 3 THEN i / 7 END AS p, DATE '2024-01-01' AS d"
    duckdb.execute(f"COPY (SELECT {columns} FROM range(9) r(i)) TO '{path}'")
    with pytest.raises(ValueError, match=r"^column 'p' of a.parquet holds missing values, in 1 row \(row 4\); fill in"):
        read_scores(path, score="p")
    with pytest.raises(ValueError, match=r"^column 'd' of a.parquet holds dates, such as '2024-01-01', in 9 rows"):
        read_scores(path, score="d")


# --- limits ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "read"),
    [("70:120", (70, 120)), ("95", (95, 95)), (95, (95, 95)), ((70, 120), (70, 120)), ("1e2:2e2", (100, 200))],
)
def test_limits_are_read(text, read):
    assert read_interval(text) == read


@pytest.mark.parametrize("text", ["", "many", "70-120", "1:2:3", "70:", (), None])
def test_what_are_no_limits_is_refused(text):
    with pytest.raises(ValueError, match=r"^class_size must be a number or low:high, such as 70:120, got "):
        read_interval(text)


@pytest.mark.parametrize(
    ("text", "why"), [("0", "above 0"), ("-5", "above 0"), ("nan", "above 0"), ("1:inf", "finite"), ("9:3", "smaller")]
)
def test_limits_out_of_reach_are_refused(text, why):
    with pytest.raises(ValueError, match=rf"^CLASS_SIZE must be .*{why}"):
        read_interval(text, "CLASS_SIZE")


@pytest.mark.parametrize("terminal", [True, False])
def test_a_terminal_shows_how_far_duckdb_has_come(terminal, tmp_path, monkeypatch):
    path = tmp_path / "scores.parquet"
    duckdb.sql("SELECT range % 2 AS label, range / 9 AS score FROM range(9)").write_parquet(str(path))
    monkeypatch.setattr("sys.stdout.isatty", lambda: terminal, raising=False)
    ask = "SELECT current_setting('enable_progress_bar')"
    [unasked] = duckdb.connect().execute(ask).fetchone()  # True where a notebook's shell lives
    assert files._Duck(path).base.execute(ask).fetchone() == (terminal or unasked,)


# --- every word that is told -----------------------------------------------------------------------------


def told_of(path, **asked):
    """All that is said of a file, in lines."""
    try:
        read = (read_unlabeled if path.name.startswith("new") else read_scores)(path, **asked)
    except ValueError as error:
        return [f"REFUSED: {error}"]
    return [*read.understood, *(f"Warning: {warning}" for warning in read.warnings)]


def test_what_is_said_of_files_is_as_recorded(write, monkeypatch, file_regression):
    named = {"label": "label", "score": "score"}
    long = "a very long label that nobody reads to the end of"
    spread = [(y, f"{float(s) + i / 5_000:.5f}") for i, (y, s) in enumerate(SCORED)]
    cases = {
        **{f"apart by {each!r}": (lines(head=f"label{each}score", apart=each), {}) for each in ",;\t|"},
        "scores upside down": (lines(rows=[(y, f"-{s}") for y, s in spread]), {}),
        "scores partly upside down": (lines(rows=[(y, s if i % 9 else "5") for i, (y, s) in enumerate(spread)]), {}),
        "scores nearly upside down": (lines(rows=[(y, "0.1" if y == "1" else s) for y, s in spread]), {}),
        "a class of one row": (lines(rows=[("1", "0.9"), *(("0", s) for _, s in spread[1:])]), {}),
        "a class of ten rows": (lines(rows=[("01"[i % 10 == 1], s) for i, (_, s) in enumerate(spread)]), {}),
        "decisions of no name": (lines(head="label,a", rows=[(y, y if s > "0.2" else "1") for y, s in SCORED]), {}),
        "ties": (lines(rows=[(y, "7" if s > "0.25" else s) for y, s in SCORED]), {}),
        "half of a column text": (
            lines(head="label,a,b", rows=[(y, s if i % 2 else "x", s) for i, (y, s) in enumerate(spread)]),
            {},
        ),
        "six columns that may be the score": (
            lines(head="label,a,b,c,d,e,f", rows=[(y, *(s + digit for digit in "123456")) for y, s in SCORED]),
            {},
        ),
        "twelve columns": (",".join("abcdefghijkl"), {"label": "y"}),
        "thirteen columns": (",".join("abcdefghijklm"), {"label": "y"}),
        "long labels": (lines(rows=[(long if y == "1" else long[:40], s) for y, s in SCORED]), {}),
        "six labels": (lines(rows=[(str(i % 6), s) for i, (_, s) in enumerate(SCORED)]), {}),
        "seven labels": (lines(rows=[(str(i % 7), s) for i, (_, s) in enumerate(SCORED)]), {}),
        "eleven numbers as labels": (lines(rows=[(str(i % 11), y) for i, (y, _) in enumerate(SCORED)]), named),
        "ten numbers as labels": (lines(rows=[(str(i % 10), y) for i, (y, _) in enumerate(SCORED)]), named),
        "a total": (lines((4, "Grand total,0.5"), (9, "fraud,0.3")), {}),
        "a first line of percent": (lines(head="label,93 %"), {}),
        "a first line of percents": (lines(head="label,9.3%"), {}),
        "no names": (lines(head=","), {}),
        "a quote in the line of names": (lines(head='"label,score'), {}),
        "five gaps": (lines(*((line, "0,") for line in range(3, 8))), {}),
        "six gaps": (lines(*((line, "0,") for line in range(3, 9))), {}),
        "gaps and more": (lines((3, "0,"), (5, "0,12%"), (6, "1,3 %"), (8, "0,a")), {}),
        "long text": (lines((3, f"0,{long}")), {}),
        "a score below 0": (lines((3, "1,-0.1")), {}),
        "unlabeled scores": ("id,score\nx,0.5\nx,2\ny,0.5\n" + "z,4\n" * 9, {}),
        "unlabeled decisions": ("score\n" + "0\n2\n0\n" * 4, {}),
    }
    told = []
    for name, (content, asked) in cases.items():
        path = write(content, "new.csv" if name.startswith("unlabeled") else "scores.csv")
        monkeypatch.setattr(files, "LARGE", 1_000)
        said = told_of(path, **asked)
        told += [f"{name}:", *(f"  {each}" for each in said)]
        if name in ("scores upside down", "ties", "a total", "unlabeled scores"):
            monkeypatch.setattr(files, "LARGE", 10)
            told += [f"  large: {each}" for each in told_of(path, **asked) if each not in said]
    file_regression.check("\n".join(told) + "\n", basename="said", extension=".txt", encoding="utf-8")


def test_a_file_that_may_not_be_read_is_refused(write, monkeypatch):
    def denied(*_):
        raise PermissionError(errno.EACCES, "Permission denied")

    path = write(lines())
    monkeypatch.setattr(files, "open", denied, raising=False)
    with pytest.raises(ValueError, match=rf"^{path} cannot be read: Permission denied$"):
        read_scores(path)


def test_a_large_file_of_many_labels_is_told_how_many_at_least(write, monkeypatch):
    monkeypatch.setattr(files, "LARGE", 10)
    monkeypatch.setattr(files, "SAMPLE", 30)
    path = write(lines(rows=[(f"n{i}", s) for i, (_, s) in enumerate(SCORED)]))
    with pytest.raises(ValueError, match=r"^column 'label' of scores.csv holds 30 or more labels, 'n"):
        read_scores(path, label="label", score="score")


def test_names_with_quotes_are_read_by_duckdb(tmp_path):
    path = tmp_path / "a.parquet"
    columns = 'i % 2 AS "the ""label""", i / 7 AS "its ""score"""'
    duckdb.execute(f"COPY (SELECT {columns} FROM range(9) r(i)) TO '{path}'")
    read = read_scores(path, label='the "label"', score='its "score"')
    assert read.y_score.tolist() == [i / 7 for i in range(9)]
    assert read.y_true.tolist() == [i % 2 == 1 for i in range(9)]


@pytest.mark.parametrize(
    ("numbers", "are"),
    [
        ([3, 4, 9, 20], True),
        ([3, 6, 4, 5], True),
        ([3, 6, 4, 7], False),
        ([3, 3, 4, 5], False),
        ([1, 2, 3, 4, 5.5], False),
        ([1.5, 2, 3, 4, 5], False),
    ],
)
def test_ids_are_whole_and_in_order_or_without_a_gap(monkeypatch, numbers, are):
    monkeypatch.setattr(files, "SAMPLE", 3)
    assert files._are_ids(np.array(numbers, float)) is are
