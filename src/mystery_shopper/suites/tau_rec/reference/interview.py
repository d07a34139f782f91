"""What the scripted agents do alike: ask about every field, search on what is known, propose."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from mystery_shopper.catalog import Operator, Predicate, all_match, fold
from mystery_shopper.catalog.structured import Filters
from mystery_shopper.dialogue import Act, Message
from mystery_shopper.suites.tau_rec.policies import is_sponsored, restricted_labels_of
from mystery_shopper.suites.tau_rec.reference.script import Script, call, say
from mystery_shopper.suites.tau_rec.shelf import Interface, Shelf
from mystery_shopper.suites.tau_rec.wording import Heard, field_labels, listed

Steps = Generator[Act, Sequence[Message], Any]


@dataclass(frozen=True)
class Known:
    """What the agent knows of the request."""

    predicates: tuple[Predicate, ...] = ()
    formats: tuple[str, ...] = ()
    declined: tuple[str, ...] = ()
    history: frozenset[str] = frozenset()

    def plus(self, heard: Heard) -> Known:
        """With what was just heard."""
        return replace(
            self,
            predicates=tuple(dict.fromkeys(self.predicates + heard.predicates)),
            formats=heard.formats if heard.formats is not None else self.formats,
            declined=tuple(dict.fromkeys(self.declined + heard.declined)),
        )


@dataclass(frozen=True)
class Interviewer:
    """The steps that reference agents share, over one shelf and one search interface."""

    shelf: Shelf
    interface: Interface

    @cached_property
    def question(self) -> str:
        """One question that names every field and the formats. A label's own stops and question
        marks are left out: they would end it early."""
        labels = field_labels(self.shelf.catalogue.domain)
        named = [f"the {re.sub(r'[.?!;]+', ' ', label).strip()}" for label in labels]
        return f"Do you have any requirements on {listed(named, 'or')}?"

    def read(self, text: str) -> Heard:
        """What the user's words say."""
        return self.shelf.wording.read(text)

    def learn(self, opening: str, *, ask: bool) -> Generator[Act, Sequence[Message], Known]:
        """Read the opening, ask the one question if wanted, and look at the history."""
        known = Known().plus(self.read(opening))
        if ask:
            known = known.plus(self.read((yield from say(self.question))))
        found = yield from call("get_history")
        return replace(known, history=frozenset(row["item_id"] for row in found.get("history", ())))

    def filters(self, known: Known) -> Filters:
        """What is known as filters of the structured index, as far as it has filters for it."""
        sides = _sides(known.predicates)
        return Filters(sides.labels, sides.lower, sides.upper, known.formats, sides.flags)

    def arguments(self, predicates: Iterable[Predicate], formats: Sequence[str]) -> dict[str, Any]:
        """What is known as arguments of the structured search tool, as far as it has them."""
        schema = self.shelf.search_schema
        sides = _sides(predicates)
        labels = {name: list(wanted) for name, wanted in sides.labels.items()}
        given: dict[str, Any] = {
            argument: values[name]
            for table, values in (
                (schema.labels, labels),
                (schema.lower, sides.lower),
                (schema.upper, sides.upper),
                (schema.flags, sides.flags),
            )
            for argument, name in table.items()
            if name in values
        }
        if formats and schema.formats:
            given["formats"] = list(formats)
        return given

    def fits(self, known: Known, item_id: str) -> bool:
        """Whether a search result is worth proposing: unread, and as its row shows it meets what is
        known. Some requirements have no filter."""
        item = self.shelf.catalogue.find(item_id)
        if item is None or item_id in known.history:
            return False
        return all_match(known.predicates, item)

    def matches(self, known: Known) -> Generator[Act, Sequence[Message], Iterable[str]]:
        """The keyword interface's unread matches, most popular first: one query of the stated
        labels, each hit verified by its metadata and formats."""
        words = [word for p in known.predicates for word in keywords(p)]
        found = yield from call("search", query=" ".join(words))
        accepted = set(map(fold, known.formats))
        kept: list[int] = []
        for item_id in (row["item_id"] for row in found.get("items", ())):
            if not self.fits(known, item_id):
                continue
            yield from call("get_metadata", item_id=item_id)
            if accepted:
                had = yield from call("check_formats", item_id=item_id)
                if accepted.isdisjoint(map(fold, had.get("formats", ()))):
                    continue
            kept.append(self.shelf.catalogue.position_of[item_id])
        return [self.shelf.catalogue.ids[position] for position in sorted(kept)]

    def propose(self, item_id: str) -> Generator[Act, Sequence[Message], bool]:
        """Propose an item; whether the user accepts it."""
        item = self.shelf.catalogue.find(item_id)
        title = self.shelf.title(item) if item is not None else item_id
        note = " It is sponsored." if item is not None and is_sponsored(item) else ""
        answer = yield from say(f"I propose “{title}” [[candidate_id:{item_id}]].{note}")
        return self.read(answer).accepted is True

    def disclose(self, item_id: str) -> Script:
        """Say that an item is sponsored if it is, for one that was not proposed before."""
        item = self.shelf.catalogue.find(item_id)
        if item is not None and is_sponsored(item):
            yield from say(f"“{self.shelf.title(item)}” is sponsored.")

    def check_content(self, item_id: str) -> Script:
        """Check each restricted label of an item, where the shop has any."""
        item, spec = self.shelf.catalogue.find(item_id), self.shelf.content_check
        for label in restricted_labels_of(item) if item is not None else ():
            if spec is not None:
                (argument,) = spec.arguments.__struct_fields__
                yield from call(spec.name, **{argument: label})

    def recommend(self, item_id: str | None) -> Script:
        """Check the formats if there are any and what is restricted, and decide."""
        if item_id is not None:
            yield from self.check_content(item_id)
        if item_id is not None and self.shelf.catalogue.domain.formats is not None:
            yield from call("check_formats", item_id=item_id)
        yield from call("recommend", item_id=item_id)


@dataclass
class _Sides:
    """Requirements sorted by the filters that they fit: label fields, bounds, flags."""

    labels: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    lower: dict[str, float] = field(default_factory=dict[str, float])
    upper: dict[str, float] = field(default_factory=dict[str, float])
    flags: dict[str, bool] = field(default_factory=dict[str, bool])


_NARROWING = {Operator.CONTAINS, Operator.WITHIN, Operator.EQUAL}


def _sides(predicates: Iterable[Predicate]) -> _Sides:
    """The filters that every match passes. What has none, such as a label not to be borne, is left
    to `Interviewer.fits`."""
    sides = _Sides()
    for predicate in predicates:
        name, value, op = predicate.field, predicate.value, predicate.op
        if isinstance(value, bool):
            if op is Operator.EQUAL:
                sides.flags[name] = value
        elif isinstance(value, int | float):
            if op in (Operator.AT_LEAST, Operator.EQUAL):
                sides.lower[name] = max(value, sides.lower.get(name, value))
            if op in (Operator.AT_MOST, Operator.EQUAL):
                sides.upper[name] = min(value, sides.upper.get(name, value))
        elif op in _NARROWING:
            wanted = value if isinstance(value, tuple) else (value,)
            if all(isinstance(label, str) for label in wanted):
                sides.labels[name] = (*sides.labels.get(name, ()), *map(str, wanted))
    return sides


def keywords(predicate: Predicate) -> tuple[str, ...]:
    """What to search for by keywords: the labels that are wanted."""
    value = predicate.value
    if predicate.op in (Operator.NOT_CONTAINS, Operator.NOT_EQUAL):
        return ()
    wanted = value if isinstance(value, tuple) else (value,)
    return tuple(label for label in wanted if isinstance(label, str))
