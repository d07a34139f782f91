"""What is wanted, as a noun phrase and, if split, a sentence with "should" behind it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from mystery_shopper.suites.recbench.wording.phrases import agreeing, filled, listed, quoted, spoken
from mystery_shopper.suites.recbench.wording.speech import Speech

_BEFORE = 0.75
"""How often a value that can stand before the noun does."""
_SPLIT = 0.35
"""How often some conditions go into a sentence of their own."""
_EARLY = ("in ", "from ", "of ")
"""Short phrases, that stand next to the noun."""


@dataclass(frozen=True)
class Piece:
    """Conditions on one relation: stated values, or the titles that refer to one."""

    relation: str
    values: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()


@dataclass(frozen=True)
class Wanted:
    """The parts of what is wanted: a word before the noun, phrases behind it, and what it should
    be."""

    before: str
    after: tuple[str, ...]
    must: tuple[str, ...]


def wanted(
    pieces: Sequence[Piece], speech: Speech, source: random.Random, *, split: bool = True
) -> Wanted:
    """Draw how each condition is said. Without `split` every one is said with the noun."""
    left = list(pieces)
    before = ""
    for place, piece in enumerate(left):
        words = speech.relations[piece.relation]
        if words.before and piece.values and source.random() < _BEFORE:
            before = spoken(piece.values[0], words)
            left[place] = replace(piece, values=piece.values[1:])
            break
    left = [piece for piece in _merged(left) if piece.values or piece.titles]
    later = 0
    if split and left and source.random() < _SPLIT:
        later = source.randint(1, len(left))
    source.shuffle(left)
    said, should = left[later:], left[:later]
    alone = len(said) == 1
    after = [
        _phrase(piece, speech, source, must=False, alone=alone)
        for piece in sorted(said, key=lambda piece: bool(piece.titles))
    ]
    after.sort(key=lambda phrase: ('"' in phrase or "“" in phrase, not phrase.startswith(_EARLY)))
    must = [
        _phrase(piece, speech, source, must=True, alone=True)
        for piece in sorted(should, key=lambda piece: bool(piece.titles))
    ]
    return Wanted(before, tuple(after), tuple(must))


def _merged(pieces: Sequence[Piece]) -> list[Piece]:
    """Stated values of one relation together."""
    kept: list[Piece] = []
    for piece in pieces:
        same = next((k for k in kept if k.relation == piece.relation and not k.titles), None)
        if same is None or piece.titles:
            kept.append(piece)
        else:
            kept[kept.index(same)] = replace(same, values=same.values + piece.values)
    return kept


def _phrase(piece: Piece, speech: Speech, source: random.Random, *, must: bool, alone: bool) -> str:
    words = speech.relations[piece.relation]
    if piece.titles:
        pattern = source.choice(words.refer.must if must else words.refer.after)
        slots = agreeing(len(piece.titles))
        return filled(pattern, {**slots, "titles": listed([quoted(t) for t in piece.titles])})
    patterns = list(words.must if must else words.after)
    if not alone:
        patterns = [p for p in patterns if not p.startswith("that ")] or patterns
    values = listed([spoken(value, words) for value in piece.values])
    if len(piece.values) > 1:
        pattern = patterns[0]
    else:
        # "the artistic language language" will not do.
        said = set(values.lower().split())
        once = [pattern for pattern in patterns if not said & set(pattern.split())]
        pattern = source.choice(once or patterns)
    return filled(pattern, {**agreeing(len(piece.values)), "value": values})


def phrase(want: Wanted, noun: str, adjective: str) -> str:
    """The noun phrase without an article."""
    head = " ".join(part for part in (adjective, want.before, noun) if part)
    return " ".join([head, listed(want.after)]) if want.after else head


def with_article(text: str) -> str:
    """The phrase behind "a" or "an"."""
    return f"{'an' if text[:1].lower() in set('aeiou') else 'a'} {text}"
