"""A person's own product file as a stream of rows: CSV, JSON lines, JSON, Parquet, gzipped too."""

from mystery_shopper.sources.tables.model import Broken, Entry, Nested, Row, Table
from mystery_shopper.sources.tables.opening import open_table

__all__ = ["Broken", "Entry", "Nested", "Row", "Table", "open_table"]
