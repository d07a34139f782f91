"""The rule-based user's sentences, in both directions: worded for the agent, and read back.

Every statement is one line, so that a value may hold any mark; white space in it is said as single
spaces. `Wording.read` lets the scripted agents understand the user; it reads exactly what `Wording`
can say. Where a line fits several sentences, the one of the most fixed text is meant; a requirement
that would so be misread is said with its field's label before it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, TypeAlias

from mystery_shopper.catalog import Domain, Kind, Operator, Predicate
from mystery_shopper.foundation import InputError
from mystery_shopper.suites.tau_rec.asks import FORMATS_FIELD
from mystery_shopper.suites.tau_rec.phrases import (
    Phrase,
    heard_list,
    one_line,
    phrases_of,
    said_list,
    wording_problems,
)

ACCEPTED = "###ACCEPTED###"
REJECTED = "###REJECTED###"
UNKNOWN_ITEM = "I don't know that one."
ONE_AT_A_TIME = "One at a time, please: I have judged the first of them."
NOTHING_MORE = "There is nothing else."
NOT_UNDERSTOOD = "I'm not sure what you want to know."
GO_ON = "All right, go on."

_HELLO = "Hello! I'm looking for one {noun}."
_DECLINE = "About the {label} I would rather not say."
_UNCONCERNED = "I have no preference about the {label}."
_FIXED = {ACCEPTED, REJECTED, UNKNOWN_ITEM, ONE_AT_A_TIME, NOTHING_MORE, NOT_UNDERSTOOD, GO_ON}


@dataclass(frozen=True)
class Heard:
    """What a reader makes of the user's words: requirements, accepted formats (None if not said),
    the fields declined or of no concern, and the verdict if there is one."""

    predicates: tuple[Predicate, ...] = ()
    formats: tuple[str, ...] | None = None
    declined: tuple[str, ...] = ()
    unconcerned: tuple[str, ...] = ()
    accepted: bool | None = None


@dataclass
class _Ear:
    """What has been read so far."""

    predicates: list[Predicate] = field(default_factory=list[Predicate])
    formats: tuple[str, ...] | None = None
    declined: list[str] = field(default_factory=list[str])
    unconcerned: list[str] = field(default_factory=list[str])


_Key: TypeAlias = tuple[str, Operator, bool | None]
_Taker: TypeAlias = Callable[[_Ear, re.Match[str]], bool]
"""Takes in what a sentence says; False if it cannot be that sentence."""


class _Reader(NamedTuple):
    """What reads one sentence: how much fixed text is in it, its pattern, and what takes it in."""

    fixed: int
    pattern: str
    take: _Taker


@dataclass(frozen=True)
class Wording:
    """The sentences of one domain. Raises InputError for a domain whose customers could not be
    understood (`wording_problems`)."""

    domain: Domain

    def __post_init__(self) -> None:
        check_wording(self.domain)

    def opening(self, lines: Sequence[str]) -> str:
        """The user's first words: what is sought, and the lines of what is stated."""
        return "\n".join((self._hello, *lines))

    def requirement(self, predicate: Predicate) -> str:
        """A requirement as a sentence. Raises KeyError for a field or an operator that no phrase
        of the domain says."""
        phrase = self._phrases[_key(predicate)]
        line = phrase.say(predicate)
        ear = _Ear()
        self._hear(ear, line)
        if ear.predicates == [_plain(predicate)]:
            return line
        return self._labelled(predicate.field) + line

    def formats(self, accepted: Sequence[str]) -> str:
        """The accepted formats as a sentence."""
        spec = self.domain.formats
        pattern = spec.say if spec else "{value}"
        return _sentence(pattern).replace("{value}", said_list(accepted))

    def declined(self, field: str) -> str:
        """The refusal to speak of a field. It shows that there is a requirement, not which."""
        return _DECLINE.replace("{label}", self.label(field))

    def unconcerned(self, field: str) -> str:
        """That a field does not matter."""
        return _UNCONCERNED.replace("{label}", self.label(field))

    def label(self, field: str) -> str:
        """What the user calls a field, the formats included."""
        if field == FORMATS_FIELD and self.domain.formats is not None:
            return one_line(self.domain.formats.label)
        return one_line(self.domain.label(field))

    def flag_phrases(self, field: str) -> tuple[str, str]:
        """How a flag is said to be wanted, and to be unwanted."""
        yes, no = (self._phrases[field, Operator.EQUAL, wanted] for wanted in (True, False))
        return one_line(yes.text), one_line(no.text)

    def read(self, text: str) -> Heard:
        """What the user's words say. Lines that no sentence of ours fits are passed over."""
        ear = _Ear()
        lines = text.split("\n")
        for line in lines:
            self._hear(ear, line)
        verdict = True if ACCEPTED in lines else False if REJECTED in lines else None
        return Heard(
            tuple(dict.fromkeys(ear.predicates)),
            ear.formats,
            tuple(dict.fromkeys(ear.declined)),
            tuple(dict.fromkeys(ear.unconcerned)),
            verdict,
        )

    def _hear(self, ear: _Ear, line: str) -> None:
        if line in _FIXED or line == self._hello:
            return
        for pattern, take in self._readers:
            found = pattern.fullmatch(line)
            if found and take(ear, found):
                return

    @cached_property
    def _hello(self) -> str:
        return _HELLO.replace("{noun}", one_line(self.domain.noun.singular))

    def _labelled(self, name: str) -> str:
        label = self.label(name)
        return f"{label[:1].upper()}{label[1:]}: "

    @cached_property
    def _phrases(self) -> dict[_Key, Phrase]:
        return {
            (phrase.field, phrase.op, phrase.flag): phrase for phrase in phrases_of(self.domain)
        }

    @cached_property
    def _readers(self) -> list[tuple[re.Pattern[str], _Taker]]:
        """What reads each sentence: those with a label before them first, then those of the most
        fixed text."""
        readers: list[_Reader] = []
        labelled: list[_Reader] = []
        for phrase in self._phrases.values():
            take = _requirement_taker(phrase)
            readers.append(_Reader(phrase.fixed, phrase.pattern, take))
            before = self._labelled(phrase.field)
            pattern = re.escape(before) + phrase.pattern
            labelled.append(_Reader(phrase.fixed + len(before), pattern, take))
        labels = {name: self.label(name) for name in self.domain.requirement_fields}
        if self.domain.formats is not None:
            said = Phrase(FORMATS_FIELD, Operator.IN, self.domain.formats.say, Kind.CATEGORIES)
            readers.append(_Reader(said.fixed, said.pattern, _take_formats))
            labels[FORMATS_FIELD] = self.label(FORMATS_FIELD)
        for name, label in labels.items():
            line = _DECLINE.replace("{label}", label)
            readers.append(_Reader(len(line), re.escape(line), _name_taker(name, declined=True)))
        for name in self.domain.fields:
            labels.setdefault(name, self.label(name))
        for name, label in labels.items():
            line = _UNCONCERNED.replace("{label}", label)
            readers.append(_Reader(len(line), re.escape(line), _name_taker(name, declined=False)))
        return [
            (re.compile(reader.pattern), reader.take)
            for group in (labelled, readers)
            for reader in sorted(group, key=lambda reader: reader.fixed, reverse=True)
        ]


def check_wording(domain: Domain) -> None:
    """Raise InputError with every reason why the domain's customers could not be understood."""
    problems = wording_problems(domain)
    if problems:
        raise InputError(
            problems,
            where=f"domain {domain.name}",
            remedy="Give each field a label and phrases (`say`) of its own.",
        )


def field_labels(domain: Domain) -> list[str]:
    """What people call the fields that a requirement may concern, the formats last."""
    labels = [domain.label(name) for name in domain.requirement_fields]
    return labels if domain.formats is None else [*labels, domain.formats.label]


def listed(words: Sequence[str], link: str) -> str:
    """Words as a list in a sentence: `a, b and c`."""
    *first, last = words
    return f"{', '.join(first)} {link} {last}" if first else last


def join_lines(lines: Iterable[str]) -> str:
    """Lines as one message, each said once."""
    return "\n".join(dict.fromkeys(lines))


def _sentence(phrase: str) -> str:
    phrase = one_line(phrase)
    return phrase[:1].upper() + phrase[1:] + "."


def _key(predicate: Predicate) -> _Key:
    wanted = predicate.value
    return predicate.field, predicate.op, wanted if isinstance(wanted, bool) else None


def _plain(predicate: Predicate) -> Predicate:
    """The predicate as it is heard: texts with single spaces, a list of one as that one where the
    operator takes either."""
    value = predicate.value
    if isinstance(value, str):
        value = one_line(value)
    elif isinstance(value, tuple):
        value = tuple(one_line(part) if isinstance(part, str) else part for part in value)
        if len(value) == 1 and predicate.op in (Operator.EQUAL, Operator.NOT_EQUAL):
            value = value[0]
    return Predicate(predicate.field, predicate.op, value)


def _requirement_taker(phrase: Phrase) -> _Taker:
    def take(ear: _Ear, found: re.Match[str]) -> bool:
        heard = phrase.hear(found["value"] if phrase.flag is None else "")
        if heard is not None:
            ear.predicates.append(heard)
        return heard is not None

    return take


def _name_taker(name: str, *, declined: bool) -> _Taker:
    def take(ear: _Ear, _: re.Match[str]) -> bool:
        (ear.declined if declined else ear.unconcerned).append(name)
        return True

    return take


def _take_formats(ear: _Ear, found: re.Match[str]) -> bool:
    ear.formats = heard_list(found["value"])
    return True
