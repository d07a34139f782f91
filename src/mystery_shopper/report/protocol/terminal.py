"""The protocol on a terminal: the demands with the commands that would meet them, then the figures
that the paper asks for and the paper's own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

from mystery_shopper.report.cells import Answers
from mystery_shopper.report.disclosure.published import (
    ELICITED_ALL,
    ELICITED_LESS,
    HIDDEN_NVR,
    PASSES,
    WITHIN_THREE,
)
from mystery_shopper.report.disclosure.settings import HIDDEN, MIXED, VOLUNTEER
from mystery_shopper.report.protocol.figures import NO_MODEL, Found, cost, provider
from mystery_shopper.report.protocol.records import Protocol, Report
from mystery_shopper.report.protocol.remedies import Commands
from mystery_shopper.report.protocol.tables import RUNS_COST, caption_of, part_of
from mystery_shopper.report.tabular import counted, estimate, share, worst_case
from mystery_shopper.report.words import DASH, ENDINGS, figure, plain
from mystery_shopper.suites.tau_rec.score import Elicited

_WIDTH = 80
_KEY = (
    "Satisfiable families of the panel; NVR: those that nothing fits. 95 % intervals",
    "over families. ‹ ›: had every excluded trial failed, had every one succeeded.",
)
_DEMAND = 36


def protocol_lines(protocol: Protocol, found: Sequence[Found], commands: Commands) -> Iterator[str]:
    """Lines of at most 80 columns, but for commands, which stand on a line of their own."""
    yield from _wrapped(caption_of(protocol))
    for agent in protocol.agents:
        yield ""
        told = "what the paper asks" if agent.holds else "not what the paper asks"
        yield from _wrapped(f"{agent.agent}: {told}")
        yield from _checks(agent, commands)
    if found:
        yield ""
        yield from _KEY
    for line in figure_lines(found):
        indent = len(line) - len(line.lstrip())
        yield from _wrapped(line, indent)


def _checks(agent: Report, commands: Commands) -> Iterator[str]:
    remedies: dict[str, None] = {}
    for check in agent.checks:
        sign = "yes" if check.holds else "NO "
        yield from _wrapped(f"  {sign} {check.demand:{_DEMAND}} {plain(check.found)}", 6)
        for one in check.failings:
            yield from _wrapped(f"      {one.problem} (in {', '.join(map(plain, one.runs))})", 6)
            remedies[commands.of(one.want) if one.want is not None else one.remedy] = None
    for name, why in agent.aside:
        yield from _wrapped(f"  left aside: {plain(name)} ({why})", 6)
    if remedies:
        yield "  To make up for it:"
        yield from (f"    {remedy}" for remedy in remedies)


def _wrapped(line: str, indent: int = 0) -> list[str]:
    """What does not fit goes on below, further in."""
    further = " " * (indent + 4)
    return wrap(line, _WIDTH, subsequent_indent=further, break_on_hyphens=False) or [line]


def figure_lines(found: Sequence[Found]) -> Iterator[str]:
    """The same figures, a block a part, then the paper's."""
    for one in found:
        yield ""
        yield " · ".join(one.names)
        yield from (f"  {line}" for line in _lines(one))
    if found:
        yield ""
        yield "paper: its 4 agents over both interfaces, base prompt, 20,000 books"
        told = [f"{c} {figure(PASSES[c, k])}" for k in (1, 4) for c in (VOLUNTEER, MIXED, HIDDEN)]
        yield f"  pass^1: {', '.join(told[:3])}, hidden NVR {figure(HIDDEN_NVR)}"
        yield f"  pass^4: {', '.join(told[3:])}"
        yield f"  hidden success by rejections allowed: ≤3 {figure(WITHIN_THREE['agents'])}"
        less = figure(ELICITED_LESS, 2)
        yield f"  mixed: success {figure(ELICITED_ALL, 2)} given all elicited, else {less}"
        low, high = RUNS_COST
        yield f"  an agent's structured run under one prompt: about ${low:.2f}–{high:.2f}"


def _lines(one: Found) -> Iterator[str]:
    for k in (1, 4):
        for passed in one.passes:
            name = passed.condition + (" NVR" if passed.answers is Answers.NVR else "")
            yield f"pass^{k} {name}: {estimate(passed.first if k == 1 else passed.fourth)}"
    if one.within:
        told = (
            f"≤{r}\u00a0{figure(w.value)}{worst_case(w.worst)}" for r, w in enumerate(one.within)
        )
        yield f"hidden success by rejections allowed: {', '.join(told)}"
    for told in one.elicits:
        pairs = zip(Elicited, told.shares, told.success, strict=True)
        parts = (
            f"{kind.value} {share(part)}" + (f", success {share(won)}" if part.hits else "")
            for kind, part, won in pairs
        )
        yield f"elicited, {told.condition}: {'; '.join(parts)}"
    for ends in one.ends:
        name = ends.condition + (" NVR" if ends.answers is Answers.NVR else "")
        of = ends.kinds.total()
        kinds = [k for k in ENDINGS if ends.kinds[k]]
        parts = (f"{ENDINGS[kind]} {part_of(ends.kinds[kind], of)}" for kind in kinds)
        yield f"ends, {name}: {', '.join(parts) or DASH}"
    name, model = provider(one.part.plan)
    who = name if name == NO_MODEL else f"{name}, model {model}"
    total, each = cost(one)
    yield f"provider: {who}; cost {total}, a valid trial {each}"
    planned, valid, excluded, misread = counted(one.counts)
    yield (
        f"trials: {planned} planned, {valid} valid, {excluded} excluded; questions not understood "
        f"a trial: {misread}"
    )
