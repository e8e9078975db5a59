"""Other right answers to the exercises of this notebook: its checks have to accept them."""

from evalteach.class_ratio import at_class_ratio
from evalteach.classification import precision
from evalteach.counts import Counts


def by_the_library(tp, fp, times):
    test = Counts(tp=tp, fp=fp, fn=0, tn=0.5)
    return precision(at_class_ratio(test, (fp + 0.5) * times / tp))


ANSWERS = {
    "precision_after_pouring": [
        by_the_library,
        lambda tp, fp, times: 1 / (1 + times * fp / tp),
    ]
}
