"""What peeks do to a test, and buckets that are the same on every machine."""

import hashlib
import re

import lessons
import numpy as np
import pytest

from evalteach.experiments import called_at, critical_value, running_z

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


@pytest.mark.parametrize(("looks", "constant"), [(2, 1.977), (5, 2.040), (10, 2.087), (20, 2.126)])
def test_the_constant_of_a_falling_bound_is_that_of_published_tables(looks, constant):
    # Jennison and Turnbull (2000), Group Sequential Methods, table 2.3
    shape = np.sqrt(looks / np.arange(1, looks + 1))[:, None]
    assert critical_value(running_z(NULL)[:looks] / shape) == pytest.approx(constant, abs=0.03)


def test_a_share_of_false_alarms_is_between_0_and_1():
    with pytest.raises(ValueError, match=r"^alpha must be between 0 and 1"):
        critical_value(NULL, 5)
