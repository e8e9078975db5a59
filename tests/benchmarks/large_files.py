"""Reads files of 10^7 rows and reports on smaller ones: seconds and peak memory. Exits with 1 when a goal is missed.

python tests/benchmarks/large_files.py

Needs DuckDB, 600 MB in the folder for temporary files, and a system that tells the memory of a process (not Windows).
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import duckdb

CHILD = """
import resource, sys
{work}
unit = 1 if sys.platform == "darwin" else 1024
print(max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) * unit / 1e6)
"""
READ = "from evalteach.command.reading import read_scores; assert read_scores({path!r}).sweep().counts.tp[-1] > 9_000"
REPORT = "from evalteach.command.main import main; assert main(['report', {path!r}, '--ratio', '1600']) == 0"
ROWS = 10_000_000
# scores of two overlapping classes, one positive in a hundred
DRAWN = f"""CREATE TABLE drawn AS SELECT (u < 0.01)::INT AS y, 1 / (1 + exp(3 - 3 * (u < 0.01)::INT - 1.5 * z)) AS score
FROM (SELECT random() AS u, sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random()) AS z FROM range({ROWS}))"""
CASES = {  # file: columns, rows, work, seconds, megabytes
    "all_digits.parquet": ("*", ROWS, READ, 30, 1000),
    "all_digits.csv": ("*", ROWS, READ, 30, 1000),
    "seven_digits.parquet": ("y, round(score, 7) AS score", ROWS, READ, 30, 1000),
    "four_digits.csv": ("y, round(score, 4) AS score", ROWS, READ, 30, 1000),
    "report_1e6.csv": ("*", 1_000_000, REPORT, 20, 1000),
    "report_1e4.csv": ("*", 10_000, REPORT, 12, 1000),
}


def main():
    met = []
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}, DuckDB {duckdb.__version__}")
    with tempfile.TemporaryDirectory() as folder:
        base = duckdb.connect()
        base.execute("SELECT setseed(0.5)")
        base.execute(DRAWN)
        for name, (columns, rows, work, seconds, megabytes) in CASES.items():
            path = Path(folder, name)
            base.execute(f"COPY (SELECT {columns} FROM drawn LIMIT {rows}) TO '{path}'")
            code = CHILD.format(work=work.format(path=str(path)))
            start = time.perf_counter()
            done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True)
            took, most = time.perf_counter() - start, float(done.stdout.split()[-1])
            met.append(took <= seconds and most <= megabytes)
            judged = "met" if met[-1] else "MISSED"
            print(
                f"{name:22} {rows:>12,} rows {took:6.1f} s (of {seconds}) {most:6.0f} MB (of {megabytes})  {judged}",
                flush=True,
            )
            path.unlink()
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
