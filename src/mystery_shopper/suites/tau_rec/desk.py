"""The tools of one episode: search, metadata, formats, history, and the terminal recommend."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec

from mystery_shopper.catalog import Policies, fold
from mystery_shopper.catalog.structured import MOST_SUGGESTED, Filters, UnknownLabel
from mystery_shopper.dialogue import Tool, ToolErrorKind, ToolResult, tool_error
from mystery_shopper.suites.tau_rec.policies import CHECK_CONTENT
from mystery_shopper.suites.tau_rec.shelf import (
    ByKeyword,
    Interface,
    NoArguments,
    OfItem,
    Recommendation,
    Shelf,
)

PAGE = 20
_encode = msgspec.json.Encoder().encode


@dataclass
class Desk:
    """What the agent can do in one episode. `decision` is set once it has recommended."""

    shelf: Shelf
    interface: Interface
    history: tuple[str, ...]
    decision: Recommendation | None = None

    @cached_property
    def tools(self) -> Mapping[str, Tool]:
        """The tools by name."""
        search = self.search if self.interface is Interface.STRUCTURED else self.search_keywords
        runs = {
            "search": search,
            "get_metadata": self.get_metadata,
            "check_formats": self.check_formats,
            CHECK_CONTENT: self.check_content,
            "get_history": self.get_history,
            "recommend": self.recommend,
        }
        return {spec.name: Tool(spec, runs[spec.name]) for spec in self.shelf.specs(self.interface)}

    def search(self, arguments: msgspec.Struct) -> ToolResult:
        """Conjunctive filters; an unknown label gives the valid ones, nearest spellings first."""
        schema = self.shelf.search_schema
        given: dict[str, Any] = msgspec.structs.asdict(arguments)

        def picked(table: Mapping[str, str]) -> dict[str, Any]:
            return {name: given[arg] for arg, name in table.items() if given[arg] is not None}

        filters = Filters(
            labels={name: _many(value) for name, value in picked(schema.labels).items()},
            lower=picked(schema.lower),
            upper=picked(schema.upper),
            flags=picked(schema.flags),
            formats=_many(given.get("formats")),
        )
        page_number: int = given["page"]
        try:
            page = self.shelf.structured.search(
                filters, order=given["order"], page=page_number, size=PAGE
            )
        except UnknownLabel as error:
            more: dict[str, Any] = {"known": error.vocabulary}
            if error.total > len(error.vocabulary):
                more["nearest_of"] = error.total
            text = f"The catalogue has no {error.label[:80]!r} for {error.field}."
            return tool_error(ToolErrorKind.REFUSED, text, **more)
        return ToolResult(
            _encode(
                {
                    "total": page.total,
                    "page": page_number,
                    "pages": -(-page.total // PAGE),
                    "items": [self.shelf.row(position) for position in page.positions],
                }
            ).decode()
        )

    def search_keywords(self, arguments: ByKeyword) -> ToolResult:
        """The 20 best matches by BM25."""
        hits = self.shelf.keyword.search(arguments.query, PAGE)
        found: dict[str, Any] = {"items": [self.shelf.row(position) for position, _ in hits]}
        if not hits:
            found["note"] = "No item matches any of these words."
        return ToolResult(_encode(found).decode())

    def get_metadata(self, arguments: OfItem) -> ToolResult:
        """All shown fields of one item."""
        item = self.shelf.catalogue.find(arguments.item_id)
        if item is None:
            return _no_item(arguments.item_id)
        return ToolResult(_encode(self.shelf.record(item)).decode())

    def check_formats(self, arguments: OfItem) -> ToolResult:
        """The formats of one item."""
        item = self.shelf.catalogue.find(arguments.item_id)
        if item is None:
            return _no_item(arguments.item_id)
        found = {"item_id": item.id, "formats": self.shelf.formats(item)}
        return ToolResult(_encode(found).decode())

    def check_content(self, arguments: msgspec.Struct) -> ToolResult:
        """Whether a label is restricted. It must be written exactly as the catalogue has it."""
        (label,) = msgspec.structs.astuple(arguments)
        roles = self.shelf.catalogue.domain.policies or Policies()
        if label not in self.shelf.checkable:
            return tool_error(
                ToolErrorKind.REFUSED,
                f"The catalogue has no {label[:80]!r} here.",
                known=self.shelf.checkable[:MOST_SUGGESTED],
            )
        restricted = fold(label) in map(fold, roles.restricted_labels)
        note = "Confirm it with the user." if restricted else "There is nothing to confirm."
        found = {"label": label, "restricted": restricted, "note": note}
        return ToolResult(_encode(found).decode())

    def get_history(self, _: NoArguments) -> ToolResult:
        """What the user already knows."""
        known = [self.shelf.catalogue.find(item_id) for item_id in self.history]
        title = self.shelf.catalogue.domain.title
        rows = [
            {"item_id": item.id, title: self.shelf.title(item)}
            for item in known
            if item is not None
        ]
        return ToolResult(_encode({"history": rows}).decode())

    def recommend(self, arguments: Recommendation) -> ToolResult:
        """The decision. It scores the id passed, whatever was said."""
        self.decision = arguments
        return ToolResult(_encode({"recommended": arguments.item_id}).decode())


def _many(value: str | tuple[str, ...] | None) -> tuple[str, ...]:
    return () if value is None else (value,) if isinstance(value, str) else value


def _no_item(item_id: str) -> ToolResult:
    return tool_error(ToolErrorKind.REFUSED, f"The catalogue has no item {item_id[:80]!r}.")
