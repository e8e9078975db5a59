"""Other right answers to the exercises of 34_boxes_and_masks: by loops and sets, and by other algebra."""

import numpy as np


def with_a_set(touched, missed):
    seen, found, precisions = set(), [], []
    for place, digit in enumerate(touched, 1):
        is_new = digit >= 0 and digit not in seen
        seen |= {digit} if is_new else set()
        found.append(is_new)
        precisions.append(len(seen) / place)
    return sum(max(precisions[i:]) for i, is_new in enumerate(found) if is_new) / (len(seen) + missed)


def from_the_end(touched, missed):
    digits, first = np.unique(touched, return_index=True)
    is_hit = np.isin(np.arange(len(touched)), first[digits >= 0])
    best, total = 0.0, 0.0
    for i in reversed(range(len(touched))):
        best = max(best, is_hit[: i + 1].sum() / (i + 1))
        total += best * is_hit[i]
    return total / (is_hit.sum() + missed)


def read_at_101(flags, objects):
    points = [(sum(flags[:k]), sum(flags[:k]) / k) for k in range(1, len(flags) + 1)]
    at = [max((p for found, p in points if found / objects >= r), default=0) for r in np.linspace(0, 1, 101)]
    return sum(at) / 101


def by_reading(hits, objects, more, more_hits):
    hits, new = list(hits), [0] * (more - more_hits) + [1] * more_hits
    return read_at_101(hits + new, objects), read_at_101(hits + new[::-1], objects)


def by_sorting(hits, objects, more, more_hits):
    new = np.repeat([0, 1], [more - more_hits, more_hits])
    lists = [np.concatenate([hits, part]).tolist() for part in (new, new[::-1])]
    return np.array([read_at_101(flags, objects) for flags in lists])


def by_walking_down(thresholds, with_code, empty, ratio, budget):
    share = ratio / (1 + ratio)
    fitting = [t for t, a, b in zip(thresholds, with_code, empty, strict=True) if a * (1 - share) + b * share <= budget]
    return sorted(fitting)[0]


def by_totals(thresholds, with_code, empty, ratio, budget):
    return thresholds[with_code + ratio * empty <= budget + budget * ratio].min()


def by_lists(overlaps, needed):
    left, total = list(range(overlaps.shape[1])), 0
    for row in overlaps:
        best = max(left, key=lambda k: row[k], default=None)
        if best is not None and row[best] >= needed:
            left.remove(best)
            total += 1
    return total


def by_crossing_out(overlaps, needed):
    left, total = overlaps.astype(float), 0
    for i in range(len(left)):
        if left[i].max() >= needed:
            left[:, left[i].argmax()] = -1
            total += 1
    return total


ANSWERS = {
    "detection_ap": [with_a_set, from_the_end],
    "ap_after_flood": [by_reading, by_sorting],
    "threshold_for_budget": [by_walking_down, by_totals],
    "number_of_true_positives": [by_lists, by_crossing_out],
}
