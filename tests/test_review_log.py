"""The review log without a browser: answer, go back, save, resume, and read what it says."""

import base64
import io

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from evalteach import data
from evalteach.explorers import ReviewLog
from evalteach.review import horvitz_thompson

PICTURES = np.random.default_rng(0).integers(0, 17, (20, 8, 8))
ROWS = np.array([7, 3, 19, 0, 12])
EQUAL = np.full(20, 0.25)


def make(**more):
    return ReviewLog(PICTURES, ROWS, **{"probability": EQUAL, "question": "Is this a 9?", **more})


def test_an_empty_log_says_that_it_is_empty():
    log = make()
    assert repr(log) == "0 of 5 pictures reviewed: no estimate before the second answer."
    assert log.estimate() is None
    assert log.log.columns.tolist() == ["row", "probability", "stratum", "label"]
    assert log.log["row"].tolist() == ROWS.tolist()
    assert log.log["label"].isna().all()


def test_the_buttons_answer_and_take_back():
    log = make()
    log.yes.click()
    log.no.click()
    assert log.log["label"].tolist()[:2] == [True, False]
    assert "Picture 3 of 5." in log.asked.value
    log.back.click()
    assert log.answered == 1
    assert "Picture 2 of 5." in log.asked.value
    log.yes.click()
    assert log.log["label"].tolist()[:2] == [True, True]


def test_the_buttons_that_cannot_be_used_are_disabled():
    log = make()
    assert (log.yes.disabled, log.no.disabled, log.back.disabled) == (False, False, True)
    log.answer([True] * 5)
    assert (log.yes.disabled, log.no.disabled, log.back.disabled) == (True, True, False)
    assert "All are answered." in log.asked.value
    log.back.click()
    assert (log.yes.disabled, log.answered) == (False, 4)
    for _ in range(9):
        log.step_back()
    assert log.answered == 0


def test_every_button_has_a_name_and_the_picture_says_which_one_it_is():
    log = make()
    assert [button.description for button in (log.yes, log.no, log.back)] == ["yes", "no", "back"]
    assert all(button.tooltip for button in (log.yes, log.no, log.back))
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
        f"5 of 5 pictures reviewed, 3 said to be positive: about {expected.total:.0f} of 20 rows "
        f"({expected.total / 20:.3f}), with 95 % confidence between {expected.low:.0f} and {expected.high:.0f} "
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
    other = make(stratum=stratum[::-1])
    with pytest.raises(ValueError, match="log was drawn in another stratum"):
        other.resume(tmp_path / "log.csv")
    assert other.answered == 0


def test_two_answers_from_one_stratum_are_an_estimate_already():
    probability = np.where(np.arange(20) < 2, 1.0, 1 / 6)
    log = ReviewLog(PICTURES, [0, 1, 5, 8, 11], probability, np.where(np.arange(20) < 2, 0, 1))
    log.answer([True, True])
    assert log.estimate().total == pytest.approx(2 / 0.4)
    log.answer([False, True, False])
    assert log.estimate().total == pytest.approx(2 + 6)


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
        (lambda log: log.assign(row=log["row"][::-1].to_numpy()), "for the same rows in the same order"),
        (lambda log: log.drop(columns="label"), "log must hold the columns row, probability, stratum, label, for"),
        (lambda log: log.assign(label=[True, None, True, None, None]), "answers after an open one, at line 1"),
        (
            lambda log: log.assign(label=["yes", "no", None, None, None]),
            r"label must be True or False, or empty for an open row, got \['yes', 'no'\]",
        ),
        (lambda log: log.assign(probability=[0.25, 0.25, 0.25, 0.25, 0.9]), "log was drawn with another probability"),
        (lambda log: log.assign(probability="a quarter"), "log was drawn with another probability"),
        (lambda log: log.assign(stratum=[0, 0, 0, 0, 1]), "log was drawn in another stratum for some rows"),
        (lambda log: log.drop(columns="stratum"), "log must hold the columns row, probability, stratum, label, for"),
        (lambda log: log.assign(label=[1, 2, None, None, None]), r"label must be True or False, .* got \[1.0, 2.0\]"),
    ],
)
def test_a_log_of_something_else_is_refused(change, found):
    log = make()
    with pytest.raises(ValueError, match=found):
        log.resume(change(log.log))
    assert log.answered == 0


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
        ({"rows": [3], "probability": EQUAL[:4]}, "unequal lengths: pictures has 20, probability has 4"),
        ({"rows": [3], "pictures": PICTURES[0]}, "pictures must have three dimensions"),
        ({"rows": [3], "confidence": 95}, "confidence must be between 0 and 1, got 95"),
        ({"rows": [3], "confidence": "95 %"}, "confidence must be one real number, got '95 %'"),
        ({"rows": [3], "stratum": [None] + ["a"] * 19}, "stratum is missing at position 0; every row needs one"),
        ({"rows": [3, 4], "probability": np.ones(20)}, "probability adds up to 20, but rows holds 2 drawn rows"),
        ({"rows": [3, 4]}, "probability adds up to 5, but rows holds 2 drawn rows"),
        ({"rows": ROWS, "pictures": np.where(PICTURES == 3, np.nan, PICTURES)}, "pictures must be finite grey values"),
        ({"rows": ROWS, "pictures": PICTURES - np.inf}, "pictures must be finite grey values"),
    ],
)
def test_a_log_that_cannot_be_is_refused(more, found):
    with pytest.raises(ValueError, match=found):
        ReviewLog(**{"pictures": PICTURES, "probability": EQUAL, **more})


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
