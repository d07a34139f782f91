"""What a file is, is told by its content; what cannot be read is said with the remedy."""

from __future__ import annotations

import gzip
import os
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
