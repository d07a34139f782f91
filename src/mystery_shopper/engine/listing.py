"""The runs below a folder, by their headers: `run.json` and `head.json`, never the trials."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import msgspec

from mystery_shopper.engine.casting import HUMAN
from mystery_shopper.engine.head import Head, began, read_head, sizes_of
from mystery_shopper.engine.store import RunFolder
from mystery_shopper.foundation import InputError, sole_writer

DEPTH = 3
"""How far below the folder a run may lie."""


class ListedPlan(msgspec.Struct, frozen=True):
    """As much of a plan as a list tells; what else stands there is passed over, so that runs of
    other versions are listed too."""

    agent: str
    task_set: str
    conditions: tuple[str, ...]
    user: str
    tasks: tuple[str, ...]
    trials: int
    suite: str = "tau_rec"

    @property
    def count(self) -> int:
        """How many trials are planned."""
        return len(self.tasks) * self.trials


class _RunFile(msgspec.Struct):
    plan: ListedPlan
    digest: str


@dataclass(frozen=True)
class Listed:
    """One run. `plan` is None where `run.json` cannot be read; `head` where nobody has let go of
    the folder since it changed. `given_up`: a person began it in a terminal and left without a
    trial. `written`: when the plan was, in nanoseconds; it tells the order within a minute."""

    name: str
    plan: ListedPlan | None
    head: Head | None
    started: str
    given_up: bool = False
    written: int = 0


def list_runs(root: Path) -> list[Listed]:
    """The runs of a folder, the newest first. Raises InputError where there is no such folder."""
    if not root.is_dir():
        raise InputError(
            "there is no such folder", where=str(root), remedy="Name one that holds runs."
        )
    found = [_listed(root, place) for place in _runs(root, DEPTH)]
    return sorted(
        sorted(found, key=lambda run: run.name),
        key=lambda run: (run.started, run.written),
        reverse=True,
    )


def _runs(place: Path, depth: int) -> Iterator[Path]:
    """Folders with a plan; none is looked for within another."""
    if (place / "run.json").is_file():
        yield place
    elif depth:
        with os.scandir(place) as entries:
            below = [Path(entry.path) for entry in entries if entry.is_dir(follow_symlinks=False)]
        for folder in below:
            try:
                yield from _runs(folder, depth - 1)
            except (PermissionError, FileNotFoundError):  # The latter went while we looked.
                continue


def _listed(root: Path, place: Path) -> Listed:
    folder = RunFolder(place)
    name = place.name if place == root else str(place.relative_to(root))
    try:
        run = msgspec.json.decode(folder.run_file.read_bytes(), type=_RunFile)
        started = began(folder.run_file)
        written = folder.run_file.stat().st_mtime_ns
    except (OSError, msgspec.MsgspecError):
        return Listed(name, None, None, "")
    head = read_head(place)
    sizes = sizes_of(folder.counted_files)
    left = run.plan.agent == HUMAN and not any(sizes.values()) and not _is_held(folder)
    if head is None or head.plan != run.digest:
        return Listed(name, run.plan, None, started, left, written)
    current = head if head.sizes == sizes else None
    return Listed(name, run.plan, current, head.started, left, written)


def _is_held(folder: RunFolder) -> bool:
    """Whether somebody is writing there; also where that cannot be told."""
    if find_spec("fcntl") is None:
        return True
    try:
        with sole_writer(folder.run_file):
            return False
    except (InputError, OSError):
        return True
