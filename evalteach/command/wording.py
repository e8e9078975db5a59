"""Parts of sentences about a file: counts, places in it, and texts from it."""


def count(number, unit="row"):
    """``1 row``, ``1,200 rows``."""
    return f"{number:,} {unit}{'' if number == 1 else 's'}"


def places(unit, numbers):
    """``line 4``, or ``lines 4, 7, 9, ...``: the first five."""
    first = ", ".join(f"{n:,}" for n in numbers[:5]) + ", ..." * (len(numbers) > 5)
    return f"{unit}{'s' * (len(numbers) > 1)} {first}"


def quoted(text):
    """A text in quotes, and no more than the start of a long one."""
    return repr(text if len(text) <= 40 else text[:37] + "...")


def listed(names):
    """Names in quotes: the first twelve."""
    return ", ".join(map(repr, names[:12])) + ", ..." * (len(names) > 12)
