"""Evaluation metrics derived from counts, for notebooks whose sliders move them.

Nothing heavy is imported before it is used: each public name below loads its module on first access.
"""

from importlib import import_module

_HOME = {
    "Counts": "counts",
    "sweep": "counts",
    "at_class_ratio": "class_ratio",
    "UnlabeledCurve": "unlabeled",
    "ThresholdExplorer": "explorers",
    "BestThresholdExplorer": "explorers",
    "CalibrationExplorer": "explorers",
    "ClassRatioExplorer": "explorers",
    "ClassSizeExplorer": "explorers",
    "ManyClassesExplorer": "explorers",
    "PrevalenceExplorer": "explorers",
    "RecallCurveExplorer": "explorers",
    "ReviewBudgetExplorer": "explorers",
    "ReviewLog": "explorers",
    "UnseenNegativesExplorer": "explorers",
}
_MODULES = (
    "calibration",
    "class_ratio",
    "classification",
    "cli",
    "counts",
    "data",
    "exercises",
    "explorers",
    "ideal_ranking",
    "plots",
    "prevalence",
    "review",
    "unlabeled",
)

__all__ = list(_HOME)
__version__ = "0.1.0"


def __getattr__(name):
    if name in _HOME:
        value = getattr(import_module(f"evalteach.{_HOME[name]}"), name)
    elif name in _MODULES:
        value = import_module(f"evalteach.{name}")
    else:
        raise AttributeError(f"module 'evalteach' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__():
    return sorted({*globals(), *_HOME, *_MODULES})
