"""Where a page may be written: nothing but an earlier page is ever written over."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mystery_shopper.engine.store import RunFolder
from mystery_shopper.foundation import InputError

_BEGINNING = b"<!doctype html>"
_SIGNATURE = b"<title>Mystery Shopper"
_LOOKED_AT = 4_096


def check_place(out: Path, folders: Sequence[RunFolder] = ()) -> None:
    """Raise InputError where `out` is a file of one of the runs, or is there and is no page of
    ours: a folder, a device, or a file that does not begin as a page does."""
    problem = _problem(out, folders)
    if problem:
        raise InputError(
            f"{problem}, and nothing was written",
            where=str(out),
            remedy="Name a new file, or a page that an earlier report wrote.",
        )


def _problem(out: Path, folders: Sequence[RunFolder]) -> str | None:
    place = out.resolve()
    for folder in folders:
        own = (folder.run_file, folder.trials_file, folder.timings_file)
        if place in [file.resolve() for file in own]:
            return "this is a file of the run itself"
    if out.is_dir():
        return "this is a folder"
    if not out.exists():
        return None
    if not out.is_file() or not _is_page(out):
        return "this is there already, and it is no page of ours"
    return None


def _is_page(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            start = file.read(_LOOKED_AT)
    except OSError:
        return False
    return start.startswith(_BEGINNING) and _SIGNATURE in start
