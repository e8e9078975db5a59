"""Measures every goal and prints a table of them. Exits with 1 when one is missed.

    python tests/benchmarks/report.py [words that the wanted rows contain]

Rounds of the contenders alternate, so that whatever else the machine does weighs on all of them. How many times
faster than scikit-learn a sweep is hangs on the vector instructions that the processor has for sorting, so the same
work is judged by np.sort as well.
"""

import math
import os
import platform
import statistics
import sys
import time
from functools import partial
from pathlib import Path

import cases
import numpy as np
import sklearn


def medians(contenders, rounds, clock):
    """Of each contender the median of what the clock says."""
    spent = {name: [] for name in contenders}
    for work in contenders.values():
        work()  # once in vain
    for _ in range(rounds):
        for name, work in contenders.items():
            spent[name].append(clock(work))
    return {name: statistics.median(times) for name, times in spent.items()}


def stopwatch(work, shortest=5e-3):
    """Seconds that it takes, once or as often as a clock can tell."""
    start, done, spent = time.perf_counter(), 0, 0.0
    while spent < shortest:
        work()
        done, spent = done + 1, time.perf_counter() - start
    return spent / done


def said(seconds):
    unit, factor = ("s", 1) if seconds >= 1 else ("ms", 1e3) if seconds >= 1e-3 else ("µs", 1e6)
    return f"{seconds * factor:.3g} {unit}"


def rows_of(case):
    """Goal, what was measured, and whether it is met (None: only to be told), for each goal of a case."""
    took = medians(case.make(), case.rounds, stopwatch)
    ours = next(iter(took.values()))
    if case.seconds < math.inf:
        yield f"{said(case.seconds)} at most", said(ours), ours <= case.seconds
    for peer, factor in case.faster.items():
        times = took[peer] / ours
        both = f"({said(ours)}, {said(took[peer])})"
        if factor == 0:
            yield f"(as {peer})", f"{times:,.3g} × {both}", None
        elif factor < 1:
            yield f"{1 / factor:g} {peer} at most", f"{1 / times:.3g} {both}", times >= factor
        else:
            yield f"{factor:g} × as fast as {peer}", f"{times:,.3g} × {both}", times >= factor


def rows_of_bytes():
    for where, largest in cases.picture_bytes().items():
        yield f"{cases.LARGEST_PICTURE:,} bytes at most", f"{largest:,} ({where})", largest < cases.LARGEST_PICTURE


def rows_of_import(name):
    took = medians({name: cases.IMPORTS[name]}, 9, lambda work: work())[name]
    yield f"{said(cases.LONGEST_IMPORT[name])} at most", said(took), took <= cases.LONGEST_IMPORT[name]


def processor():
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:  # no Linux
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())


def main(words):
    every = {case.name: partial(rows_of, case) for case in cases.CASES}
    every["largest picture"] = rows_of_bytes
    every |= {name: partial(rows_of_import, name) for name in cases.IMPORTS}
    met = []
    print(f"{os.cpu_count()} × {processor()}; numpy {np.__version__}, scikit-learn {sklearn.__version__}")
    print(f"load {os.getloadavg()[0]:.1f}")
    for name, rows in every.items():
        if all(word in name for word in words):
            for goal, measured, good in rows():
                judged = {True: "met", False: "MISSED", None: ""}[good]
                print(f"{name:<30} {goal:<34} {measured:<42} {judged}", flush=True)
                met += [good] if judged else []
    print(f"load {os.getloadavg()[0]:.1f}; {sum(met)} of {len(met)} goals met")
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
