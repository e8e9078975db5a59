"""Every example in a docstring is run, and what it shows comes out."""

import doctest
import pkgutil
from importlib import import_module

import pytest

import evalteach

MODULES = sorted(
    each.name for each in pkgutil.walk_packages(evalteach.__path__, "evalteach.") if "__main__" not in each.name
)
EXAMPLES = [
    test
    for name in MODULES
    for test in doctest.DocTestFinder(exclude_empty=True).find(import_module(name))
    if test.examples
]


@pytest.mark.parametrize("test", EXAMPLES, ids=lambda test: test.name)
def test_a_docstring_shows_what_comes_out(test):
    test.globs |= {name: getattr(evalteach, name) for name in ("Counts", "UnlabeledCurve", "sweep")}
    said = []
    doctest.DocTestRunner().run(test, out=said.append)
    assert not said, "".join(said)


def test_the_metrics_have_examples():
    assert len(EXAMPLES) > 15
