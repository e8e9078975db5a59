"""Other right answers to the exercises of 63_preferences: by counting, by other algebra, or by another library."""

import numpy as np
from scipy.special import expit, logit
from sklearn.linear_model import LogisticRegression


def by_repeating(wins, games, strengths):
    strength = 1.0
    for _ in range(20_000):
        strength = wins / np.sum(games / (strength + strengths))
    return strength


def by_a_hundred_steps(wins, games, strengths):
    strength = strengths[0]
    for _ in range(100):
        strength = wins / np.sum(games / (strength + strengths))
    return strength


def by_halving(wins, games, strengths):
    low, high = -30.0, 30.0
    for _ in range(200):
        middle = (low + high) / 2
        if games @ expit(middle - np.log(strengths)) < wins:
            low = middle
        else:
            high = middle
    return np.exp(low)


def by_newton(wins, games, strengths):
    rating = 0.0
    for _ in range(100):
        rates = expit(rating - np.log(strengths))
        rating += np.clip((wins - games @ rates) / (games @ (rates * (1 - rates))), -1, 1)
    return np.exp(rating)


def by_log_odds(first, second):
    return np.exp((logit(first.mean()) - logit(second.mean())) / 2)


def by_counting(first, second):
    wins, other_wins = first.sum(), second.sum()
    return (wins * (len(second) - other_wins) / ((len(first) - wins) * other_wins)) ** 0.5


def by_regression(first, second):
    place = np.repeat([1, -1], [len(first), len(second)])[:, None]
    verdicts = np.concatenate([first, second])
    return np.exp(LogisticRegression(C=np.inf, tol=1e-12, max_iter=10_000).fit(place, verdicts).coef_[0, 0])


def by_totals(prompt, won, drawn):
    games, wins = np.bincount(prompt), np.bincount(prompt, won)
    return wins[drawn].sum() / games[drawn].sum()


def by_weights(prompt, won, drawn):
    return np.average(won, weights=[np.sum(drawn == p) for p in prompt])


ANSWERS = {
    "newcomer_strength": [by_repeating, by_a_hundred_steps, by_halving, by_newton],
    "position_bonus": [by_log_odds, by_counting, by_regression],
    "resampled_win_rate": [by_totals, by_weights],
}
