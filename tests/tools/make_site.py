"""Makes all notebooks into pages for a web server: Sphinx writes them, and one slider of each explorer moves (page.js).

    .ci/site DIR [--launch https://mybinder.org/v2/gh/OWNER/REPO/TAG] [--address https://OWNER.github.io/REPO]

It runs every notebook, which takes minutes, and keeps what it made of them: the next time only those are run that have
changed, or all if the library has. DIR is a new folder, or an empty one.
"""

import argparse
import contextlib
import html
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import quote

import nbformat
from nbformat.v4 import new_markdown_cell
from site_notebooks import FOLD, PACKAGE, PROCESSES, TOOLS, environment, run_all, shown, tools_digest

from evalteach.command.catalogue import catalogue, shipped_notebooks, shipped_pages

CACHE = TOOLS.parents[1] / "build" / "site-cache"
FILES = (PACKAGE / "explorers" / "engine" / "frames.js", TOOLS / "page.js", TOOLS / "page.css")
NOTE = """```{{note}}
This page runs no code. One slider of each picture moves, as the line below the picture says. *Run*, all other controls
and the exercises need the notebook: {launch}open `{name}` in JupyterLab.
```"""
# the first page; its picture is the first one of the first notebook
FIRST = """# {title}

**{question}** The blue dots are ten positives, and the gray square is the crowd of negatives that comes with them. Drag
*ratio* to make the crowd larger, and watch what 100 alarms are made of.

```{{raw}} html
{picture}
```

Why does this happen, and how do you compute it before it happens to you? evalteach is a course of {n} Jupyter notebooks
that answers such questions about evaluating models, with pictures that you can move.

{{.evalteach-way}}
[Start the first lesson]({name}.ipynb) {others}

## All lessons
"""
# makes 38 parsers of web addresses when jsonschema is imported, which does without: seconds for nothing
WITHOUT = "import sys; sys.modules.setdefault('rfc3987_syntax')"
REPAIRS = {  # of what Sphinx writes: the title of the first page, and headings in the sidebar that are on no level
    "<title>evalteach</title>": "<title>evalteach: a course on evaluation metrics, with sliders</title>",
    'role="heading"><span class="caption-text"': 'role="heading" aria-level="2"><span class="caption-text"',
}
PLAIN_CODE = re.compile(
    r'<span class="[nwp]">([^<]*)</span>'
)  # no style colors names, spaces and brackets: half a page
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


def build(entries, pages, out, cache=CACHE, launch=None, address=""):
    """Run notebooks and write their pages to a folder; returns what Sphinx warns of.

    Parameters
    ----------
    entries : list of (Path, Entry)
        The notebooks, in order, and what the catalogue says of them.
    pages : list of Path
        In Markdown, beside them.
    out : Path
        A folder that is empty or not there yet.
    cache : Path
        A folder with what was made of notebooks before.
    launch : str, optional
        Address of a public copy on Binder or the like, which opens a notebook with ``?urlpath=``.
    address : str
        Of the site, for previews: who shows them elsewhere asks for a picture's whole address.
    """
    made = run_all([notebook for notebook, _ in entries], cache)
    began = time.monotonic()
    with _kept(cache, [path.name for path in (*made, *pages)]) as work:
        source, html_folder = work / "source", work / "made"
        static = source / "_static"
        for folder in (static, html_folder / "_static"):  # no pictures of older versions
            shutil.rmtree(folder, ignore_errors=True)
        static.mkdir(parents=True)
        for file in FILES:
            shutil.copyfile(file, static / file.name)
        (static / "icon.svg").write_text(ICON, encoding="utf-8")
        texts, described, first_picture = {}, {}, None
        for notebook, entry in entries:
            shutil.copytree(made[notebook] / "static", static, dirs_exist_ok=True)
            book = nbformat.read(made[notebook] / "page.ipynb", as_version=4)
            first_picture = first_picture or next((each for each in shown(book) if "<figure" in each), "")
            at = f"[open it on Binder]({_launched(entry.name, launch)}), or " if launch else ""
            book.cells.insert(1, new_markdown_cell(NOTE.format(launch=at, name=notebook.name), id="how-it-runs"))
            texts[notebook.name] = nbformat.writes(book)
            described[entry.name] = _plain(entry.question)
        for page in pages:  # the first page of a site is called index
            text = page.read_text(encoding="utf-8").replace("](index.md", "](terms.md")
            name = "terms" if page.name == "index.md" else page.stem
            texts[f"{name}.md"] = text
            described[name] = _plain(text.split("\n\n")[1])
        texts["index.md"] = _first_page([entry for _, entry in entries], pages, first_picture, launch)
        default = entries[0][1].name
        previews = {name: name if (static / f"{name}.png").exists() else default for name in described}
        about = {name: (text, f"{address}_static/{previews[name]}.png") for name, text in described.items()}
        settings = SETTINGS | {"about": about | {"": about[default]}}
        lines = [WITHOUT, *(f"{name} = {value!r}" for name, value in settings.items())]
        _write_what_changed(source, texts | {"conf.py": "\n".join(lines)})
        command = [sys.executable, "-P", "-m", "sphinx", "-q", "-b", "html", "-d", work / "read", f"-j{PROCESSES}"]
        done = subprocess.run(
            [*command, source, html_folder], env=environment(), cwd=work, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise RuntimeError(f"Sphinx stopped: {done.stderr.strip()}")
        for path in html_folder.glob("*.html"):
            text = PLAIN_CODE.sub(r"\1", path.read_text(encoding="utf-8"))
            for before, after in REPAIRS.items():
                text = text.replace(before, after)
            path.write_text(text, encoding="utf-8")
        for path in html_folder.glob("_static/*.css"):  # a tenth of it is comments and indentation
            text = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
            path.write_text(re.sub(r"\s*\n\s*", "\n", text), encoding="utf-8")
        (html_folder / ".nojekyll").touch()  # else GitHub serves no folder whose name begins with _
        left_out = shutil.ignore_patterns(".buildinfo*", "objects.inv", "_sources")
        shutil.copytree(html_folder, out, dirs_exist_ok=True, ignore=left_out)
        print(f"{len(described) + 1} pages, {time.monotonic() - began:.0f} s")
    return done.stderr.replace(str(source), "").splitlines()


@contextlib.contextmanager
def _kept(cache, names):
    """The folder in which Sphinx finds what it read and wrote before, if tools and names of pages are the same."""
    digest = tools_digest()
    digest.update(Path(__file__).read_bytes() + "\n".join(sorted(names)).encode())
    work = Path(cache, "sphinx", digest.hexdigest()[:32])
    if not work.is_dir():
        shutil.rmtree(work.parent, ignore_errors=True)  # of older versions
    work.mkdir(parents=True, exist_ok=True)
    try:
        yield work
    except BaseException:
        shutil.rmtree(work)  # a page may be half written
        raise


def _write_what_changed(folder, texts):
    """Files of these names and no others; Sphinx reads those again that are newer than what it knows of them."""
    for path in [path for path in folder.iterdir() if path.is_file() and path.name not in texts]:
        path.unlink()
    for name, text in texts.items():
        path = folder / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def _launched(name, launch):
    return f"{launch}?urlpath={quote(f'lab/tree/notebooks/{name}.ipynb', safe='')}"


def _plain(text):
    """A paragraph of Markdown without its marks."""
    return " ".join(re.sub(r"\[([^\]]*)\]\([^)]*\)|[*`$]", r"\1", text).split())


def anchor(heading):
    """What JupyterLab calls a heading in an address."""
    return heading.strip().replace(" ", "-")


def _first_page(entries, pages, picture, launch):
    first, names = entries[0], ["terms" if page.name == "index.md" else page.stem for page in pages]
    title = first.title.partition(": ")[2] or first.title
    ways = [f"({first.minutes} minutes)"]
    if "map" in names:
        ways += ["or [find the lesson for your question](map.md)"]
    if launch:
        ways += [f"or [open it on Binder]({_launched(first.name, launch)}), where all controls work"]
    lines = FIRST.format(
        title=title[0].upper() + title[1:],
        question=first.question,
        picture=picture,
        n=len(entries),
        name=first.name,
        others=", ".join(ways) + ".",
    ).splitlines()
    parts = {}
    for entry in entries:
        parts.setdefault(entry.part, []).append(entry)
    for part, notebooks in parts.items():
        lines += ["", f"### {part}", ""]
        for entry in notebooks:
            minutes = f" ({entry.minutes} min)" if entry.minutes else ""
            lines += [f"- [{entry.name[:2]} {entry.title}]({entry.name}.ipynb): {entry.question}{minutes}"]
        lines += ["", "```{toctree}", ":hidden:", f":caption: {part}"]
        lines += [*(f"{entry.name[:2]} {entry.title} <{entry.name}>" for entry in notebooks), "```", ""]
    return "\n".join([*lines, "```{toctree}", ":hidden:", ":caption: Words", *names, "```", ""])


# --- in Sphinx -------------------------------------------------------------------------------------------


def setup(app):
    """Formulas as MathML, folded headings as folds, and what a page says of itself to those who link to it."""
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

    def describe(app, name, template, context, doctree):
        title = re.sub(r"<[^>]*>", "", context.get("title") or "Search")
        text, picture = app.config.about.get(name, app.config.about[""])
        said = {"og:title": html.unescape(title), "og:description": text, "og:image": picture, "og:type": "article"}
        tags = [f'<meta property="{key}" content="{html.escape(value)}">' for key, value in said.items()]
        tags += [f'<meta name="description" content="{html.escape(text)}">']
        tags += ['<meta name="twitter:card" content="summary_large_image">']
        context["metatags"] = "\n".join([context.get("metatags", ""), *tags])

    app.add_config_value("about", {}, "html")  # by page: its description, and its picture for previews
    app.connect("html-page-context", describe)
    app.add_transform(Fold)
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def main(arguments=None):
    parser = argparse.ArgumentParser(prog=".ci/site", description=__doc__.partition("\n")[0])
    parser.add_argument("folder", metavar="DIR", type=Path, help="where to write it: a new folder, or an empty one")
    parser.add_argument("--launch", metavar="ADDRESS", help="a public copy: https://mybinder.org/v2/gh/OWNER/REPO/TAG")
    parser.add_argument(
        "--address", metavar="ADDRESS", default="", help="where it will be: https://OWNER.github.io/REPO"
    )
    parser.add_argument("--cache", metavar="DIR", type=Path, default=CACHE, help=f"what was made before, else {CACHE}")
    given = parser.parse_args(arguments)
    if os.path.lexists(given.folder) and not (given.folder.is_dir() and not any(given.folder.iterdir())):
        parser.error(f"{given.folder} is there already, and nothing is overwritten; name a new folder, or an empty one")
    os.environ["JUPYTER_PREFER_ENV_PATH"] = "1"  # the kernel of this environment, not the user's
    entries = [*zip(shipped_notebooks(), catalogue(), strict=True)]
    address = given.address and given.address.rstrip("/") + "/"
    launch = given.launch and given.launch.rstrip("/")
    for warning in build(entries, shipped_pages(), given.folder, given.cache, launch, address):
        print(f"Warning: {warning}")
    print(f"written: {given.folder}; look at it with: {sys.executable} -m http.server -d {given.folder}")


if __name__ == "__main__":
    main()
