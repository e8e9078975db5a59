"""One HTML page from a notebook that is run on a reader's file: needs nothing but itself, and asks nobody."""

import html
import json
import re
import tempfile
from base64 import b64encode
from contextlib import chdir
from types import ModuleType

import mistune
from mistune.util import safe_entity

from evalteach._page import PAGE


def run(notebook, parameters, progress):
    """Run a notebook without the cells that only a notebook needs, and return what a page of it shows.

    Parameters
    ----------
    notebook : Path
        One of its cells has the tag "parameters".
    parameters : dict
        Values by name; they replace those of that cell.
    progress : callable
        ``progress(done, cells)`` is called after each cell.

    Returns
    -------
    list of str
        HTML of the Markdown cells, and of what the code cells show.

    Raises
    ------
    ValueError
        Where a cell raises, with its error in words.
    """
    import matplotlib
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    matplotlib.use("agg")  # no windows
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    cells = [cell for cell in cells if "notebook-only" not in cell["metadata"].get("tags", ())]
    blocks = []
    with tempfile.TemporaryDirectory() as folder, chdir(folder):  # what a cell writes is not beside the reader's file
        shell = InteractiveShell.instance(
            config=Config({"HistoryManager": {"enabled": False}}),
            ipython_dir=folder,
            user_module=ModuleType("report"),
        )
        try:
            for done, cell in enumerate(cells, 1):
                source = "".join(cell["source"])
                if cell["cell_type"] == "markdown":
                    blocks.append(markdown(source, has_links=True))
                else:
                    blocks += _outputs(shell, source, notebook.stem)
                if "parameters" in cell["metadata"].get("tags", ()):
                    shell.user_ns.update(parameters)
                progress(done, len(cells))
        finally:
            InteractiveShell.clear_instance()
    return blocks


def _outputs(shell, source, name):
    """Run a cell: what it prints, and what it displays."""
    from IPython.utils.capture import capture_output

    with capture_output() as shown:
        result = shell.run_cell(source)
    error = result.error_before_exec or result.error_in_exec
    if isinstance(error, Exception):
        words = error if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
        raise ValueError(f"{name} stopped: {words}") from error
    if error:
        raise error  # Ctrl-C
    yield from [_text(shown.stdout)] * bool(shown.stdout)
    for output in shown.outputs:
        if "text/markdown" in output.data:
            yield markdown(output.data["text/markdown"], has_links=False)
        elif "image/png" in output.data:
            yield _picture(output.data["image/png"], output.metadata.get("image/png", {}).get("alt", ""))
        else:
            yield _text(output.data.get("text/plain", ""))


def _text(text):
    return f"<pre>{html.escape(text)}</pre>"


def _picture(content, alt):
    content = content if isinstance(content, str) else b64encode(content).decode()
    return f'<p><img alt="{html.escape(alt)}" src="data:image/png;base64,{content.strip()}"></p>'


class _Html(mistune.HTMLRenderer):
    """HTML in Markdown is text. A link leads to a place on the page or the web, or is text as well."""

    def __init__(self, has_links):
        super().__init__(escape=True)
        self._has_links = has_links

    def text(self, text):
        return safe_entity(text)

    def link(self, text, url, title=None):
        return super().link(text, url) if self._has_links and re.match("https?://|#", url) else text

    def image(self, text, url, title=None):
        return text


def literal(text):
    """Text from a reader's file, as Markdown that shows it as it is."""
    return "".join(letter if letter.isalnum() or letter in " .,:;'%/()" else f"&#{ord(letter)};" for letter in text)


def markdown(text, *, has_links):
    """HTML of Markdown, with links if the notebook itself has written it: a reader's file may hold any address."""
    page = mistune.create_markdown(renderer=_Html(has_links), plugins=["table"])(text)
    return page.replace("<table>", '<div class="table"><table>').replace("</table>", "</table></div>")


def page(blocks, title, footer):
    """One page of blocks of HTML; their first heading of level 1, if there is one, is its title.

    Sections of level 2 with nothing below their heading are left out, and the others are numbered anew.
    """
    body = "\n".join(block.strip() for block in blocks)
    if not (heading := re.search("<h1>(.*?)</h1>", body)):
        body = f"<h1>{html.escape(title)}</h1>\n{body}"
    start, *sections = re.split("(?=<h2>)", body)
    sections = [section for section in sections if section.partition("</h2>")[2].strip()]
    sections = [re.sub(r"^<h2>\d+\.", f"<h2>{n}.", section) for n, section in enumerate(sections, 1)]
    title = re.sub("<[^>]*>", "", heading[1]) if heading else html.escape(title)
    return PAGE.format(title=title, body=start + "".join(sections), footer=html.escape(footer))
