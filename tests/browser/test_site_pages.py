"""The pages of all notebooks, from a plain file server in the browser: sliders move, nothing comes from elsewhere.

``EVALTEACH_SITE`` names the folder that ``.ci/site DIR --launch https://mybinder.org/v2/gh/owner/repo/v1`` has made;
without it the pages are made here, of what ``build/site-cache`` holds.
"""

import functools
import http.server
import json
import os
import threading
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import parse_qs, urlsplit

import make_site
import pytest
from accessibility import barriers
from site_scripts import HELD, MOVE, OPEN_ALL, SETTLED, Silent
from test_site import LAUNCH, Page, broken_links

from evalteach.command.catalogue import catalogue, shipped_pages

pytestmark = pytest.mark.browser_full
RUN = ("00_start_here", "31_rank_position")
NAMES = ("index", *(entry.name for entry in catalogue()))
OTHERS = ("terms", "search", *(page.stem for page in shipped_pages() if page.stem != "index"))
SCREEN = {"width": 1280, "height": 800}
CHECKOUT = Path(__file__).resolve().parents[2]
FOREIGN = {"exclude": [[".sk-top-container"]]}  # scikit-learn's own colors for what a model was fitted with
PHONE = {"width": 390, "height": 844}
SHOWN = """figure => [figure.querySelector('img').src, figure.querySelector('output').textContent]"""
# how the lines of a table that a cell shows are drawn
TABLE = """() => {
    const shown = document.querySelector('.cell_output');
    shown.insertAdjacentHTML('beforeend', '<table class="dataframe" border="1"><tr><td>1</td></tr></table>');
    return getComputedStyle(shown.lastElementChild).borderCollapse;
}"""


@pytest.fixture(scope="module")
def served(browser, tmp_path_factory):
    """All pages: their folder, a window, its address, what it asks for, and what its console says is wrong."""
    folder = os.environ.get("EVALTEACH_SITE")
    if not folder:
        folder = tmp_path_factory.mktemp("served")
        make_site.main([str(folder), "--launch", LAUNCH])
    folder = Path(folder)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Silent, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    page = browser.new_page()
    asked, wrong = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    yield SimpleNamespace(folder=folder, page=page, address=address, asked=asked, wrong=wrong)
    page.close()
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("name", RUN)
def test_every_slider_moves_its_picture_and_sentence_by_keyboard(served, name):
    page = served.page
    page.goto(f"{served.address}/{name}.html")
    page.evaluate(OPEN_ALL)
    figures = page.locator("figure.evalteach")
    assert figures.count() >= 2
    for figure in figures.all():
        slider = figure.get_by_role("slider")
        figure.scroll_into_view_if_needed()
        figure.evaluate(HELD)
        assert page.get_by_role("slider", name=figure.locator("label").inner_text().strip(), exact=True).count()
        last = int(slider.get_attribute("max"))
        page.keyboard.press("Home")
        met = []
        for place in range(last + 1):
            # in the very turn in which the key is handled: nothing is waited for
            said = figure.evaluate(SHOWN)
            assert slider.get_attribute("aria-valuetext") == figure.locator("span").text_content()
            assert figure.locator("img").get_attribute("alt") == said[1]
            assert figure.locator("img").evaluate("image => image.decode().then(() => image.naturalWidth)") > 300
            met.append(tuple(said))
            assert slider.input_value() == str(place)
            page.keyboard.press("ArrowRight")
        assert len({picture for picture, _ in met}) == last + 1
        assert len({sentence for _, sentence in met}) > last / 2
        page.keyboard.press("Home")
        assert tuple(figure.evaluate(SHOWN)) == met[0]


@pytest.mark.parametrize("name", NAMES)
def test_a_page_is_small_until_it_is_touched_and_then_every_slider_moves(served, name):
    page = served.page
    served.asked.clear()
    page.set_viewport_size(SCREEN)
    page.goto(f"{served.address}/{name}.html")
    page.wait_for_load_state("networkidle")
    files = {urlsplit(url).path.lstrip("/") for url in served.asked}
    assert sum((served.folder / file).stat().st_size for file in files) < 400_000, files
    page.evaluate(OPEN_ALL)
    for figure in page.locator("figure.evalteach").all():
        figure.evaluate(HELD)
        _, pictures, right = zip(*figure.evaluate(MOVE), strict=True)
        assert all(right), name
        assert len({*pictures}) == len(pictures) > 1, name
    assert not served.wrong
    assert all(url.startswith((served.address, "blob:")) for url in served.asked)


@pytest.mark.parametrize("name", [*NAMES, *OTHERS])
def test_nothing_on_a_page_keeps_a_reader_out(served, name):
    page = served.page
    page.goto(f"{served.address}/{name}.html")
    page.evaluate(OPEN_ALL)
    page.evaluate(SETTLED)
    assert barriers(page, FOREIGN) == []
    page.set_viewport_size(PHONE)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= PHONE["width"]
    page.set_viewport_size(SCREEN)


@pytest.mark.parametrize("name", ["index", "01_confusion_matrix", "glossary"])
def test_the_dark_colors_can_be_read(served, name):
    page = served.page
    page.emulate_media(color_scheme="dark")
    page.goto(f"{served.address}/{name}.html")
    page.evaluate(OPEN_ALL)
    page.evaluate(SETTLED)
    assert barriers(page, rules=["color-contrast"]) == []
    page.emulate_media(color_scheme="light")


@pytest.mark.parametrize("screen", [SCREEN, {"width": 390, "height": 800}])
def test_the_first_page_shows_its_slider_at_once(served, screen):
    page = served.page
    page.set_viewport_size(screen)
    page.goto(f"{served.address}/index.html")
    slider = page.get_by_role("slider").first.bounding_box()
    assert slider["y"] + slider["height"] < screen["height"]


def test_pictures_fit_a_phone_and_pages_the_dark(served):
    page = served.page
    page.set_viewport_size(PHONE)
    page.emulate_media(color_scheme="dark")
    for name in RUN:
        page.goto(f"{served.address}/{name}.html")
        widths = page.evaluate("() => [...document.images].map(image => image.getBoundingClientRect().right)")
        assert max(widths) <= PHONE["width"]
        assert page.evaluate("() => document.documentElement.scrollWidth") <= PHONE["width"]
        assert page.evaluate(TABLE) == "collapse", "else each number of a table stands in a box of its own"
    red, green, blue = page.evaluate("() => getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")
    assert max(red, green, blue) < 60
    page.emulate_media(color_scheme="light")


def test_the_search_finds_a_word_in_a_page(served):
    page = served.page
    page.goto(f"{served.address}/search.html?q=marbles")
    page.locator("#search-results a[href*='00_start_here']").first.wait_for()


def test_a_picture_that_cannot_be_fetched_is_told_and_asked_for_again(served):
    page = served.page
    page.set_viewport_size(SCREEN)
    page.route("**/3.webp", lambda route: route.abort())
    page.goto(f"{served.address}/{RUN[0]}.html")
    figure = page.locator("figure.evalteach").first
    figure.scroll_into_view_if_needed()
    slider = figure.get_by_role("slider")
    slider.focus()
    page.wait_for_load_state("networkidle")
    slider.press("Home")
    before = figure.evaluate(SHOWN)
    for _ in range(3):
        slider.press("ArrowRight")
    figure.get_by_text("This picture cannot be fetched.").wait_for()
    page.unroute("**/3.webp")
    slider.press("ArrowRight")
    slider.press("ArrowLeft")
    words = json.loads(figure.locator("script").text_content())[3][1]
    figure.get_by_text(words, exact=True).wait_for()  # not what the place in between said
    after = figure.evaluate(SHOWN)
    assert before[0] != after[0]
    assert before[1] != after[1] == words == figure.locator("img").get_attribute("alt")


def test_every_link_leads_somewhere_and_every_notebook_to_its_copy_on_binder(served):
    assert not [*broken_links(served.folder)]
    for entry in catalogue():
        page = Page(served.folder / f"{entry.name}.html")
        assert len(page.folds) > 5
        assert all(picture["alt"] for picture in page.pictures), entry.name
        [launch] = [urlsplit(link) for link in page.links if link.startswith(LAUNCH)]
        [opened] = parse_qs(launch.query)["urlpath"]
        assert opened == f"lab/tree/notebooks/{entry.name}.ipynb"
        assert (CHECKOUT / opened.removeprefix("lab/tree/")).is_file(), "which Binder serves from its root"
