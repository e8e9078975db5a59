"""What rows with labels and scores are handed out as."""

from typing import NamedTuple

import numpy as np

from evalteach._inputs import check_choice


class Scored(NamedTuple):
    """Labels and scores of one classifier on one set of rows, each of shape (n_rows,)."""

    y_true: np.ndarray
    y_score: np.ndarray

    @property
    def positives(self):
        """Scores of the positive rows."""
        return self.y_score[self.y_true]

    @property
    def negatives(self):
        """Scores of the negative rows."""
        return self.y_score[~self.y_true]


class OneClass(NamedTuple):
    """One class of a partly labeled model against all others, each part a :class:`Scored`."""

    test: Scored
    unlabeled: Scored


class PartlyLabeled(NamedTuple):
    """A model that learned some classes, scored on a labeled test set and on rows of all classes.

    ``test_labels`` and ``unlabeled_labels`` are the true classes (the latter kept back as the truth to
    compare with); the scores have shape (n_rows, n_classes), one column for each of ``classes``.
    """

    classes: tuple
    test_labels: np.ndarray
    test_scores: np.ndarray
    unlabeled_labels: np.ndarray
    unlabeled_scores: np.ndarray

    def of(self, label):
        """One class against all others.

        Parameters
        ----------
        label : int or str
            One of ``classes``.

        Returns
        -------
        OneClass
            ``test`` and ``unlabeled``: whether each row is of the class, and its score for it.
        """
        check_choice("label", label, self.classes)
        column = self.classes.index(label)
        test = Scored(self.test_labels == label, self.test_scores[:, column])
        return OneClass(test, Scored(self.unlabeled_labels == label, self.unlabeled_scores[:, column]))
