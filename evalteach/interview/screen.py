"""What rounds and rooms have on the screen alike: a clock, a choice of how sure one is, and words in a frame."""

from pathlib import Path

import anywidget
import ipywidgets as ipw
import traitlets

SURE = (10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 100)  # per cent
WIDTH = "900px"


class Clock(anywidget.AnyWidget):
    """Time since the question was shown, kept by the browser, and a line that screen readers read out."""

    _esm = Path(__file__).with_name("clock.js")
    question = traitlets.Int(0).tag(sync=True)
    minutes = traitlets.Int(0).tag(sync=True)
    running = traitlets.Bool(False).tag(sync=True)
    heard = traitlets.Unicode().tag(sync=True)
    shown = traitlets.Unicode().tag(sync=True)

    def say(self, shown, heard=""):
        """Show a line and read it aloud, with more that only listeners need."""
        with self.hold_sync():
            self.heard, self.shown = heard, shown


def how_sure():
    """A choice of per cent, with 0 for none yet."""
    # not None: ipywidgets shows the first choice or an empty box for it, as the hashes of names fall
    choices = [("choose", 0), *((f"{sure}%", sure) for sure in SURE)]
    style, layout = {"description_width": "initial"}, {"width": "240px"}
    return ipw.Dropdown(options=choices, description="How sure are you?", style=style, layout=layout)


def panel(made):
    """Markup with room between its lines; nothing stays nothing."""
    return f'<div style="line-height: 1.5">{made}</div>' if made else ""
