"""The run folder: `run.json`, the append-only `trials.jsonl`, and `timings.jsonl` beside it.

A trial is one line. The sweep writes trials in the order of the plan; one that ends before its turn
waits in the journal `finished.jsonl` (see `engine.sweep`). A lasting run finishes them in any
order: each goes to the journal at once, and `settle` moves them into `trials.jsonl` in the plan's
order when all are there, so both kinds of run end with the same files. A torn last line, left by a
crash, is cut off when the run goes on. Whoever wrote leaves `head.json`, from which runs are
listed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import msgspec

from mystery_shopper.engine.differing import differences
from mystery_shopper.engine.head import (
    HEAD,
    Counted,
    CountedEntry,
    began,
    count,
    read_head,
    sizes_of,
)
from mystery_shopper.engine.journal import (
    Finished,
    Timing,
    Waiting,
    decode_finished,
    entry_line,
    merge,
    records,
)
from mystery_shopper.engine.plan import RunFile, RunPlan, environment
from mystery_shopper.engine.trial import Trial, decode_trial, encode_trial
from mystery_shopper.foundation import InputError, sole_writer, write_whole


class Kept(NamedTuple):
    """A finished trial as it is written: its key, its line and its timing's, without their ends."""

    key: str
    trial: bytes
    timing: bytes

    @classmethod
    def of(cls, trial: Trial, timing: Timing) -> Kept:
        """The lines of a trial."""
        return cls(trial.key, encode_trial(trial), msgspec.json.encode(timing))


FOLLOWS = frozenset(
    {"task_set_digest", "catalogue_digest", "canary", "tasks", "instructions", "size"}
)
"""Parts of a plan that differ because others do; told only where nothing else does."""


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

    @property
    def journal_file(self) -> Path:
        """Trials of a run that is not complete, in the order in which they ended."""
        return self.path / "finished.jsonl"

    @property
    def counted_files(self) -> tuple[Path, Path]:
        """The files that hold trials."""
        return self.trials_file, self.journal_file

    def begin(self, plan: RunPlan) -> set[str]:
        """Write the plan, or find it written; gives the keys of the trials already there.

        Raises InputError where the folder holds another run, naming what differs, or something
        that is no run. Nothing is written over.
        """
        self._settle(plan)
        return self._done()

    @contextmanager
    def writing(self, plan: RunPlan, *, undo: bool = False) -> Generator[set[str]]:
        """As `begin`, with the folder held against other processes until the block ends; a process
        that dies lets go of it. `undo`: a run that was begun here and got no trial is taken away
        again, with its folder where that was made here too."""
        made, begun = not self.path.exists(), not self.run_file.exists()
        self._settle(plan)
        with sole_writer(self.run_file):
            done = self._done()
            try:
                yield done
            finally:
                if undo and begun and not any(sizes_of(self.counted_files).values()):
                    self._take_away(with_folder=made)
                else:
                    self.close(plan)

    def _take_away(self, *, with_folder: bool) -> None:
        with suppress(OSError):
            self.run_file.unlink()
            if with_folder:
                self.path.rmdir()  # Refuses where somebody has put something in.

    def close(self, plan: RunPlan) -> None:
        """Leave the head. It is for lists only, so a folder that cannot take one is left as it
        is."""
        sizes, old = sizes_of(self.counted_files), read_head(self.path)
        if old is not None and (old.plan, old.sizes) == (plan.digest, sizes):
            return
        with suppress(InputError, OSError):
            head = count(
                self._counted(),
                plan=plan.digest,
                planned=plan.count,
                started=old.started if old is not None else began(self.run_file),
                sizes=sizes,
            )
            write_whole(self.path / HEAD, msgspec.json.encode(head) + b"\n")

    def _counted(self) -> Iterator[Counted]:
        yield from records(self.trials_file, _counted)
        for entry in records(self.journal_file, _counted_entry):
            yield entry.trial

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
        self._cut_torn_line(self.journal_file)
        return {trial.key for trial in self.trials()}

    def plan(self) -> RunPlan:
        """The plan of the run. Raises InputError where there is none that can be read."""
        return self._read_run_file().plan

    def append(self, trials: Sequence[Trial], timings: Sequence[Timing]) -> None:
        """Add finished trials."""
        self._append(map(encode_trial, trials), map(msgspec.json.encode, timings))

    def append_kept(self, kept: Sequence[Kept]) -> None:
        """Add finished trials: one write each to the trials and to the timings."""
        self._append((one.trial for one in kept), (one.timing for one in kept))

    def _append(self, trials: Iterable[bytes], timings: Iterable[bytes]) -> None:
        for path, lines in ((self.trials_file, trials), (self.timings_file, timings)):
            with path.open("ab") as file:
                file.write(b"".join(line + b"\n" for line in lines))

    def journal(self, trial: Trial, timing: Timing) -> None:
        """Keep one trial as soon as it has ended, whatever its place in the plan: one write."""
        self.journal_kept([Kept.of(trial, timing)])

    def journal_kept(self, kept: Sequence[Kept]) -> list[Waiting]:
        """As `journal` for several: one write. Gives where they stand."""
        lines = [entry_line(one.trial, one.timing) for one in kept]
        with self.journal_file.open("ab") as file:
            offset = file.tell()
            file.write(b"".join(lines))
        places: list[Waiting] = []
        for line in lines:
            places.append(Waiting(offset, len(line)))
            offset += len(line)
        return places

    def settle(self, plan: RunPlan) -> None:
        """Where every planned trial has ended, put them into `trials.jsonl` in the plan's order and
        drop the journal. A crash at any point leaves each trial in one of the two, or in both."""
        keys = [planned.key for planned in plan.planned()]
        if self.journal_file.is_file():
            merge(self.journal_file, self.trials_file, self.timings_file, keys)

    def timings(self) -> Iterator[Timing]:
        """The clock readings and usage of the trials; lines that cannot be read are passed over,
        since nothing is scored on them."""
        if self.timings_file.is_file():
            with self.timings_file.open("rb") as file:
                for line in file:
                    try:
                        yield msgspec.json.decode(line, type=Timing)
                    except msgspec.MsgspecError:
                        continue
        for entry in self._journal():
            yield entry.timing

    def trials(self) -> Iterator[Trial]:
        """The trials in the order in which they were written, then those of the journal; of two
        with one key the first.

        Raises InputError with the line of a record that cannot be read; a torn last line is passed
        over.
        """
        seen: set[str] = set()
        for trial in self._settled():
            if trial.key not in seen:
                seen.add(trial.key)
                yield trial
        for entry in self._journal():
            if entry.trial.key not in seen:
                seen.add(entry.trial.key)
                yield entry.trial

    def _settled(self) -> Iterator[Trial]:
        return records(self.trials_file, decode_trial)

    def _journal(self) -> Iterator[Finished]:
        return records(self.journal_file, decode_finished)

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
        if differing := differences(there, plan, FOLLOWS):
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


_counted = msgspec.json.Decoder(Counted).decode
_counted_entry = msgspec.json.Decoder(CountedEntry).decode


def folder_names(folders: Sequence[RunFolder]) -> list[str]:
    """The folders' own names; the whole path where two are alike."""
    names = [folder.path.resolve().name for folder in folders]
    return [
        name if names.count(name) == 1 else folder.path.as_posix()
        for name, folder in zip(names, folders, strict=True)
    ]


def refuse_twice(folders: Sequence[RunFolder]) -> None:
    """Raises InputError for a run that is named more than once, by whatever path."""
    often = Counter(folder.path.resolve() for folder in folders)
    twice = [f"the run {path.name} is named {n} times" for path, n in often.items() if n > 1]
    if twice:
        raise InputError(twice, remedy="Name each run once.")


def only_suite(names: Sequence[str], plans: Sequence[RunPlan], where: str, remedy: str) -> str:
    """The suite of all these runs. Raises InputError, with that of each, where they are of
    several."""
    suites = {plan.suite for plan in plans}
    if len(suites) > 1:
        raise InputError(
            [f"{name} is a run of {plan.suite}" for name, plan in zip(names, plans, strict=True)],
            where=where,
            remedy=remedy,
        )
    return suites.pop()
