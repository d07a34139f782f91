"""From the mentions of a sentence and their states to what it asks."""

from __future__ import annotations

from dataclasses import dataclass

from mystery_shopper.suites.tau_rec.asks.clauses import Mention, Sentence, State
from mystery_shopper.suites.tau_rec.asks.common import COMMON
from mystery_shopper.suites.tau_rec.asks.english import FURTHER, PLAIN, QUANTIFIERS
from mystery_shopper.suites.tau_rec.asks.patterns import Mark
from mystery_shopper.suites.tau_rec.asks.signs import Sign
from mystery_shopper.suites.tau_rec.asks.tokens import DASH, TAG, TITLE

_NAMING = (Sign.NOUN, Sign.PHRASE)
_VALUES = (Sign.VALUE, Sign.WEAK)


@dataclass(slots=True)
class Verdict:
    """What a sentence asks, and what later sentences may refer back to. Fields are bits."""

    asked: int = 0
    generic: bool = False
    question: bool = False
    named: int = 0
    offered: int = 0
    nouns: int = 0
    values: int = 0
    assumed: int = 0
    checks: bool = False
    invites: bool = False
    points: bool = False
    requests: bool = False
    soft: bool = False
    examples: bool = False
    asking: bool = False
    away: int = 0
    caveat: int = 0


def choose(sentence: Sentence) -> Verdict:
    """What the sentence asks, its mentions having their states."""
    verdict = Verdict(asking=sentence.asking, requests=sentence.requests, away=sentence.away)
    _note_mentions(sentence, verdict)
    _note_cues(sentence, verdict)
    if not sentence.asking:
        return verdict
    if _is_rhetoric(sentence):
        verdict.soft = True
        return verdict
    verdict.question = True
    verdict.generic = _is_generic(sentence)
    _promote(sentence, verdict)
    asked = [m for m in sentence.mentions if m.state == State.ASKED]
    asked += [m for m in sentence.mentions if m.state == State.SOFT and m.sign == Sign.PHRASE]
    verdict.soft = not asked and not sentence.requests and _is_soft(sentence)
    segments: dict[int, list[Mention]] = {}
    for mention in sorted(asked, key=lambda m: (m.segment, m.start)):
        segments.setdefault(mention.segment, []).append(mention)
    for mentions in segments.values():
        verdict.asked |= _segment(sentence, mentions, verdict.generic)
    if not verdict.asked and not verdict.generic and _opens(sentence):
        verdict.generic = True
    return verdict


_CAVEATS = frozenset(
    "but though although however only except caveat catch unfortunately snag drawback alas".split()
)


def _note_mentions(sentence: Sentence, verdict: Verdict) -> None:
    several: dict[int, int] = {}
    for mention in sentence.mentions:
        if mention.sign == Sign.VALUE:
            verdict.values |= 1 << mention.field
        if mention.state in (State.RULED_OUT, State.KNOWN):
            continue
        if mention.sign in (Sign.NOUN, Sign.VALUE):
            if mention.state <= State.ASKED:
                verdict.named |= 1 << mention.field
            if mention.sign == Sign.VALUE:
                several[mention.field] = several.get(mention.field, 0) + 1
    caveat = next((at for at, token in enumerate(sentence.tokens) if token in _CAVEATS), None)
    if caveat is not None:
        for mention in sentence.mentions:
            if mention.start > caveat and mention.sign in (Sign.NOUN, Sign.VALUE):
                verdict.caveat |= 1 << mention.field
    for field, count in several.items():
        if count > 1:
            verdict.offered |= 1 << field
    for mention in sentence.mentions:
        if mention.sign in _NAMING and mention.state not in (State.RULED_OUT, State.KNOWN):
            verdict.nouns |= 1 << mention.field


def _note_cues(sentence: Sentence, verdict: Verdict) -> None:
    for cue in sentence.cues:
        sign = cue[2]
        if sign == Sign.CHECK:
            if cue[1] - cue[0] > 1 or len(sentence.tokens) <= 2:
                verdict.checks = sentence.end == "?" or sentence.requests or verdict.checks
        elif sign == Sign.INVITE:
            verdict.invites = True
        elif sign == Sign.POINTER:
            verdict.points = True
        elif sign == Sign.HEDGE:
            for mention in sentence.mentions:
                if mention.start >= cue[0] and mention.state != State.RULED_OUT:
                    verdict.assumed |= 1 << mention.field
        elif sign == Sign.EXAMPLE:
            verdict.examples = verdict.examples or cue[0] == 0 or not sentence.asking


def _is_rhetoric(sentence: Sentence) -> bool:
    return sentence.has(Sign.RHETORIC) and not sentence.requests


def _is_soft(sentence: Sentence) -> bool:
    return sentence.has(Sign.ITEM) or sentence.has(Sign.PROCESS)


def _is_generic(sentence: Sentence) -> bool:
    """Whether a request for any requirement is made."""
    services = [cue for cue in sentence.cues if cue[2] == Sign.SERVICE]
    for cue, state in sentence.wanted:
        start, end, sign, _ = cue
        if sign == Sign.OPENING or state in _CLOSED:
            continue
        if sign != Sign.GENERIC and not _quantified(sentence, start, sign == Sign.LOOSE_WISH):
            continue
        if any(service[0] < end and start < service[1] for service in services):
            continue
        if not _about_a_field(sentence, cue):
            return True
    return False


def _opens(sentence: Sentence) -> bool:
    """Whether the customer is invited to say what they want, no field being asked."""
    services = [cue for cue in sentence.cues if cue[2] == Sign.SERVICE]
    return any(
        cue[2] == Sign.OPENING
        and state not in _CLOSED
        and not any(service[0] < cue[1] and cue[0] < service[1] for service in services)
        for cue, state in sentence.wanted
    )


_CLOSED = frozenset((State.KNOWN, State.RULED_OUT, State.PLANNED, State.IDLE))


def _quantified(sentence: Sentence, position: int, loose: bool) -> bool:
    """Whether a word for a wish is one for any: "any other requirements".

    After a label or a topic, "any wishes" are wishes about that: "language: any preference".
    """
    tokens = sentence.tokens
    at = position - 1
    words: list[str] = []
    while at >= 0 and (tokens[at] in QUANTIFIERS or tokens[at] in PLAIN):
        words.append(tokens[at])
        at -= 1
    if not any(word in QUANTIFIERS for word in words):
        return False
    if any(word in FURTHER for word in words):
        return True
    if loose and not ({"any", "some"} & set(words)):
        return False
    return not any(
        mention.sign == Sign.NOUN
        and mention.end <= position
        and mention.state in (State.NEUTRAL, State.ASKED)
        and (":" in tokens[mention.end : position] or sentence.has(Sign.TOPIC))
        for mention in sentence.mentions
    )


_ABOUT = frozenset("about on regarding concerning for of as in around with to".split())


def _about_a_field(sentence: Sentence, cue: Mark) -> bool:
    """ "Any other wishes on the language": the field is asked, nothing else."""
    end = cue[1]
    tokens = sentence.tokens
    if end >= len(tokens) or tokens[end] not in _ABOUT:
        return False
    return any(
        mention.sign == Sign.NOUN and end < mention.start <= end + 4
        for mention in sentence.mentions
    )


def _promote(sentence: Sentence, verdict: Verdict) -> None:
    """Let mentions before the question count where it is about them."""
    mentions = sentence.mentions
    neutral = [m for m in mentions if m.state == State.NEUTRAL]
    if neutral:
        _promote_topics(sentence, neutral)
    if verdict.generic or any(m.state == State.ASKED for m in mentions):
        return
    if _is_soft(sentence) and not sentence.requests:
        return
    first = min((m.start for m in mentions if m.state in (State.NEUTRAL, State.PLANNED)), default=0)
    verbless = sentence.requests and not _has_verb(sentence.tokens[first:])
    if not (verbless or verdict.points or sentence.has(Sign.PRONOUN) or ":" in sentence.tokens):
        return
    back = [m for m in mentions if m.state in (State.NEUTRAL, State.PLANNED)]
    nouns = [m for m in back if m.sign in _NAMING]
    for mention in nouns or back:
        mention.state = State.ASKED


def _promote_topics(sentence: Sentence, neutral: list[Mention]) -> None:
    tokens = sentence.tokens
    topics = [cue for cue in sentence.cues if cue[2] == Sign.TOPIC]
    ifs = [cue for cue in sentence.cues if cue[2] == Sign.IF]
    for mention in neutral:
        if any(0 <= mention.start - topic[1] <= 3 for topic in topics if topic[0] == 0) or (
            sentence.requests and any(cue[0] <= mention.start for cue in ifs)
        ):
            mention.state = State.ASKED
    first = min(sentence.onsets, default=0)
    before = [m for m in neutral if m.start < first]
    if before and _alternatives(tokens, before) and not _has_verb(tokens[:first]):
        for mention in before:
            mention.state = State.ASKED


_VERBS = frozenset(
    "is are was were am will would can could should have has had want wanted see got found said made "
    "know noted understood it".split()
)


def _has_verb(tokens: list[str]) -> bool:
    return any(token in _VERBS for token in tokens)


def _segment(sentence: Sentence, mentions: list[Mention], generic: bool) -> int:
    """The fields asked in one stretch."""
    named = 0
    for mention in mentions:
        if mention.sign in _NAMING:
            named |= 1 << mention.field
    values = [m for m in mentions if m.sign in _VALUES]
    if not values:
        return named
    borrowed = _borrowed(sentence, named)
    values = [m for m in values if (m.start, m.end) not in borrowed or named >> m.field & 1]
    values = [m for m in values if not _of_another(sentence, m)]
    name = _name(sentence, mentions)
    if name is not None and not sentence.confirms:
        values = [m for m in values if m.start < name]
    joined = _alternatives(sentence.tokens, values)
    if sentence.confirms:
        return named | joined | _strong(values)
    if named:
        return named | joined
    if generic and not sentence.has(Sign.EXAMPLE):
        return joined
    if joined:
        return joined
    return _strong([m for m in values if not _definite(sentence, m)])


def _of_another(sentence: Sentence, mention: Mention) -> bool:
    """Whether the value is said of a matter that no field covers: "should the lead be French"."""
    begin = max((onset for onset in sentence.onsets if onset <= mention.start), default=-1)
    if begin < 0:
        return False
    between = [m for m in sentence.marks if begin < m[0] < mention.start]
    return any(m[2] == Sign.OTHER for m in between) and all(m[2] != Sign.THING for m in between)


def _name(sentence: Sentence, mentions: list[Mention]) -> int | None:
    """Where the stretch names a work, whose values then only describe it."""
    covered = {at for m in sentence.mentions for at in range(m.start, m.end)}
    written = sentence.written
    begin = min(m.start for m in mentions)
    begin = max((onset for onset in sentence.onsets if onset <= begin), default=0)
    for at in range(max(begin, 1), max(m.end for m in mentions)):
        token = sentence.tokens[at]
        if token in (TITLE, TAG):
            return at
        word = written[at]
        if (
            word[:1].isupper()
            and not word.isupper()
            and at not in covered
            and token not in COMMON
            and sentence.tokens[at - 1][0].isalnum()
            and written[at - 1][:1].islower()
        ):
            return at
    return None


def _borrowed(sentence: Sentence, named: int) -> set[tuple[int, int]]:
    if not named:
        return set()
    return {
        (start, end)
        for start, end, sign, owner in sentence.marks
        if sign == Sign.BORROWED and named >> owner & 1
    }


def _strong(values: list[Mention]) -> int:
    fields = 0
    for mention in values:
        if mention.sign == Sign.VALUE:
            fields |= 1 << mention.field
    return fields


_DEFINITE = frozenset("your this that these those such my our".split())
_FINE = frozenset("ok fine all acceptable a alright suitable good".split())


def _definite(sentence: Sentence, mention: Mention) -> bool:
    """Whether the value only refers to the item wanted: "your thriller"."""
    tokens = sentence.tokens
    if mention.start == 0 or tokens[mention.start - 1] not in _DEFINITE:
        return False
    return mention.end >= len(tokens) or tokens[mention.end] not in _FINE


_JOINTS = frozenset(("or", "/", "vs", "versus", "and/or"))
_OPEN = frozenset(
    "something anything other others else another neither both no not maybe perhaps what whatever "
    "any some does do doesn't is are would should must either rather do you".split()
)
REACH = 7


def _alternatives(tokens: list[str], values: list[Mention]) -> int:
    """The fields of which alternatives are offered."""
    fields = 0
    ordered = sorted(values, key=lambda m: m.start)
    for index, mention in enumerate(ordered):
        bit = 1 << mention.field
        for other in ordered[index + 1 :]:
            if other.field != mention.field or other.start < mention.end:
                continue
            between = tokens[mention.end : other.start]
            if len(between) <= REACH and any(token in _JOINTS for token in between):
                fields |= bit
            break
        if mention.sign == Sign.VALUE:
            after = tokens[mention.end : mention.end + 4]
            for at, token in enumerate(after[:-1]):
                if token in _JOINTS and after[at + 1] in _OPEN and not _splits(after[:at]):
                    fields |= bit
    return fields


def _splits(tokens: list[str]) -> bool:
    return any(token in (";", DASH) for token in tokens)
