"""``evalteach report --judge``: what share of the answers is good, by a judge's verdicts and some labels of people."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
from jinja2 import Template

from evalteach._intervals import clopper_pearson, hypergeometric_interval
from evalteach.classification import recall, specificity
from evalteach.command.columns import choose, label_rules
from evalteach.command.labels import PAIRS, Labels, one_class, same
from evalteach.command.page import literal
from evalteach.command.reading import form, left_out, repeats
from evalteach.command.tables import open_table
from evalteach.command.wording import count, listed, quoted
from evalteach.counts import Counts
from evalteach.judged import judged_rate

TEMPLATE = Path(__file__).with_name("judge.md")
PASSES = (*PAIRS, "fail pass", "failed passed", "bad good", "incorrect correct", "wrong right", "rejected accepted")
LEAST = 10  # labels; fewer say next to nothing
MANY = 10**9  # answers; a judge that passes all of them says nothing, so the labels alone are left
HELPS = 1.05  # times the width; less may be the chance in the ends


class Verdicts(NamedTuple):
    """What ``judged_rate`` takes, sentences on how it was read, and whether the labels look like a random draw.

    With labels that were not drawn, the labeled rows are not among the judged ones.
    """

    n_passed: int
    n_judged: int
    labeled: Counts
    summary: list
    warnings: list
    looks_drawn: bool


def read_verdicts(path, *, judge, label=None, positive=None, drawn=True) -> Verdicts:
    """Verdicts of a judge, and labels of people where there are any, from a file as ``read_scores`` takes it."""
    table = open_table(path)
    judge = choose(table, "judge", judge)
    others = [place for place in range(len(table.names)) if place != judge.place]
    is_found = label is not None or any(candidates for candidates, _ in label_rules(table, others))
    label = choose(table, "label", label, judge) if is_found else judge
    if is_found and label.place == judge.place:
        raise ValueError(f"label and judge are both {judge.name!r}. Name two columns of {listed(table.names)}")
    verdicts, labels = Labels(judge), Labels(label)
    # one column twice, since the first one of a Parquet file may come as numbers
    for _, *texts in table.blocks(judge.place, judge.place, label.place):
        verdicts.add(texts[0])
        labels.add(texts[1])
    if positive is not None and same(str(positive)) not in map(same, [*verdicts.texts, *labels.texts]):
        raise ValueError(f"positive={str(positive)!r} occurs neither in {judge} nor in {label}")
    judged = ~verdicts.are(verdicts.missing())
    labeled = judged & ~labels.are(labels.missing()) & is_found
    passed, verdict_sentence = _positive(verdicts, judged, positive, "verdict", "passed", "failed")
    n_passed, n_judged, n = (int(np.count_nonzero(rows)) for rows in (judged & passed, judged, labeled))
    if n < LEAST:
        holds = f"{label} labels {n} of them" if is_found else "no column seems to hold labels (name it with label=)"
        raise ValueError(
            f"the judge passed {n_passed:,} of {count(n_judged)}, which is {n_passed / n_judged:.3f}, but {holds}, so "
            f"nothing says what share is good. Draw {min(100, n_judged)} rows at random, and let people label them: "
            "with 100 labels, the interval of the share is about 0.2 wide at most, and with 400 half as wide"
        )
    good, label_sentence = _positive(labels, labeled, positive, "label", "good", "bad")
    cells = good & passed, ~good & passed, good & ~passed, ~good & ~passed
    tp, fp, fn, tn = (int(np.count_nonzero(labeled & cell)) for cell in cells)
    words = "".join(f" or {text!r}" for text in sorted(labels.missing() - {""}))
    unlabeled = f"{count(n_judged - n)} with no label{words} count by the verdict alone."
    summary = [*form(table, judged.size), verdict_sentence, label_sentence, unlabeled]
    warnings = [*left_out(table, judge, ~judged, verdicts.missing()), *repeats(table, judge, label)]
    low, high = hypergeometric_interval(tp + fp, n, n_judged, 0.005)
    if unlike := drawn and not low <= n_passed <= high:
        warnings.append(
            f"{tp + fp:,} of the {n:,} labeled rows passed, and {n_passed:,} of all {n_judged:,}, which seldom happens "
            "if rows are drawn at random from all of them. If they were drawn at random from those that passed and "
            "from those that failed, the estimate holds, but sensitivity and specificity do not. Else use --not-drawn."
        )
    if not drawn:
        n_passed, n_judged = n_passed - tp - fp, n_judged - n
    sides = {"passed": tp + fp, "failed": fn + tn} if drawn else {"are good": tp + fn, "are bad": fp + tn}
    if missing := [side for side, n_rows in sides.items() if not n_rows]:
        raise ValueError(
            f"none of the {n:,} labeled rows {missing[0]}, and without such labels there is no estimate. Let people "
            f"label some rows that {missing[0]}{', drawn at random from these' * drawn}"
        )
    if not n_judged:
        raise ValueError("all rows have a label, so none is left to which labels that were not drawn could apply")
    return Verdicts(n_passed, n_judged, Counts(tp=tp, fp=fp, fn=fn, tn=tn), summary, warnings, not unlike)


def _positive(labels, use, positive, role, yes, no):
    """Whether the label of each row is the positive one, and a sentence on which labels are."""
    column, spellings, key = labels.column, labels.spellings(use), same(str(positive))
    names = {other: next(iter(texts)) for other, texts in spellings.items()}
    if len(names) < 2 and (role == "verdict" or labels.missing() - {""}):
        raise ValueError(one_class(column, next(iter(spellings.values()), {}), labels.missing()))
    if key not in names:
        key = next((pair.split()[1] for pair in PASSES if {*names} <= {*pair.split()}), None)
    if key is None:
        options = " or ".join([f"positive={name!r}" for name in names.values()][:3]) + " ..." * (len(names) > 3)
        advice = f"; all others mean {no}. For a file of scores, leave --judge out" * (len(names) > 2)
        raise ValueError(f"{column} holds {len(names):,} {role}s. Say which means {yes}, as {options}{advice}")
    means = [
        f"{quoted(name)} means {yes if other == key else no} in {count(sum(spellings[other].values()))}"
        for other, name in names.items()
    ]
    means[6:] = ["..."] * (len(means) > 6)
    sentence = f"The {role} is column {column.name!r}{column.reason}: {', '.join(means)}."
    return labels.are(spellings.get(key, ())), sentence


def judged_page(read, drawn):
    """Markdown of a page: what the verdicts and the labels say, how they were read, and what this assumes."""
    counts, rate = read.labeled, judged_rate(read.n_passed, read.n_judged, read.labeled, drawn=drawn)
    good, bad = counts.tp + counts.fn, counts.fp + counts.tn
    alone = judged_rate(MANY, MANY, Counts(tp=good, fp=bad, fn=0, tn=0))
    factor = (alone.high - alone.low) / (rate.high - rate.low)
    return Template(TEMPLATE.read_text(encoding="utf-8"), trim_blocks=True, lstrip_blocks=True).render(
        read._asdict(),
        drawn=drawn,
        rate=rate,
        alone=alone,
        factor=factor,
        more=(good + bad) * (factor**2 - 1) if factor >= HELPS else 0,
        sensitivity=(recall(counts), *clopper_pearson(counts.tp, counts.fn, 0.025)),
        specificity=(specificity(counts), *clopper_pearson(counts.tn, counts.fp, 0.025)),
        literal=literal,
    )
