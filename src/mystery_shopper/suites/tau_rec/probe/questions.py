"""Probe questions by templates of our own, filled with a domain's labels, synonyms and values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from mystery_shopper.catalog.domain import Domain
from mystery_shopper.catalog.fields import Kind
from mystery_shopper.catalog.words import FieldWords
from mystery_shopper.foundation import generator
from mystery_shopper.suites.tau_rec.asks.naming import plain, singular, with_plural
from mystery_shopper.suites.tau_rec.probe.mute import labels_of

SAMPLE = 12
"""How many values of a field, and how many synonyms, are tried."""

NAMED: Mapping[str, tuple[str, ...]] = {
    "plain": ("What {x} would you like?", "Which {x} should the {item} have?"),
    "plural": ("Any particular {xs}?", "Which {xs} do you like?"),
    "article": ("Do you have any requirements on the {x}?", "Is the {x} important to you?"),
    "preferred": ("Do you have a preferred {x}?", "Any preference for the {x}?"),
    "quoted": ('What should I enter for "{x}"?', "Which '{x}' would you like?"),
    "blank": ("{x}: ___",),
    "negated": ("No need to tell me the {x}.", "I won't ask about the {x}."),
    "stated": ("I have noted the {x}.", "The {x} is as you wished."),
}
BOUNDED = ("What {x} range?", "What is the minimum {x}?", "What is your maximum {x}?")
WANTED = ("Should it be {x}?", "Does it have to be {x}?", "{x} or not?", "Do you need {x}?")
CHOICE = "Which {x}: {v} or {w}?"
ALTERNATIVES = "{v} or {w}?"
TOLD = ("This {item} is {v}.", "I found one in {v}.")
LISTED = "Do you have any requirements on the {x}, the {y}, or the {z}?"
SILENT = frozenset(("negated", "stated", "value stated"))
"""The forms that ask nothing."""


@dataclass(frozen=True)
class Question:
    """A message made for one field in one form, with the word that it tries.

    `expected`: names of the fields that it asks.
    """

    field: str
    form: str
    word: str
    text: str
    expected: tuple[str, ...]


def questions_for(
    domain: Domain, vocabulary: Mapping[str, Sequence[str]], seed: int = 0
) -> list[Question]:
    """Every probe question, field by field in the domain's order. The same seed, the same list."""
    labels = labels_of(domain)
    found: list[Question] = []
    for field, label in labels.items():
        for word in dict.fromkeys((label, *_synonyms(words_of(domain, field), field, seed))):
            found.extend(_named(domain, field, word))
        found.extend(_listed(field, labels))
        found.extend(_valued(domain, field, label, vocabulary.get(field, ()), seed))
    return found


def words_of(domain: Domain, field: str) -> FieldWords:
    """What the domain says of how a field, or the formats, are spoken of."""
    if field in domain.fields:
        return domain.fields[field].words
    return FieldWords() if domain.formats is None else domain.formats.words


def plain_nouns(words: FieldWords) -> tuple[str, ...]:
    """The nouns that are no patterns."""
    nouns = (noun for block in words.blocks() for noun in block.nouns)
    return tuple(dict.fromkeys(noun for noun in nouns if not set(noun) & set("(|*{")))


def _synonyms(words: FieldWords, field: str, seed: int) -> list[str]:
    return _sample(plain_nouns(words), "nouns", field, seed)


def _sample(texts: Sequence[str], purpose: str, field: str, seed: int) -> list[str]:
    """At most `SAMPLE` of the texts, in their order."""
    if len(texts) <= SAMPLE:
        return list(texts)
    rng = generator("probe", purpose, field, seed)
    places: list[int] = sorted(rng.choice(len(texts), SAMPLE, replace=False).tolist())
    return [texts[place] for place in places]


def _named(domain: Domain, field: str, word: str) -> Iterator[Question]:
    """Questions by a word for the field."""
    item = domain.noun.singular
    many = with_plural(word)[-1] if singular(word) == word else word
    for form, templates in NAMED.items():
        expected = () if form in SILENT else (field,)
        for template in templates:
            text = template.format(x=word, xs=many, item=item)
            yield Question(field, form, word, text, expected)
    kind = domain.fields[field].kind if field in domain.fields else None
    for template in BOUNDED if kind is not None and kind.is_ordered else ():
        yield Question(field, "bounds", word, template.format(x=word), (field,))
    for template in WANTED if kind is Kind.FLAG else ():
        yield Question(field, "yes or no", word, template.format(x=word), (field,))


def _listed(field: str, labels: Mapping[str, str]) -> Iterator[Question]:
    """The field between two others."""
    names = list(labels)
    if len(names) > 2:
        at = names.index(field)
        others = (names[at - 1], names[(at + 1) % len(names)])
        x, y, z = labels[others[0]], labels[field], labels[others[1]]
        expected = tuple(name for name in names if name in (field, *others))
        yield Question(field, "listed", y, LISTED.format(x=x, y=y, z=z), expected)


def _valued(
    domain: Domain, field: str, label: str, values: Sequence[str], seed: int
) -> Iterator[Question]:
    """Questions and statements by the field's values."""
    item = domain.noun.singular
    tried = [value for value in _sample(values, "values", field, seed) if plain(value)]
    pairs = zip(tried, tried[1:] + tried[:1], strict=True) if len(tried) > 1 else ()
    for v, w in pairs:
        word = f"{v}, {w}"
        choice = CHOICE.format(x=label, v=v, w=w)
        yield Question(field, "choice", word, choice, (field,))
        yield Question(field, "alternatives", word, ALTERNATIVES.format(v=v, w=w), (field,))
        for template in TOLD:
            yield Question(field, "value stated", v, template.format(v=v, item=item), ())
