"""Makes evalteach/letters_scores.npz, the stored runs of the letters experiment: about ten minutes on one core.

    python tests/make_letters_scores.py            # all runs, needs the letters file and LightGBM
    python tests/make_letters_scores.py --older    # in an environment with an older LightGBM: adds three figures a run

The file holds, for seeds 0 to 9, the labels (uint8, the letter's code) and the scores of every model that
``evalteach.data.fit_letters`` knows (uint16, see ``evalteach.data._packed``), the versions and the data's digest as
strings. The runs of the older LightGBM are stored as macro F1 only: estimated at the picked threshold, true there,
and at the best threshold.
"""

import argparse
import platform
import sys
from time import perf_counter

import lightgbm
import numpy as np
import sklearn

from evalteach import sweep, unlabeled_curve
from evalteach.classification import fbeta
from evalteach.data import LETTERS_MODELS, LETTERS_SCORES, LETTERS_SHA256, _packed, fit_letters, load_letters

SEEDS = range(10)


def versions():
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


def macro_f1(run):
    """Mean over the classes of F1: estimated at the picked threshold, true there, and at the best threshold."""
    found = []
    for letter, test, unlabeled in zip(run.classes, run.test_scores.T, run.unlabeled_scores.T, strict=True):
        is_letter = run.unlabeled_labels == letter
        truth = sweep(is_letter, unlabeled)
        pick = unlabeled_curve(test[run.test_labels == letter], unlabeled).best(is_letter.sum())
        found.append([pick.f1, fbeta(truth.at(pick.threshold)), np.max(fbeta(truth.counts))])
    return np.mean(found, axis=0)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--older", action="store_true", help="only add the figures of this, older, LightGBM")
    older = parser.parse_args().older
    letters = load_letters()
    stored = {}
    if LETTERS_SCORES.exists():
        with np.load(LETTERS_SCORES, allow_pickle=False) as before:
            stored = {name: before[name] for name in before.files}
    if older:
        stored["older_versions"] = versions()
        stored["older_macro_f1"] = np.array([macro_f1(fit_letters(letters, seed)) for seed in SEEDS])
    else:
        stored = {name: value for name, value in stored.items() if name.startswith("older")} | all_runs(letters)
    np.savez_compressed(LETTERS_SCORES, **stored)
    print(f"{LETTERS_SCORES}: {LETTERS_SCORES.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
