"""Shares of good answers behind a judge's verdicts: by hand, against other packages, and how often intervals hold."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import beta

from evalteach.counts import Counts
from evalteach.judged import JudgedRate, judged_rate
from evalteach.prevalence import adjusted_count, adjusted_count_interval

SHOP = Counts(tp=18, fp=6, fn=2, tn=14)  # 20 good answers, of which 18 passed, and 20 bad ones, of which 6 did
CELLS = st.integers(0, 40)
LABELED = st.builds(lambda tp, fp, fn, tn: Counts(tp=tp, fp=fp, fn=fn, tn=tn), CELLS, CELLS, CELLS, CELLS)

# tp, fp, fn, tn, passed of all answers, all answers, and ppi_mean_pointestimate of ppi-python 0.2.3 for them
PPI = [
    (45, 1, 16, 38, 159, 300, 0.6574446942),
    (37, 0, 1, 2, 4856, 5040, 0.9888000000),
    (59, 2, 38, 1, 692, 1100, 0.9700000000),
    (88, 1, 10, 1, 261, 300, 0.9786252874),
    (10, 4, 4, 2, 163, 220, 0.7021214078),
    (5, 0, 1, 6, 17, 42, 0.4899509804),
    (39, 35, 14, 12, 829, 1100, 0.5300000000),
    (272, 5, 1, 22, 4836, 5300, 0.9009530844),
    (43, 13, 9, 35, 2600, 5100, 0.4921258850),
    (24, 0, 14, 2, 160, 240, 0.9589625000),
    (18, 0, 2, 0, 185, 220, 1.0000000000),
    (96, 82, 55, 67, 2930, 5300, 0.4998350624),
    (33, 4, 3, 0, 216, 240, 0.9000000000),
    (10, 5, 2, 3, 112, 220, 0.5520213294),
]


def judged_of(labeled, more_passed, more_failed):
    """The judged answers that the labeled ones are part of: how many passed, and how many there are."""
    passed = labeled.tp + labeled.fp + more_passed
    return passed, passed + labeled.fn + labeled.tn + more_failed


# --- estimates -------------------------------------------------------------------------------------------


def test_worked_by_hand():
    # from elsewhere: (62/100 + 7/10 - 1) / (9/10 + 7/10 - 1)
    assert judged_rate(62, 100, SHOP, drawn=False).estimate == pytest.approx(8 / 15)
    # drawn from the 100: 62/100 · 18/24 + 38/100 · 2/16
    assert judged_rate(62, 100, SHOP).estimate == pytest.approx(0.465 + 0.0475)


@given(LABELED, st.integers(0, 300), st.integers(1, 300))
def test_labels_from_elsewhere_give_the_adjusted_count(labeled, n_passed, n_failed):
    found = judged_rate(n_passed, n_passed + n_failed, labeled, drawn=False)
    expected = adjusted_count(labeled, n_passed / (n_passed + n_failed))
    assert found.estimate == pytest.approx(expected, nan_ok=True)


@given(LABELED, st.integers(0, 300), st.integers(0, 300))
def test_drawn_labels_give_the_mean_of_guessed_labels(labeled, more_passed, more_failed):
    """Each answer without a label is guessed to be good as often as the labeled ones of its verdict."""
    assume(labeled.tp + labeled.fp and labeled.fn + labeled.tn)
    n_passed, n_judged = judged_of(labeled, more_passed, more_failed)
    passed = np.repeat([1, 0, 1, 0], [labeled.tp, labeled.fn, labeled.fp, labeled.tn])
    good = np.repeat([1, 0], [labeled.tp + labeled.fn, labeled.fp + labeled.tn])
    guessed = [good[passed == verdict].mean() for verdict in (1, 0)]
    expected = np.mean(np.r_[good, np.repeat(guessed, [more_passed, more_failed])])
    assert judged_rate(n_passed, n_judged, labeled).estimate == pytest.approx(expected)


@pytest.mark.parametrize(("tp", "fp", "fn", "tn", "n_passed", "n_judged", "estimate"), PPI)
def test_drawn_labels_give_what_prediction_powered_inference_gives(tp, fp, fn, tn, n_passed, n_judged, estimate):
    """PPI++ adds the difference in pass rates between the other answers and the labeled ones, times a factor.

    Up to three details it is that of the post-stratified estimate: it takes the variance of the verdicts among *all*
    answers, counts the labeled ones apart from the others, and is held between 0 and 1.
    """
    m, p = tp + fp + fn + tn, n_passed / n_judged
    among_labeled, among_others = (tp + fp) / m, (n_passed - tp - fp) / (n_judged - m)
    labels, found = (tp + fn) / m, judged_rate(n_passed, n_judged, Counts(tp=tp, fp=fp, fn=fn, tn=tn)).estimate
    factor = (found - labels) / (p - among_labeled)
    variances = among_labeled * (1 - among_labeled), p * (1 - p) * n_judged / (n_judged - 1)
    factor = np.clip(factor * variances[0] / variances[1] * (1 - m / n_judged), 0, 1)
    assert labels + factor * (among_others - among_labeled) == pytest.approx(estimate, abs=1e-9)


def test_if_all_answers_are_labeled_the_judge_changes_nothing():
    found = judged_rate(24, 40, SHOP)
    assert found.estimate == pytest.approx(0.5)
    low, high = beta.ppf([0.025, 0.975], [20, 21], [21, 20])  # Clopper and Pearson
    assert low - 0.01 < found.low < found.estimate < found.high < high + 0.01


def test_a_perfect_judge_leaves_the_chance_in_the_judged_answers():
    found = judged_rate(62, 100, Counts(tp=62, fp=0, fn=0, tn=38))
    low, high = beta.ppf([0.025, 0.975], [62, 63], [39, 38])
    assert found[1:] == pytest.approx((low, high), abs=0.03)


def test_a_judge_who_is_right_is_believed_and_one_who_guesses_is_not():
    right, guessing = Counts(tp=400, fp=0, fn=0, tn=400), Counts(tp=200, fp=200, fn=200, tn=200)
    assert judged_rate(600, 1_000, right).estimate == 0.6
    assert judged_rate(600, 1_000, right, drawn=False).estimate == 0.6
    assert judged_rate(600, 1_000, guessing).estimate == 0.5
    assert math.isnan(judged_rate(600, 1_000, guessing, drawn=False).estimate)


def test_a_judge_who_is_mostly_wrong_is_read_the_other_way_round():
    contrary = Counts(tp=SHOP.fn, fp=SHOP.tn, fn=SHOP.tp, tn=SHOP.fp)
    for drawn in (True, False):
        one, other = judged_rate(62, 100, SHOP, drawn=drawn), judged_rate(38, 100, contrary, drawn=drawn)
        assert other.estimate == pytest.approx(one.estimate)
        assert other == pytest.approx(one, abs=0.02)


def test_good_and_bad_can_be_exchanged():
    turned = Counts(tp=SHOP.tn, fp=SHOP.fn, fn=SHOP.fp, tn=SHOP.tp)
    for drawn in (True, False):
        one, other = judged_rate(62, 100, SHOP, drawn=drawn), judged_rate(38, 100, turned, drawn=drawn)
        assert (1 - other.estimate, 1 - other.high, 1 - other.low) == pytest.approx(one, abs=0.02)


# --- where there is nothing to say ------------------------------------------------------------------------


def test_a_verdict_without_a_label_has_no_estimate_and_an_interval_that_lets_it_be_anything():
    found = judged_rate(700, 1_000, Counts(tp=20, fp=0, fn=0, tn=0))
    assert math.isnan(found.estimate)
    assert 0.5 < found.low < 0.7
    assert found.high == pytest.approx(1, abs=0.01)
    # and where no answer got the verdict, nothing is missing
    assert judged_rate(1_000, 1_000, Counts(tp=15, fp=5, fn=0, tn=0)).estimate == 0.75
    assert judged_rate(0, 1_000, Counts(tp=0, fp=0, fn=5, tn=15)).estimate == 0.25


@pytest.mark.parametrize(
    ("labeled", "drawn"),
    [
        (Counts(tp=0, fp=0, fn=0, tn=0), True),
        (Counts(tp=0, fp=0, fn=0, tn=0), False),
        (Counts(tp=0, fp=4, fn=0, tn=9), False),
        (Counts(tp=4, fp=0, fn=9, tn=0), False),
    ],
)
def test_without_labels_or_a_class_all_is_nan(labeled, drawn):
    assert np.isnan(judged_rate(30, 60, labeled, drawn=drawn)).all()


def test_an_estimate_from_elsewhere_is_not_clipped_and_its_interval_is():
    found = judged_rate(97, 100, Counts(tp=36, fp=0, fn=4, tn=20), drawn=False)
    assert found.estimate == pytest.approx(0.97 / 0.9)
    assert 0.9 < found.low < found.high == 1


def test_a_pass_rate_that_no_share_explains_has_no_interval():
    labeled = Counts(tp=180, fp=20, fn=20, tn=180)
    for n_passed, beyond in ((990, 1.1125), (10, -0.1125)):
        found = judged_rate(n_passed, 1_000, labeled, drawn=False)
        assert found.estimate == pytest.approx(beyond)
        assert np.isnan(found[1:]).all()


def test_a_judge_who_may_not_tell_good_from_bad_leaves_everything_open():
    alike = Counts(tp=10, fp=10, fn=10, tn=10), Counts(tp=0, fp=0, fn=5, tn=5), Counts(tp=5, fp=7, fn=0, tn=0)
    for labeled in (*alike, Counts(tp=11, fp=10, fn=9, tn=10), Counts(tp=14, fp=9, fn=6, tn=11)):
        for n_passed in (5, 55, 95):
            assert judged_rate(n_passed, 100, labeled, drawn=False)[1:] == (0, 1)
    assert judged_rate(55, 100, Counts(tp=140, fp=90, fn=60, tn=110), drawn=False)[1:] != (0, 1)


# --- intervals -------------------------------------------------------------------------------------------


def test_the_result_is_a_named_tuple_of_floats():
    found = judged_rate(62, 100, SHOP)
    assert isinstance(found, JudgedRate)
    assert found._fields == ("estimate", "low", "high")
    assert [type(number) for number in found] == [float] * 3
    assert 0 <= found.low <= found.estimate <= found.high <= 1


def test_a_seed_draws_the_same_again_and_another_one_nearly_the_same():
    assert judged_rate(62, 100, SHOP, seed=3) == judged_rate(62, 100, SHOP, seed=3)
    one, other = (judged_rate(62, 100, SHOP, seed=seed) for seed in (3, 4))
    assert one != other
    assert one == pytest.approx(other, abs=0.05 * (one.high - one.low))


def test_more_judged_answers_narrow_the_interval_down_to_what_the_labels_leave():
    widths = [np.diff(judged_rate(62 * k, 100 * k, SHOP, drawn=False)[1:])[0] for k in (1, 10, 100, 1_000)]
    assert widths[0] > widths[1] + 0.05
    assert widths[3] == pytest.approx(widths[2], rel=0.03)


def test_with_very_many_labels_only_the_judged_answers_leave_doubt():
    many = Counts(tp=9 * 10**8, fp=3 * 10**8, fn=10**8, tn=7 * 10**8)
    low, high = beta.ppf([0.025, 0.975], [62, 63], [39, 38])
    found = judged_rate(62, 100, many, drawn=False)
    assert found[1:] == pytest.approx(((low - 0.3) / 0.6, (high - 0.3) / 0.6), abs=0.02)


def test_the_interval_is_near_lang_and_reiczigels_where_both_hold():
    labeled = Counts(tp=180, fp=60, fn=20, tn=140)
    found = judged_rate(620, 1_000, labeled, drawn=False)
    assert found[1:] == pytest.approx(adjusted_count_interval(labeled, 620, 1_000), abs=0.01)


def test_the_interval_widens_with_confidence():
    widths = [np.diff(judged_rate(62, 100, SHOP, confidence=level)[1:])[0] for level in (0.5, 0.9, 0.99)]
    assert widths == sorted(widths)


@pytest.mark.parametrize(
    ("share", "se", "sp", "n_labels", "drawn"),
    [
        (0.5, 0.9, 0.7, 100, True),
        (0.5, 0.9, 0.7, 100, False),
        (0.99, 0.8, 0.6, 20, True),  # Beta(k + 1/2, n - k + 1/2) holds in 84 % of the draws
        (0.99, 0.95, 0.9, 20, True),
        (0.9, 0.95, 0.9, 20, False),
        (0.98, 0.99, 0.95, 20, False),
        (0.02, 0.6, 0.5, 20, False),  # a useless judge
    ],
)
def test_the_interval_holds_the_share(share, se, sp, n_labels, drawn, monkeypatch):
    monkeypatch.setattr("evalteach.judged.DRAWS", 1_000)
    rng, repeats = np.random.default_rng(0), 400
    held = 0
    for _ in range(repeats):
        good = rng.random(1_000) < share
        passed = rng.random(1_000) < np.where(good, se, 1 - sp)
        n_passed = int(passed.sum())
        if not drawn:
            good = np.arange(n_labels) % 2 == 0
            passed = rng.random(n_labels) < np.where(good, se, 1 - sp)
        good, passed = good[:n_labels], passed[:n_labels]
        cells = [int(np.sum(good & passed)), int(np.sum(~good & passed)), int(np.sum(good & ~passed))]
        labeled = Counts(tp=cells[0], fp=cells[1], fn=cells[2], tn=n_labels - sum(cells))
        _, low, high = judged_rate(n_passed, 1_000, labeled, drawn=drawn, seed=rng)
        held += low <= share <= high
    assert held / repeats >= 0.93 - 2 * math.sqrt(0.93 * 0.07 / repeats)


# --- bad input -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"n_passed": 101}, "n_passed must be a whole number from 0 to 100, got 101"),
        ({"n_passed": 0.62}, "n_passed must be a whole number from 0 to 100, got 0.62"),
        ({"n_judged": 0}, "n_judged must be a whole number, 1 or more, got 0"),
        ({"labeled": [18, 6, 2, 14]}, "labeled must be Counts, got list"),
        ({"labeled": Counts(tp=[1, 2], fp=1, fn=1, tn=1)}, r"labeled must be Counts of four numbers, got shape \(2,\)"),
        ({"labeled": Counts(tp=1.5, fp=1, fn=1, tn=1)}, "tp holds weights or expected counts"),
        ({"labeled": Counts(tp=60, fp=3, fn=1, tn=1)}, "labeled has 63 answers that passed, more than n_passed, which"),
        ({"labeled": Counts(tp=6, fp=3, fn=9, tn=30)}, "labeled has 39 answers that failed, more than n_judged - n_p"),
        ({"drawn": "yes"}, "drawn must be one of True, False, got 'yes'"),
        ({"confidence": 95}, "confidence must be between 0 and 1, got 95"),
        ({"seed": -1}, "seed must be a whole number, 0 or more, got -1"),
    ],
)
def test_bad_input_is_refused_by_name(arguments, said):
    with pytest.raises(ValueError, match=f"^{said}"):
        judged_rate(**({"n_passed": 62, "n_judged": 100, "labeled": SHOP} | arguments))


def test_labels_from_elsewhere_are_no_part_of_the_judged_answers():
    assert judged_rate(6, 10, SHOP, drawn=False).estimate == pytest.approx(0.5)
    with pytest.raises(ValueError, match="with drawn=True the labeled answers are some of the judged ones"):
        judged_rate(6, 10, SHOP)
