"""What is read and what is refused, where no public function's own tests say it."""

import math
from fractions import Fraction

import numpy as np
import pytest

from evalteach._inputs import (
    check_between,
    check_choice,
    read_between,
    read_labels,
    read_number,
    read_one_or_many,
    read_strata,
    read_whole,
)


@pytest.mark.parametrize(
    ("value", "number"),
    [(3, 3), (3.5, 3.5), (np.int8(3), 3), (np.array(0.5), 0.5), (Fraction(1, 4), 0.25), (True, 1), (10**400, 10**400)],
)
def test_one_number_is_read_as_a_plain_int_or_float(value, number):
    assert read_number("x", value) == number
    assert type(read_number("x", value)) in (int, float, bool)


@pytest.mark.parametrize(
    "value", ["1", None, 1j, [1], np.array([1.0]), np.ma.masked, np.ma.array(1.0, mask=True), Fraction(10**400)]
)
def test_what_is_no_number_is_refused(value):
    with pytest.raises(ValueError, match=r"^x must be one real number, got "):
        read_number("x", value)


RANGES = [
    ((0, 1), {"open_ends": True}, [0.5], [0, 1, -1, 2, math.nan], "between 0 and 1"),
    ((0, 1), {"open_ends": False}, [0, 0.5, 1], [-1e-9, 1.1, math.nan], "between 0 and 1, both included"),
    ((0, 1), {"open_ends": "low"}, [0.5, 1], [0, -1, 1.1, math.nan], "above 0 and at most 1"),
    ((0, math.inf), {"open_ends": True}, [1e-9, 1e308], [0, -1, math.inf, math.nan], "above 0 and finite"),
    ((0, math.inf), {"open_ends": False}, [0, 1e308], [-1, math.inf, math.nan], "0 or more and finite"),
]


@pytest.mark.parametrize(("ends", "open_ends", "inside", "outside", "words"), RANGES)
def test_numbers_and_columns_out_of_range_are_refused_in_the_same_words(ends, open_ends, inside, outside, words):
    for value in inside:
        assert check_between("x", value, *ends, **open_ends) == value
    assert read_between("x", inside, *ends, **open_ends).tolist() == inside
    for value in outside:
        with pytest.raises(ValueError, match=f"^x must be {words}, got {value}$"):
            check_between("x", value, *ends, **open_ends)
        with pytest.raises(ValueError, match=f"^x (holds .*|has nan) at position 1; x must be {words}$"):
            read_between("x", [inside[0], value], *ends, **open_ends)


def test_a_whole_number_beyond_every_float_is_out_of_range():
    with pytest.raises(ValueError, match=r"^x must be above 0 and finite, got 1000"):
        check_between("x", 10**400, 0, math.inf)


def test_a_number_that_rounding_would_put_into_the_range_is_shown_in_full():
    with pytest.raises(
        ValueError, match=r"^p holds 1\.0000000000000002 at position 0; chances must be between 0 and 1"
    ):
        read_between("p", [1 + 2**-52], 0, 1, called="chances")


def test_one_number_stays_one_and_many_become_a_column():
    assert read_one_or_many("x", 0.5, 0, 1) == 0.5
    assert read_one_or_many("x", np.float32(0.5), 0, 1) == 0.5
    np.testing.assert_array_equal(read_one_or_many("x", (0, 1), 0, 1), [0.0, 1.0])
    for wrong, found in (
        ([[0.5]], "x must have one dimension"),
        ("a", "x must be one real number"),
        ([], "x is empty"),
    ):
        with pytest.raises(ValueError, match=f"^{found}"):
            read_one_or_many("x", wrong, 0, 1)


def test_a_choice_is_refused_with_all_options():
    check_choice("way", "b", ("a", "b"))
    with pytest.raises(ValueError, match=r"^way must be one of 'a', 'b', got 'c'$"):
        check_choice("way", "c", ("a", "b"))


@pytest.mark.parametrize(
    ("labels", "listed"),
    [
        ([3, 4], "3, 4"),
        (range(5), "0, 1, 2, 3, 4"),
        (range(6), r"0, 1, 2, 3, 4, \.\.\. \(6 distinct values\)"),
        (range(9), r"0, 1, 2, 3, 4, \.\.\. \(9 distinct values\)"),
    ],
)
def test_labels_that_are_not_two_are_listed_or_their_number_is_told(labels, listed):
    with pytest.raises(ValueError, match=f"^y_true holds {listed}; labels must be"):
        read_labels(list(labels))


def test_strata_are_numbered_in_the_order_of_their_names():
    # so that named strata are drawn from like numbered ones
    assert read_strata(["b", "c", "a", "b"]).tolist() == [1, 2, 0, 1]
    assert read_strata(np.array([2.5, -1.0, 2.5])).tolist() == [1, 0, 1]


def test_the_last_whole_number_that_a_float_holds_is_accepted_and_the_next_is_not():
    assert read_whole("x", 2**53, 1, math.inf) == 2**53
    with pytest.raises(ValueError, match=f"^x must be at most {2**53}, got a number of 16 digits$"):
        read_whole("x", 2**53 + 1, 1, math.inf)


@pytest.mark.parametrize("value", [0, 6, 2.5, math.nan, math.inf, 10**400])
def test_a_whole_number_out_of_range_is_refused(value):
    with pytest.raises(ValueError, match=f"^x must be a whole number from 1 to 5, got {value}$"):
        read_whole("x", value, 1, 5)
