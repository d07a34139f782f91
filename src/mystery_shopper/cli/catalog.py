"""`mystery-shopper catalog`: from a product file to a catalogue that customers can be sent to."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path

import typer

from mystery_shopper.cli.common import slow_lines

catalog = typer.Typer(
    help="Make a catalogue of your own products, and look at it.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


class OnError(StrEnum):
    """What a line or value that cannot be used does."""

    STOP = "stop"
    SKIP = "skip"


class Form(StrEnum):
    """How a catalogue is printed."""

    TEXT = "text"
    JSON = "json"


@catalog.callback()
def group() -> None:
    """Make a catalogue of your own products, and look at it."""


@catalog.command("sample")
def sample(
    out: Path = typer.Option(help="The CSV file to write."),
    products: int = typer.Option(5_000, min=1, help="How many products."),
    purchases: Path | None = typer.Option(
        None, help="Write what 300 made-up customers bought to this CSV file too."
    ),
) -> None:
    """Write the products of the built-in shop as a CSV file, to try the other commands on."""
    from mystery_shopper.catalog.exporting import write_table
    from mystery_shopper.sources.shop import COLUMNS, Recipe
    from mystery_shopper.sources.shop_customers import BOUGHT, Customers

    for place in (out, purchases):
        if place is not None:
            _refuse_existing(place)
    recipe = Recipe(products=products)
    write_table(out, COLUMNS, recipe.rows())
    _tell(f"{products:,} products -> {out}")
    if purchases is not None:
        bought = write_table(purchases, BOUGHT, Customers(recipe).rows())
        _tell(f"{bought:,} purchases of made-up customers -> {purchases}")
    domain = _domain_beside(out)
    _tell(f"Next: mystery-shopper catalog infer {_shell(out)} --out {_shell(domain)}")
    if purchases is not None:
        # `catalog infer` names the domain, and what is built of it, in the same way.
        folder = _shell(domain.with_name(_free(domain.stem)))
        _tell(
            "Once the catalogue is built: "
            f"mystery-shopper generate recbench --catalog {folder} --histories {_shell(purchases)}"
        )


@catalog.command("infer")
def infer(
    file: Path = typer.Argument(help="The products: CSV, JSON lines, JSON or Parquet."),
    out: Path | None = typer.Option(None, help="The YAML file to write; stdout if left out."),
    name: str | None = typer.Option(None, help="The catalogue's name; the file's if left out."),
    rows: int = typer.Option(50_000, min=1, help="How many rows to look at, from the first on."),
) -> None:
    """Draft the domain of a product file: a commented YAML of what was guessed, and why.

    What you should look at and answer is told on stderr, all guesses stand in the YAML; nothing is
    overwritten.
    """
    from mystery_shopper.foundation import write_whole
    from mystery_shopper.sources.infer import infer_domain
    from mystery_shopper.sources.tables import open_table

    if out is not None:
        _refuse_existing(out)
    table = open_table(file)
    _tell(f"{file}: {table.form}")
    draft = infer_domain(table, name=name or _free(_stem(file)), rows=rows)
    _tell(draft.summary)
    for look in draft.looks:
        _tell(f"LOOK: {look}")
    for question in draft.questions:
        _tell(f"QUESTION: {question}")
    if out is None:
        print(draft.yaml, end="")
        return
    write_whole(out, draft.yaml.encode("utf-8"))
    folder = _shell(out.with_name(_free(out.stem)))
    _tell(f"Read and complete {out}, then:")
    _tell(f"  mystery-shopper catalog build {_shell(file)} --domain {_shell(out)} --out {folder}")


@catalog.command("build")
def build(
    file: Path = typer.Argument(help="The products: CSV, JSON lines, JSON or Parquet."),
    domain: Path = typer.Option(help="The domain's YAML, as `catalog infer` drafts it."),
    out: Path = typer.Option(help="The folder to make."),
    on_error: OnError = typer.Option(
        OnError.STOP, help="What a bad line or value does: stop the build, or be left out."
    ),
    name: str | None = typer.Option(None, help="The catalogue's name; the domain's if left out."),
) -> None:
    """Make the catalogue of a product file, and say for every column what was kept and dropped.

    Nothing is left behind where it fails. Exits 2 on bad input.
    """
    from mystery_shopper.catalog import parse_domain
    from mystery_shopper.catalog.folder import save_catalogue
    from mystery_shopper.foundation import read_whole
    from mystery_shopper.report.accountview import print_account
    from mystery_shopper.report.words import plural
    from mystery_shopper.sources.building import build_from_table
    from mystery_shopper.sources.tables import open_table
    from mystery_shopper.suites.tau_rec.wording import check_wording

    _refuse_taken(out)
    text = read_whole(domain, "Draft one: mystery-shopper catalog infer FILE --out D.yaml")
    spec = parse_domain(text, str(domain))
    check_wording(spec)
    table = open_table(file)
    with rows_told(f"Reading {file.name}") as progress:
        made, account = build_from_table(
            table, spec, name=name or spec.name, on_error=on_error.value, progress=progress
        )
    print_account(account)
    save_catalogue(made, out, domain_text=text.decode("utf-8"), notes={"account": account})
    print(f"{made.name}: {plural(len(made), 'item')}, digest {made.digest[:12]} -> {out}")
    print(f"Next: mystery-shopper catalog show {_source(out)}")


@catalog.command("show")
def show(
    source: str = typer.Argument(metavar="DIR|NAME", help="A catalogue's folder, or films, shop."),
    format: Form = typer.Option(Form.TEXT, help="text or json."),
    tiers: bool = typer.Option(True, help="Try which tiers and templates are feasible."),
) -> None:
    """Show a catalogue: fields, coverage, vocabularies, bounds, formats, and what is feasible."""
    import msgspec

    from mystery_shopper.engine import catalogue_name, load_catalogue
    from mystery_shopper.report.catalogview import view_catalogue
    from mystery_shopper.report.feasible import mute_of, tiers_of
    from mystery_shopper.report.shelfview import print_catalogue

    made = load_catalogue(*catalogue_name(source))
    view = view_catalogue(made, tiers=tiers_of(made) if tiers else None, mute=mute_of(made.domain))
    if format is Form.JSON:
        print(msgspec.json.format(msgspec.json.encode(view), indent=2).decode())
    else:
        print_catalogue(view)


@catalog.command("export")
def export(
    source: str = typer.Argument(
        metavar="DIR|NAME", help="A catalogue's folder, or films, shop, with :SIZE for a part."
    ),
    out: Path = typer.Option(help="The .csv or .jsonl file to write."),
) -> None:
    """Write a catalogue's items to a file, for an agent that has a search of its own."""
    from mystery_shopper.catalog.exporting import export_items
    from mystery_shopper.engine import catalogue_name, load_catalogue

    _refuse_existing(out)
    made = load_catalogue(*catalogue_name(source))
    _tell(f"{export_items(made, out):,} {made.domain.noun.plural} -> {out}")


@contextmanager
def rows_told(
    what: str, now: Callable[[], float] = time.monotonic
) -> Generator[Callable[[int], None]]:
    """Tells on stderr how many rows were read, from two seconds on: in one line on a terminal,
    else in a line every ten seconds. The function takes the rows so far."""
    with slow_lines(what, now) as line:
        line("{:,} rows", 0)  # The two seconds count from here.
        yield lambda rows: line("{:,} rows", rows)


def _refuse_existing(out: Path) -> None:
    from mystery_shopper.foundation import InputError

    if out.exists():
        raise InputError("the file exists", where=str(out), remedy="Choose another --out.")


def _refuse_taken(out: Path) -> None:
    """Before an hour of reading, not after it."""
    from mystery_shopper.foundation import InputError

    if out.is_file() or (out.is_dir() and any(out.iterdir())):
        raise InputError(
            "is a file" if out.is_file() else "is not empty",
            where=str(out),
            remedy="Name a new folder as --out, or remove this one.",
        )


def _stem(file: Path) -> str:
    """The file's name without its endings: `books` of `books.csv.gz`."""
    return file.name.split(".")[0] or file.name


def _domain_beside(file: Path) -> Path:
    return file.with_name(f"{_free(_stem(file))}.yaml")


def _free(name: str) -> str:
    """The name, or another where a shipped catalogue or domain has it."""
    from mystery_shopper.catalog import SHIPPED

    return f"my-{name}" if name in SHIPPED else name


def _shell(path: Path) -> str:
    import shlex

    return shlex.quote(str(path))


def _source(folder: Path) -> str:
    """The folder as a command names it: `./shop` where `shop` is the built-in one."""
    from mystery_shopper.engine.loading import SHIPPED_CATALOGUES

    return f"./{folder}" if str(folder) in SHIPPED_CATALOGUES else _shell(folder)


def _tell(text: str) -> None:
    print(text, file=sys.stderr)
