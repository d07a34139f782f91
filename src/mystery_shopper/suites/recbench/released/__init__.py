"""The published files of RecBench+, read as they are and brought onto a catalogue and a graph."""

from mystery_shopper.suites.recbench.released.importing import Made, import_release
from mystery_shopper.suites.recbench.released.items import Given, Items
from mystery_shopper.suites.recbench.released.model import (
    BOOK,
    DOMAINS,
    MOVIE,
    Fact,
    Release,
    Released,
)
from mystery_shopper.suites.recbench.released.queries import (
    Account,
    Imported,
    Unresolved,
    onto,
)
from mystery_shopper.suites.recbench.released.records import read_release

__all__ = [
    "BOOK",
    "DOMAINS",
    "MOVIE",
    "Account",
    "Fact",
    "Given",
    "Imported",
    "Items",
    "Made",
    "Release",
    "Released",
    "Unresolved",
    "import_release",
    "onto",
    "read_release",
]
