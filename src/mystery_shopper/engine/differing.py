"""How two plans differ, in words."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

import msgspec

from mystery_shopper.engine.plan import ModelOptions, RunPlan, UserOptions

_SHOWN = 3
_HASH = re.compile(r"[0-9a-f]{64}")


def differences(there: RunPlan, asked: RunPlan, follows: Collection[str]) -> list[str]:
    """What the plan of a folder and that of a command differ in. Parts that differ because others
    do (`follows`) are told only where nothing else does."""
    names = [
        name for name in asked.__struct_fields__ if getattr(there, name) != getattr(asked, name)
    ]
    telling = [name for name in names if name not in follows] or names
    return [
        line
        for name in telling
        for line in _told(name.replace("_", " "), getattr(there, name), getattr(asked, name))
    ]


def _told(name: str, there: object, asked: object) -> Iterator[str]:
    if isinstance(there, ModelOptions | UserOptions) and type(there) is type(asked):
        for part in there.__struct_fields__:
            one, other = getattr(there, part), getattr(asked, part)
            if one != other:
                yield from _told(f"{name}, {part.replace('_', ' ')}", one, other)
    elif _is_hash(there) and _is_hash(asked):
        yield f"{name.removesuffix(' digest')}: has changed since the folder's run began"
    else:
        yield f"{name}: the folder has {_words(there, asked)}, this command asks for " + _words(
            asked, there
        )


def _is_hash(value: object) -> bool:
    return isinstance(value, str) and bool(_HASH.fullmatch(value))


def _words(value: object, other: object) -> str:
    """A value; of many names, those that the other has not come first."""
    match value:
        case None | "" | ():
            return "none"
        case bool():
            return "yes" if value else "no"
        case tuple():
            names: list[object] = list(value)
            beside: Collection[object] = other if isinstance(other, tuple) else ()
            if len(names) > _SHOWN:
                names.sort(key=lambda name: name in beside)
            shown = [str(name) for name in names[:_SHOWN]]
            if len(names) > _SHOWN:
                shown.append(f"{len(names) - _SHOWN:,} more")
            return " and ".join([*([", ".join(shown[:-1])] if shown[1:] else []), shown[-1]])
        case ModelOptions() | UserOptions():
            parts = msgspec.structs.asdict(value).items()
            told = [f"{name.replace('_', ' ')} {_words(part, None)}" for name, part in parts]
            return "; ".join(told)
        case _:
            text = str(value)
            return text if len(text) <= 60 else f"{text[:57]}..."
