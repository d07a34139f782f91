"""The forms under which a title is known, so that two spellings of one title meet.

Years in brackets ("Heat (1995)"), articles moved behind ("Matrix, The"), titles in other languages
in brackets ("Boat, The (Das Boot)"), accents, punctuation, ampersands, initials ("E.T."), roman
numerals and numbers in words all come to the same keys. Typing errors do not: that is for a fuzzy
search over the keys.
"""

from __future__ import annotations

import re
from functools import lru_cache

from mystery_shopper.catalog.graph_values import name_key

_YEAR = re.compile(
    r"^(?P<title>.*\S)\s*[(\[](?P<year>(?:18[7-9]|19\d|20\d)\d)(?:\s*[-–—/]\s*(?:\d{2,4})?)?"
    r"(?:\s+(?:film|movie|novel|book))?\s*[)\]]\s*$",
    re.I | re.S,
)
_TAG = re.compile(r"\s*[(\[](?:tv\s+)?(?:film|movie|novel|book|tv|v)[)\]]\s*$", re.I)
_ARTICLES = (
    "the a an le la les l' un une des el los las lo unos unas una il gli uno i der die das den dem"
    " ein eine einen de het een 't o os as um uma en ett et det els az"
).split()
"""Of English, the Romance and Germanic languages, and Hungarian."""
_DROPPED = frozenset(
    "the a an le la les un une el los las il lo gli uno una der das den ein eine het een um uma ett"
    " det els".split()
)
"""Articles that may be left out where they lead. Those that are words of their own in English
("Die Hard", "As Good as It Gets", "I, Robot") are not among them."""
_MOVED = re.compile(
    rf"^(?P<head>.+?),\s+(?P<article>{'|'.join(map(re.escape, _ARTICLES))})"
    r"(?P<rest>\s*|\s*[:;]\s.*|\s+[-–—]\s.*)$",
    re.I | re.S,
)
_ELIDED = re.compile(r"^l['’ʼ`´](?=\w)", re.I)
_LAST_BRACKET = re.compile(r"^(?P<before>.*\S)\s*[(\[](?P<inner>[^()\[\]]*)[)\]]\s*$", re.S)
_ALSO = re.compile(r"\b(?:a\.k\.a\.|aka|also known as)(?=\W|$)[:,]?\s*", re.I)
_SUBTITLE = re.compile(r"\s*(?::|\s[-–—]\s|;|,?\s+or:?,?\s+(?=[A-Z]))")
_SECOND = re.compile(r",?\s+or[:,]\s+|,\s+or\s+(?=[A-Z])|:\s+or,?\s+", re.I)
_APOSTROPHES = re.compile(r"['’ʼ`´]")
_NO_WORD = re.compile(r"[^\w]+|_")
_MOST_BRACKETS = 4

_UNITS = ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")
_ROMAN = {
    tens + unit: str(ten * 10 + one)
    for ten, tens in enumerate(("", "x", "xx"))
    for one, unit in enumerate(_UNITS)
} | {"xxx": "30"}
_NUMBERS = {
    word: str(value)
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
        " fifteen sixteen seventeen eighteen nineteen twenty".split()
    )
}
_PARTS = frozenset(("part", "chapter", "volume", "episode", "book"))
_ONE_WORD = {
    "vs": "versus", "vol": "volume", "pt": "part", "doctor": "dr", "mister": "mr",
    "colour": "color", "colours": "colors", "grey": "gray", "theatre": "theater",
    "mediaeval": "medieval",
}  # fmt: skip
"""Spellings of one word."""
_ATTACHED = re.compile(r"(?<=\w)(?=[¹²³¼-¾⅐-⅞⁴-⁹])")
"""Where "Alien³" and "33⅓" fall into two words."""


def split_year(title: str) -> tuple[str, int | None]:
    """(title without its year, year): the year in brackets at the end, None where there is none.

    >>> split_year("American President, The (1995)")
    ('American President, The', 1995)
    """
    found = _YEAR.match(title)
    if found is None:
        return title.strip(), None
    return found["title"], int(found["year"])


@lru_cache(maxsize=1 << 17)
def title_keys(title: str) -> tuple[str, ...]:
    """The keys of a title, from the surest to the loosest, each once; at least one.

    The title as a whole first, then its alternative titles in brackets, then both without their
    leading article. A year in brackets at the end is left aside.

    >>> title_keys("Boat, The (Das Boot) (1981)")
    ('the boat', 'the boat das boot', 'das boot', 'boat', 'boot')
    """
    main, *others = _forms(split_year(title)[0])
    keys = [title_key(_in_order(form)) for form in (main, *others)]
    bare = [_without_article(form, key) for form, key in zip((main, *others), keys, strict=True)]
    whole = [title_key(" ".join(map(_in_order, (main, *others))))] if others else []
    return tuple(dict.fromkeys([*keys[:1], *whole, *keys[1:], *bare]))


def subtitle_keys(title: str, *, second: bool = False) -> tuple[str, ...]:
    """The keys of what stands before a title's subtitle; none where it has no subtitle. Several
    titles of a series share one: match them by year too. `second`: only where an "or" leads to a
    second title ("Dr. Strangelove or: How I Learned …"), which no series shares.

    >>> subtitle_keys("Lord of the Rings, The: The Two Towers (2002)")
    ('the lord of the rings', 'lord of the rings')
    """
    whole = _in_order(_forms(split_year(title)[0])[0])
    found = (_SECOND if second else _SUBTITLE).search(whole, 1)
    head = whole[: found.start()] if found else ""
    return title_keys(head) if name_key(head).strip(" '") else ()


def title_key(text: str) -> str:
    """One text as a key: folded, without accents and punctuation, numerals as digits. It moves no
    article and opens no bracket."""
    apart = text if text.isascii() else _ATTACHED.sub(" ", text)
    folded = _APOSTROPHES.sub("", name_key(apart.replace("&", " and ")))
    words = [_ONE_WORD.get(word, word) for word in _NO_WORD.sub(" ", folded).split()]
    plain: list[str] = []
    initials = False
    for place, word in enumerate(words):
        before = words[place - 1] if place else ""
        if (place and word in _ROMAN and word != "i") or (word == "i" and before in _PARTS):
            word = _ROMAN[word]
        word = _NUMBERS.get(word, word)
        letter = len(word) == 1 and word.isalpha()
        if letter and initials:
            plain[-1] += word
        else:
            plain.append(word)
        initials = letter
    return " ".join(plain) or folded.strip() or text.casefold().strip()


def _forms(title: str) -> list[str]:
    """The title without the brackets at its end, then what stands in them, each part that an "also
    known as" sets off by itself."""
    main, others = title, list[str]()
    for _ in range(_MOST_BRACKETS):
        main = _TAG.sub("", main) or main
        found = _LAST_BRACKET.match(main)
        if found is None:
            break
        main = found["before"]
        others.insert(0, found["inner"])
    parts = (part.strip(" ,") for text in (main, *others) for part in _ALSO.split(text))
    return list(dict.fromkeys(filter(None, parts))) or [title]


def _in_order(title: str) -> str:
    """The title with a moved article back at its head."""
    found = _MOVED.match(title)
    if found is None:
        return title
    article = found["article"]
    space = "" if article.endswith("'") else " "
    return f"{article}{space}{found['head']}{found['rest'].rstrip()}"


def _without_article(form: str, key: str) -> str:
    first, _, rest = key.partition(" ")
    if first in _DROPPED and rest:
        return rest
    moved = _MOVED.match(form)
    if moved:
        return title_key(moved["head"] + moved["rest"])
    return title_key(_ELIDED.sub("", form)) if _ELIDED.match(form) else key
