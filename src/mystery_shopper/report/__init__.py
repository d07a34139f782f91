"""Figures, tables and the page, from runs on disk."""

from mystery_shopper.report.console import print_summary
from mystery_shopper.report.ownmetrics import Metric, OwnMetrics, load_metrics
from mystery_shopper.report.page import read_folders, write_report
from mystery_shopper.report.rows import read_run
from mystery_shopper.report.schema_doc import results_schema_markdown
from mystery_shopper.report.summary import Summary, summarise

__all__ = [
    "Metric",
    "OwnMetrics",
    "Summary",
    "load_metrics",
    "print_summary",
    "read_folders",
    "read_run",
    "results_schema_markdown",
    "summarise",
    "write_report",
]
