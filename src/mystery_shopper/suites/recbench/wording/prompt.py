"""What a model that words queries is told, in words of our own.

It is told the facts that the text must hold and no more: neither the answers nor, of a reference,
the value behind it. `WRITER_PROMPT_VERSION` changes with any word of it.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from mystery_shopper.foundation import random_source
from mystery_shopper.suites.recbench.query import Given, Kind, Part, Query, Style
from mystery_shopper.suites.recbench.wording.phrases import (
    agreeing,
    filled,
    listed,
    quoted,
    spoken,
)
from mystery_shopper.suites.recbench.wording.selves import self_described
from mystery_shopper.suites.recbench.wording.speech import Speech

WRITER_PROMPT_VERSION = 2

_RULES = """\
You write messages that people send to an assistant that recommends {nouns}. Each time you get the \
facts of one message; answer with the message and nothing else.

- Tell every fact. Add no wish, limit, period, place or name that is not among the facts.
- Write names as they are given, letter by letter. Put titles in double quotation marks.
- Name no {noun} but those given, and quote nothing else. Do not say how many {nouns} are wanted.
- {a_noun} whose maker, star or kind is described by other titles is only described: the name \
behind the description must not be written, nor any part of it.
- What the person has got to know is true for that person. Say it as plainly as it is given: no \
doubt, no correction, no remark on whether it is so.
- Plain English as people type it: {length}. No heading, no list, no greeting from the assistant."""
_STYLES = {
    Style.DIRECT: "Ask straight away.",
    Style.SITUATIONAL: "Begin with an everyday situation that makes the person ask, then ask.",
}
_TONES = (
    "brisk", "warm", "matter-of-fact", "chatty", "polite", "a little tired", "cheerful", "dry",
    "curious", "shy", "thoughtful", "in a hurry", "enthusiastic", "plain", "wry", "relaxed",
)  # fmt: skip
_AGAIN = "That cannot be used: {why}. Write the whole message anew, and only the message."


def rules(speech: Speech) -> str:
    """What holds for every message."""
    noun, nouns = speech.nouns[0]
    return _RULES.format(
        noun=noun, nouns=nouns, a_noun=f"A {noun}", length="one to three sentences"
    )


def task(query: Query, speech: Speech, titles: Mapping[str, str], seed: int) -> str:
    """The facts of one query, and how to write it."""
    source = random_source("recbench", "prompt", seed)
    lines = [f"- {line}" for line in _facts(query, speech, titles, source)]
    tone = source.choice(_TONES)
    return "\n".join(["Facts:", *lines, f"{_STYLES[query.style]} Tone: {tone}."])


def again(why: str) -> str:
    """Another draft is asked for."""
    return _AGAIN.format(why=why)


def _facts(
    query: Query, speech: Speech, titles: Mapping[str, str], source: random.Random
) -> list[str]:
    nouns = speech.nouns[0][1]
    named = listed([quoted(titles[item]) for item in query.named])
    lines: list[str] = []
    if query.kind is Kind.DEMOGRAPHICS and query.profile is not None:
        lines.append(f"The person is {self_described(query.profile.group, source)}.")
    if query.kind is Kind.INTEREST and named:
        lines.append(
            f"The person has just {speech.activity.watched} {named} and was taken with it."
        )
    for part in query.parts:
        if part.given is Given.CLAIM:
            lines.append(f"The person knows: {_fact(part, speech, titles)}.")
    lines += [f"Wanted: {nouns} {_condition(part, speech, titles)}." for part in query.parts]
    if query.profile is not None:
        lines += [
            f"The person is drawn to {nouns} {_stated(trait.relation, trait.value, speech)}."
            for trait in query.profile.traits
        ]
    return lines


def _condition(part: Part, speech: Speech, titles: Mapping[str, str]) -> str:
    if part.given is not Given.REFERENCE:
        return _stated(part.relation, part.value, speech)
    pattern = speech.relations[part.relation].refer.after[0]
    return filled(pattern, _slots(part.through, titles))


def _stated(relation: str, value: str, speech: Speech) -> str:
    words = speech.relations[relation]
    return filled(words.after[0], {**agreeing(1), "value": spoken(value, words)})


def _fact(part: Part, speech: Speech, titles: Mapping[str, str]) -> str:
    words = speech.relations[part.relation]
    slots = {**_slots(part.through, titles), "value": spoken(part.value, words)}
    return filled(words.fact[0], slots)


def _slots(items: Sequence[str], titles: Mapping[str, str]) -> dict[str, str]:
    return {**agreeing(len(items)), "titles": listed([quoted(titles[item]) for item in items])}
