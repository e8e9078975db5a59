"""A widget as text: what stands on the screen, and what each step changes; what the package sets, no library's own."""

import re
from contextlib import contextmanager

import ipywidgets as ipw

STATE = ("description", "tooltip", "_options_labels", "index", "value", "disabled", "indent", "continuous_update")
STATE += ("question", "minutes", "running", "heard", "shown", "outputs", "_dom_classes")
USUAL = {"indent": True, "continuous_update": True}
BLOCK = re.compile(r"\n*(?=<(?:div|p|ul|ol|li|table|tr|details|pre|h1|h2)\b)")


def in_lines(markup):
    """HTML with each of its blocks on a line."""
    return BLOCK.sub("\n", re.sub(r">\s+<", "><", markup)).strip()


class Screen:
    """What a widget shows: at first all of it, then what changes with each step, and where the keyboard is sent."""

    def __init__(self, view, monkeypatch):
        self.view, self.before, self.focused = view, {}, []
        self.text = [self._news()]
        monkeypatch.setattr(ipw.DOMWidget, "focus", lambda part: self.focused.append(_name(part)))

    @contextmanager
    def step(self, done):
        """What changes while this is done."""
        yield
        focused = [f"focus on {name}" for name in self.focused]
        self.focused.clear()
        self.text.append("\n".join([f"--- {done} ---", *focused, self._news()]))

    def __str__(self):
        return "\n\n".join([*self.text, ""])

    def _news(self):
        now = {part.model_id: (_name(part), _told(part)) for part in _parts(self.view)}
        lines = []
        for key, (name, told) in now.items():
            _, before = self.before.get(key, ("", {}))
            if key not in self.before or told != before:
                lines.append(name)
                lines += [f"  {what}: {how}" for what, how in told.items() if before.get(what) != how]
                lines += [f"  no {what}" for what in before if what not in told]
        self.before = now
        return "\n".join(lines)


def _parts(part):
    yield part
    for child in getattr(part, "children", ()):
        yield from _parts(child)


def _name(part):
    return " ".join(filter(None, [type(part).__name__, getattr(part, "description", "")]))


def _told(part):
    told = {}
    for name in (name for name in STATE if name in part.keys):
        value = getattr(part, name)
        if value not in ("", ()) and value is not None and value is not USUAL.get(name, False):
            told[name.removeprefix("_")] = in_lines(str(value)).replace("\n", "\n    ")
    for of in filter(None, (part.layout, getattr(part, "style", None))):
        told |= {name: value for name in of.keys if name[0] != "_" and (value := getattr(of, name))}
    if hasattr(part, "children"):
        told["holds"] = ", ".join(type(child).__name__ for child in part.children)
    return told
