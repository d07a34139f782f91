"""The JSON protocol of an agent behind HTTP, version 1.

We POST what the agent may see:

    {"protocol": 1, "trial": "…", "instructions": "…",
     "tools": [{"name": "…", "description": "…", "parameters": {JSON Schema}}],
     "messages": [{"role": "user" | "agent" | "tool", "text": "…", …}], "new": 3}

`messages[new:]` came since the agent's last act: the user's words, or the results of its calls. A
message of a call has `name`, `arguments` and `call_id`; its result bears the same `call_id`. The
agent answers with one object: {"say": "words to the user"}, or
{"calls": [{"name": "…", "arguments": {…}, "id": "…"}], "text": "…"}; `id` and `text` may be left
out. The server need not remember anything: every request holds the whole conversation.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from mystery_shopper.dialogue import Act, CallTools, Message, Say, ToolCall, View
from mystery_shopper.foundation import AgentFault

PROTOCOL = 1


def request_of(view: View, trial: str) -> dict[str, Any]:
    """The request that shows a view."""
    return {
        "protocol": PROTOCOL,
        "trial": trial,
        "instructions": view.instructions,
        "tools": [
            {
                "name": tool.spec.name,
                "description": tool.spec.description,
                "parameters": tool.spec.schema,
            }
            for tool in view.tools.values()
        ],
        "messages": [_message(message) for message in view.messages],
        "new": view.seen,
    }


def _message(message: Message) -> dict[str, Any]:
    shown: dict[str, Any] = {"role": message.role, "text": message.text}
    if message.call_id:
        shown["call_id"] = message.call_id
        shown["name"] = message.name
        if message.role == "agent":
            shown["arguments"] = message.arguments
    return shown


def act_of(body: bytes, seconds: float | None = None) -> Act:
    """The act that an answer stands for. Raises AgentFault that says what was wrong with it."""
    try:
        answer: object = json.loads(body)
    except (ValueError, RecursionError) as error:
        start = body[:80].decode("utf-8", "replace")
        raise AgentFault(f"the answer is not JSON ({error}); it begins {start!r}") from None
    if not isinstance(answer, Mapping):
        raise AgentFault(f"the answer is {type(answer).__name__}, not one JSON object")
    calls: object = answer.get("calls")
    if calls is not None:
        if not isinstance(calls, Sequence) or isinstance(calls, str):
            raise AgentFault('"calls" is not a list')
        text = answer.get("text")
        return CallTools(
            tuple(_call(call) for call in calls), text if isinstance(text, str) else "", seconds
        )
    words: object = answer.get("say")
    if not isinstance(words, str):
        raise AgentFault('the answer holds neither "say" with a text nor "calls" with a list')
    return Say(words, seconds)


def _call(call: object) -> ToolCall:
    if not isinstance(call, Mapping):
        raise AgentFault('an entry of "calls" is not an object')
    name, call_id = call.get("name"), call.get("id")
    return ToolCall(
        name if isinstance(name, str) else "",
        call.get("arguments"),
        call_id if isinstance(call_id, str) else "",
    )
