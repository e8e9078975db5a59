"""Every public function with bad and odd input: refused by the argument's name, or taken for what it says."""

import importlib
import inspect
import pkgutil
import re
import traceback
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest

import evalteach
from evalteach import (
    Counts,
    UnlabeledCurve,
    calibration,
    classification,
    drift,
    ideal_ranking,
    judged,
    matching,
    prevalence,
    ranking,
    sweep,
)
from evalteach import class_ratio as at_ratio
from evalteach import counts as counting
from evalteach.ranking import Pairs
from evalteach.reviews import designs, estimates, forecast, plan

PACKAGE = Path(evalteach.__file__).resolve().parent
# drawing takes what the package itself made; data, exercises, files and the command have tests of their own
ELSEWHERE = ("cli", "plots", "data", "explorers", "exercises", "files", "interview")

rng = np.random.default_rng(0)
Y = np.arange(12) % 3 == 0
S = np.round(rng.random(12), 3)
P = np.round(0.1 + 0.8 * rng.random(12), 3)
COUNTS = Counts(tp=30, fp=10, fn=6, tn=90)
SWEPT = sweep(Y, S)
MANY = counting.one_vs_rest(np.array([[5, 1, 0], [2, 7, 1], [0, 1, 9]]))
USERS = pd.DataFrame({"user": [1, 1, 1, 2, 2, 2], "relevance": [1.0, 0, 2, 0, 1, 0], "score": [3.0, 1, 2, 5, 4, 6]})
CURVE = UnlabeledCurve(S[:5], S)
STRATA = np.repeat([0, 1, 2], 4)
RELEVANCE = np.array([1.0, 0, 2, 0, 1])


class Call(NamedTuple):
    """A valid call: numbers, columns (a value a row), and the rest, which the package made or which are words."""

    function: object
    numbers: dict
    columns: dict
    rest: dict

    @property
    def arguments(self):
        return {**self.numbers, **self.columns, **self.rest}


def call(function, /, **arguments):
    number = {k: v for k, v in arguments.items() if isinstance(v, (int, float)) and not isinstance(v, bool)}
    column = {k: v for k, v in arguments.items() if isinstance(v, np.ndarray)}
    return Call(function, number, column, {k: v for k, v in arguments.items() if k not in number | column})


CALLS = [
    *(call(loss, y_true=Y, y_prob=P, ratio=9.0) for loss in (calibration.log_loss, calibration.brier_score)),
    call(calibration.reliability, y_true=Y, y_prob=P, n_bins=4, strategy="quantile", ratio=9.0, confidence=0.9),
    call(calibration.shift_probability, probability=P, old_ratio=1.0, new_ratio=9.0),
    call(calibration.sharpen_probability, probability=P, slope=2.0),
    call(at_ratio.at_class_ratio, counts=COUNTS, ratio=9.0),
    call(at_ratio.with_unseen, counts=COUNTS, unseen=Counts(tp=0, fp=3, fn=0, tn=9), unseen_per_positive=2.0),
    call(at_ratio.rate_bounds, counts=COUNTS, confidence=0.9),
    call(at_ratio.precision_interval, counts=COUNTS, ratio=9.0, confidence=0.9),
    *(
        call(metric, counts=COUNTS)
        for metric in (
            classification.accuracy,
            classification.precision,
            classification.recall,
            classification.specificity,
            classification.false_positive_rate,
            classification.false_discovery_rate,
            classification.matthews_corrcoef,
        )
    ),
    call(classification.fbeta, counts=COUNTS, beta=2.0),
    call(classification.net_gain, counts=COUNTS, alarm_cost=0.2),
    *(call(area, counts=SWEPT.counts) for area in (classification.roc_auc, classification.average_precision)),
    call(classification.roc_hull, counts=SWEPT.counts),
    call(classification.roc_auc_interval, counts=SWEPT.counts, confidence=0.9, method="hanley-mcneil"),
    *(
        call(average, metric=classification.precision, counts=MANY)
        for average in (classification.macro, classification.micro, classification.weighted)
    ),
    call(Counts, tp=np.array([3, 2]), fp=np.array([1, 2]), fn=np.array([0, 1]), tn=np.array([5, 4])),
    call(sweep, y_true=Y, y_score=S, weights=P),
    call(counting.one_vs_rest, confusion_matrix=np.array([[5, 1, 0], [2, 7, 1], [0, 1, 9]])),
    call(ideal_ranking.ideal_recall_band, n_test_positives=50, class_size=90, k=np.array([20, 40]), confidence=0.9),
    call(ideal_ranking.ideal_recall_tail, hits=20, n_test_positives=50, class_size=90, k=40),
    *(
        call(judged.judged_rate, n_passed=60, n_judged=200, labeled=labeled, drawn=drawn, confidence=0.9, seed=1)
        for labeled, drawn in ((Counts(tp=9, fp=3, fn=2, tn=6), True), (COUNTS, False))
    ),
    *(
        call(compare, entity=np.array([1, 1, 2, 2, 3]), cluster=np.array([4, 4, 4, 5, 5]))
        for compare in (matching.pair_counts, matching.b_cubed)
    ),
    call(matching.linked_clusters, pairs=np.array([[0, 1], [2, 3]]), n_records=5),
    call(prevalence.adjusted_count, counts=COUNTS, flagged_share=0.4),
    call(prevalence.adjusted_count_interval, counts=COUNTS, n_flagged=4, n_rows=10, confidence=0.9),
    call(prevalence.likelihood_prevalence, y_prob=P, trained_prevalence=0.3, weights=P),
    call(ranking.precision_at_k, relevance=RELEVANCE, k=3),
    *(
        call(metric, relevance=RELEVANCE, k=3, missed=np.array([2.0]))
        for metric in (
            ranking.recall_at_k,
            ranking.average_precision_by_relevant,
            ranking.average_precision_by_reachable,
            ranking.average_recall_at_k,
            ranking.reciprocal_rank,
        )
    ),
    *(
        call(metric, relevance=RELEVANCE, k=3)
        for metric in (ranking.average_precision_by_hits, ranking.reciprocal_hits, ranking.dcg)
    ),
    call(ranking.ndcg, relevance=RELEVANCE, k=3, gain="exponential", missed=np.array([2.0])),
    call(ranking.random_ndcg, relevance=RELEVANCE, k=3, gain="exponential", missed=np.array([2.0])),
    call(ranking.ranked, relevance=RELEVANCE, score=S[:5]),
    call(ranking.per_list, relevance=np.array([RELEVANCE, RELEVANCE[::-1]]), score=S[:10].reshape(2, 5), k=3),
    call(ranking.per_user, table=USERS, k=2),
    call(ranking.mean_over_users, metrics=ranking.per_user(USERS, 2)),
    call(ranking.concordant_pairs, relevance=RELEVANCE, score=S[:5]),
    *(
        call(share, pairs=Pairs(5, 3, 1))
        for share in (ranking.fcp_ties_half, ranking.fcp_ties_left_out, ranking.fcp_ties_wrong)
    ),
    call(designs.rank_strata, y_score=S, class_size=4, edges=np.array([0.5, 1.5])),
    call(designs.neyman_allocation, rows=np.array([20, 30, 40]), spread=np.array([0.5, 0.3, 0.1]), budget=30, least=2),
    call(designs.inclusion_probabilities, size=P, budget=5, uniform=0.2),
    call(designs.draw_review_sample, probability=np.repeat([0.25, 0.5, 0.75], 4), stratum=STRATA, seed=1),
    call(estimates.horvitz_thompson, y_true=Y, probability=P, n_rows=40, confidence=0.9),
    call(estimates.reviewed_recall, y_true=Y, flagged=S > 0.5, probability=P, n_rows=40, confidence=0.9),
    call(
        estimates.recall_between,
        hit=estimates.ReviewEstimate(9.0, 2, 6, 13),
        missed=estimates.ReviewEstimate(3.0, 1, 1, 6),
        correlation=-0.2,
    ),
    call(forecast.planned_estimate, guess=P, probability=P[::-1].copy(), confidence=0.9),
    call(plan.plan, y_score=S, budget=8, class_size=4, ids=np.arange(12) + 100, threshold=0.5, seed=1),
    call(
        plan.plan_of,
        rows=np.array([5, 0, 9, 3, 7, 8]),
        probability=np.full(12, 0.5),
        stratum=STRATA % 2,
        ids=np.arange(12) + 50,
    ),
    call(drift.population_stability_index, reference=np.array([30, 50, 20]), counts=np.array([[3, 5, 2], [1, 5, 4]])),
    call(drift.stability_limit, n_bins=10, n=200, n_reference=1000, confidence=0.9),
    call(UnlabeledCurve, test_positive_scores=S[:5], unlabeled_scores=S),
]


OFFERED = {
    f"{module.name}.{name}"
    for module in pkgutil.iter_modules(evalteach.__path__)
    if not module.name.startswith("_") and module.name not in ELSEWHERE
    for name, thing in vars(importlib.import_module(f"evalteach.{module.name}")).items()
    if inspect.isfunction(thing) and not name.startswith("_") and thing.__module__ == f"evalteach.{module.name}"
}
# these take what their neighbours have read already
WITHIN = {
    "counts.check_counts",
    "counts.check_rows",
    "counts.counted",
    "reviews.answers.with_sheet_columns",
    "reviews.designs.read_design",
    "reviews.designs.read_rows",
    "reviews.estimates.estimate_total",
}
# these read files or what only a plan makes: tests/test_review_plan.py
WITH_FILES = {
    *(f"reviews.answers.{name}" for name in ("estimate_positives", "pooled", "read_answers", "review_report")),
    "reviews.plan.read_plan",
}

NO_NUMBERS = {"nothing": None, "a word": "five", "an object": object(), "a complex number": 1j, "a dictionary": {}}
NO_NUMBER = NO_NUMBERS | {"nan": np.nan, "two": [1, 2], "far below": -(10**6), "beyond floats": 10**400}
# labels and names may be any values that differ
NAMES = ("stratum", "ids", "entity", "cluster")
# one number or many of them, broadcast against each other; precision at k of a whole list
TAKEN = {
    ("at_class_ratio", "ratio", "two"),
    ("with_unseen", "unseen_per_positive", "two"),
    ("precision_interval", "ratio", "two"),
    ("adjusted_count_interval", "n_flagged", "two"),
    ("ideal_recall_tail", "hits", "two"),
    ("ideal_recall_tail", "k", "two"),
    ("draw_review_sample", "seed", "two"),
    ("plan", "seed", "two"),
    ("judged_rate", "seed", "two"),
    ("precision_at_k", "k", "nothing"),
    ("recall_at_k", "k", "nothing"),
    ("ranked", "score", "a missing value"),  # an item that was not shown
    ("per_list", "score", "a missing value"),
    *(("Counts", cell, what) for cell in counting.CELLS for what in ("a number", "nested lists")),
}
# columns that are no rows of one table: their lengths have nothing to do with each other
APART = {"missed", "edges", "test_positive_scores", "unlabeled_scores", "pairs", "confusion_matrix"}
APART |= {"reference", "counts"}

# numbers among other objects are refused here, by the argument's name
NO_OBJECTS = {*counting.CELLS, "confusion_matrix", "pairs", "relevance", "score", "rows"}
NO_OBJECTS |= {"reference", "counts"}


def bad_columns(name, column):
    spoiled = column.astype(float)
    spoiled[(0,) * column.ndim] = np.nan
    bad = NO_NUMBERS | {
        "a number": 3,
        "a missing value": spoiled,
        "ragged lists": [[1], [1, 2]],
        "complex numbers": column.astype(complex),
        "nested lists": column.reshape(*column.shape, 1, 1).tolist(),
    }
    return {what: value for what, value in bad.items() if name not in NAMES or what != "complex numbers"}


def attempts():
    """Each argument of each call, with something that it is not."""
    for made in CALLS:
        defaults = inspect.signature(made.function).parameters
        choices = [name for name, one in defaults.items() if isinstance(one.default, str) and name not in made.rest]
        for name in [*made.arguments, *choices]:
            bad = NO_NUMBER if name in made.numbers else NO_NUMBERS
            for what, value in (bad_columns(name, made.columns[name]) if name in made.columns else bad).items():
                left_out = value is None and defaults[name].default is None
                if not left_out and (made.function.__name__, name, what) not in TAKEN:
                    yield pytest.param(
                        made, name, value, id=f"{made.function.__name__}-{name}-{what}".replace(" ", "_")
                    )


def odd_forms(column):
    """The same numbers, as callers hold them."""
    wide = np.repeat(column, 2, axis=0)
    fixed = column.copy()
    fixed.setflags(write=False)
    forms = {
        "list": column.tolist(),
        "objects": column.astype(object),
        "every_second": wide[::2],
        "read_only": fixed,
        "column_order": np.asfortranarray(column),
    }
    if column.ndim == 1:
        forms |= {"tuple": tuple(column.tolist()), "series": pd.Series(column, index=np.arange(column.size)[::-1] * 7)}
    return forms


def same(one, other):
    if isinstance(one, Counts):
        return all(same(getattr(one, cell), getattr(other, cell)) for cell in counting.CELLS)
    if isinstance(one, pd.DataFrame):
        one, other = ({name: frame[name].to_numpy() for name in frame} for frame in (one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, tuple | list):
        return len(one) == len(other) and all(map(same, one, other))
    if hasattr(one, "__dict__") and type(one).__module__.startswith("evalteach"):
        return same(vars(one), vars(other))
    return np.array_equal(one, other, equal_nan=np.asarray(one).dtype.kind == "f")


def test_every_public_function_is_called_here():
    called = {f"{made.function.__module__.split('.')[1]}.{made.function.__name__}" for made in CALLS}
    assert OFFERED - WITHIN - WITH_FILES - called == set()


@pytest.mark.parametrize(("made", "name", "value"), list(attempts()))
def test_what_an_argument_is_not_is_refused_by_its_name(made, name, value):
    with pytest.raises((ValueError, TypeError)) as refused:
        made.function(**{**made.arguments, name: value})
    raised_in = Path(traceback.extract_tb(refused.value.__traceback__)[-1].filename)
    assert raised_in.is_relative_to(PACKAGE), "the error is that of a library inside"
    assert re.search(rf"\b{name}\b", str(refused.value))


@pytest.mark.parametrize(
    ("made", "name"),
    [
        pytest.param(made, name, id=f"{made.function.__name__}-{name}")
        for made in CALLS
        for name in made.columns
        if len(made.columns.keys() - APART) > 1 and name not in APART and made.function not in (Counts, plan.plan_of)
    ],
)
def test_a_column_that_is_one_row_short_is_refused_by_its_name(made, name):
    with pytest.raises(ValueError, match=name):
        made.function(**{**made.arguments, name: made.columns[name][:-1]})


@pytest.mark.parametrize(
    ("made", "name", "form"),
    [
        pytest.param(made, name, form, id=f"{made.function.__name__}-{name}-{form}")
        for made in CALLS
        for name in made.columns
        for form in odd_forms(made.columns[name])
        if form != "objects" or name not in NO_OBJECTS
    ],
)
def test_the_same_numbers_in_another_form_give_the_same(made, name, form):
    before = made.columns[name].copy()
    given = odd_forms(made.columns[name])[form]
    assert same(made.function(**{**made.arguments, name: given}), made.function(**made.arguments))
    assert np.array_equal(made.columns[name], before)
    assert np.array_equal(np.asarray(given, dtype=before.dtype), before), "the caller's own rows were changed"


@pytest.mark.parametrize(
    ("made", "name"),
    [pytest.param(made, name, id=f"{made.function.__name__}-{name}") for made in CALLS for name in made.numbers],
)
def test_numbers_of_numpy_are_numbers(made, name):
    number = made.numbers[name]
    for one in (np.array(number), np.array([number])[0]):
        assert same(made.function(**{**made.arguments, name: one}), made.function(**made.arguments))
