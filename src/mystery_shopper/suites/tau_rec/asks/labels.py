"""The labels of the catalogue, found in a list of tokens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

from mystery_shopper.suites.tau_rec.asks.naming import are_everyday, everyday, singular
from mystery_shopper.suites.tau_rec.asks.patterns import Mark
from mystery_shopper.suites.tau_rec.asks.signs import Sign
from mystery_shopper.suites.tau_rec.asks.tokens import tokenise

LONGEST = 6
"""Labels of more words are not listened for."""

MANY = 500
"""A field with more labels than this is taken to hold names, which are written with a capital."""

FEW = 100
"""Numbers and single letters are labels only of a field with no more labels than this."""

_ONE_LETTER_WORDS = frozenset(("a", "i", "u", "r"))
_NEVER = frozenset("yes no true false none other others all any both either null n/a".split())


class Labels:
    """Label -> the fields it belongs to, and whether it is an ordinary word besides.

    Labels that are everyday words or that several fields share are found as `Sign.LABEL`, names of
    one word as `Sign.NAME`; they count only where more shows what is meant.
    """

    def __init__(self) -> None:
        self._fields: dict[str, int] = {}
        self._shared: dict[str, tuple[int, ...]] = {}
        self._slight: set[str] = set()
        self._lengths: dict[str, int] = {}
        self._named: set[int] = set()

    def __contains__(self, word: object) -> bool:
        return word in self._fields

    def add(
        self, field: int, labels: Iterable[str], ignored: Set[str], values: Set[str] = frozenset()
    ) -> None:
        """Enter a field's labels. `ignored`: those that are no sign of it. `values`: words that
        the domain gives as its values and that are no everyday words to it."""
        labels = tuple(labels)
        few = len(labels) <= FEW
        common = everyday()
        if len(labels) > MANY and 2 * sum(map(_has_capital, labels)) > len(labels):
            self._named.add(field)
        known, lengths = self._fields, self._lengths
        for label in labels:
            words = label.lower().split()
            if not (label.isascii() and all(map(str.isalnum, words))):
                words = tokenise(label)[0]
            size = len(words)
            if not 0 < size <= LONGEST:
                continue
            key = words[0] if size == 1 else " ".join(words)
            if key in ignored or key in _NEVER:
                continue
            bare = size == 1 and (len(key) < 2 or key.isdigit() or not key[-1].isalnum())
            if bare and not (few and key not in _ONE_LETTER_WORDS and key.isalnum()):
                continue
            if known.setdefault(key, field) != field:
                owners = self._shared.get(key, (known[key],))
                self._shared[key] = (*owners, field) if field not in owners else owners
            if bare or (key not in values and are_everyday(words, common)):
                self._slight.add(key)
            lengths[words[0]] = lengths.get(words[0], 0) | 1 << size
            if size > 1 and (one := singular(key)) != key:
                known.setdefault(one, field)

    def find(self, tokens: Sequence[str], found: list[Mark]) -> None:
        """Append every label in `tokens`, singulars of them included."""
        lengths = self._lengths
        for start, token in enumerate(tokens):
            sizes = lengths.get(token, 0)
            if sizes:
                self._find_at(tokens, start, sizes, found)
            elif token[-1] == "s" and len(token) > 4:
                key = token[:-1] if token[:-1] in self._fields else singular(token)
                if key in self._fields:
                    self._mark(key, start, start + 1, found)
            elif not sizes and f"{token}s" in self._fields and len(token) > 3:
                self._mark(f"{token}s", start, start + 1, found)

    def _find_at(self, tokens: Sequence[str], start: int, sizes: int, found: list[Mark]) -> None:
        """`sizes`: a bit for each number of words that a label beginning here may have."""
        for size in range(1, LONGEST + 1):
            if not sizes >> size & 1:
                continue
            key = tokens[start] if size == 1 else " ".join(tokens[start : start + size])
            if key in self._fields and start + size <= len(tokens):
                self._mark(key, start, start + size, found)

    def _mark(self, key: str, start: int, end: int, found: list[Mark]) -> None:
        owners = self._shared.get(key) or (self._fields[key],)
        slight = len(owners) > 1 or key in self._slight
        for field in owners:
            name = field in self._named and (slight or end - start == 1)
            sign = Sign.NAME if name else Sign.LABEL if slight else Sign.VALUE
            found.append((start, end, sign, field))


def tells_a_name(tokens: Sequence[str], written: Sequence[str], start: int, end: int) -> bool:
    """Whether a label is written as a name is: with a capital that nothing else accounts for."""
    word = written[start]
    if not word[:1].isupper():
        return False
    if not are_everyday(tokens[start:end], everyday()):
        return True
    if len(word) > 1 and word.isupper():
        return False
    return start > 0 and (tokens[start - 1][-1].isalnum() or tokens[start - 1] in _AMID)


_AMID = frozenset((",", "/"))


def _has_capital(label: str) -> bool:
    return label[:1].isupper()


__all__ = ["Labels", "tells_a_name"]
