"""The ids of a file: well formed, each once."""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence

from mystery_shopper.catalog import id_problem
from mystery_shopper.sources.building.account import Problem, shown
from mystery_shopper.sources.building.cells import read_id
from mystery_shopper.sources.building.checks import id_warnings
from mystery_shopper.sources.building.unfit import Unfit
from mystery_shopper.sources.tables import Nested

_ODD = re.compile("[\x00-\x1f\x7f-\x9f\"'`]")
_SHORTENED = re.compile(r"\d(?:[.,]\d+)?[eE]\+?\d+")
_LOOKED_UP = 20
"""For so many duplicates the first of the two is looked up, which takes a pass over all ids."""
MISSING = "has no id"
TWICE = "is an id that occurs twice"


class Ids:
    """The ids of the rows that are kept, with their lines."""

    def __init__(self, column: str, unit: str) -> None:
        self.texts: list[str] = []
        self.lines = array("q")
        self._column, self._unit = column, unit
        self._seen: set[str] = set()
        self._odd: list[str] = []
        self._odd_count = self._shortened = self._twice = 0

    def add(self, lines: Sequence[int], cells: Sequence[object]) -> tuple[list[int], list[Problem]]:
        """Read some rows' ids. The places of the rows that are kept, and why the others are not."""
        kept: list[int] = []
        problems: list[Problem] = []
        for place, cell in enumerate(cells):
            try:
                item_id = read_id(cell) if cell is not None else ""
            except Unfit as unfit:
                problems.append(self._problem(lines[place], cell, unfit.reason, unfit.remedy))
                continue
            if item_id in self._seen or id_problem(item_id) is not None:
                problems.append(self._refused(lines[place], item_id))
                continue
            self._seen.add(item_id)
            self.texts.append(item_id)
            self.lines.append(lines[place])
            kept.append(place)
            if not item_id.isalnum():
                self._note(item_id)
            elif "e" in item_id.lower() and _SHORTENED.fullmatch(item_id):
                self._shortened += 1
        return kept, problems

    def forget_seen(self) -> None:
        """Free what only `add` needs."""
        self._seen = set()

    def warnings(self) -> list[str]:
        """What is odd about ids that were kept."""
        return id_warnings(self._odd, self._odd_count, self._shortened)

    def _note(self, item_id: str) -> None:
        if _ODD.search(item_id):
            self._odd_count += 1
            if len(self._odd) < 5:
                self._odd.append(item_id)
        elif _SHORTENED.fullmatch(item_id):
            self._shortened += 1

    def _refused(self, line: int, item_id: str) -> Problem:
        if not item_id:
            return Problem(line, self._column, None, MISSING, unit=self._unit)
        if item_id in self._seen:
            self._twice += 1
            more = ""
            if self._twice <= _LOOKED_UP:
                more = f"first on {self._unit} {self.lines[self.texts.index(item_id)]}"
            return self._problem(line, item_id, TWICE, "keep one of the two", more)
        return self._problem(
            line, item_id, "is an id with a bracket or a newline", "export another key as the id"
        )

    def _problem(
        self, line: int, cell: object, reason: str, remedy: str, more: str = ""
    ) -> Problem:
        value = None if isinstance(cell, Nested) else shown(cell)
        return Problem(line, self._column, value, reason, more, remedy, self._unit)
