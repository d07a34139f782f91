"""The patterns of English grammar, from the shipped file of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources

import msgspec

from mystery_shopper.suites.tau_rec.asks.signs import GRAMMAR


@cache
def patterns() -> Mapping[int, tuple[str, ...]]:
    """The patterns of each sign. `@` at the head of one: it counts only where a clause begins."""
    source = resources.files("mystery_shopper") / "data" / "words" / "english.yaml"
    table = msgspec.yaml.decode(source.read_bytes(), type=dict[str, tuple[str, ...]])
    return {GRAMMAR[name]: lines for name, lines in table.items()}
