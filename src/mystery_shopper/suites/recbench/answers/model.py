"""What an answer came to."""

from __future__ import annotations

from enum import StrEnum

import msgspec

MOST_TEXT = 200_000
"""Letters of an answer that are read."""
MOST_LINES = 5_000
MOST_LINE = 2_000
MOST_TITLES = 1_000
MOST_CONCERNS = 50
MOST_CONCERN = 2_000
LONGEST_TITLE = 300


class Form(StrEnum):
    """How an answer was read. `none`: it says that there is nothing to recommend; `empty`: it says
    nothing at all; `prose`: running text, from which titles were taken where it marks any."""

    JSON = "json"
    LIST = "list"
    TABLE = "table"
    PROSE = "prose"
    NONE = "none"
    EMPTY = "empty"
    TITLES = "titles"


class Named(msgspec.Struct, frozen=True, omit_defaults=True):
    """One item that an answer recommends. `others`: further ways to read its title, for a line that
    does not say where the title ends."""

    title: str
    year: int | None = None
    id: str | None = None
    others: tuple[str, ...] = ()

    @property
    def readings(self) -> tuple[str, ...]:
        """Every reading of the title, the likeliest first."""
        return (self.title, *self.others)


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an answer recommends, in its order, each title once.

    `concerns`: what it objects to, from its field or its heading of that name. `refused`: it
    recommends nothing and says so. `prose`: the text without a model's thinking, for the rules that
    look for what was said. `cut`: it is longer than what is read.
    """

    items: tuple[Named, ...]
    form: Form
    concerns: tuple[str, ...] = ()
    refused: bool = False
    prose: str = ""
    cut: bool = False
