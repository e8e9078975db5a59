"""Review rows by hand: one picture at a time, two answers, and what they say so far."""

import base64
import html
import io

import ipywidgets as ipw
import numpy as np
import pandas as pd
from PIL import Image

from evalteach._inputs import check_between, check_lengths, read_column, read_probabilities, read_strata
from evalteach.explorers.base import Picture, in_place
from evalteach.review import estimate_total, horvitz_thompson

PIXELS = 224


class ReviewLog:
    """Shows the drawn pictures one by one, keeps what the reviewer says, and estimates as it goes.

    Scores and strata are kept from the reviewer on purpose: who sees a score of 0.99 sees a nine.

    Parameters
    ----------
    pictures : array_like, shape (n_rows, height, width)
        Grey values of all rows, 0 (paper) upwards.
    rows : array_like of int, shape (n_reviews,)
        Positions of the drawn rows, in the order in which they are to be shown: a random one.
    probability : array_like, shape (n_rows,)
        Inclusion probability of every row that could be drawn, 0 for rows that could not.
    stratum : array_like, shape (n_rows,), optional
        Stratum of every row, none missing.
    question : str
        To be answered with yes or no.
    confidence : float
        Level of the interval.

    Attributes
    ----------
    log : DataFrame
        ``row``, ``probability``, ``stratum`` and ``label`` (True, False, or missing), one line a drawn row.
    view : ipywidgets.VBox
        The widget.

    Raises
    ------
    ValueError
        For unequal lengths, pictures that are not finite, probabilities or a level out of range, a missing stratum,
        a row that is drawn twice or could not be drawn, and probabilities that do not add up to the drawn rows.
    """

    def __init__(self, pictures, rows, probability, stratum=None, *, question="Is it positive?", confidence=0.95):
        self.pictures = np.asarray(pictures, dtype=float)
        if self.pictures.ndim != 3:
            raise ValueError(f"pictures must have three dimensions, got shape {self.pictures.shape}")
        if not np.isfinite(self.pictures).all():
            raise ValueError("pictures must be finite grey values, got nan or inf")
        rows = read_column("rows", rows)
        probability = read_probabilities("probability", probability)
        confidence = check_between("confidence", confidence, 0, 1)
        stratum = np.zeros(probability.size, dtype=int) if stratum is None else stratum
        in_strata, stratum = read_strata(stratum), np.asarray(stratum)
        check_lengths(pictures=len(self.pictures), probability=probability.size, stratum=in_strata.size)
        if np.unique(rows).size < rows.size:
            raise ValueError("rows holds a row twice; each is reviewed once")
        if rows.dtype.kind not in "iu" or rows.min() < 0 or rows.max() >= probability.size:
            last = probability.size - 1
            raise ValueError(f"rows must be positions from 0 to {last}, got {rows.min()} to {rows.max()}")
        if not np.all(probability[rows] > 0):
            row = rows[np.argmin(probability[rows])]
            raise ValueError(f"row {row} has probability 0, so it cannot have been drawn")
        if abs(probability.sum() - rows.size) > 0.01:
            raise ValueError(f"probability adds up to {probability.sum():g}, but rows holds {rows.size} drawn rows")
        self.question, self.confidence = question, confidence
        self.n_rows = int(np.sum(probability > 0))
        self.log = pd.DataFrame({"row": rows, "probability": probability[rows], "stratum": stratum[rows]})
        self.log["label"] = pd.array([pd.NA] * rows.size, dtype="boolean")
        self.place = 0
        self.picture = Picture(format="png", layout={"width": f"{PIXELS}px", "height": f"{PIXELS}px"})
        self.asked, self.sentence = ipw.HTML(), ipw.HTML(layout={"max_width": "900px"})
        self.yes, self.no, self.back = (
            ipw.Button(description=name, tooltip=tooltip, layout={"width": "90px"})
            for name, tooltip in (("yes", question), ("no", question), ("back", "Answer the one before again"))
        )
        self.yes.on_click(lambda _: self.answer(True))
        self.no.on_click(lambda _: self.answer(False))
        self.back.on_click(lambda _: self.step_back())
        self.view = ipw.VBox([self.asked, self.picture, ipw.HBox([self.yes, self.no, self.back]), self.sentence])
        self._show()

    @property
    def answered(self):
        """Drawn rows that have a label."""
        return int(self.log["label"].notna().sum())

    def answer(self, labels):
        """Answer the next picture, or the next few.

        Parameters
        ----------
        labels : bool or array_like of bool
            Yes (True) or no.

        Raises
        ------
        ValueError
            If there are more labels than pictures left, or one is neither yes nor no.
        """
        labels = np.atleast_1d(np.asarray(labels))
        left = len(self.log) - self.place
        if labels.ndim != 1 or not set(labels.tolist()) <= {0, 1}:
            raise ValueError(f"labels must be True or False, one or a column of them, got {labels.tolist()[:5]}")
        if labels.size > left:
            raise ValueError(f"labels holds {labels.size} answers, but {left} pictures are left")
        self.log.loc[self.place : self.place + labels.size - 1, "label"] = labels.astype(bool)
        self.place += labels.size
        self._show()

    def step_back(self):
        """Go one picture back; its answer is taken back, too."""
        self.place = max(self.place - 1, 0)
        self.log.loc[self.place, "label"] = pd.NA
        self._show()

    def save(self, path):
        """Write the log as a CSV file; a file that is there is never overwritten.

        Raises
        ------
        FileExistsError
            If there is one.
        """
        with open(path, "x", encoding="utf-8", newline="") as file:
            self.log.to_csv(file, index=False)

    def resume(self, log):
        """Take over the answers of an earlier log of the same rows.

        Parameters
        ----------
        log : DataFrame or path
            As in ``log``, or as written by ``save``.

        Raises
        ------
        ValueError
            If it is a log of other rows or of another design, holds labels other than True and False, or has an
            answer after an open one.
        """
        if not isinstance(log, pd.DataFrame):  # a stratum may be called "NA" or "01"
            log = pd.read_csv(log, dtype={"stratum": str}, keep_default_na=False, na_values={"label": [""]})
        if not {*self.log} <= {*log} or log["row"].tolist() != self.log["row"].tolist():
            raise ValueError(f"log must hold the columns {', '.join(self.log)}, for the same rows in the same order")
        if not np.allclose(pd.to_numeric(log["probability"], errors="coerce"), self.log["probability"]):
            raise ValueError("log was drawn with another probability, so its rows stand for other numbers of rows")
        if log["stratum"].astype(str).tolist() != self.log["stratum"].astype(str).tolist():
            raise ValueError("log was drawn in another stratum for some rows")
        try:
            labels = log["label"].astype("boolean")
        except (TypeError, ValueError):
            found = log["label"].dropna().unique().tolist()[:5]
            raise ValueError(f"label must be True or False, or empty for an open row, got {found}") from None
        done = int(labels.notna().sum())
        if labels[:done].isna().any():
            raise ValueError(f"log has answers after an open one, at line {int(labels.isna().argmax())}")
        self.log["label"] = labels.array
        self.place = done
        self._show()

    def estimate(self):
        """Positives among all rows that could be drawn, from the answers so far.

        Returns
        -------
        ReviewEstimate or None
            None before two answers. An unfinished log is a random part of the sample: every probability
            shrinks by the part that is done, and strata are not yet used.
        """
        done = self.log[self.log["label"].notna()]
        if len(done) < 2:
            return None
        labels, probability = done["label"].to_numpy(dtype=bool), done["probability"].to_numpy()
        if len(done) == len(self.log):
            design = {"stratum": done["stratum"].to_numpy(), "confidence": self.confidence}
            return horvitz_thompson(labels, probability, self.n_rows, **design)
        smaller, everywhere = probability * len(done) / len(self.log), np.ones(labels.size, dtype=bool)
        return estimate_total(labels, smaller, self.n_rows, [np.arange(labels.size)], everywhere, self.confidence)

    def _show(self):
        finished = self.place == len(self.log)
        number = min(self.place, len(self.log) - 1)
        where, (height, width) = f"Picture {number + 1} of {len(self.log)}", self.pictures.shape[1:]
        said = "All are answered." if finished else self.question
        self.asked.value = f"<b>{where}.</b> {html.escape(said)}"
        self.picture.value = _enlarged(self.pictures[self.log["row"][number]])
        self.picture.tooltip = f"{where}, enlarged from {width} by {height} pixels"
        self.yes.disabled = self.no.disabled = finished
        self.back.disabled = self.place == 0
        self.sentence.value = in_place(html.escape(repr(self)))

    def __repr__(self):
        estimate, answered = self.estimate(), self.answered
        said = f"{answered:,} of {len(self.log):,} pictures reviewed"
        if estimate is None:
            return f"{said}: no estimate before the second answer."
        share, _, lowest, highest = np.array(estimate) / self.n_rows
        return (
            f"{said}, {int(self.log['label'].sum()):,} said to be positive: about {estimate.total:.0f} of "
            f"{self.n_rows:,} rows ({share:.3f}), with {100 * self.confidence:g} % confidence between "
            f"{estimate.low:.0f} and {estimate.high:.0f} ({lowest:.3f} to {highest:.3f})."
        )

    def _repr_mimebundle_(self, include=None, exclude=None, **kwargs):
        bundle = self.view._repr_mimebundle_(include=include, exclude=exclude, **kwargs)
        bundle = dict(bundle[0] if isinstance(bundle, tuple) else bundle)
        bundle["text/plain"] = repr(self)
        bundle["image/png"] = base64.b64encode(self.picture.value).decode()
        return bundle, {"image/png": {"alt": f"{self.picture.tooltip}. {self!r}"}}


def _enlarged(picture):
    """Ink on paper, as a PNG; smoothed, since an eye reads a blur better than blocks."""
    grey = 255 - 255 * np.pad(picture, 1) / (picture.max() or 1)
    png = io.BytesIO()
    image = Image.fromarray(grey.astype(np.uint8))
    image.resize((PIXELS, PIXELS), Image.Resampling.BICUBIC).quantize(32).save(png, "png", optimize=True)
    return png.getvalue()
