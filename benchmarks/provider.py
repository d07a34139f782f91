"""A model of Inspect's that follows a script: `bench/clerk` asks, searches, proposes, looks at the
formats and recommends, five calls a trial, whatever it hears; `bench/slow-clerk` takes its time.
"""

from __future__ import annotations

import asyncio
import random
import time
from dataclasses import dataclass
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    modelapi,
)
from inspect_ai.tool import ToolChoice, ToolInfo

PROVIDER = "bench"
CALLS = 5
SLOW = (1.0, 3.0)
"""Seconds that a slow answer takes, at least and at most."""
FILM = "m00001"
_QUESTION = "Do you have any requirements on genre, language, country, release year or format?"
_TICK = 0.005


@dataclass
class LoopWatch:
    """How late the event loop came back to a task that only sleeps, and the CPU time that its
    thread spent meanwhile: the longest of each, in seconds."""

    late: float = 0.0
    busy: float = 0.0
    task: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Watch the running loop from now on; once."""
        if self.task is None:
            self.task = asyncio.get_running_loop().create_task(self._watch())

    async def _watch(self) -> None:
        while True:
            wall, cpu = time.perf_counter(), time.thread_time()
            await asyncio.sleep(_TICK)
            self.late = max(self.late, time.perf_counter() - wall - _TICK)
            self.busy = max(self.busy, time.thread_time() - cpu)


WATCH = LoopWatch()
SEEN: dict[int, tuple[list[ChatMessage], list[ToolInfo]]] = {}
"""What the first trial asked with: number of the call -> messages and tools."""


def _answer(said: int) -> ModelOutput:
    """The script's act after so many of the model's own messages."""

    def call(name: str, **arguments: Any) -> ModelOutput:
        return ModelOutput.for_tool_call(PROVIDER, name, arguments, tool_call_id=f"c{said}")

    match said % CALLS:
        case 0:
            return ModelOutput.from_content(PROVIDER, _QUESTION)
        case 1:
            return call("search", genre=["Drama"], year_min=1990)
        case 2:
            return ModelOutput.from_content(PROVIDER, f"This one? [[candidate_id:{FILM}]]")
        case 3:
            return call("check_formats", item_id=FILM)
        case _:
            return call("recommend", item_id=FILM)


@modelapi(name=PROVIDER)
def bench() -> type[ModelAPI]:
    """The provider, as Inspect registers it."""

    class Bench(ModelAPI):
        async def generate(
            self,
            input: list[ChatMessage],
            tools: list[ToolInfo],
            tool_choice: ToolChoice,
            config: GenerateConfig,
        ) -> ModelOutput:
            del tool_choice
            said = sum(message.role == "assistant" for message in input)
            if said not in SEEN:
                SEEN[said] = (list(input), list(tools))
            if self.model_name == "slow-clerk":
                WATCH.begin()
                seed = (config.seed or 0) * CALLS + said
                await asyncio.sleep(random.Random(seed).uniform(*SLOW))
            output = _answer(said)
            output.usage = ModelUsage(input_tokens=100, output_tokens=10, total_tokens=110)
            return output

        def max_connections(self) -> int:
            return 1000

    return Bench
