"""What a bundle tells of the catalogues that its runs were played over."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from msgspec.structs import replace

from mystery_shopper.catalog.arrays import file_hash
from mystery_shopper.catalog.folder import ARRAYS, DOMAIN, read_manifest
from mystery_shopper.catalog.folder import MANIFEST as CATALOGUE_MANIFEST
from mystery_shopper.engine.bundling.archive import Writer
from mystery_shopper.engine.bundling.locking import (
    ascii_slug,
    films_licence,
    licences_in,
    own_licence,
)
from mystery_shopper.engine.bundling.manifest import MOST_GRAPH, PACKED, CatalogueEntry, pretty
from mystery_shopper.engine.loading import SHIPPED_CATALOGUES, folder_of, load_catalogue
from mystery_shopper.engine.plan import RunPlan
from mystery_shopper.engine.suites import suite_of
from mystery_shopper.foundation import InputError


@dataclass
class Shops:
    """The catalogues of a bundle being written, each once. `clean` takes secrets out of a domain's
    text; None where nothing is redacted. `whole`: a person's own go in with all they hold."""

    writer: Writer
    whole: bool
    clean: Callable[[str], str] | None
    entries: dict[tuple[str, str], CatalogueEntry] = field(
        default_factory=dict[tuple[str, str], CatalogueEntry]
    )

    def add(self, plan: RunPlan) -> CatalogueEntry:
        """The entry of a plan's whole catalogue, written where it was not yet. Raises InputError
        for a folder that was changed since it was built, and for a graph that no bundle can hold.
        """
        whole = load_catalogue(plan.source)
        graph = graph_of(plan)
        digest = "" if graph is None else _graph_hash(graph)
        key = (whole.digest, digest)
        if key not in self.entries:
            entry = CatalogueEntry(whole.name, whole.digest, len(whole), graph=digest)
            if plan.source in SHIPPED_CATALOGUES:
                self.entries[key] = self._shipped(plan.source, entry)
            else:
                self.entries[key] = self._folder(Path(plan.source), entry, graph)
        return self.entries[key]

    def _shipped(self, source: str, entry: CatalogueEntry) -> CatalogueEntry:
        text = films_licence() if source == "films" else own_licence()
        ending = "md" if source == "films" else "txt"
        licence = f"licences/{ascii_slug(entry.name)}.{ending}"
        self.writer.add(licence, [text])
        return replace(entry, licences=(licence,))

    def _folder(self, source: Path, entry: CatalogueEntry, graph: Path | None) -> CatalogueEntry:
        """A catalogue of a person's own: its description, its licences and, if wanted, itself."""
        mark = f"-{entry.graph[:8]}" if entry.graph else ""
        place = f"catalogues/{entry.digest[:16]}{mark}"
        # The builder's notes tell of files on the machine where it was built.
        described = replace(read_manifest(source), notes={}).sealed()
        domain = (source / DOMAIN).read_bytes()
        if self.clean is not None:
            domain = self.clean(domain.decode("utf-8")).encode("utf-8")
            hashed = hashlib.sha256(domain).hexdigest()
            described = replace(described, domain_sha256=hashed).sealed()
        self.writer.add(f"{place}/{CATALOGUE_MANIFEST}", [pretty(described)])
        self.writer.add(f"{place}/{DOMAIN}", [domain])
        if self.whole:
            for array in sorted(described.arrays):
                path = source / ARRAYS / f"{array}.npy"
                if file_hash(path) != described.arrays[array].sha256:
                    raise InputError(
                        "was changed since the catalogue was built",
                        where=str(path),
                        remedy="Build the catalogue again, or put the old file back.",
                    )
                self.writer.add(f"{place}/{ARRAYS}/{array}.npy", _chunks(path))
            if graph is not None:
                self.writer.add(f"{place}/{graph.name}", _chunks(graph))
        name = f"licences/{ascii_slug(entry.name)}-{entry.digest[:8]}{mark}"
        licences = tuple(
            self.writer.add(f"{name}-{title}.txt", [text]).name
            for title, text in licences_in(source)
        )
        return replace(entry, folder=place, whole=self.whole, licences=licences)


def graph_of(plan: RunPlan) -> Path | None:
    """The graph that the catalogue's folder brings along for the plan's suite; None without one."""
    folder, name = folder_of(plan.source), suite_of(plan.suite).graph_file
    if folder is None or not name or not (folder / name).is_file():
        return None
    return folder / name


def _graph_hash(path: Path) -> str:
    with path.open("rb") as file:
        packed = file.read(len(PACKED)) == PACKED
    if packed or path.stat().st_size > MOST_GRAPH:
        raise InputError(
            "is packed" if packed else f"is larger than {MOST_GRAPH >> 20} MB",
            where=str(path),
            remedy="Unpack it: gunzip." if packed else "No bundle holds so large a graph.",
        )
    return file_hash(path)


def _chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while chunk := file.read(1 << 20):
            yield chunk
