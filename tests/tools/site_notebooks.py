"""What the pages of a site are made of: executed notebooks without widgets, kept in a cache while nothing changes.

``make_site.py`` calls ``run_all``. An entry of the cache is a folder CACHE/NAME/KEY with ``page.ipynb``, with the
pictures of the page in ``static``, and with ``static/NAME.png``, the first of them, for previews.
"""

import asyncio
import html
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from base64 import b64decode
from hashlib import sha256
from importlib.metadata import distributions
from pathlib import Path

import nbformat
from lessons import COLLAPSED
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat.v4 import new_code_cell, new_output
from PIL import Image

TOOLS = Path(__file__).resolve().parent
PACKAGE = TOOLS.parents[1] / "evalteach"
PROCESSES = min(4, os.cpu_count() or 1)  # kernels side by side; each takes up to 1 GB
OWN_ANSWER = re.compile(r"^check\(\s*(?!\w+_solved\b)\w", re.MULTILINE)
RUN_ALL = re.compile(r"^.*\*Run > Run All Cells\*.*\n+", re.MULTILINE)
FOLD = "evalteach-fold"
IN_KERNEL = """from evalteach.explorers import Explorer
from site_figures import leave_figures
leave_figures(Explorer, {static!r}, {name!r})
del Explorer, leave_figures"""
LACKING = '<p class="evalteach">{}</p>'
STILL = LACKING.format("On this page it stands still; its controls need the notebook.")
UNCHECKED = LACKING.format("On this page nothing is checked; your own answer needs the notebook.")


def run_all(notebooks, cache):
    """The folders in the cache with what the pages of these notebooks are made of, by the notebook's path."""
    try:
        return asyncio.run(_run_all(notebooks, cache))
    except ExceptionGroup as several:
        raise several.exceptions[0] from None


async def _run_all(notebooks, cache):
    common, kernels, made = tools_digest(), asyncio.Semaphore(PROCESSES), {}
    began, ends = time.monotonic(), "\r" if sys.stdout.isatty() else "\n"

    async def one(notebook):
        async with kernels:
            made[notebook] = await run(notebook, cache, common)
        bar = "#" * (30 * len(made) // len(notebooks))
        line = f"[{bar:.<30}] {len(made)} of {len(notebooks)} notebooks, {time.monotonic() - began:.0f} s"
        print(f"{line}: {notebook.stem:<30}", end="\n" if len(made) == len(notebooks) else ends, flush=True)

    async with asyncio.TaskGroup() as group:
        # the longest files first, so that none of them is left over at the end
        for notebook in sorted(notebooks, key=lambda path: path.stat().st_size, reverse=True):
            group.create_task(one(notebook))
    return made


def tools_digest():
    """A hash of all that may change a page besides its notebook: the library, these tools, and all versions."""
    digest = sha256(sys.version.encode())
    files = [path for path in PACKAGE.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    for path in (*sorted(files), Path(__file__), TOOLS / "site_figures.py"):
        digest.update(os.path.relpath(path, PACKAGE).encode() + path.read_bytes())
    digest.update("\n".join(sorted(f"{each.name} {each.version}" for each in distributions())).encode())
    return digest


async def run(notebook, cache, common):
    """The folder in the cache with what this notebook's page is made of, which is run if it is not there."""
    digest, name = common.copy(), notebook.stem
    some = os.environ.get("EVALTEACH_SITE_ONLY", name)  # the others are shown with the outputs that are stored
    is_run = name in some.split(",")
    digest.update(notebook.read_bytes() + str(is_run).encode())
    entry = Path(cache, name, digest.hexdigest()[:32])
    if entry.is_dir():
        return entry
    shutil.rmtree(entry.parent, ignore_errors=True)  # of older versions
    entry.parent.mkdir(parents=True)
    with tempfile.TemporaryDirectory(dir=entry.parent) as work:
        static = Path(work, "made", "static")
        static.mkdir(parents=True)
        book = nbformat.read(notebook, as_version=4)
        book.cells.insert(0, new_code_cell(IN_KERNEL.format(static=str(static), name=name)))
        try:
            if is_run:
                await execute(book)
        except CellExecutionError as error:
            raise RuntimeError(f"{name} stopped: {error.ename}: {error.evalue}") from None
        del book.cells[0]
        prepare(book, name, static)
        nbformat.write(book, Path(work, "made", "page.ipynb"))
        Path(work, "made").rename(entry)  # whole, or not at all
    return entry


async def execute(book):
    """Run a notebook in an empty folder, and in a kernel of its own, which finds this package and ``site_figures``."""
    with tempfile.TemporaryDirectory() as folder:
        place = {"metadata": {"path": folder}}
        client = NotebookClient(book, timeout=600, startup_timeout=300, kernel_name="python3", resources=place)
        await client.async_execute(env=environment(), stderr=subprocess.DEVNULL)  # what the kernel says of itself


def environment():
    paths = [str(TOOLS), str(PACKAGE.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def prepare(book, name, static):
    """Make of an executed notebook what myst-nb can show: folds, hidden code, pictures with a text, no widgets.

    Where it asks for what a page cannot do, it says so.
    """
    book.metadata.pop("widgets", None)
    book.cells[0].source = RUN_ALL.sub("", book.cells[0].source)
    for i, cell in enumerate(book.cells):
        cell.source = cell.source.replace("](index.md", "](terms.md")
        if cell.metadata.get(COLLAPSED) is True:
            cell.source = f"{{.{FOLD}}}\n{cell.source}"
        if cell.metadata.get("jupyter", {}).get("source_hidden") is True:
            cell.metadata["tags"] = [*cell.metadata.get("tags", ()), "hide-input"]
        lacking = [UNCHECKED] if cell.cell_type == "code" and re.search(OWN_ANSWER, cell.source) else []
        for j, output in enumerate(cell.get("outputs", ())):
            if output.output_type == "error":  # of what is displayed: it does not stop the notebook
                raise RuntimeError(f"{name} stopped: {output.ename}: {output.evalue}")
            data = output.get("data", {})
            for kind in [kind for kind in data if "javascript" in kind or "widget" in kind]:
                del data[kind]
                lacking = [STILL] if "widget" in kind else lacking
            if "image/png" in data and "text/html" not in data:
                file = static / f"{name}-{i}-{j}.png"
                file.write_bytes(b64decode(data["image/png"]))
                with Image.open(file) as image:
                    size = 'width="{}" height="{}"'.format(*image.size)
                alt = html.escape(output.metadata.get("image/png", {}).get("alt", ""))
                data["text/html"] = f'<img src="_static/{file.name}" {size} alt="{alt}" loading="lazy">'
        for text in lacking:
            cell.outputs.append(new_output("display_data", {"text/html": text}))
    pictures = re.findall(r'<img src="_static/([^"]*)"', "".join(shown(book)))
    if pictures:
        with Image.open(static / pictures[0]) as image:
            image.convert("RGB").save(static / f"{name}.png", optimize=True)


def shown(book):
    """The HTML that a notebook's cells show, in order."""
    for cell in book.cells:
        for output in cell.get("outputs", ()):
            if "text/html" in output.get("data", {}):
                yield output.data["text/html"]
