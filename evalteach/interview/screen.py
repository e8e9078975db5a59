"""What a round shows: templates filled with Markdown, which JupyterLab renders, and a clock."""

from pathlib import Path

import anywidget
import mistune
import traitlets
from jinja2 import Environment, FileSystemLoader


class Clock(anywidget.AnyWidget):
    """The time since it began to run, which the browser measures, and a line that screen readers read out."""

    _esm = Path(__file__).with_name("clock.js")
    is_running = traitlets.Bool(False).tag(sync=True)
    message = traitlets.Unicode().tag(sync=True)


MARKDOWN = mistune.create_markdown(plugins=["table"])
TEMPLATES = Environment(loader=FileSystemLoader(Path(__file__).parent), trim_blocks=True, lstrip_blocks=True)
TEMPLATES.filters |= {"markdown": MARKDOWN, "line": lambda text: MARKDOWN(text).strip()[3:-4]}  # without <p>


def render(file, macro, *values):
    """A macro of a template beside this module with these values, as text."""
    return getattr(TEMPLATES.get_template(file).module, macro)(*values)


def output(macro, *values):
    """The same of ``screens.md``, as what an Output widget shows."""
    text = render("screens.md", macro, *values)
    return ({"output_type": "display_data", "data": {"text/markdown": text, "text/plain": text}, "metadata": {}},)
