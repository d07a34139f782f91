"""A set of queries from a catalogue and histories, worded and with an account of how it came to
be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
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
LEAST_SEQUENCE, LEAST_GROUP = 2, 2
"""The fewest users that make a sequence, a group."""
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
        told += self._more(short)
        told += rejected_lines(self.query_set)
        told += [f"wording, {line}" for line in self.wording.lines()]
        if self.query_set.histories.synthetic:
            told.append(MADE_UP)
        return tuple(told)

    def _more(self, short: Iterable[str]) -> list[str]:
        """What gives more of the kinds that fell short."""
        origin, kinds = self.query_set.origin, {Kind(cell.partition("/")[0]) for cell in short}
        told: list[str] = []
        if any(not kind.is_profile for kind in kinds):
            lifted = ["--widest 0"] * bool(origin.widest) + ["--reducible"] * origin.irreducible
            told.append(
                f"  More of conditions give {', '.join(['more or longer histories', *lifted])}."
            )
        if Kind.INTEREST in kinds:
            told.append(
                "  More of interest give more or longer histories with times: "
                f"{origin.sequence_users} users must have the same items one right after another"
                f"{_fewer('--sequence-users', origin.sequence_users, LEAST_SEQUENCE)}."
            )
        if Kind.DEMOGRAPHICS in kinds:
            told.append(
                "  More of demographics give more users whose gender, age or occupation is told: "
                f"{origin.group_users} users make a group"
                f"{_fewer('--group-users', origin.group_users, LEAST_GROUP)}."
            )
        return told

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
    templates = ground.templates_of(options.generator)
    write = templates if rewrite is None else _not_yet
    drawn = draw_queries(
        name, ground.graph, ground.titles, loaded.histories, write, options, progress
    )
    graph = msgspec.structs.replace(drawn.graph, name=ground.catalogue.name)
    drawn = msgspec.structs.replace(drawn, graph=graph)
    if rewrite is None:
        account = WordingAccount.of(drawn.queries, ground.title_of)
    else:
        drawn, account = rewrite(drawn, templates)
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


def _fewer(option: str, now: int, least: int) -> str:
    return f"; {option} {least} lets {least} do" if now > least else ""


def _not_yet(query: Query, seed: int) -> str:
    """The text of a query that is to be worded later."""
    del query, seed
    return ""
