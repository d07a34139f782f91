"""RQ2: structured search against keyword search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mystery_shopper.dialogue import Ending
from mystery_shopper.report.disclosure.contrasttable import least, points, settle
from mystery_shopper.report.disclosure.counting import count_effects, rows_of, tasks_of
from mystery_shopper.report.disclosure.effects import Effect, Finding
from mystery_shopper.report.disclosure.published import CONTRASTS, INTERFACE_MIXED
from mystery_shopper.report.disclosure.settings import MIXED
from mystery_shopper.report.disclosure.study import AVERAGE, BOTH, Study, paper_row
from mystery_shopper.report.disclosure.twelve import INTERFACE, interface
from mystery_shopper.report.rows import Row
from mystery_shopper.report.tabular import Table, counted
from mystery_shopper.report.words import p_value, whole
from mystery_shopper.suites.tau_rec.task import Condition

STOPS = (Ending.OVERFLOW, Ending.TOOL_BUDGET)


def not_stopped(row: Row) -> bool:
    """Whether the trial ended otherwise than by a context overflow or at the tool budget."""
    return row.score.ending not in STOPS


@dataclass(frozen=True)
class Contrasted:
    """Structured minus keyword search for an agent, or their average, under a condition, or all:
    of every trial, and of those that were not stopped."""

    agent: str
    condition: str
    every: Finding
    kept: Finding


def contrasted(study: Study) -> list[Contrasted]:
    """Averaged, by condition and by agent, where there is anything to compare."""
    lines: list[tuple[str, str]] = [(AVERAGE, BOTH)]
    lines += [(AVERAGE, condition.value) for condition in Condition]
    lines += [(agent, BOTH) for agent in study.panel.agents if len(study.panel.agents) > 1]
    found = study.find([effect for line in lines for effect in _effects(study, *line)])
    made = [
        Contrasted(*line, *found[2 * place : 2 * place + 2]) for place, line in enumerate(lines)
    ]
    return [one for one in made if one.every.effect.terms]


def interface_table(study: Study, found: Sequence[Contrasted]) -> Table:
    """What `contrasted` found."""
    rows = [(one.agent, one.condition, *_cells(study, one.every, one.kept)) for one in found]
    if rows:
        rows += _published()
    note = (
        "Points of pass^1, structured minus keyword search on the same tasks, with 95 % intervals "
        "over families. p is uncorrected; the tests above correct it. None stopped: again without "
        "the trials that a context overflow or the tool budget ended; stopped counts those. "
        "Detectable and to settle as above."
    )
    head = ("agent", "condition", "points", "p", "points, none stopped", "p, none stopped")
    return study.table("The interface", note, (*head, "stopped", "detectable", "to settle"), rows)


def _effects(study: Study, agent: str, condition: str) -> tuple[Effect, Effect]:
    agents = None if agent == AVERAGE else (agent,)
    conditions = None if condition == BOTH else (condition,)
    one = interface(study.panel, agents=agents, conditions=conditions)
    return one, interface(study.panel, agents=agents, conditions=conditions, keep=not_stopped)


def _cells(study: Study, every: Finding, kept: Finding) -> tuple[str, ...]:
    sides = {side for term in every.effect.terms for side in (term.base, term.candidate)}
    trials = [row for s, c in sides for row in rows_of(tasks_of(study.panel, [s], c))]
    stopped = sum(not not_stopped(row) for row in trials)
    cells: list[str] = []
    for one in (every, kept):
        result = one.result
        cells += [
            points(result.estimate, result.low, result.high),
            p_value(result.p, result.at_floor),
        ]
    counts = count_effects(study.panel, [every.effect])
    return (*cells, whole(stopped), least(every), settle(every, every.result.p), *counted(counts))


def _published() -> list[tuple[str, ...]]:
    known = CONTRASTS[INTERFACE]
    told = points(known.points / 100, known.low / 100, known.high / 100)
    blank = [""] * 5
    mixed = paper_row("average of its 4 agents", [f"+{INTERFACE_MIXED}", "", *blank])
    return [
        paper_row("average of its 4 agents", [told, known.families, *blank]),
        (mixed[0], MIXED, *mixed[2:]),
    ]
