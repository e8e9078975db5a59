"""What README.md and CONTRIBUTING.md say: the example runs, what they name is there, the picture shows its numbers."""

import re
import subprocess
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import make_gif
import nbformat
import numpy as np
import pytest
from PIL import Image

from evalteach import at_class_ratio, data, sweep
from evalteach.classification import precision
from evalteach.command.catalogue import FIRST
from evalteach.command.main import main

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
    }
    space = dict(given)
    exec(block("python"), space)
    by_hand = np.sum(y_true & (given["y_score"] >= 0.6)), np.sum(~y_true & (given["y_score"] >= 0.6))
    assert (space["counts"].tp, space["counts"].fp) == by_hand
    with_fractions = by_hand[0], by_hand[1] * 1_600 * y_true.sum() / (~y_true).sum()
    assert precision(at_class_ratio(space["counts"], 1_600)) == pytest.approx(with_fractions[0] / sum(with_fractions))


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="an unpacked source distribution knows no tracked files")
def test_the_top_level_holds_what_a_visitor_needs_and_nothing_else():
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    shown = {name for name in (path.split("/")[0] for path in tracked) if not name.startswith(".")}
    assert shown == {"notebooks", "evalteach", "tests", "binder", "README.md", "pyproject.toml", "LICENSE"}


def test_it_is_short():
    assert len(README.encode()) <= 8_000


def test_every_command_is_explained_by_its_help(capsys):
    with pytest.raises(SystemExit, match="0"):
        main(["--help"])
    commands = re.findall(r"^    (\w+) +\S", capsys.readouterr().out, flags=re.M)
    assert {"lab", "report", "list", "check"} <= {*commands}
    for command in commands:
        with pytest.raises(SystemExit, match="0"):
            main([command, "--help"])
        options = re.findall(r"^  (--[\w-]+.*(?:\n {6,}.*)?)", capsys.readouterr().out, flags=re.M)
        assert all(re.search(r"\s{2,}\w", option) for option in options), options


@pytest.mark.parametrize("page", ["README.md", ".github/CONTRIBUTING.md"])
def test_what_it_names_is_there(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    paths = re.findall(r"\b(?:tests|notebooks|evalteach|\.github)/[\w./]+", text) + re.findall(r"\.ci/\w+", text)
    linked = [target for target in re.findall(r"\]\(([^)]*)\)", text) if not target.startswith("http")]
    missing = {path for path in paths if not (ROOT / path).exists()}
    missing |= {target for target in linked if not ((ROOT / page).parent / target.partition("#")[0]).exists()}
    assert missing <= {"notebooks/NAME.ipynb"}


def test_the_binder_address_of_the_guide_opens_the_first_notebook():
    guide = nbformat.read(ROOT / "notebooks" / "93_teaching.ipynb", as_version=4)
    text = "\n".join(cell.source for cell in guide.cells)
    link = urlsplit(re.search(r"https://mybinder\.org[^\s`]+", text)[0])
    assert link.path == "/v2/gh/OWNER/REPO/TAG"
    assert parse_qs(link.query) == {"urlpath": [f"lab/tree/notebooks/{FIRST}"]}


def test_the_moving_picture_shows_the_numbers_that_its_text_names(tmp_path):
    first, last = re.search(r"from 9 to 1,600: of 100 alarms, first (\d+) and then (\d+) are real", README).groups()
    counts = sweep(*data.digit_detector(9)).at(0.59)
    assert round((counts.fp + counts.tn) / (counts.tp + counts.fn)) == 9
    assert [f"{100 * precision(c):.0f}" for c in (counts, at_class_ratio(counts, 1_600))] == [first, last]
    make_gif.main(tmp_path / "made.gif")
    with Image.open(tmp_path / "made.gif") as made, Image.open(make_gif.GIF) as stored:
        assert (made.size, made.n_frames) == (stored.size, stored.n_frames)
