"""The transcript: what happened in one episode, in order."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from mystery_shopper.dialogue.events import (
    AgentNoted,
    AgentSaid,
    Ended,
    Event,
    ForeignCall,
    ForeignTools,
    ToolCalled,
)


class Transcript(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The events of one episode; the last is `Ended` once it is over."""

    events: tuple[Event, ...] = ()

    @property
    def ended(self) -> Ended | None:
        """The ending, or None while the episode lasts."""
        last = self.events[-1] if self.events else None
        return last if isinstance(last, Ended) else None

    def by_turn(self) -> Iterator[tuple[int, Event]]:
        """(turn, event): the opening is turn 0; turn n holds the agent's nth stretch of work, its
        words to the user, and what these brought about. An episode that opens with no events, or
        with a line of the agent's own as `ReferenceSaid`, has its first stretch in turn 1 too."""
        turn, spoken = 0, True
        for event in self.events:
            if spoken and is_agents(event):
                turn, spoken = turn + 1, False
            spoken = spoken or isinstance(event, AgentSaid)
            yield turn, event

    def to_json(self) -> bytes:
        """JSON text; `from_json` gives an equal transcript back."""
        return msgspec.json.encode(self)

    @classmethod
    def from_json(cls, text: bytes | str) -> Transcript:
        """The transcript of a JSON text. Raises msgspec.ValidationError if it is none."""
        return msgspec.json.decode(text, type=cls)


def is_agents(event: Event) -> bool:
    """Whether the event is an act of the agent's."""
    return isinstance(event, AgentSaid | AgentNoted | ToolCalled | ForeignTools | ForeignCall)
