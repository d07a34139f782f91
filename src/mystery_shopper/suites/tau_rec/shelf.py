"""A catalogue made ready for episodes: its indexes, its rows as JSON text, and its tools' schemas.

One shelf serves every episode over one catalogue; nothing in it changes but caches.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import Annotated, Any, Literal

import msgspec

from mystery_shopper.catalog import (
    Catalogue,
    Domain,
    Item,
    Kind,
    fold,
    formats_of,
    keyword_index,
)
from mystery_shopper.catalog.keyword import KeywordIndex
from mystery_shopper.catalog.structured import StructuredIndex
from mystery_shopper.dialogue import ToolSpec
from mystery_shopper.dialogue.tools import argument_name
from mystery_shopper.suites.tau_rec.asks import FORMATS_FIELD, AskReader
from mystery_shopper.suites.tau_rec.hypotheses import HypothesisSpace
from mystery_shopper.suites.tau_rec.policies import CHECK_CONTENT
from mystery_shopper.suites.tau_rec.scoring import Scorer
from mystery_shopper.suites.tau_rec.tags import defuse
from mystery_shopper.suites.tau_rec.wording import Wording

ITEM_ID = "item_id"
"""The key of an item's id in what the tools show; a field of that name is left out."""

KEPT_ROWS = 20_000
"""How many rows a shelf keeps as JSON text, a few hundred bytes each."""


class Interface(StrEnum):
    """How the agent finds items."""

    STRUCTURED = "structured"
    KEYWORD = "keyword"


class ByKeyword(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Arguments of the keyword search."""

    query: str


class OfItem(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Arguments of a tool about one item."""

    item_id: str


class NoArguments(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Arguments of a tool that takes none: an empty object."""


class Recommendation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Arguments of the terminal tool: one id, or null to abstain."""

    item_id: str | None


@dataclass(frozen=True)
class SearchSchema:
    """The structured search's argument type, and which argument filters which field."""

    arguments: type[msgspec.Struct]
    labels: Mapping[str, str]
    lower: Mapping[str, str]
    upper: Mapping[str, str]
    flags: Mapping[str, str]
    formats: bool


@dataclass(frozen=True)
class Shelf:
    """Everything that episodes over one catalogue share."""

    catalogue: Catalogue

    def __reduce__(self) -> tuple[type[Shelf], tuple[Catalogue]]:
        return Shelf, (self.catalogue,)

    @cached_property
    def structured(self) -> StructuredIndex:
        """The index behind the structured search."""
        return StructuredIndex.build(self.catalogue)

    @cached_property
    def keyword(self) -> KeywordIndex:
        """The index behind the keyword search."""
        return keyword_index(self.catalogue)

    @cached_property
    def reader(self) -> AskReader:
        """The ear of the rule-based user."""
        return AskReader(self.catalogue.domain, self.catalogue.vocabulary())

    @cached_property
    def wording(self) -> Wording:
        """The sentences of the rule-based user."""
        return Wording(self.catalogue.domain)

    @cached_property
    def hypotheses(self) -> HypothesisSpace:
        """What the eliminating agent prepares of the catalogue once."""
        return HypothesisSpace(self.catalogue)

    @cached_property
    def scorer(self) -> Scorer:
        """Scores transcripts of episodes over this catalogue."""
        return Scorer(self.catalogue)

    def row(self, position: int) -> msgspec.Raw:
        """A search result's row as JSON text: id, title, and the fields that carry requirements."""
        return self._row(position)

    @cached_property
    def _row(self) -> Callable[[int], msgspec.Raw]:
        """Makes a row, or has it from the last `KEPT_ROWS` ones that were asked for."""
        catalogue = self.catalogue
        names = [name for name in catalogue.domain.requirement_fields if name != ITEM_ID]

        def row(position: int) -> msgspec.Raw:
            item = catalogue.item(position)
            shown: dict[str, Any] = {ITEM_ID: item.id, catalogue.domain.title: self.title(item)}
            return msgspec.Raw(msgspec.json.encode(shown | {name: item[name] for name in names}))

        return lru_cache(maxsize=KEPT_ROWS)(row)

    def record(self, item: Item) -> dict[str, Any]:
        """An item's metadata: its id and every shown field."""
        domain = self.catalogue.domain
        kept = {
            name: item[name]
            for name, spec in domain.fields.items()
            if spec.shown and name != ITEM_ID
        }
        for name, value in kept.items():
            if isinstance(value, str) and domain.fields[name].kind is Kind.TEXT:
                kept[name] = defuse(value)
        return {ITEM_ID: item.id, **kept}

    def title(self, item: Item) -> str:
        """An item's name as agents see it."""
        return defuse(item.title)

    def formats(self, item: Item) -> tuple[str, ...]:
        """In which formats the item can be had."""
        return formats_of(item)

    @cached_property
    def search_schema(self) -> SearchSchema:
        """The structured search's arguments, made from the fields that carry requirements."""
        return _search_schema(self.catalogue.domain, self.wording)

    @cached_property
    def content_check(self) -> ToolSpec | None:
        """The tool that a restricted label is checked with, its argument named after the domain's
        restricted field; None where the domain restricts none."""
        roles = self.catalogue.domain.policies
        if roles is None or roles.restricted is None:
            return None
        label = self.wording.label(roles.restricted)
        argument = (argument_name(roles.restricted, set()), str)
        struct = msgspec.defstruct(
            "ContentCheck", [argument], frozen=True, forbid_unknown_fields=True
        )
        text = f"Whether a {label} is restricted and has to be confirmed with the user."
        return ToolSpec(CHECK_CONTENT, text, struct)

    @cached_property
    def checkable(self) -> tuple[str, ...]:
        """The labels that the content check knows: the catalogue's and the restricted ones."""
        roles = self.catalogue.domain.policies
        if roles is None or roles.restricted is None:
            return ()
        labels = self.catalogue.labels(roles.restricted).labels
        return tuple(dict.fromkeys((*labels, *roles.restricted_labels)))

    def specs(self, interface: Interface) -> tuple[ToolSpec, ...]:
        """What an agent is told of its tools."""
        return self._structured_specs if interface is Interface.STRUCTURED else self._keyword_specs

    @cached_property
    def _structured_specs(self) -> tuple[ToolSpec, ...]:
        noun = self.catalogue.domain.noun.plural
        text = (
            f"Search the catalogue of {noun} by filters. Every filter must hold. Results come in "
            "pages of 20 with the total count, by popularity or by recency."
        )
        return (ToolSpec("search", text, self.search_schema.arguments), *self._other_specs)

    @cached_property
    def _keyword_specs(self) -> tuple[ToolSpec, ...]:
        noun = self.catalogue.domain.noun.plural
        text = f"Search the catalogue of {noun} by keywords. The 20 best matches come back."
        return (ToolSpec("search", text, ByKeyword), *self._other_specs)

    @cached_property
    def _other_specs(self) -> tuple[ToolSpec, ...]:
        noun = self.catalogue.domain.noun
        specs = [
            ToolSpec(
                "get_metadata", f"All that the catalogue holds on one {noun.singular}.", OfItem
            )
        ]
        if self.catalogue.domain.formats is not None:
            label = self.wording.label(FORMATS_FIELD)
            called = "" if label == FORMATS_FIELD else f" ({label})"
            text = f"The formats{called} in which one {noun.singular} can be had."
            specs.append(ToolSpec("check_formats", text, OfItem))
        if self.content_check is not None:
            specs.append(self.content_check)
        text = f"The {noun.plural} that the user already knows."
        specs.append(ToolSpec("get_history", text, NoArguments))
        text = f"Recommend one {noun.singular} by its id, or null for none. This ends the dialogue."
        specs.append(ToolSpec("recommend", text, Recommendation))
        return tuple(specs)


def _search_schema(domain: Domain, wording: Wording) -> SearchSchema:
    labels: dict[str, str] = {}
    lower: dict[str, str] = {}
    upper: dict[str, str] = {}
    flags: dict[str, str] = {}
    taken = {"formats", "order", "page"}
    arguments: list[tuple[str, Any, Any]] = []
    for name in domain.requirement_fields:
        kind = domain.fields[name].kind
        told = wording.label(name)
        if kind.is_label:
            argument = argument_name(name, taken)
            labels[argument] = name
            arguments.append(_optional(argument, str | tuple[str, ...], told))
        elif kind.is_ordered:
            for bound, word, table in (("min", "least", lower), ("max", "greatest", upper)):
                argument = argument_name(f"{name}_{bound}", taken)
                table[argument] = name
                arguments.append(_optional(argument, float, told, f"the {word} {told}"))
        else:
            argument = argument_name(name, taken)
            flags[argument] = name
            yes, no = wording.flag_phrases(name)
            arguments.append(_optional(argument, bool, "", f"{told}; true: {yes}; false: {no}"))
    if domain.formats is not None:
        text = "acceptable formats; an item in any of them fits"
        if (label := wording.label(FORMATS_FIELD)) != FORMATS_FIELD:
            text = f"acceptable formats ({label}); an item in any of them fits"
        kind = Annotated[str | tuple[str, ...] | None, msgspec.Meta(description=text)]
        arguments.append(("formats", kind, None))
    orders = ("popularity", "recency") if domain.recency else ("popularity",)
    arguments.append(("order", Literal[orders], "popularity"))
    arguments.append(("page", Annotated[int, msgspec.Meta(ge=1)], 1))
    struct = msgspec.defstruct("Search", arguments, frozen=True, forbid_unknown_fields=True)
    return SearchSchema(struct, labels, lower, upper, flags, domain.formats is not None)


def _optional(argument: str, kind: Any, label: str, text: str = "") -> tuple[str, Any, None]:
    """An argument that may be left out, described where its name does not say what its field is
    called: where no word of the label stands in it."""
    named = set(fold(argument.replace("_", " ")).split())
    if label and not named.isdisjoint(fold(label).split()):
        return argument, kind | None, None
    return argument, Annotated[kind | None, msgspec.Meta(description=text or label)], None
