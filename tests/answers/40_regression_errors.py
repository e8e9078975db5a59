"""Other right answers to the exercises of 40_regression_errors."""

import numpy as np
import pandas as pd
from sklearn.metrics import mean_absolute_error, mean_pinball_loss, r2_score


def _half_of_the_pull(sales):
    ranked = sorted(sales)
    pulled, total = 0, sum(1 / sale for sale in ranked)
    for sale in ranked:
        pulled += 1 / sale
        if pulled >= total / 2:
            return sale


def _counted(actual, forecast, groups):
    pairs = sorted(zip(forecast.tolist(), actual.tolist(), strict=True))
    parts = np.array_split(np.array(pairs), groups)
    return np.array([sum(y <= f for f, y in part) / len(part) for part in parts])


def _by_frame(actual, forecast, groups):
    rows = pd.DataFrame({"y": actual, "f": forecast}).sort_values("f")
    parts = [rows.iloc[part] for part in np.array_split(range(len(rows)), groups)]
    return [(part["y"] <= part["f"]).mean() for part in parts]


ANSWERS = {
    "percent_forecast": [
        _half_of_the_pull,
        lambda sales: min(
            sales, key=lambda sale: mean_absolute_error(sales, np.full(sales.size, sale), sample_weight=1 / sales)
        ),
    ],
    "loaves_to_bake": [
        lambda sales, unsold, missing: np.quantile(sales, missing / (missing + unsold), method="inverted_cdf"),
        lambda sales, unsold, missing: min(
            sales,
            key=lambda baked: mean_pinball_loss(sales, np.full(sales.size, baked), alpha=missing / (missing + unsold)),
        ),
    ],
    "r2_of_rows": [
        r2_score,
        lambda y_true, y_pred: 1 - np.mean((y_true - y_pred) ** 2) / np.var(y_true),
    ],
    "coverage_of_groups": [_counted, _by_frame],
}
