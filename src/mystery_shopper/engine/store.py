"""The run folder: `run.json`, the append-only `trials.jsonl`, and `timings.jsonl` beside it.

A trial is one line; trials are written whole, batch by batch, in the order of the plan. Nothing
that was written is ever rewritten; a torn last line, left by a crash, is cut off when the run goes
on.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import msgspec

from mystery_shopper.engine.plan import RunFile, RunPlan, environment
from mystery_shopper.engine.trial import Trial, decode_trial, encode_trial
from mystery_shopper.foundation import InputError, sole_writer, write_whole


class Timing(msgspec.Struct, frozen=True):
    """The agent's seconds, act by act, of one trial."""

    trial: str
    seconds: tuple[float, ...]


class Lines(NamedTuple):
    """Finished trials as they are written: their lines, their timings' lines, and their number."""

    trials: bytes
    timings: bytes
    number: int

    @classmethod
    def of(cls, trials: Sequence[Trial], timings: Sequence[Timing]) -> Lines:
        """The lines of these trials."""
        return cls(
            b"".join(encode_trial(trial) + b"\n" for trial in trials),
            b"".join(msgspec.json.encode(timing) + b"\n" for timing in timings),
            len(trials),
        )


@dataclass(frozen=True)
class RunFolder:
    """One run on disk."""

    path: Path

    @property
    def run_file(self) -> Path:
        """The plan."""
        return self.path / "run.json"

    @property
    def trials_file(self) -> Path:
        """The trials, one a line."""
        return self.path / "trials.jsonl"

    @property
    def timings_file(self) -> Path:
        """Clock readings, kept apart since no two runs share them."""
        return self.path / "timings.jsonl"

    def begin(self, plan: RunPlan) -> set[str]:
        """Write the plan, or find it written; gives the keys of the trials already there.

        Raises InputError where the folder holds another run, naming what differs, or something
        that is no run. Nothing is written over.
        """
        self._settle(plan)
        return self._done()

    @contextmanager
    def writing(self, plan: RunPlan) -> Generator[set[str]]:
        """As `begin`, with the folder held against other processes until the block ends; a process
        that dies lets go of it."""
        self._settle(plan)
        with sole_writer(self.run_file):
            yield self._done()

    def _settle(self, plan: RunPlan) -> None:
        if self.run_file.exists():
            self._compare(plan)
            return
        if self.path.is_dir() and any(entry.suffix != ".part" for entry in self.path.iterdir()):
            raise InputError(
                "the folder is not empty and holds no run.json",
                where=str(self.path),
                remedy="Choose another --out.",
            )
        content = RunFile(plan, plan.digest, environment())
        text = msgspec.json.format(msgspec.json.encode(content), indent=2) + b"\n"
        write_whole(self.run_file, text)

    def _done(self) -> set[str]:
        self._cut_torn_line(self.trials_file)
        self._cut_torn_line(self.timings_file)
        return {trial.key for trial in self.trials()}

    def plan(self) -> RunPlan:
        """The plan of the run. Raises InputError where there is none that can be read."""
        return self._read_run_file().plan

    def append(self, trials: Sequence[Trial], timings: Sequence[Timing]) -> None:
        """Add finished trials."""
        self.append_lines(Lines.of(trials, timings))

    def append_lines(self, lines: Lines) -> None:
        """Add finished trials: one write each to the trials and to the timings."""
        with self.trials_file.open("ab") as file:
            file.write(lines.trials)
        with self.timings_file.open("ab") as file:
            file.write(lines.timings)

    def trials(self) -> Iterator[Trial]:
        """The trials in the order in which they were written; of two with one key the first.

        Raises InputError with the line of a record that cannot be read; a torn last line is passed
        over.
        """
        if not self.trials_file.exists():
            return
        if not self.trials_file.is_file():
            raise InputError(
                "is no file", where=str(self.trials_file), remedy="Name a run's folder."
            )
        seen: set[str] = set()
        with self.trials_file.open("rb") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n"):
                    return
                try:
                    trial = decode_trial(line)
                except msgspec.MsgspecError as error:
                    raise InputError(
                        f"line {number}: not a trial record ({error})",
                        where=str(self.trials_file),
                        remedy="Restore the file, or run again into another folder.",
                    ) from None
                if trial.key not in seen:
                    seen.add(trial.key)
                    yield trial

    def _read_run_file(self) -> RunFile:
        try:
            return msgspec.json.decode(self.run_file.read_bytes(), type=RunFile)
        except (FileNotFoundError, NotADirectoryError):
            below = sorted(place.parent.name for place in self.path.glob("*/run.json"))
            hint = f" There are runs below it: {', '.join(below)}." if below else ""
            raise InputError(
                "there is no run.json", where=str(self.path), remedy=f"Name a run's folder.{hint}"
            ) from None
        except (msgspec.MsgspecError, OSError) as error:
            raise InputError(
                f"cannot be read as a run ({error})",
                where=str(self.run_file),
                remedy="Restore the file, or run again into another folder.",
            ) from None

    def _compare(self, plan: RunPlan) -> None:
        there = self._read_run_file().plan
        differing = [
            f"{name}: the folder has {_brief(getattr(there, name))}, "
            f"this command asks for {_brief(getattr(plan, name))}"
            for name in plan.__struct_fields__
            if getattr(there, name) != getattr(plan, name)
        ]
        if differing:
            raise InputError(
                differing,
                where=f"{self.path} belongs to another run",
                remedy="Choose another --out, or repeat the command that began this run.",
            )

    @staticmethod
    def _cut_torn_line(path: Path) -> None:
        if not path.is_file():
            return
        with path.open("rb+") as file:
            size = file.seek(0, 2)
            keep, block = size, 1 << 16
            while keep > 0:
                start = max(0, keep - block)
                file.seek(start)
                at = file.read(keep - start).rfind(b"\n")
                if at >= 0:
                    keep = start + at + 1
                    break
                keep = start
            if keep != size:
                file.truncate(keep)


def _brief(value: object) -> str:
    text = str(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
