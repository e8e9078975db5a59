"""Other right answers to the exercises of 07_calibration: by other algebra, or by another library."""

import numpy as np
from scipy.special import expit, logit

from evalteach.calibration import sharpen_probability, shift_probability


def cheaper_flagged(p, alarm_cost, miss_cost):
    return sum(1 for each in p if (1 - each) * alarm_cost <= each * miss_cost * (1 + 1e-12))


ANSWERS = {
    "calibration_error": [
        lambda rows, mean, share: np.dot(rows / rows.sum(), np.maximum(mean, share) - np.minimum(mean, share)),
        lambda rows, mean, share: np.mean(np.repeat(np.abs(mean - share), rows)),
        lambda rows, mean, share: np.sum(rows * np.abs(mean - share)) / np.sum(rows),
    ],
    "after_sampling": [
        lambda q, kept: q * kept / (q * kept + 1 - q),
        lambda q, kept: expit(logit(q) + np.log(kept)),
        lambda q, kept: shift_probability(q, kept, 1),
    ],
    "worth_flagging": [
        cheaper_flagged,
        lambda p, alarm_cost, miss_cost: np.count_nonzero(alarm_cost / (alarm_cost + miss_cost) <= p),
    ],
    "cooled": [
        lambda q, temperature: sharpen_probability(q, 1 / temperature),
        lambda q, temperature: q ** (1 / temperature) / (q ** (1 / temperature) + (1 - q) ** (1 / temperature)),
    ],
}
