"""What a domain says of each field and of its items: the parts of `catalog.domain.Domain`."""

from __future__ import annotations

from typing import Literal

import msgspec

from mystery_shopper.catalog.fields import Kind
from mystery_shopper.catalog.words import FieldWords


class Noun(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one item is called, and several."""

    singular: str
    plural: str
    synonyms: tuple[str, ...] = ()


class FieldSource(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a field's values stand in the owner's file, and how their texts are read.

    `column`: the file's column; the field's name if left out. `separator`: what stands between
    several values of one cell. `decimal`: the decimal mark of numbers; the other of `.` and `,` is
    then the thousands' mark. `part`: `year` takes the year out of a date. `true_words`,
    `false_words`: what a flag's cells hold; numbers are true above 0. `missing`: further texts that
    stand for no value (empty cells always do).
    """

    column: str | None = None
    separator: str | None = None
    decimal: Literal[".", ","] = "."
    part: Literal["year"] | None = None
    true_words: tuple[str, ...] = ()
    false_words: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


class FieldSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One field: its kind, its roles, and how it is spoken of.

    `requirement`: a customer may require something of it. `keyword`: its values are indexed for
    keyword search; fields that give the same name here are indexed as one (`people`). `shown`:
    search results and metadata show it. `most`: how many of its values one request may name.
    `step`: bounds are multiples of it; without one they are round numbers at quantiles
    (`catalog.bounds`). `say`: operator -> phrase with `{value}`; of a flag `wanted` and `unwanted`
    -> phrase without it. `source`: where the values stand in the owner's file. `relation`: what a
    label field is called in an item graph, if not by its own name; false keeps it out.
    """

    kind: Kind
    label: str = ""
    requirement: bool = False
    keyword: bool | str = False
    shown: bool = True
    most: int = 1
    step: float | None = None
    hierarchy: str | dict[str, tuple[str, ...]] | None = None
    say: dict[str, str] = {}
    words: FieldWords = FieldWords()
    source: FieldSource = FieldSource()
    relation: str | bool = True


class Formats(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How an item can be had: a column of the catalogue, or simulated from a hash of its id.

    `column` is a label field (each label is a format: services, places of sale), or a flag or an
    ordered field (stock): an item that has it, or more than 0 of it, can be had as `single`.
    """

    label: str = "format"
    simulated: tuple[str, ...] = ()
    column: str | None = None
    single: str = "in stock"
    say: str = "I can use these formats: {value}"
    words: FieldWords = FieldWords()


class Personas(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Parts of a synthetic persona: one of each list is drawn and they are joined by spaces."""

    who: tuple[str, ...]
    situation: tuple[str, ...]
    manner: tuple[str, ...]


class Policies(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Fields that a shop's own rules speak of.

    `sponsored`: a flag; such an item must be called so. `restricted`: a category field;
    `restricted_labels`: those of its labels that must be checked before a recommendation.
    """

    sponsored: str | None = None
    restricted: str | None = None
    restricted_labels: tuple[str, ...] = ()
