"""A bundle checked offline: container, hashes, plans, trials, counts, models.

Everything in a bundle is untrusted. No module that it names is imported, no path that it names is
opened, no socket is used; only a catalogue's arrays are unpacked, under names of ours, into a
folder of ours that is removed again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from mystery_shopper.catalog import Catalogue
from mystery_shopper.engine.bundling.archive import Reader, Refused, opened
from mystery_shopper.engine.bundling.locking import lock_problems
from mystery_shopper.engine.bundling.manifest import (
    BUNDLE_SCHEMA,
    COUNTS,
    LOCK,
    MANIFEST,
    MODELS,
    RUN,
    TIMINGS,
    TRIALS,
    CatalogueEntry,
    Manifest,
    RunEntry,
    RunModels,
)
from mystery_shopper.engine.bundling.pins import pins_of
from mystery_shopper.engine.bundling.problems import Problems
from mystery_shopper.engine.bundling.runs import Checked, RunCheck, read_plan
from mystery_shopper.engine.bundling.sources import Found, Sources
from mystery_shopper.engine.journal import Timing
from mystery_shopper.engine.loading import load_part
from mystery_shopper.engine.plan import RUN_SCHEMA, SUITES, RunPlan, package_version
from mystery_shopper.engine.replay import Replay
from mystery_shopper.engine.suites import TaskBook, suite_of

MOST_JSON = 1 << 26
MOST_LOCK = 1 << 20


@dataclass(frozen=True)
class Verified:
    """What was found. `problems` is empty where the bundle verifies; `notes` are what its reader
    should know all the same."""

    manifest: Manifest | None
    problems: Problems
    runs: tuple[Checked, ...] = ()
    models: tuple[RunModels, ...] = ()
    notes: tuple[str, ...] = ()


def verify(
    path: Path,
    catalogues: Sequence[Path] = (),
    progress: Callable[[int, int], None] = lambda _, __: None,
) -> Verified:
    """Check a bundle. `catalogues` are folders of this machine for runs over catalogues that the
    bundle does not hold; `progress` is told (trials done, of all).

    Raises InputError where there is no such file, and where a catalogue is needed to score trials
    that is neither in the bundle nor given.
    """
    problems = Problems()
    try:
        with opened(path) as reader, ExitStack() as stack:
            sources = Sources(reader, problems, catalogues, stack)
            return _Verifying(reader, problems, sources, progress).all()
    except Refused as error:
        problems.add(path.name, str(error))
    return Verified(None, problems)


@dataclass
class _Verifying:
    """One bundle being checked."""

    reader: Reader
    problems: Problems
    sources: Sources
    progress: Callable[[int, int], None]
    parts: dict[str, Catalogue] = field(default_factory=dict[str, Catalogue])

    def all(self) -> Verified:
        """Every check."""
        manifest = self._manifest()
        if manifest is None:
            return Verified(None, self.problems)
        damaged = self._check_files(manifest)
        self._check_lock(manifest)
        models = self._models(manifest)
        runs: list[Checked] = []
        total = sum(run.trials.planned for run in manifest.runs)
        for entry in manifest.runs:
            checked = self._run(manifest, entry, models, damaged, total, runs)
            if checked is not None:
                runs.append(checked)
        return Verified(
            manifest, self.problems, tuple(runs), models, tuple(self._notes(manifest, runs))
        )

    def _manifest(self) -> Manifest | None:
        if MANIFEST not in self.reader.sizes:
            self.problems.add(MANIFEST, "is missing: this is no bundle")
            return None
        with self.problems.of(MANIFEST):
            raw = self.reader.read(MANIFEST, MOST_JSON)
            schema = msgspec.json.decode(raw, type=_Schema).schema
            if schema != BUNDLE_SCHEMA:
                self.problems.add(
                    MANIFEST,
                    f"has schema {schema}; this version checks schema {BUNDLE_SCHEMA}",
                    field="schema",
                )
                return None
            manifest = msgspec.json.decode(raw, type=Manifest)
            for what, names in (
                ("run", [run.name for run in manifest.runs]),
                ("file", [file.name for file in manifest.files]),
                ("task set", [entry.digest for entry in manifest.task_sets]),
                ("catalogue", [f"{e.digest} {e.graph}".strip() for e in manifest.catalogues]),
            ):
                for name, often in Counter(names).items():
                    if often > 1:
                        self.problems.add(MANIFEST, f"names the {what} {name} twice")
            if not manifest.runs:
                self.problems.add(MANIFEST, "names no run")
            return manifest
        return None

    def _check_files(self, manifest: Manifest) -> set[str]:
        """Hold every file against its hash; gives those that are missing or cannot be read."""
        listed = {file.name: file for file in manifest.files}
        lost: set[str] = set()
        for name in self.reader.sizes:
            if name != MANIFEST and name not in listed:
                self.problems.add(name, "is in the zip and not in the manifest")
        for name, file in listed.items():
            if name not in self.reader.sizes:
                self.problems.add(name, "is in the manifest and not in the zip")
                lost.add(name)
                continue
            before = self.problems.count
            with self.problems.of(name):
                found = self.reader.hashed(name)
                if (found.size, found.sha256) != (file.size, file.sha256):
                    self.problems.add(
                        name,
                        f"has SHA-256 {found.sha256[:12]} and {found.size:,} bytes, the manifest "
                        f"says {file.sha256[:12]} and {file.size:,}",
                    )
                continue
            if self.problems.count > before:
                lost.add(name)
        licences = [name for entry in manifest.catalogues for name in entry.licences]
        needed = (LOCK, MODELS, "licences/mystery-shopper.txt", *licences)
        for name in needed:
            if name not in listed:
                self.problems.add(name, "is missing")
                lost.add(name)
        own = {*needed, *(entry.file for entry in manifest.task_sets)}
        own |= {
            f"runs/{run.name}/{file}"
            for run in manifest.runs
            for file in (RUN, TRIALS, COUNTS, TIMINGS)
        }
        folders = tuple(f"{entry.folder}/" for entry in manifest.catalogues if entry.folder)
        for name in listed:
            if name not in own and not name.startswith(folders):
                self.problems.add(name, "is no part of a bundle")
        return lost

    def _check_lock(self, manifest: Manifest) -> None:
        if LOCK in self.reader.sizes:
            with self.problems.of(LOCK):
                for number, why in lock_problems(
                    self.reader.read(LOCK, MOST_LOCK), manifest.version
                ):
                    self.problems.add(LOCK, why, f"line {number}" if number else "")

    def _models(self, manifest: Manifest) -> tuple[RunModels, ...]:
        if MODELS not in self.reader.sizes:
            return ()
        with self.problems.of(MODELS):
            raw = self.reader.read(MODELS, MOST_JSON)
            found = msgspec.json.decode(raw, type=tuple[RunModels, ...])
            told, wanted = [one.run for one in found], [run.name for run in manifest.runs]
            if told != wanted:
                self.problems.add(MODELS, f"tells of the runs {told}, the bundle has {wanted}")
            return found
        return ()

    def _run(
        self,
        manifest: Manifest,
        entry: RunEntry,
        models: Sequence[RunModels],
        damaged: set[str],
        total: int,
        before: Sequence[Checked],
    ) -> Checked | None:
        place = f"runs/{entry.name}/"
        needed = {f"{place}{name}" for name in (RUN, "trials.jsonl", "counts.csv")}
        absent = needed - set(self.reader.sizes)
        for name in sorted(absent - damaged):
            self.problems.add(name, "is missing")
        if f"{place}{RUN}" in absent | damaged:
            return None
        plan = read_plan(self.reader, entry, self.problems)
        if plan is None:
            return None
        self._check_pins(entry, plan, models)
        again = self._again(manifest, entry, plan)
        if again is None or absent or needed & damaged:
            return None  # Of a file that cannot be read through, the rest tells nothing.
        done = sum(run.trials for run in before)

        def advance(count: int) -> None:
            nonlocal done
            done += count
            self.progress(done, total)

        return RunCheck(
            self.reader, entry, again, self.problems, manifest.unfinished, advance
        ).run()

    def _check_pins(self, entry: RunEntry, plan: RunPlan, models: Sequence[RunModels]) -> None:
        """Every model is pinned, and what is told of it fits the plan and the timings."""
        told = next((one.models for one in models if one.run == entry.name), ())
        place = f"runs.{entry.name}"
        answered = self._answered(entry)
        weights = {one.party: one.weights for one in told}
        expected = pins_of(plan, answered, weights)
        for found in told:
            match = next((one for one in expected if one.party == found.party), None)
            if match is None or found != match:
                self.problems.add(
                    MODELS, "does not fit the plan and the timings", field=f"{place}.{found.party}"
                )
        parties = [one.party for one in told]
        for one in expected:
            if parties.count(one.party) != 1:
                self.problems.add(MODELS, "must be told of once", field=f"{place}.{one.party}")
        for one in expected:
            if not one.by:
                name = one.name or ", ".join(one.answered)
                heard = f", answered by {', '.join(one.answered)}" if one.answered else ""
                self.problems.add(
                    MODELS,
                    f"{name!r}{heard} is a floating name: no date, snapshot, revision, digest or "
                    "weights pin the model",
                    field=f"{place}.{one.party}",
                )

    def _answered(self, entry: RunEntry) -> dict[str, Counter[str]]:
        answered: dict[str, Counter[str]] = {}
        file = f"runs/{entry.name}/{TIMINGS}"
        if file in self.reader.sizes:
            with self.problems.of(file):
                for line in self.reader.lines(file):
                    for party, used in msgspec.json.decode(line, type=Timing).usage.items():
                        answered.setdefault(party, Counter()).update(used.answered)
        return answered

    def _again(self, manifest: Manifest, entry: RunEntry, plan: RunPlan) -> Replay | None:
        """What the run's trials are played again with; None, with the problem told, where that is
        not what the run says."""
        file = f"runs/{entry.name}/{RUN}"
        if plan.schema != RUN_SCHEMA or plan.suite not in SUITES:
            self.problems.add(
                file,
                f"is of schema {plan.schema} and suite {plan.suite!r}, which this version has not",
            )
            return None
        sets = {one.digest: one for one in manifest.task_sets}
        shops = {(one.digest, one.graph): one for one in manifest.catalogues}
        shop = shops.get((entry.catalogue, entry.graph))
        if entry.task_set not in sets or shop is None:
            self.problems.add(
                MANIFEST, "does not list its task set or catalogue", field=f"runs.{entry.name}"
            )
            return None
        found = self.sources.catalogue(shop, plan)
        if found is None:
            return None
        tasks = self.sources.tasks(sets[entry.task_set], plan, found.whole)
        if tasks is None:
            return None
        with self.problems.of(file):
            return self._replay(plan, entry, tasks, found, self._part(shop, plan, found.whole))
        return None

    def _replay(
        self, plan: RunPlan, entry: RunEntry, tasks: TaskBook, found: Found, nested: Catalogue
    ) -> Replay | None:
        """The tasks over the part that was played over; None, with the problem told, where the plan
        or the tasks are of something else."""
        file = f"runs/{entry.name}/{RUN}"
        suite, before = suite_of(plan.suite), self.problems.count
        for name, recorded, now in (
            ("plan.catalogue_digest", plan.catalogue_digest, nested.digest),
            ("plan.task_set_digest", plan.task_set_digest, entry.task_set),
            ("the task set's catalogue", *suite.origin(tasks, found.whole, found.folder)),
        ):
            if recorded != now:
                self.problems.add(file, f"recorded {recorded[:12]}, found {now[:12]}", field=name)
        if self.problems.count > before:
            return None
        return Replay(plan, suite.scene(plan, tasks, nested, found.folder))

    def _part(self, entry: CatalogueEntry, plan: RunPlan, whole: Catalogue) -> Catalogue:
        """The nested subset that was played over: one object for all runs over it."""
        if not entry.folder:
            return load_part(plan.source, plan.size)
        nested = whole.nested(plan.size)
        return self.parts.setdefault(nested.digest, nested)

    def _notes(self, manifest: Manifest, runs: Sequence[Checked]) -> Iterator[str]:
        if manifest.version != package_version():
            yield f"made by version {manifest.version}, checked by version {package_version()}"
        for run in manifest.runs:
            if run.trials.missing and manifest.unfinished:
                yield f"{run.name}: {run.trials.missing:,} planned trials are missing (unfinished)"
        for run in runs:
            for check, count in sorted(run.exempt.items()):
                yield f"{run.name}: {count:,} redacted trials are exempt from {check}"
        for entry in manifest.task_sets:
            if entry.redacted:
                yield f"{entry.name}: redacted, so its digest cannot be checked"


class _Schema(msgspec.Struct, frozen=True):
    schema: int
