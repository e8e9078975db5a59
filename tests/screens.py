"""What a reader is shown, as numbers: a test of them holds whatever the words around them become."""

import re

NUMBER = re.compile(r"(?<![\w@.])(?:[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[-+]?\d+)?|nan\b)")


def numbers_in(text):
    """All numbers of a text, in its order, and nan; none of a name such as F0.5 or recall@10."""
    return [float(number.replace(",", "")) for number in NUMBER.findall(text)]
