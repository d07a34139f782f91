"""Guesses at what a title means where no sure form of it is known, each with its evidence.

Every function takes the tables, the title and the year said with it, and gives the rows it may
mean. A title that is contained in another, or is another part of its series, is no guess at it.
"""

from __future__ import annotations

from collections.abc import Set

from mystery_shopper.catalog.titles import title_key
from mystery_shopper.suites.recbench.titles.forms import (
    DESCRIBING,
    FUNCTION_WORDS,
    LEADING,
    content_words,
    has_or,
    loose_key,
    numbers_in,
    only_counts,
    segments,
    word_forms,
)
from mystery_shopper.suites.recbench.titles.tables import Hits, Rows, Tables, Titled, bare_key

_PLACING = frozenset("of in on at to for from with by into over upon".split())
_ALIKE = {"over": "on", "upon": "on", "into": "in"}
_UNDATED = 3
"""Without a year, a guess that rests on a part of a title needs so many words of it."""


def by_keys(table: Rows, titled: Titled, dated: bool) -> Hits:
    """The rows that share a key. Without a year two loose ends do not meet: an alternative title
    said in brackets is not looked for among alternative titles."""
    hits: Hits = {}
    for key, tier in titled.keys.items():
        for row, known in table.get(key, {}).items():
            if dated or tier + known <= _UNDATED:
                hits[row] = min(tier + known, hits.get(row, 9))
    return hits


def by_loose(tables: Tables, titled: Titled, dated: bool) -> Hits:
    """The rows whose title is the same but for spaces, spelt-out numbers and "part"."""
    keys: dict[str, int] = {}
    for key, tier in titled.keys.items():
        keys.setdefault(loose_key(key), tier)
        keys.setdefault(loose_key(key, first_part=True), tier)
        keys.setdefault(key.replace(" ", ""), tier)
    if not dated:
        said = {words for key in titled.keys for words in word_forms(key, titled.text)}
        keys = {
            key: tier
            for key, tier in keys.items()
            # "1984" is "Nineteen Eighty-Four".
            if key.isdigit() or _same_words(said, tables.forms.get(key))
        }
    return by_keys(tables.loose, Titled(titled.text, keys), dated)


def _same_words(said: Set[tuple[str, ...]], meant: Set[tuple[str, ...]] | None) -> bool:
    """Whether a title without a year has the words of another; where they are cut otherwise
    ("Deadpool", "The Dead Pool"), whether one that tells something is the same in both."""
    if meant is None or not said.isdisjoint(meant):
        return meant is not None
    ours, theirs = ({word for words in forms for word in words} for forms in (said, meant))
    return any(word not in FUNCTION_WORDS for word in ours & theirs)


def by_parts(tables: Tables, titled: Titled, year: int | None) -> Hits:
    """The rows whose title has a subtitle that was left out, or lacks one that was said."""
    main = bare_key(titled.main)
    return (
        _of_head(tables, main, year)
        or _of_tail(tables, main, year)
        or _of_said_parts(tables, titled, year)
    )


def _of_head(tables: Tables, main: str, year: int | None) -> Hits:
    """What was said is a title without its subtitle."""
    hits = tables.heads.get(main, {})
    if year is not None:
        return _same_year(tables, hits, year)
    if len(hits) == 1:
        told = main in tables.or_heads or (" " in main and main in tables.telling_heads)
        enough = told or numbers_in(main)
        return dict(hits) if enough and tables.series(main) == 1 else {}
    return dict(hits)


def _of_tail(tables: Tables, main: str, year: int | None) -> Hits:
    """What was said is the subtitle of a title."""
    hits = tables.tails.get(main, {})
    words = content_words(main)
    if only_counts(main):
        return {}
    if year is not None:
        return _same_year(tables, hits, year) if words else {}
    if len(hits) != 1 or len(words) < 2:
        return {}
    return dict(hits) if len(words) > 2 or tables.series(tables.head_of[main]) > 2 else {}


def _of_said_parts(tables: Tables, titled: Titled, year: int | None) -> Hits:
    """A subtitle was said that the title does not have, or not so."""
    parts = segments(titled.text)
    if len(parts) < 2:
        return {}
    keys = [title_key(part) for part in parts]
    first, last = bare_key(keys[0]), bare_key(keys[-1])
    if hits := tables.ends.get(f"{first}|{last}"):
        return _same_year(tables, hits, year) if year is not None else dict(hits)
    for cut in range(len(keys) - 1, 0, -1):
        head, tail = bare_key(" ".join(keys[:cut])), " ".join(keys[cut:])
        short = bare_key(tail)
        loose = tail in DESCRIBING or has_or(titled.text)
        found = _agreeing(tables, tables.bare.get(head, {}), year, loose)
        if found:
            # "The Godfather: Part II" is not "The Godfather", whatever the year.
            later = only_counts(tail) and numbers_in(tail) not in ((), ("1",))
            return {} if later else found
        if only_counts(short):
            continue
        words = content_words(short)
        long = len(words) >= _UNDATED and not numbers_in(short)
        kin = long and tables.head_of.get(short, "").split()[:1] == first.split()[:1]
        # "Best of the Best 3: No Turning Back" is a part of a series, no film of its subtitle.
        part = keys[cut - 1].rpartition(" ")[2].isdigit()
        for table, enough in ((tables.bare, long and not part), (tables.tails, kin)):
            found = _agreeing(tables, table.get(short, {}), year, enough)
            if found and len(words) >= 2:
                return found
    return {}


def _agreeing(tables: Tables, hits: Hits, year: int | None, undated: bool) -> Hits:
    """The rows of the year; where none was said, all, if `undated` says that is enough."""
    if year is not None:
        return _same_year(tables, hits, year)
    return dict(hits) if undated and len(hits) == 1 else {}


def _same_year(tables: Tables, hits: Hits, year: int) -> Hits:
    return {row: tier for row, tier in hits.items() if tables.years[row] == year}


def by_content(tables: Tables, titled: Titled, year: int | None) -> Hits:
    """The rows whose title has the same words but for such as "of" and "the"."""
    words = content_words(titled.main)
    hits = tables.content.get(" ".join(words), {})
    if year is not None and (found := _same_year(tables, hits, year)):
        return found
    telling = len(words) >= _UNDATED or any(map(tables.slips.rare, words))
    small, many = _small_words(titled.main), len(words) >= _UNDATED
    known = {row: _small_words(tables.mains[row]) for row in hits if telling}
    return {
        row: hits[row]
        for row, theirs in known.items()
        if small == theirs or (many and (small < theirs or theirs < small))
    }


def _small_words(key: str) -> frozenset[str]:
    """The prepositions of a key: "King of New York" is not "A King in New York"."""
    return frozenset(_ALIKE.get(word, word) for word in key.split() if word in _PLACING)


def by_start(tables: Tables, titled: Titled, year: int | None) -> Hits:
    """The rows of the same year whose title goes on where the one said ends, or the other way
    round ("E.T. (1982)"), or has a name of its series before it."""
    main = bare_key(titled.main)
    if year is None or main in _PLACING or main in LEADING:
        return {}
    words = main.split()
    hits = dict(tables.suffixes.get(main, {}))
    for row in tables.begun_by(main):
        rest = tables.mains[row].removeprefix(f"{main} ").split()
        if rest[0] in LEADING or (len(words) >= _UNDATED and not rest[0].isdigit()):
            hits[row] = 0
    for cut in range(1, len(words)):
        head, tail = words[:cut], words[cut:]
        if cut >= _UNDATED and not tail[0].isdigit():
            hits |= tables.bare.get(" ".join(head), {})
        if len(content_words(" ".join(tail))) >= _UNDATED:
            hits |= tables.bare.get(" ".join(tail), {})
    hits = _same_year(tables, hits, year)
    return hits if len(hits) == 1 else {}


def by_slip(tables: Tables, titled: Titled, year: int | None) -> Hits:
    """The rows of which a title is likely a slip, of the same year before others."""
    hits: Hits = {}
    for key, tier in titled.keys.items():
        if tier == 2 or key in FUNCTION_WORDS:
            continue
        for slip in tables.slips.find(key):
            for row in tables.bare.get(slip.key, {}):
                same = year is not None and tables.years[row] == year
                if tables.slips.likely(key, slip, same):
                    rank = 2 * slip.distance + (not same)
                    hits[row] = min(rank, hits.get(row, rank))
    return hits


__all__ = ["by_content", "by_keys", "by_loose", "by_parts", "by_slip", "by_start"]
