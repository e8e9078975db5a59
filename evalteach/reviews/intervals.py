"""How sure an estimated total is: its variance, and an interval that also covers what no review has shown."""

import math

import numpy as np

from evalteach._inputs import check_between
from evalteach._intervals import clopper_pearson


def correlation_of_totals(y_true, probability, strata, within):
    """Correlation of two estimated totals, the positives ``within`` and all others: 0 if either does not vary."""
    open_strata = [unsure for members in strata if (unsure := members[probability[members] < 1]).size > 1]
    inside, outside = ((y_true & part) / probability for part in (within, ~within))
    covariance, *variances = (
        hajek_covariance(probability, open_strata, *pair)
        for pair in ((inside, outside), (inside, inside), (outside, outside))
    )
    scale = math.sqrt(variances[0]) * math.sqrt(variances[1])
    return max(covariance / scale, -1.0) if scale else 0.0


def hajek_covariance(probability, open_strata, one, other):
    """Hájek's covariance of two sums over samples of fixed size; nan if a stratum has a single review."""
    covariance = 0.0
    for members in open_strata:
        doubt, n = 1 - probability[members], members.size
        spreads = (part[members] - np.sum(doubt * part[members]) / np.sum(doubt) for part in (one, other))
        covariance += n / (n - 1) * float(np.sum(doubt * math.prod(spreads))) if n > 1 else math.nan
    return covariance


def simple_random_part(probability, open_strata):
    """Rows that are all the doubt there is, if they are a simple random sample of their like; else None."""
    if len(open_strata) == 1 and np.ptp(p := probability[open_strata[0]]) <= 1e-9 * p.max():
        return open_strata[0]
    return None


def heaviest(probability):
    """Rows that the most thinly drawn of some reviewed rows stands for, beside itself."""
    return 1 / probability.min(initial=1.0) - 1


def tail_of(confidence):
    """Probability beyond each end of an interval at this level."""
    return (1 - check_between("confidence", confidence, 0, 1)) / 2


def variance_matched(total, variance, *, n_rows, n_reviewed, heaviest_yes, heaviest_no, tail):
    """Ends of the interval of a total with this variance: Korn and Graubard's, with one more hit on either side."""
    share, off = min(total / n_rows, 1.0), math.sqrt(variance) / n_rows
    effective = _effective_reviews(share, off, n_reviewed)
    high = _one_more_hit(share, effective, heaviest_no / n_rows, tail)
    # an estimate near all rows, or above, would leave the lower end no negatives to go by
    share = max(0.0, min(share, 1 - off))
    effective = _effective_reviews(share, off, n_reviewed)
    low = 1 - _one_more_hit(1 - share, effective, heaviest_yes / n_rows, tail)
    return n_rows * low, n_rows * high


def _effective_reviews(share, sd, n_reviewed):
    """Simple random reviews whose share has this standard deviation (Korn and Graubard)."""
    # without a spread (nothing found, or everything positive) there is only the number of reviews to go by
    return share * (1 - share) / sd**2 if sd > 1e-9 * share else n_reviewed


def _one_more_hit(share, effective, weight, tail):
    """Upper end of a share, with one hit more than found that weighs so much of all (Fay and Feuer)."""
    hits, more = share * effective, max(1.0, weight * effective)  # at least as heavy as an average review
    scale = (hits + more**2) / (hits + more)
    hits, effective = (hits + more) / scale - 1, effective / scale
    return clopper_pearson(hits, max(0.0, effective - hits), tail)[1]
