"""Title resolution: what an agent calls an item -> the item's id."""

from mystery_shopper.suites.recbench.titles.index import (
    Entry,
    Resolution,
    TitleIndex,
    TitleMatch,
)

__all__ = ["Entry", "Resolution", "TitleIndex", "TitleMatch"]
