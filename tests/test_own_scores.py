"""91_your_own_scores is a form: it says what is so of any file it is given, and nothing where there is no basis."""

import itertools
import re
from contextlib import nullcontext
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import matplotlib
import matplotlib.pyplot as plt
import nbformat
import numpy as np
import pytest
from explorers.helpers import nobody_looks

from evalteach import files, plots, sweep
from evalteach.classification import average_precision

NOTEBOOK = Path(__file__).resolve().parent.parent / "notebooks" / "91_your_own_scores.ipynb"
GIVEN = (
    "FILE",
    "LABEL",
    "SCORE",
    "POSITIVE",
    "RATIO",
    "UNLABELED",
    "UNLABELED_SCORE",
    "CLASS_SIZE",
    "BUDGET",
    "THRESHOLD",
)


@cache
def cells():
    return [
        (cell.cell_type, cell.source, tuple(cell.metadata.get("tags", ())))
        for cell in nbformat.read(NOTEBOOK, as_version=4).cells
    ]


@pytest.fixture
def page(monkeypatch):
    """Run the notebook's code on parameters, as the page does or with what is for Lab only, drawn or not; its words."""

    def page(*, whole=False, seen=False, **given):
        shown = []
        monkeypatch.setattr("IPython.display.display", lambda *each, **_: shown.extend(each))
        monkeypatch.setattr("IPython.core.display_functions.display", lambda *each, **_: shown.extend(each))
        if not seen:  # drawing is what takes long
            monkeypatch.setattr(plots, "show", lambda figure, alt: shown.append(alt) or plt.close(figure))
        space = {"__name__": "notebook"}
        with matplotlib.rc_context({"backend": "agg"}), nullcontext() if seen else nobody_looks():
            for kind, source, tags in cells():
                if kind == "code" and (whole or "notebook-only" not in tags):
                    if "parameters" in tags:
                        source = "\n".join(f"{name} = {given.get(name)!r}" for name in GIVEN)
                    exec(compile(source, source[:60], "exec"), space)
        text = "\n".join(each.data for each in shown if type(each).__name__ == "Markdown").replace("\u00a0", " ")
        alts = [getattr(each, "alt", each) for each in shown if type(each).__name__ in ("Image", "str")]
        assert not re.search(r"\bnan\b|\binf\b|None", text + " ".join(alts)), text
        assert all(len(alt) > 20 for alt in alts)
        return SimpleNamespace(text=text, alts=alts, space=space, shown=shown)

    return page


@pytest.fixture
def written(tmp_path):
    """Write columns to a CSV file; its name."""

    def written(name="own.csv", **columns):
        lines = [",".join(columns), *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True))]
        path = tmp_path / name
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return str(path)

    return written


def scored(n=400, seed=0, ratio=4):
    """Labels and probabilities that overlap."""
    rng = np.random.default_rng(seed)
    label = (np.arange(n) % (ratio + 1) == 0).astype(int)
    return label, (1 / (1 + np.exp(-rng.normal(2.2 * label - 1.8, 1.2)))).round(4)


@pytest.fixture
def both(written):
    label, score = scored()
    new = written("new.csv", score=scored(3_000, seed=1, ratio=29)[1])
    return written(label=label, score=score), new


SOME = [
    [name for name, yes in zip(("UNLABELED", "CLASS_SIZE", "BUDGET"), given, strict=True) if yes]
    for given in itertools.product([False, True], repeat=3)
]


@pytest.mark.parametrize(
    "given", [some + ["RATIO"] * (len(some) % 2) for some in SOME], ids=lambda some: "-".join(some) or "none"
)
def test_whatever_is_given_or_left_out_it_runs_and_says_no_more_than_that(page, both, given):
    wanted = {"RATIO": 50, "UNLABELED": both[1], "CLASS_SIZE": "80:130", "BUDGET": 200}
    wanted = {name: wanted[name] for name in given}
    told = page(FILE=both[0], **wanted)
    assert ("No class ratio was given" in told.text) == ("RATIO" not in wanted)
    assert ("Of 3,000 rows without a label" in told.text) == ("UNLABELED" in wanted)
    assert ("without a label, of which 80 to 130 are assumed to be positive, we choose" in told.text) == (
        {"UNLABELED", "CLASS_SIZE"} <= wanted.keys()
    )
    assert ("An expert looks at 200 rows" in told.text) == ({"UNLABELED", "BUDGET"} <= wanted.keys())
    assert len(told.alts) == 5 + ({"UNLABELED", "CLASS_SIZE"} <= wanted.keys())


def test_its_sentences_are_counted_by_hand(page, both):
    label, score = scored()
    told = page(FILE=both[0], RATIO=100)
    tp, fp, positives = np.sum(label * (score >= 0.5)), np.sum((1 - label) * (score >= 0.5)), label.sum()
    assert f"{tp + fp} of 400 rows are flagged." in told.text
    counted = f"Of the {tp + fp} flagged rows, {tp} are positive, so the precision is **{tp / (tp + fp):.3f} ["
    assert counted in told.text
    assert f"Of the {positives} positive rows, {tp} are flagged, so the recall is **{tp / positives:.3f} [" in told.text
    deployed = tp / (tp + fp * 100 * positives / (400 - positives))
    assert f"With 100 negatives per positive, the precision at this threshold is **{deployed:.3f} [" in told.text


def test_in_the_notebook_what_was_not_given_is_named(page, both):
    assert "No file of unlabeled scores was given" in (told := page(whole=True, FILE=both[0]).text)
    assert "so there is no plan" in told
    assert "so there is no plan" in page(whole=True, FILE=both[0], UNLABELED=both[1]).text


def test_the_plan_is_for_the_threshold_that_the_reader_chose(page, both):
    given = {"FILE": both[0], "UNLABELED": both[1], "CLASS_SIZE": 100, "BUDGET": 200}
    told = page(THRESHOLD=0.7, **given)
    assert "Here, a row is flagged if its score is 0.7 or more." in told.text
    assert all(told.space["new_scores"][told.space["drawn"].whole.query("flagged")["row"]] >= 0.7)
    low, high = (1 / told.space["drawn"].whole["probability"]).agg(["min", "max"])
    assert f"between {low:.3g} and {high:.3g} rows. So precision, recall, and the number of" in told.text
    assert "or more, which is the threshold chosen in section 7." in page(**given).text


def test_probabilities_are_called_too_high_where_chance_does_not_explain_them(page, written):
    rng = np.random.default_rng(2)
    score = rng.random(2_000).round(3)
    label = (rng.random(2_000) < score).astype(int)
    assert "Overall" not in page(FILE=written(label=label, score=score)).text
    assert (
        "Overall, the probabilities are too high."
        in page(FILE=written(label=label, score=np.sqrt(score).round(3))).text
    )
    assert "Overall, the probabilities are too low." in page(FILE=written(label=label, score=(score**2).round(3))).text


def test_with_explorers_it_runs_on_a_file_too(page, both):
    told = page(whole=True, seen=True, FILE=both[0], RATIO=50, UNLABELED=both[1], CLASS_SIZE=100, BUDGET=200)
    explorers = {type(each).__name__ for each in told.shown} & {"CalibrationExplorer", "ClassSizeExplorer"}
    assert explorers == {"CalibrationExplorer", "ClassSizeExplorer"}
    assert "of which 100 are assumed to be positive" in told.text


@pytest.mark.parametrize("whole", [False, True])
def test_scores_that_are_no_probabilities_are_not_checked_as_such(page, written, whole):
    label, score = scored()
    told = page(whole=whole, FILE=written(label=label, score=(10 * score - 3).round(3)))
    assert "so they are not probabilities" in told.text
    assert "log loss" not in told.text.lower()
    assert "which has the highest F1 on these rows" in told.text


@pytest.mark.parametrize("whole", [False, True])
def test_decisions_instead_of_scores_are_told_so(page, written, whole):
    label, score = scored()
    told = page(whole=whole, FILE=written(label=label, score=(score > 0.4).astype(int)))
    assert "they are decisions" in told.text


@pytest.mark.parametrize("whole", [False, True])
def test_ties_are_flagged_together(page, written, both, whole):
    label, score = scored()
    coarse = score.round(1)
    told = page(whole=whole, FILE=written(label=label, score=coarse), UNLABELED=both[1], CLASS_SIZE=100, BUDGET=100)
    assert f"{np.sum(coarse >= 0.5)} of 400 rows are flagged" in told.text
    tied = written("tied.csv", score=scored(3_000, seed=1)[1].round(1))
    assert (
        "of which 90 to 100 are assumed to be positive, we choose the threshold"
        in page(whole=whole, FILE=both[0], UNLABELED=tied, CLASS_SIZE="90:100", BUDGET=100).text
    )


@pytest.mark.parametrize("whole", [False, True])
def test_twenty_rows_will_do(page, written, both, whole):
    label, score = scored(20)
    given = {"RATIO": 1_000, "UNLABELED": both[1], "CLASS_SIZE": 3, "BUDGET": 40}
    assert "of 20 rows are flagged" in page(whole=whole, FILE=written(label=label, score=score), **given).text


@pytest.mark.parametrize("whole", [False, True])
def test_perfect_separation_gets_no_interval_of_the_area_and_no_zero_rate(page, written, whole):
    label, _ = scored(60)
    score = np.where(label == 1, 0.8, 0.2) + np.arange(60) / 1_000
    told = page(whole=whole, FILE=written(label=label, score=score.round(3)), RATIO=1_000)
    assert "(AUC), and it is **1.000**. No interval can be computed from a perfect ranking" in told.text
    assert "No negative of 48 was flagged. This does not mean that the rate is 0" in told.text
    assert "average precision, which is **1.000**" in told.text


def test_one_false_alarm_is_said_to_be_little(page, written):
    label, _ = scored(60)
    score = np.where(label == 1, 0.8, 0.2) + np.arange(60) / 1_000
    score[1] = 0.9
    assert "All of this rests on 1 false alarm," in page(FILE=written(label=label, score=score.round(3)), RATIO=20).text


@pytest.mark.parametrize(
    ("threshold", "said"),
    [(0.99999, "0 of 400 rows are flagged, so precision is undefined and recall is 0."), (-1, "400 of 400 rows are")],
)
@pytest.mark.parametrize("whole", [False, True])
def test_a_threshold_may_flag_nothing_or_everything(page, both, threshold, said, whole):
    given = {"RATIO": 50, "UNLABELED": both[1], "BUDGET": 100, "CLASS_SIZE": 100}
    assert said in page(whole=whole, FILE=both[0], THRESHOLD=threshold, **given).text


def test_scores_upside_down_are_named(page, written):
    label, score = scored()
    assert "the scores are upside down" in page(FILE=written(label=label, score=1 - score)).text


def test_scores_are_reversed_for_what_the_column_means_and_not_for_the_number(page, written):
    label, score = scored()
    ask = "Reverse them only if the column is known to be high for rows that are not positive."
    assert ask in page(FILE=written(label=label, score=1 - score)).text
    perfect = page(FILE=written(label=label, score=(1 - label) / 2 + np.arange(400) / 1_000)).text
    assert f"Each positive row scores below all others, so the scores are upside down. {ask}" in perfect
    label, score = scored(40)
    chance = page(FILE=written(label=label, score=np.random.default_rng(0).random(40).round(3))).text
    assert "The interval contains one half" in chance
    assert "Reverse" not in chance


def test_an_impossible_label_makes_log_loss_infinite_in_words(page, written):
    label, score = scored()
    score[int(np.argmax(label))] = 0
    told = page(FILE=written(label=label, score=score)).text
    assert "The log loss is infinite, because a label occurred whose probability was 0." in told


def test_positives_that_score_below_all_others_promise_nothing(page, both, written):
    new = written("high.csv", score=np.linspace(0.9995, 1, 50))
    told = page(FILE=both[0], UNLABELED=new, CLASS_SIZE=10, BUDGET=20)
    assert "flagging would find nothing" in told.text


@pytest.mark.parametrize("whole", [False, True])
def test_rows_grouped_by_label_and_score_give_the_same_page(page, both, written, monkeypatch, whole):
    label, score = scored()
    path, given = (
        written("some.csv", label=label, score=score.round(2)),
        {"UNLABELED": both[1], "RATIO": 30, "CLASS_SIZE": 100},
    )
    alone = page(FILE=path, **given)
    monkeypatch.setattr(files, "LARGE", 200)
    told = page(whole=whole, FILE=path, **given)
    assert told.space["own"].weights is not None
    if not whole:
        read = r"- (some|new)\.csv has .*"  # whether it was grouped
        assert re.sub(read, "", told.text) == re.sub(read, "", alone.text)
        assert told.alts == alone.alts


def test_rows_drawn_from_groups_are_not_passed_off_as_places_in_the_file(page, both, written, monkeypatch):
    coarse = written("coarse.csv", score=scored(3_000, seed=1, ratio=29)[1].round(2))
    given = {"FILE": both[0], "UNLABELED": coarse, "CLASS_SIZE": 100, "BUDGET": 100}
    assert "holds no positions" not in page(whole=True, **given).text
    monkeypatch.setattr(files, "LARGE", 1_000)
    assert "coarse.csv was read in groups of equal scores, so `drawn` holds no positions" in page(
        whole=True, **given
    ).text.replace("&#95;", "_")


def test_a_million_rows_are_drawn_from_a_few_hundred_points(page, monkeypatch):
    label, score = scored(1_000_000, ratio=99)
    table = files.ScoreTable(label == 1, score, None, "y", "s", "1", label.size, ("made",), ())
    monkeypatch.setattr(files, "read_scores", lambda *_, **__: table)
    told = page(FILE="made.csv", RATIO=500)
    assert told.space["points"].tp.size < 500
    assert "of 1,000,000 rows are flagged" in told.text


def test_names_of_a_file_are_text_and_no_markup(page, written):
    label, score = scored()
    nasty = np.where(label == 1, "<b>*a*|$x$_`", "[ok](x)")
    told = page(
        FILE=written("<i>_own_.csv", **{"score": score, "<script>": nasty}), LABEL="<script>", POSITIVE="<b>*a*|$x$_`"
    )
    bare = re.sub(r"\*\*|`[-A-Z_a-z ]+`", "", told.text)
    assert not re.search(r"[<>$`*\[]own|<|\*|_own_|\$|`|\[ok", bare)


def test_what_cannot_be_is_refused_with_a_sentence(page, both):
    with pytest.raises(ValueError, match="CLASS_SIZE must be low:high"):
        page(FILE=both[0], UNLABELED=both[1], CLASS_SIZE="120:70")
    with pytest.raises(ValueError, match="ratio"):
        page(FILE=both[0], RATIO=-3)
    with pytest.raises(ValueError, match="at most 3000"):
        page(FILE=both[0], UNLABELED=both[1], CLASS_SIZE=5_000)
    told = page(FILE=both[0], UNLABELED=both[1], CLASS_SIZE=100, BUDGET=3)
    assert "There is no plan for 3 reviews:" in told.text


@pytest.mark.parametrize(("positives", "negatives", "distance"), [(20, 180, 2.0), (30, 3_000, 2.0), (100, 900, 1.0)])
def test_the_interval_of_average_precision_holds_what_many_rows_would_give(page, both, positives, negatives, distance):
    ends, rng = page(FILE=both[0]).space["average_precision_ends"], np.random.default_rng(0)

    def drawn(times):
        label = np.arange(times * (positives + negatives)) < times * positives
        return average_precision(sweep(label, rng.normal(distance * label)).counts)

    truth = np.mean([drawn(100) for _ in range(3)])
    found = [ends(drawn(1), positives) for _ in range(300)]
    assert np.mean([low <= truth <= high for low, high in found]) >= 0.93
    assert np.mean([high - low for low, high in found]) < 0.5, "an interval of everything would cover, too"


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("place", [0, 1])
def test_infinite_scores_are_ordered_and_not_drawn(page, written, both, whole, place):
    label, score = scored()
    score[place], score[place + 2] = np.inf, -np.inf
    given = {"UNLABELED": both[1], "RATIO": 30, "CLASS_SIZE": 100, "BUDGET": 100}
    told = page(whole=whole, FILE=written(label=label, score=score), **given)
    assert "Of the scores, 2 are infinite" in told.text
    assert "so they are not probabilities" in told.text
    assert "400 rows" in told.text


def test_unlabeled_scores_may_have_another_name(page, both, written):
    new = written("new.csv", risk=scored(3_000, seed=1, ratio=29)[1], amount=np.arange(3_000))
    assert "3,000 rows" in page(FILE=both[0], UNLABELED=new, UNLABELED_SCORE="risk").text


def test_scores_on_another_scale_are_questioned(page, both, written):
    logits = written("logits.csv", score=(6 * scored(3_000, seed=1, ratio=29)[1] - 4).round(3))
    assert "Do both come from the same model" in page(FILE=both[0], UNLABELED=logits, CLASS_SIZE=100).text
    assert "Do both come from the same model" not in page(FILE=both[0], UNLABELED=both[1], CLASS_SIZE=100).text
