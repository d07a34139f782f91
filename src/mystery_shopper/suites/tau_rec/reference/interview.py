"""What the scripted agents do alike: ask about every field, search on what is known, propose."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from mystery_shopper.catalog import Operator, Predicate, all_match
from mystery_shopper.catalog.structured import Filters
from mystery_shopper.dialogue import Act, Message
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
        """One question that names every field."""
        labels = [f"the {label}" for label in field_labels(self.shelf.catalogue.domain)]
        return f"Do you have any requirements on {listed(labels, 'or')}?"

    def read(self, text: str) -> Heard:
        """What the user's words say."""
        return self.shelf.wording.read(text)

    def learn(self, opening: str, *, ask: bool) -> Generator[Act, Sequence[Message], Known]:
        """Read the opening, ask the one question if wanted, and look at the history."""
        known = Known().plus(self.read(opening))
        if ask:
            known = known.plus(self.read((yield from say(self.question))))
        found = yield from call("get_history")
        return replace(known, history=frozenset(row["item_id"] for row in found["history"]))

    def filters(self, known: Known) -> Filters:
        """What is known as filters of the structured index."""
        labels, lower, upper = _sides(known.predicates)
        return Filters(labels=labels, lower=lower, upper=upper, formats=known.formats)

    def arguments(self, predicates: Iterable[Predicate], formats: Sequence[str]) -> dict[str, Any]:
        """What is known as arguments of the structured search tool."""
        schema = self.shelf.search_schema
        labels, lower, upper = _sides(predicates)
        given: dict[str, Any] = {
            argument: list(labels[name])
            for argument, name in schema.labels.items()
            if name in labels
        }
        given |= {argument: lower[name] for argument, name in schema.lower.items() if name in lower}
        given |= {argument: upper[name] for argument, name in schema.upper.items() if name in upper}
        if formats and schema.formats:
            given["formats"] = list(formats)
        return given

    def matches(self, known: Known) -> Generator[Act, Sequence[Message], Iterable[str]]:
        """The keyword interface's unread matches, most popular first: one query of the stated
        labels, each hit verified by its metadata and formats."""
        words = [str(p.value) for p in known.predicates if isinstance(p.value, str)]
        found = yield from call("search", query=" ".join(words))
        kept: list[int] = []
        for row in found["items"]:
            item = self.shelf.catalogue.find(row["item_id"])
            if item is None or item.id in known.history or not all_match(known.predicates, item):
                continue
            yield from call("get_metadata", item_id=item.id)
            if known.formats:
                had = yield from call("check_formats", item_id=item.id)
                if not set(had["formats"]) & set(known.formats):
                    continue
            kept.append(item.position)
        return [self.shelf.catalogue.ids[position] for position in sorted(kept)]

    def propose(self, item_id: str) -> Generator[Act, Sequence[Message], bool]:
        """Propose an item; whether the user accepts it."""
        item = self.shelf.catalogue.find(item_id)
        title = item.title if item is not None else item_id
        answer = yield from say(f"I propose “{title}” [[candidate_id:{item_id}]].")
        return self.read(answer).accepted is True

    def recommend(self, item_id: str | None) -> Script:
        """Check the formats if there are any, and decide."""
        if item_id is not None and self.shelf.catalogue.domain.formats is not None:
            yield from call("check_formats", item_id=item_id)
        yield from call("recommend", item_id=item_id)


def _sides(
    predicates: Iterable[Predicate],
) -> tuple[Mapping[str, tuple[str, ...]], Mapping[str, float], Mapping[str, float]]:
    labels: dict[str, tuple[str, ...]] = {}
    lower: dict[str, float] = {}
    upper: dict[str, float] = {}
    for predicate in predicates:
        value = predicate.value
        if predicate.op is Operator.AT_LEAST and isinstance(value, int | float):
            lower[predicate.field] = max(value, lower.get(predicate.field, value))
        elif predicate.op is Operator.AT_MOST and isinstance(value, int | float):
            upper[predicate.field] = min(value, upper.get(predicate.field, value))
        else:
            labels[predicate.field] = (*labels.get(predicate.field, ()), str(value))
    return labels, lower, upper
