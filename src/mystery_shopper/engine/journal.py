"""The journal of a run: trials in the order in which they ended, and how they are settled.

Settling copies lines, one at a time, so memory does not grow with the run.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO, NamedTuple, TypeVar

import msgspec

from mystery_shopper.engine.trial import Trial
from mystery_shopper.engine.usage import Usage
from mystery_shopper.foundation import InputError

R = TypeVar("R")


class Timing(msgspec.Struct, frozen=True, omit_defaults=True):
    """The agent's seconds, act by act, of one trial, what each party's model used, how often a
    server answered with which HTTP status, the seconds turn by turn (see `Played`), and the
    seconds from the trial's beginning to its end, None where they were not taken."""

    trial: str
    seconds: tuple[float, ...]
    usage: dict[str, Usage] = {}
    statuses: dict[str, int] = {}
    turns: tuple[float, ...] = ()
    wall: float | None = None


class Finished(msgspec.Struct, frozen=True):
    """A line of the journal: a trial that has ended, and its timing."""

    trial: Trial
    timing: Timing


def entry_line(trial: bytes, timing: bytes) -> bytes:
    """The journal's line of a trial and its timing that are encoded by now."""
    return b'{"trial":' + trial + b',"timing":' + timing + b"}\n"


decode_finished = msgspec.json.Decoder(Finished).decode


def records(path: Path, decode: Callable[[bytes], R]) -> Iterator[R]:
    """The records of a file, one a line; a torn last line is passed over. Raises InputError with
    the line of one that cannot be read."""
    if not path.exists():
        return
    if not path.is_file():
        raise InputError("is no file", where=str(path), remedy="Name a run's folder.")
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n"):
                return
            try:
                yield decode(line)
            except msgspec.MsgspecError as error:
                raise InputError(
                    f"line {number}: not a trial record ({error})",
                    where=str(path),
                    remedy="Restore the file, or run again into another folder.",
                ) from None


class _Key(msgspec.Struct):
    task: str
    number: int

    @property
    def key(self) -> str:
        return f"{self.task}#{self.number}"


class _Entry(msgspec.Struct):
    trial: msgspec.Raw
    timing: msgspec.Raw


class _Named(msgspec.Struct):
    trial: str


class _Place(NamedTuple):
    file: BinaryIO
    offset: int


_key = msgspec.json.Decoder(_Key).decode
_entry = msgspec.json.Decoder(_Entry).decode
_named = msgspec.json.Decoder(_Named).decode


class Waiting(NamedTuple):
    """Where a trial's line stands in the journal."""

    offset: int
    length: int


def waiting(journal: Path) -> dict[str, Waiting]:
    """Where each trial of a journal stands, by key; of two with one key the first."""
    found: dict[str, Waiting] = {}
    with _reading(journal) as file:
        for at, line in _lines(file):
            found.setdefault(_key(_entry(line).trial).key, Waiting(at, len(line)))
    return found


def taken_out(journal: Path, places: Sequence[Waiting]) -> list[tuple[bytes, bytes]]:
    """(trial, timing) as they are encoded in the journal at these places."""
    found: list[tuple[bytes, bytes]] = []
    with journal.open("rb") as file:
        for place in places:
            file.seek(place.offset)
            entry = _entry(file.read(place.length))
            found.append((bytes(entry.trial), bytes(entry.timing)))
    return found


def keys_in(trials: Path) -> list[str]:
    """The keys of a file of trials, in its order."""
    with _reading(trials) as file:
        return [_key(line).key for _, line in _lines(file)]


def merge(journal: Path, trials: Path, timings: Path, keys: Sequence[str]) -> bool:
    """Write the trials of these keys, in their order, and their timings, and drop the journal;
    False, with nothing changed, where one of them has not ended yet. What stood in `trials` already
    is kept before what the journal says of the same trial; where all stands there in this order, no
    line is copied."""
    if _in_place(trials, timings, keys):
        journal.unlink()
        return True
    with journal.open("rb") as ended, _reading(trials) as old, _reading(timings) as clocks:
        where: dict[str, _Place] = {}
        clock: dict[str, _Place] = {}
        for at, line in _lines(old):
            where.setdefault(_key(line).key, _Place(old, at))
        for at, line in _lines(clocks):
            clock.setdefault(_named(line).trial, _Place(clocks, at))
        for at, line in _lines(ended):
            name = _key(_entry(line).trial).key
            where.setdefault(name, _Place(ended, at))
            clock.setdefault(name, _Place(ended, at))
        if any(name not in where for name in keys):
            return False
        _copy(trials, where, keys, lambda entry: entry.trial)
        _copy(timings, clock, keys, lambda entry: entry.timing)
    for path in (timings, trials):
        _beside(path).replace(path)
    journal.unlink()
    return True


def _in_place(trials: Path, timings: Path, keys: Sequence[str]) -> bool:
    with _reading(trials) as there, _reading(timings) as clocks:
        written = [_key(line).key for _, line in _lines(there)]
        timed = [_named(line).trial for _, line in _lines(clocks)]
    return written == timed == list(keys)


def _reading(path: Path) -> BinaryIO:
    return path.open("rb") if path.is_file() else Path(os.devnull).open("rb")


def _lines(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """(offset, line) of each whole line."""
    offset = 0
    for line in file:
        if line.endswith(b"\n"):
            yield offset, line
        offset += len(line)


def _copy(
    path: Path,
    where: Mapping[str, _Place],
    keys: Sequence[str],
    part: Callable[[_Entry], msgspec.Raw],
) -> None:
    with _beside(path).open("wb") as file:
        for name in keys:
            place = where.get(name)
            if place is None:
                continue
            place.file.seek(place.offset)
            line = place.file.readline()
            own = line.startswith(b'{"trial":{')
            file.write(bytes(part(_entry(line))) + b"\n" if own else line)


def _beside(path: Path) -> Path:
    return path.with_name(f"{path.name}.part")
