"""The container of a bundle: a plain zip of which every byte but the packed contents is fixed.

Equal contents give equal bytes: files in one order, one time stamp, one way of packing, nothing
between them and nothing after. Whoever reads one holds every header against what it has to be, so
that a zip which hides, doubles, links, encrypts or inflates files is refused before any of it is
read. Nothing is unpacked onto disk here.
"""

from __future__ import annotations

import hashlib
import re
import struct
import zipfile
import zlib
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple

from mystery_shopper.foundation import InputError

MOST_FILES = 5_000
MOST_BYTES = 2**32 - 2**20
"""Of one file, and of the whole: beyond it zip needs other headers."""
MOST_RATIO = 1_000
"""A file of more than a megabyte that is packed smaller than this is a bomb, not a run."""
LONGEST_LINE = 2**26
_NAME = re.compile(r"(?!.*\.\.)[a-z0-9][a-z0-9_.-]*(?:/[A-Za-z0-9][A-Za-z0-9_.-]*){0,4}")
_LONGEST_NAME = 200
_EPOCH = (1980, 1, 1, 0, 0, 0)
_DATE = 1 << 5 | 1  # 1980-01-01 as MS-DOS packs it
_VERSION, _UNIX, _DEFLATE, _MODE = 20, 3, 8, 0o100644 << 16
_END = 22
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, struct.error, OSError)


class Refused(Exception):
    """An archive that is not read, or not read on; the text says why."""


class Member(NamedTuple):
    """A file of a bundle: its name, size and SHA-256."""

    name: str
    size: int
    sha256: str


class Writer:
    """Adds files one after the other and hashes what it writes; memory does not grow."""

    def __init__(self, file: IO[bytes]) -> None:
        self._zip = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, allowZip64=False)
        self.members: list[Member] = []

    def add(self, name: str, chunks: Iterable[bytes]) -> Member:
        """Write one file. Raises InputError where it grows too large for a bundle."""
        info = zipfile.ZipInfo(name, _EPOCH)
        info.compress_type, info.create_system, info.external_attr = _DEFLATE, _UNIX, _MODE
        state, size = hashlib.sha256(), 0
        try:
            with self._zip.open(info, "w") as out:
                for chunk in chunks:
                    out.write(chunk)
                    state.update(chunk)
                    size += len(chunk)
        except (zipfile.LargeZipFile, RuntimeError, OverflowError):
            raise InputError(
                f"{name} is larger than {MOST_BYTES >> 30} GB",
                where="bundle",
                remedy="Bundle fewer runs together, or leave the catalogue out.",
            ) from None
        self.members.append(Member(name, size, state.hexdigest()))
        return self.members[-1]

    def close(self) -> None:
        """Write the directory."""
        self._zip.close()


class Reader:
    """Reads the files of an archive that has passed every check of `opened`."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._zip = archive
        self.sizes = {info.filename: info.file_size for info in archive.infolist()}

    def chunks(self, name: str) -> Iterator[bytes]:
        """The file in pieces. Raises Refused where it is damaged."""
        try:
            with self._zip.open(name) as file:
                while chunk := file.read(1 << 18):
                    yield chunk
        except _DAMAGED as error:
            raise Refused(f"is damaged ({_told(error)})") from None

    def read(self, name: str, most: int) -> bytes:
        """The whole file. Raises Refused where it is damaged or larger than `most`."""
        if self.sizes[name] > most:
            raise Refused(f"has {self.sizes[name]:,} bytes, {most:,} at most may be read")
        return b"".join(self.chunks(name))

    def lines(self, name: str) -> Iterator[bytes]:
        """The file line by line, with their ends. Raises Refused where it is damaged or a line is
        absurdly long."""
        rest = b""
        for chunk in self.chunks(name):
            *whole, rest = (rest + chunk).split(b"\n")
            yield from (line + b"\n" for line in whole)
            if len(rest) > LONGEST_LINE:
                raise Refused(f"holds a line of more than {LONGEST_LINE >> 20} MB")
        if rest:
            yield rest

    def hashed(self, name: str) -> Member:
        """The file's size and hash, computed anew."""
        state, size = hashlib.sha256(), 0
        for chunk in self.chunks(name):
            state.update(chunk)
            size += len(chunk)
        return Member(name, size, state.hexdigest())


@contextmanager
def opened(path: Path) -> Generator[Reader]:
    """The archive, once its form has been checked. Raises Refused for one that is not as `Writer`
    makes them, and InputError where there is no file."""
    try:
        file = path.open("rb")
    except OSError as error:
        raise InputError(
            f"cannot be read ({error.strerror or error})",
            where=str(path),
            remedy="Name a file that `mystery-shopper bundle` made.",
        ) from None
    with file:
        _check_end(file)
        try:
            archive = zipfile.ZipFile(file)
        except (*_DAMAGED, ValueError, UnicodeDecodeError) as error:
            raise Refused(f"is no zip that can be read ({_told(error)})") from None
        with archive:
            infos = archive.infolist()
            _check_entries(infos)
            _check_bytes(file, infos)
            yield Reader(archive)


def _check_end(file: IO[bytes]) -> None:
    """Before the directory is read: that it is there and has no more entries than a bundle's."""
    size = file.seek(0, 2)
    file.seek(max(0, size - _END))
    end = file.read(_END)
    if len(end) < _END or not end.startswith(b"PK\x05\x06"):
        raise Refused("does not end as a bundle does: it is damaged, or no bundle")
    number = struct.unpack_from("<H", end, 10)[0]
    if not 1 <= number <= MOST_FILES:
        raise Refused(f"holds {number:,} files; a bundle has 1 to {MOST_FILES:,}")


def _told(error: BaseException) -> str:
    return str(error) or type(error).__name__


def _check_entries(infos: Sequence[zipfile.ZipInfo]) -> None:
    """What may stand in the directory."""
    seen: set[str] = set()
    for info in infos:
        name = info.filename
        shown = ascii(name[:120])
        given = info.orig_filename
        if len(given) > _LONGEST_NAME or name != given or not _NAME.fullmatch(given):
            raise Refused(f"holds {shown}, which is no name of a bundle's file")
        if name.lower() in seen:
            raise Refused(f"holds {shown} twice")
        seen.add(name.lower())
        if info.flag_bits & 0x1:
            raise Refused(f"{shown} is encrypted")
        if info.external_attr >> 16 & 0o170000 == 0o120000:
            raise Refused(f"{shown} is a symbolic link")
        if info.file_size > 1 << 20 and info.file_size > MOST_RATIO * info.compress_size:
            raise Refused(f"{shown} would inflate {info.compress_size:,} bytes to "
                          f"{info.file_size:,}")  # fmt: skip
    if sum(info.file_size for info in infos) > MOST_BYTES:
        raise Refused(f"would inflate to more than {MOST_BYTES >> 30} GB")


def _check_bytes(file: IO[bytes], infos: Sequence[zipfile.ZipInfo]) -> None:
    """Every byte that is not packed content is what `Writer` puts there."""
    place, directory = 0, b""
    for info in infos:
        name = info.filename.encode("ascii")
        sizes = (info.CRC, info.compress_size, info.file_size, len(name))
        form = (_VERSION, 0, _DEFLATE, 0, _DATE)
        local = struct.pack("<4s5H3L2H", b"PK\x03\x04", *form, *sizes, 0) + name
        file.seek(place)
        if info.header_offset != place or file.read(len(local)) != local:
            raise Refused(f"the header of {info.filename} is not as a bundle's is")
        made = struct.pack("<4s2B", b"PK\x01\x02", _VERSION, _UNIX)
        directory += made + struct.pack("<5H3L5H2L", *form, *sizes, 0, 0, 0, 0, _MODE, place) + name
        place += len(local) + info.compress_size
    number = len(infos)
    end = struct.pack(
        "<4s4H2LH", b"PK\x05\x06", 0, 0, number, number, len(directory), place, 0
    )  # fmt: skip
    file.seek(place)
    if file.read(len(directory) + len(end) + 1) != directory + end:
        raise Refused("the zip's directory is not as a bundle's is")
