"""Events are frozen, tagged, and strict about what they hold."""

from __future__ import annotations

from typing import get_args

import msgspec
import pytest

from mystery_shopper.dialogue import Ended, Ending, Event, Fault, ToolCalled, UserSaid

TAGS = {
    "user_said",
    "not_understood",
    "agent_said",
    "agent_noted",
    "reference_said",
    "tool_called",
    "tool_returned",
    "foreign_tools",
    "foreign_call",
    "verdict",
    "stage_changed",
    "ended",
}


def test_every_kind_has_its_tag() -> None:
    assert {kind.__struct_config__.tag for kind in get_args(Event)} == TAGS


@pytest.mark.parametrize("kind", get_args(Event))
def test_every_kind_is_frozen_and_closed(kind: type[msgspec.Struct]) -> None:
    assert kind.__struct_config__.frozen
    assert kind.__struct_config__.forbid_unknown_fields


def test_an_event_cannot_be_altered() -> None:
    event = UserSaid("hello")
    with pytest.raises(AttributeError):
        event.text = "bye"  # pyright: ignore[reportAttributeAccessIssue]


def test_defaults_are_left_out_and_come_back() -> None:
    event = Ended(Ending.FINISHED)
    text = msgspec.json.encode(event)
    assert text == b'{"type":"ended","kind":"finished"}'
    assert msgspec.json.decode(text, type=Event) == event
    assert msgspec.json.decode(msgspec.json.encode(ToolCalled("1", "x")), type=Event) == ToolCalled(
        "1", "x", None
    )


@pytest.mark.parametrize(
    "text",
    [
        '{"type":"ended","kind":"vanished"}',
        '{"type":"sneezed"}',
        '{"kind":"finished"}',
        '{"type":"agent_said","text":null}',
        '{"type":"agent_said","text":"x","mood":"gay"}',
        "[]",
    ],
)
def test_what_is_no_event_is_refused(text: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=Event)


def test_only_three_can_be_at_fault() -> None:
    assert {fault.value for fault in Fault} == {"agent", "user", "infrastructure"}
