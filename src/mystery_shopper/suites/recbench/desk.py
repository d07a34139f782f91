"""The tools of one episode: search, metadata, and the history where it is handed over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec
import numpy as np

from mystery_shopper.catalog import Condition
from mystery_shopper.dialogue import Tool, ToolErrorKind, ToolResult, tool_error
from mystery_shopper.suites.recbench.request import History
from mystery_shopper.suites.recbench.shelf import PAGE, Interface, NoArguments, OfItem, Shelf

MOST_HITS = 1_000
"""A search by keywords alone finds the best so many."""
_encode = msgspec.json.Encoder().encode


@dataclass(frozen=True)
class Desk:
    """What the agent can do in one episode. `history`: what is handed over; None: nothing is."""

    shelf: Shelf
    interface: Interface
    history: History | None = None

    @cached_property
    def tools(self) -> Mapping[str, Tool]:
        """The tools by name."""
        runs = {
            "search": self.search,
            "get_metadata": self.get_metadata,
            "get_history": self.get_history,
        }
        specs = self.shelf.specs(self.interface, self.history is not None)
        return {spec.name: Tool(spec, runs[spec.name]) for spec in specs}

    def search(self, arguments: msgspec.Struct) -> ToolResult:
        """By keywords (BM25), by values that all must hold, or by both; all items where neither is
        given. An unknown value gives those of the nearest spelling."""
        schema = self.shelf.search_schema
        given: dict[str, Any] = msgspec.structs.asdict(arguments)
        conditions = [
            Condition(relation, value)
            for argument, relation in schema.relations.items()
            for value in _many(given[argument])
        ]
        graph = self.shelf.graph
        for condition in conditions:
            if graph.code(condition) is None:
                return self._unknown(condition)
        found = self._found(given["keywords"], conditions)
        page: int = given["page"]
        shown = found[(page - 1) * PAGE : page * PAGE]
        return _result(
            total=len(found),
            page=page,
            pages=-(-len(found) // PAGE),
            items=[self.shelf.row(position) for position in shown],
        )

    def _found(self, keywords: str, conditions: Sequence[Condition]) -> Sequence[int]:
        """Positions: by score where there are keywords, else by popularity."""
        size = len(self.shelf.catalogue)
        meeting = self.shelf.graph.meets(conditions) if conditions else None
        if not keywords.strip():
            return range(size) if meeting is None else meeting.tolist()
        if meeting is None:
            return [position for position, _ in self.shelf.keyword.search(keywords, MOST_HITS)]
        held = np.zeros(size, np.bool_)
        held[meeting] = True
        hits = self.shelf.keyword.search(keywords, size)
        return [position for position, _ in hits if held[position]]

    def _unknown(self, condition: Condition) -> ToolResult:
        text = f"The catalogue has no {condition.value[:80]!r} as {condition.relation}."
        near = self.shelf.spellings.near(condition.relation, condition.value)
        known = len(self.shelf.graph.values(condition.relation))
        more = {"nearest_of": known} if known > len(near) else {}
        return tool_error(ToolErrorKind.REFUSED, text, known=near, **more)

    def get_metadata(self, arguments: OfItem) -> ToolResult:
        """What the catalogue holds on one item."""
        item = self.shelf.catalogue.find(arguments.item_id)
        if item is None:
            text = f"The catalogue has no item {arguments.item_id[:80]!r}."
            return tool_error(ToolErrorKind.REFUSED, text)
        return _result(**self.shelf.record(item))

    def get_history(self, _: NoArguments) -> ToolResult:
        """What was handed over, with ids."""
        items = self.history.items if self.history is not None else ()
        rows = [self.shelf.row(self.shelf.position_of[item]) for item in items]
        return _result(history=rows)


def _result(**told: object) -> ToolResult:
    return ToolResult(_encode(told).decode())


def _many(value: str | tuple[str, ...] | None) -> tuple[str, ...]:
    return () if value is None else (value,) if isinstance(value, str) else value
