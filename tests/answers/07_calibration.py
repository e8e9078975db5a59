"""Other right answers to the exercises of 07_calibration: by other algebra, or by another library."""

import math

import numpy as np
from scipy.stats import binom


def cheaper_flagged(p, alarm_cost, miss_cost):
    return sum(1 for each in p if (1 - each) * alarm_cost <= each * miss_cost * (1 + 1e-12))


def one_by_one(misses, bins, miss_rate):
    return sum(math.comb(bins, k) * miss_rate**k * (1 - miss_rate) ** (bins - k) for k in range(misses, bins + 1))


ANSWERS = {
    "perfect_distance": [
        lambda q, uniform: abs(sum(uniform < q) - sum(q)) / len(q),
        lambda q, uniform: np.abs(np.mean(np.where(q > uniform, 1 - q, -q))),
        lambda q, uniform: max(np.mean(q) - np.mean(uniform < q), np.mean(uniform < q) - np.mean(q)),
    ],
    "worth_flagging": [
        cheaper_flagged,
        lambda p, alarm_cost, miss_cost: np.count_nonzero(alarm_cost / (alarm_cost + miss_cost) <= p),
    ],
    "chance_of_misses": [
        one_by_one,
        lambda misses, bins, miss_rate: binom.sf(misses - 1, bins, miss_rate),
        lambda misses, bins, miss_rate: binom.cdf(bins - misses, bins, 1 - miss_rate),
    ],
}
