"""Other right answers to the exercises of 50_online_experiments."""

import numpy as np
import pandas as pd
from scipy.stats import chi2

ANSWERS = {
    "false_alarms": [
        lambda z, days, limit: np.mean(np.abs(np.take(z, np.subtract(days, 1), axis=0)).max(axis=0) > limit),
        lambda z, days, limit: (
            sum(any(abs(z[day - 1, test]) > limit for day in days) for test in range(z.shape[1])) / z.shape[1]
        ),
        lambda z, days, limit: pd.DataFrame(z, index=range(1, len(z) + 1)).loc[days].abs().gt(limit).any().mean(),
    ],
    "split_is_fine": [
        lambda counts, planned: (
            not (
                chi2.sf(
                    sum(
                        (count - counts.sum() * part / sum(planned)) ** 2 / (counts.sum() * part / sum(planned))
                        for count, part in zip(counts, planned, strict=True)
                    ),
                    len(counts) - 1,
                )
                < 0.001
            )
        ),
        lambda counts, planned: (
            chi2.isf(0.001, counts.size - 1)
            >= (counts**2 / (planned / planned.sum())).sum() / counts.sum() - counts.sum()
        ),
    ],
    "ship": [
        lambda primary_low, lows, highs, margins: min(primary_low, np.min(lows + margins)) > 0,
        lambda primary_low, lows, highs, margins: (
            not (primary_low <= 0 or any(low <= -most for low, most in zip(lows, margins, strict=True)))
        ),
    ],
    "ratio_error": [
        lambda clicks, views: np.sqrt(clicks.size) * np.std(clicks - clicks.sum() / views.sum() * views) / views.sum(),
        lambda clicks, views: float(np.linalg.norm(clicks / views.sum() - clicks.sum() * views / views.sum() ** 2)),
    ],
}
