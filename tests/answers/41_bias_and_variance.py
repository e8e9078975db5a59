"""Other right answers to the exercises of 41_bias_and_variance."""

import numpy as np
from sklearn.metrics import mean_squared_error

ANSWERS = {
    "error_at_one_row": [
        lambda predictions, truth, noise_sd: np.mean((predictions - truth) ** 2) + noise_sd**2,
        lambda predictions, truth, noise_sd: np.mean(
            [(each + side * noise_sd - truth) ** 2 for each in predictions for side in (-1, 1)]
        ),
    ],
    "mean_training_error": [
        lambda squared_bias, noise_sd, d, n: squared_bias + noise_sd**2 * (1 - d / n),
        lambda squared_bias, noise_sd, d, n: (n * squared_bias + (n - d) * noise_sd * noise_sd) / n,
    ],
    "rows_or_columns": [
        lambda training, fresh, wanted: int(fresh > wanted) + int(training + fresh >= 2 * wanted and fresh > wanted),
        lambda training, fresh, wanted: (
            0 if wanted >= fresh else 2 if wanted - training <= fresh - wanted else 1  # nearer to which?
        ),
    ],
    "squared_bias_of": [
        lambda predictions, truth: mean_squared_error(truth, predictions.mean(axis=1)),
        lambda predictions, truth: (
            np.mean((predictions - truth[:, None]) ** 2) - np.mean(predictions.var(axis=1))  # the rest of the error
        ),
    ],
}
