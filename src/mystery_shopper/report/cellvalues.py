"""What a table's cell says, as numbers: the one place that knows how cells are worded.

Tables are made as text, by many hands, and the page, the terminal and these numbers must never
differ. So the numbers are read from the finished text, to the digits that it shows, and not kept
beside it; a wording that is not known here makes its whole column words, never a wrong number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TypeAlias

from mystery_shopper.report.words import DASH

VALUE, LOW, HIGH, WORST_LOW, WORST_HIGH = "", "low", "high", "worst_low", "worst_high"
HITS, OF, PERCENT, MORE, MARK = "hits", "of", "percent", "more", "mark"
SECONDS, DOLLARS = "s", "USD"
UNMEASURED = frozenset({DASH, "unknown", "nan", "inf", "-inf", ""})
"""Cells without a value."""

Number: TypeAlias = int | float


@dataclass(frozen=True)
class Reading:
    """The numbers of one cell by part: `VALUE` is the figure itself, `LOW` and `HIGH` its interval,
    `WORST_LOW` and `WORST_HIGH` its worst case, `HITS` and `OF` the counts of a share, `MORE` a
    count behind it in brackets, `MARK` that it is a bound or rough (`<`, `≤`, `about`). A second,
    third … figure of a cell goes by `2`, `3` …. Nothing at all is unmeasured. `unit` is of the
    figures."""

    parts: Mapping[str, Number | str] = field(default_factory=dict[str, "Number | str"])
    unit: str = ""


_NUMBER = r"[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[+-]?\d+)?"
_ONE = rf"(?:(?P<mark>[<>≤≥]|about) )?(?P<money>\$)?(?P<value>{_NUMBER})(?: (?P<unit>ms|s))?"
_INTERVAL = rf"\[(?P<low>{_NUMBER}), (?P<high>{_NUMBER})\]"
_BEHIND = (
    rf"\((?:(?P<hits>{_NUMBER})/(?P<of>{_NUMBER})|(?P<percent>{_NUMBER}) %|(?P<more>{_NUMBER}))\)"
)
_FIGURE = re.compile(
    rf"(?:{_ONE}|{DASH})(?: {_INTERVAL})?(?: {_BEHIND})?"
    rf"(?: ‹(?P<worst_low>{_NUMBER}), (?P<worst_high>{_NUMBER})›)?"
)
_BOUNDS = re.compile(rf"[\[‹](?P<low>{_NUMBER}), (?P<high>{_NUMBER})[\]›]")
_RANGE = re.compile(rf"(?P<money>\$)?(?P<low>{_NUMBER})–(?P<high>{_NUMBER})")
_OUT_OF = re.compile(rf"(?P<hits>{_NUMBER}) of (?P<of>{_NUMBER})(?: \((?P<value>{_NUMBER})\))?")
_NEEDED = re.compile(
    rf"(?:(?P<mark>>) )?(?:(?P<families>{_NUMBER}) families)?(?: or )?"
    rf"(?:(?P<trials>{_NUMBER}) trials)?"
)
_MOST = 2**63
_APART = re.compile(r" / |, ")
_SCALES = {"ms": (SECONDS, Decimal("0.001")), "s": (SECONDS, Decimal(1))}


def read_cell(text: str) -> Reading | None:
    """The numbers of a cell; None where it is words. The forms are those of `tabular` and `words`:
    `0.952 [0.912, 0.988] ‹0.905, 0.955›`, `0.250 (5/20)`, `12 (34 %)`, `≤ 0.0001`, `1,234`,
    `$0.0123`, `203 ms`, `19 of 28`, `17 / 16 / 15`, `[0.1, 0.9]`, `0.48–0.62`, `70 families or 8
    trials`."""
    text = text.strip()
    if text in UNMEASURED:
        return Reading()
    for form in (_FIGURE, _BOUNDS, _RANGE, _OUT_OF, _NEEDED):
        found = form.fullmatch(text)
        if found:
            return _reading(found)
    several = [_FIGURE.fullmatch(part) for part in _APART.split(text)]
    if len(several) < 2 or not all(several):
        return None
    return _several([_reading(found) for found in several if found])


def _reading(found: re.Match[str]) -> Reading:
    named = {name: text for name, text in found.groupdict().items() if text}
    unit, scale = _SCALES.get(named.pop("unit", ""), ("", Decimal(1)))
    if named.pop("money", ""):
        unit = DOLLARS
    parts: dict[str, Number | str] = {}
    for name, text in named.items():
        part = VALUE if name == "value" else name
        parts[part] = text if name == MARK else _number(text, scale)
    return Reading(parts, unit)


def _several(readings: list[Reading]) -> Reading:
    parts: dict[str, Number | str] = {}
    for place, reading in enumerate(readings, 1):
        for part, number in reading.parts.items():
            name = part if place == 1 else f"{place}_{part}".removesuffix("_")
            parts[name] = number
    return Reading(parts, readings[0].unit)


def _number(text: str, scale: Decimal) -> Number:
    """As written: `1,234` is a whole number, `1.0` is not, nor is what 64 bits cannot hold. In
    decimals, so that 203 ms are 0.203 s."""
    written = Decimal(text.replace(",", "")) * scale
    whole = scale == 1 and not set(text) & set(".e") and abs(written) < _MOST
    return int(written) if whole else float(written)


def order(parts: Iterator[str]) -> list[str]:
    """Parts in the order in which columns of them stand."""
    known = [VALUE, MARK, LOW, HIGH, HITS, OF, PERCENT, MORE, WORST_LOW, WORST_HIGH]
    found = list(dict.fromkeys(parts))
    later = [part for part in found if part not in known]
    return [part for part in known if part in found] + later
