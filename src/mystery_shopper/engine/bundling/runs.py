"""One run of a bundle checked: its plan, every trial played again and scored, and its counts."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from mystery_shopper.engine.bundling.archive import Reader
from mystery_shopper.engine.bundling.counting import HEAD, Tally
from mystery_shopper.engine.bundling.manifest import (
    COUNTS,
    REPLAY,
    RUN,
    SCORE,
    TIMINGS,
    TRIALS,
    RunEntry,
)
from mystery_shopper.engine.bundling.problems import Problems, differing
from mystery_shopper.engine.bundling.redacting import first_marked
from mystery_shopper.engine.journal import Timing
from mystery_shopper.engine.plan import RunFile, RunPlan
from mystery_shopper.engine.planning import instructions_digest
from mystery_shopper.engine.replay import Replay, beside_score
from mystery_shopper.engine.suites import suite_of
from mystery_shopper.engine.trial import Trial, decode_trial
from mystery_shopper.engine.usage import PARTIES
from mystery_shopper.foundation import digest

MOST_TRIALS = 10_000_000
MOST_PLAN = 1 << 26


@dataclass(frozen=True)
class Checked:
    """What was checked of a run; `exempt` counts trials by the check that they no longer pass."""

    name: str
    trials: int
    events: int
    exempt: dict[str, int]


class _AsWritten(msgspec.Struct):
    plan: dict[str, Any]


def read_plan(reader: Reader, entry: RunEntry, problems: Problems) -> RunPlan | None:
    """The run's plan, held against its own digest and the manifest's; None where there is none."""
    file = f"runs/{entry.name}/{RUN}"
    with problems.of(file):
        raw = reader.read(file, MOST_PLAN)
        found = msgspec.json.decode(raw, type=RunFile)
        plan = found.plan
        # Of the text as it stands: another version may write an equal plan in another way.
        told = digest(msgspec.json.decode(raw, type=_AsWritten).plan)
        differing(problems, file, {"digest": (found.digest, told)})
        differing(problems, "manifest.json", {
            f"runs.{entry.name}.plan_digest": (entry.plan_digest, told),
            f"runs.{entry.name}.trials.planned": (entry.trials.planned, plan.count),
        })  # fmt: skip
        if not 1 <= plan.count <= MOST_TRIALS or len(set(plan.tasks)) != len(plan.tasks):
            problems.add(file, "names no trials, too many, or a task twice", field="plan")
            return None
        return plan
    return None


@dataclass
class RunCheck:
    """Checks the trials of one run. `again` plays them; `unfinished`: planned ones may be
    missing."""

    reader: Reader
    entry: RunEntry
    again: Replay
    problems: Problems
    unfinished: bool = False
    progress: Callable[[int], None] = lambda _: None

    def __post_init__(self) -> None:
        self._place = f"runs/{self.entry.name}"
        self._file = f"{self._place}/{TRIALS}"
        self._exempt: Counter[str] = Counter()
        self._events = 0
        self._planned = frozenset(self.again.plan.tasks)

    def run(self) -> Checked:
        """Every trial and the counts."""
        self._check_plan()
        tally = Tally(self.again.plan, self.again.tasks)
        seen: set[str] = set()
        with self.problems.of(self._file):
            for trial in self._trials():
                if trial.key in seen:
                    self.problems.add(self._file, "stands twice", trial.key)
                    continue
                seen.add(trial.key)
                if self._belongs(trial):
                    self._check(trial)
                    tally.add(trial)
                self._events += len(trial.transcript.events)
                self.progress(1)
        self._check_counts(tally)
        self._check_timings(seen)
        stray = [key for key in self.entry.exempt if key not in seen]
        for key in stray:
            self.problems.add("manifest.json", "is exempt and not there", key)
        return Checked(self.entry.name, len(seen), self._events, dict(self._exempt))

    def _check_plan(self) -> None:
        plan, file = self.again.plan, f"{self._place}/{RUN}"
        lost = [name for name in plan.tasks if name not in self.again.tasks.by_id]
        for name in lost[:5]:
            self.problems.add(file, f"the task set has no task {name!r}", field="plan.tasks")
        differing(self.problems, file, {"plan.canary": (plan.canary, self.again.tasks.canary)})
        suite = suite_of(plan.suite)
        if plan.prompts_version == suite.prompts_version:
            with self.problems.of(file):
                try:
                    told = instructions_digest(suite, plan, self.again.scene.catalogue.domain)
                except ValueError as error:
                    self.problems.add(file, str(error), field="plan")
                    return
                differing(self.problems, file, {"plan.instructions": (plan.instructions, told)})

    def _trials(self) -> Iterator[Trial]:
        for number, line in enumerate(self.reader.lines(self._file), 1):
            try:
                yield decode_trial(line)
            except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
                self.problems.add(self._file, f"not a trial record ({error})", f"line {number}")

    def _belongs(self, trial: Trial) -> bool:
        """Whether the trial was planned; what else stands beside its score is held against the
        plan and its task."""
        plan, tasks = self.again.plan, self.again.tasks
        planned = trial.task in self._planned and 0 <= trial.number < plan.trials
        if trial.task not in tasks.by_id or not planned:
            self.problems.add(self._file, "was not planned", trial.key)
            return False
        differing(self.problems, self._file, beside_score(trial, plan, tasks), trial.key)
        return True

    def _check(self, trial: Trial) -> None:
        """Play the trial again and score it anew; a redacted one as far as it can be."""
        exempt = self.entry.exempt.get(trial.key, ())
        marked = first_marked(trial) if exempt else None
        if exempt and marked is None:
            self.problems.add(self._file, "is exempt from checks, and nothing was taken out",
                              trial.key)  # fmt: skip
            exempt = ()
        self._exempt.update(exempt)
        try:
            found = self.again.compare(trial)
            if found is not None and REPLAY in exempt:
                # Up to what was taken out the record still has to be what is played.
                if marked is not None and 0 < found.place < marked:
                    self._differs(trial.key, found.place, found.recorded, found.replayed)
                elif SCORE not in exempt:
                    self._score(trial)
            elif found is not None:
                self._differs(trial.key, found.place, found.recorded, found.replayed)
                if found.place:
                    self._score(trial)
        except Exception as error:
            # The record is untrusted: what cannot be played is a finding, not a crash.
            if SCORE not in exempt:
                told = f"{type(error).__name__}: {error}"[:200]
                self.problems.add(self._file, f"cannot be played again ({told})", trial.key)

    def _score(self, trial: Trial) -> None:
        score = self.again.scene.score(trial.task, trial.transcript)
        pairs: dict[str, tuple[object, object]] = {
            f"score.{name}": (getattr(trial.score, name, None), getattr(score, name))
            for name in score.__struct_fields__
        }
        differing(self.problems, self._file, pairs, trial.key)

    def _differs(self, key: str, place: int, recorded: str, replayed: str) -> None:
        if place:
            self.problems.add(
                self._file, f"recorded {recorded}, played again {replayed}", key, f"event {place}"
            )
            return
        name, _, then = recorded.partition(": ")
        now = replayed.partition(": ")[2] or replayed
        self.problems.add(
            self._file, f"recorded {then}, recomputed {now}", key, f"score.{name}"
        )  # fmt: skip

    def _check_counts(self, tally: Tally) -> None:
        file = f"{self._place}/{COUNTS}"
        with self.problems.of(file):
            text = self.reader.read(file, MOST_PLAN).decode("utf-8")
            try:
                head, *rows = csv.reader(text.splitlines(), strict=True)
            except (ValueError, csv.Error):
                self.problems.add(file, "is no table of counts")
                return
            expected = tally.rows()
            differing(self.problems, file, {"head": (tuple(head), HEAD),
                                            "rows": (len(rows), len(expected))})  # fmt: skip
            for found, wanted in zip(rows, expected, strict=False):
                cells = zip(HEAD, found, wanted, strict=False)
                told: dict[str, tuple[object, object]] = {name: (a, b) for name, a, b in cells}
                differing(self.problems, file, told, wanted[0])
            if not self.problems.count and text.encode("utf-8") != tally.csv():
                self.problems.add(file, "is not written as a bundle's is")
        total = tally.total
        if total.missing and not self.unfinished:
            text = f"{total.missing:,} of {total.planned:,} planned trials are missing"
            self.problems.add(self._file, text)
        pairs = {
            f"runs.{self.entry.name}.trials.{name}": (
                getattr(self.entry.trials, name),
                getattr(total, name),
            )
            for name in total.__struct_fields__
        }
        differing(self.problems, "manifest.json", pairs)

    def _check_timings(self, seen: set[str]) -> None:
        """Timings are told, not scored; each must be of one of this run's trials, and could be."""
        file = f"{self._place}/{TIMINGS}"
        if file not in self.reader.sizes:
            return
        timed: set[str] = set()
        with self.problems.of(file):
            for line in self.reader.lines(file):
                timing = msgspec.json.decode(line, type=Timing)
                if timing.trial not in seen:
                    self.problems.add(file, "is of no trial of the run", timing.trial)
                elif timing.trial in timed:
                    self.problems.add(file, "stands twice", timing.trial)
                timed.add(timing.trial)
                clocks = (*timing.seconds, *timing.turns, timing.wall or 0.0)
                if min(*clocks, *timing.statuses.values(), 0) < 0:
                    self.problems.add(file, "tells of less than no time or answers", timing.trial)
                for party in set(timing.usage) - set(PARTIES):
                    self.problems.add(file, f"{party!r} is no party", timing.trial, "usage")
