"""Answers in JSON: alone, in a fenced block, with text around it, or cut off in the middle."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping, Sequence
from typing import cast

from mystery_shopper.suites.recbench.answers.model import (
    LONGEST_TITLE,
    MOST_CONCERN,
    MOST_CONCERNS,
    MOST_TITLES,
    Named,
)
from mystery_shopper.suites.recbench.answers.titles import named

_LISTS = ("recommendations", "recommended", "recommendation", "items", "movies", "films", "books")
_MORE_LISTS = ("titles", "results", "answer", "answers", "suggestions", "list")
_TITLES = ("title", "name", "movie", "film", "book", "movie_title", "book_title", "item")
_IDS = ("id", "item_id", "movie_id", "book_id", "movieId", "itemId", "asin")
_CONCERNS = ("concerns", "concern", "notes", "note", "corrections", "caveats", "warnings")
_YEARS = ("year", "release_year", "released", "date")
_WHOLE = re.compile(
    r'"(?:title|name)"\s*:\s*"((?:[^"\\]|\\.){1,300})"(?:\s*,\s*"year"\s*:\s*"?(\d{4}))?'
)
_CUT = re.compile(r'"(?:recommendations|movies|books|items|titles)"\s*:\s*\[', re.I)
_LITERAL = re.compile(r"\{\s*'\w+'\s*:\s*\[[^()]*\]\s*\}", re.S)
_LONGEST_LITERAL = 20_000
_STARTS = 40
_DEEPEST = 6

Read = tuple[list[Named], list[str]]


def read_json(text: str) -> Read | None:
    """(titles, concerns) of the JSON in a text; None where it holds no answer in JSON."""
    decoder = json.JSONDecoder()
    starts = [match.start() for match in re.finditer(r"[{\[]", text)]
    end = -1
    best: Read | None = None
    for start in starts[:_STARTS]:
        if start < end:
            continue
        try:
            value, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        found = of_value(value)
        if found is not None and (best is None or (not best[0] and found[0])):
            best = found
            if best[0]:
                break
    if best is None and (literal := _LITERAL.search(text[:_LONGEST_LITERAL])):
        best = of_value(_literal(literal[0]))
    cut = _CUT.search(text)
    if cut and (best is None or len(best[0]) == 1):
        whole = _salvaged(text[cut.end() :])
        if whole is not None and (best is None or len(whole[0]) > 1):
            return whole[0], best[1] if best is not None else []
    return best


def _literal(text: str) -> object:
    """The value of a dictionary as Python writes it, with single quotes; None where it is none."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None


def _salvaged(text: str) -> Read | None:
    """The entries of a list that breaks off or is not quite JSON."""
    items = [
        item
        for match in _WHOLE.finditer(text)
        if (item := _entry({"title": _unescaped(match[1]), "year": match[2]}))
    ]
    if not items:
        strings = re.findall(r'"((?:[^"\\]|\\.){1,300})"\s*[,\]]', text.split("]")[0] + "]")
        items = [item for found in strings if (item := _entry(_unescaped(found)))]
    return (items[:MOST_TITLES], []) if items else None


def _unescaped(text: str) -> str:
    try:
        return str(json.loads(f'"{text}"'))
    except ValueError:
        return text


def of_value(value: object, depth: int = 0) -> Read | None:
    """(titles, concerns) of a decoded answer; None where it is none."""
    if depth > _DEEPEST:
        return None
    if isinstance(value, list):
        return _of_list(cast("list[object]", value))
    if not isinstance(value, Mapping):
        return None
    fields = cast("Mapping[str, object]", value)
    low = {str(key).lower(): found for key, found in fields.items()}
    concerns = _concerns(next((low[name] for name in _CONCERNS if low.get(name)), None))
    for name in (*_LISTS, *_MORE_LISTS):
        if name not in low:
            continue
        inner = low[name]
        if inner is None or (
            isinstance(inner, str) and inner.strip().lower() in ("", "none", "n/a")
        ):
            return [], concerns
        if isinstance(inner, str):
            item = _entry(inner)
            return ([item] if item else []), concerns
        if isinstance(inner, Mapping) and (item := _entry(cast("object", inner))):
            return [item], concerns
        found = of_value(inner, depth + 1)
        if found is not None:
            return found[0], concerns or found[1]
    if (item := _entry(fields)) is not None:
        return [item], concerns
    if any(name in low for name in _CONCERNS):
        return [], concerns
    inside = [found for inner in low.values() if (found := of_value(inner, depth + 1))]
    return inside[0] if len(inside) == 1 else None


def _of_list(values: Sequence[object]) -> Read | None:
    if not values:
        return [], []
    items = [item for value in values[:MOST_TITLES] if (item := _entry(value))]
    return (items, []) if items else None


def _entry(value: object) -> Named | None:
    """One recommended item: a title, or an object with one or with an id."""
    if isinstance(value, str):
        return named(value) if len(value) <= 2 * LONGEST_TITLE else None
    if not isinstance(value, Mapping):
        return None
    fields = cast("Mapping[object, object]", value)
    low = {str(key).lower(): found for key, found in fields.items()}
    title = next((t for name in _TITLES if isinstance(t := low.get(name), str) and t.strip()), "")
    code = next((c for name in _IDS if isinstance(c := low.get(name.lower()), str | int)), None)
    ident = str(code)[:LONGEST_TITLE] if code is not None and code is not True else None
    year = next((y for name in _YEARS if (y := _year(low.get(name))) is not None), None)
    if not title:
        return Named("", year, ident) if ident else None
    return Named(title.strip()[:LONGEST_TITLE], year, ident)


def _year(value: object) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return int(value) if 1000 <= value <= 2999 else None
    found = re.search(r"\b(\d{4})\b", value[:40]) if isinstance(value, str) else None
    return int(found[1]) if found else None


def _concerns(value: object) -> list[str]:
    values: Sequence[object] = cast("list[object]", value) if isinstance(value, list) else [value]
    texts: list[str] = []
    for one in values[:MOST_CONCERNS]:
        if isinstance(one, Mapping):
            parts = cast("Mapping[object, object]", one).values()
            one = ". ".join(part for part in parts if isinstance(part, str))
        if isinstance(one, str) and one.strip() and one.strip().lower() not in ("none", "n/a"):
            texts.append(one.strip()[:MOST_CONCERN])
    return texts
