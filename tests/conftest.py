"""What all tests share: one profile for the properties, the same examples on every run."""

from hypothesis import settings

settings.register_profile("evalteach", deadline=None, derandomize=True, database=None, max_examples=60)
settings.load_profile("evalteach")
