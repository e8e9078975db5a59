"""Each contender of each case by pytest-benchmark; `report.py` beside this compares them with the goals.

python -m pytest -o addopts= tests/benchmarks
"""

import cases
import pytest

CONTENDERS = [(case, name) for case in cases.CASES for name in ("evalteach", *case.faster)]


@pytest.fixture(scope="module")
def contenders(request):
    return request.param.make()


@pytest.mark.benchmark(min_rounds=3, max_time=0.5)
@pytest.mark.parametrize(
    ("contenders", "name"),
    CONTENDERS,
    indirect=["contenders"],
    ids=[f"{case.name}, {name}" for case, name in CONTENDERS],
)
def test_time(benchmark, request, contenders, name):
    benchmark.group, benchmark.name = request.node.callspec.id.rpartition(", ")[0], name
    benchmark(contenders[name])
