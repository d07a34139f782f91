"""Flags, points, texts, labels and ids: what one cell of an owner's file says."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from mystery_shopper.catalog import FieldSource, fold
from mystery_shopper.sources.building.numbers import read_number
from mystery_shopper.sources.building.unfit import Unfit
from mystery_shopper.sources.tables import Nested

TRUE = ("true", "yes", "y", "1", "t", "on")
FALSE = ("false", "no", "n", "0", "f", "off")
_DIGITS = 2**53
_TAG = re.compile(r"\[\[\s{0,4}candidate_id")
_BETWEEN = re.compile(r"\s*[,;]\s*|\s+")


def missing_test(source: FieldSource) -> Callable[[str], bool]:
    """Whether a stripped text stands for no value: an empty one, or a word of `missing`, whatever
    its case."""
    words = frozenset(map(fold, source.missing))
    if not words:
        return lambda text: not text
    return lambda text: not text or fold(text) in words


def plain_text(cell: object) -> str:
    """A cell as text: numbers as plain digits, a list's parts joined by commas. Raises Unfit."""
    if isinstance(cell, str):
        return cell.strip()
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, int):
        return str(cell)
    if isinstance(cell, float):
        return digits(cell)
    if isinstance(cell, list | tuple):
        return ", ".join(filter(None, map(plain_text, cell)))
    raise unfit(cell, "is not a text")


def digits(number: float) -> str:
    """A float as plain digits: whole ones without a point. Raises Unfit."""
    if number != number or number in (float("inf"), float("-inf")):
        raise Unfit("is not a finite number")
    if number.is_integer() and abs(number) < _DIGITS:
        return str(int(number))
    return repr(number)


def unfit(cell: object, reason: str) -> Unfit:
    """What is said of a cell of a type that the field cannot take."""
    if isinstance(cell, Nested):
        return Unfit(f"is {cell.what}", "export its parts as columns of their own")
    return Unfit(reason)


def read_id(cell: object) -> str:
    """The id: a text without its outer spaces, or a whole number's digits. Raises Unfit."""
    if isinstance(cell, str):
        return cell.strip()
    if isinstance(cell, float) and not (cell.is_integer() and abs(cell) < _DIGITS):
        raise Unfit("is no id", "export ids as text or as whole numbers")
    if isinstance(cell, bool) or not isinstance(cell, int | float):
        raise unfit(cell, "is no id")
    return str(int(cell))


def flag_reader(source: FieldSource) -> Callable[[object], int]:
    """Reads 1 or 0: by the source's words, by the usual ones where it names none, or by a number
    being above 0."""
    true = frozenset(map(fold, source.true_words))
    false = frozenset(map(fold, source.false_words))
    words = dict.fromkeys(true or (frozenset(TRUE) - false), 1)
    words |= dict.fromkeys(false or (frozenset(FALSE) - true), 0)
    known = ", ".join((*(source.true_words or TRUE[:2]), *(source.false_words or FALSE[:2])))

    def read(cell: object) -> int:
        if isinstance(cell, bool):
            return int(cell)
        if isinstance(cell, str) and (flag := words.get(fold(cell))) is not None:
            return flag
        try:
            return int(read_number(cell, source.decimal) > 0)
        except Unfit:
            raise (
                unfit(cell, f"is neither yes nor no (known: {known})")
                if isinstance(cell, Nested)
                else Unfit(
                    "is neither yes nor no",
                    f"the words are {known}; name others in `source: {{true_words, false_words}}`",
                )
            ) from None

    return read


def read_point(cell: object) -> tuple[float, float]:
    """Latitude and longitude in degrees, from "lat, lon" or a list of two. Raises Unfit."""
    if isinstance(cell, str):
        parts: Sequence[object] = _BETWEEN.split(cell.strip().strip("()[]"))
    elif isinstance(cell, list | tuple):
        parts = cell
    else:
        raise unfit(cell, "is not a latitude and a longitude")
    if len(parts) != 2:
        raise Unfit("is not a latitude and a longitude", 'write "52.5, 13.4"')
    try:
        latitude, longitude = (read_number(part, ".") for part in parts)
    except Unfit:
        raise Unfit("is not a latitude and a longitude", 'write "52.5, 13.4"') from None
    if abs(latitude) > 90 or abs(longitude) > 180:
        swapped = abs(longitude) <= 90 and abs(latitude) <= 180
        remedy = "the latitude comes first" if swapped else "degrees go to 90 and 180"
        raise Unfit("is not a latitude and a longitude in degrees", remedy)
    return latitude, longitude


def json_labels(cell: str) -> tuple[str, ...] | None:
    """The labels of a JSON list of texts, or of objects with a text under `name`; None where the
    cell holds no such list."""
    text = cell.strip()
    if not (text.startswith("[") and text.endswith("]")):
        return None
    try:
        found: object = msgspec.json.decode(text)
    except msgspec.MsgspecError:
        return None
    listed: list[Any] = found if isinstance(found, list) else []
    names: list[Any] = [part.get("name") if isinstance(part, dict) else part for part in listed]
    labels = tuple(name for name in names if isinstance(name, str))
    return labels if len(labels) == len(names) else None


def label_reader(source: FieldSource, *, single: bool) -> Callable[[object], tuple[str, ...]]:
    """Reads the labels of a cell: split by the separator, stripped, without empty parts and words
    for no value. A JSON list in a text cell is read as a list (`json_labels`). Raises Unfit."""
    is_missing, separator = missing_test(source), source.separator

    def read(cell: object) -> tuple[str, ...]:
        if isinstance(cell, str):
            if is_missing(cell.strip()):
                return ()
            listed = None if separator else json_labels(cell)
            parts: Sequence[str] = listed or (cell.split(separator) if separator else (cell,))
            if listed == ():
                return ()
        elif isinstance(cell, list | tuple):
            parts = [plain_text(part) for part in cell]
        elif isinstance(cell, Nested):
            raise unfit(cell, "is no label")
        else:
            parts = (plain_text(cell),)
        labels = tuple(part for part in (part.strip() for part in parts) if not is_missing(part))
        if single and len(labels) > 1:
            raise Unfit("holds several labels", "make the field `kind: categories`")
        if any("[[" in label and _TAG.search(label) for label in labels):
            raise Unfit("holds a tag by which agents propose items", "take the tag out")
        return labels

    return read
