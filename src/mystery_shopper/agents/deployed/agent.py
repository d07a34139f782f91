"""A deployed agent as it is, with its own tools and its own session, in front of our users."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from mystery_shopper.agents.deployed.answers import Reading
from mystery_shopper.agents.deployed.ids import our_id
from mystery_shopper.agents.deployed.requests import Misread
from mystery_shopper.agents.deployed.session import Session
from mystery_shopper.dialogue import Act, CallTools, ForeignCall, Say, ToolCall, View

RECOMMEND = "recommend"
WATCHED = 20
"""So many of the ids that one answer shows are looked up, to tell whether any is known."""
LONG = 100_000
"""Behind a text of more characters a tag might be cut off, so it goes before."""


@dataclass
class DeployedAgent:
    """One trial with a deployed agent. It hears the customer's words and no more: none of our
    instructions, tools or results."""

    session: Session
    last_shown: str | None = None

    async def act(self, view: View) -> Act:
        """One message to the agent and what it makes of it. Raises AgentFault for an answer that
        cannot be used, InfrastructureFault where there is nobody to ask."""
        session, setup = self.session, self.session.setup
        setup.check()
        text = "\n".join(m.text for m in view.messages[view.seen :] if m.role == "user")
        for ours, theirs in session.deployed.words.items():
            text = text.replace(ours, theirs)
        answer = await session.say(text)
        try:
            reading = session.deployed.answer.read(answer.value)
        except Misread as error:
            raise setup.misread("say", str(error), answer.told) from None
        setup.understood("say")
        session.heard(reading.text)
        words = session.shown(reading.text)
        calls = tuple(map(self._reported, reading.calls))
        for theirs in (*reading.shown[:WATCHED], *([reading.choice] if reading.choice else ())):
            setup.showed(session.veil.text(theirs), self._our_id(theirs))
        if RECOMMEND not in view.tools:
            return Say(self._answer(reading, words), answer.seconds, calls)
        decided, choice, candidate = self._meant(reading)
        if decided:
            item_id = None if choice is None else self._our_id(choice)
            call = ToolCall(RECOMMEND, {"item_id": item_id})
            return CallTools((call,), words, answer.seconds, calls)
        if candidate is not None:
            tag = f"[[candidate_id:{self._our_id(candidate)}]]"
            words = f"{words} {tag}".lstrip() if len(words) <= LONG else f"{tag} {words}"
        return Say(words, answer.seconds, calls)

    def _answer(self, reading: Reading, words: str) -> str:
        """Words that are the whole answer, where no tool takes a decision: before them, in JSON,
        the items that they stand for. Where the agent names none by its id, they speak alone."""
        ids = [] if reading.abstains else list(dict.fromkeys(self._named(reading)))
        if not ids and not reading.abstains:
            return words
        told = json.dumps({"recommendations": [{"id": one} for one in ids]}, ensure_ascii=False)
        return f"{told}\n\n{words}" if words else told

    def _named(self, reading: Reading) -> Iterator[str]:
        """Our ids of what an answer names, its choice first."""
        yield from map(self._our_id, [reading.choice] if reading.choice else [])
        yield from map(self._our_id, reading.shown)

    def _meant(self, reading: Reading) -> tuple[bool, str | None, str | None]:
        """(whether the answer decides, the choice, the item that it proposes)."""
        proposes = self.session.deployed.proposes
        shown = reading.shown[0] if reading.shown else None
        self.last_shown = shown or self.last_shown
        choice = reading.choice
        if self.session.deployed.answer.choice is None and reading.done:
            choice = self.last_shown
        if reading.abstains:
            return True, None, None
        decided = choice is not None if reading.done is None else reading.done
        return decided, choice, shown if proposes == "shown" else choice

    def _our_id(self, theirs: str) -> str:
        deployed = self.session.deployed
        return deployed.veil.text(our_id(deployed.ids, theirs))

    def _reported(self, call: ForeignCall) -> ForeignCall:
        veil = self.session.veil
        return ForeignCall(
            self.session.shown(call.name), veil.tree(call.arguments), veil.tree(call.result)
        )
