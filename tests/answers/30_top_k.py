"""Other right answers to the exercises of 30_top_k."""

import numpy as np

from evalteach import ranking


def _expected(relevance, k_phone, k_laptop, phones):
    weights = np.where(np.arange(1, relevance.size + 1) <= k_laptop, 1 - phones, 0.0)
    weights[:k_phone] += phones
    return float(relevance @ weights)


ANSWERS = {
    "found_in_top": [
        lambda relevance, k: ranking.recall_at_k(relevance, k),
        lambda relevance, k: sum(grade > 0 for grade in relevance.tolist()[:k]) / np.count_nonzero(relevance > 0),
    ],
    "ranker_for_screens": [
        lambda first, second, k_phone, k_laptop, phones: int(
            _expected(second, k_phone, k_laptop, phones) > _expected(first, k_phone, k_laptop, phones)
        ),
        lambda first, second, k_phone, k_laptop, phones: int(
            phones * (sum(second[:k_phone]) - sum(first[:k_phone]))
            > (1 - phones) * (sum(first[:k_laptop]) - sum(second[:k_laptop]))
        ),
    ],
    "mean_with_empty_users": [
        lambda mean, users, undefined: mean - mean * undefined / users,
        lambda mean, users, undefined: float(np.mean([mean] * (users - undefined) + [0] * undefined)),
    ],
    "reachable_average": [
        lambda relevance, k: ranking.average_precision_by_reachable(relevance, k),
        lambda relevance, k: (
            sum(relevance[:i].mean() for i in range(1, k + 1) if relevance[i - 1]) / min(relevance.sum(), k)
        ),
    ],
}
