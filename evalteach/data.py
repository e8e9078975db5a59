"""Data for the notebooks: typed-in examples, seeded simulators, scikit-learn's digits, the letters file.

Whatever is drawn at random is drawn from a seed, so the same call gives the same numbers.
"""

import os
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from evalteach._inputs import check_between

LETTERS_FILE = "letter-recognition.data"
LETTERS_URL = "https://archive.ics.uci.edu/ml/machine-learning-databases/letter-recognition/letter-recognition.data"
LETTERS_SHA256 = "2b89f3602cf768d3c8355267d2f13f2417809e101fc2b5ceee10db19a60de6e2"


class Scored(NamedTuple):
    """Labels and scores of one classifier on one set of rows, each of shape (n_rows,)."""

    y_true: np.ndarray
    y_score: np.ndarray


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


def ten_messages():
    """Ten scored messages, four of them spam, as a DataFrame: the running example of counts and rates."""
    return pd.DataFrame(
        {
            "message": [
                "You won a cruise, claim it now",
                "Cheap watches, today only",
                "Your invoice is attached",
                "Unlock your prize in one click",
                "Lunch on Friday?",
                "Your parcel is waiting: pay 1.99",
                "Minutes of Monday's meeting",
                "New comment on your photo",
                "Happy birthday!",
                "Draft of chapter two",
            ],
            "is_spam": [True, True, False, True, False, True, False, False, False, False],
            "score": [0.95, 0.88, 0.81, 0.74, 0.52, 0.47, 0.33, 0.21, 0.12, 0.05],
        }
    )


def eight_screenings():
    """Eight screened patients, scores with ties, as a DataFrame: what a threshold does to equal scores."""
    return pd.DataFrame(
        {
            "is_ill": [True, True, False, True, False, False, True, False],
            "score": [0.9, 0.7, 0.7, 0.7, 0.4, 0.4, 0.4, 0.1],
        }
    )


def two_normals(n_positives, class_ratio, *, separation=2.0, calibration=1.0, seed=0):
    """Scores of a classifier whose two classes are normal with equal spread.

    Parameters
    ----------
    n_positives : int
        Positive rows, at least 1.
    class_ratio : float
        Negatives per positive (> 0); their number is rounded.
    separation : float
        Distance of the two means in standard deviations; 0 is a coin, 3 is good.
    calibration : float
        Slope of the log-odds (> 0): 1 makes the scores the true probabilities at this class ratio,
        above 1 they are overconfident, below 1 too timid. The order of the rows is the same.
    seed : int or list of int
        Of the random numbers.

    Returns
    -------
    Scored
        ``y_true`` (bool) and ``y_score`` (between 0 and 1), positives first.

    Raises
    ------
    ValueError
        For an argument out of range.
    """
    check_between("class_ratio", class_ratio, 0, np.inf)
    check_between("calibration", calibration, 0, np.inf)
    check_between("separation", separation, -np.inf, np.inf)
    n_negatives = round(n_positives * class_ratio)
    if n_positives < 1 or n_positives != int(n_positives) or n_negatives < 1:
        raise ValueError(f"both classes need whole rows, got {n_positives} positives and {n_negatives} negatives")
    y_true = np.arange(n_positives + n_negatives) < n_positives
    place = np.random.default_rng(seed).normal(size=y_true.size) + separation * (y_true - 0.5)
    return Scored(y_true, _sigmoid(calibration * (separation * place - np.log(class_ratio))))


def unseen_negatives(n_positives=100, class_ratio=9, *, unseen_per_positive=9, unseen_place=0.7, seed=0):
    """A test set, and a deployment that holds a kind of negative which the test set lacks.

    Positives and known negatives are alike in both; the unseen kind lies closer to the positives.

    Parameters
    ----------
    n_positives : int
        Positive rows in the test set; the deployment has ten times as many.
    class_ratio : float
        Known negatives per positive, in both.
    unseen_per_positive : float
        Negatives of the unseen kind per positive, in the deployment only (0 or more).
    unseen_place : float
        Where the unseen kind lies: 0 on the known negatives, 1 on the positives.
    seed : int
        Of the random numbers.

    Returns
    -------
    test, deployed : Scored
        Scores from 0 to 1, of the same model.

    Raises
    ------
    ValueError
        For an argument out of range.
    """
    check_between("unseen_per_positive", unseen_per_positive, 0, np.inf, open_ends=False)
    test = two_normals(n_positives, class_ratio, separation=3.0, seed=seed)
    deployed = two_normals(10 * n_positives, class_ratio, separation=3.0, seed=[seed, 1])
    place = np.random.default_rng([seed, 2]).normal(size=round(10 * n_positives * unseen_per_positive))
    unseen = _sigmoid(3.0 * (place + 3.0 * (unseen_place - 0.5)) - np.log(class_ratio))
    return test, Scored(
        np.append(deployed.y_true, np.zeros(unseen.size, dtype=bool)), np.append(deployed.y_score, unseen)
    )


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))


def digit_detector(digit=9):
    """Real scores: "is this picture a 9?" for scikit-learn's 1,797 digits, trained on the spot.

    Five logistic regressions; every row is scored by the one that did not learn from it.

    Parameters
    ----------
    digit : int
        The positive class, 0 to 9.

    Returns
    -------
    Scored
        ``y_true`` (bool) and ``y_score`` (probability) of 1,797 rows, in the order of the data set.

    Raises
    ------
    ValueError
        If ``digit`` is not one.
    """
    from sklearn.datasets import load_digits
    from sklearn.model_selection import StratifiedKFold, cross_val_predict
    from threadpoolctl import threadpool_limits

    if digit not in range(10):
        raise ValueError(f"digit must be one of 0 to 9, got {digit!r}")
    pixels, digits = load_digits(return_X_y=True)
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    y_true = digits == digit
    with threadpool_limits(1):  # several threads get in each other's way on so few rows
        scores = cross_val_predict(_logistic(10), pixels / 16, y_true, cv=folds, method="predict_proba")
    return Scored(y_true, scores[:, 1])


def digits_three_of_ten(classes=(3, 8, 9), *, seed=0):
    """A model that learned three digits and meets all ten, trained on the spot.

    Half of the pictures of the three classes are labeled, and half of those are the test set; all
    other pictures, of all ten classes, are the unlabeled rows.

    Parameters
    ----------
    classes : tuple of int
        The labeled digits.
    seed : int
        Of the split.

    Returns
    -------
    PartlyLabeled

    Raises
    ------
    ValueError
        If ``classes`` are not at least two different digits.
    """
    from sklearn.datasets import load_digits

    classes = tuple(sorted(classes))
    if len(set(classes)) < max(2, len(classes)) or not set(classes) <= set(range(10)):
        raise ValueError(f"classes must be at least two different digits from 0 to 9, got {classes}")
    pixels, digits = load_digits(return_X_y=True)
    rng = np.random.default_rng(seed)
    part = np.full(digits.size, "unlabeled")
    for digit in classes:
        labeled = np.array_split(rng.permutation(np.flatnonzero(digits == digit)), 2)[0]
        part[labeled] = "training"
        part[np.array_split(labeled, 2)[0]] = "test"
    model = _logistic(1).fit(pixels[part == "training"] / 16, digits[part == "training"])
    test, unlabeled = part == "test", part == "unlabeled"
    return PartlyLabeled(
        classes,
        digits[test],
        model.predict_proba(pixels[test] / 16),
        digits[unlabeled],
        model.predict_proba(pixels[unlabeled] / 16),
    )


def _logistic(inverse_penalty):
    from sklearn.linear_model import LogisticRegression

    # a tight tolerance, so that every version and processor lands on the same scores
    return LogisticRegression(C=inverse_penalty, tol=1e-8, max_iter=10_000)


def load_letters():
    """The letters data: 20,000 pictures of the letters A-Z as 16 whole numbers each.

    Looked for in the folder that ``EVALTEACH_DATA_DIR`` names, else in this user's cache, where it is
    downloaded once (0.7 MB) and checked against its SHA-256 digest.

    Returns
    -------
    DataFrame, shape (20000, 17)
        Column ``letter`` (str), then ``f1`` to ``f16`` (0 to 15).

    Raises
    ------
    OSError
        If the file is neither there nor can be fetched, or is not the original: one sentence says so
        and what to do.

    References
    ----------
    Frey & Slate (1991), Letter Recognition Using Holland-style Adaptive Classifiers, Machine Learning
    6(2), 161-182. UCI Machine Learning Repository, CC BY 4.0.
    """
    import pooch

    folder = Path(os.environ.get("EVALTEACH_DATA_DIR") or pooch.os_cache("evalteach"))
    path = folder / LETTERS_FILE
    if not path.is_file():
        try:
            pooch.retrieve(LETTERS_URL, f"sha256:{LETTERS_SHA256}", fname=LETTERS_FILE, path=folder)
        except Exception as error:  # whatever fails, the reader needs the same next step
            raise OSError(
                f"The letters file could not be fetched ({type(error).__name__}): download {LETTERS_URL} where "
                f"there is internet, put it into a folder, and set EVALTEACH_DATA_DIR to that folder."
            ) from error
    elif pooch.file_hash(str(path)) != LETTERS_SHA256:
        raise OSError(f"{path} is not the original letters file (its SHA-256 differs); move it away and try again.")
    return pd.read_csv(path, header=None, names=["letter", *(f"f{i}" for i in range(1, 17))])
