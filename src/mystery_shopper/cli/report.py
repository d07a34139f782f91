"""`mystery-shopper report`: one page from one or more runs."""

from __future__ import annotations

from pathlib import Path

import typer


def report(
    runs: list[Path] = typer.Argument(help="One or more run folders."),
    out: Path | None = typer.Option(
        None, help="The page; the first run's report.html if left out."
    ),
    labels: Path | None = typer.Option(
        None, help="A second labeller's reading of agent turns, JSON lines; see below."
    ),
) -> None:
    """Write one self-contained HTML page: figures, tables, and trials, failures first.

    A line of a label file is {"trial": "f001-mixed#0", "turn": 1, "asks": ["genre"],
    "generic": false}, with "run": a folder's name where there are several. The labels show which
    failures come from a question that the customer did not understand.
    """
    from mystery_shopper.cli.common import tell
    from mystery_shopper.engine import RunFolder

    page = tell([RunFolder(path) for path in runs], out or runs[0] / "report.html", labels)
    print(f"\nReport: {page}")
