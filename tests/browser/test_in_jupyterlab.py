"""The notebooks as a learner meets them: in JupyterLab, with a keyboard, on a screen of 1400 by 900 or a smaller one.

The tests of one notebook share its window, in this order; what the console says is looked at last.
"""

import re

import pytest
from accessibility import barriers
from lab_scripts import (
    ALL_SHOWN,
    CELLS,
    CENTRE,
    HEIGHT,
    HEIGHTS,
    NOW,
    OPEN_ALL,
    OPENER,
    OUTPUTS_SHOWN,
    OUTSIDE,
    PICTURE,
    RAN,
    SCROLL,
    SENTENCE,
    SETTLE,
    SHOWN,
    SHOWS_ELSE,
    STANDS,
    STRETCHED,
    WATCH_HEIGHT,
)

# what the lesson shows, without scikit-learn's own colors, and without images, whose stored text JupyterLab leaves out
OURS = {
    "include": [[".jp-Cell-outputWrapper"], [".jp-MarkdownOutput"]],
    "exclude": [[".sk-top-container"], [".jp-RenderedImage"]],
}
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"


@pytest.fixture(scope="module")
def explorers(notebook):
    """The notebook's explorers and moving pictures, all folds open, after each has been in view once."""
    notebook.page.evaluate(OPEN_ALL)
    found = notebook.page.locator(".jp-OutputArea-output:has(.noUi-handle)").element_handles()
    for explorer in found:
        explorer.evaluate(CENTRE)
    return found


def do(page, explorer, act):
    """Act, wait until there is something else to see, and return its picture."""
    from playwright.sync_api import TimeoutError as TooSlow

    before, stood = explorer.evaluate(NOW), explorer.evaluate(STANDS)
    act()
    try:
        page.wait_for_function(SHOWS_ELSE, arg=[explorer, before], timeout=60_000)  # a busy machine is slow
    except TooSlow:
        pytest.fail(f"nothing else to see; before: {stood}; now: {explorer.evaluate(STANDS)}")
    explorer.evaluate(SETTLE)
    return explorer.evaluate(PICTURE)


def type_in(box, number):
    box.fill(number)
    box.press("Enter")


def test_every_cell_runs_and_every_widget_appears(notebook):
    cells = [cell for cell in notebook.page.evaluate(CELLS) if cell["cell_type"] == "code"]
    outputs = [output for cell in cells for output in cell["outputs"]]
    assert [output for output in outputs if output["output_type"] == "error"] == []
    assert [cell["source"] for cell in cells if cell["execution_count"] is None] == []
    made = sum(WIDGET_VIEW in output.get("data", {}) for output in outputs)
    widgets = notebook.page.locator(".jp-OutputArea-output > .jupyter-widgets")
    widgets.nth(made - 1).wait_for(state="attached")
    assert widgets.count() == made > 0
    stuck = re.compile("^(Loading widget|Error displaying widget)")
    assert notebook.page.locator(".jp-OutputArea-output", has_text=stuck).count() == 0


def open_fold(page, heading):
    page.evaluate(SCROLL, [heading, "center"])
    # found anew at each try, as Lab may draw a cell again that comes into view
    page.locator(OPENER.format(heading)).first.click()


def test_no_answer_is_on_the_screen_of_its_guess_and_each_can_be_opened(notebook, lesson):
    page = notebook.page
    guesses = [cell.i for cell in lesson.prose if "**Guess:**" in cell.source]
    # a picture to move may come between a guess and the heading of its answer
    folds = {guess: next(cell for cell in lesson.cells[guess + 1 :] if cell.heading) for guess in guesses}
    answers = {guess: [cell.i for cell in lesson.below(fold)] for guess, fold in folds.items()}
    assert guesses
    for fold in [cell for cell in lesson.prose if cell.heading and cell.heading[1].startswith("Deeper")]:
        inside = [cell.i for cell in lesson.below(fold)]
        page.evaluate(SCROLL, [fold.i, "start"])
        assert page.evaluate(SHOWN, inside) == []
        open_fold(page, fold.i)
        page.wait_for_function(ALL_SHOWN, arg=inside[:1])
    for guess, answer in answers.items():
        for to in ("start", "center"):
            page.evaluate(SCROLL, [guess, to])
            page.wait_for_function(ALL_SHOWN, arg=[guess, guess + 1])
            assert page.evaluate(SHOWN, answer) == []
    for guess, answer in answers.items():
        open_fold(page, folds[guess].i)
        page.wait_for_function(OUTPUTS_SHOWN, arg=answer)


def test_every_explorer_fits_the_screen_with_its_controls_and_is_sharp(notebook, explorers):
    assert explorers
    for explorer in explorers:
        explorer.evaluate(CENTRE)
        assert explorer.evaluate(OUTSIDE) == []
        assert 0.9 < explorer.query_selector("img").evaluate(STRETCHED) <= 1


@pytest.mark.browser_full
@pytest.mark.parametrize("notebook", ["11_for_a_class.ipynb"], indirect=True, scope="module")
def test_a_class_that_runs_all_cells_sees_no_more_than_headings_before_it_opens_a_section(notebook):
    page = notebook.page
    page.wait_for_function(RAN)
    cells = page.evaluate(CELLS)
    starts = [i for i, cell in enumerate(cells) if cell["source"].startswith("## ")]
    for to in (None, starts[-1], 0):
        if to is not None:
            page.evaluate(SCROLL, [to, "center"])
        seen = page.evaluate(SHOWN, [*range(len(cells))])
        assert {*seen} <= {0, 1, *starts}  # the title and the imports
        assert seen
    assert starts[-1] == len(cells) - 1
    section = next(i for i in starts if "Five dogs" in cells[i]["source"])
    open_fold(page, section)
    page.wait_for_function(ALL_SHOWN, arg=[section + 1])
    page.locator(".noUi-handle").first.wait_for()


@pytest.mark.browser_full
@pytest.mark.parametrize(
    "notebook", ["00_start_here.ipynb", "34_boxes_and_masks.ipynb", "61_judges.ipynb"], indirect=True, scope="module"
)
def test_nothing_in_a_lesson_keeps_a_reader_out(notebook, explorers):
    assert barriers(notebook.page, OURS) == []


@pytest.mark.browser_full
def test_every_slider_moves_picture_and_sentence_and_nothing_jumps(notebook, explorers):
    page = notebook.page
    for explorer in explorers:
        explorer.evaluate(CENTRE)
        explorer.evaluate(WATCH_HEIGHT)
        heights = set()
        boxes = explorer.query_selector_all("input[type=number]")
        for handle, box in zip(explorer.query_selector_all(".noUi-handle"), boxes, strict=True):
            start = box.input_value()
            pictures, sentences = set(), set()
            at_end = handle.get_attribute("aria-valuenow") == handle.get_attribute("aria-valuemax")
            first = "ArrowLeft" if at_end else "ArrowRight"
            for key in (first, "Home", "ArrowRight", "End", "ArrowLeft"):
                pictures.add(do(page, explorer, lambda: handle.press(key)))  # noqa: B023 (called at once)
                sentences.add(explorer.evaluate(SENTENCE))
                heights.add(explorer.evaluate(HEIGHT))
            # a small step may pass no score, and then only the sentence has news, or may be less than a sentence rounds
            assert min(len(pictures), len(sentences)) > 2
            if box.input_value() != start:  # else the next slider would be tried where this one hides what it does
                do(page, explorer, lambda: type_in(box, start))  # noqa: B023
        # between two moves too, where a picture might be gone for a moment
        assert len(heights.union(explorer.evaluate(HEIGHTS))) == 1


@pytest.mark.browser_full
def test_every_slider_has_a_named_box_that_takes_a_typed_number(notebook, explorers):
    page = notebook.page
    for explorer in explorers:
        explorer.evaluate(CENTRE)
        boxes = explorer.query_selector_all("input[type=number]")
        assert len(boxes) == len(explorer.query_selector_all(".noUi-handle"))
        for box in boxes:
            name = box.evaluate("box => box.labels[0]?.textContent || box.ariaLabel")
            low, high = float(box.get_attribute("min")), float(box.get_attribute("max"))
            digits = None if high - low > 10 or box.get_attribute("step") == "1" else 4
            some = [str(round(low + part * (high - low), digits)) for part in (0.3, 0.4, 1)]
            typed = next(number for number in some if number != box.input_value())

            before = explorer.evaluate(PICTURE)
            assert do(page, explorer, lambda: type_in(box, typed)) != before  # noqa: B023
            assert box.input_value() == typed
            assert page.get_by_role("spinbutton", name=name, exact=True).count()


def test_the_console_and_the_network_stay_quiet(notebook):
    assert notebook.console == []
    assert notebook.elsewhere == []
