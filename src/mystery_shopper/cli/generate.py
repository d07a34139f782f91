"""`mystery-shopper generate`: draw fresh tasks or queries."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import typer


def generate(
    suite: str = typer.Argument(help="The suite: tau_rec, recbench."),
    catalog: str = typer.Option("films", help="films, shop, or a catalogue folder to draw from."),
    seed: int = typer.Option(0, help="The seed."),
    out: Path | None = typer.Option(
        None,
        help="The JSON file to write; tasks.json (recbench: queries.json) in the catalogue's "
        "folder if left out.",
    ),
    name: str | None = typer.Option(None, help="The set's name@version."),
    families: int | None = typer.Option(
        None,
        min=1,
        help="tau_rec: exactly so many families; as many of 150 as can be if left out.",
    ),
    as_paper: bool = typer.Option(
        False, help="tau_rec: without the filters that the paper does not have."
    ),
    histories: str | None = typer.Option(
        None,
        help="recbench: a table of your users' histories (user, item, rating, time, gender, age, "
        "occupation), a folder of MovieLens, Amazon Books or Goodreads, movielens (the extra), or "
        "synthetic, which is usual for the films.",
    ),
    queries: int | None = typer.Option(
        None, min=1, help="recbench: how many queries in all, at most 100,000; 3,000 if left out."
    ),
    kind: list[str] = typer.Option(
        [],
        help="recbench: explicit, implicit, misinformed, interest or demographics; may be "
        "repeated. All if left out.",
    ),
    widest: int | None = typer.Option(
        None,
        min=0,
        help="recbench: how many items a query's conditions may fit, 0 for any number; 200 if "
        "left out.",
    ),
    reducible: bool = typer.Option(
        False,
        "--reducible",
        help="recbench: also conditions of which one can be left out and the user's own items "
        "that meet them stay the same.",
    ),
    sequence_users: int | None = typer.Option(
        None,
        min=2,
        help="recbench: how many users with the same items one right after another make an "
        "interest; 3 if left out.",
    ),
    group_users: int | None = typer.Option(
        None,
        min=2,
        help="recbench: how many users of one gender, age or occupation make a group; 5 if left "
        "out.",
    ),
    writer: str | None = typer.Option(
        None, help="recbench: who words the queries: templates; model:PROVIDER/NAME."
    ),
    base_url: str | None = typer.Option(
        None, help="recbench: where the writer's model's provider is."
    ),
    max_tokens: int | None = typer.Option(
        None, min=1, help="recbench: of one draft of the writer's model."
    ),
    max_connections: int | None = typer.Option(
        None, min=1, help="recbench: queries that the writer's model words at a time."
    ),
) -> None:
    """Draw a set of tasks (tau_rec) or queries (recbench) from a catalogue: the same seed gives the
    same set.

    tau_rec: without --families it gives as many as the catalogue can, and says what stood in the
    way of more. Exits 2 where the families asked for cannot be had. recbench: a cell that the
    histories cannot fill falls short, and is told.
    """
    from mystery_shopper.cli.generating_queries import SUITE, QueryWishes
    from mystery_shopper.engine import catalogue_name, own_tasks_file
    from mystery_shopper.engine.suites import suite_of
    from mystery_shopper.foundation import InputError

    suite_of(suite)  # Raises for one that is not there.
    wishes = QueryWishes(
        histories, queries, tuple(kind), widest, reducible, writer, base_url, max_tokens,
        max_connections, sequence_users, group_users,
    )  # fmt: skip
    own = {"--families": families is not None, "--as-paper": as_paper}
    _refuse(suite, wishes.given() if suite != SUITE else [n for n, told in own.items() if told])
    source, size = catalogue_name(catalog)
    if suite == SUITE and size is not None:
        raise InputError(
            "queries are drawn from a whole catalogue", where="--catalog", remedy=f"Say {source}."
        )
    place = out or own_tasks_file(source, suite)
    if place.exists():
        remedy = "Remove it, or choose another --out."
        raise InputError("the file exists", where=str(place), remedy=remedy)
    if name is not None and not re.fullmatch(r"[^\s@]+@[0-9]+", name):
        raise InputError(f"{name!r} is no name@version", where="--name", remedy="As shop/mine@1.")
    if suite == SUITE:
        from mystery_shopper.cli.generating_queries import generate_recbench, print_generated

        print_generated(generate_recbench(source, place, name, seed, wishes), place)
    else:
        _generate_tau_rec(source, size, place, name, seed, families, as_paper)
    print(f"Prove it: mystery-shopper check {place}{_beside(suite, source, place, histories)}")
    where = f"--catalog {source}" if out is None else f"--catalog {source} --task-set {place}"
    print(f"Play it:  mystery-shopper run {suite} {where} --agent popularity --out runs/popularity")


def _refuse(suite: str, options: Iterable[str]) -> None:
    """Raises InputError for options that are of the other suite."""
    from mystery_shopper.foundation import InputError

    problems = [f"{option} is no option of {suite}" for option in options]
    if problems:
        raise InputError(
            problems,
            where=f"generate {suite}",
            remedy="Leave it out; mystery-shopper generate --help says which suite it is of.",
        )


def _beside(suite: str, source: str, place: Path, histories: str | None) -> str:
    """What `check` must be told beside the file."""
    from mystery_shopper.engine.loading import SHIPPED_CATALOGUES

    known = source in SHIPPED_CATALOGUES if suite == "recbench" else source == "films"
    found = "" if known or Path(source) == place.parent else f" --catalog {source}"
    told = histories is not None and histories.partition(":")[0] != "synthetic"
    return found + (f" --histories {histories}" if told else "")


def _generate_tau_rec(
    source: str,
    size: int | None,
    place: Path,
    name: str | None,
    seed: int,
    families: int | None,
    as_paper: bool,
) -> None:
    from mystery_shopper.cli.common import progress_to
    from mystery_shopper.engine import load_catalogue
    from mystery_shopper.foundation import slug
    from mystery_shopper.suites.tau_rec.generate import draw_tasks
    from mystery_shopper.suites.tau_rec.taskfile import save_task_set

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
