"""Ranked lists: against peers, against counting by hand, and at the edges of what is defined."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics

from evalteach import ranking

NAN = math.nan
FUNCTIONS = {
    "precision": ranking.precision_at_k,
    "recall": ranking.recall_at_k,
    "average_precision_by_relevant": ranking.average_precision_by_relevant,
    "average_precision_by_reachable": ranking.average_precision_by_reachable,
    "average_precision_by_hits": ranking.average_precision_by_hits,
    "average_recall": ranking.average_recall_at_k,
    "reciprocal_rank": ranking.reciprocal_rank,
    "reciprocal_hits": ranking.reciprocal_hits,
    "ndcg": ranking.ndcg,
}
BLIND = ("precision", "average_precision_by_hits", "reciprocal_hits")  # to items that the list does not hold


def of_list(metric, relevance, k, missed=(), **more):
    return FUNCTIONS[metric](relevance, k, **({} if metric in BLIND else {"missed": missed}), **more)


def table_of(lists):
    """A long table of (relevance in ranked order, grades of missed items), users in order, rows shuffled."""
    rows = [
        (f"user {user}", score, grade)
        for user, (listed, missed) in enumerate(lists)
        for score, grade in [*zip(range(len(listed), 0, -1), listed, strict=True), *((NAN, each) for each in missed)]
    ]
    return pd.DataFrame(rows, columns=["user", "score", "relevance"]).sample(frac=1, random_state=3)


# --- against peers -----------------------------------------------------------------------------------------

# lists in ranked order with the grades of items they miss, at k = 5: precision, recall, AP by relevant, AP of the whole
# list, reciprocal rank, nDCG (pytrec_eval-terrier 0.5.11, ranx 0.3.21: the same), nDCG, DCG, DCG with exponential gain
# (ranx 0.3.21: ndcg_burges@5, dcg@5, dcg_burges@5)
PEERS = [
    (
        ([1, 0, 0, 0, 3, 2, 3, 0, 0, 0, 3, 2, 0, 0], []),
        (0.4, 1 / 3, 0.2333333333333333, 0.5709956709956711, 1.0, 0.2691329512014855),
        (0.21348086114882522, 2.160558421703625, 3.7079696506417914),
    ),
    (
        ([2, 0, 1, 0, 1, 0, 0, 3, 0, 0, 0, 3, 0, 0], [2]),
        (0.6, 0.5, 0.37777777777777777, 0.5305555555555556, 1.0, 0.4042647744202503),
        (0.2663068685239243, 2.8868528072345416, 3.8868528072345416),
    ),
    (
        ([1, 0, 0, 0, 0, 0, 1], []),
        (0.2, 0.5, 0.5, 0.6428571428571428, 1.0, 0.6131471927654584),
        (0.6131471927654584, 1.0, 1.0),
    ),
    (
        ([2, 2, 2, 2, 3, 0, 3, 0, 0, 0, 0, 0], [2]),
        (1.0, 0.7142857142857143, 0.7142857142857143, 0.836734693877551, 1.0, 0.8347367072542236),
        (0.6762133787668818, 6.283771044993326, 10.392788585576344),
    ),
    (
        ([0, 0, 0, 3], []),
        (0.2, 1.0, 0.25, 0.25, 0.25, 0.4306765580733931),
        (0.43067655807339306, 1.2920296742201793, 3.0147359065137516),
    ),
    (
        ([0, 3, 2, 3], [2, 2]),
        (0.6, 0.6, 0.3833333333333333, 0.3833333333333333, 0.5, 0.5559117213517293),
        (0.5811170654385712, 4.184818934934552, 8.931244181513954),
    ),
]


@pytest.mark.parametrize(("lists", "shared", "ranx"), PEERS)
def test_one_list_is_as_in_trec_eval_and_ranx(lists, shared, ranx):
    listed, missed = lists
    ours = [
        ranking.precision_at_k(listed, 5),
        ranking.recall_at_k(listed, 5, missed=missed),
        ranking.average_precision_by_relevant(listed, 5, missed=missed),
        ranking.average_precision_by_relevant(listed, missed=missed),
        ranking.reciprocal_rank(listed, missed=missed),
        ranking.ndcg(listed, 5, missed=missed),
        ranking.ndcg(listed, 5, gain="exponential", missed=missed),
        ranking.dcg(listed, 5),
        ranking.dcg(listed, 5, gain="exponential"),
    ]
    assert ours == pytest.approx([*shared, *ranx], rel=1e-12)


def test_a_table_of_users_is_as_in_trec_eval_and_ranx():
    names = ["precision", "recall", "average_precision_by_relevant", "reciprocal_rank", "ndcg"]
    found = ranking.per_user(table_of([lists for lists, _, _ in PEERS]), 5).loc[[f"user {user}" for user in range(6)]]
    theirs = [[*shared[:3], shared[4], shared[5]] for _, shared, _ in PEERS]
    assert found[names].to_numpy() == pytest.approx(np.array(theirs), rel=1e-12)


@pytest.mark.parametrize("k", [1, 4, 12, 30])
def test_ndcg_and_dcg_are_those_of_scikit_learn(k):
    rng = np.random.default_rng(1)
    grades, score = rng.integers(0, 5, (40, 12)), rng.normal(0, 3, (40, 12))
    ours = ranking.per_list(grades, score, k, metrics=["ndcg"])["ndcg"]
    theirs = [metrics.ndcg_score(g[None], s[None], k=k) for g, s in zip(grades, score, strict=True)]
    assert ours == pytest.approx(theirs, rel=1e-12)
    assert ranking.dcg(ranking.ranked(grades[0], score[0]), k) == pytest.approx(
        metrics.dcg_score(grades[:1], score[:1], k=k), rel=1e-12
    )


# --- one list ------------------------------------------------------------------------------------------------


def test_the_metrics_of_a_list_of_six_are_what_a_hand_counts():
    relevance = [0, 1, 1, 0, 0, 1]
    assert [ranking.precision_at_k(relevance, k) for k in range(1, 8)] == [0, 1 / 2, 2 / 3, 2 / 4, 2 / 5, 3 / 6, 3 / 7]
    assert [ranking.recall_at_k(relevance, k) for k in range(1, 8)] == [0, 1 / 3, 2 / 3, 2 / 3, 2 / 3, 1, 1]
    assert ranking.average_precision_by_relevant(relevance, 2) == pytest.approx(1 / 2 / 3)
    assert ranking.average_precision_by_reachable(relevance, 2) == 1 / 2 / 2
    assert ranking.average_precision_by_hits(relevance, 2) == 1 / 2
    assert ranking.average_recall_at_k(relevance, 4) == pytest.approx((0 + 1 + 2 + 2) / 3 / 4)
    assert ranking.average_recall_at_k(relevance, 8) == pytest.approx((0 + 1 + 2 + 2 + 2 + 3 + 3 + 3) / 3 / 8)
    assert ranking.reciprocal_rank(relevance) == 1 / 2
    assert ranking.reciprocal_hits(relevance) == pytest.approx(1 / 2 + 1 / 3 + 1 / 6)


def test_grades_above_zero_are_relevant_and_no_others():
    graded, binary = [2.5, 0, -1, 1], [1, 0, 0, 1]
    for metric in set(FUNCTIONS) - {"ndcg"}:
        assert of_list(metric, graded, 3) == of_list(metric, binary, 3)


@pytest.mark.parametrize("gain", ["linear", "exponential"])
@pytest.mark.parametrize("k", [1, 3, None, 9])
@pytest.mark.parametrize("missed", [(), (2, 7)])
def test_the_random_order_is_the_mean_over_all_orders(gain, k, missed):
    relevance = [3, 0, 1, 1.5]
    orders = [ranking.ndcg(order, k, gain=gain, missed=missed) for order in itertools.permutations(relevance)]
    assert ranking.random_ndcg(relevance, k, gain=gain, missed=missed) == pytest.approx(np.mean(orders), rel=1e-12)


def test_negative_grades_leave_ndcg_without_a_lower_bound():
    assert ranking.ndcg([-1.5, 1]) < -10
    assert ranking.ndcg([1, -1]) == 1
    assert math.isnan(ranking.ndcg([-1, -2]))


@pytest.mark.parametrize("metric", FUNCTIONS)
def test_without_a_relevant_item_what_is_undefined_is_nan(metric):
    found = of_list(metric, [0, 0, 0], 2)
    assert found == 0 if metric in ("precision", "reciprocal_hits") else math.isnan(found)


@pytest.mark.parametrize("metric", FUNCTIONS)
def test_a_list_that_misses_all_relevant_items_gets_zero(metric):
    found = of_list(metric, [0, 0, 0], 2, missed=[1])
    assert math.isnan(found) if metric == "average_precision_by_hits" else found == 0


@pytest.mark.parametrize("k", [0, -1, 1.5, NAN, math.inf, "2", [1, 2]])
def test_a_k_that_is_no_rank_is_refused(k):
    with pytest.raises(ValueError, match=r"^k must be"):
        ranking.precision_at_k([1, 0], k)
    with pytest.raises(ValueError, match=r"^k must be"):
        ranking.per_list([[1, 0]], [[1, 0]], k)


@pytest.mark.parametrize(
    ("relevance", "why"),
    [
        ([], "relevance is empty"),
        ([1, NAN], "relevance has nan at position 1"),
        ([1, math.inf], "relevance holds inf"),
        (["a"], "relevance has dtype"),
        ([[1, 0]], "relevance must have one dimension"),
    ],
)
def test_a_list_that_is_none_is_refused(relevance, why):
    with pytest.raises(ValueError, match=f"^{why}"):
        ranking.ndcg(relevance)


def test_an_unknown_gain_or_metric_is_refused():
    with pytest.raises(ValueError, match=r"^gain must be one of 'linear', 'exponential', got 'log'$"):
        ranking.dcg([1], gain="log")
    with pytest.raises(ValueError, match=r"^metrics must be one of"):
        ranking.per_list([[1]], [[1]], 1, metrics=["dcg"])


# --- many lists ----------------------------------------------------------------------------------------------

SCORES = {
    "with ties": st.integers(-2, 2),
    "of any size": st.floats(allow_nan=False),
    "within 0 and 1": st.floats(0, 1),
    "tiny": st.sampled_from([5e-324, -5e-324, 0.0, -0.0, 1e-300, 3.0]),
}
GRADES = {"binary": st.integers(0, 1), "graded": st.integers(-3, 40), "real": st.floats(-5, 5)}


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("grade", GRADES)
@given(data=st.data())
@settings(deadline=None, max_examples=30)
def test_lists_are_ranked_by_score_and_among_ties_the_less_relevant_item_comes_first(score, grade, data):
    rows = data.draw(st.lists(st.tuples(GRADES[grade], SCORES[score]), min_size=1, max_size=12))
    by_hand = [grade for grade, _ in sorted(rows, key=lambda row: (-row[1], row[0]))]
    assert ranking.ranked(*zip(*rows, strict=True)).tolist() == by_hand


@given(data=st.data(), k=st.integers(1, 9))
@settings(deadline=None, max_examples=60)
def test_users_of_a_table_get_what_their_lists_get(data, k):
    row = st.tuples(st.integers(0, 4), st.sampled_from([0, 0, 1, 2, -1]), st.sampled_from([NAN, -1.5, 0, 0.5, 3, 3.5]))
    rows = data.draw(st.lists(row, min_size=1, max_size=30))
    table = pd.DataFrame(rows, columns=["user", "relevance", "score"])
    found = ranking.per_user(table, k)
    assert found.index.tolist() == table["user"].unique().tolist()
    for user, own in table.groupby("user"):
        listed = own[own["score"].notna()].sort_values(["score", "relevance"], ascending=[False, True])["relevance"]
        missed = own[own["score"].isna()]["relevance"].to_numpy()
        if listed.empty:
            # a list of nothing is one of places without relevance
            for metric in set(FUNCTIONS) - {"ndcg"}:
                assert found.loc[user, metric] == pytest.approx(of_list(metric, [0], k, missed), nan_ok=True)
            continue
        one = [of_list(metric, listed.to_numpy(), k, missed) for metric in FUNCTIONS]
        assert found.loc[user, list(FUNCTIONS)].tolist() == pytest.approx(one, rel=1e-12, nan_ok=True)


def test_blocks_do_not_show(monkeypatch):
    rng = np.random.default_rng(4)
    lengths = rng.integers(1, 30, 50)
    user = np.repeat(np.arange(50), lengths)
    table = pd.DataFrame(
        {"user": user, "score": rng.normal(size=user.size), "relevance": rng.integers(0, 3, user.size)}
    )
    dense = rng.integers(0, 2, (50, 7)), rng.random((50, 7))
    at_once = ranking.per_user(table, 5), ranking.per_list(*dense, 5)
    monkeypatch.setattr(ranking, "BLOCK", 31)
    pd.testing.assert_frame_equal(ranking.per_user(table, 5), at_once[0])
    for metric, values in ranking.per_list(*dense, 5).items():
        np.testing.assert_array_equal(values, at_once[1][metric])


def test_undefined_users_are_counted_and_not_dropped_in_silence():
    table = pd.DataFrame({"user": ["a", "a", "b", "b"], "score": [2, 1, 2, 1], "relevance": [0, 1, 0, 0]})
    found = ranking.mean_over_users(ranking.per_user(table, 2))
    assert found.loc["reciprocal_rank"].tolist() == [0.5, 1, 1]
    assert found.loc["precision"].tolist() == [0.25, 2, 0]
    filled = ranking.mean_over_users(ranking.per_user(table, 2).fillna(0))
    assert filled.loc["reciprocal_rank"].tolist() == [0.25, 2, 0]


GOOD = pd.DataFrame({"user": [1, 1], "score": [0.5, 0.2], "relevance": [1, 0]})


@pytest.mark.parametrize(
    ("table", "why"),
    [
        (GOOD.drop(columns="user"), "table has no column 'user'"),
        (GOOD.assign(user=[1, None]), "user is missing at position 1"),
        (GOOD.assign(relevance=[NAN, 1]), "relevance is missing at position 0"),
        (GOOD.assign(relevance=[math.inf, 1]), "relevance must be finite"),
        (
            GOOD.assign(relevance=[1, -1e301]),
            r"relevance must be finite numbers from -1e\+300 to 1e\+300, got -1e\+301 to 1.0",
        ),
        (GOOD.assign(relevance=[-1, 1e301]), "relevance must be finite"),
        (GOOD.assign(score=["a", "b"]), "score has dtype"),
        (GOOD.iloc[:0], "relevance is empty"),
    ],
)
def test_a_table_that_says_too_little_is_refused(table, why):
    with pytest.raises(ValueError, match=f"^{why}"):
        ranking.per_user(table, 1)


@pytest.mark.parametrize(
    ("relevance", "score", "why"),
    [
        ([[1, 0]], [[1, 0, 2]], "relevance and score have shapes"),
        ([1, 0], [1, 0], "score must have shape"),
        ([[1, NAN]], [[1, NAN]], "relevance must be finite"),
    ],
)
def test_lists_that_do_not_fit_are_refused(relevance, score, why):
    with pytest.raises(ValueError, match=f"^{why}"):
        ranking.per_list(relevance, score, 1)


# --- pairs ---------------------------------------------------------------------------------------------------


def by_definition(relevance, score):
    """Every pair of different grades, one by one."""
    counted = [0, 0, 0]
    for i, j in itertools.permutations(range(len(relevance)), 2):
        if relevance[i] > relevance[j]:
            counted[0 if score[i] > score[j] else 1 if score[i] < score[j] else 2] += 1
    return tuple(counted)


@given(st.lists(st.tuples(st.integers(-1, 3), st.sampled_from([-math.inf, -1, -0.0, 0.0, 0.5, 2])), min_size=1))
@settings(deadline=None, max_examples=150)
def test_pairs_are_counted_as_the_quadratic_definition_counts_them(rows):
    relevance, score = zip(*rows, strict=True)
    assert tuple(ranking.concordant_pairs(relevance, score)) == by_definition(relevance, score)


@pytest.mark.parametrize("sign", [1, -1])
def test_millions_of_items_are_counted_exactly(sign):
    n = 4_000_000
    low = np.arange(n) < n // 3
    score = np.where(low, np.arange(n) + (1 - sign) * n, np.arange(n) + 1)  # two straight runs, in order or not
    score[:2] = score[1::-1]
    pairs = n * (n - 1) // 2
    wrong = 1 + (sign < 0) * (n // 3) * (n - n // 3)
    assert ranking.concordant_pairs(np.arange(n), score) == (pairs - wrong, wrong, 0)


def test_the_three_fractions_differ_by_what_ties_get():
    pairs = ranking.Pairs(concordant=6, discordant=2, tied=4)
    assert ranking.fcp_ties_half(pairs) == 8 / 12
    assert ranking.fcp_ties_left_out(pairs) == 6 / 8
    assert ranking.fcp_ties_wrong(pairs) == 6 / 12
    none = ranking.concordant_pairs([1, 1], [2, 3])
    assert all(
        math.isnan(of(none)) for of in (ranking.fcp_ties_half, ranking.fcp_ties_left_out, ranking.fcp_ties_wrong)
    )
    many = ranking.Pairs(np.array([6, 0]), np.array([2, 0]), np.array([4, 0]))
    np.testing.assert_array_equal(ranking.fcp_ties_half(many), [8 / 12, NAN])


@pytest.mark.parametrize(
    ("relevance", "score", "why"),
    [([1, NAN], [1, 2], "relevance has nan"), ([1, 0], [1, NAN], "score has nan"), ([1], [1, 2], "unequal lengths")],
)
def test_pairs_that_cannot_be_compared_are_refused(relevance, score, why):
    with pytest.raises(ValueError, match=f"^{why}"):
        ranking.concordant_pairs(relevance, score)


# --- what would count twice, or cannot be added up -------------------------------------------------------


def test_an_item_that_a_user_has_twice_is_refused_with_both_places():
    table = pd.DataFrame(
        {"user": ["Ann", "Bob", "Ann", "Ann"], "item": ["x", "x", "y", "x"], "score": [4, 3, 2, 1], "relevance": 1}
    )
    found = r"table holds item 'x' of user 'Ann' twice, at positions 0 and 3; .* table\.drop_duplicates"
    with pytest.raises(ValueError, match=f"^{found}"):
        ranking.per_user(table, 2)
    once = ranking.per_user(table[:3], 2)
    pd.testing.assert_frame_equal(once, ranking.per_user(table[:3].drop(columns="item"), 2))
    with pytest.raises(ValueError, match=r"^item is missing at position 1; every row needs one"):
        ranking.per_user(table[:3].assign(item=["x", None, "y"]), 2)


@pytest.mark.parametrize("name", ["user", "score", "relevance", "item"])
def test_a_column_that_is_there_twice_is_refused_by_name(name):
    table = pd.DataFrame({"user": [1, 1], "item": [1, 2], "score": [1.0, 2.0], "relevance": [0, 1]})
    with pytest.raises(ValueError, match=f"^table has 2 columns '{name}'; rename or drop all but one"):
        ranking.per_user(pd.concat([table, table[[name]]], axis=1), 2)


@pytest.mark.filterwarnings("error")
def test_grades_whose_gains_cannot_be_added_up_are_refused():
    found = r"relevance holds the grade 2000; its exponential gain, 2\^grade - 1, is too large to add"
    table = pd.DataFrame({"user": [1, 1], "score": [1.0, 2.0], "relevance": [0, 2000]})
    for ask in (
        lambda: ranking.ndcg([2000], gain="exponential"),
        lambda: ranking.ndcg([1], gain="exponential", missed=[2000]),
        lambda: ranking.random_ndcg([2000, 1], gain="exponential"),
        lambda: ranking.per_list([[2000, 1]], [[1, 2]], 1, gain="exponential"),
        lambda: ranking.per_user(table, 1, gain="exponential"),
    ):
        with pytest.raises(ValueError, match=f"^{found}"):
            ask()
    assert ranking.ndcg([1_000, -2_000], gain="exponential") == 1
    for ask in (lambda: ranking.dcg([1e308, 1e308]), lambda: ranking.per_list([[1e308, -1e308]], [[1, 2]], 1)):
        with pytest.raises(ValueError, match=r"^relevance .*1e\+300"):
            ask()
    assert ranking.ndcg([1e300, -1e300]) == 1
