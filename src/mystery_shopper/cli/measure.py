"""`mystery-shopper measure`: how well the simulated user understands."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import typer

measure = typer.Typer(
    help="Measure parts of the simulated customers.", no_args_is_help=True, rich_markup_mode=None
)


@measure.callback()
def group() -> None:
    """Measure parts of the simulated customers."""


@measure.command("asks")
def asks(
    file: Path | None = typer.Argument(None, help="Labelled agent messages, JSON lines."),
    probe: str | None = typer.Option(
        None,
        metavar="DOMAIN",
        help="Probe a domain instead: films, books, shop, a YAML file, or a catalogue folder.",
    ),
    misses: bool = typer.Option(True, help="List every message that was misread."),
    strict: bool = typer.Option(False, help="With --probe: exit 1 if anything was misread."),
    seed: int = typer.Option(0, help="With --probe: which values and synonyms are tried."),
    format_: Literal["text", "json"] = typer.Option("text", "--format", help="text or json."),
) -> None:
    """Precision and recall of the question matching on labelled agent messages; lists the misses.

    Each line: {"id", "domain", "text", "asks": [fields], "generic": bool}; the domain is film, book
    or shop.

    With --probe, questions are made from the domain's own labels, synonyms and values, and it is
    told how the user reads them, so that missing synonyms show.
    """
    from mystery_shopper.foundation import InputError

    if (file is None) == (probe is None):
        raise InputError(
            "a file of messages and --probe exclude each other"
            if file is not None
            else "neither a file of messages nor --probe is given",
            where="measure asks",
            remedy="Give one of them: measure asks FILE, or measure asks --probe DOMAIN.",
        )
    if file is not None:
        _measure(file, misses=misses, as_json=format_ == "json")
    elif probe is not None:
        ok = _probe(probe, seed, misses=misses, as_json=format_ == "json")
        if strict and not ok:
            raise typer.Exit(1)


def _measure(file: Path, *, misses: bool, as_json: bool) -> None:
    from mystery_shopper.engine.measuring import measure_asks
    from mystery_shopper.report.proof import asks_json, print_asks

    scores = measure_asks(file)
    if as_json:
        typer.echo(asks_json(scores))
    else:
        print_asks(scores, file.name, misses=misses)


def _probe(source: str, seed: int, *, misses: bool, as_json: bool) -> bool:
    """Whether all was understood."""
    import msgspec

    from mystery_shopper.engine.measuring import probe_domain
    from mystery_shopper.report.proof import print_probe

    found = probe_domain(source, seed=seed)
    if as_json:
        typer.echo(msgspec.json.format(msgspec.json.encode(found), indent=2).decode())
    else:
        print_probe(found, misses=misses)
    return found.ok
