"""A run's samples, handed to Inspect a few at a time.

Of a list Inspect begins every sample at once and lets all but those in flight wait half way in. A
waiting sample is ninety objects that each garbage collection walks: nine hundred thousand in a run
of ten thousand trials. An Inspect that takes samples from a source is given one more whenever a
trial begins, so that few wait, however long the run and however many are in flight.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import islice
from pathlib import Path

import inspect_ai
from inspect_ai.dataset import Sample
from inspect_ai.log import list_eval_logs, read_eval_log, write_eval_log

WAITING = 20
"""Samples that wait at a time: enough that one is there whenever a trial ends."""
_TAKES_A_SOURCE = hasattr(inspect_ai, "SampleSource")


class Feed:
    """Samples yet to come, in their order, each made when its turn to wait has come. `ready` is
    called once Inspect is, before the first is made."""

    def __init__(self, samples: Iterable[Sample], ready: Callable[[], None] = lambda: None) -> None:
        self._coming = iter(samples)
        self._names: list[int | str] = []
        self._ready: Callable[[], None] | None = ready

    def dataset(self) -> inspect_ai.SampleSource | list[Sample]:
        """What Inspect takes as a task's dataset: of an Inspect without sources, all at once."""
        if not _TAKES_A_SOURCE:
            return self._next(sys.maxsize)
        return inspect_ai.SampleSource.from_samples([], next_samples=self._more)

    def one_began(self) -> None:
        """Called within a sample: the next one may wait in its place."""
        for sample in self._next(1):
            inspect_ai.enqueue_sample(sample)

    def close(self) -> None:
        """None comes any more."""
        self._coming = iter(())

    def name_all(self, place: Path) -> None:
        """Write the names of the samples that came into the head of the newest log in this folder,
        which has ended. It was written when none was known, and Inspect's readers go by it. A log
        that cannot be read or written stays as it is: nothing else depends on it."""
        with suppress(Exception):
            log = read_eval_log(list_eval_logs(str(place))[0], header_only=True)
            dataset = log.eval.dataset
            if dataset.sample_ids != self._names:
                dataset.samples, dataset.sample_ids = len(self._names), self._names
                write_eval_log(log, header_only=True)

    def _next(self, count: int) -> list[Sample]:
        samples = list(islice(self._coming, count))
        self._names += (sample.id for sample in samples if sample.id is not None)
        return samples

    async def _more(self) -> list[Sample] | None:
        """Asked where none waits and none plays: at first, after the last one, and where those that
        were to bring the next ones failed before they began."""
        if self._ready is not None:
            self._ready()
            self._ready = None
        return self._next(WAITING) or None
