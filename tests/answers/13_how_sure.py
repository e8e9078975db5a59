"""Other right answers to the exercises of 13_how_sure."""

import numpy as np
from scipy.stats import betabinom


def _last_kept(R, m, N, wanted):
    for k in range(len(R), 0, -1):
        variance = R[k - 1] * (1 - R[k - 1]) * (m + N) / (m * N)
        if (R[k - 1] - 1.96 * variance**0.5) * N >= wanted * k:
            return k
    return 0


def _band_ends(R, m, N, wanted):
    spread = 1.96 * np.sqrt(R / m + R / N - R**2 / m - R**2 / N)
    kept = [k for k, low in enumerate(R - spread, start=1) if N * low / k >= wanted]
    return kept[-1] if kept else 0


ANSWERS = {
    "cards_above": [
        lambda m, N, k: betabinom.mean(m, k, N - k + 1),
        lambda m, N, k: m * (1 - (N - k + 1) / (N + 1)),
    ],
    "sd_of_estimate": [
        lambda hits, m, N, k: (
            np.hypot(N / np.sqrt(m), np.sqrt(N)) / k * np.sqrt((hits + 0.5) * (m - hits + 0.5)) / (m + 1)
        ),
        lambda hits, m, N, k: ((hits + 0.5) * (m - hits + 0.5) * N * (m + N) / m) ** 0.5 / ((m + 1) * k),
    ],
    "positives_to_label": [
        lambda R, half: int(np.ceil((R - R**2) * 1.96**2 / half**2)),
        lambda R, half: -(-((np.sqrt(R * (1 - R)) * 1.96 / half) ** 2) // 1),
    ],
    "rows_with_promise": [_last_kept, _band_ends],
}
