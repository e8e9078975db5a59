"""Marks an exercise: says what was tried, what came out, and which likely mistake that looks like."""

import numpy as np


def check(answer, tries, mistakes=None):
    """Try the reader's function on a few inputs and say in one line how it went.

    Parameters
    ----------
    answer : callable
        The function of the exercise. It returns ``None`` as long as it is a stub.
    tries : list of (dict, expected)
        Keyword arguments, and the number or array that should come back. ``nan`` expects ``nan``.
    mistakes : dict of str to callable, optional
        What a likely mistake is called, and a function that makes it. It is named when it gives what
        the answer gave on every try.

    Returns
    -------
    None
        It prints: one line, which is compared when the notebook is tested.
    """
    for arguments, expected in tries:
        said = f"not yet: for {_listed(arguments)} expected {_shown(expected)}"
        try:
            got = answer(**arguments)
        except Exception as error:  # the reader's own code: any failure is theirs to see, in one line
            print(f"{said}, but it raised {type(error).__name__}: {error}")
            return
        if not _same(got, expected):
            named = next((name for name, made in (mistakes or {}).items() if _made(made, answer, tries)), None)
            print(f"{said}, got {_shown(got)}" + (f" ({named})" if named else ""))
            return
    print(f"correct: tried {'; '.join(_listed(arguments) for arguments, _ in tries)}")


def _made(mistake, answer, tries):
    """Whether the answer and the mistake agree wherever the mistake can be computed."""
    agreed = []
    for arguments, _ in tries:
        try:
            agreed.append(_same(answer(**arguments), mistake(**arguments)))
        except Exception:  # one of them has no value here, so it tells nothing
            continue
    return bool(agreed) and all(agreed)


def _same(got, expected):
    try:
        got, expected = np.asarray(got, dtype=float), np.asarray(expected, dtype=float)
    except (TypeError, ValueError):
        return False
    return got.shape == expected.shape and np.allclose(got, expected, rtol=1e-6, atol=1e-9, equal_nan=True)


def _listed(arguments):
    return ", ".join(f"{name}={_shown(value, plain=True)}" for name, value in arguments.items())


def _shown(value, plain=False):
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return f"{value:g}" if plain else f"{value:.3f}"
    if isinstance(value, list | tuple | np.ndarray) and np.ndim(value) == 1:
        items = [_shown(item, plain) for item in value[:8]]
        return f"[{', '.join(items)}{', ...' if len(value) > 8 else ''}]"
    # an object that says where it lies in memory would differ from run to run
    text = repr(value)
    return type(value).__name__ if " at 0x" in text else text[:80]
