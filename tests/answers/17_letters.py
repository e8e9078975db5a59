"""Other right answers to the exercises of 17_letters: by other algebra, or by another library."""

import numpy as np
from scipy.special import logit


def reader_by_reader(recall, class_size):
    finds = [sum(r * n for r, n in zip(row, class_size, strict=True)) for row in recall]
    return finds.index(max(finds))


ANSWERS = {
    "share_of_all_finds": [
        lambda recall, class_size, flagged: np.dot(recall, class_size) / flagged.sum(),
        lambda recall, class_size, flagged: np.average(recall * class_size / flagged, weights=flagged),
    ],
    "figures_outside": [
        lambda figures, runs: figures * (1 - (runs - 1) / (runs + 1)),
        lambda figures, runs: figures / (runs + 1) + figures / (runs + 1),
    ],
    "ratio_that_fits": [
        lambda recall, fpr, precision: (1 / precision - 1) * recall / fpr,
        lambda recall, fpr, precision: np.exp(np.log(recall / fpr) - logit(precision)),
    ],
    "reader_to_buy": [reader_by_reader, lambda recall, class_size: (recall * class_size).sum(axis=1).argmax()],
}
