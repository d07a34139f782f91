"""The year of a date, in the ways that files write dates."""

from __future__ import annotations

import calendar
import re

from mystery_shopper.sources.building.unfit import Unfit

LAST = 9_999
_MONTHS = (
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
)  # fmt: skip
_SHORT = re.compile(r"['’]?(\d{2})")
_PLAIN = re.compile(r"([-+−]?\d{1,4})(?:\.0+)?")
_TIME = r"(?:[T ]\s?\d{1,2}[:.]?\d{2}.*)?"
_YEAR_FIRST = re.compile(rf"([-+−]?\d{{4}})([-/.])(\d{{1,2}})(?:\2(\d{{1,2}}))?{_TIME}")
_COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})")
_YEAR_LAST = re.compile(rf"(\d{{1,2}})([-/.])(\d{{1,2}})\2(\d{{4}}){_TIME}")
_MONTH_YEAR = re.compile(r"(\d{1,2})[-/](\d{4})")
_NAMED = re.compile(
    rf"(?:(\d{{1,2}})(?:st|nd|rd|th)?[-\s./]*)?([a-z]{{3,9}})\.?[-\s,./]*"
    rf"(?:(\d{{1,2}})(?:st|nd|rd|th)?,?\s+)?(\d{{4}}){_TIME}"
)
_WEEKDAY = re.compile(r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,?\s+")
_FORMS = "write 2004, 2004-05-17, 17/05/2004 or May 2004"


def read_year(cell: object) -> float:
    """The year, negative before our era. Raises Unfit for what is no date or none there can be."""
    if isinstance(cell, bool) or not isinstance(cell, str | int | float):
        raise Unfit("is not a date", _FORMS)
    if isinstance(cell, str):
        return _from_text(cell.strip())
    if not float(cell).is_integer() or abs(cell) > LAST:
        raise Unfit("is not a year", _FORMS)
    return _checked(int(cell))


def _from_text(text: str) -> float:
    if found := _SHORT.fullmatch(text):
        digits = found.group(1)
        raise Unfit(
            "is a year of two digits",
            f"write all four: 19{digits} or 20{digits}, whichever is meant",
        )
    if found := _PLAIN.fullmatch(text):
        return _checked(_number(found.group(1)))
    if found := _YEAR_FIRST.fullmatch(text):
        year, month, day = found.group(1), int(found.group(3)), found.group(4)
        return _checked(_number(year), month, int(day) if day else 1)
    if found := _COMPACT.fullmatch(text):
        return _checked(*map(int, found.groups()))
    if found := _YEAR_LAST.fullmatch(text):
        one, two, year = int(found.group(1)), int(found.group(3)), int(found.group(4))
        return _checked(year, two, one) if two <= 12 else _checked(year, one, two)
    if found := _MONTH_YEAR.fullmatch(text):
        return _checked(int(found.group(2)), int(found.group(1)))
    lower = _WEEKDAY.sub("", text.lower(), count=1)
    if (found := _NAMED.fullmatch(lower)) and (month := _month(found.group(2))):
        return _checked(int(found.group(4)), month, int(found.group(1) or found.group(3) or 1))
    raise Unfit("is not a date", _FORMS)


def _number(year: str) -> int:
    return int(year.replace("−", "-"))


def _month(name: str) -> int:
    """1 to 12 of an English name or its first letters; 0 for another word."""
    if name[:3] not in _MONTHS:
        return 0
    month = _MONTHS.index(name[:3]) + 1
    return month if calendar.month_name[month].lower().startswith(name) or name == "sept" else 0


def _checked(year: int, month: int = 1, day: int = 1) -> float:
    if not year or abs(year) > LAST:
        raise Unfit("is in no year there was", "leave the cell empty where the year is unknown")
    if not 1 <= month <= 12:
        raise Unfit("is an impossible date")
    # The calendar repeats every 400 years, so that of years before our era is known too.
    if not 1 <= day <= calendar.monthrange(2000 + year % 400, month)[1]:
        raise Unfit("is an impossible date")
    return float(year)
