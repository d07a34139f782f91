"""What a bundle holds and says of itself.

manifest.json               schema, versions, digests, the hash and size of every other file
lock.txt                    exact versions of what was installed, as pip reads them
models.json                 which model answered in each run, and what pins it
licences/                   ours, the films', and what a catalogue's folder holds
runs/NAME/                  run.json, trials.jsonl, counts.csv; timings.jsonl where models were
                            asked or clock readings wanted. Unpacked, it is a run's folder.
tasks/DIGEST.json           a task set that is not one of ours
catalogues/DIGEST/          of a catalogue that is not one of ours: the manifest without its
                            builder's notes and the domain, and if wanted its arrays and its graph
"""

from __future__ import annotations

import msgspec

from mystery_shopper.engine.bundling.pins import Pinned

BUNDLE_SCHEMA = 1
MANIFEST, LOCK, MODELS = "manifest.json", "lock.txt", "models.json"
RUN, TRIALS, COUNTS, TIMINGS = "run.json", "trials.jsonl", "counts.csv", "timings.jsonl"
MOST_GRAPH = 1 << 28
"""Bytes of a catalogue's graph."""
PACKED = b"\x1f\x8b"
"""How a gzipped file begins: none may, since a few bytes of it can stand for very many."""
REPLAY, SCORE = "replay", "score"
"""The checks that a redacted trial may be exempt from."""


class FileEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file's size in bytes and its SHA-256."""

    name: str
    size: int
    sha256: str


class TaskSetEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A task set. `file` is empty where the package ships it. `redacted`: so many places of what it
    tells of people were taken out, and the file no longer has the digest."""

    name: str
    digest: str
    file: str = ""
    redacted: int = 0


class CatalogueEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A whole catalogue. `folder` is empty where the package ships it; `whole`: its arrays are in
    the bundle. `licences` are files of the bundle; without any the licence is unknown. `graph` is
    the SHA-256 of the graph that the folder brings along, for the runs that use one; empty where
    the catalogue's own fields make the graph, or none is used."""

    name: str
    digest: str
    items: int
    folder: str = ""
    whole: bool = False
    licences: tuple[str, ...] = ()
    graph: str = ""


class Counted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Trials of a run. `missing` were planned and are not in the bundle."""

    planned: int
    valid: int
    excluded: int
    missing: int
    successes: int


class RunEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One run. `plan_digest` is that of the plan in the bundle, `original_plan_digest` that of the
    plan before redaction, where it changed. `task_set` and `catalogue` are digests of whole ones;
    `catalogue` and `graph` name the catalogue's entry. `exempt`: redacted trial -> the checks that
    it cannot pass any more."""

    name: str
    plan_digest: str
    task_set: str
    catalogue: str
    trials: Counted
    original_plan_digest: str = ""
    exempt: dict[str, tuple[str, ...]] = {}
    graph: str = ""


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The content of `manifest.json`. `redacted`: kind -> how many were taken out; None where
    nothing was looked for. `unfinished`: whoever made it knew that planned trials are missing."""

    schema: int
    version: str
    runs: tuple[RunEntry, ...]
    task_sets: tuple[TaskSetEntry, ...]
    catalogues: tuple[CatalogueEntry, ...]
    files: tuple[FileEntry, ...]
    redacted: dict[str, int] | None = None
    unfinished: bool = False


class RunModels(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entry of `models.json`: a run's models; none where no model took part."""

    run: str
    models: tuple[Pinned, ...]


def pretty(value: object) -> bytes:
    """Indented JSON with a newline at the end."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"
