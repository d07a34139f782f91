"""What is worth a warning: nothing is wrong with any one cell, and yet the column is strange."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mystery_shopper.catalog import FieldSpec, Kind, fold
from mystery_shopper.sources.building.account import Dropped, shown
from mystery_shopper.sources.building.builders import NONE, NUMBER, WORDS, Labels
from mystery_shopper.sources.building.nothings import NO_VALUES, says_gone

MOST_LABELS = 100_000
FEW_ROWS = 20
"""Below so many known values, or so many on one side of a change, nothing is said."""
SEPARATORS = ("|", ";", ",", "/", "\t")
_SEPARATED = 0.2
_PURE = 0.9
_SIDE = 0.1
_EXAMPLES = 3


def type_change(looks: NDArray[np.int8]) -> tuple[int, int, int] | None:
    """Where a column turns from numbers to other texts, or back: (row, how many known cells stand
    before, how many from there on). None where it does not.

    The row is the first of the other sort after a start of one sort alone. At least `FEW_ROWS`
    known cells and a tenth of all stand before it, and nine tenths of what follows is of the other
    sort.
    """
    rows = np.flatnonzero(looks != NONE)
    if not len(rows):
        return None
    sorts = looks[rows]
    others = np.flatnonzero(sorts != sorts[0])
    if not len(others):
        return None
    before, after = int(others[0]), len(rows) - int(others[0])
    if before < max(FEW_ROWS, _SIDE * len(rows)) or len(others) < _PURE * after:
        return None
    return int(rows[before]), before, after


def change_warning(looks: NDArray[np.int8], lines: Sequence[int], unit: str = "line") -> str | None:
    """The same in words, with the line."""
    found = type_change(looks)
    if found is None:
        return None
    row, before, after = found
    turned = int(looks[row])
    names = {NUMBER: "numbers", WORDS: "other text"}
    was = names[NUMBER + WORDS - turned]
    return (
        f"changes from {was} to {names[turned]} at {unit} {lines[row]}"
        f" ({before:,} known values before it, {after:,} from there on)"
    )


def label_warnings(labels: Labels, spec: FieldSpec, known: int, distinct: int) -> list[str]:
    """Too many labels, a separator that is not named, spellings that were merged."""
    found: list[str] = []
    if distinct > MOST_LABELS or (known > FEW_ROWS and distinct > known / 2):
        found.append(
            f"{distinct:,} distinct labels in {known:,} rows: few items share one"
            " (should it be `kind: text`, or have a separator?)"
        )
    unused = spec.source.separator
    if unused and known and not labels.split:
        found.append(f"the separator {unused!r} occurs in no value: is it another?")
    separator = _unnamed_separator(labels, spec)
    if separator is not None:
        mark, share = separator
        found.append(
            f"{share:.0%} of the labels hold {mark!r}: if it stands between several labels, set"
            f" `kind: categories` and `source: {{separator: {_quoted(mark)}}}`"
        )
    found.extend(_no_values(labels))
    merged = labels.merged()
    if merged:
        told = "; ".join(map(_merging, merged[:_EXAMPLES]))
        count = sum(len(group) - 1 for group in merged)
        found.append(
            f"{count:,} spelling{'s' * (count != 1)} merged, as case and spaces do not count; the"
            f" most frequent stands: {told}{' …' if len(merged) > _EXAMPLES else ''}"
        )
    return found


def _merging(group: Sequence[tuple[str, int]]) -> str:
    """`'Garhammer' (313) for 'GARHAMMER' (2)`. Spaces are shown where nothing else differs."""
    labels = [label for label, _ in group]
    visible = repr
    if len({"".join(label.split()) for label in labels}) < len(labels):
        visible = _spaced
    elif len({unicodedata.normalize("NFKC", label) for label in labels}) < len(labels):
        visible = ascii
    first, *others = [f"{visible(label)} ({count:,})" for label, count in group[: _EXAMPLES + 1]]
    return f"{first} for {', '.join(others)}{' …' if len(group) > _EXAMPLES + 1 else ''}"


def _spaced(label: str) -> str:
    """With a sign for each space."""
    return repr(label).replace(" ", "␣")


def _unnamed_separator(labels: Labels, spec: FieldSpec) -> tuple[str, float] | None:
    if not len(labels.codes):
        return None
    often = np.array(labels.often())
    for mark in SEPARATORS:
        if mark == spec.source.separator:
            continue
        holds = np.fromiter((mark in label for label in labels.spellings), np.bool_, len(often))
        share = float(often[holds].sum() / often.sum())
        if share > _SEPARATED:
            return mark, share
    return None


def _no_values(labels: Labels) -> list[str]:
    """Labels that other files write for no value."""
    suspects = {label: code for label, code in labels.spellings.items() if fold(label) in NO_VALUES}
    return [
        f"{labels.codes.count(code):,} values are {label!r}: if it stands for no value, set"
        f" `source: {{missing: [{label!r}]}}`"
        for label, code in sorted(suspects.items())
    ]


def formats_warnings(labels: Labels) -> list[str]:
    """Labels of the formats' column that say that an item cannot be had."""
    gone = [
        (label, count)
        for label, count in zip(labels.spellings, labels.often(), strict=True)
        if says_gone(label) and count
    ]
    return [
        f"{count:,} item{'s' * (count != 1)} can be had {label!r}, as if that were a way to have"
        f" one: set `source: {{missing: [{label!r}]}}`, or make the field `kind: flag` with these"
        " as `false_words`"
        for label, count in sorted(gone)
    ]


def loss_warning(field: str, kept: int, dropped: Sequence[Dropped], spec: FieldSpec) -> str | None:
    """A field of which more than half of the cells that hold something were dropped, and what
    would help."""
    lost = sum(one.count for one in dropped)
    if lost <= kept:
        return None
    most = dropped[0]
    cure = f"; {most.remedy}" if most.remedy else ""
    return (
        f"{lost:,} of {lost + kept:,} values of {field} were dropped. Most: a value {most.reason},"
        f" and the field is of kind {spec.kind.value}{cure}"
    )


def _quoted(mark: str) -> str:
    return '"\\t"' if mark == "\t" else f'"{mark}"'


def popularity_warning(field: str) -> str:
    """What a popularity field without a value means."""
    return f"popularity is empty: no row has a value of {field}, so the order is by id"


def id_warnings(odd: Sequence[str], count: int, shortened: int) -> list[str]:
    """Legal ids that may give trouble elsewhere, and ids that a spreadsheet has cut."""
    found: list[str] = []
    if count:
        examples = ", ".join(shown(one) for one in odd[:_EXAMPLES])
        some = "1 id holds" if count == 1 else f"{count:,} ids hold"
        found.append(f"{some} quotes or control characters (kept): {examples}")
    if shortened:
        some = "1 id looks" if shortened == 1 else f"{shortened:,} ids look"
        found.append(
            f"{some} like a number that a spreadsheet has shortened (4.39E+08): export ids as text"
        )
    return found


def carries_change(spec: FieldSpec) -> bool:
    """Whether a change of type says something of this field: flags and points have types of their
    own."""
    return spec.kind not in (Kind.FLAG, Kind.POINT)
