"""The letters experiment: what is stored, how faithfully, what it shows, and runs made again where the data are."""

import hashlib
import importlib.metadata
import importlib.util
import os
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import make_letters_scores as tool
import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import f1_score, precision_score, recall_score

from evalteach.classification import fbeta, precision, recall
from evalteach.counts import sweep
from evalteach.data import letters_provenance, letters_scores
from evalteach.data.letters import LABELED_LETTERS, LETTERS_MODELS, LETTERS_SCORES, _unpacked
from evalteach.unlabeled import UnlabeledCurve

NO_LIGHTGBM = "" if importlib.util.find_spec("lightgbm") else "LightGBM is not installed"
HAS_LETTERS = Path(os.environ.get("EVALTEACH_DATA_DIR") or "nowhere", tool.LETTERS_FILE).is_file()
MISSING = NO_LIGHTGBM if HAS_LETTERS else "EVALTEACH_DATA_DIR does not name the folder of letter-recognition.data"
refits = pytest.mark.skipif(bool(MISSING), reason=MISSING or "nothing is missing")

# what the article's program printed: hidden rows of each letter, macro figures at 0.5 or the highest score, macro F1
HIDDEN = {"G": 274, "H": 269, "L": 280, "M": 304, "S": 282, "V": 291}
PUBLISHED_F1 = {"estimated": 0.6430, "picked": 0.5753, "best": 0.6047}


def figures(run):
    """Macro figures of one run: test and true precision and recall at 0.5, the estimate, and three F1."""
    found = []
    for letter in run.classes:
        test, unlabeled = run.of(letter)
        counts, truth = sweep(*test).at(0.5), sweep(*unlabeled)
        pick, now = UnlabeledCurve(test.positives, unlabeled.y_score).best(HIDDEN[letter]), truth.at(0.5)
        estimate = recall(counts) * HIDDEN[letter] / (now.tp + now.fp)
        f1 = fbeta(now), fbeta(truth.at(pick.threshold)), np.max(fbeta(truth.counts))
        found.append([precision(counts), recall(counts), precision(now), recall(now), estimate, *f1])
    return np.mean(found, axis=0)


@pytest.fixture(scope="module")
def stored():
    return {model: [letters_scores(seed, model) for seed in range(10)] for model in LETTERS_MODELS}


@pytest.fixture(scope="module")
def made_of():
    return letters_provenance()


@pytest.fixture(scope="module")
def article_rows():
    return tool.article_rows(tool.load_letters())


# --- what is stored --------------------------------------------------------------------------------------


def test_the_file_is_small_and_needs_no_pickle():
    assert LETTERS_SCORES.stat().st_size < 1_000_000
    with np.load(LETTERS_SCORES, allow_pickle=False) as file:
        kinds = {file[name].dtype.kind for name in file.files}
    assert kinds <= {"u", "f", "U"}


def test_the_file_says_where_it_comes_from(made_of):
    assert made_of["sha256"] == tool.LETTERS_SHA256
    assert made_of["seeds"].tolist() == list(range(10))
    for name in ("python", "numpy", "scikit-learn", "lightgbm"):
        assert f"{name} " in made_of["versions"]
    newer = made_of["versions"].rpartition(" ")[2]
    assert made_of[f"versions with {newer}"] == made_of["versions"]
    assert made_of["versions with 2.3.1"].endswith("lightgbm 2.3.1")
    for release in ("2.3.1", newer):
        for rows in ("the article's rows", "drawn rows"):
            assert made_of[f"F1 with {release} on {rows}"].shape == (50, 3)
    assert made_of["F1 of the article's remedy"].shape == (10, 2)
    assert len(made_of) == 10  # and none of the scores


def test_the_balanced_model_of_the_first_seed_is_given_unless_told(stored):
    given, first = letters_scores(), stored["balanced"][0]
    np.testing.assert_array_equal(given.unlabeled_scores, first.unlabeled_scores)
    assert given.classes == LABELED_LETTERS


def test_the_extra_trees_know_one_letter_alone():
    run = letters_scores(1, "extra trees")
    assert run.classes == ("V",)
    assert run.test_scores.shape == (run.test_labels.size, 1)


@pytest.mark.parametrize("model", LETTERS_MODELS)
def test_every_run_has_the_class_sizes_that_the_article_printed(stored, model):
    for run in stored[model]:
        assert run.classes == (("V",) if model == "extra trees" else LABELED_LETTERS)
        assert run.test_scores.shape == (run.test_labels.size, len(run.classes))
        assert run.unlabeled_scores.shape == (13_304, len(run.classes))
        assert set(run.test_labels) == set(LABELED_LETTERS)
        assert set(run.unlabeled_labels) == set("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        for letter, hidden in HIDDEN.items():  # a fifth of the other half is the test set
            assert np.sum(run.unlabeled_labels == letter) == hidden
            assert np.sum(run.test_labels == letter) == pytest.approx(hidden / 5, abs=1)
        assert run.unlabeled_labels.size + 5 * run.test_labels.size == pytest.approx(15_000, abs=10)


@pytest.mark.parametrize("model", LETTERS_MODELS)
def test_rows_are_sorted_by_letter_and_seeds_differ(stored, model):
    first, second = stored[model][:2]
    for labels in (first.test_labels, first.unlabeled_labels):
        assert np.all(labels[1:] >= labels[:-1])
    assert np.mean(first.unlabeled_scores != second.unlabeled_scores) > 0.01


@pytest.mark.parametrize(("seed", "model"), [(10, "balanced"), (-1, "balanced"), (0, "unbalanced"), ("0", "balanced")])
def test_what_is_not_stored_is_named(seed, model):
    every = "'balanced', 'extra trees', 'other, shuffled', 'other, unshuffled'"
    with pytest.raises(ValueError, match=rf"^stored are the seeds \[0, 1, .*, 9\] of {every}, not seed ") as caught:
        letters_scores(seed, model)
    assert str(caught.value).endswith(f"not seed {seed!r} of {model!r}")


# --- how it is stored ------------------------------------------------------------------------------------


def test_packing_keeps_order_and_the_side_of_one_half():
    scores = np.sort(np.append(np.random.default_rng(0).random(20_000), [0.0, 0.5, 0.5 - 1e-9, 1.0]))
    again = _unpacked(tool.packed(scores))
    assert np.all(np.diff(again) >= 0)
    np.testing.assert_array_equal(again >= 0.5, scores >= 0.5)
    kept = (scores > 0.03) & (scores < 1)
    odds, odds_again = (each[kept] / (1 - each[kept]) for each in (scores, again))
    np.testing.assert_allclose(odds_again, odds, rtol=0.0021)
    assert np.all(again[scores < 0.029] == 0)
    assert _unpacked(np.array([0, 1])) == pytest.approx([0, 0.0294], abs=1e-4)


def test_packing_moves_no_figure_beyond_the_third_digit():
    rng = np.random.default_rng(1)
    is_letter = np.arange(13_000) < 300
    scores = 1 / (1 + np.exp(-rng.normal(np.where(is_letter, 5, -3), 3)))
    again = _unpacked(tool.packed(scores))
    before, after = (np.max(fbeta(sweep(is_letter, each).counts)) for each in (scores, again))
    assert after == pytest.approx(before, abs=0.0015)
    assert sweep(is_letter, again).at(0.5) == sweep(is_letter, scores).at(0.5)


@pytest.mark.parametrize("model", ["other, shuffled", "other, unshuffled"])
def test_of_the_other_models_too_many_scores_are_tied_at_zero_for_an_area(stored, model):
    for run in stored[model]:
        of_letters = [run.of(letter) for letter in run.classes]
        assert np.mean([np.mean(unlabeled.y_score == 0) for _, unlabeled in of_letters]) > 0.9
        assert np.mean([np.mean(test.positives == 0) for test, _ in of_letters]) > 0.01


# --- what it shows ---------------------------------------------------------------------------------------


def test_the_figures_agree_with_scikit_learn(stored):
    unlabeled = stored["balanced"][3].of("S").unlabeled
    flagged, truth = unlabeled.y_score >= 0.5, sweep(*unlabeled).at(0.5)
    for ours, theirs in ((precision, precision_score), (recall, recall_score), (fbeta, f1_score)):
        assert ours(truth) == pytest.approx(theirs(unlabeled.y_true, flagged))


def test_the_estimate_is_within_a_hundredth_of_the_truth_in_every_run(stored):
    for run in stored["balanced"]:
        _, _, true_precision, _, estimate, *_ = figures(run)
        assert abs(estimate - true_precision) < 0.01


def test_the_stored_figures_are_of_the_stored_splits(stored, made_of):
    release = made_of["versions"].rpartition(" ")[2]
    again = [tool.macro_f1(run) for run in stored["balanced"]]  # whose scores are stored to 0.2 %
    np.testing.assert_allclose(made_of[f"F1 with {release} on the article's rows"][:10], again, atol=0.005)


def test_the_published_f1_is_an_ordinary_low_run_of_the_older_release(made_of):
    older = made_of["F1 with 2.3.1 on the article's rows"]
    published = np.array(list(PUBLISHED_F1.values()))
    assert np.all((older.min(axis=0) <= published) & (published <= older.mean(axis=0)))
    assert np.all((older <= published).mean(axis=0) > 0.05)


def test_release_and_rows_each_move_the_best_f1(made_of):
    newer = made_of["versions"].rpartition(" ")[2]
    best = {
        (release, rows): made_of[f"F1 with {release} on {rows}"][:, 2]
        for release in ("2.3.1", newer)
        for rows in ("the article's rows", "drawn rows")
    }
    for rows in ("the article's rows", "drawn rows"):  # of the same splits
        rise = best[newer, rows] - best["2.3.1", rows]
        assert rise.mean() > 5 * rise.std(ddof=1) / np.sqrt(rise.size)
    for release in ("2.3.1", newer):
        drawn, his = best[release, "drawn rows"], best[release, "the article's rows"]
        assert drawn.mean() - his.mean() > 2 * np.hypot(drawn.std(), his.std()) / np.sqrt(50)


def test_unshuffled_folds_inflate_f1_and_break_the_recall_assumption(stored):
    shuffled, ordered = (
        np.array([figures(run) for run in stored[f"other, {how}"]]) for how in ("shuffled", "unshuffled")
    )
    assert 0.04 < (ordered - shuffled)[:, 5].mean() < 0.08
    assert abs((shuffled[:, 3] - shuffled[:, 1]).mean()) < 0.02
    assert (ordered[:, 3] - ordered[:, 1]).mean() > 0.1


def test_the_article_s_own_remedy_gains_by_the_order_in_every_run(made_of):
    ordered, shuffled = made_of["F1 of the article's remedy"].T
    assert ordered.min() > shuffled.max()
    assert 0.04 < np.mean(ordered - shuffled) < 0.06
    assert ordered.min() < 0.9141 < ordered.max()  # the published figure is one in order


# --- the letters file ------------------------------------------------------------------------------------

TWO_ROWS = b"T,2,8,3,5,1,8,13,0,6,6,10,8,0,8,0,8\nI,5,12,3,7,2,10,5,5,4,13,3,9,2,8,4,10\n"
URLOPEN = tool.urlopen


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The folder of the letters file, with a file of two rows passing for the original, and no network."""

    def no_network(address):
        raise AssertionError("the network is not needed here")

    monkeypatch.setenv("EVALTEACH_DATA_DIR", str(tmp_path))
    monkeypatch.setattr(tool, "LETTERS_SHA256", hashlib.sha256(TWO_ROWS).hexdigest())
    monkeypatch.setattr(tool, "urlopen", no_network)
    return tmp_path


def assert_two_rows(letters):
    assert letters.columns.tolist() == ["letter", *(f"f{i}" for i in range(1, 17))]
    assert letters["letter"].tolist() == ["T", "I"]
    assert letters.iloc[0, 1:].tolist() == [2, 8, 3, 5, 1, 8, 13, 0, 6, 6, 10, 8, 0, 8, 0, 8]


def test_a_letters_file_that_is_there_is_read_without_the_network(folder):
    (folder / tool.LETTERS_FILE).write_bytes(TWO_ROWS)
    assert_two_rows(tool.load_letters())


def test_a_wrong_letters_file_is_refused_and_not_overwritten(folder):
    path = folder / tool.LETTERS_FILE
    path.write_bytes(TWO_ROWS[:-1])
    with pytest.raises(OSError, match=r"is not the original letters file \(its SHA-256 differs\)$") as caught:
        tool.load_letters()
    assert str(caught.value).startswith(str(path))
    assert path.read_bytes() == TWO_ROWS[:-1]


def test_a_folder_without_the_file_is_named(folder):
    with pytest.raises(OSError, match=r"letter-recognition\.data'$"):
        tool.load_letters()


@pytest.mark.parametrize(("body", "original"), [(TWO_ROWS, True), (b"<html>log in first</html>", False)])
def test_without_a_folder_the_letters_are_downloaded_and_checked(folder, monkeypatch, body, original):
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args):
            pass

    monkeypatch.delenv("EVALTEACH_DATA_DIR")
    for proxy in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(proxy, raising=False)
    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        monkeypatch.setattr(tool, "LETTERS_URL", f"http://127.0.0.1:{server.server_port}/letters")
        monkeypatch.setattr(tool, "urlopen", URLOPEN)
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            if original:
                assert_two_rows(tool.load_letters())
            else:
                with pytest.raises(OSError, match=r"letters is not the original letters file"):
                    tool.load_letters()
        finally:
            server.shutdown()
            thread.join()


def test_the_article_s_rows_are_distinct_rows_of_the_file():
    rows = np.load(tool.ARTICLE_ROWS)
    assert rows.shape == (15_000,)
    assert np.unique(rows).size == 15_000
    assert rows.max() < 20_000


@refits
def test_the_article_s_rows_have_its_class_sizes(article_rows):
    sizes = article_rows["letter"].value_counts()
    assert {letter: sizes[letter] - sizes[letter] // 2 for letter in LABELED_LETTERS} == HIDDEN
    assert "".join(article_rows["letter"][:5]) == "ZPSHH"  # classes 26, 16, 19, 8 and 8 in its first table


# --- made again ------------------------------------------------------------------------------------------


def small_letters(rows=15_200):
    """Something shaped like the letters file: each letter has its own place in 16 numbers."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 26, rows)
    pixels = np.clip(np.round(codes[:, None] % np.arange(2, 18) + rng.normal(size=(rows, 16))), 0, 15).astype(int)
    letters = pd.DataFrame(pixels, columns=[f"f{i}" for i in range(1, 17)])
    letters.insert(0, "letter", [chr(65 + code) for code in codes])
    return letters


def test_drawn_rows_are_distinct_and_differ_from_seed_to_seed():
    first, again, second = (tool.drawn_rows(small_letters(), seed).index for seed in (0, 0, 1))
    assert first.size == 15_000
    assert first.is_unique
    assert first.equals(again)
    assert not first.equals(second)


def test_a_run_on_other_rows_has_the_split_and_sorted_letters():
    rows = small_letters()
    run, again = (tool.fit_letters(rows, 5, "extra trees") for _ in range(2))
    np.testing.assert_array_equal(run.unlabeled_scores, again.unlabeled_scores)
    assert run.classes == ("V",)
    for labels in (run.test_labels, run.unlabeled_labels):
        assert np.all(labels[1:] >= labels[:-1])
    is_v = run.test_labels == "V"
    assert run.test_scores[is_v].mean() > run.test_scores[~is_v].mean() + 0.5
    for letter in LABELED_LETTERS:
        hidden = np.sum(run.unlabeled_labels == letter)
        assert np.sum(run.test_labels == letter) == pytest.approx(hidden / 5, abs=1)


def test_letters_out_of_order_are_refused_since_columns_come_sorted(monkeypatch):
    monkeypatch.setattr(tool, "LABELED_LETTERS", ("H", "G", "L", "M", "S", "V"))
    with pytest.raises(AssertionError):
        tool.fit_letters(small_letters(200), 0, "extra trees")


@pytest.mark.parametrize("shuffle", [False, True])
def test_in_cross_validation_no_row_is_scored_by_a_model_that_learned_from_it(shuffle):
    labels = np.array(["A"] * 300 + list("GHLMSV") * 40)
    part = np.full(labels.size, "unlabeled")
    part[-120:] = "training"
    pixels = np.arange(labels.size, dtype=float)[:, None]  # a row's number is its only pixel
    target, hidden_seen = np.where(part == "unlabeled", "other", labels), {}

    def remember(learned, learned_labels, new, seed):
        rows, held = learned.ravel().astype(int), new.ravel().astype(int)
        assert not set(rows) & set(held)
        np.testing.assert_array_equal(learned_labels, target[rows])
        for row in held[(target[held] == "other") & (labels[held] == "V")]:
            hidden_seen[row] = np.sum((labels[rows] == "V") & (target[rows] == "other"))
        return np.repeat(new, 7, axis=1)

    scores = tool.scores_with_other(pixels, labels, part, 0, remember, shuffle=shuffle)
    np.testing.assert_array_equal(scores, np.repeat(pixels, 7, axis=1))
    # the last of the list: in order, their model has met no hidden V
    assert len(hidden_seen) == 20
    assert (max(hidden_seen.values()) > 0) == shuffle


@pytest.mark.skipif(bool(NO_LIGHTGBM), reason=NO_LIGHTGBM or "nothing is missing")
@pytest.mark.parametrize("fit", [tool.lightgbm_scores, tool.one_vs_rest_scores])
def test_each_class_has_its_column_in_sorted_order(fit):
    labels = np.array(list("LGH") * 100)
    pixels = np.random.default_rng(0).normal(np.tile([9, 0, 5], 100))[:, None]
    scores = fit(pixels, labels, pixels, 0)
    assert scores.shape == (300, 3)
    assert np.mean(np.array(list("GHL"))[scores.argmax(axis=1)] == labels) > 0.95


@refits
def test_a_run_made_again_lies_in_the_stored_spread(stored, made_of, article_rows):
    run = tool.fit_letters(article_rows, 0)
    np.testing.assert_array_equal(run.unlabeled_labels, stored["balanced"][0].unlabeled_labels)
    every = np.array([figures(each) for each in stored["balanced"]])
    lowest, highest, now = every.min(axis=0), every.max(axis=0), figures(run)
    room = highest - lowest  # another version of LightGBM grows other trees
    assert np.all(now > lowest - room / 2)
    assert np.all(now < highest + room / 2)
    if made_of["versions"].endswith(f"lightgbm {importlib.metadata.version('lightgbm')}"):
        np.testing.assert_allclose(now, every[0], atol=0.002)


@refits
def test_the_second_model_made_again_lies_in_the_stored_spread(stored, article_rows):
    def found_at_300(run):
        test, unlabeled = run.of("V")
        return UnlabeledCurve(test.positives, unlabeled.y_score).recall_at(300)

    every = [found_at_300(run) for run in stored["extra trees"]]
    now = found_at_300(tool.fit_letters(article_rows, 0, "extra trees"))
    assert min(every) - 0.05 < now < max(every) + 0.05
