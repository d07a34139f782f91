"""Templates of requests: texts with `{name}` for what a trial gives and `${NAME}` for variables of
the environment. `{{` and `}}` are braces."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import TypeAlias

_PART = re.compile(r"\$\{(?P<env>[^{}]*)\}|(?P<open>\{\{)|(?P<close>\}\})|\{(?P<slot>[^{}]*)\}")
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_DEEPEST, _MOST, _SHOWN = 32, 10_000, 40


@dataclass(frozen=True, slots=True)
class Slot:
    """A place that each request fills."""

    name: str


@dataclass(frozen=True)
class Template:
    """A text with slots."""

    parts: tuple[str | Slot, ...]

    @property
    def slots(self) -> frozenset[str]:
        """The names of its slots."""
        return frozenset(part.name for part in self.parts if isinstance(part, Slot))

    def text(self, values: Mapping[str, object]) -> str:
        """Filled in; what is no text becomes its JSON, and what is missing nothing."""
        return "".join(
            part if isinstance(part, str) else as_text(values.get(part.name)) for part in self.parts
        )

    def value(self, values: Mapping[str, object]) -> object:
        """As `text`; a template that is one slot and no more keeps the value as it is."""
        if len(self.parts) == 1 and isinstance(part := self.parts[0], Slot):
            return values.get(part.name)
        return self.text(values)


Tree: TypeAlias = "Template | Mapping[str, Tree] | tuple[Tree, ...] | int | float | bool | None"
"""JSON whose texts are templates."""


def is_variable(name: str) -> bool:
    """Whether a variable of the environment can have that name."""
    return bool(_NAME.fullmatch(name))


def not_set(name: str) -> str:
    """What is said of a variable that is not set."""
    return f"the environment variable {name!r} is not set"


def as_text(value: object) -> str:
    """A value in a text: nothing for None, JSON for what is no text."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def fill(tree: Tree, values: Mapping[str, object]) -> object:
    """The JSON value of a tree with its slots filled in."""
    match tree:
        case Template():
            return tree.value(values)
        case Mapping():
            return {key: fill(part, values) for key, part in tree.items()}
        case tuple():
            return [fill(part, values) for part in tree]
        case _:
            return tree


def slots_of(tree: Tree) -> Iterator[str]:
    """Every slot's name in a tree."""
    match tree:
        case Template():
            yield from tree.slots
        case Mapping():
            for part in tree.values():
                yield from slots_of(part)
        case tuple():
            for part in tree:
                yield from slots_of(part)
        case _:
            pass


@dataclass
class TemplateReader:
    """Reads templates. Every fault goes to `problems` with its place; the variables used, which
    are secrets from here on, to `secrets`: name -> value."""

    environment: Mapping[str, str]
    known: Iterable[str]
    problems: list[str]
    secrets: dict[str, str] = field(default_factory=dict[str, str])
    _parts: int = 0
    _full: bool = False

    def tree(self, value: object, place: str, depth: int = 0) -> Tree:
        """A JSON value whose texts are templates. YAML can refer to a part again, and so hold
        itself or more than can be sent: its depth and its size are bounded."""
        if self._full:
            return None
        self._parts += 1
        self._full = depth > _DEEPEST or self._parts > _MOST
        if self._full:
            self.problems.append(
                f"{place[:_SHOWN]}…: the body holds itself, or is deeper than {_DEEPEST} levels, "
                f"or has more than {_MOST:,} parts"
            )
            return None
        match value:
            case str():
                return self.text(value, place)
            case dict():
                return {
                    str(key): self.tree(part, f"{place}.{key}", depth + 1)
                    for key, part in value.items()
                }
            case list() | tuple():
                return tuple(
                    self.tree(part, f"{place}[{n}]", depth + 1) for n, part in enumerate(value)
                )
            case float() if not math.isfinite(value):
                self.problems.append(f"{place}: JSON has no number {value}")
                return None
            case None | bool() | int() | float():
                return value
            case date():  # YAML has dates, which JSON has not.
                return self.text(str(value), place)
            case _:
                self.problems.append(f"{place}: JSON has no {type(value).__name__}")
                return None

    def text(self, text: str, place: str, *, header: bool = False) -> Template:
        """One template; a header's takes no variable that a header cannot hold."""
        parts: list[str | Slot] = []
        at = 0
        for found in _PART.finditer(text):
            parts.append(text[at : found.start()])
            at = found.end()
            if found["env"] is not None:
                parts.append(self._variable(found["env"], place, header))
            elif found["slot"] is not None:
                parts.append(self._slot(found["slot"], place))
            else:
                parts.append(found[0][0])
        parts.append(text[at:])
        return Template(tuple(part for part in parts if part != ""))

    def _slot(self, name: str, place: str) -> Slot:
        known = list(self.known)
        if name not in known:
            use = ", ".join(f"{{{one}}}" for one in known)
            self.problems.append(
                f"{place}: {{{name}}} is unknown; use {use}, or write {{{{{name}}}}} for braces"
            )
        return Slot(name)

    def _variable(self, name: str, place: str, header: bool) -> str:
        value = self.environment.get(name, "") if is_variable(name) else ""
        if not value:
            self.problems.append(f"{place}: {not_set(name)}")
        elif not value.isprintable() or (header and not value.isascii()):
            self.problems.append(
                f"{place}: the environment variable {name!r} holds characters that cannot be sent, "
                "such as a line break"
            )
        self.secrets[name] = value
        return value
