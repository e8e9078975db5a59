"""The metrics of 51_metrics_at_scale on 10^7 rows: numpy, pandas and DuckDB, each in a process of its own.

python tests/benchmarks/metrics_at_scale.py [number of rows [words that the wanted metrics contain]]

Prints seconds (reading included, imports not) and peak memory, and exits with 1 where results differ by more than 1e-9
or DuckDB takes too much: 1 GB with a limit of 900 MB, and with one of 150 MB a pandas table of the rows (or 200 MB).
Queries are the notebook's, but for recall@k. Needs DuckDB, pyarrow, 600 MB of disk, and a system that tells memory
(not Windows).
"""

import ast
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / "tools")]
import lessons  # noqa: E402

ROWS = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000
K, TEST = ROWS // 100, ROWS // 10  # rows flagged, and rows of the test set: the others are unlabeled
CHILD = """
import json, resource, sys, time
given = json.loads(sys.argv[1])
{imports}
start = time.perf_counter()
{work}
took = time.perf_counter() - start
unit = 1 if sys.platform == "darwin" else 1024
print(json.dumps([took, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6, [float(x) for x in found]]))
"""
IMPORTS = {
    "numpy": """
import numpy as np
from evalteach.classification import average_precision, roc_auc
from evalteach.counts import sweep
from evalteach.unlabeled import UnlabeledCurve
""",
    "pandas": "import numpy as np, pandas as pd, pyarrow.parquet",
    "DuckDB": "import duckdb",
}
ARRAYS = "y, score = (np.load(f'{given[\"folder\"]}/{name}.npy') for name in ('y', 'score'))\n"
TABLE = "rows = pd.read_parquet(given['parquet'], columns=given['columns'])\n"
DUCK = """
db = duckdb.connect()
db.execute(f"SET memory_limit = '{given['limit']}'; SET temp_directory = '{given['folder']}/spilled'")
db.execute("SET enable_progress_bar = false")
db.execute(f"CREATE VIEW payments AS SELECT * FROM '{given['parquet']}'")
answer = db.sql(given["query"]).fetchall()
"""
SQUARES = "found = [len(n), n.sum(), (n.astype(float) ** 2).sum()]"  # tells counts apart without passing them on
WORKS = {  # what is asked: name of the query, columns, and each contender's way
    "counts in 1,000 bins": (
        "BINS",
        ["y", "score"],
        {
            "numpy": ARRAYS
            + "n = np.bincount(2 * np.floor(np.round(score * 1e6) / 1000).astype(int) + y)\nn = n[n > 0]\n"
            + SQUARES,
            "pandas": TABLE
            + "n = rows.groupby([rows.y, np.floor((rows.score * 1e6).round() / 1000)]).size()\n"
            + SQUARES,
            "DuckDB": DUCK + "found = [len(answer), sum(n for *_, n in answer), sum(n * n for *_, n in answer)]",
        },
    ),
    "exact AUC and AP": (
        "AUC_AP",
        ["y", "score"],
        {
            "numpy": ARRAYS + "counts = sweep(y, score).counts\nfound = [roc_auc(counts), average_precision(counts)]",
            "pandas": TABLE
            + """
ties = rows.groupby("score").y.agg(["size", "sum"]).iloc[::-1]
n, p = ties["size"], ties["sum"]
k, tp = n.cumsum(), p.cumsum()
found = [((n - p) * (2 * tp - p)).sum() / 2 / tp.iloc[-1] / (k - tp).iloc[-1], (p * tp / k).sum() / tp.iloc[-1]]
""",
            "DuckDB": DUCK + "found = answer[0]",
        },
    ),
    "recall@k": (
        "RECALL_AT_K",
        ["id", "y", "score"],
        {
            "numpy": ARRAYS
            + """
curve = UnlabeledCurve(score[: given["test"]][y[: given["test"]] == 1], score[given["test"] :])
found = [curve.flagged_at(given["k"]), curve.recall_at(given["k"]) * curve.n_test_positives]
""",
            "pandas": TABLE
            + """
test = rows.id < given["test"]
cut = rows.score[~test].nlargest(given["k"]).iloc[-1]
found = [(rows.score[~test] >= cut).sum(), (rows.score[test & (rows.y == 1)] >= cut).sum()]
""",
            "DuckDB": DUCK + "found = answer[0]",
        },
    ),
}
RECALL_AT_K = """
WITH best AS (
  SELECT score FROM payments WHERE id >= 1000000 ORDER BY score DESC LIMIT 9000),
cut AS (SELECT min(score) AS edge FROM best)
SELECT count(CASE WHEN id >= 1000000 THEN 1 END) AS k,
  count(CASE WHEN id < 1000000 AND y = 1 THEN 1 END) AS hits
FROM payments, cut WHERE score >= edge"""
DRAWN = f"""CREATE TABLE drawn AS SELECT id, id % 30 + 1 AS day, (u < 0.01)::BIGINT AS y,
1 / (1 + exp(4 - 2 * (u < 0.01)::INT - 1.5 * z)) AS score FROM (SELECT range AS id, random() AS u,
sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random()) AS z FROM range({ROWS})) ORDER BY id"""


def queries():
    """Every text that a cell of the notebook gives a name in capitals."""
    for cell in lessons.read(lessons.NOTEBOOKS / "51_metrics_at_scale.ipynb").code:
        for node in ast.parse(cell.source).body:
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
                yield ast.unparse(node.targets[0]), node.value.value


def main():
    texts, met = {"RECALL_AT_K": RECALL_AT_K, **dict(queries())}, []
    in_memory = ROWS * 4 * 8 / 1e6
    print(f"{ROWS:,} rows, {in_memory:.0f} MB as a pandas table; {os.cpu_count()} processors, ", end="")
    print(f"load {os.getloadavg()[0]:.1f}, DuckDB {duckdb.__version__}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for digits in (6, 17):
            parquet = f"{folder}/{digits}.parquet"
            write(parquet, folder, digits)
            for asked, (name, columns, ways) in WORKS.items():
                if not all(word in asked for word in sys.argv[2:]):
                    continue
                query = texts[name].replace("9000", str(K)).replace("1000000", str(TEST))
                given = {"folder": folder, "parquet": parquet, "columns": columns, "query": query, "k": K, "test": TEST}
                expected = None
                for way, limit in (("numpy", ""), ("pandas", ""), ("DuckDB", "900MB"), ("DuckDB", "150MB")):
                    took, most, found = run(way, ways[way], given | {"limit": limit})
                    expected = expected or found
                    same = all(abs(a - b) <= 1e-9 * max(1, abs(b)) for a, b in zip(found, expected, strict=True))
                    small = not limit or most < (1000 if limit == "900MB" else max(in_memory, 200))
                    met.append(same and small)
                    judged = "" if met[-1] else "  MISSED" + " (differs)" * (not same)
                    print(
                        f"{digits:2} digits  {asked:20} {way:6} {limit:5} {took:6.1f} s {most:6.0f} MB{judged}",
                        flush=True,
                    )
    return 0 if all(met) else 1


def write(parquet, folder, digits):
    """In a process of its own, so that no child starts from this one's memory."""
    code = f"""
import duckdb, numpy as np
db = duckdb.connect()
db.execute("SET enable_progress_bar = false; SELECT setseed(0.5)")
db.execute({DRAWN!r})
db.execute("COPY (SELECT * REPLACE (round(score, {digits}) AS score) FROM drawn ORDER BY id) TO '{parquet}'")
for name in ("y", "score"):
    np.save("{folder}/" + name, db.sql("SELECT " + name + " FROM '{parquet}'").fetchnumpy()[name])
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def run(way, work, given):
    code = CHILD.format(imports=IMPORTS[way], work=work)
    done = subprocess.run([sys.executable, "-c", code, json.dumps(given)], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


if __name__ == "__main__":
    sys.exit(main())
