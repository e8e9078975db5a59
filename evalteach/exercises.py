"""Checks the answer to an exercise: names the first case that fails and the likely mistake behind it."""

import copy
import io
import numbers
import os
import sys
import warnings
from contextlib import redirect_stdout, suppress
from pathlib import Path

import numpy as np

from evalteach._record import PROGRESS, read_progress, write_record


def check(answer, tries, mistakes=None):
    """Call the reader's function on a few inputs and print in one line whether it is correct.

    Parameters
    ----------
    answer : callable
        The function of the exercise, which returns ``None`` as long as it is a stub. It receives copies of the
        arguments, and what it prints is not shown.
    tries : list of (dict, expected)
        Keyword arguments, and the number or array that the function should return. If ``nan`` is expected, only
        ``nan`` is correct, and ``None`` or text is never a number.
    mistakes : dict of str to callable, optional
        A description of each likely mistake, and a function that makes it. A mistake is named when it gives the
        same values as the answer on all tries.

    Returns
    -------
    None
        It prints one line, which is compared when the notebook is tested.
    """
    _tick()
    fault = _fault(answer, tries, mistakes or {})
    if fault:
        print(f"Not yet: for {fault}")
    else:
        print(f"Correct in {'the only case' if len(tries) == 1 else f'all {len(tries)} cases'}.")
        _tick(answer)


def _fault(answer, tries, mistakes):
    """What is wrong with the answer in the first case that it fails; None if it fails in none."""
    for arguments, expected in tries:
        case, wanted = f"{_listed(arguments)} expected", _shown(expected, 3)
        output = io.StringIO()
        try:
            got = _call(answer, arguments, output)
        except Exception as error:  # the reader's own code: any failure is theirs to see, in one line
            text = _line(str, error)
            return f"{case} {wanted}, but it raised {type(error).__name__}{text and f': {text}'}"
        if _same(got, expected):
            continue
        if got is None:
            printed = _line(str, output.getvalue())[:80]
            advice = f"printed {printed} and returned nothing. Write `return` instead of `print`."
            if not printed:
                advice = "returned None. Did you write `return`?"
            return f"{case} {wanted}, but your function {advice}"
        pairs = [(_shown(expected, digits), _shown(got, digits)) for digits in range(3, 18)]
        wanted, given = next((pair for pair in pairs if pair[0] != pair[1]), pairs[0])
        named = next((name for name, mistake in mistakes.items() if _makes(mistake, answer, tries)), None)
        reason = named or _reason(got, expected)
        return f"{case} {wanted}, got {given}" + (f" ({reason})" if reason else "")
    return None


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


def _call(function, arguments, output=None):
    # an answer that sorts or pops what it was given must not change what is shown and compared
    with redirect_stdout(output or io.StringIO()):
        return function(**copy.deepcopy(arguments))


def _makes(mistake, answer, tries):
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
    """What is wrong with the kind, the shape or the digits of a wrong answer; None if nothing is."""
    read, wanted = _numbers(got), _numbers(expected)
    if read is None:
        return f"return {'numbers' if wanted.ndim else 'one number'} and nothing else"
    if read.shape != wanted.shape:
        return f"its shape is {read.shape}, not {wanted.shape}" if wanted.ndim else "return one number, not an array"
    # a number that is far off may look rounded by chance
    if np.allclose(read, wanted, rtol=0.05) and any(np.allclose(read, wanted.round(d), 1e-12) for d in range(9)):
        return "do not round; keep all digits"
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
    text = _line(repr, value)[:80]
    return type(value).__name__ if not text or " at 0x" in text else text


def _line(form, value):
    """The value as text in one line; empty where that fails, since its class may be the reader's own."""
    try:
        return " ".join(form(value).split())
    except Exception:
        return ""
