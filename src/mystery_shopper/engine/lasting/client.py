"""The model protocol over Inspect's model API, and what each conversation cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from inspect_ai.event import ModelEvent
from inspect_ai.log import transcript
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
from inspect_ai.util import JSONSchema, LimitExceededError

from mystery_shopper.dialogue import ToolCall, ToolSpec
from mystery_shopper.dialogue.models import ChatMessage, ChatReply, Stop
from mystery_shopper.engine.lasting.calm import one_at_a_time
from mystery_shopper.engine.lasting.shared_tools import tools_of
from mystery_shopper.engine.lasting.windows import is_overflow
from mystery_shopper.engine.plan import ModelOptions
from mystery_shopper.engine.usage import Usage
from mystery_shopper.foundation import AgentFault, ContextOverflow, InfrastructureFault

_STOPS: Mapping[str, Stop] = {
    "stop": "stop",
    "tool_calls": "tool_calls",
    "max_tokens": "length",
    "model_length": "overflow",
    "content_filter": "refused",
}


KEPT = Usage(calls=1)
"""An answer out of Inspect's own cache: no token was used for it now, and it cost nothing."""


@dataclass
class InspectModel:
    """One conversation's line to a model. `usage` counts what its calls used."""

    model: Model
    options: ModelOptions
    seed: int | None = None
    usage: Usage = field(default_factory=Usage)
    seconds: float = 0.0
    _sent: list[ChatMessage] = field(default_factory=list[ChatMessage])
    _theirs: list[InspectMessage] = field(default_factory=list[InspectMessage])

    async def reply(
        self,
        messages: Sequence[ChatMessage],
        tools: Sequence[ToolSpec] = (),
        shape: Mapping[str, Any] | None = None,
    ) -> ChatReply:
        """See `dialogue.models.ChatModel`. Retries are Inspect's."""
        before = len(transcript().events)
        try:
            with tools_of(tools, str(self.model)) as lent:
                output = await self.model.generate(
                    self._messages(messages),
                    lent,
                    config=self._config(shape),
                    cache=self.options.cache,
                )
        except LimitExceededError as error:
            raise AgentFault(f"the {error.type} limit of {error.limit_str} was reached") from error
        except InfrastructureFault:
            raise
        except Exception as error:
            if is_overflow(error):
                raise ContextOverflow("the model's context window is full") from error
            raise InfrastructureFault(f"{type(error).__name__}: {error}") from error
        if output.error and output.empty:
            raise InfrastructureFault(output.error)
        self._count(output, kept=_was_kept(before))
        await one_at_a_time()
        return _reply(output)

    def _messages(self, messages: Sequence[ChatMessage]) -> list[InspectMessage]:
        """The conversation in Inspect's form. What was sent before keeps its form and id, so that
        Inspect knows it again and its log holds it once."""
        for at, message in enumerate(messages):
            if at == len(self._sent) or self._sent[at] is not message:
                self._sent[at:] = [message]
                self._theirs[at:] = [_message(message)]
        return self._theirs[: len(messages)]

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

    def _count(self, output: ModelOutput, *, kept: bool) -> None:
        used = KEPT if kept else usage_of(output.usage)
        self.usage = self.usage.plus(used.of(output.model))
        self.seconds += output.time or 0.0


def open_model(name: str, **arguments: Any) -> Model:
    """Inspect's model of this name. Raises InputError's cause as Inspect words it."""
    return get_model(name, **arguments)


def _was_kept(before: int) -> bool:
    """Whether the last model call since this place of the sample's transcript was answered from
    Inspect's cache."""
    asked = [event for event in transcript().events[before:] if isinstance(event, ModelEvent)]
    return bool(asked) and asked[-1].cache == "read"


def usage_of_event(event: ModelEvent) -> Usage:
    """What the call that Inspect recorded used."""
    used = KEPT if event.cache == "read" else usage_of(event.output.usage)
    return used.of(event.output.model)


def usage_of(usage: ModelUsage | None) -> Usage:
    """Inspect's usage as ours. Whatever a provider counts as input, Inspect takes those read from
    or written to the provider's cache out of it (OpenAI's prompt tokens hold them, Anthropic's do
    not), so each token stands in one count. Written ones are paid for, and count as input."""
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


def _reply(output: ModelOutput) -> ChatReply:
    if output.empty:
        return ChatReply("", stop="other", seconds=output.time)
    message = output.message
    calls = tuple(
        ToolCall(call.function, call.parse_error or call.arguments, call.id)
        for call in message.tool_calls or ()
    )
    stop = _STOPS.get(output.stop_reason, "other")
    return ChatReply(message.text, calls, stop, native=message, seconds=output.time)
