"""The small protocol through which everything below the engine asks a language model.

The engine supplies the implementation over its model client; tests supply scripted ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

import msgspec

from mystery_shopper.dialogue.protocols import ToolCall
from mystery_shopper.dialogue.tools import ToolSpec

Role: TypeAlias = Literal["system", "user", "assistant", "tool"]
Stop: TypeAlias = Literal["stop", "tool_calls", "length", "overflow", "refused", "other"]


class ChatMessage(msgspec.Struct, frozen=True, gc=False):
    """One message of a chat with a model.

    An assistant's message may hold calls; a `tool` message answers the call of `call_id`. `native`
    is the client's own form of an assistant's message, handed back as it came, since some models
    need their hidden reasoning again.
    """

    role: Role
    text: str
    calls: tuple[ToolCall, ...] = ()
    call_id: str = ""
    name: str = ""
    native: object = None


@dataclass(frozen=True, slots=True)
class ChatReply:
    """What a model answered: words, calls, why it stopped, and the client's own form of it.
    `seconds`: what the request that succeeded took, where the client knows it."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    stop: Stop = "stop"
    native: object = None
    seconds: float | None = None


class ChatModel(Protocol):
    """A language model behind some client.

    Raises ContextOverflow where the conversation is too long for the model, and
    InfrastructureFault where the provider cannot be reached, after its own retries.
    """

    async def reply(
        self,
        messages: Sequence[ChatMessage],
        tools: Sequence[ToolSpec] = (),
        shape: Mapping[str, Any] | None = None,
    ) -> ChatReply:
        """The next message. `shape` is a JSON Schema that the answer's text is held to."""
        ...
