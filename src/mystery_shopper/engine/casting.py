"""From an agent's name to the agents of trials: a shipped one, or a person's own factory."""

from __future__ import annotations

import inspect
import os
import sys
import traceback
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from mystery_shopper.agents.addresses import address_problem
from mystery_shopper.agents.deployed import is_agent_file, load_deployed
from mystery_shopper.dialogue import Act, Agent, View
from mystery_shopper.engine.fence import checked
from mystery_shopper.engine.suites import Maker, Scene, suite_of
from mystery_shopper.foundation import InputError

HUMAN = "human"
MODEL = "model:"
INSPECT = "inspect:"
REMEDY = (
    "Use package.module:factory, your own; model:PROVIDER/NAME; http://…; agent.yaml; or "
    "inspect:package.module:agent."
)


def remedy_of(suite: str) -> str:
    """Which agents there are for a suite."""
    own, rest = ", ".join(suite_of(suite).agents), REMEDY.removeprefix("Use ")
    return f"Use one of: {own}; {rest}"


def agent_problems(name: str, suite: str = "tau_rec") -> list[str]:
    """Why there is no such agent, with those there are; empty if there is."""
    if is_deployed(name):
        try:
            load_deployed(name, os.environ, decides=suite_of(suite).decides)
        except InputError as error:
            return [f"--agent {error.where}: {problem}" for problem in error.problems]
        return []
    if is_address(name) and (problem := address_problem(name)):
        return [f"--agent: the address {problem}"]
    if is_inspects(name) and find_spec("inspect_ai") is not None:
        make: Callable[[], object] = partial(inspects_factory, name)
    elif talks(name):
        return []
    else:
        make = partial(cast, name, suite)
    try:
        make()
    except InputError as error:
        return [f"--agent {name!r} is unknown: {error.problems[0]}. {error.remedy}"]
    return []


def agent_remedy(name: str, suite: str) -> str:
    """What to do about the problems of a deployed agent's file; empty where it has none."""
    if is_deployed(name):
        try:
            load_deployed(name, os.environ, decides=suite_of(suite).decides)
        except InputError as error:
            return error.remedy or ""
    return ""


def talks(name: str) -> bool:
    """Whether an agent of this name talks to somebody, so that it plays through the lasting
    engine."""
    return name.startswith((MODEL, INSPECT)) or is_address(name) or is_deployed(name)


def is_inspects(name: str) -> bool:
    """Whether the agent is one of Inspect AI's."""
    return name.startswith(INSPECT)


def inspects_parts(name: str) -> tuple[str, str, str]:
    """Module, attribute and model of `inspect:package.module:agent` or, where the agent is to ask a
    model as its default, `inspect:package.module:agent:PROVIDER/NAME`; no model is empty."""
    module, _, rest = name.removeprefix(INSPECT).partition(":")
    attribute, _, model = rest.partition(":")
    return module, attribute, model


def inspects_factory(name: str) -> Callable[..., Any]:
    """A person's function that takes `tools` and gives an Inspect agent. Raises InputError where
    there is none."""
    module, attribute, _ = inspects_parts(name)
    found = own_object(module, attribute, "--agent", REMEDY)
    try:
        inspect.signature(found).bind(tools=[])
    except (TypeError, ValueError):
        raise InputError(
            f"{module}:{attribute} does not take 'tools' alone",
            where="--agent",
            remedy="Write it as @agent def my_agent(tools): …, where tools are Inspect's.",
        ) from None
    return found


def is_address(name: str) -> bool:
    """Whether the agent is a server's address."""
    return name.startswith(("http://", "https://"))


def is_deployed(name: str) -> bool:
    """Whether the agent is one that a YAML file describes."""
    try:
        return is_agent_file(name) and Path(name).is_file()
    except (OSError, ValueError):  # No file can have such a name.
        return False


def is_shipped(name: str, suite: str) -> bool:
    """Whether the agent is one of the suite's own."""
    return name in suite_of(suite).agents


def cast(name: str, suite: str = "tau_rec") -> Maker:
    """What makes agents of a shipped agent's name or of `package.module:factory`, whose modules may
    lie in the current folder. A person's factory takes nothing and gives one fresh agent a trial,
    at once or awaited; a class will do. Raises InputError where there is none."""
    if is_shipped(name, suite):
        return lambda scene, task: scene.shipped(name, task)
    if name == HUMAN:
        raise InputError(
            "'human' does not play by itself",
            where="--agent",
            remedy="Be the agent yourself: mystery-shopper play.",
        )
    if is_agent_file(name):
        raise InputError(
            "there is no such file",
            where="--agent",
            remedy="Name the YAML file that describes a deployed agent.",
        )
    module, colon, attribute = name.partition(":")
    if not colon:
        remedy = f"{_meant(name)}{remedy_of(suite)}"
        raise InputError("there is no shipped agent of this name", where="--agent", remedy=remedy)
    if attribute.partition("/")[0].isdigit():
        raise InputError(
            "that is an address without its scheme",
            where="--agent",
            remedy=f"Write http://{name}.",
        )
    own = _own_factory(module, attribute)

    def make(_: Scene, __: str) -> Agent:
        made = own()
        return _Coming(made) if inspect.isawaitable(made) else made

    return make


def _meant(name: str) -> str:
    """What somebody may have meant who wrote a file's name, a dot for the colon, or an address
    without its scheme; empty where nothing comes to mind."""
    stem, dot, last = name.rpartition(".")
    if dot and last == "py":
        return f"For a class in {name} write {Path(stem).name}:TheClass. "
    if dot and stem and last.isidentifier():
        return f"For {last} of the module {stem} write {stem}:{last}. "
    return ""


@dataclass
class _Coming:
    """An agent that is still to be awaited, in its trial."""

    made: Awaitable[Agent]
    agent: Agent | None = None

    async def act(self, view: View) -> Act:
        """The agent's act, once it is there."""
        if self.agent is None:
            self.agent = await self.made
        act = self.agent.act(view)
        return checked(await act if inspect.isawaitable(act) else act, self.agent)


def _own_factory(module: str, attribute: str) -> Callable[[], Agent | Awaitable[Agent]]:
    return own_object(module, attribute, "--agent", REMEDY)


def own_object(module: str, attribute: str, where: str, remedy: str) -> Callable[..., Any]:
    """What a person calls by `module:attribute`; the module may lie in the current folder. Raises
    InputError, told as of `where`, where there is none or it cannot be called."""
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        found: Callable[..., Any] = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError, TypeError) as error:
        raise InputError(
            f"{module}:{attribute} cannot be loaded ({error})", where=where, remedy=remedy
        ) from None
    except (Exception, SystemExit) as error:  # Whatever a person's module does while it is loaded.
        at = traceback.extract_tb(error.__traceback__)[-1]
        place = "" if isinstance(error, SyntaxError) else f", {Path(at.filename).name}:{at.lineno}"
        raise InputError(
            f"{module}:{attribute} cannot be loaded ({type(error).__name__}: {error}{place})",
            where=where,
            remedy=remedy,
        ) from None
    if not callable(found):
        raise InputError(
            f"{module}:{attribute} is no factory: it cannot be called",
            where=where,
            remedy=remedy,
        )
    return found
