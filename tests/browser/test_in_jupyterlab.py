"""The notebooks as a learner meets them: in JupyterLab, with a keyboard, on a screen of 1400 by 900.

The tests of one notebook share its window, in this order; what the console says is looked at last.
"""

import re

import pytest

CELLS = """() => jupyterapp.shell.currentWidget.content.widgets.map(cell => cell.model.toJSON())"""
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
# bytes, not addresses: a new address may hold the same picture
PICTURE = """async explorer => {
    const bytes = await (await fetch(explorer.querySelector('img').src)).arrayBuffer();
    return new Uint8Array(await crypto.subtle.digest('SHA-1', bytes)).join(' ');
}"""
SENTENCE = "explorer => explorer.querySelector('.widget-html-content').textContent"
SAYS_ELSE = "([explorer, before]) => explorer.querySelector('.widget-html-content').textContent !== before"
WATCH_HEIGHT = """explorer => {
    explorer.heights = new Set();
    (function look() {
        explorer.heights.add(explorer.getBoundingClientRect().height);
        explorer.look = requestAnimationFrame(look);
    })();
}"""
HEIGHT = "explorer => explorer.getBoundingClientRect().height"
HEIGHTS = "explorer => { cancelAnimationFrame(explorer.look); return [...explorer.heights]; }"
# cells that come into view take their true height, which moves what is below them: once is not enough
CENTRE = """async explorer => {
    for (let i = 0; i < 10; i++) {
        explorer.scrollIntoView({block: 'center', behavior: 'instant'});
        await new Promise(requestAnimationFrame);
    }
}"""
OUTSIDE = """explorer => {
    const room = explorer.closest('.jp-WindowedPanel-outer').getBoundingClientRect();
    const inside = box => box.top >= room.top && box.bottom <= room.bottom && box.right <= room.right;
    const parts = [...explorer.querySelectorAll('img, input, select, .noUi-target, .widget-html-content')];
    return parts.filter(part => !inside(part.getBoundingClientRect())).map(part => part.className);
}"""
STRETCHED = "image => image.getBoundingClientRect().width / image.naturalWidth"


@pytest.fixture(scope="module")
def explorers(notebook):
    """The notebook's explorers, after each has been in view once."""
    found = notebook.page.locator(".jp-OutputArea-output:has(.noUi-handle)").element_handles()
    for explorer in found:
        explorer.evaluate(CENTRE)
    return found


def do(page, explorer, act):
    """Act, wait for another sentence, and return its picture, which is sent before it."""
    before = explorer.evaluate(SENTENCE)
    act()
    page.wait_for_function(SAYS_ELSE, arg=[explorer, before], timeout=10_000)
    return explorer.evaluate(PICTURE)


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


def test_every_explorer_fits_the_screen_with_its_controls_and_is_sharp(notebook, explorers):
    assert explorers
    for explorer in explorers:
        explorer.evaluate(CENTRE)
        assert explorer.evaluate(OUTSIDE) == []
        assert 0.9 < explorer.query_selector("img").evaluate(STRETCHED) <= 1


def test_every_slider_moves_picture_and_sentence_and_nothing_jumps(notebook, explorers):
    page = notebook.page
    for explorer in explorers:
        explorer.evaluate(CENTRE)
        explorer.evaluate(WATCH_HEIGHT)
        heights = set()
        for handle in explorer.query_selector_all(".noUi-handle"):
            pictures = set()
            at_end = handle.get_attribute("aria-valuenow") == handle.get_attribute("aria-valuemax")
            first = "ArrowLeft" if at_end else "ArrowRight"
            for key in (first, "Home", "ArrowRight", "End", "ArrowLeft"):
                pictures.add(do(page, explorer, lambda: handle.press(key)))  # noqa: B023 (called at once)
                heights.add(explorer.evaluate(HEIGHT))
            # a step of a threshold may pass no score, and then only the sentence has news
            assert len(pictures) > 2
        # between two moves too, where a picture might be gone for a moment
        assert len(heights.union(explorer.evaluate(HEIGHTS))) == 1


def test_every_slider_has_a_named_box_that_takes_a_typed_number(notebook, explorers):
    page = notebook.page
    for explorer in explorers:
        boxes = explorer.query_selector_all("input[type=number]")
        assert len(boxes) == len(explorer.query_selector_all(".noUi-handle"))
        for box in boxes:
            name = box.evaluate("box => box.labels[0]?.textContent || box.ariaLabel")
            low, high = float(box.get_attribute("min")), float(box.get_attribute("max"))
            some = (low + part * (high - low) for part in (0.3, 0.4))
            some = [str(round(number) if high - low > 10 else round(number, 4)) for number in some]
            typed = next(number for number in some if number != box.input_value())

            def enter(box=box, typed=typed):
                box.fill(typed)
                box.press("Enter")

            before = explorer.evaluate(PICTURE)
            assert do(page, explorer, enter) != before
            assert box.input_value() == typed
            assert page.get_by_role("spinbutton", name=name, exact=True).count()


def test_the_console_and_the_network_stay_quiet(notebook):
    assert notebook.console == []
    assert notebook.elsewhere == []
