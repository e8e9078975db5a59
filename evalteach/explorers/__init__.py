"""Pictures with sliders: drag a threshold, a class ratio or a class size, and read what becomes of a metric."""

from evalteach.explorers.base import Explorer
from evalteach.explorers.best_threshold import BestThresholdExplorer
from evalteach.explorers.calibration import CalibrationExplorer
from evalteach.explorers.class_ratio import ClassRatioExplorer
from evalteach.explorers.class_size import ClassSizeExplorer
from evalteach.explorers.live import LiveResult
from evalteach.explorers.many_classes import ManyClassesExplorer
from evalteach.explorers.prevalence import PrevalenceExplorer
from evalteach.explorers.recall_curve import RecallCurveExplorer
from evalteach.explorers.review_budget import ReviewBudgetExplorer
from evalteach.explorers.review_log import ReviewLog
from evalteach.explorers.threshold import ThresholdExplorer
from evalteach.explorers.unseen_negatives import UnseenNegativesExplorer

__all__ = [
    "BestThresholdExplorer",
    "CalibrationExplorer",
    "ClassRatioExplorer",
    "ClassSizeExplorer",
    "Explorer",
    "LiveResult",
    "ManyClassesExplorer",
    "PrevalenceExplorer",
    "RecallCurveExplorer",
    "ReviewBudgetExplorer",
    "ReviewLog",
    "ThresholdExplorer",
    "UnseenNegativesExplorer",
]
