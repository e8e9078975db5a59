"""Other right answers to the exercises of 53_logged_clicks: by other algebra, or by another library."""

import numpy as np
import pandas as pd


def one_after_the_other(item, propensity, clicked, chosen):
    total = 0
    for number, chance, click in zip(item, propensity, clicked, strict=True):
        if click and chosen[number]:
            total += 1 / (sum(chosen) * chance)
    return total / len(item)


def by_table(item, propensity, clicked, chosen):
    log = pd.DataFrame({"item": item, "clicks": clicked / propensity})
    return log[log["item"].isin(np.flatnonzero(chosen))]["clicks"].sum() / len(log) / np.count_nonzero(chosen)


def by_dot_product(item, propensity, clicked, chosen):
    new = np.where(chosen, 1 / np.count_nonzero(chosen), 0.0)
    return new[item] @ (clicked / propensity) / clicked.size


def by_moved_items(shares, looked, order):
    return np.sum(shares[order] / looked[order] * looked)


def by_loop(shares, looked, order):
    appeal = [share / look for share, look in zip(shares, looked, strict=True)]
    return sum(appeal[old] * looked[place] for place, old in enumerate(order))


def by_filled_rates(share, rate, same):
    return [np.sum(share * np.where(same, rate, missing)) for missing in (0, 1)]


def by_kinds(share, rate, same):
    low = high = 0
    for part, known, kept in zip(share, rate, same, strict=True):
        low += part * known if kept else 0
        high += part * known if kept else part
    return np.array([low, high])


ANSWERS = {
    "rate_of_chosen": [one_after_the_other, by_table, by_dot_product],
    "clicks_of_new_list": [by_moved_items, by_loop],
    "possible_rates": [by_filled_rates, by_kinds],
}
