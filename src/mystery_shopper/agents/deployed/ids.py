"""From the agent's ids of items to the catalogue's, and back."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import msgspec

from mystery_shopper.foundation import InputError, parse_json, read_whole

UNKNOWN = "unknown:"
"""Before an id of the agent's that stands for no item of the catalogue."""
_LONGEST = 200
_UNTAGGABLE = re.compile(r"[\[\]\s\x00-\x1f]+")


class IdRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the agent's ids differ from ours: what is taken off theirs, and what ours have in its
    place; or a table: a JSON object {theirs: ours}, or a CSV file with the names of two columns."""

    strip_prefix: str = ""
    strip_suffix: str = ""
    add_prefix: str = ""
    add_suffix: str = ""
    file: str | None = None
    theirs: str = "theirs"
    ours: str = "ours"


class IdMap(Protocol):
    """A map between two sets of ids."""

    def ours(self, theirs: str) -> str | None:
        """The catalogue's id; None where the agent's stands for none."""
        ...

    def theirs(self, ours: str) -> str | None:
        """The agent's id of an item; None where it has none."""
        ...


@dataclass(frozen=True)
class Affixes:
    """Ids that differ by what stands before and after; the usual one changes nothing."""

    rule: IdRule = field(default_factory=IdRule)

    def ours(self, theirs: str) -> str | None:
        """See `IdMap`."""
        rule = self.rule
        return _exchange(
            theirs, rule.strip_prefix, rule.strip_suffix, rule.add_prefix, rule.add_suffix
        )

    def theirs(self, ours: str) -> str | None:
        """See `IdMap`."""
        rule = self.rule
        return _exchange(
            ours, rule.add_prefix, rule.add_suffix, rule.strip_prefix, rule.strip_suffix
        )


def _exchange(text: str, head: str, tail: str, new_head: str, new_tail: str) -> str | None:
    whole = text.startswith(head) and text.endswith(tail) and len(text) > len(head) + len(tail)
    return f"{new_head}{text[len(head) : len(text) - len(tail)]}{new_tail}" if whole else None


@dataclass(frozen=True)
class Table:
    """Ids in a table: theirs -> ours. Several of theirs may be one of ours; the first goes back."""

    rows: Mapping[str, str]
    back: Mapping[str, str] = field(init=False)

    def __post_init__(self) -> None:
        back: dict[str, str] = {}
        for theirs, ours in self.rows.items():
            back.setdefault(ours, theirs)
        object.__setattr__(self, "back", back)

    def ours(self, theirs: str) -> str | None:
        """See `IdMap`."""
        return self.rows.get(theirs)

    def theirs(self, ours: str) -> str | None:
        """See `IdMap`."""
        return self.back.get(ours)


def our_id(ids: IdMap, theirs: str) -> str:
    """The id that stands in a tag: the catalogue's, or one that no item can have."""
    found = ids.ours(theirs) if len(theirs) <= _LONGEST else None
    if found is not None and found and not _UNTAGGABLE.search(found):
        return found
    return UNKNOWN + _UNTAGGABLE.sub("_", theirs[:_LONGEST])


def read_ids(rule: IdRule | None, folder: Path) -> IdMap:
    """The map that a rule describes; its file lies beside the agent's. Raises InputError."""
    if rule is None or rule.file is None:
        return Affixes(rule or IdRule())
    if rule.strip_prefix or rule.strip_suffix or rule.add_prefix or rule.add_suffix:
        raise InputError("ids: name either a file, or what to strip and to add")
    path = folder / rule.file
    remedy = "ids.file names a CSV or JSON file, beginning from the folder of the agent's file."
    raw = read_whole(path, remedy)
    problems: list[str] = []
    if path.suffix.lower() == ".json":
        rows = _from_json(raw, problems)
    else:
        rows = _from_csv(raw, rule, problems)
    if not rows and not problems:
        problems.append("the file holds no ids")
    if problems:
        raise InputError(problems[:20], where=str(path), remedy="Mend the map of ids.")
    return Table(rows)


def _from_json(raw: bytes, problems: list[str]) -> dict[str, str]:
    try:
        value = parse_json(raw, problems)
        return msgspec.convert(value, dict[str, str])
    except (ValueError, msgspec.ValidationError) as error:
        problems.append(f"is no JSON object of texts ({error})")
        return {}


def _from_csv(raw: bytes, rule: IdRule, problems: list[str]) -> dict[str, str]:
    rows: dict[str, str] = {}
    try:
        reader = csv.DictReader(io.StringIO(raw.decode("utf-8-sig"), newline=""), strict=True)
        names = list(reader.fieldnames or ())
        problems.extend(
            f"there is no column {name!r}; the columns are {', '.join(map(repr, names))}"
            for name in (rule.theirs, rule.ours)
            if name not in names
        )
        for row in () if problems else reader:
            theirs, ours = row[rule.theirs], row[rule.ours]
            if not theirs or not ours:
                problems.append(f"line {reader.line_num}: an id is missing")
            elif rows.setdefault(theirs, ours) != ours:
                problems.append(f"line {reader.line_num}: {theirs!r} stands for two items")
    except (UnicodeDecodeError, csv.Error) as error:
        problems.append(f"is no CSV file in UTF-8 ({error})")
    return rows
