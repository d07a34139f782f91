"""The words that give a requirement away.

Of a label: itself, the labels below it in the hierarchy, the labels whose variety tells it, and of
each its synonyms: those of the shipped table, and the field's own words of the same stem. Of a
number: see `numbers`. Of a flag: its phrase. Of the formats: each accepted one.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice
from typing import NamedTuple

from mystery_shopper.catalog import Catalogue, Operator, Predicate, fold
from mystery_shopper.catalog.columns import LabelColumn
from mystery_shopper.catalog.domain import shared_table
from mystery_shopper.catalog.words import FieldWords, shared_words
from mystery_shopper.suites.tau_rec.asks import FORMATS_FIELD
from mystery_shopper.suites.tau_rec.asks.naming import plain, singular
from mystery_shopper.suites.tau_rec.asks.patterns import Phrases
from mystery_shopper.suites.tau_rec.asks.signs import Sign
from mystery_shopper.suites.tau_rec.asks.tokens import TITLE
from mystery_shopper.suites.tau_rec.phrases import phrases_of
from mystery_shopper.suites.tau_rec.task import FORMATS_FACT, Task, fact

_STEM, _ENDING = 5, 3
_BARE = frozenset(
    "it its should be the a an for answer is are must have has to of in not yes no want".split()
)


class Form(NamedTuple):
    """What a form tells of: a fact, and whether it is the fact's own value (0) or another word
    for it (1)."""

    fact: str
    rank: int


@lru_cache(maxsize=1 << 14)
def key_of(text: str) -> str:
    """The key of a text: see `joined`."""
    return joined(plain(text).split())


def joined(words: Sequence[str]) -> str:
    """Words as one, each in the singular, so that gaps and hyphens do not matter."""
    return "".join(singular(word) for word in words)


@dataclass(frozen=True)
class _Keys:
    """The keys of a field's labels, in order."""

    keys: tuple[str, ...]

    @classmethod
    def of(cls, labels: Iterable[str]) -> _Keys:
        return cls(tuple(sorted({key_of(label) for label in labels})))

    def holds(self, key: str, but: Collection[str]) -> bool:
        """Whether the key is of a label, other than those."""
        at = bisect_left(self.keys, key)
        return self.keys[at : at + 1] == (key,) and key not in but

    def begin(self, start: str, but: Collection[str]) -> bool:
        """Whether a key other than those begins so."""
        for key in islice(self.keys, bisect_left(self.keys, start), None):
            if not key.startswith(start):
                return False
            if key not in but:
                return True
        return False


@dataclass(frozen=True)
class Ear:
    """What the words of one catalogue's customers tell of its tasks' facts."""

    catalogue: Catalogue

    def forms(self, task: Task) -> Mapping[str, tuple[Form, ...]]:
        """Key -> the facts of the task that it tells of."""
        found: dict[str, dict[str, int]] = {}
        for name, key, rank in self._told(task):
            if key:
                ranks = found.setdefault(key, {})
                ranks[name] = min(rank, ranks.get(name, rank))
        return {
            key: tuple(Form(name, rank) for name, rank in ranks.items())
            for key, ranks in found.items()
        }

    def _told(self, task: Task) -> Iterator[tuple[str, str, int]]:
        for predicate in task.family.predicates:
            for key, rank in self._told_by(predicate):
                yield fact(predicate), key, rank
        for name in task.family.formats if self.catalogue.domain.formats is not None else ():
            for key, rank in self._names(name, FORMATS_FIELD, task.family.formats):
                yield FORMATS_FACT, key, rank

    def _told_by(self, predicate: Predicate) -> Iterator[tuple[str, int]]:
        value = predicate.value
        if isinstance(value, bool):
            yield from self._flag(predicate, value)
            return
        for label in value if isinstance(value, tuple) else (value,):
            if isinstance(label, str):
                yield from self._label(predicate.field, label)

    def _flag(self, predicate: Predicate, value: bool) -> Iterator[tuple[str, int]]:
        wanted = value is (predicate.op is not Operator.NOT_EQUAL)
        texts = {
            phrase.flag: phrase.text
            for phrase in phrases_of(self.catalogue.domain)
            if phrase.field == predicate.field and phrase.op is Operator.EQUAL
        }
        words = [word for word in plain(texts[wanted]).split() if word not in _BARE]
        name = " ".join(words) or predicate.field
        yield key_of(name), 0
        yield from ((key_of(word), 1) for word in _synonyms().get(key_of(name), ()))

    def _label(self, name: str, label: str) -> Iterator[tuple[str, int]]:
        domain = self.catalogue.domain
        spec = domain.fields[name]
        if not spec.kind.is_label:
            yield key_of(label), 0
            return
        tree = domain.hierarchies[name]
        covered = [label]
        if tree:
            vocabulary = (*self.catalogue.labels(name).labels, *tree.labels.values())
            covered += tree.covered(label, vocabulary)
        for one in dict.fromkeys(covered):
            for key, rank in self._names(one, name, covered):
                yield key, rank if fold(one) == fold(label) else 1
        others = self._keys[name]
        for variety, told in domain.variety_of.items():
            if tree.covers(label, told) and not others.holds(key_of(variety), ()):
                yield key_of(variety), 1

    def _names(self, label: str, name: str, covered: Iterable[str]) -> Iterator[tuple[str, int]]:
        """The keys of a label and of other words for it, but for those that are labels of the field
        beyond `covered`."""
        own = key_of(label)
        yield own, 0
        ours = {key_of(one) for one in covered}
        others = self._keys[name]
        for word in (*_synonyms().get(own, ()), *self._stems(own, name, ours)):
            if not others.holds(key_of(word), ours):
                yield key_of(word), 1

    def _stems(self, own: str, name: str, ours: Collection[str]) -> Iterator[str]:
        """The field's own single words that begin as the label does, and as no other label does
        for longer."""
        stem = own[: max(_STEM, len(own) - _ENDING)]
        if len(stem) < _STEM:
            return
        for word in self._words[name]:
            if word.startswith(stem):
                longer = word[: _shared(word, own) + 1]
                if longer == own[: len(longer)] or not self._keys[name].begin(longer, ours):
                    yield word

    @cached_property
    def _keys(self) -> Mapping[str, _Keys]:
        """Field -> the keys of its labels, those of its hierarchy included."""
        domain = self.catalogue.domain
        found: dict[str, _Keys] = {}
        for name in domain.requirement_fields:
            if domain.fields[name].kind.is_label:
                tree = domain.hierarchies[name].labels.values()
                labels = (*self.catalogue.labels(name).labels, *tree)
                found[name] = _Keys.of(labels)
        formats = domain.formats
        if formats is not None:
            column = self.catalogue.columns.get(formats.column or "")
            labels = column.labels if isinstance(column, LabelColumn) else formats.simulated
            found[FORMATS_FIELD] = _Keys.of(labels)
        return found

    @cached_property
    def _words(self) -> Mapping[str, tuple[str, ...]]:
        """Field -> the single words by which the domain knows its values."""
        return {
            name: tuple(
                dict.fromkeys(
                    word
                    for block in words.blocks()
                    for word in (*block.values, *block.weak, *_listed(block.lists))
                    if word.isalpha()
                )
            )
            for name, words in self._blocks
        }

    def knows(self, key: str) -> bool:
        """Whether a word, by its key, is the domain's for something."""
        return key in self._known or any(keys.holds(key, ()) for keys in self._keys.values())

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(key_of(word) for words in self._words.values() for word in words)

    @cached_property
    def _blocks(self) -> tuple[tuple[str, FieldWords], ...]:
        domain = self.catalogue.domain
        blocks = [(name, domain.fields[name].words) for name in domain.requirement_fields]
        if domain.formats is not None:
            blocks.append((FORMATS_FIELD, domain.formats.words))
        return tuple(blocks)

    @cached_property
    def items(self) -> frozenset[str]:
        """The nouns for an item, in the singular."""
        noun, words = self.catalogue.domain.noun, self.catalogue.domain.words.items
        names = (noun.singular, noun.plural, *noun.synonyms, *words)
        return frozenset(singular(word) for name in names for word in plain(name).split())

    @cached_property
    def field_words(self) -> frozenset[str]:
        """The words of the labels of the fields that carry requirements."""
        domain = self.catalogue.domain
        labels = (plain(domain.label(name)).split() for name in domain.requirement_fields)
        return frozenset(word for words in labels for word in words if word not in _BARE)

    @cached_property
    def senses(self) -> Phrases:
        """The phrases in which the domain's words mean something else."""
        lists = {"item": tuple(sorted(self.items)), "title": (TITLE,), "other": ("plot",)}
        phrases = Phrases(lambda name: lists.get(name) or shared_words(name))
        for _, words in self._blocks:
            for pattern in (sense for block in words.blocks() for sense in block.senses):
                phrases.add(pattern, Sign.SENSE)
        for pattern in self.catalogue.domain.words.senses:
            phrases.add(pattern, Sign.SENSE)
        phrases.freeze()
        return phrases


def _shared(one: str, other: str) -> int:
    """How many letters two words have in common from their beginnings on."""
    pairs = zip(one, other, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _listed(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        yield from shared_words(name)


@lru_cache(maxsize=1)
def _synonyms() -> Mapping[str, tuple[str, ...]]:
    return {key_of(label): tuple(words) for label, words in shared_table("synonyms").items()}
