"""Pages of real notebooks, from a plain file server in the browser: sliders move, and nothing comes from elsewhere."""

import functools
import http.server
import json
import threading
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import parse_qs, urlsplit

import make_site
import pytest
from test_site import LAUNCH, Page, broken_links

from evalteach.command.catalogue import catalogue, shipped_notebooks, shipped_pages

pytestmark = pytest.mark.browser_full
RUN = ("00_start_here", "31_rank_position")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
SCREEN = {"width": 1280, "height": 800}
CHECKOUT = Path(__file__).resolve().parents[2]
PHONE = {"width": 390, "height": 844}
SHOWN = """figure => [figure.querySelector('img').src, figure.querySelector('output').textContent]"""
# how the lines of a table that a cell shows are drawn
TABLE = """() => {
    const shown = document.querySelector('.cell_output');
    shown.insertAdjacentHTML('beforeend', '<table class="dataframe" border="1"><tr><td>1</td></tr></table>');
    return getComputedStyle(shown.lastElementChild).borderCollapse;
}"""
# all frames are held by then
HELD = """async () => {
    performance.setResourceTimingBufferSize(10000);  // of 250 else, and all look as if they were held
    for (let before = -1, now = 0; now !== before; ) {
        before = now;
        await new Promise(done => setTimeout(done, 500));
        now = performance.getEntriesByType('resource').length;
    }
}"""


def build(out, names, launch=None):
    entries = zip(shipped_notebooks(), catalogue(), strict=True)
    some = [(path, entry) for path, entry in entries if entry.name in names]
    return make_site.build(some, shipped_pages(), out, launch)


class Silent(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *words):
        pass


@pytest.fixture(scope="module")
def served(chromium, tmp_path_factory):
    """Two real notebooks as pages: the folder, a window, its address, and what it asks of whom."""
    from playwright.sync_api import sync_playwright

    folder = tmp_path_factory.mktemp("served")
    build(folder, RUN)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Silent, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        page = browser.new_page()
        asked, wrong = [], []
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
        yield SimpleNamespace(folder=folder, page=page, address=address, asked=asked, wrong=wrong)
        browser.close()
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("name", RUN)
def test_every_slider_moves_its_picture_and_sentence_by_keyboard(served, name):
    page = served.page
    page.goto(f"{served.address}/{name}.html")
    page.evaluate("() => document.querySelectorAll('details').forEach(fold => { fold.open = true; })")
    figures = page.locator("figure.evalteach")
    assert figures.count() >= 2
    for figure in figures.all():
        slider = figure.get_by_role("slider")
        slider.focus()
        figure.scroll_into_view_if_needed()
        page.evaluate(HELD)
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
    assert not served.wrong
    for frames in served.folder.glob("_static/*_*-*/"):
        assert sum(frame.stat().st_size for frame in frames.iterdir()) <= 600_000
    assert all(url.startswith((served.address, "blob:")) for url in served.asked)


def test_frames_are_fetched_when_their_picture_comes_near(served):
    page = served.page
    served.asked.clear()
    page.goto(f"{served.address}/31_rank_position.html")
    page.wait_for_load_state("networkidle")
    far = page.locator("figure.evalteach").last.get_attribute("data-frames")
    assert len([url for url in served.asked if f"{far}/" in url]) <= 1, "the picture itself"
    page.locator("figure.evalteach").last.evaluate("""figure => {
        for (let fold = figure.closest('details'); fold; fold = fold.parentElement.closest('details')) fold.open = true;
        figure.scrollIntoView();
    }""")
    page.evaluate(HELD)
    assert len([url for url in served.asked if f"{far}/" in url]) > 2


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
    page.evaluate(HELD)
    slider = figure.get_by_role("slider")
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


def test_links_between_all_notebooks_lead_somewhere_and_no_page_is_large(tmp_path, monkeypatch):
    monkeypatch.setattr(make_site, "execute", lambda book: None)  # with the outputs that are stored
    entries = catalogue()
    assert build(tmp_path, [entry.name for entry in entries], LAUNCH) == []
    assert not [*broken_links(tmp_path)]
    for entry in entries:
        own = [tmp_path / f"{entry.name}.html", *tmp_path.glob(f"_static/{entry.name}-*.png")]
        assert own[0].stat().st_size < 500_000
        page = Page(own[0])
        assert len(page.folds) > 5
        assert all(picture["alt"] for picture in page.pictures), entry.name
        [launch] = [urlsplit(link) for link in page.links if link.startswith(LAUNCH)]
        [opened] = parse_qs(launch.query)["urlpath"]
        assert opened == f"lab/tree/notebooks/{entry.name}.ipynb"
        assert (CHECKOUT / opened.removeprefix("lab/tree/")).is_file(), "which Binder serves from its root"
