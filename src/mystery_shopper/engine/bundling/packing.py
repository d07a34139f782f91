"""Runs into one zip that others can check. Trials pass one by one; memory does not grow with them.

Equal runs give equal bytes: no date, no path and no clock reading is written, unless the readings
are asked for.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
from msgspec.structs import replace

from mystery_shopper.engine.bundling.archive import Writer
from mystery_shopper.engine.bundling.counting import Tally
from mystery_shopper.engine.bundling.locking import ascii_slug, lock, own_licence
from mystery_shopper.engine.bundling.manifest import (
    BUNDLE_SCHEMA,
    COUNTS,
    LOCK,
    MANIFEST,
    MODELS,
    RUN,
    TIMINGS,
    TRIALS,
    FileEntry,
    Manifest,
    RunEntry,
    RunModels,
    TaskSetEntry,
    pretty,
)
from mystery_shopper.engine.bundling.pins import Pinned, asked_models, pins_of, weights_of
from mystery_shopper.engine.bundling.redacting import Known, Redactor, lost_checks
from mystery_shopper.engine.bundling.shops import Shops
from mystery_shopper.engine.journal import Timing
from mystery_shopper.engine.plan import RunFile, package_version
from mystery_shopper.engine.replay import Replay
from mystery_shopper.engine.store import RunFolder
from mystery_shopper.engine.suites import TaskBook, suite_of
from mystery_shopper.engine.trial import encode_trial
from mystery_shopper.foundation import InputError


@dataclass(frozen=True)
class Wanted:
    """What a bundle is to hold beside the usual. `weights`: party -> the file that its model's
    server loaded."""

    redact: bool = False
    timings: bool = False
    with_catalogue: bool = False
    unfinished: bool = False
    weights: Mapping[str, Path] = field(default_factory=dict[str, Path])


@dataclass(frozen=True)
class Bundled:
    """What was written: the manifest, the models of each run, and the size of the zip in bytes."""

    manifest: Manifest
    models: tuple[RunModels, ...]
    size: int

    @property
    def floating(self) -> list[tuple[str, Pinned]]:
        """(run, model) of every model that nothing pins."""
        return [(run.run, one) for run in self.models for one in run.models if not one.by]


def bundle(
    folders: Sequence[RunFolder],
    out: Path,
    wanted: Wanted | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> Bundled:
    """Write the runs as one zip, whole or not at all.

    Raises InputError where a run cannot be read or lacks planned trials (`unfinished` lets it),
    where its task set or catalogue has changed since, and where the place cannot be written to.
    """
    wanted = wanted or Wanted()
    _check(folders, wanted)
    if out.is_dir():
        raise InputError("is a folder", where=str(out), remedy="Name a file: --out results.zip")
    beside = out.with_name(f"{out.name}.{os.getpid()}.part")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        try:
            with beside.open("w+b") as file, closing(Writer(file)) as writer:
                made = _Packing(writer, wanted, progress).all(folders)
            size = beside.stat().st_size
            beside.replace(out)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise InputError(
            f"cannot be written ({error.strerror or error})",
            where=str(error.filename or out),
            remedy="Name a file in a folder that may be written to.",
        ) from None
    return Bundled(made[0], made[1], size)


def _check(folders: Sequence[RunFolder], wanted: Wanted) -> None:
    if not folders:
        raise InputError("there is no run to bundle", remedy="Name one run's folder or more.")
    often = Counter(folder.path.resolve() for folder in folders)
    twice = [f"the run {path.name} is named twice" for path, times in often.items() if times > 1]
    if twice:
        raise InputError(twice, remedy="Name each run once.")
    if wanted.redact and wanted.with_catalogue:
        raise InputError(
            "a catalogue's own texts are not redacted",
            where="--redact --with-catalogue",
            remedy="Leave one of the two out; the catalogue's digest is in the bundle either way.",
        )


def _run_file(folder: RunFolder) -> RunFile:
    folder.plan()  # Tells what is wrong with a file that cannot be read.
    return msgspec.json.decode(folder.run_file.read_bytes(), type=RunFile)


def _names(folders: Sequence[RunFolder], clean: Callable[[str], str]) -> list[str]:
    """A name for each run's folder in the zip: its own, numbered where two are alike."""
    taken: set[str] = set()
    names: list[str] = []
    for folder in folders:
        first = ascii_slug(clean(folder.path.resolve().name))
        name, number = first, 1
        while name in taken:
            number += 1
            name = f"{first}-{number}"
        taken.add(name)
        names.append(name)
    return names


class _Packing:
    """One bundle being written."""

    def __init__(self, writer: Writer, wanted: Wanted, progress: Callable[[int], None]) -> None:
        self.writer, self.wanted, self.progress = writer, wanted, progress
        self.counts: dict[str, int] = {}
        self.task_sets: dict[str, tuple[TaskSetEntry, TaskBook]] = {}
        clean = self._redactor().text if wanted.redact else None
        self.shops = Shops(writer, wanted.with_catalogue, clean)

    def all(self, folders: Sequence[RunFolder]) -> tuple[Manifest, tuple[RunModels, ...]]:
        """Write every file, the manifest last."""
        names = _names(folders, self._redactor().text if self.wanted.redact else str)
        files = list(zip(names, map(_run_file, folders), strict=True))
        self._check_weights([file for _, file in files])
        redactor = self._redactor() if self.wanted.redact else None
        told = [(name, redactor.run_file(file) if redactor else file) for name, file in files]
        self.writer.add(LOCK, [lock(told)])
        self.writer.add("licences/mystery-shopper.txt", [own_licence()])
        runs: list[RunEntry] = []
        models: list[RunModels] = []
        for (name, file), (_, shown), folder in zip(files, told, folders, strict=True):
            entry, pins = self._run(name, folder, file, shown)
            runs.append(entry)
            models.append(RunModels(name, pins))
        self.writer.add(MODELS, [pretty(models)])
        manifest = Manifest(
            BUNDLE_SCHEMA,
            package_version(),
            tuple(runs),
            tuple(entry for entry, _ in self.task_sets.values()),
            tuple(self.shops.entries.values()),
            tuple(FileEntry(*member) for member in self.writer.members),
            dict(sorted(self.counts.items())) if self.wanted.redact else None,
            any(run.trials.missing for run in runs),
        )
        self.writer.add(MANIFEST, [pretty(manifest)])
        return manifest, tuple(models)

    def _check_weights(self, files: Sequence[RunFile]) -> None:
        asked = {party for file in files for party in asked_models(file.plan)}
        stray = sorted(set(self.wanted.weights) - asked)
        if stray:
            raise InputError(
                [f"no run has a model as its {party}" for party in stray],
                where="--weights",
                remedy="Write agent=FILE or user=FILE for a party that is model:PROVIDER/NAME.",
            )

    def _redactor(self, again: Replay | None = None) -> Redactor:
        if again is None:
            return Redactor(counts=self.counts)
        return Redactor(Known(again.scene.catalogue), self.counts)

    def _run(
        self, name: str, folder: RunFolder, file: RunFile, shown: RunFile
    ) -> tuple[RunEntry, tuple[Pinned, ...]]:
        again = Replay.of(file.plan)
        shop = self.shops.add(file.plan)
        left = self._task_set(again)
        place = f"runs/{name}"
        as_it_is = folder.run_file.read_bytes()
        self.writer.add(f"{place}/{RUN}", [as_it_is if shown is file else pretty(shown)])
        tally = Tally(file.plan, left)
        exempt: dict[str, tuple[str, ...]] = {}
        lines = self._trials(folder, again, tally, exempt)
        self.writer.add(f"{place}/{TRIALS}", lines)
        total = tally.total
        if total.missing and not self.wanted.unfinished:
            raise InputError(
                f"{total.missing:,} of {total.planned:,} planned trials are missing",
                where=str(folder.path),
                remedy="Finish the run by the command that began it, or say --unfinished.",
            )
        self.writer.add(f"{place}/{COUNTS}", [tally.csv()])
        answered = self._timings(place, folder)
        weights = weights_of(file.plan, self.wanted.weights)
        entry = RunEntry(
            name,
            shown.digest,
            again.tasks.digest,
            shop.digest,
            total,
            file.digest if file.digest != shown.digest else "",
            exempt,
            shop.graph,
        )
        return entry, pins_of(file.plan, answered, weights)

    def _trials(
        self, folder: RunFolder, again: Replay, tally: Tally, exempt: dict[str, tuple[str, ...]]
    ) -> Iterator[bytes]:
        """The lines of `trials.jsonl`."""
        redactor = self._redactor(again) if self.wanted.redact else None
        planned = frozenset(again.plan.tasks)
        for trial in folder.trials():
            if trial.task not in planned or not 0 <= trial.number < again.plan.trials:
                raise InputError(
                    f"trial {trial.key} was not planned",
                    where=str(folder.path),
                    remedy="Restore the run's folder, or run it again.",
                )
            if redactor is not None:
                left = redactor.trial(trial)
                if left is not trial:
                    trial = left
                    lost = lost_checks(again, trial)
                    if lost:
                        exempt[trial.key] = lost
                if trial.task in tally.tasks.by_id:
                    # In recbench it is a user's name, which the bundle may not have as it was.
                    family = tally.tasks.labels(trial.task).family
                    trial = trial if family == trial.family else replace(trial, family=family)
            tally.add(trial)
            self.progress(1)
            yield encode_trial(trial) + b"\n"

    def _timings(self, place: str, folder: RunFolder) -> dict[str, Counter[str]]:
        """Write `timings.jsonl` if there is something to tell; gives which models answered."""
        answered: dict[str, Counter[str]] = {}
        keep = self.wanted.timings
        for timing in folder.timings():
            keep = keep or _tells(timing)
            for party, used in timing.usage.items():
                answered.setdefault(party, Counter()).update(used.answered)
        if keep:
            self.writer.add(f"{place}/{TIMINGS}", self._timing_lines(folder.timings()))
        return answered

    def _timing_lines(self, timings: Iterable[Timing]) -> Iterator[bytes]:
        for timing in timings:
            if self.wanted.timings:
                yield msgspec.json.encode(timing) + b"\n"
            elif _tells(timing):
                told = Timing(timing.trial, (), timing.usage, timing.statuses)
                yield msgspec.json.encode(told) + b"\n"

    def _task_set(self, again: Replay) -> TaskBook:
        """The run's tasks as they are in the bundle, written where they were not yet."""
        tasks, name = again.tasks, again.plan.task_set
        if tasks.digest not in self.task_sets:
            entry, left = TaskSetEntry(tasks.name, tasks.digest), tasks
            suite = suite_of(again.plan.suite)
            if name not in suite.shipped_sets():
                before = sum(self.counts.values())
                if self.wanted.redact:
                    left = self._redactor(again).tasks(suite.name, tasks)
                file = f"tasks/{tasks.digest[:16]}.json"
                self.writer.add(file, [suite.tasks_bytes(left)])
                entry = replace(entry, file=file, redacted=sum(self.counts.values()) - before)
            self.task_sets[tasks.digest] = entry, left
        return self.task_sets[tasks.digest][1]


def _tells(timing: Timing) -> bool:
    """Whether it tells of more than the clock."""
    return bool(timing.usage or timing.statuses)
