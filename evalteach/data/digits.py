"""Scores of models trained on the spot on scikit-learn's digits."""

import numpy as np

from evalteach._inputs import check_choice, read_seed, read_whole
from evalteach.data._scored import PartlyLabeled, Scored


def digit_detector(digit=9, *, seed=0):
    """Real scores: "is this picture a 9?" for scikit-learn's 1,797 digits, trained on the spot.

    Five logistic regressions; every row is scored by the one that did not learn from it.

    Parameters
    ----------
    digit : int
        The positive class, 0 to 9.
    seed : int
        Seed of the shuffle that splits the pictures into five parts.

    Returns
    -------
    Scored
        ``y_true`` (bool) and ``y_score`` (probability) of 1,797 rows, in the order of the data set.

    Raises
    ------
    ValueError
        If ``digit`` is not one, or ``seed`` is no whole number from 0 to 2**32 - 1.
    """
    from sklearn.datasets import load_digits
    from sklearn.model_selection import StratifiedKFold, cross_val_predict
    from threadpoolctl import threadpool_limits

    check_choice("digit", digit, range(10))
    pixels, digits = load_digits(return_X_y=True)
    folds = StratifiedKFold(5, shuffle=True, random_state=read_whole("seed", seed, 0, 2**32 - 1))
    y_true = digits == digit
    model = _logistic(10).set_params(solver="newton-cholesky")  # a third of the time, for readers who try many seeds
    with threadpool_limits(1):  # several threads get in each other's way on so few rows
        scores = cross_val_predict(model, pixels / 16, y_true, cv=folds, method="predict_proba")
    return Scored(y_true, scores[:, 1])


def digits_three_of_ten(classes=(3, 8, 9), *, model="logistic", seed=0):
    """A model that learned three digits and meets all ten, trained on the spot.

    Half of the pictures of the three classes are labeled, and half of those are the test set; all
    other pictures, of all ten classes, are the unlabeled rows.

    Parameters
    ----------
    classes : tuple of int
        The labeled digits.
    model : str
        "logistic" scores by the probability of a logistic regression; "nearest" by minus the squared distance
        to the nearest training picture of the class (pixels from 0 to 16, so that scores are whole numbers).
    seed : int
        Of the split, which is the same for both models.

    Returns
    -------
    PartlyLabeled

    Raises
    ------
    ValueError
        If ``classes`` are not at least two different digits, or for another ``model``.
    """
    from threadpoolctl import threadpool_limits

    check_choice("model", model, ("logistic", "nearest"))
    pixels, digits, classes, part = _split_digits(classes, seed)
    learned, test, unlabeled = part == "training", part == "test", part == "unlabeled"
    if model == "logistic":
        with threadpool_limits(1):  # several threads get in each other's way on so few rows
            fitted = _logistic(1).fit(pixels[learned] / 16, digits[learned])
            test_scores, unlabeled_scores = (fitted.predict_proba(pixels[rows] / 16) for rows in (test, unlabeled))
    else:
        known = [pixels[learned & (digits == digit)] for digit in classes]
        test_scores, unlabeled_scores = (_closeness(pixels[rows], known) for rows in (test, unlabeled))
    return PartlyLabeled(classes, digits[test], test_scores, digits[unlabeled], unlabeled_scores)


def _closeness(rows, known):
    """Minus the squared distance to the nearest of each group of known rows; exact for whole numbers."""
    own = np.sum(rows**2, axis=1)[:, None]
    return np.column_stack([-(own - 2 * rows @ group.T + np.sum(group**2, axis=1)).min(axis=1) for group in known])


def unlabeled_pictures(classes=(3, 8, 9), *, seed=0):
    """The pictures behind the unlabeled rows of :func:`digits_three_of_ten`, for those who review them.

    Parameters
    ----------
    classes : tuple of int
        The labeled digits.
    seed : int
        Of the split.

    Returns
    -------
    ndarray, shape (n_unlabeled, 8, 8)
        Grey values from 0 (paper) to 16 (ink), in the order of the unlabeled rows.
    """
    pixels, _, _, part = _split_digits(classes, seed)
    return pixels[part == "unlabeled"].reshape(-1, 8, 8)


def _split_digits(classes, seed):
    """Pixels and digit of each picture, the classes in order, and each picture's part: training, test or unlabeled."""
    from sklearn.datasets import load_digits

    if len(set(classes)) < max(2, len(classes)) or not set(classes) <= set(range(10)):
        raise ValueError(f"classes must be at least two different digits from 0 to 9, got {classes!r}")
    pixels, digits = load_digits(return_X_y=True)
    classes = tuple(sorted(classes))
    rng = np.random.default_rng(read_seed(seed))
    part = np.full(digits.size, "unlabeled")
    for digit in classes:
        labeled = np.array_split(rng.permutation(np.flatnonzero(digits == digit)), 2)[0]
        part[labeled] = "training"
        part[np.array_split(labeled, 2)[0]] = "test"
    return pixels, digits, classes, part


def _logistic(inverse_penalty):
    from sklearn.linear_model import LogisticRegression

    # a tight tolerance, so that every version and processor lands on the same scores
    return LogisticRegression(C=inverse_penalty, tol=1e-8, max_iter=10_000)
