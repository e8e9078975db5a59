"""Tables in files: columns of CSV or Parquet, block by block, as they are written there."""

import csv
import gzip
import re
import stat
import tempfile
import zlib
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

import pandas as pd

from evalteach.command.wording import count, places

BLOCK = 200_000  # fields that are held as text at a time
SAMPLE = 10_000  # rows by which columns are chosen
AS_CSV = "Save it as CSV, with a line of names and one line per row"
KINDS = {  # how a file starts that is no table in text
    b"PK\x03\x04": "an Excel workbook or a zip archive",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook",
    b'{"': "JSON",
    b"[{": "JSON",
    b"<!": "HTML",
    b"<html": "HTML",
    b"<?xml": "XML",
}
MARKS = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars", " ": "blanks"}
MISSING = frozenset(("", "na", "n/a", "nan", "null", "#n/a", "<na>", "nat", "none", "-", "?", "unknown"))
NUMBER = r"[-+]?(\d[\d.,]*|[.,]\d+)(e[-+]?\d+)? ?%?"


def open_table(path):
    """The table in a file; a ValueError says why there is none and what to do."""
    path = Path(path)
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise ValueError(f"{path} is a folder. Name a file in it")
        if not stat.S_ISREG(mode):
            raise ValueError(f"{path} is a pipe or a device. Save its content to an ordinary file first")
        with open(path, "rb") as file:
            start = file.read(4)
        if start in (b"PAR1", b"PARE"):
            return Parquet(path)
        return Csv(path, gzip.open if start.startswith(b"\x1f\x8b") else open)
    except FileNotFoundError:
        raise ValueError(f"{path} is not there. Check the name and the folder") from None
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise ValueError(f"{path.name} is damaged or cut off. Compress or copy it again") from None
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}. Check the name and who may read it") from None


class Csv:
    """A table in text, which pandas reads.

    pandas fills up a row that is too short, names no more than one that is too long, and does not count the line ends
    inside of quotes. So where it is in doubt, and where a sentence needs the number of a line, Python's own reader
    walks through the file.

    ``names`` are those of the columns, ``sample`` their first texts, and ``notes`` say what was unusual.
    """

    unit = "line"

    def __init__(self, path, opener):
        self.path, self.notes, self._open, self._skipped = path, [], opener, 0
        with opener(path, "rb") as file:
            head = file.read(1 << 16)
        if not head.strip(b"\xef\xbb\xbf\xff\xfe \t\r\n\0"):
            raise ValueError(f"{path.name} is empty. Write a line of names, and one line per row below it")
        mark = next((encoding for start, encoding in MARKS.items() if head.startswith(start)), None)
        kind = next((kind for start, kind in KINDS.items() if head.startswith(start)), "")
        if kind or (b"\0" in head and mark != "utf-16"):
            raise ValueError(f"{path.name} is {kind or 'binary'}, not a table in text. {AS_CSV}")
        self._encoding = self._readable([mark] if mark else ["utf-8", "cp1252", "latin-1"])
        if opener is gzip.open:
            self.notes.append("It was unpacked with gzip.")
        if self._encoding == "utf-16":
            self.notes.append("Its text was read as UTF-16.")
        elif not mark and self._encoding != "utf-8":
            self.notes.append("It is not UTF-8, so its letters were read as Western European (Windows-1252).")
        self._find_separator()
        self._read_head()

    def _readable(self, encodings):
        for encoding in encodings:
            try:
                with self._open(self.path, "rt", encoding=encoding) as file:
                    while file.read(1 << 20):
                        pass
                return encoding
            except UnicodeError:
                continue
        raise ValueError(f"{self.path.name} starts as {encodings[0]} text, but is cut off or damaged. Save it again")

    def _find_separator(self):
        with self._open(self.path, "rt", encoding=self._encoding) as file:
            first, second = [*islice((line for line in file if line.strip()), 2), ""][:2]
        if marked := re.fullmatch(r'"?sep=(.)"?\s*', first):
            self._skipped, self._separator = 1, marked[1]
            self.notes.append("Its first line names the separator, as Excel writes it, and was skipped.")
            return
        self._separator = max(",;\t|", key=re.sub(r'"[^"]*"', "", first).count)
        if self._separator not in first and " " in first.strip() and " " in second.strip():
            self._separator = " "

    def _read_head(self):
        """Names, the first rows, and how many fields a row has at most, with empty ones behind its last column."""
        name, rows = self.path.name, list(islice(self._rows(), SAMPLE + 1))
        self._skipped, names = rows[0]
        names, rows = [text.strip() for text in names], [fields for _, fields in rows[1:]]
        if data := [text for text in names if re.fullmatch(NUMBER, text, re.IGNORECASE)]:
            raise ValueError(
                f"line {self._skipped} of {name} holds {data[0]!r}, so it is data. Name the columns in the first line, "
                "as label,score"
            )
        if not rows:
            raise ValueError(f"{name} has names, but no row below them. Add one line per row")
        is_short = len(names) > 1 and {len(names) + 1} == {*map(len, rows)}
        if is_short and _are_row_names([row[0] for row in rows]):
            names = ["", *names]
            self.notes.append("The line of names is one name short, so the first column was taken for names of rows.")
        self.names, self._fields = names, max(map(len, rows))
        if any(self._width(row) != len(names) for row in rows):
            self._check_widths()
        self.sample = list(zip(*(row[: len(names)] for row in rows), strict=True))
        separator = SEPARATORS.get(self._separator, self._separator)
        self.form = f"{count(len(names), 'column')}, separated by {separator}"

    def blocks(self, *columns):
        """Texts of these columns, an array for each of them, block by block."""
        width, fields, is_checked, done = len(self.names), self._fields, False, 0
        options = {"sep": self._separator, "skipinitialspace": True, "header": None, "names": range(fields)}
        options |= {"index_col": False, "dtype": object, "na_filter": False, "chunksize": -(-BLOCK // width)}
        try:
            with self._opened() as file:
                for block in pd.read_csv(file, **options):
                    if "" in block[columns[0]].tolist():
                        block = block[(block != "").any(axis=1)]
                    is_doubtful = "" in block[width - 1].tolist() or (block.iloc[:, width:] != "").any(axis=None)
                    if is_doubtful and not is_checked:
                        self._check_widths()
                        is_checked = True
                    yield [block[column].to_numpy() for column in columns]
                    done += 1
        except pd.errors.ParserError as error:
            self._check_widths()
            if self._fields == fields:
                raise ValueError(f"{self.path.name} cannot be read: {error}. Save it again") from error
            yield from islice(self.blocks(*columns), done, None)  # there are only empty fields beyond the last column

    @contextmanager
    def _opened(self):
        """The file as text, without the lines that were read or skipped."""
        with self._open(self.path, "rt", encoding=self._encoding, newline="") as file:
            for _ in range(self._skipped):
                file.readline()
            yield file

    def _rows(self):
        """The number of the line in which each row ends, and its fields."""
        return ((line, fields) for line, fields in self._lines() if any(map(str.strip, fields)))

    def _lines(self):
        """The same, with rows in which all fields are blank."""
        with self._opened() as file:
            reader = csv.reader(file, delimiter=self._separator, strict=True, skipinitialspace=True)
            try:
                for fields in reader:
                    yield reader.line_num + self._skipped, fields
            except csv.Error as error:
                is_long = "limit" in f"{error}"
                problem = "a field of more than 131,072 characters" if is_long else "a quote in a wrong place"
                raise ValueError(
                    f"line {reader.line_num + self._skipped:,} of {self.path.name} has {problem}. Close each quote "
                    'that opens, and write "" for a quote inside a field'
                ) from None

    def _width(self, fields):
        """Number of fields, of those beyond the last column without empty ones at the end."""
        width = len(fields)
        while width > len(self.names) and not fields[width - 1].strip():
            width -= 1
        return width

    def _check_widths(self):
        width, ragged = len(self.names), []
        for line, fields in self._lines():
            self._fields = max(self._fields, len(fields))
            if self._width(fields) != width and any(map(str.strip, fields)):
                ragged.append((line, self._width(fields)))
        if ragged:
            advice = f"Put quotes around what holds a {self._separator!r}"
            if self._separator == ",":
                advice += ", and write decimal points or semicolons if its numbers have decimal commas"
            if width == 1:
                advice = "Delete what stands above the line of names"
            raise ValueError(
                f"{self.path.name} has {count(width, 'column')}, but not in {count(len(ragged))} "
                f"({places('line', [line for line, _ in ragged])}): the first has {ragged[0][1]}. {advice}"
            )

    def lines(self, rows):
        """Numbers of the lines in which rows stand, of which the positions are given, from 0 and in order."""
        lines = enumerate(line for line, _ in self._rows())
        return list(islice((line for row, line in lines if row in rows), len(rows)))


class Parquet:
    """A table that DuckDB reads, as the same texts that CSV would hold: a score of 0.7 in 32 bits is 0.7."""

    unit, notes = "row", ()

    def __init__(self, path):
        self.path = path
        try:
            import duckdb
        except ImportError:
            raise ValueError(
                f'{path.name} is Parquet, which DuckDB reads: pip install "evalteach[scale]". Or save it as CSV'
            ) from None
        self._failure = duckdb.Error
        self._base = duckdb.connect(config={"memory_limit": "600MB", "temp_directory": tempfile.gettempdir()})
        self._base.execute("SET enable_progress_bar = false")  # which is drawn even where nobody looks
        self._file = re.sub(r"([*?\[])", r"[\1]", str(path.resolve()))  # a name, not a pattern
        self._source = "read_parquet(?, hive_partitioning = false)"
        columns = self._ask(f"DESCRIBE SELECT * FROM {self._source}").fetchall()
        # by place, since DuckDB renames the second of two columns whose names differ in case only
        self._source += f" AS t({', '.join(f'c{place}' for place in range(len(columns)))})"
        self._kinds = [kind for _, kind, *_ in columns]
        schema = self._ask("SELECT name FROM parquet_schema(?)").fetchall()[1:]
        self.names = [name for name, *_ in (schema if len(schema) == len(columns) else columns)]
        texts = ", ".join(map(self._text, range(len(columns))))
        sample = self._ask(f"SELECT {texts} FROM {self._source} LIMIT {SAMPLE}").fetchall()
        if not sample:
            raise ValueError(f"{path.name} has names, but no row below them. Add one row per label and score")
        self.sample = list(zip(*sample, strict=True))
        self.form = f"{count(len(columns), 'column')}, read by DuckDB"

    def _ask(self, query):
        try:
            return self._base.execute(query, [self._file])
        except self._failure as error:
            problem = "is Parquet that is cut off, damaged or encrypted"
            raise ValueError(f"{self.path.name} {problem}. Write it again, or as CSV") from error

    def _text(self, column):
        return f"coalesce(CAST(c{column} AS VARCHAR), '')"

    def blocks(self, score, *labels):
        """As of a text file, only that scores of a number's type come as numbers."""
        selected = [self._text(column) for column in (score, *labels)]
        if re.match(r"U?\w*INT|FLOAT|DOUBLE|DECIMAL", self._kinds[score]):
            selected[0] = f"CAST(nullif({selected[0]}, '') AS DOUBLE)"
        cursor = self._ask(f"SELECT {', '.join(selected)} FROM {self._source}")
        try:
            while len(frame := cursor.fetch_df_chunk(BLOCK // 4096)):  # in units of DuckDB's vectors
                yield [frame.iloc[:, place].to_numpy() for place in range(len(selected))]
        except self._failure as error:
            raise ValueError(f"{self.path.name} is Parquet that is damaged. Write it again") from error

    def lines(self, rows):
        """Numbers of rows, from 1, of which the positions are given, from 0."""
        return [row + 1 for row in rows]


def _are_row_names(texts):
    """Whether they count from 1, or are words that are all different, as R writes; not one half of decimal commas."""
    if texts == list(map(str, range(1, len(texts) + 1))):
        return True
    return len({*texts}) == len(texts) and not any(re.fullmatch(NUMBER, text.strip(), re.IGNORECASE) for text in texts)
