"""What 64_text_overlap derives, held against sacrebleu, scikit-learn, and bags that are counted by hand."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from sklearn.metrics import average_precision_score

sacrebleu = pytest.importorskip("sacrebleu.metrics", reason="sacrebleu is not installed")

ALPHABET = np.array(list("abc de"))


@pytest.fixture(scope="module")
def lesson(derived):
    return derived("64_text_overlap")


def random_texts(rng, number):
    """Pairs of texts of a few words, so that many n-grams repeat and some pairs share none."""
    for _ in range(number):
        kinds = rng.integers(2, 6)
        yield tuple([f"w{word}" for word in rng.integers(kinds, size=rng.integers(1, 16))] for _ in "ar")


def shared_by_hand(answer, reference, n):
    """Each n-gram of the answer takes one of the reference, while there is one left."""
    left = [reference[i : i + n] for i in range(len(reference) - n + 1)]
    shared = 0
    for gram in (answer[i : i + n] for i in range(len(answer) - n + 1)):
        if gram in left:
            left.remove(gram)
            shared += 1
    return shared


def test_token_f1_and_rouge_share_each_n_gram_once(lesson):
    for answer, reference in random_texts(np.random.default_rng(0), 300):
        for n in range(1, 1 + min(3, len(answer), len(reference))):
            shared = shared_by_hand(answer, reference, n)
            precision, recall = shared / (len(answer) - n + 1), shared / (len(reference) - n + 1)
            f1 = 2 * precision * recall / (precision + recall) if shared else 0
            assert lesson.rouge(answer, reference, n) == pytest.approx((precision, recall, f1))
        assert lesson.token_f1(answer, reference) == pytest.approx(lesson.rouge(answer, reference, 1)[2])


def test_bleu_of_a_sentence_is_that_of_sacrebleu(lesson):
    oracle = sacrebleu.BLEU(tokenize="none", smooth_method="none", effective_order=True)
    above_0 = 0
    for answer, reference in random_texts(np.random.default_rng(2), 400):
        expected = oracle.sentence_score(" ".join(answer), [" ".join(reference)]).score / 100
        assert lesson.bleu(answer, reference) == pytest.approx(expected, abs=1e-12)
        above_0 += expected > 0
    assert 80 < above_0 < 320


def test_bleu_of_a_corpus_is_that_of_sacrebleu(lesson):
    oracle, rng = sacrebleu.BLEU(tokenize="none", smooth_method="none"), np.random.default_rng(3)
    for _ in range(60):
        answers, references = zip(*random_texts(rng, 8), strict=True)
        texts = [[" ".join(words) for words in column] for column in (answers, references)]
        expected = oracle.corpus_score(texts[0], [texts[1]]).score / 100
        assert lesson.corpus_bleu(answers, references) == pytest.approx(expected, abs=1e-12)


def test_a_merge_takes_the_most_frequent_neighbors_and_no_text_is_lost(lesson):
    rng = np.random.default_rng(4)
    for _ in range(40):
        text = "".join(rng.choice(ALPHABET, size=200))
        pairs = lesson.most_frequent_pairs(text, 12)
        for i, pair in enumerate(pairs):
            before = lesson.merge(text, pairs[:i])
            counts = Counter(map("".join, pairwise(before)))
            assert counts[pair] == max(counts.values())
        lesson.pieces.__globals__["all_pairs"] = pairs
        assert "".join(lesson.pieces(text, 12)) == text


def test_the_probabilities_of_all_tokens_add_up_to_1(lesson):
    rng = np.random.default_rng(5)
    for _ in range(40):
        known = "".join(rng.choice(ALPHABET, size=rng.integers(2, 60)))
        last = rng.choice(ALPHABET)
        nats = [lesson.surprise(last, token, lesson.train(known), ALPHABET.size) for token in ALPHABET]
        assert np.sum(np.exp(-np.array(nats))) == pytest.approx(1)


def test_the_probabilities_after_two_characters_add_up_to_1(lesson):
    rng, space = np.random.default_rng(7), lesson.nats_with_two.__globals__
    for _ in range(40):
        space["training"] = "".join(rng.choice(ALPHABET, size=rng.integers(3, 60)))
        space["characters"] = ALPHABET.size
        alone = {first: lesson.nats_with_two(first) for first in ALPHABET}
        assert np.sum(np.exp(-np.array([*alone.values()]))) == pytest.approx(1)
        last = rng.choice(ALPHABET)
        nats = [lesson.nats_with_two(last + token) - alone[last] for token in ALPHABET]
        assert np.sum(np.exp(-np.array(nats))) == pytest.approx(1)


def test_the_two_divisors_of_context_precision(lesson):
    rng = np.random.default_rng(6)
    for _ in range(200):
        hits = rng.integers(0, 2, size=rng.integers(1, 12))
        if not hits.any():
            continue
        missed = int(rng.integers(0, 5))
        expected = average_precision_score(hits, -np.arange(hits.size))
        by_hits, by_relevant = lesson.both_scores(hits, hits.sum() + missed)
        assert by_hits == pytest.approx(expected)
        assert by_relevant == pytest.approx(expected * hits.sum() / (hits.sum() + missed))
