"""The caps of an episode, and what is done to text before it enters a transcript."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

from mystery_shopper.foundation import InputError


@dataclass(frozen=True)
class Limits:
    """Caps the agent is not told of. `turns`: stretches of the agent's work, each closed by words
    to the user. `calls`: tool calls a turn; past them every call is refused, and `grace` refused
    calls end the trial. `seconds`: the agent's own time. `text`: characters kept of one message, or
    of all the texts in one call's arguments together. Raises InputError for caps that cap nothing.
    """

    turns: int = 20
    calls: int = 150
    grace: int = 10
    seconds: float = 600.0
    text: int = 200_000

    def __post_init__(self) -> None:
        least = {"turns": 1, "calls": 0, "grace": 1, "text": 1}
        problems = [
            f"{name} is {getattr(self, name)}, and must be at least {value}"
            for name, value in least.items()
            if getattr(self, name) < value
        ]
        if not self.seconds > 0:
            problems.append(f"seconds is {self.seconds}, and must be more than 0")
        if problems:
            raise InputError(problems, where="limits")


_DEPTH = 32
_PARTS = 10_000
_BIG = 2**63
_ADDRESS = re.compile(r" at 0x[0-9A-Fa-f]+")


def clean_text(text: object, limit: int) -> tuple[str, int]:
    """Text that any file can hold, and how many characters were cut. Surrogates that make a pair
    are joined, lone ones become U+FFFD; None is no text; what else is not text becomes its `str`,
    without memory addresses, since no two runs share them."""
    whole = _as_text(text)
    kept = whole[:limit]
    try:
        kept.encode("utf-8")
    except UnicodeEncodeError:
        kept = kept.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return kept, max(0, len(whole) - limit)


def clean_arguments(value: object, limit: int) -> object:
    """JSON-safe arguments: as sent where JSON can hold them, else the nearest text.

    At most `limit` characters are kept in all, 10,000 parts, and 32 levels. Never raises.
    """
    try:
        return _Cleaner(limit).clean(value, 0)
    except Exception:
        return f"<{type(value).__name__}>"


def _as_text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    try:
        return _ADDRESS.sub("", str(value))
    except Exception:
        return f"<{type(value).__name__}>"


@dataclass
class _Cleaner:
    """What there is still room for in one call's arguments."""

    characters: int
    parts: int = _PARTS

    def text(self, value: object) -> str:
        kept, _ = clean_text(value, self.characters)
        self.characters -= len(kept)
        return kept

    def clean(self, value: object, depth: int) -> object:
        match value:
            case None | bool():
                return value
            case int():
                return int(value) if -_BIG <= value < _BIG else self.text(value)
            case float():
                return float(value) if math.isfinite(value) else str(float(value))
            case str():
                return self.text(value)
            case _ if depth >= _DEPTH:
                return "…"
            case list() | tuple():
                return [self.clean(part, depth + 1) for part in value if self.has_room()]
            case set() | frozenset():
                return self.clean(sorted(value, key=repr), depth)
            case Mapping():
                return {
                    self.text(key): self.clean(part, depth + 1)
                    for key, part in value.items()
                    if self.has_room()
                }
            case _:
                return self.text(value)

    def has_room(self) -> bool:
        self.parts -= 1
        return self.parts >= 0
