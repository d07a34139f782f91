"""How the simulated user reads the probe questions, and which words the domain lacks or shares."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from mystery_shopper.catalog.domain import Domain
from mystery_shopper.catalog.fields import fold
from mystery_shopper.catalog.hints import block_hints, labels_only
from mystery_shopper.suites.tau_rec.asks import AskReader
from mystery_shopper.suites.tau_rec.asks.naming import own_nouns
from mystery_shopper.suites.tau_rec.probe.mute import labels_of, mute_fields
from mystery_shopper.suites.tau_rec.probe.questions import (
    Question,
    plain_nouns,
    questions_for,
    words_of,
)

ANY = "(anything else)"
"""How a request for any requirement stands among the fields of a misread question."""


class Tally(msgspec.Struct, frozen=True):
    """How many questions of a form were asked, and how many were understood."""

    form: str
    asked: int
    understood: int


class FieldProbe(msgspec.Struct, frozen=True):
    """What was understood of the questions about one field, and by form."""

    field: str
    label: str
    asked: int
    understood: int
    forms: tuple[Tally, ...]


class Misread(msgspec.Struct, frozen=True):
    """A question that was read otherwise than meant. `word`: the word that it tried."""

    field: str
    form: str
    word: str
    text: str
    expected: tuple[str, ...]
    got: tuple[str, ...]


class Shared(msgspec.Struct, frozen=True):
    """A word or a label, and the fields that have it."""

    word: str
    fields: tuple[str, ...]


class ProbeReport(msgspec.Struct, frozen=True):
    """What the probe found.

    `forms`: over all fields. `words`: synonyms that fields share. `labels`: labels of the
    catalogue that fields share. `bare`: fields that can be asked by their label and values only.
    `hints`: of these, shipped words that they could take. `mute`: fields whose own label is not
    heard.
    """

    domain: str
    seed: int
    fields: tuple[FieldProbe, ...]
    forms: tuple[Tally, ...]
    misread: tuple[Misread, ...]
    words: tuple[Shared, ...]
    labels: tuple[Shared, ...]
    bare: tuple[str, ...]
    mute: tuple[str, ...]
    hints: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether all was understood."""
        return not (self.misread or self.mute)


def probe(domain: Domain, vocabulary: Mapping[str, Sequence[str]], *, seed: int = 0) -> ProbeReport:
    """Ask every probe question and note how it is read. `vocabulary`: label field -> labels."""
    reader = AskReader(domain, vocabulary)
    questions = questions_for(domain, vocabulary, seed)
    read = {question: _heard(reader, question.text) for question in questions}
    misread = tuple(
        Misread(q.field, q.form, q.word, q.text, q.expected, got)
        for q, got in read.items()
        if got != q.expected
    )
    labels = labels_of(domain)
    right = [(question, read[question] == question.expected) for question in questions]
    return ProbeReport(
        domain=domain.name,
        seed=seed,
        fields=tuple(_of_field(name, label, right) for name, label in labels.items()),
        forms=_tallies(right),
        misread=misread,
        words=_shared(_nouns(domain)),
        labels=_shared((name, fold(one)) for name in labels for one in vocabulary.get(name, ())),
        bare=tuple(name for name in labels if labels_only(words_of(domain, name))),
        mute=mute_fields(domain, reader),
        hints=tuple(f"{name}: {hint}" for name, hint in block_hints(domain).items()),
    )


def _heard(reader: AskReader, text: str) -> tuple[str, ...]:
    reading = reader.read(text)
    return (*reading.asks, ANY) if reading.generic else reading.asks


def _of_field(name: str, label: str, right: Sequence[tuple[Question, bool]]) -> FieldProbe:
    own = [(question, good) for question, good in right if question.field == name]
    return FieldProbe(name, label, len(own), sum(good for _, good in own), _tallies(own))


def _tallies(right: Iterable[tuple[Question, bool]]) -> tuple[Tally, ...]:
    counts: dict[str, tuple[int, int]] = {}
    for question, good in right:
        asked, understood = counts.get(question.form, (0, 0))
        counts[question.form] = (asked + 1, understood + good)
    return tuple(Tally(form, *count) for form, count in counts.items())


def _nouns(domain: Domain) -> Iterable[tuple[str, str]]:
    """Each field with each plain word for it."""
    own = own_nouns(domain)
    for name in labels_of(domain):
        for noun in dict.fromkeys((*own.get(name, ()), *plain_nouns(words_of(domain, name)))):
            yield name, noun


def _shared(pairs: Iterable[tuple[str, str]]) -> tuple[Shared, ...]:
    """The words that more than one field has, in alphabetical order."""
    fields: dict[str, dict[str, None]] = {}
    for name, word in pairs:
        fields.setdefault(word, {})[name] = None
    return tuple(
        Shared(word, tuple(fields[word])) for word in sorted(fields) if len(fields[word]) > 1
    )
