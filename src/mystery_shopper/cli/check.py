"""`mystery-shopper check`: prove a task set from scratch."""

from __future__ import annotations

import typer


def check(
    task_set: str = typer.Argument(
        "tau_rec/films@1", help="A shipped task set, a JSON file, or a catalogue folder."
    ),
    catalog: str | None = typer.Option(
        None, help="The catalogue of the tasks, if it is not found by the set's name or place."
    ),
) -> None:
    """Verify every property of a task set by code that shares nothing with its generator.

    Exits 1 if a property does not hold.
    """
    from mystery_shopper.engine import catalogue_name, choose_sources, load_catalogue, load_tasks
    from mystery_shopper.engine.suites.tau_rec import check_origin
    from mystery_shopper.report.proof import print_check
    from mystery_shopper.suites.tau_rec.validate import check_task_set

    catalog, task_set = choose_sources(catalog, task_set)
    tasks = load_tasks(task_set)
    made = load_catalogue(*catalogue_name(catalog))
    check_origin(tasks, made, task_set)
    found = check_task_set(tasks, made)
    print_check(tasks, found)
    if not found.ok:
        raise typer.Exit(1)
