"""61_judges: corrections, variances and laws against linear algebra, statsmodels, scikit-learn, and search."""

import numpy as np
import pytest
import statsmodels.api as sm
from scipy.optimize import minimize_scalar
from scipy.stats import beta, kstest
from sklearn.metrics import matthews_corrcoef

from evalteach import Counts
from evalteach.judged import judged_rate

CASES = 150


@pytest.fixture(scope="module")
def judges(derived):
    return derived("61_judges")


@pytest.fixture(scope="module")
def rates():
    """Shares of good answers with sensitivities and specificities: some near 0 or 1, some judges mostly wrong."""
    rng = np.random.default_rng(2061)
    made = rng.beta(0.7, 0.7, (CASES, 3)).clip(1e-3, 1 - 1e-3)
    return made[np.abs(made[:, 1] + made[:, 2] - 1) > 0.02]


@pytest.fixture(scope="module")
def cells():
    """Labeled answers, tp, fp, fn, tn: each verdict and each class occurs, and some cells are empty."""
    rng = np.random.default_rng(2062)
    made = rng.integers(0, 30, (4 * CASES, 4)) * (rng.random((4 * CASES, 4)) > 0.1)
    tp, fp, fn, tn = made.T
    sound = (tp + fp > 0) & (fn + tn > 0) & (tp + fn > 0) & (fp + tn > 0) & (tp * tn != fp * fn)
    return made[sound][:CASES]


def counts(four):
    return Counts(**dict(zip(("tp", "fp", "fn", "tn"), map(int, four), strict=True)))


def rows(four):
    tp, fp, fn, tn = four
    return np.repeat([1, 0, 1, 0], [tp, fp, fn, tn]), np.repeat([1, 1, 0, 0], [tp, fp, fn, tn])


def test_there_are_enough_cases(rates, cells):
    assert min(len(rates), len(cells)) > 100
    assert (cells == 0).any(axis=1).sum() > 20


def test_a_correction_solves_two_equations(judges, rates):
    for share, se, sp in rates:
        passed, failed = np.array([[se, 1 - sp], [1 - se, sp]]) @ [share, 1 - share]
        assert judges.pass_rate(share, se, sp) == pytest.approx(passed)
        solved = np.linalg.solve([[se, 1 - sp], [1 - se, sp]], [passed, failed])
        assert judges.rogan_gladen(passed, se, sp) == pytest.approx(solved[0])


def test_a_post_stratified_estimate_is_the_mean_prediction_of_a_regression_on_the_verdict(judges, cells):
    for four, p in zip(cells, np.random.default_rng(1).random(CASES), strict=False):
        label, verdict = rows(four)
        fit = sm.OLS(label, sm.add_constant(verdict)).fit()
        assert judges.by_verdict(p, counts(four)) == pytest.approx(fit.params @ [1, p])


def test_the_two_estimates_are_correction_and_regression(judges, cells):
    for four in cells:
        label, verdict = rows(four)
        corrected, stratified = judges.rg_and_ps(counts(four), 0.4)
        se, alarms = verdict[label == 1].mean(), verdict[label == 0].mean()
        assert corrected == pytest.approx((0.4 - alarms) / (se - alarms))
        assert stratified == pytest.approx(judged_rate(4_000, 10_000, counts(four)).estimate)


def test_counts_are_those_of_the_rows(judges, cells):
    for four in cells:
        label, verdict = (column.astype(bool) for column in rows(four))
        assert judges.counts_of(label, verdict) == counts(four)


def test_the_correlation_is_that_of_scikit_learn(judges, rates):
    for share, se, sp in rates:
        weights = [share * se, (1 - share) * (1 - sp), share * (1 - se), (1 - share) * sp]
        expected = matthews_corrcoef([1, 0, 1, 0], [1, 1, 0, 0], sample_weight=weights)
        assert judges.correlation(share, se, sp) == pytest.approx(expected, abs=1e-9)


def slope(function, at, i, step=1e-6):
    one, other = at.copy(), at.copy()
    one[i] -= step
    other[i] += step
    return (function(*other) - function(*one)) / (2 * step)


def test_the_three_variances_are_squared_slopes_times_variances_of_rates(judges, rates):
    rng = np.random.default_rng(3)
    for share, se, sp in rates:
        at = np.array([judges.pass_rate(share, se, sp), se, sp])
        n = rng.integers(5, 1_000, 3)
        expected = [slope(judges.rogan_gladen, at, i) ** 2 * at[i] * (1 - at[i]) / n[i] for i in range(3)]
        labels = Counts(tp=se * n[1], fp=(1 - sp) * n[2], fn=(1 - se) * n[1], tn=sp * n[2])
        estimate, *parts = judges.middle_and_parts(labels, at[0] * n[0], n[0])
        assert estimate == pytest.approx(share)
        np.testing.assert_allclose(np.array(parts) / (se + sp - 1) ** 2, expected, rtol=1e-4, atol=1e-12)


def test_the_laws_are_those_of_multinomial_labels(judges, rates):
    """The variance of an estimate from very many labels, by its slopes in the four shares and their covariance."""
    held = 0
    for share, se, sp in rates:
        at = np.array([share * se, (1 - share) * (1 - sp), share * (1 - se), (1 - share) * sp])
        if at.min() < 1e-3:
            continue
        p, square = at[0] + at[1], judges.correlation(share, se, sp) ** 2
        covariance = np.diag(at) - np.outer(at, at)

        def corrected(tp, fp, fn, tn, p=p):
            return judges.rogan_gladen(p, tp / (tp + fn), tn / (tn + fp))

        def stratified(tp, fp, fn, tn, p=p):
            return judges.by_verdict(p, Counts(tp=tp, fp=fp, fn=fn, tn=tn))

        for estimate, law in ((corrected, 1 / square - 1), (stratified, 1 - square)):
            slopes = np.array([slope(estimate, at, i) for i in range(4)])
            variance = slopes @ covariance @ slopes
            assert variance / (share * (1 - share)) == pytest.approx(law, rel=1e-3)
        held += 1
    assert held > 80


@pytest.mark.parametrize(("hits", "misses"), [(18, 2), (20, 0), (0, 3), (1, 1), (0, 0), (400, 9)])
def test_plausible_rates_lie_between_clopper_and_pearsons_ends(judges, hits, misses):
    drawn = judges.plausible(np.random.default_rng(4), hits, misses, 20_000)

    def cumulative(x):
        low = beta.cdf(x, hits, misses + 1) if hits else np.ones_like(x)
        high = beta.cdf(x, hits + 1, misses) if misses else 1.0 * (x >= 1 - 1e-7)
        return (low + high) / 2

    grid = np.linspace(1e-6, 1 - 1e-6, 200)
    seen = np.searchsorted(np.sort(drawn), grid) / drawn.size
    assert np.abs(seen - cumulative(grid)).max() < 0.015
    assert drawn.min() >= 0
    assert drawn.max() <= 1
    if hits and misses:
        assert kstest(drawn, cumulative).pvalue > 1e-4


def test_the_interval_is_that_of_the_library_where_the_judge_tells_good_from_bad(judges, cells):
    rng, held = np.random.default_rng(5), 0
    for four in cells:
        labeled = counts(8 * four)  # so that few draws of the two rates are alike
        found = judged_rate(460, 1_000, labeled, drawn=False)
        if found.low > 0 and found.high < 1:
            own = judges.rogan_gladen_interval(rng, labeled, 460, 1_000, 10_000)
            assert own == pytest.approx(found[1:], abs=0.1 * (found.high - found.low) + 2e-3)
            held += 1
    assert held > 40


def test_the_best_ratio_has_the_lowest_variance(judges):
    rng = np.random.default_rng(6)
    for phi, price in zip(rng.uniform(0.05, 0.98, CASES), 10 ** rng.uniform(-4, 0.3, CASES), strict=True):
        found = minimize_scalar(
            lambda part, phi=phi, price=price: judges.relative_variance(part, phi, price),
            bounds=(1e-7, 1 - 1e-7),
            method="bounded",
            options={"xatol": 1e-10},
        )
        ratio = judges.best_ratio(phi, price)
        assert price * ratio / (1 + price * ratio) == pytest.approx(found.x, rel=1e-3, abs=1e-5)
        assert found.fun == pytest.approx((np.sqrt(1 - phi**2) + phi * np.sqrt(price)) ** 2)
        assert (found.fun < 1) == (phi**2 > 4 * price / (1 + price) ** 2)
        assert judges.relative_variance(found.x, phi, price) == pytest.approx(found.fun)
