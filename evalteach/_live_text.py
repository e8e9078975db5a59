"""A text that is set anew at every move of a slider, drawn by Pillow."""

from functools import lru_cache

import numpy as np
from matplotlib.font_manager import findfont
from matplotlib.text import Text
from PIL import Image, ImageDraw, ImageFont


class LiveText(Text):
    """A black text, centred on its place: Pillow draws it in a tenth of the time that matplotlib takes."""

    def draw(self, renderer):
        if not (self.get_text() and self.get_visible()):
            return
        font = _font(findfont(self.get_fontproperties()), renderer.points_to_pixels(self.get_fontsize()))
        canvas = ImageDraw.Draw(Image.new("L", (1, 1)))
        left, top, right, bottom = canvas.multiline_textbbox((0, 0), self.get_text(), font, align="center")
        letters = Image.new("L", (round(right - left), round(bottom - top)))
        ImageDraw.Draw(letters).multiline_text((-left, -top), self.get_text(), 255, font, align="center")
        pixels = np.zeros((letters.height, letters.width, 4), dtype=np.uint8)  # black
        pixels[..., 3] = np.asarray(letters) * (1 if self.get_alpha() is None else self.get_alpha())
        x, y = self.get_transform().transform(self.get_position()) - np.array(letters.size) / 2
        renderer.draw_image(renderer.new_gc(), round(x), round(y), pixels[::-1])  # counted from the bottom


@lru_cache(32)
def _font(path, pixels):
    return ImageFont.truetype(path, pixels)
