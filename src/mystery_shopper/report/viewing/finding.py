"""The run folders at or below the places that were named."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from mystery_shopper.engine.store import RunFolder
from mystery_shopper.foundation import InputError

DEEPEST = 6
MOST_RUNS = 1_000


def check_roots(roots: Sequence[Path]) -> None:
    """Raise InputError for a place that is no folder, and where none of them holds a run."""
    missing = [f"{root} is no folder" for root in roots if not root.is_dir()]
    if missing:
        raise InputError(missing, remedy="Name a run's folder, or one with runs below it.")
    if next(found_runs(roots), None) is None:
        raise InputError(
            "there is no run here or below",
            where=", ".join(map(str, roots)),
            remedy="Name a run's folder, or one with runs below it; a run is begun by: "
            "mystery-shopper run",
        )


def found_runs(roots: Sequence[Path]) -> Iterator[tuple[str, RunFolder]]:
    """(name, folder) of the runs at or below the roots, in the order of their paths, each once; at
    most `MOST_RUNS`. Links to folders are not followed, hidden folders are passed over."""
    seen: set[Path] = set()
    for root in roots:
        for path in _below(root):
            place = path.resolve()
            if place in seen:
                continue
            if len(seen) == MOST_RUNS:
                return
            seen.add(place)
            yield _name(root, path, len(roots) > 1), RunFolder(path)


def _below(root: Path) -> Iterator[Path]:
    base = len(root.parts)
    for at, folders, files in os.walk(root):
        path = Path(at)
        if "run.json" in files:
            folders.clear()
            yield path
            continue
        deep = len(path.parts) - base >= DEEPEST
        folders[:] = [] if deep else sorted(name for name in folders if not name.startswith("."))


def _name(root: Path, path: Path, several: bool) -> str:
    below = path.relative_to(root).as_posix()
    own = root.resolve().name or root.as_posix()
    if below == ".":
        return own
    return f"{own}/{below}" if several else below
