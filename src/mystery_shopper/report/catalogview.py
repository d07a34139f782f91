"""What there is to see of a catalogue: its fields, their values, what customers may say of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
import numpy as np

from mystery_shopper.catalog import Catalogue, bounds_of
from mystery_shopper.catalog.columns import (
    Column,
    FlagColumn,
    LabelColumn,
    NumberColumn,
    PointColumn,
)
from mystery_shopper.catalog.domain import FORMATS_FIELD
from mystery_shopper.catalog.formats import simulated_formats
from mystery_shopper.catalog.hints import block_hints

TOP = 10


class Count(msgspec.Struct, frozen=True):
    """A label and how many items bear it."""

    label: str
    items: int


class FieldView(msgspec.Struct, frozen=True, omit_defaults=True):
    """One field. `known`: items with a value. `labels`: how many labels the vocabulary has, `top`
    the most frequent; `several`: items of more than one label; `parents`: labels of the hierarchy
    that have others below them. `least`, `most`: of numbers; `bounds`: those that customers may
    name. `true`: items of which a flag is true. `mute`: why no question about it is understood.
    `hint`: shipped words that it could take."""

    name: str
    label: str
    kind: str
    known: int
    roles: tuple[str, ...] = ()
    labels: int | None = None
    top: tuple[Count, ...] = ()
    several: int | None = None
    parents: int | None = None
    least: float | None = None
    most: float | None = None
    bounds: tuple[int | float, ...] = ()
    true: int | None = None
    mute: str = ""
    hint: str = ""


class FormatsView(msgspec.Struct, frozen=True, omit_defaults=True):
    """How items can be had: from which column (None: simulated), and in each way how many; `mute`
    as of a field."""

    label: str
    column: str | None
    choices: tuple[Count, ...]
    mute: str = ""


class TierView(msgspec.Struct, frozen=True):
    """One tier: whether tasks of it can be drawn, its templates that can be met, and what stands
    in the way of the others, a line each."""

    tier: str
    feasible: bool
    templates: tuple[str, ...]
    problems: tuple[str, ...] = ()


class CatalogueView(msgspec.Struct, frozen=True, omit_defaults=True):
    """A catalogue as `catalog show` tells it. `tiers` is None where it was not asked for."""

    name: str
    noun: str
    items: int
    sizes: tuple[int, ...]
    digest: str
    fields: tuple[FieldView, ...]
    formats: FormatsView | None = None
    tiers: tuple[TierView, ...] | None = None


def view_catalogue(
    catalogue: Catalogue,
    *,
    tiers: Sequence[TierView] | None = None,
    mute: Mapping[str, str] | None = None,
) -> CatalogueView:
    """The view of a catalogue. `mute`: field -> why no question about it is understood."""
    quiet, noun = mute or {}, catalogue.domain.noun
    return CatalogueView(
        name=catalogue.name,
        noun=noun.singular if len(catalogue) == 1 else noun.plural,
        items=len(catalogue),
        sizes=catalogue.sizes,
        digest=catalogue.digest,
        fields=tuple(
            _field(catalogue, name, quiet.get(name, "")) for name in catalogue.domain.fields
        ),
        formats=_formats(catalogue, quiet.get(FORMATS_FIELD, "")),
        tiers=None if tiers is None else tuple(tiers),
    )


def _field(catalogue: Catalogue, name: str, mute: str) -> FieldView:
    domain, column = catalogue.domain, catalogue.columns[name]
    spec = domain.fields[name]
    spoken = {
        "title": name == domain.title,
        "popularity": name == domain.popularity,
        "recency": name == domain.recency,
        "formats": domain.formats is not None and name == domain.formats.column,
        "requirement": spec.requirement,
        "keyword": bool(spec.keyword),
    }
    view = FieldView(
        name=name,
        label=domain.label(name),
        kind=spec.kind.value,
        known=_known(column),
        roles=tuple(role for role, holds in spoken.items() if holds),
        mute=mute,
        hint=block_hints(domain).get(name, ""),
    )
    if isinstance(column, LabelColumn):
        return _with_labels(catalogue, view, column)
    if isinstance(column, NumberColumn):
        return _with_numbers(view, column, spec.step, spoken["requirement"])
    if isinstance(column, FlagColumn):
        return msgspec.structs.replace(view, true=int((column.flags == 1).sum()))
    return view


def _known(column: Column) -> int:
    """Items that have a value."""
    if isinstance(column, LabelColumn):
        return int((np.diff(column.offsets) > 0).sum())
    if isinstance(column, NumberColumn):
        return int((~np.isnan(column.numbers)).sum())
    if isinstance(column, FlagColumn):
        return int((column.flags >= 0).sum())
    if isinstance(column, PointColumn):
        return int((~np.isnan(column.points[:, 0])).sum())
    return sum(bool(text) for text in column.texts)


def _with_labels(catalogue: Catalogue, view: FieldView, column: LabelColumn) -> FieldView:
    counts = np.bincount(column.codes, minlength=len(column.labels))
    order = np.argsort(-counts, kind="stable")[:TOP].tolist()
    tree = catalogue.domain.hierarchies[view.name]
    return msgspec.structs.replace(
        view,
        labels=len(column.labels),
        top=tuple(Count(column.labels[code], int(counts[code])) for code in order),
        several=None if column.single else int((np.diff(column.offsets) > 1).sum()),
        parents=len(set(tree.parents.values())) if tree else None,
    )


def _with_numbers(
    view: FieldView, column: NumberColumn, step: float | None, required: bool
) -> FieldView:
    if not view.known:
        return view
    return msgspec.structs.replace(
        view,
        least=float(np.nanmin(column.numbers)),
        most=float(np.nanmax(column.numbers)),
        bounds=bounds_of(column.numbers, step) if required else (),
    )


def _formats(catalogue: Catalogue, mute: str) -> FormatsView | None:
    formats = catalogue.domain.formats
    if formats is None:
        return None
    if formats.column is None:
        had = dict.fromkeys(formats.simulated, 0)
        for item_id in catalogue.ids:
            for choice in simulated_formats(item_id, formats.simulated):
                had[choice] += 1
        return FormatsView(formats.label, None, tuple(Count(c, n) for c, n in had.items()), mute)
    column = catalogue.columns[formats.column]
    if isinstance(column, LabelColumn):
        counts = np.bincount(column.codes, minlength=len(column.labels)).tolist()
        choices = tuple(map(Count, column.labels, counts))
        return FormatsView(formats.label, formats.column, choices, mute)
    if isinstance(column, NumberColumn):
        many = int((column.numbers > 0).sum())
    else:
        many = int((column.flags == 1).sum()) if isinstance(column, FlagColumn) else 0
    return FormatsView(formats.label, formats.column, (Count(formats.single, many),), mute)
