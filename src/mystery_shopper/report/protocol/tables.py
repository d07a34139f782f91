"""The figures that the paper asks for, and only these, as tables. Source: τ-Rec-Books §7."""

from __future__ import annotations

from collections.abc import Sequence

from mystery_shopper.engine.plan import RULE_BASED
from mystery_shopper.report.cells import Answers
from mystery_shopper.report.disclosure.published import (
    ELICITED_ALL,
    ELICITED_LESS,
    HIDDEN_NVR,
    PASSES,
    WITHIN_THREE,
)
from mystery_shopper.report.disclosure.settings import MIXED
from mystery_shopper.report.disclosure.study import paper_row
from mystery_shopper.report.protocol.figures import CELLS, Found, cost, provider
from mystery_shopper.report.protocol.records import PROMPTS, Protocol
from mystery_shopper.report.protocol.remedies import Commands
from mystery_shopper.report.tabular import COUNTED, Table, counted, estimate, explained, share
from mystery_shopper.report.words import DASH, ENDINGS, figure, plain, plural, whole
from mystery_shopper.suites.tau_rec.score import Elicited

RUNS_COST = (1.0, 4.4)
"""US dollars that one agent's structured run costs per prompt, "about" (§7)."""
NAMES = ("agent", "interface", "prompt")


def protocol_tables(protocol: Protocol, found: Sequence[Found], commands: Commands) -> list[Table]:
    """The demands with what was found, then the figures."""
    caption = caption_of(protocol)
    made = [
        checks_table(protocol, caption),
        remedies_table(protocol, commands, caption),
        _passes_table(found, caption),
        _within_table(found, caption),
        _elicitation_table(found, caption),
        _ends_table(found, caption),
        _cost_table(found, caption),
    ]
    return [explained(table) for table in made if table.rows]


def caption_of(protocol: Protocol) -> str:
    """The provenance."""
    ground = protocol.panel.ground
    known = plural(len(protocol.families), "family", "families")
    families = f"panel, {known}" if protocol.families else "panel unknown"
    size = f", {plural(protocol.size, 'item')}" if protocol.size is not None else ""
    rules = ", as in the paper" if ground.as_paper else ""
    return (
        f"{plain(ground.task_set)}, {ground.task_set_digest[:12]} ({families}) · catalogue "
        f"{plain(ground.source)}{size} · user {RULE_BASED}{rules}"
    )


def checks_table(protocol: Protocol, caption: str) -> Table:
    """One row a demand and agent, or a failing of it."""
    note = "What the paper asks of those who report results (§7), and what the runs are."
    rows: list[tuple[str, ...]] = []
    for agent in protocol.agents:
        for check in agent.checks:
            lead = (agent.agent, check.demand, check.found)
            if check.holds:
                rows.append((*lead, "yes", "", ""))
            for one in check.failings:
                rows.append((*lead, "no", ", ".join(map(plain, one.runs)), one.problem))
        rows += [(agent.agent, "left aside", "", "", plain(name), why) for name, why in agent.aside]
    head = ("agent", "demand", "found", "holds", "runs", "problem")
    if not any(row[4] for row in rows):
        head, rows = head[:4], [row[:4] for row in rows]
    return Table("What the paper asks", note, caption, head, tuple(rows), len(head))


def remedies_table(protocol: Protocol, commands: Commands, caption: str) -> Table:
    """What to run, or to do, so that every demand is met, each once an agent."""
    note = "The commands that play what is missing."
    rows = dict.fromkeys(
        (agent.agent, commands.of(one.want) if one.want is not None else one.remedy)
        for agent in protocol.agents
        for check in agent.checks
        for one in check.failings
    )
    head = ("agent", "remedy")
    return Table("What is missing", note, caption, head, tuple(rows), len(head))


def _table(
    title: str,
    note: str,
    caption: str,
    head: Sequence[str],
    rows: Sequence[tuple[str, ...]],
    names: int,
) -> Table:
    return Table(title, note, caption, (*NAMES, *head, *COUNTED), tuple(rows), names)


def _paper(name: str, cells: Sequence[str], *words: str) -> tuple[str, ...]:
    """A row of the paper's, under the base prompt, over both interfaces."""
    lead = paper_row(name, cells, 1)
    return (lead[0], "both", PROMPTS[0], *words, *lead[1:])


def _passes_table(found: Sequence[Found], caption: str) -> Table:
    note = (
        "Satisfiable families by condition, and hidden tasks of families that nothing fits (NVR) "
        "apart. pass^k: the mean over tasks of C(c, k)/C(n, k), c successes in n valid trials; "
        "95 % intervals resample families. The paper's figures are means over its agents."
    )
    rows: list[tuple[str, ...]] = [
        (
            *one.names,
            passed.condition,
            passed.answers.value,
            estimate(passed.first),
            estimate(passed.fourth),
            *counted(passed.counts),
        )
        for one in found
        for passed in one.passes
    ]
    for condition, answers in CELLS if rows else ():
        values = (HIDDEN_NVR, None) if answers is Answers.NVR else (
            PASSES[condition, 1], PASSES[condition, 4]
        )  # fmt: skip
        rows.append(_paper("its 4 agents", [*map(figure, values)], condition, answers.value))
    head = ("condition", "families", "pass^1", "pass^4")
    return _table("pass^1 and pass^4 by condition", note, caption, head, rows, 5)


def _within_table(found: Sequence[Found], caption: str) -> Table:
    note = (
        "Hidden tasks of satisfiable families: the share of trials that succeed after at most so "
        "many rejections, averaged over tasks; 95 % intervals resample families."
    )
    rows: list[tuple[str, ...]] = [
        (*one.names, str(r), estimate(within), *counted(one.hidden))
        for one in found
        for r, within in enumerate(one.within)
    ]
    if rows:
        rows.append(_paper("its 4 agents", ["3", figure(WITHIN_THREE["agents"])]))
    head = ("rejections ≤", "success")
    return _table("Hidden success by rejections allowed", note, caption, head, rows, 3)


def _elicitation_table(found: Sequence[Found], caption: str) -> Table:
    note = (
        "All families of the panel. Valid trials with askable facts: the share that got all, some "
        "or none of them, and success given each; less: given some or none."
    )
    rows: list[tuple[str, ...]] = [
        (
            *one.names,
            told.condition,
            *map(share, told.shares),
            *map(share, told.success),
            share(told.less),
            *counted(told.counts),
        )
        for one in found
        for told in one.elicits
    ]
    if rows:
        known = [*[DASH] * 3, figure(ELICITED_ALL, 2), DASH, DASH, figure(ELICITED_LESS, 2)]
        rows.append(_paper("its 4 agents", known, MIXED))
    kinds = [kind.value for kind in Elicited]
    head = ("condition", *kinds, *(f"success | {kind}" for kind in kinds), "success | less")
    return _table("Elicitation", note, caption, head, rows, 4)


def _ends_table(found: Sequence[Found], caption: str) -> Table:
    note = "How the valid trials end, satisfiable and NVR families apart."
    kinds = [k for k in ENDINGS if any(ends.kinds[k] for one in found for ends in one.ends)]
    rows: list[tuple[str, ...]] = [
        (
            *one.names,
            ends.condition,
            ends.answers.value,
            *(part_of(ends.kinds[kind], ends.kinds.total()) for kind in kinds),
            whole(ends.kinds.total()),
            *counted(ends.counts),
        )
        for one in found
        for ends in one.ends
    ]
    head = ("condition", "families", *(ENDINGS[kind] for kind in kinds), "trials")
    return _table("How trials end", note, caption, head, rows, 5)


def part_of(hits: int, of: int) -> str:
    return DASH if not of else f"{hits:,} ({100 * hits / of:.0f} %)"


def _cost_table(found: Sequence[Found], caption: str) -> Table:
    note = (
        "The provider and the model by the run's plan, and what the agent's model cost, from "
        "timings.jsonl, in US dollars: over every metered trial of the runs, excluded ones and "
        "repeated attempts included, and a valid trial. Unknown where the price of any call is; – "
        "for an agent of code alone."
    )
    rows: list[tuple[str, ...]] = [
        (*one.names, *provider(one.part.plan), *cost(one), whole(one.metered), *counted(one.counts))
        for one in found
    ]
    if rows:
        low, high = RUNS_COST
        cells = [f"${low:.2f}–{high:.2f}", DASH, DASH]
        row = _paper("one of its agents, about", cells, "", "")
        rows.append((row[0], "structured", "each", *row[3:]))
    head = ("provider", "model", "cost", "cost a valid trial", "metered trials")
    return _table("Provider and cost", note, caption, head, rows, 5)
