"""The rule-based user's sentences, in both directions: worded for the agent, and read back.

Every statement is one line, so that a value may hold any mark; white space in it is said as single
spaces. `Wording.read` lets the scripted agents understand the user; it reads exactly what `Wording`
can say. Where a line fits several sentences, the one of the most fixed text is meant.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from mystery_shopper.catalog import Domain, FieldSpec, Operator, Predicate
from mystery_shopper.suites.tau_rec.asks import FORMATS_FIELD

ACCEPTED = "###ACCEPTED###"
REJECTED = "###REJECTED###"
UNKNOWN_ITEM = "I don't know that one."
ONE_AT_A_TIME = "One at a time, please: I have judged the first of them."
NOTHING_MORE = "There is nothing else."
NOT_UNDERSTOOD = "I'm not sure what you want to know."
GO_ON = "All right, go on."

_DECLINE = "About the {label} I would rather not say."
_UNCONCERNED = "I have no preference about the {label}."


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


_Taker: TypeAlias = Callable[[_Ear, str], bool]
"""Takes in what a sentence says; False if it cannot be that sentence."""


@dataclass(frozen=True)
class Wording:
    """The sentences of one domain."""

    domain: Domain

    def opening(self, lines: Sequence[str]) -> str:
        """The user's first words: what is sought, and the lines of what is stated."""
        return "\n".join((f"Hello! I'm looking for one {self.domain.noun.singular}.", *lines))

    def requirement(self, predicate: Predicate) -> str:
        """A requirement as a sentence."""
        value = predicate.value
        text = ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
        return _filled(self._phrases[predicate.field, predicate.op], text)

    def formats(self, accepted: Sequence[str]) -> str:
        """The accepted formats as a sentence."""
        spec = self.domain.formats
        pattern = spec.say if spec else "{value}"
        return _filled(pattern, ", ".join(accepted))

    def declined(self, field: str) -> str:
        """The refusal to speak of a field. It shows that there is a requirement, not which."""
        return _DECLINE.replace("{label}", self.label(field))

    def unconcerned(self, field: str) -> str:
        """That a field does not matter."""
        return _UNCONCERNED.replace("{label}", self.label(field))

    def label(self, field: str) -> str:
        """What the user calls a field, the formats included."""
        if field == FORMATS_FIELD and self.domain.formats is not None:
            return self.domain.formats.label
        return self.domain.label(field)

    def read(self, text: str) -> Heard:
        """What the user's words say. Lines that no sentence of ours fits are passed over."""
        ear = _Ear()
        for line in text.split("\n"):
            for pattern, take in self._readers:
                found = pattern.fullmatch(line)
                if found and take(ear, found.group(1)):
                    break
        verdict = True if ACCEPTED in text else False if REJECTED in text else None
        return Heard(
            tuple(dict.fromkeys(ear.predicates)),
            ear.formats,
            tuple(dict.fromkeys(ear.declined)),
            tuple(dict.fromkeys(ear.unconcerned)),
            verdict,
        )

    @cached_property
    def _phrases(self) -> dict[tuple[str, Operator], str]:
        return {
            (name, op): phrase
            for name, spec in self.domain.fields.items()
            for op, phrase in phrases_of(self.domain.label(name), spec).items()
        }

    @cached_property
    def _readers(self) -> list[tuple[re.Pattern[str], _Taker]]:
        readers: list[tuple[re.Pattern[str], _Taker]] = []
        for (name, op), phrase in self._phrases.items():
            readers.append((_reader(phrase), _requirement_taker(name, op, self.domain)))
        labels = {name: self.label(name) for name in self.domain.requirement_fields}
        if self.domain.formats is not None:
            readers.append((_reader(self.domain.formats.say), _take_formats))
            labels[FORMATS_FIELD] = self.domain.formats.label
        for name, label in labels.items():
            declined = re.escape(_DECLINE.replace("{label}", label))
            readers.append((re.compile(f"({declined})"), _name_taker(name, declined=True)))
        for name in self.domain.fields:
            labels.setdefault(name, self.label(name))
        for name, label in labels.items():
            unconcerned = re.escape(_UNCONCERNED.replace("{label}", label))
            readers.append((re.compile(f"({unconcerned})"), _name_taker(name, declined=False)))
        return sorted(readers, key=lambda reader: len(reader[0].pattern), reverse=True)


def phrases_of(label: str, spec: FieldSpec) -> dict[Operator, str]:
    """Operator -> phrase with `{value}` for a field: the domain's, else one made from the label."""
    phrases: dict[Operator, str] = {}
    if spec.requirement:
        if spec.kind.is_label:
            op = Operator.WITHIN if spec.hierarchy is not None else Operator.CONTAINS
            phrases[op] = f"the {label} should be {{value}}"
        else:
            phrases[Operator.AT_LEAST] = f"the {label} should be at least {{value}}"
            phrases[Operator.AT_MOST] = f"the {label} should be at most {{value}}"
    phrases.update({Operator(op): phrase for op, phrase in spec.say.items()})
    return phrases


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
    phrase = " ".join(phrase.split())
    return phrase[:1].upper() + phrase[1:] + "."


def _filled(phrase: str, value: str) -> str:
    return _sentence(phrase).replace("{value}", " ".join(value.split()))


def _reader(phrase: str) -> re.Pattern[str]:
    before, *after = (re.escape(part) for part in _sentence(phrase).split("{value}"))
    return re.compile(before + "(.+)" + r"\1".join(after))


def _requirement_taker(name: str, op: Operator, domain: Domain) -> _Taker:
    ordered = domain.fields[name].kind.is_ordered

    def take(ear: _Ear, text: str) -> bool:
        value = _number(text) if ordered else text
        if value is not None:
            ear.predicates.append(Predicate(name, op, value))
        return value is not None

    return take


def _number(text: str) -> int | float | None:
    try:
        return int(text)
    except ValueError:
        pass
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _name_taker(name: str, *, declined: bool) -> _Taker:
    def take(ear: _Ear, _: str) -> bool:
        (ear.declined if declined else ear.unconcerned).append(name)
        return True

    return take


def _take_formats(ear: _Ear, text: str) -> bool:
    ear.formats = tuple(text.split(", "))
    return True
