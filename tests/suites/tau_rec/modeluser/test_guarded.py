"""Model users over a scripted model: what they get, what is let out, and what is counted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mystery_shopper.catalog import Operator, Predicate
from mystery_shopper.dialogue import (
    Ended,
    Event,
    Fault,
    Say,
    Transcript,
    UserSaid,
    Verdict,
    rollout,
    rollout_async,
)
from mystery_shopper.dialogue.models import ChatMessage, ChatReply
from mystery_shopper.engine.loading import load_shelf, load_tasks
from mystery_shopper.suites.tau_rec.guard import Disclosure, Ear
from mystery_shopper.suites.tau_rec.modeluser import (
    GuardedUser,
    ModelVoice,
    OwnVoice,
    TapedVoice,
)
from mystery_shopper.suites.tau_rec.modeluser.guarded import words_of
from mystery_shopper.suites.tau_rec.modeluser.prompt import TAGS, heard, user_rules
from mystery_shopper.suites.tau_rec.shelf import Shelf
from mystery_shopper.suites.tau_rec.stage import Setting, set_stage
from mystery_shopper.suites.tau_rec.task import (
    FORMATS_FACT,
    Condition,
    Family,
    Reveal,
    Task,
    Tier,
    fact,
)
from mystery_shopper.suites.tau_rec.user import RuleUser
from mystery_shopper.suites.tau_rec.wording import ACCEPTED, REJECTED
from mystery_shopper.testing import ScriptedAgent, call, events_of

ASK = "Do you have requirements on genre, language, country, release year or format?"
END = call("recommend", item_id=None)


@cache
def shelf(name: str) -> Shelf:
    return load_shelf(name, None)


@cache
def ear(name: str) -> Ear:
    return Ear(shelf(name).catalogue)


@cache
def tasks(name: str) -> tuple[Task, ...]:
    found = load_tasks(f"tau_rec/{name}@1").by_id.values()
    return tuple(task for task in found if task.condition is not Condition.VOLUNTEER)


@cache
def hidden_task() -> Task:
    """Horror is stated, Japan is told when asked, Sci-Fi is hidden."""
    family = Family(
        id="f001",
        tier=Tier.MEDIUM,
        template=(),
        predicates=(
            Predicate("genre", Operator.CONTAINS, "Horror"),
            Predicate("country", Operator.WITHIN, "Japan"),
            Predicate("genre", Operator.CONTAINS, "Sci-Fi"),
        ),
        reveals={Condition.HIDDEN: (Reveal.STATED, Reveal.ON_ASK, Reveal.HIDDEN)},
        formats=("DVD", "download"),
        history=(),
        satisfiable=True,
        persona="A baker who types in a hurry.",
        answers={},
    )
    return Task(family, Condition.HIDDEN)


@dataclass
class ScriptedModel:
    """Answers by a function of the messages; keeps what it was asked."""

    answer: Callable[[Sequence[ChatMessage]], str | ChatReply]
    asked: list[list[ChatMessage]] = field(default_factory=list[list[ChatMessage]])

    async def reply(
        self, messages: Sequence[ChatMessage], tools: Any = (), shape: Any = None
    ) -> ChatReply:
        assert not tools
        assert shape is None
        self.asked.append(list(messages))
        found = self.answer(messages)
        return found if isinstance(found, ChatReply) else ChatReply(found)


def in_turn(*replies: str | ChatReply) -> ScriptedModel:
    left = list(replies)
    return ScriptedModel(lambda _: left.pop(0) if len(left) > 1 else left[0])


def play(
    task: Task, model: Any, *acts: Any, name: str = "films", enforce: bool = True, **more: Any
) -> tuple[Transcript, ScriptedAgent]:
    rules = user_rules(task, shelf(name).wording, **more)

    def speaker(rule: RuleUser, _: Shelf) -> GuardedUser:
        return GuardedUser(rule, ear(name), lambda: ModelVoice(model, rules), enforce)

    agent = ScriptedAgent(acts, END)
    episode = set_stage(task, shelf(name), Setting(), speaker)
    return asyncio.run(rollout_async(episode, agent)).transcript, agent


def said(transcript: Transcript) -> list[UserSaid]:
    return events_of(transcript, UserSaid)


def values(task: Task, *reveals: Reveal) -> list[str]:
    return [str(one.predicate.value) for one in task.requirements if one.reveal in reveals]


def facts(task: Task, *reveals: Reveal) -> set[str]:
    return {fact(one.predicate) for one in task.requirements if one.reveal in reveals}


# --- what the model gets ------------------------------------------------------------------------


def test_the_model_gets_rules_facts_and_tags() -> None:
    task = hidden_task()
    rules = user_rules(task, shelf("films").wording)
    for one in task.requirements:
        line = shelf("films").wording.requirement(one.predicate)
        assert f"[{TAGS[one.reveal]}] {line}" in rules
    for accepted in task.family.formats:
        assert accepted in rules
    assert task.family.persona not in rules
    assert task.family.persona in user_rules(task, shelf("films").wording, persona=True)


def test_the_model_gets_wishes_that_tell_nothing() -> None:
    task = hidden_task()
    soft = ("a rainy mood", "not too much sci-fi")
    wishing = Task(msgspec.structs.replace(task.family, soft=soft), task.condition)
    rules = user_rules(wishing, shelf("films").wording)
    assert f"[{TAGS[Reveal.ON_ASK]}] A wish, not a requirement: a rainy mood." in rules
    assert "not too much" not in rules


def test_the_model_gets_the_conversation_and_the_verdict() -> None:
    task = hidden_task()
    film = shelf("films").catalogue.item(0)
    proposal = f"How about this? [[candidate_id:{film.id}]]"
    model = in_turn("Hello.", "Just go on.", "Fine.")
    transcript, _ = play(task, model, Say("Well?"), Say(proposal))
    [verdict] = events_of(transcript, Verdict)
    last = [(message.role, message.text) for message in model.asked[-1]]
    assert last[2:] == [
        ("assistant", "Hello."),
        ("user", "Well?"),
        ("assistant", "Just go on."),
        ("user", heard(proposal, verdict)),
    ]
    assert "rejected" in last[-1][1]
    text = said(transcript)[-1].text
    assert text == f"{REJECTED}\nFine."


def test_verdicts_are_codes_whatever_the_model_says() -> None:
    task = hidden_task()
    catalogue = shelf("films").catalogue
    fits = next(
        item
        for item in map(catalogue.item, range(len(catalogue)))
        if all(one.predicate.matches(item) for one in task.requirements)
    )
    misses = next(
        item
        for item in map(catalogue.item, range(len(catalogue)))
        if not any(one.predicate.matches(item) for one in task.requirements)
    )
    model = in_turn("Hello.", f"{REJECTED} No thanks.", f"{ACCEPTED}\n{ACCEPTED} I take it.", "Hm.")
    transcript, _ = play(
        task,
        model,
        Say(f"[[candidate_id:{fits.id}]]"),
        Say(f"[[candidate_id:{misses.id}]]"),
        Say("[[candidate_id:nobody]]"),
    )
    assert [v.accepted for v in events_of(transcript, Verdict)] == [True, False, None]
    assert [one.text for one in said(transcript)][1:] == [
        f"{ACCEPTED}\nNo thanks.",
        f"{REJECTED}\nI take it.",
        "Hm.",
    ]


# --- disclosure ---------------------------------------------------------------------------------


def test_disclosed_is_what_code_finds() -> None:
    task = hidden_task()
    on_ask = values(task, Reveal.ON_ASK)
    stated = " and ".join(values(task, Reveal.STATED))
    model = in_turn(f"Something with {stated}.", f"Let it be {on_ask[0]}.", "That is all.")
    transcript, _ = play(task, model, Say(ASK), Say(ASK))
    opening, first, second = said(transcript)
    assert set(opening.disclosed) == facts(task, Reveal.STATED)
    assert opening.withheld == ()
    told = next(fact(r.predicate) for r in task.requirements if str(r.predicate.value) == on_ask[0])
    assert first.disclosed == (told,)
    due = facts(task, Reveal.STATED, Reveal.ON_ASK) | (
        {FORMATS_FACT} if task.family.formats else set()
    )
    left = due - {told} - set(opening.disclosed)
    assert set(first.withheld) == left
    assert set(second.withheld) == left
    score = shelf("films").scorer.score(task, transcript)
    assert (score.withheld, score.leaks, score.elicited_facts) == (len(left), 0, 1)


def test_a_leak_is_drawn_again_and_counted() -> None:
    task = hidden_task()
    [hidden] = values(task, Reveal.HIDDEN)
    model = in_turn("Hello.", f"It must be {hidden}.", "I would rather not say.")
    transcript, agent = play(task, model, Say("Well?"))
    leaked = said(transcript)[1]
    assert leaked.text == "I would rather not say."
    assert leaked.leaks == tuple(facts(task, Reveal.HIDDEN))
    assert leaked.drafts == (f"It must be {hidden}.",)
    assert not leaked.stood_in
    assert all(hidden not in message.text for message in agent.views[-1].messages)
    # The draft stood before the model once, and not in the chat that goes on.
    assert model.asked[-1][-2].text == leaked.drafts[0]
    score = shelf("films").scorer.score(task, transcript)
    assert (score.leaks, score.leaked, score.stood_in) == (1, 0, 0)


def test_after_three_the_rule_based_reply_stands_in() -> None:
    task = hidden_task()
    [hidden] = values(task, Reveal.HIDDEN)
    model = in_turn("Hello.", *[f"{hidden}!"] * 3, "Anything.")
    transcript, agent = play(task, model, Say(ASK), Say("Well?"))
    rule = RuleUser(
        task, shelf("films").catalogue, shelf("films").reader, shelf("films").wording
    ).hear(ASK)[-1]
    assert isinstance(rule, UserSaid)
    stood = said(transcript)[1]
    assert stood.stood_in
    assert (stood.text, set(stood.disclosed)) == (rule.text, set(rule.disclosed))
    assert stood.drafts == (f"{hidden}!",) * 3
    assert len(stood.leaks) == 3
    assert len(model.asked) == 5
    # The model goes on with what was said in its name.
    assert [m.text for m in model.asked[-1] if m.role == "assistant"] == ["Hello.", rule.text]
    assert all(hidden not in message.text for message in agent.views[-1].messages)
    assert shelf("films").scorer.score(task, transcript).stood_in == 1


def test_without_enforcement_leaks_pass_and_count() -> None:
    task = hidden_task()
    [hidden] = values(task, Reveal.HIDDEN)
    model = in_turn("Hello.", f"It must be {hidden}.", "Fine.")
    transcript, agent = play(task, model, Say("Well?"), enforce=False)
    leaked = said(transcript)[1]
    assert leaked.text == f"It must be {hidden}."
    assert leaked.drafts == ()
    assert set(leaked.leaks) == set(leaked.disclosed) == facts(task, Reveal.HIDDEN)
    assert any(hidden in message.text for message in agent.views[-1].messages)
    score = shelf("films").scorer.score(task, transcript)
    assert (score.leaks, score.leaked) == (1, 1)


WRAPS = (
    "{}", "I want {}.", "Well, {} would do, I suppose", "*{}*", "it is {}, you know; go on",
    "I'd rather not say that it is {}", "Yes! {}!", "My secret: {}", "not {}, but yes", "({})",
)  # fmt: skip


@settings(max_examples=60)
@given(st.data())
def test_a_leaking_model_never_shows_the_value(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(("films", "shop")))
    task = data.draw(st.sampled_from(tasks(name)))
    hidden = [one for one in task.requirements if one.reveal is not Reveal.STATED]
    spoken = [
        w.format(shelf(name).wording.requirement(one.predicate) if n else one.predicate.value)
        for one, n, w in zip(
            hidden,
            data.draw(st.lists(st.booleans(), min_size=len(hidden), max_size=len(hidden))),
            data.draw(st.lists(st.sampled_from(WRAPS), min_size=len(hidden), max_size=len(hidden))),
            strict=True,
        )
        if not isinstance(one.predicate.value, bool) or n
    ]
    model = in_turn(*spoken, "Hello.", *spoken)
    transcript, agent = play(task, model, Say("Hello."), Say("Well?"), name=name)
    counted = sum(len(one.leaks) for one in said(transcript))
    assert counted > 0 or not spoken
    check = Disclosure(task, ear(name))
    for message in agent.views[-1].messages:
        if message.role == "user":
            assert check.judge(message.text).leaks == ()
            for one in hidden:
                if isinstance(one.predicate.value, str):
                    assert one.predicate.value.lower() not in message.text.lower().split()


# --- faults of the simulator --------------------------------------------------------------------


@pytest.mark.parametrize(
    "bad",
    ["", "<think>Hm. ###STOP###</think>", "I'd recommend Jaws.", '{"a": 1}', "###ACCEPTED###"],
)
def test_a_faulty_reply_is_drawn_again_once(bad: str) -> None:
    task = hidden_task()
    transcript, _ = play(task, in_turn("Hello.", bad, "Go on."), Say("Well?"))
    assert said(transcript)[1].text == "Go on."
    assert said(transcript)[1].drafts == (bad,)
    assert transcript.ended
    assert transcript.ended.fault is None


@pytest.mark.parametrize("place", [0, 1])
def test_twice_is_the_users_fault(place: int) -> None:
    task = hidden_task()
    model = in_turn(*["Hello."] * place, "")
    transcript, _ = play(task, model, Say("Well?"))
    assert transcript.ended
    assert transcript.ended.fault is Fault.USER
    assert "it is empty" in transcript.ended.detail
    assert shelf("films").scorer.score(task, transcript).success is None
    assert len(model.asked) == place + 2


def test_a_full_window_is_the_users_fault() -> None:
    model = in_turn("Hello.", ChatReply("", stop="overflow"))
    transcript, _ = play(hidden_task(), model, Say("Well?"))
    assert transcript.ended
    assert transcript.ended.fault is Fault.USER


def test_a_marker_in_the_reasoning_ends_nothing() -> None:
    model = in_turn("Hello.", "Go on. ###STOP###")
    transcript, agent = play(hidden_task(), model, Say("Well?"), Say("And?"))
    assert [one.text for one in said(transcript)] == ["Hello.", "Go on.", "Go on."]
    assert len(agent.views) == 3


# --- a person's own, and the record -------------------------------------------------------------


class Own:
    def __init__(self, *words: Any) -> None:
        self.words = list(words)
        self.heard: list[str] = []

    def open(self) -> Any:
        return self.words.pop(0)

    def hear(self, text: str) -> Any:
        self.heard.append(text)
        return self.words.pop(0)


def with_own(own: Any, *acts: Any, enforce: bool = True) -> list[Event]:
    def speaker(rule: RuleUser, _: Shelf) -> GuardedUser:
        return GuardedUser(rule, ear("films"), lambda: OwnVoice(own), enforce)

    episode = set_stage(hidden_task(), shelf("films"), Setting(), speaker)
    return list(rollout(episode, ScriptedAgent(acts, END)).transcript.events)


def test_a_plain_user_of_ones_own_answers_at_once() -> None:
    [hidden] = values(hidden_task(), Reveal.HIDDEN)
    own = Own("Hi.", hidden, "Go on.")
    events = with_own(own, Say("Well?"))
    found = [event for event in events if isinstance(event, UserSaid)]
    assert [one.text for one in found] == ["Hi.", "Go on."]
    assert found[1].drafts == (hidden,)
    assert own.heard == ["Well?", "Well?"]


@pytest.mark.parametrize("words", [None, 3, ["a"]])
def test_what_is_no_text_is_its_fault(words: Any) -> None:
    ended = with_own(Own("Hi.", words), Say("Well?"))[-1]
    assert isinstance(ended, Ended)
    assert ended.fault is Fault.USER
    assert "must answer with text" in ended.detail


def test_the_tape_says_it_all_again() -> None:
    task = hidden_task()
    [hidden] = values(task, Reveal.HIDDEN)
    model = in_turn("Hello.", "", hidden, "Well.", *[hidden] * 3, "Fine.")
    acts = (Say("Well?"), Say(ASK), Say("[[candidate_id:tt0]]"))
    transcript, _ = play(task, model, *acts)
    tape = TapedVoice.of([word for one in said(transcript) for word in words_of(one)])

    def speaker(rule: RuleUser, _: Shelf) -> GuardedUser:
        return GuardedUser(rule, ear("films"), lambda: tape)

    episode = set_stage(task, shelf("films"), Setting(), speaker)
    assert rollout(episode, ScriptedAgent(acts, END)).transcript == transcript
    assert not tape.over
