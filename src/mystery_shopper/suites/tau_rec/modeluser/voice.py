"""Who words the customer's replies: a language model, or a record of what was said."""

from __future__ import annotations

from collections.abc import Awaitable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from mystery_shopper.dialogue import Verdict
from mystery_shopper.dialogue.models import ChatMessage, ChatModel
from mystery_shopper.foundation import UserFault
from mystery_shopper.suites.tau_rec.modeluser import prompt

Words: TypeAlias = str | Awaitable[str]


class Voice(Protocol):
    """Words one trial's replies. Nothing it says is trusted."""

    def open(self) -> Words:
        """The first message."""
        ...

    def hear(self, text: str, verdict: Verdict | None) -> Words:
        """The reply to the agent's words, with the verdict that code has reached."""
        ...

    def again(self, draft: str, why: str) -> Words:
        """Another reply in place of one that cannot be let out."""
        ...

    def settle(self, text: str) -> None:
        """What was let out in the end."""
        ...


@dataclass
class ModelVoice:
    """A model with the customer's part. It keeps the chat as it was let out; drafts that were not
    stand in it only until the reply is settled. Raises UserFault where its window is full."""

    model: ChatModel
    rules: str
    _chat: list[ChatMessage] = field(default_factory=list[ChatMessage])
    _drawn: list[ChatMessage] = field(default_factory=list[ChatMessage])

    def open(self) -> Words:
        """See `Voice`."""
        self._chat = [ChatMessage("system", self.rules), ChatMessage("user", prompt.BEGIN)]
        return self._draw()

    def hear(self, text: str, verdict: Verdict | None) -> Words:
        """See `Voice`."""
        self._chat.append(ChatMessage("user", prompt.heard(text, verdict)))
        return self._draw()

    def again(self, draft: str, why: str) -> Words:
        """See `Voice`. The model is shown its draft, so that it is not asked the same twice."""
        told = ChatMessage("user", prompt.again(why))
        self._drawn += [ChatMessage("assistant", draft or "(nothing)"), told]
        return self._draw()

    def settle(self, text: str) -> None:
        """See `Voice`."""
        self._drawn.clear()
        self._chat.append(ChatMessage("assistant", text))

    async def _draw(self) -> str:
        reply = await self.model.reply([*self._chat, *self._drawn])
        if reply.stop == "overflow":
            raise UserFault("the context window of the user's model is full")
        return reply.text


@dataclass
class TapedVoice:
    """Says again what a record says: of each reply the drafts and then the words. `over` once the
    record held no more."""

    tape: Iterator[str]
    over: bool = False

    @classmethod
    def of(cls, words: Sequence[str]) -> TapedVoice:
        """A voice with these replies."""
        return cls(iter(words))

    def open(self) -> Words:
        """See `Voice`."""
        return self._next()

    def hear(self, text: str, verdict: Verdict | None) -> Words:
        """See `Voice`."""
        del text, verdict
        return self._next()

    def again(self, draft: str, why: str) -> Words:
        """See `Voice`."""
        del draft, why
        return self._next()

    def settle(self, text: str) -> None:
        """Nothing to keep."""

    def _next(self) -> str:
        for words in self.tape:
            return words
        self.over = True
        raise UserFault("the record ends here")
