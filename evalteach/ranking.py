"""How good a ranked list is: at its top k, by places, by pairs; for one list or for every user's.

An item is relevant if its relevance is above 0. A list that ends before k has misses in its empty places (as in
trec_eval and ranx). What has no relevant item is nan wherever that would be 0/0; trec_eval, ranx and scikit-learn
say 0. Functions with rival definitions have rival names.
"""

import math
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from evalteach._inputs import (
    check_choice,
    check_lengths,
    check_made,
    read_array,
    read_between,
    read_numbers,
    read_whole,
)

GAINS = {"linear": lambda relevance: relevance, "exponential": lambda relevance: np.exp2(relevance) - 1}
GRADES = "relevance must be numbers (grades, or 0 and 1)"
MOST, MOST_EXPONENTIAL = 1e300, 1_000  # grades whose gains can be added up
WHOLE = "a whole number from 1 on"
BLOCK = 60_000  # scores at a time, so few that what is made of them stays in the cache


class _Lists:
    """The tops of some ranked lists, shape (n_lists, at most k), and all grades (-inf: no item), listed or not."""

    def __init__(self, top, grades, k, gain):
        check_choice("gain", gain, GAINS)
        if gain == "exponential" and grades.max() > MOST_EXPONENTIAL:
            raise ValueError(
                f"relevance holds the grade {grades.max():g}; its exponential gain, 2^grade - 1, is too large to add, "
                "so pass grades of 1,000 at most, or gain='linear'"
            )
        self.top, self.grades, self.k, self.gain = top, grades, k, GAINS[gain]
        self.ranks = np.arange(1, top.shape[1] + 1)

    @cached_property
    def hit(self):
        return self.top > 0

    @cached_property
    def found(self):  # hits down to each rank
        return np.cumsum(self.hit, axis=1)

    @cached_property
    def hits(self):
        return self.found[:, -1]

    @cached_property
    def relevant(self):
        return np.count_nonzero(self.grades > 0, axis=1)

    @cached_property
    def precisions(self):  # at each hit, added up
        return np.einsum("ij,ij->i", self.hit, self.found / self.ranks)

    def precision(self):
        return self.hits / self.k

    def recall(self):
        return self.hits / self.relevant

    def average_precision_by_relevant(self):
        return self.precisions / self.relevant

    def average_precision_by_reachable(self):
        return self.precisions / np.minimum(self.relevant, self.k)

    def average_precision_by_hits(self):
        return self.precisions / self.hits

    def average_recall(self):
        after = self.k - self.ranks.size  # empty places, where recall stays what it is
        return (self.found.sum(axis=1) + after * self.hits) / (self.k * self.relevant)

    def reciprocal_rank(self):
        first = np.where(self.hits > 0, 1 / (np.argmax(self.hit, axis=1) + 1), 0)
        return np.where(self.relevant > 0, first, np.nan)

    def reciprocal_hits(self):
        return self.hit @ (1 / self.ranks)

    def dcg(self):
        return self.gain(self.top) @ _discounts(self.ranks.size)

    @cached_property
    def ideal(self):
        best = np.sort(self.grades, axis=1)[:, ::-1][:, : self.k]
        return self.gain(np.where(best == -np.inf, 0, best)) @ _discounts(best.shape[1])

    def ndcg(self):
        return self.dcg() / np.where(self.ideal > 0, self.ideal, np.nan)


METRICS = (
    "precision",
    "recall",
    "average_precision_by_relevant",
    "average_precision_by_reachable",
    "average_precision_by_hits",
    "average_recall",
    "reciprocal_rank",
    "reciprocal_hits",
    "ndcg",
)


def _discounts(n):
    return 1 / np.log2(np.arange(2, n + 2))


def _read_list(relevance, k, missed=(), gain="linear"):
    listed = read_between("relevance", relevance, -MOST, MOST, called="grades")
    others = read_array("missed", missed)
    if others.shape != (0,):
        others = read_between("missed", others, -MOST, MOST, called="grades")
    k = listed.size if k is None else read_whole("k", k, 1, np.inf, WHOLE)
    return _Lists(listed[None, :k], np.append(listed, others)[None], k, gain)


def _one(metric, *given, **more):
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(getattr(_read_list(*given, **more), metric)()[0])


# --- one list --------------------------------------------------------------------------------------------


def precision_at_k(relevance, k):
    """Share of the k places that hold a relevant item; the order of the first k does not count.

    Parameters
    ----------
    relevance : array_like, shape (n_items,)
        Grades in ranked order, the best-scored item first; above 0 is relevant.
    k : int
        1 or more. Places behind the end of the list are misses.

    Returns
    -------
    float
        0 to 1, and at most (relevant items) / k. As in trec_eval (P_k), ranx, pytrec_eval.

    Raises
    ------
    ValueError
        For an empty list, grades that are not finite numbers, or a k that is no whole number from 1 on.

    References
    ----------
    Derived in notebooks/30_top_k.ipynb, as are the next five.

    Examples
    --------
    >>> precision_at_k([1, 0, 1, 0, 0, 1], 4)
    0.5
    """
    return _one("precision", relevance, k)


def recall_at_k(relevance, k, *, missed=()):
    """Share of the relevant items that stand in the first k places.

    ``missed`` holds the grades of items that the list does not hold at all: none, by default. Other arguments and
    errors: see :func:`precision_at_k`. As in trec_eval (recall_k) and ranx; nan without a relevant item.

    >>> recall_at_k([1, 0, 1, 0, 0, 1], 4, missed=[1])
    0.5
    """
    return _one("recall", relevance, k, missed=missed)


def average_precision_by_relevant(relevance, k=None, *, missed=()):
    """Sum of precision@i over the ranks i <= k of hits, divided by all relevant items.

    As in trec_eval (map_cut_k), pytrec_eval and ranx; over the whole list scikit-learn's ``average_precision_score``
    of scores without ties. Below 1 at best where there are more relevant items than k. Arguments: see
    :func:`recall_at_k`; k None takes the whole list. nan without a relevant item.

    >>> round(average_precision_by_relevant([0, 1, 1, 0, 0, 1], 2), 3)
    0.167
    """
    return _one("average_precision_by_relevant", relevance, k, missed=missed)


def average_precision_by_reachable(relevance, k=None, *, missed=()):
    """The same sum, divided by min(relevant items, k): 1 at best for every k. As in Recommenders (Microsoft).

    >>> average_precision_by_reachable([0, 1, 1, 0, 0, 1], 2)
    0.25
    """
    return _one("average_precision_by_reachable", relevance, k, missed=missed)


def average_precision_by_hits(relevance, k=None):
    """The same sum, divided by the hits in the first k: blind to items not found, nan without a hit.

    As in torchmetrics, which says 0 for nan.

    >>> average_precision_by_hits([0, 1, 1, 0, 0, 1], 2)
    0.5
    """
    return _one("average_precision_by_hits", relevance, k)


def average_recall_at_k(relevance, k=None, *, missed=()):
    """Mean of recall@1, ..., recall@k: 0 to 1, higher the earlier the hits; nan without a relevant item.

    Programs that print MAR@k compute other numbers. Evidently and WarpRec add up recall@i over the hits and divide
    by the relevant items, or by min(relevant items, k): that depends on how many are found, and not on their
    positions. recmetrics' ``mark`` is the mean of :func:`average_precision_by_relevant`, and COCO's AR is an average
    over overlaps of boxes. Some texts say MAR@k for the mean of :func:`recall_at_k`.

    >>> round(average_recall_at_k([0, 1, 1, 0, 0, 1], 3), 3)
    0.333
    """
    return _one("average_recall", relevance, k, missed=missed)


def reciprocal_rank(relevance, k=None, *, missed=()):
    """1 / rank of the first hit, 0 with none in the first k, nan where no item at all is relevant.

    Averaged over users it is MRR. As in trec_eval (recip_rank) and ranx, which say 0 for nan.
    Derived in notebooks/31_rank_position.ipynb, as are the next.

    >>> reciprocal_rank([0, 1, 1, 0])
    0.5
    """
    return _one("reciprocal_rank", relevance, k, missed=missed)


def reciprocal_hits(relevance, k=None):
    """Sum of 1 / rank over all hits in the first k: 0 or more, and above 1 with two hits at the top.

    Averaged over users it is ARHR, which is MRR where everyone has exactly one relevant item.

    >>> reciprocal_hits([1, 1, 0, 1])
    1.75
    """
    return _one("reciprocal_hits", relevance, k)


def dcg(relevance, k=None, *, gain="linear"):
    """Discounted cumulative gain: the sum of gain / log2(1 + rank) over the first k.

    The gain is the grade itself (``"linear"``: scikit-learn's ``dcg_score`` without ties, trec_eval, ranx's ``dcg``)
    or 2^grade - 1 (``"exponential"``: ranx's ``dcg_burges``). No unit, no bound.

    >>> round(dcg([0, 5, 1, 4, 2]), 3)
    6.151
    """
    return _one("dcg", relevance, k, gain=gain)


def ndcg(relevance, k=None, *, gain="linear", missed=()):
    """DCG divided by that of the best order of the same items: at most 1, and 0 or more for grades of 0 or more.

    As scikit-learn's ``ndcg_score`` of scores without ties (which refuses negative grades), trec_eval's ndcg_cut_k,
    ranx's ``ndcg``, and ``ndcg_burges`` with exponential gain. Negative grades take away the lower bound. nan
    where even the best order gains nothing. See :func:`random_ndcg` for what no skill gets.

    >>> round(ndcg([0, 5, 1, 4, 2]), 3)
    0.687
    """
    return _one("ndcg", relevance, k, gain=gain, missed=missed)


def random_ndcg(relevance, k=None, *, gain="linear", missed=()):
    """nDCG of the listed items in random order, on average over all orders.

    >>> round(random_ndcg([0, 5, 1, 4, 2]), 3)
    0.79
    """
    lists = _read_list(relevance, k, missed, gain)
    listed = lists.gain(lists.grades[:, : np.size(relevance)])
    ideal = lists.ideal[0]
    return float(listed.mean() * _discounts(lists.ranks.size).sum() / ideal) if ideal > 0 else np.nan


# --- many lists ------------------------------------------------------------------------------------------


def ranked(relevance, score):
    """Grades in the order of the scores, the highest first: what the functions of one list want.

    Among equal scores the less relevant item comes first, so that neither the order of the rows nor a constant
    score flatters a model. A score of nan is an item that is not on the list: its place at the end gets grade 0.

    Parameters
    ----------
    relevance, score : array_like, shape (n_items,) or (n_lists, n_items)

    Returns
    -------
    ndarray
        Of the same shape.

    Examples
    --------
    >>> ranked([1, 0, 0, 1], [0.2, 0.9, 0.5, 0.5]).tolist()
    [0.0, 0.0, 1.0, 1.0]
    """
    relevance, score = _read_lists(relevance, score)
    rows = relevance.astype(np.float64), score
    return _ranked(*map(np.atleast_2d, rows)).reshape(relevance.shape)


def per_list(relevance, score, k, *, gain="linear", metrics=METRICS):
    """Metrics at k of many lists of one length.

    Parameters
    ----------
    relevance, score : array_like, shape (n_lists, n_items)
        A score of nan is an item that is not on the list, though it counts as relevant and in the ideal order.
    k : int
        1 or more; beyond the lists their empty places are misses.
    gain : str
        Of nDCG, see :func:`dcg`.
    metrics : sequence of str
        Names from ``METRICS``.

    Returns
    -------
    dict of str to ndarray, shape (n_lists,)
        Each as its function of one list says, nan included, with ties in the order of :func:`ranked`.
    """
    relevance, score = _read_lists(relevance, score)
    if score.ndim != 2:
        raise ValueError(f"score must have shape (n_lists, n_items), got {score.shape}; use per_user for a long table")
    rows = max(1, BLOCK // score.shape[1])
    parts = (slice(start, start + rows) for start in range(0, len(score), rows))
    blocks = ((part, relevance[part].astype(np.float64, copy=False), score[part]) for part in parts)
    return _measured(blocks, len(score), k, gain, metrics)


def per_user(table, k, *, gain="linear", metrics=METRICS):
    """Metrics at k of each user in a long table, lists of any lengths.

    Parameters
    ----------
    table : pandas.DataFrame
        Columns ``user``, ``score`` and ``relevance``, a row an item; and ``item``, if you have it, so that an item
        that a user has twice is refused, since it would count twice. A score of nan is an item that the user was
        not shown: join recommendations and truth with ``how="outer"``, and fill the relevance. A user with no other
        score has an empty list, and so 0 where there is something to find. Users in no row cannot be known.
    k, gain, metrics
        See :func:`per_list`.

    Returns
    -------
    pandas.DataFrame
        A row a user in order of appearance, a column a metric. nan stays: see :func:`mean_over_users`.

    Raises
    ------
    ValueError
        For a missing or doubled column, a missing user, an item that a user has twice, an empty table, grades that
        are not finite numbers, and scores that are no numbers.
    """
    import pandas as pd

    starts, lengths, together, users, *columns = _read_table(table)
    columns = columns if together is None else [each[together] for each in columns]

    def blocks():
        longest, at = np.argsort(-lengths, kind="stable"), 0  # rows of about one length are filled up little
        while at < longest.size:
            width = lengths[longest[at]]
            which = longest[at : at + max(1, BLOCK // width)]
            same = np.count_nonzero(lengths[which] == width)
            which = which[:same] if 2 * same > which.size else which  # and lists of one length are not filled up
            first = np.minimum(starts[which], columns[0].size - width)  # so that no window ends behind the table
            grades, scores = (
                sliding_window_view(each, width)[first].astype(np.float64, copy=False) for each in columns
            )
            if lengths[which[-1]] < width:
                place = np.arange(width) - (starts[which] - first)[:, None]
                beyond = (place < 0) | (place >= lengths[which][:, None])
                np.putmask(grades, beyond, -np.inf)
                np.putmask(scores, beyond, np.nan)
            yield which, grades, scores
            at += which.size

    found = _measured(blocks(), lengths.size, k, gain, metrics)
    return pd.DataFrame(found, index=pd.Index(users, name="user"))


def mean_over_users(metrics):
    """Mean of each metric over the users for whom it is defined, and how many these are: MAP, MAR, MRR, ARHR.

    Parameters
    ----------
    metrics : pandas.DataFrame
        Of :func:`per_user`. Use ``fillna(0)`` first to count undefined users as 0, as trec_eval and ranx do.

    Returns
    -------
    pandas.DataFrame
        A row a metric; columns ``mean`` (nan without a user), ``users`` and ``undefined``, the users left out.
    """
    import pandas as pd

    check_made("metrics", metrics, pd.DataFrame)
    return pd.DataFrame({"mean": metrics.mean(), "users": metrics.count(), "undefined": metrics.isna().sum()})


def _read_lists(relevance, score):
    """Two arrays of one shape."""
    read = {"relevance": read_array("relevance", relevance), "score": read_array("score", score)}
    for name, values in read.items():
        if values.dtype.kind not in "biuf":
            raise ValueError(f"{name} has dtype {values.dtype}; numbers are needed")
        if not values.size:
            raise ValueError(f"{name} is empty; at least one item is needed")
    grades, scores = read.values()
    if grades.shape != scores.shape:
        raise ValueError(f"relevance and score have shapes {grades.shape} and {scores.shape}; one shape is needed")
    if not (grades.min() >= -MOST and grades.max() <= MOST):  # False for nan, which is carried along
        raise ValueError(
            f"relevance must be finite numbers from {-MOST:g} to {MOST:g}, got {grades.min()} to {grades.max()}"
        )
    return grades, scores.astype(np.float64, copy=False)


def _read_table(table):
    """Where each user's rows start, how many they are, their order if it is not that of the table, the columns."""
    import pandas as pd

    check_made("table", table, pd.DataFrame)
    for name in ("user", "score", "relevance", *(["item"] if "item" in table else [])):
        if name not in table:
            raise ValueError(f"table has no column {name!r}; user, score and relevance are needed")
        if (times := np.sum(table.columns == name)) > 1:
            raise ValueError(f"table has {times} columns {name!r}; rename or drop all but one")
        if name != "score" and table[name].isna().any():
            raise ValueError(f"{name} is missing at position {np.argmax(table[name].isna())}; every row needs one")
    if "item" in table and (again := table.duplicated(["user", "item"]).to_numpy()).any():
        second = int(np.argmax(again))
        user, item = table["user"].iloc[second], table["item"].iloc[second]
        first = int(np.argmax(((table["user"] == user) & (table["item"] == item)).to_numpy()))
        raise ValueError(
            f"table holds item {item!r} of user {user!r} twice, at positions {first} and {second}; an item counts "
            "once, so keep one row of it, as table.drop_duplicates(['user', 'item']) does"
        )
    relevance, score = _read_lists(table["relevance"], table["score"])
    user = table["user"].to_numpy()
    first = np.append(0, np.flatnonzero(user[1:] != user[:-1]) + 1)  # of rows of one user, one after another
    code, users = pd.factorize(table["user"].iloc[first])
    together, lengths = None, np.diff(np.append(first, user.size))
    if users.size < first.size:
        rows = np.repeat(code, lengths)
        together, lengths = np.argsort(rows, kind="stable"), np.bincount(rows)
    return np.cumsum(lengths) - lengths, lengths, together, users, relevance, score


def _ranked(grades, score, k=None):
    """The first k grades by score, highest first; of equal scores the lowest grade; what is not listed (nan) last.

    NumPy finds the order of plain numbers in a tenth of the time of a sort by two keys, so only the top is sorted by
    both: as complex numbers, which go by score, then by grade, nan last, as with ``np.lexsort`` but in less time.
    """
    falling, k = -score, min(k or score.shape[-1], score.shape[-1])
    order = np.argsort(falling, axis=-1)
    last = np.take_along_axis(falling, order[..., k - 1 : k], axis=-1)
    ties_end = np.count_nonzero(falling <= last, axis=-1).max()  # who scores like the last of the top may belong to it
    order = order[..., : max(k, ties_end)]
    top = np.empty(order.shape, dtype=complex)
    top.real, top.imag = (np.take_along_axis(each, order, axis=-1) for each in (falling, grades))
    if (top.real[..., 1:] == top.real[..., :-1]).any():
        top.sort(axis=-1)
    return np.where(np.isnan(top.real), 0, top.imag)[..., :k]


def _measured(blocks, n, k, gain, metrics):
    """The metrics of ``n`` lists from blocks of (which of them, grades, scores)."""
    k = read_whole("k", k, 1, np.inf, WHOLE)
    check_choice("gain", gain, GAINS)
    for name in metrics:
        check_choice("metrics", name, METRICS)
    found = {name: np.empty(n) for name in metrics}
    with np.errstate(divide="ignore", invalid="ignore"):
        for which, grades, score in blocks:
            lists = _Lists(_ranked(grades, score, k), grades, k, gain)
            for name, values in found.items():
                values[which] = getattr(lists, name)()
    return found


# --- pairs -----------------------------------------------------------------------------------------------


class Pairs(NamedTuple):
    """Pairs of items with different grades: those that the scores order rightly, wrongly, and not at all (ties)."""

    concordant: int
    discordant: int
    tied: int


def concordant_pairs(relevance, score):
    """Counts the pairs of one list in n log n steps; see :class:`Pairs` and the three fractions below.

    Pairs of one grade say nothing and are not counted. scipy's ``kendalltau`` counts them, exactly up to 10^7 items.

    Parameters
    ----------
    relevance, score : array_like, shape (n_items,)
        Any order; grades and scores are compared, never subtracted.

    Returns
    -------
    Pairs

    Examples
    --------
    >>> concordant_pairs([3, 1, 2, 1], [0.9, 0.8, 0.8, 0.1])
    Pairs(concordant=4, discordant=0, tied=1)
    """
    grades, scores = read_numbers("relevance", relevance, GRADES), read_numbers("score", score)
    check_lengths(relevance=grades.size, score=scores.size)
    return Pairs(*_count_pairs(grades, scores))


def fcp_ties_half(pairs):
    """Fraction of concordant pairs, tied scores half right: with two grades the area under the ROC curve."""
    check_made("pairs", pairs, Pairs)
    return _share(pairs.concordant + np.asarray(pairs.tied) / 2, sum(map(np.asarray, pairs)))


def fcp_ties_left_out(pairs):
    """Fraction of concordant pairs among those that the scores order at all; nan where they order none."""
    check_made("pairs", pairs, Pairs)
    return _share(pairs.concordant, np.add(pairs.concordant, pairs.discordant))


def fcp_ties_wrong(pairs):
    """Fraction of concordant pairs, tied scores wrong, as Surprise counts (it averages right and wrong apart)."""
    check_made("pairs", pairs, Pairs)
    return _share(pairs.concordant, sum(map(np.asarray, pairs)))


def _share(part, whole):
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.divide(part, whole)
    return share if np.ndim(share) else float(share)


def _count_pairs(grades, scores):
    """Concordant, discordant and tied pairs of one list, from scipy's count in n log n steps, undivided."""
    if grades.size < 2:
        return 0, 0, 0
    grades, scores = (np.unique(values, return_inverse=True)[1] for values in (grades, scores))
    both = grades * np.int64(scores.size) + scores
    groups = [np.array([grades.size]), np.bincount(grades), np.bincount(scores), np.unique(both, return_counts=True)[1]]
    pairs, same_grade, same_score, same_both = (int(np.sum(size * (size - 1) // 2)) for size in groups)
    ordered, tied = pairs - same_grade - same_score + same_both, same_score - same_both
    if not ordered:
        return 0, 0, tied
    from scipy.stats import kendalltau

    # Kendall's tau-b is their difference over these roots; it is a whole number, and odd where their sum is
    method = "asymptotic" if grades.size > 2 else "exact"  # of the p-value, which is not asked for
    tau = kendalltau(grades, scores, method=method).statistic
    difference = round(tau * math.sqrt(pairs - same_grade) * math.sqrt(pairs - same_score))
    return (ordered + difference) // 2, (ordered - difference) // 2, tied
