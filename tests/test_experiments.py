"""What lesson 50 defines: z after each look, its limits, and buckets that are the same on every machine."""

import hashlib
import re
from types import SimpleNamespace

import lessons
import numpy as np
import pytest

NULL = np.random.default_rng(7).normal(size=(20, 20_000))

# digests by another program: printf 'ranking:ann' | sha256sum
DIGESTS = {
    ("ann", "ranking"): "32b784c9de82af11bf833de48326839c9ada9b28963f1beeec799a2f29d41064",
    ("bob", "ranking"): "4e83fba7bf1ccd297d3c562fdb358575e06209bc9d18e1f739e206959f7e33ad",
    ("ann", "layout"): "baa67a5ef0ca79ea0a105962abc30d29aa98c82d9ae41ce4ca40102a1431a923",
    (7, "ranking"): "e526076432f33e9f6e29228002310d0e397f52764536033449e5e99ea822fe5c",
    ("zoë", "s"): "59c0529d50e65fac289f99d5660199ef53a7ce7aea23484bb7ddce857fe246a6",
}


def functions_of_the_lesson():
    """Those that the notebook defines and that are tested here, from their sources."""
    path = next(path for path in lessons.paths() if path.stem.startswith("50"))
    space = {"hashlib": hashlib, "np": np}
    for cell in lessons.read(path).code:
        if re.match(r"def (bucket|first_beyond|running_z)\(", cell.source):
            exec(cell.source, space)
    return SimpleNamespace(**space)


lesson = functions_of_the_lesson()


def test_buckets_are_those_of_another_program_so_that_no_machine_or_version_moves_a_user():
    found = {given: lesson.bucket(*given) for given in DIGESTS}
    assert found == {given: int(digits, 16) % 1000 for given, digits in DIGESTS.items()}
    assert [lesson.bucket(user, "ranking") for user in ("ann", "bob")] == [164, 101]


def test_every_day_of_running_z_is_standard_normal_where_nothing_differs():
    z = lesson.running_z(NULL)
    assert z.mean(axis=1) == pytest.approx(np.zeros(20), abs=0.03)
    assert z.std(axis=1) == pytest.approx(np.ones(20), abs=0.02)


def test_a_test_stops_at_its_first_look_beyond_on_either_side():
    z = np.array([[0.0, 2.0, -3.0, 1.0], [2.5, 9.0, 0.0, -1.96], [-4.0, 0.0, 0.0, 1.96]])
    assert lesson.first_beyond(z, 1.96).tolist() == [1, 0, 0, -1]


@pytest.mark.parametrize(
    ("looks", "naive", "bound"),  # Armitage, McPherson and Rowe (1969), table 2; Pocock (1977), table 1
    [(1, 0.05, 1.960), (2, 0.083, 2.178), (5, 0.142, 2.413), (10, 0.193, 2.555), (20, 0.248, 2.672)],
)
def test_false_alarms_of_peeks_and_the_bound_are_those_of_published_tables(looks, naive, bound):
    z = lesson.running_z(NULL)[:looks]
    assert np.mean(lesson.first_beyond(z, 1.96) >= 0) == pytest.approx(naive, abs=0.01)
    assert lesson.critical_value(z) == pytest.approx(bound, abs=0.03)
    assert np.mean(lesson.first_beyond(z, lesson.critical_value(z)) >= 0) == pytest.approx(0.05, abs=0.001)


@pytest.mark.parametrize(("looks", "constant"), [(2, 1.977), (5, 2.040), (10, 2.087), (20, 2.126)])
def test_the_constant_of_a_falling_bound_is_that_of_published_tables(looks, constant):
    # Jennison and Turnbull (2000), Group Sequential Methods, table 2.3
    shape = np.sqrt(looks / np.arange(1, looks + 1))[:, None]
    assert lesson.critical_value(lesson.running_z(NULL)[:looks] / shape) == pytest.approx(constant, abs=0.03)
