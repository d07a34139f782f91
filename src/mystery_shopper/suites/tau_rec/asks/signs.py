"""What a phrase can be a sign of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final


class Sign:
    """Plain numbers, for they are compared at every word.

    The first few tell of a field or of the catalogue; the others are grammar.

    NOUN names the field, PHRASE names it without its noun, VALUE is one of its values, WEAK a value
    that is an ordinary word as well. SENSE: what stands here means something else. CONTEXT: the
    clause is about another matter. OTHER: a noun of a matter that no field covers. BORROWED: a
    value of another field that may be this one's. THING: a noun for an item. LABEL: a label of the
    catalogue that is an everyday word or belongs to several fields. NAME: one of so many labels
    that they must be names.

    The grammar is explained where its patterns stand, in the shipped file of English words.
    """

    NOUN: Final = 0
    PHRASE: Final = 1
    VALUE: Final = 2
    WEAK: Final = 3
    SENSE: Final = 4
    CONTEXT: Final = 5
    OTHER: Final = 6
    BORROWED: Final = 7
    THING: Final = 8
    LABEL: Final = 9
    ASK: Final = 10
    AFTER: Final = 11
    NEGATED: Final = 12
    KNOWN: Final = 13
    SETTLED: Final = 14
    EXCEPT: Final = 15
    GROUND: Final = 16
    PLAN: Final = 17
    ITEM: Final = 18
    PROCESS: Final = 19
    RHETORIC: Final = 20
    TOPIC: Final = 21
    IF: Final = 22
    HEDGE: Final = 23
    CHECK: Final = 24
    INVITE: Final = 25
    POINTER: Final = 26
    GENERIC: Final = 27
    SERVICE: Final = 28
    EXAMPLE: Final = 29
    WISH: Final = 30
    RECAP: Final = 31
    PRONOUN: Final = 32
    OPENING: Final = 33
    LOOSE_WISH: Final = 34
    COAX: Final = 35
    NAME: Final = 36


GRAMMAR: Mapping[str, int] = {
    "ask": Sign.ASK,
    "after": Sign.AFTER,
    "negated": Sign.NEGATED,
    "known": Sign.KNOWN,
    "settled": Sign.SETTLED,
    "except": Sign.EXCEPT,
    "ground": Sign.GROUND,
    "plan": Sign.PLAN,
    "item": Sign.ITEM,
    "process": Sign.PROCESS,
    "rhetoric": Sign.RHETORIC,
    "topic": Sign.TOPIC,
    "if": Sign.IF,
    "hedge": Sign.HEDGE,
    "check": Sign.CHECK,
    "invite": Sign.INVITE,
    "pointer": Sign.POINTER,
    "generic": Sign.GENERIC,
    "service": Sign.SERVICE,
    "example": Sign.EXAMPLE,
    "wish": Sign.WISH,
    "recap": Sign.RECAP,
    "pronoun": Sign.PRONOUN,
    "opening": Sign.OPENING,
    "loose_wish": Sign.LOOSE_WISH,
    "coax": Sign.COAX,
}
"""The signs whose patterns stand in the shipped file, by their names there."""
