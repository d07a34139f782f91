"""The figures that the paper asks of those who report results, from the parts of a protocol.

Source: τ-Rec-Books §7. Success has intervals over families, all on the ground's one draw.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from urllib.parse import urlsplit

from mystery_shopper.engine.bundling.pins import asked_models
from mystery_shopper.engine.casting import INSPECT, is_address
from mystery_shopper.engine.plan import RunPlan
from mystery_shopper.report.cells import MOST_REJECTIONS, Answers, Counts, Estimate
from mystery_shopper.report.clocks import Spent, together
from mystery_shopper.report.disclosure.counting import count
from mystery_shopper.report.disclosure.means import Mean, levels
from mystery_shopper.report.disclosure.settings import HIDDEN, MIXED, VOLUNTEER, Played, Tried
from mystery_shopper.report.figures import Share
from mystery_shopper.report.figures import share as share_of
from mystery_shopper.report.protocol.records import Part, Protocol
from mystery_shopper.report.rows import Row
from mystery_shopper.report.words import DASH, money, plain
from mystery_shopper.report.worst import Tried as Outcome
from mystery_shopper.report.worst import worst
from mystery_shopper.suites.tau_rec.reference import AGENTS
from mystery_shopper.suites.tau_rec.score import Elicited

CELLS = (
    (VOLUNTEER, Answers.SATISFIABLE),
    (MIXED, Answers.SATISFIABLE),
    (HIDDEN, Answers.SATISFIABLE),
    (HIDDEN, Answers.NVR),
)
"""Where success is told: by condition, and of hidden tasks those that nothing fits apart."""
NO_MODEL = "no model"
"""The provider of an agent that is code of ours."""


@dataclass(frozen=True)
class Passed:
    """pass^1 and pass^4 of one cell of a part."""

    condition: str
    answers: Answers
    counts: Counts
    first: Estimate
    fourth: Estimate


@dataclass(frozen=True)
class Elicits:
    """What was elicited, of trials with askable facts, and success given it; `less`: given some or
    none."""

    condition: str
    counts: Counts
    shares: tuple[Share, ...]
    success: tuple[Share, ...]
    less: Share


@dataclass(frozen=True)
class Ends:
    """How the valid trials of a condition end: ending -> trials."""

    condition: str
    answers: Answers
    counts: Counts
    kinds: Counter[str]


@dataclass(frozen=True)
class Found:
    """Every figure of one part. `within[r]`: hidden success with at most r rejections, empty
    without hidden tasks. `spent`: what the agent's models used, None where nothing was metered."""

    part: Part
    passes: tuple[Passed, ...]
    within: tuple[Estimate, ...]
    hidden: Counts
    elicits: tuple[Elicits, ...]
    ends: tuple[Ends, ...]
    spent: Spent | None
    metered: int
    counts: Counts

    @property
    def names(self) -> tuple[str, str, str]:
        """Agent, interface and prompt. A setting that is not what the paper asks is marked."""
        setting = self.part.setting
        unfit = f" ({', '.join(self.part.unfit)})" if self.part.unfit else ""
        return (plain(f"{setting.agent}{unfit}"), setting.interface, setting.prompt)


def find(protocol: Protocol, *, resamples: int = 10_000) -> tuple[Found, ...]:
    """The figures of every part; all intervals of a ground rest on one draw of families."""
    wanted: list[Mean] = []
    for part in protocol.parts:
        wanted += _means(part)
    found = iter([level.estimate for level in levels(protocol.panel, wanted, resamples)])
    return tuple(_found(part, found) for part in protocol.parts)


def _means(part: Part) -> Iterator[Mean]:
    kept = {task.task for task in part.played.tasks}

    def mean(condition: str, answers: Answers, of: Callable[[Tried], float]) -> Mean:
        return Mean((part.setting,), condition, answers, of, lambda task: task.task in kept)

    for condition, answers in _cells(part.played):
        for k in (1, 4):
            yield mean(condition, answers, partial(_passes, k=k))
    if part.played.of(HIDDEN, Answers.SATISFIABLE):
        for r in range(MOST_REJECTIONS + 1):
            yield mean(HIDDEN, Answers.SATISFIABLE, partial(_within, r=r))


def _cells(played: Played) -> list[tuple[str, Answers]]:
    return [cell for cell in CELLS if played.of(*cell)]


def _passes(task: Tried, k: int) -> float:
    return task.passes(k)


def _within(task: Tried, r: int) -> float:
    return task.share(partial(_early, r=r))


def _early(row: Row, r: int) -> bool:
    return row.success and row.score.rejections <= r


def _found(part: Part, estimates: Iterator[Estimate]) -> Found:
    played = part.played
    passes: list[Passed] = []
    for condition, answers in _cells(played):
        tasks = played.of(condition, answers)
        first, fourth = (_bounded(next(estimates), tasks, k) for k in (1, 4))
        passes.append(Passed(condition, answers, count(tasks), first, fourth))
    hidden = played.of(HIDDEN, Answers.SATISFIABLE)
    within = [
        _bounded(next(estimates), hidden, 1, partial(_early, r=r))
        for r in range(MOST_REJECTIONS + 1 if hidden else 0)
    ]
    used = [run.clocks.spent["agent"] for run in played.runs if "agent" in run.clocks.spent]
    spent = None
    if used:
        spent = Spent(together([u.total for u in used]), together([u.valid for u in used]))
    return Found(
        part,
        tuple(passes),
        tuple(within),
        count(hidden),
        tuple(_elicits(played, c) for c in (MIXED, HIDDEN) if played.of(c)),
        tuple(_ends(played)),
        spent,
        sum(run.clocks.metered for run in played.runs),
        count(played.tasks),
    )


def _bounded(
    found: Estimate, tasks: Sequence[Tried], k: int, holds: Callable[[Row], bool] | None = None
) -> Estimate:
    """With its worst case where trials were excluded; an interval needs two families."""
    outcomes = [
        Outcome(
            sum(row.success and (holds is None or holds(row)) for row in task.rows),
            len(task.rows),
            task.excluded,
            max(0, task.planned - len(task.rows) - task.excluded),
        )
        for task in tasks
    ]
    found = replace(found, worst=worst(outcomes, k))
    families = {task.family for task in tasks if len(task.rows) >= k}
    return found if len(families) > 1 else replace(found, low=None, high=None)


def _elicits(played: Played, condition: str) -> Elicits:
    tasks = played.of(condition)
    rows = [row for task in tasks for row in task.rows if row.score.elicited is not None]
    kinds = [[row for row in rows if row.score.elicited is kind] for kind in Elicited]
    less = [row for row in rows if row.score.elicited is not Elicited.ALL]
    return Elicits(
        condition,
        count(tasks),
        tuple(Share(len(kind), len(rows)) for kind in kinds),
        tuple(share_of(kind, _won) for kind in kinds),
        share_of(less, _won),
    )


def _won(row: Row) -> bool:
    return row.success


def _ends(played: Played) -> Iterator[Ends]:
    for condition in played.conditions:
        for answers in (Answers.SATISFIABLE, Answers.NVR):
            tasks = played.of(condition, answers)
            if tasks:
                kinds = Counter(row.score.ending.value for task in tasks for row in task.rows)
                yield Ends(condition, answers, count(tasks), kinds)


def provider(plan: RunPlan) -> tuple[str, str]:
    """(provider, model) of a run's agent, by its plan; what the plan does not tell is unknown."""
    asked = asked_models(plan).get("agent")
    if asked is not None:
        name, _, model = asked.partition("/")
        return plain(name), plain(model) if model else "unknown"
    if plan.agent in AGENTS:
        return NO_MODEL, DASH
    if is_address(plan.agent):
        return plain(urlsplit(plan.agent).hostname or "unknown"), "unknown"
    if plan.agent.startswith(INSPECT):
        return "unknown", "Inspect's default"
    return "unknown", "unknown"


def cost(found: Found) -> tuple[str, str]:
    """Dollars in all and a valid trial: unknown where a price is, a dash where no model is paid."""
    if found.spent is None:
        told = DASH if provider(found.part.plan)[0] == NO_MODEL else "unknown"
        return told, told
    valid = sum(run.clocks.valid for run in found.part.played.runs)
    each = found.spent.valid.cost
    mean = None if each is None or not valid else each / valid
    return money(found.spent.total.cost), money(mean)
