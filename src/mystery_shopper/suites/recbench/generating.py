"""A set of queries from a catalogue and histories, worded and with an account of how it came to
be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import msgspec

from mystery_shopper.sources.histories import HistoryReport, Loaded
from mystery_shopper.suites.recbench.draw import (
    DrawOptions,
    Progress,
    draw_queries,
    planned,
    silent,
)
from mystery_shopper.suites.recbench.ground import Ground
from mystery_shopper.suites.recbench.query import Kind, Query, QuerySet
from mystery_shopper.suites.recbench.wording import CheckedTemplates, WordingAccount

Rewriter = Callable[[QuerySet, CheckedTemplates], tuple[QuerySet, WordingAccount]]
"""Words a whole set anew, with templates to stand in; gives the account of it too."""
MORE = "  More give: more or longer histories, --widest 0, --reducible."
MADE_UP = "The histories are synthetic: nobody lived them."


@dataclass(frozen=True)
class Generated:
    """A set, how it is worded, what became of the histories, how many queries each cell was to
    have, and whether anything is known of the users' gender, age or occupation."""

    query_set: QuerySet
    wording: WordingAccount
    histories: HistoryReport
    planned: dict[str, int]
    people_known: bool

    def lines(self) -> tuple[str, ...]:
        """The account in words, one thing a line."""
        origin = self.query_set.origin
        short = {cell: self.planned[cell] - missing for cell, missing in origin.short.items()}
        full = len(self.planned) - len(short)
        told = [*self.histories.lines(), f"cells filled: {full} of {len(self.planned)}"]
        told += [
            f"  {cell}: {found:,} of {self.planned[cell]:,}; {self._why(cell)}"
            for cell, found in short.items()
        ]
        if short:
            told.append(MORE)
        told += rejected_lines(self.query_set)
        told += [f"wording, {line}" for line in self.wording.lines()]
        if self.query_set.histories.synthetic:
            told.append(MADE_UP)
        return tuple(told)

    def _why(self, cell: str) -> str:
        if cell == Kind.DEMOGRAPHICS and not self.people_known:
            return "the histories tell no gender, age or occupation"
        return "the histories give no more"


def generate_queries(
    name: str,
    ground: Ground,
    loaded: Loaded,
    options: DrawOptions,
    *,
    rewrite: Rewriter | None = None,
    progress: Progress = silent,
) -> Generated:
    """Draw a set of queries called `name`, worded by templates or by `rewrite`.

    Raises InputError where nothing can be drawn (`draw_queries`).
    """
    write = ground.templates if rewrite is None else _not_yet
    drawn = draw_queries(
        name, ground.graph, ground.titles, loaded.histories, write, options, progress
    )
    graph = msgspec.structs.replace(drawn.graph, name=ground.catalogue.name)
    drawn = msgspec.structs.replace(drawn, graph=graph)
    if rewrite is None:
        account = WordingAccount.of(drawn.queries, ground.title_of)
    else:
        drawn, account = rewrite(drawn, ground.templates)
    plan = planned(options.queries, options.kinds)
    people_known = bool(loaded.histories.demographics)
    return Generated(drawn, account, loaded.report, plan, people_known)


def rejected_lines(query_set: QuerySet) -> Sequence[str]:
    """What was drawn and rejected when the set was made, a line for each reason."""
    by_reason: dict[str, dict[str, int]] = {}
    for told, count in query_set.origin.rejected.items():
        cell, _, reason = told.partition(": ")
        by_reason.setdefault(reason, {})[cell] = count
    return [
        f"drawn and rejected, {reason}: {sum(cells.values()):,}"
        for reason, cells in sorted(by_reason.items())
    ]


def _not_yet(query: Query, seed: int) -> str:
    """The text of a query that is to be worded later."""
    del query, seed
    return ""
