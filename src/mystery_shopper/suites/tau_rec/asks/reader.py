"""What a message of the agent asks the customer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from mystery_shopper.catalog.domain import Domain
from mystery_shopper.suites.tau_rec.asks.choice import Verdict, choose
from mystery_shopper.suites.tau_rec.asks.forms import is_empty, read_columns, read_row, read_slots
from mystery_shopper.suites.tau_rec.asks.generic import is_wish
from mystery_shopper.suites.tau_rec.asks.grammar import AUXILIARIES, WH, lacks_mark
from mystery_shopper.suites.tau_rec.asks.language import is_english
from mystery_shopper.suites.tau_rec.asks.lexicon import Lexicon
from mystery_shopper.suites.tau_rec.asks.markup import Box, Line, cleaned, divided, proposed
from mystery_shopper.suites.tau_rec.asks.memory import Memory
from mystery_shopper.suites.tau_rec.asks.openness import is_open
from mystery_shopper.suites.tau_rec.asks.patterns import EVERY, Mark
from mystery_shopper.suites.tau_rec.asks.sentence import Sentence, mend, prepare
from mystery_shopper.suites.tau_rec.asks.signs import Sign
from mystery_shopper.suites.tau_rec.asks.tokens import BLANK, TAG, TITLE, split_sentences, tokenise
from mystery_shopper.suites.tau_rec.asks.walk import follow


@dataclass(frozen=True, slots=True)
class Reading:
    """What one message asks, proposes and looks like.

    `asks`: names of the fields asked about, in the domain's order, the formats last. `generic`: a
    request for any further requirement. `proposes`: ids of the items in its tags. `question`: it
    asks or requests something of the customer, matched or not. `readable`: it has some English, or
    hardly any words; where it has none, nothing is read as asked. `others`: names of the fields
    asked about of which nothing is ever required.
    """

    asks: tuple[str, ...] = ()
    generic: bool = False
    proposes: tuple[str, ...] = ()
    question: bool = False
    readable: bool = True
    others: tuple[str, ...] = ()


KEPT = 1024
KEPT_LENGTH = 1000


class AskReader:
    """Reads messages about one domain.

    `vocabulary`: label field -> the catalogue's labels. Raises ValueError where the domain names
    shared words that do not exist.
    """

    def __init__(self, domain: Domain, vocabulary: Mapping[str, Sequence[str]]) -> None:
        self._lexicon = Lexicon(domain, vocabulary)
        self._known = lru_cache(maxsize=KEPT)(self._understand)

    def read(self, text: str) -> Reading:
        """What the message asks. Pure; never raises on any text."""
        proposes = proposed(text)
        plain = cleaned(self._lexicon.aliases.put(text), self._lexicon.names)
        understand = self._known if len(plain) <= KEPT_LENGTH else self._understand
        found = understand(plain, bool(proposes))
        return replace(found, proposes=proposes) if proposes else found

    def _understand(self, plain: str, proposal: bool) -> Reading:
        """What a message asks of which only the plain words are left. Messages that differ in their
        titles and tags alone come to the same words, so short ones are kept."""
        page = divided(plain)
        pass_ = _Pass(self._lexicon, proposal)
        for line in page:
            pass_.line(line)
        pass_.close(page)
        memory = pass_.memory
        if not is_english(page, self._lexicon.knows):
            return Reading((), False, (), memory.question, False)
        names = self._lexicon.names_of(memory.asked)
        others = self._lexicon.others_of(memory.asked)
        return Reading(names, memory.generic, (), memory.question, others=others)


class _Pass:
    """One message being read, line by line: what the lines before opened."""

    __slots__ = ("columns", "frame", "lexicon", "listing", "memory", "passing")

    def __init__(self, lexicon: Lexicon, proposal: bool) -> None:
        self.lexicon = lexicon
        self.memory = Memory(proposal)
        self.frame = False
        self.passing = False
        self.listing = False
        self.columns: tuple[int | None, ...] = ()

    def line(self, line: Line) -> None:
        """Read one line."""
        if line.cells:
            self._row(line)
            return
        self.columns = ()
        if line.box is Box.TICKED:
            return
        if self.passing and not line.listed:
            self.frame = self.passing = False
        if line.gap and not line.listed and self.listing:
            self.frame = False
        if not line.listed and self.listing:
            self.listing = False
            if not line.gap:
                self.frame = False
        tokens, written = tokenise(line.text)
        if "*" in tokens:
            written = [word for token, word in zip(tokens, written, strict=True) if token != "*"]
            tokens = [token for token in tokens if token != "*"]
        if not tokens:
            return
        self.memory.enter(listed=line.listed)
        marks = self.lexicon.marks(tokens)
        slots = read_slots(tokens, marks, line.box is Box.EMPTY or self.frame)
        if line.listed:
            self.listing = True
        if slots is not None:
            self.memory.take_slots(*slots)
        elif self._is_open_wish(tokens, marks):
            self.memory.generic = self.memory.question = True
        else:
            self._sentences(tokens, written, marks, line)

    @staticmethod
    def _is_open_wish(tokens: list[str], marks: list[Mark]) -> bool:
        """Whether the line is a blank for any requirement: "further remarks: ___"."""
        if ":" not in tokens:
            return False
        at = tokens.index(":")
        content = " ".join(tokens[at + 1 :]).replace(BLANK, "_")
        return is_empty(content) and bool(content) and is_wish(tokens[:at], marks)

    def _row(self, line: Line) -> None:
        memory = self.memory
        columns = read_columns(line.cells, self.lexicon)
        if columns:
            self.columns = columns
            return
        for field, cell in zip(self.columns, line.cells, strict=False):
            if field is not None and cell.strip() and is_empty(cell):
                memory.take_slots(1 << field, 0)
        row = read_row(line.cells, self.lexicon)
        if row is not None:
            if row:
                memory.take_slots(row, 0)
            return
        waits = len(line.cells) > 1 and any(cell.strip() and is_empty(cell) for cell in line.cells)
        for cell in line.cells:
            tokens, written = tokenise(cell)
            marks = self.lexicon.marks(tokens)
            memory.note_option(tokens, marks)
            if waits and is_wish(tokens, marks):
                memory.generic = memory.question = True
            elif "?" in cell:
                self._sentences(tokens, written, marks, line)

    def _sentences(
        self, tokens: list[str], written: list[str], marks: list[Mark], line: Line
    ) -> None:
        spans = split_sentences(tokens)
        carried = self.frame
        at = 0
        if line.listed or len(spans) == 1:
            self.memory.note_option(tokens, marks)
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
            opened = self._sentence(sentence, carried or line.box is Box.EMPTY, line.number)
            carried = opened if final == ";" else self.frame and line.listed
            if index == len(spans) - 1:
                self._open(sentence, opened, line)

    def _open(self, sentence: Sentence, opened: bool, line: Line) -> None:
        """Whether the lines that follow stand under a request."""
        verdict = self.memory.previous
        unanswered = sentence.end == "" and verdict.requests and not verdict.asked
        announces = opened and not verdict.asked and not _ANNOUNCING.isdisjoint(sentence.tokens)
        if sentence.tokens[-1] == ":" or line.heading or unanswered or announces:
            self.frame = opened
            self.passing = line.heading or announces
            self.listing = False
        elif not line.listed and ":" not in sentence.tokens[1:_LABEL]:
            self.frame = False

    def _sentence(self, sentence: Sentence, carried: bool, number: int) -> bool:
        tokens = sentence.tokens
        if sentence.end != "?" and lacks_mark(tokens, {mark[0] for mark in sentence.marks}):
            sentence.end = "?"
        if self._may_ask(sentence, carried):
            mend(sentence, self.lexicon)
        if sentence.marks:
            prepare(sentence)
            follow(sentence, asked=carried, proposal=self.memory.proposal)
            verdict = choose(sentence)
        else:
            verdict = Verdict(question=sentence.end == "?", asking=sentence.end == "?")
            verdict.coaxes = is_open(sentence)
        if TITLE in tokens or TAG in tokens or (verdict.soft and not verdict.asked):
            verdict.offered = verdict.named = verdict.nouns = verdict.said = 0
        self.memory.take(sentence, verdict, number)
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

    def close(self, page: list[Line]) -> None:
        """What only the whole message shows."""
        self.memory.close()
        if len(page) == 1 and not (self.memory.asked or self.memory.generic):
            self.memory.take_slots(self._bare(page[0]), 0)

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
        bare = all(token in ("and", "or", "the", "your", "please", "then") for token in rest)
        return nouns if bare else 0


_LABEL = 4
_ANNOUNCING = frozenset(
    "following below questions things details points info information few some this".split()
)
