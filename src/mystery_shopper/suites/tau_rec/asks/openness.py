"""Whether a sentence asks for the customer's wishes in words that name no matter of their own."""

from __future__ import annotations

from functools import cache

from mystery_shopper.catalog.words import shared_words
from mystery_shopper.suites.tau_rec.asks.sentence import Sentence
from mystery_shopper.suites.tau_rec.asks.signs import Sign

_AWAY = frozenset(
    (Sign.ITEM, Sign.PROCESS, Sign.SERVICE, Sign.RHETORIC, Sign.CHECK, Sign.INVITE, Sign.HEDGE,
     Sign.KNOWN, Sign.OTHER),
)  # fmt: skip
_LONGEST = 24
_PERSONS = frozenset("you your yours yourself".split())
_LEADS = frozenset(("please", "kindly", "pray"))
_APPEALS = frozenset(
    "hope wait waiting await need soon once until unless welcome love guess".split()
)


def is_open(sentence: Sentence) -> bool:
    """Whether nothing is named but the wanting, the telling and the item: "mind filling the gaps?".

    Only for sentences that name no field. A statement must appeal to the customer besides: "I can
    start as soon as I know what you need", "pitch me your perfect one".
    """
    tokens = sentence.tokens
    if len(tokens) > _LONGEST or sentence.mentions or _wanting().isdisjoint(tokens):
        return False
    if any(mark[2] in _AWAY for mark in sentence.marks):
        return False
    verb = 0
    if not sentence.asking and sentence.end != "?":
        lead = int(tokens[0] in _LEADS)
        verb = lead + 1 if tokens[lead + 1 : lead + 2] in (["me"], ["us"]) else 0
        appeals = verb or not _APPEALS.isdisjoint(tokens)
        if not appeals or _PERSONS.isdisjoint(tokens):
            return False
    elif tokens[0] in _LEADS:
        verb = 2
    things = {at for m in sentence.marks if m[2] == Sign.THING for at in range(m[0], m[1])}
    return all(
        token in _plain() or token in _wanting() or at in things or not token[-1].isalnum()
        for at, token in enumerate(tokens)
        if token != "'s" and at >= verb
    )


@cache
def _plain() -> frozenset[str]:
    return frozenset(word for line in shared_words("plain") for word in line.split())


@cache
def _wanting() -> frozenset[str]:
    return frozenset(word for line in shared_words("wanting") for word in line.split())
