"""What would let a catalogue give more families, read off the account and the catalogue."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from mystery_shopper.catalog import Catalogue
from mystery_shopper.catalog.columns import FlagColumn, LabelColumn, NumberColumn
from mystery_shopper.suites.tau_rec.generate.account import TierAccount
from mystery_shopper.suites.tau_rec.generate.choices import bounds_for

NO_VALUE = "the item drawn has no value for a slot"
FEW_BOUNDS = 5
FEW_ITEMS = 20
"""Of a catalogue so small nothing is said about how its values spread."""
MISSING_SHARE = 0.25
MANY_LABELS = 50
FEW_BEARERS = 3
"""More labels than `MANY_LABELS`, borne by fewer items than these on average, tell too little
apart: whoever asks for one asks for an item."""


def advice(catalogue: Catalogue, tiers: Sequence[TierAccount]) -> Iterator[str]:
    """One remedy a text, the most telling ones first; none where every tier has what it wants."""
    if all(
        tier.made >= tier.wanted and tier.nvr_made >= tier.nvr_wanted and tier.made
        for tier in tiers
    ):
        return
    reasons = _reasons(tiers)
    domain = catalogue.domain
    for field in domain.requirement_fields:
        missing = _missing(catalogue, field)
        if missing >= MISSING_SHARE and reasons[NO_VALUE]:
            yield f"fill in {field!r}: {missing:.0%} of the items have no value"
    spread = {field: _spread(catalogue, field) for field in domain.requirement_fields}
    small = len(catalogue) < FEW_ITEMS
    alike = [] if small else [name for name, one in spread.items() if one.values == 1]
    if alike:
        names = ", ".join(map(repr, alike))
        yield f"fields whose values differ: every item has the same in {names}"
    for field in domain.requirement_fields:
        one = spread[field]
        if one.scattered:
            yield (
                f"a field of coarser labels, such as a category: the {one.values:,} labels of"
                f" {field!r} are borne by {one.bearers:.1f} items each"
            )
    for field in domain.requirement_fields:
        spec = domain.fields[field]
        if spec.kind.is_ordered and spread[field].values > 1:
            bounds = len(bounds_for(catalogue, field))
            if bounds < FEW_BOUNDS:
                finer = "a finer step" if spec.step else "a step"
                yield f"give {field!r} {finer}: a customer can name {bounds} bounds on it"
    unmarked = list(_unmarked(catalogue))
    if unmarked:
        names = ", ".join(map(repr, unmarked))
        yield f"mark more fields with `requirement: true`, such as {names}"
    else:
        without = [tier.tier.value for tier in tiers if not tier.templates]
        if without:
            yield (
                "one more field that carries requirements: there are too few for tier"
                f" {' and '.join(without)}"
            )
    few = any(
        tier.made - tier.nvr_made < tier.wanted - tier.nvr_wanted
        for tier in tiers
        if tier.templates
    )
    telling = sum(one.values > 1 and not one.scattered for one in spread.values())
    if few and sum(reasons.values()) > reasons[NO_VALUE] and (small or telling > 1):
        some = f"{len(catalogue):,} item{'s' * (len(catalogue) != 1)}"
        yield f"a larger catalogue: this one has {some}"
    if any(tier.nvr_made < tier.nvr_wanted for tier in tiers):
        yield (
            "values that never meet, for families without a valid recommendation: fields with more "
            "labels, or with finer bounds"
        )


class _Spread(NamedTuple):
    """How many different values a field has, and how many items bear one on average."""

    values: int
    bearers: float
    is_label: bool

    @property
    def scattered(self) -> bool:
        """Whether its labels are too many for its items."""
        return self.is_label and self.values > MANY_LABELS and self.bearers < FEW_BEARERS


def _spread(catalogue: Catalogue, field: str) -> _Spread:
    column = catalogue.columns[field]
    match column:
        case LabelColumn():
            values = len(column.labels)
            return _Spread(values, len(column.codes) / max(1, values), True)
        case NumberColumn():
            known = column.numbers[~np.isnan(column.numbers)]
        case FlagColumn():
            known = column.flags[column.flags >= 0]
        case _:
            return _Spread(0, 0.0, False)
    values = len(np.unique(known))
    return _Spread(values, len(known) / max(1, values), False)


def _reasons(tiers: Sequence[TierAccount]) -> Counter[str]:
    found: Counter[str] = Counter()
    for tier in tiers:
        for template in tier.templates:
            found.update(template.satisfiable.reasons)
            found.update(template.barren.reasons)
    return found


def _unmarked(catalogue: Catalogue) -> Iterator[str]:
    """Fields that could carry requirements and that some items have."""
    domain = catalogue.domain
    formats = domain.formats.column if domain.formats else None
    for name, spec in domain.fields.items():
        able = spec.kind.carries_requirements and not spec.requirement
        if able and name not in (domain.popularity, formats) and _missing(catalogue, name) < 1:
            yield name


def _missing(catalogue: Catalogue, field: str) -> float:
    """The share of items without a value."""
    column = catalogue.columns[field]
    match column:
        case LabelColumn():
            return float(np.mean(np.diff(column.offsets) == 0))
        case NumberColumn():
            return float(np.mean(np.isnan(column.numbers)))
        case FlagColumn():
            return float(np.mean(column.flags < 0))
        case _:
            return 0.0
