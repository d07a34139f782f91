"""Keys of an `agent.yaml` that there are not: each named with its place and the nearest that is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from msgspec import inspect

from mystery_shopper.agents.deployed.form import AgentForm

_SHOWN = 60


def unknown_keys(value: object) -> list[str]:
    """A problem for each key of the file's value that no form has."""
    return list(_unknown(value, inspect.type_info(AgentForm), ""))


def _unknown(value: object, kind: inspect.Type, place: str) -> Iterator[str]:
    form = _form_of(kind)
    if form is None or not isinstance(value, Mapping):
        return
    fields = {field.encode_name: field.type for field in form.fields}
    for key, part in value.items():
        name = key if isinstance(key, str) else str(key)
        if name in fields:
            yield from _unknown(part, fields[name], f"{place}{name}.")
            continue
        near = get_close_matches(name, fields, 1)
        hint = f"did you mean `{near[0]}`? " if near else ""
        where = f" of `{place[:-1]}`" if place else ""
        yield (
            f"{place}{name[:_SHOWN]}: there is no such key; {hint}"
            f"the keys{where} are {', '.join(fields)}"
        )


def _form_of(kind: inspect.Type) -> inspect.StructType | None:
    """The struct that a value of this type may be, if there is one."""
    kinds = kind.types if isinstance(kind, inspect.UnionType) else (kind,)
    return next((one for one in kinds if isinstance(one, inspect.StructType)), None)
