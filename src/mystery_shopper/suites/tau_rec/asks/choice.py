"""From the mentions of a sentence and their states to what it asks."""

from __future__ import annotations

from dataclasses import dataclass

from mystery_shopper.suites.tau_rec.asks.generic import coaxes, is_generic, is_opening
from mystery_shopper.suites.tau_rec.asks.grammar import has_verb
from mystery_shopper.suites.tau_rec.asks.openness import is_open
from mystery_shopper.suites.tau_rec.asks.others import others_in
from mystery_shopper.suites.tau_rec.asks.patterns import FREE, Mark
from mystery_shopper.suites.tau_rec.asks.sentence import Mention, Sentence, State
from mystery_shopper.suites.tau_rec.asks.signs import Sign
from mystery_shopper.suites.tau_rec.asks.statements import take_nouns
from mystery_shopper.suites.tau_rec.asks.tokens import TAG, TITLE
from mystery_shopper.suites.tau_rec.asks.values import (
    NAMING,
    VALUES,
    alternatives,
    asked_in,
    beside_or,
    borrowed,
)


@dataclass(slots=True)
class Verdict:
    """What a sentence asks, and what later sentences may refer back to. Fields are bits."""

    asked: int = 0
    generic: bool = False
    question: bool = False
    named: int = 0
    once: int = 0
    offered: int = 0
    nouns: int = 0
    values: int = 0
    said: int = 0
    described: bool = False
    assumed: int = 0
    checks: bool = False
    invites: bool = False
    points: bool = False
    requests: bool = False
    soft: bool = False
    examples: bool = False
    asking: bool = False
    hedges: bool = False
    opening: bool = False
    coaxes: bool = False
    plain: bool = False
    size: int = 0
    away: int = 0
    caveat: int = 0
    told: bool = False
    excluded: int = 0


def choose(sentence: Sentence) -> Verdict:
    """What the sentence asks, its mentions having their states."""
    verdict = Verdict(asking=sentence.asking, requests=sentence.requests, away=sentence.away)
    verdict.size = len(sentence.tokens)
    verdict.told = not _PARTIES.isdisjoint(sentence.tokens)
    verdict.plain = verdict.size <= _PLAIN and not _STATING.isdisjoint(sentence.tokens)
    _note_mentions(sentence, verdict)
    _note_cues(sentence, verdict)
    if not sentence.asking:
        verdict.coaxes = is_open(sentence)
        return verdict
    if _is_rhetoric(sentence):
        verdict.soft = True
        return verdict
    verdict.question = True
    verdict.generic = is_generic(sentence)
    _promote(sentence, verdict)
    asked = [m for m in sentence.mentions if m.state == State.ASKED]
    if not _asks_past(sentence):
        asked += [m for m in sentence.mentions if m.state == State.SOFT and m.sign == Sign.PHRASE]
        asked += _offered_softly(sentence)
    verdict.soft = not asked and not sentence.requests and _is_soft(sentence)
    if verdict.soft and not sentence.has(Sign.ITEM):
        verdict.question = False
    for segment in {m.segment for m in asked}:
        mentions = [m for m in asked if m.segment == segment]
        required = [m for m in mentions if m.field < FREE]
        if required:
            verdict.asked |= asked_in(sentence, required, verdict.generic)
        if len(required) < len(mentions):
            verdict.asked |= others_in(sentence, mentions)
    verdict.described = (
        not sentence.confirms
        and not sentence.requests
        and len({m.segment for m in asked}) <= 1
        and all(m.sign in VALUES for m in asked)
        and not alternatives(sentence.tokens, asked)
    )
    soft = sentence.tokens[0] != "what" and _is_soft(sentence) and not _invites_first(sentence)
    if not (verdict.asked or verdict.generic or soft) and is_opening(sentence):
        verdict.generic = verdict.opening = True
    if not (verdict.asked or verdict.generic or soft):
        verdict.coaxes = coaxes(sentence) or is_open(sentence)
    return verdict


def _offered_softly(sentence: Sentence) -> list[Mention]:
    """Values offered although the question may be of an item: "like it in red or blue?", "would
    you like it in black?"."""
    soft = [m for m in sentence.mentions if m.state == State.SOFT and m.sign in VALUES]
    heads = [cue for cue in sentence.cues if cue[2] == Sign.ITEM and cue[0] == 0]
    end = max((cue[1] for cue in heads), default=0)
    if not soft or not end or sentence.tokens[end - 1] != "it":
        return []
    if len(soft) == 1 and sentence.tokens[end : end + 1] == ["in"]:
        last = soft[0].start == end + 1 and soft[0].end == len(sentence.tokens)
        return soft if last and (soft[0].sign == Sign.VALUE or soft[0].label) else []
    offered = alternatives(sentence.tokens, soft)
    return [mention for mention in soft if offered >> mention.field & 1]


_LINKS = frozenset(("and", "or"))
_STATING = frozenset(
    "is are comes exists come exist only was were be says dates speak speaks has have made "
    "runs".split()
)
_PARTIES = frozenset("you your we i our".split())
_PLAIN = 12
_CAVEATS = frozenset(
    "only heads warning but though although however except caveat catch unfortunately snag "
    "drawback alas".split()
)


def _note_mentions(sentence: Sentence, verdict: Verdict) -> None:
    """What later sentences may refer back to."""
    lent = borrowed(sentence, _namings(sentence))
    for mention in sentence.mentions:
        bit = 1 << mention.field
        sign, state = mention.sign, mention.state
        if state == State.RULED_OUT:
            verdict.excluded |= bit if sign == Sign.VALUE else 0
            continue
        if (mention.start, mention.end) in lent:
            continue
        if mention.field >= FREE:
            if sign in NAMING and state != State.KNOWN:
                verdict.nouns |= bit
            continue
        is_value = sign == Sign.VALUE
        if is_value:
            verdict.values |= bit
        if (is_value or sign == Sign.NOUN) and state != State.IDLE:
            verdict.said |= bit
        if is_value:
            verdict.offered |= verdict.once & bit
            verdict.once |= bit
        if state == State.KNOWN:
            continue
        if sign in NAMING:
            verdict.nouns |= bit
        if (is_value or sign == Sign.NOUN) and state <= State.ASKED:
            verdict.named |= bit
    for mark in sentence.marks if verdict.once else ():
        if mark[2] == Sign.BORROWED and not _LINKS.isdisjoint(sentence.tokens[mark[1] :][:2]):
            verdict.offered |= verdict.once & 1 << mark[3]
    if verdict.said:
        tokens = sentence.tokens
        caveat = next((at for at, token in enumerate(tokens) if token in _CAVEATS), len(tokens))
        caveat = min(caveat, _condition(tokens))
        if caveat == len(tokens) - 1:
            caveat = -1
        if caveat < len(tokens):
            for mention in sentence.mentions:
                if mention.start > caveat and mention.sign in (Sign.NOUN, Sign.VALUE):
                    verdict.caveat |= 1 << mention.field


def _namings(sentence: Sentence) -> int:
    """The fields named by their nouns."""
    return sum({1 << mention.field for mention in sentence.mentions if mention.sign in NAMING})


def _condition(tokens: list[str]) -> int:
    """Where a condition on a work just put forward begins; the length where none does."""
    work = next((at for at, token in enumerate(tokens) if token in (TITLE, TAG)), len(tokens))
    if tokens[work + 1 : work + 3] == [",", "and"]:
        return work + 2
    conditions = (at for at in range(work + 1, len(tokens)) if tokens[at] in _CONDITIONS)
    return next(conditions, len(tokens))


_CONDITIONS = frozenset("if provided unless assuming".split())


def _note_cues(sentence: Sentence, verdict: Verdict) -> None:
    for cue in sentence.cues:
        sign = cue[2]
        if sign == Sign.CHECK:
            if (cue[1] - cue[0] > 1 or len(sentence.tokens) <= 2) and _ends_check(sentence, cue):
                verdict.checks = sentence.end == "?" or sentence.requests or verdict.checks
        elif sign == Sign.INVITE:
            verdict.invites = True
        elif sign == Sign.POINTER:
            verdict.points = True
        elif sign == Sign.HEDGE:
            verdict.hedges = True
            for mention in sentence.mentions:
                if mention.start >= cue[0] and mention.state != State.RULED_OUT:
                    verdict.assumed |= 1 << mention.field
        elif sign == Sign.EXAMPLE:
            verdict.examples = verdict.examples or cue[0] == 0 or not sentence.asking


def _ends_check(sentence: Sentence, cue: Mark) -> bool:
    """Whether nothing follows that the check itself is about: "does it matter whether ..."."""
    tokens = sentence.tokens
    if any(mark[2] == Sign.OTHER for mark in sentence.marks) and sentence.has(Sign.PROCESS):
        return False
    return len(tokens) - cue[1] <= _REST or tokens[cue[1]] in _CLOSING


_REST = 3
_CLOSING = frozenset(", or and please before if ; : ( for".split())


def _is_rhetoric(sentence: Sentence) -> bool:
    return sentence.has(Sign.RHETORIC) and not sentence.requests


_PAST = frozenset("have had has did".split())


def _asks_past(sentence: Sentence) -> bool:
    """Whether it is about what was read or seen: "have you read anything by ..."."""
    return any(cue[2] == Sign.ITEM and sentence.tokens[cue[0]] in _PAST for cue in sentence.cues)


def _is_soft(sentence: Sentence) -> bool:
    return sentence.has(Sign.ITEM) or sentence.has(Sign.PROCESS)


def _invites_first(sentence: Sentence) -> bool:
    """Whether the invitation comes first: "tell me what you are after and I'll see"."""
    soft = min(c[0] for c in sentence.cues if c[2] == Sign.ITEM or c[2] == Sign.PROCESS)
    return sentence.requests and any(
        cue[2] == Sign.OPENING and cue[1] <= soft for cue, _ in sentence.wanted
    )


def _promote(sentence: Sentence, verdict: Verdict) -> None:
    """Let mentions before the question count where it is about them."""
    mentions = sentence.mentions
    neutral = [m for m in mentions if m.state == State.NEUTRAL]
    if neutral and not (_is_soft(sentence) and not sentence.requests):
        _promote_topics(sentence, neutral)
    if sentence.requests or sentence.onsets:
        take_nouns(sentence)
    if verdict.generic or any(m.state == State.ASKED for m in mentions):
        return
    if _is_soft(sentence) and not sentence.requests:
        return
    first = min((m.start for m in mentions if m.state in (State.NEUTRAL, State.PLANNED)), default=0)
    verbless = sentence.requests and (
        not has_verb(sentence.tokens[first:]) or _ends_in_request(sentence)
    )
    if not (verbless or verdict.points or sentence.has(Sign.PRONOUN) or ":" in sentence.tokens):
        return
    back = [m for m in mentions if m.state in (State.NEUTRAL, State.PLANNED)]
    nouns = [m for m in back if m.sign in NAMING]
    for mention in nouns or back:
        mention.state = State.ASKED


def _ends_in_request(sentence: Sentence) -> bool:
    """Whether the request comes last and names nothing itself: "..., so please enlighten me"."""
    last = max(cue[1] for cue in sentence.cues if cue[2] == Sign.ASK)
    return last >= len(sentence.tokens) - 1


def _promote_topics(sentence: Sentence, neutral: list[Mention]) -> None:
    """Let a topic count, "as for the year", and what is offered before the question."""
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
    offered = before and (alternatives(tokens, before) or beside_or(sentence, before))
    if offered and not has_verb(tokens[:first]):
        for mention in before:
            mention.state = State.ASKED
