"""One column -> what kind of field it is, how its cells are read, and why."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from mystery_shopper.catalog import Kind, fold
from mystery_shopper.sources.building.nothings import says_gone
from mystery_shopper.sources.building.numbers import (
    MOST_WHOLE,
    without_words,
)
from mystery_shopper.sources.infer.foreign import DATES, STOCK, YEARS, speaks_of
from mystery_shopper.sources.infer.marks import Decimal, are_years, reading_of, short_years
from mystery_shopper.sources.infer.names import has, singular, words_of
from mystery_shopper.sources.infer.sample import ColumnSample, brief
from mystery_shopper.sources.infer.shapes import (
    MEASURE,
    currency_of,
    is_point,
    number_in,
    share,
    waste,
    year_in,
)
from mystery_shopper.sources.infer.splits import split_of

_FLAGS = (
    ("yes", "no"), ("true", "false"), ("y", "n"), ("t", "f"), ("1", "0"), ("on", "off"),
    ("ja", "nein"), ("oui", "non"), ("si", "no"), ("sí", "no"), ("x", "-"), ("wahr", "falsch"),
)  # fmt: skip
_CODES = (
    "id", "ids", "isbn", "isbn10", "isbn13", "ean", "upc", "gtin", "asin", "sku", "zip", "postcode",
    "plz", "postal", "phone", "code", "uuid", "guid", "viaf", "oclc", "owi", "key", "barcode",
    "issn", "imdb", "tmdb", "mpn", "href", "link", "hash",
)  # fmt: skip
_REFERENCES = ("isbn", "isbn10", "isbn13", "ean", "zip", "postal", "phone", "barcode")
_PEOPLE_AND_MAKERS = (
    "author", "writer", "brand", "maker", "director", "actor", "cast", "artist", "publisher",
    "manufacturer", "vendor", "company", "studio", "designer", "label", "category", "type", "genre",
    "colour", "color", "material", "style", "collection", "department",
)  # fmt: skip
_YEARS = ("year", "yr", "years", "jahr", "année", "annee", "año", "anno", "date", "born", "birth",
          "death", "published", "released", "vintage")  # fmt: skip
HAD = ("stock", "availability", "available", "inventory", "delivery", "services", "service",
       "format", "formats", "fulfilment", "fulfillment", "shipping", "stores")  # fmt: skip
"""Words for a stock, or for ways to have an item."""
_READS = 0.98
_READS_MOSTLY = 0.9
_FEW_ODD = 5


@dataclass(frozen=True)
class Guess:
    """What a column seems to be. `kind` is None where it is left out; `why` says so in few words.

    `missing`: further texts that stand for nothing. `labels`: label -> items. `several`: the share
    of items of more than one label. `numbers`: the known values of an ordered field. `shares`: of a
    flag (true, false). `parents`: child -> parent of a column of paths. `unit`: the
    currency of prices. `doubts`: what the owner
    should look at. `question`: what they must answer before the column can be read.
    """

    column: ColumnSample
    kind: Kind | None
    why: str
    separator: str | None = None
    decimal: Decimal = "."
    year: bool = False
    unit: str = ""
    true_words: tuple[str, ...] = ()
    false_words: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    labels: Counter[str] = field(default_factory=Counter[str])
    several: float = 0.0
    numbers: tuple[float, ...] = ()
    shares: tuple[float, float] = (0.0, 0.0)
    parents: Mapping[str, str] = field(default_factory=dict[str, str])
    doubts: tuple[str, ...] = ()
    question: str = ""

    @property
    def name(self) -> str:
        """The column's name."""
        return self.column.name

    @property
    def distinct(self) -> int:
        """How many different values there are, parts of a cell counted each."""
        return len(self.labels) or len(set(self.numbers)) or len(self.column.counts)


def guess_column(column: ColumnSample) -> Guess:
    """The kind of a column by its cells, and where these leave a choice by its name."""
    unfit = _unfit(column)
    if unfit:
        return Guess(column, None, unfit)
    if column.is_list:
        return _several(column)
    for look in (_flag, _point, _half_point, _code, _ordered, _dates, _prefixed, _measured):
        found = look(column)
        if found is not None:
            return found
    return _worded(column)


def _unfit(column: ColumnSample) -> str:
    if not column.known:
        return "it is empty"
    if not column.name.strip() or not column.name.isprintable():
        return "its name cannot be written in a domain; rename it in the export"
    if column.is_list:
        return "" if column.labels else "its lists are empty"
    what = waste(column.texts)
    if what:
        return f"it holds {what}"
    if len(column.counts) == 1:
        text = f"every known cell is {brief(column.texts[0])!r}"
        if column.missing:
            text += ", the others are empty; if empty means no, export a `no` there"
        return text
    return ""


def _several(column: ColumnSample) -> Guess:
    several = sum(isinstance(c, tuple) and len(c) > 1 for c in column.known) / len(column.known)
    why = "its cells are lists"
    return Guess(column, Kind.CATEGORIES, why, labels=column.labels, several=several,
                 missing=column.missing_texts)  # fmt: skip


def _flag(column: ColumnSample) -> Guess | None:
    values = {fold(text) for text in column.counts}
    # A dash counts as missing elsewhere; here it may be the second value.
    for yes, no in _FLAGS:
        if values == {yes, no} and not (yes == "1" and has(words_of(column.name), *_COUNTED)):
            hits = sum(n for text, n in column.counts.items() if fold(text) == yes)
            true = hits / len(column.texts)
            words = {form: [t for t in column.counts if fold(t) == form] for form in (yes, no)}
            return Guess(
                column,
                Kind.FLAG,
                f"its two values are {yes!r} ({true:.0%}) and {no!r}",
                true_words=tuple(sorted(words[yes])),
                false_words=tuple(sorted(words[no])),
                missing=column.missing_texts,
                shares=(true, 1 - true),
            )
    gone = _gone(column)
    if len(values) == 2 and len({fold(text) for text in gone}) == 1:
        had = tuple(sorted(text for text in column.counts if text not in gone))
        true = sum(column.counts[text] for text in had) / len(column.texts)
        return Guess(
            column,
            Kind.FLAG,
            f"{_listed(had)} ({true:.0%}) or {_listed(gone)}: whether there is any",
            true_words=had,
            false_words=gone,
            missing=column.missing_texts,
            shares=(true, 1 - true),
        )
    return None


_COUNTED = ("count", "number", "num", "quantity", "qty", "rating", "score")


def _point(column: ColumnSample) -> Guess | None:
    if share(column.texts, is_point) < _READS:
        return None
    return Guess(column, Kind.POINT, "its cells are a latitude and a longitude")


def _half_point(column: ColumnSample) -> Guess | None:
    if not has(words_of(column.name)[-1:], "lat", "latitude", "lon", "lng", "long", "longitude"):
        return None
    if share(column.texts, lambda text: abs(number_in(text, ".") or 0) <= 180) < _READS:
        return None
    why = "it is half of a point; export latitude and longitude in one column, as `52.5, 13.4`"
    return Guess(column, None, why)


def _code(column: ColumnSample) -> Guess | None:
    """Numbers and keys that stand for something else: nobody wants `work_id` to be at least 5."""
    words = words_of(column.name)
    distinct = len(column.counts)
    often = distinct <= 0.2 * len(column.texts) and distinct <= 500
    lettered = share(column.texts, lambda text: any(map(str.isalpha, text))) > 0.5
    if has(words[-1:], *_CODES) or (has(words[:1], *_REFERENCES) and not has(words, *_COUNTED)):
        if lettered and often:
            return None
        return Guess(column, None, "its name and values are those of a code or number of reference")
    zero = share(column.texts, lambda text: len(text) > 1 and text[0] == "0" and text.isdecimal())
    digits = share(column.texts, str.isdecimal)
    if zero > 0.01 and digits > _READS:
        return Guess(column, None, "it holds digits with leading zeros, so they are codes")
    lengths = {len(text) for text in column.counts}
    if digits > _READS and len(lengths) <= 2 and min(lengths) >= 10:
        return Guess(column, None, "it holds long numbers of one length, so they are codes")
    return None


def _ordered(column: ColumnSample) -> Guess | None:
    if has(words_of(column.name), "date") and share(column.texts, _is_compact_date) >= _READS:
        return None
    best, numbers, odd, told, doubt = reading_of(column)
    part = len(numbers) / len(column.texts)
    few = len({fold(text) for text in odd}) <= _FEW_ODD and part >= 0.5
    if part < _READS_MOSTLY and not few:
        return None
    if not numbers or (few and part < _READS_MOSTLY and len(set(numbers)) < 10):
        return None
    doubts: list[str] = []
    missing = column.missing_texts
    if odd and few:
        missing = tuple(sorted({*missing, *odd}))
        doubts.append(f"{_listed(odd)} taken as missing")
    elif odd:
        doubts.append(
            f"{len(odd):,} cells are no number, such as {_listed(odd)}: `--on-error skip` leaves "
            "them out, or name them in `missing`"
        )
    doubts += [doubt] if doubt else []
    whole = all(number.is_integer() and abs(number) <= MOST_WHOLE for number in numbers)
    kind = Kind.INTEGER if whole else Kind.NUMBER
    words = words_of(column.name)
    named = has(words, *_YEARS) or speaks_of(words, *YEARS, *DATES)
    year = whole and named and are_years(numbers)
    short = short_years(column.texts) if year else []
    question = (
        f"{len(short):,} years have two digits, such as {_listed(short)}; of which century are"
        " they? They are read as years of the first: export all four digits."
        if short
        else ""
    )
    what = "years" if year else "whole numbers" if whole else "numbers"
    shown = f"{what} from {_plain(min(numbers))} to {_plain(max(numbers))}"
    return Guess(column, kind, shown + told, decimal=best, numbers=tuple(numbers), missing=missing,
                 unit=currency_of(column.texts), doubts=tuple(doubts),
                 question=question)  # fmt: skip


def _prefixed(column: ColumnSample) -> Guess | None:
    """Prices of which many have a word before them: `from 12.00`. The build refuses those."""
    rest = {text: without_words(text) for text in column.counts}
    odd = [text for text in column.texts if rest[text] is not None]
    if not odd:
        return None
    bare = ColumnSample(column.name, tuple(rest[text] or text for text in column.texts))
    found = _ordered(bare)
    if found is None:
        return None
    question = (
        f"{len(odd):,} cells have a word before the number, such as {_listed(odd)}; which number"
        " do they mean? The build refuses them: export the number alone."
    )
    return replace(found, column=column, question=question)


def _is_compact_date(text: str) -> bool:
    return len(text) == 8 and text.isdecimal() and year_in(text) is not None


def _dates(column: ColumnSample) -> Guess | None:
    years = {text: year_in(text) for text in column.counts}
    odd = [text for text in column.texts if years[text] is None]
    part = 1 - len(odd) / len(column.texts)
    if part < _READS_MOSTLY:
        return None
    numbers = [float(y) for text in column.texts if (y := years[text]) is not None]
    few = len({fold(text) for text in odd}) <= _FEW_ODD
    missing = tuple(sorted({*column.missing_texts, *(odd if few else ())}))
    doubts = () if few or not odd else (f"{len(odd):,} cells are no date: {_listed(odd)}",)
    if math.isclose(min(numbers), max(numbers)):
        return Guess(column, None, f"all its dates are of the year {numbers[0]:.0f}")
    shown = f"dates; their years are {min(numbers):.0f} to {max(numbers):.0f}"
    return Guess(column, Kind.INTEGER, shown, year=True, numbers=tuple(numbers), missing=missing,
                 doubts=doubts)  # fmt: skip


def _measured(column: ColumnSample) -> Guess | None:
    """Numbers with a unit or a percent sign, which the builder does not read as numbers."""
    if share(column.texts, lambda text: bool(MEASURE.fullmatch(text))) < _READS_MOSTLY:
        return None
    if len(column.counts) < 10:
        return None
    shown = brief(column.texts[0])
    return Guess(
        column, None, f"it holds numbers with a unit, as {shown!r}; export the numbers alone"
    )


def _worded(column: ColumnSample) -> Guess:
    """Texts: several labels, one label, or free text."""
    lengths = np.array([len(text) for text in column.texts])
    words = words_of(column.name)
    gone = _gone(column)
    people = has(words, *_PEOPLE_AND_MAKERS) and singular(words[-1]) != words[-1]
    split, remark = split_of(column.counts, plural=people)
    if split is not None:
        why = f"several values stand in a cell ({split.several:.0%}), split at {split.separator!r}"
        if split.parents:
            why = f"its cells are paths, split at {split.separator!r}"
        doubts = (split.doubt,) if split.doubt else ()
        return Guess(column, Kind.CATEGORIES, why, separator=split.separator, labels=split.labels,
                     several=split.several, parents=split.parents,
                     missing=column.missing_texts, doubts=doubts)  # fmt: skip
    known, distinct = len(column.texts), len(column.counts)
    named = has(words, *_PEOPLE_AND_MAKERS)
    most = 0.9 if named else 0.5
    few = distinct <= most * known or (distinct <= 12 and distinct < 0.8 * known)
    doubts = (remark,) if remark else ()
    if few and float(np.quantile(lengths, 0.95)) <= 80:
        why = f"{distinct:,} different texts in {known:,} known cells"
        missing = tuple(sorted({*column.missing_texts, *gone}))
        labels = Counter({text: n for text, n in column.counts.items() if text not in gone})
        if gone:
            doubts = (
                *doubts,
                f"{_listed(gone)} taken as missing: such an item can be had in no way",
            )
        return Guess(column, Kind.CATEGORY, why, labels=labels,
                     missing=missing, doubts=doubts)  # fmt: skip
    why = f"texts, {distinct:,} of {known:,} different, {lengths.mean():.0f} characters on average"
    return Guess(column, Kind.TEXT, why, missing=column.missing_texts)


def _gone(column: ColumnSample) -> tuple[str, ...]:
    """The labels of a column of stock or of ways to have an item that say that there is none."""
    words = words_of(column.name)
    if not (has(words, *HAD) or speaks_of(words, *STOCK)):
        return ()
    return tuple(sorted(text for text in column.counts if says_gone(text)))


def _plain(number: float) -> str:
    return f"{number:.0f}" if number.is_integer() else f"{number:g}"


def _listed(texts: Sequence[str]) -> str:
    return ", ".join(repr(brief(text)) for text in list(dict.fromkeys(texts))[:3])
