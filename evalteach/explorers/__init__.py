"""Pictures with sliders: drag a threshold, a class ratio or a class size, and read what becomes of a metric."""

from evalteach.explorers.base import Explorer
from evalteach.explorers.class_ratio import ClassRatioExplorer
from evalteach.explorers.class_size import ClassSizeExplorer
from evalteach.explorers.threshold import ThresholdExplorer

__all__ = ["ClassRatioExplorer", "ClassSizeExplorer", "Explorer", "ThresholdExplorer"]
