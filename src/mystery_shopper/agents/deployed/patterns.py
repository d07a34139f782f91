"""Patterns that read ids from an agent's words, in time that grows with the text and no faster.

They are matched by RE2, through DuckDB: it does not go back over a text, so that no pattern and no
answer can make it hang. For that it lacks look-around and back-references.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from mystery_shopper.dialogue.limits import clean_text

GROUP = "id"
LONGEST = 300
"""Characters of a pattern."""
READ = 50_000
"""Characters of a text that are read."""


class PatternError(ValueError):
    """A text that is no pattern which can be used."""


@dataclass(frozen=True)
class IdPattern:
    """A pattern with a group named `id`."""

    text: str
    group: int

    @classmethod
    def read(cls, text: str) -> IdPattern:
        """Raises PatternError that says why the text cannot be used."""
        if len(text) > LONGEST:
            raise PatternError(f"has {len(text)} characters, more than {LONGEST}")
        try:
            group = re.compile(text).groupindex.get(GROUP)
        except (re.error, OverflowError, RecursionError) as error:
            raise PatternError(f"{text!r} is no regular expression ({error})") from None
        if group is None or group > 9:
            raise PatternError(f"{text!r} has no group (?P<{GROUP}>…) among its first nine")
        found = cls(text, group)
        try:
            found.ids("")
        except _problem() as error:
            told = str(error).removeprefix("Invalid Input Error: ")
            raise PatternError(
                f"{text!r} cannot be used ({told}); look-around, back-references and large "
                "repetitions are not to be had"
            ) from None
        return found

    def ids(self, text: str) -> list[str]:
        """What the group took, match by match, in the order of the text."""
        clean, _ = clean_text(text, READ)
        row = _matcher().execute(_QUERY, [clean, self.text, self.group]).fetchone()
        return [one for one in (row[0] if row else ()) if one]


_QUERY = "SELECT regexp_extract_all(?, ?, ?)"


@cache
def _matcher() -> Any:
    import duckdb

    return duckdb.connect(":memory:", config={"threads": 1})


def _problem() -> type[Exception]:
    import duckdb

    return duckdb.Error
