"""Console output of `check` for a set of queries: its statistics, and what was proved."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.table import Table
from rich.text import Text

from mystery_shopper.suites.recbench.generating import MADE_UP, rejected_lines
from mystery_shopper.suites.recbench.query import QuerySet
from mystery_shopper.suites.recbench.table import CellStatistics, statistics_table
from mystery_shopper.suites.recbench.validate import Proofs

SHOWN = 40
_HEADS = ("type", "cond.", "queries", "users", "own", "matching", "named", "history", "words",
          "short")  # fmt: skip


def print_query_proofs(query_set: QuerySet, found: Proofs, console: Console | None = None) -> None:
    """The statistics by type and number of conditions, the properties with how often each was
    proved, where the set comes from, and what does not hold. Fits 80 columns."""
    console = console or Console()
    console.print(statistics(query_set))
    console.print(Text("Means of a query: own, matching and named items, history, words.\n"))
    console.print(_properties(found))
    for line in origin_lines(query_set):
        console.print(Text(line))
    if found.untried:
        console.print(
            Text(
                f"NOT TRIED: what {found.untried:,} profile queries count; give the histories that"
                " they were drawn from by --histories.",
                style="yellow",
            )
        )
    for problem in found.problems[:SHOWN]:
        console.print(Text(f"BROKEN {problem}", style="red"))
    if len(found.problems) > SHOWN:
        console.print(Text(f"... and {len(found.problems) - SHOWN:,} more", style="red"))
    partly = found.untried or query_set.source
    sound = "Every property that was tried holds." if partly else "Every property holds."
    console.print(Text("The set is not valid." if found.problems else sound))


def statistics(query_set: QuerySet) -> Table:
    """A row for each type and number of conditions, and one of all."""
    made_up = ", synthetic histories" if query_set.histories.synthetic else ""
    title = f"{query_set.name} ({query_set.digest[:12]}{made_up})"
    table = Table(*_HEADS, title=title, box=None, pad_edge=False, padding=(0, 1, 0, 0),
                  header_style="bold", title_style="bold")  # fmt: skip
    for column in table.columns[2:]:
        column.justify = "right"
    rows = [row for row in statistics_table(query_set) if row.queries or not query_set.source]
    for row in rows:
        table.add_row(*_cells(row), end_section=row is rows[-2])
    return table


def origin_lines(query_set: QuerySet) -> Iterable[str]:
    """Where a set comes from, one thing a line."""
    graph, histories, origin = query_set.graph, query_set.histories, query_set.origin
    relations = ", ".join(graph.relations)
    yield f"graph: {graph.name}, {graph.items:,} items, digest {graph.digest[:12]} ({relations})"
    if histories.users:
        yield (
            f"histories: {histories.source}: {histories.interactions:,} interactions of "
            f"{histories.users:,} users, digest {histories.digest[:12]}"
        )
    if histories.synthetic:
        yield MADE_UP
    if query_set.source:
        yield f"imported from: {query_set.source}"
        yield "Its form, ids and matching items are tried; all else is as released."
        return
    widest = f"at most {origin.widest:,} items fit" if origin.widest else "any number of items fits"
    spare = "no condition can be left out" if origin.irreducible else "conditions may be left out"
    yield (
        f"drawn by generator {origin.generator} from seed {origin.seed}: {widest}, {spare}, "
        f"{origin.sequence_users} users make a sequence, {origin.group_users} a group"
    )
    stood_in = sum(origin.stood_in.values())
    yield (
        f"worded by {origin.writer} (templates stood in {stood_in:,} times)"
        if origin.writer
        else "worded by templates"
    )
    yield from rejected_lines(query_set)


def _properties(found: Proofs) -> Table:
    table = Table("property", "proved of", "violations", box=None, pad_edge=False,
                  padding=(0, 2, 0, 0), header_style="bold")  # fmt: skip
    for column in table.columns[1:]:
        column.justify = "right"
    for name in sorted({*found.proven, *found.failed}):
        bad = found.failed.get(name, 0)
        table.add_row(
            name, f"{found.proven.get(name, 0):,}", Text(f"{bad:,}", "red" if bad else "")
        )
    return table


def _cells(row: CellStatistics) -> list[str]:
    means = (row.own, row.matching, row.named, row.history, row.words)
    return [
        row.type,
        row.conditions,
        f"{row.queries:,}",
        f"{row.users:,}",
        *("–" if mean is None else f"{mean:.1f}" for mean in means),
        f"{row.short:,}" if row.short else "",
    ]
