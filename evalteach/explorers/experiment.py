"""Run a test of two arms day by day, peek at it, and see how many of four thousand such tests are called."""

import math

import numpy as np
from matplotlib.ticker import LinearLocator, NullFormatter

from evalteach import plots
from evalteach._inputs import check_between, read_whole
from evalteach.experiments import called_at, critical_value, look_days, running_z, users_per_arm
from evalteach.explorers.base import Explorer
from evalteach.explorers.controls import number_control, round_step

FEWEST_DAYS, MOST_DAYS, N_TESTS, N_NULL, DRAWN = 7, 42, 4_000, 10_000, 100
FEWEST = 20  # tests that a mean is said of
ONE_LOOK = 1.959963984540054  # 95 %
PEEKS = np.array([1, 2, 3, 4, 5, 7, 10, 14, 21, 28, 35, 42])  # that the curves are computed at
DAYS = np.arange(1, MOST_DAYS + 1)
TICKS = (-1, -0.5, 0, 0.5, 1)  # of the half height


class ExperimentExplorer(Explorer):
    """A test of two arms, looked at once or often: its running difference, and how many such tests are called.

    A test is called, and stops, at the first peek at which the 95 % interval of the difference leaves 0. Beside it
    stands a bound that 5 % of tests without a difference exceed at one of that many peeks. Users come once; daily
    rates are normal (with a thousand users a day and a small base rate that is rough).

    Parameters
    ----------
    base_rate : float
        Share of arm A's users who click, in (0, 0.5].
    lift : float
        True relative difference of arm B's share in percent, -20 to 20.
    traffic : int
        Users a day, both arms together, 1,000 to 1,000,000.
    days : int
        How long the test is planned to run, 7 to 42.
    peeks : int
        Looks at the running result, evenly spread, the end included: 1 to 42, at most one a day.
    test : int
        Which of 100 simulated tests is drawn, 1 to 100.
    seed : int
        Of the random numbers, 0 or more, which are drawn once.

    Raises
    ------
    ValueError
        For a number out of range.
    """

    scene_controls = ("lift", "traffic", "days")

    def __init__(self, base_rate=0.04, *, lift=0.0, traffic=20_000, days=28, peeks=1, test=1, seed=0):
        self.base_rate = check_between("base_rate", base_rate, 0, 0.5, open_ends="low")
        rng = np.random.default_rng(read_whole("seed", seed, 0, math.inf, "a whole number, 0 or more"))
        self.steps = rng.normal(size=(MOST_DAYS, N_TESTS))
        self.null = running_z(rng.normal(size=(MOST_DAYS, N_NULL)))
        self.bounds = {}
        super().__init__(
            number_control("lift", lift, -20, 20, label="true lift in %", step=0.5),
            number_control("traffic", traffic, 1_000, 1_000_000, label="users a day", log=True, whole=True),
            number_control("days", days, FEWEST_DAYS, MOST_DAYS, whole=True),
            number_control("peeks", peeks, 1, MOST_DAYS, whole=True),
            number_control("test", test, 1, DRAWN, label="test drawn", whole=True),
        )

    def draw(self, figure):
        artists = self.artists
        run, shares = figure.subplots(1, 2, width_ratios=[1.25, 1])
        run.set(title="One test: B against A so far", xlabel="day", ylabel="difference in % of A", xlim=(0, 43))
        run.axhline(0, color=plots.COLOURS["ink"], linewidth=0.8)
        # ticks stand still and their labels are artists that move, since the lowest layer drawn anew takes ten moves
        run.yaxis.set(major_locator=LinearLocator(len(TICKS)), major_formatter=NullFormatter())
        run.yaxis.labelpad = 28  # room for the labels
        artists.ticks = [plots.live_text(run, -0.055, (1 + t) / 2, size=8, transform=run.transAxes) for t in TICKS]
        for label in artists.ticks:
            label.set_fontweight("normal")
        artists.band = plots.band(run, "positive", name="95 % interval")
        artists.bounds = plots.line(run, [], [], "ideal", style="--", width=1.2, name="interval by the bound")
        artists.lift = plots.line(run, [], [], "test", style=":", width=1.5, name="true lift")
        artists.run = plots.line(run, [], [], "positive", name="difference")
        artists.looks = plots.line(run, [], [], "positive", style="o", name="peeks")
        artists.looks.set_markersize(4)
        artists.stop = plots.dot(run, "deployed", marker="D", name="called")
        plots.legend_below(run, 3)
        shares.set(title="Share of tests that are called", xlabel="peeks", xlim=(0, 43), ylim=(0, 1.03))
        shares.axhline(0.05, color=plots.COLOURS["test"], linestyle=":", linewidth=1.2, label="0.05")
        artists.curves = {
            "peeking": plots.line(shares, [], [], "deployed", name="by the 95 % interval"),
            "planned": plots.line(shares, [], [], "ideal", style="--", name="by the bound"),
        }
        artists.curves["planned"].set_antialiased(False)  # where both coincide their mixed colours are too many
        artists.dots = {
            "peeking_rate": plots.dot(shares, "deployed", marker="D"),
            "planned_rate": plots.dot(shares, "ideal"),
        }
        artists.here = plots.upright(shares, "ink", width=1)
        plots.legend_below(shares, 3)

    def _bound(self, days, peeks):
        """The bound for so many peeks, from tests of their own, in which nothing differs; 1.96 for one."""
        if peeks == 1:
            return ONE_LOOK
        if (days, peeks) not in self.bounds:
            self.bounds[days, peeks] = critical_value(self.null[look_days(days, peeks) - 1])
        return self.bounds[days, peeks]

    def _rates(self, z, days, peeks):
        """Shares of tests that are called by 1.96 and by the bound."""
        largest = np.abs(z[look_days(days, peeks) - 1]).max(axis=0)
        return [float(np.mean(largest > critical)) for critical in (ONE_LOOK, self._bound(days, peeks))]

    def find_scene(self):
        """Standard error of a day's difference in percent of A, z of all tests, and shares called by peeks."""
        a, days = self.base_rate, self.value("days")
        b = a * (1 + self.value("lift") / 100)
        day = 100 * math.sqrt((a * (1 - a) + b * (1 - b)) / (self.value("traffic") / 2)) / a
        z = running_z(self.steps[:days], self.value("lift") / day)
        at = np.unique(np.minimum(PEEKS, days))
        return day, z, at, np.array([self._rates(z, days, int(peeks)) for peeks in at])

    def numbers(self):
        day, z, _, _ = self.scene
        days, lift = self.value("days"), self.value("lift")
        when = look_days(days, self.value("peeks"))
        looks = z[when - 1]
        stop = called_at(looks, ONE_LOOK)
        drawn = self.value("test") - 1
        peeking, planned = self._rates(z, days, when.size)
        last = int(when[stop[drawn]])  # the end, where it is never called
        half_width = ONE_LOOK * day / math.sqrt(last)
        seen = looks[stop, np.arange(N_TESTS)] * day / np.sqrt(when[stop])
        for_b = seen[(stop >= 0) & (seen > 0)]
        called = stop[drawn] >= 0
        return {
            **self.values,
            "looks": when.size,
            "bound": self._bound(days, when.size),
            "peeking_rate": peeking,
            "planned_rate": planned,
            "last_day": last,
            "difference": float(seen[drawn]),
            "half_width": half_width,
            "called_day": last if called else math.nan,
            "called_difference": float(seen[drawn]) if called else math.nan,
            "mean_called_for_b": float(for_b.mean()) if for_b.size >= FEWEST else math.nan,
            "users_per_arm": self.value("traffic") / 2 * days,
            "users_needed": users_per_arm(self.base_rate, lift / 100),
        }

    def move_scene(self, now):
        artists, (day, _, at, rates) = self.artists, self.scene
        # the first interval's ends are left out
        step = round_step(max(1.5 * day, abs(now["lift"]) * 1.2))
        artists.run.axes.set_ylim(-step, step)
        for label, tick in zip(artists.ticks, TICKS, strict=True):
            label.set_text(f"{tick * step:g}".replace("-", "\N{MINUS SIGN}"))
        artists.lift.set_data([0, now["days"]], [now["lift"]] * 2)
        for curve, shares in zip(artists.curves.values(), rates.T, strict=True):
            curve.set_data(_padded(at), _padded(shares))
        return [*artists.ticks, artists.lift, *artists.curves.values()]

    def move(self, now):
        artists, (day, z, _, _) = self.artists, self.scene
        days, when = now["days"], look_days(now["days"], now["looks"])
        one_error = day / np.sqrt(DAYS[:days])
        run = z[:, now["test"] - 1] * one_error
        plots.set_band(artists.band, DAYS[:days], run - ONE_LOOK * one_error, run + ONE_LOOK * one_error)
        ends = [_padded(run + side * now["bound"] * one_error) for side in (-1, 1)]
        artists.bounds.set_data(np.tile([*DAYS, np.nan], 2), [*ends[0], np.nan, *ends[1], np.nan])
        artists.run.set_data(DAYS, _padded(run))
        artists.looks.set_data(_padded(when), _padded(run[when - 1]))
        artists.stop.set_data([now["called_day"]], [now["called_difference"]])
        marks = plots.set_marks(now, "looks", [artists.here], artists.dots)
        return [artists.band, artists.bounds, artists.run, artists.looks, artists.stop, *marks]

    def sentence(self, now):
        low, high = (now["difference"] + side * now["half_width"] for side in (-1, 1))
        digits = 1 if now["half_width"] >= 1 else 2  # or an end that is not 0 would look like it
        seen = f"B {now['difference']:+.{digits}f} % [{low:+.{digits}f}, {high:+.{digits}f}]"
        told = (
            f"called on day {now['last_day']}, {seen}"
            if now["called_day"] == now["called_day"]
            else f"not called; on day {now['last_day']}, {seen}"
        )
        count = f"{now['looks']} peeks" if now["looks"] > 1 else "one peek"
        count += f" (not {now['peeks']}: at most one a day)" if now["looks"] < now["peeks"] else ""
        for_b = now["mean_called_for_b"]
        mean = f" Those called for B show {for_b:+.1f} % on average." if for_b == for_b else ""
        needed, lift = now["users_needed"], f"{now['lift']:+g}" if now["lift"] else "0"
        ask = f"; {needed:,.0f} are needed to find {lift} % in 80 % of tests" if needed == needed else ""
        return (
            f"Test {now['test']}: {told}. True lift {lift} %, {count}: {now['peeking_rate']:.1%} of "
            f"{N_TESTS:,} such tests are called by the 95 % interval, {now['planned_rate']:.1%} by the bound "
            f"({now['bound']:.2f} standard errors).{mean} {now['users_per_arm']:,.0f} users an arm{ask}."
        )


def _padded(values):
    """As long as there are days, so that it is a line at any time."""
    return np.append(values, np.full(MOST_DAYS - len(values), np.nan))
