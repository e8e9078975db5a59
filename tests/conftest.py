"""What all tests share: one thread, a folder for what notebooks leave, and one profile for the properties, the same
examples on every run."""

import atexit
import gc
import os
import tempfile

import pytest
from hypothesis import settings
from xdist.scheduler import LoadScopeScheduling

# the two processes of a run have one core each, also in the kernels: threads would only wait for each other
os.environ.setdefault("OMP_NUM_THREADS", "1")

# kernels are killed after their last cell: their temporary folders (ten million rows are 100 MB) go with the run
_left = tempfile.TemporaryDirectory(prefix="evalteach-", ignore_cleanup_errors=True)
atexit.register(_left.cleanup)
os.environ["TMPDIR"] = _left.name

settings.register_profile("evalteach", deadline=None, derandomize=True, database=None, max_examples=60)
settings.load_profile("evalteach")


def pytest_collection_finish(session):
    gc.freeze()  # what the imports made stays to the end: each look through all of it would take half a second


class ByNotebook(LoadScopeScheduling):
    """A file stays whole, but for the file whose tests share one notebook in the browser: there, a notebook does."""

    def _split_scope(self, nodeid):
        file, _, test = nodeid.partition("::")
        if file.endswith("test_in_jupyterlab.py"):
            return f"{file}[{test.partition('[')[2]}"
        return super()._split_scope(nodeid)


@pytest.hookimpl(optionalhook=True)  # where there is no xdist
def pytest_xdist_make_scheduler(config, log):
    return ByNotebook(config, log)
