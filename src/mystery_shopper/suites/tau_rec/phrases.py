"""The phrases for requirements: which there are for a domain, and how values stand in them.

Everything follows the kind of a field and its label; a domain may word its own. A sentence is one
line: white space in a value is said as single spaces.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from mystery_shopper.catalog import Domain, FieldSpec, Kind, Operator, Predicate, fold
from mystery_shopper.catalog.predicates import Wanted

_SINGLE = {Operator.CONTAINS, Operator.NOT_CONTAINS, Operator.WITHIN, Operator.AT_LEAST,
           Operator.AT_MOST}  # fmt: skip
_MANY = {Operator.CONTAINS_ANY, Operator.IN}
_LABELS = {
    Operator.CONTAINS: "the {label} should be {value}",
    Operator.NOT_CONTAINS: "the {label} should not be {value}",
    Operator.CONTAINS_ANY: "the {label} should be any of {value}",
    Operator.IN: "the {label} should be one of {value}",
    Operator.EQUAL: "the {label} should be exactly {value}",
    Operator.NOT_EQUAL: "the {label} should be other than {value}",
    Operator.WITHIN: "the {label} should be within {value}",
}
_TREE_LABELS = _LABELS | {
    Operator.WITHIN: _LABELS[Operator.CONTAINS],
    Operator.CONTAINS: "the {label} should be {value} itself",
}
_NUMBERS = {
    Operator.AT_LEAST: "the {label} should be at least {value}",
    Operator.AT_MOST: "the {label} should be at most {value}",
    Operator.EQUAL: "the {label} should be exactly {value}",
    Operator.NOT_EQUAL: "the {label} should be other than {value}",
    Operator.IN: "the {label} should be one of {value}",
}
_FLAGS = {
    (Operator.EQUAL, True): "for {label} the answer should be yes",
    (Operator.EQUAL, False): "for {label} the answer should be no",
    (Operator.NOT_EQUAL, True): "for {label} the answer should not be yes",
    (Operator.NOT_EQUAL, False): "for {label} the answer should not be no",
}
_FLAG_KEYS = {"wanted": True, "unwanted": False}
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")
_QUOTED = re.compile("“((?:[^”]|””)*)”(?:, |$)")


@dataclass(frozen=True)
class Phrase:
    """How a requirement is said: `text` with `{value}`, or of a flag without it and then for the
    one value `flag`."""

    field: str
    op: Operator
    text: str
    kind: Kind
    flag: bool | None = None

    @property
    def sentence(self) -> str:
        """The phrase as a sentence, `{value}` still in it."""
        text = one_line(self.text)
        return text[:1].upper() + text[1:] + "."

    @property
    def fixed(self) -> int:
        """How many characters of the sentence do not come from the value."""
        return len(self.sentence.replace("{value}", ""))

    @property
    def pattern(self) -> str:
        """A regular expression of the sentence; its group, if there is one, holds the value."""
        if self.flag is not None:
            return re.escape(self.sentence)
        before, *after = (re.escape(part) for part in self.sentence.split("{value}"))
        return before + "(?P<value>.+)" + "(?P=value)".join(after)

    def say(self, predicate: Predicate) -> str:
        """The sentence for a predicate that this phrase is of."""
        value = predicate.value
        parts = value if isinstance(value, tuple) else (value,)
        texts = [said_number(p) if isinstance(p, int | float) else one_line(p) for p in parts]
        if self.flag is not None:
            return self.sentence
        text = texts[0] if self.op in _SINGLE and len(texts) == 1 else said_list(texts)
        return self.sentence.replace("{value}", text)

    def hear(self, text: str) -> Predicate | None:
        """The predicate with the value that was said; None if it cannot be such a value."""
        if self.flag is not None:
            return Predicate(self.field, self.op, self.flag)
        texts = (text,) if self.op in _SINGLE else heard_list(text)
        if not self.kind.is_ordered:
            return Predicate(self.field, self.op, self._value(texts))
        numbers = [number for number in map(heard_number, texts) if number is not None]
        if len(numbers) < len(texts):
            return None
        return Predicate(self.field, self.op, self._value(tuple(numbers)))

    def _value(self, parts: tuple[float | str, ...]) -> Wanted:
        return parts[0] if len(parts) == 1 and self.op not in _MANY else parts


def phrases_of(domain: Domain) -> Iterator[Phrase]:
    """Every phrase of a domain: its own, and for the other operators of a field one from its
    label. Fields that carry no requirements have the domain's own only."""
    for name, spec in domain.fields.items():
        if spec.kind is Kind.FLAG:
            yield from _flag_phrases(name, domain.label(name), spec)
            continue
        texts: dict[Operator, str] = {}
        if spec.requirement:
            label = domain.label(name)
            texts = {op: text.replace("{label}", label) for op, text in _defaults(spec).items()}
        texts = _apart(texts | {Operator(op): text for op, text in spec.say.items()}, domain, name)
        for op, text in texts.items():
            yield Phrase(name, op, text, spec.kind)


def _apart(texts: dict[Operator, str], domain: Domain, name: str) -> dict[Operator, str]:
    """Of a hierarchy a customer says `within`. Where a domain words `contains` the same, that one
    gets the words that tell the label itself from what is below it."""
    within, contains = texts.get(Operator.WITHIN), texts.get(Operator.CONTAINS)
    if domain.fields[name].hierarchy is None or within is None or contains is None:
        return texts
    if fold(within) != fold(contains):
        return texts
    itself = _TREE_LABELS[Operator.CONTAINS].replace("{label}", domain.label(name))
    return texts | {Operator.CONTAINS: itself}


def _defaults(spec: FieldSpec) -> dict[Operator, str]:
    if not spec.kind.is_label:
        return _NUMBERS
    return _LABELS if spec.hierarchy is None else _TREE_LABELS


def _flag_phrases(name: str, label: str, spec: FieldSpec) -> Iterator[Phrase]:
    texts: dict[tuple[Operator, bool], str] = {}
    if spec.requirement:
        texts = {key: text.replace("{label}", label) for key, text in _FLAGS.items()}
    texts |= {(Operator.EQUAL, _FLAG_KEYS[key]): text for key, text in spec.say.items()}
    for (op, wanted), text in texts.items():
        yield Phrase(name, op, text, spec.kind, wanted)


def wording_problems(domain: Domain) -> list[str]:
    """Why a customer could not be understood: two fields of one label, two requirements in the
    same words, or a phrase that is nothing but its value."""
    problems: list[str] = []
    labels: dict[str, str] = {name: domain.label(name) for name in domain.requirement_fields}
    if domain.formats is not None:
        labels["formats"] = domain.formats.label
    named: dict[str, str] = {}
    for name, label in labels.items():
        other = named.setdefault(fold(label), name)
        if other != name:
            problems.append(f"fields.{name}.label: {label!r} is also what {other} is called")
    said: dict[str, str] = {}
    for phrase in phrases_of(domain):
        place = f"fields.{phrase.field}.say.{_key(phrase)}"
        problems.extend(_clash(phrase.text, place, said))
    if domain.formats is not None:
        problems.extend(_clash(domain.formats.say, "formats.say", said))
    return problems


def _clash(text: str, place: str, said: dict[str, str]) -> Iterator[str]:
    other = said.setdefault(fold(text), place)
    if other != place:
        yield f"{place}: {text!r} is also said for {other}"
    if not re.search(r"\w", text.replace("{value}", "")):
        yield f"{place}: {text!r} has no word beside the value"


def _key(phrase: Phrase) -> str:
    if phrase.flag is None or phrase.op is not Operator.EQUAL:
        return phrase.op.value
    return next(key for key, wanted in _FLAG_KEYS.items() if wanted is phrase.flag)


def one_line(text: str) -> str:
    """The text with single spaces for all white space."""
    return " ".join(text.split())


def said_number(number: float) -> str:
    """A number in plain digits: whole ones without a point, never with an exponent. Read back it
    is the same number."""
    if isinstance(number, bool):
        return str(number)
    if isinstance(number, int) or number.is_integer():
        return str(int(number))
    return format(Decimal(repr(number)), "f")


def heard_number(text: str) -> int | float | None:
    """The number that the text is, None if it is none; whole ones as ints."""
    if not _NUMBER.fullmatch(text):
        return None
    number = float(text) if "." in text else int(text)
    return number if math.isfinite(number) else None


def said_list(names: Sequence[str]) -> str:
    """Names with commas between them, in quotation marks where a name holds a comma."""
    names = [one_line(name) for name in names]
    if any(", " in name or name.startswith("“") for name in names):
        names = ["“" + name.replace("”", "””") + "”" for name in names]
    return ", ".join(names)


def heard_list(text: str) -> tuple[str, ...]:
    """The names that `said_list` joined."""
    quoted = list(_QUOTED.finditer(text)) if text.startswith("“") else []
    if quoted and sum(len(found[0]) for found in quoted) == len(text):
        return tuple(found[1].replace("””", "”") for found in quoted)
    return tuple(text.split(", "))
