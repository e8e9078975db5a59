"""What notebooks show: a picture with its sentence, once."""

import base64
import io

import numpy as np
from matplotlib import pyplot
from PIL import Image

from evalteach import plots


def test_a_shown_figure_is_saved_with_its_sentence_and_closed(monkeypatch):
    shown = []
    monkeypatch.setattr("IPython.display.display", shown.append)
    figure, axes = pyplot.subplots(figsize=(3, 2))
    axes.plot([0, 1], color=plots.COLOURS["deployed"])
    plots.show(figure, "A line that rises from 0 to 1.")
    assert not pyplot.fignum_exists(figure.number)
    (image,) = shown
    data, metadata = image._repr_mimebundle_()
    assert metadata["image/png"]["alt"] == "A line that rises from 0 to 1."
    png = data["image/png"]
    picture = Image.open(io.BytesIO(base64.b64decode(png) if isinstance(png, str) else png))
    assert (picture.mode, picture.size) == ("P", (300, 200))
    orange = np.abs(np.asarray(picture.convert("RGB")).astype(int) - (0xD5, 0x5E, 0x00)).sum(axis=2) < 30
    assert orange.sum() > 50  # the line is on it


def test_mistakes_are_hatched_and_every_square_is_one():
    cells, texts, _ = plots.confusion_matrix(pyplot.figure().subplots())
    assert {count for count, cell in cells.items() if cell.get_hatch()} == {"fp", "fn"}
    assert {(round(cell.get_width(), 9), round(cell.get_height(), 9)) for cell in cells.values()} == {(0.94, 0.94)}
    assert set(texts) == set(cells) == {"tp", "fp", "fn", "tn"}
    pyplot.close()
