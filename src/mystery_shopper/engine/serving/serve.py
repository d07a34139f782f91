"""`serve-mcp`: the plan of one task, its server, and the folder that keeps its trial."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import msgspec

from mystery_shopper.engine.casting import HUMAN
from mystery_shopper.engine.journal import Timing
from mystery_shopper.engine.lasting.needs import mcp
from mystery_shopper.engine.loading import load_shelf, load_tasks
from mystery_shopper.engine.plan import RunPlan
from mystery_shopper.engine.planning import Wishes, make_plan
from mystery_shopper.engine.playing import draw_task
from mystery_shopper.engine.serving.table import Table
from mystery_shopper.engine.store import RunFolder
from mystery_shopper.engine.trial import Trial
from mystery_shopper.foundation import InputError

AGENT = "mcp"
"""The agent's name in plans and trials: whoever is at the other end."""


def plan_served(wishes: Wishes) -> RunPlan:
    """The plan of the one task that the wishes name, with an MCP client as its agent. Raises
    InputError as `make_plan` does."""
    # Like a person, the client is no agent that the engine could make.
    plan = draw_task(make_plan(replace(wishes, agent=HUMAN, trials=1)))
    return msgspec.structs.replace(plan, agent=AGENT)


def serve_task(plan: RunPlan, out: Path | None = None) -> Trial | None:
    """Serve the plan's task to one client on stdin and stdout; gives the trial, None where the
    client left without an act.

    The trial is written to the folder as soon as it has ended, or when the client leaves. Raises
    InputError where the folder holds another run or this trial already, or the extra is missing.
    """
    mcp("serve-mcp")
    from mystery_shopper.engine.serving.server import run_stdio

    with ExitStack() as held:
        folder = RunFolder(out) if out is not None else None
        if folder is not None and held.enter_context(folder.writing(plan)):
            raise InputError(
                "the folder already holds this trial",
                where=str(out),
                remedy="Choose another --out, or another --seed.",
            )

        def keep(trial: Trial, timing: Timing) -> None:
            if folder is not None:
                folder.append([trial], [timing])

        table = Table(plan, load_shelf(plan.source, plan.size), load_tasks(plan.task_set), keep)
        table.open()
        run_stdio(table, table.leave)
        return table.leave()
