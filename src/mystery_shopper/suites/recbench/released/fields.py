"""Values of published records: texts, numbers, titles and ids in whichever form they stand."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

_IDS = ("id", "movieId", "movie_id", "bookId", "book_id", "item_id")


def folded(key: str) -> str:
    """A key in small letters, underscores as blanks."""
    return " ".join(key.lower().replace("_", " ").split())


def plain(value: object) -> str:
    """A text without lone surrogates, or a number as a text; "" for anything else."""
    if isinstance(value, str):
        text = value.strip()
        if text.isascii():
            return text
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, float) and math.isfinite(value) and value.is_integer():
        return str(int(value))
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else ""


def title_and_id(value: object) -> tuple[str, str] | None:
    """(title, id) of one item that answers, either may be ""; None where it is neither."""
    if isinstance(value, str):
        return (title, "") if (title := plain(value)) else None
    if isinstance(value, Mapping):
        said = cast("Mapping[str, object]", value)
        pair = (first(said, ("title", "name", "movie", "book")), first(said, _IDS))
        return pair if any(pair) else None
    ident = plain(value)
    return ("", ident) if ident else None


def first(said: Mapping[str, object], keys: Sequence[str]) -> str:
    """What the first of these keys holds that holds a text or a number; "" where none does."""
    return next((text for key in keys if (text := plain(said.get(key)))), "")


def spelled(pairs: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """The pairs of an object of relations, a pair for each of several values."""
    for key, value in pairs.items():
        values = cast("list[object]", value) if isinstance(value, list) else [value]
        yield from ((key, one) for one in values)
