"""The review log without a browser: answer, skip, go back, keep, resume, and read what it says."""

import base64
import io
import os

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from evalteach import data, plan, review_report
from evalteach.explorers import ReviewLog
from evalteach.reviews.estimates import horvitz_thompson
from evalteach.reviews.sheets import read_sheet

PICTURES = np.random.default_rng(0).integers(0, 17, (20, 8, 8))
ROWS = np.array([7, 3, 19, 0, 12])
EQUAL = np.full(20, 0.25)


def make(show=PICTURES, **more):
    return ReviewLog(show, ROWS, **{"probability": EQUAL, "question": "Is this a 9?", **more})


def buttons(log):
    return log.yes, log.no, log.later, log.back


def test_an_empty_log_says_that_it_is_empty():
    log = make()
    assert repr(log) == "0 of 5 pictures reviewed: no estimate before the second answer."
    assert log.estimate() is None
    assert log.log.columns.tolist() == ["id", "answer", "design"]
    assert log.log["id"].tolist() == ["7", "3", "19", "0", "12"]
    assert set(log.log["answer"]) == {""}


def test_the_buttons_answer_and_take_back():
    log = make()
    log.yes.click()
    log.no.click()
    assert log.log["answer"].tolist() == ["yes", "no", "", "", ""]
    assert "Picture 3 of 5." in log.asked.value
    log.back.click()
    assert log.answered == 1
    assert "Picture 2 of 5." in log.asked.value
    log.yes.click()
    assert log.log["answer"].tolist() == ["yes", "yes", "", "", ""]


def test_the_buttons_that_cannot_be_used_are_disabled():
    log = make()
    assert [button.disabled for button in buttons(log)] == [False, False, False, True]
    log.answer([True] * 5)
    assert [button.disabled for button in buttons(log)] == [True, True, True, False]
    assert "All are answered." in log.asked.value
    log.back.click()
    assert (log.yes.disabled, log.answered) == (False, 4)
    for _ in range(9):
        log.step_back()
    assert log.answered == 0


def test_every_button_has_a_name_and_the_picture_says_which_one_it_is():
    log = make()
    assert [button.description for button in buttons(log)] == ["yes", "no", "skip", "back"]
    assert all(button.tooltip for button in buttons(log))
    assert log.picture.tooltip == "Picture 1 of 5, enlarged from 8 by 8 pixels"


def test_the_reviewer_sees_neither_score_nor_stratum():
    log = make(stratum=np.full(20, "suspicious"))
    assert "suspicious" not in log.asked.value + log.sentence.value + log.picture.tooltip


def test_the_picture_is_that_of_the_row_enlarged():
    log = make()
    for row in ROWS:
        shown = Image.open(io.BytesIO(log.picture.value))
        assert shown.size == (224, 224)
        blocks = np.asarray(shown.convert("L").resize((10, 10), Image.Resampling.BOX), dtype=float)[1:9, 1:9]
        assert np.corrcoef(blocks.ravel(), -PICTURES[row].ravel())[0, 1] > 0.9
        log.answer(False)


def test_a_finished_log_estimates_with_the_strata_and_the_drawn_probabilities():
    stratum = np.arange(20) // 10
    probability = np.where(stratum == 0, 0.3, 0.2)
    log = make(probability=probability, stratum=stratum)
    labels = [True, False, True, True, False]
    log.answer(labels)
    expected = horvitz_thompson(labels, probability[ROWS], 20, stratum=stratum[ROWS])
    assert log.estimate() == expected
    assert repr(log) == (
        f"5 of 5 pictures reviewed, 3 labeled positive: about {expected.total:.0f} of 20 rows "
        f"({expected.total / 20:.3f}), with 95% confidence between {expected.low:.0f} and {expected.high:.0f} "
        f"({expected.low / 20:.3f} to {expected.high / 20:.3f})."
    )


def test_an_unfinished_log_is_a_smaller_sample():
    log = make()
    log.answer([True, False])
    # two of five drawn from 20 by lot: two of 20
    assert log.estimate() == pytest.approx(horvitz_thompson([True, False], [0.1, 0.1], 20))
    assert log.estimate().total == pytest.approx(10)


def test_rows_that_could_not_be_drawn_do_not_count():
    probability = np.where(np.isin(np.arange(20), [*ROWS, 1, 2, 4, 5, 6]), 0.5, 0.0)
    log = make(probability=probability)
    log.answer([True] * 5)
    assert log.estimate().total == 10
    assert "about 10 of 10 rows" in repr(log)


def test_answers_can_come_one_by_one_or_all_at_once():
    one, other = make(), make()
    for label in (1, 0, np.True_, False, 1):
        one.answer(label)
    other.answer(np.array([1, 0, 1, 0, 1]))
    pd.testing.assert_frame_equal(one.log, other.log)
    assert repr(one) == repr(other)


def test_a_log_is_saved_to_a_new_file_and_resumed(tmp_path):
    path = tmp_path / "nines.csv"
    log = make()
    log.answer([True, False, True])
    log.save(path)
    again = make()
    again.resume(path)
    assert repr(again) == repr(log)
    assert "Picture 4 of 5." in again.asked.value
    again.answer([False, True])
    third = make()
    third.resume(again.log)
    pd.testing.assert_frame_equal(third.log, again.log)
    empty = make()
    empty.save(tmp_path / "empty.csv")
    again.resume(tmp_path / "empty.csv")
    assert again.answered == 0


@pytest.mark.parametrize(
    "names", [[0, 1], [0.5, 1.5], ["01", "1"], ["NA", "x"], [True, False], pd.Categorical(["b", "a"])]
)
def test_a_saved_log_finds_its_strata_again(tmp_path, names):
    stratum = np.asarray(names)[np.arange(20) % 2]
    log, again = make(stratum=stratum), make(stratum=stratum)
    log.answer([True, False])
    log.save(tmp_path / "log.csv")
    again.resume(tmp_path / "log.csv")
    assert repr(again) == repr(log)
    other = make(stratum=np.asarray(names)[np.arange(20) // 10])
    with pytest.raises(ValueError, match="the answers are to another design"):
        other.resume(tmp_path / "log.csv")
    assert other.answered == 0


def test_two_answers_from_one_stratum_are_an_estimate_already():
    probability = np.where(np.arange(20) < 2, 1.0, 1 / 6)
    log = ReviewLog(PICTURES, [0, 1, 5, 8, 11], probability, np.where(np.arange(20) < 2, 0, 1))
    log.answer([True, True])
    assert log.estimate().total == pytest.approx(2 / 0.4)
    log.answer([False, True, False])
    assert log.estimate().total == pytest.approx(2 + 6)


def test_a_log_is_reported_and_resumed_as_its_table_is():
    rows = plan(np.random.default_rng(1).random(20), 10, threshold=0.5)
    log, later = ReviewLog(PICTURES, rows), ReviewLog(PICTURES, rows)
    log.answer(np.arange(10) % 3 == 0)
    pd.testing.assert_frame_equal(review_report(rows, log), review_report(rows, log.log))
    later.resume(log)
    assert later.answered == 10


def test_a_file_that_is_there_is_never_overwritten(tmp_path):
    path = tmp_path / "notes.csv"
    path.write_text("mine")
    with pytest.raises(FileExistsError):
        make().save(path)
    assert path.read_text() == "mine"


def test_resuming_copies_so_that_the_earlier_log_stays():
    log, later = make(), make()
    log.answer([True, True])
    later.resume(log.log)
    later.answer(False)
    assert log.answered == 2


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (lambda log: log.drop(columns="answer"), "needs the columns id, answer, design; 'answer' is missing"),
        (lambda log: log.assign(answer=["yes", "perhaps", "", "", ""]), "got 'perhaps' for id '3'"),
        (lambda log: log.assign(design="d0 part 1 of 1"), r"another design \(d0 part 1 of 1\), not to d"),
        (lambda log: log.assign(id=["7", "3", "7", "0", "12"]), "id '7' is there twice"),
        (lambda log: log.assign(id=["7", "3", "1", "0", "12"]), "id '1' is no row of this part"),
        (lambda log: make(probability=EQUAL, stratum=np.arange(20) % 2).log, "to another design"),
        (lambda log: ReviewLog(PICTURES, make().plan.share(1, 2)).log, "that of another share"),
    ],
    ids=["answer", "words", "design", "twice", "unknown", "strata", "share"],
)
def test_a_log_of_something_else_is_refused(change, found):
    log = make()
    with pytest.raises(ValueError, match=found):
        log.resume(change(log.log))
    assert log.answered == 0


def test_a_log_finds_its_answers_by_id_whatever_the_order():
    log, again = make(), make()
    log.answer([True, False, True])
    again.resume(log.log.iloc[::-1])
    assert again.log["answer"].tolist() == ["yes", "no", "yes", "", ""]


@pytest.mark.parametrize(
    ("labels", "found"),
    [
        ([True] * 6, "labels holds 6 answers, but 5 pictures are left"),
        ([True, 2], "labels must be True or False"),
        ("yes", "labels must be True or False"),
        ([[True, False]], "labels must be True or False"),
    ],
)
def test_answers_that_are_none_are_refused(labels, found):
    log = make()
    with pytest.raises(ValueError, match=found):
        log.answer(labels)
    assert log.answered == 0


@pytest.mark.parametrize(
    ("more", "found"),
    [
        ({"rows": [1, 1]}, "rows holds a row twice"),
        ({"rows": [1, 20]}, "rows must be positions from 0 to 19, got 1 to 20"),
        ({"rows": [0.5]}, "rows must be positions"),
        ({"rows": [3], "probability": np.where(np.arange(20) == 3, 0, 0.5)}, "row 3 has probability 0"),
        ({"rows": [3], "probability": -EQUAL}, "probability holds -0.25 at position 0; probabilities must be"),
        (
            {"rows": [3], "probability": EQUAL[:4], "stratum": np.ones(20)},
            "unequal lengths: probability has 4, stratum has 20",
        ),
        ({"rows": ROWS, "show": PICTURES[0]}, r"pictures with three dimensions, got shape \(8, 8\)"),
        ({"rows": ROWS, "confidence": 95}, "confidence must be between 0 and 1, got 95"),
        ({"rows": ROWS, "confidence": "95 %"}, "confidence must be one real number, got '95 %'"),
        ({"rows": [3], "stratum": [None] + ["a"] * 19}, "stratum is missing at position 0; every row needs one"),
        ({"rows": [3, 4], "probability": np.ones(20)}, "probability adds up to 20, but rows holds 2 drawn rows"),
        ({"rows": [3, 4]}, "probability adds up to 5, but rows holds 2 drawn rows"),
        ({"rows": ROWS, "show": PICTURES[:19]}, "unequal lengths: show has 19, probability has 20"),
        ({"rows": ROWS, "show": np.where(PICTURES == 3, np.nan, PICTURES)}, "pictures must be finite grey values"),
        ({"rows": ROWS, "show": PICTURES - np.inf}, "pictures must be finite grey values"),
    ],
)
def test_a_log_that_cannot_be_is_refused(more, found):
    with pytest.raises(ValueError, match=found):
        ReviewLog(**{"show": PICTURES, "probability": EQUAL, **more})


def test_the_output_holds_widget_picture_and_sentence():
    log = make()
    bundle, metadata = log._repr_mimebundle_()
    assert {*bundle} == {"application/vnd.jupyter.widget-view+json", "image/png", "text/plain"}
    assert base64.b64decode(bundle["image/png"]) == log.picture.value
    assert bundle["text/plain"] == repr(log)
    assert metadata["image/png"]["alt"] == f"Picture 1 of 5, enlarged from 8 by 8 pixels. {log!r}"


def test_the_pictures_are_those_of_the_unlabeled_rows():
    parts, pictures = data.digits_three_of_ten(), data.unlabeled_pictures()
    assert pictures.shape == (1528, 8, 8)
    from sklearn.datasets import load_digits

    every = load_digits()
    label_of = {picture.tobytes(): label for picture, label in zip(every.images, every.target, strict=True)}
    assert [label_of[picture.tobytes()] for picture in pictures] == parts.unlabeled_labels.tolist()
    other = data.unlabeled_pictures((9, 3), seed=1)
    labels = data.digits_three_of_ten((3, 9), seed=1).unlabeled_labels
    assert [label_of[picture.tobytes()] for picture in other] == labels.tolist()


# --- tables and texts, skipped rows, and a file --------------------------------------------------------------


TABLE = pd.DataFrame(
    {"amount": np.arange(20.0), "<b>note</b>": [f"<script>{i}</script>\nsecond line" for i in range(20)]}
)


def test_a_table_shows_all_columns_of_the_row_and_nothing_in_it_is_html():
    log = make(TABLE)
    assert "Row 1 of 5." in log.asked.value
    assert "7.0" in log.table.value
    assert "&lt;script&gt;7&lt;/script&gt;" in log.table.value
    assert "&lt;b&gt;note&lt;/b&gt;" in log.table.value
    assert "<script>" not in log.table.value
    assert "<b>" not in log.table.value
    log.answer(True)
    assert "&lt;script&gt;3&lt;/script&gt;" in log.table.value
    assert log.table in log.view.children
    assert repr(log).startswith("1 of 5 rows reviewed")
    bundle, metadata = log._repr_mimebundle_()
    assert {*bundle} == {"application/vnd.jupyter.widget-view+json", "text/plain"}
    assert metadata == {}


def test_texts_are_a_table_of_one_column():
    log = make([f"claim & {i}" for i in range(20)])
    assert "Text 1 of 5." in log.asked.value
    assert "claim &amp; 7" in log.table.value


def test_the_order_of_a_table_counts_and_not_its_index():
    log = make(TABLE.set_index(np.arange(20)[::-1]))
    assert "script&gt;7&lt;" in log.table.value


def test_a_question_is_text():
    assert "<i>" not in make(question="<i>Is it?</i>").asked.value


def test_skip_leaves_a_row_open_and_back_finds_it_again_at_the_end():
    log = make()
    log.answer([True, False])
    log.later.click()
    log.no.click()
    log.back.click()
    assert log.log["answer"].tolist() == ["yes", "no", "skip", "", ""]
    log.answer([True, False])
    assert log.log["answer"].tolist() == ["yes", "no", "skip", "yes", "no"]
    assert "All are seen." in log.asked.value
    assert [button.disabled for button in buttons(log)] == [True, True, True, False]
    log.back.click()
    assert "Picture 3 of 5." in log.asked.value
    log.yes.click()
    assert log.log["answer"].tolist() == ["yes", "no", "yes", "yes", "no"]
    assert "All are answered." in log.asked.value
    log.skip()
    assert log.log["answer"].tolist() == ["yes", "no", "yes", "yes", "no"]
    log.back.click()
    assert log.log["answer"].tolist() == ["yes", "no", "yes", "yes", ""]
    log.skip()
    log.skip()
    assert log.log["answer"].tolist() == ["yes", "no", "yes", "yes", "skip"]


def test_an_interval_with_a_skipped_row_holds_both_answers():
    logs = [make(), make(), make()]
    for log in logs:
        log.answer([True, False, True, False])
    skipped, no, yes = logs
    skipped.skip()
    no.answer(False)
    yes.answer(True)
    assert skipped.estimate().low == no.estimate().low
    assert skipped.estimate().high == yes.estimate().high
    assert skipped.estimate().total == pytest.approx(10)
    assert repr(skipped).startswith("4 of 5 pictures reviewed, 1 skipped, 2 labeled")


def test_a_log_with_a_file_keeps_every_answer_and_goes_on_there(tmp_path):
    path = tmp_path / "log.csv"
    log = make(path=path)
    assert path.exists()
    log.yes.click()
    assert make(path=path).log["answer"].tolist() == ["yes", "", "", "", ""]
    log.back.click()
    log.no.click()
    log.later.click()
    assert make(path=str(path)).log["answer"].tolist() == ["no", "skip", "", "", ""]
    assert [file.name for file in tmp_path.iterdir()] == ["log.csv"]


def test_without_a_file_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    make().answer([True] * 5)
    assert list(tmp_path.iterdir()) == []


def test_a_sheet_of_a_spreadsheet_keeps_its_columns(tmp_path):
    path = tmp_path / "sheet.csv"
    log = make()
    sheet = log.plan.sheet(TABLE)
    sheet.loc[1, "answer"] = "TRUE"
    sheet.iloc[::-1].to_csv(path, index=False, sep=";")
    again = make(path=path)
    again.answer(False)
    kept = pd.read_csv(path, dtype=str, keep_default_na=False)
    assert kept["answer"].tolist() == ["no", "yes", "", "", ""]
    assert kept["amount"].tolist() == ["7.0", "3.0", "19.0", "0.0", "12.0"]
    assert kept["<b>note</b>"].tolist() == TABLE["<b>note</b>"].iloc[ROWS].tolist()


def test_a_file_of_another_design_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "log.csv"
    make(path=path).answer(True)
    before = path.read_bytes()
    with pytest.raises(ValueError, match=r"log.csv: the answers are to another design"):
        make(path=path, probability=np.where(np.isin(np.arange(20), ROWS), 0.4, 0.2))
    assert path.read_bytes() == before


def test_a_save_that_is_interrupted_leaves_the_file_as_it_was(tmp_path, monkeypatch):
    path = tmp_path / "log.csv"
    log = make(path=path)
    log.answer(True)
    before = path.read_bytes()
    monkeypatch.setattr("os.replace", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        log.answer(True)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["log.csv"]
    monkeypatch.undo()
    log.answer(False)
    assert make(path=path).log["answer"].tolist() == ["yes", "yes", "no", "", ""]


def test_a_file_that_somebody_else_has_changed_is_left_alone_and_the_sentence_says_so(tmp_path):
    path = tmp_path / "log.csv"
    one, other = make(path=path), make(path=path)
    one.answer([True, True])
    other.answer(False)
    assert make(path=path).answered == 2
    assert "Not saved (the file was changed by somebody else)" in other.sentence.value
    assert other.answered == 1
    assert "Not saved" not in repr(one)


def test_a_log_at_a_link_keeps_its_answers_in_the_file_behind_it(tmp_path):
    (tmp_path / "shared").mkdir()
    behind, link = tmp_path / "shared" / "real.csv", tmp_path / "log.csv"
    link.symlink_to("shared/real.csv")
    for answered in (1, 2):
        make(path=link).answer(True)
        assert link.is_symlink()
        assert (read_sheet(behind)["answer"] == "yes").sum() == answered
    assert [file.name for file in behind.parent.iterdir()] == ["real.csv"]


@pytest.mark.skipif(os.name != "posix", reason="files have other modes there")
def test_a_log_that_only_its_reviewer_may_read_stays_so(tmp_path):
    make(path=(path := tmp_path / "log.csv"))
    path.chmod(0o600)
    make(path=path).answer([True, False])
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_log_goes_on_in_its_file_after_the_current_folder_changed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    log = make(path="log.csv")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    log.answer(True)
    assert "Not saved" not in repr(log)
    assert read_sheet(tmp_path / "log.csv")["answer"].tolist()[0] == "yes"
    assert not [*(tmp_path / "elsewhere").iterdir()]


def test_a_sheet_whose_header_says_answer_in_another_case_is_resumed_and_keeps_all_columns(tmp_path):
    path, log = tmp_path / "sheet.csv", make()
    sheet = log.plan.sheet(TABLE.assign(more=1)).rename(columns={"answer": "Answer"})
    sheet.set_axis(["ID", *sheet.columns[1:-2], "amount", "design"], axis=1).to_csv(path, index=False)
    make(path=path).answer(True)
    again = read_sheet(path)
    assert sorted(again.columns) == ["<b>note</b>", "amount", "amount", "answer", "design", "id"]
    assert again["answer"].tolist()[0] == "yes"


def test_a_plan_and_its_shares_are_reviewed_like_drawn_rows():
    whole = make()
    again = ReviewLog(PICTURES, whole.plan)
    assert again.log.equals(whole.log)
    part = ReviewLog(PICTURES, whole.plan.share(2, 2))
    assert part.log["id"].tolist() == ["3", "0"]
    part.answer([True, False])
    assert part.estimate().total == pytest.approx(10)
