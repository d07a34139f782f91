"""A person's own metrics: found by name, measured while trials are read, kept as numbers alone.

A metric that raises, or gives something that is no number, leaves a failure record; it is never a
score. None is unscored.
"""

from __future__ import annotations

import inspect
import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from numbers import Real
from typing import Any, Protocol

from mystery_shopper.dialogue.stage import told
from mystery_shopper.engine.casting import own_object
from mystery_shopper.engine.plan import RunPlan
from mystery_shopper.engine.suites import TaskBook
from mystery_shopper.engine.trial import Trial
from mystery_shopper.foundation import InputError
from mystery_shopper.report.words import plain

GROUP = "mystery_shopper.metrics"
"""The group of entry points in which a package names its metrics."""
MOST = 1e100
_REMEDY = (
    "Write a class with a `name` and `measure(self, trial, task) -> float | None`; docs/metrics.md "
    "has an example."
)


class Metric(Protocol):
    """Measures one trial. It sees the whole record, its transcript and score included, and the
    task: what the customer wanted and when it would say so; in recbench the query, with what
    answers it."""

    name: str

    def measure(self, trial: Trial, task: Any) -> float | None:
        """A finite number, or None where the trial has nothing to measure."""
        ...


@dataclass
class Readings:
    """What one metric gave over one run: a number or None a trial, by the trial's key; the trials
    on which it failed; and how it failed first."""

    values: dict[str, float | None] = field(default_factory=dict[str, float | None])
    failed: set[str] = field(default_factory=set[str])
    first: str = ""

    def fail(self, key: str, why: str) -> None:
        """Keep a failure."""
        self.first = self.first or f"{key}: {plain(why, 200)}"
        self.failed.add(key)


@dataclass
class OwnMetrics:
    """The metrics of one report, and what they gave by run and metric."""

    metrics: Sequence[Metric]
    found: dict[tuple[str, str], Readings] = field(
        default_factory=dict[tuple[str, str], Readings], init=False
    )

    def watch(
        self, run: str, plan: RunPlan, trials: Iterator[Trial], task_set: TaskBook | None
    ) -> Iterator[Trial]:
        """The same trials, each measured as it passes by. An excluded trial is not measured. Raises
        InputError where the run's tasks are not there to be shown to the metrics."""
        if not self.metrics:
            return trials
        if task_set is None or task_set.digest != plan.task_set_digest:
            raise InputError(
                f"the tasks of the run {run} ({plan.task_set}) cannot be read or have changed",
                where="--metric",
                remedy="Restore the task set; a metric is shown the task of each trial.",
            )
        readings = [self.found.setdefault((run, one.name), Readings()) for one in self.metrics]
        return self._measured(trials, task_set, readings)

    def _measured(
        self, trials: Iterator[Trial], task_set: TaskBook, readings: Sequence[Readings]
    ) -> Iterator[Trial]:
        for trial in trials:
            task = task_set.by_id.get(trial.task)
            if task is not None and not trial.excluded:
                for metric, kept in zip(self.metrics, readings, strict=True):
                    _measure(metric, trial, task, kept)
            yield trial


def _measure(metric: Metric, trial: Trial, task: object, kept: Readings) -> None:
    try:
        value: object = metric.measure(trial, task)
        kept.values[trial.key] = _number(value)
    except _NoNumberError as error:
        kept.fail(trial.key, str(error))
    except SystemExit:
        kept.fail(trial.key, "wanted to end the program")
    except Exception as error:
        kept.fail(trial.key, told(error))


class _NoNumberError(Exception):
    """A metric gave something that is no score."""


def _number(value: object) -> float | None:
    if value is None:
        return None
    if inspect.iscoroutine(value):
        value.close()
        raise _NoNumberError("measure is asynchronous; it must give its number at once")
    if not isinstance(value, Real):
        raise _NoNumberError(f"gave {type(value).__name__}, not a number")
    number = float(value)
    if not math.isfinite(number):
        raise _NoNumberError(f"gave {number}")
    if abs(number) > MOST:
        raise _NoNumberError(f"gave {number:g}, which is beyond {MOST:g}")
    return number


def load_metrics(names: Sequence[str]) -> OwnMetrics:
    """The metrics of these names: an entry point's, or `package.module:Class` of a module that may
    lie in the current folder. Raises InputError that tells every one that cannot be used."""
    problems: list[str] = []
    made: list[Metric] = []
    for name in names:
        try:
            made.append(_made(name))
        except InputError as error:
            problems.append(error.problems[0])
    often = Counter(metric.name for metric in made)
    problems += [f"{n} metrics are named {name!r}" for name, n in often.items() if n > 1]
    if problems:
        raise InputError(problems, where="--metric", remedy=_REMEDY)
    return OwnMetrics(made)


def _made(name: str) -> Metric:
    factory = _factory(name)
    try:
        metric = factory()
    except Exception as error:
        raise InputError(f"{name} cannot be made ({type(error).__name__}: {error})") from None
    label: object = getattr(metric, "name", None)
    if not isinstance(label, str) or not label.strip():
        raise InputError(f"{name} has no name: a text `name` is what the report calls it")
    try:
        inspect.signature(metric.measure).bind(None, None)
    except (AttributeError, TypeError, ValueError):
        raise InputError(f"{name} has no method `measure` that takes a trial and a task") from None
    return metric


def _factory(name: str) -> Callable[[], Any]:
    module, colon, attribute = name.partition(":")
    if colon:
        return own_object(module, attribute, "--metric", _REMEDY)
    installed = {point.name: point for point in entry_points(group=GROUP)}
    if name not in installed:
        there = ", ".join(sorted(installed)) or "none"
        raise InputError(f"no metric {name!r} is installed (there: {there})")
    try:
        return installed[name].load()
    except Exception as error:
        raise InputError(f"{name} cannot be loaded ({type(error).__name__}: {error})") from None
