"""Names on a command line to the things they name: catalogues and task sets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path

from mystery_shopper.catalog import Catalogue, Domain
from mystery_shopper.engine.plan import RunPlan
from mystery_shopper.engine.suites import Scene, TaskBook, suite_of
from mystery_shopper.engine.suites.tau_rec import own, shelf_over
from mystery_shopper.foundation import InputError
from mystery_shopper.sources import load_films, load_shop
from mystery_shopper.suites.tau_rec.shelf import Shelf
from mystery_shopper.suites.tau_rec.task import TaskSet
from mystery_shopper.suites.tau_rec.wording import check_wording

SHIPPED_CATALOGUES: Mapping[str, Callable[[], Catalogue]] = {"films": load_films, "shop": load_shop}
DEFAULT_CATALOGUE = "films"
TAU_REC = "tau_rec"


def is_catalogue_folder(path: Path) -> bool:
    """Whether this is a folder that `catalog build` or `import` made."""
    try:
        return (path / "catalog.json").is_file()
    except (OSError, ValueError):  # No file can have such a name.
        return False


def catalogue_name(text: str) -> tuple[str, int | None]:
    """(source, size) of `films`, `films:5000` or a catalogue folder with or without a size. Raises
    InputError for a size that is none."""
    name, colon, size = text.rpartition(":")
    if not colon or is_catalogue_folder(Path(text)):
        return text, None
    digits = size.replace("_", "").replace(",", "")
    if not digits.isdecimal() or len(digits) > 18:
        raise InputError(
            f"{size!r} is no size", where="--catalog", remedy="Write it as films:5000."
        )
    return name, int(digits)


def load_catalogue(source: str, size: int | None = None) -> Catalogue:
    """A shipped catalogue by name or one from its folder, or the nested subset of `size` items."""
    if source in SHIPPED_CATALOGUES:
        if _is_folder(source):
            raise InputError(
                f"{source!r} is both a catalogue of ours and a folder here",
                where="--catalog",
                remedy=f"Write ./{source} for the folder, or rename it.",
            )
        whole = SHIPPED_CATALOGUES[source]()
    elif is_catalogue_folder(Path(source)):
        whole = _open(str(Path(source).resolve()))
    else:
        shipped = ", ".join(SHIPPED_CATALOGUES)
        raise InputError(
            f"there is no catalogue {source!r}",
            where="--catalog",
            remedy=f"Use one of: {shipped}; or a folder that mystery-shopper catalog build made.",
        )
    return whole if size is None else whole.nested(size)


@lru_cache(maxsize=4)
def _open(folder: str) -> Catalogue:
    """Raises InputError too where a customer with this domain's words could not be understood."""
    from mystery_shopper.catalog.folder import open_catalogue

    made = open_catalogue(Path(folder))
    check_wording(made.domain)
    return made


@lru_cache(maxsize=4)
def load_part(source: str, size: int) -> Catalogue:
    """As `load_catalogue`; kept for the next call."""
    return load_catalogue(source, size)


def load_shelf(source: str, size: int) -> Shelf:
    """A catalogue made ready for the disclosure suite's episodes; kept for the next call."""
    return shelf_over(load_part(source, size))


def scene_of(plan: RunPlan) -> Scene:
    """The plan's tasks over its catalogue; equal parts of several plans are the same objects."""
    tasks = load_book(plan.suite, plan.task_set)
    whole = load_part(plan.source, plan.size)
    return suite_of(plan.suite).scene(plan, tasks, whole, folder_of(plan.source))


def folder_of(source: str) -> Path | None:
    """The folder of a catalogue; None for a shipped one."""
    return Path(source) if _is_folder(source) else None


def choose_sources(
    catalog: str | None, task_set: str | None, suite: str = TAU_REC
) -> tuple[str, str]:
    """(catalogue, task set) where one or both are left out.

    A task file that lies in a catalogue's folder, or that folder itself, brings its catalogue; a
    shipped set brings the one of its name; a catalogue brings its own tasks. Without either it is
    the films. Raises InputError for a catalogue that has no tasks yet.
    """
    of = suite_of(suite)
    if task_set is not None:
        task_set = str(Path(task_set) / of.tasks_file) if _is_folder(task_set) else task_set
        shipped = [name for name in SHIPPED_CATALOGUES if task_set.startswith(f"{suite}/{name}@")]
        beside = str(Path(task_set).parent)
        guess = beside if _is_folder(beside) else next(iter(shipped), DEFAULT_CATALOGUE)
        return catalog or guess, task_set
    catalog = catalog or DEFAULT_CATALOGUE
    source, _ = catalogue_name(catalog)
    if source in SHIPPED_CATALOGUES:
        load_catalogue(source)
        own_sets = [one for one in of.shipped_sets() if one.startswith(f"{suite}/{source}@")]
        if own_sets:
            return catalog, own_sets[-1]
        raise InputError(
            f"no task set of {suite} over {source} comes with the package",
            where="--catalog",
            remedy=f"Draw one: mystery-shopper generate {suite} --catalog {source} --out FILE, "
            "then name it by --task-set.",
        )
    load_catalogue(source)
    tasks = Path(source) / of.tasks_file
    if not tasks.is_file():
        raise InputError(
            "there are no tasks yet",
            where=source,
            remedy=f"Draw some: mystery-shopper generate {suite} --catalog {source}",
        )
    return catalog, str(tasks)


def own_tasks_file(source: str, suite: str = TAU_REC) -> Path:
    """Where the tasks of a catalogue folder stand. Raises InputError for a shipped catalogue, which
    has no folder."""
    if source in SHIPPED_CATALOGUES or not _is_folder(source):
        load_catalogue(source)
        raise InputError(
            f"{source} has no folder to write the tasks to", where="--out", remedy="Name a file."
        )
    return Path(source) / suite_of(suite).tasks_file


def _is_folder(text: str) -> bool:
    return is_catalogue_folder(Path(text))


@lru_cache(maxsize=8)
def load_book(suite: str, name: str) -> TaskBook:
    """A suite's shipped task set by name, or one from a file; in a catalogue's folder, of its
    domain."""
    of = suite_of(suite)
    if name in of.shipped_sets():
        return of.read_tasks(name)
    folder = str(Path(name).parent)
    domain: Domain | None = load_catalogue(folder).domain if _is_folder(folder) else None
    return of.read_tasks(name, domain)


def load_tasks(name: str) -> TaskSet:
    """As `load_book`, of the disclosure suite."""
    return own(load_book(TAU_REC, name))
