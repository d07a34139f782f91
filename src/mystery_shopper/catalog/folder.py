"""A catalogue as a folder: what `catalog build` makes and `--catalog DIR` names.

    catalog.json    the manifest: counts, the digest, every array's type, shape and hash
    domain.yaml     the owner's text, as it was given
    arrays/         the columns, ids and orders as `.npy` files
    keyword/        the keyword index, once a search has built it (`catalog.keyword`)

Arrays are mapped, not read: a catalogue of millions opens in a moment, and processes that open one
folder share its pages. What else lies in the folder (`tasks.json`) is left alone.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from mystery_shopper.catalog.arrays import (
    REBUILD,
    ArrayFile,
    ArrayFolder,
    damaged,
    file_hash,
    texts_arrays,
    write_arrays,
)
from mystery_shopper.catalog.catalogue import Catalogue, Origin
from mystery_shopper.catalog.columns import LabelColumn
from mystery_shopper.catalog.domain import Domain, parse_domain
from mystery_shopper.catalog.fields import Kind
from mystery_shopper.catalog.places import Places
from mystery_shopper.catalog.stored import column_arrays, stored_column
from mystery_shopper.catalog.texts import Texts
from mystery_shopper.foundation import InputError, canonical_json, digest, read_whole

SCHEMA = 1
MANIFEST, DOMAIN, ARRAYS, KEYWORD = "catalog.json", "domain.yaml", "arrays", "keyword"
_OWN = (MANIFEST, DOMAIN, ARRAYS, KEYWORD)
_OPEN_ANOTHER = "Name a folder that `mystery-shopper catalog build` has made."


class ColumnEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One field: its kind, what its arrays' names begin with, how many labels it has."""

    kind: Kind
    arrays: str
    labels: int | None = None


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What `catalog.json` holds. `check` is the digest of all the rest; `notes` are the builder's:
    the file it read, what it dropped."""

    schema: int
    version: str
    name: str
    digest: str
    items: int
    sizes: tuple[int, ...]
    domain_sha256: str
    columns: dict[str, ColumnEntry]
    arrays: dict[str, ArrayFile]
    notes: dict[str, Any] = {}
    check: str = ""

    def sealed(self) -> Manifest:
        """The manifest with its right `check`."""
        return msgspec.structs.replace(self, check=digest(msgspec.structs.replace(self, check="")))


def save_catalogue(
    catalogue: Catalogue,
    folder: str | Path,
    *,
    domain_text: str,
    notes: Mapping[str, object] | None = None,
    replace: bool = False,
) -> None:
    """Write the catalogue as a folder, whole or not at all.

    `domain_text` must be the YAML of the catalogue's domain. `replace` puts it in the place of an
    older catalogue; what else lies in that folder stays. Raises InputError where the folder holds
    something (or an older catalogue, without `replace`), cannot be written, or where the text is
    another domain.
    """
    place = Path(folder).absolute()
    _check_free(place, replace=replace)
    text = domain_text.encode("utf-8", "surrogatepass")
    if parse_domain(text, "domain_text") != catalogue.domain:
        raise InputError(
            "the text is not the catalogue's domain",
            where=f"catalogue {catalogue.name}",
            remedy="Give the text that the domain was parsed from.",
        )
    beside = place.with_name(f".{place.name}.{os.getpid()}.part")
    try:
        (beside / ARRAYS).mkdir(parents=True)
        try:
            (beside / DOMAIN).write_bytes(text)
            manifest = _written(catalogue, beside, dict(notes or {}))
            (beside / MANIFEST).write_bytes(canonical_json(manifest) + b"\n")
            _publish(beside, place)
        finally:
            shutil.rmtree(beside, ignore_errors=True)
    except OSError as error:
        raise InputError(
            f"cannot be written ({error.strerror or error})",
            where=str(place),
            remedy="Name a folder in a place that may be written to and has room.",
        ) from None


def open_catalogue(folder: str | Path, *, verify: bool = False) -> Catalogue:
    """The catalogue of a folder, its arrays mapped.

    The manifest, the domain's hash, and every array's length, type and range are checked.
    `verify` also hashes every file and computes the digest anew, which takes seconds a million
    items. Raises InputError, with the file and the remedy, where anything is missing, torn,
    tampered with, or of a newer schema.
    """
    place = Path(folder).absolute()
    manifest = read_manifest(place)
    domain = _domain(place, manifest)
    arrays = ArrayFolder(place / ARRAYS, manifest.arrays)
    if verify:
        arrays.verify()
    size = manifest.items
    ids: Texts[str] = arrays.present_texts("ids", size)
    nesting = arrays.ranged("nesting", "<i8", (size,), 0, size)
    for nested in manifest.sizes:
        if int(np.count_nonzero(nesting < nested)) != nested:
            raise arrays.fail("nesting", f"holds no {nested} ranks below {nested}")
    hashes = arrays.get("hashes", "<u8", (size,))
    if (hashes[1:] < hashes[:-1]).any():
        raise arrays.fail("hashes", "does not ascend")
    places = arrays.ranged("places", "<i4", (size,), 0, size)
    catalogue = Catalogue(
        manifest.name,
        domain,
        ids,
        {
            name: stored_column(arrays, entry.kind, entry.arrays, entry.labels, size)
            for name, entry in manifest.columns.items()
        },
        nesting,
        manifest.sizes,
        Origin(str(place), manifest.digest, size, reopen),
        Places(ids, hashes, places),
    )
    if verify and catalogue.computed_digest() != manifest.digest:
        raise damaged(place / MANIFEST, "the catalogue has another digest than is recorded")
    return catalogue


def reopen(origin: Origin, size: int) -> Catalogue:
    """The catalogue of an origin, or its subset of this size; opened once a process.

    Raises InputError where the folder now holds another catalogue.
    """
    return _reopened(origin.folder, origin.digest, size)


@lru_cache(maxsize=4)
def _reopened(folder: str, wanted: str, size: int) -> Catalogue:
    catalogue = open_catalogue(folder)
    if catalogue.digest != wanted:
        raise InputError(
            "holds another catalogue than it did",
            where=folder,
            remedy="Start again with the catalogue that is there now.",
        )
    return catalogue.nested(size)


def read_manifest(place: Path) -> Manifest:
    """The manifest of a catalogue's folder. Raises InputError where there is none or it is torn."""
    path = place / MANIFEST
    raw = read_whole(path, _OPEN_ANOTHER)
    try:
        schema = msgspec.json.decode(raw, type=_Schema).schema
        if schema != SCHEMA:
            raise InputError(
                f"has schema {schema}; this version reads schema {SCHEMA}",
                where=str(path),
                remedy="Build the catalogue again with this version, or use the other version.",
            )
        manifest = msgspec.json.decode(raw, type=Manifest)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise damaged(path, f"is no manifest ({error})") from None
    if manifest.check != manifest.sealed().check:
        raise damaged(path, "was changed by hand or torn: its check does not fit")
    sizes = manifest.sizes
    if not sizes or sizes[0] < 1 or sizes[-1] != manifest.items or sorted(set(sizes)) != [*sizes]:
        raise damaged(path, f"sizes {list(sizes)} do not end with the {manifest.items} items")
    return manifest


class _Schema(msgspec.Struct, frozen=True):
    schema: int


def _domain(place: Path, manifest: Manifest) -> Domain:
    path = place / DOMAIN
    raw = read_whole(path, REBUILD)
    if file_hash(path) != manifest.domain_sha256:
        raise InputError(
            "was changed since the catalogue was built",
            where=str(path),
            remedy="Build the catalogue again with the new domain, or put the old text back.",
        )
    domain = parse_domain(raw, str(path))
    kinds = {name: spec.kind for name, spec in domain.fields.items()}
    if kinds != {name: entry.kind for name, entry in manifest.columns.items()}:
        raise damaged(place / MANIFEST, f"lists other fields than {DOMAIN}")
    return domain


def _check_free(place: Path, *, replace: bool) -> None:
    try:
        if place.is_dir():
            taken = any(place.iterdir())
        elif place.exists():
            raise InputError("is a file", where=str(place), remedy="Name a folder.")
        else:
            taken = False
    except OSError as error:
        raise InputError(
            f"cannot be read ({error.strerror or error})",
            where=str(place),
            remedy="Name a folder that may be read and written.",
        ) from None
    if not taken:
        return
    if not (place / MANIFEST).is_file():
        raise InputError(
            "is not empty and holds no catalogue",
            where=str(place),
            remedy="Name a new folder or an empty one.",
        )
    if not replace:
        raise InputError(
            "holds a catalogue already",
            where=str(place),
            remedy="Name another folder, or say that the catalogue is to be replaced.",
        )


def _publish(beside: Path, place: Path) -> None:
    """Move the finished folder to its place; foreign files of an older one move along."""
    if not place.exists():
        beside.rename(place)
        return
    old = place.with_name(f".{place.name}.{os.getpid()}.old")
    place.rename(old)
    try:
        beside.rename(place)
    except OSError:
        old.rename(place)
        raise
    for entry in sorted(old.iterdir()):
        if entry.name not in _OWN:
            entry.rename(place / entry.name)
    shutil.rmtree(old, ignore_errors=True)


def _written(catalogue: Catalogue, beside: Path, notes: dict[str, object]) -> Manifest:
    """Write the arrays; the manifest of them."""
    ids = Texts.build(catalogue.ids)
    places = catalogue.places or Places.build(ids)
    entries: dict[str, ColumnEntry] = {}
    arrays = write_arrays(
        beside / ARRAYS,
        {
            **texts_arrays("ids", ids),
            "nesting": catalogue.nesting,
            "hashes": places.hashes,
            "places": places.places.astype(np.int32),
        },
    )
    for number, (name, spec) in enumerate(catalogue.domain.fields.items()):
        prefix, column = f"c{number:03d}", catalogue.columns[name]
        labels = len(column.labels) if isinstance(column, LabelColumn) else None
        entries[name] = ColumnEntry(spec.kind, prefix, labels)
        arrays |= write_arrays(beside / ARRAYS, column_arrays(prefix, column))
    return Manifest(
        schema=SCHEMA,
        version=version("mystery-shopper"),
        name=catalogue.name,
        digest=catalogue.computed_digest(),
        items=len(catalogue),
        sizes=catalogue.sizes,
        domain_sha256=file_hash(beside / DOMAIN),
        columns=entries,
        arrays=arrays,
        notes=notes,
    ).sealed()
