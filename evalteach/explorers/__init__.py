"""Pictures with sliders: drag a threshold, a class ratio or a class size, and read what becomes of a metric."""

import evalteach
from evalteach.explorers.engine.base import Explorer

# the function `moving` is offered by the package only
__all__ = [
    "Explorer",
    *(name for name, home in evalteach._HOME.items() if home.startswith("explorers.") and name[0].isupper()),
]


def __getattr__(name):
    if name in __all__:
        return getattr(evalteach, name)
    raise AttributeError(f"module 'evalteach.explorers' has no attribute {name!r}")


def __dir__():
    return sorted({*globals(), *__all__})
