"""One explorer of each kind for all tests that move it."""

import pytest

from explorers.helpers import CASES, REGISTERED, move, values


@pytest.fixture(params=REGISTERED)
def kind(request):
    return request.param


@pytest.fixture
def case(kind):
    return CASES[kind]


@pytest.fixture(scope="session")
def made():
    """Explorers and the values that their controls started with, by kind."""
    return {}


@pytest.fixture
def explorer(made, kind, case):
    """One explorer of each kind, each time where it started: to make one costs as much as ten moves."""
    if kind not in made:
        new = case.make()
        made[kind] = new, values(new)
    explorer, start = made[kind]
    yield explorer
    move(explorer, **start)
    assert values(explorer) == start
