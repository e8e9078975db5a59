"""All notebooks as pages: Sphinx makes them, and of each explorer one slider moves without a kernel (page.js)."""

import html
import io
import json
import re
import shutil
import subprocess
import sys
import tempfile
from base64 import b64decode
from pathlib import Path
from urllib.parse import quote

from evalteach import _page

ROOM = 600_000  # bytes of pictures for each slider
PROBE = 9  # frames that tell how many find room
FRONT = Path(__file__).with_name("explorers")
FILES = ("frames.js", "page.js", "page.css")
OWN_ANSWER = re.compile(r"^check\(\s*(?!\w+_solved\b)\w", re.MULTILINE)
COLLAPSED = "jp-MarkdownHeadingCollapsed"
FOLD = "evalteach-fold"
IN_KERNEL = """from evalteach._site import let_live
from evalteach.explorers import Explorer
let_live(Explorer, {static!r}, {name!r})
del Explorer, let_live"""
NOTE = """```{{note}}
This page runs no code. Of the sliders of a picture one moves, as the line below it says. For *Run*, for all other
controls and for the exercises, {open} the notebook: {name}.
```"""
FIGURE = """<figure class="evalteach" data-frames="{frames}">
<img src="{frames}/{start}.webp" width="{width}" height="{height}" alt="{said}">
<div><label>{name}
<input type="range" max="{last}" value="{start}" autocomplete="off" disabled aria-valuetext="{value}"></label>
<span>{value}</span></div>
<output>{said}</output>
<p>{living}</p>
<script type="application/json">{held}</script>
</figure>"""
LACKING = '<p class="evalteach">{}</p>'
STILL = LACKING.format("On this page it stands still; its controls need the notebook.")
UNCHECKED = LACKING.format("On this page nothing is checked; your own answer needs the notebook.")
ICON = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">
<rect width="16" height="16" rx="3" fill="#0072b2"/>
<path d="M2 8h12" stroke="#fff" stroke-width="2"/><circle cx="10" cy="8" r="3.5" fill="#fff"/></svg>"""
SETTINGS = {
    "project": "evalteach",
    "extensions": ["myst_nb", "evalteach._site"],
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
    "myst_heading_slug_func": "evalteach._site.anchor",
    "suppress_warnings": ["myst.header"],  # a fold has a heading of level 4, under one of level 2
}


def build(entries, pages, out, tell, launch=None):
    """Run notebooks and write their pages; what Sphinx warns of is returned.

    Parameters
    ----------
    entries : list of (Path, cli.Entry)
        The notebooks, in order.
    pages : list of Path
        In Markdown, beside them.
    out : Path
        A folder that is empty or not there yet.
    tell : callable
        ``tell(name, share)`` hears of each cell, and at the end of "pages".
    launch : str, optional
        Address of a public copy on Binder or the like, which opens a notebook with ``?urlpath=``.
    """
    nbformat = _page.import_nbformat()
    with tempfile.TemporaryDirectory() as work:
        source, made = Path(work, "source"), Path(work, "made")
        static = source / "_static"
        static.mkdir(parents=True)
        for name in FILES:
            shutil.copyfile(FRONT / name, static / name)
        (static / "icon.svg").write_text(ICON, encoding="utf-8")
        for i, (notebook, entry) in enumerate(entries):
            book = nbformat.read(notebook, as_version=4)
            hidden = IN_KERNEL.format(static=str(static), name=entry.name)
            book.cells.insert(0, nbformat.v4.new_code_cell(hidden))
            _page.execute(book, entry.name, lambda done, n, i=i, e=entry: tell(e.name, (i + done / n) / len(entries)))
            del book.cells[0]
            _prepare(book, entry.name, static)
            note = NOTE.format(open=_opened(entry.name, launch), name=f"`{notebook.name}`")
            book.cells.insert(1, nbformat.v4.new_markdown_cell(note))
            nbformat.write(book, source / notebook.name)
        tell("pages", 1)
        for page in pages:  # the first page of a site is called index
            text = page.read_text(encoding="utf-8").replace("](index.md", "](terms.md")
            Path(source, "terms.md" if page.name == "index.md" else page.name).write_text(text, encoding="utf-8")
        (source / "index.md").write_text(_first_page([entry for _, entry in entries], pages), encoding="utf-8")
        settings = "\n".join(f"{name} = {value!r}" for name, value in SETTINGS.items())
        (source / "conf.py").write_text(settings, encoding="utf-8")
        command = [sys.executable, "-P", "-m", "sphinx", "-q", "-b", "html", "-d", f"{work}/read", source, made]
        done = subprocess.run(command, env=_page.environment(), cwd=work, capture_output=True, text=True)
        if done.returncode:
            raise ValueError(f"Sphinx stopped: {done.stderr.strip()}")
        (made / ".nojekyll").touch()  # else GitHub serves no folder whose name begins with _
        shutil.copytree(
            made, out, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".buildinfo*", "objects.inv", "_sources")
        )
    return done.stderr.replace(str(source), "").splitlines()


def anchor(heading):
    """What JupyterLab calls a heading in an address."""
    return heading.strip().replace(" ", "-")


def _opened(name, launch):
    if launch is None:
        return "open"
    return f"[launch]({launch}?urlpath={quote(f'lab/tree/notebooks/{name}.ipynb', safe='')}) or open"


def _prepare(book, name, static):
    """Make of an executed notebook what myst-nb can show: folds, hidden code, pictures with a text, no widgets.

    Where it asks for what a page cannot do, it says so.
    """
    book.metadata.pop("widgets", None)
    book.cells[0].source = re.sub(r"\*\*First:\*\* .*\n+", "", book.cells[0].source)  # "Run All Cells"
    for i, cell in enumerate(book.cells):
        cell.source = cell.source.replace("](index.md", "](terms.md")
        if cell.metadata.get(COLLAPSED) is True:
            cell.source = f"{{.{FOLD}}}\n{cell.source}"
        if cell.metadata.get("jupyter", {}).get("source_hidden") is True:
            cell.metadata["tags"] = [*cell.metadata.get("tags", ()), "hide-input"]
        lacking = [UNCHECKED] if cell.cell_type == "code" and re.search(OWN_ANSWER, cell.source) else []
        for j, output in enumerate(cell.get("outputs", ())):
            if output.output_type == "error":  # of what is displayed: it does not stop the notebook
                raise ValueError(f"{name} stopped: {output.ename}: {output.evalue}")
            data = output.get("data", {})
            for kind in [kind for kind in data if "javascript" in kind or "widget" in kind]:
                del data[kind]
                lacking = [STILL] if "widget" in kind else lacking
            if "image/png" in data and "text/html" not in data:
                (static / f"{name}-{i}-{j}.png").write_bytes(b64decode(data["image/png"]))
                said = html.escape(output.metadata.get("image/png", {}).get("alt", ""))
                data["text/html"] = f'<img src="_static/{name}-{i}-{j}.png" alt="{said}" loading="lazy">'
        for said in lacking:
            cell.outputs.append(_page.import_nbformat().v4.new_output("display_data", {"text/html": said}))


def _first_page(entries, pages):
    parts, lines = {}, ["# evalteach", "", "Evaluation metrics derived from counts, with sliders to move them.", ""]
    for entry in entries:
        parts.setdefault(entry.part, []).append(entry)
    for part, held in parts.items():
        lines += [f"## {part}", ""]
        for each in held:
            minutes = f" ({each.minutes} min)" if each.minutes else ""
            lines += [f"- [{each.name[:2]} {each.title}]({each.name}.ipynb): {each.question}{minutes}"]
        lines += ["", "```{toctree}", ":hidden:", f":caption: {part}"]
        lines += [*(f"{each.name[:2]} {each.title} <{each.name}>" for each in held), "```", ""]
    words = ["terms" if page.name == "index.md" else page.stem for page in pages]
    return "\n".join([*lines, "```{toctree}", ":hidden:", ":caption: Words", *words, "```", ""])


# --- in the kernel of a notebook -------------------------------------------------------------------------


def let_live(kind, static, name):
    """From now on an explorer that is displayed leaves the frames of one slider in a folder, and is a figure."""
    own, shown = kind._repr_mimebundle_, []

    def bundle(explorer, *args, **kwargs):
        made = own(explorer, *args, **kwargs)
        if not isinstance(made, tuple):  # it is closed: only its sentence is left
            return made
        shown.append(name)
        frames = f"{name}-{len(shown)}"
        folder = Path(static, frames)
        folder.mkdir()
        return {"text/html": _figure(explorer, folder, f"_static/{frames}"), "text/plain": repr(explorer)}, {}

    kind._repr_mimebundle_ = bundle


def _figure(explorer, folder, address):
    parts, at = explorer._parts, list(explorer._at())
    axis = next((i for i, part in enumerate(parts) if part.slider and not part.slider.disabled), 0)
    stops = list(parts[axis].for_the_front()["stops"])
    start = min(range(len(stops)), key=lambda i: abs(stops[i] - at[axis]))
    stops[start] = at[axis]  # where it stands, which may lie between two stops

    def draw(place):
        picture, said = explorer.frame([*at[:axis], stops[place], *at[axis + 1 :]])
        return picture and (*_packed(picture), html.unescape(re.sub("<[^>]*>", "", said)))

    drawn = thinned(len(stops), start, draw)
    for i, (picture, *_) in enumerate(drawn.values()):
        (folder / f"{i}.webp").write_bytes(picture)
    _, (width, height), said = drawn[start]
    held = [[_written(parts[axis], stops[place]), said] for place, (*_, said) in drawn.items()]
    name, values = parts[axis].widget.description, "all" if len(drawn) == len(stops) else f"{len(drawn)} of"
    others = [f"{part.widget.description} at {_written(part, part.place)}" for part in parts if part is not parts[axis]]
    standing = f", with {', '.join(others)}" if others else ""
    living = f"On this page “{name}” takes {values} its {len(stops)} values{standing}; all else needs the notebook."
    return FIGURE.format(
        frames=address,
        start=[*drawn].index(start),
        last=len(drawn) - 1,
        width=width,
        height=height,
        said=html.escape(said),
        value=html.escape(_written(parts[axis], at[axis])),
        name=html.escape(name),
        living=html.escape(living),
        held=json.dumps(held).replace("<", "\\u003c"),
    )


def thinned(n, start, draw):
    """Frames of as many places as find room, evenly, with both ends and the start; by place.

    ``draw(place)`` returns bytes and what belongs to them, or None where nothing can be drawn.
    """
    drawn = {}

    def take(many):
        places = sorted({start, *(round(i * (n - 1) / max(many - 1, 1)) for i in range(many))})
        drawn.update({place: draw(place) for place in places if place not in drawn})
        kept = {place: drawn[place] for place in places if drawn[place]}
        return kept, sum(len(picture) for picture, *_ in kept.values())

    some, size = take(min(PROBE, n))
    many = min(n, int(len(some) * ROOM / size))
    while True:
        kept, size = take(max(many, 2))
        if size <= ROOM:
            return kept
        if many <= 2:
            raise ValueError(f"{len(kept)} pictures of a slider have {size:,} bytes, and there is room for {ROOM:,}")
        many = int(many * ROOM / size)  # fewer, since size is above ROOM


def _packed(picture):
    """The same pixels in two thirds of the bytes, and how many they are."""
    from PIL import Image

    image, packed = Image.open(io.BytesIO(picture)), io.BytesIO()
    image.convert("RGB").save(packed, "webp", lossless=True)
    return packed.getvalue(), image.size


def _written(part, place):
    return f"{place:,.10g}" if part.slider else [*part.widget.options][place]


# --- in Sphinx -------------------------------------------------------------------------------------------


def setup(app):
    """Formulas as MathML, and folded headings as folds."""
    from docutils import nodes
    from latex2mathml.converter import convert
    from sphinx.transforms import SphinxTransform

    class Fold(SphinxTransform):
        default_priority = 870  # before the tables of contents are made

        def apply(self, **kwargs):
            for section in [each for each in self.document.findall(nodes.section) if FOLD in each["classes"]]:
                title, *held = section.children
                top = isinstance(
                    section.parent.parent, nodes.document
                )  # a section that others lead to keeps its heading
                opened = f'<details class="{FOLD}"><summary>{"Show" if top else html.escape(title.astext())}</summary>'
                before, after = (nodes.raw("", text, format="html") for text in (opened, "</details>"))
                if top:
                    section[1:] = [before, *held, after]
                else:
                    place = section.parent.index(section)
                    section.parent[place : place + 1] = [before, *held, after]

    def inline(translator, node):
        translator.body.append(convert(node.astext()))
        raise nodes.SkipNode

    def block(translator, node):
        translator.body.append(f'<div class="math">{convert(node.astext(), display="block")}</div>')
        raise nodes.SkipNode

    app.add_transform(Fold)
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
