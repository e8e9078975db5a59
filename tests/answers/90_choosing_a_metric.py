"""Other right answers to the exercises of 90_choosing_a_metric."""

import numpy as np

from evalteach.reviews.estimates import horvitz_thompson


def f1_gap_is_linear_in_the_ratio(recall_a, fpr_a, recall_b, fpr_b):
    # 1 / F1 = (1 + recall) / (2 recall) + ratio * fpr / (2 recall): two straight lines cross
    starts = [(1 + recall) / recall for recall in (recall_a, recall_b)]
    slopes = [fpr_a / recall_a, fpr_b / recall_b]
    return (starts[1] - starts[0]) / (slopes[0] - slopes[1])


def solved_as_an_equation(recall_a, fpr_a, recall_b, fpr_b):
    return float(np.linalg.solve([[recall_a * fpr_b - recall_b * fpr_a]], [recall_b - recall_a])[0])


def by_the_review_estimate(called_good, called_bad, right, seen_good, wrong, seen_bad):
    answers = np.repeat([1, 0, 1, 0], [right, seen_good - right, wrong, seen_bad - wrong])
    stratum = np.repeat([0, 1], [seen_good, seen_bad])
    chances = np.repeat([seen_good / called_good, seen_bad / called_bad], [seen_good, seen_bad])
    total = called_good + called_bad
    return horvitz_thompson(answers, chances, total, stratum=stratum).total / total


ANSWERS = {
    "ratio_of_equal_f1": [f1_gap_is_linear_in_the_ratio, solved_as_an_equation],
    "fraud_model": [
        lambda first, second, k: int((second - first)[:k].sum() > 1e-12),
        lambda first, second, k: int(first @ (np.arange(first.size) < k) < second @ (np.arange(second.size) < k)),
    ],
    "good_after_review": [
        by_the_review_estimate,
        lambda called_good, called_bad, right, seen_good, wrong, seen_bad: np.average(
            [right / seen_good, wrong / seen_bad], weights=[called_good, called_bad]
        ),
    ],
}
