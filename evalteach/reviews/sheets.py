"""Tables in CSV files that people open in spreadsheets: text stays text, and no file is left half written."""

import csv
import io
import re

import pandas as pd

from evalteach._record import write_whole

# columns of a sheet to fill in
SHEET = ["id", "answer", "design"]
# what a spreadsheet takes for the start of a formula, and the mark that makes it text
RISKY = ("=", "+", "-", "@", "\t", "\r", "\n", "'")


def write_sheet(path, table, *, over=False):
    """Write a table as CSV; text that begins like a formula gets an apostrophe. A new file, unless ``over``."""
    table = table.rename(columns=lambda name: _as_text(str(name))).map(_as_text)
    # all cells are in quotes, since not every reader and writer of CSV knows that a lone "\r" or ";" needs them
    text = table.to_csv(index=False, quoting=csv.QUOTE_ALL, lineterminator="\n")
    write_whole(path, text.encode("utf-8-sig"), over=over)


def read_sheet(path):
    """A CSV file as a table of text, without its blank lines, and with the apostrophes of ``write_sheet`` undone."""
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            text = file.read()
        sep = delimiter(text)
        text = io.StringIO(text.rstrip(f" \r\n{sep}"))  # a spreadsheet leaves lines of nothing but commas at the end
        table = pd.read_csv(text, sep=sep, header=None, dtype=str, keep_default_na=False, index_col=False).fillna("")
    except (UnicodeDecodeError, pd.errors.ParserError, pd.errors.EmptyDataError) as error:
        raise ValueError(f"{path} cannot be read ({error}); a CSV file in UTF-8 is needed") from None
    table = table[(table.map(str.strip) != "").any(axis=1)].map(_undone)
    return table[1:].set_axis(table.iloc[0].tolist(), axis=1).reset_index(drop=True)


def delimiter(text):
    """What separates the columns of a CSV file: the most frequent of ``,;|`` and tab in its first line, not in quotes.

    ``text`` is the file, or its start.
    """
    head = re.sub(r'"[^"]*"', "", text).lstrip().splitlines()[:1]
    return max(",;\t|", key="".join(head).count)


def _as_text(cell):
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(RISKY) else cell


def _undone(cell):
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(RISKY) else cell
