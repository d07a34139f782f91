"""YAML text -> a msgspec struct, or every fault of it at once, each with its line, key and cure.

The usual way is msgspec's own. Only what it refuses is walked through here, type by type: a single
text is taken as a list of one where a list of texts is wanted, and as the `column` of a struct that
has one; all else is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher
from typing import Any, NamedTuple, TypeAlias, TypeVar

import msgspec
import yaml
from msgspec import inspect

from mystery_shopper.foundation import InputError

T = TypeVar("T")
Path: TypeAlias = tuple[str | int, ...]
REMEDY = "Mend the domain file."
_NEAR = 0.6
_SHOWN = 40
_COLUMN = "column"


class Fault(NamedTuple):
    """What is wrong at a place; `key` says that the place is a key that should not be there."""

    path: Path
    told: str


def read_yaml(text: bytes, wanted: type[T], where: str) -> T:
    """The struct that the text holds. Raises InputError with every fault."""
    try:
        return msgspec.yaml.decode(text, type=wanted)
    except InputError as error:
        raise InputError(_with_lines(error.problems, text), where=where, remedy=REMEDY) from None
    except (msgspec.MsgspecError, ValueError, TypeError, RecursionError) as error:
        first = str(error)
    found = _parsed(text, where)
    value, faults = _fit(found, inspect.type_info(wanted), ())
    if faults:
        told = [f"{_place(fault.path)}{fault.told}" for fault in faults]
        lines = _Lines(text)
        ordered = sorted(
            (lines.of(fault.path), number) for number, fault in enumerate(faults)
        )  # fmt: skip
        raise InputError(
            [f"line {line}, {told[number]}" for line, number in ordered],
            where=where,
            remedy=REMEDY,
        )
    try:
        return msgspec.convert(value, wanted)
    except InputError as error:
        raise InputError(_with_lines(error.problems, text), where=where, remedy=REMEDY) from None
    except (msgspec.MsgspecError, ValueError, TypeError) as error:
        raise InputError(str(error) or first, where=where, remedy=REMEDY) from None


def nearest(word: str, known: Iterable[str]) -> list[str]:
    """The known words: those spelt nearly so first, the nearest of them first of all, then the
    others in alphabetical order."""
    ratio = {name: _likeness(word, name) for name in known}
    return sorted(ratio, key=lambda name: (-ratio[name] if ratio[name] >= _NEAR else 0, name))


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one.casefold(), other.casefold()).ratio()


def _parsed(text: bytes, where: str) -> object:
    """The plain values of a YAML text. Raises InputError with the line where it is none."""
    try:
        return yaml.safe_load(text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
        said = ", ".join(filter(None, (error.problem, error.context)))
        problem = f"{place}this is no YAML ({said})"
    except (yaml.YAMLError, UnicodeError) as error:
        problem = _unreadable(text) or f"this is no YAML ({' '.join(str(error).split())})"
    except (ValueError, RecursionError) as error:  # A date that there is not, nesting without end.
        problem = f"this is no YAML ({error})"
    raise InputError(
        problem,
        where=where,
        remedy="Mend it there or in the line before: a text with `: `, `#` or a quote in it, or"
        " that begins with a mark, needs quotes; keys of one level stand in one column.",
    )


def _unreadable(text: bytes) -> str | None:
    """Where the text is not UTF-8."""
    try:
        text.decode("utf-8")
    except UnicodeDecodeError as error:
        line = text.count(b"\n", 0, error.start) + 1
        return f"line {line}: holds a byte that is not UTF-8; save the file as UTF-8"
    return None


class _Lines:
    """The line of every key of a YAML text."""

    def __init__(self, text: bytes) -> None:
        self._root: Any = yaml.compose(text, Loader=yaml.SafeLoader)

    def of(self, path: Path) -> int:
        """The line on which the key at the end of the path stands, or that of the last key that is
        there."""
        node: Any = self._root
        line = node.start_mark.line + 1 if node is not None else 1
        for step in path:
            mark, node = _below(node, step)
            if mark is None:
                return line
            line = mark.line + 1
        return line

    def named(self, text: str) -> int | None:
        """The line of the longest path that a problem begins with: `fields.price.say`. A name may
        hold dots itself."""
        node, rest, line = self._root, text, None
        while isinstance(node, yaml.MappingNode):
            fitting = [
                (key, value)
                for key, value in _pairs(node)
                if rest.startswith(str(key.value)) and rest[len(key.value) :][:1] in (".", ":")
            ]
            if not fitting:
                return line
            key, node = max(fitting, key=lambda pair: len(pair[0].value))
            line, rest = int(key.start_mark.line) + 1, rest[len(key.value) + 1 :]
        return line


def _pairs(node: Any) -> list[tuple[Any, Any]]:
    return [pair for pair in node.value if isinstance(pair[0], yaml.ScalarNode)]


def _below(node: Any, step: str | int) -> tuple[Any, Any]:
    """(the mark where it stands, the node) of a key or an entry; (None, None) where it is not."""
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        return node.value[step].start_mark, node.value[step]
    if isinstance(node, yaml.MappingNode):
        for key, value in _pairs(node):
            if key.value == step:
                return key.start_mark, value
    return None, None


def _with_lines(problems: Iterable[str], text: bytes) -> list[str]:
    """The problems, each with the line of the keys that it begins with."""
    lines = _Lines(text)
    placed = [(lines.named(problem), problem) for problem in problems]
    return [f"line {line}, {problem}" if line else problem for line, problem in placed]


def _place(path: Path) -> str:
    text = ""
    for step in path:
        text += f"[{step + 1}]" if isinstance(step, int) else f".{step}" if text else step
    return f"{text}: " if text else ""


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


def _fit(value: Any, wanted: inspect.Type, path: Path) -> tuple[Any, list[Fault]]:
    """The value with single texts made lists, and what is wrong with it."""
    if isinstance(wanted, inspect.UnionType):
        return _fit_union(value, wanted, path)
    if isinstance(wanted, inspect.StructType):
        return _fit_struct(value, wanted, path)
    if isinstance(wanted, inspect.DictType):
        return _fit_dict(value, wanted, path)
    if isinstance(wanted, inspect.VarTupleType | inspect.TupleType):
        return _fit_tuple(value, wanted, path)
    told = _leaf(value, wanted, path)
    return value, [Fault(path, told)] if told else []


def _fit_struct(value: Any, wanted: inspect.StructType, path: Path) -> tuple[Any, list[Fault]]:
    known = {field.encode_name: field for field in wanted.fields}
    if isinstance(value, str) and _COLUMN in known:
        return {_COLUMN: value}, []
    if not isinstance(value, dict):
        return value, [Fault(path, _no_keys(value, known))]
    faults: list[Fault] = []
    fitted: dict[Any, Any] = {}
    table: dict[Any, Any] = value
    for key, inner in table.items():
        if key not in known:
            faults.append(Fault((*path, str(key)), _unknown(str(key), known)))
            continue
        fitted[key], more = _fit(inner, known[key].type, (*path, key))
        faults += more
    faults += [
        Fault(path, f"the key {name!r} is missing")
        for name, field in known.items()
        if field.required and name not in table
    ]
    return fitted, faults


def _no_keys(value: object, known: Iterable[str]) -> str:
    keys = ", ".join(known)
    if value is None:
        return f"is empty; write its keys below it ({keys}), or take the line away"
    return f"{_shown(value)} stands where keys belong; write `key: value` with the keys {keys}"


def _unknown(key: str, known: Iterable[str]) -> str:
    near = nearest(key, known)
    if near and _likeness(key, near[0]) >= _NEAR:
        return f"unknown key {key!r}; did you mean {near[0]!r}?"
    return f"unknown key {key!r}; the keys here are {', '.join(near)}"


def _fit_dict(value: Any, wanted: inspect.DictType, path: Path) -> tuple[Any, list[Fault]]:
    if not isinstance(value, dict):
        told = "is empty; write its keys below it" if value is None else (
            f"{_shown(value)} stands where `key: value` pairs belong"
        )  # fmt: skip
        return value, [Fault(path, told)]
    fitted: dict[Any, Any] = {}
    faults: list[Fault] = []
    table: Mapping[Any, Any] = value
    for key, inner in table.items():
        if not isinstance(key, str):
            faults.append(Fault(path, f"the key {key!r} is no text; write it in quotes"))
            continue
        fitted[key], more = _fit(inner, wanted.value_type, (*path, key))
        faults += more
    return fitted, faults


def _fit_tuple(
    value: Any, wanted: inspect.VarTupleType | inspect.TupleType, path: Path
) -> tuple[Any, list[Fault]]:
    fixed = wanted.item_types if isinstance(wanted, inspect.TupleType) else None
    item = wanted.item_type if isinstance(wanted, inspect.VarTupleType) else None
    if isinstance(value, str) and isinstance(item, inspect.StrType):
        return [value], []
    if not isinstance(value, list):
        shown = "…" if value is None else str(value) if not isinstance(value, dict) else "…"
        return value, [Fault(path, f"write a list: [{shown[:_SHOWN]}]")]
    entries: list[Any] = value
    if fixed is not None and len(entries) != len(fixed):
        return value, [Fault(path, f"{_shown(value)} should hold {len(fixed)} values")]
    fitted: list[Any] = []
    faults: list[Fault] = []
    for place, inner in enumerate(entries):
        inner_type = item if fixed is None else fixed[place]
        assert inner_type is not None
        one, more = _fit(inner, inner_type, (*path, place))
        fitted.append(one)
        faults += more
    return fitted, faults


def _fit_union(value: Any, wanted: inspect.UnionType, path: Path) -> tuple[Any, list[Fault]]:
    tried = [_fit(value, one, path) for one in wanted.types]
    good = next((one for one in tried if not one[1]), None)
    if good is not None:
        return good
    # The deepest fault is that of the type which was meant: an empty key says little.
    meant = [
        one
        for one, kind in zip(tried, wanted.types, strict=True)
        if not isinstance(kind, inspect.NoneType)
    ]
    return max(meant, key=lambda one: max(len(fault.path) for fault in one[1]))


def _leaf(value: Any, wanted: inspect.Type, path: Path) -> str:
    """What is wrong with a plain value; empty where nothing is."""
    shown = _shown(value)
    if isinstance(wanted, inspect.EnumType | inspect.LiteralType):
        return _choice(value, wanted, path)
    if isinstance(wanted, inspect.NoneType):
        return "" if value is None else f"{shown} should be left out"
    if value is None:
        return "is empty; write a value, or take the line away"
    if isinstance(wanted, inspect.StrType) and not isinstance(value, str):
        plain = isinstance(value, list | dict)
        return f"{shown} is no text" + ("" if plain else f'; write it in quotes: "{value}"')
    if isinstance(wanted, inspect.BoolType) and not isinstance(value, bool):
        return f"{shown} is neither true nor false"
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if isinstance(wanted, inspect.IntType) and not (number and float(value).is_integer()):
        return f"{shown} is no whole number"
    if isinstance(wanted, inspect.FloatType) and not number:
        return f"{shown} is no number"
    return ""


def _choice(value: Any, wanted: inspect.EnumType | inspect.LiteralType, path: Path) -> str:
    values: list[Any] = (
        [one.value for one in wanted.cls]
        if isinstance(wanted, inspect.EnumType)
        else list(wanted.values)
    )
    if value in values:
        return ""
    role = path[-1] if path else "choice"
    known = ", ".join(nearest(str(value), map(str, values)))
    return f"{_shown(value)} is no {role}; use {known}"
