"""Other right answers to the exercises of this notebook: its checks have to accept them."""

import numpy as np
from scipy.stats import mannwhitneyu, rankdata, somersd
from sklearn.metrics import auc, roc_auc_score, roc_curve


def pair_by_pair(queue):
    """Every positive wins against the negatives that come after it."""
    won = sum(np.sum(queue[i + 1 :] == 0) for i in range(len(queue)) if queue[i] == 1)
    return won / (np.sum(queue == 1) * np.sum(queue == 0))


def pairs_with_nothing_to_beat(auc, lost_positives, lost_negatives):
    against_kept = (1 - lost_positives) * auc
    against_lost = 1 - lost_positives / 2
    return (1 - lost_negatives) * against_kept + lost_negatives * against_lost


def on_three_scores(auc, lost_positives, lost_negatives):
    """Each class as a mixture: lost rows at 0, kept ones at a score that wins with the wanted chance."""
    positives = [lost_positives, 1 - lost_positives]
    wins = [[0.5, 0], [1, auc]]
    return np.array(positives) @ wins @ [lost_negatives, 1 - lost_negatives]


def mean_rank(y_true, y_score):
    ranks = rankdata(y_score)
    return (ranks[y_true == 1].mean() - ranks[y_true == 0].mean()) / len(y_true) + 0.5


def by_concordance(y_true, columns):
    return int(np.argmax([abs(somersd(y_true, column).statistic) for column in columns.T]))


def by_pairs(y_true, columns):
    signs = np.sign(columns[y_true == 1][:, None] - columns[y_true == 0][None])
    return np.abs(signs.mean(axis=(0, 1))).argmax()


ANSWERS = {
    "area_of_queue": [lambda queue: roc_auc_score(queue, -np.arange(len(queue))), pair_by_pair],
    "area_with_missing": [pairs_with_nothing_to_beat, on_three_scores],
    "area_by_ranks": [
        mean_rank,
        lambda y_true, y_score: auc(*roc_curve(y_true, y_score)[:2]),
        lambda y_true, y_score: (
            mannwhitneyu(y_score[y_true == 1], y_score[y_true == 0]).statistic
            / (np.sum(y_true == 1) * np.sum(y_true == 0))
        ),
    ],
    "strongest_column": [by_concordance, by_pairs],
}
