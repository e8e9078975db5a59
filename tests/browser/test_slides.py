"""Slides in the browser, opened as files: all of it is seen, in large letters, and nothing comes from elsewhere."""

from types import SimpleNamespace

import make_slides
import pytest

LOOKED_AT = "90 minutes"
# how far right and down anything of the slide reaches, its smallest letters, and how its pictures are drawn
SLIDE = """() => {
    const slide = Reveal.getCurrentSlide(), wall = slide.firstElementChild, all = [...slide.querySelectorAll('*')];
    const places = all.map(e => e.getBoundingClientRect()).filter(place => place.width && place.height);
    const worded = all.filter(e => [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()));
    const drawn = img => Math.min(img.clientHeight, img.clientWidth * img.naturalHeight / img.naturalWidth);
    return {
        words: slide.innerText, right: Math.max(...places.map(place => place.right)),
        bottom: Math.max(...places.map(place => place.bottom)), over: wall.scrollHeight - wall.clientHeight,
        letters: Math.min(...worded.map(e => parseFloat(getComputedStyle(e).fontSize))),
        pictures: [...slide.querySelectorAll('img')].map(i => [i.alt, drawn(i), i.naturalWidth, i.naturalHeight]),
    };
}"""


@pytest.fixture(scope="module")
def wall(browser, tmp_path_factory):
    """A folder of slides, a window of a projector's size, and what it asks of whom."""
    folder = tmp_path_factory.mktemp("slides")
    make_slides.make(folder, make_slides.decks(), redraw=lambda shown: {})  # which are larger, and take minutes
    width, height = make_slides.SIZE
    page = browser.new_page(viewport={"width": width, "height": height})
    asked, wrong = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    yield SimpleNamespace(folder=folder, page=page, asked=asked, wrong=wrong)
    page.close()


@pytest.mark.parametrize(
    "plan",
    [pytest.param(plan, marks=() if plan == LOOKED_AT else pytest.mark.browser_full) for plan in make_slides.decks()],
)
def test_a_plan_shows_every_slide_whole_and_in_large_letters_and_asks_nobody(wall, plan):
    page, (width, height) = wall.page, make_slides.SIZE
    page.goto((wall.folder / make_slides.file_of(plan)).as_uri())
    page.wait_for_function("window.Reveal && Reveal.isReady()")
    for number in range(page.evaluate("Reveal.getTotalSlides()")):
        slide = page.evaluate(SLIDE)
        assert slide["words"].strip(), number
        assert slide["right"] <= width, (number, slide)
        assert slide["bottom"] <= height, (number, slide)
        assert slide["over"] <= 0, (number, slide)
        assert slide["letters"] >= make_slides.SMALLEST, (number, slide)
        for words, drawn, *pixels in slide["pictures"]:
            assert words
            # at least as large as it is taken to be where its letters are made larger
            taken = min(room / size for room, size in zip(make_slides.ROOM, pixels, strict=True))
            assert drawn / pixels[1] >= 0.999 * taken, (number, pixels)
        page.keyboard.press("Space")
    assert page.evaluate("Reveal.isLastSlide()")
    assert page.locator(".slide-number").inner_text() == str(page.evaluate("Reveal.getTotalSlides()"))
    assert wall.wrong == []
    assert [address for address in wall.asked if not address.startswith(("file:", "data:"))] == []


def test_g_jumps_to_the_number_of_a_slide_or_to_a_card(wall):
    page = wall.page
    page.goto((wall.folder / make_slides.file_of(LOOKED_AT)).as_uri())
    page.wait_for_function("window.Reveal && Reveal.isReady()")
    for typed, found in [("12", "12"), ("card-6", "card-6")]:
        page.evaluate("new Promise(done => setTimeout(done, 10))")  # the field of the jump before hides after a moment
        page.keyboard.press("g")
        page.locator(".jump-to-slide-input").wait_for()
        page.keyboard.type(typed)
        page.keyboard.press("Enter")
        at = page.evaluate("[String(Reveal.getState().indexh + 1), Reveal.getCurrentSlide().id]")
        assert found in at
