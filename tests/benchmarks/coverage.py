"""How often the intervals of reviews hold the truth: run by name, prints one line for each file, budget and scheme.

    python tests/benchmarks/coverage.py                # 400 logs a line, nearly half an hour
    python tests/benchmarks/coverage.py 100 0.33 4 5   # 100 logs, told a third of the class size, these separations
    python tests/benchmarks/coverage.py plan           # 500 plans a line, from scores to a report: ten minutes
    python tests/benchmarks/coverage.py room           # thirty people share a plan: alone, some, all
    python tests/benchmarks/coverage.py simple         # simple random samples, computed and not drawn
    python tests/benchmarks/coverage.py domain         # a part of the rows that no stratum knows; 2,000 logs a line
    python tests/benchmarks/coverage.py recall         # recall where positives are common; 2,000 logs a line
    python tests/benchmarks/coverage.py auc            # areas under the ROC curve; 2,000 test sets a line
    python tests/benchmarks/coverage.py adjusted       # adjusted counts; 20,000 draws a line
    python tests/benchmarks/coverage.py judged         # answers that a judge passed, corrected; 2,000 draws a setting

Scores of the two classes are normal, 2, 3, 4 or 5 standard deviations apart. A hidden kind is a fifth of the positives
that score like negatives, or like the lower half of them ("low"), and is missing from the 50 test positives, too.
Overconfident log-odds are twice too large and shifted up by 3; only importance sampling looks at more than ranks. With
400 logs a share of .95 comes out within .011 (one standard deviation), and a line below .92 is no luck. Last come the
lowest coverages of each scheme.
"""

import functools
import itertools
import sys
from unittest import mock

import numpy as np
from scipy.stats import hypergeom, norm

from evalteach import Counts, judged, sweep
from evalteach._intervals import hypergeometric_interval
from evalteach.classification import roc_auc_interval
from evalteach.judged import judged_rate
from evalteach.prevalence import adjusted_count_interval
from evalteach.reviews.answers import review_report
from evalteach.reviews.designs import draw_review_sample, inclusion_probabilities, neyman_allocation, rank_strata
from evalteach.reviews.estimates import horvitz_thompson, reviewed_recall
from evalteach.reviews.plan import plan, plan_of

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


def simple_samples():
    """Coverage of the exact interval for 200 numbers of positives: the lowest and the mean of them."""
    for n_rows, reviews in ((120, 20), (120, 100), (1_528, 20), (1_528, 240), (1_528, 1_500), (20_000, 360)):
        found = np.arange(reviews + 1)
        low, high = hypergeometric_interval(found, reviews, n_rows, 0.025)
        totals = np.unique(np.linspace(0, n_rows, 201).astype(int))
        likely = hypergeom.pmf(found, n_rows, totals[:, None], reviews)
        held = np.sum(likely * ((low <= totals[:, None]) & (totals[:, None] <= high)), axis=1)
        coverage = f"lowest {held.min():.3f}, mean {held.mean():.3f}"
        print(f"{reviews:,} of {n_rows:,}: {coverage}; if none is found, at most {high[0]}", flush=True)


def strata_logs(rng, repeats, rows, reviews):
    """Positions of the rows of simple random samples, stratum by stratum, one log after the other."""
    starts = np.cumsum([0, *rows[:-1]])
    for _ in range(repeats):
        parts = zip(starts, rows, reviews, strict=True)
        yield np.concatenate([start + rng.choice(size, n, replace=False) for start, size, n in parts])


DOMAINS = {  # rows and reviews of each stratum; rows of the domain in it, and positives among these
    "10,000 rows, a segment of 80 in the bottom": ((200, 9_800), (60, 60), (70, 80), (60, 80)),
    "20,000 rows, 80 positives that scored low": ((200, 19_800), (100, 60), (70, 80), (60, 80)),
    "200 flagged at the bottom, 80 rightly": ((100, 900, 9_000), (50, 100, 20), (100, 0, 200), (90, 0, 80)),
    "100 at the bottom of three": ((300, 700, 9_000), (60, 60, 60), (50, 0, 100), (40, 0, 60)),
    "30 at the bottom, a whole stratum on top": ((200, 800, 9_000), (80, 80, 40), (200, 0, 30), (180, 0, 30)),
    "the top stratum and no other": ((200, 800, 9_000), (80, 80, 40), (200, 0, 0), (180, 0, 0)),
    "a segment of the bottom alone": ((200, 800, 9_000), (80, 80, 40), (0, 0, 100), (0, 0, 60)),
    "a third of every stratum": ((300, 900, 9_000), (60, 60, 60), (100, 300, 3_000), (80, 60, 30)),
}


def part_of_all(repeats=2_000):
    """Positives of a domain and recall, without and with the inclusion probabilities of all of its rows."""
    print("domain".ljust(50), "  total width  known width   recall width  known width")
    for name, (rows, reviews, sizes, positives) in DOMAINS.items():
        rng, stratum = np.random.default_rng(0), np.repeat(np.arange(len(rows)), rows)
        place = np.concatenate([np.arange(size) for size in rows])
        within, y_true = (place < np.array(counts)[stratum] for counts in (sizes, positives))
        # a missed positive for every tenth row of the first stratum, so that recall is below 1
        y_true |= (stratum == 0) & (place >= np.array(rows)[stratum] - rows[0] // 10)
        probability = np.divide(reviews, rows)[stratum]
        truth, lines = np.sum(y_true & within), []
        for log in strata_logs(rng, repeats, rows, reviews):
            answers, design = y_true[log], {"stratum": stratum[log]}
            line = []
            for known in (False, True):
                reach = {"probability_within": probability[within]} if known else {}
                one = horvitz_thompson(answers, probability[log], stratum.size, within=within[log], **reach, **design)
                line += [one.low <= truth <= one.high, one.high - one.low]
            for known in (False, True):
                parts = {"probability_flagged": within, "probability_not_flagged": ~within} if known else {}
                reach = {part: probability[which] for part, which in parts.items()}
                ends = reviewed_recall(answers, within[log], probability[log], stratum.size, **reach, **design)[1:]
                line += [ends[0] <= truth / y_true.sum() <= ends[1], ends[1] - ends[0]]
            lines.append(line)
        means = np.mean(lines, axis=0)
        shown = (f"{means[i]:7.3f} {means[i + 1]:5.{2 * (i > 2)}f}" for i in (0, 2, 4, 6))
        print(name.ljust(50), *shown, flush=True)


def common_positives(repeats=2_000):
    """Recall from simple random reviews and from strata that hold flagged and other rows; mean widths in brackets."""
    for share, recall in itertools.product((0.1, 0.5, 0.9, 0.95), (0.5, 0.9)):
        line = []
        for rows, reviews in (((10_000,), (150,)), ((2_000, 8_000), (75, 75))):
            rng, stratum = np.random.default_rng(1), np.repeat(np.arange(len(rows)), rows)
            # in the second stratum half as many positives, and half of the recall
            y_true = rng.random(stratum.size) < share / (1 + stratum)
            flagged = rng.random(stratum.size) < recall / (1 + stratum)
            truth, probability = np.sum(y_true & flagged) / y_true.sum(), np.divide(reviews, rows)[stratum]
            found = np.array(
                [
                    reviewed_recall(y_true[log], flagged[log], probability[log], stratum.size, stratum=stratum[log])[1:]
                    for log in strata_logs(rng, repeats, rows, reviews)
                ]
            )
            held = np.mean((found[:, 0] <= truth) & (truth <= found[:, 1]))
            line.append(f"{reviews} of {rows}: {held:.3f} ({np.mean(found[:, 1] - found[:, 0]):.2f})")
        print(f"share {share}, recall {recall}:".ljust(26), *line, sep="  ", flush=True)


def areas(repeats=2_000):
    """Both intervals of the area under the ROC curve, for normal scores; ``sd`` is that of the positives' scores."""
    sizes = (10, 1_000), (30, 3_000), (10, 10), (5, 5), (30, 90), (5, 500), (100, 2_000)
    for (positives, negatives), area, sd in itertools.product(sizes, (0.7, 0.8, 0.9, 0.95, 0.99), (1, 2)):
        rng, y_true = np.random.default_rng(2), np.arange(positives + negatives) < positives
        apart, line = norm.ppf(area) * np.hypot(1, sd), []
        swept = []
        for _ in range(repeats):
            scores = np.append(rng.normal(apart, sd, positives), rng.normal(size=negatives))
            swept.append(sweep(y_true, scores).counts)
        for method in ("delong", "hanley-mcneil"):
            low, high = np.array([roc_auc_interval(counts, method=method) for counts in swept]).T
            held, none = np.mean((low <= area) & (area <= high)), np.mean(np.isnan(low))
            line.append(f"{method} {held:.3f} (width {np.nanmean(high - low):.3f}, none {none:.3f})")
        print(f"{positives}:{negatives}, area {area}, sd {sd}:".ljust(32), *line, sep="  ", flush=True)


def adjusted_counts(repeats=20_000):
    """The interval of ``adjusted_count``: test sets of both classes, and unlabeled rows with few positives."""
    tests = (40, 50), (10, 10), (10, 1_000), (100, 100), (30, 300)
    rates = (0.9, 0.1), (0.95, 0.02), (0.8, 0.01), (0.7, 0.3), (0.99, 0.001)
    for (positives, negatives), (recall, base) in itertools.product(tests, rates):
        rng, line = np.random.default_rng(3), []
        for n_rows, share in ((200, 0.0), (200, 0.01), (200, 0.19), (10_000, 0.001), (10_000, 0.01), (10_000, 0.5)):
            tp, fp = rng.binomial(positives, recall, repeats), rng.binomial(negatives, base, repeats)
            counts = Counts(tp=tp, fp=fp, fn=positives - tp, tn=negatives - fp)
            flagged = rng.binomial(n_rows, share * recall + (1 - share) * base, repeats)
            low, high = adjusted_count_interval(counts, flagged, n_rows)
            held = np.mean((low <= share) & (share <= high) | np.isnan(low))  # nan where both rates are equal
            width = np.nanmean(np.clip(high, 0, 1) - np.clip(low, 0, 1))
            line.append(f"{share} of {n_rows}: {held:.3f} ({width:.3f})")
        print(f"{positives}:{negatives}, {recall} and {base}:".ljust(28), *line, sep="  ", flush=True)


def judged_rates(repeats=2_000):
    """The interval of ``judged_rate``: labels drawn from 1,000 judged answers, and as many good and bad from elsewhere.

    Of a share of good answers, a sensitivity and a specificity; and the same with Jeffreys' half a success and half a
    failure in place of the coin ("halves"). With 2,000 draws of the rates instead of 20,000, to save hours.
    """
    judges = (0.6, 0.5), (0.8, 0.6), (0.9, 0.7), (0.95, 0.9), (0.99, 0.95)
    for share, rates in itertools.product((0.02, 0.5, 0.9, 0.97, 0.99), judges):
        line = []
        for labels, drawn in itertools.product((20, 50, 200), (True, False)):
            rng = np.random.default_rng(4)
            cases = [judged_case(rng, 1_000, share, *rates, labels, drawn) for _ in range(repeats)]
            held, width = [], []
            for rate_draws in (judged._draws, halves):
                with mock.patch.multiple(judged, _draws=rate_draws, DRAWS=2_000):
                    found = np.array([judged_rate(*case, drawn=drawn, seed=rng)[1:] for case in cases])
                held.append(np.mean((found[:, 0] <= share) & (share <= found[:, 1])))
                width.append(np.nanmean(found[:, 1] - found[:, 0]))
            kind = "drawn" if drawn else "apart"
            line.append(f"{labels} {kind}: {held[0]:.3f} ({width[0]:.3f}; halves {held[1]:.3f}, {width[1]:.3f})")
        print(f"{share}, {rates[0]} and {rates[1]}:".ljust(22), *line, sep="  ", flush=True)


def judged_case(rng, n_judged, share, sensitivity, specificity, n_labels, drawn):
    """Passed answers, judged answers and labels; without ``drawn`` half of these are good, from elsewhere."""
    good = rng.random(n_judged) < share
    passed = rng.random(n_judged) < np.where(good, sensitivity, 1 - specificity)
    n_passed = int(passed.sum())
    if not drawn:
        good = np.arange(n_labels) < n_labels // 2
        passed = rng.random(n_labels) < np.where(good, sensitivity, 1 - specificity)
    cells = np.bincount(2 * good[:n_labels] + passed[:n_labels], minlength=4).tolist()
    return n_passed, n_judged, Counts(**dict(zip(("tn", "fp", "fn", "tp"), cells, strict=True)))


def halves(successes, failures, rng):
    return rng.beta(successes + 0.5, failures + 0.5, judged.DRAWS)


RUNS = {
    "plan": review_plans,
    "room": review_room,
    "simple": simple_samples,
    "domain": part_of_all,
    "recall": common_positives,
    "auc": areas,
    "adjusted": adjusted_counts,
    "judged": judged_rates,
}

if __name__ == "__main__":
    if sys.argv[1:2] and sys.argv[1] in RUNS:
        RUNS[sys.argv[1]](*map(int, sys.argv[2:]))
    else:
        main(*(kind(text) for kind, text in zip((int, *[float] * 9), sys.argv[1:], strict=False)))
