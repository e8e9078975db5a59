"""Makes all notebooks into pages for a web server: Sphinx writes them, and one slider of each explorer moves (page.js).

    .ci/site DIR [--launch https://mybinder.org/v2/gh/OWNER/REPO/TAG]

It runs every notebook, which takes minutes. DIR is a new folder, or an empty one.
"""

import argparse
import html
import os
import re
import shutil
import subprocess
import sys
import tempfile
from base64 import b64decode
from pathlib import Path
from urllib.parse import quote

import nbformat
from lessons import COLLAPSED
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

from evalteach.command.catalogue import catalogue, shipped_notebooks, shipped_pages

TOOLS = Path(__file__).resolve().parent
PACKAGE = TOOLS.parents[1] / "evalteach"
FILES = (PACKAGE / "explorers" / "engine" / "frames.js", TOOLS / "page.js", TOOLS / "page.css")
OWN_ANSWER = re.compile(r"^check\(\s*(?!\w+_solved\b)\w", re.MULTILINE)
RUN_ALL = re.compile(r"^.*\*Run > Run All Cells\*.*\n+", re.MULTILINE)
FOLD = "evalteach-fold"
IN_KERNEL = """from evalteach.explorers import Explorer
from site_figures import leave_figures
leave_figures(Explorer, {static!r}, {name!r})
del Explorer, leave_figures"""
NOTE = """```{{note}}
This page runs no code. Of the sliders of a picture one moves, as the line below it says. For *Run*, for all other
controls and for the exercises, {open} the notebook: {name}.
```"""
LACKING = '<p class="evalteach">{}</p>'
STILL = LACKING.format("On this page it stands still; its controls need the notebook.")
UNCHECKED = LACKING.format("On this page nothing is checked; your own answer needs the notebook.")
ICON = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">
<rect width="16" height="16" rx="3" fill="#0072b2"/>
<path d="M2 8h12" stroke="#fff" stroke-width="2"/><circle cx="10" cy="8" r="3.5" fill="#fff"/></svg>"""
SETTINGS = {
    "project": "evalteach",
    "extensions": ["myst_nb", "make_site"],
    "html_theme": "furo",
    "html_title": "evalteach",
    "html_favicon": "_static/icon.svg",  # else browsers ask for one that is not there
    "html_static_path": ["_static"],
    "html_css_files": ["page.css"],
    "html_js_files": [("page.js", {"type": "module"})],
    "pygments_dark_style": "a11y-high-contrast-dark",  # the theme's own underlines names as if they were links
    "html_math_renderer": "mathml",  # no script, and nothing to fetch
    "html_copy_source": False,
    "html_show_copyright": False,
    "html_use_index": False,
    "nb_execution_mode": "off",
    "nb_merge_streams": True,
    "nb_render_markdown_format": "myst",  # else a table in Markdown is a line with bars
    "myst_enable_extensions": ["attrs_block", "dollarmath"],
    "myst_heading_anchors": 6,
    "myst_heading_slug_func": "make_site.anchor",
    "suppress_warnings": ["myst.header"],  # a fold has a heading of level 4, under one of level 2
}


def build(entries, pages, out, launch=None):
    """Run notebooks and write their pages to a folder; returns what Sphinx warns of.

    Parameters
    ----------
    entries : list of (Path, Entry)
        The notebooks, in order, and what the catalogue says of them.
    pages : list of Path
        In Markdown, beside them.
    out : Path
        A folder that is empty or not there yet.
    launch : str, optional
        Address of a public copy on Binder or the like, which opens a notebook with ``?urlpath=``.
    """
    with tempfile.TemporaryDirectory() as work:
        source, made = Path(work, "source"), Path(work, "made")
        static = source / "_static"
        static.mkdir(parents=True)
        for file in FILES:
            shutil.copyfile(file, static / file.name)
        (static / "icon.svg").write_text(ICON, encoding="utf-8")
        for notebook, entry in entries:
            print(entry.name, flush=True)
            book = nbformat.read(notebook, as_version=4)
            book.cells.insert(0, new_code_cell(IN_KERNEL.format(static=str(static), name=entry.name)))
            execute(book)
            del book.cells[0]
            prepare(book, entry.name, static)
            note = NOTE.format(open=_open_or_launch(entry.name, launch), name=f"`{notebook.name}`")
            book.cells.insert(1, new_markdown_cell(note))
            nbformat.write(book, source / notebook.name)
        for page in pages:  # the first page of a site is called index
            text = page.read_text(encoding="utf-8").replace("](index.md", "](terms.md")
            Path(source, "terms.md" if page.name == "index.md" else page.name).write_text(text, encoding="utf-8")
        (source / "index.md").write_text(_first_page([entry for _, entry in entries], pages), encoding="utf-8")
        settings = "\n".join(f"{name} = {value!r}" for name, value in SETTINGS.items())
        (source / "conf.py").write_text(settings, encoding="utf-8")
        command = [sys.executable, "-P", "-m", "sphinx", "-q", "-b", "html", "-d", f"{work}/read", source, made]
        done = subprocess.run(command, env=_environment(), cwd=work, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"Sphinx stopped: {done.stderr.strip()}")
        (made / ".nojekyll").touch()  # else GitHub serves no folder whose name begins with _
        shutil.copytree(
            made, out, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".buildinfo*", "objects.inv", "_sources")
        )
    return done.stderr.replace(str(source), "").splitlines()


def execute(book):
    """Run a notebook in an empty folder, and in a kernel of its own, which finds this package and ``site_figures``."""
    with tempfile.TemporaryDirectory() as folder:
        client = NotebookClient(book, timeout=600, kernel_name="python3", resources={"metadata": {"path": folder}})
        client.execute(env=_environment(), stderr=subprocess.DEVNULL)  # what the kernel says of itself


def _environment():
    paths = [str(TOOLS), str(PACKAGE.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def anchor(heading):
    """What JupyterLab calls a heading in an address."""
    return heading.strip().replace(" ", "-")


def _open_or_launch(name, launch):
    if launch is None:
        return "open"
    return f"[launch]({launch}?urlpath={quote(f'lab/tree/notebooks/{name}.ipynb', safe='')}) or open"


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
                (static / f"{name}-{i}-{j}.png").write_bytes(b64decode(data["image/png"]))
                alt = html.escape(output.metadata.get("image/png", {}).get("alt", ""))
                data["text/html"] = f'<img src="_static/{name}-{i}-{j}.png" alt="{alt}" loading="lazy">'
        for text in lacking:
            cell.outputs.append(new_output("display_data", {"text/html": text}))


def _first_page(entries, pages):
    parts, lines = {}, ["# evalteach", "", "Evaluation metrics derived from counts, with sliders to move them.", ""]
    for entry in entries:
        parts.setdefault(entry.part, []).append(entry)
    for part, notebooks in parts.items():
        lines += [f"## {part}", ""]
        for entry in notebooks:
            minutes = f" ({entry.minutes} min)" if entry.minutes else ""
            lines += [f"- [{entry.name[:2]} {entry.title}]({entry.name}.ipynb): {entry.question}{minutes}"]
        lines += ["", "```{toctree}", ":hidden:", f":caption: {part}"]
        lines += [*(f"{entry.name[:2]} {entry.title} <{entry.name}>" for entry in notebooks), "```", ""]
    words = ["terms" if page.name == "index.md" else page.stem for page in pages]
    return "\n".join([*lines, "```{toctree}", ":hidden:", ":caption: Words", *words, "```", ""])


# --- in Sphinx -------------------------------------------------------------------------------------------


def setup(app):
    """Formulas as MathML, and folded headings as folds."""
    from docutils import nodes
    from latex2mathml.converter import convert
    from sphinx.transforms import SphinxTransform

    class Fold(SphinxTransform):
        default_priority = 870  # before the tables of contents are made

        def apply(self, **kwargs):
            for section in [section for section in self.document.findall(nodes.section) if FOLD in section["classes"]]:
                title, *content = section.children
                # a section that others link to keeps its heading
                is_top = isinstance(section.parent.parent, nodes.document)
                summary = "Show" if is_top else html.escape(title.astext())
                tags = f'<details class="{FOLD}"><summary>{summary}</summary>', "</details>"
                before, after = (nodes.raw("", tag, format="html") for tag in tags)
                if is_top:
                    section[1:] = [before, *content, after]
                else:
                    place = section.parent.index(section)
                    section.parent[place : place + 1] = [before, *content, after]

    def inline(translator, node):
        translator.body.append(convert(node.astext()))
        raise nodes.SkipNode

    def block(translator, node):
        translator.body.append(f'<div class="math">{convert(node.astext(), display="block")}</div>')
        raise nodes.SkipNode

    app.add_transform(Fold)
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def main(arguments=None):
    parser = argparse.ArgumentParser(prog=".ci/site", description=__doc__.partition("\n")[0])
    parser.add_argument("folder", metavar="DIR", type=Path, help="where to write it: a new folder, or an empty one")
    parser.add_argument("--launch", metavar="ADDRESS", help="a public copy: https://mybinder.org/v2/gh/OWNER/REPO/TAG")
    given = parser.parse_args(arguments)
    if os.path.lexists(given.folder) and not (given.folder.is_dir() and not any(given.folder.iterdir())):
        parser.error(f"{given.folder} is there already, and nothing is overwritten; name a new folder, or an empty one")
    os.environ["JUPYTER_PREFER_ENV_PATH"] = "1"  # the kernel of this environment, not the user's
    entries = [*zip(shipped_notebooks(), catalogue(), strict=True)]
    for warning in build(entries, shipped_pages(), given.folder, given.launch and given.launch.rstrip("/")):
        print(f"Warning: {warning}")
    print(f"written: {given.folder}; look at it with: {sys.executable} -m http.server -d {given.folder}")


if __name__ == "__main__":
    main()
