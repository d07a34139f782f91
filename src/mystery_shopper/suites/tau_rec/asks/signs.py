"""What a phrase can be a sign of."""

from __future__ import annotations

from enum import IntEnum


class Sign(IntEnum):
    """The first tell of a field or of the catalogue; the others are grammar.

    NOUN names the field, PHRASE names it without its noun, VALUE is one of its values, WEAK a value
    that is an ordinary word as well. SENSE: what stands here means something else. CONTEXT: the
    clause is about another matter. OTHER: a noun of a matter that no field covers. BORROWED: another
    field's value that may be this one's. THING: a noun for an item.

    ASK begins a request, AFTER marks what came before it as requested. NEGATED: a request is ruled
    out. KNOWN: what follows is known, SETTLED: what came before is. EXCEPT: what follows is left
    out. GROUND: what follows is a reason. PLAN: what the speaker will do then. ITEM: the question
    is about a proposal or about what the customer has seen. PROCESS: about how to go on. RHETORIC:
    no question. TOPIC: what follows is what the question is about. IF: a condition. HEDGE: what
    follows is assumed. RECAP: what follows sums up. CHECK: asks whether what was just said is right. INVITE: asks to be
    corrected. POINTER: stands for what was just named, as PRONOUN
    may. GENERIC: asks for any requirement. SERVICE:
    sounds like it but is not. WISH: a word for a requirement, LOOSE_WISH:
    one for it among other things. OPENING: asks for any requirement unless for a field. EXAMPLE: what follows are examples.
    """

    NOUN = 0
    PHRASE = 1
    VALUE = 2
    WEAK = 3
    SENSE = 4
    CONTEXT = 5
    OTHER = 6
    BORROWED = 7
    THING = 8
    ASK = 10
    AFTER = 11
    NEGATED = 12
    KNOWN = 13
    SETTLED = 14
    EXCEPT = 15
    GROUND = 16
    PLAN = 17
    ITEM = 18
    PROCESS = 19
    RHETORIC = 20
    TOPIC = 21
    IF = 22
    HEDGE = 23
    CHECK = 24
    INVITE = 25
    POINTER = 26
    GENERIC = 27
    SERVICE = 28
    EXAMPLE = 29
    WISH = 30
    RECAP = 31
    PRONOUN = 32
    OPENING = 33
    LOOSE_WISH = 34
