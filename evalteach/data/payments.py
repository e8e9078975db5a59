"""Two small CSV files as a practitioner has them: reviewed card payments, and a month of payments without labels."""

from pathlib import Path

import numpy as np

from evalteach._inputs import read_seed
from evalteach._record import write_whole

REVIEWED, LAST_MONTH = "payments.csv", "last_month.csv"


def write_payments(folder, *, seed=0):
    """Write the example of 91_your_own_scores into a folder.

    ``payments.csv`` holds 1,200 reviewed payments, one in ten fraud: columns ``payment`` (its number), ``verdict``
    ("fraud" or "ok") and ``score`` (a probability, a little overconfident). ``last_month.csv`` holds 38,000 payments
    with number and score, 95 of them fraud, which it does not say.

    Parameters
    ----------
    folder : path
        Where to write; files of these names are written over.
    seed : int or list of int
        Of the random numbers.

    Returns
    -------
    reviewed, last_month : Path

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     [path.name for path in write_payments(folder)]
    ['payments.csv', 'last_month.csv']
    """
    import pandas as pd

    rng = np.random.default_rng(read_seed(seed))
    paths = []
    for name, positives, rows, first in ((REVIEWED, 120, 1_200, 1), (LAST_MONTH, 95, 38_000, 100_001)):
        fraud = rng.permutation(rows) < positives
        place = rng.normal(size=rows) + 2.6 * (fraud - 0.5)
        score = 1 / (1 + np.exp(-1.3 * (2.6 * place - np.log(9))))  # learned where one payment in ten is fraud
        table = pd.DataFrame({"payment": np.arange(first, first + rows), "score": score.round(4)})
        if name == REVIEWED:
            table.insert(1, "verdict", np.where(fraud, "fraud", "ok"))
        paths.append(Path(folder, name))
        write_whole(paths[-1], table.to_csv(index=False).encode(), over=True)
    return tuple(paths)
