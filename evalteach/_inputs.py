"""One place that reads what a caller passes in, and says what is wrong with it."""

from collections.abc import Hashable
from numbers import Integral, Real

import numpy as np

LARGEST = np.finfo(float).max.item()
DOUBLE = np.dtype(float)
MOST = 2**53  # the last whole number up to which a float holds each
LABELS = "labels must be bool, 0/1, or two values with positive= naming one of them"
SCORES = "scores must be real numbers (infinite ones order fine, nan does not)"


def read_array(name, values):
    """``values`` as an array; ``name`` is the argument to blame."""
    # asarray would take what lies under a mask for data; pandas' own masked arrays it reads rightly
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        where = int(np.flatnonzero(np.ma.getmaskarray(values))[0])
        raise ValueError(f"{name} is masked at position {where}; leave out what is masked, or fill it")
    try:
        return np.asarray(values)
    except ValueError as error:
        raise ValueError(f"{name} cannot be read as an array ({error}); entries of one length are needed") from None


def read_column(name, values):
    """A one-dimensional, non-empty array of ``values``; ``name`` is the argument to blame."""
    column = read_array(name, values)
    if column.ndim != 1:
        raise ValueError(f"{name} must have one dimension, got shape {column.shape}; pass one column")
    if column.size == 0:
        raise ValueError(f"{name} is empty; at least one row is needed")
    return column


def read_numbers(name, values, accepted=SCORES):
    """``values`` as float64 without nan."""
    column = read_column(name, values)
    if column.dtype.kind not in "biufO":
        raise ValueError(f"{name} has dtype {column.dtype}; {accepted}")
    if column.dtype == object and (text := next((each for each in column if isinstance(each, str | bytes)), None)):
        raise ValueError(f"{name} holds the text {text!r}; {accepted}")
    try:
        numbers = np.ascontiguousarray(column, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"{name} cannot be read as numbers ({error}); {accepted}") from None
    if np.isnan(numbers.min()):  # min carries nan along, and is quicker than a mask
        where = int(np.flatnonzero(np.isnan(numbers))[0])
        raise ValueError(f"{name} has nan at position {where}; {accepted}")
    return numbers


def read_scores(name, values, read=read_numbers, *limits):
    """What ``read`` makes of ``values``, and the type in which they are compared with a threshold (``round_to``)."""
    column = read_array(name, values)
    narrow = column.dtype.kind == "f" and column.dtype.itemsize < DOUBLE.itemsize
    return read(name, column, *limits), column.dtype if narrow else DOUBLE


def round_to(dtype, threshold):
    """``threshold`` as NumPy compares it with scores of this type: 0.7 becomes the float32 that is nearest to it.

    Otherwise a row that scores 0.7 in float32, which is a little less, would not be at or above 0.7.
    """
    if dtype is DOUBLE:  # quickly, since this lies on a slider's path
        return threshold
    with np.errstate(over="ignore"):  # beyond the largest float32 there is only infinity
        return float(np.float64(min(max(threshold, -LARGEST), LARGEST)).astype(dtype))


def read_finite(name, values, dimensions):
    """``values`` as float64 with one of these numbers of dimensions, not empty, none of them nan or infinite."""
    numbers = read_array(name, values)
    if numbers.dtype.kind not in "biuf" or not np.isfinite(numbers).all():
        raise ValueError(f"{name} must hold finite numbers, got {numbers.dtype} that are not")
    if numbers.ndim not in dimensions or not numbers.size:
        wanted = " or ".join(map(str, dimensions))
        raise ValueError(f"{name} must have {wanted} dimensions and a number at least, got shape {numbers.shape}")
    return numbers.astype(np.float64, copy=False)


def read_between(name, values, low, high, *, open_ends=False, called=None):
    """``values`` as float64, each of them between ``low`` and ``high``; ``called`` says what they are."""
    accepted = f"{called or name} must be {_between(low, high, open_ends)}"
    numbers = read_numbers(name, values, accepted)
    inside = _inside(numbers, low, high, open_ends)
    if not inside.all():
        where = int(np.argmin(inside))
        raise ValueError(f"{name} holds {_in_full(numbers[where])} at position {where}; {accepted}")
    return numbers


def read_probabilities(name, values, *, zero=True):
    """``values`` as float64 from 0 to 1; without ``zero``, above 0."""
    if not zero:
        return read_between(name, values, 0, 1, open_ends="low", called="inclusion probabilities")
    return read_between(name, values, 0, 1, called="probabilities")


def read_one_or_many(name, values, low, high, *, open_ends=False):
    """A number between ``low`` and ``high``, or a column of them."""
    if type(values) in (int, float) or not read_array(name, values).ndim:
        return check_between(name, values, low, high, open_ends=open_ends)
    return read_between(name, values, low, high, open_ends=open_ends)


def read_labels(y_true, positive=None, *, name="y_true"):
    """``y_true`` as bool, True for the positive class; which of two strings that is, is never guessed."""
    column = read_column(name, y_true)
    if positive is not None:
        distinct = _distinct(name, column)
        if len(distinct) > 2:
            raise ValueError(f"{name} holds {_listed(distinct)}; {LABELS}")
        if positive not in distinct:
            raise ValueError(f"positive={positive!r} does not occur in {name}, which holds {_listed(distinct)}")
        return np.asarray(column == positive, dtype=bool)
    if column.dtype == bool:
        return column
    # the two ends of whole numbers say enough, and are found sooner
    values = (column.min(), column.max()) if column.dtype.kind in "iu" else _distinct(name, column)
    if column.dtype.kind not in "iufO" or not set(values) <= {0, 1}:
        raise ValueError(f"{name} holds {_listed(_distinct(name, column))}; {LABELS}")
    return column.astype(bool)


def read_rows(y_true, y_score, positive=None, *, name="y_score", read=read_numbers):
    """Labels, and what ``read`` makes of the column ``name``, with one entry per row in each."""
    actual, score = read_labels(y_true, positive), read(name, y_score)
    check_lengths(**{"y_true": actual.size, name: score.size})
    return actual, score


def _distinct(name, column):
    """Distinct values of a label column in order of appearance, missing ones refused."""
    distinct = list(dict.fromkeys(column.tolist())) if column.dtype == object else np.unique(column).tolist()
    # nan differs from itself, and comparing pandas' NA with itself has no truth value
    if any(value is None or str(value) in ("nan", "<NA>", "NaT") for value in distinct):
        raise ValueError(f"{name} has a missing value among {_listed(distinct)}; {LABELS}")
    return distinct


def _listed(distinct):
    shown = ", ".join(repr(value) for value in distinct[:5])
    return f"{shown}, ... ({len(distinct)} distinct values)" if len(distinct) > 5 else shown


def read_strata(stratum):
    """The stratum of each row as a value that sorts, none missing."""
    column = read_column("stratum", stratum)
    if column.dtype.kind in "biu":
        return column
    return _numbered("stratum", _as_given(column, stratum), "row", sort=True)


def read_groups(name, values):
    """Which of them each record belongs to, by labels of any kind: numbers in order of appearance, none missing."""
    return _numbered(name, _as_given(read_column(name, values), values), "record")


def _as_given(column, values):
    """Among text numpy writes nan as "nan", and 1 as "1"."""
    given_as_text = column.dtype.kind in "US" and not isinstance(values, np.ndarray)
    return np.asarray(values, dtype=object) if given_as_text else column


def _numbered(name, column, each, *, sort=False):
    import pandas as pd

    try:
        numbers, _ = pd.factorize(column, sort=sort)
    except TypeError as error:
        raise ValueError(f"{name} cannot be told apart ({error}); text and numbers can") from None
    if numbers.min() < 0:
        raise ValueError(f"{name} is missing at position {np.argmin(numbers)}; every {each} needs one")
    return numbers


def read_weights(weights, **rows):
    """``weights`` as float64: finite, none negative, not all zero, as many as there are rows."""
    column = read_between("weights", weights, 0, np.inf)
    check_lengths(**rows, weights=column.size)
    if column.max() == 0:
        raise ValueError("weights are all zero; at least one row has to count")
    if column.max() > 1e300 / column.size:
        raise ValueError(f"weights holds {column.max():g}; weights of {column.size} rows must add up to 1e300 at most")
    return column


def check_lengths(**lengths):
    if len(set(lengths.values())) > 1:
        found = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        raise ValueError(f"unequal lengths: {found} rows; one entry per row is needed in each")


def check_shapes(**shaped):
    """Refuses arguments that do not broadcast against each other."""
    shapes = [np.shape(each) for each in shaped.values()]
    try:
        np.broadcast_shapes(*shapes)
    except ValueError:
        *others, last = shaped
        names, found = f"{', '.join(others)} and {last}", ", ".join(map(str, shapes))
        raise ValueError(f"{names} have shapes {found}; scalars or one common shape are accepted") from None


def read_number(name, value):
    """``value`` as a Python number: numpy's own integers wrap around when sums get large."""
    if type(value) in (int, float):  # quickly, since this lies on a slider's path
        return value
    alone = value.item() if isinstance(value, np.generic | np.ndarray) and value.ndim == 0 else value
    if isinstance(alone, Real) and not np.ma.is_masked(value):
        try:
            return int(alone) if isinstance(alone, Integral) else float(alone)
        except OverflowError:
            pass
    raise ValueError(f"{name} must be one real number, got {value!r}")


def read_whole(name, value, least, most, accepted=None):
    """``value`` as an int, if it is a whole number from ``least`` to ``most``."""
    number = read_number(name, value)
    if not (least <= number <= most and number < np.inf and number == int(number)):
        raise ValueError(f"{name} must be {accepted or f'a whole number from {least} to {most}'}, got {value}")
    if number > MOST:
        raise ValueError(f"{name} must be at most {MOST}, got a number of {len(str(int(number)))} digits")
    return int(number)


def read_seed(seed):
    """``seed`` as an int, or a list of them, which draw the same again; numpy's Generator as it is, to go on."""
    if isinstance(seed, np.random.Generator):
        return seed
    if isinstance(seed, list) and seed:
        return [read_seed(each) for each in seed]
    return read_whole("seed", seed, 0, MOST, "a whole number, 0 or more")


def check_between(name, value, low, high, *, open_ends=True):
    """``value`` as a Python number, if it is a real one between ``low`` and ``high``."""
    value = read_number(name, value)
    if not _inside(value, low, high, open_ends):
        raise ValueError(f"{name} must be {_between(low, high, open_ends)}, got {value}")
    return value


def check_choice(name, value, options):
    if not isinstance(value, Hashable | list) or value not in options:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, options))}, got {value!r}")


def check_made(name, value, kind):
    """Refuses what is no ``kind``, a class that the package itself fills."""
    if not isinstance(value, kind):
        raise ValueError(f"{name} must be a {kind.__name__}, got {type(value).__name__}")


def check_function(name, value):
    if not callable(value):
        raise ValueError(f"{name} must be a function of Counts, such as evalteach.classification.recall, got {value!r}")


def _inside(values, low, high, open_ends):
    """Whether each of them is; False for nan, and for an int that no float can hold."""
    above = low < values if open_ends else low <= values
    return above & (values < high if open_ends is True and high < np.inf else values <= min(high, LARGEST))


def _between(low, high, open_ends):
    if low == -np.inf:
        return "finite"
    if high == np.inf:
        return f"above {low:g} and finite" if open_ends else f"{low:g} or more and finite"
    if open_ends == "low":
        return f"above {low:g} and at most {high:g}"
    return f"between {low:g} and {high:g}" + ("" if open_ends else ", both included")


def _in_full(number):
    """With all digits where six of them would round it into the range that it is out of."""
    return f"{number:g}" if float(f"{number:g}") == number else repr(float(number))
