"""Slides in the browser, opened as files: nothing runs over the edge, and nothing comes from elsewhere."""

from types import SimpleNamespace

import lessons
import make_slides
import pytest

FLAGS = ["--no-sandbox", "--disable-gpu"]
EACH_PLAN = sorted({path for rows in make_slides.plans().values() for path in make_slides.decks(rows)})
LOOKED_AT = "10_class_ratio"
# the farthest right and lowest that anything of the slide reaches, and its pictures' descriptions and heights
SLIDE = """() => {
    const slide = Reveal.getCurrentSlide(), seen = [...slide.querySelectorAll('*')].map(e => e.getBoundingClientRect());
    const places = seen.filter(place => place.width && place.height);
    return {
        right: Math.max(...places.map(place => place.right)), bottom: Math.max(...places.map(place => place.bottom)),
        pictures: [...slide.querySelectorAll('img')].map(picture => picture.alt),
        heights: [...slide.querySelectorAll('img')].map(picture => picture.getBoundingClientRect().height),
    };
}"""


@pytest.fixture(scope="module")
def wall(chromium, tmp_path_factory):
    """A folder of decks, a window of a projector's size, and what it asks of whom."""
    from playwright.sync_api import sync_playwright

    folder = tmp_path_factory.mktemp("decks")
    make_slides.make(folder, EACH_PLAN)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        width, height = make_slides.SIZE
        page = browser.new_page(viewport={"width": width, "height": height})
        asked, wrong = [], []
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        yield SimpleNamespace(folder=folder, page=page, asked=asked, wrong=wrong)
        browser.close()


@pytest.mark.parametrize(
    "name",
    [pytest.param(path.stem, marks=() if path.stem == LOOKED_AT else pytest.mark.browser_full) for path in EACH_PLAN],
)
def test_a_deck_shows_every_slide_whole_and_asks_nobody(wall, name):
    page, (width, height) = wall.page, make_slides.SIZE
    page.goto((wall.folder / f"{name}.html").as_uri())
    page.wait_for_function("window.Reveal && Reveal.isReady()")
    title = lessons.read(lessons.NOTEBOOKS / f"{name}.ipynb").cells[0].heading[1]
    if name != lessons.GUIDES[0]:  # which begins with a card
        assert page.get_by_role("heading", name=title).is_visible()
    for number in range(page.evaluate("Reveal.getTotalSlides()")):
        slide = page.evaluate(SLIDE)
        assert slide["right"] <= width, (number, slide)
        assert slide["bottom"] <= height, (number, slide)
        assert all(words and words != make_slides.NO_WORDS for words in slide["pictures"])
        assert all(tall >= 0.42 * height for tall in slide["heights"]), (number, "seen from the last row")
        page.keyboard.press("Space")
    assert page.evaluate("Reveal.isLastSlide()")
    assert wall.wrong == []
    assert [address for address in wall.asked if not address.startswith(("file:", "data:"))] == []
