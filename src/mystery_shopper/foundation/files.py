"""Files are written whole or not at all, and what goes wrong with one is said by its name."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Generator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from mystery_shopper.foundation.errors import InputError


def slug(text: str) -> str:
    """A text as a part of a name: letters and digits, what stands between them as hyphens."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return re.sub(r"[\W_]+", "-", plain).strip("-") or "unnamed"


def write_whole(path: Path, data: bytes) -> None:
    """Write beside the place, then move there, so that a crash leaves the old file or the new one.

    Makes missing folders. Raises InputError where the place cannot be written to.
    """
    if path.is_dir():
        raise InputError("is a folder", where=str(path), remedy="Name a file in it.")
    if path.exists() and not path.is_file():
        raise InputError("is no plain file", where=str(path), remedy="Name a plain file.")
    beside = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            beside.write_bytes(data)
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise InputError(
            f"cannot be written ({error.strerror or error})",
            where=str(path),
            remedy="Name a file in a folder that may be written to.",
        ) from None


def read_whole(path: Path, remedy: str) -> bytes:
    """The bytes of a file. Raises InputError, with the remedy, where it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(
            f"cannot be read ({error.strerror or error})", where=str(path), remedy=remedy
        ) from None


@contextmanager
def sole_writer(path: Path) -> Generator[None]:
    """Hold an existing file against other processes that call this, until the block ends or the
    process dies. Raises InputError where another holds it. Where the system has no such locks
    (Windows) nothing is held."""
    if find_spec("fcntl") is None:
        yield
        return
    locks = import_module("fcntl")
    with path.open("r+b") as file:
        try:
            locks.flock(file, locks.LOCK_EX | locks.LOCK_NB)
        except OSError:
            raise InputError(
                "another process is writing here",
                where=str(path.parent),
                remedy="Wait for it to end, or choose another place.",
            ) from None
        yield
