"""What README.md says: its example runs, its commands are there, its picture shows the numbers that it names."""

import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import make_gif
import numpy as np
import pandas as pd
import pytest
from PIL import Image

from evalteach import at_class_ratio, cli, data, sweep
from evalteach.classification import precision

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def block(language, place=0):
    return re.findall(rf"^```{language}\n(.*?)^```$", README, flags=re.M | re.S)[place]


def test_the_example_runs_on_a_readers_arrays():
    rng = np.random.default_rng(0)
    y_true = np.arange(400) % 10 == 0
    given = {
        "y_true": y_true,
        "y_score": np.clip(rng.normal(0.3 + 0.4 * y_true, 0.15), 0, 1),
        "test_positive_scores": rng.normal(1, 1, 50),
        "unlabeled_scores": rng.normal(0, 1, 2_000),
    }
    space = dict(given)
    exec(block("python"), space)
    by_hand = np.sum(y_true & (given["y_score"] >= 0.6)), np.sum(~y_true & (given["y_score"] >= 0.6))
    assert (space["counts"].tp, space["counts"].fp) == by_hand
    low, high = space["curve"].precision_band((70, 120), k=100)
    assert low < high


def test_the_example_of_a_review_reads_what_an_expert_filled_in(tmp_path, monkeypatch):
    rng = np.random.default_rng(1)
    month = pd.DataFrame({"id": [f"c{i}" for i in range(20_000)], "score": rng.random(20_000) ** 6})
    is_fraud = rng.random(20_000) < month["score"]
    monkeypatch.chdir(tmp_path)
    month.assign(amount=rng.random(20_000).round(2), text="=1+1").to_csv("last_month.csv", index=False)
    asked, answered = block("python", 1).split("review_report(drawn", maxsplit=1)
    exec(asked, space := {})
    sheet = pd.read_csv("answers.csv", dtype=str)
    assert [*sheet] == ["id", "answer", "amount", "text", "design"], "no scores"
    truth = dict(zip(month["id"], is_fraud, strict=True))
    sheet.assign(answer=["yes" if truth[name] else "no" for name in sheet["id"]]).to_csv("answers.csv", index=False)
    exec("found = review_report(drawn" + answered, space)
    found, flagged = space["found"], month["score"] >= 0.5
    true = {"class size": is_fraud.sum(), "precision": is_fraud[flagged].mean(), "recall": flagged[is_fraud].mean()}
    assert all(found.loc[name, "low"] <= value <= found.loc[name, "high"] for name, value in true.items())
    assert len(space["first"]) == 120


def test_the_table_of_commands_names_every_command_and_option(capsys):
    named = [*dict.fromkeys(re.findall(r"^\| `evalteach (\w+)", README, flags=re.M))]  # a command may have several rows
    for command in named:
        with pytest.raises(SystemExit, match="0"):
            cli.main([command, "--help"])
        options = re.findall(r"--[\w-]+", capsys.readouterr().out)
        rows = "\n".join(re.findall(rf"^\| `evalteach {command}.*$", README, flags=re.M))
        assert set(re.findall(r"--[\w-]+", rows)) == {*options} - {"--help"}
    with pytest.raises(SystemExit, match="0"):
        cli.main(["--help"])
    listed = re.findall(r"^    (\w+) ", capsys.readouterr().out, flags=re.M)
    assert named == listed


def test_the_commands_for_contributors_lead_to_files_that_exist():
    contributors = README.partition("## For contributors")[2]
    paths = re.findall(r"\b(?:tests|notebooks|evalteach|\.github)/[\w./]+", contributors)
    paths += re.findall(r"\.ci/\w+", README)
    paths += re.findall(r"\]\(([^)]*)\)", README)
    missing = {path for path in paths if not path.startswith("http") and not (ROOT / path).exists()}
    assert missing <= {"notebooks/NAME.ipynb"}


def test_the_binder_link_opens_the_first_notebook():
    link = urlsplit(re.search(r"^https://mybinder\.org\S+$", README, flags=re.M)[0])
    assert link.path == "/v2/gh/OWNER/REPO/TAG"
    assert parse_qs(link.query) == {"urlpath": [f"lab/tree/notebooks/{cli.FIRST}"]}


def test_the_moving_picture_shows_the_numbers_that_its_text_names(tmp_path):
    first, last = re.search(r"from 9 to 1,600: of 100 alarms, first (\d+) and then (\d+) are real", README).groups()
    counts = sweep(*data.digit_detector(9)).at(0.59)
    assert round((counts.fp + counts.tn) / (counts.tp + counts.fn)) == 9
    assert [f"{100 * precision(c):.0f}" for c in (counts, at_class_ratio(counts, 1_600))] == [first, last]
    make_gif.main(tmp_path / "made.gif")
    with Image.open(tmp_path / "made.gif") as made, Image.open(make_gif.GIF) as stored:
        assert (made.size, made.n_frames) == (stored.size, stored.n_frames)
