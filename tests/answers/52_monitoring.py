"""Other right answers to the exercises of 52_monitoring."""

import numpy as np
from scipy.special import rel_entr
from scipy.stats import binom

from evalteach.drift import population_stability

ANSWERS = {
    "psi": [
        lambda reference, day: population_stability(reference, day),
        lambda reference, day: (
            rel_entr((day + 0.5) / (day + 0.5).sum(), (reference + 0.5) / (reference + 0.5).sum()).sum()
            + rel_entr((reference + 0.5) / (reference + 0.5).sum(), (day + 0.5) / (day + 0.5).sum()).sum()
        ),
    ],
    "settled_precision": [
        lambda right, wrong, told_right, told_wrong: 1 / (1 + (wrong / right) * (told_right / told_wrong)),
        lambda right, wrong, told_right, told_wrong: np.average(
            [1, 0], weights=[right / told_right, wrong / told_wrong]
        ),
    ],
    "sure_enough": [
        lambda loss, delay, days, training: 1 / (1 + loss * (delay - days) / training),
        lambda loss, delay, days, training: training / (loss * delay - loss * days + training),
    ],
    "rolled_back": [
        lambda days, checks, alpha: 1 - binom.pmf(0, days * checks, alpha),
        lambda days, checks, alpha: -np.expm1(days * checks * np.log1p(-alpha)),
    ],
}
