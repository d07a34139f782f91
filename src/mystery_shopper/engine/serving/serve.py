"""`serve-mcp`: the plan of one task, its server, and the folder that keeps its trial."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from itertools import count
from pathlib import Path

import msgspec

from mystery_shopper.engine.casting import HUMAN
from mystery_shopper.engine.journal import Timing
from mystery_shopper.engine.lasting.needs import mcp
from mystery_shopper.engine.loading import scene_of
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


def serve_task(
    plan: RunPlan, out: Path | None = None, kept: Callable[[Path], None] = lambda _: None
) -> Trial | None:
    """Serve the plan's task to one client on stdin and stdout; gives the trial, None where the
    client left without an act.

    The trial is written as soon as it has ended, or when the client leaves: to the folder, or,
    since a client starts its servers again and again, to the next of OUT-2, OUT-3, … that is free;
    `kept` is told which before the client is served. A folder that got no trial is taken away
    again. Raises InputError where the folder holds another run, or the extra is missing.
    """
    mcp("serve-mcp")
    from mystery_shopper.engine.serving.server import run_stdio

    with ExitStack() as held:
        folder = _free(plan, out, held) if out is not None else None
        if folder is not None:
            kept(folder.path)

        def keep(trial: Trial, timing: Timing) -> None:
            if folder is not None:
                folder.append([trial], [timing])

        table = Table(plan, scene_of(plan), keep)
        table.open()

        def left() -> None:
            try:
                table.leave()
            finally:
                held.close()

        run_stdio(table, left)
        return table.leave()


def _free(plan: RunPlan, out: Path, held: ExitStack) -> RunFolder:
    """The first folder of OUT, OUT-2, OUT-3, … that does not hold the trial, held until the stack
    unwinds. One that another process is writing to, or that is another run's, is passed over; that
    OUT itself is another run's is a mistake."""
    for number in count(1):
        folder = RunFolder(out if number == 1 else out.with_name(f"{out.name}-{number}"))
        there = folder.run_file.exists()
        if number == 1 and there and folder.plan() != plan:
            folder.begin(plan)  # Raises, with what differs.
        with ExitStack() as trying:
            try:
                done = trying.enter_context(folder.writing(plan, undo=True))
            except InputError:
                if number == 1 and not there:
                    raise
                continue
            if not done:
                held.enter_context(trying.pop_all())
                return folder
    raise AssertionError("there is no last number")
