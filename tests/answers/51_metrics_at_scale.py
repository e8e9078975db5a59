"""Other right answers to the exercises of 51_metrics_at_scale."""

import numpy as np
import pandas as pd

from evalteach.classification import roc_auc
from evalteach.counts import sweep


def _swept(p, q):
    bins = np.arange(p.size)
    return roc_auc(sweep(np.repeat([1, 0], p.size), np.tile(bins, 2), weights=np.append(p, q)).counts)


ANSWERS = {
    "auc_of_bins": [
        _swept,
        lambda p, q: float(p @ (np.tril(np.ones((p.size, p.size))) - np.eye(p.size) / 2) @ q / p.sum() / q.sum()),
    ],
    "click_rate": [
        lambda shown, clicks: np.isin(shown, clicks).mean(),
        lambda shown, clicks: len({*shown.tolist()} & {*clicks.tolist()}) / len(shown),
    ],
    "precision_of_all": [
        lambda flagged, precision: np.average(precision[flagged > 0], weights=flagged[flagged > 0]),
        lambda flagged, precision: (pd.Series(precision) * flagged).sum() / flagged.sum(),
    ],
}
