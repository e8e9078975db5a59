"""Other right answers to the exercises of 15_two_models: by other algebra, or by another library."""

import numpy as np
from sklearn.metrics import roc_auc_score

from evalteach import UnlabeledCurve


def by_recall_at(tests, rows, budget):
    recalls = [UnlabeledCurve(*pair).recall_at(budget) for pair in zip(tests, rows, strict=True)]
    return max(range(len(recalls)), key=recalls.__getitem__)


def by_rows_above(tests, rows, budget):
    """A test positive is flagged if fewer than ``budget`` rows score higher."""
    flagged = []
    for positives, scores in zip(tests, rows, strict=True):
        flagged.append(sum(np.sum(scores > score) < budget for score in positives))
    return int(np.argmax(flagged))


def by_sorted_rows(tests, rows, budget):
    """Sorts each model's rows from high to low; ``max`` keeps the first of equal counts."""
    thresholds = [sorted(scores, reverse=True)[budget - 1] for scores in rows]
    counts = [sum(score >= limit for score in scores) for scores, limit in zip(tests, thresholds, strict=True)]
    return counts.index(max(counts))


def by_scikit_learn(scores, positive, learned, new):
    held_out = np.logical_and(positive, np.logical_not(learned))
    y_true = np.repeat([1, 0], [held_out.sum(), new.sum()])
    areas = [roc_auc_score(y_true, np.append(score[held_out], score[new])) for score in scores]
    return int(np.argmax(areas))


def by_pairs(scores, positive, learned, new):
    held_out, others = scores[:, positive & ~learned], scores[:, new]
    return np.sign(held_out[:, :, None] - others[:, None, :]).mean(axis=(1, 2)).argmax()


def of_the_gains(only_b, only_a, alike, N):
    gains = np.repeat([1, -1, 0], [only_b + 1, only_a + 1, alike])
    reach = 1.96 * gains.std() / np.sqrt(gains.size) * np.sqrt(1 + (gains.size - 2) / N)
    return gains.mean() - reach, gains.mean() + reach


def as_bonett_and_price(only_b, only_a, alike, N):
    size = only_b + only_a + alike + 2
    b, a = (only_b + 1) / size, (only_a + 1) / size
    sd = np.sqrt((b + a - (b - a) ** 2) / size * (1 + (size - 2) / N))
    return np.array([b - a - 1.96 * sd, b - a + 1.96 * sd])


ANSWERS = {
    "model_for_budget": [by_recall_at, by_rows_above, by_sorted_rows],
    "lead_interval": [of_the_gains, as_bonett_and_price],
    "candidate_by_area": [by_scikit_learn, by_pairs],
}
