"""A language model as the agent: the conversation as a chat, its answer as an act.

Whatever the model sends as a tool's name or arguments is handed on as it came; the stage checks it
before anything runs.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from mystery_shopper.dialogue import Act, CallTools, Message, Say, ToolCall, ToolSpec, View
from mystery_shopper.dialogue.models import ChatMessage, ChatModel, ChatReply
from mystery_shopper.foundation import ContextOverflow


class ToolMode(StrEnum):
    """How the model calls tools: through its provider, or by answering with one JSON object."""

    NATIVE = "native"
    JSON = "json"


@dataclass
class ModelAgent:
    """Plays one trial with a model. It keeps the chat, so that the model sees its own messages in
    the form in which it sent them."""

    model: ChatModel
    mode: ToolMode = ToolMode.NATIVE
    chat: list[ChatMessage] = field(default_factory=list[ChatMessage])
    _waiting: list[str] = field(default_factory=list[str])

    async def act(self, view: View) -> Act:
        """One reply of the model. Raises ContextOverflow where its window is full."""
        specs = [tool.spec for tool in view.tools.values()]
        if not self.chat:
            self.chat.append(ChatMessage("system", self._instructions(view.instructions, specs)))
        self.chat.extend(self._new(view.messages[view.seen :]))
        if self.mode is ToolMode.JSON and specs:
            reply = await self.model.reply(self.chat, shape=answer_shape(specs))
            act = read_answer(reply.text)
        else:
            reply = await self.model.reply(self.chat, specs)
            act = CallTools(reply.calls, reply.text) if reply.calls else Say(reply.text)
        if reply.stop == "overflow":
            raise ContextOverflow("the model's context window is full")
        self._keep(reply, act)
        return replace(act, seconds=reply.seconds)

    def _instructions(self, text: str, specs: Sequence[ToolSpec]) -> str:
        """Without a tool there is nothing to call: what the model writes is what it says."""
        asked_in_json = self.mode is ToolMode.JSON and specs
        return f"{text}\n\n{json_rules(specs)}" if asked_in_json else text

    def _keep(self, reply: ChatReply, act: Act) -> None:
        calls = act.calls if isinstance(act, CallTools) and self.mode is ToolMode.NATIVE else ()
        self.chat.append(ChatMessage("assistant", reply.text, calls, native=reply.native))
        self._waiting = [call.call_id for call in calls]

    def _new(self, messages: Iterable[Message]) -> Iterable[ChatMessage]:
        """What came since the last act, the model's own words left out. Results come in the order
        of the calls, and each is given the id that the model gave its call."""
        for message in messages:
            if message.role == "user":
                yield ChatMessage("user", message.text)
            elif message.role == "tool" and self.mode is ToolMode.NATIVE:
                call_id = self._waiting.pop(0) if self._waiting else message.call_id
                yield ChatMessage("tool", message.text, call_id=call_id, name=message.name)
            elif message.role == "tool":
                yield ChatMessage("user", f"Result of {message.name}: {message.text}")


def json_rules(specs: Sequence[ToolSpec]) -> str:
    """What a model without tool calls of its own is told."""
    lines = [
        f"- {spec.name}: {spec.description} Arguments: {json.dumps(spec.schema)}" for spec in specs
    ]
    return "\n".join(
        (
            "Answer with exactly one JSON object and nothing else. To speak to the user write "
            '{"say": "your words"}. To call a tool write '
            '{"call": "its name", "arguments": {...}}. You are then told the result.',
            "Tools:",
            *lines,
        )
    )


def answer_shape(specs: Sequence[ToolSpec]) -> dict[str, Any]:
    """The JSON Schema of one answer in JSON mode: words, or one tool with its arguments."""

    def shape(**properties: Any) -> dict[str, Any]:
        return {
            "type": "object",
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
        }

    calls = [shape(call={"type": "string", "enum": [s.name]}, arguments=s.schema) for s in specs]
    return {"anyOf": [shape(say={"type": "string"}), *calls]}


def read_answer(text: str) -> Act:
    """The act that an answer in JSON mode stands for; what stands around the object is passed over.
    A text without such an object is taken as words to the user, who then hears just that."""
    start, end = text.find("{"), text.rfind("}")
    try:
        answer: object = json.loads(text[start : end + 1] if 0 <= start < end else text)
    except (ValueError, RecursionError):
        return Say(text)
    if isinstance(answer, Mapping):
        words: object = answer.get("say")
        name: object = answer.get("call")
        if isinstance(name, str):
            return CallTools((ToolCall(name, answer.get("arguments")),), _text(words))
        if isinstance(words, str):
            return Say(words)
    return Say(text)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
