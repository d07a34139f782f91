"""`mystery-shopper generate`: draw fresh tasks."""

from __future__ import annotations

from pathlib import Path

import typer


def generate(
    suite: str = typer.Argument(help="The suite: tau_rec."),
    out: Path = typer.Option(help="The JSON file to write."),
    catalog: str = typer.Option("films", help="The catalogue to draw from."),
    families: int = typer.Option(150, min=1, help="How many families."),
    seed: int = typer.Option(0, help="The seed."),
    name: str | None = typer.Option(None, help="The set's name@version."),
    as_paper: bool = typer.Option(False, help="Without the filters that the paper does not have."),
) -> None:
    """Draw a task set from a catalogue: the same seed gives the same tasks."""
    import re

    from mystery_shopper.engine import catalogue_name, load_catalogue
    from mystery_shopper.engine.planning import check_suite
    from mystery_shopper.foundation import InputError
    from mystery_shopper.suites.tau_rec.generate import generate as draw
    from mystery_shopper.suites.tau_rec.taskfile import save_task_set

    check_suite(suite)
    if out.exists():
        raise InputError("the file exists", where=str(out), remedy="Choose another --out.")
    if name is not None and not re.fullmatch(r"[^\s@]+@[^\s@]+", name):
        raise InputError(f"{name!r} is no name@version", where="--name", remedy="As shop/mine@1.")
    source = load_catalogue(*catalogue_name(catalog))
    tasks = draw(
        source,
        seed=seed,
        name=name or f"tau_rec/{source.name}-seed{seed}@1",
        families=families,
        as_paper=as_paper,
    )
    save_task_set(tasks, out)
    kept = len(tasks.families)
    rejected = ", ".join(f"{n} {why}" for why, n in sorted(tasks.origin.rejected.items()))
    print(f"{tasks.name}: {kept} families, {3 * kept} tasks, digest {tasks.digest[:12]} -> {out}")
    if rejected:
        print(f"Drawn and rejected: {rejected}")
    print(f"Prove it: mystery-shopper check {out}")
