"""Tests of two arms on live users: how many users one needs, and what looking several times does to it."""

import math

import numpy as np

from evalteach._inputs import check_between, read_finite, read_whole


def users_per_arm(base_rate, lift, *, power=0.8, alpha=0.05):
    """Users that each of two equal arms needs for a two-sided test of a difference between two rates, looked at once.

    Parameters
    ----------
    base_rate : float
        Share of arm A's users who act, in (0, 1).
    lift : float
        Relative difference of arm B's share, as a fraction: 0.02 is 4.08 % where A has 4 %. B's share must be in
        (0, 1), too.
    power : float
        Share of such tests that are to find it, from alpha / 2 to 1.
    alpha : float
        False alarms where there is no difference, in (0, 1).

    Returns
    -------
    float
        Not rounded; nan where ``lift`` is 0.

    Raises
    ------
    ValueError
        For a number out of range.

    Notes
    -----
    Each arm has the variance of its own rate. With A's for both, 4 % and a lift of 0.02 ask for 942,000 users
    and not 951,000.

    References
    ----------
    Derived in notebooks/50_online_experiments.ipynb.
    """
    from scipy.special import ndtri

    a = check_between("base_rate", base_rate, 0, 1)
    lift = check_between("lift", lift, -math.inf, math.inf)
    b = check_between("base_rate * (1 + lift)", a * (1 + lift), 0, 1)
    alpha = check_between("alpha", alpha, 0, 1)
    power = check_between("power", power, alpha / 2, 1)
    if not lift:
        return math.nan
    return float((ndtri(1 - alpha / 2) + ndtri(power)) ** 2 * (a * (1 - a) + b * (1 - b)) / (b - a) ** 2)


def look_days(n_days, n_looks):
    """The days, 1 to ``n_days``, at whose ends one looks: spread evenly, the last one included.

    Parameters
    ----------
    n_days, n_looks : int
        At least 1; there are never more looks than days.

    Returns
    -------
    ndarray of int, shape (min(n_looks, n_days),)
        In rising order.
    """
    n_days = read_whole("n_days", n_days, 1, 10**6)
    n_looks = min(read_whole("n_looks", n_looks, 1, 10**6), n_days)
    return -(-np.arange(1, n_looks + 1) * n_days // n_looks)


def running_z(steps, shift=0.0):
    """z of the difference so far, after each day, where all days have equally many users.

    Parameters
    ----------
    steps : array_like, shape (n_days,) or (n_days, n_tests)
        Standard normal: by how much each day alone is off, in standard errors of a day.
    shift : float
        The true difference, in standard errors of a day.

    Returns
    -------
    ndarray
        As ``steps``: the sum of the days so far over its standard error.
    """
    steps, shift = read_finite("steps", steps, (1, 2)), check_between("shift", shift, -math.inf, math.inf)
    days = np.arange(1.0, len(steps) + 1).reshape(-1, *[1] * (steps.ndim - 1))
    return np.cumsum(steps, axis=0) / np.sqrt(days) + shift * np.sqrt(days)


def called_at(z, critical):
    """The look at which each test stops, since z is beyond ``critical`` on either side.

    Parameters
    ----------
    z : array_like, shape (n_looks, n_tests)
        At the looks only.
    critical : float
        0 or more.

    Returns
    -------
    ndarray of int, shape (n_tests,)
        Position of the first such look; -1 where there is none.
    """
    beyond = np.abs(read_finite("z", z, (1, 2))) > check_between("critical", critical, 0, math.inf, open_ends=False)
    return np.where(beyond.any(axis=0), beyond.argmax(axis=0), -1)


def critical_value(z, alpha=0.05):
    """What |z| exceeds at some look in a share ``alpha`` of tests without a difference: one bound for all looks.

    Parameters
    ----------
    z : array_like, shape (n_looks, n_tests)
        At the looks, of simulated tests in which nothing differs.
    alpha : float
        In (0, 1).

    Returns
    -------
    float

    References
    ----------
    Pocock (1977), Biometrika 64(2), 191-199, has it for equal groups: 2.413 for five looks.
    """
    z = read_finite("z", z, (2,))
    return float(np.quantile(np.abs(z).max(axis=0), 1 - check_between("alpha", alpha, 0, 1)))
