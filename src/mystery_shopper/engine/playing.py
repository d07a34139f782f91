"""A person plays one task: the same plan, loop and record as any other run."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import msgspec

from mystery_shopper.agents import HumanAgent, Terminal
from mystery_shopper.dialogue import Agent
from mystery_shopper.engine.loading import load_book, scene_of
from mystery_shopper.engine.plan import RunPlan
from mystery_shopper.engine.player import Player
from mystery_shopper.engine.store import RunFolder
from mystery_shopper.engine.suites import Scene
from mystery_shopper.engine.trial import Trial
from mystery_shopper.foundation import InputError, random_source


def draw_task(plan: RunPlan) -> RunPlan:
    """The plan with one of its tasks, drawn by its seed."""
    task = random_source(plan.seed, "play").choice(plan.tasks)
    condition = load_book(plan.suite, plan.task_set).labels(task).condition
    return msgspec.structs.replace(plan, tasks=(task,), conditions=(condition,))


def play_by_hand(plan: RunPlan, terminal: Terminal, out: Path | None = None) -> Trial:
    """Play the plan's first task in the terminal; keep the trial in a folder if one is named."""
    folder = RunFolder(out) if out is not None else None
    with ExitStack() as held:
        # Held while they play, so that a list can tell one who has given up.
        if folder is not None and held.enter_context(folder.writing(plan)):
            raise InputError(
                "the folder already holds this trial",
                where=str(out),
                remedy="Choose another --out, or another --seed.",
            )

        def person(_: Scene, __: str) -> Agent:
            return HumanAgent(terminal)

        player = Player(plan, scene_of(plan), person, attempts=1)
        trial, timing = player.play(next(plan.planned()))
        if folder is not None:
            folder.append([trial], [timing])
    return trial
