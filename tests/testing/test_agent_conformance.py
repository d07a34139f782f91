"""The kit for agents: a good agent passes every check, and each check fails a bad one."""

from __future__ import annotations

import asyncio
import json
import math
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

import pytest

from mystery_shopper.dialogue import CallTools, Ending, Limits, Say, ToolCall, View
from mystery_shopper.foundation import ContextOverflow, InfrastructureFault
from mystery_shopper.testing import ScriptedAgent, StagedEpisode, call
from mystery_shopper.testing.agent_checks import play
from mystery_shopper.testing.conformance import AgentConformance
from mystery_shopper.testing.shop import ShopEpisode
from mystery_shopper.testing.witness import act_problems


@dataclass
class Clerk:
    """Asks, searches, proposes result after result, recommends what is accepted, or none."""

    proposed: list[str] = field(default_factory=list[str])
    items: list[str] | None = None
    asked: bool = False

    def act(self, view: View) -> Any:
        said = [message.text for message in view.messages if message.role == "user"]
        last = view.messages[-1] if view.messages else None
        if not self.asked:
            self.asked = True
            return Say("Which colour, and which room?")
        if self.proposed and said and "ACCEPTED" in said[-1]:
            return call("recommend", item_id=self.proposed[-1])
        if self.items is None:
            if last is not None and last.role == "tool" and last.name == "search":
                self.items = self.read(last.text)
            else:
                words = re.findall(r"(?:be|the) (\w+)\.", said[-1] if said else "")
                return call("search", query=" ".join(words))
        left = [item for item in self.items if item not in self.proposed]
        if not left:
            return call("recommend", item_id=None)
        self.proposed.append(left[0])
        return Say(f"How about [[candidate_id:{left[0]}]]?")

    def read(self, text: str) -> list[str]:
        found: Any = json.loads(text)
        return [row["item_id"] for row in found.get("items", [])]


@dataclass
class AsyncClerk:
    """The same, in its own time."""

    clerk: Clerk = field(default_factory=Clerk)

    async def act(self, view: View) -> Any:
        await asyncio.sleep(0)
        return self.clerk.act(view)


class TestClerk(AgentConformance):
    deterministic = True

    def make_agent(self) -> Any:
        return Clerk()


class TestAsyncClerk(AgentConformance):
    deterministic = True

    def make_agent(self) -> Any:
        return AsyncClerk()


class TestOnAnotherEpisode(AgentConformance):
    deterministic = True

    def make_agent(self) -> Any:
        acts = [call("search", letters="r"), call("advance"), *[call("answer", colour="red")] * 2]
        return ScriptedAgent(acts, Say("Done."))

    def make_episode(self) -> Any:
        return StagedEpisode()


class TestAnAgentWhoseModelIsOutOfReach(AgentConformance):
    """What an agent may raise is no fault of its form; it just plays no trial to its end."""

    def make_agent(self) -> Any:
        errors = (ContextOverflow("full"), InfrastructureFault("down"))
        return ScriptedAgent([Say("Which colour?")], errors[0])

    def test_it_plays_a_trial_to_its_end(self) -> None:
        with pytest.raises(AssertionError, match="overflow"):
            super().test_it_plays_a_trial_to_its_end()


def test_the_clerk_finds_the_lamp() -> None:
    played, _ = play(Clerk(), ShopEpisode(), Limits())
    ended = played.transcript.ended
    assert ended is not None
    assert (ended.kind, ended.item_id) == (Ending.RECOMMENDED, "a2")


class Mute(Clerk):
    def act(self, view: View) -> Any:
        del view


class Talker(Clerk):
    """Never comes to an end."""

    def act(self, view: View) -> Any:
        del view
        return Say("Hm.")


class Greedy(Clerk):
    """Takes it that there is always a first result."""

    def read(self, text: str) -> list[str]:
        return [json.loads(text)["items"][0]["item_id"]]


class Trusting(Clerk):
    """Takes it that every result holds items."""

    def read(self, text: str) -> list[str]:
        return [row["item_id"] for row in json.loads(text)["items"]]


class Literal(Clerk):
    """Takes it that the customer greets it."""

    def act(self, view: View) -> Any:
        assert view.messages[0].text.split()[0] == "Hello!"
        return super().act(view)


class Placing(Clerk):
    """Takes it that every result answers a call of its own."""

    def act(self, view: View) -> Any:
        calls = {m.call_id for m in view.messages if m.role == "agent"}
        assert all(m.call_id in calls for m in view.messages if m.role == "tool")
        return super().act(view)


class Tired(Clerk):
    """Gives up after forty acts."""

    acts: int = 0

    def act(self, view: View) -> Any:
        self.acts += 1
        if self.acts > 40:
            raise StopIteration("no more lines")
        return Say("Hm.") if self.acts > 4 else super().act(view)


class Narrow(Clerk):
    """Cannot take more than a hundred messages."""

    def act(self, view: View) -> Any:
        if len(view.messages) > 100:
            raise IndexError("the window")
        return super().act(view)


class Remembering(Clerk):
    """What it proposed once it never proposes again, to whomever."""

    ever: ClassVar[list[str]] = []

    def __init__(self) -> None:
        super().__init__(proposed=type(self).ever)
        self.ever.clear() if len(self.ever) > 3 else None


class Moody(Clerk):
    """Does otherwise each time."""

    mood: ClassVar[int] = 0

    def act(self, view: View) -> Any:
        Moody.mood += 1
        act = super().act(view)
        return Say(f"{act.text} {Moody.mood}") if isinstance(act, Say) else act


class Meddling(Clerk):
    """Writes into the messages and the tools that it is shown."""

    def act(self, view: View) -> Any:
        for message in view.messages:
            if isinstance(message.arguments, dict):
                message.arguments["mine"] = True
        return super().act(view)


class Stealing(Clerk):
    def act(self, view: View) -> Any:
        tools: Any = view.tools
        tools.pop("search", None)
        return super().act(view)


class Vague(Clerk):
    """Sends arguments that no JSON can hold."""

    def act(self, view: View) -> Any:
        act = super().act(view)
        if isinstance(act, CallTools) and act.calls[0].name == "search":
            return CallTools((ToolCall("search", {"query": {"red", "blue"}}),))
        return act


class Sleeping(Clerk):
    async def act(self, view: View) -> Any:
        del view
        await asyncio.sleep(5)


ONE = Clerk()
BROKEN: tuple[tuple[str, Callable[[], Any], str], ...] = (
    ("it_plays_a_trial_to_its_end", Mute, "its act is NoneType"),
    ("it_plays_a_trial_to_its_end", Talker, "did not end the trial itself: it ended by turn_cap"),
    ("it_plays_a_trial_to_its_end", Meddling, "changed the view"),
    ("it_plays_a_trial_to_its_end", Stealing, "changed the view"),
    ("it_plays_a_trial_to_its_end", Vague, "'search' are not JSON"),
    ("it_plays_a_trial_to_its_end", Sleeping, "no answer within 0.2 s"),
    ("it_copes_with_tools_that_find_nothing", Greedy, "find nothing: act 3: it raised IndexError"),
    ("it_copes_with_tool_errors", Trusting, "errors only: act 3: it raised KeyError"),
    ("it_copes_with_strange_words", Literal, "who says '': act 1: it raised IndexError"),
    ("it_copes_with_unknown_messages", Placing, "cannot place: act 2: it raised AssertionError"),
    ("it_copes_with_unknown_messages", Sleeping, "no answer within 0.2 s"),
    ("it_lasts_for_many_turns", Tired, "act 41: it raised StopIteration"),
    ("it_takes_a_long_conversation", Narrow, "2,000 messages: act 1: it raised IndexError"),
    ("it_is_fresh_for_every_trial", lambda: ONE, "the same object twice"),
    ("it_is_fresh_for_every_trial", Remembering, "shared a memory"),
    ("it_does_the_same_again_if_it_says_so", Moody, "says it is deterministic"),
)


@pytest.mark.parametrize(
    ("check", "make", "says"), BROKEN, ids=[f"{c}-{m.__name__}" for c, m, _ in BROKEN]
)
def test_each_check_fails_a_broken_agent(check: str, make: Callable[[], Any], says: str) -> None:
    class Suspect(AgentConformance):
        deterministic = True
        limits = Limits(seconds=0.2) if make is Sleeping else Limits()

        def make_agent(self) -> Any:
            return make()

    Remembering.ever.clear()
    with pytest.raises(AssertionError, match=re.escape(says)):
        getattr(Suspect(), f"test_{check}")()


def test_who_claims_nothing_is_not_held_to_it() -> None:
    class Honest(AgentConformance):
        def make_agent(self) -> Any:
            return Moody()

    Honest().test_it_does_the_same_again_if_it_says_so()
    Honest().test_it_is_fresh_for_every_trial()


def test_a_shared_memory_shows_without_determinism_where_it_changes_the_end() -> None:
    class Worn(Clerk):
        left: ClassVar[list[int]] = [4]

        def act(self, view: View) -> Any:
            self.left[0] -= 1
            return super().act(view) if self.left[0] >= 0 else Say("Enough.")

    class Suspect(AgentConformance):
        def make_agent(self) -> Any:
            return Worn()

    with pytest.raises(AssertionError, match="alone it ended by recommended"):
        Suspect().test_it_is_fresh_for_every_trial()


GOOD_CALL = ToolCall("search", {"query": "red"})


@pytest.mark.parametrize(
    ("act", "problem"),
    [
        (Say("a"), ""),
        (Say("a", 0.5), ""),
        (CallTools((GOOD_CALL,)), ""),
        (CallTools((ToolCall("search", '{"query": "red"}'),)), ""),
        ("a", "its act is str"),
        (Say(7), "its words: int"),  # pyright: ignore[reportArgumentType]
        (Say("\ud800"), "UTF-8"),
        (Say("a", -1.0), "its seconds are -1.0"),
        (Say("a", math.nan), "its seconds are nan"),
        (CallTools(()), "says nothing"),
        (CallTools([GOOD_CALL]), "list, not a tuple"),  # pyright: ignore[reportArgumentType]
        (CallTools(("search",)), "str, not a ToolCall"),  # pyright: ignore[reportArgumentType]
        (CallTools((GOOD_CALL,), None), "its note"),  # pyright: ignore[reportArgumentType]
        (CallTools((ToolCall(None, {}),)), "name: NoneType"),  # pyright: ignore[reportArgumentType]
        (CallTools((ToolCall("search", None),)), "NoneType, no object"),
        (CallTools((ToolCall("search", [1]),)), "list, no object"),
        (CallTools((ToolCall("search", {"query": math.nan}),)), "not JSON"),
        (CallTools((ToolCall("search", {"query": b"red"}),)), "not JSON"),
    ],
)
def test_the_form_of_an_act(act: object, problem: str) -> None:
    found = act_problems(act)
    assert bool(found) == bool(problem)
    assert not problem or problem in found[0]


def test_the_kit_imports_no_pytest() -> None:
    code = "import sys, mystery_shopper.testing.conformance; print('pytest' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
