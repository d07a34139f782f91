"""The kit for episodes and suites: the toys pass every check, and each check fails a bad one."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

import msgspec
import pytest

from mystery_shopper.dialogue import (
    Agent,
    Ended,
    Ending,
    Episode,
    Event,
    Message,
    NotUnderstood,
    Say,
    StageChanged,
    Tool,
    ToolCalled,
    ToolResult,
    ToolSpec,
    Transcript,
    UserSaid,
    Verdict,
    rollout,
)
from mystery_shopper.testing import (
    ReplayedEpisode,
    ScriptedAgent,
    StagedEpisode,
    call,
    events_of,
    tool_errors,
)
from mystery_shopper.testing.conformance import EpisodeConformance, SuiteConformance
from mystery_shopper.testing.episode_checks import check_hostile
from mystery_shopper.testing.hostile import HostileAgent, hostile_act
from mystery_shopper.testing.shop import LAMPS, SPECS, ShopEpisode


class TestStaged(EpisodeConformance):
    def make_episode(self) -> Episode:
        return StagedEpisode()


class TestReplayed(EpisodeConformance):
    def make_episode(self) -> Episode:
        return ReplayedEpisode()


class TestShop(EpisodeConformance):
    def make_episode(self) -> Episode:
        return ShopEpisode("blue", "study")


@dataclass
class LateShop:
    """The same shop, with a customer who answers in their own time."""

    inner: ShopEpisode = field(default_factory=ShopEpisode)
    instructions: str = "Help."

    async def open(self) -> Iterable[Event]:
        return self.inner.open()

    def tools(self) -> Mapping[str, Tool]:
        return self.inner.tools()

    async def heard(self, text: str) -> Iterable[Event]:
        return self.inner.heard(text)

    def called(self, name: str, result: ToolResult) -> Iterable[Event]:
        return self.inner.called(name, result)

    def show(self, event: Event) -> Message | None:
        return self.inner.show(event)


class TestAnAsynchronousUser(EpisodeConformance):
    def make_episode(self) -> Episode:
        return LateShop()


class Wish(msgspec.Struct, frozen=True):
    colour: str
    room: str

    @property
    def lamp(self) -> str | None:
        found = [lamp for lamp, about in LAMPS.items() if about == (self.colour, self.room)]
        return found[0] if found else None


class Marks(msgspec.Struct, frozen=True):
    right: bool
    asked: int


class Shop(SuiteConformance[Wish]):
    def tasks(self) -> Mapping[str, Wish]:
        return {
            "red study": Wish("red", "study"),
            "blue kitchen": Wish("blue", "kitchen"),
            "no such lamp": Wish("black", "hall"),
        }

    def make_episode(self, task: Wish) -> Episode:
        return ShopEpisode(task.colour, task.room)

    def make_oracle(self, task: Wish) -> Agent:
        return ScriptedAgent([Say("Which colour and room?"), call("recommend", item_id=task.lamp)])

    def make_null(self, task: Wish) -> Agent:
        del task
        return ScriptedAgent([call("recommend", item_id=None)])

    def satisfiable(self, task: Wish) -> bool:
        return task.lamp is not None

    def score(self, task: Wish, transcript: Transcript) -> Any:
        ended = transcript.ended
        right = ended is not None and ended.fault is None and ended.item_id == task.lamp
        return Marks(right, sum("?" in e.text for e in events_of(transcript, UserSaid)))

    def succeeded(self, score: Any) -> bool | None:
        return score.right


class TestTheShopAsASuite(Shop):
    pass


# --- Each check fails an episode made for it --------------------------------------------------

serial = itertools.count()


class Silent(ShopEpisode):
    def open(self) -> Iterable[Event]:
        return [StageChanged("begin")]


class AgentFirst(ShopEpisode):
    def open(self) -> Iterable[Event]:
        return [ToolCalled("c", "search"), UserSaid("Hello!")]


class OverAtOnce(ShopEpisode):
    def open(self) -> Iterable[Event]:
        return [Ended(Ending.FINISHED)]


class Fickle(ShopEpisode):
    def open(self) -> Iterable[Event]:
        return [UserSaid(f"Hello number {next(serial)}!")]


class Misnamed(ShopEpisode):
    def tools(self) -> Mapping[str, Tool]:
        return {f"{name}!": tool for name, tool in super().tools().items()}


class Undescribed(ShopEpisode):
    def tools(self) -> Mapping[str, Tool]:
        bare = ToolSpec("search", " ", SPECS["search"].arguments)
        return super().tools() | {"search": Tool(bare, lambda _: ToolResult("[]"))}


class GoesOn(ShopEpisode):
    """Speaks once more after the ending."""

    def called(self, name: str, result: ToolResult) -> Iterable[Event]:
        return [*super().called(name, result), UserSaid("Bye!")]

    def heard(self, text: str) -> Iterable[Event]:
        return [Ended(Ending.FINISHED), UserSaid(text)]


class NoEvents(ShopEpisode):
    def heard(self, text: str) -> Iterable[Event]:
        words: Any = text
        return [UserSaid("Well."), words]


class NotJson(ShopEpisode):
    def tools(self) -> Mapping[str, Tool]:
        return {
            name: Tool(tool.spec, lambda _: ToolResult("found: nothing"))
            for name, tool in super().tools().items()
        }


class OpenBook(ShopEpisode):
    def show(self, event: Event) -> Message | None:
        if isinstance(event, Verdict):
            return Message("user", f"It fails on {event.failed}")
        return super().show(event)


class ThinksAloud(ShopEpisode):
    def show(self, event: Event) -> Message | None:
        if isinstance(event, NotUnderstood | Ended):
            return Message("user", str(event))
        return super().show(event)


class Chatty(ShopEpisode):
    def heard(self, text: str) -> Iterable[Event]:
        if "print your task" in text:
            return [UserSaid(f"I want {self.colour} for the {self.room}.")]
        return super().heard(text)


class ToldTooMuch(ShopEpisode):
    @property
    def instructions(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride]
        return f"The customer wants {self.colour}."

    @instructions.setter
    def instructions(self, value: str) -> None:
        del value


class Unsteady(ShopEpisode):
    def heard(self, text: str) -> Iterable[Event]:
        del text
        return [UserSaid(f"Answer number {next(serial)}.")]


class Unwritable(ShopEpisode):
    """What it tells cannot be written down as UTF-8."""

    def heard(self, text: str) -> Iterable[Event]:
        return [UserSaid(f"You said {text[:0]}\ud800")]


class Fragile(ShopEpisode):
    def heard(self, text: str) -> Iterable[Event]:
        return [UserSaid(text.split()[0])]


class Brittle(ShopEpisode):
    def tools(self) -> Mapping[str, Tool]:
        def run(arguments: Any) -> ToolResult:
            raise KeyError(arguments.item_id)

        return super().tools() | {"get_metadata": Tool(SPECS["get_metadata"], run)}


BROKEN: tuple[tuple[str, type[ShopEpisode], str], ...] = (
    ("it_opens_with_the_user", Silent, "sees nothing before its first act"),
    ("it_opens_with_the_user", AgentFirst, "the agent sees first: Message(role='agent'"),
    ("it_opens_with_the_user", OverAtOnce, "over before the agent's first act"),
    ("it_opens_with_the_user", Fickle, "two openings of one episode differ"),
    ("its_tools_are_well_described", Misnamed, "the tool 'search!' says that its name is 'search'"),
    ("its_tools_are_well_described", Undescribed, "'search' has no description"),
    ("it_ends_exactly_once", GoesOn, "heard() gave UserSaid after the ending"),
    ("it_ends_exactly_once", NoEvents, "heard() gave str, which is no event"),
    ("it_ends_exactly_once", NotJson, "gave a result that is not JSON"),
    ("it_ends_exactly_once", Unwritable, "the episode failed"),
    ("it_shows_no_verdict", OpenBook, "lets the agent see a Verdict"),
    ("it_shows_no_verdict", ThinksAloud, "lets the agent see a NotUnderstood"),
    ("it_keeps_its_secrets", Chatty, "shown the secret 'red'"),
    ("it_keeps_its_secrets", ToldTooMuch, "shown the secret 'red'"),
    ("the_same_acts_bring_about_the_same", Unsteady, "the same acts, and then"),
    ("hostile_acts_do_not_break_it", Fragile, "the episode failed: IndexError"),
    ("hostile_acts_do_not_break_it", Brittle, "the episode failed: KeyError"),
)


@pytest.mark.parametrize(
    ("check", "make", "says"), BROKEN, ids=[f"{c}-{m.__name__}" for c, m, _ in BROKEN]
)
def test_each_check_fails_a_broken_episode(check: str, make: type[ShopEpisode], says: str) -> None:
    class Suspect(EpisodeConformance):
        secrets = ("red", "study")

        def make_episode(self) -> Episode:
            return make()

    with pytest.raises(AssertionError, match=re.escape(says)) as caught:
        getattr(Suspect(), f"test_{check}")()
    assert str(caught.value).startswith("the episode: ")


def test_a_transcript_that_reads_otherwise_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The loop itself keeps transcripts readable; a reader that loses events shows the check."""

    class Suspect(EpisodeConformance):
        def make_episode(self) -> Episode:
            return ShopEpisode()

    monkeypatch.setattr(Transcript, "from_json", classmethod(lambda cls, _: cls()))
    with pytest.raises(AssertionError, match="reads otherwise from JSON"):
        Suspect().test_its_transcript_survives_json()


def test_a_suite_without_tasks_is_no_suite() -> None:
    class Empty(Shop):
        def tasks(self) -> Mapping[str, Wish]:
            return {}

    with pytest.raises(AssertionError, match="no episode to check"):
        Empty().test_it_opens_with_the_user()


# --- Each check fails a suite made for it -----------------------------------------------------


class WeakOracle(Shop):
    def make_oracle(self, task: Wish) -> Agent:
        return self.make_null(task)


class Lenient(Shop):
    def score(self, task: Wish, transcript: Transcript) -> Any:
        return msgspec.structs.replace(super().score(task, transcript), right=True)


class Unsure(Shop):
    def succeeded(self, score: Any) -> bool | None:
        del score


class Counting(Shop):
    def score(self, task: Wish, transcript: Transcript) -> Any:
        return msgspec.structs.replace(super().score(task, transcript), asked=next(serial))


class ByIdentity(Shop):
    """Its score depends on the very object, not on what the transcript says."""

    known: Transcript | None = None

    def score(self, task: Wish, transcript: Transcript) -> Any:
        self.known = self.known or transcript
        asked = 1 if transcript is self.known else 2
        return msgspec.structs.replace(super().score(task, transcript), asked=asked)


class Lossy(Shop):
    def score(self, task: Wish, transcript: Transcript) -> Any:
        class Scores(msgspec.Struct):
            values: Any

        return Scores({1: (super().score(task, transcript).right,)})


class CrashesOnTheUnusual(Shop):
    def score(self, task: Wish, transcript: Transcript) -> Any:
        assert all(len(e.text) < 1_000 for e in events_of(transcript, UserSaid))
        if any(tool_errors(transcript)):
            raise ValueError("a tool error")
        return super().score(task, transcript)


class Blabbing(Shop):
    def secrets(self, task: Wish) -> Iterable[str]:
        return ("lamp", task.room)


SUITES: tuple[tuple[str, type[Shop], type[Exception], str], ...] = (
    ("the_oracle_scores_full_marks", WeakOracle, AssertionError, "red study: success is False"),
    ("the_oracle_scores_full_marks", Unsure, AssertionError, "success is None, and True was due"),
    ("the_null_agent_scores_nothing", Lenient, AssertionError, "red study: success is True"),
    ("scores_follow_from_the_transcript_alone", Counting, AssertionError, "scored twice"),
    ("scores_follow_from_the_transcript_alone", ByIdentity, AssertionError, "after a round trip"),
    ("scores_follow_from_the_transcript_alone", Lossy, AssertionError, "otherwise from JSON"),
    ("hostile_acts_do_not_break_it", CrashesOnTheUnusual, ValueError, "a tool error"),
    ("it_keeps_its_secrets", Blabbing, AssertionError, "red study: the agent is shown the secret"),
)


@pytest.mark.parametrize(
    ("check", "make", "error", "says"), SUITES, ids=[f"{c}-{m.__name__}" for c, m, *_ in SUITES]
)
def test_each_check_fails_a_broken_suite(
    check: str, make: type[Shop], error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match=re.escape(says)):
        getattr(make(), f"test_{check}")()


# --- The fuzz itself ------------------------------------------------------------------------------


def test_the_hostile_acts_are_of_every_kind_and_the_same_by_seed() -> None:
    specs = list(SPECS.values())
    first, second = Random(3), Random(3)
    one = [hostile_act(first, specs) for _ in range(2_000)]
    again = [hostile_act(second, specs) for _ in range(2_000)]
    one_text, again_text = (re.sub(r" at 0x\w+", "", repr(acts)) for acts in (one, again))
    assert one_text == again_text
    said = [act.text for act in one if isinstance(act, Say)]
    calls = [c for act in one if hasattr(act, "calls") for c in act.calls]
    assert any(isinstance(text, str) and "\ud800" in text for text in said)
    assert max(len(str(text)) for text in said) > 200_000
    assert {type(c.arguments) for c in calls} >= {dict, list, str, int, type(None), bytes}
    assert {c.name for c in calls if isinstance(c.name, str)} > set(SPECS)
    assert not all(isinstance(c.name, str) for c in calls)
    assert any(act is None for act in one)


def test_as_many_hostile_acts_are_made_as_are_asked_for() -> None:
    taken: list[int] = []

    class Counted(ShopEpisode):
        def tools(self) -> Mapping[str, Tool]:
            return super().tools()

        def open(self) -> Iterable[Event]:
            taken.append(1)
            return super().open()

    assert check_hostile(Counted, acts=500) == len(taken) > 20


def test_a_hostile_agent_counts_its_acts() -> None:
    agent = HostileAgent(Random(1))
    played = rollout(ShopEpisode(), agent)
    assert agent.acts == len(played.seconds) > 0
