"""What an agent's code may throw, kept within its trial.

An exception ends the trial by its kind. What is no `Exception` would end the whole process: a
`SystemExit`, or a `CancelledError` that nobody asked for. It becomes the agent's fault too. Only a
person's Ctrl-C, and a cancelling from outside, go through.
"""

from __future__ import annotations

import asyncio
import inspect
import sys
from collections.abc import Awaitable
from dataclasses import dataclass
from pathlib import Path

from mystery_shopper.dialogue import Act, Agent, View
from mystery_shopper.dialogue.stage import check_act
from mystery_shopper.foundation import AgentFault


@dataclass(frozen=True)
class Fenced:
    """An agent that answers at once."""

    agent: Agent

    def act(self, view: View) -> Act | Awaitable[Act]:
        """The agent's act."""
        try:
            act = self.agent.act(view)
            return act if inspect.isawaitable(act) else checked(act, self.agent)
        except Exception:
            raise
        except BaseException as error:
            raise fault_of(error) from error


@dataclass(frozen=True)
class FencedAsync:
    """An agent that may be asynchronous."""

    agent: Agent

    async def act(self, view: View) -> Act:
        """The agent's act, awaited where it has to be."""
        try:
            act = self.agent.act(view)
            return checked(await act if inspect.isawaitable(act) else act, self.agent)
        except Exception:
            raise
        except BaseException as error:
            raise fault_of(error) from error


def checked(act: Act, agent: Agent) -> Act:
    """The act. Raises TypeError, with the agent's class and the name of its file, where it is
    none."""
    try:
        check_act(act)
    except AgentFault as error:
        kind = type(agent)
        file = getattr(sys.modules.get(kind.__module__), "__file__", None)
        where = f" of {Path(file).name}" if file else ""
        raise TypeError(f"{error} ({kind.__qualname__}{where})") from None
    return act


def fault_of(error: BaseException) -> AgentFault:
    """What ended an act, or the making of an agent, by no `Exception`, as the agent's fault. Raises
    the error itself where it came from outside."""
    if isinstance(error, KeyboardInterrupt | GeneratorExit) or _from_outside(error):
        raise error
    return AgentFault(f"{type(error).__name__}: {error}")


def _from_outside(error: BaseException) -> bool:
    if isinstance(error, BaseExceptionGroup):
        return error.subgroup(KeyboardInterrupt) is not None
    if not isinstance(error, asyncio.CancelledError):
        return False
    try:
        task = asyncio.current_task()
    except RuntimeError:  # No loop runs here, so nobody cancels.
        return False
    return task is not None and task.cancelling() > 0
