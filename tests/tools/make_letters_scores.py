"""Makes evalteach/letters_scores.npz, the stored runs of the letters experiment: about ten minutes on one core.

    python tests/tools/make_letters_scores.py            # all runs, needs the letters file and LightGBM
    python tests/tools/make_letters_scores.py --reruns   # adds the figures of 500 runs with the LightGBM that is installed

The file holds, for seeds 0 to 9, the labels (uint8, the letter's code) and the scores of every model that
``evalteach.data.fit_letters`` knows (uint16, see ``evalteach.data._packed``), the versions and the data's digest as
strings. Of 500 runs with each of two releases of LightGBM (2.3.1, of the article's time, and that of the scores) only
figures are stored, letter by letter (uint16, see ``evalteach.data.letters_reruns``).
"""

import argparse
import platform
import sys
from time import perf_counter

import numpy as np
import sklearn
from sklearn.metrics import precision_recall_fscore_support

from evalteach import UnlabeledCurve, sweep
from evalteach.classification import fbeta
from evalteach.data import (
    LETTERS_MODELS,
    LETTERS_SCORES,
    LETTERS_SHA256,
    RERUN_STEPS,
    _packed,
    fit_letters,
    load_letters,
)

SEEDS, RERUN_SEEDS = range(10), range(500)


def versions():
    import lightgbm

    used = {"python": platform.python_version(), "numpy": np.__version__, "scikit-learn": sklearn.__version__}
    return ", ".join(f"{name} {version}" for name, version in {**used, "lightgbm": lightgbm.__version__}.items())


def all_runs(letters):
    made = {"seeds": np.array(SEEDS, dtype=np.uint8), "versions": versions(), "sha256": LETTERS_SHA256}
    for model in LETTERS_MODELS:
        for seed in SEEDS:
            start = perf_counter()
            run = fit_letters(letters, seed, model)
            print(f"{model}, seed {seed}: {perf_counter() - start:.1f} s", flush=True)
            for part, labels, scores in (
                ("test", run.test_labels, run.test_scores),
                ("unlabeled", run.unlabeled_labels, run.unlabeled_scores),
            ):
                made[f"labels, {part}, {seed}"] = labels.astype("S1").view(np.uint8)
                made[f"{model}, {part}, {seed}"] = np.ascontiguousarray(_packed(scores).T)  # packs better by column
    return made


def figures(run):
    """The figures of one run in the order of ``evalteach.data.RERUN_FIGURES``, shape (10, 6): a column per letter."""
    by_highest, by_threshold = [], []
    for labels, scores in ((run.test_labels, run.test_scores), (run.unlabeled_labels, run.unlabeled_scores)):
        said = np.array(run.classes)[scores.argmax(axis=1)]
        precisions, recalls, f1, _ = precision_recall_fscore_support(labels, said, labels=list(run.classes))
        by_highest += [recalls, precisions, f1]
    for letter, test, unlabeled in zip(run.classes, run.test_scores.T, run.unlabeled_scores.T, strict=True):
        is_letter = run.unlabeled_labels == letter
        truth, positives, class_size = sweep(is_letter, unlabeled), test[run.test_labels == letter], is_letter.sum()
        estimate = np.mean(positives >= 0.5) * class_size / np.sum(unlabeled >= 0.5)
        pick, f1 = UnlabeledCurve(positives, unlabeled).best(class_size), fbeta(truth.counts)
        best = [f1.max(), truth.thresholds[f1.argmax()]]
        by_threshold.append([estimate, pick.f1, fbeta(truth.at(pick.threshold)), *best])
    return np.vstack([by_highest[:2], by_highest[3:], np.transpose(by_threshold)])


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--reruns", action="store_true", help="only add the figures of runs with this LightGBM")
    reruns = parser.parse_args().reruns
    letters = load_letters()
    stored = {}
    if LETTERS_SCORES.exists():
        with np.load(LETTERS_SCORES, allow_pickle=False) as before:
            stored = {name: before[name] for name in before.files}
    if reruns:
        made = np.array([figures(fit_letters(letters, seed)) for seed in RERUN_SEEDS])
        release = versions().rpartition(" ")[2]
        stored[f"rerun versions {release}"] = versions()
        stored[f"rerun, {release}"] = np.round(made * RERUN_STEPS).astype(np.uint16)
    else:
        stored = {name: value for name, value in stored.items() if name.startswith("rerun")} | all_runs(letters)
    np.savez_compressed(LETTERS_SCORES, **stored)
    print(f"{LETTERS_SCORES}: {LETTERS_SCORES.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
