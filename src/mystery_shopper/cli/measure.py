"""`mystery-shopper measure`: how well the simulated user understands."""

from __future__ import annotations

from pathlib import Path

import typer

measure = typer.Typer(
    help="Measure parts of the simulated customers.", no_args_is_help=True, rich_markup_mode=None
)


@measure.callback()
def group() -> None:
    """Measure parts of the simulated customers."""


@measure.command("asks")
def asks(
    file: Path = typer.Argument(help="Labelled agent messages, JSON lines."),
    misses: bool = typer.Option(True, help="List every message that was misread."),
) -> None:
    """Precision and recall of the question matching on labelled agent messages; lists the misses.

    Each line: {"id", "domain": "film" or "book", "text", "asks": [fields], "generic": bool}.
    """
    from mystery_shopper.engine.measuring import measure_asks
    from mystery_shopper.report.proof import print_asks

    print_asks(measure_asks(file), file.name, misses=misses)
