"""Clusters from links, pairs and B-cubed: against brute force and scikit-learn, and bad input."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics.cluster import pair_confusion_matrix

from evalteach.classification import precision, recall
from evalteach.counts import Counts
from evalteach.matching import BCubed, b_cubed, linked_clusters, pair_counts

few = settings(deadline=None, max_examples=100)
tables = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=30)


@few
@given(st.integers(1, 12).flatmap(lambda n: st.tuples(st.just(n), st.lists(st.tuples(*[st.integers(0, n - 1)] * 2)))))
def test_two_records_are_one_cluster_if_a_path_of_links_joins_them(drawn):
    n, pairs = drawn
    reached = np.eye(n, dtype=bool)
    for i, j in pairs:
        reached[i, j] = reached[j, i] = True
    for _ in range(n):
        reached = reached @ reached
    cluster = linked_clusters(pairs, n)
    assert np.array_equal(cluster[:, None] == cluster, reached)
    assert pd.factorize(cluster)[0].tolist() == cluster.tolist()  # numbered in order of appearance


@pytest.mark.parametrize("pairs", [[], np.empty((0, 2)), np.empty((0, 2), dtype=int)])
def test_without_a_link_every_record_is_a_cluster(pairs):
    assert linked_clusters(pairs, 3).tolist() == [0, 1, 2]


def test_a_link_given_hundreds_of_times_is_still_a_link():
    assert linked_clusters([[0, 1]] * 512, 3).tolist() == [0, 0, 1]


def test_small_integers_do_not_wrap_around():
    assert linked_clusters(np.array([[0, 255]], dtype=np.uint8), 256).max() == 254


@few
@given(tables)
def test_pairs_are_counted_as_one_by_one_and_as_scikit_learn_does(rows):
    entity, cluster = zip(*rows, strict=True)
    cells = {"tp": 0, "fp": 0, "fn": 0, "tn": 0}
    for i, j in itertools.combinations(range(len(rows)), 2):
        same, together = entity[i] == entity[j], cluster[i] == cluster[j]
        cells[("tp" if same else "fp") if together else ("fn" if same else "tn")] += 1
    found = pair_counts(entity, cluster)
    assert found == Counts(**cells)
    assert [[found.tn, found.fp], [found.fn, found.tp]] == (pair_confusion_matrix(entity, cluster) // 2).tolist()


@few
@given(tables)
def test_b_cubed_is_the_mean_over_records_of_the_share_that_belongs_together(rows):
    entity, cluster = zip(*rows, strict=True)
    shares = []
    for own, its in rows:
        both = rows.count((own, its))
        shares.append((both / cluster.count(its), both / entity.count(own)))
    assert b_cubed(entity, cluster) == pytest.approx(np.mean(shares, axis=0))
    assert b_cubed(cluster, entity) == pytest.approx(np.mean(shares, axis=0)[::-1])


def test_b_cubed_of_the_example_of_bagga_and_baldwin():
    # entities 1-5, 6-7, 8-12; a link joins the second with the third, or the first with the third
    entity = np.repeat([1, 2, 3], [5, 2, 5])
    assert b_cubed(entity, np.repeat([1, 2, 2], [5, 2, 5])) == pytest.approx((16 / 21, 1))
    assert b_cubed(entity, np.repeat([1, 2, 1], [5, 2, 5])) == pytest.approx((7 / 12, 1))


def test_labels_may_be_text_or_numbers_of_any_size():
    assert pair_counts(["b", "b", "a"], [10**12, 10**12, -1]) == Counts(tp=1, fp=0, fn=0, tn=2)
    assert b_cubed(["b", "b", "a"], [True, True, False]) == BCubed(1, 1)
    assert pair_counts([1, "1"], ["x", "x"]) == Counts(tp=0, fp=1, fn=0, tn=0)


def test_a_million_records_in_one_cluster_are_counted_without_overflow():
    n = 1_000_000
    counts = pair_counts(np.arange(n) // 2, np.zeros(n, dtype=int))
    assert (counts.tp, counts.tp + counts.fp, counts.fn, counts.tn) == (n // 2, n * (n - 1) // 2, 0, 0)
    assert b_cubed(np.arange(n) // 2, np.zeros(n, dtype=int)) == pytest.approx((2 / n, 1))


def test_pairwise_rates_are_nan_where_there_is_no_pair_and_b_cubed_is_one():
    counts = pair_counts([1, 2], [1, 2])
    assert np.isnan([precision(counts), recall(counts)]).all()
    assert b_cubed([1, 2], [1, 2]) == BCubed(1, 1)


@pytest.mark.parametrize("of", [pair_counts, b_cubed])
@pytest.mark.parametrize(
    ("entity", "cluster", "why"),
    [
        ([1, 2], [1], "unequal lengths"),
        ([], [], "entity is empty"),
        ([1, 2], [[1, 2]], "cluster must have one dimension"),
        ([1.0, np.nan], [1, 2], "entity is missing at position 1"),
        (["a", "b"], ["x", None], "cluster is missing at position 1"),
        (["a", np.nan], [1, 2], "entity is missing at position 1"),
        ([1, 2], [{1}, {2}], "cluster cannot be told apart"),
    ],
)
def test_labels_that_do_not_name_each_record_are_refused(of, entity, cluster, why):
    with pytest.raises(ValueError, match=f"^{why}"):
        of(entity, cluster)


@pytest.mark.parametrize(
    ("pairs", "n_records", "why"),
    [
        ([[0, 3]], 3, "pairs holds 0 to 3; records stand at 0 to 2"),
        ([[-1, 0]], 3, "pairs holds -1 to 0"),
        ([0, 1], 3, r"pairs must have shape \(n_pairs, 2\), got \(2,\)"),
        ([[0, 1, 2]], 3, "pairs must have shape"),
        ([[0.0, 1.0]], 3, "pairs has dtype float64"),
        ([[True, False]], 3, "pairs has dtype bool"),
        ([], 0, "n_records must be a whole number from 1 to 2147483647, got 0"),
        ([], 2.5, "n_records must be"),
    ],
)
def test_links_that_name_no_two_records_are_refused(pairs, n_records, why):
    with pytest.raises(ValueError, match=f"^{why}"):
        linked_clusters(pairs, n_records)
