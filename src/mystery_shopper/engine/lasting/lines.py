"""From a run's plan to who plays its trials through Inspect."""

from __future__ import annotations

import os

from inspect_ai.model import Model

from mystery_shopper.agents.chat import ModelAgent, ToolMode
from mystery_shopper.agents.deployed import DeployedAgent, Session, Setup, load_deployed
from mystery_shopper.agents.http import Door, HttpAgent, Line, Patience
from mystery_shopper.dialogue import Agent
from mystery_shopper.engine.casting import (
    MODEL,
    cast,
    inspects_factory,
    inspects_parts,
    is_address,
    is_deployed,
    is_inspects,
)
from mystery_shopper.engine.lasting.client import InspectModel
from mystery_shopper.engine.lasting.http import HttpxTransport
from mystery_shopper.engine.lasting.inspected import InspectAgent
from mystery_shopper.engine.lasting.providers import open_named
from mystery_shopper.engine.lasting.stage import Casting, TrialCast
from mystery_shopper.engine.lasting.users import with_users
from mystery_shopper.engine.plan import PlannedTrial, RunPlan
from mystery_shopper.engine.suites import Scene, suite_of
from mystery_shopper.foundation import digest_bytes

PATIENCE = Patience()


def open_model(plan: RunPlan) -> Model | None:
    """The model that the agent is, or that an Inspect agent asks; None where there is none. Raises
    InputError with what Inspect says of a provider that is unknown or lacks its package or key."""
    if is_inspects(plan.agent):
        _, _, name = inspects_parts(plan.agent)
    else:
        name = plan.agent.removeprefix(MODEL) if plan.agent.startswith(MODEL) else ""
    return open_named(name, plan.model.base_url, f"--agent {plan.agent}") if name else None


def casting_of(plan: RunPlan, model: Model | None) -> Casting:
    """Who plays each trial of a plan, the user included."""
    return with_users(plan, _agents_of(plan, model))


def _agents_of(plan: RunPlan, model: Model | None) -> Casting:
    if is_address(plan.agent):
        return _over_http(plan)
    if is_deployed(plan.agent):
        return _deployed(plan)
    if is_inspects(plan.agent):
        return _inspects(plan)
    if model is None:
        factory = cast(plan.agent, plan.suite)

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


def _inspects(plan: RunPlan) -> Casting:
    """Trials with an Inspect agent, a fresh one each."""
    factory = inspects_factory(plan.agent)

    def play(planned: PlannedTrial, seed: int) -> TrialCast:
        del planned, seed
        agents: list[InspectAgent] = []

        def make(*_: object) -> Agent:
            agents.append(InspectAgent(factory))
            return agents[-1]

        async def after() -> None:
            for agent in agents:
                await agent.close()

        return TrialCast(make, {"agent": agents}, after=after)

    return play


def _over_http(plan: RunPlan) -> Casting:
    """Trials with a server; each bears a name of its own, so that servers may keep them apart. One
    that refuses the run's first request ends the run."""
    transport, door = HttpxTransport(), Door(f"--agent {plan.agent}")

    def play(planned: PlannedTrial, seed: int) -> TrialCast:
        lines: list[Line] = []

        def make(*_: object) -> Agent:
            line = Line(transport, PATIENCE)
            lines.append(line)
            return HttpAgent(line, plan.agent, trial_name(planned, seed, len(lines)), door=door)

        async def after() -> None:
            if door.problem is not None:
                raise door.problem

        return TrialCast(make, lines=lines, after=after)

    return play


def _deployed(plan: RunPlan) -> Casting:
    """Trials with a deployed agent, each in a session of its own. Raises InputError for a file that
    cannot be used; one that does not fit its server ends the run after the first answer."""
    decides = suite_of(plan.suite).decides
    deployed = load_deployed(plan.agent, os.environ, decides=decides)
    transport, setup = HttpxTransport(), Setup(plan.agent)

    def play(planned: PlannedTrial, seed: int) -> TrialCast:
        lines: list[Line] = []
        sessions: list[Session] = []

        def make(scene: Scene, task: str) -> Agent:
            setup.check_ids(deployed.ids, scene.catalogue.find)
            theirs = map(deployed.ids.theirs, scene.history(task))
            line = Line(transport, deployed.patience)
            lines.append(line)
            session = Session(
                deployed,
                setup,
                line,
                trial_name(planned, seed, len(lines)),
                tuple(known for known in theirs if known is not None),
            )
            sessions.append(session)
            return DeployedAgent(session)

        async def after() -> None:
            for session in sessions:
                await session.close()
            if setup.problem is not None:
                raise setup.problem

        return TrialCast(make, lines=lines, after=after, notice=setup.notice)

    return play


def trial_name(planned: PlannedTrial, seed: int, times: int) -> str:
    """What a trial is called where its agent sees it; a task's own name tells too much."""
    return f"{digest_bytes(f'{planned.key}-{seed:x}'.encode())[:16]}-{times}"
