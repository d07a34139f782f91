"""Names on a command line to the things they name: catalogues and task sets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from mystery_shopper.catalog import Catalogue
from mystery_shopper.foundation import InputError
from mystery_shopper.sources import load_films, load_shop
from mystery_shopper.suites.tau_rec.shelf import Shelf
from mystery_shopper.suites.tau_rec.task import TaskSet
from mystery_shopper.suites.tau_rec.taskfile import load_task_set, shipped_task_set

SHIPPED_CATALOGUES: Mapping[str, Callable[[], Catalogue]] = {"films": load_films, "shop": load_shop}
SHIPPED_TASK_SETS = ("tau_rec/films@1",)


def catalogue_name(text: str) -> tuple[str, int | None]:
    """(source, size) of `films` or `films:5000`. Raises InputError for a size that is none."""
    name, colon, size = text.partition(":")
    if not colon:
        return name, None
    digits = size.replace("_", "").replace(",", "")
    if not digits.isdecimal() or len(digits) > 18:
        raise InputError(
            f"{size!r} is no size", where="--catalog", remedy="Write it as films:5000."
        )
    return name, int(digits)


def load_catalogue(source: str, size: int | None = None) -> Catalogue:
    """A shipped catalogue by name, or its nested subset of `size` items."""
    if source not in SHIPPED_CATALOGUES:
        raise InputError(
            f"there is no catalogue {source!r}",
            where="--catalog",
            remedy=f"Use one of: {', '.join(SHIPPED_CATALOGUES)}.",
        )
    whole = SHIPPED_CATALOGUES[source]()
    return whole if size is None else whole.nested(size)


@lru_cache(maxsize=4)
def load_shelf(source: str, size: int) -> Shelf:
    """A catalogue made ready for episodes; kept for the next call."""
    return Shelf(load_catalogue(source, size))


@lru_cache(maxsize=4)
def load_tasks(name: str) -> TaskSet:
    """A shipped task set by name, or one from a file."""
    return shipped_task_set(name) if name in SHIPPED_TASK_SETS else load_task_set(name)
