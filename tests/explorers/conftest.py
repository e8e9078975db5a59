"""One explorer of each kind for all tests that move it."""

from contextlib import nullcontext

import pytest

from explorers.helpers import CASES, REGISTERED, move, nobody_looks, values


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


def shared(request, made, name, kind, case):
    if (name, kind) not in made:
        new = case.make()
        made[name, kind] = new, values(new)
    explorer, start = made[name, kind]
    yield explorer
    explorer.forget()  # else a frame that it kept is shown, and nothing is asked for
    move(explorer, **start)
    if "undrawn" in request.fixturenames:  # artists and axes were set to what no picture shows
        explorer._scene = explorer._background = None
        explorer._redraw()
    assert values(explorer) == start


@pytest.fixture
def explorer(request, made, kind, case):
    """One explorer of each kind, each time where it started: to make one costs as much as ten moves."""
    yield from shared(request, made, "explorer", kind, case)


@pytest.fixture
def twin(request, made, kind, case):
    """Another one of the same rows, to compare with."""
    yield from shared(request, made, "twin", kind, case)


@pytest.fixture
def undrawn(request):
    with nullcontext() if request.node.get_closest_marker("seen") else nobody_looks():
        yield
