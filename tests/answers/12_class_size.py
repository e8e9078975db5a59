"""Other right answers to the exercises of 12_class_size."""

import numpy as np

from evalteach import UnlabeledCurve


def _last_good(recalls, N, wanted):
    for k in range(len(recalls), 0, -1):
        if recalls[k - 1] * N / k >= wanted:
            return k
    return 0


ANSWERS = {
    "share_found_at": [
        lambda tests, rows, k: UnlabeledCurve(tests, rows).recall_at(k),
        lambda tests, rows, k: sum(score >= sorted(rows, reverse=True)[k - 1] for score in tests) / len(tests),
    ],
    "rows_to_pass": [
        _last_good,
        lambda recalls, N, wanted: int(
            np.append(0, np.flatnonzero(np.divide(recalls * N, np.arange(1, recalls.size + 1)) >= wanted) + 1)[-1]
        ),
    ],
    "largest_size_error": [
        lambda R, P, tp: max(0, (1 - P) / tp - (1 - R) / tp) ** 0.5,
        lambda R, P, tp: 0 if P >= R else float(np.sqrt((R - P) / tp)),
    ],
}
