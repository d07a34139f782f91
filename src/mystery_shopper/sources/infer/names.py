"""What a column's name says: its words, and the field's name and label made of them."""

from __future__ import annotations

import keyword
import re
import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import dataclass

_SANE = re.compile(r"[^\W\d]\w{0,39}")
_JOINTS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[\W_]+")
_UNITS = {
    "cm": "cm", "mm": "mm", "km": "km", "kg": "kg", "ml": "ml", "inch": "inches",
    "inches": "inches", "min": "minutes", "mins": "minutes", "minutes": "minutes",
    "hours": "hours", "days": "days", "pages": "pages", "eur": "euros", "usd": "dollars",
    "gbp": "pounds", "chf": "francs", "grams": "grams", "litres": "litres", "watts": "watts",
}  # fmt: skip
_SHORT = {
    "lang": "language", "orig": "original", "pub": "publication", "avg": "average",
    "num": "number of", "qty": "quantity", "desc": "description", "cat": "category",
    "mfr": "manufacturer", "mfg": "manufacturer", "pct": "percent", "yr": "year",
}  # fmt: skip
_FILLERS = frozenset(
    """a all and api catalog catalogue catalogs clean cleaned csv data dataset db dump example
    export exported exports file final first full in info inventory json latest list listing meta
    metadata my new of old out output parquet raw sample small source table test the top tsv v
    version details shop store webshop items item""".split()
)
_LETTERS = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss", "ẞ": "SS",
     "æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L"}
)  # fmt: skip
_IRREGULAR = {
    "series": "series", "species": "species", "news": "news", "shoes": "shoe", "movies": "movie",
    "people": "person", "clothes": "clothes", "glasses": "glasses", "shelves": "shelf",
    "knives": "knife", "recipes": "recipe", "games": "game", "houses": "house", "homes": "home",
    "cookies": "cookie", "ties": "tie", "pies": "pie", "courses": "course", "status": "status",
    "horses": "horse", "vases": "vase", "services": "service", "sizes": "size",
}  # fmt: skip


def words_of(name: str) -> tuple[str, ...]:
    """The words of a name in lower case, taken apart at marks and at capitals."""
    return tuple(word.lower() for word in _JOINTS.split(name) if word)


def plain_letters(name: str) -> str:
    """The name in letters without marks: `Verfügbarkeit` is `Verfuegbarkeit`, `año` is `ano`.
    Letters of other scripts stay."""
    spelt = unicodedata.normalize("NFC", name).translate(_LETTERS)
    apart = unicodedata.normalize("NFKD", spelt)
    kept = "".join(mark for mark in apart if not "\u0300" <= mark <= "\u036f")
    return unicodedata.normalize("NFC", kept)


def singular(word: str) -> str:
    """An English noun in the singular, by rule."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) < 4 or word.endswith(("ss", "us", "is")) or not word.endswith("s"):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "xes", "sses", "zes")):
        return word[:-2]
    return word[:-1]


def plural(word: str) -> str:
    """An English noun in the plural, by rule."""
    for many, one in _IRREGULAR.items():
        if one == word:
            return many
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("s", "x", "ch", "sh", "z")) else "s")


def noun_of(name: str) -> tuple[str, str, bool]:
    """(singular, plural, guessed) of what the items of a file of this name are called: its last
    word in the plural, else its last word that is none of a file's usual ones, else `item`."""
    words = [word for word in words_of(name) if word.isalpha() and word not in _FILLERS]
    many = [word for word in words if singular(word) != word]
    if many:
        return singular(many[-1]), many[-1], True
    if words and len(words[-1]) > 2:
        return words[-1], plural(words[-1]), True
    return "item", "items", False


@dataclass(frozen=True)
class Called:
    """What a field is called: its name in the domain, what people call it, the unit it is in."""

    name: str
    label: str
    unit: str = ""


def called(
    column: str, taken: Collection[str], labels: Collection[str], place: int, *, year: bool = False
) -> Called:
    """The name and label of a column's field; `taken` and `labels` are those of other fields.
    `year`: the column holds dates, the field their years."""
    words = list(words_of(column))
    unit = _UNITS.get(words[-1], "") if len(words) > 1 else ""
    spoken = words[:-1] if len(words) > 1 and (unit or words[-1] in ("code", "name")) else words
    spoken = " ".join(_SHORT.get(word, word) for word in spoken).split()
    label = " ".join([*spoken[:-1], *map(singular, spoken[-1:])])
    label = "".join(mark for mark in label if mark.isalnum() or mark == " ").strip()[:40].strip()
    if year:
        label = label.removesuffix(" date") + " year" if label.endswith(" date") else label
    if not any(mark.isalpha() for mark in label):
        label = f"column {place + 1}"
    spelt = plain_letters(column)
    name = spelt if _SANE.fullmatch(spelt) else "_".join(words_of(spelt))[:40].strip("_")
    if not _SANE.fullmatch(name) or keyword.iskeyword(name):
        name = f"column_{place + 1}"
    return Called(_fresh(name, taken, "_"), _fresh(label, labels, " "), unit)


def _fresh(text: str, taken: Collection[str], joint: str) -> str:
    """The text, or the text with the first number that makes it new."""
    known = {other.lower() for other in taken}
    if text.lower() not in known:
        return text
    number = 2
    while f"{text}{joint}{number}".lower() in known:
        number += 1
    return f"{text}{joint}{number}"


def has(words: Iterable[str], *wanted: str) -> bool:
    """Whether one of the words, or its singular, is one of those wanted."""
    pool = {form for word in words for form in (word, singular(word))}
    return not pool.isdisjoint(wanted)
