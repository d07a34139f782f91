"""`mystery-shopper export`: runs as tables in files."""

from __future__ import annotations

from pathlib import Path

import typer


def export(
    runs: list[Path] = typer.Argument(help="One or more run folders."),
    out: Path = typer.Option(help="The folder for the files; an earlier export there is replaced."),
    format: str = typer.Option(
        "csv",
        help="csv, json (lines), parquet or arrow; the last two need the extra [arrow].",
    ),
) -> None:
    """Write every trial, turn and event of the runs as tables, for your own analysis.

    Three files, trials, turns and events, and tables.json, which tells of the runs and the columns.
    The column run tells the runs apart. For the report's own tables see report --format.
    """
    from mystery_shopper.engine import RunFolder
    from mystery_shopper.engine.tabular import export_runs

    told = export_runs([RunFolder(path) for path in runs], out, format)
    for table in told.tables.values():
        print(f"{out / table.file}: {table.rows:,} rows")
    for run in told.runs:
        if run.trials < run.planned:
            print(f"{run.run} is not finished: {run.trials:,} of {run.planned:,} planned trials")
