"""Many texts as two arrays: one blob of UTF-8 and where each text starts in it.

Two million ids as Python objects take 150 MB in every process; as arrays they take their bytes, and
processes that map one file share them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise
from typing import Generic, TypeVar, cast, overload

import numpy as np
from numpy.typing import NDArray

from mystery_shopper.catalog.bits import Positions
from mystery_shopper.foundation import InputError

TextT = TypeVar("TextT", bound="str | None", covariant=True)
Blob = NDArray[np.uint8]

ABSENT = 0xFF
"""The single byte that stands for None. No UTF-8 text holds it."""
CHUNK = 1 << 16


class Texts(Sequence[TextT], Generic[TextT]):
    """An immutable sequence of texts (lone surrogates allowed) or None.

    Text i is `blob[offsets[i]:offsets[i + 1]]` in UTF-8, lone surrogates as their three bytes; a
    text of the one byte `ABSENT` is None. It equals a tuple or a list of the same texts. Reading
    raises InputError where the blob is no UTF-8, which only a damaged file can bring about.
    """

    __slots__ = ("_view", "blob", "offsets")

    def __init__(self, blob: Blob, offsets: NDArray[np.int64]) -> None:
        self.blob = blob
        self.offsets = offsets
        self._view = np.ascontiguousarray(blob).data

    @classmethod
    def build(cls, texts: Iterable[TextT]) -> Texts[TextT]:
        """From texts, read once and in chunks. Texts themselves are handed back as they are."""
        if isinstance(texts, Texts):
            return texts
        blobs: list[bytes] = []
        lengths: list[NDArray[np.int64]] = [np.zeros(1, np.int64)]
        source = iter(texts)
        while chunk := list(islice(source, CHUNK)):
            parts = [_encoded(text) for text in chunk]
            blobs.append(b"".join(parts))
            lengths.append(np.fromiter(map(len, parts), np.int64, len(parts)))
        return cls(np.frombuffer(b"".join(blobs), np.uint8), np.cumsum(np.concatenate(lengths)))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, index: int) -> TextT: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[TextT, ...]: ...
    def __getitem__(self, index: int | slice) -> TextT | tuple[TextT, ...]:
        if isinstance(index, slice):
            return tuple(self[place] for place in range(*index.indices(len(self))))
        place = index + len(self) if index < 0 else index
        if not 0 <= place < len(self):
            raise IndexError(f"there is no text {index} of {len(self)}")
        return self._decoded(self._view[int(self.offsets[place]) : int(self.offsets[place + 1])])

    def __iter__(self) -> Iterator[TextT]:
        for start in range(0, len(self), CHUNK):
            bounds = self.offsets[start : start + CHUNK + 1].tolist()
            part = self._view[bounds[0] : bounds[-1]]
            whole = bytes(part)
            if whole.isascii():
                text, low = whole.decode("ascii"), bounds[0]
                for one, two in pairwise(bounds):
                    yield cast("TextT", text[one - low : two - low])
            else:
                for one, two in pairwise(bounds):
                    yield self._decoded(self._view[one:two])

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Texts):
            return np.array_equal(_lengths(self), _lengths(other)) and np.array_equal(
                self._used(), other._used()
            )
        if isinstance(other, tuple | list):
            row = cast("Sequence[object]", other)
            return len(self) == len(row) and all(
                one == two for one, two in zip(self, row, strict=True)
            )
        return NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        shown = ", ".join(map(repr, self[:3]))
        return f"Texts({shown}{', …' if len(self) > 3 else ''}; {len(self)} in all)"

    def __reduce__(self) -> tuple[object, ...]:
        return Texts, (np.array(self.blob), np.array(self.offsets))

    def take(self, rows: Positions) -> Texts[TextT]:
        """The texts at these places, in their order."""
        offsets = np.zeros(len(rows) + 1, np.int64)
        np.cumsum(_lengths(self)[rows], out=offsets[1:])
        blob = np.empty(int(offsets[-1]), np.uint8)
        for start in range(0, len(rows), CHUNK):
            bounds = offsets[start : start + CHUNK + 1]
            here = rows[start : start + CHUNK]
            source = np.arange(int(bounds[0]), int(bounds[-1]))
            source += np.repeat(self.offsets[here] - bounds[:-1], np.diff(bounds))
            blob[bounds[0] : bounds[-1]] = self.blob[source]
        return Texts(blob, offsets)

    def hashed_parts(self) -> tuple[memoryview, bytes]:
        """What `joined` gives for the same texts as a tuple, without making them."""
        lengths = np.empty(len(self), "<i8")
        absent = np.zeros(len(self), np.bool_)
        for start in range(0, len(self), CHUNK):
            bounds = self.offsets[start : start + CHUNK + 1]
            part = self.blob[bounds[0] : bounds[-1]]
            # A character is a byte that continues none before it.
            upto = np.zeros(len(part) + 1, np.int64)
            np.cumsum((part & 0xC0) != 0x80, out=upto[1:])
            lengths[start : start + CHUNK] = np.diff(upto[bounds - bounds[0]])
            single = np.diff(bounds) == 1
            first = np.append(part, np.uint8(0))[bounds[:-1] - bounds[0]]
            absent[start : start + CHUNK] = single & (first == ABSENT)
        lengths[absent] = -1
        blob = self._used()
        return (blob[blob != ABSENT] if absent.any() else blob).data, lengths.tobytes()

    def _used(self) -> Blob:
        return np.ascontiguousarray(self.blob[int(self.offsets[0]) : int(self.offsets[-1])])

    def _decoded(self, part: memoryview) -> TextT:
        if len(part) == 1 and part[0] == ABSENT:
            return cast("TextT", None)
        try:
            return cast("TextT", str(part, "utf-8", "surrogatepass"))
        except UnicodeDecodeError:
            raise InputError(
                "a text of the catalogue is no UTF-8",
                remedy="Its folder is damaged: build it again.",
            ) from None


def joined(texts: Sequence[str | None]) -> tuple[bytes | memoryview, bytes]:
    """Texts as bytes to hash: one after the other, and their lengths (-1 for None)."""
    if isinstance(texts, Texts):
        return texts.hashed_parts()
    lengths = [-1 if text is None else len(text) for text in texts]
    whole = "".join(text for text in texts if text is not None)
    return whole.encode("utf-8", "surrogatepass"), np.array(lengths, "<i8").tobytes()


def taken(texts: Sequence[TextT], rows: Positions) -> Sequence[TextT]:
    """The texts at these places: as Texts where they are Texts, else as a tuple."""
    if isinstance(texts, Texts):
        return texts.take(rows)
    return tuple(texts[row] for row in rows.tolist())


def _encoded(text: str | None) -> bytes:
    return b"\xff" if text is None else text.encode("utf-8", "surrogatepass")


def _lengths(texts: Texts[str | None]) -> NDArray[np.int64]:
    return np.diff(texts.offsets)
