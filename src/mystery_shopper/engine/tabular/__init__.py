"""Runs as tables: one row a trial, a turn, an event. Nothing here imports pyarrow before it is
needed; CSV and JSON lines need no more than the core."""

from mystery_shopper.engine.tabular.export import FORMATS, Exported, export_runs
from mystery_shopper.engine.tabular.loaded import RunTables, load_run
from mystery_shopper.engine.tabular.schema import SCHEMA_VERSION, TABLES, tables_of
from mystery_shopper.engine.tabular.schema_doc import tables_markdown

__all__ = [
    "FORMATS",
    "SCHEMA_VERSION",
    "TABLES",
    "Exported",
    "RunTables",
    "export_runs",
    "load_run",
    "tables_markdown",
    "tables_of",
]
