"""Small runs, and bundles changed by hand."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from mystery_shopper.engine import RunFolder
from mystery_shopper.engine.bundling.archive import Writer

from ..helpers import plan_of, player

Change = Callable[[bytes], bytes]


def played(
    path: Path,
    task_file: str,
    *,
    by: Any = lambda scene, task: scene.shipped("oracle", task),
    usage: Mapping[str, Any] | None = None,
    changes: Mapping[str, Any] | None = None,
    **wishes: Any,
) -> RunFolder:
    """A run whose trials the factory `by` played, whatever the plan calls its agent."""
    played_by = plan_of(task_file, **wishes)
    plan = msgspec.structs.replace(played_by, **(changes or {}))
    folder = RunFolder(path)
    folder.begin(plan)
    one = player(played_by, by)
    for planned in plan.planned():
        trial, timing = one.play(planned)
        trial = msgspec.structs.replace(trial, agent=plan.agent, user=plan.user)
        told = msgspec.structs.replace(timing, usage=dict(usage or {}))
        folder.append([trial], [told])
    return folder


def edited(source: Path, out: Path, changes: Mapping[str, Change], *, rehash: bool = True) -> Path:
    """The bundle with files changed; with `rehash` the manifest says what they are now, as a forger
    would write it."""
    with zipfile.ZipFile(source) as archive:
        files = {info.filename: archive.read(info) for info in archive.infolist()}
    for name, change in changes.items():
        if name != "manifest.json":
            files[name] = change(files[name])
    manifest: Any = msgspec.json.decode(files["manifest.json"])
    if rehash:
        for entry in manifest["files"]:
            data = files[entry["name"]]
            entry["size"], entry["sha256"] = len(data), hashlib.sha256(data).hexdigest()
    text = msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n"
    files["manifest.json"] = changes.get("manifest.json", lambda data: data)(text)
    with out.open("wb") as file:
        writer = Writer(file)
        for name, data in files.items():
            writer.add(name, [data])
        writer.close()
    return out


def in_json(change: Callable[[Any], object]) -> Change:
    """A change of a JSON file's value, made in place."""

    def apply(data: bytes) -> bytes:
        value = msgspec.json.decode(data)
        change(value)
        return msgspec.json.encode(value)

    return apply


def in_trial(key: str, change: Callable[[Any], object]) -> Change:
    """A change of one trial of `trials.jsonl`."""

    def apply(data: bytes) -> bytes:
        made: list[bytes] = []
        for line in data.splitlines():
            value = msgspec.json.decode(line)
            if f"{value['task']}#{value['number']}" == key:
                change(value)
            made.append(msgspec.json.encode(value) + b"\n")
        return b"".join(made)

    return apply


def set_at(*path: Any, to: Any) -> Any:
    """A change of a JSON value: what stands at the path."""

    def change(value: Any) -> None:
        for step in path[:-1]:
            value = value[step]
        value[path[-1]] = to

    return change


def event_with(kind: str, **changes: Any) -> Any:
    """A change of a trial: of the first event of the kind."""

    def change(value: Any) -> None:
        next(e for e in value["transcript"]["events"] if e["type"] == kind).update(changes)

    return change
