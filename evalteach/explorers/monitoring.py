"""Let a world drift under a model: what five instruments show from day to day, each beside its chance band."""

import numpy as np

from evalteach import plots
from evalteach._inputs import check_between, check_lengths, read_labels, read_scores, read_whole, round_to
from evalteach.counts import Counts
from evalteach.drift import population_stability_index, stability_limit
from evalteach.explorers.engine.base import Explorer
from evalteach.explorers.engine.controls import choice_control, number_control
from evalteach.prevalence import adjusted_count

DAYS, STABLE = 120, 30  # drift begins after so many days
BINS = 10
ENDS = 0.025, 0.975
PSI_TOP = 9  # limits; a day with more is drawn there
KINDS = ("covariate", "label", "concept: fewer count", "concept: more count")
AHEAD, STEP = 15, 30  # days that are left free after today, and the step in which the axis grows
INSTRUMENTS = {
    "psi": "PSI / its limit",
    "flags": "flags / expected",
    "adjusted": "adjusted count",
    "reviews": "reviews: precision",
    "labels": "late labels: recall",
}
TRUTHS = {"adjusted": "positives", "reviews": "precision", "labels": "recall"}  # what each of these is after


class DriftExplorer(Explorer):
    """Five instruments over the days of a deployment that drifts after day 30, each with its chance band.

    A day's rows are drawn at random from the rows given here, so these are the reference, and its shares and rates are
    exact. Each band contains 95% of the days, or a little more, while nothing drifts. By ``kind`` and ``strength``:

    - "covariate": a share ``strength`` of all rows gets the score that it has in ``changed_score``; labels stay.
    - "label": positives come 1 + 2 ``strength`` times as often for each negative.
    - "concept: fewer count": a share ``strength`` of the positives counts as negative; scores stay.
    - "concept: more count": so many unflagged negatives as are ``strength`` times the positives count as positive.

    Instruments: the population stability index of the scores, in ten bins with equal shares of the reference, divided
    by its limit (on an axis of square roots); flags, divided by those expected; the adjusted count; precision among
    flags that are reviewed at random, at most all of a day's; recall from all labels, which arrive ``delay`` days late.

    Parameters
    ----------
    y_true : array_like, shape (n_rows,)
        Labels: bool, 0/1, or any two values with ``positive`` named. Both classes must occur.
    y_score, changed_score : array_like, shape (n_rows,)
        Scores of these rows, as they are and as they would be after the covariate drift.
    threshold : float
        A row is flagged from here on. Some rows must be flagged and some not, and positives more often.
    positive : label, optional
        Which value of the labels is the positive class.
    kind : str
        Which drift, to start with.
    strength : float
        How much of it, to start with (0 to 1).
    rows : int
        Rows a day, to start with (50 to 100,000).
    reviews : int
        Reviewed flags a day, to start with (1 to 200).
    day : int
        Today, to start with (1 to 120).
    delay : int
        Days after which all labels of a day are known (0 to 120).
    seed : int
        Of the days.

    Raises
    ------
    ValueError
        For labels that are not two values, scores that are no numbers, unequal lengths, a threshold that flags all or
        none or negatives as often as positives, and a start out of range.
    """

    scene_controls = ("kind", "strength", "rows", "reviews")
    size = (9.0, 5.4)

    def __init__(
        self,
        y_true,
        y_score,
        changed_score,
        *,
        threshold=0.5,
        positive=None,
        kind="covariate",
        strength=0.3,
        rows=500,
        reviews=20,
        day=45,
        delay=60,
        seed=0,
    ):
        actual = read_labels(y_true, positive)
        columns = [read_scores("y_score", y_score), read_scores("changed_score", changed_score)]
        scores = [score for score, _ in columns]
        check_lengths(y_true=actual.size, y_score=scores[0].size, changed_score=scores[1].size)
        check_between("threshold", threshold, -np.inf, np.inf)
        with np.errstate(invalid="ignore", over="ignore"):
            inner = np.unique(np.quantile(scores[0], np.arange(1, BINS) / BINS))
        if not np.isfinite(inner).all():
            raise ValueError(
                "y_score is too large or infinite in too many rows to be cut into bins; pass scores within ±1e+306"
            )
        flagged = [score >= round_to(dtype, threshold) for score, dtype in columns]
        self.worlds = [_cells(actual, *each, inner) for each in zip(scores, flagged, strict=True)]
        self.counts = _counts(self.worlds[0])
        apart = adjusted_count(self.counts, 0.0)
        if not (0 < self.counts.tp + self.counts.fp < 1 and apart <= 0):
            raise ValueError(
                f"threshold {threshold:g} must flag some rows and leave some, and positives more often than negatives"
            )
        self.delay = read_whole("delay", delay, 0, DAYS)
        seed = read_whole("seed", seed, 0, np.inf, "a whole number, 0 or more")
        rng = np.random.default_rng(seed)
        self.chance, self.review_chance = rng.random((2, self.worlds[0][0].size, DAYS)), rng.random(DAYS)
        super().__init__(
            choice_control("kind", list(KINDS), kind, label="drift"),
            number_control("strength", strength, 0, 1, step=0.05),
            number_control("rows", rows, 50, 100_000, label="rows a day", log=True, whole=True),
            number_control("reviews", reviews, 1, 200, label="reviews a day", log=True, whole=True),
            number_control("day", day, 1, DAYS, label="today is day", step=1, whole=True),
        )

    def draw(self, figure):
        artists = self.artists
        strips = figure.subplots(len(INSTRUMENTS), 1, sharex=True)
        artists.bands, artists.inside, artists.outside, artists.truths, artists.today = {}, {}, {}, {}, []
        for axes, (key, name) in zip(strips, INSTRUMENTS.items(), strict=True):
            axes.set_ylabel(name, rotation=0, ha="right", va="center")
            plots.upright(axes, "test", style=":", x=STABLE + 0.5)
            artists.bands[key] = plots.band(axes, "ideal", name="chance band (95%)")
            if key in TRUTHS:
                artists.truths[key] = plots.line(axes, [], [], "ink", style="--", width=1.2, name="truth")
            inside = plots.line(axes, [], [], "positive", style="o", name="inside")
            inside.set(markersize=4.5, markerfacecolor="white", markeredgewidth=1.1)
            artists.inside[key] = inside
            outside = plots.line(axes, [], [], "deployed", style="^", name="outside: an alert")
            outside.set(markersize=6)
            artists.outside[key] = outside
            artists.today.append(plots.upright(axes, name="today"))
        strips[0].set_yscale("function", functions=(np.sqrt, np.square))
        strips[0].set(ylim=(0, PSI_TOP), yticks=[0, 1, 4, 9])
        look = {"ha": "center", "va": "center", "fontsize": 9, "backgroundcolor": "white"}
        artists.waiting = strips[-1].text(0.5, 0.5, "", transform=strips[-1].transAxes, **look)
        strips[0].set_title("The dotted line marks the day on which the drift begins")
        strips[-1].set_xlabel("day")
        named = (artists.bands, artists.inside, artists.outside, artists.truths)
        handles = [*(group["labels"] for group in named), artists.today[-1]]
        look = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.55), "fontsize": 8, "frameon": False}
        strips[-1].legend(handles=handles, ncols=5, **look)

    def move_scene(self, now):
        """Set the ends of the axes, in steps, so that the days and the bands fill their strips."""
        shown, bands, _, _ = self.scene
        usual = now["positives_before"]
        for key, drawn in self.artists.inside.items():
            axes = drawn.axes
            if axes.get_xlim() != (0, self._last_day()):
                axes.set_xlim(0, self._last_day())
                self.stale = True
            if key == "psi":
                continue
            unit, steps = (1, (1.5, 2, 3)) if key == "flags" else (usual, (1.5, 2, 3))
            reach = [shown[key], *(np.broadcast_to(end, DAYS) for end in bands[key])]
            reach = [np.nanmin(reach), np.nanmax(reach)] if np.isfinite(reach).any() else [0, 1]
            if key in ("reviews", "labels"):
                low = next((low for low in (0.6, 0.4, 0.2) if reach[0] >= low), -0.06)
                self.set_ends(axes, low, 1.06)
            else:
                high = next((high for high in steps if reach[1] <= high * unit), steps[-1])
                low = next((low for low in (0.5, 0) if reach[0] >= low * unit), -0.5 if key == "adjusted" else 0)
                self.set_ends(axes, low * unit, high * unit)
        return []

    def _last_day(self):
        """Where the days end: some after today, in steps, so that the axis stands still for most of a drag."""
        return min(STEP * -(-(self.value("day") + AHEAD) // STEP), DAYS) + 1

    def _place(self):
        return [*super()._place(), self._last_day()]

    def find_scene(self):
        """Every day, and the truth before and after."""
        kind, strength, rows, reviews = (self.value(name) for name in self.scene_controls)
        worlds = [self.worlds[0], _drifted(*self.worlds, kind, strength)]
        truth = [_counts(each) for each in worlds]
        drawn = _draw(worlds, rows, self.chance)
        days = _counts(np.moveaxis(drawn, 0, -1))
        flagged, positives = days.tp + days.fp, days.tp + days.fn
        usual = self.counts.tp + self.counts.fp
        tested = self.counts.tp / usual, self.counts.tp / (self.counts.tp + self.counts.fn)
        reviewed = np.minimum(reviews, flagged)
        true = np.repeat([_share(each.tp, each.tp + each.fp) for each in truth], [STABLE, DAYS - STABLE])
        reference = self.worlds[0].sum(axis=(0, 1))
        shown = {
            "psi": population_stability_index(1e9 * reference, drawn.sum(axis=(1, 2))),
            "flags": flagged / (rows * usual),
            "adjusted": adjusted_count(self.counts, flagged / rows),
            "reviews": _share(_binomial(self.review_chance, reviewed, true), reviewed),
            "labels": _share(days.tp, positives),
        }
        low, high = (_binomial(end, rows, usual) / rows for end in ENDS)
        bands = {
            "psi": (0, stability_limit(reference.size, rows)),
            "flags": (low / usual, high / usual),
            "adjusted": tuple(adjusted_count(self.counts, np.array([low, high]))),
            "reviews": tuple(_share(_binomial(end, reviewed, tested[0]), reviewed) for end in ENDS),
            "labels": tuple(_share(_binomial(end, positives, tested[1]), positives) for end in ENDS),
        }
        rings = {key: (shown[key] < low - 1e-9) | (shown[key] > high + 1e-9) for key, (low, high) in bands.items()}
        return shown, bands, rings, truth

    def numbers(self):
        shown, _, rings, truth = self.scene
        day = self.value("day")
        numbers = {name: self.value(name) for name in ("strength", "rows", "reviews", "day")}
        for when, counts in zip(("before", "since"), truth, strict=True):
            numbers[f"positives_{when}"] = float(counts.tp + counts.fn)
            numbers[f"precision_{when}"] = float(_share(counts.tp, counts.tp + counts.fp))
            numbers[f"recall_{when}"] = float(_share(counts.tp, counts.tp + counts.fn))
        for key, ringing in rings.items():
            known = self._known(key, day) & ~np.isnan(shown[key])
            for when, part in (("before", slice(STABLE)), ("since", slice(STABLE, None))):
                numbers[f"{key}_{when}"] = int(ringing[part][known[part]].sum())
                numbers[f"{key}_days_{when}"] = int(known[part].sum())
        return numbers

    def _known(self, key, day):
        """Which days an instrument can show today."""
        return np.arange(1, DAYS + 1) <= day - (self.delay if key == "labels" else 0)

    def move(self, now):
        artists, (shown, bands, rings, _) = self.artists, self.scene
        days, day = np.arange(1, DAYS + 1), now["day"]
        for key, heights in shown.items():
            unit = bands["psi"][1] if key == "psi" else 1
            low, high = artists.inside[key].axes.get_ylim()
            rim = (0.002, 0.94 * high) if key == "psi" else (0.97 * low + 0.03 * high, 0.03 * low + 0.97 * high)
            heights = np.clip(heights / unit, *rim)  # what lies beyond an end is drawn at it
            known = self._known(key, day)
            artists.inside[key].set_data(days, np.where(known & ~rings[key], heights, np.nan))
            artists.outside[key].set_data(days, np.where(known & rings[key], heights, np.nan))
            ends = [np.where(known, np.clip(end / unit, low, high), np.nan) for end in bands[key]]
            plots.set_band(artists.bands[key], days, *ends)
        for key, name in TRUTHS.items():
            before, since = now[f"{name}_before"], now[f"{name}_since"]
            end = self._known(key, day).sum() + 0.5  # no truth where its instrument shows nothing yet
            corners = np.minimum([0, STABLE + 0.5, STABLE + 0.5, DAYS + 1], end)
            seen = np.repeat([end > 1, end > STABLE + 1], 2)
            heights = np.where(seen, [before, before, since, since], np.nan)
            artists.truths[key].set_data(corners, heights)
        for today in artists.today:
            today.set_xdata([day] * 2)
        waits = day <= self.delay
        artists.waiting.set_text(f"no labels yet: those of day 1 arrive on day {1 + self.delay}" if waits else "")
        groups = (artists.bands, artists.truths, artists.inside, artists.outside)
        return [each for group in groups for each in group.values()] + artists.today + [artists.waiting]

    def sentence(self, now):
        names = dict(zip(INSTRUMENTS, ("PSI", "flags", "adjusted count", "reviews", "late labels"), strict=True))
        rang = [
            f"{name} {now[f'{key}_before']}/{now[f'{key}_days_before']} and "
            f"{now[f'{key}_since']}/{now[f'{key}_days_since']}"
            for key, name in names.items()
        ]
        return (
            f"{self.value('kind').capitalize()}, strength {now['strength']:g}, {now['rows']:,} rows and "
            f"{now['reviews']} review{'s' * (now['reviews'] != 1)} a day: precision {now['precision_before']:.2f}, "
            f"then {now['precision_since']:.2f}; recall "
            f"{now['recall_before']:.2f}, then {now['recall_since']:.2f}. Day {now['day']}; days with an alert, before "
            f"the drift and since: {', '.join(rang)}."
        )


def _cells(actual, score, flagged, inner):
    """Share of all rows in each cell: positive or not, flagged or not, bin of the score."""
    bins = np.searchsorted(inner, score, side="right")
    cells = np.zeros((2, 2, inner.size + 1))
    np.add.at(cells, ((~actual).astype(int), (~flagged).astype(int), bins), 1 / actual.size)
    return cells


def _counts(cells):
    """Confusion counts of cells whose first two axes are positive or not, flagged or not; a fourth axis stays."""
    (tp, fn), (fp, tn) = cells.sum(axis=2)
    return Counts(tp=tp, fp=fp, fn=fn, tn=tn)


def _drifted(usual, changed, kind, strength):
    """Cells of the world after the drift."""
    if kind == "covariate":
        return (1 - strength) * usual + strength * changed
    cells = usual.copy()
    if kind == "label":
        cells[0] *= 1 + 2 * strength
        return cells / cells.sum()
    if kind == "concept: fewer count":
        moved = np.stack([-strength * usual[0], strength * usual[0]])
    else:
        unflagged = usual[1, 1]
        moved = np.zeros_like(usual)
        moved[0, 1] = min(1, strength * usual[0].sum() / unflagged.sum()) * unflagged
        moved[1, 1] = -moved[0, 1]
    return np.maximum(cells + moved, 0)


def _draw(worlds, n, chance):
    """Rows in each cell, on each day (first axis): what can be seen first, one binomial after the other, then labels.

    So a slider moves the days a little each, and a concept moves nothing that can be seen without labels.
    """
    worlds = np.array(worlds).reshape(2, 2, -1)  # before or since, positive or not, flagged and bin
    seen = worlds.sum(axis=1)
    when = (np.arange(DAYS) >= STABLE).astype(int)
    left, rest, drawn = np.full(DAYS, float(n)), np.ones(2), np.zeros((2, seen.shape[1], DAYS))
    for cell in np.flatnonzero(seen.any(axis=0)):
        rows = _binomial(chance[0, cell], left, np.clip(seen[:, cell] / np.maximum(rest, 1e-12), 0, 1)[when])
        positives = _binomial(chance[1, cell], rows, np.clip(_share(worlds[:, 0, cell], seen[:, cell]), 0, 1)[when])
        drawn[:, cell] = np.nan_to_num(positives), rows - np.nan_to_num(positives)
        left, rest = left - rows, rest - seen[:, cell]
    return np.moveaxis(drawn, -1, 0).reshape(DAYS, 2, 2, -1)


def _binomial(chance, n, share):
    """Quantiles of a binomial; nan where its share is."""
    from scipy.stats import binom

    return np.maximum(binom.ppf(chance, n, share), 0)


def _share(part, whole):
    return np.divide(part, whole, out=np.full(np.shape(whole), np.nan), where=np.asarray(whole) > 0)
