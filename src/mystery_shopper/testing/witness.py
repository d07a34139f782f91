"""An agent watched from the side: what it does that an agent must not do."""

from __future__ import annotations

import asyncio
import copy
import inspect
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mystery_shopper.dialogue import Act, Agent, CallTools, Say, ToolCall, View
from mystery_shopper.foundation import ContextOverflow, InfrastructureFault

PERMITTED = (ContextOverflow, InfrastructureFault)
"""What an agent may raise: its window is full, or nobody is there to ask."""


@dataclass
class Witness:
    """Passes views on, plain or asynchronous, and notes what was wrong with the acts. Between two
    acts it lets others play, so that agents which share a memory are found out."""

    agent: Agent
    acts: int = 0
    problems: list[str] = field(default_factory=list[str])

    async def act(self, view: View) -> Act:
        """The agent's act as it came. Raises what the agent raises."""
        await asyncio.sleep(0)
        self.acts += 1
        before = _picture(view)
        try:
            answer: Any = self.agent.act(view)
            if inspect.isawaitable(answer):
                answer = await answer
        except PERMITTED:
            raise
        except Exception as error:
            self._note(f"it raised {type(error).__name__}: {str(error)[:200]}")
            raise
        if _picture(view) != before:
            self._note("it changed the view that it was shown")
        for problem in act_problems(answer):
            self._note(problem)
        return answer

    def _note(self, problem: str) -> None:
        self.problems.append(f"act {self.acts}: {problem}")


def _picture(view: View) -> Any:
    """What the view holds, kept apart from it."""
    messages = [copy.deepcopy(message) for message in view.messages]
    return view.instructions, dict(view.tools), messages, view.seen


def act_problems(act: object) -> list[str]:
    """What is wrong with an act, by its form."""
    if isinstance(act, Say):
        return [*_text_problems(act.text, "its words"), *_seconds_problems(act.seconds)]
    if not isinstance(act, CallTools):
        return [f"its act is {type(act).__name__}, neither Say nor CallTools"]
    problems = [*_text_problems(act.text, "its note"), *_seconds_problems(act.seconds)]
    calls: Any = act.calls
    if type(calls) is not tuple:
        return [*problems, f"its calls are {type(calls).__name__}, not a tuple"]
    if not calls:
        problems.append("it calls no tool and says nothing")
    for call in calls:
        problems += _call_problems(call)
    return problems


def _call_problems(call: object) -> list[str]:
    if not isinstance(call, ToolCall):
        return [f"one of its calls is {type(call).__name__}, not a ToolCall"]
    problems = _text_problems(call.name, "a tool's name")
    given = call.arguments
    if not isinstance(given, Mapping | str):
        return [*problems, f"the arguments of {call.name!r} are {type(given).__name__}, no object"]
    try:
        json.dumps(given, allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError) as error:
        problems.append(f"the arguments of {call.name!r} are not JSON: {error}")
    return problems


def _text_problems(text: object, what: str) -> list[str]:
    if not isinstance(text, str):
        return [f"{what}: {type(text).__name__}, not a text"]
    try:
        text.encode()
    except UnicodeEncodeError:
        return [f"{what}: a text that UTF-8 cannot hold"]
    return []


def _seconds_problems(seconds: object) -> list[str]:
    if seconds is None or (isinstance(seconds, float) and seconds >= 0):
        return []
    return [f"its seconds are {seconds!r}; they are a float of 0 or more, or None"]
