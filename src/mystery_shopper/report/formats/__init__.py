"""A report's tables as files: Markdown, CSV, JSON, Parquet and LaTeX."""

from mystery_shopper.report.formats.writing import (
    FORMATS,
    HTML,
    check_format,
    check_target,
    usual_place,
    write_tables,
)

__all__ = ["FORMATS", "HTML", "check_format", "check_target", "usual_place", "write_tables"]
