"""Where a bundle's catalogues and task sets come from: this version, the bundle, a folder given."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import yaml

from mystery_shopper.catalog import Catalogue
from mystery_shopper.catalog.arrays import file_hash
from mystery_shopper.catalog.folder import ARRAYS, DOMAIN, open_catalogue
from mystery_shopper.catalog.folder import MANIFEST as CATALOGUE_MANIFEST
from mystery_shopper.engine.bundling.archive import Reader, Refused
from mystery_shopper.engine.bundling.manifest import (
    MANIFEST,
    MOST_GRAPH,
    PACKED,
    CatalogueEntry,
    TaskSetEntry,
)
from mystery_shopper.engine.bundling.problems import Problems, differing
from mystery_shopper.engine.loading import SHIPPED_CATALOGUES
from mystery_shopper.engine.plan import RunPlan, package_version
from mystery_shopper.engine.suites import TaskBook, suite_of
from mystery_shopper.foundation import InputError
from mystery_shopper.suites.tau_rec.wording import check_wording

MOST_TASKS = 1 << 27
MOST_DOMAIN = 1 << 22


class Found(NamedTuple):
    """A whole catalogue, and the folder with its graph where the entry names one."""

    whole: Catalogue
    folder: Path | None = None


@dataclass
class Sources:
    """Finds them. A path in the bundle's plans is never opened. `given`: catalogues' folders of
    this machine; `stack` removes what was unpacked."""

    reader: Reader
    problems: Problems
    given: Sequence[Path]
    stack: ExitStack
    _whole: dict[Path, Catalogue] = field(default_factory=dict[Path, Catalogue])

    def catalogue(self, entry: CatalogueEntry, plan: RunPlan) -> Found | None:
        """The whole catalogue; None, with the problem told, where it is not what is listed. Raises
        InputError where it is in neither place."""
        found = self._read_catalogue(entry, plan)
        if found is not None:
            name = f"catalogues.{entry.digest[:12]}"
            named: dict[str, tuple[object, object]] = {
                f"{name}.name": (entry.name, found.whole.name),
                f"{name}.items": (entry.items, len(found.whole)),
            }
            differing(self.problems, MANIFEST, named)
        return found

    def _read_catalogue(self, entry: CatalogueEntry, plan: RunPlan) -> Found | None:
        if not entry.folder:
            return self._shipped(entry, plan.source)
        graph = suite_of(plan.suite).graph_file if entry.graph else ""
        if entry.graph and not graph:
            text = f"names a graph, and runs of {plan.suite} use none"
            self.problems.add(MANIFEST, text, field=f"catalogues.{entry.digest[:12]}.graph")
            return None
        other = False
        for folder in self.given:
            if open_catalogue(folder).digest != entry.digest:
                continue
            if graph and not _holds(folder / graph, entry.graph):
                other = True
                continue
            return Found(self._held(folder), folder if graph else None)
        if entry.whole:
            with self.problems.of(entry.folder):
                return self._unpacked(entry, graph)
            return None
        if self.problems.count:
            return None  # What is wrong already is told first.
        what = f"{entry.name!r} ({entry.items:,} items, digest {entry.digest[:12]})"
        if graph:
            what += f" with a graph of its own ({graph}, SHA-256 {entry.graph[:12]})"
        where = "the folder given has another graph" if other else "which is not in the bundle"
        raise InputError(
            f"the trials were played over {what}, {where}",
            where=entry.folder,
            remedy="Name its folder: --catalog DIR. Whoever made the bundle can put it in: "
            "bundle --with-catalogue.",
        )

    def _held(self, folder: Path) -> Catalogue:
        """A given folder's catalogue, every file of it hashed: its manifest alone would say what it
        was when it was built. Raises InputError for one that was changed since."""
        if folder not in self._whole:
            found = open_catalogue(folder, verify=True)
            check_wording(found.domain)
            self._whole[folder] = found
        return self._whole[folder]

    def _shipped(self, entry: CatalogueEntry, source: str) -> Found | None:
        if source not in SHIPPED_CATALOGUES or entry.graph:
            self.problems.add(MANIFEST, "has no folder, and is none of ours", field=entry.name)
            return None
        found = SHIPPED_CATALOGUES[source]()
        if found.digest != entry.digest:
            self.problems.add(
                MANIFEST,
                f"the catalogue {source} has digest {entry.digest[:12]}; this version's "
                f"({package_version()}) has {found.digest[:12]}",
                field=f"catalogues.{entry.name}",
            )
            return None
        return Found(found)

    def _unpacked(self, entry: CatalogueEntry, graph: str) -> Found:
        """The bundle's own catalogue, out of a folder that goes when the check ends. `graph` is the
        name of its graph; empty without one."""
        place = Path(self.stack.enter_context(tempfile.TemporaryDirectory(prefix="bundle-")))
        (place / ARRAYS).mkdir()
        prefix = f"{entry.folder}/"
        for name in self.reader.sizes:
            if not name.startswith(prefix):
                continue
            part = name.removeprefix(prefix)
            folder, _, array = part.rpartition("/")
            # The container's names hold no "..", no backslash and no leading slash.
            if (folder == ARRAYS and array.endswith(".npy")) or part == CATALOGUE_MANIFEST:
                with (place / part).open("wb") as file:
                    file.writelines(self.reader.chunks(name))
            elif part == DOMAIN:
                text = self.reader.read(name, MOST_DOMAIN)
                _refuse_aliases(text)
                (place / part).write_bytes(text)
            elif graph and part == graph:
                text = self.reader.read(name, MOST_GRAPH)
                _refuse_packed(text, part)
                (place / part).write_bytes(text)
            else:
                raise Refused(f"holds {part!r}, which is no part of a catalogue")
        if graph and not _holds(place / graph, entry.graph):
            raise Refused(f"{graph} is not the one that the manifest names")
        found = open_catalogue(place, verify=True)
        if found.digest != entry.digest:
            raise Refused(f"has digest {found.digest[:12]}, the manifest says {entry.digest[:12]}")
        check_wording(found.domain)
        return Found(found, place if graph else None)

    def tasks(self, entry: TaskSetEntry, plan: RunPlan, whole: Catalogue) -> TaskBook | None:
        """The task set; None, with the problem told, where it is not what is listed."""
        found = self._read_tasks(entry, plan, whole)
        if found is None:
            return None
        if found.digest != entry.digest and not entry.redacted:
            self.problems.add(
                entry.file or MANIFEST,
                f"the task set has digest {found.digest[:12]}, the manifest says "
                f"{entry.digest[:12]}",
                field=entry.name,
            )
            return None
        name = f"task_sets.{entry.digest[:12]}.name"
        differing(self.problems, MANIFEST, {name: (entry.name, found.name)})
        return found

    def _read_tasks(self, entry: TaskSetEntry, plan: RunPlan, whole: Catalogue) -> TaskBook | None:
        suite = suite_of(plan.suite)
        if not entry.file:
            if plan.task_set in suite.shipped_sets():
                return suite.read_tasks(plan.task_set)
            self.problems.add(MANIFEST, "has no file, and is none of ours", field=entry.name)
            return None
        with self.problems.of(entry.file):
            if entry.file not in self.reader.sizes:
                raise Refused("is missing")
            raw = self.reader.read(entry.file, MOST_TASKS)
            _refuse_packed(raw, "a task set")
            return suite.parse_tasks(raw, entry.file, whole.domain)
        return None


def _holds(path: Path, graph: str) -> bool:
    """Whether the file is there and has this SHA-256."""
    return path.is_file() and file_hash(path) == graph


def _refuse_packed(raw: bytes, what: str) -> None:
    if raw.startswith(PACKED):
        raise Refused(f"{what} is packed, which a bundle's must not be")


def _refuse_aliases(text: bytes) -> None:
    """Few bytes of YAML with aliases can stand for more than a machine holds."""
    try:
        aliased = any(isinstance(token, yaml.AliasToken) for token in yaml.scan(text))
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        raise Refused(f"{DOMAIN} is no YAML ({type(error).__name__})") from None
    if aliased:
        raise Refused(f"{DOMAIN} uses aliases, which a bundle's must not")
