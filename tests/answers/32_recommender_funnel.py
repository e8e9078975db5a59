"""Other right answers to the exercises of 32_recommender_funnel."""

import numpy as np


def _panel_by_panel(one, two, picks):
    means = [np.mean(two[panel]) - np.mean(one[panel]) for panel in picks]
    low, high = np.quantile(means, 0.025), np.quantile(means, 0.975)
    return [low, high, 0 if low <= 0 <= high else 1 + (low > 0)]


def _in_per_cent(one, two, picks):
    low, high = np.percentile(two[picks].mean(axis=1) - one[picks].mean(axis=1), [2.5, 97.5])
    if low > 0:
        return np.array([low, high, 2])
    return np.array([low, high, 1 if high < 0 else 0])


ANSWERS = {
    "gain_interval": [_panel_by_panel, _in_per_cent],
    "ranker_headroom": [
        lambda retrieved, hits, shown: np.where(retrieved > shown, shown, retrieved).sum() / hits.sum(),
        lambda retrieved, hits, shown: sum(min(count, shown) for count in retrieved) / sum(hits),
    ],
    "width_to_use": [
        lambda widths, recalls, latencies, budget: widths[np.argmax(np.where(latencies > budget, -1, recalls))],
        lambda widths, recalls, latencies, budget: max(
            (recall, width)
            for width, recall, latency in zip(widths, recalls, latencies, strict=True)
            if latency <= budget
        )[1],
    ],
}
