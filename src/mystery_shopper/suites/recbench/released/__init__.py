"""The published files of RecBench+, read as they are and brought onto a catalogue and a graph."""

from mystery_shopper.suites.recbench.released.queries import (
    Account,
    Imported,
    Unresolved,
    onto,
)
from mystery_shopper.suites.recbench.released.records import Release, Released, read_release

__all__ = ["Account", "Imported", "Release", "Released", "Unresolved", "onto", "read_release"]
