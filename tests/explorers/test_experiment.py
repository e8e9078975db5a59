"""The explorer of a test with peeks: shares called against theory and tables, what is drawn against the definition."""

import math
from unittest import mock

import numpy as np
import pytest
from scipy.stats import norm

from evalteach import ExperimentExplorer
from explorers.helpers import move

undrawn = pytest.mark.usefixtures("undrawn")


@undrawn
@pytest.mark.parametrize(
    ("lift", "traffic", "days"), [(0, 20_000, 28), (2, 68_000, 28), (-5, 9_000, 21), (20, 1_000, 7)]
)
def test_one_peek_calls_as_many_tests_as_theory_says(lift, traffic, days):
    now = ExperimentExplorer(0.04, lift=lift, traffic=traffic, days=days).numbers()
    p = np.array([0.04, 0.04 * (1 + lift / 100)])
    error = np.sqrt((p * (1 - p)).sum() / (traffic / 2 * days))
    z = (p[1] - p[0]) / error
    power = norm.sf(1.96 - z) + norm.cdf(-1.96 - z)
    assert now["peeking_rate"] == pytest.approx(power, abs=0.02)
    assert now["planned_rate"] == now["peeking_rate"]
    assert now["half_width"] == pytest.approx(1.96 * 100 * error / 0.04, rel=1e-4)
    assert now["users_per_arm"] == traffic / 2 * days


@undrawn
def test_the_users_that_are_needed_are_the_users_whose_power_is_eighty_percent():
    explorer = ExperimentExplorer(lift=2, traffic=68_000)
    assert explorer.numbers()["users_needed"] == pytest.approx(950_884, abs=1)
    assert explorer.numbers()["peeking_rate"] == pytest.approx(0.8, abs=0.02)
    assert math.isnan(move(explorer, lift=0).numbers()["users_needed"])


@undrawn
@pytest.mark.parametrize(("peeks", "naive", "bound"), [(2, 0.083, 2.178), (4, 0.126, 2.361), (14, 0.22, 2.615)])
def test_false_alarms_of_peeks_are_those_of_tables_and_the_bound_keeps_them_at_five_percent(peeks, naive, bound):
    explorer = ExperimentExplorer(peeks=peeks)
    now = explorer.numbers()
    assert now["peeking_rate"] == pytest.approx(naive, abs=0.017)
    assert now["planned_rate"] == pytest.approx(0.05, abs=0.012)
    assert now["bound"] == pytest.approx(bound, abs=0.06)


@undrawn
def test_a_test_is_called_at_its_first_peek_whose_interval_leaves_0():
    explorer = ExperimentExplorer(lift=2, peeks=7)
    called = []
    for test in range(1, 31):
        now = move(explorer, test=test).numbers()
        looks = explorer.artists.looks
        days, shown = (np.array(data)[:7] for data in (looks.get_xdata(), looks.get_ydata()))
        assert days.tolist() == [4, 8, 12, 16, 20, 24, 28]
        error = now["half_width"] * np.sqrt(now["last_day"] / days)
        beyond = np.flatnonzero(np.abs(shown) > error)
        called.append(beyond.size > 0)
        assert now["last_day"] == (days[beyond[0]] if beyond.size else 28)
        assert now["difference"] == pytest.approx(shown[beyond[0] if beyond.size else -1])
        assert math.isnan(now["called_day"]) != called[-1]
        assert ("not called" in repr(explorer)) != called[-1]
    assert 5 < sum(called) < 25


@undrawn
def test_intervals_and_true_lift_are_drawn_where_the_numbers_say():
    explorer = ExperimentExplorer(lift=2, days=21, peeks=7, test=3)
    now, artists, days = explorer.numbers(), explorer.artists, np.arange(1, 22)
    error = now["half_width"] * np.sqrt(now["last_day"] / days)
    run = artists.run.get_ydata()[:21]
    assert run[now["last_day"] - 1] == pytest.approx(now["difference"])
    band = {tuple(corner) for corner in artists.band.get_xy().round(6)}
    assert band == {(x, y) for end in (run - error, run + error) for x, y in zip(days, end.round(6), strict=True)}
    low, high = np.array(artists.bounds.get_ydata()).reshape(2, -1)[:, :21]
    assert low == pytest.approx(run - error * now["bound"] / 1.959964, rel=1e-4)
    assert high == pytest.approx(run + error * now["bound"] / 1.959964, rel=1e-4)
    assert now["bound"] > 2.3
    assert (list(artists.lift.get_xdata()), list(artists.lift.get_ydata())) == ([0, 21], [2, 2])


@undrawn
def test_the_mean_of_what_is_called_for_b_is_that_of_first_peeks_above_the_interval():
    explorer = ExperimentExplorer(lift=0.5, days=8, peeks=4)
    now, called = explorer.numbers(), []
    day = now["half_width"] / 1.959964 * np.sqrt(now["last_day"])
    for test in explorer.steps[:8].T:
        for until in (2, 4, 6, 8):
            so_far = 0.5 + day * test[:until].mean()
            if abs(so_far) > 1.959964 * day / np.sqrt(until):
                called.append(so_far)
                break
    assert now["mean_called_for_b"] == pytest.approx(np.mean([each for each in called if each > 0]), rel=1e-5)
    assert now["peeking_rate"] == len(called) / 4_000


def test_labels_follow_the_axis_and_nothing_else_of_it_is_drawn_anew():
    explorer = ExperimentExplorer()
    axes, seen = explorer.artists.run.axes, set()
    with mock.patch.object(explorer.canvas, "draw") as drawn:
        for there in ({}, {"traffic": 1_000}, {"lift": 20}, {"traffic": 1_000_000, "lift": 0.5}, {"days": 42}):
            move(explorer, **there)
            said = [float(label.get_text().replace("\N{MINUS SIGN}", "-")) for label in explorer.artists.ticks]
            places = [label.get_transform().transform(label.get_position())[1] for label in explorer.artists.ticks]
            assert said == axes.get_yticks().tolist()
            assert places == pytest.approx(axes.transData.transform([(0, tick) for tick in said])[:, 1])
            seen.add(said[-1])
    assert seen == {20, 50, 2}
    drawn.assert_not_called()


@undrawn
def test_what_is_called_early_exaggerates_and_one_look_less():
    explorer = ExperimentExplorer(lift=2, peeks=28)
    early = explorer.numbers()["mean_called_for_b"]
    assert early > move(explorer, peeks=1).numbers()["mean_called_for_b"] > 2


@undrawn
def test_an_interval_that_leaves_0_is_said_with_digits_enough():
    explorer = ExperimentExplorer(lift=0.5, traffic=1_000_000, peeks=28, test=2)
    assert "called on day 15, B +0.53 % [+0.03, +1.02]" in repr(explorer)
    assert "B +2.7 % [-8.8, +14.2]" in repr(move(explorer, traffic=1_000))


@undrawn
def test_there_is_at_most_one_peek_a_day():
    explorer = ExperimentExplorer(days=10, peeks=42)
    assert explorer.numbers()["looks"] == 10
    assert "10 peeks (not 42: at most one a day)" in repr(explorer)
    assert repr(explorer).replace(" (not 42: at most one a day)", "") == repr(move(explorer, peeks=10))


@undrawn
def test_random_numbers_follow_the_seed():
    assert repr(ExperimentExplorer(seed=1)) == repr(ExperimentExplorer(seed=1)) != repr(ExperimentExplorer(seed=2))


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"base_rate": 0}, "base_rate must be above 0 and at most 0.5, got 0"),
        ({"base_rate": 0.6}, "base_rate must be above 0 and at most 0.5, got 0.6"),
        ({"lift": 21}, "lift must be between -20 and 20"),
        ({"traffic": 10}, "traffic must be a whole number from 1000 to 1000000, got 10"),
        ({"days": 6}, "days must be a whole number from 7 to 42, got 6"),
        ({"peeks": 0}, "peeks must be a whole number from 1 to 42, got 0"),
        ({"test": 101}, "test must be a whole number from 1 to 100, got 101"),
        ({"seed": -1}, "seed must be a whole number, 0 or more, got -1"),
    ],
)
def test_what_cannot_be_run_is_refused(given, why):
    with pytest.raises(ValueError, match=f"^{why}"):
        ExperimentExplorer(**given)


@undrawn
def test_one_peek_and_no_difference_are_said_as_such():
    assert "True lift 0 %, one peek: " in repr(ExperimentExplorer(peeks=1))
    assert "True lift +2 %, 2 peeks: " in repr(ExperimentExplorer(lift=2, peeks=2))
