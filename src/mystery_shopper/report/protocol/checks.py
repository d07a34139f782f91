"""The demands of the paper's protocol, each held against one agent's runs.

Source: τ-Rec-Books §7, "Using the benchmark".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from mystery_shopper.dialogue import Ending
from mystery_shopper.engine.plan import RULE_BASED
from mystery_shopper.report.disclosure.settings import Setting, Tried
from mystery_shopper.report.protocol.asked import Asked
from mystery_shopper.report.protocol.records import (
    CAP,
    CONDITIONS,
    INTERFACES,
    PROMPTS,
    TRIALS,
    Check,
    Failing,
    Part,
    Want,
)
from mystery_shopper.report.rows import Run
from mystery_shopper.report.words import DASH, plural, whole
from mystery_shopper.suites.tau_rec.prompts import ToolLine
from mystery_shopper.suites.tau_rec.task import Condition

_SET_REMEDY = "put the task set back to where the run found it, then report again"


def checks(parts: Sequence[Part], asked: Asked, runs: Sequence[Run]) -> Iterator[Check]:
    yield _families(parts, asked)
    size = f"{whole(asked.size)} items" if asked.size is not None else "unknown"
    # Where the size is unknown, the families tell why and what to do.
    yield _fits("the full catalogue", size, parts, lambda s: asked.size in (None, s.size))
    yield _fits("the rule-based user", RULE_BASED, parts, lambda s: s.user == RULE_BASED)
    own = ToolLine.OWN
    yield _fits("the interface's line on search", own.value, parts, lambda s: s.tool_line == own)
    yield _cap(parts)
    yield _trials(parts)
    interfaces = dict.fromkeys(part.setting.interface for part in parts)
    yield Check("one interface or both", ", ".join(interfaces) or DASH, ())
    yield _prompts(parts, runs)
    yield _conditions(parts)
    yield _finished(parts)


def _fresh(part: Part) -> Want:
    """A run of what the paper asks in this place."""
    setting = part.setting
    return Want(
        part.plan, part.runs[0], setting.interface, setting.prompt,
        trials=max(TRIALS, part.plan.trials), seed=part.plan.seed,
    )  # fmt: skip


def _more(part: Part, conditions: tuple[str, ...], tasks: tuple[str, ...], trials: int) -> Want:
    """More trials of tasks that were played: under a seed that no run of the setting had."""
    seed = 1 + max(run.plan.seed for run in part.played.runs)
    return replace(_fresh(part), conditions=conditions, tasks=tasks, trials=trials, seed=seed)


def _families(parts: Sequence[Part], asked: Asked) -> Check:
    demand = "the panel's families"
    if asked.task_set is None:
        names = tuple(name for part in parts for name in part.runs)
        problem = "the task set cannot be read, so the panel and the whole catalogue are unknown"
        return Check(demand, "unknown", (Failing(names, problem, remedy=_SET_REMEDY),))
    panel = asked.task_set.panel
    if not panel:
        names = tuple(name for part in parts for name in part.runs)
        problem = "the task set names no panel"
        remedy = "run on a task set with a panel, such as tau_rec/films@1"
        return Check(demand, "no panel", (Failing(names, problem, remedy=remedy),))
    failings: list[Failing] = []
    least = len(panel) if parts else 0
    for part in parts:
        there = {task.task for task in part.played.tasks}
        lost = {
            c: tuple(t for t in asked.tasks[c] if t not in there) for c in part.played.conditions
        }
        counts = [len(asked.tasks[c]) - len(tasks) for c, tasks in lost.items()]
        least = min([least, *counts])
        if not any(lost.values()):
            continue
        told = ", ".join(f"{c} lacks {len(tasks)}" for c, tasks in lost.items() if tasks)
        problem = f"{part.place}: of {plural(len(panel), 'family', 'families')} {told}"
        failings.append(Failing(part.runs, problem, _lacking(part, asked, lost)))
    return Check(demand, f"{least} of {len(panel)}", tuple(failings))


def _lacking(part: Part, asked: Asked, lost: Mapping[str, tuple[str, ...]]) -> Want:
    """A run of the tasks that were not played at all: whole conditions where none of them was."""
    if part.unfit:
        return _fresh(part)
    conditions = tuple(c for c in CONDITIONS if lost.get(c))
    whole_ones = all(len(lost[c]) == len(asked.tasks[c]) for c in conditions)
    tasks = () if whole_ones else tuple(task for c in conditions for task in lost[c])
    return replace(_fresh(part), conditions=conditions, tasks=tasks)


def _fits(
    demand: str, found: str, parts: Sequence[Part], holds: Callable[[Setting], bool]
) -> Check:
    failings = tuple(
        Failing(part.runs, f"{part.place}: {', '.join(part.unfit)}", _fresh(part))
        for part in parts
        if not holds(part.setting)
    )
    return Check(demand, "otherwise" if failings else found if parts else DASH, failings)


def _cap(parts: Sequence[Part]) -> Check:
    """No trial has more turns, and those that the cap ended have just as many."""
    failings: list[Failing] = []
    longest = 0
    for part in parts:
        scores = [row.score for task in part.played.tasks for row in task.rows]
        longest = max([longest, *(score.turns for score in scores)])
        capped = {score.turns for score in scores if score.ending is Ending.TURN_CAP} - {CAP}
        capped |= {score.turns for score in scores if score.turns > CAP}
        if capped:
            told = " and ".join(map(str, sorted(capped)))
            problem = f"{part.place}: another cap, trials ended at {told} turns"
            failings.append(Failing(part.runs, problem, _fresh(part)))
    found = f"at most {plural(longest, 'turn')}" if parts else DASH
    return Check(f"the {CAP}-turn cap", found, tuple(failings))


def _trials(parts: Sequence[Part]) -> Check:
    failings: list[Failing] = []
    least = min((task.planned for part in parts for task in part.played.tasks), default=0)
    fewest_valid = least
    for part in parts:
        short = [task for task in part.played.tasks if task.planned < TRIALS]
        if short:
            fewest = min(task.planned for task in short)
            problem = f"{part.place}: {plural(fewest, 'trial')} a task"
            want = _again(part, short, TRIALS - fewest)
            failings.append(Failing(part.runs, problem, want))
            continue
        open_ = [
            task
            for task in part.played.tasks
            if len(task.rows) < TRIALS <= len(task.rows) + task.excluded
        ]
        if open_:
            fewest = min(len(task.rows) for task in open_)
            fewest_valid = min(fewest_valid, fewest)
            problem = f"{part.place}: {plural(len(open_), 'task')} with fewer than {TRIALS} valid"
            problem += f" trials, as {sum(task.excluded for task in open_)} were excluded"
            failings.append(Failing(part.runs, problem, _again(part, open_, TRIALS - fewest)))
    valid = f", {fewest_valid} of them valid" if fewest_valid < least else ""
    found = f"at least {least}{valid}" if parts else DASH
    return Check(f"at least {TRIALS} trials a task", found, tuple(failings))


def _again(part: Part, tasks: Sequence[Tried], trials: int) -> Want:
    """More trials of these tasks: of whole conditions where all their tasks are among them."""
    if part.unfit:
        return _fresh(part)
    conditions = tuple(c for c in CONDITIONS if any(task.condition == c for task in tasks))
    complete = sum(task.condition in conditions for task in part.played.tasks) == len(tasks)
    return _more(part, conditions, () if complete else tuple(t.task for t in tasks), trials)


def _prompts(parts: Sequence[Part], runs: Sequence[Run]) -> Check:
    """Every interface that was begun has both prompts."""
    demand = f"the prompts {' and '.join(PROMPTS)}"
    begun = [i for i in INTERFACES if any(run.plan.interface == i for run in runs)]
    failings: list[Failing] = []
    for interface in begun:
        there = {p.setting.prompt: p for p in parts if p.setting.interface == interface}
        base = next((run for run in runs if run.plan.interface == interface), None)
        for prompt in PROMPTS:
            if prompt in there or base is None:
                continue
            like = next(iter(there.values()), None)
            run = like.played.runs[0] if like is not None else base
            want = Want(run.plan, run.name, interface, prompt,
                        trials=max(TRIALS, run.plan.trials), seed=run.plan.seed)  # fmt: skip
            names = tuple(r.name for r in runs if r.plan.interface == interface)
            failings.append(Failing(names, f"{interface}: no run under {prompt}", want))
    played = {i: [p.setting.prompt for p in parts if p.setting.interface == i] for i in begun}
    there = [f"{interface}: {', '.join(names)}" for interface, names in played.items() if names]
    return Check(demand, "; ".join(there) if there else "neither", tuple(failings))


def _conditions(parts: Sequence[Part]) -> Check:
    failings: list[Failing] = []
    shared = [c for c in CONDITIONS if all(c in part.played.conditions for part in parts)]
    for part in parts:
        lost = tuple(c for c in CONDITIONS if c not in part.played.conditions)
        if lost:
            want = _fresh(part) if part.unfit else replace(_fresh(part), conditions=lost)
            problem = f"{part.place}: no {' and no '.join(lost)} tasks"
            failings.append(Failing(part.runs, problem, want))
    found = ", ".join(shared) or "none" if parts else DASH
    return Check("all three conditions", found, tuple(failings))


def _finished(parts: Sequence[Part]) -> Check:
    """Every planned trial was played."""
    failings: list[Failing] = []
    left = 0
    for run in (run for part in parts for run in part.played.runs):
        unplayed = run.plan.count - len(run.rows)
        left += unplayed
        if unplayed:
            problem = f"{unplayed:,} of {plural(run.plan.count, 'trial')} not played"
            failings.append(Failing((run.name,), problem, _going_on(run)))
    return Check("every trial played", "all" if not left else f"{left:,} left", tuple(failings))


def _going_on(run: Run) -> Want:
    """The run's own plan, with its tasks where they are not all of its block's."""
    plan = run.plan
    wanted = [Condition(c) for c in plan.conditions]
    usual = run.task_set.select(plan.block, wanted) if run.task_set is not None else []
    tasks = () if plan.tasks == tuple(task.id for task in usual) else plan.tasks
    return Want(plan, run.name, conditions=plan.conditions, tasks=tasks, goes_on=True)
