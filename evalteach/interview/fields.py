"""Reads ``rooms.md`` and ``cases.md``: a heading, a line with minutes and section, then texts and lists by name."""

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

ABOUT = re.compile(
    r"\*(?P<minutes>\d+) minutes · \[(?P<notebook>\w+): (?P<section>[^]]+)\]\((?P<link>\S+)\)\*", re.MULTILINE
)


class Page(NamedTuple):
    """One heading of a file: its minutes, the section that answers it, and fields: text, or list of texts."""

    minutes: int
    notebook: str
    section: str
    link: str
    fields: dict


@cache
def pages(file):
    """All headings of a file that lies beside this module: a dict of name to :class:`Page`, in the file's order.

    Raises
    ------
    ValueError
        A heading without minutes and section.
    """
    text = Path(__file__).with_name(file).read_text(encoding="utf-8")
    found = {}
    for block in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        name, _, rest = block.partition("\n")
        if not (about := ABOUT.match(rest)):
            raise ValueError(f"{file}, {name}: cannot read the line {rest.partition(chr(10))[0]!r}")
        parts = re.split(r"^\*\*([A-Z][\w ]*):\*\*", rest[about.end() :], flags=re.MULTILINE)[1:]
        fields = {field: _text_or_list(words) for field, words in zip(parts[::2], parts[1::2], strict=True)}
        found[name] = Page(**{**about.groupdict(), "minutes": int(about["minutes"])}, fields=fields)
    return found


def _text_or_list(words):
    if not words.startswith("\n"):
        return words.strip()
    return [" ".join(item.split()) for item in re.split(r"^- ", words, flags=re.MULTILINE)[1:]]
