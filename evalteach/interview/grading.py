"""Reads a number as people type it, and says whether it is right, or which slip made it wrong."""

import math
import re

TYPED = re.compile(
    r"(?:about|roughly|approximately|around|~|≈)?\s*(?P<top>[-+−]?(?:[\d,]+\.?\d*|\.\d+)(?:e[-+]?\d+)?)"
    r"(?:\s*/\s*(?P<bottom>(?=[\d,.]*[1-9])[\d,]+\.?\d*))?\s*(?P<percent>%|percent|per cent)?\.?",
    re.IGNORECASE,
)
WITH_COMMAS = re.compile(r"[-+−]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?")


def grade(number, answer, tolerance, mistakes=()):
    """Whether a number is right, and the reason why a wrong one is wrong, if it is a common mistake.

    Parameters
    ----------
    number, answer : float
    tolerance : float
        The largest absolute error with which a number is right, or is one of the ``mistakes``.
    mistakes : sequence of (float, str)
        Wrong answers that people often give to this question, each with its reason. Slips that happen with any
        number, such as a factor of 100, are known besides.
    """
    if _is_close(number, answer, tolerance):
        return True, ""
    slips = [(value, tolerance, reason) for value, reason in mistakes]
    slips += [(value, half_unit(value), reason) for value, reason in _slips(answer)]
    return False, next((reason for value, error, reason in slips if _is_close(number, value, error)), "")


def _slips(answer):
    """What people often write instead of any number, with the reason why it is wrong."""
    if 0 < answer < 1:
        yield 1 - answer, "that is the complement, one minus the answer"
        yield answer / (1 - answer), "that is the odds, and the question asks for the probability"
    if answer:
        yield 1 / answer, "that is the reciprocal of the answer"
    yield 100 * answer, "that is 100 times the answer: a percentage and a share are mixed up"
    yield answer / 100, "that is a hundredth of the answer: a percentage and a share are mixed up"
    yield 1000 * answer, "that is 1,000 times the answer: look at the unit that the question asks for"
    yield answer / 1000, "that is a thousandth of the answer: look at the unit that the question asks for"
    yield 2 * answer, "that is twice the answer"
    yield answer / 2, "that is half of the answer"
    yield -answer, "the sign is the wrong way round"


def _is_close(number, value, error):
    return abs(number - value) <= error * (1 + 1e-9)


def half_unit(value):
    """Half a unit of the second digit: somebody who gives two correct digits of a number is no further off."""
    return 0.5 * 10.0 ** (math.floor(math.log10(abs(value))) - 1) if value else 0.0


def read_number(text):
    """A number as people type it (``0.031``, ``about 3.1 %``, ``1/6``, ``9,000``), and whether it has a percent sign.

    Raises
    ------
    ValueError
        If the text is not a number, or has a comma that may be a decimal point.
    """
    if not (match := TYPED.fullmatch(text.strip())):
        raise ValueError(f"{text!r} is not a number; type one such as 0.031, 3.1%, 1/6 or 9,000")
    top, bottom = (_as_float(part) for part in (match["top"], match["bottom"] or "1"))
    return top / bottom / (100 if match["percent"] else 1), bool(match["percent"])


def _as_float(digits):
    if "," in digits and not WITH_COMMAS.fullmatch(digits):
        raise ValueError(f"is {digits} a decimal? Write {digits.replace(',', '.')}; commas separate thousands here")
    return float(digits.replace(",", "").replace("−", "-"))
