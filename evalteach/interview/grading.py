"""Reads a number as people type it, and says whether it is right, or which slip made it wrong."""

import math
import re
from operator import itemgetter

TYPED = re.compile(
    r"(?i)(?:(?:about|roughly|approximately|approx\.?|around|ca\.|circa|nearly|at least|at most|up to|[~≈=≥≤<>€$]|"
    r"above|over|more than|below|under|less than)\s*)*"
    r"(?P<top>[-+−]?(?:\d{1,3}(?: \d{3})+|\d[\d,]*\.?\d*|[.,]\d+)(?:e[-+]?\d+)?)"
    r"(?:\s*(?:/|:|in|of|out of)\s*(?P<bottom>(?=[\d,.]*[1-9])\d[\d,]*\.?\d*))?\s*"
    r"(?:(?P<percent>%|per ?cent\b|percentage\b|pp\b)|(?P<power>k|thousand|m|million)\b)?"
    # a unit or some other words behind it, but no word that is part of the number
    r"(?!.*(?:half|halves|third|quarter|tenth|hundred|dozen|billion|thousandth))[a-z\s€$.²°-]*"
)
WITH_COMMAS = re.compile(r"[-+−]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?")
CLOSE = "that is close to the answer, but not close enough; if you rounded on the way, keep more digits"
FAR = "that is the answer, but rounded too far; keep more digits"
SHARE, UNIT = ": a percentage and a share are mixed up", ": look at the unit that the question asks for"
EXACT = "that is close to the answer, but this is a whole number, and it can be counted exactly"
FACTORS = {-1: "the answer, but the sign is the wrong way round", 2: "twice the answer", 1 / 2: "half of the answer"}
FACTORS |= {10: "ten times the answer", 1 / 10: "a tenth of the answer"}
FACTORS |= {100: f"100 times the answer{SHARE}", 1 / 100: f"a hundredth of the answer{SHARE}"}
FACTORS |= {1000: f"1,000 times the answer{UNIT}", 1 / 1000: f"a thousandth of the answer{UNIT}"}
# words of which an answer may have only those that the question has, where it has one of them
UNITS = ("(bit|nat)s?", "(euro|cent|dollar)s?", "(second|minute|hour|day|week|month|year)s?", "(?:per|each|(total))")
POWERS = {"k": 1e3, "thousand": 1e3, "m": 1e6, "million": 1e6}


def grade(numbers, answer, tolerance, mistakes=()):
    """Whether a number is right, and the reason why a wrong one is wrong, if it is a common mistake.

    Parameters
    ----------
    numbers : sequence of float
        What was typed, in each way in which it can be read, the most likely one first.
    answer : float
    tolerance : float
        The largest absolute error with which a number is right, if it is not closer to one of the mistakes.
    mistakes : sequence of (float, str)
        Wrong answers that people often give to this question, each with its reason. Slips that happen with any
        number, such as a factor of 100, are known besides.
    """
    for number in numbers:
        if abs(number - answer) <= min([tolerance, *(abs(number - value) for value, _ in mistakes)]) * (1 + 1e-9):
            return True, ""
    # to one digit or two, and half a unit either way
    rounded = [(float(f"{answer * (1 + nudge):.{digits}g}"), FAR) for digits in (1, 2) for nudge in (-1e-9, 1e-9)]
    far = slip(numbers, rounded, 1e-6)
    # a tolerance of nearly or exactly one half is that of a whole number
    close = (answer, EXACT if tolerance in (0.4, 0.5) else far or CLOSE)
    named = slip(numbers, [*mistakes, close]) or slip(numbers, [close], percent=6) or (far and close[1])
    return False, named or next(filter(None, (slip([number], _slips(answer)) for number in numbers)), "")


def slip(numbers, mistakes, percent=1):
    """The reason of the mistake that is the nearest to one of the numbers, or "" where none is within two digits."""
    errors = [(abs(number - value), value, reason) for number in numbers for value, reason in mistakes]
    near = [error for error in errors if error[0] <= two_digits(error[1], percent) * (1 + 1e-9)]
    return min(near, key=itemgetter(0))[2] if near else ""


def _slips(answer):
    """What people often write instead of any number, with the reason why it is wrong."""
    if 0 < answer < 1:
        yield 1 - answer, "that is the complement, one minus the answer"
        yield answer / (1 - answer), "that is the odds, and the question asks for the probability"
    yield 1 / (answer or float("nan")), "that is the reciprocal of the answer"
    yield from ((factor * answer, f"that is {size}") for factor, size in FACTORS.items())


def two_digits(value, percent=1):
    """How far off somebody may be who rounds to two digits: by that, or by 1%, but less for a share close to 1."""
    least = min(abs(value), 10 * (1 - value) if 0 < value < 1 else math.inf) * percent / 100
    return max(least, abs(float(f"{value:.{2 + (0.995 < value < 1)}g}") - value))


def read_letter(text):
    """The letter of an option as people type it, such as "(c)", "C." or "option C"."""
    return re.sub(r"\W|option|answer", "", text, flags=re.IGNORECASE).upper()


def read_number(text):
    """A number as people type it (``0.031``, ``about 3.1 %``, ``1 in 6``, ``9,000``), and whether it is in percent.

    Raises
    ------
    ValueError
        If the text is not a number, or has a comma that may be a decimal point.
    """
    # of "60/87 = 0.69 (69%)" the 0.69 counts
    if not (match := TYPED.fullmatch(re.sub(r"\(.*\)$", "", text.rpartition("=")[2].strip()).strip())):
        raise ValueError(f"{text!r} is not a number; type one such as 0.5, 50%, 1/2 or 2,000")
    is_percent = bool(match["percent"])
    top, bottom = (_as_float(part, is_percent) for part in (match["top"], match["bottom"] or "1"))
    return top / bottom * POWERS.get((match["power"] or "").lower(), 1) / (100 if is_percent else 1), is_percent


def _as_float(digits, is_percent):
    if WITH_COMMAS.fullmatch(digits) and not is_percent:
        digits = digits.replace(",", "")
    elif digits.count(",") > 1 or ("," in digits and ("." in digits or WITH_COMMAS.fullmatch(digits))):
        raise ValueError(f"which comma of {digits} is a decimal point? Write a point for it, and no other comma")
    return float(digits.replace(",", ".").replace("−", "-").replace(" ", ""))
