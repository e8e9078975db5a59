"""Evaluation metrics derived from counts, for notebooks whose sliders move them.

Nothing heavy is imported before it is used: each public name below loads its module on first access.
"""

from importlib import import_module

# where each public name lives; the one place in which an explorer is registered
_HOME = {
    "Counts": "counts",
    "sweep": "counts",
    "at_class_ratio": "class_ratio",
    "UnlabeledCurve": "unlabeled",
    "plan": "reviews.plan",
    "read_plan": "reviews.plan",
    "pooled": "reviews.answers",
    "review_report": "reviews.answers",
    "SplitExplorer": "explorers.split",
    "ThresholdExplorer": "explorers.threshold",
    "TopKExplorer": "explorers.ranked_list",
    "BestThresholdExplorer": "explorers.best_threshold",
    "CalibrationExplorer": "explorers.reliability_diagram",
    "ClassRatioExplorer": "explorers.label_shift",
    "ClassSizeExplorer": "explorers.class_size",
    "ClusteringExplorer": "explorers.clustering",
    "DriftExplorer": "explorers.monitoring",
    "FunnelExplorer": "explorers.funnel",
    "ManyClassesExplorer": "explorers.many_classes",
    "MatchingExplorer": "explorers.record_linkage",
    "PrevalenceExplorer": "explorers.quantification",
    "RankPositionExplorer": "explorers.ranked_list",
    "RegressionLossExplorer": "explorers.regression_loss",
    "ReviewLog": "explorers.review_log",
    "UnseenNegativesExplorer": "explorers.unseen_negatives",
    "moving": "explorers.engine.moving",
    "InterviewRound": "interview.round",
    "interviewer_sheet": "interview.sheet",
    "DebugRoom": "interview.debug_room",
    "rooms": "interview.debug_room",
    "design_case": "interview.bank",
    "cases": "interview.bank",
}
__all__ = list(_HOME)
__version__ = "0.1.0"


def _modules():
    from pkgutil import iter_modules  # takes longer than all the rest here

    return {module.name for module in iter_modules(__path__) if not module.name.startswith("_")}


def __getattr__(name):
    if name in _HOME:
        value = getattr(import_module(f"evalteach.{_HOME[name]}"), name)
    elif name in _modules():
        value = import_module(f"evalteach.{name}")
    else:
        raise AttributeError(f"module 'evalteach' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__():
    return sorted({*globals(), *_HOME, *_modules()})
