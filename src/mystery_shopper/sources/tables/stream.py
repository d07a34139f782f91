"""The bytes of a text file, unpacked, and of UTF-16 made UTF-8, so that every byte below 128 is
ASCII for whoever reads on."""

from __future__ import annotations

import codecs
import gzip
import os
import zlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, TypeAlias

from mystery_shopper.foundation import InputError

BLOCK = 1 << 20
HEAD = 1 << 18
LONGEST = 16 << 20
"""A longer line is cut, and read as broken."""
CUT = b"\xff\xed\xa0\x80\xff"
"""What stands in place of the rest of a cut line: bytes that no text in UTF-8 holds."""
State: TypeAlias = tuple[int, int]
"""Size in bytes and time of the last change in nanoseconds, by which a change is noticed."""
GZIP = b"\x1f\x8b"
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


@dataclass(frozen=True)
class Source:
    """A file, whether it is gzipped, the encoding that a byte order mark gives, and its state when
    it was first opened."""

    path: Path
    gzipped: bool
    marked: str | None
    state: State

    @classmethod
    def of(cls, path: Path) -> Source:
        """Look at the first bytes. Raises InputError where the file cannot be read."""
        with _said(path), path.open("rb") as file:
            state = state_of(os.fstat(file.fileno()))
            gzipped = file.read(2) == GZIP
        bare = cls(path, gzipped, None, state)
        head = bare.head(4)
        marked = next((name for mark, name in _MARKS if head.startswith(mark)), None)
        return cls(path, gzipped, marked, state)

    def head(self, size: int = HEAD) -> bytes:
        """The first bytes, at least `size` of them where there are as many."""
        found = bytearray()
        for block in self.blocks():
            found += block
            if len(found) >= size:
                break
        return bytes(found)

    def blocks(self) -> Iterator[bytes]:
        """The bytes in blocks, without a byte order mark. Raises InputError where they end before
        their time, or the file is found changed when it is opened or read to its end."""
        raw = self._raw_blocks()
        if self.marked is None:
            return raw
        if self.marked == "utf-8":
            return _after(raw, len(codecs.BOM_UTF8))
        wide = len(next(mark for mark, name in _MARKS if name == self.marked))
        return _narrowed(_after(raw, wide), self.marked)

    def _raw_blocks(self) -> Iterator[bytes]:
        with _said(self.path), self.path.open("rb") as plain:
            self._check(plain)
            try:
                if self.gzipped:
                    with gzip.open(plain, "rb") as packed:
                        while block := packed.read(BLOCK):
                            yield block
                else:
                    while block := plain.read(BLOCK):
                        yield block
            except (EOFError, zlib.error, gzip.BadGzipFile):
                self._check(plain)
                raise
            self._check(plain)

    def _check(self, file: BinaryIO) -> None:
        if state_of(os.fstat(file.fileno())) != self.state:
            raise changed(self.path)

    def lines(self, newline: bytes = b"\n") -> Iterator[bytes]:
        """Blocks of whole lines; only the last may lack its newline. A line of more than `LONGEST`
        bytes is cut."""
        kept: list[bytes] = []
        size = 0
        for block in self.blocks():
            end = block.rfind(newline) + 1
            if not end:
                size += len(block)
                if size <= LONGEST:
                    kept.append(block)
                continue
            if size > LONGEST:
                kept.append(CUT)
                block = block[block.find(newline) :]
                end = block.rfind(newline) + 1
            yield b"".join([*kept, block[:end]])
            kept, size = [block[end:]], len(block) - end
        last = b"".join([*kept, CUT] if size > LONGEST else kept)
        if last:
            yield last


def state_of(found: os.stat_result) -> State:
    """What changes when a file is written to."""
    return found.st_size, found.st_mtime_ns


def changed(path: Path) -> InputError:
    """What is said of a file that was not left alone."""
    return InputError(
        "changed while it was read",
        where=str(path),
        remedy="Wait until its export is done, or read a copy of it.",
    )


@contextmanager
def _said(path: Path) -> Generator[None]:
    try:
        yield
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError(
            f"the gzip file is damaged or cut short ({error})",
            where=str(path),
            remedy="Copy or export it again; `gzip -t` tells whether a copy is whole.",
        ) from None
    except OSError as error:
        raise InputError(
            f"cannot be read ({error.strerror or error})",
            where=str(path),
            remedy="Name a file that exists and may be read.",
        ) from None


def _after(blocks: Iterator[bytes], skipped: int) -> Iterator[bytes]:
    first = next(blocks, b"")
    if first[skipped:]:
        yield first[skipped:]
    yield from blocks


def _narrowed(blocks: Iterator[bytes], encoding: str) -> Iterator[bytes]:
    """As UTF-8. What is not valid stays invalid: lone surrogates, and a byte FF for half a unit."""
    decoder = codecs.getincrementaldecoder(encoding)("surrogatepass")
    for block in blocks:
        text = decoder.decode(block)
        if text:
            yield text.encode("utf-8", "surrogatepass")
    try:
        rest = decoder.decode(b"", final=True).encode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        rest = b"\xff"
    if rest:
        yield rest
