"""Titles in a row on one line with bars between them, and lines of titles beside a note."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mystery_shopper.suites.recbench.answers.lists import DETAIL, concern_in
from mystery_shopper.suites.recbench.answers.model import Named
from mystery_shopper.suites.recbench.answers.prose import (
    ADDRESS,
    CUE,
    NEGATED,
    OFFER,
    SPLIT,
    bare_lines,
    refuses,
)
from mystery_shopper.suites.recbench.answers.titles import YEAR, named

_ROW_LEAD = re.compile(
    r"^.{0,200}?\b(?:recommend\w*|suggest\w*|movies|films|books|titles|picks)\b[^:|]{0,80}:\s+",
    re.I,
)
_BAR = re.compile(r"\s+\|\s+")
_DETAILS = re.compile(
    rf"^(?:{YEAR}|\d+(?:\.\d+)?/10|\d+ ?(?:min\w*|h|%)"
    r"|(?:by|directed by|dir\.|starring|with|from|written by|rated|r|pg|pg-13|g|nc-17|action"
    r"|adventure|animat\w+|biograph\w+|comed\w+|crime|documentar\w+|drama|family|fantas\w+|fiction"
    r"|film-?noir|histor\w+|horror|music\w*|myster\w+|non-?fiction|romance|romantic|sci-?fi"
    r"|science fiction|short|sport|thriller|war|western|english|french|usa?|uk)\b.*)$",
    re.I,
)


def in_bars(lines: Sequence[str]) -> list[Named]:
    """The titles of the one line that holds some with bars between them ("Heat | Ronin"); nothing
    where a piece tells of the title before it, or is none."""
    rows = [line for line in lines if _BAR.search(line)]
    if len(rows) != 1:
        return []
    row = _ROW_LEAD.sub("", rows[0].strip())
    pieces = [piece.strip() for piece in _BAR.split(row.rstrip("."))]
    for piece in pieces:
        large = piece.lstrip("*_\"“'‘")[:1]
        if not (large.isupper() or large.isdigit()) or len(piece.split()) > 10:
            return []
        if _DETAILS.match(piece) or DETAIL.match(piece) or NEGATED.search(piece):
            return []
    return [item for piece in pieces if (item := named(piece))]


def beside_notes(lines: Sequence[str]) -> list[Named]:
    """The titles of lines that stand before the first note, a title a line, else of those behind
    it. What stands below a note that is but a heading belongs to it. A line that might be a
    sentence leaves none."""
    notes = [concern_in(line) for line in lines]
    first = next((at for at, note in enumerate(notes) if note is not None), None)
    if first is None:
        return []
    before = [line for line in lines[:first] if line.strip()]
    said = before or _behind(lines, notes, first)
    if len(said) > 1 and said[0].rstrip().endswith(":"):
        said = said[1:]
    if any(_may_be_said(line.strip()) for line in said):
        return []
    return bare_lines(said)


def _behind(lines: Sequence[str], notes: Sequence[str | None], first: int) -> list[str]:
    said: list[str] = []
    headed = False
    for line, note in zip(lines[first:], notes[first:], strict=True):
        headed = not note if note is not None else headed and bool(line.strip())
        if note is None and not headed and line.strip():
            said.append(line)
    return said


def _may_be_said(line: str) -> bool:
    """Whether a line without marks may be a sentence and no title."""
    words = line.split()
    if len(words) > 10 or refuses(line) or NEGATED.search(line) or OFFER.search(line):
        return True
    if CUE.match(line) or (ADDRESS.match(line) and len(words) > 3):
        return True
    return line.endswith((".", "?", ":")) and len(words) > 1 and not SPLIT.search(line)
