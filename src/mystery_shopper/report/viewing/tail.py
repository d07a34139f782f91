"""A file that grows: its whole lines with their places, from where the last look ended."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

MOST_LINE = 64_000_000
"""Bytes of the longest line that is read; a longer one is passed over and counted."""


@dataclass
class Tail:
    """Reads the lines that were added. `offset` is the end of the last whole line read; `skipped`
    counts lines too long to read."""

    path: Path
    most: int = MOST_LINE
    offset: int = 0
    skipped: int = 0
    _file: tuple[int, int] | None = None

    def replaced(self) -> bool:
        """Whether another file stands here than the one read so far, or it was cut below where
        reading ended, or it is gone."""
        now = self._stat()
        if self._file is None:
            return False
        return now is None or (now.st_dev, now.st_ino) != self._file or now.st_size < self.offset

    def read(self, offset: int, length: int) -> bytes | None:
        """These bytes of the file that the lines were read from; None where another stands here."""
        try:
            with self.path.open("rb") as file:
                now = os.fstat(file.fileno())
                if (now.st_dev, now.st_ino) != self._file:
                    return None
                file.seek(offset)
                found = file.read(length)
        except OSError:
            return None
        return found if len(found) == length else None

    def touched(self) -> float:
        """When the file was last written to, in seconds since 1970; 0 where there is none."""
        now = self._stat()
        return 0.0 if now is None else now.st_mtime

    def lines(self, budget: int) -> Iterator[tuple[int, bytes]]:
        """(place, line without its end) of whole lines, until about `budget` bytes were read. A
        line without an end is still being written and waits for the next look."""
        # What is no plain file is not opened: a pipe would wait for a writer.
        if self._stat() is None:
            return
        try:
            file = self.path.open("rb")
        except OSError:  # It went meanwhile, or may not be read: as if it were not there.
            return
        with file:
            now = os.fstat(file.fileno())
            if self._file not in (None, (now.st_dev, now.st_ino)):
                return  # Another file since `replaced` looked; it is seen with the next look.
            self._file = (now.st_dev, now.st_ino)
            last = self.offset + budget
            file.seek(self.offset)
            while self.offset < last:
                line = file.readline(self.most + 1)
                if line.endswith(b"\n"):
                    at, self.offset = self.offset, self.offset + len(line)
                    yield at, line[:-1]
                    continue
                if len(line) <= self.most:
                    return
                length = len(line)
                while not line.endswith(b"\n"):
                    line = file.readline(self.most)
                    if not line:
                        return
                    length += len(line)
                self.offset += length
                self.skipped += 1

    def _stat(self) -> os.stat_result | None:
        """None where there is no file, or one that is no plain file."""
        try:
            found = self.path.stat()
        except OSError:
            return None
        return found if stat.S_ISREG(found.st_mode) else None
