"""Scripted agents as generators: each `yield` is one act, each answer is what came of it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any, TypeAlias

import msgspec

from mystery_shopper.dialogue import Act, CallTools, Message, Say, ToolCall, View

Script: TypeAlias = Generator[Act, Sequence[Message], None]


class Scripted:
    """An agent that plays a script. The script starts from the user's opening words."""

    def __init__(self, start: Callable[[str], Script]) -> None:
        self._start = start
        self._script: Script | None = None

    def act(self, view: View) -> Act:
        """The script's next act. A script that has run out abstains."""
        fresh = view.messages[view.seen :]
        try:
            if self._script is None:
                self._script = self._start(fresh[-1].text if fresh else "")
                return next(self._script)
            return self._script.send(fresh)
        except StopIteration:
            return CallTools((ToolCall("recommend", {"item_id": None}),))


def say(text: str) -> Generator[Act, Sequence[Message], str]:
    """Say something; gives back the user's answer."""
    fresh = yield Say(text)
    return next((message.text for message in reversed(fresh) if message.role == "user"), "")


def call(name: str, **arguments: object) -> Generator[Act, Sequence[Message], dict[str, Any]]:
    """Call one tool; gives back its decoded result."""
    fresh = yield CallTools((ToolCall(name, arguments),))
    text = next((message.text for message in reversed(fresh) if message.role == "tool"), "{}")
    return msgspec.json.decode(text, type=dict[str, Any])
