"""From a run's plan to who plays its trials through Inspect."""

from __future__ import annotations

from typing import Any

from inspect_ai.model import Model, get_model

from mystery_shopper.agents.chat import ModelAgent, ToolMode
from mystery_shopper.agents.http import HttpAgent, Line, Patience
from mystery_shopper.dialogue import Agent
from mystery_shopper.engine.casting import MODEL, cast, is_address
from mystery_shopper.engine.lasting.client import InspectModel
from mystery_shopper.engine.lasting.http import HttpxTransport
from mystery_shopper.engine.lasting.stage import Casting, TrialCast
from mystery_shopper.engine.plan import PlannedTrial, RunPlan
from mystery_shopper.foundation import InputError

PATIENCE = Patience()


def open_model(plan: RunPlan) -> Model | None:
    """The agent's model; None where the agent is none. Raises InputError with what Inspect says of
    a provider that is unknown or lacks its package or key."""
    if not plan.agent.startswith(MODEL):
        return None
    name = plan.agent.removeprefix(MODEL)
    more: dict[str, Any] = {"base_url": plan.model.base_url} if plan.model.base_url else {}
    try:
        return get_model(name, memoize=False, **more)
    except Exception as error:
        raise InputError(
            f"the model cannot be opened: {error}",
            where=f"--agent {plan.agent}",
            remedy="Write it as model:PROVIDER/NAME, install the provider's package and set its "
            "key, as Inspect AI's documentation of the provider says.",
        ) from None


def casting_of(plan: RunPlan, model: Model | None) -> Casting:
    """Who plays each trial of a plan."""
    if is_address(plan.agent):
        return _over_http(plan)
    if model is None:
        factory = cast(plan.agent)

        def same(planned: PlannedTrial, seed: int) -> TrialCast:
            del planned, seed
            return TrialCast(factory)

        return same

    def play(planned: PlannedTrial, seed: int) -> TrialCast:
        del planned
        lines: list[InspectModel] = []

        def make(*_: object) -> Agent:
            line = InspectModel(model, plan.model, seed % 2**31)
            lines.append(line)
            return ModelAgent(line, ToolMode(plan.model.tool_mode))

        return TrialCast(make, {"agent": lines})

    return play


def _over_http(plan: RunPlan) -> Casting:
    """Trials with a server; each bears a name of its own, so that servers may keep them apart."""
    transport = HttpxTransport()

    def play(planned: PlannedTrial, seed: int) -> TrialCast:
        lines: list[Line] = []

        def make(*_: object) -> Agent:
            line = Line(transport, PATIENCE)
            lines.append(line)
            return HttpAgent(line, plan.agent, f"{planned.key}-{seed:x}-{len(lines)}")

        return TrialCast(make, lines=lines)

    return play
