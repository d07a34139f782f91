"""One sentence and the mentions of fields in it, freed of those that mean something else."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from mystery_shopper.suites.tau_rec.asks.common import COMMON
from mystery_shopper.suites.tau_rec.asks.grammar import (
    DETERMINERS,
    PREPOSITIONS,
    find_onsets,
    starts_clause,
)
from mystery_shopper.suites.tau_rec.asks.labels import tells_a_name
from mystery_shopper.suites.tau_rec.asks.lexicon import ANCHORED, Lexicon
from mystery_shopper.suites.tau_rec.asks.naming import are_everyday, everyday
from mystery_shopper.suites.tau_rec.asks.patterns import EVERY, Mark
from mystery_shopper.suites.tau_rec.asks.signs import Sign
from mystery_shopper.suites.tau_rec.asks.tokens import DASH


class State:
    """What a stretch of a sentence does to the mentions in it, as plain numbers."""

    NEUTRAL: Final = 0
    ASKED: Final = 1
    KNOWN: Final = 2
    RULED_OUT: Final = 3
    SOFT: Final = 4
    PLANNED: Final = 5
    IDLE: Final = 6


@dataclass(slots=True)
class Mention:
    """A field's noun, phrase or value, where it stands and in what stretch.

    `label`: it is a label of the catalogue that is an everyday word as well.
    """

    start: int
    end: int
    sign: int
    field: int
    state: int = State.NEUTRAL
    segment: int = 0
    enclosed: bool = False
    label: bool = False


@dataclass(slots=True)
class Sentence:
    """Tokens, the words as written, the mark at the end, and the signs in it."""

    tokens: list[str]
    written: list[str]
    end: str
    marks: list[Mark]
    mentions: list[Mention] = field(default_factory=list[Mention])
    cues: list[Mark] = field(default_factory=list[Mark])
    onsets: list[int] = field(default_factory=list[int])
    wanted: list[tuple[Mark, int]] = field(default_factory=list[tuple[Mark, int]])
    away: int = 0
    asking: bool = False
    confirms: bool = False
    hinted: bool = False
    requests: bool = False

    def has(self, sign: int) -> bool:
        """Whether any cue bears the sign."""
        return any(cue[2] == sign for cue in self.cues)


def mend(sentence: Sentence, lexicon: Lexicon) -> None:
    """Add the nouns and values that are misspelt."""
    covered = {at for start, end, _, _ in sentence.marks for at in range(start, end)}
    ordinary = everyday()
    for position, token in enumerate(sentence.tokens):
        if position in covered or token in ordinary or not token.isalpha():
            continue
        field = lexicon.typos.field(token.removesuffix("wise"))
        if field is not None:
            sentence.marks.append((position, position + 1, Sign.NOUN, field))
            sentence.marks.sort()


def prepare(sentence: Sentence) -> None:
    """Tell mentions from cues; drop what stands in another sense, and anchored cues elsewhere."""
    tokens = sentence.tokens
    senses: list[Mark] = []
    contexts: list[Mark] = []
    others: list[Mark] = []
    labels: list[Mark] = []
    seen: set[Mark] = set()
    for mark in sentence.marks:
        start, end, sign, owner = mark
        if sign <= Sign.WEAK:
            if (start, end, sign, owner) not in seen:
                seen.add((start, end, sign, owner))
                sentence.mentions.append(Mention(start, end, sign, owner))
        elif sign == Sign.LABEL or sign == Sign.NAME:
            labels.append(mark)
        elif sign == Sign.SENSE:
            senses.append(mark)
        elif sign == Sign.CONTEXT:
            contexts.append(mark)
        elif sign == Sign.OTHER:
            others.append(mark)
        elif owner != ANCHORED or starts_clause(tokens, start):
            sentence.cues.append(mark)
    if labels:
        _take_labels(sentence, labels)
    taken = {at for m in sentence.mentions if m.end - m.start > 1 for at in range(m.start, m.end)}
    others = [other for other in others if other[0] not in taken]
    if sentence.mentions and (senses or others):
        sentence.mentions = [
            mention
            for mention in sentence.mentions
            if not any(_masks(sense, mention) for sense in senses)
            and not any(_describes(mention, other, tokens) for other in others)
        ]
    if sentence.mentions:
        _drop_names(sentence)
        _drop_parts(sentence)
    sentence.onsets = find_onsets(tokens, sentence.end, {m.start for m in sentence.mentions})
    for context in contexts:
        _leave_context(sentence, context)


def _take_labels(sentence: Sentence, labels: list[Mark]) -> None:
    """Add mentions of labels that are everyday words, names, or shared by several fields.

    One written as a name counts as a value, any other only where alternatives or the question show
    that it is one. A word by which the domain itself speaks of another field stands for that field,
    and a label that fields share for those that the sentence names otherwise.
    """
    tokens, written = sentence.tokens, sentence.written
    held = {m.field for m in sentence.mentions}
    nouns = {m.field for m in sentence.mentions if m.sign == Sign.NOUN}
    spans: dict[tuple[int, int], set[int]] = {}
    for start, end, _, owner in labels:
        spans.setdefault((start, end), set()).add(owner)
    beside = held | {one for fields in spans.values() if len(fields) == 1 for one in fields}
    found: list[Mention] = []
    for start, end, sign, owner in labels:
        fields = spans[start, end]
        same = [m for m in sentence.mentions if (m.start, m.end, m.field) == (start, end, owner)]
        for mention in same:
            mention.label = True
        if same or (owner not in nouns and _is_spoken_for(sentence, start, end, owner)):
            continue
        if len(fields) > 1 and owner not in beside and not beside.isdisjoint(fields):
            continue
        name = tells_a_name(tokens, written, start, end)
        if sign == Sign.NAME and not name and are_everyday(tokens[start:end], everyday()):
            continue
        strong = name and len(fields) == 1 and len(tokens[start]) > 1
        counts = Sign.VALUE if strong else Sign.WEAK
        found.append(Mention(start, end, counts, owner, label=True))
    sentence.mentions.extend(found)
    sentence.mentions.sort(key=lambda m: (m.start, m.end, m.sign, m.field))


def _is_spoken_for(sentence: Sentence, start: int, end: int, owner: int) -> bool:
    """Whether the domain's own words hold the label for another field."""
    return any(
        m.start < end and start < m.end and m.field != owner and not m.label
        for m in sentence.mentions
    )


def _masks(sense: Mark, mention: Mention) -> bool:
    start, end, _, owner = sense
    return (
        owner in (mention.field, EVERY)
        and start < mention.end
        and mention.start < end
        and end - start >= mention.end - mention.start
    )


def _describes(mention: Mention, other: Mark, tokens: list[str]) -> bool:
    """Whether a value only tells more of a matter that is no field: "a Swedish director"."""
    if mention.sign not in (Sign.VALUE, Sign.WEAK):
        return False
    start, end = other[:2]
    if mention.end == start:
        return True
    return mention.start in (end + 1, end + 2) and tokens[end] in _PREDICATING


_PREDICATING = frozenset("from in of with is was are were".split())


def _drop_names(sentence: Sentence) -> None:
    """Drop mentions in a run of capitals that is another name: "No Country for Old Men"."""
    written = sentence.written
    kept: list[Mention] = []
    covered: set[int] | None = None
    for mention in sentence.mentions:
        word = written[mention.start]
        if mention.start and word[0].isupper() and _capital(word):
            if covered is None:
                covered = {at for m in sentence.mentions for at in range(m.start, m.end)}
            if _in_name(sentence, mention, covered):
                continue
        kept.append(mention)
    sentence.mentions = kept


def _capital(word: str) -> bool:
    return word[:1].isupper() and not (len(word) > 1 and word.isupper())


_WORDS_IN_TITLES = COMMON | {"preferred", "desired", "origin", "i"}


_IN_NAMES = frozenset("of the for in a an on to de la du".split())


def _in_name(sentence: Sentence, mention: Mention, covered: set[int]) -> bool:
    written = sentence.written
    for step in (-1, 1):
        at = mention.start - 1 if step < 0 else mention.end
        while 0 < at < len(written):
            if _capital(written[at]):
                if at not in covered and sentence.tokens[at] not in _WORDS_IN_TITLES:
                    return True
            elif sentence.tokens[at] not in _IN_NAMES:
                break
            at += step
    return False


def _drop_parts(sentence: Sentence) -> None:
    """Drop values that are part of a longer value or phrase: "latin" in "latin american"."""
    mentions = sentence.mentions
    tokens = sentence.tokens
    before = {
        m.end: m.field
        for m in mentions
        if m.sign == Sign.VALUE and (m.start == 0 or tokens[m.start - 1] not in DETERMINERS)
    }
    if before:
        mentions = sentence.mentions = [
            m for m in mentions if m.sign != Sign.NOUN or before.get(m.start, m.field) == m.field
        ]
    ends = {m.end: m.field for m in mentions}
    for other in mentions:
        if other.end - other.start == 1 or (
            other.sign == Sign.NOUN and ends[other.end] == other.field
        ):
            continue
        start, end = other.start, other.end
        sentence.mentions = mentions = [
            m for m in mentions if m.start < start or m.end > end or not _is_part(m, other)
        ]


def _is_part(mention: Mention, longer: Mention) -> bool:
    """Whether a longer mention takes in this one, which it spans.

    A noun is part of what ends with it and belongs to another field only.
    """
    if longer.end - longer.start <= mention.end - mention.start or mention.sign == Sign.PHRASE:
        return False
    if mention.sign == Sign.NOUN:
        foreign = longer.field != mention.field and longer.end == mention.end
        return foreign and longer.sign in (Sign.PHRASE, Sign.NOUN)
    if longer.sign == Sign.NOUN:
        return False
    return longer.sign == Sign.VALUE or longer.start == mention.start


_CUTS = frozenset((",", ";", ":", DASH, "(", ")", ".", "because", "but", "although", "while", "so"))


def _leave_context(sentence: Sentence, context: Mark) -> None:
    """Drop the mentions in the clause that a context turns away from its field."""
    start, end, _, owner = context
    tokens = sentence.tokens
    sentence.away |= ~0 if owner == EVERY else 1 << owner
    first = start
    while first > 0 and first not in sentence.onsets and tokens[first - 1] not in _CUTS:
        first -= 1
    last = min(
        (at for at in sentence.onsets if at >= end and _opens_anew(tokens, at)), default=len(tokens)
    )
    if ":" in tokens[end:last]:
        last = tokens.index(":", end)
    sentence.mentions = [
        mention
        for mention in sentence.mentions
        if not (owner in (mention.field, EVERY) and first <= mention.start < last)
    ]


def _opens_anew(tokens: list[str], onset: int) -> bool:
    """Whether a further question begins here and not the rest of the one before."""
    before = tokens[onset - 1]
    if before == "or" and tokens[onset + 1 : onset + 2] in (["it"], ["they"]):
        return False
    if before in PREPOSITIONS and onset > 1:
        before = tokens[onset - 2]
    return before in ("and", "or", "but", "also", ";", DASH, ")")
