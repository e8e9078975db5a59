"""Other right answers to the exercises of 42_splits_and_leakage."""

import numpy as np
import pandas as pd

ANSWERS = {
    "groups_on_both_sides": [
        lambda groups, held: len({*groups[held].tolist()} & {*groups[~held].tolist()}),
        lambda groups, held: int((pd.Series(held).groupby(groups).nunique() == 2).sum()),
    ],
    "copies_accuracy": [
        lambda n, folds, on_new: 1 - (1 - on_new) * (2 * n / folds - 1) / (2 * n - 1),
        lambda n, folds, on_new: on_new + (1 - on_new) * 2 * n * (folds - 1) / folds / (2 * n - 1),
    ],
    "encoded_new": [
        lambda city, ill, train: pd.Series(ill[train]).groupby(city[train]).mean().loc[city[~train]].to_numpy(),
        lambda city, ill, train: (
            np.bincount(city[train], weights=ill[train])[city[~train]] / np.bincount(city[train])[city[~train]]
        ),
    ],
    "number_to_report": [
        lambda validation, test: test[np.argsort(-validation, kind="stable")[0]],
        lambda validation, test: max(zip(validation, test, strict=True), key=lambda pair: pair[0])[1],
    ],
}
