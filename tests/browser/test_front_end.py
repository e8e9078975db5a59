"""Pictures that the browser holds, in JupyterLab: counted, never timed."""

import pytest
from lab_scripts import CELLS, CENTRE, CLOSE, NOW, OPEN, PICTURE, READY, RUN, SENTENCE, SHOWS_ELSE

# what is seen after each key or place, two frames of the screen later: too soon for an answer from the kernel
SHOWN = f"""async ([explorer, keys]) => {{
    const shown = [], handle = document.activeElement;
    for (const key of keys) {{
        handle.dispatchEvent(new KeyboardEvent('keydown', {{key, bubbles: true, cancelable: true}}));
        await new Promise(requestAnimationFrame);
        await new Promise(requestAnimationFrame);
        shown.push([await ({PICTURE})(explorer), ({SENTENCE})(explorer)]);
    }}
    return shown;
}}"""
# in one go, so that the kernel has answered none of them
MOVE_AND_TYPE = """([explorer, keys, number]) => {
    for (const key of keys) {
        document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
    }
    const box = explorer.querySelector('input[type=number]');
    box.value = number;
    box.dispatchEvent(new Event('change', {bubbles: true}));
}"""
RAN = "cell => jupyterapp.shell.currentWidget.content.widgets[cell].model.executionState === 'idle'"
SHUT_DOWN = "() => jupyterapp.shell.currentWidget.sessionContext.shutdown()"
RESTART = "() => { jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart(); }"
IDLE = "() => jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === 'idle'"
SEEN = "explorer => explorer.querySelector('img').naturalWidth > 0"
SAYS = f"([explorer, words]) => ({SENTENCE})(explorer).includes(words)"
SPOKEN = "([explorer, words]) => explorer.querySelector('[aria-live]')?.textContent.includes(words)"
RIGHT, LEFT = ["ArrowRight"] * 3, ["ArrowLeft"] * 3
SLEEPS = 4  # the cell that takes its time
SAYS_ITSELF = 5  # the one that prints what the kernel would say


pytestmark = pytest.mark.browser_full


@pytest.fixture(scope="module")
def arrived(window):
    """A list that grows by one with every picture that comes from the kernel."""
    pictures = []

    def note(data):
        if isinstance(data, bytes) and b"\x89PNG" in data:
            pictures.append(len(data))

    window.page.on("websocket", lambda socket: socket.on("framereceived", note))
    return pictures


@pytest.fixture(scope="module")
def opened(window, arrived, front_end):
    """The page, with a notebook of an explorer and a moving picture; its cells have run but for the last ones."""
    page, name = window.page, front_end
    page.evaluate(OPEN, name)
    page.wait_for_function(READY, arg=name)
    for cell in (0, 1):
        page.evaluate(RUN, cell)
    page.locator(".jp-OutputArea-output:has(.noUi-handle)").nth(1).wait_for()
    yield page
    page.evaluate(CLOSE)


@pytest.fixture
def explorers(opened):
    found = opened.locator(".jp-OutputArea-output:has(.noUi-handle)").element_handles()
    found[0].evaluate(CENTRE)
    return found


def at_rest(page, arrived):
    """Wait until no more pictures arrive."""
    before = -1
    while before < len(arrived):
        before = len(arrived)
        page.wait_for_timeout(2000)


def focus(page, arrived, explorer):
    arrived.clear()
    handle = explorer.query_selector(".noUi-handle")
    handle.focus()
    at_rest(page, arrived)
    return handle


def press(page, explorer, keys):
    return [tuple(shown) for shown in page.evaluate(SHOWN, [explorer, keys])]


def test_nothing_is_sent_ahead_for_an_explorer_that_nobody_touches(opened, arrived, explorers):
    at_rest(opened, arrived)
    arrived.clear()
    opened.wait_for_timeout(1500)
    assert arrived == []


def test_what_comes_ahead_of_the_first_touch_is_little(opened, arrived, explorers):
    focus(opened, arrived, explorers[0])
    assert 50_000 < sum(arrived) < 200_000


def test_every_step_from_rest_shows_its_picture_before_the_kernel_could_answer(opened, arrived, explorers):
    for explorer in explorers:
        focus(opened, arrived, explorer)
        start = explorer.evaluate(PICTURE), explorer.evaluate(SENTENCE)
        there, back = press(opened, explorer, RIGHT), press(opened, explorer, LEFT)
        assert len({start, *there}) == 4
        assert [*back] == [*there[-2::-1], start]


def test_a_slider_has_a_name_and_says_its_number_and_the_sentence_is_spoken_at_rest(opened, arrived, explorers):
    handle = focus(opened, arrived, explorers[0])
    assert handle.get_attribute("aria-label") == "threshold"
    press(opened, explorers[0], ["ArrowRight"])
    number = explorers[0].query_selector("input[type=number]").input_value()
    assert float(handle.get_attribute("aria-valuetext")) == float(number)
    opened.wait_for_function(SPOKEN, arg=[explorers[0], f"Threshold {float(number):g}"])


def test_a_place_that_is_not_held_comes_from_the_kernel(opened, arrived, explorers):
    handle = focus(opened, arrived, explorers[0])
    for key in ("Home", "End"):
        before = explorers[0].evaluate(NOW)
        handle.press(key)
        opened.wait_for_function(SHOWS_ELSE, arg=[explorers[0], before])
    number = explorers[0].query_selector("input[type=number]").input_value()
    opened.wait_for_function(SAYS, arg=[explorers[0], f"Threshold {float(number):g}:"])


def test_a_value_set_from_code_and_a_typed_one_are_shown(opened, arrived, explorers):
    opened.evaluate(RUN, 3)
    opened.wait_for_function(SAYS, arg=[explorers[0], "Threshold 0.3:"])
    box = explorers[0].query_selector("input[type=number]")
    box.fill("0.123")
    box.press("Enter")
    opened.wait_for_function(SAYS, arg=[explorers[0], "Threshold 0.123:"])
    at_rest(opened, arrived)  # and nothing takes it back
    assert "Threshold 0.123:" in explorers[0].evaluate(SENTENCE)
    assert box.input_value() == "0.123"


def test_a_number_that_is_typed_while_moves_are_under_way_stays(opened, arrived, explorers):
    focus(opened, arrived, explorers[0])
    opened.evaluate(MOVE_AND_TYPE, [explorers[0], ["End", "ArrowLeft"], "0.2345"])
    at_rest(opened, arrived)
    assert "Threshold 0.2345:" in explorers[0].evaluate(SENTENCE)
    assert explorers[0].query_selector("input[type=number]").input_value() == "0.2345"
    opened.evaluate(RUN, SAYS_ITSELF)
    opened.wait_for_function(RAN, arg=SAYS_ITSELF)
    assert "Threshold 0.2345:" in opened.evaluate(CELLS)[SAYS_ITSELF]["outputs"][0]["text"]


def test_a_choice_is_made_by_keyboard_and_jupyterlab_takes_no_key_of_it(opened, arrived, explorers):
    choice = explorers[0].query_selector("select")
    before = len(opened.evaluate(CELLS))
    choice.focus()
    for key in ("Home", "ArrowDown", "ArrowDown"):
        opened.keyboard.press(key)
    opened.wait_for_function(SAYS, arg=[explorers[0], "Recall = "])
    opened.keyboard.press("1")  # for Lab, to make a heading of this cell
    opened.keyboard.press("ArrowUp")
    opened.wait_for_function(SAYS, arg=[explorers[0], "Precision = "])
    assert choice.evaluate("choice => choice === document.activeElement")
    cells = opened.evaluate(CELLS)
    assert len(cells) == before
    assert {cell["cell_type"] for cell in cells} == {"code"}


def test_pictures_of_what_a_cell_changed_are_drawn_anew(opened, arrived, explorers):
    explorer = explorers[1]
    handle = focus(opened, arrived, explorer)
    for key in ("ArrowRight", "ArrowLeft"):
        press(opened, explorer, [key])
        at_rest(opened, arrived)
    before = explorer.evaluate(SENTENCE)
    assert "line: 1 at " in before
    press(opened, explorer, ["ArrowRight"])
    at_rest(opened, arrived)
    opened.evaluate(RUN, 2)
    opened.wait_for_function(RAN, arg=2)
    opened.wait_for_timeout(500)
    handle.focus()
    assert press(opened, explorer, ["ArrowLeft"])[0][1] != before
    opened.wait_for_function(SAYS, arg=[explorer, before.replace("line: 1 at ", "line: 1.5 at ")])


def test_a_question_is_answered_while_a_cell_runs_and_nothing_is_drawn_ahead(opened, arrived, explorers):
    focus(opened, arrived, explorers[0])
    opened.evaluate(RUN, SLEEPS)
    opened.wait_for_timeout(500)
    arrived.clear()
    box = explorers[0].query_selector("input[type=number]")
    box.fill("0.7775")
    box.press("Enter")
    opened.wait_for_function(SAYS, arg=[explorers[0], "Threshold 0.7775:"])
    opened.wait_for_timeout(1000)
    cell = opened.evaluate(CELLS)[SLEEPS]
    assert cell["execution_count"] is None  # it runs still
    assert 1 <= len(arrived) <= 2
    opened.wait_for_function(RAN, arg=SLEEPS)


def test_a_page_that_is_opened_anew_shows_where_the_controls_stand_and_moves(opened, arrived, explorers, front_end):
    said = [explorer.evaluate(SENTENCE) for explorer in explorers]
    opened.evaluate("() => jupyterapp.commands.execute('docmanager:save')")
    opened.wait_for_timeout(1000)
    opened.reload()
    opened.wait_for_function("() => window.jupyterapp")
    opened.evaluate("() => jupyterapp.restored.then(() => null)")
    opened.evaluate(OPEN, front_end)
    opened.wait_for_function(READY, arg=front_end)
    outputs = opened.locator(".jp-OutputArea-output:has(.noUi-handle)")
    outputs.nth(1).wait_for()
    again = outputs.element_handles()
    assert [explorer.evaluate(SENTENCE) for explorer in again] == said
    focus(opened, arrived, again[0])
    assert len(set(press(opened, again[0], RIGHT))) == 3


def test_the_console_and_the_network_stay_quiet(opened, window):
    assert window.console == []
    assert window.elsewhere == []


def test_a_kernel_that_restarts_under_the_hand_leaves_a_page_that_can_be_used(opened, arrived, explorers):
    handle = focus(opened, arrived, explorers[0])
    box = handle.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    opened.mouse.move(x, y)
    opened.mouse.down()
    for step in range(1, 40):
        opened.mouse.move(x + 3 * step, y)
        if step == 10:
            opened.evaluate(RESTART)  # does not wait for its end
    opened.mouse.up()
    opened.wait_for_function(IDLE)
    assert explorers[0].evaluate(SEEN), "the picture that stood there is gone"
    assert opened.locator(".jp-Dialog").count() == 0
    opened.evaluate(RUN, 0)
    opened.wait_for_function("explorer => !explorer.isConnected", arg=explorers[0])
    outputs = opened.locator(".jp-OutputArea-output:has(.noUi-handle)")
    outputs.nth(1).wait_for()
    new = outputs.first.element_handle()
    new.evaluate(CENTRE)
    focus(opened, arrived, new)
    assert len(set(press(opened, new, RIGHT))) == 3


def test_pictures_that_are_held_move_without_a_kernel(opened, arrived, explorers):
    focus(opened, arrived, explorers[0])
    opened.evaluate(SHUT_DOWN)
    start = explorers[0].evaluate(PICTURE), explorers[0].evaluate(SENTENCE)
    assert len({start, *press(opened, explorers[0], RIGHT)}) == 4
