"""What several test files share: counts from four cells in one order, and small cases worked by hand."""

import math
from functools import partial

import numpy as np
from hypothesis import strategies as st

from evalteach.classification import fbeta, net_gain
from evalteach.counts import Counts

# sixteen machines, five of which will fail; the test positives come in at k = 1, 3, 4, 8 and 14
MACHINES = np.array([96, 91, 88, 83, 77, 71, 66, 60, 52, 47, 41, 35, 29, 22, 15, 8]) / 100
FAILED = np.array([0.97, 0.90, 0.85, 0.63, 0.25])
GOALS = {
    "F1": fbeta,
    "F0.5": partial(fbeta, beta=0.5),
    "F2": partial(fbeta, beta=2),
    "cheap alarms": partial(net_gain, alarm_cost=0.05),
    "dear alarms": partial(net_gain, alarm_cost=0.6),
}
TICKETS = np.array([[6, 1, 0], [1, 2, 0], [1, 0, 1]])  # actual: password, billing, fraud


def counts_of(tp, fp, fn, tn):
    return Counts(tp=tp, fp=fp, fn=fn, tn=tn)


def usable(positives, unlabeled):
    """Threshold, recall and rows flagged of every threshold there is, from none flagged to all."""
    thresholds = [math.inf, *sorted(set(unlabeled.tolist()), reverse=True)]
    return [(t, np.mean(positives >= t), int(np.sum(unlabeled >= t))) for t in thresholds]


def value_of(metric, share, size, k, n):
    """The metric of explicit counts, with no curve in between."""
    tp = share * size
    return metric(Counts._trusted(tp, k - tp, size - tp, n - k - size + tp))


def rows_of(matrix):
    """Labels of a confusion matrix, one a row: actual, predicted."""
    n = len(matrix)
    actual, predicted = np.divmod(np.arange(n * n), n)
    return actual.repeat(matrix.ravel()), predicted.repeat(matrix.ravel())


@st.composite
def matrices(draw, least=0):
    n = draw(st.integers(2, 5))
    cells = draw(st.lists(st.integers(least, 30), min_size=n * n, max_size=n * n))
    return np.array(cells).reshape(n, n)
