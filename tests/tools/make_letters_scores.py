"""Makes evalteach/data/letters_scores.npz, the stored runs of the letters experiment: about ten minutes on one core.

    python tests/tools/make_letters_scores.py              # all runs whose scores are stored
    python tests/tools/make_letters_scores.py --figures    # adds figures of 100 more runs, with the LightGBM at hand

The letters file is read from the folder that ``EVALTEACH_DATA_DIR`` names, else downloaded (0.7 MB). For figures of
another release of LightGBM: ``pip install --no-deps lightgbm==2.3.1 --target FOLDER``, then ``PYTHONPATH=FOLDER``.

Stored are the labels (uint8, the letter's code), the same for all runs, and for seeds 0 to 9 the scores of every model
(uint16, see ``packed``); of the article's own remedy, for the same seeds, only macro F1, in the article's order and
shuffled. For two releases of LightGBM, macro F1 of "balanced" (see ``macro_f1``) on the article's rows and on rows
drawn anew, seeds 0 to 49. The versions and the data's digest are strings.
"""

import argparse
import hashlib
import io
import os
import platform
import sys
from pathlib import Path
from time import perf_counter
from urllib.request import urlopen

import numpy as np
import pandas as pd
import sklearn
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.metrics import f1_score
from sklearn.model_selection import StratifiedKFold

from evalteach import UnlabeledCurve, sweep
from evalteach.classification import fbeta
from evalteach.data import PartlyLabeled
from evalteach.data.letters import LABELED_LETTERS, LETTERS_MODELS, LETTERS_SCORES, LOWEST_LOG_ODDS, STEPS

LETTERS_FILE = "letter-recognition.data"
LETTERS_URL = f"https://archive.ics.uci.edu/ml/machine-learning-databases/letter-recognition/{LETTERS_FILE}"
LETTERS_SHA256 = "2b89f3602cf768d3c8355267d2f13f2417809e101fc2b5ceee10db19a60de6e2"
ARTICLE_ROWS = Path(__file__).with_name("letters_article_rows.npy")
SEEDS, FIGURE_SEEDS = range(10), range(50)


def load_letters():
    """The letters data: 20,000 rows, column ``letter`` (str), then ``f1`` to ``f16`` (0 to 15).

    Frey & Slate (1991), Letter Recognition Using Holland-style Adaptive Classifiers, Machine Learning 6(2),
    161-182. UCI Machine Learning Repository, CC BY 4.0.
    """
    folder, place = os.environ.get("EVALTEACH_DATA_DIR"), LETTERS_URL
    if folder:
        place = Path(folder, LETTERS_FILE)
        content = place.read_bytes()
    else:
        with urlopen(LETTERS_URL) as answer:
            content = answer.read()
    if hashlib.sha256(content).hexdigest() != LETTERS_SHA256:
        raise OSError(f"{place} is not the original letters file (its SHA-256 differs)")
    return pd.read_csv(io.BytesIO(content), header=None, names=["letter", *(f"f{i}" for i in range(1, 17))])


def article_rows(letters):
    """The 15,000 rows that the article used, in its order."""
    return letters.iloc[np.load(ARTICLE_ROWS)]


def drawn_rows(letters, seed):
    """Other 15,000 rows, as the article's could have been."""
    return letters.iloc[np.random.default_rng(seed).permutation(len(letters))[:15_000]]


def fit_letters(rows, seed=0, model="balanced"):
    """The experiment of *The Dark Side of Precision*, run once: a model learns six letters and meets all 26.

    Half of each of the letters G, H, L, M, S and V are labeled, and a fifth of those are the test set; all other
    rows are unlabeled. Split and model depend on ``seed``. Returns a PartlyLabeled, rows sorted by letter.

    The models are "balanced": LightGBM with its default settings and every class given the same weight. "extra
    trees": 300 extremely randomized trees (scikit-learn), letter V only. "other, shuffled": balanced LightGBM with
    the unlabeled rows as a seventh class; in tenfold cross-validation, every row (test rows, too) is scored by the
    one model that did not learn from it. "other, unshuffled": the same, but the rows are cut into folds in the order
    of the article's program: other letters first, then the hidden rows letter by letter.

    Ke et al. (2017), LightGBM, NeurIPS 30. Geurts, Ernst & Wehenkel (2006), Machine Learning 63(1), 3-42.
    """
    assert model in LETTERS_MODELS
    # models give a column to each class in sorted order, and whoever reads them takes them for these six
    assert list(LABELED_LETTERS) == sorted(LABELED_LETTERS)
    labels, pixels, part = split(rows, seed)
    learned, classes = part == "training", LABELED_LETTERS
    if model == "balanced":
        scores = lightgbm_scores(pixels[learned], labels[learned], pixels, seed)
    elif model == "extra trees":
        trees = ExtraTreesClassifier(300, random_state=seed).fit(pixels[learned], labels[learned])
        classes = ("V",)
        scores = trees.predict_proba(pixels)[:, trees.classes_ == "V"]
    else:
        scores = scores_with_other(pixels, labels, part, seed, lightgbm_scores, shuffle=model == "other, shuffled")
        scores = scores[:, : len(LABELED_LETTERS)]
    by_letter = np.argsort(labels, kind="stable")
    test, unlabeled = (by_letter[part[by_letter] == name] for name in ("test", "unlabeled"))
    return PartlyLabeled(classes, labels[test], scores[test], labels[unlabeled], scores[unlabeled])


def split(rows, seed):
    """Letter and pixels of each row, and whether it is for "training", "test" or "unlabeled"."""
    rng = np.random.default_rng(seed)
    labels, pixels = rows["letter"].to_numpy(dtype=str), rows.drop(columns="letter").to_numpy(dtype=float)
    part = np.full(labels.size, "unlabeled")
    for letter in LABELED_LETTERS:
        of_letter = rng.permutation(np.flatnonzero(labels == letter))
        labeled = of_letter[: of_letter.size // 2]
        part[labeled] = "training"
        part[labeled[: round(labeled.size / 5)]] = "test"
    return labels, pixels, part


def scores_with_other(pixels, labels, part, seed, fit, *, shuffle):
    """Scores of the six letters and of unlabeled rows as a seventh class, by tenfold cross-validation."""
    target = np.where(part == "unlabeled", "other", labels)
    # rows of letters without labels in the article's order, then the hidden halves, one letter after the other
    held = np.argsort(np.where(np.isin(labels, LABELED_LETTERS), labels, ""), kind="stable")
    folds = StratifiedKFold(10, shuffle=shuffle, random_state=seed if shuffle else None)
    scores = np.empty((labels.size, len(LABELED_LETTERS) + 1))
    for rest, fold in folds.split(held, target[held]):
        rest, fold = held[rest], held[fold]
        scores[fold] = fit(pixels[rest], target[rest], pixels[fold], seed)
    return scores


def lightgbm_scores(pixels, labels, new_pixels, seed):
    """Probabilities of the sorted classes by LightGBM: default settings, all classes of one weight."""
    import lightgbm

    classes, codes, sizes = np.unique(labels, return_inverse=True, return_counts=True)
    # its own interface, since the one for scikit-learn fits to few versions of scikit-learn
    settings = {
        **({"objective": "multiclass", "num_class": classes.size} if classes.size > 2 else {"objective": "binary"}),
        "seed": seed,
        "deterministic": True,
        "force_row_wise": True,
        "num_threads": 1,
        "verbosity": -1,
    }
    rows = lightgbm.Dataset(pixels, codes, weight=(labels.size / classes.size / sizes)[codes])
    return lightgbm.train(settings, rows, num_boost_round=100).predict(new_pixels, num_threads=1)


def one_vs_rest_scores(pixels, labels, new_pixels, seed):
    """As :func:`lightgbm_scores`, but with a model of its own for each class against all others."""
    each = [lightgbm_scores(pixels, labels == name, new_pixels, seed) for name in np.unique(labels)]
    return np.transpose(each)


def f1_of_the_articles_remedy(rows, seed, *, shuffle):
    """Macro F1 on the unlabeled rows of the article's own recipe: one model per class, the highest score wins."""
    labels, pixels, part = split(rows, seed)
    scores = scores_with_other(pixels, labels, part, seed, one_vs_rest_scores, shuffle=shuffle)
    said = np.array([*LABELED_LETTERS, "other"])[scores.argmax(axis=1)]
    unlabeled = part == "unlabeled"
    return f1_score(labels[unlabeled], said[unlabeled], labels=LABELED_LETTERS, average="macro")


def packed(scores):
    """Scores as uint16: the log-odds cut into bins, one of which begins at score 0.5."""
    with np.errstate(divide="ignore"):
        log_odds = np.log(scores) - np.log1p(-scores)
    return np.clip(np.floor((log_odds - LOWEST_LOG_ODDS) * STEPS) + 1, 0, 2**13).astype(np.uint16)


def macro_f1(run):
    """F1 on the unlabeled rows, mean of the letters: estimated at the picked threshold, true there, best of all."""
    found = []
    for letter in run.classes:
        test, unlabeled = run.of(letter)
        truth, size = sweep(*unlabeled), unlabeled.positives.size
        pick = UnlabeledCurve(test.positives, unlabeled.y_score).best(size)
        found.append([pick.f1, fbeta(truth.at(pick.threshold)), np.max(fbeta(truth.counts))])
    return np.mean(found, axis=0)


def versions():
    import lightgbm

    used = {"python": platform.python_version(), "numpy": np.__version__, "scikit-learn": sklearn.__version__}
    return ", ".join(f"{name} {version}" for name, version in {**used, "lightgbm": lightgbm.__version__}.items())


def all_runs(letters):
    made = {"seeds": np.array(SEEDS, dtype=np.uint8), "versions": versions(), "sha256": LETTERS_SHA256}
    rows = article_rows(letters)
    for model in LETTERS_MODELS:
        for seed in SEEDS:
            start = perf_counter()
            run = fit_letters(rows, seed, model)
            print(f"{model}, seed {seed}: {perf_counter() - start:.1f} s", flush=True)
            for part, labels, scores in (
                ("test", run.test_labels, run.test_scores),
                ("unlabeled", run.unlabeled_labels, run.unlabeled_scores),
            ):
                # the split takes as many rows of a letter in every run
                made[f"labels, {part}"] = labels.astype("S1").view(np.uint8)
                made[f"{model}, {part}, {seed}"] = np.ascontiguousarray(packed(scores).T)  # packs better by column
    made["F1 of the article's remedy"] = [
        [f1_of_the_articles_remedy(rows, seed, shuffle=shuffle) for shuffle in (False, True)] for seed in SEEDS
    ]
    return made


def figures(letters):
    release, rows = versions().rpartition(" ")[2], article_rows(letters)
    return {
        f"versions with {release}": versions(),
        f"F1 with {release} on the article's rows": [macro_f1(fit_letters(rows, seed)) for seed in FIGURE_SEEDS],
        f"F1 with {release} on drawn rows": [
            macro_f1(fit_letters(drawn_rows(letters, seed), seed)) for seed in FIGURE_SEEDS
        ],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--figures", action="store_true", help="only add figures of runs with this LightGBM")
    make = figures if parser.parse_args().figures else all_runs
    stored = {}
    if LETTERS_SCORES.exists():
        with np.load(LETTERS_SCORES, allow_pickle=False) as before:
            stored = dict(before)
    stored |= make(load_letters())
    np.savez_compressed(LETTERS_SCORES, **stored)
    print(f"{LETTERS_SCORES}: {LETTERS_SCORES.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
