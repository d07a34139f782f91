"""Answers in JSON: alone, in a fenced block, with text around it, or cut off in the middle."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import cast

from mystery_shopper.suites.recbench.answers.lists import read_list
from mystery_shopper.suites.recbench.answers.model import (
    LONGEST_TITLE,
    MOST_CONCERN,
    MOST_CONCERNS,
    MOST_TITLES,
    Named,
)
from mystery_shopper.suites.recbench.answers.prose import bare_lines, in_sentences
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
_WRAPPED = ("recommendations", "recommended", "recommendation")
_KEY = re.compile(r"([A-Za-z]\w*)[\"'*_]*\s*[:=]\s*\Z")
_PLACE = re.compile(r"\D{0,12}\d{1,3}")
_STARTS = 200
_DEEPEST = 6

Read = tuple[list[Named], list[str]]


class _Rank(IntEnum):
    """How sure it is that some JSON in a text is the answer: an item by itself, a list by itself,
    or what says that it is one."""

    ITEM = 0
    LIST = 1
    ANSWER = 2


def read_json(text: str) -> Read | None:
    """(titles, concerns) of the JSON in a text; None where it holds no answer in JSON. Of several
    answers one that the text begins with counts, else the last that recommends something; items
    one by one are one list."""
    found = _decoded(text)
    if not found and "“" in text:
        found = _decoded(text.replace("“", '"').replace("”", '"'))
    best: Read | None = None
    rank = max((rank for rank, _ in found), default=_Rank.ITEM)
    reads = [read for one, read in found if one is rank]
    if rank is _Rank.ITEM and reads:
        best = [item for items, _ in reads for item in items], reads[-1][1]
    elif reads and rank is _Rank.ANSWER and (leading := _leading(text)) is not None:
        best = leading
    elif reads:
        best = next((read for read in reversed(reads) if read[0]), reads[-1])
    if best is None and (literal := _LITERAL.search(text[:_LONGEST_LITERAL])):
        best = of_value(_literal(literal[0]))
    cut = _CUT.search(text) if rank is not _Rank.ANSWER else None
    whole = _salvaged(text[cut.end() :]) if cut else None
    if whole is not None and (best is None or len(whole[0]) > len(best[0])):
        best = whole[0], best[1] if best is not None else []
    return best


def _leading(text: str) -> Read | None:
    """The answer in JSON that a text begins with; what follows is words."""
    try:
        value, _ = json.JSONDecoder().raw_decode(text.lstrip())
    except (ValueError, RecursionError):
        return None
    return of_value(value) if isinstance(value, dict) and _rank(value) is _Rank.ANSWER else None


def _decoded(text: str) -> list[tuple[_Rank, Read]]:
    """What each piece of JSON in a text says, by how sure it is that it is the answer."""
    decoder = json.JSONDecoder()
    end = -1
    found: list[tuple[_Rank, Read]] = []
    starts = [match.start() for match in re.finditer(r"[{\[]", text)]
    for start in starts[:_STARTS]:
        if start < end:
            continue
        try:
            value, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        key = _KEY.search(text[max(0, start - 40) : start])
        name = key[1].lower() if key else ""
        if isinstance(value, list) and name and name not in (*_LISTS, *_MORE_LISTS):
            continue  # Of an answer that breaks off: its genres, its concerns.
        if value == [] and not name and text.strip() != text[start:end]:
            continue
        read = of_value(value)
        if read is not None:
            found.append((_rank(value), read))
    return found


def _rank(value: object) -> _Rank:
    if isinstance(value, list):
        return _Rank.LIST
    low = {str(key).lower() for key in cast("Mapping[object, object]", value)}
    if low.isdisjoint((*_LISTS, *_MORE_LISTS, *_CONCERNS)) and not low.isdisjoint(_TITLES):
        inner = cast("Mapping[object, object]", value).values()
        return _Rank.ANSWER if any(map(_wraps, inner)) else _Rank.ITEM
    return _Rank.ANSWER


def _wraps(value: object) -> bool:
    """Whether a value is an answer inside of another object, as of a call of a tool."""
    if not isinstance(value, Mapping):
        return False
    keys = {str(key).lower() for key in cast("Mapping[object, object]", value)}
    return not keys.isdisjoint(_WRAPPED)


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
            return _worded(inner), concerns
        if isinstance(inner, Mapping):
            if (items := _of_mapping(cast("Mapping[object, object]", inner))) is not None:
                return items, concerns
        elif isinstance(inner, list) and (items := _items(cast("list[object]", inner))):
            return items, concerns
        found = of_value(inner, depth + 1)
        if found is not None:
            return found[0], concerns or found[1]
    wrapped = [inner for inner in low.values() if _wraps(inner)]
    if len(wrapped) == 1 and (found := of_value(wrapped[0], depth + 1)) is not None:
        return found
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


def _items(values: Sequence[object]) -> list[Named]:
    """The items of a list that is said to be one of them: a number is a title too ("1917")."""
    told = (str(value) if _is_number(value) else value for value in values[:MOST_TITLES])
    return [item for value in told if (item := _entry(value))]


def _of_mapping(fields: Mapping[object, object]) -> list[Named] | None:
    """The items of an object that stands for a list: one item, or items by their places or by
    groups; None where it is neither."""
    if item := _entry(fields):
        return [item]
    values = list(fields.values())
    if any(str(name).lower() in (*_LISTS, *_MORE_LISTS) for name in fields):
        return None
    if values and all(isinstance(value, list) for value in values):
        return [item for value in values for item in _items(cast("list[object]", value))]
    if all(isinstance(value, Mapping) for value in values) or all(
        _PLACE.fullmatch(str(name)) for name in fields
    ):
        return _items(values) or None
    return None


def _worded(text: str) -> list[Named]:
    """The items of a text that stands where a list should."""
    lines = text.splitlines()
    return read_list(lines).items or bare_lines(lines) or in_sentences(text)


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _entry(value: object) -> Named | None:
    """One recommended item: a title, or an object with one or with an id."""
    if isinstance(value, str):
        return named(value) if len(value) <= 2 * LONGEST_TITLE else None
    if not isinstance(value, Mapping):
        return None
    fields = cast("Mapping[object, object]", value)
    low = {str(key).lower(): found for key, found in fields.items()}
    told = (str(t) if _is_number(t := low.get(name)) else t for name in _TITLES)
    title = next((t for t in told if isinstance(t, str) and t.strip()), "")
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
