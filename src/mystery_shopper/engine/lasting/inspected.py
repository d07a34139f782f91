"""An Inspect agent as the agent under test.

It is asked once for each time the customer speaks, and what it answers at the end is said. Its
tools are the suite's: a call waits while our loop plays it. Agents of other frameworks play in the
same way, through Inspect's `agent_bridge`.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from inspect_ai.agent import Agent as InspectsAgent
from inspect_ai.agent import AgentState
from inspect_ai.agent import run as run_agent
from inspect_ai.event import ModelEvent
from inspect_ai.log import transcript
from inspect_ai.model import ChatMessage, ChatMessageSystem, ChatMessageUser
from inspect_ai.tool import Tool, ToolDef, ToolParams
from inspect_ai.util import LimitExceededError

from mystery_shopper.dialogue import Act, CallTools, Message, Say, ToolCall, ToolSpec, View
from mystery_shopper.engine.lasting.client import usage_of_event
from mystery_shopper.engine.lasting.windows import is_overflow
from mystery_shopper.engine.usage import Usage
from mystery_shopper.foundation import AgentFault, ContextOverflow, InfrastructureFault

AgentMaker = Callable[..., InspectsAgent]
"""Takes `tools`, a list of Inspect's tools; gives one fresh agent."""


@dataclass
class InspectAgent:
    """Plays one trial with an Inspect agent. `usage` counts the model calls of its turns."""

    make: AgentMaker
    usage: Usage = field(default_factory=Usage)
    _agent: InspectsAgent | None = None
    _messages: list[ChatMessage] = field(default_factory=list[ChatMessage])
    _turn: asyncio.Task[AgentState] | None = None
    _moved: asyncio.Event = field(default_factory=asyncio.Event)
    _posted: list[tuple[ToolCall, asyncio.Future[str]]] = field(
        default_factory=list[tuple[ToolCall, "asyncio.Future[str]"]]
    )
    _waiting: deque[asyncio.Future[str]] = field(default_factory=deque["asyncio.Future[str]"])

    async def act(self, view: View) -> Act:
        """Its next calls, or its words once its turn is over. Raises InfrastructureFault where the
        model behind it failed."""
        if self._agent is None:
            self._agent = self.make(tools=[self._tool(held.spec) for held in view.tools.values()])
            self._messages.append(ChatMessageSystem(content=view.instructions))
        self._hand_on(view.messages[view.seen :])
        before = len(transcript().events)
        if self._turn is None:
            state = AgentState(messages=self._messages)
            self._turn = asyncio.create_task(run_agent(self._agent, state))
            self._turn.add_done_callback(lambda _: self._moved.set())
        try:
            return await self._next(self._turn, before)
        except asyncio.CancelledError:
            self._turn.cancel()
            raise
        finally:
            self._count(_asked(before))

    async def close(self) -> None:
        """End what is still under way: a turn in which the trial ended never goes on."""
        if self._turn is not None:
            self._turn.cancel()
            await asyncio.gather(self._turn, return_exceptions=True)

    async def _next(self, turn: asyncio.Task[AgentState], before: int) -> Act:
        if not self._posted and not turn.done():
            self._moved.clear()
            await self._moved.wait()
        if self._posted:
            posted, self._posted = self._posted, []
            self._waiting.extend(answer for _, answer in posted)
            return CallTools(tuple(call for call, _ in posted))
        self._turn = None
        state = _result(turn, before)
        self._messages = list(state.messages)
        return Say(state.output.completion)

    def _hand_on(self, messages: Iterable[Message]) -> None:
        """What came since the last act: results go to the calls that wait, in their order."""
        for message in messages:
            if message.role == "user":
                self._messages.append(ChatMessageUser(content=message.text))
            elif message.role == "tool" and self._waiting:
                answer = self._waiting.popleft()
                if not answer.done():
                    answer.set_result(message.text)

    def _tool(self, spec: ToolSpec) -> Tool:
        async def execute(**kwargs: Any) -> str:
            answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
            self._posted.append((ToolCall(spec.name, kwargs), answer))
            self._moved.set()
            return await answer

        parameters = ToolParams.model_validate(spec.schema)
        for name, parameter in parameters.properties.items():  # Inspect refuses one without words.
            parameter.description = parameter.description or name
        return ToolDef(execute, spec.name, spec.description, parameters).as_tool()

    def _count(self, events: Sequence[ModelEvent]) -> None:
        for event in events:
            if not event.error and not event.pending:
                self.usage = self.usage.plus(usage_of_event(event))


def _asked(before: int) -> list[ModelEvent]:
    """The model calls in the sample's transcript from this place on."""
    return [event for event in transcript().events[before:] if isinstance(event, ModelEvent)]


def _result(turn: asyncio.Task[AgentState], before: int) -> AgentState:
    if turn.cancelled():
        raise AgentFault("the agent was cancelled")
    try:
        return turn.result()
    except LimitExceededError as error:
        raise AgentFault(f"the {error.type} limit of {error.limit_str} was reached") from error
    except Exception as error:
        asked = _asked(before)
        if asked and asked[-1].error and is_overflow(error):
            raise ContextOverflow("the model's context window is full") from error
        if asked and asked[-1].error:
            raise InfrastructureFault(f"{type(error).__name__}: {error}") from error
        raise
