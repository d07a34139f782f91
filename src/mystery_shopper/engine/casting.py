"""From an agent's name to the agents of trials: a shipped one, or a person's own factory."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from mystery_shopper.agents.deployed import is_agent_file, load_deployed
from mystery_shopper.dialogue import Agent
from mystery_shopper.foundation import InputError
from mystery_shopper.suites.tau_rec.reference import AGENTS, AgentFactory
from mystery_shopper.suites.tau_rec.shelf import Interface, Shelf
from mystery_shopper.suites.tau_rec.task import Task

HUMAN = "human"
MODEL = "model:"
REMEDY = (
    f"Use one of: {', '.join(AGENTS)}; package.module:factory, your own; model:PROVIDER/NAME; "
    "http://…; or agent.yaml."
)


def agent_problems(name: str) -> list[str]:
    """Why there is no such agent, with those there are; empty if there is."""
    if is_deployed(name):
        try:
            load_deployed(name, os.environ)
        except InputError as error:
            return [f"--agent {error.where}: {problem}" for problem in error.problems]
        return []
    if talks(name):
        return []
    try:
        cast(name)
    except InputError as error:
        return [f"--agent {name!r} is unknown: {error.problems[0]}. {error.remedy}"]
    return []


def talks(name: str) -> bool:
    """Whether an agent of this name talks to somebody, so that it plays through the lasting
    engine."""
    return name.startswith(MODEL) or is_address(name) or is_deployed(name)


def is_address(name: str) -> bool:
    """Whether the agent is a server's address."""
    return name.startswith(("http://", "https://"))


def is_deployed(name: str) -> bool:
    """Whether the agent is one that a YAML file describes."""
    try:
        return is_agent_file(name) and Path(name).is_file()
    except (OSError, ValueError):  # No file can have such a name.
        return False


def cast(name: str) -> AgentFactory:
    """The factory of a shipped agent's name or of `package.module:factory`, whose modules may lie
    in the current folder. A person's factory takes nothing and gives one fresh agent a trial; a
    class will do. Raises InputError where there is none."""
    if name in AGENTS:
        return AGENTS[name]
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
        raise InputError("there is no shipped agent of this name", where="--agent", remedy=REMEDY)
    own = _own_factory(module, attribute)

    def make(_: Task, __: Shelf, ___: Interface) -> Agent:
        return own()

    return make


def _own_factory(module: str, attribute: str) -> Callable[[], Agent]:
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
    if not callable(found):
        raise InputError(
            f"{module}:{attribute} is no factory: it cannot be called",
            where=where,
            remedy=remedy,
        )
    return found
