"""JSON from people's files: read strictly, and every fault of a file told with its place.

A file is decoded field by field, so that one wrong type hides no other fault.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any, get_args, get_origin

import msgspec


def parse_json(raw: bytes, problems: list[str]) -> object:
    """The value of a JSON text in UTF-8. Keys that occur twice in one object are added to
    `problems`. Raises ValueError that says why it is no JSON."""

    def unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
        made = dict(pairs)
        if len(made) < len(pairs):
            problems.extend(
                f"key {key!r} occurs {n} times in one object"
                for key, n in Counter(key for key, _ in pairs).items()
                if n > 1
            )
        return made

    def refuse(word: str) -> object:
        raise ValueError(f"{word} is not JSON")

    try:
        return json.loads(raw.decode("utf-8"), object_pairs_hook=unique, parse_constant=refuse)
    except UnicodeDecodeError as error:
        raise ValueError(f"byte {error.start} is not UTF-8") from None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise ValueError(f"{place}: not JSON ({error.msg})") from None
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except ValueError as error:
        raise ValueError(f"not JSON ({error})") from None


def decode_fields(
    value: object, kind: type[msgspec.Struct], problems: list[str], place: str, skip: str = ""
) -> dict[str, Any]:
    """The fields of a struct that can be decoded; what is wrong is added to `problems`."""
    if not isinstance(value, dict):
        decode_leaf(value, dict[str, Any], problems, place)
        return {}
    entries: dict[str, object] = value
    start = f"{place}." if place else ""
    fields = {field.name: field for field in msgspec.structs.fields(kind)}
    problems.extend(f"{start}{key}: unknown key" for key in entries if key not in fields)
    decoded: dict[str, Any] = {}
    for name, field in fields.items():
        if name not in entries:
            if field.required:
                problems.append(f"{start}{name}: is missing")
        elif name != skip:
            before = len(problems)
            _look(entries[name], field.type, problems, start + name)
            if len(problems) == before:
                decoded[name] = msgspec.convert(entries[name], field.type, str_keys=True)
    return decoded


def decode_leaf(value: object, kind: Any, problems: list[str], place: str) -> None:
    """Add to `problems` why the value as a whole does not fit the type `kind`, if it does not."""
    try:
        msgspec.convert(value, kind, str_keys=True)
        msgspec.json.encode(value)
    except msgspec.ValidationError as error:
        problems.append(f"{place}: {str(error).partition(' - at ')[0]}")
    except (UnicodeEncodeError, OverflowError) as error:
        problems.append(f"{place}: cannot be written as JSON ({error})")


def at_most(problems: Iterable[str], most: int) -> list[str]:
    """The first `most` problems, and how many more there are."""
    found = list(problems)
    left = len(found) - most
    return [*found[:most], f"and {left} more"] if left > 0 else found


def _look(value: object, kind: Any, problems: list[str], place: str) -> None:
    """Add to `problems` every place under `value` that does not fit the type `kind`."""
    origin, parts = get_origin(kind), get_args(kind)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        decode_fields(value, kind, problems, place)
    elif origin is tuple and isinstance(value, list):
        items: list[object] = value
        for index, item in enumerate(items):
            _look(item, parts[0], problems, f"{place}[{index}]")
    elif origin is dict and isinstance(value, dict):
        entries: dict[str, object] = value
        for key, item in entries.items():
            decode_leaf({key: None}, dict[parts[0], None], problems, f"{place}.{key}")
            _look(item, parts[1], problems, f"{place}.{key}")
    else:
        decode_leaf(value, kind, problems, place)
