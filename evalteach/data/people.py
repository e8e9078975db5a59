"""Simulated customers, some of whom are in the table more than once, and not always spelled alike."""

import numpy as np

from evalteach._inputs import check_between, read_seed, read_whole

# ruff: noqa: SIM905
GIVEN = """
Anna Anne Hanna Maria Marie Mario Martin Martina John Jon Joan Johan Peter Petra Karl Carl Carla Eric Erica
Erik Lena Lene Nina Tina Tim Tom Thomas Paul Paula Laura
""".split()
FAMILY = """
Meyer Meier Maier Mayer Miller Muller Hansen Hanson Jansen Jensen Johnson Jonson Larsen Larson Petersen
Peterson Nielsen Nilsson Olsen Olson Berg Berger Bergman Burger Carlson Karlsson Schmid Schmidt Schmitt Smith
""".split()
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def people(n_people=14, *, typos=1.0, seed=0):
    """A table of customers with duplicates and typing errors, and who they really are.

    Each person has one record or more (2 on average). Records after the first have typing errors: a letter lost,
    doubled or replaced, or two swapped, the first of a word as well (a few errors change nothing). Different people
    may have the same name.

    Parameters
    ----------
    n_people : int
        Different people, 1 or more.
    typos : float
        Typing errors in each further record, on average (0 to 10).
    seed : int or list of int
        Of the random numbers.

    Returns
    -------
    DataFrame
        Columns ``name`` ("Family, Given") and ``person`` (a number each, from 0), sorted by name.
    """
    import pandas as pd

    n_people = read_whole("n_people", n_people, 1, np.inf, "a whole number, 1 or more")
    typos = check_between("typos", typos, 0, 10, open_ends=False)
    rng = np.random.default_rng(read_seed(seed))
    rows = []
    for person in range(n_people):
        words = [names[rng.integers(len(names))] for names in (FAMILY, GIVEN)]
        rows.append((", ".join(words), person))
        while rng.random() < 0.5:
            copy = list(words)
            for _ in range(int(typos + rng.random())):  # whole ones, and one more with the chance of what is left
                which = int(rng.integers(2))
                copy[which] = _mistyped(copy[which], rng)
            rows.append((", ".join(copy), person))
    return pd.DataFrame(sorted(rows), columns=["name", "person"])


def _mistyped(word, rng):
    kind, letter = rng.integers(4), LETTERS[rng.integers(26)]
    kind = max(kind, 1) if len(word) == 2 else kind  # which loses none
    at = int(rng.integers(len(word) - 1))
    here, after = word[at : at + 2]
    return (word[:at] + (after, here * 2 + after, letter + after, after + here)[kind] + word[at + 2 :]).capitalize()
