"""Parquet files, row by row."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import duckdb
import pytest

from mystery_shopper.foundation import InputError
from mystery_shopper.sources.tables import Broken, Nested, open_table


def write(path: Path, query: str) -> Path:
    duckdb.sql(query).write_parquet(str(path))
    return path


def cells_of(path: Path) -> list[list[object]]:
    return [list(one[1]) for one in open_table(path).rows() if not isinstance(one, Broken)]


def test_values_of_every_type(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a[1]*.parquet",
        """select 439023483 as id, 'Lamp, "big"' as title, 9.5::decimal(8, 2) as price,
        date '2004-05-17' as day, timestamp '2004-05-17 10:00:00' as moment, true as flag,
        ['a', null, 'b'] as many, [1.5::decimal(4, 1)] as numbers, {'x': 1} as inner_one,
        [[1]] as lists, null::varchar as nothing, 'nan'::double as odd,
        'x'::enum('x', 'y') as choice, 9007199254740993 as huge,
        'ab'::blob as raw, [{'x': 1}] as many_objects, uuid '00000000-0000-0000-0000-000000000001'
        as key, map {'a': 1} as pairs, 1 as "a ""b" """,
    )
    table = open_table(path)
    assert table.unit == "row"
    assert table.columns[-1] == 'a "b'
    (cells,) = cells_of(path)
    nested = Nested("a nested value or bytes")
    assert repr(cells.pop(11)) == "nan"
    assert cells == [
        439023483, 'Lamp, "big"', 9.5, "2004-05-17", "2004-05-17 10:00:00", True, ["a", "b"],
        [1.5], nested, nested, None, "x", 2**53 + 1, nested, nested,
        "00000000-0000-0000-0000-000000000001", nested, 1,
    ]  # fmt: skip


def test_rows_are_numbered_in_the_files_order_and_memory_is_flat(tmp_path: Path) -> None:
    path = write(
        tmp_path / "many.parquet", "select range as id, 't' || range as title from range(40_000)"
    )
    table = open_table(path)
    assert table.form == "Parquet, 40,000 rows"
    tracemalloc.start()
    last = 0
    for entry in table.rows():
        assert not isinstance(entry, Broken)
        assert entry[0] == last + 1
        assert tuple(entry[1]) == (last, f"t{last}")
        last = entry[0]
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert last == 40_000
    assert most < 10e6


def test_no_rows_and_damage(tmp_path: Path) -> None:
    empty = write(tmp_path / "none.parquet", "select 1 as id where false")
    with pytest.raises(InputError, match="holds no rows"):
        open_table(empty)
    whole = write(tmp_path / "some.parquet", "select range as id, 'x' as t from range(200_000)")
    data = bytearray(whole.read_bytes())
    data[100:20_000] = bytes(19_900)
    whole.write_bytes(data)
    with pytest.raises(InputError, match="cannot be read as Parquet after row"):
        list(open_table(whole).rows())


def test_the_films_read_as_they_are() -> None:
    from importlib import resources

    source = resources.files("mystery_shopper") / "data" / "films.parquet"
    with resources.as_file(source) as path:
        table = open_table(path)
        rows = cells_of(path)
    assert len(rows) == 16_852
    assert table.columns[:4] == ("id", "title", "year", "runtime")
    place = table.columns.index("genre")
    assert all(isinstance(row[place], list) for row in rows)
