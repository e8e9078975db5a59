"""Other right answers to the exercises of 09_recalibration: by other algebra, or by another library."""

import numpy as np
from scipy.special import expit, logit
from scipy.stats import sem

from evalteach.calibration import sharpen_probability, shift_probability


def from_variances(first, second):
    n = first.size
    covariance = np.cov(first, second)
    return np.sqrt((covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]) / n)


ANSWERS = {
    "after_sampling": [
        lambda q, kept: q * kept / (q * kept + 1 - q),
        lambda q, kept: expit(logit(q) + np.log(kept)),
        lambda q, kept: shift_probability(q, kept, 1),
    ],
    "paired_error": [
        lambda first, second: sem(first - second),
        lambda first, second: np.std(second - first, ddof=1) * first.size**-0.5,
        from_variances,
    ],
    "cooled": [
        lambda q, temperature: sharpen_probability(q, 1 / temperature),
        lambda q, temperature: q ** (1 / temperature) / (q ** (1 / temperature) + (1 - q) ** (1 / temperature)),
    ],
}
