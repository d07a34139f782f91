"""The looser forms of a title: what people leave out, join, spell out and put behind it.

`catalog.titles` knows the sure keys of a title. Here stand the forms that take a guess: without
words of an edition, with numbers in digits, without "Part", as one word, by its content words, and
cut at its subtitles.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator

from mystery_shopper.catalog.titles import split_year, title_key, title_keys

MOST_LETTERS = 300
LOST = "�"
"""What stands for a letter that was lost when a file was read in the wrong encoding."""
GAP = "ꙮ"
"""A letter that no title has: it keeps the place of a lost one through the folding of keys."""

_CONTROLS = re.compile(r"[\x00-\x1f\x7f\u200b-\u200f\u2028-\u202e\u2060\ufeff]+")
_APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼ`´", "'"))
_QUOTES = '"“”„‟«»‹›*_`~'
_MOJIBAKE = re.compile("[ÃÂâÅ][\u0080-\u00bf\u2010-\u2122ŒœŠšŸŽžƒˆ˜]")
_EDITION_WORDS = (
    r"paperback|hardcover|hardback|kindle|e-?book|audio\s?(?:book|cd)?|unabridged|abridged"
    r"|illustrated|annotated|(?:mass market)|large print|library binding|board book"
    r"|box(?:ed)? set"
    r"|reprint|reissue|revised|deluxe|collector'?s|anniversary|(?:movie|film) tie-?in|edition"
    r"|penguin|vintage|signet|bantam|oxford world|modern library|everyman|wordsworth"
    r"|barnes & noble"
    r"|oprah'?s book club|classics|director'?s cut|extended|final cut|theatrical|remastered|uncut"
    r"|unrated|special|criterion|imax|3-?d|blu-?ray|dvd|vhs|4k|subtitled|dubbed"
)
_EDITION_BRACKET = re.compile(rf"\s*[(\[][^()\[\]]*\b(?:{_EDITION_WORDS})\b[^()\[\]]*[)\]]", re.I)
_EDITION_TAIL = re.compile(
    r"\s*(?::|,|\s[-–—])\s*(?:(?:a|an|the)\s+(?:[\w']+\s+)?"
    r"(?:novel|novella|memoir|thriller|mystery|romance|play|biography|autobiography|epic)"
    r"|(?:short )?stories|poems"
    r"|(?:the\s+)?(?:[\w']+\s+){0,3}?"
    r"(?:edition|(?:director'?s|extended|final|theatrical) cut))\s*$",
    re.I,
)
_BY = re.compile(
    r"^(?P<title>.+?\S),?\s+(?:(?:directed|written)\s+)?by\s+"
    r"(?P<name>[A-Z][\w.'’-]*(?:\s+(?:&|and|de|von|van|la|le|[A-Z][\w.'’-]*)){1,5})\s*$",
    re.S,
)
_LOOSE_YEAR = re.compile(
    r"^(?P<title>.*[^\s,:–—-])\s*[,:\s–—-]\s*[(\[]?(?P<year>(?:18[7-9]|19\d|20\d)\d)[)\]]?[.,]?$",
    re.S,
)
_YEAR_BRACKET = re.compile(
    r"[(\[][^()\[\]]{0,60}?\b(?P<year>(?:18[7-9]|19\d|20\d)\d)\b[^()\[\]]{0,60}[)\]]"
)
_ARTICLE = re.compile(
    r"^(?:(?:the|an?)\s+(?P<front>[^()\[\]]+)|(?P<behind>[^()\[\]]+),\s+(?:the|an?))$", re.I
)
_CUT = re.compile(
    r"\s*:\s+|\s+[-–—]\s+|\s*[;/]\s+|(?:,\s+or|\s+or[:,]),?\s+|\s+or\s+(?=[(A-Z]\S*(?:\s+\S+){3})"
)
_JOINS = re.compile(r"(?<=\w)[-–·.'](?=\w)")
_OR = re.compile(r"(?:,\s+or\b|\s+or[:,])|\s+or\s+(?=[(A-Z]\S*(?:\s+\S+){3})")

_TENS = {
    word: (place + 2) * 10
    for place, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split())
}
_ORDINALS = {
    word: f"{value}{ending}"
    for value, (word, ending) in enumerate(
        (
            *(("first", "st"), ("second", "nd"), ("third", "rd"), ("fourth", "th")),
            *((word, "th") for word in ("fifth", "sixth", "seventh", "eighth", "ninth", "tenth")),
            *((word, "th") for word in ("eleventh", "twelfth", "thirteenth", "fourteenth")),
        ),
        1,
    )
}
_SAME = {"saint": "st", "sainte": "ste", "number": "no", "mount": "mt", "okay": "ok"}
_PARTS = frozenset(("part", "chapter", "volume", "vol", "episode", "book", "number", "no"))
LEADING = frozenset("the a an le la les el los las il das der die".split())
FUNCTION_WORDS = frozenset(
    "the a an of in on at to and or for from with by into over upon de la le du des et y and s is"
    " his her my your their its".split()
)
GENERIC = frozenset(
    "a novel|the novel|a memoir|the movie|the film|the motion picture|the musical|the series"
    "|a story|a thriller|a true story|the original|the book|the complete series|the beginning"
    "|the final chapter|the next generation".split("|")
)
"""Subtitles that tell no title from another."""
DESCRIBING = frozenset(
    "a novel|the novel|a memoir|the movie|the film|the motion picture|the book|a story|a thriller"
    "|a true story".split("|")
)
"""Subtitles that say what a thing is: with one and without it is the same."""


def cleaned(text: str) -> str:
    """A title as it was said, without mark-up, quotes, control characters and runs of space;
    letters that were read in the wrong encoding mended where that is sure. At most 300 letters."""
    text = text[: 2 * MOST_LETTERS].encode("utf-8", "replace").decode("utf-8")
    text = html.unescape(text) if "&" in text else text
    if not text.isascii():
        text = unicodedata.normalize("NFC", _mended(text))
    text = " ".join(_CONTROLS.sub(" ", text).split())[:MOST_LETTERS]
    return _unquoted(text).translate(_APOSTROPHES).rstrip(" ,;")


def _unquoted(text: str) -> str:
    for _ in range(4):
        bare = text.strip(_QUOTES + " ")
        if len(bare) > 1 and (bare[0], bare[-1]) in (("'", "'"), ("‘", "’")):
            bare = bare[1:-1]
        if bare == text:
            break
        text = bare
    if any(mark in text for mark in '*"“”«»`'):
        text = re.sub(r'[*"“”«»`]+', "", text)
    return text


def _mended(text: str) -> str:
    if not _MOJIBAKE.search(text):
        return text
    for codec in ("cp1252", "latin-1"):
        try:
            return text.encode(codec).decode("utf-8")
        except UnicodeError:
            continue
    return text


def dated(text: str) -> tuple[str, int | None]:
    """(title, year): the year in brackets, also where more stands in them or behind them ("Heat
    (1995, Michael Mann)")."""
    title, year = split_year(text)
    if year is not None or not any(mark in text for mark in "(["):
        return title, year
    found = _YEAR_BRACKET.search(text)
    if found is None or not text[: found.start()].strip():
        return title, None
    return text[: found.start()].strip(), int(found["year"])


def loosely_dated(text: str) -> tuple[str, int] | None:
    """(title, year) where the year stands behind the title without brackets ("Heat, 1995")."""
    found = _LOOSE_YEAR.match(text)
    return (found["title"].strip(" ,-–—:"), int(found["year"])) if found else None


def unsigned(text: str) -> str | None:
    """The title without its maker ("Dune by Frank Herbert"), None where it names none."""
    found = _BY.match(text)
    return found["title"] if found else None


def without_edition(title: str) -> str:
    """The title without words of an edition ("Dune (Penguin Classics)", "Emma: A Novel")."""
    bare = _EDITION_BRACKET.sub("", title)
    for _ in range(3):
        shorter = _EDITION_TAIL.sub("", bare)
        if shorter == bare:
            break
        bare = shorter
    return bare.strip() or title


def sure_keys(title: str) -> dict[str, int]:
    """Key -> how sure it is: 0 the title as a whole, 1 without what stands in brackets, 2 an
    alternative title or one without its article. The title has no year any more."""
    bare = without_edition(title)
    keys = title_keys(bare)
    brackets = "(" in bare or "[" in bare
    found: dict[str, int] = {}
    for place, key in enumerate(keys):
        found[key] = (1 if brackets else 0) if place == 0 else 0 if place == 1 and brackets else 2
    if (cut := _ARTICLE.match(bare)) is not None:
        found.setdefault(title_key(cut["front"] or cut["behind"]), 2)
    if bare != title:
        found = {key: max(tier, 1) for key, tier in found.items()}
        found[title_key(title)] = 0
    return found


def loose_key(key: str, *, first_part: bool = False) -> str:
    """A key as one word: numbers in digits, without "part" before one, without a leading article,
    and without a 1 behind "part". `first_part`: without any 1 at its end ("Toy Story 1")."""
    return "".join(_loose_words(key, first_part))


def _loose_words(key: str, first_part: bool) -> list[str]:
    words = [_SAME.get(word, word) for word in _digits(key.split())]
    if len(words) > 1 and words[0] in LEADING:
        words = words[1:]
    kept: list[str] = []
    for place, word in enumerate(words):
        numbered = place + 1 < len(words) and words[place + 1].isdigit()
        if not (place and numbered and word in _PARTS):
            kept.append(word)
    if len(kept) > 1 and words[-1] in ("1", "i") and (first_part or words[-2] in _PARTS):
        kept.pop()
    return kept


def word_forms(key: str, text: str) -> set[tuple[str, ...]]:
    """The words of a key of a title, as a loose key joins them; where the title holds hyphens or
    points within words, also with those words joined ("Spider-Man")."""
    made = {tuple(_loose_words(key, False)), tuple(_loose_words(key, True))}
    joined = _JOINS.sub("", text)
    if joined != text and (whole := title_key(joined)).replace(" ", "") == key.replace(" ", ""):
        made |= {tuple(_loose_words(whole, False)), tuple(_loose_words(whole, True))}
    return made


def _digits(words: list[str]) -> list[str]:
    """Number words beyond those of a key as digits: "1 hundred and 1", "forty", "thirteenth"."""
    if not any(word in _TENS or word in _ORDINALS or word == "hundred" for word in words):
        return words
    out: list[str] = []
    place = 0
    while place < len(words):
        word = words[place]
        after = words[place + 1] if place + 1 < len(words) else ""
        if word in _TENS and after.isdigit() and 0 < int(after) < 10:
            out.append(str(_TENS[word] + int(after)))
            place += 1
        elif word in _TENS:
            out.append(str(_TENS[word]))
        elif word == "hundred":
            base = int(out.pop()) if out and out[-1].isdigit() and len(out[-1]) < 3 else 1
            out[-1:] = [] if out and out[-1] == "a" else out[-1:]
            skip = 2 if after == "and" else 1
            rest = words[place + skip] if place + skip < len(words) else ""
            low = int(rest) if rest.isdigit() and len(rest) < 3 else _TENS.get(rest, 0)
            out.append(str(base * 100 + low))
            place += skip if low else 0
        else:
            out.append(_ORDINALS.get(word, word))
        place += 1
    return out


def content_words(key: str) -> tuple[str, ...]:
    """The words of a key that carry it, in their order."""
    return tuple(word for word in _digits(key.split()) if word not in FUNCTION_WORDS)


def segments(title: str) -> tuple[str, ...]:
    """The parts of a title that colons, dashes and "or" set off; the whole where there are none."""
    return tuple(part for part in (part.strip(" ()") for part in _CUT.split(title)) if part)


def has_or(title: str) -> bool:
    """Whether a title gives a second one behind an "or" ("Dr. Strangelove or: How I …")."""
    return _OR.search(title) is not None


def only_counts(key: str) -> bool:
    """Whether a key but says which part something is ("part 1"): it tells nothing by itself."""
    return all(word in _PARTS or word.isdigit() or word in FUNCTION_WORDS for word in key.split())


def numbers_in(key: str) -> tuple[str, ...]:
    """The words of a key that hold a digit, sorted."""
    return tuple(sorted(word for word in key.split() if any(map(str.isdigit, word))))


def rewritten(text: str, year: int | None) -> Iterator[tuple[str, int | None]]:
    """Other ways to read a title as it was said: with its year unbracketed, without its maker."""
    if year is None and (found := loosely_dated(text)):
        yield found
    if (bare := unsigned(text)) is not None:
        yield bare, year
