"""Pictures that are drawn for the reader's browser to hold: the explorer's own, and nothing of them seen before."""

from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeout
from threading import Event, Thread
from types import SimpleNamespace
from unittest import mock

import ipywidgets as ipw
import numpy as np
import pytest

from evalteach import moving
from evalteach.explorers.engine import frames
from evalteach.explorers.engine.base import WAITS, in_place
from explorers.helpers import CASES, move, places, sliders


def asks(explorer, kind, at=None):
    """What the front end hears when it asks: each message with its pictures."""
    heard = []
    with mock.patch.object(explorer._front, "send", lambda content, buffers=(): heard.append((content, *buffers))):
        explorer._front._answer(None, {"kind": kind} | ({} if at is None else {"at": at}), [])
    return heard


def told(explorer, **moves):
    """The widgets whose value the front end is told in a move from the kernel."""
    with mock.patch.object(ipw.Widget, "send_state", autospec=True) as sent:
        move(explorer, **moves)
    return [widget for (widget, *key), named in map(tuple, sent.call_args_list) if [*key, *named.values()] == ["value"]]


def test_what_the_browser_asked_for_is_drawn_once_and_not_told_again():
    explorer = CASES["ThresholdExplorer"].make()
    at = places(explorer)
    at[0] = explorer._parts[0].stops[70]
    with mock.patch.object(explorer, "sentence", side_effect=type(explorer).sentence.__get__(explorer)) as said:
        [(answer, picture)] = asks(explorer, "question", at)
        assert answer["at"] == at
        assert answer["ms"] > 0
        slider = sliders(explorer)["threshold"]
        with mock.patch.object(ipw.Widget, "send_state", autospec=True) as sent:
            slider.value = 70
        assert [call.args for call in sent.call_args_list if call.args[0] is not slider] == []
        assert said.call_count == 1
    assert explorer.picture.value == picture
    assert explorer.said.value == answer["said"]
    assert explorer.value("threshold") == at[0]


def test_what_a_browser_without_the_front_end_shows_comes_from_the_kernel_as_any_other_value():
    explorer = CASES["ThresholdExplorer"].make()
    box, slider = explorer.controls["threshold"], sliders(explorer)["threshold"]
    assert told(explorer, threshold=0.8) == [box, slider, explorer.picture, explorer.said]
    with mock.patch.object(ipw.Widget, "send_state", autospec=True) as sent:
        slider.value = 10
    assert {box, explorer.picture, explorer.said} <= {call.args[0] for call in sent.call_args_list}


def test_a_value_set_from_code_reaches_the_browser_where_it_was_before_too():
    explorer = CASES["ThresholdExplorer"].make()
    at = places(explorer)
    move(explorer, threshold=0.8)
    asks(explorer, "question", at)
    assert told(explorer, threshold=at[0])[0] is explorer.controls["threshold"]


def test_a_page_that_is_opened_anew_is_told_all():
    explorer = CASES["ThresholdExplorer"].make()
    at = places(explorer)
    at[0] = 0.8
    asks(explorer, "passed", at)
    assert explorer.picture not in told(explorer, threshold=0.8)
    with mock.patch.object(ipw.Widget, "send_state", autospec=True) as sent:
        asks(explorer, "hello")
    assert explorer.picture in [call.args[0] for call in sent.call_args_list]
    assert "Threshold 0.8:" in repr(explorer)
    assert explorer.picture in told(explorer, threshold=0.6)


def test_a_place_that_is_passed_by_is_not_drawn_until_the_browser_rests_or_someone_looks():
    explorer, other = CASES["ThresholdExplorer"].make(), CASES["ThresholdExplorer"].make()
    start = explorer.picture.value
    for looks, threshold in (
        (lambda: asks(explorer, "rest"), 0.8),
        (explorer.__repr__, 0.7),
        (explorer._repr_mimebundle_, 0.6),
    ):
        at = places(explorer)
        at[0] = threshold
        assert asks(explorer, "passed", at) == []
        assert told(explorer, threshold=threshold)[0] is explorer.controls["threshold"]
        assert explorer.picture.value == start
        looks()
        start = move(other, threshold=threshold).picture.value
        assert (explorer.picture.value, repr(explorer)) == (start, repr(other))


def test_nothing_is_drawn_ahead_while_a_cell_runs_but_a_question_is_answered():
    explorer = CASES["ThresholdExplorer"].make()
    at = places(explorer)
    frames._start(None)
    try:
        assert asks(explorer, "ahead", at) == [({"at": at},)]
        assert len(asks(explorer, "question", at)[0]) == 2
    finally:
        frames._end(None)
    assert len(asks(explorer, "ahead", at)[0]) == 2


@pytest.fixture
def beside_a_cell():
    """Call a function in a thread while a cell runs in this one."""

    def call(*arguments, **more):
        with ThreadPoolExecutor(1) as pool:
            return pool.submit(*arguments, **more).result()

    frames._start(None)
    yield call
    frames._end(None)


def test_what_a_readers_function_draws_waits_for_the_cell_that_runs_and_then_follows(beside_a_cell):
    calls = []

    def draw(axes, k=3):
        calls.append(k)
        axes.set(xlim=(0, 1), ylim=(0, 10), title=f"k = {k}")
        return f"{k} of 9."

    picture = moving(draw, k=(1, 9))
    shown, calls[:] = picture.picture.value, []
    # with the front end the question comes before the value, without it the value alone
    assert beside_a_cell(asks, picture, "question", [4]) == [({"at": [4], "said": in_place(WAITS), "ms": mock.ANY},)]
    beside_a_cell(move, picture, k=4)
    beside_a_cell(asks, picture, "rest")
    beside_a_cell(move, picture, k=5)
    assert (calls, picture.picture.value, picture.said.value) == ([], shown, in_place(WAITS))
    with mock.patch.object(ipw.Widget, "send_state", autospec=True) as sent:
        frames._end(None)
    assert (calls, picture.said.value) == ([5], in_place("5 of 9."))
    assert picture.picture.value != shown
    assert {call.args[0] for call in sent.call_args_list} == {picture.picture, picture.said}
    assert repr(beside_a_cell(move, picture, k=6)) == "6 of 9."


def test_a_cell_draws_what_it_moves_itself_and_other_explorers_do_not_wait(beside_a_cell):
    picture, still = CASES["moving"].make(), CASES["ThresholdExplorer"].make()
    shown = picture.picture.value, still.picture.value
    move(picture, n=3)
    beside_a_cell(move, still, **{"threshold": 0.8})
    assert picture.picture.value != shown[0]
    assert still.picture.value != shown[1]


def test_a_cell_begins_when_what_is_being_drawn_is_done():
    half, go_on, order = Event(), Event(), []

    def draw(axes, k=3):
        if k == 4:
            half.set()
            go_on.wait(5)
        order.append(k)
        return f"{k} of 9."

    picture = moving(draw, k=(1, 9))
    with ThreadPoolExecutor(2) as pool:
        drawn = pool.submit(picture.frame, [4])
        half.wait(5)
        begun = pool.submit(lambda: (frames._start(None), order.append("a cell"), frames._end(None)))
        with pytest.raises(FutureTimeout):
            begun.result(timeout=0.2)
        go_on.set()
        drawn.result(), begun.result()
    assert order == [3, 4, "a cell"]


def test_an_error_after_a_cell_is_said_in_place_and_the_cell_is_not_to_blame(beside_a_cell):
    def draw(axes, k=3):
        return f"{12 // (k - 4)} of 9."

    picture = moving(draw, k=(1, 9))
    beside_a_cell(move, picture, k=4)
    frames._end(None)
    assert "ZeroDivisionError" in picture.said.value


def test_a_picture_of_what_a_cell_may_have_changed_is_forgotten_when_one_has_run():
    share = [0.25]

    def draw(axes, k=3):
        axes.set(xlim=(0, 1), ylim=(0, 10))
        axes.axvline(share[0])
        return f"{share[0]} of {k}."

    picture = moving(draw, k=(1, 9))
    still = CASES["ThresholdExplorer"].make()
    asks(still, "question", places(still))
    (first, _), (again, _) = asks(picture, "question", [4])[0], asks(picture, "question", [4])[0]
    share[0] = 0.5
    with mock.patch.object(frames.Frames, "send", autospec=True) as send:
        frames._end(None)
    assert [call.args for call in send.call_args_list] == [(picture._front, {"forget": True})]
    [(later, _)] = asks(picture, "question", [4])
    assert ["0.25 of 4" in first["said"], "0.25 of 4" in again["said"], "0.5 of 4" in later["said"]] == [True] * 3


def test_a_cell_that_ends_while_a_picture_is_drawn_has_the_browser_forget_that_picture_too():
    picture = moving(lambda axes, n=1: f"{n}.", n=(1, 3))
    ends, words, draw = Thread(target=picture._front.forget), [], picture.frame

    def frame(at):
        ends.start()
        ends.join(0.3)
        return draw(at)

    send = mock.patch.object(picture._front, "send", lambda content, buffers=(): words.append(content))
    with send, mock.patch.object(picture, "frame", frame):
        picture._front._answer(None, {"kind": "ahead", "at": [2]}, [])
        ends.join()
    assert [content.get("at") for content in words] == [[2], None]
    assert words[-1] == {"forget": True}
    assert not picture._front.knows([2])


def test_an_error_in_a_frame_is_an_answer_in_words_and_the_explorer_goes_on():
    def draw(axes, k=3):
        axes.set(xlim=(0, 1), ylim=(0, 10))
        return f"{6 / (k - 4):g} <b>."

    picture = moving(draw, k=(1, 9))
    [(answer, *pictures)] = asks(picture, "question", [4])
    assert pictures == []
    assert "<b>ZeroDivisionError: " in answer["said"]
    assert repr(picture) == "-6 <b>."
    assert "6 &lt;b&gt;." in asks(picture, "question", [5])[0][0]["said"]
    assert repr(move(picture, k=6)) == "3 <b>."


def test_frames_that_the_kernel_keeps_are_few():
    explorer = CASES["ThresholdExplorer"].make()
    at = places(explorer)
    for place in np.linspace(0.1, 0.9, 40):
        asks(explorer, "ahead", [place.item(), *at[1:]])
    assert 8 <= len(explorer._frames) <= 32


def test_kernels_are_watched_once(monkeypatch):
    registered = []
    callbacks = {"pre_run_cell": []}
    events = SimpleNamespace(callbacks=callbacks)
    events.register = lambda name, call: (registered.append(name), callbacks.setdefault(name, []).append(call))
    shell = SimpleNamespace(events=events)
    monkeypatch.setitem(__import__("sys").modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    for _ in range(2):
        frames._watch_cells()
    assert registered == ["pre_run_cell", "post_run_cell"]


@pytest.mark.parametrize("kind", ["ThresholdExplorer", "moving"])
def test_a_closed_explorer_leaves_no_front_end(kind):
    explorer = CASES[kind].make()
    front = explorer._front
    explorer.close()
    assert front.comm is None
