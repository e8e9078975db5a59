"""Other right answers to the exercises of 20_review_designs: by other algebra, or by the library."""

import numpy as np

from evalteach.reviews.estimates import horvitz_thompson


def reviews_one_by_one(rows, shares, budget):
    spreads = [size * (share - share**2) ** 0.5 for size, share in zip(rows, shares, strict=True)]
    return [spread / sum(spreads) * budget for spread in spreads]


def flags_stratum_by_stratum(stratum, is_flagged, is_reviewed, least):
    rare = 0
    for one in set(stratum.tolist()):
        members = stratum == one
        if np.sum(members & is_flagged & is_reviewed) < least:
            rare += int(np.sum(members & is_flagged))
    return rare


def flags_by_list(stratum, is_flagged, is_reviewed, least):
    reviewed = stratum[is_flagged & is_reviewed].tolist()
    return sum(reviewed.count(one) < least for one in stratum[is_flagged].tolist())


ANSWERS = {
    "reviews_by_stratum": [
        reviews_one_by_one,
        lambda rows, shares, budget: (
            budget * np.sqrt(rows**2 * shares * (1 - shares)) / np.dot(rows, np.sqrt(shares - shares**2))
        ),
    ],
    "flags_to_review": [flags_stratum_by_stratum, flags_by_list],
    "assisted_total": [
        lambda all_scores, labels, scores, probability: (
            sum(all_scores) + np.dot(labels, 1 / probability) - np.dot(scores, 1 / probability)
        ),
        lambda all_scores, labels, scores, probability: (
            horvitz_thompson(labels, probability, round(np.sum(1 / probability)) + 1).total
            + np.sum(all_scores)
            - np.sum(scores / probability)
        ),
    ],
}
