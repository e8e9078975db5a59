"""What the answers to a plan say: precision, recall and class size, with intervals."""

import os
import re
from dataclasses import replace

import numpy as np
import pandas as pd

from evalteach._inputs import check_between, check_lengths, read_labels
from evalteach.reviews.estimates import ReviewEstimate, estimate_total, recall_between
from evalteach.reviews.intervals import correlation_of_totals
from evalteach.reviews.sheets import SHEET, read_sheet

WORDS = {"yes": "yes", "y": "yes", "true": "yes", "1": "yes", "1.0": "yes", "skip": "skip", "": ""}
WORDS |= {"no": "no", "n": "no", "false": "no", "0": "no", "0.0": "no"}


def pooled(plan, *answers):
    """What all reviewers replies about the rows of the whole plan.

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
    replies = np.full(len(plan.whole), "", dtype=object)
    for places, words in (read_answers(plan, sheet) for sheet in answers):
        seen = np.flatnonzero(words != "")
        before = np.arange(words.size) < (seen[-1] if seen.size else 0)
        words = np.where(before & (words == ""), "skip", words)
        old = replies[places]
        if (clash := np.isin(old, ("yes", "no")) & np.isin(words, ("yes", "no")) & (old != words)).any():
            first = plan.whole["id"].iloc[places[np.argmax(clash)]]
            raise ValueError(f"{clash.sum()} rows have both answers, first id {first!r}; settle them first")
        weaker = (words == "") | ((words == "skip") & (old != ""))
        replies[places] = np.where(weaker, old, words)
    return pd.DataFrame({"id": plan.whole["id"], "answer": replies})


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
    raw = ["" if pd.isna(cell) else str(cell).strip() for cell in answers["answer"]]
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
    replies = pooled(plan, *answers)["answer"].to_numpy()
    check_between("confidence", confidence, 0, 1)
    known = plan.n_flagged is not None
    flagged = plan.whole["flagged"].to_numpy(dtype=bool) if known else None
    estimates = {"class size": (estimate_positives(plan, replies, confidence=confidence), replies != "")}
    if known:

        def total(within, size, skipped=None):
            one = estimate_positives(plan, replies, within=within, skipped=skipped, confidence=confidence)
            most = size if not np.any(within & (replies == "no")) else np.minimum(one.high, size)
            return one._replace(high=float(most))

        parts = (flagged, plan.n_flagged), (~flagged, plan.n_rows - plan.n_flagged)
        hit, missed = (total(*part) for part in parts)
        worst, best = (
            recall_between(
                total(*parts[0], skipped=says),
                total(*parts[1], skipped=not says),
                correlation=_correlation(plan, replies, flagged, skipped=np.where(flagged, says, not says)),
            )
            for says in (False, True)
        )
        values = [min(hit.total / plan.n_flagged, 1.0), 0, hit.low / plan.n_flagged, hit.high / plan.n_flagged]
        estimates["precision"] = ReviewEstimate(*values), flagged
        estimates["recall"] = ReviewEstimate(recall_between(hit, missed)[0], 0, worst[1], best[2]), replies != ""
        estimates["missed"] = missed, ~flagged
    lines = {
        name: [
            one.total,
            one.low,
            one.high,
            np.sum(of & np.isin(replies, ("yes", "no"))),
            np.sum(of & (replies == "skip")),
        ]
        for name, (one, of) in estimates.items()
    }
    return pd.DataFrame.from_dict(lines, orient="index", columns=["estimate", "low", "high", "reviews", "skipped"])


def estimate_positives(plan, replies, *, within=None, skipped=None, confidence=0.95):
    """Positives among all rows, or those ``within`` (bool, a value for each drawn row), as a ReviewEstimate.

    ``replies`` is the column ``answer`` of ``pooled``. Skipped rows count as yes (True) or no (False); by default the
    estimate leaves them out, and the interval holds both.
    """
    yes, answered = replies == "yes", np.isin(replies, ("yes", "no"))
    if skipped is not None:
        return _estimate(plan, yes | (replies == "skip") & skipped, replies != "", within, confidence)
    if answered.sum() < 2:
        raise ValueError(f"an estimate needs two answers, yes or no; there are {answered.sum()}")
    least, most = (
        _estimate(plan, yes | (replies == "skip") & says, replies != "", within, confidence) for says in (False, True)
    )
    return _estimate(plan, yes, answered, within, confidence)._replace(low=least.low, high=most.high)


def _estimate(plan, yes, seen, within, confidence):
    """Horvitz-Thompson from a random part of the drawn rows: in each stratum those stand for the others, too."""
    codes, probability, strata = _reviewed_design(plan, seen)
    reached = None if within is None else _reached(plan, codes, within)
    within = np.ones(yes.size, dtype=bool) if within is None else within
    return estimate_total(
        yes[seen], probability, plan.n_rows, strata, within[seen], confidence=confidence, reached=reached
    )


def _correlation(plan, replies, flagged, skipped):
    """Correlation of the two totals of ``recall_between``, if skipped rows are such."""
    seen, yes = replies != "", (replies == "yes") | (replies == "skip") & skipped
    _, probability, strata = _reviewed_design(plan, seen)
    return correlation_of_totals(yes[seen], probability, strata, flagged[seen])


def _reviewed_design(plan, seen):
    """The finest strata with two reviews each, and the probabilities and positions of the reviewed rows in them."""
    for codes in plan.groups:
        drawn, done = np.bincount(codes), np.bincount(codes, seen)
        if np.all(done >= np.minimum(drawn, 2)):
            break
    probability = (plan.whole["probability"].to_numpy() * (done / drawn)[codes])[seen]
    return codes, probability, [np.flatnonzero(codes[seen] == code) for code in range(drawn.size)]


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
