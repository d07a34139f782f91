"""`head.json`: what a list of runs tells of one, so that no list reads its trials.

It is written whenever a writer lets go of the folder, and holds the sizes of the files that it
counted: where they have changed since, by a writer at work or one that was killed, the head is
stale and says nothing. It is not part of the record: no figure of a report rests on it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

HEAD = "head.json"


class Head(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Counts of a run at the time when its folder was let go.

    `plan` is the plan's digest. `success` is pass^1 over the tasks that something fits, all
    conditions together; None where no trial of one was scored. `started` is in UTC. `sizes` are the
    bytes of the files with trials.
    """

    plan: str
    planned: int
    done: int
    excluded: int
    success: float | None
    started: str
    sizes: Mapping[str, int]


class _Score(msgspec.Struct):
    success: bool | None


class Counted(msgspec.Struct):
    """As much of a trial as is counted."""

    task: str
    number: int
    satisfiable: bool
    fault: str | None
    score: _Score

    @property
    def excluded(self) -> bool:
        """As `Trial.excluded`."""
        return self.fault in ("user", "infrastructure")


class CountedEntry(msgspec.Struct):
    """As much of a journal's line."""

    trial: Counted


def sizes_of(files: Sequence[Path]) -> dict[str, int]:
    """The bytes of each file that is there."""
    return {file.name: file.stat().st_size for file in files if file.is_file()}


def read_head(folder: Path) -> Head | None:
    """The head of a run's folder; None where there is none that can be read."""
    try:
        return msgspec.json.decode((folder / HEAD).read_bytes(), type=Head)
    except (OSError, msgspec.MsgspecError):
        return None


def count(
    trials: Iterable[Counted], *, plan: str, planned: int, started: str, sizes: Mapping[str, int]
) -> Head:
    """The head over these trials; of two with one key the first counts."""
    found: dict[tuple[str, int], Counted] = {}
    for trial in trials:
        found.setdefault((trial.task, trial.number), trial)
    by_task: dict[str, list[bool]] = defaultdict(list)
    for trial in found.values():
        if trial.satisfiable and not trial.excluded and trial.score.success is not None:
            by_task[trial.task].append(trial.score.success)
    shares = [sum(outcomes) / len(outcomes) for outcomes in by_task.values()]
    return Head(
        plan=plan,
        planned=planned,
        done=len(found),
        excluded=sum(trial.excluded for trial in found.values()),
        success=sum(shares) / len(shares) if shares else None,
        started=started,
        sizes=sizes,
    )


def began(run_file: Path) -> str:
    """When a plan was written, which is when the run began; in UTC."""
    return datetime.fromtimestamp(run_file.stat().st_mtime, UTC).strftime("%Y-%m-%d %H:%M")
