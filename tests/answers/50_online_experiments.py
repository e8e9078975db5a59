"""Other right answers to the exercises of 50_online_experiments."""

import numpy as np
from scipy.stats import norm

from evalteach.experiments import users_per_arm

ANSWERS = {
    "users_an_arm": [
        lambda base, lift, power: users_per_arm(base, lift, power=power),
        lambda base, lift, power: (
            ((norm.isf(0.025) + norm.isf(1 - power)) / lift) ** 2
            * ((1 - base) / base + (1 + lift) * (1 - base * (1 + lift)) / base)
        ),
    ],
    "ship": [
        lambda primary_low, lows, highs, margins: min(primary_low, np.min(lows + margins)) > 0,
        lambda primary_low, lows, highs, margins: (
            not (primary_low <= 0 or any(low <= -most for low, most in zip(lows, margins, strict=True)))
        ),
    ],
    "gain": [
        lambda n, rooms, p_a, p_b: np.minimum(rooms / n, p_b) / np.minimum(rooms / n, p_a) - 1,
        lambda n, rooms, p_a, p_b: (
            (sorted((rooms, n * p_b))[0] - sorted((rooms, n * p_a))[0]) / np.fmin(rooms, n * p_a)
        ),
    ],
    "ratio_error": [
        lambda clicks, views: np.sqrt(clicks.size) * np.std(clicks - clicks.sum() / views.sum() * views) / views.sum(),
        lambda clicks, views: float(np.linalg.norm(clicks / views.sum() - clicks.sum() * views / views.sum() ** 2)),
    ],
}
