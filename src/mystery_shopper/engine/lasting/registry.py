"""What Inspect finds by the package's entry point: `inspect eval mystery_shopper/tau_rec`, and
`mystery_shopper/recbench`. Inspect's model is the agent, and epochs are trials."""

from __future__ import annotations

from click import ClickException
from inspect_ai import Task, task
from inspect_ai.model import Model, get_model

from mystery_shopper.agents.chat import ModelAgent, ToolMode
from mystery_shopper.dialogue import Agent
from mystery_shopper.engine.casting import MODEL
from mystery_shopper.engine.journal import Timing
from mystery_shopper.engine.lasting.calm import make_ready
from mystery_shopper.engine.lasting.client import InspectModel
from mystery_shopper.engine.lasting.exclusions import Exclusions
from mystery_shopper.engine.lasting.run import no_agent
from mystery_shopper.engine.lasting.samples import task_of, task_samples
from mystery_shopper.engine.lasting.stage import Stage, TrialCast
from mystery_shopper.engine.lasting.users import with_users
from mystery_shopper.engine.loading import scene_of
from mystery_shopper.engine.plan import RULE_BASED, ModelOptions, PlannedTrial, UserOptions
from mystery_shopper.engine.planning import COMMAND, Wishes, make_plan
from mystery_shopper.engine.player import Player
from mystery_shopper.engine.trial import Trial
from mystery_shopper.foundation import InputError

AGENT = f"{MODEL}inspect/active"
"""The agent's name in plans: whichever model Inspect was told to use."""

_ARGUMENTS = "Correct the arguments of -T; docs/agents.md lists them."


class Refused(InputError, ClickException):
    """A task that cannot be made. Inspect's command is one of click's, which prints the words of
    such an error alone."""

    def __init__(self, error: InputError) -> None:
        remedy = _ARGUMENTS if error.remedy == COMMAND else error.remedy
        super().__init__(error.problems, where=error.where, remedy=remedy)


@task
def tau_rec(
    condition: str | list[str] | None = None,
    interface: str = "structured",
    prompt: str = "base",
    tool_line: str = "own",
    tasks: str = "all",
    task_set: str | None = None,
    catalog: str | None = None,
    trials: int | None = None,
    seed: int = 0,
    as_paper: bool = False,
    tool_mode: str = "native",
    user: str = RULE_BASED,
    enforce_disclosure: bool = True,
    user_temperature: float | None = None,
    user_max_tokens: int | None = None,
    user_base_url: str | None = None,
    voice_persona: bool = False,
) -> Task:
    """The disclosure suite with Inspect's model as the agent; epochs are trials.

    `condition`: volunteer, mixed or hidden, or several joined by commas; all three if left out.
    `user`: rule-based; model:PROVIDER/NAME; or package.module:Class, a person's own. `trials` is
    the number of epochs where Inspect's --epochs names none. The other arguments are those of
    `mystery-shopper run`. Raises InputError with every argument that cannot be.
    """
    return _task(
        Wishes(
            agent=AGENT,
            task_set=task_set,
            catalog=catalog,
            conditions=_words(condition),
            interface=interface,
            prompt=prompt,
            tool_line=tool_line,
            block=tasks,
            trials=trials,
            seed=seed,
            as_paper=as_paper,
            model=ModelOptions(tool_mode=tool_mode),
            user=user,
            user_options=UserOptions(
                enforce_disclosure, user_temperature, voice_persona, user_max_tokens, user_base_url
            ),
        )
    )


@task
def recbench(
    kind: str | list[str] | None = None,
    interface: str = "tools",
    history: bool = False,
    k: int = 0,
    tasks: str = "all",
    task_set: str | None = None,
    catalog: str | None = None,
    trials: int | None = None,
    seed: int = 0,
    tool_mode: str = "native",
) -> Task:
    """The conditions suite (RecBench+) with Inspect's model as the agent; epochs are trials.

    `kind`: explicit, implicit, misinformed, interest or demographics, or several joined by commas;
    all if left out. `interface`: tools, or bare as in the paper. `history`: the user's history is
    handed over. `k`: so many items are asked for; 0 leaves their number to the model. The rest as
    for `tau_rec`. Raises InputError with every argument that cannot be.
    """
    return _task(
        Wishes(
            agent=AGENT,
            suite="recbench",
            task_set=task_set,
            catalog=catalog,
            conditions=_words(kind),
            interface=interface,
            block=tasks,
            trials=trials,
            seed=seed,
            model=ModelOptions(tool_mode=tool_mode),
            history=history,
            k=k,
        )
    )


def _task(wishes: Wishes) -> Task:
    """The task that plays a plan of these wishes with whatever model Inspect uses."""
    try:
        plan = make_plan(wishes)
        scene = scene_of(plan)
    except InputError as error:
        raise Refused(error) from None
    make_ready(scene)

    def casting(planned: PlannedTrial, seed: int) -> TrialCast:
        del planned
        model: Model = get_model()
        lines: list[InspectModel] = []

        def make(*_: object) -> Agent:
            line = InspectModel(model, plan.model, seed % 2**31)
            lines.append(line)
            return ModelAgent(line, ToolMode(plan.model.tool_mode))

        return TrialCast(make, {"agent": lines})

    stage = Stage(Player(plan, scene, no_agent), with_users(plan, casting), _keep_nothing)
    samples = task_samples(plan.tasks, scene.tasks)
    return task_of(plan.suite, stage, samples, plan.trials, Exclusions())


def _words(given: str | list[str] | None) -> tuple[str, ...]:
    """Inspect's command line makes a list of what holds a comma; Python may hand on the text."""
    return tuple(given.split(",") if isinstance(given, str) else given or ())


def _keep_nothing(trial: Trial, timing: Timing) -> None:
    """Inspect's own log keeps the trials."""
    del trial, timing
