"""Keys of an `agent.yaml` that there are not: each named with its place and the nearest that is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import yaml
from msgspec import inspect

from mystery_shopper.agents.deployed.form import AgentForm
from mystery_shopper.foundation import did_you_mean

_SHOWN = 60


def unknown_keys(value: object, raw: bytes) -> list[str]:
    """A problem for each key of the file's value that no form has, with its line in the file."""
    found = list(_unknown(value, inspect.type_info(AgentForm), ()))
    root: Any = yaml.compose(raw, Loader=yaml.SafeLoader) if found else None
    return [f"{_line(root, path)}{problem}" for path, problem in found]


def _line(node: Any, path: Sequence[str]) -> str:
    """`line 3, ` of the key at the end of the path; empty where no such key is written."""
    line = 0
    for name in path:
        pairs = node.value if isinstance(node, yaml.MappingNode) else ()
        found = next((pair for pair in pairs if pair[0].value == name), None)
        if found is None:
            return ""
        line, node = found[0].start_mark.line + 1, found[1]
    return f"line {line}, "


def _unknown(
    value: object, kind: inspect.Type, path: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], str]]:
    form = _form_of(kind)
    if form is None or not isinstance(value, Mapping):
        return
    fields = {field.encode_name: field.type for field in form.fields}
    for key, part in value.items():
        name = key if isinstance(key, str) else str(key)
        if name in fields:
            yield from _unknown(part, fields[name], (*path, name))
            continue
        hint = did_you_mean(name, fields)
        where = f" of `{'.'.join(path)}`" if path else ""
        yield (
            (*path, name),
            f"{'.'.join((*path, name[:_SHOWN]))}: there is no such key{hint or ';'} "
            f"the keys{where} are {', '.join(fields)}",
        )


def _form_of(kind: inspect.Type) -> inspect.StructType | None:
    """The struct that a value of this type may be, if there is one."""
    kinds = kind.types if isinstance(kind, inspect.UnionType) else (kind,)
    return next((one for one in kinds if isinstance(one, inspect.StructType)), None)
