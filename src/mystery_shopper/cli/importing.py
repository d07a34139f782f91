"""`mystery-shopper import`: another benchmark's catalogue and tasks, made ready to run here."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import typer

FORMATS = ("tau-rec-v1", "recbench-plus")


def import_(
    kind: str = typer.Argument(help=f"What it is: {' or '.join(FORMATS)}."),
    folder: Path = typer.Argument(help="The folder that holds it."),
    out: Path = typer.Option(
        help="The catalogue folder to make; tasks.json or queries.json is put in it."
    ),
    graph: Path | None = typer.Option(
        None,
        help="recbench-plus: a file of triples (item, relation, value) by which conditions are"
        " told to hold; item by id or title, set off by tabs or commas.",
    ),
    catalog: str | None = typer.Option(
        None,
        help="recbench-plus: films, or a catalogue folder, whose items the queries are put on;"
        " by default movies.dat or books.dat in the folder.",
    ),
    domain: Literal["movie", "book"] | None = typer.Option(
        None, help="recbench-plus: only these queries, where the folder holds both."
    ),
    on_bad: Literal["stop", "skip"] = typer.Option(
        "stop", help="recbench-plus: what a bad record or line does: stop, or be left out and told."
    ),
) -> None:
    """Read another benchmark's catalogue and tasks. Whatever is not understood stops the import:
    all of it is listed, and nothing is written.

    tau-rec-v1: a folder with catalog.json and tasks/. recbench-plus: a folder with the published
    query files (ExplicitQuery.json, ImplicitQuery.json, MisinformedQuery.json,
    InterestBasedQuery.json, UserBasedQuery.json), of films or books, at any depth; movies.dat,
    users.dat and ratings.dat of MovieLens beside them are read as well. Of a folder that holds both
    films and books a folder for each is made in --out.
    """
    from mystery_shopper.cli.importing_queries import import_recbench_plus
    from mystery_shopper.foundation import InputError

    if kind not in FORMATS:
        raise InputError(
            f"{kind!r} cannot be imported", where="import", remedy=f"Use {' or '.join(FORMATS)}."
        )
    if kind == "recbench-plus":
        import_recbench_plus(folder, out, graph, catalog, domain, skip=on_bad == "skip")
        return
    named = {"--graph": graph, "--catalog": catalog, "--domain": domain}
    given = [option for option, value in named.items() if value is not None]
    if given or on_bad != "stop":
        raise InputError(
            f"{', '.join(given) or '--on-bad'}: of no use for {kind}",
            where="import",
            remedy="Leave it out.",
        )
    _import_tau_rec_v1(folder, out)


def _import_tau_rec_v1(folder: Path, out: Path) -> None:
    from collections import Counter

    from mystery_shopper.catalog.folder import save_catalogue
    from mystery_shopper.engine.suites.tau_rec import TASKS_FILE
    from mystery_shopper.foundation import InputError
    from mystery_shopper.sources.tau_rec_v1 import domain_text
    from mystery_shopper.suites.tau_rec.taskfile import save_task_set
    from mystery_shopper.suites.tau_rec.v1 import import_tau_rec_v1

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
