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

BLOCK = 100_000  # rows that are held as text at a time
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
    """A table in text. Python's reader knows the line of each row and refuses what it does not understand.

    ``names`` are those of the columns, ``sample`` their first texts, and ``notes`` say what was unusual.
    """

    unit = "line"

    def __init__(self, path, opener):
        self.path, self._opener, self._is_marked, self.notes = path, opener, False, []
        with opener(path, "rb") as file:
            head = file.read(1 << 16)
        if not head.strip(b"\xef\xbb\xbf\xff\xfe \t\r\n\0"):
            raise ValueError(f"{path.name} is empty. Write a line of names, and one line per row below it")
        mark = next((encoding for start, encoding in MARKS.items() if head.startswith(start)), None)
        kind = next((kind for start, kind in KINDS.items() if head.startswith(start)), "")
        if kind or (b"\0" in head and mark != "utf-16"):
            raise ValueError(f"{path.name} is {kind or 'binary'}, not a table in text. {AS_CSV}")
        self._encoding = self._readable([mark] if mark else ["utf-8", "cp1252", "latin-1"])
        if not mark and self._encoding != "utf-8":
            self.notes.append("It is not UTF-8, so its letters were read as Western European (Windows-1252).")
        self._read_names()

    def _readable(self, encodings):
        for encoding in encodings:
            try:
                with self._opener(self.path, "rt", encoding=encoding) as file:
                    while file.read(1 << 20):
                        pass
                return encoding
            except UnicodeError:
                continue
        raise ValueError(f"{self.path.name} starts as {encodings[0]} text, but is cut off or damaged. Save it again")

    def _read_names(self):
        name = self.path.name
        with self._opener(self.path, "rt", encoding=self._encoding) as file:
            first, second = [*islice((line for line in file if line.strip()), 2), ""][:2]
        if separator := re.fullmatch(r'"?sep=(.)"?\s*', first):
            self._is_marked, self.delimiter = True, separator[1]
            self.notes.append("Its first line names the separator, as Excel writes it, and was skipped.")
        else:
            self.delimiter = max(",;\t|", key=re.sub(r'"[^"]*"', "", first).count)
            if self.delimiter not in first and " " in first.strip() and " " in second.strip():
                self.delimiter = " "
        with self._rows() as rows:
            names = [text.strip() for text in next(rows, [])]
            rows = list(islice(rows, SAMPLE))
        data = next((text for text in names if re.fullmatch(NUMBER, text, re.IGNORECASE)), None)
        if data or not any(names):
            what = f"{data!r}, so it is data" if data else "no names"
            raise ValueError(f"line 1 of {name} holds {what}. Name the columns in the first line, as label,score")
        if (
            len(names) > 1
            and rows
            and {len(names) + 1} == {*map(len, rows)}
            and _are_row_names([row[0] for row in rows])
        ):
            names = ["", *names]
            self.notes.append("The line of names is one name short, so the first column was taken for names of rows.")
        self.names = names
        rows = self._fitted(rows)
        if not rows:
            raise ValueError(f"{name} has names, but no row below them. Add one line per row")
        self.sample = list(zip(*rows, strict=True))
        self.form = f"{count(len(names), 'column')}, separated by {SEPARATORS.get(self.delimiter, self.delimiter)}"

    @contextmanager
    def _rows(self, *, numbered=False):
        """Fields of each row, the line of names first; ``numbered``, each with the number of its line."""
        try:
            with self._opener(self.path, "rt", encoding=self._encoding, newline="") as file:
                lines = islice(file, int(self._is_marked), None)
                reader = csv.reader(lines, delimiter=self.delimiter, strict=True, skipinitialspace=True)
                yield (
                    ((reader.line_num + self._is_marked, row) for row in reader if row)
                    if numbered
                    else filter(None, reader)
                )
        except csv.Error as error:
            problem = "a field of more than 131,072 characters" if "limit" in f"{error}" else "a quote in a wrong place"
            raise ValueError(
                f"line {reader.line_num + self._is_marked:,} of {self.path.name} has {problem}. Close each quote that "
                'opens, and write "" for a quote inside a field'
            ) from None

    def _fitted(self, rows):
        """Rows that are not blank, without empty fields beyond the last column."""
        width = len(self.names)
        rows = [row for row in rows if any(map(str.strip, row))]
        if any(_width(row, width) != width for row in rows):
            raise self._ragged()
        return [row[:width] for row in rows]

    def _ragged(self):
        width = len(self.names)
        with self._rows(numbered=True) as rows:
            widths = [(line, _width(row, width)) for line, row in islice(rows, 1, None) if any(map(str.strip, row))]
        ragged = [(line, fields) for line, fields in widths if fields != width]
        decimal = ", and write decimal points or semicolons if its numbers have decimal commas"
        return ValueError(
            f"{self.path.name} has {count(width, 'column')}, but not in {count(len(ragged))} "
            f"({places('line', [line for line, _ in ragged])}): the first has {ragged[0][1]}. Put quotes around "
            f"what holds a {self.delimiter!r}{decimal if self.delimiter == ',' else ''}"
        )

    def blocks(self, *columns):
        """Texts of these columns, a list for each of them, block by block."""
        with self._rows() as rows:
            next(rows)
            while block := list(islice(rows, BLOCK)):
                if {*map(len, block)} != {len(self.names)} or not any(block[-1]):
                    block = self._fitted(block)
                yield [[row[column] for row in block] for column in columns]

    def lines(self, column, texts):
        """The first six lines that hold one of the texts in a column, in upper or lower case."""
        texts = {text.casefold() for text in texts}
        with self._rows(numbered=True) as rows:
            rows = islice(rows, 1, None)
            return list(
                islice((n for n, row in rows if len(row) > column and row[column].strip().casefold() in texts), 6)
            )


class Parquet:
    """A table that DuckDB reads, as the same texts that CSV would hold: a score of 0.7 in 32 bits is 0.7."""

    unit, notes = "row", ()

    def __init__(self, path):
        self.path = path
        with open(path, "rb") as file:
            start = file.read(4)
            file.seek(-4, 2)
            end = file.read()
        if start == b"PARE":
            raise ValueError(f"{path.name} is encrypted Parquet. Write it again without encryption, or as CSV")
        if end != b"PAR1" or path.stat().st_size < 12:
            raise ValueError(f"{path.name} is Parquet that is cut off. Copy or write it again")
        try:
            import duckdb
        except ImportError:
            raise ValueError(
                f'{path.name} is Parquet, which DuckDB reads: pip install "evalteach[scale]". Or save it as CSV'
            ) from None
        self._failure = duckdb.Error
        self._base = duckdb.connect(config={"memory_limit": "600MB", "temp_directory": tempfile.gettempdir()})
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
            raise ValueError(f"{self.path.name} is Parquet that cannot be read. Write it again, or as CSV") from error

    def _text(self, column):
        return f"coalesce(CAST(c{column} AS VARCHAR), '')"

    def blocks(self, score, *labels):
        """As of a text file, only that scores of a number's type come as numbers."""
        selected = [self._text(column) for column in (score, *labels)]
        if re.match(r"U?\w*INT|FLOAT|DOUBLE|DECIMAL", self._kinds[score]):
            selected[0] = f"CAST(nullif({selected[0]}, '') AS DOUBLE)"
        cursor = self._ask(f"SELECT {', '.join(selected)} FROM {self._source}")
        try:
            while len(frame := cursor.fetch_df_chunk(BLOCK // 2048)):  # in units of DuckDB's vectors
                yield [frame.iloc[:, place].to_numpy() for place in range(len(selected))]
        except self._failure as error:
            raise ValueError(f"{self.path.name} is Parquet that is damaged. Write it again, or as CSV") from error

    def lines(self, column, texts):
        """The first six rows that hold one of the texts in a column, in upper or lower case."""
        texts = {text.casefold() for text in texts}
        cursor = self._ask(f"SELECT {self._text(column)} FROM {self._source}")
        numbered = enumerate((text for block in iter(lambda: cursor.fetchmany(BLOCK), []) for (text,) in block), 1)
        return list(islice((row for row, text in numbered if text.strip().casefold() in texts), 6))


def _width(row, width):
    """Number of fields, of those beyond ``width`` without empty ones at the end."""
    fields = len(row)
    while fields > width and not row[fields - 1].strip():
        fields -= 1
    return fields


def _are_row_names(texts):
    """Whether they count from 1, or are words that are all different, as R writes; not one half of decimal commas."""
    if texts == list(map(str, range(1, len(texts) + 1))):
        return True
    return len({*texts}) == len(texts) and not any(re.fullmatch(NUMBER, text.strip(), re.IGNORECASE) for text in texts)


def count(number, unit="row"):
    """``1 row``, ``1,200 rows``."""
    return f"{number:,} {unit}{'' if number == 1 else 's'}"


def places(unit, numbers):
    """``line 4``, or ``lines 4, 7, 9, ...``: the first five."""
    listed = ", ".join(f"{n:,}" for n in numbers[:5]) + ", ..." * (len(numbers) > 5)
    return f"{unit}{'s' * (len(numbers) > 1)} {listed}"
