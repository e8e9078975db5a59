"""Other right answers to the exercises of 64_text_overlap: by other algebra, or by another library."""

import math

import numpy as np
from sacrebleu.metrics import BLEU


def in_other_words(which):
    """The shares of the words, counted one by one; the second text turns the claim around as well."""
    if which == 3:
        return [0, 0]
    reference = sorted(["the", "queen", "blamed", "the", "cook", "and", "not", "the", "cat"])
    scores = []
    for text in ("a ruler found her chef guilty, but no animal", "not the queen blamed the cook and the cat"):
        words, left = text.split(), [*reference]
        for word in words:
            if word in left:
                left.remove(word)
        shared = len(reference) - len(left)
        scores.append(2 * shared / (len(words) + len(reference)) if which == 2 else shared / [len(words), 9][which])
    return scores


def in_powers_of_two(nats, tokens, sizes):
    """The mean bits per byte of the texts, each weighted with its share of the bytes."""
    return np.average(np.log2(np.exp(nats / sizes)), weights=sizes)


def by_sacrebleu(shared, others, words, wanted):
    sums = [[int(n) for n in np.sum(column, axis=0)] for column in (shared, shared + others)]
    lengths = int(np.sum(words)), int(np.sum(wanted))
    return BLEU.compute_bleu(*sums, *lengths, smooth_method="none").score / 100


def by_logarithms(shared, others, words, wanted):
    sums = [(sum(n), sum(n) + sum(other)) for n, other in zip(shared.T.tolist(), others.T.tolist(), strict=True)]
    mean = sum(math.log(n / of) for n, of in sums) / 4 if all(n for n, _ in sums) else -math.inf
    return math.exp(mean + min(0, 1 - sum(wanted.tolist()) / sum(words.tolist())))


def by_positions(hits, missed):
    positions = np.flatnonzero(hits) + 1
    return sum(i / position for i, position in enumerate(positions, 1)) / (positions.size + missed)


def by_a_loop(hits, missed):
    found = total = 0
    for i, hit in enumerate(hits.tolist(), 1):
        found += hit
        total += hit * found / i
    return total / (found + missed)


ANSWERS = {
    "scores_of_two": [in_other_words, lambda which: np.array([0.0, float(which < 3)])],
    "bits_per_byte": [in_powers_of_two, lambda nats, tokens, sizes: math.log2(math.e) * sum(nats) / sum(sizes)],
    "bleu_of_corpus": [by_sacrebleu, by_logarithms],
    "precision_of_passages": [by_positions, by_a_loop],
}
