"""Numbers as shops write them: currency signs, thousands marks, either decimal mark, a dash for no
cents."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from mystery_shopper.sources.building.unfit import Unfit

CODES = frozenset(
    "AED ARS AUD BGN BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP HKD HUF IDR ILS INR ISK JPY KES "
    "KRW MXN MYR NGN NOK NZD PEN PHP PKR PLN RMB RON RSD RUB SAR SEK SGD THB TRY TWD UAH USD VND "
    "ZAR KR FR RS ZŁ KČ FT LEI".split()
)
MOST_WHOLE = 2**53
"""Up to here every whole number is told apart from the next."""
_SPACES = " \u00a0\u2007\u2009\u202f'’"
_NOT_FINITE = frozenset({"nan", "inf", "infinity"})
_CODE_FIRST = re.compile(r"([^\W\d_]{2,3})\.?\s*(?=[-+\d.,])")
_CODE_LAST = re.compile(r"(?<=[-\d.,–—])\s*([^\W\d_]{2,3})\.?$")
_LETTERS_OF_SIGN = re.compile(r"^[A-Z]{1,3}(?=\W)")
_DATE = re.compile(r"(?:\d{1,4}([-/.])\d{1,2}\1\d{1,4}|\d{4}-\d{2})(?!\d)")
_NO_CENTS = re.compile(r"(?<=\d)([.,])[-–—]{1,2}$")
_BEFORE = re.compile(
    r"(?:(?:starting |prices? )?(?:from|at)|since|only|about|approx(?:imately)?|circa|ca|now|was|"
    r"ab|von|nur|statt|etwa|jetzt|uvp|rrp|msrp|à partir de|dès|env(?:iron)?|desde|da|a partire da|"
    r"vanaf|från|fra|od|up to|bis|min|max|[~≈<>≤≥])(?:[.:]+\s*|\s+|(?<=[~≈<>≤≥]))",
    re.IGNORECASE,
)
_LEADING = re.compile(r"[-+]?[\d.,]*\d")


def read_number(cell: object, decimal: str) -> float:
    """The number in a cell. `decimal` is the decimal mark of texts. Raises Unfit."""
    if isinstance(cell, str):
        return _from_text(cell.strip(), decimal)
    if isinstance(cell, bool) or not isinstance(cell, int | float):
        raise Unfit("is not a number")
    try:
        return _finite(float(cell))
    except OverflowError:
        raise Unfit("is too large") from None


def read_integer(cell: object, decimal: str) -> float:
    """The whole number in a cell; 2008.0 is one. Raises Unfit."""
    number = read_number(cell, decimal)
    if not number.is_integer():
        other = "," if decimal == "." else "."
        if isinstance(cell, str) and _patterns(other)[1].fullmatch(_bare(cell.strip())[1]):
            raise Unfit(
                "is not a whole number", f'`source: {{decimal: "{other}"}}` reads it as one'
            )
        raise Unfit("is not a whole number", "make the field `kind: number`")
    if abs(number) > MOST_WHOLE:
        raise Unfit("is too large for a whole number", "make the field `kind: text`")
    return number


def _from_text(text: str, decimal: str) -> float:
    found = _parsed(text, decimal)
    if found is not None:
        return _finite(found)
    if any(mark in text for mark in "%‰"):
        raise Unfit("holds a percent sign", "export it as a plain number without the sign")
    other = "," if decimal == "." else "."
    if text.lower().lstrip("+-") in _NOT_FINITE:
        raise Unfit("is not a finite number", "leave the cell empty, or name the word in `missing`")
    if _DATE.match(text):
        raise Unfit("is a date", "`source: {part: year}` takes the year")
    if _parsed(text, other) is not None:
        raise Unfit(
            f"is not a number with the decimal mark {decimal!r}",
            f'`source: {{decimal: "{other}"}}` reads it',
        )
    if _LEADING.match(text) or without_words(text) is not None:
        raise Unfit("is a number with other text", "export the number alone")
    raise Unfit("is not a number", "leave the cell empty, or name the word in `missing`")


def without_words(text: str) -> str | None:
    """The number after words such as `from`, `ab` or `ca.`, with its currency; None where there is
    no such word or no number after it. What the price is, such a text does not say."""
    before = _BEFORE.match(text)
    if before is None:
        return None
    rest = text[before.end() :].strip()
    return rest if any(_parsed(rest, mark) is not None for mark in ".,") else None


def shows_thousands(texts: Iterable[str], mark: str) -> bool:
    """Whether these distinct cells show that a mark (`.` or `,`) stands before thousands: exactly
    three digits follow it wherever it occurs, and what is written without it is at most 999.

    Three cells without it and one with it are the least; where those without it stay below 100,
    ten with it.
    """
    other = "," if mark == "." else "."
    grouped = re.compile(rf"[1-9]\d{{0,2}}(?:{re.escape(mark)}\d{{3}})+(?:{re.escape(other)}\d*)?")
    small: list[int] = []
    marked = 0
    for text in texts:
        bare = _bare(text.strip())[1]
        if grouped.fullmatch(bare):
            marked += 1
        elif mark not in bare and (whole := bare.partition(other)[0]).isdecimal():
            if len(whole) > 3:
                return False
            small.append(int(whole))
        elif any(sign.isdecimal() for sign in bare):
            return False
    return len(small) >= 3 and marked >= (1 if max(small) >= 100 else 10)


def thousands_warning(texts: Iterable[str], decimal: str) -> str | None:
    """What to say of a column whose decimal mark seems to stand before thousands."""
    texts = list(texts)
    if not shows_thousands(texts, decimal):
        return None
    example = next(text.strip() for text in texts if decimal in text)
    other = "," if decimal == "." else "."
    return (
        f"three digits follow every {decimal!r}, as in {example!r}, beside numbers up to 999: it"
        f" was read as the decimal mark; if thousands are meant, set `source: {{decimal:"
        f' "{other}"}}`'
    )


def _finite(number: float) -> float:
    if not math.isfinite(number):
        raise Unfit("is not a finite number")
    return number


def _parsed(text: str, decimal: str) -> float | None:
    """The number, or None. Overflow gives infinity."""
    plain, grouped = _patterns(decimal)
    if plain.fullmatch(text):
        return float(text.replace(decimal, "."))
    negative, bare = _bare(text)
    if grouped.fullmatch(bare):
        bare = "".join(mark for mark in bare if mark.isdecimal() or mark == decimal)
    elif not plain.fullmatch(bare) or bare[:1] in "+-":
        return None
    number = float(bare.replace(decimal, "."))
    return -number if negative else number


@lru_cache(maxsize=4)
def _patterns(decimal: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """A plain number, and one with thousands marks (in twos below the last three, as in India)."""
    point = re.escape(decimal)
    other = re.escape("," if decimal == "." else ".")
    plain = rf"[-+]?(?:\d+(?:{point}\d*)?|{point}\d+)(?:[eE][-+]?\d+)?"
    grouped = (
        rf"\d{{1,3}}([{other}{_SPACES}])\d{{3}}(?:\1\d{{3}})*(?:{point}\d*)?"
        rf"|\d{{1,2}}(?:{other}\d{{2}})+{other}\d{{3}}(?:{point}\d*)?"
    )
    return re.compile(plain), re.compile(grouped)


def _bare(text: str) -> tuple[bool, str]:
    """Whether it is negative, and the number without its sign, one currency, and a dash in the
    place of cents."""
    text = text.replace("−", "-")
    negative = False
    signed = False
    for _ in range(2):  # a sign may stand before the currency or after it
        if text[:1] in ("+", "-") and text and not signed:
            negative, signed = text[0] == "-", True
            text = text[1:].lstrip()
        text = _without_currency(text)
    return negative, _without_dash(text)


def _without_dash(text: str) -> str:
    """`12,-` is 12. The mark before the dash is the decimal mark: it stays where others stand
    before it, so that `3.987,-` is no number where the point is the decimal mark."""
    dash = _NO_CENTS.search(text)
    if dash is None:
        return text
    whole = text[: dash.start()]
    return whole if whole.isdecimal() else whole + dash.group(1)


def _without_currency(text: str) -> str:
    letters = _LETTERS_OF_SIGN.match(text)
    if letters is not None and _is_sign(text[letters.end() : letters.end() + 1]):
        text = text[letters.end() :]
    if _is_sign(text[:1]):
        return text[1:].lstrip()
    if _is_sign(text[-1:]):
        return text[:-1].rstrip()
    code = _CODE_FIRST.match(text)
    if code is not None and code.group(1).upper() in CODES:
        return text[code.end() :]
    code = _CODE_LAST.search(text)
    if code is not None and code.group(1).upper() in CODES:
        return text[: code.start()]
    return text


def _is_sign(mark: str) -> bool:
    return bool(mark) and unicodedata.category(mark) == "Sc"
