"""Tests of two arms on live users: what looking several times does to false alarms and to power."""

import math

import numpy as np

from evalteach._inputs import check_between, read_finite


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
    Pocock (1977), Biometrika 64(2), 191-199, has it for equal groups: 2.413 for five looks. Divide ``z`` by
    sqrt(n_looks / look) first, and it is the constant of O'Brien and Fleming (1979), Biometrics 35(3), 549-556.
    """
    z = read_finite("z", z, (2,))
    return float(np.quantile(np.abs(z).max(axis=0), 1 - check_between("alpha", alpha, 0, 1)))
