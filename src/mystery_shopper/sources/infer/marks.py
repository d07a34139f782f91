"""Which of point and comma is the decimal mark of a column, and what its cells are by it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from mystery_shopper.sources.building.numbers import shows_thousands
from mystery_shopper.sources.infer.sample import ColumnSample, brief
from mystery_shopper.sources.infer.shapes import number_in

Decimal = Literal[".", ","]

_SHOWS_THOUSANDS = 20
_SHORT_YEARS = 0.1


class Reading(NamedTuple):
    """The numbers of a column by its decimal mark, and the texts that are none. `told`: what to
    say of the mark; `doubt`: what the owner should look at; both empty where nothing is to say."""

    decimal: Decimal
    numbers: list[float]
    odd: list[str]
    told: str = ""
    doubt: str = ""


def reading_of(column: ColumnSample) -> Reading:
    """By the mark that reads more cells; by the point where both read as many, unless the cells
    show that a point stands before thousands."""
    point, comma = _read(column, "."), _read(column, ",")
    if len(comma.numbers) > len(point.numbers):
        return comma._replace(told=", with a decimal comma")
    if len(comma.numbers) == len(point.numbers) and shows_thousands(column.counts, "."):
        shown = next(text for text in column.counts if "." in text)
        doubt = (
            f"the point in {brief(shown)!r} is taken for thousands, as three digits follow every"
            " point and what has none is at most 999; if it is the decimal mark, take `decimal` out"
        )
        return comma._replace(told=", with points before thousands", doubt=doubt)
    if not point.odd and not comma.odd and _either(column):
        return point._replace(
            doubt="1,234 and 1.234 may be a thousand or one and a bit: see `decimal`"
        )
    return point


def _read(column: ColumnSample, mark: Decimal) -> Reading:
    found = Reading(mark, [], [])
    values = {text: number_in(text, mark) for text in column.counts}
    for text in column.texts:
        number = values[text]
        if number is None:
            found.odd.append(text)
        else:
            found.numbers.append(number)
    return found


def _either(column: ColumnSample) -> bool:
    """Whether commas or points occur of which the cells do not show what they are. Twenty different
    cells with three digits after every comma show thousands."""
    commas = sum("," in text for text in column.counts)
    points = sum("." in text for text in column.counts)
    return 0 < commas < _SHOWS_THOUSANDS or (not commas and points >= _SHOWS_THOUSANDS)


def are_years(numbers: Sequence[float]) -> bool:
    """Whether whole numbers may be years."""
    return sum(-3000 <= n <= 2200 for n in numbers) >= 0.95 * len(numbers) and max(numbers) > 31


def short_years(texts: Sequence[str]) -> list[str]:
    """The years of two digits, where there are many."""
    short = [text for text in texts if len(text) == 2 and text.isdecimal()]
    return short if len(short) > _SHORT_YEARS * len(texts) else []
