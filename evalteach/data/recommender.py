"""A simulated catalogue, its viewers and their views, drawn from a seed: the same call gives the same numbers."""

from typing import NamedTuple

import numpy as np

from evalteach._inputs import check_between, read_seed, read_whole


class Catalogue(NamedTuple):
    """Latent factors of users, shape (n_users, n_factors), and items; and which items each user likes."""

    users: np.ndarray
    items: np.ndarray
    liked: np.ndarray

    def score(self, n_factors=None, *, noise=0.0, seed=1):
        """How a stage scores each item for each user, shape (n_users, n_items).

        The product of the first ``n_factors`` (all by default) plus normal errors with standard deviation ``noise``:
        those of one seed in proportion to it. All factors without errors are the user's taste.
        """
        most = self.users.shape[1]
        n_factors = most if n_factors is None else read_whole("n_factors", n_factors, 1, most)
        score = self.users[:, :n_factors] @ self.items[:, :n_factors].T
        noise = check_between("noise", noise, 0, np.inf, open_ends=False)
        return score + noise * np.random.default_rng(read_seed(seed)).normal(size=score.shape) if noise else score


def catalogue(n_users=20, n_items=100_000, *, n_factors=32, shared=0.0, seed=0):
    """Users and items as latent factors; who likes what depends on the product of the two.

    Each user's factors have length 1 and each item's are standard normal, so the taste ``users @ items.T`` is standard
    normal for every user. The highest values are liked: half of those at 3.5, nearly all at 4, about 3 items of 10,000.

    Parameters
    ----------
    n_users, n_items, n_factors : int
        At least 1 each.
    shared : float
        How much the tastes of users have in common, 0 or more: with 0 no item is popular as such. The tastes of two
        users have a correlation of about ``shared**2 / (1 + shared**2)``.
    seed : int
        Of the random numbers.

    Returns
    -------
    Catalogue
        ``liked`` is bool, shape (n_users, n_items).
    """
    sizes = {"n_users": n_users, "n_items": n_items, "n_factors": n_factors}
    for name, size in sizes.items():
        sizes[name] = read_whole(name, size, 1, np.inf, "a whole number, 1 or more")
    rng = np.random.default_rng(read_seed(seed))
    users = rng.normal(size=(sizes["n_users"], sizes["n_factors"]))
    users /= np.linalg.norm(users, axis=1, keepdims=True)
    users += check_between("shared", shared, 0, np.inf, open_ends=False) / np.sqrt(sizes["n_factors"])
    users /= np.linalg.norm(users, axis=1, keepdims=True)
    items = rng.normal(size=(sizes["n_items"], sizes["n_factors"]))
    liked = rng.random((len(users), len(items))) < 1 / (1 + np.exp(10 * (3.5 - users @ items.T)))
    return Catalogue(users, items, liked)


def weekly_views(n_weeks=20, n_films=400, *, views=1_000, seed=0):
    """Which films are watched in each week: interest begins when a film comes out, and fades within weeks.

    Parameters
    ----------
    n_weeks, n_films, views : int
        ``views`` a week; at least 1 each.
    seed : int
        Of the random numbers.

    Returns
    -------
    ndarray of int, shape (n_weeks, views)
        Numbers of films.
    """
    sizes = {"n_weeks": n_weeks, "n_films": n_films, "views": views}
    weeks, films, views = (read_whole(*each, 1, np.inf, "a whole number, 1 or more") for each in sizes.items())
    rng = np.random.default_rng(read_seed(seed))
    out = rng.integers(0, weeks, films)
    out[0] = 0  # else there might be nothing to see at first
    age = np.arange(weeks)[:, None] - out
    interest = np.where(age >= 0, rng.normal(size=films) - age / 1.5, -np.inf)
    interest = np.exp(interest - interest.max(axis=1, keepdims=True))  # however old all films are
    return np.array([rng.choice(films, views, p=each / each.sum()) for each in interest])
