"""What 62_sampled_answers derives, held against enumerations, statsmodels and scipy."""

from itertools import combinations, product

import numpy as np
import pytest
import statsmodels.api as sm
from scipy.stats import betabinom
from statsmodels.stats.proportion import proportion_confint


@pytest.fixture(scope="module")
def lesson(derived):
    return derived("62_sampled_answers")


COUNTS = [(n, c, k) for n in range(1, 9) for c in range(n + 1) for k in range(1, n + 1)]


def test_pass_at_k_and_pass_hat_k_are_the_shares_of_all_subsets(lesson):
    assert len(COUNTS) > 200
    for n, c, k in COUNTS:
        subsets = list(combinations([True] * c + [False] * (n - c), k))
        assert lesson.pass_at_k(n, c, k) == pytest.approx(np.mean([any(s) for s in subsets]))
        assert lesson.pass_hat_k(n, c, k) == pytest.approx(np.mean([all(s) for s in subsets]))


def test_pass_at_k_is_the_product_of_the_code_of_humaneval(lesson):
    rng = np.random.default_rng(0)
    for _ in range(200):
        n = int(rng.integers(1, 300))
        c, k = int(rng.integers(0, n + 1)), int(rng.integers(1, n + 1))
        expected = 1.0 if n - c < k else 1 - np.prod(1 - k / np.arange(n - c + 1, n + 1))
        assert lesson.pass_at_k(n, c, k) == pytest.approx(expected)


def test_both_are_unbiased(lesson):
    """Their mean over all counts of right tries, weighted with the binomial, is the probability."""
    rng = np.random.default_rng(1)
    for p in [0, 1, *rng.random(100)]:
        n = int(rng.integers(1, 12))
        k = int(rng.integers(1, n + 1))
        weights = [np.prod([p if hit else 1 - p for hit in tries]) for tries in product([0, 1], repeat=n)]
        counts = [sum(tries) for tries in product([0, 1], repeat=n)]
        at, hat = (
            sum(w * f(n, c, k) for w, c in zip(weights, counts, strict=True))
            for f in (lesson.pass_at_k, lesson.pass_hat_k)
        )
        assert at == pytest.approx(lesson.any_of(np.array([p]), k))
        assert hat == pytest.approx(lesson.all_of(np.array([p]), k))


def test_a_benchmark_is_the_mean_of_its_problems(lesson):
    rng = np.random.default_rng(8)
    for _ in range(100):
        p, k = rng.random(rng.integers(1, 9)), int(rng.integers(1, 6))
        lists = list(product([0, 1], repeat=k))
        chances = [[np.prod([q if hit else 1 - q for hit in tries]) for tries in lists] for q in p]
        assert lesson.any_of(p, k) == pytest.approx(np.mean(chances @ np.array([max(tries) for tries in lists])))
        assert lesson.all_of(p, k) == pytest.approx(np.mean(chances @ np.array([min(tries) for tries in lists])))


def test_the_curves_of_the_slider_are_those_of_beta_binomials(lesson):
    rng = np.random.default_rng(2)
    for _ in range(150):
        mean, correlation = rng.uniform(0.02, 0.98, size=2)
        strength = (1 - correlation) / correlation
        k = int(rng.integers(1, 13))
        law = betabinom(k, mean * strength, (1 - mean) * strength)
        any_right, all_right = lesson.beta_curves(mean, correlation, k)
        assert any_right[-1] == pytest.approx(1 - law.pmf(0))
        assert all_right[-1] == pytest.approx(law.pmf(k))
    ks = np.arange(1, 13)
    assert np.allclose(lesson.beta_curves(0.7, 0.0, 12), [1 - 0.3**ks, 0.7**ks], atol=1e-6)
    assert np.allclose(lesson.beta_curves(0.7, 1.0, 12), 0.7)


def test_best_of_k_is_what_all_lists_of_tries_give(lesson):
    rng = np.random.default_rng(3)
    for i in range(120):
        labels, k = int(rng.integers(2, 5)), int(rng.integers(1, 5))
        chances = rng.dirichlet(np.ones(labels) if i % 3 else np.full(labels, 0.2), size=2)
        scores, answers = rng.random((2, labels)), rng.integers(labels, size=2)
        share = 0
        for row in range(2):
            for tries in product(range(labels), repeat=k):
                chosen = max(tries, key=lambda answer, row=row: scores[row, answer])
                share += np.prod(chances[row, list(tries)]) * (chosen == answers[row]) / 2
        assert lesson.best_of_k(chances, scores, answers, k) == pytest.approx(share, abs=1e-12)


def test_a_vote_is_right_as_often_as_in_all_lists_of_tries(lesson):
    rng = np.random.default_rng(4)
    for k in [1, 2, 3, 4]:
        chances = rng.dirichlet([1, 1, 1])
        share = 0
        for tries in product(range(3), repeat=k):
            votes = np.bincount(tries, minlength=3)
            share += np.prod(chances[list(tries)]) * (votes[0] == votes.max()) / np.sum(votes == votes.max())
        rows = 40_000
        assert lesson.majority_vote(np.tile(chances, (rows, 1)), np.zeros(rows, int), k) == pytest.approx(
            share, abs=0.012
        )


def test_errors_are_those_of_statsmodels(lesson):
    rng = np.random.default_rng(5)
    for i in range(120):
        n = int(rng.integers(4, 60))
        cluster = rng.permutation(rng.integers(0, max(2, n // 3), size=n))
        score = rng.integers(0, 2, size=n).astype(float) if i % 2 else rng.random(n)
        if np.unique(cluster).size < 2:
            continue
        fit = sm.OLS(score, np.ones(n)).fit(cov_type="cluster", cov_kwds={"groups": cluster, "use_correction": False})
        assert lesson.clustered_error(score, cluster) == pytest.approx(fit.bse[0], abs=1e-12)
        assert lesson.by_problem(score[None])[0] == pytest.approx(sm.OLS(score, np.ones(n)).fit().bse[0], abs=1e-12)


def test_wilson_is_that_of_statsmodels(lesson):
    rng = np.random.default_rng(7)
    for _ in range(150):
        n = int(rng.integers(1, 300))
        count = rng.choice([0, n, int(rng.integers(0, n + 1))])
        low, high = proportion_confint(count, n, alpha=0.05, method="wilson")
        assert lesson.wilson(count / n, n) == pytest.approx((low, high), abs=1e-4)
