"""A run's samples, handed to Inspect a few at a time.

Of a list Inspect begins every sample at once and lets all but those in flight wait half way in. A
waiting sample is ninety objects that each garbage collection walks, which for a run of ten thousand
trials is a second at a stretch. An Inspect that takes samples from a source is given one more
whenever a trial begins, so that few wait, however long the run and however many are in flight.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import TYPE_CHECKING

import inspect_ai
from inspect_ai.dataset import Sample

if TYPE_CHECKING:
    from inspect_ai import SampleSource

WAITING = 20
"""Samples that wait at a time: enough that one is there whenever a trial ends."""
_TAKES_A_SOURCE = hasattr(inspect_ai, "SampleSource")


class Feed:
    """Samples yet to come, in their order, each made when its turn to wait has come. `ready` is
    called once Inspect is, before the first is made."""

    def __init__(self, samples: Iterable[Sample], ready: Callable[[], None] = lambda: None) -> None:
        self._coming = iter(samples)
        self._ready: Callable[[], None] | None = ready

    def dataset(self) -> SampleSource | list[Sample]:
        """What Inspect takes as a task's dataset: of an Inspect without sources, all at once."""
        if not _TAKES_A_SOURCE:
            return list(self._coming)
        return inspect_ai.SampleSource.from_samples([], next_samples=self._more)

    def one_began(self) -> None:
        """Called within a sample: the next one may wait in its place."""
        for sample in self._next(1):
            inspect_ai.enqueue_sample(sample)

    def close(self) -> None:
        """None comes any more."""
        self._coming = iter(())

    def _next(self, count: int) -> list[Sample]:
        return list(islice(self._coming, count))

    async def _more(self) -> list[Sample] | None:
        """Asked where none waits and none plays: at first, after the last one, and where those that
        were to bring the next ones failed before they began."""
        if self._ready is not None:
            self._ready()
            self._ready = None
        return self._next(WAITING) or None
