"""The data of the notebooks: seeded, with the properties that each promises, fetched only when it must be."""

import re
from functools import cache
from statistics import NormalDist

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from threadpoolctl import threadpool_info, threadpool_limits

from evalteach import data
from evalteach.classification import precision, recall
from evalteach.counts import Counts, sweep
from evalteach.data import (
    catalogue,
    digit_detector,
    digits,
    digits_three_of_ten,
    eight_screenings,
    patients,
    people,
    ten_messages,
    two_normals,
    unlabeled_pictures,
    unseen_negatives,
    weekly_views,
    write_payments,
)
from evalteach.data.people import _mistyped


def log_odds(probability):
    return np.log(probability / (1 - probability))


# --- typed in --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", [ten_messages, eight_screenings])
def test_a_changed_table_does_not_change_the_next_one(table):
    first = table()
    first["score"] = 0
    assert table()["score"].max() > 0


# --- patients --------------------------------------------------------------------------------------------


def test_visits_of_a_patient_stand_together_share_the_label_and_differ_by_the_noise():
    X, y, patient = patients(4_000, 3, noise=0.4, seed=5)
    assert X.shape == (12_000, 6)
    np.testing.assert_array_equal(patient, np.repeat(np.arange(4_000), 3))
    assert (y.reshape(4_000, 3) == y[::3, None]).all()
    assert y[::3].sum() == 2_000
    visits = X.reshape(4_000, 3, 6)
    assert visits.std(axis=1, ddof=1).mean() == pytest.approx(0.4 * np.sqrt(np.pi) / 2, rel=0.02)
    np.testing.assert_array_equal(X, patients(4_000, 3, noise=0.4, seed=5)[0])
    assert not np.array_equal(X, patients(4_000, 3, noise=0.4, seed=6)[0])


def test_two_patients_who_come_once_are_enough():
    X, y, patient = patients(2, 1)
    assert (X.shape, sorted(y), patient.tolist()) == ((2, 6), [0, 1], [0, 1])


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"n_patients": 1}, "n_patients must be a whole number, 2 or more, got 1"),
        ({"visits": 0}, "visits must be a whole number, 1 or more, got 0"),
        ({"separation": np.inf}, "separation must be finite, got inf"),
        ({"noise": -1}, "noise must be 0 or more and finite, got -1"),
    ],
)
def test_patients_that_cannot_be_drawn_are_refused(given, why):
    with pytest.raises(ValueError, match=f"^{why}$"):
        patients(**given)


# --- two_normals -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("positives", "ratio", "negatives"),
    [(100, 9, 900), (3, 0.5, 2), (7, 1 / 3, 2), (10, 1, 10), (5, 0.3, 2), (1, 1, 1)],
)
def test_two_normals_have_the_ratio_asked_for(positives, ratio, negatives):
    y_true, y_score = two_normals(positives, ratio)
    assert y_true.dtype == bool
    assert y_true.tolist() == [True] * positives + [False] * negatives
    assert y_score.shape == y_true.shape
    assert np.all((y_score > 0) & (y_score < 1))


@pytest.mark.parametrize("separation", [0.5, 1.0, 2.0, 3.0])
def test_separation_is_the_distance_of_two_normals_of_unit_spread(separation):
    y_true, y_score = two_normals(20_000, 2, separation=separation)
    auc = roc_auc_score(y_true, y_score)
    assert auc == pytest.approx(NormalDist().cdf(separation / np.sqrt(2)), abs=0.005)
    for one_class in (y_true, ~y_true):
        place = log_odds(y_score[one_class]) / separation
        assert place.std() == pytest.approx(1, abs=0.02)


@pytest.mark.parametrize("ratio", [0.25, 1, 9])
@pytest.mark.parametrize("separation", [1.0, 2.0])
def test_calibrated_scores_are_the_true_probabilities(ratio, separation):
    y_true, y_score = two_normals(round(40_000 / (1 + ratio)), ratio, separation=separation, seed=1)
    order = np.argsort(y_score)
    for rows in np.array_split(order, 10):
        expected, spread = y_score[rows].mean(), np.sqrt(np.sum(y_score[rows] * (1 - y_score[rows])))
        assert abs(y_true[rows].mean() - expected) < 4 * spread / rows.size + 1e-4


@pytest.mark.parametrize("calibration", [0.5, 2.0, 3.0])
def test_calibration_is_the_slope_of_the_log_odds_and_keeps_the_order(calibration):
    y_true, y_score = two_normals(1000, 4, calibration=calibration)
    calibrated = two_normals(1000, 4)
    stretched = calibration * log_odds(calibrated.y_score)
    np.testing.assert_allclose(log_odds(y_score), stretched, rtol=1e-6, atol=1e-9)
    np.testing.assert_array_equal(np.argsort(y_score), np.argsort(calibrated.y_score))
    surest = y_score >= np.quantile(y_score, 0.9)
    too_high = y_score[surest].mean() - y_true[surest].mean()
    assert too_high > 0.02 if calibration > 1 else too_high < -0.02


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        ({"ratio": 0}, "ratio must be above 0 and finite, got 0"),
        ({"ratio": -1}, "ratio must be above 0 and finite, got -1"),
        ({"ratio": np.nan}, "ratio must be above 0 and finite, got nan"),
        ({"ratio": np.inf}, "ratio must be above 0 and finite, got inf"),
        ({"calibration": 0}, "calibration must be above 0 and finite, got 0"),
        ({"calibration": np.nan}, "calibration must be above 0 and finite, got nan"),
        ({"n_positives": 0}, "n_positives must be a whole number, 1 or more, got 0"),
        ({"n_positives": 0.5}, "n_positives must be a whole number, 1 or more, got 0.5"),
        ({"n_positives": -3}, "n_positives must be a whole number, 1 or more, got -3"),
        ({"n_positives": "100"}, "n_positives must be one real number, got '100'"),
        ({"n_positives": None}, "n_positives must be one real number, got None"),
        ({"n_positives": np.inf}, "n_positives must be a whole number, 1 or more, got inf"),
        ({"separation": "2"}, "separation must be one real number, got '2'"),
        ({"ratio": 0.01}, "both classes need whole rows, got 10 positives and 0 negatives"),
    ],
)
def test_two_normals_refuse_what_they_cannot_draw(arguments, found):
    with pytest.raises(ValueError, match=f"^{found}$"):
        two_normals(**{"n_positives": 10, "ratio": 9, **arguments})


# --- unseen_negatives ------------------------------------------------------------------------------------


def test_the_deployment_is_ten_test_sets_and_the_unseen_kind():
    test, deployed = unseen_negatives(20, 3, unseen_per_positive=2)
    assert (test.y_true.sum(), (~test.y_true).sum()) == (20, 60)
    assert (deployed.y_true.sum(), (~deployed.y_true).sum()) == (200, 600 + 400)
    assert deployed.y_score.shape == deployed.y_true.shape
    assert not np.isin(test.y_score, deployed.y_score).any(), "no row is in both"
    default_test, default_deployed = unseen_negatives()
    assert (default_test.y_true.size, default_deployed.y_true.size) == (1000, 10_000 + 9000)
    assert default_test.y_score[:3] == pytest.approx([0.9358, 0.8706, 0.9856], abs=1e-4)
    assert default_deployed.y_score[[0, 1, -2, -1]] == pytest.approx([0.9316, 0.3455, 0.2116, 0.9592], abs=1e-4)


def test_unseen_negatives_keep_the_recall_and_lower_the_precision():
    test, deployed = (sweep(*rows) for rows in unseen_negatives(3000, 9, seed=2))
    for threshold in (0.1, 0.5, 0.9):
        at_test, at_deployed = test.at(threshold), deployed.at(threshold)
        assert recall(at_deployed) == pytest.approx(recall(at_test), abs=0.02)
        assert precision(at_deployed) < precision(at_test) - 0.05


@pytest.mark.parametrize(("place", "like"), [(0, False), (1, True)])
def test_the_unseen_kind_lies_on_either_class_or_between(place, like):
    _, deployed = unseen_negatives(500, 4, unseen_per_positive=4, place=place)
    known, unseen = deployed.y_score[: 5000 * 5], deployed.y_score[5000 * 5 :]
    one_class = log_odds(known[deployed.y_true[: known.size] == like])
    assert log_odds(unseen).mean() == pytest.approx(one_class.mean(), abs=0.15)
    assert log_odds(unseen).std() == pytest.approx(one_class.std(), abs=0.1)


@pytest.mark.parametrize("number", [-1, np.nan])
def test_a_negative_number_of_unseen_negatives_is_refused(number):
    with pytest.raises(ValueError, match=f"^unseen_per_positive must be .*, got {number}$"):
        unseen_negatives(unseen_per_positive=number)


@pytest.mark.parametrize(("place", "said"), [(np.nan, "nan"), (np.inf, "inf"), ("near", "'near'"), (1j, "1j")])
def test_a_place_that_is_none_is_refused(place, said):
    with pytest.raises(ValueError, match=f"^place must be .*, got {said}$"):
        unseen_negatives(20, 4, place=place)


def test_an_endless_number_of_unseen_negatives_is_refused():
    with pytest.raises(ValueError, match=r"^unseen_per_positive must be .* finite, got inf$"):
        unseen_negatives(unseen_per_positive=np.inf)


def test_both_classes_are_needed_beside_the_unseen_kind():
    with pytest.raises(ValueError, match=r"^n_positives must be a whole number, 1 or more, got 0$"):
        unseen_negatives(0)


# --- digits ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def nines():
    return digit_detector()


def test_the_detector_of_nines_has_these_counts_at_six_tenths(nines):
    assert sweep(*nines).at(0.6) == Counts(tp=160, fp=4, fn=20, tn=1613)
    assert nines.positives[:4] == pytest.approx([0.9804, 0.1609, 0.8227, 0.8942], abs=1e-4)


def test_the_detector_scores_every_picture_in_the_order_of_the_data_set(nines):
    np.testing.assert_array_equal(nines.y_true, load_digits().target == 9)
    assert nines.y_score.shape == (1797,)
    assert np.all((nines.y_score >= 0) & (nines.y_score <= 1))


@pytest.mark.parametrize("digit", [10, -1, 2.5, "9", None])
def test_what_is_not_a_digit_is_refused(digit):
    with pytest.raises(ValueError, match=f"^digit must be one of 0, 1, .*, 8, 9, got {digit!r}$"):
        digit_detector(digit)


@pytest.mark.parametrize("seed", [-1, 2**32, 0.5, "one", np.random.default_rng(0)])
def test_a_split_of_the_detector_needs_a_whole_number_as_its_seed(seed):
    with pytest.raises(ValueError, match=r"^seed must be "):
        digit_detector(seed=seed)


@cache
def three_of_ten(seed):
    return digits_three_of_ten(seed=seed)


def count(labels):
    return {int(label): int(n) for label, n in zip(*np.unique(labels, return_counts=True), strict=True)}


def test_half_of_three_digits_are_labeled_and_half_of_those_are_the_test_set():
    parts = three_of_ten(0)
    assert parts.classes == (3, 8, 9)
    # of 183, 174 and 180 pictures 92, 87 and 90 are labeled
    assert count(parts.test_labels) == {3: 46, 8: 44, 9: 45}
    rest = {0: 178, 1: 182, 2: 177, 4: 181, 5: 182, 6: 181, 7: 179}
    assert count(parts.unlabeled_labels) == {**rest, 3: 91, 8: 87, 9: 90}
    assert parts.test_scores.shape == (46 + 44 + 45, 3)
    assert parts.unlabeled_scores.shape == (1797 - 92 - 87 - 90, 3)
    for scores in (parts.test_scores, parts.unlabeled_scores):
        np.testing.assert_allclose(scores.sum(axis=1), 1)
    assert parts.test_scores[0] == pytest.approx([0.9598, 0.0135, 0.0267], abs=1e-4)
    assert parts.unlabeled_scores.sum(axis=0) == pytest.approx([274.61, 778.07, 475.32], abs=0.01)


def test_the_model_learns_from_the_labeled_pictures_that_are_not_in_the_test_set(monkeypatch):
    pictures = {}

    class Model:
        def fit(self, pixels, digits):
            assert count(digits) == {3: 46, 8: 43, 9: 45}
            assert pixels.max() == 1
            pictures["training"] = {row.tobytes() for row in pixels}
            return self

        def predict_proba(self, pixels):
            assert pixels.max() == 1
            pictures[len(pixels)] = {row.tobytes() for row in pixels}
            return np.zeros((len(pixels), 3))

    monkeypatch.setattr(digits, "_logistic", lambda *args: Model())
    digits_three_of_ten()
    assert {name: len(rows) for name, rows in pictures.items()} == {"training": 134, 135: 135, 1528: 1528}
    assert len(set.union(*pictures.values())) == 1797, "all pictures differ, and none is in two parts"


def test_a_model_is_fitted_to_the_last_digit_and_by_one_thread(monkeypatch):
    used = []

    class Model(LogisticRegression):
        def fit(self, *rows):
            used.extend(each["num_threads"] for each in threadpool_info())
            return super().fit(*rows)

    assert digits._logistic(7).get_params().items() >= {"C": 7, "tol": 1e-8, "max_iter": 10_000}.items()
    monkeypatch.setattr(digits, "_logistic", lambda inverse_penalty: Model(tol=0.1))
    with threadpool_limits(2):
        digit_detector()
        digits_three_of_ten()
    assert set(used) == {1}


@pytest.mark.parametrize("more", [{}, {"seed": 1}, {"classes": (0, 1)}, {"classes": range(10)}])
def test_the_pictures_of_the_unlabeled_rows_are_theirs_and_in_their_order(more):
    pictures, parts = unlabeled_pictures(**more), digits_three_of_ten(model="nearest", **more)
    pixels, truth = load_digits(return_X_y=True)
    place = {each.tobytes(): row for row, each in enumerate(pixels)}
    rows = [place[each.tobytes()] for each in pictures]
    assert pictures.shape == (parts.unlabeled_labels.size, 8, 8)
    assert rows == sorted(rows)
    assert truth[rows].tolist() == parts.unlabeled_labels.tolist()


def test_a_class_that_the_model_did_not_learn_is_refused():
    assert three_of_ten(0).of(8).test.y_true.sum() == 44
    with pytest.raises(ValueError, match=r"^label must be one of 3, 8, 9, got 4$"):
        three_of_ten(0).of(4)


@pytest.mark.parametrize("classes", [(3,), (), (3, 3), (3, 3, 8), (3, 10), (-1, 2), "38"])
def test_less_than_two_different_digits_are_refused(classes):
    found = f"classes must be at least two different digits from 0 to 9, got {classes!r}"
    with pytest.raises(ValueError, match=f"^{re.escape(found)}$"):
        digits_three_of_ten(classes)
    with pytest.raises(ValueError, match=f"^{re.escape(found)}$"):
        unlabeled_pictures(classes)


# --- the second model ------------------------------------------------------------------------------------


def test_the_nearest_model_scores_the_same_split_by_minus_the_squared_distance():
    from sklearn.datasets import load_digits

    logistic, nearest = data.digits_three_of_ten(), data.digits_three_of_ten(model="nearest")
    assert np.array_equal(logistic.test_labels, nearest.test_labels)
    assert np.array_equal(logistic.unlabeled_labels, nearest.unlabeled_labels)
    assert nearest.unlabeled_scores.shape == logistic.unlabeled_scores.shape
    assert np.array_equal(nearest.test_scores, np.round(nearest.test_scores))
    assert np.mean(np.array(nearest.classes)[nearest.test_scores.argmax(axis=1)] == nearest.test_labels) > 0.98
    # no two pictures of the data are alike, so that no row is at distance 0 from what was trained on
    assert nearest.test_scores.max() < 0
    pixels, _ = load_digits(return_X_y=True)
    between = ((pixels[:300, None] - pixels[None, :300]) ** 2).sum(axis=2)
    assert digits._closeness(pixels[:300], [pixels[:300]])[:, 0] == pytest.approx(-between.min(axis=1))
    assert digits._closeness(pixels[:9], [pixels[9:300]])[:, 0] == pytest.approx(-between[:9, 9:].min(axis=1))


def test_another_model_is_refused():
    with pytest.raises(ValueError, match=r"^model must be one of 'logistic', 'nearest', got 'tree'$"):
        data.digits_three_of_ten(model="tree")


# --- people ----------------------------------------------------------------------------------------------


def test_people_are_the_same_with_every_version_of_numpy():
    records = people(3, seed=2)
    assert records.columns.tolist() == ["name", "person"]
    assert records.to_numpy().tolist() == PEOPLE


PEOPLE = [
    ["Karlson, Martina", 0],
    ["Karlsson, Martina", 0],
    ["Schmitt, Laura", 2],
    ["Smhth, Mario", 1],
    ["Smith, Mario", 1],
    ["Smith, Myrio", 1],
]


@pytest.mark.parametrize(("word", "lengths"), [("Tim", {2, 3, 4}), ("Ti", {2, 3})])
def test_an_error_leaves_a_letter_more_or_less_and_never_one_alone(word, lengths):
    assert {len(_mistyped(word, np.random.default_rng(seed))) for seed in range(40)} == lengths


@pytest.mark.parametrize("n_people", [1, 14, 300])
def test_people_are_sorted_by_name_and_each_has_a_record(n_people):
    records = people(n_people)
    assert sorted(records["person"].unique()) == list(range(n_people))
    assert records["name"].tolist() == sorted(records["name"])
    assert records["name"].str.fullmatch("[A-Z][a-z]+, [A-Z][a-z]*").all()


@pytest.mark.parametrize(("typos", "alike"), [(0, 1.0), (0.5, 0.5)])
def test_typos_are_so_many_a_further_record(typos, alike):
    records = people(2000, typos=typos)
    names = records.groupby("person")["name"]
    further = len(records) - 2000
    changed = further - (names.agg(lambda each: each.value_counts().iloc[0]).sum() - 2000)
    assert 1 - changed / further == pytest.approx(alike, abs=0.1)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"n_people": 0}, "n_people must be a whole number, 1 or more, got 0"),
        ({"n_people": 1.5}, "n_people must be a whole number, 1 or more, got 1.5"),
        ({"typos": -1}, "typos must be between 0 and 10, both included, got -1"),
        ({"typos": 11}, "typos must be between 0 and 10, both included, got 11"),
    ],
)
def test_people_that_cannot_be_drawn_are_refused(given, why):
    with pytest.raises(ValueError, match=f"^{why}$"):
        people(**given)


# --- payments --------------------------------------------------------------------------------------------


def test_the_payments_are_two_files_of_which_one_says_what_is_fraud(tmp_path):
    paths = write_payments(tmp_path)
    assert paths == (tmp_path / "payments.csv", tmp_path / "last_month.csv")
    reviewed, last_month = map(pd.read_csv, paths)
    assert reviewed.columns.tolist() == ["payment", "verdict", "score"]
    assert last_month.columns.tolist() == ["payment", "score"]
    assert reviewed["payment"].tolist() == list(range(1, 1_201))
    assert last_month["payment"].tolist() == list(range(100_001, 138_001))
    assert reviewed["verdict"].value_counts().to_dict() == {"ok": 1_080, "fraud": 120}
    assert reviewed.groupby("verdict")["score"].mean().to_dict() == pytest.approx(
        {"fraud": 0.635187, "ok": 0.028840}, abs=1e-6
    )
    assert last_month["score"].mean() == pytest.approx(0.0310787, abs=1e-7)
    assert paths[0].read_text().startswith("payment,verdict,score\n1,ok,0.0003\n2,ok,0.0008\n3,ok,0.0043\n")


def test_other_payments_are_written_over_those_that_are_there_whole_or_not_at_all(tmp_path, monkeypatch):
    before = [path.read_text() for path in write_payments(tmp_path, seed=1)]
    after = [path.read_text() for path in write_payments(tmp_path, seed=2)]
    assert len(list(tmp_path.iterdir())) == 2
    assert all(one != other for one, other in zip(before, after, strict=True))
    monkeypatch.setattr("os.replace", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write_payments(tmp_path, seed=3)
    assert [(tmp_path / name).read_text() for name in ("payments.csv", "last_month.csv")] == after


# --- a catalogue -----------------------------------------------------------------------------------------


def test_products_of_users_and_items_are_standard_normal_and_the_highest_are_liked():
    users, items, liked = catalogue(10, 50_000, seed=3)
    taste = users @ items.T
    assert np.allclose([taste.mean(), taste.std()], [0, 1], atol=0.01)
    assert np.linalg.norm(users, axis=1) == pytest.approx(1)
    assert liked[taste > 4.2].all()
    assert not liked[taste < 2.3].any()
    assert liked[abs(taste - 3.5) < 0.05].mean() == pytest.approx(0.5, abs=0.15)
    assert 1.5e-4 < liked.mean() < 4.5e-4


@pytest.mark.parametrize("shared", [0.0, 1.0])
def test_tastes_are_as_alike_as_they_share(shared):
    films = catalogue(40, 2_000, shared=shared)
    assert np.linalg.norm(films.users, axis=1) == pytest.approx(1)
    alike = np.corrcoef(films.score())[np.triu_indices(40, k=1)].mean()
    assert alike == pytest.approx(shared**2 / (1 + shared**2), abs=0.05)


def test_a_taste_that_is_shared_less_than_not_at_all_is_refused():
    with pytest.raises(ValueError, match=r"^shared must be 0 or more and finite, got -1"):
        catalogue(2, 30, shared=-1)


def test_one_film_one_user_and_one_week_are_enough():
    assert catalogue(1, 1, n_factors=1).liked.shape == (1, 1)
    assert weekly_views(1, 1, views=1).tolist() == [[0]]


@pytest.mark.parametrize("name", ["n_users", "n_items", "n_factors"])
def test_a_catalogue_of_nothing_is_refused(name):
    with pytest.raises(ValueError, match=f"^{name} must be a whole number, 1 or more, got 0"):
        catalogue(**{name: 0})


def test_a_stage_scores_by_the_first_factors_and_its_noise():
    films = catalogue(5, 4_000)
    assert np.array_equal(films.score(), films.users @ films.items.T)
    some = films.score(16)
    assert some == pytest.approx(films.users[:, :16] @ films.items[:, :16].T)
    errors = films.score(noise=0.8) - films.score()
    assert errors.std() == pytest.approx(0.8, abs=0.02)
    assert films.score(16, noise=0.2) - some == pytest.approx(errors / 4)
    with pytest.raises(ValueError, match=r"^noise must be 0 or more and finite, got -1"):
        films.score(noise=-1)
    for wrong in (0, -1, 33):
        with pytest.raises(ValueError, match=f"^n_factors must be a whole number from 1 to 32, got {wrong}"):
            films.score(wrong)


def test_weekly_views_are_of_films_that_are_out_and_fade():
    views = weekly_views(30, 50, views=400, seed=2)
    assert views.shape == (30, 400)
    assert np.array_equal(views, weekly_views(30, 50, views=400, seed=2))
    counts = np.array([np.bincount(week, minlength=50) for week in views])
    first = (counts > 0).argmax(axis=0)
    aged = np.array([counts[week : week + 8, film] for film, week in enumerate(first) if week < 22])
    later = aged.sum(axis=0)
    assert later[6] < later[0] / 10
    assert (np.ptp(first) > 20) & (first.min() == 0)
    assert weekly_views(2_000, 1, views=3)[-1].tolist() == [0, 0, 0]  # an old film is seen if there is no other


def test_the_views_of_the_lessons_are_these():
    views = weekly_views()
    assert views.shape == (20, 1_000)
    assert views[0, :8].tolist() == [227, 284, 227, 284, 96, 34, 284, 284]
    assert views[-1, :8].tolist() == [358, 245, 208, 122, 362, 157, 332, 14]
    films_a_week = [26, 45, 62, 69, 71, 95, 97, 101, 94, 83, 92, 103, 111, 106, 101, 101, 104, 117, 115, 115]
    assert [len(set(week)) for week in views.tolist()] == films_a_week


@pytest.mark.parametrize("name", ["n_weeks", "n_films", "views"])
def test_views_of_nothing_are_refused(name):
    with pytest.raises(ValueError, match=f"^{name} must be a whole number, 1 or more, got 0$"):
        weekly_views(**{name: 0})


# --- logged clicks ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("campaign", "n_items", "clicks"), [("men", 34, (46, 69)), ("women", 46, (46, 46))])
def test_logged_clicks_are_those_of_the_open_bandit_sample(campaign, n_items, clicks):
    uniform, thompson = (data.logged_clicks(policy, campaign) for policy in ("uniform", "thompson"))
    assert (uniform.clicked.sum(), thompson.clicked.sum()) == clicks
    for rows in (uniform, thompson):
        assert [column.shape for column in rows] == [(10_000,)] * 4
        assert {*rows.item.tolist()} == {*range(n_items)}
        assert {*rows.position.tolist()} == {1, 2, 3}
    assert np.allclose(uniform.propensity, 1 / n_items)
    assert 0 < thompson.propensity.min() < 1e-3 < 0.7 < thompson.propensity.max() < 1


def test_logged_propensities_are_right_on_average():
    """The weights of a reweighting to the uniform policy have a mean of 1, up to chance."""
    rows = data.logged_clicks("thompson", "men")
    weights = 1 / 34 / rows.propensity
    assert weights.mean() == pytest.approx(1, abs=4 * weights.std() / 100)


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({"policy": "bts"}, "policy must be one of 'uniform', 'thompson', got 'bts'"),
        ({"campaign": "all"}, "campaign must be one of 'men', 'women', got 'all'"),
    ],
)
def test_other_logs_of_clicks_are_refused(given, found):
    with pytest.raises(ValueError, match=found):
        data.logged_clicks(**given)


def test_llmbar_has_the_verdicts_that_its_authors_published():
    pairs = data.llmbar()
    assert pairs.kind.value_counts().to_dict() == {
        "Neighbor": 134,
        "Natural": 100,
        "GPTInst": 92,
        "GPTOut": 47,
        "Manual": 46,
    }
    natural = pairs[pairs.kind == "Natural"]
    # counted in the repository's result.json files of the plain prompt, both orders
    right = {
        j: int((natural[[f"{j}/V/12", f"{j}/V/21"]].eq(natural.better, axis=0)).sum().sum())
        for j in ("GPT-4", "Falcon")
    }
    assert right == {"GPT-4": 191, "Falcon": 148}
    assert pairs.filter(like="/").isin([1, 2]).sum().sum() + pairs.filter(like="/").isna().sum().sum() == 419 * 24
