"""Simulated scores, drawn from a seed: the same call gives the same numbers."""

import numpy as np

from evalteach._inputs import check_between, read_seed, read_whole
from evalteach.data._scored import Scored


def two_normals(n_positives, ratio, *, separation=2.0, calibration=1.0, seed=0):
    """Scores of a classifier whose two classes are normal with equal spread.

    Parameters
    ----------
    n_positives : int
        Positive rows, at least 1.
    ratio : float
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
    """
    n_positives = read_whole("n_positives", n_positives, 1, np.inf, "a whole number, 1 or more")
    ratio = check_between("ratio", ratio, 0, np.inf)
    calibration = check_between("calibration", calibration, 0, np.inf)
    separation = check_between("separation", separation, -np.inf, np.inf)
    n_negatives = round(n_positives * ratio)
    if n_negatives < 1:
        raise ValueError(f"both classes need whole rows, got {n_positives} positives and {n_negatives} negatives")
    y_true = np.arange(n_positives + n_negatives) < n_positives
    place = np.random.default_rng(read_seed(seed)).normal(size=y_true.size) + separation * (y_true - 0.5)
    return Scored(y_true, _sigmoid(calibration * (separation * place - np.log(ratio))))


def unseen_negatives(n_positives=100, ratio=9, *, unseen_per_positive=9, place=0.7, seed=0):
    """A test set, and a deployment that holds a kind of negative which the test set lacks.

    Positives and known negatives are alike in both; the unseen kind lies closer to the positives.

    Parameters
    ----------
    n_positives : int
        Positive rows in the test set; the deployment has ten times as many.
    ratio : float
        Known negatives per positive, in both.
    unseen_per_positive : float
        Negatives of the unseen kind per positive, in the deployment only (0 or more).
    place : float
        Where the unseen kind lies: 0 on the known negatives, 1 on the positives.
    seed : int
        Of the random numbers.

    Returns
    -------
    test, deployed : Scored
        Scores from 0 to 1, of the same model.
    """
    unseen_per_positive = check_between("unseen_per_positive", unseen_per_positive, 0, np.inf, open_ends=False)
    place = check_between("place", place, -np.inf, np.inf)
    test = two_normals(n_positives, ratio, separation=3.0, seed=seed)
    deployed = two_normals(10 * n_positives, ratio, separation=3.0, seed=[seed, 1])
    noise = np.random.default_rng([read_seed(seed), 2]).normal(size=round(10 * n_positives * unseen_per_positive))
    unseen = _sigmoid(3.0 * (noise + 3.0 * (place - 0.5)) - np.log(ratio))
    y_true = np.append(deployed.y_true, np.zeros(unseen.size, dtype=bool))
    return test, Scored(y_true, np.append(deployed.y_score, unseen))


def patients(n_patients=40, visits=5, *, separation=1.6, noise=0.4, seed=0):
    """Blood values of patients who come several times, and whether each patient is ill.

    Six values stay much the same from visit to visit; only the first has to do with the illness.

    Parameters
    ----------
    n_patients : int
        At least 2; half of them are ill.
    visits : int
        Rows of each patient, at least 1, one below the other.
    separation : float
        Distance between ill and healthy in the first value, in standard deviations of patients.
    noise : float
        How much a value changes between visits, in the same unit (0 or more; 0 makes copies).
    seed : int or list of int
        Of the random numbers.

    Returns
    -------
    X : ndarray, shape (n_patients * visits, 6)
    y : ndarray of int
        1 is ill; the same for all visits of a patient.
    patient : ndarray of int
        Whose visit it is, from 0.
    """
    n_patients = read_whole("n_patients", n_patients, 2, np.inf, "a whole number, 2 or more")
    visits = read_whole("visits", visits, 1, np.inf, "a whole number, 1 or more")
    separation = check_between("separation", separation, -np.inf, np.inf)
    noise = check_between("noise", noise, 0, np.inf, open_ends=False)
    rng = np.random.default_rng(read_seed(seed))
    ill = rng.permutation(n_patients) % 2
    usual = rng.normal(size=(n_patients, 6))
    usual[:, 0] += separation * (ill - 0.5)
    patient = np.repeat(np.arange(n_patients), visits)
    return usual[patient] + noise * rng.normal(size=(patient.size, 6)), ill[patient], patient


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))
