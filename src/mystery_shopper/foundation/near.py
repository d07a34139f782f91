"""A name that there is not, and the nearest that there is."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """`; did you mean 'recall'?` where a known name is close to one that there is not, else
    empty."""
    found = get_close_matches(name, list(known), 1)
    return f"; did you mean {found[0]!r}?" if found else ""
