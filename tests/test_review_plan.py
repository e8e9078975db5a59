"""From scores and a budget to a report: the plan, its files, shares, several reviewers, and what is refused."""

import numpy as np
import pandas as pd
import pytest

from evalteach import plan, pooled, read_plan, review_report
from evalteach.reviews.answers import estimate_positives
from evalteach.reviews.designs import neyman_allocation, rank_strata
from evalteach.reviews.estimates import horvitz_thompson, reviewed_recall
from evalteach.reviews.plan import plan_of
from evalteach.reviews.sheets import delimiter, read_sheet, write_sheet

RNG = np.random.default_rng(0)
TRUTH = np.arange(5_000) < 100
SCORES = 1 / (1 + np.exp(4 - 2.5 * TRUTH - RNG.normal(size=5_000)))
IDS = np.array([f"claim {i}" for i in range(5_000)])


def drawn(**more):
    return plan(SCORES, 200, **{"threshold": 0.1, "ids": IDS, **more})


def said(plan):
    return TRUTH[plan.rows]


# --- what is drawn ---------------------------------------------------------------------------------------


def test_a_plan_draws_as_many_rows_as_asked_none_twice_each_with_its_id_and_probability():
    found = drawn()
    assert len(found) == len(set(found.rows)) == 200
    assert found.whole["id"].tolist() == IDS[found.rows].tolist()
    assert (found.n_rows, found.size, found.n_flagged) == (5_000, 5_000, np.sum(SCORES >= 0.1))
    assert found.whole["flagged"].tolist() == (SCORES[found.rows] >= 0.1).tolist()
    whole = found.whole
    for _, members in whole.groupby("stratum"):
        rows = len(members) / members["probability"].iloc[0]
        assert members["probability"].nunique() == members["flagged"].nunique() == 1
        assert rows == pytest.approx(round(rows))
    assert np.sum(1 / whole["probability"]) == pytest.approx(5_000)


@pytest.mark.parametrize("kind", ["f2", "f4"])
def test_scores_are_compared_with_the_threshold_in_their_own_precision(kind):
    scores = np.round(SCORES, 2).astype(kind)
    for threshold in (0.01, 0.05, 0.1, 0.35):  # the nearest float32 and float16 lie above and below these
        assert plan(scores, 200, threshold=threshold).n_flagged == np.sum(scores >= threshold)


def test_flagged_rows_get_a_quarter_and_the_bottom_half_of_the_reviews():
    found = plan(np.arange(1e5), 400, class_size=1_000, threshold=99_000.0)
    flagged, rank = found.whole["flagged"], 1e5 - found.rows
    assert flagged.sum() == pytest.approx(100, abs=3)
    assert np.sum(rank > 15_000) == pytest.approx(200, abs=3)
    found = plan(np.arange(1e5), 400, class_size=1_000)
    assert np.sum(1e5 - found.rows > 15_000) == pytest.approx(200, abs=3)


def test_flagged_rows_below_all_edges_take_their_reviews_from_the_quarter():
    found = plan(np.arange(1e5), 400, class_size=1_000, threshold=60_000.0)
    assert found.whole["flagged"].sum() == pytest.approx(400 / 3, abs=3)  # there is nothing between


def test_strata_are_cut_at_ranks_that_grow_with_the_class_and_at_flagged_rows():
    for size in (100, 1_000):
        found = plan(np.arange(1e5), 300, class_size=size, threshold=1e5 - 2 * size)
        edges = found.whole.groupby("stratum")["probability"].agg(lambda p: round(len(p) / p.iloc[0]))
        assert edges.tolist() == [size / 2, size, size / 2, 3 * size, 10 * size, 1e5 - 15 * size]


def test_the_same_arguments_draw_the_same_plan_and_another_seed_another_one():
    assert drawn().design == drawn().design
    assert drawn().whole.equals(drawn().whole)
    assert drawn(seed=1).design != drawn().design


def test_the_first_rows_are_not_those_of_one_stratum():
    first = np.mean([drawn(seed=seed).whole["stratum"].iloc[0] for seed in range(40)])
    last = np.mean([drawn(seed=seed).whole["stratum"].iloc[-1] for seed in range(40)])
    assert abs(first - last) < 1.5


def test_flagged_rows_and_a_threshold_are_the_same_plan():
    assert drawn(threshold=None, flagged=SCORES >= 0.1).design == drawn().design


def test_the_class_size_is_guessed_from_flagged_rows_or_from_probabilities():
    assert drawn(class_size=np.sum(SCORES >= 0.1)).design == drawn().design
    assert drawn(threshold=None, class_size=SCORES.sum()).design == drawn(threshold=None).design


def test_flagged_rows_may_be_any_and_lie_below_all_edges():
    flagged = RNG.random(5_000) < 0.4
    found = drawn(threshold=None, flagged=flagged, class_size=50)
    assert found.whole.groupby("stratum")["flagged"].nunique().eq(1).all()
    assert found.whole["flagged"].tolist() == flagged[found.rows].tolist()
    report = review_report(found, said(found))
    assert np.isfinite(report.to_numpy(dtype=float)).all()


def test_a_few_lines_lead_from_a_table_of_scores_to_a_report(tmp_path):
    claims = pd.DataFrame({"score": SCORES, "text": IDS, "amount": np.arange(5_000)}, index=IDS)
    sheet = tmp_path / "to_review.csv"

    first = plan(claims["score"], 360, threshold=0.1, ids=claims.index)
    first.save(sheet, claims[["text", "amount"]])

    filled = pd.read_csv(sheet)
    filled["answer"] = np.where(TRUTH[filled["amount"]], "yes", "no")
    filled.sort_values("amount").to_csv(sheet, index=False)

    report = review_report(plan(claims["score"], 360, threshold=0.1, ids=claims.index), sheet)
    hits = np.sum(TRUTH & (SCORES >= 0.1))
    truth = [100, hits / np.sum(SCORES >= 0.1), hits / 100, 100 - hits]
    assert (report["low"] <= truth).all()
    assert (report["high"] >= truth).all()


@pytest.mark.parametrize(
    ("more", "found"),
    [
        ({"y_score": [0.1, np.nan]}, "y_score has nan at position 1"),
        ({"budget": 3}, "budget must be a whole number of reviews from 10 to 5000, got 3"),
        ({"budget": 5_001}, "budget must be a whole number of reviews from 10 to 5000, got 5001"),
        ({"flagged": SCORES > 0.5}, "flagged and threshold say the same thing"),
        ({"threshold": 2}, "threshold takes no row; precision and recall need rows of both kinds"),
        ({"threshold": 0}, "threshold takes every row; precision and recall need rows of both kinds"),
        ({"threshold": "high"}, "threshold must be one real number, got 'high'"),
        ({"threshold": None, "flagged": [True, False]}, "unequal lengths: y_score has 5000, flagged has 2"),
        ({"threshold": None, "flagged": SCORES}, "flagged holds"),
        ({"threshold": None, "y_score": np.log(SCORES)}, "no probabilities, and nothing is flagged; pass a guessed"),
        ({"class_size": 6_000}, "class_size must be above 0 and at most 5000, got 6000"),
        ({"ids": IDS[:10]}, "unequal lengths: y_score has 5000, ids has 10"),
        ({"ids": ["a", *IDS[:4_997], "x", "a"]}, "ids holds 'a' twice"),
        ({"ids": [None, *IDS[1:]]}, "ids is missing at position 0"),
        ({"ids": [np.nan, *range(1, 5_000)]}, "ids is missing at position 0"),
    ],
    ids=lambda value: "" if isinstance(value, dict) else value[:40],
)
def test_what_cannot_be_planned_is_refused(more, found):
    with pytest.raises(ValueError, match=found):
        plan(**{"y_score": SCORES, "budget": 200, "threshold": 0.1, "ids": IDS, **more})


def test_ids_that_are_the_same_text_are_refused():
    with pytest.raises(ValueError, match="ids are not distinct once they are written as text"):
        plan_of([0, 1], [0.5] * 4, ids=np.array([1, "1", 2, 3], dtype=object))


# --- what the answers say --------------------------------------------------------------------------------


def test_a_report_is_that_of_the_estimates_it_is_made_of():
    found = drawn()
    labels, whole = said(found), found.whole
    p, stratum, flagged = (whole[name].to_numpy() for name in ("probability", "stratum", "flagged"))
    report = review_report(found, labels, confidence=0.9)
    size = horvitz_thompson(labels, p, 5_000, stratum=stratum, confidence=0.9)
    of_flagged, of_others = (
        np.concatenate([np.full(round(np.sum(1 / p[rows])), p[rows][0]) for rows in strata])
        for strata in ([part & (stratum == each) for each in np.unique(stratum[part])] for part in (flagged, ~flagged))
    )
    design = {"stratum": stratum, "confidence": 0.9}
    hit = horvitz_thompson(labels, p, 5_000, within=flagged, probability_within=of_flagged, **design)
    missed = horvitz_thompson(labels, p, 5_000, within=~flagged, probability_within=of_others, **design)
    reach = {"probability_flagged": of_flagged, "probability_not_flagged": of_others}
    recall = reviewed_recall(labels, flagged, p, 5_000, **reach, **design)
    assert report.index.tolist() == ["class size", "precision", "recall", "missed"]
    numbers = report[["estimate", "low", "high"]].to_numpy(dtype=float)
    assert numbers[0] == pytest.approx([size.total, size.low, size.high])
    assert numbers[1] * found.n_flagged == pytest.approx([hit.total, hit.low, hit.high])
    assert numbers[2] == pytest.approx(recall)
    assert numbers[3] == pytest.approx([missed.total, missed.low, missed.high])
    assert report["reviews"].tolist() == [200, flagged.sum(), 200, (~flagged).sum()]
    assert report["skipped"].tolist() == [0] * 4


def test_a_certain_row_may_be_alone_in_its_stratum():
    stratum, p = np.array([0, *[1] * 4, *[2] * 8]), np.array([1.0, *[0.5] * 4, *[0.25] * 8])
    rows, labels = [0, 1, 2, 5, 6], [True, True, False, False, False]
    found = plan_of(rows, p, stratum, flagged=stratum == 0)
    expected = horvitz_thompson(labels, p[rows], 13, stratum=stratum[rows])
    report = review_report(found, labels)
    assert report.loc["class size", ["estimate", "low", "high"]].tolist() == [expected.total, *expected[2:]]
    assert report.loc["precision", ["estimate", "low", "high"]].tolist() == [1, 1, 1]


def test_flagged_rows_that_could_not_be_drawn_do_not_count():
    p = np.array([0.5] * 4 + [0.0] * 2)
    assert plan_of([0, 2], p, flagged=[1, 1, 0, 0, 1, 0]).n_flagged == 2


def test_all_rows_reviewed_is_the_truth():
    found = plan(SCORES, 5_000, threshold=0.1)
    report = review_report(found, said(found))
    hits = np.sum(TRUTH & (SCORES >= 0.1))
    for column in ("estimate", "low", "high"):
        truth = [100, hits / np.sum(SCORES >= 0.1), hits / 100, 100 - hits]
        assert report[column].tolist() == pytest.approx(truth)


def test_without_flagged_rows_only_the_class_size_is_reported():
    found = drawn(threshold=None)
    assert review_report(found, said(found)).index.tolist() == ["class size"]


def test_nobody_positive_leaves_recall_open():
    report = review_report(drawn(), np.zeros(200, dtype=bool))
    assert np.isnan(report.loc["recall", "estimate"])
    assert report.loc["recall", ["low", "high"]].tolist() == [0, 1]
    assert report.loc["precision", ["estimate", "low"]].tolist() == [0, 0]


def test_a_precision_is_at_most_one_and_open_above_without_a_no():
    parts = [drawn().share(i, 20) for i in range(1, 21)]
    reports = [review_report(part, np.ones(len(part), dtype=bool)) for part in parts]
    assert max(report.loc["precision", "estimate"] for report in reports) == 1
    assert min(report.loc["precision", "estimate"] for report in reports) < 1
    assert {report.loc["precision", "high"] for report in reports} == {1}
    assert {report.loc["missed", "high"] for report in reports} == {5_000 - parts[0].n_flagged}
    flagged = [part.whole["flagged"].to_numpy()[part.places] for part in parts]
    but_one = [np.arange(len(part)) != np.argmax(which) for part, which in zip(parts, flagged, strict=True)]
    reports = [review_report(part, labels) for part, labels in zip(parts, but_one, strict=True)]
    assert max(report.loc["precision", "high"] for report in reports) == 1
    report = review_report(parts[0], ~parts[0].whole["flagged"].to_numpy()[parts[0].places])
    assert report.loc["precision", "low"] == 0
    assert report.loc["precision", "high"] < 1
    assert report.loc["missed", "high"] == 5_000 - parts[0].n_flagged


def by_hand(found, answers):
    sheet = found.sheet()
    sheet["answer"] = answers
    return sheet


def test_rows_that_nobody_came_to_are_stood_for_by_the_others_of_their_stratum():
    found = drawn()
    answers = np.where(said(found), "yes", "no").astype(object)
    answers[150:] = ""
    report = review_report(found, by_hand(found, answers))
    done = found.whole[:150]
    reviews = done["stratum"].map(done["stratum"].value_counts())
    rows = done["stratum"].map((1 / found.whole["probability"]).groupby(found.whole["stratum"]).sum())
    expected = horvitz_thompson(said(found)[:150], reviews / rows, 5_000, stratum=done["stratum"])
    assert report.loc["class size", ["estimate", "low", "high"]].tolist() == pytest.approx(
        [expected.total, expected.low, expected.high]
    )
    assert report.loc["class size", "reviews"] == 150


def test_few_answers_stand_for_flagged_and_other_rows():
    stratum, flagged = np.arange(40) // 10, np.arange(40) < 20
    found = plan_of([0, 11, 21, 31, 1, 12, 22, 32], np.full(40, 0.2), stratum, flagged=flagged)
    answers = ["yes", "no", "yes", "no", "", "", "", ""]
    report = review_report(found, by_hand(found, answers))
    assert report["estimate"].tolist() == pytest.approx([20, 0.5, 0.5, 10])
    assert report["reviews"].tolist() == [4, 2, 4, 2]


def test_fewer_answers_stand_for_all_rows_alike():
    flagged = np.arange(40) < 20
    found = plan_of([0, 21, 31, 1], np.full(40, 0.1), flagged=flagged)
    report = review_report(found, by_hand(found, ["yes", "no", "yes", ""]))
    assert report.loc["class size", "estimate"] == pytest.approx(40 * 2 / 3)
    assert report.loc["precision", "estimate"] == pytest.approx(40 / 3 / 20)


def test_skipped_rows_count_as_both_answers_in_the_interval_and_as_neither_in_the_estimate():
    found = drawn()
    answers = np.where(said(found), "yes", "no").astype(object)
    skipped = RNG.permutation(200)[:20]
    reports = {}
    for word in ("skip", "no", "yes"):
        answers[skipped] = word
        reports[word] = review_report(found, by_hand(found, answers))
    report = reports["skip"]
    for name in ("class size", "precision", "missed"):
        assert report.loc[name, "low"] == pytest.approx(reports["no"].loc[name, "low"])
        assert report.loc[name, "high"] == pytest.approx(reports["yes"].loc[name, "high"])
    flagged = found.whole["flagged"].to_numpy()[skipped]
    assert 0 < flagged.sum() < 20
    for end, word in (("low", "no"), ("high", "yes")):
        answers[skipped] = np.where(flagged, word, {"no": "yes", "yes": "no"}[word])
        assert report.loc["recall", end] == pytest.approx(
            review_report(found, by_hand(found, answers)).loc["recall", end]
        )
    assert report["skipped"].tolist() == [20, flagged.sum(), 20, 20 - flagged.sum()]
    assert report["reviews"].tolist()[0] == 180
    answers[skipped] = "skip"
    kept = estimate_positives(found, np.where(answers == "skip", "", answers)).total
    assert report.loc["class size", "estimate"] == pytest.approx(kept)


def test_rows_left_open_before_the_last_answer_are_skipped():
    found = drawn()
    answers = np.full(200, "", dtype=object)
    answers[[0, 3]] = "yes", "no"
    assert pooled(found, by_hand(found, answers))["answer"].tolist() == ["yes", "skip", "skip", "no", *[""] * 196]
    part = found.share(2, 2)
    answers = np.full(100, "", dtype=object)
    answers[1] = "no"
    assert pooled(found, by_hand(part, answers))["answer"].tolist() == ["", "skip", "", "no", *[""] * 196]
    # a row that is taken out of the file, too
    assert pooled(found, by_hand(part, answers)[1:])["answer"].tolist() == ["", "skip", "", "no", *[""] * 196]


@pytest.mark.parametrize("confidence", [0, 1, 95, "95 %"])
def test_a_level_that_is_none_is_refused(confidence):
    with pytest.raises(ValueError, match="confidence must be"):
        review_report(drawn(), said(drawn()), confidence=confidence)


def test_less_than_two_answers_are_no_estimate():
    answers = np.full(200, "", dtype=object)
    answers[:2] = "yes", "skip"
    with pytest.raises(ValueError, match="an estimate needs two answers, yes or no; there are 1"):
        review_report(drawn(), by_hand(drawn(), answers))


# --- files -----------------------------------------------------------------------------------------------


def test_the_reviewers_file_holds_ids_and_what_to_judge_by_but_no_score_and_no_stratum(tmp_path):
    found = drawn()
    table = pd.DataFrame({"amount": np.arange(5_000) * -1.5, "text": [f"=SUM({i})" for i in range(5_000)]})
    found.save(tmp_path / "sheet.csv", table)
    assert (tmp_path / "sheet.csv").read_bytes().startswith(b"\xef\xbb\xbf")  # else Excel spoils umlauts
    raw = pd.read_csv(tmp_path / "sheet.csv", dtype=str, keep_default_na=False)
    assert raw.columns.tolist() == ["id", "answer", "amount", "text", "design"]
    assert raw["id"].tolist() == IDS[found.rows].tolist()
    assert raw["text"].tolist() == [f"'=SUM({i})" for i in found.rows]
    assert raw["amount"].tolist() == [str(-1.5 * i) for i in found.rows]
    assert set(raw["answer"]) == {""}
    with pytest.raises(FileExistsError):
        found.save(tmp_path / "sheet.csv")
    assert pd.read_csv(tmp_path / "sheet.csv").shape == (200, 5)


@pytest.mark.parametrize(
    ("show", "found"),
    [
        (pd.DataFrame({"id": IDS}), "show has the column 'id', which a review sheet has itself; rename it"),
        (pd.DataFrame({"text": IDS[:4_999]}), "unequal lengths: y_score has 5000, show has 4999"),
    ],
    ids=["name", "length"],
)
def test_a_table_that_cannot_be_shown_is_refused(show, found, tmp_path):
    with pytest.raises(ValueError, match=found):
        drawn().save(tmp_path / "sheet.csv", show)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_sheet_that_was_filled_in_and_sorted_in_a_spreadsheet_is_read(tmp_path, separator):
    found = drawn()
    sheet = by_hand(found, np.where(said(found), "TRUE", "FALSE")).sort_values("id")
    sheet.assign(note="a, b; c").to_csv(tmp_path / "back.csv", index=False, sep=separator, encoding="utf-8-sig")
    assert review_report(found, tmp_path / "back.csv").equals(review_report(found, said(found)))


@pytest.mark.parametrize(
    "words", [("yes", "no"), ("Y", "N"), (1, 0), (1.0, 0.0), ("True", "False"), (" YES ", "No"), (True, False)]
)
def test_yes_and_no_may_be_written_in_some_ways(words):
    found = drawn()
    answers = [words[0] if label else words[1] for label in said(found)]
    assert set(pooled(found, by_hand(found, answers))["answer"]) == {"yes", "no"}


@pytest.mark.parametrize("nothing", ["", None, np.nan, pd.NA, "  "])
def test_an_open_row_may_be_empty_in_some_ways(nothing):
    found = drawn()
    assert set(pooled(found, by_hand(found, [nothing] * 200))["answer"]) == {""}


CELLS = ["=1+1", "+1", "-1", "@x", "'=1", "'", "''", "'tis", "\ttab", "plain", "a=b", "1", "", '"quoted"', "a,b;c", "ü"]


def test_text_that_looks_like_a_formula_is_text_in_the_file_and_comes_back_as_it_was(tmp_path):
    table = pd.DataFrame({"=cell": CELLS, "number": np.arange(len(CELLS)) - 3})
    write_sheet(tmp_path / "cells.csv", table)
    raw = pd.read_csv(tmp_path / "cells.csv", dtype=str, keep_default_na=False)
    assert not any(cell.startswith(("=", "+", "-", "@", "\t")) for cell in [*raw.columns, *raw.iloc[:, 0]])
    assert raw["number"].tolist() == [str(i - 3) for i in range(len(CELLS))]
    back = read_sheet(tmp_path / "cells.csv")
    assert back["=cell"].tolist() == CELLS
    assert back["number"].tolist() == raw["number"].tolist()


def test_ids_that_look_like_formulas_or_numbers_find_their_rows_again(tmp_path):
    ids = ["=A1", "-5", "007", "7", "1e5", "'x", "NA", "ß"]
    found = plan_of([6, 2, 0, 4], [0.5] * 8, ids=ids)
    found.save(tmp_path / "sheet.csv")
    sheet = read_sheet(tmp_path / "sheet.csv")
    assert sheet["id"].tolist() == ["NA", "007", "=A1", "1e5"]
    assert pooled(found, tmp_path / "sheet.csv")["id"].tolist() == ["NA", "007", "=A1", "1e5"]


def filled(path, change):
    found = drawn()
    sheet = change(by_hand(found, np.where(said(found), "yes", "no").astype(object)))
    sheet.to_csv(path, index=False)
    return found


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (lambda sheet: sheet.drop(columns="design"), "needs the columns id, answer, design; 'design' is missing"),
        (lambda sheet: sheet.assign(more="no").rename(columns={"more": "answer"}), "'answer' is there 2 times"),
        (lambda sheet: sheet.rename(columns={"answer": "Answer"}).assign(ANSWER="no"), "'answer' is there 2 times"),
        (lambda sheet: sheet.assign(design=sheet["design"].str.replace("d", "e")), "to another design"),
        (lambda sheet: sheet.assign(design="something"), r"another design \(something\)"),
        (
            lambda sheet: sheet.assign(design=[*sheet["design"][:-1], ""]),
            r"line 200 .* than the others \(none\): delete",
        ),
        (lambda sheet: pd.concat([sheet, sheet[:1].assign(design="my notes")]), r"line 201 .* \(my notes\): delete"),
        (lambda sheet: sheet[:0], r"another design \(none\)"),
        (
            lambda sheet: sheet.replace({"answer": {"yes": "maybe"}}),
            "answer must be yes, no, skip or empty, got 'maybe'",
        ),
        (lambda sheet: pd.concat([sheet, sheet[:1]]), "is there twice; one answer a row is needed"),
        (lambda sheet: sheet.assign(id=["claim x", *sheet["id"][1:]]), "id 'claim x' is no row of this part"),
        (lambda sheet: sheet.assign(design=sheet["design"].str.replace("1 of 1", "1 of 2")), "is no row of this part"),
        (
            lambda sheet: sheet.assign(design=sheet["design"].str.replace("1 of 1", "3 of 2")),
            "i must be a whole number",
        ),
    ],
    ids=[
        "column",
        "twice named",
        "case",
        "other",
        "text",
        "cut",
        "remark",
        "empty",
        "word",
        "twice",
        "unknown",
        "part",
        "share",
    ],
)
def test_a_sheet_of_something_else_is_refused_with_its_name(change, found, tmp_path):
    path = tmp_path / "back.csv"
    one = filled(path, change)
    with pytest.raises(ValueError, match=rf"back\.csv: .*{found}"):
        review_report(one, path)


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe\x00i\x00d", b'id,answer\n"a,b\n', b"id,answer\na,b,c,d\ne,f,g,h,i,j\n"], ids=range(4)
)
def test_a_file_that_is_no_table_is_refused(content, tmp_path):
    (tmp_path / "x.csv").write_bytes(content)
    with pytest.raises(ValueError, match=r"x\.csv"):
        pooled(drawn(), tmp_path / "x.csv")


def test_a_sheet_says_the_same_new_and_over_an_old_one_and_no_other_file_is_left(tmp_path):
    table = pd.DataFrame({"=id": ["é", None], 7: [1, 2]})
    path = tmp_path / "sheet.csv"
    for over in (False, True):
        write_sheet(path, table, over=over)
        assert read_sheet(path).to_dict("list") == {"=id": ["é", ""], "7": ["1", "2"]}
        assert [*tmp_path.iterdir()] == [path]
    with pytest.raises(FileExistsError):
        write_sheet(path, table)


class NotText:
    def __str__(self):
        raise KeyboardInterrupt


def test_a_sheet_that_cannot_be_written_leaves_nothing_and_may_be_written_again(tmp_path):
    found, path = drawn(), tmp_path / "sheet.csv"
    table = pd.DataFrame({"text": [f"words {i} " * 100 for i in range(4_999)] + [NotText()]}, dtype=object)
    table.iloc[[found.rows[-1], 4_999]] = table.iloc[[4_999, found.rows[-1]]].to_numpy()
    with pytest.raises(KeyboardInterrupt):
        found.save(path, table)
    assert not list(tmp_path.iterdir())
    found.save(path)


ODD = ["one\rtwo", "one\r\ntwo", "a;b;c;d;e;f;g;h", 'a "quoted; cell"', "tab\tand, comma", " ", ""]


@pytest.mark.parametrize("column", ["signs; age; sex; ward; drug", 'a "name"; and | more | of | it', "two\rlines"])
@pytest.mark.parametrize("text", ODD)
def test_a_sheet_survives_whatever_is_shown(tmp_path, column, text):
    found, path = drawn(), tmp_path / "sheet.csv"
    found.save(path, pd.DataFrame({column: [text] * 5_000}))
    sheet = read_sheet(path)
    assert sheet.columns.tolist() == ["id", "answer", column, "design"]
    assert sheet[column].tolist() == [text] * 200
    write_sheet(path, sheet.assign(answer=np.where(said(found), "yes", "no")), over=True)
    assert review_report(found, path).equals(review_report(found, said(found)))


@pytest.mark.parametrize("header", ["answer", " Answer "])
@pytest.mark.parametrize("below", ["", "\n", "\n\n \n", ",,\n", ",,,,,\r\n,,,\r\n", '"","",""\n'], ids=repr)
def test_a_sheet_may_end_in_lines_of_nothing_and_write_its_names_in_other_cases(tmp_path, header, below):
    found, path = drawn(), tmp_path / "back.csv"
    sheet = by_hand(found, np.where(said(found), "yes", "no")).rename(
        columns={"answer": header, "id": "id" if header == "answer" else "ID"}
    )
    path.write_text(sheet.to_csv(index=False) + below)
    assert review_report(found, path).equals(review_report(found, said(found)))


def test_a_column_that_is_shown_may_differ_from_the_sheets_own_in_case_alone(tmp_path):
    found, path = drawn(), tmp_path / "back.csv"
    found.sheet(pd.DataFrame({"ID": IDS, "Answer": IDS})).assign(answer="no").to_csv(path, index=False)
    assert set(pooled(found, path)["answer"]) == {"no"}


def test_an_id_that_lost_its_zeros_is_refused_with_the_cause():
    found = plan_of([6, 2, 0, 4], [0.5] * 8, ids=[f"00{i}" for i in range(8)])
    with pytest.raises(ValueError, match=r"id '6' is no row of this part .* spreadsheet .* '006'"):
        pooled(found, found.sheet().assign(id=["6", "2", "0", "4"]))


@pytest.mark.parametrize(
    ("content", "separator"),
    [
        ("a,b\n1;2;3", ","),
        ("a;b,c;d", ";"),
        ("a\tb", "\t"),
        ("a|b|c,d", "|"),
        ('"a;b;c",d', ","),
        ('"a;""b;c""",d', ","),
        ('"two\nlines;;;",b\n', ","),
        ("\n\na;b\n,,,", ";"),
        ("a;b\r,,,", ";"),
        ("a", ","),
        ("", ","),
    ],
)
def test_what_separates_columns_is_counted_in_the_first_line_and_not_in_quotes(content, separator):
    assert delimiter(content) == separator


def test_a_row_of_a_sheet_that_ends_early_is_filled_with_empty_text(tmp_path):
    (path := tmp_path / "sheet.csv").write_text("id,answer\na\nb,yes\n")
    assert read_sheet(path).values.tolist() == [["a", ""], ["b", "yes"]]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"a,b\n1,\xff\n", r"'utf-8' codec .*"),
        (b"", "No columns to parse from file"),
        (b"a\n1,2\n3,4,5\n", r"Error tokenizing .*"),
    ],
)
def test_why_a_sheet_cannot_be_read_is_said(tmp_path, content, told):
    (path := tmp_path / "sheet.csv").write_bytes(content)
    with pytest.raises(ValueError, match=rf"(?s)^{path} cannot be read \({told}\); a CSV file in UTF-8 is needed$"):
        read_sheet(path)


def test_a_file_that_is_not_there_is_said_to_be_missing(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"nothing\.csv"):
        pooled(drawn(), tmp_path / "nothing.csv")


@pytest.mark.parametrize("more", [{}, {"threshold": None}, {"ids": None}])
def test_a_plan_is_kept_in_a_file(tmp_path, more):
    found = drawn(**more)
    found.save_design(tmp_path / "plan.csv")
    again = read_plan(tmp_path / "plan.csv")
    assert again.design == found.design
    assert review_report(again, said(found)).equals(review_report(found, said(found)))
    assert review_report(again, by_hand(found, said(found))).equals(review_report(found, said(found)))
    with pytest.raises(FileExistsError):
        found.save_design(tmp_path / "plan.csv")


STRATA = {
    "floats": [0.0, 1.0, 2.5, 1e-17],
    "whole numbers": [3, 1, 2, 10**17],
    "text": ["b", "a", "1.0", "1"],
    "odd text": ["=1", "one\rtwo", " ", "a;b;c;d;e;f;g;h;i;j;k"],
    "truth": [True, False, True, False],
    "mixed": pd.Series([1, "1", 2, "2"], dtype=object),
    "dates": pd.date_range("2024-01-01", periods=4),
}


@pytest.mark.parametrize("name", STRATA)
def test_a_plan_is_read_again_whatever_its_strata_are(tmp_path, name):
    path = tmp_path / "plan.csv"
    found = plan_of(range(0, 1_000, 10), np.full(1_000, 0.1), np.repeat(np.asarray(STRATA[name]), 250))
    found.save_design(path)
    again = read_plan(path)
    assert again.design == found.design
    assert [codes.tolist() for codes in again.groups] == [codes.tolist() for codes in found.groups]
    assert review_report(again, TRUTH[:100]).equals(review_report(found, TRUTH[:100]))


@pytest.mark.parametrize(("separator", "decimal"), [(",", "."), (";", ",")])
def test_a_plan_is_read_after_a_spreadsheet_has_saved_it(tmp_path, separator, decimal):
    path, found = tmp_path / "plan.csv", drawn()
    found.whole["stratum"] = found.whole["stratum"].astype(float)  # 0.0, which is saved as 0 there
    found.save_design(path)
    table = pd.read_csv(path).assign(stratum=lambda table: table["stratum"].astype(int))
    table["flagged"] = table["flagged"].map({True: "TRUE", False: "FALSE"})
    table.assign(note="")[[*table][::-1]].to_csv(path, index=False, sep=separator, decimal=decimal)
    assert read_plan(path).design == found.design


def test_a_plan_whose_table_was_changed_is_another_design():
    found, sheet = drawn(), drawn().sheet()
    assert len(pooled(found, sheet)) == 200
    found.whole.loc[0, "probability"] /= 2
    with pytest.raises(ValueError, match="to another design"):
        pooled(found, sheet)


@pytest.mark.parametrize(
    "change",
    [
        lambda table: table.assign(n_rows=4_999),
        lambda table: table.assign(n_flagged=table["n_flagged"] + 1),
        lambda table: table.assign(size=6_000),
        lambda table: table.assign(probability=0.04),
        lambda table: table.assign(probability=table["probability"] * 1.0001),
        lambda table: table.assign(flagged=True),
        lambda table: table.assign(stratum=1),
        lambda table: table[::-1],
        lambda table: table[:-1],
    ],
    ids=["rows", "flagged rows", "size", "probability", "slightly", "flagged", "stratum", "order", "lines"],
)
def test_a_plan_that_was_changed_is_refused(change, tmp_path):
    drawn().save_design(tmp_path / "plan.csv")
    change(pd.read_csv(tmp_path / "plan.csv")).to_csv(tmp_path / "other.csv", index=False)
    with pytest.raises(ValueError, match=r"other\.csv was changed since it was saved: its design is d\w+, not d\w+"):
        read_plan(tmp_path / "other.csv")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("id,answer\n", "it must hold the columns row, id, stratum, probability, size, n_rows, n_flagged, design"),
        ("row,id,stratum,probability,size,n_rows,n_flagged,design\n", "it must hold"),
        ("row,id,stratum,probability,size,n_rows,n_flagged,design\na,b,c,d,1,1,1,e\n", "is no plan: invalid literal"),
    ],
    ids=["columns", "empty", "numbers"],
)
def test_a_file_that_is_no_plan_is_refused(text, found, tmp_path):
    (tmp_path / "x.csv").write_text(text)
    with pytest.raises(ValueError, match=rf"x\.csv is no plan: .*{found.removeprefix('is no plan: ')}"):
        read_plan(tmp_path / "x.csv")


# --- a room of people ------------------------------------------------------------------------------------


def test_shares_are_disjoint_and_together_the_whole_plan():
    found = drawn()
    parts = [found.share(i, 7) for i in range(1, 8)]
    assert sorted(np.concatenate([part.rows for part in parts])) == sorted(found.rows)
    assert [len(part) for part in parts] == [29, 29, 29, 29, 28, 28, 28]
    assert {part.design for part in parts} == {found.design}
    assert [part.sheet()["design"].iloc[0] for part in parts[:2]] == [
        f"{found.design} part 1 of 7",
        f"{found.design} part 2 of 7",
    ]


def test_pooled_shares_are_the_whole_plan_whatever_their_order(tmp_path):
    found = drawn()
    parts = [found.share(i, 3) for i in (3, 1, 2)]
    sheets = [by_hand(part, said(part)) for part in parts]
    sheets[0].to_csv(tmp_path / "a.csv", index=False)
    report = review_report(found, tmp_path / "a.csv", *sheets[1:])
    assert report.equals(review_report(found, said(found)))
    assert review_report(parts[1], *sheets).equals(report)


def test_a_share_alone_estimates_the_whole():
    found = drawn()
    totals = [review_report(part, said(part)).loc["class size"] for part in (found.share(i, 4) for i in range(1, 5))]
    whole = review_report(found, said(found)).loc["class size"]
    assert np.mean([one["estimate"] for one in totals]) == pytest.approx(whole["estimate"], rel=0.3)
    assert all(one["high"] - one["low"] > 1.3 * (whole["high"] - whole["low"]) for one in totals)
    assert {one["reviews"] for one in totals} == {50}


def test_one_answer_of_two_people_counts_once_and_an_answer_before_a_skip():
    found = drawn()
    one, other = (np.full(200, "", dtype=object) for _ in range(2))
    one[:4] = "yes", "skip", "no", "skip"
    other[:4] = "yes", "no", "skip", "skip"
    for pair in ((one, other), (other, one)):
        joined = pooled(found, *(by_hand(found, each) for each in pair))
        assert joined["answer"].tolist()[:5] == ["yes", "no", "no", "skip", ""]


def test_two_answers_to_one_row_are_refused():
    found = drawn()
    with pytest.raises(ValueError, match=f"200 rows have both answers, first id '{found.whole['id'][0]}'; settle them"):
        pooled(found, said(found), ~said(found))


@pytest.mark.parametrize(
    ("call", "found"),
    [
        (lambda one: one.share(0, 3), "i must be a whole number from 1 to 3, got 0"),
        (lambda one: one.share(4, 3), "i must be a whole number from 1 to 3, got 4"),
        (lambda one: one.share(1, 201), "of must be a whole number from 1 to 200, got 201"),
        (lambda one: one.share(1, 2).share(1, 2), "this is share 1 of 2 already; share the whole plan"),
        (lambda one: pooled(one), "at least one sheet"),
        (lambda one: pooled(one, [True]), "unequal lengths: plan has 200, answers has 1"),
        (lambda one: pooled(one, ["yes"] * 200), "answers holds 'yes'"),
    ],
    ids=range(7),
)
def test_shares_and_answers_that_cannot_be_are_refused(call, found):
    with pytest.raises(ValueError, match=found):
        call(drawn())


# --- what the intervals promise --------------------------------------------------------------------------


def test_the_intervals_of_whole_plans_and_of_what_came_in_hold_the_truth():
    flagged = SCORES >= 0.1
    hits = np.sum(TRUTH & flagged)
    truth = np.array([100, hits / flagged.sum(), hits / 100, 100 - hits])
    held = {name: [] for name in ("whole", "some", "alone")}
    for seed in range(60):
        found = drawn(seed=seed)
        for name, people in (("whole", [1, 2, 3, 4, 5]), ("some", [1, 2, 5]), ("alone", [3])):
            parts = [found.share(i, 5) for i in people]
            report = review_report(found, *(by_hand(part, said(part)) for part in parts))
            held[name].append((report["low"] <= truth) & (report["high"] >= truth))
    for name, found in held.items():
        assert np.mean(found, axis=0).min() >= 0.9, name  # nominal 0.95; the seeds are fixed


def test_the_strata_are_those_of_ranks_and_the_split_neymans_where_nothing_is_flagged():
    found = drawn(threshold=None, class_size=100)
    stratum = rank_strata(SCORES, 100, edges=(0.5, 1.5, 5, 15))
    assert found.whole["stratum"].tolist() == stratum[found.rows].tolist()
    share = np.array([0.7, 0.35, 0.06, 0.007])
    above = neyman_allocation(np.bincount(stratum)[:4], np.sqrt(share * (1 - share)), 100)
    assert np.bincount(found.whole["stratum"]).tolist() == pytest.approx([*above, 100], abs=1)


def test_two_answers_are_enough_and_a_fraction_of_a_row_is_not_drawn():
    found = drawn(threshold=None, class_size=100)
    answers = np.full(200, "", dtype=object)
    answers[:2] = "yes", "no"
    report = review_report(found, by_hand(found, answers))
    assert report.loc["class size", "reviews"] == 2
    with pytest.raises(ValueError, match=r"^probability adds up to 2\.5, but rows holds 3 drawn rows$"):
        plan_of([0, 1, 2], np.full(5, 0.5))


def test_a_part_that_is_neither_the_flagged_rows_nor_the_others_may_be_in_every_stratum():
    found = drawn()
    answers = np.where(said(found), "yes", "no").astype(object)
    flagged = found.whole["flagged"].to_numpy()
    whole = estimate_positives(found, answers, within=flagged)
    mixed = flagged.copy()
    mixed[np.flatnonzero(flagged)[0]] = False  # one flagged row fewer, so strata of other rows may hold some, too
    assert estimate_positives(found, answers, within=mixed).high > whole.high
