"""Files of scores: what is read, what is refused, and what the reader is told."""

import errno
import gzip
import os
import re
import sys

import duckdb
import numpy as np
import pyarrow.parquet
import pytest
from sklearn import metrics

from evalteach import _tables, classification, files
from evalteach.counts import sweep
from evalteach.files import read_interval, read_scores, read_unlabeled

SCORED = [("0", "0.1"), ("1", "0.8"), ("0", "0.3"), ("1", "0.35"), ("0", "0.2")] * 20
Y_TRUE, Y_SCORE = np.array([y == "1" for y, _ in SCORED]), np.array([float(s) for _, s in SCORED])
NAMED = {"label": "label", "score": "score"}


def lines(*changed, head="label,score", rows=SCORED, apart=","):
    """A file of 100 rows; ``changed`` are (line, its new text)."""
    text = [head, *(apart.join(row) for row in rows)]
    for line, new in changed:
        text[line - 1] = new
    return "\n".join(text) + "\n"


def scored(write, head="label,score", apart=","):
    """A file in which each score is written as ``write`` says."""
    return lines(head=head, rows=[(y, write(s)) for y, s in SCORED], apart=apart)


def labeled(positive, negative, **more):
    return lines(rows=[(positive if y == "1" else negative, s) for y, s in SCORED], **more)


def comma(text):
    return text.replace(".", ",")


def percent(text, blank=""):
    return f"{100 * float(text):g}{blank}%"


@pytest.fixture
def write(tmp_path):
    """Write a file, text or bytes; its path."""

    def write(content, name="scores.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


# --- what is read ----------------------------------------------------------------------------------------

MEANT = {  # what is odd: the file, what is asked for, and words of the summary or a warning
    "plain": (lines(), {}, "separated by commas"),
    "a mark of UTF-8": (b"\xef\xbb\xbf" + lines().encode(), {}, ""),
    "UTF-16": (lines().encode("utf-16"), {}, ""),
    "UTF-16 of the other order": (b"\xfe\xff" + lines().encode("utf-16-be"), {}, ""),
    "Windows-1252 in another column": (
        lines(head="label,score,who", rows=[(*row, "Zoë") for row in SCORED]).encode("cp1252"),
        {},
        "Windows-1252",
    ),
    "bytes that are no Windows-1252": (
        lines(head="label,score,who", rows=[(*row, "\x81") for row in SCORED]).encode("latin-1"),
        {},
        "Western European",
    ),
    "gzip": (gzip.compress(lines().encode()), {}, ""),
    "gzip of UTF-16": (gzip.compress(lines().encode("utf-16")), {}, ""),
    "semicolons": (lines(head="label;score", apart=";"), {}, "separated by semicolons"),
    "tabs": (lines(head="label\tscore", apart="\t"), {}, "separated by tabs"),
    "bars": (lines(head="label|score", apart="|"), {}, "separated by bars"),
    "blanks": (lines(head="  label  score", apart="   "), {}, "separated by blanks"),
    "Excel's line of the separator": ("sep=;\n" + lines(head="label;score", apart=";"), {}, "first line"),
    "a comma in a name": (lines(head='"label";"score, raw"', apart=";"), {}, ""),
    "Windows' ends of lines": (lines().replace("\n", "\r\n"), {}, ""),
    "no last end of line": (lines().rstrip(), {}, ""),
    "empty lines": ("\n" + lines() + "\n\n", {}, ""),
    "lines of commas and blanks at the end": (lines() + ",\n,,,\n \n , \n", {}, "100 rows"),
    "commas at the ends of lines": (lines(apart=",").replace("\n", ",,\n").replace("score,,", "score"), {}, ""),
    "quotes": (lines(rows=[(f'"{y}"', f'"{s}"') for y, s in SCORED]), {}, ""),
    "blanks before quotes": (lines(rows=[(f'"{y}"', f' "{s}"') for y, s in SCORED]), {}, ""),
    "blanks around": (lines(rows=[(f" {y} ", f" {s} ") for y, s in SCORED]), {}, ""),
    "an index": (lines(head=",label,score", rows=[(str(i), *row) for i, row in enumerate(SCORED)]), {}, ""),
    "a table of R": (
        lines(head='"label" "score"', rows=[(f'"{i}"', *row) for i, row in enumerate(SCORED, 1)], apart=" "),
        {},
        "one name short",
    ),
    "a table of R with names of rows": (
        lines(head="label;score", rows=[(f"row {i}", y, comma(s)) for i, (y, s) in enumerate(SCORED)], apart=";"),
        {},
        "one name short",
    ),
    "decimal commas": (scored(comma, "label;score", ";"), {}, "with decimal commas: '0,1' was read as 0.1"),
    "decimal commas in quotes": (scored(lambda s: f'"{comma(s)}"'), {}, "with decimal commas"),
    "decimal commas in labels": (
        lines(head="label;score", rows=[(y + ",0", comma(s)) for y, s in SCORED], apart=";"),
        {},
        "with decimal commas",
    ),
    "percent signs": (scored(percent), {}, "as percentages: '10%' was read as 0.1"),
    "percent signs after blanks and commas": (
        scored(lambda s: comma(percent(s, " ")) if s != "0.1" else "10,0 %", "label;score", ";"),
        {},
        "as percentages with decimal commas",
    ),
    "doubled names that are not used": (lines(head="label,score,a,a", rows=[(*r, "x", "y") for r in SCORED]), {}, ""),
    "names in another case": (lines(), {"label": "Label", "score": "SCORE"}, "column 'label'"),
    "a name in both cases": (
        lines(head="label,score,Score", rows=[(y, s, "7") for y, s in SCORED]),
        {"score": "score"},
        "",
    ),
    "ids and text": (
        lines(head="mail_id,who,y,prob", rows=[(str(i), f"ann {i}", *row) for i, row in enumerate(SCORED)]),
        {},
        "chosen by its name",
    ),
    "names of no meaning": (lines(head="a,b"), {}, "since it has two values"),
    "the score first": (lines(head="p,y", rows=[(s, y) for y, s in SCORED]), {}, ""),
    "decisions beside scores of a class": (
        lines(
            head="label,amount,pred,prob_fraud", rows=[(y, f"{i * 7 % 90}.5", y, s) for i, (y, s) in enumerate(SCORED)]
        ),
        {},
        "column 'prob_fraud'",
    ),
    "decisions beside scores": (lines(head="label,y_pred,y_prob", rows=[(y, "1", s) for y, s in SCORED]), {}, ""),
    "another column of two values": (
        lines(head="is_test,label,score", rows=[("no" if y == "1" else "yes", y, s) for y, s in SCORED]),
        {},
        "column 'label' (chosen by its name)",
    ),
    "floats as labels": (lines(rows=[(y + ".0", s) for y, s in SCORED]), {}, ""),
    "labels in two ways": (lines((2, "0.0,0.1"), (3, "1.0,0.8")), {}, ""),
    "words": (labeled("Yes", "no"), {}, "'Yes' is positive in 40 rows, and 'no' is negative in 60, which is 1.5"),
    "signs": (labeled("1", "-1"), {}, ""),
    "plus and minus": (labeled("+", "-"), {}, ""),
    "a named label": (labeled("fraud", "clean"), {"positive": "FRAUD"}, ""),
    "labels that could be totals": (labeled("mean", "all"), {"positive": "mean"}, ""),
    "long codes": (labeled(f"{2**60 + 1}", f"{2**60}"), {"positive": 2**60 + 1}, f"'{2**60}' is negative"),
    "three labels": (
        lines(rows=[("1" if y == "1" else "ab"[i % 2], s) for i, (y, s) in enumerate(SCORED)]),
        {"positive": 1},
        "the other 2 labels ('a', 'b') are negative in 60",
    ),
    "named columns": (
        lines(head="target,y,score,p", rows=[(s, y, y, s) for y, s in SCORED]),
        {"label": "y", "score": "p", "positive": 1},
        "column 'p', from 0.1",
    ),
    "a missing label": (lines() + ",0.5\n", {}, "1 row of 101 is left out, since column 'label' is missing there"),
    "rows that nobody labeled": (
        lines() + "None,0.5\n?,0.7\n-,0.2\nUnknown,1\n",
        {},
        "4 rows of 104 are left out, since column 'label' is missing or '-' or '?' or 'None' or 'Unknown' there (l",
    ),
    "missing scores": (
        lines() + "1,\n0,NaN\n1,n/a\n",
        {},
        "3 rows of 103 are left out, since column 'score' is missing there (lines 102, 103, 104)",
    ),
}


@pytest.mark.parametrize("name", MEANT)
def test_an_odd_file_is_read_as_it_is_meant(write, name):
    content, asked, words = MEANT[name]
    read = read_scores(write(content), **asked)
    np.testing.assert_array_equal(read.y_true, Y_TRUE)
    np.testing.assert_array_equal(read.y_score, Y_SCORE)
    assert words in " ".join([*read.summary, *read.warnings])


@pytest.mark.parametrize("name", ["decimal commas", "percent signs", "three labels", "missing scores", "a table of R"])
def test_numbers_of_an_odd_file_are_those_of_scikit_learn(write, name):
    content, asked, _ = MEANT[name]
    counts = (swept := read_scores(write(content), **asked).sweep()).counts
    flagged = Y_SCORE >= 0.35
    assert classification.precision(swept.at(0.35)) == metrics.precision_score(Y_TRUE, flagged)
    assert classification.recall(swept.at(0.35)) == metrics.recall_score(Y_TRUE, flagged)
    assert classification.roc_auc(counts) == pytest.approx(metrics.roc_auc_score(Y_TRUE, Y_SCORE))
    assert classification.average_precision(counts) == pytest.approx(metrics.average_precision_score(Y_TRUE, Y_SCORE))


WRITTEN = {  # how scores are written: three texts, and the numbers
    "commas between thousands": (['"1,234.5"', '"2,000"', '"12,345,678"'], [1234.5, 2000, 12345678]),
    "points between thousands": (["1.234,5", "-2.000,25", "3.000.000"], [1234.5, -2000.25, 3e6]),
    "blanks between thousands": (["1 234,5", "2\u00a0000", "3\u202f000"], [1234.5, 2000, 3000]),
    "apostrophes between thousands": (["1'234.5", "2’000", "3'000"], [1234.5, 2000, 3000]),
    "exponents": (["1e-3", "2E5", "+.5"], [0.001, 2e5, 0.5]),
    "exponents after decimal commas": (["1,5e-3", "2,5E5", "0,25"], [0.0015, 2.5e5, 0.25]),
    "infinity": (["inf", "-Infinity", "0.5"], [np.inf, -np.inf, 0.5]),
    "three digits after the point": (["1.234", "2.345", "3.456"], [1.234, 2.345, 3.456]),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_numbers_are_read_as_they_are_written(write, name):
    texts, numbers = WRITTEN[name]
    apart = "," if '"' in texts[0] else ";"
    rows = [(str(i % 2), texts[i % 3]) for i in range(12)]
    read = read_scores(write(lines(head=f"label{apart}score", rows=rows, apart=apart)))
    np.testing.assert_array_equal(read.y_score, numbers * 4)


def test_infinite_scores_are_ordered_and_the_reader_is_told(write):
    read = read_scores(write(lines((3, "1,inf"), (4, "0,-inf"))))
    assert "from 0.1 to 0.8, and 2 infinite scores" in read.summary[-1]
    assert any("histograms cannot show them" in warning for warning in read.warnings)
    assert read.sweep().at(np.inf).tp == 1


def test_ids_are_scores_if_the_reader_says_so(write):
    rows = [(y, str(i)) for i, (y, _) in enumerate(SCORED)]
    read = read_scores(write(lines(head="label,mail", rows=rows)), label="label", score="mail")
    assert read.y_score.tolist() == list(range(100))


def test_a_row_of_many_columns_is_read_at_once(write):
    names = [f"a{i}" for i in range(20_000)]
    rows = [(y, s, *["x"] * 20_000) for y, s in SCORED[:5]]
    read = read_scores(write(lines(head=",".join(["label", "score", *names]), rows=rows)))
    assert read.n_rows == 5


def test_rows_without_labels_need_one_column(write):
    read = read_unlabeled(write("score\n0.5\n0.25\n\n0.5\n"))
    assert read.y_score.tolist() == [0.5, 0.25, 0.5]
    assert (read.n_rows, read.score, read.weights) == (3, "score", None)
    assert "No label was read." in read.summary


def test_rows_without_labels_are_left_out_where_the_score_is_missing(write):
    read = read_unlabeled(write("id,score\n1,0.5\n2,\n3,0.7\n"))
    assert read.y_score.tolist() == [0.5, 0.7]
    assert "1 row of 3 is left out" in read.warnings[0]
    assert "(line 3)" in read.warnings[0]


# --- what is refused -------------------------------------------------------------------------------------

BROKEN = {  # what the file is: its content, what is asked for, and words of the sentence
    "empty": (b"", {}, "is empty. Write a line of names"),
    "blank": (b"\xef\xbb\xbf\n\n", {}, "is empty"),
    "an Excel workbook": (b"PK\x03\x04\x14", {}, "is an Excel workbook or a zip archive, not a table in text. Save it"),
    "an old Excel workbook": (b"\xd0\xcf\x11\xe0", {}, "is an old Excel workbook"),
    "gzip cut off": (gzip.compress(lines().encode())[:-9], {}, "is damaged or cut off. Compress or copy it again"),
    "binary": (b"label,score\n\0\1\2", {}, "is binary"),
    "UTF-16 cut off": (lines().encode("utf-16")[:-1], {}, "is cut off or damaged"),
    "JSON": (b'[{"label": 1, "score": 0.5}]', {}, "is JSON, not a table"),
    "Parquet cut off": (b"PAR1 and no more", {}, "is Parquet that is cut off. Copy or write it again"),
    "Parquet of no sense": (b"PAR1" + b"\0" * 40 + b"PAR1", {}, "is Parquet that cannot be read. Write it again"),
    "encrypted Parquet": (b"PARE" + b"\0" * 40 + b"PARE", {}, "is encrypted Parquet. Write it again without"),
    "without a line of names": (lines(head="0,0.1"), {}, "line 1 of scores.csv holds '0', so it is data. Name the col"),
    "a first line of percents": (lines(head="label,9.3 %"), {}, "holds '9.3 %', so it is data"),
    "empty names": (lines(head=","), {}, "line 1 of scores.csv holds no names"),
    "names only": ("label,score\n", {}, "has names, but no row below them. Add one line per row"),
    "one column": ("score\n.5\n.6\n", {}, "has one column, 'score'. Labels and scores need one each"),
    "two columns of one name": (lines(head="score,score"), {}, "has 2 columns called 'score'. Rename one"),
    "a name twice": (
        lines(head="label,score,score", rows=[(*row, "1") for row in SCORED]),
        {"score": "score"},
        "has 2 columns called 'score'",
    ),
    "a name in two other cases": (
        lines(head="label,Score,SCORE", rows=[(*row, "1") for row in SCORED]),
        {"score": "score"},
        "has 2 columns called 'score'",
    ),
    "an unknown label column": (lines(), {"label": "y"}, "'y' is no column of scores.csv. It has 'label', 'score'"),
    "an unknown score column": (lines(), {"score": "p"}, "'p' is no column of scores.csv. It has 'label', 'score'"),
    "one column for both": (lines(), {"label": "score", "score": "score"}, "are both 'score'. Name two columns of"),
    "two columns that may be the label": (
        lines(head="y,target,score", rows=[(y, y, s) for y, s in SCORED]),
        {},
        "label. Name it, as label='y' or label='target'",
    ),
    "three classes beside a flag": (
        lines(head="y,target,is_new,score", rows=[("abc"[i % 3], "abc"[i % 3], *r) for i, r in enumerate(SCORED)]),
        {},
        "as label='y' or label='target'",
    ),
    "probabilities of both classes": (
        lines(head="label,prob_0,prob_1", rows=[(y, s, s + "1") for y, s in SCORED]),
        {},
        "score. Name it, as score='prob_0' or score='prob_1', whichever is high for the positive class",
    ),
    "six columns that may be the score": (
        lines(head="label,a,b,c,d,e,f", rows=[(y, *(s + digit for digit in "123456")) for y, s in SCORED]),
        {},
        "score='a' or score='b' or score='c' or score='d' or score='e' ...",
    ),
    "no column that may be the label": (
        lines(head="a,b,score", rows=[(s + "1", s + "2", s) for _, s in SCORED]),
        {},
        "label. Name it, as label='a' or label='b'",
    ),
    "decisions called scores beside others": (
        lines(head="label,score,model_7", rows=[(y, str(i % 2), s) for i, (y, s) in enumerate(SCORED)]),
        {},
        "as score='model_7' or score='score'",
    ),
    "missing labels only": (lines(rows=[("", s) for _, s in SCORED]), NAMED, "'label' of scores.csv is missing in all"),
    "missing scores only": (lines(rows=[(y, "") for y, _ in SCORED]), NAMED, "'score' of scores.csv is missing in all"),
    "one class": (lines(rows=[("0", s) for _, s in SCORED]), {}, "is '0' in all 100 rows. Rows of both classes"),
    "one class and rows that nobody labeled": (
        labeled("fraud", "None"),
        {"positive": "fraud"},
        "is 'fraud' in all 40 rows. Rows of 'None' were taken as unlabeled: write another word if they are negative",
    ),
    "labels that differ in case": (
        labeled("M", "m"),
        {},
        "is 'M' and 'm' in all 100 rows. These differ in upper and lower case only",
    ),
    "three labels and no word on them": (
        lines((3, "2,0.8"), (6, "2,0.8")),
        {},
        "holds 3 labels, '0' in 59, '1' in 39, '2' in 2 rows. Name the positive one with positive=",
    ),
    "seven labels": (lines(rows=[(str(i % 7), s) for i, (_, s) in enumerate(SCORED)]), {}, "'5' in 14, ... rows"),
    "words of which none is positive": (labeled("fraud", "ok"), {}, "as positive='fraud' or positive='ok'"),
    "words of which the rarer comes last": (labeled("spam", "ham"), {}, "as positive='spam' or positive='ham'"),
    "a positive label that is not there": (lines(), {"positive": "fraud"}, "'fraud' does not occur in column 'label'"),
    "swapped columns": (
        lines(head="score,label", rows=[(y, f"{0.1 + i / 1000}") for i, (y, _) in enumerate(SCORED)]),
        NAMED,
        "Label and score seem to be swapped: label='score', score='label'",
    ),
    "long labels": (labeled("a" * 41, "b"), {}, f"'{'a' * 37}...' in 40"),
    "a row of totals": (lines() + "Total,35.0\n", {}, "'Total' (line 102), which looks like a row of totals. Delete"),
    "percent signs in some rows": (lines((3, "1,80%")), {}, "not written as the others are, such as '80%', in 1 row"),
    "percent signs in most rows": (
        scored(lambda s: s if s == "0.1" else percent(s)),
        {},
        "not written as the others are, such as '0.1', in 20 rows",
    ),
    "decimal commas in some rows": (lines((3, '1,"0,8"')), {}, "not written as the others are, such as '0,8', in 1"),
    "thousands separators in some rows": (
        lines((3, '1,"1,234.5"'), (4, '0,"2,000"')),
        {},
        "not written as the others are, such as '1,234.5', in 2 rows (lines 3, 4). Write them in one way",
    ),
    "commas of both meanings": (scored(lambda s: f'"{s[2]},{s[2]}00"'), NAMED, "may be a decimal comma or stand betw"),
    "decimal commas between commas": (
        scored(comma),
        {},
        "has 2 columns, but not in 100 rows (lines 2, 3, 4, 5, 6, ...): the first has 3. Put quotes around what holds "
        "a ',', and write decimal points or semicolons",
    ),
    "decimal commas before commas": (
        lines(head="score,label", rows=[(f"{i},5", y) for i, (y, _) in enumerate(SCORED)]),
        {},
        "has 2 columns, but not in 100 rows",
    ),
    "dates": (scored(lambda s: f"2024-01-{s[2]}1"), NAMED, "holds dates, such as '2024-01-11', in 100 rows"),
    "text among the scores": (
        lines((4, "0,high"), (5, "1,#DIV/0!"), (6, "0,7%")),
        {},
        "holds text, such as '#DIV/0!', in 2 rows (lines 4, 5), and other things that are no scores in 1 row",
    ),
    "a spreadsheet formula": (lines((4, "0,=1+1")), {}, "holds text, such as '=1+1', in 1 row (line 4)"),
    "a number too large": (lines((4, "0,1e400")), {}, "numbers that are too large"),
    "a number that no picture can show": (lines((4, "0,-1e308")), {}, "numbers that are too large"),
    "infinity only": (scored(lambda s: "-inf" if s == "0.1" else "inf"), NAMED, "is inf in all rows"),
    "constant scores": (scored(lambda _: "0.5"), {}, "is 0.5 in all rows, so no threshold separates them"),
    "labels twice": (lines(rows=[(y, y) for y, _ in SCORED]), {}, "repeats column 'label' in all rows"),
    "ids for scores": (
        lines(head="label,mail", rows=[(y, str(7001 + i)) for i, (y, _) in enumerate(SCORED)]),
        {},
        "counts rows, from 7001 to 7100, as ids do",
    ),
    "a row that is too short": (lines((5, "0")), {}, "but not in 1 row (line 5): the first has 1"),
    "a row that is too short below the sample": (
        lines(rows=SCORED * 110) + "1\n",
        {},
        "but not in 1 row (line 11,002)",
    ),
    "a quote that is not closed": (lines((5, '0,"0.5')), {}, "has a quote in a wrong place"),
    "a quote in the line of names": (lines(head='"label,score'), {}, "has a quote in a wrong place"),
    "a field that is too long": (lines((5, "0," + "5" * 140_000)), {}, "line 5 of scores.csv has a field of more than"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_is_refused_with_a_sentence(write, name):
    content, asked, words = BROKEN[name]
    path = write(content)
    before = path.read_bytes()
    with pytest.raises(ValueError) as caught:
        read_scores(path, **asked)
    assert words in str(caught.value)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("nothing.csv", "is not there"),
        (".", "is a folder. Name a file"),
        ("n" * 300, "cannot be read: File name too long"),
        ("loop", "cannot be read: Too many levels of symbolic links"),
        ("pipe", "is a pipe or a device"),
        ("/dev/null", "is a pipe or a device"),
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")
def test_what_is_no_file_is_refused(tmp_path, name, words):
    (tmp_path / "loop").symlink_to("loop")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ValueError, match=words):
        read_scores(tmp_path / name)


def test_a_file_that_may_not_be_read_is_refused(write, monkeypatch):
    def denied(*_):
        raise PermissionError(errno.EACCES, "Permission denied")

    path = write(lines())
    monkeypatch.setattr(_tables, "open", denied, raising=False)
    with pytest.raises(ValueError, match=rf"^{path} cannot be read: Permission denied"):
        read_scores(path)


def test_more_labels_than_anybody_names_are_refused_early(write, monkeypatch):
    monkeypatch.setattr(files, "SAMPLE", 30)
    path = write(lines(rows=[(f"n{i}", s) for i, (_, s) in enumerate(SCORED)]))
    with pytest.raises(ValueError, match=r"holds more than 30 labels, such as 'n0'\. Name another"):
        read_scores(path, **NAMED)


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
    monkeypatch.setattr(files, "SAMPLE", 3)
    assert files._are_ids(np.array(numbers, float)) is are


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
    counts = sweep(y_true, 1 - y_score).counts
    area, (low, high) = classification.roc_auc(counts), classification.roc_auc_interval(counts)
    told = " ".join(warned(write, y_true, (1 - y_score).tolist()))
    assert f"upside down (area under the ROC curve {area:.3f}, 95% interval {low:.3f} to {high:.3f})" in told


def test_scores_that_know_nothing_are_not_called_upside_down(write):
    rng = np.random.default_rng(0)
    areas = []
    for _ in range(5):
        y_true, y_score = rng.random(200) < 0.5, rng.random(200)
        areas.append(classification.roc_auc(sweep(y_true, y_score).counts))
        assert "upside" not in " ".join(warned(write, y_true, y_score.tolist()))
    assert min(areas) < 0.5


def test_a_perfect_order_upside_down_is_told(write):
    assert "curve 0.000)" in " ".join(warned(write, [1, 1, 0, 0, 0], [0.1, 0.2, 0.3, 0.4, 0.5]))


def test_decisions_are_told(write):
    y_true, y_score = drawn()
    (told,) = warned(write, y_true, (y_score > 0.6).astype(int).tolist())
    assert told.startswith("Column 'score' holds decisions, 0 or 1")


def test_ties_at_the_best_threshold_are_told(write):
    y_true, y_score = drawn()
    coarse = np.round(y_score * 4) / 4
    swept = sweep(y_true, coarse)
    best = int(np.nanargmax(classification.fbeta(swept.counts)))
    flagged = swept.counts.tp + swept.counts.fp
    (told,) = warned(write, y_true, coarse.tolist())
    assert told.startswith(f"{flagged[best] - flagged[best - 1]} rows tie at {swept.thresholds[best]:g}")
    assert told.endswith(f"more than {flagged[best - 1]} and fewer than {flagged[best]:,} rows.")


def test_few_false_positives_are_told(write):
    y_true, y_score = drawn(apart=8.0)
    (told,) = warned(write, y_true, y_score.tolist())
    assert re.match(r"At 0\.\d+, where F1 is best, there (is|are) only \d false positives?:", told)


def test_a_class_of_few_rows_is_told(write):
    told = warned(write, np.arange(200) % 100 == 3, np.random.default_rng(1).random(200).tolist())
    assert any(warning.startswith("One class has only 2 rows") for warning in told)


def test_scores_beyond_one_are_no_probabilities(write):
    y_true, y_score = drawn()
    (told,) = warned(write, y_true, (100 * y_score).tolist())
    assert "not probabilities" in told


@pytest.mark.parametrize(("rows", "told"), [(6, True), (1, False)])
def test_rows_that_repeat_a_user_are_told(write, rows, told):
    of_users = [(f"u{i // rows}", *row) for i, row in enumerate(SCORED)]
    read = read_scores(write(lines(head="User ID,label,score", rows=of_users)))
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
    monkeypatch.setattr(files, "LARGE", rows)
    folder, y_true, scores = large
    read = read_scores(folder / name, label="verdict", score=score, positive="bad")
    grouped = rows == 10_000 and score != "whole"
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
        assert f"as {read.weights.size:,} entries" in read.summary[0]
    else:
        np.testing.assert_array_equal(read.y_score, scores[score])


def test_without_labels_a_large_file_is_grouped_too(large, monkeypatch):
    monkeypatch.setattr(files, "LARGE", 10_000)
    folder, _, scores = large
    read = read_unlabeled(folder / "a.parquet", score="short")
    assert read.weights.size == np.unique(scores["short"]).size
    np.testing.assert_array_equal(np.sort(read.rows()), np.sort(scores["short"]))


@pytest.fixture
def parquet(tmp_path):
    def parquet(columns, rows=9, name="a.parquet"):
        duckdb.execute(f"COPY (SELECT {columns} FROM range({rows}) r(i)) TO '{tmp_path / name}'")
        return tmp_path / name

    return parquet


def test_without_duckdb_parquet_names_the_extra_and_csv_needs_none(large, monkeypatch):
    monkeypatch.setattr(files, "LARGE", 10)
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(ValueError, match=r'is Parquet, which DuckDB reads: pip install "evalteach\[scale\]"'):
        read_scores(large[0] / "a.parquet")
    assert read_scores(large[0] / "a.csv", score="short", positive="bad").n_rows == 100_000


def test_a_name_that_looks_like_a_pattern_is_read_as_a_name(parquet):
    parquet("i % 2 AS label, 5 * i + i % 3 AS score", name="scores1.parquet")
    read = read_scores(parquet("i % 2 AS label, 7 * i + i % 3 AS score", name="scores[1].parquet"))
    assert read.y_score.max() == 58


def test_names_of_parquet_are_quoted_and_doubled_ones_found(parquet):
    path = parquet('i % 2 AS "the ""label""", i / 7 AS "its ""score"""')
    read = read_scores(path, label='the "label"', score='its "score"')
    assert read.y_score.tolist() == [i / 7 for i in range(9)]
    assert read.y_true.tolist() == [i % 2 == 1 for i in range(9)]


@pytest.mark.parametrize(("score", "first"), [("Score", 0.7), ("p", 0.1)])
def test_names_of_parquet_are_its_own(tmp_path, score, first):
    columns = {"label": [0, 1, 0], "Score": [0.7, 0.8, 0.9], "a": [1, 1, 2], "score": [0.2, 0.3, 0.4], "p": [0.1, 0, 0]}
    table = pyarrow.table([*columns.values(), [5, 6, 7]], names=[*columns, "a"])
    pyarrow.parquet.write_table(table, path := tmp_path / "a.parquet")
    assert read_scores(path, label="label", score=score).y_score[0] == first
    with pytest.raises(ValueError, match="score='Score' or score='score',"):
        read_scores(path)
    with pytest.raises(ValueError, match="has 2 columns called 'a'"):
        read_scores(path, score="a")


def test_parquet_leaves_out_missing_scores_by_row_and_refuses_dates(parquet):
    path = parquet("i % 2 = 1 AS y, CASE WHEN i <> 3 THEN i / 7 END AS p, DATE '2024-01-01' AS d")
    read = read_scores(path, score="p")
    assert read.y_score.tolist() == [i / 7 for i in range(9) if i != 3]
    assert "(row 4)" in read.warnings[0]
    with pytest.raises(ValueError, match=r"holds dates, such as '2024-01-01', in 9 rows"):
        read_scores(path, score="d")


def test_long_integers_of_parquet_stay_apart(parquet):
    read = read_scores(parquet(f"{2**60} + i % 2 AS label, i / 7 AS score"), positive=2**60 + 1)
    assert read.y_true.tolist() == [i % 2 == 1 for i in range(9)]


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
