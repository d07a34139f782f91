"""The words of requests: the shipped tables, and what they come to for one catalogue.

No relation, field or item is named in code. What a relation's conditions are called stands in
`data/recbench/relations.yaml`, by the relation's name; a relation that stands there under no name
is spoken of by its label.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TypeVar

import msgspec

from mystery_shopper.catalog import Catalogue
from mystery_shopper.catalog.graph import default_relations
from mystery_shopper.catalog.graph_values import name_key
from mystery_shopper.catalog.specs import Noun


class Refer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Patterns for a value that titles stand for: behind the noun, and behind "should"."""

    after: tuple[str, ...]
    must: tuple[str, ...]


class RelationWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the conditions of one relation are spoken of; `relations.yaml` explains the parts."""

    names: tuple[str, ...]
    after: tuple[str, ...]
    must: tuple[str, ...]
    refer: Refer
    claim: tuple[str, ...]
    fact: tuple[str, ...]
    cues: tuple[str, ...]
    before: bool = False
    lower: bool = False
    the: str = ""
    kin: dict[str, tuple[str, ...]] = {}


class Activity(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one does with items that are called so; `names`: (singular, plural) to choose from
    instead of the domain's own."""

    nouns: tuple[str, ...]
    watch: str
    watching: str
    watched: str
    names: tuple[tuple[str, str], ...] = ()


class Requests(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How requests are worded; `requests.yaml` explains the slots."""

    activities: tuple[Activity, ...]
    lists: dict[str, tuple[str, ...]]
    ask_one: tuple[str, ...]
    ask_many: tuple[str, ...]
    situations: tuple[str, ...]
    claims: tuple[str, ...]
    named: tuple[str, ...]
    streaks: tuple[str, ...]
    selves: tuple[str, ...]
    self_situations: tuple[str, ...]


class Sex(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a person is called, with the article, grown and young."""

    noun: str
    young: str


class Age(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How an age is said behind the noun, and whether it is a young one."""

    say: tuple[str, ...]
    young: bool = False


class People(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a person of a group describes themselves: tables by attribute and value."""

    gender: dict[str, Sex]
    nobody: Sex
    age: dict[str, Age]
    occupation: dict[str, tuple[str, ...]]
    otherwise: str


@dataclass(frozen=True)
class Speech:
    """The words for one catalogue. `nouns`: (singular, plural) names of an item; `relations`: the
    words of each relation."""

    nouns: tuple[tuple[str, str], ...]
    activity: Activity
    relations: Mapping[str, RelationWords]
    requests: Requests

    @classmethod
    def of(
        cls, noun: Noun, relations: Iterable[str], labels: Mapping[str, str] | None = None
    ) -> Speech:
        """The words for items of this name with these relations. `labels`: what a relation is
        called, if not by its own name. Of two relations that the table knows as one, the second is
        spoken of by its label, so that the two can be told apart."""
        requests = shipped("requests", Requests)
        called = noun.singular.casefold()
        activity = next(
            a for a in requests.activities if not a.nouns or set(a.nouns) & set(called.split())
        )
        table = shipped("relations", tuple[RelationWords, ...])
        own: dict[str, RelationWords] = {}
        for relation in relations:
            label = plain((labels or {}).get(relation) or relation)
            key = name_key(plain(relation))
            words = next((w for w in table if key in map(name_key, w.names)), None)
            if words is None or words in own.values():
                words = _labelled(next(w for w in table if not w.names), label)
            own[relation] = words
        return cls(
            activity.names or ((noun.singular, noun.plural),),
            activity,
            own,
            requests,
        )

    @classmethod
    def of_catalogue(cls, catalogue: Catalogue) -> Speech:
        """The words for a catalogue and the relations of its item graph."""
        domain = catalogue.domain
        named = default_relations(catalogue)
        labels = {relation: domain.fields[f].label or f for f, relation in named.items()}
        return cls.of(domain.noun, named.values(), labels)


def plain(name: str) -> str:
    """A relation's or an attribute's name as words: `IN_CATEGORY` is "in category"."""
    words = " ".join(name.replace("_", " ").split())
    return words.casefold() if words.isupper() or "_" in name else words


def _labelled(words: RelationWords, label: str) -> RelationWords:
    """The fallback's words with a label in their place."""

    def told(patterns: tuple[str, ...]) -> tuple[str, ...]:
        safe = label.replace("{", "(").replace("}", ")")
        return tuple(pattern.replace("{label}", safe) for pattern in patterns)

    return msgspec.structs.replace(
        words,
        after=told(words.after),
        must=told(words.must),
        refer=Refer(told(words.refer.after), told(words.refer.must)),
        claim=told(words.claim),
        fact=told(words.fact),
        cues=told(words.cues),
    )


T = TypeVar("T")


@cache
def shipped(name: str, kind: type[T]) -> T:
    """A shipped table of `data/recbench`."""
    source = resources.files("mystery_shopper") / "data" / "recbench" / f"{name}.yaml"
    return msgspec.yaml.decode(source.read_bytes(), type=kind)
