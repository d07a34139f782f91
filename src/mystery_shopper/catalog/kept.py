"""The keyword index of a large catalogue, kept in the catalogue's folder.

Building it takes tens of seconds and a gigabyte at 2,000,000 items, so the first search that needs
it builds it and every later process maps the files. What is kept is a copy of what can be built
again: one that is stale or damaged is built anew, and where the folder cannot be written to the
index stays in memory.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import msgspec
import numpy as np

from mystery_shopper.catalog.arrays import (
    ArrayFile,
    ArrayFolder,
    damaged,
    texts_arrays,
    write_arrays,
)
from mystery_shopper.catalog.catalogue import Catalogue
from mystery_shopper.catalog.folder import KEYWORD
from mystery_shopper.catalog.keyword import SMALL, KeywordIndex
from mystery_shopper.catalog.places import Places
from mystery_shopper.catalog.texts import Texts
from mystery_shopper.foundation import InputError, canonical_json, digest, read_whole, sole_writer

VERSION = 1
"""To be raised with every change to tokens or impacts."""
_LIST, _LOCK = "index.json", "lock"
_WAIT_SECONDS = 0.2


class _Kept(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What `index.json` holds. `of` names the catalogue, its size and the indexed fields."""

    of: str
    floor: float
    arrays: dict[str, ArrayFile]
    check: str = ""

    def sealed(self) -> _Kept:
        return msgspec.structs.replace(self, check=digest(msgspec.structs.replace(self, check="")))


def keyword_index(catalogue: Catalogue) -> KeywordIndex:
    """The keyword index of a catalogue: the one kept in its folder where it is large and has one,
    built and kept where it has none yet. Processes that ask at once wait for one to build it."""
    if catalogue.origin is None or len(catalogue) <= SMALL:
        return KeywordIndex.build(catalogue)
    folder = Path(catalogue.origin.folder) / KEYWORD
    place = folder / str(len(catalogue))
    lock = folder / _LOCK
    while True:
        with suppress(InputError):
            return _opened(place, catalogue)
        try:
            folder.mkdir(exist_ok=True)
            lock.touch()
        except OSError:
            return KeywordIndex.build(catalogue)
        held = False
        try:
            with sole_writer(lock):
                held = True
                with suppress(InputError):
                    return _opened(place, catalogue)
                index = KeywordIndex.build(catalogue)
                with suppress(OSError, InputError):
                    _keep(index, place, catalogue)
                    return _opened(place, catalogue)
                return index
        except (InputError, OSError):
            if held:
                raise
            time.sleep(_WAIT_SECONDS)


def _of(catalogue: Catalogue) -> str:
    """What the index depends on."""
    origin = catalogue.origin
    groups = {name: spec.keyword for name, spec in catalogue.domain.fields.items()}
    order = list(groups)
    return digest((VERSION, origin.digest if origin else "", len(catalogue), order, groups))


def _keep(index: KeywordIndex, place: Path, catalogue: Catalogue) -> None:
    beside = place.with_name(f"{place.name}.{os.getpid()}.part")
    shutil.rmtree(place, ignore_errors=True)
    try:
        beside.mkdir()
        vocabulary = Texts.build(index.terms)
        terms = index.terms
        places = terms if isinstance(terms, Places) else Places.build(vocabulary)
        arrays = write_arrays(
            beside,
            {
                **texts_arrays("terms", vocabulary),
                "hashes": places.hashes,
                "places": places.places.astype(np.int32),
                "starts": index.starts,
                "documents": index.documents,
                "impacts": index.impacts,
                "peaks": index.peaks,
            },
        )
        kept = _Kept(_of(catalogue), index.floor, arrays).sealed()
        (beside / _LIST).write_bytes(canonical_json(kept) + b"\n")
        beside.rename(place)
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _opened(place: Path, catalogue: Catalogue) -> KeywordIndex:
    """The kept index, mapped. Raises InputError where there is none, or it is stale or damaged."""
    path = place / _LIST
    raw = read_whole(path, "Search once: the index is built then.")
    try:
        kept = msgspec.json.decode(raw, type=_Kept)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise damaged(path, str(error)) from None
    if kept.check != kept.sealed().check or kept.of != _of(catalogue):
        raise damaged(path, "is of another catalogue, or torn")
    arrays, size = ArrayFolder(place, kept.arrays), len(catalogue)
    vocabulary = arrays.present_texts("terms", None)
    count = len(vocabulary)
    terms: Mapping[str, int] = Places(
        vocabulary,
        arrays.get("hashes", "<u8", (count,)),
        arrays.ranged("places", "<i4", (count,), 0, count),
    )
    documents = arrays.ranged("documents", "<i4", (None,), 0, size)
    entries = len(documents)
    return KeywordIndex(
        size,
        terms,
        arrays.offsets("starts", count, entries),
        documents,
        arrays.get("impacts", "<f8", (entries,)),
        arrays.get("peaks", "<f8", (count,)),
        {},
        kept.floor,
    )
