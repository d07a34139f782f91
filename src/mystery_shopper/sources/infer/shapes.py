"""The shapes of single cells: numbers, dates, addresses, hashes, points."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from mystery_shopper.sources.building.numbers import read_number
from mystery_shopper.sources.building.unfit import Unfit
from mystery_shopper.sources.building.years import read_year

_ADDRESS = re.compile(r"(https?:)?//\S+|www\.\S+|ftp://\S+", re.IGNORECASE)
_IMAGE = re.compile(r"\S+\.(jpe?g|png|gif|webp|svg|bmp|tiff?)(\?\S*)?", re.IGNORECASE)
_MAIL = re.compile(r"[^@\s]+@[^@\s]+\.[a-z]{2,}", re.IGNORECASE)
_HASH = re.compile(r"[0-9a-f]{24,}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_MARKUP = re.compile(r"<(p|br|div|span|ul|li|b|strong|img|table|a)\b[^>]*>", re.IGNORECASE)
_NESTED = re.compile(r"\{.*\}|\[.*\]", re.DOTALL)
MEASURE = re.compile(r"[-+]?\d[\d.,]* ?([a-zA-Zµ°\"]{1,8}|%)\.?")
"""A number and what it is counted in."""
_POINT = re.compile(r"\(?\s*(-?\d{1,3}\.\d+)\s*[,; ]\s*(-?\d{1,3}\.\d+)\s*\)?")
_CURRENCIES = {"€": "euros", "£": "pounds", "$": "dollars", "¥": "yen", "₹": "rupees"}


def number_in(text: str, decimal: str) -> float | None:
    """The number that the builder will read in a cell; None where it will read none."""
    try:
        return read_number(text, decimal)
    except Unfit:
        return None


def currency_of(texts: Sequence[str]) -> str:
    """What people call the currency whose sign most cells bear; empty where they bear none."""
    for sign, name in _CURRENCIES.items():
        if share(texts, lambda text, sign=sign: sign in text) > 0.5:
            return name
    return ""


def year_in(text: str) -> int | None:
    """The year that the builder will take out of a date; None where it will take none."""
    try:
        return int(read_year(text))
    except Unfit:
        return None


def waste(texts: Sequence[str]) -> str | None:
    """What a column holds of which nobody speaks: addresses, pictures, hashes; else None."""
    for what, pattern, least in (
        ("file names of pictures", _IMAGE, 0.9),
        ("addresses of pages or pictures", _ADDRESS, 0.3),
        ("mail addresses", _MAIL, 0.5),
        ("hashes or keys", _HASH, 0.9),
    ):
        if share(texts, lambda text, pattern=pattern: bool(pattern.fullmatch(text))) >= least:
            return what
    if share(texts, lambda text: bool(_MARKUP.search(text))) >= 0.5:
        return "HTML"
    if share(texts, lambda text: bool(_NESTED.fullmatch(text))) >= 0.9:
        return "objects or lists in JSON; export their names, joined by `|`"
    return None


def is_point(text: str) -> bool:
    """Whether a cell is a latitude and a longitude in degrees."""
    found = _POINT.fullmatch(text)
    return found is not None and abs(float(found[1])) <= 90 and abs(float(found[2])) <= 180


def share(texts: Sequence[str], holds: Callable[[str], bool]) -> float:
    """The share of up to 2,000 texts, spread evenly, of which `holds` is true."""
    if not texts:
        return 0.0
    some = texts[:: max(1, len(texts) // 2_000)]
    return sum(bool(holds(text)) for text in some) / len(some)
