"""A round of interview questions in JupyterLab, by keyboard alone; and its sheet, printed."""

import re

import lessons
import pytest
from lab_scripts import CLOSE, OPEN, READY, RUN

from evalteach import InterviewRound, interviewer_sheet
from evalteach.interview.round import COUNTED

NOTEBOOK = "92_interview.ipynb"
# whether the keyboard is where it was: in the round, on something that can be seen and used
HELD = """round => {
    const now = document.activeElement;
    return round.contains(now) && now.getClientRects().length > 0 && !now.disabled;
}"""
IN_VIEW = """part => {
    const room = document.querySelector('.jp-WindowedPanel-outer').getBoundingClientRect();
    const box = part.getBoundingClientRect();
    return box.top >= room.top - 1 && box.bottom <= room.bottom;
}"""
KEYS_IN_VIEW = f"() => ({IN_VIEW})(document.activeElement)"
FOCUS = "() => document.activeElement.textContent || document.activeElement.tagName"
MM = 72 / 25.4

pytestmark = pytest.mark.browser_full


@pytest.fixture(scope="module")
def opened(window):
    """The page with the round of the notebook."""
    page = window.page
    sent = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda _: sent.append(socket.url)))
    page.evaluate(OPEN, NOTEBOOK)
    page.wait_for_function(READY, arg=NOTEBOOK)
    cells = lessons.read(lessons.NOTEBOOKS / NOTEBOOK).cells
    place = next(cell.i for cell in cells if cell.code and "practice = InterviewRound" in cell.source)
    for cell in (1, place):
        page.evaluate(RUN, cell)
    page.locator(".evalteach-interview [role=status]").wait_for(timeout=60_000)
    window.sent = sent
    yield window
    page.evaluate(CLOSE)


def shows(part, words):
    from playwright.sync_api import expect  # where there is none, these tests are not run

    expect(part).to_contain_text(words, timeout=10_000)


def press_until(page, word, key="Tab", most=8):
    """Move with the keyboard until what has the focus is called so."""
    for _ in range(most):
        if word in page.evaluate(FOCUS):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{key} does not lead to {word}, but to {page.evaluate(FOCUS)}")


def test_a_round_is_played_by_keyboard_alone_and_the_focus_is_never_lost(opened):
    page = opened.page
    view, status = page.locator(".evalteach-interview"), page.locator(".evalteach-interview [role=status]")
    handle = view.element_handle()
    practice = InterviewRound(minutes=30, seed=62, path=None)
    view.get_by_label("How sure are you?").focus()
    of = len(practice.questions)
    for number, question in enumerate(practice.questions, 1):
        is_last = number == of
        shows(view, f"Question {number} of {of}")
        assert handle.evaluate(HELD), page.evaluate(FOCUS)
        assert view.get_by_text(f"Question {number} of").first.evaluate(IN_VIEW)
        page.keyboard.press("5")  # 50%, and for Lab: make a heading of this cell
        press_until(page, "INPUT")
        page.keyboard.type(question.answer if isinstance(question.answer, str) else f"{100 * question.answer:.9f}%")
        if question.kind not in COUNTED:
            press_until(page, "TEXTAREA")
            page.keyboard.type("in my words")
        press_until(page, "Hint")
        page.keyboard.press("Enter")
        shows(view, "Hint 1 of")
        assert handle.evaluate(HELD)
        press_until(page, "I do not know" if is_last else "Answer")
        page.keyboard.press("Enter")
        shows(view, "You gave no answer." if is_last else "Right. You answered")
        assert handle.evaluate(HELD), page.evaluate(FOCUS)
        assert page.evaluate(KEYS_IN_VIEW), "the buttons"
        if not is_last:
            page.keyboard.press("Shift+Tab")
            page.keyboard.press("Space")
            assert view.locator("input[type=checkbox]").last.is_checked()
        press_until(page, "See how it went" if is_last else "Next question")
        page.keyboard.press("Enter")
    shows(status, f"{of - 1} of {of} right")
    assert handle.evaluate(HELD), page.evaluate(FOCUS)
    shows(view, f"You gave no answer to 1 of these {of} questions.")
    shows(view, "100% of them were right")


def test_no_clock_tick_reaches_the_kernel(opened):
    page = opened.page
    page.wait_for_timeout(1500)
    before = len(opened.sent)
    page.wait_for_timeout(2500)
    assert len(opened.sent) - before <= 1, "a heartbeat"


def test_a_link_to_read_again_opens_that_section(opened):
    page = opened.page
    link = page.locator(".evalteach-interview a").first
    named = link.get_attribute("href")
    link.click()
    page.wait_for_function("name => jupyterapp.shell.currentWidget?.context?.path !== name", arg=NOTEBOOK)
    path = page.evaluate("() => jupyterapp.shell.currentWidget.context.path")
    assert path in named
    page.wait_for_function(READY, arg=path)
    page.wait_for_timeout(1500)  # Lab's debugger asks the kernel, and a notebook that is closed meanwhile fails loudly
    page.evaluate(CLOSE)


def test_the_console_stays_quiet(opened):
    assert opened.console == []
    assert opened.elsewhere == []


@pytest.mark.parametrize("seed", range(4))
def test_the_sheets_for_two_print_on_both_sides_of_two_sheets_of_a4_each(browser, tmp_path, seed):
    for candidate, most in ((False, 4), (True, 4)):
        path = tmp_path / f"{candidate}.html"
        interviewer_sheet(seed, path, candidate=candidate)
        page = browser.new_page()
        page.goto(path.as_uri())
        pdf = page.pdf(prefer_css_page_size=True)
        page.close()
        assert len(re.findall(rb"/Type\s*/Page\b", pdf)) <= most
        width, height = map(float, re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf).groups())
        assert (round(width / MM), round(height / MM)) == (210, 297)
