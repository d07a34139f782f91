"""A model's act takes what the request that succeeded took, where the client knows it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from mystery_shopper.agents.chat import ModelAgent, ToolMode
from mystery_shopper.dialogue import Message, Say, ToolSpec, View
from mystery_shopper.dialogue.models import ChatMessage, ChatReply

VIEW = View("Help.", {}, (Message("user", "Hello."),), 0)


@dataclass
class One:
    """A model with one answer."""

    answer: ChatReply

    async def reply(
        self,
        messages: Sequence[ChatMessage],
        tools: Sequence[ToolSpec] = (),
        shape: Mapping[str, Any] | None = None,
    ) -> ChatReply:
        del messages, tools, shape
        return self.answer


@pytest.mark.parametrize("mode", list(ToolMode))
@pytest.mark.parametrize("seconds", [0.25, None])
def test_the_clients_reading_goes_with_the_act(mode: ToolMode, seconds: float | None) -> None:
    agent = ModelAgent(One(ChatReply("What do you like?", seconds=seconds)), mode)
    assert asyncio.run(agent.act(VIEW)) == Say("What do you like?", seconds)
