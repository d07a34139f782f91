"""pandas, Polars and DuckDB take the tables without a copy: the same addresses, or no new bytes."""

from __future__ import annotations

from typing import Any

import duckdb
import pandas
import polars
import pyarrow as pa
import pytest

from mystery_shopper import load_run
from mystery_shopper.engine import RunFolder


@pytest.fixture(scope="module")
def turns(run: RunFolder) -> pa.Table:
    table = load_run(run.path).turns
    assert table["turn"].num_chunks == 1
    return table


def addresses(array: Any) -> list[int | None]:
    return [buffer and buffer.address for buffer in array.buffers()]


def test_pandas_takes_every_buffer_as_it_is(turns: pa.Table) -> None:
    frame = turns.to_pandas(types_mapper=pandas.ArrowDtype)
    for name in turns.column_names:
        taken: Any = frame[name].array
        (chunk,) = taken.__arrow_array__().chunks
        assert addresses(chunk) == addresses(turns[name].chunk(0)), name
    assert frame["turn"].sum() == sum(turns["turn"].to_pylist())


def test_polars_takes_numbers_and_texts_as_they_are(turns: pa.Table) -> None:
    frame = polars.from_arrow(turns, rechunk=False)
    assert isinstance(frame, polars.DataFrame)
    numbers = frame["turn"].to_numpy(allow_copy=False).__array_interface__["data"][0]
    assert numbers == turns["turn"].chunk(0).buffers()[1].address
    texts: Any = frame["user_said"].to_arrow(compat_level=polars.CompatLevel.newest())
    assert turns["user_said"].chunk(0).buffers()[2].address in addresses(texts)
    assert frame["known"].to_list() == turns["known"].to_pylist()


def test_duckdb_reads_it_where_it_lies(turns: pa.Table) -> None:
    """What it takes is the schema's, and no more for fifty times as many rows."""
    long = pa.concat_tables([turns] * 50)
    taken: list[int] = []
    found: list[Any] = []
    for table in (turns, long):
        before = pa.total_allocated_bytes()
        with duckdb.connect() as base:
            base.register("turns", table)
            query = "SELECT count(*), count(proposal), sum(len(known)), max(user_said) FROM turns"
            found.append(base.execute(query).fetchone())
            taken.append(pa.total_allocated_bytes() - before)
    assert taken[0] == taken[1] < long.nbytes / 10
    rows = turns.to_pylist()
    wanted = (
        len(rows),
        sum(row["proposal"] is not None for row in rows),
        sum(len(row["known"]) for row in rows),
    )
    assert found[0][:3] == wanted
    assert found[1] == (*(50 * number for number in wanted), found[0][3])
