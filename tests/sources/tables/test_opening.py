"""What a file is, is told by its content; what cannot be read is said with the remedy."""

from __future__ import annotations

import gzip
import os
import socket
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from mystery_shopper.foundation import InputError
from mystery_shopper.sources.tables import open_table


@pytest.mark.parametrize(
    ("data", "problem", "remedy"),
    [
        (b"", "is empty", "CSV"),
        (b" \n\r\n\t", "is empty", "CSV"),
        (b"\xef\xbb\xbf", "is empty", "CSV"),
        (gzip.compress(b""), "is empty", "CSV"),
        (b"PK\x03\x04rest", "is an Excel workbook or a ZIP file", "CSV UTF-8"),
        (b"\xd0\xcf\x11\xe0\xa1", "is an old Excel workbook", "CSV UTF-8"),
        (b"SQLite format 3\x00", "is an SQLite database", "sqlite3 -csv -header"),
        (b"%PDF-1.7", "is a PDF document", "Export"),
        (b"\x28\xb5\x2f\xfdrest", "is packed by zstd", "gzip"),
        (bytes(range(256)) * 40, "is a binary file", "CSV"),
        (b"\x7fELF" + bytes(500), "is a binary file", "CSV"),
        ("id,title\n1,é\n".encode("utf-16-le") * 9, "looks like UTF-16 without a byte order mark",
         "UTF-8"),
        ("id,title\n1,é\n".encode("utf-16-be") * 9, "looks like UTF-16 without a byte order mark",
         "UTF-8"),
        (gzip.compress(b"id,title\n" + b"1,a\n" * 10_000)[:-20], "the gzip file is damaged",
         "gzip -t"),
        (gzip.compress(b"id,title\n" + os.urandom(40_000).hex().encode())[:30_000],
         "the gzip file is damaged", "gzip -t"),
        (gzip.compress(b"PAR1rest"), "is gzipped Parquet", "gunzip"),
        (b"PAR1 and then nothing that it should have", "cannot be read as Parquet", "again"),
    ],
    ids=lambda part: part if isinstance(part, str) else "",  # A gzip file holds the time.
)  # fmt: skip
def test_what_cannot_be_read(tmp_path: Path, data: bytes, problem: str, remedy: str) -> None:
    path = tmp_path / "products.csv"
    path.write_bytes(data)
    with pytest.raises(InputError) as caught:
        open_table(path)
    assert caught.value.problems[0].startswith(problem)
    assert caught.value.where == str(path)
    assert remedy in str(caught.value.remedy)


def test_a_folder_and_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a folder\nName a file in it"):
        open_table(tmp_path)
    with pytest.raises(InputError, match="No such file") as caught:
        open_table(tmp_path / "none.csv")
    assert caught.value.remedy == "Name a file that exists and may be read."


def test_the_name_decides_nothing(tmp_path: Path) -> None:
    rows = tmp_path / "rows.parquet"
    rows.write_bytes(b'{"id": 1}\n')
    assert open_table(rows).form == "JSON lines, UTF-8"
    rows.write_bytes(gzip.compress(b"id|title\n1|a\n"))
    assert open_table(rows).form == "CSV, separated by '|', UTF-8, gzipped"
    rows.write_bytes(b"[id],[title]\n1,a\n")
    assert open_table(rows).columns == ("[id]", "[title]")
    csv = tmp_path / "rows.csv"
    duckdb.sql("select 1 as id").write_parquet(str(csv))
    assert open_table(csv).form == "Parquet, 1 rows"


def test_control_characters_do_not_make_a_file_binary(tmp_path: Path) -> None:
    path = tmp_path / "products.csv"
    path.write_bytes(b"id,title\n" + b"\x1f\x1e,a\n" * 20)
    assert len(list(open_table(path).rows())) == 20


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(path))


@pytest.mark.parametrize(("make", "what"), [(os.mkfifo, "a pipe"), (_socket, "a socket")])
def test_what_can_be_read_once_only_is_refused_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: Callable[[Path], None], what: str
) -> None:
    """A pipe nobody writes to would be waited for without end."""
    monkeypatch.chdir(tmp_path)  # a socket's path must be short
    make(Path("odd"))
    with pytest.raises(InputError, match=f"is {what}") as caught:
        open_table(Path("odd"))
    assert caught.value.remedy == "Save it to a file first: it is read more than once."


def test_a_pipe_by_its_number_and_a_device_are_refused() -> None:
    reading, writing = os.pipe()
    try:
        os.write(writing, b"id,title\n1,a\n")
        os.close(writing)
        with pytest.raises(InputError, match="is a pipe"):
            open_table(Path(f"/dev/fd/{reading}"))
    finally:
        os.close(reading)
    with pytest.raises(InputError, match="is a device"):
        open_table(Path("/dev/zero"))


def _csv(count: int) -> bytes:
    return b"id,title\n" + b"".join(b"%d,%b\n" % (n, b"t" * 90) for n in range(count))


def _parquet(path: Path, count: int) -> None:
    rows = f"select i as id, 't' as title from range({count}) t(i)"
    duckdb.sql(f"copy ({rows}) to '{path}' (format parquet)")


def _write(path: Path, form: str, count: int) -> None:
    if form == "parquet":
        _parquet(path, count)
    elif form == "jsonl":
        rows = (b'{"id": %d, "t": "%b"}\n' % (n, b"t" * 90) for n in range(count))
        path.write_bytes(b"".join(rows))
    else:
        data = _csv(count)
        path.write_bytes(gzip.compress(data, 0) if form == "gz" else data)


@pytest.mark.parametrize("form", ["csv", "gz", "jsonl", "parquet"])
@pytest.mark.parametrize("count", [20_000, 60_000])
@pytest.mark.parametrize("begun", [False, True])
def test_a_file_that_shrinks_or_grows_while_it_is_read(
    tmp_path: Path, form: str, count: int, *, begun: bool
) -> None:
    path = tmp_path / "products"
    _write(path, form, 40_000)
    rows = iter(open_table(path).rows())
    if begun:
        assert next(rows)[0]  # pyright: ignore[reportIndexIssue]
    _write(path, form, count)
    with pytest.raises(InputError, match="changed while it was read"):
        list(rows)


def test_a_file_that_is_cut_while_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "products.csv"
    path.write_bytes(_csv(40_000))
    rows = iter(open_table(path).rows())
    next(rows)
    os.truncate(path, 2_000_000)
    with pytest.raises(InputError, match="changed while it was read"):
        list(rows)


def test_a_file_that_is_left_alone_is_read_again_and_again(tmp_path: Path) -> None:
    path = tmp_path / "products.csv"
    path.write_bytes(_csv(30_000))
    table = open_table(path)
    path.read_bytes()
    assert [len(list(table.rows())) for _ in range(2)] == [30_000, 30_000]
