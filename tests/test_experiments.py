"""How many users a test needs, what peeks do to it, and buckets that are the same on every machine."""

import hashlib
import math
import re

import lessons
import numpy as np
import pytest
from scipy.stats import norm

from evalteach.experiments import called_at, critical_value, look_days, running_z, users_per_arm

NULL = np.random.default_rng(7).normal(size=(20, 20_000))

# digests by another program: printf 'ranking:ann' | sha256sum
DIGESTS = {
    ("ann", "ranking"): "32b784c9de82af11bf833de48326839c9ada9b28963f1beeec799a2f29d41064",
    ("bob", "ranking"): "4e83fba7bf1ccd297d3c562fdb358575e06209bc9d18e1f739e206959f7e33ad",
    ("ann", "layout"): "baa67a5ef0ca79ea0a105962abc30d29aa98c82d9ae41ce4ca40102a1431a923",
    (7, "ranking"): "e526076432f33e9f6e29228002310d0e397f52764536033449e5e99ea822fe5c",
    ("zoë", "s"): "59c0529d50e65fac289f99d5660199ef53a7ce7aea23484bb7ddce857fe246a6",
}


def bucket_of_the_lesson():
    """The function that the notebook defines, from its source."""
    path = next(path for path in lessons.paths() if path.stem.startswith("50"))
    (source,) = (cell.source for cell in lessons.read(path).code if re.match(r"def bucket\(", cell.source))
    space = {"hashlib": hashlib}
    exec(source, space)
    return space["bucket"]


def test_buckets_are_those_of_another_program_so_that_no_machine_or_version_moves_a_user():
    bucket = bucket_of_the_lesson()
    found = {given: bucket(*given) for given in DIGESTS}
    assert found == {given: int(digits, 16) % 1000 for given, digits in DIGESTS.items()}
    assert [bucket(user, "ranking") for user in ("ann", "bob")] == [164, 101]


def test_users_for_four_percent_and_a_lift_of_two():
    # (1.96 + 0.84)² (.04 · .96 + .0408 · .9592) / .0008²
    assert users_per_arm(0.04, 0.02) == pytest.approx(950_884, abs=1)
    one_variance = (norm.ppf(0.975) + norm.ppf(0.8)) ** 2 * 2 * 0.04 * 0.96 / 0.0008**2
    assert one_variance == pytest.approx(941_900, abs=100)  # what a quick rule says: 942,000


@pytest.mark.parametrize(("base", "lift"), [(0.04, 0.1), (0.3, -0.05), (0.5, 0.2)])
@pytest.mark.parametrize("power", [0.5, 0.8, 0.95])
def test_so_many_users_have_the_power_that_was_asked_for(base, lift, power):
    n = users_per_arm(base, lift, power=power, alpha=0.01)
    p = np.array([base, base * (1 + lift)])
    found = norm.sf(norm.isf(0.005), abs(base * lift) / np.sqrt((p * (1 - p)).sum() / n))
    assert found == pytest.approx(power)
    assert users_per_arm(base, lift, power=power + 0.02, alpha=0.01) > n


def test_no_lift_is_never_found():
    assert math.isnan(users_per_arm(0.04, 0))


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"base_rate": 0}, "base_rate must be between 0 and 1"),
        ({"lift": 30}, r"base_rate \* \(1 \+ lift\) must be between 0 and 1"),
        ({"lift": -1}, r"base_rate \* \(1 \+ lift\) must be between 0 and 1"),
        ({"alpha": 1}, "alpha must be between 0 and 1"),
        ({"power": 0.01}, "power must be between 0.025 and 1"),
        ({"power": "most"}, "power must be one real number"),
    ],
)
def test_what_has_no_sample_size_is_refused(given, why):
    with pytest.raises(ValueError, match=f"^{why}"):
        users_per_arm(**{"base_rate": 0.04, "lift": 0.02, **given})


def test_peeks_are_spread_evenly_and_the_last_is_the_end():
    assert look_days(28, 1).tolist() == [28]
    assert look_days(28, 4).tolist() == [7, 14, 21, 28]
    assert look_days(7, 3).tolist() == [3, 5, 7]
    assert look_days(5, 50).tolist() == [1, 2, 3, 4, 5]
    for days in range(1, 43):
        for looks in range(1, 43):
            when = look_days(days, looks)
            assert (len(when), when[-1]) == (min(looks, days), days)
            assert np.all(np.diff([0, *when]) > 0)


@pytest.mark.parametrize(("days", "looks"), [(0, 1), (3, 0), (2.5, 1)])
def test_no_day_and_no_peek_are_refused(days, looks):
    with pytest.raises(ValueError, match="must be a whole number from 1"):
        look_days(days, looks)


def test_a_million_peeks_are_as_many_as_there_are_days_and_more_are_refused():
    assert look_days(5, 10**6).tolist() == [1, 2, 3, 4, 5]
    assert look_days(10**6, 1).tolist() == [10**6]
    with pytest.raises(ValueError, match=r"^n_days must be a whole number from 1 to 1000000, got 1000001$"):
        look_days(10**6 + 1, 1)
    with pytest.raises(ValueError, match=r"^n_looks must be a whole number from 1 to 1000000, got 1000001$"):
        look_days(5, 10**6 + 1)


def test_running_z_by_hand():
    z = running_z(np.array([[1.0, 0.0], [2.0, 0.0], [3.0, 0.0], [0.0, 0.0]]), shift=0.5)
    assert z[:, 0] == pytest.approx([1.5, 3 / 2**0.5 + 0.5 * 2**0.5, 6 / 3**0.5 + 0.5 * 3**0.5, 4.0])
    assert z[:, 1] == pytest.approx([0.5, 0.5 * 2**0.5, 0.5 * 3**0.5, 1])


def test_every_day_of_running_z_is_standard_normal_where_nothing_differs():
    z = running_z(NULL)
    assert z.mean(axis=1) == pytest.approx(np.zeros(20), abs=0.03)
    assert z.std(axis=1) == pytest.approx(np.ones(20), abs=0.02)


def test_a_test_stops_at_its_first_look_beyond_on_either_side():
    z = np.array([[0.0, 2.0, -3.0, 1.0], [2.5, 9.0, 0.0, -1.96], [-4.0, 0.0, 0.0, 1.96]])
    assert called_at(z, 1.96).tolist() == [1, 0, 0, -1]


@pytest.mark.parametrize(
    ("looks", "naive", "bound"),  # Armitage, McPherson and Rowe (1969), table 2; Pocock (1977), table 1
    [(1, 0.05, 1.960), (2, 0.083, 2.178), (5, 0.142, 2.413), (10, 0.193, 2.555), (20, 0.248, 2.672)],
)
def test_false_alarms_of_peeks_and_the_bound_are_those_of_published_tables(looks, naive, bound):
    z = running_z(NULL)[:looks]
    assert np.mean(called_at(z, 1.96) >= 0) == pytest.approx(naive, abs=0.01)
    assert critical_value(z) == pytest.approx(bound, abs=0.03)
    assert np.mean(called_at(z, critical_value(z, 0.2)) >= 0) == pytest.approx(0.2, abs=0.001)


def test_a_share_of_false_alarms_is_between_0_and_1():
    with pytest.raises(ValueError, match=r"^alpha must be between 0 and 1"):
        critical_value(NULL, 5)
