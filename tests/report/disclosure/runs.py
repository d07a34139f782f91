"""Runs of several agents, interfaces, sizes, users and prompts, made up for these tests."""

from __future__ import annotations

from typing import Any

from mystery_shopper.report.rows import Run, read_run
from mystery_shopper.suites.tau_rec.task import TaskSet

from ..factory import make_plan, make_task_set, make_trials

SET: TaskSet = make_task_set(24)
FULL = SET.catalogue.sizes[-1]
SMALL = 40


def run_of(
    agent: str = "a", interface: str = "structured", size: int = FULL, *, seed: int = 1, **more: Any
) -> Run:
    """A run with random scores over every task of the set, a twentieth of its trials excluded."""
    changes = {"user": "rule-based", "tool_line": "own", "trials": 3, **more}
    name = f"{agent}-{interface}-{size}-{changes['user']}-{changes.get('prompt', 'base')}"
    plan = make_plan(SET, agent=agent, interface=interface, size=size, **changes)
    drawn = sum(map(ord, name)) + seed
    trials = make_trials(SET, plan, drawn, faults=0.05)
    return read_run(name, plan, trials, task_set=SET)


def all_runs() -> list[Run]:
    """Two agents on both interfaces at both sizes, and one with another user and other prompts."""
    runs = [
        run_of(agent, interface, size)
        for agent in ("a", "b")
        for interface in ("structured", "keyword")
        for size in (FULL, SMALL)
    ]
    runs += [run_of(user="module:Other"), run_of(prompt="ask"), run_of(prompt="ask-and-verify")]
    return runs


def share(run: Run, task: str) -> float | None:
    """The share of a task's valid trials that succeed, counted anew; None without one."""
    rows = [row for row in run.rows if row.task == task and row.valid]
    return sum(row.success for row in rows) / len(rows) if rows else None
