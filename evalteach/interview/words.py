"""The little Markdown that questions use, as HTML and as plain text."""

import html
import re

INLINE = (
    (r"`([^`]+)`", r"<code>\1</code>"),
    (r"\*\*(.+?)\*\*", r"<strong>\1</strong>"),
    (r"(?<![\w*])\*([^\s*][^*]*?)\*(?![\w*])", r"<em>\1</em>"),
    (r"\[([^\]]+)\]\([^)]+\)", r"\1"),  # where it leads depends on where it is read
)


def as_html(text):
    """Paragraphs, lists, tables and code as HTML; nothing in them is HTML before."""
    parts = re.split(r"^```\w*\n(.*?)^```\s*?$", text, flags=re.M | re.S)
    made = []
    for place, part in enumerate(parts):
        if place % 2:
            made.append(f"<pre><code>{html.escape(part)}</code></pre>")
        else:
            made += [
                _block(block) for block in re.split(r"\n\s*\n|\n(?=\|)(?<!\|\n)|(?<=\|\n)(?!\|)", part) if block.strip()
            ]
    return "\n".join(made)


def inline(text):
    """One line of it as HTML."""
    # code first and apart, since a star in it is one
    pieces = re.split(r"(`[^`]+`)", html.escape(text, quote=False))
    return "".join(_marked(piece, INLINE[:1] if piece.startswith("`") else INLINE[1:]) for piece in pieces)


def plain(text):
    """One line without marks."""
    return " ".join(re.sub(r"```\w*|\*\*|`|\[([^\]]+)\]\([^)]+\)", r"\1", text).split())


def _block(block):
    lines = block.strip().splitlines()
    if all(line.lstrip().startswith("|") for line in lines):
        return _table([re.split(r"(?<!\\)\|", line.strip().strip("|")) for line in lines])
    if lines[0].startswith("- "):
        items = re.split(r"^- ", block.strip(), flags=re.M)[1:]
        return f"<ul>{''.join(f'<li>{inline(item)}</li>' for item in items)}</ul>"
    return f"<p>{inline(block.strip())}</p>"


def _table(rows):
    head, *body = ([inline(cell.strip()) for cell in row] for row in rows)
    body = [row for row in body if not all(re.fullmatch(r":?-+:?", cell) for cell in row)]
    line = "<tr>{}</tr>".format
    head = line("".join(f'<th scope="col">{cell}</th>' for cell in head))
    return f"<table>{head}{''.join(line(''.join(f'<td>{cell}</td>' for cell in row)) for row in body)}</table>"


def _marked(piece, marks):
    for mark, made in marks:
        piece = re.sub(mark, made, piece)
    return piece
