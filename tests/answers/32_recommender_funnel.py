"""Other right answers to the exercises of 32_recommender_funnel."""

import numpy as np


def _one_by_one(ctr, examined, order):
    clicks = 0
    for place, old in enumerate(order):
        clicks += ctr[old] / examined[old] * examined[place]
    return clicks


ANSWERS = {
    "stage_recalls": [
        lambda reached: np.exp(np.diff(np.log(reached))),
        lambda reached: 1 + np.diff(reached) / reached[:-1],
    ],
    "ranker_headroom": [
        lambda retrieved, hits, shown: np.where(retrieved > shown, shown, retrieved).sum() / hits.sum(),
        lambda retrieved, hits, shown: sum(min(found, shown) for found in retrieved) / sum(hits),
    ],
    "width_to_use": [
        lambda widths, recalls, latencies, budget: widths[np.argmax(np.where(latencies > budget, -1, recalls))],
        lambda widths, recalls, latencies, budget: max(
            (recall, width)
            for width, recall, latency in zip(widths, recalls, latencies, strict=True)
            if latency <= budget
        )[1],
    ],
    "clicks_in_new_order": [
        _one_by_one,
        lambda ctr, examined, order: np.divide(ctr, examined)[order] @ examined,
    ],
}
