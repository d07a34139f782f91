"""Episodes with a user whose words code does not choose pass the public kit, whatever it says."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

from mystery_shopper.dialogue import Agent, Episode, ToolSpec, Transcript, UserSaid
from mystery_shopper.dialogue.models import ChatMessage, ChatReply
from mystery_shopper.engine.loading import load_shelf, load_tasks
from mystery_shopper.suites.tau_rec.guard import Ear
from mystery_shopper.suites.tau_rec.modeluser import GuardedUser, ModelVoice, OwnVoice, Voice
from mystery_shopper.suites.tau_rec.modeluser.own import OwnUser
from mystery_shopper.suites.tau_rec.modeluser.prompt import user_rules
from mystery_shopper.suites.tau_rec.reference import AGENTS
from mystery_shopper.suites.tau_rec.shelf import Interface, Shelf
from mystery_shopper.suites.tau_rec.stage import Setting, set_stage
from mystery_shopper.suites.tau_rec.task import Reveal, Task
from mystery_shopper.suites.tau_rec.user import RuleUser
from mystery_shopper.testing import SuiteConformance, events_of
from mystery_shopper.testing.episode_checks import trial_of

TASKS = ("f001-volunteer", "f003-hidden", "f004-mixed")
Policy: TypeAlias = Callable[[Sequence[ChatMessage]], str]


@cache
def films() -> Shelf:
    return load_shelf("films", None)


@cache
def ear() -> Ear:
    return Ear(films().catalogue)


@dataclass
class Scripted:
    """A model that answers by a function of the chat alone."""

    policy: Policy

    async def reply(
        self,
        messages: Sequence[ChatMessage],
        tools: Sequence[ToolSpec] = (),
        shape: Mapping[str, Any] | None = None,
    ) -> ChatReply:
        assert not tools
        assert shape is None
        assert messages[0].role == "system"
        return ChatReply(self.policy(messages))


def facts(messages: Sequence[ChatMessage]) -> list[str]:
    """All that the model is told to require, withheld or not."""
    return re.findall(r"^- \[[A-Z ]+\] (.+)$", messages[0].text, re.MULTILINE)


def bland(_: Sequence[ChatMessage]) -> str:
    return "Hm. Please go on."


def gossip(messages: Sequence[ChatMessage]) -> str:
    return " ".join(facts(messages))


def whisperer(messages: Sequence[ChatMessage]) -> str:
    """Everything, letter by letter."""
    return "\n".join(" ".join(fact.replace(" ", "")) for fact in facts(messages))


def thinker(messages: Sequence[ChatMessage]) -> str:
    """A scratchpad first, then words."""
    again = messages[-1].text.startswith("(This message cannot be sent")
    return "Well, go on." if again else f"<think>{gossip(messages)}</think> Well?"


def swapper(messages: Sequence[ChatMessage]) -> str:
    """The assistant's part from the third message on; no redraw helps."""
    return "Hello." if len(messages) < 5 else "How can I help you? Let me search the catalogue."


class _Suite(SuiteConformance[Task]):
    hostile_acts = 90

    def speaker(self, rule: RuleUser, shelf: Shelf) -> GuardedUser:
        return GuardedUser(rule, ear(), lambda: self.voice(rule, shelf))

    def voice(self, rule: RuleUser, _: Shelf, /) -> Voice:
        raise NotImplementedError

    def tasks(self) -> Mapping[str, Task]:
        tasks = load_tasks("tau_rec/films@1").by_id
        return {name: tasks[name] for name in TASKS}

    def make_episode(self, task: Task) -> Episode:
        return set_stage(task, films(), Setting(), self.speaker)

    def make_oracle(self, task: Task) -> Agent:
        return AGENTS["oracle"](task, films(), Interface.STRUCTURED)

    def make_null(self, task: Task) -> Agent:
        return AGENTS["null"](task, films(), Interface.STRUCTURED)

    def satisfiable(self, task: Task) -> bool:
        return task.family.satisfiable

    def score(self, task: Task, transcript: Transcript) -> Any:
        return films().scorer.score(task, transcript)

    def succeeded(self, score: Any) -> bool | None:
        return score.success

    def secrets(self, task: Task) -> Iterable[str]:
        """Hidden values; they are not said however the model writes them."""
        for one in task.requirements:
            if one.reveal is Reveal.HIDDEN:
                yield str(one.predicate.value)
                yield " ".join(str(one.predicate.value).replace(" ", ""))


class _Model(_Suite):
    def policy(self, messages: Sequence[ChatMessage]) -> str:
        raise NotImplementedError

    def voice(self, rule: RuleUser, shelf: Shelf) -> Voice:
        return ModelVoice(Scripted(self.policy), user_rules(rule.task, shelf.wording))


class TestBland(_Model):
    def policy(self, messages: Sequence[ChatMessage]) -> str:
        return bland(messages)


class TestGossip(_Model):
    def policy(self, messages: Sequence[ChatMessage]) -> str:
        return gossip(messages)


class TestWhisperer(_Model):
    def policy(self, messages: Sequence[ChatMessage]) -> str:
        return whisperer(messages)


class TestThinker(_Model):
    def policy(self, messages: Sequence[ChatMessage]) -> str:
        return thinker(messages)


class TestSwapper(_Model):
    """Its trials end by a fault that is the user's: no agent is scored by them."""

    def policy(self, messages: Sequence[ChatMessage]) -> str:
        return swapper(messages)

    def test_the_oracle_scores_full_marks(self) -> None:
        for task in filter(self.satisfiable, self.tasks().values()):  # In others it says nothing.
            transcript = trial_of(self.make_oracle(task), self.make_episode(task))
            assert self.score(task, transcript).success is None

    def test_the_null_agent_scores_nothing(self) -> None:
        for task in filter(self.satisfiable, self.tasks().values()):
            transcript = trial_of(self.make_null(task), self.make_episode(task))
            assert not self.score(task, transcript).success


class Plain:
    """A person's own user that tells all it knows."""

    def __init__(self, task: Task) -> None:
        self.told = ". ".join(str(one.predicate.value) for one in task.requirements)

    def open(self) -> str:
        return self.told

    def hear(self, text: str) -> str:
        return f"{self.told}. {text[-20:]}"


class Later(OwnUser):
    """The same, asynchronous."""

    def __init__(self, task: Task) -> None:
        self.plain = Plain(task)

    async def open(self) -> str:
        return self.plain.open()

    async def hear(self, text: str) -> str:
        return self.plain.hear(text)


class TestOwn(_Suite):
    def voice(self, rule: RuleUser, _: Shelf) -> Voice:
        return OwnVoice(Plain(rule.task))


class TestOwnAsynchronous(_Suite):
    def voice(self, rule: RuleUser, _: Shelf) -> Voice:
        return OwnVoice(Later(rule.task))


def test_the_users_do_what_they_are_made_for() -> None:
    task = load_tasks("tau_rec/films@1").by_id["f003-hidden"]
    for suite in (TestGossip(), TestWhisperer(), TestOwn()):
        transcript = trial_of(suite.make_oracle(task), suite.make_episode(task))
        said = events_of(transcript, UserSaid)
        assert all(one.leaks and one.stood_in for one in said[:1])
    thought = trial_of(TestThinker().make_oracle(task), TestThinker().make_episode(task))
    assert all(one.drafts and not one.leaks for one in events_of(thought, UserSaid))
