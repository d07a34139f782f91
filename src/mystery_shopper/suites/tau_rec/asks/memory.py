"""What a message has asked so far, and what its next sentence may refer back to."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from mystery_shopper.suites.tau_rec.asks.choice import Verdict
from mystery_shopper.suites.tau_rec.asks.grammar import AUXILIARIES, WH
from mystery_shopper.suites.tau_rec.asks.patterns import REQUIRED, Mark
from mystery_shopper.suites.tau_rec.asks.sentence import Sentence
from mystery_shopper.suites.tau_rec.asks.signs import Sign
from mystery_shopper.suites.tau_rec.asks.tokens import TAG, TITLE
from mystery_shopper.suites.tau_rec.asks.values import VALUES

_NOTHING = Verdict()
_SHORT = 4
_BRIEF = 12
_OPTION = 6
_FRAGMENT = 3


class Memory:
    """Fields are bits. `proposal`: the message puts a work forward."""

    __slots__ = (
        "asked", "assumed", "before", "block", "coaxed", "generic", "guessed", "in_list", "invited",
        "items", "options", "previous", "proposal", "question", "run", "tagged", "trail",
        "was_list",
    )  # fmt: skip

    def __init__(self, proposal: bool) -> None:
        self.proposal = proposal
        self.asked = 0
        self.before = 0
        self.generic = False
        self.question = False
        self.coaxed = False
        self.assumed = 0
        self.invited = False
        self.previous = _NOTHING
        self.tagged = False
        self.trail = 0
        self.run = 0
        self.in_list = False
        self.guessed = False
        self.was_list = False
        self.block = 0
        self.items: dict[int, int] = {}
        self.options: dict[int, int] = {}

    def enter(self, *, listed: bool) -> None:
        """A new line begins."""
        if listed and not self.in_list:
            self.block = 0
            self.guessed = self.previous.hedges
        self.was_list = self.in_list
        self.in_list = listed

    def take_slots(self, open_: int, filled: int) -> None:
        """Fields whose blanks are open, and those whose blanks are filled."""
        if open_:
            self.asked |= open_
            self.question = True
        vetting = self.previous.checks and not self.previous.asked
        if vetting:
            self.asked |= filled
        self.block |= open_ | filled
        self.previous = Verdict(named=open_ | filled, checks=vetting)

    def note_option(self, tokens: Sequence[str], marks: Sequence[Mark]) -> None:
        """Count a line or a cell that holds a value and hardly more."""
        if not 0 < len(tokens) <= _OPTION or TITLE in tokens or TAG in tokens:
            return
        fields = {owner for _, _, sign, owner in marks if sign in VALUES}
        if len(fields) == 1 and all(mark[2] != Sign.NOUN for mark in marks):
            field = fields.pop()
            self.options[field] = self.options.get(field, 0) + 1

    def take(self, sentence: Sentence, verdict: Verdict, number: int) -> None:
        """Take in a sentence. `number`: that of its line in a list, or 0."""
        tokens = sentence.tokens
        if number:
            self.items[number] = self.items.get(number, 0) | verdict.named | verdict.values
        if verdict.size <= _FRAGMENT:
            self.note_option(tokens, sentence.marks)
        self._look_back(sentence, verdict)
        joined = tokens[0] in ("and", "or") and len(tokens) <= _BRIEF
        if self.previous.away and (len(tokens) <= 5 or joined) and not sentence.onsets:
            verdict.asked &= ~self.previous.away
        before = self.asked
        self.asked |= verdict.asked
        self.before = before
        if verdict.opening and sentence.end == ":":
            verdict.generic, verdict.coaxes = False, True
        self.generic = self.generic or verdict.generic
        self.coaxed = self.coaxed or verdict.coaxes
        if verdict.question and not (self.proposal and verdict.soft):
            self.question = True
        if verdict.hedges:
            self.assumed |= self._numbered(tokens)
        if verdict.invites or not verdict.asking:
            self.assumed |= verdict.assumed
        self.invited = self.invited or verdict.invites
        if tokens == [TAG]:
            self.tagged = True
            return
        self.tagged = False
        self.run = (0 if self.previous.asking else self.run) | verdict.values
        brief = verdict.size <= _OPTION and not verdict.asking
        self.trail = (self.trail if brief else 0) | verdict.values
        if not verdict.checks or verdict.asked or verdict.named:
            self.block |= verdict.named
        self.previous = verdict

    def close(self) -> None:
        """The message ends."""
        if self.invited and self.assumed:
            self.asked |= self.assumed
            self.question = True
        if self.coaxed and not (self.asked or self.proposal):
            self.generic = self.question = True

    def _numbered(self, tokens: Sequence[str]) -> int:
        """The fields of the numbered lines that are referred to: "point 3 is my guess"."""
        fields = 0
        for before, token in pairwise(tokens):
            if token.isdigit() and before in _NUMBERED:
                fields = self.items.get(int(token), 0)
            elif before == "(" and token in _LETTERS:
                fields = self.items.get(ord(token) - 96, 0)
        return fields

    def _look_back(self, sentence: Sentence, verdict: Verdict) -> None:
        """A question without a field of its own may be about what was said just before."""
        previous = self.previous
        if self.proposal and verdict.described and verdict.asked.bit_count() > 1:
            verdict.asked = 0
        if verdict.examples and previous.asking and (previous.generic or previous.asked):
            verdict.asked |= verdict.named
            verdict.question = True
        if sentence.tokens in _REFUSALS and previous.question:
            self.asked = self.before
            self.generic = self.generic and not previous.generic
            verdict.question = False
            return
        if _answers(sentence, verdict, previous):
            self.asked = self.before
            return
        short = len(sentence.tokens)
        if previous.checks and not (previous.asked or verdict.asking) and short < _BRIEF:
            verdict.asked |= verdict.named
        if verdict.generic and verdict.points and short <= _SHORT and not verdict.asked:
            offered = previous.nouns or previous.offered
            if offered and not previous.asking:
                verdict.asked, verdict.generic = offered, False
        if verdict.opening and previous.asked and sentence.has(Sign.PRONOUN):
            verdict.generic = False
        if verdict.invites and not (verdict.asked or verdict.generic):
            verdict.asked |= verdict.named or (verdict.nouns if not verdict.asking else 0)
        if verdict.asked or verdict.generic or verdict.named:
            return
        if not (verdict.asking or verdict.values or verdict.nouns):
            verdict.offered = previous.offered
        checks = verdict.checks or verdict.invites or _is_elliptical(sentence.tokens)
        anaphoric = not checks and not previous.asking and _is_anaphoric(sentence, verdict)
        if checks or anaphoric:
            verdict.question = True
            bound = self._checked(sentence, verdict, previous)
            verdict.asked |= bound & previous.values if anaphoric else bound
        elif (verdict.asking or short < _SHORT) and verdict.points and not verdict.soft:
            self._point_back(verdict, previous)

    def _checked(self, sentence: Sentence, verdict: Verdict, previous: Verdict) -> int:
        """The fields that "is that right?" is about."""
        numbered = self._numbered(sentence.tokens)
        if numbered:
            return numbered
        counted = next((_COUNTS[t] for t in sentence.tokens if t in _COUNTS), 0)
        for values in (previous.values, self.trail, self.run):
            if counted and values.bit_count() == counted:
                return values
        if self.guessed and self.was_list and not self.in_list and self.block:
            return self.block
        if self.proposal and previous.told and _is_pointed(sentence.tokens):
            return previous.said or previous.caveat
        if self.proposal:
            plain = previous.plain and not self.tagged and previous.said.bit_count() == 1
            single = previous.said & previous.named if plain else 0
            return previous.caveat or previous.assumed or single
        if verdict.checks and self.was_list and not self.in_list and self.block:
            return self.block
        if previous.size <= _OPTION and previous.values:
            return self.trail
        if previous.said:
            return previous.assumed or previous.said
        return previous.values or previous.excluded or (self.block if verdict.checks else 0)

    def _point_back(self, verdict: Verdict, previous: Verdict) -> None:
        """ "Which of these would you like?" """
        if not previous.asking:
            offered = previous.offered if previous.offered.bit_count() == 1 else 0
            verdict.asked |= previous.nouns & REQUIRED or offered
        if verdict.asked or self.proposal:
            return
        verdict.asked |= 0 if previous.asking else previous.nouns
        listed = [field for field, count in self.options.items() if count > 1]
        if len(listed) == 1:
            verdict.asked = 1 << listed[0]


_LETTERS = frozenset("abcdefgh")
_COUNTS = {"both": 2, "either": 2, "halves": 2, "two": 2, "three": 3, "four": 4, "five": 5}
_OFFERING = frozenset("shall should may can could might must".split())
_RIGHTNESS = frozenset("right correct mistaken wrong straight insist".split())
_SELVES = frozenset("i you it we they that he she there".split())


def _is_elliptical(tokens: Sequence[str]) -> bool:
    """Whether a bare tag stands as a sentence of its own: "Have I?", "Don't you?"."""
    words = [token for token in tokens if token != "not"]
    if len(words) != 2 or words[0] not in AUXILIARIES or words[1] not in _SELVES:
        return False
    return words[0] not in _OFFERING or words[1] not in ("i", "we")


def _is_anaphoric(sentence: Sentence, verdict: Verdict) -> bool:
    """Whether a brief question has no matter of its own: "would you turn it down?"."""
    tokens = sentence.tokens
    return (
        sentence.end == "?"
        and len(tokens) <= _QUICK
        and tokens[0] not in WH
        and not verdict.soft
        and (not _POINTING.isdisjoint(tokens) or "that" in (*tokens[:3], tokens[-1]))
        and _THIRD.isdisjoint(tokens)
        and all(mark[2] not in _OWN for mark in sentence.marks)
    )


_QUICK = 8
_POINTING = frozenset("this it those these them both agree".split())
_THIRD = frozenset("he she they her him anyone who what when where how".split())
_OWN = frozenset((Sign.OTHER, Sign.ITEM, Sign.PROCESS, Sign.SERVICE, Sign.GENERIC, Sign.RHETORIC))


def _is_pointed(tokens: Sequence[str]) -> bool:
    """Whether it asks for the truth of what was said and not for a liking."""
    return _is_elliptical(tokens) or not _RIGHTNESS.isdisjoint(tokens)


_REFUSALS = (["no"], ["nope"], ["none"], ["nothing"])
_NUMBERED = frozenset("point points number item no assumption line guess entry row and".split())
_SOURCES = frozenset("record records catalogue description entry blurb listing database".split())


def _answers(sentence: Sentence, verdict: Verdict, previous: Verdict) -> bool:
    """Whether the speaker answers the question just put: "Genre? You said horror." """
    tokens = sentence.tokens
    if tokens == ["why", "not"]:
        return True
    if verdict.asking or not previous.asked:
        return False
    told = any(cue[0] == 0 and cue[2] in (Sign.KNOWN, Sign.SETTLED) for cue in sentence.cues)
    if told and not verdict.values and len(tokens) <= _SHORT and previous.size <= _SHORT:
        return True
    if verdict.values != previous.asked or verdict.hedges:
        return False
    return (tokens[0] == "you" and told) or not _SOURCES.isdisjoint(tokens[:3])
