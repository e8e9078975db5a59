"""Review rows by hand: one row or picture at a time, yes or no, and what the answers say so far."""

import base64
import html
import io
import os

import ipywidgets as ipw
import numpy as np
import pandas as pd
from PIL import Image

from evalteach._inputs import check_between, check_lengths
from evalteach.explorers.engine.base import Picture, in_place
from evalteach.reviews.answers import estimate_positives, pooled, read_answers, with_sheet_columns
from evalteach.reviews.plan import ReviewPlan, plan_of
from evalteach.reviews.sheets import read_sheet, write_sheet

PIXELS = 224


class ReviewLog:
    """Shows the drawn rows one by one, keeps what the reviewer says, and estimates as it goes.

    Scores and strata are kept from the reviewer on purpose: who sees a score of 0.99 sees a nine.

    Parameters
    ----------
    show : DataFrame, array_like of text, or array_like of shape (n_rows, height, width)
        What to judge by, for all rows, drawn or not: columns, texts, or pictures as grey values, 0 (paper) upwards.
    rows : ReviewPlan, or array_like of int, shape (n_reviews,)
        A plan or a share of one; or the drawn rows, as in ``plan_of``.
    probability, stratum : array_like, shape (n_rows,), optional
        As in ``plan_of``; for a plan they are known.
    path : path, optional
        CSV file to keep the answers in after each: resumed if it is there, made if not. Without it nothing is saved.
    question : str
        To be answered with yes or no.
    confidence : float
        Level of the interval.

    Attributes
    ----------
    plan : ReviewPlan
        What was drawn.
    log : DataFrame
        ``id``, ``answer`` (yes, no, skip, or empty) and ``design``, one line a drawn row, for ``review_report``.
    view : ipywidgets.VBox
        The widget.

    Raises
    ------
    ValueError
        As ``plan_of``; for unequal lengths, pictures that are not finite, a level out of range, and a file of another
        design.
    """

    def __init__(
        self, show, rows, probability=None, stratum=None, *, path=None, question="Is it positive?", confidence=0.95
    ):
        self.plan = rows if isinstance(rows, ReviewPlan) else plan_of(rows, probability, stratum)
        self.confidence, self.question = check_between("confidence", confidence, 0, 1), question
        self.show, self.kind = _read_show(show)
        check_lengths(show=len(self.show), probability=self.plan.size)
        self.log = self.plan.sheet()
        # the file behind a link, also after os.chdir
        self.path = path = None if path is None else os.path.realpath(path)
        self._others, self._written, self._trouble = None, None, ""
        self.picture = Picture(format="png", layout={"width": f"{PIXELS}px", "height": f"{PIXELS}px"})
        self.asked, self.sentence = ipw.HTML(), ipw.HTML(layout={"max_width": "900px"})
        self.table = ipw.HTML(layout={"height": "260px", "overflow": "auto", "max_width": "900px"})
        self.yes, self.no, self.later, self.back = (
            ipw.Button(description=name, tooltip=tooltip, layout={"width": "90px"})
            for name, tooltip in (
                ("yes", question),
                ("no", question),
                ("skip", "Leave this one open: the interval then holds both answers"),
                ("back", "Answer the one before again, at the end the last skipped one"),
            )
        )
        self.yes.on_click(lambda _: self.answer(True))
        self.no.on_click(lambda _: self.answer(False))
        self.later.on_click(lambda _: self.skip())
        self.back.on_click(lambda _: self.step_back())
        buttons = ipw.HBox([self.yes, self.no, self.later, self.back])
        shown = self.picture if self.kind == "pictures" else self.table
        # the buttons stay where they are, whatever is shown
        self.view = ipw.VBox([self.asked, buttons, self.sentence, shown])
        if path is not None and os.path.exists(path):
            self.resume(path)
            self._others = with_sheet_columns(read_sheet(path)).drop(columns=["answer", "design"])
            self._written = os.stat(path)
        elif path is not None:
            self.save(path)
            self._written = os.stat(path)
        self._show()

    @property
    def answered(self):
        """Drawn rows that are answered with yes or no."""
        return int(self.log["answer"].isin(["yes", "no"]).sum())

    @property
    def place(self):
        """Line of the first open row, or the number of rows."""
        return int(np.argmax(np.append(self.log["answer"] == "", True)))

    def answer(self, labels):
        """Answer the next open row, or the next few.

        Parameters
        ----------
        labels : bool or array_like of bool
            Yes (True) or no.

        Raises
        ------
        ValueError
            If there are more labels than open rows, or one is neither yes nor no.
        """
        labels = np.atleast_1d(np.asarray(labels))
        left = np.flatnonzero(self.log["answer"] == "")
        if labels.ndim != 1 or not set(labels.tolist()) <= {0, 1}:
            raise ValueError(f"labels must be True or False, one or a column of them, got {labels.tolist()[:5]}")
        if labels.size > left.size:
            raise ValueError(f"labels holds {labels.size} answers, but {left.size} {self.kind} are left")
        self._set(left[: labels.size], np.where(labels, "yes", "no"))

    def skip(self):
        """Leave the next open row without an answer. Estimates then hold whatever it is; so skip rarely."""
        if self.place < len(self.log):
            self._set(self.place, "skip")

    def step_back(self):
        """Take the answer before the open row back; when all are seen, the last skipped one."""
        skipped = np.flatnonzero(self.log["answer"] == "skip")
        again = skipped[-1] if self.place == len(self.log) and skipped.size else self.place - 1
        self._set(max(again, 0), "")

    def save(self, path):
        """Write the log as a CSV file; a file that is there is never overwritten.

        Raises
        ------
        FileExistsError
            If there is one.
        """
        write_sheet(path, self.log)

    def resume(self, log):
        """Take over the answers of an earlier log of the same rows, in any order.

        Parameters
        ----------
        log : DataFrame or path
            As in ``log``, or as written by ``save`` or ``ReviewPlan.save``.

        Raises
        ------
        ValueError
            If it is a log of other rows or of another design, or holds answers that are none.
        """
        places, words = read_answers(self.plan, log)
        if not np.array_equal(places, self.plan.places):
            raise ValueError("the log is that of another share of the plan")
        self._set(slice(None), words)

    def estimate(self):
        """Positives among all rows that could be drawn, from the answers so far.

        Returns
        -------
        ReviewEstimate or None
            None before two answers. An unfinished log is a random part of the sample; skipped rows are not, see
            ``review_report``.
        """
        if self.answered < 2:
            return None
        said = pooled(self.plan, self.log)["answer"].to_numpy()
        return estimate_positives(self.plan, said, confidence=self.confidence)

    def _set(self, places, words):
        self.log.loc[self.log.index[places], "answer"] = words
        self._keep()
        self._show()

    def _keep(self):
        """Save, if there is a file and nobody else has changed it; what fails is said in the sentence."""
        if self._written is None:
            return
        try:
            now = os.stat(self.path)
            if (now.st_mtime_ns, now.st_size) != (self._written.st_mtime_ns, self._written.st_size):
                raise OSError("the file was changed by somebody else")
            table = self.log if self._others is None else self.log.merge(self._others, on="id", how="left")
            write_sheet(self.path, table, over=True)
            self._written, self._trouble = os.stat(self.path), ""
        except OSError as error:
            self._trouble = f" Not saved ({error}): save the log under another name."

    def _show(self):
        finished, place = self.place == len(self.log), self.place
        number = min(place, len(self.log) - 1)
        where, row = f"{self.kind[:-1].capitalize()} {number + 1} of {len(self.log)}", self.plan.rows[number]
        said = "All are answered." if self.answered == len(self.log) else "All are seen." if finished else self.question
        self.asked.value = f"<b>{where}.</b> {html.escape(said)}"
        if self.kind == "pictures":
            height, width = self.show.shape[1:]
            self.picture.value = _enlarged(self.show[row])
            self.picture.tooltip = f"{where}, enlarged from {width} by {height} pixels"
        else:
            self.table.value = _as_table(self.show.iloc[row])
        self.yes.disabled = self.no.disabled = self.later.disabled = finished
        self.back.disabled = place == 0
        self.sentence.value = in_place(html.escape(repr(self)))

    def __repr__(self):
        estimate, skipped = self.estimate(), int((self.log["answer"] == "skip").sum())
        said = f"{self.answered:,} of {len(self.log):,} {self.kind} reviewed"
        said += f", {skipped:,} skipped" if skipped else ""
        if estimate is None:
            return f"{said}: no estimate before the second answer.{self._trouble}"
        share, _, lowest, highest = np.array(estimate) / self.plan.n_rows
        return (
            f"{said}, {int((self.log['answer'] == 'yes').sum()):,} labeled positive: about {estimate.total:.0f} of "
            f"{self.plan.n_rows:,} rows ({share:.3f}), with {100 * self.confidence:g}% confidence between "
            f"{estimate.low:.0f} and {estimate.high:.0f} ({lowest:.3f} to {highest:.3f}).{self._trouble}"
        )

    def _repr_mimebundle_(self, include=None, exclude=None, **kwargs):
        bundle = self.view._repr_mimebundle_(include=include, exclude=exclude, **kwargs)
        bundle = dict(bundle[0] if isinstance(bundle, tuple) else bundle)
        bundle["text/plain"] = repr(self)
        if self.kind != "pictures":
            return bundle, {}
        bundle["image/png"] = base64.b64encode(self.picture.value).decode()
        return bundle, {"image/png": {"alt": f"{self.picture.tooltip}. {self!r}"}}


def _read_show(show):
    """What is shown, as a DataFrame or as finite pictures, and what it is called."""
    if isinstance(show, pd.DataFrame):
        return show, "rows"
    show = np.asarray(show)
    if show.ndim == 1:
        return pd.DataFrame({"text": show}), "texts"
    if show.ndim != 3:
        raise ValueError(f"show must be a table, texts, or pictures with three dimensions, got shape {show.shape}")
    show = show.astype(float)
    if not np.isfinite(show).all():
        raise ValueError("pictures must be finite grey values, got nan or inf")
    return show, "pictures"


def _as_table(row):
    """Column names and values of one row, as they are: nothing in them is HTML."""
    style = "text-align: left; vertical-align: top; padding: 2px 12px 2px 0; line-height: 1.4; white-space: pre-wrap"
    lines = (
        f'<tr><th scope="row" style="{style}">{html.escape(str(name))}</th>'
        f'<td style="{style}">{html.escape(str(value))}</td></tr>'
        for name, value in row.items()
    )
    return f"<table>{''.join(lines)}</table>"


def _enlarged(picture):
    """Ink on paper, as a PNG; smoothed, since an eye reads a blur better than blocks."""
    grey = 255 - 255 * np.pad(picture, 1) / (picture.max() or 1)
    png = io.BytesIO()
    image = Image.fromarray(grey.astype(np.uint8))
    image.resize((PIXELS, PIXELS), Image.Resampling.BICUBIC).quantize(32).save(png, "png", optimize=True)
    return png.getvalue()
