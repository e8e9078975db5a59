"""Other right answers to the exercises of this notebook: its checks have to accept them."""

from evalteach.class_ratio import at_class_ratio
from evalteach.classification import precision
from evalteach.counts import Counts


def by_the_library(tp, fp, test_ratio, production_ratio):
    # any counts of that ratio will do: what is missed or not flagged does not matter for precision
    positives = 10 * (tp + fp)
    test = Counts(tp=tp, fp=fp, fn=positives - tp, tn=positives * test_ratio - fp)
    return precision(at_class_ratio(test, production_ratio))


def by_odds(tp, fp, test_ratio, production_ratio):
    if fp == 0:
        return 1.0
    odds = tp / fp * test_ratio / production_ratio
    return odds / (1 + odds)


def by_shrinking_the_positives(tp, fp, test_ratio, production_ratio):
    rarer = tp * test_ratio / production_ratio
    return rarer / (rarer + fp)


def by_the_test_precision(tp, fp, test_ratio, production_ratio):
    share = tp / (tp + fp)
    return share / (share + (1 - share) * production_ratio / test_ratio)


def by_both_ratios(tp, fp, test_ratio, production_ratio):
    return tp * test_ratio / (tp * test_ratio + fp * production_ratio)


ANSWERS = {
    "production_precision": [
        by_the_library,
        by_odds,
        by_shrinking_the_positives,
        by_the_test_precision,
        by_both_ratios,
        lambda tp, fp, test_ratio, production_ratio: 1 - fp / (fp + tp * test_ratio / production_ratio),
    ]
}
