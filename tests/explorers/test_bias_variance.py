"""The explorer of bias and variance: its fits against scikit-learn's, its terms against what theory says of them."""

import numpy as np
import pytest
from numpy.polynomial.legendre import legvander
from sklearn.linear_model import LinearRegression, Ridge

from evalteach import BiasVarianceExplorer
from explorers.helpers import move

pytestmark = pytest.mark.usefixtures("undrawn")

MANY_SEEDS = range(20)


def by_scikit_learn(explorer):
    """Squared bias, variance, fresh and training error of the same labels, fitted by another program."""
    degree, noise, n, penalty = explorer.values.values()
    x = np.linspace(-1, 1, n)
    truth = np.sin(4 * x + 1)[:, None]
    training, fresh = (truth + noise * drawn[:, :n].T for drawn in explorer.drawn)
    model = Ridge(alpha=penalty) if penalty else LinearRegression()
    columns = legvander(x, degree)[:, 1:] if degree else np.zeros((n, 1))
    fits = model.fit(columns, training).predict(columns)
    mean = fits.mean(axis=1, keepdims=True)
    return {
        "squared_bias": np.mean((mean - truth) ** 2),
        "variance": np.mean(fits.var(axis=1)),
        "fresh_error": np.mean((fits - fresh) ** 2),
        "training_error": np.mean((fits - training) ** 2),
    }


@pytest.mark.parametrize("penalty", [0, 0.3, 10])
@pytest.mark.parametrize(("degree", "n"), [(0, 20), (1, 20), (4, 33), (15, 20), (15, 200)])
def test_the_fits_are_those_of_scikit_learn(degree, n, penalty):
    explorer = BiasVarianceExplorer(degree=degree, n=n, penalty=penalty, noise=0.7, seed=3)
    now, expected = explorer.numbers(), by_scikit_learn(explorer)
    assert {name: now[name] for name in expected} == pytest.approx(expected, rel=1e-8)


def test_every_degree_of_the_picture_is_what_its_slider_says():
    explorer = BiasVarianceExplorer(penalty=0.4, n=27)
    for degree in range(16):
        now = move(explorer, degree=degree).numbers()
        shown = explorer.artists.fresh.get_ydata()[degree], explorer.artists.training.get_ydata()[degree]
        assert shown == pytest.approx((now["fresh_error"], now["training_error"]))
        assert now["sum"] == pytest.approx(now["squared_bias"] + now["variance"] + now["noise"] ** 2)


@pytest.mark.parametrize(("degree", "n"), [(0, 20), (4, 40), (12, 20)])
def test_least_squares_has_the_variance_and_the_optimism_of_its_number_of_coefficients(degree, n):
    made = [BiasVarianceExplorer(degree=degree, n=n, seed=seed).numbers() for seed in MANY_SEEDS]
    mean = {name: np.mean([now[name] for now in made]) for name in made[0]}
    one_share = 0.25 * (degree + 1) / n
    assert mean["variance"] == pytest.approx(0.99 * one_share, rel=0.05)  # about the mean of a hundred
    assert mean["fresh_error"] - mean["training_error"] == pytest.approx(2 * one_share, abs=0.008)
    assert mean["fresh_error"] == pytest.approx(mean["sum"], abs=0.008)


def test_without_noise_all_fits_are_one_and_only_bias_is_left():
    now = BiasVarianceExplorer(degree=2, noise=0).numbers()
    assert now["variance"] == pytest.approx(0, abs=1e-20)
    assert now["squared_bias"] == pytest.approx(now["fresh_error"]) == pytest.approx(now["training_error"])


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("penalty", [0, 10])
@pytest.mark.parametrize("n", [20, 30, 200])
def test_the_axis_that_stands_still_holds_every_error(n, penalty, seed):
    explorer = BiasVarianceExplorer(n=n, penalty=penalty, noise=0.7, seed=seed)
    artists = explorer.artists
    top = artists.dot.axes.get_ylim()[1]
    assert max(artists.fresh.get_ydata()) < top
    for degree in range(16):
        assert move(explorer, degree=degree).numbers()["sum"] < top


def test_the_drawn_fits_are_the_first_and_their_mean_is_that_of_the_hundred():
    explorer = BiasVarianceExplorer(degree=3)
    _, centre, coefficients, _ = explorer.scene
    columns = (legvander(np.linspace(-1, 1, 81), 15) - centre)[:, :4]
    fits = columns @ coefficients[3]
    assert np.asarray(explorer.artists.fits.get_ydata()).reshape(20, 82)[:, :81] == pytest.approx(fits[:, :20].T)
    assert explorer.artists.mean.get_ydata() == pytest.approx(fits.mean(axis=1))


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"degree": 16}, "degree must be a whole number from 0 to 15, got 16"),
        ({"degree": 2.5}, "degree must be a whole number"),
        ({"n": 19}, "n must be a whole number from 20 to 200, got 19"),
        ({"noise": -0.1}, "noise must be"),
        ({"noise": 0.75}, "noise must be"),
        ({"seed": -1}, "seed must be a whole number, 0 or more, got -1"),
        ({"seed": "0"}, "seed must be one real number"),
        ({"seed": None}, "seed must be one real number"),
        ({"penalty": float("nan")}, "penalty must be"),
    ],
)
def test_what_cannot_be_drawn_is_refused(given, why):
    with pytest.raises(ValueError, match=f"^{why}"):
        BiasVarianceExplorer(**given)


def test_each_part_stands_on_the_one_before_and_all_of_them_reach_their_sum():
    explorer = BiasVarianceExplorer(noise=0.5)
    bias, variance = explorer.scene[-1][:2]
    edges = [np.split(band.get_xy()[:-1], 2) for band in explorer.artists.bands]  # from left to right, and back
    lows, tops = zip(*((low[:, 1], top[::-1, 1]) for low, top in edges), strict=True)
    for low, expected in zip([*lows, tops[-1]], [0 * bias, 0.25, 0.25 + bias, 0.25 + bias + variance], strict=True):
        assert low == pytest.approx(np.broadcast_to(expected, bias.shape))
    for top, low in zip(tops[:-1], lows[1:], strict=True):
        assert np.array_equal(top, low)
