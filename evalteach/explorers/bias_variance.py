"""Fit a hundred training sets at once, and see what the error on new labels is made of."""

import numpy as np
from numpy.polynomial.legendre import legvander
from sklearn.metrics import mean_squared_error

from evalteach import plots
from evalteach._inputs import read_seed
from evalteach.explorers.base import Explorer
from evalteach.explorers.controls import number_control

N_SETS, N_DRAWN = 100, 20
MOST_ROWS, MOST_DEGREE, MOST_NOISE = 200, 15, 0.7
TOP = 1.1  # above every error that the controls can reach, so that the axis stands still
GRID = np.linspace(-1, 1, 81)
DEGREES = np.arange(MOST_DEGREE + 1)


class BiasVarianceExplorer(Explorer):
    """Polynomials fitted to a hundred training sets, and bias, variance and noise in their error on new labels.

    The rows stand at equal distances from -1 to 1 and their true values are sin(4x + 1); a training set has its own
    labels there, the true values and normal noise. Each fit is a ridge regression on Legendre polynomials, whose
    constant is not penalised. New labels are drawn at the same places, one a row for each training set. The mean of
    a hundred fits still varies a little, so squared bias is too high by about a hundredth of the variance.

    Parameters
    ----------
    degree : int
        Of the polynomial, 0 to 15.
    noise : float
        Standard deviation of the labels around the true values, 0 to 0.7.
    n : int
        Rows of a training set, 20 to 200.
    penalty : float
        Weight of the squared coefficients beside the squared errors, 0 to 10: what scikit-learn's ``Ridge`` calls
        ``alpha``.
    seed : int
        Of the random numbers, 0 or more, which are drawn once: moves scale and cut them.

    Raises
    ------
    ValueError
        For a number out of range.
    """

    scene_controls = ("noise", "n", "penalty")

    def __init__(self, *, degree=1, noise=0.5, n=20, penalty=0.0, seed=0):
        self.drawn = np.random.default_rng(read_seed(seed)).normal(size=(2, N_SETS, MOST_ROWS))
        super().__init__(
            number_control("degree", degree, 0, MOST_DEGREE, whole=True),
            number_control("noise", noise, 0, MOST_NOISE, step=0.05),
            number_control("n", n, 20, MOST_ROWS, label="rows (n)", whole=True),
            number_control("penalty", penalty, 0, 10, step=0.1),
        )

    def draw(self, figure):
        artists = self.artists
        fits, errors = figure.subplots(1, 2)
        artists.fits = plots.line(fits, [], [], "second", width=0.5, name="fits to training sets")
        artists.fits.set_antialiased(False)  # half the bytes
        artists.rows = plots.line(fits, [], [], "test", style=".", name="one training set")
        artists.mean = plots.line(fits, [], [], "positive", width=2.2, name="mean of the fits")
        artists.truth = plots.line(fits, [], [], "ink", style="--", width=1.2, name="truth")
        fits.set(
            title=f"{N_SETS} training sets, {N_DRAWN} fits drawn", xlabel="x", xlim=(-1.04, 1.04), ylim=(-2.6, 2.6)
        )
        bands = ("noise", "test"), ("squared bias", "positive"), ("variance", "second")
        artists.bands = [plots.band(errors, colour, opacity=0.5, name=name) for name, colour in bands]
        artists.fresh = plots.line(errors, [], [], "ink", style=".", name="error on new labels")
        artists.training = plots.line(errors, [], [], "deployed", name="error on training labels")
        errors.set(title="Mean squared error", xlabel="degree", xlim=(-0.25, MOST_DEGREE + 0.25), ylim=(0, TOP))
        artists.degree = plots.upright(errors)
        artists.dot = plots.dot(errors, "ink", size=7)
        plots.legend_below(fits, 2)
        fits.get_legend().get_lines()[0].set_linewidth(1.5)  # a hair shows no colour
        plots.legend_below(errors, 2)

    def find_scene(self):
        """Of each degree: coefficients of all fits, and squared bias, variance, fresh and training error."""
        n, penalty = self.value("n"), self.value("penalty")
        x = np.linspace(-1, 1, n)
        truth = true_value(x)[:, None]
        training, fresh = truth + self.value("noise") * self.drawn[:, :, :n].transpose(0, 2, 1)
        columns = legvander(x, MOST_DEGREE)
        centre = columns.mean(axis=0) * (DEGREES > 0)
        columns = columns - centre
        squares, products = columns.T @ columns, columns.T @ training
        coefficients, fits = [], []
        for degree in DEGREES:
            used = slice(degree + 1)
            weight = penalty * np.diag(DEGREES[used] > 0)
            coefficients.append(np.linalg.solve(squares[used, used] + weight, products[used]))
            fits.append(columns[:, used] @ coefficients[-1])
        fits = np.stack(fits, axis=1)  # rows, degrees, training sets
        mean = fits.mean(axis=2, keepdims=True)
        pairs = (truth, mean), (mean, fits), (fresh, fits), (training, fits)
        parts = [mean_squares(*pair) for pair in pairs]
        return training[:, 0], centre, coefficients, np.array(parts)

    def move_scene(self, now):
        artists, (bias, variance, fresh, training) = self.artists, self.scene[-1]
        noise = now["noise_variance"]
        ends = np.zeros_like(bias), noise, noise + bias, noise + bias + variance
        for band, low, high in zip(artists.bands, ends[:-1], ends[1:], strict=True):
            plots.set_band(band, DEGREES, low, high)
        artists.fresh.set_data(DEGREES, fresh)
        artists.training.set_data(DEGREES, training)
        return [*artists.bands, artists.fresh, artists.training]

    def move(self, now):
        artists, (labels, centre, coefficients, _) = self.artists, self.scene
        of_degree = coefficients[now["degree"]]
        columns = (legvander(GRID, MOST_DEGREE) - centre)[:, : len(of_degree)]
        some = columns @ of_degree[:, :N_DRAWN]
        gap = np.full((1, some.shape[1]), np.nan)  # between one fit and the next
        artists.fits.set_data(np.tile([*GRID, np.nan], some.shape[1]), np.vstack([some, gap]).T.ravel())
        artists.rows.set_data(np.linspace(-1, 1, labels.size), labels)
        artists.mean.set_data(GRID, columns @ of_degree.mean(axis=1))
        artists.truth.set_data(GRID, true_value(GRID))  # stands still, and is drawn over the fits
        marks = plots.set_marks(now, "degree", [artists.degree], {"fresh_error": artists.dot})
        return [artists.fits, artists.rows, artists.mean, artists.truth, *marks]

    def numbers(self):
        bias, variance, fresh, training = self.scene[-1][:, self.value("degree")].tolist()
        noise = self.value("noise") ** 2
        return {
            **self.values,
            "squared_bias": bias,
            "variance": variance,
            "noise_variance": noise,
            "sum": bias + variance + noise,
            "fresh_error": fresh,
            "training_error": training,
        }

    def sentence(self, now):
        return (
            f"Degree {now['degree']}, noise {now['noise']:g}, {now['n']} rows, penalty {now['penalty']:g}: squared "
            f"bias {now['squared_bias']:.3f} + variance {now['variance']:.3f} + noise {now['noise_variance']:.3f} = "
            f"{now['sum']:.3f}; measured on new labels {now['fresh_error']:.3f}, on the training labels "
            f"{now['training_error']:.3f}."
        )


def mean_squares(y_true, fits):
    """Mean squared error of each degree, over rows and training sets."""
    y_true = y_true if y_true.ndim == 3 else y_true[:, None]  # the same labels for all degrees
    both = (array.reshape(len(array), -1) for array in np.broadcast_arrays(y_true, fits))
    return mean_squared_error(*both, multioutput="raw_values").reshape(fits.shape[1], -1).mean(axis=1)


def true_value(x):
    """What the labels scatter around."""
    return np.sin(4 * x + 1)
