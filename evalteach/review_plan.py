"""From scores and a number of reviews to precision, recall and class size: what to draw, and what the answers say."""

import hashlib
import itertools
import math
import os
import re
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from evalteach._inputs import (
    check_between,
    check_lengths,
    read_column,
    read_labels,
    read_probabilities,
    read_scores,
    read_strata,
    read_whole,
    round_to,
)
from evalteach._sheets import read_sheet, write_sheet
from evalteach.review import (
    EDGES,
    ReviewEstimate,
    correlation_of_totals,
    draw_review_sample,
    estimate_total,
    neyman_allocation,
    rank_strata,
    recall_between,
)

# guessed share of positives between the edges, for a model of some use; a wrong guess costs width, not coverage
GUESS = np.array([0.7, 0.35, 0.06, 0.007, 0.001])
WORDS = {"yes": "yes", "y": "yes", "true": "yes", "1": "yes", "1.0": "yes", "skip": "skip", "": ""}
WORDS |= {"no": "no", "n": "no", "false": "no", "0": "no", "0.0": "no"}
SHEET = ["id", "answer", "design"]
KEPT = ["size", "n_rows", "n_flagged", "design"]


@dataclass(frozen=True, eq=False)
class ReviewPlan:
    """Rows drawn for review, in random order, and what their answers will stand for. Made by ``plan``.

    Attributes
    ----------
    whole : DataFrame
        ``row`` (position), ``id`` (text), ``stratum``, ``probability`` to be drawn, and ``flagged``, if the plan knows
        it: one line a drawn row, the first few a random part. Scores are left out, and reviewers see the ids only.
    size : int
        Rows of the scores.
    n_rows, n_flagged : int
        Rows that could be drawn: usually all. Flagged ones among them (None without).
    part : (int, int)
        Which share of how many; (1, 1) is the whole plan.
    design : str
        Fingerprint of all that an estimate rests on; answers to another design are refused.
    """

    whole: pd.DataFrame = field(repr=False)
    size: int
    n_rows: int
    n_flagged: int | None = None
    part: tuple = (1, 1)

    @property  # and not cached: a table can be changed
    def design(self):
        # strata as numbers, since a file, or a spreadsheet that saved it, writes 0.0 in other ways
        whole = self.whole.assign(stratum=pd.factorize(self.whole["stratum"])[0])
        text = whole.to_csv(index=False, float_format="%.9g", lineterminator="\n")
        return "d" + hashlib.sha256(f"{self.size} {self.n_rows} {self.n_flagged}\n{text}".encode()).hexdigest()[:12]

    @property
    def groups(self):
        """Codes of the strata, of flagged and other rows, and of all rows alike: ever coarser."""
        columns = [self.whole[name] for name in ("stratum", "flagged") if name in self.whole]
        return [pd.factorize(column)[0] for column in columns] + [np.zeros(len(self.whole), dtype=int)]

    @property
    def places(self):
        """Lines of ``whole`` that belong to this share."""
        return np.arange(self.part[0] - 1, len(self.whole), self.part[1])

    @property
    def rows(self):
        """Positions of the rows to review, in the order in which they are to be shown."""
        return self.whole["row"].to_numpy()[self.places]

    def __len__(self):
        return self.places.size

    def share(self, i, of):
        """The part of the i-th of some people (1 to ``of``): shares are disjoint, random parts of the sample.

        Raises
        ------
        ValueError
            For a share of a share, or more people than rows.
        """
        if self.part != (1, 1):
            raise ValueError(f"this is share {self.part[0]} of {self.part[1]} already; share the whole plan")
        of = read_whole("of", of, 1, len(self.whole))
        return replace(self, part=(read_whole("i", i, 1, of), of))

    def sheet(self, show=None):
        """What a reviewer gets: ``id``, an empty ``answer``, the columns of ``show``, and the design.

        Parameters
        ----------
        show : DataFrame, shape (n_rows, n_columns), optional
            What to judge by, for all rows of the scores, drawn or not. Leave the scores out.

        Returns
        -------
        DataFrame
            In random order, without strata and probabilities.

        Raises
        ------
        ValueError
            For a column called as one of the sheet's own, or unequal lengths.
        """
        sheet = pd.DataFrame({"id": self.whole["id"].to_numpy()[self.places], "answer": ""})
        if show is not None:
            if taken := [name for name in show.columns if name in SHEET]:
                raise ValueError(f"show has the column {taken[0]!r}, which a review sheet has itself; rename it")
            check_lengths(y_score=self.size, show=len(show))
            sheet = sheet.join(show.iloc[self.rows].reset_index(drop=True))
        return sheet.assign(design=f"{self.design} part {self.part[0]} of {self.part[1]}")

    def save(self, path, show=None):
        """Write ``sheet(show)`` as a CSV file to be filled in: yes, no, skip, or nothing yet.

        A file that is there is never overwritten (FileExistsError). Text that a spreadsheet would take for a formula
        gets an apostrophe in front, which reading takes off again.
        """
        write_sheet(path, self.sheet(show))

    def save_design(self, path):
        """Write what ``read_plan`` needs, in a file for the analyst: it tells strata. Never overwrites."""
        write_sheet(path, self.whole.assign(**{name: getattr(self, name) for name in KEPT}))


def plan(y_score, budget, *, class_size=None, ids=None, flagged=None, threshold=None, seed=0):
    """Draw the rows that an expert should review, to learn precision, recall and class size of a model.

    Strata grow with the guessed class size (``rank_strata``, up to 15 times), and flagged rows are strata of their
    own. A quarter of the reviews goes to the flagged rows, half to what lies below all edges, a quarter between; if
    nothing is flagged, half goes above. Within each of the three Neyman's rule splits.

    Parameters
    ----------
    y_score : array_like, shape (n_rows,)
        Higher where positives are likelier; scores need not be probabilities, nor good.
    budget : int
        Rows to review.
    class_size : float, optional
        Guessed number of positives. By default as many as are flagged, else the sum of probabilities.
    ids : array_like, shape (n_rows,), optional
        A name of each row, none twice; by default its position.
    flagged : array_like of bool, shape (n_rows,), optional
        Rows that the model would act on; some, but not all.
    threshold : float, optional
        Instead of ``flagged``: rows with at least this score.
    seed : int
        Of the draw: the same arguments give the same plan.

    Returns
    -------
    ReviewPlan

    Raises
    ------
    ValueError
        For input out of range, a missing or double id, and scores from which no class size can be guessed.

    Notes
    -----
    Half for the bottom: Neyman's rule would give it less, but the upper end of the class size rests on the thinnest
    rows. Simulated with 200,000 rows, 400 or 2,000 positives and 360 reviews: class size is about 45 % wider if a
    third goes there; precision is known to ± .06 to .09, and to ± .12 to .15 if nothing is reserved for flagged rows.
    Coverage, with hidden kinds of positives and overconfident scores, too: tests/benchmarks/coverage.py.

    Examples
    --------
    From 200,000 scores and 360 reviews to three numbers with intervals; ``answers.csv`` is the sheet, filled in.

    >>> drawn = plan(y_score, 360, threshold=0.5, ids=ids)  # doctest: +SKIP
    >>> drawn.save("answers.csv", claims[["amount", "text"]])  # doctest: +SKIP
    >>> review_report(drawn, "answers.csv")  # doctest: +SKIP
    """
    y_score, dtype = read_scores("y_score", y_score)
    if threshold is not None and flagged is not None:
        raise ValueError("flagged and threshold say the same thing; pass one of them")
    chosen = "flagged" if threshold is None else "threshold"
    if threshold is not None:
        flagged = y_score >= round_to(dtype, check_between("threshold", threshold, -math.inf, math.inf))
    if flagged is not None:
        flagged = read_labels(flagged, name="flagged")
        check_lengths(y_score=y_score.size, flagged=flagged.size)
        if flagged.all() or not flagged.any():
            lot = "every" if flagged.all() else "no"
            raise ValueError(f"{chosen} takes {lot} row; precision and recall need rows of both kinds")
    if ids is not None:
        check_lengths(y_score=y_score.size, ids=read_column("ids", ids).size)
    if class_size is None:
        if flagged is None and (y_score.min() < 0 or y_score.max() > 1):
            raise ValueError("y_score holds no probabilities, and nothing is flagged; pass a guessed class_size")
        class_size = y_score.sum() if flagged is None else flagged.sum()
    stratum = rank_strata(y_score, class_size, edges=EDGES[:-1])
    acted_on = np.zeros(y_score.size, dtype=bool) if flagged is None else flagged
    is_bottom = ~acted_on & (stratum == stratum.max())
    kinds, stratum = np.unique(stratum * 2 + ~acted_on, return_inverse=True)
    rows = np.bincount(stratum)
    bottom, acted_on = (np.bincount(stratum, which) > 0 for which in (is_bottom, acted_on))
    spread = np.sqrt(GUESS * (1 - GUESS))[kinds // 2]
    for group, part in ((bottom, 2.0), (acted_on, 1.0), (~bottom & ~acted_on, 1.0 if acted_on.any() else 2.0)):
        spread[group] *= part / max(np.sum((rows * spread)[group]), 1e-300)
    reviews = neyman_allocation(rows, spread, budget)
    probability = (reviews / rows)[stratum]
    drawn = draw_review_sample(probability, stratum, seed=seed)
    return plan_of(drawn, probability, stratum, ids=ids, flagged=flagged)


def plan_of(rows, probability, stratum=None, *, ids=None, flagged=None):
    """A plan of a sample that is drawn already, in any way with known probabilities.

    Parameters
    ----------
    rows : array_like of int, shape (n_reviews,)
        Positions of the drawn rows, in the order in which they are to be shown: a random one.
    probability : array_like, shape (n_rows,)
        Inclusion probability of every row that could be drawn, 0 for rows that could not.
    stratum : array_like, shape (n_rows,), optional
        Stratum of every row, none missing.
    ids, flagged
        As in ``plan``.

    Returns
    -------
    ReviewPlan

    Raises
    ------
    ValueError
        For unequal lengths, probabilities out of range, a missing stratum, a row that is drawn twice or could not be
        drawn, a missing or double id, and probabilities that do not add up to the drawn rows.
    """
    rows = read_column("rows", rows)
    probability = read_probabilities("probability", probability)
    stratum = np.zeros(probability.size, dtype=int) if stratum is None else stratum
    in_strata, stratum = read_strata(stratum), np.asarray(stratum)
    check_lengths(probability=probability.size, stratum=in_strata.size)
    if np.unique(rows).size < rows.size:
        raise ValueError("rows holds a row twice; each is reviewed once")
    last = probability.size - 1
    if rows.dtype.kind not in "iu":
        raise ValueError(f"rows must be positions from 0 to {last}, got dtype {rows.dtype}")
    if rows.min() < 0 or rows.max() > last:
        raise ValueError(f"rows must be positions from 0 to {last}, got {rows.min()} to {rows.max()}")
    if not np.all(probability[rows] > 0):
        row = rows[np.argmin(probability[rows])]
        raise ValueError(f"row {row} has probability 0, so it cannot have been drawn")
    if abs(probability.sum() - rows.size) > 0.01:
        raise ValueError(f"probability adds up to {probability.sum():g}, but rows holds {rows.size} drawn rows")
    names = rows if ids is None else _read_ids(ids, probability.size)[rows]
    stratum = pd.Series(stratum[rows])
    if not np.array_equal(pd.factorize(stratum)[0], pd.factorize(stratum.astype(str))[0]):
        stratum = in_strata[rows]  # 1 and "1" are two strata, and would be one in a file
    whole = pd.DataFrame({"row": rows, "id": [str(name) for name in names], "stratum": stratum})
    if not whole["id"].is_unique:
        raise ValueError("ids are not distinct once they are written as text")
    whole["probability"] = probability[rows]
    n_flagged = None
    if flagged is not None:
        flagged = read_labels(flagged, name="flagged")
        check_lengths(probability=probability.size, flagged=flagged.size)
        whole["flagged"], n_flagged = flagged[rows], int(np.sum(flagged & (probability > 0)))
    return ReviewPlan(whole, probability.size, int(np.sum(probability > 0)), n_flagged)


def read_plan(path):
    """A plan that was saved with ``save_design``.

    Raises
    ------
    ValueError
        If the file is none, or was changed since.
    """
    table = read_sheet(path)
    wanted = ["row", "id", "stratum", "probability", *KEPT]
    if not {*wanted} <= {*table} or table.empty:
        raise ValueError(f"{path} is no plan: it must hold the columns {', '.join(wanted)}")
    *counts, design = table.loc[0, KEPT]
    whole = table[[name for name in [*wanted[:4], "flagged"] if name in table]].copy()
    try:
        whole["row"] = whole["row"].astype(int)
        # a spreadsheet may have written 0.25 as 0,25, and True as TRUE
        whole["probability"] = whole["probability"].str.replace(",", ".").astype(float)
        read = ReviewPlan(whole, *(int(count) if count else None for count in counts))
    except ValueError as error:
        raise ValueError(f"{path} is no plan: {error}") from None
    if "flagged" in whole:
        whole["flagged"] = whole["flagged"].str.lower() == "true"
    if read.design != design:
        raise ValueError(f"{path} was changed since it was saved: its design is {read.design}, not {design}")
    return read


def pooled(plan, *answers):
    """What all reviewers said about the rows of the whole plan.

    Parameters
    ----------
    plan : ReviewPlan
        The whole, or a share.
    *answers : path, DataFrame, ReviewLog, or array_like of bool
        Filled-in sheets, of the whole plan or of some shares, rows in any order; or a label for each of ``plan.rows``.

    Returns
    -------
    DataFrame
        ``id`` and ``answer``: yes, no, skip, or empty for rows that nobody came to. Rows of a sheet that are open
        before its last answer count as skipped.

    Raises
    ------
    ValueError
        For a sheet of another design, an id that is no part of it or is there twice, an answer that is none, and
        rows that are answered yes and no.
    """
    if not answers:
        raise ValueError("pooled needs at least one sheet of answers")
    said = np.full(len(plan.whole), "", dtype=object)
    for places, words in (read_answers(plan, each) for each in answers):
        seen = np.flatnonzero(words != "")
        before = np.arange(words.size) < (seen[-1] if seen.size else 0)
        words = np.where(before & (words == ""), "skip", words)
        old = said[places]
        if (clash := np.isin(old, ("yes", "no")) & np.isin(words, ("yes", "no")) & (old != words)).any():
            first = plan.whole["id"].iloc[places[np.argmax(clash)]]
            raise ValueError(
                f"{clash.sum()} rows have both answers, first id {first!r}; settle them (see compare_reviewers)"
            )
        weaker = (words == "") | ((words == "skip") & (old != ""))
        said[places] = np.where(weaker, old, words)
    return pd.DataFrame({"id": plan.whole["id"], "answer": said})


def read_answers(plan, answers):
    """Lines of the whole plan that one sheet is about, in their order, and the answer to each (see ``pooled``)."""
    if isinstance(answers, str | os.PathLike):
        try:
            return read_answers(plan, read_sheet(answers))
        except ValueError as error:
            raise ValueError(f"{answers}: {error}") from None
    answers = getattr(answers, "log", answers)
    if not isinstance(answers, pd.DataFrame):
        labels = read_labels(answers, name="answers")
        check_lengths(plan=len(plan), answers=labels.size)
        return plan.places, np.where(labels, "yes", "no").astype(object)
    answers = with_sheet_columns(answers)
    designs = answers["design"].astype(str)
    design = re.fullmatch(r"(\w+) part (\d+) of (\d+)", designs.mode().iloc[0]) if len(designs) else None
    if not design or design[1] != plan.design:
        names = ", ".join(designs.unique()[:3]) or "none"
        raise ValueError(f"the answers are to another design ({names}), not to {plan.design}")
    if (others := designs != design[0]).any():
        first = answers[others].iloc[0]
        raise ValueError(
            f"line {np.argmax(others) + 1} below the header, with id {first['id']!r}, is to another design than the "
            f"others ({first['design'] or 'none'}): delete what is no row of the sheet, and pass each part by itself"
        )
    places = replace(plan, part=(1, 1)).share(int(design[2]), int(design[3])).places
    ids = answers["id"].astype(str)
    where = pd.Index(plan.whole["id"].iloc[places]).get_indexer(ids)
    if (where < 0).any():
        first = ids.iloc[np.argmin(where)]
        zeros = [name for name in plan.whole["id"].iloc[places] if name.lstrip("0") == first != name]
        hint = f"; a spreadsheet has made it of {zeros[0]!r}: format its column as text" if zeros else ""
        raise ValueError(f"id {first!r} is no row of this part of the plan{hint}")
    if ids.duplicated().any():
        raise ValueError(f"id {ids[ids.duplicated()].iloc[0]!r} is there twice; one answer a row is needed")
    raw = ["" if pd.isna(each) else str(each).strip() for each in answers["answer"]]
    for name, word in zip(ids, raw, strict=True):
        if word.lower() not in WORDS:
            raise ValueError(f"answer must be yes, no, skip or empty, got {word!r} for id {name!r}")
    words = np.full(places.size, "", dtype=object)
    words[where] = [WORDS[word.lower()] for word in raw]
    return places, words


def with_sheet_columns(table):
    """The table with a sheet's own columns named as they should be, should somebody have written Answer or ID."""
    names = list(table.columns)
    for name in SHEET:
        places = [i for i, given in enumerate(names) if given == name]
        places = places or [i for i, given in enumerate(names) if str(given).strip().lower() == name]
        if len(places) != 1:
            needed = f"a sheet of answers needs the columns {', '.join(SHEET)}"
            raise ValueError(f"{needed}; {name!r} {f'is there {len(places)} times' if places else 'is missing'}")
        names[places[0]] = name
    return table.set_axis(names, axis=1)


def review_report(plan, *answers, confidence=0.95):
    """Precision, recall and class size from the answers to a plan, with intervals.

    Parameters
    ----------
    plan : ReviewPlan
        As drawn, or read by ``read_plan``.
    *answers
        As in ``pooled``.
    confidence : float
        Nominal level of each interval (between 0 and 1).

    Returns
    -------
    DataFrame
        ``estimate``, ``low``, ``high``, and the ``reviews`` and ``skipped`` rows that it rests on. Lines: ``class
        size`` (positives among all rows), and, if the plan knows the flagged rows, ``precision``, ``recall``, and
        ``missed`` (positives that are not flagged).

    Raises
    ------
    ValueError
        As ``pooled``; for less than two answers, or a level out of range.

    Notes
    -----
    Rows that nobody came to, and shares that did not come back, are a random part of the sample, whatever they hold:
    the others stand for them, stratum by stratum if each has two answers, else flagged and other rows, else all alike.
    Skipped rows are not random. ``estimate`` takes them for rows like the answered ones, which nobody knows;
    ``low`` and ``high`` hold whatever they are, as yes and as no.

    The ends are ``horvitz_thompson``'s and ``reviewed_recall``'s; coverage is simulated in
    tests/benchmarks/coverage.py. If the flagged rows are whole strata, as ``plan`` makes them, no flagged row is looked
    for in other strata; else every stratum may hold some, and the intervals of precision and recall are wider.

    They are about what the reviewers would say of all rows. If they miss a share ``m`` of the positives and say yes to
    a share ``w`` of the negatives, they say (1 - m) N + w (n_rows - N) instead of N;
    ``prevalence.adjusted_count`` takes that back for rates that are known.
    """
    said = pooled(plan, *answers)["answer"].to_numpy()
    check_between("confidence", confidence, 0, 1)
    known = plan.n_flagged is not None
    flagged = plan.whole["flagged"].to_numpy(dtype=bool) if known else None
    found = {"class size": (estimate_positives(plan, said, confidence=confidence), said != "")}
    if known:

        def total(within, size, skipped=None):
            one = estimate_positives(plan, said, within=within, skipped=skipped, confidence=confidence)
            most = size if not np.any(within & (said == "no")) else np.minimum(one.high, size)
            return one._replace(high=float(most))

        parts = (flagged, plan.n_flagged), (~flagged, plan.n_rows - plan.n_flagged)
        hit, missed = (total(*part) for part in parts)
        worst, best = (
            recall_between(
                total(*parts[0], skipped=says),
                total(*parts[1], skipped=not says),
                correlation=_correlation(plan, said, flagged, skipped=np.where(flagged, says, not says)),
            )
            for says in (False, True)
        )
        estimates = [min(hit.total / plan.n_flagged, 1.0), 0, hit.low / plan.n_flagged, hit.high / plan.n_flagged]
        found["precision"] = ReviewEstimate(*estimates), flagged
        found["recall"] = ReviewEstimate(recall_between(hit, missed)[0], 0, worst[1], best[2]), said != ""
        found["missed"] = missed, ~flagged
    lines = {
        name: [one.total, one.low, one.high, np.sum(of & np.isin(said, ("yes", "no"))), np.sum(of & (said == "skip"))]
        for name, (one, of) in found.items()
    }
    return pd.DataFrame.from_dict(lines, orient="index", columns=["estimate", "low", "high", "reviews", "skipped"])


def estimate_positives(plan, said, *, within=None, skipped=None, confidence=0.95):
    """Positives among all rows, or those ``within`` (bool, a value for each drawn row), as a ReviewEstimate.

    ``said`` is the column ``answer`` of ``pooled``. Skipped rows count as yes (True) or no (False); by default the
    estimate leaves them out, and the interval holds both.
    """
    yes, answered = said == "yes", np.isin(said, ("yes", "no"))
    if skipped is not None:
        return _estimate(plan, yes | (said == "skip") & skipped, said != "", within, confidence)
    if answered.sum() < 2:
        raise ValueError(f"an estimate needs two answers, yes or no; there are {answered.sum()}")
    least, most = (
        _estimate(plan, yes | (said == "skip") & says, said != "", within, confidence) for says in (False, True)
    )
    return _estimate(plan, yes, answered, within, confidence)._replace(low=least.low, high=most.high)


def _estimate(plan, yes, seen, within, confidence):
    """Horvitz-Thompson from a random part of the drawn rows: in each stratum those stand for the others, too."""
    codes, probability, strata = _reviewed_design(plan, seen)
    reached = None if within is None else _reached(plan, codes, within)
    within = np.ones(yes.size, dtype=bool) if within is None else within
    return estimate_total(yes[seen], probability, plan.n_rows, strata, within[seen], confidence, reached=reached)


def _correlation(plan, said, flagged, skipped):
    """Correlation of the two totals of ``recall_between``, if skipped rows are such."""
    seen, yes = said != "", (said == "yes") | (said == "skip") & skipped
    _, probability, strata = _reviewed_design(plan, seen)
    return correlation_of_totals(yes[seen], probability, strata, flagged[seen])


def _reviewed_design(plan, seen):
    """The finest strata with two reviews each, and the probabilities and positions of the reviewed rows in them."""
    for codes in plan.groups:
        drawn, done = np.bincount(codes), np.bincount(codes, seen)
        if np.all(done >= np.minimum(drawn, 2)):
            break
    probability = (plan.whole["probability"].to_numpy() * (done / drawn)[codes])[seen]
    return codes, probability, [np.flatnonzero(codes[seen] == each) for each in range(drawn.size)]


def _reached(plan, codes, within):
    """Which strata may hold such rows, if the flagged rows are whole strata, and these are they or all others."""
    if plan.n_flagged is None:
        return None
    flagged = plan.whole["flagged"].to_numpy(dtype=bool)
    # no stratum holds both kinds among the drawn rows, and those of flagged rows are as many rows as are flagged
    whole = np.unique(np.stack([codes, flagged]), axis=1).shape[1] == codes.max() + 1
    whole &= abs(np.sum(1 / plan.whole["probability"][flagged]) - plan.n_flagged) < 0.5
    whole &= np.all(within == flagged) or np.all(within != flagged)
    return np.bincount(codes, within) > 0 if whole else None


class Comparison(NamedTuple):
    """Where reviewers of the same rows differ, and what that does to the class size: see ``compare_reviewers``."""

    disagreements: pd.DataFrame
    agreement: pd.DataFrame
    class_size: pd.DataFrame


def compare_reviewers(plan, *reviewers, confidence=0.95):
    """Two or more reviewers of the same rows: which to settle first, how far they agree, and whether N hangs on it.

    Parameters
    ----------
    plan : ReviewPlan
        As drawn, or read by ``read_plan``.
    *reviewers
        The answers of each, as in ``pooled``. Only rows that all have answered are compared.
    confidence : float
        Nominal level of the intervals (between 0 and 1).

    Returns
    -------
    disagreements : DataFrame
        ``id``, what each said, and ``weight``: rows that the row stands for. Heaviest first: settle those first.
    agreement : DataFrame
        ``agree`` (share) and ``kappa`` (beyond chance) of the reviewed rows, and of all rows, where each counts its
        weight: a few heavy rows may then decide. Means over the pairs of reviewers; kappa is nan if a pair said the
        same of every row. Agreement is not truth: both may miss the same positives.
    class_size : DataFrame
        ``estimate``, ``low`` and ``high`` by each reviewer, if a yes of all counts, and if a yes of one does.

    Raises
    ------
    ValueError
        As ``pooled``; for less than two reviewers, or less than two rows that all have answered.

    References
    ----------
    Cohen (1960), Educational and Psychological Measurement 20(1), 37-46.
    Light (1971), Psychological Bulletin 76(5), 365-377 (the mean over pairs).
    """
    if len(reviewers) < 2:
        raise ValueError("compare_reviewers needs the answers of at least two reviewers")
    from sklearn.metrics import cohen_kappa_score

    names = [f"reviewer {i}" for i in range(1, len(reviewers) + 1)]
    said = np.array([pooled(plan, each)["answer"] for each in reviewers], dtype=object)
    common = np.all(np.isin(said, ("yes", "no")), axis=0)
    if common.sum() < 2:
        raise ValueError(f"all reviewers have answered {common.sum()} rows in common; two are needed")
    table = plan.whole[["id"]].assign(**dict(zip(names, said, strict=True)), weight=1 / plan.whole["probability"])
    differ = common & (said != said[0]).any(axis=0)
    pairs = list(itertools.combinations(said[:, common].astype(str), 2))
    agreement = {}
    for name, weights in (("reviewed rows", None), ("all rows", table["weight"][common])):
        kappas = [
            cohen_kappa_score(one, other, sample_weight=weights) if len({*one, *other}) > 1 else math.nan
            for one, other in pairs
        ]
        agree = np.mean([np.average(one == other, weights=weights) for one, other in pairs])
        agreement[name] = {"agree": agree, "kappa": np.mean(kappas)}
    readings = dict(zip(names, said, strict=True))
    for name, yes in (("all say yes", np.all(said == "yes", axis=0)), ("one says yes", np.any(said == "yes", axis=0))):
        readings[name] = np.where(yes, "yes", "no")
    sizes = {}
    for name, words in readings.items():
        words = np.where(common, words, np.where((said == "").any(axis=0), "", "skip"))
        sizes[name] = estimate_positives(plan, words, confidence=confidence)
    return Comparison(
        table[differ].sort_values("weight", ascending=False, kind="stable", ignore_index=True),
        pd.DataFrame.from_dict(agreement, orient="index"),
        pd.DataFrame.from_dict(sizes, orient="index", columns=ReviewEstimate._fields).drop(columns="sd"),
    )


def _read_ids(ids, n_rows):
    """The ids of all rows, none missing, none twice."""
    column = pd.Index(read_column("ids", ids))
    check_lengths(probability=n_rows, ids=column.size)
    if column.hasnans:
        raise ValueError(f"ids is missing at position {int(np.argmax(column.isna()))}; every row needs one")
    if not column.is_unique:
        raise ValueError(f"ids holds {column[column.duplicated()][0]!r} twice; each row needs an id of its own")
    return column.to_numpy()
