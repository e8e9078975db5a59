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

from evalteach import plots, sweep
from evalteach.classification import average_precision
from evalteach.command import reading
from evalteach.command.report import PARAMETERS

NOTEBOOK = Path(__file__).resolve().parent.parent / "notebooks" / "91_your_own_scores.ipynb"
GIVEN = ("FILE", "UNLABELED", *(name.upper() for name in PARAMETERS))


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


REVERSE = "Reverse them only if the column is known to be high for rows that are not positive."


def odd_files():
    """What is odd: label, score, what else is given, and what the page says, or says not (after "not ")."""
    label, score = scored()
    infinite, impossible = score.copy(), score.copy()
    infinite[[0, 2]] = np.inf, -np.inf
    impossible[np.argmax(label)] = 0
    small, _ = scored(60)
    apart = np.where(small == 1, 0.8, 0.2) + np.arange(60) / 1_000
    one_off = np.where(np.arange(60) == 1, 0.9, apart)
    chance = np.random.default_rng(0).random(40).round(3)
    ties = f"{np.sum(score.round(1) >= 0.5)} of 400 rows are flagged"
    return {
        "no probabilities": (
            *(label, 10 * score - 3, {}),
            ["so they are not probabilities", "which has the highest F1 on these rows", "not log loss is"],
        ),
        "decisions": (label, score > 0.4, {}, ["they are decisions"]),
        "ties": (label, score.round(1), {"BUDGET": 100}, [ties]),
        "twenty rows": (*scored(20), {"RATIO": 1_000, "CLASS_SIZE": 3, "BUDGET": 40}, ["of 20 rows are flagged"]),
        "a perfect ranking": (
            *(small, apart, {"RATIO": 1_000}),
            [
                "(AUC), and it is **1.000**. No interval can be computed from a perfect ranking",
                "No negative of 48 was flagged. This does not mean that the rate is 0",
                "average precision, which is **1.000**",
            ],
        ),
        "one false alarm": (small, one_off, {"RATIO": 20}, ["All of this rests on 1 false alarm,"]),
        "nothing flagged": (
            label,
            score,
            {"THRESHOLD": 0.99999},
            ["0 of 400 rows are flagged, so precision is und"],
        ),
        "everything flagged": (label, score, {"THRESHOLD": -1}, ["400 of 400 rows are"]),
        "upside down": (label, 1 - score, {}, ["the scores are upside down", REVERSE]),
        "all upside down": (
            *(label, (1 - label) / 2 + np.arange(400) / 1_000, {}),
            [f"Each positive row scores below all others, so the scores are upside down. {REVERSE}"],
        ),
        "chance": (scored(40)[0], chance, {}, ["The interval contains one half", "not Reverse"]),
        "an impossible label": (label, impossible, {}, ["The log loss is infinite, because a label occurred whose"]),
        "infinite scores": (label, infinite, {}, ["Of the scores, 2 are infinite", "400 rows"]),
    }


@pytest.mark.parametrize("name", odd_files())
def test_an_odd_file_is_described_as_it_is(page, written, both, name):
    label, score, given, words = odd_files()[name]
    given = {"UNLABELED": both[1], "RATIO": 30, "CLASS_SIZE": 100, "BUDGET": 100} | given
    text = page(whole=True, FILE=written(label=label, score=(score * 1.0).round(5)), **given).text
    for sentence in words:
        assert (sentence.removeprefix("not ") in text) != sentence.startswith("not ")


def test_odd_unlabeled_scores_are_described_as_they_are(page, both, written):
    tied = written("tied.csv", score=scored(3_000, seed=1)[1].round(1))
    told = page(FILE=both[0], UNLABELED=tied, CLASS_SIZE="90:100", BUDGET=100)
    assert "of which 90 to 100 are assumed to be positive, we choose the threshold" in told.text
    high = written("high.csv", score=np.linspace(0.9995, 1, 50))
    assert "flagging would find nothing" in page(FILE=both[0], UNLABELED=high, CLASS_SIZE=10, BUDGET=20).text


@pytest.mark.parametrize("whole", [False, True])
def test_rows_grouped_by_label_and_score_give_the_same_page(page, both, written, monkeypatch, whole):
    label, score = scored()
    path, given = (
        written("some.csv", label=label, score=score.round(2)),
        {"UNLABELED": both[1], "RATIO": 30, "CLASS_SIZE": 100},
    )
    alone = page(FILE=path, **given)
    monkeypatch.setattr(reading, "LARGE", 200)
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
    monkeypatch.setattr(reading, "LARGE", 1_000)
    assert "coarse.csv was read in groups of equal scores, so `drawn` holds no positions" in page(
        whole=True, **given
    ).text.replace("&#95;", "_")


def test_a_million_rows_are_drawn_from_a_few_hundred_points(page, monkeypatch):
    label, score = scored(1_000_000, ratio=99)
    table = reading.ScoreTable(label == 1, score, None, "y", "s", "1", label.size, ("made",), ())
    monkeypatch.setattr(reading, "read_scores", lambda *_, **__: table)
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


def test_unlabeled_scores_may_have_another_name(page, both, written):
    new = written("new.csv", risk=scored(3_000, seed=1, ratio=29)[1], amount=np.arange(3_000))
    assert "3,000 rows" in page(FILE=both[0], UNLABELED=new, UNLABELED_SCORE="risk").text


def test_scores_on_another_scale_are_questioned(page, both, written):
    logits = written("logits.csv", score=(6 * scored(3_000, seed=1, ratio=29)[1] - 4).round(3))
    assert "Do both come from the same model" in page(FILE=both[0], UNLABELED=logits, CLASS_SIZE=100).text
    assert "Do both come from the same model" not in page(FILE=both[0], UNLABELED=both[1], CLASS_SIZE=100).text
