"""What Inspect finds by the package's entry point: `inspect eval mystery_shopper/tau_rec`."""

from __future__ import annotations

from inspect_ai import Task, task
from inspect_ai.model import Model, get_model

from mystery_shopper.agents.chat import ModelAgent, ToolMode
from mystery_shopper.dialogue import Agent
from mystery_shopper.engine.casting import MODEL
from mystery_shopper.engine.journal import Timing
from mystery_shopper.engine.lasting.client import InspectModel
from mystery_shopper.engine.lasting.run import no_agent
from mystery_shopper.engine.lasting.samples import task_of, task_samples
from mystery_shopper.engine.lasting.stage import Stage, TrialCast
from mystery_shopper.engine.loading import load_shelf, load_tasks
from mystery_shopper.engine.plan import ModelOptions, PlannedTrial
from mystery_shopper.engine.planning import Wishes, make_plan
from mystery_shopper.engine.player import Player
from mystery_shopper.engine.trial import Trial


@task
def tau_rec(
    condition: str | None = None,
    interface: str = "structured",
    prompt: str = "base",
    tool_line: str = "own",
    tasks: str = "all",
    task_set: str | None = None,
    catalog: str | None = None,
    tool_mode: str = "native",
) -> Task:
    """The disclosure suite with Inspect's model as the agent; epochs are trials.

    `condition`: volunteer, mixed or hidden, or several joined by commas; all three if left out.
    The other arguments are those of `mystery-shopper run`.
    """
    plan = make_plan(
        Wishes(
            agent=f"{MODEL}inspect/active",
            task_set=task_set,
            catalog=catalog,
            conditions=tuple(condition.split(",")) if condition else (),
            interface=interface,
            prompt=prompt,
            tool_line=tool_line,
            block=tasks,
            model=ModelOptions(tool_mode=tool_mode),
        )
    )
    found = load_tasks(plan.task_set)
    shelf = load_shelf(plan.source, plan.size)

    def casting(planned: PlannedTrial, seed: int) -> TrialCast:
        del planned
        model: Model = get_model()
        lines: list[InspectModel] = []

        def make(*_: object) -> Agent:
            line = InspectModel(model, plan.model, seed % 2**31)
            lines.append(line)
            return ModelAgent(line, ToolMode(tool_mode))

        return TrialCast(make, {"agent": lines})

    stage = Stage(Player(plan, shelf, found, no_agent), casting, _keep_nothing)
    return task_of("tau_rec", stage, task_samples(plan.tasks, found))


def _keep_nothing(trial: Trial, timing: Timing) -> None:
    """Inspect's own log keeps the trials."""
    del trial, timing
