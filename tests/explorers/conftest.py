"""One explorer of each kind for all tests that move it."""

from unittest import mock

import pytest

from evalteach.explorers import Explorer
from explorers.helpers import CASES, REGISTERED, move, values


@pytest.fixture(params=REGISTERED)
def kind(request):
    return request.param


@pytest.fixture
def case(kind):
    return CASES[kind]


@pytest.fixture(scope="session")
def made():
    """Explorers and the values that their controls started with, by name and kind."""
    return {}


def shared(made, name, kind, case):
    if (name, kind) not in made:
        new = case.make()
        made[name, kind] = new, values(new)
    explorer, start = made[name, kind]
    yield explorer
    move(explorer, **start)
    assert values(explorer) == start


@pytest.fixture
def explorer(made, kind, case):
    """One explorer of each kind, each time where it started: to make one costs as much as ten moves."""
    yield from shared(made, "explorer", kind, case)


@pytest.fixture
def twin(made, kind, case):
    """Another one of the same rows, to compare with."""
    yield from shared(made, "twin", kind, case)


@pytest.fixture
def undrawn():
    """Artists are set and nobody looks at them: to draw takes nine tenths of the time in which numbers are tested."""

    def set_artists(explorer, place, now):
        explorer.move_scene(now)
        explorer.move(now)

    with (
        mock.patch.object(Explorer, "_draw_picture", set_artists),
        mock.patch.object(Explorer, "_png", return_value=b""),
    ):
        yield
