"""Debug rooms: the evidence separates the causes, a correction restores the truth, the texts fit. Design cases."""

import re
from functools import cache

import lessons
import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn import metrics
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold, cross_val_predict

from evalteach import DebugRoom, cases, data, design_case, rooms
from evalteach.interview import scenes
from evalteach.interview.bank import NUMBER, pages, written

PLAYED = [(name, seed) for name in rooms() for seed in range(1 if name == "picture-archive" else 2)]
PLAYED += [("fraud-dashboard", 168), ("fraud-dashboard", 186)]  # the audits that are furthest off
each_room = pytest.mark.parametrize("name", rooms())
each_play = pytest.mark.parametrize(("name", "seed"), PLAYED)
each_case = pytest.mark.parametrize("name", cases())
ROOMS, CASES = pages("rooms.md"), pages("cases.md")
DIGITS = re.compile(r"(?<![\w.,])[\d.,]*\d(?!\w)")


@cache
def scene(name, seed):
    """The rows and the facts of a room, with the rows among them, as its texts have them."""
    rows, facts = getattr(scenes, name.replace("-", "_"))(seed)
    return rows, facts | {"data": rows}


def words(texts):
    """All words of a page, one below the other."""
    return "\n".join(line for text in texts.values() for line in ([text] if isinstance(text, str) else text))


# --- the same numbers by other means, from the rows alone ---


def hospital(seed, *columns, flipped=()):
    """The rows of the hospital, cross-validated with these columns, and with the labels of some folds reversed."""
    rows = scene("hospital-file", seed)[0].copy()
    rows["ill"] ^= rows["fold"].isin(flipped)
    values = rows[["pulse", "pressure", "sugar", *columns]]
    score = cross_val_predict(LogisticRegression(), values, rows["ill"], cv=KFold(3), method="predict_proba")[:, 1]
    return rows.assign(score=score)


def tuned(rows):
    """The thresholds of the room, from F1 at each step, nan where nothing is flagged."""
    validation, f1 = rows[rows["rows"] == "validation"], []
    for threshold in np.arange(101) / 100:
        flagged = validation[validation["score"] >= threshold]
        f1.append(2 * (flagged["fraud"] == "yes").sum() / (len(flagged) + 200) if len(flagged) else np.nan)
    threshold, week = np.argmax(f1) / 100, rows[rows["rows"] == "this week"]
    alarms = (week["score"] >= threshold).sum()
    return {"threshold": threshold, "right": np.nanargmax(f1) / 100, "best": np.nanmax(f1), "alarms": alarms}


def best_of_forty(rows):
    flags, positive = rows.iloc[:, 2:].to_numpy(bool), rows[["positive"]].to_numpy()
    halves = [(flags[part], positive[part]) for part in (rows["rows"] == "tuning", rows["rows"] == "later")]
    tuning, later = (2 * (flag & label).sum(axis=0) / (flag.sum(axis=0) + label.sum()) for flag, label in halves)
    best = tuning.argmax()
    return {"reported": tuning[best], "corrected": later[best], "typical": np.median(tuning), "later": np.median(later)}


def auc_of(rows, label, score="score"):
    return metrics.roc_auc_score(rows[label], rows[score])


def balanced(rows):
    odds = rows["score"] / (1 - rows["score"]) * 240 / 5_760
    return (odds / (1 + odds)).sum()


def audited(rows):
    hits, missed = (((rows["verdict"] == "fraud") & (rows["reason"] == why)).sum() for why in ("its alarm", "audit"))
    return hits / (hits + missed * (~rows["alarm"]).sum() / 4_000)


def at_the_old_mix(rows):
    """The pass rate of the new prompt, with each topic as often as before."""
    old, new = (rows[rows["prompt"] == prompt] for prompt in ("old", "new"))
    return sum(
        (old["topic"] == topic).mean() * new[new["topic"] == topic]["passed"].mean() for topic in set(new["topic"])
    )


# room: facts that are computed from its rows in another way, with a tolerance for columns that are rounded
BY_HAND = {
    "fraud-dashboard": lambda rows, f: ({"corrected": audited(rows)}, 1e-9),
    "gifts": lambda rows, f: ({"reported": rows["score"].sum(), "corrected": balanced(rows)}, 0.5),
    "friday-tuner": lambda rows, f: (tuned(rows), 1e-9),
    "picture-archive": lambda rows, f: (
        {
            "corrected": (1 / rows["inclusion probability"])[rows["reviewed"] == "9"].sum(),
            "reported": len(rows) * (f["flagged"] / len(rows) - f["rate"]) / (f["recall"] - f["rate"]),
        },
        1e-9,
    ),
    "winning-detector": lambda rows, f: (best_of_forty(rows), 1e-9),
    "support-desk": lambda rows, f: ({"corrected": at_the_old_mix(rows)}, 1e-9),
    "side-by-side": lambda rows, f: ({"reported": (rows["judge"] == "new").mean()}, 1e-9),
}
# room: the reported number, the corrected one, the truth of the simulation, and how far chance moves the corrected one
TRUTH = {
    "fraud-dashboard": lambda f: (1, f["corrected"], 0.562, 0.18),
    "hospital-file": lambda f: (f["reported"], f["corrected"], 0.794, 0.06),
    "gifts": lambda f: (f["reported"], f["corrected"], 240, 40),
    "noon-launch": lambda f: (f["area_new"], f["steps_new"], 0.04, 0.01),
    "quiet-quarter": lambda f: (f["reported"], f["corrected"], 0.4, 0.08),
    "picture-archive": lambda f: (f["reported"], f["corrected"], 90, 55),
    "winning-detector": lambda f: (f["reported"], f["corrected"], 0.6268, 0.08),
    "support-desk": lambda f: (passed(f, "new"), f["corrected"], 0.655, 0.04),
    "side-by-side": lambda f: (f["reported"], (f["reported"] + f["swapped"]) / 2, 0.5, 0.06),
}


@each_play
def test_the_facts_follow_from_the_rows_and_the_correction_restores_the_truth(name, seed):
    rows, facts = scene(name, seed)
    if name in BY_HAND:
        expected, tolerance = BY_HAND[name](rows, facts)
        assert {fact: facts[fact] for fact in expected} == pytest.approx(expected, abs=tolerance)
    if name in TRUTH:
        reported, corrected, truth, chance = TRUTH[name](facts)
        assert abs(corrected - truth) < chance < abs(reported - truth)


def test_the_interval_of_the_audit_is_that_of_frauds_among_audited_rows():
    _, facts = scene("fraud-dashboard", 0)
    most, least = stats.beta.ppf([0.975, 0.025], [facts["missed"] + 1, facts["missed"]], [3_952, 3_953])
    ends = [facts["frauds"] / (facts["frauds"] + 4_000 * facts["weight"] * rate) for rate in (most, least)]
    assert [facts["low"], facts["high"]] == pytest.approx(ends)


# --- the evidence ---


# the fall of recall, as a share, that chance alone exceeds in 1 of 100 quarters with as few frauds
BY_CHANCE = 2.3 * (2 * 0.2 / 0.8 / 280) ** 0.5


def without_signal(positive, rng):
    return rng.normal(size=(positive.size, 3))


def with_many_columns(positive, rng):
    return np.hstack([without_signal(positive, rng) + np.outer(positive, [0.9, 0.7, 0]), rng.normal(size=(6_000, 300))])


def elsewhere(name, seed, **ingredients):
    """The facts of a room if some ingredients of its simulation were others."""
    with pytest.MonkeyPatch.context() as patch:
        for ingredient, other in ingredients.items():
            patch.setattr(scenes, ingredient, other)
        return getattr(scenes, name.replace("-", "_"))(seed)[1]


def noise(name, seed):
    return elsewhere(name, seed, _values=without_signal)


def leaked(seed):
    return 1 - auc_of(hospital(seed, "days_in_clinic"), "ill")


def second_column(facts):
    return sorted(facts["columns"]["AUC alone"])[1]


def gain(facts):
    return facts["auc"] - facts["auc_before"]


def within_reversed(seed):
    rows = hospital(seed, flipped=[1])
    return min(auc_of(rows[rows["fold"] == fold], "ill") for fold in (1, 2))


def against_better(seed):
    """The ROC-AUC of the old model minus that of a model that ranks better."""
    return scene("noon-launch", seed)[1]["auc_old"] - metrics.roc_auc_score(*data.two_normals(160, 24, seed=[4, seed]))


def high(rows, part):
    """The share of scores at or above 0.5."""
    return (rows["score"][rows["rows"] == part] >= 0.5).mean()


def this_week(seed, n_frauds=800, stretch=1.0):
    """The 90% quantile and the share at or above 0.5, as shares of those in validation, in another week."""
    scores = stretch * data.two_normals(n_frauds, 8_000 / n_frauds - 1, calibration=0.6, seed=[5, seed, 1]).y_score
    rows, facts = scene("friday-tuner", seed)
    quantile = np.quantile(scores, 0.9) / facts["quantiles"][0.9]["validation"]
    return quantile, np.mean(scores >= 0.5) / high(rows, "validation")


def change(card, column):
    """How much a column of a card grows from its first to its last line, as a share of the first."""
    return lambda facts: facts[card][column].iloc[-1] / facts[card][column].iloc[0] - 1


def drop(facts):
    return facts["later"] - facts["typical"]


def drop_of(seed, *separations):
    """The median F1 later minus that in tuning, with these separations of the classes in tuning and later."""
    rng, medians = np.random.default_rng([8, seed]), []
    for size, separation in zip((200, 2_000), separations, strict=True):
        label = np.arange(size) < size / 10
        flags = rng.normal(size=(size, 40)) + separation * label[:, None] >= 1.4
        medians.append(np.median(metrics.f1_score(np.tile(label[:, None], 40), flags, average=None)))
    return medians[1] - medians[0]


def closed_archive(seed):
    """The smallest adjusted count of the three, over the truth, in an archive of threes, eights and nines alone."""
    digits = data.digits_three_of_ten(seed=seed)
    test, rows = digits.of(9)
    score = rows.y_score[np.isin(digits.unlabeled_labels, [3, 8, 9])]
    counts = {at: scenes.sweep(*test).at(at) for at in (0.3, 0.5, 0.7)}
    shares = [scenes.prevalence.adjusted_count(counts[at], np.mean(score >= at)) for at in counts]
    return score.size * min(shares) / rows.y_true.sum()


def largest_count_by_chance(facts):
    count = (facts["flagged"] - facts["rows"] * facts["most"]) / (facts["recall"] - facts["most"])
    return count / facts["high"]


def lowest_count(facts):
    return facts["other thresholds"]["adjusted count"].min() / facts["corrected"]


def passed(facts, prompt):
    rows = facts["data"]
    return rows["passed"][rows["prompt"] == prompt].mean()


def rise(facts):
    return passed(facts, "new") - passed(facts, "old")


def liked(rows):
    return (rows["person"][rows["person"] != ""] == "new").mean()


def win_rate(seed):
    return scene("side-by-side", seed)[1]["reported"]


# what the evidence says against each wrong cause: its card, a number, the limits of that number, and the same number if
# that cause were the right one (None where the card excludes the cause by itself)
AGAINST = {
    ("fraud-dashboard", 1): ("interval", lambda f: f["least"], (0.97, 1), lambda seed: stats.beta.ppf(0.025, 8, 1)),
    ("fraud-dashboard", 2): ("who was reviewed", lambda f: f["data"]["alarm"].mean(), (0, 0.06), None),
    ("fraud-dashboard", 3): ("old and new rows", change("old and new rows", "median"), (-0.2, 0.2), None),
    ("hospital-file", 1): ("columns", second_column, (0.62, 1), lambda s: second_column(noise("hospital-file", s))),
    ("hospital-file", 2): ("shuffled", lambda f: f["corrected"] - f["reported"], (0.15, 1), leaked),
    ("hospital-file", 3): ("folds", lambda f: f["folds"].iloc[:2, 0].min(), (0.65, 1), within_reversed),
    ("gifts", 1): ("classes", lambda f: f["data"]["left"].sum() / f["left_before"], (0.9, 1.1), None),
    ("gifts", 2): ("ranking", gain, (-0.08, 1), lambda s: gain(elsewhere("gifts", s, _values=with_many_columns))),
    ("gifts", 3): ("ranking", lambda f: f["auc"], (0.7, 1), lambda s: noise("gifts", s)["auc"]),
    ("noon-launch", 1): ("pairs", lambda f: f["auc_old"] - f["auc_new"], (0.2, 1), against_better),
    ("noon-launch", 2): ("share of fraud", lambda f: f["data"]["fraud"].mean(), (0.039, 0.041), None),
    ("noon-launch", 3): ("first points", lambda f: f["first points"]["precision"][1], (0.03, 0.05), None),
    ("friday-tuner", 1): (
        "quantiles",
        change("quantiles", 0.9),
        (-0.2, 0.2),
        lambda s: this_week(s, stretch=0.5)[0] - 1,
    ),
    ("friday-tuner", 2): (
        "flags at .5",
        lambda f: high(f["data"], "this week") / high(f["data"], "validation"),
        (0.6, 1.6),
        lambda s: this_week(s, 8)[1],
    ),
    ("friday-tuner", 3): ("F1, coarse", change("F1, coarse", "F1"), (-1.01, -0.1), None),
    ("quiet-quarter", 1): ("recall by month", change("recall by month", "recall"), (-1, -0.2), lambda s: -BY_CHANCE),
    ("quiet-quarter", 2): ("frauds", change("frauds", "frauds"), (-0.01, 0.01), None),
    ("quiet-quarter", 3): ("flagged for nothing", change("flagged for nothing", "flags"), (0.5, 9), None),
    ("picture-archive", 1): ("other thresholds", lowest_count, (1.5, 99), closed_archive),
    ("picture-archive", 2): ("test set", largest_count_by_chance, (1.3, 99), None),
    ("picture-archive", 3): ("reviews", lambda f: f["reported"] / f["high"], (1.5, 99), None),
    ("winning-detector", 1): ("all forty", drop, (-0.06, 1), lambda seed: drop_of(seed, 2.2, 1.6)),
    ("winning-detector", 2): ("classes", change("classes", "mean"), (-0.01, 0.01), None),
    ("winning-detector", 3): ("all forty", drop, (-0.06, 1), lambda seed: drop_of(seed, 3.3, 2.2)),
    ("support-desk", 1): (
        "topics",
        lambda f: (f["topics"]["new"] - f["topics"]["old"]).max(),
        (-0.2, 0.08),
        lambda s: rise(scene("support-desk", s)[1]),
    ),
    ("support-desk", 2): (
        "fixed set",
        lambda f: f["fixed_after"] - f["fixed_before"],
        (-0.06, 0.06),
        lambda s: rise(scene("support-desk", s)[1]),
    ),
    ("support-desk", 3): ("lengths", change("lengths", 0.5), (-0.05, 0.05), None),
    ("side-by-side", 1): ("lengths", lambda f: f["lengths"]["mean"].min(), (0.57, 1), None),
    ("side-by-side", 2): ("swapped", lambda f: f["swapped"], (0, 0.45), lambda s: win_rate(s)),
    ("side-by-side", 3): ("people", lambda f: liked(f["data"]), (0.41, 0.59), lambda s: win_rate(s)),
}
# what the evidence says for the right one, or what the debriefing says that a reader can see without evidence
FOR = {
    "fraud-dashboard": lambda rows, f: (
        f["who was reviewed"].loc[True, ["audit", "not reviewed"]].sum() == 0
        and rows[(rows["reason"] == "audit") & (rows["verdict"] == "fraud")]["day"].gt(30).nunique() == 2
    ),
    "hospital-file": lambda rows, f: (
        f["what each model learned"]["share_ill_in_training"].is_monotonic_increasing
        and f["what each model learned"]["ill_patients"].is_monotonic_decreasing
        and rows.groupby("fold")["ill"].mean().idxmax() == rows.groupby("fold")["score"].mean().idxmin() == 1
    ),
    "gifts": lambda rows, f: (
        all(f["stated and happened"]["score"] > 1.5 * f["stated and happened"]["left"]) and auc_of(rows, "left") > 0.7
    ),
    "noon-launch": lambda rows, f: (
        f["new"].value_counts().max() > 3_700
        and f["steps_new"] < 0.05 < f["area_new"]
        and abs(f["area_new"] - (1 + rows["fraud"].mean()) / 2) < 0.05
        and abs(f["area_old"] - f["steps_old"]) < 0.01
    ),
    "friday-tuner": lambda rows, f: (
        f["end of the grid"]["F1"].isna().tolist()[:3] == [False, False, True]
        and f["end of the grid"]["flagged"].iloc[2] == 0
        and rows[rows["fraud"] != ""]["score"].max() < f["threshold"]
    ),
    "quiet-quarter": lambda rows, f: (
        f["flags by shop"]["marketplace"].is_monotonic_increasing
        and f["flags by shop"]["retail"].diff(2).iloc[-1] < 0
        and abs(f["flags"]["sum"].pct_change(2).iloc[-1]) < 0.15
        and not rows[(rows["shop"] == "marketplace") & rows["flagged"]]["fraud"].any()
    ),
    "picture-archive": lambda rows, f: (
        f["reviewed alarms"].drop(["3", "8", "9"], errors="ignore")["pictures"].sum() == f["unseen"] > 40
        and rows[rows["score"] >= 0.7]["reviewed"].isin(list("0124567")).sum() >= 15
    ),
    "winning-detector": lambda rows, f: (
        all(f["the five best"]["tuning"] > f["typical"])
        and abs(f["five"] - f["later"]) < 0.03
        and f["reported"] > f["corrected"]
    ),
    "support-desk": lambda rows, f: (
        rise(f) > 0.08
        and (rows["topic"] == "password").groupby(rows["prompt"]).mean()["new"] > 0.5
        and abs(rows.groupby("prompt")["words"].median().pct_change().iloc[-1]) < 0.05
    ),
    "side-by-side": lambda rows, f: set(rows["first"]) == {"new"} and f["same"] > 0.57 * 300,
}


@each_play
def test_the_evidence_refutes_every_wrong_cause_and_speaks_for_the_right_one(name, seed):
    rows, facts = scene(name, seed)
    for place in (1, 2, 3):  # the first cause of the file is the right one
        card, number, (low, high), other = AGAINST[name, place]
        assert low < number(facts) < high, card
        assert other is None or not low < other(seed) < high, card
        assert f"`{card}`" in ROOMS[name].fields["Causes"][place].partition(" — Tempting, ")[2]
    assert FOR[name](rows, facts)
    assert "Without cards, " in ROOMS[name].fields["Debrief"]


def test_two_causes_of_the_gifts_are_alike_in_the_data_and_the_debriefing_names_what_separates_them():
    rows, _ = scene("gifts", 0)
    # a model without weights that was trained where half of the customers left would predict the same scores
    fit = LogisticRegression().fit(np.log(rows[["score"]] / (1 - rows[["score"]])), rows["left"])
    assert fit.intercept_[0] == pytest.approx(np.log(240 / 5_760), abs=0.2)
    assert fit.coef_[0, 0] == pytest.approx(1, abs=0.2)
    assert "only `classes` or the `training call` separates them" in ROOMS["gifts"].fields["Debrief"]


def test_the_free_rows_of_the_launch_say_nothing_of_the_new_scores_which_a_good_ranking_could_explain():
    rows, facts = scene("noon-launch", 0)
    assert list(rows) == ["fraud", "old"]
    better = data.two_normals(160, 24, separation=1.9, seed=0)
    precision, hits, _ = metrics.precision_recall_curve(*better)
    assert metrics.auc(hits, precision) == pytest.approx(facts["area_new"], abs=0.05)


# --- the words ---


@pytest.mark.parametrize("field", ["Causes", "Actions"])
def test_the_right_option_is_the_longest_or_the_shortest_no_more_often_than_by_chance(field):
    lengths = {}
    for name, room in ROOMS.items():
        options = [option.partition(" — ")[0] for option in room.fields[field]]
        lengths[name] = [len(option) for option in options]
        assert max(lengths[name]) <= 1.5 * min(lengths[name]), f"{name}: all are equally specific"
        assert all(re.fullmatch(r"[A-Z][^{}]+\.", option) for option in options), f"{name}: one sentence each"
    assert sum(sizes[0] == max(sizes) for sizes in lengths.values()) in (2, 3)
    assert sum(sizes[0] == min(sizes) for sizes in lengths.values()) in (2, 3)


@each_room
def test_a_room_has_all_that_it_needs_and_the_numbers_of_its_seed(name):
    page, texts = ROOMS[name], [words(DebugRoom(name, seed).texts) for seed in (0, 1)]
    assert list(page.fields) == ["Symptom", "Cards", "Causes", "Actions", "Debrief"]
    assert (len(page.fields["Causes"]), len(page.fields["Actions"])) == (4, 3)
    assert all(" — " in line for line in page.fields["Causes"] + page.fields["Actions"])
    assert page.fields["Causes"][0].partition(" — ")[2].startswith("Right: ")
    assert len(page.fields["Symptom"].split()) <= 110
    assert texts[0] != texts[1]
    assert not re.search(r"\{\{|\}\}|\b(?:cause|action|option|answer) [A-D]\b", "".join(texts), re.IGNORECASE)
    assert lessons.broken(f"{page.notebook}.ipynb#{lessons.anchor(page.section)}", "") == ""


@each_room
def test_every_seed_has_the_prices_of_the_page_and_every_letter_is_right_now_and_then(name, monkeypatch):
    played = scene(name, 0)
    monkeypatch.setattr(scenes, name.replace("-", "_"), lambda _: played)
    printed = dict(re.findall(r"^- `(.+?)` \((\d)\): ", ROOMS[name].page, re.MULTILINE))
    letters = {"Causes": set(), "Actions": set()}
    for seed in range(200):
        room = DebugRoom(name, seed)
        for heading, options in room.options.items():
            assert sorted(options.values()) == sorted(room.texts[heading])
            letters[heading] |= {letter for letter, option in options.items() if option == room.texts[heading][0]}
    assert letters == {"Causes": set("ABCD"), "Actions": set("ABC")}
    for card, price in printed.items():
        before = room.price
        assert len(room.buy(card).data if hasattr(room.buy(card), "data") else room.buy(card)) > 0
        assert room.price - before == int(price)
    assert 3 <= len(printed) <= 5
    assert 5 <= room.price <= 10


# --- how a room is played ---


def letter(room, heading, right):
    """That of the right option, or of one that is wrong."""
    return next(name for name, option in room.options[heading].items() if (option == room.texts[heading][0]) == right)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"name": "cellar"}, "name must be one of 'fraud-dashboard', .* got 'cellar'"),
        ({"name": "gifts", "seed": -1}, "seed must be a whole number from 0 to 1000000000, got -1"),
        ({"name": "gifts", "seed": 0.5}, "seed must be a whole number from 0 to 1000000000, got 0.5"),
    ],
)
def test_a_room_that_does_not_exist_is_refused(given, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        DebugRoom(**given)


def test_a_room_shows_its_symptom_then_the_actions_then_what_was_right(capsys):
    room = DebugRoom("fraud-dashboard")
    first = repr(room)
    assert "recall of 1.000" in first
    assert "`audit` (3): what the reviewers found among payments without an alarm\n" in first
    assert "48 are frauds" not in first + first.replace(" — ", "Tempting")
    assert "Tempting" not in first
    action = room.options["Actions"]["A"].partition(" — ")[0]
    assert action not in first
    assert "Of 4,000 payments without an alarm" in room.buy("audit").data
    room.buy("audit")
    assert isinstance(room.buy("who was reviewed"), pd.DataFrame)
    assert (room.bought, room.price) == (["audit", "who was reviewed"], 5)
    assert capsys.readouterr().out.endswith("who was reviewed costs 2. In total, you have spent 5 of 10 points.\n")
    for refused, message in (
        (lambda: room.buy("gold"), "evidence must be"),
        (lambda: room.choose("E"), "letter must be"),
    ):
        with pytest.raises(ValueError, match=message):
            refused()
    assert action in repr(room.choose(letter(room, "Causes", True)))
    with pytest.raises(ValueError, match="no longer for sale"):
        room.buy("interval")
    last = repr(room.choose(letter(room, "Actions", False)))
    assert "You have 1 of 10 points. Your cause is right, your action is not right, and your evidence cost 5." in last
    assert last == repr(room.choose("A")) == room._repr_markdown_()
    assert [last.count(mark) for mark in ("**(right, yours)**", "**(right)**", "**(yours)**")] == [1, 1, 1]
    heading = "4. Recall needs the right positives"
    assert last.rstrip().endswith(f"[11: {heading}](11_recall_travels.ipynb#{heading.replace(' ', '-')})")


@pytest.mark.parametrize(
    ("cause", "action", "bought", "points"),
    [
        (True, True, [], 10),
        (True, True, ["who was reviewed"], 8),
        (True, False, ["audit"], 3),
        (False, True, ["audit"], 1),
        (False, False, ["audit"], 0),
    ],
)
def test_six_points_for_the_cause_four_for_the_action_minus_the_price_of_the_evidence(cause, action, bought, points):
    room = DebugRoom("fraud-dashboard")
    for card in bought:
        room.buy(card)
    room.choose(letter(room, "Causes", cause)).choose(letter(room, "Actions", action))
    assert room.points == points


def test_the_data_are_the_readers_own_and_the_same_at_every_call():
    room = DebugRoom("noon-launch")
    room.data["new"] = 0
    assert DebugRoom("noon-launch").data.equals(scene("noon-launch", 0)[0])


# --- design cases ---


def test_there_are_ten_rooms_and_six_cases():
    assert len(rooms()) == 10
    assert cases() == ["fraud", "screening", "search", "two-tower", "matching", "assistant"]
    with pytest.raises(ValueError, match=r"^name must be one of 'fraud', .* got 'chess'"):
        design_case("chess")


@each_case
def test_a_case_has_all_that_it_needs_and_the_numbers_that_come_out(name):
    page, case = CASES[name], design_case(name)
    lists = ["If asked", "Checklist", "After the twist", "Numbers", "Points", "Red flags"]
    assert [field for field, text in page.fields.items() if isinstance(text, list)] == lists
    assert {"Prompt", "Twist", "Answer", "Junior", "Mid", "Senior"} == set(page.fields) - set(lists)
    assert lessons.broken(f"{page.notebook}.ipynb#{lessons.anchor(page.section)}", "") == ""
    ends = [re.match(r"Minutes (\d+)–(\d+): ", line).groups() for line in page.fields["Checklist"]]
    assert [start for start, _ in ends[1:]] == [end for _, end in ends[:-1]]
    assert (ends[0][0], ends[-1][1]) == ("0", str(page.minutes)) == ("0", "15")
    assert "Minutes 7–10: the twist." in page.fields["Checklist"]
    assert 3 <= len(page.fields["Points"]) <= 5
    text = words({field: text for field, text in case.texts.items() if field != "Numbers"})
    for line in page.fields["Numbers"]:
        number, _, _, form = NUMBER.fullmatch(line).groups()
        if ": " in line.rpartition("`")[2]:
            assert written(case.values[number], form) in DIGITS.findall(text), number


@each_case
def test_the_twist_is_told_nowhere_before(name):
    case = design_case(name)
    before = case.texts["Prompt"] + words({"If asked": case.texts["If asked"]})
    news = {"fraud": "merchant", "screening": "camera", "search": "18%", "two-tower": "two weeks", "matching": "bought"}
    news |= {"assistant": "provider"}
    assert not [each for each in re.split(r"(?<=[.:?]) ", case.texts["Twist"]) if each in before]
    assert news[name] in case.texts["Twist"]
    assert news[name] not in before


def test_the_numbers_of_the_cases_by_hand():
    fraud, screening, search, tower, matching, assistant = map(design_case, cases())
    assert fraud.answer == pytest.approx(220 / 999_900)
    unseen = [(1 - fraud.answer) ** (fraud.values["negatives"] - more) for more in (0, 1)]
    assert unseen[0] <= 0.05 < unseen[1]
    assert fraud.values["flags"] == 80 + 0.8 * 220 + 0.2 * 2_200
    assert screening.answer == pytest.approx(0.9 / 200 / (0.9 / 200 + 0.05 * 199 / 200))
    assert screening.values["ppv_there"] == pytest.approx(0.9 * 0.03 / (0.9 * 0.03 + 0.15 * 0.97))
    assert screening.values["npv"] == pytest.approx(0.95 * 199 / (0.95 * 199 + 0.1))
    assert 1.96 * (0.09 / screening.values["cases_needed"]) ** 0.5 <= 0.05
    shift = 0.01 / (0.2 / search.answer**0.5)
    assert stats.norm.sf(stats.norm.isf(0.025) - shift) == pytest.approx(0.8, abs=1e-3)
    assert tower.answer == pytest.approx(0.57)
    assert tower.values["gigabytes"] == np.zeros((1, 128), dtype=np.float32).nbytes * 1e7 / 1e9
    caught = 0.9 * 0.95 * 3e6
    assert caught / (caught + matching.answer * (1e9 - 0.95 * 3e6)) == pytest.approx(0.95)
    for share, (rate, specificity) in {"good": (0.85, 0.8), "carried": (0.86, 0.8), "fair": (0.86, 0.5)}.items():
        value = assistant.values[share]
        assert value * 0.9 + (1 - value) * (1 - specificity) == pytest.approx(rate), share
    assert assistant.values["half"] == pytest.approx(0.176, abs=1e-3)
    assert assistant.values["labels"] == pytest.approx(0.08, abs=1e-3)
