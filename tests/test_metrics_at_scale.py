"""The queries of 51_metrics_at_scale, as they stand in its cells: equal to the library, however the rows are cut up."""

import ast
import re

import lessons
import numpy as np
import pandas as pd
import pytest

from evalteach.classification import average_precision, precision, recall, roc_auc
from evalteach.counts import sweep
from evalteach.ranking import per_user
from evalteach.unlabeled import UnlabeledCurve

duckdb = pytest.importorskip("duckdb")

LESSON = lessons.read(lessons.NOTEBOOKS / "51_metrics_at_scale.ipynb")
CUTS = {"one file": [], "two files": [700], "files of all sizes": [1, 2, 10, 500, 501, 1999]}


def assigned():
    """Every text that a cell gives a name in capitals."""
    for cell in LESSON.code:
        for node in ast.parse(cell.source).body:
            if isinstance(node, ast.Assign) and (name := ast.unparse(node.targets[0])).isupper():
                yield name, ast.literal_eval(node.value)


QUERIES = dict(assigned())


def functions(*names, **given):
    """Functions that a cell defines, in a space of their own."""
    space = {"np": np, "pd": pd, "UnlabeledCurve": UnlabeledCurve, **given}
    for cell in LESSON.code:
        if any(re.search(rf"^def {name}\(", cell.source, flags=re.M) for name in names):
            exec(cell.source, space)
    return [space[name] for name in names]


@pytest.fixture(scope="module", params=["many ties", "few ties"])
def rows(request):
    rng = np.random.default_rng(7)
    n = 2_000
    y = rng.random(n) < 0.2
    score = 1 / (1 + np.exp(1 - 2 * y - 1.5 * rng.normal(size=n)))
    return pd.DataFrame(
        {
            "id": np.arange(n),
            "day": rng.integers(1, 6, size=n),
            "y": y.astype(int),
            "score": score.round(2 if request.param == "many ties" else 6),
        }
    )


def files_of(rows, places, folder):
    with duckdb.connect() as db:
        for i, part in enumerate(np.split(np.arange(len(rows)), places)):
            db.register("part", rows.iloc[part])
            db.execute(f"COPY part TO '{folder}/{i}.parquet'")
    return f"{folder}/*.parquet"


@pytest.fixture(params=CUTS)
def db(rows, request, tmp_path):
    with duckdb.connect() as db:
        db.execute("SET enable_progress_bar = false")
        pattern = files_of(rows, CUTS[request.param], tmp_path)
        db.execute(f"CREATE VIEW payments AS SELECT * FROM '{pattern}'")
        yield db


def test_every_query_is_there_and_shorter_than_fifteen_lines():
    assert {"BINS", "AUC_AP", "DAYS", "RECALL_AT_K", "NDCG", "AP_MRR"} <= set(QUERIES)
    assert max(text.count("\n") for text in QUERIES.values()) < 15


def test_auc_and_ap_are_the_librarys_for_any_cut_of_the_rows(db, rows):
    counts = sweep(rows.y, rows.score).counts
    assert db.sql(QUERIES["AUC_AP"]).fetchall() == [
        (pytest.approx(roc_auc(counts), abs=1e-12), pytest.approx(average_precision(counts), abs=1e-12))
    ]


def test_rows_in_another_order_give_the_same_auc_to_the_last_bit(rows, tmp_path):
    found = []
    for i, order in enumerate((rows, rows.iloc[::-1], rows.sample(frac=1, random_state=3))):
        (folder := tmp_path / str(i)).mkdir()
        with duckdb.connect() as db:
            db.execute(f"CREATE VIEW payments AS SELECT * FROM '{files_of(order, [300, 301], folder)}'")
            found.append(db.sql(QUERIES["AUC_AP"]).fetchall()[0])
    assert len({auc for auc, _ in found}) == 1
    assert np.ptp([ap for _, ap in found]) < 1e-12


def test_counts_per_bin_as_weights_are_the_sweep_of_the_binned_scores(db, rows):
    bins = db.sql(QUERIES["BINS"]).df()
    here, there = sweep(bins.y, bins.bin, weights=bins.n), sweep(rows.y, np.floor(rows.score * 1000))
    assert here.thresholds.tolist() == there.thresholds.tolist()
    assert here.counts.tp.tolist() == there.counts.tp.tolist()
    assert here.counts.fp.tolist() == there.counts.fp.tolist()


def test_precision_and_recall_of_each_day_are_the_librarys(db, rows):
    days = db.sql(QUERIES["DAYS"]).df()
    assert days.day.tolist() == [1, 2, 3, 4, 5]
    for day in days.itertuples():
        counts = sweep(*rows.loc[rows.day == day.day, ["y", "score"]].to_numpy().T).at(0.5)
        assert (day.prec, day.recall) == pytest.approx((precision(counts), recall(counts)), abs=1e-12)


@pytest.mark.parametrize("k", [1, 2, 77, 400, 1_500])
def test_recall_at_k_is_the_librarys_also_inside_a_tie(db, rows, k):
    query = QUERIES["RECALL_AT_K"].replace("1000000", "500").replace("9000", str(k))
    curve = UnlabeledCurve(rows.score[:500][rows.y[:500] == 1], rows.score[500:])
    ((flagged, hits),) = db.sql(query).fetchall()
    assert flagged == curve.flagged_at(k)
    assert hits / curve.n_test_positives == pytest.approx(curve.recall_at(k), abs=1e-12)


def test_metrics_of_users_are_the_librarys_with_ties_and_users_without_a_relevant_item():
    rng = np.random.default_rng(5)
    user = np.sort(rng.integers(150, size=2_500))
    grade = rng.choice(4, size=user.size, p=[0.85, 0.08, 0.04, 0.03])
    lists = pd.DataFrame({"user_id": user, "relevance": grade, "score": (grade + rng.normal(size=user.size)).round(1)})
    theirs = per_user(lists.rename(columns={"user_id": "user"}), k=10)
    assert theirs.ndcg.isna().any()
    with duckdb.connect() as db:
        db.register("lists", lists)
        gains = db.sql(QUERIES["NDCG"]).df().set_index("user_id").ndcg
        firsts = db.sql(QUERIES["AP_MRR"]).df().set_index("user_id")
    np.testing.assert_allclose(gains, theirs.ndcg.sort_index(), atol=1e-12)
    defined = theirs.dropna(subset="ndcg").sort_index()
    assert firsts.index.tolist() == defined.index.tolist()
    np.testing.assert_allclose(firsts.ap, defined.average_precision_by_relevant, atol=1e-12)
    np.testing.assert_allclose(firsts.rr, defined.reciprocal_rank, atol=1e-12)


def test_auc_of_bins_errs_by_no_more_than_its_bound_and_at_equal_rows_by_no_more_than_half_a_bin():
    (auc_of_bins,) = functions(
        "auc_of_bins_solved", check=lambda *marked: None, auc_of_bins_tries=0, auc_of_bins_mistakes=0
    )
    rng = np.random.default_rng(2)
    for n_bins in (1, 3, 10, 40):
        y = np.append([0, 1], rng.random(1_198) < rng.random())
        score = y * rng.normal() + rng.normal(size=1_200)
        which = score.argsort().argsort() * n_bins // 1_200
        p, q = np.bincount(which, y), np.bincount(which, 1 - y)
        bound = (p * q).sum() / (p.sum() * q.sum()) / 2
        assert abs(auc_of_bins(p, q) - roc_auc(sweep(y, score).counts)) <= bound <= 1 / (2 * n_bins) + 1e-12


@pytest.mark.filterwarnings("ignore:The inplace keyword")  # of pandas, when Dask reads Parquet
def test_dask_counts_and_compares_as_duckdb_and_the_library_do(rows, tmp_path):
    distributed = pytest.importorskip("distributed")
    pytest.importorskip("pyarrow")
    files_of(rows, [500, 900, 1_400], tmp_path)
    positive_scores = rows.score[:500][rows.y[:500] == 1].to_numpy()

    class Folder:
        name = str(tmp_path)

    by_dask, bins_of, before_in = functions(
        "by_dask", "bins_of", "before_in", folder=Folder, positive_scores=positive_scores
    )
    with duckdb.connect() as db:
        db.execute(f"CREATE VIEW payments AS SELECT * FROM '{tmp_path}/*.parquet'")
        expected = db.sql(QUERIES["BINS"]).df().n.tolist()
    with distributed.LocalCluster(n_workers=1, processes=False, dashboard_address="localhost:0") as cluster:
        for address in (None, cluster.scheduler_address):
            counts = pd.concat(by_dask(bins_of, range(4), address)).groupby(level=[0, 1]).sum()
            assert counts.tolist() == expected
    before = sum(by_dask(before_in, range(1, 4)))
    assert before.tolist() == UnlabeledCurve(positive_scores, rows.score[500:]).before.tolist()


def test_spark_takes_the_same_texts(rows, tmp_path):
    sql = pytest.importorskip("pyspark.sql")
    spark = sql.SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    spark.read.parquet(files_of(rows, [700], tmp_path)).createOrReplaceTempView("payments")
    with duckdb.connect() as db:
        db.execute(f"CREATE VIEW payments AS SELECT * FROM '{tmp_path}/*.parquet'")
        for name in ("AUC_AP", "DAYS", "RATIO"):
            for here, there in zip(spark.sql(QUERIES[name]).collect(), db.sql(QUERIES[name]).fetchall(), strict=True):
                assert tuple(here) == pytest.approx(there, abs=1e-9)
    spark.stop()
