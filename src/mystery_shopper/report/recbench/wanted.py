"""What an observation needs that the runs lack, and the command that would play it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mystery_shopper.engine.plan import RunPlan
from mystery_shopper.foundation import slug
from mystery_shopper.report.recbench.asking import NEEDS_AGENTS, NEEDS_HISTORY, NEEDS_SET
from mystery_shopper.report.recbench.claims import Claim
from mystery_shopper.report.recbench.grounds import Ground
from mystery_shopper.report.words import plain
from mystery_shopper.suites.recbench.query import Kind

_SHIPPED = ("films", "recbench/films@1")
_EVERY = "all"


@dataclass(frozen=True, slots=True)
class Wanted:
    """Why nothing can be told, and what to run: empty where no run would mend it."""

    why: str
    command: str

    def __str__(self) -> str:
        return f"{self.why}: {self.command}" if self.command else self.why


def wanted(ground: Ground, claims: Sequence[Claim]) -> Wanted | None:
    """What is wanting where none of the claims could be computed; else None."""
    if any(one.difference is not None for one in claims):
        return None
    whys = list(dict.fromkeys(one.why for one in claims if one.why))
    why = whys[0] if whys else "nothing was asked"
    more = " and more" if len(whys) > 1 else ""
    return Wanted(f"{why}{more}", _command(ground.members[0].plan, why))


def _command(plan: RunPlan, why: str) -> str:
    agent, history, block = plan.agent, plan.history, plan.block
    if why == NEEDS_AGENTS:
        agent = "graph" if plan.agent != "graph" else "popularity"
    elif why == NEEDS_HISTORY:
        history = not history
    elif why != NEEDS_SET and (block != _EVERY or len(plan.conditions) < len(Kind)):
        block = _EVERY
    else:
        return ""
    words = [*_words(plan, agent), *(["--tasks", block] if block != _EVERY else [])]
    words += ["--history"] if history else []
    if block == plan.block and len(plan.conditions) < len(Kind):
        words += [word for kind in plan.conditions for word in ("--condition", kind)]
    words += ["--out", f"runs/{slug(agent)}{'-history' if history else ''}-more"]
    return plain(shlex.join(["mystery-shopper", "run", "recbench", *words]), 400)


def _words(plan: RunPlan, agent: str) -> Iterator[str]:
    yield from ("--agent", agent)
    if (plan.source, plan.task_set) != _SHIPPED:
        yield from ("--catalog", plan.source, "--task-set", plan.task_set)
    if plan.interface != "tools":
        yield from ("--interface", plan.interface)
    if plan.k:
        yield from ("--k", str(plan.k))
    if plan.trials > 1:
        yield from ("--trials", str(plan.trials))
