"""`run` through Inspect: what is missing of a plan is played, kept at once, and settled."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence, Set
from dataclasses import replace
from pathlib import Path
from typing import Any

from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog
from inspect_ai.model import Model

from mystery_shopper.dialogue import Limits
from mystery_shopper.engine.bounds import Bounds
from mystery_shopper.engine.journal import Timing
from mystery_shopper.engine.lasting.calm import (
    little_to_collect,
    make_ready,
    quiet_options,
    set_aside,
)
from mystery_shopper.engine.lasting.feeding import Feed
from mystery_shopper.engine.lasting.samples import samples_of, task_of
from mystery_shopper.engine.lasting.scorers import scorers_of
from mystery_shopper.engine.lasting.stage import Casting, Stage
from mystery_shopper.engine.lasting.telling import to_stderr
from mystery_shopper.engine.loading import scene_of
from mystery_shopper.engine.plan import RunPlan
from mystery_shopper.engine.player import Player
from mystery_shopper.engine.store import RunFolder
from mystery_shopper.engine.trial import Trial
from mystery_shopper.foundation import MysteryShopperError, RunStopped

BEHIND = 5.0
"""Seconds after which the loop's own cap on the agent's time follows ours."""
MOST_BUFFERED = 50
"""Inspect holds back a twentieth of a long run's samples, events and all, before it writes them;
we hold back no more than these."""


def run_lasting(
    plan: RunPlan,
    folder: RunFolder,
    casting: Casting,
    *,
    model: Model | None = None,
    bounds: Bounds | None = None,
    limits: Limits | None = None,
    only: Set[str] | None = None,
    progress: Callable[[int], None] = lambda _: None,
    in_flight: Callable[[int], None] = lambda _: None,
    before: Callable[[], str] = lambda: "",
    tell: Callable[[str], None] = to_stderr,
) -> int:
    """Play what is missing of the plan, of `only` these keys where they are given; gives the number
    of trials that ended now. `in_flight` is told how many played at once at most. `before` is asked
    before the first of them: what it gives is why nothing can be played. `tell` hears what a person
    should know.

    A finished run makes no call. Raises InputError where the folder belongs to another run or the
    agent's own description turned out wrong, RunStopped where the run was given up, which is also
    where every trial was lost to the infrastructure, and KeyboardInterrupt where a person stopped
    it. What was finished is kept, and the same call goes on later.
    """
    with folder.writing(plan) as done:
        missing = [planned for planned in plan.planned() if planned.key not in done]
        progress(plan.count - len(missing))
        if only is not None:
            missing = [planned for planned in missing if planned.key in only]
        if missing and (away := before()):
            raise RunStopped(_stopped(f"{away}. Start the server.", len(done), plan))
        played = 0

        def ended(trial: Trial, timing: Timing) -> None:
            nonlocal played
            folder.journal(trial, timing)
            played += 1
            progress(1)

        scene = scene_of(plan)
        caps = limits or Limits()
        seconds = float(plan.limits.seconds or caps.seconds)
        # The loop's own cap stands behind the allowance, which knows why the time was used up.
        player = Player(plan, scene, no_agent, replace(caps, seconds=seconds + BEHIND))
        stage = Stage(player, casting, ended, seconds=seconds, tell=tell)
        if missing:
            feed = Feed(samples_of(missing, scene.tasks), ready=set_aside)
            # The report has the rest: here it would be walked by every garbage collection.
            task = task_of(plan.suite, stage, feed, scorers=scorers_of(plan.suite)[:1])
            make_ready(scene)
            place = folder.path / "logs"
            with little_to_collect():
                logs = _evaluate(task, place, model, bounds or Bounds(), len(missing))
            feed.name_all(place)
            if played < len(missing) and _was_stopped(logs):
                raise KeyboardInterrupt
            failed = _why_failed(logs)
            if failed and not stage.down and stage.over < len(missing):
                stage.down = failed
            stage.close()
        folder.settle(plan)
    if stage.problem is not None:
        raise stage.problem
    if stage.down:
        raise RunStopped(_stopped(stage.down, len(done) + played, plan))
    in_flight(stage.most)
    return played


def _stopped(reason: str, done: int, plan: RunPlan) -> str:
    return (
        f"The run stopped: {reason}\n{done} of {plan.count} trials are done. "
        "The same command goes on."
    )


def _evaluate(
    task: Any, logs: Path, model: Model | None, bounds: Bounds, samples: int
) -> list[EvalLog]:
    """Gives the log of what was played."""
    logging.getLogger("inspect_ai").setLevel(logging.ERROR)
    return inspect_eval(
        task,
        model=model,
        display="none",
        log_dir=str(logs),
        log_format="eval",
        max_samples=bounds.max_samples,
        max_connections=bounds.max_connections,
        fail_on_error=False,
        retry_on_error=0,
        score_display=False,
        log_buffer=buffered(samples),
        **quiet_options(),
    )


def _was_stopped(logs: Sequence[EvalLog]) -> bool:
    """Whether a person stopped it: Inspect takes the signal for itself, and then gives no log, or
    tells of it by the log's status alone."""
    return not logs or any(log.status == "cancelled" for log in logs)


def _why_failed(logs: Sequence[EvalLog]) -> str:
    """Why Inspect itself failed, empty where it did not: it may have failed at no more than its
    log."""
    broken = next((log for log in logs if log.status == "error"), None)
    if broken is None:
        return ""
    return f"Inspect failed: {broken.error.message if broken.error else 'it gave no reason'}"


def buffered(samples: int) -> int | None:
    """How many ended samples Inspect holds back before it writes them; None leaves it to Inspect,
    which holds back ten or fewer of a run of less than a thousand."""
    return None if samples < 1_000 else min(MOST_BUFFERED, samples // 50)


def no_agent(*_: object) -> Any:
    """The factory of a player whose trials each bring their own agent."""
    raise MysteryShopperError("every trial of a lasting run brings its own agent")
