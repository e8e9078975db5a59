"""Marks an exercise: says what was tried, what came out, and which likely mistake that looks like."""

import copy
import numbers
import os
import sys
import warnings
from contextlib import suppress
from pathlib import Path

import numpy as np

from evalteach._record import PROGRESS, read_progress, write_record


def check(answer, tries, mistakes=None):
    """Try the reader's function on a few inputs and say in one line how it went.

    Parameters
    ----------
    answer : callable
        The function of the exercise. It returns ``None`` as long as it is a stub. It gets copies of the arguments.
    tries : list of (dict, expected)
        Keyword arguments, and the number or array that should come back. ``nan`` expects ``nan``, and no
        number expects ``None`` or text.
    mistakes : dict of str to callable, optional
        What a likely mistake is called, and a function that makes it. It is named when it gives what
        the answer gave on every try.

    Returns
    -------
    None
        It prints: one line, which is compared when the notebook is tested.
    """
    _tick()
    for arguments, expected in tries:
        said = f"not yet: for {_listed(arguments)} expected"
        try:
            got = _call(answer, arguments)
        except Exception as error:  # the reader's own code: any failure is theirs to see, in one line
            told = " ".join(f"{type(error).__name__}: {error}".split())
            print(f"{said} {_shown(expected, 3)}, but it raised {told}")
            return
        if not _same(got, expected):
            pairs = [(_shown(expected, digits), _shown(got, digits)) for digits in range(3, 18)]
            wanted, given = next((pair for pair in pairs if pair[0] != pair[1]), pairs[0])
            named = next((name for name, made in (mistakes or {}).items() if _made(made, answer, tries)), None)
            reason = named or _reason(got, expected)
            print(f"{said} {wanted}, got {given}" + (f" ({reason})" if reason else ""))
            return
    print(f"correct: tried {'; '.join(_listed(arguments) for arguments, _ in tries)}")
    _tick(answer)


def _tick(correct=None):
    """Note that this notebook ran, and which of its functions is correct, if the reader keeps a record.

    `evalteach lab` puts the record beside the notebooks; where it is not, nothing is written.
    """
    with suppress(Exception):  # a record is never worth an error in a lesson
        record, notebook = Path(PROGRESS), Path(os.environ["JPY_SESSION_NAME"]).stem  # jupyter-server sets it
        if not notebook or record.is_symlink() or not record.is_file():
            return
        # the answer may be a lambda or a library's function: what counts is how the notebook calls it
        calling = list(sys._getframe(2).f_globals.items())
        names = {name for name, value in calling if value is correct and not name.startswith("_")}
        if correct is None or any(name.endswith("_solved") for name in names):
            names = set()
        before = read_progress(record)
        after = {**before, notebook: before.get(notebook, set()) | names}
        if after != before:
            write_record(record, {name: sorted(done) for name, done in after.items()})


def _call(function, arguments):
    # an answer that sorts or pops what it was given must not change what is printed and compared
    return function(**copy.deepcopy(arguments))


def _made(mistake, answer, tries):
    """Whether the mistake gives what the answer gave wherever both have a value, and somewhere a wrong one."""
    wrong = False
    for arguments, expected in tries:
        try:
            with warnings.catch_warnings(action="ignore"):  # a mistake's warning would look like the reader's
                got, made = _call(answer, arguments), _call(mistake, arguments)
        except Exception:  # one of them has no value here, so it tells nothing
            continue
        if not _same(got, made):
            return False
        wrong |= not _same(made, expected)
    return wrong


def _same(got, expected):
    got, expected = _numbers(got), _numbers(expected)
    if got is None or expected is None or got.shape != expected.shape:
        return False
    return np.allclose(got, expected, rtol=1e-6, atol=1e-12, equal_nan=True)


def _numbers(value):
    """The value as floats; None if it is anything else: numpy reads None as nan, and text as a number."""
    try:
        array = np.asarray(float(value) if isinstance(value, numbers.Real) else value)
    except (TypeError, ValueError, OverflowError):  # such as rows of different lengths
        return None
    return array.astype(float) if array.dtype.kind in "biuf" else None


def _reason(got, expected):
    """What is wrong with the answer before any formula is looked at; None if nothing is, and for a stub."""
    read, wanted = _numbers(got), _numbers(expected)
    if read is None:
        return None if got is None else f"return {'numbers' if wanted.ndim else 'one number'} and nothing else"
    if read.shape != wanted.shape:
        return (
            f"its shape is {read.shape}, not {wanted.shape}" if wanted.ndim else f"one number, not shape {read.shape}"
        )
    # a number that is far off may look rounded by chance
    if np.allclose(read, wanted, rtol=0.05) and any(np.allclose(read, wanted.round(d), 1e-12) for d in range(9)):
        return "keep all digits, do not round"
    return None


def _listed(arguments):
    return ", ".join(f"{name}={_shown(value)}" for name, value in arguments.items())


def _shown(value, digits=None):
    if isinstance(value, np.generic | np.ndarray) and value.ndim == 0:
        value = value.item()
    if isinstance(value, float):
        return f"{value:g}" if digits is None else f"{value:.{digits}f}"
    if isinstance(value, list | tuple | np.ndarray):
        items = [_shown(item, digits) for item in value[:8]]
        return f"[{', '.join(items)}{', ...' if len(value) > 8 else ''}]"
    # an object that says where it lies in memory would differ from run to run
    text = " ".join(repr(value).split())
    return type(value).__name__ if " at 0x" in text else text[:80]
