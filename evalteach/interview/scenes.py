"""What happened in each debug room: seeded data, evidence to buy, and a number as reported, corrected, and in truth."""

from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from evalteach import data, sweep
from evalteach.calibration import reliability, shift_probability
from evalteach.classification import average_precision, false_positive_rate, fbeta, precision, recall, roc_auc
from evalteach.counts import Counts
from evalteach.prevalence import adjusted_count, likelihood_prevalence
from evalteach.reviews.answers import review_report
from evalteach.reviews.estimates import reviewed_recall
from evalteach.reviews.plan import plan


class Scene(NamedTuple):
    """One room at one seed.

    ``reported`` is what the dashboard computes from ``data``, ``corrected`` what the same rows say without the mistake,
    and ``truth`` what only the simulation knows. ``facts`` are the other numbers that the texts of the room use.
    """

    data: pd.DataFrame
    cards: dict
    reported: float
    corrected: float
    truth: float
    facts: dict

    @property
    def numbers(self):
        """All numbers that the texts of the room may use, by name."""
        return {"rows": len(self.data), "reported": self.reported, "corrected": self.corrected, **self.facts}


def fraud_dashboard(seed):
    """Recall among rows that only an alarm could bring to a reviewer."""
    rng = np.random.default_rng([1, seed])
    fraud, score = _shuffled(data.two_normals(300, 49, seed=[1, seed]), rng)
    alarm = score >= 0.1
    reason = np.where(alarm, "its alarm", "")
    reason[rng.choice(np.flatnonzero(~alarm), AUDITED, replace=False)] = "audit"
    day = np.empty(fraud.size, dtype=int)
    day[np.lexsort((score, fraud))] = np.arange(fraud.size) * 37 % 60 + 1  # all days alike: chance tells no story here
    log = pd.DataFrame({"day": day, "score": score, "alarm": alarm, "reason": reason})
    log["verdict"] = np.where(reason == "", "", np.where(fraud, "fraud", "ok"))
    log = log.sort_values(["day", "score"], ascending=[True, False], ignore_index=True)
    known, seen = log[log["reason"] == "its alarm"], log[log["reason"] != ""]
    found, missed = (seen[(seen["verdict"] == "fraud") & (seen["reason"] == why)] for why in ("its alarm", "audit"))
    share = AUDITED / np.sum(~alarm)
    corrected, low, high = reviewed_recall(
        seen["verdict"] == "fraud",
        seen["alarm"],
        np.where(seen["alarm"], 1, share),
        len(log),
        stratum=seen["alarm"],
        probability_flagged=np.ones(np.sum(alarm)),
        probability_not_flagged=np.full(np.sum(~alarm), share),
    )
    least = stats.beta.ppf(0.025, len(found), 1)
    halves = found.assign(rows=np.where(found["day"] <= 30, "training rows (days 1-30)", "new rows (days 31-60)"))
    audit = "audited rows, frauds among them, rows that each represents, recall, low, high"
    cards = {
        "dashboard": _counted(known["alarm"], known["verdict"]),
        "interval": _table("frauds, recall, low, high", (len(found), 1.0, least, 1.0)),
        "old and new rows": _by(halves, "rows", "score", frauds="size", median_score="median"),
        "who was reviewed": _counted(log["alarm"], log["reason"].replace("", "not reviewed")),
        "audit": _table(audit, (AUDITED, len(missed), 1 / share, corrected, low, high)),
    }
    facts = dict(frauds=len(found), alarms=np.sum(alarm), audited=AUDITED, missed=len(missed), each=1 / share)
    facts |= dict(least=least, low=low, high=high)
    return Scene(log, cards, found["alarm"].mean(), corrected, np.mean(alarm[fraud]), facts)


def hospital_file(seed):
    """Folds in the order of a file that is sorted by something that goes with the label."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import KFold, StratifiedKFold, cross_val_predict

    rng = np.random.default_rng([2, seed])
    ill = np.arange(900) < 300
    values = _values(ill, rng)
    days = np.round(np.exp(rng.normal(size=ill.size) * 0.7 + 1.4 * ill), 1)
    longest = np.argsort(-days, kind="stable")
    ill, values, days = ill[longest], values[longest], days[longest]
    model = LogisticRegression()
    score, shuffled = (
        cross_val_predict(model, values, ill, cv=folds, method="predict_proba")[:, 1]
        for folds in (KFold(3), StratifiedKFold(3, shuffle=True, random_state=seed))
    )
    table = pd.DataFrame(values, columns=["pulse", "pressure", "sugar"]).round(2)
    table = table.assign(days_in_clinic=days, fold=np.repeat([1, 2, 3], 300), score=score, ill=ill)
    reported, corrected = _auc(ill, score), _auc(ill, shuffled)
    fresh = np.arange(30_000) < 10_000
    truth = _auc(fresh, model.fit(values, ill).decision_function(_values(fresh, rng)))
    folds = [(each, rows["ill"], table["ill"].drop(rows.index), rows["score"]) for each, rows in table.groupby("fold")]
    learned = "fold, ill patients in the fold, share of ill patients in its training rows, mean score in the fold"
    days = dict(patients="size", shortest="min", median="median", longest="max")
    cards = {
        "columns": _table("column, AUC alone", *((name, _auc(ill, table[name])) for name in table.columns[:3])),
        "label": _by(table, "ill", "days_in_clinic", **days),
        "folds": _table("fold, AUC within the fold", *((each, _auc(y, s)) for each, y, _, s in folds)),
        "what each model learned": _table(learned, *((i, y.sum(), rest.mean(), s.mean()) for i, y, rest, s in folds)),
        "shuffled": _table("folds, AUC", ("in file order", reported), ("shuffled", corrected)),
    }
    shares = [rest.mean() for _, _, rest, _ in folds]
    return Scene(table, cards, reported, corrected, truth, dict(lowest=min(shares), highest=max(shares)))


def gifts(seed):
    """Probabilities of a model that learned with balanced weights, added up as if they were shares."""
    from sklearn.linear_model import LogisticRegression

    rng = np.random.default_rng([3, seed])
    learned, now = (rng.permutation(6_000) < 240 for _ in range(2))
    values, later = _values(learned, rng), _values(now, rng)
    model = LogisticRegression(class_weight="balanced").fit(values, learned)
    before, score = (model.predict_proba(rows)[:, 1] for rows in (values, later))
    shifted = shift_probability(score, 1, np.mean(~learned) / np.mean(learned))
    table = pd.DataFrame({"customer": np.arange(1, score.size + 1), "score": score.round(4), "left": now})
    bins = reliability(now, score, 5)
    binned = zip(bins.positives + bins.negatives, bins.predicted, bins.observed, strict=True)
    parts = ("training rows", learned, before), ("last month", now, score)
    cards = {
        "classes": _table("rows, customers, left", *((name, y.size, y.sum()) for name, y, _ in parts)),
        "ranking": _table("rows, AUC", *((name, _auc(y, s)) for name, y, s in parts)),
        "stated and happened": _table("customers, mean score, share that left", *binned),
        "training call": "LogisticRegression(class_weight='balanced').fit(X, left)",
    }
    return Scene(table, cards, score.sum(), shifted.sum(), now.sum(), dict(left=now.sum(), auc=_auc(now, score)))


def noon_launch(seed):
    """The area under a precision-recall curve of tied scores, by trapezoids."""
    from sklearn.metrics import auc, precision_recall_curve

    rng = np.random.default_rng([4, seed])
    fraud, old = _shuffled(data.two_normals(160, 24, separation=1.3, seed=[4, seed]), rng)
    times = np.round(rng.gamma(2, 25, fraud.size))
    late = rng.random(fraud.size) < 0.96
    new = np.where(late, 1.0, np.minimum(old, 0.999))
    table = pd.DataFrame({"fraud": fraud, "old": old.round(6), "new": new.round(6), "ms": np.where(late, 800, times)})
    counts = {name: sweep(fraud, table[name]).counts for name in ("old", "new")}
    areas = {name: auc(*precision_recall_curve(fraud, table[name])[1::-1]) for name in counts}
    steps = {name: average_precision(each) for name, each in counts.items()}
    again, scores = data.two_normals(20_000, 24, separation=1.3, seed=[4, seed, 1])
    truth = average_precision(sweep(again, np.where(rng.random(again.size) < 0.96, 1.0, scores)).counts)
    most = {name: table[name].value_counts().iloc[0] for name in counts}
    values = ((name, table[name].nunique(), most[name]) for name in counts)
    cards = {
        "share of fraud": _table("rows, frauds, share", (fraud.size, fraud.sum(), fraud.mean())),
        "pairs": _table("model, ROC-AUC", *((name, roc_auc(each)) for name, each in counts.items())),
        "values": _table("model, different scores, rows with the most frequent score", *values),
        "first points": pd.DataFrame({"recall": recall(counts["new"]), "precision": precision(counts["new"])}).head(4),
        "by steps": _table(
            "model, trapezoids, average precision", *((each, areas[each], steps[each]) for each in areas)
        ),
    }
    facts = dict(old=areas["old"], tied=most["new"], share=fraud.mean(), auc=roc_auc(counts["new"]))
    return Scene(table, cards, areas["new"], steps["new"], truth, facts)


def friday_tuner(seed):
    """The place of the largest entry of an array that holds nan."""
    rng = np.random.default_rng([5, seed])
    old = _shuffled(data.two_normals(200, 9, calibration=0.6, seed=[5, seed]), rng)
    week = _shuffled(data.two_normals(800, 9, calibration=0.6, seed=[5, seed, 1]), rng)
    grid = np.arange(101) / 100
    counts = [sweep(*old).at(threshold) for threshold in grid]
    flagged = np.array([each.tp + each.fp for each in counts])
    # precision is 0/0 where nothing is flagged, and F1 computed from it is nan as well
    f1 = np.where(flagged == 0, np.nan, [fbeta(each) for each in counts])
    chosen, right = (float(grid[find(f1)]) for find in (np.argmax, np.nanargmax))
    table = pd.DataFrame({"rows": ["validation"] * old.y_true.size + ["this week"] * week.y_true.size})
    table["score"] = np.append(old.y_score, week.y_score)
    table["fraud"] = [*np.where(old.y_true, "yes", "no"), *[""] * week.y_true.size]
    log, place = pd.DataFrame({"threshold": grid, "flagged": flagged, "F1": f1}), round(chosen * 100)
    parts = {"validation": old.y_score, "this week": week.y_score}
    quantiles = ((name, *np.quantile(s, (0.1, 0.5, 0.9, 0.99))) for name, s in parts.items())
    cards = {
        "quantiles": _table("rows, 10%, 50%, 90%, 99%", *quantiles),
        "flags at .5": _table("rows, share at or above 0.5", *((name, np.mean(s >= 0.5)) for name, s in parts.items())),
        "F1, coarse": log.iloc[10:100:20],
        "end of the grid": log.iloc[place - 2 : place + 2],
    }
    reported, corrected = (fbeta(sweep(*week).at(threshold)) for threshold in (chosen, right))
    alarms, would = (np.sum(week.y_score >= threshold) for threshold in (chosen, right))
    facts = dict(threshold=chosen, right=right, alarms=alarms, would=would, week=week.y_true.size, best=np.nanmax(f1))
    return Scene(table, cards, reported, corrected, fbeta(sweep(*week).counts).max(), facts)


def quiet_quarter(seed):
    """As many flags as ever, while a new kind is missed and another one flagged for nothing."""
    rng = np.random.default_rng([6, seed])
    week = np.repeat(np.arange(1, 13), 2_000)
    turned = np.clip((week - 4) / 4, 0, 1)  # from the fifth to the eighth week
    share, (caught, moved) = rng.integers(70, 91) / 2_000, rng.uniform([0.76, 0.45], [0.84, 0.55])
    fraud = _drawn(np.full(week.size, share), (week,), rng)
    # of the new kind: frauds that are missed, and as many good payments flagged as that makes up for
    stranger = _drawn(turned * np.where(fraud, moved, moved * share), (week, fraud), rng)
    flagged = _drawn(np.where(stranger != fraud, caught, np.where(fraud, 0, 0.01)), (week, stranger, fraud), rng)
    shop = np.where(stranger, "marketplace", "retail")
    log = pd.DataFrame({"week": week, "shop": shop, "flagged": flagged, "fraud": fraud})
    months = log.assign(weeks=np.array(["1-4", "5-8", "9-12"])[(week - 1) // 4])
    flags, frauds = _by(months, "weeks", "flagged", rows="size", flags="sum"), months[fraud]
    by_shop = _counted(months["weeks"][flagged], months["shop"][flagged])
    cards = {
        "flags": flags,
        "frauds": _by(frauds, "weeks", "flagged", frauds="size"),
        "flags by shop": by_shop,
        "flagged for nothing": _by(months[~fraud], "weeks", "flagged", flags="sum"),
        "recall by month": _by(frauds, "weeks", "flagged", recall="mean"),
    }
    reported, corrected = cards["recall by month"]["recall"].iloc[[0, -1]]
    before, after = flags["flags"].iloc[[0, -1]] / 4
    facts = dict(before=before, after=after, market=by_shop["marketplace"].iloc[-1])
    return Scene(log, cards, reported, corrected, caught * (1 - moved), facts)


def picture_archive(seed):
    """A count of positives corrected by rates of a test set, in rows of kinds that the test set lacks."""
    digits = data.digits_three_of_ten(seed=seed)
    test, rows = digits.of(9)
    n, swept = rows.y_score.size, sweep(*test)
    counted = {t: n * adjusted_count(swept.at(t), np.mean(rows.y_score >= t)) for t in (0.3, 0.5, 0.7)}
    drawn = plan(rows.y_score, 300, threshold=0.5, seed=seed)
    answers = drawn.sheet()
    answers["answer"] = np.where(rows.y_true[drawn.rows], "yes", "no")
    corrected, low, high = review_report(drawn, answers).iloc[0][["estimate", "low", "high"]]
    table = pd.DataFrame({"score": rows.y_score.round(4), "reviewed": "", "inclusion probability": np.nan})
    table.loc[drawn.rows, "reviewed"] = digits.unlabeled_labels[drawn.rows].astype(str)
    table.loc[drawn.rows, "inclusion probability"] = drawn.whole["probability"].to_numpy()
    seen = table["reviewed"][(table["reviewed"] != "") & (table["score"] >= 0.5)]
    rates = recall(swept.at(0.5)), false_positive_rate(swept.at(0.5))
    likely = n * likelihood_prevalence(rows.y_score, test.y_true.mean())
    cards = {
        "test set": _table("recall, false positive rate", rates),
        "another method": _table("method, nines", ("likelihood of all scores (EM)", likely)),
        "other thresholds": _table("threshold, adjusted count", *counted.items()),
        "reviewed alarms": seen.value_counts().rename_axis("digit").rename("pictures").reset_index(),
        "reviews": _table("reviewed, estimated nines, low, high", (len(drawn.rows), corrected, low, high)),
    }
    facts = dict(flagged=np.sum(rows.y_score >= 0.5), likely=likely, low=low, high=high, seen=len(seen))
    facts |= dict(nines=np.sum(seen == "9"), unseen=np.sum(~seen.isin(["3", "8", "9"])))
    return Scene(table, cards, counted[0.5], corrected, rows.y_true.sum(), facts)


def winning_detector(seed):
    """The best of many settings, by the F1 that made it the best."""
    rng = np.random.default_rng([8, seed])
    positive = np.r_[np.arange(200) < 20, np.arange(2_000) < 200]
    flags = rng.normal(size=(positive.size, 40)) + 2.2 * positive[:, None] >= 1.4
    settings = [f"s{each:02d}" for each in range(1, 41)]
    table = pd.DataFrame({"rows": np.repeat(["tuning", "later"], [200, 2_000]), "positive": positive})
    table = table.join(pd.DataFrame(flags.astype(int), columns=settings))
    f1 = pd.DataFrame(
        {
            part: {name: fbeta(sweep(rows["positive"], rows[name]).at(1)) for name in settings}
            for part, rows in table.groupby("rows", sort=False)
        }
    )
    best, five = f1["tuning"].idxmax(), f1["tuning"].nlargest(5).index
    reported, corrected = f1.loc[best]
    truth = fbeta(Counts(tp=stats.norm.sf(-0.8), fn=stats.norm.cdf(-0.8), fp=9 * stats.norm.sf(1.4), tn=0.0))
    cards = {
        "classes": _by(table, "rows", "positive", number_of_rows="size", positives="sum", prevalence="mean"),
        "flags of the winner": _by(table, "rows", best, share_flagged="mean"),
        "the five best": f1.loc[five].rename_axis("setting").reset_index(),
        "all forty": f1.agg(["min", "median", "max"]).rename_axis("F1 of the forty").reset_index(),
    }
    facts = dict(best=best, typical=f1["tuning"].median(), later=f1["later"].median(), five=f1["later"][five].mean())
    return Scene(table, cards, reported, corrected, truth, facts)


def _drawn(chance, groups, rng):
    """Whether each row is drawn, with its chance, and so that each group has as many as it should (systematic)."""
    order = np.lexsort((rng.random(chance.size), *groups))
    drawn = np.empty(chance.size, dtype=bool)
    drawn[order] = np.diff(np.floor(np.cumsum(chance[order]) + 0.5), prepend=0) > 0
    return drawn


def _shuffled(scored, rng):
    """The same rows in any order: simulated ones stand by class."""
    order = rng.permutation(scored.y_true.size)
    return type(scored)(scored.y_true[order], scored.y_score[order])


def _values(positive, rng):
    """Three columns, two of which know something of the class."""
    return rng.normal(size=(positive.size, 3)) + np.outer(positive, [0.9, 0.7, 0])


def _auc(y_true, y_score):
    return roc_auc(sweep(y_true, y_score).counts)


def _table(columns, *rows):
    return pd.DataFrame(rows, columns=columns.split(", "))


def _by(table, group, column, **columns):
    """A line for each group, in the order of the table, with what is named of one column."""
    named = {name.replace("_", " "): what for name, what in columns.items()}
    return table.groupby(group, sort=False)[column].agg(**named).reset_index()


def _counted(rows, columns):
    return pd.crosstab(rows, columns).reset_index().rename_axis(columns=None)


AUDITED = 3_000  # rows without an alarm that are reviewed all the same

ALL = fraud_dashboard, hospital_file, gifts, noon_launch, friday_tuner, quiet_quarter, picture_archive, winning_detector
SCENES = {scene.__name__.replace("_", "-"): scene for scene in ALL}
