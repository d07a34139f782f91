"""How the suite's figures are drawn: a colour is a type of query, throughout the page, and figures
of one observation that show the same measure share an axis."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mystery_shopper.report.cells import Estimate
from mystery_shopper.report.palette import DASHES, MARKS, SERIES, Look
from mystery_shopper.report.recbench.words import KINDS
from mystery_shopper.report.words import figure

TYPES = KINDS[:5]
"""The types that have a colour, in its order."""
WHOLE = (0.0, 1.0)
_LOWS = (0.9, 0.75, 0.5, 0.25)
_HIGHS = (0.1, 0.25, 0.5, 0.75, 1.0)
_NARROW = 0.25


def look_of(kind: str) -> Look:
    """A type's colour and mark."""
    place = TYPES.index(kind)
    return Look(SERIES[place], MARKS[place], DASHES[place])


def lines_of(kinds: Sequence[str]) -> list[Look]:
    """A look for each line, of these types: in its type's colour, each with a mark and a dash of
    its own, since several may be of one type."""
    if len(set(kinds)) == len(kinds):
        return [look_of(kind) for kind in kinds]
    return [
        Look(look_of(kind).colour, MARKS[n % len(MARKS)], DASHES[n % len(DASHES)])
        for n, kind in enumerate(kinds)
    ]


def domain_of(found: Iterable[Estimate]) -> tuple[float, float]:
    """From 0 to the first of 0.1, 0.25, 0.5, 0.75 and 1 that is above all values and intervals;
    where they fill less than a quarter of that, from the last of 0.25, 0.5, 0.75 and 0.9 that is
    below them: marks need no zero, as bars would."""
    ends = [end for one in found for end in (one.value, one.low, one.high) if end is not None]
    if not ends:
        return WHOLE
    low, high = min(ends), max(ends)
    top = next((one for one in _HIGHS if high <= one), 1.0)
    if high - low >= _NARROW * top:
        return 0.0, top
    return next((start for start in _LOWS if start <= low and start < top), 0.0), top


def axis_words(domain: tuple[float, float]) -> str:
    """What a note says of an axis that is not whole."""
    low, high = domain
    return "" if domain == WHOLE else f" The axis runs from {low:g} to {high:g}."


def flat(found: Sequence[Estimate]) -> str:
    """The one value that all of these have, in words; empty where they differ, or an interval has
    any width: then there is something to draw."""
    ends = {end for one in found for end in (one.value, one.low, one.high) if end is not None}
    return figure(ends.pop()) if len(ends) == 1 and len(found) > 1 else ""
