"""Drag the widths of a recommender's stages: what each of them loses, what it costs, and what the viewer gets."""

import numpy as np

from evalteach import plots, ranking
from evalteach._inputs import check_between, read_array, read_whole
from evalteach.explorers.engine.base import Explorer
from evalteach.explorers.engine.controls import number_control

LEVELS = ("catalog", "candidates", "re-ranked", "shown")
STAGES = ("retrieval", "ranking", "re-ranking")
DEEPEST, LONGEST = 1_000, 100  # items that ranking passes on, and that are shown, at most
WIDTHS, LISTS = 24, 480  # points and lists on the curves, at most: many users have fewer points
MEASURES = {"recall": "recall", "ndcg": "nDCG"}


class FunnelExplorer(Explorer):
    """Retrieval takes candidates from a catalogue, ranking passes on the best of them, re-ranking shows a few.

    Liked items are counted over all users together, so that the stages' shares multiply; recall and nDCG are means
    over the users who like something. Among equal scores the less relevant item comes first. Latency is a model:
    so many microseconds for each item that a stage scores.

    Parameters
    ----------
    relevance : array_like, shape (n_items,) or (n_users, n_items)
        Grades, 0 or more; above 0 is liked.
    retrieval_score, ranking_score, reranking_score : array_like of the same shape
        Of the three stages, over the whole catalogue; nan is an item that the stage never passes. The re-ranking
        score is the ranking score by default.
    candidates, reranked, shown : int
        Items that each stage passes, to start with (1,000, 200 and 30 where there are so many). Ranking and
        re-ranking pass fewer if fewer reach them.
    budget : float
        Milliseconds that a list may take.
    costs : sequence of three float
        Assumed microseconds an item: retrieval scores the catalogue, ranking the candidates, re-ranking the rest.

    Raises
    ------
    ValueError
        For shapes that differ, grades below 0, no liked item at all, widths beyond the catalogue (and 1,000 for
        ``reranked``, 100 for ``shown``), a budget that is not above 0, costs below 0.
    """

    scene_controls = ("reranked", "shown")

    def __init__(
        self,
        relevance,
        retrieval_score,
        ranking_score,
        reranking_score=None,
        *,
        candidates=None,
        reranked=None,
        shown=None,
        budget=50.0,
        costs=(0.1, 20.0, 50.0),
    ):
        grades, scores = _read(relevance, retrieval_score, ranking_score, reranking_score)
        if np.shape(costs) != (3,):
            raise ValueError(f"costs must be three numbers, for {', '.join(STAGES)}; got {costs!r}")
        self.costs = [check_between("costs", each, 0, np.inf, open_ends=False) / 1000 for each in costs]
        self.n_items = n = grades.shape[1]
        self._put_in_order(grades, *scores)
        ends = {"candidates": (1_000, n), "reranked": (200, min(n, DEEPEST)), "shown": (30, min(n, LONGEST))}
        given = {"candidates": candidates, "reranked": reranked, "shown": shown}
        starts = {
            name: min(usual, most) if given[name] is None else read_whole(name, given[name], 1, most)
            for name, (usual, most) in ends.items()
        }
        self.widths = np.unique(np.geomspace(1, n, max(3, min(WIDTHS, LISTS // len(grades)))).round().astype(int))
        self.ceilings = [np.mean(self.retrieved_at < width) for width in self.widths]
        # what ranking passes on from each, since the later stages' widths do not change it
        self.passed_at = np.array([self._passed(width, ends["reranked"][1]) for width in self.widths])
        budget = check_between("budget", budget, 0, np.inf)
        dearest = float(sum(self._latency(n, ends["reranked"][1])))
        super().__init__(
            number_control("candidates", starts["candidates"], 1, n, log=n > 1, whole=True),
            number_control("reranked", starts["reranked"], 1, ends["reranked"][1], log=n > 1, whole=True),
            number_control("shown", starts["shown"], 1, ends["shown"][1], whole=True),
            number_control("budget", budget, min(1, budget), max(dearest, budget, 2), label="budget (ms)", log=True),
        )

    def _put_in_order(self, grades, retrieval, ranking_score, reranking):
        """Where each item of the ranking's order stands before and after it, and which liked item it is."""
        users, n = grades.shape
        first = np.argsort(grades, axis=1, kind="stable")  # so that ties put the less relevant first
        liked = grades > 0
        (_, retrieved), (order, ranked) = _order(retrieval, first), _order(ranking_score, first)
        later = ranked if reranking is ranking_score else _order(reranking, first)[1]
        retrieved[np.isnan(retrieval)] = n  # never among the candidates
        self.retrieved_at = retrieved[liked]
        retrieved[np.isnan(ranking_score)] = n  # nor passed on
        self.before, self.after = (np.take_along_axis(each, order, axis=1) for each in (retrieved, later))
        self.allowed = np.count_nonzero(~np.isnan(reranking), axis=1)
        self.number = np.full((users, n + 1), -1, dtype=np.int32)  # of a liked item, by its place in the last order
        self.row_starts = np.arange(users)[:, None] * (n + 1)
        self.kept = (None,)
        self.grades = np.zeros((users, liked.sum(axis=1).max() + 1))
        for user in range(users):
            which = np.flatnonzero(liked[user])
            self.number[user, later[user, which]] = np.arange(which.size)
            self.grades[user, : which.size] = grades[user, which]
        self.is_liked = self.number.ravel() >= 0

    def _passed(self, candidates, reranked):
        """For each user the items that ranking passes on, as places in the last order; n where there is none."""
        passed = np.full((len(self.before), reranked), self.n_items, dtype=np.int32)
        for row, reaches, after in zip(passed, self.before < candidates, self.after, strict=True):
            which = reaches.nonzero()[0][:reranked]
            row[: which.size] = after[which]
        return passed

    def _passed_now(self, candidates, reranked):
        """The same, and how many of them are liked; kept, since the other two sliders do not change it."""
        widths = candidates, reranked
        if self.kept[0] != widths:
            passed = self._passed(*widths)
            liked = self.is_liked.take(passed + self.row_starts)
            self.kept = widths, passed, int(np.count_nonzero(liked))
        return self.kept[1:]

    def _lists(self, passed, shown):
        """Numbers of the liked items in lists of places, shape (..., n_users, shown): -1 for any other item."""
        places = np.sort(passed, axis=-1)[..., :shown]
        users = np.arange(len(self.grades))[:, None]
        listed = places < self.allowed[:, None]
        return np.where(listed, self.number[users, places], -1), listed

    def _measured(self, number, listed):
        """Recall and nDCG of these lists, averaged over users."""
        shape, shown = number.shape[:-1], number.shape[-1]
        number, listed = number.reshape(-1, shown), listed.reshape(-1, shown)
        row = np.arange(len(number))[:, None]
        missed = np.tile(self.grades, (len(number) // len(self.grades), 1))
        grades = missed[row, number]  # -1 is the last column: no grade
        missed[row, number] = 0
        score = np.where(listed, -np.arange(shown), np.nan)
        found = ranking.per_list(
            np.hstack([grades, missed]),
            np.hstack([score, np.full(missed.shape, np.nan)]),
            self.value("shown"),
            metrics=tuple(MEASURES),
        )
        return {name: np.nanmean(values.reshape(shape), axis=-1) for name, values in found.items()}

    def _latency(self, candidates, reranked):
        """Milliseconds of each stage."""
        scored = self.n_items, candidates, np.minimum(candidates, reranked)
        return [cost * items for cost, items in zip(self.costs, scored, strict=True)]

    def draw(self, figure):
        artists = self.artists
        left, time, curves = figure.subplots(1, 3, width_ratios=[1, 0.9, 1.25])
        left.set_title("Liked items left (bold: how many)")
        artists.left = plots.class_bars(left, LEVELS)
        left.set(xlim=(0, 1.4), xticks=[0, 0.5, 1], xlabel="share of all liked items")
        artists.counts = [plots.live_text(left, 1.2, row + 0.5) for row in range(len(LEVELS))]
        time.set_title("Assumed time (bold: ms)")
        artists.time = plots.class_bars(time, [*STAGES, "together"])
        time.set(xlim=(0, 2), xticks=[0, 1], xlabel="share of the budget")
        plots.upright(time, "negative", style="--", x=1, name="budget")
        plots.legend_below(time, 1)
        artists.times = [plots.live_text(time, 1.6, row + 0.5) for row in range(len(STAGES) + 1)]
        curves.set(title="For other numbers of candidates", xlabel="candidates", ylim=(-0.03, 1.03))
        curves.set_ylabel("share or mean score")
        if self.n_items > 1:
            curves.set(xscale="log", xlim=(0.9, 1.1 * self.n_items))
        # points where they were computed: with many users there are as few as three
        plots.line(curves, self.widths, self.ceilings, "test", style=".:", name="liked items retrieved (share)")
        artists.curves = {
            "recall": plots.line(curves, [], [], "positive", style="o-", name="recall of the shown list"),
            "ndcg": plots.line(curves, [], [], "deployed", style="s--", width=1.2, name="nDCG of the shown list"),
        }
        artists.curves["recall"].set_markersize(3)
        # hollow squares, since the two curves run into each other where many candidates reach the ranker
        artists.curves["ndcg"].set(markersize=5.5, markerfacecolor="none")
        artists.fits = plots.upright(curves, "negative", style="--", name="budget: most candidates")
        artists.now = plots.upright(curves)
        artists.dots = {
            name: plots.dot(curves, colour) for name, colour in {"recall": "positive", "ndcg": "deployed"}.items()
        }
        plots.legend_below(curves, 2)

    def find_scene(self):
        return self._measured(*self._lists(self.passed_at[..., : self.value("reranked")], self.value("shown")))

    def move_scene(self, now):
        for name, curve in self.artists.curves.items():
            curve.set_data(self.widths, self.scene[name])
        return list(self.artists.curves.values())

    def move(self, now):
        artists = self.artists
        counts = [now[name] for name in ("liked", "retrieved", "passed_on", "liked_shown")]
        plots.set_class_bars(artists.left, np.divide(counts, now["liked"]))
        for text, count in zip(artists.counts, counts, strict=True):
            text.set_text(f"{count:,}")
        times = [now[f"{stage}_ms"] for stage in ("retrieval", "ranking", "reranking")]
        times.append(now["latency"])
        plots.set_class_bars(artists.time, np.minimum(np.divide(times, now["budget"]), 2))
        for text, milliseconds in zip(artists.times, times, strict=True):
            text.set_text(f"{milliseconds:,.3g}")
        artists.fits.set_xdata([now["affordable"]] * 2)
        marks = plots.set_marks(now, "candidates", [artists.now], artists.dots)
        return [artists.left, *artists.counts, artists.time, *artists.times, artists.fits, *marks]

    def numbers(self):
        candidates, reranked = self.value("candidates"), self.value("reranked")
        passed, liked_passed = self._passed_now(candidates, reranked)
        number, listed = self._lists(passed, self.value("shown"))
        counts = {
            "liked": self.retrieved_at.size,
            "retrieved": int(np.count_nonzero(self.retrieved_at < candidates)),
            "passed_on": liked_passed,
            "liked_shown": int(np.count_nonzero(number >= 0)),
        }
        reach = list(counts.values())
        stages = np.divide(reach[1:], reach[:-1], out=np.full(3, np.nan), where=np.array(reach[:-1]) > 0)
        times = self._latency(candidates, reranked)
        every = sum(self._latency(np.arange(1, self.n_items + 1), reranked))
        fitting = int(np.count_nonzero(every <= self.value("budget")))  # it only grows
        return {
            **self.values,
            **counts,
            **dict(zip(("retrieval_recall", "ranking_recall", "reranking_recall"), stages.tolist(), strict=True)),
            "funnel_recall": reach[-1] / reach[0],
            **{name: float(value) for name, value in self._measured(number, listed).items()},
            **dict(zip(("retrieval_ms", "ranking_ms", "reranking_ms"), times, strict=True)),
            "latency": sum(times),
            "affordable": fitting or np.nan,
        }

    def sentence(self, now):
        stages = " x ".join(f"{now[f'{stage}_recall']:.3f}" for stage in ("retrieval", "ranking", "reranking"))
        fits = now["affordable"]
        room = "no candidate fits" if np.isnan(fits) else f"at most {fits:,} candidates fit"
        return (
            f"Of {now['liked']:,} liked items {now['retrieved']:,} are retrieved ({now['candidates']:,} places), "
            f"{now['passed_on']:,} passed on ({now['reranked']:,}), {now['liked_shown']:,} shown ({now['shown']}): "
            f"{stages} = {now['funnel_recall']:.3f}. Mean over users: "
            f"recall@{now['shown']} {now['recall']:.3f}, nDCG@{now['shown']} {now['ndcg']:.3f}. "
            f"{now['latency']:,.4g} ms at the assumed costs; in {now['budget']:,.4g} ms {room}."
        )


def _read(relevance, retrieval, ranking_score, reranking):
    """Grades and the three scores, shape (n_users, n_items)."""
    given = {"relevance": relevance, "retrieval_score": retrieval, "ranking_score": ranking_score}
    given["reranking_score"] = ranking_score if reranking is None else reranking
    read = {name: np.atleast_2d(read_array(name, values)) for name, values in given.items()}
    for name, values in read.items():
        if values.dtype.kind not in "biuf":
            raise ValueError(f"{name} has dtype {values.dtype}; numbers are needed")
        if not values.size:
            raise ValueError(f"{name} is empty; at least one item is needed")
        if values.shape != read["relevance"].shape or values.ndim != 2:
            raise ValueError(
                f"{name} has shape {values.shape} and relevance {read['relevance'].shape}; "
                "one shape, (n_items,) or (n_users, n_items), is needed"
            )
    grades, *scores = (values.astype(np.float64, copy=False) for values in read.values())
    if not (grades.min() >= 0 and np.isfinite(grades.max())):
        raise ValueError(f"relevance must be grades, 0 or more and finite, got {grades.min()} to {grades.max()}")
    if not grades.any():
        raise ValueError("relevance has no item above 0; nobody likes anything, so nothing can be found")
    return grades, scores


def _order(score, first):
    """Items from the highest score down, nan last and ties in the order ``first``; and the place of each item."""
    order = np.take_along_axis(first, np.argsort(-np.take_along_axis(score, first, 1), axis=1, kind="stable"), 1)
    places = np.empty(order.shape, dtype=np.int32)
    np.put_along_axis(places, order, np.arange(order.shape[1], dtype=np.int32)[None], axis=1)
    return order, places
