"""A model as the writer: nothing it says is taken unchecked, and nothing it does breaks the set."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
import pytest

from mystery_shopper.dialogue.models import ChatMessage, ChatReply
from mystery_shopper.dialogue.tools import ToolSpec
from mystery_shopper.foundation import ContextOverflow, InfrastructureFault
from mystery_shopper.suites.recbench.query import Given, Kind, Query, QuerySet, Style
from mystery_shopper.suites.recbench.wording import CheckedTemplates, Fault, ModelWriter, reword
from mystery_shopper.suites.recbench.wording.check import LONGEST_WORDING
from mystery_shopper.suites.recbench.wording.writer import DRAWS, NO_ANSWER, Worded, tidied

from .made import Place, films
from .made_set import drawn_set


class Scripted:
    """Answers with what a function makes of the chat; keeps the chats."""

    def __init__(self, answer: Callable[[Sequence[ChatMessage]], object]) -> None:
        self.answer = answer
        self.chats: list[Sequence[ChatMessage]] = []

    async def reply(
        self,
        messages: Sequence[ChatMessage],
        tools: Sequence[ToolSpec] = (),
        shape: Mapping[str, Any] | None = None,
    ) -> ChatReply:
        del tools, shape
        self.chats.append(messages)
        given = self.answer(messages)
        if isinstance(given, BaseException):
            raise given
        return given if isinstance(given, ChatReply) else ChatReply(given)  # type: ignore[arg-type]


def writer_of(answer: Callable[[Sequence[ChatMessage]], object], place: Place) -> ModelWriter:
    return ModelWriter(Scripted(answer), CheckedTemplates(place.writer, place.checker))


def write(answer: Callable[[Sequence[ChatMessage]], object], query: Query) -> Worded:
    return asyncio.run(writer_of(answer, films()).write(query, 5))


EXPLICIT = films().query(Kind.EXPLICIT, Style.DIRECT, 1, 3)
IMPLICIT = films().query(Kind.IMPLICIT, Style.DIRECT, 2, 8)
MISINFORMED = films().query(Kind.MISINFORMED, Style.SITUATIONAL, 2, 8)


def test_a_sound_draft_is_taken() -> None:
    value = EXPLICIT.parts[0].value
    found = write(lambda _: f'  "I would like\n {value}, please." ', EXPLICIT)
    assert found == Worded(f"I would like {value}, please.", "model", (), 1)


def test_a_draft_that_fails_is_drawn_again_with_the_reason() -> None:
    value = EXPLICIT.parts[0].value
    model = Scripted(lambda chat: "Anything good?" if len(chat) == 2 else f"{value}, please.")
    templates = CheckedTemplates(films().writer, films().checker)
    found = asyncio.run(ModelWriter(model, templates).write(EXPLICIT, 5))
    assert found == Worded(f"{value}, please.", "model", (Fault.UNNAMED.value,), 2)
    assert [message.role for message in model.chats[1]] == ["system", "user", "assistant", "user"]
    assert f"a value is not named: {value}" in model.chats[1][-1].text


HOSTILE: dict[str, Callable[[Sequence[ChatMessage]], object]] = {
    "empty": lambda _: "",
    "huge": lambda _: "crime " * 1_000_000,
    "none": lambda _: None,
    "number": lambda _: 7,
    "bytes": lambda _: b"\xff\xfe",
    "surrogates": lambda _: "\ud800" * 50,
    "refused": lambda _: ChatReply("No.", stop="refused"),
    "overflow": lambda _: ContextOverflow("full"),
    "crash": lambda _: ValueError("x" * 10_000),
    "echo": lambda chat: chat[1].text,
    "prompt": lambda chat: chat[0].text,
    "thoughts": lambda chat: f"<think>hm</think> {_facts_only(chat)}",
    "assistant": lambda chat: f"{_facts_only(chat)} You might also like it.",
    "json": lambda _: '{"message": "crime"}',
}


@pytest.mark.parametrize("name", list(HOSTILE))
@pytest.mark.parametrize("query", [EXPLICIT, IMPLICIT, MISINFORMED])
def test_whatever_a_model_does_a_template_stands_in(name: str, query: Query) -> None:
    model = Scripted(HOSTILE[name])
    templates = CheckedTemplates(films().writer, films().checker)
    found = asyncio.run(ModelWriter(model, templates).write(query, 5))
    assert (found.text, found.by, found.drafts) == (templates(query, 5), "template", DRAWS)
    assert len(model.chats) == DRAWS
    assert found.rejected
    assert set(found.rejected) <= {NO_ANSWER, *Fault}
    longest = max(len(message.text) for chat in model.chats for message in chat[2:]) if any(
        len(chat) > 2 for chat in model.chats) else 0  # fmt: skip
    assert longest <= LONGEST_WORDING + 1


def test_the_value_behind_a_reference_and_the_answers_are_never_told() -> None:
    place = films()
    for seed in range(60):
        query = place.query(Kind.IMPLICIT, Style.DIRECT, 1 + seed % 4, seed)
        masked = next(part.value for part in query.parts if part.given is Given.REFERENCE)
        model = Scripted(lambda _, masked=masked: f"Films by {masked}, please.")
        templates = CheckedTemplates(place.writer, place.checker)
        asyncio.run(ModelWriter(model, templates).write(query, seed))
        told = [message.text for message in model.chats[-1] if message.role != "assistant"]
        assert not any(masked in text for text in told), (masked, told)


@pytest.mark.parametrize("kind", list(Kind))
def test_the_facts_told_are_enough_for_a_sound_text(kind: Kind) -> None:
    """A model that hands on the facts word for word passes the checks."""
    place = films()
    taken = 0
    for seed in range(30):
        query = place.query(kind, Style.DIRECT, 1 + seed % 3, seed)
        facts = writer_of(_facts_only, place)
        taken += asyncio.run(facts.write(query, seed)).by == "model"
    assert taken >= 28


def _facts_only(chat: Sequence[ChatMessage]) -> str:
    lines = [line[2:] for line in chat[1].text.splitlines() if line.startswith("- ")]
    text = " ".join(lines)
    for told, said in (
        ("The person knows: ", ""),
        ("Wanted:", "Any"),
        ("The person is", "I am"),
        ("The person has", "I have"),
    ):
        text = text.replace(told, said)
    return text


def test_a_provider_out_of_reach_is_no_draft() -> None:
    with pytest.raises(InfrastructureFault):
        write(lambda _: InfrastructureFault("down"), EXPLICIT)


def test_tidied_takes_off_marks_around_the_whole_only() -> None:
    assert tidied(' "Any films?" ') == "Any films?"
    assert tidied("“Any films?”") == "Any films?"
    assert tidied('"Heat" was good. So was "Taxi"') == '"Heat" was good. So was "Taxi"'
    assert tidied('"') == '"'


def test_a_set_is_reworded_the_same_whatever_comes_first() -> None:
    place, plain = drawn_set()
    accounts: list[object] = []
    sets: list[QuerySet] = []
    for at_once in (1, 7):
        model = writer_of(_every_other, place)
        found, account = asyncio.run(reword(plain, model, 3, at_once))
        sets.append(found)
        accounts.append(account)
    assert sets[0] == sets[1]
    assert accounts[0] == accounts[1]
    assert [q.id for q in sets[0].queries] == [q.id for q in plain.queries]
    assert all(query.text for query in sets[0].queries)
    lines = account.lines()
    assert sum(account.styles.values()) == sum(account.writers.values()) == len(plain.queries)
    assert 0 < sum(account.stood_in.values()) < len(plain.queries)
    assert sum(n for (_, who), n in account.writers.items() if who == "template") == sum(
        account.stood_in.values()
    )
    assert any(line.startswith("explicit: ") and "stood in for the model" in line for line in lines)
    assert any(line.startswith("drafts rejected, no request of a person's: ") for line in lines)
    assert msgspec.structs.replace(sets[0], queries=()) == msgspec.structs.replace(
        plain, queries=()
    )


def _every_other(chat: Sequence[ChatMessage]) -> str:
    return _facts_only(chat) if len(chat[1].text) % 2 else ""
