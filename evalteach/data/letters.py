"""The letters experiment of *The Dark Side of Precision*, run anew."""

import os
from pathlib import Path

import numpy as np
import pandas as pd

from evalteach.data._scored import PartlyLabeled
from evalteach.data.simulated import _sigmoid

LETTERS_FILE = "letter-recognition.data"
LETTERS_URL = "https://archive.ics.uci.edu/ml/machine-learning-databases/letter-recognition/letter-recognition.data"
LETTERS_SHA256 = "2b89f3602cf768d3c8355267d2f13f2417809e101fc2b5ceee10db19a60de6e2"
LETTERS_MODELS = ("balanced", "extra trees", "other, shuffled", "other, unshuffled")
LABELED_LETTERS = ("G", "H", "L", "M", "S", "V")
RERUN_FIGURES = (
    "recall, test",
    "precision, test",
    "recall, unlabeled",
    "precision, unlabeled",
    "F1, unlabeled",
    "R·N/k",
    "F1 estimated",
    "F1 picked",
    "F1 best",
    "threshold of the best",
)
RERUN_STEPS = 50_000  # stored figures are whole multiples of one part in so many
LETTERS_SCORES = Path(__file__).with_name("letters_scores.npz")

_LOWEST_LOG_ODDS, _STEPS = -3.5, 250  # steps per unit of log-odds


def load_letters(*, fetch=True):
    """The letters data: 20,000 pictures of the letters A-Z as 16 whole numbers each.

    Looked for in the folder that ``EVALTEACH_DATA_DIR`` names, else in this user's cache, where it is
    downloaded once (0.7 MB) and checked against its SHA-256 digest.

    Parameters
    ----------
    fetch : bool
        Whether to download it if it is not there.

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
        if not fetch:
            raise OSError(
                f"The letters file is not in {folder}: evalteach.data.load_letters() downloads it once; offline, "
                f"put {LETTERS_FILE} into a folder and set EVALTEACH_DATA_DIR to that folder."
            )
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


def fit_letters(letters, seed=0, model="balanced"):
    """The experiment of *The Dark Side of Precision*, run once: a model learns six letters and meets all 26.

    Of 15,000 rows drawn from the 20,000, half of each of the letters G, H, L, M, S and V are labeled, and a
    fifth of those are the test set; all other rows are unlabeled.

    Parameters
    ----------
    letters : DataFrame
        As :func:`load_letters` returns it.
    seed : int
        Of the draw, the split and the model.
    model : str
        "balanced": LightGBM with its default settings and every class given the same weight. "extra trees":
        300 extremely randomized trees (scikit-learn), letter V only. "other, shuffled": balanced LightGBM
        with the unlabeled rows as a seventh class; in tenfold cross-validation, every row (test rows, too) is
        scored by the one model that did not learn from it. "other, unshuffled": the same, but the unlabeled
        rows are cut into folds in the order of the article's program: other letters first, then letter by letter.

    Returns
    -------
    PartlyLabeled
        Rows sorted by letter; ``classes`` is ("V",) for "extra trees", else all six.

    Raises
    ------
    ValueError
        For another ``model``.
    ImportError
        If LightGBM is needed and missing.

    References
    ----------
    Ke et al. (2017), LightGBM, NeurIPS 30. Geurts, Ernst & Wehenkel (2006), Machine Learning 63(1), 3-42.
    """
    if model not in LETTERS_MODELS:
        raise ValueError(f"model must be one of {', '.join(map(repr, LETTERS_MODELS))}, got {model!r}")
    rng = np.random.default_rng(seed)
    drawn = letters.iloc[np.sort(rng.permutation(len(letters))[:15_000])]
    labels, pixels = drawn["letter"].to_numpy(dtype=str), drawn.drop(columns="letter").to_numpy(dtype=float)
    part = np.full(labels.size, "unlabeled")
    for letter in LABELED_LETTERS:
        rows = rng.permutation(np.flatnonzero(labels == letter))
        labeled = rows[: rows.size // 2]
        part[labeled] = "training"
        part[labeled[: round(labeled.size / 5)]] = "test"
    learned, classes = part == "training", LABELED_LETTERS
    if model == "balanced":
        scores = _lightgbm(pixels[learned], labels[learned], pixels, seed)
    elif model == "extra trees":
        from sklearn.ensemble import ExtraTreesClassifier

        trees = ExtraTreesClassifier(300, random_state=seed).fit(pixels[learned], labels[learned])
        classes = ("V",)
        scores = trees.predict_proba(pixels)[:, trees.classes_ == "V"]
    else:
        scores = _with_other(pixels, labels, part, seed, shuffle=model == "other, shuffled")
    by_letter = np.argsort(labels, kind="stable")
    test, unlabeled = (by_letter[part[by_letter] == name] for name in ("test", "unlabeled"))
    return PartlyLabeled(classes, labels[test], scores[test], labels[unlabeled], scores[unlabeled])


def _with_other(pixels, labels, part, seed, *, shuffle):
    """Scores of the six letters with unlabeled rows as a seventh class, by tenfold cross-validation."""
    from sklearn.model_selection import StratifiedKFold

    target = np.where(part == "unlabeled", "other", labels)
    # rows of letters without labels in the file's order, then the hidden halves, one letter after the other
    held = np.argsort(np.where(np.isin(labels, LABELED_LETTERS), labels, ""), kind="stable")
    folds = StratifiedKFold(10, shuffle=shuffle, random_state=seed if shuffle else None)
    scores = np.empty((labels.size, len(LABELED_LETTERS)))
    for rest, fold in folds.split(held, target[held]):
        rest, fold = held[rest], held[fold]
        scores[fold] = _lightgbm(pixels[rest], target[rest], pixels[fold], seed)[:, : len(LABELED_LETTERS)]
    return scores


def _lightgbm(pixels, labels, new_pixels, seed):
    """Probabilities of the sorted classes by LightGBM: default settings, all classes of one weight."""
    try:
        import lightgbm
    except ImportError as error:
        raise ImportError("LightGBM is not installed: pip install lightgbm.") from error

    classes, codes, sizes = np.unique(labels, return_inverse=True, return_counts=True)
    # its own interface, since the one for scikit-learn fits to few versions of scikit-learn
    settings = {
        "objective": "multiclass",
        "num_class": classes.size,
        "seed": seed,
        "deterministic": True,
        "force_row_wise": True,
        "num_threads": 1,
        "verbosity": -1,
    }
    rows = lightgbm.Dataset(pixels, codes, weight=(labels.size / classes.size / sizes)[codes])
    return lightgbm.train(settings, rows, num_boost_round=100).predict(new_pixels, num_threads=1)


def letters_scores(seed=0, model="balanced"):
    """What :func:`fit_letters` returned for one seed, from a file: needs neither the data nor LightGBM.

    Parameters
    ----------
    seed : int
        0 to 9.
    model : str
        As for :func:`fit_letters`.

    Returns
    -------
    PartlyLabeled
        Rows sorted by letter. Scores to about 0.2 % of their odds, all below 0.029 stored as 0; those at or
        above 0.5 are the same rows as in the run.

    Raises
    ------
    ValueError
        For a seed or a model that is not in the file.

    References
    ----------
    Made by tests/tools/make_letters_scores.py; what with, says :func:`letters_provenance`.
    """
    with np.load(LETTERS_SCORES, allow_pickle=False) as stored:
        seeds = stored["seeds"].tolist()
        if seed not in seeds or model not in LETTERS_MODELS:
            models = ", ".join(map(repr, LETTERS_MODELS))
            raise ValueError(f"stored are the seeds {seeds} of {models}, not seed {seed!r} of {model!r}")
        labels, scores = (
            [stored[f"{kind}, {name}, {seed}"] for name in ("test", "unlabeled")] for kind in ("labels", model)
        )
    test, unlabeled = (
        (code.view("S1").astype(str), _unpacked(packed).T) for code, packed in zip(labels, scores, strict=True)
    )
    return PartlyLabeled(("V",) if model == "extra trees" else LABELED_LETTERS, *test, *unlabeled)


def letters_provenance():
    """Where the stored letters scores come from.

    Returns
    -------
    dict
        ``versions`` and ``sha256`` (of the data), both str; ``seeds``, shape (10,). For each release of LightGBM in
        :func:`letters_reruns`, ``rerun versions 2.3.1`` and the like, str.
    """
    with np.load(LETTERS_SCORES, allow_pickle=False) as stored:
        made_of = {name: stored[name] for name in stored.files if "," not in name}
    return {name: value if value.ndim else str(value) for name, value in made_of.items()}


def letters_reruns():
    """Figures of 500 runs of "balanced" (see :func:`fit_letters`) with each of two releases of LightGBM.

    Returns
    -------
    DataFrame, shape (6000, 10)
        One row per release ("2.3.1", of the article's time, and the one of the stored scores), seed (0 to 499; the
        same split for both) and letter. Recall and precision on the test set, then recall, precision and F1 on
        the unlabeled rows, where a row gets the letter of its highest score; the estimate R·N/k at score 0.5; F1 of
        one letter against the rest: as estimated at the picked threshold, as it truly is there, and at the best
        threshold; that threshold. To about 0.00001.

    References
    ----------
    Made by tests/tools/make_letters_scores.py; what with, says :func:`letters_provenance`.
    """
    with np.load(LETTERS_SCORES, allow_pickle=False) as stored:
        releases = sorted(name.removeprefix("rerun, ") for name in stored.files if name.startswith("rerun, "))
        figures = np.array([stored[f"rerun, {release}"] for release in releases]) / RERUN_STEPS
    levels = {"release": releases, "seed": range(figures.shape[1]), "letter": LABELED_LETTERS}
    each = pd.MultiIndex.from_product(levels.values(), names=levels)
    return pd.DataFrame(figures.swapaxes(2, 3).reshape(len(each), -1), each, RERUN_FIGURES)


def _packed(scores):
    """Scores as uint16: the log-odds cut into bins, one of which begins at score 0.5."""
    with np.errstate(divide="ignore"):
        log_odds = np.log(scores) - np.log1p(-scores)
    return np.clip(np.floor((log_odds - _LOWEST_LOG_ODDS) * _STEPS) + 1, 0, 2**13).astype(np.uint16)


def _unpacked(packed):
    return np.where(packed > 0, _sigmoid((packed - 0.5) / _STEPS + _LOWEST_LOG_ODDS), 0.0)
