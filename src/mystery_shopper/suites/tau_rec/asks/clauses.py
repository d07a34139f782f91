"""One sentence: which of the fields it mentions does it ask about?

A sentence is read from left to right. What asks ("could you", "tell me", "what") opens a stretch in
which mentions count; what rules out, takes for granted, gives reasons or announces plans closes it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum

from mystery_shopper.suites.tau_rec.asks.common import COMMON
from mystery_shopper.suites.tau_rec.asks.grammar import (
    BARE_QUESTION_TAGS,
    CLAUSE_STARTS,
    PREPOSITIONS,
    SOFT_WH,
    find_onsets,
    starts_clause,
)
from mystery_shopper.suites.tau_rec.asks.lexicon import ANCHORED, Lexicon
from mystery_shopper.suites.tau_rec.asks.patterns import EVERY, Mark
from mystery_shopper.suites.tau_rec.asks.signs import Sign
from mystery_shopper.suites.tau_rec.asks.tokens import DASH


class State(IntEnum):
    """What a stretch of a sentence does to the mentions in it."""

    NEUTRAL = 0
    ASKED = 1
    KNOWN = 2
    RULED_OUT = 3
    SOFT = 4
    PLANNED = 5
    IDLE = 6


@dataclass(slots=True)
class Mention:
    """A field's noun, phrase or value, where it stands and in what stretch."""

    start: int
    end: int
    sign: int
    field: int
    state: int = State.NEUTRAL
    segment: int = 0
    enclosed: bool = False


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
    requests: bool = False

    def has(self, sign: int) -> bool:
        """Whether any cue bears the sign."""
        return any(cue[2] == sign for cue in self.cues)


def mend(sentence: Sentence, lexicon: Lexicon) -> None:
    """Add the nouns and values that are misspelt."""
    tokens = sentence.tokens
    for position, token in enumerate(tokens):
        if token in COMMON or not token.isalpha():
            continue
        field = lexicon.typos.field(token)
        if field is None or any(mark[0] <= position < mark[1] for mark in sentence.marks):
            continue
        sentence.marks.append((position, position + 1, Sign.NOUN, field))
    sentence.marks.sort()


def prepare(sentence: Sentence) -> None:
    """Tell mentions from cues; drop what stands in another sense, and anchored cues elsewhere."""
    tokens = sentence.tokens
    senses: list[Mark] = []
    contexts: list[Mark] = []
    others: list[Mark] = []
    seen: set[Mark] = set()
    for mark in sentence.marks:
        start, end, sign, owner = mark
        if sign <= Sign.WEAK:
            if (start, end, sign, owner) not in seen:
                seen.add((start, end, sign, owner))
                sentence.mentions.append(Mention(start, end, sign, owner))
        elif sign == Sign.SENSE:
            senses.append(mark)
        elif sign == Sign.CONTEXT:
            contexts.append(mark)
        elif sign == Sign.OTHER:
            others.append(mark)
        elif owner != ANCHORED or starts_clause(tokens, start):
            sentence.cues.append(mark)
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
    return mention.start in (end + 1, end + 2) and tokens[end] in ("from", "in", "of", "with")


def _drop_names(sentence: Sentence) -> None:
    """Drop mentions inside a run of capitals that names something else: "No Country for Old Men"."""
    written = sentence.written
    kept: list[Mention] = []
    covered: set[int] | None = None
    for mention in sentence.mentions:
        if mention.start and _capital(written[mention.start]):
            if covered is None:
                covered = {at for m in sentence.mentions for at in range(m.start, m.end)}
            if _in_name(sentence, mention, covered):
                continue
        kept.append(mention)
    sentence.mentions = kept


def _drop_parts(sentence: Sentence) -> None:
    """Drop values that are part of a longer value or phrase: "latin" in "latin american"."""
    mentions = sentence.mentions
    longer = [m for m in mentions if m.end - m.start > 1 and m.sign != Sign.NOUN]
    if longer:
        sentence.mentions = [
            mention
            for mention in mentions
            if mention.sign not in (Sign.VALUE, Sign.WEAK)
            or not any(_holds(other, mention) for other in longer)
        ]


def _holds(longer: Mention, mention: Mention) -> bool:
    return (
        longer.start <= mention.start
        and mention.end <= longer.end
        and longer.end - longer.start > mention.end - mention.start
        and (longer.sign == Sign.VALUE or longer.start == mention.start)
    )


def _capital(word: str) -> bool:
    return word[:1].isupper() and not (len(word) > 1 and word.isupper())


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


_IN_NAMES = frozenset("of the for in a an on to de la du".split())


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
    sentence.mentions = [
        mention
        for mention in sentence.mentions
        if not (owner in (mention.field, EVERY) and first <= mention.start < last)
    ]


def _opens_anew(tokens: list[str], onset: int) -> bool:
    """Whether a further question begins here and not the rest of the one before."""
    before = tokens[onset - 1]
    if before in PREPOSITIONS and onset > 1:
        before = tokens[onset - 2]
    return before in ("and", "or", "but", "also", ";", DASH, ")")


_CUTS = frozenset((",", ";", ":", DASH, "(", ")", "."))
_STOPS = {
    Sign.KNOWN: State.KNOWN,
    Sign.GROUND: State.PLANNED,
    Sign.EXCEPT: State.KNOWN,
    Sign.PLAN: State.PLANNED,
}


def follow(sentence: Sentence, *, asked: bool) -> None:
    """Give every mention its state. `asked`: the lines before have opened a request."""
    cues = sentence.cues
    tokens = sentence.tokens
    requests = [cue for cue in cues if cue[2] == Sign.ASK]
    sentence.requests = bool(requests)
    after = [cue for cue in cues if cue[2] == Sign.AFTER and tokens[cue[0] - 1] not in _PERSONS]
    questioned = sentence.end == "?"
    sentence.confirms = _confirms(sentence, questioned)
    sentence.asking = bool(questioned or requests or sentence.onsets or after or asked)
    whole = asked or sentence.confirms or _is_bare_request(requests, tokens)
    if questioned and not sentence.onsets and not requests:
        whole = True
    _Walk(sentence, State.ASKED if whole else State.NEUTRAL).run()
    if after:
        last = max(cue[0] for cue in after)
        for mention in sentence.mentions:
            if mention.state == State.NEUTRAL and mention.start < last:
                mention.state = State.ASKED


def _is_bare_request(requests: list[Mark], tokens: list[str]) -> bool:
    """Nothing asks but a "please" at the end: "genre and era, please"."""
    if not requests:
        return False
    start, end = requests[0][:2]
    return end == len(tokens) and tokens[start] == "please" and start > 0


def _confirms(sentence: Sentence, questioned: bool) -> bool:
    """Whether something is stated and a nod asked for: "in German, right?", "please confirm"."""
    tokens = sentence.tokens
    if not questioned:
        return any(
            cue[2] == Sign.ASK and not _CHECKING.isdisjoint(tokens[cue[0] : cue[1]])
            for cue in sentence.cues
        )
    size = len(tokens)
    if tokens[-1] in BARE_QUESTION_TAGS and size > 1 and tokens[-2] in (",", DASH, "..."):
        return True
    tags = [
        cue
        for cue in sentence.cues
        if cue[2] == Sign.CHECK and cue[1] >= size - 1 and starts_clause(tokens, cue[0])
    ]
    if tags and not any(onset < tags[0][0] for onset in sentence.onsets):
        return True
    hedges = [cue[0] for cue in sentence.cues if cue[2] in (Sign.HEDGE, Sign.RECAP)]
    return bool(hedges) and not any(
        onset < hedges[0] or onset < size - 5 for onset in sentence.onsets
    )


class _Walk:
    """The reading of one sentence from left to right."""

    __slots__ = ("barred", "clause", "enclosed", "points", "segment", "sentence", "state")

    def __init__(self, sentence: Sentence, state: State) -> None:
        self.sentence = sentence
        self.state: int = state
        self.segment = 0
        self.clause = 0
        self.barred = 0
        self.enclosed: int | None = None
        self.points: list[tuple[int, int, int]] = []

    def run(self) -> None:
        """Visit onsets, cues, breaks and mentions in order."""
        sentence = self.sentence
        points = self.points
        points.extend((onset, 0, -1) for onset in sentence.onsets)
        points.extend((cue[0], 1, index) for index, cue in enumerate(sentence.cues))
        points.extend((m.start, 3, index) for index, m in enumerate(sentence.mentions))
        for position, token in enumerate(sentence.tokens):
            if token in _BREAKS:
                points.append((position, 2, -1))
        points.sort()
        for position, kind, index in points:
            if kind == 0:
                self._onset(position)
            elif kind == 1:
                self._cue(sentence.cues[index])
                if sentence.cues[index][2] in _WANTED:
                    sentence.wanted.append((sentence.cues[index], self.state))
            elif kind == 2:
                self._break(position)
            else:
                mention = sentence.mentions[index]
                mention.state = self.state
                mention.segment = self.segment
                mention.enclosed = self.enclosed is not None

    def _onset(self, position: int) -> None:
        tokens = self.sentence.tokens
        if self.state == State.RULED_OUT and not self._resumes(position):
            return
        if self.state not in (State.NEUTRAL, State.ASKED):
            begin = position - 1 if position and tokens[position - 1] in PREPOSITIONS else position
            if not starts_clause(tokens, begin):
                return
        self.state = State.KNOWN if tokens[position] in SOFT_WH else State.ASKED
        self.segment += 1

    def _resumes(self, position: int) -> bool:
        """Whether a new clause can ask again after one that rules questions out."""
        before = self.sentence.tokens[position - 1] if position else ""
        if before in ("in", "from", "of", "on") and position > 1:
            before = self.sentence.tokens[position - 2]
        return before in CLAUSE_STARTS and before not in ("or", "and")

    def _cue(self, cue: Mark) -> None:
        sign = cue[2]
        position = cue[0]
        if sign == Sign.ASK:
            if position < self.barred:
                return
            if self.state != State.RULED_OUT or self._resumes(position):
                if self.state != State.ASKED:
                    self.segment += 1
                self.state = State.ASKED
        elif sign == Sign.NEGATED:
            self.state = State.RULED_OUT
            self.barred = max(self.barred, cue[1])
        elif sign == Sign.ITEM or sign == Sign.PROCESS:
            if self.state not in (State.RULED_OUT, State.KNOWN):
                self.state = State.SOFT if sign == Sign.ITEM else State.IDLE
            self.barred = max(self.barred, cue[1])
        elif sign in _STOPS:
            self._stop(sign, position)
        elif sign == Sign.SETTLED:
            self._settle(position)

    def _stop(self, sign: int, position: int) -> None:
        sentence = self.sentence
        if sentence.confirms and sign != Sign.EXCEPT:
            return
        if self.state == State.RULED_OUT:
            return
        if sign == Sign.KNOWN and self.state == State.ASKED and position in sentence.onsets:
            return
        self.state = _STOPS[Sign(sign)]

    def _settle(self, position: int) -> None:
        """What was mentioned before, in this clause, is known."""
        sentence = self.sentence
        if sentence.confirms:
            return
        first = self.clause
        if self.state == State.ASKED:
            opened = max((onset for onset in sentence.onsets if onset <= position), default=-1)
            asks = max(
                (c[0] for c in sentence.cues if c[2] == Sign.ASK and c[0] <= position), default=-1
            )
            commas = [at for at in range(position) if sentence.tokens[at] in (",", DASH, ":", ";")]
            first = commas[-1] if commas else 0
            if max(opened, asks) >= first:
                return
        for mention in sentence.mentions:
            if first <= mention.start < position:
                mention.state = State.KNOWN

    def _break(self, position: int) -> None:
        sentence = self.sentence
        token = sentence.tokens[position]
        if token == "(":
            self.enclosed = self.state
            return
        if token == ")":
            if self.enclosed is not None:
                self.state = self.enclosed
            self.enclosed = None
            return
        if token in ("whether", "if"):
            if self.state == State.ASKED:
                self.segment += 1
            return
        if token in ("only", "just"):
            if self.state == State.RULED_OUT and sentence.tokens[position - 1] == ",":
                self.state = State.ASKED
                sentence.asking = True
            return
        self.clause = position
        if token == "but" and self.state == State.RULED_OUT:
            if sentence.tokens[position + 1 : position + 2][0:1] in _RATHER:
                self.state = State.ASKED
                sentence.asking = True
                return
        if self.state in (State.KNOWN, State.RULED_OUT, State.SOFT, State.PLANNED, State.IDLE):
            later = any(onset > position for onset in sentence.onsets)
            plain = sentence.end == "?" and not later
            self.state = State.ASKED if plain else State.NEUTRAL


_CHECKING = frozenset("confirm verify check correct take".split())
_RATHER = (["for"], ["about"], ["only"], ["rather"])
_PERSONS = frozenset("you i we they he she".split())
_WANTED = frozenset((Sign.GENERIC, Sign.OPENING, Sign.WISH, Sign.LOOSE_WISH))
_BREAKS = frozenset((DASH, "but", "(", ")", "whether", "if", ";", ":", "only", "just"))
_WORDS_IN_TITLES = COMMON | {"preferred", "desired", "origin", "i"}
