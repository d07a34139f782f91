"""`run` through Inspect: what is missing of a plan is played, kept at once, and settled."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

from inspect_ai import eval as inspect_eval
from inspect_ai.model import Model

from mystery_shopper.dialogue import Limits
from mystery_shopper.engine.bounds import Bounds
from mystery_shopper.engine.journal import Timing
from mystery_shopper.engine.lasting.samples import samples_of, task_of
from mystery_shopper.engine.lasting.stage import Casting, Stage
from mystery_shopper.engine.loading import load_shelf, load_tasks
from mystery_shopper.engine.plan import RunPlan
from mystery_shopper.engine.player import Player
from mystery_shopper.engine.store import RunFolder
from mystery_shopper.engine.trial import Trial
from mystery_shopper.foundation import MysteryShopperError, RunStopped


def run_lasting(
    plan: RunPlan,
    folder: RunFolder,
    casting: Casting,
    *,
    model: Model | None = None,
    bounds: Bounds | None = None,
    limits: Limits | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> int:
    """Play what is missing of the plan; gives the number of trials that ended now.

    A finished run makes no call. Raises InputError where the folder belongs to another run or the
    agent's own description turned out wrong, and RunStopped where the run was given up; the same
    call then goes on later.
    """
    with folder.writing(plan) as done:
        missing = [planned for planned in plan.planned() if planned.key not in done]
        progress(plan.count - len(missing))
        played = 0

        def ended(trial: Trial, timing: Timing) -> None:
            nonlocal played
            folder.journal(trial, timing)
            played += 1
            progress(1)

        tasks = load_tasks(plan.task_set)
        shelf = load_shelf(plan.source, plan.size)
        stage = Stage(Player(plan, shelf, tasks, no_agent, limits or Limits()), casting, ended)
        if missing:
            task = task_of(plan.suite, stage, samples_of(missing, tasks))
            _evaluate(task, folder.path / "logs", model, bounds or Bounds())
            stage.close()
        folder.settle(plan)
    if stage.problem is not None:
        raise stage.problem
    if stage.down:
        left = len(missing) - played
        raise RunStopped(
            f"The run stopped: {stage.down}\n{plan.count - left} of {plan.count} trials are done. "
            "The same command goes on."
        )
    return played


def _evaluate(task: Any, logs: Path, model: Model | None, bounds: Bounds) -> None:
    logging.getLogger("inspect_ai").setLevel(logging.ERROR)
    inspect_eval(
        task,
        model=model,
        display="none",
        log_dir=str(logs),
        log_format="eval",
        max_samples=bounds.max_samples,
        max_connections=bounds.max_connections,
        time_limit=bounds.time_limit,
        token_limit=bounds.token_limit,
        cost_limit=bounds.cost_limit,
        fail_on_error=False,
        retry_on_error=0,
        score_display=False,
    )


def no_agent(*_: object) -> Any:
    """The factory of a player whose trials each bring their own agent."""
    raise MysteryShopperError("every trial of a lasting run brings its own agent")
