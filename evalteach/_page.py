"""One HTML page from a notebook that is run on a reader's file: needs nothing but itself, and asks nobody."""

import asyncio
import atexit
import html
import os
import re
import signal
import subprocess
import sys
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline';
  base-uri 'none'; form-action 'none'">
<title>{title}</title>
<style>
body {{ margin: 0 auto; max-width: 46rem; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; color: #1a1a1a;
  background: #fff; overflow-wrap: anywhere; }}
h1, h2, h3 {{ line-height: 1.2; margin: 1.6em 0 .5em; }}
img {{ max-width: 100%; height: auto; }}
pre {{ white-space: pre-wrap; }}
.table {{ overflow-x: auto; margin: 0 0 1rem; }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; overflow-wrap: normal; }}
th, td {{ padding: .25rem .6rem; border-bottom: 1px solid #bbb; text-align: left; }}
footer {{ margin-top: 3rem; color: #555; font-size: .875rem; }}
@media (max-width: 32rem) {{ table {{ font-size: .8rem; }} th, td {{ padding: .2rem; }}
  ul {{ padding-left: 1.2rem; }} }}
@media print {{ body {{ max-width: none; padding: 0; font-size: 10pt; }}
  h1, h2, h3 {{ break-after: avoid; }} img, tr {{ break-inside: avoid; }} .table {{ overflow: visible; }} }}
</style>
</head>
<body>
<main>
{body}
</main>
<footer>{footer}</footer>
</body>
</html>
"""


def run(notebook, given, tell):
    """The notebook, run with these parameters and without the cells that only a notebook needs."""
    nbformat = import_nbformat()
    import nbclient  # noqa: F401  two threads at once that import it get half of it: its parts import each other

    Thread(target=_exporter, daemon=True).start()  # while the kernel works
    book = nbformat.read(notebook, as_version=4)
    book.cells = [cell for cell in book.cells if "notebook-only" not in cell.metadata.get("tags", ())]
    place = next(i for i, cell in enumerate(book.cells) if "parameters" in cell.metadata.get("tags", ()))
    lines = "\n".join(f"{name} = {value!r}" for name, value in given.items())
    book.cells.insert(place + 1, nbformat.v4.new_code_cell(lines))
    execute(book, notebook.stem, tell)
    return book


def execute(book, name, tell):
    """Run a notebook in a kernel of its own, in an empty folder; ``tell(done, cells)`` hears of each cell."""
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError

    with tempfile.TemporaryDirectory() as folder:  # whatever it writes is not beside the reader's file
        client = NotebookClient(
            book,
            timeout=600,
            kernel_name="python3",
            resources={"metadata": {"path": folder}},
            on_cell_execute=lambda cell, cell_index: tell(cell_index + 1, len(book.cells)),
        )
        try:
            with asyncio.Runner(loop_factory=_Loop) as runner, _signals() as on_signal:
                runner.run(_execute(client, on_signal))
        except CellExecutionError as error:
            said = error.evalue if error.ename == "ValueError" else f"{error.ename}: {error.evalue}"
            if error.ename == "NoneType":  # what a cell shows at its end cannot be shown, and only the traceback tells
                said = re.sub(r"\x1b\[[\d;]*m", "", error.traceback.strip().splitlines()[-1])
            raise ValueError(f"{name} stopped: {said}") from None
        except (CellTimeoutError, RuntimeError):  # which a dead kernel is
            said = "its kernel died, or took too long; fewer rows need less memory, and `evalteach check` may tell more"
            raise ValueError(f"{name} stopped: {said}") from None
        except Exception as error:  # of a kernel that is not there, or not as it should be, in whichever way
            said = " ".join(f"{error}".split())
            raise ValueError(f"no kernel python3 starts ({said}); `evalteach check` tells how to get one") from None


class _Loop(asyncio.SelectorEventLoop):
    """Leaves signals to Python: nbclient's own handlers end in a traceback, or in a kernel that seems to have died."""

    def add_signal_handler(self, *_):
        raise RuntimeError  # which nbclient takes for a thread that gets no signals


@contextmanager
def _signals():
    """Pass the first Ctrl-C or SIGTERM on to what is called meanwhile, and in the end to its usual handler."""
    numbers, calls, handlers = [], [], {}

    def note(number, _):
        numbers.append(number)
        for call in calls if len(numbers) == 1 else ():  # the next one does not interrupt the end of the kernel
            call()

    with suppress(ValueError):  # in a thread, which gets no signals
        for number in (signal.SIGINT, signal.SIGTERM):
            if signal.getsignal(number) not in (signal.SIG_IGN, None):
                handlers[number] = signal.signal(number, note)
    try:
        yield calls.append
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        if numbers:
            signal.raise_signal(numbers[0])


async def _execute(client, on_signal):
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    on_signal(lambda: loop.call_soon_threadsafe(task.cancel))
    # what the kernel tells of itself is not for the reader
    work = asyncio.create_task(client.async_execute(stderr=subprocess.DEVNULL, env=environment()))
    try:
        await asyncio.shield(work)
    except asyncio.CancelledError:  # by a signal: the kernel, which may be at work for minutes, is not waited for
        client.shutdown_kernel = "immediate"
        work.cancel()
        await asyncio.wait([work])
        with suppress(asyncio.CancelledError, Exception):
            work.result()
        raise
    finally:
        atexit.unregister(client._cleanup_kernel)  # which fails where no kernel was ready
        if client.km is not None and client.km.has_kernel:
            await client.km.shutdown_kernel(now=True)


def environment():
    """That of a process which imports this package, and finds the kernel of this environment."""
    package = str(Path(__file__).resolve().parent.parent)
    paths = os.pathsep.join([package, *filter(None, [os.environ.get("PYTHONPATH")])])
    os.environ["JUPYTER_PREFER_ENV_PATH"] = "1"  # as `evalteach lab` does
    return {**os.environ, "PYTHONPATH": paths}


def import_nbformat():
    """Import it without rfc3987_syntax, an optional part that takes a second: no format of a notebook asks for it."""
    if sys.modules.setdefault("rfc3987_syntax") is None:  # which Python's import takes for: not installed
        with suppress(ImportError):  # should a jsonschema need it one day, nbformat's own import gets it, below
            import jsonschema  # noqa: F401
        del sys.modules["rfc3987_syntax"]
    import nbformat

    return nbformat


def _exporter():
    from nbconvert.exporters.html import HTMLExporter

    hidden = {"exclude_input": True, "exclude_output_prompt": True, "exclude_anchor_links": True}
    return HTMLExporter(template_name="basic", **hidden)


def page(book, title, footer):
    """The notebook as HTML, its code hidden; its own first heading, if it has one, is the title."""
    from bs4 import BeautifulSoup

    for cell in book.cells:
        for output in cell.get("outputs", ()):
            for kind in [kind for kind in output.get("data", ()) if "javascript" in kind or "widget" in kind]:
                del output["data"][kind]  # a page that runs nothing

    def as_soup(book):
        return BeautifulSoup(_exporter().from_notebook_node(book)[0], "html.parser")

    words = import_nbformat().v4.new_notebook(cells=[cell for cell in book.cells if cell.cell_type == "markdown"])
    own = {link["href"] for link in as_soup(words).select("a[href]") if re.match(r"https?://|#", link["href"])}
    soup = as_soup(book)
    for element in soup.select("script, style, link, .prompt"):
        element.decompose()
    if not soup.h1:
        heading = soup.new_tag("h1")
        heading.string = title
        soup.insert(0, heading)
    for link in soup.select("a[href]"):
        if link["href"] not in own:
            link.unwrap()  # to a notebook that does not come along, or to an address in the reader's file
    for table in soup.select("table"):
        table.attrs = {}
        table.wrap(soup.new_tag("div", attrs={"class": "table"}))
    for wrapper in soup.select("div:not(.table)"):
        wrapper.unwrap()
    for heading in soup.select("h2"):
        below = heading.find_next_sibling()
        if below is None or below.name == "h2":  # nothing was given to say
            heading.decompose()
    for place, heading in enumerate(soup.select("h2"), 1):
        words = heading.find(string=True)
        words.replace_with(re.sub(r"^\d+\.", f"{place}.", words))
    body = re.sub(r"\n\s*\n+", "\n", str(soup)).strip()
    return PAGE.format(title=html.escape(soup.h1.get_text()), body=body, footer=html.escape(footer))
