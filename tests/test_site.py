"""`.ci/site`: the pages that it makes of two small notebooks, and the frames of each explorer."""

import io
import json
import os
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import make_site
import nbformat
import numpy as np
import pytest
import site_figures
import site_notebooks
from explorers.helpers import CASES, REGISTERED
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from PIL import Image

from evalteach import ThresholdExplorer
from evalteach.command.catalogue import PATHS, Entry

LAUNCH = "https://mybinder.org/v2/gh/owner/repo/v1"
ADDRESS = "https://owner.github.io/repo/"
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
CHOICE = """moving(lambda axes, rows=20: axes.set_title(rows) and f"It is {rows}.", rows=[10, 20])"""
SHOWN = """from matplotlib.figure import Figure
from evalteach import plots
(figure := Figure()).subplots().plot([0, 1])
plots.show(figure, "A line rises.")"""
TABLE = """from IPython.display import Markdown
Markdown("| really | said |\\n|---|--:|\\n| fraud | 76 |")"""
EXERCISE = """def check(function, tries):
    print("not yet")
double = double_solved = None
check(double, [])"""


def folded(source):
    return new_markdown_cell(source, metadata={"jp-MarkdownHeadingCollapsed": True})


SMALL = [
    new_markdown_cell("# A small one\n\n**Before you read on,** choose *Run > Run All Cells*.\n\n**Question:** Is it?"),
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
    new_code_cell("import ipywidgets\nipywidgets.Button(description='Pour')"),
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
INDEX = "# Index\n\n[one](10_small.ipynb#In-sight), [words](glossary.md)\n"
GLOSSARY = "# Glossary\n\n| $F$ | the [index](index.md) |\n|---|---|\n| a | b |\n"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of the site of two small notebooks, of which Sphinx has nothing to warn."""
    folder, small = tmp_path_factory.mktemp("site"), Entry("10_small", "A small one", "Is it?", 5, 5, "Ranking", PATHS)
    other = small._replace(name="11_other", title="Another", question="And?", minutes=0)
    for entry, cells in ((small, SMALL), (other, OTHER)):
        nbformat.write(new_notebook(cells=cells), folder / f"{entry.name}.ipynb")
    for name, text in (("index.md", INDEX), ("glossary.md", GLOSSARY)):
        (folder / name).write_text(text)
    entries = [(folder / f"{entry.name}.ipynb", entry) for entry in (small, other)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTER_PREFER_ENV_PATH", "1")
        pages = [folder / "glossary.md", folder / "index.md"]
        assert make_site.build(entries, pages, folder / "made", folder / "cache", LAUNCH, ADDRESS) == []
    return folder / "made"


def test_a_page_that_has_changed_is_made_again_and_the_others_stay(site, monkeypatch):
    monkeypatch.setenv("JUPYTER_PREFER_ENV_PATH", "1")
    folder, small = site.parent, Entry("10_small", "A small one", "Is it?", 5, 5, "Ranking", PATHS)
    other = small._replace(name="11_other", title="Another", question="And?", minutes=0)
    nbformat.write(new_notebook(cells=[*OTHER, new_markdown_cell("And so on.")]), folder / "11_other.ipynb")
    (work,) = folder.glob("cache/sphinx/*")
    (work / "made" / "_static" / "old.png").touch()
    doctree = work / "read" / "10_small.doctree"
    read_at = doctree.stat().st_mtime_ns
    entries = [(folder / f"{entry.name}.ipynb", entry) for entry in (small, other)]
    pages = [folder / "glossary.md", folder / "index.md"]
    assert make_site.build(entries, pages, folder / "again", folder / "cache", LAUNCH, ADDRESS) == []
    assert "And so on." in (folder / "again" / "11_other.html").read_text(encoding="utf-8")
    assert doctree.stat().st_mtime_ns == read_at
    same = [each.relative_to(site) for each in site.rglob("*") if each.is_file()]
    same = [name for name in same if "11_other" not in str(name) and name.name != "searchindex.js"]
    assert all((folder / "again" / name).read_bytes() == (site / name).read_bytes() for name in same)
    assert not (folder / "again" / "_static" / "old.png").exists()


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


def figures(text):
    """Of each living picture: where its frames are, its values and sentences, and its HTML."""
    for figure in re.findall(r'<figure class="evalteach".*?</figure>', text, flags=re.S):
        captions = re.search(r'<script type="application/json">(.*?)</script>', figure)[1]
        yield re.search(r'data-frames="([^"]*)"', figure)[1], json.loads(captions), figure


def broken_links(folder):
    pages = {path.name: Page(path) for path in folder.glob("*.html")}
    for name, page in pages.items():
        for link in page.links:
            target, _, place = link.partition("#")
            if re.match(r"\w+:", link):
                continue
            other = pages.get(target or name)
            if other is None or (place and unquote(place) not in other.names):
                yield name, link


@pytest.fixture(scope="module")
def page(site):
    return Page(site / "10_small.html")


def test_frames_are_the_pixels_and_sentences_that_the_explorer_draws(site, page):
    rng = np.random.default_rng(0)
    explorer = ThresholdExplorer(rng.random(200) < 0.4, np.round(rng.random(200), 2), threshold=0.333)
    frames, captions, figure = next(figures(page.text))
    files = sorted((site / frames).iterdir(), key=lambda file: int(file.stem))
    assert [file.name for file in files] == [f"{i}.webp" for i in range(len(captions))]
    values = [float(value) for value, _ in captions]
    assert (values, values.count(0.333)) == (sorted(values), 1)
    assert f'value="{values.index(0.333)}"' in figure
    for place in (0, values.index(0.333), len(values) - 1):
        explorer.controls["threshold"].value = values[place]
        assert repr(explorer) == captions[place][1]
        drawn, kept = (
            Image.open(source).convert("RGB") for source in (io.BytesIO(explorer.picture.value), files[place])
        )
        assert np.array_equal(drawn, kept)


def test_a_figure_says_what_is_seen_which_slider_moves_and_where_the_others_stand(site, page):
    (_, threshold, first), (_, n, second), (_, rows, third) = figures(page.text)
    assert len(threshold) > 20
    assert [value for value, _ in n] == ["1", "2", "3", "4", "5", "6", "8", "9"], "7 cannot be drawn, and is no place"
    assert rows == [["10", "It is 10."], ["20", "It is 20."]], "a choice among numbers"
    assert n[4] == ["5", "line: 1 & 5."]
    assert second.count("line: 1 &amp; 5.") == 2, "beside the picture and in its place"
    assert 'alt="line: 1 &amp; 5."' in second
    assert re.search(r'<label>n\n<input type="range" max="7" value="4" [^>]*disabled aria-valuetext="5">', second)
    assert "<p>On this page, “n” takes 8 of its 9 values, with kind at line. Everything else needs " in second
    assert "<p>On this page, “rows” takes all its 2 values. Everything else needs the notebook.</p>" in third
    assert re.search(r"“threshold” takes (all|\d+ of) its \d+ values, with metric at \w+, curve at ", first)
    assert all(picture["alt"] for picture in page.pictures)
    assert page.pictures[3]["alt"] == "A line rises."
    for frames, *_ in figures(page.text):
        assert sum(file.stat().st_size for file in (site / frames).iterdir()) <= 600_000


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


def test_a_page_has_formulas_and_tables_and_says_what_it_cannot_do(page):
    assert page.text.count("<math ") == 2
    assert all(part in page.text for part in ("<mfrac>", 'display="block"'))
    assert not any(part in page.text for part in ("widget-view", "jupyter-widgets", "Run All Cells"))
    assert re.search(r"<td[^>]*><p>76</p></td>", page.text)
    assert "This page runs no code" in page.text
    assert f"{LAUNCH}?urlpath=lab%2Ftree%2Fnotebooks%2F10_small.ipynb" in page.links
    still, unchecked = re.findall(r'<p class="evalteach">On this page (.*?)</p>', page.text)
    assert still == "it stands still; its controls need the notebook."
    before, after = page.text.split(f"On this page {unchecked}")
    assert "not yet" in before, "below what the check of an own answer says"
    assert "not yet" in after, "and not below the solution's"


def test_a_site_needs_nobody_else_and_every_link_leads_somewhere(site, page):
    for path in site.glob("*.html"):
        elsewhere = [address for address in Page(path).loaded if re.match(r"(?:\w+:)?//", address)]
        assert not elsewhere, path.name
    styles = "".join(path.read_text(encoding="utf-8") for path in site.rglob("*.css"))
    assert not re.findall(r"(?:url\(|@import)\s*['\"]?(?:https?:)?//[^)]*", styles)
    [icon] = re.findall(r'<link rel="(?:shortcut )?icon" href="([^"?]*)', page.text)
    assert "<svg" in (site / icon).read_text(), "else browsers ask for one that is not there"
    assert not [*broken_links(site)]
    names = {path.name for path in site.glob("*.html")}
    assert {"index.html", "10_small.html", "11_other.html", "glossary.html", "terms.html", "search.html"} <= names
    assert {"terms.html", "11_other.html#what-then", "#deeper-more"} <= {*page.links}
    assert (site / ".nojekyll").exists(), "else GitHub serves no folder whose name begins with _"
    theme = sum(path.stat().st_size for path in site.glob("_static/**/*.[jc]s*") if "stemmer" not in path.name)
    assert theme + max(path.stat().st_size for path in site.glob("*.html")) < 400_000


def test_the_first_page_begins_with_the_first_picture_of_the_first_notebook(site, page):
    first = (site / "index.html").read_text(encoding="utf-8")
    [(frames, *_)] = figures(first)
    assert frames == next(figures(page.text))[0]
    article = first[first.index("<article") :]
    assert article.index("Is it?") < article.index("<figure") < article.index("Start the first lesson")
    assert article.index("Start the first lesson") < article.index('href="11_other.html"'), "a list comes after it"
    assert f"{LAUNCH}?urlpath=lab%2Ftree%2Fnotebooks%2F10_small.ipynb" in article


def described(text):
    """What a page says of itself to those who link to it: by name, and its title."""
    tags = re.findall(r'<meta (?:name|property)="([a-z:]+)" content="([^"]*)"', text)
    return dict(tags), re.search(r"<title>([^<]*)</title>", text)[1]


def test_every_page_has_a_title_a_description_and_a_picture_for_previews(site):
    pages = {path.stem: described(path.read_text(encoding="utf-8")) for path in site.glob("*.html")}
    assert len({title for _, title in pages.values()}) == len(pages)
    for name, (tags, title) in pages.items():
        assert tags["description"] == tags["og:description"] != "", name
        assert tags["og:title"], name
        assert "evalteach" in title, name
        with Image.open(site / tags["og:image"].removeprefix(ADDRESS)) as preview:
            assert preview.format == "PNG", name
    small, other = pages["10_small"][0], pages["11_other"][0]
    assert (small["og:title"], small["description"]) == ("A small one", "Is it?")
    assert small["og:image"] == other["og:image"] == f"{ADDRESS}_static/10_small.png", "the other has no picture"
    assert pages["terms"][0]["description"] == "one, words", "no marks of Markdown"
    frames, _, figure = next(figures((site / "10_small.html").read_text(encoding="utf-8")))
    start = re.search(rf'src="({frames}/\d+.webp)"', figure)[1]
    with Image.open(site / "_static" / "10_small.png") as preview, Image.open(site / start) as picture:
        assert np.array_equal(preview.convert("RGB"), picture.convert("RGB"))


def test_only_what_has_changed_is_run_again(tmp_path, monkeypatch):
    ran, paths = [], [tmp_path / f"{name}.ipynb" for name in "ab"]

    async def execute(book):
        ran.append(book.cells[1].source)

    def run():
        ran.clear()
        made = site_notebooks.run_all(paths, tmp_path / "cache")
        assert all((made[path] / "page.ipynb").is_file() for path in paths)
        return "".join(sorted(ran))

    monkeypatch.setattr(site_notebooks, "execute", execute)
    monkeypatch.setattr(site_notebooks, "PACKAGE", tmp_path / "library")
    (tmp_path / "library").mkdir()
    for path in paths:
        nbformat.write(new_notebook(cells=[new_markdown_cell(path.stem)]), path)
    assert [run(), run()] == ["ab", ""]
    nbformat.write(new_notebook(cells=[new_markdown_cell("c")]), paths[1])
    assert [run(), run()] == ["c", ""]
    (tmp_path / "library" / "counts.py").write_text("tp = 1")
    assert [run(), run()] == ["ac", ""]
    monkeypatch.setattr(site_notebooks, "distributions", lambda: [])
    assert [run(), run()] == ["ac", ""]
    assert len([*tmp_path.glob("cache/*/*")]) == 2, "no older versions are kept"


def test_a_notebook_that_stops_is_named_and_not_kept(tmp_path):
    nbformat.write(new_notebook(cells=[new_markdown_cell("# A"), new_code_cell("1 / 0")]), tmp_path / "10_a.ipynb")
    with pytest.raises(RuntimeError, match=r"^10_a stopped: ZeroDivisionError: division by zero$"):
        site_notebooks.run_all([tmp_path / "10_a.ipynb"], tmp_path / "cache")
    assert not [*tmp_path.glob("cache/10_a/*")]


@pytest.mark.parametrize("name", REGISTERED)
def test_every_explorer_is_a_figure_with_frames(tmp_path, monkeypatch, name):
    monkeypatch.setattr(site_figures, "ROOM", 80_000)  # a few
    monkeypatch.setattr(site_figures, "PROBE", 3)
    explorer = CASES[name].make()
    before = repr(explorer)
    [(_, captions, figure)] = figures(site_figures.figure(explorer, tmp_path, "frames"))
    assert repr(explorer) == before, "it stands where it stood"
    assert len(captions) == len([*tmp_path.iterdir()]) > 1
    assert len({sentence for _, sentence in captions}) > 1
    assert captions[int(re.search(r' value="(\d+)"', figure)[1])][1] == before
    explorer.close()


@pytest.mark.parametrize(
    ("n", "start", "size"),
    [(1, 0, 9), (2, 1, 9), (141, 20, 9), (9, 4, 70_000), (201, 77, 16_000), (500, 3, 29_000)],
)
def test_places_are_thinned_evenly_until_they_find_room(n, start, size):
    frames = site_figures.thinned(n, start, lambda place: (bytes(size + place), place))
    places = [*frames]
    assert places == sorted({0, start, n - 1} | {*places})
    total = sum(len(picture) for picture, _ in frames.values())
    assert total <= site_figures.ROOM
    assert len(places) in (n, site_figures.MOST, site_figures.MOST + 1) or total + size + n > 0.8 * site_figures.ROOM
    steps = np.diff([place for place in places if place != start])
    assert steps.size == 0 or max(steps) <= 2 * max(1, n / len(places)) + 1


def test_pictures_that_find_no_room_are_refused():
    with pytest.raises(ValueError, match=r"^3 pictures of a slider have 900,000 bytes, and there is room for 600,000$"):
        site_figures.thinned(100, 50, lambda place: (bytes(300_000),))


def test_an_error_in_what_a_notebook_shows_stops_the_site():
    book = new_notebook(cells=[new_markdown_cell("# A"), new_code_cell("a")])
    book.cells[1].outputs.append(new_output("error", ename="KeyError", evalue="'a'", traceback=[]))
    with pytest.raises(RuntimeError, match=r"^10_small stopped: KeyError: 'a'$"):
        site_notebooks.prepare(book, "10_small", None)


def test_nothing_is_overwritten(tmp_path, capsys):
    (tmp_path / "thesis.html").write_text("mine")
    for path in (tmp_path, tmp_path / "thesis.html"):
        with pytest.raises(SystemExit, match="2"):
            make_site.main([str(path)])
        assert "is there already, and nothing is overwritten" in capsys.readouterr().err
    assert os.listdir(tmp_path) == ["thesis.html"]
    assert os.access(Path(make_site.__file__).parents[2] / ".ci" / "site", os.X_OK)
