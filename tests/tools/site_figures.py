"""The figure that an explorer leaves on a page: one of its sliders, with frames that need no kernel (page.js).

``site_notebooks.py`` imports this in the kernel of each notebook.
"""

import html
import io
import json
import re
from pathlib import Path

ROOM = 600_000  # bytes of pictures for each slider
MOST = 25  # frames of each: steps that look smooth, and drawn in a second or four
PROBE = 9  # frames that show how many find room; all of them are among the 25
FIGURE = """<figure class="evalteach" data-frames="{frames}">
<img src="{frames}/{start}.webp" width="{width}" height="{height}" alt="{caption}" loading="lazy">
<div><label>{name}
<input type="range" max="{last}" value="{start}" autocomplete="off" disabled aria-valuetext="{value}"></label>
<span>{value}</span></div>
<output>{caption}</output>
<p>{note}</p>
<script type="application/json">{captions}</script>
</figure>"""


def leave_figures(explorer_class, static, name):
    """From now on, an explorer that is displayed leaves the frames of one slider in a folder, and is a figure."""
    in_lab, count = explorer_class._repr_mimebundle_, iter(range(1, 1_000))

    def bundle(explorer, *args, **kwargs):
        shown = in_lab(explorer, *args, **kwargs)
        if not isinstance(shown, tuple):  # it is closed: only its sentence is left
            return shown
        frames = f"{name}-{next(count)}"
        folder = Path(static, frames)
        folder.mkdir()
        return {"text/html": figure(explorer, folder, f"_static/{frames}"), "text/plain": repr(explorer)}, {}

    explorer_class._repr_mimebundle_ = bundle


def figure(explorer, folder, address):
    """The HTML of an explorer at ``address``, whose frames are written to ``folder``."""
    parts, at = explorer._parts, list(explorer._at())
    axis = next((i for i, part in enumerate(parts) if part.slider and not part.slider.disabled), 0)
    stops = list(parts[axis].for_the_front()["stops"])
    start = min(range(len(stops)), key=lambda i: abs(stops[i] - at[axis]))
    stops[start] = at[axis]  # where it stands, which may lie between two stops

    def draw(place):
        picture, caption = explorer.frame([*at[:axis], stops[place], *at[axis + 1 :]])
        return picture and (*_packed(picture), html.unescape(re.sub("<[^>]*>", "", caption)))

    frames = thinned(len(stops), start, draw)
    for i, (picture, *_) in enumerate(frames.values()):
        (folder / f"{i}.webp").write_bytes(picture)
    _, (width, height), caption = frames[start]
    captions = [[_value(parts[axis], stops[place]), caption] for place, (*_, caption) in frames.items()]
    name, values = parts[axis].widget.description, "all" if len(frames) == len(stops) else f"{len(frames)} of"
    others = [f"{part.widget.description} at {_value(part, part.place)}" for part in parts if part is not parts[axis]]
    rest = f", with {', '.join(others)}" if others else ""
    note = f"On this page, “{name}” takes {values} its {len(stops)} values{rest}. Everything else needs the notebook."
    return FIGURE.format(
        frames=address,
        start=[*frames].index(start),
        last=len(frames) - 1,
        width=width,
        height=height,
        caption=html.escape(caption),
        value=html.escape(_value(parts[axis], at[axis])),
        name=html.escape(name),
        note=html.escape(note),
        captions=json.dumps(captions).replace("<", "\\u003c"),
    )


def thinned(n, start, draw):
    """Frames of as many places as find room, evenly, with both ends and the start; by place.

    ``draw(place)`` returns bytes and what belongs to them, or None where nothing can be drawn.
    """
    frames = {}

    def take(many):
        places = sorted({start, *(round(i * (n - 1) / max(many - 1, 1)) for i in range(many))})
        frames.update({place: draw(place) for place in places if place not in frames})
        taken = {place: frames[place] for place in places if frames[place]}
        return taken, sum(len(picture) for picture, *_ in taken.values())

    some, size = take(min(PROBE, n))
    many = min(n, MOST, int(len(some) * ROOM / size))
    while True:
        taken, size = take(max(many, 2))
        if size <= ROOM:
            return taken
        if many <= 2:
            raise ValueError(f"{len(taken)} pictures of a slider have {size:,} bytes, and there is room for {ROOM:,}")
        many = int(many * ROOM / size)  # fewer, since size is above ROOM


def _packed(picture):
    """The same pixels in fewer bytes, and how many they are."""
    from PIL import Image

    image, packed = Image.open(io.BytesIO(picture)), io.BytesIO()
    # in a sixth of the default's time, with a sixth more bytes
    image.convert("RGB").save(packed, "webp", lossless=True, method=1, quality=20)
    return packed.getvalue(), image.size


def _value(part, place):
    """What the control shows there: a number, or an option, which may be anything."""
    return f"{place:,.10g}" if part.slider else str([*part.widget.options][place])
