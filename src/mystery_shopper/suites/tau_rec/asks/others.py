"""Which fields are asked about of which nothing is ever required."""

from __future__ import annotations

from mystery_shopper.suites.tau_rec.asks.patterns import FREE
from mystery_shopper.suites.tau_rec.asks.sentence import Mention, Sentence
from mystery_shopper.suites.tau_rec.asks.tokens import DASH

_JOINTS = frozenset((",", ";", ":", DASH, "and", "or", "/", "(", ")", "plus", "also"))


def others_in(sentence: Sentence, mentions: list[Mention]) -> int:
    """Those asked in one stretch.

    A noun that only says of what a required field is asked does not count: "the author's country",
    "what language should the actors speak".
    """
    fields = 0
    for mention in mentions:
        if mention.field >= FREE and not any(
            other.field < FREE and _is_bound(sentence.tokens, mention, other) for other in mentions
        ):
            fields |= 1 << mention.field
    return fields


def _is_bound(tokens: list[str], mention: Mention, other: Mention) -> bool:
    first, last = (mention, other) if mention.start < other.start else (other, mention)
    return _JOINTS.isdisjoint(tokens[first.end : last.start])
