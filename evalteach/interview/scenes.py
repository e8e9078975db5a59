"""What happened in each debug room: a small simulation for each, whose texts and prices are in ``rooms.md``.

Every function takes a seed. It returns the rows that the reader explores, and facts by name: numbers that the texts of
the room use besides those that they count in the rows, and the evidence that is a table, by the name of its card.
"""

import numpy as np
import pandas as pd
from scipy import special, stats
from sklearn import metrics
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_predict

from evalteach import calibration, classification, data, plan, prevalence, review_report, sweep
from evalteach._intervals import clopper_pearson


def fraud_dashboard(seed):
    """Recall among rows that only an alarm could bring to a reviewer."""
    fraud, score = data.two_normals(300, 49, seed=[1, seed])
    log = pd.DataFrame({"score": score, "alarm": score >= 0.1, "fraud": fraud}).sort_values(["fraud", "score"])
    log.insert(0, "day", np.arange(len(log)) * 37 % 60 + 1)  # all days alike: chance tells no story here
    quiet, audited = log.index[~log["alarm"]], 4_000
    audit = np.random.default_rng([1, seed]).choice(quiet, audited, replace=False)
    log["reason"] = np.select([log["alarm"], log.index.isin(audit)], ["its alarm", "audit"], "")
    log["verdict"] = np.where(log["reason"] == "", "", np.where(log.pop("fraud"), "fraud", "ok"))
    log = log.sort_values(["day", "score"], ascending=[True, False], ignore_index=True)
    is_fraud = log["verdict"] == "fraud"
    hits, missed = log[is_fraud & log["alarm"]], sum(is_fraud & ~log["alarm"])
    rates = np.array([missed / audited, *clopper_pearson(missed, audited - missed, 0.025)])
    facts = {"frauds": len(hits), "audited": audited, "missed": missed, "weight": quiet.size / audited}
    facts["least"], _ = clopper_pearson(len(hits), 0, 0.025)
    facts["corrected"], facts["high"], facts["low"] = len(hits) / (len(hits) + rates * quiet.size)
    halves = hits.groupby(hits["day"].gt(30).rename("after training"))
    facts["old and new rows"] = halves["score"].agg(["size", "median"])
    return log, facts | {"who was reviewed": pd.crosstab(log["alarm"], log["reason"].replace("", "not reviewed"))}


def hospital_file(seed):
    """Folds in the order of a file that is sorted by something that goes with the label."""
    rng, ill = np.random.default_rng([2, seed]), np.arange(900) < 300
    table = pd.DataFrame(_values(ill, rng), columns=["pulse", "pressure", "sugar"])
    table["days_in_clinic"] = np.round(np.exp(rng.normal(size=ill.size) * 0.7 + 1.4 * ill), 1)
    table = table.assign(ill=ill).sort_values("days_in_clinic", ascending=False, kind="stable", ignore_index=True)
    table["fold"] = np.repeat([1, 2, 3], 300)
    values, ill = table[["pulse", "pressure", "sugar"]], table["ill"]
    table["score"], shuffled = (
        cross_val_predict(LogisticRegression(), values, ill, cv=folds, method="predict_proba")[:, 1]
        for folds in (KFold(3), StratifiedKFold(3, shuffle=True, random_state=seed))
    )
    folds = table.groupby("fold")
    learned = folds.agg(ill_patients=("ill", "sum"), mean_score=("score", "mean"))
    learned["share_ill_in_training"] = (300 - learned["ill_patients"]) / 600
    facts = {"what each model learned": learned, "shares": learned["share_ill_in_training"]}
    facts["reported"], facts["corrected"] = (metrics.roc_auc_score(ill, each) for each in (table["score"], shuffled))
    within = folds[["ill", "score"]].apply(lambda rows: metrics.roc_auc_score(rows["ill"], rows["score"]))
    facts["folds"] = within.to_frame("AUC within the fold")
    facts["columns"] = values.apply(lambda column: metrics.roc_auc_score(ill, column)).to_frame("AUC alone")
    return table, facts | {"label": table.groupby("ill")["days_in_clinic"].agg(["size", "min", "median", "max"])}


def gifts(seed):
    """Probabilities of a model that learned with balanced weights, added up as if they were shares."""
    rng = np.random.default_rng([3, seed])
    left_before, left = (rng.permutation(6_000) < 240 for _ in range(2))
    training, values = _values(left_before, rng), _values(left, rng)
    model = LogisticRegression(class_weight="balanced").fit(training, left_before)
    score = model.predict_proba(values)[:, 1]
    table = pd.DataFrame({"customer": np.arange(1, 6_001), "score": score.round(4), "left": left})
    facts = {"left_before": left_before.sum(), "reported": score.sum(), "auc": metrics.roc_auc_score(left, score)}
    facts["auc_before"] = metrics.roc_auc_score(left_before, model.decision_function(training))
    facts["corrected"] = calibration.shift_probability(score, 1, 5_760 / 240).sum()
    bins = table.groupby(pd.cut(score, 5), observed=True)
    return table, facts | {"stated and happened": bins[["score", "left"]].mean().assign(customers=bins.size())}


def noon_launch(seed):
    """The area under a precision-recall curve of tied scores, by trapezoids."""
    rng = np.random.default_rng([4, seed])
    fraud, old = data.two_normals(160, 24, separation=1.3, seed=[4, seed])
    is_late = rng.random(fraud.size) < 0.96  # the service reached its time limit, and its default score is 1
    table = pd.DataFrame({"fraud": fraud, "old": old.round(6), "new": np.where(is_late, 1, np.minimum(old, 0.999))})
    table = table.sample(frac=1, random_state=rng, ignore_index=True)  # simulated rows stand by class
    facts, fraud = {"new": table.pop("new")}, table["fraud"]
    for name, score in (("old", table["old"]), ("new", facts["new"])):
        precision, hits, _ = metrics.precision_recall_curve(fraud, score)
        facts[f"area_{name}"] = metrics.auc(hits, precision)
        facts[f"steps_{name}"] = metrics.average_precision_score(fraud, score)
        facts[f"auc_{name}"] = metrics.roc_auc_score(fraud, score)
    return table, facts | {"first points": pd.DataFrame({"recall": hits[:-5:-1], "precision": precision[:-5:-1]})}


def friday_tuner(seed):
    """The place of the largest entry of an array that holds nan."""
    fraud, score = data.two_normals(200, 9, calibration=0.6, seed=[5, seed])
    week = data.two_normals(800, 9, calibration=0.6, seed=[5, seed, 1]).y_score
    grid = np.arange(101) / 100
    flagged, hits = (np.sum(rows[:, None] >= grid, axis=0) for rows in (score, score[fraud]))
    # precision is 0/0 where nothing is flagged, and F1 computed from it is nan as well
    f1 = np.where(flagged == 0, np.nan, 2 * hits / (flagged + fraud.sum()))
    chosen, right = np.argmax(f1), np.nanargmax(f1)
    table = pd.DataFrame({"rows": "validation", "score": score, "fraud": np.where(fraud, "yes", "no")})
    table = pd.concat([table, pd.DataFrame({"rows": "this week", "score": week, "fraud": ""})])
    table = table.sample(frac=1, random_state=seed, ignore_index=True)  # simulated rows stand by class
    facts = {"week": week.size, "threshold": grid[chosen], "right": grid[right], "best": f1[right]}
    facts |= {"alarms": np.sum(week >= grid[chosen]), "would": np.sum(week >= grid[right])}
    log = pd.DataFrame({"threshold": grid, "flagged": flagged, "F1": f1})
    facts["quantiles"] = table.groupby("rows")["score"].quantile([0.1, 0.5, 0.9, 0.99]).unstack()
    return table, facts | {"F1, coarse": log.iloc[10:100:20], "end of the grid": log.iloc[chosen - 2 : chosen + 2]}


def quiet_quarter(seed):
    """As many flags as ever, while a new type is missed and another one flagged for nothing."""
    rng = np.random.default_rng([6, seed])
    frauds, caught, moved = rng.integers(70, 91), rng.uniform(0.76, 0.84), rng.uniform(0.45, 0.55)
    rows, flags = [], round(caught * frauds)
    for week in range(1, 13):
        new = round(np.clip((week - 4) / 4, 0, 1) * moved * frauds)  # frauds of the new type, and as many good payments
        hits, false_alarms = round(caught * (frauds - new)), rng.integers(15, 26)
        rows += [(week, "marketplace", False, True)] * new + [(week, "marketplace", True, False)] * (flags - hits)
        rows += [(week, "marketplace", False, False)] * (new - flags + hits)
        rows += [(week, "retail", True, True)] * hits + [(week, "retail", False, True)] * (frauds - new - hits)
        rows += [(week, "retail", True, False)] * false_alarms
        rows += [(week, "retail", False, False)] * (2_000 - false_alarms - new - frauds)
    log = pd.DataFrame(rows, columns=["week", "shop", "flagged", "fraud"]).sample(frac=1, random_state=rng)
    log = log.sort_values("week", kind="stable", ignore_index=True)
    thirds = log.assign(weeks=np.array(["1-4", "5-8", "9-12"])[(log["week"] - 1) // 4])
    good, bad = (thirds[thirds["fraud"] == fraud].groupby("weeks")["flagged"] for fraud in (False, True))
    facts = {"flags": thirds.groupby("weeks")["flagged"].agg(["size", "sum"]), "frauds": bad.size().to_frame("frauds")}
    facts["flags by shop"] = shops = thirds.pivot_table("flagged", "weeks", "shop", aggfunc="sum", fill_value=0)
    facts |= {"flagged for nothing": good.sum().to_frame("flags"), "recall by month": bad.mean().to_frame("recall")}
    facts["reported"], _, facts["corrected"] = bad.mean()
    return log, facts | {"market": shops["marketplace"].iloc[-1]}


def picture_archive(seed):
    """A count of positives corrected by rates of a test set, in rows of types that the test set lacks."""
    digits = data.digits_three_of_ten(seed=seed)
    test, rows = digits.of(9)
    score, counts = rows.y_score, {threshold: sweep(*test).at(threshold) for threshold in (0.3, 0.5, 0.7)}
    adjusted = {t: score.size * prevalence.adjusted_count(count, np.mean(score >= t)) for t, count in counts.items()}
    reviews = plan(score, 300, threshold=0.5, seed=seed)
    answers = reviews.sheet().assign(answer=np.where(rows.y_true[reviews.rows], "yes", "no"))
    table = pd.DataFrame({"score": score.round(4), "reviewed": "", "inclusion probability": np.nan})
    table.loc[reviews.rows, "reviewed"] = digits.unlabeled_labels[reviews.rows].astype(str)
    table.loc[reviews.rows, "inclusion probability"] = reviews.whole["probability"].to_numpy()
    alarms = table["reviewed"][(table["reviewed"] != "") & (table["score"] >= 0.5)]
    facts = {"rows": score.size, "flagged": np.sum(score >= 0.5), "reported": adjusted[0.5], "reviewed": len(answers)}
    facts |= {"recall": classification.recall(counts[0.5]), "rate": classification.false_positive_rate(counts[0.5])}
    facts |= {"negatives": np.sum(~test.y_true), "most": clopper_pearson(counts[0.5].fp, counts[0.5].tn, 0.025)[1]}
    facts |= {"seen": alarms.size, "nines": np.sum(alarms == "9"), "unseen": np.sum(~alarms.isin(["3", "8", "9"]))}
    facts |= review_report(reviews, answers).iloc[0].rename({"estimate": "corrected"})
    facts["likely"] = score.size * prevalence.likelihood_prevalence(score, test.y_true.mean())
    facts["other thresholds"] = pd.Series(adjusted).rename_axis("threshold").to_frame("adjusted count")
    return table, facts | {"reviewed alarms": alarms.value_counts().rename_axis("digit").to_frame("pictures")}


def winning_detector(seed):
    """The best of many settings, by the F1 that made it the best."""
    positive = np.r_[np.arange(200) < 20, np.arange(2_000) < 200]
    flags = np.random.default_rng([8, seed]).normal(size=(positive.size, 40)) + 2.2 * positive[:, None] >= 1.4
    settings = pd.DataFrame(flags.astype(int), columns=[f"s{number:02d}" for number in range(1, 41)])
    table = pd.DataFrame({"rows": np.repeat(["tuning", "later"], [200, 2_000]), "positive": positive}).join(settings)
    parts = table.groupby("rows", sort=False)
    f1 = pd.DataFrame(index=settings.columns)
    for part, rows in parts:
        f1[part] = metrics.f1_score(np.tile(rows[["positive"]], 40), rows[settings.columns], average=None)
    best, five = f1["tuning"].idxmax(), f1.loc[f1["tuning"].nlargest(5).index]
    facts = {"best": best, "reported": f1["tuning"][best], "corrected": f1["later"][best]}
    facts |= {"typical": f1["tuning"].median(), "later": f1["later"].median(), "five": five["later"].mean()}
    facts |= {"classes": parts["positive"].agg(["size", "sum", "mean"]), "flags of the winner": parts[[best]].mean()}
    return table, facts | {"the five best": five, "all forty": f1.agg(["min", "median", "max"])}


def support_desk(seed):
    """A pass rate that rises with the share of easy questions, while that of each topic stays."""
    rng, week = np.random.default_rng([9, seed]), np.repeat(np.arange(1, 9), 2_000)
    is_new, topics = week > 4, np.array(["password", "invoice", "contract"])
    bounds = np.where(is_new[:, None], [0.6, 0.85], [0.2, 0.7])
    topic = np.sum(rng.random((week.size, 1)) >= bounds, axis=1)
    log = pd.DataFrame({"week": week, "prompt": np.where(is_new, "new", "old"), "topic": topics[topic]})
    log["words"] = np.round(np.exp(rng.normal(4.4, 0.35, week.size)))
    log["passed"] = rng.random(week.size) < np.array([0.9, 0.65, 0.5])[topic]
    rates = log.pivot_table("passed", "topic", "prompt", sort=False)
    mix, stored = log["topic"][~is_new].value_counts(normalize=True), rng.random(500) < 0.7
    facts = {"topics": rates, "corrected": (mix * rates["new"]).sum(), "fixed_before": stored.mean()}
    facts["fixed_after"] = np.mean(stored ^ (rng.random(500) < 0.03))
    return log, facts | {"lengths": log.groupby("prompt", sort=False)["words"].quantile([0.25, 0.5, 0.75]).unstack()}


def side_by_side(seed):
    """A win rate that comes from the order in which a judge reads two answers."""
    rng, pairs, bias = np.random.default_rng([10, seed]), 1_200, 0.8
    # log-odds of the new answer, as often below 0 as above; the first answer has a bonus
    better = 0.8 * rng.permutation(stats.norm.ppf((np.arange(pairs) + 0.5) / pairs))
    first, second = (rng.random(pairs) < special.expit(better + bonus) for bonus in (bias, -bias))
    table = pd.DataFrame({"first": "new", "second": "old"}, index=range(pairs))
    table[["words_new", "words_old"]] = np.round(np.exp(rng.normal(4.8, 0.3, (pairs, 2))))
    table["judge"] = np.where(first, "new", "old")
    table["person"] = np.where(np.arange(pairs) >= 400, "", np.where(better > 0, "new", "old"))
    longer = np.where(table["words_new"] > table["words_old"], "new is longer", "old is as long or longer")
    facts = {"reported": first.mean(), "swapped": second.mean(), "same": np.sum(rng.random(300) < special.expit(bias))}
    return table, facts | {"lengths": pd.Series(first).groupby(longer).agg(["size", "mean"])}


def _values(positive, rng):
    """Three columns, two of which know something of the class."""
    return rng.normal(size=(positive.size, 3)) + np.outer(positive, [0.9, 0.7, 0])
