"""What a message has asked so far, and what its next sentence may refer back to."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from mystery_shopper.suites.tau_rec.asks.choice import Verdict
from mystery_shopper.suites.tau_rec.asks.patterns import Mark
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
        "asked", "assumed", "before", "block", "generic", "in_list", "invited", "items", "options",
        "previous", "proposal", "question", "tagged", "was_list",
    )  # fmt: skip

    def __init__(self, proposal: bool) -> None:
        self.proposal = proposal
        self.asked = 0
        self.before = 0
        self.generic = False
        self.question = False
        self.assumed = 0
        self.invited = False
        self.previous = _NOTHING
        self.tagged = False
        self.in_list = False
        self.was_list = False
        self.block = 0
        self.items: dict[int, int] = {}
        self.options: dict[int, int] = {}

    def enter(self, *, listed: bool) -> None:
        """A new line begins."""
        if listed and not self.in_list:
            self.block = 0
        self.was_list = self.in_list
        self.in_list = listed

    def take_slots(self, open_: int, filled: int) -> None:
        """Fields whose blanks are open, and those whose blanks are filled."""
        if open_:
            self.asked |= open_
            self.question = True
        self.block |= open_ | filled
        self.previous = Verdict(named=open_ | filled)

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
        if self.previous.away and len(tokens) <= 5 and not sentence.onsets:
            verdict.asked &= ~self.previous.away
        before = self.asked
        self.asked |= verdict.asked
        self.before = before
        self.generic = self.generic or verdict.generic
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
        if not verdict.checks or verdict.asked or verdict.named:
            self.block |= verdict.named
        self.previous = verdict

    def close(self) -> None:
        """The message ends."""
        if self.invited and self.assumed:
            self.asked |= self.assumed
            self.question = True

    def _numbered(self, tokens: Sequence[str]) -> int:
        """The fields of the numbered lines that are referred to: "point 3 is my guess"."""
        fields = 0
        for before, token in pairwise(tokens):
            if token.isdigit() and before in _NUMBERED:
                fields = self.items.get(int(token), 0)
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
        if verdict.asked or verdict.generic or verdict.named:
            return
        if verdict.checks:
            verdict.question = True
            verdict.asked |= self._checked(sentence, previous)
        elif (verdict.asking or short < _SHORT) and verdict.points and not verdict.soft:
            self._point_back(verdict, previous)

    def _checked(self, sentence: Sentence, previous: Verdict) -> int:
        """The fields that "is that right?" is about."""
        numbered = self._numbered(sentence.tokens)
        if numbered:
            return numbered
        if self.proposal:
            plain = previous.plain and not self.tagged and previous.said.bit_count() == 1
            single = previous.said if plain else 0
            return previous.caveat or previous.assumed or single
        if self.was_list and not self.in_list and self.block:
            return self.block
        if previous.said:
            return previous.assumed or previous.said
        return self.block

    def _point_back(self, verdict: Verdict, previous: Verdict) -> None:
        """ "Which of these would you like?" """
        if not previous.asking:
            offered = previous.offered if previous.offered.bit_count() == 1 else 0
            verdict.asked |= previous.nouns or offered
        if verdict.asked or self.proposal:
            return
        listed = [field for field, count in self.options.items() if count > 1]
        if len(listed) == 1:
            verdict.asked = 1 << listed[0]


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
