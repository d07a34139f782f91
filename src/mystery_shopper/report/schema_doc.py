"""`docs/results-schema.md`: the trial record's schema, written from its types."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, TypeAlias

from mystery_shopper.dialogue import Ending, Fault, ToolErrorKind
from mystery_shopper.engine.trial import TRIAL_SCHEMA, trial_schema
from mystery_shopper.suites.recbench.score import Failure as RequestFailure
from mystery_shopper.suites.tau_rec.score import Elicited, Failure, Outcome

Schema: TypeAlias = dict[str, Any]

_HEAD = f"""# The trial record

Version {TRIAL_SCHEMA}. A run's folder holds `run.json` (the plan), `trials.jsonl` (one trial a
line, written in the plan's order) and `timings.jsonl` (clock readings, kept apart).
This page describes a line of `trials.jsonl`. It is made from the types; do not edit it.

Fields with a default may be missing from the file. `null` means unmeasured, never zero. Events
carry their kind in `type`.
"""

# A JSON Schema sorts the values of an enumeration; some of ours have an order that means something.
_ORDERED: Mapping[str, type[StrEnum]] = {
    kind.__name__: kind for kind in (Ending, Fault, ToolErrorKind, Outcome, Elicited)
} | {f"{kind.__module__}.{kind.__name__}": kind for kind in (Failure, RequestFailure)}
_OF_SUITE = re.compile(r"mystery_shopper\.suites\.(\w+)\..*\.(\w+)")
"""How a schema names a type of which several suites have one."""


def results_schema_markdown() -> str:
    """The page, with a section for each type that a trial record can hold, in the order in which
    they are met."""
    schema = trial_schema()
    definitions: dict[str, Schema] = schema["$defs"]
    order = _reached(_name(schema["$ref"]), definitions)
    parts = [_HEAD, *(_section(name, definitions[name]) for name in order)]
    return "\n".join(parts)


def _name(reference: str) -> str:
    return reference.rpartition("/")[2]


def _title(name: str) -> str:
    """A definition's name as the page has it, for example `Failure of tau_rec`."""
    return _OF_SUITE.sub(r"\2 of \1", name)


def _reached(start: str, definitions: dict[str, Schema]) -> list[str]:
    """The names of definitions as they are met from `start`, breadth first."""
    order = [start]
    for name in order:
        order.extend(one for one in _references(definitions[name]) if one not in order)
    return order


def _references(value: object) -> list[str]:
    found: list[str] = []
    if isinstance(value, dict):
        table: Schema = value
        if isinstance(table.get("$ref"), str):
            found.append(_name(table["$ref"]))
        mapping: dict[str, str] = table.get("discriminator", {}).get("mapping", {})
        found.extend(_name(reference) for reference in mapping.values())
        for key, part in table.items():
            if key != "discriminator":
                found.extend(_references(part))
    elif isinstance(value, list):
        for part in value:
            found.extend(_references(part))
    return list(dict.fromkeys(found))


def _section(name: str, schema: Schema) -> str:
    lines = [f"## {_title(name)}", "", *_paragraphs(schema.get("description", ""))]
    if "enum" in schema:
        values: list[str] = list(_ORDERED[name]) if name in _ORDERED else schema["enum"]
        told = ", ".join(f"`{value}`" for value in values)
        return "\n".join([*lines, f"One of {told}.", ""])
    required: list[str] = schema.get("required", [])
    lines += ["| field | type | default |", "|---|---|---|"]
    for field, kind in schema.get("properties", {}).items():
        default = "" if field in required else f"`{json.dumps(kind.get('default'))}`"
        lines.append(f"| `{field}` | {_kind(kind)} | {default} |")
    return "\n".join([*lines, ""])


def _paragraphs(text: str) -> list[str]:
    blocks = [" ".join(block.split()) for block in text.split("\n\n")]
    return [line for block in blocks if block for line in (block, "")]


def _kind(schema: Schema) -> str:
    """A type in words."""
    if "$ref" in schema:
        title = _title(_name(schema["$ref"]))
        return f"[{title}](#{title.lower().replace(' ', '-')})"
    if "anyOf" in schema:
        return " or ".join(_kind(part) for part in schema["anyOf"])
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    if "const" in schema:
        return f"`{schema['const']}`"
    if schema.get("type") == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    return str(schema.get("type", "any JSON value"))
