"""What holds of every page that `evalteach report` writes."""

import re
from html.parser import HTMLParser

VOID = {"meta", "img", "br", "hr"}
TEXT = {"p", "h1", "h2", "h3", "h4", "pre"}  # hold words and no blocks
BLOCKS = TEXT | {"div", "table", "ul", "ol", "main", "footer"}


class Checked(HTMLParser):
    """Raises where tags do not close as they should; keeps attributes and text."""

    def __init__(self, page):
        super().__init__()
        self.open, self.tags, self.text = [], [], []
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        assert not (tag in BLOCKS and TEXT & set(self.open)), f"{tag} inside {self.open}"
        self.tags.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_startendtag(self, tag, attributes):
        assert tag in VOID
        self.handle_starttag(tag, attributes)

    def handle_data(self, text):
        if "style" not in self.open:
            self.text.append(text)

    def all(self, tag):
        return [attributes for name, attributes in self.tags if name == tag]


def checked(path):
    """What holds of every page: valid, self-contained, readable on a phone, printable; its tags and words."""
    text = path.read_text(encoding="utf-8")
    found = Checked(text)
    assert text.startswith("<!DOCTYPE html>")
    assert found.all("html") == [{"lang": "en"}]
    assert {"name": "viewport", "content": "width=device-width, initial-scale=1"} in found.all("meta")
    policy = next(attributes["content"] for attributes in found.all("meta") if "http-equiv" in attributes)
    assert {*re.split(r";\s*", policy)} >= {"default-src 'none'", "base-uri 'none'", "form-action 'none'"}
    assert {len(found.all(tag)) for tag in ("title", "h1", "main", "style")} == {1}
    for tag, attributes in found.tags:
        assert tag not in ("script", "link", "iframe", "object", "embed", "form", "base")
        assert not [name for name in attributes if name.startswith("on")]
        assert attributes.get("src", "data:image/png;base64,").startswith("data:image/png;base64,")
        assert re.match("https?://|#", attributes.get("href", "#"))
    assert all(len(attributes["alt"]) > 10 for attributes in found.all("img"))
    assert not re.search(r"url\(|@import", text)
    assert len(text) < 2e6
    found.words = " ".join("".join(found.text).split())
    return found
