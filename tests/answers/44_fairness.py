"""Other right answers to the exercises of 44_fairness: by other algebra, or by another library."""

import numpy as np
from scipy.special import expit, logit
from scipy.stats import norm
from statsmodels.stats.proportion import confint_proportions_2indep


def one_after_the_other(older, younger, threshold):
    recall = np.mean(older >= threshold)
    return max(score for score in younger if np.mean(younger >= score) >= recall)


def by_whole_numbers(older, younger, threshold):
    hits = int(np.sum(older >= threshold))
    return np.sort(younger)[-max(1, -(-hits * younger.size // older.size))]


def by_added_people(hits, m, other_hits, other_m):
    groups = [np.repeat([1, 0], [h + 1, n - h + 1]) for h, n in [(hits, m), (other_hits, other_m)]]
    gap = groups[0].mean() - groups[1].mean()
    reach = 1.96 * np.sqrt(sum(group.var() / group.size for group in groups))
    return gap - reach, gap + reach


ANSWERS = {
    "same_recall_threshold": [one_after_the_other, by_whole_numbers],
    "other_group_precision": [
        lambda precision_one, share, other_share: expit(logit(precision_one) + logit(other_share) - logit(share)),
        lambda precision_one, share, other_share: (
            1 / (1 + (1 - precision_one) / precision_one * share / (1 - share) * (1 - other_share) / other_share)
        ),
        lambda precision_one, share, other_share: (
            precision_one
            * other_share
            / share
            / (precision_one * other_share / share + (1 - precision_one) * (1 - other_share) / (1 - share))
        ),
    ],
    "recall_gap_interval": [
        by_added_people,
        lambda hits, m, other_hits, other_m: np.array(
            confint_proportions_2indep(hits, m, other_hits, other_m, method="agresti-caffo", alpha=2 * norm.sf(1.96))
        ),
    ],
}
