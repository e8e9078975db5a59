"""Logged clicks of a fashion shop that showed items by two policies, with the probability of each item shown."""

from pathlib import Path
from typing import NamedTuple

import numpy as np

POLICIES = {"uniform": "random", "thompson": "bts"}  # and what the data set calls them
CAMPAIGNS = ("men", "women")
LOGGED_CLICKS = Path(__file__).with_name("logged_clicks.npz")


class Impressions(NamedTuple):
    """Items that were shown, one entry per impression, in the order of time.

    Attributes
    ----------
    item : ndarray of int, shape (n_impressions,)
        Number of the item, from 0.
    position : ndarray of int, shape (n_impressions,)
        1, 2 or 3: left, middle or right of the three places on the page.
    clicked : ndarray of bool, shape (n_impressions,)
    propensity : ndarray of float, shape (n_impressions,)
        Probability with which the policy that was in charge showed this item at this position at that time.
    """

    item: np.ndarray
    position: np.ndarray
    clicked: np.ndarray
    propensity: np.ndarray


def logged_clicks(policy="uniform", campaign="men") -> Impressions:
    """10,000 impressions of the Open Bandit Dataset, which the shop ZOZOTOWN logged in a week of November 2019.

    In each campaign a lottery decided whether the uniform policy or Bernoulli Thompson sampling, which learned from
    clicks, chose the three items on the page. So the clicks of one policy check an estimate made from the other's.

    Parameters
    ----------
    policy : str
        "uniform" shows each item with the same probability, "thompson" prefers items that were clicked before.
    campaign : str
        "men" with 34 items or "women" with 46.

    Returns
    -------
    Impressions

    Raises
    ------
    ValueError
        For another policy or campaign.

    References
    ----------
    Saito, Aihara, Matsutani & Narita (2021), Open Bandit Dataset and Pipeline, NeurIPS Datasets and Benchmarks,
    https://arxiv.org/abs/2008.07146. Data by ZOZO, Inc., from the package obp 0.4.1 (Apache License 2.0, see
    logged_clicks_LICENSE.txt), without the features of users and items. Made by tests/tools/make_logged_clicks.py.
    """
    for name, value, known in (("policy", policy, POLICIES), ("campaign", campaign, CAMPAIGNS)):
        if value not in known:
            raise ValueError(f"{name} must be one of {', '.join(map(repr, known))}, got {value!r}")
    with np.load(LOGGED_CLICKS) as stored:
        item, position, clicked, propensity = (
            stored[f"{campaign}, {policy}, {column}"] for column in ("item_id", "position", "click", "propensity_score")
        )
    return Impressions(item.astype(int), position.astype(int), clicked, propensity.astype(float))
