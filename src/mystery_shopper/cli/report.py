"""`mystery-shopper report`: one page from one or more runs, its tables for a paper, or the paper's
protocol."""

from __future__ import annotations

from pathlib import Path

import typer


def report(
    runs: list[Path] = typer.Argument(help="One or more run folders."),
    out: Path | None = typer.Option(
        None, help="The page, file or folder; in the first run's folder if left out."
    ),
    labels: Path | None = typer.Option(
        None, help="A second labeller's reading of agent turns, JSON lines; see below."
    ),
    metric: list[str] = typer.Option(
        [], help="Your own metric, module:Class or an installed one's name; may be repeated."
    ),
    format: str | None = typer.Option(
        None,
        help="html, the page, if left out; or all tables as md, csv, json, parquet or latex. "
        "csv and parquet make a folder.",
    ),
    protocol: str | None = typer.Option(
        None, help="paper: check that the runs are what the paper asks, and print its figures."
    ),
) -> None:
    """Write one self-contained HTML page: figures, tables, and trials, failures first.

    Other formats hold the tables alone. In csv, json and parquet each number has a column of its
    own; what is unmeasured is empty or null.

    With --protocol paper the runs are checked against what the paper asks of those who report
    results: the panel on the full catalogue, the rule-based user, the 20-turn cap, at least four
    trials a task, one or both interfaces, the prompts base and ask-and-verify. It prints the
    figures that the paper lists, and for what is missing the command to run; the exit code is then
    1. With --format these tables are written as well.

    A line of a label file is {"trial": "f001-mixed#0", "turn": 1, "asks": ["genre"],
    "generic": false}, with "run": a folder's name where there are several. The labels show which
    failures come from a question that the customer did not understand.
    """
    from mystery_shopper.cli.common import suite_of, tell, tell_protocol
    from mystery_shopper.engine import RunFolder
    from mystery_shopper.foundation import InputError
    from mystery_shopper.report.formats import HTML, check_format, usual_place
    from mystery_shopper.report.protocol import check_name

    kind = HTML if format is None else format
    check_format(kind)
    folders = [RunFolder(path) for path in runs]
    place = out or usual_place(runs[0], kind)
    if protocol is None:
        print(f"\nReport: {tell(folders, place, labels, metric, kind)}")
        return
    check_name(protocol)
    if suite_of(folders) != "tau_rec":
        raise InputError(
            "the protocol is tau_rec's", where="--protocol", remedy="Leave --protocol out."
        )
    wanted = place if out is not None or format is not None else None
    holds = tell_protocol(folders, wanted, labels, metric, kind)
    if wanted is not None:
        print(f"\nReport: {wanted}")
    if not holds:
        raise typer.Exit(1)
