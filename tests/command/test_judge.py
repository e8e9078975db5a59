"""`evalteach report --judge`: its numbers, what it refuses, and the page that it writes."""

import gzip
import re

import numpy as np
import pandas as pd
import pyarrow
import pyarrow.parquet
import pytest
from pages import checked
from scipy.stats import binomtest

from evalteach.classification import recall, specificity
from evalteach.command.judge import judged_page, read_verdicts
from evalteach.counts import Counts
from evalteach.judged import judged_rate

HOSTILE = "<script>alert(1)</script>"


def table(*rows):
    """One row for each (verdict, label) and each of its times, in a mixed order."""
    rows = pd.DataFrame([row[:2] for row in rows for _ in range(row[2])], columns=["verdict", "human"])
    return rows.sample(frac=1, random_state=0).reset_index(drop=True)


# of 100 labeled rows 49 are good, and the judge is right on 44 of these and on 34 of the others
JUDGED = table(
    *(("pass", "good", 44), ("pass", "bad", 17), ("fail", "good", 5), ("fail", "bad", 34)),
    *(("pass", "", 570), ("fail", "", 330)),
)
BY_HAND = pd.crosstab(JUDGED["verdict"], JUDGED["human"])
COUNTS = Counts(
    **{"tp": BY_HAND["good"]["pass"], "fp": BY_HAND["bad"]["pass"]},
    **{"fn": BY_HAND["good"]["fail"], "tn": BY_HAND["bad"]["fail"]},
)


def renamed(passed, failed, good, bad, rows=JUDGED):
    """The same rows with other words."""
    return rows.replace({"verdict": {"pass": passed, "fail": failed}, "human": {"good": good, "bad": bad}})


@pytest.fixture
def write(tmp_path, monkeypatch):
    """A file of these rows in the current folder."""
    monkeypatch.chdir(tmp_path)

    def write(rows=JUDGED, **options):
        rows.to_csv(path := tmp_path / "judged.csv", index=False, **options)
        return path

    return write


# --- what is read ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "positive"),
    [
        (("pass", "fail", "good", "bad"), None),
        (("Passed", "FAILED", "Yes", "no"), None),
        (("1", "0", "true", "false"), None),
        (("+", "-", "+", "-"), None),
        (("ok", "no good", "OK", "no good"), "ok"),
        (("pass", "fail", "helpful", "useless"), "helpful"),
        (("fair", "unfair", "1.0", "0"), "fair"),
    ],
)
def test_the_counts_are_those_of_a_table_by_hand_in_whichever_words(write, words, positive):
    read = read_verdicts(write(renamed(*words)), judge="verdict", positive=positive)
    assert (read.n_passed, read.n_judged, read.labeled) == (BY_HAND.loc["pass"].sum(), len(JUDGED), COUNTS)
    assert read.warnings == []
    assert f"'{words[0]}' means passed in 631 rows, '{words[1]}' means failed in 369 rows" in read.summary[1]
    assert f"'{words[3]}' means bad in 51 rows, '{words[2]}' means good in 49 rows" in read.summary[2]
    assert read.summary[3].startswith("900 rows with no label count by the verdict alone")


def test_tables_are_read_as_those_of_scores_are(write, tmp_path):
    commas = write(renamed("1,0", "0,0", "1", "0"), sep=";")
    assert read_verdicts(commas, judge="Verdict").labeled == COUNTS
    commas.write_bytes(gzip.compress(commas.read_bytes()))
    assert read_verdicts(commas, judge="verdict", label="human").labeled == COUNTS
    numbers = renamed(1, 0, 1, 0).replace({"human": {"": None}}).astype({"verdict": int, "human": float})
    pyarrow.parquet.write_table(pyarrow.Table.from_pandas(numbers), path := tmp_path / "judged.parquet")
    read = read_verdicts(path, judge="verdict")
    assert (read.n_passed, read.labeled) == (631, COUNTS)
    assert "'1' means passed" in read.summary[1]


def test_rows_without_a_verdict_are_left_out_and_rows_of_one_user_are_told(write):
    rows = pd.concat([JUDGED, table(("", "good", 2), ("n/a", "bad", 1))]).assign(
        user=lambda rows: np.arange(len(rows)) // 3
    )
    read = read_verdicts(write(rows), judge="verdict", label="human")
    assert (read.n_judged, read.labeled) == (1_000, COUNTS)
    assert read.warnings[0].startswith("3 rows of 1,003 are left out, since column 'verdict' is missing or 'n/a' there")
    assert read.warnings[1].startswith("Column 'user' has 335 different values")


def test_labels_of_one_class_are_read_if_no_word_may_be_the_other(write):
    rows = table(("pass", "good", 20), ("fail", "good", 10), ("pass", "", 50), ("fail", "", 20))
    read = read_verdicts(write(rows), judge="verdict")
    assert read.labeled == Counts(tp=20, fp=0, fn=10, tn=0)
    with pytest.raises(ValueError, match=r"is 'good' in all 30 rows. Rows of 'none' were taken as unlabeled"):
        read_verdicts(write(rows.replace("", "none")), judge="verdict")


def test_labels_that_do_not_look_drawn_are_told(write):
    rows = table(("pass", "good", 30), ("pass", "bad", 10), ("fail", "bad", 40), ("pass", "", 900), ("fail", "", 20))
    read = read_verdicts(write(rows), judge="verdict")
    assert not read.looks_drawn
    assert read.warnings[0].startswith("40 of the 80 labeled rows passed, and 940 of all 1,000, which")
    assert "There is no comparison" in judged_page(read, drawn=True)
    assert read_verdicts(write(rows), judge="verdict", drawn=False).warnings == []


def test_a_random_draw_seldom_does_not_look_like_one(write):
    rng, answers = np.random.default_rng(0), JUDGED.assign(human=np.where(JUDGED["human"] == "bad", "bad", "good"))
    for _ in range(30):
        drawn = np.isin(np.arange(1_000), rng.permutation(1_000)[:50])
        assert read_verdicts(write(answers.where(drawn[:, None] | [True, False], "")), judge="verdict").looks_drawn


# --- what is refused -------------------------------------------------------------------------------------

FEW = table(("pass", "good", 4), ("fail", "bad", 5), ("pass", "", 60), ("fail", "", 31))
HALF = table(("pass", "good", 20), ("pass", "bad", 20), ("pass", "", 40), ("fail", "", 20))
UNLABELED = JUDGED[["verdict"]].assign(id=range(1_000), answer=[f"answer {row}" for row in range(1_000)])
SCORES = pd.DataFrame({"score": np.arange(100) / 100, "label": np.arange(100) % 2})
DRAW = "so nothing says what share is good. Draw 100 rows at random, and let people label them: with 100 labels"
REFUSED = [  # the rows, what is asked for, and words of the sentence
    (JUDGED, "verdikt", "--judge 'verdikt' is no column of judged.csv. It has 'verdict', 'human'."),
    (JUDGED, "verdict --label who", "--label 'who' is no column of judged.csv. It has 'verdict', 'human'."),
    (JUDGED, "verdict --label verdict", "label and judge are both 'verdict'. Name two columns of 'verdict', 'human'"),
    (
        UNLABELED,
        "verdict",
        "which is 0.631, but no column seems to hold labels (name it with --label), so nothing",
    ),
    (JUDGED.assign(human=""), "verdict", f"0.631, but column 'human' of judged.csv labels 0 of them, {DRAW}"),
    (
        FEW,
        "verdict",
        "passed 64 of 100 rows, which is 0.640, but column 'human' of judged.csv labels 9 of them, so",
    ),
    (renamed("pass", "fail", "good", "fine"), "verdict", "means good, as --positive 'fine' or --positive 'good'."),
    (JUDGED, "verdict --positive ok", "'ok' occurs neither in column 'verdict' of judged.csv nor in column 'human' of"),
    (
        JUDGED.assign(human=np.arange(1_000) % 5),
        "verdict --label human",
        "holds 5 labels. Say which means good, as --positive",
    ),
    (
        SCORES,
        "score",
        "holds 100 verdicts. Say which means passed, as --positive '0.0' or --positive '0.01' or",
    ),
    (SCORES, "score", "...; all others mean failed. For a file of scores, leave --judge out."),
    (HALF, "verdict", "none of the 40 labeled rows failed, and without such labels there is no estimate. Let people"),
    (HALF, "verdict", "label some rows that failed, drawn at random from these."),
    (renamed("fail", "pass", "good", "bad", HALF), "verdict", "none of the 40 labeled rows passed, and without"),
    (HALF.replace("bad", "good"), "verdict --not-drawn", "are bad, and without such labels there is no estimate."),
    (HALF[HALF["verdict"] == "pass"], "verdict", "is 'pass' in all 80 rows. Rows of both classes are needed."),
    (JUDGED[JUDGED["human"] != ""], "verdict --not-drawn", "all rows have a label, so none is left"),
    (JUDGED.assign(verdict=""), "verdict", "column 'verdict' of judged.csv is missing in all rows."),
    (JUDGED, "verdict --ratio 3", "--ratio is about scores; leave it out with --judge."),
    (JUDGED, "verdict --unlabeled judged.csv", "--unlabeled is about scores; leave it out with --judge."),
]


@pytest.mark.parametrize(("rows", "asked", "words"), REFUSED)
def test_what_says_nothing_is_refused_in_a_sentence(write, refused, rows, asked, words):
    assert words in refused("report", write(rows).name, "--judge", *asked.split())
    assert [path.name for path in write(rows).parent.iterdir()] == ["judged.csv"]


def test_without_verdicts_no_labels_are_elsewhere(write, refused):
    assert refused("report", write().name, "--not-drawn").startswith(
        "--not-drawn is about labels beside verdicts; name"
    )


# --- the page --------------------------------------------------------------------------------------------


def page(run, write, rows, *options):
    code, out, errors = run("report", write(rows).name, "--judge", "verdict", *options, "--out", "page.html")
    assert (code, errors, out[-1][:18]) == (0, [], "written: page.html")
    return checked(write(rows).with_name("page.html"))


def test_the_page_says_the_share_by_labels_drawn_and_how_much_the_judge_helped(run, write):
    found = page(run, write, JUDGED)
    rate, alone = judged_rate(631, 1_000, COUNTS), binomtest(49, 100).proportion_ci()
    assert found.words.startswith("What the verdicts in judged.csv say")
    assert "The judge passed 631 of 1,000 rows, so the pass rate is 0.631." in found.words
    assert (
        f"the estimated share of good answers is {rate.estimate:.3f} [{rate.low:.3f}, {rate.high:.3f}]." in found.words
    )
    told = re.search(
        r"labels alone would give 0.490 \[(.*), (.*)\], an .* is (.*) times .* about (\d+) more", found.words
    )
    low, high, factor, more = map(float, told.groups())
    assert (low, high) == pytest.approx(alone, abs=0.006)
    assert factor == pytest.approx((high - low) / (rate.high - rate.low), abs=0.01)
    assert more == pytest.approx(100 * factor**2 - 100, abs=1.2)
    assert re.search(r"labeled bad 34 17 51 labeled good 5 44 49 total 39 61 100 ", found.words)
    se, sp = binomtest(44, 49).proportion_ci(), binomtest(34, 51).proportion_ci()
    assert f"sensitivity 44 of 49 {recall(COUNTS):.3f} [{se.low:.3f}, {se.high:.3f}]" in found.words
    assert f"specificity 34 of 51 {specificity(COUNTS):.3f} [{sp.low:.3f}, {sp.high:.3f}]" in found.words
    assert "drawn at random" in found.words
    assert "run the command again with --not-drawn" in found.words


def test_a_judge_that_guesses_did_not_help(run, write):
    guesses = table(
        *((verdict, label, 20) for verdict in ("pass", "fail") for label in ("good", "bad")),
        ("pass", "", 50),
        ("fail", "", 50),
    )
    assert "The judge did not help. The labels alone would give 0.500" in page(run, write, guesses).words


def test_labels_that_were_not_drawn_give_the_rates_alone(run, write):
    found = page(run, write, JUDGED, "--not-drawn")
    rate = judged_rate(570, 900, COUNTS, drawn=False)
    assert "The judge passed 570 of 900 rows without a label" in found.words
    assert f"good answers is {rate.estimate:.3f} [{rate.low:.3f}, {rate.high:.3f}]." in found.words
    assert "alone would give" not in found.words


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (JUDGED[(JUDGED["human"] != "") | (JUDGED["verdict"] == "pass")], "good answers is 1.181 ["),
        (
            table(*((verdict, label, 9) for verdict in ("pass", "fail") for label in ("good", "bad", ""))),
            "is undefined [0",
        ),
    ],
)
def test_a_pass_rate_that_no_share_explains_is_told(run, write, rows, words):
    found = page(run, write, rows, "--not-drawn")
    assert words in found.words
    assert "No share of good answers gives this pass rate with this sensitivity and specificity." in found.words


def test_words_of_a_file_are_no_markup(run, write):
    link = f"{HOSTILE} [x](https://bad.example) https://bad.example"
    rows = renamed("*b* `c` $d$", link, "*b* `c` $d$", "<b>|bad|").rename(columns={"human": HOSTILE})
    found = page(run, write, rows, "--positive", "*b* `c` $d$", "--label", HOSTILE)
    assert (
        f"The verdict is column 'verdict': '*b* `c` $d$' means passed in 631 rows, '{link[:37]}...' means"
        in found.words
    )
    assert f"The label is column '{HOSTILE}': '<b>|bad|' means bad in 51 rows, '*b* `c` $d$' means" in found.words
    assert not found.all("a")
