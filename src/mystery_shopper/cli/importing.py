"""`mystery-shopper import`: another benchmark's catalogue and tasks, made ready to run here."""

from __future__ import annotations

from pathlib import Path

import typer

FORMATS = ("tau-rec-v1",)


def import_(
    kind: str = typer.Argument(help=f"What it is: {' or '.join(FORMATS)}."),
    folder: Path = typer.Argument(help="The folder that holds it."),
    out: Path = typer.Option(help="The catalogue folder to make; tasks.json is put in it."),
) -> None:
    """Read another benchmark's catalogue and tasks. Whatever is not understood stops the import:
    all of it is listed, and nothing is written."""
    from collections import Counter

    from mystery_shopper.catalog.folder import save_catalogue
    from mystery_shopper.engine.suites.tau_rec import TASKS_FILE
    from mystery_shopper.foundation import InputError
    from mystery_shopper.sources.tau_rec_v1 import domain_text
    from mystery_shopper.suites.tau_rec.taskfile import save_task_set
    from mystery_shopper.suites.tau_rec.v1 import import_tau_rec_v1

    if kind not in FORMATS:
        raise InputError(
            f"{kind!r} cannot be imported", where="import", remedy=f"Use {' or '.join(FORMATS)}."
        )
    if not folder.is_dir():
        raise InputError(
            "there is no such folder",
            where=str(folder),
            remedy="Name the folder that holds catalog.json and tasks/.",
        )
    catalogue, tasks = import_tau_rec_v1(folder)
    save_catalogue(
        catalogue,
        out,
        domain_text=domain_text().decode("utf-8"),
        notes={"source": tasks.source},
    )
    save_task_set(tasks, out / TASKS_FILE)
    told = Counter(next(iter(family.reveals)).value for family in tasks.families)
    barren = sum(not family.satisfiable for family in tasks.families)
    print(f"{catalogue.name}: {len(catalogue)} items, digest {catalogue.digest[:12]} -> {out}")
    print(
        f"{tasks.name}: {len(tasks.families)} tasks ("
        + ", ".join(f"{count} {name}" for name, count in told.items())
        + f"; {barren} without a valid recommendation), digest {tasks.digest[:12]}"
    )
    print(f"Run them: mystery-shopper run tau_rec --catalog {out} --agent popularity --out RUN")
    print(f"Their answers: mystery-shopper answers {out}")
