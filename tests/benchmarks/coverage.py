"""How often the intervals of reviews hold the truth: run by name, prints one line for each file, budget and scheme.

    python tests/benchmarks/coverage.py                # 400 logs a line, nearly half an hour
    python tests/benchmarks/coverage.py 100 0.33 4 5   # 100 logs, told a third of the class size, these separations
    python tests/benchmarks/coverage.py plan           # 500 plans a line, from scores to a report: ten minutes
    python tests/benchmarks/coverage.py room           # thirty people share a plan: alone, some, all

Scores of the two classes are normal, 2, 3, 4 or 5 standard deviations apart. A hidden kind is a fifth of the positives
that score like negatives, or like the lower half of them ("low"), and is missing from the 50 test positives, too.
Overconfident log-odds are twice too large and shifted up by 3; only importance sampling looks at more than ranks. With
400 logs a share of .95 comes out within .011 (one standard deviation), and a line below .92 is no luck. Last come the
lowest coverages of each scheme.
"""

import functools
import itertools
import sys

import numpy as np

from evalteach.review import (
    draw_review_sample,
    horvitz_thompson,
    inclusion_probabilities,
    neyman_allocation,
    rank_strata,
    reviewed_recall,
)
from evalteach.review_plan import plan, plan_of, review_report

SEPARATIONS = 2.0, 3.0, 4.0, 5.0
COLUMNS = ("N", "± / N", "best K", "± / N", "U below", "flagged", "± / N", "recall", "width")
COVERAGES = [0, 2, 4, 5, 7]  # of these


def make_file(rng, n_rows, positives, separation, *, overconfident, hidden):
    """Labels and scores of the rows, and scores of test positives, all with the same model."""
    y_true = np.arange(n_rows) < positives
    log_odds, known = rng.normal(size=n_rows), rng.normal(separation, size=50)
    n_known = round(positives * (0.8 if hidden else 1))
    log_odds[:n_known] += separation
    if hidden == "low":
        log_odds[n_known:positives] = -np.abs(log_odds[n_known:positives])
    scores = []
    for x in (log_odds, known):
        x = separation * x - separation**2 / 2 + np.log(positives / (n_rows - positives))
        scores.append(1 / (1 + np.exp(-(2 * x + 3 if overconfident else x))))
    return y_true, *scores


def guess_of(scores, stratum, test_positives, told):
    """Guessed share of positives in each stratum, half a test positive more in each."""
    rows = np.bincount(stratum)
    lowest = np.array([scores[stratum == h].min() for h in range(rows.size)])
    hits = np.bincount((test_positives[:, None] < lowest[:-1]).sum(axis=1), minlength=rows.size)
    return np.minimum(told * (hits + 0.5) / (hits.sum() + 0.5 * rows.size) / rows, 0.95)


def designs(scores, test_positives, told, reviews):
    """Inclusion probabilities and strata of each scheme."""
    rank = np.argsort(np.argsort(-scores))
    found = {"simple random": (np.full(scores.size, reviews / scores.size), None)}
    for name, stratum in (
        ("8 equal strata", rank * 8 // scores.size),
        ("rank_strata", rank_strata(scores, told)),
    ):
        rows, guess = np.bincount(stratum), guess_of(scores, stratum, test_positives, told)
        found[name] = (neyman_allocation(rows, np.sqrt(guess * (1 - guess)), reviews) / rows)[stratum], stratum
    found["root"] = inclusion_probabilities(np.sqrt(scores), reviews), None
    found["score"] = inclusion_probabilities(scores, reviews), None
    return found


def read_log(y_true, scores, rows, probability, stratum, best, flagged):
    """Which intervals hold the truth, and how wide they are: one row of ``COLUMNS``."""
    labels, p, n, positives = y_true[rows], probability[rows], scores.size, y_true.sum()
    design = {"stratum": None if stratum is None else stratum[rows]}

    def half(confidence=0.95, within=None):
        one = horvitz_thompson(
            labels, p, n, within=None if within is None else within[rows], confidence=confidence, **design
        )
        truth = positives if within is None else y_true[within].sum()
        return one.low <= truth <= one.high, (one.high - one.low) / 2 / positives, truth <= one.high

    _, low, high = reviewed_recall(labels, flagged[rows], p, n, **design)
    held = low <= y_true[flagged].sum() / positives <= high
    below = half(0.9, ~best)[2]  # the upper end alone, at 95 %
    return [*half()[:2], *half(within=best)[:2], below, *half(within=flagged)[:2], held, high - low]


def main(repeats=400, told=1.0, *separations):
    print("apart rows N reviews scores hidden scheme".ljust(58), *(f"{name:>8}" for name in COLUMNS))
    cells, lowest = itertools.product((20_000, 100_000), (200, 1_000), (120, 360), separations or SEPARATIONS), {}
    for n_rows, positives, reviews, separation in cells:
        for overconfident, hidden in itertools.product((False, True), ("", "any", "low")):
            seed = [n_rows, positives, reviews, round(10 * separation), overconfident, len(hidden), hidden == "low"]
            rng, found = np.random.default_rng(seed), {}
            for repeat in range(repeats):
                if repeat % 10 == 0:
                    kind = {"overconfident": overconfident, "hidden": hidden}
                    y_true, scores, test = make_file(rng, n_rows, positives, separation, **kind)
                    schemes = designs(scores, test, told * positives, reviews)
                    ranked = np.sort(scores)[::-1]
                    best_k = max(k for k in (1.5, 5, 15) if k * positives <= n_rows / 2)
                    best, flagged = (scores >= ranked[round(k * positives) - 1] for k in (best_k, 1))
                for name, design in schemes.items():
                    if name in ("root", "score") or not overconfident:
                        rows = draw_review_sample(*design, seed=rng)
                        found.setdefault(name, []).append(read_log(y_true, scores, rows, *design, best, flagged))
            scored = "overconfident" if overconfident else "calibrated"
            for name, lines in found.items():
                means = np.mean(lines, axis=0)
                lowest[name] = np.minimum(lowest.get(name, 1), means[COVERAGES])
                start = f"{separation:g} {n_rows:,} {positives:,} {reviews} {scored} {hidden or '-'} {name}"
                print(start.ljust(58), *(f"{value:8.3f}" for value in means), flush=True)
    print("\nlowest coverages".ljust(59), *(f"{COLUMNS[column]:>8}" for column in COVERAGES))
    for name, values in lowest.items():
        print(name.ljust(58), *(f"{value:8.3f}" for value in values))


def held_by(report, y_true, flagged):
    """Whether each interval of a report holds the truth, and how wide it is."""
    hits, positives = np.sum(y_true & flagged), np.sum(y_true)
    truth = {"class size": positives, "precision": hits / flagged.sum(), "recall": hits / positives}
    truth["missed"] = positives - hits
    report = report.loc[list(truth)]
    held = (report["low"] <= list(truth.values())) & (report["high"] >= list(truth.values()))
    return held.astype(float), report["high"] - report["low"]


REGIMES = {
    "calibrated": (False, ""),
    "overconfident": (True, ""),
    "hidden kind": (False, "any"),
    "low kind": (True, "low"),
}


def review_plans(repeats=500, n_rows=200_000, reviews=360):
    """Coverage and mean width of each line of ``review_report``, for files with 1 % and 0.2 % positives."""
    print(f"{n_rows:,} rows, {reviews} reviews, {repeats} plans a line; coverage and mean width")
    for positives, separation, (name, regime) in itertools.product((2_000, 400), SEPARATIONS[1:3], REGIMES.items()):
        rng, found = np.random.default_rng([positives, round(separation), list(REGIMES).index(name)]), []
        for _ in range(repeats):
            kind = dict(zip(("overconfident", "hidden"), regime, strict=True))
            y_true, scores, _ = make_file(rng, n_rows, positives, separation, **kind)
            drawn = plan(scores, reviews, threshold=0.5, seed=rng)
            report = review_report(drawn, y_true[drawn.rows])
            found.append(held_by(report, y_true, scores >= 0.5))
        held, width = (functools.reduce(np.add, part) / repeats for part in zip(*found, strict=True))
        said = (f"{line} {held[line]:.3f} ({width[line]:.4g})" for line in held.index)
        print(f"{positives:,} positives, {separation:g} apart, {name}:".ljust(44), *said, sep="  ", flush=True)


def review_room(repeats=300, people=30):
    """How wide and how often right: one person alone, part of the room, all of it."""
    from evalteach import data

    nines = data.digits_three_of_ten().of(9).unlabeled
    pile, rng = nines.y_true[nines.y_score >= 0.5], np.random.default_rng(0)
    chance = np.full(pile.size, 240 / pile.size)
    y_true, scores, _ = make_file(rng, 20_000, 400, 3.0, overconfident=False, hidden="")
    files = {
        f"{pile.size} flagged digits, 240 reviews": (
            pile,
            lambda: plan_of(draw_review_sample(chance, seed=rng), chance),
        ),
        "20,000 rows, 400 positives, 600 reviews": (y_true, lambda: plan(scores, 600, threshold=0.5, seed=rng)),
    }
    for name, (labels, draw) in files.items():
        for returned in (1, 5, 15, 25, people):
            ends = []
            for _ in range(repeats):
                drawn = draw()
                sheets = []
                for i in rng.choice(people, returned, replace=False) + 1:
                    part = drawn.share(int(i), people)
                    sheets.append(part.sheet().assign(answer=labels[part.rows]))
                ends.append(review_report(drawn, *sheets).loc["class size", ["low", "high"]])
            low, high = np.array(ends, dtype=float).T
            held = np.mean((low <= labels.sum()) & (high >= labels.sum()))
            typical = f"{np.median(low):.0f} to {np.median(high):.0f} (truth {labels.sum()})"
            print(f"{name}, {returned} of {people} people: {typical}, held {held:.3f}", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] in (["plan"], ["room"]):
        {"plan": review_plans, "room": review_room}[sys.argv[1]](*map(int, sys.argv[2:]))
    else:
        main(*(kind(text) for kind, text in zip((int, *[float] * 9), sys.argv[1:], strict=False)))
