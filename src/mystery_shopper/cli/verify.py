"""`mystery-shopper verify`: check a bundle offline."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from mystery_shopper.engine.bundling import Verified


def verify(
    bundle: Path = typer.Argument(help="A zip that mystery-shopper bundle made."),
    catalog: list[Path] = typer.Option(
        [], help="A catalogue's folder, where the bundle does not hold the catalogue."
    ),
) -> None:
    """Check a bundle, offline and without a model.

    Every hash is computed anew, every trial played again from its transcript and scored, every
    count taken again, and every model's name must mean one model only. Nothing in the bundle is
    run. Exits 1 where anything does not hold, and names the file, the trial and the field.
    """
    from mystery_shopper.cli.common import progress_to
    from mystery_shopper.engine.bundling import verify as check
    from mystery_shopper.report.words import plain, plural

    with progress_to("Checking") as advance:
        found = check(bundle, catalog, advance)
    _tell(found)
    for note in found.notes:
        print(f"note: {plain(note, 300)}")
    problems = found.problems
    if problems.count:
        print(f"{bundle} does not verify: {plural(problems.count, 'problem')}")
        for problem in problems.found:
            print(f"  - {plain(str(problem), 600)}")
        if problems.more:
            print(f"  and {problems.more:,} more")
        raise typer.Exit(1)
    print(f"{bundle} verifies")


def _tell(found: Verified) -> None:
    from mystery_shopper.report.words import plain, plural

    manifest = found.manifest
    if manifest is None:
        return
    files = plural(len(manifest.files) + 1, "file")
    print(f"schema {manifest.schema}, made by version {plain(manifest.version)}, {files}")
    if manifest.redacted is not None:
        total = sum(manifest.redacted.values())
        print(f"redacted: {plural(total, 'place')} of the texts")
    for run in found.runs:
        events = plural(run.events, "event")
        print(f"{plain(run.name)}: {plural(run.trials, 'trial')}, {events} played again and scored")
    for told in found.models:
        for model in told.models:
            name = plain(model.name or ", ".join(model.answered))
            print(f"{plain(told.run)}: the {plain(model.party)}'s model {name}, "
                  f"pinned by {plain(model.by) if model.by else 'nothing'}")  # fmt: skip
