"""What the models of a run used, by party: tokens and money, in all and a valid trial."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mystery_shopper.engine.casting import MODEL, is_inspects
from mystery_shopper.engine.usage import Usage
from mystery_shopper.report.clocks import Spent, together
from mystery_shopper.report.summary import Group, RunSummary
from mystery_shopper.report.tabular import COUNTED, Table, counted
from mystery_shopper.report.words import DASH, figure, money, whole

PARTIES = ("agent", "user", "judge")
ALL = "all"
_NOTE = (
    "All families. In all: the sum over every metered trial, excluded ones and repeated attempts "
    "included. A valid trial: the mean over the valid ones of them. Input tokens are those paid in "
    "full, cached ones were read from the provider's cache; each token is counted once. Cost in US "
    "dollars; it is unknown where the price of any call is."
)
_HEAD = ("agent", "party", "over", "calls", "input", "cached", "output", "cost", "metered trials")


@dataclass(frozen=True, slots=True)
class Each:
    """One valid trial's calls, tokens and dollars, as means; a cost of None is unknown."""

    calls: float
    input: float
    cached: float
    output: float
    cost: float | None


def spending(group: Group) -> list[Table]:
    """The table, two rows a party that is a model, and two for all of a run that has several; none
    where no run of the group has a model."""
    rows = tuple(
        (run.label, *cells, *counted(run.counts)) for run in group.runs for cells in _rows(run)
    )
    title = "Tokens and money"
    return [Table(title, _NOTE, str(group.provenance), (*_HEAD, *COUNTED), rows, 3)] if rows else []


def spending_lines(run: RunSummary) -> list[str]:
    """The same for a terminal."""
    lines: list[str] = []
    for party, spent in parties(run):
        whose = "all tokens" if party == ALL else f"{party}'s tokens"
        if spent is None:
            lines.append(f"{whose}: {DASH} (nothing was metered)")
            continue
        lines.append(f"{whose}: {_tokens(spent.total)}")
        each = mean(spent, run.run.clocks.valid)
        if each is not None:
            lines.append(f"  a valid trial: {_tokens(each)}")
    return lines


def parties(run: RunSummary) -> list[tuple[str, Spent | None]]:
    """Each party with a model and what it used, None where that was not metered; then all of them
    where there are several."""
    plan, spent = run.plan, run.run.clocks.spent
    there = set(spent)
    if plan.agent.startswith(MODEL) or is_inspects(plan.agent):
        there.add("agent")
    if plan.user.startswith(MODEL):
        there.add("user")
    names = [name for name in PARTIES if name in there] + sorted(there - set(PARTIES))
    found = [(name, spent.get(name)) for name in names]
    known = [one for _, one in found if one is not None]
    if len(found) > 1 and len(known) == len(found):
        total, valid = [one.total for one in known], [one.valid for one in known]
        found.append((ALL, Spent(together(total), together(valid))))
    return found


def mean(spent: Spent, trials: int) -> Each | None:
    """A valid trial's share; None without valid trials."""
    if not trials:
        return None
    used = spent.valid
    cost = None if used.cost is None else used.cost / trials
    return Each(
        used.calls / trials, used.input / trials, used.cached / trials, used.output / trials, cost
    )


def _rows(run: RunSummary) -> Iterator[tuple[str, ...]]:
    clocks = run.run.clocks
    for party, spent in parties(run):
        each = mean(spent, clocks.valid) if spent is not None else None
        total = spent.total if spent is not None else None
        yield (party, "in all", *_cells(total), whole(clocks.metered))
        yield (party, "a valid trial", *_cells(each), whole(clocks.valid))


def _cells(used: Usage | Each | None) -> tuple[str, ...]:
    if used is None:
        return (DASH,) * 5
    tokens = (used.calls, used.input, used.cached, used.output)
    return (*map(_few, tokens), money(used.cost))


def _tokens(used: Usage | Each) -> str:
    """`1,234 in (+ 500 cached), 345 out, $0.0123`."""
    cached = f" (+ {_few(used.cached)} cached)" if used.cached else ""
    cost = "cost unknown" if used.cost is None else money(used.cost)
    return f"{_few(used.input)} in{cached}, {_few(used.output)} out, {cost}"


def _few(count: float) -> str:
    """A count; a mean below 10 that is no whole number keeps two decimals."""
    return figure(count, 2) if count < 10 and count != int(count) else f"{count:,.0f}"
