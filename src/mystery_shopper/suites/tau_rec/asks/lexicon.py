"""All that a reader listens for, built from a domain and its vocabulary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from mystery_shopper.catalog.domain import FORMATS_FIELD, Domain
from mystery_shopper.catalog.specs import FieldSpec
from mystery_shopper.catalog.words import FieldWords, shared_words
from mystery_shopper.suites.tau_rec.asks.english import patterns
from mystery_shopper.suites.tau_rec.asks.labels import Labels
from mystery_shopper.suites.tau_rec.asks.naming import (
    COUNTED,
    ORDERED,
    Aliases,
    are_everyday,
    everyday,
    flag_words,
    forms_of,
    measures_of,
    own_nouns,
    plain,
    with_plural,
)
from mystery_shopper.suites.tau_rec.asks.patterns import ANCHORED, EVERY, FREE, Mark, Phrases
from mystery_shopper.suites.tau_rec.asks.signs import Sign
from mystery_shopper.suites.tau_rec.asks.tokens import TITLE, tokenise
from mystery_shopper.suites.tau_rec.asks.typos import Typos

_BETWEEN = frozenset(
    "the a an of and or your preferred which what any in on from other how is please choice "
    "preference preferences after before around since until between desired required original "
    "only just something anything not unknown missing text dialogue version edition one".split()
)


class Lexicon:
    """The signs of each field and of the grammar, and how to find them in tokens.

    Fields are numbered in the order of `field_names`, and from FREE on in that of `other_names`,
    the fields of which nothing is ever required. `vocabulary`: field -> labels.
    """

    def __init__(self, domain: Domain, vocabulary: Mapping[str, Sequence[str]]) -> None:
        self.field_names: tuple[str, ...] = domain.requirement_fields
        blocks = [(domain.fields[name].words, domain.label(name)) for name in self.field_names]
        if domain.formats is not None:
            self.field_names = (*self.field_names, FORMATS_FIELD)
            blocks.append((domain.formats.words, domain.formats.label))
        self.other_names = _other_fields(domain)
        self._lists = {
            "item": _item_nouns(domain),
            "title": (TITLE,),
            "other": tuple(plain(word) for word in domain.words.others) or ("plot",),
        }
        self.phrases = Phrases(self._list)
        self.numbers: list[tuple[int, int, int]] = []
        self._labels = Labels()
        self._english: set[str] = set()
        self._add_grammar(domain)
        nouns = own_nouns(domain)
        for field, (name, (words, _)) in enumerate(zip(self.field_names, blocks, strict=True)):
            self._add_field(field, words, nouns[name])
        for field, name in enumerate(self.other_names, FREE):
            self._add_field(
                field, domain.fields[name].words, with_plural(plain(domain.label(name)))
            )
        for field, name in enumerate(domain.requirement_fields):
            self._add_kind(field, domain.fields[name], domain.label(name))
        self._add_vocabulary(domain, vocabulary, [words for words, _ in blocks])
        self.phrases.freeze()
        self.typos = Typos(self._typo_targets(blocks))

    def _list(self, name: str) -> tuple[str, ...]:
        return self._lists.get(name) or shared_words(name)

    def _add_grammar(self, domain: Domain) -> None:
        add = self.phrases.add
        for sign, lines in patterns().items():
            for line in lines:
                if line.startswith("@"):
                    add(line[1:], sign, ANCHORED)
                else:
                    add(line, sign)
        for pattern in domain.words.senses:
            add(pattern, Sign.SENSE)
        for pattern in domain.words.contexts:
            add(pattern, Sign.CONTEXT)
        self.phrases.freeze()
        self.aliases = Aliases(_labels_of(domain), self.phrases)
        for word, name in self.aliases.nouns.items():
            add(word, Sign.NOUN, self.field_names.index(name))
            self._english.add(word)
        add("{item}", Sign.THING)
        add("{other}", Sign.OTHER)

    def _add_field(self, field: int, own: FieldWords, nouns: Sequence[str]) -> None:
        add = self.phrases.add
        for noun in nouns:
            add(noun, Sign.NOUN, field)
            self._english.update(word for word in noun.split() if word.isalpha())
        for words in own.blocks():
            self._english.update(word for word in (*words.nouns, *words.values) if word.isalpha())
            for noun in words.nouns:
                for pattern in with_plural(noun):
                    add(pattern, Sign.NOUN, field)
            for pattern in words.phrases:
                add(pattern, Sign.PHRASE, field)
            for pattern in (*words.values, *(f"{{{name}}}" for name in words.lists)):
                add(pattern, Sign.VALUE, field)
            for pattern in words.weak:
                add(pattern, Sign.WEAK, field)
            for name in words.borrows:
                add(f"{{{name}}}", Sign.BORROWED, field)
            for pattern in words.foreign:
                add(pattern, Sign.NOUN, field)
            for pattern in words.senses:
                add(pattern, Sign.SENSE, field)
            for pattern in words.contexts:
                add(pattern, Sign.CONTEXT, field)
            if words.numbers is not None:
                self.numbers.append((*words.numbers, field))

    def _add_kind(self, field: int, spec: FieldSpec, label: str) -> None:
        """What the kind of the field adds to what it is called."""
        add = self.phrases.add
        for noun in forms_of(label) if spec.kind.is_ordered else ():
            for pattern in ORDERED:
                add(pattern.format(field=noun), Sign.NOUN, field)
            for pattern in (COUNTED.format(field=noun), *measures_of(noun, _measures())):
                add(pattern, Sign.PHRASE, field)
        known = everyday()
        for words in flag_words(spec):
            slight = are_everyday(words.split(), known)
            add(words, Sign.WEAK if slight else Sign.VALUE, field)

    def _add_vocabulary(
        self, domain: Domain, vocabulary: Mapping[str, Sequence[str]], words: Sequence[FieldWords]
    ) -> None:
        """The labels of the label fields, those above them, and the formats."""
        for field, name in enumerate(domain.requirement_fields):
            if domain.fields[name].kind.is_label:
                labels = (*vocabulary.get(name, ()), *domain.hierarchies[name].labels.values())
                ignored = {word for block in words[field].blocks() for word in block.ignore}
                self._labels.add(field, labels, ignored, self._values(words[field]))
        formats = domain.formats
        if formats is not None:
            last = len(self.field_names) - 1
            labels = (*formats.simulated, *vocabulary.get(formats.column or "", ()))
            self._labels.add(last, labels, set(), self._values(words[last]))

    def _values(self, own: FieldWords) -> set[str]:
        """The plain words that the domain gives as values of a field."""
        blocks = own.blocks()
        lists = (word for block in blocks for name in block.lists for word in self._list(name))
        return {*(word for block in blocks for word in block.values), *lists}

    def _typo_targets(self, blocks: Sequence[tuple[FieldWords, str]]) -> dict[str, int]:
        targets: dict[str, int] = {}
        for field, (own, label) in enumerate(blocks):
            for words in own.blocks():
                for phrase in (*words.nouns, *words.values):
                    if phrase.isalpha():
                        targets.setdefault(phrase, field)
            if label.isalpha():
                targets.setdefault(label.lower(), field)
        return targets

    def marks(self, tokens: Sequence[str]) -> list[Mark]:
        """Every sign in the tokens, in the order of where they begin."""
        found: list[Mark] = []
        self.phrases.find(tokens, found)
        size = len(found)
        self._labels.find(tokens, found)
        if self.numbers:
            for start, token in enumerate(tokens):
                if "0" <= token[0] <= "9":
                    self._find_number(token, start, found)
        if len(found) > size:
            found.sort()
        return found

    def knows(self, word: str) -> bool:
        """Whether a word of its own names a field or a value in English."""
        return word in self._english or word in self._labels

    def names(self, text: str) -> bool:
        """Whether a text holds nothing but names and values of fields."""
        tokens = tokenise(text)[0]
        if not 0 < len(tokens) <= 16:
            return False
        covered: set[int] = set()
        for start, end, sign, _ in self.marks(tokens):
            if sign <= Sign.WEAK or sign == Sign.LABEL or sign == Sign.NAME:
                covered.update(range(start, end))
        rest = (t for at, t in enumerate(tokens) if at not in covered and t[0].isalnum())
        return bool(covered) and all(token in _BETWEEN for token in rest)

    def names_of(self, fields: int) -> tuple[str, ...]:
        """The names of the fields whose bits are set."""
        return tuple(name for at, name in enumerate(self.field_names) if fields >> at & 1)

    def others_of(self, fields: int) -> tuple[str, ...]:
        """The names of those whose bits are set among the fields of which nothing is required."""
        fields >>= FREE
        return tuple(name for at, name in enumerate(self.other_names) if fields >> at & 1)

    def _find_number(self, token: str, start: int, found: list[Mark]) -> None:
        digits = token.removesuffix("s")
        if len(digits) > 9 or not (digits.isascii() and digits.isdigit()):
            return
        number = int(digits)
        for least, greatest, field in self.numbers:
            if least <= number <= greatest:
                found.append((start, start + 1, Sign.VALUE, field))


@cache
def _measures() -> dict[str, tuple[str, ...]]:
    """A measure -> the words by which one asks for it after "how"."""
    lines = (line.split() for line in shared_words("measures"))
    return {noun: tuple(adjectives) for noun, *adjectives in lines}


def _labels_of(domain: Domain) -> dict[str, str]:
    """Field -> label, of the fields that carry requirements and the formats."""
    labels = {name: domain.label(name) for name in domain.requirement_fields}
    return labels if domain.formats is None else {**labels, FORMATS_FIELD: domain.formats.label}


def _other_fields(domain: Domain) -> tuple[str, ...]:
    """The fields that are shown and may be spoken of, but of which nothing is ever required.

    The formats and their column are left out, and so are fields called as an item is.
    """
    items = _item_nouns(domain)
    formats = () if domain.formats is None else (FORMATS_FIELD, domain.formats.column)
    return tuple(
        name
        for name, spec in domain.fields.items()
        if spec.shown
        and not spec.requirement
        and name not in (domain.title, *formats)
        and plain(domain.label(name)) not in items
    )


def _item_nouns(domain: Domain) -> tuple[str, ...]:
    noun = domain.noun
    words = (noun.singular, noun.plural, *noun.synonyms, *domain.words.items)
    return tuple(dict.fromkeys(plain(word) for word in words))


__all__ = ["ANCHORED", "EVERY", "FORMATS_FIELD", "Lexicon"]
