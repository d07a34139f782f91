"""What `check` does for the suite recbench: every query's properties, from the graph."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mystery_shopper.catalog import Catalogue
    from mystery_shopper.sources.histories import Histories
    from mystery_shopper.suites.recbench.query import QuerySet

SUITE = "recbench"


def check_recbench(task_set: str | None, catalog: str | None, histories: str | None) -> bool:
    """Prove a set of queries and print what was found; gives whether every property that could be
    tried holds. Raises InputError where the catalogue or the histories are not those of the set."""
    from mystery_shopper.cli.generating_queries import ground_of
    from mystery_shopper.cli.stages import stages
    from mystery_shopper.engine import catalogue_name, choose_sources, load_catalogue
    from mystery_shopper.engine.loading import SHIPPED_CATALOGUES, folder_of, load_book
    from mystery_shopper.engine.suites.recbench import SUITE as RECBENCH
    from mystery_shopper.engine.suites.recbench import own
    from mystery_shopper.report.query_proof import print_query_proofs
    from mystery_shopper.suites.recbench.validate import prove_queries

    guessed, task_set = choose_sources(catalog, task_set, SUITE)
    queries = own(load_book(SUITE, task_set))
    if catalog is None and folder_of(guessed) is None and queries.graph.name in SHIPPED_CATALOGUES:
        guessed = queries.graph.name
    source, size = catalogue_name(guessed)
    catalogue = load_catalogue(source, size)
    with stages() as tell:
        tell("Building the graph", 0, 0)
        RECBENCH.check_tasks(queries, catalogue, task_set, folder_of(source))
        ground = ground_of(source, catalogue)
        tell("Reading histories", 0, 0)
        known = _histories(queries, catalogue, histories)
        found = prove_queries(
            queries,
            ground.graph,
            ground.titles,
            known,
            ground.checker.told,
            lambda done, of: tell("Proving queries", done, of),
        )
    print_query_proofs(queries, found)
    return not found.problems


def _histories(queries: QuerySet, catalogue: Catalogue, source: str | None) -> Histories | None:
    """The histories that a set was drawn from: those named, or the made-up ones where it was drawn
    from them; None where nobody knows."""
    from mystery_shopper.foundation import InputError
    from mystery_shopper.sources.histories import open_histories

    wanted = queries.histories
    if queries.source:
        return None
    if source is not None:
        found = open_histories(source, catalogue).histories
        if found.digest != wanted.digest:
            raise InputError(
                f"the queries were drawn from other histories ({wanted.source}, digest "
                f"{wanted.digest[:12]}) than these ({found.digest[:12]})",
                where=f"--histories {source}",
                remedy="Give those that the queries were drawn from, or leave the option out.",
            )
        return found
    seed = re.search(r"\(seed (\d+)\)", wanted.source)
    if not wanted.synthetic or seed is None:
        return None
    try:
        made_up = open_histories(f"synthetic:{seed[1]}", catalogue).histories
    except InputError:
        return None
    return made_up if made_up.digest == wanted.digest else None
