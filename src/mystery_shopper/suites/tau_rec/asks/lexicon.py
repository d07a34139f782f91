"""All that a reader listens for, built from a domain and its vocabulary."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from mystery_shopper.catalog.domain import FORMATS_FIELD, Domain
from mystery_shopper.catalog.fields import Kind
from mystery_shopper.catalog.words import FieldWords, shared_words
from mystery_shopper.suites.tau_rec.asks.common import COMMON
from mystery_shopper.suites.tau_rec.asks.english import patterns
from mystery_shopper.suites.tau_rec.asks.patterns import EVERY, FREE, Mark, Phrases
from mystery_shopper.suites.tau_rec.asks.signs import Sign
from mystery_shopper.suites.tau_rec.asks.tokens import TITLE, tokenise
from mystery_shopper.suites.tau_rec.asks.typos import Typos

ANCHORED = -2
"""The field of a mark that counts only where a clause begins."""

LONGEST_LABEL = 6
_ORDERED = (
    "(minimum|maximum|lower|upper|at least|at most|earliest|latest) {field}",
    "{field} (range|limit|bound|minimum|maximum)",
    "(before|after|under|over|below|above|at least|at most|between|up to) {field}",
)


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
            "other": tuple(_plain(word) for word in domain.words.others) or ("plot",),
        }
        self.phrases = Phrases(self._list)
        self.numbers: list[tuple[int, int, int]] = []
        self._labels: dict[str, int] = {}
        self._english: set[str] = set()
        self._lengths: dict[str, int] = {}
        self._add_grammar(domain)
        for field, (words, label) in enumerate(blocks):
            self._add_field(field, words, label)
        for field, name in enumerate(self.other_names, FREE):
            self._add_field(field, domain.fields[name].words, domain.label(name))
        for field, name in enumerate(domain.requirement_fields):
            kind = domain.fields[name].kind
            if kind.is_ordered:
                self._add_order(field, blocks[field][1])
            elif kind in (Kind.CATEGORY, Kind.CATEGORIES):
                ignored = {w for block in blocks[field][0].blocks() for w in block.ignore}
                self._add_labels(field, vocabulary.get(name, ()), ignored)
        if domain.formats is not None:
            self._add_labels(len(self.field_names) - 1, domain.formats.simulated, set())
            column = domain.formats.column
            if column is not None:
                self._add_labels(len(self.field_names) - 1, vocabulary.get(column, ()), set())
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
        add("{item}", Sign.THING)
        add("{other}", Sign.OTHER)

    def _add_field(self, field: int, own: FieldWords, label: str) -> None:
        add = self.phrases.add
        for noun in _with_plural(_plain(label)):
            add(noun, Sign.NOUN, field)
        for words in own.blocks():
            self._english.update(word for word in (*words.nouns, *words.values) if word.isalpha())
            for noun in words.nouns:
                for pattern in _with_plural(noun):
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

    def _add_order(self, field: int, label: str) -> None:
        for pattern in _ORDERED:
            self.phrases.add(pattern.format(field=_plain(label)), Sign.NOUN, field)

    def _add_labels(self, field: int, labels: Iterable[str], ignored: set[str]) -> None:
        known = self._labels
        lengths = self._lengths
        for label in labels:
            words = label.lower().split()
            if not (label.isascii() and all(map(str.isalnum, words))):
                words = tokenise(label)[0]
            size = len(words)
            if not 0 < size <= LONGEST_LABEL:
                continue
            head = words[0]
            if size == 1:
                key = head
                if len(key) < 2 or key in COMMON or key.isdigit():
                    continue
            else:
                key = " ".join(words)
            if key in ignored:
                continue
            known.setdefault(key, field)
            lengths[head] = lengths.get(head, 0) | 1 << size

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
        lengths = self._lengths
        for start, token in enumerate(tokens):
            sizes = lengths.get(token, 0)
            if sizes:
                self._find_labels(tokens, start, sizes, found)
            elif token[-1] == "s" and len(token) > 4:
                field = self._labels.get(token[:-1])
                if field is None and token.endswith("ies"):
                    field = self._labels.get(token[:-3] + "y")
                if field is not None:
                    found.append((start, start + 1, Sign.VALUE, field))
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
            if sign <= Sign.WEAK:
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

    def _find_labels(
        self, tokens: Sequence[str], start: int, sizes: int, found: list[Mark]
    ) -> None:
        """`sizes`: a bit for each number of words that a label beginning here may have."""
        for size in range(1, LONGEST_LABEL + 1):
            if not sizes >> size & 1:
                continue
            key = tokens[start] if size == 1 else " ".join(tokens[start : start + size])
            field = self._labels.get(key)
            if field is not None and start + size <= len(tokens):
                found.append((start, start + size, Sign.VALUE, field))

    def _find_number(self, token: str, start: int, found: list[Mark]) -> None:
        digits = token.removesuffix("s")
        if len(digits) > 9 or not (digits.isascii() and digits.isdigit()):
            return
        number = int(digits)
        for least, greatest, field in self.numbers:
            if least <= number <= greatest:
                found.append((start, start + 1, Sign.VALUE, field))


def _plain(text: str) -> str:
    """A phrase as it stands among tokens."""
    return " ".join(tokenise(text)[0])


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
        and _plain(domain.label(name)) not in items
    )


def _item_nouns(domain: Domain) -> tuple[str, ...]:
    noun = domain.noun
    words = (noun.singular, noun.plural, *noun.synonyms, *domain.words.items)
    return tuple(dict.fromkeys(_plain(word) for word in words))


def _with_plural(noun: str) -> tuple[str, ...]:
    """A noun and its plural; patterns that end in a group are left as they are."""
    last = noun[-1:]
    if not last.isalpha() or last == "s":
        return (noun,)
    if last == "y" and noun[-2:-1] not in "aeiou":
        return (noun, noun[:-1] + "ies")
    return (noun, noun + "s")


__all__ = ["ANCHORED", "EVERY", "FORMATS_FIELD", "Lexicon"]
