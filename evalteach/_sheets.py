"""Tables in CSV files that people open in spreadsheets: text stays text, and no file is left half written."""

import io
import os
from pathlib import Path

import pandas as pd

# what a spreadsheet takes for the start of a formula, and the mark that makes it text
RISKY = ("=", "+", "-", "@", "\t", "\r", "\n", "'")


def write_sheet(path, table, *, over=False):
    """Write a table as CSV; text that begins like a formula gets an apostrophe. A new file, unless ``over``.

    The old file is replaced as a whole, so that one that is interrupted leaves it as it was.
    """
    table = table.rename(columns=lambda name: _as_text(str(name))).map(_as_text)
    if not over:
        with open(path, "x", encoding="utf-8-sig", newline="") as file:
            table.to_csv(file, index=False)
        return
    new = Path(f"{path}.{os.getpid()}.new")
    try:
        table.to_csv(new, index=False, encoding="utf-8-sig")
        os.replace(new, path)
    finally:
        new.unlink(missing_ok=True)


def read_sheet(path):
    """A CSV file as a table of text, with commas, semicolons or tabs, and the apostrophes of ``write_sheet`` undone."""
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            text = file.read()
        head = text.partition("\n")[0]
        table = pd.read_csv(
            io.StringIO(text), sep=max(",;\t", key=head.count), dtype=str, keep_default_na=False, index_col=False
        )
    except (UnicodeDecodeError, pd.errors.ParserError, pd.errors.EmptyDataError) as error:
        raise ValueError(f"{path} cannot be read ({error}); a CSV file in UTF-8 is needed") from None
    return table.rename(columns=_undone).map(_undone)


def _as_text(cell):
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(RISKY) else cell


def _undone(cell):
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(RISKY) else cell
