"""What share of judged answers is good, if a judge gave verdicts on all of them and people labels for some."""

import math
from typing import NamedTuple

import numpy as np

from evalteach._inputs import check_between, check_choice, read_seed, read_whole
from evalteach.classification import precision
from evalteach.counts import Counts, check_counts, check_rows
from evalteach.prevalence import adjusted_count

DRAWS = 20_000


class JudgedRate(NamedTuple):
    """Share of good answers: its estimate, and the two ends of its interval."""

    estimate: float
    low: float
    high: float


def judged_rate(n_passed, n_judged, labeled, *, drawn=True, confidence=0.95, seed=0):
    """Share of good answers behind a judge's pass rate, corrected by labels of people, with an interval.

    Parameters
    ----------
    n_passed : int
        Answers that the judge passed.
    n_judged : int
        Answers that the judge gave a verdict on, 1 or more.
    labeled : Counts
        Answers with a label, in rows: tp good and passed, fp bad and passed, fn good and failed, tn bad and failed.
    drawn : bool
        Where the labeled answers come from, which decides what they can say about the judged ones.

        True: they were drawn at random from the judged answers, or at random from those that passed and from those that
        failed. They are part of ``n_judged`` and ``n_passed``.
        False: they come from elsewhere, say from a test set with another share of good answers, and are not counted in
        ``n_judged``. Only sensitivity and specificity are taken from them.
    confidence : float
        Nominal level (between 0 and 1).
    seed : int, list of int, or numpy Generator
        Of the random numbers behind the interval: 20,000 draws, so that another seed moves an end by about 2 % of the
        width.

    Returns
    -------
    JudgedRate
        With ``estimate``, ``low`` and ``high``, of the process that the judged answers come from: of these answers
        alone the interval is conservative.

    Raises
    ------
    ValueError
        For numbers that are not whole or do not fit together, weights instead of rows, Counts of arrays, or a
        ``confidence`` out of range; and with ``drawn=True`` if more passed or failed answers are labeled than there
        are.

    Notes
    -----
    With the pass rate p = n_passed / n_judged and the labels' PPV = tp / (tp + fp), NPV = tn / (tn + fn),
    sensitivity se = tp / (tp + fn) and specificity sp = tn / (tn + fp), the estimate is

        drawn=True      p PPV + (1 - p) (1 - NPV)       (post-stratified)
        drawn=False     (p + sp - 1) / (se + sp - 1)    (Rogan and Gladen: ``prevalence.adjusted_count``)

    drawn=True: the estimate is nan if a verdict occurs among the judged answers, but not among the labeled ones. The
    interval is then wide, since all or none of these may be good. Without any label all three are nan.

    drawn=False: the estimate is not clipped, and beyond 0 or 1 it says that chance is at work, or that the judge's
    rates are others here; the ends of the interval are clipped. Where se + sp = 1 it is nan. If se + sp is below 1, the
    verdicts are read the other way round; if chance may decide which way, the interval is all of 0 to 1. Both ends are
    nan if all of it would lie outside of 0 to 1: no share of good answers is behind this pass rate with such
    sensitivities and specificities, so they do not hold for the judged answers. Without labels of a class all three are
    nan.

    The interval is made of draws of each rate, put into the formula. A rate of k in n is drawn from Beta(k, n - k) with
    one more answer, which a coin calls a success or a failure: a mixture of the two distributions whose ends are those
    of Clopper and Pearson's interval. In simulations with 20 to 200 labels and shares from .02 to .99 the nominal 95 %
    contained the share in 94 % to 100 % of the draws. With Beta(k + 1/2, n - k + 1/2) instead it would have been down
    to 84 %, where 20 labels are drawn and 99 % of the answers are good.

    References
    ----------
    Rogan & Gladen (1978), American Journal of Epidemiology 107(1), 71-76.
    Little (1993), Journal of the American Statistical Association 88(423), 1001-1012 (post-stratification).
    Fay, Proschan & Brittain (2015), Biometrics 71(1), 146-156 (intervals from draws of Clopper and Pearson's ends).
    Derived in notebooks/61_judges.ipynb. Coverage simulated in tests/benchmarks/coverage.py.

    Examples
    --------
    >>> calibration = Counts(tp=18, fp=6, fn=2, tn=14)
    >>> elsewhere = judged_rate(62, 100, calibration, drawn=False)
    >>> round(elsewhere.estimate, 4)
    0.5333
    >>> drawn = judged_rate(62, 100, calibration)
    >>> round(drawn.estimate, 4)
    0.5125
    """
    n_judged = read_whole("n_judged", n_judged, 1, math.inf, "a whole number, 1 or more")
    n_passed = read_whole("n_passed", n_passed, 0, n_judged)
    _check_labeled(labeled)
    check_choice("drawn", drawn, (True, False))
    tail = (1 - check_between("confidence", confidence, 0, 1)) / 2
    rng = np.random.default_rng(read_seed(seed))
    if drawn:
        _check_part("passed", labeled.tp + labeled.fp, "n_passed", n_passed)
        _check_part("failed", labeled.fn + labeled.tn, "n_judged - n_passed", n_judged - n_passed)
        estimate = _post_stratified(n_passed / n_judged, *_shares(labeled))
        if not labeled.tp + labeled.fp + labeled.fn + labeled.tn:
            return JudgedRate(math.nan, math.nan, math.nan)
        sides = _draws(labeled.tp, labeled.fp, rng), _draws(labeled.fn, labeled.tn, rng)
        low, high = _ends(_post_stratified(_draws(n_passed, n_judged - n_passed, rng), *sides), tail)
        return JudgedRate(estimate, low, high)
    estimate = adjusted_count(labeled, n_passed / n_judged)
    if not (labeled.tp + labeled.fn and labeled.tn + labeled.fp):
        return JudgedRate(math.nan, math.nan, math.nan)
    se, sp = _draws(labeled.tp, labeled.fn, rng), _draws(labeled.tn, labeled.fp, rng)
    least, most = _ends(se + sp - 1, tail)
    if least <= 0 <= most:  # perhaps the judge cannot tell good from bad
        return JudgedRate(estimate, 0.0, 1.0)
    rates = Counts._trusted(tp=se, fp=1 - sp, fn=1 - se, tn=sp)
    low, high = _ends(adjusted_count(rates, _draws(n_passed, n_judged - n_passed, rng)), tail)
    if low > 1 or high < 0:
        return JudgedRate(estimate, math.nan, math.nan)
    return JudgedRate(estimate, max(low, 0.0), min(high, 1.0))


def _post_stratified(pass_rate, good_if_passed, good_if_failed):
    """Share of good answers; a verdict that no answer got adds nothing, whatever is unknown about it."""
    passed = np.where(np.equal(pass_rate, 0), 0.0, np.multiply(pass_rate, good_if_passed))
    failed = np.where(np.equal(pass_rate, 1), 0.0, np.multiply(np.subtract(1, pass_rate), good_if_failed))
    share = passed + failed
    return share if share.ndim else float(share)


def _shares(labeled):
    """Parts of the labeled answers that are good, among those that passed and those that failed."""
    turned = Counts(tp=labeled.fn, fp=labeled.tn, fn=labeled.tp, tn=labeled.fp)
    return precision(labeled), precision(turned)


def _draws(successes, failures, rng):
    """Plausible values of a rate: of a beta distribution, with one more row, which a coin calls a success or not."""
    coin = rng.integers(0, 2, DRAWS)
    # as two gammas, which may be 0 where a beta distribution would not be defined: the rate is then 0 or 1
    one, other = rng.standard_gamma(successes + coin), rng.standard_gamma(failures + 1 - coin)
    return one / (one + other)


def _ends(draws, tail):
    low, high = np.quantile(draws, [tail, 1 - tail]).tolist()
    return low, high


def _check_labeled(labeled):
    check_counts(labeled, "labeled")
    if np.ndim(labeled.tp):
        raise ValueError(f"labeled must be Counts of four numbers, got shape {np.shape(labeled.tp)}; pass one entry")
    check_rows(labeled)


def _check_part(verdict, n_labeled, name, most):
    if n_labeled > most:
        raise ValueError(
            f"labeled has {n_labeled} answers that {verdict}, more than {name}, which is {most}; with drawn=True the "
            "labeled answers are some of the judged ones and counted there"
        )
