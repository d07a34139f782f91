"""The model protocol over Inspect's model API, and what each conversation cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from inspect_ai.model import ChatMessage as InspectMessage
from inspect_ai.model import (
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    GenerateConfig,
    Model,
    ModelOutput,
    ModelUsage,
    ResponseSchema,
    get_model,
)
from inspect_ai.tool import ToolCall as InspectCall
from inspect_ai.tool import ToolInfo, ToolParams
from inspect_ai.util import JSONSchema, LimitExceededError

from mystery_shopper.dialogue import ToolCall, ToolSpec
from mystery_shopper.dialogue.models import ChatMessage, ChatReply, Stop
from mystery_shopper.engine.plan import ModelOptions
from mystery_shopper.engine.usage import Usage
from mystery_shopper.foundation import AgentFault, InfrastructureFault

_STOPS: Mapping[str, Stop] = {
    "stop": "stop",
    "tool_calls": "tool_calls",
    "max_tokens": "length",
    "model_length": "overflow",
    "content_filter": "refused",
}


@dataclass
class InspectModel:
    """One conversation's line to a model. `usage` counts what its calls used."""

    model: Model
    options: ModelOptions
    seed: int | None = None
    usage: Usage = field(default_factory=Usage)
    seconds: float = 0.0

    async def reply(
        self,
        messages: Sequence[ChatMessage],
        tools: Sequence[ToolSpec] = (),
        shape: Mapping[str, Any] | None = None,
    ) -> ChatReply:
        """See `dialogue.models.ChatModel`. Retries are Inspect's."""
        try:
            output = await self.model.generate(
                [_message(message) for message in messages],
                [_tool(spec) for spec in tools],
                config=self._config(shape),
                cache=self.options.cache,
            )
        except LimitExceededError as error:
            raise AgentFault(f"the {error.type} limit of {error.limit_str} was reached") from error
        except Exception as error:
            raise InfrastructureFault(f"{type(error).__name__}: {error}") from error
        if output.error and output.empty:
            raise InfrastructureFault(output.error)
        self._count(output)
        return _reply(output)

    def _config(self, shape: Mapping[str, Any] | None) -> GenerateConfig:
        schema = None
        if shape is not None:
            schema = ResponseSchema(name="answer", json_schema=JSONSchema.model_validate(shape))
        effort: Any = self.options.reasoning_effort
        return GenerateConfig(
            temperature=self.options.temperature,
            max_tokens=self.options.max_tokens,
            reasoning_effort=effort,
            response_schema=schema,
            seed=self.seed,
        )

    def _count(self, output: ModelOutput) -> None:
        self.usage = self.usage.plus(usage_of(output.usage))
        self.seconds += output.time or 0.0


def open_model(name: str, **arguments: Any) -> Model:
    """Inspect's model of this name. Raises InputError's cause as Inspect words it."""
    return get_model(name, **arguments)


def usage_of(usage: ModelUsage | None) -> Usage:
    """Inspect's usage as ours. Its input tokens do not hold those read from or written to a cache,
    so each token is counted once."""
    if usage is None:
        return Usage(calls=1, cost=None)
    return Usage(
        calls=1,
        input=usage.input_tokens + (usage.input_tokens_cache_write or 0),
        cached=usage.input_tokens_cache_read or 0,
        output=usage.output_tokens,
        cost=usage.total_cost,
    )


def _message(message: ChatMessage) -> InspectMessage:
    if isinstance(message.native, ChatMessageAssistant):
        return message.native
    match message.role:
        case "system":
            return ChatMessageSystem(content=message.text)
        case "user":
            return ChatMessageUser(content=message.text)
        case "tool":
            return ChatMessageTool(
                content=message.text, tool_call_id=message.call_id, function=message.name
            )
        case "assistant":
            calls = [
                InspectCall(call.call_id, call.name, _object(call.arguments))
                for call in message.calls
            ]
            return ChatMessageAssistant(content=message.text, tool_calls=calls or None)


def _object(arguments: object) -> dict[str, Any]:
    return {str(k): v for k, v in arguments.items()} if isinstance(arguments, Mapping) else {}


@lru_cache(maxsize=256)
def _tool(spec: ToolSpec) -> ToolInfo:
    """Made once a tool; Inspect takes a copy of its own for each call."""
    parameters = ToolParams.model_validate(spec.schema)
    return ToolInfo(name=spec.name, description=spec.description, parameters=parameters)


def _reply(output: ModelOutput) -> ChatReply:
    if output.empty:
        return ChatReply("", stop="other")
    message = output.message
    calls = tuple(
        ToolCall(call.function, call.parse_error or call.arguments, call.id)
        for call in message.tool_calls or ()
    )
    stop = _STOPS.get(output.stop_reason, "other")
    return ChatReply(message.text, calls, stop, native=message)
