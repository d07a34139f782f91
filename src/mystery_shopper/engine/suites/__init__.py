"""The benchmarks, each as the engine sees it: by its words, its task sets and its scenes."""

from mystery_shopper.engine.suites.named import suite_of
from mystery_shopper.engine.suites.protocol import Maker, Scene, Score, Suite, TaskBook, Words

__all__ = ["Maker", "Scene", "Score", "Suite", "TaskBook", "Words", "suite_of"]
