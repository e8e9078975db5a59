"""What lesson 60 derives about agreement, against scikit-learn, statsmodels, krippendorff, and enumeration."""

import itertools

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats import inter_rater

krippendorff = pytest.importorskip("krippendorff", reason="krippendorff is not installed: pip install -e '.[test]'")
TABLES = 150


@pytest.fixture(scope="module")
def lesson(derived):
    return derived("60_agreement")


def tables(labels=None, seed=60):
    """Random tables of counts, some small, some with empty cells or a rare verdict, none without a kappa."""
    rng = np.random.default_rng(seed)
    made = []
    while len(made) < TABLES:
        k = labels or int(rng.integers(2, 5))
        shares = rng.dirichlet(np.full(k * k, rng.choice([0.2, 1, 5])))
        table = rng.multinomial(rng.choice([5, 20, 200]), shares).reshape(k, k)
        if np.count_nonzero(table.sum(0) + table.sum(1)) > 1:
            made.append(table)
    return made


def columns(table):
    first, second = np.indices(table.shape).reshape(2, -1)
    return np.repeat(first, table.ravel()), np.repeat(second, table.ravel())


def test_kappa_agrees_with_scikit_learn(lesson):
    for table in tables():
        assert lesson.kappa(table) == pytest.approx(cohen_kappa_score(*columns(table)), abs=1e-12)


def test_pi_is_what_statsmodels_calls_kappa_of_fleiss(lesson):
    for table in tables():
        first, second = columns(table)
        counts = np.array([np.bincount(pair, minlength=len(table)) for pair in zip(first, second, strict=True)])
        assert lesson.scott_pi(table) == pytest.approx(inter_rater.fleiss_kappa(counts), abs=1e-12)


def test_ac1_expects_the_share_of_unequal_verdicts_drawn_from_the_pool_over_the_other_labels(lesson):
    """Gwet's sum of q(1 − q) over k − 1 is the probability that two pooled verdicts differ, over k − 1."""
    for table in tables():
        pooled = (table.sum(0) + table.sum(1)) / (2 * table.sum())
        k = len(table)
        expected = (1 - pooled @ pooled) / (k - 1)
        same = sum(a == b for a, b in zip(*columns(table), strict=True)) / table.sum()
        assert lesson.gwet_ac1(table) == pytest.approx(1 - (1 - same) / (1 - expected), abs=1e-12)


def test_ac1_of_the_worked_table(lesson):
    assert lesson.gwet_ac1([[8, 2], [3, 7]]) == pytest.approx(201 / 401)
    assert lesson.scott_pi([[8, 2], [3, 7]]) == pytest.approx(199 / 399)


def test_alpha_agrees_with_krippendorff_with_gaps_and_several_raters(lesson):
    rng = np.random.default_rng(61)
    tried = 0
    while tried < TABLES:
        raters, rows, labels = rng.integers(2, 6), rng.integers(2, 30), int(rng.integers(2, 5))
        ratings = rng.integers(labels, size=(rows, raters))
        ratings = np.where(rng.random((rows, raters)) < 0.4, ratings[:, :1], ratings)  # some agreement
        ratings[rng.random((rows, raters)) < rng.choice([0, 0.3, 0.6])] = -1
        paired = ratings[(ratings >= 0).sum(1) >= 2]
        if np.unique(paired[paired >= 0]).size < 2:
            continue
        tried += 1
        given = np.where(ratings < 0, np.nan, ratings).T
        expected = krippendorff.alpha(given, level_of_measurement="nominal", value_domain=list(range(labels)))
        assert lesson.krippendorff_alpha(lesson.verdict_pairs(ratings, labels)) == pytest.approx(expected, abs=1e-12)


def test_alpha_of_grades_agrees_with_krippendorff(line_of_solution):
    rng = np.random.default_rng(62)
    for _ in range(TABLES):
        grades = rng.integers(1, 6, size=(2, rng.integers(2, 20)))
        if np.ptp(grades) == 0:
            continue
        expected = krippendorff.alpha(grades, level_of_measurement="interval")
        assert line_of_solution(*grades) == pytest.approx(expected, abs=1e-12)


@pytest.fixture
def line_of_solution(lesson):
    return lesson.alpha_of_grades_solved


@pytest.mark.parametrize("n", [1, 7, 20])
def test_the_range_of_a_judge_is_what_all_tables_of_right_and_wrong_allow(lesson, n):
    """Tables of n pairs: both right, only the judge, only the person, and both wrong."""
    accuracies = {}
    for both, judge, person in itertools.product(range(n + 1), repeat=3):
        if (wrong := n - both - judge - person) >= 0:
            accuracies.setdefault((both + wrong, both + person), set()).add(both + judge)
    assert len(accuracies) == (n + 1) ** 2
    for (same, right), judges in accuracies.items():
        found = lesson.judge_range_solved(same / n, right / n)
        assert found == pytest.approx([min(judges) / n, max(judges) / n], abs=1e-12)


def test_the_standard_error_is_that_of_statsmodels(lesson):
    for table in tables(labels=2):
        with np.errstate(all="ignore"):  # its z-value, where the error is 0
            found = inter_rater.cohens_kappa(table)
        value, error = lesson.kappa_and_error(table.ravel())
        assert value == pytest.approx(found.kappa, abs=1e-12)
        assert error == pytest.approx(np.sqrt(max(found.var_kappa, 0)), abs=1e-7)


def test_errors_of_many_tables_are_those_of_each(lesson):
    made = tables(labels=2)
    values, errors = lesson.kappa_and_error(np.array([table.ravel() for table in made]).T)
    alone = np.array([lesson.kappa_and_error(table.ravel()) for table in made])
    assert values == pytest.approx(alone[:, 0])
    assert errors == pytest.approx(alone[:, 1])


@pytest.mark.parametrize("n", [1, 4, 7])
def test_all_tables_are_listed_once_and_their_probabilities_are_those_of_all_sequences(lesson, n):
    listed = lesson.all_tables(n)
    assert sorted(map(tuple, listed.T)) == sorted(t for t in itertools.product(range(n + 1), repeat=4) if sum(t) == n)
    shares = np.array([[0.5, 0.2], [0.1, 0.2]])
    chances = dict.fromkeys(map(tuple, listed.T), 0.0)
    for pairs in itertools.product(range(4), repeat=n):
        chances[tuple(np.bincount(pairs, minlength=4))] += np.prod(shares.ravel()[list(pairs)])
    assert lesson.probability(listed, shares) == pytest.approx(list(chances.values()))


def test_kappa_of_independent_raters_follows_the_law_of_the_class_ratio(lesson):
    """J² π(1 − π) / m(1 − m), where both raters have the same two rates, and m is the share that each flags."""
    rng = np.random.default_rng(63)
    for recall, alarms, share in rng.uniform(0.01, 0.99, (TABLES, 3)):
        classes = [np.outer([rate, 1 - rate], [rate, 1 - rate]) for rate in (recall, alarms)]
        table = lesson.at_share(classes, share)
        flagged = recall * share + alarms * (1 - share)
        law = (recall - alarms) ** 2 * share * (1 - share) / (flagged * (1 - flagged))
        assert lesson.kappa(table) == pytest.approx(law, abs=1e-12)
        both_right = share * recall**2 + (1 - share) * (1 - alarms) ** 2
        both_wrong = share * (1 - recall) ** 2 + (1 - share) * alarms**2
        assert lesson.agreements(table)[0] == pytest.approx(both_right + both_wrong)


def test_coverage_in_a_simulation_is_the_exact_one(lesson):
    """20 pairs at a prevalence of 0.1: the usual interval contains kappa in 0.781, with 1 added in 0.960."""
    person = np.array([0.9, 0.1])
    truth = lesson.at_share([np.outer(person, person), np.outer(1 - person, 1 - person)], 0.1)
    drawn = np.random.default_rng(64).multinomial(20, truth.ravel(), size=40_000).T
    for added, exact in [(0, 0.781), (1, 0.960)]:
        with np.errstate(invalid="ignore"):
            value, error = lesson.kappa_and_error(drawn + added)
            inside = np.abs(value - lesson.kappa(truth)) <= 1.96 * error
        assert inside.mean() == pytest.approx(exact, abs=0.008)
