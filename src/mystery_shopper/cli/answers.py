"""`mystery-shopper answers`: which items satisfy each task, and which of them can be reached."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import typer

if TYPE_CHECKING:
    from mystery_shopper.suites.tau_rec.answers import Answers


def answers(
    catalog: str = typer.Argument(help="A catalogue folder, or a shipped catalogue's name."),
    task_set: str | None = typer.Option(
        None, help="A task file or a shipped set; the catalogue's own tasks if left out."
    ),
    format_: Literal["text", "json"] = typer.Option("text", "--format", help="text or json."),
    out: Path | None = typer.Option(None, help="Write to this file instead of stdout."),
) -> None:
    """For each task all items that meet its requirements (satisfying), and those of them that can
    be had in a format or service that the user accepts (reachable; all of them where the user names
    none). Ids are sorted; tasks of one family share its id."""
    import msgspec

    from mystery_shopper.engine.loading import (
        catalogue_name,
        choose_sources,
        load_catalogue,
        load_tasks,
    )
    from mystery_shopper.engine.suites.tau_rec import check_origin
    from mystery_shopper.foundation import write_whole
    from mystery_shopper.suites.tau_rec.answers import answers as answers_of

    chosen, tasks_name = choose_sources(catalog, task_set)
    source, size = catalogue_name(chosen)
    catalogue = load_catalogue(source, size)
    tasks = load_tasks(tasks_name)
    whole = catalogue if size is None else load_catalogue(source)
    check_origin(tasks, whole, tasks_name)
    found = answers_of(tasks, catalogue)
    if format_ == "json":
        text = msgspec.json.format(msgspec.json.encode(found)).decode() + "\n"
    else:
        text = "".join(_told(name, one) for name, one in found.items())
    if out is None:
        typer.echo(text, nl=False)
    else:
        write_whole(out, text.encode())


def _told(name: str, found: Answers) -> str:
    """One family's answers as text, an item a line."""
    reachable = set(found.reachable)
    head = f"{name}: {len(found.satisfying)} satisfying, {len(found.reachable)} reachable\n"
    return head + "".join(
        f"  {item_id}\n" if item_id in reachable else f"  {item_id}  (not reachable)\n"
        for item_id in found.satisfying
    )
