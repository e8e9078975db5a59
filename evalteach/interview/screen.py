"""What rounds, rooms and sheets show alike: templates filled with Markdown, a clock, and how sure somebody is."""

import html
import re
from functools import cache
from pathlib import Path

import anywidget
import ipywidgets as ipw
import mistune
import traitlets
from jinja2 import Environment, FileSystemLoader

SURE = (10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99)  # percent; nobody is surer than that
WIDE = {"max_width": "900px"}
POINTS = 10  # of each question and each room


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
    """A choice of percentages, with 0 for none yet."""
    # not None: ipywidgets shows the first choice or an empty box for it, as the hashes of names fall
    choices = [("choose", 0), *((f"{sure}%", sure) for sure in SURE)]
    style, layout = {"description_width": "initial"}, {"width": "240px"}
    return ipw.Dropdown(options=choices, description="How sure are you?", style=style, layout=layout)


def filled(name, *given):
    """The macro of this name in ``templates.html``, filled."""
    return getattr(_templates(), name)(*given)


def shown(name, *given):
    """The same with room between its lines."""
    return f'<div style="line-height: 1.5">{filled(name, *given)}</div>'


def plain(text):
    """Markdown as one line without marks."""
    spaced = re.sub(r"</?(?:p|li|td|th|tr|pre)>", " ", _markdown(text))
    return html.unescape(" ".join(re.sub(r"<[^>]+>", "", spaced).split()))


def section_link(*asked):
    """Outputs that link to the sections which answer these questions; Lab follows links only there."""
    lines = [f"- [{section(each)}]({each.link.rpartition('/')[2]})" for each in asked]
    text = "\n".join(["Read:" if len(lines) == 1 else "Read again:", "", *lines])
    made = {"output_type": "display_data", "data": {"text/markdown": text, "text/plain": text}, "metadata": {}}
    return (made,) if lines else ()


def section(asked):
    """``10 §3 What moves``, as a reader finds it."""
    number, dot, words = asked.section.partition(". ")
    return f"{asked.notebook[:2]} {f'§{number} {words}' if dot and number.isdigit() else asked.section}"


def _line(text):
    return _markdown(text).strip().removeprefix("<p>").removesuffix("</p>")


def _table(card):
    if isinstance(card, str):
        return f"<pre>{html.escape(card)}</pre>"
    numbers = card.map(lambda x: f"{x:.{1 if abs(x) >= 10 else 3}f}" if isinstance(x, float) else x)
    return numbers.to_html(index=False, border=0, justify="left", col_space=70)


def _markdown(text):
    # where a link leads depends on where it is read: its words stay
    return _renderer()(re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", text))


def _kind(dealt):
    return f"{dealt.question.kind.capitalize()}, {dealt.question.level}, {dealt.question.minutes} min"


def _timed(dealt):
    hints, seconds = dealt.texts["Hints"], 60 * dealt.question.minutes
    times = [seconds * place // (len(hints) + 1) for place in range(1, len(hints) + 1)]
    return [(f"{time // 60}:{time % 60:02}", hint) for time, hint in zip(times, hints, strict=True)]


@cache
def _renderer():
    return mistune.create_markdown(plugins=["table"])


@cache
def _templates():
    environment = Environment(loader=FileSystemLoader(Path(__file__).parent), trim_blocks=True)
    environment.filters |= {"markdown": _markdown, "line": _line, "table": _table, "kind": _kind, "timed": _timed}
    return environment.get_template("templates.html").module
