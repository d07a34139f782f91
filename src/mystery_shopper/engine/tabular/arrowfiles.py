"""Parquet and Arrow files of rows. This module imports pyarrow; import it only after
`needs.pyarrow`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from mystery_shopper.engine.tabular.arrow import arrow_schema, record_batch
from mystery_shopper.engine.tabular.rows import Place
from mystery_shopper.engine.tabular.schema import Table


class Parquet:
    """A Parquet file, a row group a batch, compressed with zstd."""

    def __init__(self, table: Table, path: Path) -> None:
        self._schema = arrow_schema(table)
        self._writer = pq.ParquetWriter(path, self._schema, compression="zstd")

    def write(self, rows: Sequence[Place]) -> None:
        """See `batches.Sink`."""
        self._writer.write_batch(record_batch(self._schema, rows))

    def close(self) -> None:
        """Write the footer."""
        self._writer.close()


class ArrowFile:
    """An Arrow IPC file (Feather, version 2), not compressed, so that it can be mapped."""

    def __init__(self, table: Table, path: Path) -> None:
        self._schema = arrow_schema(table)
        self._file = path.open("wb")
        self._writer = pa.ipc.new_file(self._file, self._schema)

    def write(self, rows: Sequence[Place]) -> None:
        """See `batches.Sink`."""
        self._writer.write_batch(record_batch(self._schema, rows))

    def close(self) -> None:
        """Write the footer."""
        with self._file:
            self._writer.close()
