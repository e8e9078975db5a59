"""Counts from four cells in one order, for tests that have them in a row."""

from evalteach.counts import Counts


def counts_of(tp, fp, fn, tn):
    return Counts(tp=tp, fp=fp, fn=fn, tn=tn)
