"""`mystery-shopper replay`: prove a run's archive without its agent."""

from __future__ import annotations

from pathlib import Path

import typer


def replay(
    runs: list[Path] = typer.Argument(help="One or more run folders."),
) -> None:
    """Play every archived trial again from its transcript, without the agent.

    Each tool call, each reply and verdict of the rule-based customer and each score is computed
    anew and held against the record, as is what a record says of its task. Exits 1 at the first
    difference; trials that are not there yet are counted.
    """
    from mystery_shopper.cli.common import progress_over
    from mystery_shopper.engine import RunFolder
    from mystery_shopper.engine.replay import replay as play_again

    for path in runs:
        folder = RunFolder(path)
        with progress_over(folder.plan().count, "trials") as advance:
            found = play_again(folder, advance)
        if found.difference is not None:
            where = found.difference
            part = f"event {where.place}" if where.place else "its record"
            print(f"{path}: {where.trial}, {part} differs")
            print(f"  recorded: {where.recorded}")
            print(f"  replayed: {where.replayed}")
            raise typer.Exit(1)
        left = ""
        if found.missing:
            left = f"; of {found.trials + found.missing:,} planned, {found.missing:,} are not there"
        print(f"{path}: {found.trials} trials, {found.events} events, all as recorded{left}")
