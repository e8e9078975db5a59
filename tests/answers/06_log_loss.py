"""Other right answers to the exercises of 06_log_loss: by other algebra, or by another library."""

import numpy as np
from scipy.special import rel_entr, xlog1py, xlogy
from scipy.stats import entropy
from sklearn.metrics import log_loss


def one_by_one(truth, q):
    total = 0.0
    for right, row in zip(truth, q, strict=True):
        total -= np.log(row[right])
    return total / len(truth)


ANSWERS = {
    "bits_per_row": [
        lambda y, q: log_loss(y, q, labels=[0, 1]) / np.log(2),
        lambda y, q: -np.mean(np.log2(np.abs(1 - y - q))),
        lambda y, q: -np.mean(y * np.log2(q) + (1 - y) * np.log2(1 - q)),
    ],
    "price_of_stating": [
        lambda p, q: -xlogy(p, q) - xlog1py(1 - p, -q),
        lambda p, q: entropy([p, 1 - p]) + np.sum(rel_entr([p, 1 - p], [q, 1 - q])),
        lambda p, q: log_loss([1, 0], [q, q], sample_weight=[p, 1 - p]),
    ],
    "most_skilful": [
        lambda loss, share: np.argmin(loss / entropy([share, 1 - share])),
        lambda loss, share: max(range(len(loss)), key=lambda i: entropy([share[i], 1 - share[i]]) / loss[i]),
    ],
    "many_class_loss": [
        lambda truth, q: log_loss(truth, q, labels=range(q.shape[1])),
        lambda truth, q: -np.mean(np.log(np.take_along_axis(q, truth[:, None], axis=1))),
        one_by_one,
    ],
}
