"""What a free text names: values in any spelling, parts of a name, and items' titles.

A title that is an everyday phrase is named only where the text shows that a title is meant: by
quotation marks, by emphasis, or by capitals.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib import resources

from rapidfuzz.distance import OSA

from mystery_shopper.catalog.graph_values import is_tail, name_key
from mystery_shopper.catalog.words import shared_words

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_SPELT = re.compile(r"(?<!\w)(?:[^\W\d_][\s.·*|/-]{1,2}){4,}[^\W\d_](?!\w)")
_QUOTED = re.compile(
    r"[\"“”„«]([^\"“”„«»]{1,250})[\"“”»]|(?<!\w)[*_]{1,3}(\w[^*_]{0,250})[*_]{1,3}"
)
_MARKS = re.compile('["“”„«»]')
_ENDED = re.compile(r"[.!?]\s")
_GAP = r"\W{1,3}"
_START = re.compile(r"(?:^|[.!?:]\s+|\n\s*)[\"“*_(]*$")
_LEAST_PART = 3
_LEAST_LIKE = 5
_RARE = 5
"""A part of a name that so few values of the relation share stands for it."""
_LONG_TITLE = (3, 12)
"""Words and letters from which a title is named in any writing."""


def undisguised(text: str) -> str:
    """The text in plain letters: compatibility forms resolved, no invisible characters, and words
    spelt letter by letter put together."""
    plain = unicodedata.normalize("NFKC", text)
    plain = "".join(letter for letter in plain if unicodedata.category(letter) != "Cf")
    return _SPELT.sub(lambda found: "".join(filter(str.isalnum, found[0])), plain)


def names(text: str, value: str) -> bool:
    """Whether a text names a value, in any case and accents, or in the plural."""
    folded, key = name_key(text), name_key(value)
    if key.removesuffix("y") not in folded:
        return False
    key = re.escape(key)
    if key.endswith("y"):
        key = f"(?:{key}|{key[:-1]}ies)"
    return re.search(rf"(?<!\w){key}s?(?!\w)", folded) is not None


def without(text: str, texts: Iterable[str], mark: str = " ") -> str:
    """The text with every occurrence of the others, in any spelling, replaced; of overlapping ones
    the longest."""
    split = [name_key(other).split() for other in sorted(texts, key=lambda one: (-len(one), one))]
    patterns = [_GAP.join(map(re.escape, words)) for words in split if words]
    if not patterns:
        return text
    folded, places = _folded(text)
    parts: list[str] = []
    last = 0
    for found in re.finditer(rf"(?<!\w)(?:{'|'.join(patterns)})(?!\w)", folded):
        parts += [text[last : places[found.start()]], mark]
        last = places[found.end()]
    return "".join([*parts, text[last:]])


def _folded(text: str) -> tuple[str, list[int]]:
    """The text folded letter by letter, and the place in it that each folded letter comes from."""
    if text.isascii():
        return text.lower().replace("`", "'"), list(range(len(text) + 1))
    letters: list[str] = []
    places: list[int] = []
    for place, letter in enumerate(text):
        folded = name_key(letter) if letter.isalnum() or letter in "'’‘`´" else letter
        letters.append(folded)
        places += [place] * len(folded)
    return "".join(letters), [*places, len(text)]


@cache
def _own() -> frozenset[str]:
    """The words of our own tables as they are written, but for those that stand for values."""
    folder = resources.files("mystery_shopper") / "data" / "recbench"
    texts = [
        (folder / f"{name}.yaml").read_text(encoding="utf-8")
        for name in ("requests", "relations", "people")
    ]
    tables = re.sub(r"(?m)^    [\w ']+: \[.*\]$", " ", "\n".join(texts))
    return frozenset(_WORD.findall(tables))


@cache
def ordinary() -> frozenset[str]:
    """Words that say nothing by themselves: everyday ones, and our own."""
    own = frozenset(map(name_key, _own()))
    return own | {word for line in shared_words("everyday") for word in line.split()}


class NameParts:
    """The parts of a relation's values that give a value away when they stand alone."""

    def __init__(self, values: Sequence[str]) -> None:
        self._often = Counter(part for value in values for part in set(_parts(value)))
        self._generic = max(20, len(values) // 100)

    def telling(self, value: str) -> list[str]:
        """The last part of a name and its rare ones; none of a value of one word."""
        parts = [part for part in _parts(value) if len(part) >= _LEAST_PART]
        if len(name_key(value).split()) < 2 or not parts:
            return []
        return [
            part
            for part in dict.fromkeys(parts)
            if self._often[part] < self._generic or (part == parts[-1] and part not in ordinary())
            if part == parts[-1] or self._often[part] <= _RARE
        ]


def _parts(value: str) -> list[str]:
    return [part for part in name_key(value).split() if not is_tail(part)]


def shows_part(text: str, part: str) -> bool:
    """Whether a text holds a part of a name, or a misspelling of it. A part that is an ordinary
    word counts only with a capital within a sentence."""
    for word in _WORD.finditer(text):
        key = name_key(word[0])
        key = key[:-2] if key.endswith("'s") and not part.endswith("'s") else key
        if key == part:
            inside = not _START.search(text[: word.start()])
            if part not in ordinary() or (word[0][:1].isupper() and inside):
                return True
        elif part not in ordinary() and key not in ordinary() and _alike(key, part):
            return True
    return False


def _alike(key: str, part: str) -> bool:
    if min(len(key), len(part)) < _LEAST_LIKE or key[0] != part[0]:
        return False
    most = 2 if len(part) >= 9 else 1
    return OSA.distance(key, part, score_cutoff=most) <= most


def shows_stem(text: str, value: str) -> bool:
    """Whether a text holds a word of the same stem as a value of one word ("comedic")."""
    key = name_key(value)
    if " " in key or len(key) < _LEAST_LIKE:
        return False
    stem = key[: max(_LEAST_LIKE, len(key) - 3)]
    return any(name_key(word).startswith(stem) for word in _WORD.findall(text))


def quoted_texts(text: str) -> list[str]:
    """What stands in quotation marks or is emphasised."""
    return [(found[1] or found[2]).strip(" ,.;") for found in _QUOTED.finditer(text)]


def unquoted(text: str, names: Iterable[str]) -> str:
    """The text with the quotation marks that these names hold themselves left out of them."""
    for name in names:
        text = text.replace(name, _MARKS.sub("", name))
    return text


def shows_title(text: str, title: str) -> bool:
    """Whether a text means a title, and not just the words."""
    key = name_key(title)
    if any(name_key(quoted) == key for quoted in quoted_texts(text)):
        return True
    if not names(text, title):
        return False
    words = [name_key(word) for word in _WORD.findall(title)]
    if len(words) == 1 and title in _own():
        # "Thursday" is written like a title whatever is meant.
        return False
    if len(words) >= _LONG_TITLE[0] and len(key) >= _LONG_TITLE[1]:
        return True
    return any(_capitals(text, start, end) for start, end in _places(text, words))


def capitalised_runs(text: str, longest: int = 10) -> Iterator[str]:
    """Every run of two to `longest` words that is written like a title."""
    words = list(_WORD.finditer(text))
    for first in range(len(words)):
        for last in range(first + 1, min(len(words), first + longest)):
            start, end = words[first].start(), words[last].end()
            small = any(
                len(words[at][0]) >= 4 and words[at][0][0].islower() for at in (first, last)
            )
            if small or _ENDED.search(text, start, end):
                break
            if _capitals(text, start, end):
                yield text[start:end]


def _places(text: str, words: Sequence[str]) -> Iterator[tuple[int, int]]:
    found = list(_WORD.finditer(text))
    keys = [name_key(word[0]) for word in found]
    for first in range(len(found) - len(words) + 1 if words else 0):
        if keys[first : first + len(words)] == words:
            yield found[first].start(), found[first + len(words) - 1].end()


def _capitals(text: str, start: int, end: int) -> bool:
    """Whether the words of four letters and more begin with capitals, or figures, and one that
    does is not the first of its sentence."""
    words = list(_WORD.finditer(text, start, end))
    heavy = [word for word in words if len(word[0]) >= 4] or words
    if any(word[0][0].islower() for word in heavy):
        return False
    return any(
        not word[0][0].islower() and word[0] != "I" and not _START.search(text[: word.start()])
        for word in heavy
    )
