"""What passes between a client that calls tools and the loop that plays the trial."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from mystery_shopper.dialogue import Act, CallTools, Message, Say, ToolCall, ToolSpec, View
from mystery_shopper.foundation import InfrastructureFault

LEFT = "the client left before the conversation was over"


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Arguments of `say`."""

    text: str


SAY = ToolSpec(
    "say",
    "Say something to the customer. The result is their answer, or that the conversation is over. "
    "Nothing that you write elsewhere reaches them.",
    Words,
)
START = "start"
FIRST = f"Call `{START}` first: it tells the rules and the customer's first words."
_HINT = '`say` takes one object with one text: {"text": "your words to the customer"}.'


@dataclass(frozen=True)
class Answer:
    """What one call gives the client: one or more texts, and whether it is an error."""

    texts: tuple[str, ...]
    error: bool = False


@dataclass
class Handed:
    """An act that a client handed in, and where its answer goes. `at` is when it came, in seconds
    of the clock; `hint` is told beside the answer."""

    act: Act
    at: float
    hint: str = ""
    answer: Future[Answer] = field(default_factory=Future[Answer])


def act_of(name: str, arguments: object) -> tuple[Act, str]:
    """The act that a tool call stands for, and a hint for the client. Words that `say` cannot take
    are put on record as a call of a tool that the episode does not have."""
    if name == SAY.name:
        try:
            return Say(msgspec.convert(arguments, Words, str_keys=True).text), ""
        except (msgspec.ValidationError, TypeError):
            return CallTools((ToolCall(name, arguments),)), _HINT
    return CallTools((ToolCall(name, arguments),)), ""


def answer_of(messages: Iterable[Message], hint: str = "", *, over: str = "") -> Answer:
    """What came of an act: the tool's result, the customer's words."""
    shown = [message for message in messages if message.role != "agent"]
    error = any(message.role == "tool" and _is_error(message.text) for message in shown)
    texts = [_for_client(m.text, hint) if m.role == "tool" else m.text for m in shown]
    return Answer(tuple(text for text in (*texts, hint, over) if text) or ("",), error)


def _for_client(content: str, hint: str) -> str:
    """A result as the client is told it: the loop knows nothing of the tools that stand for its own
    words, so a list of those that there are lacks them, and a bad call of one seems unknown."""
    try:
        told = msgspec.json.decode(content, type=_Unknown)
    except msgspec.MsgspecError:
        return content
    if hint:
        return msgspec.json.encode({"error": "The arguments do not fit."}).decode()
    tools = [START, SAY.name, *told.tools]
    return msgspec.json.encode({"error": told.error, "tools": tools}).decode()


class _Unknown(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the loop answers to a call of no tool."""

    error: str
    tools: list[str]


def _is_error(content: str) -> bool:
    """Whether a result is a `tool_error`: the view does not say so otherwise."""
    try:
        return "error" in msgspec.json.decode(content, type=dict[str, Any])
    except msgspec.MsgspecError:
        return False


@dataclass
class ClientAgent:
    """The agent at the loop's side: it hands the last act's answer back, then waits for the next.

    The client's time runs from when it was given something by a call until its next call comes in;
    where nothing was given yet it counts as none, since nobody knows when the client began.
    """

    clock: Callable[[], float]
    view: View | None = None
    acts: int = 0
    given: float | None = None
    opened: threading.Event = field(default_factory=threading.Event)
    _queue: deque[Handed] = field(default_factory=deque[Handed])
    _change: threading.Condition = field(default_factory=threading.Condition)
    _left: bool = False
    _over: bool = False
    _pending: Handed | None = None
    _looked: bool = False

    def act(self, view: View) -> Act:
        """The client's next act. Raises InfrastructureFault once it has left."""
        seen, self.view = self.view, view
        if seen is not None:
            self._give(answer_of(view.messages[view.seen :], self._hint()))
        self.opened.set()
        handed = self._next()
        self.acts += 1
        seconds = 0.0 if self.given is None else max(0.0, handed.at - self.given)
        return replace(handed.act, seconds=seconds)

    def hand_in(self, name: str, arguments: object) -> Future[Answer] | None:
        """Queue a call; gives the place of its answer, or None once the conversation is over."""
        act, hint = act_of(name, arguments)
        handed = Handed(act, self.clock(), hint)
        with self._change:
            if self._over:
                return None
            self._queue.append(handed)
            self._change.notify()
        return handed.answer

    def shown(self) -> bool:
        """The client has called for the opening; gives whether the conversation still lasts."""
        with self._change:
            self._looked = True
            if self.given is None and not self.acts and not self._queue:
                self.given = self.clock()
            return not self._over

    def begun(self) -> bool:
        """Whether the client has called for the opening or acted, or all is over."""
        with self._change:
            return self._looked or self._over or self.acts > 0 or bool(self._queue)

    def leave(self) -> None:
        """The client has gone: calls that are queued are still played, and then no more come."""
        with self._change:
            self._left = True
            self._change.notify()

    def finish(self, last: Answer, over: Answer) -> None:
        """The conversation is over: `last` answers the act that ended it, `over` all others."""
        with self._change:
            self._over = True
            waiting = list(self._queue)
            self._queue.clear()
        self._give(last)
        for handed in waiting:
            if handed.answer.set_running_or_notify_cancel():
                handed.answer.set_result(over)
        self.opened.set()

    def _hint(self) -> str:
        return self._pending.hint if self._pending is not None else ""

    def _give(self, answer: Answer) -> None:
        if self._pending is not None:
            self.given = self.clock()
            self._pending.answer.set_result(answer)
            self._pending = None

    def _next(self) -> Handed:
        """The next call that its client has not taken back."""
        with self._change:
            while True:
                while self._queue:
                    handed = self._queue.popleft()
                    if handed.answer.set_running_or_notify_cancel():
                        self._pending = handed
                        return handed
                if self._left:
                    raise InfrastructureFault(LEFT)
                self._change.wait()
