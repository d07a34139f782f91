"""Arrow: schemas, record batches, and tables that live in a mapped file and not in memory.

This module imports pyarrow; import it only after `needs.pyarrow`.
"""
# pyarrow tells no types of its own.
# pyright: reportUnknownParameterType=false

from __future__ import annotations

import mmap
import tempfile
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import IO, Any

import msgspec
import pyarrow as pa

from mystery_shopper.engine.tabular.rows import Place
from mystery_shopper.engine.tabular.schema import SCHEMA_VERSION, Column, Kind, Table
from mystery_shopper.foundation import InputError

_TYPES: dict[Kind, Any] = {
    Kind.TEXT: pa.string(),
    Kind.FLAG: pa.bool_(),
    Kind.WHOLE: pa.int64(),
    Kind.SEED: pa.uint64(),
    Kind.NUMBER: pa.float64(),
    Kind.TEXTS: pa.list_(pa.string()),
}


def arrow_schema(table: Table) -> pa.Schema:
    """The table's Arrow schema. Its metadata holds the schema's version, a column's its words and
    unit."""
    return pa.schema(
        [_field(column) for column in table.columns],
        metadata={
            "mystery_shopper.table": table.name,
            "mystery_shopper.schema_version": str(SCHEMA_VERSION),
        },
    )


def _field(column: Column) -> pa.Field:
    told = {"about": column.about} | ({"unit": column.unit} if column.unit else {})
    return pa.field(column.name, _TYPES[column.kind], nullable=column.nullable, metadata=told)


def record_batch(schema: pa.Schema, rows: Sequence[Place]) -> pa.RecordBatch:
    """The rows as a batch of the schema."""
    columns = zip(*map(msgspec.structs.astuple, rows), strict=True)
    arrays = [
        pa.array(values, type=field.type) for values, field in zip(columns, schema, strict=True)
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


@contextmanager
def _room() -> Generator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(
            f"the tables cannot be written ({error.strerror or error})",
            where=tempfile.gettempdir(),
            remedy="Make room there, or set TMPDIR to a folder with room.",
        ) from None


class MappedTable:
    """Takes a table's rows and gives the table, whose buffers lie in a temporary file that goes
    with it. Raises InputError where the folder of temporary files is full."""

    def __init__(self, table: Table) -> None:
        self._schema = arrow_schema(table)
        self._file: IO[bytes] = tempfile.TemporaryFile(prefix="mystery-shopper-")  # noqa: SIM115
        self._writer = pa.ipc.new_file(self._file, self._schema)

    def write(self, rows: Sequence[Place]) -> None:
        """See `batches.Sink`."""
        with _room():
            self._writer.write_batch(record_batch(self._schema, rows))

    def table(self) -> pa.Table:
        """The table; call it once, at the end."""
        with _room():
            self._writer.close()
            self._file.flush()
        with self._file:
            mapped = mmap.mmap(self._file.fileno(), 0, access=mmap.ACCESS_READ)
        return pa.ipc.open_file(pa.BufferReader(pa.py_buffer(mapped))).read_all()

    def discard(self) -> None:
        """Let the file go where no table will be made."""
        self._file.close()
