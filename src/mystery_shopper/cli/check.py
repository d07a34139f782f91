"""`mystery-shopper check`: prove a set of tasks or queries from scratch."""

from __future__ import annotations

import re
from pathlib import Path

import typer


def check(
    task_set: str | None = typer.Argument(
        None,
        help="A shipped set (tau_rec/films@1, recbench/films@1), a JSON file, or a catalogue "
        "folder; tau_rec/films@1 if left out.",
    ),
    catalog: str | None = typer.Option(
        None, help="The catalogue of the set, if it is not found by the set's name or place."
    ),
    suite: str | None = typer.Option(
        None, help="tau_rec or recbench; by the set's name or content if left out."
    ),
    histories: str | None = typer.Option(
        None,
        help="Of queries: the histories that they were drawn from, as for generate; found if they "
        "are the made-up ones.",
    ),
) -> None:
    """Verify every property of a set by code that shares nothing with its generator.

    Of a catalogue folder that holds tasks and queries both are checked. Exits 1 if a property does
    not hold.
    """
    from mystery_shopper.cli.checking_queries import SUITE, check_recbench
    from mystery_shopper.foundation import InputError

    suites = [_known(suite)] if suite is not None else suites_of(task_set, catalog)
    if histories is not None and SUITE not in suites:
        raise InputError(
            "tasks are not drawn from histories",
            where="--histories",
            remedy=f"Leave it out, or name a set of {SUITE}.",
        )
    sound = [
        check_recbench(task_set, catalog, histories)
        if one == SUITE
        else _check_tau_rec(task_set, catalog)
        for one in suites
    ]
    if not all(sound):
        raise typer.Exit(1)


def suites_of(task_set: str | None, catalog: str | None = None) -> list[str]:
    """The suites of what a set's name, file or folder holds; without a set, of what the catalogue's
    folder holds. Raises InputError for a folder that holds nothing."""
    from mystery_shopper.engine.loading import TAU_REC
    from mystery_shopper.engine.plan import SUITES
    from mystery_shopper.engine.suites import suite_of
    from mystery_shopper.foundation import InputError

    name = task_set or catalog or TAU_REC
    named = [one for one in SUITES if name.startswith(f"{one}/")]
    if named and not Path(name).exists():
        return named
    if not Path(name).is_dir():
        return [_suite_in(Path(name)) or TAU_REC]
    files = {one: suite_of(one).tasks_file for one in SUITES}
    found = [one for one, file in files.items() if (Path(name) / file).is_file()]
    if not found:
        raise InputError(
            f"holds no set: neither {' nor '.join(files.values())}",
            where=name,
            remedy=f"Draw one: mystery-shopper generate {TAU_REC} --catalog {name}",
        )
    return found


def _suite_in(file: Path) -> str | None:
    """The suite of a file by what it holds; None where neither is to be seen, which its reader then
    tells."""
    import gzip
    import zlib

    try:
        raw = file.read_bytes()
        raw = gzip.decompress(raw) if raw.startswith(b"\x1f\x8b") else raw
    except (OSError, EOFError, ValueError, zlib.error):
        return "recbench" if file.suffix == ".gz" else None
    held = re.search(rb'"(queries|families)"\s*:', raw)
    return None if held is None else {b"queries": "recbench", b"families": "tau_rec"}[held[1]]


def _known(suite: str) -> str:
    from mystery_shopper.engine.suites import suite_of

    return suite_of(suite).name


def _check_tau_rec(task_set: str | None, catalog: str | None) -> bool:
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
    return found.ok
