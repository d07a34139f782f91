"""What the agent may take in one play of a trial, held to while it plays.

The limits are of the agent alone: a slow or wordy user does not shorten its trial. Reaching one is
how the trial ends, and is archived as that. Inspect's own limits of a sample are not used, since
they cancel it from outside, and a cancelled trial would be played again by every resume.
"""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from contextvars import Context
from dataclasses import dataclass

from inspect_ai.event import Event, ModelEvent
from inspect_ai.log import transcript
from inspect_ai.util import cost_limit, token_limit

from mystery_shopper.dialogue import Act, Agent, View
from mystery_shopper.dialogue.stage import Hung
from mystery_shopper.engine.fence import checked
from mystery_shopper.engine.lasting.inspected import InspectAgent
from mystery_shopper.engine.plan import TrialLimits
from mystery_shopper.engine.usage import Usage
from mystery_shopper.foundation import AgentFault, InfrastructureFault


@dataclass
class Allowance:
    """An agent under the limits. `seconds` are its own; `used` tells what its model has used in
    this play."""

    agent: Agent
    limits: TrialLimits
    seconds: float
    used: Callable[[], Usage]
    spent: float = 0.0

    async def act(self, view: View) -> Act:
        """The agent's act. Raises Hung where its time is up, which ends the trial as `time_cap`,
        AgentFault where its tokens or dollars are used up, and InfrastructureFault where its time
        ran out while Inspect tried a failing provider again."""
        self._check(at_limit=True)
        started = time.monotonic()
        try:
            with ExitStack() as scopes:
                for scope in self._scopes():
                    scopes.enter_context(scope)
                act = checked(await self._in_time(view), self.agent)
        except AgentFault:
            self._check()
            raise
        measured = time.monotonic() - started
        told = act.seconds
        self.spent += told if isinstance(told, float) and 0 <= told <= measured else measured
        self._check()
        return act

    def _scopes(self) -> list[AbstractContextManager[object]]:
        """Inspect's own, over what is left, for an Inspect agent, which may ask its model again and
        again within an act. Elsewhere an act is one call, and `_check` knows all that it used."""
        if not isinstance(self.agent, InspectAgent):
            return []
        used, tokens, cost = self.used(), self.limits.tokens, self.limits.cost
        return [
            *([] if tokens is None else [token_limit(max(0, tokens - used.tokens))]),
            *([] if cost is None else [cost_limit(max(0.0, cost - (used.cost or 0.0)))]),
        ]

    async def _in_time(self, view: View) -> Act:
        deadline = _Deadline()
        # A timer holds its context, and with it the trial, until long after it was cancelled.
        timer = asyncio.get_running_loop().call_later(
            max(0.0, self.seconds - self.spent), deadline.reached, context=Context()
        )
        try:
            async with deadline.scope:
                act = self.agent.act(view)
                return await act if inspect.isawaitable(act) else act
        except TimeoutError:
            if not deadline.scope.expired():
                raise  # The agent's own.
            if deadline.failing:
                raise InfrastructureFault(deadline.failing) from None
            raise Hung from None
        finally:
            timer.cancel()

    def _check(self, *, at_limit: bool = False) -> None:
        """Raise where more than the limit is used, or as much before a further act."""
        if self.spent > self.seconds or (at_limit and self.spent >= self.seconds):
            raise Hung
        used = self.used()
        over: list[tuple[str, float, float | None]] = [
            ("tokens", used.tokens, self.limits.tokens),
            ("dollars", used.cost or 0.0, self.limits.cost),
        ]
        for unit, value, limit in over:
            if limit is not None and (value > limit or (at_limit and value >= limit)):
                raise AgentFault(f"the limit of {limit:,g} {unit} a trial was reached")


class _Deadline:
    """Ends the act under way once it is reached, and knows the error of a provider that failed then
    and was being tried again."""

    __slots__ = ("_asked", "_before", "failing", "scope")

    def __init__(self) -> None:
        self._asked = transcript()
        self._before = len(self._asked.events)
        self.failing = ""
        self.scope = asyncio.timeout(None)

    def reached(self) -> None:
        """The time is up."""
        self.failing = _failing(self._asked.events[self._before :])
        self.scope.reschedule(asyncio.get_running_loop().time())


def _failing(events: Sequence[Event]) -> str:
    """The error of the last finished model call among these events of the sample's transcript;
    empty where it went well or none was finished."""
    asked = [event for event in events if isinstance(event, ModelEvent)]
    finished = [event for event in asked if not event.pending]
    return (finished[-1].error or "") if finished else ""
