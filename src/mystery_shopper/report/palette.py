"""Colours, dashes, marks and hatches of the charts, chosen to be told apart in greyscale.

Charts are drawn in the light colours; `themed` hands each of them over to a CSS variable, so that
one SVG serves light, dark and print. Series differ in lightness, dash and mark; segments in
lightness and hatch.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

INK, QUIET, FAINT, PAPER = "#1d2427", "#5f696d", "#d9d8d1", "#fdfcf9"
SERIES = ("#123a5c", "#d2691e", "#2f8f83", "#8d2f4f", "#8f8cc9", "#7a7f35")
SERIES_DARK = ("#a8d0f5", "#f0a060", "#4fb3a5", "#e0799c", "#7d7ac2", "#c8cc7a")
DASHES = ((1, 0), (6, 3), (2, 2), (8, 3, 2, 3), (1, 3), (12, 4))
MARKS = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")


@dataclass(frozen=True, slots=True)
class Look:
    """How a series is drawn."""

    colour: str
    mark: str
    dash: tuple[int, ...] = DASHES[0]


def looks_of(count: int) -> list[Look]:
    """A look for each of so many series. Past the last colour marks and dashes move on, so that no
    two look alike."""

    def pick(place: int, values: Sequence[object], aside: int) -> int:
        return (place + aside * (place // len(values))) % len(values)

    return [
        Look(
            SERIES[pick(place, SERIES, 0)],
            MARKS[pick(place, MARKS, 1)],
            DASHES[pick(place, DASHES, 2)],
        )
        for place in range(count)
    ]


# One a class of failure: a fill, or a fill with a hatch over it. Neighbours differ in lightness.
SEGMENTS = (
    "#123a5c",
    "#9fc3d6",
    "#3f7f9a",
    "#e3d3a6",
    "#b5651d",
    "#f0e7d0",
    "#6f7a5c",
    "#c9cfc0",
    "#7d3b4d",
    "#4a5055",
)
DARK_INK_ON = frozenset({1, 3, 5, 7})
HATCHED = {3: ("#a08a4a", 45), 5: ("#b5651d", -45), 7: ("#6f7a5c", 90), 9: ("#878e93", 45)}
# What stands around a number on a segment: nearly its colour, so that `themed` leaves it plain.
HALOS = tuple(f"#{int(colour[1:], 16) ^ 1:06x}" for colour in SEGMENTS)

_ROLES = {INK: "ink", QUIET: "quiet", FAINT: "line", PAPER: "paper"}


def hatch_defs() -> str:
    """An SVG that draws nothing and holds the hatches; one stands in the page for all charts."""
    patterns = "".join(
        f'<pattern id="hatch-{place}" width="6" height="6" patternUnits="userSpaceOnUse" '
        f'patternTransform="rotate({angle})"><rect width="6" height="6" fill="{SEGMENTS[place]}"/>'
        f'<line x1="0" y1="0" x2="0" y2="6" stroke="{stroke}" stroke-width="2.4"/></pattern>'
        for place, (stroke, angle) in HATCHED.items()
    )
    return (
        '<svg class="defs" width="0" height="0" aria-hidden="true" focusable="false">'
        f"<defs>{patterns}</defs></svg>"
    )


def themed(svg: str) -> str:
    """The SVG with its colours as CSS variables and its hatched segments as hatches."""

    def variable(found: re.Match[str]) -> str:
        attribute, colour = found.group(1), found.group(2).lower()
        if colour in SEGMENTS:
            place = SEGMENTS.index(colour)
            if place in HATCHED and attribute == "fill":
                return f'{attribute}="url(#hatch-{place})"'
            if colour not in SERIES:
                return found.group(0)
        if colour in SERIES:
            return f'{attribute}="var(--series-{SERIES.index(colour) + 1},{colour})"'
        role = _ROLES.get(colour)
        return f'{attribute}="var(--{role},{colour})"' if role else found.group(0)

    return re.sub(r'\b(fill|stroke)="(#[0-9a-fA-F]{6})"', variable, svg)
