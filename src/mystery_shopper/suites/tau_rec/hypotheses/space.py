"""A catalogue with its fields' hypotheses prepared."""

from __future__ import annotations

from collections.abc import Sequence

from mystery_shopper.catalog import Catalogue, Predicate
from mystery_shopper.catalog.bits import Positions
from mystery_shopper.suites.tau_rec.hypotheses.axes import Axis
from mystery_shopper.suites.tau_rec.hypotheses.tables import Table, table_of

BOUNDS_ALONE = 128
BOUNDS_TOGETHER = 48


class HypothesisSpace:
    """The possible hidden requirements of every field of one catalogue.

    A field's table is made when the field is first declined and kept, so make one space per
    catalogue and start every elimination from it.
    """

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self._tables: dict[str, Table] = {}

    def axes(
        self, candidates: Positions, revealed: Sequence[Predicate], fields: Sequence[str]
    ) -> list[Axis]:
        """The hypotheses about each of the fields that the candidates may satisfy.

        Of an ordered field at most 128 values serve as bounds, 48 where two such fields meet.
        """
        kinds = [self.catalogue.domain.fields[name].kind for name in fields]
        ranges = sum(kind.is_ordered for kind in kinds)
        limit = BOUNDS_TOGETHER if ranges > 1 else BOUNDS_ALONE
        return [self._table(name).axis(candidates, revealed, limit) for name in fields]

    def _table(self, field: str) -> Table:
        table = self._tables.get(field)
        if table is None:
            table = self._tables[field] = table_of(self.catalogue, field)
        return table
