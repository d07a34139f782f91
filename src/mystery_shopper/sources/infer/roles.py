"""Which columns carry the roles of a domain: id, title, popularity, recency, formats."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import numpy as np

from mystery_shopper.catalog import Kind, id_problem
from mystery_shopper.sources.infer.foreign import (
    SOLD,
    STOCK,
    is_price,
    is_second_price,
    speaks_of,
)
from mystery_shopper.sources.infer.guess import HAD, Guess
from mystery_shopper.sources.infer.names import has, words_of
from mystery_shopper.sources.infer.sample import ColumnSample, Sample
from mystery_shopper.sources.infer.shapes import share, waste

_IDS = ("id", "sku", "asin", "isbn13", "isbn", "ean", "gtin", "upc", "uuid", "guid", "mpn", "key",
        "code", "number", "nr", "no", "slug", "artikelnummer", "artikelnr", "artnr",
        "bestellnummer", "produktnummer", "référence", "referenz", "referencia")  # fmt: skip
_COUNTERS = ("rank", "index", "row", "position", "unnamed", "line")
_TITLES = ("title", "name", "product", "headline", "label")
_SOLD = ("sold", "sales", "popularity", "purchases", "orders", "ratings", "rating", "votes", "vote",
         "reviews", "review", "checkouts", "holdings", "views", "downloads", "plays", "clicks",
         "likes", "popular", "members", "users", "count", *SOLD)  # fmt: skip
_MEANS = ("average", "avg", "mean", "score", "stars")
_OF_THINGS_COUNTED = ("count", "counts", "num", "number", "n", "total", "ratings", "votes",
                      "reviews")  # fmt: skip
_RECENT = ("released", "release", "published", "publication", "pub", "issued", "launch", "launched",
           "year", "date", "added", "created", "vintage", "jahr")  # fmt: skip
_OF_PEOPLE = ("birth", "death", "born", "died")
_UNSPOKEN = (
    *SOLD, *STOCK, "count", "counts", "num", "rank", "votes", "vote", "sold", "sales", "holdings",
    "eholdings", "editions", "views", "downloads", "revenue", "budget", "index", "position",
    "checkouts", "popularity", "orders", "purchases", "clicks", "likes", "quantity", "qty",
    *_OF_PEOPLE,
)  # fmt: skip


@dataclass(frozen=True)
class Choice:
    """A column chosen for a role, and why; or none and what the owner should answer."""

    column: str | None
    why: str = ""
    question: str = ""


def choose_id(sample: Sample, noun: str) -> Choice:
    """The column of ids: unique, never empty, named like one. A count of the rows is none."""
    fit: list[tuple[float, int, ColumnSample]] = []
    nearly: list[tuple[float, int, ColumnSample]] = []
    for place, column in enumerate(sample.columns):
        score = _id_score(column, noun)
        if not score or not column.texts or column.is_list:
            continue
        spread = len(column.counts) / max(1, sample.rows)
        if spread == 1 and not any(map(id_problem, column.texts)):
            fit.append((-score, place, column))
        elif spread > 0.9 and score > 1:
            nearly.append((-spread, place, column))
    if fit:
        return _chosen_id(sorted(fit, key=lambda one: one[:2]), sample)
    if nearly:
        best = min(nearly, key=lambda one: one[:2])[2]
        wrong = sample.rows - len(best.counts)
        return Choice(
            best.name,
            f"nearly unique {sample.where}",
            f"No column is a unique id. {best.name!r} comes nearest: {wrong:,} rows repeat one or "
            "have none, and `--on-error skip` would leave them out. Which column is the id?",
        )
    return Choice(
        None,
        "",
        f"No column is unique and never empty {sample.where}. Row numbers are no ids, for they "
        "change with every export: add a column of ids to the file and name it in `id`.",
    )


def _chosen_id(fit: Sequence[tuple[float, int, ColumnSample]], sample: Sample) -> Choice:
    best, others = fit[0][2], [column.name for _, _, column in fit[1:] if fit]
    why = f"unique and never empty {sample.where}"
    if others:
        verb = "is" if len(others) == 1 else "are"
        shown = ", ".join(others[:4]) + (", …" if len(others) > 4 else "")
        why += f"; so {verb} {shown}, but its name fits best"
    question = ""
    if _counts_rows(best):
        question = (
            f"The id {best.name!r} counts the rows from 1 up: does it stay with its item in the "
            "next export?"
        )
    elif -fit[0][0] <= 1:
        question = f"No column is named like an id; {best.name!r} is unique: is it the id?"
    return Choice(best.name, why, question)


def _id_score(column: ColumnSample, noun: str) -> float:
    """0: cannot be; up to 1: unique texts that may serve; more: named like an id."""
    words = words_of(column.name)
    if column.texts and (waste(column.texts) or "").startswith(("HTML", "objects")):
        return 0
    if column.texts and max(map(len, column.counts)) > 200:
        return 0
    if _counts_rows(column) and (not words or has(words, *_COUNTERS) or words[0].isdecimal()):
        return 0
    if has(words[-1:], *_IDS):
        place = next(i for i, name in enumerate(_IDS) if has(words[-1:], name))
        plain = len(words) == 1 or (len(words) == 2 and words[0] in (noun, "item", "product"))
        return 10 + (20 if plain else 0) - place / 10
    if share(column.texts, _is_figure) > 0.5:
        return 0
    return 1 if has(words, *_TITLES) else 0.5


def _is_figure(text: str) -> bool:
    return text.replace(".", "").replace(",", "").replace("-", "").isdecimal()


def _counts_rows(column: ColumnSample) -> bool:
    first = column.texts[:1]
    if first not in (("0",), ("1",)) or len(column.texts) < 2:
        return False
    start = int(first[0])
    return all(text == str(start + place) for place, text in enumerate(column.texts[:1000]))


def choose_title(guesses: Sequence[Guess], id_column: str | None) -> Choice:
    """The column that names the items: named like one, else mostly different short texts."""

    def score(guess: Guess) -> float:
        column, words = guess.column, words_of(guess.name)
        if column.is_list or not column.texts or guess.kind not in _MAY_NAME:
            return -1
        spread = len(column.counts) / len(column.texts)
        named = next((9 - i for i, t in enumerate(_TITLES) if has(words[-1:], t)), 0)
        length = sum(map(len, column.counts)) / len(column.counts)
        fits = spread > (0.3 if named else 0.5) and length <= 150
        return (named - 0.2 * (len(words) - 1) + spread) if fits else -1

    best = max(guesses, key=score, default=None)
    if best is None or score(best) < 0:
        asked = "No column names the items; their ids stand in for titles. Is there a better one?"
        return Choice(id_column, "no column of names was found", asked)
    return Choice(best.name, f"{len(best.column.counts):,} different texts")


_MAY_NAME = (Kind.TEXT, Kind.CATEGORY)


def choose_popularity(guesses: Sequence[Guess]) -> Choice:
    """The ordered column by which more means more popular. A rank is the other way round."""
    ranks = [g.name for g in guesses if _ordered(g) and has(words_of(g.name), "rank", "position")]
    warned = f" {ranks[0]!r} is a rank (1 is best), which a domain cannot say." if ranks else ""

    def score(guess: Guess) -> float:
        words = words_of(guess.name)
        if not _ordered(guess) or guess.name in ranks or guess.year or min(guess.numbers) < 0:
            return -1
        place = next((i for i, name in enumerate(_SOLD) if has(words, name)), None)
        if place is None or has(words, *_MEANS) or _digits(words):
            return -1
        counted = has(words, *_OF_THINGS_COUNTED, "sold", "sales", "popularity", *SOLD)
        if not counted and not _heavy(guess):
            return -1
        return 30 - place - 0.1 * len(words) + (5 if _heavy(guess) else 0)

    best = max(guesses, key=score, default=None)
    if best is not None and score(best) >= 0:
        tail = ", with a long tail" if _heavy(best) else ""
        why = f"named like a count of what people choose{tail}.{warned}".rstrip(".")
        return Choice(best.name, why)
    return Choice(
        None,
        "",
        f"No column tells how popular an item is; results then stand in the order of ids.{warned} "
        f"{_candidates(guesses, ranks)}, where more means more popular?",
    )


def _candidates(guesses: Sequence[Guess], ranks: Collection[str]) -> str:
    """Counts with a long tail, whatever their names."""
    found = [
        guess.name
        for guess in guesses
        if _ordered(guess)
        and guess.kind is Kind.INTEGER
        and not (guess.name in ranks or guess.year or guess.why.startswith("years"))
        and not (_had(words_of(guess.name)) or is_price(guess.name))
        and min(guess.numbers) >= 0
        and _heavy(guess)
    ]
    if not found:
        return "Is there one (sold, views, ratings)"
    shown = " or ".join(map(repr, found[:3]))
    return f"Is it {shown}, whose numbers have a long tail"


def _ordered(guess: Guess) -> bool:
    return guess.kind is not None and guess.kind.is_ordered and bool(guess.numbers)


def _digits(words: Sequence[str]) -> bool:
    """Whether the name ends in a number, as `ratings_5`: one part of a count."""
    return bool(words) and words[-1][-1:].isdecimal()


def _heavy(guess: Guess) -> bool:
    """Whether a few items have most of it: the mean is well above the median."""
    numbers = np.array(guess.numbers)
    return float(numbers.mean()) > 1.5 * max(float(np.median(numbers)), 1e-9)


def choose_recency(guesses: Sequence[Guess]) -> Choice:
    """The year or date by which a greater value means newer."""

    def score(guess: Guess) -> float:
        words = words_of(guess.name)
        if not _ordered(guess) or has(words, *_OF_PEOPLE):
            return -1
        if not guess.year and not guess.why.startswith("years"):
            return -1
        place = next((i for i, name in enumerate(_RECENT) if has(words, name)), None)
        return 0 if place is None else len(_RECENT) - place

    best = max(guesses, key=score, default=None)
    if best is None or score(best) < 0:
        return Choice(None)
    return Choice(best.name, "a year: the greater, the newer")


def choose_formats(guesses: Sequence[Guess]) -> Choice:
    """The column that says how an item can be had, or whether there is any in stock."""

    def score(guess: Guess) -> float:
        words = words_of(guess.name)
        if guess.kind is None or not guess.kind.carries_requirements or not _had(words):
            return -1
        if guess.kind.is_label:
            return 3 if 2 <= len(guess.labels) <= 30 else -1
        return 2 if guess.kind is Kind.FLAG else 1

    best = max(guesses, key=score, default=None)
    if best is None or score(best) < 0:
        return Choice(None)
    return Choice(best.name, "its name speaks of stock or of ways to have an item")


def _had(words: Sequence[str]) -> bool:
    return has(words, *HAD) or speaks_of(words, *STOCK)


def second_prices(guesses: Sequence[Guess]) -> dict[str, str]:
    """Column -> why it carries no requirement, of the prices beside the first: the one that
    customers pay, by its name, else by its place."""
    prices = [guess.name for guess in guesses if _ordered(guess) and is_price(guess.name)]
    first = next((name for name in prices if not is_second_price(name)), None)
    first = first or next(iter(prices), None)
    why = f"it is a second price beside {first}"
    return {name: why for name in prices if name != first and is_second_price(name)}


def usable(guess: Guess, items: int) -> str:
    """Why a customer could not require anything of the field; empty where one could."""
    if guess.kind is None or not guess.kind.carries_requirements:
        return "a field of this kind carries no requirements"
    if guess.kind is Kind.FLAG:
        return "" if min(guess.shares) >= 0.02 else "one of its values is on less than 2 % of items"
    if guess.kind.is_ordered:
        if len(set(guess.numbers)) < 10:
            return "it has fewer than 10 different values"
        words = words_of(guess.name)
        unspoken = (has(words, *_UNSPOKEN) or _digits(words)) and not (
            has(words, *_MEANS) and not has(words, "rank")
        )
        return "a customer hardly speaks of it" if unspoken else ""
    least = min(20, max(2, -(-items // 100)))
    many = sum(count >= least for count in guess.labels.values())
    return "" if many >= 2 else f"fewer than two of its labels are on {least} items or more"


def main_several(guesses: Sequence[Guess], fields: Collection[str]) -> str | None:
    """The field of which one request may name two values: the first with several on many items."""
    fit: Callable[[Guess], bool] = lambda g: (  # noqa: E731
        g.name in fields and g.kind is Kind.CATEGORIES and g.several >= 0.2 and not g.parents
    )
    return next((guess.name for guess in guesses if fit(guess)), None)
