"""The explorer of calibration: its numbers against scikit-learn, its intervals, and many rows."""

import math

import numpy as np
import pytest
from sklearn import metrics as theirs

from evalteach.calibration import reliability
from evalteach.data import two_normals
from evalteach.explorers import CalibrationExplorer

pytestmark = pytest.mark.usefixtures("undrawn")

ROWS = two_normals(300, 2, separation=1.5, calibration=1.7, seed=1)


def weights_for(y_true, ratio):
    """What each row counts so that there are ``ratio`` negatives per positive, for scikit-learn."""
    return np.where(y_true, 1, ratio * np.sum(y_true) / np.sum(~y_true))


@pytest.mark.parametrize(("slope", "ratio", "n_bins", "shifted"), [(1, 2, 10, 0), (3, 40, 5, 0), (0.4, 0.1, 20, 1)])
def test_the_explorer_agrees_with_scikit_learn(slope, ratio, n_bins, shifted):
    explorer = CalibrationExplorer(*ROWS, slope=slope, ratio=ratio, n_bins=n_bins, shifted=bool(shifted))
    odds = (ROWS.y_score / (1 - ROWS.y_score)) ** slope * (2 / ratio if shifted else 1)
    stated, weights = odds / (1 + odds), weights_for(ROWS.y_true, ratio)
    base = np.full(stated.size, 1 / (1 + ratio))
    now = explorer.numbers()
    assert now["log_loss"] == pytest.approx(theirs.log_loss(ROWS.y_true, stated, sample_weight=weights))
    assert now["brier"] == pytest.approx(theirs.brier_score_loss(ROWS.y_true, stated, sample_weight=weights))
    assert now["base_log_loss"] == pytest.approx(theirs.log_loss(ROWS.y_true, base, sample_weight=weights))
    assert now["base_brier"] == pytest.approx(theirs.brier_score_loss(ROWS.y_true, base, sample_weight=weights))
    assert now["half"] == pytest.approx(2 / (2 + ratio) if shifted else 0.5)
    bins = reliability(ROWS.y_true, stated, n_bins, strategy="quantile", ratio=ratio)
    assert now["agree"] == bins.agrees.sum()
    assert explorer.artists.points.get_xdata() == pytest.approx(bins.predicted)
    assert explorer.artists.points.get_ydata() == pytest.approx(bins.observed)
    for number in ("log_loss", "brier", "base_log_loss", "base_brier"):
        assert f"{now[number]:.3f}" in explorer.artists.caption.get_text()


def test_the_explorer_refuses_what_it_cannot_show():
    for more, said in (
        ({"slope": 0.1}, "slope must be between 0.2 and 5, both included, got 0.1"),
        ({"slope": math.nan}, "slope must be"),
        ({"ratio": 0}, r"ratio must be above 0 and at most 1e\+300, got 0"),
        ({"ratio": 1e308}, "ratio must be above 0 and at most"),
        ({"n_bins": 1}, "n_bins must be a whole number from 2 to 30, got 1"),
        ({"n_bins": 4.5}, "n_bins must be a whole number from 2 to 30, got 4.5"),
        ({"confidence": 2}, "confidence must be between 0 and 1, got 2"),
    ):
        with pytest.raises(ValueError, match=said):
            CalibrationExplorer(*ROWS, **more)
    with pytest.raises(ValueError, match="y_true holds no negatives"):
        CalibrationExplorer([1, 1], [0.5, 0.6])
    with pytest.raises(ValueError, match="y_prob holds 2 at position 0"):
        CalibrationExplorer([1, 0], [2, 0.6])


@pytest.mark.seen
def test_few_or_odd_rows_can_be_explored():
    for y_true, y_prob in (([1, 0], [0.5, 0.5]), ([1, 0], [1, 0]), ([0, 1], [1, 0]), ([1, 0, 0], [0, 0, 1])):
        explorer = CalibrationExplorer(y_true, y_prob)
        for slope in (0.2, 5):
            explorer.controls["slope"].value = slope
        assert repr(explorer)
    words = CalibrationExplorer(np.where(ROWS.y_true, "ill", "well"), ROWS.y_score, positive="ill")
    assert words.numbers() == CalibrationExplorer(*ROWS).numbers()


@pytest.mark.parametrize(("ratio", "slope"), [(2, 1), (60, 3)])
def test_every_interval_is_drawn_from_its_lower_to_its_upper_end(ratio, slope):
    explorer = CalibrationExplorer(*ROWS, ratio=ratio, slope=slope)
    odds = (ROWS.y_score / (1 - ROWS.y_score)) ** slope
    bins = reliability(ROWS.y_true, odds / (1 + odds), 10, strategy="quantile", ratio=ratio)
    x, y = explorer.artists.reach.get_data()
    assert x.reshape(-1, 3)[:, :2] == pytest.approx(np.column_stack([bins.predicted] * 2))
    assert y.reshape(-1, 3)[:, :2] == pytest.approx(np.column_stack([bins.low, bins.high]))
    assert np.isnan(y[2::3]).all()  # between two bars there is no line
    assert np.all(bins.high > bins.low)


def test_tied_and_certain_rows_stay_in_the_bins_of_the_library():
    rng = np.random.default_rng(0)
    y_prob = np.round(rng.random(500), 1)
    y_true = rng.random(500) < y_prob
    y_true[:2], y_prob[:2] = (True, False), (1, 0)
    for n_bins in (2, 7, 30):
        explorer = CalibrationExplorer(y_true, y_prob, n_bins=n_bins, ratio=3)
        bins = reliability(y_true, y_prob, n_bins, strategy="quantile", ratio=3)
        filled = bins.positives + bins.negatives > 0
        assert explorer.artists.points.get_xdata() == pytest.approx(bins.predicted[filled])
        assert explorer.artists.points.get_ydata() == pytest.approx(bins.observed[filled])
        assert explorer.numbers()["filled"] == filled.sum()
