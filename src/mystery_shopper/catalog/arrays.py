"""Arrays as `.npy` files beside a list of what they must be; read by mapping, never unpickled.

Whoever opens such a file checks it against its entry first: a torn or foreign file is an InputError
that names it, not a crash later.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
import numpy as np
from numpy.typing import NDArray

from mystery_shopper.catalog.texts import ABSENT, Blob, Texts
from mystery_shopper.foundation import InputError

REBUILD = "The folder is damaged or was changed: build the catalogue again."
_DTYPES = ("|u1", "|i1", "<i4", "<i8", "<u8", "<f8")
_HEADER_BYTES = 4096
_NAME = re.compile(r"[a-z0-9.]+")


class ArrayFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a file must hold: numpy's name of the type, the shape, the SHA-256 of the whole file."""

    dtype: str
    shape: tuple[int, ...]
    sha256: str


def write_arrays(folder: Path, arrays: Mapping[str, NDArray[Any]]) -> dict[str, ArrayFile]:
    """Write each array as `NAME.npy` into an existing folder; the entries by name."""
    entries: dict[str, ArrayFile] = {}
    for name, array in arrays.items():
        path = folder / f"{name}.npy"
        little = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
        with path.open("wb") as file:
            np.lib.format.write_array(file, little, version=(1, 0), allow_pickle=False)
        entries[name] = ArrayFile(little.dtype.str, little.shape, file_hash(path))
    return entries


def file_hash(path: Path) -> str:
    """SHA-256 of a file. Raises InputError where it cannot be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise damaged(path, f"cannot be read ({error.strerror or error})") from None


def damaged(path: Path, problem: str) -> InputError:
    """The error for a file that is not what its folder's list says."""
    return InputError(problem, where=str(path), remedy=REBUILD)


class ArrayFolder:
    """The arrays of one folder, mapped when asked for. Every fault is an InputError."""

    def __init__(self, folder: Path, entries: Mapping[str, ArrayFile]) -> None:
        self._folder = folder
        self._entries = entries

    def path(self, name: str) -> Path:
        """The file of an array."""
        return self._folder / f"{name}.npy"

    def fail(self, name: str, problem: str) -> InputError:
        """The error for an array whose values cannot be right."""
        return damaged(self.path(name), problem)

    def get(self, name: str, dtype: str, shape: tuple[int | None, ...]) -> NDArray[Any]:
        """The array, read-only, of this type and shape (None: any length)."""
        entry = self._entries.get(name)
        if entry is None or not _NAME.fullmatch(name):
            raise self.fail(name, "is not in the folder's list")
        fits = len(shape) == len(entry.shape) and all(
            length >= 0 and length == (length if want is None else want)
            for length, want in zip(entry.shape, shape, strict=True)
        )
        if entry.dtype != dtype or dtype not in _DTYPES or not fits:
            raise self.fail(name, f"is listed as {entry.dtype} of shape {list(entry.shape)}")
        return _mapped(self.path(name), np.dtype(dtype), entry.shape)

    def ranged(
        self, name: str, dtype: str, shape: tuple[int | None, ...], low: int, high: int
    ) -> NDArray[Any]:
        """As `get`, of whole numbers from `low` to below `high`."""
        array = self.get(name, dtype, shape)
        if array.size and not (low <= int(array.min()) and int(array.max()) < high):
            raise self.fail(name, f"holds numbers that are not from {low} to below {high}")
        return array

    def offsets(self, name: str, count: int | None, end: int) -> NDArray[np.int64]:
        """Offsets of `count` runs (None: any number) that ascend from 0 to `end`."""
        array = self.get(name, "<i8", (None if count is None else count + 1,))
        if not array.size or array[0] != 0 or array[-1] != end or (array[1:] < array[:-1]).any():
            raise self.fail(name, f"holds offsets that do not ascend from 0 to {end}")
        return array

    def texts(self, name: str, count: int | None) -> Texts[Any]:
        """Texts from `NAME.blob` and `NAME.offsets`."""
        blob: Blob = self.get(f"{name}.blob", "|u1", (None,))
        return Texts(blob, self.offsets(f"{name}.offsets", count, len(blob)))

    def present_texts(self, name: str, count: int | None) -> Texts[str]:
        """As `texts`, none of which is None."""
        texts = self.texts(name, count)
        if (texts.blob == ABSENT).any():
            raise self.fail(f"{name}.blob", "holds a byte that is in no text")
        return texts

    def verify(self) -> None:
        """Hash every file. Raises InputError for the first that differs."""
        for name, entry in self._entries.items():
            if file_hash(self.path(name)) != entry.sha256:
                raise self.fail(name, "has another hash than is listed")


def texts_arrays(name: str, texts: Texts[Any]) -> dict[str, NDArray[Any]]:
    """What `ArrayFolder.texts` reads."""
    return {f"{name}.blob": texts.blob, f"{name}.offsets": texts.offsets}


def _mapped(path: Path, dtype: np.dtype[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    try:
        with path.open("rb") as file:
            found = _header(file)
            if found != (shape, dtype):
                raise damaged(path, f"is no array of {dtype.str} of shape {list(shape)}")
            start, size = file.tell(), math.prod(shape) * dtype.itemsize
            if path.stat().st_size != start + size:
                raise damaged(path, f"is not {start + size} bytes long; it was cut or added to")
            if not size:
                return np.empty(shape, dtype)
            return np.memmap(file, dtype, "r", start, shape).view(np.ndarray)
    except OSError as error:
        raise damaged(path, f"cannot be read ({error.strerror or error})") from None


def _header(file: BinaryIO) -> tuple[tuple[int, ...], np.dtype[Any]] | None:
    """Shape and type by the file's own head; None where it has none that can be read."""
    try:
        if np.lib.format.read_magic(file) != (1, 0):
            return None
        shape, columns_first, dtype = np.lib.format.read_array_header_1_0(file, _HEADER_BYTES)
        return None if columns_first and len(shape) > 1 else (shape, dtype)
    except OSError:
        raise
    except Exception:  # The head is a Python literal: what a broken one raises is not listed.
        return None
