"""`mystery-shopper generate`: draw fresh tasks."""

from __future__ import annotations

from pathlib import Path

import typer


def generate(
    suite: str = typer.Argument(help="The suite: tau_rec."),
    catalog: str = typer.Option("films", help="films, shop, or a catalogue folder to draw from."),
    families: int | None = typer.Option(
        None, min=1, help="Exactly so many families; as many of 150 as can be if left out."
    ),
    seed: int = typer.Option(0, help="The seed."),
    out: Path | None = typer.Option(
        None, help="The JSON file to write; tasks.json in the catalogue's folder if left out."
    ),
    name: str | None = typer.Option(None, help="The set's name@version."),
    as_paper: bool = typer.Option(False, help="Without the filters that the paper does not have."),
) -> None:
    """Draw a task set from a catalogue: the same seed gives the same tasks.

    Without --families it gives as many as the catalogue can, and says what stood in the way of
    more. Exits 2 where the families asked for cannot be had.
    """
    import re

    from mystery_shopper.cli.common import progress_to
    from mystery_shopper.engine import catalogue_name, load_catalogue, own_tasks_file
    from mystery_shopper.engine.planning import check_suite
    from mystery_shopper.foundation import InputError, slug
    from mystery_shopper.suites.tau_rec.generate import draw_tasks
    from mystery_shopper.suites.tau_rec.taskfile import save_task_set

    check_suite(suite)
    source, size = catalogue_name(catalog)
    place = out or own_tasks_file(source)
    if place.exists():
        remedy = "Remove it, or choose another --out."
        raise InputError("the file exists", where=str(place), remedy=remedy)
    if name is not None and not re.fullmatch(r"[^\s@]+@[0-9]+", name):
        raise InputError(f"{name!r} is no name@version", where="--name", remedy="As shop/mine@1.")
    made = load_catalogue(source, size)
    with progress_to("Drawing families") as advance:
        drawn = draw_tasks(
            made,
            seed=seed,
            name=name or f"tau_rec/{slug(made.name)}-seed{seed}@1",
            families=families,
            as_paper=as_paper,
            progress=advance,
        )
    tasks = drawn.task_set
    save_task_set(tasks, place)
    for line in drawn.feasibility.lines():
        print(line)
    kept = len(tasks.families)
    played = sum(len(family.reveals) for family in tasks.families)
    print(f"{tasks.name}: {kept} families, {played} tasks, digest {tasks.digest[:12]} -> {place}")
    print(f"Prove it: mystery-shopper check {place}")
    where = f"--catalog {source}" if out is None else f"--catalog {source} --task-set {place}"
    print(f"Play it:  mystery-shopper run tau_rec {where} --agent popularity --out runs/popularity")
