"""Files of labels and scores as people have them: odd ones that are read as they are meant, and broken ones."""

import gzip

import numpy as np

SCORED = [("0", "0.1"), ("1", "0.8"), ("0", "0.3"), ("1", "0.35"), ("0", "0.2")] * 20
Y_TRUE, Y_SCORE = np.array([y == "1" for y, _ in SCORED]), np.array([float(s) for _, s in SCORED])
NAMED = {"label": "label", "score": "score"}


def lines(*changed, head="label,score", rows=SCORED, apart=","):
    """A file of 100 rows; ``changed`` are (line, its new text)."""
    text = [head, *(apart.join(row) for row in rows)]
    for line, new in changed:
        text[line - 1] = new
    return "\n".join(text) + "\n"


def written(*fields, head="label,score", apart=","):
    """A file whose rows are made of label, score and position by functions, or by format strings of these."""
    makers = [
        field if callable(field) else lambda y, s, i, field=field: field.format(y=y, s=s, i=i) for field in fields
    ]
    return lines(head=head, rows=[[make(y, s, i) for make in makers] for i, (y, s) in enumerate(SCORED)], apart=apart)


def labeled(positive, negative):
    return written(lambda y, s, i: positive if y == "1" else negative, "{s}")


def comma(y, s, i):
    return s.replace(".", ",")


def percent(y, s, i):
    return f"{100 * float(s):g}%"


MEANT = {  # what is odd: the file, what is asked for, and words of the summary or a warning
    "plain": (lines(), {}, "separated by commas"),
    "a mark of UTF-8": (b"\xef\xbb\xbf" + lines().encode(), {}, ""),
    "UTF-16": (lines().encode("utf-16"), {}, "read as UTF-16"),
    "UTF-16 of the other order": (b"\xfe\xff" + lines().encode("utf-16-be"), {}, "read as UTF-16"),
    "Windows-1252": (written("{y}", "{s}", "Zoë", head="label,score,who").encode("cp1252"), {}, "Windows-1252"),
    "no Windows-1252": (
        written("{y}", "{s}", "\x81", head="label,score,who").encode("latin-1"),
        {},
        "Western European",
    ),
    "gzip": (gzip.compress(lines().encode()), {}, "unpacked with gzip"),
    "gzip of UTF-16": (gzip.compress(lines().encode("utf-16")), {}, "with gzip. Its text was read as UTF-16"),
    "semicolons": (lines(head="label;score", apart=";"), {}, "separated by semicolons"),
    "tabs": (lines(head="label\tscore", apart="\t"), {}, "separated by tabs"),
    "bars": (lines(head="label|score", apart="|"), {}, "separated by bars"),
    "blanks": (lines(head="  label  score", apart="   "), {}, "separated by blanks"),
    "Excel's line of the separator": ("sep=;\n" + lines(head="label;score", apart=";"), {}, "first line"),
    "a comma in a name": (lines(head='"label";"score, raw"', apart=";"), {}, ""),
    "a line end in a name": (lines(head='"label","score\nraw"'), {}, ""),
    "Windows' ends of lines": (lines().replace("\n", "\r\n"), {}, ""),
    "ends of lines of two kinds": (lines().replace("1,0.8\n", "1,0.8\r\n"), {}, ""),
    "no last end of line": (lines().rstrip(), {}, ""),
    "empty lines": ("\n" + lines() + "\n\n", {}, ""),
    "lines of commas and blanks": (lines((2, ",\n0,0.1")) + ",\n,,,\n \n , \n", {}, "100 rows"),
    "commas at the ends of lines": (lines().replace("\n", ",,\n").replace("score,,", "score"), {}, ""),
    "quotes": (written('"{y}"', '"{s}"'), {}, ""),
    "blanks before quotes": (written('"{y}"', ' "{s}"'), {}, ""),
    "blanks around": (written(" {y} ", " {s} "), {}, ""),
    "an index": (written("{i}", "{y}", "{s}", head=",label,score"), {}, ""),
    "a table of R": (written(lambda y, s, i: f'"{i + 1}"', "{y}", "{s}", head='"label" "score"', apart=" "), {}, ""),
    "names of rows": (written("row {i}", "{y}", comma, head="label;score", apart=";"), {}, "one name short"),
    "decimal commas": (written("{y}", comma, head="label;score", apart=";"), {}, "commas: '0,1' was read as 0.1"),
    "decimal commas in quotes": (written("{y}", '"{s}"').replace("0.", "0,"), {}, "with decimal commas"),
    "decimal commas in labels": (written("{y},0", comma, head="label;score", apart=";"), {}, "with decimal commas"),
    "percent signs": (written("{y}", percent), {}, "as percentages: '10%' was read as 0.1"),
    "percent signs after blanks and commas": (
        *(written("{y}", percent, head="label;score", apart=";").replace("%", " %").replace(";10 ", ";10,0 "), {}),
        "as percentages with decimal commas",
    ),
    "doubled names that are not used": (written("{y}", "{s}", "x", "y", head="label,score,a,a"), {}, ""),
    "names in another case": (lines(), {"label": "Label", "score": "SCORE"}, "column 'label'"),
    "a name in both cases": (written("{y}", "{s}", "7", head="label,score,Score"), {"score": "score"}, ""),
    "ids and text": (written("{i}", "ann {i}", "{y}", "{s}", head="mail_id,who,y,prob"), {}, "chosen by its name"),
    "names of no meaning": (lines(head="a,b"), {}, "since it has two values"),
    "the score first": (written("{s}", "{y}", head="p,y"), {}, ""),
    "decisions beside scores": (written("{y}", "{i}.5", "{y}", "{s}", head="label,amount,pred,prob_fraud"), {}, ""),
    "a constant beside scores": (written("{y}", "1", "{s}", head="label,y_pred,y_prob"), {}, ""),
    "another column of two values": (
        *(written(lambda y, s, i: "yes" if y == "0" else "no", "{y}", "{s}", head="is_test,label,score"), {}),
        "column 'label' (chosen by its name)",
    ),
    "labels in three ways": (lines((2, "0.0,0.1"), (3, "1.0,0.8"), (4, "0.,0.3")), {}, ""),
    "words": (labeled("Yes", "no"), {}, "'Yes' is positive in 40 rows, and 'no' is negative in 60, which is 1.5"),
    "signs": (labeled("1", "-1"), {}, ""),
    "plus and minus": (labeled("+", "-"), {}, ""),
    "a named label": (labeled("fraud", "clean"), {"positive": "FRAUD"}, ""),
    "labels that could be totals": (labeled("mean", "all"), {"positive": "mean"}, ""),
    "long codes": (labeled(f"{2**60 + 1}", f"{2**60}"), {"positive": 2**60 + 1}, f"'{2**60}' is negative"),
    "three labels": (
        *(written(lambda y, s, i: "1" if y == "1" else "ab"[i % 2], "{s}"), {"positive": 1}),
        "the other 2 labels ('a', 'b') are negative in 60",
    ),
    "named columns": (
        *(written("{s}", "{y}", "{y}", "{s}", head="target,y,score,p"), {"label": "y", "score": "p", "positive": 1}),
        "column 'p', from 0.1",
    ),
    "a missing label": (lines() + ",0.5\n", {}, "1 row of 101 is left out, since column 'label' is missing there"),
    "a last column that is empty": (written("{y}", "{s}", "", head="label,score,note"), {}, ""),
    "rows that nobody labeled": (
        *(lines() + "None,0.5\n\n?,0.7\n-,0.2\nUnknown,1\n", {}),
        "4 rows of 104 are left out, since column 'label' is missing or '-' or '?' or 'None' or 'Unknown' there (lines "
        "102, 104, 105, 106)",
    ),
    "missing scores": (
        *(lines() + '1,\n0,NaN\n"1",n/a\n', {}),
        "3 rows of 103 are left out, since column 'score' is missing there (lines 102, 103, 104)",
    ),
}

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


def third(y, s, i):
    return "abc"[i % 3]


BROKEN = {  # what the file is: its content, what is asked for, and words of the sentence
    "empty": (b"", {}, "is empty. Write a line of names"),
    "blank": (b"\xef\xbb\xbf\n\n", {}, "is empty"),
    "an Excel workbook": (b"PK\x03\x04\x14", {}, "is an Excel workbook or a zip archive, not a table in text. Save it"),
    "an old Excel workbook": (b"\xd0\xcf\x11\xe0", {}, "is an old Excel workbook"),
    "gzip cut off": (gzip.compress(lines().encode())[:-9], {}, "is damaged or cut off. Compress or copy it again"),
    "binary": (b"label,score\n\0\1\2", {}, "is binary"),
    "UTF-16 cut off": (lines().encode("utf-16")[:-1], {}, "is cut off or damaged"),
    "JSON": (b'[{"label": 1, "score": 0.5}]', {}, "is JSON, not a table"),
    "Parquet cut off": (b"PAR1 and no more", {}, "is Parquet that is cut off, damaged or encrypted. Write it again"),
    "Parquet of no sense": (b"PAR1" + b"\0" * 40 + b"PAR1", {}, "is Parquet that is cut off, damaged or encrypted."),
    "encrypted Parquet": (b"PARE" + b"\0" * 40 + b"PARE", {}, "is Parquet that is cut off, damaged or encrypted."),
    "without a line of names": (lines(head="0,0.1"), {}, "line 1 of scores.csv holds '0', so it is data. Name the col"),
    "a first line of percents": (lines(head="label,9.3 %"), {}, "holds '9.3 %', so it is data"),
    "empty names": (lines(head=","), {}, "line 2 of scores.csv holds '0', so it is data. Name the columns"),
    "names only": ("label,score\n", {}, "has names, but no row below them. Add one line per row"),
    "one column": ("score\n.5\n.6\n", {}, "has one column, 'score'. Labels and scores need one each"),
    "two columns of one name": (lines(head="score,score"), {}, "has 2 columns called 'score'. Rename one"),
    "a name twice": (written("{y}", "{s}", "1", head="label,score,score"), {"score": "score"}, "has 2 columns called"),
    "a name in two cases": (written("{y}", "{s}", "1", head="label,Score,SCORE"), {"score": "score"}, "has 2 columns"),
    "an unknown label column": (lines(), {"label": "y"}, "'y' is no column of scores.csv. It has 'label', 'score'"),
    "an unknown score column": (lines(), {"score": "p"}, "'p' is no column of scores.csv. It has 'label', 'score'"),
    "one column for both": (lines(), {"label": "score", "score": "score"}, "are both 'score'. Name two columns of"),
    "two labels": (written("{y}", "{y}", "{s}", head="y,target,score"), {}, "Name it, as label='y' or label='target'"),
    "three classes beside a flag": (
        *(written(third, third, "{y}", "{s}", head="y,target,is_new,score"), {}),
        "as label='y' or label='target'",
    ),
    "probabilities of both classes": (
        *(written("{y}", "{s}", "{s}1", head="label,prob_0,prob_1"), {}),
        "score. Name it, as score='prob_0' or score='prob_1', whichever is high for the positive class",
    ),
    "six columns that may be the score": (
        *(written("{y}", "{s}1", "{s}2", "{s}3", "{s}4", "{s}5", "{s}6", head="label,a,b,c,d,e,f"), {}),
        "score='a' or score='b' or score='c' or score='d' or score='e' ...",
    ),
    "no label": (written("{s}1", "{s}2", "{s}", head="a,b,score"), {}, "label. Name it, as label='a' or label='b'"),
    "decisions called scores beside others": (
        *(written("{y}", lambda y, s, i: str(i % 2), "{s}", head="label,score,model_7"), {}),
        "as score='model_7' or score='score'",
    ),
    "missing labels only": (written("", "{s}"), NAMED, "'label' of scores.csv is missing in all"),
    "missing scores only": (written("{y}", ""), NAMED, "'score' of scores.csv is missing in all"),
    "one class": (written("0", "{s}"), {}, "is '0' in all 100 rows. Rows of both classes"),
    "one class and rows that nobody labeled": (
        *(labeled("fraud", "None"), {"positive": "fraud"}),
        "is 'fraud' in all 40 rows. Rows of 'None' were taken as unlabeled: write another word if they are negative",
    ),
    "labels that differ in case": (labeled("M", "m"), {}, "'M' and 'm' in all 100 rows. These differ in upper and lo"),
    "three labels": (
        lines((3, "2,0.8"), (6, "2,0.8")),
        {},
        "3 labels, '0' in 59, '1' in 39, '2' in 2 rows. Name the po",
    ),
    "seven labels": (written(lambda y, s, i: f"{i % 7}", "{s}"), {}, "'5' in 14, ... rows"),
    "words of which none is positive": (labeled("fraud", "ok"), {}, "as positive='fraud' or positive='ok'"),
    "words of which the rarer comes last": (labeled("spam", "ham"), {}, "as positive='spam' or positive='ham'"),
    "a positive label that is not there": (lines(), {"positive": "fraud"}, "'fraud' does not occur in column 'label'"),
    "swapped columns": (
        *(written("{y}", lambda y, s, i: f"{0.1 + i / 1000}", head="score,label"), NAMED),
        "Label and score seem to be swapped: label='score', score='label'",
    ),
    "long labels": (labeled("a" * 41, "b"), {}, f"'{'a' * 37}...' in 40"),
    "more labels than anybody names": (
        *("label,score\n" + "".join(f"n{i},0.{i}\n" for i in range(10_001)), NAMED),
        "holds more than 10,000 labels, such as 'n0'. Name another",
    ),
    "a row of totals": (lines() + "Total,35.0\n", {}, "'Total' (line 102), which looks like a row of totals. Delete"),
    "percent signs in some rows": (lines((3, "1,80%")), {}, "not written as the others are, such as '80%', in 1 row"),
    "percent signs in most rows": (
        *(written("{y}", lambda y, s, i: s if s == "0.1" else percent(y, s, i)), {}),
        "not written as the others are, such as '0.1', in 20 rows",
    ),
    "decimal commas in some rows": (lines((3, '1,"0,8"')), {}, "not written as the others are, such as '0,8', in 1"),
    "thousands separators in some rows": (
        *(lines((3, '1,"1,234.5"'), (4, '0,"2,000"')), {}),
        "not written as the others are, such as '1,234.5', in 2 rows (lines 3, 4). Write them in one way",
    ),
    "commas of both meanings": (
        *(written("{y}", lambda y, s, i: f'"{s[2]},{s[2]}00"'), NAMED),
        "may be a decimal comma or stand betw",
    ),
    "decimal commas between commas": (
        *(written("{y}", comma), {}),
        "has 2 columns, but not in 100 rows (lines 2, 3, 4, 5, 6, ...): the first has 3. Put quotes around what holds "
        "a ',', and write decimal points or semicolons",
    ),
    "decimal commas before commas": (
        written("{i},5", "{y}", head="score,label"),
        {},
        "has 2 columns, but not in 100 r",
    ),
    "dates": (written("{y}", lambda y, s, i: f"2024-01-{s[2]}1"), NAMED, "holds dates, such as '2024-01-11', in 100 r"),
    "text among the scores": (
        *(lines((4, "0,high"), (5, "1,#DIV/0!"), (6, "0,7%")), {}),
        "holds text, such as '#DIV/0!', in 2 rows (lines 4, 5), and other things that are no scores in 1 row",
    ),
    "a version": (lines((4, "0,1.2.3")), {}, "not written as the others are, such as '1.2.3', in 1 row (line 4)"),
    "a spreadsheet formula": (lines((4, "0,=1+1")), {}, "holds text, such as '=1+1', in 1 row (line 4)"),
    "text below an empty line": (lines((3, '1,"0.8"\n'), (4, "0,x")), {}, "such as 'x', in 1 row (line 5)"),
    "a number too large": (lines((4, "0,1e400")), {}, "numbers that are too large"),
    "a number that no picture can show": (lines((4, "0,-1e308")), {}, "numbers that are too large"),
    "infinity only": (written("{y}", lambda y, s, i: "-inf" if s == "0.1" else "inf"), NAMED, "is inf in all rows"),
    "constant scores": (written("{y}", "0.5"), {}, "is 0.5 in all rows, so no threshold separates them"),
    "labels twice": (written("{y}", "{y}"), {}, "repeats column 'label' in all rows"),
    "ids for scores": (
        *(written("{y}", lambda y, s, i: str(7001 + i), head="label,mail"), {}),
        "counts rows, from 7001 to 7100, as ids do",
    ),
    "a title above the names": ("Scores of May\n" + lines(), {}, "Delete what stands above the line of names"),
    "a row that is too short": (lines((5, "0")), {}, "but not in 1 row (line 5): the first has 1"),
    "a row too short far down": (lines(rows=SCORED * 600) + "1\n", {}, "but not in 1 row (line 60,002)"),
    "a row too long far down": (lines(rows=SCORED * 600) + "1,0.5,2\n", {}, "but not in 1 row (line 60,002): the fi"),
    "a quote that is not closed": (lines((5, '0,"0.5')), {}, "has a quote in a wrong place"),
    "a quote not closed far down": (lines(rows=SCORED * 600) + '1,"0.5\n', {}, "has a quote in a wrong place"),
    "a quote in the line of names": (lines(head='"label,score'), {}, "has a quote in a wrong place"),
    "a field that is too long": (lines((5, "0," + "5" * 140_000)), {}, "line 5 of scores.csv has a field of more than"),
}
