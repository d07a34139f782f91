"""`mystery-shopper generate recbench`, `check` of a set of queries: what is theirs alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mystery_shopper.catalog import Catalogue
    from mystery_shopper.sources.histories import Histories, Loaded
    from mystery_shopper.suites.recbench.ground import Ground
    from mystery_shopper.suites.recbench.query import Kind, QuerySet
    from mystery_shopper.suites.recbench.validate import Proofs

SUITE = "recbench"
MODEL = "model:"
TEMPLATES = "templates"
SYNTHETIC = "synthetic"


@dataclass(frozen=True)
class QueryWishes:
    """What the person asked for; None stands for the usual."""

    catalog: str
    place: Path
    name: str | None = None
    seed: int = 0
    histories: str | None = None
    queries: int | None = None
    writer: str | None = None
    kinds: Sequence[str] = ()
    widest: int | None = None
    reducible: bool = False
    base_url: str | None = None
    max_connections: int | None = None


def generate_recbench(wishes: QueryWishes) -> None:
    """Draw the queries, write them, and print the account. Raises InputError with what cannot be
    used; nothing is written then."""
    from mystery_shopper.cli.stages import stages
    from mystery_shopper.engine import load_catalogue
    from mystery_shopper.foundation import slug
    from mystery_shopper.suites.recbench.draw import DEFAULT_QUERIES, WIDEST, DrawOptions
    from mystery_shopper.suites.recbench.generating import Rewriter, generate_queries
    from mystery_shopper.suites.recbench.queryfile import save_query_set
    from mystery_shopper.suites.recbench.wording import CheckedTemplates, WordingAccount

    options = DrawOptions(
        seed=wishes.seed,
        queries=wishes.queries or DEFAULT_QUERIES,
        irreducible=not wishes.reducible,
        widest=WIDEST if wishes.widest is None else wishes.widest,
        kinds=_kinds(wishes.kinds),
    )
    rewrite: Rewriter | None = None
    writer = _writer(wishes)
    catalogue = load_catalogue(wishes.catalog)
    with stages() as tell:
        tell("Reading histories", 0, 0)
        loaded = read_histories(wishes.histories or SYNTHETIC, catalogue)
        tell("Building the graph", 0, 0)
        ground = ground_of(wishes.catalog, catalogue)
        if writer is not None:

            def rewrite(
                queries: QuerySet, templates: CheckedTemplates
            ) -> tuple[QuerySet, WordingAccount]:
                return writer.rewrite(
                    queries, templates, lambda done, of: tell("Asking the writer", done, of)
                )

        made = generate_queries(
            wishes.name or f"{SUITE}/{slug(catalogue.name)}-seed{wishes.seed}@1",
            ground, loaded, options, rewrite=rewrite, progress=tell,
        )  # fmt: skip
    save_query_set(made.query_set, wishes.place)
    for line in made.lines():
        print(line)
    found = made.query_set
    print(
        f"{found.name}: {len(found.queries):,} queries of {len(found.people):,} users, digest "
        f"{found.digest[:12]} -> {wishes.place}"
    )
