"""The paper's twelve tests, as far as the runs at hand have them.

The interface test stands alone at 0.05; the others share Holm's correction. Where agents, sizes or
users are fewer, the family of tests shrinks, and what is missing is said. Source: τ-Rec-Books §4.2
and Table 4.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from mystery_shopper.engine.plan import RULE_BASED
from mystery_shopper.report.cells import Answers
from mystery_shopper.report.disclosure.effects import (
    Effect,
    Finding,
    Term,
    average,
    contrast,
    find,
    minus,
)
from mystery_shopper.report.disclosure.settings import (
    HIDDEN,
    KEYWORD,
    MIXED,
    STRUCTURED,
    VOLUNTEER,
    Holds,
    Panel,
    Setting,
    every,
)
from mystery_shopper.report.words import whole
from mystery_shopper.statistics.corrections import holm

ALPHA = 0.05
INTERFACE, SCALE, CROSSED, USER = "interface", "scale", "interface × scale", "user"
"""Roles of effects, with what follows: `interface` averaged, `mixed gap`, `keyword scale`."""
SMALL = 5_000
"""The paper's small catalogue; where there is none of that size, the smallest at hand."""


@dataclass(frozen=True)
class Twelve:
    """The test that stands alone, and those that are corrected together. Effects that cannot be
    tested stand among them, and count in no correction."""

    alone: Finding
    corrected: tuple[Finding, ...]

    @property
    def tested(self) -> int:
        """How many tests share the correction."""
        return sum(one.result.p is not None for one in self.corrected)

    @property
    def missing(self) -> tuple[str, ...]:
        """What could not be tested, and why."""
        return tuple(
            f"{one.effect.name}: {one.effect.missing}"
            for one in (self.alone, *self.corrected)
            if one.effect.missing
        )


def twelve(panel: Panel, *, resamples: int = 10_000) -> Twelve:
    """Every test that these runs allow."""
    alone, *rest = find(panel, [*plan(panel)], resamples=resamples, templates=True)
    adjusted = holm([one.result.p for one in rest])
    corrected = (replace(one, adjusted=p) for one, p in zip(rest, adjusted, strict=True))
    return Twelve(alone, tuple(corrected))


def plan(panel: Panel) -> Iterator[Effect]:
    """The effects: the interface test first, then the corrected ones in the paper's order."""
    small, full = small_size(panel), panel.full
    yield interface(panel)
    for agent in panel.agents if len(panel.agents) > 1 else ():
        yield interface(panel, agents=(agent,), name=f"Interface, {agent}")
    yield gap(panel, MIXED, Answers.ALL)
    yield gap(panel, HIDDEN, Answers.SATISFIABLE)
    yield scale(panel, KEYWORD, small)
    yield scale(panel, STRUCTURED, small)
    yield crossed(panel, small, full)
    yield from users(panel)


def small_size(panel: Panel) -> int | None:
    """The size that scale is told from; None where only the whole catalogue was played."""
    others = [size for size in panel.sizes if size != panel.full]
    return SMALL if SMALL in others else others[0] if others else None


def interface(
    panel: Panel,
    *,
    agents: Sequence[str] | None = None,
    size: int | None = None,
    conditions: Sequence[str] | None = None,
    keep: Holds | None = None,
    name: str = "Interface, agents averaged",
) -> Effect:
    """Structured minus keyword search, averaged over agents and conditions."""
    terms: list[Term | None] = []
    for by_keyword, structured in pairs(panel.usual(size=size), "interface", KEYWORD, STRUCTURED):
        if agents is not None and structured.agent not in agents:
            continue
        terms += [
            contrast(panel, (by_keyword, c), (structured, c), "interface", keep=keep or every)
            for c in shared(panel, by_keyword, structured)
            if conditions is None or c in conditions
        ]
    role = INTERFACE if agents is None and size is None and conditions is None else ""
    return average(name, terms, "not run on both interfaces", role if keep is None else "")


def gap(
    panel: Panel,
    condition: str,
    answers: Answers,
    name: str = "",
    settings: Sequence[Setting] | None = None,
) -> Effect:
    """A condition minus volunteer, averaged over agents and interfaces, or over these settings."""
    terms = [
        contrast(panel, (setting, VOLUNTEER), (setting, condition), "condition", answers)
        for setting in (panel.usual() if settings is None else settings)
        if {VOLUNTEER, condition} <= set(panel[setting].conditions)
    ]
    told = f"{condition.capitalize()} − {VOLUNTEER} ({_families(answers)})"
    missing = f"no run has both {VOLUNTEER} and {condition} tasks"
    return average(name or told, terms, missing, f"{condition} gap, {answers.value}")


def scale(panel: Panel, search: str, small: int | None) -> Effect:
    """A small catalogue minus the whole one, on volunteer and mixed tasks, averaged over agents."""
    short = "small" if small is None else whole(small)
    name = f"{search.capitalize()}, {short} − {panel.size_name(panel.full)}"
    role = f"{search} {SCALE}"
    if small is None:
        return Effect(name, (), _one_size(panel), role)
    usual = [s for s in (*panel.usual(size=small), *panel.usual()) if s.interface == search]
    terms = [
        contrast(panel, (whole_, c), (part, c), "catalogue size")
        for whole_, part in pairs(usual, "size", panel.full, small)
        for c in shared(panel, whole_, part)
        if c in (VOLUNTEER, MIXED)
    ]
    return average(name, terms, f"no agent was run on {search} search at both sizes", role)


def crossed(panel: Panel, small: int | None, full: int) -> Effect:
    """How the interface's effect changes with scale: at the small size minus at the whole one, over
    agents that played both interfaces at both."""
    name = "Interface × scale"
    if small is None:
        return Effect(name, (), _one_size(panel), CROSSED)
    both = [
        agent
        for agent in panel.agents
        if all(
            len([s for s in panel.usual(size=size) if s.agent == agent]) == 2
            for size in (small, full)
        )
    ]
    conditions = (VOLUNTEER, MIXED)
    sides = [
        interface(panel, agents=both, size=size, conditions=conditions) for size in (small, full)
    ]
    missing = "no agent was run on both interfaces at both sizes"
    return minus(name, sides[0], sides[1], missing, CROSSED)


def _one_size(panel: Panel) -> str:
    told = "the whole catalogue" if panel.is_whole else f"a catalogue of {whole(panel.full)}"
    return f"only {told} was played"


def users(panel: Panel) -> Iterator[Effect]:
    """Each other user minus the rule-based one, averaged over agents, interfaces and conditions."""
    others = dict.fromkeys(s.user for s in panel.settings if s.user != RULE_BASED)
    for user in others:
        terms: list[Term | None] = []
        for ruled, voiced in pairs(panel.settings, "user", RULE_BASED, user):
            terms += [
                contrast(panel, (ruled, c), (voiced, c), "user")
                for c in shared(panel, ruled, voiced)
            ]
        missing = f"no agent was run with the {RULE_BASED} user too"
        yield average(f"User {user} − {RULE_BASED}", terms, missing, USER)
    if not others:
        yield Effect("Other users − rule-based", (), "only the rule-based user was there", USER)


def pairs(
    settings: Sequence[Setting] | Iterator[Setting], factor: str, base: object, candidate: object
) -> Iterator[tuple[Setting, Setting]]:
    """Settings that are alike but for one factor, which is `base` in the first of a pair and
    `candidate` in the second."""
    there = dict.fromkeys(settings)
    for setting in there:
        if getattr(setting, factor) == base:
            other = replace(setting, **{factor: candidate})
            if other in there:
                yield setting, other


def shared(panel: Panel, first: Setting, second: Setting) -> list[str]:
    """The conditions that both settings have."""
    return [c for c in panel[first].conditions if c in panel[second].conditions]


def _families(answers: Answers) -> str:
    return "all families" if answers is Answers.ALL else answers.value
