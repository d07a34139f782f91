"""The container: equal contents give equal bytes, and hostile zips are refused before reading."""

from __future__ import annotations

import io
import struct
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from mystery_shopper.engine.bundling import archive
from mystery_shopper.engine.bundling.archive import Reader, Refused, Writer, opened
from mystery_shopper.foundation import InputError

FILES = {"lock.txt": b"one\n", "runs/a/trials.jsonl": b"{}\n" * 5_000, "runs/a/empty": b""}


def write(path: Path, files: dict[str, bytes] = FILES) -> Path:
    with path.open("wb") as file:
        writer = Writer(file)
        for name, data in files.items():
            writer.add(name, [data[:10], data[10:]])
        writer.close()
    return path


def test_what_was_written_is_read(tmp_path: Path) -> None:
    with opened(write(tmp_path / "x.zip")) as reader:
        assert {name: reader.read(name, 10**6) for name in reader.sizes} == FILES
        assert list(reader.lines("runs/a/trials.jsonl")) == [b"{}\n"] * 5_000
        assert reader.hashed("lock.txt").size == 4
    with zipfile.ZipFile(tmp_path / "x.zip") as plain:
        assert plain.testzip() is None
        assert {info.date_time for info in plain.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_equal_contents_give_equal_bytes(tmp_path: Path) -> None:
    one, two = write(tmp_path / "one.zip"), write(tmp_path / "two.zip")
    assert one.read_bytes() == two.read_bytes()


def test_lines_come_back_across_pieces(tmp_path: Path) -> None:
    data = b"".join(b"x" * size + b"\n" for size in (0, 1, 300_000, 5, 262_143, 262_144)) + b"torn"
    path = write(tmp_path / "x.zip", {"a": data})
    with opened(path) as reader:
        assert list(reader.lines("a")) == data.splitlines(keepends=True)


def _plain(path: Path, *entries: tuple[zipfile.ZipInfo, bytes], comment: bytes = b"") -> Path:
    with warnings.catch_warnings(), zipfile.ZipFile(path, "w") as out:
        warnings.simplefilter("ignore")  # zipfile warns of a name that stands twice.
        for info, data in entries:
            out.writestr(info, data)
        out.comment = comment
    return path


def _info(name: str, mode: int = 0o100644, method: int = zipfile.ZIP_DEFLATED) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.create_system, info.external_attr, info.compress_type = 3, mode << 16, method
    return info


def _encrypted(path: Path) -> Path:
    _plain(path, (_info("a"), b"x" * 100))
    data = bytearray(path.read_bytes())
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(data)
    return path


def _lying(path: Path) -> Path:
    """The directory says that the file is as large as a disk."""
    write(path)
    data = bytearray(path.read_bytes())
    place = data.index(b"PK\x01\x02") + 24
    data[place : place + 4] = struct.pack("<L", 2**31)
    path.write_bytes(data)
    return path


def _overlapping(path: Path) -> Path:
    """Two names for the same packed bytes."""
    write(path, {"aaa": b"x" * 100, "bbb": b"x" * 100})
    data = bytearray(path.read_bytes())
    second = data.index(b"PK\x01\x02", data.index(b"PK\x01\x02") + 4)
    data[second + 42 : second + 46] = struct.pack("<L", 0)
    path.write_bytes(data)
    return path


def _tailed(path: Path) -> Path:
    path.write_bytes(write(path).read_bytes() + b"#!/bin/sh\n")
    return path


def _headed(path: Path) -> Path:
    path.write_bytes(b"MZ" + write(path).read_bytes())
    return path


HOSTILE: dict[str, tuple[Callable[[Path], Path], str]] = {
    "up": (lambda p: _plain(p, (_info("../evil"), b"")), "no name"),
    "inner up": (lambda p: _plain(p, (_info("runs/../../evil"), b"")), "no name"),
    "absolute": (lambda p: _plain(p, (_info("/etc/passwd"), b"")), "no name"),
    "drive": (lambda p: _plain(p, (_info("C:/evil"), b"")), "no name"),
    "backslash": (lambda p: _plain(p, (_info("runs\\evil"), b"")), "no name"),
    "not ascii": (lambda p: _plain(p, (_info("runs/é"), b"")), "no name"),
    "folder": (lambda p: _plain(p, (_info("runs/"), b"")), "no name"),
    "long": (lambda p: _plain(p, (_info("a" * 300), b"")), "no name"),
    "twice": (lambda p: _plain(p, (_info("a"), b"1"), (_info("a"), b"2")), "twice"),
    "twice by case": (lambda p: _plain(p, (_info("r/a"), b"1"), (_info("r/A"), b"2")), "twice"),
    "link": (lambda p: _plain(p, (_info("a", 0o120777), b"/etc/passwd")), "symbolic link"),
    "encrypted": (_encrypted, "encrypted"),
    "bomb": (lambda p: write(p, {"a": b"\0" * 30_000_000}), "would inflate"),
    "lying": (_lying, "would inflate"),
    "overlapping": (_overlapping, "is not as a bundle's is"),
    "stored": (lambda p: _plain(p, (_info("a", method=0), b"x")), "is not as a bundle's is"),
    "bzip2": (lambda p: _plain(p, (_info("a", method=12), b"x")), "is not as a bundle's is"),
    "comment": (lambda p: _plain(p, (_info("a"), b"x"), comment=b"c"), "does not end as"),
    "tail": (_tailed, "does not end as"),
    "head": (_headed, "is not as a bundle's is"),
    "empty": (lambda p: _plain(p), "0 files"),
    "many": (lambda p: write(p, {f"a{i}": b"" for i in range(5_001)}), "5,001 files"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_zips_are_refused(name: str, tmp_path: Path) -> None:
    make, expected = HOSTILE[name]
    with pytest.raises(Refused, match=expected), opened(make(tmp_path / "x.zip")):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["x.zip"]


@pytest.mark.parametrize("data", [b"", b"not a zip", b"PK\x03\x04", b"PK\x05\x06" + bytes(17)])
def test_what_is_no_zip_is_refused(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "x.zip").write_bytes(data)
    with pytest.raises(Refused), opened(tmp_path / "x.zip"):
        pass


def test_a_line_without_an_end_is_not_read_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "LONGEST_LINE", 1_000)
    noise = bytes(range(32, 127)) * 100
    with opened(write(tmp_path / "x.zip", {"a": noise})) as reader, pytest.raises(Refused):
        list(reader.lines("a"))


def test_a_file_too_large_to_be_read_whole_is_refused(tmp_path: Path) -> None:
    with opened(write(tmp_path / "x.zip")) as reader, pytest.raises(Refused, match="at most"):
        reader.read("runs/a/trials.jsonl", 100)


def test_a_bundle_that_grows_too_large_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zipfile, "ZIP64_LIMIT", 1_000)
    writer = Writer(io.BytesIO())
    with pytest.raises(InputError, match="is larger than"):
        writer.add("a", [b"x" * 500] * 10)
    writer.close()


def test_reader_keeps_sizes() -> None:
    data = io.BytesIO()
    writer = Writer(data)
    writer.add("a", [b"12345"])
    writer.close()
    with zipfile.ZipFile(data) as plain:
        assert Reader(plain).sizes == {"a": 5}
