"""What all tests share: one thread, and one profile for the properties, the same examples on every run."""

import os

from hypothesis import settings

# the two processes of a run have one core each, also in the kernels: threads would only wait for each other
os.environ.setdefault("OMP_NUM_THREADS", "1")

settings.register_profile("evalteach", deadline=None, derandomize=True, database=None, max_examples=60)
settings.load_profile("evalteach")
