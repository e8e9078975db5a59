"""Other right answers to the exercises of 30_top_k."""

import numpy as np

from evalteach import ranking


def _by_library(recommended, relevant, k):
    labels = [item in relevant and item not in recommended[:i] for i, item in enumerate(recommended)]
    missed = [1] * len(set(relevant) - set(recommended))
    return ranking.average_precision_by_reachable(labels, k, missed=missed)


def _with_a_dictionary(items, scores, liked, k):
    best = {}
    for item, score, like in zip(items.tolist(), scores.tolist(), liked.tolist(), strict=True):
        if item not in best or score > best[item][0]:
            best[item] = score, like
    top = sorted(best.values(), key=lambda row: -row[0])[:k]
    return sum(like for _, like in top) / len({*items[liked == 1].tolist()})


def _with_pandas(items, scores, liked, k):
    import pandas as pd

    log = pd.DataFrame({"user": 1, "item": items, "score": scores, "relevance": liked})
    log = log.sort_values("score", ascending=False, kind="stable").drop_duplicates("item")
    return ranking.per_user(log, k, metrics=["recall"])["recall"].iloc[0]


def _by_the_share_of_each_tie(relevance, score, k):
    order = np.argsort(-score, kind="stable")
    shares = np.array([relevance[score == value].mean() for value in score[order][:k]])
    return shares.mean()


ANSWERS = {
    "ap_from_items": [
        _by_library,
        lambda recommended, relevant, k: (
            sum(
                len({*recommended[:i]} & {*relevant}) / i
                for i in range(1, min(k, len(recommended)) + 1)
                if recommended[i - 1] in relevant and recommended.index(recommended[i - 1]) == i - 1
            )
            / min(len(relevant), k)
        ),
    ],
    "recall_of_log": [_with_a_dictionary, _with_pandas],
    "precision_over_ties": [
        _by_the_share_of_each_tie,
        lambda relevance, score, k: (
            sum(
                relevance[score == value].sum() * min(1, max(0, k - np.sum(score > value)) / np.sum(score == value))
                for value in np.unique(score)
            )
            / k
        ),
    ],
}
