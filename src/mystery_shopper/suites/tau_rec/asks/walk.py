"""The reading of a sentence from left to right: in what stretch does each mention stand?

What asks ("could you", "tell me", "what") opens a stretch in which mentions count; what rules out,
takes for granted, gives reasons or announces plans closes it.
"""

from __future__ import annotations

from mystery_shopper.suites.tau_rec.asks.confirms import confirms
from mystery_shopper.suites.tau_rec.asks.grammar import (
    CLAUSE_STARTS,
    PREPOSITIONS,
    SOFT_WH,
    starts_clause,
)
from mystery_shopper.suites.tau_rec.asks.patterns import Mark
from mystery_shopper.suites.tau_rec.asks.sentence import Mention, Sentence, State
from mystery_shopper.suites.tau_rec.asks.signs import Sign
from mystery_shopper.suites.tau_rec.asks.statements import goes_further, suggests, take_hint
from mystery_shopper.suites.tau_rec.asks.tokens import DASH
from mystery_shopper.suites.tau_rec.asks.values import VALUES, alternatives

_PERSONS = frozenset("you i we they he she".split())


def follow(sentence: Sentence, *, asked: bool, proposal: bool) -> None:
    """Give every mention its state.

    `asked`: the lines before have opened a request. `proposal`: the message puts a work forward.
    """
    cues = sentence.cues
    tokens = sentence.tokens
    requests = [cue for cue in cues if cue[2] == Sign.ASK and not _is_idle(cue, tokens)]
    sentence.requests = bool(requests)
    after = [cue for cue in cues if cue[2] == Sign.AFTER and tokens[cue[0] - 1] not in _PERSONS]
    if proposal:
        after = []
    questioned = sentence.end == "?"
    sentence.confirms = confirms(sentence, questioned)
    sentence.asking = bool(questioned or requests or sentence.onsets or after or asked)
    sentence.hinted = (
        not sentence.asking
        and (bool(sentence.mentions) or goes_further(sentence))
        and suggests(sentence, proposal=proposal)
    )
    whole = asked or sentence.confirms or _is_bare_request(requests, tokens)
    if questioned and not requests and all(at == len(tokens) - _TAG for at in sentence.onsets):
        whole = True
    _Walk(sentence, State.ASKED if whole else State.NEUTRAL).run()
    if sentence.hinted:
        take_hint(sentence)
    if after:
        last = max(cue[0] for cue in after)
        offered = alternatives(tokens, sentence.mentions)
        for mention in sentence.mentions:
            if mention.state == State.NEUTRAL and mention.start < last and _lacks(mention, offered):
                mention.state = State.ASKED


def _lacks(mention: Mention, offered: int) -> bool:
    """Whether the mention may be what is needed: a field's name, or one of several values."""
    return mention.sign not in VALUES or offered >> mention.field & 1 == 1


_COURTESIES = frozenset("wait hold bear stand note find enjoy allow excuse accept forgive".split())

_MOMENTS = frozenset("moment minute second sec moments minutes seconds".split())


def _is_idle(cue: Mark, tokens: list[str]) -> bool:
    """Whether nothing is requested but patience, "please wait"; or a "you tell me" only reports."""
    if cue[0] > 1 and tokens[cue[0] - 2 : cue[0]] == [",", "you"]:
        return True
    if tokens[cue[1] - 1] == "please" and tokens[max(cue[0] - 1, 0)] in _MOMENTS:
        return True
    return tokens[cue[1] - 1] == "please" and cue[1] < len(tokens) and tokens[cue[1]] in _COURTESIES


_PLEASE = frozenset(("please", "por", "per", "s"))


def _is_bare_request(requests: list[Mark], tokens: list[str]) -> bool:
    """Whether nothing asks but a "please" at the end: "genre and era, please"."""
    if not requests:
        return False
    return all(
        start > 0 and end == len(tokens) and tokens[start] in _PLEASE
        for start, end, _, _ in requests
    )


_STOPS = {
    Sign.KNOWN: State.KNOWN,
    Sign.GROUND: State.PLANNED,
    Sign.EXCEPT: State.KNOWN,
    Sign.PLAN: State.PLANNED,
}


_RATHER = (["for"], ["about"], ["only"], ["rather"])


_WANTED = frozenset((Sign.GENERIC, Sign.OPENING, Sign.WISH, Sign.LOOSE_WISH, Sign.COAX))


_BREAKS = frozenset((DASH, "but", "(", ")", "whether", "if", ";", ":", "only", "just"))
_BREAKS_AND_COMMA = _BREAKS | {","}
_FRONTED = frozenset((Sign.EXCEPT, Sign.GROUND))
_CLAUSE_HEADS = frozenset("i we you there it that this what which the all everything".split())


_KNOWING = frozenset((Sign.KNOWN, Sign.SETTLED))
_ASKING = frozenset((Sign.ASK, Sign.AFTER))
_TAG = 2


class _Walk:
    """The reading of one sentence from left to right."""

    __slots__ = (
        "barred",
        "clause",
        "enclosed",
        "fronted",
        "passing",
        "points",
        "request",
        "segment",
        "sentence",
        "state",
    )

    def __init__(self, sentence: Sentence, state: int) -> None:
        self.sentence = sentence
        self.state = state
        self.segment = 0
        self.clause = 0
        self.barred = 0
        self.request = 0
        self.fronted = False
        self.passing = -1
        self.enclosed: int | None = None
        self.points: list[tuple[int, int, int]] = []

    def run(self) -> None:
        """Visit onsets, cues, breaks and mentions in order."""
        sentence = self.sentence
        points = self.points
        points.extend((onset, 0, -1) for onset in sentence.onsets)
        points.extend((cue[0], 1, index) for index, cue in enumerate(sentence.cues))
        points.extend((m.start, 3, index) for index, m in enumerate(sentence.mentions))
        fronted = any(cue[0] <= 1 and cue[2] in _FRONTED for cue in sentence.cues)
        fronted = fronted or any(cue[0] == 0 and cue[2] == Sign.PROCESS for cue in sentence.cues)
        breaks = _BREAKS_AND_COMMA if fronted else _BREAKS
        for position, token in enumerate(sentence.tokens):
            if token in breaks:
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
        head = position + (tokens[position] in PREPOSITIONS)
        soft = tokens[head] in SOFT_WH and not self._names(head)
        self.state = State.KNOWN if soft else State.ASKED
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
        if sign in _KNOWING and self._is_lack(cue):
            return
        if sign == Sign.ASK:
            if position < self.barred:
                return
            self.request = max(self.request, cue[1])
            if self.state != State.RULED_OUT or self._resumes(position):
                if self.state != State.ASKED:
                    self.segment += 1
                self.state = State.ASKED
        elif sign == Sign.NEGATED and self.sentence.tokens[max(position - 2, 0)] == "if":
            return
        elif sign == Sign.NEGATED:
            self.state = State.RULED_OUT
            self.barred = max(self.barred, cue[1])
        elif sign == Sign.PROCESS and self._goes_with(cue):
            self.state = State.ASKED
        elif sign == Sign.ITEM or sign == Sign.PROCESS:
            self.passing = cue[1] if sign == Sign.PROCESS and position == 0 else -1
            if self.state not in (State.RULED_OUT, State.KNOWN):
                self.state = State.SOFT if sign == Sign.ITEM else State.IDLE
            self.barred = max(self.barred, cue[1])
        elif sign == Sign.AFTER:
            self.request = max(self.request, cue[1])
        elif position < self.request and sign in (Sign.KNOWN, Sign.SETTLED):
            return
        elif sign in _STOPS and not self._names(position):
            self._stop(sign, position)
            self.fronted = position <= 1 and sign in _FRONTED
        elif sign == Sign.SETTLED and not self._dangles(cue):
            self._settle(position)

    def _goes_with(self, cue: Mark) -> bool:
        """Whether a value is named to go on with: "shall I go ahead with Spanish?"."""
        return self.sentence.tokens[cue[1] : cue[1] + 1] == ["with"] and any(
            m.start == cue[1] + 1 and m.sign == Sign.VALUE for m in self.sentence.mentions
        )

    def _is_lack(self, cue: Mark) -> bool:
        """Whether what seems known is the beginning of what is not: "I have yet to hear"."""
        return any(
            other[0] == cue[0] and other[1] > cue[1] and other[2] in _ASKING
            for other in self.sentence.cues
        )

    def _names(self, position: int) -> bool:
        """Whether a field is named by the very word: "since when"."""
        return any(m.start == position and m.sign == Sign.PHRASE for m in self.sentence.mentions)

    def _dangles(self, cue: Mark) -> bool:
        """Whether "it is" is no closing "it is"."""
        tokens = self.sentence.tokens
        return tokens[cue[0] : cue[1]] == ["it", "is"] and tokens[cue[1] : cue[1] + 1] not in (
            [], [","], ["then"],
        )  # fmt: skip

    def _stop(self, sign: int, position: int) -> None:
        sentence = self.sentence
        if sentence.confirms and sign != Sign.EXCEPT:
            return
        if self.state == State.RULED_OUT:
            return
        if sign == Sign.KNOWN and self.state == State.ASKED and position in sentence.onsets:
            return
        self.state = _STOPS[sign]

    def _settle(self, position: int) -> None:
        """What was mentioned before, in this clause, is known."""
        sentence = self.sentence
        if sentence.confirms:
            return
        first = self.clause
        if position and sentence.tokens[position - 1] == "but":
            first = 0
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
            asked = mention.state == State.ASKED and self.state != State.ASKED
            if first <= mention.start < position and not asked:
                mention.state = State.KNOWN

    def _break(self, position: int) -> None:
        sentence = self.sentence
        token = sentence.tokens[position]
        if token == ",":
            if self.passing == position and sentence.end == "?":
                self.state = State.ASKED
            after = sentence.tokens[position + 1 : position + 2]
            if self.fronted and after and after[0] in _CLAUSE_HEADS:
                self.state = State.NEUTRAL
            return
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
        if token == ":" and self.state not in (State.SOFT, State.IDLE):
            return
        self.clause = position
        rather = sentence.tokens[position + 1 : position + 2] in _RATHER
        if token == "but" and self.state == State.RULED_OUT and rather:
            self.state = State.ASKED
            sentence.asking = True
            return
        if self.state in (State.KNOWN, State.RULED_OUT, State.SOFT, State.PLANNED, State.IDLE):
            later = any(onset > position for onset in sentence.onsets)
            plain = sentence.end == "?" and not later
            self.state = State.ASKED if plain else State.NEUTRAL
