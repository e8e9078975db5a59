"""What happened in each debug room: seeded data, evidence to buy, the number as told, mended, and in truth."""

from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from evalteach import data, sweep
from evalteach.calibration import reliability, shift_probability
from evalteach.classification import average_precision, false_positive_rate, fbeta, precision, recall, roc_auc
from evalteach.counts import Counts
from evalteach.prevalence import adjusted_count, likelihood_prevalence
from evalteach.review import reviewed_recall
from evalteach.review_plan import plan, review_report


class Scene(NamedTuple):
    """One room at one seed.

    ``told`` is what the dashboard computes from ``data``, ``mended`` what the same rows say without the mistake, and
    ``truth`` what only the simulation knows. ``facts`` are the numbers in the room's words, as written there.
    """

    data: pd.DataFrame
    cards: dict
    told: float
    mended: float
    truth: float
    facts: dict


def fraud_dashboard(seed):
    """Recall among rows that only an alarm could bring to a reviewer."""
    rng = np.random.default_rng([1, seed])
    fraud, score = _shuffled(data.two_normals(300, 49, seed=[1, seed]), rng)
    alarm = score >= 0.1
    reason = np.where(alarm, "its alarm", "")
    reason[rng.choice(np.flatnonzero(~alarm), AUDITED, replace=False)] = "audit"
    verdict = np.where(reason == "", "", np.where(fraud, "fraud", "ok"))
    day = np.empty(fraud.size, dtype=int)
    day[np.lexsort((score, fraud))] = np.arange(fraud.size) * 37 % 60 + 1  # all days alike: chance tells no story here
    log = pd.DataFrame({"day": day, "score": score, "alarm": alarm})
    log["reason"], log["verdict"] = reason, verdict
    log = log.sort_values(["day", "score"], ascending=[True, False], ignore_index=True)
    known = log[log["reason"] == "its alarm"]
    found = known[known["verdict"] == "fraud"]
    audit = log[log["reason"] == "audit"]
    seen = log[log["reason"] != ""]
    unseen = np.sum(~alarm) / AUDITED  # rows that an audited one stands for
    chance = np.where(seen["alarm"], 1, 1 / unseen)
    is_fraud = seen["verdict"] == "fraud"
    every = {
        "probability_flagged": np.ones(np.sum(alarm)),
        "probability_not_flagged": np.full(np.sum(~alarm), 1 / unseen),
    }
    mended, low, high = reviewed_recall(is_fraud, seen["alarm"], chance, len(log), stratum=seen["alarm"], **every)
    least = stats.beta.ppf(0.025, len(found), 1)
    missed = int((audit["verdict"] == "fraud").sum())
    halves = found.assign(rows=np.where(found["day"] <= 30, "learned from (days 1-30)", "new (days 31-60)"))
    estimate = {"audited": AUDITED, "fraud among them": missed, "each stands for": unseen}
    cards = {
        "dashboard": _counted(known, "alarm", "verdict"),
        "interval": pd.DataFrame([{"frauds": len(found), "recall": 1.0, "low": least, "high": 1.0}]),
        "old and new rows": halves.groupby("rows")["score"].agg(["size", "median"]).reset_index(),
        "who was reviewed": _counted(log.replace({"reason": {"": "nobody"}}), "alarm", "reason"),
        "audit": pd.DataFrame([{**estimate, "recall": mended, "low": low, "high": high}]),
    }
    told = float(np.mean(found["alarm"]))
    facts = {
        "told": told,
        "frauds": len(found),
        "alarms": int(alarm.sum()),
        "rows": len(log),
        "audited": AUDITED,
        "missed": missed,
        "mended": mended,
        "least": least,
    }
    return Scene(log, cards, told, mended, np.mean(alarm[fraud]), facts)


def hospital_file(seed):
    """Folds in the order of a file that is sorted by something that goes with the label."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import KFold, StratifiedKFold, cross_val_predict

    rng = np.random.default_rng([2, seed])
    ill = np.r_[np.ones(300, dtype=bool), np.zeros(600, dtype=bool)]
    values = _values(ill, rng)
    days = np.round(np.exp(rng.normal(size=ill.size) * 0.7 + 1.4 * ill), 1)
    longest = np.argsort(-days, kind="stable")
    ill, values, days = ill[longest], values[longest], days[longest]
    model = LogisticRegression()
    fold = np.repeat([1, 2, 3], 300)
    as_told, mended = (
        cross_val_predict(model, values, ill, cv=folds, method="predict_proba")[:, 1]
        for folds in (KFold(3), StratifiedKFold(3, shuffle=True, random_state=seed))
    )
    table = pd.DataFrame(values, columns=["pulse", "pressure", "sugar"]).round(2)
    table = table.assign(days_in_clinic=days, fold=fold, score=as_told, ill=ill)
    folds = [
        {
            "fold": each,
            "ill in it": int(ill[fold == each].sum()),
            "share its model learned": ill[fold != each].mean(),
            "mean score": as_told[fold == each].mean(),
            "AUC in it": _auc(ill[fold == each], as_told[fold == each]),
        }
        for each in (1, 2, 3)
    ]
    told, right = (_auc(ill, scores) for scores in (as_told, mended))
    fresh = np.arange(30_000) < 10_000
    truth = _auc(fresh, model.fit(values, ill).decision_function(_values(fresh, rng)))
    one = [{"column": name, "its AUC alone": _auc(ill, table[name])} for name in table.columns[:3]]
    cards = {
        "columns": pd.DataFrame(one),
        "label": table.groupby("ill")["days_in_clinic"].agg(["size", "min", "median", "max"]).reset_index(),
        "folds": pd.DataFrame(folds)[["fold", "AUC in it"]],
        "what each model learned": pd.DataFrame(folds).drop(columns="AUC in it"),
        "shuffled": pd.DataFrame([{"folds": "file order", "AUC": told}, {"folds": "shuffled", "AUC": right}]),
    }
    shares = [each["share its model learned"] for each in folds]
    facts = {
        "told": told,
        "mended": right,
        "lowest": min(shares),
        "highest": max(shares),
        "rows": len(table),
    }
    return Scene(table, cards, told, right, truth, facts)


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
    classes = [("learned from", learned, before), ("last month", now, score)]
    cards = {
        "classes": pd.DataFrame([{"rows": name, "customers": y.size, "left": y.sum()} for name, y, _ in classes]),
        "ranking": pd.DataFrame([{"rows": name, "AUC": _auc(y, s)} for name, y, s in classes]),
        "stated and happened": pd.DataFrame(
            {
                "customers": bins.positives + bins.negatives,
                "mean score": bins.predicted,
                "share that left": bins.observed,
            }
        ),
        "training call": "LogisticRegression(class_weight='balanced').fit(X, left)",
    }
    facts = {
        "told": round(score.sum()),
        "left": int(now.sum()),
        "mended": round(shifted.sum()),
        "rows": now.size,
        "auc": _auc(now, score),
    }
    return Scene(table, cards, score.sum(), shifted.sum(), now.sum(), facts)


def noon_launch(seed):
    """The area under a precision-recall curve of tied scores, by trapezoids."""
    from sklearn.metrics import auc, precision_recall_curve

    rng = np.random.default_rng([4, seed])
    fraud, old = _shuffled(data.two_normals(160, 24, separation=1.3, seed=[4, seed]), rng)
    times = np.round(rng.gamma(2, 25, fraud.size))
    late = rng.random(fraud.size) < 0.96
    new = np.where(late, 1.0, np.minimum(old, 0.999))
    table = pd.DataFrame({"fraud": fraud, "old": old.round(6), "new": new.round(6), "ms": np.where(late, 800, times)})
    swept = {name: sweep(fraud, table[name]) for name in ("old", "new")}
    areas = {name: auc(*precision_recall_curve(fraud, table[name])[1::-1]) for name in swept}
    steps = {name: average_precision(each.counts) for name, each in swept.items()}
    again, scores = data.two_normals(20_000, 24, separation=1.3, seed=[4, seed, 1])
    truth = average_precision(sweep(again, np.where(rng.random(again.size) < 0.96, 1.0, scores)).counts)
    curve = swept["new"].counts
    cards = {
        "share of fraud": pd.DataFrame([{"rows": fraud.size, "fraud": int(fraud.sum()), "share": fraud.mean()}]),
        "pairs": pd.DataFrame([{"model": name, "ROC-AUC": roc_auc(each.counts)} for name, each in swept.items()]),
        "values": pd.DataFrame(
            [
                {"model": name, "values": table[name].nunique(), "rows with the most frequent": _mode(table[name])}
                for name in swept
            ]
        ),
        "first points": pd.DataFrame({"recall": recall(curve), "precision": precision(curve)}).head(4),
        "by steps": pd.DataFrame(
            [{"model": name, "trapezoids": areas[name], "average precision": steps[name]} for name in swept]
        ),
    }
    facts = {
        "told": areas["new"],
        "old": areas["old"],
        "mended": steps["new"],
        "tied": _mode(table["new"]),
        "rows": fraud.size,
        "share": fraud.mean(),
        "auc": roc_auc(swept["new"].counts),
    }
    return Scene(table, cards, areas["new"], steps["new"], truth, facts)


def friday_tuner(seed):
    """The place of the largest entry of an array that holds nan."""
    rng = np.random.default_rng([5, seed])
    old = _shuffled(data.two_normals(200, 9, calibration=0.6, seed=[5, seed]), rng)
    week = _shuffled(data.two_normals(800, 9, calibration=0.6, seed=[5, seed, 1]), rng)
    grid = np.arange(101) / 100
    counts = [_at(old, threshold) for threshold in grid]
    flagged = np.array([each.tp + each.fp for each in counts])
    # precision is 0/0 where nothing is flagged, and F1 made of it is nan, too
    f1 = np.where(flagged == 0, np.nan, [fbeta(each) for each in counts])
    chosen, right = (float(grid[find(f1)]) for find in (np.argmax, np.nanargmax))
    table = pd.DataFrame({"rows": ["validation"] * old.y_true.size + ["this week"] * week.y_true.size})
    table["score"] = np.append(old.y_score, week.y_score)
    table["fraud"] = [*np.where(old.y_true, "yes", "no"), *[""] * week.y_true.size]
    log = pd.DataFrame({"threshold": grid, "flagged": flagged, "F1": f1})
    place = round(chosen * 100)
    parts = [("validation", old.y_score), ("this week", week.y_score)]
    cards = {
        "quantiles": pd.DataFrame(
            [{"rows": name, **{f"{q:.0%}": np.quantile(s, q) for q in (0.1, 0.5, 0.9, 0.99)}} for name, s in parts]
        ),
        "flags at .5": pd.DataFrame([{"rows": name, "share at or above .5": np.mean(s >= 0.5)} for name, s in parts]),
        "F1, coarse": log.iloc[10:100:20],
        "end of the grid": log.iloc[place - 2 : place + 2],
    }
    told, mended = (fbeta(_at(week, threshold)) for threshold in (chosen, right))
    facts = {
        "threshold": chosen,
        "right": right,
        "alarms": int(np.sum(week.y_score >= chosen)),
        "rows": week.y_true.size,
        "would": int(np.sum(week.y_score >= right)),
        "best": np.nanmax(f1),
    }
    return Scene(table, cards, told, mended, fbeta(sweep(*week).counts).max(), facts)


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
    log = pd.DataFrame({"week": week, "shop": np.where(stranger, "marketplace", "retail"), "flagged": flagged})
    log["fraud"] = fraud
    months = pd.cut(log["week"], [0, 4, 8, 12], labels=["1-4", "5-8", "9-12"]).astype(str).rename("weeks")
    by_shop = log.groupby([months, "shop"])["flagged"].sum().unstack(fill_value=0)
    hits = log[fraud].groupby(months)["flagged"].agg(["size", "mean"]).set_axis(["frauds", "recall"], axis=1)
    flags = log.groupby(months)["flagged"].agg(["size", "sum"]).set_axis(["rows", "flags"], axis=1)
    for_nothing = log[~fraud].groupby(months)["flagged"].sum().rename("flags")
    cards = {
        "flags": flags.reset_index(),
        "frauds": hits[["frauds"]].reset_index(),
        "flags by shop": by_shop.reset_index().rename_axis(columns=None),
        "flagged for nothing": for_nothing.reset_index(),
        "recall by month": hits[["recall"]].reset_index(),
    }
    told, true = hits["recall"].iloc[[0, -1]]
    facts = {
        "told": told,
        "mended": true,
        "before": flags["flags"].iloc[0] / 4,
        "after": flags["flags"].iloc[-1] / 4,
        "market": int(by_shop["marketplace"].iloc[-1]),
    }
    return Scene(log, cards, told, true, caught * (1 - moved), facts)


def picture_archive(seed):
    """A count of positives corrected by rates of a test set, in rows of kinds that the test set lacks."""
    digits = data.digits_three_of_ten(seed=seed)
    test, rows = digits.of(9)
    n, swept = rows.y_score.size, sweep(*test)
    counted = {t: n * adjusted_count(swept.at(t), np.mean(rows.y_score >= t)) for t in (0.3, 0.5, 0.7)}
    drawn = plan(rows.y_score, 300, threshold=0.5, seed=seed)
    answers = drawn.sheet()
    answers["answer"] = np.where(rows.y_true[drawn.rows], "yes", "no")
    mended, low, high = review_report(drawn, answers).iloc[0][["estimate", "low", "high"]]
    table = pd.DataFrame({"score": rows.y_score.round(4), "reviewed": "", "chance of review": np.nan})
    table.loc[drawn.rows, "reviewed"] = [str(digit) for digit in digits.unlabeled_labels[drawn.rows]]
    table.loc[drawn.rows, "chance of review"] = drawn.whole["probability"].to_numpy()
    seen = table[(table["reviewed"] != "") & (table["score"] >= 0.5)]
    counts, flagged = swept.at(0.5), np.sum(rows.y_score >= 0.5)
    likely = n * likelihood_prevalence(rows.y_score, test.y_true.mean())
    cards = {
        "test set": pd.DataFrame([{"recall": recall(counts), "false positive rate": false_positive_rate(counts)}]),
        "another method": pd.DataFrame([{"method": "likelihood of all scores (EM)", "nines": likely}]),
        "other thresholds": pd.DataFrame({"threshold": counted.keys(), "adjusted count": counted.values()}),
        "reviewed alarms": seen["reviewed"].value_counts().rename_axis("digit").rename("pictures").reset_index(),
        "reviews": pd.DataFrame([{"reviewed": len(drawn.rows), "nines among all": mended, "low": low, "high": high}]),
    }
    facts = {
        "told": round(counted[0.5]),
        "flagged": int(flagged),
        "rows": n,
        "likely": round(likely),
        "mended": round(mended),
        "low": round(low),
        "high": round(high),
        "nines": int((seen["reviewed"] == "9").sum()),
        "seen": len(seen),
    }
    return Scene(table, cards, counted[0.5], mended, rows.y_true.sum(), facts)


def winning_detector(seed):
    """The best of many settings, by the F1 that made it the best."""
    rng = np.random.default_rng([8, seed])
    positive = np.r_[np.arange(200) < 20, np.arange(2_000) < 200]
    flags = rng.normal(size=(positive.size, 40)) + 2.2 * positive[:, None] >= 1.4
    table = pd.DataFrame(flags.astype(int), columns=[f"s{each:02d}" for each in range(1, 41)])
    table.insert(0, "rows", np.repeat(["tuning", "later"], [200, 2_000]))
    table.insert(1, "positive", positive)
    f1 = pd.DataFrame(
        {
            part: [fbeta(sweep(rows["positive"], rows[name]).at(1)) for name in table.columns[2:]]
            for part, rows in table.groupby("rows", sort=False)
        },
        index=table.columns[2:],
    )
    best = f1["tuning"].idxmax()
    told, mended = f1.loc[best]
    truth = fbeta(Counts(tp=stats.norm.sf(-0.8), fn=stats.norm.cdf(-0.8), fp=9 * stats.norm.sf(1.4), tn=0.0))
    five = f1["tuning"].nlargest(5).index
    cards = {
        "classes": table.groupby("rows", sort=False)["positive"].agg(["size", "sum", "mean"]).reset_index(),
        "flags of the winner": table.groupby("rows", sort=False)[best].mean().rename("share flagged").reset_index(),
        "the five best": f1.loc[five].rename_axis("setting").reset_index(),
        "all forty": f1.describe().loc[["min", "50%", "max"]].rename_axis("of forty").reset_index(),
    }
    facts = {
        "best": best,
        "told": told,
        "mended": mended,
        "typical": f1["tuning"].median(),
        "later": f1["later"].median(),
    }
    return Scene(table, cards, told, mended, truth, facts)


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


def _at(scored, threshold):
    return sweep(*scored).at(threshold)


def _counted(log, rows, columns):
    return pd.crosstab(log[rows], log[columns]).reset_index().rename_axis(columns=None)


def _mode(column):
    return int(column.value_counts().iloc[0])


AUDITED = 3_000  # rows without an alarm that are reviewed all the same

SCENES = {
    "fraud-dashboard": fraud_dashboard,
    "hospital-file": hospital_file,
    "gifts": gifts,
    "noon-launch": noon_launch,
    "friday-tuner": friday_tuner,
    "quiet-quarter": quiet_quarter,
    "picture-archive": picture_archive,
    "winning-detector": winning_detector,
}
