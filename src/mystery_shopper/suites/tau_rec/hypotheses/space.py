"""Where eliminations come from: a catalogue with its fields' hypotheses prepared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from mystery_shopper.catalog import Catalogue, Predicate
from mystery_shopper.catalog.bits import Positions
from mystery_shopper.suites.tau_rec.hypotheses.axes import Axis, OpenAxis
from mystery_shopper.suites.tau_rec.hypotheses.elimination import Elimination
from mystery_shopper.suites.tau_rec.hypotheses.tables import LabelTable, RangeTable, Table

BOUNDS_ALONE = 128
BOUNDS_TOGETHER = 48
FIELDS_TOGETHER = 2


class HypothesisSpace:
    """The possible hidden requirements of every field of one catalogue.

    A field's table is made when the field is first declined and kept, so make one space per
    catalogue and start every elimination from it.
    """

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._tables: dict[str, Table] = {}

    def start(
        self, candidates: Positions, revealed: Sequence[Predicate], declined: Iterable[str]
    ) -> Elimination:
        """An elimination among the candidates.

        `candidates` are the positions that match the revealed predicates and may be recommended.
        Two declined fields give the product of their hypotheses. Of three or more the first two in
        the domain's order do; when their hypotheses are used up, the other candidates follow by
        popularity, because the remaining fields may be why an item was rejected. Fields that cannot
        carry a requirement are passed over.
        """
        wanted = set(declined)
        fields = [name for name in self._catalogue.domain.requirement_fields if name in wanted]
        ordered = np.sort(candidates)
        together = fields[:FIELDS_TOGETHER]
        kinds = [self._catalogue.domain.fields[name].kind for name in together]
        ranges = sum(kind.is_ordered for kind in kinds)
        limit = BOUNDS_TOGETHER if ranges > 1 else BOUNDS_ALONE
        axes: list[Axis] = [self._table(name).axis(ordered, revealed, limit) for name in together]
        while len(axes) < FIELDS_TOGETHER:
            axes.append(OpenAxis(np.zeros(len(ordered), np.int64)))
        open_ended = not fields or len(fields) > FIELDS_TOGETHER
        return Elimination(ordered, (axes[0], axes[1]), open_ended=open_ended)

    def _table(self, field: str) -> Table:
        table = self._tables.get(field)
        if table is None:
            ordered = self._catalogue.domain.fields[field].kind.is_ordered
            make = RangeTable if ordered else LabelTable
            table = self._tables[field] = make(self._catalogue, field)
        return table
