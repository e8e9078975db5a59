"""The marker of exercises: its one line says what was tried and nothing that is not so."""

import numpy as np
import pytest

from evalteach.counts import Counts
from evalteach.exercises import check

TRIES = [({"tp": 8, "fp": 2}, 0.8), ({"tp": 1, "fp": 3}, 0.25), ({"tp": 0, "fp": 0}, np.nan)]


def precision(tp, fp):
    return tp / (tp + fp) if tp + fp else np.nan


def swapped(tp, fp):
    return precision(fp, tp)


@pytest.fixture
def said(capsys):
    """Mark an answer: the one line that is printed."""

    def said(answer, tries=TRIES, mistakes=None):
        assert check(answer, tries, mistakes) is None
        lines = capsys.readouterr().out.splitlines()
        assert len(lines) == 1
        return lines[0]

    return said


def test_a_stub_is_not_there_yet(said):
    assert said(lambda tp, fp: None) == "not yet: for tp=8, fp=2 expected 0.800, got None"


def test_a_right_answer_is_told_everything_that_was_tried(said):
    assert said(precision) == "correct: tried tp=8, fp=2; tp=1, fp=3; tp=0, fp=0"


def test_a_wrong_answer_is_told_the_first_try_it_fails(said):
    assert said(lambda tp, fp: 0.8) == "not yet: for tp=1, fp=3 expected 0.250, got 0.800"


def test_a_likely_mistake_is_named(said):
    mistakes = {"divided by fp alone": lambda tp, fp: tp / fp, "the shares of the other class": swapped}
    line = said(swapped, mistakes=mistakes)
    assert line == "not yet: for tp=8, fp=2 expected 0.800, got 0.200 (the shares of the other class)"


def test_a_mistake_is_not_named_unless_it_fits_every_try(said):
    def only_here(tp, fp):
        return 0.2 if tp == 8 else 0.9

    assert said(only_here, mistakes={"swapped": swapped}).endswith("got 0.200")


def test_a_try_that_a_mistake_has_no_value_for_tells_nothing_against_it(said):
    def undefended(tp, fp):
        return fp / (tp + fp)

    assert said(swapped, mistakes={"swapped": undefended}).endswith("(swapped)")


def test_a_mistake_that_has_no_value_anywhere_is_not_named(said):
    assert said(swapped, mistakes={"no": lambda **_: 1 / 0}).endswith("got 0.200")


def test_a_right_answer_is_never_called_a_mistake(said):
    assert said(precision, mistakes={"precision": precision}).startswith("correct: ")


def test_an_error_is_told_and_goes_no_further(said):
    assert said(lambda tp, fp: tp / 0) == (
        "not yet: for tp=8, fp=2 expected 0.800, but it raised ZeroDivisionError: division by zero"
    )
    assert "but it raised TypeError" in said(lambda true_positives: 1)
    assert "but it raised NameError: name 'tpp' is not defined" in said(lambda tp, fp: tpp)  # noqa: F821


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit])
def test_who_stops_the_cell_is_obeyed(stop):
    def stopped(tp, fp):
        raise stop

    with pytest.raises(stop):
        check(stopped, TRIES)


def test_where_nan_is_expected_only_nan_will_do(said):
    assert said(lambda tp, fp: tp / (tp + fp) if tp + fp else 0.0) == (
        "not yet: for tp=0, fp=0 expected nan, got 0.000"
    )
    assert said(lambda tp, fp: np.nan) == "not yet: for tp=8, fp=2 expected 0.800, got nan"


def test_arrays_are_compared_whole(said):
    tries = [({"x": [1, 2, 3]}, np.array([2.0, 4.0, 6.0]))]
    assert said(lambda x: np.multiply(x, 2), tries) == "correct: tried x=[1, 2, 3]"
    assert said(lambda x: [2, 4, 6], tries) == "correct: tried x=[1, 2, 3]"
    line = said(lambda x: [2, 4, 7.5], tries)
    assert line == "not yet: for x=[1, 2, 3] expected [2.000, 4.000, 6.000], got [2, 4, 7.500]"


@pytest.mark.parametrize(
    "answer", [2.0, [2.0, 4.0], [[2.0, 4.0, 6.0]], "2, 4, 6", {"a": 2}, [2.0, None, 6.0], object()]
)
def test_another_shape_or_kind_is_wrong_and_not_an_error(said, answer):
    tries = [({"x": [1, 2, 3]}, [2.0, 4.0, 6.0])]
    assert said(lambda x: answer, tries).startswith("not yet: for x=[1, 2, 3] expected [2.000, 4.000, ")


def test_rounding_of_the_last_digits_is_forgiven_and_no_more(said):
    tries = [({"x": 0.1}, 0.3)]
    assert said(lambda x: x + 0.2, tries).startswith("correct")
    assert said(lambda x: np.float32(0.3), tries).startswith("correct")
    assert said(lambda x: 0.3001, tries).startswith("not yet")


def test_long_arrays_are_shortened_and_the_same_line_comes_every_run(said):
    given = {"x": np.arange(100), "of": Counts(tp=1, fp=2, fn=3, tn=4), "key": len, "how": precision}
    line = said(lambda x, of, key, how: 1, [(given, 1)])
    assert line == (
        "correct: tried x=[0, 1, 2, 3, 4, 5, 6, 7, ...], of=Counts(tp=1, fp=2, fn=3, tn=4), "
        "key=<built-in function len>, how=function"
    )


def test_numbers_of_numpy_are_said_like_pythons_own(said):
    tries = [({"x": np.float64(0.25), "n": np.int64(3), "flags": np.array([True, False])}, 1.0)]
    assert said(lambda x, n, flags: 1, tries) == "correct: tried x=0.25, n=3, flags=[True, False]"
    wrong = said(lambda x, n, flags: np.int64(2), tries)
    assert wrong == "not yet: for x=0.25, n=3, flags=[True, False] expected 1.000, got 2"
