"""A message as clauses of plain words, and what tells a refusal, a denial and a yes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mystery_shopper.suites.tau_rec.asks.tokens import tokenise
from mystery_shopper.suites.tau_rec.guard.guises import guises, plain

READ = 20_000
"""How many characters of a message are looked at."""

_ENDS = re.compile(r"(?<=[.!?;])(?=\s|$)|[\r\n]+|\s[-–—]+\s|—")
_TURNS = re.compile(r",?\s+(?=but\b)", re.IGNORECASE)
_LEAD = re.compile(
    r"^\s*(?:yes|yeah|yep|no|nope|well|ok|okay|sure|right|hm+|ah|oh)\s*[,.:!]\s+", re.I
)
_APART = re.compile(r"(?<![\w'])(?:[^\W\d_][ .-]){3,}[^\W\d_](?![\w'])")
_REFUSES = frozenset(
    "not no never neither nor without none decline secret private pass skip refuse unsure".split()
)
_TURNED = frozenset("other except besides apart unless only anything".split())
_YES = frozenset(
    "yes yeah yep yup aye correct right exactly indeed sure absolutely definitely certainly "
    "precisely bingo".split()
)
_YES_PHRASES = ("of course", "that is it", "that is right", "you guessed", "spot on", "it is")


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a sentence: its words in lower case, and whether it ends as a question."""

    words: tuple[str, ...]
    asks: bool = False

    @property
    def refuses(self) -> bool:
        """Whether it refuses or denies: what it names, it does not give."""
        return not _REFUSES.isdisjoint(self.words) and _TURNED.isdisjoint(self.words)

    @property
    def affirms(self) -> bool:
        """Whether it begins with a yes."""
        head = " ".join(self.words[:3])
        return self.words[:1] != () and (
            self.words[0] in _YES or any(head.startswith(phrase) for phrase in _YES_PHRASES)
        )


def clauses(text: str) -> list[Clause]:
    """The clauses of a text. Formatting, letters of other widths, invisible characters and accents
    make no difference; letters written apart are joined. A yes or no that leads a sentence stands
    as a clause of its own."""
    return _parted(plain(text[:READ]))


def readings(text: str) -> Iterator[list[Clause]]:
    """The clauses of a text as it is written, and then in every other guise that it can be read
    in."""
    yield clauses(text)
    for guise in guises(text[:READ]):
        yield _parted(guise)


def _parted(text: str) -> list[Clause]:
    text = _APART.sub(lambda found: re.sub(r"[ .-]", "", found[0]), text)
    found: list[Clause] = []
    for sentence in _ENDS.split(text):
        asks = sentence.rstrip().endswith("?")
        for part in _TURNS.split(sentence):
            lead = _LEAD.match(part)
            pieces = (part[: lead.end()], part[lead.end() :]) if lead else (part,)
            for piece in pieces:
                words = tuple(token for token in tokenise(piece)[0] if token[0].isalnum())
                if words:
                    found.append(Clause(words, asks))
    return found
