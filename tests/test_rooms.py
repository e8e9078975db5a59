"""Debug rooms: the evidence decides, a correction restores the truth, the texts fit; each button. Design cases."""

import re

import lessons
import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn import metrics
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_predict

import evalteach
from evalteach import DebugRoom, DesignCase, cases, rooms
from evalteach.interview import debug_room, record
from evalteach.interview.bank import pages, written
from evalteach.interview.debug_room import _scene
from evalteach.interview.scenes import AUDITED, SCENES
from evalteach.interview.screen import filled, plain

PLAYED = [(name, seed) for name in SCENES for seed in range(2 if name == "picture-archive" else 3)]
each_room = pytest.mark.parametrize("name", SCENES)
each_play = pytest.mark.parametrize(("name", "seed"), PLAYED)
each_case = pytest.mark.parametrize("name", cases())
ROOMS, CASES = ({page.name: page for page in pages(file)} for file in ("rooms.md", "cases.md"))
NUMBER = re.compile(r"(?<![\w.,])[\d.,]*\d(?!\w)")


@pytest.fixture(autouse=True)
def own_folder(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)


def words(fields):
    """All of a page's words, one below the other."""
    return "\n".join(each for field in fields.values() for each in ([field] if isinstance(field, str) else field))


# --- the same numbers by other means, from the data alone ---


def by_hand_reviewed(data):
    alarms = data[data["reason"] == "its alarm"]
    hits = ((data["verdict"] == "fraud") & data["alarm"]).sum()
    found = ((data["verdict"] == "fraud") & (data["reason"] == "audit")).sum()
    return alarms["alarm"].mean(), hits / (hits + found * (~data["alarm"]).sum() / AUDITED)


def by_hand_order(data, seed):
    values, ill = data[["pulse", "pressure", "sugar"]], data["ill"]

    def area(folds):
        scores = cross_val_predict(LogisticRegression(), values, ill, cv=folds, method="predict_proba")
        return metrics.roc_auc_score(ill, scores[:, 1])

    return area(KFold(3)), area(StratifiedKFold(3, shuffle=True, random_state=seed))


def by_hand_weights(data):
    odds = data["score"] / (1 - data["score"]) * 240 / 5_760
    return data["score"].sum(), (odds / (1 + odds)).sum()


def by_hand_ties(data):
    precision, recall, _ = metrics.precision_recall_curve(data["fraud"], data["new"])
    area = np.sum(-np.diff(recall) * (precision[1:] + precision[:-1]) / 2)
    return area, metrics.average_precision_score(data["fraud"], data["new"])


def by_hand_argmax(data, week):
    old = data[data["rows"] == "validation"]
    found = []
    for threshold in np.arange(101) / 100:
        flagged = old["score"] >= threshold
        real = (old["fraud"] == "yes")[flagged].sum()
        found.append(2 * real / (flagged.sum() + 200) if flagged.any() else np.nan)
    new = data.loc[data["rows"] == "this week", "score"]
    return [metrics.f1_score(week, new >= find(found) / 100) for find in (np.argmax, np.nanargmax)]


def by_hand_flags(data):
    fraud = data[data["fraud"]]
    return fraud[fraud["week"] <= 4]["flagged"].mean(), fraud[fraud["week"] > 8]["flagged"].mean()


def by_hand_kinds(data, rates):
    recall, rate = rates
    share = (np.mean(data["score"] >= 0.5) - rate) / (recall - rate)
    return len(data) * share, ((data["reviewed"] == "9") / data["inclusion probability"]).sum()


def by_hand_forty(data):
    flags, positive = data.iloc[:, 2:].to_numpy(bool), data[["positive"]].to_numpy()
    halves = [(flags[rows], positive[rows]) for rows in (data["rows"] == "tuning", data["rows"] == "later")]
    tuning, later = (2 * (f & p).sum(axis=0) / (f.sum(axis=0) + p.sum()) for f, p in halves)
    return tuning.max(), later[tuning.argmax()]


def by_hand(name, seed):
    scene = _scene(name, seed)
    data = scene.data
    if name == "friday-tuner":
        from evalteach.data import two_normals
        from evalteach.interview.scenes import _shuffled

        rng = np.random.default_rng([5, seed])
        _shuffled(two_normals(200, 9, calibration=0.6, seed=[5, seed]), rng)
        return by_hand_argmax(data, _shuffled(two_normals(800, 9, calibration=0.6, seed=[5, seed, 1]), rng).y_true)
    return {
        "fraud-dashboard": by_hand_reviewed,
        "hospital-file": lambda data: by_hand_order(data, seed),
        "gifts": by_hand_weights,
        "noon-launch": by_hand_ties,
        "quiet-quarter": by_hand_flags,
        "picture-archive": lambda data: by_hand_kinds(data, scene.cards["test set"].iloc[0]),
        "winning-detector": by_hand_forty,
    }[name](data)


# columns of the data are rounded
ROUNDED = {"hospital-file": 0.002, "gifts": 0.5, "noon-launch": 1e-9}


@each_play
def test_reported_and_corrected_follow_from_the_data_that_the_reader_has(name, seed):
    scene = _scene(name, seed)
    reported, corrected = by_hand(name, seed)
    assert scene.reported == pytest.approx(reported, abs=ROUNDED.get(name, 1e-9))
    assert scene.corrected == pytest.approx(corrected, abs=ROUNDED.get(name, 1e-9))


# how far chance moves the corrected number; the reported one is further off than that
CHANCE = {
    "fraud-dashboard": 0.18,
    "hospital-file": 0.06,
    "gifts": 30,
    "noon-launch": 0.01,
    "friday-tuner": 0.06,
    "quiet-quarter": 0.03,
    "picture-archive": 45,
    "winning-detector": 0.08,
}


@each_play
def test_the_correction_restores_the_truth_and_the_reported_number_is_far_from_it(name, seed):
    scene = _scene(name, seed)
    assert abs(scene.corrected - scene.truth) < CHANCE[name] < abs(scene.reported - scene.truth)


def test_the_interval_of_the_audit_is_that_of_frauds_among_audited_rows():
    card = _scene("fraud-dashboard", 0).cards["audit"].iloc[0]
    found, hits = card["frauds among them"], _scene("fraud-dashboard", 0).cards["dashboard"]["fraud"][0]
    most, least = stats.beta.ppf([0.975, 0.025], [found + 1, found], [AUDITED - found, AUDITED - found + 1])
    ends = [hits / (hits + AUDITED * card["rows that each represents"] * rate) for rate in (most, least)]
    assert [card["low"], card["high"]] == pytest.approx(ends, abs=0.015)


# of seed 0: the reported number, the corrected one, the truth, and the sum of the numbers on each card
RECORD = {
    "fraud-dashboard": [1.0, 0.5138, 0.54, 631.0, 165.0, 162.5, 15000.0, 3038.0],
    "hospital-file": [0.4913, 0.7863, 0.794, 1.916, 944.1, 8.375, 307.9, 1.278],
    "gifts": [2434.0, 230.9, 240.0, 12480.0, 1.542, 6003.0],
    "noon-launch": [0.4864, 0.03874, 0.04003, 4160.0, 1.312, 7862.0, 2.923, 1.053],
    "friday-tuner": [0.004988, 0.5939, 0.6327, 2.614, 0.1137, 1355.0, 6.85],
    "quiet-quarter": [0.788, 0.4051, 0.404, 24970.0, 948.0, 967.0, 417.0, 1.741],
    "picture-archive": [434.7, 92.94, 90.0, 1.022, 446.3, 1295.0, 75.0, 589.8],
    "winning-detector": [0.8182, 0.6443, 0.6268, 2420.0, 0.273, 6.947, 3.826],
}


@each_room
def test_a_room_is_the_same_each_time_and_its_cards_add_up(name):
    scene, again = SCENES[name](0), _scene(name, 0)
    assert (scene.reported, scene.corrected, scene.truth) == (again.reported, again.corrected, again.truth)
    pd.testing.assert_frame_equal(scene.data, again.data)
    assert scene.data.index.equals(pd.RangeIndex(len(scene.data)))
    tables = [card for card in scene.cards.values() if not isinstance(card, str)]
    sums = [np.nansum(table.select_dtypes("number").to_numpy(dtype=float)) for table in tables]
    assert [scene.reported, scene.corrected, scene.truth, *sums] == pytest.approx(RECORD[name], rel=1e-3)


# --- the evidence ---


def on_two(card, column):
    """A column of a card of two lines, as a pair."""
    return card[column].to_numpy()


# what the evidence says against each wrong cause
AGAINST = {
    ("fraud-dashboard", 1, "interval"): lambda card, _: card["low"][0] > 0.97,
    ("fraud-dashboard", 2, "who was reviewed"): lambda card, _: card["its alarm"].sum() < 0.06 * 15_000,
    ("fraud-dashboard", 3, "old and new rows"): lambda card, _: abs(np.diff(card["median score"])[0]) < 0.08,
    ("hospital-file", 1, "columns"): lambda card, _: sorted(card["AUC alone"])[1] > 0.65,
    ("hospital-file", 2, "shuffled"): lambda card, _: card["AUC"][1] > card["AUC"][0] + 0.15,
    ("hospital-file", 3, "folds"): lambda card, _: card["AUC within the fold"][:2].min() > 0.7,
    ("gifts", 1, "classes"): lambda card, _: card["left"].nunique() == 1,
    ("gifts", 2, "ranking"): lambda card, _: abs(np.diff(card["AUC"])[0]) < 0.05,
    ("gifts", 2, "stated and happened"): lambda card, _: all(card["mean score"] > 1.5 * card["share that left"]),
    ("gifts", 3, "ranking"): lambda card, _: card["AUC"].min() > 0.7,
    ("noon-launch", 1, "pairs"): lambda card, _: abs(card["ROC-AUC"][1] - 0.5) < 0.05 < card["ROC-AUC"][0] - 0.7,
    ("noon-launch", 2, "share of fraud"): lambda card, _: card["frauds"][0] == 160 and card["rows"][0] == 4_000,
    ("noon-launch", 3, "first points"): lambda card, _: abs(card["precision"][1] - 0.04) < 0.01,
    ("friday-tuner", 1, "quantiles"): lambda card, _: all(
        abs(card.loc[0, ["50%", "90%"]] - card.loc[1, ["50%", "90%"]]) < 0.05
    ),
    ("friday-tuner", 2, "flags at .5"): lambda card, _: abs(np.diff(on_two(card, "share at or above 0.5"))[0]) < 0.02,
    ("friday-tuner", 3, "F1, coarse"): lambda card, _: card["F1"].iloc[:3].max() > 3 * card["F1"].iloc[-1],
    ("quiet-quarter", 1, "recall by month"): lambda card, scene: (
        # the two ends of an interval each, at 99 %
        stats.binom.ppf(0.005, 300, card["recall"][0]) > stats.binom.ppf(0.995, 300, card["recall"][2])
    ),
    ("quiet-quarter", 2, "frauds"): lambda card, _: card["frauds"].nunique() == 1,
    ("quiet-quarter", 3, "flagged for nothing"): lambda card, _: card["flags"][2] > 1.8 * card["flags"][0],
    ("picture-archive", 1, "other thresholds"): lambda card, scene: card["adjusted count"].min() > 2 * scene.corrected,
    ("picture-archive", 1, "reviews"): lambda card, scene: card["high"][0] < scene.reported / 1.5,
    ("picture-archive", 2, "test set"): lambda card, _: (
        card["recall"][0] > 0.8 and card["false positive rate"][0] < 0.1
    ),
    ("picture-archive", 3, "reviews"): lambda card, scene: card["low"][0] < 90 < card["high"][0] < scene.reported,
    ("winning-detector", 1, "all forty"): lambda card, _: abs(card["tuning"][1] - card["later"][1]) < 0.03,
    ("winning-detector", 2, "classes"): lambda card, _: card["prevalence"].nunique() == 1,
    ("winning-detector", 3, "all forty"): lambda card, _: card["tuning"][1] < card["later"][1] + 0.03,
}
# what it says for the right one
FOR = {
    "fraud-dashboard": lambda cards: (
        cards["who was reviewed"].set_index("alarm").loc[True].drop("its alarm").sum() == 0
    ),
    "hospital-file": lambda cards: (
        cards["what each model learned"]["share of ill patients in its training rows"].is_monotonic_increasing
        and cards["what each model learned"]["ill patients in the fold"].is_monotonic_decreasing
    ),
    "gifts": lambda cards: "class_weight='balanced'" in cards["training call"],
    "noon-launch": lambda cards: (
        cards["values"]["rows with the most frequent score"][1] > 3_700
        and cards["by steps"]["average precision"][1] < 0.05 < cards["by steps"]["trapezoids"][1]
    ),
    "friday-tuner": lambda cards: (
        cards["end of the grid"]["F1"].isna().tolist()[:3] == [False, False, True]
        and cards["end of the grid"]["flagged"].iloc[2] == 0
    ),
    "quiet-quarter": lambda cards: (
        cards["flags by shop"]["marketplace"].is_monotonic_increasing
        and cards["flags by shop"]["retail"].is_monotonic_decreasing
        and abs(cards["flags"]["flags"][2] / cards["flags"]["flags"][0] - 1) < 0.05
    ),
    "picture-archive": lambda cards: (
        cards["reviewed alarms"].query("digit not in ['3', '8', '9']")["pictures"].sum() > 40
    ),
    "winning-detector": lambda cards: (
        all(cards["the five best"]["tuning"] > cards["all forty"]["tuning"][1])
        and cards["the five best"]["later"].max() < 0.7
    ),
}


@each_play
def test_the_evidence_refutes_every_wrong_cause_and_speaks_for_the_right_one(name, seed):
    scene = _scene(name, seed)
    against = {key: test for key, test in AGAINST.items() if key[0] == name}
    assert {place for _, place, _ in against} == {1, 2, 3}, "the first cause of the file is the right one"
    for (_, place, card), test in against.items():
        assert test(scene.cards[card].reset_index(drop=True), scene), (place, card)
    assert FOR[name](scene.cards)


# what the debriefing says that a reader can see without evidence
ALONE = {
    "fraud-dashboard": lambda data, _: (
        data[(data["reason"] == "audit") & (data["verdict"] == "fraud")]["day"].between(31, 60).nunique() == 2
    ),
    "hospital-file": lambda data, _: (
        data.groupby("fold")["ill"].mean().idxmax() == data.groupby("fold")["score"].mean().idxmin() == 1
        and all(
            metrics.roc_auc_score(rows["ill"], rows["score"]) > 0.7
            for _, rows in data[data["fold"] < 3].groupby("fold")
        )
    ),
    "gifts": lambda data, _: (
        all(rows["score"].mean() > 1.5 * rows["left"].mean() for _, rows in data.groupby(pd.cut(data["score"], 5)))
        and metrics.roc_auc_score(data["left"], data["score"]) > 0.7
    ),
    "noon-launch": lambda data, _: (
        (data["new"] == data["new"].mode()[0]).equals(data["ms"] == 800) and np.mean(data["ms"] == 800) > 0.9
    ),
    "friday-tuner": lambda data, numbers: data[data["fraud"] != ""]["score"].max() < numbers["threshold"],
    "quiet-quarter": lambda data, _: (
        data[data["shop"] == "retail"].groupby("week")["flagged"].sum()[[4, 6, 8]].is_monotonic_decreasing
        and data[data["shop"] == "marketplace"].groupby("week")["flagged"].sum()[[5, 6, 8]].is_monotonic_increasing
        and not data[(data["shop"] == "marketplace") & data["flagged"]]["fraud"].any()
    ),
    "picture-archive": lambda data, numbers: (
        data[data["score"] >= 0.7]["reviewed"].isin(list("0124567")).sum() >= 20
        and (1 / data["inclusion probability"])[data["reviewed"] == "9"].sum() < numbers["reported"] / 2
    ),
    "winning-detector": lambda data, numbers: (
        data.groupby("rows")["positive"].mean().nunique() == 1
        and abs(numbers["typical"] - numbers["later"]) < 0.03
        and abs(numbers["five"] - numbers["later"]) < 0.03
    ),
}


@each_play
def test_the_data_alone_show_what_the_debriefing_says(name, seed):
    scene = _scene(name, seed)
    assert "Without cards, " in ROOMS[name].fields["Debrief"]
    assert ALONE[name](scene.data, scene.numbers)


def test_two_causes_of_the_gifts_are_alike_in_the_data_and_the_debriefing_names_what_separates_them():
    data = _scene("gifts", 0).data
    # a model without weights that was trained where half of the customers left would predict the same scores
    fit = LogisticRegression().fit(np.log(data[["score"]] / (1 - data[["score"]])), data["left"])
    assert fit.intercept_[0] == pytest.approx(np.log(240 / 5_760), abs=0.2)
    assert fit.coef_[0, 0] == pytest.approx(1, abs=0.2)
    assert "only `classes` or the `training call` separates them" in ROOMS["gifts"].fields["Debrief"]


@each_room
def test_a_cause_names_the_evidence_that_refutes_it_and_the_right_one_says_so(name):
    right, *others = (cause.partition(" — ")[2] for cause in ROOMS[name].fields["Causes"])
    assert right.startswith("Right: ")
    for place, reason in enumerate(others, 1):
        assert reason.startswith("Tempting, ")
        assert all(f"`{card}`" in reason for of, other, card in AGAINST if (of, other) == (name, place))


# --- the words ---


def test_eight_rooms_are_on_the_page_and_no_two_are_one():
    assert rooms() == list(ROOMS) == list(SCENES)
    assert len({room.fields["Symptom"] for room in ROOMS.values()}) == 8


@pytest.mark.parametrize("field", ["Causes", "Actions"])
def test_the_right_option_is_the_longest_or_the_shortest_no_more_often_than_by_chance(field):
    longest, shortest = [], []
    for name, room in ROOMS.items():
        options = [option.partition(" — ")[0] for option in room.fields[field]]
        lengths = [len(option) for option in options]
        longest.append(lengths[0] == max(lengths))
        shortest.append(lengths[0] == min(lengths))
        assert max(lengths) <= 1.5 * min(lengths), f"{name}: all are equally specific"
        assert all(re.fullmatch(r"[A-Z][^{}]+\.", option) for option in options), f"{name}: one sentence each"
    assert sum(longest) == 2
    assert sum(shortest) in (2, 3)


@each_room
def test_no_text_names_an_option_by_its_letter_and_a_symptom_is_short(name):
    texts = ROOMS[name].fields
    assert not re.search(r"\b(?:cause|action|option|answer) [A-D]\b", words(texts), re.IGNORECASE)
    assert len(plain(DebugRoom(name, path=None).symptom).split()) <= 90


@each_room
def test_prices_are_no_numbers_of_the_data_and_every_letter_is_right_now_and_then(name):
    page, letters = ROOMS[name], set()
    assert page.filled(_scene(name, 0).numbers)["Cards"] == page.fields["Cards"]
    for seed in range(200):
        options = debug_room._lettered(page.fields["Causes"], np.random.default_rng([len(name), seed]))
        assert sorted(option[3:] for option, _ in options.values()) == sorted(page.fields["Causes"])
        letters |= {letter for letter, (_, right) in options.items() if right}
    assert letters == set("ABCD")


@each_room
def test_the_words_have_the_numbers_of_the_seed(name):
    shown = [words(DebugRoom(name, seed, path=None)._texts) for seed in (0, 1)]
    assert shown[0] != shown[1]
    assert not re.search(r"\{\{|\}\}", "".join(shown))


@each_room
def test_a_room_has_all_that_it_needs(name):
    room, page = DebugRoom(name, path=None), ROOMS[name]
    assert list(page.fields) == ["Symptom", "Cards", "Causes", "Actions", "Debrief"]
    assert set(room._cards) == set(_scene(name, 0).cards)
    assert 3 <= len(room._cards) <= 5
    assert 5 <= sum(int(card["price"]) for card in room._cards.values()) <= 10
    assert (len(page.fields["Causes"]), len(page.fields["Actions"])) == (4, 3)
    assert all(" — " in line for line in page.fields["Causes"] + page.fields["Actions"])
    assert isinstance(room.data, pd.DataFrame)
    assert lessons.broken(f"{page.notebook}.ipynb#{lessons.anchor(page.section)}", "") == ""
    assert page.link == f"../../notebooks/{page.notebook}.ipynb#{page.section.replace(' ', '-')}"


# --- what the buttons do ---


def letter(options, *, right=True):
    """That of the right option, or of one that is wrong."""
    return next(letter for letter, (_, is_right) in options.items() if is_right == right)


def play(room, cause, action, sure=80):
    room.letter.value, room.sure.value = letter(room._causes, right=cause), sure
    room.primary.click()
    room.letter.value = letter(room._actions, right=action)
    room.primary.click()
    return room


def test_the_package_offers_rooms_and_cases():
    assert evalteach.DebugRoom is DebugRoom
    assert evalteach.rooms is rooms
    assert evalteach.DesignCase is DesignCase
    assert evalteach.cases is cases


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"name": "cellar"}, "name must be one of 'fraud-dashboard', .* got 'cellar'"),
        ({"name": "hospital-file", "seed": -1}, "seed must be a whole number, 0 or more, got -1"),
        ({"name": "hospital-file", "seed": 0.5}, "seed must be a whole number, 0 or more, got 0.5"),
    ],
)
def test_a_room_that_there_is_not_is_refused(given, said):
    with pytest.raises(ValueError, match=f"^{said}"):
        DebugRoom(**given, path=None)


def test_a_room_shows_its_symptom_its_data_and_no_evidence():
    room = DebugRoom("fraud-dashboard", path=None)
    intro = room.view.children[0].value
    assert "recall of 1.000" in intro
    assert "15,000 rows" in intro
    assert room.evidence.value == room.solution.value == ""
    assert room.choices.value.count("<li>") == 4
    assert "Tempting" not in room.choices.value
    assert room.letter.options == ("A", "B", "C", "D")
    assert (room.letter.value, room.sure.label) == (None, "choose")
    assert repr(room).startswith("Debug room fraud-dashboard, seed 0: ")
    assert repr(room).endswith(" You have bought no evidence.")
    assert room._repr_mimebundle_()["text/plain"] == repr(room)


def test_evidence_shows_once_it_is_bought_and_is_paid_once():
    room = DebugRoom("fraud-dashboard", path=None)
    room.buttons["audit"].click()
    assert (room.bought, room.price) == (["audit"], 3)
    assert "rows that each represents" in room.evidence.value
    assert room.buttons["audit"].disabled
    assert room.clock.shown == "audit cost 3 points. In total, you have spent 3 points."
    assert room.clock.heard.startswith("audited rows,frauds among them")
    room.buy("audit")
    room.buy("interval")
    assert (room.bought, room.price) == (["audit", "interval"], 4)
    assert room.evidence.value.index("audit") < room.evidence.value.index("interval")
    with pytest.raises(ValueError, match=r"^name must be one of 'dashboard', .* got 'gold'"):
        room.buy("gold")


def test_text_is_evidence_too_and_is_shown_as_it_is():
    room = DebugRoom("gifts", path=None)
    room.buy("training call")
    assert "<pre>LogisticRegression(class_weight=&#x27;balanced&#x27;)" in room.evidence.value


def test_numbers_from_ten_on_have_one_digit_behind_the_point_and_others_three():
    card = pd.DataFrame({"share": [0.12345, 9.9994, 10.0, -12.34], "rows": [1, 9, 10, 2_000]})
    cells = re.findall(r"<td>(.*?)</td>", filled("evidence", [("shares", card)]))
    assert cells == ["0.123", "1", "9.999", "9", "10.0", "10", "-12.3", "2000"]


def test_a_cause_needs_a_choice_and_how_sure_one_is_and_an_action_needs_a_choice():
    room = DebugRoom("fraud-dashboard", path=None)
    for letter, sure in ((None, 0), ("A", 0), (None, 90)):
        room.letter.value, room.sure.value = letter, sure
        room.primary.click()
        assert (room.state, room.clock.shown) == ("look", "Choose a cause, and say how sure you are.")
    room.letter.value = "A"
    room.primary.click()
    assert (room.state, room.clock.shown) == ("act", "What do you do about it?")
    assert room.letter.options == ("A", "B", "C")
    room.primary.click()
    assert (room.state, room.clock.shown) == ("act", "Choose an action.")
    assert room.points is None


def test_what_to_do_is_not_shown_before_the_cause_is_named_and_nothing_is_sold_after():
    room = DebugRoom("friday-tuner", path=None)
    action = room._actions["A"][0].partition(" — ")[0]
    assert action not in room.choices.value
    room.letter.value, room.sure.value = "C", 90
    room.primary.click()
    assert plain(action) in plain(room.choices.value)
    assert all(button.disabled for button in room.buttons.values())
    room.buy("quantiles")
    assert (room.bought, room.evidence.value) == ([], "")


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
    room = DebugRoom("fraud-dashboard", path=None)
    for name in bought:
        room.buy(name)
    assert play(room, cause, action).points == points
    assert repr(room).endswith(f" You have {points} of 10 points.")
    assert f": Your cause is {'' if cause else 'not '}right (you were 80% sure)" in repr(room)
    assert f"your action is {'' if action else 'not '}right." in repr(room)
    assert (f" on evidence ({bought[0]})." if bought else "You have bought no evidence.") in repr(room)
    assert repr(room).endswith(f": {room.clock.shown}")
    room.primary.click()
    assert room.points == points


def test_the_debrief_marks_what_was_right_and_what_was_chosen():
    room = play(DebugRoom("fraud-dashboard", path=None), False, True)
    lines = re.findall(r"<li>(.*?)</li>", room.solution.value)
    assert sum("Right: " in line and line.endswith("<strong>(right)</strong>") for line in lines) == 1
    assert sum("Tempting" in line and line.endswith("<strong>(yours)</strong>") for line in lines) == 1
    assert sum(line.endswith("<strong>(right, yours)</strong>") for line in lines) == 1
    assert not room.clock.running
    link = room.links.outputs[0]["data"]["text/markdown"]
    heading = "4. Recall needs the right positives"
    assert link.endswith(f"- [11 §{heading.replace('.', '')}](11_recall_travels.ipynb#{heading.replace(' ', '-')})")


def test_how_sure_one_was_is_kept_beside_the_answers_of_rounds():
    play(DebugRoom("fraud-dashboard"), True, True, sure=70)
    play(DebugRoom("friday-tuner"), False, True, sure=95)
    kept = record.Record()
    assert kept.answers == [("room fraud-dashboard", 70, True), ("room friday-tuner", 95, False)]


def test_a_record_that_cannot_be_written_is_said_and_the_debrief_stands(monkeypatch):
    room = DebugRoom("fraud-dashboard")
    monkeypatch.setattr(record, "write_record", lambda *_: (_ for _ in ()).throw(OSError(28, "disk full")))
    play(room, True, True)
    assert "10 of 10 points. Not kept: " in room.clock.shown
    assert room.solution.value


def test_the_data_are_the_readers_own_and_the_same_at_every_call():
    room = DebugRoom("noon-launch", path=None)
    room.data["new"] = 0
    assert DebugRoom("noon-launch", path=None).data["new"].nunique() > 1
    assert debug_room._scene.__wrapped__("noon-launch", 0).facts == _scene("noon-launch", 0).facts


# --- design cases ---


def test_there_are_five_cases():
    assert cases() == ["fraud", "screening", "search", "two-tower", "matching"]
    with pytest.raises(ValueError, match=r"^name must be one of 'fraud', .* got 'chess'"):
        DesignCase("chess")


@each_case
def test_a_case_has_all_that_it_needs(name):
    page, case = CASES[name], DesignCase(name)
    lists = ["If asked", "Checklist", "After the twist", "Numbers", "Points", "Red flags"]
    assert [field for field, text in page.fields.items() if isinstance(text, list)] == lists
    assert {"Prompt", "Twist", "Answer", "Junior", "Mid", "Senior"} == set(page.fields) - set(lists)
    assert lessons.broken(f"{page.notebook}.ipynb#{lessons.anchor(page.section)}", "") == ""
    assert page.link == f"../../notebooks/{page.notebook}.ipynb#{page.section.replace(' ', '-')}"
    for field in lists:
        shown = getattr(case, field.lower().replace("the ", "").replace(" ", "_"))
        assert shown == shown._repr_markdown_() == "\n".join(f"- {line}" for line in page.fields[field])
    assert (case.prompt, case.twist()) == (page.fields["Prompt"], page.fields["Twist"])
    assert case.levels == "\n\n".join(f"**{level}:** {page.fields[level]}" for level in ("Junior", "Mid", "Senior"))
    assert repr(case) == f"Design case {name}, 15 minutes: {case.prompt}"
    assert case._repr_markdown_() == f"**Design case {name}, 15 minutes.** {case.prompt}"
    ends = [re.match(r"Minutes (\d+)–(\d+): ", line).groups() for line in page.fields["Checklist"]]
    assert [start for start, _ in ends[1:]] == [end for _, end in ends[:-1]]
    assert (ends[0][0], ends[-1][1]) == ("0", str(page.minutes)) == ("0", "15")
    assert "Minutes 7–10: the twist." in page.fields["Checklist"]
    assert 3 <= len(page.fields["Points"]) <= 5


@each_case
def test_the_twist_comes_only_when_it_is_asked_for(name):
    case = DesignCase(name)
    before = case.prompt + case.if_asked + repr(case) + case._repr_markdown_()
    sentences = re.split(r"(?<=[.:?]) ", case.twist())
    news = {
        "fraud": "merchant",
        "screening": "camera",
        "search": "18%",
        "two-tower": "two weeks",
        "matching": "bought",
    }
    assert len(sentences) >= 2
    assert not [each for each in sentences if each in before]
    assert news[name] in case.twist()
    assert news[name] not in before
    assert case.prompt._repr_markdown_() == str(case.prompt) in case._repr_markdown_()


@each_case
def test_the_words_have_the_numbers_that_come_out(name):
    case, page = DesignCase(name), CASES[name]
    for line in page.fields["Numbers"]:
        number = re.match(r"`(?P<name>\w+) = [^`]+`(?: as `(?P<form>[^`]+)`)?(?P<meaning>:)?", line)
        if number["meaning"]:
            shown = written(case.values[number["name"]], number["form"])
            text = words({field: text for field, text in page.fields.items() if field != "Numbers"})
            assert shown in NUMBER.findall(text), (number["name"], shown)


def test_the_numbers_of_the_cases_by_hand():
    fraud, screening, search, tower, matching = map(DesignCase, cases())
    assert fraud.answer == pytest.approx(220 / 999_900)
    assert (
        (1 - 220 / 999_900) ** fraud.values["negatives"]
        <= 0.05
        < (1 - 220 / 999_900) ** (fraud.values["negatives"] - 1)
    )
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
    wrong = matching.answer * (1e9 - 0.95 * 3e6)
    assert caught / (caught + wrong) == pytest.approx(0.95)
