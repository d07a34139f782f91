"""Where a bundle's catalogues and task sets come from: this version, the bundle, a folder given."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import yaml

from mystery_shopper.catalog import Catalogue
from mystery_shopper.catalog.folder import ARRAYS, DOMAIN, open_catalogue
from mystery_shopper.catalog.folder import MANIFEST as CATALOGUE_MANIFEST
from mystery_shopper.engine.bundling.archive import Reader, Refused
from mystery_shopper.engine.bundling.manifest import MANIFEST, CatalogueEntry, TaskSetEntry
from mystery_shopper.engine.bundling.problems import Problems, differing
from mystery_shopper.engine.loading import SHIPPED_CATALOGUES
from mystery_shopper.engine.plan import RunPlan, package_version
from mystery_shopper.engine.suites import TaskBook, suite_of
from mystery_shopper.foundation import InputError
from mystery_shopper.suites.tau_rec.wording import check_wording

MOST_TASKS = 1 << 27
MOST_DOMAIN = 1 << 22


@dataclass
class Sources:
    """Finds them. A path in the bundle's plans is never opened. `given`: catalogues' folders of
    this machine; `stack` removes what was unpacked."""

    reader: Reader
    problems: Problems
    given: Sequence[Path]
    stack: ExitStack

    def catalogue(self, entry: CatalogueEntry, source: str) -> Catalogue | None:
        """The whole catalogue; None, with the problem told, where it is not what is listed. Raises
        InputError where it is in neither place."""
        found = self._read_catalogue(entry, source)
        if found is not None:
            named: dict[str, tuple[object, object]] = {
                f"catalogues.{entry.digest[:12]}.name": (entry.name, found.name),
                f"catalogues.{entry.digest[:12]}.items": (entry.items, len(found)),
            }
            differing(self.problems, MANIFEST, named)
        return found

    def _read_catalogue(self, entry: CatalogueEntry, source: str) -> Catalogue | None:
        if not entry.folder:
            if source not in SHIPPED_CATALOGUES:
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
            return found
        for folder in self.given:
            found = open_catalogue(folder)
            if found.digest == entry.digest:
                check_wording(found.domain)
                return found
        if entry.whole:
            with self.problems.of(entry.folder):
                return self._unpacked(entry)
            return None
        if self.problems.count:
            return None  # What is wrong already is told first.
        raise InputError(
            f"the trials were played over {entry.name!r} ({entry.items:,} items, digest "
            f"{entry.digest[:12]}), which is not in the bundle",
            where=entry.folder,
            remedy="Name its folder: --catalog DIR. Whoever made the bundle can put it in: "
            "bundle --with-catalogue.",
        )

    def _unpacked(self, entry: CatalogueEntry) -> Catalogue:
        """The bundle's own catalogue, out of a folder that goes when the check ends."""
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
            else:
                raise Refused(f"holds {part!r}, which is no part of a catalogue")
        found = open_catalogue(place, verify=True)
        if found.digest != entry.digest:
            raise Refused(f"has digest {found.digest[:12]}, the manifest says {entry.digest[:12]}")
        check_wording(found.domain)
        return found

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
            return suite.parse_tasks(raw, entry.file, whole.domain)
        return None


def _refuse_aliases(text: bytes) -> None:
    """Few bytes of YAML with aliases can stand for more than a machine holds."""
    try:
        aliased = any(isinstance(token, yaml.AliasToken) for token in yaml.scan(text))
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        raise Refused(f"{DOMAIN} is no YAML ({type(error).__name__})") from None
    if aliased:
        raise Refused(f"{DOMAIN} uses aliases, which a bundle's must not")
