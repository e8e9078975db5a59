"""`evalteach site`: what it refuses, and the pages that it writes of two small notebooks."""

import copy
import html
import importlib.util
import io
import json
import os
import re
import sys
from base64 import b64encode
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import unquote
from xml.etree import ElementTree

import nbformat
import numpy as np
import pytest
from docutils import nodes
from docutils.frontend import get_default_settings
from docutils.utils import new_document
from explorers.helpers import CASES, REGISTERED
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from PIL import Image

from evalteach import ThresholdExplorer, _page, _site, cli

NAME = "10_small"
LAUNCH = "https://mybinder.org/v2/gh/owner/repo/v1"
EXPLORER = """import numpy as np
from evalteach import ThresholdExplorer, moving
rng = np.random.default_rng(0)
explorer = ThresholdExplorer(rng.random(200) < 0.4, np.round(rng.random(200), 2), threshold=0.333)
explorer"""
MOVING = """def draw(axes, n=5, kind="line"):
    axes.set(xlim=(0, 10), ylim=(0, 2))
    axes.plot([0, n], [0, 1], marker="o" if kind == "<dots>" else "")
    if n == 7:
        raise ValueError("no seven")
    return f"{kind}: 1 & {n}."
moving(draw, n=(1, 9), kind=["line", "<dots>"])"""
CHOICE = """moving(lambda axes, kind="dots": axes.set_title(kind) and f"It is {kind}.", kind=["line", "dots"])"""
SHOWN = """from matplotlib.figure import Figure
from evalteach import plots
(figure := Figure()).subplots().plot([0, 1])
plots.show(figure, "A line rises.")"""

TABLE = """from IPython.display import Markdown
Markdown("| really | said |\\n|---|--:|\\n| fraud | 76 |")"""
BUTTONS = "import ipywidgets\nipywidgets.Button(description='Pour')"
EXERCISE = """def check(function, tries):
    print("not yet")
double = double_solved = None
check(double, [])"""


def folded(source):
    return new_markdown_cell(source, metadata={"jp-MarkdownHeadingCollapsed": True})


CELLS = [
    new_markdown_cell("# A small one\n\n**First:** *Run > Run All Cells*.\n\n**Question:** Is it?\n\n**Minutes:** 5"),
    new_code_cell(EXPLORER),
    new_markdown_cell("## 1. Guess: who?\n\nSee [two](11_other.ipynb#2.-What,-then?), [more](#Deeper:-more)."),
    folded("#### Answer"),
    new_code_cell("print('it was', 'me')"),
    new_markdown_cell("So it was."),
    new_markdown_cell("### In sight\n\nThe odds are $\\frac{p}{1 - p}$:\n\n$$R = \\sum_i x_i$$"),
    new_code_cell(MOVING),
    new_code_cell(CHOICE),
    new_code_cell(SHOWN, metadata={"jupyter": {"source_hidden": True}}),
    new_code_cell(TABLE),
    new_code_cell(BUTTONS),
    new_code_cell(EXERCISE),
    new_code_cell("check(double_solved, [])"),
    new_markdown_cell("<details><summary>Hint</summary>Look twice.</details>"),
    folded("## Deeper: more"),
    new_markdown_cell("Far down, see the [index](index.md)."),
]
OTHER = [
    new_markdown_cell("# Another\n\n**Question:** And?"),
    new_markdown_cell("## 2. What, then?\n\n[Back](10_small.ipynb)"),
]


def install(folder, **books):
    """An installed package with these notebooks; returns where its cli.py would be."""
    notebooks = folder / "evalteach" / "_notebooks"
    notebooks.mkdir(parents=True)
    for name, cells in books.items():
        nbformat.write(new_notebook(cells=cells), notebooks / f"{name[1:]}.ipynb")
    (notebooks / "index.md").write_text("# Index\n\n[one](10_small.ipynb#In-sight), [words](glossary.md)\n")
    (notebooks / "glossary.md").write_text("# Glossary\n\n| $F$ | the [index](index.md) |\n|---|---|\n| a | b |\n")
    return str(notebooks.parent / "cli.py")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A folder with the site of two small notebooks, and what the command said."""
    folder, told = tmp_path_factory.mktemp("site"), []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cli, "__file__", install(folder, _10_small=CELLS, _11_other=OTHER))
        patch.setattr(cli, "_tell", told.append)
        assert cli.main(["site", str(folder / "made"), "--launch", LAUNCH]) == 0
    return folder / "made", told


class Page(HTMLParser):
    """What a page holds: names, addresses, pictures, what it loads, and the words that stand in folds."""

    def __init__(self, path):
        super().__init__()
        self.names, self.links, self.loaded, self.pictures = set(), [], [], []
        self.folds, self.open, self.text = [], 0, path.read_text(encoding="utf-8")
        self.feed(self.text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.names.add(attributes.get("id"))
        if tag == "a" and "href" in attributes:
            self.links.append(attributes["href"])
        if tag in ("script", "link", "img", "iframe"):
            self.loaded += [attributes[kind] for kind in ("src", "href") if attributes.get(kind)]
        if tag == "img":
            self.pictures.append(attributes)
        if tag == "details":
            self.open += 1
            self.folds.append("")

    def handle_endtag(self, tag):
        self.open -= tag == "details"

    def handle_data(self, data):
        if self.open:
            self.folds[-1] += data


def figures(page):
    """Of each living picture: where its frames are, its values and sentences, and its HTML."""
    for found in re.findall(r'<figure class="evalteach".*?</figure>', page.text, flags=re.S):
        held = re.search(r'<script type="application/json">(.*?)</script>', found)[1]
        yield re.search(r'data-frames="([^"]*)"', found)[1], json.loads(held), found


@pytest.fixture(scope="module")
def page(site):
    return Page(site[0] / f"{NAME}.html")


def test_the_command_says_what_it_runs_and_how_to_look_at_it(site):
    made, told = site
    assert told[0] == "running 2 notebooks; that takes minutes"
    assert told[1:4] == ["10_small (1 of 3)", "11_other (2 of 3)", "pages (3 of 3)"]
    assert len(told) == 5, "Sphinx has nothing to warn of"
    assert told[4].endswith(f"-m http.server -d {made}")


def test_frames_are_the_pixels_and_sentences_that_the_explorer_draws(site, page):
    rng = np.random.default_rng(0)
    explorer = ThresholdExplorer(rng.random(200) < 0.4, np.round(rng.random(200), 2), threshold=0.333)
    frames, held, html = next(figures(page))
    files = sorted((site[0] / frames).iterdir(), key=lambda file: int(file.stem))
    assert [file.name for file in files] == [f"{i}.webp" for i in range(len(held))]
    values = [float(value) for value, _ in held]
    assert values == sorted(values)
    stops = explorer._parts[0].stops
    assert (values[0], values[-1]) == (stops[0], stops[-1])
    assert values.count(0.333) == 1
    assert f'value="{values.index(0.333)}"' in html
    for place in (0, values.index(0.333), len(values) - 1):
        explorer.controls["threshold"].value = values[place]
        assert repr(explorer) == held[place][1]
        drawn, kept = (
            Image.open(source).convert("RGB") for source in (io.BytesIO(explorer.picture.value), files[place])
        )
        assert np.array_equal(drawn, kept)


def test_frames_of_a_slider_find_room_and_only_one_control_moves(site, page):
    spans = []
    for frames, held, _ in figures(page):
        assert sum(file.stat().st_size for file in (site[0] / frames).iterdir()) <= 600_000
        spans.append([value for value, _ in held])
    threshold, n, kind = spans
    assert len(threshold) > 20
    assert n == ["1", "2", "3", "4", "5", "6", "8", "9"], "where nothing can be drawn is no place"
    assert kind == ["line", "dots"]


def test_a_figure_says_what_is_seen_which_slider_moves_and_where_the_others_stand(page):
    (_, _, first), (_, held, second), (_, _, third) = figures(page)
    assert held[4] == ["5", "line: 1 & 5."]
    assert second.count("line: 1 &amp; 5.") == 2, "beside the picture and in its place"
    assert 'alt="line: 1 &amp; 5."' in second
    assert re.search(r'<label>n\n<input type="range" max="7" value="4" [^>]*disabled aria-valuetext="5">', second)
    assert "<p>On this page “n” takes 8 of its 9 values, with kind at line; all else needs the notebook.</p>" in second
    assert "<p>On this page “kind” takes all its 2 values; all else needs the notebook.</p>" in third
    assert re.search(r"“threshold” takes (all|\d+ of) its \d+ values, with metric at \w+, curve at ", first)


def test_every_picture_has_a_text(page):
    assert len(page.pictures) == 4
    assert all(picture["alt"] for picture in page.pictures)
    assert page.pictures[3]["alt"] == "A line rises."


def test_answers_are_folded_and_what_follows_them_is_not(page):
    answer, code, hint, deeper = page.folds
    assert answer.split("\n")[0] == "Answer"
    assert "it was me" in answer
    assert "So it was." in answer
    assert "In sight" not in answer
    assert "plots" in code
    assert hint == "HintLook twice."
    assert "Far down" in deeper
    assert 'href="#answer"' not in page.text, "no table of contents tells of folds"
    assert re.search(r"<h2>Deeper: more<a [^>]*>[^<]*</a></h2>\s*<details", page.text), "others lead to it"


def test_formulas_are_mathml_and_widgets_are_gone(page):
    assert page.text.count("<math ") == 2
    assert "<mfrac>" in page.text
    assert 'display="block"' in page.text
    assert "widget-view" not in page.text
    assert "jupyter-widgets" not in page.text


def test_prose_that_a_page_cannot_follow_is_replaced_by_what_it_can(page):
    assert "Run All Cells" not in page.text
    assert "This page runs no code" in page.text
    assert f"{LAUNCH}?urlpath=lab%2Ftree%2Fnotebooks%2F10_small.ipynb" in page.links


def test_what_prose_asks_for_and_a_page_cannot_do_is_said_there(page):
    said = re.findall(r'<p class="evalteach">On this page (.*?)</p>', page.text)
    assert said == [
        "it stands still; its controls need the notebook.",
        "nothing is checked; your own answer needs the notebook.",
    ]
    after = page.text.split(f"On this page {said[1]}")
    assert "not yet" in after[0], "below what the check of an own answer says"
    assert "not yet" in after[1], "and not below the solution's"


def test_a_table_in_markdown_is_a_table(page):
    shown = page.text.partition("really</p>")[2]
    assert re.match(r"</th>\s*<th[^>]*><p>said</p>", shown)
    assert re.search(r"<td[^>]*><p>76</p></td>", shown)


def test_browsers_find_the_icon_that_they_ask_for(site, page):
    [icon] = re.findall(r'<link rel="(?:shortcut )?icon" href="([^"?]*)', page.text)
    assert "<svg" in (site[0] / icon).read_text()


def test_nothing_is_fetched_from_another_host(site):
    for path in site[0].glob("*.html"):
        elsewhere = [address for address in Page(path).loaded if re.match(r"(?:\w+:)?//", address)]
        assert not elsewhere, path.name
    styles = "".join(path.read_text(encoding="utf-8") for path in site[0].rglob("*.css"))
    assert not re.findall(r"(?:url\(|@import)\s*['\"]?(?:https?:)?//[^)]*", styles)


def test_every_link_leads_to_a_page_and_a_place(site):
    assert not [*broken_links(site[0])]
    words = {path.name for path in site[0].glob("*.html")}
    assert {"index.html", "10_small.html", "11_other.html", "glossary.html", "terms.html", "search.html"} <= words
    assert {"terms.html", "11_other.html#what-then", "#deeper-more"} <= {*Page(site[0] / f"{NAME}.html").links}


def test_every_page_is_small(site):
    theme = sum(path.stat().st_size for path in site[0].glob("_static/**/*.[jc]s*") if "stemmer" not in path.name)
    largest = max(path.stat().st_size for path in site[0].glob("*.html"))
    assert theme + largest < 500_000


def broken_links(folder):
    pages = {path.name: Page(path) for path in folder.glob("*.html")}
    for name, page in pages.items():
        for link in page.links:
            target, _, place = link.partition("#")
            if re.match(r"\w+:", link):
                continue
            found = pages.get(target or name)
            if found is None or (place and unquote(place) not in found.names):
                yield name, link


@pytest.mark.parametrize("name", REGISTERED)
def test_every_explorer_is_a_figure_with_frames(tmp_path, monkeypatch, name):
    monkeypatch.setattr(_site, "ROOM", 60_000)  # a few
    monkeypatch.setattr(_site, "PROBE", 3)
    explorer = CASES[name].make()
    before = repr(explorer), explorer._at()
    figure = _site._figure(explorer, tmp_path, "frames")
    assert (repr(explorer), explorer._at()) == before, "it stands where it stood"
    held = json.loads(re.search(r'<script type="application/json">(.*?)</script>', figure)[1])
    assert len(held) == len([*tmp_path.iterdir()]) > 1
    assert len({sentence for _, sentence in held}) > 1
    start = int(re.search(r' value="(\d+)"', figure)[1])
    assert held[start][1] == repr(explorer)
    explorer.close()


# --- frames that find room -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "start", "size"), [(1, 0, 9), (2, 1, 9), (9, 4, 70_000), (201, 77, 5_900), (500, 3, 9_000)]
)
def test_places_are_thinned_evenly_until_they_find_room(n, start, size):
    kept = _site.thinned(n, start, lambda place: (bytes(size + place), place))
    places = [*kept]
    assert places == sorted({0, start, n - 1} | {*places})
    total = sum(len(picture) for picture, _ in kept.values())
    assert total <= _site.ROOM
    assert len(places) == n or total > 0.8 * _site.ROOM
    steps = np.diff([place for place in places if place != start])
    assert steps.size == 0 or max(steps) <= 2 * max(1, n / len(places)) + 1


def test_all_places_are_kept_where_all_find_room():
    assert [*_site.thinned(141, 20, lambda place: (b"png", place))] == [*range(141)]


def test_a_place_that_cannot_be_drawn_is_left_out():
    assert 7 not in _site.thinned(20, 3, lambda place: None if place == 7 else (b"png",))


def test_pictures_that_find_no_room_are_refused():
    with pytest.raises(ValueError, match=r"^3 pictures of a slider have 900,000 bytes, and there is room for 600,000$"):
        _site.thinned(100, 50, lambda place: (bytes(300_000),))


# --- what is refused -------------------------------------------------------------------------------------


@pytest.fixture
def refused(tmp_path, monkeypatch, capsys):
    """What the command says to arguments that it refuses; the folder holds a reader's file."""
    monkeypatch.setattr(cli, "__file__", install(tmp_path / "installed", _10_small=OTHER))
    monkeypatch.chdir(tmp_path)
    Path("own").mkdir()
    Path("own", "thesis.html").write_text("mine")
    Path("empty").mkdir()

    def run(*arguments):
        assert cli.main(["site", *arguments]) == 2
        return capsys.readouterr().err

    yield run
    assert Path("own", "thesis.html").read_text() == "mine"
    assert not [*Path("empty").iterdir()]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "installed", "own"]


@pytest.mark.parametrize("name", ["own", "own/thesis.html"])
def test_nothing_is_overwritten(refused, name):
    said = f"evalteach: {name} is there already, and nothing is overwritten; name a new folder, or an empty one.\n"
    assert refused(name) == said


def test_a_folder_in_a_folder_that_is_not_there_is_refused(refused):
    assert refused("no/site").startswith("evalteach: there is no folder no; ")


@pytest.mark.parametrize("launch", ["binder", "https://mybinder.org/v2/gh/o/r/t?urlpath=lab", "https://a b"])
def test_an_address_that_opens_no_notebook_is_refused(refused, launch):
    assert refused("empty", "--launch", launch).startswith("evalteach: --launch must be an address that begins with")


@pytest.mark.parametrize("missing", cli.SITE)
def test_what_is_missing_is_named_with_the_command_that_installs_it(refused, monkeypatch, missing):
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == missing else found(name))
    said = refused("empty")
    assert said.startswith(f"evalteach: {missing} is missing; run: ")
    assert said.endswith(' -m pip install "evalteach[site]"\n')


def test_a_notebook_that_stops_is_named_and_leaves_no_page(refused):
    broken = new_code_cell("class Broken:\n    def _repr_html_(self): return 1 / 0\nBroken()")
    nbformat.write(new_notebook(cells=[*OTHER, broken]), Path(cli.__file__).parent / "_notebooks" / "10_small.ipynb")
    assert refused("empty") == "evalteach: 10_small stopped: ZeroDivisionError: division by zero.\n"


# --- what Sphinx is given --------------------------------------------------------------------------------


def displayed(cell, *outputs):
    cell.outputs = list(outputs)
    return cell


DOT = b64encode(b"a picture").decode()
PICTURE = {"image/png": DOT, "text/plain": "<Figure>"}
WIDGET = {"application/vnd.jupyter.widget-view+json": {"model_id": "5"}, "text/plain": "Button()"}
SHOWN_CELLS = [
    new_markdown_cell("# A small one\n\n**First:** *Run > Run All Cells*.\n\n\n**Question:** Is it?"),
    folded("#### Answer\n\nsee [words](index.md#F), [more](index.md)"),
    new_markdown_cell("not folded", metadata={"jp-MarkdownHeadingCollapsed": False}),
    displayed(
        new_code_cell("shown", metadata={"jupyter": {"source_hidden": True}, "tags": ["solution"]}),
        new_output("display_data", PICTURE, metadata={"image/png": {"alt": 'A "dot" & a line.'}}),
        new_output("display_data", PICTURE),
        new_output("display_data", {**PICTURE, "text/html": "<b>own</b>"}),
        new_output("stream", name="stdout", text="said\n"),
    ),
    new_code_cell("bare", metadata={"jupyter": {"source_hidden": True}}),
    new_code_cell("in sight", metadata={"jupyter": {"source_hidden": False}}),
    displayed(new_code_cell("widgets"), new_output("display_data", WIDGET)),
    displayed(new_code_cell("a = 1\ncheck(\n  a, [])"), new_output("stream", name="stdout", text="not yet\n")),
    displayed(new_code_cell("check(a, [])\nwidgets"), new_output("display_data", WIDGET)),
    displayed(
        new_code_cell("check(b, [])"),
        new_output("display_data", {"application/javascript": "alert(1)", "text/html": "<p>end</p>"}),
    ),
    new_code_cell("check(a_solved, [])\n  check(indented, [])"),
    new_markdown_cell("check(a, [])"),
]


@pytest.fixture
def build(tmp_path, monkeypatch):
    """Build a site of two notebooks whose outputs are there, with something that stands for Sphinx.

    It returns what is warned of; ``build.source`` holds the files that Sphinx was given, and ``build.told`` what
    was told. ``build.code`` is Sphinx's exit code.
    """
    installed = Path(install(tmp_path / "installed", _10_small=OTHER, _11_other=OTHER)).parent / "_notebooks"
    small = cli.Entry("10_small", "A small one", "Is it?", 5, 5, "Ranking", cli.PATHS)
    entries = [small, small._replace(name="11_other", title="Another", minutes=0, part="Practice")]
    build = SimpleNamespace(told=[], ran=[], code=0, out=tmp_path / "out")

    def execute(book, name, tell):
        build.ran.append((name, book.cells[0].cell_type, book.cells[0].source))
        tell(1, 2)
        tell(2, 2)
        if name == "10_small":
            book.cells[1:] = copy.deepcopy(SHOWN_CELLS)
            book.metadata.widgets = {"state": 1}

    def sphinx(command, **options):
        build.command, build.options, (source, made) = command, options, command[-2:]
        build.source = {
            str(path.relative_to(source)): path.read_bytes() for path in source.rglob("*") if path.is_file()
        }
        (made / "_sources").mkdir(parents=True)
        for name in ("index.html", ".buildinfo", ".buildinfo.bak", "objects.inv", "_sources/index.md"):
            (made / name).write_text(name)
        return SimpleNamespace(returncode=build.code, stderr=f"{source}/index.md: a warning\nanother\n")

    monkeypatch.setattr(_page, "execute", execute)
    monkeypatch.setattr(_site.subprocess, "run", sphinx)
    monkeypatch.setenv("JUPYTER_PREFER_ENV_PATH", "0")  # and so what is set is undone

    def run(launch=None):
        books = [installed / f"{entry.name}.ipynb" for entry in entries]
        pages = [installed / "glossary.md", installed / "index.md"]
        return _site.build(
            [*zip(books, entries, strict=True)], pages, build.out, lambda *shown: build.told.append(shown), launch
        )

    build.run = run
    return build


def test_sphinx_is_run_by_this_python_apart_from_what_lies_in_the_readers_folder(build):
    assert build.run() == ["/index.md: a warning", "another"]
    source, made = build.command[-2:]
    work = source.parent
    assert build.command[:-2] == [
        *(sys.executable, "-P", "-m", "sphinx", "-q", "-b", "html"),
        *("-d", f"{work}/read"),
    ]
    assert made.parent == work
    assert not work.exists()
    root = str(Path(_site.__file__).resolve().parent.parent)
    assert build.options.pop("env")["PYTHONPATH"].split(os.pathsep)[0] == root
    assert build.options == {"cwd": str(work), "capture_output": True, "text": True}
    assert sorted(str(path.relative_to(build.out)) for path in build.out.rglob("*")) == [".nojekyll", "index.html"]


def test_a_site_may_be_written_to_an_empty_folder(build):
    build.out.mkdir()
    build.run()
    assert (build.out / "index.html").is_file()


def test_where_sphinx_stops_its_words_are_told_and_nothing_is_written(build):
    build.code = 2
    with pytest.raises(ValueError, match=r"^Sphinx stopped: /.*/index.md: a warning\nanother$"):
        build.run()
    assert not build.out.exists()


def test_each_notebook_is_run_below_a_line_that_lets_its_explorers_live_and_tells_how_far_it_is(build):
    build.run()
    assert build.told == [
        *(("10_small", 0.25), ("10_small", 0.5)),
        *(("11_other", 0.75), ("11_other", 1.0)),
        ("pages", 1),
    ]
    for (name, kind, source), expected in zip(build.ran, ("10_small", "11_other"), strict=True):
        assert (name, kind) == (expected, "code")
        static = build.command[-2] / "_static"
        assert source == _site.IN_KERNEL.format(static=str(static), name=name)


def cells_of(build, name):
    return json.loads(build.source[name])["cells"]


def outputs_of(cells):
    """The source of each cell of code, and what is shown below it, in one string."""
    return {
        "".join(cell["source"]): "".join(
            "".join(held)
            for output in cell["outputs"]
            for held in (output.get("data") or {"stream": output["text"]}).values()
        )
        for cell in cells
        if cell["cell_type"] == "code"
    }


def test_a_page_folds_links_and_pictures_as_the_notebook_has_them_and_its_checks_stand_still(build):
    build.run()
    for name in _site.FILES:
        assert build.source[f"_static/{name}"] == (_site.FRONT / name).read_bytes()
    assert "widgets" not in json.loads(build.source["10_small.ipynb"])["metadata"]
    cells = cells_of(build, "10_small.ipynb")
    folded = ["".join(cell["source"]) for cell in cells if "evalteach-fold" in "".join(cell["source"])]
    assert folded == ["{.evalteach-fold}\n#### Answer\n\nsee [words](terms.md#F), [more](terms.md)"]
    hidden = ["".join(cell["source"]) for cell in cells if "hide-input" in cell["metadata"].get("tags", ())]
    assert hidden == ["shown", "bare"]
    told = outputs_of(cells)
    for place, alt in enumerate(("A &quot;dot&quot; &amp; a line.", "")):
        assert f'<img src="_static/10_small-3-{place}.png" alt="{alt}"' in told["shown"]
        assert build.source[f"_static/10_small-3-{place}.png"] == b"a picture"
    stills = {source for source, shown in told.items() if '<p class="evalteach">' in shown}
    assert stills == {
        source for source in told if "widgets" in source or re.search(r"^check\((?!a_solved)", source, re.M)
    }
    assert [line for line in build.source["index.md"].decode().splitlines() if line.startswith("- ")] == [
        "- [10 A small one](10_small.ipynb): Is it? (5 min)",
        "- [11 Another](11_other.ipynb): Is it?",
    ]


@pytest.mark.parametrize("launch", [None, LAUNCH])
def test_each_page_leads_to_the_notebook_to_launch(build, launch):
    build.run(launch)
    note = "".join(cells_of(build, "10_small.ipynb")[1]["source"])
    assert "`10_small.ipynb`" in note
    assert (f"({launch}?urlpath=lab%2Ftree%2Fnotebooks%2F10_small.ipynb)" in note) == bool(launch)


def test_a_notebook_with_an_error_in_what_it_shows_is_refused():
    book = new_notebook(cells=[new_markdown_cell("# A"), displayed(new_code_cell("a"))])
    book.cells[1].outputs.append(new_output("error", ename="KeyError", evalue="'a'", traceback=[]))
    with pytest.raises(ValueError, match=r"^10_small stopped: KeyError: 'a'$"):
        _site._prepare(book, "10_small", None)


# --- the figure of an explorer ---------------------------------------------------------------------------


def test_an_explorer_that_is_shown_becomes_a_figure_in_a_folder_of_its_own_and_a_closed_one_stays(
    tmp_path, monkeypatch
):
    class Kind:
        closed = False

        def __repr__(self):
            return "a sentence"

        def _repr_mimebundle_(self, include=None, exclude=None):
            return {"text/plain": (include, exclude)} if self.closed else ({"a": include}, {"b": exclude})

    drawn = []
    monkeypatch.setattr(_site, "_figure", lambda *asked: drawn.append(asked) or f"<figure {len(drawn)}>")
    _site.let_live(Kind, str(tmp_path), "10_small")
    one, two = Kind(), Kind()
    assert one._repr_mimebundle_() == ({"text/html": "<figure 1>", "text/plain": "a sentence"}, {})
    one.closed = True
    assert one._repr_mimebundle_(1, exclude=2) == {"text/plain": (1, 2)}
    assert two._repr_mimebundle_() == ({"text/html": "<figure 2>", "text/plain": "a sentence"}, {})
    assert drawn == [
        (one, tmp_path / "10_small-1", "_static/10_small-1"),
        (two, tmp_path / "10_small-2", "_static/10_small-2"),
    ]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["10_small-1", "10_small-2"]


def slider(name, stops, place, disabled=False):
    """What a figure asks of a slider."""
    return SimpleNamespace(
        slider=SimpleNamespace(disabled=disabled),
        widget=SimpleNamespace(description=name),
        place=place,
        for_the_front=lambda: {"stops": stops},
    )


def choice(name, options, place):
    widget = SimpleNamespace(description=name, options=options)
    return SimpleNamespace(
        slider=None, widget=widget, place=place, for_the_front=lambda: {"stops": range(len(options))}
    )


def test_a_figure_holds_the_frames_of_one_slider_and_says_where_the_others_stand(tmp_path, monkeypatch):
    monkeypatch.setattr(_site, "_packed", lambda drawn: (drawn, (300, 200)))
    kind = choice("kind", ("a", "<b>"), 1)
    cases = {
        "one": (
            [kind, slider("rate", [0], 0.5, True), slider("n", [1, 2, 4, 5, 1_000], 3.4), choice("x", ["y"], 0)],
            9,
        ),
        "two": ([slider("n", range(100), 12)], 100_000),
        "three": ([kind, slider("rate", [0], 0.125, disabled=True)], 9),
    }
    told = {}
    for name, (parts, size) in cases.items():

        def frame(values, size=size):
            said = f'<b>At</b> {values} &lt; &amp; "it".'
            return (bytes(size) if 2 not in values else None), said

        explorer = SimpleNamespace(_parts=parts, _at=lambda parts=parts: (part.place for part in parts), frame=frame)
        (folder := tmp_path / name).mkdir()
        told[name] = _site._figure(explorer, folder, f"_static/{name}")
        files = {path.name: path.stat().st_size for path in folder.iterdir()}
        steps = json.loads(re.search(r'<script type="application/json">(.*)</script>', told[name])[1])
        assert files == {f"{i}.webp": size for i in range(len(steps))}
        now, last = (int(re.search(rf'{which}="(\d+)"', told[name])[1]) for which in ("value", "max"))
        assert last == len(steps) - 1
        assert f'src="_static/{name}/{now}.webp" width="300" height="200"' in told[name]
        assert html.escape(steps[now][1]) in told[name], "the sentence, as text and in place of the picture"
    assert [step for step, _ in json.loads(re.search(r"json\">(.*)</script>", told["one"])[1])] == [
        "1",
        "3.4",
        "5",
        "1,000",
    ]
    assert re.search(r"“n” .* 4 .* 5 values, with kind at &lt;b&gt;, rate at 0.5, x at y", told["one"])
    assert re.search(r"“n” .* 6 .* 100 values", told["two"])
    assert re.search(r"“kind” .* all .* 2 values, with rate at 0.125", told["three"])
    assert "<b>" not in "".join(told.values())


def test_the_same_pixels_are_packed_without_loss():
    image = Image.fromarray(np.random.default_rng(0).integers(0, 255, (7, 5, 3), dtype=np.uint8))
    image.save(plain := io.BytesIO(), "png")
    packed, size = _site._packed(plain.getvalue())
    read = Image.open(io.BytesIO(packed))
    assert (read.format, size) == ("WEBP", (5, 7))
    assert np.array_equal(read, image)


@pytest.mark.parametrize(
    ("n", "start", "size", "places"),
    [
        (1, 0, 9, [0]),
        (20, 3, 60_000, [0, 2, 3, 5, 7, 10, 12, 14, 17, 19]),
        (100, 7, 100_000, [0, 7, 25, 50, 74, 99]),
        (100, 7, 200_000, [0, 7, 99]),
        (100, 0, 300_000, [0, 99]),
        (12, 11, 50_000, [*range(12)]),
        (13, 12, 50_000, [0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12]),
    ],
)
def test_the_places_of_frames_are_spread_to_the_ends(n, start, size, places):
    assert [*_site.thinned(n, start, lambda place: (bytes(size),))] == places


def test_a_place_on_a_page_is_called_as_in_jupyterlab():
    assert _site.anchor(" 2. What, then? ") == "2.-What,-then?"


# --- folds and formulas ----------------------------------------------------------------------------------


@pytest.fixture
def app():
    """Stands for Sphinx: what was added to it."""
    app = SimpleNamespace(transform=None, renderers=None)
    app.add_transform = lambda kind: setattr(app, "transform", kind)
    app.add_html_math_renderer = lambda *renderers: setattr(app, "renderers", renderers)
    app.said = _site.setup(app)
    return app


def test_a_section_that_is_folded_becomes_details_with_its_title_or_show_above(app):
    source = """
    <document>
      <section ids="top">
        <title>A small one</title>
        <paragraph>words</paragraph>
        <section ids="answer" classes="evalteach-fold"><title>1 &lt; 2</title><paragraph>two</paragraph></section>
        <section ids="deeper" classes="evalteach-fold"><title>Deeper</title><paragraph>down</paragraph></section>
      </section>
    </document>"""

    def made(element):
        if element.tag in ("title", "paragraph"):
            return getattr(nodes, element.tag)(element.text, element.text)
        return nodes.section(
            "", *map(made, element), ids=[element.get("ids")], classes=element.get("classes", "").split()
        )

    document = new_document("small", get_default_settings())
    document += [made(each) for each in ElementTree.fromstring(source)]
    inner = document[0][2]
    inner += nodes.section("", nodes.title("", "Hint & more"), nodes.paragraph("", "look"), classes=["evalteach-fold"])
    document += nodes.section("", nodes.title("", "Beside"), nodes.paragraph("", "it"), classes=["evalteach-fold"])
    app.transform(document).apply()
    assert app.transform.default_priority == 870
    assert app.said == {"parallel_read_safe": True, "parallel_write_safe": True}
    parts = [
        node.astext() for node in document.findall() if isinstance(node, nodes.raw | nodes.title | nodes.paragraph)
    ]
    parts = [re.sub(r'<details class="evalteach-fold"><summary>(.*)</summary>', r"[\1", part) for part in parts]
    assert [part.replace("</details>", "]") for part in parts] == [
        *("A small one", "words", "1 < 2", "[Show", "two", "[Hint &amp; more", "look", "]", "]"),
        *("Deeper", "[Show", "down", "]", "[Beside", "it", "]"),
    ]


def test_formulas_are_written_as_mathml_in_a_line_and_in_a_block(app):
    name, inline, block = app.renderers
    assert name == "mathml"
    assert inline[1] is block[1] is None
    for (render, _), before, display in ((inline, "", "inline"), (block, '<div class="math">', "block")):
        translator = SimpleNamespace(body=[])
        with pytest.raises(nodes.SkipNode):
            render(translator, nodes.math("", r"\frac{p}{q}"))
        (markup,) = translator.body
        assert markup.startswith(f'{before}<math xmlns="http://www.w3.org/1998/Math/MathML" display="{display}">')
        assert "<mfrac><mrow><mi>p</mi></mrow><mrow><mi>q</mi></mrow></mfrac>" in markup
        assert markup.endswith("</math></div>" if before else "</math>")
