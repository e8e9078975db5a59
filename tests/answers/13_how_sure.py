"""Other right answers to the exercises of 13_how_sure."""

import math

import numpy as np


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


def _clipped_ends(R, m, N, wanted):
    ranks = np.arange(1, len(R) + 1)
    low = np.clip(N / ranks * (R - 1.96 * np.sqrt(R * (1 - R) * (1 / m + 1 / N))), 0, 1)
    return max((k for k in ranks if low[k - 1] >= wanted), default=0)


def _by_recall(hits, m, N, k, real):
    R = (2 * hits + 1) / (2 * m + 2)
    return (real / N - R) / math.sqrt(R * (1 - R) * (m + N) / (m * N))


def _by_counts(hits, m, N, k, real):
    R = (hits + 0.5) / (m + 1)
    return (real - N * R) / np.sqrt(N**2 * (R - R**2) / m + N * (R - R**2))


def _plan(R, N, k, half):
    variance = (half * k / (1.96 * N)) ** 2
    floor = (R - R**2) / N
    return math.inf if variance <= floor else math.ceil((R - R**2) / (variance - floor))


def _plan_in_precision(R, N, k, half):
    one = R * (1 - R) * (1.96 * N / k) ** 2  # variance, times 1.96 squared, from a single test positive
    rest = half**2 - one / N
    return -(-one // rest) if rest > 0 else float("inf")


ANSWERS = {
    "gap_in_sds": [_by_recall, _by_counts],
    "positives_to_label": [_plan, _plan_in_precision],
    "rows_with_promise": [_last_kept, _band_ends, _clipped_ends],
}
