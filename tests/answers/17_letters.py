"""Other right answers to the exercises of 17_letters: by other algebra, or by another way to count."""

import numpy as np


def card_by_card(labels, folds):
    piece = np.concatenate([np.full(part.size, i) for i, part in enumerate(np.array_split(labels, folds))])
    alone = [all(piece[labels == label] == own) for label, own in zip(labels, piece, strict=True)]
    return sum(alone) / len(alone)


def letter_by_letter(labels, folds):
    piece_of = {}
    for number, piece in enumerate(np.array_split(labels, folds)):
        for label in piece:
            piece_of.setdefault(label, set()).add(number)
    return np.mean([len(piece_of[label]) == 1 for label in labels])


ANSWERS = {
    "share_of_all_finds": [
        lambda recall, class_size, flagged: np.dot(recall, class_size) / flagged.sum(),
        lambda recall, class_size, flagged: np.average(recall * class_size / flagged, weights=flagged),
    ],
    "figures_outside": [
        lambda figures, runs: figures * (1 - (runs - 1) / (runs + 1)),
        lambda figures, runs: figures / (runs + 1) + figures / (runs + 1),
    ],
    "share_in_one_fold": [card_by_card, letter_by_letter],
}
