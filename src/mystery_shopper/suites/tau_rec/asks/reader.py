"""What a message of the agent asks the customer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mystery_shopper.catalog.domain import Domain
from mystery_shopper.suites.tau_rec.asks.choice import Verdict, choose
from mystery_shopper.suites.tau_rec.asks.forms import is_empty, read_columns, read_row, read_slots
from mystery_shopper.suites.tau_rec.asks.grammar import AUXILIARIES, WH, lacks_mark
from mystery_shopper.suites.tau_rec.asks.language import is_english
from mystery_shopper.suites.tau_rec.asks.lexicon import Lexicon
from mystery_shopper.suites.tau_rec.asks.markup import Box, Line, lines, proposed
from mystery_shopper.suites.tau_rec.asks.patterns import EVERY, Mark
from mystery_shopper.suites.tau_rec.asks.sentence import Sentence, mend, prepare
from mystery_shopper.suites.tau_rec.asks.signs import Sign
from mystery_shopper.suites.tau_rec.asks.tokens import TAG, TITLE, split_sentences, tokenise
from mystery_shopper.suites.tau_rec.asks.walk import follow


@dataclass(frozen=True, slots=True)
class Reading:
    """What one message asks, proposes and looks like.

    `asks`: names of the fields asked about, in the domain's order, the formats last. `generic`: a
    request for any further requirement. `proposes`: ids of the items in its tags. `question`: it
    asks or requests something of the customer, matched or not. `readable`: it has some English, or
    hardly any words; where it has none, nothing is read as asked.
    """

    asks: tuple[str, ...] = ()
    generic: bool = False
    proposes: tuple[str, ...] = ()
    question: bool = False
    readable: bool = True


class AskReader:
    """Reads messages about one domain.

    `vocabulary`: label field -> the catalogue's labels. Raises ValueError where the domain names
    shared words that do not exist.
    """

    def __init__(self, domain: Domain, vocabulary: Mapping[str, Sequence[str]]) -> None:
        self._lexicon = Lexicon(domain, vocabulary)

    def read(self, text: str) -> Reading:
        """What the message asks. Pure; never raises on any text."""
        proposes = proposed(text)
        page = lines(text, self._lexicon.names)
        pass_ = _Pass(self._lexicon, bool(proposes))
        for line in page:
            pass_.line(line)
        pass_.close(page)
        if not is_english(page, self._lexicon.knows):
            return Reading((), False, proposes, pass_.question, False)
        names = self._lexicon.names_of(pass_.asked)
        return Reading(names, pass_.generic, proposes, pass_.question)


_NOTHING = Verdict()
_SHORT = 4


class _Pass:
    """One message being read, line by line: what was asked so far, what lines before opened."""

    __slots__ = (
        "asked", "assumed", "before", "block", "columns", "frame", "generic", "in_list", "invited",
        "lexicon", "listing", "previous", "proposal", "question", "was_list",
    )  # fmt: skip

    def __init__(self, lexicon: Lexicon, proposal: bool) -> None:
        self.lexicon = lexicon
        self.proposal = proposal
        self.asked = 0
        self.before = 0
        self.generic = False
        self.question = False
        self.frame = False
        self.listing = False
        self.assumed = 0
        self.invited = False
        self.previous = _NOTHING
        self.was_list = False
        self.block = 0
        self.columns: tuple[int | None, ...] = ()
        self.in_list = False

    def line(self, line: Line) -> None:
        """Read one line."""
        if line.cells:
            self._row(line)
            return
        self.columns = ()
        if line.box is Box.TICKED:
            return
        if line.gap and not line.listed and self.listing:
            self.frame = False
        if not line.listed and self.listing:
            self.listing = False
            if not line.gap:
                self.frame = False
        tokens, written = tokenise(line.text)
        if not tokens:
            return
        if line.listed and not self.in_list:
            self.block = 0
        self.was_list = self.in_list
        self.in_list = line.listed
        marks = self.lexicon.marks(tokens)
        slots = read_slots(tokens, marks, line.box is Box.EMPTY or self.frame)
        if slots is not None:
            self._take_slots(slots)
            if line.listed:
                self.listing = True
            return
        if line.listed:
            self.listing = True
        self._sentences(tokens, written, marks, line)

    def _row(self, line: Line) -> None:
        columns = read_columns(line.cells, self.lexicon)
        if columns:
            self.columns = columns
            return
        for field, cell in zip(self.columns, line.cells, strict=False):
            if field is not None and cell.strip() and is_empty(cell):
                self.asked |= 1 << field
                self.question = True
        row = read_row(line.cells, self.lexicon)
        if row is not None:
            self.asked |= row
            self.question = self.question or bool(row)
            return
        for cell in line.cells:
            if "?" in cell:
                tokens, written = tokenise(cell)
                self._sentences(tokens, written, self.lexicon.marks(tokens), line)

    def _take_slots(self, slots: tuple[int, int]) -> None:
        open_, filled = slots
        if open_:
            self.asked |= open_
            self.question = True
        self.block |= open_ | filled
        self.previous = Verdict(named=open_ | filled)

    def _sentences(
        self, tokens: list[str], written: list[str], marks: list[Mark], line: Line
    ) -> None:
        spans = split_sentences(tokens)
        carried = self.frame
        at = 0
        for index, (start, end, final) in enumerate(spans):
            inside: list[Mark] = []
            while at < len(marks) and marks[at][0] < start:
                at += 1
            for first, last, sign, owner in marks[at:]:
                if first >= end:
                    break
                if last <= end:
                    inside.append((first - start, last - start, sign, owner))
            sentence = Sentence(tokens[start:end], written[start:end], final, inside)
            opened = self._sentence(sentence, carried or line.box is Box.EMPTY)
            carried = opened if final == ";" else self.frame and line.listed
            if index == len(spans) - 1:
                self._open(sentence, opened, line)

    def _open(self, sentence: Sentence, opened: bool, line: Line) -> None:
        """Whether the lines that follow stand under a request."""
        verdict = self.previous
        unanswered = sentence.end == "" and verdict.requests and not verdict.asked
        if sentence.tokens[-1] == ":" or line.heading or unanswered:
            self.frame = opened
            self.listing = False
        elif not line.listed:
            self.frame = False

    def _sentence(self, sentence: Sentence, carried: bool) -> bool:
        tokens = sentence.tokens
        if sentence.end != "?" and lacks_mark(tokens, {mark[0] for mark in sentence.marks}):
            sentence.end = "?"
        if self._may_ask(sentence, carried):
            mend(sentence, self.lexicon)
        if sentence.marks:
            prepare(sentence)
            follow(sentence, asked=carried, proposal=self.proposal)
            verdict = choose(sentence)
        else:
            verdict = Verdict(question=sentence.end == "?", asking=sentence.end == "?")
        if TITLE in tokens or TAG in tokens or (verdict.soft and not verdict.asked):
            verdict.offered = verdict.named = verdict.nouns = verdict.said = 0
        if self.proposal and verdict.described and verdict.asked.bit_count() > 1:
            verdict.asked = 0
        self._look_back(sentence, verdict)
        if self.previous.away and len(tokens) <= 5 and not sentence.onsets:
            verdict.asked &= ~self.previous.away
        before = self.asked
        self.asked |= verdict.asked
        self.before = before
        self.generic = self.generic or verdict.generic
        if verdict.question and not (self.proposal and verdict.soft):
            self.question = True
        if verdict.invites or not verdict.asking:
            self.assumed |= verdict.assumed
        self.invited = self.invited or verdict.invites
        if tokens != [TAG]:
            if not verdict.checks or verdict.asked or verdict.named:
                self.block |= verdict.named
            self.previous = verdict
        return verdict.asking and not sentence.hinted

    @staticmethod
    def _may_ask(sentence: Sentence, carried: bool) -> bool:
        return (
            carried
            or sentence.end == "?"
            or sentence.tokens[0] in WH
            or sentence.tokens[0] in AUXILIARIES
            or any(mark[2] == Sign.ASK for mark in sentence.marks)
        )

    def _look_back(self, sentence: Sentence, verdict: Verdict) -> None:
        """A question without a field of its own may be about what was said just before."""
        previous = self.previous
        if verdict.examples and previous.asking and (previous.generic or previous.asked):
            verdict.asked |= verdict.named
            verdict.question = True
        if _answers(sentence, verdict, previous):
            self.asked = self.before
            return
        if (
            previous.checks
            and not previous.asked
            and not verdict.asking
            and len(sentence.tokens) < 12
        ):
            verdict.asked |= verdict.named
        if (
            verdict.generic
            and verdict.points
            and len(sentence.tokens) <= _SHORT
            and not verdict.asked
        ):
            offered = previous.nouns or previous.offered
            if offered and not previous.asking:
                verdict.asked, verdict.generic = offered, False
        if verdict.asked or verdict.generic or verdict.named:
            return
        if verdict.checks:
            verdict.question = True
            if self.proposal:
                verdict.asked |= previous.caveat or previous.assumed
            elif self.was_list and not self.in_list and self.block:
                verdict.asked |= self.block
            elif previous.said:
                verdict.asked |= previous.assumed or previous.said
            elif self.block:
                verdict.asked |= self.block
        elif verdict.asking and not verdict.soft and verdict.points and not previous.asking:
            offered = previous.offered if previous.offered.bit_count() == 1 else 0
            verdict.asked |= previous.nouns or offered

    def close(self, page: list[Line]) -> None:
        """What only the whole message shows."""
        if self.invited and self.assumed:
            self.asked |= self.assumed
            self.question = True
        if not self.asked and not self.generic and len(page) == 1:
            self.asked |= self._bare(page[0])

    def _bare(self, line: Line) -> int:
        """A message of nothing but names of fields asks for them."""
        tokens = tokenise(line.text)[0]
        if not 0 < len(tokens) <= 8:
            return 0
        nouns = 0
        covered: set[int] = set()
        for start, end, sign, owner in self.lexicon.marks(tokens):
            if sign == Sign.NOUN and owner != EVERY:
                nouns |= 1 << owner
                covered.update(range(start, end))
        rest = [t for at, t in enumerate(tokens) if at not in covered and t[0].isalnum()]
        if nouns and all(token in ("and", "or", "the", "your", "please", "then") for token in rest):
            self.question = True
            return nouns
        return 0


def _answers(sentence: Sentence, verdict: Verdict, previous: Verdict) -> bool:
    """Whether the speaker answers the question just put: "Genre? You said horror." """
    if sentence.tokens == ["why", "not"]:
        return True
    if not verdict.values or previous.asked != verdict.values or verdict.asking:
        return False
    return sentence.tokens[0] == "you" and any(
        cue[0] == 0 and cue[2] in (Sign.KNOWN, Sign.SETTLED) for cue in sentence.cues
    )
