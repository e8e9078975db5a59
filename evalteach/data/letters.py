"""The letters experiment of *The Dark Side of Precision*, run anew on the article's rows and read from a file."""

from pathlib import Path

import numpy as np

from evalteach.data._scored import PartlyLabeled
from evalteach.data.simulated import _sigmoid

LETTERS_MODELS = ("balanced", "extra trees", "other, shuffled", "other, unshuffled")
LABELED_LETTERS = ("G", "H", "L", "M", "S", "V")
LETTERS_SCORES = Path(__file__).with_name("letters_scores.npz")
LOWEST_LOG_ODDS, STEPS = -3.5, 250  # of the stored scores; steps per unit of log-odds


def letters_scores(seed=0, model="balanced"):
    """Scores of a model that learned six letters, on its test set and on unlabeled rows of all 26 letters.

    The article's 15,000 rows (of the 20,000 of Frey & Slate, 1991): half of each of the letters G, H, L, M, S and V
    are labeled, and a fifth of those are the test set; all other rows are unlabeled.

    Parameters
    ----------
    seed : int
        Of the split and the model: 0 to 9.
    model : str
        "balanced": LightGBM with its default settings and every class given the same weight. "extra trees": 300
        extremely randomized trees (scikit-learn), letter V only. "other, shuffled": balanced LightGBM with the
        unlabeled rows as a seventh class; in tenfold cross-validation, every row (test rows, too) is scored by the
        one model that did not learn from it. "other, unshuffled": the same, but the unlabeled rows are cut into folds
        in the order of the article's program: other letters first, then letter by letter.

    Returns
    -------
    PartlyLabeled
        Rows sorted by letter; ``classes`` is ("V",) for "extra trees", else all six. Scores to about 0.2 % of their
        odds; those at or above 0.5 are the same rows as in the run. All below 0.029 are stored as 0, which ties them:
        most unlabeled rows of the "other" models, and some of their test positives. So do not read an area (AUC) or a
        recall@k far down the list from those two.

    Raises
    ------
    ValueError
        For a seed or a model that is not in the file.

    References
    ----------
    Ke et al. (2017), LightGBM, NeurIPS 30. Geurts, Ernst & Wehenkel (2006), Machine Learning 63(1), 3-42. Made by
    tests/tools/make_letters_scores.py; what with, says :func:`letters_provenance`.
    """
    with np.load(LETTERS_SCORES) as stored:
        seeds = stored["seeds"].tolist()
        if seed not in seeds or model not in LETTERS_MODELS:
            models = ", ".join(map(repr, LETTERS_MODELS))
            raise ValueError(f"stored are the seeds {seeds} of {models}, not seed {seed!r} of {model!r}")
        parts = [(stored[f"labels, {part}"], stored[f"{model}, {part}, {seed}"]) for part in ("test", "unlabeled")]
    test, unlabeled = ((letters.view("S1").astype(str), _unpacked(packed).T) for letters, packed in parts)
    return PartlyLabeled(("V",) if model == "extra trees" else LABELED_LETTERS, *test, *unlabeled)


def letters_provenance():
    """Where the stored letters scores come from, and figures of runs whose scores are not stored.

    Returns
    -------
    dict
        ``versions`` and ``sha256`` (of the data), both str; ``seeds``, shape (10,). ``F1 of the article's remedy``,
        shape (10, 2): macro F1 of its own recipe for the class "other" (one model per class, the highest score wins),
        in its order and shuffled. For two releases of LightGBM, as in ``F1 with 2.3.1 on the article's rows`` and ``F1
        with 2.3.1 on drawn rows`` (another 15,000 of the 20,000 for each seed), shape (50, 3): macro F1 of "balanced"
        on the unlabeled rows, as estimated at the picked threshold, as it truly is there, and at the best threshold;
        ``versions with 2.3.1`` and the like, str.
    """
    with np.load(LETTERS_SCORES) as stored:
        made_of = {name: stored[name] for name in stored.files if "," not in name}
    return {name: value if value.ndim else str(value) for name, value in made_of.items()}


def _unpacked(packed):
    return np.where(packed > 0, _sigmoid((packed - 0.5) / STEPS + LOWEST_LOG_ODDS), 0.0)
