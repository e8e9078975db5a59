"""From scores and a number of reviews to the rows that an expert should see."""

import hashlib
import math
from dataclasses import dataclass, field, replace

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
from evalteach.reviews.designs import EDGES, draw_review_sample, neyman_allocation, rank_strata
from evalteach.reviews.sheets import SHEET, read_sheet, write_sheet

# guessed share of positives between the edges, for a model of some use; a wrong guess costs width, not coverage
GUESS = np.array([0.7, 0.35, 0.06, 0.007, 0.001])
COUNTS_AND_DESIGN = ["size", "n_rows", "n_flagged", "design"]


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
        write_sheet(path, self.whole.assign(**{name: getattr(self, name) for name in COUNTS_AND_DESIGN}))


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
            which = "every" if flagged.all() else "no"
            raise ValueError(f"{chosen} takes {which} row; precision and recall need rows of both kinds")
    if ids is not None:
        check_lengths(y_score=y_score.size, ids=read_column("ids", ids).size)
    if class_size is None:
        if flagged is None and (y_score.min() < 0 or y_score.max() > 1):
            raise ValueError("y_score holds no probabilities, and nothing is flagged; pass a guessed class_size")
        class_size = y_score.sum() if flagged is None else flagged.sum()
    stratum = rank_strata(y_score, class_size, edges=EDGES[:-1])
    acted_on = np.zeros(y_score.size, dtype=bool) if flagged is None else flagged
    group = np.select([acted_on, stratum == stratum.max()], ["flagged", "bottom"], "middle")
    # flagged rows are strata of their own
    cell, first, stratum = np.unique(stratum * 2 + ~acted_on, return_index=True, return_inverse=True)
    rows, group = np.bincount(stratum), group[first]
    spread = np.sqrt(GUESS * (1 - GUESS))[cell // 2]
    quarters = {"flagged": 1, "middle": 1 if acted_on.any() else 2, "bottom": 2}
    for name in np.unique(group):
        spread[group == name] *= quarters[name] / np.sum((rows * spread)[group == name])
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
    columns = ["row", "id", "stratum", "probability", *COUNTS_AND_DESIGN]
    if not {*columns} <= {*table} or table.empty:
        raise ValueError(f"{path} is no plan: it must hold the columns {', '.join(columns)}")
    *counts, design = table.loc[0, COUNTS_AND_DESIGN]
    whole = table[[name for name in [*columns[:4], "flagged"] if name in table]].copy()
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


def _read_ids(ids, n_rows):
    """The ids of all rows, none missing, none twice."""
    column = pd.Index(read_column("ids", ids))
    check_lengths(probability=n_rows, ids=column.size)
    if column.hasnans:
        raise ValueError(f"ids is missing at position {int(np.argmax(column.isna()))}; every row needs one")
    if not column.is_unique:
        raise ValueError(f"ids holds {column[column.duplicated()][0]!r} twice; each row needs an id of its own")
    return column.to_numpy()
