"""Pictures held in the reader's browser: it shows those at once that it asked for while nothing else was under way."""

import sys
import threading
import time
import weakref
from contextlib import suppress
from pathlib import Path

import anywidget
import ipywidgets as ipw
import traitlets

# Jupyter moves widgets in a thread of its own beside a running cell, and matplotlib is shared
DRAWING = threading.RLock()
_running = set()  # threads in which a cell runs
_changeable = weakref.WeakSet()  # front ends of pictures that a cell may have changed


def beside_a_cell():
    """Whether a cell runs in another thread than this one."""
    return bool(_running) and threading.get_ident() not in _running


class Frames(anywidget.AnyWidget):
    """What answers the front end of one explorer (frames.js), a model without a view.

    A front end that lacks the extension never asks: it gets each picture from the explorer's widgets, as any other
    state of theirs.

    Parameters
    ----------
    explorer : Explorer
        Whose ``picture`` and ``said`` it shows; ``frame(at)`` draws what they were if its controls stood there.
    parts : list of Control
        Of the explorer.
    """

    _esm = Path(__file__).with_name("frames.js")
    picture = traitlets.Instance(ipw.Widget).tag(sync=True, **ipw.widget_serialization)
    said = traitlets.Instance(ipw.Widget).tag(sync=True, **ipw.widget_serialization)
    parts = traitlets.List().tag(sync=True, **ipw.widget_serialization)
    mark = traitlets.Unicode().tag(sync=True)

    def __init__(self, explorer, parts):
        parts = [part.for_the_front() for part in parts]
        super().__init__(picture=explorer.picture, said=explorer.said, parts=parts)
        self.mark = f"evalteach-{self.model_id}"
        explorer.view.add_class(self.mark)
        self._explorer, self._known = explorer, set()
        if explorer.changeable:
            _changeable.add(self)
        self.on_msg(self._answer)
        _watch_cells()

    def knows(self, at):
        """Whether the front end shows this position without being told, since it came from there."""
        return tuple(at) in self._known

    def forget(self):
        """What is held may look different by now."""
        with DRAWING:  # after the answer to what was asked before, or the browser would hold what is unknown here
            if self._known:
                self._known = set()
                self._explorer.forget()
                self.send({"forget": True})

    def catch_up(self):
        """Draw what waited for a cell to end."""
        with suppress(Exception):  # it is said in place of the sentence; the cell is not to blame
            self._explorer.catch_up()

    def _answer(self, _, asked, buffers):
        with DRAWING:
            if asked["kind"] == "hello":
                self._known = set()  # a page that was opened anew
            if asked["kind"] in ("hello", "rest"):
                self._explorer.catch_up()
                return
            at = asked["at"]
            if asked["kind"] == "ahead" and _running:
                self.send({"at": at})
                return
            self._known.add(tuple(at))
            if asked["kind"] != "passed":
                start = time.perf_counter()
                picture, said = self._explorer.frame(at)
                answer = {"at": at, "said": said, "ms": 1000 * (time.perf_counter() - start)}
                self.send(answer, [picture] if picture else [])


def _watch_cells():
    """Know whether a cell runs: JupyterLab moves widgets in a thread beside it."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is not None and _start not in shell.events.callbacks["pre_run_cell"]:
        shell.events.register("pre_run_cell", _start)
        shell.events.register("post_run_cell", _end)


def _start(info):
    with DRAWING:  # what is being drawn is finished first
        _running.add(threading.get_ident())


def _end(result):
    _running.clear()
    for front in list(_changeable):
        front.forget()
        front.catch_up()
